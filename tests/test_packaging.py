"""What is installed agrees with what the files of the project say."""

import contextlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import jax
import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import dalembert
from moving import unpacked

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def requirements() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"].values()
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in extra)]
    found = [Requirement(text) for text in texts]
    return [r for r in found if r.name != "dalembert"]


def test_version_is_the_installed_one():
    try:
        installed = importlib.metadata.version("dalembert")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("run from a source tree that is not installed")
    assert dalembert.__version__ == installed


@pytest.mark.parametrize("requirement", requirements(), ids=str)
def test_each_dependency_is_pinned_within_its_range(requirement):
    assert requirement.specifier.contains(pins()[requirement.name])


def test_constraints_are_plain_pins():
    for name, version in pins().items():
        assert re.fullmatch(r"[a-z0-9-]+", name)
        assert re.fullmatch(r"[0-9][0-9a-z.]*", version)


def test_makefile_accepts_the_same_pythons():
    allowed = SpecifierSet(PROJECT["requires-python"])
    text = (ROOT / "Makefile").read_text()
    low, high = re.search(r"\(3, (\d+)\) <= .* <= \(3, (\d+)\)", text).groups()
    accepted = {f"3.{minor}" for minor in range(int(low), int(high) + 1)}
    assert accepted == {f"3.{minor}" for minor in range(30) if f"3.{minor}" in allowed}


def test_command_is_installed():
    found = importlib.metadata.entry_points(group="console_scripts", name="dalembert")
    if not found:
        pytest.skip("run from a source tree that is not installed")
    (command,) = found
    assert callable(command.load())


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """How to use the wheel in an environment of its own, without the sources, from an empty folder.

    What it depends on lies beside it.
    """
    build = pytest.importorskip("hatchling.build", reason="`make install` brings it")
    folder = tmp_path_factory.mktemp("fresh")
    with contextlib.chdir(ROOT):
        wheel = folder / build.build_wheel(str(folder))
    home, work = folder / "home", folder / "empty"
    venv.create(home, with_pip=False)
    for new in (work, folder / "tmp"):
        new.mkdir()
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python]
    subprocess.run([*pip, "install", "-qq", "--no-deps", "--no-index", wheel], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    (site / "others.pth").write_text(str(Path(jax.__file__).parent.parent))
    env = {"PATH": f"{home / 'bin'}{os.pathsep}{os.defpath}", "HOME": str(home),
           "TMPDIR": str(folder / "tmp"), "JAX_PLATFORMS": "cpu"}  # fmt: skip

    def use(command, **how):
        return subprocess.run(command, env=env, cwd=work, capture_output=True, text=True, **how)

    find = "import importlib.util as u; print(u.find_spec('dalembert').origin)"
    assert use([python, "-c", find]).stdout.startswith(str(home))
    return use, python, work


@pytest.mark.slow
def test_readme_moves_a_disk_in_an_empty_environment(empty):
    use, _, _ = empty
    text = (ROOT / "README.md").read_text()
    lines = re.findall(r"^\$ (dalembert (?:run rolling-disk|view) [^#\n]*)", text, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        done = use(line, shell=True)
        assert done.returncode == 0, done.stderr
    page = Path(done.stderr.split("no browser was found here; the page is ")[1].strip())
    found = re.search(r'id="dalembert-scene">(.*?)</script>', page.read_text(), re.DOTALL)
    scene = json.loads(found[1])
    (run,) = scene["runs"]
    place = unpacked(scene, run["bodies"][0]["position"])
    assert np.ptp(place, axis=0).max() > 5 and unpacked(scene, run["t"])[-1] == 10.0


@pytest.mark.slow
def test_the_eight_things_of_getting_started_in_an_empty_environment(empty):
    """The page's code as it stands, in one process; and the README's ten lines."""
    use, python, work = empty
    page = (ROOT / "docs" / "start.md").read_text()
    cell = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
    tasks = page.split("\n## ")[1:]
    assert [x[:2] for x in tasks] == [f"{k}." for k in range(1, 9)]
    assert all(cell.search(task) for task in tasks)
    readme = (ROOT / "README.md").read_text().split("```python\n")[1].partition("```")[0]
    (work / "eight.py").write_text("\n".join([*cell.findall(page), readme]))
    done = use([python, "eight.py"])
    assert done.returncode == 0, done.stderr
    out = done.stdout
    errors = [float(x) for x in re.findall(r"warnings: \(\)  error: (\S+)", out)]
    assert len(errors) == 2 and errors[1] < errors[0] / 100  # restarted GNI, and the default
    assert "the parasitic mode of gni-midpoint is larger than the error" in out
    assert float(re.findall(r"a = (\S+) m", out)[-1]) == pytest.approx(0.23, abs=1e-9)
    assert float(re.search(r"misses by (\S+)", out)[1]) < 1e-8
    assert "t = 400.0  rows: 201" in out
    assert (work / "sleigh.png").stat().st_size > 10_000
