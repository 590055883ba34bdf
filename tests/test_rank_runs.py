"""Runs through singular points: found, named, passed where the exit is unique; leaves there."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import dynamics, hybrid
from dalembert.hybrid import zoo

FADING = da.systems.ParticleWithFadingConstraint()
CONE = da.systems.ParticleAcrossCone()


def test_example_6_3_1_both_ways():
    modes = hybrid.across_ranks(FADING)
    onto = da.simulate(modes, [-1.0, 1.0], [1.0, 0.0], h=0.05, t=3.0)
    assert [(x.source, x.target) for x in onto.jumps] == [("rank 0", "rank 1")]
    np.testing.assert_allclose(onto.jumps.t, [1.0], atol=1e-14)
    np.testing.assert_allclose(onto.jumps.energy_lost, [0.25], atol=1e-14)
    np.testing.assert_allclose(onto.q[-1], [1.0, 2.0], atol=1e-12)
    off = da.simulate(modes, [2.0, 1.0], [-0.5, -0.5], h=0.05, t=6.0)
    assert [(x.source, x.target) for x in off.jumps] == [("rank 1", "rank 0")]
    np.testing.assert_allclose(off.jumps.t, [4.0], atol=1e-14)  # not where the row underflows
    np.testing.assert_allclose(off.q[-1], [-1.0, -2.0], atol=1e-12)
    # the same as modes that are declared
    declared = da.simulate(zoo.fading_constraint(), h=0.05, t=3.0)
    np.testing.assert_allclose(onto.q[-1], declared.q[-1], atol=1e-12)


class Vanishing(da.MechanicalSystem):
    """A row with a factor that vanishes at x = 1.01, and a direction that turns with x."""

    space = da.Euclidean(3)
    mass = np.diag([1.0, 2.0, 0.5])

    def potential(self, q):
        return 0.1 * q[1]

    def factor(self, x):
        return x

    def constraint(self, q):
        row = jnp.stack([jnp.zeros(()), jnp.cos(q[0]), 1.0 + 0.3 * jnp.sin(q[0])])
        return self.factor(q[0] - 1.01) * row[None]


class Touching(Vanishing):
    def factor(self, x):
        return x**2


class Plain(Vanishing):
    """The same constraint without the factor: of constant rank, the same motion."""

    def factor(self, x):
        return 1.0


class Parallel(Vanishing):
    """Two rows that become parallel there."""

    def constraint(self, q):
        x = q[0] - 1.01
        return jnp.array([[0.0, 1.0, x], [0.0, 1.0, -x]])


class OneSided(Vanishing):
    """The second row is the first one until x = 1.01."""

    def constraint(self, q):
        x = jnp.maximum(q[0] - 1.01, 0.0)
        return jnp.array([[0.0, 1.0, 0.0], [0.0, 1.0, x]])


START = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])


@pytest.mark.parametrize("system", [Vanishing(), Touching()], ids=lambda x: x.name())
def test_a_factor_that_vanishes_changes_nothing(system):
    run = da.simulate(hybrid.across_ranks(system), *START, h=0.03, steps=60)
    np.testing.assert_allclose(run.jumps.t, [1.01], atol=1e-8)
    assert np.max(np.abs(run.jumps.energy_lost)) < 1e-12
    plain = da.simulate(Plain(), *START, h=0.03, steps=60)
    # a step at 1.01 is cut in two: the error of the method differs
    np.testing.assert_allclose(run.q[-1], plain.q[-1], atol=1e-7)
    np.testing.assert_allclose(run.v[-1], plain.v[-1], atol=1e-7)


def test_rows_that_become_dependent_and_a_row_that_begins():
    run = da.simulate(hybrid.across_ranks(Parallel()), *START, h=0.03, steps=60)
    assert [(x.source, x.target) for x in run.jumps] == [("rank 2", "rank 2")]
    np.testing.assert_allclose(run.v[-1], [1.0, 0.0, 0.0], atol=1e-12)
    v = [1.0, 0.0, 0.3]
    run = da.simulate(hybrid.across_ranks(OneSided()), START[0], v, h=0.03, steps=60)
    assert [(x.source, x.target) for x in run.jumps] == [("rank 1, row 0", "rank 2")]
    np.testing.assert_allclose(run.v[-1], [1.0, 0.0, 0.0], atol=1e-12)  # D+ has dz
    np.testing.assert_allclose(run.jumps.energy_lost, 0.5 * 0.5 * 0.3**2, atol=1e-12)


@pytest.mark.parametrize("method", [da.Gauss(), da.RK4(), da.Taylor(), da.GNI()], ids=str)
def test_a_plain_run_stops_and_names_the_way_on(method):
    with pytest.raises(da.SimulationError, match=r"case 3 of table 6.1.*across_ranks") as caught:
        da.simulate(Touching(), method, *START, h=0.03, steps=60)
    assert abs(caught.value.time - 1.01) < 1e-6
    assert caught.value.trajectory.t[-1] == caught.value.time


@pytest.mark.parametrize("how", [{"save": da.Final()}, {"save_every": 7}], ids=["final", "7"])
def test_a_plain_run_that_saves_few_rows_stops_as_well(how):
    with pytest.raises(da.SimulationError, match=r"singular point t = 1\.01,"):
        da.simulate(Vanishing(), *START, h=0.03, steps=60, **how)


def test_a_run_that_fails_before_the_singular_point_names_it():
    for method in (da.Gauss(), da.Taylor()):
        with pytest.raises(da.SimulationError, match=r"t = 4, q = \(.*case 2 of table 6.1"):
            da.simulate(FADING, method, [2.0, 1.0], [-0.5, -0.5], h=0.05, t=6.0)
    with pytest.raises(da.UsageError, match="across_ranks"):
        da.simulate(FADING, [-1.0, 1.0], [1.0, 0.0], h=0.05, t=1.0)


def test_exits_of_the_cone_with_y_at_rest():
    """6.4.2: backwards from S with y' = 0, and then to it."""
    y = 0.7
    point, v = jnp.array([0.0, y, y**2]), jnp.array([0.8, 0.0, 0.2])
    back = hybrid.across_ranks(CONE, choose=lambda exits: exits.exits[0])
    away = da.simulate(back, point, -v, h=0.005, t=0.3)
    q, w = away.final.q, -np.asarray(away.final.v)
    with pytest.raises(da.SimulationError, match="in 3 ways") as caught:
        da.simulate(hybrid.across_ranks(CONE), q, w, h=0.005, t=0.6)
    assert abs(caught.value.time - 0.3) < 1e-4
    assert "case 3 of table 6.1" in str(caught.value)
    chosen = da.simulate(back, q, w, h=0.005, t=0.6)
    assert len(chosen.jumps) == 1 and abs(chosen.jumps.energy_lost[0]) < 1e-5


def test_motions_on_the_cone():
    """6.4.2, tangent to C: one start has one exit and goes on along C, another one has three."""
    y, back = 0.7, hybrid.across_ranks(CONE)
    point, v = jnp.array([0.0, y, y**2]), jnp.array([0.8, 0.3, -y * 0.8 + 2 * y * 0.3])
    away = da.simulate(back, point, -v, h=0.005, t=0.3)
    run = da.simulate(back, away.final.q, -np.asarray(away.final.v), h=0.005, t=0.6)
    np.testing.assert_allclose(run.jumps.t, [0.3], atol=1e-6)
    assert np.max(np.abs([CONE.surface(x) for x in run.q[::20]])) < 1e-6
    q = jnp.array([0.6, 0.4, 0.6**2 + 0.4**2 - 0.24])
    v = dynamics.consistent_velocity(CONE, q, jnp.array([-0.6, 0.3, 0.0]))
    with pytest.raises(da.SimulationError, match="in 3 ways"):
        da.simulate(back, q, v, h=0.01, t=1.5)


def test_options_of_across_ranks():
    modes = hybrid.across_ranks(FADING)
    found = da.simulate(
        modes, [-1.0, 1.0], [1.0, 0.0], h=0.05, t=3.0,
        events={"x": da.Event(lambda t, q, v: q[0] - 0.5, terminal=True)},
    )  # fmt: skip
    np.testing.assert_allclose(found.final.q, [0.5, 1.5], atol=1e-12)
    many = hybrid.simulate_ensemble(
        modes, None, [[-1.0, 1.0], [-0.5, 1.0]], [[1.0, 0.0]] * 2, h=0.05, t=2.0
    )
    np.testing.assert_allclose(many.q[:, 0], [0.5, 0.75], atol=1e-12)
    with pytest.raises(da.UsageError, match="no constraint"):
        hybrid.across_ranks(hybrid.released(FADING))
    with pytest.raises(da.UsageError, match="wrong mode"):
        da.simulate(modes, "rank 1", [-1.0, 1.0], [1.0, 0.0], h=0.05, t=1.0)


def test_leaves_where_the_rank_changes():
    D = hybrid.Codistribution(FADING)
    assert D.is_integrable([1.0, 0.0]).leaf == 1 and D.is_integrable([-0.3, 0.0]).leaf == 2
    axis = D.is_integrable([0.0, 0.4])  # partially, and not completely
    assert not axis and "no leaf passes" in axis.reason
    assert not hybrid.Codistribution(CONE).is_integrable([0.0, 0.7, 0.49])
    assert "Frobenius" in hybrid.Codistribution(CONE).is_integrable([0.5, 0.5, 1.5]).reason
    with pytest.raises(da.UsageError, match="underflows"):
        D.is_integrable([0.01, 0.0])

    class Curved(da.MechanicalSystem):
        """Rank 1 on the surface x = y^2, which is a leaf, and 2 elsewhere."""

        space = da.Euclidean(3)
        mass = np.eye(3)

        def constraint(self, q):
            return jnp.array([[1.0, -2.0 * q[1], 0.0], [0.0, q[0] - q[1] ** 2, 0.0]])

    found = hybrid.Codistribution(Curved())
    assert found.is_integrable([0.25, 0.5, 0.0]).leaf == 2
    assert found.is_integrable([1.0, 0.5, 0.0]).leaf == 1


def test_constant_rank_is_left_alone():
    sleigh = da.systems.ChaplyginSleigh()
    plain = da.simulate(sleigh, h=0.05, steps=100)
    modes = da.simulate(hybrid.across_ranks(sleigh), *sleigh.initial(), h=0.05, steps=100)
    assert not len(modes.jumps) and plain.warnings == ()
    np.testing.assert_allclose(modes.q[-1], plain.q[-1], atol=1e-12)


class Joined(da.systems.JoinedDisks):
    """(3.8) [C02] while the second disk rolls: R^2 sin(phi_2 - phi_1) psi_1' = 0."""

    def constraint(self, q):
        return super().constraint(q).at[4, 3].set(self.R**2 * jnp.sin(q[6] - q[2]))


def test_joined_disks_without_declared_modes():
    """The row of (3.8) fades where the headings agree; the disk that stands goes on standing."""
    modes = zoo.disks_that_join()
    _, q, v = modes.start
    with pytest.raises(
        da.SimulationError, match=r"t = 1\.6, .*rank 5 before it, 4 there, 5 behind"
    ):
        da.simulate(Joined(), q, v, h=0.05, t=3.0)
    run = da.simulate(hybrid.across_ranks(Joined()), q, v, h=0.05, t=3.0)
    np.testing.assert_allclose(run.jumps.t, [1.6], atol=1e-8)
    assert [(x.source, x.target) for x in run.jumps] == [("rank 5", "rank 5")]
    stands = da.simulate(da.systems.JoinedDisks(standing=1), q, v, h=0.05, t=3.0)
    np.testing.assert_allclose(run.q[-1], stands.q[-1], atol=1e-7)
    np.testing.assert_allclose(run.v[-1, 3], 0.0, atol=1e-12)
    # the same for the whole of (3.8), which is nonlinear in v
    run = da.simulate(hybrid.across_ranks(Whole()), q, v, h=0.05, t=3.0)
    np.testing.assert_allclose(run.jumps.t, [1.6], atol=1e-8)
    np.testing.assert_allclose(run.q[-1], stands.q[-1], atol=1e-7)
    np.testing.assert_allclose(run.v[-1, 3], 0.0, atol=1e-12)


class Whole(da.systems.JoinedDisks):
    """(3.8) [C02] as it stands: R^2 sin(phi_2 - phi_1) psi_1' psi_2' = 0."""

    def constraint(self, q):
        return super().constraint(q)[:4]

    def velocity_constraint(self, t, q, v):
        return self.joint(q, v)[None]


class OfTime(da.MechanicalSystem):
    """A particle that is free until t = 1, and then on lines of slope 1."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.3 * q[1]

    def constraint(self, t, q):
        return jnp.maximum(t - 1.0, 0.0) ** 2 * jnp.array([[1.0, -1.0]])


class Blade(OfTime):
    """A blade at the angle t, whose row changes its sign at t = 1."""

    def constraint(self, t, q):
        return (t - 1.0) * jnp.array([[jnp.sin(t), -jnp.cos(t)]])


class BladeOfAngle(da.MechanicalSystem):
    """The same blade with its angle as a coordinate."""

    space = da.Euclidean(3)
    mass = np.eye(3)

    def potential(self, q):
        return 0.3 * q[1]

    def constraint(self, q):
        return (q[2] - 1.0) * jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])


class Speeds(da.MechanicalSystem):
    """|x'| = |y'| for x > 0."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def velocity_constraint(self, t, q, v):
        return (jnp.maximum(q[0], 0.0) ** 2 * (v[0] ** 2 - v[1] ** 2))[None]


def test_rows_that_depend_on_time():
    run = da.simulate(hybrid.across_ranks(OfTime()), [0.0, 0.0], [1.0, 0.0], h=0.05, t=2.0)
    np.testing.assert_allclose(run.jumps.t, [1.0], atol=1e-8)
    np.testing.assert_allclose(run.jumps.energy_lost, [0.25 * 1.3**2], atol=1e-7)
    # y' = -0.3 at t = 1, then x' = y' = 0.35 - 0.15 (t - 1)
    np.testing.assert_allclose(run.q[-1], [1.275, 0.125], atol=1e-7)


@pytest.mark.parametrize("system", [Blade(), BladeOfAngle()], ids=lambda x: x.name())
def test_a_row_that_changes_its_sign_and_turns(system):
    """Gauss begins behind the point with the sign that the row has there."""
    more = [1.0][: system.dim - 2]
    q, v = [0.0, 0.0, *[0.0 for _ in more]], [0.5, 0.0, *more]
    run = da.simulate(hybrid.across_ranks(system), q, v, h=0.05, t=2.0)
    # along the blade s'' = -0.3 sin(t): s' = 0.2 + 0.3 cos(t)
    t = 2.0
    x = 0.2 * np.sin(t) + 0.15 * (t + np.sin(t) * np.cos(t))
    y = 0.2 * (1.0 - np.cos(t)) + 0.15 * np.sin(t) ** 2
    np.testing.assert_allclose(run.q[-1, :2], [x, y], atol=1e-7)


def test_a_nonlinear_constraint_begins_where_the_motion_obeys_it():
    modes = hybrid.across_ranks(Speeds())
    run = da.simulate(modes, [-0.5, 0.0], [0.6, 0.6], h=0.05, t=2.0)
    assert [(x.source, x.target) for x in run.jumps] == [("rank 0", "rank 1")]
    np.testing.assert_allclose(run.q[-1], [0.7, 1.2], atol=1e-9)
    with pytest.raises(da.SimulationError, match="no jump onto a constraint nonlinear"):
        da.simulate(modes, [-0.5, 0.0], [0.6, 0.7], h=0.05, t=2.0)


def test_a_mode_that_steps_over_a_singular_point_says_so():
    modes = hybrid.Modes({"row": Vanishing()}, hybrid.bounce("row", lambda q: 1.5 - q[0]))
    run = da.simulate(modes, *START, mode="row", h=0.03, steps=60)
    assert any("in mode 'row', near t = 1.01 the run steps over" in x for x in run.warnings)


@pytest.mark.parametrize("method", [da.Gauss(), da.Taylor()], ids=str)
def test_members_of_ensembles_stop_at_singular_points(method):
    """Those that reach x = 1.01 fail there, whatever is saved; the others go on."""
    q, v = np.zeros((4, 3)), np.zeros((4, 3))
    v[:, 0] = [1.0, 0.2, 0.9, 0.3]
    for how in ({}, {"save": da.Final()}):
        many = da.simulate_ensemble(Touching(), method, q, v, h=0.03, steps=60, **how)
        assert sorted(many.failed) == [0, 2]
        np.testing.assert_array_equal(many.steps_done, [33, 60, 37, 60])
        assert "members 0, 2 (2 of 4) fail at a singular point" in many.warnings[-1]
        assert "case 3 of table 6.1" in many.warnings[-1]
    plain = da.simulate(Touching(), method, q[1], v[1], h=0.03, steps=60)
    np.testing.assert_allclose(many.q[1, -1], plain.q[-1], atol=1e-13)


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 8, 22, 24, 107])
def test_random_codistributions_are_not_passed_in_silence(seed):
    from tests.fuzz.ranks import passed

    assert "singular point" in passed(seed)
