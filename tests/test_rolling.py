"""Published facts of rolling bodies: tops, rubber balls, Veselova, sleighs, turning vessels."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import at_rows
from dalembert import dynamics, geometry, parts, systems

SO3 = da.SO(3)
RNG = np.random.default_rng(5)


@at_rows
def accelerations(system, q, v):
    return dynamics.solved(system, q, v, 0.0).acceleration


def acceleration(system, q, v):
    """Of one state, by compiled code that all systems of a class share."""
    one = jax.tree.map(lambda x: np.asarray(x)[None], (q, v))
    return np.asarray(accelerations(system, *one))[0]


def attitude():
    return SO3.exp(jnp.asarray(RNG.normal(size=3)))


# -- Chaplygin's top -----------------------------------------------------------------------------

TOPS = {
    "balanced": ({"center": (0.0, 0.0, 0.0)}, "yes"),
    "symmetric": ({"inertia": (0.004, 0.004, 0.0035), "center": (0.0, 0.0, -0.02)}, "yes"),
    "general": ({}, "no"),
    "off axis": ({"inertia": (0.004, 0.004, 0.0035), "center": (0.01, 0.0, -0.02)}, "no"),
}


@pytest.mark.parametrize("case", TOPS)
def test_top_has_a_measure_iff_balanced_or_symmetric(case):
    given, answer = TOPS[case]
    top = systems.ChaplyginTop(g=0.0, **given)
    shape, group, circles = top.chaplygin_split
    found = geometry.invariant_measure(geometry.chaplygin(top, shape, group, circles=circles))
    assert str(found.verdict).startswith(answer), found


def test_density_of_the_balanced_top():
    """N^2 = 1 - m r^2 gamma.(I + m r^2)^-1 gamma up to a factor: Chaplygin 1903."""
    top = systems.ChaplyginTop(center=(0.0, 0.0, 0.0))
    J, D = np.asarray(top.inertia) + top.m * top.r**2, top.m * top.r**2

    def field(state):
        """gamma', K' of the reduced equations K' = K x Omega, gamma' = gamma x Omega."""
        gamma, Omega = state[:3], state[3:]
        # (J - D gamma gamma^T) Omega' = K x Omega, from K = J Omega - D (gamma.Omega) gamma
        K = J * Omega - D * (gamma @ Omega) * gamma
        matrix = jnp.diag(jnp.asarray(J)) - D * jnp.outer(gamma, gamma)
        turned = jnp.cross(gamma, Omega)
        change = jnp.cross(K, Omega) + D * ((turned @ Omega) * gamma + (gamma @ Omega) * turned)
        return jnp.concatenate([turned, jnp.linalg.solve(matrix, change)])

    def density(state):
        return jnp.sqrt(1 - D * state[:3] @ (state[:3] / J))

    R = attitude()
    Omega = jnp.asarray(RNG.normal(size=3))
    state = jnp.concatenate([R[2], Omega])
    # the field is that of the library's system
    mine = acceleration(top, (jnp.zeros(2), R), top.rolling(R, Omega))[2:]
    np.testing.assert_allclose(field(state)[3:], mine, rtol=1e-10, atol=1e-12)
    flux = lambda s: density(s) * field(s)
    assert abs(float(jnp.trace(jax.jacfwd(flux)(state)))) < 1e-12
    assert abs(float(jnp.trace(jax.jacfwd(field)(state)))) > 1e-3


def test_symmetric_top_is_the_routh_sphere_of_parts():
    given, _ = TOPS["symmetric"]
    top = systems.ChaplyginTop(**given)
    assert {"jellett", "routh"} < set(top.invariants)
    sphere = systems.RouthSphere(R=top.r, off=0.02, m=top.m, I1=0.004, I3=0.0035)
    R, Omega = attitude(), jnp.asarray(RNG.normal(size=3))
    (place, turn), v = sphere.rolled(jnp.zeros(3), R, Omega)
    theirs = acceleration(sphere, (place, turn), v)
    mine = acceleration(top, (jnp.zeros(2), R), top.rolling(R, Omega))
    np.testing.assert_allclose(mine[2:], theirs[3:], rtol=1e-9)
    states = (jnp.zeros(2), R), top.rolling(R, Omega)
    np.testing.assert_allclose(top.jellett(*states), sphere.jellett((place, turn), v), rtol=1e-12)
    np.testing.assert_allclose(top.routh(*states), sphere.routh((place, turn), v), rtol=1e-12)


def rate(system, function, q, v):
    """The time derivative of a function of (q, v) along the motion."""
    a = acceleration(system, q, v)
    at = lambda s: function(da.groupoids.move(system.groupoid, q, s * v), v + s * a)
    return np.asarray(jax.jvp(at, (0.0,), (1.0,))[1])


@pytest.mark.parametrize("rotors", [False, True])
def test_balanced_top_keeps_its_momentum_and_the_others_do_not(rotors):
    for center, kept in (((0.0, 0.0, 0.0), True), ((0.005, 0.0, -0.02), False)):
        top = systems.ChaplyginTop(center=center, rotors=rotors)
        assert ("momentum" in top.invariants) == kept
        q, v = top.initial()
        change = rate(top, top.angular_momentum, q, v)
        assert (np.max(np.abs(change)) < 1e-12) == kept
        if rotors:
            assert np.max(np.abs(rate(top, top.invariants["rotors"], q, v))) < 1e-12


def test_rotors_at_rest_in_the_ball_are_a_part_of_it_and_a_motor_turns_it():
    top = systems.ChaplyginTop(rotors=True)
    q, v = top.initial()
    # locked to the ball: their moment is added to its own
    whole = systems.ChaplyginTop(inertia=np.asarray(top.inertia) + top.I_r)
    locked = v.at[5:].set(0.0)
    L, W = top.lagrangian(q, locked), whole.lagrangian(q[:2], locked[:5])
    np.testing.assert_allclose(L, W, rtol=1e-14)
    assert top.has_inputs and not whole.has_inputs
    pushed = da.simulate(top, u=lambda t, q, v: jnp.array([0.01, 0.0, 0.0]), h=0.01, steps=20)
    free = da.simulate(top, h=0.01, steps=20)
    spun = np.asarray(pushed.final.v - free.final.v)
    # the motor's torque, over the moment of the rotor: the ball is pushed back
    assert spun[5] > 0.1 and spun[2] < -0.01
    p = top.invariants["rotors"]
    gained = np.asarray(p(pushed.final.q, pushed.final.v) - p(free.final.q, free.final.v))
    np.testing.assert_allclose(gained, [0.01 * 0.2, 0, 0], atol=1e-12)


# -- rubber rolling and Veselova -----------------------------------------------------------------


def test_rubber_ball_turns_as_veselova():
    """The attitude of a rubber ball is that of Veselova's body with I + m r^2."""
    ball = systems.RubberBall()
    body = systems.Veselova(inertia=np.asarray(ball.inertia) + ball.m * ball.r**2)
    (xy, R), v = ball.initial()
    ours = da.simulate(ball, da.Gauss(3), h=0.01, steps=100)
    theirs = da.simulate(body, da.Gauss(3), R, v[2:], h=0.01, steps=100)
    np.testing.assert_allclose(ours.v[:, 2:], theirs.v, atol=1e-11)
    np.testing.assert_allclose(ours.q[1], theirs.q, atol=1e-11)
    assert np.ptp(np.asarray(ours.q[1])[:, 2, 2]) > 0.5  # it does turn over


def test_veselova_has_a_measure_and_not_the_flat_one():
    """div(sqrt(gamma.I^-1 gamma) X) = 0 on (Omega, gamma): Veselov, Veselova 1986."""
    body = systems.Veselova()
    I = jnp.asarray(body.inertia)

    def field(state):
        gamma, Omega = state[:3], state[3:]
        free = jnp.cross(I * Omega, Omega)
        lam = -(gamma @ (free / I)) / (gamma @ (gamma / I))
        return jnp.concatenate([jnp.cross(gamma, Omega), (free + lam * gamma) / I])

    R = attitude()
    Omega = R.T @ jnp.array([0.7, -1.1, 0.0])
    state = jnp.concatenate([R[2], Omega])
    np.testing.assert_allclose(field(state)[3:], acceleration(body, R, Omega), rtol=1e-11)
    flux = lambda s: jnp.sqrt(s[:3] @ (s[:3] / I)) * field(s)
    assert abs(float(jnp.trace(jax.jacfwd(flux)(state)))) < 1e-13
    assert abs(float(jnp.trace(jax.jacfwd(field)(state)))) > 1e-3


@functools.cache
def rubber(rows, surface=None):
    """A rubber ball from parts, as heavy as that of the zoo."""
    ball = systems.RubberBall()
    inertia = tuple(float(x) for x in np.asarray(ball.inertia))
    return parts.build(
        parts.Body("ball", ball.m, inertia, shape=da.scene.ball(ball.r)),
        parts.Free("ball", start=(0, 0, ball.r)),
        parts.Ball("ball", ball.r, surface=surface, rows=rows),
    )


def test_no_twist_of_parts_is_the_rubber_ball():
    ball, built = systems.RubberBall(), rubber("no-twist")
    assert built.constraint_names == (
        "ball, height",
        "ball, along",
        "ball, across",
        "ball, no-twist",
    )
    assert built.constraint_units == ("N", "N", "N", "N m")
    (xy, R), v = ball.initial()
    q3, v3 = (jnp.append(xy, ball.r), R), jnp.concatenate([v[:2], jnp.zeros(1), v[2:]])
    np.testing.assert_allclose(dynamics.constraint_residual(built, q3, v3), 0.0, atol=1e-13)
    theirs, mine = acceleration(built, q3, v3), acceleration(ball, (xy, R), v)
    np.testing.assert_allclose(theirs[[0, 1, 3, 4, 5]], mine, rtol=1e-10)
    # the rows by columns of motion are those of the rates
    direct = jax.jacfwd(lambda v: dynamics.constraint_residual(built, q3, v))(v3)
    np.testing.assert_allclose(built.constraint(q3), direct[1:], atol=1e-14)
    # without the row it spins about the vertical
    plain = acceleration(rubber(None), q3, v3)
    assert abs((R @ plain[3:])[2]) > 1e-3 > abs((R @ theirs[3:])[2])


def test_no_twist_on_a_table_that_turns_is_carried_along():
    table = rubber(("height", "along", "across", "no-twist"), parts.turntable(1.3))
    q = (jnp.array([0.4, 0.0, 0.1]), jnp.eye(3))
    np.testing.assert_allclose(table.offset(0.0, q), [0.0, 1.3 * 0.4, 1.3], rtol=1e-14)
    np.testing.assert_allclose(table.constraint(q)[2], [0, 0, 0, 0, 0, 1], atol=1e-15)
    at_rest = rubber(("height", "along", "across", "no-twist"))
    np.testing.assert_allclose(at_rest.offset(0.0, q), 0.0)


def test_no_twist_refuses_what_has_none():
    body = [parts.Body("b", 1.0, 0.1), parts.Free("b", start=(0, 0, 0.1))]
    with pytest.raises(da.UsageError, match="does not roll: it has no row 'no-twist'"):
        parts.build(*body, parts.Glide("b", 0.1, rows=("height", "no-twist")))
    with pytest.raises(da.UsageError, match="bounds a force"):
        parts.build(*body, parts.Ball("b", 0.1, rows="no-twist", mu=0.5))
    with pytest.raises(da.UsageError, match="'no-twist'; got 'twist'"):
        parts.Ball("b", 0.1, rows="twist")


# -- sleighs -------------------------------------------------------------------------------------


def test_a_motor_steers_the_sleigh():
    """(J + m a^2) w' = -m a u w - torque."""
    sleigh, torque = systems.SleighWithRotor(), 0.7
    q, v = sleigh.initial()
    driven = da.control.driven(sleigh, lambda t, q, v: jnp.array([torque]))
    K = sleigh.J + sleigh.m * sleigh.a**2
    wanted = (-sleigh.m * sleigh.a * v[0] * v[2] - torque) / K
    np.testing.assert_allclose(acceleration(driven, q, v)[2], wanted, rtol=1e-12)


def test_moving_mass_obeys_the_momenta_of_the_sleigh():
    """P' = w p, M' = -u p with the momenta along and about the edge."""
    sleigh = systems.SleighWithMovingMass()
    q = jnp.array([0.3, -0.2, 0.0, 0.25])  # heading along x: u = x'
    v = jnp.array([0.8, 0.0, 0.6, -0.5])
    s, w = q[3], v[2]
    aside = sleigh.m * sleigh.a * w + sleigh.m_s * (sleigh.c * w + v[3])

    def momenta(q, v):
        ahead = v[0] * jnp.cos(q[2]) + v[1] * jnp.sin(q[2])
        m, J, m_s, a, c = sleigh.m, sleigh.J, sleigh.m_s, sleigh.a, sleigh.c
        P = (m + m_s) * ahead - m_s * q[3] * v[2]
        M = (J + m * a**2 + m_s * (c**2 + q[3] ** 2)) * v[2] - m_s * (q[3] * ahead - c * v[3])
        return jnp.stack([P, M])

    change = rate(sleigh, momenta, q, v)
    np.testing.assert_allclose(change, [w * aside, -v[0] * aside], rtol=1e-12)
    assert abs(s * w) > 0.1


class Driven(systems.SleighWithMovingMass):
    """The mass follows s = 0.3 sin(t): a second row, with a right-hand side."""

    def constraint(self, q):
        return jnp.concatenate([super().constraint(q), jnp.array([[0.0, 0.0, 0.0, 1.0]])])

    def offset(self, t, q):
        return jnp.stack([jnp.zeros(()), 0.3 * jnp.cos(t)])


@pytest.mark.parametrize("c", [-0.3, 0.3])
def test_a_driven_mass_changes_the_cube_of_the_speed_evenly(c):
    """u grows as t^(1/3), or falls: Bizyaev, Borisov, Kuznetsov 2017.

    For u large, S u w = -m_s c s'' - I w' + ..., and the mean of P' = S w^2 + m_s s' w has two
    terms of the order 1/u^2.
    """
    sleigh = Driven(a=0.6, c=c, k=0.0)
    v = jnp.array([8.0, 0.0, 0.0, 0.3])
    period = 2 * np.pi
    run = da.simulate(
        sleigh, da.Gauss(2), jnp.zeros(4), v, h=period / 64, steps=64 * 500, save=da.Every(64)
    )
    heading, ways = np.asarray(run.q)[:, 2], np.asarray(run.v)
    cube = (np.cos(heading) * ways[:, 0] + np.sin(heading) * ways[:, 1]) ** 3
    m, J, m_s, a = sleigh.m, sleigh.J, sleigh.m_s, sleigh.a
    rate = 3 * m_s**2 * (0.3**2 / 2) * c * (m * a * (c - a) - J)
    rate /= (m * a + m_s * c) ** 2 * (m + m_s)
    t = np.asarray(run.t)
    assert (rate > 0) == (c < 0)
    np.testing.assert_allclose((cube[-1] - cube[100]) / (t[-1] - t[100]), rate, rtol=0.05)


# -- balls in turning vessels --------------------------------------------------------------------


def newton_euler(ball, normal_of, q, v):
    """m x'' = F - m g, I omega' = -r n x F, and the point that touches goes with the vessel."""
    x, R = q
    m, r, I, g = ball.m, ball.r, ball.ratio * ball.m * ball.r**2, ball.g
    up, omega = jnp.array([0.0, 0.0, 1.0]), R @ v[3:]
    n, n_dot = jax.jvp(normal_of, (x,), (v[:3],))
    # x' + omega x (-r n) = Theta e3 x (x - r n), differentiated; F is the unknown
    hat = SO3.hat
    A = np.eye(3) / m - r**2 / I * np.asarray(hat(n) @ hat(n))
    carried = ball.Theta * jnp.cross(up, v[:3] - r * n_dot)
    F = np.linalg.solve(A, carried + r * jnp.cross(omega, n_dot) + g * up)
    alpha = -r / I * jnp.cross(n, F)
    return np.concatenate([F / m - g * up, R.T @ alpha])


@pytest.mark.parametrize("name", ["ball-in-turning-cone", "ball-in-turning-bowl"])
def test_ball_in_a_vessel_moves_as_newton_says(name):
    ball = systems.registry[name]()
    q, v = ball.initial()

    def normal(x):
        if name.endswith("bowl"):
            return -x / jnp.sqrt(x @ x)
        s, c, away = jnp.sin(ball.tilt), jnp.cos(ball.tilt), jnp.sqrt(x[0] ** 2 + x[1] ** 2)
        return jnp.stack([-s * x[0] / away, -s * x[1] / away, c])

    wanted = newton_euler(ball, normal, q, v)
    np.testing.assert_allclose(acceleration(ball, q, v), wanted, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("name", ["ball-in-turning-cone", "ball-in-turning-bowl"])
def test_moving_energy_is_constant_and_the_energy_is_not(name):
    """Fasso, Sansonetto 2016."""
    ball = systems.registry[name]()
    run = da.simulate(ball, da.Gauss(3), h=0.005, steps=400)
    moving = np.asarray(jax.vmap(ball.moving_energy)(run.q, run.v))
    energy = np.asarray(jax.vmap(functools.partial(dynamics.energy, ball))(run.q, run.v))
    assert np.ptp(moving) < 1e-8 * np.max(np.abs(moving))
    assert np.ptp(energy) > 0.03
    assert not dynamics.energy_is_conserved(ball)
    still = type(ball)(Theta=0.0)
    assert (
        np.max(np.abs(rate(still, functools.partial(dynamics.energy, still), *still.initial())))
        < 1e-9
    )
