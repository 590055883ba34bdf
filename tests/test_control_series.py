"""The bound of the series (E32), brackets of Z by degree, connections of one's own, potentials."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import control, geometry
from dalembert.control.brackets import StateGerm
from dalembert.control.germs import ControlGerm
from dalembert.systems import PlanarBody, SnakeboardCoupled


class Curved(da.System):
    """A metric that changes with q, damped or not, and two forces on it."""

    k: float = 0.0
    space = da.Euclidean(2)

    def metric(self, q):
        return jnp.diag(jnp.stack([1.0 + 0.5 * jnp.sin(q[1]), 2.0 + jnp.cos(q[0])]))

    def lagrangian(self, q, v):
        return 0.5 * v @ self.metric(q) @ v

    def inputs(self, q):
        return jnp.stack([jnp.stack([1.0 + 0.0 * q[0], jnp.sin(q[0])]), jnp.array([0.0, 1.0])])

    def force(self, t, q, v):
        return -self.k * self.metric(q) @ v


class Satellite(da.System):
    """A rigid body with torques about its first two axes."""

    inertia: tuple[float, float, float] = (1.0, 2.0, 3.0)
    space = da.SO(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ (jnp.array(self.inertia) * v)

    def inputs(self, q):
        return jnp.eye(3)[:2]


def wave(s):
    return jnp.stack([0.3 * jnp.cos(3 * s), 0.2 + 0.1 * s])


# -- the bound of the series ---------------------------------------------------------------------


@pytest.mark.parametrize("k", [0.0, 0.5, -0.4], ids=["free", "damped", "driven"])
def test_the_bound_holds_and_has_the_power_of_the_error(k):
    body, at = Curved(k=k), jnp.zeros(2)
    for terms in (1, 2):
        bounds = []
        for t in (0.15, 0.3):
            bound = control.series_bound(body, wave, t, at, terms=terms)
            exact = da.simulate(body, da.Gauss(4), at, jnp.zeros(2), h=t / 20, steps=20, u=wave)
            found = control.series_motion(body, wave, t, at, terms=terms)
            assert bound.converges and bound.measured == 7
            assert np.max(np.abs(found.move - exact.q[-1])) < bound.position
            # the motion stays inside, and V_1 within (8.5)
            assert np.max(np.abs(exact.q)) < bound.reach < bound.sigma / 2
            assert bound.Z * t**2 < bound.L and bound.velocity < bound.term(terms + 1) * 10
            bounds.append(bound.position)
        assert np.log2(bounds[1] / bounds[0]) > 2 * terms + 1.9


def test_each_term_is_within_its_bound():
    """V_1, V_2 along the motion for u = (1, 0) times 0.3, on a group."""
    body, at, t = Satellite(), jnp.eye(3), 0.2
    bound = control.series_bound(body, lambda s: np.array([0.3, 0.1]), t, at, terms=2)
    first = control.series_motion(body, lambda s: np.array([0.3, 0.1]), t, at, terms=1)
    both = control.series_motion(body, lambda s: np.array([0.3, 0.1]), t, at, terms=2)
    assert bound.converges
    assert first.last < t * bound.term(1) and both.last < t * bound.term(2)


def test_bounds_that_are_given_are_used():
    """The planar body in closed form: |coefficients| of sin, cos are below cosh's, M = |u|."""
    body, at, t = PlanarBody(h=0.0), jnp.zeros(3), 0.2
    u = lambda s: np.array([0.3, 0.1])
    # Y_1 = (-sin, cos, 0), Y_2 = (0, 0, 2): |d^k sin|/k! <= 1 = sigma^-k
    given = control.series_bound(body, u, t, at, terms=2, sigma=1.0, norms=(0.5, 0.0))
    measured = control.series_bound(body, u, t, at, terms=2, sigma=1.0)
    assert given.measured is None and given.converges and measured.Z <= given.Z + 1e-12
    assert measured.position <= given.position
    nothing = control.series_bound(body, u, 30.0, at)
    assert not nothing.converges and np.isinf(nothing.velocity)
    for match, options in (
        ("sigma", {"norms": (1.0, 0.0)}),
        ("terms", {"terms": 0}),
        ("terms", {"terms": 50}),
    ):
        with pytest.raises(da.UsageError, match=match):
            control.series_bound(body, u, t, at, **options)
    with pytest.raises(da.UsageError, match="positive"):
        control.series_bound(body, u, -1.0, at)


# -- brackets by degree --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "q"),
    [(PlanarBody(), jnp.zeros(3)), (Satellite(), jnp.eye(3)), (Curved(), jnp.ones(2))],
    ids=["planar", "group", "curved"],
)
def test_brackets_are_homogeneous_as_in_figure_8_1(system, q):
    table = control.bracket_table(system, q, degree=4)
    for cell in table.cells:
        if cell.degree <= -2:
            assert cell.count == 0
        if cell.degree >= 1:
            assert cell.rank == 0
    assert table.cell(1, 0).rank == table.cell(1, 1).rank == 2
    found = control.controllability(system, q, degree=2)
    lifts = {1: 2, 2: found.sym.rank}  # products of degree 2 lie in the cell (2, 1)
    assert table.cell(2, 1).rank >= lifts[2] - lifts[1]
    assert "rank at rest" in str(table)


def test_the_bracket_with_z_is_the_symmetric_product():
    """[X^lift, [Z, Y^lift]] = <X : Y>^lift, with constraints too."""
    board, q = SnakeboardCoupled(), jnp.array([0.1, 0.2, 0.3, 0.4, 0.5])
    state, germ = StateGerm(board, q, 2), ControlGerm(board, q, 2)
    for i, j in ((0, 0), (0, 1), (1, 1)):
        inner = state.bracket(state.drift, state.inputs[j])
        value = state.bracket(state.inputs[i], inner).value
        np.testing.assert_allclose(value[:5], 0.0, atol=1e-12)
        product = germ.symmetric(germ.inputs[i], germ.inputs[j]).value
        np.testing.assert_allclose(value[5:], product, atol=1e-10)


# -- any affine connection -----------------------------------------------------------------------


def twisted(system, q):
    """The connection of the metric with torsion: the same geodesics, the same products."""
    skew = jnp.zeros((3, 3, 3)).at[0, 1, 2].set(1.0).at[0, 2, 1].set(-1.0)
    return geometry.christoffel(system, q) + jnp.sin(q[2]) * skew


def bent(system, q):
    """x'' = -theta'^2: other geodesics."""
    return jnp.zeros((3, 3, 3)).at[0, 2, 2].set(1.0)


class Bent(PlanarBody):
    """The same as a force that is quadratic in the velocity."""

    def force(self, t, q, v):
        return -self.m * jnp.stack([v[2] ** 2, 0.0 * v[0], 0.0 * v[0]])


def test_the_connection_that_is_given_decides():
    body, at = PlanarBody(), jnp.zeros(3)
    plain = control.controllability(body, at)
    same = control.controllability(body, at, connection=twisted)
    np.testing.assert_allclose(same.form.S, plain.form.S, atol=1e-12)
    assert "are the motions" in same.hypotheses.reason
    other = control.controllability(body, at, connection=bent)
    assert "are others" in other.hypotheses.reason
    # <Y_2 : Y_2> = 2 Gamma(Y_2, Y_2) = 2/J^2 d/dx, along eta = +-dx (unit mass)
    np.testing.assert_allclose(abs(other.form.S[1, 1]), 2 / body.J**2, rtol=1e-10)
    assert abs(plain.form.S[1, 1]) < 1e-12
    refused = control.controllability(Bent(), at)
    assert refused.hypotheses.answer == "does not apply" and "connection=" in refused.stlcc.reason
    judged = control.controllability(Bent(), at, connection=bent)
    assert "are the motions" in judged.hypotheses.reason
    np.testing.assert_allclose(judged.form.S, other.form.S, atol=1e-12)


def test_connections_on_a_group_and_with_constraints():
    body = Satellite()
    plain, same = (
        control.controllability(body, jnp.eye(3), degree=3, connection=c)
        for c in (None, geometry.christoffel)
    )
    np.testing.assert_allclose(np.abs(plain.form.S), np.abs(same.form.S), atol=1e-12)
    assert plain.stlcc == same.stlcc
    board, q = SnakeboardCoupled(), jnp.array([0.1, 0.2, 0.3, 0.4, 0.5])
    with pytest.raises(da.UsageError, match="does not preserve the constraint"):
        control.controllability(board, q, degree=2, connection=geometry.christoffel)
    with pytest.raises(da.UsageError, match="3 x 3 x 3"):
        control.controllability(
            PlanarBody(), jnp.zeros(3), connection=lambda system, q: jnp.zeros((3, 3))
        )


# -- a potential ---------------------------------------------------------------------------------


class Hung(PlanarBody):
    """In a potential."""

    spring: tuple[float, float, float] = (0.0, 0.0, 0.0)
    weight: float = 0.0

    def potential(self, q):
        return 0.5 * jnp.array(self.spring) @ q**2 + self.weight * q[1]


class Dragged(da.MechanicalSystem):
    """A force on y; x is pulled by y^2, and by x itself."""

    space = da.Euclidean(2)
    mass = jnp.eye(2)
    pull: float = 1.0

    def force(self, t, q, v):
        return jnp.stack([self.pull * q[1] ** 2, 0.0 * q[0]])

    def inputs(self, q):
        return jnp.eye(2)[1:]


def test_a_potential_that_inputs_balance():
    """Gravity along the thrust makes the linear equations controllable; springs in x do not."""
    heavy = control.controllability(Hung(weight=3.0), jnp.zeros(3))
    assert heavy.stlc and heavy.stlcc and heavy.la and "linear" in heavy.stlc.reason
    assert "force at rest" in heavy.hypotheses.reason
    spring = control.controllability(Hung(spring=(1.0, 2.0, 3.0)), jnp.zeros(3))
    assert spring.la and spring.stlc and "Sussmann" in spring.stlc.reason
    # without the force the same verdicts as by symmetric products
    none = control.controllability(Hung(), jnp.zeros(3))
    assert none.la and none.stlc and "8.2.2" in none.stlc.reason


def test_a_potential_that_inputs_cannot_balance():
    away = control.controllability(Hung(spring=(1.0, 0.0, 0.0)), jnp.array([0.5, 0.0, 0.0]))
    assert away.stlcc.answer == "no" and "one side" in away.stlcc.reason
    run = da.simulate(
        Hung(spring=(1.0, 0.0, 0.0)), jnp.array([0.5, 0.0, 0.0]), jnp.zeros(3),
        h=0.01, steps=20, u=lambda t: jnp.stack([jnp.cos(9 * t), jnp.sin(7 * t)]),
    )  # fmt: skip
    assert np.max(run.q[1:, 0]) < 0.5


def test_a_bad_bracket_with_a_potential():
    """x'' = y^2 >= 0: the bad bracket stands in the way, and x never falls."""
    found = control.controllability(Dragged(), jnp.zeros(2), degree=6)
    assert found.stlc.answer == "inconclusive" and "bad bracket" in found.stlc.reason


def test_brackets_refuse_what_is_not_homogeneous():
    with pytest.raises(da.UsageError, match="damping"):
        control.bracket_table(Curved(k=0.3), jnp.zeros(2))
    with pytest.raises(da.UsageError, match="at rest"):
        control.bracket_table(Hung(weight=1.0), jnp.zeros(3))
    with pytest.raises(da.UsageError, match="degree"):
        control.bracket_table(Curved(), jnp.zeros(2), degree=0)


# -- plans by inversion --------------------------------------------------------------------------


def test_a_plan_by_inversion_of_the_series():
    """From rest to rest, by a run of another method than the one that was corrected with."""
    body, goal = PlanarBody(), [0.2, 0.1, 0.15]
    plan = control.series_plan(body, goal, jnp.zeros(3))
    assert plan.miss < 1e-9 and plan.speed < 1e-9 and 1e-5 < plan.first < 0.05
    run = da.simulate(
        body, da.Gauss(4), jnp.zeros(3), jnp.zeros(3), h=0.005, steps=200, u=plan.control
    )
    np.testing.assert_allclose(run.q[-1], goal, atol=1e-8)
    np.testing.assert_allclose(run.v[-1], 0.0, atol=1e-8)
    with pytest.raises(da.UsageError, match="in between"):
        control.series_plan(body, [30.0, 20.0, 9.0], jnp.zeros(3))


def test_a_plan_by_inversion_with_damping():
    plan = control.series_plan(Curved(k=0.3), [0.3, -0.2], jnp.zeros(2))
    np.testing.assert_allclose(plan.run.q[-1], [0.3, -0.2], atol=1e-9)
    np.testing.assert_allclose(plan.run.v[-1], 0.0, atol=1e-9)
