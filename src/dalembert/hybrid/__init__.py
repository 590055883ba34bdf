"""Hybrid systems: jumps of the velocity, impulses, constraints that come and go."""

from __future__ import annotations

from ..diagnostics.rank import rank_losses
from ..doors import guard as _guard
from ..results import HybridTrajectory
from .contact_modes import contact_forces, held, released
from .friction import FrictionImpact, friction_impact
from .hybrid_api import resume, simulate
from .hybrid_ensemble import HybridEnsemble, simulate_ensemble
from .hybrid_report import energy, report
from .jumps import Jump, impulse_at, jump, jump_velocity
from .modes import Approach, Impact, Kick, Modes, Reaction, Transition, bounce, contact, kick
from .rank_change import Codistribution, Crossing, Limit, Rank
from .singular_exits import Exit, Exits, jump_across
from .unilateral import gap_rows, impact

__all__ = [
    "Approach",
    "Codistribution",
    "Crossing",
    "Exit",
    "Exits",
    "FrictionImpact",
    "HybridEnsemble",
    "HybridTrajectory",
    "Impact",
    "Jump",
    "Kick",
    "Limit",
    "Modes",
    "Rank",
    "Reaction",
    "Transition",
    "bounce",
    "contact",
    "contact_forces",
    "energy",
    "friction_impact",
    "gap_rows",
    "held",
    "impact",
    "impulse_at",
    "jump",
    "jump_across",
    "jump_velocity",
    "kick",
    "rank_losses",
    "released",
    "report",
    "resume",
    "simulate",
    "simulate_ensemble",
]

_guard(globals())
