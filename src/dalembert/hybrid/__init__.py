"""Hybrid systems: jumps of the velocity, impulses, constraints that come and go."""

from __future__ import annotations

from ..results import HybridTrajectory
from .jumps import Jump, jump, jump_velocity
from .modes import Impact, Kick, Modes, Reaction, Transition, bounce, contact, kick
from .runs import resume, simulate

__all__ = [
    "HybridTrajectory",
    "Impact",
    "Jump",
    "Kick",
    "Modes",
    "Reaction",
    "Transition",
    "bounce",
    "contact",
    "jump",
    "jump_velocity",
    "kick",
    "resume",
    "simulate",
]
