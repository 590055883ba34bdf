"""Equilibria, linearization on the constraint, and linear-quadratic regulators.

States on the constraint have the coordinates x = (w, y): q = curve(q0, w), and y are independent
velocities, chosen in the order of v. The other velocities follow from the
constraint, A(q) v = b. The matrices are exact derivatives of x' = f(x, u).
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..doors import Module
from ..dynamics import acceleration, consistent_velocity, linear_constraint, linear_offset, metric
from ..errors import UsageError
from ..geometry.distribution.growth_flag import adapted_basis
from ..groupoids import Pair
from ..groups import Euclidean, Group, Product
from ..inputs import driven
from ..linalg import solve
from ..names import find, vector
from ..system import Point, System, compiled_call
from .hypotheses import TIMES

_STEADY = 1e-8
# a velocity is independent if its row is at least at this (sine of an) angle to the others' span
_INDEPENDENT = 0.05
_SMALL = 1e-9  # entries below this fraction of the largest are round-off


@dataclasses.dataclass(frozen=True)
class Linearization:
    """x' = f + A x + B u near a state of the constraint, x = (w, y) as in the module docstring."""

    system: System
    q: Point
    v: np.ndarray
    u: np.ndarray
    A: np.ndarray
    B: np.ndarray
    rate: np.ndarray  # f at the state: zero at an equilibrium
    basis: np.ndarray  # dv/dy at the state, columns that span the distribution
    velocities: np.ndarray  # dv/dx of all velocities
    chosen: tuple[int, ...]  # y = v[chosen]
    names: tuple[str, ...]  # names of the entries of x: coordinates, then velocities
    equilibrium: bool  # whether the system is at rest and remains so
    steady: bool  # whether y' = 0 and A is constant along the motion: a relative equilibrium

    @property
    def eigenvalues(self) -> np.ndarray:
        """Return the eigenvalues of A, by decreasing real part."""
        values = np.linalg.eigvals(self.A)
        return values[np.lexsort((values.imag, -values.real))]

    @property
    def controllable(self) -> np.ndarray:
        """Return an orthonormal basis of the controllable space, the range of [B, A B, ...]."""
        result = np.zeros((len(self.A), 0))
        new = self.B
        for _ in range(len(self.A)):
            new = new - result @ (result.T @ new)
            new = new - result @ (result.T @ new)
            if not new.size:
                break
            u, s, _ = np.linalg.svd(new, full_matrices=False)
            new = u[:, s > 1e-9 * max(np.linalg.norm(self.B), 1e-300)]
            if not new.shape[1]:
                break
            result = np.column_stack([result, new])
            new = self.A @ new / max(np.linalg.norm(self.A), 1e-300)
        return result


def linearize(system: System, q: Point = None, v: Any = None, u: Any = None) -> Linearization:
    """Linearize the motion near (q, v) on the constraint, for small x and changes of the control.

    q defaults to the initial point and v to rest. Eigenvalues describe stability only if
    `equilibrium` or `steady` is True. Raises a `UsageError` for a nonholonomic constraint nonlinear
    in v, and for equations that depend on time through L, a force or the right-hand side of the
    constraint. Force and right-hand side are evaluated at `hypotheses.TIMES`.

    On a reduced system (`LieGroup`, `Reduced`, `Action`) x is the shape and the velocities, without
    the group: its equilibria, with v not zero, are relative equilibria of the motion (`steady`).
    """
    reduced = not isinstance(system.groupoid, Pair)
    for refused, what in (
        (system.is_nonlinear, "a nonlinear constraint"),
        (system.has_time, "a Lagrangian with time in it"),
        (system.has_timed_constraint, "a constraint with time in it"),
        (reduced and system.has_holonomic, "a reduced system with holonomic functions"),
    ):
        if not refused:
            continue
        raise UsageError(f"{what} is not linearized", about=system.name())
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    k = jax.eval_shape(lambda: system.inputs(q)).shape[0]
    controls = np.zeros(k) if u is None else np.asarray(u, dtype=float).reshape(k)
    velocity = jnp.zeros(system.dim) if v is None else jnp.asarray(v, dtype=float)
    near = compiled_call(consistent_velocity, system, q, velocity)
    if float(jnp.max(jnp.abs(near - velocity))) > 1e-8 * (1.0 + float(jnp.max(jnp.abs(velocity)))):
        raise UsageError(f"v is off the constraint; take {np.asarray(near)}", about=system.name())
    chosen = _independent(np.asarray(compiled_call(adapted_basis, system, q)[0]))
    parts = np.array(chosen, dtype=int), np.setdiff1d(np.arange(system.dim), chosen)
    values = compiled_call(_matrices, system, q, velocity, jnp.asarray(controls), *parts)
    rates, As, Bs, V, onward, leaf = (np.asarray(x) for x in values)
    if not all(np.all(np.isfinite(x)) for x in (rates, As, Bs)):
        raise UsageError("the linearization is not finite at this state", about=system.name())
    rate, A, B = rates[0], As[0], Bs[0]
    size = 1.0 + float(np.max(np.abs(A)))
    moved = [np.max(np.abs(x - x[0]), axis=tuple(range(1, x.ndim))) for x in (rates, As)]
    if np.any(moved[0] > _STEADY * size) or np.any(moved[1] > _STEADY * size):
        worst = int(np.argmax(np.maximum(*moved)))
        raise UsageError(
            "the equations depend on time (through a force or the right-hand side of the "
            f"constraint): from t = 0 to {TIMES[worst]:g} x' changes by {moved[0][worst]:.2e}, "
            f"its derivatives by {moved[1][worst]:.2e}; linearize a system whose terms do not "
            "depend on time",
            about=system.name(),
        )
    n, free = len(A) - len(chosen), len(chosen)
    names = [*_displacement_names(system), *(system.velocity_labels[i] for i in chosen)]
    if leaf.shape[0]:  # restrict w to the leaf g(q) = 0 of the holonomic constraints
        tangent = np.linalg.svd(leaf)[2][leaf.shape[0] :].T
        kept = list(_independent(tangent))
        wide = np.zeros((n + free, len(kept) + free))
        wide[:n, : len(kept)] = tangent @ np.linalg.inv(tangent[kept])
        wide[n:, len(kept) :] = np.eye(free)
        some = [*kept, *range(n, n + free)]  # the rows of `wide` that are the identity
        A, B, rate = (A @ wide)[some], B[some], rate[some]
        onward, V = (onward @ wide)[some], V @ wide
        names = [names[i] for i in some]
    settled = bool(np.max(np.abs(rate[len(rate) - free :]), initial=0.0) <= _STEADY * size)
    still = not np.any(np.asarray(velocity))
    same = bool(np.max(np.abs(onward - A)) <= _STEADY * size)
    if reduced:  # a relative equilibrium: the shape must be at rest; only the group part moves
        same = same and bool(np.max(np.abs(rate[:n]), initial=0.0) <= _STEADY * size)
    return Linearization(
        system, q, np.asarray(velocity), controls, A, B, rate, V[:, len(rate) - free :], V, chosen,
        tuple(names), equilibrium=settled and still, steady=settled and same,
    )  # fmt: skip


def _independent(columns: np.ndarray) -> tuple[int, ...]:
    """Return the first rows of a basis that are independent enough to determine all other rows."""
    count = columns.shape[1]
    size = np.linalg.norm(columns, axis=1)
    chosen: list[int] = []
    # nearly dependent rows are taken only if there are no others
    for least in (_INDEPENDENT, 1e-6):
        # the row of a velocity that the constraint fixes is round-off, in any direction
        for i in np.flatnonzero(size > _SMALL * np.max(size, initial=0.0)):
            if len(chosen) < count and i not in chosen:
                Q = np.linalg.qr(columns[chosen].T)[0]
                apart = columns[i] - Q @ (Q.T @ columns[i])
                if np.linalg.norm(apart) > least * size[i]:
                    chosen.append(int(i))
    return tuple(sorted(chosen))


def _displacement_names(system: System) -> list[str]:
    """Return the names of w: coordinate names for entries of q, else names such as `d Omega1`.

    On R^n, and on factors R^n of a product, w is the change of the coordinates.
    """
    labels, speeds = system.coordinate_labels, system.velocity_labels
    result, entry = [], 0

    def walk(space: Group) -> None:
        nonlocal entry
        for factor in space.factors if isinstance(space, Product) else (space,):
            if isinstance(factor, Product):
                walk(factor)
                continue
            flat = isinstance(factor, Euclidean)
            first, count = len(result), factor.dim
            names = labels[entry : entry + count] if flat else speeds[first : first + count]
            result.extend(names if flat else (f"d {name}" for name in names))
            entry += len(factor.element_names())

    walk(system.groupoid.base)
    return result


def _matrices(system, q, v, u, chosen, others):
    groupoid, space = system.groupoid, system.groupoid.base
    paired = isinstance(groupoid, Pair)
    n = system.dim if paired else space.dim
    y0 = v[chosen]

    def state(x, base, t):
        """Return (q, v) of the coordinates x."""
        if paired:
            at = groupoids.move(groupoid, base, x[:n])
        else:  # on a reduced system: displacements of the shape alone
            at = space.mul(base, space.exp(x[:n]))
        speed = jnp.zeros(system.dim).at[chosen].set(x[n:])
        if len(others):
            rows = linear_constraint(system, at)
            wanted = linear_offset(system, t, at) if system.has_offset else 0.0
            speed = speed.at[others].set(solve(rows[:, others], wanted - rows @ speed))
        return at, speed

    def rates(x, control, base, t):
        at, speed = state(x, base, t)
        a = acceleration(driven(system, control) if system.has_inputs else system, at, speed, t)
        if paired:
            moved = groupoid.coordinate_velocity(base, x[:n], speed)
        else:
            away = lambda s: space.log(  # noqa: E731
                space.mul(space.inv(base), groupoids.move(groupoid, at, s * speed))
            )
            moved = jax.jvp(away, (jnp.zeros(()),), (jnp.ones(()),))[1]
        rate = jnp.concatenate([moved, a[chosen]])
        return rate, rate

    x = jnp.concatenate([jnp.zeros(n), y0])
    # the point a little further along the motion
    further = groupoids.move(system.groupoid, q, 0.37 * v)
    times = TIMES if system.has_force or system.has_offset else TIMES[:1]
    bases = jax.tree.map(lambda *z: jnp.stack(z), *[q] * len(times), further)
    slopes = jax.jacfwd(rates, argnums=(0, 1), has_aux=True)
    each = jax.vmap(lambda base, t: slopes(x, u, base, t))
    (A, B), rate = each(bases, jnp.asarray((*times, 0.0)))
    leaf = jnp.zeros((0, system.dim))
    if system.has_holonomic:
        count = system.holonomic(q).shape[0]
        leaf = linear_constraint(system, q)[:count]
    V = jax.jacfwd(lambda x: state(x, q, 0.0)[1])(x)
    return rate[:-1], A[:-1], B[:-1], V, A[-1], leaf


class Feedback(Module):
    """u = u0 - K x with x = (w, y) of the state, measured from an equilibrium.

    For a relative equilibrium w is measured from its position at the time, q0 + t v0.
    """

    system: System
    q0: Point
    v0: jax.Array
    y0: jax.Array
    onto: jax.Array  # y = onto v, the independent velocities
    u0: jax.Array
    K: jax.Array
    limit: jax.Array | None = None  # bound of each |u|, if any

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        here = groupoids.move(self.system.groupoid, self.q0, t * self.v0)
        w = self.system.groupoid.coordinates((here, q))
        x = jnp.concatenate([w, self.onto @ v - self.y0])
        u = self.u0 - self.K @ x
        return u if self.limit is None else jnp.clip(u, -self.limit, self.limit)


class Disturbed(Module):
    """A feedback law with added noise: u = control(t, q, v) + noise(t)."""

    control: Any
    noise: Any

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        return self.control(t, q, v) + self.noise(t)


class Uncontrolled(NamedTuple):
    """A combination of states that no control changes: c = row . x, with c' = rate . c.

    c is the vector of all such combinations, and `rate` has one entry for each of them. Under the
    feedback the state approaches the sum over them of `ends` times c, its limit if c is constant.
    """

    name: str  # such as "x - 0.12 d Omega2"
    row: np.ndarray
    rate: np.ndarray
    ends: np.ndarray
    weighted: bool  # weighted by Q and not decaying: the feedback cannot bring the state to zero

    @property
    def constant(self) -> bool:
        """Whether c is constant."""
        return not np.any(self.rate)


class Regulator(NamedTuple):
    """A feedback law, its closed-loop eigenvalues, and the uncontrollable part of the system."""

    feedback: Feedback
    K: np.ndarray
    eigenvalues: np.ndarray
    left_alone: np.ndarray  # eigenvalues of the uncontrollable part
    uncontrolled: tuple[Uncontrolled, ...] = ()
    warnings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # names of the states x that K multiplies

    def __str__(self) -> str:
        rates = np.array2string(np.sort_complex(self.eigenvalues), precision=3)
        lines = [f"feedback on {', '.join(self.names)}; eigenvalues {rates}"]
        for x in self.uncontrolled:
            lines.append(f"no control changes {_becomes(x, self.uncontrolled, self.names)}")
        return "\n".join((*lines, *(f"warning: {text}" for text in self.warnings)))


def lqr(linear: Linearization, Q: Any = None, R: Any = None, *, limit: Any = None) -> Regulator:
    """Compute the feedback that minimizes the integral of x Q x + u R u near an equilibrium.

    On R^n also near a relative equilibrium, a motion at constant velocity (`linear.steady`).

    Q weighs the states: a matrix, a diagonal, or a dict of names, `{"x": 1.0, "theta_dot": 0.1}`,
    from `linear.names` and the system's velocities (those that follow from the constraint too);
    what it leaves out has no weight. By default coordinates have the weight 1 and velocities twice
    their kinetic energy. R weighs the controls, by default by 1; `limit` bounds each |u|. Both take
    dicts of the inputs' names as well; what they leave out has the weight 1, or no limit.

    Combinations of states that no control changes are listed in `uncontrolled`, with their
    behavior. If one of them grows, an error is raised. If one is weighted and does not decay, the
    feedback cannot bring all weighted states to zero (for example x and the rotation of a ball that
    rolls along x): it brings them to the smallest possible weight, and a warning says so.
    """
    from scipy.linalg import solve_continuous_are, solve_sylvester

    name = linear.system.name()
    if not isinstance(linear.system.groupoid, Pair):
        raise UsageError(
            f"{name}: feedback is for systems that are not reduced: use the original one"
        )
    moving = linear.steady and isinstance(linear.system.space, Euclidean)
    if not (linear.equilibrium or moving):
        raise UsageError(
            f"{name}: feedback is for an equilibrium; here x' = "
            f"{np.array2string(linear.rate, precision=3)} (give u that holds it)"
        )
    if linear.system.has_holonomic:
        raise UsageError(f"{name}: feedback is not available with holonomic constraints")
    labels = linear.system.input_labels
    W, U = _state_weights(linear, Q), _weights("R", R, labels, 1.0)
    bound = _limits(limit, labels)
    reach = linear.controllable
    if not reach.shape[1]:
        raise UsageError(f"{name}: no control acts on the motion near this state (B = 0)")
    # x = reach z + rest c: z' = A z + beside c + B u, and c' = alone c
    rest = np.linalg.svd(reach.T)[2][reach.shape[1] :].T
    A, B, beside = reach.T @ linear.A @ reach, reach.T @ linear.B, reach.T @ linear.A @ rest
    alone = rest.T @ linear.A @ rest
    free = np.linalg.eigvals(alone) if len(alone) else np.zeros(0)
    size = 1.0 + np.linalg.norm(linear.A)
    if np.any(free.real > 1e-6 * size):
        raise UsageError(
            f"{name}: unstable directions that no control reaches, eigenvalues "
            f"{np.array2string(free, precision=3)}"
        )
    seen = reach.T @ W @ reach
    unseen = _without_weight(linear, reach, A, seen)
    if unseen:
        raise UsageError(
            f"{name}: no feedback for these weights: a motion of {', '.join(unseen)} that does not "
            f"decay has no weight in Q; give it one, Q={{{unseen[0]!r}: ...}}"
        )
    try:
        P = solve_continuous_are(A, B, seen, U)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise UsageError(f"{name}: no feedback for these weights: {error}") from None
    gain = np.linalg.solve(U, B.T @ P)
    # optimal feedforward for c, which controls cannot change but whose motion is known
    across = solve_sylvester((A - B @ gain).T, alone, -(reach.T @ W @ rest + P @ beside))
    K = gain @ reach.T + np.linalg.solve(U, B.T @ across) @ rest.T
    settled = solve_sylvester(A - B @ gain, -alone, reach.T @ (linear.B @ K - linear.A) @ rest)
    left = _uncontrolled(linear, rest, reach @ settled + rest, W)
    said = _said(name, left, linear.names)
    if said:
        warnings.warn(said[0], stacklevel=2)
    v0 = jnp.asarray(linear.v)
    onto = jnp.eye(len(v0))[np.asarray(linear.chosen, dtype=int)]
    feedback = Feedback(
        linear.system, linear.q, v0, onto @ v0, onto, jnp.asarray(linear.u), jnp.asarray(K), bound
    )
    return Regulator(
        feedback, K, np.linalg.eigvals(A - B @ gain), free, left, said, linear.names
    )  # fmt: skip


def _weights(what: str, given: Any, names: Iterable[str], otherwise: float) -> np.ndarray:
    """Return a matrix of weights from a matrix, its diagonal or a dict of names."""
    names = list(names)
    m = len(names)
    if given is None:
        return np.eye(m)
    if isinstance(given, Mapping):
        diagonal = np.full(m, otherwise)
        for key, value in given.items():
            diagonal[find(f"name in {what}", key, v=names)[1]] = float(value)
        given = diagonal
    W = np.asarray(given, dtype=float)
    W = np.diag(W) if W.ndim == 1 else W
    if W.shape != (m, m):
        raise UsageError(
            f"{what} must be ({m}, {m}), its diagonal, or a dict of {', '.join(names)}; got shape "
            f"{np.shape(given)}"
        )
    if not np.all(np.isfinite(W)) or np.min(np.linalg.eigvalsh(0.5 * (W + W.T)), initial=0) < 0:
        raise UsageError(f"{what} must be finite, and no weight negative")
    if what == "R" and np.min(np.linalg.eigvalsh(0.5 * (W + W.T)), initial=1.0) <= 0:
        raise UsageError("R must be positive: a control without a weight has no bound")
    return 0.5 * (W + W.T)


def _state_weights(linear: Linearization, Q: Any) -> np.ndarray:
    """Return Q as a matrix on x; weights of dependent velocities are expressed through x."""
    count = len(linear.names) - len(linear.chosen)
    if Q is None:
        W = np.eye(len(linear.names))
        G = np.asarray(metric(linear.system, linear.q))
        W[count:, count:] = linear.basis.T @ G @ linear.basis
        return W
    if not isinstance(Q, Mapping):
        return _weights("Q", Q, linear.names, 0.0)
    all_names = (*linear.names[:count], *linear.system.velocity_labels)
    rows = np.concatenate([np.eye(count, len(linear.names)), linear.velocities])
    return rows.T @ _weights("Q", Q, all_names, 0.0) @ rows


def _limits(limit: Any, names: tuple[str, ...]) -> jax.Array | None:
    if limit is None:
        return None
    if isinstance(limit, Mapping):
        limit = [float(x) for x in vector("name in limit", limit, names, np.inf)]
    values = np.asarray(limit, dtype=float)
    if values.shape not in ((), (1,), (len(names),)) or not np.all(values > 0):
        raise UsageError(
            f"limit bounds |u|: one positive number, or one of each of {', '.join(names)}; got "
            f"{limit}"
        )
    return jnp.asarray(np.broadcast_to(values, (len(names),)))


def _without_weight(
    linear: Linearization, reach: np.ndarray, A: np.ndarray, seen: np.ndarray
) -> list[str]:
    """Return the states in directions that do not decay and have no weight."""
    n = len(A)
    rows = [seen]
    for _ in range(n - 1):
        rows.append(rows[-1] @ A / max(np.linalg.norm(A), 1e-300))
    _, values, vectors = np.linalg.svd(np.concatenate(rows))
    hidden = vectors[np.sum(values > _SMALL * max(values[0], 1e-300)) :].T
    if not hidden.shape[1]:
        return []
    values, modes = np.linalg.eig(hidden.T @ A @ hidden)
    stay = np.real(values) > -1e-6 * (1.0 + np.linalg.norm(A))
    shares = np.max(np.abs(reach @ hidden @ modes[:, stay]), axis=1, initial=0.0)
    return [linear.names[i] for i in np.flatnonzero(shares > 0.1)]


def _uncontrolled(
    linear: Linearization, rest: np.ndarray, ends: np.ndarray, W: np.ndarray
) -> tuple[Uncontrolled, ...]:
    """Return uncontrollable combinations, with few states each, and their limits under feedback."""
    from scipy.linalg import schur

    if not rest.shape[1]:
        return ()
    mixed = _echelon(rest.T)  # rows = turn @ rest.T
    turn = mixed @ rest
    rates = turn @ (rest.T @ linear.A @ rest) @ np.linalg.inv(turn)
    ends = ends @ np.linalg.inv(turn)
    size = max(float(np.max(np.abs(linear.A))), 1e-300)
    rates = np.where(np.abs(rates) > _SMALL * size, rates, 0.0)
    ends = np.where(np.abs(ends) > 1e-7 * np.max(np.abs(ends)), ends, 0.0)
    result: Any = schur(rates, "complex", sort=lambda z: z.real > -1e-6 * (1 + size))
    # part that does not decay
    share = np.max(np.abs(result[1][:, : result[2]]), axis=1, initial=0.0)
    cost = np.sqrt(np.maximum(np.einsum("ik,ij,jk->k", ends, W, ends), 0.0))
    heavy = cost > 1e-6 * np.sqrt(max(np.max(np.abs(W)), 1e-300)) * np.max(np.abs(ends), axis=0)
    return tuple(
        Uncontrolled(_combination(row, linear.names), row, rate, end, bool(w and s > 1e-6))
        for row, rate, end, w, s in zip(mixed, rates, ends.T, heavy, share)
    )


def _echelon(rows: np.ndarray) -> np.ndarray:
    """Return rows of the same span in reduced echelon form, so that each has few entries."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        best = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[best, column]) < 1e-6:  # rows are orthonormal at first
            continue
        rows[[done, best]] = rows[[best, done]]
        rows[done] /= rows[done, column]
        for i in range(len(rows)):
            if i != done:
                rows[i] -= rows[i, column] * rows[done]
        done += 1
    return np.where(np.abs(rows) > _SMALL * np.max(np.abs(rows), axis=1)[:, None], rows, 0.0)


def _combination(row: np.ndarray, names: Iterable[str]) -> str:
    """Return the text of a linear combination: "x - 0.12 d Omega2"."""
    text = ""
    for value, name in zip(row, names):
        if value:
            factor = "" if abs(abs(value) - 1.0) < 1e-9 else f"{abs(value):.4g} "
            sign = ("-" if value < 0 else "") if not text else (" - " if value < 0 else " + ")
            text += f"{sign}{factor}{name}"
    return text or "0"


def _becomes(x: Uncontrolled, all_of_them: tuple[Uncontrolled, ...], names: tuple[str, ...]) -> str:
    """Describe a combination, its motion, and its distribution over the states by the feedback."""
    others = [f"({y.name})" for y in all_of_them]
    text = "constant" if x.constant else f"its rate is {_combination(x.rate, others)}"
    shares = [(k, v) for k, v in zip(names, x.ends) if abs(v) > 1e-4]
    if len(shares) > 1 or shares[0][0] != x.name:
        text += f"; if it is 1, then in the end {', '.join(f'{k} = {v:.3g}' for k, v in shares)}"
    return f"{x.name} ({text})"


def _said(name: str, left: tuple[Uncontrolled, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    heavy = [x for x in left if x.weighted]
    if not heavy:
        return ()
    which = sorted({names[i] for x in heavy for i in np.flatnonzero(x.row)}, key=names.index)
    return (
        f"{name}: not all weighted states come to zero, because no control changes "
        f"{', '.join(_becomes(x, left, names) for x in heavy)}. Of {', '.join(which)} give a "
        f"weight only to states that can return to zero, Q={{{which[0]!r}: 1.0, ...}}",
    )


def equilibrium(
    system: System, guess: Point, u: Any = None, *, v: Any = None
) -> tuple[Point, np.ndarray]:
    """Find a configuration near `guess` at which the system remains at rest, and its controls.

    Controls are solved for together with q unless they are given; the nearest solution is taken.
    With `v`, projected onto the constraint, the result is a relative equilibrium: the motion
    continues with this v. Raises a `UsageError` if a force or the right-hand side of the constraint
    disturbs it at one of `hypotheses.TIMES`.
    """
    q = system.groupoid.base.check(guess, "guess")
    k = jax.eval_shape(lambda: system.inputs(q)).shape[0]
    fixed = None if u is None else jnp.asarray(u, dtype=float).reshape(k)
    control = jnp.zeros(k) if fixed is None else fixed
    speed = jnp.zeros(system.dim) if v is None else jnp.asarray(v, dtype=float)
    for _ in range(50):
        values = compiled_call(_held, system, q, control, speed)
        a, Jq, Ju = (np.asarray(x) for x in values)
        size = np.max(np.abs(a), initial=0.0)
        if not np.isfinite(size):
            break
        if size <= 1e-12 * (1.0 + np.max(np.abs(Jq))):
            _require_held(system, q, control, speed, float(1.0 + np.max(np.abs(Jq))))
            return q, np.asarray(control)
        J = np.concatenate([Jq, Ju], axis=1) if fixed is None else Jq
        step = np.linalg.lstsq(J, -a, rcond=1e-9)[0]
        q = groupoids.move(system.groupoid, q, jnp.asarray(step[: system.dim]))
        control = control + step[system.dim :] if fixed is None else control
    raise UsageError(f"{system.name()}: no equilibrium was found near the guess")


def _require_held(system: System, q: Point, u: Any, v: jax.Array, size: float) -> None:
    """Raise if a force or a moving constraint disturbs the equilibrium after t = 0."""
    if not (system.has_force or system.has_offset):
        return
    a = np.asarray(compiled_call(_pushes, system, q, jnp.asarray(u), v))
    worst = np.max(np.abs(a), axis=1)
    if not np.all(worst <= _STEADY * size):
        late = int(np.argmax(worst))
        raise UsageError(
            f"{system.name()}: in equilibrium at t = 0 only; at t = {TIMES[late]:g} it accelerates "
            f"by {worst[late]:.2e}, because a force or the constraint depends on time"
        )


def _pushes(system, q, u, v):
    """Return accelerations at `TIMES`, and the changes of velocity that the constraint requires."""
    made = driven(system, u) if system.has_inputs else system
    start = consistent_velocity(system, q, v)

    def at(t):
        here = consistent_velocity(system, q, v, t)
        return jnp.concatenate([acceleration(made, q, here, t), here - start])

    return jax.vmap(at)(jnp.asarray(TIMES))


def _held(system, q, u, v):
    def a(w, control):
        x = groupoids.move(system.groupoid, q, w)
        made = driven(system, control) if system.has_inputs else system
        return acceleration(made, x, consistent_velocity(system, x, v))

    zero = jnp.zeros(system.dim)
    return a(zero, u), jax.jacfwd(a)(zero, u), jax.jacfwd(a, argnums=1)(zero, u)


__all__ = [
    "Disturbed",
    "Feedback",
    "Linearization",
    "Regulator",
    "Uncontrolled",
    "equilibrium",
    "linearize",
    "lqr",
]
