"""Checks of a machine with NumPy, before anything is traced."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

import jax
import numpy as np

from ..errors import UsageError
from ..system import Point, is_traced
from . import columns
from .contacts import Skate, Wheel
from .grip import refuse_no_grip
from .motion import Rows, frames, inertia, started
from .surfaces import Plane
from .topology import Assembly, Layout, Row, layout_of
from .values import refuse_values
from .vectors import Vector, direction

# number of configurations at which constraint rows are evaluated, and a relative tolerance
_STATES = 3
_SMALL = 1e-9


def examined(machine: Assembly, thorough: bool = False) -> Layout:
    """Return the layout of a machine, without constraint rows that its joints already satisfy.

    `thorough` also checks for bodies without inertia and for linearly dependent constraints.
    """
    refuse_values(machine.parts)
    traced = is_traced(machine.parts)
    if traced:  # which rows the joints hold does not depend on parameter values: use arbitrary ones
        machine, thorough = Assembly(_stood_in(machine.parts)), False
    layout = layout_of(machine)
    every = (*layout.holonomic, *layout.rows)
    looked_at = _looked_at(machine, layout, every)
    states, slopes = [q for q, _ in looked_at], [s for _, s in looked_at]
    natural = _natural(layout, every, length_of(machine))
    held = {
        row
        for k, row in enumerate(every)
        if all(np.all(np.abs(s[k]) <= _SMALL * natural[k]) for s in slopes)
    }
    for row in held:
        if row in layout.holonomic and not traced:
            gap = float(_values(machine, layout, (row,), states[0])[0])
            if abs(gap) > _SMALL * (length_of(machine) if _is_length(row) else 1.0):
                raise UsageError(_off(machine, row, gap) + ", and its joints hold it there")
    free = [k for k, row in enumerate(every) if row not in held]
    levers = lever_arms(layout, length_of(machine))
    spare = _spare([every[k] for k in free], [s[free] / levers for s in slopes])
    layout = dataclasses.replace(
        layout,
        holonomic=tuple(r for r in layout.holonomic if r not in held and r not in spare),
        rows=tuple(r for r in layout.rows if r not in held),
        held=tuple(r.label for r in every if r in held),
    )
    if any(c.has_law for c in machine.contacts):
        dependent = _dependent(machine, layout, states)
        lawful = {c.label for c in machine.contacts if c.has_law}
        if dependent and all(_of_contact(machine, row) in lawful for row in dependent[0]):
            layout = dataclasses.replace(layout, redundant=True)
    if thorough:
        _check_inertia(machine, layout, states)
        _check_rank(machine, layout, states)
        _check_start(machine, layout)
    return layout


def _check_start(machine: Assembly, layout: Layout) -> None:
    numbers, _, turns, _ = started(machine, np)
    q = layout.joined(np.array(numbers, dtype=float), tuple(turns))
    every = (*layout.holonomic, *layout.rows)
    slopes = _slopes(machine, layout, every, q)
    if every and np.all(np.isfinite(slopes)):
        _refuse_axles(machine, layout, slopes)
        refuse_no_grip(machine, layout, q, slopes, lever_arms(layout, length_of(machine)))


def _refuse_axles(machine: Assembly, layout: Layout, slopes: np.ndarray) -> None:
    """Refuse a wheel whose axis differs from that of its hinge, if its height row vanishes.

    If the row vanishes at the start, turning would lift the wheel, and no method runs from there.
    """
    joints = {joint.body: joint for joint in machine.joints}
    natural = _natural(layout, layout.holonomic, length_of(machine))
    for k, row in enumerate(layout.holonomic):
        contact = machine.contacts[row.index] if row.kind == "contact" else None
        joint = joints[contact.body] if isinstance(contact, Wheel) else None
        if not isinstance(contact, Wheel) or joint is None or joint.hinge is None:
            continue
        axle, hinge = direction(contact.axis, np), direction(joint.hinge, np)
        turned = np.linalg.norm(np.cross(axle, hinge)) > 1e-6
        if turned and np.all(np.abs(slopes[k]) <= _SMALL * natural[k]):
            one, two = (f"({', '.join(f'{x:g}' for x in a)})" for a in (axle, hinge))
            raise UsageError(
                f"wheel '{contact.label}': its axis is {one}, and its joint '{joint.label}' turns "
                f"it about {two}, so that it does not roll",
                advice="Give Wheel(axis=...) and Revolute(axis=...) the same axis, or put the "
                "wheel on a body of its own",
            )


def _spare(rows: list[Row], slopes: list[np.ndarray]) -> set[Row]:
    """Return optional rows that depend on the others, such as those of a fourth wheel."""
    kept = [k for k, row in enumerate(rows) if not row.optional]
    found = set()
    for k in (k for k, row in enumerate(rows) if row.optional):
        if max(_rank(s[[*kept, k]])[0] for s in slopes) > max(_rank(s[kept])[0] for s in slopes):
            kept.append(k)
        else:
            found.add(rows[k])
    return found


def _rank(slopes: np.ndarray) -> tuple[int, np.ndarray]:
    """Return the rank of the rows, each scaled to length 1, and a basis of the left null space.

    The columns of this basis are combinations of rows that vanish.
    """
    sizes = np.linalg.norm(slopes, axis=1, keepdims=True)
    U, values, _ = np.linalg.svd(slopes / np.maximum(sizes, 1e-300))
    rank = int(np.sum(values > 1e-9 * values[0])) if len(values) else 0
    return rank, U[:, rank:]


def _stood_in(parts: Any) -> Any:
    """Return parts with arbitrary numbers in place of traced ones."""
    rng = np.random.default_rng(0)

    def number(x: Any) -> Any:
        if not is_traced(x):
            return x
        return _rotation(rng) if np.shape(x) == (3, 3) else rng.uniform(0.5, 1.5, np.shape(x))

    return jax.tree.map(number, parts)


def length_of(machine: Assembly) -> float:
    """Return a typical length of a machine in m, the scale for tolerances."""
    found = [0.0]
    for part in machine.parts:
        for holder in (part, getattr(part, "surface", None)):
            for name in _LENGTHS:
                value = getattr(holder, name, None)
                if value is not None and not is_traced(value):
                    value = value.array(np) if isinstance(value, Vector) else value
                    found.append(float(np.max(np.abs(np.asarray(value, dtype=float)))))
    return max(found) or 1.0


_LENGTHS = ("at", "child_at", "other_at", "center", "radius", "crown", "axes", "height")


def _is_length(row: Row) -> bool:
    """Return whether a row constrains a distance, not an angle or a joint coordinate."""
    return row.kind == "contact" or (row.kind == "loop" and row.row in "xyz")


def _turning(layout: Layout) -> np.ndarray:
    """Return which entries of v are angular velocities."""
    return np.array([i >= layout.size or layout.units[i] == "rad" for i in range(layout.dim)])


def lever_arms(layout: Layout, length: float) -> np.ndarray:
    """Return the factors that convert entries of v into speeds in m/s."""
    return np.where(_turning(layout), length, 1.0)


def _natural(layout: Layout, rows: tuple[Row, ...], length: float) -> np.ndarray:
    """Return the typical magnitude of each entry of the constraint rows, if it is not zero."""
    levers = lever_arms(layout, length)
    found = [levers if _is_length(row) else np.ones(layout.dim) for row in rows]
    return np.reshape(found, (len(rows), layout.dim))


def gaps_of(machine: Assembly, layout: Layout, q: Point) -> np.ndarray:
    """Return the values of the holonomic functions, with NumPy."""
    return _values(machine, layout, layout.holonomic, q)


def refuse_gaps(
    machine: Assembly, layout: Layout, q: Point, may_open: Collection[int] = ()
) -> bool:
    """Raise `UsageError` if something that should touch is open at the start.

    The rows in `may_open` may be open. Returns whether all rows are closed. Traced values are not
    checked.
    """
    if is_traced((machine.parts, q)) or not layout.holonomic:
        return True
    closed = True
    far = np.max(np.abs(layout.split(_plain(q))[0]), initial=0.0) if layout.size else 0.0
    length = length_of(machine)
    for i, (row, gap) in enumerate(zip(layout.holonomic, gaps_of(machine, layout, q))):
        if not np.isfinite(gap):
            raise UsageError(_nowhere(machine, row))
        if abs(gap) > 1e-7 * (length if _is_length(row) else 1.0) + 1e-14 * far:
            if i in may_open:
                closed = False
                continue
            raise UsageError(
                _off(machine, row, float(gap))
                + " at the start: q0, v0 = dalembert.parts.settle(system) closes it"
            )
    return closed


def settled(
    machine: Assembly, layout: Layout, q: Point, v: Any, keep: bool
) -> tuple[Any, np.ndarray]:
    """Return (q, v) with contacts closed and rolling, by projections in the metric, with NumPy.

    With `keep`, speeds that are not zero remain unchanged, and those that are zero follow.
    """
    q, v = _plain(q), np.asarray(v, dtype=float)
    every = (*layout.holonomic, *layout.rows)
    count = len(layout.holonomic)
    levers = np.where(_turning(layout), 1.0, length_of(machine))
    for _ in range(50 if count else 0):
        gaps = gaps_of(machine, layout, q)
        if not np.all(np.isfinite(gaps)):
            row = layout.holonomic[int(np.argmax(~np.isfinite(gaps)))]
            raise UsageError(_nowhere(machine, row))
        slopes = _slopes(machine, layout, layout.holonomic, q)
        move = _pulled(machine, layout.holonomic, slopes, _metric(machine, layout, q), gaps)
        q = _moved(layout, q, move)
        if np.max(np.abs(gaps)) == 0.0 or np.max(np.abs(move / levers)) < 1e-16:
            break
    if every:
        here = Rows(machine, layout, frames(machine, layout, q, None, np), q, np)
        given = np.array([0.0] * count + [float(here.given(row, 0.0)) for row in layout.rows])
        slopes, G = _slopes(machine, layout, every, q), _metric(machine, layout, q)
        if keep and np.all(np.isfinite(slopes)):
            v = _with_the_others(machine, layout, every, G, slopes, given, v)
        for _ in range(2):
            v = v + _pulled(machine, every, slopes, G, slopes @ v - given)
    return q, v


def _with_the_others(
    machine: Assembly,
    layout: Layout,
    rows: tuple[Row, ...],
    G: np.ndarray,
    slopes: np.ndarray,
    given: np.ndarray,
    v: np.ndarray,
) -> np.ndarray:
    """Return v with the given (nonzero) speeds unchanged; the others (zero) follow the contacts.

    These change as little as possible, in the metric. If they cannot follow, the start is refused.
    """
    free = v == 0.0
    natural = _natural(layout, rows, length_of(machine))
    if np.all(free) or not np.any(np.abs(slopes @ v - given) > 1e-13 * (natural @ np.abs(v))):
        return v
    A, G = slopes[:, free], G[np.ix_(free, free)]
    raised = np.linalg.solve(G, A.T)
    found = v.copy()
    found[free] = -raised @ np.linalg.lstsq(A @ raised, slopes @ v - given, rcond=1e-10)[0]
    left = np.abs(slopes @ found - given)
    # some speed is nonzero here, so that this is no division by zero
    share = left / (natural @ np.abs(found))
    if np.max(share) > 1e-9:
        worst = int(np.argmax(share))
        unit = " m/s" if _is_length(rows[worst]) else ""
        told = ", ".join(f"{n} = {x:g}" for n, x in zip(layout.velocity_names, v) if x)
        raise UsageError(
            f"the speeds at the start violate a rolling condition: with {told}, "
            f"{rows[worst].label} is off by {left[worst]:.3g}{unit}, whatever the other speeds "
            "are; set some of these to 0, and they are computed"
        )
    return found


def _pulled(
    machine: Assembly, rows: tuple[Row, ...], A: np.ndarray, G: np.ndarray, defect: np.ndarray
) -> np.ndarray:
    """Return the x with A x = -defect that is smallest in the metric G."""
    good = np.all(np.isfinite(A), axis=1)
    if not np.all(good):
        raise UsageError(_nowhere(machine, rows[int(np.argmin(good))]))
    raised = np.linalg.solve(G, A.T)
    return -raised @ _least(A @ raised, defect)


def _least(C: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the smallest x with C x = b, for a C = A G^-1 A^T that may be singular."""
    size = np.sqrt(np.where(np.diag(C) > 0.0, np.diag(C), 1.0))
    # If all Cholesky pivots are far from round-off, C is regular, and the singular values of
    # `lstsq` are not needed; they take 100 times as long.
    try:
        pivots = np.diag(np.linalg.cholesky(C / np.outer(size, size)))
        if np.min(pivots, initial=1.0) > 1e-5:
            return np.linalg.solve(C, b)
    except np.linalg.LinAlgError:
        pass
    return np.linalg.lstsq(C, b, rcond=None)[0]


def _moved(layout: Layout, q: Point, d: np.ndarray) -> Point:
    numbers, turns = layout.split(q)
    turned = []
    for k, R in enumerate(turns):
        w = d[layout.size + 3 * k : layout.size + 3 * k + 3]
        S = 0.5 * np.cross(np.eye(3), w)  # hat(w)/2: Cayley's map gives an exact rotation
        turned.append(R @ np.linalg.solve(np.eye(3) - S, np.eye(3) + S))
    return layout.joined(numbers + d[: layout.size] if layout.size else None, tuple(turned))


def _off(machine: Assembly, row: Row, gap: float) -> str:
    if row.kind == "contact":
        contact = machine.contacts[row.index]
        side = "above" if gap > 0 else "below"
        kind = type(contact).__name__.lower()
        return f"{kind} '{contact.label}' is {abs(gap):.3g} m {side} its surface"
    if row.kind == "gear":
        return f"gear '{row.label}' is off by {abs(gap):.3g}"
    loop = machine.loops[row.index]
    return f"loop '{loop.label}' is open by {abs(gap):.3g} ({row.row})"


def _looked_at(
    machine: Assembly, layout: Layout, rows: tuple[Row, ...]
) -> list[tuple[Point, np.ndarray]]:
    """Return configurations and the constraint rows there.

    The configurations are random. If at one of them a body does not meet its curved surface, they
    are taken near the start instead.
    """

    def looked(states: list[Point]) -> list[tuple[Point, np.ndarray]]:
        return [(q, _slopes(machine, layout, rows, q)) for q in states]

    length = length_of(machine)
    found = looked([_random(layout, seed, length) for seed in range(_STATES)])
    if all(np.all(np.isfinite(slopes)) for _, slopes in found):
        return found
    numbers, _, turns, _ = started(machine, np)
    start = layout.joined(np.array(numbers, dtype=float), tuple(turns))
    rng = np.random.default_rng(0)
    levers = np.where(_turning(layout), 1.0, length)
    for size in (0.1, 1e-3, 1e-5):
        moves = [size * levers * rng.normal(size=layout.dim) for _ in range(_STATES)]
        found = looked([_moved(layout, start, move) for move in moves])
        if all(np.all(np.isfinite(slopes)) for _, slopes in found):
            return found
    where = np.any([~np.isfinite(slopes).all(axis=1) for _, slopes in found], axis=0)
    row = rows[int(np.argmax(where))]
    raise UsageError(_nowhere(machine, row))


def _nowhere(machine: Assembly, row: Row) -> str:
    contact = machine.contacts[row.index] if row.kind == "contact" else None
    if contact is not None and isinstance(contact.ground, Plane):
        kind = type(contact).__name__.lower()
        what = "direction" if isinstance(contact, Skate) else "axis"
        return (
            f"{kind} '{contact.label}': its {what} is along the normal of its plane where the "
            "machine starts, so that there is no one point or direction of contact"
        )
    return (
        f"{row.label}: there is no one point where it touches, where the machine starts. Is the "
        "body on the side on which the function of its surface is positive, and less round than "
        "the surface is hollow there?"
    )


def _random(layout: Layout, seed: int, length: float) -> Point:
    rng = np.random.default_rng(seed)
    turns = tuple(_rotation(rng) for _ in range(layout.rotations))
    numbers = rng.normal(size=layout.size)
    numbers = numbers * np.where(_turning(layout)[: layout.size], 1.0, length)
    return layout.joined(numbers, turns)


def _rotation(rng: np.random.Generator) -> np.ndarray:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return Q * np.linalg.det(Q)


def _plain(q: Point) -> Point:
    return tuple(np.asarray(x) for x in q) if isinstance(q, tuple) else np.asarray(q)


@np.errstate(all="ignore")
def _values(machine: Assembly, layout: Layout, rows: tuple[Row, ...], q: Point) -> np.ndarray:
    found = Rows(machine, layout, frames(machine, layout, _plain(q), None, np), _plain(q), np)
    return np.array([float(found.value(row)) for row in rows])


@np.errstate(all="ignore")
def _slopes(machine: Assembly, layout: Layout, rows: tuple[Row, ...], q: Point) -> np.ndarray:
    return np.asarray(columns.constraint_rows(machine, layout, rows, q, np))


def _metric(machine: Assembly, layout: Layout, q: Point) -> np.ndarray:
    return np.asarray(columns.mass_matrix(machine, layout, q, np))


# raises for impossible moments of inertia, and for directions of motion without inertia
def _check_inertia(machine: Assembly, layout: Layout, states: list[Point]) -> None:
    for name, body in machine.bodies.items():
        I = inertia(body, np)
        if I is None:
            continue
        if not np.allclose(I, np.asarray(I).T):
            raise UsageError(f"body '{name}': its inertia must be symmetric, got {np.asarray(I)}")
        moments = np.linalg.eigvalsh(I)
        slack = 1e-9 * max(float(moments.sum()), 0.0)
        if moments[0] < -slack or moments[2] > moments[0] + moments[1] + slack:
            raise UsageError(
                f"body '{name}': no rigid body has the principal moments {moments}: each is "
                "positive and at most the sum of the other two"
            )
    vectors = np.eye(layout.dim)
    for q in states:
        G = _metric(machine, layout, q)
        sizes = np.sqrt(np.diag(G))  # scale each speed by its own inertia: units do not matter
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        values, vectors = np.linalg.eigh(G / np.outer(sizes, sizes))
        if values[0] > 1e-12:
            return
    worst = layout.velocity_names[int(np.argmax(np.abs(vectors[:, 0])))]
    points = [n for n, b in machine.bodies.items() if b.mass and inertia(b, np) is None]
    empty = [n for n, b in machine.bodies.items() if not b.mass and inertia(b, np) is None]
    told = [f"without mass: {', '.join(empty)}"] if empty else []
    told += [f"points, a mass without inertia: {', '.join(points)}"] if points else []
    raise UsageError(
        f"no inertia acts along '{worst}' ({'; '.join(told) or 'the inertia there is 0'}). Give "
        "the body that moves in this direction an inertia or a shape, or fix it by Fixed"
    )


def _of_contact(machine: Assembly, row: Row) -> str | None:
    return machine.contacts[row.index].label if row.kind == "contact" else None


def _dependent(
    machine: Assembly, layout: Layout, states: list[Point]
) -> tuple[list[Row], int, int] | None:
    """Return the linearly dependent rows, the number of all rows, and the rank.

    The rank is the largest at any of `states`; None if the rows are independent at one of them.
    """
    every = (*layout.holonomic, *layout.rows)
    if not every:
        return None
    levers = lever_arms(layout, length_of(machine))
    best: tuple[int, np.ndarray] = (-1, np.zeros(0))
    for q in states:
        slopes = _slopes(machine, layout, every, q) / levers
        rank, null = _rank(slopes)
        if rank > best[0]:
            best = rank, null
        if rank == len(every):
            return None
    rank, null = best
    involved = [r for r, c in zip(every, np.linalg.norm(null, axis=1)) if c > 1e-6]
    return involved, len(every), rank


# raises for redundant constraints, unless contact laws share their loads
def _check_rank(machine: Assembly, layout: Layout, states: list[Point]) -> None:
    found = None if layout.redundant else _dependent(machine, layout, states)
    if found is None:
        return
    involved, rows, rank = found
    lawful = {c.label for c in machine.contacts if c.has_law}
    others = [r.label for r in involved if _of_contact(machine, r) not in lawful]
    shared = "With friction, Wheel(..., mu=0.8), loads are shared by least stored energy"
    if len(others) < len(involved):
        shared = (
            "Only loads of contacts with a mu are shared by least stored energy, and these are "
            f"none: {'; '.join(others)}"
        )
    raise UsageError(
        f"redundant constraints: {rows} rows have rank {rank}. Linearly dependent are "
        f"{'; '.join(r.label for r in involved)}. Leave out {rows - rank} of them, as by "
        "Wheel(..., rows=('height', 'along')): the reaction there would not be determined. "
        + shared
    )
