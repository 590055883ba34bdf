"""Pictures have labels, units and legends, in both themes, and files that are complete."""

import os
import sys
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import jax.numpy as jnp
import numpy as np
import pytest

from dalembert import UsageError, files, plots, scene
from dalembert.groupoids import LieGroup
from dalembert.groups import SO, Euclidean, Product
from dalembert.results import Meta, Trajectory
from dalembert.system import System

pytest.importorskip("matplotlib")

T = np.linspace(0.0, 4.0, 41)
XY = np.stack([np.cos(T), np.sin(T)], axis=1)
THEMES = ("light", "dark")


class Skate(System):
    space = Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    velocity_names = ("x_dot", "y_dot", "theta_dot")
    units = ("m", "m", "rad")

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), jnp.zeros(())])[None]


class Ball(System):
    space = Product(Euclidean(2), SO(3))
    coordinate_names = ("x", "y")
    units = ("m", "m")

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def force(self, t, q, v):
        return -v


class Top(System):
    space = LieGroup(SO(3))

    def lagrangian(self, q, v):
        return 0.5 * v @ v


def make(system, q, constraints):
    n = len(T)
    v = jnp.stack([jnp.cos(k + jnp.asarray(T)) for k in range(system.dim)], axis=1)
    return Trajectory(
        t=jnp.asarray(T),
        q=q,
        v=v,
        p=v,
        multiplier=jnp.ones((n, constraints)),
        frame=None,
        residual=jnp.zeros(n),
        result=jnp.zeros(n, dtype=jnp.int32),
        meta=Meta.of(system, "gni-midpoint", h=0.1, steps=n - 1),
    )


def skate():
    return Skate(), make(Skate(), jnp.asarray(np.c_[XY, T]), 1)


def ball():
    turns = jnp.tile(jnp.eye(3), (len(T), 1, 1))
    return Ball(), make(Ball(), (jnp.asarray(XY), turns), 0)


def top():
    return Top(), make(Top(), jnp.zeros((len(T), 0)), 0)


def titles(fig):
    return [ax.get_title(loc="left") for ax in fig.axes]


def texts(fig):
    found = [text.get_text() for text in fig.findobj(match=lambda x: hasattr(x, "get_text"))]
    return " | ".join(found)


def single_panels(theme):
    return {
        "path": plots.path(XY, units=("m", "m"), theme=theme),
        "coordinates": plots.coordinates(
            T, XY, names=("x", "angle"), units=("m", "rad"), theme=theme
        ),
        "energy": plots.energy_error(T, 1e-6 * np.sin(T), theme=theme),
        "residual": plots.constraint_residual(T, 1e-15 * np.abs(np.sin(T)), theme=theme),
        "multipliers": plots.multipliers(T, XY, theme=theme),
    }


@pytest.mark.parametrize("theme", THEMES)
def test_panels_are_labelled(theme):
    figures = single_panels(theme)
    for fig in figures.values():
        (ax,) = fig.axes
        assert ax.get_xlabel() and ax.get_ylabel()
        assert min(x.get_fontsize() for x in fig.findobj(lambda x: hasattr(x, "get_fontsize"))) >= 9
    assert figures["path"].axes[0].get_xlabel() == "x [m]"
    assert figures["path"].axes[0].get_aspect() == 1.0
    assert "start" in texts(figures["path"]) and "end" in texts(figures["path"])
    assert "$x$ [m]" in texts(figures["coordinates"]) and "angle [rad]" in texts(
        figures["coordinates"]
    )
    assert figures["energy"].axes[0].get_ylabel() == "energy error [J]"
    assert figures["residual"].axes[0].get_yscale() == "log"
    assert r"$\lambda_{2}$" in texts(figures["multipliers"])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("suffix", plots.FORMATS)
def test_save(theme, suffix, tmp_path):
    fig = plots.path(XY, theme=theme)
    file = tmp_path / f"picture{suffix}"
    plots.save(fig, file)
    first = file.read_bytes()
    magic = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}[suffix]
    assert first.startswith(magic) and len(first) > 2000
    plots.save(fig, file)  # replaces, with the same bytes
    assert file.read_bytes() == first
    assert os.listdir(tmp_path) == [file.name]
    if suffix == ".svg":
        assert "x" in [
            t.text for t in ET.fromstring(first).iter("{http://www.w3.org/2000/svg}text")
        ]


def test_background_follows_the_theme():
    light, dark = (plots.path(XY, theme=theme).get_facecolor() for theme in THEMES)
    assert sum(light[:3]) > 2.9 and sum(dark[:3]) < 0.5


def test_no_global_state_is_touched():
    import matplotlib

    before = dict(matplotlib.rcParams)
    loaded = "matplotlib.pyplot" in sys.modules
    single_panels("dark")
    assert dict(matplotlib.rcParams) == before
    assert ("matplotlib.pyplot" in sys.modules) == loaded


def test_zeros_are_drawn_at_a_floor_that_is_named():
    residual = np.where(np.arange(41) % 2, 1e-15, 0.0)
    fig = plots.constraint_residual(T, residual, floor=1e-18)
    drawn = np.concatenate([line.get_ydata() for line in fig.axes[0].get_lines()])
    assert np.nanmin(drawn) == 1e-18
    assert "at most 1e-18" in texts(fig)
    curve = fig.axes[0].get_lines()[0]
    assert curve.get_marker() == "."  # values between zeros show, though no line joins them
    assert "at most" not in texts(plots.constraint_residual(T, np.full(41, 1e-15)))


def test_a_residual_of_zero_throughout_can_be_drawn(tmp_path):
    plots.save(plots.constraint_residual(T, np.zeros(41)), tmp_path / "zero.png")
    plots.save(plots.path(np.zeros((3, 2))), tmp_path / "point.png")


@pytest.mark.parametrize("theme", THEMES)
def test_overview(theme, tmp_path):
    fig = plots.overview(*skate(), theme=theme)
    assert titles(fig) == [
        "path",
        "coordinates: x, y",
        "coordinates: θ",
        "velocities: x\N{COMBINING DOT ABOVE}, y\N{COMBINING DOT ABOVE}",
        "velocities: θ\N{COMBINING DOT ABOVE}",
        "multipliers",
        "energy error",
        "constraint residual",
    ]
    assert fig.get_suptitle() == "skate, gni-midpoint, h = 0.1"
    assert all(ax.get_xlabel() and ax.get_ylabel() for ax in fig.axes)
    assert "velocity [rad/s]" in texts(fig)
    plots.save(fig, tmp_path / "overview.png")
    assert (tmp_path / "overview.png").stat().st_size > 20_000


def test_overview_without_constraints_or_vectors():
    assert titles(plots.overview(*ball())) == [
        "path",
        "coordinates",
        "velocities",
        "energy change (not conserved)",
    ]
    assert titles(plots.overview(*top())) == ["velocities", "energy error"]
    system, traj = skate()
    with pytest.raises(UsageError, match="two rows"):
        plots.overview(system, traj[:1])


def test_look_curves_that_cover_each_other_have_dashes():
    same = np.stack([np.sin(T), np.cos(T), np.sin(T) + 1e-9], axis=1)
    lines = plots.coordinates(T, same, names=("a", "b", "c")).axes[0].lines
    assert [x.get_linestyle() for x in lines] == ["-", "-", "-."]


def test_columns_of_one_unit_and_size_share_an_axis():
    grouped = plots.panels.grouped
    sizes = np.array([1.0, 80.0, 0.02, 0.5, 3.0, 1e-14])
    values = sizes * np.sin(T + 0.2)[:, None]
    # a lean of 0.02 rad beside 80 rad of a wheel; round-off gets no axis of its own
    assert grouped(values, ("m", "rad", "rad", "rad", "m", "rad")) == [[0, 4], [1], [3], [2, 5]]
    assert grouped(np.zeros((3, 2)), ("m", "m")) == [[0, 1]]


def test_multipliers_are_named_by_their_contacts():
    system, traj = skate()

    class Named(type(system)):
        constraint_names = ("blade, across",)

    fig = plots.overview(Named(), traj)
    assert "reaction forces" in titles(fig) and "blade, across" in texts(fig)


def test_lean_and_pitch_are_drawn_and_axes_that_turn_over_are_not():
    lean = 0.1 * np.sin(T)
    leaning = np.array([scene.turn_x(x) for x in lean])
    rolling = np.array([scene.turn_y(x) for x in np.linspace(0.0, 3.0, len(T))])
    found = plots.trajectories.attitudes(
        SimpleNamespace(q=(np.zeros((len(T), 2)), leaning, rolling))
    )
    assert list(found) == ["y axis 1"]
    np.testing.assert_allclose(found["y axis 1"], lean, atol=1e-15)


def test_finding3_look_a_constant_with_round_off_is_a_flat_line(tmp_path):
    noise = 0.4 + 1e-14 * np.sin(7 * T)
    fig = plots.coordinates(T, noise[:, None])
    (ax,) = fig.axes
    low, high = ax.get_ylim()
    assert high - low > 0.01 and low < 0.4 < high
    plots.save(fig, tmp_path / "flat.png")
    assert max(len(x.get_text()) for x in ax.get_yticklabels()) < 25  # with its mathtext
    # what is drawn later is in sight, and a small motion still fills its axis
    plots.coordinates(T, 3 + XY[:, :1], ax=ax)
    assert ax.get_ylim()[1] > 3
    low, high = plots.coordinates(T, 0.4 + 1e-7 * np.sin(T)[:, None]).axes[0].get_ylim()
    assert high - low < 1e-6
    # a robot that turns on the spot
    (ax,) = plots.path(np.stack([noise, 1e-17 * T], axis=1)).axes
    plots.save(ax.figure, tmp_path / "path.png")
    assert np.ptp(ax.get_xlim()) > 0.01 and np.ptp(ax.get_ylim()) > 0.01
    # and by hand
    with plots.canvas("light") as (_, ax, look):
        ax.plot(T, noise)
        plots.finish(ax, look)
    assert np.ptp(ax.get_ylim()) > 0.01


def test_a_figure_shows_in_a_notebook():
    assert plots.path(XY)._repr_png_().startswith(b"\x89PNG")


def test_compare_draws_paths():
    run = {"t": T, "energy_error": 1e-3 * np.sin(T), "residual": np.full(41, 1e-9)}
    fig = plots.compare({"rk4": {**run, "path": XY}, "dla": run})
    assert "paths" in titles(fig) and len(fig.axes) == 3
    (paths,) = (ax for ax in fig.axes if ax.get_title(loc="left") == "paths")
    np.testing.assert_array_equal(paths.get_lines()[0].get_xydata(), XY)
    with pytest.raises(UsageError, match="path of 'rk4'"):
        plots.compare({"rk4": {**run, "path": T}})


def test_compare_shows_how_far_apart_the_paths_are():
    run = {"t": T, "energy_error": 1e-3 * np.sin(T), "residual": np.full(41, 1e-9)}
    fig = plots.compare(
        {"a": {**run, "path": XY + [3e-6, 4e-6]}, "b": {**run, "path": XY}}, path_unit="m"
    )
    (apart,) = (ax for ax in fig.axes if "distance from the path of b" in ax.get_title(loc="left"))
    (line,) = apart.get_lines()
    np.testing.assert_allclose(line.get_ydata(), 5e-6, rtol=1e-6)
    assert apart.get_yscale() == "log" and apart.get_ylabel() == "distance [m]"
    assert {"x [m]"} <= {ax.get_xlabel() for ax in fig.axes}
    cut = {**run, "path": XY[:-1]}  # other times: no panel
    assert "distance" not in "".join(titles(plots.compare({"a": cut, "b": {**run, "path": XY}})))


def test_compare():
    runs = {
        name: {"t": T, "energy_error": scale * np.sin(T), "residual": np.full(41, scale)}
        for name, scale in (("rk4", 1e-3), ("gni-midpoint", 1e-6))
    }
    fig = plots.compare(runs, title="sleigh")
    above, below = fig.axes
    assert above.get_ylabel() == "|energy error| [J]"
    assert below.get_ylabel() == "constraint residual"
    assert [t.get_text() for t in above.get_legend().get_texts()] == ["rk4", "gni-midpoint"]
    # the value at the start is zero by definition and would only set the scale
    assert all(line.get_xdata()[0] > 0 for line in above.get_lines() if len(line.get_xdata()) > 2)


def test_legends_are_outside_the_data(tmp_path):
    for fig in (plots.path(XY), plots.coordinates(T, XY, names=("a", "b"))):
        plots.save(fig, tmp_path / "drawn.png")
        (ax,) = fig.axes
        assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1 - 1


@pytest.mark.parametrize(
    "draw, message",
    (
        (lambda: plots.path(XY, theme="drak"), "did you mean dark"),
        (lambda: plots.path(np.zeros((3, 4))), r"xy must have rows of 2 numbers.*\(3, 4\)"),
        (lambda: plots.coordinates(T, T), "values must have rows"),
        (lambda: plots.energy_error([], []), "non-empty"),
        (lambda: plots.compare({}), "nothing to compare"),
        (
            lambda: plots.compare(
                {str(i): {"t": T, "energy_error": T, "residual": T} for i in range(9)}
            ),
            "at most 8 runs",
        ),
    ),
)
def test_misuse(draw, message):
    with pytest.raises(UsageError, match=message):
        draw()


def test_save_refuses(tmp_path):
    fig = plots.path(XY)
    with pytest.raises(UsageError, match=r"'\.gif'; known: \.png, \.svg, \.pdf"):
        plots.save(fig, tmp_path / "picture.gif")
    with pytest.raises(UsageError, match="does not exist"):
        plots.save(fig, tmp_path / "missing" / "picture.png")


def test_a_crash_leaves_the_old_picture(tmp_path, monkeypatch):
    file = tmp_path / "picture.png"
    plots.save(plots.path(XY), file)
    before = file.read_bytes()

    def crash(*args):
        raise OSError("disk full")

    monkeypatch.setattr(files.os, "replace", crash)
    with pytest.raises(OSError, match="disk full"):
        plots.save(plots.path(-XY), file)
    assert file.read_bytes() == before and os.listdir(tmp_path) == [file.name]
