"""Apply every mutation to a copy of the sources, one at a time, and name the test that fails.

    python tests/mutation/run.py [--jobs N] [WORD...]

Exits with 1 if a mutation survives or its old text is gone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import equinox  # noqa: F401  (with JAX, for the children)
import hypothesis  # noqa: F401
import pytest
from mutations import MUTATIONS, Mutation

TESTS = Path(__file__).resolve().parent.parent
SOURCES = TESTS.parent / "src"


def caught_by(mutation: Mutation, place: Path) -> str | None:
    """The first test that fails with the mutation in the copy at `place`, or None."""
    file = place / "dalembert" / mutation.file
    text = file.read_text()
    file.write_text(text.replace(mutation.old, mutation.new))
    paths = [str(TESTS / x) if x.startswith("test_") else x for x in mutation.tests]
    options = ["-n0", "-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "ignore"]
    try:
        code, said = _in_a_child(lambda: pytest.main([*options, *paths]), place)
    finally:
        file.write_text(text)
    if code != pytest.ExitCode.TESTS_FAILED:  # all passed, or nothing was run
        sys.stdout.write(said[-500:])
        return None
    found = re.search(r"^FAILED (?:tests/)?(\S.*?)(?: - |$)", said, re.MULTILINE)
    return found[1] if found else "a test that could not be named"


def _in_a_child(run: Callable[[], int], place: Path) -> tuple[int, str]:
    """Exit code and output of a function with the package of `place`.

    A fork of this process, which has imported JAX but not started it: imports are half of the
    time of a narrow test.
    """
    with tempfile.TemporaryFile("w+") as out:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
            os.environ["PYTHONPATH"] = str(place)
            sys.path.insert(0, str(place))
            code = 70  # that of a crash
            try:
                code = int(run())
            finally:
                sys.stdout.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        return code, out.read()


def tried(numbered: tuple[int, Mutation], place: Path) -> tuple[int, str, bool]:
    """Try one mutation in the copy at `place`: (its number, what became of it, whether caught)."""
    i, mutation = numbered
    gone = (place / "dalembert" / mutation.file).read_text().count(mutation.old) != 1
    test = None if gone else caught_by(mutation, place)
    said = "OLD TEXT NOT FOUND ONCE" if gone else f"caught by {test}"
    said = said if gone or test else "SURVIVES"
    return i, f"{i:2}. {mutation.file}: {mutation.new}\n    {said}", test is not None


def _worker(work: list[tuple[int, Mutation]], out: int) -> None:
    """Those mutations one after the other, in a copy of the sources of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "src"
        shutil.copytree(SOURCES, place, ignore=shutil.ignore_patterns("__pycache__"))
        for each in work:
            _, text, caught = tried(each, place)
            os.write(out, f"{int(caught)}{text}\n".encode())


def main(given: list[str]) -> int:
    """Run those mutations whose file or new text has one of the words; how many survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(given)
    words = asked.words
    wanted = [m for m in MUTATIONS if not words or any(w in m.file + m.new for w in words)]
    sys.dont_write_bytecode = True  # a stale one would hide a change
    os.chdir(TESTS.parent)
    numbered, caught = list(enumerate(wanted, 1)), 0
    pipe, out = os.pipe()
    children = []
    for j in range(asked.jobs):
        child = os.fork()
        if child == 0:
            os.close(pipe)
            _worker(numbered[j :: asked.jobs], out)
            os._exit(0)
        children.append(child)
    os.close(out)
    with os.fdopen(pipe) as lines:
        for line in lines:
            if line[0] in "01" and line[1:3].strip().isdigit():
                caught += line[0] == "1"
                line = line[1:]
            print(line, end="", flush=True)
    for child in children:
        os.waitpid(child, 0)
    print(f"{caught} of {len(wanted)} caught")
    return len(wanted) - caught


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
