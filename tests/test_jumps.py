"""Jumps: projectors, restitution, impulses, contacts, friction, limits of constraints."""

import functools
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import dynamics, hybrid
from dalembert.compile.ir.error_bounds import with_roundoff
from dalembert.compile.ir.record import record

SLEIGH = da.systems.ChaplyginSleigh()
SPHERE = da.systems.RollingSphere(m=1.3, r=0.7, k=0.4)
FADING = da.systems.ParticleWithFadingConstraint()
CONE = da.systems.ParticleAcrossCone()


class Linear(da.MechanicalSystem):
    """Any mass matrix, any constant rows."""

    mass: jax.Array
    rows: jax.Array
    target: jax.Array

    space = da.Euclidean(5)

    def constraint(self, q):
        return self.rows

    def offset(self, t, q):
        return self.target


def draw(seed, count, rows=2):
    """Random metrics, rows, right-hand sides and velocities."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(count, 5, 5))
    G = B @ B.transpose(0, 2, 1) + 0.1 * np.eye(5)
    return G, rng.normal(size=(count, rows, 5)), rng.normal(size=(count, rows)), rng


# -- the projector --------------------------------------------------------------------------------


def test_sphere_comes_to_a_rough_plane():
    rng = np.random.default_rng(3)
    r, k2 = SPHERE.r, SPHERE.k**2

    @jit
    def later(q, v, t):  # what the system states of its motion, against its equations
        (Q, V), (_, rate) = jax.jvp(lambda s: SPHERE.straight_motion(s, q, v), (t,), (1.0,))
        residual = dynamics.constraint_residual(SPHERE, Q, V)
        return Q, V, residual, dynamics.acceleration(SPHERE, Q, V) - rate

    for _ in range(3):
        R = da.SO(3).exp(jnp.asarray(rng.normal(size=3)))
        q = (jnp.asarray(rng.normal(size=2)), R)
        (x, y), w = rng.normal(size=2), rng.normal(size=3)
        found = hybrid.jump(SPHERE, q, SPHERE.body_velocity(q, (x, y), w))
        after = found.v_after
        # (6.21) [C02]
        d = r**2 + k2
        wanted = [(r**2 * x + r * k2 * w[1]) / d, (r**2 * y - r * k2 * w[0]) / d]
        spin = [(-r * y + k2 * w[0]) / d, (r * x + k2 * w[1]) / d, w[2]]
        np.testing.assert_allclose(after[:2], wanted, atol=1e-13)
        np.testing.assert_allclose(R @ after[2:], spin, atol=1e-13)
        assert found.rank == 2 and found.energy_lost > 0
        np.testing.assert_allclose(found.energy_lost, found.energy_of_change, rtol=1e-12)
        # (6.22): from there nothing changes, and it rolls straight on
        Q, V, *zeros = later(q, after, 1.7)
        np.testing.assert_allclose(Q[0], q[0] + 1.7 * np.array(wanted), atol=1e-12)
        np.testing.assert_allclose(Q[1] @ V[2:], spin, atol=1e-12)
        assert max(np.max(np.abs(x)) for x in zeros) < 1e-12
    # no jump onto the smooth plane, and none where it rolls already
    free = hybrid.released(SPHERE)
    np.testing.assert_array_equal(hybrid.jump(free, q, after).v_after, after)
    np.testing.assert_allclose(hybrid.jump(SPHERE, q, after).v_after, after, atol=1e-14)


def test_carnot_and_least_change_in_200_jumps():
    G, A, _, rng = draw(1, 200)
    v, other = rng.normal(size=(200, 5)), rng.normal(size=(200, 20, 5))

    @jit
    @jax.vmap
    def jump(G, A, v, other):
        system, q = Linear(G, A, jnp.zeros(2)), jnp.zeros(5)
        after = hybrid.jump_velocity(system, q, v)
        change = after - v
        lost = 0.5 * v @ G @ v - 0.5 * after @ G @ after
        # others on the constraint: their distance must be larger
        onto = jnp.eye(5) - jnp.linalg.pinv(A) @ A
        rest = other @ onto.T - v[None, :]
        plain = onto @ v - v  # a projection that forgets the metric
        return (
            A @ after,
            lost - 0.5 * change @ G @ change,
            *(jnp.sqrt(jnp.einsum("...i,ij,...j->...", x, G, x)) for x in (change, rest, plain)),
        )

    residual, carnot, least, others, plain = (np.asarray(x) for x in jump(G, A, v, other))
    assert np.max(np.abs(residual)) < 1e-12
    assert np.max(np.abs(carnot)) < 1e-12
    assert np.all(others >= least[:, None]) and np.all(plain >= least)
    assert np.max(plain / least) > 1.5  # the metric matters


def test_host_and_compiled_code_agree_and_targets_are_met():
    G, A, b, rng = draw(2, 8)
    for i in range(8):
        system = Linear(jnp.asarray(G[i]), jnp.asarray(A[i]), jnp.asarray(b[i]))
        q, v, P = jnp.zeros(5), jnp.asarray(rng.normal(size=5)), jnp.asarray(rng.normal(size=5))
        wall, moves, e = jnp.asarray(rng.normal(size=(1, 5))), jnp.array([0.3]), 0.6
        given = {"rows": wall, "offset": moves, "restitution": e, "external": P}
        found = hybrid.jump(system, q, v, **given)
        same = jit(hybrid.jump_velocity)(system, q, v, **given)
        np.testing.assert_allclose(found.v_after, same, atol=1e-12)
        np.testing.assert_allclose(A[i] @ found.v_after, b[i], atol=1e-12)
        np.testing.assert_allclose(
            wall @ found.v_after - moves, -e * (wall @ v - moves), atol=1e-12
        )
        push = G[i] @ (found.v_after - v)
        np.testing.assert_allclose(push, P + found.rows.T @ found.impulse, atol=1e-11)
        before, after = (dynamics.energy(system, q, w) for w in (v, found.v_after))
        np.testing.assert_allclose(found.energy_lost, before - after, atol=1e-11)


def test_jump_differentiates():
    q, v = jnp.array([0.1, 0.2, 0.3]), jnp.array([1.0, 0.5, 0.7])
    after = lambda a, v: hybrid.jump_velocity(da.systems.ChaplyginSleigh(a=a), q, v)

    @jit
    def facts(v):
        by_hand = (after(0.2 + 1e-6, v) - after(0.2 - 1e-6, v)) / 2e-6
        P = dynamics.projectors(SLEIGH, q)[0]
        return jax.jacfwd(after)(0.2, v) - by_hand, jax.jacrev(after, 1)(0.2, v) - P

    of_parameter, of_velocity = facts(v)
    np.testing.assert_allclose(of_parameter, 0.0, atol=1e-9)
    np.testing.assert_allclose(of_velocity, 0.0, atol=1e-14)


# -- restitution ----------------------------------------------------------------------------------


def test_rules_of_newton_and_poisson():
    G, A, _, rng = draw(4, 1)
    system = Linear(jnp.asarray(G[0]), jnp.zeros((0, 5)), jnp.zeros(0))
    q, v = jnp.zeros(5), jnp.asarray(rng.normal(size=5))
    jump = functools.partial(hybrid.jump, system, q, v)
    for e in (0.0, 0.4, 1.0):  # one row, or one coefficient: the same
        for rows in (A[0, :1], A[0]):
            one, two = (jump(rows=rows, restitution=e, rule=r) for r in ("newton", "poisson"))
            np.testing.assert_allclose(one.v_after, two.v_after, atol=1e-12)
            # all rows push back alike: Carnot's theorem with restitution
            share = (1 - e) / (1 + e)
            np.testing.assert_allclose(one.energy_lost, share * one.energy_of_change, atol=1e-12)
    e = jnp.array([0.9, 0.2])
    newton, poisson = (jump(rows=A[0], restitution=e, rule=r) for r in ("newton", "poisson"))
    assert np.max(np.abs(newton.v_after - poisson.v_after)) > 1e-2
    np.testing.assert_allclose(A[0] @ newton.v_after, -e * (A[0] @ v), atol=1e-12)
    np.testing.assert_allclose(poisson.impulse, (1 + e) * jump(rows=A[0]).impulse, atol=1e-12)


def test_sleigh_at_a_wall_keeps_its_blade():
    q = jnp.array([1.5, 0.0, 0.4])
    v = dynamics.consistent_velocity(SLEIGH, q, jnp.array([1.0, 0.3, 0.8]))
    n = jnp.array([[1.0, 0.0, 0.0]])
    found = hybrid.jump(SLEIGH, q, v, rows=n, restitution=0.8)

    # by hand: v - (1 + e) W n (n.v)/(n.W n), W = P G^-1
    @jit
    def by_hand(q, v):
        W = dynamics.projectors(SLEIGH, q)[0] @ jnp.linalg.inv(dynamics.metric(SLEIGH, q))
        return v - 1.8 * (W @ n[0]) * v[0] / (n[0] @ W @ n[0])

    np.testing.assert_allclose(found.v_after, by_hand(q, v), atol=1e-13)
    assert abs(dynamics.constraint_residual(SLEIGH, q, found.v_after)[0]) < 1e-14
    assert found.energy_lost > 0
    elastic = hybrid.jump(SLEIGH, q, v, rows=n, restitution=1.0)
    assert abs(elastic.energy_lost) < 1e-14 < found.energy_lost


# -- impulses -------------------------------------------------------------------------------------


def test_impulses_are_what_short_strong_forces_do():
    """(6.16) on the blade, and (6.17) where the blade comes down in the same moment."""
    P = jnp.array([0.4, -1.1, 0.7])
    q0 = jnp.array([0.1, -0.2, 0.5])
    on = dynamics.consistent_velocity(SLEIGH, q0, jnp.array([1.0, 0.3, 0.8]))
    off = jnp.array([0.9, 0.9, -0.6])
    lifted = hybrid.released(SLEIGH)

    @jit
    def pushed(tau):
        def bump(t):  # on the first half, with integral one
            s = 2.0 * t / tau
            return jnp.where(s < 1.0, 12.0 * s * (1.0 - s), 0.0) / tau

        def on_blade(t, q, v):
            force = bump(t) * P
            W = dynamics.projectors(SLEIGH, q)[0]
            return dynamics.acceleration(SLEIGH, q, v) + W @ jnp.linalg.solve(
                dynamics.metric(SLEIGH, q), force
            )

        def coming_down(t, q, v):  # friction sideways, the stronger the shorter
            A = SLEIGH.constraint(q)
            force = bump(t) * P - (60.0 / tau) * A.T @ (A @ v)
            free = dynamics.acceleration(lifted, q, v)
            return free + jnp.linalg.solve(dynamics.metric(SLEIGH, q), force)

        def run(acceleration, v):
            h = tau / 400

            def step(state, i):
                rate = lambda t, s: jnp.concatenate([s[3:], acceleration(t, s[:3], s[3:])])
                t = i * h
                k1 = rate(t, state)
                k2 = rate(t + h / 2, state + h / 2 * k1)
                k3 = rate(t + h / 2, state + h / 2 * k2)
                k4 = rate(t + h, state + h * k3)
                return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

            return jax.lax.scan(step, jnp.concatenate([q0, v]), jnp.arange(400.0))[0][3:]

        return run(on_blade, on), run(coming_down, off)

    at_once = [hybrid.jump(SLEIGH, q0, v, external=P).v_after for v in (on, off)]
    errors = np.array(
        [
            [np.max(np.abs(x - y)) for x, y in zip(pushed(tau), at_once)]
            for tau in (1e-2, 1e-3, 1e-4)
        ]
    )
    assert np.all(errors[2] < 2e-4)
    assert np.all(np.abs(np.log10(errors[:-1] / errors[1:]) - 1.0) < 0.1)  # the error goes as tau
    # without the reaction of the blade it is another velocity
    free = on + jnp.linalg.solve(dynamics.metric(SLEIGH, q0), P)
    assert np.max(np.abs(free - at_once[0])) > 0.3


def test_stroke_of_a_cue():
    R = da.SO(3).exp(jnp.array([0.3, -0.5, 0.2]))
    q, J = (jnp.zeros(2), R), jnp.array([0.6, 0.1, 0.0])
    r, I = SPHERE.r, SPHERE.m * SPHERE.k**2

    def stroke(lever):  # where it hits the ball, from the center, in space
        on_ball = R.T @ jnp.asarray(lever)
        place = lambda x: jnp.append(x[0], SPHERE.r) + x[1] @ on_ball
        return hybrid.impulse_at(SPHERE, q, place, J)

    lever = jnp.array([-0.4, 0.1, 0.35])
    P = stroke(lever)
    torque = jnp.cross(lever, J)
    np.testing.assert_allclose(P, jnp.concatenate([J[:2], R.T @ torque]), atol=1e-14)
    # from rest: about the point of contact the table does nothing
    after = hybrid.jump(SPHERE, q, jnp.zeros(5), external=P)
    omega = (R @ after.v_after[2:])[:2]
    wanted = (torque + jnp.cross(jnp.array([0.0, 0.0, r]), J))[:2] / (I + SPHERE.m * r**2)
    np.testing.assert_allclose(omega, wanted, atol=1e-13)
    # struck at 7/5 r of a homogeneous ball the table need not push: no impulse of the contact
    billiard = da.systems.RollingSphere(r=0.5, k=0.5 * np.sqrt(0.4))
    high = hybrid.impulse_at(
        billiard, (jnp.zeros(2), R), lambda x: jnp.append(x[0], 0.5) + x[1] @ R.T @ jnp.array(
            [-0.3, 0.0, 0.2]
        ), jnp.array([1.0, 0.0, 0.0]),
    )  # fmt: skip
    found = hybrid.jump(billiard, (jnp.zeros(2), R), jnp.zeros(5), external=high)
    assert np.max(np.abs(found.impulse)) < 1e-14 < float(found.v_after[0])


# -- contacts -------------------------------------------------------------------------------------


class Ball(da.MechanicalSystem):
    """A point in the plane under gravity."""

    space = da.Euclidean(2)
    mass = np.array([[2.0, 0.3], [0.3, 1.0]])

    def potential(self, q):
        return 9.81 * q[1]


def corner(q):
    return jnp.stack([q[0], q[1]])


def test_contacts_push_and_never_pull():
    ball, q = Ball(), jnp.zeros(2)
    rng = np.random.default_rng(5)
    e = jnp.array([0.5, 0.2])
    kinds = set()
    for v in rng.normal(size=(12, 2)):
        found = hybrid.impact(ball, q, jnp.asarray(v), corner, restitution=e)
        s, leaves = np.asarray(found.impulse), np.asarray(found.v_after) + np.asarray(e) * v
        assert np.all(s >= 0) and np.all(leaves > -1e-12)
        np.testing.assert_allclose(s * leaves, 0.0, atol=1e-12)
        assert found.energy_lost > -1e-14
        kinds.add(tuple(s > 0))
    assert len(kinds) == 4  # both, one, the other, none
    # one that leaves slowly is pushed by the other, through the coupling of the metric
    slow = jnp.array([0.01, -1.0])
    assert np.all(hybrid.impact(ball, q, slow, corner).impulse > 0)
    # an open gap does nothing
    far = hybrid.impact(ball, jnp.array([1.0, 0.0]), jnp.array([-1.0, -1.0]), corner)
    assert far.impulse[0] == 0.0 and far.impulse[1] > 0


class Dome(da.MechanicalSystem):
    """A particle outside of a sphere of radius 2, under gravity."""

    space = da.Euclidean(3)
    mass = 1.5 * np.eye(3)

    def potential(self, q):
        return 1.5 * 9.81 * q[2]


def dome(q):
    return jnp.sqrt(q @ q)[None] - 2.0


def test_contact_ends_where_the_reaction_would_pull():
    for cos in (0.9, 2 / 3, 0.5):
        sin = np.sqrt(1 - cos**2)
        speed = np.sqrt(2 * 9.81 * 2.0 * (1 - cos))  # slid down from the top
        q = 2.0 * jnp.array([sin, 0.0, cos])
        v = speed * jnp.array([cos, 0.0, -sin])
        (force,) = hybrid.contact_forces(Dome(), dome, q, v)
        np.testing.assert_allclose(force, 1.5 * 9.81 * (3 * cos - 2), atol=1e-12)
    np.testing.assert_allclose(hybrid.gap_rows(Dome(), dome, q)[0], q / 2, atol=1e-15)


def test_variants_of_a_system():
    lifted = hybrid.released(SLEIGH)
    assert lifted.name() == "chaplygin-sleigh-released" and not lifted.is_constrained
    assert not hasattr(lifted, "closed_form") and set(lifted.invariants) == {"energy"}
    assert lifted.scene().bodies and not lifted.scene().contacts
    assert type(lifted) is type(hybrid.released(da.systems.ChaplyginSleigh(a=0.7)))
    q, v = jnp.array([0.1, 0.2, 0.3]), jnp.array([1.0, 2.0, 0.5])
    assert dynamics.multipliers(lifted, q, v).shape == (0,)

    @jit
    def facts(q, v):
        center = lambda x: x[:2] + 0.2 * jnp.stack([jnp.cos(x[2]), jnp.sin(x[2])])
        a = dynamics.acceleration(lifted, q, v)
        second = jax.jvp(lambda x: jax.jvp(center, (x,), (v,))[1], (q,), (v,))[1]
        energies = [dynamics.energy(x, q, v) for x in (lifted, SLEIGH)]
        return second + jax.jacfwd(center)(q) @ a, energies[0] - energies[1]

    # its center of mass moves straight on
    for zero in facts(q, v):
        np.testing.assert_allclose(zero, 0.0, atol=1e-14)
    ball = da.systems.LandedBall()
    flying = hybrid.released(ball)
    assert dynamics.energy_is_conserved(flying) and not dynamics.energy_is_conserved(ball)
    q, v = ball.initial()
    falls = jit(lambda q, v: dynamics.acceleration(flying, q, v))(q, v)
    np.testing.assert_allclose(falls, [0, 0, -9.81, 0, 0, 0], atol=1e-14)
    push = jit(lambda q, v: dynamics.multipliers(ball, q, v))(q, v)
    np.testing.assert_allclose(push[2], 9.81, rtol=1e-13)  # its weight
    # dropped on the turning table: the table does work, and the fall's energy is lost
    down = jnp.array([0.0, 0.0, -2.0, 0.0, 0.0, 0.0])
    found = hybrid.jump(ball, q, down)
    np.testing.assert_allclose(dynamics.constraint_residual(ball, q, found.v_after), 0, atol=1e-14)
    assert found.energy_lost < found.energy_of_change  # below Carnot's: the table turns
    again = hybrid.impact(flying, q, down, ball.height, restitution=0.5)
    np.testing.assert_allclose(again.v_after, [0, 0, 1.0, 0, 0, 0], atol=1e-14)


# -- friction -------------------------------------------------------------------------------------


class Rod(da.MechanicalSystem):
    """A thin rod of unit mass and length 2, in its plane: (x, y, angle)."""

    space = da.Euclidean(3)
    mass = np.diag([1.0, 1.0, 1 / 3])


def rod_impact(slip, **given):
    angle, q = 1.0, jnp.array([0.0, np.sin(1.0), 1.0])
    tip = jnp.array([-np.cos(angle), -np.sin(angle)])  # from the center
    tangent, normal = np.array([1.0, 0.0, -tip[1]]), np.array([0.0, 1.0, tip[0]])
    v = jnp.array([slip, -1.0, 0.0])
    return hybrid.friction_impact(Rod(), q, v, normal=normal, tangent=tangent, **given)


def test_paradox_of_friction():
    by_rule = lambda slip, mu, e: {
        rule: rod_impact(slip, friction=mu, restitution=e, rule=rule)
        for rule in ("newton", "poisson", "stronge")
    }
    # energy is accounted for, whatever the rule
    for found in (*by_rule(-0.1, 0.6, 0.8).values(), *by_rule(0.4, 0.1, 0.5).values()):
        lost = -(found.normal_work + found.friction_work)
        np.testing.assert_allclose(found.jump.energy_lost, lost, atol=1e-14)
        assert found.friction_work <= 0.0
    assert not rod_impact(0.3, friction=0.0, restitution=1.0).creates_energy  # round-off only
    # slip does not stop, or e = 0: all agree
    for slip, mu, e in ((3.0, 0.2, 0.7), (-0.1, 0.6, 0.0)):
        a, b, c = (x.jump.v_after for x in by_rule(slip, mu, e).values())
        np.testing.assert_allclose(a, b, atol=1e-13)
        np.testing.assert_allclose(a, c, atol=1e-13)
    # slip stops on the way: Newton's rule creates energy, Poisson's loses some without friction
    found = by_rule(0.7, 0.6, 1.0)
    assert all(x.slip_stops for x in found.values())
    assert found["newton"].creates_energy and found["newton"].jump.energy_lost < -0.12
    assert found["poisson"].normal_work < -0.03 and not found["poisson"].creates_energy
    assert abs(found["stronge"].normal_work) < 1e-14  # with e = 1 only the friction takes
    for x in found.values():
        np.testing.assert_allclose(x.friction_work, found["newton"].friction_work, atol=1e-14)


# -- limits ---------------------------------------------------------------------------------------


def project(rows):
    rows = np.atleast_2d(rows) / np.linalg.norm(np.atleast_2d(rows), axis=1)[:, None]
    return rows.T @ rows


def test_roundoff_bounds_hold_and_tell_zeros_apart():
    def f(x):
        return jnp.stack([(x[0] + 1.0) ** 2 - 1.0 - 2.0 * x[0], x[0] * x[1], x[1] - x[1]])

    tape = record(f, jnp.zeros(2))
    for x, y in ((1e-9, 3.0), (0.3, -1e-200), (1e-3, 1e-310)):
        value, bound = (a[:, 0] for a in with_roundoff(tape, np.array([[x], [y]])))
        X, Y = Fraction(x), Fraction(y)
        exact = [(X + 1) ** 2 - 1 - 2 * X, X * Y, 0]
        for v, b, w in zip(value, bound, exact):
            assert abs(Fraction(float(v)) - w) <= Fraction(float(b))
    assert 1e-17 < bound[0] < 1e-14  # of 1e-6, a difference of ones
    flat = record(lambda x: jnp.where(x > 0, jnp.exp(-1 / x**2), 0.0), jnp.ones(()))
    value, bound = (a[0] for a in with_roundoff(flat, np.array([[0.5, 0.05, 0.03, -1.0]])))
    assert np.all(bound[:2] < 1e-11 * value[:2])  # a row, however small
    assert value[2] == value[3] == 0.0 and bound[2] > 0.0 and bound[3] == 0.0


def test_rank_of_small_rows():
    D = hybrid.Codistribution(FADING)
    ranks = [D.at(jnp.array([x, 0.3])) for x in (0.5, 0.04, 0.03, 0.0, -1.0)]
    assert [x.rank for x in ranks] == [1, 1, 0, 0, 0]
    assert [x.undecided for x in ranks] == [False, False, True, False, False]
    C = hybrid.Codistribution(CONE)
    on_curve = [C.at(jnp.array([0.0, y, y**2])) for y in (0.1, 0.7, 1.3)]
    assert all(x.rank == 0 for x in on_curve)  # y^2 - z is round-off or zero
    off = C.at(jnp.array([0.0, 0.1, 0.01]))  # 0.1^2 is not 0.01: a row of 2e-18, and no row
    assert 0.1**2 != 0.01 and off.rank == 0 and off.undecided
    assert C.at(jnp.array([0.0, 0.1, 0.01 + 1e-12])).rank == 1
    assert D.is_singular(jnp.array([0.0, 1.0]))
    assert not D.is_singular(jnp.array([-3.0, 1.0])) and not D.is_singular(jnp.array([3.0, 1.0]))


class Rates(da.MechanicalSystem):
    """dx and dx + s^2 dy + s^3 dz, with s the fourth coordinate, and a right-hand side."""

    space = da.Euclidean(4)
    mass = np.diag([1.0, 2.0, 3.0, 1.0])

    def constraint(self, q):
        s, o, one = q[3], jnp.zeros(()), jnp.ones(())
        return jnp.stack([jnp.stack([one, o, o, o]), jnp.stack([one, s**2, s**3, o])])

    def offset(self, t, q):
        return jnp.stack([jnp.sin(q[3]), jnp.sin(q[3]) + q[3] ** 2 * jnp.cos(q[3])])


def test_forms_that_vanish_at_different_rates():
    D = hybrid.Codistribution(Rates())
    curve = lambda s: jnp.array([0.2 * s, 0.0, s**2, s])
    for side in (1, -1):
        found = D.limit(curve, side=side)
        # the limit is span(dx, dy): orthonormal rows, x' = 0, y' = 1
        np.testing.assert_allclose(found.rows[:, 2:], 0.0, atol=1e-12)
        w = np.linalg.lstsq(found.rows, found.offset, rcond=None)[0]
        np.testing.assert_allclose(w, [0.0, 1.0, 0.0, 0.0], atol=1e-12)
        assert found.rank == 2 and found.error < 1e-12
    # the inverse of the Gram matrix at a small distance loses all of it
    A = np.asarray(Rates().constraint(jnp.array([0.0, 0.0, 0.0, 1e-3])))[:, :3]
    naive = A.T @ np.linalg.solve(A @ A.T, A)
    assert np.max(np.abs(naive - np.diag([1.0, 1.0, 0.0]))) > 1e-6
    assert D.at(jnp.zeros(4)).rank == 1
    crossing = D.crossing(curve)
    assert crossing.case == 3 and not crossing.may_jump


def test_particle_with_a_fading_constraint():
    q = jnp.array([0.0, 1.0])
    (found,) = hybrid.jump_across(FADING, q, jnp.array([1.0, 0.0]), starts=3).exits
    np.testing.assert_allclose(found.jump.v_after, [0.5, 0.5], atol=1e-14)
    np.testing.assert_allclose(found.jump.energy_lost, 0.25, atol=1e-14)  # 1/2 -> 1/4
    assert found.crossing.case == 1 and found.crossing.may_jump and found.isolated
    back = hybrid.jump_across(FADING, q, jnp.array([-1.0, -1.0]), starts=3)
    np.testing.assert_array_equal(back.only().v_after, [-1.0, -1.0])
    assert back.exits[0].crossing.case == 2 and not back.exits[0].crossing.may_jump
    # an impulse at the singular point, (6.17); from rest, too
    rest = hybrid.jump_across(FADING, q, jnp.zeros(2), external=[3.0, 1.0], starts=2)
    np.testing.assert_allclose(rest.only().v_after, [2.0, 2.0], atol=1e-13)
    pushed = hybrid.jump_across(FADING, q, jnp.array([1.0, 0.0]), external=[0.0, 3.0], starts=3)
    np.testing.assert_allclose(pushed.only().v_after, [2.0, 2.0], atol=1e-13)
    with pytest.raises(da.UsageError, match="turns the motion back"):
        hybrid.jump_across(FADING, q, jnp.array([1.0, -3.0]), starts=3)
    with pytest.raises(da.UsageError, match="before this point"):
        hybrid.jump_across(FADING, q, jnp.array([-1.0, 0.0]), starts=0)
    D = hybrid.Codistribution(FADING)
    with pytest.raises(da.UsageError, match="another `reach`"):
        D.limit(D.straight(q, [0.01, 0.0]))


def test_particle_across_the_cone_has_two_families_of_exits():
    y, v = 0.7, np.array([1.0, 0.0, 0.3])
    found = hybrid.jump_across(CONE, jnp.array([0.0, y, y**2]), jnp.asarray(v), starts=12)
    assert not found.unique
    with pytest.raises(da.UsageError, match="does not decide"):
        found.only()
    # y' = 0 with c = z'/x' of two values, or tangent to C: c = -y, with c the limit of (z - y^2)/x
    expected = []
    for c in (v[2] / v[0], y, -y):
        form = np.array([-c, c - y, 1.0])
        expected.append(v - form * (form @ v) / (form @ form))
    after = np.array([x.jump.v_after for x in found.exits])
    np.testing.assert_allclose(after, expected, atol=1e-10)
    for x in found.exits:
        a, b, c = x.jump.v_after
        assert abs(b) < 1e-10 or abs(c + y * a - 2 * y * b) < 1e-10
        assert x.crossing.case == 3 and x.isolated and x.jump.energy_lost > -1e-14
    # the same form on both sides: no jump
    assert not found.exits[0].jumps and not found.exits[0].crossing.may_jump


def test_steps_over_a_singular_point_are_found():
    q = jnp.array([0.1, 0.2, 0.16])  # off C, near S
    v = dynamics.consistent_velocity(CONE, q, jnp.array([-1.0, 0.0, -1.0]))
    run = da.simulate(CONE, da.RK4(), q, v, h=0.02, steps=15)
    x, y, z = np.asarray(run.q).T
    nearest = np.argmin(np.hypot(x, z - y**2))
    found = hybrid.rank_losses(CONE, run)
    assert len(found) and np.min(np.abs(found - run.t[nearest])) < 0.021
    assert "loses rank" in da.diagnostics.report(CONE, run).warnings[-1]
    turning = da.simulate(SLEIGH, da.RK4(), h=0.1, steps=40)
    assert not len(hybrid.rank_losses(SLEIGH, turning))
    assert "loses rank" not in str(da.diagnostics.report(SLEIGH, turning))
    assert not len(hybrid.rank_losses(CONE, da.simulate(CONE, da.RK4(), h=0.05, steps=40)))


# -- mistakes -------------------------------------------------------------------------------------


def test_bad_jumps_are_refused():
    q, v = jnp.zeros(3), jnp.array([1.0, 0.0, 0.5])
    n = jnp.array([[1.0, 0.0, 0.0]])
    bad = [
        ({"restitution": 0.5}, "belongs to rows"),
        ({"rows": n, "restitution": 1.5}, "between 0 and 1"),
        ({"rows": n, "rule": "euler"}, "newton"),
        ({"rows": n[0]}, "shape"),
        ({"rows": jnp.ones((1, 4))}, "shape"),
        ({"rows": n * jnp.nan}, "not finite"),
        ({"rows": n, "offset": jnp.ones(2)}, "offset"),
        ({"external": jnp.ones(2)}, "external"),
        ({"rows": jnp.concatenate([n, n]), "offset": jnp.array([0.0, 1.0])}, "contradict"),
        ({"rows": jnp.concatenate([n, n]), "rule": "poisson"}, "rank 2"),
    ]
    for given, message in bad:
        with pytest.raises(da.UsageError, match=message):
            hybrid.jump(SLEIGH, q, v, **given)
    # rows that depend on each other but agree: one velocity, the least impulse
    twice = hybrid.jump(SLEIGH, q, v, rows=jnp.concatenate([n, n]), restitution=0.5)
    assert twice.rank == 2 < len(twice.rows)
    np.testing.assert_allclose(twice.v_after[0], -0.5, atol=1e-14)
    assert np.all(np.isnan(hybrid.jump_velocity(SLEIGH, q, v, jnp.concatenate([n, n]))))
    with pytest.raises(da.UsageError, match="jump_across"):
        hybrid.jump(FADING, jnp.array([-0.1, 0.0]), jnp.ones(2))
    with pytest.raises(da.UsageError, match="nonlinear"):
        hybrid.jump(da.systems.Benenti(), *da.systems.Benenti().initial())
    with pytest.raises(da.UsageError, match="overlap"):
        hybrid.impact(Ball(), jnp.array([-0.1, 0.0]), jnp.ones(2), corner)
    with pytest.raises(da.UsageError, match="is not approaching"):
        hybrid.friction_impact(
            Rod(), q, jnp.ones(3), normal=[0, 1.0, 0], tangent=[1.0, 0, 0], friction=0.1
        )

    class Relativistic(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return -jnp.sqrt(1.0 - v @ v)

    with pytest.raises(da.UsageError, match="not quadratic"):
        hybrid.jump(Relativistic(), jnp.zeros(2), jnp.array([0.5, 0.3]), rows=[[1.0, 0.0]])


def test_methods_of_constant_rank_refuse_a_change_of_rank():
    with pytest.raises(da.UsageError, match="rank-deficient"):
        da.simulate(FADING, jnp.array([-1.0, 0.0]), jnp.ones(2), h=0.1, steps=1)
    with pytest.raises(da.SimulationError) as failed:
        da.simulate(FADING, jnp.array([0.3, 0.0]), -jnp.ones(2), h=0.1, steps=5)
    assert len(failed.value.trajectory.t) >= 2  # what was computed is kept
    assert np.min(failed.value.trajectory.q[:, 0]) > 0.0
