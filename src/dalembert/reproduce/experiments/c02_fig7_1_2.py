"""[C02] figures 7.1 and 7.2: energy and constraint of the nonholonomic particle in a potential."""

from __future__ import annotations

import dalembert as da

from ..experiment_types import Outcome, experiment
from ..helpers.fluctuate_or_drift import compare


@experiment(
    "c02-fig7-1-2",
    source="[C02] Fig. 7.1, 7.2; 7.6.1",
    title="Nonholonomic particle: DLA fluctuates, RK4 drifts",
    see="The energy of DLA stays in a band, that of RK4 leaks away. For the first minute or so "
    "RK4 is the more accurate one.",
)
def particle(full: bool, seed: int) -> Outcome:
    """Run the particle with L = |q'|^2/2 - (x^2 + y^2), z' = y x'."""
    return compare(
        da.systems.NonholonomicParticle(stiffness=1.0),
        100_000 if full else 10_000,
        seed,
        ("figure 7.1", "figure 7.2"),
        "start and length of the run; here (x, y, z) = (1, 0.5, 0) m with velocity "
        "(0.3, -0.4, 0.15) m/s, h = 0.2 s as in the book; LSODA in place of ODE113",
        "Left: at first RK4 is the better one, and DLA goes up and down. Right: after 10,000 "
        "steps DLA is still in its band, RK4 has left it for good.",
    )
