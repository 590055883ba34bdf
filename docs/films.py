"""Make the moving pictures of the gallery and of the README, by our own `animate`.

    python docs/films.py                    all that are missing; needs Chromium
    python docs/films.py snakeboard suslov  these, anew
    python docs/films.py readme             the README's

They lie in docs/_static/zoo, some 40 kB each, so that the site can be built without a browser.
Beside them docs/_static/scenes has the same runs as scenes, for the live views of the pages:

    python docs/films.py --scenes           all of them, anew; needs no browser
"""

from __future__ import annotations

import sys
from pathlib import Path

import live

import dalembert as da

FOLDER = Path(__file__).resolve().parent / "_static" / "zoo"
README = FOLDER.parent / "bicycle.webp"
SIZE, FRAMES, FPS = (288, 180), 30, 10.0

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


def make(name: str, path: Path, size=SIZE, frames=FRAMES, fps=FPS) -> None:
    system = da.systems.registry[name]()
    h, t = length(name)
    run = da.simulate(system, h=h, t=t)
    da.plots.animate(system, run, path, fps=fps, speed=t * fps / frames, size=size)
    print(f"{name}: {path.stat().st_size / 1e3:.0f} kB", flush=True)


def scene(name: str) -> None:
    """Write the live view of a system."""
    system = da.systems.registry[name]()
    h, t = length(name)
    view = da.show(system, da.simulate(system, h=h, t=t), open=False, max_rows=live.ROWS)
    path = live.FOLDER / f"{name}.js"
    path.write_text(live.script(name, view.scene))
    print(f"{name}: {path.stat().st_size / 1e3:.0f} kB", flush=True)


def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    live.FOLDER.mkdir(parents=True, exist_ok=True)
    if names[:1] == ["--scenes"]:
        for name in names[1:] or da.systems.registry:
            scene(name)
        return None
    if names == ["readme"]:
        return make("whipple-bicycle", README, (720, 380), 60, 20.0)
    for name in names or [x for x in da.systems.registry if not picture(x).exists()]:
        make(name, picture(name))


if __name__ == "__main__":
    main(sys.argv[1:])
