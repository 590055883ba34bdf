"""Wheels, balls, ellipsoids and skates on curved surfaces: where they touch, and how they move."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import dynamics, parts, scene
from dalembert.compile.ir.interpret import interpreted
from dalembert.compile.ir.record import record

SO3 = da.SO(3)
SLOPE = 0.2
TILT = np.asarray(SO3.exp(jnp.array([0.0, SLOPE, 0.0])))  # turns the vertical to the normal


def by_numbers(f, *args):
    """f on a tape in NumPy, loops and all: nothing is compiled."""
    recorded = record(lambda given: f(*given), args)
    flat = [x for leaf in jax.tree.leaves(args) for x in np.asarray(leaf, dtype=float).ravel()]
    found = np.array(interpreted(recorded, flat))
    ends = np.cumsum([0, *recorded.results.sizes])
    leaves = [
        found[a:b].reshape(aval.shape) for a, b, aval in zip(ends, ends[1:], recorded.results.avals)
    ]
    return jax.tree.unflatten(recorded.results.tree, leaves)


CONTACTS = {
    "tire": lambda **options: parts.Wheel("body", 0.5, crown=0.1, at=(0.05, 0, 0.1), **options),
    "ellipsoid": lambda **options: parts.Ellipsoid("body", (0.4, 0.5, 0.6), **options),
    "ball": lambda **options: parts.Ball("body", 0.5, at=(0, 0.1, 0), **options),
    "skate": lambda **options: parts.Skate("body", at=(0.1, 0, -0.5), **options),
}


def rolling(contact, surface=None, down=(0, 0, -1), start=(0.3, 0.2, 0.5), turn=None):
    return parts.build(
        parts.Body("body", 2.0, (0.2, 0.3, 0.25)),
        parts.Free("body", start=(start, np.eye(3) if turn is None else turn)),
        CONTACTS[contact](surface=surface),
        parts.Gravity(9.81, down=down),
    )


@pytest.mark.parametrize("contact", ["tire", "ellipsoid", "skate"])
def test_a_tilted_surface_is_tilted_gravity(contact):
    flat = rolling(contact, down=tuple((TILT.T @ [0, 0, -1.0]).tolist()))
    hill = rolling(
        contact,
        # no distance: the gradient has another length, and no one length
        parts.Level(lambda x, a: (x[2] + jnp.tan(a) * x[0]) * (2 + jnp.sin(x[1])), SLOPE),
        start=tuple((TILT @ [0.3, 0.2, 0.5]).tolist()),
        turn=TILT,
    )
    rng = np.random.default_rng(5)
    attitude = SO3.exp(jnp.array([0.3, 0.2, 0.4]))
    q, v = parts.settle(flat, (jnp.array([0.3, 0.2, 0.6]), attitude), rng.normal(size=6))
    on_hill = (TILT @ q[0], TILT @ q[1]), jnp.concatenate([TILT @ v[:3], v[3:]])

    def solved(q, v):
        gap, residual = hill.holonomic(q), dynamics.constraint_residual(hill, q, v)
        return gap, residual, dynamics.solved(hill, q, v)[:2]

    gap, residual, (a, lam) = by_numbers(solved, *on_hill)
    np.testing.assert_allclose(gap, 0.0, atol=1e-15)
    np.testing.assert_allclose(residual, 0.0, atol=2e-14)
    expected = by_numbers(lambda q, v: dynamics.solved(flat, q, v)[:2], q, v)
    np.testing.assert_allclose(TILT.T @ a[:3], expected[0][:3], atol=1e-11)
    np.testing.assert_allclose(a[3:], expected[0][3:], atol=1e-11)
    np.testing.assert_allclose(lam, expected[1], atol=1e-11)  # forces in N, also on a level
    assert np.max(np.abs(a)) > 1.0


class BallInABowl(da.System):
    """By hand: the foot (x, y) on z = a (x^2 + y^2) and the attitude are the coordinates."""

    a: float = 0.3
    r: float = 0.5

    space = da.Product(da.Euclidean(2), da.SO(3))

    def foot(self, q):
        return jnp.stack([q[0][0], q[0][1], self.a * (q[0] @ q[0])])

    def normal(self, q):
        n = jnp.concatenate([-2 * self.a * q[0], jnp.ones(1)])
        return n / jnp.sqrt(n @ n)

    def speed(self, q, v):
        def center(x):
            return self.foot((x, q[1])) + self.r * self.normal((x, q[1]))

        return jax.jvp(center, (q[0],), (v[:2],))[1]

    def lagrangian(self, q, v):
        u = self.speed(q, v)
        height = (self.foot(q) + self.r * self.normal(q))[2]
        return u @ u + 0.5 * (v[2:] @ (jnp.array([0.2, 0.3, 0.25]) * v[2:])) - 2 * 9.81 * height

    def constraint(self, q):
        sides = jax.jacfwd(lambda x: self.foot((x, q[1])))(q[0]).T  # the velocity is tangent

        def slip(v):
            return sides @ (self.speed(q, v) - jnp.cross(q[1] @ v[2:], self.r * self.normal(q)))

        return jax.jacfwd(slip)(jnp.zeros(5))


def test_ball_in_a_bowl_is_that_by_hand():
    by_hand = BallInABowl()
    made = parts.build(
        parts.Body("body", 2.0, (0.2, 0.3, 0.25)),
        parts.Free("body", start=(0, 0, 0.5)),
        parts.Ball("body", 0.5, surface=parts.Height(lambda x, y, a: a * (x**2 + y**2), 0.3)),
        parts.Gravity(9.81),
    )
    q = jnp.array([0.4, -0.7]), SO3.exp(jnp.array([0.3, 0.2, 0.4]))

    def both(q, v):
        v = dynamics.projected(by_hand, q, v)
        a = dynamics.acceleration(by_hand, q, v)

        def there(s):
            at = da.groupoids.move(by_hand.groupoid, q, s * v)
            speed = by_hand.speed(at, v + s * a)
            return jnp.concatenate([speed, v[2:] + s * a[2:]])

        Q = by_hand.foot(q) + by_hand.r * by_hand.normal(q), q[1]
        V, A = jax.jvp(there, (0.0,), (1.0,))
        found = dynamics.solved(made, Q, V)
        gap, slip = made.holonomic(Q), dynamics.constraint_residual(made, Q, V)
        return gap, slip, A, found.acceleration, found.multipliers

    gap, slip, A, found, lam = by_numbers(both, q, jnp.array([0.8, 0.4, 1.0, -2.0, 0.5]))
    np.testing.assert_allclose(gap, 0.0, atol=1e-15)
    np.testing.assert_allclose(slip, 0.0, atol=1e-14)
    np.testing.assert_allclose(found, A, atol=1e-11)
    assert np.max(np.abs(A)) > 1.0 and lam[0] > 5.0  # the bowl pushes


@pytest.mark.parametrize(
    "contact, surface, other",
    [
        ("ellipsoid", parts.Level(lambda x, r: x @ x - r**2, 2.0), parts.Sphere(2.0)),
        (
            "tire",
            parts.Level(lambda x, r: r**2 - x[1] ** 2 - x[2] ** 2, 2.0),
            parts.Cylinder(2.0, axis="x"),
        ),
    ],
    ids=["on a sphere", "in a cylinder"],
)
def test_levels_are_the_surfaces_that_they_are(contact, surface, other):
    start = (0.1, 0.2, 2.5 if contact == "ellipsoid" else -1.4)
    systems = [rolling(contact, x, start=start) for x in (surface, other)]

    def looked(system, q, v):
        def gap(s):
            return system.holonomic(da.groupoids.move(system.groupoid, q, s * v))

        return jax.jvp(gap, (0.0,), (1.0,)), dynamics.constraint_residual(system, q, v)

    q = jnp.array(start) + 0.1, SO3.exp(jnp.array([0.2, 0.3, 0.1]))  # not closed
    v = jnp.array([0.3, -0.2, 0.5, 1.0, 0.4, -0.6])
    one, two = (by_numbers(lambda q, v, s=s: looked(s, q, v), q, v) for s in systems)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-13), one, two)
    (gap, rate), rows = one
    assert abs(gap[0]) > 0.01
    # the height's row is the rate of the distance, off the surface as well
    np.testing.assert_allclose(rows[0], rate[0], atol=1e-13)


def test_a_tire_rolls_over_hills():
    hills = parts.Height(lambda x, y: 0.2 * jnp.cos(x) * jnp.cos(0.7 * y))
    tire = rolling("tire", hills, start=(0.3, 0.2, 0.7))
    with pytest.raises(da.UsageError, match=r"wheel 'body' is .* m (above|below) its surface"):
        tire.initial()
    q, v = parts.settle(tire, v=jnp.array([1.0, 0.2, 0, 0.3, 2.0, 0.1]))
    run = da.simulate(tire, q, v, h=0.01, steps=150)
    assert run.meta.engine == "native"
    gaps, slips, energies = [], [], []
    looked = record(
        lambda x: (
            tire.holonomic(x[0]),
            scene.slip(tire, *x)["0 body"],
            dynamics.energy(tire, *x),
        ),
        jax.tree.map(lambda a: a[0], (run.q, run.v)),
    )
    for k in range(0, 151, 10):
        row = jax.tree.leaves(jax.tree.map(lambda a, k=k: np.asarray(a)[k], (run.q, run.v)))
        gap, *slip, energy = interpreted(looked, np.concatenate([x.ravel() for x in row]))
        gaps, slips, energies = [*gaps, gap], [*slips, *slip], [*energies, energy]
    np.testing.assert_allclose(gaps, 0.0, atol=1e-14)
    np.testing.assert_allclose(slips, 0.0, atol=1e-13)
    assert np.ptp(energies) < 1e-5 * abs(energies[0])
    assert np.ptp(run.q[0][:, 2]) > 0.1  # up and down


def test_what_does_not_fit_is_told():
    bowl = parts.Height(lambda x, y: 2.0 * (x**2 + y**2))
    made = rolling("ball", bowl, start=(0.0, -0.1, 0.5))
    for start in (made.initial, lambda: parts.settle(made)):
        with pytest.raises(da.UsageError, match="body, height: there is no one point where it"):
            start()
    # the same bowl takes a point, and a ball that is less round than it is hollow
    for curvature in (0.9, 1.1):
        bowl = parts.Height(lambda x, y, k: k * (x**2 + y**2), curvature)
        made = parts.Ball("body", 0.5, surface=bowl)
        frame = parts.contacts.Frame(np.eye(3), np.array([0, 0, 0.5]), np.zeros(3), np.zeros(3))
        touch = made.touch(frame, np)
        assert np.isfinite(touch.gap) == (curvature < 1.0)


@pytest.mark.parametrize(
    "surface, at, velocity",
    [
        (parts.Sphere(2.0, spin=(0.1, 0.0, 0.5)), [0, 0, 2.0], [0, -0.2, 0]),
        (parts.Cylinder(2.0, axis="x", rate=3.0), [0.5, 0, -2.0], [0, 6.0, 0]),
    ],
    ids=["sphere", "cylinder"],
)
def test_surfaces_that_turn(surface, at, velocity):
    at = np.array(at, dtype=float)
    start = at + np.array([0, 0, 0.5])
    made = parts.build(
        parts.Body("body", 2.0, (0.2, 0.2, 0.2)),
        parts.Free("body", start=tuple(start.tolist())),
        parts.Ball("body", 0.5, surface=surface),
        parts.Gravity(9.81),
    )
    assert made.has_offset and not dynamics.energy_is_conserved(made)
    q, v = made.initial()
    v = np.asarray(v)
    point = v[:3] + np.cross(v[3:], at - start)  # the material point that touches
    np.testing.assert_allclose(point, velocity, atol=1e-14)
