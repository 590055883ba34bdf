"""Laws of the groups as properties, sampled near the identity on purpose, and misuse."""

import dataclasses
import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalembert.errors import UsageError
from dalembert.groups import (
    SE,
    SO,
    ArrayGroup,
    Euclidean,
    Group,
    Product,
    SpecialOrthogonal,
    stumpff,
)

MIXED = Product(Euclidean(2), SO(3), Product(SE(2), Euclidean(0)))
GROUPS = [Euclidean(0), Euclidean(3), SO(2), SO(3), SO(4), SE(2), SE(3), MIXED]
SIMPLE = [SO(2), SO(3), SO(4), SE(2), SE(3)]  # the formulas that the others are made of
CURVED = [SO(3), SO(4), SE(2), SE(3), MIXED]  # not commutative
SIZES = (0.0, 1e-9, 1e-8, 1e-5, 1e-2, 0.5, 1.0, 2.0)  # rotation angles stay below pi
TAUS = ("exp", "cay")
INVERSE = {"exp": "log", "cay": "cay_inv"}

# derivatives of derivatives compile slowly, and their speed is not what is tested
QUICK = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


class Compiled:
    """The methods of a group on NumPy arrays, each compiled once for the whole file."""

    def __init__(self, group: Group) -> None:
        self.group = group

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.group, name)
        if not callable(value):
            return value
        setattr(self, name, _on_numpy(jax.jit(value)))
        return getattr(self, name)

    @functools.cached_property
    def slope(self) -> Callable:
        """The derivative of the named method at x along y."""
        return functools.cache(
            lambda name: _on_numpy(
                jax.jit(lambda x, y: jax.jvp(getattr(self.group, name), (x,), (y,))[1])
            )
        )

    @functools.cached_property
    def adjoint_slope(self) -> Callable:
        """The derivative of Ad(tau(x)) lam at x along y."""
        G = self.group

        def make(tau: str) -> Callable:
            def f(x, y, lam):
                return jax.jvp(lambda z: G.Ad(getattr(G, tau)(z)) @ lam, (x,), (y,))[1]

            return _on_numpy(jax.jit(f))

        return functools.cache(make)


def _on_numpy(function: Callable) -> Callable:
    return lambda *args: jax.tree.map(np.asarray, function(*args))


compiled = functools.cache(Compiled)


def right(G: Group, X: Any, g: Any) -> Any:
    """The tangent vector X g at g, for X in the algebra."""
    if isinstance(G, Product):
        return tuple(right(*args) for args in zip(G.factors, X, g, strict=True))
    return X if isinstance(G, Euclidean) else X @ g


def left(G: Group, g: Any, X: Any) -> Any:
    """The tangent vector g X at g."""
    if isinstance(G, Product):
        return tuple(left(*args) for args in zip(G.factors, g, X, strict=True))
    return X if isinstance(G, Euclidean) else g @ X


def size(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0))


@st.composite
def vectors(draw: st.DrawFn, dim: int) -> np.ndarray:
    """A vector of norm at most 2, of any order of magnitude down to 0."""
    entry = st.floats(-1.0, 1.0, allow_subnormal=False)
    v = np.array(draw(st.lists(entry, min_size=dim, max_size=dim)))
    norm = math.sqrt(v @ v)
    return draw(st.sampled_from(SIZES)) * (v / norm if norm > 0 else v)


def law(count: int, tol: float = 2e-13, groups: list[Group] = GROUPS) -> Callable:
    """Make a test of a function (G, v1, ..., v_count) -> {name: residual that should vanish}."""

    def decorate(function: Callable) -> Callable:
        @pytest.mark.parametrize("group", groups, ids=repr)
        @settings(max_examples=30)
        @given(data=st.data())
        def test(group: Group, data: st.DataObject) -> None:
            drawn = [data.draw(vectors(group.dim)) for _ in range(count)]
            for name, residual in function(compiled(group), *drawn).items():
                assert size(residual) <= tol, name

        test.__name__, test.__doc__ = function.__name__, function.__doc__
        return test

    return decorate


# -- axioms --------------------------------------------------------------------------------------


@law(3)
def test_group_axioms(G, u, v, w):
    a, b, c, e = G.exp(u), G.cay(v), G.exp(w), G.identity()

    def differ(x, y):
        return G.flatten(x) - G.flatten(y)

    return {
        "associative": differ(G.mul(G.mul(a, b), c), G.mul(a, G.mul(b, c))),
        "left unit": differ(G.mul(e, a), a),
        "right unit": differ(G.mul(a, e), a),
        "left inverse": differ(G.mul(G.inv(a), a), e),
        "right inverse": differ(G.mul(a, G.inv(a)), e),
        "inverse of a product": differ(G.inv(G.mul(a, b)), G.mul(G.inv(b), G.inv(a))),
        "flatten and unflatten": differ(G.unflatten(G.flatten(a)), a),
    }


@law(2)
def test_values_stay_in_the_group(G, u, v):
    a, b = G.exp(u), G.cay(v)
    made = {"exp": a, "cay": b, "mul": G.mul(a, b), "inv": G.inv(a), "project": G.project(a)}
    return {name: np.where(G.is_element(g, 1e-13), 0.0, 1.0) for name, g in made.items()}


@law(2)
def test_hat_and_vee(G, u, v):
    line = G.flatten(G.hat(u + 2.0 * v)) - G.flatten(G.hat(u)) - 2.0 * G.flatten(G.hat(v))
    return {"vee hat": G.vee(G.hat(v)) - v, "linear": line}


@law(1, tol=1e-14)
def test_retractions_and_their_inverses(G, v):
    # relative to |v|: the small entries must not drown in the 1 of the identity
    scale = size(v) or 1.0
    out = {}
    for tau in TAUS:
        f, f_inv = getattr(G, tau), getattr(G, INVERSE[tau])
        out[f"{tau} round trip"] = 0.5 * (f_inv(f(v)) - v) / scale
        out[f"{tau}(-x) = inv {tau}(x)"] = G.flatten(f(-v)) - G.flatten(G.inv(f(v)))
        out[f"{tau}(0)"] = G.flatten(f(0.0 * v)) - G.flatten(G.identity())
    return out


# -- adjoint representation ----------------------------------------------------------------------


@law(3)
def test_adjoint_action(G, u, v, w):
    g, h = G.exp(u), G.cay(v)
    conjugate = G.vee(right(G.group, left(G.group, g, G.hat(w)), G.inv(g)))
    return {
        "Ad(g) w = g w g^-1": G.Ad(g) @ w - conjugate,
        "homomorphism": G.Ad(G.mul(g, h)) - G.Ad(g) @ G.Ad(h),
        "inverse": G.Ad(G.inv(g)) @ G.Ad(g) - np.eye(G.dim),
        "keeps the bracket": G.Ad(g) @ (G.ad(v) @ w) - G.ad(G.Ad(g) @ v) @ (G.Ad(g) @ w),
    }


@law(3)
def test_bracket(G, u, v, w):
    bracket = G.ad(v) @ w
    cyclic = ((u, v, w), (v, w, u), (w, u, v))
    out = {
        "derivative of Ad": G.adjoint_slope("exp")(0.0 * v, v, w) - bracket,
        "antisymmetric": bracket + G.ad(w) @ v,
        "Jacobi": sum(G.ad(a) @ (G.ad(b) @ c) for a, b, c in cyclic),
        "ad of a bracket": G.ad(bracket) - (G.ad(v) @ G.ad(w) - G.ad(w) @ G.ad(v)),
    }
    if G.group in SIMPLE:
        X, Y = G.hat(v), G.hat(w)
        out["commutator"] = G.vee(X @ Y - Y @ X) - bracket
    return out


# -- trivialized tangents ------------------------------------------------------------------------


@law(2)
def test_dtau_is_the_right_trivialized_tangent(G, x, y):
    """[F15] Definition 9.1, and the left-trivialized tangent as dtau_{-x}."""
    out = {}
    for tau in TAUS:
        d, g, moved = getattr(G, f"d{tau}"), getattr(G, tau)(x), G.slope(tau)(x, y)
        as_right = right(G.group, G.hat(d(x) @ y), g)
        as_left = left(G.group, g, G.hat(d(-x) @ y))
        out[f"right d{tau}"] = G.flatten(moved) - G.flatten(as_right)
        out[f"left d{tau}"] = G.flatten(moved) - G.flatten(as_left)
    return out


@pytest.mark.parametrize("tau", TAUS)
@pytest.mark.parametrize("group", CURVED, ids=repr)
def test_left_formula_fails_as_right_one(group, tau):
    """The mistake of sign that small steps hide: dtau_{-x} in place of dtau_x is O(|x|) off."""
    G = compiled(group)
    x = 0.1 * np.cos(np.arange(G.dim) + 0.3)
    y = np.sin(2.0 * np.arange(G.dim) + 1.0)
    wrong = right(group, G.hat(getattr(G, f"d{tau}")(-x) @ y), getattr(G, tau)(x))
    off = size(G.flatten(G.slope(tau)(x, y)) - G.flatten(wrong))
    assert off > 0.1 * size(G.ad(x) @ y) > 1e-3


@law(1)
def test_dtau_inv(G, x):
    out = {}
    for tau in TAUS:
        d, d_inv = getattr(G, f"d{tau}")(x), getattr(G, f"d{tau}_inv")(x)
        out[f"d{tau} d{tau}_inv"] = d @ d_inv - np.eye(G.dim)
        out[f"d{tau}_inv d{tau}"] = d_inv @ d - np.eye(G.dim)
    return out


@law(3)
def test_lemmas_of_the_appendix(G, x, y, lam):
    """[F15] Lemmas 9.3, 9.4, 9.5 and the dual: (dtau_inv_{-x})^T = Ad*_{tau(x)} (dtau_inv_x)^T."""
    g = G.cay(x)
    varied = G.slope("Ad")(g, left(G.group, g, G.hat(y))) @ lam
    out = {"9.3": varied + G.Ad(g) @ (G.ad(lam) @ y)}
    for tau in TAUS:
        f, d, d_inv = (getattr(G, name) for name in (tau, f"d{tau}", f"d{tau}_inv"))
        A = G.Ad(f(x))
        out[f"9.4 {tau}"] = G.adjoint_slope(tau)(x, y, lam) + G.ad(A @ lam) @ (d(x) @ y)
        out[f"9.5 (53) {tau}"] = d(x) - A @ d(-x)
        out[f"9.5 (54) {tau}"] = d_inv(x) - d_inv(-x) @ G.Ad(f(-x))
        out[f"dual {tau}"] = d_inv(-x).T @ lam - A.T @ (d_inv(x).T @ lam)
    return out


@law(1)
def test_dexp_series(G, x):
    """The sum of ad^j/(j+1)!, and of B_j ad^j/j! with B_1 = -1/2."""
    power, dexp, dexp_inv = np.eye(G.dim), np.zeros((G.dim,) * 2), np.zeros((G.dim,) * 2)
    for j, b in enumerate(_bernoulli_numbers(50)):
        dexp = dexp + power / float(math.factorial(j + 1))
        dexp_inv = dexp_inv + power * float(b / math.factorial(j))
        power = power @ G.ad(x)
    return {"dexp": G.dexp(x) - dexp, "dexp_inv": G.dexp_inv(x) - dexp_inv}


@functools.cache
def _bernoulli_numbers(last: int) -> list[Fraction]:
    numbers: list[Fraction] = []
    for m in range(last + 1):
        rest = sum((math.comb(m + 1, k) * b for k, b in enumerate(numbers)), Fraction(0))
        numbers.append(Fraction(int(m == 0)) - rest / (m + 1))
    return numbers


# -- derivatives through zero --------------------------------------------------------------------

LINE = (0.0, 1e-9, 1e-8, 1e-5, 1e-2, 0.3, 1.0)


def ray(dim: int) -> np.ndarray:
    v = np.sin(3.0 * np.arange(dim) + 1.0)
    return v / np.linalg.norm(v)


@pytest.mark.parametrize("tau", TAUS)
@pytest.mark.parametrize("group", SIMPLE, ids=repr)
def test_second_derivatives_of_a_round_trip(group, tau):
    """w . tau_inv(tau(v)) = w . v has gradient w and Hessian 0 (reverse, then forward mode)."""
    w, u = np.cos(np.arange(group.dim) + 0.7), np.cos(np.arange(group.dim) + 0.2)

    def trip(v):
        return w @ getattr(group, INVERSE[tau])(getattr(group, tau)(v))

    @functools.partial(jax.jit, compiler_options=QUICK)
    def both(v):
        return jax.jvp(jax.grad(trip), (v,), (u,))

    for scale in LINE:
        gradient, bend = both(scale * ray(group.dim))
        assert size(gradient - w) < 1e-14, scale
        assert size(bend) < 1e-13, scale


@law(1, tol=1e-12, groups=[SO(4), SE(2), SE(3)])
def test_derivatives_at_zero(G, v):
    """Taylor coefficients on the line t v at t = 0: x^3/6 for exp, x^3/4 for cay, and dtau's."""
    X, ad = G.hat(v), G.ad(v)
    jets = _jets(G.group)(v)
    out = {}
    for tau, cubic in (("exp", 1.0), ("cay", 1.5)):
        first, second, third = jets[tau]
        out[f"{tau}'"] = first - X
        out[f"{tau}''"] = second - X @ X
        out[f"{tau}'''"] = third - cubic * X @ X @ X
        out[f"d{tau}'"] = jets[f"d{tau}"][0] - 0.5 * ad
        out[f"d{tau}_inv'"] = jets[f"d{tau}_inv"][0] + 0.5 * ad
    out["dexp''"] = jets["dexp"][1] - ad @ ad / 3.0
    out["dexp_inv''"] = jets["dexp_inv"][1] - ad @ ad / 6.0
    return out


@functools.cache
def _jets(G: Group) -> Callable:
    """The first derivatives by t at 0 of each map along t v."""

    def along(function, order):
        out = []
        for _ in range(order):
            function = lambda t, f=function: jax.jvp(f, (t,), (1.0,))[1]
            out.append(function(0.0))
        return out

    orders = {"exp": 3, "cay": 3, "dexp": 2, "dexp_inv": 2, "dcay": 1, "dcay_inv": 1}

    def jets(v):
        return {
            name: along(lambda t, name=name: getattr(G, name)(t * v), order)
            for name, order in orders.items()
        }

    return _on_numpy(jax.jit(jets, compiler_options=QUICK))


@pytest.mark.parametrize("group", [SO(4), SE(2), SE(3)], ids=repr)
def test_hessians_of_the_tangents(group):
    """Against central differences of gradients: at 0, next to it, and at ordinary points."""
    weights = np.sin(np.arange(group.dim**2) + 0.5).reshape((group.dim, group.dim))

    def potential(v):
        tangents = group.dexp(v) + group.dexp_inv(v) + group.dcay(v) + group.dcay_inv(v)
        return jnp.sum(weights * tangents)

    u, h = np.cos(np.arange(group.dim) + 0.2), 1e-4

    @functools.partial(jax.jit, compiler_options=QUICK)
    def both(v):
        return jax.jvp(jax.grad(potential), (v,), (u,))

    for scale in LINE:
        v = scale * ray(group.dim)
        numeric = (both(v + h * u)[0] - both(v - h * u)[0]) / (2 * h)
        assert size(both(v)[1] - numeric) < 1e-6, scale


@pytest.mark.parametrize("group", [SE(2), SE(3)], ids=repr)
def test_second_derivatives_by_matrix_entries_are_finite(group):
    """Partial derivatives by entries leave the group; `grad` through user code takes them.

    SE(n) uses the formulas of SO(n).
    """
    weights = jnp.cos(jnp.arange(group.dim) + 0.5)

    def potential(g):
        close = group.project(g)
        return weights @ group.log(g) + weights @ group.cay_inv(g) + jnp.sum(close * close * close)

    second = jax.jit(lambda g, u: jax.jvp(jax.grad(potential), (g,), (u,)), compiler_options=QUICK)
    u = np.cos(np.arange(group.size)).reshape(group.shape)
    for scale in (0.0, 1e-9, 0.5):
        assert np.all(np.isfinite(second(compiled(group).exp(scale * ray(group.dim)), u))), scale


def test_functions_of_the_squared_angle():
    """Values by a long series; derivatives by dc_k/ds = (k c_{k+2} - c_{k+1})/2, twice."""
    points = np.array([0.0, 1e-300, 1e-18, 1e-9, 1e-3, 1.0, 3.999999, 4.0, 9.0, 39.0])
    value = lambda s: jnp.stack(stumpff(s))
    slope = lambda s: jax.jvp(value, (s,), (1.0,))[1]
    bend = jax.grad(lambda s, k: slope(s)[k])  # forward, then reverse mode
    values, slopes = (jax.jit(jax.vmap(f))(points) for f in (value, slope))
    bends = jax.jit(jax.vmap(lambda s: jnp.stack([bend(s, k) for k in range(6)])))(points)
    for i, s in enumerate(points):
        c = [math.fsum((-s) ** j / math.factorial(2 * j + k) for j in range(60)) for k in range(10)]
        d = [0.5 * (k * c[k + 2] - c[k + 1]) for k in range(8)]
        dd = [0.5 * (k * d[k + 2] - d[k + 1]) for k in range(6)]
        np.testing.assert_allclose(values[i], c[:6], rtol=0, atol=1e-14)
        np.testing.assert_allclose(slopes[i], d[:6], rtol=0, atol=1e-14)
        np.testing.assert_allclose(bends[i], dd, rtol=0, atol=1e-14)


# -- agreement of two ways -----------------------------------------------------------------------

MATRICES = ("ad", "dexp", "dexp_inv", "dcay", "dcay_inv")


def test_closed_forms_agree_with_general_so_n():
    flip = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])  # axes to pairs
    for n, S, unit in ((2, np.eye(1), [1.0]), (3, flip, [0.6, -0.64, 0.48])):
        G, general = compiled(SO(n)), compiled(SpecialOrthogonal(n))
        for scale in SIZES:
            v = scale * np.array(unit)
            g = G.exp(v)
            assert np.array_equal(general.hat(S @ v), G.hat(v))
            for name in TAUS:
                assert size(getattr(general, name)(S @ v) - getattr(G, name)(v)) < 1e-14
                inverse = INVERSE[name]
                assert size(getattr(general, inverse)(g) - S @ getattr(G, inverse)(g)) < 1e-13
            for name in MATRICES:
                ours = S @ getattr(G, name)(v) @ S.T
                assert size(getattr(general, name)(S @ v) - ours) < 1e-13
            noisy = g + 0.01 * np.sin(np.arange(n * n)).reshape((n, n))
            assert size(general.project(noisy) - G.project(noisy)) < 1e-14


def test_plane_motions_are_space_motions():
    """SE(2) inside SE(3): the rows and columns x, y of the translation and the turn about z."""
    plane, space = compiled(SE(2)), compiled(SE(3))
    keep = np.array([0, 1, 5])
    for scale in SIZES:
        v, w = scale * np.array([0.5, -0.3, 0.8]), np.zeros(6)
        w[keep] = v
        for name in ("hat", "exp", "cay"):
            big = getattr(space, name)(w)[np.ix_([0, 1, 3], [0, 1, 3])]
            assert size(getattr(plane, name)(v) - big) < 1e-15
        for name in MATRICES:
            big = getattr(space, name)(w)[np.ix_(keep, keep)]
            assert size(getattr(plane, name)(v) - big) < 1e-14


@pytest.mark.parametrize("group", [SO(2), SO(4), SE(3), MIXED], ids=repr)
def test_vmap_is_a_loop(group):
    G = compiled(group)
    batch = [s * np.cos(np.arange(G.dim) + s) for s in (0.0, 1e-9, 0.3, 1.0)]
    elements = [G.exp(v) for v in batch]
    names = (*MATRICES, "exp", "cay", "log", "cay_inv", "Ad")
    points = {name: elements if name in ("log", "cay_inv", "Ad") else batch for name in names}
    stacked = {k: jax.tree.map(lambda *x: np.stack(x), *v) for k, v in points.items()}
    mapped = lambda x: {k: jax.vmap(getattr(group, k))(x[k]) for k in names}
    together = jax.jit(mapped, compiler_options=QUICK)(stacked)
    for name in names:
        for i, x in enumerate(points[name]):
            one = jax.tree.map(lambda y, i=i: y[i], together[name])
            same = jax.tree.map(lambda a, b: size(a - b) < 1e-14, one, getattr(G, name)(x))
            assert all(jax.tree.leaves(same)), name


# -- the limits ----------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (0, 0, 1), (0.6, 0.0, -0.8), (2, -3, 6)])
@pytest.mark.parametrize("gap", [1e-1, 1e-6, 1e-12, 0.0])
def test_log_on_so3_up_to_a_half_turn(axis, gap):
    G = compiled(SO(3))
    w = (math.pi - gap) * np.array(axis) / np.linalg.norm(axis)
    R = G.exp(w)
    assert size(G.exp(G.log(R)) - R) < 1e-14
    if gap > 1e-9:  # at pi itself both signs of the axis are right
        assert size(G.log(R) - w) < 1e-14


@pytest.mark.parametrize("n", [4, 5])
def test_log_on_so_n_near_a_half_turn(n):
    """Accurate up to pi - 0.1, fewer digits beyond, and NaN instead of a wrong angle at pi."""
    G = compiled(SO(n))
    Q = G.exp(2.0 * ray(G.dim))
    for gap, tol in ((0.1, 1e-13), (1e-3, 1e-11), (1e-5, 1e-8)):
        turn = np.zeros((n, n))
        for k, angle in enumerate((math.pi - gap, 0.3)):
            turn[2 * k + 1, 2 * k], turn[2 * k, 2 * k + 1] = angle, -angle
        v = G.vee(Q @ turn @ Q.T)
        assert size(G.log(G.exp(v)) - v) < tol
    assert np.all(np.isnan(G.log(np.diag([-1.0, -1.0] + [1.0] * (n - 2)))))


@pytest.mark.parametrize("group", [SO(3), SO(4), SE(2), SE(3)], ids=repr)
@pytest.mark.parametrize("angle", [3.0, 5.0, 6.0])
def test_dexp_beyond_a_half_turn(group, angle):
    G = compiled(group)
    v, y = np.sin(np.arange(G.dim) + 2.0), np.cos(np.arange(G.dim))
    turn = v if group in (SO(3), SO(4)) else v[group.n :]
    v = v * (angle / np.linalg.norm(turn))
    assert size(G.slope("exp")(v, y) - G.hat(G.dexp(v) @ y) @ G.exp(v)) < 1e-12
    assert size(G.dexp_inv(v) @ G.dexp(v) - np.eye(G.dim)) < 1e-11


# -- projection, random elements -----------------------------------------------------------------


@pytest.mark.parametrize("noise", [1e-9, 1e-3, 0.1])
@pytest.mark.parametrize("group", [SO(2), SO(3), SO(4), SO(5)], ids=repr)
def test_projection_is_the_polar_factor(group, noise):
    G, rng = compiled(group), np.random.default_rng(7)
    X = G.exp(ray(G.dim)) + noise * rng.normal(size=group.shape)
    R = G.project(X)
    u, _, vt = np.linalg.svd(X)
    np.testing.assert_allclose(R, u @ vt, atol=2e-15)
    np.testing.assert_allclose(G.project(7.0 * X), R, atol=2e-15)


def test_projection_of_rigid_motions():
    G = compiled(SE(3))
    g = G.exp(ray(6)) + 1e-8 * np.cos(np.arange(16)).reshape((4, 4))
    assert np.array_equal(G.project(g)[3], [0.0, 0.0, 0.0, 1.0])
    assert np.array_equal(G.project(g)[:3, 3], g[:3, 3])
    assert G.is_element(G.project(g), 1e-14)


@pytest.mark.parametrize("G", [Euclidean(0), SO(4), MIXED], ids=repr)
def test_random_elements(G, key):
    @jax.jit
    @jax.vmap
    def draw(key):
        g = G.random(key)
        return G.flatten(g), G.is_element(g, 1e-13)

    flat, inside = draw(jax.random.split(key, 1000))
    assert np.all(inside)
    flat = np.asarray(flat)
    fixed = [i for i in range(G.size) if np.ptp(flat[:, i]) == 0]  # last rows of SE
    assert np.max(np.abs(np.delete(flat, fixed, axis=1).mean(axis=0)), initial=0.0) < 0.15
    assert G.size == flat.shape[1] == len(G.element_names())


def test_is_element_says_no():
    rotation, motion, mixed = compiled(SO(3)), compiled(SE(2)), compiled(MIXED)
    assert rotation.is_element(1.001 * np.eye(3), 0.01)
    assert not rotation.is_element(1.001 * np.eye(3), 1e-9)
    assert not rotation.is_element(-np.eye(3), 1e-9)
    assert not rotation.is_element(np.full((3, 3), math.nan), 1e-9)
    assert not compiled(Euclidean(3)).is_element(np.array([1.0, math.inf, 0.0]), 1e-9)
    bent, lost = np.eye(3), np.eye(3)
    bent[2, 0], lost[0, 2] = 1.0, math.nan
    assert motion.is_element(np.eye(3), 1e-9)
    assert not motion.is_element(bent, 1e-9)
    assert not motion.is_element(lost, 1e-9)
    assert not mixed.is_element((np.zeros(2), 2.0 * np.eye(3), (np.eye(3), np.zeros(0))), 1e-9)


# -- names, equality -----------------------------------------------------------------------------


def test_groups_are_values():
    assert SO(3) == SO(3)
    assert hash(SO(3)) == hash(SO(3))
    assert SO(3) != SO(4) != SE(3) != SE(2)
    assert Euclidean(3) != SO(3)
    assert Product(Euclidean(2), SO(3)) == Product(Euclidean(2), SO(3))
    assert Product(Euclidean(2), SO(3)) != Product(SO(3), Euclidean(2))
    assert repr(MIXED) == "Product(Euclidean(2), SO(3), Product(SE(2), Euclidean(0)))"
    assert [G.dim for G in GROUPS] == [0, 3, 1, 3, 6, 3, 6, 8]
    assert len({SO(2), SO(2), SE(2), Euclidean(1), Product(SO(2))}) == 4


def test_equal_groups_share_a_compilation():
    traces = []

    @functools.partial(jax.jit, static_argnums=0)
    def step(G, v):
        traces.append(G)
        return G.exp(v)

    step(SO(3), jnp.ones(3))
    step(SO(3), jnp.zeros(3))
    assert len(traces) == 1


def test_element_names():
    assert Euclidean(3).element_names() == ("q0", "q1", "q2")
    assert Euclidean(0).element_names() == ()
    assert SO(2).element_names("a_") == ("a_R00", "a_R01", "a_R10", "a_R11")
    assert SE(2).element_names()[-1] == "g22"
    assert Product(Euclidean(1), SO(2)).element_names() == ("q0", "R00", "R01", "R10", "R11")
    assert Product(Euclidean(1), Euclidean(2)).element_names() == ("0_q0", "1_q0", "1_q1")
    nested = Product(Euclidean(1), Product(Euclidean(1), Euclidean(1)))
    assert nested.element_names("x_") == ("x_q0", "x_0_q0", "x_1_q0")


def test_empty_product():
    G = Product()
    assert G.dim == G.size == 0
    assert G.exp(jnp.zeros(0)) == G.identity() == ()
    assert G.log(()).shape == (0,)
    assert G.Ad(()).shape == (0, 0)
    assert G.is_element(())


# -- misuse --------------------------------------------------------------------------------------


def test_check_returns_double_arrays():
    q = Product(Euclidean(2), SO(2)).check(([1, 2], np.eye(2, dtype=np.float32)), "q0")
    assert isinstance(q, tuple)
    assert all(isinstance(x, jax.Array) and x.dtype == jnp.float64 for x in q)
    assert Euclidean(0).check([], "q0").shape == (0,)
    assert SE(3).check(np.eye(4).tolist()).shape == (4, 4)


def test_check_under_a_transformation_looks_at_shapes_only():
    assert jax.jit(SO(3).check)(2.0 * jnp.eye(3)).shape == (3, 3)
    with pytest.raises(UsageError, match="shape"):
        jax.jit(SO(3).check)(jnp.eye(2))


REFLECTION = np.diag([1.0, 1.0, -1.0])


@pytest.mark.parametrize(
    "G, q, words",
    [
        (Euclidean(3), [1.0, 2.0], ["q0", "Euclidean(3)", "(3,)", "(2,)"]),
        (Euclidean(3), 1.0, ["(3,)", "1.0"]),
        (Euclidean(2), None, ["(2,)", "None"]),
        (Euclidean(2), ["a", "b"], ["q0", "real array"]),
        (Euclidean(2), [1.0, 2.0j], ["real array", "complex"]),
        (Euclidean(2), [[1.0], [1.0, 2.0]], ["(2,)", "a list of"]),
        (Euclidean(2), [1.0, math.nan], ["finite", "nan", "(1,)"]),
        (SO(3), np.eye(2), ["SO(3)", "(3, 3)", "(2, 2)"]),
        (SO(3), (np.zeros(2), np.eye(3)), ["SO(3)", "shape (2,)", "shape (3, 3)"]),
        (SO(3), np.full((3, 3), math.inf), ["finite", "inf", "(0, 0)"]),
        (SO(3), 1.01 * np.eye(3), ["not orthogonal: |R^T R - I| = 2.0e-02", "SO(3).project"]),
        (SO(3), REFLECTION, ["reflection", "det R = -1"]),
        (SE(2), np.ones((3, 3)), ["SE(2)", "last row", "[0.0, 0.0, 1.0]"]),
        (SE(2), np.diag([1.0, 2.0, 1.0]), ["not orthogonal", "SE(2).project"]),
        (MIXED, np.zeros(8), ["tuple of 3 elements", "shape (8,)"]),
        (MIXED, (np.zeros(2), np.eye(3)), ["tuple of 3 elements", "shape (2,)", "(3, 3)"]),
        (MIXED, (np.zeros(2), REFLECTION, (np.eye(3), [])), ["q0[1]", "reflection"]),
        (MIXED, (np.zeros(2), np.eye(3), (np.eye(3), [1.0])), ["q0[2][1]", "(0,)", "(1,)"]),
        (MIXED, "abc", ["tuple of 3 elements", "'abc'"]),
    ],
)
def test_check_says_what_is_wrong(G, q, words):
    with pytest.raises(UsageError) as error:
        G.check(q, "q0")
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Euclidean(-1),
        lambda: Euclidean(2.0),
        lambda: SO(1),
        lambda: SO("3"),
        lambda: SE(4),
        lambda: Product(3),
        lambda: Product(SO(3), SO),
    ],
)
def test_groups_that_do_not_exist(make):
    with pytest.raises(UsageError):
        make()


@dataclasses.dataclass(frozen=True)
class SixOfSO3(ArrayGroup):
    """What a group of one's own writes, and nothing else."""

    @property
    def dim(self):
        return 3

    @property
    def shape(self):
        return (3, 3)

    def mul(self, a, b):
        return a @ b

    def inv(self, a):
        return a.T

    def exp(self, v):
        return SO(3).exp(v)

    def log(self, g):
        return SO(3).log(g)


def test_what_a_group_does_not_write_follows_by_differentiation():
    G, own = SO(3), SixOfSO3()
    v, g = jnp.array([0.3, -0.5, 0.4]), G.exp(jnp.array([0.2, 0.9, -0.4]))
    given = {"Ad": g, "ad": v, "dexp": v, "dexp_inv": v, "hat": v, "vee": G.hat(v)}
    for name, x in given.items():
        found, wanted = getattr(own, name)(x), getattr(G, name)(x)
        np.testing.assert_allclose(found, wanted, atol=1e-14, err_msg=name)
    np.testing.assert_allclose(own.identity(), np.eye(3), atol=1e-16)
    np.testing.assert_allclose(own.cay_inv(own.cay(v)), v, atol=1e-15)
    assert own.element_names("R")[0] == "Rg0" and own.is_element(own.random(jax.random.key(0)))
