# %% [markdown]
# # An ensemble, to a histogram
#
# A chaotic system of seven coordinates, from many starts of the same energy. No method of order 2
# keeps the energy of each of them; its error wanders. How is it distributed after a while?

# %%
import jax
import numpy as np

import dalembert as da

quartic = da.systems.ChaoticQuartic()
q0, v0 = quartic.ensemble(jax.random.key(0), 256)
energy = quartic.invariants["energy"]
level = float(energy(q0[0], v0[0]))


def error(q, v):
    """Energy above the level on which all of them began."""
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
# Nothing was stored but counts and moments. The variance over the members grows with time, as
# that of a random walk does, and is a small number because the step is small:

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
# The same on disk, for more members than fit into memory or onto one machine:
# `save=da.Stream(...)`, see [many members](../cluster.md).
