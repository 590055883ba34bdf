"""Measure the first picture of every system of the zoo, and save it: `make look`.

    python docs/look.py                      all systems and hybrid systems, into out/look
    python docs/look.py rolling-disk car     these

Each page is loaded once and shown at four sizes: a window, a notebook's cell, a phone, and an
`<iframe>` that gets its size after the page was loaded. The first picture is right where

- the bodies stand the right way up,
- the bodies, or all that moves, fill a third of the stage in one direction, and are inside of it,
- a scene has at most 15,000 triangles.

Prints a table and ends with 1 where a picture is wrong. Needs Chromium.
"""

from __future__ import annotations

import html
import sys
from pathlib import Path
from typing import Any

import stills

import dalembert as da
from dalembert.hybrid import zoo
from dalembert.pages import Table
from dalembert.viewer.browser import Browser

SIZES = {"window": (1280, 800), "cell": (900, 520), "phone": (390, 780)}
MOST_TRIANGLES = 15_000
HYBRID = (0.01, 2.0)  # step and length in s of hybrid systems
LEAST = 1 / 3  # of the stage, in the direction in which it is filled most


def problems(seen: dict[str, Any], triangles: int) -> list[str]:
    """What is wrong with a first picture, from `dalembert.extent()` in the page."""
    thing, motion = seen["thing"], seen["motion"]
    found = [] if seen["upright"] else ["upside down"]
    subject = thing if seen["following"] else motion
    filled = max(subject["width"], subject["height"])
    if filled < LEAST:
        found.append(f"fills {filled:.0%}")
    if not subject["inside"]:
        found.append("leaves the stage")
    return found + ([f"{triangles} triangles"] if triangles > MOST_TRIANGLES else [])


def measure(browser: Browser, text: str, folder: Path, name: str) -> list[list[str]]:
    """A row for each size: how much is filled, and what is wrong."""
    file, rows = folder / "page.html", []
    file.write_text(text, encoding="utf-8")
    for size, (width, height) in SIZES.items():
        browser.size(width, height)
        if not rows:
            browser.open("about:blank")
            browser.open(f"{file.as_uri()}#play=0&theme=light", "window.dalembert")
        rows.append(_row(browser, "window", name, size))
        if size == "window":
            (folder / f"{name}.png").write_bytes(browser.picture())
    hidden = f'<iframe style="width:900px;height:520px;display:none" srcdoc="{html.escape(text)}">'
    file.write_text(f"<!DOCTYPE html><title>x</title>{hidden}</iframe>", encoding="utf-8")
    browser.size(1000, 600)
    browser.open(f"{file.as_uri()}", "frames[0].dalembert")
    browser.evaluate("document.querySelector('iframe').style.display = 'block'")
    browser.until("frames[0].document.querySelector('.dv-gl').dataset.width > 400")
    rows.append(_row(browser, "frames[0]", name, "late frame"))
    file.unlink()
    return rows


def _row(browser: Browser, where: str, name: str, size: str) -> list[str]:
    browser.evaluate(f"new Promise((done) => {where}.setTimeout(done, 60))")  # it is laid out
    seen = browser.evaluate(f"{where}.dalembert.extent()")
    triangles = browser.evaluate(f"{where}.dalembert.state()")["triangles"]
    subject = seen["thing"] if seen["following"] else seen["motion"]
    filled = max(subject["width"], subject["height"])
    thing = max(seen["thing"]["width"], seen["thing"]["height"])
    said = "; ".join(problems(seen, triangles))
    how = "body" if seen["following"] else "motion"
    return [name, size, how, f"{filled:.0%}", f"{thing:.0%}", str(triangles), said]


def main(names: list[str]) -> int:
    folder = Path("out/look").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[list[str]] = []
    with Browser(*SIZES["window"], "--disable-features=IsolateSandboxedIframes") as browser:
        for name in names or [*da.systems.registry, *zoo.registry]:
            system = (da.systems.registry.get(name) or zoo.registry[name])()
            h, t = stills.length(name) if name in da.systems.registry else HYBRID
            run = da.simulate(system, h=h, t=t, progress=False)
            view = da.show(system, run, open=False, play=False)
            rows += measure(browser, view.html(), folder, name)
            print(f"{name}: {rows[-4][3]}", file=sys.stderr, flush=True)
    heads = ("system", "size", "subject", "fills", "bodies fill", "triangles", "wrong")
    print(Table(heads, rows, align="lllrrrl").text())
    wrong = sum(bool(row[-1]) for row in rows)
    print(f"{len(rows)} first pictures, {wrong} wrong; pictures: {folder}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
