"""Runs that mean nothing say so in their result (A8)."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.running.record.energy_watch import EnergyWatch


class Oscillator(da.MechanicalSystem):
    """A unit oscillator."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.5 * q @ q


class Falling(da.System):
    """A body that falls from the zero of its potential."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 9.81 * q[1]


class Blade(da.MechanicalSystem):
    """A particle with z' = y x' on springs: a linear constraint."""

    k: float = 1.0
    space = da.Euclidean(3)
    mass = np.eye(3)

    def potential(self, q):
        return 0.5 * self.k * q @ q

    def constraint(self, q):
        return jnp.array([[-q[1], 0.0, 1.0]])


@pytest.mark.parametrize("method", [da.RK4(), da.Leapfrog()], ids=lambda m: m.name)
def test_finding3_a8_a_step_beyond_stability(method):
    traj = da.simulate(Oscillator(), method, [1.0], [0.0], h=10.0, steps=20)
    assert any("its energy, which the motion keeps, off by" in x for x in traj.warnings)
    fine = da.simulate(Oscillator(), method, [1.0], [0.0], h=0.1, steps=200)
    assert not fine.warnings


def test_finding3_a8_on_a_constraint_and_without_rows():
    start = ([0.3, 0.2, 0.0], [0.0, 0.0, 0.0])
    bad = da.simulate(Blade(100.0), da.Leapfrog(), *start, h=0.22, steps=30, save=da.Final())
    assert any("its energy, which the motion keeps, off by" in x for x in bad.warnings)
    good = da.simulate(Blade(100.0), da.Leapfrog(), *start, h=0.02, steps=300, save=da.Final())
    assert not good.warnings


class Ditch(da.MechanicalSystem):
    """A potential with a flat floor and soft walls."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.5 * q[0] ** 2


def test_finding3_a8_rows_on_the_way_count_too():
    """Leapfrog of an oscillator close to its bound: the energy comes back at every period."""
    h = 1.9995
    steps = next(n for n in range(20, 400) if abs(np.sin(n * 2 * np.arcsin(h / 2))) < 0.02)
    traj = da.simulate(Ditch(), da.Leapfrog(), [1.0], [0.0], h=h, steps=steps)
    energy = 0.5 * (traj.v[:, 0] ** 2 + traj.q[:, 0] ** 2)
    assert energy[-1] < 2 * energy[0] and np.max(energy) > 50 * energy[0]
    (said,) = traj.warnings
    assert "off by" in said and f"t = {traj.t[np.argmax(energy)]:g}" in said


def test_finding3_a8_steps_that_are_not_saved_count_too():
    """The same, with the last row alone, and with rows where the energy has come back."""
    h = 1.9995
    turns = [n for n in range(2000, 6000) if abs(np.sin(n * 2 * np.arcsin(h / 2))) < 0.003]
    steps = next(n for n in turns if any(n % d == 0 for d in range(17, 65)))
    for how in ({"save": da.Final()}, {"save_every": steps}):
        traj = da.simulate(Ditch(), da.Leapfrog(), [1.0], [0.0], h=h, steps=steps, **how)
        assert 0.5 * (traj.v[-1, 0] ** 2 + traj.q[-1, 0] ** 2) < 1.0  # of 0.5, and 1000 between
        assert any("off by" in x for x in traj.warnings)
        assert len(traj) == (1 if "save" in how else 2)


def test_finding3_a8_the_worst_member_of_an_ensemble():
    q, v = np.array([[0.3], [1e-3], [2.0]]), np.zeros((3, 1))
    bad = da.simulate_ensemble(Oscillator(), da.Leapfrog(), q, v, h=2.05, steps=40)
    (said,) = bad.warnings
    assert "has its energy" in said and "(3 of 3 members are so)" in said
    good = da.simulate_ensemble(Oscillator(), da.Leapfrog(), q, v, h=0.1, steps=100)
    assert not good.warnings


def test_finding3_a8_a_body_that_has_no_energy_at_the_start():
    traj = da.simulate(Falling(), [0.0, 0.0], [0.0, 0.0], h=0.01, steps=1000)
    assert not traj.warnings
    assert traj.final.v[1] < -90.0


def test_finding3_a8_forces_and_controls_may_change_it():
    class Driven(Oscillator):
        """Pushed without end."""

        def force(self, t, q, v):
            return 5.0 * v

    traj = da.simulate(Driven(), [1.0], [0.0], h=0.01, steps=1000)
    assert abs(traj.final.q[0]) > 1e6
    assert not traj.warnings


# -- C4: a Lagrangian that is NaN, a constraint that jumps or loses rank ---------------------------


class Gone(da.MechanicalSystem):
    """0 log(1 - x): its derivative is zero where it is NaN, beyond x = 1."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.0 * jnp.log(1.0 - q[0])


@pytest.mark.parametrize("how", [{"t": 3.0}, {"h": 0.1, "steps": 30}], ids=["nodes", "rows"])
def test_finding3_c4_taylor_stops_where_the_lagrangian_is_nan(how):
    with pytest.raises(da.SimulationError, match="or the constraint is not finite") as caught:
        da.simulate(Gone(), da.Taylor(), [0.0], [1.0], **how)
    assert caught.value.step == (10 if "h" in how else 1)  # at x = 1, or at the first node behind


class Jumps(da.MechanicalSystem):
    """A row that jumps at x = 1, or only bends there."""

    bends: float = 0.0
    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.1 * q[1]

    def constraint(self, q):
        x = q[0] - 1.0
        side = jnp.where(self.bends > 0.0, self.bends * jnp.abs(x), jnp.sign(x))
        return jnp.array([[0.5 * side, 1.0]])


@pytest.mark.parametrize(
    "method",
    [da.Gauss(), da.Lobatto(3), da.GNI(), da.DLA(), da.RK4(), da.Leapfrog(), da.Taylor()],
    ids=lambda m: m.name,
)
def test_finding3_c4_a_constraint_that_jumps_is_warned_of_by_every_method(method):
    try:
        said = da.simulate(Jumps(), method, [0.0, 0.0], [1.0, 0.5], h=0.03, steps=50).warnings
    except da.SimulationError as error:
        said = (str(error),)
    assert any("the constraint jumps" in x for x in said), said


def test_finding3_c4_a_constraint_that_bends_or_is_not_reached_is_not():
    bent = da.simulate(Jumps(1.0), [0.0, 0.0], [1.0, -0.5], h=0.03, steps=50, project=True)
    assert bent.warnings == ()
    before = da.simulate(Jumps(), [0.0, 0.0], [1.0, 0.5], h=0.03, steps=25)
    assert before.warnings == () and before.final.q[0] < 1.0


class Vanishing(da.MechanicalSystem):
    """A row that vanishes at x = 1.01."""

    space = da.Euclidean(3)
    mass = np.eye(3)

    def potential(self, q):
        return 0.1 * q[1]

    def constraint(self, q):
        return jnp.array([[0.0, q[0] - 1.01, 0.0]])


class Parallel(Vanishing):
    """Two rows that become parallel there."""

    def constraint(self, q):
        x = q[0] - 1.01
        return jnp.array([[0.0, 1.0, x], [0.0, 1.0, -x]])


@pytest.mark.parametrize("system", [Vanishing(), Parallel()], ids=lambda x: x.name())
@pytest.mark.parametrize("method", [da.Gauss(), da.RK4(), da.Taylor()], ids=lambda m: m.name)
def test_finding3_c4_a_loss_of_rank_on_the_way_is_in_the_warnings(method, system):
    start = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    try:
        said = da.simulate(system, method, *start, h=0.03, steps=60).warnings
    except da.SimulationError as error:
        said = (str(error),)
    assert any("rank" in x for x in said), said
    assert da.simulate(system, method, *start, h=0.03, steps=30).warnings == ()


def test_finding3_c4_a_loss_of_rank_in_a_long_run():
    class Swings(Vanishing):
        """Through x = 1.01 to and fro, some thousand times."""

        def potential(self, q):
            return 0.5 * (q[0] - 1.0) ** 2

    with pytest.raises(da.SimulationError, match="loses rank at the singular point") as caught:
        da.simulate(Swings(), da.RK4(), [0.5, 0.0, 0.0], [0.0, 0.0, 0.0], h=0.05, steps=40_000)
    assert abs(caught.value.time - np.arccos(-0.02)) < 1e-5  # the first time


def test_finding3_c4_systems_of_the_zoo_are_not_warned_of():
    for name in ("chaplygin-sleigh", "rolling-disk", "snakeboard"):
        system = da.systems.registry[name]()
        assert da.simulate(system, h=0.01, steps=500).warnings == ()


@pytest.mark.parametrize("steps", [4000, 4001])  # 4001 is a prime
def test_finding3_a8_few_rows_are_made_to_look_at(steps, monkeypatch):
    looked = []
    monkeypatch.setattr(EnergyWatch, "feed", lambda self, rows: looked.extend(rows.k))
    da.simulate(da.systems.ChaoticQuartic(), da.Leapfrog(), h=0.01, steps=steps, save=da.Final())
    assert set(np.diff(looked)) <= {64, steps % 64} and looked[-1] == steps


@pytest.mark.parametrize("method", [da.Gauss(), da.DLA()], ids=lambda m: m.name)
def test_finding3_c4_members_whose_constraint_jumps_or_loses_rank_are_warned_of(method):
    """The first two members come to the jump, the first to the loss of rank."""
    options = {"h": 0.03, "steps": 50}
    many = [[1.0, 0.5], [1.2, 0.6], [0.1, 0.05]]
    (told,) = da.simulate_ensemble(Jumps(), method, np.zeros((3, 2)), many, **options).warnings
    assert told.startswith("members 0, 1 (2): the constraint jumps near t = "), told
    many = [[1.0, 0.0, 0.0], [0.1, 0.0, 0.0]]
    found = da.simulate_ensemble(Vanishing(), method, np.zeros((2, 3)), many, **options)
    (told,) = found.warnings
    assert told.startswith("members 0 (1 of 2) fail at a singular point"), told
    found = da.simulate_ensemble(
        Vanishing(), method, np.zeros((2, 3)), many, save=da.Every(1), **options
    )
    assert found.warnings[-1].startswith("members 0 (1 of 2) fail"), found.warnings
    assert list(found.failed) == [0]
    many = [[0.2, 0.0, 0.0], [0.1, 0.0, 0.0]]
    assert not da.simulate_ensemble(Vanishing(), method, np.zeros((2, 3)), many, **options).warnings


class Fading(Vanishing):
    """Its row vanishes at t = 1.01, wherever the particle is."""

    def constraint(self, t, q):
        return jnp.stack([jnp.zeros(()), 1.01 - t, jnp.zeros(())])[None]


def test_finding3_c4_a_row_that_fades_in_time_is_found_between_saved_rows():
    """In a run, and in members, of which the last row is saved only."""
    start, options = (np.zeros(3), np.array([1.0, 0.0, 0.2])), {"h": 0.03, "save": da.Final()}
    with pytest.raises(da.SimulationError, match="loses rank at the singular point") as caught:
        da.simulate(Fading(), da.Gauss(), *start, steps=60, **options)
    assert abs(caught.value.time - 1.01) < 1e-6
    assert not da.simulate(Fading(), da.Gauss(), *start, steps=30, **options).warnings
    two = [np.stack([x, 0.5 * x]) for x in start]
    many = da.simulate_ensemble(Fading(), da.Gauss(), *two, steps=60, **options)
    assert list(many.failed) == [0, 1] and "fail at a singular point" in many.warnings[-1]


# -- C7: the sign of a zero ------------------------------------------------------------------------


class Cut(da.MechanicalSystem):
    """A constant force whose sign is that of 0.0 * q."""

    kind: str
    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.0 * q[0]

    def force(self, t, q, v):
        if self.kind == "angle":
            return jnp.arctan2(0.0 * q, -jnp.ones(1))
        if self.kind == "chosen":
            return jnp.arctan2(jnp.where(q > 50.0, q, 0.0 * q), -jnp.ones(1))
        return 2.0 * jnp.arctan(1.0 / (0.0 * q))


@pytest.mark.parametrize("kind", ["angle", "chosen", "quotient"])
def test_finding3_c7_the_sign_of_a_zero_is_that_of_numpy(kind):
    """q = q0 -+ pi t^2/2 on either side; the default method is exact for a constant force."""
    for q0 in (-40.0, 40.0):
        run = da.simulate(Cut(kind), [q0], [0.0], h=0.1, steps=10)
        np.testing.assert_allclose(run.q[-1], q0 + np.copysign(0.5 * np.pi, q0), rtol=1e-12)
        assert "sign" in run.meta.engine_reason
