"""`da.show`: show a run in a notebook, in the browser, or save it to a file."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from ..results import Ensemble, HybridTrajectory, Trajectory
from ..system import System
from .encode import MOST_ROWS, Run, encode
from .page import frame, page
from .phases import drawn


class View:
    """A page with a moving picture; a notebook displays it as the value of a cell."""

    def __init__(self, scene: dict[str, Any], height: int = 520) -> None:
        self.scene, self.height = scene, height

    def html(self) -> str:
        """Return the complete page."""
        return page(self.scene)

    def save(self, path: PathLike) -> Path:
        """Write the page to a file, atomically."""
        target = check_writable(path, (".html", ".htm"))
        with replacing(target) as partial:
            partial.write_text(self.html(), encoding="utf-8")
        return target

    def open(self) -> Path:
        """Open the page in the browser; returns the file it was written to."""
        return open_page(self.html(), self.scene["name"])

    def _repr_html_(self) -> str:
        return frame(self.html(), self.height)

    def __repr__(self) -> str:
        rows = max(run["rows"] for run in self.scene["runs"])
        return f"<View of {self.scene['title']}: {len(self.scene['runs'])} runs of {rows} rows>"


def show(
    system: System | Any,
    traj: Trajectory | HybridTrajectory,
    *others: Trajectory | tuple[System, Trajectory],
    labels: Sequence[str] = (),
    title: str = "",
    height: int = 520,
    max_rows: int = MOST_ROWS,
    play: bool = True,
    open: bool | None = None,
) -> View:
    """Show a run; `others` (of the same system, or given with theirs) are ghosts beside it.

    In a notebook the view appears in the page, and remains when the notebook is exported. In a
    script the view is opened in the browser, unless `open=False`. Show a hybrid run by
    `show(modes, run)`: a band over the curves shows its modes, and contacts with friction are
    colored while they slide or are open. The scene is that of the mode with the fewest constraints.
    """
    phases = None
    if isinstance(traj, HybridTrajectory):
        title = title or traj.meta.system
        system, traj, phases = drawn(system, traj)
    runs = [(system, traj), *(x if isinstance(x, tuple) else (system, x) for x in others)]
    for _, each in runs:
        if isinstance(each, Ensemble):
            raise UsageError("show takes single runs: choose one of the ensemble, many[7]")
        if not isinstance(each, Trajectory):
            raise UsageError(f"show needs trajectories, got {type(each).__name__}")
    if len(labels) > len(runs):
        raise UsageError(f"{len(labels)} labels for {len(runs)} runs")
    names = [*labels, *[""] * (len(runs) - len(labels))]
    made = [
        Run(s, x, name, None if k else phases) for k, ((s, x), name) in enumerate(zip(runs, names))
    ]
    view = View(encode(made, title=title, max_rows=max_rows, play=play), height)
    if open or (open is None and not _in_notebook()):
        view.open()
    return view


def open_page(text: str, name: str) -> Path:
    """Write a page to a temporary file and open it; print its path if there is no browser."""
    folder = Path(tempfile.mkdtemp(prefix="dalembert-"))
    path = folder / f"{name}.html"
    path.write_text(text, encoding="utf-8")
    if open_address(path.as_uri()):
        print(f"opened in the browser: {path}", file=sys.stderr)
    else:
        print(f"no browser was found here; the page is {path}", file=sys.stderr)
    return path


def open_address(address: str) -> bool:
    """Open an address in the user's browser; return False if there is no graphical one."""
    windows = sys.platform in ("win32", "darwin") or any(
        os.environ.get(x) for x in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    # Without a display, Python would start a browser in the terminal and wait for it.
    try:
        return windows and webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and shell.get_ipython() is not None
