"""Findings of the third review about names in the place of indices (B5)."""

import csv
import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import names, parts

UsageError = da.errors.UsageError


def wheel(name, y, **options):
    body = parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03))
    axle = parts.Revolute(name, "base", at=(0, y, 0), axis="y")
    return [body, axle, parts.Wheel(name, 0.1, **options), parts.Motor(name)]


ROBOT = parts.build(
    parts.Body("base", 6.0, (0.05, 0.08, 0.1), center=(0.05, 0.0, 0.0)),
    parts.Planar("base", at=(0, 0, 0.1)),
    wheel("left", 0.18),
    wheel("right", -0.18, rows="along"),
    parts.Glide("base", 0.02, at=(0.2, 0.0, -0.08), name="foot"),
    parts.Gravity(9.81),
    name="robot",
)
DISK = parts.build(
    parts.Body("disk", 1.0, (0.25, 0.5, 0.25)),
    parts.Free("disk", start=(0, 0, 1.0), speed=(2.0, 0, 0, 0, 2.0, 0)),
    parts.Wheel("disk", 1.0),
    parts.Gravity(9.81),
    name="disk",
)

CARTS = parts.build(
    parts.Body("front", 1.0), parts.Prismatic("front"), parts.Motor("front"),
    parts.Body("rear", 2.0), parts.Prismatic("rear"), parts.Motor("rear"),
)  # fmt: skip


def test_finding3_b5_initial_by_name():
    q, v = ROBOT.initial(x=1, left_dot=2.0, right_dot=1.0)
    assert q[0] == 1.0
    # the wheels say it all: v = R (w_l + w_r)/2, theta' = R (w_r - w_l)/(2 b)
    assert np.allclose(v, [0.15, 0.0, -0.1 / 0.36, 2.0, 1.0], atol=1e-14)
    assert np.allclose(ROBOT.initial(left=0.5)[0], [0, 0, 0, 0.5, 0])
    sleigh = da.systems.ChaplyginSleigh()
    q, v = sleigh.initial(theta=0.7, theta_dot=0.3)
    assert (q[2], v[2]) == (0.7, 0.3)
    assert abs(da.dynamics.constraint_residual(sleigh, q, v)[0]) < 1e-14
    grown = jax.jit(lambda x: sleigh.initial(theta=x)[1])(0.7)
    assert np.allclose(grown, sleigh.initial(theta=0.7)[1], atol=1e-14)
    for given, told in (
        ({"lft": 1.0}, "did you mean left"),
        ({"x": "a"}, "x must be a number"),
        ({"x": 10**400}, "x must be a number"),
        ({"x": [1.0, 2.0]}, "must be one number"),
        ({"left_dot": 1.0, "right_dot": 1.0, "theta_dot": 1.0}, "cannot have these velocities"),
    ):
        with pytest.raises(UsageError, match=told):
            ROBOT.initial(**given)
    with pytest.raises(UsageError, match="entry of a matrix"):
        DISK.initial(R11=1.0)


def test_finding3_b5_initial_closes_what_is_held():
    arm = parts.build(
        parts.Body("one", 1.0, 0.1), parts.Revolute("one", axis="y"),
        parts.Body("two", 1.0, 0.1), parts.Revolute("two", axis="y", at=(1, 0, 0)),
        parts.Gear("one", "two", -2.0),
    )  # fmt: skip
    q, v = arm.initial(one=0.3, two_dot=1.0)
    assert np.allclose(q, [0.3, -0.6], atol=1e-13) and np.allclose(v, [-0.5, 1.0], atol=1e-13)
    q, _ = DISK.initial(x=3.0, Omega2=5.0)
    assert np.allclose(q[0], [3, 0, 1])
    assert np.allclose(DISK.initial(Omega2=5.0)[1], [5, 0, 0, 0, 5, 0], atol=1e-13)


def test_finding3_b5_of_one_s_own_initial():
    class Mine(da.System):
        space = da.Euclidean(2)
        coordinate_names = ("x", "y")

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def initial(self):
            return np.zeros(2), np.ones(2)

    class Derived(Mine):
        def initial(self):
            q, v = super().initial(y=3.0)
            return q, 2.0 * v

    assert np.allclose(Mine().initial(y=2.0)[0], [0, 2])
    q, v = Derived().initial(x_dot=7.0)
    assert np.allclose(q, [0, 3]) and np.allclose(v, [7, 2])


def test_finding3_b5_results_and_inputs_by_name():
    start = CARTS.initial(front=1.0, front_dot=2.0)
    run = da.simulate(
        CARTS, da.RK4(), *start, h=0.01, steps=40,
        u={"front": 0.3, "rear motor": lambda t: -jnp.sin(t)},
        events={"turns back": da.Event("front_dot", direction=-1), "there": "rear"},
        save={"": da.Every(1), "mean": da.Statistics("front")},
    )  # fmt: skip
    by_index = da.simulate(
        CARTS, da.RK4(), *start, h=0.01, steps=40, u=lambda t: jnp.array([0.3, -jnp.sin(t)])
    )
    assert np.array_equal(run.q, by_index.q)
    assert np.array_equal(run["rear"], run.q[:, 1]) and run.final["rear"] == run.q[-1, 1]
    assert np.array_equal(run["rear_dot"], run.v[:, 1])
    assert np.array_equal(run.v["rear"], run.v[:, 1]) and run.v[-1]["rear"] == run.v[-1, 1]
    assert run.final.v["rear_dot"] == run.v[-1, 1]
    assert pickle.loads(pickle.dumps(run)).v["rear"][-1] == run.v[-1, 1]
    assert type(2.0 * run.v) is np.ndarray
    assert np.isclose(run.saved["mean"].mean, np.mean(run["front"]))
    for wrong, told in (
        (lambda: run["z"], "unknown coordinate, velocity or constraint 'z'"),
        (lambda: run.v["reer"], "did you mean rear_dot"),
        (lambda: da.simulate(CARTS, h=0.1, steps=1, u={"lft": 1.0}), "unknown input 'lft'"),
        (lambda: da.simulate(CARTS, h=0.1, steps=1, u={"front": "x"}), "a control is"),
        (lambda: da.simulate(CARTS, h=0.1, steps=1, events={"a": "zz"}), "unknown coordinate or"),
    ):
        with pytest.raises(UsageError, match=told):
            wrong()


def test_finding3_b5_feedback_and_ensembles_by_name():
    def brake(t, q, v):
        state = CARTS.named(q, v)
        return {"rear": -0.1 * state["rear_dot"] - 0.2 * state["front"]}

    start = CARTS.initial(front=1.0, rear_dot=1.0)
    run = da.simulate(CARTS, da.RK4(), *start, h=0.01, steps=10, u=brake)
    assert np.allclose(run["front"], 1.0) and run["rear_dot"][-1] < 0.99
    plain = da.inputs.control_at(da.inputs.driven(CARTS, brake), 0.0, *start)
    assert np.allclose(plain, [0.0, -0.1 - 0.2])
    over = da.grid(front_dot=[1.0, 2.0], rear=[0.0, 3.0])
    many = da.simulate_ensemble(
        CARTS, da.RK4(), over=over, h=0.01, steps=2, save_every=1, u={"front": 0.1}
    )
    assert many["rear"].shape == (4, 3) and np.allclose(many["rear"][:, 0], [0, 3, 0, 3])
    assert np.array_equal(many.v["front"], many["front_dot"])


def test_finding3_b5_multipliers_by_contact_in_files(tmp_path):
    sled = parts.build(
        parts.Body("sled", 1.0, 0.1, center=(0.2, 0, 0)),
        parts.Planar("sled", speed=(1.0, 0.0, 0.3)),
        parts.Skate("sled", name="blade"),
    )
    run = da.simulate(sled, da.RK4(), h=0.01, steps=3)
    assert run.meta.constraint_names == ("blade, across",)
    assert np.array_equal(run["blade"], run.multiplier[:, 0]) and np.any(run["blade"])
    assert np.array_equal(run.multiplier["blade, across"], run["blade, across"])
    run.save(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open() as file:
        assert "multiplier_blade, across" in next(csv.reader(file))
    run.save(tmp_path / "run.nc")
    again = da.load(tmp_path / "run.nc")
    assert again.equals(run) and np.array_equal(again.v["theta"], run.v["theta"])
    assert again.to_xarray()["constraint"].values.tolist() == ["blade, across"]
    with pytest.raises(UsageError, match="'a, along', 'a, across': write the row in full"):
        names.with_names(np.zeros((1, 2)), ("a, along", "a, across"), "row")["a"]


def test_finding3_b5_a_body_s_name_is_in_its_labels():
    assert DISK.velocity_names[3:] == ("Omega1 disk", "Omega2 disk", "Omega3 disk")
    assert DISK.coordinate_names[3] == "R11 disk"
    assert DISK.velocity_names.index("Omega2") == 4  # as before
    assert DISK.observable("Omega3")(0.0, None, np.arange(6.0)) == 5.0


def test_finding3_b5_describe_says_the_order():
    told = str(DISK.describe())
    assert "q[0][2]  z" in told and "q[1]     R11 disk ... R33 disk" in told
    assert "v[0]  x_dot" in told and "v[4]  Omega2 disk  rad/s" in told
    assert "multiplier[1]  disk, along   N" in told
    assert "u[1]  right motor  N m" in str(ROBOT.describe())
    assert repr(ROBOT.describe()) == str(ROBOT.describe())  # at a prompt
    assert "theta_dot" in da.systems.ChaplyginSleigh().describe()


def test_finding3_b5_weights_by_name():
    from dalembert import control

    class Cart(da.MechanicalSystem):
        space = da.Euclidean(2)
        coordinate_names = ("cart", "spring")
        input_names = ("cart motor",)
        mass = np.eye(2)

        def potential(self, q):
            return 0.5 * (q[0] - q[1]) ** 2

        def inputs(self, q):
            return jnp.array([[1.0, 0.0]])

    cart = Cart()
    linear = control.linearize(cart, np.zeros(2), np.zeros(2))
    by_name = control.lqr(linear, Q={"cart": 10.0, "spring_dot": 2.0}, R={"cart": 0.1})
    by_index = control.lqr(linear, Q=[10.0, 0.0, 0.0, 2.0], R=[0.1])
    assert np.array_equal(by_name.K, by_index.K)
    with pytest.raises(UsageError, match="unknown name in Q 'cort'"):
        control.lqr(linear, Q={"cort": 10.0})


def test_finding3_b5_how_names_are_found():
    labels = {"q": ["left wheel", "x"], "v": ["left wheel_dot", "x_dot", "Omega1 a", "Omega1 b"]}
    assert names.find("name", "left_wheel", **labels) == ("q", 0)
    assert names.find("name", "left_wheel_dot", **labels) == ("v", 0)
    assert names.find("name", "left", **labels) == ("q", 0)
    assert names.find("name", "x", v=labels["v"]) == ("v", 1)
    with pytest.raises(UsageError, match="'Omega1 a', 'Omega1 b': write the name in full"):
        names.find("name", "Omega1", **labels)
    with pytest.raises(UsageError, match="must be a string"):
        names.find("name", 3, **labels)
