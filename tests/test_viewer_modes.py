"""Hybrid runs in the viewer: modes as a band, states of contacts, curves that are true by mode."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid, parts
from dalembert.hybrid import zoo
from dalembert.viewer.phases import STATES


def ball(height=0.1, speed=2.0):
    return hybrid.with_friction(
        parts.build(
            parts.Body("ball", 2.0, shape=da.scene.sphere(0.1)),
            parts.Free("ball", start=(0, 0, height), speed=(speed, 0, 0, 0, 0, 0)),
            parts.Ball("ball", 0.1, mu=0.2),
            parts.Gravity(9.81),
        )
    )


@pytest.fixture(scope="module")
def slid():
    """A ball that slides for 2 v/(7 mu g) = 0.291 s, then rolls."""
    modes = ball()
    run = da.simulate(modes, h=0.01, t=0.6, progress=False)
    return modes, run, da.show(modes, run, open=False).scene


def test_modes_are_a_band_with_the_times_of_the_jumps(slid):
    _, run, scene = slid
    band = scene["modes"]
    assert band["names"] == ("ball slides", "ball holds") and band["which"] == [0, 1]
    assert band["t"] == [0.0, pytest.approx(4.0 / (7 * 0.2 * 9.81), abs=1e-6)]
    assert da.show(DISK, da.simulate(DISK, h=0.1, steps=4), open=False).scene["modes"] is None


DISK = da.systems.RollingDisk()


def test_look_a_hybrid_overview_has_units_and_an_axis_for_each_size(slid):
    fig = da.plots.overview(*slid[:2])
    labels = [ax.get_ylabel() for ax in fig.axes]
    assert {"coordinate [m]", "velocity [m/s]", "velocity [rad/s]", "energy [J]"} <= set(labels)
    named = [
        x.get_text() for ax in fig.axes if ax.get_legend() for x in ax.get_legend().get_texts()
    ]
    assert r"$\dot{x}$" in named and "x_dot" not in named


def test_a_contact_has_a_state_in_each_mode(slid):
    (contact,) = slid[2]["runs"][0]["contacts"]
    assert [STATES[x] for x in contact["states"]] == ["slides", "holds"]
    assert contact["body"] == "ball" and contact["radius"] == pytest.approx(0.05)
    falls = ball(height=0.15, speed=0.0)
    run = da.simulate(falls, h=0.01, t=0.05, progress=False)
    (contact,) = da.show(falls, run, open=False).scene["runs"][0]["contacts"]
    assert [STATES[x] for x in contact["states"]] == ["is open"]


def test_curves_of_a_hybrid_run_are_true_in_every_mode(slid):
    modes, run, scene = slid
    names = [p["name"] for p in scene["panels"]]
    assert "energy change" in names and "energy error" not in names  # friction takes energy
    assert not any("work" in x or "residual" in x for x in names)
    assert any(x.startswith("constraint kept to") for x in scene["badges"])
    drawn = run.as_drawn("ball slides")
    # the load acts in both modes: m g, and not zero in the one that is not drawn
    assert np.allclose(drawn.multiplier[:, 0], 2.0 * 9.81, rtol=1e-9)
    assert run.has_rows_of("ball slides").all()


def test_rows_of_a_mode_with_other_constraints_have_no_reactions():
    modes = zoo.registry["sleigh-on-ice"]()
    run = da.simulate(modes, h=0.05, t=3.0, progress=False)
    fewest = min(zip(run.metas, run.modes), key=lambda x: x[0].constraints)[1]
    known = run.has_rows_of(fewest)
    assert not known.all() and np.array_equal(
        known, np.asarray(run.mode)[run.drawn_rows] == run.modes.index(fewest)
    )


def test_a_ball_that_bounces_is_drawn_upright():
    modes = zoo.registry["bouncing-ball"]()
    run = da.simulate(modes, h=0.01, t=1.0, progress=False)
    scene = da.show(modes, run, open=False).scene
    low, high = scene["box"]
    assert high[2] > 0.9 and high[1] - low[1] < 0.3  # its height is up, and not along the floor
    assert "energy change" in [p["name"] for p in scene["panels"]]


def test_hills_are_drawn_below_the_motion():
    marble = parts.build(
        parts.Body("marble", 0.02, shape=da.scene.ball(0.03)),
        parts.Free("marble", start=(0.1, 0.05, 0.1), speed=(0.3, 0.2, 0, 0, 0, 0)),
        parts.Ball("marble", 0.03, surface=parts.Height(lambda x, y, a: a * x * y, (0.5,))),
        parts.Gravity(9.81),
    )
    run = da.simulate(marble, *parts.settle(marble), h=0.01, steps=20, progress=False)
    scene = da.show(marble, run, open=False).scene
    (ground,) = (b for b in scene["runs"][0]["bodies"] if b["stage"])
    ((piece,),) = (ground["pieces"],)
    x, y = (np.linspace(*piece["size"][k], 40) for k in "xy")
    assert x[0] < run["x"].min() and x[-1] > run["x"].max()
    z = np.reshape(piece["size"]["z"], (40, 40))
    assert np.allclose(z, 0.5 * x[:, None] * y, atol=1e-5)
    low, high = scene["box"]  # the camera shows all of it
    assert low[0] <= x[0] and high[0] >= x[-1] and low[2] <= z.min() and high[2] >= z.max()


def test_links_without_mass_and_shape_are_not_drawn():
    cart = parts.build(
        parts.Body("track", 0.0),
        parts.Prismatic("track", axis="x", speed=1.0),
        parts.Body("cart", 1.0, (0.1, 0.1, 0.1), shape=da.scene.box(0.3, 0.2, 0.1)),
        parts.Prismatic("cart", "track", axis="z"),
    )
    run = da.simulate(cart, h=0.1, steps=4, progress=False)
    (entry,) = da.show(cart, run, open=False).scene["runs"]
    assert [b["name"] for b in entry["bodies"]] == ["cart"]


def test_round_off_of_one_coordinate_beside_others_is_below_the_floor():
    class Two(da.MechanicalSystem):
        """Two points on lines, of which one stays."""

        space, mass = da.Euclidean(2), np.eye(2)
        coordinate_names, units = ("x", "y"), ("m", "m")

    run = da.simulate(Two(), [0.0, 1e-17], [3.0, 0.0], h=0.1, steps=10, progress=False)
    panels = {p["name"]: p for p in da.show(Two(), run, open=False).scene["panels"]}
    assert panels["x"]["floor"] == panels["y"]["floor"] == pytest.approx(3e-9)


def test_a_start_by_name_without_initial_data():
    class Blade(da.System):
        """A knife edge."""

        space = da.Euclidean(3)
        coordinate_names = ("x", "y", "theta")

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def constraint(self, q):
            return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    q, v = Blade().initial(theta=0.5, x_dot=1.0)
    assert np.allclose(q, [0.0, 0.0, 0.5]) and np.allclose(v, [1.0, np.tan(0.5), 0.0])
    with pytest.raises(da.UsageError, match=r"initial\(x_dot=1.0\)"):
        Blade().initial()
