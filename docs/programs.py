"""Run the code that stands on the site: blocks of Python, examples of docstrings, command lines.

    python docs/programs.py                  all pages, in one process; `make docs` does this
    python docs/programs.py docstrings       the examples of docstrings, as the tests do
    python docs/programs.py cluster README   of these pages only
    python docs/programs.py --every-card     the line of each card of the gallery, each experiment

Cells (`{code-cell}`) are executed by Sphinx. Everything else is run here: the blocks of one page in
their order, in one namespace, in an empty folder; the examples of a docstring in a namespace that
has what `STAGE` has. What cannot be run stands in `NOT_RUN` with its reason, and is still compiled,
or read by the real command with all of its options.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import inspect
import io
import operator
import os
import re
import shlex
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import docstrings

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = ROOT / "src" / "dalembert"
REPRODUCED = "reproduced"  # pages that docs/reproduced.py writes
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:dalembert|make|python) [^`]+)`")

# What begins so is not run, for this reason. A word in capitals is a place to fill in.
NOT_RUN = {
    "pip install": "installs packages",
    "make ": "the targets are run by `make` itself",
    "dask ": "needs a cluster",
    "for i in": "needs four GPUs",
    "JAX_PLATFORMS=cpu dalembert ensemble": "needs a scheduler of Dask with workers",
    "dalembert demo": "half a minute; tests/test_demo.py runs it",
    "dalembert studio": "serves until it is stopped; tests/test_studio.py runs it",
    "dalembert reproduce --all": "minutes; docs/reproduced.py does this, and writes the verdicts",
    "dalembert reproduce mp-fig6 --full": "long, at the published size",
    "dalembert reproduce parasitic": "a quarter of a minute; tests/test_parasitic.py",
    "def turns_at(a):": "compiles for ten seconds; tests/test_traced_events.py has such gradients",
    '"""study.py': "needs a SLURM cluster",
    "def end(v):": "compiles for half a minute; tests/test_hybrid_flow.py has such gradients",
}

# What the examples of docstrings may use beside the names of their own module.
STAGE = """
import jax
import numpy as np
import jax.numpy as jnp
import dalembert
import dalembert as da
from dalembert import *
from dalembert import control, diagnostics, geometry, hybrid, parts, plots, scene, systems
system = sleigh = da.systems.ChaplyginSleigh()
q0, v0 = sleigh.initial()
q, v = q0, v0
times = np.linspace(0.0, 10.0, 5)
traj = da.simulate(sleigh, h=0.05, steps=20)
robot = da.systems.BalancingRobot()
def controller(t, q, v):  # keeps it upright
    return np.full(2, 0.1 * q[4:].mean() + 7.3 * q[3] + 0.2 * v[4:].mean() + 1.3 * v[3])
motion = da.simulate(robot, h=0.01, t=1.0, u=da.Sampled(controller))
stepper = da.Stepper(robot, h=0.01)
inputs = np.zeros((20, 2))
class Falling(da.MechanicalSystem):
    space, mass = da.Euclidean(2), np.eye(2)
    def potential(self, q):
        return 9.81 * q[1]
modes = hybrid.Modes({"air": Falling()}, hybrid.bounce("air", lambda q: q[1], restitution=0.8))
"""


# what `robot.xml` is in them: a cart on one wheel, which MuJoCo reads
MJCF = """<mujoco model="cart"><worldbody><body name="base" pos="0 0 0.1">
  <joint name="x" type="slide" axis="1 0 0"/><geom type="box" size="0.2 0.1 0.05" mass="2"/>
  <body name="left_wheel"><joint name="left" axis="0 1 0"/>
    <geom type="cylinder" size="0.1 0.02" zaxis="0 1 0" mass="0.5"/></body></body></worldbody>
</mujoco>"""


class Piece(NamedTuple):
    """Something to run: its place, its kind, its text."""

    place: str
    kind: str
    text: str


# -- what there is -------------------------------------------------------------------------------


def pages() -> list[Path]:
    """Everything that is written by hand and shown; what is made when the site is built is not."""
    made = {"tutorials", "gallery", REPRODUCED}
    found = [p for p in sorted(HERE.rglob("*.md")) if p.relative_to(HERE).parts[0] not in made]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *found]


def of_experiments() -> list[Piece]:
    """The lines that run the experiments; docs/reproduced.py runs them and writes those pages."""
    return [x for page in sorted((HERE / REPRODUCED).glob("*.md")) for x in of_page(page)]


def of_page(page: Path) -> list[Piece]:
    """The blocks of a page, in their order; command lines one by one."""
    text, found = page.read_text(), []
    name = str(page.relative_to(ROOT))
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 2
        if match[1] == "python":
            found.append(Piece(f"{name}:{line}", "python", match[2]))
            continue
        joined = re.sub(r"\\\n|\n> ", " ", match[2])
        for command in re.findall(r"^\$ (.+)$", joined, re.MULTILINE):
            bare = re.sub(r"(^|\s)#.*", "", command).strip()
            found.append(Piece(f"{name}:{line}", "console", bare))
    return found


def of_docstrings() -> dict[str, list[Piece]]:
    """Examples in docstrings by module: indented blocks that are programs."""
    found: dict[str, list[Piece]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        where = path.relative_to(ROOT)
        module = ".".join(where.relative_to("src").with_suffix("").parts).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                continue
            shown = docstrings.to_rst((ast.get_docstring(node) or "").splitlines())
            block = "\n".join(shown) + "\n"
            for code in re.findall(r"^\.\. code-block:: python\n\n((?:    .*\n|\n)+)", block, re.M):
                text = "\n".join(line[4:] for line in code.splitlines())
                place = f"{where}: {getattr(node, 'name', 'module')}"
                found.setdefault(module, []).append(Piece(place, "python", text))
    return found


def of_cards() -> list[Piece]:
    """The lines of the gallery that run a system."""
    import written

    import dalembert as da

    found = []
    for name in da.systems.registry:
        lines = re.findall(r"^\$ (dalembert run .+)$", written.card(name), re.MULTILINE)
        found += [Piece(f"gallery/{name}", "console", line) for line in lines]
    return found


def inline(page: Path) -> list[Piece]:
    """Commands in running text."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    name = str(page.relative_to(ROOT))
    return [Piece(name, "inline", " ".join(x.split())) for x in INLINE.findall(text)]


def reason(text: str) -> str | None:
    """Why this is not run; None if it is."""
    return next((why for begins, why in NOT_RUN.items() if text.startswith(begins)), None)


# -- running it ----------------------------------------------------------------------------------


@contextlib.contextmanager
def empty_folder() -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="dalembert-") as folder, contextlib.chdir(folder):
        yield


def namespace(name: str, **names: Any) -> dict[str, Any]:
    """That of a new module; classes ask for the module that they were written in."""
    made = sys.modules[name] = types.ModuleType(name)
    vars(made).update(names)
    return vars(made)


def run_python(piece: Piece, names: dict[str, Any]) -> None:
    """A block, in the namespace of those before it."""
    code = compile(piece.text, piece.place, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if reason(piece.text) is None:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
        return
    import dalembert

    for node in ast.walk(ast.parse(piece.text)):  # names and arguments are there at least
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("da."):
            path = ast.unparse(node.func)[3:]
            if "(" in path:  # a method of what a call returns
                continue
            function = operator.attrgetter(path)(dalembert)
            given = {x.arg: None for x in node.keywords if x.arg}
            inspect.signature(function).bind_partial(*node.args, **given)


def run_console(piece: Piece, really: bool = True) -> None:
    """A line of the command; what is not run is read with all of its options."""
    words = shlex.split(piece.text)
    while words and re.match(r"\w+=", words[0]):
        words.pop(0)
    if words[0] != "dalembert":
        if reason(piece.text) is None:
            raise SystemExit(f"no rule for running `{piece.text}`: docs/programs.py")
        return
    understood(words[1:])
    if reason(piece.text) is not None or not really:
        return
    from dalembert.cli import main

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(words[1:])
    if code:
        raise SystemExit(f"exit code {code}: {said.getvalue().strip()[-500:]}")


def understood(words: list[str]) -> None:
    """Read a line as the real command does, without running it: names, options, their types."""
    import typer.main
    from click import Context

    from dalembert.cli.commands import app  # which registers all commands

    group = typer.main.get_command(app)
    name, command, rest = group.resolve_command(Context(group, info_name="dalembert"), words)
    filled = [re.sub(r"^[A-Z][A-Z_]+$", "1", x) if old.startswith("--") else x
              for old, x in zip(["", *rest], rest)]  # fmt: skip
    context = command.make_context(name, filled, resilient_parsing=False)
    known_names(name, context.params)


def known_names(command: str, given: dict[str, Any]) -> None:
    """Systems, methods and experiments of a line exist."""
    import dalembert as da
    from dalembert import reproduce
    from dalembert.cli import reading

    system, method = given.get("system"), given.get("method")
    own = isinstance(system, str) and (":" in system or system.isupper())
    wanted = command in ("run", "compare", "analyze", "control", "ensemble", "systems")
    if wanted and system and not own and system not in da.systems.registry:
        raise SystemExit(f"no system {system}")
    if isinstance(method, str) and ":" not in method:
        reading.find_method(method)
    if command == "reproduce":
        names = given.get("names") or ()
        if unknown := [x for x in names if x not in reproduce.by_name() and not x.isupper()]:
            raise SystemExit(f"no experiment {unknown}")


def check_inline(piece: Piece) -> None:
    """A command in running text: the program is there, and understands its options."""
    text = re.sub(r"\s*(\.\.\.|…).*", "", piece.text)  # what comes then is left to the reader
    words = shlex.split(text.replace("[", "").replace("]", ""))
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        if not {x for x in words[1:] if "=" not in x} <= set(targets):
            raise SystemExit(f"no such target: {text}")
    elif words[0] == "python":
        script = ROOT / (words[2].replace(".", "/") + ".py" if words[1] == "-m" else words[1])
        if words[1] != "-m" or words[2] not in ("dalembert", "pytest"):
            if not script.exists() and not words[1].isidentifier():
                raise SystemExit(f"no such program: {text}")
            options = [x.partition("=")[0] for x in words[2:] if x.startswith("--")]
            if missing := [x for x in options if x not in script.read_text()]:
                raise SystemExit(f"{script.name} does not know {missing}")
    elif len(words) > 1 and "|" not in words and not words[1].startswith("-"):
        if len(words) == 2:  # a command by its name alone
            import dalembert.cli

            with contextlib.redirect_stdout(io.StringIO()):
                code = dalembert.cli.main([words[1], "--help"])
            if code:
                raise SystemExit(f"no such command: {text}")
            return
        understood(words[1:])


# -- all of it -----------------------------------------------------------------------------------


class Ran:
    """What was run, what was not, and what failed."""

    def __init__(self, verbose: bool = False) -> None:
        self.done, self.left, self.failed, self.verbose = 0, [], [], verbose

    def __call__(self, piece: Piece, work, *args) -> None:
        begin = time.process_time()
        try:
            work(piece, *args)
        except (Exception, SystemExit) as error:
            if not isinstance(error, SystemExit):
                traceback.print_exc()
            self.failed.append(f"{piece.place}: {piece.text.strip()[:100]!r}: {error}")
        if piece.kind != "inline" and reason(piece.text) is not None:
            self.left.append(f"{piece.text.splitlines()[0][:70]}: {reason(piece.text)}")
        else:
            self.done += 1
        if self.verbose:
            print(f"{time.process_time() - begin:6.1f} s  {piece.place} {piece.text[:60]!r}")


def run_pages(chosen: list[Path], ran: Ran) -> None:
    for page in chosen:
        names = namespace(f"page_{page.stem}")
        with empty_folder():
            for piece in of_page(page):
                if piece.kind == "python":
                    ran(piece, run_python, names)
                else:
                    ran(piece, run_console)
        for piece in inline(page):
            ran(piece, check_inline)


def run_docstrings(ran: Ran, without: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> None:
    stage = namespace("stage")
    exec(STAGE, stage)
    stage = {k: v for k, v in stage.items() if k[0] != "_"}
    robot = (ROOT / "examples" / "wheeled_robot.urdf").read_text()
    with empty_folder():
        Path("robot.urdf").write_text(robot)
        Path("robot.xml").write_text(MJCF)
        for module, pieces in of_docstrings().items():
            chosen = module in only if only else module not in without
            for piece in pieces if chosen else ():
                own = vars(importlib.import_module(module)).items()
                names = {**{k: v for k, v in own if k[0] != "_"}, **stage}
                ran(piece, run_python, namespace("example", **names))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "pages", nargs="*", help="cluster, README, docstrings, ...; all pages if none"
    )
    parser.add_argument("--every-card", action="store_true", help="run each card of the gallery")
    parser.add_argument("--verbose", action="store_true", help="each piece, with its CPU seconds")
    ask = parser.parse_args()
    os.environ.pop("DISPLAY", None)  # nothing is opened in a browser
    # As in conf.py: 49 s of CPU in place of 63 s.
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")
    ran = Ran(ask.verbose)
    chosen = [p for p in pages() if not ask.pages or p.stem in ask.pages or p.name in ask.pages]
    run_pages(chosen, ran)
    if "docstrings" in ask.pages:
        run_docstrings(ran)
    if ask.every_card or not ask.pages:
        with empty_folder():
            for piece in (*of_cards(), *of_experiments()):
                ran(piece, run_console if ask.every_card else lambda x: understood(
                    shlex.split(x.text)[1:]))  # fmt: skip
    for text in ran.left:
        print(f"not run: {text}")
    for text in ran.failed:
        print(text, file=sys.stderr)
    print(f"{ran.done} pieces of code, {len(ran.left)} not run, {len(ran.failed)} problems")
    return 1 if ran.failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    raise SystemExit(main())
