"""Pages of the site that are made from sources when it is built: nothing is written twice.

tutorials/*.md          from the scripts of examples/tutorials
gallery/*.md            a card for every system of the registry
experiments.inc         every experiment, its source and title

    python docs/written.py docs       writes them; conf.py does this
"""

from __future__ import annotations

import html
import inspect
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(1, str(ROOT / "src"))

import formula  # noqa: E402
import live  # noqa: E402
import stills  # noqa: E402

import dalembert as da  # noqa: E402
from dalembert import reproduce  # noqa: E402
from dalembert.cli.showing import constraint_kind, energy_conserved, space_name  # noqa: E402

TUTORIALS = ROOT / "examples" / "tutorials"
MADE = ("tutorials", "gallery")
SUBSCRIPTS = str.maketrans(
    "0123456789", "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"
)

# -- tutorials -----------------------------------------------------------------------------------

HEADER = """---
file_format: mystnb
kernelspec:
  name: python3
---
"""


def cells(script: str) -> list[tuple[str, str]]:
    """A script in the percent format, as (kind, text): `# %%` begins code or `[markdown]`."""
    found = []
    for part in re.split(r"^# %%", script, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            text = "\n".join(re.sub(r"^# ?", "", line) for line in body.strip().splitlines())
            found.append(("markdown", text))
        elif body.strip():
            found.append(("code", body.strip()))
    return found


def notebook(script: Path) -> str:
    """The page of a tutorial; Sphinx executes it."""
    parts = [HEADER]
    for kind, text in cells(script.read_text()):
        parts.append(text if kind == "markdown" else f"```{{code-cell}} ipython3\n{text}\n```")
    where = script.relative_to(ROOT)
    parts.append(f"*The same as a script: `python {where}`.*")
    return "\n\n".join(parts) + "\n"


def title(page: str) -> str:
    """The first heading of a page."""
    return re.search(r"^# (.+)$", page, re.MULTILINE)[1]


def tutorials(folder: Path) -> None:
    """All of them, and a list in their order."""
    scripts = sorted(TUTORIALS.glob("[0-9]*.py"))
    lines = [
        "# Tutorials\n",
        "Each of these is a script of `examples/tutorials`, executed when this site was built:",
        "what stands under a block of code is what it printed. They run in seconds on one core.\n",
        "```{toctree}",
        ":maxdepth: 1",
        *(script.stem for script in scripts),
        "```",
    ]
    put(folder / "index.md", "\n".join(lines) + "\n")
    for script in scripts:
        put(folder / f"{script.stem}.md", notebook(script))


# -- the gallery ---------------------------------------------------------------------------------


_GREEK = "alpha beta gamma delta epsilon theta kappa lambda mu omega Omega phi Phi psi Psi rho"
_LETTERS = dict(zip(_GREEK.split(), "αβγδεθκλμωΩφΦψΨρ"))
_LETTER = re.compile(
    rf"(?<![`\w.])({'|'.join(_LETTERS)})([0-9]?)(?!\w)(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)"
)


def lettered(text: str) -> str:
    """Running text with Greek letters in place of their names; `code` stays."""
    return _LETTER.sub(lambda m: _LETTERS[m[1]] + m[2].translate(SUBSCRIPTS), text)


def text_of(doc: str) -> str:
    """A docstring as Markdown: its indented blocks are formulas."""
    parts = re.split(r"\n\n", doc)
    out = []
    for part in parts:
        if part.startswith("    "):
            out.append(formula.display(part))
        else:
            out.append(re.sub(r"(?<![`\\])([*_<|])(?![^`]*`[^`]*$)", r"\\\1", lettered(part)))
    return "\n\n".join(out)


def table(heads: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(str(x).replace("|", r"\|") for x in row) + " |" for row in rows]
    return "\n".join(lines)


def value(number: object) -> str:
    return f"{number:g}" if isinstance(number, float) else f"`{number}`"


# Operations of the equations that are shown: more of them fill a page, and take SymPy a minute.
_SHOWN = 400


def equations(system: da.System) -> list[str]:
    """The constraint and the equations of motion, as `da.formulas` has them; none of large ones."""
    found = da.formulas(system)
    if found.operations > _SHOWN:
        return []
    linear = system.is_constrained and not system.is_nonlinear  # else there is no A(q) to show
    shown = [found.constraint, found.equations] if linear else [found.equations]
    blocks = [f"$$\n{x.latex()}\n$$" for x in shown if not x.parts]
    return ["## Equations of motion\n", *blocks] if blocks else []


def card(name: str) -> str:
    """The page of one system."""
    cls = da.systems.registry[name]
    system = cls()
    doc = inspect.getdoc(cls) or ""
    h, t = stills.length(name)
    parts = [f"# {spoken(name)}"]
    says = doc.partition("\n")[0]
    picture = f"../_static/zoo/{name}.webp" if stills.picture(name).exists() else ""
    if (live.FOLDER / f"{name}.js").exists():
        parts.append(live.place(name, picture, says))
        parts.append("*Drag to rotate; space plays, click on a curve to go to that time.*")
    elif picture:
        parts.append(
            f'<img class="moving" src="{picture}" loading="lazy" alt="{html.escape(says)}">'
        )
    parts.append(text_of(doc))
    parts.append(
        "```console\n"
        f"$ dalembert run {name} --h {h:g} --t {t:g} --out {name}.nc\n"
        f"$ dalembert view {name}.nc\n```"
    )
    rows = [
        (f"`{key}`", value(default), unit or "", meaning)
        for key, default, unit, meaning in cls.parameter_table()
    ]
    parts.append("## Parameters\n")
    parts.append(
        table(("parameter", "default", "unit", "meaning"), rows) if rows else "It has none."
    )
    known = ", ".join(f"`{x}`" for x in system.invariants) or "none is known in closed form"
    facts = [
        ("in Python", f"`da.systems.{cls.__name__}()`"),
        ("space", space_name(system)),
        ("dimension", system.dim),
        ("coordinates", ", ".join(f"`{x}`" for x in system.coordinate_labels)),
        ("velocities", ", ".join(f"`{x}`" for x in system.velocity_labels)),
        ("constraint", constraint_kind(system)),
        ("its rows", ", ".join(f"`{x}`" for x in system.constraint_labels) or "none"),
        (
            "energy kept by the exact motion",
            {True: "yes", False: "no", None: "open"}[energy_conserved(system)],
        ),
        ("invariants", known),
        ("closed form", "yes" if hasattr(cls, "closed_form") else "no"),
        ("source", re.sub(r"([*_<|])", r"\\\1", cls.reference)),
    ]
    if system.has_inputs:
        facts.append(("inputs", ", ".join(f"`{x}`" for x in system.input_labels)))
    parts += equations(system)
    parts.append("## What is known\n")
    parts.append(table(("", ""), facts))
    parts.append(
        f"All about it in a terminal: `dalembert systems {name}`. Its geometry:"
        f" `dalembert analyze {name}`, with `--formulas` its equations. Sources by key:"
        " [notation](../notation.md#sources)."
    )
    return "\n\n".join(parts) + "\n"


# Sections of the gallery: modules of systems, or single systems, by what people know.
OTHERS = "Textbook particles and oscillators"
KNOWN_AS = {
    "Wheels and vehicles": {"bicycles", "machines", "vehicles", "disks", "joined-disks"},
    "Boards and sleighs": {"snakeboards", "sleighs"},
    "Balls, tops and rolling bodies": {
        "balls",
        "rolling",
        "rolling-sphere",
        "landed-ball",
        "rigid_bodies",
    },
    "Robots": {"robots", "controlled"},
    OTHERS: set(),
}


def spoken(name: str) -> str:
    """A system's name for people: "whipple-bicycle" is a Whipple bicycle."""
    text = name.replace("-", " ")
    for proper in ("chaplygin", "suslov", "routh", "benenti", "whipple", "euler"):
        text = text.replace(proper, proper.capitalize())
    return text[0].upper() + text[1:]


def gallery(folder: Path) -> None:
    """Cards by families, and a page for each system."""
    families: dict[str, list[str]] = {heading: [] for heading in KNOWN_AS}
    for name, cls in da.systems.registry.items():
        module = cls.__module__.rpartition(".")[2]
        families[next((k for k, v in KNOWN_AS.items() if {module, name} & v), OTHERS)].append(name)
    parts = [
        "# Gallery",
        f"All {len(da.systems.registry)} systems of the library. Each has a page on which it moves,"
        " with its equations, parameters, invariants, source, and the line that runs it. The"
        " pictures are made by `python docs/stills.py`, with default data and the default method.",
    ]
    for heading, names in families.items():
        parts.append(f"## {heading}")
        cards = []
        for name in names:
            says = (inspect.getdoc(da.systems.registry[name]) or "").partition("\n")[0]
            picture = ""
            if stills.picture(name).exists():
                picture = f'<img src="../_static/zoo/{name}.webp" loading="lazy" alt="">'
            words = f"<b>{spoken(name)}</b>{html.escape(lettered(says))}"
            cards.append(f'<a href="{name}.html">{picture}<span>{words}</span></a>')
        parts.append('<div class="cards">\n' + "\n".join(cards) + "\n</div>")
    names = "\n".join(name for family in families.values() for name in family)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```")
    put(folder / "index.md", "\n\n".join(parts) + "\n")
    for name in da.systems.registry:
        put(folder / f"{name}.md", card(name))


# -- reproductions -------------------------------------------------------------------------------


def experiments() -> str:
    """Every experiment, as a table."""
    rows = [
        (f"`{name}`", re.sub(r"([*_<|])", r"\\\1", found.source), found.title)
        for name, found in reproduce.by_name().items()
    ]
    return table(("experiment", "source", "what it is about"), rows)


# -- all of it -----------------------------------------------------------------------------------


def put(path: Path, text: str) -> None:
    """Write a page if it is another one, so that Sphinx reads only what changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write(folder: Path) -> None:
    """All pages that are made."""
    for name in MADE:
        wanted = {p.stem for p in TUTORIALS.glob("[0-9]*.py")} | set(da.systems.registry)
        for page in (folder / name).glob("*.md"):
            if page.stem not in wanted | {"index"}:
                page.unlink()
    tutorials(folder / "tutorials")
    gallery(folder / "gallery")
    put(folder / "experiments.inc", experiments() + "\n")


def remove(folder: Path) -> None:
    """Put the folder back as it is in the repository."""
    for name in MADE:
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "experiments.inc").unlink(missing_ok=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
