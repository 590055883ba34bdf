"""One self-contained HTML page with data and script, which opens from disk and loads nothing."""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
from importlib import resources
from typing import Any

STYLE = "html, body { margin: 0; height: 100%; } #dalembert-view { height: 100vh; }"


@functools.cache
def built(name: str) -> str:
    """Return a file of the built viewer: `viewer.js` or `viewer.css`."""
    return (resources.files("dalembert.viewer") / name).read_text(encoding="utf-8")


def page(scene: dict[str, Any], title: str = "") -> str:
    """Return the page of a scene.

    Its security policy allows only its own script and style, by hash.
    """
    script, style = built("viewer.js"), STYLE + built("viewer.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    # Inside a script element only "</" and "<!--" are special, and both begin with "<".
    data = json.dumps(scene, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title or scene['title'])}</title><style>{style}</style></head><body>"
        '<div id="dalembert-view"></div>'
        f'<script type="application/json" id="dalembert-scene">{data}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def frame(text: str, height: int = 520) -> str:
    """Return HTML that embeds a page in another page, in an isolated frame.

    The frame contains the page's text, so that it survives the export of a notebook.
    """
    return (
        f'<iframe sandbox="allow-scripts allow-downloads" srcdoc="{html.escape(text)}" '
        f'style="width:100%;height:{int(height)}px;border:0" title="dalembert"></iframe>'
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
