"""Geometry of nonholonomic systems: constraints, connections, brackets, symmetry, reduction.

Each function takes a system and a point or a vector field, and differentiates automatically. A
vector field is a function of q. Signs and errata follow the conventions of [C02] as corrected in
docs/notation.md.

    from dalembert import geometry
    geometry.growth_vector(system, q)
    geometry.symmetry_class(system, geometry.Symmetry.of(system, "se2"))

All names are here, and by subject in `geometry.distribution`, `geometry.symmetry` and
`geometry.reduction`.
"""

import importlib as _importlib

from ..doors import guard as _guard
from ..errors import warn_deprecated as _warn_deprecated
from . import distribution, reduction, symmetry
from .analysis import Analysis, Finding, analyze
from .distribution import *  # noqa: F403
from .reduction import *  # noqa: F403
from .symmetry import *  # noqa: F403

__all__ = ["Analysis", "Finding", "analyze"]
__all__ += distribution.__all__
__all__ += symmetry.__all__
__all__ += reduction.__all__

# module names of release 0.2 -> their current places
_MOVED = {
    "charts": "reduction.charts",
    "connection": "distribution.connection",
    "cyclic": "reduction.cyclic_coordinates",
    "forms": "symmetry.state_forms",
    "general": "reduction.momentum_reduction",
    "integrals": "reduction.last_multiplier",
    "kept": "symmetry.conserved_momenta",
    "levels": "reduction.momentum_levels",
    "measure": "reduction.reduced_measure",
    "momentum": "symmetry.momentum",
    "nonlinear": "symmetry.nonlinear_momentum",
    "reconstruction": "reduction.reconstruction",
    "steps": "reduction.two_step_reduction",
    "timed": "distribution.time_dependent",
    "verdicts": "reduction.equivalences",
}


def __getattr__(name: str) -> object:
    if name not in _MOVED:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    place = f"geometry.{_MOVED[name]}"
    _warn_deprecated(f"geometry.{name}", place, since="0.3", until="0.5")
    return _importlib.import_module(f".{_MOVED[name]}", __name__)


_guard(globals())
