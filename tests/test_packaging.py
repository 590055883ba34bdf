"""What is installed agrees with what the files of the project say."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import dalembert

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
