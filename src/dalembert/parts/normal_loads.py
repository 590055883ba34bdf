"""Normal loads of contacts whose height a planar joint holds, and friction needed for rolling.

A machine on `Planar` has no vertical motion, so no multiplier gives a load. The joint forbids three
virtual motions: up, roll and pitch. The same machine on `Free`, with the same motion, obeys
M a = f + A^T lambda + N^T load along these three, and only the loads are unknown. Up to three
contacts have one solution. For more contacts the least-squares solution is taken, which has the
least stored energy on feet of equal stiffness. If the contacts alone cannot carry the machine (two
wheels without a caster), the joint carries a part, and the loads are NaN.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..compile.function import compiled_rows
from ..inputs import CONTROL, control_at
from ..system import Point
from .columns import constraint_rows, inertial_force, mass_matrix
from .contacts import HEIGHT
from .pieces import GROUND, Joint
from .topology import Assembly, Layout, Row, layout_of
from .vectors import Entries

_SOLVED = 1e-9  # if the relative residual of the three equations is larger, the loads are NaN


class Need(NamedTuple):
    """The largest ratio of tangential to normal reaction of a contact, and its time."""

    mu: float
    t: float


def held_contacts(machine: Assembly, layout: Layout) -> list[int]:
    """Return the indices of the contacts whose height the joints hold, below a body on `Planar`."""
    parents = {j.body: j for j in machine.joints}

    def on_planar(body: str) -> bool:
        while parents[body].parent != GROUND:
            body = parents[body].parent
        return parents[body].released() is not None

    held = {label.removesuffix(f", {HEIGHT}") for label in layout.held}
    return [i for i, c in enumerate(machine.contacts) if c.label in held and on_planar(c.body)]


def _lifted(machine: Assembly) -> tuple[Any, ...]:
    """Return the parts of a machine, with `Free` in place of `Planar` for root bodies."""

    def free(part: Any) -> Any:
        on_ground = isinstance(part, Joint) and part.parent == GROUND
        return (part.released() if on_ground else None) or part

    return tuple(free(part) for part in machine.parts)


def _equations(system: Any, t: jax.Array, q: Point, v: jax.Array) -> tuple[Any, Any, Any]:
    """Return (N, c, multipliers): the loads solve N^T load = c, along up, roll and pitch.

    N has one height row for each contact; c is what the contacts must carry.
    """
    from .machine import Built

    machine, layout = system._machine(), system.layout
    a, lam = dynamics.acceleration(system, q, v, t), dynamics.multipliers(system, q, v, t)
    contents = _lifted(machine)
    lifted = Assembly(contents)
    plan = layout_of(lifted)
    numbers, turns = layout.split(q)
    place, speed, rate = list[jax.Array](), list[jax.Array](), list[jax.Array]()
    R, spin, spin_rate = [], [], []
    along: list[int] = []
    for joint, (at, turn), (at2, turn2) in zip(machine.joints, layout.slots, plan.slots):
        w = slice(layout.size + 3 * turn, layout.size + 3 * turn + 3)
        x, u, du = (Entries(y, at, len(joint.numbers)) for y in (numbers, v, a))
        if joint.parent == GROUND and joint.released() is not None:
            # the rates of such a joint are linear in v and do not depend on its position, so the
            # same function gives accelerations from the derivatives of v
            where = joint.place(x, None, jnp)
            place += list(where.shift)
            R.append(where.turn)
            moves, bends = (joint.rates(x, None, y, None, jnp) for y in (u, du))
            speed += list(moves.shift)
            rate += list(bends.shift)
            spin += list(moves.turn)
            spin_rate += list(bends.turn)
            along += [at2 + 2, plan.size + 3 * turn2, plan.size + 3 * turn2 + 1]
            continue
        place += x
        speed += u
        rate += du
        if joint.turns:
            R.append(turns[turn])
            spin += list(v[w])
            spin_rate += list(a[w])
    q2 = plan.joined(jnp.stack(place), tuple(R))
    v2, a2 = jnp.stack([*speed, *spin]), jnp.stack([*rate, *spin_rate])
    free = Built(contents, plan, "lifted")
    carried = mass_matrix(lifted, plan, q2) @ a2 - inertial_force(lifted, plan, q2, v2)
    carried = carried - free.force(t, q2, v2)
    if hasattr(system, CONTROL) and plan.input_names:
        rows = free.inputs(q2)
        carried = carried - rows.T @ control_at(system, t, q, v, rows.shape[0])
    known = (*layout.holonomic, *layout.rows)
    carried = carried - constraint_rows(lifted, plan, known, q2).T @ lam
    heights = tuple(
        Row("contact", i, HEIGHT, machine.contacts[i].label) for i in held_contacts(machine, layout)
    )
    N = constraint_rows(lifted, plan, heights, q2)
    which = np.array(along)
    return N[:, which], carried[which], lam


def planar_loads(
    system: Any, t: np.ndarray, q: Point, v: np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return (loads by contact, multipliers) at each saved row; an undetermined load is NaN."""
    N, carried, lam = (np.asarray(x) for x in compiled_rows(_equations, system, (t, q, v)))
    machine, layout = system._machine(), system.layout
    labels = [machine.contacts[i].label for i in held_contacts(machine, layout)]
    loads = np.full((len(N), len(labels)), np.nan)
    for k in range(len(N)):
        found = np.linalg.lstsq(N[k].T, carried[k], rcond=1e-10)[0]
        left = np.abs(N[k].T @ found - carried[k])
        size = np.abs(N[k].T) @ np.abs(found) + np.abs(carried[k])
        if np.all(left <= _SOLVED * np.max(size, initial=1e-300)):
            loads[k] = found
    return dict(zip(labels, loads.T)), lam


def needed(
    machine: Assembly, layout: Layout, t: np.ndarray, lam: np.ndarray, loads: dict[str, np.ndarray]
) -> dict[str, Need]:
    """Return, for each contact that holds along its surface, its largest `Need` in the run."""
    sides: dict[str, list[int]] = {}
    for k, row in enumerate((*layout.holonomic, *layout.rows)):
        if row.kind == "contact" and row.row != HEIGHT:
            sides.setdefault(machine.contacts[row.index].label, []).append(k)
    found = {}
    for label, rows in sides.items():
        tangential = np.linalg.norm(lam[:, rows], axis=1)
        normal = loads.get(label, np.full(len(t), np.nan))
        small = 1e-12 * (np.max(np.abs(tangential)) + np.nanmax(np.abs(normal), initial=0.0))
        ratio = np.where(normal > small, tangential / np.maximum(normal, 1e-300), np.inf)
        ratio = np.where(tangential <= small, 0.0, ratio)  # no tangential force: no friction needed
        ratio = np.where(np.isnan(normal), np.nan, ratio)
        if np.all(np.isnan(ratio)):
            found[label] = Need(float("nan"), float("nan"))
            continue
        worst = int(np.nanargmax(ratio))
        found[label] = Need(float(ratio[worst]), float(t[worst]))
    return found
