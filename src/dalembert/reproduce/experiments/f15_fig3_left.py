"""[F15] figure 3, left: an inhomogeneous ball on a turning table, with and without a chart."""

from __future__ import annotations

from ..experiment_types import Outcome, experiment
from ..helpers.chaplygin import Case, compare


@experiment(
    "f15-fig3-left",
    source="[F15] Fig. 3 left",
    title="An inhomogeneous ball: how long is the figure to be trusted?",
    see="The chart method of the figure leaves the true path long before the end of the published "
    "run; the method without a chart, with the same step, stays on it.",
)
def fig3_left(full: bool, seed: int) -> Outcome:
    """Run with the published step to t = 60 s; the published run goes to 100 s."""
    case = Case((1.0, 0.5, 0.7), 2.0, per_tenth=400, end=100.0 if full else 60.0, published_end=100)
    return compare(
        case,
        "omega_3(0) = 0, as the paper gives two constraints for three unknowns; the start of the "
        "momentum is the half-impulse rule",
        "Left: the paths, the true one in gray. Right: the distance of each from the true "
        "path; the gray line is 0.1 m.",
    )
