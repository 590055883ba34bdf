"""Grids and samples of parameters and initial data by name, and `dalembert ensemble`."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.cli import main
from dalembert.errors import UsageError

SLEIGH = da.systems.ChaplyginSleigh()


def test_a_grid_has_all_combinations():
    over = da.grid(a=[0.1, 0.2, 0.3], J=[1.0, 2.0])
    assert len(over) == 6 and over.shape == (3, 2)
    np.testing.assert_array_equal(over.values["J"], [1, 2] * 3)
    many = da.simulate_ensemble(SLEIGH, over=over, h=0.1, steps=3)
    one = da.simulate(da.systems.ChaplyginSleigh(a=0.2, J=2.0), h=0.1, steps=3)
    np.testing.assert_allclose(over.reshape(many.q)[1, 1, -1], one.q[-1], atol=1e-14)
    np.testing.assert_array_equal(many.to_xarray()["parameter_a"], over.values["a"])


def test_velocities_that_are_named_are_kept_and_the_others_follow():
    over = da.grid(theta=[0.3, 1.0], x_dot=[0.5, 1.5], a=[0.1, 0.2])
    _, q, v = over.members(SLEIGH)
    np.testing.assert_array_equal(v[:, 0], over.values["x_dot"])
    np.testing.assert_array_equal(q[:, 2], over.values["theta"])
    np.testing.assert_allclose(np.sin(q[:, 2]) * v[:, 0], np.cos(q[:, 2]) * v[:, 1], atol=1e-14)
    many = da.simulate_ensemble(SLEIGH, over=over, h=0.1, steps=2)  # on the constraint: accepted
    assert len(many) == 8 and not many.failed
    data = many.to_xarray()
    np.testing.assert_array_equal(data["initial_x_dot"], over.values["x_dot"])
    assert data["initial_x_dot"].attrs["units"] == "m/s" and "initial_a" not in data
    names = ["initial_theta", "initial_x_dot", "parameter_a"]
    table = data.set_index(member=names).unstack("member")  # by the axes of the grid
    ends = table["q"].sel(initial_theta=1.0, initial_x_dot=0.5, parameter_a=0.2)
    np.testing.assert_array_equal(ends.values, many.q[5])
    with pytest.raises(UsageError, match="differs: parameter 'm' has 3, parameter 'a' has 2"):
        da.simulate_ensemble(
            da.systems.ChaplyginSleigh(m=np.ones(3)), over=da.grid(a=[0.1, 0.2]), h=0.1, steps=2
        )
    with pytest.raises(UsageError, match="member 0 cannot have these velocities"):
        da.grid(x_dot=[1.0], y_dot=[1.0]).members(SLEIGH)


def test_holonomic_and_affine_constraints_hold_at_the_start():
    """Rows of functions that are kept at zero come first, and have no offset."""
    for system, name, t0 in ((da.systems.Rattleback(), "Omega3", 0.0), (Carried(), "x_dot", 0.5)):
        _, q, v = da.grid(**{name: [0.5, 2.0]}).members(system, t0)
        np.testing.assert_array_equal(v[:, system.velocity_labels.index(name)], [0.5, 2.0])
        for i in range(2):
            one = jax.tree.map(lambda x, i=i: x[i], q)
            off = da.dynamics.constraint_residual(system, one, v[i], t0)
            np.testing.assert_allclose(off, 0.0, atol=1e-13)


class Carried(da.MechanicalSystem):
    """A point on a cylinder, y^2 + z^2 = 1, that is carried along: x_dot - y_dot = cos t."""

    space = da.Euclidean(3)
    mass = np.eye(3)
    coordinate_names = ("x", "y", "z")

    def holonomic(self, q):
        return jnp.array([q[1] ** 2 + q[2] ** 2 - 1.0])

    def constraint(self, q):
        return jnp.array([[1.0, -1.0, 0.0]])

    def offset(self, t, q):
        return jnp.array([jnp.cos(t)])

    def potential(self, q):
        return q[2]

    def initial(self):
        return jnp.array([0.0, 0.6, 0.8]), jnp.array([1.0, 0.0, 0.0])


@pytest.mark.parametrize("kind", ["sobol", "latin", "random"])
def test_samples_fill_their_ranges(kind):
    over = da.sample(100, kind=kind, a=(0.1, 0.3), theta_dot=(-1.0, 1.0))
    again = da.sample(100, kind=kind, a=(0.1, 0.3), theta_dot=(-1.0, 1.0))
    np.testing.assert_array_equal(over.values["a"], again.values["a"])
    counts = np.histogram(over.values["a"], np.linspace(0.1, 0.3, 5))[0]
    assert counts.sum() == 100 and counts.min() >= 10
    if kind == "latin":
        assert np.all(np.histogram(over.values["a"], np.linspace(0.1, 0.3, 101))[0] == 1)
    assert over.shape == (100,)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: da.grid(), "needs names"),
        (lambda: da.grid(a=[np.nan]), "finite"),
        (lambda: da.sample(10, a=(1.0, 0.0)), "low, high"),
        (lambda: da.sample(0, a=(0.0, 1.0)), "at least 1"),
        (lambda: da.sample(4, kind="fine", a=(0.0, 1.0)), "sobol, latin or random"),
        (lambda: da.grid(mass=[1.0]).members(SLEIGH), "has no 'mass'; known: m, J, a, x"),
    ],
)
def test_what_is_wrong_is_said(make, message):
    with pytest.raises(UsageError, match=message):
        make()


def test_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    base = ["ensemble", "chaplygin-sleigh", "--steps", "5", "--store", "many.zarr"]
    assert (
        main([*base, "--set", "a=0.1:0.3:9", "--set", "m=2", "--plot", "ends.png", "--json"]) == 0
    )
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["members"], told["failed"], told["plot"]) == (9, 0, "ends.png")
    many = da.load("many.zarr")
    assert not many.initial
    np.testing.assert_array_equal(many.meta.parameters["a"], np.linspace(0.1, 0.3, 9))
    assert many.meta.parameters["m"] == 2 and (tmp_path / "ends.png").stat().st_size > 5000
    x = many.q[:, -1, 0]
    found = {"least": x.min(), "mean": x.mean(), "greatest": x.max(), "spread": x.std()}
    assert told["ends"]["x [m]"] == pytest.approx(found, rel=1e-12)
    assert main(["resume", "many.zarr"]) == 0
    said = capsys.readouterr().out
    assert f"{x.mean():.6g}" in said and "theta [rad]" in said
    for wrong, message in (
        (["--set", "a=0.1:0.3:9"], "exists already"),
        (["--store", "b.zarr", "--set", "a=0.1:0.3"], "LOW:HIGH:N"),
        (["--store", "b.zarr", "--set", "a=0.1:0.3:2", "--sample", "4"], "as --sample chooses"),
        (["--store", "b.zarr", "--set", "a=0.1"], "needs a range"),
        (["--store", "b.zarr", "--set", "a=0:1:3", "--set", "a=2"], "'a' is given twice"),
        (["--store", "b.zarr", "--set", "a:0:1"], "write NAME=LOW:HIGH:N"),
        (["--store", "b.zarr", "--set", "a=0:x:3"], "--set a=0:x:3: 'x' is not a number"),
        (["--store", "b.zarr", "--set", "a=0:1e999:3"], "must be finite"),
        (["--store", "b.zarr", "--set", "a=0:1:3", "--workers", "0"], "at least 1"),
        (
            ["--store", "b.zarr", "--set", "a=0:1:3", "--workers", "1", "--scheduler", "x"],
            "not both",
        ),
    ):
        assert main([*base, *wrong]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "b.zarr").exists()


class Edge(da.System):
    """Without a start of its own."""

    k: float = 1.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - self.k * q[0]

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])


def test_what_is_not_named_starts_at_the_point_that_is_given():
    q, v, run = np.zeros(3), np.array([1.0, 0.0, 0.5]), {"h": 0.05, "steps": 10}
    by_parameter = da.simulate_ensemble(Edge(), q0=q, v0=v, over=da.grid(k=[1.0, 2.0]), **run)
    for k, end in zip((1.0, 2.0), by_parameter.q[:, -1]):
        np.testing.assert_allclose(da.simulate(Edge(k=k), q, v, **run).q[-1], end, atol=1e-14)
    both = da.grid(k=[1.0, 2.0], q2=[0.0, 0.3])
    turned = da.simulate_ensemble(Edge(), q0=q, v0=v, over=both, save_every=1, **run)
    np.testing.assert_allclose(turned.q[:, 0, 2], [0.0, 0.3, 0.0, 0.3])
    np.testing.assert_allclose(turned.v[:, 0, 2], 0.5)  # where nothing asks for a change
    np.testing.assert_allclose(turned.q[::2, -1], by_parameter.q[:, -1], atol=1e-14)
    one = da.grid(k=[1.0])
    for given, words in (
        ({"over": {"k": 1.0}}, "da.grid"),
        ({"over": one}, "give q0 and v0"),
        ({"over": one, "q0": q}, "both q0 and v0"),
        ({"over": one, "q0": np.zeros((2, 3)), "v0": np.zeros((2, 3))}, "a single state"),
        ({"over": da.grid(c=[1.0]), "q0": q, "v0": v}, "has no 'c'; known: k, q0"),
    ):
        with pytest.raises(da.UsageError, match=words):
            da.simulate_ensemble(Edge(), **given, **run)


def test_numbers_of_parts_are_said_to_be_that():
    from dalembert import parts

    robot = parts.build(
        parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)), parts.Planar("base")
    )
    with pytest.raises(da.UsageError, match="number of a part"):
        da.simulate_ensemble(robot, over=da.grid(**{"base.mass": [5.0, 6.0]}), h=0.1, steps=2)
