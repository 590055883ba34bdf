"""Time-dependent systems frozen at one instant: the geometry of L(t, ., .) and A(t, .)."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp

from ...dynamics import Time
from ...errors import UsageError
from ...system import System, passed_on


class Frozen(System):
    """A system with L, constraints and force frozen at time t; made by `at_time`."""

    system: System
    t: jax.Array
    frozen: bool = eqx.field(static=True, default=True)

    space = passed_on("system", "space")
    has_offset = passed_on("system", "has_offset")
    has_force = passed_on("system", "has_force")
    has_inputs = passed_on("system", "has_inputs")
    has_holonomic = passed_on("system", "has_holonomic")
    is_nonlinear = passed_on("system", "is_nonlinear")
    is_constrained = passed_on("system", "is_constrained")
    coordinate_names = passed_on("system", "coordinate_names")
    symmetry_generators = passed_on("system", "symmetry_generators")
    chaplygin_split = passed_on("system", "chaplygin_split")

    def lagrangian(self, q, v):
        return self.system.lagrangian_at(self.t, q, v)

    def constraint(self, q):
        return self.system.constraint_at(self.t, q)

    def offset(self, t, q):
        return self.system.offset(self.t, q)

    def holonomic(self, q):
        return self.system.holonomic(q)

    def force(self, t, q, v):
        return self.system.force(self.t, q, v)

    def velocity_constraint(self, t, q, v):
        return self.system.velocity_constraint(self.t, q, v)

    def inputs(self, q):
        return self.system.inputs(q)

    def initial(self):
        return self.system.initial()


def at_time(system: System, t: Time) -> System:
    """Return the system with L, constraints and forces frozen at time t.

    Geometric results for it (symmetry, connection, bracket, forms, reduction) hold at that instant.
    Its motion differs from that of the original system, whose momenta also change with time.
    """
    return Frozen(system, jnp.asarray(t, dtype=float))


def require_autonomous(system: System, what: str) -> None:
    """Raise `UsageError` if the Lagrangian or a constraint depends on time."""
    for timed, of, has in (
        (system.has_time, "Lagrangians L(q, v)", "lagrangian(t, q, v)"),
        (system.has_timed_constraint, "constraints A(q) v = b", "constraint(t, q)"),
    ):
        if timed:
            raise UsageError(
                f"{what} is for {of}; {system.name()} has {has}: take the system at one instant, "
                "geometry.at_time(system, t)"
            )


__all__ = ["Frozen", "at_time", "require_autonomous"]
