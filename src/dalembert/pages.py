"""Tables as text, Markdown and HTML, and the template of all HTML pages.

Pages open from disk, also on a phone, have a light and a dark theme, and need no scripts.
"""

from __future__ import annotations

import dataclasses
import html
import math
from collections.abc import Sequence
from typing import SupportsFloat

STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1a1a1a; --muted: #5c5c5c; --line: #dcdcdc;
  --card: #f6f7f9; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --back: #14171c; --ink: #ececec; --muted: #a3a9b3;
  --line: #2c323b; --card: #1b2027; --accent: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 54rem; background: var(--back);
  color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.6rem 0; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 0.4rem; padding-top: 0.9rem;
  border-top: 1px solid var(--line); }
a { color: var(--accent); }
sup { line-height: 0; }
p, ul { margin: 0.6rem 0; }
li { margin: 0.25rem 0; }
figure { margin: 1.4rem 0; }
img { display: block; width: 100%; height: auto; border-radius: 6px; }
.narrow img { max-width: 34rem; margin: 0 auto; }
figcaption { margin-top: 0.5rem; }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;
  font-size: 0.88rem; white-space: nowrap; }
th, td { padding: 0.4rem 0.65rem; text-align: right; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { color: var(--muted); font-weight: 600; white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0;
  background: var(--back); }
th.left, td.left { text-align: left; white-space: normal; vertical-align: top; }
.decides { background: var(--card); border-left: 4px solid var(--accent); padding: 0.1rem 1rem;
  border-radius: 0 6px 6px 0; }
code, pre { font: 0.9em ui-monospace, monospace; }
pre { background: var(--card); padding: 0.7rem 0.9rem; border-radius: 6px; overflow-x: auto; }
footer, .note { color: var(--muted); font-size: 0.88rem; }
"""


@dataclasses.dataclass(frozen=True)
class Table:
    """A table with column heads; numbers are written with four digits, text is unchanged.

    `align` has a letter for each column, "l" or "r"; by default only the first is left-aligned.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str | SupportsFloat]]
    caption: str = ""
    align: str = ""

    def __repr__(self) -> str:
        """Return the table as text, for a prompt or a notebook cell."""
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()

    def cells(self) -> list[list[str]]:
        """Return all entries as text."""
        return [[cell(x) for x in row] for row in self.rows]

    @property
    def right(self) -> tuple[int, ...]:
        """The indices of the right-aligned columns."""
        align = self.align or "l" + "r" * (len(self.heads) - 1)
        return tuple(i for i, letter in enumerate(align) if letter == "r")

    def text(self) -> str:
        """Return the table in aligned columns below its caption; no head line if all are empty."""
        lines = [list(self.heads), *self.cells()] if any(self.heads) else self.cells()
        widths = [max((len(line[i]) for line in lines), default=0) for i in range(len(self.heads))]

        def aligned(i: int, entry: str) -> str:
            return entry.rjust(widths[i]) if i in self.right else entry.ljust(widths[i])

        rows = ["  ".join(aligned(i, x) for i, x in enumerate(line)).rstrip() for line in lines]
        return "\n".join([self.caption, "", *rows] if self.caption else rows)

    def markdown(self) -> str:
        """Return the table in Markdown below its caption; ends with a new line."""
        lines = [self.heads, ["---"] * len(self.heads), *self.cells()]
        rows = ["| " + " | ".join(x.replace("|", "\\|") for x in line) + " |" for line in lines]
        rows[0] = rows[0].replace("|  |", "| |")
        rows[1] = rows[1].replace(" ", "")
        return "\n".join([self.caption, "", *rows] if self.caption else rows) + "\n"

    def html(self) -> str:
        """Return the table in HTML below its caption; it scrolls if the page is narrower."""
        kinds = [
            "" if i == 0 or i in self.right else ' class="left"' for i in range(len(self.heads))
        ]

        def line(tag: str, entries: Sequence[str]) -> str:
            cells = (f"<{tag}{kind}>{escape(x)}</{tag}>" for kind, x in zip(kinds, entries))
            return f"<tr>{''.join(cells)}</tr>"

        rows = "".join([line("th", self.heads), *(line("td", row) for row in self.cells())])
        caption = f"<p>{escape(self.caption)}</p>\n" if self.caption else ""
        return f'{caption}<div class="scroll"><table>{rows}</table></div>'


def cell(value: str | SupportsFloat) -> str:
    """Return an entry of a table as text; values that are not finite become a dash."""
    if isinstance(value, (str, int)):
        return str(value)
    return f"{float(value):.4g}" if math.isfinite(float(value)) else "-"


def card(title: str, rows: Sequence[tuple[str, str | SupportsFloat]]) -> str:
    """Return HTML that shows a result in a notebook cell: a title, then names with values.

    Empty values are left out. Colors are those of the surrounding page.
    """
    lines = "".join(
        f'<tr><td style="text-align:left;opacity:0.7;padding:0.1em 1em 0.1em 0">{escape(name)}</td>'
        f'<td style="text-align:left;padding:0.1em 0">{escape(cell(value))}</td></tr>'
        for name, value in rows
        if value != ""
    )
    return f"<div><strong>{escape(title)}</strong><table>{lines}</table></div>"


def document(title: str, body: str, style: str = "") -> str:
    """Return a complete HTML page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def escape(text: str) -> str:
    """Escape plain text for HTML."""
    return html.escape(text)


def figure(
    light: str, dark: str, alt: str, caption: str, *, narrow: bool = False, link: str = ""
) -> str:
    """Return HTML of a picture in two themes with its caption; `link` is the target of a click."""
    picture = (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{escape(alt)}"></picture>'
    )
    if link:
        picture = f'<a href="{link}">{picture}</a>'
    return (
        f"<figure{' class=narrow' if narrow else ''}>{picture}"
        f"<figcaption>{caption}</figcaption></figure>"
    )


def number(x: float) -> str:
    """Write a number with two digits: 0.36, 1.6 x 10^-6."""
    if x == 0 or 0.01 <= abs(x) < 1000:
        return f"{x:.2g}".replace("-", "\N{MINUS SIGN}")
    digits, power = f"{x:.1e}".split("e")
    sign = "\N{MINUS SIGN}" if power.startswith("-") else ""
    return f"{digits}&times;10<sup>{sign}{power[1:].lstrip('0')}</sup>"
