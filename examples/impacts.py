"""A sleigh between two walls, and a ball that comes to rest: hybrid runs.

The wall's impulse and the knife edge's reaction act together: the velocity towards the wall turns
round with a coefficient of restitution, and the constraint holds before and after.
"""

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import hybrid

WALL = 1.5
SLEIGH = da.systems.ChaplyginSleigh()
WALLS = hybrid.Modes(
    {"ice": SLEIGH}, hybrid.bounce("ice", lambda q: WALL**2 - q[0] ** 2, restitution=0.8)
)


class Ball(da.System):
    """A point with weight in a vertical plane; on the floor with `down`."""

    down: bool = False
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v @ v) - 9.81 * q[1]

    def holonomic(self, q):
        return q[1:] if self.down else q[:0]


BALL = hybrid.Modes(
    {"air": Ball(), "floor": Ball(down=True)},
    hybrid.bounce("air", lambda q: q[1], restitution=0.6, rest="floor", slower_than=0.2),
)


def main() -> None:
    """Impacts, and the energy that each of them takes."""
    run = hybrid.simulate(WALLS, "ice", jnp.zeros(3), [1.0, 0.0, 0.8], method=da.DLA(), h=0.01, t=8)
    energy = hybrid.energy(WALLS, run)
    begin = 0
    for arc in run.arcs:
        rows = slice(begin, begin + len(arc.trajectory))
        (t0, t1), (x0, x1), (before, after) = (
            (x[rows][0], x[rows][-1]) for x in (run.t, run.q[:, 0], energy)
        )
        print(f"t = {t0:.2f} .. {t1:.2f}: x {x0:+.3f} -> {x1:+.3f}, E {before:.4f} -> {after:.4f}")
        begin = rows.stop
    assert np.max(np.abs(run.q[:, 0])) < WALL + 1e-12

    fall = hybrid.simulate(BALL, "air", [0.0, 1.0], [1.0, 0.0], h=0.01, t=2.5)
    print(hybrid.report(BALL, fall))


if __name__ == "__main__":
    main()
