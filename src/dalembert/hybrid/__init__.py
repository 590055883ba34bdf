"""Hybrid systems: jumps of the velocity, impulses, constraints that come and go."""

from __future__ import annotations

from ..results import HybridTrajectory
from .ensembles import HybridEnsemble, simulate_ensemble
from .jumps import Jump, jump, jump_velocity
from .modes import Approach, Impact, Kick, Modes, Reaction, Transition, bounce, contact, kick
from .reports import energy, report
from .runs import resume, simulate

__all__ = [
    "Approach",
    "HybridEnsemble",
    "HybridTrajectory",
    "Impact",
    "Jump",
    "Kick",
    "Modes",
    "Reaction",
    "Transition",
    "bounce",
    "contact",
    "energy",
    "jump",
    "jump_velocity",
    "kick",
    "report",
    "resume",
    "simulate",
    "simulate_ensemble",
]
