"""Lie groups as configuration spaces: R^n, SO(n), SE(2), SE(3), quadratic ones and products.

An element is an array ((n,) for R^n, a square matrix for SO and SE) or a tuple of elements for a
product; an algebra element is always one flat vector of length `dim`. With tau either `exp` or

    cay(x) = (e - x/2)^-1 (e + x/2)

the tangent dtau is right-trivialized, d/dt tau(x) = hat(dtau_x x') tau(x); left-trivialized it is
dtau_{-x} ([F15] Definition 9.1 and Lemma 9.5). Every function takes one element; batch with
`jax.vmap`. All are smooth through v = 0 and g = e, to round-off, with their first two derivatives.

Limits: `log` returns the principal value, unique for rotation angles below pi; `cay_inv` is not
defined at angle pi, `dexp_inv` not at angle 2 pi.
"""

from ..doors import guard as _guard
from .euclidean import Euclidean
from .functions import stumpff
from .group import ELEMENT_TOLERANCE, ArrayGroup, Element, Group
from .product import Product
from .quadratic import Lorentz, Quadratic, QuadraticGroup, Sp
from .rigid import SE, SpecialEuclidean
from .rotations import SO, SpecialOrthogonal

__all__ = [
    "ArrayGroup",
    "ELEMENT_TOLERANCE",
    "Element",
    "Euclidean",
    "Group",
    "Lorentz",
    "Product",
    "Quadratic",
    "QuadraticGroup",
    "SE",
    "SO",
    "Sp",
    "SpecialEuclidean",
    "SpecialOrthogonal",
    "stumpff",
]

_guard(globals())
