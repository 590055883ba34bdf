"""How the house is kept: caches can be cleared, files have one name, methods know no compiler."""

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dalembert

TOP = Path(dalembert.__file__).parent

# Containers that modules fill while they run, and why `clear_compiled` need not empty them.
NO_CACHES = {
    ("compile/cache/registry.py", "_clears"): "the registry of caches itself",
    ("compile/cache/trusted_code.py", "_layouts"): "an entry goes with its class",
    ("compile/ir/derivative_rules.py", "SLOPES"): "filled when the module is imported",
    ("parts/machine.py", "_pending"): "classes under construction; empty between calls",
    ("results/remembered.py", "_SYSTEMS"): "an entry goes with its trajectory",
}
# a container that starts empty; modules that may have one, or a cached function
EMPTY = re.compile(
    r"\{\}|\[\]|(\w+\.)?(dict|list|set|deque|defaultdict|OrderedDict|Counter)(\[.*\])?\(\w*\)"
)
SEEN = re.compile(
    r"cache|^\w+(: .*)? = (\{\}|\[\]|[\w.]*(dict|list|set|deque|Counter|Dict)\b)", re.M
)
# Types of arguments that hold no object of a user: results for these are tables of constants.
PLAIN = {"int", "bool", "str", "str | None", "Path", "np.dtype", "Rows"}


def test_methods_and_linalg_do_not_know_who_compiles_them():
    for file in [TOP / "linalg.py", *(TOP / "methods").rglob("*.py")]:
        assert "tracing.active" not in file.read_text(), file


def test_no_two_files_have_the_same_name():
    names = [p.name for p in TOP.rglob("*.py") if p.name != "__init__.py"]
    assert sorted(names) == sorted(set(names))


def test_kinds_of_joints_are_known_to_their_classes_only():
    kinds = re.compile(r"isinstance\([^)]*\b(Revolute|Prismatic|Planar|Spherical|Free|Fixed)\b")
    for file in TOP.rglob("*.py"):
        assert not kinds.search(file.read_text()), file


@pytest.mark.parametrize(
    "package, most", [("running", 20.5), ("results", 25), ("parts", 61), ("scene", 65)]
)
def test_types_say_what_is_meant(package, most):
    """Uses of `Any` per 1000 lines: at most half of what they were in 0.2."""
    text = "".join(file.read_text() for file in (TOP / package).rglob("*.py"))
    assert 1000 * len(re.findall(r"\bAny\b", text)) <= most * text.count("\n")


def test_each_joint_has_a_file():
    from dalembert.parts import joints

    for name in joints.__all__:
        kind = getattr(joints, name)
        assert kind.__module__ == f"dalembert.parts.joints.{name.lower()}"
        assert dataclasses.is_dataclass(kind)


def test_simulate_reads_as_a_page():
    tree = ast.parse((TOP / "running" / "api" / "simulate.py").read_text())
    last = [x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == "simulate"][-1]
    assert last.end_lineno - last.body[1].lineno + 1 <= 60


def test_every_cache_is_registered_or_holds_constants():
    wrong = [
        f"{file.relative_to(TOP)}: {name}"
        for file in sorted(TOP.rglob("*.py"))
        for name in unregistered(file.read_text())
        if (str(file.relative_to(TOP)), name) not in NO_CACHES
    ]
    assert not wrong


def test_the_search_for_caches_finds_them():
    text = """
_kept = {}
_known: dict[int, Any] = collections.OrderedDict()
_bounded = Cache[Any, int](8)
_weak = weakref.WeakSet()
_emptied: list[int] = []

@registered
def forget():
    _emptied.clear()

@functools.lru_cache(maxsize=8)
def of_system(system: System) -> int: ...

@functools.cache
def of_number(n: int) -> int: ...

@functools.lru_cache
def cleared(code: types.CodeType) -> int: ...

registered(cleared.cache_clear)
"""
    assert list(unregistered(text)) == ["_kept", "_known", "of_system"]


def unregistered(text: str) -> Iterator[str]:
    """Names of the caches of a module that `clear_compiled` does not empty."""
    if not SEEN.search(text):  # nine modules of ten; parsing all takes seconds
        return
    tree = ast.parse(text)
    cleared = set(re.findall(r"registered\((\w+)\.cache_clear\)", text))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and "registered" in _decorators(node):
            cleared |= set(re.findall(r"(\w+)\.clear\(\)", ast.unparse(node)))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _decorators(node) & {"cache", "lru_cache"}:
            kinds = {ast.unparse(a.annotation) for a in node.args.args if a.annotation}
            if node.name not in cleared and not kinds <= PLAIN:
                yield node.name
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if EMPTY.fullmatch(ast.unparse(node.value)) and ast.unparse(target) not in cleared:
                yield ast.unparse(target)


def _decorators(node: ast.FunctionDef) -> set[str]:
    calls = [x.func if isinstance(x, ast.Call) else x for x in node.decorator_list]
    return {ast.unparse(x).rpartition(".")[2] for x in calls}
