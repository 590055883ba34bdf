"""Discrete mechanics in public: Legendre transforms, the exact discrete flow, conjugate points."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.diagnostics import fit_order
from dalembert.discrete import discrete_errors
from dalembert.methods.rules import FiniteDifference, Geodesic

OSCILLATOR = da.systems.ContactOscillator()
SLEIGH = da.systems.ChaplyginSleigh()


class Hyperbolic(da.System):
    """A knife edge on the hyperbolic plane, q = (x, y, angle), with a potential.

    The blade turns by angle' + x'/y against a frame that is carried along.
    """

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        spin = v[2] + v[0] / q[1]
        return 0.5 * (v[0] ** 2 + v[1] ** 2) / q[1] ** 2 + 0.25 * spin**2 - 0.3 * q[0]

    def constraint(self, q):
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), jnp.zeros(())])[None]

    def initial(self):
        return jnp.array([0.0, 1.0, 0.3]), 0.8 * jnp.array([jnp.cos(0.3), jnp.sin(0.3), 0.7])


# -- discrete Legendre transforms -----------------------------------------------------------------


def test_discrete_legendre_in_closed_form():
    q0, q1, h = jnp.array([0.3, 0.1, -0.2]), jnp.array([0.4, 0.2, -0.1]), 0.1
    p0, p1 = da.discrete_legendre(da.Midpoint(), OSCILLATOR, h, q0, q1)
    middle, v = 0.5 * (q0 + q1), (q1 - q0) / h
    np.testing.assert_allclose(p0, v + 0.5 * h * middle, atol=1e-15)
    np.testing.assert_allclose(p1, v - 0.5 * h * middle, atol=1e-15)
    same = da.methods.discrete_legendre(da.Midpoint(), OSCILLATOR, h, (q0, q1))
    np.testing.assert_array_equal(same.plus, p1)


def test_discrete_legendre_on_a_group_and_invariant_fields():
    body = da.systems.Suslov()
    g = body.groupoid.curve(jnp.zeros(0), jnp.array([0.1, -0.2, 0.15]))
    p0, p1 = da.discrete_legendre(da.Midpoint(), body, 0.1, g)
    np.testing.assert_allclose(p1, g.T @ p0, atol=1e-15)  # Ad* of a left-invariant Ld
    with pytest.raises(da.UsageError, match="two points do not determine a step"):
        da.discrete_legendre(da.Midpoint(), body, 0.1, jnp.zeros(0), jnp.zeros(0))
    with pytest.raises(da.UsageError, match="a rule such as"):
        da.discrete_legendre(da.DLA(), body, 0.1, g)
    v = jnp.array([0.3, 0.5, -0.4])

    def Ld(x):
        return da.Midpoint().lagrangian(body, 0.1, x)

    for field, p in ((body.groupoid.left_invariant, p1), (body.groupoid.right_invariant, p0)):
        assert abs(jax.jvp(Ld, (g,), (field(g, v),))[1] - p @ v) < 1e-14


def test_anchors():
    x, v = jnp.array([0.0, 0.6, 0.8]), jnp.array([0.1, -0.2, 0.3])
    top = da.Action(da.Euclidean(3), da.SO(3))
    np.testing.assert_allclose(top.anchor(x, v), -jnp.cross(v, x), atol=1e-15)
    pair = da.Pair(da.SO(3))
    np.testing.assert_allclose(pair.anchor(da.SO(3).exp(x), v), v, atol=1e-15)
    ball = da.Reduced(da.Euclidean(2), da.SO(3))
    np.testing.assert_allclose(ball.anchor(x[:2], jnp.arange(5.0)), [0.0, 1.0], atol=1e-15)


# -- exact discrete mechanics ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact():
    return da.exact_discrete(OSCILLATOR, 0.5)


def test_pairs_and_boundary_values(exact):
    q0, v0 = OSCILLATOR.initial()
    q1, v1 = exact.flow(q0, v0)
    end = da.simulate(OSCILLATOR, da.Reference(rtol=1e-14), q0, v0, h=0.5, steps=1).final
    np.testing.assert_allclose(q1, end.q, atol=1e-13)
    np.testing.assert_allclose(v1, end.v, atol=1e-13)
    found = exact.motion(q0, q1)
    np.testing.assert_allclose(found.v0, v0, atol=1e-12)
    assert exact.contains(q0, q1) and exact.contains(q1, q0)  # reversible
    assert not exact.contains(q0, q1 + 0.05)
    with pytest.raises(da.UsageError, match="no motion joins these points"):
        exact.motion(q0, q1 + 0.05)
    with pytest.raises(da.UsageError, match="not on the constraint"):
        exact.pair(q0, jnp.ones(3))
    with pytest.raises(da.UsageError, match="h must be positive"):
        da.exact_discrete(OSCILLATOR, -0.1)
    with pytest.raises(da.UsageError, match="nonlinear"):
        da.exact_discrete(da.systems.Benenti(), 0.1)


def test_exact_momenta_are_those_of_the_motion(exact):
    # D2 L + F+ from derivatives of the action, p from the velocity: two routes (Corollary 6)
    q0, v0 = OSCILLATOR.initial()
    pair = exact.pair(q0, v0)
    p = exact.legendre(pair)
    np.testing.assert_allclose(p.plus, p.p1 @ p.tangent_plus, atol=1e-13)
    np.testing.assert_allclose(p.minus, p.p0 @ p.tangent_minus, atol=1e-13)
    assert np.max(np.abs(p.work_plus)) > 1e-2  # which the reaction has its part in
    assert np.max(np.abs(p.plus - p.work_plus - p.p1 @ p.tangent_plus)) > 1e-2
    q1, _ = exact.flow(q0, v0)
    q2, _ = exact.flow(*exact.flow(q0, v0))
    meeting = exact.meeting(q0, q1, q2)
    assert meeting.dimension == meeting.least == 1


def test_the_tangent_at_the_diagonal_needs_motions_that_scale(exact):
    q = OSCILLATOR.initial()[0]
    hs = (0.2, 0.4, 0.8)
    gaps = [da.exact_discrete(OSCILLATOR, h).diagonal(q).gap for h in hs]
    assert 1.9 < fit_order(hs, gaps, floor=0.0) < 2.2  # Proposition 11 (ii) fails with a potential
    particle = da.systems.NonholonomicParticle()
    free = da.exact_discrete(particle, 0.5).diagonal(jnp.array([0.1, 0.7, 0.2]))
    assert free.gap < 1e-13  # and holds without one
    np.testing.assert_allclose(free.v0, 0.0, atol=1e-15)


def jacobi_independently(q0, v0, start, until):
    """U(t) of the contact oscillator from (7.2) [MP] corrected, with multipliers, by SciPy.

    x' + y z' = 0, L = |v|^2/2 - |q|^2/2: q'' = -q + lam a, a = (1, 0, y),
    lam = (x + y z - y' z')/(1 + y^2); U'' = -U + dlam a + lam (0, 0, U_y).
    """
    from scipy.integrate import solve_ivp

    def rate(_, s):
        (x, y, z), (_, dy, dz), U, W = s[:3], s[3:6], s[6:9], s[9:]
        lam = (x + y * z - dy * dz) / (1 + y**2)
        change = U[0] + U[1] * z + y * U[2] - W[1] * dz - dy * W[2] - lam * 2 * y * U[1]
        change = change / (1 + y**2)
        a = np.array([1.0, 0.0, y])
        force = -s[:3] + lam * a
        bent = -U + change * a + lam * np.array([0.0, 0.0, U[1]])
        return np.concatenate([s[3:6], force, W, bent])

    s0 = np.concatenate([q0, v0, np.zeros(3), start])
    return solve_ivp(rate, (0, until), s0, method="DOP853", rtol=1e-13, atol=1e-14,
                     dense_output=True).sol  # fmt: skip


def test_conjugate_points_against_an_independent_integration():
    from scipy.optimize import brentq

    q0, v0, until = np.array([0.0, 0.2, 0.0]), np.array([0.0, 1.0, 0.0]), 7.0
    found = da.conjugate_points(OSCILLATOR, q0, v0, until)
    solution = jacobi_independently(q0, v0, np.array([0.0, 1.0, 0.0]), until)
    assert np.max(np.abs(solution(5.0)[[6, 8]])) < 1e-12  # the field stays along y
    zeros = [brentq(lambda t: solution(t)[7], a, a + 1.0, xtol=1e-14) for a in (2.6, 5.8)]
    np.testing.assert_allclose(found.times, zeros, atol=1e-9)
    np.testing.assert_array_equal(found.multiplicity, [1, 1])
    np.testing.assert_allclose(np.abs(found.fields[0][:, 0]), [0.0, 1.0, 0.0], atol=1e-9)
    # at the origin, at rest, both fields vanish after half a period
    at_rest = da.conjugate_points(OSCILLATOR, np.zeros(3), np.zeros(3), 4.0)
    np.testing.assert_allclose(at_rest.times, [np.pi], atol=1e-9)
    assert at_rest.multiplicity[0] == 2
    # a generic motion has none, and the smallest singular value says how near it came
    generic = da.conjugate_points(OSCILLATOR, *OSCILLATOR.initial(), until)
    assert len(generic.times) == 0 and generic.nearest > 1e-3


def rates_at(system, q, v):
    """The rates of L along the motion, and of A(q) v at fixed v."""
    a = da.dynamics.acceleration(system, q, v)
    lagrangian = jax.jvp(system.lagrangian, (q, v), (v, a))[1]
    return [lagrangian, *jax.jvp(lambda q: system.constraint(q) @ v, (q,), (v,))[1]]


@pytest.mark.parametrize("method, order", [(da.Midpoint(), 2), (da.EulerA(), 1)])
@pytest.mark.parametrize("system", [OSCILLATOR, da.systems.KnifeEdge(), SLEIGH],
                         ids=lambda s: s.name())  # fmt: skip
def test_errors_of_both_discrete_data_have_their_orders(system, method, order):
    q0, v0 = system.initial()
    # The error of order 1 of Euler's rule is h^2/2 times the rates of L and of A v at the start.
    # The knife edge starts without speed along its blade, where both rates are zero.
    if system.name() == "knife-edge":
        assert np.allclose(rates_at(system, q0, v0), 0.0, atol=1e-14)
        order = 2
    rows = discrete_errors(system, da.DLA(method), q0, v0, hs=(0.08, 0.04, 0.02))
    hs = [h for h, _ in rows]
    for part in ("lagrangian", "constraint"):
        errors = [getattr(e, part) for _, e in rows]
        assert abs(fit_order(hs, errors, floor=0.0) - order) < 0.15, (part, errors)


# -- finite differences and geodesics -------------------------------------------------------------


def test_geodesics_of_a_flat_metric_are_the_midpoint_rule():
    flat = Geodesic(lambda q: jnp.array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 0.5]]))
    g = SLEIGH.groupoid.curve(jnp.array([0.2, 0.1, 0.4]), jnp.array([0.1, 0.05, 0.2]))
    for a in (0.0, 0.5, 1.0):
        rule, other = Geodesic(flat.metric, a), da.Alpha(a)
        for mine, its in zip(
            da.discrete_legendre(rule, SLEIGH, 0.1, g),
            da.discrete_legendre(other, SLEIGH, 0.1, g),
            strict=True,
        ):
            np.testing.assert_allclose(mine, its, atol=1e-13)
        both = [r.constraint(SLEIGH, 0.0, 0.1, g) for r in (rule, other)]
        np.testing.assert_allclose(*both, atol=1e-14)
    runs = [da.simulate(SLEIGH, da.DLA(r), h=0.05, steps=40).final.q for r in (flat, da.Midpoint())]
    np.testing.assert_allclose(*runs, atol=1e-12)


def test_geodesics_on_the_hyperbolic_plane_have_order_two():
    system = Hyperbolic()
    end = da.simulate(system, da.Reference(), h=2.0, steps=1).final
    hs, errors = (0.1, 0.05, 0.025), []
    for h in hs:
        run = da.simulate(system, da.DLA(Geodesic()), h=h, steps=round(2.0 / h))
        errors.append(np.max(np.abs(run.final.q - end.q)))
    assert abs(fit_order(hs, errors, floor=0.0) - 2.0) < 0.05
    back = da.diagnostics.reversibility_defect(
        system, da.DLA(Geodesic()), *system.initial(), h=0.1, steps=20
    )
    assert back < 1e-12


def half_plane(x, w):
    """The point that the geodesic of the upper half plane reaches after one unit of time."""
    speed = jnp.sqrt(w[0] ** 2 + w[1] ** 2) / x[1]
    safe = jnp.where(speed > 0, speed, 1.0)
    c, s = jnp.cosh(safe), jnp.sinh(safe) / safe
    down = c - s * w[1] / x[1]
    return jnp.stack([x[0] + s * w[0] / down, x[1] / down, x[2] + w[2]])


def test_geodesics_against_their_closed_form_and_their_leaves():
    def metric(q):
        return jnp.diag(jnp.stack([q[1] ** -2, q[1] ** -2, jnp.ones(())]))

    system = Hyperbolic()
    q0, w = jnp.array([0.2, 1.1, 0.3]), jnp.array([0.5, 0.4, -0.3])
    q1, near = half_plane(q0, 0.1 * w), half_plane(q0, 0.05 * w)
    rule = Geodesic(metric, 0.0, half_plane)
    _, v = rule.difference(system, 0.1, (q0, q1))
    np.testing.assert_allclose(v, w, atol=1e-11)  # (4.6): the velocity at the start
    way, _ = Geodesic(metric, 0.5, half_plane).difference(system, 0.1, (q0, q1))
    np.testing.assert_allclose(way[1], near, atol=1e-12)  # (4.7): at the middle
    errors = []
    for h in (0.2, 0.1, 0.05):
        pair = (q0, half_plane(q0, h * w))
        errors.append(np.max(np.abs(Geodesic(metric, 0.0).difference(system, h, pair)[1] - w)))
    assert abs(fit_order((0.2, 0.1, 0.05), errors, floor=0.0) - 3.0) < 0.2  # of degree 3
    # Proposition 8: vertical lines are totally geodesic leaves of x' = 0
    for a in (0.0, 0.5):
        _, v = Geodesic(metric, a, half_plane).difference(
            system, 0.1, (q0, q0.at[1].add(0.3).at[2].add(0.2))
        )
        assert abs(v[0]) < 1e-13
    with pytest.raises(da.UsageError, match="must be a function q -> matrix"):
        Geodesic(jnp.eye(3))
    with pytest.raises(da.UsageError, match="0 <= a <= 1"):
        Geodesic(metric, 1.5)


def test_a_finite_difference_map_of_ones_own():
    class Halfway(FiniteDifference):
        label, order, symmetric = "halfway", 2, True

        def difference(self, system, h, g):
            sigma = system.groupoid.coordinates(g)
            return system.groupoid.curve(system.groupoid.source(g), 0.5 * sigma), sigma / h

    mine, known = (
        da.simulate(OSCILLATOR, da.DLA(r), h=0.1, steps=20).final.q
        for r in (Halfway(), da.Midpoint())
    )
    np.testing.assert_allclose(mine, known, atol=1e-13)
