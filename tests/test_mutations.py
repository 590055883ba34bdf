"""The list of mutations cannot rot: every old text is in its file, exactly once."""

import importlib.util
import pathlib

import pytest

HERE = pathlib.Path(__file__).parent
_spec = importlib.util.spec_from_file_location("mutations", HERE / "mutation" / "mutations.py")
mutations = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(mutations)


@pytest.mark.parametrize("mutation", mutations.MUTATIONS, ids=lambda m: m.new)
def test_the_old_text_of_a_mutation_occurs_once(mutation):
    file = HERE.parent / "src" / "dalembert" / mutation.file
    assert file.read_text().count(mutation.old) == 1, f"{mutation.file}: {mutation.old}"
    assert mutation.old != mutation.new
    for test in (x for x in mutation.tests if x.startswith("test_")):
        name, _, function = test.partition("::")
        assert f"def {function.partition('[')[0]}" in (HERE / name).read_text()


def test_there_are_sixty_of_them_and_every_part_has_some():
    assert len({m.new for m in mutations.MUTATIONS}) >= 60
    parts = {m.file.partition("/")[0].removesuffix(".py") for m in mutations.MUTATIONS}
    assert parts >= {
        "methods", "dynamics", "geometry", "hybrid", "control", "parts", "running", "compile",
    }  # fmt: skip
