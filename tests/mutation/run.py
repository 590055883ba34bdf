"""Apply every mutation to a copy of the sources, one at a time, and name the test that fails.

    python tests/mutation/run.py [--jobs N] [WORD...]

A mutation is caught if one of its tests fails with it, and that test passes without it. Exits with
1 if a mutation survives or its old text is gone.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import equinox  # noqa: F401  (with JAX, for the children)
import hypothesis  # noqa: F401
import pytest
from mutations import MUTATIONS, Mutation

TESTS = Path(__file__).resolve().parent.parent
SOURCES = TESTS.parent / "src"


OPTIONS = ["-n0", "-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "-W", "ignore"]


class NotCaught(Exception):
    """Why a mutation counts as not caught."""


def caught_by(mutation: Mutation, place: Path) -> str:
    """The first test that fails with the mutation in the copy at `place`, and passes without it."""
    file = place / "dalembert" / mutation.file
    text = file.read_text()
    if text.count(mutation.old) != 1:
        raise NotCaught(f"OLD TEXT FOUND {text.count(mutation.old)} TIMES")
    paths = [str(TESTS / x) if x.startswith("test_") else x for x in mutation.tests]
    file.write_text(text.replace(mutation.old, mutation.new))
    try:
        code, said = _in_a_child(lambda: pytest.main([*OPTIONS, *paths]), place)
    finally:
        file.write_text(text)
    if code != pytest.ExitCode.TESTS_FAILED:  # all passed, or nothing was run
        raise NotCaught(f"SURVIVES (pytest ended with {code})\n{said[-500:]}")
    found = re.search(r"^FAILED (?:tests/)?(\S.*?)(?: - |$)", said, re.MULTILINE)
    if not found:
        raise NotCaught(f"A TEST FAILS THAT COULD NOT BE NAMED\n{said[-500:]}")
    # a test that fails anyway, here or on this machine, catches nothing
    code, said = _in_a_child(lambda: pytest.main([*OPTIONS, str(TESTS / found[1])]), place)
    if code != pytest.ExitCode.OK:
        raise NotCaught(f"{found[1]} FAILS WITHOUT THE MUTATION TOO\n{said[-500:]}")
    return found[1]


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


def tried(i: int, mutation: Mutation, place: Path) -> tuple[bool, str]:
    """Try one mutation in the copy at `place`: whether it was caught, and what became of it."""
    begin = time.monotonic()
    try:
        caught, said = True, f"caught by {caught_by(mutation, place)}"
    except NotCaught as error:
        caught, said = False, str(error)
    took = f"{time.monotonic() - begin:.0f} s"
    return caught, f"{i:2}. {mutation.file}: {mutation.new}\n    {said}, {took}"


def _worker(wanted: list[Mutation], queue: int, out: int) -> None:
    """Mutations one after the other, in a copy of the sources of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "src"
        shutil.copytree(SOURCES, place, ignore=shutil.ignore_patterns("__pycache__"))
        while number := os.read(queue, 1):
            i = number[0]
            caught, text = tried(i + 1, wanted[i], place)
            line = json.dumps({"caught": caught, "text": text, "number": i + 1})
            os.write(out, f"{line}\n".encode())


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
    begin, said = time.monotonic(), []
    (queue, fill), (pipe, out) = os.pipe(), os.pipe()
    os.write(fill, bytes(range(len(wanted))))  # a number is read by one worker, when it is free
    os.close(fill)
    children = []
    for _ in range(min(asked.jobs, len(wanted))):
        child = os.fork()
        if child == 0:
            os.close(pipe)
            _worker(wanted, queue, out)
            os._exit(0)
        children.append(child)
    os.close(out)
    with os.fdopen(pipe) as lines:
        for line in lines:
            said.append(json.loads(line))
            print(said[-1]["text"], flush=True)
    for child in children:
        os.waitpid(child, 0)
    caught = {x["number"] for x in said if x["caught"]}
    left = sorted(set(range(1, len(wanted) + 1)) - caught)
    if left:
        print("not caught:", *(f"{i} ({wanted[i - 1].file})" for i in left))
    print(f"{len(caught)} of {len(wanted)} caught, {time.monotonic() - begin:.0f} s")
    return len(left)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
