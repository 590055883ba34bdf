"""Measure the frames a second of pages of two versions in one browser, in turns.

    python docs/frames.py OLD_FOLDER NEW_FOLDER disk bicycle ...

Each folder has pages disk.html, bicycle.html, ..., saved by `da.show(system, traj).save(...)` with
that version (PYTHONPATH chooses it). Prints the medians of three turns of 3 s each. A pixel is read
after each frame, so that a frame is counted when it is drawn. Only ratios mean something.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from dalembert.viewer.browser import Browser

_COUNT = """new Promise((done) => {
  const gl = document.querySelector('.dv-gl').getContext('webgl2'), pixel = new Uint8Array(4);
  const begin = performance.now();
  let count = 0;
  dalembert.play(true);
  const frame = () => {
    count++;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const passed = performance.now() - begin;
    if (passed < 3000) requestAnimationFrame(frame); else done(1000 * count / passed);
  };
  requestAnimationFrame(frame);
})"""


def main(old: str, new: str, *names: str) -> None:
    with Browser(1280, 800) as browser:
        for name in names:
            found: dict[str, list[float]] = {old: [], new: []}
            for folder in (old, new) * 3:
                browser.size(1280, 800)
                browser.open("about:blank")
                page = Path(folder, f"{name}.html").absolute().as_uri()
                browser.open(f"{page}#play=1", "window.dalembert")
                browser.evaluate("new Promise((done) => setTimeout(done, 800))")
                found[folder].append(browser.evaluate(_COUNT))
            before, after = (statistics.median(found[x]) for x in (old, new))
            print(f"{name}: {before:.1f}, now {after:.1f} frames/s, ratio {after / before:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
