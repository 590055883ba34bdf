"""Radau IIA collocation of order 5 on the constraint, for stiff machines.

The equations are those of `gauss`, with the three nodes of Radau IIA. The last node is the end of
the step, and the stability function vanishes at infinity: vibrations of springs that are too stiff
for the step die out within a few steps. Gauss keeps their amplitude.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from ..errors import UsageError
from ..linalg import Newton
from .base import Traits
from .gauss import Gauss
from .tableaux import Tableau, radau


@dataclasses.dataclass(frozen=True)
class Radau(Gauss):
    """Radau IIA with three stages: order 5, L-stable, the constraint at the nodes.

    For stiff machines, whose fastest vibrations need not be resolved: springs of 1e6 N/m on a
    kilogram, with steps of 0.01 s. It runs what `Gauss` runs. It is not symmetric, and it loses
    energy, of the resolved motion with order 5: for motions over long times `Gauss` is better.
    """

    stages: int = dataclasses.field(default=3, init=False, repr=False)
    newton: Newton = Newton()

    order: ClassVar[int] = 5

    @property
    def name(self) -> str:
        return "radau"

    @property
    def tableau(self) -> Tableau:
        return radau(self.stages)

    @property
    def traits(self) -> Traits:
        return Traits(
            order=self.order,
            multiplier_order=self.order,
            symmetric=False,
            explicit=False,
            keeps="the constraint at the nodes",
            on_constraint=True,
            reference="Hairer, Wanner 1996, IV.5 and IV.8; projection as in Gauss",
        )

    def adjoint(self) -> Gauss:
        raise UsageError(f"{self.name} has no adjoint here")
