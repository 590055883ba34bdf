"""Apply every mutation to a copy of the sources, one at a time, and name the test that fails.

    python tests/mutation/run.py [WORD...]

Exits with 1 if a mutation survives or its old text is gone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mutations import MUTATIONS, Mutation

TESTS = Path(__file__).resolve().parent.parent
SOURCES = TESTS.parent / "src"


def caught_by(mutation: Mutation, place: Path) -> str | None:
    """The first test that fails with the mutation in the copy at `place`, or None."""
    file = place / "dalembert" / mutation.file
    text = file.read_text()
    if text.count(mutation.old) != 1:
        return None
    file.write_text(text.replace(mutation.old, mutation.new))
    paths = [str(TESTS / x) if x.startswith("test_") else x for x in mutation.tests]
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        run = subprocess.run(
            [*command, "-o", "addopts=", "-W", "ignore", *paths],
            cwd=TESTS.parent,
            env={**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        file.write_text(text)
    if run.returncode != 1:  # 1: a test failed; 0: all passed; others: nothing was run
        sys.stdout.write(run.stdout[-500:] + run.stderr[-500:])
        return None
    found = re.search(r"^FAILED (?:tests/)?(\S.*?)(?: - |$)", run.stdout, re.MULTILINE)
    return found[1] if found else "a test that could not be named"


def main(words: list[str]) -> int:
    """Run those mutations whose file or new text has one of the words; how many survive."""
    wanted = [m for m in MUTATIONS if not words or any(w in m.file + m.new for w in words)]
    survivors = 0
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
