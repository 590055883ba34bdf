"""`dalembert find`: search names, pages and experiments by the terms of the sources."""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from ..errors import UsageError
from .application import AsJson, command, complain

PACKAGES = (
    "", "geometry", "control", "hybrid", "diagnostics", "methods", "methods.rules", "groups",
    "dynamics", "systems", "parts", "export", "envs", "reproduce",
)  # fmt: skip
LIMIT = 12  # entries shown of each kind; the rest is only counted


class Entry(NamedTuple):
    """An entry that can be found: its kind, name, description, and the words to match."""

    kind: str
    name: str
    about: str
    head: str  # words of its name or heading
    body: str  # all other words


@command(
    "dalembert find momentum equation",
    'dalembert find "discrete Legendre transform"',
    "dalembert find Koiller --json",
)
def find(
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS...", help="Words of a source, or your own.")
    ],
    every: Annotated[bool, typer.Option("--all", help=f"More than {LIMIT} of a kind.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find names, pages, experiments and places of the sources by their words."""
    from . import showing

    text = " ".join(words)
    if not plain(text):
        raise UsageError("give at least one word to search for")
    entries = search(text)
    kinds = {kind: [e for e in entries if e.kind == kind] for kind in _KINDS}
    if as_json:
        rows = {k: [{"name": e.name, "about": e.about} for e in x] for k, x in kinds.items()}
        showing.print_json({"words": text, **rows})
    else:
        for kind, members in kinds.items():
            shown = members if every else members[:LIMIT]
            if not shown:
                continue
            showing.print_table(_KINDS[kind], [[e.name, e.about] for e in shown])
            if len(shown) < len(members):
                print(f"... and {len(members) - len(shown)} more: --all")
            print()
    if not entries:
        near = nearest(text)
        advice = f"; near it: {', '.join(near)}" if near else ""
        complain(f"nothing is found by '{text}'{advice}")
        raise typer.Exit(1)


_KINDS = {
    "sources": ("place", "what, and what computes it"),
    "names": ("name", "what it does"),
    "experiments": ("experiment", "title, and source"),
    "pages": ("page", "section"),
}


def search(text: str) -> list[Entry]:
    """Return the entries that match `text`, those with the whole phrase in their heading first.

    Entries that only have all its words, not as a phrase, match if no entry of their kind has it.
    """
    wanted = plain(text)
    scored = [(_score(wanted, entry), entry) for entry in entries()]
    best = {kind: max(score for score, e in scored if e.kind == kind) for kind in _KINDS}
    least = {kind: 2 if score > 1 else 1 for kind, score in best.items()}
    selected = [(score, entry) for score, entry in scored if score >= least[entry.kind]]
    return [entry for _, entry in sorted(selected, key=lambda pair: -pair[0])]


def nearest(text: str) -> list[str]:
    """Return words of the sources that are spelled similarly to those of `text`."""
    listed = (e for e in entries() if e.kind == "sources")
    known = sorted({word for e in listed for word in f"{e.head} {e.body}".split()})
    near: list[str] = []
    for word in plain(text).split():
        near += difflib.get_close_matches(word, known, 3)
    return list(dict.fromkeys(near))


def _score(wanted: str, entry: Entry) -> int:
    head, body = f" {entry.head} ", f" {entry.body} "
    if f" {wanted} " in head:
        return 4 if entry.head == wanted else 3
    if f" {wanted} " in body:
        return 2
    whole = head + body
    return int(all(f" {word} " in whole for word in wanted.split()))


def plain(text: str) -> str:
    """Normalize a text for comparison: lower case, singular, no accents."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", text)  # splits ChaplyginSleigh
    text = unicodedata.normalize("NFKD", text)
    text = "".join(c for c in text if not unicodedata.combining(c)).lower()
    text = re.sub(r"['’]s?\b", "", text)
    words = re.findall(r"[^\W_]+", text)
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") and w[-2] != "s" else w for w in words)


@functools.cache
def entries() -> tuple[Entry, ...]:
    """Return everything that can be found."""
    return (*_items(), *_names(), *_experiments(), *_pages())


def _items() -> Iterator[Entry]:
    from ..reproduce import sources

    for item in sources.items():
        computed = ", ".join((*item.built, *item.experiments)) or item.lacks
        about = f"{item.what}: {computed}"
        body = f"{item.also} {item.at} {' '.join(item.names)} {sources.titles()[item.source]}"
        # Each alternative term is a heading as well: "momentum equation, momentum map".
        head = " ".join(plain(text) for text in (item.what, *item.also.split(",")))
        yield Entry("sources", item.place, about, head, plain(body))


def _names() -> Iterator[Entry]:
    seen: set[int] = set()
    for package in PACKAGES:
        module = importlib.import_module("dalembert" + (f".{package}" if package else ""))
        for name in module.__all__:
            value: Any = getattr(module, name)
            if inspect.ismodule(value) or id(value) in seen or not callable(value):
                continue
            seen.add(id(value))
            text = inspect.getdoc(value) or ""
            full = f"{package}.{name}" if package else name
            yield Entry("names", full, _first(text), plain(name), plain(text))


def _experiments() -> Iterator[Entry]:
    from ..reproduce import groups

    for group, members in groups().items():
        for each in members:
            text = inspect.getdoc(inspect.getmodule(each.run)) or ""
            said = f"{each.source} {each.see} {group} {text}"
            about = f"{each.title}, {each.source}"
            yield Entry("experiments", each.name, about, plain(each.title), plain(said))


def _pages() -> Iterator[Entry]:
    """Yield the sections of the documentation, from the package or from its repository."""
    here = Path(__file__).resolve().parents[1]
    folder = next((f for f in (here / "docs", here.parents[1] / "docs") if f.is_dir()), None)
    for path in sorted(folder.glob("*.md")) if folder else ():
        # The entries of `sources` repeat the first word for word.
        if path.name in ("sources.md", "changelog.md"):
            continue
        yield from _sections(path)


def _sections(path: Path) -> Iterable[Entry]:
    text = path.read_text(encoding="utf-8")
    title = ""
    for part in re.split(r"^(?=#{1,4} )", text, flags=re.M):
        heading, _, body = part.partition("\n")
        if not heading.startswith("#"):
            continue
        heading = heading.lstrip("# ").replace("`", "").replace("$", "")
        title = title or heading
        about = heading if heading == title else f"{title}: {heading}"
        yield Entry("pages", f"docs/{path.name}", about, plain(heading), plain(body))


def _first(text: str) -> str:
    """Return the first sentence."""
    return re.split(r"(?<=[.:])\s", text.split("\n\n")[0].replace("\n", " "))[0].rstrip(":.")
