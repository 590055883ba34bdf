"""Equations of motion, projectors, multipliers and energy, each by a second route."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import native as quick
from dalembert import SE, SO, Euclidean, LieGroup, Pair, Product, Reduced, dynamics
from dalembert.compile.ir.interpret import interpreted
from dalembert.compile.ir.record import record
from dalembert.groupoids import move
from dalembert.methods.base import split_momentum

SAMPLES = 5

# run once on a few numbers: to optimise the machine code would take longer than it saves


# -- systems with everything in them -----------------------------------------------------------


class Rich(da.System):
    """R^4 with a metric that depends on q, a magnetic term, a potential and two constraints."""

    stiff: float = 1.3

    space = Euclidean(4)

    def lagrangian(self, q, v):
        B = jnp.array(
            [
                [1.5, 0.2, jnp.sin(q[1]), 0.0],
                [0.0, 1.2, 0.3, 0.1 * q[0]],
                [0.1, 0.0, 2.0, jnp.cos(q[2])],
                [0.3, q[3], 0.0, 1.0],
            ]
        )
        w = B @ v
        magnetic = q[1] * v[0] + jnp.sin(q[0] * q[3]) * v[2]
        potential = self.stiff * jnp.cos(q[0]) + q[1] * q[2] ** 2 + 0.5 * q[3] ** 2
        return 0.5 * w @ w + magnetic - potential

    def constraint(self, q):
        return jnp.array([[1.0, q[1], jnp.sin(q[2]), 0.3], [q[3], 1.0, 0.2, -q[0]]])


class Affine(Rich):
    def offset(self, t, q):
        return jnp.array([0.3 + q[0] * q[2], jnp.cos(q[1])])


class Rheonomic(Rich):
    def offset(self, t, q):
        return jnp.array([jnp.sin(2.0 * t) + t * q[0], 0.5 * t**2])


class Forced(Affine):
    """A force, and a Lagrangian that is not quadratic in v: the metric depends on v."""

    def lagrangian(self, q, v):
        return super().lagrangian(q, v) + 0.1 * (1.0 + q[0] ** 2) * (v @ v) ** 2

    def force(self, t, q, v):
        return jnp.array([1.0 + t, -0.4 * v[1] * q[0], jnp.sin(q[3]), v[0] - v[2]])


class Holonomic(Rich):
    """One function kept at its value beside one rolling condition."""

    def holonomic(self, q):
        return jnp.stack([jnp.sin(q[0]) + q[1] * q[2] - 0.1 * q[3] ** 2])

    def constraint(self, q):
        return super().constraint(q)[1:]


class Chetaev(Rich):
    """A nonlinear time-dependent constraint beside a linear one."""

    def constraint(self, q):
        return super().constraint(q)[:1]

    def velocity_constraint(self, t, q, v):
        return jnp.stack([v[0] ** 2 + q[1] * v[1] ** 3 + v[3] ** 2 - 1.0 - 0.3 * jnp.sin(t + q[0])])


class Unconstrained(Rich):
    def constraint(self, q):
        return jnp.zeros((0, 4))


FLAT = [Rich, Rheonomic, Forced, Holonomic, Chetaev]


class Body(da.System):
    """A heavy body on R^2 x SO(3) with coupled kinetic energy, affine constraints and a force."""

    space = Product(Euclidean(2), SO(3))

    def lagrangian(self, q, v):
        x, R = q
        J = jnp.array([[2.0, 0.1, 0.0], [0.1, 1.5, 0.2], [0.0, 0.2, 1.0]])
        spin = R @ v[2:]
        kinetic = 0.5 * v[2:] @ (J @ v[2:]) + (1.0 + 0.2 * jnp.sin(x[0])) * v[:2] @ v[:2]
        return kinetic + 0.3 * v[0] * spin[1] + 0.2 * x[1] * spin[0] - R[2, 0] - x[0] * R[1, 1]

    def constraint(self, q):
        x, R = q
        roll = jnp.stack([-R[1], R[0]])  # x' = (omega_2, -omega_1) of the space angular velocity
        return jnp.concatenate([jnp.eye(2), roll], axis=1)

    def offset(self, t, q):
        return jnp.stack([-0.4 * q[0][1], 0.4 * q[0][0] + jnp.sin(t)])

    def force(self, t, q, v):
        return jnp.concatenate([q[1][:2, 2] * t, -0.3 * v[2:]])


class BodyExp(Body):
    space = Pair(Product(Euclidean(2), SO(3)), "exp")


class Skate(da.System):
    """A blade on SE(2), whose potential breaks the symmetry."""

    space = SE(2)

    def lagrangian(self, q, v):
        G = jnp.array([[2.0, 0.0, 0.3], [0.0, 2.0, 0.5], [0.3, 0.5, 1.5]])
        return 0.5 * v @ (G @ v) * (1.0 + 0.1 * q[0, 2] ** 2) - q[1, 2] * q[0, 0]

    def constraint(self, q):
        return jnp.array([[0.1, 1.0, q[0, 2]]])


CURVED = [Body, Skate]


@functools.cache
def states(cls):
    """States (q, v, t) on the constraint, stacked; none of them ill-conditioned."""
    rng = np.random.default_rng(8)
    v, t = 0.7 * rng.normal(size=(SAMPLES, cls().dim)), rng.uniform(0.2, 1.5, SAMPLES)
    base = cls().groupoid.base
    tangent = jnp.asarray(0.8 * rng.normal(size=(SAMPLES, base.dim)))

    def state(y, v, t):
        q = base.cay(y)
        return q, dynamics.consistent_velocity(cls(), q, v, t), t

    return quick(jax.vmap(state))(tangent, v, t)


def first_state(cls):
    return jax.tree.map(lambda x: x[0], states(cls))


def defects(cls, *functions):
    """Largest defect by name over the states of a system; one compilation for all functions."""

    def check(*state):
        return {k: x for f in functions for k, x in f(cls(), *state).items()}

    compiled, stacked = quick(check), states(cls)
    found = [compiled(*jax.tree.map(lambda x, i=i: x[i], stacked)) for i in range(SAMPLES)]
    return {
        name: max(float(np.max(np.abs(x[name]), initial=0.0)) for x in found) for name in found[0]
    }


def too_large(found, tolerance):
    return {name: x for name, x in found.items() if not x < tolerance}


def rate(f):
    """d/ds f(s) at s = 0."""
    return jax.jvp(f, (jnp.zeros(()),), (jnp.ones(()),))[1]


# -- R^n: the equations assembled as one linear system ------------------------------------------


def phi(system, t, q, v):
    """All constraints, assembled here from what the system gives."""
    parts = [system.constraint(q) @ v - system.offset(t, q), system.velocity_constraint(t, q, v)]
    return jnp.concatenate([rate(lambda s: system.holonomic(q + s * v)), *parts])


def equations(system, q, v, t, a, lam):
    """Both residuals for any (a, lam): along q + s v + s^2 a/2 to first order in s."""

    def p(s):
        return jax.grad(system.lagrangian, 1)(q + s * v + 0.5 * s**2 * a, v + s * a)

    mu = jax.jacfwd(lambda w: phi(system, t, q, w))(v)
    force = jax.grad(system.lagrangian, 0)(q, v) + system.force(t, q, v) + mu.T @ lam
    kept = rate(lambda s: phi(system, t + s, q + s * v, v + s * a))
    return jnp.concatenate([rate(p) - force, kept])


def motion(system, q, v, t):
    """Acceleration and multipliers solve the equations, and are what a KKT solve gives."""
    a = dynamics.acceleration(system, q, v, t)
    lam = dynamics.multipliers(system, q, v, t)
    n, m = a.size, lam.size

    def residual(x):
        return equations(system, q, v, t, x[:n], x[n:])

    # the unknowns enter linearly: one matrix [G, -mu^T; mu, 0]
    zero = jnp.zeros(n + m)
    solution = -jnp.linalg.solve(jax.jacfwd(residual)(zero), residual(zero))
    mu = dynamics.constraint_matrix(system, q, v, t)
    return {
        "residual": residual(jnp.concatenate([a, lam])),
        "acceleration": a - solution[:n],
        "multiplier": lam - solution[n:],
        "phi": dynamics.constraint_residual(system, q, v, t) - phi(system, t, q, v),
        "mu": mu - jax.jacfwd(lambda w: phi(system, t, q, w))(v),
        "reaction": dynamics.reaction_force(system, q, v, t) - mu.T @ lam,
    }


# -- what holds on every space ---------------------------------------------------------------------


def flow(system, q, v, t):
    """Gamma(phi) = 0, and dE/dt = F.v + lam.(mu v), where mu v = offset for affine constraints."""
    a = dynamics.acceleration(system, q, v, t)
    lam = dynamics.multipliers(system, q, v, t)
    mu = dynamics.constraint_matrix(system, q, v, t)
    at = lambda s: move(system.groupoid, q, s * v)
    power = rate(lambda s: dynamics.energy(system, at(s), v + s * a))
    given = system.force(t, q, v) @ v + lam @ (mu @ v)
    return {
        "on the constraint": dynamics.constraint_residual(system, q, v, t),
        "gamma": rate(lambda s: dynamics.constraint_residual(system, at(s), v + s * a, t + s)),
        "balance": power - given,
        "power": power,
    }


def splitting(system, q, v, t):
    """P and Q are complementary, orthogonal in the metric, and P kills mu."""
    P, Q = dynamics.projectors(system, q, v, t)
    G = dynamics.metric(system, q, v)
    mu = dynamics.constraint_matrix(system, q, v, t)
    return {
        "P^2 - P": P @ P - P,
        "Q^2 - Q": Q @ Q - Q,
        "PQ": P @ Q,
        "P + Q - 1": P + Q - jnp.eye(system.dim),
        "mu P": mu @ P,
        "orthogonal": P.T @ G @ Q / jnp.max(jnp.abs(G)),
        "rank": jnp.trace(Q) - mu.shape[0],
    }


@pytest.mark.parametrize("cls", FLAT + CURVED)
def test_equations_of_motion(cls):
    """Linear, affine, rheonomic, forced, holonomic, nonlinear; R^n, R^2 x SO(3), SE(2)."""
    found = defects(cls, *([motion] if cls in FLAT else []), flow, splitting)
    power = found.pop("power")
    if dynamics.energy_is_conserved(cls()):
        assert power < 1e-12
    else:
        assert power > 1e-2
    assert too_large(found, 1e-11) == {}


def test_equations_of_motion_by_finite_differences():
    """The same without any automatic differentiation, to the accuracy that differences have."""
    system = Forced()
    q, v, t = (np.asarray(x) for x in first_state(Forced))
    L = quick(lambda q, v: system.lagrangian(q, v))
    h, n = 1e-4, 4
    e = h * np.eye(n)

    def difference(f):
        return (np.asarray(f(1.0)) - np.asarray(f(-1.0))) / (2 * h)

    def p(q, v):
        return np.stack([difference(lambda s, d=d: L(q, v + s * d)) for d in e])

    G = np.stack([difference(lambda s, d=d: p(q, v + s * d)) for d in e], axis=1)
    A = lambda q: np.asarray(system.constraint(jnp.asarray(q)))
    b = lambda q: np.asarray(system.offset(t, jnp.asarray(q)))
    force = np.stack([difference(lambda s, d=d: L(q + s * d, v)) for d in e])
    force = force - difference(lambda s: p(q + s * h * v, v))
    force = force + np.asarray(system.force(t, jnp.asarray(q), jnp.asarray(v)))
    drift = difference(lambda s: A(q + s * h * v) @ v - b(q + s * h * v))
    kkt = np.block([[G, -A(q).T], [A(q), np.zeros((2, 2))]])
    solution = np.linalg.solve(kkt, np.concatenate([force, -drift]))
    a = quick(functools.partial(dynamics.acceleration, system))(q, v, t)
    lam = quick(functools.partial(dynamics.multipliers, system))(q, v, t)
    np.testing.assert_allclose(np.concatenate([a, lam]), solution, rtol=1e-5, atol=1e-5)


# -- groups: the same body in a chart ------------------------------------------------------------


def left(group, q, dq):
    """hat^-1 (q^-1 dq): the body velocity, from its definition."""
    if isinstance(group, Product):
        return jnp.concatenate([left(*part) for part in zip(group.factors, q, dq)])
    return dq if isinstance(group, Euclidean) else group.vee(group.inv(q) @ dq)


class Chart(da.System):
    """A system on a group in Cayley coordinates y around a point, q = center cay(y), by AD."""

    original: da.System
    center: tuple

    @property
    def space(self):
        return Euclidean(self.original.dim)

    def point(self, y):
        group = self.original.space
        return group.mul(self.center, group.cay(y))

    def to_body(self, y, w):
        q, dq = jax.jvp(self.point, (y,), (w,))
        return left(self.original.space, q, dq)

    def T(self, y):
        return jax.jacfwd(lambda w: self.to_body(y, w))(jnp.zeros(self.dim))

    def lagrangian(self, y, w):
        return self.original.lagrangian(self.point(y), self.to_body(y, w))

    def constraint(self, y):
        return self.original.constraint(self.point(y)) @ self.T(y)

    def offset(self, t, y):
        return self.original.offset(t, self.point(y))

    def force(self, t, y, w):
        return self.T(y).T @ self.original.force(t, self.point(y), self.to_body(y, w))


@pytest.mark.parametrize("cls", CURVED)
def test_groups_agree_with_a_chart(cls):
    """Away from the origin of the chart, so that its own curvature takes part."""
    system, group = cls(), cls.space
    y = jnp.asarray(0.5 * np.random.default_rng(3).normal(size=group.dim))

    @quick
    def both(q, v, t):
        chart = Chart(system, group.mul(q, group.inv(group.cay(y))))  # then y describes q
        T = chart.T(y)
        w = jnp.linalg.solve(T, v)
        bend = rate(lambda s: chart.T(y + s * w) @ w)
        return (
            (
                dynamics.acceleration(system, q, v, t),
                bend + T @ dynamics.acceleration(chart, y, w, t),
            ),
            (dynamics.multipliers(system, q, v, t), dynamics.multipliers(chart, y, w, t)),
            (dynamics.energy(system, q, v), dynamics.energy(chart, y, w)),
        )

    for on_group, on_chart in both(*first_state(cls)):
        np.testing.assert_allclose(on_group, on_chart, rtol=1e-11, atol=1e-11)


def test_retraction_does_not_matter():
    a, b = (
        quick(functools.partial(dynamics.acceleration, cls()))(*first_state(Body))
        for cls in (Body, BodyExp)
    )
    np.testing.assert_allclose(a, b, rtol=1e-13)


def test_euler_equations():
    """J w' = J w x w for a free body, the classical sign."""

    class Free(da.MechanicalSystem):
        mass = jnp.diag(jnp.array([3.0, 2.0, 1.0]))
        space = SO(3)

    class Reduction(Free):
        space = LieGroup(SO(3))

    w = jnp.array([0.3, 1.0, -0.7])
    expected = np.cross(np.array([3.0, 2.0, 1.0]) * w, w) / np.array([3.0, 2.0, 1.0])
    full = quick(functools.partial(dynamics.acceleration, Free()))(jnp.eye(3), w)
    np.testing.assert_allclose(full, expected, rtol=1e-14)
    reduced = quick(functools.partial(dynamics.acceleration, Reduction()))(jnp.zeros(0), w)
    np.testing.assert_allclose(reduced, expected, rtol=1e-14)


def test_reduced_system_equals_the_full_one():
    """A Lagrangian that does not see the rotation: drop it from q, keep its velocity."""

    class Full(da.System):
        space = Product(Euclidean(2), SO(3))

        def lagrangian(self, q, v):
            return self.reduced(q[0], v)

        def constraint(self, q):
            return self.rows(q[0])

        def reduced(self, x, v):
            J = jnp.diag(jnp.stack([2.0 + x[0] ** 2, 1.5, 1.0 + 0.5 * jnp.sin(x[1])]))
            return 0.5 * v[2:] @ (J @ v[2:]) + v[:2] @ v[:2] + 0.2 * v[0] * v[3] - x[0] * x[1]

        def rows(self, x):
            return jnp.array([[1.0, 0.0, x[1], 0.5, 0.0], [0.0, 1.0, 0.0, x[0], -1.0]])

    class Small(Full):
        space = Reduced(Euclidean(2), SO(3))

        def lagrangian(self, x, v):
            return self.reduced(x, v)

        def constraint(self, x):
            return self.rows(x)

    x = jnp.array([0.4, -0.3])
    v = jnp.array([0.3, 1.0, -0.7, 0.2, 0.5])
    R = jnp.array([[0.0, -1.0, 0.0], [0.6, 0.0, 0.8], [-0.8, 0.0, 0.6]])
    for f in (dynamics.acceleration, dynamics.multipliers):
        small = quick(functools.partial(f, Small()))(x, v)
        full = quick(functools.partial(f, Full()))((x, R), v)
        np.testing.assert_allclose(small, full, rtol=1e-13)


@pytest.mark.parametrize("cls", [Affine, Chetaev, Body])
def test_consistent_velocity_is_the_nearest(cls):
    """On the constraint, and no other velocity on it is nearer in the metric."""
    rng = np.random.default_rng(11)
    others = jnp.asarray(0.3 * rng.normal(size=(8, cls().dim)))
    off = jnp.asarray(0.25 * rng.normal(size=cls().dim))

    def check(system, q, v, t):
        start = v + off
        found = dynamics.consistent_velocity(system, q, start, t)
        G = dynamics.metric(system, q, start)
        distance = lambda w: (w - start) @ G @ (w - start)
        compared = jax.vmap(lambda d: dynamics.consistent_velocity(system, q, found + d, t))(others)
        P, _ = dynamics.projectors(system, q, found, t)
        return {
            "phi": dynamics.constraint_residual(system, q, found, t),
            "unmoved": dynamics.consistent_velocity(system, q, found, t) - found,
            "stationary": P.T @ G @ (start - found),
            "nearer": jnp.maximum(0.0, distance(found) - jax.vmap(distance)(compared)),
            "moved": distance(found),
        }

    found = defects(cls, check)
    assert found.pop("moved") > 1e-3
    assert too_large(found, 5e-13) == {}


def test_momentum_and_velocity_are_inverse():
    def check(system, q, v, t):
        p = dynamics.momentum(system, q, v)
        return {
            "velocity": dynamics.velocity(system, q, p) - v,
            "momentum": p - jax.grad(system.lagrangian, 1)(q, v),
            "energy": dynamics.energy(system, q, v) - (p @ v - system.lagrangian(q, v)),
        }

    assert too_large(defects(Rich, check), 1e-13) == {}
    assert np.max(np.abs(dynamics.drift_momentum(Rich(), jnp.ones(4)))) > 0.5


# -- known numbers ---------------------------------------------------------------------------------


class Pushed(da.MechanicalSystem):
    """A particle in the plane pushed by (0, F) against the constraint y' = 0."""

    F: float = 3.0
    mass = 2.0 * jnp.eye(2)
    space = Euclidean(2)

    def force(self, t, q, v):
        return jnp.array([0.0, 1.0]) * self.F

    def constraint(self, q):
        return jnp.array([[0.0, 1.0]])


def test_sign_of_the_multiplier():
    """The reaction is +mu^T lam, so lam = -F holds the particle; a flipped row flips lam only."""

    class Flipped(Pushed):
        def constraint(self, q):
            return -super().constraint(q)

    q, v = jnp.zeros(2), jnp.array([1.0, 0.0])
    for system, sign in ((Pushed(), -1.0), (Flipped(), 1.0)):
        np.testing.assert_allclose(dynamics.multipliers(system, q, v), [sign * 3.0], rtol=1e-15)
        np.testing.assert_allclose(dynamics.reaction_force(system, q, v), [0.0, -3.0], rtol=1e-15)
        np.testing.assert_allclose(dynamics.acceleration(system, q, v), [0.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(dynamics.free_acceleration(Pushed(), q, v), [0.0, 1.5], rtol=1e-15)


def test_moving_constraint_does_work():
    """y' = u t drags the particle: lam = m u - F, power lam u t."""

    class Lift(Pushed):
        def offset(self, t, q):
            return jnp.array([0.5]) * t

    system, q, t = Lift(), jnp.zeros(2), 2.0
    v = dynamics.consistent_velocity(system, q, jnp.array([1.0, 0.0]), t)
    np.testing.assert_allclose(v, [1.0, 1.0], rtol=1e-15)
    np.testing.assert_allclose(dynamics.multipliers(system, q, v, t), [2.0 * 0.5 - 3.0], rtol=1e-14)
    np.testing.assert_allclose(dynamics.acceleration(system, q, v, t), [0.0, 0.5], rtol=1e-14)


def test_homogeneous_nonlinear_constraint_keeps_the_energy():
    """v . dphi/dv = 0 on the constraint: the reaction does no work, and the system may say so."""

    class Cone(da.MechanicalSystem):
        mass = jnp.diag(jnp.array([1.0, 2.0, 3.0]))
        space = Euclidean(3)
        conserves_energy = True

        def velocity_constraint(self, t, q, v):
            return jnp.stack([v[0] ** 2 + v[1] ** 2 - (1.0 + q[0] ** 2) * v[2] ** 2])

        def potential(self, q):
            return q[0] * q[1] + q[2]

    system, q = Cone(), jnp.array([0.0, 0.2, -0.3])
    v = jnp.array([3.0, 4.0, 5.0])

    @quick
    def check(q, v):
        a = dynamics.acceleration(system, q, v)
        power = rate(lambda s: dynamics.energy(system, q + s * v, v + s * a))
        return dynamics.constraint_residual(system, q, v), power, dynamics.multipliers(system, q, v)

    residual, power, lam = check(q, v)
    assert dynamics.energy_is_conserved(system)
    assert float(residual[0]) == 0.0
    assert abs(float(power)) < 1e-13
    assert abs(float(lam[0])) > 1e-2


def test_which_systems_keep_the_energy():
    expected = {Rich: True, Unconstrained: True, Holonomic: True, Affine: False, Chetaev: False}
    assert {cls: dynamics.energy_is_conserved(cls()) for cls in expected} == expected
    assert not dynamics.energy_is_conserved(Pushed())


def test_unconstrained():
    q, v, t = first_state(Rich)
    system = Unconstrained()
    a, free, lam = quick(
        lambda *s: tuple(
            f(system, *s)
            for f in (dynamics.acceleration, dynamics.free_acceleration, dynamics.multipliers)
        )
    )(q, v, t)
    np.testing.assert_allclose(a, free, rtol=1e-14)
    residual = quick(lambda a: equations(system, q, v, t, a, jnp.zeros(0)))(a)
    np.testing.assert_allclose(residual, 0.0, atol=1e-12)
    assert lam.shape == (0,)
    np.testing.assert_array_equal(dynamics.consistent_velocity(system, q, v + 1.0), v + 1.0)


def test_dependent_rows_and_singular_metrics_give_nan():
    class Twice(Pushed):
        def constraint(self, q):
            return jnp.array([[0.0, 1.0], [0.0, 2.0]])

    class Massless(Pushed):
        mass = jnp.diag(jnp.array([1.0, 0.0]))

    q, v = jnp.zeros(2), jnp.array([1.0, 0.0])
    for system in (Twice(), Massless()):
        assert bool(jnp.all(jnp.isnan(dynamics.acceleration(system, q, v))))


def test_what_is_off_is_projected_and_round_off_is_left_alone_in_a_recording():
    system = da.systems.ChaplyginSleigh()
    q = jnp.array([0.3, -0.2, 0.7])
    on = dynamics.consistent_velocity(system, q, jnp.array([1.0, 0.4, 2.0]))
    mu = system.constraint(q)[0]
    terms = np.abs(mu) @ np.abs(on)

    def by_arrays(v):
        return dynamics.projected(system, q, v)

    def by_numbers(v, tape=record(by_arrays, on)):
        return np.array(interpreted(tape, np.asarray(v)))

    for size in (1e-14, 1e-9, 1e-3, 10.0):
        for project in (by_numbers, by_arrays):
            v = project(on + size * mu)
            assert abs(mu @ v) <= 8e-16 * (terms + size)
    assert abs(mu @ (on + 1e-14 * mu)) > 8e-16 * terms  # so that the first was no round-off
    np.testing.assert_array_equal(by_numbers(on), on)


def test_a_momentum_is_split_whatever_its_normal_part():
    """The rounding of a normal part of 1e9 leaves 1e-7 of the velocity, and is projected again."""
    system = da.systems.ChaplyginSleigh()
    q, t = jnp.array([0.3, -0.2, 0.7]), jnp.zeros(())
    v = dynamics.consistent_velocity(system, q, jnp.array([1.0, 0.4, 2.0]))
    mu = system.constraint(q)[0]
    for size in (0.0, 1e-3, 1e3, 1e9):
        node = split_momentum(system, t, q, dynamics.momentum(system, q, v) + size * mu)
        assert abs(mu @ node.v) <= 1e-15 * (np.abs(mu) @ np.abs(node.v))
        np.testing.assert_allclose(node.v, v, rtol=0, atol=1e-15 * (1.0 + size) * 8)
        np.testing.assert_allclose(node.defect, size, rtol=1e-14, atol=1e-14)


def test_derivative_of_a_projection_that_has_nothing_to_move():
    """It was the identity where v is on the constraint already: normal directions went through."""
    system = da.systems.ChaplyginSleigh()
    q, v = system.initial()
    v = dynamics.consistent_velocity(system, q, v)
    slope = jax.jacfwd(lambda w: dynamics.consistent_velocity(system, q, w))(v)
    mu = dynamics.constraint_matrix(system, q, v)
    np.testing.assert_allclose(mu @ slope, 0.0, atol=1e-15)
    assert np.linalg.matrix_rank(slope) == 2


def test_gauss_principle_of_least_constraint():
    """Of all accelerations that the constraint allows, the true one is nearest to the free one.

    Z(a) = (a - a_free).G(a - a_free)/2 is least at a where A(q) a = -A'(q) v: Remark 3.3.3 [C02].
    """
    system = Rich()
    rng = np.random.default_rng(7)
    q = jnp.asarray(rng.normal(size=4))
    v = jnp.asarray(np.linalg.svd(system.constraint(q))[2][2:].T @ rng.normal(size=2))
    G, A = np.asarray(jax.hessian(system.lagrangian, 1)(q, v)), np.asarray(system.constraint(q))
    turned = np.asarray(jax.jvp(system.constraint, (q,), (v,))[1] @ v)
    bent = jax.jvp(lambda x: jax.grad(system.lagrangian, 1)(x, v), (q,), (v,))[1]
    free = np.linalg.solve(G, jax.grad(system.lagrangian)(q, v) - bent)
    root = np.linalg.cholesky(G).T  # |root x|^2 = x.G x
    # a = particular + allowed y: the least squares problem for y, without multipliers
    particular = np.linalg.lstsq(A, -turned, rcond=None)[0]
    allowed = np.linalg.svd(A)[2][len(A) :].T
    y = np.linalg.lstsq(root @ allowed, root @ (free - particular), rcond=None)[0]
    least = particular + allowed @ y
    np.testing.assert_allclose(
        quick(dynamics.acceleration)(system, q, v), least, rtol=1e-11, atol=1e-11
    )
    assert np.linalg.norm(least - free) > 0.1
