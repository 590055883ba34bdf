"""The modes that go with a system: released from its constraints, held at a unilateral one."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

from ..dynamics import energy, energy_is_conserved, multipliers
from ..linalg import PerConstraint, Vector
from ..system import Invariants, Point, System

S = TypeVar("S", bound=System)
Gaps = Callable[[Point], jax.Array]  # f(q) >= 0, of shape (k,)


def released(system: S) -> S:
    """The system without its constraints: a sleigh off the ice, a ball on a smooth plane.

    Lagrangian, force, space and parameters are those of the system; what else it says of its
    motion (closed forms, invariants) no longer holds and is left out.
    """
    return _copied(_released_class(type(system)), system)


def held(system: S, gaps: Gaps) -> S:
    """The system with gaps(q) = 0, a vector or one number: what touches goes on touching.

    Define `gaps` once: a function made anew is another system.

    The multipliers of the gaps are the forces of contact, which push as long as they are positive
    (`contact_forces`).
    """
    return _copied(_held_class(type(system), gaps), system)


def contact_forces(
    system: System, gaps: Gaps, q: Point, v: Vector, t: float = 0.0
) -> PerConstraint:
    """The forces that hold gaps(q) = 0, one for each: below zero where the body would lift off."""
    found = multipliers(held(system, gaps), q, v, t)
    first = system.holonomic(q).shape[0]
    return found[first : first + jnp.size(gaps(q))]


def _copied(cls: type[S], system: S) -> S:
    made = object.__new__(cls)
    for f in dataclasses.fields(system):
        object.__setattr__(made, f.name, getattr(system, f.name))
    return made


@functools.cache
def _released_class(base: type[System]) -> Any:
    """Made once a class, so that compiled code is shared."""

    class Released(base):  # pyright: ignore[reportGeneralTypeIssues]
        conserves_energy = None

        constraint = System.constraint
        offset = System.offset
        holonomic = System.holonomic
        velocity_constraint = System.velocity_constraint

        def scene(self) -> Any:
            found = base.scene(self)
            return None if found is None else dataclasses.replace(found, contacts=())

    return _finished(Released, base, "Released")


@functools.cache
def _held_class(base: type[System], gaps: Gaps) -> Any:
    class Held(base):  # pyright: ignore[reportGeneralTypeIssues]
        conserves_energy = base.conserves_energy

        def holonomic(self, q: Point) -> jax.Array:
            return jnp.concatenate([base.holonomic(self, q), jnp.atleast_1d(gaps(q))])

    return _finished(Held, base, "Held")


def _finished(made: Any, base: type[System], what: str) -> Any:
    """What the system says of its own motion does not hold for the other one."""

    def invariants(self: System) -> Invariants:
        kept = energy_is_conserved(self)
        return {"energy": functools.partial(energy, self)} if kept else {}

    def absent(name: str) -> property:
        def missing(self: System) -> Any:
            raise AttributeError(name)

        return property(missing)

    made.invariants = property(invariants)
    made.chaplygin_split = property(lambda self: None)
    made.symmetry_generators = property(lambda self: {})
    for name in ("closed_form", "closed_form_multiplier", "moving_energy"):
        if hasattr(base, name):
            setattr(made, name, absent(name))
    made.__name__ = made.__qualname__ = f"{base.__name__}{what}"
    made.__doc__ = base.__doc__
    return made
