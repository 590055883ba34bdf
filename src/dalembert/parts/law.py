"""Coulomb's law at contacts of parts: its coefficients, its rows, and checks of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from ..system import Point, is_traced
from .contacts import HEIGHT
from .motion import Rows, frames
from .topology import Assembly, Layout, Row

LAW = ("mu", "mu_static", "restitution", "viscous")
RESISTANCE = ("rolling", "spinning")
_ONE = ("restitution", *RESISTANCE)


class LawRows(NamedTuple):
    """Rows of a contact with a law, as indices among all rows of the machine (holonomic first)."""

    contact: int  # index in `Assembly.contacts`
    label: str
    normal: int | None  # None: joints hold the height
    sides: tuple[int, ...]
    which: tuple[int, ...]  # for each of `sides`: 0 along, 1 across


def law_rows(machine: Assembly, layout: Layout) -> tuple[LawRows, ...]:
    """Return the rows of all contacts with a coefficient of friction."""
    every = (*layout.holonomic, *layout.rows)
    result = []
    for i, contact in enumerate(machine.contacts):
        if not contact.has_law:
            continue
        mine = {r.row: k for k, r in enumerate(every) if r.kind == "contact" and r.index == i}
        sides = {x: k for x, k in mine.items() if x != HEIGHT}
        which = tuple(0 if x == "along" else 1 for x in sides)
        result.append(LawRows(i, contact.label, mine.get(HEIGHT), tuple(sides.values()), which))
    return tuple(result)


class TurnRows(NamedTuple):
    """Rows of a contact that resist rolling or spinning while it is closed."""

    contact: int
    label: str
    number: str  # "rolling" or "spinning"
    rows: tuple[Row, ...]


def turn_rows(machine: Assembly) -> tuple[TurnRows, ...]:
    """Return the rows that resist rolling and spinning; only `hybrid.with_friction` uses them."""
    result = []
    for i, contact in enumerate(machine.contacts):
        for number, about in contact.resists if contact.has_law else ():
            rows = tuple(Row("turn", i, x, f"{contact.label}, {x}") for x in about)
            result.append(TurnRows(i, contact.label, number, rows))
    return tuple(result)


def law_numbers(machine: Assembly, layout: Layout, q: Point) -> tuple[Any, ...]:
    """Return (mu, mu_static, viscous), each of shape (groups, 2).

    First come the contacts that can slide, with the values along and across; then the resistances
    to rolling and spinning, in the order of `turn_rows`.
    """
    places = Rows(machine, layout, frames(machine, layout, q, None), q)
    mu, static, viscous = [], [], []
    for rows in law_rows(machine, layout):
        contact: Any = machine.contacts[rows.contact]
        if not rows.sides:
            continue

        def value(given: Any, rows: LawRows = rows) -> Any:
            if callable(given):
                x, y, z = places.touch(rows.contact).point
                given = given(x, y, z)
            both = jnp.broadcast_to(jnp.asarray(given, dtype=float), (2,))
            selected = [both[k] for k in rows.which]
            return jnp.stack([*selected, *(jnp.zeros(()) for _ in range(2 - len(selected)))])

        mu.append(value(contact.mu))
        static.append(mu[-1] if contact.mu_static is None else value(contact.mu_static))
        viscous.append(value(0.0 if contact.viscous is None else contact.viscous))
    for turn in turn_rows(machine):
        given = jnp.asarray(getattr(machine.contacts[turn.contact], turn.number), dtype=float)
        own = jnp.stack([given, given if len(turn.rows) == 2 else jnp.zeros(())])
        mu.append(own)
        static.append(own)
        viscous.append(jnp.zeros(2))
    return tuple(jnp.stack(x) if x else jnp.zeros((0, 2)) for x in (mu, static, viscous))


def law_restitution(machine: Assembly, layout: Layout) -> Any:
    """Return the restitution of each contact that has a law and a height row."""
    result = []
    for rows in law_rows(machine, layout):
        if rows.normal is not None:
            e = getattr(machine.contacts[rows.contact], "restitution", None)
            result.append(jnp.asarray(0.0 if e is None else e, dtype=float))
    return jnp.stack(result) if result else jnp.zeros(0)


def wrong_law(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the values of a law; functions and traced values are not checked."""
    known = {
        k: np.asarray(x, dtype=float)
        for k, x in values.items()
        if x is not None and not callable(x) and not is_traced(x)
    }
    for name, x in known.items():
        if not np.all(np.isfinite(x)) or np.any(x < 0.0):
            yield f"{name} must be 0 or more, got {x.tolist()}"
        if x.shape not in ((), (1,), (2,)) or (name in _ONE and x.shape):
            yield f"{name} is one number, or one for each of two directions, got {x.tolist()}"
    if np.any(known.get("restitution", np.zeros(())) > 1.0):
        yield f"restitution lies between 0 and 1, got {values['restitution']!r}"
    if {"mu", "mu_static"} <= set(known) and np.any(known["mu_static"] < known["mu"]):
        yield (
            f"mu_static = {values['mu_static']!r} is below mu = {values['mu']!r}: what holds with "
            "less than it slides with would do neither"
        )
    others = [k for k in values if k != "mu" and values[k] is not None]
    if values["mu"] is None and others:
        yield f"{others[0]} needs mu, the coefficient of sliding friction"
