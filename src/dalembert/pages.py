"""Pieces of HTML pages that open from disk, on a phone too, in light and dark: no scripts."""

from __future__ import annotations

import html
from collections.abc import Sequence

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
.decides { background: var(--card); border-left: 4px solid var(--accent); padding: 0.1rem 1rem;
  border-radius: 0 6px 6px 0; }
code, pre { font: 0.9em ui-monospace, monospace; }
pre { background: var(--card); padding: 0.7rem 0.9rem; border-radius: 6px; overflow-x: auto; }
footer, .note { color: var(--muted); font-size: 0.88rem; }
"""


def document(title: str, body: str, style: str = "") -> str:
    """The whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def escape(text: str) -> str:
    """Plain text, for HTML."""
    return html.escape(text)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table that scrolls by itself where the page is narrower."""
    head = "".join(f"<th>{escape(x)}</th>" for x in heads)
    lines = ("".join(f"<td>{escape(x)}</td>" for x in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def figure(
    light: str, dark: str, alt: str, caption: str, *, narrow: bool = False, link: str = ""
) -> str:
    """A picture in two themes with the sentence below it; `link` is where a click leads."""
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
    """Two digits, as people write them: 0.36, 1.6 x 10^-6."""
    if x == 0 or 0.01 <= abs(x) < 1000:
        return f"{x:.2g}".replace("-", "\N{MINUS SIGN}")
    digits, power = f"{x:.1e}".split("e")
    sign = "\N{MINUS SIGN}" if power.startswith("-") else ""
    return f"{digits}&times;10<sup>{sign}{power[1:].lstrip('0')}</sup>"
