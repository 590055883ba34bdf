"""[C02] figures 7.3 and 7.4: energy and constraints of the mobile robot of fixed orientation."""

from __future__ import annotations

import dalembert as da

from ..experiment_types import Outcome, experiment
from ..helpers.fluctuate_or_drift import compare


@experiment(
    "c02-fig7-3-4",
    source="[C02] Fig. 7.3, 7.4; 7.6.2",
    title="Mobile robot: RK4 loses most of its energy, DLA none in the mean",
    see="With the step of the book RK4 lets the rolling motion die out; the energy of DLA goes up "
    "and down with the rolling and keeps its mean.",
)
def robot(full: bool, seed: int) -> Outcome:
    """Run the robot with V = 10 sin psi on the angle of the wheels."""
    return compare(
        da.systems.MobileRobot(potential_strength=10.0),
        100_000 if full else 10_000,
        seed,
        ("figure 7.3", "figure 7.4"),
        "masses, start and length of the run; here m = 10 kg, I = 2, I_w = 0.3 kg m^2, R = 0.2 m, "
        "from theta = 0.3, psi = 0.5 with theta' = 0.8, psi' = 1 rad/s; h = 0.2 s as in the book; "
        "LSODA in place of ODE113",
        "Left: the energy of DLA jumps at every swing of the wheels and comes back; RK4 is closer "
        "for some swings. Right: RK4 settles near the bottom of the potential.",
    )
