"""Control: what can be reached from rest, decoupling motions, plans, linearization."""

from __future__ import annotations

from ..inputs import Constant, PerMember, StateFeedback, Table, control_at, driven
from .controllability import (
    Closure,
    Controllability,
    GoodBad,
    QuadraticForm,
    Verdict,
    check_hypotheses,
    controllability,
    isotropic_basis,
)
from .decoupling import Decoupling, decoupling_fields, input_field
from .planning import Executed, Plan, PlannedControl, plan

__all__ = [
    "Closure",
    "Constant",
    "Controllability",
    "Decoupling",
    "Executed",
    "GoodBad",
    "PerMember",
    "Plan",
    "PlannedControl",
    "QuadraticForm",
    "StateFeedback",
    "Table",
    "Verdict",
    "check_hypotheses",
    "control_at",
    "controllability",
    "decoupling_fields",
    "driven",
    "input_field",
    "isotropic_basis",
    "plan",
]
