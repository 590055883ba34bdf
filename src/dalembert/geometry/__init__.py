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

from ..doors import guard as _guard
from . import distribution, reduction, symmetry
from .analysis import Analysis, Finding, analyze
from .distribution import *  # noqa: F403
from .reduction import *  # noqa: F403
from .symmetry import *  # noqa: F403

__all__ = ["Analysis", "Finding", "analyze"]
__all__ += distribution.__all__
__all__ += symmetry.__all__
__all__ += reduction.__all__

_guard(globals())
