"""Axioms of groupoids and of their algebroids, and the closed forms against differentiation."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

from dalembert import (
    DLA,
    SE,
    SO,
    Euclidean,
    LieGroup,
    MechanicalSystem,
    Pair,
    Product,
    Reduced,
    UsageError,
    simulate,
)
from dalembert.groupoids import Groupoid, directional, gradient, move

SAMPLES = 24


@dataclasses.dataclass(frozen=True)
class Action(Groupoid):
    """Action groupoid of SO(2) on the plane, as a user would write it: the required parts only.

    An element (x, a) starts at x and ends at R(a)^T x.
    """

    dim = 1
    base = Euclidean(2)

    def source(self, g):
        return g[0]

    def target(self, g):
        return SO(2).exp(g[1]).T @ g[0]

    def unit(self, x):
        return (x, jnp.zeros(1))

    def mul(self, g, h):
        return (g[0], g[1] + h[1])

    def inv(self, g):
        return (self.target(g), -g[1])

    def curve(self, x, v):
        return (x, v)

    def coordinates(self, g):
        return g[1]


@dataclasses.dataclass(frozen=True)
class Twisted(Groupoid):
    """Action groupoid of SE(2) on the plane with a section that turns with the base point.

    Sections are not group constants here, so that the bracket depends on x through the anchor.
    """

    dim = 3
    base = Euclidean(2)

    def _frame(self, x):
        """A basis of the algebra for each x; the constant sections of the algebroid are these."""
        return jnp.array([[1.0, x[1], 0.0], [0.0, jnp.exp(0.3 * x[0]), 0.2], [x[0], 0.0, 1.0]])

    def source(self, g):
        return g[0]

    def target(self, g):
        return (SE(2).inv(g[1]) @ jnp.concatenate([g[0], jnp.ones(1)]))[:2]

    def unit(self, x):
        return (x, jnp.eye(3))

    def mul(self, g, h):
        return (g[0], g[1] @ h[1])

    def inv(self, g):
        return (self.target(g), SE(2).inv(g[1]))

    def curve(self, x, v):
        return (x, SE(2).cay(self._frame(x) @ v))

    def coordinates(self, g):
        return jnp.linalg.solve(self._frame(g[0]), SE(2).cay_inv(g[1]))


OURS = [
    make(tau)
    for tau in ("cay", "exp")
    for make in (
        lambda tau: Pair(Euclidean(3), tau),
        lambda tau: Pair(Product(Euclidean(2), SO(3)), tau),
        lambda tau: Pair(SE(2), tau),
        lambda tau: LieGroup(SO(3), tau),
        lambda tau: LieGroup(SE(2), tau),
        lambda tau: Reduced(Euclidean(2), SO(3), tau),
    )
]
WRITTEN = [Action(), Twisted()]


# -- samples -----------------------------------------------------------------------------------


def random_point(group, rng):
    """An element made by NumPy: random numbers inside compiled checks would cost more than they."""
    if isinstance(group, Product):
        return tuple(random_point(factor, rng) for factor in group.factors)
    if isinstance(group, Euclidean):
        return rng.normal(size=group.n)
    if group == SE(2):
        c, s = np.cos(rng.uniform(-3, 3)), np.sin(rng.uniform(-3, 3))
        R = np.array([[c, -s], [s, c]]) / np.hypot(c, s)
        return np.block([[R, rng.normal(size=(2, 1))], [np.zeros((1, 2)), np.ones((1, 1))]])
    q, r = np.linalg.qr(rng.normal(size=group.shape))
    q = q * np.sign(np.diag(r))
    return q * np.array([np.linalg.det(q), *np.ones(group.n - 1)])


def samples(groupoid):
    """Points, and three velocities each that keep products inside the reach of the coordinates.

    In the last quarter the velocities are tiny: formulas with a limit at 0 go wrong there.
    """
    rng = np.random.default_rng(20060621)
    points = [random_point(groupoid.base, rng) for _ in range(SAMPLES)]
    vs = rng.uniform(-0.6, 0.6, size=(SAMPLES, 3, groupoid.dim))
    vs[-SAMPLES // 4 :] *= 1e-6
    return jax.tree.map(lambda *x: jnp.asarray(np.stack(x)), *points), jnp.asarray(vs)


def far(a, b):
    """Largest difference of two elements, or points, or vectors."""
    a, b = ravel_pytree(a)[0], ravel_pytree(b)[0]
    return jnp.max(jnp.abs(a - b), initial=0.0)


def worst(groupoid, *checks):
    """The largest defect by name over all samples; all checks share one compilation."""

    def both(x, vs):
        return {name: value for check in checks for name, value in check(groupoid, x, vs).items()}

    # run once on a few numbers: to optimise the machine code would take longer than it saves
    quick = {"xla_backend_optimization_level": 0}
    found = jax.jit(jax.vmap(both), compiler_options=quick)(*samples(groupoid))
    return {name: float(jnp.max(value)) for name, value in found.items()}


def chain(groupoid, x, vs):
    """Composable elements along the velocities vs, starting at x."""
    elements = []
    for v in vs:
        elements.append(groupoid.curve(x, v))
        x = groupoid.target(elements[-1])
    return elements


# -- axioms ------------------------------------------------------------------------------------


def axioms(G, x, vs):
    f, g, h = chain(G, x, vs)
    return {
        "source of the curve": far(G.source(f), x),
        "source of a product": far(G.source(G.mul(f, g)), G.source(f)),
        "target of a product": far(G.target(G.mul(f, g)), G.target(g)),
        "source of an inverse": far(G.source(G.inv(f)), G.target(f)),
        "target of an inverse": far(G.target(G.inv(f)), G.source(f)),
        "source of a unit": far(G.source(G.unit(x)), x),
        "target of a unit": far(G.target(G.unit(x)), x),
        "left unit": far(G.mul(G.unit(x), f), f),
        "right unit": far(G.mul(f, G.unit(G.target(f))), f),
        "right inverse": far(G.mul(f, G.inv(f)), G.unit(x)),
        "left inverse": far(G.mul(G.inv(f), f), G.unit(G.target(f))),
        "inverse of a product": far(G.inv(G.mul(f, g)), G.mul(G.inv(g), G.inv(f))),
        "associativity": far(G.mul(G.mul(f, g), h), G.mul(f, G.mul(g, h))),
    }


def section(G, x, vs):
    """`curve` is a section of the source fibres, and `coordinates` its inverse."""
    f, g, _ = chain(G, x, vs)
    product, zero = G.mul(f, g), jnp.zeros(G.dim)
    slope = jax.jacfwd(lambda v: G.coordinates(G.curve(x, v)))(zero)
    return {
        "curve at 0": far(G.curve(x, zero), G.unit(x)),
        "coordinates of a curve": far(G.coordinates(f), vs[0]),
        "curve of coordinates": far(G.curve(x, G.coordinates(product)), product),
        "derivative at 0": far(slope, jnp.eye(G.dim)),
    }


def algebroid(G, x, vs):
    """Antisymmetry, and the anchor as a homomorphism: [rho u, rho v] = rho [u, v]."""
    u, v, _ = vs
    functions = lambda y: jnp.sin(ravel_pytree(y)[0])  # enough functions to tell fields apart

    def along(v, f):
        return lambda y: directional(G, f, y, v)

    ad_u, ad_v = G.ad(x, u), G.ad(x, v)
    commutator = along(u, along(v, functions))(x) - along(v, along(u, functions))(x)
    return {
        "antisymmetry": far(ad_u @ v, -ad_v @ u),
        "bracket with itself": far(ad_u @ u, jnp.zeros(G.dim)),
        "anchor": far(along(ad_u @ v, functions)(x), commutator),
    }


def left_trivialisation(G, x, vs):
    """d/ds curve(x, s v) at 0 is x hat(v): velocities of group factors are body velocities."""
    v, zero, one = vs[0], jnp.zeros(()), jnp.ones(())

    def left(base, x, X):
        if isinstance(base, Product):
            return tuple(left(*part) for part in zip(base.factors, x, X))
        return X if isinstance(base, Euclidean) else x @ X

    _, moved = jax.jvp(lambda s: G.target(G.curve(x, s * v)), (zero,), (one,))
    _, turned = jax.jvp(lambda s: G.frame(G.curve(x, s * v)), (zero,), (one,))
    n = G.base.dim
    return {
        "velocity of the base": far(moved, left(G.base, x, G.base.hat(v[:n]))),
        "velocity of the frame": far(turned, G.group.hat(v[n:])),
    }


def closed_forms(G, x, vs):
    y, u, v = vs
    generic = Groupoid.coordinate_velocity(G, x, y, v)
    return {
        "ad": far(G.ad(x, u), Groupoid.ad(G, x, u)),
        "coordinate velocity": far(G.coordinate_velocity(x, y, v), generic),
    }


@pytest.mark.parametrize("groupoid", OURS, ids=repr)
def test_groupoid(groupoid):
    found = worst(groupoid, axioms, section, left_trivialisation, closed_forms)
    assert {name: value for name, value in found.items() if not value < 4e-14} == {}


@pytest.mark.parametrize("space", [Euclidean(3), Product(Euclidean(2), SO(3)), SE(2)], ids=repr)
def test_algebroid_of_pairs(space):
    """Here the anchor is one-to-one, so that it fixes the bracket, its sign included."""
    found = worst(Pair(space), algebroid)
    assert {name: value for name, value in found.items() if not value < 4e-14} == {}


@pytest.mark.parametrize("groupoid", WRITTEN, ids=repr)
def test_groupoid_written_by_a_user(groupoid):
    """Only the required operations are given: bracket and rates come from differentiation."""

    def rates(G, x, vs):
        # the defining property of the rate: g curve(., s v) has coordinates y + s rate + O(s^2)
        y, v, _ = vs
        g = G.curve(x, y)
        _, rate = jax.jvp(
            lambda s: G.coordinates(G.mul(g, G.curve(G.target(g), s * v))),
            (jnp.zeros(()),),
            (jnp.ones(()),),
        )
        return {"coordinate velocity": far(G.coordinate_velocity(x, y, v), rate)}

    found = worst(groupoid, axioms, section, algebroid, rates)
    assert {name: value for name, value in found.items() if not value < 4e-14} == {}


def test_bracket_signs():
    """e1 x e2 = e3 on SO(3); on SE(2) a turn takes the forward direction to the left."""
    e = np.eye(3)
    x, so3 = jnp.zeros(0), LieGroup(SO(3))
    np.testing.assert_array_equal(so3.ad(x, e[0]) @ e[1], e[2])
    generic = jax.jit(lambda u: Groupoid.ad(so3, x, u))(e[0])
    np.testing.assert_allclose(generic @ e[1], e[2], atol=1e-15)
    turn, forward, left = e[2], e[0], e[1]
    np.testing.assert_array_equal(LieGroup(SE(2)).ad(jnp.zeros(0), turn) @ forward, left)


def test_twisted_bracket_depends_on_the_base_point():
    """Otherwise the identities above would test a Lie algebra only."""
    groupoid = Twisted()
    ad = jax.jit(groupoid.ad)
    u = jnp.array([1.0, 2.0, -1.0])
    there, elsewhere = ad(jnp.array([0.3, -0.2]), u), ad(jnp.array([1.0, 0.5]), u)
    assert float(jnp.max(jnp.abs(there - elsewhere))) > 0.1


def test_gradient_pairs_with_directional():
    groupoid = Pair(Product(Euclidean(2), SO(3)))
    x, vs = jax.tree.map(lambda a: a[0], samples(groupoid))
    f = lambda q: jnp.sin(q[0][0]) * q[1][0, 2] + q[1][1, 1] ** 2
    slope = jax.jit(lambda x, v: gradient(groupoid, f, x) @ v)(x, vs[0])
    along = jax.jit(lambda x, v: directional(groupoid, f, x, v))(x, vs[0])
    np.testing.assert_allclose(slope, along, rtol=1e-13)
    eps = 1e-6
    moved = jax.jit(lambda s: f(move(groupoid, x, s * vs[0])))
    ahead, behind = moved(eps), moved(-eps)
    np.testing.assert_allclose(slope, (ahead - behind) / (2 * eps), rtol=1e-8)


def test_groupoids_are_static_values():
    assert Pair(Product(Euclidean(2), SO(3))) == Pair(Product(Euclidean(2), SO(3)))
    assert hash(Reduced(Euclidean(2), SO(3))) == hash(Reduced(Euclidean(2), SO(3)))
    assert Pair(SO(3), "cay") != Pair(SO(3), "exp")


def test_misuse_is_told():
    for make in (
        lambda: Pair(SO(3), "log"),
        lambda: LieGroup(SO(3), "log"),
        lambda: Reduced(Euclidean(1), SO(3), "log"),
    ):
        with pytest.raises(UsageError, match="tau must be 'cay' or 'exp', got 'log'"):
            make()

    class Bare(Action):
        coordinates = Groupoid.coordinates

    with pytest.raises(UsageError, match="Bare does not define `coordinates`"):
        Bare().coordinates((jnp.zeros(2), jnp.zeros(1)))


def test_finding3_a11_a_body_that_spins_lags_with_cayleys_map():
    """By (h w)^2/3 of its turn with DLA, and by nothing with the exponential map.

    A step turns it by 2 arctan(y/2) with h w = y (1 + y^2/4), the momentum of the discrete L.
    """

    class Top(MechanicalSystem):
        mass = np.eye(3)

    class Rational(Top):
        space = SO(3)

    class Exact(Top):
        space = Pair(SO(3), tau="exp")

    def turn(system, h, steps=20):
        q = simulate(system, DLA(), np.eye(3), [0.0, 0.0, 1.0], h=h, steps=steps).q
        angles = np.unwrap(np.arctan2(q[:, 1, 0], q[:, 0, 0]))
        return 1.0 - angles[-1] / (h * steps)

    h = 0.05
    y = np.roots([0.25, 0.0, 1.0, -h])
    y = float(y[np.abs(y.imag) < 1e-9].real[0])
    assert turn(Rational(), h) == pytest.approx(1.0 - 2.0 * np.arctan(y / 2.0) / h, rel=1e-10)
    assert turn(Rational(), h) == pytest.approx(h**2 / 3.0, rel=5e-3)
    assert abs(turn(Exact(), h)) < 1e-13
