"""Quadratic groups and action groupoids: axioms, and GNI and DLA on them."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dalembert as da
from compiled import jit
from dalembert import Lorentz, Quadratic, Sp, diagnostics, geometry
from dalembert.groupoids import Groupoid

GROUPS = [Sp(4), Lorentz(2, 1)]
REACH = 0.5  # of algebra elements: Cayley's map ends where hat(v) has the eigenvalue 2


def vectors(dim):
    entry = st.floats(-1.0, 1.0, allow_subnormal=False)
    return st.lists(entry, min_size=dim, max_size=dim).map(
        lambda x: REACH * np.array(x) / max(1.0, float(np.linalg.norm(x)))
    )


@functools.cache
def laws(G):
    """All residuals that should vanish, in one compilation."""
    e, P = jnp.eye(G.n), jnp.asarray(G.matrix)

    def of(u, v, w):
        a, b, c = G.exp(u), G.cay(v), G.exp(w)
        X, Y = G.hat(u), G.hat(v)
        slope = {t: jax.jvp(getattr(G, t), (u,), (v,))[1] for t in ("exp", "cay")}
        bracket = G.ad(u) @ v
        out = {
            "associative": (a @ b) @ c - a @ (b @ c),
            "inverse": G.inv(a) @ a - e,
            "inverse of a product": G.inv(a @ b) - G.inv(b) @ G.inv(a),
            "exp in the group": a.T @ P @ a - P,
            "cay in the group": b.T @ P @ b - P,
            "algebra": X.T @ P + P @ X,
            "vee hat": G.vee(X) - u,
            "exp(-x)": G.exp(-u) - G.inv(a),
            "cay(-x)": G.cay(-v) - G.inv(b),
            "log": G.log(a) - u,
            "cay_inv": G.cay_inv(b) - v,
            "Ad": G.hat(G.Ad(b) @ w) - b @ G.hat(w) @ jnp.linalg.inv(b),
            "homomorphism": G.Ad(a @ b) - G.Ad(a) @ G.Ad(b),
            "commutator": G.hat(bracket) - (X @ Y - Y @ X),
            "Jacobi": G.ad(bracket) - (G.ad(u) @ G.ad(v) - G.ad(v) @ G.ad(u)),
            "projection": G.project(a + 1e-3 * b) - G.project(G.project(a + 1e-3 * b)),
            "project in the group": (lambda y: y.T @ P @ y - P)(G.project(a + 1e-3 * b)),
        }
        for tau in ("exp", "cay"):
            d, g = getattr(G, f"d{tau}"), getattr(G, tau)(u)
            out[f"right d{tau}"] = slope[tau] - G.hat(d(u) @ v) @ g
            out[f"left d{tau}"] = slope[tau] - g @ G.hat(d(-u) @ v)
            out[f"d{tau}_inv"] = getattr(G, f"d{tau}_inv")(u) @ d(u) - jnp.eye(G.dim)
        wrong = slope["cay"] - G.hat(G.dcay(-u) @ v) @ G.cay(u)  # the mistake that h hides
        return {k: jnp.max(jnp.abs(x)) for k, x in out.items()}, jnp.max(jnp.abs(wrong))

    return jit(of)


@pytest.mark.parametrize("G", GROUPS, ids=repr)
@settings(max_examples=40)
@given(data=st.data())
def test_axioms_and_tangents(G, data):
    drawn = [data.draw(vectors(G.dim)) for _ in range(3)]
    for name, residual in laws(G)(*drawn)[0].items():
        assert float(residual) < 5e-13, name


@pytest.mark.parametrize("G", GROUPS, ids=repr)
def test_a_wrong_sign_of_the_tangent_is_seen(G):
    rng = np.random.default_rng(1)
    u, v, w = (REACH * rng.normal(size=G.dim) / np.sqrt(G.dim) for _ in range(3))
    assert float(laws(G)(u, v, w)[1]) > 1e-2


def test_known_cases_and_misuse():
    assert Sp(4).dim == 10 and Lorentz(2, 1).dim == 3 and Lorentz(3, 1).dim == 6
    assert repr(Sp(4)) == "Sp(4)" and Quadratic(np.diag([1.0, 1, -1])).dim == 3
    v = np.array([0.3, -0.2, 0.5, 0.1, 0.7, -0.4])
    plain = Quadratic(np.eye(4))  # SO(4), with its coordinates
    np.testing.assert_allclose(plain.exp(v), da.SO(4).exp(v), atol=1e-14)
    np.testing.assert_allclose(plain.dcay_inv(v), da.SO(4).dcay_inv(v), atol=1e-14)
    boost = np.asarray(Lorentz(1, 1).exp(jnp.array([0.7])))
    np.testing.assert_allclose(np.abs(boost), [[np.cosh(0.7), np.sinh(0.7)]] * 1
                               + [[np.sinh(0.7), np.cosh(0.7)]], atol=1e-14)  # fmt: skip
    for bad, words in (
        (np.array([[1.0, 2.0], [0.0, 1.0]]), "symmetric or antisymmetric"),
        (np.zeros((2, 2)), "regular"),
        (np.ones(3), "square"),
    ):
        with pytest.raises(da.UsageError, match=words):
            Quadratic(bad)
    with pytest.raises(da.UsageError, match="even"):
        Sp(3)
    with pytest.raises(da.UsageError, match="p, q >= 1"):
        Lorentz(2, 0)
    with pytest.raises(da.UsageError, match="Y\\^T P Y"):
        Sp(4).check(2.0 * np.eye(4))
    with pytest.raises(da.UsageError, match="component of the identity"):
        Lorentz(2, 1).check(np.diag([1.0, 1.0, -1.0]))
    assert bool(Sp(4).is_element(Sp(4).random(jax.random.key(0))))


# -- GNI on them ----------------------------------------------------------------------------------


class Rolling(da.System):
    """Left-invariant kinetic energy on a group, and a constraint without symmetry."""

    group: Groupoid | object = dataclasses.field(metadata={"static": True}, default=None)

    @property
    def space(self):
        return self.group

    def lagrangian(self, q, v):
        k = self.group.dim
        inertia = 1.0 + jnp.arange(k) / k
        return 0.5 * jnp.sum(inertia * v**2) + 0.1 * v[0] * v[1]

    def constraint(self, q):
        k = self.group.dim
        # one part fixed in space, one in the body
        fixed = jnp.sin(1.0 + jnp.arange(k)) @ self.group.Ad(q)
        return (fixed + 0.5 * jnp.cos(jnp.arange(k)))[None]

    def initial(self):
        k = self.group.dim
        q = self.group.exp(0.2 * jnp.cos(jnp.arange(k)))
        row = self.constraint(q)[0]
        v = 0.5 * jnp.cos(1.0 + 2.0 * jnp.arange(k))
        return q, v - row * (row @ v) / (row @ row)


@dataclasses.dataclass(frozen=True)
class LeftTurns:
    """Generators of the left action, in the body frame."""

    group: object

    def __call__(self, system, q):
        return self.group.Ad(self.group.inv(q))


@pytest.mark.parametrize("G", GROUPS, ids=repr)
def test_gni_keeps_its_discrete_momentum_equation(G):
    system = Rolling(G)
    left = geometry.Symmetry(LeftTurns(G), "left")
    rule = da.Midpoint()
    run = da.simulate(system, da.GNI(rule), h=0.05, steps=20)
    xi = geometry.section(system, left, np.cos(np.arange(G.dim)), check=False)
    found = diagnostics.discrete_momentum(system, left, xi, rule, run)
    assert np.max(found.invariance) < 1e-12  # of Ld: left-invariant
    assert np.max(np.abs(found.residual)) < 1e-12
    assert np.ptp(found.momentum) > 1e-3  # the section turns: no momentum is kept
    assert np.max(diagnostics.constraint_residual(system, run)) < 1e-12
    assert np.all(jit(jax.vmap(lambda q: G.is_element(q, 1e-12)))(run.q))
    if G != Lorentz(2, 1):
        return
    # RK4 leaves it: the equation is not automatic
    other = da.simulate(system, da.RK4(), h=0.05, steps=20)
    bad = diagnostics.discrete_momentum(system, left, xi, rule, other)
    assert np.max(np.abs(bad.residual)) > 1e-7


def test_gni_converges_on_the_lorentz_group():
    system = Rolling(Lorentz(2, 1))
    exact = da.simulate(system, da.Gauss(4), h=0.05, steps=20)
    errors = []
    for n in (20, 40):
        run = da.simulate(system, da.GNI(), h=1.0 / n, steps=n)
        errors.append(float(np.max(np.abs(run.q[-1] - exact.q[-1]))))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


# -- groupoids ------------------------------------------------------------------------------------


class HeavySuslov(da.System):
    """A heavy body that may not turn about one of its axes; x is gravity seen from it."""

    reduced: bool = True

    @property
    def space(self):
        return da.Action(da.Euclidean(3), da.SO(3)) if self.reduced else da.SO(3)

    def gravity(self, q):
        return q if self.reduced else q.T @ jnp.array([0.0, 0.0, 1.0])

    def lagrangian(self, q, v):
        I = jnp.array([[1.0, 0.1, 0.2], [0.1, 1.4, 0.0], [0.2, 0.0, 1.9]])
        return 0.5 * v @ (I @ v) - 0.8 * self.gravity(q) @ jnp.array([0.3, 0.1, 0.9])

    def constraint(self, q):
        return jnp.array([[0.0, 0.2, 1.0]])

    def initial(self):
        R = da.SO(3).exp(jnp.array([0.4, -0.3, 0.2]))
        q = R.T @ jnp.array([0.0, 0.0, 1.0]) if self.reduced else R
        return q, jnp.array([0.7, 0.5, -0.1])


@dataclasses.dataclass(frozen=True)
class Written(Groupoid):
    """The same action groupoid as a user writes it: the required parts and `coordinates`."""

    dim = 3
    base = da.Euclidean(3)

    def source(self, g):
        return g[0]

    def target(self, g):
        return g[1].T @ g[0]

    def unit(self, x):
        return (x, jnp.eye(3))

    def mul(self, g, h):
        return (g[0], g[1] @ h[1])

    def inv(self, g):
        return (g[1].T @ g[0], g[1].T)

    def curve(self, x, v):
        return (x, da.SO(3).cay(v))

    def coordinates(self, g):
        return da.SO(3).cay_inv(g[1])


class OnWritten(HeavySuslov):
    space = Written()


@pytest.mark.parametrize("method", [da.GNI(), da.DLA()], ids=lambda m: m.name)
def test_an_action_groupoid_runs_as_the_group_does(method):
    full = da.simulate(HeavySuslov(False), method, h=0.05, steps=40)
    part = da.simulate(HeavySuslov(), method, h=0.05, steps=40)
    runs = [part]
    if isinstance(method, da.GNI):  # DLA on what a user writes: `test_methods`
        runs.append(da.simulate(OnWritten(), method, h=0.05, steps=40))
    seen = np.einsum("kji,j->ki", full.q, [0.0, 0.0, 1.0])
    for run in runs:
        np.testing.assert_allclose(run.q, seen, atol=1e-11)
        np.testing.assert_allclose(run.v, full.v, atol=1e-11)
    # what is reduced comes back with the frame
    np.testing.assert_allclose(full.q[0] @ np.asarray(part.frame), full.q, atol=1e-11)
    assert np.max(np.abs(np.linalg.norm(part.q, axis=1) - 1.0)) < 1e-12
