# %% [markdown]
# # Keep a bicycle on a figure of eight
#
# Without control a bicycle falls over at 4 m/s, because its weave mode grows by half every second.
# First a simulated rider plans a motion along a figure of eight. Then `control.Tracker` keeps the
# bicycle on that motion while noise disturbs its inputs. With the same inputs but no feedback the
# bicycle falls.

# %%
import numpy as np

import dalembert as da

bicycle = da.systems.WhippleBicycle()
SPEED, HALF, END, EVERY = 4.0, 24.0, 30.0, 0.02

# Bernoulli's lemniscate, 126 m long, parametrized by the distance from its crossing point.
p = np.linspace(-np.pi / 2, 1.5 * np.pi, 8001)
x = HALF * np.cos(p) / (1 + np.sin(p) ** 2)
y = x * np.sin(p)
heading = np.unwrap(np.arctan2(np.gradient(y, p), np.gradient(x, p)))
length = np.append(0.0, np.cumsum(np.hypot(np.diff(x), np.diff(y))))
bend = np.gradient(heading, length)
s = np.arange(0.0, length[-1], 0.02)
x, y, heading, bend = (np.interp(s, length, a) for a in (x, y, heading, bend))

# %% [markdown]
# The rider finds the nearest point of the path. Its feedback uses the distance from the path, the
# heading error, and lean and steer relative to a steady turn. The gains are those of a
# linear-quadratic regulator for riding straight ahead at 4.6 m/s; they also work at 4 m/s.


# %%
class Rider:
    def __init__(self):
        self.at = 0

    def __call__(self, t, q, v):
        ahead = slice(self.at, self.at + 100)
        self.at += int(np.argmin((x[ahead] - q[0]) ** 2 + (y[ahead] - q[1]) ** 2))
        i = self.at
        off = (q[1] - y[i]) * np.cos(heading[i]) - (q[0] - x[i]) * np.sin(heading[i])
        lean, steer = q[3] - SPEED**2 / 9.81 * bend[i], q[5] - 1.07 * bend[i]
        errors = np.array([off, q[2] - heading[i], lean, steer, v[3], v[5]])
        torque = errors @ [3.162, 24.254, 46.749, -17.505, 12.316, -1.855]
        return [torque, 40.0 * (SPEED + bicycle.R_rear * v[6])]


q0 = np.array([x[0], y[0], heading[0], 0, 0, 0, 0, 0])
v0 = np.zeros(8)
v0[:2] = SPEED * np.cos(heading[0]), SPEED * np.sin(heading[0])
v0[6:] = -SPEED / bicycle.R_rear, -SPEED / bicycle.R_front
run = {"h": 0.01, "t": END, "project": True, "stop_when": lambda t, q, v: abs(q[3]) > 0.8}
plan = da.simulate(bicycle, q0, v0, u=da.Sampled(Rider(), every=EVERY), **run)
lean = abs(plan.q[:, 3]).max()
print(f"the plan ends at t = {plan.t[-1]:.0f} s; the largest lean is {lean:.2f} rad")

# %% [markdown]
# The tracker linearizes the equations at all 3,001 rows of the plan, in one call of native code,
# and computes a gain for each of them. Its feedback uses the whole state: position, attitude and
# all rates.

# %%
tracker = da.control.Tracker(
    bicycle, plan, Q={"x": 1.0, "y": 1.0, "lean": 10.0}, R=0.1, limit=[20.0, 60.0]
)
print(tracker)

rng = np.random.default_rng(0)
noise = rng.normal(scale=[1.0, 2.0], size=(round(END / EVERY) + 1, 2))  # N m, at every sample
planned = plan.saved["u"].u


def closed(t, q, v):
    return tracker(t, q, v) + noise[round(t / EVERY)]


def open_loop(t, q, v):
    return planned[round(t / EVERY)] + noise[round(t / EVERY)]


pushed = v0.copy()
pushed[3] = 0.1  # a push to the side, in rad/s
kept = da.simulate(bicycle, q0, pushed, u=da.Sampled(closed, every=EVERY), **run)
fallen = da.simulate(bicycle, q0, pushed, u=da.Sampled(open_loop, every=EVERY), **run)
away = np.hypot(*(kept.q[:, :2] - plan.q[:, :2]).T)
print(f"with feedback: at most {away.max():.2f} m from the plan in {kept.t[-1]:.0f} s")
print(f"without: fallen at t = {fallen.t[-1]:.1f} s")

# %%
da.plots.controlled(
    kept.t,
    kept.q,
    np.array([closed(t, q, v) for t, q, v in zip(kept.t, kept.q, kept.v)]),
    path_xy=kept.q[:, :2],
    names=bicycle.coordinate_names,
    units=bicycle.units,
    input_names=bicycle.input_names,
)
