"""Symmetric compositions: coefficients, orders, groups, refusals, the rescaled reflection."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from claims.examples import Bent
from dalembert import UsageError, dynamics
from dalembert.compile.tracing import folded
from dalembert.methods import Advance, Traits, registry
from dalembert.methods.composition import coefficients
from dalembert.methods.gni import GNIState


class Quartic(da.MechanicalSystem):
    """The nonholonomic particle z' = y x' in a potential that is not harmonic."""

    space = da.Euclidean(3)
    mass = jnp.eye(3)

    def potential(self, q):
        return 0.5 * (q @ q) + 0.25 * (q[0] ** 4 + q[1] ** 4) + 0.3 * q[0] * q[2]

    def constraint(self, q):
        return jnp.stack([-q[1], jnp.zeros(()), jnp.ones(())])[None, :]

    def initial(self):
        q = jnp.array([0.8, 0.5, 0.1])
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.4, 0.9, 0.0]))


class Driven(Quartic):
    """The same with a constraint that depends on time: the time inside of the step counts."""

    def offset(self, t, q):
        return jnp.array([0.3 * jnp.sin(2.0 * t) + 0.1 * q[0]])

    def initial(self):
        q = jnp.array([0.8, 0.5, 0.1])
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.4, 0.9, 0.0]), 0.0)


def ends(system, method, t_end, counts):
    """(q, v) at t_end for each number of steps; one compilation, h and the number traced."""
    q, v = system.initial()

    @jax.jit
    def run(h, steps):
        carry, _ = method.start(system, jnp.zeros(()), h, q, v)

        def once(k, c):
            advance = method.step(system, k * h, h, c[0])
            return advance.carry, advance.row.q, advance.row.v, advance.row.multiplier

        m = dynamics.multipliers(system, q, v).shape
        return jax.lax.fori_loop(0, steps, once, (carry, q, v, jnp.zeros(m)))[1:]

    return [run(jnp.asarray(t_end / n), n) for n in counts]


def order_of(system, method, t_end, counts, fields=3):
    """Observed order of (q, v, multiplier), or of the first `fields` of them, and the errors."""
    exact = da.simulate(system, da.Reference(rtol=1e-13, atol=1e-14), h=t_end / 4, steps=4).final
    wanted = (exact.q, exact.v, exact.multiplier)[:fields]
    found = ends(system, method, t_end, counts)
    errors = [da.diagnostics.distance(x[:fields], wanted) for x in found]
    slope = np.log(errors[-2] / errors[-1]) / np.log(counts[-1] / counts[-2])
    return slope, errors


# -- coefficients --------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "parts"), [(4, 5), (6, 9), (8, 17)])
def test_coefficients(order, parts):
    gamma = coefficients(order)
    assert len(gamma) == parts
    np.testing.assert_array_equal(gamma, gamma[::-1])
    assert abs(gamma.sum() - 1.0) < 4e-16
    assert abs(np.sum(gamma**3)) < 5e-16
    assert order == 4 or abs(np.sum(gamma**5)) < 5e-16
    assert order < 8 or abs(np.sum(gamma**7)) < 5e-16


def test_unknown_orders_are_refused():
    with pytest.raises(UsageError, match="orders 4, 6 and 8; got 5"):
        da.Composition(da.Leapfrog(), order=5)


# -- orders --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "base", "order", "t_end", "counts", "tolerance"),
    [
        (Quartic, da.Leapfrog(), 4, 4.0, (80, 160), 0.05),
        (Quartic, da.Leapfrog(), 6, 4.0, (40, 80), 0.2),
        (Quartic, da.Leapfrog(), 8, 4.0, (20, 30), 0.2),
        (Driven, da.Leapfrog(), 6, 2.0, (20, 40), 0.2),
        (Driven, da.MPMidpoint(), 4, 2.0, (40, 80), 0.05),
        (Driven, da.DLA(), 4, 2.0, (40, 80), 0.05),
        (da.systems.ChaplyginSleigh, da.DLA(), 6, 3.0, (24, 48), 0.2),
        (da.systems.ChaplyginSleigh, da.DLA(da.Trapezoidal()), 4, 3.0, (48, 96), 0.05),
    ],
    ids=lambda x: getattr(x, "name", None) or getattr(x, "__name__", None),
)
def test_orders(make, base, order, t_end, counts, tolerance):
    method = da.Composition(base, order)
    slope, errors = order_of(make(), method, t_end, counts)
    assert method.traits.order == method.traits.multiplier_order == order
    assert abs(slope - order) < tolerance, (slope, errors)


def test_a_group():
    """dla-midpoint-4 on R^2 x SO(3): order, constraint, the rotation stays one."""
    ball = da.systems.ChaplyginBall()
    method = registry["dla-midpoint-4"]()
    found = ends(ball, method, 2.0, (16, 32, 64))
    # against the finest, 1 - 1/16 of the error
    coarse, fine = (da.diagnostics.distance(x, found[-1]) for x in found[:-1])
    assert abs(np.log2(coarse / fine * (1 - 2**-4) / (1 - 4**-4)) - 4) < 0.1, (coarse, fine)
    (_, R), v, _ = found[-1]
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
    residual = dynamics.constraint_residual(ball, found[-1][0], v, 2.0)
    assert np.max(np.abs(residual)) < 1e-14


# -- GNI -----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Plain(da.Composition):
    """GNI composed as if it were a one-step map: reflected, not rescaled."""

    def step(self, system, t, h, carry) -> Advance:
        gamma = coefficients(4)

        def part(c, x):
            advance = da.GNI().step(system, t, x * h, c)
            return advance.carry, advance.row

        carry, rows = jax.lax.scan(part, carry, jnp.asarray(gamma))
        return Advance(carry, jax.tree.map(lambda x: x[-1], rows), jnp.zeros(0))


def test_gni_reaches_order_4_by_rescaling_only():
    rescaled = da.Composition(da.GNI(), order=4)
    assert rescaled.name == "gni-midpoint-4" and rescaled.traits.carry == "step"
    slope, errors = order_of(Quartic(), rescaled, 4.0, (80, 160))
    assert abs(slope - 4) < 0.05, (slope, errors)
    plain, _ = order_of(Quartic(), Plain(da.GNI(), 4), 4.0, (160, 320), fields=2)
    assert abs(plain - 2) < 0.1, plain


def test_gni_above_order_4_is_refused():
    with pytest.raises(UsageError, match=r"beyond order 4: .*DLA\(midpoint\), order=6"):
        da.Composition(da.GNI(), order=6)


@pytest.mark.parametrize(
    ("base", "message"),
    [
        (da.Shake(), "shake cannot be composed .* depends on the size of the last step"),
        (da.Composition(), "gni-euler-a-then-euler-b cannot be composed"),
        (da.DLA(da.EulerA()), "dla-euler-a cannot be composed .* not symmetric"),
        (da.GNI(da.EulerB()), "gni-euler-b cannot be composed .* not symmetric"),
        (da.RK4(), "rk4 cannot be composed .* not symmetric"),
        (da.GNI(restart_every=5), "leave out restart_every"),
        ((da.Leapfrog(), da.Leapfrog()), "an order belongs to one symmetric method"),
    ],
)
def test_what_has_no_order_is_refused(base, message):
    with pytest.raises(UsageError, match=message):
        da.Composition(base, order=4)


def test_tuples():
    with pytest.raises(UsageError, match="the order is missing"):
        da.Composition(da.Leapfrog())  # pyright: ignore
    with pytest.raises(UsageError, match="at least two methods of one class"):
        da.Composition((da.GNI(), da.DLA()))
    with pytest.raises(UsageError, match="shake cannot be part of a composition"):
        da.Composition((da.Shake(), da.Shake()))
    assert da.Composition().name == "gni-euler-a-then-euler-b"
    pair = da.Composition((da.DLA(da.EulerA()), da.DLA(da.EulerB())))
    assert pair.name == "dla-euler-a-then-euler-b"
    assert pair.adjoint() == pair and pair.traits.order == 2
    slope, errors = order_of(Quartic(), pair, 2.0, (80, 160))
    assert abs(slope - pair.traits.order) < 0.1, (slope, errors)


# -- symmetry, the driver, a user's own ----------------------------------------------------------


@pytest.mark.parametrize("name", ["leapfrog-4", "leapfrog-6", "leapfrog-8", "dla-midpoint-6"])
def test_a_step_and_back(name):
    system, method = Driven(), registry[name]()
    q, v = system.initial()

    @jax.jit
    def there_and_back():
        t, h = jnp.asarray(0.3), jnp.asarray(0.1)
        v0 = dynamics.consistent_velocity(system, q, v, t)
        carry, _ = method.start(system, t, h, q, v0)
        out = method.step(system, t, h, carry)
        back = method.step(system, t + h, -h, out.carry)
        return (q, v0), (back.row.q, back.row.v), out.row

    start, end, row = there_and_back()
    assert da.diagnostics.distance(start, end) < 1e-13
    assert np.max(np.abs(dynamics.constraint_residual(system, row.q, row.v, row.t))) < 1e-14
    lam = dynamics.multipliers(system, row.q, row.v, row.t)
    np.testing.assert_allclose(row.multiplier, lam, atol=1e-13)


def test_the_driver_takes_the_same_steps():
    """`simulate` takes the loop apart into numbers; there and back with v -> -v."""
    system, method = Quartic(), registry["leapfrog-8"]()
    run = da.simulate(system, method, h=0.2, steps=10)
    (wanted,) = ends(system, method, 2.0, (10,))
    np.testing.assert_allclose(run.final.q, wanted[0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(run.final.v, wanted[1], rtol=0, atol=1e-13)
    q, v = system.initial()
    assert da.diagnostics.reversibility_defect(system, method, q, v, h=0.2, steps=20) < 1e-13


def test_gradients_go_through_the_parts():
    q, v = Quartic().initial()

    @jax.jit
    def final(speed):
        system, method = Bent(), registry["leapfrog-6"]()
        v0 = dynamics.consistent_velocity(system, q, speed * v)
        return da.simulate(system, method, q, v0, h=0.1, steps=5).final.q[0]

    x, e = jnp.asarray(1.0), 1e-5
    central = (final(x + e) - final(x - e)) / (2 * e)
    np.testing.assert_allclose(jax.jit(jax.grad(final))(x), central, rtol=1e-8)


@dataclasses.dataclass(frozen=True)
class Own(da.Leapfrog):
    """A method that the library does not know, which only says what it is."""

    name = "own"
    traits = Traits(2, 1, True, False, "the constraint at the nodes", "none", on_constraint=True)


def test_a_users_own_method():
    method = da.Composition(Own(), order=4)
    assert method.name == "own-4" and method.adjoint() == method
    slope, errors = order_of(Quartic(), method, 2.0, (20, 40))
    assert abs(slope - 4) < 0.1, (slope, errors)


def test_one_copy_of_the_part_is_compiled():
    calls = []

    def part(c, x):
        calls.append(1)
        return c + x[0]

    gamma = coefficients(8)
    np.testing.assert_allclose(folded(part, jnp.zeros(()), (gamma,)), 1.0, atol=1e-15)
    assert len(calls) <= 2


def test_state_of_gni_has_no_counter_unless_it_restarts():
    system = Quartic()
    q, v = system.initial()
    t, h = jnp.zeros(()), jnp.asarray(0.1)
    carry, _ = da.GNI().start(system, t, h, q, v)
    assert isinstance(carry, GNIState) and carry.count is None
    carry, _ = da.GNI(restart_every=3).start(system, t, h, q, v)
    assert int(carry.count) == 0
