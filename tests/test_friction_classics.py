"""Problems of textbooks that no document of the library has, against SciPy and closed forms."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import hybrid

G = 9.81
EXACT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


class Plate(da.System):
    """A rigid body in a vertical plane, q = (x, y, theta)."""

    m: float = 1.0
    J: float = 0.1

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        turn = 0.5 * self.J * v[2] ** 2
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + turn - self.m * G * q[1]


def corner(name, x, y, mu, wall=False):
    """The corner (x, y) of a plate on the floor y = 0, or on the wall x = 0."""

    def place(q):
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        return jnp.stack([q[0] + c * x - s * y, q[1] + s * x + c * y])

    def rows(q):
        r = place(q) - q[:2]
        one, o = jnp.ones(()), jnp.zeros(())
        return jnp.stack([o, one, r[0]] if wall else [one, o, -r[1]])[None]

    return hybrid.ContactLaw(name, rows, gap=lambda q: place(q)[0 if wall else 1], mu=mu)


@pytest.mark.parametrize("mu", [0.0, 0.2])
def test_a_ladder_leaves_its_wall(mu):
    # four rows for three velocities, of which two slide from the beginning
    start, J = 1.0, 1.0 / 3.0
    laws = corner("floor", 1.0, 0.0, mu), corner("wall", -1.0, 0.0, mu, wall=True)
    modes = hybrid.with_friction(Plate(J=J), *laws)
    q = [np.cos(start), np.sin(start), -start]
    left = da.simulate(modes, da.Gauss(stages=3), q, [0.0, 0, 0], h=0.01, t=0.75).jumps[0]

    def found(a, w):  # angular acceleration, loads of the floor and of the wall
        c, s = np.cos(a), np.sin(a)
        A = [[-s, mu, -1.0], [c, -1.0, -mu], [J, c - mu * s, -(mu * c + s)]]
        return np.linalg.solve(A, [c * w * w, s * w * w - G, 0.0])

    def load(t, y):
        return found(*y)[2]

    load.terminal = True
    own = solve_ivp(
        lambda t, y: [y[1], found(*y)[0]], (0.0, 2.0), [start, 0.0], events=load, **EXACT
    )
    assert left.name == "wall lifts"
    np.testing.assert_allclose([left.t, -left.q[2]], [own.t[-1], own.y[0, -1]], rtol=1e-10)
    if mu == 0.0:  # in closed form
        np.testing.assert_allclose(np.sin(-left.q[2]), 2.0 / 3.0 * np.sin(start), rtol=1e-12)


def domino(turn):
    w, h, mu = 0.02, 0.1, 0.3
    J = (w * w + h * h) / 3.0
    modes = hybrid.with_friction(Plate(J=J), corner("left", -w, -h, mu), corner("right", w, -h, mu))
    start = [0.0, h, 0.0], [-turn * h, -turn * w, turn]  # tipped over its right edge
    run = da.simulate(modes, da.Gauss(stages=3), *start, h=0.002, t=0.4)
    return run, w, h, J, mu


def test_a_domino_that_does_not_fall_rocks_by_housners_ratio():
    run, w, h, J, _ = domino(-1.5)
    change = run.jumps[0]
    assert change.target == "left holds, right is open"
    ratio = (J + h * h - w * w) / (J + h * h + w * w)
    np.testing.assert_allclose(change.v_after[2], ratio * 1.5, rtol=1e-10)


def test_a_domino_that_falls_slips_where_its_edge_leaves_the_cone():
    run, w, h, J, mu = domino(-4.0)

    def lever(angle):
        c, s = np.cos(angle), np.sin(angle)
        return np.array([-w * c - h * s, -w * s + h * c])

    def rates(t, y):
        return [y[1], -G * lever(y[0])[0] / (J + w * w + h * h)]

    def spare(t, y):
        r, turn = lever(y[0]), rates(t, y)[1]
        x, up = turn * np.array([-r[1], r[0]]) - y[1] ** 2 * r
        return mu * (up + G) - abs(x)

    spare.terminal = True
    own = solve_ivp(rates, (0.0, 1.0), [0.0, -4.0], events=spare, **EXACT)
    first = run.jumps[0]
    assert first.name == "right slips"
    np.testing.assert_allclose([first.t, first.q[2]], [own.t[-1], own.y[0, -1]], rtol=1e-10)


def test_two_skates_at_an_angle_stop_slipping_one_after_the_other():
    angle, half, m, J, mu, v = 0.3, 0.2, 2.0, 0.05, 0.3, np.array([2.0, 0.5, 1.5])

    class Sledge(da.System):
        space = da.Euclidean(3)

        def lagrangian(self, q, v):
            return 0.5 * m * (v[0] ** 2 + v[1] ** 2) + 0.5 * J * v[2] ** 2

    def row(q, side, xp=jnp):
        n = [-xp.sin(q[2] + side * angle), xp.cos(q[2] + side * angle)]
        at = [-half * side * xp.sin(q[2]), half * side * xp.cos(q[2])]
        return xp.stack([n[0], n[1], n[1] * at[0] - n[0] * at[1]])

    sides = (1, -1)
    laws = [
        hybrid.ContactLaw(f"skate {i}", lambda q, s=s: row(q, s)[None], load=0.5 * m * G, mu=mu)
        for i, s in enumerate(sides)
    ]
    run = da.simulate(
        hybrid.with_friction(Sledge(), *laws), da.Gauss(stages=3), np.zeros(3), v, h=0.01, t=0.4
    )
    signs = [np.sign(row(np.zeros(3), s, np) @ v) for s in sides]

    def rates(t, y):
        push = sum(-0.5 * mu * m * G * g * row(y[:3], s, np) for g, s in zip(signs, sides))
        return [*y[3:], *(push / [m, m, J])]

    slips = [lambda t, y, s=s: row(y[:3], s, np) @ y[3:] for s in sides]
    for slip in slips:
        slip.terminal = True
    own = solve_ivp(rates, (0.0, 2.0), [0, 0, 0, *v], events=slips, **EXACT)
    assert run.jumps[0].name == "skate 1 sticks"
    np.testing.assert_allclose(run.jumps.t[0], own.t[-1], rtol=1e-10)
    np.testing.assert_allclose(run.jumps[0].v_before, own.y[3:, -1], rtol=1e-9)


@pytest.mark.parametrize(("pull", "mu"), [(3.0, 0.5), (40.0, 0.3)])
def test_a_spool_that_is_pulled_below_its_axle_rolls_or_slides(pull, mu):
    R, r, m, J = 0.2, 0.1, 2.0, 0.05

    class Spool(Plate):
        def force(self, t, q, v):
            return jnp.stack([pull + 0.0 * t, 0.0 * t, pull * r + 0.0 * t])

    law = hybrid.ContactLaw(
        "spool", lambda q: jnp.array([[1.0, 0.0, R]]), gap=lambda q: q[1] - R, mu=mu
    )
    modes = hybrid.with_friction(Spool(m=m, J=J), law)
    run = da.simulate(modes, [0.0, R, 0.0], [0.0, 0, 0], h=0.02, t=1.0)
    a = pull * (1.0 - r / R) / (m + J / R**2)
    if pull - m * a > mu * m * G:
        a = (pull - mu * m * G) / m
    np.testing.assert_allclose(run.q[-1][0], 0.5 * a, rtol=1e-12)
