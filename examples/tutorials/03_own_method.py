# %% [markdown]
# # A method of your own
#
# A method is a frozen dataclass with three members. `traits` are claims that can be measured, such
# as the order. `start` makes the state of the method from (q, v). `step` advances that state by one
# step. Our method has order 1: move with the old velocity, add the free acceleration times h to the
# velocity, and project it onto the constraint.

# %%
import dataclasses

import dalembert as da
from dalembert.dynamics import consistent_velocity, free_acceleration, momentum, multipliers
from dalembert.methods import Advance, Method, Traits, exact_row


@dataclasses.dataclass(frozen=True)
class DriftAndProject(Method):
    """q1 = q + h v,  v1 = P(v + h a(q1, v)): (4.12) [MP]."""

    name = "drift-and-project"
    traits = Traits(
        order=1,
        multiplier_order=1,
        symmetric=False,
        explicit=True,
        keeps="the constraint",
        on_constraint=True,
        reference="(4.12) [MP]",
    )

    def start(self, system, t, h, q, v):
        row = exact_row(t, q, v, momentum(system, q, v), multipliers(system, q, v, t))
        return (q, v), row

    def step(self, system, t, h, carry):
        q, v = carry
        g = system.groupoid.curve(q, h * v)  # on R^n: the pair (q, q + h v)
        q, t = system.groupoid.target(g), t + h
        v = consistent_velocity(system, q, v + h * free_acceleration(system, q, v, t), t)
        row = exact_row(t, q, v, momentum(system, q, v), multipliers(system, q, v, t))
        return Advance((q, v), row, system.groupoid.frame(g))


particle = da.systems.NonholonomicParticle()
orders = da.diagnostics.measure_order(
    particle, DriftAndProject(), t_end=1.0, hs=[0.02, 0.01, 0.005]
)
print({name: round(float(order), 2) for name, order in orders.items()})

# %% [markdown]
# The measured order is the claimed one. A method contains no loop and stores nothing. Everything
# that `simulate` offers (rows, events, stores, ensembles, native code) therefore works with it.

# %%
for method in (DriftAndProject(), da.DLA(), da.Gauss(2)):
    traj = da.simulate(particle, method, h=0.1, steps=100)
    error = da.diagnostics.energy_error(particle, traj)
    print(f"{method.name:18} {traj.meta.engine:7} largest energy error {abs(error).max():.1e} J")

# %% [markdown]
# `dalembert.testing.check_method(DriftAndProject())` runs the tests that all methods of the library
# have to pass: shapes, jit, gradients, restarts, groups, and each claim of the traits. On the
# command line: `dalembert run knife-edge --method my_method.py:DriftAndProject`.
#
# Often you need no new method, only a new discrete Lagrangian for GNI or DLA. That is one function:


# %%
def late(system, h, g):
    """Return h L at three quarters of the step; on R^n the groupoid element g is (q0, q1)."""
    x, sigma = system.groupoid.source(g), system.groupoid.coordinates(g)
    return h * system.lagrangian(x + 0.75 * sigma, sigma / h)


rule = da.CustomRule(Ld=late)
orders = da.diagnostics.measure_order(particle, da.GNI(rule), t_end=1.0, hs=[0.02, 0.01, 0.005])
print({name: round(float(order), 2) for name, order in orders.items()})

# %% [markdown]
# The rule is one-sided, yet it has order 2 on the free particle. The reason is that $L$ does not
# depend on $q$ there: the potential is zero and the metric is constant. Measure the order of a rule
# on a system with a potential, such as `NonholonomicParticle(stiffness=1.0)`:

# %%
bound = da.systems.NonholonomicParticle(stiffness=1.0)
orders = da.diagnostics.measure_order(bound, da.GNI(rule), t_end=1.0, hs=[0.02, 0.01, 0.005])
print({name: round(float(order), 2) for name, order in orders.items()})
