"""Integrators: the Geometric Nonholonomic Integrator, discrete d'Alembert, classical ones."""

from __future__ import annotations

from collections.abc import Callable

from .base import Method, Row, Traits
from .classical import RK4, Reference
from .composition import Composition
from .constant_mass import Leapfrog, MPEuler, MPEulerAdjoint, MPMidpoint, Shake
from .dla import DLA
from .energy import EnergyGauss
from .gauss import Gauss
from .gni import GNI
from .lobatto import Lobatto
from .rules import EulerA, EulerB, Midpoint, MomentumAtStart, MoserVeselov, Trapezoidal


def _makers() -> list[Callable[[], Method]]:
    rules = (Midpoint, Trapezoidal, EulerA, EulerB)
    return [
        *(lambda rule=rule: GNI(rule()) for rule in rules),
        lambda: GNI(MoserVeselov()),
        Composition,
        *(lambda rule=rule: DLA(rule()) for rule in rules),
        lambda: DLA(Midpoint(), Trapezoidal()),
        lambda: DLA(Trapezoidal(), Midpoint()),
        lambda: DLA(MoserVeselov(), MomentumAtStart(MoserVeselov())),
        *(lambda s=s: Gauss(s) for s in (1, 2, 3, 4, 6, 8)),
        *(lambda s=s: Lobatto(s) for s in (2, 3, 4)),
        EnergyGauss,
        Leapfrog,
        Shake,
        MPEuler,
        MPEulerAdjoint,
        MPMidpoint,
        RK4,
        Reference,
    ]


# name on the command line -> how to make it
registry: dict[str, Callable[[], Method]] = {make().name: make for make in _makers()}

__all__ = [
    "DLA",
    "GNI",
    "Gauss",
    "RK4",
    "Composition",
    "EnergyGauss",
    "Leapfrog",
    "Lobatto",
    "MPEuler",
    "MPEulerAdjoint",
    "MPMidpoint",
    "Method",
    "Reference",
    "Row",
    "Shake",
    "Traits",
    "registry",
]
