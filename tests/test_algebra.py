"""Algebra on tapes: the same functions, by fewer products of what moves."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.compile.ir.interpret import interpreted
from dalembert.compile.ir.record import Recorded, record
from dalembert.compile.ir.simplify import simplified
from dalembert.compile.ir.tape import known
from dalembert.compile.layout import Layout
from dalembert.compile.taylor.coefficient_rules import Jet
from dalembert.methods.taylor import element_field
from dalembert.request.prepare import prepare


def products(recorded: Recorded, size: int) -> int:
    """How many sums over orders its coefficients take."""
    jet = Jet(recorded, size, len(recorded.inputs[0]), follow=False)
    count = sum(len(c.pairs) for c in jet.chains.values())
    for v in jet.values:
        moving = [x for x in v.operands if not jet.is_still(x)]
        count += v.op == "mul" and len(moving) == 2
        count += v.op == "div" and not jet.is_still(v.operands[1])
    return count


def compared(recorded: Recorded, *given: np.ndarray) -> Recorded:
    new = simplified(recorded)
    a, b = (interpreted(r, np.concatenate(given)) for r in (recorded, new))
    np.testing.assert_allclose(b, a, rtol=1e-13, atol=1e-13)
    return new


def of(f, constants: int, moving: int) -> Recorded:
    return record(lambda c, m: f(c, m[0]), np.zeros(constants), (np.zeros(moving), np.zeros(())))


CASES = {
    "a circle": (lambda c, x: jnp.sin(x[0]) ** 2 * x[1] + x[1] * jnp.cos(x[0]) ** 2, 0),
    "a circle in a denominator": (
        lambda c, x: x[1] / (c[0] * jnp.cos(x[0]) ** 2 + jnp.sin(x[0]) * c[0] * jnp.sin(x[0])),
        0,
    ),
    "terms that cancel": (lambda c, x: (x[0] + x[1]) * x[2] - x[2] * x[0] - x[1] * x[2], 0),
    "factors that stay": (lambda c, x: (c[0] * x[0]) * (x[0] * c[1]) - 3.0 * x[0] * x[0], 1),
    "a common factor": (lambda c, x: c[0] * x[0] * x[2] - c[1] * x[1] * x[2], 1),
    "three of them": (lambda c, x: x[0] * x[3] - x[1] * x[3] + x[2] * x[3] * c[0], 1),
    "signs": (lambda c, x: -(x[0] * -x[1]) - 2.0 * (x[1] * x[0]), 1),
    "nothing to do": (lambda c, x: x[0] * x[1] + x[2] * x[3], 2),
    "not a circle": (lambda c, x: jnp.sin(x[0]) ** 2 + jnp.cos(x[1]) ** 2, 6),
    "a choice": (lambda c, x: jnp.where(x[0] > 0.0, x[0] * x[1], x[1] * x[0] * 2.0), 1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_by_fewer_products(name):
    f, count = CASES[name]
    recorded = of(f, 2, 4)
    new = compared(recorded, np.array([0.7, -1.3]), np.array([0.4, 1.1, -0.6, 0.9, 0.0]))
    assert products(new, 4) == count
    assert products(recorded, 4) >= count


def test_a_sum_that_is_used_elsewhere_is_not_taken_apart():
    """x z and y z are wanted anyhow: (x + y) z would be one product more."""
    recorded = of(lambda c, x: [x[0] * x[2] + x[1] * x[2], x[0] * x[2], x[1] * x[2]], 1, 3)
    assert products(simplified(recorded), 3) == 2


def test_loops_are_left_alone():
    def f(c, x):
        return jax.lax.while_loop(lambda y: y < 10.0, lambda y: y * x[1] + 1.0, x[0])

    recorded = of(f, 1, 2)
    assert simplified(recorded) is not None
    assert simplified(recorded).outputs == recorded.outputs


@pytest.mark.parametrize(
    ("name", "by_hand"), [("knife-edge", 9), ("chaplygin-sleigh", 12), ("chaotic-quartic", 23)]
)
def test_equations_of_motion_cost_no_more_than_those_reduced_by_hand(name, by_hand):
    system = da.systems.registry[name]()
    prepared = prepare(system, da.Taylor(), *system.initial(), None, 1.0, 0.0, False)
    plan = prepared.plan
    node, parameters = plan.state.example().carry, plan.parameters.example()
    x = (node.part, node.v)

    def field(constants, moving):
        (dynamic, q), (x, t) = constants, moving
        return element_field(eqx.combine(dynamic, plan.static), q, t, x)

    recorded = record(field, (parameters, node.q), (x, node.t))
    rng = np.random.default_rng(3)
    shared = plan.parameters.pack_numpy(prepared.dynamic)
    given = np.concatenate([shared, rng.normal(size=Layout(node.q).width)])
    new = compared(recorded, given, rng.normal(size=Layout(x).width + 1))
    assert products(new, Layout(x).width) <= by_hand
    assert not any(known(v) for v in new.outputs[:3])


class NearAPole(da.System):
    """The momentum sin^2(q0) q1' is kept, beside so many cos^2 that sin^2 could be made of them."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        s, c = jnp.sin(q[0]), jnp.cos(q[0])
        return 0.5 * ((1.0 + c * c) * v[0] ** 2 + s * s * v[1] ** 2) - c * c * c


def test_the_sine_near_a_pole_keeps_its_digits():
    """With 1 - cos^2 for sin^2 it was kept to 7e-11 only."""
    near = 1e-4
    traj = da.simulate(
        NearAPole(), da.Taylor(1e-15), jnp.array([near, 0.0]), jnp.array([1.0, 1 / near]), t=0.1
    )
    kept = np.sin(np.asarray(traj.q[:, 0])) ** 2 * np.asarray(traj.v[:, 1])
    np.testing.assert_allclose(kept, kept[0], rtol=1e-13)
