"""Numbers in the text of the site, and what vouches for each: a command, a cell, a written page.

    python docs/figures.py            numbers with nothing beside them; exits with 1 if there are
    python docs/figures.py scale      every number of one page, with what vouches for it

What looks measured (a unit of time, size, force or energy behind it, a power of ten, a factor, a
percentage) must stand in a section that has a cell, a block of code or a command beside it, or that
links a page which a program writes. A page that begins with "Written by `...`" is such a program's.
What is a definition and no measurement is in `GIVEN`, with its reason.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WRITTEN = ("verification", "orders", "performance", "tolerances", "verdicts")  # by programs
MADE = {"tutorials", "gallery"}

UNITS = (
    r"(?:ns|µs|us|ms|s|seconds?|min|minutes?|h|hours?|bytes|kB|KB|MB|GB|KiB|MiB|GiB|MB/s|J|N|kg|%)"
)
MEASURED = re.compile(
    rf"(?<![\w.#-])(?:\d+(?:\.\d+)?e[+-]?\d+|10\^\{{?-?\d+\}}?|\d[\d.,]*\s?(?:{UNITS})(?![\w/^])"
    r"|\d+(?:\.\d+)? times\b|\d+\.\d{2,}\b)"
)
VOUCHED = re.compile(
    r"^```(?:\{code-cell\}|python|console)|`(?:dalembert|python|make) [^`]+`|`tests/[^`]+`", re.M
)

GIVEN = {  # page: what is no measurement, and why
    "accuracy": {"1e-15": "default", "1e-9": "argument", "1e-12": "argument", "1e-6": "argument"},
}


class Number(NamedTuple):
    """A number of the text, and what vouches for it."""

    page: str
    section: str
    text: str
    by: str


def sections(text: str) -> list[tuple[str, str]]:
    """Heading and text, down to the second level."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    parts = re.split(r"^(#{1,2} .+)$", text, flags=re.MULTILINE)
    return [("", parts[0]), *zip(parts[1::2], parts[2::2])]


def prose(text: str) -> str:
    """Without code, formulas and links."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    hidden = r"\$\$.*?\$\$|\$[^$\n]+\$|`[^`]*`|\]\([^)]*\)|<[^>]*>"
    equations = r"\(\d+\.\d+[a-z]?\)|arXiv:?\s?\S+"
    return re.sub(f"{hidden}|{equations}", " ", text, flags=re.DOTALL)


def of_page(page: Path) -> list[Number]:
    text = page.read_text()
    head = text[:1500]
    whole = re.search(r"[Ww]ritten by\s+`[^`]+`|`make docs-verification`", head)
    found = []
    for heading, body in sections(text):
        by = "the page is a program's" if whole and page.stem in WRITTEN else ""
        if not by and (command := VOUCHED.search(body)):
            by = command[0]
        if not by and (link := re.search(rf"\((?:\.\./)?({'|'.join(WRITTEN)})\.md", body)):
            by = link[1]
        for match in MEASURED.finditer(prose(body)):
            number = " ".join(match[0].split())
            given = GIVEN.get(page.stem, {}).get(number, "")
            found.append(Number(page.stem, heading.lstrip("# "), number, given or by))
    return found


def pages() -> list[Path]:
    found = [p for p in sorted(HERE.rglob("*.md")) if p.relative_to(HERE).parts[0] not in MADE]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *found]


def main(names: list[str]) -> int:
    found = [x for p in pages() if not names or p.stem in names for x in of_page(p)]
    bare = [x for x in found if not x.by]
    for x in found if names else bare:
        print(f"{x.page}, {x.section or 'top'}: {x.text}  <- {x.by or 'nothing'}")
    print(f"{len(found)} numbers, {len(bare)} of them with nothing beside them")
    return 1 if bare else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
