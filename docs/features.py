"""Write the table of kinds of runs and features into docs/features.md.

    python docs/features.py            (a test asserts that the page is up to date)

The cells are those that tests/test_features.py runs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "features.md"
_BLOCK = re.compile(r"(<!-- table:[^>]*-->\n).*?(<!-- end of table -->)", re.DOTALL)


def picture() -> str:
    """The table as markdown, a row for each feature, and below it the rules by number."""
    sys.path.insert(0, str(ROOT / "tests"))
    from features import FEATURES, KINDS, table

    cells, rules = table(), []
    lines = [f"| | {' | '.join(KINDS)} |", "|---" * (len(KINDS) + 1) + "|"]
    for feature in FEATURES:
        entries = []
        for kind in KINDS:
            told = cells[kind, feature].told
            if told != "yes":
                rules += [] if told in rules else [told]
                told = f"no ({rules.index(told) + 1})"
            entries.append(told)
        lines.append(f"| `{feature}` | {' | '.join(entries)} |")
    notes = [f"{i}. {rule[:1].upper()}{rule[1:]}." for i, rule in enumerate(rules, 1)]
    return "\n".join([*lines, "", *notes]) + "\n"


def updated(text: str) -> str:
    """The page with the table of now."""
    return _BLOCK.sub(lambda m: m[1] + picture() + m[2], text)


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text()))
