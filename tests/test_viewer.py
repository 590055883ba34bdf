"""Runs to plain data and pages: what is encoded, thinned, refused, and the doors."""

import base64
import dataclasses
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import reproduce
from dalembert import scene as sc
from dalembert.cli import main
from dalembert.names import math_symbol, symbol, velocity_units
from dalembert.reproduce import gallery, runner
from dalembert.viewer import Run, encode, page
from dalembert.viewer.encode import quaternions
from moving import moving, unpacked

ROOT = Path(__file__).parent.parent
DISK = da.systems.RollingDisk()


def matrices(q):
    x, y, z, w = (q / np.linalg.norm(q, axis=1)[:, None]).T
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1),
        np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1),
        np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1),
    ], 1)  # fmt: skip


# -- what is encoded -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rolling-disk", "two-wheeled-robot", "suslov"])
def test_encoded_poses_are_those_of_the_scene(name):
    system = da.systems.registry[name]()
    traj = moving(system)
    exact = sc.poses(system, traj.t, traj.q, traj.v, traj.multiplier, traj.frame)
    scene = encode([Run(system, traj)])
    (run,) = scene["runs"]
    rows = np.searchsorted(traj.t, unpacked(scene, run["t"]))
    for body in run["bodies"]:
        place = unpacked(scene, body["position"])
        assert np.allclose(place, exact.position[body["name"]][rows], atol=1e-6)
        if body["quaternion"] is not None:
            drawn = matrices(unpacked(scene, body["quaternion"]))
            assert np.allclose(drawn, exact.attitude[body["name"]][rows], atol=2e-4)


def test_encoded_contact_follows_the_scene():
    """The material point at the contact, by differences of the encoded poses, hardly moves."""
    t = np.linspace(0.0, 2.0, 801)
    system = da.systems.VerticalRollingDisk()
    q, v = (np.asarray(x) for x in zip(*(map(np.asarray, system.closed_form(s)) for s in t[:1])))
    q = np.stack([np.asarray(system.closed_form(s)[0]) for s in t[::20]])
    v = np.stack([np.asarray(system.closed_form(s)[1]) for s in t[::20]])
    traj = moving(system, rows=len(q))
    traj = da.Trajectory(
        t[::20], q, v, v, traj.multiplier, None, traj.residual, traj.result, traj.meta
    )
    scene = encode([Run(system, traj)])
    (body,) = scene["runs"][0]["bodies"]
    place, turn = unpacked(scene, body["position"]), matrices(unpacked(scene, body["quaternion"]))
    lever = np.array([0.0, 0.0, -1.0])
    moved = place[1:] + turn[1:] @ np.swapaxes(turn[:-1], 1, 2) @ lever - (place[:-1] + lever)
    step = np.linalg.norm(np.diff(place, axis=0), axis=1)
    assert np.max(np.linalg.norm(moved, axis=1)) < 0.1 * step.max()  # of second order in the step
    backwards = place[1:] + np.swapaxes(turn[1:], 1, 2) @ turn[:-1] @ lever - (place[:-1] + lever)
    assert np.max(np.linalg.norm(backwards, axis=1)) > step.max()  # the wrong way is seen


def test_quaternions_of_all_turns():
    rng = np.random.default_rng(3)
    axes = rng.normal(size=(200, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    angles = np.concatenate([np.linspace(0, 2 * np.pi, 150), np.full(50, np.pi)])
    exact = np.stack([np.asarray(da.SO(3).exp(jnp.asarray(a * w))) for a, w in
                      zip(angles[::10], axes[::10])])  # fmt: skip
    assert np.allclose(matrices(quaternions(exact)), exact, atol=1e-12)
    t = np.linspace(0.0, 20.0, 400)
    steady = quaternions(np.stack([np.asarray(sc.turn_z(s)) for s in t]))
    assert np.all(np.sum(steady[1:] * steady[:-1], axis=1) > 0.99)  # no jump of sign


def test_equal_arrays_are_stored_once_and_still_ones_as_one_row():
    scene = encode([Run(DISK, moving(DISK))])
    run = scene["runs"][0]
    assert run["traces"][0]["points"] == run["arrows"][0]["at"]
    robot = da.systems.MobileRobot()
    bodies = encode([Run(robot, moving(robot))])["runs"][0]["bodies"]
    assert bodies[0]["quaternion"] is None and len({b["quaternion"] for b in bodies[1:]}) == 1


def test_curves_and_ghosts():
    first, second = moving(DISK), moving(DISK, method="dla", shift=0.01)
    scene = encode([Run(DISK, first), Run(DISK, second, "other")])
    names = [p["name"] for p in scene["panels"]]
    assert names[:6] == ["distance from rk4", "x", "y", "ψ", "φ", "θ"]  # the motion first
    assert names[6:8] == ["energy error", "constraint residual"]
    assert names[-2:] == ["λ₁", "λ₂"] and "θ\N{COMBINING DOT ABOVE}" in names
    assert [c["run"] for c in scene["panels"][1]["curves"]] == [0, 1]
    apart = unpacked(scene, scene["panels"][0]["curves"][0]["values"])
    a, b = (
        sc.poses(DISK, x.t, x.q, x.v, x.multiplier, x.frame).position["disk"]
        for x in (first, second)
    )
    assert scene["runs"][1]["every"] == 1
    assert np.allclose(apart, np.linalg.norm(a - b, axis=1), atol=1e-6)
    assert scene["runs"][1]["label"] == "other, h = 0.05"


class Puck(da.System):
    space = da.Euclidean(3)
    coordinate_names = ("x", "y", "theta")

    def lagrangian(self, q, v):
        return 0.5 * v @ v


def test_look_reactions_have_units():
    """A row of velocities belongs to a force, a row of angular velocities to a torque."""
    without = {"suslov", "suslov-so-n", "particle-across-cone"}  # pure numbers, or mixed rows
    for name, cls in da.systems.registry.items():
        system = cls()
        if not system.is_constrained or name in without:
            continue
        if system.has_holonomic or system.is_nonlinear or system.constraint_labels:
            assert system.constraint_units, name
            continue
        rows = np.asarray(system.constraint_at(0.0, system.initial()[0]))
        rates = velocity_units(system)
        assert len(system.constraint_units) == len(rows), name
        for row, unit in zip(rows, system.constraint_units):
            moves = any(row[i] and rate == "m/s" for i, rate in enumerate(rates))
            assert unit == ("N" if moves else "N m"), name


def test_look_what_is_free_has_no_reaction_to_draw():
    assert not sc.scene_of(Puck()).arrows


def test_finding3_look_energy_changes_where_a_control_acts():
    free = moving(DISK)
    driven = dataclasses.replace(
        free, meta=dataclasses.replace(free.meta, system="other", controlled="rolling-disk")
    )
    for x, name in ((free, "energy error"), (driven, "energy change")):  # motors do work
        assert name in [p["name"] for p in encode([Run(DISK, x)])["panels"]]


def test_look_what_is_exact_is_a_badge_and_not_a_curve_of_round_off():
    exact = da.simulate(DISK, h=0.02, steps=20, progress=False)
    scene = encode([Run(DISK, exact)])
    assert [x.rpartition(" to ")[0] for x in scene["badges"]] == [
        "energy conserved",
        "constraint kept",
    ]
    names = [p["name"] for p in scene["panels"]]
    assert not {"energy error", "constraint residual"} & set(names)
    off = dataclasses.replace(exact, v=np.asarray(exact.v) + 1e-6)
    scene = encode([Run(DISK, exact), Run(DISK, off)])  # one run is off: curves of both
    assert scene["badges"] == [] or "constraint" not in " ".join(scene["badges"])
    assert "constraint residual" in [p["name"] for p in scene["panels"]]
    assert [p["open"] for p in scene["panels"] if p["name"].startswith("x")][:1] == [True]


def test_look_only_warnings_of_the_times_that_are_shown():
    def shown(text, rows):
        traj = moving(DISK)
        meta = dataclasses.replace(traj.meta, warnings=(text,))
        return encode([Run(DISK, dataclasses.replace(traj, meta=meta)[:rows])])["warnings"]

    assert shown("the mode has taken over at t = 2.5", 60) == ["the mode has taken over at t = 2.5"]
    assert shown("the mode has taken over at t = 2.5", 20) == []
    assert shown("no time is named", 20) == ["no time is named"]


@pytest.mark.parametrize(
    ("name", "plain", "mathematics"),
    [
        ("theta1_dot", "θ\N{COMBINING DOT ABOVE}₁", r"$\dot{\theta}_{1}$"),
        ("x", "x", "$x$"),
        ("Omega2 body", "Ω₂ body", r"$\Omega_{2}$ body"),
        ("steer_dot", "steer rate", "steer rate"),
        ("front left_dot", "front left rate", "front left rate"),
        ("yaw_rate", "yaw rate", "yaw rate"),
    ],
)
def test_look_names_are_written_with_greek_letters_and_dots(name, plain, mathematics):
    assert symbol(name) == plain and math_symbol(name) == mathematics


def test_finding3_look_a_scene_says_which_way_is_up(monkeypatch):
    bicycle, given = da.systems.WhippleBicycle(), DISK.scene()
    assert encode([Run(bicycle, moving(bicycle))])["up"] == [0.0, 0.0, -1.0]

    def seen(**changes):
        changed = dataclasses.replace(given, **changes)
        module = importlib.import_module("dalembert.viewer.encode")
        monkeypatch.setattr(module, "scene_of", lambda system: changed)
        return encode([Run(DISK, moving(DISK))])

    below = sc.Ground(((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)))
    assert seen()["up"] == [0.0, 0.0, 1.0]
    assert seen(up=(0.0, 3.0, 4.0))["up"] == pytest.approx([0.0, 0.6, 0.8])
    assert seen(ground=None)["up"] == [0.0, 0.0, 1.0]
    scene = seen(ground=below)  # the ground's normal says it where the scene does not
    assert scene["up"] == [0.0, 0.0, -1.0]
    assert scene["box"][1][2] < seen()["box"][1][2]  # the plane is not passed by a body's size
    for wrong in ((0.0, 0.0, 0.0), (1.0, np.nan, 0.0), (0.0, 1.0)):
        with pytest.raises(da.UsageError, match="up must be a direction"):
            seen(up=wrong)


def test_finding3_look_only_bodies_with_a_size_are_followed_from_nearby():
    """A point that is scaled with its motion is a small part of its path by construction."""
    pair = da.systems.registry["benenti"]()
    assert encode([Run(DISK, moving(DISK))])["sized"]
    assert not encode([Run(pair, moving(pair))])["sized"]


def test_a_table_holds_all_runs():
    system = da.systems.BallOnTurntable()
    near, far = moving(system), moving(system)
    far = da.Trajectory(
        far.t, 3 * np.asarray(far.q), far.v, far.p, far.multiplier, far.frame, far.residual,
        far.result, far.meta,
    )  # fmt: skip
    scene = encode([Run(system, near), Run(system, far, "far")])
    table = scene["runs"][0]["bodies"][0]["pieces"][0]["size"]["radius"]
    assert table > np.linalg.norm(np.asarray(far.q), axis=1).max()
    assert [b["name"] for b in scene["runs"][1]["bodies"]] == ["ball"]  # one stage for all


# -- long runs -----------------------------------------------------------------------------------


def long_run(rows, rate=1.0):
    system = da.systems.VerticalRollingDisk()
    traj = moving(system, rows=rows)
    t = 0.01 * np.arange(rows)
    q = np.stack([np.sin(rate * t), np.cos(rate * t), rate * t, 3 * rate * t], axis=1)
    return system, da.Trajectory(
        t, q, traj.v, traj.p, traj.multiplier, None, traj.residual, traj.result, traj.meta
    )


def test_long_runs_are_thinned_and_keep_their_ends_and_peaks():
    system, traj = long_run(10_001)
    spike = np.asarray(traj.v).copy()
    spike[7777] += 5.0  # a peak of the residual between rows that are kept
    traj = da.Trajectory(
        traj.t, traj.q, spike, traj.p, traj.multiplier, None, traj.residual, traj.result, traj.meta
    )
    scene = encode([Run(system, traj)], max_rows=500)
    run = scene["runs"][0]
    t = unpacked(scene, run["t"])
    assert len(t) <= 500 and t[0] == 0.0 and t[-1] == 100.0 and run["every"] >= 20
    panel = next(p for p in scene["panels"] if p["name"] == "constraint residual")
    residual = np.asarray(da.diagnostics.constraint_residual(system, traj))
    shown = unpacked(scene, panel["curves"][0]["values"])
    assert shown.max() == pytest.approx(residual.max(), rel=1e-6)


def test_slow_runs_need_fewer_rows_and_fast_ones_warn():
    system, slow = long_run(1500, rate=0.05)
    assert encode([Run(system, slow)])["runs"][0]["every"] > 4
    system, fast = long_run(4001, rate=10.0)
    scene = encode([Run(system, fast)], max_rows=100)
    assert any("degrees between two rows" in text for text in scene["warnings"])


def test_page_of_six_bodies_and_two_thousand_rows_is_small():
    class Six(da.System):
        space = da.Euclidean(6)
        coordinate_names = ("a", "b", "c", "d", "e", "f")

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def constraint(self, q):
            return jnp.eye(6)[:2]

        def initial(self):
            return jnp.zeros(6), jnp.zeros(6)

        def scene(self):
            def place(i):
                return lambda row: row.q[jnp.array([i, (i + 1) % 6, (i + 2) % 6])]

            def turn(i):
                return lambda row: sc.turn_z(9 * row.q[i]) @ sc.turn_x(7 * row.q[(i + 3) % 6])

            return sc.Scene(
                [sc.Body(f"b{i}", sc.ball(0.1), place(i), turn(i)) for i in range(6)],
                traces=[sc.Trace("a", place(0)), sc.Trace("b", place(1))],
                arrows=[sc.Arrow("f", place(0), lambda row: row.force[:3])],
            )

    system = Six()
    base = moving(system, rows=2000)
    rng = np.random.default_rng(0)
    rough = np.cumsum(rng.normal(size=(2000, 6)), axis=0)
    traj = da.Trajectory(
        base.t, rough, rng.normal(size=(2000, 6)), base.p, rng.normal(size=(2000, 2)), None,
        base.residual, base.result, base.meta,
    )  # fmt: skip
    scene = encode([Run(system, traj)])
    assert len(unpacked(scene, scene["runs"][0]["t"])) == 2000
    assert len(page(scene)) < 1_200_000


# -- what is refused -----------------------------------------------------------------------------


def scene_with(at):
    class Odd(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def initial(self):
            return jnp.zeros(2), jnp.ones(2)

        def scene(self):
            return sc.Scene([sc.Body("it", sc.sphere(1.0), at)])

    return Odd()


def test_a_scene_that_is_no_number_is_named():
    system = scene_with(lambda row: sc.above(row.q / 0.0))
    with pytest.raises(da.UsageError, match=r"Odd.scene: the position of 'it' is not a finite"):
        encode([Run(system, moving(system))])
    later = scene_with(lambda row: sc.above(row.q, jnp.log(1.0 - row.t)))
    scene = encode([Run(later, moving(later))])
    assert scene["warnings"] == [
        "shown until t = 0.95 s: the position of 'it' is not a finite number after it"
    ]
    assert unpacked(scene, scene["runs"][0]["t"])[-1] == pytest.approx(0.95)


def test_runs_that_went_wrong_are_shown_as_far_as_they_can_be():
    traj = moving(DISK)
    q, lam = np.array(traj.q), np.array(traj.multiplier)
    q[40:, 0] = 1e40
    scene = encode([Run(DISK, dataclasses.replace(traj, q=q))])
    assert "shown until t = 1.95 s" in scene["warnings"][0]
    assert "the position of 'disk' is beyond all bounds" in scene["warnings"][0]
    lam[3] = np.nan  # the picture does not need it
    scene = encode([Run(DISK, dataclasses.replace(traj, multiplier=lam))])
    assert "the arrow 'friction' is left out" in scene["warnings"][0]
    assert not scene["runs"][0]["arrows"] and len(unpacked(scene, scene["runs"][0]["t"])) == 60
    with pytest.raises(da.UsageError, match="times of the rows do not increase"):
        encode([Run(DISK, dataclasses.replace(traj, t=traj.t[::-1]))])


def test_what_cannot_be_shown_is_told():
    traj = moving(DISK)
    sleigh = da.systems.ChaplyginSleigh()
    for words, act in (
        ("not to chaplygin-sleigh", lambda: encode([Run(sleigh, traj)])),
        ("nothing to show", lambda: encode([])),
        ("at most 6 runs", lambda: encode([Run(DISK, traj)] * 7)),
        ("has no rows", lambda: encode([Run(DISK, traj[:0])])),
        ("needs trajectories, got int", lambda: da.show(DISK, 3, open=False)),
        ("2 labels for 1 runs", lambda: da.show(DISK, traj, labels=["a", "b"], open=False)),
        ("max_rows must be at least 2", lambda: da.show(DISK, traj, max_rows=1, open=False)),
    ):
        with pytest.raises(da.UsageError, match=words):
            act()
    for body, words in (
        (sc.Body("it", sc.sphere(-1.0)), "radius of its sphere must be a positive length"),
        (sc.Body("it", sc.sphere(1.0), attitude=lambda row: -jnp.eye(3)), "not a rotation matrix"),
    ):
        bad = scene_with(lambda row: sc.above(row.q))
        type(bad).scene = lambda self, body=body: sc.Scene([body])
        with pytest.raises(da.UsageError, match=words):
            encode([Run(bad, moving(bad))])


# -- pages and doors -----------------------------------------------------------------------------


def test_page_names_its_script_and_style_by_hash():
    scene = encode([Run(DISK, moving(DISK))], title="</script><b>")
    text = page(scene)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    policy = policy.replace("&#x27;", "'")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    script = re.search(r"<script>(.*?)</script></body>", text, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    for part, rule in ((script, "script-src"), (style, "style-src")):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy
    data = re.search(r'id="dalembert-scene">(.*?)</script>', text, re.DOTALL)[1]
    assert json.loads(data)["title"] == "</script><b>"
    assert "three.js authors" in script.lower() or "Three.js Authors" in script  # its licence


def test_view_in_a_notebook_and_a_file(tmp_path):
    view = da.show(DISK, moving(DISK), open=False, height=300)
    text = view._repr_html_()
    assert text.startswith('<iframe sandbox="allow-scripts allow-downloads" srcdoc="')
    assert "height:300px" in text and "<script" not in text  # all of it escaped
    assert view.save(tmp_path / "x.html").read_text() == view.html()
    assert repr(view) == "<View of rolling disk: 1 runs of 60 rows>"
    with pytest.raises(da.UsageError, match="unknown suffix"):
        view.save(tmp_path / "x.pdf")


def test_show_opens_the_browser_or_says_where_the_page_is(monkeypatch, capsys):
    opened, showing = [], sys.modules["dalembert.viewer.show"]
    monkeypatch.setattr(showing.webbrowser, "open", lambda url: opened.append(url) or True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(showing.sys, "platform", "linux")
    da.show(DISK, moving(DISK))
    said = capsys.readouterr().err
    assert not opened and "no browser was found here; the page is " in said
    path = Path(said.split("the page is ")[1].strip())
    assert path.read_text().startswith("<!DOCTYPE html>")
    monkeypatch.setenv("DISPLAY", ":0")
    da.show(DISK, moving(DISK))
    assert opened == [Path(capsys.readouterr().err.split("browser: ")[1].strip()).as_uri()]


def test_view_command(tmp_path, capsys):
    traj = moving(DISK)
    traj.save(tmp_path / "a.nc")
    moving(DISK, shift=0.02).save(tmp_path / "b.zarr")
    out = tmp_path / "page.html"
    assert main(["view", str(tmp_path / "a.nc"), str(tmp_path / "b.zarr"), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"page: {out}\n"
    data = re.search(r'id="dalembert-scene">(.*?)</script>', out.read_text(), re.DOTALL)[1]
    labels = [run["label"] for run in json.loads(data)["runs"]]
    assert labels == ["a, rk4, h = 0.05", "b, rk4, h = 0.05"]


def test_members_of_ensembles_are_viewed(tmp_path, capsys):
    store, page = tmp_path / "many.zarr", tmp_path / "page.html"
    over = da.grid(R=[0.5, 1.0, 2.0])
    disk = da.systems.VerticalRollingDisk()
    many = da.simulate_ensemble(disk, h=0.05, steps=4, over=over, save_every=1, progress=False)
    many.save(store)

    def runs(*chosen):
        assert main(["view", str(store), *chosen, "--out", str(page)]) == 0
        data = re.search(r'id="dalembert-scene">(.*?)</script>', page.read_text(), re.DOTALL)[1]
        return [run["label"].partition(",")[0] for run in json.loads(data)["runs"]]

    assert runs() == ["member 0", "member 1", "member 2"]
    assert runs("--member", "2", "--member", "0") == ["member 2", "member 0"]
    capsys.readouterr()
    for words, *given in (
        ("has 3 members: --member is 0 to 2", store, "--member", "3"),
        ("which is shown alone", store, store),
    ):
        assert main(["view", *map(str, given), "--out", str(page)]) == 2
        assert words in capsys.readouterr().err


def test_a_member_of_a_hybrid_ensemble_is_viewed(tmp_path):
    from dalembert.hybrid import zoo

    modes, store = zoo.registry["bouncing-ball"](), tmp_path / "many"
    over = da.grid(m=[1.0, 2.0])
    many = da.hybrid.simulate_ensemble(modes, h=0.01, t=0.1, over=over, store=store)
    assert repr(many) == "HybridEnsemble(2 members, 2 end in 'air', 0 to 0 jumps each)"
    assert many._repr_html_().count("<table") == 1
    page = tmp_path / "page.html"
    assert main(["view", str(store), "--member", "1", "--out", str(page)]) == 0
    assert "dalembert-scene-1" in page.read_text()


OWN = """
import jax.numpy as jnp
import dalembert as da


class Drifting(da.System):
    m: float = 2.0
    space = da.Euclidean(2)
    coordinate_names = ("x", "y")

    def lagrangian(self, q, v):
        return 0.5 * self.m * v @ v

    def initial(self):
        return jnp.zeros(2), jnp.ones(2)
"""


def test_view_of_a_system_of_ones_own_and_mistakes(tmp_path, capsys):
    file = tmp_path / "own.py"
    file.write_text(OWN)
    names = {}
    exec(OWN, names)
    own = names["Drifting"]()
    moving(own).save(tmp_path / "own.nc")
    (tmp_path / "no.nc").write_text("not a result")
    out = ["--out", str(tmp_path / "x.html")]
    assert main(["view", str(tmp_path / "own.nc"), *out, "--system", f"{file}:Drifting"]) == 0
    capsys.readouterr()
    for arguments, words in (
        ([tmp_path / "own.nc"], "is a run of drifting, which is not one of the library: add"),
        ([tmp_path / "no.nc"], "cannot load"),
        ([tmp_path / "none.zarr"], "there is no such file"),
        ([file], "unknown suffix"),
        ([tmp_path / "own.nc", "--system", "rolling-disk"], "not to rolling-disk"),
    ):
        assert main(["view", *map(str, arguments), *out]) == 2
        said = capsys.readouterr().err
        assert words in said and "Traceback" not in said
    assert main(["view", str(tmp_path / "own.nc"), "--out", str(tmp_path / "x.png")]) == 2
    assert "unknown suffix" in capsys.readouterr().err


def test_a_film_that_cannot_be_made_is_told(tmp_path, monkeypatch):
    traj = moving(DISK)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(da.UsageError, match=r"needs Chromium.*write .html instead"):
        da.plots.animate(DISK, traj, tmp_path / "x.gif")
    (tmp_path / "chromium").write_text("#!/bin/sh\n")
    (tmp_path / "chromium").chmod(0o755)
    with pytest.raises(da.UsageError, match=r"\.mp4 needs ffmpeg.*\.gif does not"):
        da.plots.animate(DISK, traj, tmp_path / "x.mp4")
    with pytest.raises(da.UsageError, match="unknown suffix"):
        da.plots.animate(DISK, traj, tmp_path / "x.avi")
    assert da.plots.animate(DISK, traj, tmp_path / "x.html").is_file()


def test_an_experiment_links_to_what_moves(tmp_path):
    @reproduce.experiment("moving", source="[X] 1", title="A title", see="Look.")
    def moving_experiment(full, seed):
        runs = {"first": moving(DISK), "second": moving(DISK, shift=0.1)}
        claim = reproduce.Claim("a claim", [reproduce.Check("a number", 1.0, 0.0, 2.0)])
        return reproduce.Outcome(
            [claim], [], [], motions=[reproduce.Motion("It rolls.", DISK, runs)]
        )

    record = runner.run_one(moving_experiment, tmp_path)
    assert record["motions"] == [{"see": "It rolls.", "page": "moving-moves.html"}]
    text = gallery.page({"A source": [record]})
    assert '<a href="moving-moves.html">See it move</a>: It rolls.' in text
    assert (tmp_path / "moving-moves.html").read_text().startswith("<!DOCTYPE html>")


# -- the built front end -------------------------------------------------------------------------


def test_built_viewer_is_of_these_sources(tmp_path):
    folder = ROOT / "viewer"
    digest = hashlib.sha256()
    names = ["build.mjs", "package.json", *sorted(f"src/{p.name}" for p in folder.glob("src/*"))]
    for name in names:
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
    built = ROOT / "src" / "dalembert" / "viewer"
    first = (built / "viewer.js").read_text().partition("\n")[0]
    assert digest.hexdigest() in first, "the sources have changed: make viewer"
    wanted = json.loads((folder / "package.json").read_text())
    for name, version in {**wanted["dependencies"], **wanted["devDependencies"]}.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        installed = folder / "node_modules" / name / "package.json"
        if not installed.is_file() or json.loads(installed.read_text())["version"] != version:
            return  # without the tools the hash has to do
    if not shutil.which("node"):
        return
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=folder, check=True)
    for name in ("viewer.js", "viewer.css", "LICENSE.three"):
        assert (tmp_path / name).read_bytes() == (built / name).read_bytes()


def test_no_address_in_what_is_shipped():
    text = importlib.import_module("dalembert.viewer.page").built("viewer.js")
    allowed = ("http://www.w3.org/",)
    for url in re.findall(r"https?://[\w./-]+", text):
        assert url.startswith(allowed) or "three" in url or "github" in url, url
    assert not os.path.exists(ROOT / "viewer" / "package-lock.json")
