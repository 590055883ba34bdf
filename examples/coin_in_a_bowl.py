"""A coin that rolls around in a bowl: a wheel on curved ground.

python examples/coin_in_a_bowl.py         opens it in the browser
"""

import math

import numpy as np

import dalembert as da
from dalembert import parts

RADIUS, SLOPE = 0.02, 0.5  # radius of the coin in m; the bowl is z = SLOPE (x^2 + y^2)


def coin(x=0.3, speed=0.94):
    """Return a coin of 10 g at (x, 0) that rolls along y and stands normal to the bowl."""
    tilt = -math.atan(2 * SLOPE * x)
    turn = da.scene.turn_z(math.pi / 2) @ da.scene.turn_x(tilt)
    return parts.build(
        parts.Body("coin", 0.01, shape=da.scene.disk(RADIUS, 0.002)),
        parts.Free(
            "coin",
            start=((x, 0, SLOPE * x**2 + RADIUS), turn),
            speed=(0, speed, 0, 0, speed / RADIUS, 0),
        ),
        parts.Wheel("coin", RADIUS, surface=parts.Height(lambda x, y: SLOPE * (x**2 + y**2))),
        parts.Gravity(9.81),
        name="coin in a bowl",
    )


def main(show=True):
    """Roll for two seconds, and print how well the energy is conserved."""
    made = coin()
    q, v = parts.settle(made)  # closes the gap between the coin and the bowl
    traj = da.simulate(made, q, v, h=0.002, t=2.0)
    energy = np.asarray(da.diagnostics.energy(made, traj))
    drift = np.max(np.abs(energy - energy[0])) / abs(energy[0])
    print(f"it rolls between z = {traj['z'].min():.3f} m and {traj['z'].max():.3f} m")
    print(f"relative change of the energy {drift:.1e}")
    if show:
        da.show(made, traj)


if __name__ == "__main__":
    main()
