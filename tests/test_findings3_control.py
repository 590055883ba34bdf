"""A5 and A10 of the findings at c9bae98: feedback that does not come home, poor local minima."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.linalg import solve_continuous_are

import dalembert as da
from dalembert import control
from dalembert.control import linear, optimal

jax.config.update("jax_enable_x64", True)

# -- A5: feedback says what it cannot do ---------------------------------------------------------


class Ballbot(da.System):
    """A ball that rolls along a line, x' = r phi', and a body above its center."""

    m: float = 3.0
    r: float = 0.12
    I: float = 0.0288
    M: float = 12.0
    l: float = 0.4
    J: float = 0.6
    space = da.Euclidean(3)
    coordinate_names = ("x", "phi", "tilt")
    input_names = ("torque",)

    def lagrangian(self, q, v):
        ahead, up = v[0] + self.l * jnp.cos(q[2]) * v[2], -self.l * jnp.sin(q[2]) * v[2]
        T = self.m * v[0] ** 2 + self.I * v[1] ** 2 + self.J * v[2] ** 2
        return 0.5 * (T + self.M * (ahead**2 + up**2)) - 9.81 * self.M * self.l * jnp.cos(q[2])

    def constraint(self, q):
        return jnp.array([[1.0, -self.r, 0.0]])

    def inputs(self, q):
        return jnp.array([[0.0, 1.0, -1.0]])


@pytest.fixture(scope="module")
def upright():
    return control.linearize(Ballbot(), jnp.zeros(3))


def _ends(law, x):
    run = da.simulate(
        Ballbot(), [x, 0.0, 0.0], np.zeros(3), h=0.01, t=20.0, u=law.feedback, save=da.Final()
    )
    return run.final.q


def test_finding3_a5_states_have_the_names_of_the_coordinates(upright):
    assert upright.names == ("x", "phi", "tilt", "x_dot", "tilt_dot")
    np.testing.assert_allclose(upright.velocities[1, 3:], [1 / 0.12, 0.0], rtol=1e-12)
    names = linear._displacement_names(da.systems.ChaplyginBall())
    assert names == ["x", "y", "d Omega1", "d Omega2", "d Omega3"]


def test_finding3_a5_what_cannot_come_home_is_said_with_where_it_ends(upright):
    with pytest.warns(UserWarning, match=r"no control changes x - 0.12 phi \(constant"):
        law = control.lqr(upright)
    (left,) = law.uncontrolled
    assert left.constant and left.weighted and "x - 0.12 phi" in str(law)
    np.testing.assert_allclose(left.row, [1.0, -0.12, 0, 0, 0], atol=1e-9)
    # the least of x^2 + phi^2 on x - r phi = c
    np.testing.assert_allclose(left.ends[:2], np.array([1, -0.12]) / (1 + 0.12**2), rtol=1e-6)
    np.testing.assert_allclose(_ends(law, 0.3), 0.3 * left.ends[:3], atol=1e-6)


def test_finding3_a5_weights_by_name_bring_a_ballbot_home(upright):
    """Against the gains of the four states without phi, by SciPy."""
    law = control.lqr(upright, {"x": 2.0, "tilt": 1.0, "x_dot": 0.5}, {"torque": 0.1})
    some = [0, 2, 3, 4]
    A, B = upright.A[np.ix_(some, some)], upright.B[some]
    P = solve_continuous_are(A, B, np.diag([2.0, 1.0, 0.5, 0.0]), [[0.1]])
    np.testing.assert_allclose(law.K[:, some], 10.0 * B.T @ P, rtol=1e-6)
    assert abs(law.K[0, 1]) < 1e-7 * abs(law.K[0, 0]) and not law.warnings
    np.testing.assert_allclose(_ends(law, 0.3)[[0, 2]], 0.0, atol=1e-5)
    # a velocity that follows from the constraint weighs as much as the one it follows from
    other = control.lqr(upright, {"x": 2.0, "tilt": 1.0, "phi_dot": 0.5 * 0.12**2}, {"torque": 0.1})
    np.testing.assert_allclose(other.K, law.K, atol=1e-6 * np.max(np.abs(law.K)))


def test_finding3_a5_weights_that_do_not_make_a_law_are_refused(upright):
    for match, args in (
        ("did you mean x", ({"xx": 1.0},)),
        ("a motion of .*x.* that does not decay has no weight", ({"tilt": 1.0},)),
        ("no weight negative", ({"x": -1.0},)),
        ("R must be positive", ({"x": 1.0}, [0.0])),
        ("Q must be", (np.ones(4),)),
    ):
        with pytest.raises(da.UsageError, match=match):
            control.lqr(upright, *args)
    with pytest.raises(da.UsageError, match="bounds"):
        control.lqr(upright, {"x": 1.0}, limit=[1.0, 2.0])
    with pytest.raises(da.UsageError, match="unknown name in limit"):
        control.lqr(upright, {"x": 1.0}, limit={"force": 2.0})


class Towed(Ballbot):
    """With a second mass that nothing moves, and which spins for ever."""

    space = da.Euclidean(4)
    coordinate_names = ("x", "phi", "tilt", "spin")
    friction: float = 0.0

    def lagrangian(self, q, v):
        return super().lagrangian(q[:3], v[:3]) + 0.5 * v[3] ** 2

    def force(self, t, q, v):
        return jnp.zeros(4).at[3].set(-self.friction * v[3])

    def constraint(self, q):
        return jnp.array([[1.0, -self.r, 0.0, 0.0]])

    def inputs(self, q):
        return jnp.array([[0.0, 1.0, -1.0, 0.0]])


def test_finding3_a5_what_moves_by_itself_has_its_rate():
    Q = {"x": 1.0, "tilt": 1.0, "spin_dot": 1.0}
    with pytest.warns(UserWarning, match=r"spin_dot \(constant\)"):
        law = control.lqr(control.linearize(Towed(), jnp.zeros(4)), Q)
    by_name = {x.name: x for x in law.uncontrolled}
    spin = by_name["spin"]
    assert not spin.constant and not spin.weighted and by_name["spin_dot"].weighted
    assert spin.rate[[x.name for x in law.uncontrolled].index("spin_dot")] == pytest.approx(1.0)
    # friction stops it: what is weighted decays, and nothing is said
    law = control.lqr(control.linearize(Towed(friction=2.0), jnp.zeros(4)), Q)
    assert not law.warnings


class Pushed(da.MechanicalSystem):
    """A mass that a control moves, and a damped one that pushes it and that no control reaches."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.5 * q[1] ** 2

    def force(self, t, q, v):
        return jnp.stack([0.7 * q[1], -0.4 * v[1]])

    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])


def test_finding3_a5_what_decays_by_itself_is_answered_as_riccatis_equation_says():
    at = control.linearize(Pushed(), jnp.zeros(2))
    Q, R = np.diag([2.0, 0.5, 1.0, 0.3]), np.array([[0.1]])
    P = solve_continuous_are(at.A, at.B, Q, R)
    np.testing.assert_allclose(control.lqr(at, Q, R).K, at.B.T @ P / 0.1, rtol=1e-8, atol=1e-10)


# -- A10: several starts -------------------------------------------------------------------------


class Sleigh(da.systems.ChaplyginSleigh):
    """With a force along the blade and a torque."""

    input_names = ("force", "torque")

    def inputs(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.stack([jnp.cos(q[2]), jnp.sin(q[2]), o]), jnp.eye(3)[2]])


def test_finding3_a10_several_starts_and_how_far_they_agree():
    """Sideways by 0.6 m: the sleigh can turn either way, or back up."""
    task = Sleigh(), [0.0, 0.6, 0.0], jnp.zeros(3)
    options = {"duration": 2.0, "steps": 6, "method": da.DLA()}
    found = control.minimum_effort(*task, **options, starts=2)
    assert found.gradient < 1e-8 and found.miss < 1e-8 and found.curvature > 0
    assert len(found.efforts) >= 2 and list(found.efforts) == sorted(found.efforts)
    assert found.cost == found.efforts[0]
    assert 1 <= found.agree <= 2 and "starts led to it" in str(found)
    one = control.minimum_effort(*task, **options, guess=found)
    np.testing.assert_allclose(one.cost, found.cost, rtol=1e-8)
    assert one.efforts == (one.cost,) and "from one start" in str(one)
    assert found.without_limits == found.cost
    with pytest.raises(da.UsageError, match="starts"):
        control.minimum_effort(Sleigh(), [0.0, 0.6], duration=1.0, starts=0)


class Cart(da.MechanicalSystem):
    """A mass of 2 kg on a line."""

    space = da.Euclidean(1)
    mass = 2.0 * np.eye(1)

    def inputs(self, q):
        return jnp.ones((1, 1))


def test_finding3_a10_limits_do_not_reduce_the_effort(monkeypatch):
    """Without limits 12 m^2 d^2/T^3, whatever the search without them began with."""
    exact, largest = 12 * 4 * 0.7**2 / 1.5**3, 6 * 2 * 0.7 / 1.5**2
    task = Cart(), [0.7], jnp.zeros(1)
    options = {"duration": 1.5, "steps": 6, "limit": 0.8 * largest}
    found = control.minimum_effort(*task, **options)
    np.testing.assert_allclose(found.without_limits, exact, rtol=1e-9)
    assert found.cost > 1.001 * exact and "without limits" in str(found)
    best = optimal._Search.best

    def poor(self, *args):
        found = best(self, *args)
        if self.bound is None:  # as if it had ended in a poor local minimum
            found = dataclasses.replace(found, cost=100.0 * exact)
            self.found[:] = [found]
        return found

    monkeypatch.setattr(optimal._Search, "best", poor)
    with pytest.warns(UserWarning, match="a call without limits finds 696.889 .* but 6.96889"):
        again = control.minimum_effort(*task, **options)
    assert "a call without limits finds" in str(again) and len(again.warnings) == 1
    np.testing.assert_allclose(again.cost, found.cost, rtol=1e-8)
    np.testing.assert_allclose(again.without_limits, exact, rtol=1e-9)


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_finding3_a10_two_calls_with_and_without_limits(seed):
    """As `python -m tests.fuzz.efforts` does with many: no call with limits finds less."""
    from tests.fuzz import efforts

    found = [result.partition(": ")[2] for result, _ in efforts.judged(seed)]
    assert set(found) <= {"good", "refused"} and "good" in found, found
