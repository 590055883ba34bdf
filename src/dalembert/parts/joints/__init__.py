"""The joints of machines, one in each file; `pieces.Joint` says what a joint defines."""

from .fixed import Fixed
from .free import Free
from .planar import Planar
from .prismatic import Prismatic
from .revolute import Revolute
from .spherical import Spherical

__all__ = ["Fixed", "Free", "Planar", "Prismatic", "Revolute", "Spherical"]
