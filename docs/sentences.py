"""Draw sentences at random from the text of the project, to be judged by a reader.

    python docs/sentences.py [--count 40] [--seed TEXT] [--kind docstring]

Prints one line for each sentence: kind, file, line, sentence. Kinds are docstrings, comments,
messages (of exceptions and warnings) and pages; each is drawn equally often. The seed is the hash
of the last commit unless it is given.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent
KINDS = ("docstring", "comment", "message", "page")
# Shorter sentences are headings and labels, which say nothing on their own.
LEAST_WORDS = 5
# An empty line, or the line break before an item of a list.
PARAGRAPH = r"(\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*]|\d+\.) ))"
# The end of a sentence: not a colon, and not the point of an initial as in "J. Perlmutter".
END = r"(?<!\b[A-Z])[.!?][)*\"$]*\s+(?=[A-Z`*(\[\"$])"
# Stand for blanks and line breaks inside code and formulas.
BLANK, BREAK = "\0", "\1"


class Sentence(NamedTuple):
    """A sentence and its place."""

    kind: str
    file: str
    line: int
    text: str


def sentences(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Split a text that begins in `line` into sentences, each with the line where it begins.

    Sentences of fewer than `LEAST_WORDS` words are left out.
    """
    # Points inside code and formulas end no sentence, so their blanks are hidden from END.
    hidden = re.sub(
        r"``.*?``|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", _without_blanks, text, flags=re.DOTALL
    )
    for paragraph in re.split(PARAGRAPH, hidden):
        if re.match(PARAGRAPH, paragraph):
            line += paragraph.count("\n")
            continue
        begin = 0
        for end in [*(x.end() for x in re.finditer(END, paragraph)), len(paragraph)]:
            said = paragraph[begin:end]
            plain = " ".join(said.replace(BLANK, " ").replace(BREAK, " ").split())
            words = re.sub(r"\$\$.*?\$\$", "", plain).split()
            if len(words) >= LEAST_WORDS:
                before = len(said) - len(said.lstrip())
                yield line + said[:before].count("\n"), plain
            line += said.count("\n") + said.count(BREAK)
            begin = end


def _without_blanks(found: re.Match[str]) -> str:
    """Return the matched text with its blanks and line breaks hidden."""
    return found[0].replace(" ", BLANK).replace("\n", BREAK)


def of_code(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of docstrings, comments and messages of a module."""
    name, text = str(path.relative_to(HERE)), path.read_text()
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, documented) and (found := ast.get_docstring(node)):
            line = node.body[0].lineno
            yield from (Sentence("docstring", name, *x) for x in sentences(found, line))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for given in node.exc.args:
                said = " ".join(_literals(given))
                yield from (
                    Sentence("message", name, node.lineno, x) for _, x in sentences(said, 1)
                )
    yield from _comments(name, text)


def _literals(node: ast.AST) -> Iterator[str]:
    """Yield the texts of a literal; values in braces stand as {}."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (x.value if isinstance(x, ast.Constant) else "{}" for x in node.values)
        yield "".join(map(str, parts))


def _comments(name: str, text: str) -> Iterator[Sentence]:
    """Yield the sentences of comments.

    Whole-line comments on successive lines are one text. A comment behind code is shown with it.
    """
    lines = text.splitlines()
    block: list[str] = []
    start, last = 0, -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        said, line = token.string.lstrip("# "), token.start[0]
        if re.match(r"noqa|pyright|fmt|type:|--", said):
            continue
        if code := lines[line - 1][: token.start[1]].strip():
            if len(said.split()) >= LEAST_WORDS:
                yield Sentence("comment", name, line, f"{code}  # {said}")
            continue
        if line != last + 1:
            yield from (Sentence("comment", name, *x) for x in sentences("\n".join(block), start))
            block, start = [], line
        block.append(said)
        last = line
    yield from (Sentence("comment", name, *x) for x in sentences("\n".join(block), start))


def of_page(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a page, without code, tables, formulas and headings."""
    name = str(path.relative_to(HERE))
    # What is removed leaves its line breaks behind, so that line numbers stay right.
    removed = r"\A---\n.*?\n---\n|```.*?```"
    text = re.sub(removed, _only_breaks, path.read_text(), flags=re.DOTALL)
    text = re.sub(r"^[ \t]*(#|\||:|!\[|<|---).*$", "", text, flags=re.MULTILINE)
    # A sentence may go on behind a displayed formula: the empty lines around it end no paragraph.
    formula = r"\n\n(\$\$.*?\$\$[^\n]*)\n\n"
    text = re.sub(formula, "\n\f\n\\1\n\f\n", text, flags=re.DOTALL)
    yield from (Sentence("page", name, *x) for x in sentences(text, 1))


def _only_breaks(found: re.Match[str]) -> str:
    """Return the line breaks of the matched text, at least two to end a paragraph."""
    return "\n" * found[0].count("\n")


def everything() -> list[Sentence]:
    """Return all sentences of source, examples and pages, sorted by place."""
    found: list[Sentence] = []
    for path in sorted([*(HERE / "src").rglob("*.py"), *(HERE / "examples").rglob("*.py")]):
        found += of_code(path)
    pages = [*(HERE / "docs").glob("*.md"), *(HERE / "docs" / "tutorials").glob("*.md")]
    for path in sorted([HERE / "README.md", HERE / "CONTRIBUTING.md", *pages]):
        found += of_page(path)
    return found


def drawn(count: int, seed: str, kinds: tuple[str, ...] = KINDS) -> list[Sentence]:
    """Draw `count` sentences, equally many of each kind."""
    choose, found = random.Random(seed), everything()
    result: list[Sentence] = []
    for i, kind in enumerate(kinds):
        share = count // len(kinds) + (i < count % len(kinds))
        result += choose.sample([x for x in found if x.kind == kind], share)
    return result


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--count", type=int, default=40)
    ask.add_argument("--seed", help="any text; the hash of the last commit unless given")
    ask.add_argument("--kind", choices=KINDS, help="draw of this kind only")
    given = ask.parse_args()
    git = ["git", "-C", str(HERE), "rev-parse", "HEAD"]
    seed = given.seed or subprocess.run(git, capture_output=True, text=True, check=True).stdout
    for kind, file, line, text in drawn(given.count, seed, (given.kind,) if given.kind else KINDS):
        print(f"{kind:9} {file}:{line}\n    {text}")


if __name__ == "__main__":
    main()
