"""Interpolation of a trajectory between its rows (`Trajectory.at`).

In coordinates y of the chart at the nearest row, q = q_c tau(y), the Hermite polynomial of degree 7
through the positions and velocities of four rows around t gives y and dy/dt, hence q and v. With
rows H apart its error is O(H^8) in q and O(H^7) in v, so a method of order 6 does not lose its
order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.function import evaluator
from ..compile.layout import Layout
from ..errors import UsageError
from ..groupoids import Groupoid, LieGroup, Pair, Reduced
from ..groups import Group
from ..linalg import solve
from ..methods.chart import is_flat
from ..system import Point, System, is_traced
from .kinds import Tree
from .polynomials import Polynomials
from .spaces import space_from_json

if TYPE_CHECKING:
    from .trajectory import Trajectory

_NODES = 4
# A last row that ends a run early may be arbitrarily close to the one before, and divided
# differences of the two would be round-off. If they are closer than this part of the step before,
# one of them is left out.
_SHORT = 0.25


class Between(NamedTuple):
    """A motion at given times; every array has the shape of the times as its first axes."""

    t: np.ndarray
    q: Point
    v: np.ndarray
    frame: Point | None


def interpolate(traj: Trajectory, t: Any, system: System | None) -> Between:
    """Return the motion at times t; see `Trajectory.at`."""
    if is_traced((traj.v, t)):
        raise UsageError("traj.at works outside of jit, vmap and grad")
    if traj.v.ndim > 2:
        raise UsageError("traj.at needs one trajectory: take a member, many[i].at(t)")
    pieces = traj.polynomials
    rows = np.atleast_1d(np.asarray(traj.t)) if traj.v.ndim == 2 or pieces else np.zeros(0)
    if pieces is not None:
        rows = np.array([pieces.t[0], pieces.end])
    elif traj.meta.method == "taylor" and traj.meta.own_steps:
        raise UsageError(
            "traj.at: the Taylor polynomials of this run are not available (there were too many, "
            "or it was read from a file), and its rows are too far apart to interpolate: request "
            "rows at these times, save=At(times), or every h"
        )
    elif len(rows) < _NODES:
        raise UsageError(
            f"traj.at needs at least {_NODES} rows, and this trajectory has {len(rows)}: save "
            "more of them (save_every=1)"
        )
    try:
        times = np.asarray(t, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"traj.at needs times, got {t!r}") from None
    flat = times.ravel()
    if not flat.size:
        raise UsageError("traj.at needs at least one time")
    slack = 1e-12 * max(abs(rows[0]), abs(rows[-1]))  # round-off of a sum of steps
    outside = ~((flat >= rows[0] - slack) & (flat <= rows[-1] + slack))
    if np.any(outside):
        raise UsageError(
            f"traj.at: t = {flat[outside][0]:.15g} is outside of the trajectory, which goes from "
            f"t = {rows[0]:.15g} to {rows[-1]:.15g}"
        )
    groupoid = _groupoid_of(traj, system)
    flat = np.clip(flat, rows[0], rows[-1])
    if pieces is not None:
        which, x = pieces.at(flat)
        q, frame, v = _from_pieces(groupoid, pieces, which, x)
        return Between(times, *_shaped((q, v, frame), times.shape))
    window, center = _windows(rows, flat)
    elements = _rows_as_elements(groupoid, traj)
    y, rates = _coordinates(groupoid, elements, np.asarray(traj.v), window, center)
    values, slopes = _hermite(rows[window], flat)
    at = np.einsum("kab,kabn->kn", values, np.stack([y, rates], axis=2))
    moving = np.einsum("kab,kabn->kn", slopes, np.stack([y, rates], axis=2))
    q, frame, v = _points(groupoid, elements, center, at, moving)
    return Between(times, *_shaped((q, v, frame), times.shape))


def _shaped(tree: Tree, shape: tuple[int, ...]) -> Tree:
    return jax.tree.map(lambda x: x.reshape(*shape, *x.shape[1:]), tree)


def _from_pieces(
    groupoid: Groupoid, pieces: Polynomials, which: np.ndarray, x: np.ndarray
) -> tuple[Point, Point | None, np.ndarray]:
    """Return (q, frame, v) of x = (part, v) around nodes."""
    n = groupoid.dim
    if is_flat(groupoid):
        return pieces.q[which] + x[:, :n], None, x[:, n:]
    nodes = _taken(_Nodes(pieces.q, pieces.frame), which)
    q, frame = _at_rows(_landed, groupoid, nodes, x[:, :-n])
    return q, frame if groupoid.group.dim else None, x[:, -n:]


# -- the polynomial ------------------------------------------------------------------------------


def _windows(rows: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each time four rows around it, (times, 4), and the nearest of them."""
    nodes = np.arange(len(rows))
    if len(rows) > _NODES and rows[-1] - rows[-2] < _SHORT * (rows[-2] - rows[-3]):
        nodes = np.delete(nodes, -2)
    at = rows[nodes]
    left = np.clip(np.searchsorted(at, t, side="right") - 1, 0, len(at) - 2)
    nearest = left + (t - at[left] > at[left + 1] - t)
    first = np.clip(left - 1, 0, len(at) - _NODES)
    return nodes[first[:, None] + np.arange(_NODES)], nodes[nearest]


def _hermite(nodes: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Hermite weights of (values, derivatives) at the nodes (times, 4).

    One set of weights gives the value at t, the other its derivative.
    H_i = (1 - 2 l_i'(s_i) (s - s_i)) l_i^2 and K_i = (s - s_i) l_i^2, l_i Lagrange's polynomials.
    """
    span = (nodes[:, -1] - nodes[:, 0])[:, None]
    s, x = ((t[:, None] - nodes[:, :1]) / span), (nodes - nodes[:, :1]) / span
    away = s - x
    values, slopes = [], []
    for i in range(_NODES):
        others = [j for j in range(_NODES) if j != i]
        gaps = np.prod(x[:, [i]] - x[:, others], axis=1)
        lagrange = np.prod(away[:, others], axis=1) / gaps

        def derivative(a: np.ndarray, others: list[int] = others, gaps: np.ndarray = gaps) -> Any:
            rest = ([k for k in others if k != j] for j in others)
            return sum(np.prod(a[:, two], axis=1) for two in rest) / gaps

        there, here = derivative(x[:, [i]] - x), derivative(away)
        d, two = away[:, i], 2.0 * lagrange * here
        bend = 1.0 - 2.0 * there * d
        h = span[:, 0]
        values.append(np.stack([bend * lagrange**2, h * d * lagrange**2], axis=1))
        slope = np.stack(
            [(bend * two - 2.0 * there * lagrange**2) / h, lagrange**2 + d * two], axis=1
        )
        slopes.append(slope)
    return np.stack(values, axis=1), np.stack(slopes, axis=1)


# -- charts --------------------------------------------------------------------------------------


class _Nodes(NamedTuple):
    """Rows as points of the base and, for a reduced system, elements of its group."""

    q: Point
    frame: Point | None


def _rows_as_elements(groupoid: Groupoid, traj: Trajectory) -> _Nodes:
    return jax.tree.map(np.asarray, _Nodes(traj.q, traj.frame))


def _between(groupoid: Groupoid, a: _Nodes, b: _Nodes) -> Tree:
    """Return the groupoid element from one row to another."""
    if isinstance(groupoid, Pair):
        return (a.q, b.q)
    step = groupoid.group.mul(groupoid.group.inv(a.frame), b.frame)
    return step if isinstance(groupoid, LieGroup) else (a.q, b.q, step)


def _coordinates(
    groupoid: Groupoid, rows: _Nodes, v: np.ndarray, window: np.ndarray, center: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return y and dy/dt at the rows of each window, (times, 4, n)."""
    if is_flat(groupoid):
        return rows.q[window] - rows.q[center][:, None], v[window]
    n, k = window.shape
    flat = (_taken(rows, np.repeat(center, k)), _taken(rows, window.ravel()), v[window.ravel()])
    y, dy = _at_rows(_coordinates_of, groupoid, *flat)
    return y.reshape(n, k, -1), dy.reshape(n, k, -1)


def _points(
    groupoid: Groupoid, rows: _Nodes, center: np.ndarray, y: np.ndarray, rates: np.ndarray
) -> tuple[Point, Point | None, np.ndarray]:
    """Return (q, frame, v) from coordinates around rows and their rates."""
    if is_flat(groupoid):
        return rows.q[center] + y, None, rates
    return _at_rows(_point, groupoid, _taken(rows, center), y, rates)


def _taken(rows: Tree, which: np.ndarray) -> Tree:
    return jax.tree.map(lambda x: x[which], rows)


def _at_rows(f: Callable[..., Tree], groupoid: Groupoid, *rows: Tree) -> Tree:
    """Evaluate f(*row, groupoid) at the rows of the first axis."""
    row = jax.tree.map(lambda x: np.zeros(np.shape(x)[1:]), rows)
    count = len(jax.tree.leaves(rows)[0])
    return evaluator(f, (), row, groupoid).at_rows(count, *rows)


def _coordinates_of(
    center: _Nodes, row: _Nodes, v: jax.Array, groupoid: Groupoid
) -> tuple[jax.Array, jax.Array]:
    y = groupoid.coordinates(_between(groupoid, center, row))
    return y, groupoid.coordinate_velocity(center.q, y, v)


def _point(
    center: _Nodes, y: jax.Array, rate: jax.Array, groupoid: Groupoid
) -> tuple[Tree, Tree, Tree]:
    g = groupoid.curve(center.q, y)
    q = groupoid.base.polish(groupoid.target(g))
    basis = jax.vmap(lambda w: groupoid.coordinate_velocity(center.q, y, w), in_axes=1, out_axes=1)(
        jnp.eye(groupoid.dim)
    )
    frame = None
    if center.frame is not None:
        group = groupoid.group
        frame = group.polish(group.mul(center.frame, groupoid.frame(g)))
    return q, frame, solve(basis, rate)


def _landed(node: _Nodes, x: jax.Array, groupoid: Groupoid) -> tuple[Tree, Tree]:
    part = jax.eval_shape(lambda q: groupoid.part(groupoid.unit(q)), node.q)
    g = groupoid.arrow(node.q, Layout(part).unpack(x))
    group = groupoid.group
    frame = group.polish(group.mul(node.frame, groupoid.frame(g)))
    return groupoid.base.polish(groupoid.target(g)), frame


# -- the space ---------------------------------------------------------------------------------


def _groupoid_of(traj: Trajectory, system: System | None) -> Groupoid:
    if system is not None:
        if not isinstance(system, System):
            raise UsageError(f"traj.at(t, system) needs the system of the run, got {system!r}")
        result: Any = system.groupoid
    else:
        result = space_from_json(traj.meta.space_json)
        if result is None:
            raise UsageError(
                f"traj.at: the space of this trajectory, {traj.meta.space or 'not told'}, is not "
                "in the library: give the system as well, traj.at(t, system)"
            )
        result = Pair(result) if isinstance(result, Group) else result
    if not isinstance(result, (Pair, LieGroup, Reduced)):
        raise UsageError(
            f"traj.at works on R^n, on groups and on reductions by a group, not on {result}"
        )
    return result
