"""Lagrangians and constraints that depend on time: known by their arguments, right or refused."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import UsageError, dynamics
from dalembert.methods import (
    Composition,
    EnergyGauss,
    Leapfrog,
    MPEuler,
    MPEulerAdjoint,
    MPMidpoint,
    Shake,
)
from dalembert.methods.rules import (
    CustomRule,
    EulerA,
    EulerB,
    Midpoint,
    MomentumAtEnd,
    Quadrature,
    Trapezoidal,
)


class Growing(da.System):
    """A body whose mass grows with time, free: its momentum is kept, not its velocity."""

    space = da.Euclidean(1)

    def lagrangian(self, t, q, v):
        return 0.5 * (1.0 + 0.3 * jnp.sin(t)) * v[0] ** 2


class Pushed(da.System):
    """A knife edge under V = -F(t) x - F(t)^2 y/2, as a time-dependent Lagrangian."""

    J: float = 0.7
    space = da.Euclidean(3)

    def pushes(self, t):
        return jnp.array([jnp.cos(2 * t), 0.5 * jnp.cos(2 * t) ** 2, 0.0])

    def kinetic(self, q, v):
        return 0.5 * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.J * (1 + 0.2 * jnp.sin(q[0])) * v[2] ** 2

    def lagrangian(self, t, q, v):
        return self.kinetic(q, v) + self.pushes(t) @ q

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def initial(self):
        return jnp.array([0.1, 0.2, 0.3]), jnp.array([jnp.cos(0.3), jnp.sin(0.3), 0.8])


class Forced(Pushed):
    """The same with the force told as a force."""

    def lagrangian(self, q, v):
        return self.kinetic(q, v)

    def force(self, t, q, v):
        return self.pushes(t)


METHODS = [da.Gauss(2), da.RK4(), da.Reference()]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_the_mass_grows(method):
    """p is kept: v = v0 m(t0)/m(t), from a time that is not zero."""
    traj = da.simulate(Growing(), method, [0.0], [1.0], h=0.05, steps=60, t0=0.4)
    mass = 1.0 + 0.3 * np.sin(traj.t)
    np.testing.assert_allclose(traj.v[:, 0], mass[0] / mass, rtol=2e-7)
    np.testing.assert_allclose(traj.p[:, 0], mass[0], rtol=2e-7)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_a_potential_and_a_force_agree(method):
    """Two ways to the same motion, multipliers included."""
    run = {"h": 0.02, "steps": 100, "t0": 0.3}
    one, other = (da.simulate(s, method, **run) for s in (Pushed(), Forced()))
    for name in ("q", "v", "p", "multiplier"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=1e-11)


def test_stages_are_asked_at_their_own_times():
    """Of order 4 where the force turns with the time and the edge with its own angle.

    On `Growing`, linear in one velocity, stages may trade their times and nothing changes.
    """
    exact = da.simulate(Pushed(), da.Reference(), h=0.5, steps=4, t0=0.3).final
    errors = []
    for n in (20, 40):
        run = da.simulate(Pushed(), da.Gauss(2), h=2.0 / n, steps=n, t0=0.3, save_every=n)
        errors.append(da.diagnostics.distance((run.final.q, run.final.v), (exact.q, exact.v)))
    assert abs(np.log2(errors[0] / errors[1]) - 4) < 0.3, errors


def test_the_energy_is_that_of_the_time():
    system = Pushed()
    assert system.has_time and not Forced().has_time
    assert not dynamics.energy_is_conserved(system)
    traj = da.simulate(system, da.Reference(), h=0.1, steps=10)
    energy = da.diagnostics.energy(system, traj)
    rows = [system.kinetic(q, v) - system.pushes(t) @ q for t, q, v in zip(traj.t, traj.q, traj.v)]
    np.testing.assert_allclose(energy, rows, rtol=1e-13)


@pytest.mark.parametrize("method", [da.EnergyGauss(), da.Leapfrog()], ids=lambda m: m.name)
def test_others_refuse_it_by_name(method):
    with pytest.raises(UsageError, match=f"depends on time.*which {method.name} does not take"):
        da.simulate(Pushed(), method, h=0.1, steps=2)
    q, v = Pushed().initial()
    with pytest.raises(UsageError, match="depends on time"):
        da.simulate_ensemble(Pushed(), method, jnp.stack([q, q]), jnp.stack([v, v]), h=0.1, steps=2)


class Shifted(Growing):
    """The body that grows, with its translation."""

    def initial(self):
        return jnp.zeros(1), jnp.ones(1)

    @property
    def symmetry_generators(self):
        return {"x": lambda q: jnp.ones((1, 1))}

    @property
    def invariants(self):
        return {"velocity": lambda q, v: v[0]}


def test_the_geometry_of_a_lagrangian_that_depends_on_time():
    found = {(f.section, f.quantity): f.verdict for f in da.geometry.analyze(Shifted()).findings}
    assert found["symmetry", "x"] == "horizontal"
    assert found["symmetry", "momenta of x"] == "1 of 1 constant"  # p, though v is not
    assert found["conserved", "energy"] == "no" and found["conserved", "velocity"] == "no"
    symmetry = da.geometry.Symmetry.of(Shifted(), "x")
    q, v = jnp.zeros(1), jnp.array([0.8])
    off = da.geometry.momentum_equation_residual(
        Shifted(), symmetry, lambda q: jnp.ones(1), q, v, 0.7
    )
    assert abs(float(off)) < 1e-13
    edge = {(f.section, f.quantity): f.verdict for f in da.geometry.analyze(Pushed()).findings}
    assert edge["constraint", "growth vector"] == "(2, 3)" and edge["conserved", "energy"] == "no"


def test_one_instant_of_it():
    frozen = da.geometry.at_time(Pushed(), 0.4)
    q, v = frozen.initial()
    np.testing.assert_allclose(
        frozen.lagrangian(q, v), Pushed().lagrangian_at(0.4, q, v), rtol=1e-15
    )
    evolution = jax.jit(lambda q, v: da.geometry.form_evolution(frozen, q, v))(q, v)
    np.testing.assert_allclose(evolution.lie, evolution.exact, atol=1e-12)
    with pytest.raises(UsageError, match=r"geometry.at_time\(system, t\)"):
        da.geometry.form_evolution(Pushed(), q, v)
    with pytest.raises(UsageError, match=r"geometry.at_time\(system, t\)"):
        da.geometry.chaplygin(Pushed(), (2,), da.Euclidean(2))


def test_misuse():
    with pytest.raises(UsageError, match=r"or lagrangian\(self, t, q, v\); it is"):
        type("Wrong", (da.System,), {"lagrangian": lambda self, q: 0.0, "space": da.Euclidean(1)})


# -- constraint(t, q), and DLA and GNI for both (B7) ----------------------------------------------


class Steered(da.System):
    """A skate that is steered in time: mass, potential, a term linear in v, rows, offset."""

    space = da.Euclidean(3)

    def lagrangian(self, t, q, v):
        m, J = (1 + 0.3 * jnp.sin(t)) * (1 + 0.2 * q[0] ** 2), 1 + 0.1 * jnp.cos(2 * t)
        kinetic = 0.5 * m * (v[0] ** 2 + v[1] ** 2) + 0.5 * J * v[2] ** 2
        return kinetic - (1 + 0.5 * jnp.sin(t)) * jnp.cos(q[0]) * q[1] + 0.2 * t * v[0] * q[1]

    def constraint(self, t, q):
        a = q[2] + 0.4 * jnp.sin(t)
        return jnp.array([[jnp.sin(a), -jnp.cos(a), 0.1 * jnp.cos(t)]])

    def offset(self, t, q):
        return jnp.array([0.3 * jnp.sin(2 * t) * q[0]])

    def initial(self):
        return START, consistent(FIRST)


START, T0, TIME = np.array([0.3, -0.2, 0.5]), 0.2, 1.6


def consistent(v):
    """v with its y component from the row at (T0, START), by hand."""
    a = START[2] + 0.4 * np.sin(T0)
    rest = np.sin(a) * v[0] + 0.1 * np.cos(T0) * v[2] - 0.3 * np.sin(2 * T0) * START[0]
    return np.array([v[0], rest / np.cos(a), v[2]])


FIRST = np.array([0.6, 0.0, -0.5])


def steered(t, x):
    """The equations of `Steered`, derived by hand: x = (q, v)."""
    s, c, q, v = np.sin, np.cos, x[:3], x[3:]
    m, m_t, f, f_x = 1 + 0.3 * s(t), 0.3 * c(t), 1 + 0.2 * q[0] ** 2, 0.4 * q[0]
    J, J_t, k = 1 + 0.1 * c(2 * t), -0.2 * s(2 * t), 1 + 0.5 * s(t)
    force = [
        0.5 * m * f_x * (v[0] ** 2 + v[1] ** 2) + k * s(q[0]) * q[1]
        - m_t * f * v[0] - m * f_x * v[0] ** 2 - 0.2 * q[1] - 0.2 * t * v[1],
        -k * c(q[0]) + 0.2 * t * v[0] - m_t * f * v[1] - m * f_x * v[0] * v[1],
        -J_t * v[2],
    ]  # fmt: skip
    a, a_t = q[2] + 0.4 * s(t), v[2] + 0.4 * c(t)
    A = np.array([s(a), -c(a), 0.1 * c(t)])
    A_t = np.array([c(a) * a_t, s(a) * a_t, -0.1 * s(t)])
    b_t = 0.6 * c(2 * t) * q[0] + 0.3 * s(2 * t) * v[0]
    free, raised = np.array(force) / [m * f, m * f, J], A / [m * f, m * f, J]
    return np.concatenate([v, free + raised * (b_t - A_t @ v - A @ free) / (A @ raised)])


@functools.cache
def exact():
    start = np.concatenate([START, consistent(FIRST)])
    found = solve_ivp(steered, (T0, T0 + TIME), start, method="DOP853", rtol=1e-13, atol=1e-14)
    return found.y[:, -1]


def end_of(system, method, n, t0=T0, **data):
    last = da.simulate(system, method, h=TIME / n, steps=n, t0=t0, save_every=n, **data).final
    return np.concatenate([last.q, last.v])


def order_of(run, end, ns=(20, 40)):
    errors = [np.max(np.abs(run(n) - end)) for n in ns]
    return np.log2(errors[0] / errors[1])


TIMED = [
    da.DLA(),
    da.DLA(Trapezoidal()),
    da.DLA(EulerA()),
    da.DLA(Trapezoidal(), MomentumAtEnd(EulerA())),
    da.GNI(),
    da.GNI(Trapezoidal()),
    da.GNI(EulerB()),
    da.Gauss(2),
    da.Lobatto(3),
    da.RK4(),
    Composition(da.DLA(), order=4),
]


@pytest.mark.parametrize("method", TIMED, ids=lambda m: m.name)
def test_finding3_b7_orders_in_time(method):
    """The order that a method claims, on L(t, q, v) with A(t, q) v = b(t, q), from t0 > 0."""
    found = order_of(lambda n: end_of(Steered(), method, n), exact())
    assert abs(found - method.traits.order) < 0.06, found


def test_finding3_b7_taylor_and_the_multiplier_in_time():
    run = da.simulate(Steered(), da.Taylor(), h=TIME / 4, steps=4, t0=T0)
    np.testing.assert_allclose(np.concatenate([run.q[-1], run.v[-1]]), exact(), atol=1e-13)
    # G a = F + A^T lam, with a from the hand-written equations
    t, x = run.t[2], np.concatenate([run.q[2], run.v[2]])
    a = steered(t, x)[3:]
    J = 1 + 0.1 * np.cos(2 * t)  # the third equation: J a + J_t w = 0.1 cos(t) lam
    lam = (J * a[2] - 0.2 * np.sin(2 * t) * x[5]) / (0.1 * np.cos(t))
    np.testing.assert_allclose(run.multiplier[2, 0], lam, rtol=1e-11)


class Turning(da.MechanicalSystem):
    """A particle in a potential, in a plane that turns: A depends on time, and no offset."""

    space = da.Euclidean(3)
    mass = jnp.diag(jnp.array([1.0, 2.0, 0.5]))

    def potential(self, q):
        return 0.5 * q @ q + 0.1 * q[0] ** 4

    def constraint(self, t, q):
        return jnp.array([[jnp.sin(t), 1.0 + 0.2 * q[0], jnp.cos(t) * q[1]]])

    def initial(self):
        return jnp.array([0.4, 0.3, -0.2]), jnp.array([0.0, -0.3 * np.cos(T0) / 1.08, 1.0]) + (
            jnp.array([1.0, -np.sin(T0) / 1.08, 0.0])
        )


def turning(t, x):
    q, v, m = x[:3], x[3:], np.array([1.0, 2.0, 0.5])
    force = -q - np.array([0.4 * q[0] ** 3, 0.0, 0.0])
    A = np.array([np.sin(t), 1 + 0.2 * q[0], np.cos(t) * q[1]])
    A_t = np.array([np.cos(t), 0.2 * v[0], np.cos(t) * v[1] - np.sin(t) * q[1]])
    lam = -(A_t @ v + A @ (force / m)) / (A @ (A / m))
    return np.concatenate([v, (force + A * lam) / m])


NODES = [Leapfrog(), MPEuler(), MPEulerAdjoint(), MPMidpoint(), Shake(), da.GNI(Trapezoidal())]


@pytest.mark.parametrize("method", NODES, ids=lambda m: m.name)
def test_finding3_b7_constant_mass_in_time(method):
    """The forms for a constant mass matrix take A(t, q) where they take its point."""
    start = np.concatenate(Turning().initial())
    end = solve_ivp(turning, (T0, T0 + TIME), start, method="DOP853", rtol=1e-12, atol=1e-13).y[
        :, -1
    ]
    found = order_of(lambda n: end_of(Turning(), method, n), end, (40, 80))
    assert abs(found - method.traits.order) < 0.1, found


def test_finding3_b7_a_constraint_in_time_keeps_the_energy():
    """A(t, q) v = 0: the reaction does no work, however the rows turn."""
    assert dynamics.energy_is_conserved(Turning())
    run = da.simulate(Turning(), da.Taylor(), h=0.2, steps=20, t0=T0)
    assert np.max(np.abs(da.diagnostics.energy_error(Turning(), run))) < 1e-13


class Sledge(da.System):
    """A body in the plane, on SE(2): masses, potential and blade depend on time."""

    space = da.SE(2)

    def lagrangian(self, t, g, xi):
        masses = jnp.array([1 + 0.3 * jnp.sin(t), 1.5, 0.5 + 0.1 * jnp.cos(t)])
        return 0.5 * xi @ (masses * xi) - 0.5 * (g[0, 2] - t * g[1, 2]) ** 2

    def constraint(self, t, g):
        a = 0.6 * jnp.sin(t)
        return jnp.array([[jnp.sin(a), -jnp.cos(a), 0.2 * g[0, 2]]])

    def initial(self):
        v = np.array([0.8, np.tan(0.6 * np.sin(T0)) * 0.8, 1.1])  # from x = 0
        return self.space.identity(), v


def sledge(t, x):
    """Kirchhoff's equations by hand: x = (x, y, theta, body velocity)."""
    turn = np.array([[np.cos(x[2]), -np.sin(x[2])], [np.sin(x[2]), np.cos(x[2])]])
    xi, m = x[3:], np.array([1 + 0.3 * np.sin(t), 1.5, 0.5 + 0.1 * np.cos(t)])
    m_t, p = np.array([0.3 * np.cos(t), 0.0, -0.1 * np.sin(t)]), m * xi
    pull = turn.T @ (np.array([-1.0, t]) * (x[0] - t * x[1]))
    force = [xi[2] * p[1] + pull[0], -xi[2] * p[0] + pull[1], p[0] * xi[1] - p[1] * xi[0]]
    free, a, a_t = (force - m_t * xi) / m, 0.6 * np.sin(t), 0.6 * np.cos(t)
    place = turn @ xi[:2]
    A = np.array([np.sin(a), -np.cos(a), 0.2 * x[0]])
    A_t = np.array([np.cos(a) * a_t, np.sin(a) * a_t, 0.2 * place[0]])
    lam = -(A_t @ xi + A @ free) / (A @ (A / m))
    return np.concatenate([place, [xi[2]], free + A * lam / m])


@pytest.mark.parametrize("method", [da.DLA(), da.GNI()], ids=lambda m: m.name)
def test_finding3_b7_orders_on_a_group_in_time(method):
    start = np.concatenate([np.zeros(3), Sledge().initial()[1]])
    found = solve_ivp(sledge, (T0, T0 + TIME), start, method="DOP853", rtol=1e-12, atol=1e-13)
    end = found.y[:, -1]

    def run(n):
        run = da.simulate(Sledge(), method, h=TIME / n, steps=n, t0=T0, save_every=n)
        g = run.q[-1]
        return np.array([g[0, 2], g[1, 2], np.arctan2(g[1, 0], g[0, 0]), *run.v[-1]])

    found = order_of(run, end)
    assert abs(found - method.traits.order) < 0.06, found


def test_finding3_b7_members_and_jit_in_time():
    """Ensembles and runs inside of jit take the time as single runs do."""
    q, v = map(np.asarray, Turning().initial())
    method, run = Leapfrog(), {"h": 0.1, "steps": 4, "t0": T0}
    one = da.simulate(Turning(), method, **run)
    both = da.simulate_ensemble(Turning(), method, np.stack([q, q]), np.stack([v, v]), **run)
    inside = jax.jit(
        lambda q: da.simulate(Turning(), method, q, v, save=da.Final(), **run).q
    )(q)  # fmt: skip
    np.testing.assert_allclose(np.ravel(both.q[1]), one.q[-1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(np.ravel(inside), one.q[-1], rtol=0, atol=1e-14)


def test_finding3_b7_the_parasitic_mode_in_time():
    """K is the rate of C^-1 (A w - b) under the free motion, from w = v + G^-1 A^T e."""
    system, t = Steered(), 0.7
    q = np.array([0.2, 0.4, -0.3])
    v = np.asarray(dynamics.consistent_velocity(system, q, np.array([0.5, 0.1, 0.9]), t))

    def normal(t, q, w):
        A = system.constraint(t, q)
        C = A @ jnp.linalg.solve(dynamics.metric(system, q, None, t), A.T)
        return jnp.linalg.solve(C, A @ w - system.offset(t, q))

    @jax.jit
    def rate(e):
        w = v + jnp.linalg.solve(dynamics.metric(system, q, None, t), system.constraint(t, q).T @ e)
        a, d = dynamics.free_acceleration(system, q, w, t), 1e-5
        ends = [normal(t + s, q + s * w + s**2 / 2 * a, w + s * a) for s in (d, -d)]
        return (ends[0] - ends[1]) / (2 * d)

    e = np.array([1e-4])
    K = (rate(e) - rate(-e)) / (2 * e)
    found = jax.jit(lambda: dynamics.parasitic_matrix(system, q, v, t))()
    np.testing.assert_allclose(found[0], K, rtol=1e-6)


def test_finding3_b7_a_jump_onto_a_constraint_in_time():
    """The rows at the time of the jump decide, and not those at zero."""
    q, v = np.array([0.1, 0.2, 0.3]), np.array([1.0, -0.5, 0.2])
    after = da.hybrid.jump(Turning(), q, v, t=0.9).v_after
    A = np.array([np.sin(0.9), 1.02, np.cos(0.9) * 0.2])
    raised = A / np.array([1.0, 2.0, 0.5])
    np.testing.assert_allclose(after, v - raised * (A @ v) / (A @ raised), rtol=1e-12)


class Timeless(Quadrature):
    """A rule of an earlier day, which knows no time."""

    label, order, symmetric = "timeless", 2, True

    def nodes(self):
        return ((1.0, 0.5),)

    def lagrangian(self, system, h, g):
        return Midpoint().lagrangian(system, h, g)


def test_finding3_b7_a_rule_of_ones_own_in_time():
    """`Ld(system, t, h, g)` is given the start of the step; rules without time are refused."""

    def Ld(system, t, h, g):
        return h * system.lagrangian(t + 0.5 * h, 0.5 * (g[0] + g[1]), (g[1] - g[0]) / h)

    rule = CustomRule(Ld, label="mine", order=2, symmetric=True)
    run = {"h": 0.1, "steps": 4, "t0": T0}
    mine, ours = (da.simulate(Steered(), m, **run) for m in (da.GNI(rule), da.GNI()))
    np.testing.assert_allclose(mine.q, ours.q, rtol=0, atol=1e-12)
    old = CustomRule(lambda system, h, g: 0.0, label="old")
    with pytest.raises(UsageError, match=r"write Ld\(system, t, h, g\)"):
        da.simulate(Steered(), da.GNI(old), **run)
    with pytest.raises(UsageError, match=r"the rule 'timeless' does not; write lagrangian\(self"):
        da.simulate(Steered(), da.DLA(Timeless()), **run)


def test_finding3_b7_what_takes_no_time_says_so():
    q, v = Turning().initial()
    with pytest.raises(UsageError, match="a constraint that depends on time: this method"):
        da.simulate(Turning(), EnergyGauss(), h=0.1, steps=2, t0=T0)
    with pytest.raises(UsageError, match=r"give t, or take the system at one instant"):
        dynamics.acceleration(Turning(), q, v)
    for ask in (da.geometry.analyze, da.geometry.growth_vector):
        with pytest.raises(UsageError, match=r"geometry.at_time\(system, t\)"):
            ask(Turning(), q)
    assert da.geometry.growth_vector(da.geometry.at_time(Turning(), 0.4), q) == (2, 3)
    with pytest.raises(UsageError, match="a constraint with time in it is not linearized"):
        da.control.linearize(Turning(), q)
    with pytest.raises(UsageError, match=r"or constraint\(self, t, q\); it is"):
        type("Wrong", (Growing,), {"constraint": lambda self, t, q, v: 0.0})
