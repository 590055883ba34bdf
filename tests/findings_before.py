"""Run the tests of the findings against an older tree: each finding has a test that fails there.

    git worktree add ../before c9bae98
    python -m tests.findings_before ../before --table tests/findings_before.md

The tests are those of today, the library and its pages those of the older tree. A name that a test
module imports and that does not exist there is replaced by an object that raises `NotThere` when it
is used, so that the other tests of the module run; so is a class that is refused there. A test that
takes longer than `--limit` seconds, or that ends its process, counts as failed. Results are kept in
a file (`--results`): a call that was stopped goes on where it ended, `--seconds` ends it by itself.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FINDINGS = (  # those of the issue: B2 and B4 belong to others, A3 is that of the sources (X2, X3)
    *(f"A{i}" for i in range(1, 13)),
    *(f"B{i}" for i in (1, 3, 5, 6, 7, 8, 9, 10)),
    *(f"C{i}" for i in range(1, 8)),
)

_HEAD = """# What the tests of the findings find at c9bae98

Written by `python -m tests.findings_before WORKTREE --table tests/findings_before.md`: {count}
tests of today with the library of c9bae98, parameters counted one by one. Each finding has a test
that fails there. `NotThere`, `AttributeError` and "unexpected keyword" mean that the name does not
exist there. A test that passes there guards against the opposite mistake: nothing is refused or
warned of without need. A6's motions from rest to rest pass there as well; the message that names
0 steps does not.

"""

# modules that had another name at c9bae98
_MOVED = {
    "dalembert.compile.cpu": "dalembert.compile",
    "dalembert.compile.cache.code_key": "dalembert.compile.fingerprint",
}

_MISSING = '''
class NotThere(Exception):
    """A name or a class that the older tree does not have or refuses."""


class Missing:
    def __init__(self, name, error):
        self.__dict__.update(_name=name, _error=error)

    def _used(self, *args, **kwargs):
        raise NotThere(f"{self._name}: {type(self._error).__name__}: {self._error}")

    __getattr__ = __call__ = __iter__ = __getitem__ = __mro_entries__ = _used


def missing_test(name, error):
    def test():
        Missing(name, error)()

    return test
'''

_CONFTEST = """
import faulthandler as _faulthandler

@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    _faulthandler.dump_traceback_later({limit}, exit=True)
    try:
        return (yield)
    finally:
        _faulthandler.cancel_dump_traceback_later()
"""


def tolerant(source: str) -> str:
    """Return a module whose imports, classes and tests are made one by one; each may fail."""
    tree = ast.parse(source)
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dalembert"):
            for name in node.names:
                one = _tried(
                    ast.ImportFrom(node.module, [name], node.level),
                    [name.asname or name.name],
                    "Missing",
                )
                if node.module in _MOVED:
                    before = ast.ImportFrom(_MOVED[node.module], [name], node.level)
                    one.handlers[0].body = [_tried(before, [name.asname or name.name], "Missing")]
                body.append(one)
        elif isinstance(node, ast.ClassDef):
            body.append(_tried(node, [node.name], "Missing"))
        elif isinstance(node, ast.FunctionDef):
            kind = "missing_test" if node.name.startswith("test_") else "Missing"
            body.append(_tried(node, [node.name], kind))
        elif isinstance(node, ast.Assign):
            names = [x.id for t in node.targets for x in ast.walk(t) if isinstance(x, ast.Name)]
            body.append(_tried(node, names, "Missing"))
        else:
            body.append(node)
    # after the docstring and imports from __future__
    place = sum(
        isinstance(x, ast.Expr) or getattr(x, "module", "") == "__future__" for x in body[:2]
    )
    body.insert(place, ast.parse("from missing_names import Missing, missing_test").body[0])
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, []))) + "\n"


def _tried(node: ast.stmt, names: list[str], kind: str) -> ast.Try:
    bound = "; ".join(f"{x} = {kind}({x!r}, error)" for x in names) or "pass"
    made = ast.parse(f"try: pass\nexcept Exception as error: {bound}").body[0]
    assert isinstance(made, ast.Try)
    made.body = [node]
    return made


def assembled(old: Path, folder: Path, limit: float) -> None:
    """Put the tests of today beside the library, the pages and the examples of the older tree."""
    skip = {"tests", "pyproject.toml", ".git"}
    for entry in old.iterdir():
        if entry.name not in skip:
            (folder / entry.name).symlink_to(entry)
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests" / "missing_names.py").write_text(_MISSING)
    for path in (folder / "tests").rglob("*.py"):
        if path.name.startswith("test_") or path.parent.name == "fuzz":
            path.write_text(tolerant(path.read_text()))
    conftest = folder / "tests" / "conftest.py"
    conftest.write_text(conftest.read_text() + _CONFTEST.format(limit=limit))


def environment(old: Path, folder: Path) -> dict[str, str]:
    """Return an environment where `dalembert` is the older one, in processes of tests as well."""
    return os.environ | {"PYTHONPATH": f"{old / 'src'}{os.pathsep}{folder / 'tests'}"}


def names(old: Path, folder: Path) -> list[str]:
    """Return the tests of the findings."""
    command = [sys.executable, "-m", "pytest", "-n0", "-q", "--collect-only", "-k", "finding3"]
    files = [x for x in (folder / "tests").rglob("test_*.py") if "test_finding3_" in x.read_text()]
    command += ["--tier=all", *(str(x.relative_to(folder)) for x in sorted(files))]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment(old, folder),
        capture_output=True,
        text=True,
        check=False,
    )
    broken = re.findall(r"^ERROR (\S+)", done.stdout, re.MULTILINE)
    if broken:
        raise SystemExit(f"not collected: {broken}\n{done.stdout[-3000:]}")
    return [x for x in done.stdout.splitlines() if "::test_finding3_" in x]


def run(old: Path, folder: Path, tests: list[str]) -> dict[str, list[str]]:
    """Run tests in one worker that is replaced if it dies; return outcome and reason of each."""
    report = folder / "report.xml"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n1",
        "--max-worker-restart=1000",
        "-q",
        "--tb=line",
    ]
    command += ["--tier=all", f"--junitxml={report}", *tests]
    subprocess.run(
        command, cwd=folder, env=environment(old, folder), capture_output=True, check=False
    )
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        outcome = next((x for x in case if x.tag in ("failure", "error", "skipped")), None)
        reason = "" if outcome is None else " ".join((outcome.get("message") or "").split())
        found[test] = ["passed" if outcome is None else outcome.tag, reason[:600]]
    return found


def finding(test: str) -> str:
    """Return the number of the finding that a test belongs to."""
    return test.partition("::test_finding3_")[2].partition("_")[0].upper()


def _plain(reason: str) -> str:
    """Return a reason without paths of this machine and addresses of objects."""
    reason = re.sub(r"\(?/\S*/(dalembert|pytest-of|tests)\S*", "...", reason)
    reason = re.sub(r"/(tmp|work|home|root)/[^\s']*", "...", reason)
    reason = re.sub(r"\.?\.?<?[\w<>. ]* at 0x[0-9a-f]+>*", "...", reason)
    reason = re.sub(r"<(built-in|function|generator|dalembert)[^>]*>", "...", reason)
    return reason.removeprefix("missing_names.").replace("`", "'")


def table(results: dict[str, list[str]]) -> tuple[str, list[str]]:
    """Return the table as Markdown, and the findings without a test that fails."""
    groups: dict[str, dict[str, list[list[str]]]] = {x: {} for x in (*FINDINGS, "others")}
    for test, outcome in results.items():
        group = groups.get(finding(test), groups["others"])
        name = test.partition("::")[2].partition("[")[0]
        group.setdefault(name, []).append(outcome)
    rows = ["| finding | test | failed of | why it fails there |", "|---|---|---|---|"]
    missing = []
    for number, tests in groups.items():
        fails = False
        for name, outcomes in sorted(tests.items()):
            bad = [x for x in outcomes if x[0] in ("failure", "error")]
            run = [x for x in outcomes if x[0] != "skipped"]
            fails |= bool(bad)
            reason = bad[0][1].replace("|", "\\|") if bad else ("skipped" if not run else "passes")
            reason = _plain(reason)
            short = reason if len(reason) <= 150 else reason[:147] + "..."
            rows.append(f"| {number} | `{name}` | {len(bad)} of {len(run)} | {short} |")
        if number != "others" and not fails:
            missing.append(number)
    return "\n".join(rows) + "\n", missing


def main() -> None:
    """Run what has not been run, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path, help="a worktree of the older commit")
    parser.add_argument("--results", type=Path, default=Path("findings_before.json"))
    parser.add_argument("--table", type=Path, help="write the table there too")
    parser.add_argument("--again", default="", help="part of the names of tests to run again")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds a test may take")
    parser.add_argument("--seconds", type=float, default=3600.0, help="start nothing after these")
    options = parser.parse_args()
    begun, old = time.monotonic(), options.old.resolve()
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assembled(old, folder, options.limit)
        tests = names(old, folder)
        results = {x: y for x, y in results.items() if x in tests}
        due = [x for x in tests if x not in results or (options.again and options.again in x)]
        files = dict.fromkeys(x.partition("::")[0] for x in due)
        for file in files:  # one process for each file: its tests share compiled code
            if time.monotonic() - begun > options.seconds:
                break
            part = [x for x in due if x.startswith(file + "::")]
            results |= run(old, folder, part)
            options.results.write_text(json.dumps(results, indent=1))
            print(f"{file}: {len(part)} tests, {time.monotonic() - begun:.0f} s", flush=True)
    left = [x for x in tests if x not in results]
    text, missing = table(results)
    print(text)
    print(
        f"{len(results)} of {len(tests)} tests run; findings without a test that fails: {missing}"
    )
    if options.table and not left:
        options.table.write_text(_HEAD.format(count=len(results)) + text)
    sys.exit(bool(missing or left))


if __name__ == "__main__":
    main()
