"""What runs leave behind: trajectories, ensembles, their labels and files."""

from .ensemble import Ensemble
from .events import EventRow, Events
from .hybrid import Arc, HybridTrajectory, JumpRow, Jumps
from .identity import Identity
from .loading import load
from .meta import Meta, versions
from .reduced import Counts, Crossings, Moments
from .trajectory import Trajectory

__all__ = [
    "Arc",
    "Counts",
    "Crossings",
    "Ensemble",
    "EventRow",
    "Events",
    "HybridTrajectory",
    "Identity",
    "JumpRow",
    "Jumps",
    "Meta",
    "Moments",
    "Trajectory",
    "load",
    "versions",
]
