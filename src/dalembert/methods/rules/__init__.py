"""Rules that make discrete Lagrangians, forces and constraints from a system, on any groupoid."""

from ...doors import guard as _guard
from .discrete_leaves import Leaf, leaf
from .geodesic import FiniteDifference, Geodesic
from .quadrature import (
    Alpha,
    EulerA,
    EulerB,
    Midpoint,
    Quadrature,
    SymmetricAlpha,
    Trapezoidal,
)
from .rule import (
    DiscreteMomenta,
    Rule,
    discrete_constraint,
    discrete_lagrangian,
    discrete_legendre,
    element_between,
    legendre_minus,
    legendre_plus,
    slope_at_end,
    slope_at_start,
)
from .special import CustomRule, MomentumAtEnd, MomentumAtStart, MoserVeselov

__all__ = [
    "Alpha",
    "CustomRule",
    "FiniteDifference",
    "DiscreteMomenta",
    "EulerA",
    "EulerB",
    "Geodesic",
    "Leaf",
    "Midpoint",
    "MomentumAtEnd",
    "MomentumAtStart",
    "MoserVeselov",
    "Quadrature",
    "Rule",
    "SymmetricAlpha",
    "Trapezoidal",
    "discrete_constraint",
    "discrete_lagrangian",
    "discrete_legendre",
    "element_between",
    "leaf",
    "legendre_minus",
    "legendre_plus",
    "slope_at_end",
    "slope_at_start",
]

_guard(globals())
