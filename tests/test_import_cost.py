"""`import dalembert` loads nothing that JAX and Equinox do not load by themselves.

`benchmarks/import_cost.py` measures the time; a test of it would depend on the machine.
"""

import json
import subprocess
import sys

import pytest


def loaded_by(statement: str) -> set[str]:
    """Names of all modules that a fresh interpreter holds after the statement."""
    code = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def packages(modules: set[str]) -> set[str]:
    """The packages from outside the standard library that own the modules."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names


@pytest.fixture(scope="module")
def modules() -> tuple[set[str], set[str]]:
    return loaded_by("import jax, jax.numpy, equinox"), loaded_by("import dalembert")


def test_import_loads_no_other_package(modules):
    base, ours = modules
    assert packages(ours) - packages(base) == {"dalembert"}


def test_import_leaves_out_front_ends(modules):
    _, ours = modules
    assert not ours & {"dalembert.cli", "dalembert.reproduce"}


def test_import_turns_on_double_precision():
    loaded_by("import dalembert, jax\nassert jax.numpy.zeros(1).dtype == 'float64'")


def test_import_starts_no_device():
    # a user may still choose platform and device count after the import
    check = "from jax._src import xla_bridge\nassert not xla_bridge.backends_are_initialized()"
    loaded_by(f"import dalembert\n{check}")


def test_import_leaves_geometry_for_when_it_is_asked_for(modules):
    _, ours = modules
    assert not any(name.startswith("dalembert.geometry") for name in ours)
    asked = loaded_by("import dalembert as da\nda.geometry.analyze, da.RDLA()")
    assert {"dalembert.geometry.reduction", "dalembert.methods.rdla"} <= asked
