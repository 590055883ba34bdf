"""Read a robot from a URDF file; a table says which links are wheels and how they roll.

python examples/from_urdf.py
"""

from pathlib import Path

import dalembert as da
from dalembert import parts


def robot():
    """Import the file: return its parts, and a report of what was imported and what was not."""
    return parts.from_urdf(
        Path(__file__).parent / "wheeled_robot.urdf",
        {
            "left_wheel": parts.Wheel("left_wheel", 0.1),
            # one of two wheels on an axle suffices to hold it sideways
            "right_wheel": parts.Wheel("right_wheel", 0.1, rows="along"),
            "caster_wheel": parts.Wheel("caster_wheel", 0.04),
        },
        root=parts.Planar("base", at=(0, 0, 0.1)),
        motors=("left", "right"),
    )


def main():
    """Drive a curve, and print where the robot ends."""
    found = robot()
    print(found)
    system = found.build()
    traj = da.simulate(system, h=0.01, steps=400, u=[0.3, 0.4])
    print(system.coordinate_names)
    print(traj.final.q)


if __name__ == "__main__":
    main()
