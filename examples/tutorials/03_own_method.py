# %% [markdown]
# # A method of your own
#
# A method is a frozen dataclass with three things: traits, which are claims that can be measured;
# a start, from (q, v) to what it carries; and a step. Here is one of order 1: drift with the old
# velocity, kick it by the free acceleration, project it onto the constraint.

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
# It has the order that it claims. It loops over nothing and keeps nothing: all that `simulate`
# does (rows, events, stores, ensembles, native code) works with it at once.

# %%
for method in (DriftAndProject(), da.DLA(), da.Gauss(2)):
    traj = da.simulate(particle, method, h=0.1, steps=100)
    error = da.diagnostics.energy_error(particle, traj)
    print(f"{method.name:18} {traj.meta.engine:7} largest energy error {abs(error).max():.1e} J")

# %% [markdown]
# `dalembert.testing.check_method(DriftAndProject())` puts it through everything that methods of
# the library go through: shapes, jit, gradients, restarts, groups, and each of its claims. On the
# command line: `dalembert run knife-edge --method my_method.py:DriftAndProject`.
#
# Often a rule is enough: a discrete Lagrangian of one's own is one function, which GNI and DLA
# take.


# %%
def late(system, h, g):
    """h L at three quarters of the way; g is an element of the groupoid: on R^n (q0, q1)."""
    x, sigma = system.groupoid.source(g), system.groupoid.coordinates(g)
    return h * system.lagrangian(x + 0.75 * sigma, sigma / h)


rule = da.CustomRule(Ld=late)
orders = da.diagnostics.measure_order(particle, da.GNI(rule), t_end=1.0, hs=[0.02, 0.01, 0.005])
print({name: round(float(order), 2) for name, order in orders.items()})

# %% [markdown]
# (That this rule, which looks one-sided, has order 2 on the free particle is no accident: without
# a potential, and with a constant metric, the place at which $L$ is taken does not matter. A rule
# has to be measured on a system that can tell; with `NonholonomicParticle(stiffness=1.0)` the
# order is another one.)

# %%
bound = da.systems.NonholonomicParticle(stiffness=1.0)
orders = da.diagnostics.measure_order(bound, da.GNI(rule), t_end=1.0, hs=[0.02, 0.01, 0.005])
print({name: round(float(order), 2) for name, order in orders.items()})
