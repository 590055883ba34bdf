"""Series against hand computation, verdicts of reports, fitted orders, reversibility."""

import dataclasses
import gc
import io
import math
import pickle
import types

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SimulationError, UsageError, diagnostics, systems
from dalembert.groups import SO, Euclidean, Product
from dalembert.methods import Leapfrog, MPEuler
from dalembert.results import Meta, Trajectory, remembered
from dalembert.system import System, parameter


class Skate(System):
    """A particle that must move along its heading; gravity along -y."""

    m: float = parameter(2.0, "kg", positive=True)
    g: float = parameter(0.0, "m/s^2")

    space = Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * v[2] ** 2 - self.m * self.g * q[1]

    def constraint(self, q):
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), jnp.zeros(())])[None]

    @property
    def invariants(self):
        return {"spin": lambda q, v: v[2], "plane": lambda q, v: jnp.stack([v[2], 2 * v[2]])}


class Treadmill(Skate):
    """The same on a belt whose speed grows: the constraint depends on time."""

    def offset(self, t, q):
        return jnp.stack([3.0 * t])


class Ball(System):
    """Free body on R^2 x SO(3)."""

    space = Product(Euclidean(2), SO(3))

    def lagrangian(self, q, v):
        return 0.5 * v[:2] @ v[:2] + 0.5 * v[2:] @ (jnp.array([1.0, 2.0, 3.0]) * v[2:]) - q[1][2, 0]

    @property
    def invariants(self):
        inertia = jnp.array([1.0, 2.0, 3.0])
        return {"spatial momentum": lambda q, v: q[1] @ (inertia * v[2:])}


def by_hand(system, q, v, t=None, **changes):
    v = jnp.asarray(v)
    rows = v.shape[0]
    fields = {
        "t": jnp.arange(rows) * 1.0 if t is None else jnp.asarray(t),
        "q": jax.tree.map(jnp.asarray, q),
        "v": v,
        "p": jnp.zeros_like(v),
        "multiplier": jnp.zeros((rows, 1)),
        "frame": None,
        "residual": jnp.zeros(rows),
        "result": jnp.zeros(rows, dtype=jnp.int32),
        "meta": Meta.of(system, "by-hand", h=1.0, steps=rows - 1),
    }
    return Trajectory(**(fields | changes))


Q = np.array([[0.0, 0.0, 0.0], [1.0, 2.0, math.pi / 2], [1.0, 3.0, math.pi / 2]])
V = np.array([[1.0, 0.0, 0.5], [0.0, 2.0, 0.5], [0.25, 2.0, 0.75]])


# -- series --------------------------------------------------------------------------------------


def test_series_by_hand():
    system = Skate(m=2.0, g=10.0)
    traj = by_hand(system, Q, V)
    expected = np.array([1.125, 4.125 + 40.0, 4.0625 + 0.28125 + 60.0])
    assert np.allclose(diagnostics.energy(system, traj), expected, rtol=1e-15)
    assert np.allclose(diagnostics.energy_error(system, traj), expected - expected[0], rtol=1e-15)
    residual = diagnostics.constraint_residual(system, traj)
    assert np.allclose(residual, [0.0, 0.0, 0.25], atol=1e-15)
    assert np.allclose(diagnostics.momentum(system, traj), V * [2.0, 2.0, 1.0])
    assert np.allclose(diagnostics.path(system, traj), Q[:, :2])


def test_residual_is_taken_at_the_time_of_its_row():
    system = Treadmill()
    v = [[0.0, -3.0 * t, 0.0] for t in (0.0, 2.0, 5.0)]
    traj = by_hand(system, np.zeros((3, 3)), v, t=[0.0, 2.0, 5.0])
    assert np.array_equal(diagnostics.constraint_residual(system, traj), np.zeros(3))
    late = dataclasses.replace(traj, t=traj.t + 1.0)
    assert np.allclose(diagnostics.constraint_residual(system, late), 3.0)


def test_invariants_by_hand():
    system = Skate()
    traj = by_hand(system, Q, V)
    assert np.array_equal(diagnostics.invariants(system, traj)["spin"], [0.5, 0.5, 0.75])
    drift = diagnostics.invariant_drift(system, traj)
    assert np.array_equal(drift["spin"], [0.0, 0.0, 0.25])
    assert np.array_equal(drift["plane"], [[0, 0], [0, 0], [0.25, 0.5]])


def test_series_on_a_product():
    system = Ball()
    turn = jax.vmap(SO(3).exp)(jnp.array([[0.0, 0.0, 0.0], [0.0, 0.0, math.pi / 2]]))
    v = jnp.array([[1.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 1.0]])
    traj = by_hand(system, (jnp.zeros((2, 2)), turn), v, multiplier=jnp.zeros((2, 0)))
    assert np.allclose(diagnostics.energy(system, traj), [1.0, 2.0])
    moment = diagnostics.invariants(system, traj)["spatial momentum"]
    assert np.allclose(moment, [[1.0, 0.0, 0.0], [0.0, 0.0, 3.0]])
    assert np.array_equal(diagnostics.constraint_residual(system, traj), np.zeros(2))


def test_a_single_row_gives_a_single_value():
    system = Skate()
    traj = by_hand(system, Q, V)
    assert diagnostics.energy(system, traj.final).shape == ()
    assert diagnostics.energy(system, traj.final) == diagnostics.energy(system, traj)[-1]


def test_parameters_do_not_compile_again():
    traces = []

    class Counting(Skate):
        def lagrangian(self, q, v):
            traces.append(1)
            return super().lagrangian(q, v)

    traj = by_hand(Counting(), Q, V)
    values = [diagnostics.energy(Counting(m=1.0), traj)[0]]
    first = len(traces)
    for m in (2.0, 3, 4.5):
        values.append(diagnostics.energy(Counting(m=m), traj)[0])
    assert first > 0 and len(traces) == first
    assert np.allclose(values, [0.5 * m + 0.125 for m in (1.0, 2.0, 3.0, 4.5)])


def test_ensembles():
    trajs = [by_hand(Skate(), Q, V * k) for k in (1.0, 2.0)]
    both = jax.tree.map(lambda *x: jnp.stack(x), *trajs)
    one_system = diagnostics.energy_error(Skate(), both)
    assert np.allclose(one_system, [diagnostics.energy_error(Skate(), t) for t in trajs])
    masses = jnp.array([1.0, 3.0])
    swept = jax.vmap(lambda m, t: diagnostics.energy_error(Skate(m=m), t))(masses, both)
    assert np.allclose(
        swept, [diagnostics.energy_error(Skate(m=float(m)), t) for m, t in zip(masses, trajs)]
    )
    with pytest.raises(UsageError, match="one trajectory"):
        diagnostics.report(Skate(), both)


def test_series_are_differentiable():
    traj = by_hand(Skate(), Q, V)
    slope = jax.grad(lambda m: diagnostics.energy(Skate(m=m), traj)[0])(2.0)
    assert slope == pytest.approx(0.5)


# -- report --------------------------------------------------------------------------------------


def test_report_text():
    system = Skate(m=2.0)
    made = diagnostics.report(system, by_hand(system, Q, V))
    text = str(made)
    assert text.startswith("skate, by-hand: h = 1, t = 0 .. 2, 3 rows")
    for words in ("quantity", "should be", "measured", "verdict", "constraint residual, max"):
        assert words in text
    assert repr(made) == text
    assert made["constraint residual, max"].measured == pytest.approx(0.25)
    assert made["constraint residual, max"].verdict.startswith("above round-off")
    assert made["energy error, max"].measured == pytest.approx(3.21875)
    assert made["drift of plane, max"].measured == 0.5
    assert made["failed rows"] == diagnostics.Row("failed rows", "0", 0, "ok")
    with pytest.raises(KeyError, match="energy error, max"):
        made["energy"]


def test_report_says_that_it_judges_by_other_parameters():
    made, other = systems.ChaplyginSleigh(a=0.3), systems.ChaplyginSleigh()
    traj = da.simulate(made, h=0.05, steps=20)
    assert not diagnostics.report(made, traj).warnings
    (told,) = diagnostics.report(other, traj).warnings
    assert "made with a = 0.3, and is judged here by a system with a = 0.2" in told


def test_a_parameter_that_is_no_number_is_named():
    class Weight(System):
        k: float = 1.0
        space = Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - self.k * q[0]

    with pytest.raises(UsageError, match="its parameter 'k' is nan"):
        da.simulate(Weight(k=math.nan), jnp.zeros(1), jnp.zeros(1), h=0.1, steps=2)


def test_report_can_be_written_to_a_file():
    system, file = Skate(), io.StringIO()
    made = diagnostics.report(system, by_hand(system, Q, V), file=file)
    assert file.getvalue() == f"{made}\n"


def test_report_does_not_judge_an_energy_that_is_not_conserved():
    system = Treadmill()
    row = diagnostics.report(system, by_hand(system, Q, V))["energy change, max"]
    assert row.verdict == "not conserved: affine constraint, force or control"


class Belt(Skate):
    """The same on a belt that runs along x at a constant speed."""

    declared: str = eqx.field(static=True, default="x")

    def offset(self, t, q):
        return jnp.stack([0.7 * jnp.sin(q[2])])

    @property
    def symmetry_generators(self):
        return {self.declared: lambda q: jnp.eye(3)[:, [0 if self.declared == "x" else 1]]}


def test_report_judges_the_moving_energy_that_a_declared_symmetry_gives():
    system, q = Belt(), jnp.array([0.0, 0.0, 0.4])
    v = da.dynamics.consistent_velocity(system, q, jnp.array([1.0, 0.2, 0.9]))
    traj = da.simulate(system, da.RK4(), q, v, h=0.01, steps=60)
    made = diagnostics.report(system, traj)
    assert made["moving energy error, max"].measured < 1e-9
    assert "energy change, max" not in {row.quantity for row in made.rows}
    assert np.max(np.abs(diagnostics.energy_error(system, traj))) > 0.1
    # E - 0.7 p_x, by hand
    moving = diagnostics.energy(system, traj) - 0.7 * system.m * traj.v[:, 0]
    found = diagnostics.kept_energy(system, q)
    np.testing.assert_allclose(found.series(system, traj), moving, rtol=1e-13)
    # a symmetry across the belt does not move with it
    other = diagnostics.kept_energy(Belt(declared="y"), q)
    assert (other.name, other.kept) == ("energy", False)


def test_report_tells_failures():
    system = Skate()
    v = jnp.asarray(V).at[2, 0].set(jnp.nan)
    traj = by_hand(system, Q, v, result=jnp.array([0, 0, 2], dtype=jnp.int32))
    made = diagnostics.report(system, traj)
    assert made["failed rows"].measured == 1
    assert "first at row 2: a value became infinite" in made["failed rows"].verdict
    assert made["rows that are not finite"].measured == 1
    assert made["energy error, max"].verdict.startswith("above round-off")


def test_round_off_is_judged_by_the_terms_that_cancel():
    # an invariant that is zero: only the size of its terms tells round-off from drift
    class Zero(Skate):
        @property
        def invariants(self):
            return {"zero": lambda q, v: 1e6 * v[0] - 1e6 * v[1]}

    for error, verdict in ((1e-10, "round-off"), (1e-4, "above round-off")):
        v = jnp.ones((3, 3)).at[2, 0].add(error / 1e6)
        row = diagnostics.report(Zero(), by_hand(Zero(), Q, v))["drift of zero, max"]
        assert row.verdict.split(",")[0] == verdict


def test_a_truncation_error_is_not_called_round_off():
    # the rolling momentum of this run is off by O(h^4), down to 2e-11: small, and yet no round-off
    system = systems.VerticalRollingDisk()
    sizes = []
    for h in (0.02, 0.01):
        steps = round(4 / h)
        traj = da.simulate(system, da.GNI(da.Midpoint()), h=h, steps=steps, save_every=steps // 10)
        made = diagnostics.report(system, traj)
        sizes.append(made["drift of p_roll, max"].measured)
        assert made["drift of p_roll, max"].verdict.startswith("above round-off")
        assert made["drift of p_heading, max"].verdict == "round-off"
        assert made["constraint residual, max"].verdict == "round-off"
    assert sizes[1] < 1e-10
    assert math.log2(sizes[0] / sizes[1]) == pytest.approx(4.0, abs=0.2)


# -- orders --------------------------------------------------------------------------------------


def test_fit_order():
    hs = np.array([0.4, 0.2, 0.1])
    assert diagnostics.fit_order(hs, 3.0 * hs**2) == pytest.approx(2.0)
    assert diagnostics.fit_order(hs[:2], hs[:2] ** 1.5) == pytest.approx(1.5)


@pytest.mark.parametrize(
    "hs, errors, message",
    (
        ([0.1], [0.1], "two step sizes"),
        ([0.1, 0.1], [0.1, 0.2], "two step sizes"),
        ([0.2, 0.1], [0.1], "2 step sizes and 1 errors"),
        ([0.2, 0.1], [0.1, math.nan], "finite"),
        ([0.2, -0.1], [0.1, 0.1], "positive"),
        ([0.2, 0.1], [1e-3, 1e-15], r"round-off, 1e-12: h = 0\.1 \(error 1\.0e-15\)"),
    ),
)
def test_fit_order_refuses(hs, errors, message):
    with pytest.raises(UsageError, match=message):
        diagnostics.fit_order(hs, errors)


def test_order_of_convergence_with_and_without_reference():
    hs = (0.4, 0.2, 0.1, 0.05)

    def run(h):
        return {"a": np.array([1.0 + h**2, 2.0]), "b": (np.array([h**3]),), "exact": np.ones(2)}

    limit = {"a": np.array([1.0, 2.0]), "b": (np.zeros(1),), "exact": np.ones(2)}
    for reference in (None, limit):
        slopes = diagnostics.order_of_convergence(run, hs, reference)
        assert slopes["a"] == pytest.approx(2.0) and slopes["b"] == pytest.approx(3.0)
        assert slopes["exact"] == math.inf
    with pytest.raises(UsageError, match="constant ratio"):
        diagnostics.order_of_convergence(run, (0.4, 0.2, 0.15))


@pytest.mark.parametrize("given", ("closed form", "pair"))
def test_measure_order(given):
    system = systems.NonholonomicParticle()
    reference = system.closed_form(1.0) if given == "pair" else None
    slopes = diagnostics.measure_order(
        system, da.GNI(da.Midpoint()), t_end=1.0, hs=(0.1, 0.05, 0.025), reference=reference
    )
    assert set(slopes) == {"position", "velocity", "momentum"}
    for order in slopes.values():
        assert order == pytest.approx(2.0, abs=0.1)


def test_measure_order_against_the_reference_method():
    system = Skate(g=1.0)  # has no closed form
    q0, v0 = jnp.array([0.0, 0.0, 0.3]), jnp.array([math.cos(0.3), math.sin(0.3), 0.7])
    slopes = diagnostics.measure_order(
        system, da.RK4(), q0, v0, t0=1.0, t_end=3.0, hs=(0.5, 0.25, 0.125)
    )
    assert slopes["position"] == pytest.approx(4.0, abs=0.2)
    assert slopes["velocity"] == pytest.approx(4.0, abs=0.2)


def test_measure_order_refuses_steps_that_do_not_fit():
    for h in (0.3, -0.1, 2.0):
        with pytest.raises(UsageError, match="does not divide"):
            diagnostics.measure_order(Skate(), da.RK4(), t_end=1.0, hs=(0.1, h))


# -- reversibility -------------------------------------------------------------------------------


def test_reversibility_of_methods_whose_state_is_q_and_v():
    system = systems.ContactOscillator()
    options = {"h": 0.1, "steps": 20}
    assert diagnostics.reversibility_defect(system, Leapfrog(), **options) < 1e-13
    assert diagnostics.reversibility_defect(system, MPEuler(), **options) > 1e-3


def test_reversibility_of_gni_is_exact_in_its_own_state():
    system = systems.PerturbedContactOscillator()
    for method, low, high in (
        (da.GNI(), 0.0, 1e-12),
        (da.GNI(da.Trapezoidal()), 0.0, 1e-12),
        (da.GNI(da.EulerA()), 1e-3, 1.0),
        (da.RK4(), 1e-9, 1.0),
    ):
        defect = diagnostics.reversibility_defect(system, method, h=0.1, steps=20)
        assert low <= defect <= high, method.name


def test_reversibility_is_refused_where_turning_v_is_not_a_symmetry():
    class Damped(Skate):
        def force(self, t, q, v):
            return -v

    class Magnetic(Skate):
        def lagrangian(self, q, v):
            return super().lagrangian(q, v) + q[0] * v[2]

    q0, v0 = jnp.array([1.0, 0.0, 0.0]), jnp.array([1.0, 0.0, 0.5])
    for system, message in (
        (Treadmill(), "right-hand side"),
        (Damped(), "force"),
        (Magnetic(), "linear in v"),
    ):
        with pytest.raises(UsageError, match=message):
            diagnostics.reversibility_defect(system, da.RK4(), q0, v0, h=0.1, steps=2)


def test_distance():
    a = (jnp.zeros(2), jnp.eye(3))
    b = (jnp.array([0.0, 0.1]), jnp.eye(3).at[2, 0].set(-0.3))
    assert diagnostics.distance(a, b) == pytest.approx(0.3)
    assert diagnostics.distance(jnp.zeros(0), jnp.zeros(0)) == 0.0
    with pytest.raises(UsageError, match="2 numbers with 3"):
        diagnostics.distance(jnp.zeros(2), jnp.zeros(3))


# -- the package -------------------------------------------------------------------------------


def test_every_name_that_it_lists_is_there():
    names = {name: getattr(diagnostics, name) for name in diagnostics.__all__}
    assert dir(diagnostics) == sorted(names)
    assert not any(isinstance(x, types.ModuleType) for x in names.values())
    with pytest.raises(AttributeError, match="has no attribute 'discrete_momenta'"):
        diagnostics.discrete_momenta


def test_comparison_tells_failures_and_shows_a_dash_where_there_is_no_number():
    run = diagnostics.Run("rk4", 4, failure="it failed")
    found = diagnostics.Comparison(systems.ChaplyginSleigh(), 0.1, 10, 0.0, "energy error", (run,))
    assert found.table().cells() == [["rk4", "4", "failed", "-", "-", "-", "-"]]
    with pytest.raises(SimulationError, match="it failed"):
        found["rk4"].done


def test_a_row_that_holds_by_construction_is_marked():
    """Rows of DLA are projected: a residual of round-off says nothing of the motion."""
    sleigh = da.systems.ChaplyginSleigh()
    made = da.diagnostics.report(sleigh, da.simulate(sleigh, da.DLA(), h=0.1, steps=20))
    row = made["constraint residual, max"]
    assert row.verdict == "round-off" and row.by_construction
    assert "round-off, by construction" in str(made)
    assert not made["energy error, max"].by_construction
    # a method that does not claim it has to earn it
    run = da.simulate(sleigh, da.RK4(), h=0.1, steps=20)
    other = da.diagnostics.report(sleigh, run)
    assert not other["constraint residual, max"].by_construction
    assert "by construction" not in str(other)


# -- work of forces and inputs -------------------------------------------------------------------


class _Dragged(da.MechanicalSystem):
    """A point with a linear drag and one input."""

    c: float = 0.3
    space = da.Euclidean(2)
    mass = np.diag([2.0, 1.0])

    def potential(self, q):
        return 0.5 * (q @ q)

    def force(self, t, q, v):
        return -self.c * v

    def inputs(self, q):
        return jnp.array([[1.0, 0.5]])


def test_work_is_the_change_of_the_energy():
    system, q, v = _Dragged(), np.array([1.0, 0.0]), np.array([0.0, 2.0])
    runs = {
        None: da.simulate(system, q, v, h=0.02, steps=200),
        "u": da.simulate(system, q, v, h=0.02, steps=200, u=jnp.sin),
    }
    for name, traj in runs.items():
        u = jnp.sin if name else None
        change = np.asarray(diagnostics.energy_error(system, traj))
        done = diagnostics.work(system, traj, u=u)
        assert np.max(np.abs(change)) > 0.1
        assert np.max(np.abs(change - done)) < 2e-8  # order 4 of Gauss(2), h = 0.02
        driven = system if u is None else da.control.driven(system, u)
        assert np.array_equal(done, diagnostics.work(driven, traj))
    assert np.all(diagnostics.work(system, runs[None])[1:] < 0)  # drag takes energy


def test_work_of_a_sampled_controller_is_known():
    system, q, v = _Dragged(c=0.0), np.array([1.0, 0.0]), np.array([0.0, 2.0])
    u = da.Sampled(lambda t, q, v: -1.5 * v[:1], every=0.1)
    traj = da.simulate(system, q, v, h=0.02, steps=200, u=u)
    change = np.asarray(diagnostics.energy_error(system, traj))
    done = diagnostics.work(system, traj)
    assert np.max(np.abs(change)) > 0.1 and np.max(np.abs(change - done)) < 1e-7
    panels = {p["name"] for p in da.show(system, traj, open=False).scene["panels"]}
    assert {"energy change", "work of forces"} <= panels


def test_work_of_a_plain_control_is_remembered_while_the_run_is_in_memory(tmp_path):
    system, q, v = _Dragged(c=0.0), np.array([1.0, 0.0]), np.array([0.0, 2.0])
    traj = da.simulate(system, q, v, h=0.02, steps=200, u=lambda t: jnp.sin(t))
    change = np.asarray(diagnostics.energy_error(system, traj))
    for part in (traj, traj[:100], dataclasses.replace(traj[:50])[:20]):
        if len(part) == 20:  # a copy by other means does not know it
            with pytest.raises(da.UsageError, match="u=u"):
                diagnostics.work(system, part)
            continue
        done = diagnostics.work(system, part)
        assert np.max(np.abs(change[: len(part)] - done)) < 2e-8 < 0.1 < np.max(np.abs(done))
    view = da.show(system, traj, open=False).scene
    assert {"energy change", "work of forces"} <= {p["name"] for p in view["panels"]}
    assert any(x.startswith("energy change equals the work to") for x in view["badges"])
    figure = da.plots.overview(system, traj, panels=["energy"])
    assert "work of forces" in [x.get_label() for x in figure.axes[0].lines]
    traj.save(tmp_path / "run.nc")
    panels = da.show(system, da.load(tmp_path / "run.nc"), open=False).scene["panels"]
    (energy,) = (p for p in panels if p["name"] == "energy change")
    assert energy["note"] == "the work of the inputs is not known"
    assert pickle.loads(pickle.dumps(traj)).equals(traj)  # the function is no part of it


def test_a_control_is_forgotten_with_its_trajectory():
    def count():
        gc.collect()
        return len(remembered._SYSTEMS)

    system, before = _Dragged(), count()
    traj = da.simulate(system, np.ones(2), np.ones(2), h=0.02, steps=20, u=jnp.cos)
    part = traj[:5]
    assert count() == before + 2
    del traj, part
    assert count() == before


def test_work_of_an_unknown_control_is_refused():
    system = _Dragged(c=0.0)
    traj = da.simulate(system, np.ones(2), np.ones(2), h=0.02, steps=20, u=jnp.cos)
    traj = dataclasses.replace(traj)
    with pytest.raises(da.UsageError, match="u=u"):  # it has a force of its own, which is not all
        diagnostics.work(system, traj)

    class Free(da.systems.registry["snakeboard"]):
        pass

    board = Free()
    run = dataclasses.replace(da.simulate(board, h=0.02, steps=20, u=[0.1, 0.0]))
    with pytest.raises(da.UsageError, match="u=u"):
        diagnostics.work(board, run)
    assert np.all(diagnostics.work(board, da.simulate(board, h=0.02, steps=20)) == 0.0)
    assert len(diagnostics.work(system, traj, u=jnp.cos)) == len(traj)
