"""Curvature, metric connections, lifts, kinds of subspaces, cocycles, Gauss' principle."""

import itertools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SE, SO, Euclidean, dynamics, geometry


class Metric(da.System):
    """A metric of one's own on R^n: free motion is along its geodesics."""

    n: int = eqx.field(static=True)
    G: object = eqx.field(static=True)

    @property
    def space(self):
        return Euclidean(self.n)

    def lagrangian(self, q, v):
        return 0.5 * v @ self.G(q) @ v


class Top(da.System):
    """A free body: a left-invariant metric on SO(3)."""

    moments: tuple = eqx.field(static=True, default=(2.0, 3.0, 4.0))
    space = SO(3)

    def lagrangian(self, q, v):
        return 0.5 * jnp.asarray(self.moments) @ v**2


def sphere(q):
    return jnp.diag(jnp.stack([jnp.ones(()), jnp.sin(q[0]) ** 2]))


def half_plane(q):
    return jnp.eye(2) / q[1] ** 2


def bent(q):
    x, y, z = q
    rows = [[2 + x * x, x * y, 0.1 * z], [x * y, 3 + jnp.sin(z), 0.2], [0.1 * z, 0.2, 1 + y * y]]
    return jnp.stack([jnp.stack([jnp.asarray(e, dtype=float) for e in row]) for row in rows])


# -- curvature -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("G", "q", "K"), [(sphere, [0.7, 0.2], 1.0), (half_plane, [0.3, 1.7], -1.0)]
)
def test_curvature_is_constant_on_the_sphere_and_the_half_plane(G, q, K):
    system, q = Metric(2, G), jnp.array(q)
    assert np.isclose(geometry.sectional_curvature(system, q, [1.0, 0.3], [0.2, -1.1]), K, 1e-12)


def test_curvature_of_a_metric_in_three_dimensions_equals_that_of_sympy():
    sp = pytest.importorskip("sympy")
    x = sp.symbols("x y z")
    G = sp.Matrix(
        [
            [2 + x[0] ** 2, x[0] * x[1], x[2] / 10],
            [x[0] * x[1], 3 + sp.sin(x[2]), sp.Rational(1, 5)],
            [x[2] / 10, sp.Rational(1, 5), 1 + x[1] ** 2],
        ]
    )
    at = dict(zip(x, (0.3, -0.4, 0.6)))
    # R_abcd by second derivatives of g and first Christoffel symbols: no derivative of Gamma^a
    first = np.zeros((3, 3, 3))
    second = np.zeros((3, 3, 3, 3))
    for a, b, c in itertools.product(range(3), repeat=3):
        lower = sp.diff(G[a, b], x[c]) + sp.diff(G[a, c], x[b]) - sp.diff(G[b, c], x[a])
        first[a, b, c] = float(lower.subs(at)) / 2
        for d in range(3):
            second[a, b, c, d] = float(sp.diff(G[a, b], x[c], x[d]).subs(at))
    inverse = np.linalg.inv(np.array(G.subs(at), dtype=float))
    R = 0.5 * (
        np.einsum("adbc->abcd", second)
        + np.einsum("bcad->abcd", second)
        - np.einsum("acbd->abcd", second)
        - np.einsum("bdac->abcd", second)
    )
    square = np.einsum("ef,ebc,fad->abcd", inverse, first, first)
    R = R + square - np.swapaxes(square, 2, 3)
    system, q = Metric(3, bent), jnp.array([0.3, -0.4, 0.6])
    found = np.asarray(geometry.curvature_tensor(system, q))
    lowered = np.einsum("ae,ebcd->abcd", np.asarray(bent(q)), found)
    assert np.allclose(lowered, R, atol=1e-13)
    assert np.max(np.abs(R)) > 0.1


def test_curvature_of_a_body_is_that_of_milnor():
    # left-invariant metrics on SO(3): K(e1, e2) of an orthonormal basis, Milnor 1976, Theorem 4.3
    I = np.array((2.0, 3.0, 4.0))
    system, lam = Top(), np.array([I[i] / np.sqrt(np.prod(I)) for i in range(3)])
    mu = 0.5 * np.sum(lam) - lam
    R = SO(3).exp(jnp.array([0.3, -0.2, 0.9]))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        K = lam[k] * mu[k] - mu[i] * mu[j]
        found = geometry.sectional_curvature(system, R, np.eye(3)[i], np.eye(3)[j])
        assert np.isclose(found, K, rtol=1e-12)


# -- connections from their torsion --------------------------------------------------------------


def test_the_connection_has_the_torsion_and_is_metric():
    system, q = Metric(3, bent), jnp.array([0.3, -0.4, 0.6])
    rng = np.random.default_rng(0)
    T = rng.normal(size=(3, 3, 3))
    T = T - np.swapaxes(T, 1, 2)

    def turning(system, q):
        return jnp.asarray(T) * (1.0 + q[0] ** 2)

    made = geometry.metric_connection(turning)
    assert np.allclose(geometry.torsion(system, q, made), turning(system, q), atol=1e-13)
    assert np.allclose(geometry.metric_defect(system, q, made), 0.0, atol=1e-13)
    S = geometry.contorsion(system, q, made)
    lower = np.einsum("ae,ebc->abc", np.asarray(bent(q)), np.asarray(S))  # (2.4)
    assert np.allclose(lower + np.einsum("cba->abc", lower), 0.0, atol=1e-13)
    # the printed signs give neither
    low = np.einsum("km,mbc->kbc", np.asarray(bent(q)), np.asarray(turning(system, q)))
    printed = -0.5 * (low + np.einsum("bck->kbc", low) + np.einsum("cbk->kbc", low))
    assert np.max(np.abs(np.einsum("kbc->bkc", printed) + np.einsum("kbc->bck", printed))) > 0.1


def test_a_group_is_flat_for_the_connection_of_its_own_torsion():
    # nabla_E E = 0 for left-invariant fields: metric for every left-invariant metric, T = -[ , ]
    system, R = Top(), SO(3).exp(jnp.array([0.3, -0.2, 0.9]))
    constants = np.asarray(jax.vmap(SO(3).ad, out_axes=1)(jnp.eye(3)))
    flat = geometry.metric_connection(-constants)
    assert np.allclose(flat(system, R), 0.0, atol=1e-14)
    assert np.allclose(geometry.curvature_tensor(system, R, flat), 0.0, atol=1e-14)
    assert np.allclose(jax.jit(lambda R: flat(system, R))(R), 0.0, atol=1e-14)
    none = geometry.metric_connection(np.zeros((3, 3, 3)))
    assert np.allclose(none(system, R), geometry.christoffel(system, R), atol=1e-14)


def test_a_torsion_that_is_none_is_refused():
    system, q = Metric(2, sphere), jnp.array([0.7, 0.2])
    with pytest.raises(da.UsageError, match="skew in its last two"):
        geometry.metric_connection(np.ones((2, 2, 2)))(system, q)
    with pytest.raises(da.UsageError, match=r"shape \(2, 2, 2\)"):
        geometry.metric_connection(np.zeros((3, 3, 3)))(system, q)


# -- lifts ---------------------------------------------------------------------------------------


def test_lifts_have_the_brackets_of_the_book():
    system = da.systems.NonholonomicParticle()
    X = lambda q: jnp.stack([q[1] * q[2], jnp.sin(q[0]), q[0] ** 2])
    Y = lambda q: jnp.stack([jnp.cos(q[2]), q[0] * q[1], 1.0 + q[1] ** 2])
    q, v = jnp.array([0.3, -0.4, 0.8]), jnp.array([0.5, 0.2, -0.7])

    def bracket(A, B):
        def flat(F):
            return lambda z: F(z[:3], z[3:])

        z = jnp.concatenate([q, v])
        a, b = flat(A), flat(B)
        return jax.jvp(b, (z,), (a(z),))[1] - jax.jvp(a, (z,), (b(z),))[1]

    up, over = (
        [f(system, F) for F in (X, Y, geometry.lie_bracket(X, Y))]
        for f in (geometry.vertical_lift, geometry.complete_lift)
    )
    assert np.allclose(bracket(over[0], over[1]), over[2](q, v), atol=1e-14)
    assert np.allclose(bracket(over[0], up[1]), up[2](q, v), atol=1e-14)
    assert np.allclose(bracket(up[0], up[1]), 0.0, atol=1e-14)


# -- subspaces -----------------------------------------------------------------------------------


def test_kinds_of_subspaces():
    omega = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.eye(3), np.zeros((3, 3))]])
    e = np.eye(6)
    kind = geometry.subspace_kind
    line = kind(omega, e[:, :1])
    assert line.isotropic and not line.coisotropic and not line.symplectic
    assert kind(omega, e[:, [0, 1, 2]]).lagrangian
    wide = kind(omega, e[:, [0, 1, 2, 3, 4]])
    assert wide.coisotropic and not wide.isotropic and wide.rank == 4
    plane = kind(omega, e[:, [0, 3]])
    assert plane.symplectic and not (plane.isotropic or plane.coisotropic)
    # a hyperplane is coisotropic, its complement a line that is isotropic, in any basis and units
    rng = np.random.default_rng(3)
    B = rng.normal(size=(6, 6)) * 10.0 ** np.arange(-3, 3)[:, None]
    moved = B.T @ omega @ B
    assert kind(moved, np.linalg.solve(B, e[:, :5])) == wide
    with pytest.raises(da.UsageError, match="degenerate"):
        kind(np.zeros((2, 2)), np.eye(2))
    with pytest.raises(da.UsageError, match="not"):
        kind(np.eye(2), np.eye(2))


def test_fibres_and_closed_forms_are_lagrangian():
    system = da.systems.Snakeboard()
    q, v = system.initial()
    omega = geometry.lagrangian_form(system, q, v)
    fibre = np.concatenate([np.zeros((5, 5)), np.eye(5)])
    assert geometry.subspace_kind(omega, fibre).lagrangian


# -- the characteristic distribution -------------------------------------------------------------


@pytest.mark.parametrize("name", ["NonholonomicParticle", "ModifiedParticle"])
def test_characteristic_distribution(name):
    system = getattr(da.systems, name)()
    states = geometry.sample_states(system, count=2)
    q, v = states.q[1], states.v[1]
    found = geometry.characteristic_distribution(system, q, v)
    assert found.rank == 2 * (3 - 1)  # F and TM
    A = np.asarray(dynamics.linear_constraint(system, q))
    assert np.allclose(A @ found.basis[:3], 0.0, atol=1e-12)
    X = np.concatenate([v, dynamics.acceleration(system, q, v)])
    assert np.allclose(found.basis @ (found.basis.T @ X), X, atol=1e-12)
    M = np.asarray(geometry.bracket_matrix(system, q, v))
    assert np.allclose(M @ found.casimirs.T, 0.0, atol=1e-12) and len(found.casimirs) == 2
    assert found.involutive == bool(geometry.is_integrable(system, q))


# -- the cocycle ---------------------------------------------------------------------------------


def test_translations_in_a_magnetic_field_have_a_cocycle():
    B = 1.7  # of L = v^2/2 + B (x y' - y x')/2; J = v + B (y, -x) up to sign, [J1, J2] = B
    group = Euclidean(2)

    def J(q, v):
        return v + B * jnp.stack([-q[1], q[0]])

    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(2, 5, 2))
    act = lambda g, q, v: (q + g, v)
    g, h = jnp.array([0.3, -0.8]), jnp.array([1.1, 0.4])
    found = geometry.coadjoint_cocycle(group, act, J, g, q, v)
    assert np.allclose(found.value, B * np.array([0.8, 0.3])) and not found.equivariant
    both = geometry.coadjoint_cocycle(group, act, J, g + h, q, v)
    other = geometry.coadjoint_cocycle(group, act, J, h, q, v)
    assert np.allclose(both.value, found.value + other.value)  # R^2 is Abelian
    with pytest.raises(da.UsageError, match="no momentum mapping"):
        geometry.coadjoint_cocycle(group, act, lambda q, v: q * v, g, q, v)


def test_planar_motions_are_equivariant_and_a_shift_of_their_momentum_is_a_coboundary():
    group = SE(2)

    def act(g, q, v):
        return g[:2, :2] @ q + g[:2, 2], g[:2, :2] @ v

    def J(q, v):  # along (shift x, shift y, turn)
        return jnp.stack([v[0], v[1], q[0] * v[1] - q[1] * v[0]])

    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, 5, 2))
    g, h = group.exp(jnp.array([0.4, -0.3, 0.9])), group.exp(jnp.array([-0.2, 0.7, 1.3]))
    assert geometry.coadjoint_cocycle(group, act, J, g, q, v).equivariant
    shift = jnp.array([0.5, -0.2, 0.7])
    moved = lambda q, v: J(q, v) + shift
    one = lambda x: geometry.coadjoint_cocycle(group, act, moved, x, q, v).value
    CoAd = np.asarray(group.Ad(group.inv(g)).T)
    assert np.allclose(one(g), shift - CoAd @ shift, atol=1e-12)
    assert np.allclose(one(group.mul(g, h)), one(g) + CoAd @ one(h), atol=1e-12)


# -- Gauss' principle ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Snakeboard", "ChaplyginBall", "Benenti"])
def test_the_motion_has_the_least_constraint(name):
    system = getattr(da.systems, name)()
    q, v = system.initial()
    a = dynamics.acceleration(system, q, v)
    found = geometry.gauss_principle(system, q, v, a)
    assert found.holds and found.distance < 1e-12
    # one that the constraint allows, and one that it does not
    P = np.asarray(dynamics.projectors(system, q, v)[0])
    allowed = np.asarray(a) + 0.1 * P @ np.cos(np.arange(system.dim))
    other = geometry.gauss_principle(system, q, v, allowed)
    assert not other.holds and other.violation < 1e-12 and other.constraint > other.least
    free = dynamics.free_acceleration(system, q, v)
    assert not geometry.gauss_principle(system, q, v, free).holds


class Falling(da.System):
    """A point over the ground, of different inertia along x and z."""

    space = Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v @ jnp.array([[2.0, 0.5], [0.5, 1.0]]) @ v) - 9.81 * q[1]


def test_one_sided_constraints_push_and_do_not_pull():
    system, v = Falling(), jnp.array([0.7, 0.0])
    ground = lambda q: q[1:] - 0.5 * q[:1] ** 2  # a bowl z = x^2/2
    q, G = jnp.zeros(2), np.array([[2.0, 0.5], [0.5, 1.0]])
    free = np.linalg.solve(G, [0.0, -9.81])
    # on the bowl z'' = x'^2 + x x'': by hand, at x = 0
    push = (0.49 - free[1]) / np.linalg.inv(G)[1, 1]
    held = free + np.linalg.inv(G)[:, 1] * push
    found = geometry.gauss_principle(system, q, v, held, gaps=ground)
    assert found.holds and np.allclose(found.reactions, push)
    assert not geometry.gauss_principle(system, q, v, free, gaps=ground).holds
    # off the ground nothing holds it, and a push from above is not asked for
    up = jnp.array([0.0, 0.3])
    assert geometry.gauss_principle(system, up, v, free, gaps=ground).holds
    ceiling = lambda q: -q[1:]
    found = geometry.gauss_principle(system, q, v, free, gaps=ceiling)
    assert found.holds and found.reactions == 0.0
    with pytest.raises(da.UsageError, match="impact"):
        geometry.gauss_principle(system, q, jnp.array([0.0, -1.0]), free, gaps=ground)
    with pytest.raises(da.UsageError, match="negative"):
        geometry.gauss_principle(system, -up, v, free, gaps=ground)
