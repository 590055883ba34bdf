"""Results of runs: trajectories, ensembles, their labels and files."""

from ..doors import guard as _guard
from .ensemble import Ensemble
from .event_rows import EventRow, Events
from .hybrid_trajectory import Arc, HybridTrajectory, JumpRow, Jumps
from .loading import load
from .meta import Meta, versions
from .provenance import Identity
from .summaries import Counts, Crossings, HeldInputs, Moments
from .trajectory import Trajectory

__all__ = [
    "Arc",
    "Counts",
    "Crossings",
    "Ensemble",
    "EventRow",
    "Events",
    "HeldInputs",
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

_guard(globals())
