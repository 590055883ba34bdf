"""Write the picture of the house into CONTRIBUTING.md, from the import contract.

    python docs/house.py            (a test asserts that the page is up to date)

The layers are those that `lint-imports` enforces (pyproject.toml); what each of them is, its own
docstring says.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ("CONTRIBUTING.md",)
_BLOCK = re.compile(r"(<!-- house:[^>]*-->\n).*?(<!-- end of house -->)", re.DOTALL)


def contracts() -> dict[str, tuple[str, list[list[str]]]]:
    """Name of a contract -> (its package, its layers from top to bottom)."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return {
        c["name"]: (
            c["containers"][0],
            [[x.strip(" ()") for x in layer.split("|")] for layer in c["layers"]],
        )
        for c in linter["contracts"]
    }


def sentence(package: str, module: str) -> str:
    """The first sentence of a module's docstring."""
    path = ROOT / "src" / Path(*package.split(".")) / module
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text())) or ""
    first = text.partition("\n\n")[0].replace("\n", " ")
    return first.rstrip(".").replace("|", r"\|")


def picture() -> str:
    """Both contracts as markdown tables, top to bottom."""
    parts = []
    for name, (package, layers) in contracts().items():
        where = "src/dalembert/" if name == "house" else f"src/{package.replace('.', '/')}/"
        lines = [f"| {where} | |", "|---|---|"]
        for layer in layers:
            for module in layer:
                lines.append(f"| `{module}` | {sentence(package, module)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def updated(text: str) -> str:
    """The page with the picture of now."""
    return _BLOCK.sub(lambda m: m[1] + picture() + m[2], text)


if __name__ == "__main__":
    for name in PAGES:
        page = ROOT / name
        page.write_text(updated(page.read_text()))
