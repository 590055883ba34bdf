"""Write the picture of the house into CONTRIBUTING.md, from the import contract.

    python docs/house.py                  (a test asserts that the page is up to date)
    python docs/house.py --counts [COMMIT]

The layers are those that `lint-imports` enforces (pyproject.toml); what each of them is, its own
docstring says. `--counts` prints lines and uses of `Any` by package, beside those of a commit, and
what there should be none of: files of the same name, joints known outside of their class, methods
that ask who compiles them.
"""

from __future__ import annotations

import ast
import collections
import io
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
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


Sources = dict[str, str]  # path below src/dalembert -> text


def sources_here() -> Sources:
    """The sources of the working tree."""
    top = ROOT / "src" / "dalembert"
    return {str(p.relative_to(top)): p.read_text() for p in sorted(top.rglob("*.py"))}


def sources_at(commit: str) -> Sources:
    """The sources of a commit."""
    call = ["git", "archive", commit, "src/dalembert"]
    packed = subprocess.run(call, cwd=ROOT, capture_output=True, check=True).stdout
    out = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member) if member.name.endswith(".py") else None
            if file is not None:
                out[member.name.removeprefix("src/dalembert/")] = file.read().decode()
    return out


def by_package(sources: Sources) -> dict[str, tuple[int, int]]:
    """Package -> (lines, uses of `Any`)."""
    out: dict[str, tuple[int, int]] = collections.defaultdict(lambda: (0, 0))
    for path, text in sources.items():
        package = path.partition("/")[0].removesuffix(".py") if "/" in path else "(modules)"
        lines, loose = out[package]
        out[package] = lines + text.count("\n"), loose + len(re.findall(r"\bAny\b", text))
    return dict(out)


def twice(sources: Sources) -> tuple[dict[str, int], dict[str, int]]:
    """Names of files and of public classes that occur more than once."""
    files = collections.Counter(Path(p).name for p in sources if not p.endswith("__init__.py"))
    classes = collections.Counter(
        name for text in sources.values() for name in re.findall(r"^class ([A-Z]\w*)", text, re.M)
    )
    files, classes = ({k: n for k, n in x.items() if n > 1} for x in (files, classes))
    return files, classes


def should_be_none(sources: Sources) -> Iterator[str]:
    """Places that the design rules out."""
    joints = "Revolute|Prismatic|Planar|Spherical|Free|Fixed"
    known = re.compile(rf"isinstance\([^)]*\b({joints})\b")
    for path, text in sources.items():
        for i, line in enumerate(text.split("\n"), 1):
            if known.search(line):
                yield f"{path}:{i}: a kind of joint is known outside of its class"
            if "tracing.active()" in line and re.match(r"methods/|linalg", path):
                yield f"{path}:{i}: a method asks who compiles it"


def counts(commit: str) -> str:
    """The table of `--counts`."""
    now, before = sources_here(), sources_at(commit)
    here, there = by_package(now), by_package(before)

    def shown(found: dict[str, tuple[int, int]], package: str) -> str:
        lines, loose = found.get(package, (0, 0))
        return f"{lines} | {1000 * loose / lines if lines else 0.0:.0f}"

    out = [
        f"| package | lines at {commit} | `Any` per 1000 | lines now | `Any` per 1000 | change |",
        "|---|---|---|---|---|---|",
    ]
    for package in sorted(here | there):
        change = here.get(package, (0, 0))[0] - there.get(package, (0, 0))[0]
        out.append(
            f"| {package} | {shown(there, package)} | {shown(here, package)} | {change:+d} |"
        )
    totals = [sum(lines for lines, _ in x.values()) for x in (there, here)]
    out.append(f"| all | {totals[0]} | | {totals[1]} | | {totals[1] - totals[0]:+d} |")
    names = ("files of the same name", "classes of the same name")
    for what, old, new in zip(names, twice(before), twice(now)):
        told = ", ".join(f"{k} x{n}" for k, n in sorted(new.items()))
        out.append(f"\n{what}: {len(new)} ({len(old)} at {commit}) {told}")
    wrong = list(should_be_none(now))
    out.append(f"\nshould be none: {len(wrong)}")
    return "\n".join([*out, *wrong])


if __name__ == "__main__":
    if "--counts" in sys.argv:
        print(counts((*sys.argv[sys.argv.index("--counts") + 1 :], "c9bae98")[0]))
        raise SystemExit
    for name in PAGES:
        page = ROOT / name
        page.write_text(updated(page.read_text()))
