"""Make the pictures of the gallery, and the README's moving one.

    python docs/stills.py                     all systems: a live scene and a still picture each
    python docs/stills.py snakeboard suslov   these
    python docs/stills.py --scenes            the scenes only; needs no Chromium
    python docs/stills.py readme              the README's film

Scenes (docs/_static/scenes) are what the live views of the site show. Stills (docs/_static/zoo,
some 10 kB each) are on the cards of the gallery, and in the place of a view until it is loaded.
Both are committed, so that the site can be built without a browser.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

import live
from PIL import Image

import dalembert as da
from dalembert.viewer.browser import Browser
from dalembert.viewer.page import page

FOLDER = Path(__file__).resolve().parent / "_static" / "zoo"
README = FOLDER.parent / "bicycle.webp"
SIZE, SHARP = (560, 350), 1.5  # points of a card at twice its width on the site; pixels of a point
MOMENT = 0.35  # of the run: late enough to see a trace
MOMENTS = {"rolling-disk": 0.15, "rattleback": 0.5}  # others are seen edge-on then

# name -> (step, length in s); what is not named takes the first one
USUAL = (0.02, 10.0)
LENGTH = {
    "benenti": (0.01, 6.0),
    "balancing-robot": (0.005, 1.2),
    "chaotic-quartic": (0.02, 20.0),
    "chaplygin-ball": (0.01, 20.0),
    "chaplygin-ball-exponential": (0.01, 20.0),
    "contact-oscillator": (0.02, 12.0),
    "particle-across-cone": (0.005, 2.0),
    "particle-with-fading-constraint": (0.01, 3.0),
    "perturbed-contact-oscillator": (0.02, 12.0),
    "rattleback": (0.002, 4.0),
    "rolling-disk": (0.01, 6.0),
    "rolling-ellipsoid": (0.005, 5.0),
    "routh-sphere": (0.005, 5.0),
    "sphere-in-cylinder": (0.005, 5.0),
    "sphere-on-sphere": (0.005, 3.0),
    "unicycle-with-rider": (0.005, 2.0),
    "whipple-bicycle": (0.01, 5.0),
}


def length(name: str) -> tuple[float, float]:
    """(step, time of the end) with which a system is shown."""
    return LENGTH.get(name, USUAL)


def picture(name: str) -> Path:
    """Where its picture lies, or should."""
    return FOLDER / f"{name}.webp"


def scene(name: str) -> dict[str, Any]:
    """Write the live view of a system, and return it."""
    system = da.systems.registry[name]()
    h, t = length(name)
    view = da.show(system, da.simulate(system, h=h, t=t), open=False, max_rows=live.ROWS)
    path = live.FOLDER / f"{name}.js"
    path.write_text(live.script(name, view.scene))
    print(f"{name}: scene {path.stat().st_size / 1e3:.0f} kB", flush=True)
    return view.scene


def still(browser: Browser, name: str, shown: dict[str, Any]) -> None:
    """Write the picture of a system at one moment of its run, without texts."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(page(shown), encoding="utf-8")
        at = MOMENTS.get(name, MOMENT) * length(name)[1]
        browser.open("about:blank")
        browser.open(f"{file.as_uri()}#film=1&play=0&theme=light&t={at}", "window.dalembert")
        browser.evaluate(
            "document.querySelectorAll('.dv-legend, .dv-readings').forEach((x) => x.remove());"
            "dalembert.state()"
        )
        image = Image.open(io.BytesIO(browser.picture())).convert("RGB")
    image.save(picture(name), quality=82, method=6)
    print(f"{name}: picture {picture(name).stat().st_size / 1e3:.0f} kB", flush=True)


def film() -> None:
    """Write the README's film."""
    system = da.systems.WhippleBicycle()
    h, t = length("whipple-bicycle")
    run = da.simulate(system, h=h, t=t)
    da.plots.animate(system, run, README, fps=20.0, speed=t * 20.0 / 60, size=(720, 380))


def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    live.FOLDER.mkdir(parents=True, exist_ok=True)
    if names == ["readme"]:
        return film()
    bare = names[:1] == ["--scenes"]
    scenes = {name: scene(name) for name in names[bare:] or da.systems.registry}
    if not bare:
        with Browser(*SIZE) as browser:
            browser.size(*SIZE, SHARP)
            for name, shown in scenes.items():
                still(browser, name, shown)


if __name__ == "__main__":
    main(sys.argv[1:])
