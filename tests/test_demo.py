"""The tour: its page holds together, and what it says about rings and sleighs is measured."""

import base64
import contextlib
import dataclasses
import html.parser
import io
import json
import re

import numpy as np
import pytest

import dalembert as da
from dalembert import demo, diagnostics, pages
from dalembert.cli import main


@dataclasses.dataclass(frozen=True)
class Named(da.RK4):
    """RK4 under another name: equal to its fellows, so that all of them compile once."""

    label: str = dataclasses.field(default="rk4", compare=False)

    @property
    def name(self):
        return self.label


NAMES = ("gauss-2", "gni-midpoint", "dla-midpoint", "rk4", "reference")


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    """Folder and output of a quick tour, with one method under five names."""
    folder = tmp_path_factory.mktemp("demo") / "new" / "out"
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.setattr(demo, "METHODS", tuple(Named(name) for name in NAMES))
        assert main(["demo", "--quick", "--out", str(folder)]) == 0
    return folder, out.getvalue()


@pytest.fixture(scope="module")
def written(tour):
    return tour[0]


class Reader(html.parser.HTMLParser):
    """Collects what a browser would load, and whether tags are closed."""

    def __init__(self):
        super().__init__()
        self.sources, self.alts, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.sources += [found[k] for k in ("src", "srcset", "href") if k in found]
        if tag == "img":
            self.alts.append(found.get("alt"))
        if tag not in ("img", "meta", "source"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(written):
    return (written / "index.html").read_text(encoding="utf-8")


def test_page_loads_nothing_from_elsewhere(text):
    assert "http" not in text and "@import" not in text and "url(" not in text
    assert "<script" not in text


def test_all_pictures_are_inside_in_both_themes(text, written):
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    files = sorted(written.glob("*.png"))
    start = "data:image/png;base64,"
    pictures = [source for source in reader.sources if source.startswith(start)]
    assert len(files) == len(pictures) == 8
    rest = set(reader.sources) - set(pictures)
    assert rest == {"ball.html", "sleigh.html"} and all((written / x).is_file() for x in rest)
    inside = {base64.b64decode(source.removeprefix(start)) for source in pictures}
    assert inside == {file.read_bytes() for file in files}
    assert len(set(reader.alts)) == 4 and all(reader.alts)
    assert len(text) < 1_200_000
    assert text.index("<iframe") < text.index("<li>")  # the motion first, then the methods


def test_ball_and_sleigh_move(written):
    for name, body, runs in (("ball", "ball", 2), ("sleigh", "sleigh", 3)):
        page = (written / f"{name}.html").read_text(encoding="utf-8")
        data = re.search(r'id="dalembert-scene">(.*?)</script>', page, re.DOTALL)[1]
        scene = json.loads(data)
        assert len(scene["runs"]) == runs and scene["play"]
        assert body in [b["name"] for b in scene["runs"][0]["bodies"]]
        assert len(page) < 1_200_000


def test_page_fits_phones_and_both_color_schemes(text):
    assert '<meta name="viewport" content="width=device-width' in text
    assert "prefers-color-scheme: dark" in text
    assert text.startswith("<!DOCTYPE html>") and '<html lang="en">' in text


def test_page_tells_the_numbers(text):
    for name in NAMES:
        assert f"<td>{name}</td>" in text
    assert "The energy is not conserved" in text and "moving energy error" in text
    assert "center (\N{MINUS SIGN}1.500000, 3.500000) m, radius 3.535534 m" in text
    assert "nan" not in re.sub(r'"data:[^"]*"', "", text)
    assert "symplectic" not in text


def test_demo_prints_tables_and_where_the_page_is(tour):
    folder, out = tour
    assert f"the page: {folder / 'index.html'}" in out
    assert all(out.count(name) == 2 for name in NAMES)
    assert "µs per step" in out and "compile s" in out


def test_demo_prints_what_a_run_says_of_itself(capsys):
    meta = da.results.Meta(warnings=("do not trust it",), h=0.1, steps=1)
    rows = da.Trajectory(*(np.zeros((2, 1)) for _ in range(5)), None, None, None, meta=meta)
    run = diagnostics.Run("gni-midpoint", 2, rows)
    demo._print(diagnostics.Comparison(None, 0.1, 1, 0.0, "energy error", (run,)), "a sleigh")
    assert "WARNING, gni-midpoint: do not trust it" in capsys.readouterr().out


def test_folder_that_cannot_be_made(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["demo", "--out", str(tmp_path / "file" / "out")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("dalembert: cannot make the folder")


# -- what the page says --------------------------------------------------------------------------


def test_ring_of_the_exact_motion():
    ball = da.systems.BallOnTurntable()
    t = 0.1 * np.arange(200.0)
    z = 1 + 1j + (1 + 1j) * (np.exp(0.4j * t) - 1) / 0.4j
    q, v = np.stack([z.real, z.imag], axis=1), np.ones((200, 5))
    rows = da.Trajectory(t, q, v, v, v, None, t, t)
    ring = demo.fit_ring(rows, ball)
    np.testing.assert_allclose(ring.center, (-1.5, 3.5), atol=1e-12)
    np.testing.assert_allclose(ring.exact_center, (-1.5, 3.5), atol=1e-12)
    assert ring.radius == pytest.approx(np.sqrt(2) / 0.4)
    assert ring.exact_radius == pytest.approx(np.sqrt(2) / 0.4)
    assert ring.deviation < 1e-12 and abs(ring.ahead) < 1e-12


def test_ring_of_gni():
    # closed form of the scheme: phase asin(kappa h) per step, radius 3.535534472525
    traj = da.simulate(da.systems.BallOnTurntable(), da.GNI(da.Midpoint()), h=0.1, steps=2000)
    ring = demo.fit_ring(traj)
    np.testing.assert_allclose(ring.center, (-1.5, 3.5), atol=1e-8)
    assert ring.radius == pytest.approx(3.535534472525, abs=1e-9)
    assert ring.ahead == pytest.approx(2000 * (np.arcsin(0.04) - 0.04), abs=1e-6)


def test_gni_leaves_the_sleigh_once_it_has_settled():
    sleigh, gni = da.systems.ChaplyginSleigh(), da.GNI(da.Midpoint())
    found = diagnostics.compare(sleigh, [gni], h=0.1, steps=450)
    halved = da.simulate(sleigh, gni, h=0.05, steps=900)
    story = demo.SleighStory.of(found, halved)
    left, left_halved = story.left_at(1.0)
    assert 30 < left < left_halved < 45
    assert found.runs[0].constraint_residual_max < 1e-14
    assert np.max(story.distance["gni-midpoint"][story.t <= 12]) < 0.2


@pytest.mark.parametrize(
    "x, written",
    [
        (0.0, "0"),
        (0.361, "0.36"),
        (1.6e-6, "1.6&times;10<sup>\N{MINUS SIGN}6</sup>"),
        (2.5e12, "2.5&times;10<sup>12</sup>"),
    ],
)
def test_numbers_as_people_write_them(x, written):
    assert pages.number(x) == written
