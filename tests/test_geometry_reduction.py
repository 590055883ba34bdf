"""Chaplygin reduction, reconstruction and phases, and the reduction by cyclic coordinates."""

import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import dynamics
from dalembert.geometry.reduction import chaplygin_reduction as reduction
from dalembert.geometry.reduction.chaplygin_reduction import chaplygin, reduced_state
from dalembert.geometry.reduction.charts import Chart, CoordinateChart
from dalembert.geometry.reduction.cyclic_coordinates import cyclic_reduction
from dalembert.geometry.reduction.reconstruction import phase, reconstruct

SE2, R1, R2 = da.SE(2), da.Euclidean(1), da.Euclidean(2)
TURN = 2 * np.pi


# -- a random non-Abelian system, on the group and in coordinates ---------------------------------


class _Random(da.System):
    """Smooth random A(r) and inertia(r) of (r', xi), from a table of coefficients."""

    table: jax.Array
    stiffness: float = 1.0
    shape = 2

    def coefficients(self, r):
        n = self.shape + 3
        values = self.table @ jnp.concatenate([jnp.sin(r), jnp.cos(r), jnp.ones(1)])
        A, root = values[:3, : self.shape], values[3:] / n
        return A, root @ root.T + jnp.eye(n)

    def of_shape(self, r, v):
        potential = self.stiffness * jnp.sum(jnp.sin(r + 0.3))
        return 0.5 * v @ (self.coefficients(r)[1] @ v) - potential


class RandomOnGroup(_Random):
    space = da.Product(da.Euclidean(2), SE2)

    def lagrangian(self, q, v):
        return self.of_shape(q[0], v)

    def constraint(self, q):
        return jnp.concatenate([self.coefficients(q[0])[0], jnp.eye(3)], axis=1)

    def initial(self):
        r, w, g = jnp.array([0.3, -0.4]), jnp.array([0.5, 0.7]), SE2.exp(jnp.array([0.4, 0.2, 1.1]))
        return (r, g), jnp.concatenate([w, -self.coefficients(r)[0] @ w])


class RandomOnGroup3(RandomOnGroup):
    shape = 3
    space = da.Product(da.Euclidean(3), SE2)

    def initial(self):
        r, w = jnp.array([0.3, -0.4, 0.9]), jnp.array([0.5, 0.7, -0.6])
        return (r, SE2.identity()), jnp.concatenate([w, -self.coefficients(r)[0] @ w])


class RandomInCoordinates(_Random):
    """The same with q = (x, y, theta, r1, r2)."""

    space = da.Euclidean(5)

    def _body(self, q):
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        turn = jnp.eye(3).at[:2, :2].set(jnp.stack([jnp.stack([c, s]), jnp.stack([-s, c])]))
        return jnp.concatenate([jnp.eye(5)[3:], jnp.pad(turn, ((0, 0), (0, 2)))])

    def lagrangian(self, q, v):
        return self.of_shape(q[3:], self._body(q) @ v)

    def constraint(self, q):
        A = self.coefficients(q[3:])[0]
        return jnp.concatenate([A, jnp.eye(3)], axis=1) @ self._body(q)


def table(shape):
    size = (6 + shape, 3 + shape, 2 * shape + 1)
    return jnp.asarray(np.random.default_rng(20060621).normal(size=size))


def on_group(**kwargs):
    return RandomOnGroup(table(2), **kwargs)


def in_coordinates(**kwargs):
    return chaplygin(
        RandomInCoordinates(table(2), **kwargs), (3, 4), SE2, at=jnp.array([0.3, -0.4])
    )


r2, w2 = jnp.array([0.35, -0.45]), jnp.array([0.8, -0.6])


def accelerations(system, r, g, w):
    full = chaplygin(system)
    q, v = full.lift(r, g, w)
    return dynamics.acceleration(system, q, v)[: full.shape], dynamics.acceleration(
        full.reduced, r, w
    )


def test_reduced_equations_are_those_with_multipliers(key):
    full, reduced = jit(lambda s: accelerations(s, r2, SE2.random(key), w2))(on_group())
    np.testing.assert_allclose(reduced, full, rtol=0, atol=1e-12)


def test_wrong_sign_of_the_bracket_constants_is_seen(key, monkeypatch):
    right = reduction.bracket_constants
    monkeypatch.setattr(reduction, "bracket_constants", lambda group: -right(group))
    full, reduced = jit(lambda s: accelerations(s, r2, SE2.random(key), w2))(on_group())
    assert np.max(np.abs(reduced - full)) > 1e-2


def test_the_chart_does_not_matter():
    def tensors(c):
        return c.connection(r2), c.curvature(r2), c.metric(r2), c.metric_tensor(r2)

    both = jit(lambda: (tensors(chaplygin(on_group())), tensors(in_coordinates())))()
    for a, b in zip(*both):
        np.testing.assert_allclose(a, b, atol=1e-13)


def test_reconstruction_is_the_full_flow():
    system = on_group()
    declared = chaplygin(system)
    method = da.Reference(rtol=1e-12)
    full = da.simulate(system, method, h=0.02, steps=60)
    shape = da.simulate(declared.reduced, method, h=0.02, steps=60)
    np.testing.assert_allclose(shape.q, full.q[0], atol=1e-10)

    @jit
    def lifted(t, r, w):
        g = reconstruct(declared, t, r, w, system.initial()[0][1])
        return jax.vmap(declared.lift)(r, g, w)

    q, v = lifted(shape.t, shape.q, shape.v)
    np.testing.assert_allclose(q[1], full.q[1], atol=1e-10)
    np.testing.assert_allclose(v, full.v, atol=1e-10)
    assert np.max(np.abs(q[1][-1] - q[1][0])) > 0.1  # it does move


# -- connections ------------------------------------------------------------------------------


def metric_defect(c, gamma, r):
    """(nabla G)[d, b, c] = d_d G_bc - Gamma^e_db G_ec - Gamma^e_dc G_be."""
    G, dG = c.metric(r), jax.jacfwd(c.metric)(r)
    one = jnp.einsum("edb,ec->dbc", gamma, G)
    return jnp.moveaxis(dG, 2, 0) - one - jnp.swapaxes(one, 1, 2)


def test_connections_of_section_5_1_1():
    system = RandomOnGroup3(table(3), stiffness=0.0)
    r, w = system.initial()[0][0], jnp.array([0.5, 0.7, -0.6])

    @jit
    def facts(system):
        c = chaplygin(system)
        K, B, C, G = c.metric_tensor(r), c.contorsion(r), c.skew_tensor(r), c.metric(r)
        tilde, (one, two) = c.nonholonomic(r), c.hamel(r)
        spray = [jnp.einsum("dbc,b,c->d", x, w, w) for x in (tilde, one, two, c.levi_civita(r))]
        return {
            "skew": K + jnp.swapaxes(K, 1, 2),
            "B": jnp.einsum("de,ebc->bcd", G, B) - K,
            "C": jnp.einsum("de,ebc->dbc", G, C) - K,
            "alpha": c.gyroscopic(r, w) - jnp.einsum("bcd,b,c->d", K, w, w),
            "work": c.gyroscopic(r, w) @ w,
            "tilde": metric_defect(c, tilde, r),
            "hamel_1": metric_defect(c, one, r),
            "levi_civita": metric_defect(c, c.levi_civita(r), r),
            "torsion_free": c.levi_civita(r) - jnp.swapaxes(c.levi_civita(r), 1, 2),
            "geodesics": jnp.stack([spray[0] - spray[1], spray[0] - spray[2]]),
            "motion": dynamics.acceleration(c.reduced, r, w) + spray[0],
        }, {
            "hamel_2": metric_defect(c, two, r),
            "mean": tilde - 0.5 * (one + two),  # Proposition 5.1.4: C is missing there
            "levi_civita": spray[0] - spray[3],
        }

    zero, not_zero = facts(system)
    for name, value in zero.items():
        assert np.max(np.abs(value)) < 1e-10, name
    for name, value in not_zero.items():
        assert np.max(np.abs(value)) > 1e-2, name


@pytest.mark.parametrize("which", ["random", "two-wheeled-robot"])
def test_from_lie_brackets_and_the_full_connection(which):
    """K = -G(h_i, [h_j, h_k]) and nabla-tilde = projection of P nabla, in coordinates of Q."""
    if which == "random":
        c = in_coordinates()
    else:
        c = chaplygin(da.systems.TwoWheeledRobot(), (3, 4), SE2)
    system, shape = c.system, jnp.array([3, 4])

    @jit
    def facts(q):
        def h(q):  # horizontal lifts of the shape frame, as columns
            r, g = c.chart.split(q)
            return c.chart.frame(r, g) @ c.horizontal(r)

        def G(q):
            return dynamics.metric(system, q)

        H, dH, dG = h(q), jax.jacfwd(h)(q), jax.jacfwd(G)(q)
        along = jnp.einsum("ikm,mj->ijk", dH, H)  # derivative of h_k along h_j
        K = -jnp.einsum("mi,mn,njk->ijk", H, G(q), along - jnp.swapaxes(along, 1, 2))
        lower = 0.5 * (dG + jnp.swapaxes(dG, 1, 2) - jnp.moveaxis(dG, 2, 0))
        gamma = jnp.einsum("am,mbc->abc", jnp.linalg.inv(G(q)), lower)
        nabla = along + jnp.einsum("abc,bj,ck->ajk", gamma, H, H)
        tilde = jnp.einsum("ab,bjk->ajk", dynamics.projectors(system, q)[0], nabla)[shape]
        r = q[shape]
        return K - c.metric_tensor(r), tilde - c.nonholonomic(r), c.metric_tensor(r)

    dK, dtilde, K = facts(jnp.array([0.2, -0.7, 0.9, 0.35, -0.45]))
    assert np.max(np.abs(dK)) < 1e-12
    assert np.max(np.abs(dtilde)) < 1e-12
    assert np.max(np.abs(K)) > 1e-3


# -- the examples of the book ---------------------------------------------------------------------


@jit
def robot_facts(system, r, w):
    c = chaplygin(system, (3, 4), SE2)
    return (
        c.connection(r),
        c.metric(r),
        c.curvature(r),
        c.metric_tensor(r),
        c.gyroscopic(r, w),
        c.nonholonomic(r),
    )


def test_two_wheeled_robot_at_random_parameters():
    rng = np.random.default_rng(7)
    for _ in range(5):
        m0, m1, J, J_w, l, c, R = rng.uniform(0.5, 2.0, 7) * [1, 1, 2, 1, 0.5, 1, 1]
        robot = da.systems.TwoWheeledRobot(m0=m0, m1=m1, J=J, J_w=J_w, l=l, c=c, R=R)
        r, w = rng.normal(size=2), rng.normal(size=2)
        A, G, B, K, alpha, gamma = robot_facts(robot, r, w)
        close = functools.partial(np.testing.assert_allclose, rtol=1e-12, atol=1e-12)
        close(A, [[R / 2, R / 2], [0, 0], [R / (2 * c), -R / (2 * c)]])
        m, kappa = m0 + 2 * m1, m0 * l * R**3 / (4 * c**2)
        own, other = m * R**2 / 4, J * R**2 / (4 * c**2)
        close(G, [[J_w + own + other, own - other], [own - other, J_w + own + other]])
        close(B[:, 0, 1], [0, -(R**2) / (2 * c), 0])  # at theta = 0
        close(K[:, 0, 1], [kappa, -kappa])
        printed = kappa * (w[1] - w[0]) * np.array([-w[1], w[0]])
        close(alpha, -printed)  # E18
        assert np.max(np.abs(alpha - printed)) > 1e-3 * np.max(np.abs(printed))
        delta = 4 * c**2 * (2 * J_w * c**2 + J * R**2) * (2 * J_w + m * R**2)  # E19
        K1 = m0 * l * R**5 * (J - m * c**2) / delta
        K2 = m0 * l * R**3 * (4 * J_w * c**2 + (J + m * c**2) * R**2) / delta
        close(gamma, [[[K1, -K2], [-K1, K2]], [[K2, -K1], [-K2, K1]]])


def test_particle_gyroscopic_form():
    c = chaplygin(da.systems.NonholonomicParticle(), (0, 1), R1)
    y, (vx, vy) = r2[1], w2
    alpha = jit(c.gyroscopic)(r2, w2)
    np.testing.assert_allclose(alpha, [-y * vx * vy, y * vx**2], rtol=1e-14)  # E13
    printed = np.array([y * vx**2, -vx * y])
    assert abs(printed @ np.asarray(w2)) > 0.01  # the printed form would do work


@pytest.mark.parametrize("name", ["mobile-robot", "vertical-rolling-disk"])
def test_upright_wheels_have_no_gyroscopic_form(name):
    system = da.systems.registry[name]()
    c = chaplygin(system, (2, 3), R2)
    alpha, K, B = jit(lambda: (c.gyroscopic(r2, w2), c.metric_tensor(r2), c.curvature(r2)))()
    np.testing.assert_allclose(alpha, 0, atol=1e-15)
    np.testing.assert_allclose(K, 0, atol=1e-15)
    assert np.max(np.abs(B)) > 0.05  # though the constraint is not integrable


def test_knife_edge_closed_form_and_phase():
    edge = da.systems.KnifeEdge()
    omega, pull = 1.3, float(edge.pull)
    c = chaplygin(edge, (0, 2), R1, circles=(None, TURN))

    def closed(t):  # (x, theta) from rest at theta = 0, E16
        return jnp.stack([pull / (2 * omega**2) * jnp.sin(omega * t) ** 2, omega * t])

    @jit
    def defect(t):
        velocity = jax.jacfwd(closed)
        return dynamics.acceleration(c.reduced, closed(t), velocity(t)) - jax.jacfwd(velocity)(t)

    assert np.max(np.abs(jax.vmap(defect)(jnp.array([0.1, 0.7, 1.1, 1.5, 3.0])))) < 1e-11

    turn = jit(lambda: phase(c, lambda s: closed(TURN / omega * s)))()
    assert abs(turn[0] - np.pi * pull / omega**2) < 1e-9

    t = jnp.linspace(0.0, 1.0, 101)
    r, w = jax.vmap(closed)(t), jax.vmap(jax.jacfwd(closed))(t)
    y = jit(lambda: reconstruct(c, t, r, w))()[:, 0]
    right = pull / (2 * omega**2) * (omega * t - 0.5 * jnp.sin(2 * omega * t))
    printed = pull / (2 * omega**2) * (omega * t - 0.5 * jnp.sin(omega * t))
    np.testing.assert_allclose(y, right, atol=1e-9)
    assert np.max(np.abs(y - printed)) > 0.1


def test_phase_is_minus_the_integral_of_the_curvature():
    c = chaplygin(da.systems.NonholonomicParticle(), (0, 1), R1)

    def loop(s):
        return jnp.stack([2 * jnp.cos(TURN * s), 1 + jnp.sin(TURN * s)])

    turn, B = jit(lambda: (phase(c, loop), c.curvature(r2)[0, 0, 1]))()  # B is constant
    np.testing.assert_allclose(turn, [-B * 2 * np.pi], rtol=1e-12)


def test_phase_of_a_nonabelian_loop_is_a_product_of_exponentials():
    c = chaplygin(da.systems.TwoWheeledRobot(), (3, 4), SE2)
    sides = jnp.array([[1.0, 0.3], [-0.2, 0.9], [-1.1, -0.4], [0.3, -0.8]])
    corners = jnp.concatenate([jnp.zeros((1, 2)), jnp.cumsum(sides, axis=0)])

    def loop(s):
        return jnp.stack([jnp.interp(s, jnp.linspace(0, 1, 5), corners[:, i]) for i in range(2)])

    g = SE2.identity()
    for side in sides:
        g = g @ SE2.exp(-c.connection(r2) @ side)
    np.testing.assert_allclose(jit(lambda: phase(c, loop, steps=8))(), g, atol=1e-14)


def test_magnus_method_has_order_six():
    c = chaplygin(on_group())

    def loop(s):
        return jnp.stack([jnp.cos(TURN * s), jnp.sin(TURN * s)])

    coarse, fine, exact = jit(lambda: [phase(c, loop, steps=n) for n in (32, 64, 512)])()
    ratio = np.max(np.abs(coarse - exact)) / np.max(np.abs(fine - exact))
    assert abs(np.log2(ratio) - 6) < 0.4


# -- shape space a group ------------------------------------------------------------------------


def ball_accelerations(c):
    ball, q = c.system, (jnp.zeros(2), da.SO(3).exp(jnp.array([0.4, -0.7, 0.3])))
    v = dynamics.consistent_velocity(ball, q, jnp.array([0.0, 0.0, 0.6, -0.5, 0.9]))
    return dynamics.acceleration(ball, q, v)[2:], dynamics.acceleration(c.reduced, q[1], v[2:])


def test_reduction_to_a_group_is_the_motion_with_multipliers(monkeypatch):
    c = chaplygin(da.systems.ChaplyginBall(Theta=0.0), (1,))
    full, reduced = jit(lambda: ball_accelerations(c))()
    np.testing.assert_allclose(reduced, full, atol=1e-14)
    # the bracket of the shape directions matters, and its sign
    right = reduction.structure
    monkeypatch.setattr(reduction, "structure", lambda *args: -right(*args))
    full, reduced = jit(lambda: ball_accelerations(c))()
    assert np.max(np.abs(reduced - full)) > 1e-2


def test_rolling_once_around_is_a_circumference():
    ball = da.systems.BallOnTurntableGlobal(Theta=0.0, r=0.6)
    c = chaplygin(ball, (1,))
    about_x = jnp.array([TURN, 0.0, 0.0])
    shift, t = jit(lambda: phase(c, lambda s: da.SO(3).exp(s * about_x)))(), jnp.arange(4.0)
    np.testing.assert_allclose(shift, [0, -TURN * 0.6], atol=1e-12)

    # free rolling about a fixed axis, which the reduced motion of a homogeneous ball is
    @jit
    def moved():
        turn = jnp.array([0.5, -0.3, 0.4])
        R = jax.vmap(lambda s: da.SO(3).exp(s * turn))(t)
        return reconstruct(c, t, R, jnp.tile(turn, (4, 1)), jnp.array([1.0, 2.0]))

    np.testing.assert_allclose(moved()[-1], [1 - 3 * 0.6 * 0.3, 2 - 3 * 0.6 * 0.5], atol=1e-12)
    with pytest.raises(da.UsageError, match="does not close: shape coordinate 0"):
        phase(c, lambda s: da.SO(3).exp(0.5 * s * about_x))


def test_circles_of_a_group_are_known():
    assert reduction._circles_of(da.SO(3)) == (None, None, None)
    assert reduction._circles_of(da.Product(R1, SE2)) == (None, None, None, TURN)


# -- the reduced system is a system like any other ------------------------------------------------


@pytest.mark.parametrize("method", ["rk4", "gni-midpoint", "dla-midpoint"])
def test_methods_run_the_reduced_system(method):
    particle = da.systems.NonholonomicParticle()
    c = chaplygin(particle, (0, 1), R1)
    run = da.simulate(c.reduced, da.methods.registry[method](), h=0.05, steps=40)
    q, v = jax.vmap(particle.closed_form)(run.t)
    np.testing.assert_allclose(run.q, q[:, :2], atol=1e-7 if method == "rk4" else 2e-3)
    np.testing.assert_allclose(run.v, v[:, :2], atol=1e-7 if method == "rk4" else 2e-3)
    assert dynamics.energy_is_conserved(c.reduced)
    assert c.reduced.coordinate_names == ("x", "y")


def test_trivialized_system_moves_as_the_original():
    robot = da.systems.TwoWheeledRobot()
    c = chaplygin(robot, (3, 4), SE2)
    full = c.trivialized()
    (r, g), v = full.initial()

    @jit
    def both():
        a = dynamics.acceleration(full, (r, g), v)
        return a[:2], dynamics.acceleration(robot, *robot.initial())[3:]

    np.testing.assert_allclose(*both(), atol=1e-14)
    assert np.max(np.abs(dynamics.constraint_residual(full, (r, g), v))) < 1e-15
    np.testing.assert_allclose(reduced_state(c, *robot.initial())[1], v[:2], atol=1e-15)


def test_parameters_stay_differentiable():
    def acceleration(l):
        c = chaplygin(da.systems.TwoWheeledRobot(l=l), (3, 4), SE2)
        return dynamics.acceleration(c.reduced, r2, w2)[0]

    slope = jit(jax.grad(acceleration))(0.3)
    step = 1e-5
    value = jit(acceleration)
    np.testing.assert_allclose(
        slope, (value(0.3 + step) - value(0.3 - step)) / (2 * step), rtol=1e-7
    )


def test_external_forces_are_projected():
    class Pushed(da.systems.TwoWheeledRobot):
        def force(self, t, q, v):
            forward = jnp.stack([jnp.cos(q[2]), jnp.sin(q[2])])
            return jnp.concatenate([(1 + t) * forward, jnp.array([0.3, 0.1, -0.2])]) - 0.1 * v

    robot = Pushed()
    c = chaplygin(robot, (3, 4), SE2)
    q, v = robot.initial()
    r, w = reduced_state(c, q, v)
    got = jit(lambda: dynamics.acceleration(c.reduced, r, w, 0.7))()
    wanted = jit(lambda: dynamics.acceleration(robot, q, v, 0.7))()[3:]
    np.testing.assert_allclose(got, wanted, atol=1e-13)
    assert not dynamics.energy_is_conserved(c.reduced)


# -- cyclic coordinates -------------------------------------------------------------------------


def test_two_step_reduction_of_the_modified_particle():
    """Section 4.5.1: first y, on y' = a, then z."""
    particle = da.systems.ModifiedParticle()
    first = cyclic_reduction(particle, (1,), [0.8])
    second = chaplygin(first, (0,), R1)
    x, v = jnp.array([0.7]), jnp.array([0.4])

    @jit
    def facts():
        a, energy = (
            dynamics.acceleration(second.reduced, x, v),
            dynamics.energy(second.reduced, x, v),
        )
        return second.connection(x), second.metric(x), second.gyroscopic(x, v), a, energy

    A, G, alpha, a, energy = facts()
    np.testing.assert_allclose(A, [[-x[0]]])  # Upsilon = dz - x dx, E17
    np.testing.assert_allclose(G, [[1 + x[0] ** 2]])
    np.testing.assert_allclose(alpha, [0.0])
    np.testing.assert_allclose(a, -x * v**2 / (1 + x**2), atol=1e-15)
    np.testing.assert_allclose(energy, 0.5 * (v[0] ** 2 * (1 + x[0] ** 2) + 0.8**2))


@pytest.mark.parametrize("name", ["snakeboard", "snakeboard-coupled"])
def test_cyclic_reduction_of_the_snakeboard(name):
    board = da.systems.registry[name]()
    psi = board.coordinate_names.index("psi")
    reduced = cyclic_reduction(board, (psi,))
    q, v = board.initial()
    keep = jnp.array(reduced.kept)

    @jit
    def both():
        state = reduced.lift(q[keep], v[keep], q[psi])
        a = dynamics.acceleration(reduced, q[keep], v[keep])
        return state, a, dynamics.acceleration(board, q, v)[keep]

    (q_back, v_back), got, wanted = both()
    np.testing.assert_allclose(q_back, q, atol=1e-15)
    np.testing.assert_allclose(v_back, v, atol=1e-14)
    np.testing.assert_allclose(got, wanted, atol=1e-12)
    assert np.max(np.abs(wanted)) > 1e-3
    if name == "snakeboard":
        return
    full = da.simulate(board, da.Gauss(4), h=0.05, steps=40)
    part = da.simulate(reduced, da.Gauss(4), h=0.05, steps=40)
    psis = reduced.rebuild(part.t, part.q, part.v, q[psi])
    np.testing.assert_allclose(psis[:, 0], full.q[:, psi], atol=1e-10)
    assert np.ptp(np.diff(full.q[:, psi])) > 1e-4  # it does not turn evenly


# -- misuse ---------------------------------------------------------------------------------------


class Skewed(da.systems.TwoWheeledRobot):
    """Its carriage feels where it is."""

    def lagrangian(self, q, v):
        return super().lagrangian(q, v) - 0.1 * q[0] ** 2


class Tilted(da.systems.NonholonomicParticle):
    """Its constraint depends on z."""

    def slope(self, q):
        return q[1] + q[2]


robot, particle, edge = (
    da.systems.TwoWheeledRobot(),
    da.systems.NonholonomicParticle(),
    da.systems.KnifeEdge(),
)
MISUSE = {
    "not a symmetry of L": (lambda: chaplygin(Skewed(), (3, 4), SE2), "not a symmetry.*Lagrangian"),
    "not a symmetry of V": (lambda: chaplygin(edge, (1, 2), R1, at=[0.0, 0.5]), "Lagrangian"),
    "not a symmetry of D": (lambda: chaplygin(Tilted(), (0, 1), R1), "constraint changes along"),
    "another group": (
        lambda: chaplygin(robot, (3, 4), da.Euclidean(3)),
        "not a symmetry of TwoWheeledRobot",
    ),
    "too large a group": (lambda: chaplygin(edge, (2,), R2), "not complementary"),
    "singular point": (lambda: chaplygin(edge, (0, 2), R1, at=[0.0, np.pi / 2]), "singular point"),
    "horizontal group": (lambda: chaplygin(particle, (0, 2), R1), "is not complementary.*allows"),
    "affine": (
        lambda: chaplygin(da.systems.BallOnTurntableEuler(), (2, 3, 4), R2),
        "affine constraints",
    ),
    "nonlinear": (lambda: chaplygin(da.systems.Benenti(), (0, 1, 2), R1), "nonlinear"),
    "affine on a group": (
        lambda: chaplygin(da.systems.ChaplyginBall(), (1,)),
        "has affine constraints",
    ),
    "no indices": (lambda: chaplygin(robot), "give the indices"),
    "bad indices": (lambda: chaplygin(robot, (3, 3), SE2), "different indices"),
    "wrong dimension": (lambda: chaplygin(robot, (3, 4), R2), "dimension 2"),
    "no coordinates": (lambda: chaplygin(robot, (3, 4), da.SO(3)), "has no coordinates"),
    "no such factor": (lambda: chaplygin(on_group(), (2,)), "different indices below 2 of factors"),
    "no group left": (lambda: chaplygin(on_group(), (0, 1)), "some the group"),
    "group of a product": (lambda: chaplygin(on_group(), group=R2), "the group is"),
    "shape is a group": (lambda: chaplygin(da.systems.Suslov()), "is on"),
    "circles": (lambda: chaplygin(robot, (3, 4), SE2, circles=(TURN,)), "one entry"),
    "shape of at": (lambda: chaplygin(robot, (3, 4), SE2, at=[0.0]), r"at: .*shape \(2,\)"),
    "cyclic not in L": (lambda: cyclic_reduction(edge, (0,)), "the Lagrangian contains"),
    "cyclic not in D": (
        lambda: cyclic_reduction(da.systems.ModifiedParticle(), (2,)),
        "forbids one of the directions",
    ),
    "cyclic coordinate in D": (lambda: cyclic_reduction(particle, (1,)), "constraint contains"),
    "cyclic on a group": (lambda: cyclic_reduction(on_group(), (0,)), "need Euclidean"),
}


@pytest.mark.parametrize("case", MISUSE)
def test_misuse(case):
    call, message = MISUSE[case]
    with pytest.raises(da.UsageError, match=message):
        call()


def test_an_open_loop_has_no_phase():
    c = chaplygin(edge, (0, 2), R1)
    with pytest.raises(da.UsageError, match="does not close: shape coordinate 1"):
        phase(c, lambda s: jnp.stack([jnp.zeros(()), TURN * s]))
    with pytest.raises(da.UsageError, match=r"loop\(s\): .*shape \(2,\)"):
        phase(c, lambda s: jnp.zeros(3))
    with pytest.raises(da.UsageError, match="reconstruct needs"):
        reconstruct(c, jnp.zeros(3), jnp.zeros((3, 2)), jnp.zeros((2, 2)))


def test_charts_are_inverse_and_equivariant(key):
    group = da.Product(SE2, da.SO(2), R1)
    chart = CoordinateChart((1, 4), (0, 2, 3, 5, 6), group)
    assert isinstance(chart, Chart)
    k = jax.random.split(key, 3)
    g, xi, r = group.random(k[0]), jax.random.normal(k[1], (5,)), r2
    q = chart.place(r, g)
    back = chart.split(q)
    for a, b in itertools.chain([(back[0], r)], zip(back[1], g)):
        np.testing.assert_allclose(a, b, atol=1e-14)
    _, rate = jax.jvp(
        lambda s: chart.place(r + s * w2, group.mul(g, group.exp(s * xi))),
        (jnp.zeros(()),),
        (jnp.ones(()),),
    )
    np.testing.assert_allclose(chart.frame(r, g) @ jnp.concatenate([w2, xi]), rate, atol=1e-13)
