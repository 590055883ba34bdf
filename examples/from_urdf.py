"""A robot from its URDF: two driven wheels and a caster, which a small table tells of.

python examples/from_urdf.py
"""

from pathlib import Path

import dalembert as da
from dalembert import parts


def robot():
    """What the file became, as `Imported`: parts, and what was taken and left."""
    return parts.from_urdf(
        Path(__file__).parent / "wheeled_robot.urdf",
        {
            "left_wheel": parts.Wheel("left_wheel", 0.1),
            # two wheels on one axle hold it sideways once
            "right_wheel": parts.Wheel("right_wheel", 0.1, rows="along"),
            "caster_wheel": parts.Wheel("caster_wheel", 0.04),
        },
        root=parts.Planar("base", at=(0, 0, 0.1)),
        motors=("left", "right"),
    )


def main():
    """Drive a curve, and print where it leads."""
    found = robot()
    print(found)
    system = found.build()
    traj = da.simulate(system, h=0.01, steps=400, u=[0.3, 0.4])
    print(system.coordinate_names)
    print(traj.final.q)


if __name__ == "__main__":
    main()
