"""`import dalembert` loads nothing that JAX and Equinox do not load by themselves.

`benchmarks/import_cost.py` measures the time; a test of it would depend on the machine.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dalembert

# What a fresh interpreter holds after the import, and then when geometry is asked for.
AFTER_IMPORT = """
import json, sys
import dalembert as da
found = {"loaded": sorted(sys.modules)}
from jax._src import xla_bridge
found["device"] = xla_bridge.backends_are_initialized()
import jax
found["dtype"] = str(jax.numpy.zeros(1).dtype)
da.geometry.analyze, da.RDLA()
found["asked"] = sorted(sys.modules)
print(json.dumps(found))
"""
BASE = "import json, sys\nimport jax, jax.numpy, equinox\nprint(json.dumps(sorted(sys.modules)))"


def told_by(code: str):
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def packages(modules: list[str]) -> set[str]:
    """The packages from outside the standard library that own the modules."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names


@pytest.fixture(scope="module")
def found() -> dict:
    return told_by(AFTER_IMPORT)


def test_import_loads_no_other_package(found):
    assert packages(found["loaded"]) - packages(told_by(BASE)) == {"dalembert"}


def test_import_leaves_out_front_ends(found):
    assert not set(found["loaded"]) & {"dalembert.cli", "dalembert.reproduce"}


def test_import_turns_on_double_precision(found):
    assert found["dtype"] == "float64"


def test_import_starts_no_device(found):
    # a user may still choose platform and device count after the import
    assert found["device"] is False


def test_import_leaves_geometry_for_when_it_is_asked_for(found):
    assert not any(name.startswith("dalembert.geometry") for name in found["loaded"])
    assert {"dalembert.geometry.reduction", "dalembert.methods.rdla"} <= set(found["asked"])


@pytest.mark.parametrize("name", ["other", "dalembert_notes"])
def test_a_program_that_imports_it_has_its_own_signals(tmp_path, name):
    """`python -m other`, where the package itself imports the library."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("import dalembert\n")
    (tmp_path / name / "__main__.py").write_text(
        "import signal\nprint(signal.getsignal(signal.SIGINT) is signal.default_int_handler)\n"
    )
    source = Path(dalembert.__file__).parents[1]
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(source)])}
    line = [sys.executable, "-m", name]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=env)
    assert done.stdout.split() == ["True"], done.stderr
