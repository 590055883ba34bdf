"""Formulas of docstrings, which are plain text, as TeX: `theta'^2/2` becomes what a book prints."""

import re

GREEK = {
    name: f"\\{name}"
    for name in (
        "alpha beta gamma delta epsilon theta kappa lambda mu omega Omega phi Phi psi Psi rho "
        "sigma tau Theta pi Pi"
    ).split()
}
FUNCTIONS = {f: f"\\{f}" for f in ("sin", "cos", "tan", "exp", "log", "tanh", "cosh")}
WORDS = {
    **GREEK,
    **FUNCTIONS,
    "lam": r"\lambda",
    "asinh": r"\operatorname{asinh}",
    "sech": r"\operatorname{sech}",
    "dexp": r"\operatorname{dexp}",
    "diag": r"\operatorname{diag}",
    "tr": r"\operatorname{tr}",
    "sum": r"\sum",
    "dtheta": r"d\theta",
    "times": r"\times",
    "inertia": r"\mathbb{I}",
}
_TOKEN = re.compile(r"[A-Za-z]+[0-9]*|[0-9]+(?:\.[0-9]+)?|<=|>=|\s+|.", re.DOTALL)
_PROSE = re.compile(r"\b(?:no|of|the|for|at|and|slip|is)\b")


def _word(token: str) -> str:
    name, digits = re.fullmatch(r"([A-Za-z]+)([0-9]*)", token).groups()
    tex = WORDS.get(name) or (name if len(name) == 1 or name in ("dx", "dy") else None)
    if tex is None:
        tex = rf"\mathrm{{{name}}}"
    return f"{tex}_{{{digits}}}" if digits else tex


def tex(text: str) -> str:
    """One formula, or a sentence that stands among formulas."""
    text = " ".join(text.split())
    if len(_PROSE.findall(text)) > 1:
        return _sentence(text)
    text = text.replace("Omega x Omega", "Omega times Omega")
    out, tokens, i = [], _TOKEN.findall(text), 0
    while i < len(tokens):
        token = tokens[i]
        if token == "sqrt" and tokens[i + 1 : i + 2] == ["("]:
            inner, i = _bracket(tokens, i + 1)
            out.append(rf"\sqrt{{{tex(inner)}}}")
        elif token in "^_" and i + 1 < len(tokens):
            sign = ""
            if tokens[i + 1] == "-":
                sign, i = "-", i + 1
            if tokens[i + 1] == "(":
                inner, i = _bracket(tokens, i + 1)
            else:
                inner, i = tokens[i + 1], i + 1
            out.append(f"{token}{{{sign}{tex(inner)}}}")
        elif token[0].isalpha() and token[0].isascii():
            out.append(_word(token) + " ")
        elif token == "<=":
            out.append(r"\le ")
        elif token == ">=":
            out.append(r"\ge ")
        elif token == "." and tokens[i + 1 : i + 2] == [" "]:
            out.append(r"\cdot ")
        elif token == "*":
            out.append(r"\,")
        elif token == "<":
            out.append(r"\langle " if "> =" in text or ">" in text else "<")
        elif token == ">":
            out.append(r"\rangle " if "<" in text else ">")
        elif token.isspace():
            out.append(r"\," if _between_factors(tokens, i) else " ")
        else:
            out.append(token)
        i += 1
    return re.sub(r" +(?=[',^_)}])", "", "".join(out)).strip()


def _sentence(text: str) -> str:
    """Words as words, symbols among them as symbols."""
    parts = []
    for word in text.split():
        plain = re.fullmatch(r"[A-Za-z]{2,}[,.]?", word) and word.rstrip(",.") not in WORDS
        parts.append(rf"\text{{{word} }}" if plain or word == "a" else tex(word) + r"\ ")
    return "".join(parts)


def _between_factors(tokens: list[str], i: int) -> bool:
    before, after = tokens[i - 1 : i], tokens[i + 1 : i + 2]
    ends = before and (before[0][-1].isalnum() or before[0] in ")|'")
    begins = after and (after[0][0].isalnum() or after[0] in "(|")
    return bool(ends and begins and before[0] not in FUNCTIONS)


def _bracket(tokens: list[str], i: int) -> tuple[str, int]:
    """What stands inside of the bracket that opens at i, and where it closes."""
    depth, inner = 0, []
    for j in range(i, len(tokens)):
        depth += (tokens[j] == "(") - (tokens[j] == ")")
        if depth == 0:
            return "".join(inner[1:]), j
        inner.append(tokens[j])
    raise ValueError(f"a bracket is not closed: {''.join(tokens)}")


def _formulas(line: str) -> list[str]:
    """A line of a block, at four blanks or at a comma that ends it."""
    return [x.strip() for x in re.split(r"\s{3,}", line.strip()) if x.strip()]


def display(block: str) -> str:
    """An indented block of a docstring as one displayed formula, a line for each."""
    lines = [x.strip() for x in block.splitlines()]
    goes_on = [False] + [not line.endswith(",") for line in lines]
    rows = []
    for line, more in zip(lines, goes_on):
        rows.append((r"\quad " if more else "") + r" \qquad ".join(map(tex, _formulas(line))))
    if len(rows) == 1:
        return f"$$\n{rows[0]}\n$$"
    body = " \\\\\n".join("&" + row for row in rows)
    return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$"
