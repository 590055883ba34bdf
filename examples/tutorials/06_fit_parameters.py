# %% [markdown]
# # Fit parameters to data
#
# The position of a sleigh was measured at ten times, with an error of a few millimeters. Where is
# its center of mass, and what is its moment of inertia?

# %%
import numpy as np

import dalembert as da

rng = np.random.default_rng(0)
truth = da.systems.ChaplyginSleigh(a=0.27, J=1.3)
times = np.linspace(0.5, 5.0, 10)
start = np.zeros(3), np.array([1.0, 0.0, 1.5])


exact = da.simulate(truth, da.Taylor(), *start, t=5.0, save=da.At(times))
data = exact.q[:, :2] + 0.003 * rng.standard_normal((10, 2))

# %% [markdown]
# `da.sensitivities` integrates the variational equations together with the motion. It returns the
# derivatives of the final state with respect to initial data and parameters, as accurate as the
# run. A Gauss-Newton step needs nothing else.


# %%
def predicted(a, J):
    """Return the positions at the times of the data, and their derivatives by a and J."""
    sleigh = da.systems.ChaplyginSleigh(a=a, J=J)
    ends = [da.sensitivities(sleigh, *start, t=t, parameters=("a", "J")) for t in times]
    slopes = [np.stack([end.parameters[x][:2] for x in ("a", "J")], axis=1) for end in ends]
    return np.stack([end.q[:2] for end in ends]), np.concatenate(slopes)


guess = np.array([0.2, 1.0])
for k in range(6):
    a, J = guess
    where, slope = predicted(a, J)
    miss = (data - where).ravel()
    print(f"{k}: a = {a:.5f} m, J = {J:.5f} kg m^2, rms miss {np.sqrt(np.mean(miss**2)):.2e} m")
    guess = guess + np.linalg.lstsq(slope, miss, rcond=None)[0]

# %% [markdown]
# The same derivatives give the covariance of the estimate.

# %%
sigma = np.sqrt(np.mean(miss**2) * np.diag(np.linalg.inv(slope.T @ slope)))
for name, value, error, true in zip(("a", "J"), guess, sigma, (0.27, 1.3)):
    print(f"{name} = {value:.4f} +- {error:.4f}   (true: {true})")

# %% [markdown]
# For other loss functions use `jax.grad` through `simulate`, because parameters are leaves of a
# PyTree. See [gradients and fitting](../gradients.md).
