# %% [markdown]
# # A system of your own
#
# A plate on a skate slides down a slope. We write its Lagrangian and its constraint; the library
# derives everything else by automatic differentiation.
#
# $$L = \tfrac m2(\dot x^2+\dot y^2) + \tfrac J2\dot\theta^2 + m g\,x\sin\alpha,\qquad
#   \sin\theta\,\dot x - \cos\theta\,\dot y = 0$$

# %%
import jax.numpy as jnp
import numpy as np

import dalembert as da


class Skate(da.System):
    """A plate on a knife edge that slides down an inclined plane."""

    m: float = da.parameter(1.0, "kg", "mass", positive=True)
    J: float = da.parameter(0.5, "kg m^2", "moment of inertia about the edge", positive=True)
    slope: float = da.parameter(0.2, "rad", "angle of the plane")

    space = da.Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    units = ("m", "m", "rad")

    def lagrangian(self, q, v):
        kinetic = 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.J * v[2] ** 2
        return kinetic + self.m * 9.81 * jnp.sin(self.slope) * q[0]

    def constraint(self, q):  # the rows of A(q), in A(q) v = 0
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def initial(self):
        return jnp.zeros(3), jnp.array([0.1, 0.0, 1.0])

    @property
    def invariants(self):
        return {"spin": lambda q, v: self.J * v[2]}


skate = Skate(slope=0.1)
traj = da.simulate(skate, h=0.05, steps=200)
print(da.diagnostics.report(skate, traj))

# %% [markdown]
# We did not define what the system looks like. Its coordinates are named x, y and theta, so the
# viewer draws a plate.

# %%
da.show(skate, traj, open=False)

# %% [markdown]
# The report also monitors the invariant that we declared. Some facts are available without a run:

# %%
from dalembert import geometry

print("growth vector:", geometry.growth_vector(skate))
print("acceleration:", np.round(da.dynamics.acceleration(skate, *skate.initial()), 4))
print("multiplier:", np.round(da.dynamics.multipliers(skate, *skate.initial()), 4), "N")

# %% [markdown]
# Initial data that violate the constraint are refused. The message gives the residual and says what
# to do:

# %%
try:
    da.simulate(skate, np.zeros(3), np.array([0.0, 1.0, 0.0]), h=0.05, steps=10)
except da.UsageError as error:
    print(error)

# %%
traj = da.simulate(skate, np.zeros(3), np.array([0.3, 1.0, 0.5]), h=0.05, steps=10, project=True)
print("projected:", traj.v[0])

# %% [markdown]
# `dalembert.testing.check_system(skate)` checks shapes, initial data, invariants and closed forms
# of your system, as the tests of the library do for its own systems. On the command line you can
# run the class from its file: `dalembert run skate.py:Skate --set slope=0.1`.
