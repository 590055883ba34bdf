"""Live views on the site: one copy of the viewer, and one small script for each scene.

`da.show` in a page that is executed leaves a frame with the whole viewer in it, 0.7 MB each time.
`share` replaces such frames by an empty element that docs/_static/live.js fills, and puts their
scenes beside the others.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from dalembert.viewer.page import built

FOLDER = Path(__file__).resolve().parent / "_static" / "scenes"  # of the gallery, by docs/stills.py
ROWS = 240  # of a scene of the gallery: 20 to 60 kB

_FRAME = re.compile(r'<iframe sandbox="[^"]*" srcdoc="([^"]*)"[^>]*title="dalembert"></iframe>')
_SCENE = re.compile(r'<script type="application/json" id="dalembert-scene">(.*?)</script>', re.S)


def script(name: str, scene: dict[str, Any]) -> str:
    """Return the script that hands a scene to live.js; "<" cannot end it early."""
    data = json.dumps(scene, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return f"dalembertScene({json.dumps(name)},{data});\n"


def place(name: str, picture: str = "", says: str = "", height: int = 420) -> str:
    """Return the element that becomes a view; `picture` is shown until then."""
    inside = f'<img src="{picture}" alt="{html.escape(says)}">' if picture else ""
    return f'<div class="live" data-scene="{name}" data-height="{height}">{inside}</div>'


def share(out: Path) -> int:
    """Replace the frames of all pages by shared views; return how many there were."""
    static = out / "_static"
    (static / "scenes").mkdir(parents=True, exist_ok=True)
    (static / "viewer.js").write_text(built("viewer.js"))
    (static / "viewer.css").write_text(built("viewer.css"))
    count = 0

    def view(frame: re.Match[str]) -> str:
        nonlocal count
        text = _SCENE.search(html.unescape(frame[1]))
        if text is None:  # a frame of another page
            return frame[0]
        name = hashlib.sha256(text[1].encode()).hexdigest()[:16]
        (static / "scenes" / f"{name}.js").write_text(script(name, json.loads(text[1])))
        count += 1
        return place(name, height=520)

    for page in out.rglob("*.html"):
        text = page.read_text()
        shared = _FRAME.sub(view, text)
        if shared != text:
            page.write_text(shared)
    return count
