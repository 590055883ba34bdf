# %% [markdown]
# # When wheels slip
#
# An ideal wheel holds whatever force that takes. A real one slides where that force leaves its
# friction cone. A cart in its vertical plane, the rear wheel driven:

# %%
import jax.numpy as jnp

import dalembert as da
from dalembert import control, hybrid, parts

R = 0.1  # m, radius of the wheels


def cart(*more, speed=0.0, **law):
    """Two wheels of 1 kg under a bed of 20 kg; `law` is the friction of both contacts."""
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
# Before any friction: how much would rolling need? The reactions of an ideal run say it.

# %%
for torque in (2.0, 4.0, 8.0):
    driven = control.driven(cart(), {"rear": torque})
    run = da.simulate(driven, h=0.01, t=1.0)
    need = driven.friction_needed(run)["rear"]
    print(f"{torque:.0f} N m: v = {run.v['track'][-1]:.3f} m/s after 1 s, needs mu = {need.mu:.3f}")

# %% [markdown]
# On ice, with `mu=0.1`, 1 N m rolls and 8 N m do not. `hybrid.with_friction` makes a hybrid system
# of the machine. Its modes say what each contact does, and motors are the `u=` of its runs:

# %%
ice = hybrid.with_friction(cart(mu=0.1))
for torque in (1.0, 8.0):
    run = da.simulate(ice, h=0.01, t=1.0, u={"rear": torque})
    slip = R * run.v["rear"][-1] - run.v["track"][-1]
    v = run.v["track"][-1]
    print(f"{torque:.0f} N m: {run.mode_names[-1]}; v = {v:.3f} m/s, slip {slip:.3f} m/s")

# %% [markdown]
# More torque than friction carries makes the wheel spin, and the cart hardly faster. A brake asks
# the same from the other side. On a floor that is wet between 1 m and 2 m, `mu` is a function of
# the place; the braked wheel locks there, and turns again behind it:


# %%
def wet(x, y, z):
    return 0.4 - 0.17 * (jnp.tanh(20.0 * (x - 1.0)) - jnp.tanh(20.0 * (x - 2.0)))


brake = parts.DryFriction("rear", 2.0, speed=2.0)
floor = hybrid.with_friction(cart(brake, speed=3.0, mu=wet))
stop = da.simulate(floor, h=0.002, t=1.2)
for jump in stop.jumps:
    print(f"t = {jump.t:.4f} s, x = {jump.q[0]:.3f} m: {jump.name}, then '{jump.target}'")

# %% [markdown]
# These times are located to the order of the method, and the energy that is lost is the work of
# friction. Where a contact holds it is a constraint: there is no creep, and no stiffness to choose.

# %%
print(hybrid.report(floor, stop))

# %%
da.show(floor, stop, open=False)
