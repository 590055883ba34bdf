"""Control: what can be reached from rest, decoupling motions, plans, linearization."""

from __future__ import annotations

from ..inputs import Constant, PerMember, StateFeedback, Table, control_at, driven
from .closures import Closure
from .controllability import (
    Controllability,
    GoodBad,
    QuadraticForm,
    controllability,
    isotropic_basis,
)
from .decoupling import Decoupling, decoupling_fields, input_field
from .hypotheses import Verdict, check_hypotheses
from .linear import Feedback, Linearization, Regulator, equilibrium, linearize, lqr
from .planning import Executed, Plan, PlannedControl, plan
from .series import SeriesMotion, series_motion

__all__ = [
    "Closure",
    "Constant",
    "Controllability",
    "Decoupling",
    "Executed",
    "Feedback",
    "GoodBad",
    "Linearization",
    "PerMember",
    "Plan",
    "PlannedControl",
    "QuadraticForm",
    "Regulator",
    "SeriesMotion",
    "StateFeedback",
    "Table",
    "Verdict",
    "check_hypotheses",
    "control_at",
    "controllability",
    "decoupling_fields",
    "driven",
    "equilibrium",
    "input_field",
    "isotropic_basis",
    "linearize",
    "lqr",
    "plan",
    "series_motion",
]
