# %% [markdown]
# # From an ensemble to a histogram
#
# We run a chaotic system with seven coordinates from 256 starts of equal energy. A method of order
# 2 does not conserve the energy exactly: the error performs a random walk. How is it distributed?

# %%
import jax
import numpy as np

import dalembert as da

quartic = da.systems.ChaoticQuartic()
q0, v0 = quartic.ensemble(jax.random.key(0), 256)
energy = quartic.invariants["energy"]
level = float(energy(q0[0], v0[0]))


def error(q, v):
    """Return the energy minus the initial energy, which is the same for all members."""
    return energy(q, v) - level


many = da.simulate_ensemble(
    quartic,
    da.Leapfrog(),
    q0,
    v0,
    h=0.1,
    steps=20_000,
    save={
        "late": da.Histogram(error, np.linspace(-0.03, 0.03, 25), every=50),
        "spread": da.Statistics(error, every=500),
    },
)
print("members:", len(q0), " failed:", many.failed, " engine:", many.meta.engine)

# %% [markdown]
# The run stored counts and moments only, no rows. The variance over the members grows with time, as
# it does for a random walk. It is small because the step is small:

# %%
spread = many.saved["spread"]
for k in (1, 10, 20, 40):
    print(f"t = {spread.t[k]:7.1f}   standard deviation {np.sqrt(spread.variance[k]):.2e} J")

# %%
counts = many.saved["late"]
top = counts.counts.max()
for low, high, n in zip(counts.edges[:-1], counts.edges[1:], counts.counts):
    print(f"{low:+.4f} .. {high:+.4f} J  {'#' * round(50 * n / top)}")

# %% [markdown]
# If the members do not fit into memory, or one machine is not enough, write them to disk with
# `save=da.Stream(...)`: see [many members](../cluster.md).
