"""Hybrid systems: modes with their own constraints, joined by jumps and impulses."""

from __future__ import annotations

from ..diagnostics.rank import rank_losses
from ..doors import guard as _guard
from ..geometry.distribution.rank_change import Codistribution, Crossing, Limit, Rank
from ..geometry.distribution.rank_leaves import Integrability
from ..results import HybridTrajectory
from .contact_law import ContactLaw
from .contact_modes import contact_forces, held, released
from .friction import FrictionImpact, friction_impact
from .hybrid_api import resume, simulate
from .hybrid_ensemble import HybridEnsemble, resume_ensemble, simulate_ensemble
from .hybrid_flow import End, HybridRows, HybridSensitivities, flow, sensitivities
from .hybrid_report import energy, report
from .joint_limits import with_limits
from .jumps import Jump, impulse_at, jump, jump_velocity
from .modes import Approach, Impact, Kick, Modes, Reaction, Transition, bounce, contact, kick
from .rank_modes import RankModes, across_ranks
from .rough_modes import RoughModes, with_friction
from .section_map import Return, ReturnSlopes, SectionMap, section_map
from .singular_exits import Exit, Exits, jump_across
from .unilateral import gap_rows, impact

__all__ = [
    "Approach",
    "Codistribution",
    "ContactLaw",
    "Crossing",
    "End",
    "Exit",
    "Exits",
    "FrictionImpact",
    "HybridEnsemble",
    "HybridRows",
    "HybridSensitivities",
    "HybridTrajectory",
    "Impact",
    "Integrability",
    "Jump",
    "Kick",
    "Limit",
    "Modes",
    "Rank",
    "RankModes",
    "Reaction",
    "Return",
    "ReturnSlopes",
    "RoughModes",
    "SectionMap",
    "Transition",
    "across_ranks",
    "bounce",
    "contact",
    "contact_forces",
    "energy",
    "flow",
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
    "resume_ensemble",
    "section_map",
    "sensitivities",
    "simulate",
    "simulate_ensemble",
    "with_friction",
    "with_limits",
]

_guard(globals())
