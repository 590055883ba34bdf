# %% [markdown]
# # A first run
#
# A Chaplygin sleigh slides on a knife edge. It can move forwards and turn, but not sideways. Its
# center of mass is ahead of the edge. We simulate it, check which quantities were conserved, and
# plot its path.

# %%
import numpy as np

import dalembert as da

sleigh = da.systems.ChaplyginSleigh()
traj = da.simulate(sleigh, h=0.05, steps=200)
print(da.diagnostics.report(sleigh, traj))

# %% [markdown]
# We named no method, so the run used the default, `Gauss(stages=2)`. It has order 4, is symmetric,
# and satisfies the constraint to round-off in every row. The report says which energy the exact
# motion conserves, and how much it changed in this run.
#
# A run returns NumPy arrays with one row for each step.

# %%
print("rows:", len(traj), " q:", traj.q.shape, " v:", traj.v.shape)
print("at the end: t =", traj.t[-1], " q =", np.round(traj.final.q, 4))
print("largest sideways force of the edge:", round(float(np.abs(traj.multiplier).max()), 3), "N")

# %% [markdown]
# The sleigh has a solution in closed form, so we can compute the error of the run.

# %%
q, v = sleigh.closed_form(traj.t[-1])
print("error of q at the end:", f"{np.abs(traj.final.q - np.asarray(q)).max():.1e}")

# %% [markdown]
# `overview` plots the path, the coordinates, the energy, the residuals and the reaction.

# %%
da.plots.overview(sleigh, traj)

# %% [markdown]
# `show` animates the run. Drag to rotate. In a script, leave out `open=False`: the animation then
# opens in the browser. In a terminal, use `dalembert view sleigh.nc` after
# `traj.save("sleigh.nc")`.

# %%
da.show(sleigh, traj, open=False)

# %% [markdown]
# `traj.at(t)` interpolates between the rows, as accurately as the run itself:

# %%
print(np.round(traj.at(1.234).q, 6))
