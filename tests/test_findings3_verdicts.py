"""Verdicts that one sample, one machine or one instant decided, and what decides them now."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import geometry
from dalembert.geometry import (
    Symmetry,
    chaplygin,
    hamiltonization,
    invariant_measure,
    steady_motions,
    steady_shapes,
    trace_test,
)
from dalembert.geometry.analysis import _parasitic
from dalembert.geometry.distribution.growth_flag import sample_states
from dalembert.geometry.reduction import reduced_measure as measures

R1, R2, SO3 = da.Euclidean(1), da.Euclidean(2), da.SO(3)
TURN = 2 * np.pi


class Rolling(da.System):
    """An ellipsoid that rolls on a plane, on R^2 x SO(3): by default the rattleback of the zoo.

    Its center is `low` above the center of mass; the height is a function of the attitude.
    """

    axes: tuple = (0.2, 0.03, 0.02)
    inertia: tuple = (2e-4, 16e-4, 17e-4)
    skew: float = -0.2e-4
    low: float = 0.01
    g: float = 9.81
    space = da.Product(R2, SO3)

    def contact(self, up):
        squares = jnp.array(self.axes) ** 2
        return jnp.array([0.0, 0.0, self.low]) - squares * up / jnp.sqrt(up @ (squares * up))

    def lagrangian(self, q, v):
        up, spin = q[1][2], v[2:]
        rho = self.contact(up)
        rise = -up @ jnp.cross(spin, rho)
        I = jnp.diag(jnp.array(self.inertia)).at[0, 1].set(self.skew).at[1, 0].set(self.skew)
        return 0.5 * (v[0] ** 2 + v[1] ** 2 + rise**2) + 0.5 * spin @ I @ spin + self.g * rho @ up

    def constraint(self, q):
        rho = self.contact(q[1][2])
        return jnp.concatenate([jnp.eye(2), -(q[1] @ SO3.hat(rho))[:2]], axis=1)

    def initial(self):
        return (jnp.zeros(2), SO3.exp(jnp.array([0.01, 0.01, 0.0]))), jnp.zeros(5)


def attitude(x):
    """Yaw, pitch, roll: singular where the pitch x[1] is a right angle."""
    about = [SO3.exp(a * e) for a, e in zip(x, jnp.eye(3))]
    return about[2] @ about[1] @ about[0]


class InAngles(da.System):
    """The same body in roll, pitch and yaw."""

    body: Rolling = Rolling(g=0.0)
    space = da.Euclidean(5)

    def frame(self, q):
        R = attitude(q[2:])
        turning = jax.vmap(lambda dR: SO3.vee(R.T @ dR), 2, 1)(jax.jacfwd(attitude)(q[2:]))
        return (q[:2], R), jax.scipy.linalg.block_diag(jnp.eye(2), turning)

    def lagrangian(self, q, v):
        place, T = self.frame(q)
        return self.body.lagrangian(place, T @ v)

    def constraint(self, q):
        place, T = self.frame(q)
        return self.body.constraint(place) @ T

    def initial(self):
        return jnp.array([0.0, 0.0, 0.3, 0.2, 0.1]), jnp.zeros(5)


class Steep(da.System):
    """z' = (x y + y tan(x)^5) x': no invariant measure, and steep near x = pi/2."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        x, y, _ = q
        return jnp.stack([-(x * y + y * jnp.tan(x) ** 5), jnp.zeros(()), jnp.ones(())])[None]

    def initial(self):
        return jnp.array([0.3, 0.4, 0.0]), jnp.zeros(3)


# -- A2: each sample by its own numbers -----------------------------------------------------------


def test_finding3_a2_one_steep_sample_does_not_hide_the_others():
    c = chaplygin(Steep(), (0, 1), R1)
    found = hamiltonization(c)
    assert found.measure.verdict == "no" and found.measure.closedness > 0.1
    assert found.measure.density is None and found.verdict == "not found"
    near = np.array([0.3, 0.4]) + 0.2 * np.random.default_rng(0).normal(size=(8, 2))
    assert invariant_measure(c, near).verdict == "no"


def test_finding3_a2_a_rattleback_in_angles_has_no_measure():
    """One of the samples is 1e-7 rad from where the angles fail."""
    c = chaplygin(InAngles(), (2, 3, 4), R2)
    samples = np.array([0.3, 0.2, 0.1]) + 0.3 * np.random.default_rng(1).normal(size=(8, 3))
    assert invariant_measure(c, samples).verdict == "no"
    samples[3, 1] = np.pi / 2 - 1e-7
    found = invariant_measure(c, samples)
    assert found.verdict == "no" and found.closedness > 1e-3


def test_finding3_a2_samples_that_round_off_hides_are_not_a_yes():
    """All near x = pi/2, where d beta is a small difference of large terms."""
    c = chaplygin(Steep(), (0, 1), R1)
    x = np.linspace(1.5, 1.55, 16)
    found = invariant_measure(c, np.stack([x, 0.5 + 0.5 * np.sin(40 * x) ** 2], axis=1))
    assert found.verdict == "inconclusive" and found.undecided > 0 and found.density is None
    assert "round-off hides d beta" in str(found)


@pytest.mark.parametrize("low", [0.0, 0.01], ids=["balanced", "unbalanced"])
def test_finding3_a2_chaplygins_top(low):
    """A ball has a measure exactly if it is balanced or axially symmetric [F15]."""
    ball = {"axes": (0.03, 0.03, 0.03), "skew": 0.0, "low": low, "g": 0.0}
    found = invariant_measure(chaplygin(Rolling(**ball), (1,)))
    assert found.verdict == ("yes" if low == 0.0 else "no")
    symmetric = invariant_measure(chaplygin(Rolling(**ball, inertia=(2e-4, 2e-4, 3e-4)), (1,)))
    assert symmetric.verdict == "yes" and symmetric.undecided == 0


def test_finding3_a2_a_yes_near_a_singular_chart_remains_one():
    """Chaplygin's ball in angles, with a sample 0.02 rad from their singularity."""
    ball = Rolling(axes=(0.03, 0.03, 0.03), skew=0.0, low=0.0, g=0.0)
    c = chaplygin(InAngles(ball), (2, 3, 4), R2)
    samples = np.array([0.3, 0.2, 0.1]) + 0.3 * np.random.default_rng(1).normal(size=(8, 3))
    samples[3, 1] = np.pi / 2 - 0.02
    found = invariant_measure(c, samples)
    assert found.verdict == "yes" and found.undecided == 0 and found.closedness < 1e-10


def test_finding3_a2_what_counts_as_round_off_has_a_margin():
    """Where beta is closed, d beta stays below a hundredth of what counts as round-off in it."""
    ball = Rolling(axes=(0.03, 0.03, 0.03), skew=0.0, low=0.0, g=0.0)
    for c in (chaplygin(ball, (1,)), chaplygin(InAngles(ball), (2, 3, 4), R2)):
        origin, samples = measures._around(c, None, None)
        found = measures._facts(c, samples, origin)
        off = ~np.eye(3, dtype=bool)
        share = np.abs(np.asarray(found.curl))[:, off] / np.asarray(found.noise)[:, off]
        assert np.max(share) < 1e-2


class RobotAndParticle(da.System):
    """The two-wheeled robot, whose beta has a period, and apart from it Z' = tan(Y)^9 X'."""

    space = da.Euclidean(8)

    def lagrangian(self, q, v):
        return da.systems.TwoWheeledRobot().lagrangian(q[:5], v[:5]) + 0.5 * v[5:] @ v[5:]

    def constraint(self, q):
        steep = jnp.stack([-(jnp.tan(q[6]) ** 9), jnp.zeros(()), jnp.ones(())])[None]
        return jax.scipy.linalg.block_diag(da.systems.TwoWheeledRobot().constraint(q[:5]), steep)

    def initial(self):
        return jnp.zeros(8).at[6].set(0.4), jnp.zeros(8)


def test_finding3_a2_a_period_is_judged_along_its_own_loop():
    """Not by a sample where the terms of beta are 1e10 times as large."""
    circles = (TURN, TURN, None, None)
    c = chaplygin(RobotAndParticle(), (3, 4, 5, 6), da.Product(da.SE(2), R1), circles=circles)
    found = invariant_measure(c)
    assert found.verdict == "locally" and all(x and abs(x) > 1e-2 for x in found.periods[:2])


def test_finding3_a2_equivalent_statements_sample_by_sample():
    c = chaplygin(Steep(), (0, 1), R1)
    for found in geometry.chaplygin_verdicts(c, at=jnp.array([1.3, 0.4]), samples=16):
        assert found.verdict == "no", str(found)


def test_finding3_a2_one_fast_state_does_not_make_a_momentum_constant():
    """J' = y' z' of the particle, and a state with y' = 0 that is 1e10 times as fast."""
    system = da.systems.NonholonomicParticle()
    symmetry = Symmetry.from_fields(lambda q: jnp.eye(3)[:, jnp.array([0, 2])], "xz")
    states = geometry.sample_states(system, count=6)
    q = np.array(states.q)
    v = np.array(states.v)
    v[5] = 1e10 * np.array([1.0, 0.0, q[5, 1]])
    found = geometry.momenta(system, symmetry, geometry.States(jnp.asarray(q), jnp.asarray(v)))
    assert found.residual < 1e-12 and found.frame == "shape"  # x' sqrt(1 + y^2) is constant


class Dragged(da.systems.ChaplyginSleigh):
    def force(self, t, q, v):
        return -0.1 * v


# -- A2: the trace at steady motions --------------------------------------------------------------


def test_finding3_a2_a_spinning_rattleback_excludes_every_smooth_density():
    """With gravity d beta excludes densities of the shape alone; the trace excludes all."""
    c = chaplygin(Rolling(), (1,))
    found = invariant_measure(c)
    assert found.verdict == "no" and not found.kinetic and found.steady is not None
    assert abs(found.steady.share) > 1e-4 and found.steady.defect < 1e-9
    for motion in steady_shapes(c):
        # the divergence in det(G) dr dw is -beta . w, and det(G) is constant along the motion
        wanted = -geometry.beta(c, motion.q) @ motion.v
        np.testing.assert_allclose(motion.trace, wanted, rtol=1e-6, atol=1e-9)
    assert "trace at a steady motion" in str(found)


def test_finding3_a2_bodies_with_a_measure_have_no_trace():
    top = Rolling(axes=(0.03, 0.03, 0.02), inertia=(2e-4, 2e-4, 3e-4), skew=0.0)
    disk = da.systems.VerticalRollingDisk()
    for c in (chaplygin(top, (1,)), chaplygin(disk, (2, 3), R2, circles=(TURN, TURN))):
        found = invariant_measure(c)
        assert found.verdict == "yes" and found.steady is not None
        assert all(abs(x.share) < 1e-9 for x in steady_shapes(c))


def test_finding3_a2_a_measure_that_exists_locally_agrees_with_its_trace():
    c = chaplygin(da.systems.TwoWheeledRobot(), (3, 4), da.SE(2), circles=(TURN, TURN))
    found = invariant_measure(c)
    assert found.verdict == "locally" and found.steady is not None
    assert abs(found.steady.share) > 0.1
    # on the plane of the wheels' angles the motions are not bounded, and say nothing
    flat = chaplygin(da.systems.TwoWheeledRobot(), (3, 4), da.SE(2))
    assert invariant_measure(flat).verdict == "yes" and not steady_shapes(flat)


def test_finding3_a2_tests_that_disagree_are_inconclusive():
    """A measure near the samples given, and a steady motion elsewhere that excludes it."""
    steady = geometry.SteadyMotion(None, np.ones(1), np.ones(1), 0.3, 1.0, 1e-15)
    verdict, reason = measures._with_trace("yes", "", 1e-14, steady)
    assert verdict == "inconclusive" and "0.3" in reason and "1.0e-14" in reason
    assert measures._with_trace("inconclusive", "a potential", 1.0, steady)[0] == "no"
    assert measures._with_trace("yes", "", 1e-14, steady._replace(trace=1e-12))[0] == "yes"


def test_finding3_a2_the_sleigh_that_goes_straight():
    """x' = u, w' = -m a u w/(J + m a^2): the trace is -m a u/(J + m a^2)."""
    sleigh = da.systems.ChaplyginSleigh()
    se2 = Symmetry.of(sleigh, "se2")
    found = trace_test(sleigh, se2)
    assert found.verdict == "no" and "trace" in str(found)
    for motion in found.motions:
        heading = float(motion.q[2])
        u = motion.v @ [np.cos(heading), np.sin(heading), 0.0]
        wanted = -sleigh.m * sleigh.a * u / (sleigh.J + sleigh.m * sleigh.a**2)
        np.testing.assert_allclose(motion.trace, wanted, rtol=1e-9)
    balanced = da.systems.ChaplyginSleigh(a=1e-9)  # as good as over the blade
    assert trace_test(balanced, se2).verdict == "inconclusive"


def test_finding3_a2_suslov():
    """A measure exactly if `a` is an eigenvector of the inertia: then no motion has a trace."""
    assert trace_test(da.systems.Suslov()).verdict == "no"
    special = trace_test(da.systems.Suslov(a=jnp.array([0.0, 0.0, 1.0])))
    assert special.verdict == "inconclusive" and len(special.motions) > 2
    assert all(abs(x.share) < 1e-12 for x in special.motions)


def test_finding3_a2_hypotheses_of_the_trace():
    with pytest.raises(da.UsageError, match="name the symmetry"):
        steady_motions(da.systems.ChaplyginSleigh())
    with pytest.raises(da.UsageError, match="external force"):
        steady_motions(Dragged(), Symmetry.of(Dragged(), "se2"))
    turn = Symmetry.from_fields(lambda q: jnp.eye(3)[:, 2:], "turn")
    with pytest.raises(da.UsageError, match="is not a symmetry"):
        steady_motions(da.systems.ChaplyginSleigh(), turn)


# -- C4: hypotheses in time ------------------------------------------------------------------------


class Cart(da.System):
    """A pendulum on a knife edge in R^3, with a force or a moving constraint that begin at zero."""

    push: float = 0.0
    sway: float = 0.0
    slide: float = 0.0
    shake: float = 0.0
    drag: float = 0.0
    space = da.Euclidean(3)
    input_names = ("F",)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + jnp.cos(q[0])

    def constraint(self, q):
        return jnp.array([[0.0, 1.0, 1.0]])

    def offset(self, t, q):
        return jnp.stack([self.sway * jnp.sin(t) + self.slide * (1.0 - jnp.cos(t))])

    def force(self, t, q, v):
        own = jnp.array([self.push + self.shake * q[0], 0.0, 0.0]) * jnp.sin(t)
        return own - self.drag * v

    def inputs(self, q):
        return jnp.array([[1.0, 0.0, 0.0]])

    def initial(self):
        return jnp.zeros(3), jnp.zeros(3)


@pytest.mark.parametrize("what", ["push", "sway", "slide", "shake"])
def test_finding3_c4_equations_that_depend_on_time_are_not_linearized(what):
    """sin(t) is zero at t = 0: an equilibrium, and steady, at that instant only."""
    with pytest.raises(da.UsageError, match="depend on time"):
        da.control.linearize(Cart(**{what: 0.5}))


def test_finding3_c4_forces_that_do_not_depend_on_time_are():
    found = da.control.linearize(Cart(drag=0.1))
    assert found.equilibrium and found.steady
    eigenvalues = found.eigenvalues
    np.testing.assert_allclose(np.min(np.abs(eigenvalues - (-0.05 + 0.998749j))), 0.0, atol=1e-6)
    with pytest.warns(UserWarning, match="no control changes"):  # y and z are not pushed
        assert da.control.lqr(found).K.shape == (1, len(found.A))


@pytest.mark.parametrize("what", ["push", "slide"])
def test_finding3_c4_an_equilibrium_is_one_at_all_times(what):
    with pytest.raises(da.UsageError, match=r"in equilibrium at t = 0 only; at t = "):
        da.control.equilibrium(Cart(**{what: 0.5}), [0.1, 0.0, 0.0], u=[0.0])
    q, _ = da.control.equilibrium(Cart(drag=0.1), [0.1, 0.0, 0.0], u=[0.0])
    np.testing.assert_allclose(q[0], 0.0, atol=1e-9)


def test_finding3_c4_a_force_of_any_period_is_seen():
    """Its period is 0.9 s, and it was once evaluated at t = 0 and t = 0.9."""

    class Pulsed(da.systems.PlanarBody):
        def force(self, t, q, v):
            return jnp.sin(TURN * t / 0.9) * jnp.array([1.0, 0.0, 0.0])

    found = da.control.controllability(Pulsed())
    assert found.hypotheses.answer == "does not apply" and "time" in found.hypotheses.reason
    assert "does not apply" in str(da.control.overview(Pulsed()))


# -- A9: nonlinear constraints that lose their rank ------------------------------------------------


class AppellHamel(da.System):
    """x'^2 + y'^2 = k^2 z'^2 under gravity: d phi/dv vanishes where z' = 0, and there v = 0."""

    k: float = 0.8
    g: float = 1.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - self.g * q[2]

    def velocity_constraint(self, t, q, v):
        return jnp.stack([v[0] ** 2 + v[1] ** 2 - (self.k * v[2]) ** 2])

    def initial(self):
        return jnp.zeros(3), jnp.array([0.48, 0.64, 1.0])


# z'' = -g/(1 + k^2): z' = 0 at t = 1.64
@pytest.mark.parametrize("method", [da.RK4(), da.Gauss()], ids=["RK4", "Gauss"])
@pytest.mark.parametrize("h", [0.0137, 0.1], ids=str)
def test_finding3_a9_a_nonlinear_constraint_that_loses_its_rank_is_reported(method, h):
    system = AppellHamel()
    run = da.simulate(system, method, h=h, steps=int(3.0 / h))
    losses = da.diagnostics.rank_losses(system, run)
    assert losses.size and abs(losses[0] - 1.64) <= h
    assert "loses rank" in str(da.diagnostics.report(system, run))
    before = da.simulate(system, method, h=h, steps=int(1.5 / h))
    assert not da.diagnostics.rank_losses(system, before).size


def test_finding3_a9_a_row_near_the_loss_is_seen():
    """RK4 comes so close that it goes on along another motion: x' does not turn."""
    system = AppellHamel()
    run = da.simulate(system, da.RK4(), h=0.01, steps=300)
    assert run.v[-1, 0] > 0.0 > run.v[-1, 2]
    losses = da.diagnostics.rank_losses(system, run)
    assert losses.size and abs(losses[0] - 1.64) < 0.03


def test_finding3_a9_a_step_that_fails_there_says_so():
    with pytest.raises(da.SimulationError, match="losing rank"):
        da.simulate(AppellHamel(), da.Gauss(), h=0.01, steps=300)


def test_finding3_a9_a_nonlinear_constraint_of_constant_rank_is_not():
    """v . v = 1 under a force that turns it quickly; and Benenti's system, away from rest."""

    class Even(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - jnp.sin(3.0 * q[0])

        def velocity_constraint(self, t, q, v):
            return jnp.stack([v @ v - 1.0])

        def initial(self):
            return jnp.zeros(2), jnp.array([0.6, 0.8])

    run = da.simulate(Even(), da.RK4(), h=0.05, steps=200)
    assert not da.diagnostics.rank_losses(Even(), run).size
    benenti = da.systems.Benenti()
    run = da.simulate(benenti, da.RK4(), h=0.05, steps=100)
    assert not da.diagnostics.rank_losses(benenti, run).size


# -- A12: bounds that hold on any machine ----------------------------------------------------------


def test_finding3_a12_terms_that_cancel_are_no_potential():
    """V = 1e4 (cos^2 + sin^2) - 1e4 is round-off, 1e-12: "no" must not become "inconclusive"."""

    class Cancelling(da.systems.ParticleWithoutMeasure):
        def potential(self, q):
            return 1e4 * jnp.cos(3.0 * q[0]) ** 2 + 1e4 * jnp.sin(3.0 * q[0]) ** 2 - 1e4

    found = invariant_measure(chaplygin(Cancelling(), (0, 1), R1))
    assert found.kinetic and found.verdict == "no"

    class Pulled(da.systems.ParticleWithoutMeasure):
        def potential(self, q):
            return 1e2 + 1e-5 * q[0]

    found = invariant_measure(chaplygin(Pulled(), (0, 1), R1))
    assert not found.kinetic and found.verdict == "inconclusive"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("VerticalRollingDisk", "neutral"),
        ("MobileRobot", "neutral"),
        ("RollingDisk", "neutral"),
        ("ChaplyginSleigh", "may grow"),
    ],
)
def test_finding3_a12_eigenvalues_of_a_jordan_block_are_zero(name, verdict):
    """Computed they are 1e-8 of K, the root of round-off, with a sign that any machine may give."""
    system = getattr(da.systems, name)()
    (found,) = _parasitic(system, sample_states(system, system.initial()[0], count=8))
    assert found.verdict == verdict


def test_finding3_a12_a_row_of_round_off_is_no_constraint():
    """The row vanishes at x = 0, up to what is left of terms that cancel."""

    class Vanishing(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def constraint(self, q):
            left = 3e2 * (jnp.cos(q[1]) ** 2 + jnp.sin(q[1]) ** 2) - 3e2
            return jnp.stack([q[0] + left, q[0] * q[1]])[None]

    ranks = {
        geometry.constraint_rank(Vanishing(), [0.0, y]).rank for y in np.linspace(0.0, 3.0, 24)
    }
    assert ranks == {0}
    assert geometry.constraint_rank(Vanishing(), [1e-9, 0.4]).rank == 1


# -- B9: turns about the vertical need no chart of one's own ---------------------------------------


class Veselova(da.System):
    """A body whose angular velocity has no part along the vertical of space."""

    inertia: tuple[float, float, float] = (1.0, 2.0, 2.5)
    space = da.SO(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ (jnp.array(self.inertia) * v)

    def constraint(self, q):
        return q[2][None]

    def initial(self):
        q = da.SO(3).exp(jnp.array([0.3, -0.4, 0.5]))
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0.3, 0.5, -0.2]))


class RubberBall(Veselova):
    """A ball that rolls and does not spin about the vertical."""

    m: float = 1.5
    space = da.Product(da.Euclidean(2), da.SO(3))

    def lagrangian(self, q, v):
        return 0.5 * self.m * v[:2] @ v[:2] + super().lagrangian(q[1], v[2:])

    def constraint(self, q):
        R, o = q[1], jnp.zeros(2)
        rolls = jnp.concatenate([jnp.eye(2), jnp.stack([-R[1], R[0]])], axis=1)
        return jnp.concatenate([rolls, jnp.concatenate([o, R[2]])[None]])

    def initial(self):
        q = jnp.array([0.2, 0.1]), da.SO(3).exp(jnp.array([0.3, -0.4, 0.5]))
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0, 0, 0.3, 0.5, -0.2]))


@pytest.mark.parametrize(
    ("system", "group"), [(Veselova(), da.SO(2)), (RubberBall(), da.SE(2))], ids=["turns", "moves"]
)
def test_finding3_b9_turns_about_the_vertical_are_built_in(system, group):
    c = chaplygin(system, group=group)
    q, v = system.initial()
    r, g = c.chart.split(q)
    for x, y in zip(jax.tree.leaves(c.chart.place(r, g)), jax.tree.leaves(q)):
        np.testing.assert_allclose(x, y, atol=1e-14)
    # the velocity of the lifted shape velocity is the one we began with
    w = jnp.linalg.solve(c.chart.frame(r, g), v)[:2]
    np.testing.assert_allclose(c.lift(r, g, w)[1], v, atol=1e-13)
    # energies, and the measures that Veselova and Ehlers et al. found
    np.testing.assert_allclose(c.lagrangian(r, w), system.lagrangian(q, v), rtol=1e-12)
    assert invariant_measure(c).verdict == "yes"


def test_finding3_b9_the_reduced_motion_is_that_of_the_body():
    system = Veselova()
    c = chaplygin(system, group=da.SO(2))
    q, v = system.initial()
    r, g = c.chart.split(q)
    w = jnp.linalg.solve(c.chart.frame(r, g), v)[:2]
    short = da.simulate(c.reduced, r, w, h=0.05, steps=8, save=da.Final()).final
    whole = da.simulate(system, q, v, h=0.05, steps=8, save=da.Final()).final
    np.testing.assert_allclose(c.chart.split(jnp.asarray(whole.q))[0], short.q, atol=1e-7)


# -- sizes that vanish, and values that mean nothing ----------------------------------------------


class Coin(da.System):
    """A rolling coin; q = (theta, phi, x, y). L has a constant, which changes no motion."""

    constant: float = 0.0
    slope: float = 0.0
    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        kinetic = 0.5 * v[0] ** 2 + 0.3 * v[1] ** 2 + 0.5 * (v[2] ** 2 + v[3] ** 2)
        return kinetic - self.slope * q[2] + self.constant

    def constraint(self, q):
        return jnp.array([[-jnp.cos(q[1]), 0.0, 1.0, 0.0], [-jnp.sin(q[1]), 0.0, 0.0, 1.0]])


@pytest.mark.parametrize("constant", [0.0, 6e7, 1e10])
def test_finding3_a2_a_constant_in_the_lagrangian_hides_no_slope(constant):
    """On a slope x is no symmetry, whatever the zero of the potential (6e7: that of the Earth)."""
    tilted, level = Coin(constant, 0.01), Coin(constant)
    at = np.array([0.1, 0.2, 0.3, 0.4])
    assert geometry.chaplygin(level, shape=[0, 1], group=da.Euclidean(2), at=at[:2]).shape == 2
    assert geometry.general_reduction(level, [0, 1], da.Euclidean(2), at=at[:2]).shape == 2
    for reduce in (geometry.chaplygin, geometry.general_reduction):
        with pytest.raises(da.UsageError, match="its Lagrangian changes along the group"):
            reduce(tilted, [0, 1], da.Euclidean(2), at=at[:2])

    class Free(da.System):
        slope: float = 0.01
        space = da.Euclidean(3)

        def lagrangian(self, q, v):
            return 0.5 * v @ v + self.slope * q[0] + constant

        def constraint(self, q):
            return jnp.array([[0.0, jnp.cos(q[2]), -0.3]])

    assert geometry.cyclic_reduction(Free(0.0), [0], [0.1], at=at[:3]).cyclic == (0,)
    with pytest.raises(da.UsageError, match="the Lagrangian contains one of the coordinates"):
        geometry.cyclic_reduction(Free(), [0], [0.1], at=at[:3])


def test_finding3_a2_a_force_of_round_off_breaks_no_symmetry():
    class Noisy(Coin):
        def force(self, t, q, v):
            return (jnp.cos(q[2]) ** 2 + jnp.sin(q[2]) ** 2 - 1.0) * jnp.ones(4)

    class Later(Coin):
        """Zero at t = 0, and not invariant afterwards."""

        def force(self, t, q, v):
            return -jnp.sin(t) * (1.0 + q[2] ** 2) * v

    at = np.array([0.1, 0.2])
    assert geometry.chaplygin(Noisy(), [0, 1], da.Euclidean(2), at=at).shape == 2
    with pytest.raises(da.UsageError, match="its force changes along the group"):
        geometry.chaplygin(Later(), [0, 1], da.Euclidean(2), at=at)


def test_finding3_a2_a_measure_of_forces_that_begin_later_does_not_exist_by_t_0():
    class Braked(da.System):
        """Without constraints the Liouville measure is invariant, were it not for the brake."""

        brake: float = 0.0
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def constraint(self, q):
            return jnp.array([[1.0, q[0]]])

        def force(self, t, q, v):
            return -self.brake * jnp.sin(t) * v

        def initial(self):
            return jnp.array([0.3, 0.4]), jnp.array([0.0, 0.0])

    assert geometry.phase_measure(Braked(1.0)).verdict == "does not apply"


def test_finding3_a2_connection_terms_that_cancel_are_no_scale():
    """The flat metric in turning axes: its Christoffel symbols are round-off, not a size."""

    class Turned(da.System):
        row: tuple = eqx.field(static=True, default=(1.0, 2.0, 0.5))
        space = da.Euclidean(3)

        def lagrangian(self, q, v):
            c, s = jnp.cos(7 * q[2]), jnp.sin(7 * q[2])
            w = jnp.array([[c, -s], [s, c]]) @ v[:2]
            return 0.5 * w @ w + 0.5 * v[2] ** 2

        def constraint(self, q):
            a, b, c = self.row
            return jnp.array([[a + 1e-3 * c * q[1], b, 0.5]])

    q = jnp.array([0.3, 0.2, 0.7])
    assert geometry.is_geodesically_invariant(Turned((1.0, 2.0, 0.0)), q)
    assert not geometry.is_geodesically_invariant(Turned((1.0, 2.0, 1.0)), q)
