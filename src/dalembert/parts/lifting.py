"""Warnings after a run: contacts that pull or leave their surface, limits, needed friction.

A smooth run with ideal contacts goes on in all these cases, so they are checked afterwards.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ..system import Point
from .contacts import HEIGHT
from .machine_checks import length_of, lever_arms
from .motion import Rows, frames
from .topology import Assembly, Layout, scalar_slot

# A pull is reported only if it exceeds these fractions of the weight and of inertial forces. The
# reactions of methods of order 2 are wrong by about 1e-4 of the weight. Without gravity a normal
# reaction may be 0, and its computed value is then round-off or the error of the method.
_OF_WEIGHT, _OF_INERTIA = 1e-3, 1e-6
_GAP = 1e-4  # relative to the machine's size: more than methods without projection drift
_BEYOND = 1e-6  # relative to a limit, or to 1 if that is larger
_ROWS = 64  # saved rows at which gaps are computed: each takes some 0.1 ms


def normal_rows(machine: Assembly, layout: Layout) -> dict[str, int]:
    """Return the index of each contact's normal reaction among the multipliers, by label.

    Contacts whose height is held by joints have no such multiplier. The normal points away from the
    surface, so that a positive multiplier is a push.
    """
    return {
        machine.contacts[row.index].label: k
        for k, row in enumerate(layout.holonomic)
        if row.kind == "contact" and row.row == HEIGHT
    }


def contact_warnings(
    machine: Assembly,
    layout: Layout,
    t: np.ndarray,
    q: Point,
    v: np.ndarray,
    multiplier: np.ndarray,
) -> tuple[str, ...]:
    """Return warnings: one for each contact that pulls, one for each that is off its surface."""
    kinds = {c.label: type(c).__name__.lower() for c in machine.contacts}
    normals = normal_rows(machine, layout)
    result = []
    if normals:
        least = _least_force(machine, layout, v, multiplier[:, list(normals.values())])
        for label, k in normals.items():
            force = multiplier[:, k]
            pulls = np.flatnonzero(force < -least)
            if len(pulls):
                first, worst = int(pulls[0]), int(np.nanargmin(force))
                result.append(
                    f"{kinds[label]} '{label}' pulls on its surface: its normal reaction is "
                    f"{force[first]:.3g} N at t = {t[first]:g} (down to {force[worst]:.3g} N at "
                    f"t = {t[worst]:g}). A contact here is an equation and never lifts off: a "
                    f"real {kinds[label]} would leave the surface there"
                )
    return (*result, *_off_surface(machine, layout, kinds, normals, t, q))


def limit_warnings(machine: Assembly, layout: Layout, t: np.ndarray, q: Point) -> tuple[str, ...]:
    """Return a warning for each joint that has passed a stop, which a smooth run ignores."""
    result = []
    for limit in machine.limits:
        x = np.asarray(layout.split(q)[0])[:, scalar_slot(machine, layout, limit, limit.joint)]
        for stop, sign in ((limit.low, 1.0), (limit.high, -1.0)):
            if stop is None:
                continue
            beyond = sign * (float(stop) - x)
            # a hybrid run that rests at a stop is beyond it by the error of the event's time
            past = np.flatnonzero(beyond > _BEYOND * max(1.0, abs(float(stop))))
            if len(past):
                result.append(
                    f"joint '{limit.joint}' passes its limit {float(stop):g} at t = "
                    f"{t[past[0]]:g}, by up to {np.max(beyond):.3g}: a machine by itself has no "
                    "stops; run da.hybrid.with_limits(machine) in its place"
                )
    return tuple(result)


def friction_warnings(
    machine: Assembly, layout: Layout, t: np.ndarray, v: np.ndarray, multiplier: np.ndarray
) -> tuple[str, ...]:
    """Return a warning for each contact whose rolling needs more friction than it has.

    A contact has the friction `mu_static` (or else `mu`) if this is one number, otherwise 1.
    """
    normals = normal_rows(machine, layout)
    if not normals:
        return ()
    least = _least_force(machine, layout, v, multiplier[:, list(normals.values())])
    result = []
    every = (*layout.holonomic, *layout.rows)
    for i, contact in enumerate(machine.contacts):
        selected = [k for k, r in enumerate(every) if r.kind == "contact" and r.index == i]
        sides = [k for k in selected if every[k].row != HEIGHT]
        if contact.label not in normals or not sides:
            continue
        load = multiplier[:, normals[contact.label]]
        pull = np.linalg.norm(multiplier[:, sides], axis=1)
        ratio = np.where(load > least, pull / np.maximum(load, 1e-300), 0.0)
        worst = int(np.argmax(ratio))
        own: Any = getattr(contact, "mu_static", None)
        own = getattr(contact, "mu", None) if own is None else own
        known: Any = None if own is None or callable(own) or np.ndim(own) else float(own)
        if ratio[worst] > (1.0 if known is None else known) * (1.0 + 1e-6):
            kind = type(contact).__name__.lower()
            most = "which few surfaces have" if known is None else f"it has mu = {known:g}"
            result.append(
                f"{kind} '{contact.label}' needs a coefficient of friction of {ratio[worst]:.3g} "
                f"not to slip, at t = {t[worst]:g}: {most}. hybrid.with_friction(machine) lets it "
                "slide"
            )
    return tuple(result)


def _least_force(machine: Assembly, layout: Layout, v: np.ndarray, normal: np.ndarray) -> float:
    """Return the smallest normal force, in N, that is reported as a pull."""
    mass = sum(float(b.mass) for b in machine.bodies.values())
    weight = mass * sum(abs(float(g.g)) for g in machine.gravity)
    length = length_of(machine)
    speed = np.max(np.abs(v) * lever_arms(layout, length), initial=0.0)
    largest = np.nanmax(np.abs(normal), initial=0.0)
    return max(_OF_WEIGHT * (weight or largest), _OF_INERTIA * mass * speed**2 / length)


def _off_surface(
    machine: Assembly,
    layout: Layout,
    kinds: dict[str, str],
    normals: dict[str, int],
    t: np.ndarray,
    q: Point,
) -> list[str]:
    """Return warnings for contacts below their surface, or above it and still rolling."""
    by_joints = {label.removesuffix(f", {HEIGHT}") for label in layout.held}
    small = _GAP * length_of(machine)
    places: dict[int, Rows] = {}

    def gap(contact: int, row: int) -> float:
        if row not in places:
            here = jax.tree.map(lambda x: x[row], q)
            placed = frames(machine, layout, here, None, np)
            places[row] = Rows(machine, layout, placed, here, np)
        with np.errstate(all="ignore"):
            return float(places[row].touch(contact).gap)

    some = np.unique(np.linspace(0, len(t) - 1, _ROWS).astype(int)).tolist()
    result = []
    for i, contact in enumerate(machine.contacts):
        label = contact.label
        if label in by_joints:
            continue
        # a contact with a height row can only drift off its surface: check the last row alone
        looked = [len(t) - 1] if label in normals else some
        off = next((n for n, row in enumerate(looked) if abs(gap(i, row)) > small), None)
        if off is None:
            continue
        inside, first = looked[off - 1] if off else looked[off], looked[off]
        while first - inside > 1:
            middle = (inside + first) // 2
            inside, first = (inside, middle) if abs(gap(i, middle)) > small else (middle, first)
        end = gap(i, looked[-1])
        side = "below" if end < 0 else "above"
        result.append(
            f"{kinds[label]} '{label}' is {abs(end):.3g} m {side} its surface at the end, and off "
            f"it from t = {t[first]:g} on: "
            + (
                "the height drifts; take a smaller h or a method that keeps holonomic constraints"
                if label in normals
                else "none of its rows holds the height; add 'height' to rows"
            )
        )
    return result
