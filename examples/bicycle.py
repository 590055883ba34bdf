"""Build the Whipple bicycle of Meijaard and others (2007) from parts; it rides without a rider.

x points forward, y to the right, z down. In the reference position the frames of all bodies lie at
the origin of space, so that points have the coordinates of the published table. The upright motion
is stable from 4.3 to 6.0 m/s.

    python examples/bicycle.py
"""

import numpy as np

import dalembert as da
from dalembert import parts

REAR, FRONT = (0.0, 0.0, -0.3), (1.02, 0.0, -0.35)  # hubs
HINGE = (1.1, 0.0, 0.0)  # where the steering axis meets the ground: wheel base and trail
AXIS = (np.sin(np.pi / 10), 0.0, np.cos(np.pi / 10))
GROUND = parts.Plane("-z")


def bicycle(speed=4.6, lean_rate=0.5):
    """Return the bicycle: four bodies, three hinges, two wheels."""
    start = (speed, 0.0, 0.0, lean_rate, 0.0, 0.0)
    return parts.build(
        parts.Body("frame", 85.0, (9.2, 11.0, 2.8, 0, 2.4, 0), center=(0.3, 0.0, -0.9)),
        parts.Free("frame", speed=start),
        parts.Body("rear wheel", 2.0, (0.0603, 0.12, 0.0603)),
        parts.Revolute("rear wheel", "frame", at=REAR, axis="y", speed=-speed / 0.3),
        parts.Wheel("rear wheel", 0.3, surface=GROUND),
        parts.Body("fork", 4.0, (0.05892, 0.06, 0.00708, 0, -0.00756, 0), center=(0.9, 0.0, -0.7)),
        parts.Revolute("fork", "frame", at=HINGE, child_at=HINGE, axis=AXIS, name="steer"),
        parts.Body("front wheel", 3.0, (0.1405, 0.28, 0.1405)),
        parts.Revolute("front wheel", "fork", at=FRONT, axis="y", speed=-speed / 0.35),
        parts.Wheel("front wheel", 0.35, surface=GROUND),
        parts.Gravity(9.81, down="z"),
        name="bicycle",
    )


def main():
    """Print lean and steer while the bicycle rights itself."""
    system = bicycle()
    traj = da.simulate(system, h=0.02, steps=250, save_every=25)
    for t, numbers, turn in zip(traj.t, *traj.q):
        lean = np.arcsin(turn[2, 1])
        print(f"t = {t:4.1f} s: lean {lean:+.6f}, steer {numbers[4]:+.6f} rad")
    print(da.diagnostics.report(system, traj))


if __name__ == "__main__":
    main()
