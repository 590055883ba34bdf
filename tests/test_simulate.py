"""The driver: rows, chunks, compilations, failures and their messages, runs inside JAX."""

import dataclasses
import math
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SO, Euclidean, LieGroup, SimulationError, UsageError, dynamics
from dalembert.linalg import INCONSISTENT, NO_CONVERGENCE, NOT_FINITE, OK
from dalembert.methods.base import Advance, Method, Row, Traits
from dalembert.request.validate import own_start
from dalembert.running import single_run


class Blade(da.MechanicalSystem):
    """A blade on a tilted plane."""

    slope: float = 0.5

    mass = jnp.diag(jnp.array([1.0, 1.0, 0.6]))
    space = Euclidean(3)

    def potential(self, q):
        return self.slope * jnp.sin(q[0]) + 0.2 * q[2] ** 2

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])


Q0, V0 = np.array([0.1, 0.2, 0.0]), np.array([0.9, 0.0, 0.7])


def residual_of(n):
    """Scattered, so that the largest of any stretch of steps is at no special place."""
    return 617 * n % 1009


def worst_residuals(kept):
    """For each kept step the largest residual since the kept one before it."""
    windows = zip([-1, *kept[:-1]], kept)
    return [max(residual_of(n) for n in range(a + 1, b + 1)) for a, b in windows]


class Count(NamedTuple):
    q: jax.Array
    v: jax.Array
    n: jax.Array


@dataclasses.dataclass(frozen=True)
class Counting(Method):
    """Moves by h v and reports a residual known for each step; can fail at one step.

    The driver's bookkeeping is then known in advance, without any mechanics.
    """

    fails_at: int = -1
    code: int = NO_CONVERGENCE
    name = "counting"
    traits = Traits(1, 1, False, True, "nothing", "none")

    def _row(self, q, v, n):
        result = jnp.where(n == self.fails_at, self.code, OK).astype(jnp.int32)
        return Row(jnp.zeros(()), q, v, v, jnp.zeros(0), 1.0 * residual_of(n), result)

    def start(self, system, t, h, q, v):
        n = jnp.asarray(0)
        return Count(q, v, n), self._row(q, v, n)

    def step(self, system, t, h, carry):
        n = carry.n + 1
        q = carry.q + h * carry.v
        return Advance(Count(q, carry.v, n), self._row(q, carry.v, n), jnp.zeros(0))


class Free(da.MechanicalSystem):
    mass = jnp.eye(1)
    space = Euclidean(1)


def count(steps, fails_at=-1, **options):
    return da.simulate(Free(), Counting(fails_at), [0.0], [1.0], h=1.0, steps=steps, **options)


def blade(steps=20, h=0.1, slope=0.5, method=None, **options):
    return da.simulate(Blade(slope=slope), method or da.RK4(), Q0, V0, h=h, steps=steps, **options)


def arrays(traj):
    rows = dataclasses.replace(traj, meta=None)
    return [np.asarray(x) for x in jax.tree.leaves(rows)]


def assert_rows_equal(a, b, rtol=0.0):
    for x, y in zip(arrays(a), arrays(b), strict=True):
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol)


# -- rows --------------------------------------------------------------------------------------


def test_rows_of_a_run():
    traj = blade(steps=20, h=0.1, t0=2.0)
    assert len(traj) == 21
    np.testing.assert_allclose(traj.t, 2.0 + 0.1 * np.arange(21), rtol=1e-15)
    np.testing.assert_array_equal(traj.q[0], Q0)
    np.testing.assert_array_equal(traj.v[0], V0)
    assert traj.p.shape == (21, 3) and traj.multiplier.shape == (21, 1)
    assert traj.frame is None
    assert np.all(np.asarray(traj.result) == OK)
    meta = traj.meta
    assert (meta.system, meta.method, meta.h, meta.steps) == ("blade", "rk4", 0.1, 20)
    assert meta.parameters == {"slope": 0.5} and meta.constraints == 1
    assert meta.wall_s > 0 and meta.compile_s > 0


@pytest.mark.parametrize("save_every", [3, 7, 20, 21, 1000])
def test_save_every(save_every):
    """Every k-th row of the full run, and always the last."""
    full, some = blade(20), blade(20, save_every=save_every)
    kept = kept_steps(20, save_every)
    for x, y in zip(arrays(full), arrays(some), strict=True):
        np.testing.assert_array_equal(x[kept], y)
    assert some.meta.steps == 20 and some.meta.save_every == save_every


def kept_steps(steps, save_every):
    return sorted({*range(0, steps + 1, save_every), steps})


@pytest.mark.parametrize("save_every", [1, 7, 25])
def test_skipped_steps_leave_their_worst_residual(save_every):
    traj = count(25, save_every=save_every)
    kept = kept_steps(25, save_every)
    assert np.asarray(traj.residual).tolist() == worst_residuals(kept)


@pytest.mark.parametrize("around", [256, 1024, 16384])
def test_chunk_boundaries(around):
    """Buffers hold 256 or 16384 rows, chunks start with 1024 steps: no row lost or doubled."""
    for steps in (around - 2, around - 1, around, around + 1):
        traj = count(steps)
        np.testing.assert_array_equal(traj.q[:, 0], np.arange(steps + 1.0))
        np.testing.assert_array_equal(traj.residual, residual_of(np.arange(steps + 1)))


@pytest.mark.parametrize("save_every", [1, 100, 256, 1000])
def test_small_chunks_change_nothing(monkeypatch, save_every):
    """Chunks of 256 steps, also where they end between two rows."""
    monkeypatch.setattr(single_run, "_CHUNK_SECONDS", 0.0)
    traj = count(3333, save_every=save_every)
    kept = kept_steps(3333, save_every)
    np.testing.assert_array_equal(traj.q[:, 0], kept)
    np.testing.assert_array_equal(traj.residual, worst_residuals(kept))


def test_stop_when():
    """The run ends with the first row where the rule holds, kept whatever `save_every` says."""
    rule = lambda t, q, v: (q[0] > 41.5) & (t > 0.0)
    traj, sparse = count(200, stop_when=rule), count(200, save_every=10, stop_when=rule)
    np.testing.assert_array_equal(traj.q[:, 0], np.arange(43.0))
    assert traj.meta.steps == 42
    np.testing.assert_array_equal(sparse.q[:, 0], [0, 10, 20, 30, 40, 42])
    assert len(count(20, stop_when=rule)) == 21


def test_no_output_where_there_is_no_terminal(capfd):
    count(3000)
    assert capfd.readouterr() == ("", "")


def test_progress_goes_to_stderr(capfd):
    count(3000, progress=True)
    assert capfd.readouterr().out == ""


def test_default_initial_data():
    class Started(Blade):
        def initial(self):
            return jnp.asarray(Q0), jnp.asarray(V0)

    traj = da.simulate(Started(), Counting(), h=0.1, steps=2)
    np.testing.assert_array_equal(traj.q[0], Q0)


class Chosen(Blade):
    """Written for numbers that are known."""

    def initial(self):
        return np.zeros(3), np.array([2.0 if self.slope > 1.0 else 1.0, 0.0, 0.0])


class FromFile(Blade):
    """What no fingerprint sees."""

    path: str = eqx.field(static=True, default="")

    def initial(self):
        return jnp.asarray(np.load(self.path)), jnp.array([1.0, 0.0, 0.0])


def test_initial_data_that_a_user_wrote_are_asked_for_each_time(tmp_path):
    for slope, speed in ((0.5, 1.0), (1.5, 2.0)):
        assert own_start(Chosen(slope))[1].tolist() == [speed, 0.0, 0.0]
    with pytest.raises(UsageError, match="no default initial data"):
        own_start(Blade())
    system = FromFile(0.0, str(tmp_path / "start.npy"))
    for x in (1.0, 2.0):
        np.save(system.path, [x, 0.0, 0.0])
        assert da.simulate(system, Counting(), h=0.1, steps=1).q[0, 0] == x


def test_initial_data_of_our_systems_follow_their_parameters():
    for name in ("ball-on-turntable", "chaplygin-ball", "suslov"):
        systems = [da.systems.registry[name]()]
        if name != "suslov":
            systems += [systems[0].with_parameters(r=1.3, Theta=0.7)]  # by the same code
        for system in systems:
            pairs = zip(jax.tree.leaves(own_start(system)), jax.tree.leaves(system.initial()))
            for mine, written in pairs:
                np.testing.assert_allclose(mine, written, rtol=0, atol=4e-15)


def test_frames_reconstruct_the_motion():
    """The reduced body's frames compose to the rotation of the full body."""

    class Body(da.MechanicalSystem):
        mass = jnp.diag(jnp.array([3.0, 2.0, 1.0]))
        space = SO(3)

    class ReducedBody(Body):
        space = LieGroup(SO(3))

    w = [0.3, 1.0, -0.7]
    full = da.simulate(Body(), da.RK4(), jnp.eye(3), w, h=0.1, steps=30)
    reduced = da.simulate(ReducedBody(), da.RK4(), jnp.zeros(0), w, h=0.1, steps=30)
    np.testing.assert_allclose(reduced.frame, full.q, atol=1e-13)
    np.testing.assert_allclose(reduced.v, full.v, atol=1e-13)


# -- compilations ------------------------------------------------------------------------------


def test_one_compilation_for_a_sweep(compilations):
    """Step size, lengths, times, rows kept, parameters and data are traced."""
    blade(20)
    before = compilations()
    blade(50, h=0.03)
    blade(21, slope=2)  # a whole number is a parameter, too
    blade(20, save_every=7, t0=3)
    blade(30, save=da.At([0.5, 1.0]))
    da.simulate(Blade(), da.RK4(), list(Q0 + 1), list(0 * V0), h=1, steps=3)
    assert compilations() == before


def test_two_sizes_of_buffer_only(compilations):
    count(20)
    count(2000)
    before = compilations()
    for steps in (5, 255, 256, 700, 20000):
        count(steps)[: steps // 2]
    assert compilations() == before


def test_equal_rules_share_their_code(compilations):
    """A rule written anew in every call, as in a notebook's cell."""

    def run(limit):
        return count(50, stop_when=lambda t, q, v: q[0] > limit).meta.steps

    assert run(10.5) == 11
    before = compilations()
    assert run(10.5) == 11
    assert compilations() == before
    assert run(20.5) == 21


# -- misuse ------------------------------------------------------------------------------------


def test_inconsistent_velocity():
    bad = V0 + np.array([0.0, 0.25, 0.0])
    message = (
        r"blade: v0 is not on the constraint, largest residual 2\.500e-01\. Project it with "
        r"v0 = dalembert\.dynamics\.consistent_velocity\(system, q0, v0\), or pass project=True"
    )
    with pytest.raises(UsageError, match=message):
        da.simulate(Blade(), da.RK4(), Q0, bad, h=0.1, steps=2)
    projected = da.simulate(Blade(), da.RK4(), Q0, bad, h=0.1, steps=2, project=True)
    by_hand = dynamics.consistent_velocity(Blade(), jnp.asarray(Q0), jnp.asarray(bad))
    np.testing.assert_allclose(projected.v[0], by_hand, rtol=1e-15)
    assert_rows_equal(projected, da.simulate(Blade(), da.RK4(), Q0, by_hand, h=0.1, steps=2), 1e-15)
    # round-off of the caller's arithmetic is no inconsistency
    da.simulate(Blade(), da.RK4(), Q0, V0 + np.array([0.0, 1e-12, 0.0]), h=0.1, steps=2)


def test_no_velocity_on_the_constraint():
    class Nowhere(da.MechanicalSystem):
        mass = jnp.eye(2)
        space = Euclidean(2)

        def velocity_constraint(self, t, q, v):
            return jnp.stack([v @ v + 1.0])

    with pytest.raises(UsageError, match="no velocity on the constraint was found near v0"):
        da.simulate(Nowhere(), da.RK4(), [0.0, 0.0], [1.0, 2.0], h=0.1, steps=2, project=True)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"h": 0.0}, r"the step size h must be positive, got 0\.0; to go back in time reverse v0"),
        ({"h": -0.1}, r"the step size h must be positive, got -0\.1"),
        ({"h": np.nan}, r"h must be finite, got nan"),
        ({"h": np.inf}, r"h must be finite, got inf"),
        ({"h": "0.1"}, r"h must be a number, got '0\.1'"),
        ({"h": None}, r"give h and steps, or h and t, or t and tol"),
        ({"h": [0.1, 0.2]}, r"h must be one number, got shape \(2,\)"),
        ({"t0": np.nan}, r"t0 must be finite, got nan"),
        ({"steps": 0}, r"steps must be at least 1, got 0"),
        ({"steps": -3}, r"steps must be at least 1, got -3"),
        ({"steps": 2.0}, r"steps must be an integer, got 2\.0"),
        ({"steps": None}, r"give steps, the number of steps, or t"),
        ({"save_every": 0}, r"save_every must be at least 1, got 0"),
        ({"save_every": 1.5}, r"save_every must be an integer, got 1\.5"),
        ({"q0": [0.0, 0.0]}, r"q0.*\(3,\).*\(2,\)"),
        ({"q0": np.zeros((3, 1))}, r"q0.*\(3,\).*\(3, 1\)"),
        ({"q0": [0.0, np.nan, 0.0]}, r"q0: entries must be finite, got nan at \(1,\)"),
        ({"q0": "here"}, r"q0"),
        ({"v0": [1.0]}, r"v0 must have shape \(3,\), got \(1,\)"),
        ({"v0": np.ones((1, 3))}, r"v0 must have shape \(3,\), got \(1, 3\)"),
        ({"v0": [1.0, np.inf, 0.0]}, r"v0 must be finite, got \[ 1\. inf  0\.\]"),
        ({"v0": "fast"}, r"v0 must be a vector of 3 numbers, got 'fast'"),
        ({"v0": None}, r"give both q0 and v0, or neither to start from system\.initial\(\)"),
        ({"q0": None}, r"give both q0 and v0, or neither to start from system\.initial\(\)"),
        ({"q0": None, "v0": None}, r"Blade has no default initial data: give q0 and v0"),
        ({"system": Blade}, r"the first argument must be a System, got .*; make one: Blade\(\)"),
        ({"system": 3}, r"the first argument must be a System, got 3"),
        ({"method": da.RK4}, r"the second argument must be a method, .*; make one: RK4\(\)"),
        (
            {"method": "rk4"},
            r"second argument must be a method, or .*; got 'rk4'; names are for the command",
        ),
    ],
)
def test_bad_arguments_are_told(options, message):
    given = {"system": Blade(), "method": da.RK4(), "q0": Q0, "v0": V0, "h": 0.1, "steps": 3}
    given |= options
    positional = [given.pop(name) for name in ("system", "method", "q0", "v0")]
    with pytest.raises(UsageError, match=message):
        da.simulate(*positional, **given)


BAD_SYSTEMS = {
    "rank": (
        {"constraint": lambda self, q: jnp.array([[1.0, 2.0], [2.0, 4.0]])},
        r"bad: the constraint is rank-deficient at q0: its 2 rows are linearly dependent",
    ),
    "almost-rank": (
        {"constraint": lambda self, q: jnp.array([[1.0, 0.0], [1.0, 1e-9]])},
        r"bad: the constraint is rank-deficient at q0",
    ),
    "zero-row": (
        {"constraint": lambda self, q: jnp.array([[0.0, 0.0]])},
        r"rank-deficient at q0: its 1 rows are linearly dependent, or one is zero",
    ),
    "too-many-rows": (
        {"constraint": lambda self, q: jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])},
        r"bad: the constraint is rank-deficient at q0",
    ),
    "singular-metric": (
        {"lagrangian": lambda self, q, v: 0.5 * (v[0] + v[1]) ** 2},
        r"bad: the metric d2L/dv2 is singular or not positive definite at q0",
    ),
    "indefinite-metric": (
        {"lagrangian": lambda self, q, v: v[0] ** 2 - v[1] ** 2},
        r"not positive definite at q0 .*every velocity needs kinetic energy",
    ),
    "nan-lagrangian": (
        {"lagrangian": lambda self, q, v: jnp.log(-v @ v)},
        r"bad: the Lagrangian gives values that are not finite at \(q0, v0\)",
    ),
    "nan-constraint": (
        {"constraint": lambda self, q: jnp.log(jnp.array([[-1.0, 1.0]]))},
        r"bad: the constraint gives values that are not finite at q0",
    ),
    "lagrangian-shape": (
        {"lagrangian": lambda self, q, v: 0.5 * v**2},
        r"bad\.lagrangian must return shape \(\), got \(2,\)",
    ),
    "constraint-vector": (
        {"constraint": lambda self, q: jnp.array([1.0, 0.0])},
        r"bad\.constraint must return one row of 2 numbers for each constraint, shape \(m, 2\); "
        r"got \(2,\)",
    ),
    "constraint-width": (
        {"constraint": lambda self, q: jnp.ones((1, 3))},
        r"bad\.constraint must return one row of 2 numbers .* got \(1, 3\)",
    ),
    "constraint-list": (
        {"constraint": lambda self, q: [[q[0], 1.0]]},
        r"bad\.constraint must return an array, got",
    ),
    "inputs-in-columns": (  # broadcasting made one force of both
        {"inputs": lambda self, q: jnp.array([[0.0], [1.0]])},
        r"bad\.inputs must return one row of 2 numbers for each control, .* got \(2, 1\)",
    ),
    "inputs-vector": (
        {"inputs": lambda self, q: jnp.array([0.0, 1.0])},
        r"bad\.inputs must return one row of 2 numbers .* got \(2,\)",
    ),
    "index-beyond-q": (  # JAX takes the last entry in its place
        {"lagrangian": lambda self, q, v: 0.5 * v @ v - q[2]},
        r"bad\.lagrangian: index 2 of an axis with 2 entries",
    ),
    "negative-index-beyond-v": (
        {"force": lambda self, t, q, v: jnp.stack([v[-3], v[0]])},
        r"bad\.force: index -3 of an axis with 2 entries",
    ),
    "lagrangian-of-math": (
        {"lagrangian": lambda self, q, v: 0.5 * v @ v - math.cos(q[0])},
        r"bad\.lagrangian is traced by JAX, .*: write it with jax\.numpy",
    ),
    "force-of-numpy": (
        {"force": lambda self, t, q, v: np.sin(q)},
        r"bad\.force is traced by JAX, .*: write it with jax\.numpy",
    ),
    "holonomic-with-if": (
        {"holonomic": lambda self, q: q if q[0] > 0 else 2 * q},
        r"bad\.holonomic is traced by JAX, .* jnp\.where, not if",
    ),
    "offset-shape": (
        {
            "constraint": lambda self, q: jnp.array([[1.0, 0.0]]),
            "offset": lambda self, t, q: jnp.zeros(2),
        },
        r"bad\.offset must return shape \(1,\), got \(2,\)",
    ),
    "force-shape": (
        {"force": lambda self, t, q, v: jnp.zeros(3)},
        r"bad\.force must return shape \(2,\), got \(3,\)",
    ),
    "velocity-constraint-shape": (
        {"velocity_constraint": lambda self, t, q, v: v[0] ** 2},
        r"bad\.velocity_constraint must return a vector, got shape \(\)",
    ),
    "holonomic-shape": (
        {"holonomic": lambda self, q: q[0]},
        r"bad\.holonomic must return a vector, got shape \(\)",
    ),
    "holonomic-start": (
        {"holonomic": lambda self, q: q[:1] - 1.0},
        r"bad: q0 is not on the holonomic constraint, largest residual 1\.000e\+00",
    ),
}


class Good(da.System):
    space = Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v


def test_an_index_beyond_q_in_an_event_is_told():
    for g in (lambda t, q, v: q[2] - 1.0, lambda t, q, v: q[jnp.argmax(v) + 0] + q[-3]):
        with pytest.raises(UsageError, match=r"event 'wall': index -?[23] of an axis with 2"):
            da.simulate(Good(), jnp.zeros(2), jnp.ones(2), h=0.1, steps=1, events={"wall": g})


def test_input_names_of_a_wrong_number_are_told():
    driven = {"inputs": lambda self, q: jnp.eye(2), "input_names": ("motor",)}
    with pytest.raises(UsageError, match=r"name for each row of inputs\(q\), 2 in all; got 1"):
        da.simulate(type("Bad", (Good,), driven)(), jnp.zeros(2), jnp.ones(2), h=0.1, steps=1)


@pytest.mark.parametrize("name", ["coordinate_names", "units", "velocity_names"])
def test_names_of_a_wrong_number_are_told(name):
    bad = type("Bad", (Good,), {name: ("x", "y", "z")})()
    with pytest.raises(
        UsageError, match=rf"bad\.{name} must be a name for each .*, 2 in all; got 3"
    ):
        da.simulate(bad, [0.0, 0.0], [0.0, 0.0], h=0.1, steps=3)


@pytest.mark.parametrize("name", BAD_SYSTEMS)
def test_bad_systems_are_told(name):
    written, message = BAD_SYSTEMS[name]
    for function_name, function in written.items():
        function.__name__ = function_name
    bad = type("Bad", (Good,), dict(written))()
    with pytest.raises(UsageError, match=message):
        da.simulate(bad, Counting(), [0.0, 0.0], [0.0, 0.0], h=0.1, steps=3)


# -- failures on the way -----------------------------------------------------------------------


class Falling(da.System):
    """x'' = 3 x^2: x = 2/(t - T)^2 is infinite after a finite time."""

    space = Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + q[0] ** 3


@pytest.mark.parametrize("save_every, kept", [(1, 13), (5, 3), (100, 1)])
def test_failure_keeps_what_was_computed(save_every, kept):
    with pytest.raises(SimulationError) as caught:
        count(40, fails_at=13, save_every=save_every, t0=0.5)
    error = caught.value
    last = save_every * (kept - 1)
    assert (error.step, error.time) == (13, 13.5)
    assert error.residual == worst_residuals([last, 13])[1]
    assert len(error.trajectory) == kept
    assert np.all(np.asarray(error.trajectory.result) == OK)
    np.testing.assert_array_equal(error.trajectory.q[:, 0], save_every * np.arange(kept))
    text = str(error)
    assert "counting on free: the Newton iteration did not converge" in text
    assert "at step 13, t = 13.5" in text
    assert f"the {kept} rows until then are attached to this error as .trajectory" in text


def test_failure_at_the_start():
    with pytest.raises(SimulationError, match=r"at step 0, t = 0; the 0 rows") as caught:
        count(5, fails_at=0)
    assert len(caught.value.trajectory) == 0


def test_failure_beyond_the_first_chunk():
    with pytest.raises(SimulationError) as caught:
        count(40000, fails_at=20001)
    assert caught.value.step == 20001 and len(caught.value.trajectory) == 20001


def test_newton_failure_is_told():
    """Near the singularity the implicit step has no solution; the rows before it are good."""
    method = da.GNI(da.Midpoint())
    with pytest.raises(SimulationError, match="the Newton iteration did not converge") as caught:
        da.simulate(Falling(), method, [1.0], [np.sqrt(2.0)], h=0.05, steps=100)
    error = caught.value
    assert "gni-midpoint on falling" in str(error) and "a smaller h may help" in str(error)
    assert 10 < error.step < 60
    assert error.time == pytest.approx(0.05 * error.step)
    assert error.residual > 1e-10
    assert len(error.trajectory) == error.step
    t, q = np.asarray(error.trajectory.t), np.asarray(error.trajectory.q[:, 0])
    early = t < 0.8
    np.testing.assert_allclose(q[early], 2 / (np.sqrt(2.0) - t[early]) ** 2, rtol=2e-2)


def test_blow_up_is_told_at_the_right_step():
    def field(x):
        return np.array([x[1], 3.0 * x[0] ** 2])

    x, h, first = np.array([1.0, np.sqrt(2.0)]), 0.1, None
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(1, 200):
            k1 = field(x)
            k2 = field(x + h / 2 * k1)
            k3 = field(x + h / 2 * k2)
            k4 = field(x + h * k3)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            if not np.all(np.isfinite(x)):
                first = k
                break
    message = f"a value became infinite or not a number.* at step {first}, t = {first * h:g};"
    with pytest.raises(SimulationError, match=message) as caught:
        da.simulate(Falling(), da.RK4(), [1.0], [np.sqrt(2.0)], h=h, steps=200)
    assert caught.value.step == first
    assert len(caught.value.trajectory) == first
    assert np.all(np.isfinite(caught.value.trajectory.q))


@pytest.mark.parametrize("save_every", [1, 100])
def test_rank_loss_is_diagnosed(save_every):
    """The row x dz vanishes at x = 0, which a stage of the eighth step of size 1/8 meets."""

    class Losing(da.MechanicalSystem):
        mass = jnp.eye(3)
        space = Euclidean(3)

        def constraint(self, q):
            return jnp.stack([jnp.zeros(3).at[2].set(q[0])])

    with pytest.raises(SimulationError, match="loses rank at the singular point t = 1,") as caught:
        da.simulate(
            Losing(),
            da.RK4(),
            [1.0, 0.0, 0.0],
            [-1.0, 0.5, 0.0],
            h=0.125,
            steps=20,
            save_every=save_every,
        )
    assert caught.value.step == 8


def test_dependent_rows_are_diagnosed():
    """The second row turns into the first at q = 1/2, where the fourth step ends."""

    class Turning(da.MechanicalSystem):
        mass = jnp.eye(3)
        space = Euclidean(3)

        def constraint(self, q):
            return jnp.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]).at[1, 2].set(0.5 - q[0])

    with pytest.raises(
        SimulationError,
        match=r"loses rank at the singular point t = 0.5, .*: rank 2 before it, 1 there",
    ):
        da.simulate(Turning(), da.RK4(), np.zeros(3), [1.0, 0.0, 0.0], h=0.125, steps=20)


def test_interruption_keeps_what_was_computed(monkeypatch):
    monkeypatch.setattr(single_run, "_CHUNK_SECONDS", 0.0)
    seen = []

    class Interrupted(da.Every):
        def feed(self, state, rows):
            seen.append(rows)
            if len(seen) == 4:
                raise KeyboardInterrupt
            return super().feed(state, rows)

    with pytest.raises(
        SimulationError, match="counting on free: interrupted at step 16640"
    ) as caught:
        count(40000, save=Interrupted())
    assert isinstance(caught.value.__cause__, KeyboardInterrupt)
    np.testing.assert_array_equal(caught.value.trajectory.q[:, 0], np.arange(16641.0))


# -- inside JAX --------------------------------------------------------------------------------


def test_traced_run_equals_the_host_run():
    """One scan inside, several chunks outside."""
    options = {"steps": 1500, "save_every": 3}
    run = jax.jit(lambda s, h: da.simulate(Blade(slope=s), da.RK4(), Q0, V0, h=h, **options))
    host, traced = blade(h=0.01, **options), run(0.5, 0.01)
    assert_rows_equal(host[:10], traced[:10], 1e-15)
    assert_rows_equal(host, traced, 1e-12)
    assert (traced.meta.system, traced.meta.steps, traced.meta.save_every) == ("blade", 1500, 3)


def test_run_of_constants_inside_jit():
    """No argument is traced, but there is no host to loop on, either."""
    inside = jax.jit(lambda: blade(6).final.q)()
    np.testing.assert_allclose(inside, blade(6).final.q, rtol=1e-15)


def test_vmap_over_data_and_parameters():
    speeds, slopes = jnp.array([0.5, 1.0, 2.0]), jnp.array([0.1, 0.5, 0.9])

    def run(speed, slope):
        return da.simulate(Blade(slope=slope), da.RK4(), Q0, speed * V0, h=0.1, steps=10)

    batch = jax.jit(jax.vmap(run))(speeds, slopes)
    assert batch.q.shape == (3, 11, 3)
    for i in range(3):
        one = da.simulate(
            Blade(slope=float(slopes[i])), da.RK4(), Q0, float(speeds[i]) * V0, h=0.1, steps=10
        )
        np.testing.assert_allclose(batch.q[i], one.q, rtol=1e-14, atol=1e-15)
        np.testing.assert_allclose(batch.multiplier[i], one.multiplier, rtol=1e-13, atol=1e-15)


def test_gradient_through_a_run():
    """Reverse and forward mode in parameter, velocity and step size, against differences."""
    weights = jnp.array([1.0, -2.0, 0.5])

    def final(slope, speed, h):
        # rows apart from each other: the steps between them are recomputed in reverse mode
        options = {"h": h, "steps": 10, "save_every": 5}
        traj = da.simulate(Blade(slope=slope), da.RK4(), Q0, speed * V0, **options)
        return traj.final.q @ weights

    at, eps = (0.5, 1.0, 0.1), 1e-5
    reverse = jax.jit(jax.grad(final, (0, 1, 2)))(*at)
    forward = jax.jit(jax.jacfwd(final, (0, 1, 2)))(*at)
    np.testing.assert_allclose(forward, reverse, rtol=1e-12)
    for i in range(3):
        up, down = (
            float(final(*(x + s * eps * (i == j) for j, x in enumerate(at)))) for s in (1, -1)
        )
        np.testing.assert_allclose(reverse[i], (up - down) / (2 * eps), rtol=1e-6)


def test_traced_failures_are_told_by_code():
    """No exception, but the code of the first failure from there on."""

    def run(v, method):
        return da.simulate(Free(), method, [0.0], v, h=1.0, steps=6, save_every=2)

    v = jnp.ones(1)
    codes = np.asarray(jax.jit(lambda v: run(v, Counting(3)).result)(v))
    assert codes.tolist() == [OK, OK, NO_CONVERGENCE, NO_CONVERGENCE]
    codes = np.asarray(jax.jit(lambda v: run(v, Counting(0, NOT_FINITE)).result)(v))
    assert codes.tolist() == [NOT_FINITE] * 4


def test_traced_blow_up_spoils_its_own_member_only():
    run = jax.jit(jax.vmap(lambda q: da.simulate(Falling(), da.RK4(), q, [0.0], h=0.5, steps=40)))
    batch = run(jnp.array([[-1e-3], [1.0]]))
    assert np.all(np.asarray(batch.result[0]) == OK)
    result = np.asarray(batch.result[1])
    assert result[0] == OK and result[-1] == NOT_FINITE
    assert np.all(np.diff(result) >= 0)


def test_traced_inconsistent_velocity_is_told_by_code():
    """A sweep over data must not project in silence."""
    off = jnp.array([0.0, 0.3, 0.0])

    @jax.jit
    @jax.vmap
    def run(size):
        options = {"h": 0.1, "steps": 2}
        refused, projected = (
            da.simulate(Blade(), Counting(), Q0, V0 + size * off, project=project, **options)
            for project in (False, True)
        )
        return refused.result, projected.result, projected.v

    refused, accepted, v = run(jnp.array([0.0, 1.0]))
    assert np.asarray(refused).tolist() == [[OK] * 3, [INCONSISTENT] * 3]
    assert np.all(np.asarray(accepted) == OK)
    by_hand = dynamics.consistent_velocity(Blade(), jnp.asarray(Q0), V0 + off)
    np.testing.assert_allclose(v[1, 0], by_hand, rtol=1e-15)


def test_misuse_inside_jax_is_told():
    def traced(**options):
        given = {"h": 0.1, "steps": 3} | options
        jax.eval_shape(lambda q: da.simulate(Blade(), da.RK4(), q, V0, **given), jnp.asarray(Q0))

    with pytest.raises(UsageError, match="stop_when needs a run outside of jit, vmap and grad"):
        traced(stop_when=lambda t, q, v: False)
    with pytest.raises(UsageError, match="save_every must divide steps: 3 / 2"):
        traced(save_every=2)
    with pytest.raises(UsageError, match="the step size h must be positive"):
        traced(h=-0.1)
    with pytest.raises(UsageError, match=r"v0 must have shape \(3,\), got \(4,\)"):
        jax.eval_shape(lambda v: da.simulate(Blade(), da.RK4(), Q0, v, h=0.1, steps=2), jnp.ones(4))
