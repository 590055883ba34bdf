"""Variants of a system as modes: released from its constraints, or held at a unilateral one."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp

from ..dynamics import energy, energy_is_conserved, multipliers
from ..linalg import PerConstraint, Vector
from ..system import Invariants, Point, System, variant, variant_class

S = TypeVar("S", bound=System)
Gaps = Callable[[Point], jax.Array]  # f(q) >= 0, of shape (k,)


def released(system: S) -> S:
    """Return the system without its constraints: a sleigh off the ice, a ball on a smooth plane.

    Lagrangian, force, space and parameters are unchanged. What else the class states about its
    motion (closed forms, invariants) no longer holds and is left out.
    """
    return variant(system, _released_class(type(system)))


def held(system: S, gaps: Gaps) -> S:
    """Return the system with the constraint gaps(q) = 0, a vector or one number.

    Define `gaps` once: a new function object makes another system, which is compiled anew.

    The multipliers of the gaps are the contact forces, which push as long as they are positive
    (`contact_forces`).
    """
    return variant(system, _held_class(type(system), gaps))


def contact_forces(
    system: System, gaps: Gaps, q: Point, v: Vector, t: float = 0.0
) -> PerConstraint:
    """Return the forces that hold gaps(q) = 0; negative if the body would lift off."""
    result = multipliers(held(system, gaps), q, v, t)
    first = system.holonomic(q).shape[0]
    return result[first : first + jnp.size(gaps(q))]


class OfAnotherMotion:
    """Mixin that removes a class's statements about its motion, which fail for a variant."""

    @property
    def chaplygin_split(self) -> None:
        return None

    @property
    def symmetry_generators(self) -> dict[str, Any]:
        return {}

    @property
    def invariants(self) -> Invariants:
        system: Any = self
        kept = energy_is_conserved(system)
        return {"energy": functools.partial(energy, system)} if kept else {}

    @property
    def closed_form(self) -> Any:
        raise AttributeError("closed_form")

    @property
    def closed_form_multiplier(self) -> Any:
        raise AttributeError("closed_form_multiplier")

    @property
    def moving_energy(self) -> Any:
        raise AttributeError("moving_energy")


@variant_class
def _released_class(base: type[System]) -> Any:
    class Released(OfAnotherMotion, base):  # pyright: ignore[reportGeneralTypeIssues]
        conserves_energy = None

        constraint = System.constraint
        offset = System.offset
        holonomic = System.holonomic
        velocity_constraint = System.velocity_constraint

        def scene(self) -> Any:
            result = base.scene(self)
            return None if result is None else dataclasses.replace(result, contacts=())

    return Released


@variant_class
def _held_class(base: type[System], gaps: Gaps) -> Any:
    class Held(OfAnotherMotion, base):  # pyright: ignore[reportGeneralTypeIssues]
        conserves_energy = base.conserves_energy

        def holonomic(self, q: Point) -> jax.Array:
            return jnp.concatenate([base.holonomic(self, q), jnp.atleast_1d(gaps(q))])

    return Held
