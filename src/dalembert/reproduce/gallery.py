"""The gallery: one page with all claims at the top, then every experiment with its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..files import replacing
from ..pages import Table, document, escape, figure
from .experiment_types import Verdict

Record = dict[str, Any]  # the content of NAME.json

_SIGNS = {
    Verdict.HOLDS: ("\N{CHECK MARK}", "holds"),
    Verdict.CORRECTED: ("\N{ALMOST EQUAL TO}", "corrected"),
    Verdict.FAILS: ("\N{MULTIPLICATION SIGN}", "fails"),
    Verdict.UNPUBLISHED: ("?", "open"),
}

_STYLE = """
:root { --holds: #00664b; --corrected: #8a5a00; --fails: #b03a00; --open: #4d4d6a; }
@media (prefers-color-scheme: dark) { :root { --holds: #2fbf93; --corrected: #e6b34d;
  --fails: #f58a5c; --open: #b4b4dc; } }
h3 { font-size: 1.1rem; margin: 2.2rem 0 0.2rem; scroll-margin-top: 0.5rem; }
h4 { font-size: 1rem; margin: 1.2rem 0 0.2rem; }
.source { color: var(--muted); font-size: 0.9rem; margin: 0; }
.verdict { font-weight: 600; }
.holds .verdict { color: var(--holds); }
.corrected .verdict { color: var(--corrected); }
.fails .verdict { color: var(--fails); }
.open .verdict { color: var(--open); }
ul.claims { list-style: none; padding: 0; }
ul.claims > li { border-left: 4px solid var(--line); padding: 0.15rem 0 0.15rem 0.8rem;
  margin: 0.7rem 0; }
ul.claims > li.holds { border-color: var(--holds); }
ul.claims > li.corrected { border-color: var(--corrected); }
ul.claims > li.fails { border-color: var(--fails); }
ul.claims > li.open { border-color: var(--open); }
.number { color: var(--muted); font-size: 0.9rem; }
.number b { color: var(--ink); font-weight: 600; }
.counts { display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; padding: 0; list-style: none; }
figure a { display: block; }
@media print { body { max-width: none; } figure, ul.claims > li { break-inside: avoid; } }
"""


def write(groups: Mapping[str, Sequence[Record]], folder: Path) -> Path:
    """Write index.html from the records; returns its path."""
    target = folder / "index.html"
    with replacing(target) as temporary:
        temporary.write_text(page(groups), encoding="utf-8")
    return target


def page(groups: Mapping[str, Sequence[Record]]) -> str:
    """Return the text of the page."""
    records = [record for group in groups.values() for record in group]
    parts = [
        "<h1>What the papers claim, and what comes out</h1>",
        "<p>Figures, tables and statements about nonholonomic mechanics, run again by dalembert. "
        "Every number and picture was computed by a run; every verdict is decided by a number "
        "within bounds, or outside them.</p>",
        _counts(records),
        "<h2>The claims</h2>",
    ]
    for group, members in groups.items():
        parts.append(f"<h4>{escape(group)}</h4>")
        parts.append('<ul class="claims">')
        parts += [_short(record, claim) for record in members for claim in record["claims"]]
        parts.append("</ul>")
    for group, members in groups.items():
        parts.append(f"<h2>{escape(group)}</h2>")
        for record in members:
            parts += _experiment(record)
    parts.append(_foot(records))
    return document("dalembert: what the papers claim", "\n".join(parts), _STYLE)


def _counts(records: Sequence[Record]) -> str:
    verdicts = [claim["verdict"] for record in records for claim in record["claims"]]
    items = [
        f'<li class="{style}"><span class="verdict">{sign} {verdicts.count(verdict)}</span> '
        f"{escape(verdict)}</li>"
        for verdict, (sign, style) in _SIGNS.items()
    ]
    return f'<ul class="counts">{"".join(items)}</ul>'


def _badge(claim: Record) -> str:
    sign, _ = _SIGNS[Verdict(claim["verdict"])]
    return f'<span class="verdict">{sign} {escape(claim["verdict"])}</span>'


def _style_of(claim: Record) -> str:
    return _SIGNS[Verdict(claim["verdict"])][1]


def _short(record: Record, claim: Record) -> str:
    """Return a claim for the list at the top: verdict, text, the numbers."""
    texts = [
        f"{escape(c['what'])} <b>{escape(c['measured'])}</b>"
        for c in (*claim["checks"], *claim["corrected"])
    ]
    numbers = "; ".join(dict.fromkeys(texts))
    return (
        f'<li class="{_style_of(claim)}">{_badge(claim)} '
        f'<a href="#{record["name"]}">{escape(record["source"])}</a>: {escape(claim["text"])}'
        f'<br><span class="number">{numbers}</span></li>'
    )


def _experiment(record: Record) -> list[str]:
    name = record["name"]
    parts = [
        f'<h3 id="{name}">{escape(record["title"])}</h3>',
        f'<p class="source">{escape(record["source"])}</p>',
        f"<p>{escape(record['see'])}</p>",
    ]
    if record["error"]:
        parts.append(f'<p class="fails"><span class="verdict">{escape(record["error"])}</span></p>')
    for picture in record["pictures"]:
        light, dark = picture["light"], picture["dark"]
        caption = escape(picture["see"])
        options = {"narrow": picture["narrow"], "link": light}
        parts.append(figure(light, dark, picture["alt"], caption, **options))
    for motion in record.get("motions", ()):
        link = f'<a href="{motion["page"]}">See it move</a>'
        parts.append(f"<p>{link}: {escape(motion['see'])}</p>")
    parts.append('<ul class="claims">')
    parts += [_long(claim) for claim in record["claims"]]
    parts.append("</ul>")
    for each in record["tables"]:
        parts.append(Table(each["heads"], each["rows"], each["caption"]).html())
    parts += [f'<p class="note">{escape(note)}</p>' for note in record["notes"]]
    size = " --full" if record["full"] else ""
    kind = "published size" if record["full"] else "quick version"
    parts.append(
        f'<p class="note"><code>dalembert reproduce {name}{size}</code>: {kind}, '
        f"{record['seconds']:.0f} s, seed {record['seed']}.</p>"
    )
    return parts


def _long(claim: Record) -> str:
    """Return a claim for its experiment: every check with its bounds."""
    lines = [_bounds(check) for check in claim["checks"]]
    if claim["corrected"]:
        lines.append("corrected:")
        lines += [_bounds(check) for check in claim["corrected"]]
    if claim["note"]:
        lines.append(escape(claim["note"]))
    if claim["unpublished"]:
        lines.append(f"Chosen here: {escape(claim['unpublished'])}")
    inner = "<br>".join(f'<span class="number">{line}</span>' for line in lines)
    return (
        f'<li class="{_style_of(claim)}">{_badge(claim)}: {escape(claim["text"])}<br>{inner}</li>'
    )


def _bounds(check: Record) -> str:
    measured = f"{escape(check['what'])} <b>{escape(check['measured'])}</b>"
    if check["wanted"] == "for information":
        return measured
    outside = "" if check["holds"] else ": outside"
    return f"{measured} (wanted {escape(check['wanted'])}{outside})"


def _foot(records: Sequence[Record]) -> str:
    if not records:
        return "<footer>Nothing has been run yet.</footer>"
    last = records[-1]
    used = ", ".join(f"{name} {version}" for name, version in last["with"].items())
    seconds = sum(record["seconds"] for record in records)
    return f"<footer>{escape(last['when'])}; {seconds:.0f} s in all; {escape(used)}.</footer>"
