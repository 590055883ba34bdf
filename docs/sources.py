"""Write docs/sources.md: what the sources contain, and where the library has it.

    python docs/sources.py            (a test asserts that the page is up to date)

The items are in src/dalembert/reproduce/sources.toml. Whether a name exists is found by importing
it, so run this after names were added; nothing on the page is written by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from dalembert.pages import Table
from dalembert.reproduce import sources
from dalembert.reproduce.sources import Item, Status

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "sources.md"

TOP = """\
# The sources, item by item

Every definition, statement, formula, example and figure of the four works, and each of their
numbered equations: the public name that computes it, and the experiment
(`dalembert reproduce NAME`) or test that decides it. Where something is not built, the reason
stands there. The keys are those of [notation](notation.md#sources); what is printed wrongly is
in the [errata](errata.md).

`dalembert find "momentum equation"` searches the words of this page, of the other pages and of the
docstrings; `dalembert reproduce --source "C02 4.4"` runs the experiments of a section, and with
`--list` it shows the items of the section.
`python docs/sources.py` writes this page: an item works if all of its names can be imported.
"""


def evidence(item: Item) -> list[str]:
    """Experiments and tests that decide an item: those that it names, or a test with its names."""
    if item.decided or not item.built:
        return [name if name in item.experiments else f"tests/{name}" for name in item.decided]
    return _tests_with(item)


def _tests_with(item: Item) -> list[str]:
    words = [re.split(r"[.(]", name.split("(")[0])[-1] for name in item.built]
    counts = {
        path: sum(len(re.findall(rf"\b{word}\b", path.read_text())) for word in words)
        for path in sorted((ROOT / "tests").glob("test_*.py"))
    }
    best = max(counts, key=lambda path: counts[path])
    return [str(best.relative_to(ROOT))] if counts[best] else []


def page() -> str:
    """The whole page."""
    return "\n".join([TOP, counts(), *(part(key) for key in sources.titles())])


def counts() -> str:
    """How many items of each source have which status, and how many equations have a name."""
    numbered, rows = sources.equations(), []
    for key, title in sources.titles().items():
        mine = [item for item in sources.items() if item.source == key]
        found = Counter(item.status for item in mine)
        with_name = sum(any(item.built for item in has) for has in numbered[key].values())
        rows.append(
            (
                f"{title} [{key}]",
                len(mine),
                *(found[s] for s in Status),
                len(numbered[key]),
                with_name,
            )
        )
    total = tuple(sum(row[i] for row in rows) for i in range(1, len(rows[0])))
    heads = ("source", "items", *(s.value for s in Status), "equations", "with a name")
    cells = [tuple(str(x) for x in row) for row in [*rows, ("all", *total)]]
    return Table(heads, cells, align="l" + "r" * (len(heads) - 1)).markdown() + "\n"


def part(key: str) -> str:
    """The items of a source, then its equations."""
    rows = []
    for item in sources.items():
        if item.source != key:
            continue
        numbers = f", {sources.in_words(item.equations)}" if item.equations else ""
        computed = "; ".join(filter(None, [", ".join(f"`{n}`" for n in item.built), item.lacks]))
        decided = ", ".join(f"`{name}`" for name in evidence(item))
        rows.append((f"{item.at}{numbers}", item.what, item.status.value, computed, decided))
    heads = ("where", "what", "", "computed by", "decided by")
    table = Table(heads, rows, align="lllll").markdown()
    return f"## {sources.titles()[key]} [{key}]\n\n{table}\n\n{by_number(key)}"


def by_number(key: str) -> str:
    """Each numbered equation, with the names that compute it."""
    groups: list[tuple[list[str], str]] = []
    for number, has in sources.equations()[key].items():
        names = ", ".join(dict.fromkeys(f"`{n}`" for item in has for n in item.built))
        names = names or "; ".join(item.lacks for item in has)
        if groups and groups[-1][1] == names:
            groups[-1][0].append(number)
        else:
            groups.append(([number], names))
    rows = [(sources.in_words(tuple(numbers)), names) for numbers, names in groups]
    return (
        f"### Equations of [{key}]\n\n{Table(('', 'computed by'), rows, align='ll').markdown()}\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
