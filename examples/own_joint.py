"""Define a custom joint: a nut on a thread, which turns as it falls.

    python examples/own_joint.py

A joint declares its coordinates, and computes the place of its body from them. Velocities, the mass
matrix and the constraint rows follow. Springs, dampers, motors and gears can act on a joint with
one coordinate.
"""

import numpy as np

import dalembert as da
from dalembert import parts


class Screw(parts.Joint):
    """A joint that turns about z, and moves along z by `lead` for each turn."""

    lead: float = 0.01  # m per turn
    start: float = 0.0
    speed: float = 0.0

    numbers = (("", "rad"),)  # one coordinate, with the name of the joint

    def place(self, x, R, xp):
        (angle,) = x
        height = self.lead / (2 * np.pi) * angle
        return parts.Motion(xp.stack([0.0, 0.0, height]), parts.rotation("z", angle, xp))


def nut(lead: float = 0.05) -> da.System:
    """Return a nut of 0.2 kg on a vertical thread without friction."""
    return parts.build(
        parts.Body("nut", 0.2, (2e-5, 2e-5, 3e-5)),
        Screw("nut", lead=lead, start=1.0),
        parts.Gravity(9.81),
    )


def main() -> None:
    """Compare the fall with its closed form."""
    lead = 0.05
    run = da.simulate(nut(lead), h=0.01, steps=100)
    # (J + m c^2) angle'' = -m g c, with c the advance per radian
    c = lead / (2 * np.pi)
    turned = -0.5 * 0.2 * 9.81 * c / (3e-5 + 0.2 * c**2) * run.t[-1] ** 2
    print(f"turned by {run.q[-1, 0] - 1.0:.6f} rad, in closed form {turned:.6f} rad")


if __name__ == "__main__":
    main()
