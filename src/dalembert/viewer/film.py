"""Film the page of a run, frame by frame, in a headless browser: MP4, WebM, GIF, WebP."""

from __future__ import annotations

import base64
import importlib.util
import io
import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from .page import page

SUFFIXES = (".html", ".mp4", ".webm", ".gif", ".webp")
_IMAGES = (".gif", ".webp")  # encoded by Pillow
_MOST_FRAMES = 3000
_CODECS = {
    ".mp4": ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"],
    ".webm": ["-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "32"],
}


def write_film(
    scene: dict[str, Any],
    path: PathLike,
    *,
    fps: float = 30.0,
    speed: float = 1.0,
    size: tuple[int, int] = (960, 540),
    theme: str = "light",
) -> Path:
    """Write a film of the page from start to end, at `speed` times the true speed."""
    target = check_writable(path, SUFFIXES)
    suffix = target.suffix.lower()
    if suffix == ".html":
        with replacing(target) as partial:
            partial.write_text(page(scene), encoding="utf-8")
        return target
    if theme not in ("light", "dark"):
        raise UsageError(f"theme must be 'light' or 'dark', got {theme!r}")
    width, height = checked_size(fps, speed, size)
    check_tools(suffix)
    with replacing(target) as partial:
        encode(_frames(scene, fps, speed, width, height, theme), partial, fps)
    return target


def checked_size(fps: float, speed: float, size: tuple[int, int]) -> tuple[int, int]:
    """Return a width and height that film encoders accept; raise for impossible values."""
    if not (math.isfinite(fps) and 0 < fps <= 120 and math.isfinite(speed) and speed > 0):
        raise UsageError(f"fps must lie in 0 to 120 and speed be positive, got {fps}, {speed}")
    if min(size) < 16 or max(size) > 4096:
        raise UsageError(f"the size must lie between 16 and 4096 pixels, got {size}")
    # Even numbers, because yuv420p stores one color for 2 x 2 pixels.
    return 2 * (int(size[0]) // 2), 2 * (int(size[1]) // 2)


def count_frames(lasts: float, fps: float, speed: float) -> int:
    """Return the number of frames of a run of `lasts` seconds; raise if there are too many."""
    count = max(1, math.ceil(lasts / speed * fps)) + 1
    if count > _MOST_FRAMES:
        raise UsageError(
            f"{count} frames are too many (at most {_MOST_FRAMES}): raise speed, now "
            f"{speed:g}, or show a part of the run, traj[:1000]"
        )
    return count


def encode(frames: Iterator[bytes], path: Path, fps: float) -> None:
    """Encode frames, each a PNG, as a film; the suffix of the path gives the format."""
    suffix = path.suffix.lower()
    if suffix in _IMAGES:
        _image(frames, path, fps, suffix)
    else:
        _encoded(frames, path, fps, _CODECS[suffix])


def check_tools(suffix: str) -> None:
    """Raise, before anything is computed, if this machine cannot make such a film."""
    instead = "; write .html instead: it moves in every browser and needs nothing"
    try:
        from .browser import find_browser
    except ImportError:  # Windows lacks the pipes by which `Browser` is controlled
        raise UsageError(f"films are not made on this platform{instead}") from None
    if find_browser() is None:
        raise UsageError(
            f"a film needs Chromium or Chrome on the PATH{instead}; for a film without a browser "
            "use da.export.film"
        )
    check_encoder(suffix, instead)


def check_encoder(suffix: str, instead: str = "") -> None:
    """Raise if there is no encoder for this format."""
    if suffix in _IMAGES and importlib.util.find_spec("PIL") is None:
        raise UsageError(f'{suffix} needs Pillow: pip install "dalembert[plots]"')
    if suffix in _CODECS and shutil.which("ffmpeg") is None:
        raise UsageError(f"{suffix} needs ffmpeg on the PATH; .gif does not{instead}")


def _frames(
    scene: dict[str, Any], fps: float, speed: float, width: int, height: int, theme: str
) -> Iterator[bytes]:
    """Yield PNGs of the picture alone (no curves), evenly spaced in time."""
    from .browser import Browser

    with tempfile.TemporaryDirectory() as folder, Browser(width, height) as browser:
        file = Path(folder) / "film.html"
        file.write_text(page(scene), encoding="utf-8")
        browser.open(f"{file.as_uri()}#film=1&play=0&theme={theme}", "window.dalembert")
        browser.until(f"document.querySelector('.dv-gl').width === {width}")
        state = browser.evaluate("dalembert.state()")
        if not state["webgl"]:
            raise UsageError("the browser has no WebGL here, so there is nothing to film")
        lasts = state["end"] - state["begin"]
        for k in range(count_frames(lasts, fps, speed)):
            at = state["begin"] + min(k * speed / fps, lasts)
            url = browser.evaluate(f"dalembert.seek({at!r}), dalembert.picture()")
            yield base64.b64decode(url.partition(",")[2])


def _image(frames: Iterator[bytes], path: Path, fps: float, suffix: str) -> None:
    from PIL import Image

    first, *rest = (_reduced(Image.open(io.BytesIO(x)), suffix) for x in frames)
    duration = max(20, round(100 / fps) * 10)  # browsers slow down shorter frames
    how = {"format": "GIF"} if suffix == ".gif" else {"format": "WEBP", "quality": 50, "method": 6}
    first.save(path, save_all=True, append_images=rest, duration=duration, loop=0, **how)


def _reduced(image: Any, suffix: str) -> Any:
    from PIL import Image

    if suffix == ".gif":
        return image.convert("P", palette=Image.Palette.ADAPTIVE)
    return image.convert("RGB")


def _encoded(frames: Iterator[bytes], path: Path, fps: float, codec: list[str]) -> None:
    command = ["ffmpeg", "-v", "error", "-y", "-f", "image2pipe", "-c:v", "png", "-r", f"{fps:g}",
               "-i", "-", *codec, str(path)]  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    try:
        for frame in frames:
            process.stdin.write(frame)
    except BrokenPipeError:
        pass  # the error is reported below
    finally:
        _, said = process.communicate()
    if process.returncode:
        raise UsageError(f"ffmpeg failed: {said.decode(errors='replace').strip()[-400:]}")
