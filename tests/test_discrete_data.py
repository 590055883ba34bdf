"""Leaves of finite-difference maps, volume on the constraint, and the splitting of T(T*Q)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import geometry
from dalembert.diagnostics import fit_order, volume_change
from dalembert.methods.rules import Geodesic, leaf
from dalembert.reproduce.experiments.honest_reversibility import Driven

SLEIGH = da.systems.ChaplyginSleigh()
PARTICLE = da.systems.NonholonomicParticle()
VESELOVA = da.systems.Veselova()


# -- leaves: Definition 7, Propositions 5 to 8 [MP] ------------------------------------------------


@pytest.mark.parametrize("a", [0.0, 0.5, 1.0])
def test_leaves_of_the_euclidean_maps_in_closed_form(a):
    """phi = (q0 + a (q1 - q0), (q1 - q0)/h): a leaf is {(q^ - a h v, q^ + (1 - a) h v)}."""
    h, q0, q1 = 0.1, jnp.array([0.1, 0.2, 0.5]), jnp.array([0.2, 0.1, 0.8])
    found = leaf(da.Alpha(a), SLEIGH, h, q0, q1)
    middle = q0 + a * (q1 - q0)
    np.testing.assert_allclose(found.point, middle, atol=1e-15)
    np.testing.assert_allclose(found.velocity, (q1 - q0) / h, atol=1e-13)
    wanted = np.concatenate([-a * h * np.eye(3), (1.0 - a) * h * np.eye(3)])
    np.testing.assert_allclose(found.tangent, wanted, atol=1e-14)
    v = jnp.array([0.3, -0.4, 0.2])
    start, end = found.at(v)
    np.testing.assert_allclose(start, middle - a * h * v, atol=1e-13)
    np.testing.assert_allclose(end, middle + (1.0 - a) * h * v, atol=1e-13)
    # Prop. 5: the leaf of any of its pairs has the same point; v = 0 is the diagonal; transverse
    np.testing.assert_allclose(leaf(da.Alpha(a), SLEIGH, h, start, end).point, middle, atol=1e-13)
    np.testing.assert_allclose(found.at(jnp.zeros(3))[0], middle, atol=1e-14)
    tilt = 1.0 / np.sqrt(2.0 * (a**2 + (1.0 - a) ** 2))
    np.testing.assert_allclose(found.transverse, tilt, atol=1e-7)
    # Prop. 6: F is linear on the leaf, with the matrix A(q^); Prop. 7, (4.5): its tangent is D
    np.testing.assert_allclose(found.slope, SLEIGH.constraint(middle), atol=1e-12)
    assert found.gap < 1e-12 and found.regular > 1e-3


def test_leaves_on_a_group_and_of_a_map_of_ones_own():
    q0, v = VESELOVA.initial()
    g = VESELOVA.groupoid.curve(q0, 0.1 * v)
    found = leaf(da.Midpoint(), VESELOVA, 0.1, g)
    w = jnp.array([0.2, -0.3, 0.4])
    pair = found.at(w)
    again = leaf(da.Midpoint(), VESELOVA, 0.1, pair)
    np.testing.assert_allclose(again.point, found.point, atol=1e-12)
    np.testing.assert_allclose(again.velocity, w, atol=1e-11)

    # F = A o phi of the rule itself has the derivative A(q^) along the leaf
    def F(x):
        moved = VESELOVA.groupoid.mul(g, VESELOVA.groupoid.curve(g[1], x))
        return da.Midpoint().constraint(VESELOVA, 0.0, 0.1, moved)

    ends = np.asarray(jax.jacfwd(F)(jnp.zeros(3)))
    assert np.linalg.matrix_rank(ends) == 1  # a submersion

    class Doubled(da.methods.rules.FiniteDifference):
        """A map whose velocity is twice too large along x: (4.5) fails."""

        label, order, symmetric = "doubled", 1, False

        def difference(self, system, h, g):
            sigma = system.groupoid.coordinates(g)
            way = system.groupoid.curve(system.groupoid.source(g), 0.5 * sigma)
            return way, jnp.array([2.0, 1.0, 1.0]) * sigma / h

    q = jnp.array([0.1, 0.2, 0.5])
    assert leaf(Doubled(), SLEIGH, 0.1, q, q + 0.1).gap > 0.1
    with pytest.raises(da.UsageError, match="finite-difference map"):
        leaf(da.Trapezoidal(), SLEIGH, 0.1, q, q)


class HalfPlanes(da.System):
    """x x' + y y' = 0 (geodesics of the half plane, holonomic), and w' = s y' that is not."""

    space = da.Euclidean(4)  # x, y, s, w

    def metric(self, q):
        return jnp.diag(jnp.stack([q[1] ** -2, q[1] ** -2, jnp.ones(()), jnp.ones(())]))

    def lagrangian(self, q, v):
        return 0.5 * v @ self.metric(q) @ v - 0.3 * q[0]

    def constraint(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.stack([q[0], q[1], o, o]), jnp.stack([o, -q[2], o, jnp.ones(())])])


def exponential(x, w):
    """Geodesics of the half plane times R^2 in closed form."""
    speed = jnp.sqrt(w[:2] @ w[:2] + 1e-300) / x[1]
    s, c = jnp.sinh(speed) / speed, jnp.cosh(speed)
    down = c - s * w[1] / x[1]
    return jnp.concatenate([jnp.stack([x[0] + s * w[0] / down, x[1] / down]), x[2:] + w[2:]])


def test_partially_integrable_constraints_stay_on_totally_geodesic_leaves():
    """The extension of Prop. 8 to C inside of TF: C_d lies in the union of F_l x F_l."""
    system = HalfPlanes()
    q = jnp.array([0.6, 0.8, 0.4, 0.0])
    v = da.dynamics.consistent_velocity(system, q, jnp.array([0.3, 0.1, 0.5, 0.2]))
    radius = {}
    for rule in (Geodesic(system.metric, 0.0, exponential), da.EulerA()):
        run = da.simulate(system, da.DLA(rule), q, v, h=0.05, steps=20)
        radius[rule.label] = np.ptp(run.q[:, 0] ** 2 + run.q[:, 1] ** 2)
    exact, plain = radius.values()
    assert exact < 1e-11 and plain > 1e-4, radius


# -- volume on C_d under DLA -----------------------------------------------------------------------


OSCILLATOR = da.systems.ContactOscillator()


def test_the_flow_conserves_the_known_density_and_no_other():
    """sqrt(1 + y^2) dx dy dz dx' dy' of the particle is the metric's volume on D."""
    given = volume_change(PARTICLE, da.Gauss(4), h=0.05, steps=20)
    assert np.max(np.abs(given.each)) < 1e-14
    wrong = volume_change(
        PARTICLE, da.Gauss(4), h=0.05, steps=20, density=lambda q: jnp.sqrt(1.0 + q[1] ** 2)
    )
    assert np.max(np.abs(wrong.total)) > 1e-2
    assert np.max(np.abs(volume_change(VESELOVA, da.Gauss(4), h=0.05, steps=20).each)) < 1e-13


@pytest.mark.parametrize("system", [PARTICLE, OSCILLATOR, VESELOVA], ids=lambda s: s.name())
def test_dla_changes_the_volume_by_its_order(system):
    """Not conserved: O(h^3) in a step, O(h^2) over a time. Reversible motions: no drift."""
    hs, worst = (0.1, 0.05), []
    for h in hs:
        worst.append(np.max(np.abs(volume_change(system, da.DLA(), h=h, steps=round(2 / h)).total)))
    assert abs(fit_order(hs, worst, floor=0.0) - 2.0) < 0.1, worst
    long = volume_change(system, da.DLA(), h=0.1, steps=2000)
    assert np.max(np.abs(long.total[-200:])) < 1.5 * np.max(np.abs(long.total[:200]))
    assert abs(long.rate) < 1e-6


def test_the_volume_drifts_where_the_motion_is_not_reversible():
    system, q = Driven(kappa=0.3), jnp.array([1.0, 0.3, 1.0, 0.0])
    v = da.dynamics.consistent_velocity(system, q, jnp.array([0.0, 0.5, 0.0, 1.0]))
    assert np.max(np.abs(volume_change(system, da.Gauss(4), q, v, h=0.05, steps=20).each)) < 1e-13
    long = volume_change(system, da.DLA(), q, v, h=0.1, steps=4000)
    assert long.rate > 4e-6  # 8.1e-6 per second were measured


def test_volume_refuses_what_is_no_map_of_the_state():
    with pytest.raises(da.UsageError, match="is not a map"):
        volume_change(SLEIGH, da.GNI(), h=0.1, steps=2)
    with pytest.raises(da.UsageError, match="the volume on D is for"):
        volume_change(da.systems.BallOnTurntable(), da.DLA(), h=0.1, steps=2)


# -- T*Q: Theorem 1 [MP] ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "system",
    [da.systems.ContactOscillator(), VESELOVA, da.systems.Snakeboard()],
    ids=lambda s: s.name(),
)
def test_the_motion_is_the_part_of_the_hamiltonian_field_along_d(system):
    q, v = system.initial()
    p = da.dynamics.momentum(system, q, v)
    found = geometry.cotangent_splitting(system, q, p)
    n, m = system.dim, found.normal.shape[1]
    assert found.tangent.shape == (2 * n, 2 * n - m) and found.angle > 1e-3
    np.testing.assert_allclose(found.hamiltonian, da.dynamics.energy(system, q, v), rtol=1e-12)
    np.testing.assert_allclose(found.motion[:n], v, atol=1e-12)
    # the reaction of the Lagrangian side, and a run: p' by differences
    lam = da.dynamics.multipliers(system, q, v)
    np.testing.assert_allclose(found.reaction, lam, atol=1e-9)
    h = 1e-3
    p1, p2 = (da.simulate(system, da.Gauss(3), q, v, h=s * h, steps=1).final.p for s in (1, 2))
    rate = (-3.0 * p + 4.0 * p1 - p2) / (2.0 * h)
    np.testing.assert_allclose(found.motion[n:], rate, atol=1e-4)
    # X_H itself leaves D, unless there is no reaction
    off = found.field - found.tangent @ (found.tangent.T @ found.field)
    assert np.linalg.norm(off) > 1e-6 * np.linalg.norm(lam)


def test_cotangent_refuses_momenta_off_the_constraint():
    q, _ = SLEIGH.initial()
    with pytest.raises(da.UsageError, match="off D = FL"):
        geometry.cotangent_splitting(SLEIGH, q, jnp.array([0.0, 1.0, 0.0]))
