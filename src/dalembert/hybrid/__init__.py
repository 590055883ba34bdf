"""Hybrid systems: jumps of the velocity, impulses, constraints that come and go."""

from __future__ import annotations

from ..diagnostics.rank import rank_losses
from ..results import HybridTrajectory
from .across import Exit, Exits, jump_across
from .contacts import gap_rows, impact
from .ensembles import HybridEnsemble, simulate_ensemble
from .friction import FrictionImpact, friction_impact
from .jumps import Jump, impulse_at, jump, jump_velocity
from .limits import Codistribution, Crossing, Limit, Rank
from .modes import Approach, Impact, Kick, Modes, Reaction, Transition, bounce, contact, kick
from .reports import energy, report
from .runs import resume, simulate
from .variants import contact_forces, held, released

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
