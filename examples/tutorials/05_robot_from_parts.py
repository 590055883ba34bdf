# %% [markdown]
# # A robot from parts
#
# We assemble a robot with two driven wheels and a caster from bodies, joints, wheels and motors.
# There is no need to write a Lagrangian.

# %%
import numpy as np

import dalembert as da
from dalembert import parts


def wheel(name, y, **options):
    """Return the parts of a wheel: a body, its axle, its contact with the ground, its motor."""
    return [
        parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03)),
        parts.Revolute(name, "base", at=(0, y, 0), axis="y"),
        parts.Wheel(name, 0.1, **options),
        parts.Motor(name),
    ]


robot = parts.build(
    parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)),
    parts.Planar("base", at=(0, 0, 0.1)),
    wheel("left", 0.18),
    wheel("right", -0.18, rows="along"),  # the left wheel already prevents sideways slip
    parts.caster("caster", "base", at=(0.2, 0, -0.06), radius=0.04, trail=0.03),
    name="robot",
)
print("coordinates:", robot.coordinate_names)
print("constraints:", robot.constraint_names)
print("inputs:     ", robot.input_names, robot.input_units)

# %% [markdown]
# The robot is an ordinary system. Two motors drive it. The torque of the right one is larger, so
# the robot turns to the left.

# %%
traj = da.simulate(robot, h=0.01, steps=300, u=[0.3, 0.4])
x, y, theta = traj.final.q[:3]
print(f"after {traj.t[-1]:.0f} s: x = {x:.3f} m, y = {y:.3f} m, turned by {theta:.3f} rad")
print(da.diagnostics.report(robot, traj))

# %%
da.show(robot, traj, open=False)

# %% [markdown]
# Every number in the definition above is a parameter with a name. You can change it, and
# differentiate with respect to it, as for any system.

# %%
print(list(robot.parameters())[:6], "...")
heavy = robot.with_parameters(**{"base.mass": 12.0})
slow = da.simulate(heavy, h=0.01, steps=300, u=[0.3, 0.4])
way = [float(np.hypot(*np.diff(run.q[:, :2], axis=0).T).sum()) for run in (traj, slow)]
print(f"length of the path: {way[0]:.3f} m, with a base twice as heavy {way[1]:.3f} m")

# %%
da.plots.overview(robot, traj)

# %% [markdown]
# `parts.from_urdf("robot.urdf", ...)` reads a robot from a file, see `examples/from_urdf.py`.
# `examples/bicycle.py` builds a bicycle from a published table.
