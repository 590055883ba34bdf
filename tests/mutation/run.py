"""Apply every mutation to a copy of the sources, one at a time, and name the test that fails.

    python tests/mutation/run.py [WORD...]

Exits with 1 if a mutation survives or its old text is gone.
"""

from __future__ import annotations

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


def main(words: list[str]) -> int:
    """Run those mutations whose file or new text has one of the words; how many survive."""
    wanted = [m for m in MUTATIONS if not words or any(w in m.file + m.new for w in words)]
    survivors = 0
    sys.dont_write_bytecode = True  # a stale one would hide a change
    os.chdir(TESTS.parent)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "src"
        shutil.copytree(SOURCES, place, ignore=shutil.ignore_patterns("__pycache__"))
        for i, mutation in enumerate(wanted, 1):
            gone = (place / "dalembert" / mutation.file).read_text().count(mutation.old) != 1
            test = None if gone else caught_by(mutation, place)
            survivors += test is None
            said = "OLD TEXT NOT FOUND ONCE" if gone else f"caught by {test}"
            said = said if gone or test else "SURVIVES"
            print(f"{i:2}. {mutation.file}: {mutation.new}\n    {said}", flush=True)
    print(f"{len(wanted) - survivors} of {len(wanted)} caught")
    return survivors


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
