"""Release a wheelbarrow on a slope: its wheel rolls, its legs slide by Coulomb's law.

python examples/wheelbarrow.py            opens it in the browser; the sliding legs are orange
"""

import math

import numpy as np

import dalembert as da
from dalembert import hybrid, parts

G, MU = 9.81, 0.3
TRAY, WHEEL, ROLL, RADIUS = 25.0, 2.0, 0.04, 0.2  # kg, kg, kg m^2 about the axle, m
CENTER, LEG = (-0.3, 0.25), -0.8  # center of the tray from the axle, and legs along x, in m


def barrow(slope):
    """Return a tray on one wheel and two legs, on a slope given in rad."""
    return parts.build(
        parts.Body(
            "tray",
            TRAY,
            (1.0, 2.0, 2.5),
            center=(CENTER[0], 0, CENTER[1]),
            shape=da.scene.box(0.8, 0.5, 0.2).moved(-0.3, 0, 0.25),
        ),
        parts.Free("tray", start=(0, 0, RADIUS)),
        parts.Body("wheel", WHEEL, (0.5 * ROLL, ROLL, 0.5 * ROLL), shape=da.scene.wheel(0.2, 0.06)),
        parts.Revolute("wheel", "tray", axis="y"),
        parts.Wheel("wheel", RADIUS, mu=0.5),
        parts.Glide("tray", at=(LEG, 0.2, -RADIUS), mu=MU, name="left leg"),
        parts.Glide("tray", at=(LEG, -0.2, -RADIUS), mu=MU, name="right leg"),
        parts.Gravity(G, down=(math.sin(slope), 0, -math.cos(slope))),
        name="wheelbarrow",
    )


def by_hand(slope):
    """Return the acceleration along the slope, from the balances of force and moment."""
    s, c, high = math.sin(slope), math.cos(slope), RADIUS + CENTER[1]
    inert = TRAY + WHEEL + ROLL / RADIUS**2
    lever = TRAY * high + WHEEL * RADIUS + ROLL / RADIUS
    driving = G * (TRAY * (high * s + CENTER[0] * c) + WHEEL * RADIUS * s)
    # inert a + MU N = weight along the slope;   lever a + LEG N = moment of the weight
    rows = np.array([[inert, MU], [lever, LEG]])
    return np.linalg.solve(rows, [(TRAY + WHEEL) * G * s, driving])[0]


def main(show=True, slope=0.35):
    """Release the barrow, and compare its acceleration with `by_hand`."""
    modes = hybrid.with_friction(barrow(slope))
    run = da.simulate(modes, h=0.02, t=1.0)
    print(f"mode: {run.mode_names[-1]}")
    print(f"acceleration {run['x_dot'][-1] / run.t[-1]:.6f} m/s^2, by hand {by_hand(slope):.6f}")
    if show:
        da.show(modes, run)


if __name__ == "__main__":
    main()
