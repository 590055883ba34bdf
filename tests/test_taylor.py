"""Taylor's method: coefficients, accuracy, rows at any time, events, what it refuses."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import special

import dalembert as da
from dalembert.compile.ir.record import record
from dalembert.compile.taylor import coefficient_emit
from dalembert.compile.taylor.taylor_kernel import ObserverKernel, RecordShape
from dalembert.events.locate import has_no_root, roots
from dalembert.running import ensemble_run
from dalembert.running.programs import taylor_program
from dalembert.running.programs.taylor_program import TaylorProgram

ORDER = 13

# functions of x and t on both sides: as they are recorded, and of complex numbers
FUNCTIONS = {
    "product": (lambda x, y, t: x * y * t, lambda x, y, t: x * y * t),
    "quotient": (lambda x, y, t: x / (y + t), lambda x, y, t: x / (y + t)),
    "reciprocal": (lambda x, y, t: 2.0 / x, lambda x, y, t: 2.0 / x),
    "square root": (lambda x, y, t: jnp.sqrt(x + y), lambda x, y, t: np.sqrt(x + y)),
    "sin": (lambda x, y, t: jnp.sin(3 * x), lambda x, y, t: np.sin(3 * x)),
    "cos": (lambda x, y, t: jnp.cos(x * y), lambda x, y, t: np.cos(x * y)),
    "tan": (lambda x, y, t: jnp.tan(x), lambda x, y, t: np.tan(x)),
    "exp": (lambda x, y, t: jnp.exp(x - y), lambda x, y, t: np.exp(x - y)),
    "exp2": (lambda x, y, t: jnp.exp2(x), lambda x, y, t: 2.0**x),
    "expm1": (lambda x, y, t: jnp.expm1(x), lambda x, y, t: np.expm1(x)),
    "log": (lambda x, y, t: jnp.log(x), lambda x, y, t: np.log(x)),
    "log1p": (lambda x, y, t: jnp.log1p(x), lambda x, y, t: np.log1p(x)),
    "power": (lambda x, y, t: x**2.5, lambda x, y, t: x**2.5),
    "power of a power": (lambda x, y, t: x**y, lambda x, y, t: x**y),
    "cbrt": (lambda x, y, t: jnp.cbrt(x), lambda x, y, t: x ** (1 / 3)),
    "sinh": (lambda x, y, t: jnp.sinh(x), lambda x, y, t: np.sinh(x)),
    "cosh": (lambda x, y, t: jnp.cosh(x), lambda x, y, t: np.cosh(x)),
    "tanh": (lambda x, y, t: jnp.tanh(x), lambda x, y, t: np.tanh(x)),
    "asin": (lambda x, y, t: jnp.arcsin(x / 2), lambda x, y, t: np.arcsin(x / 2)),
    "acos": (lambda x, y, t: jnp.arccos(x / 2), lambda x, y, t: np.arccos(x / 2)),
    "atan": (lambda x, y, t: jnp.arctan(x), lambda x, y, t: np.arctan(x)),
    "atan2": (lambda x, y, t: jnp.arctan2(x, y), lambda x, y, t: np.arctan(x / y)),
    "asinh": (lambda x, y, t: jnp.arcsinh(x), lambda x, y, t: np.arcsinh(x)),
    "acosh": (lambda x, y, t: jnp.arccosh(1 + x), lambda x, y, t: np.arccosh(1 + x)),
    "atanh": (lambda x, y, t: jnp.arctanh(x / 2), lambda x, y, t: np.arctanh(x / 2)),
    "erf": (lambda x, y, t: jax.scipy.special.erf(x), lambda x, y, t: special.erf(x)),
    "erfc": (lambda x, y, t: jax.scipy.special.erfc(x), lambda x, y, t: special.erfc(x)),
    "absolute value": (lambda x, y, t: jnp.abs(-x), lambda x, y, t: x),
    "largest": (lambda x, y, t: jnp.maximum(x, x - y), lambda x, y, t: x),
    "choice": (lambda x, y, t: jnp.where(x > 0.5, y * x, x), lambda x, y, t: y * x),
    "remainder": (lambda x, y, t: jnp.fmod(7.0 + x, 2.0), lambda x, y, t: 7.0 + x - 6.0),
    "whole": (lambda x, y, t: jnp.floor(x) + jnp.sign(y), lambda x, y, t: 1.0 + 0 * x),
}
X = np.array([[0.8, 0.9], [0.3, -0.2], [-0.1, 0.25], [0.05, 0.1]])  # coefficients of x and y


WAYS = {
    "written out": {"_WRITTEN_OUT": 10**6},
    "in pieces": {"_WRITTEN_OUT": 0},
    "in one loop": {"_WRITTEN_OUT": 0, "_LINES": 1},
    "by calls": {"_WRITTEN_OUT": 0, "_LINES": 1, "_CALLED": 0},
}


@pytest.mark.parametrize("way", WAYS)
def test_coefficients_are_those_of_cauchy(way, monkeypatch):
    """Every rule against the integral around a circle, in each of the ways of writing sums."""
    for name, value in WAYS[way].items():
        monkeypatch.setattr(coefficient_emit, name, value)
    zero = np.zeros(())

    def g(constants, moving):
        x, t = moving
        return [f(x[0], x[1], t) for f, _ in FUNCTIONS.values()]

    shape = RecordShape(0, 3 + 2, 2, ORDER, 0, 0)
    kernel = ObserverKernel(lambda: (record(g, zero, (np.zeros(2), zero)), 1), shape)
    records = np.zeros((2, shape.record))
    records[:, 0] = 0.4  # the time; no point has numbers here
    shape.coefficients(records)[:, : len(X)] = X
    shape.coefficients(records)[0, 1:] = np.nan  # of which nothing is left behind
    found = kernel(np.zeros((len(records), 1)), records)[1]
    s = 0.2 * np.exp(2j * np.pi * np.arange(64) / 64)
    x, y = (sum(X[k, i] * s**k for k in range(len(X))) for i in range(2))
    for i, (name, (_, f)) in enumerate(FUNCTIONS.items()):
        exact = np.fft.fft(f(x, y, 0.4 + s)).real / 64 / 0.2 ** np.arange(64)
        error = np.abs(found[:, i] - exact[: ORDER + 1]) * 0.2 ** np.arange(ORDER + 1)
        assert error.max() < 1e-14, name


@pytest.mark.parametrize("way", ["written out", "by calls"])
def test_a_wall_that_is_not_felt_from_afar(way, monkeypatch):
    """A first step through it ends where the force overflows; nothing of that try is left."""
    for name, value in WAYS[way].items():
        monkeypatch.setattr(coefficient_emit, name, value)

    class Wall(da.System):
        """A point flies to where exp(-q/d) stops it."""

        way: str = eqx.field(static=True, default="")
        d: float = 1e-3
        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v[0] ** 2 - jnp.exp(-q[0] / self.d)

        def initial(self):
            return jnp.array([1.0]), jnp.array([-1.0])

    run = da.simulate(Wall(way), da.Taylor(), t=2.0)
    # q = d log 2 + 2 d log cosh((t - t*)/(2 d)): far from the wall |t - t*| - d log 2
    assert abs(run.v[-1, 0] - 1.0) < 1e-12
    assert abs(run.q[-1, 0] - (1.0 - 2e-3 * np.log(2.0))) < 1e-12


def test_what_has_no_rule_is_refused_and_the_reference_goes_on_without():
    class Odd(da.System):
        """A potential of functions without a rule."""

        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - jax.scipy.special.gammaln(2.0 + q[0] ** 2)

        def initial(self):
            return jnp.array([0.5]), jnp.array([0.0])

    with pytest.raises(da.UsageError, match="taylor cannot run odd: it has no rule for the prim"):
        da.simulate(Odd(), da.Taylor(), t=1.0)
    run = da.simulate(Odd(), da.Reference(), h=0.5, steps=2)
    assert run.meta.engine == "arrays" and "taylor has no rule" in run.meta.engine_reason
    by_gauss = da.simulate(Odd(), t=1.0, tol=1e-6)
    assert by_gauss.meta.method.startswith("gauss") and "taylor" in by_gauss.meta.engine_reason
    assert abs(run.final.q[0] - by_gauss.final.q[0]) < 1e-5


class Drag(da.System):
    """Drag that grows with the square of the speed: no derivative at rest."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + q[0]

    def force(self, t, q, v):
        return -jnp.sqrt(v @ v) * v

    def initial(self):
        return jnp.zeros(1), jnp.zeros(1)


def test_what_has_no_derivatives_at_its_start_is_left_to_others():
    """v = tanh(t)."""
    with pytest.raises(da.SimulationError, match=r"sqrt\(v @ v\) are not at rest: Gauss\(4\) does"):
        da.simulate(Drag(), da.Taylor(), t=1.0)
    run = da.simulate(Drag(), da.Reference(), h=0.5, steps=2)
    assert run.meta.engine_reason.startswith("diffrax, because the derivatives of the")
    np.testing.assert_allclose(run.v[-1], np.tanh(1.0), rtol=1e-9)
    moving = da.simulate(Drag(), da.Taylor(), [0.0], [np.tanh(0.5)], t=0.5)
    np.testing.assert_allclose(moving.v[-1], np.tanh(1.0), rtol=1e-14)


# -- accuracy ------------------------------------------------------------------------------------

CLOSED = ("nonholonomic-particle", "knife-edge", "chaplygin-sleigh", "vertical-rolling-disk",
          "ball-on-turntable", "suslov")  # fmt: skip


@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms_to_round_off(name):
    system = da.systems.registry[name]()
    traj = da.simulate(system, da.Taylor(), t=20.0)
    q, v = jax.vmap(system.closed_form)(jnp.asarray(traj.t))
    found = zip(jax.tree.leaves((traj.q, traj.v)), jax.tree.leaves((q, v)))
    for a, b in found:
        assert np.abs(a - b).max(initial=0.0) < 1e-13 * max(np.abs(b).max(initial=0.0), 1.0)
    rows = jax.vmap(lambda t, q, v: da.dynamics.constraint_sizes(system, q, v, t))
    off, _, norm = rows(traj.t, traj.q, traj.v)
    assert np.all(np.abs(off) <= 1e-15 * norm)
    assert traj.meta.own_steps and traj.t[-1] == 20.0 and traj.meta.engine == "native"


@pytest.mark.parametrize("system", [da.systems.ChaplyginBall(), da.systems.Suslov()])
def test_on_groups_and_their_quotients_as_gauss(system):
    """Another method agrees with q, v, multipliers and what is reconstructed."""
    fine = da.simulate(system, da.Gauss(3), h=0.0025, steps=400, save_every=100)
    traj = da.simulate(system, da.Taylor(), h=0.25, steps=4)
    mine, other = (jax.tree.leaves((x.q, x.v, x.p, x.frame)) for x in (traj, fine))
    for a, b in zip(mine, other):
        assert np.abs(a - b).max(initial=0.0) < 1e-12 * max(1.0, np.abs(b).max(initial=0.0))
    assert np.abs(traj.multiplier - fine.multiplier).max() < 1e-11


class Clock(da.System):
    """Kinds of constraints at once: holonomic, affine and with time, and forces."""

    space = da.Euclidean(3)

    def lagrangian(self, t, q, v):
        return 0.5 * (1.0 + 0.3 * jnp.sin(t)) * v @ v - 0.5 * q @ q

    def holonomic(self, q):
        return jnp.array([q[0] ** 2 + q[1] ** 2 - 1.0])

    def constraint(self, q):
        return jnp.array([[q[1], 0.0, 1.0 + q[2] ** 2]])

    def offset(self, t, q):
        return jnp.array([jnp.cos(t)])

    def force(self, t, q, v):
        return -0.1 * v * jnp.exp(-t)

    def initial(self):
        return jnp.array([1.0, 0.0, 0.0]), jnp.array([0.0, 0.7, 1.0])


def test_all_kinds_of_constraints_forces_and_time():
    fine = da.simulate(Clock(), da.Gauss(6), h=0.02, steps=150)
    traj = da.simulate(Clock(), da.Taylor(), h=0.5, steps=6)
    for a, b in ((fine.q[::25], traj.q), (fine.v[::25], traj.v)):
        assert np.abs(a - b).max() < 1e-12
    assert np.abs(fine.multiplier[::25] - traj.multiplier).max() < 1e-10
    assert np.abs(jax.vmap(Clock().holonomic)(traj.q)).max() < 1e-15


class Spring(da.System):
    """q'' = -w^2 q."""

    w: float = 1.0
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * self.w**2 * (q @ q)

    def initial(self):
        return jnp.array([1.0]), jnp.array([0.0])


def test_sums_are_compensated():
    """Over 10^4 steps the phase stays where t itself cannot be told better, far away as well."""
    run = da.simulate(Spring(), da.Taylor(), t=1e4, save=da.Final())
    assert abs(run.q[-1, 0] - np.cos(1e4)) < 1e-12

    class Free(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - 0.5 * q[1] ** 2

    # x = 1e9 + t in steps of about one: what each loses is kept
    run = da.simulate(Free(), da.Taylor(), [1e9, 1.0], [0.1, 0.0], t=3000.0, save=da.Final())
    assert abs(run.q[-1, 0] - (1e9 + 300.0)) <= np.spacing(1e9)


def test_near_a_singularity_steps_become_small_and_the_error_does_not_grow():
    class Kepler(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v + 1.0 / jnp.sqrt(q @ q)

    e = 0.99
    q0, v0 = np.array([1.0 + e, 0.0]), np.array([0.0, np.sqrt((1 - e) / (1 + e))])
    run = da.simulate(Kepler(), da.Taylor(), q0, v0, t=2 * np.pi)
    assert np.diff(run.t).min() < 1e-3 * np.diff(run.t).max()
    assert np.abs(run.final.q - q0).max() < 1e-11 and np.abs(run.final.v - v0).max() < 1e-11

    class Falling(da.System):
        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v @ v + q[0] ** 3

    with pytest.raises(da.SimulationError, match="near a singularity") as caught:
        da.simulate(Falling(), da.Taylor(), [2.0], [2.0], t=10.0)
    assert np.all(np.isfinite(caught.value.trajectory.q))


class Pushed(da.MechanicalSystem):
    """A force that jumps in time, and one that jumps with the velocity."""

    space = da.Euclidean(1)
    mass = np.eye(1)
    jumps_at: float = 1e9
    friction: float = 0.0
    stiffness: float = 0.0

    def potential(self, q):
        return 0.5 * self.stiffness * q @ q

    def force(self, t, q, v):
        return jnp.reshape((t > self.jumps_at) - self.friction * jnp.sign(v[0]), (1,))


def test_jumps_are_stepped_over_and_a_motion_that_stays_in_one_is_told():
    run = da.simulate(Pushed(jumps_at=np.sqrt(2.0)), da.Taylor(), [0.0], [1.0], t=10.0)
    assert abs(run.q[-1, 0] - (10.0 + 0.5 * (10.0 - np.sqrt(2.0)) ** 2)) < 1e-11
    # friction: half a turn about +mu and one about -mu, each shorter by 2 mu
    slowed = Pushed(friction=0.1, stiffness=1.0)
    run = da.simulate(slowed, da.Taylor(), [1.0], [0.0], t=2 * np.pi)
    assert abs(run.q[-1, 0] - 0.6) < 1e-12
    with pytest.raises(da.SimulationError, match="a force jumps and the motion stays"):
        da.simulate(Pushed(friction=1.0), da.Taylor(), [0.0], [1.0], t=10.0)


# -- rows and what lies between ------------------------------------------------------------------


def test_rows_where_they_are_asked_for_are_those_of_the_same_motion():
    system, method = da.systems.ChaplyginBall(), da.Taylor(1e-12)
    nodes = da.simulate(system, method, t=3.0, t0=1.0)
    times = [1.0, 1.25, 2.123456, 3.0]
    chosen = da.simulate(system, method, t=3.0, t0=1.0, save=da.At(times))
    np.testing.assert_array_equal(chosen.t, times)
    between = nodes.at(times)
    grid = da.simulate(system, method, h=0.25, steps=8, t0=1.0)
    one = jax.tree.map(lambda x: x[1], (grid.q, grid.v))
    for a, b in zip(*map(jax.tree.leaves, ((chosen.q, chosen.v), (between.q, between.v)))):
        np.testing.assert_allclose(a, b, atol=1e-13)
    for a, b in zip(jax.tree.leaves((chosen.q, chosen.v)), jax.tree.leaves(one)):
        np.testing.assert_array_equal(a[1], b)
    assert not chosen.meta.own_steps and nodes.meta.h == pytest.approx(nodes.t[1] - 1.0)
    with pytest.raises(da.UsageError, match="within the run, t = 1 to 3"):
        da.simulate(system, method, t=3.0, t0=1.0, save=da.At([0.5]))
    with pytest.raises(da.UsageError, match="taylor chooses its own steps: give t"):
        da.simulate(system, method, steps=5)


def test_h_need_not_divide_the_time(tmp_path):
    system, method = da.systems.KnifeEdge(), da.Taylor(1e-12)
    run = da.simulate(system, method, t=2.0, t0=1.0, h=0.3)
    np.testing.assert_array_equal(run.t, [1.0 + k * 0.3 for k in range(4)] + [2.0])
    nodes = da.simulate(system, method, t=2.0, t0=1.0)
    np.testing.assert_allclose(run.q, nodes.at(run.t).q, atol=1e-13)
    both = da.simulate(system, method, t=2.0, t0=1.0, h=0.3, save=da.At([1.15, 1.3]))
    np.testing.assert_array_equal(both.t, [1.15, 1.3])
    with pytest.raises(da.UsageError, match="an h that divides the time, or t alone"):
        da.simulate(system, method, t=2.0, h=0.3, store=tmp_path / "run.zarr")


def test_chunks_and_resuming_change_no_bit(tmp_path, monkeypatch):
    """A run whose store is left behind after a failure goes on with the same numbers."""
    pytest.importorskip("zarr")
    system, method = da.systems.ChaplyginSleigh(), da.Taylor()
    for length in ({"h": 0.01, "steps": 300}, {"t": 60.0}):
        whole = da.simulate(system, method, **length)
        path = tmp_path / f"{len(length)}.zarr"
        with monkeypatch.context() as patch:
            patch.setattr("dalembert.running.single_run._FIRST_STEPS", 40)
            patch.setattr("dalembert.running.single_run._CHUNK_SECONDS", 0.0)
            advance, calls = TaylorProgram.advance, []

            def interrupted(self, budget, advance=advance, calls=calls):
                calls.append(budget)
                if len(calls) > 1:
                    raise KeyboardInterrupt
                return advance(self, budget)

            patch.setattr(TaylorProgram, "advance", interrupted)
            with pytest.raises(da.SimulationError, match="interrupted"):
                da.simulate(system, method, **length, store=path)
        assert len(da.load(path)) == 41
        da.resume(path)
        again = da.load(path)
        np.testing.assert_array_equal(again.t, whole.t)
        np.testing.assert_array_equal(again.q, whole.q)
        np.testing.assert_array_equal(again.v, whole.v)


def test_it_stays_outside_of_transformations():
    system = da.systems.ChaplyginSleigh()
    q, v = system.initial()
    with pytest.raises(da.UsageError, match="outside of jit"):
        jax.jit(lambda x: da.simulate(system, da.Taylor(), *system.initial(), h=x, steps=2).q)(0.1)
    with pytest.raises(da.UsageError, match=r"use Gauss\(4\) with h and steps; da.sensitivities"):
        jax.grad(lambda v: da.simulate(system, da.Taylor(), q, v, t=1.0).q[-1, 0])(v)
    for wrong in (0.5, 1e-17, "a"):
        with pytest.raises(da.UsageError, match="Taylor: tol is the error of a step"):
            da.Taylor(wrong)
    with pytest.raises(da.UsageError, match="native code only"):
        da.simulate(system, da.Taylor(), t=1.0, engine="arrays")


def test_a_tolerance_at_the_end_is_met():
    system = da.systems.KnifeEdge()
    exact = system.closed_form(jnp.asarray(5.0))
    for tol in (1e-6, 1e-10):
        traj = da.simulate(system, t=5.0, tol=tol)
        assert traj.meta.method == "taylor" and traj.meta.error_estimate < tol
        error = max(
            np.abs(a[-1] - b).max() / np.abs(a).max() for a, b in zip((traj.q, traj.v), exact)
        )
        assert error < tol and error < 3 * traj.meta.error_estimate + 1e-15


# -- events --------------------------------------------------------------------------------------


def test_no_root_of_a_polynomial_is_missed():
    found = np.array([0.1, 0.1 + 1e-7, 0.5, 0.75, 0.999])
    b = np.polynomial.polynomial.polyfromroots(found)
    np.testing.assert_allclose(roots(b), found, atol=1e-9)
    assert not has_no_root(b[None])[0]
    touching = np.polynomial.polynomial.polyfromroots([0.3, 0.3])
    assert roots(touching) == [] or len(roots(touching)) == 2  # round-off decides
    assert roots(touching + np.eye(3)[0] * 1e-6) == []
    # a change of sign that has nothing but noise around it, wherever it lies
    for x in np.linspace(0.02, 0.98, 97):
        near = roots(np.polynomial.polynomial.polyfromroots([x, x, x, 1.7, -0.3]))
        assert len(near) % 2 == 1 and max(abs(s - x) for s in near) < 1e-4, (x, near)
    assert has_no_root(np.array([[0.3, -0.2, 0.1]]))[0]


def test_the_turn_of_the_sleigh_and_a_thousand_crossings():
    """Where the sleigh stands still, by its closed form; zeros of cos, and of a faster function."""
    sleigh = da.systems.ChaplyginSleigh()
    forward = da.Event(lambda t, q, v: v[0] * jnp.cos(q[2]) + v[1] * jnp.sin(q[2]), terminal=True)
    run = da.simulate(sleigh, da.Taylor(), t=20.0, events={"turn": forward})

    def speed(t):
        q, v = sleigh.closed_form(t)
        return v[0] * jnp.cos(q[2]) + v[1] * jnp.sin(q[2])

    t = float(run.events["turn"].t[0])
    exact = t - float(speed(t) / jax.grad(speed)(t))  # Newton's step, on the closed form
    assert run.t[-1] == t and abs(t - exact) < 1e-14 * max(1.0, t)
    assert abs(forward.g(0.0, run.final.q, run.final.v)) < 1e-14

    watched = {"zero": lambda t, q, v: q[0], "fast": lambda t, q, v: jnp.cos(17.0 * t) + 0.1 * q[0]}
    run = da.simulate(Spring(), da.Taylor(), t=320.0, events=watched, save=da.Final())
    zeros = run.events["zero"].t
    np.testing.assert_allclose(zeros, np.pi * (np.arange(len(zeros)) + 0.5), atol=2e-13)
    assert len(zeros) == 102
    t = np.linspace(0.0, 320.0, 400_001)
    dense = np.flatnonzero(np.diff(np.sign(np.cos(17.0 * t) + 0.1 * np.cos(t))))
    fast = run.events["fast"].t
    assert len(fast) == len(dense) > 1700
    assert np.all(np.abs(fast - t[dense]) < 1e-3)
    upward = da.simulate(
        Spring(), da.Taylor(), h=0.5, steps=40, events={"up": da.Event(watched["zero"], 1, count=2)}
    )
    np.testing.assert_allclose(upward.events["up"].t, [1.5 * np.pi, 3.5 * np.pi], rtol=1e-15)
    assert upward.t[-1] == upward.events["up"].t[-1]


def test_a_section_is_as_accurate():
    spring = Spring()
    cross = da.Section(lambda q, v: v[0], [lambda q, v: q[0]], every=1)
    run = da.simulate(spring, da.Taylor(), t=50.0, save={"cut": cross})
    cut = run.saved["cut"]
    np.testing.assert_allclose(cut.t, np.pi * (2 * np.arange(len(cut.t)) + 1), rtol=1e-15)
    np.testing.assert_allclose(cut.values[:, 0], -1.0, rtol=1e-14)


# -- many, and derivatives -----------------------------------------------------------------------


def test_members_take_steps_of_their_own_and_agree_with_single_runs():
    a = jnp.linspace(0.1, 0.3, 5)
    cut = da.Section(lambda q, v: jnp.sin(q[2]), [lambda q, v: q[0]], every=1)
    many = da.simulate_ensemble(
        da.systems.ChaplyginSleigh(a=a), da.Taylor(), h=0.5, steps=20,
        save={"": da.Every(5), "cut": cut},
    )  # fmt: skip
    sleigh = da.systems.ChaplyginSleigh(a=float(a[3]))
    one = da.simulate(sleigh, da.Taylor(), h=0.5, steps=20, save={"": da.Every(5), "cut": cut})
    np.testing.assert_array_equal(many.q[3], one.q)
    np.testing.assert_array_equal(many.multiplier[3], one.multiplier)
    mine = many.saved["cut"].t[many.saved["cut"].member == 3]
    np.testing.assert_allclose(mine, one.saved["cut"].t, rtol=1e-13)
    assert many.meta.engine == "native" and not many.failed
    ends = da.simulate_ensemble(da.systems.ChaplyginSleigh(a=a), da.Taylor(), t=10.0)
    np.testing.assert_array_equal(ends.q[:, -1], many.q[:, -1])


class Falling(da.System):
    """A point that falls into a center, at t = pi/sqrt(8 k) from rest at 1; or moves freely."""

    k: float = 1.0
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + self.k / q[0]


def test_members_find_all_events_between_rows():
    """Zeros of cos(w t), up to five of them between two rows, a thousand in all."""
    w = np.linspace(0.5, 2.0, 250)
    watched = {"zero": lambda t, q, v: q[0], "up": da.Event(lambda t, q, v: q[0], 1, count=2)}
    many = da.simulate_ensemble(Spring(w), da.Taylor(), h=8.0, steps=1, events=watched)
    second = 3.5 * np.pi / w  # where w t = 7 pi/2, the run of a member ends
    np.testing.assert_allclose(many.ended, np.minimum(second, 8.0), rtol=1e-15)
    zeros, up = many.events["zero"], many.events["up"]
    for i in range(250):
        exact = (np.arange(10) + 0.5) * np.pi / w[i]
        until = exact <= min(second[i] * (1 + 1e-12), 8.0)
        mine = zeros.t[zeros.member == i]
        np.testing.assert_allclose(mine, exact[until], rtol=1e-15)
        upward = until & (np.arange(10) % 2 == 1)
        np.testing.assert_allclose(up.t[up.member == i], exact[upward], rtol=1e-15)
    assert len(zeros.t) > 750
    for i in (0, 99, 249):
        one = da.simulate(Spring(w[i]), da.Taylor(), h=8.0, steps=1, events=watched)
        for name in watched:
            found = many.events[name]
            np.testing.assert_array_equal(found.t[found.member == i], one.events[name].t)
            np.testing.assert_array_equal(found.v[found.member == i], one.events[name].v)


def test_members_that_fail_take_no_events_from_others():
    k, v0 = np.array([1.0, 0.0, 1.0]), np.array([[0.0], [0.1], [0.0]])
    touched = {"there": lambda t, q, v: q[0] - 1.25, "half": lambda t, q, v: q[0] - 0.5}
    many = da.simulate_ensemble(
        Falling(k=k),
        da.Taylor(),
        np.ones((3, 1)),
        v0,
        h=0.5,
        steps=10,
        events=touched,
        save=da.Every(1),
    )
    assert sorted(many.failed) == [0, 2]
    np.testing.assert_array_equal(many.t, 0.5 * np.arange(11))
    there, half = many.events["there"], many.events["half"]
    assert there.member.tolist() == [1] and half.member.tolist() == [0, 2]
    np.testing.assert_allclose(there.t, 2.5, rtol=1e-15)
    # r = cos^2 u, t = (u + sin u cos u)/sqrt(2 k): at 1/2, u = pi/4
    np.testing.assert_allclose(half.t, (np.pi / 4 + 0.5) / np.sqrt(2.0), rtol=1e-13)


def test_no_event_is_lost_before_the_first_row(monkeypatch):
    monkeypatch.setattr(taylor_program, "_RECORD_BYTES", 2048)  # some steps, then another call
    run = da.simulate(Spring(), da.Taylor(), h=99.0, steps=1, events={"zero": lambda t, q, v: q[0]})
    np.testing.assert_allclose(run.events["zero"].t, (np.arange(32) + 0.5) * np.pi, rtol=1e-14)


def test_members_have_all_crossings_of_a_section():
    """However far rows are from each other, and until an event ends a run between two of them."""
    w = np.array([1.0, 1.3])

    def crossings(h, steps, every, end, **options):
        cut = da.Section(lambda q, v: q[0], [lambda q, v: v[0]], 0, every)
        run = da.simulate_ensemble(
            Spring(w), da.Taylor(), h=h, steps=steps, save={"cut": cut}, **options
        )
        found = run.saved["cut"]
        for i in range(2):
            exact = (np.arange(99) + 0.5) * np.pi / w[i]
            np.testing.assert_allclose(
                found.t[found.member == i], exact[exact < end], rtol=1e-13, err_msg=str(i)
            )

    crossings(0.01, 2500, 1026, 25.0)  # calls end between rows
    for every in (1, 7):
        ends = {"end": da.Event(lambda t, q, v: t - 7.9, terminal=True)}
        crossings(0.5, 20, every, 7.9, events=ends)


def _fall_time(r, k=1.0):
    u = np.arccos(np.sqrt(r))
    return (u + np.sin(u) * np.cos(u)) / np.sqrt(2.0 * k)


@pytest.mark.parametrize("h", [0.5, 5.0])
def test_events_before_a_failure_do_not_depend_on_rows(h, monkeypatch):
    held = []

    class Kept(ensemble_run.PolynomialBuffer):
        def __init__(self, members):
            super().__init__(members)
            held.append(self)

    monkeypatch.setattr(ensemble_run, "PolynomialBuffer", Kept)
    k, start = np.array([1.0, 0.5]), (np.ones((2, 1)), np.zeros((2, 1)))
    watched = {"near": lambda t, q, v: q[0] - 0.05}
    cut = {"cut": da.Section(lambda q, v: q[0] - 0.05, [lambda q, v: v[0]], -1, 1)}
    options = {"h": h, "steps": 8}
    near = _fall_time(0.05, k)
    many = da.simulate_ensemble(
        Falling(k=k), da.Taylor(), *start, events=watched, save=cut, **options
    )
    assert sorted(many.failed) == [0, 1]
    np.testing.assert_allclose(many.events["near"].t, near, rtol=1e-12)
    np.testing.assert_allclose(many.saved["cut"].t, near, rtol=1e-12)
    assert many.events["near"].step.tolist() == (np.floor(near / h) + 1).tolist()
    one = Falling(k=1.0), da.Taylor(), np.ones(1), np.zeros(1)
    with pytest.raises(da.SimulationError, match="singularity") as failed:
        da.simulate(*one, events=watched, save={"": da.Every(1), **cut}, **options)
    assert failed.value.trajectory.events["near"].t == many.events["near"].t[0]
    assert failed.value.trajectory.saved["cut"].t == many.events["near"].t[0]
    # what ends a run before its failure keeps it from failing
    watched["stop"] = da.Event(lambda t, q, v: q[0] - 0.3, terminal=True)
    ended = da.simulate(*one, events=watched, **options)
    np.testing.assert_allclose(ended.t[-1], _fall_time(0.3), rtol=1e-13)
    np.testing.assert_allclose(ended.q[-1], 0.3, rtol=1e-13)
    assert not len(ended.events["near"].t)
    many = da.simulate_ensemble(Falling(k=k), da.Taylor(), *start, events=watched, **options)
    assert not len(many.failed) and not len(many.events["near"].t)
    np.testing.assert_allclose(many.ended, _fall_time(0.3, k), rtol=1e-13)
    np.testing.assert_allclose(many[1].q[-1], 0.3, rtol=1e-13)
    # nobody keeps the steps of members that are over
    assert all(x.after(np.full(2, -np.inf)) is None for x in held) and held


def test_a_member_whose_event_is_no_number_is_named():
    watched = {"root": lambda t, q, v: jnp.sqrt(q[0] + 0.5) - 0.1}
    with pytest.raises(da.SimulationError, match="event 'root' of member 2 is not a number"):
        da.simulate_ensemble(
            Spring(np.array([0.1, 0.1, 1.0])), da.Taylor(), h=0.5, steps=8, events=watched
        )


def test_sensitivities_are_derivatives():
    """With respect to a parameter by a closed form, to where it starts by differences."""
    edge, t = da.systems.KnifeEdge(), 2.0
    found = da.sensitivities(edge, t=t, parameters=("g",))
    exact = jax.jacfwd(lambda g: jnp.concatenate(da.systems.KnifeEdge(g=g).closed_form(t)))(edge.g)
    np.testing.assert_allclose(found.parameters["g"], exact, atol=1e-13)

    q0, v0 = (np.asarray(x) for x in edge.initial())
    for i in range(6):

        def end(s, i=i):
            x = np.concatenate([q0, v0]) + s * np.eye(6)[i]
            run = da.simulate(edge, da.Taylor(), x[:3], x[3:], h=t, steps=1, project=True).final
            return np.concatenate([run.q, run.v])

        slope = (8 * (end(1e-3) - end(-1e-3)) - (end(2e-3) - end(-2e-3))) / 12e-3
        np.testing.assert_allclose(found.initial[:, i], slope, atol=3e-10)

    turned = da.sensitivities(Spring(), [1.0], [0.0], t=100.0).initial
    c, s = np.cos(100.0), np.sin(100.0)
    np.testing.assert_allclose(turned, [[c, s], [-s, c]], atol=1e-13)
    with pytest.raises(da.UsageError, match="has no parameter 'mass'"):
        da.sensitivities(edge, t=1.0, parameters=("mass",))


def test_exponents_of_motions_that_are_known():
    class Top(Spring):
        """q'' = q: deviations grow by e^t and fall by e^-t."""

        def lagrangian(self, q, v):
            return 0.5 * v @ v + 0.5 * q @ q

    found = da.lyapunov(Top(), [0.0], [0.0], t=40.0, count=2, every=2.0)
    grown = found.t[:, None] * found.means  # after the directions have found their own
    np.testing.assert_allclose((grown[-1] - grown[9]) / 20.0, [1.0, -1.0], atol=1e-8)
    assert np.abs(da.lyapunov(Spring(), t=200.0, count=2, every=2.0).exponents).max() < 0.01


# -- what acts for a short time --------------------------------------------------------------------


class Pulsed(da.System):
    """A particle on a line, pushed for a second; or an offset that jumps."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def force(self, t, q, v):
        return jnp.array([jax.nn.sigmoid((t - 2) / 0.01) - jax.nn.sigmoid((t - 3) / 0.01)])


class Struck(Pulsed):
    def force(self, t, q, v):
        return jnp.array([100.0 * jnp.exp(-(((t - 5) / 0.01) ** 2))])


class Hidden(Pulsed):
    """Rational, and nothing from afar: of its quotient's denominator the change tells."""

    def force(self, t, q, v):
        return jnp.array([1.0 / (1.0 + ((t - 5) / 0.03) ** 2) ** 4])


class Flat(Pulsed):
    """A polynomial of so high a degree that the first coefficients show nothing of it."""

    def force(self, t, q, v):
        return jnp.array([(1.0 - ((t - 5) / 5.1) ** 2) ** 512])


class Carried(da.System):
    """A constraint that begins to move at t = 5: the derivative of the jump shows nothing."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.array([[0.0, 1.0]])

    def offset(self, t, q):
        return jnp.where(t > 5, jnp.array([1.0]), 0.0)


class Blinking(Pulsed):
    def force(self, t, q, v):
        return jnp.where(t % 1.0 < 0.1, jnp.ones(1), 0.0)


@pytest.mark.parametrize(
    ("system", "start", "end"),
    [
        (Pulsed(), ([0.0], [1.0]), (17.5, 2.0)),
        (Struck(), ([0.0], [0.0]), (np.sqrt(np.pi) * 5, np.sqrt(np.pi))),
        (Carried(), ([0.0, 0.0], [1.0, 0.0]), (5.0, 1.0)),
    ],
)
def test_what_acts_for_a_short_time_is_not_stepped_over(system, start, end):
    for run in (
        da.simulate(system, da.Taylor(), *start, t=10.0),
        da.simulate(system, *start, t=10.0, tol=1e-9),
    ):
        assert run.meta.method == "taylor"
        np.testing.assert_allclose([run.q[-1, -1], run.v[-1, -1]], end, rtol=0, atol=2e-8)


@pytest.mark.parametrize(
    ("system", "gain"),
    [
        (Hidden(), 0.03 * 5 * np.pi / 16),
        (Flat(), 5.1 * np.sqrt(np.pi) * np.exp(special.gammaln(513) - special.gammaln(513.5))),
    ],
)
def test_where_something_may_hide_in_a_step_it_is_looked_for(system, gain):
    for looks, is_seen in ((512, True), (0, False)):
        run = da.simulate(system, da.Taylor(1e-6, looks=looks), [0.0], [1.0], t=10.0)
        assert (abs(run.v[-1, 0] - 1.0 - gain) < 1e-5) == is_seen


def test_without_looks_it_would_be():
    blind = da.simulate(Pulsed(), da.Taylor(looks=0), [0.0], [1.0], t=10.0)
    assert abs(blind.v[-1, 0] - 2.0) > 0.5
    with pytest.raises(da.UsageError, match="looks must be an integer"):
        da.Taylor(looks=-1)


def test_choices_are_left_to_others_unless_asked_for():
    run = da.simulate(Blinking(), da.Reference(), [0.0], [0.0], h=0.05, steps=40)
    assert "chooses between branches" in run.meta.engine_reason
    np.testing.assert_allclose(run.v[-1], 0.2, atol=1e-6)
    asked = da.simulate(Blinking(), da.Taylor(), [0.0], [0.0], t=4.0)
    assert any("chooses between branches" in x for x in asked.meta.warnings)
    np.testing.assert_allclose(asked.v[-1], 0.4, atol=1e-9)
    with pytest.raises(da.SimulationError, match="tol = 1e-09 cannot be met"):
        da.simulate(Blinking(), [0.0], [0.0], t=4.0, tol=1e-9)


class Conveyor(da.System):
    """A blade on a belt that runs from time a to b, or while x lies between them."""

    a: float = 0.7
    b: float = 1.2
    by_place: bool = eqx.field(static=True, default=False)
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[1]), -jnp.cos(q[1])]])

    def offset(self, t, q):
        at = q[0] if self.by_place else t
        return jnp.where((at > self.a) & (at < self.b), jnp.ones(1), 0.0)


@pytest.mark.parametrize("by_place", [False, True])
def test_velocities_jump_with_a_constraint_that_comes_and_goes(by_place):
    """Of which no acceleration tells: before, on the belt and behind it, one run each."""
    run = da.simulate(Conveyor(by_place=by_place), da.Taylor(), [0.0, 0.0], [1.0, 0.0], t=2.0)
    on, off = Conveyor(-9.0, 9.0), Conveyor(8.0, 9.0)
    begins = {"q0": [0.7, 0.0], "v0": [1.0, 0.0], "project": True}
    ends = {"left": da.Event(lambda t, q, v: q[0] - 1.2, terminal=True)} if by_place else None
    middle = da.simulate(on, da.Taylor(), t=0.5 if not by_place else 1.3, events=ends, **begins)
    given = {"q0": middle.q[-1], "v0": middle.v[-1], "project": True}
    last = da.simulate(off, da.Taylor(), t=1.3 - float(middle.t[-1]), **given)
    assert abs(last.q[-1, 1]) > 0.5  # far from where it would be without the belt
    np.testing.assert_allclose(run.q[-1], last.q[-1], atol=1e-11)
    np.testing.assert_allclose(run.v[-1], last.v[-1], atol=1e-11)
    with pytest.raises(da.UsageError, match="its constraint chooses between branches"):
        da.sensitivities(Conveyor(), [0.0, 0.0], [1.0, 0.0], t=2.0)


class Sliding(Pulsed):
    def force(self, t, q, v):
        return jnp.where(q + v < 1, jnp.ones(1), -1.0)


def test_a_motion_that_slides_along_a_jump_has_an_end():
    with pytest.raises(da.SimulationError, match="no step is small enough"):
        da.simulate(Sliding(), da.Taylor(), [0.0], [0.0], t=5.0)


class Free(Pulsed):
    def force(self, t, q, v):
        return 0.0 * q


@pytest.mark.parametrize(
    ("function", "times"),
    [
        (lambda t, q, v: jnp.abs(q[0]) - 1.0, [1.5]),  # a choice
        (lambda t, q, v: jnp.tanh((t - 1.3) / 0.01), [1.3]),  # that coefficients do not see
        (
            lambda t, q, v: jnp.sqrt((q[0] + 1) ** 2 + 1e-4) - 0.02,
            [1.5 - 3e-4**0.5, 1.5 + 3e-4**0.5],
        ),
        (lambda t, q, v: t - 4.0, [4.0]),  # at the end
        (lambda t, q, v: jnp.where(t > 1.1, 1.0, -1.0), [1.1]),  # a jump
        (lambda t, q, v: jnp.where(q[0] < -0.7, 1.0, -1e-3), [1.2]),
        (lambda t, q, v: jnp.where(t > 1.1, 1.0 + t, -t - 0.1), [1.1]),  # nearer to zero elsewhere
        (lambda t, q, v: 1.0 / (t - 1.7), [1.7]),  # a pole
        (lambda t, q, v: jax.nn.sigmoid((t - 3.3) / 1e-3) - 0.5, [3.3]),  # overflows on the way
    ],
)
def test_events_that_are_no_polynomials(function, times):
    run = da.simulate(Free(), da.Taylor(), [0.5], [-1.0], t=4.0, events={"e": function})
    np.testing.assert_allclose(run.events.t, times, rtol=0, atol=1e-9)
