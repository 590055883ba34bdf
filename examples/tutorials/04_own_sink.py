# %% [markdown]
# # Custom output: a sink of your own
#
# A sink computes what is saved of a run. It receives the rows while they are computed, and may
# reduce them to something smaller. This sink saves the largest distance from the origin that each
# member of an ensemble reached, and the time when it did.

# %%
import dataclasses

import jax.numpy as jnp
import numpy as np

import dalembert as da


@dataclasses.dataclass(frozen=True)
class Farthest(da.Sink):
    """Sink for the largest distance from the origin and its time, for each member."""

    every: int = 1

    def init(self, start):
        return np.zeros(start.members), np.full(start.members, start.t0)

    def feed(self, state, rows):  # arrays have the axes (rows, members, ...)
        far = np.where(rows.good, np.hypot(rows.q[..., 0], rows.q[..., 1]), -1.0)
        best, at = far.max(axis=0), rows.t[far.argmax(axis=0)]
        return np.maximum(state[0], best), np.where(best > state[0], at, state[1])

    def combine(self, states):  # blocks of members, in order
        return tuple(map(np.concatenate, zip(*states)))

    def finish(self, state):
        return np.stack(state, axis=1)


sleighs = da.systems.ChaplyginSleigh(a=jnp.linspace(0.05, 0.5, 100))
many = da.simulate_ensemble(sleighs, da.DLA(), h=0.02, steps=500, save={"far": Farthest(5)})
distance, time = many.saved["far"].T
i = int(distance.argmax())
a = many.meta.parameters["a"][i]
print(f"{distance[i]:.3f} m at t = {time[i]:.2f} s for a = {a:.3f} m")

# %% [markdown]
# The same sink works in a single run. Here the run saves rows as well:

# %%
one = da.simulate(
    da.systems.ChaplyginSleigh(a=a),
    da.DLA(),
    h=0.02,
    steps=500,
    save={"rows": da.Every(5), "far": Farthest(5)},
)
print(one.saved["far"][0], len(one))

# %% [markdown]
# The library provides these sinks: `Every`, `At`, `Final`, `Stream`, `Statistics`, `Histogram`,
# `Section`.
