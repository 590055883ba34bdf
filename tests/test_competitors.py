"""Forms and projectors of one's own, Newmark, Hamel, and the new time of Chaplygin systems."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from claims.structure import undone
from dalembert import geometry
from dalembert.diagnostics import fit_order
from dalembert.reproduce.experiments.honest_reversibility import Driven

SLEIGH = da.systems.ChaplyginSleigh()
OSCILLATOR = da.systems.ContactOscillator()


# -- A_d of one's own -----------------------------------------------------------------------------


def test_forms_at_the_node_that_span_the_same_are_the_same_method():
    forms = lambda system, t, h, q: (2.0 + q[0]) * system.constraint(q)
    runs = [da.simulate(SLEIGH, m, h=0.05, steps=30).final for m in (da.DLA(), da.DLA(forms=forms))]
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-12)
    np.testing.assert_allclose(runs[0].v, runs[1].v, atol=1e-12)


def test_forms_at_three_points():
    def at_node(system, t, h, before, after):
        return system.constraint(after[0])

    def around(system, t, h, before, after):
        ends = system.constraint(before[0]) + system.constraint(after[1])
        return 0.5 * system.constraint(after[0]) + 0.25 * ends

    plain, three = (
        da.simulate(SLEIGH, m, h=0.05, steps=30) for m in (da.DLA(), da.DLA(forms=at_node))
    )
    np.testing.assert_allclose(three.q, plain.q, atol=1e-11)
    end = da.simulate(SLEIGH, da.Reference(), h=2.0, steps=1).final
    hs = (0.05, 0.025, 0.0125)
    errors = [
        np.max(np.abs(da.simulate(SLEIGH, da.DLA(forms=around), h=h, t=2.0).final.q - end.q))
        for h in hs
    ]
    assert fit_order(hs, errors, floor=0.0) > 1.8
    assert da.DLA(forms=around).traits.carry == "step"
    assert da.DLA(forms=around).name == "dla-midpoint-forms"


def test_forms_that_are_not_those_of_the_constraint_are_refused():
    other = da.DLA(forms=lambda s, t, h, q: jnp.array([[0.0, 0.0, 1.0]]))
    with pytest.raises(da.UsageError, match="do not span the rows of the constraint"):
        da.simulate(SLEIGH, other, h=0.1, steps=1)
    with pytest.raises(da.UsageError, match=r"must have the shape \(1, 3\)"):
        da.simulate(SLEIGH, da.DLA(forms=lambda s, t, h, q: jnp.eye(3)), h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="forms must be a function"):
        da.DLA(forms=lambda q: q)
    with pytest.raises(da.UsageError, match="no adjoint"):
        other.adjoint()


# -- projectors of another metric -----------------------------------------------------------------


def test_projectors_of_another_metric():
    kinetic = da.GNI(projector_metric=lambda q: da.dynamics.metric(SLEIGH, q))
    runs = [da.simulate(SLEIGH, m, h=0.05, steps=30).q for m in (da.GNI(), kinetic)]
    np.testing.assert_allclose(*runs, atol=1e-12)
    particle = da.systems.NonholonomicParticle()
    other = da.GNI(projector_metric=lambda q: jnp.diag(jnp.array([1.0, 1.0, 3.0])))
    off = []
    for h in (0.1, 0.025):
        run = da.simulate(particle, other, h=h, t=2.0)
        assert run.warnings  # it leaves the constraint, and says so
        off.append(np.max(da.diagnostics.constraint_residual(particle, run)))
    assert off[1] > 0.5 * off[0] > 1e-2  # however small the step
    assert other.traits.order == 0 and not other.traits.on_constraint
    with pytest.raises(da.UsageError, match="others"):
        da.simulate(da.systems.BallOnTurntable(), other, h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="a function q -> matrix"):
        da.GNI(projector_metric=jnp.eye(3))


# -- Newmark --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [da.Newmark(), da.Newmark(0.3, 0.7)], ids=lambda m: m.name)
def test_newmark_is_undone_by_its_adjoint(method):
    q, v = SLEIGH.initial()
    assert undone(method, SLEIGH, 0.1, q, v) < 1e-13
    assert method.adjoint().adjoint() == method
    assert method.composed().traits.symmetric and method.composed().traits.order == 2


def test_newmark_is_not_symmetric_at_third_order():
    """Its error is h^3 d_3 + h^4 d_4 in a step, that of its adjoint h^3 d_3 - h^4 d_4.

    So going there and back over a fixed time is off by 2 h^3 d_4: an eighth for half of h.
    """
    q, v = SLEIGH.initial()
    defects = [
        da.diagnostics.reversibility_defect(SLEIGH, da.Newmark(), q, v, h=h, steps=round(2.0 / h))
        for h in (0.1, 0.05, 0.025)
    ]
    orders = np.log2(np.array(defects[:-1]) / np.array(defects[1:]))
    assert abs(orders[-1] - 3.0) < 0.15, (defects, orders)
    both = da.Newmark().composed()
    assert da.diagnostics.reversibility_defect(SLEIGH, both, q, v, h=0.1, steps=20) < 1e-12


def test_newmark_on_the_oscillator_that_is_not_reversible():
    system, h = Driven(kappa=0.3), 0.1
    q = jnp.array([1.0, 0.3, 1.0, 0.0])
    v = da.dynamics.consistent_velocity(system, q, jnp.array([0.0, 0.5, 0.0, 1.0]))
    drift = {}
    for method in (da.Newmark(), da.Newmark().composed()):
        run = da.simulate(system, method, q, v, h=h, steps=100_000, save_every=100)
        error = da.diagnostics.energy_error(system, run)
        drift[method.name] = abs(np.polyfit(run.t, error, 1)[0])
    plain, composed = drift.values()
    assert composed < 0.2 * plain, drift


def test_newmark_refuses():
    with pytest.raises(da.UsageError, match=r"needs gamma in \(0, 1\]"):
        da.Newmark(0.25, 0.0)
    with pytest.raises(da.UsageError, match="'start' or 'end'"):
        da.Newmark(reaction="middle")
    with pytest.raises(da.UsageError, match="nonlinear"):
        da.simulate(da.systems.Benenti(), da.Newmark(), h=0.1, steps=1)


# -- Hamel ----------------------------------------------------------------------------------------


def test_hamel_with_quasi_velocities_of_ones_own():
    def frame(q):
        o, i = jnp.zeros(()), jnp.ones(())
        return jnp.stack([jnp.stack([jnp.cos(q[2]), jnp.sin(q[2]), o]), jnp.stack([o, o, i])], 1)

    end = da.simulate(SLEIGH, da.Reference(), h=2.0, steps=1).final
    hs = (0.1, 0.05, 0.025)
    for method in (da.Hamel(), da.Hamel(frame)):
        errors = [
            np.max(np.abs(da.simulate(SLEIGH, method, h=h, t=2.0).final.q - end.q)) for h in hs
        ]
        assert abs(fit_order(hs, errors, floor=0.0) - 2.0) < 0.05
    with pytest.raises(da.UsageError, match=r"must have the shape \(3, 2\)"):
        da.simulate(SLEIGH, da.Hamel(lambda q: jnp.eye(3)), h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="its frame does not depend on time"):
        da.simulate(da.systems.BallOnTurntable(), da.Hamel(), h=0.1, steps=1)


def test_relative_equilibria_of_the_sleigh_are_as_stable_as_those_of_the_motion():
    """u forward, no turning: omega' = -k u omega decays for u > 0, grows for u < 0."""
    method = da.Hamel()
    m, J, a = SLEIGH.m, SLEIGH.J, SLEIGH.a
    k = m * a / (J + m * a**2)

    @jax.jit
    def turned(u, omega, h):
        q = jnp.array([0.3, -0.2, 0.7])
        v = jnp.array([u * jnp.cos(0.7), u * jnp.sin(0.7), omega])
        carry, _ = method.start(SLEIGH, jnp.zeros(()), h, q, v)
        row = method.step(SLEIGH, jnp.zeros(()), h, carry).row
        return row.v[2], row.v[0] * jnp.cos(row.q[2]) + row.v[1] * jnp.sin(row.q[2])

    slope = jax.jit(jax.jacfwd(turned, 1))
    for u in (-2.0, -0.5, 0.5, 2.0):
        for h in (0.05, 0.5, 2.0):
            omega, ahead = turned(u, 0.0, h)
            assert abs(omega) < 1e-14 and abs(ahead - u) < 1e-13  # an equilibrium of the method
            factor = slope(u, 0.0, h)[0]
            cayley = (1.0 - 0.5 * h * k * u) / (1.0 + 0.5 * h * k * u)
            assert abs(factor - cayley) < 1e-12
            assert (abs(factor) < 1.0) == (u > 0.0)


# -- Hamiltonized ---------------------------------------------------------------------------------


class HeldEdge(da.systems.KnifeEdge):
    """A knife edge in a spring, whose heading is held by another: it never points along y."""

    def potential(self, q):
        return 0.5 * q[2] ** 2 + 0.5 * q[0] ** 2


def heading(r):
    return jnp.cos(r[1])


def held():
    c = geometry.chaplygin(HeldEdge(), (0, 2), da.Euclidean(1), circles=(None, None))
    return c, jnp.array([0.3, 0.5]), jnp.array([0.4, 0.6])


class QuietBall(da.systems.ChaplyginBall):
    """Chaplygin's ball without vertical angular momentum, which it keeps: its third constraint."""

    Theta: float = 0.0
    inertia: tuple = (1.0, 0.7, 0.5)

    def constraint(self, q):
        row = jnp.concatenate([jnp.zeros(2), jnp.asarray(self.inertia) * q[1][2]])
        return jnp.concatenate([super().constraint(q), row[None]])

    def offset(self, t, q):
        return jnp.zeros(3)

    def initial(self):
        q = (jnp.zeros(2), da.SO(3).exp(jnp.array([1.5, 0.3, 0.0])))
        v = jnp.array([0.0, 0.0, 0.1, 0.1, 0.8])
        return q, da.dynamics.consistent_velocity(self, q, v)


def density(r):
    """1/sqrt(1 - m r^2 gamma.J^-1 gamma), with m = 2, r = 1: the multiplier of the ball."""
    gamma = da.SO(3).exp(jnp.concatenate([r, jnp.zeros(1)]))[2]
    return 1.0 / jnp.sqrt(1.0 - 2.0 * gamma @ (gamma / (jnp.array([1.0, 0.7, 0.5]) + 2.0)))


def worst_tenths(system, method, q, v, steps):
    run = da.simulate(system, method, q, v, h=0.1, steps=steps, save_every=steps // 10_000)
    error = np.abs(da.diagnostics.energy_error(system, run))
    n = len(error) // 10
    return error[:n].max(), error[-n:].max()


@pytest.mark.parametrize("order", [2, 4])
def test_the_new_time_has_its_order(order):
    c, q, v = held()
    end = da.simulate(c.reduced, da.Reference(rtol=1e-13), q, v, h=2.0, steps=1).final
    method, hs, errors = da.Hamiltonized(order, heading), (0.1, 0.05, 0.025), []
    for h in hs:
        last = da.simulate(c.reduced, method, q, v, h=h, t=2.0).final
        assert last.t == 2.0
        errors.append(max(np.max(np.abs(last.q - end.q)), np.max(np.abs(last.v - end.v))))
    assert abs(fit_order(hs, errors, floor=0.0) - order) < 0.1


def test_the_multiplier_is_found_where_none_is_given():
    c, q, v = held()
    runs = [
        da.simulate(c.reduced, da.Hamiltonized(multiplier=N), q, v, h=0.1, steps=20)
        for N in (None, heading)
    ]
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-10)
    np.testing.assert_allclose(runs[0].t, runs[1].t, atol=1e-10)


def test_energy_over_a_million_steps_of_the_knife_edge():
    c, q, v = held()
    first, last = worst_tenths(c.reduced, da.Hamiltonized(multiplier=heading), q, v, 1_000_000)
    assert first < 1e-3 and last < 1.5 * first


def test_energy_over_a_million_steps_of_the_chaplygin_ball():
    c = geometry.chaplygin(QuietBall(), group=da.SE(2))
    r, w = c.reduced.initial()
    # the same motion as that of the ball itself
    ball = da.systems.ChaplyginBall(Theta=0.0, inertia=(1.0, 0.7, 0.5))
    full = da.simulate(ball, da.Reference(), *QuietBall().initial(), h=5.0, steps=1).final
    end = da.simulate(c.reduced, da.Reference(), r, w, h=5.0, steps=1).final
    np.testing.assert_allclose(c.chart.split(full.q)[0], end.q, atol=1e-9)
    method = da.Hamiltonized(multiplier=density)
    first, last = worst_tenths(c.reduced, method, r, w, 1_000_000)
    assert first < 1e-3 and last < 1.5 * first, (first, last)
    hs = (0.2, 0.1, 0.05)
    errors = [
        np.max(np.abs(da.simulate(c.reduced, method, r, w, h=h, t=5.0).final.q - end.q)) for h in hs
    ]
    assert abs(fit_order(hs, errors, floor=0.0) - 2.0) < 0.1


def test_what_has_no_new_time_is_refused_with_the_reason():
    particle = da.systems.ParticleWithoutMeasure()
    reduced = geometry.chaplygin(particle, *particle.chaplygin_split[:2]).reduced
    with pytest.raises(da.UsageError, match=r"no rescaled time .*not found.*measure: no"):
        da.simulate(reduced, da.Hamiltonized(), h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="runs only on the reduced system"):
        da.simulate(SLEIGH, da.Hamiltonized(), h=0.1, steps=1)
    c, q, v = held()
    wrong = da.Hamiltonized(multiplier=lambda r: jnp.cos(r[1]) ** 2)
    with pytest.raises(da.UsageError, match="is not one of held-edge"):
        da.simulate(c.reduced, wrong, q, v, h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="symmetric rule"):
        da.Hamiltonized(rule=da.EulerA())
