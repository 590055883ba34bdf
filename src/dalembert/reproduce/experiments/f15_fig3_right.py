"""[F15] figure 3, right: moments (10, 10, 1), a mass distribution that no ball of radius 1 has."""

from __future__ import annotations

from ..experiment_types import Outcome, experiment
from ..helpers.chaplygin import Case, compare


@experiment(
    "f15-fig3-right",
    source="[F15] Fig. 3 right",
    title="An elongated body in a massless ball",
    see="Loops of two sizes, as in the figure: the path is regular enough for both methods to "
    "stay close to it.",
)
def fig3_right(full: bool, seed: int) -> Outcome:
    """Run with h = 1e-3 if quick; the published 1.78e-4 takes 900,000 steps."""
    per_tenth = 562 if full else 100
    case = Case((10.0, 10.0, 1.0), 1.0, per_tenth=per_tenth, end=160.0, published_end=160)
    return compare(
        case,
        "the initial data of the left panel, with omega_3(0) = 0, as none are given for this one",
        "Left: the paths, the true one in gray. Right: the distance of each from the true "
        "path; the gray line is 0.1 m.",
    )
