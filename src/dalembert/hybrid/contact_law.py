"""Coulomb's law at a contact: its parameters, and the rows of a system that it applies to.

A contact has a normal row, d(gap), whose reaction only pushes, and groups of one or two rows along
the surface. A group sticks (its rows are constraints) or slides (its reaction is mu times the load,
against the slip). A group such as a brake or a belt may have a given load, and no gap.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..doors import Module
from ..errors import UsageError
from ..linalg import row_rank
from ..parts import Machine
from ..parts.law import LAW, law_rows, turn_rows, wrong_law
from ..parts.topology import Row
from ..system import Point, System

OPEN, HOLDS, SLIDES = "is open", "holds", "slides"  # states of a contact, in names of modes
# by kind of group: (its state while its rows are constraints, its state while they are not)
_WORDS = {
    "slip": (HOLDS, SLIDES),
    "rolling": ("does not roll", "rolls"),
    "spinning": ("does not spin", "spins"),
}


def _coefficient(value: Any) -> Any:
    if value is None or callable(value) or isinstance(value, (jax.Array, np.ndarray)):
        return value
    try:
        return tuple(map(float, value)) if isinstance(value, (tuple, list)) else float(value)
    except (TypeError, ValueError):
        raise UsageError(
            "a coefficient of friction is a number, two of them (one for each row), or a function "
            f"(t, q) of them; got {value!r}"
        ) from None


class ContactLaw(Module):
    """A contact with dry friction, for a system given by its Lagrangian.

        from dalembert.hybrid.zoo import Weight  # q = (x, y)

        floor = hybrid.ContactLaw(
            "block", lambda q: jnp.array([[1.0, 0.0]]), gap=lambda q: q[1], mu=0.3
        )
        modes = hybrid.with_friction(Weight(), floor)
        run = da.simulate(modes, [0.0, 0.0], [2.0, 0.0], h=0.01, t=1.0)

    Args:
        name: used in the names of modes, "block slides".
        rows: function of q, the one-forms of the slip velocity: (1, dim) or (2, dim).
        gap: function of q, not negative; the contact lifts and lands. Required unless `load` is
            given.
        load: the normal force in N if there is no gap, a number or a function (t, q, v).
        mu: coefficient of sliding friction: a number, one for each row, or a function (t, q).
        mu_static: coefficient up to which the contact sticks; at least `mu`, which is its default.
        restitution: e, for the impact when the gap closes, by Stronge's rule: the rebound returns
            e^2 of the work of the approach. If the slip does not stop in the impact, e is Newton's
            ratio of speeds.
        offset: velocity (t, q) of the surface in the directions of the rows, for example of a belt.
        viscous: a force -viscous * slip in addition to the dry friction, in N s/m.
    """

    name: str = eqx.field(static=True)
    rows: Callable[[Point], Any] = eqx.field(static=True)
    gap: Callable[[Point], Any] | None = eqx.field(static=True, default=None)
    load: Any = eqx.field(converter=_coefficient, default=None)
    mu: Any = eqx.field(converter=_coefficient, default=0.0)
    mu_static: Any = eqx.field(converter=_coefficient, default=None)
    restitution: Any = eqx.field(converter=_coefficient, default=0.0)
    offset: Callable[[Any, Point], Any] | None = eqx.field(static=True, default=None)
    viscous: Any = eqx.field(converter=_coefficient, default=None)

    def __check_init__(self) -> None:
        who = f"contact '{self.name}'"
        if not isinstance(self.name, str) or not self.name.strip() or "," in self.name:
            raise UsageError(
                f"the name of a contact must be a string without commas, got {self.name!r}"
            )
        if (self.gap is None) == (self.load is None):
            raise UsageError(f"{who} needs either a gap or a given load")
        for told in wrong_law({name: getattr(self, name) for name in LAW}):
            raise UsageError(f"{who}: {told}")


@dataclasses.dataclass(frozen=True)
class FrictionGroup:
    """One or two rows with one friction law, and the contact that provides the load."""

    name: str
    rows: tuple[int, ...]  # indices among all rows, holonomic ones first
    contact: int | None  # None: the load is given
    kind: str = "slip"  # or "rolling", "spinning": the rows then give angular velocities

    def ends(self, sticks: bool) -> str:
        """Return the name of the transition at which the group stops or begins to move."""
        if self.kind == "slip":
            return f"{self.name} {'sticks' if sticks else 'slips'}"
        turn = self.kind if sticks else self.kind.removesuffix("ing").removesuffix("n")
        return f"{self.name} {'stops ' if sticks else 'begins to '}{turn}"


@dataclasses.dataclass(frozen=True)
class ContactPlan:
    """Which rows of a system belong to its contacts; independent of parameter values."""

    contacts: tuple[str, ...]
    normals: tuple[int, ...]  # row of each contact's normal
    groups: tuple[FrictionGroup, ...]
    rows: int  # number of all rows
    holonomic: int  # number of holonomic rows
    redundant: bool = False
    turns: tuple[Row, ...] = ()  # the rows that resist rolling and spinning, after all others

    @property
    def names(self) -> tuple[str, ...]:
        """The names that modes refer to: contacts (with their first group), then other groups."""
        return tuple(dict.fromkeys((*self.contacts, *(g.name for g in self.groups))))

    @property
    def resisting(self) -> tuple[FrictionGroup, ...]:
        """The groups that resist rolling and spinning."""
        return tuple(g for g in self.groups if g.kind != "slip")


@dataclasses.dataclass(frozen=True)
class ContactState:
    """The state of every contact and group. `toward` is the direction of a slip when it began."""

    shut: tuple[bool, ...]  # by contact
    sticks: tuple[bool, ...]  # by group; False if it slides, or the contact is open
    toward: tuple[tuple[float, float], ...]  # by group
    rests: bool = False
    # Compliances by group and row if rows are redundant; () if all are equal. Dependent rows that
    # stick share their reaction in proportion to what friction can still hold.
    soft: tuple[tuple[float, float], ...] = ()

    def is_on(self, group: FrictionGroup) -> bool:
        """Return whether the group is in contact."""
        return group.contact is None or self.shut[group.contact]

    def by_contact(self, plan: ContactPlan) -> dict[str, str]:
        """Return what each contact does: "holds", "slides" or "is open"."""
        told = dict.fromkeys(plan.names, OPEN)
        for c, shut in zip(plan.contacts, self.shut):
            told[c] = HOLDS if shut else OPEN
        for g, sticks in zip(plan.groups, self.sticks):
            if g.kind == "slip" and self.is_on(g):
                told[g.name] = _WORDS[g.kind][0 if sticks else 1]
        return told

    def name(self, plan: ContactPlan) -> str:
        """Return the name of the mode: "left slides, right holds"."""
        turns = [
            f"{g.name} {_WORDS[g.kind][0 if sticks else 1]}"
            for g, sticks in zip(plan.groups, self.sticks)
            if g.kind != "slip" and self.is_on(g)
        ]
        told = self.by_contact(plan)
        return ", ".join([*(f"{name} {what}" for name, what in told.items()), *turns])


def state_named(plan: ContactPlan, mode: str) -> ContactState | None:
    """Return the state for the name of a mode; None if it is not such a name."""
    told: dict[tuple[str, str], str] = {}
    for part in mode.split(", "):
        for kind, words in _WORDS.items():
            for what in (OPEN, *words):
                if part.endswith(f" {what}"):
                    told[(part.removesuffix(f" {what}"), kind if what != OPEN else "slip")] = what
    shut = tuple(told.get((c, "slip"), OPEN) != OPEN for c in plan.contacts)
    sticks = tuple(told.get((g.name, g.kind)) == _WORDS[g.kind][0] for g in plan.groups)
    found = ContactState(shut, sticks, ((1.0, 0.0),) * len(plan.groups))
    return found if found.name(plan) == mode else None


def plan_of_machine(machine: Machine) -> ContactPlan:
    """Return the rows of the contacts of a machine that have a coefficient of friction."""
    layout = machine.layout
    found = law_rows(machine._machine(), layout)
    if not found:
        raise UsageError(
            f"{machine.name()} has no contact with friction: give one a coefficient, as "
            "parts.Wheel(..., mu=0.8)"
        )
    for x in found:
        if x.normal is None:
            raise UsageError(
                f"contact '{x.label}': joints hold its height, so that its load is not a reaction "
                "of the contact. Use parts.Free instead of Planar, so that the contacts carry "
                "the machine"
            )
    lawful = [x for x in found if x.sides]
    contacts = tuple(x.label for x in found)
    groups = tuple(FrictionGroup(x.label, x.sides, contacts.index(x.label)) for x in lawful)
    rows, k = len(layout.holonomic) + len(layout.rows), len(layout.holonomic)
    normals = tuple(x.normal for x in found if x.normal is not None)
    turns: list[Row] = []
    for x in turn_rows(machine._machine()):
        at = range(rows + len(turns), rows + len(turns) + len(x.rows))
        groups += (FrictionGroup(x.label, tuple(at), contacts.index(x.label), x.number),)
        turns += x.rows
    redundant = layout.redundant or (bool(turns) and _depend(machine, tuple(turns)))
    return ContactPlan(contacts, normals, groups, rows + len(turns), k, redundant, tuple(turns))


def _depend(machine: Machine, turns: tuple[Row, ...]) -> bool:
    """Return whether the rows are linearly dependent if all contacts stick and nothing turns."""
    q, v = machine.start()
    rows = np.asarray(machine.forms_of_parts(turns).rows(q))
    return row_rank(rows, np.asarray(dynamics.metric(machine, q, v))).rank < len(rows)


def plan_of_laws(system: System, laws: Sequence[ContactLaw], redundant: bool) -> ContactPlan:
    """Return the rows of the system's constraints, gaps and slips; holonomic ones come first."""
    q = system.groupoid.base.identity()
    k = jax.eval_shape(lambda: system.holonomic(q)).shape[0]
    r = jax.eval_shape(lambda: system.constraint(q)).shape[0]
    names = [law.name for law in laws]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two contacts are called '{name}'")
    gaps = [law for law in laws if law.gap is not None]
    contacts = tuple(law.name for law in gaps)
    normals = tuple(k + i for i in range(len(gaps)))
    at, groups = k + len(gaps) + r, []
    for law in laws:
        count = _checked_rows(system, law, q)
        contact = contacts.index(law.name) if law.gap is not None else None
        groups.append(FrictionGroup(law.name, tuple(range(at, at + count)), contact))
        at += count
    redundant = redundant or at > system.dim  # more rows than velocities are linearly dependent
    return ContactPlan(contacts, normals, tuple(groups), at, k + len(gaps), redundant)


# the number of slip rows of a law; raises if its functions return wrong shapes
def _checked_rows(system: System, law: ContactLaw, q: Point) -> int:
    who = f"contact '{law.name}'"
    try:
        shape = jax.eval_shape(lambda: jnp.atleast_2d(jnp.asarray(law.rows(q)))).shape
        given: Any = law.gap
        gap = () if given is None else jax.eval_shape(lambda: jnp.asarray(given(q))).shape
    except Exception as error:
        why = str(error).strip().partition("\n")[0]
        raise UsageError(
            f"{who}: rows(q) or gap(q) fails: {type(error).__name__}: {why}"
        ) from error
    if len(shape) != 2 or shape[0] not in (1, 2) or shape[1] != system.dim:
        raise UsageError(
            f"{who}: rows(q) must return one or two one-forms, shape (1, {system.dim}) or (2, "
            f"{system.dim}); got {shape}"
        )
    if gap != ():
        raise UsageError(f"{who}: gap(q) must return one number, got shape {gap}")
    return shape[0]
