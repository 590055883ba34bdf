"""The contract of methods: traits, refusals, transformations, users' own groupoids and rules."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from claims.examples import Bent, MixedMetric
from claims.structure import undone
from dalembert import UsageError
from dalembert.groupoids import Groupoid
from dalembert.methods import registry
from dalembert.methods.base import Method

Q0 = jnp.array([1.0, 0.4, 0.2])
V0 = da.dynamics.consistent_velocity(Bent(), Q0, jnp.array([0.5, 0.7, 0.2]))


@pytest.mark.parametrize("name", list(registry))
def test_every_method_says_what_it_claims(name):
    method = registry[name]()
    assert isinstance(method, Method)
    assert method.name == name
    traits = method.traits
    assert traits.order >= 1
    assert traits.multiplier_order >= 1
    assert traits.keeps
    assert traits.on_constraint is (name != "rk4")
    assert traits.reference
    assert hash(method) == hash(registry[name]())  # one compilation for equal methods
    assert dataclasses.is_dataclass(method)


@pytest.mark.parametrize(
    ("method", "adjoint"),
    [
        (da.GNI(da.EulerA()), da.GNI(da.EulerB())),
        (da.GNI(da.Midpoint()), da.GNI(da.Midpoint())),
        (da.MPEuler(), da.MPEulerAdjoint()),
        (da.Leapfrog(), da.Leapfrog()),
        (da.Composition(), da.Composition()),
        (da.DLA(da.Alpha(0.25), da.EulerA()), da.DLA(da.Alpha(0.75), da.EulerB())),
    ],
)
def test_adjoints(method, adjoint):
    assert method.adjoint() == adjoint
    assert adjoint.adjoint() == method


@pytest.mark.parametrize(
    "method",
    [
        da.GNI(da.EulerB()),
        da.GNI(da.Alpha(0.25)),
        da.DLA(da.Alpha(0.25), da.EulerA()),
        da.DLA(da.EulerB(), da.MomentumAtStart(da.EulerB())),
        da.Leapfrog(),
    ],
    ids=lambda method: method.name,
)
def test_finding_a12_a_step_of_the_adjoint_undoes_a_step_back(method):
    assert undone(method, Bent(), 0.1, Q0, V0) < 1e-13


def test_finding_a12_what_gni_carries_is_not_undone():
    # p_minus against p_minus: the reflection lies between them
    assert undone(da.GNI(da.EulerA()), Bent(), 0.1, Q0, V0, as_carried=True) > 1e-2


def test_no_adjoint_is_said():
    with pytest.raises(UsageError, match="rk4 has no adjoint"):
        da.RK4().adjoint()
    with pytest.raises(UsageError, match="restart-2 has no adjoint"):  # it forgets
        da.GNI(restart_every=2).adjoint()


@pytest.mark.parametrize("method", [da.GNI(), da.DLA(), da.Leapfrog(), da.Composition()])
def test_nonlinear_constraints_are_refused(method):
    with pytest.raises(UsageError, match=r"nonlinear one .*RK4\(\) or Reference\(\)"):
        da.simulate(da.systems.Benenti(), method, h=0.1, steps=1)


def test_nonlinear_constraints_run_with_the_classical_methods():
    benenti = da.systems.Benenti()
    run = da.simulate(benenti, da.RK4(), h=0.01, steps=200)
    assert np.max(da.diagnostics.constraint_residual(benenti, run)) < 1e-7


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (da.systems.ChaplyginSleigh(), "constant mass matrix"),
        (da.systems.BallOnTurntable(), "constant mass matrix"),
    ],
)
def test_explicit_methods_say_what_they_need(system, message):
    with pytest.raises(UsageError, match=message):
        da.simulate(system, da.Leapfrog(), h=0.1, steps=1)


def test_explicit_methods_refuse_forces():
    class Pushed(Bent):
        def force(self, t, q, v):
            return jnp.ones(3)

    with pytest.raises(UsageError, match="takes no external force"):
        da.simulate(Pushed(), da.Shake(), Q0, V0, h=0.1, steps=1)


def test_moser_veselov_needs_a_rigid_body():
    with pytest.raises(UsageError, match="mass_tensor"):
        da.simulate(Bent(), da.GNI(da.MoserVeselov()), Q0, V0, h=0.1, steps=1)


def test_rules_check_their_point():
    for rule in (da.Alpha, da.SymmetricAlpha):
        with pytest.raises(UsageError, match="0 <= a <= 1"):
            rule(1.5)


def test_composition_checks_its_parts():
    with pytest.raises(UsageError, match="at least two"):
        da.Composition((da.GNI(),))


def test_a_custom_rule_without_constraint_or_force_says_so():
    rule = da.CustomRule(lambda s, h, g: h * s.lagrangian(g[0], (g[1] - g[0]) / h))
    with pytest.raises(UsageError, match="no discrete constraint"):
        da.simulate(Bent(), da.DLA(rule), Q0, V0, h=0.1, steps=1)

    class Pushed(Bent):
        def force(self, t, q, v):
            return jnp.ones(3)

    with pytest.raises(UsageError, match="no discrete force"):
        da.simulate(Pushed(), da.GNI(rule), Q0, V0, h=0.1, steps=1)


# -- start from a pair -------------------------------------------------------------------------


def test_a_pair_off_the_constraint_is_refused():
    sleigh = da.systems.ChaplyginSleigh()
    q, _ = sleigh.initial()
    good = da.simulate(sleigh, da.GNI(), h=0.01, steps=1).q[1]
    c, s = np.cos(q[2]), np.sin(q[2])
    bad = good + 0.05 * jnp.array([s, -c, 0.0])  # sideways
    with pytest.raises(UsageError, match="leaves the constraint"):
        da.simulate(sleigh, da.GNI(), q, q1=bad, h=0.01, steps=1)
    with pytest.raises(UsageError, match="not in the discrete constraint of dla-midpoint"):
        da.simulate(sleigh, da.DLA(), q, q1=bad, h=0.01, steps=1)
    with pytest.raises(UsageError, match="rk4 starts from"):
        da.simulate(sleigh, da.RK4(), q, q1=good, h=0.01, steps=1)
    with pytest.raises(UsageError, match="v0 or q1, not both"):
        da.simulate(sleigh, da.GNI(), q, jnp.zeros(3), q1=good, h=0.01, steps=1)


class Free(da.systems.ChaoticQuartic):
    """Its constraint, x' + sum y_i z_i' = 0, without its forces."""

    def potential(self, q):
        return 0.0 * q[0]


def test_no_reaction_is_no_failure():
    """Straight motion: what is left of A v is round-off, and the multiplier has nothing to do."""
    system, values = Free(), np.random.default_rng(0).uniform(0.1, 2.0, (4, 2, 7))
    for q, v in jnp.asarray(values):
        v = da.dynamics.consistent_velocity(system, q, v.at[1:4].set(0.0)).at[1:4].set(0.0)
        run = da.simulate(system, da.Leapfrog(), q, v, h=1e-5, steps=200)
        np.testing.assert_allclose(run.v, np.broadcast_to(v, run.v.shape), rtol=0, atol=1e-14)


# -- a groupoid that a user writes -------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class HandMade(Groupoid):
    """R x R x SO(3), written with the five operations and a section only."""

    dim = 4
    base = da.Euclidean(1)
    group = da.SO(3)

    def source(self, g):
        return g[0]

    def target(self, g):
        return g[1]

    def unit(self, x):
        return (x, x, jnp.eye(3))

    def mul(self, g, h):
        return (g[0], h[1], g[2] @ h[2])

    def inv(self, g):
        return (g[1], g[0], g[2].T)

    def curve(self, x, v):
        return (x, x + v[:1], da.SO(3).cay(v[1:]))

    def coordinates(self, g):
        return jnp.concatenate([g[1] - g[0], da.SO(3).cay_inv(g[2])])

    def frame(self, g):
        return g[2]


class OnHandMade(MixedMetric):
    space = HandMade()


@pytest.mark.parametrize("method", [da.GNI(da.Midpoint()), da.DLA(da.Midpoint())])
def test_a_users_groupoid_gives_the_same_motion(method):
    built_in, by_hand = MixedMetric(), OnHandMade()
    q0, v0 = built_in.initial()
    a = da.simulate(built_in, method, q0, v0, h=0.05, steps=40)
    b = da.simulate(by_hand, method, q0, v0, h=0.05, steps=40)
    for x, y in ((a.q, b.q), (a.v, b.v), (a.frame, b.frame), (a.multiplier, b.multiplier)):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-11)


# -- no constraint: variational integrators ----------------------------------------------------


class DoublePendulum(da.System):
    """Two equal pendula, one below the other; configuration-dependent metric, no constraint."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        coupling = v[0] * v[1] * jnp.cos(q[0] - q[1])
        return v[0] ** 2 + 0.5 * v[1] ** 2 + coupling + 2 * jnp.cos(q[0]) + jnp.cos(q[1])


def test_without_constraint_gni_and_dla_are_the_variational_integrator():
    system, q0, v0 = DoublePendulum(), [0.8, -0.3], [0.1, 0.4]
    gni, dla = (da.simulate(system, m, q0, v0, h=0.05, steps=100) for m in (da.GNI(), da.DLA()))
    np.testing.assert_allclose(gni.q, dla.q, rtol=0, atol=1e-12)
    assert gni.multiplier.shape == (101, 0)
    energy = np.asarray(da.diagnostics.energy_error(system, gni))
    fine = da.simulate(system, da.GNI(), q0, v0, h=0.025, steps=200)
    finer = np.asarray(da.diagnostics.energy_error(system, fine))
    assert np.max(np.abs(energy)) / np.max(np.abs(finer)) == pytest.approx(4.0, abs=0.4)


# -- transformations ---------------------------------------------------------------------------


@pytest.mark.parametrize("method", [da.GNI(da.Trapezoidal()), da.GNI(), da.DLA(), da.Leapfrog()])
def test_vmap_over_states_and_parameters(method):
    system = da.systems.PerturbedContactOscillator()
    q0, v0 = system.initial()
    epsilons = jnp.array([0.1, 0.5])
    speeds = jnp.array([1.0, 0.7])

    def final(epsilon, speed):
        run = da.simulate(
            system.with_parameters(epsilon=epsilon), method, q0, speed * v0, h=0.05, steps=20
        )
        return run.final.q, run.result

    batch, results = jax.jit(jax.vmap(final))(epsilons, speeds)
    assert np.all(results == 0)
    for i in range(2):
        single = da.simulate(
            system.with_parameters(epsilon=float(epsilons[i])),
            method,
            q0,
            float(speeds[i]) * v0,
            h=0.05,
            steps=20,
        )
        np.testing.assert_allclose(batch[i], single.final.q, rtol=0, atol=1e-13)


@pytest.mark.parametrize("method", [da.GNI(), da.Leapfrog()])
def test_one_trace_for_a_sweep(method, compilations):
    system = Bent()
    da.simulate(system, method, Q0, V0, h=0.1, steps=40)  # long enough for GNI's watch
    before = compilations()
    for h, steps in ((0.05, 7), (0.01, 30), (0.02, 200)):
        da.simulate(system, method, Q0, V0, h=h, steps=steps)
    assert compilations() == before
