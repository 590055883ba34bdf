"""Pages and the studio in a real browser: every scene mounts, controls work, nothing is asked for.

Skipped where no Chromium is installed; with DALEMBERT_NEEDS_BROWSER set (as in .ci/run) they fail
there instead. One browser for all of it.
"""

import base64
import dataclasses
import html
import io
import json
import os
import re
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid, parts
from dalembert.studio import serve
from dalembert.viewer import Run, encode, page
from dalembert.viewer.browser import Browser, find_browser
from moving import moving

DISK = da.systems.RollingDisk()


@pytest.fixture(scope="module")
def browser():
    if find_browser() is None:
        if os.environ.get("DALEMBERT_NEEDS_BROWSER"):
            pytest.fail("no Chromium, and DALEMBERT_NEEDS_BROWSER asks for one")
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    # frames of a notebook in the same process, so that they can be asked
    with Browser(1000, 600, "--disable-features=IsolateSandboxedIframes") as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Pages of a disk: one run, and two with a ghost."""
    folder = tmp_path_factory.mktemp("pages")
    one, two = moving(DISK), moving(DISK, method="other", shift=0.1)
    (folder / "one.html").write_text(page(encode([Run(DISK, one)])))
    (folder / "two.html").write_text(page(encode([Run(DISK, one), Run(DISK, two)])))
    return folder


def opened(browser, file, state="play=0", width=1000):
    browser.size(width, 600)
    browser.open("about:blank")  # a page that differs after "#" only would not be loaded again
    browser.open(f"{file.as_uri()}#{state}", "window.dalembert")
    return browser.evaluate("dalembert.state()")


def state(browser):
    return browser.evaluate("dalembert.state()")


def middle(browser, selector, part=0.5):
    """Where an element is on the page."""
    box = browser.evaluate(
        f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect();"
        "return [b.left, b.top, b.width, b.height] })()"
    )
    return box[0] + part * box[2], box[1] + 0.5 * box[3]


def press(browser, label):
    """Click on a button or a box by its text."""
    found = browser.evaluate(
        "(() => { const e = [...document.querySelectorAll('.dv button, .dv label')].find("
        f"x => x.textContent === {label!r}); const b = e.getBoundingClientRect();"
        "return [b.left + b.width / 2, b.top + b.height / 2] })()"
    )
    browser.click(*found)


def drag(browser, x, y, by):
    """Drag the mouse to the right."""
    for kind, at in (("mousePressed", x), ("mouseMoved", x + by), ("mouseReleased", x + by)):
        browser.call("Input.dispatchMouseEvent", type=kind, x=at, y=y, button="left", buttons=1,
                     clickCount=1)  # fmt: skip


# -- pages ---------------------------------------------------------------------------------------


def test_every_scene_of_the_zoo_mounts(browser, folder):
    opened(browser, folder / "one.html")
    browser.size(320, 240)  # software draws it
    for name, cls in da.systems.registry.items():
        system = cls()
        scene = encode([Run(system, moving(system))], play=False)
        assert scene["warnings"] == [], name
        browser.evaluate(
            "dalembert.destroy(); window.dalembert = dalembertMount(document.getElementById("
            f"'dalembert-view'), {json.dumps(scene)}); dalembert.seek(1)"
        )
        seen = state(browser)
        assert seen["webgl"] and seen["triangles"] > 100, name
        assert browser.complaints() == [], name


def test_play_scrub_step_and_keys(browser, folder):
    seen = opened(browser, folder / "one.html", "play=1")
    assert seen["playing"]
    browser.until("dalembert.state().now > 0")
    browser.evaluate("document.querySelector('.dv-gl').focus()")
    browser.key(" ")
    assert not state(browser)["playing"]
    browser.click(*middle(browser, ".dv-scrub"))
    half = state(browser)
    assert half["now"] == pytest.approx(0.5 * half["end"], rel=0.05)
    browser.evaluate("document.querySelector('.dv-gl').focus()")
    browser.key("ArrowRight")
    assert state(browser)["now"] == pytest.approx(half["now"] + half["row"])
    browser.key("Home")
    assert state(browser)["now"] == half["begin"]
    browser.key("End")
    assert state(browser)["now"] == half["end"]
    press(browser, "‹")
    assert state(browser)["now"] == pytest.approx(half["end"] - half["row"])
    browser.key("+")
    assert state(browser)["speed"] == 2
    assert browser.complaints() == []


def test_a_click_on_a_curve_goes_there(browser, folder):
    seen = opened(browser, folder / "one.html")
    browser.click(*middle(browser, ".dv-panel canvas", 0.75))
    width = browser.evaluate("document.querySelector('.dv-panel').clientWidth")
    wanted = (0.75 * width - 58) / (width - 68) * seen["end"]  # between the margins of the plot
    assert state(browser)["now"] == pytest.approx(wanted, abs=0.02 * seen["end"])
    assert "x [m]: " in browser.evaluate("document.querySelector('.dv-title').innerText")


def test_orbit_follow_and_reset(browser, folder):
    start = opened(browser, folder / "one.html")["camera"]
    drag(browser, *middle(browser, ".dv-gl"), 90)
    moved = state(browser)["camera"]
    assert max(abs(a - b) for a, b in zip(start, moved)) > 0.1
    press(browser, "follow")
    near = state(browser)["camera"]
    browser.evaluate("dalembert.seek(2)")
    assert state(browser)["camera"] != near  # it goes with the body
    press(browser, "reset")
    assert state(browser)["camera"] == pytest.approx(start)
    press(browser, "forces")
    assert browser.evaluate("document.querySelector('.dv-readings').innerText") == "grid 0.5 m"


def test_look_fingers_turn_the_scene_and_come_nearer(browser, folder):
    start = opened(browser, folder / "one.html", width=390)["camera"]
    x, y = middle(browser, ".dv-gl")

    def touch(kind, *points):
        found = [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(points)]
        browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=found)

    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        touch("touchStart", (x, y))
        touch("touchMove", (x + 40, y))
        touch("touchMove", (x + 80, y))
        touch("touchEnd")
        turned = state(browser)["camera"]
        assert np.linalg.norm(np.subtract(turned, start)) > 0.1
        size = np.linalg.norm(turned)
        touch("touchStart", (x - 20, y), (x + 20, y))
        touch("touchMove", (x - 50, y), (x + 50, y))
        touch("touchMove", (x - 80, y), (x + 80, y))
        touch("touchEnd")
        assert np.linalg.norm(state(browser)["camera"]) < 0.8 * size  # two fingers: nearer
        at = middle(browser, ".dv-scrub")
        browser.call("Input.dispatchTouchEvent", type="touchStart",
                     touchPoints=[{"x": at[0], "y": at[1]}])  # fmt: skip
        touch("touchEnd")
        seen = state(browser)
        assert seen["now"] == pytest.approx(0.5 * seen["end"], rel=0.1)
    finally:
        browser.call("Emulation.setTouchEmulationEnabled", enabled=False)
    assert browser.complaints() == []


def test_what_is_small_beside_its_path_is_followed(browser, folder):
    traj = moving(DISK)
    q = np.array(traj.q)
    q[:, :2] *= 100
    far = page(encode([Run(DISK, dataclasses.replace(traj, q=q))]))
    (folder / "far.html").write_text(far)
    opened(browser, folder / "far.html")
    for t in (0.0, 2.0):
        browser.evaluate(f"dalembert.seek({t})")
        camera, disk = state(browser)["camera"], browser.evaluate("dalembert.bodyAt('disk')")
        assert 3 < np.linalg.norm(np.subtract(camera, disk)) < 15  # of a path of 200 m
    press(browser, "reset")
    assert np.linalg.norm(np.subtract(state(browser)["camera"], disk)) > 50


def test_ghosts_are_where_their_run_is(browser, folder):
    seen = opened(browser, folder / "two.html", "play=0&t=1.5")
    assert seen["runs"] == 2
    solid, ghost = (browser.evaluate(f"dalembert.bodyAt('disk', {k})") for k in (0, 1))
    assert max(abs(a - b) for a, b in zip(solid, ghost)) > 0.05
    titles = browser.evaluate("[...document.querySelectorAll('.dv-title')].map(x => x.innerText)")
    assert any(title.startswith("distance from rk4") for title in titles)
    many = seen["triangles"]
    press(browser, "compared")
    assert state(browser)["triangles"] < many
    assert browser.complaints() == []


def test_dark_and_phone(browser, folder):
    assert opened(browser, folder / "two.html", "play=0&theme=dark")["theme"] == "dark"
    dark = browser.evaluate("getComputedStyle(document.querySelector('.dv')).backgroundColor")
    assert dark == "rgb(20, 23, 28)"
    press(browser, "◐")
    assert state(browser)["theme"] == "light"
    opened(browser, folder / "two.html", width=390)
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390
    for part in (".dv-gl", ".dv-panel", ".dv-scrub"):
        assert browser.evaluate(f"document.querySelector({part!r}).clientHeight") > 0


def test_without_webgl_the_curves_are_there(browser, folder):
    script = (
        "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype."
        "getContext = function (kind, ...x) { return kind.startsWith('webgl') ? null : "
        "get.call(this, kind, ...x); };"
    )
    made = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    try:
        seen = opened(browser, folder / "one.html")
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=made["identifier"])
    assert not seen["webgl"] and seen["panels"] > 3
    assert "has no WebGL" in browser.evaluate("document.querySelector('.dv').innerText")
    browser.click(*middle(browser, ".dv-panel canvas", 0.75))
    assert state(browser)["now"] > 0 and browser.complaints() == []


def test_the_page_may_ask_for_nothing(browser, folder):
    opened(browser, folder / "one.html")
    refused = browser.evaluate(
        "fetch('https://example.org/').then(() => 'went through', (e) => 'refused')"
    )
    assert refused == "refused"
    assert any("Content Security Policy" in text for text in browser.complaints())


def test_two_views_in_one_notebook_page(browser, folder):
    view = da.show(DISK, moving(DISK), open=False, height=280)
    file = folder / "notebook.html"
    file.write_text(f"<!DOCTYPE html><title>x</title>{view._repr_html_()}{view._repr_html_()}")
    browser.size(1000, 600)
    browser.open(file.as_uri(), "document.querySelectorAll('iframe').length === 2")
    frames = browser.call("Page.getFrameTree")["frameTree"].get("childFrames", [])
    assert len(frames) == 2
    for each in frames:
        world = browser.call("Page.createIsolatedWorld", frameId=each["frame"]["id"])
        mounted = "new Promise(done => { const look = () => document.querySelectorAll('.dv-gl')"
        mounted += ".length ? done(document.querySelectorAll('.dv-panel').length) : "
        mounted += "setTimeout(look, 20); look() })"
        found = browser.call("Runtime.evaluate", contextId=world["executionContextId"],
                             returnByValue=True, awaitPromise=True, expression=mounted)  # fmt: skip
        assert found["result"]["value"] == 14
    assert browser.complaints() == []


def test_a_gif_is_filmed(folder):
    if find_browser() is None:
        pytest.skip("no Chromium is installed")
    from PIL import Image

    file = da.plots.animate(
        DISK, moving(DISK, rows=21), folder / "x.gif", fps=4, speed=1.0, size=(160, 120)
    )
    with Image.open(file) as film:
        assert film.size == (160, 120) and film.n_frames == 5
        first = film.convert("RGB").tobytes()
        film.seek(4)
        assert film.convert("RGB").tobytes() != first


# -- the first picture ---------------------------------------------------------------------------


class Sleigh(da.System):
    """The sleigh of the README: without a scene and without names of its coordinates."""

    m: float = 1.0
    J: float = 1.0
    a: float = 0.3
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        x, y = v[0] - self.a * s * v[2], v[1] + self.a * c * v[2]
        return 0.5 * self.m * (x**2 + y**2) + 0.5 * self.J * v[2] ** 2

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def initial(self):
        return jnp.zeros(3), jnp.array([1.0, 0.0, 1.0])


def shown(browser, folder, system, traj, name, how="play=0"):
    file = folder / f"{name}.html"
    file.write_text(page(encode([Run(system, traj)])))
    return opened(browser, file, how)


@pytest.mark.parametrize("hidden", ["display:none", "width:0"])  # 0 x 0, and as high as it will be
def test_finding3_look_a_hidden_frame_is_framed_when_it_gets_its_size(browser, folder, hidden):
    """As in a demo page or a notebook: the page mounts before its iframe is laid out."""
    inside = html.escape((folder / "one.html").read_text())
    (folder / "host.html").write_text(
        '<!DOCTYPE html><title>x</title><iframe style="width:800px;height:480px;border:0;'
        f'{hidden}" srcdoc="{inside}"></iframe>'
    )
    browser.size(1000, 600)
    browser.open((folder / "host.html").as_uri(), "frames[0].dalembert")
    assert browser.evaluate("frames[0].document.querySelector('.dv-gl').clientWidth") == 0
    browser.evaluate(
        "Object.assign(document.querySelector('iframe').style, {display: 'block', width: '800px'})"
    )
    browser.until("frames[0].document.querySelector('.dv-gl').dataset.width > 400")
    first = browser.evaluate("frames[0].dalembert.state()")["camera"]
    browser.evaluate(
        "[...frames[0].document.querySelectorAll('button')].find(x => x.textContent === 'reset')"
        ".click()"
    )
    assert first == pytest.approx(browser.evaluate("frames[0].dalembert.state()")["camera"])
    assert browser.complaints() == []


def test_finding3_look_a_new_size_frames_again_until_the_camera_was_moved(browser, folder):
    wide = opened(browser, folder / "one.html")["camera"]
    browser.size(300, 900)
    browser.until("document.querySelector('.dv-gl').dataset.width < 400")
    narrow = state(browser)["camera"]
    assert np.linalg.norm(narrow) > 1.1 * np.linalg.norm(wide)  # a narrow stage needs more distance
    drag(browser, *middle(browser, ".dv-gl"), 60)
    moved = state(browser)["camera"]
    assert moved != pytest.approx(narrow)
    browser.size(1000, 600)
    browser.until("document.querySelector('.dv-gl').dataset.width > 400")
    assert state(browser)["camera"] == pytest.approx(moved)  # where the person put it
    press(browser, "reset")
    assert state(browser)["camera"] == pytest.approx(wide)


def test_finding3_look_the_bicycle_stands_on_its_wheels(browser, folder):
    from PIL import Image

    bicycle = da.systems.WhippleBicycle()
    traj = moving(bicycle, rows=3)
    still = dataclasses.replace(traj, q=np.zeros_like(traj.q))
    seen = shown(browser, folder, bicycle, still, "bicycle", "play=0&theme=light")
    assert seen["camera"][2] < 0  # z points down, and the camera is above the ground
    data = browser.evaluate("dalembert.seek(0), dalembert.picture()").partition(",")[2]
    colors = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), dtype=int)
    red, green, blue = np.moveaxis(colors, 2, 0)
    rider = np.nonzero((red > 1.6 * green) & (red > 1.6 * blue))[0]
    tires = np.nonzero(colors.max(axis=2) < 80)[0]
    assert len(rider) > 200 and len(tires) > 200
    assert np.median(rider) < np.median(tires) - 40  # rows count from the top


def test_finding3_look_a_point_without_a_size_is_not_followed(browser, folder):
    system = Sleigh()
    first = shown(browser, folder, system, moving(system), "own")["camera"]
    followed = "[...document.querySelectorAll('.dv label')].find(x => x.textContent === 'follow')"
    assert browser.evaluate(f"{followed}.querySelector('input').checked") is False
    press(browser, "reset")
    assert state(browser)["camera"] == pytest.approx(first)


def test_finding3_look_keys_work_on_a_fresh_page(browser, folder):
    seen = opened(browser, folder / "one.html")
    assert browser.evaluate("document.activeElement === document.body")
    browser.key("ArrowRight")
    assert state(browser)["now"] == pytest.approx(seen["row"])
    browser.key(" ")
    assert state(browser)["playing"]
    browser.evaluate("document.querySelector('.dv-speed').focus()")
    browser.key(" ")
    assert not state(browser)["playing"]  # after the speed was chosen, too
    at = state(browser)["now"]
    browser.key("Home")
    assert state(browser)["now"] == at  # the list of speeds needs it
    browser.evaluate("document.querySelector('.dv-more input').focus()")
    browser.key(" ")
    assert not state(browser)["playing"]  # a box is switched by it
    browser.key("Home")
    assert state(browser)["now"] == seen["begin"]


def test_finding3_look_keys_of_the_browser_and_of_other_views_are_left_alone(browser, folder):
    start = opened(browser, folder / "one.html")["camera"]
    drag(browser, *middle(browser, ".dv-gl"), 60)
    moved = state(browser)["camera"]
    browser.evaluate(
        "window.left = 0; addEventListener('keydown', (e) => { left += !e.defaultPrevented; "
        "e.preventDefault() })"
    )
    for key, modifiers in (("r", 2), ("r", 4), ("ArrowLeft", 1)):  # control, meta, alt
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key=key, modifiers=modifiers)
    assert browser.evaluate("left") == 3 and state(browser)["camera"] == pytest.approx(moved)
    browser.key("r")
    assert browser.evaluate("left") == 3 and state(browser)["camera"] == pytest.approx(start)
    # of two views the one that has the focus is meant
    browser.evaluate(
        "document.body.append(document.createElement('div')); window.other = dalembertMount("
        "document.body.lastChild, JSON.parse(document.getElementById('dalembert-scene')."
        "textContent)); document.activeElement.blur()"
    )
    browser.key(" ")
    assert not state(browser)["playing"] and not browser.evaluate("other.state().playing")
    browser.evaluate("document.body.lastChild.querySelector('.dv-gl').focus()")
    browser.key(" ")
    assert not state(browser)["playing"] and browser.evaluate("other.state().playing")
    browser.evaluate("other.destroy(); document.activeElement.blur()")
    browser.key(" ")
    assert state(browser)["playing"]  # alone again


def test_finding3_look_a_constant_with_round_off_is_a_flat_curve(browser, folder):
    traj = moving(DISK)
    q = np.array(traj.q)
    q[:, 0] = 1 + 2.0**-24 * (1 + 1e-6 * (-1.0) ** np.arange(len(q)))  # 32 bits round up and down
    shown(browser, folder, DISK, dataclasses.replace(traj, q=q), "flat", "play=0&theme=light")
    rows = browser.evaluate(
        "(() => { const p = [...document.querySelectorAll('.dv-panel')].find(x => x.querySelector("
        "'.dv-title').innerText.startsWith('x [m]')), c = p.querySelector('canvas'), rows = new Set"
        "(), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
        "for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 80 && d[i + 2] > d[i] + 80) "
        "rows.add(Math.floor(i / 4 / c.width)); return [...rows] })()"
    )
    assert rows and max(rows) - min(rows) < 5


# six of the zoo: on a plane, z down, in a pipe, on a table, without a plane, a point without a size
FIRST = (
    "snakeboard",
    "whipple-bicycle",
    "sphere-in-cylinder",
    "ball-on-turntable",
    "suslov",
    "benenti",
)


def test_look_the_first_picture_is_filled_and_upright_at_all_sizes(browser, folder):
    """What `make look` measures over the whole zoo, of motions that are not computed."""
    opened(browser, folder / "one.html")
    for name in FIRST:
        system = da.systems.registry[name]()
        scene = encode([Run(system, moving(system))], play=False)
        browser.evaluate(
            "dalembert.destroy(); window.dalembert = dalembertMount(document.getElementById("
            f"'dalembert-view'), {json.dumps(scene)}); 0"
        )
        for width, height in ((1000, 600), (700, 420), (360, 700)):
            browser.size(width, height)
            ratio = f"Math.abs(window.innerWidth - {width}) < 2"
            browser.until(f"{ratio} && document.querySelector('.dv-gl').clientWidth <= {width}")
            browser.evaluate("new Promise((done) => setTimeout(done, 30))")
            seen = browser.evaluate("dalembert.extent()")
            subject = seen["thing" if seen["following"] else "motion"]
            assert seen["upright"] and subject["inside"], (name, width, seen)
            filled = max(subject["width"], subject["height"])
            assert filled >= 0.55, (name, width, seen)  # as near as all of it can be seen from
        assert 0 < state(browser)["triangles"] <= 15_000, name


def test_look_badges_chips_and_curves_to_choose(browser, folder):
    traj = da.simulate(DISK, h=0.02, steps=20, progress=False)
    said = dataclasses.replace(traj.meta, warnings=("something is wrong at t = 0.1, " * 6,))
    shown(browser, folder, DISK, dataclasses.replace(traj, meta=said), "chips")
    badges = browser.evaluate("[...document.querySelectorAll('.dv-badge')].map(x => x.innerText)")
    assert any("constraint kept to" in x for x in badges)
    assert browser.evaluate("document.querySelector('.dv-stage .dv-badge')") is None  # not over it
    chip = "document.querySelector('.dv-warning')"
    folded = browser.evaluate(f"{chip}.getBoundingClientRect().height")
    assert folded < 30  # one line: the picture is not covered
    browser.click(*middle(browser, ".dv-warning summary"))
    assert browser.evaluate(f"{chip}.getBoundingClientRect().height") > 2 * folded
    titles = (
        "[...document.querySelectorAll('.dv-panel:not([hidden]) .dv-title')].map(x => x.innerText)"
    )
    before = browser.evaluate(titles)
    assert before[0].startswith("x [m]") and any(x.startswith("ψ [rad]") for x in before)
    assert not any("residual" in x or "energy" in x for x in before)
    browser.click(*middle(browser, ".dv-choose summary"))
    press(browser, "x [m]")
    assert browser.evaluate(titles) == before[1:]


def test_look_lines_and_texts_can_be_read(browser, folder):
    """Contrast by WCAG against the paper: 3 for lines, 4.5 for texts, in both themes."""
    source = (Path(__file__).parents[1] / "viewer" / "src" / "stage.js").read_text()

    def luminance(color):
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(a, b):
        high, low = sorted((luminance(a), luminance(b)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for name, paper in (("HUES", "#ffffff"), ("DARK_HUES", "#14171c")):
        hues = re.search(rf"const {name} = \[(.*?)\]", source)[1]
        for hue in re.findall(r"#[0-9a-f]{6}", hues):
            assert contrast(hue, paper) >= 3, (name, hue)
    states = re.search(r"const STATES = \[(.*?)\];", source)[1]
    for paper in ("#fbfcfd", "#14171c"):  # one color in both themes
        assert all(contrast(x, paper) >= 3 for x in re.findall(r"#[0-9a-f]{6}", states))
    colors = re.search(r"function arrowColor.*", source)[0]
    for color in re.findall(r"#[0-9a-f]{6}", colors):
        assert contrast(color, "#fbfcfd") >= 4.5, color
        assert contrast(color, "#14171c") >= 3, color  # an arrow; its text is made brighter
        parts = [min(255, round(1.7 * int(color[i : i + 2], 16))) for i in (1, 3, 5)]
        assert contrast("#{:02x}{:02x}{:02x}".format(*parts), "#14171c") >= 4.5, color
    # all colors of texts in the style sheet, on both of the papers they may stand on
    style = (Path(__file__).parents[1] / "viewer" / "src" / "style.css").read_text()
    light, dark = (
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", rule))
        for rule in re.findall(r"\.dv(?:\[data-theme=\"dark\"\])? \{(.*?)\}", style, re.S)[:2]
    )
    assert {"ink", "soft", "good", "back", "card"} <= set(light) & set(dark)
    warnings = re.findall(r"\.dv-warning \{ color: (#[0-9a-f]{6})", style)
    for colors, warning in zip((light, dark), warnings, strict=True):
        for text in (colors["ink"], colors["soft"], colors["good"], warning):
            for paper in (colors["back"], colors["card"]):
                assert contrast(text, paper) >= 4.5, (text, paper)
        assert contrast(colors["accent"], colors["back"]) >= 3


def test_a_contact_that_slides_is_colored_and_modes_are_a_band(browser, folder):
    ball = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(0.1)),
        parts.Free("ball", start=(0, 0, 0.1), speed=(2.0, 0, 0, 0, 0, 0)),
        parts.Ball("ball", 0.1, mu=0.2),
        parts.Gravity(9.81),
    )
    modes = hybrid.with_friction(ball)
    run = da.simulate(modes, h=0.01, t=0.6, progress=False)  # slides until 0.291 s
    da.show(modes, run, open=False).save(folder / "slides.html")
    opened(browser, folder / "slides.html", "play=0&t=0.1")
    title = "document.querySelector('.dv-band .dv-title').textContent"
    (slides,) = browser.evaluate("dalembert.contacts()")
    assert slides["state"] == 1 and browser.evaluate(title) == "mode: ball slides"
    assert "contact slides" in browser.evaluate("document.querySelector('.dv-states').textContent")
    browser.evaluate("dalembert.seek(0.4)")
    (holds,) = browser.evaluate("dalembert.contacts()")
    assert holds["state"] == 0 and browser.evaluate(title) == "mode: ball holds"
    assert slides["colors"] != holds["colors"]
    browser.click(*middle(browser, ".dv-band canvas", part=0.3))  # a click goes to that time
    assert browser.evaluate("dalembert.state()")["now"] < 0.291
    assert browser.evaluate("dalembert.contacts()") == [slides]


# -- the studio ----------------------------------------------------------------------------------


def test_studio_from_choice_to_motion(browser):
    server = serve(da.systems.registry)
    try:
        browser.size(1100, 700)
        wish = {"system": "vertical-rolling-disk", "methods": ["rk4"], "h": 0.02, "t": 2}
        browser.open(f"{server.address}#{json.dumps(wish)}", "window.studio?.view")
        assert browser.evaluate("studio.view.state().end") == pytest.approx(2.0)
        assert browser.evaluate("document.querySelector('#ds-system').value") == wish["system"]
        # a slider moves, the run is computed again, the address carries the setting
        browser.evaluate(
            "(() => { const box = document.querySelector(\"input[type=number][aria-label='R']\");"
            "box.value = 0.5; box.dispatchEvent(new Event('change')) })()"
        )
        browser.until("studio.runs === 2 && !studio.wrong")
        assert browser.evaluate("studio.view.bodyAt('disk')[2]") == pytest.approx(0.5)
        setting = json.loads(browser.evaluate("decodeURIComponent(location.hash.slice(1))"))
        assert setting["parameters"]["R"] == 0.5
        # what is wrong is said where it happens, and the old picture stays
        browser.evaluate(
            "(() => { const box = document.querySelector(\"input[type=number][aria-label='R']\");"
            "box.value = -1; box.dispatchEvent(new Event('change')) })()"
        )
        browser.until("studio.runs === 3")
        assert "must be positive" in browser.evaluate("studio.said")
        seen = browser.evaluate(
            "(() => { const e = document.querySelector('.ds-said').getBoundingClientRect(), "
            "bad = [...document.querySelectorAll('.ds-bad')].map(x => x.dataset.name);"
            "return [e.top, e.bottom, bad, document.querySelector('[aria-invalid]') !== null] })()"
        )
        assert 0 <= seen[0] < seen[1] < 100 and seen[2:] == [["R"], True]  # at the top, in sight
        browser.evaluate(
            "[...document.querySelectorAll('button')].find(x => x.textContent === 'Reset').click()"
        )
        browser.until("studio.runs === 4 && !studio.wrong")
        assert browser.evaluate("document.querySelectorAll('.ds-bad').length") == 0
        # a start of one's own: x is a coordinate
        browser.evaluate(
            "(() => { const box = document.querySelector(\"input[type=number][aria-label='x']\");"
            "box.value = 2; box.dispatchEvent(new Event('change')) })()"
        )
        browser.until("studio.runs === 5 && !studio.wrong")
        browser.evaluate("studio.view.play(false), studio.view.seek(0)")
        assert browser.evaluate("studio.view.bodyAt('disk')[0]") == pytest.approx(2.0)
        browser.evaluate("studio.view.play(true)")
        browser.until("studio.view.state().now > 0.1")
        browser.size(390, 780)  # on a phone the picture comes first
        top = "document.querySelector('.{}').getBoundingClientRect().top"
        assert browser.evaluate(f"{top.format('ds-view')} < {top.format('ds-form')}")
        browser.open("about:blank")  # a link to a system that is not here says so
        browser.open(f"{server.address}#{json.dumps({'system': 'no-such'})}", "window.studio?.view")
        told = browser.evaluate("document.querySelector('.ds-about').textContent")
        assert 'asks for "no-such"' in told
        complaints = browser.complaints(allowed=f"http://127.0.0.1:{server.port}/")
        assert [x for x in complaints if "400 (Bad Request)" not in x] == []
    finally:
        browser.open("about:blank")
        server.close()
