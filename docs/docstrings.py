"""Docstrings of the library are plain text; Sphinx wants its own markup: this goes between them.

Indented paragraphs are equations or code and stay as they are, `names` become literals, and
characters that would mean something to Sphinx are told that they do not.
"""

import ast
import re

_SECTION = re.compile(r"^(Args|Returns|Raises|Attributes|Yields):\s*$")


def escaped(line: str) -> str:
    """One line of running text."""
    parts = re.split(r"(`[^`]+`)", line)
    for i, part in enumerate(parts):
        if i % 2:  # a literal begins and ends beside a blank, or beside one that is not seen
            before, after = parts[i - 1][-1:].strip(), parts[i + 1][:1].strip()
            seam = "\\ "
            parts[i] = f"{seam if before else ''}`{part}`{seam if after else ''}"
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\*|_`])", r"\\\1", parts[i])
    return "".join(parts)


def is_python(block: list[str]) -> bool:
    """Whether an indented block is a program, not a formula."""
    text = "\n".join(line[4:] for line in block)
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return False
    return any(isinstance(x, ast.Call | ast.Import | ast.ImportFrom) for x in ast.walk(tree))


def to_rst(lines: list[str]) -> list[str]:
    """A docstring, as Sphinx reads it."""
    out, i, section = [], 0, False
    while i < len(lines):
        line = lines[i]
        if _SECTION.match(line):
            section = True
        elif line and not line.startswith(" "):
            section = False
        blank_before = not out or not out[-1].strip()
        if line.startswith("    ") and blank_before and not section:
            block = []
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                block.append(lines[i])
                i += 1
            while block and not block[-1].strip():
                block.pop()
            out += [f".. code-block:: {'python' if is_python(block) else 'text'}", "", *block, ""]
            continue
        out.append(escaped(line) if not _SECTION.match(line) else line)
        i += 1
    return out


def process(app, what, name, obj, options, lines):
    lines[:] = to_rst(lines)


def skip(app, what, name, obj, would_skip, options):
    """Fields of named tuples say nothing by themselves; their class does."""
    if (getattr(obj, "__doc__", None) or "").startswith("Alias for field number"):
        return True
    return None


def setup(app):
    """Before napoleon, which reads Args and Returns."""
    app.connect("autodoc-process-docstring", process, priority=100)
    app.connect("autodoc-skip-member", skip)
