# %% [markdown]
# # Walls, contacts, impulses
#
# A hybrid run is made of modes that share their configuration space. Where a guard vanishes the
# velocity jumps, and the run goes on in the same mode or in another. A sleigh between two walls:

# %%
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import hybrid

sleigh = da.systems.ChaplyginSleigh()
walls = hybrid.bounce("ice", lambda q: 1.5**2 - q[0] ** 2, restitution=0.8)
modes = hybrid.Modes({"ice": sleigh}, walls)
run = hybrid.simulate(modes, "ice", jnp.zeros(3), [1.0, 0.0, 0.8], h=0.02, t=8.0)
for t, lost in zip(run.jumps.t, run.jumps.energy_lost):
    print(f"t = {t:.6f} s: {lost:.4f} J lost")

# %% [markdown]
# The impulse of the wall and the reaction of the edge act together, so that the sleigh leaves the
# wall on its constraint. Between the jumps the energy is kept as well as the method can:

# %%
print(hybrid.report(modes, run))

# %%
da.show(modes, run, open=False)

# %% [markdown]
# A ball that is thrown, bounces, and comes to rest on the floor: two modes, of which the second
# has one constraint more.


# %%
class Ball(da.System):
    """A point with weight in a vertical plane; on the floor with `down`."""

    down: bool = False
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v @ v) - 9.81 * q[1]

    def holonomic(self, q):
        return q[1:] if self.down else q[:0]


floor = hybrid.bounce("air", lambda q: q[1], restitution=0.6, rest="floor", slower_than=0.2)
ball = hybrid.Modes({"air": Ball(), "floor": Ball(down=True)}, floor)
fall = hybrid.simulate(ball, "air", [0.0, 1.0], [1.0, 0.0], h=0.01, t=2.5)
print("touches the floor at", np.round(fall.jumps.t, 4))
print("and stays in mode", repr(fall.arcs[-1].mode), "at height", float(fall.q[-1, 1]))

# %% [markdown]
# One jump by itself, without a run: a sphere that comes from ice onto a rough floor begins to
# roll.

# %%
sphere = da.systems.RollingSphere()
q, _ = sphere.initial()
landed = hybrid.jump(sphere, q, jnp.array([1.0, 0.0, 0.0, 0.0, 0.0]))
print("velocity after:", np.round(landed.v_after, 4), f" energy lost: {landed.energy_lost:.4f} J")
