"""Methods made of methods."""

from __future__ import annotations

import dataclasses

import jax.numpy as jnp

from ..errors import UsageError
from ..system import System
from .base import Advance, Method, Traits
from .gni import GNI
from .rules import EulerA, EulerB


@dataclasses.dataclass(frozen=True)
class Composition(Method):
    """GNI with one rule after the other, each over an equal part of the step.

    The momentum is reflected at every node, also at those inside the step. Euler A and its
    adjoint Euler B over half a step each give order 2. The literal composition of (13) and (14)
    [F15], which Remark 5.5 there suggests, does not converge: the two live on different sets.
    The multiplier is the mean reaction over the step.
    """

    parts: tuple[GNI, ...] = (GNI(EulerA()), GNI(EulerB()))

    def __post_init__(self) -> None:
        if len(self.parts) < 2 or not all(isinstance(part, GNI) for part in self.parts):
            raise UsageError("a composition needs at least two GNI methods")

    @property
    def name(self) -> str:
        return "gni-" + "-then-".join(part.rule.label for part in self.parts)

    @property
    def traits(self) -> Traits:
        symmetric = self.adjoint() == self
        return Traits(
            order=2 if symmetric else min(part.traits.order for part in self.parts),
            multiplier_order=1,
            symmetric=symmetric,
            explicit=all(part.traits.explicit for part in self.parts),
            keeps=self.parts[0].traits.keeps,
            reference="Remark 5.5 [F15], corrected: reflected at every node",
            carry="step",
        )

    def adjoint(self) -> Composition:
        return Composition(tuple(part.adjoint() for part in reversed(self.parts)))

    def check(self, system: System) -> None:
        for part in self.parts:
            part.check(system)

    def start(self, system, t, h, q, v):
        return self.parts[0].start(system, t, h / len(self.parts), q, v)

    def reverse(self, carry, row):
        return self.parts[0].reverse(carry, row)

    def step(self, system, t, h, carry) -> Advance:
        group = system.groupoid.group
        frame, impulse, residual = group.identity(), 0.0, jnp.zeros(())
        share = h / len(self.parts)
        advance, result = None, jnp.asarray(0)
        for i, part in enumerate(self.parts):
            advance = part.step(system, t + i * share, share, carry)
            carry = advance.carry
            frame = group.mul(frame, advance.frame)
            impulse = impulse + share * advance.row.multiplier
            residual = jnp.maximum(residual, advance.row.residual)
            result = jnp.maximum(result, advance.row.result)
        assert advance is not None
        row = advance.row._replace(multiplier=impulse / h, residual=residual, result=result)
        return Advance(carry, row, frame)
