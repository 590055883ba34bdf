"""The gallery in a browser, from disk: no console message, no broken image, no sideways scroll.

Skipped where no Chromium is installed; with DALEMBERT_NEEDS_BROWSER set (as in .ci/run) it fails
there instead.
"""

import json
import os
import re
import shutil
import subprocess

import pytest

import dalembert as da
from dalembert.reproduce import Check, Claim, Outcome, Picture, Table, experiment, gallery, runner

PHONE = 375  # CSS pixels

# The page tells its parent what it looks like from inside: windows cannot be made this narrow.
PROBE = """<script>addEventListener("load", () => parent.postMessage({
  images: document.images.length,
  broken: [...document.images].filter(i => !i.naturalWidth).map(i => i.getAttribute("src")),
  width: document.documentElement.scrollWidth, inner: innerWidth}, "*"))</script>"""
FRAME = """<!DOCTYPE html><title>frame</title><iframe src="probe.html" style="width:{width}px;
height:800px;border:0"></iframe><pre id="seen"></pre><script>onmessage = e => {{
document.getElementById("seen").textContent = JSON.stringify(e.data) }}</script>"""


@pytest.fixture(scope="module")
def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    if os.environ.get("DALEMBERT_NEEDS_BROWSER"):
        pytest.fail("no Chromium, and DALEMBERT_NEEDS_BROWSER asks for one")
    pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")


def looked_at(chromium, folder, width, profile):
    """What the page in `folder` looks like at that width, and what the console said."""
    text = (folder / "index.html").read_text(encoding="utf-8")
    (folder / "probe.html").write_text(text.replace("</body>", f"{PROBE}</body>"))
    (folder / "frame.html").write_text(FRAME.format(width=width))
    options = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--enable-logging=stderr",
        "--virtual-time-budget=10000", "--dump-dom", (folder / "frame.html").as_uri(),
    ]  # fmt: skip
    done = subprocess.run([chromium, *options], capture_output=True, text=True, timeout=120)
    seen = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
    assert seen and seen[1], f"the page did not report: {done.stdout[-500:]}\n{done.stderr[-2000:]}"
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(seen[1]), console


def picture(theme):
    with da.plots.canvas(theme, (9.0, 3.0), columns=2) as (fig, axes, look):
        for ax in axes:
            ax.plot([0, 1], [0, 1], color=look.curves[0])
    return fig


@experiment("wide", source="[X] 1", title="A long title " * 8, see="Look.")
def wide(full, seed):
    """Nothing of it fits a phone: it has to wrap or to scroll by itself."""
    claims = [Claim("a claim " * 30, [Check("a number " * 10, 1.0, 0.0, 2.0, "kg m^2/s")])]
    table = Table([f"a long head {i}" for i in range(12)], [[1.23456789] * 12] * 3, "Caption " * 20)
    note = "unbroken_" * 30
    return Outcome(claims, [table], [Picture("", "A sentence.", "Two lines", picture)], [note])


@pytest.fixture
def folder(tmp_path):
    target = tmp_path / "gallery"
    target.mkdir()
    gallery.write({"A source": [runner.run_one(wide, target)]}, target)
    return target


@pytest.mark.parametrize("width", [PHONE, 1200])
def test_gallery_opens_from_disk(chromium, folder, tmp_path, width):
    seen, console = looked_at(chromium, folder, width, tmp_path / "profile")
    assert console == []
    assert seen["images"] == 1 and seen["broken"] == []
    assert seen["inner"] == width and seen["width"] <= width


def test_the_probe_sees_what_is_wrong(chromium, folder, tmp_path):
    (folder / "wide.png").unlink()
    (folder / "wide-dark.png").unlink()
    page = (folder / "index.html").read_text(encoding="utf-8")
    bad = '<div style="width:900px">x</div><script>console.error("bad")</script></body>'
    (folder / "index.html").write_text(page.replace("</body>", bad))
    seen, console = looked_at(chromium, folder, PHONE, tmp_path / "profile")
    assert any("bad" in line for line in console)
    assert seen["broken"] and seen["width"] > PHONE
