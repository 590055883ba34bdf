"""Control: controllability from rest, decoupling motions, motion plans, linearization, feedback."""

from __future__ import annotations

from ..doors import guard as _guard
from ..inputs import Constant, PerMember, Sampled, StateFeedback, Table, control_at, driven
from .bounds import SeriesBound, series_bound
from .brackets import BracketTable, Cell, bracket_table
from .branches import input_field
from .closures import Closure
from .controllability import (
    Controllability,
    GoodBad,
    QuadraticForm,
    controllability,
    isotropic_basis,
)
from .decoupling import Decoupling, decoupling_fields
from .hypotheses import Verdict, check_hypotheses
from .inversion import Cosines, SeriesPlan, series_plan
from .kinematic import KinematicOptimum, kinematic_optimum
from .linear import (
    Disturbed,
    Feedback,
    Linearization,
    Regulator,
    Uncontrolled,
    equilibrium,
    linearize,
    lqr,
)
from .motion_series import SeriesMotion, series_motion
from .newton import Optimum
from .optimal import minimum_effort
from .planning import Executed, Plan, PlannedControl, plan
from .reach import Reached, reachable_set
from .report import overview
from .second_order import SecondOrder
from .tracking import Tracker
from .transcription import Pieces, Transcription
from .vakonomic import VakonomicMotion, vakonomic_motion

__all__ = [
    "BracketTable",
    "Cell",
    "Closure",
    "Constant",
    "Controllability",
    "Cosines",
    "Decoupling",
    "Disturbed",
    "Executed",
    "Feedback",
    "GoodBad",
    "KinematicOptimum",
    "Linearization",
    "PerMember",
    "Optimum",
    "Pieces",
    "Plan",
    "PlannedControl",
    "QuadraticForm",
    "Reached",
    "Regulator",
    "Sampled",
    "SecondOrder",
    "SeriesBound",
    "SeriesMotion",
    "SeriesPlan",
    "StateFeedback",
    "Table",
    "Tracker",
    "Transcription",
    "Uncontrolled",
    "VakonomicMotion",
    "Verdict",
    "bracket_table",
    "check_hypotheses",
    "control_at",
    "controllability",
    "decoupling_fields",
    "driven",
    "equilibrium",
    "input_field",
    "isotropic_basis",
    "kinematic_optimum",
    "linearize",
    "lqr",
    "minimum_effort",
    "overview",
    "plan",
    "reachable_set",
    "series_bound",
    "series_motion",
    "series_plan",
    "vakonomic_motion",
]

_guard(globals())
