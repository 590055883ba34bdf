"""Verdicts on Chaplygin systems: equivalent statements, each tested independently.

| statement | what is equivalent | [C02] |
|---|---|---|
| second Hamel connection metric | average metric, B skew, average = Levi-Civita | Prop. 5.1.3 |
| projected connection = average | both = Levi-Civita | Prop. 5.1.4 |
| alpha vanishes | B skew, average = Levi-Civita | Cor. 5.3.2 |
| Xi closed | Xi vanishes | Prop. 5.4.2 |

If equivalent statements get different numerical answers, the verdict is "inconclusive". All
verdicts use samples near a shape.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.function import compiled_rows
from ...dynamics import acceleration, energy, momentum
from ...groupoids import Pair
from ...groups import Euclidean
from ...system import Point, System
from ..distribution.connection import differential, nonholonomic_christoffel
from ..distribution.growth_flag import ROUGH, require_linear
from ..symmetry.state_forms import exterior, pulled_back, state_at
from .chaplygin_reduction import Chaplygin, bracket_constants, raised
from .reduced_measure import (
    FORCED,
    LINEAR_TERMS,
    NOT_QUADRATIC,
    beta,
    degrees,
    natural_size,
    shapes_around,
    told,
)

TOLERANCE = 1e-9


@dataclasses.dataclass(frozen=True)
class Statement:
    """A statement, whether it holds on the samples, and the relative value that decides it."""

    text: str
    holds: bool
    value: float


@dataclasses.dataclass(frozen=True)
class Equivalence:
    """Statements that are equivalent by a theorem, and their common verdict."""

    theorem: str
    verdict: str  # "yes", "no", "inconclusive" or "does not apply"
    statements: tuple[Statement, ...]
    reason: str = ""

    def __str__(self) -> str:
        lines = [f"{self.theorem}: {told(self.verdict, self.reason)}"]
        return "\n".join(
            lines
            + [f"  {s.text}: {'yes' if s.holds else 'no'} ({s.value:.1e})" for s in self.statements]
        )


def hamel_average(chaplygin: Chaplygin, r: Point) -> jax.Array:
    """Return the symbols of the average of the two Hamel connections (5.1.1 [C02])."""
    first, second = chaplygin.hamel(r)
    return 0.5 * (first + second)


def gyroscopic_form(chaplygin: Chaplygin, r: Point, w: jax.Array) -> jax.Array:
    """Return Xi of (5.6) [C02] at (r, w): Xi_ab = K(w, E_a, E_b), alpha = i_X Xi; (s, s)."""
    return jnp.einsum("e,eab->ab", w, chaplygin.metric_tensor(r))


def almost_symplectic_form(chaplygin: Chaplygin, r: Point, w: jax.Array) -> jax.Array:
    """Return omega = omega_L* - Xi of (5.9) [C02] on (change of r, change of w); (2 s, 2 s)."""
    z = jnp.concatenate([jnp.zeros(chaplygin.shape), w])
    return _omega(chaplygin, r)(z)


def almost_symplectic_residual(chaplygin: Chaplygin, r: Point, w: jax.Array) -> jax.Array:
    """Return i_X omega - dE_L* of (5.9) [C02] at (r, w), which is zero without external forces."""
    reduced = chaplygin.reduced
    omega = almost_symplectic_form(chaplygin, r, w)
    X = jnp.concatenate([w, acceleration(reduced, r, w)])
    return omega.T @ X - differential(reduced, lambda x, u: energy(reduced, x, u), r, w)


def _omega(chaplygin: Chaplygin, r: Point) -> Callable[[jax.Array], jax.Array]:
    """Return omega near (r, .), in the chart of shape space at r, as a function of z."""
    reduced, s = chaplygin.reduced, chaplygin.shape

    def at(z: jax.Array) -> jax.Array:
        def theta(y: jax.Array) -> jax.Array:
            return pulled_back(reduced, r, y, momentum(reduced, *state_at(reduced, r, y)))

        x, w = state_at(reduced, r, z)
        Xi = gyroscopic_form(chaplygin, x, w)
        rows = jax.vmap(lambda row: pulled_back(reduced, r, z, row)[:s])(Xi)
        Xi = jax.vmap(lambda row: pulled_back(reduced, r, z, row)[:s])(rows.T).T
        return -exterior(theta, z) - jnp.zeros((2 * s, 2 * s)).at[:s, :s].set(Xi)

    return at


def conformal_residual(chaplygin: Chaplygin, r: Point, w: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the largest entries of dF ^ omega + d omega and of d omega, (5.11) [C02].

    dF = beta/(s - 1). The first is zero if omega is conformal to a closed form. (5.10) implies it;
    for s = 1 every two-form is closed.
    """
    s = chaplygin.shape
    z = jnp.concatenate([jnp.zeros(s), w])
    omega, slope = _omega(chaplygin, r)(z), jax.jacfwd(_omega(chaplygin, r))(z)  # [b, c, a]
    closed = _cyclic(jnp.moveaxis(slope, 2, 0))
    F = jnp.concatenate([beta(chaplygin, r) / max(s - 1, 1), jnp.zeros(s)])
    wedge = _cyclic(jnp.einsum("a,bc->abc", F, omega))
    return jnp.max(jnp.abs(wedge + closed)), jnp.max(jnp.abs(closed))


def _cyclic(x: jax.Array) -> jax.Array:
    return x + jnp.transpose(x, (1, 2, 0)) + jnp.transpose(x, (2, 0, 1))


# -- the equivalences -----------------------------------------------------------------------------


def chaplygin_verdicts(
    chaplygin: Chaplygin, *, at: Point = None, samples: int = 8, tolerance: float = TOLERANCE
) -> tuple[Equivalence, ...]:
    """Test all statements of Propositions 5.1.3, 5.1.4, 5.4.2 and Corollary 5.3.2 [C02]."""
    values = _values(chaplygin, at, samples)
    names = (
        "Hamel connections metric (Prop. 5.1.3)",
        "projected connection the average (Prop. 5.1.4)",
        "gyroscopic one-form zero (Cor. 5.3.2)",
        "gyroscopic two-form closed (Prop. 5.4.2)",
    )
    reason = ""
    if chaplygin.system.has_force:
        reason = FORCED
    elif values["higher"] > tolerance:
        reason = NOT_QUADRATIC
    elif values["linear"] > tolerance:
        reason = LINEAR_TERMS
    if reason:
        return tuple(Equivalence(name, "does not apply", (), reason) for name in names)

    def said(text: str, key: str) -> Statement:
        return Statement(text, values[key] <= tolerance, values[key])

    second = said("the second Hamel connection is metric", "second")
    average = said("the average of the Hamel connections is metric", "average")
    skew = said("the contorsion B is skew-symmetric", "skew")
    levi = said("the average is the Levi-Civita connection", "levi")
    alpha = said("the gyroscopic one-form vanishes", "alpha")
    same = said("the projected connection is the average", "same")
    all_same = said("both are the Levi-Civita connection", "all")
    closed = said("Xi is closed", "closed")
    zero = said("Xi vanishes", "zero")
    groups = ((second, average, skew, levi), (same, all_same), (alpha, skew, levi), (closed, zero))
    return tuple(_judged(name, found) for name, found in zip(names, groups))


def _judged(name: str, statements: tuple[Statement, ...]) -> Equivalence:
    answers = {s.holds for s in statements}
    if len(answers) > 1:
        why = (
            "statements that are equivalent are decided differently: the samples are too near zero"
        )
        return Equivalence(name, "inconclusive", statements, why)
    return Equivalence(name, "yes" if answers == {True} else "no", statements)


def _values(chaplygin: Chaplygin, at: Point, samples: int) -> dict[str, float]:
    base, s = chaplygin.base, chaplygin.shape
    center = chaplygin.reduced.initial()[0] if at is None else base.check(at, "at")
    rng = np.random.default_rng(17)
    shifts = 0.4 * rng.normal(size=(samples, s))
    shifts[0] = 0.0
    points = shapes_around(base, center, jnp.asarray(shifts))
    values = compiled_rows(_numbers, chaplygin, (points, rng.normal(size=(samples, s))))
    parts = {k: np.asarray(x) for k, x in values.items()}
    # compare each sample with the size of the terms of K there
    size = np.maximum(parts.pop("size"), 1e-300)
    plain = {"linear", "higher"}
    return {k: float(np.max(x if k in plain else x / size)) for k, x in parts.items()}


def _numbers(chaplygin: Chaplygin, r: Point, w: jax.Array) -> dict[str, jax.Array]:
    base, s = chaplygin.base, chaplygin.shape

    def largest(x):
        return jnp.max(jnp.abs(x), initial=0.0)

    G, levi = chaplygin.metric(r), chaplygin.levi_civita(r)
    dG = chaplygin.slopes(chaplygin.metric, r)  # [b, c, a]

    def metric_defect(gamma):
        lowered = jnp.einsum("dab,dc->abc", gamma, G)
        return jnp.moveaxis(dG, 2, 0) - lowered - jnp.swapaxes(lowered, 1, 2)

    def tensor(y):
        return chaplygin.metric_tensor(base.mul(r, base.exp(y)))

    slope, K = jax.jacfwd(lambda y: (tensor(y),) * 2, has_aux=True)(jnp.zeros(s))
    B, C = raised(G, K, last=True), raised(G, K, last=False)
    second = levi + jnp.swapaxes(B, 1, 2)  # (5.3) [C02]
    mean = levi + 0.5 * (B + jnp.swapaxes(B, 1, 2))
    projected = mean - 0.5 * C
    # d Xi, of Xi_ab = w^e K_eab, on three changes of r, or on two and a change of w
    turning = _cyclic(jnp.einsum("e,eabc->cab", w, slope))
    # size of the terms of K before they cancel; where these vanish, the size of its round-off
    rest = largest(levi) * largest(G) + largest(dG)
    size = jnp.maximum(natural_size(chaplygin, r), ROUGH * rest)
    linear, higher = degrees(chaplygin, r)
    return {
        "second": largest(metric_defect(second)),
        "average": largest(metric_defect(mean)),
        "skew": largest(B + jnp.swapaxes(B, 1, 2)) * largest(G),
        "levi": largest(mean - levi) * largest(G),
        "alpha": largest(chaplygin.gyroscopic(r, w)),
        "same": largest(projected - mean) * largest(G),
        "all": jnp.maximum(largest(projected - levi), largest(mean - levi)) * largest(G),
        "closed": jnp.maximum(largest(turning), largest(K)),
        "zero": largest(jnp.einsum("e,eab->ab", w, K)),
        "size": size,
        "linear": linear,
        "higher": higher,
    }


# -- Theorem 7.5.4 --------------------------------------------------------------------------------


_VARIATIONAL = "midpoint RDLA variational (Thm 7.5.4)"


def rdla_is_variational(chaplygin: Chaplygin, *, at: Point = None) -> Equivalence:
    """Test the hypotheses of Theorem 7.5.4 [C02]; if all hold, midpoint RDLA is variational.

    The hypotheses: shape space is linear, G is Abelian, A(r) is linear in r, and the reduced motion
    is Hamiltonian (alpha = 0). The theorem is not an equivalence: if one hypothesis fails it says
    nothing, and the verdict is "does not apply".
    """
    base = chaplygin.base
    linear = isinstance(base, Euclidean) and all(c is None for c in chaplygin.circles)
    brackets = float(np.max(np.abs(np.asarray(bracket_constants(chaplygin.group))), initial=0.0))
    values = _values(chaplygin, at, 8)
    bent = float("inf")
    if isinstance(base, Euclidean):
        bent = _bending(chaplygin, at)
    forces = chaplygin.system.has_force
    statements = (
        Statement("shape space is linear", linear, 0.0 if linear else 1.0),
        Statement("the group is Abelian", brackets == 0.0, brackets),
        Statement("A depends linearly on the shape", bent <= TOLERANCE, bent),
        Statement(
            "the reduced motion is Hamiltonian", values["alpha"] <= TOLERANCE, values["alpha"]
        ),
        Statement("no external force", not forces, float(forces)),
    )
    failed = [s.text for s in statements if not s.holds]
    if failed:
        why = "not so: " + "; ".join(failed)
        return Equivalence(_VARIATIONAL, "does not apply", statements, why)
    return Equivalence(_VARIATIONAL, "yes", statements)


def _bending(chaplygin: Chaplygin, at: Point) -> float:
    center = chaplygin.reduced.initial()[0] if at is None else chaplygin.base.check(at, "at")
    shifts = 0.4 * np.random.default_rng(19).normal(size=(4, chaplygin.shape))

    values = compiled_rows(_second, chaplygin, (np.asarray(center) + shifts,))
    bend, size = (np.asarray(x) for x in values)
    return float(np.max(bend / np.maximum(size, 1e-300)))


def _second(chaplygin, r):
    """Return the size of the second derivatives of A, and that of A and its first derivatives."""
    A, slope = chaplygin.connection(r), jax.jacfwd(chaplygin.connection)
    bend = jax.jacfwd(slope)(r)
    size = jnp.max(jnp.abs(A), initial=0.0) + jnp.max(jnp.abs(slope(r)), initial=0.0)
    return jnp.max(jnp.abs(bend), initial=0.0), size


# -- parallel transport ---------------------------------------------------------------------------


def parallel_transport(
    system: System,
    curve: Callable[[jax.Array], Point],
    X: jax.Array,
    *,
    steps: int = 200,
    connection: Callable[[System, Point], jax.Array] = nonholonomic_christoffel,
) -> jax.Array:
    """Transport X (vector or columns) along q = curve(s), 0 <= s <= 1, by nabla_q' X = 0, with RK4.

    The nonholonomic connection preserves D along any curve, and lengths and angles of vectors in D
    (it is metric there, E9). It does not preserve those of other vectors.
    """
    require_linear(system, "parallel transport", affine=True)
    groupoid = system.groupoid

    def rate(s: jax.Array, x: jax.Array) -> jax.Array:
        here = curve(s)

        def ahead(a: jax.Array) -> jax.Array:
            if isinstance(groupoid, Pair):
                space = groupoid.space
                return space.log(space.mul(space.inv(here), curve(a)))
            return groupoid.coordinates((here, curve(a)))

        v = jax.jvp(ahead, (s,), (jnp.ones(()),))[1]
        return -jnp.einsum("abc,b,c...->a...", connection(system, here), v, x)

    h = 1.0 / steps

    @jax.jit
    def run(x):
        def one(x, s):
            k1 = rate(s, x)
            k2 = rate(s + 0.5 * h, x + 0.5 * h * k1)
            k3 = rate(s + 0.5 * h, x + 0.5 * h * k2)
            k4 = rate(s + h, x + h * k3)
            return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        return jax.lax.scan(one, x, h * jnp.arange(steps))[0]

    return run(jnp.asarray(X, dtype=float))


__all__ = [
    "Equivalence",
    "Statement",
    "almost_symplectic_form",
    "almost_symplectic_residual",
    "chaplygin_verdicts",
    "conformal_residual",
    "gyroscopic_form",
    "hamel_average",
    "parallel_transport",
    "rdla_is_variational",
]
