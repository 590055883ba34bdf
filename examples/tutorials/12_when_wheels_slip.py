# %% [markdown]
# # When wheels slip
#
# An ideal wheel never slips, however large the force that this needs. A real wheel slips when the
# force leaves the friction cone. We take a cart in its vertical plane, with a driven rear wheel:

# %%
import jax.numpy as jnp

import dalembert as da
from dalembert import control, hybrid, parts

R = 0.1  # m, radius of the wheels


def cart(*more, speed=0.0, **law):
    """Return a bed of 20 kg on two wheels of 1 kg; `law` is the friction of both contacts."""
    return parts.build(
        parts.Body("track", 0.0),
        parts.Prismatic("track", axis="x", speed=speed),
        parts.Body("lift", 0.0),
        parts.Prismatic("lift", "track", axis="z", start=R),
        parts.Body("bed", 20.0, (0.4, 0.6, 0.6), center=(0, 0, 0.1),
                   shape=da.scene.box(0.8, 0.4, 0.1)),
        parts.Revolute("bed", "lift", axis="y"),
        parts.Body("front", 1.0, shape=da.scene.wheel(R, 0.04)),
        parts.Revolute("front", "bed", at=(0.3, 0, 0), axis="y", speed=speed / R),
        parts.Wheel("front", R, **law),
        parts.Body("rear", 1.0, shape=da.scene.wheel(R, 0.04)),
        parts.Revolute("rear", "bed", at=(-0.3, 0, 0), axis="y", speed=speed / R),
        parts.Wheel("rear", R, **law),
        parts.Motor("rear"),
        parts.Gravity(9.81),
        *more,
        name="cart",
    )  # fmt: skip


# %% [markdown]
# How much friction would rolling need? The reactions of a run with ideal wheels tell us:

# %%
for torque in (2.0, 4.0, 8.0):
    driven = control.driven(cart(), {"rear": torque})
    run = da.simulate(driven, h=0.01, t=1.0)
    need = driven.friction_needed(run)["rear"]
    print(f"{torque:.0f} N m: v = {run.v['track'][-1]:.3f} m/s after 1 s, needs mu = {need.mu:.3f}")

# %% [markdown]
# On ice, with `mu=0.1`, the wheel rolls at 1 N m and spins at 8 N m. `hybrid.with_friction` turns
# the machine into a hybrid system. The name of a mode says what each contact does. The torques of
# motors are given by `u=`:

# %%
ice = hybrid.with_friction(cart(mu=0.1))
for torque in (1.0, 8.0):
    run = da.simulate(ice, h=0.01, t=1.0, u={"rear": torque})
    slip = R * run.v["rear"][-1] - run.v["track"][-1]
    v = run.v["track"][-1]
    print(f"{torque:.0f} N m: {run.mode_names[-1]}; v = {v:.3f} m/s, slip {slip:.3f} m/s")

# %% [markdown]
# A torque above the limit of friction makes the wheel spin, but hardly accelerates the cart. A
# brake has the same limit. On the next floor `mu` is a function of the position, because the floor
# is wet between 1 m and 2 m. The braked wheel locks there, and rolls again afterwards:


# %%
def wet(x, y, z):
    return 0.4 - 0.17 * (jnp.tanh(20.0 * (x - 1.0)) - jnp.tanh(20.0 * (x - 2.0)))


brake = parts.DryFriction("rear", 2.0, speed=2.0)
floor = hybrid.with_friction(cart(brake, speed=3.0, mu=wet))
stop = da.simulate(floor, h=0.002, t=1.2)
for jump in stop.jumps:
    print(f"t = {jump.t:.4f} s, x = {jump.q[0]:.3f} m: {jump.name}, then '{jump.target}'")

# %% [markdown]
# The times of these changes are located to the order of the method. The energy that is lost is the
# work of friction. A contact that holds is an exact constraint, so it does not creep, and you need
# not choose a contact stiffness.

# %%
print(hybrid.report(floor, stop))

# %%
da.show(floor, stop, open=False)
