# %% [markdown]
# # A first run
#
# A Chaplygin sleigh slides on a knife edge that lets it go forwards and turn, but not sideways.
# Its center of mass lies ahead of the edge. We let it go, see what was kept, and look at its
# path.

# %%
import numpy as np

import dalembert as da

sleigh = da.systems.ChaplyginSleigh()
traj = da.simulate(sleigh, h=0.05, steps=200)
print(da.diagnostics.report(sleigh, traj))

# %% [markdown]
# No method was named, so the run took the default, `Gauss(stages=2)`: order 4, symmetric, with
# the constraint at round-off in every row. The report says what kind of energy the exact motion
# keeps and how far the run is from it.
#
# What a run returns are NumPy arrays, one row for each step.

# %%
print("rows:", len(traj), " q:", traj.q.shape, " v:", traj.v.shape)
print("at the end: t =", traj.t[-1], " q =", np.round(traj.final.q, 4))
print("largest sideways force of the edge:", round(float(np.abs(traj.multiplier).max()), 3), "N")

# %% [markdown]
# The sleigh has a solution in closed form, so we can see how wrong the run is.

# %%
q, v = sleigh.closed_form(traj.t[-1])
print("error of q at the end:", f"{np.abs(traj.final.q - np.asarray(q)).max():.1e}")

# %% [markdown]
# A picture of everything: path, coordinates, energy, residuals, reaction.

# %%
da.plots.overview(sleigh, traj)

# %% [markdown]
# The same run, moving. Drag to rotate. In a script, leave out `open=False` and it opens in the
# browser; in a terminal, `traj.save("sleigh.nc")` and `dalembert view sleigh.nc` do the same.

# %%
da.show(sleigh, traj, open=False)

# %% [markdown]
# Between the rows, `traj.at(t)` is as accurate as the run:

# %%
print(np.round(traj.at(1.234).q, 6))
