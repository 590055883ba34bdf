"""Eliminate holonomic constraints: a coordinate follows from the others where g(q) = 0.

The remaining coordinates y describe the leaf g(q) = 0. With q = q(y) and q' = T(y) y', where T
solves Dg T = 0, the system on the leaf has L(q(y), T y'), the constraint matrix A(q(y)) T, and the
force F T. Its motions are those of the original system, without holonomic constraints, so that
reductions that need A(q) v = 0 apply to it: a body on a plane becomes one on R^2 x SO(3).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import holonomic_rows, linear_constraint
from ...errors import UsageError
from ...groupoids import Pair
from ...groups import Euclidean, Group, Product
from ...linalg import solve
from ...system import Generators, Invariants, Point, System, compiled_call, passed_on

_STEPS = 8  # Newton steps: 5 from a start of about the right size, 3 more for the derivatives
_CONVERGED = 1e-9  # last Newton step, relative to the coordinate
_SINGULAR = 1e-9  # least singular value of dg/d(coordinates), relative to the rows of Dg


class EliminatedSystem(System):
    """A system on the leaf g(q) = 0 of its holonomic constraints; made by `eliminated`.

    `gone` are the indices of the coordinates that follow from the others.
    """

    system: System
    guess: jax.Array  # start of Newton's method
    gone: tuple[int, ...] = eqx.field(static=True)
    affine: bool = eqx.field(static=True)  # g is affine in the coordinates: one step is exact

    @property
    def space(self) -> Group:
        factors = [
            Euclidean(factor.dim - len(inside)) if inside else factor
            for factor, inside in zip(_factors(self.system), self._inside())
        ]
        factors = [factor for factor in factors if factor.dim]
        return factors[0] if len(factors) == 1 else Product(*factors)

    def _inside(self) -> list[list[int]]:
        """Return, for each factor of the space, which of its coordinates are eliminated."""
        ends = np.cumsum([0, *(factor.dim for factor in _factors(self.system))])
        return [[i - a for i in self.gone if a <= i < b] for a, b in itertools.pairwise(ends)]

    def _kept(self) -> list[int]:
        return [i for i in range(self.system.dim) if i not in self.gone]

    # -- the leaf g(q) = 0

    def full(self, y: Point) -> Point:
        """Return q(y); NaN where Newton's method does not find the coordinates."""
        x = self.guess
        for step in range(1 if self.affine else _STEPS):
            q = self._placed(y, x)
            rows = holonomic_rows(self.system, q)[:, jnp.asarray(self.gone)]
            move = solve(rows, self.system.holonomic(q))
            x = x - move
            if step == _STEPS - 1:
                small = jnp.all(jnp.abs(move) <= _CONVERGED * (1.0 + jnp.abs(x)))
                x = jnp.where(small, x, jnp.nan)
        return self._placed(y, x)

    def _placed(self, y: Point, x: jax.Array) -> Point:
        """Return the configuration with x in the places of the eliminated coordinates."""
        factors, parts, used = _factors(self.system), [], 0
        left = list(y) if isinstance(self.space, Product) else [y]
        for factor, inside in zip(factors, self._inside()):
            if not inside:
                parts.append(left.pop(0))
                continue
            own = left.pop(0) if factor.dim > len(inside) else jnp.zeros(0)
            others = [i for i in range(factor.dim) if i not in inside]
            order = jnp.asarray(np.argsort([*others, *inside]))
            parts.append(jnp.concatenate([own, x[used : used + len(inside)]])[order])
            used += len(inside)
        return tuple(parts) if isinstance(_space(self.system), Product) else parts[0]

    def tangent(self, q: Point) -> jax.Array:
        """Return T, from the velocity on the leaf to the velocity of the original system."""
        kept, gone = jnp.asarray(self._kept()), jnp.asarray(self.gone)
        rows = holonomic_rows(self.system, q)
        follow = -solve(rows[:, gone], rows[:, kept])
        eye = jnp.eye(self.system.dim)
        return eye[:, kept] + eye[:, gone] @ follow

    def lifted(self, y: Point, v: jax.Array) -> tuple[Point, jax.Array]:
        """Return the state (q, v) of the original system."""
        q = self.full(y)
        return q, self.tangent(q) @ v

    def reduced(self, q: Point, v: jax.Array) -> tuple[Point, jax.Array]:
        """Return the state on the leaf that belongs to a state of the original system."""
        parts = list(q) if isinstance(_space(self.system), Product) else [q]
        left = []
        for factor, part, inside in zip(_factors(self.system), parts, self._inside()):
            if len(inside) < factor.dim:
                left.append(jnp.delete(part, np.asarray(inside)) if inside else part)
        y = tuple(left) if isinstance(self.space, Product) else left[0]
        return y, v[jnp.asarray(self._kept())]

    # -- the system

    def lagrangian(self, q, v):
        return self.system.lagrangian(*self.lifted(q, v))

    def constraint(self, q):
        q = self.full(q)
        return linear_constraint(self.system, q)[len(self.gone) :] @ self.tangent(q)

    def offset(self, t, q):
        return self.system.offset(t, self.full(q))

    def force(self, t, q, v):
        q, v = self.lifted(q, v)
        return self.system.force(t, q, v) @ self.tangent(q)

    def inputs(self, q):
        q = self.full(q)
        return self.system.inputs(q) @ self.tangent(q)

    def velocity_constraint(self, t, q, v):
        return self.system.velocity_constraint(t, *self.lifted(q, v))

    def initial(self):
        return self.reduced(*self.system.initial())

    has_offset = passed_on("system", "has_offset")
    has_force = passed_on("system", "has_force")
    has_inputs = passed_on("system", "has_inputs")
    is_nonlinear = passed_on("system", "is_nonlinear")
    conserves_energy = passed_on("system", "conserves_energy")

    @property
    def invariants(self) -> Invariants:
        known = dict(self.system.invariants)
        return {name: lambda q, v, f=f: f(*self.lifted(q, v)) for name, f in known.items()}

    @property
    def symmetry_generators(self) -> Generators:
        kept = np.asarray(self._kept())
        known = dict(self.system.symmetry_generators)
        return {name: lambda q, f=f: f(self.full(q))[kept] for name, f in known.items()}


def eliminated(system: System, coordinates: Sequence[int] | None = None) -> EliminatedSystem:
    """Return the system without its holonomic constraints and without as many coordinates.

    `coordinates` are indices of those that the constraints g(q) = 0 determine from the others, on
    R^n or in a factor R^n of a product; by default those along which g changes most at the initial
    data. If g is not affine in them, they are found by Newton's method from their initial values.
    The equations, runs and reductions of the result are those of the original system.
    """
    if not system.has_holonomic:
        raise UsageError(f"{system.name()} has no holonomic constraints to eliminate")
    factors = _factors(system)
    ends = np.cumsum([0, *(factor.dim for factor in factors)])
    flat = [
        i
        for factor, a, b in zip(factors, ends, ends[1:])
        if isinstance(factor, Euclidean)
        for i in range(int(a), int(b))
    ]
    q = system.initial()[0]
    rows = np.asarray(compiled_call(holonomic_rows, system, q))
    k = len(rows)
    if coordinates is None:
        gone = _pivots(rows, flat)
    else:
        gone = tuple(coordinates)
        whole = all(isinstance(i, int | np.integer) and not isinstance(i, bool) for i in gone)
        gone = tuple(sorted(int(i) for i in gone)) if whole else ()
        if len(set(gone)) != k or not set(gone) <= set(flat):
            raise UsageError(
                f"{system.name()} has {k} holonomic constraint{'s' * (k != 1)}: name as many "
                f"different coordinates among {flat} (indices, those of R^n), got {coordinates!r}"
            )
    own = rows[:, list(gone)] / np.linalg.norm(rows, axis=1, keepdims=True)
    least = float(np.min(np.linalg.svd(own, compute_uv=False))) if len(gone) == k else 0.0
    if not least > _SINGULAR:
        raise UsageError(
            f"the holonomic constraints of {system.name()} do not determine the coordinates "
            f"{gone or flat} at the initial data (least singular value {least:.1e}); give other "
            "`coordinates`"
        )
    guess = jnp.concatenate([jnp.ravel(x) for x in _euclidean(system, q)])
    guess = guess[jnp.asarray([flat.index(i) for i in gone])]
    out = EliminatedSystem(system, guess, gone, True)
    if _is_affine(out):
        return out
    return EliminatedSystem(system, guess, gone, False)


def title(system: System) -> str:
    """Return the name of the class that a user wrote, for messages."""
    return type(system.system if isinstance(system, EliminatedSystem) else system).__name__


def _is_affine(out: EliminatedSystem) -> bool:
    """Return whether one Newton step solves g = 0 from starts near and far, up to round-off."""
    y = out.initial()[0]
    for far in (0.3, -1.1, 7.0):
        moved = eqx.tree_at(lambda s: s.guess, out, out.guess + far)
        g, size = (np.asarray(x) for x in compiled_call(_left_over, moved, y))
        if not np.all(g <= 1e-12 * (size * (1.0 + abs(far)) + 1e-300)):
            return False
    return True


def _left_over(out: EliminatedSystem, y: Point):
    q = out.full(y)
    far = jnp.stack([jnp.max(jnp.abs(x), initial=1.0) for x in jax.tree.leaves(q)])
    rows = holonomic_rows(out.system, q)
    return jnp.abs(out.system.holonomic(q)), jnp.sum(jnp.abs(rows), axis=1) * jnp.max(far)


def _space(system: System) -> Group:
    space = system.space
    if isinstance(space, Pair):
        space = space.space
    if not isinstance(space, Group):
        raise UsageError(
            f"{system.name()} is on {space!r}: holonomic constraints are eliminated on R^n, on "
            "groups and their products"
        )
    return space


def _factors(system: System) -> tuple[Group, ...]:
    space = _space(system)
    return space.factors if isinstance(space, Product) else (space,)


def _euclidean(system: System, q: Point) -> list[jax.Array]:
    parts = q if isinstance(_space(system), Product) else (q,)
    return [x for x, factor in zip(parts, _factors(system)) if isinstance(factor, Euclidean)]


def _pivots(rows: np.ndarray, flat: list[int]) -> tuple[int, ...]:
    """Return the coordinates that the rows determine best, by elimination with pivots."""
    left, found = rows / np.linalg.norm(rows, axis=1, keepdims=True), []
    for _ in range(len(rows)):
        open_ = [i for i in flat if i not in found]
        sizes = np.linalg.norm(left[:, open_], axis=0)
        if not open_ or not np.max(sizes) > _SINGULAR:
            return ()
        column = left[:, open_[int(np.argmax(sizes))]] / np.max(sizes)
        found.append(open_[int(np.argmax(sizes))])
        left = left - np.outer(column, column @ left)
    return tuple(sorted(found))


__all__ = ["EliminatedSystem", "eliminated"]
