"""Loads and accelerations of sliding contacts of every kind, on every kind of surface.

The equations by hand begin with the surface F(x) = 0 and the points P(a) of the body: the gap is
the least F over them, found by Newton's method in the parameters a. Its second derivative in time
follows from the implicit function theorem, and the rest from Newton and Euler.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dalembert import hybrid, parts

G, M, MU = 9.81, 2.0, (0.3, 0.45)
J = np.array([[0.03, 0.002, 0.0], [0.002, 0.05, 0.001], [0.0, 0.001, 0.04]])
CENTER = np.array([0.01, -0.02, 0.015])
R = 0.1


def _circle(a, radius=R, tube=0.0):
    around = jnp.stack([jnp.cos(a[0]), 0.0 * a[0], jnp.sin(a[0])])
    if not tube:
        return radius * around
    across = jnp.array([0.0, 1.0, 0.0])
    return radius * around + tube * (jnp.cos(a[1]) * around + jnp.sin(a[1]) * across)


def _round(a, axes=(R, R, R)):
    c = jnp.cos(a[1])
    return jnp.array(axes) * jnp.stack([c * jnp.cos(a[0]), c * jnp.sin(a[0]), jnp.sin(a[1])])


# part, points of the body (with the number of their parameters), rows that slide, or None for both
AXES = (0.15, 0.08, 0.1)
BODIES = {
    "thin wheel": (lambda s: parts.Wheel("b", R, mu=MU, surface=s), _circle, 1, "wheel"),
    "crowned wheel": (
        lambda s: parts.Wheel("b", R, crown=0.03, mu=0.3, surface=s),
        lambda a: _circle(a, R, 0.03), 2, "wheel",
    ),
    "mecanum": (
        lambda s: parts.mecanum("b", R, rollers=0.6, mu=0.3, surface=s), _circle, 1, "roller",
    ),
    "ball": (lambda s: parts.Ball("b", R, mu=0.3, surface=s), _round, 2, "ball"),
    "ellipsoid": (
        lambda s: parts.Ellipsoid("b", axes=AXES, mu=0.3, surface=s),
        lambda a: _round(a, AXES), 2, "ball",
    ),
    "skate": (lambda s: parts.Skate("b", mu=0.3, surface=s), lambda a: jnp.zeros(3), 0, "skate"),
    "belly": (lambda s: parts.Skate("b", mu=MU, surface=s), lambda a: jnp.zeros(3), 0, "belly"),
    "foot": (lambda s: parts.Glide("b", R, mu=0.3, surface=s), _round, 2, "ball"),
}  # fmt: skip


def _hills(x, y):
    return 0.2 * jnp.sin(0.7 * x) * jnp.cos(0.5 * y)


def _saddle(x):
    return x[2] + 0.1 * x[0] ** 2 - 0.2 * x[1] ** 2 + 0.05 * x[0] * x[2]


TILT = np.array([0.3, -0.2, 1.0]) / np.sqrt(1.13)
UP = np.array([0.0, 0.0, 1.0])


def _still(t, x):
    return jnp.zeros(3)


# surface, F, velocity of its points
SURFACES = {
    "slope": (parts.Plane(normal=tuple(TILT)), lambda x: TILT @ x, _still),
    "turning": (
        parts.Plane(rate=1.5, center=(0.3, 0.1, 0), drift=(0.4, -0.2, 0)),
        lambda x: x[2],
        lambda t, x: 1.5 * jnp.cross(UP, x - jnp.array([0.3, 0.1, 0]))
        + jnp.array([0.4, -0.2, 0]),
    ),
    "height": (parts.Height(_hills), lambda x: x[2] - _hills(x[0], x[1]), _still),
    "level": (parts.Level(_saddle), _saddle, _still),
    "bowl": (
        parts.Sphere(3.0, center=(0, 0, 3.0), inside=True),
        lambda x: 9.0 - x[0] ** 2 - x[1] ** 2 - (x[2] - 3.0) ** 2, _still,
    ),
    "globe": (
        parts.Sphere(2.0, center=(0, 0, -2.0), spin=(0.5, 1.0, -0.7)),
        lambda x: x[0] ** 2 + x[1] ** 2 + (x[2] + 2.0) ** 2 - 4.0,
        lambda t, x: jnp.cross(jnp.array([0.5, 1.0, -0.7]), x + jnp.array([0, 0, 2.0])),
    ),
    "pipe": (
        parts.Cylinder(2.0, axis="x", center=(0, 0, 2.0), inside=True, rate=0.8),
        lambda x: 4.0 - x[1] ** 2 - (x[2] - 2.0) ** 2,
        lambda t, x: 0.8 * jnp.cross(jnp.array([1.0, 0, 0]), x - jnp.array([0, 0, 2.0])),
    ),
}  # fmt: skip


def _turn(w):
    S = jnp.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    return jax.scipy.linalg.expm(S)


class Truth:
    """The contact of a body at a pose: parameters of its point, gap and its derivatives."""

    def __init__(self, points, size, F):
        self.points, self.size = points, size
        self.F = jax.jit(lambda x, T, a: F(x + T @ points(a)))
        self.first = jax.jit(jax.grad(self.F, 2))
        self.second = jax.jit(jax.hessian(self.F, 2))

        def along(s, a, x, T, u, w):
            return F(x + s * u + T @ _turn(s * w) @ points(a))

        self.along = along

    def place(self, x, T):
        """Return the point and the parameters where the body, moved along z, touches."""
        for _ in range(20):
            a = self.nearest(x, T)
            x = x - UP * self.F(x, T, a) / jax.grad(self.F)(x, T, a)[2]
        return np.asarray(x), a

    def nearest(self, x, T):
        if not self.size:
            return jnp.zeros(0)
        grid = np.linspace(-3.0, 3.0, 25)
        every = np.array(np.meshgrid(*[grid] * self.size)).reshape(self.size, -1).T
        a = every[int(np.argmin(jax.vmap(lambda a: self.F(x, T, a))(every)))]
        for _ in range(8):
            a = a - np.linalg.solve(self.second(x, T, a), self.first(x, T, a))
        return jnp.asarray(a)

    def bend(self, x, T, u, w, a):
        """Return d^2(gap)/dt^2 at constant u and w."""
        f = self.along
        given = (0.0, a, x, T, u, w)
        straight = float(jax.hessian(f)(*given))
        if not self.size:
            return straight
        cross = np.asarray(jax.jacfwd(jax.grad(f, 1))(*given))
        return straight - cross @ np.linalg.solve(jax.hessian(f, 1)(*given), cross)


def by_hand(kind, truth, F, ground, x, T, v, a):
    """Return the load, the acceleration of the origin and the angular acceleration."""
    P = np.asarray(truth.points(a))
    at, u, w = x + T @ P, v[:3], v[3:]
    slope = np.asarray(jax.grad(F)(jnp.asarray(at)))
    n = slope / np.linalg.norm(slope)
    slip = u + T @ np.cross(w, P) - np.asarray(ground(0.0, jnp.asarray(at)))
    axle = T @ np.array([0.0, 1.0, 0.0])
    if kind in ("skate", "belly"):
        along = T @ np.array([1.0, 0.0, 0.0])
        along -= (along @ n) * n
    else:
        along = np.cross(axle, n)
    along = along / np.linalg.norm(along)
    across = np.cross(n, along)
    if kind == "ball":
        phi = 0.3 * slip / np.linalg.norm(slip)
    elif kind in ("skate", "roller"):
        e = across if kind == "skate" else np.sin(0.6) * along + np.cos(0.6) * across
        phi = 0.3 * np.sign(slip @ e) * e
    else:
        mu = np.array(MU if truth.size < 2 else (0.3, 0.3))
        s = np.array([slip @ along, slip @ across])
        phi = (mu**2 * s / np.linalg.norm(mu * s)) @ np.stack([along, across])
    # unknowns: acceleration of the origin, angular acceleration (body), load
    K, b = np.zeros((7, 7)), np.zeros(7)

    def hat(c):
        return np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])

    push = n - phi
    K[:3, :3], K[:3, 3:6], K[:3, 6] = M * np.eye(3), -M * T @ hat(CENTER), -push
    b[:3] = -M * G * UP - M * T @ np.cross(w, np.cross(w, CENTER))
    K[3:6, 3:6], K[3:6, 6] = J, -np.cross(P - CENTER, T.T @ push)
    b[3:6] = -np.cross(w, J @ w)
    K[6, :3], K[6, 3:6] = slope, -slope @ T @ hat(P)
    b[6] = -truth.bend(x, T, u, w, a)
    found = np.linalg.solve(K, b)
    return found[6], found[:6]


# every kind of body on several surfaces, and every surface under several bodies
PAIRS = [(b, s) for i, b in enumerate(BODIES) for j, s in enumerate(SURFACES) if (i + j) % 4 == 0]


def compared(body, surface):
    """Return the loads and accelerations, of the library and by hand."""
    make, points, size, kind = BODIES[body]
    given, F, ground = SURFACES[surface]
    rng = np.random.default_rng(sum(map(ord, body + surface)))
    T = np.asarray(parts.rotation("z", 0.7, np) @ parts.rotation("x", 0.2, np))
    T = T @ np.asarray(parts.rotation("y", 0.3, np))
    truth = Truth(points, size, F)
    x, a = truth.place(np.array([0.4, -0.3, 0.2]), T)
    v = 0.5 * rng.normal(size=6) + [1.0, -0.6, 0, 0, 0, 0]
    at = x + T @ np.asarray(truth.points(a))
    n = np.asarray(jax.grad(F)(jnp.asarray(at)))
    n = n / np.linalg.norm(n)
    v[:3] -= n * (n @ (v[:3] + T @ np.cross(v[3:], T.T @ (at - x))))
    inertia = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    modes = hybrid.with_friction(
        parts.build(
            parts.Body("b", M, inertia, center=tuple(CENTER)),
            parts.Free("b", start=(0, 0, 1.0)),
            make(given),
            parts.Gravity(G),
        )
    )
    mode, _, _ = modes.started(None, (x, T), v, 0.0)
    assert mode == "b slides"
    found = modes._where(0.0, (x, T)).facts(modes.states[mode], v)
    load, change = by_hand(kind, truth, F, ground, x, T, v, a)
    return (float(found.load[0]), np.asarray(found.acceleration)), (load, change)


@pytest.mark.parametrize(("body", "surface"), PAIRS)
def test_a_sliding_contact_has_the_load_and_the_acceleration_by_hand(body, surface):
    found, known = compared(body, surface)
    assert known[0] > 0.0
    np.testing.assert_allclose(found[0], known[0], rtol=1e-9)
    np.testing.assert_allclose(found[1], known[1], rtol=1e-9, atol=1e-9 * np.abs(known[1]).max())
