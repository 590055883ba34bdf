# %% [markdown]
# # Plan and control
#
# A snakeboard has a rotor and two axles that steer. Nothing pushes it forwards, and yet it can
# reach every place.

# %%
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

board = da.systems.SnakeboardCoupled()
rest = jnp.zeros(5)
found = control.decoupling_fields(board, rest)
print("decoupling fields:", len(found.weights), " kinematically controllable:", found.controllable)

# %% [markdown]
# Along a decoupling field the board can move from rest to rest at any speed. A plan is a sequence
# of such motions. `plan.simulate()` applies the torques of the plan to the full equations of
# motion.

# %%
plan = control.plan(board, [1.0, 1.0, jnp.pi / 2], rest)
done = plan.simulate()
print(plan)
print(f"carried out with torques it misses by {done.miss:.1e}, and rests within {done.speed:.1e}")

# %%
da.plots.controlled(
    done.run.t,
    done.run.q,
    plan.controls(done.run),
    path_xy=done.run.q[:, :2],
    names=board.coordinate_names,
    units=board.units,
    input_names=board.input_names,
)

# %% [markdown]
# The animation shows the board as it follows the plan:

# %%
da.show(board, done.run, open=False)

# %% [markdown]
# A robot that balances on two wheels falls without control. We linearize it about the upright
# position, compute a feedback law from the Riccati equation, and start with a lean.

# %%
robot = da.systems.BalancingRobot()
upright = jnp.zeros(6)
linear = control.linearize(robot, upright)
print("free:      largest real part", round(float(np.real(linear.eigenvalues).max()), 3), "1/s")
regulator = control.lqr(linear, limit=[2.0, 2.0])
lean = upright.at[3].set(0.1)
up = da.simulate(robot, lean, jnp.zeros(6), h=0.005, t=5.0, u=regulator.feedback)
print(f"controlled: lean {up.q[0, 3]:.2f} rad at the start, {abs(up.q[-1, 3]):.1e} after 5 s")
