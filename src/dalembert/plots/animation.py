"""Animations in a file: an HTML page, a film, a GIF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files import PathLike, check_writable

if TYPE_CHECKING:
    from ..results import Trajectory
    from ..system import System


def animate(
    system: System,
    traj: Trajectory,
    path: PathLike,
    *others: Trajectory | tuple[System, Trajectory],
    fps: float = 30.0,
    speed: float = 1.0,
    size: tuple[int, int] = (960, 540),
    theme: str = "light",
    **options: Any,
) -> Path:
    """Write an animation of a run to `.html`, `.mp4`, `.webm`, `.gif` or `.webp`.

    Returns the path. HTML needs no other program and has controls and curves. The films need a
    Chromium or Chrome; MP4 and WebM also need ffmpeg. `others` are drawn as ghosts; `labels`,
    `title`, `max_rows` as in `show`.
    """
    from ..viewer import SUFFIXES, show, write_film
    from ..viewer.film import check_tools

    suffix = check_writable(path, SUFFIXES).suffix.lower()
    if suffix != ".html":
        check_tools(suffix)
    view = show(system, traj, *others, open=False, **options)
    return write_film(view.scene, path, fps=fps, speed=speed, size=size, theme=theme)
