# %% [markdown]
# # Walls, contacts, impulses
#
# A hybrid system has modes, which share one configuration space. Where a guard vanishes, the
# velocity jumps, and the run continues in the same mode or in another one. Here is a sleigh between
# two walls:

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
# The impulse of the wall and the impulsive reaction of the knife edge act together. The velocity
# therefore satisfies the constraint after the jump. Between the jumps the energy error is that of
# the method:

# %%
print(hybrid.report(modes, run))

# %%
da.show(modes, run, open=False)

# %% [markdown]
# A ball is thrown, bounces, and finally slides on the floor. There are two modes: "air", and
# "floor" with one more constraint.


# %%
class Ball(da.System):
    """A point mass in a vertical plane; with `down=True` it stays on the floor."""

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
# You can also compute a single jump without a run. A sphere that comes from ice onto a rough floor
# begins to roll:

# %%
sphere = da.systems.RollingSphere()
q, _ = sphere.initial()
landed = hybrid.jump(sphere, q, jnp.array([1.0, 0.0, 0.0, 0.0, 0.0]))
print("velocity after:", np.round(landed.v_after, 4), f" energy lost: {landed.energy_lost:.4f} J")
