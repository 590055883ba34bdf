"""What runs leave behind: trajectories, ensembles, their labels and files."""

from .ensemble import Ensemble, load
from .events import EventRow, Events
from .identity import Identity
from .meta import Meta, versions
from .reduced import Counts, Crossings, Moments
from .trajectory import Trajectory

__all__ = [
    "Counts",
    "Crossings",
    "Ensemble",
    "EventRow",
    "Events",
    "Identity",
    "Meta",
    "Moments",
    "Trajectory",
    "load",
    "versions",
]
