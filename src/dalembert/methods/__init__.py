"""Integrators: the Geometric Nonholonomic Integrator, discrete d'Alembert, classical ones."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..doors import guard as _guard
from ..linalg import (
    GAVE_UP,
    INCONSISTENT,
    MESSAGES,
    NO_CONVERGENCE,
    NOT_FINITE,
    OFF_CONSTRAINT,
    OK,
    STALLED,
    Newton,
)
from .base import (
    Advance,
    Method,
    Row,
    Splitting,
    Traits,
    code,
    exact_row,
    refuse_nonlinear,
    round_off,
    split_momentum,
)
from .classical import RK4, Reference
from .composition import Composition
from .constant_mass import Leapfrog, MPEuler, MPEulerAdjoint, MPMidpoint, Shake
from .dla import DLA
from .energy import EnergyGauss
from .energy_dla import EnergyDLA
from .gauss import Gauss
from .gni import GNI
from .hamel import Hamel
from .lobatto import Lobatto
from .newmark import Newmark
from .radau import Radau
from .reversible import Reversible
from .rules import (
    DiscreteMomenta,
    EulerA,
    EulerB,
    Midpoint,
    MomentumAtStart,
    MoserVeselov,
    Trapezoidal,
    discrete_legendre,
)
from .taylor import Taylor


@functools.cache
def default() -> Method:
    """Return Gauss(2), the method of a run that names none: order 4, for every kind of system."""
    return Gauss(stages=2)


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
        Radau,
        EnergyGauss,
        Hamel,
        Newmark,
        lambda: Newmark().composed(),
        Leapfrog,
        *(lambda order=order: Composition(Leapfrog(), order) for order in (4, 6, 8)),
        *(lambda order=order: Composition(DLA(), order) for order in (4, 6)),
        Shake,
        MPEuler,
        MPEulerAdjoint,
        MPMidpoint,
        lambda: Reversible(Gauss(2)),
        RK4,
        Reference,
        Taylor,
    ]


# name on the command line -> function that makes the method
registry: dict[str, Callable[[], Method]] = {make().name: make for make in _makers()}


def __getattr__(name: str) -> object:
    # imported late: these need `geometry`, which most runs do not
    if name in ("RDLA", "Hamiltonized"):
        return getattr(importlib.import_module(f".{name.lower()}", __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


if TYPE_CHECKING:
    from .hamiltonized import Hamiltonized
    from .rdla import RDLA

__all__ = [
    # methods
    "DLA",
    "GNI",
    "RDLA",
    "Gauss",
    "Hamel",
    "Hamiltonized",
    "Newmark",
    "RK4",
    "Composition",
    "EnergyDLA",
    "EnergyGauss",
    "Leapfrog",
    "Lobatto",
    "MPEuler",
    "MPEulerAdjoint",
    "MPMidpoint",
    "Radau",
    "Reference",
    "Reversible",
    "Shake",
    "Taylor",
    "default",
    "registry",
    # discrete mechanics
    "DiscreteMomenta",
    "discrete_legendre",
    # for writing your own method
    "Method",
    "Traits",
    "Row",
    "Advance",
    "Newton",
    "exact_row",
    "code",
    "split_momentum",
    "Splitting",
    "round_off",
    "refuse_nonlinear",
    "OK",
    "NO_CONVERGENCE",
    "NOT_FINITE",
    "INCONSISTENT",
    "GAVE_UP",
    "OFF_CONSTRAINT",
    "STALLED",
    "MESSAGES",
]

_guard(globals())
