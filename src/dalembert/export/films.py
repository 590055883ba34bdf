"""Films of runs without a browser: bodies are drawn as polygons, and ffmpeg or Pillow encodes."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator

import jax
import numpy as np

from ..envs.drawing import Camera
from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from ..results import Trajectory
from ..system import System
from ..viewer.film import check_encoder, checked_size, count_frames, encode
from .logs import check_trajectory, system_of

SUFFIXES = (".mp4", ".webm", ".gif", ".webp")


def film(
    traj: Trajectory,
    path: PathLike,
    system: System | None = None,
    *,
    fps: float = 30.0,
    speed: float = 1.0,
    size: tuple[int, int] = (960, 540),
) -> int:
    """Write a film of a run to .mp4, .webm, .gif or .webp, without a browser.

        da.export.film(traj, "run.gif")

    Returns the number of frames. MP4 and WebM need ffmpeg on the PATH; GIF and WebP do not. The
    pictures are plain: polygons seen from behind and above, as `render()` of the environments draws
    them. (`da.plots.animate` films the page of `da.show` through a browser.) A film with `speed=2`
    plays twice as fast as the motion.
    """
    check_trajectory(traj)
    target = check_writable(path, SUFFIXES)
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError('films need matplotlib: pip install "dalembert[plots]"')
    check_encoder(target.suffix.lower())
    size = checked_size(fps, speed, size)
    made = system_of(traj, system)
    if made is None:
        raise UsageError(
            f"to draw the bodies of {traj.meta.system or 'this run'} its system is needed",
            advice="give its system: da.export.film(traj, path, system)",
        )
    t = np.asarray(traj.t)
    count = count_frames(float(t[-1] - t[0]), fps, speed)
    times = np.minimum(t[0] + np.arange(count) * speed / fps, t[-1])
    after = np.clip(np.searchsorted(t, times), 0, len(t) - 1)
    before = np.maximum(after - 1, 0)
    rows = np.where(times - t[before] < t[after] - times, before, after)  # the nearest row
    camera, parts = Camera(made, size), (traj.t, traj.q, traj.v, traj.multiplier, traj.frame)

    def frames() -> Iterator[bytes]:
        from PIL import Image

        for k in rows:
            row = jax.tree.map(lambda x, k=k: np.asarray(x)[k : k + 1], parts)
            content = io.BytesIO()
            Image.fromarray(camera.drawn(row)).save(content, format="PNG")
            yield content.getvalue()

    with replacing(target) as temporary:
        encode(frames(), temporary, fps)
    return count
