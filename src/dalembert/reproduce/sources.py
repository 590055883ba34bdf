"""The sources and the library: every item and numbered equation, and what computes it.

    from dalembert.reproduce import sources
    [item.what for item in sources.at("C02 4.4")]       # a section, an equation, a statement
    sources.equations()["MP"]["3.9"]                    # the items that have the equation (3.9)

The items are in sources.toml, beside this file. `docs/sources.md` is generated from it, and
`dalembert find` and `dalembert reproduce --source` read it. Whether an item works is not written
in the file: it follows from which of the item's names can be imported.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import importlib
import inspect
import re
import tomllib
from pathlib import Path

from ..errors import UsageError, unknown_name

_FILE = Path(__file__).with_suffix(".toml")


class Status(enum.StrEnum):
    """How much of an item the library has."""

    WORKS = "works"
    PARTLY = "partly"
    ABSENT = "not built"
    NOTHING = "nothing to compute"


@dataclasses.dataclass(frozen=True)
class Item:
    """A definition, statement, formula, example or figure of a source.

    `at` begins with the section; `equations` are its numbered equations; `names` are public names
    below `dalembert`; `decided` names experiments and files below tests/.
    """

    source: str
    at: str
    what: str
    also: str = ""
    equations: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    short: str = ""
    reason: str = ""
    nothing: bool = False

    @property
    def section(self) -> str:
        """The number of the section, without statements: 4.4.1."""
        return self.at.split(",")[0]

    @property
    def place(self) -> str:
        """The place in the source, with equations: [C02] 4.4.1, Prop. 4.4.6, (4.21)."""
        numbers = f", {in_words(self.equations)}" if self.equations else ""
        return f"[{self.source}] {self.at}{numbers}"

    @property
    def built(self) -> tuple[str, ...]:
        """The names of the item that can be imported."""
        return tuple(name for name in self.names if is_public(name))

    @property
    def experiments(self) -> tuple[str, ...]:
        """The experiments that decide the item."""
        return tuple(name for name in self.decided if not name.endswith(".py"))

    @property
    def status(self) -> Status:
        """The status, which follows from which names can be imported."""
        if self.nothing:
            return Status.NOTHING
        if not self.built:
            # an experiment computes the item, but the library has no name for it
            return Status.PARTLY if self.experiments else Status.ABSENT
        whole = len(self.built) == len(self.names) and not self.short
        return Status.WORKS if whole else Status.PARTLY

    @property
    def lacks(self) -> str:
        """What the item lacks, and why; empty if it works."""
        absent = [name for name in self.names if name not in self.built]
        said = [text for text in (self.short, self.reason) if text]
        return "; ".join([*said, *(["not built: " + ", ".join(absent)] if absent else [])])


@functools.cache
def items() -> tuple[Item, ...]:
    """Return all items, in the order of the sources."""
    return tuple(
        Item(
            source=key,
            at=entry["at"],
            what=entry["what"],
            also=entry.get("also", ""),
            equations=_expanded(entry.get("eq", "")),
            names=tuple(entry.get("names", "").split()),
            decided=tuple(entry.get("by", "").split()),
            short=entry.get("short", ""),
            reason=entry.get("no", entry.get("none", "")),
            nothing="none" in entry,
        )
        for key, source in _data().items()
        for entry in source["items"]
    )


def titles() -> dict[str, str]:
    """Return authors and year of each source, by key."""
    return {key: source["title"] for key, source in _data().items()}


def equations() -> dict[str, dict[str, list[Item]]]:
    """Return the numbered equations of each source, and the items that have each of them."""
    result = {
        key: {number: [] for number in _numbers(source["equations"])}
        for key, source in _data().items()
    }
    for item in items():
        for number in item.equations:
            result[item.source][number].append(item)
    return result


def at(reference: str) -> list[Item]:
    """Return the items at a place of a source.

    Args:
        reference: the key of a source, and a section, an equation or a statement in it: "C02 4.4",
            "MP (3.9)", "C02 Theorem 5.4.1", "F15 Fig. 2"; the key alone means all of it. A section
            includes its subsections: 4.4 includes 4.4.1.

    Raises:
        UsageError: there is no such source, or it has nothing there.
    """
    key, _, place = reference.strip().partition(" ")
    known = {name.lower(): name for name in _data()}
    if key.strip("[]").lower() not in known:
        raise unknown_name("source", key, list(_data()))
    key = known[key.strip("[]").lower()]
    place = re.sub(r"^(§|section|chapter|eq\.?|equation)\s*", "", place.strip(), flags=re.I)
    selected = [item for item in items() if item.source == key]
    result = [item for item in selected if _is_inside(item, place)]
    result = result or [item for item in selected if place.strip("()") in item.equations]
    if not result and re.search(r"[^\W\d]{3}", place):  # a word such as "arXiv" or "Appendix"
        result = [item for item in selected if place.lower() in item.at.lower()]
    if not result:
        sections = sorted({item.section for item in selected}, key=_by_number)
        raise UsageError(f"[{key}] has nothing at '{place}'; its sections: {', '.join(sections)}")
    return result


@functools.cache
def is_public(name: str) -> bool:
    """Whether `dalembert` has a name such as "geometry.chaplygin".

    For a name such as "f(x=)", also whether f has an argument x.
    """
    path, _, argument = name.partition("(")
    parts = path.split(".")
    try:
        value: object = importlib.import_module("dalembert")
        for i, part in enumerate(parts):
            if not hasattr(value, part) and inspect.ismodule(value):
                value = importlib.import_module(f"dalembert.{'.'.join(parts[: i + 1])}")
            elif hasattr(value, part):
                value = getattr(value, part)
            else:  # a dataclass field without a default is not an attribute of the class
                return i == len(parts) - 1 and part in getattr(value, "__dataclass_fields__", ())
    except ImportError:
        return False
    if not argument:
        return True
    return callable(value) and argument.strip("=)") in inspect.signature(value).parameters


def in_words(numbers: tuple[str, ...]) -> str:
    """Return numbers of equations as a text: (4.8)-(4.14), (5.3)."""
    runs: list[list[str]] = []
    for number in numbers:
        if runs and _next(runs[-1][-1]) == number:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"({run[0]})" if len(run) == 1 else f"({run[0]})-({run[-1]})" for run in runs)


@functools.cache
def _data() -> dict[str, dict]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


# A statement: its kind (compared by three letters), and its number.
_STATEMENT = re.compile(
    r"\b(def|prop|theorem|thm|lemma|cor|remark|fig|table|example)\w*\.? "
    r"((?:\d[\d.]*(?:-\d[\d.]*)?(?:, (?=\d))?)+)"
)


def _is_inside(item: Item, place: str) -> bool:
    """Whether an item is in the section `place` or a subsection, or has the statement `place`."""
    if not place:
        return True
    if re.fullmatch(r"[\d.]+", place):
        return f"{item.section}.".startswith(f"{place.rstrip('.')}.")
    return bool(_statements(place) & _statements(item.at))


def _statements(text: str) -> set[tuple[str, str]]:
    """Parse "Props 5.1.3, 5.1.4" into {("pro", "5.1.3"), ("pro", "5.1.4")}."""
    return {
        (kind.replace("thm", "theorem")[:3], number)
        for kind, numbers in _STATEMENT.findall(text.lower())
        for number in _expanded(numbers)
    }


def _expanded(text: str) -> tuple[str, ...]:
    """Expand "4.8-4.10, 5.3" into ("4.8", "4.9", "4.10", "5.3")."""
    chosen: list[str] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        first, _, last = part.partition("-")
        chosen.append(first)
        while last and chosen[-1] != last:
            chosen.append(_next(chosen[-1]))
    return tuple(chosen)


def _next(number: str) -> str:
    head, dot, last = number.rpartition(".")
    return f"{head}{dot}{int(last) + 1}"


def _numbers(chapters: dict[str, int]) -> list[str]:
    return [f"{c}.{i}" if c else str(i) for c, n in chapters.items() for i in range(1, n + 1)]


def _by_number(section: str) -> list[tuple[int, int | str]]:
    return [(0, int(x)) if x.isdigit() else (1, x) for x in re.split(r"[. ]", section)]
