"""Which tests `make test` leaves to `make test-thorough`: those that took long when measured.

    python -m tests.tiers suite.xml --seconds 2.5

writes `thorough.txt` anew from a report of the whole suite, best measured on a machine that does
nothing else (`pytest --tier=all --junitxml=suite.xml`). Continuous integration runs both tiers.
"""

from __future__ import annotations

import argparse
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LIST = Path(__file__).with_name("thorough.txt")
TIERS = ("quick", "thorough", "all")


def thorough() -> frozenset[str]:
    """The tests of the thorough tier, as `file::test[parameters]` from the folder `tests` on."""
    return frozenset(LIST.read_text().splitlines())


def slow(report: Path, seconds: float) -> list[str]:
    """The tests of a report that took at least so long."""
    found = []
    for case in ElementTree.parse(report).iter("testcase"):
        if float(case.get("time", 0.0)) >= seconds:
            file = case.get("classname", "").removeprefix("tests.").replace(".", "/")
            found.append(f"{file}.py::{case.get('name')}")
    return sorted(found)


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("report", type=Path)
    parser.add_argument("--seconds", type=float, default=2.5)
    options = parser.parse_args()
    found = slow(options.report, options.seconds)
    LIST.write_text("\n".join(found) + "\n")
    print(f"{len(found)} tests take at least {options.seconds:g} s: {LIST}")


if __name__ == "__main__":
    main()
