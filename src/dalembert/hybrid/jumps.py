"""Compute one jump of the velocity: new constraints, walls with restitution, external impulses.

With p = dL/dv, rows R of all constraints that must hold afterwards, and an external impulse P,

    p+ = p- + P + R^T s,    R v+ = c - e (R v- - c)

c is the velocity that the rows prescribe (zero, or the right-hand side of an affine constraint). e
is the coefficient of restitution, zero for constraints that continue to hold. With e = 0, c = 0 and
P = 0 this is p+ = (1 - R^T C^-1 R G^-1) p-, (6.14) [C02]; with P it is (6.16) and (6.17) [C02].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ..dynamics import linear_constraint, linear_offset, metric, momentum
from ..errors import UsageError
from ..groupoids import move
from ..linalg import Forms, PerConstraint, Real, Vector, solve_spd
from ..system import Point, System, compiled_call
from .projection import Whitened

Numbers: TypeAlias = ArrayLike | Sequence[Any]  # what a caller may pass for an array


class Jump(NamedTuple):
    """A jump: velocities before and after, impulses of the rows, and energy lost.

    The change of the momentum is rows^T impulse (plus the external impulse). `rows` has the
    constraints of the system first, then the given rows. `energy_lost` is E(q, v-) - E(q, v+),
    negative if a moving constraint or an external impulse has done work. `energy_of_change` is
    |v+ - v-|^2 / 2 in the metric. By Carnot's theorem it equals `energy_lost` if e = 0 and nothing
    moves: theorem 6.3.3 [C02].
    """

    v_before: Vector
    v_after: Vector
    impulse: PerConstraint
    rows: Forms
    # If rank < number of rows, many impulses give the same `v_after`; `impulse` is the smallest.
    rank: int
    energy_lost: float
    energy_of_change: float


def jump_velocity(
    system: System,
    q: Point,
    v: Vector,
    rows: Forms | None = None,
    restitution: Real | PerConstraint = 0.0,
    *,
    t: Real = 0.0,
    offset: PerConstraint | None = None,
    external: Vector | None = None,
) -> Vector:
    """Return v+ of the jump onto the constraints of `system`, and onto `rows` with a restitution.

    `system` is the system after the jump; its constraints hold afterwards. This is pure JAX, for
    compiled runs; the result is NaN if the rows are linearly dependent. `jump` computes the same
    outside of JAX, with all arguments checked.
    """
    own, b = linear_constraint(system, q, t), linear_offset(system, t, q)
    forms, c = (own, b) if rows is None else _stacked(own, b, rows, offset)
    G = metric(system, q, v, t)
    target = c
    if rows is not None:
        e = jnp.broadcast_to(jnp.asarray(restitution, dtype=float), (rows.shape[0],))
        e = jnp.concatenate([jnp.zeros(own.shape[0]), e])
        target = c - e * (forms @ v - c)  # Newton's rule, remark 6.2.1 [C02]
    raised = solve_spd(G, forms.T)
    free = v if external is None else v + solve_spd(G, external)
    if forms.shape[0] == 0:
        return free
    return free + raised @ solve_spd(forms @ raised, target - forms @ free)


def jump(
    system: System,
    q: Point,
    v: Numbers,
    *,
    t: float = 0.0,
    rows: Numbers | None = None,
    offset: Numbers | None = None,
    restitution: Numbers = 0.0,
    rule: str = "newton",
    external: Numbers | None = None,
) -> Jump:
    """Return the jump at q from the velocity v onto the constraints of `system` and onto `rows`.

    `system` is the system after the jump; its constraints hold afterwards. `rows` are further
    one-forms that act at this instant only, such as the normal of a wall, which may move
    (`offset`). Their `restitution` is Newton's, rows v+ = -e rows v-, or Poisson's
    (`rule="poisson"`), by which the rebound returns e times the impulse that ends the approach. The
    two rules differ if several rows have different coefficients. `external` is an external impulse,
    a covector: that of a stroke (`impulse_at`), or of an impulsive control u, inputs(q)^T u.
    """
    if system.is_nonlinear:
        raise UsageError(
            f"{system.name()} has a constraint that is nonlinear in v: the direction of its "
            "reaction turns during a jump, so that the jump is not determined; write your own "
            "jump, or use linear rows"
        )
    if rule not in ("newton", "poisson"):
        raise UsageError(f"rule must be 'newton' or 'poisson', got {rule!r}")
    v = jnp.asarray(v, dtype=float)
    at = compiled_call(_facts, system, q, v, jnp.asarray(t, dtype=float))
    G, own, b, p = (np.asarray(x) for x in at)
    n, m = system.dim, own.shape[0]
    R = np.zeros((0, n)) if rows is None else _array("rows", rows, (-1, n))
    k = R.shape[0]
    c = np.zeros(k) if offset is None else _array("offset", offset, (k,))
    P = np.zeros(n) if external is None else _array("external", external, (n,))
    e = np.broadcast_to(_array("restitution", restitution, None), (k,)) if k else np.zeros(0)
    if not k and np.any(np.asarray(restitution) != 0.0):
        raise UsageError(
            "a restitution belongs to rows that push back: give `rows`, such as the normal of a "
            "wall. The constraints of the system itself hold after the jump"
        )
    if np.any(e < 0.0) or np.any(e > 1.0):
        raise UsageError(f"a coefficient of restitution lies between 0 and 1, got {restitution!r}")
    whitened = Whitened(G, system)
    result = whitened.basis(own)
    if result.rank < m:
        raise UsageError(
            f"{system.name()} has {m} constraints, of rank {result.rank} at this point: it is "
            "singular. Use `hybrid.jump_across`, which takes the constraint on the other side as "
            "the limit from there"
        )
    v0 = np.asarray(v)
    forms, prescribed = np.concatenate([own, R]), np.concatenate([b, c])
    approach = forms @ v0 - prescribed
    if rule == "newton":
        target = prescribed - np.concatenate([np.zeros(m), e]) * approach
        after, s, rank = whitened.nearest(v0, forms, target, P)
    else:
        # Poisson: the impulses that end the approach; those of `rows` then act 1 + e times
        _, s, rank = whitened.nearest(v0, forms, prescribed, P)
        if rank < m + k:
            raise UsageError(
                f"the {m + k} rows have rank {rank}, so that the impulse of each row, and with it "
                "Poisson's rule, is not determined; use Newton's"
            )
        pushed = P + R.T @ ((1.0 + e) * s[m:])
        after, held, _ = whitened.nearest(v0, own, b, pushed)
        s = np.concatenate([held, (1.0 + e) * s[m:]])
    _check_quadratic(system, q, after, t, [p, P, forms.T @ s])
    return made(G, v0, after, s, forms, rank)


def impulse_at(
    system: System, q: Point, place: Callable[[Point], jax.Array], impulse: Numbers
) -> Vector:
    """Return the covector of an impulse (N s) that acts at the material point `place(q)`.

    `place` follows the material point as q moves; P = (d place)^T impulse, along the fibre.
    """

    def moved(w: jax.Array) -> jax.Array:
        return place(move(system.groupoid, q, w))

    slope = jax.jacfwd(moved)(jnp.zeros(system.dim))
    return slope.T @ jnp.asarray(impulse, dtype=float)


def made(
    G: np.ndarray, v: np.ndarray, after: np.ndarray, s: np.ndarray, rows: np.ndarray, rank: int
) -> Jump:
    """Return a `Jump` with its energies."""
    change = after - v
    return Jump(
        v_before=jnp.asarray(v),
        v_after=jnp.asarray(after),
        impulse=jnp.asarray(s),
        rows=jnp.asarray(rows),
        rank=rank,
        # not as a difference of energies, in which a large potential causes cancellation
        energy_lost=float(-0.5 * change @ G @ (v + after)),
        energy_of_change=float(0.5 * change @ G @ change),
    )


# -- inside ---------------------------------------------------------------------------------------


def _stacked(own, b, rows, offset):
    c = jnp.zeros(rows.shape[0]) if offset is None else offset
    return jnp.concatenate([own, rows]), jnp.concatenate([b, c])


def _facts(system, q, v, t):
    own, b = linear_constraint(system, q, t), linear_offset(system, t, q)
    return metric(system, q, v, t), own, b, momentum(system, q, v, t)


def _array(name: str, value: object, shape: tuple[int, ...] | None) -> np.ndarray:
    array = np.asarray(value, dtype=float)
    if shape is not None and (
        array.ndim != len(shape) or any(w not in (-1, s) for w, s in zip(shape, array.shape))
    ):
        wanted = "(k, n)" if shape[0] == -1 else str(shape)
        raise UsageError(f"{name} must have shape {wanted}, n = {shape[-1]}; got {array.shape}")
    if not np.all(np.isfinite(array)):
        raise UsageError(f"{name} has entries that are not finite: {array}")
    return array


def _check_quadratic(
    system: System, q: Point, after: np.ndarray, t: float, parts: list[np.ndarray]
) -> None:
    """Raise `UsageError` unless the impulses lead to the momentum of v+.

    This holds only if the Lagrangian is quadratic in v, so that it has a metric.
    """
    values = np.asarray(compiled_call(momentum, system, q, jnp.asarray(after), jnp.asarray(t)))
    wanted, size = sum(parts), sum(np.max(np.abs(x), initial=0.0) for x in parts)
    if np.any(np.abs(values - wanted) > 1e-8 * size):
        raise UsageError(
            f"the Lagrangian of {system.name()} is not quadratic in v: its momentum after the "
            f"jump is {values}, and the impulses lead to {wanted}. Jumps need a Lagrangian that is "
            "quadratic in v"
        )
