"""Inputs, and what chapter 8 [C02] says of them: products, verdicts, decoupling fields, plans."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import control, dynamics, geometry
from dalembert.control.branches import branch_weights
from dalembert.control.closures import symmetric_products
from dalembert.control.controllability import form_kind, isotropic_basis
from dalembert.control.decoupling import continued, null_vectors, quotient_forms
from dalembert.control.germs import ControlGerm
from dalembert.diagnostics.series import is_driven
from dalembert.geometry.distribution.taylor_fields import Algebra
from dalembert.systems import (
    BalancingRobot,
    PassiveArm,
    PlanarBody,
    RollerRacer,
    SnakeboardCoupled,
    TwistedInputs,
    UnderwaterVehicle,
)

BOARD = SnakeboardCoupled()
AT = jnp.array([0.1, 0.2, 0.3, 0.4, 0.5])


# -- inputs --------------------------------------------------------------------------------------


class Cart(da.MechanicalSystem):
    """Two masses; a control on each."""

    space = da.Euclidean(2)
    m: float = 2.0

    @property
    def mass(self):
        return jnp.diag(jnp.array([self.m, 1.0]))

    def inputs(self, q):
        return jnp.eye(2)


REST = (jnp.zeros(2), jnp.zeros(2))


def test_a_control_of_time_a_table_numbers_and_feedback():
    run = da.simulate(Cart(), *REST, h=0.1, steps=20, u=lambda t: jnp.stack([t, 0.0 * t]))
    np.testing.assert_allclose(run.q[-1], [2.0**3 / 6 / 2, 0.0], atol=1e-13)  # Gauss is exact
    ramp = control.Table([0.0, 2.0], [[0.0, 0.0], [2.0, 0.0]])
    np.testing.assert_allclose(
        da.simulate(Cart(), *REST, h=0.1, steps=20, u=ramp).q, run.q, atol=1e-13
    )
    run = da.simulate(Cart(), *REST, h=0.1, steps=10, u=[1.0, -3.0])
    np.testing.assert_allclose(run.q[-1], [0.25, -1.5], atol=1e-13)
    run = da.simulate(
        Cart(), da.Gauss(4), jnp.ones(2), jnp.zeros(2), h=0.1, steps=10, u=lambda t, q, v: -q
    )
    np.testing.assert_allclose(run.q[-1], [np.cos(np.sqrt(0.5)), np.cos(1.0)], atol=1e-12)
    assert run.meta.system == "cart-driven" and run.meta.controlled == "cart"


class NamedDriven(Cart):
    """A system whose name only looks as if a control acted on it."""

    @classmethod
    def name(cls):
        return "cart-driven"


def test_a_control_is_known_by_a_field_not_by_a_name(tmp_path):
    free = da.simulate(NamedDriven(), jnp.zeros(2), jnp.ones(2), h=0.1, steps=5)
    assert free.meta.system == "cart-driven" and free.meta.controlled == ""
    assert not is_driven(Cart(), free)
    run = da.simulate(NamedDriven(), *REST, h=0.1, steps=5, u=[1.0, 0.0])
    assert is_driven(NamedDriven(), run)
    assert not is_driven(control.driven(NamedDriven(), 1.0), run)  # it knows
    for traj in (free, run):
        traj.save(tmp_path / "run.nc")
        assert da.load(tmp_path / "run.nc").equals(traj)
    old = run.meta.as_dict()
    del old["controlled"]  # as older versions wrote it
    assert type(run.meta).from_dict(old) == run.meta


def test_steps_of_a_held_table():
    held = control.Table([0.0, 0.5], [[1.0, 0.0], [-1.0, 0.0]], hold=True)
    run = da.simulate(Cart(), *REST, h=0.05, steps=20, u=held)
    np.testing.assert_allclose(run.q[-1, 0], 0.5 * (0.5**2 / 2 + 0.5 * 0.5 - 0.5**2 / 2), atol=2e-2)
    with pytest.raises(da.UsageError, match="must increase"):
        control.Table([0.0, 0.0], [[1.0], [2.0]])
    with pytest.raises(da.UsageError, match="times"):
        control.Table([0.0, 1.0], [[1.0]])


def test_gradient_with_respect_to_a_table_and_a_network():
    def end(values):
        u = control.Table(jnp.array([0.0, 0.5, 1.0]), values)
        return jnp.sum(da.simulate(Cart(), *REST, h=0.25, steps=4, u=u).q[-1] ** 2)

    values = jnp.array([[1.0, 2.0], [0.5, -1.0], [0.3, 0.2]])
    slope = jax.grad(end)(values)
    step = 1e-6
    there, back = (float(end(values.at[1, 0].add(s))) for s in (step, -step))
    np.testing.assert_allclose(slope[1, 0], (there - back) / (2 * step), rtol=1e-6)

    network = eqx.nn.MLP(4, 2, 3, 1, activation=jnp.tanh, key=jax.random.key(0))
    run = da.simulate(
        Cart(), jnp.ones(2), jnp.zeros(2), h=0.1, steps=5, u=control.StateFeedback(network)
    )
    assert np.all(np.isfinite(run.q)) and np.any(run.v[-1])


def test_members_share_a_control_or_have_their_own():
    own = control.PerMember(
        control.Table(
            jnp.tile(jnp.array([0.0, 1.0]), (3, 1)),
            jnp.ones((3, 2, 2)) * jnp.arange(3.0)[:, None, None],
        )
    )
    many = da.simulate_ensemble(Cart(), *REST, h=0.1, steps=10, u=own)
    np.testing.assert_allclose(np.asarray(many.q)[..., 0].ravel(), [0.0, 0.25, 0.5], atol=1e-13)
    np.testing.assert_allclose(many[2].final.q[0], 0.5, atol=1e-13)


def test_controls_of_one_kind_share_their_code(monkeypatch):
    run = {"h": 0.1, "steps": 5}
    first = da.simulate(Cart(), *REST, **run, u=[0.3, 0.1])

    def again(*args):
        raise AssertionError("traced again")

    monkeypatch.setattr("dalembert.running.programs.step_kernel.trace", again)
    monkeypatch.setattr("dalembert.compile.cpu.kernels.trace", again)
    other = da.simulate(Cart(), *REST, **run, u=[0.3, 0.2])
    assert np.max(np.abs(first.q - other.q)) > 1e-3


def test_what_is_wrong_with_a_control_is_said():
    with pytest.raises(da.UsageError, match="2 controls"):
        da.simulate(Cart(), *REST, h=0.1, steps=1, u=lambda t: jnp.ones(3))
    with pytest.raises(da.UsageError, match="no inputs"):
        da.simulate(da.systems.ChaplyginSleigh(), h=0.1, steps=1, u=1.0)
    with pytest.raises(da.UsageError, match="a control is"):
        da.simulate(Cart(), *REST, h=0.1, steps=1, u="full")
    with pytest.raises(da.UsageError, match="u\\(t\\) or u\\(t, q, v\\)"):
        da.simulate(Cart(), *REST, h=0.1, steps=1, u=lambda t, q: t)
    driven = control.driven(Cart(), 1.0)
    assert not driven.invariants and not hasattr(
        control.driven(PlanarBody(), [0, 0]), "closed_form"
    )
    with pytest.raises(da.UsageError, match="already driven"):
        control.driven(driven, 1.0)


# -- the algebra ---------------------------------------------------------------------------------


def test_polynomials_against_their_values():
    ring = Algebra(2, 5)
    x = np.array([0.3, -0.2])
    at = lambda a: a @ np.array([np.prod(x ** np.array(e)) for e in ring.exponents])
    rng = np.random.default_rng(0)
    low = ring.degrees <= 2
    a, b = (np.where(low, rng.normal(size=ring.size), 0.0) for _ in range(2))
    np.testing.assert_allclose(at(ring.multiply(a, b)), at(a) * at(b), rtol=1e-13)
    eps = 1e-6
    shift = lambda s: a @ np.array([np.prod((x + s) ** np.array(e)) for e in ring.exponents])
    slope = (shift(np.array([eps, 0])) - shift(np.array([-eps, 0]))) / (2 * eps)
    np.testing.assert_allclose(at(ring.derivative(a)[0]), slope, rtol=1e-8)
    A = rng.normal(size=(3, 3, ring.size)) + ring.constant(4 * np.eye(3))
    np.testing.assert_allclose(
        ring.matmul(A, ring.inverse(A)), ring.constant(np.eye(3)), atol=1e-12
    )


@pytest.mark.parametrize(
    ("system", "q"),
    [(BOARD, AT), (PassiveArm(), AT[:3])],
    ids=["constraints", "curved metric"],
)
def test_products_equal_nested_differentiation(system, q):
    """Degree 3 by `geometry.symmetric_product`, an independent route."""
    germ = ControlGerm(system, q, 3)

    def field(i):
        return lambda q: (
            dynamics.projectors(system, q)[0]
            @ jnp.linalg.solve(dynamics.metric(system, q), system.inputs(q).T)[:, i]
        )

    Y = [field(0), field(1)]
    S = geometry.symmetric_product(system, Y[0], Y[1])
    nested = [S, geometry.symmetric_product(system, S, Y[1]), geometry.lie_bracket(Y[0], S)]
    mine = [germ.symmetric(*germ.inputs)]
    mine += [germ.symmetric(mine[0], germ.inputs[1]), germ.bracket(germ.inputs[0], mine[0])]
    values = jit(lambda q: [f(q) for f in nested])(q)
    for X, value in zip(mine, values):
        np.testing.assert_allclose(X.value, value, atol=1e-10)
    assert np.max(np.abs(mine[1].value)) > 0.1


def test_products_on_a_group_equal_those_in_coordinates():
    """The planar body on SE(2), in the frame of the body, against R^3."""

    class OnGroup(da.System):
        space = da.SE(2)

        def lagrangian(self, q, v):
            return 0.5 * (v[0] ** 2 + v[1] ** 2) + 0.25 * v[2] ** 2

        def inputs(self, q):
            return jnp.array([[0.0, 1.0, -0.3], [0.0, 0.0, 1.0]])

    one = ControlGerm(PlanarBody(), jnp.zeros(3), 3)
    two = ControlGerm(OnGroup(), da.SE(2).identity(), 3)
    for a, b in zip(symmetric_products(one, one.inputs, 4), symmetric_products(two, two.inputs, 4)):
        assert a.counts == b.counts
        np.testing.assert_allclose(a.field.value, b.field.value, atol=1e-12)


# -- verdicts ------------------------------------------------------------------------------------


def test_planar_body_of_8_5_1():
    found = control.controllability(PlanarBody(h=0.3))
    np.testing.assert_allclose(found.form.A, [[-0.6, 1.0], [1.0, 0.0]], atol=1e-13)
    np.testing.assert_allclose(np.linalg.det(found.form.A), -1.0, atol=1e-13)
    np.testing.assert_allclose(found.form.basis, [[1.0, 0.3], [0.0, 1.0]], atol=1e-13)
    assert found.la and found.lca and found.stlcc and found.stlc
    assert found.good_bad.test_complete


def test_snakeboard_is_controllable_by_its_products():
    found = control.controllability(BOARD, AT)
    assert (found.lie.rank, found.sym.rank, found.freedom) == (5, 3, 3)
    assert found.lca and found.stlcc
    germ = ControlGerm(BOARD, AT, 1)
    phi, theta = float(AT[4]), float(AT[2])
    m, l, Jr, Jw = BOARD.m, BOARD.l, BOARD.J_r, BOARD.J_w
    X1 = np.array(
        [-l * np.cos(phi) * np.cos(theta), -l * np.cos(phi) * np.sin(theta), np.sin(phi), 0, 0]
    )
    G = np.asarray(dynamics.metric(BOARD, AT))
    product = germ.symmetric(*germ.inputs).value @ G @ X1
    exact = -m * l**2 * np.cos(phi) / (2 * Jw * (m * l**2 - Jr * np.sin(phi) ** 2))
    np.testing.assert_allclose(product, exact, rtol=1e-12)


class Swing(eqx.Module):
    """The control with a = y - z = +-s0 t^2 (1 - t), b = y + z = 10 s0 t^3 (1 - t), s0 = 0.02."""

    sign: float

    def __call__(self, t):
        a = self.sign * 0.02 * (2.0 - 6.0 * t)  # second derivatives
        b = 0.2 * (6.0 * t - 12.0 * t**2)
        return (
            jnp.linalg.inv(jnp.array([[1.0, 0.25], [0.25, -0.5]])) @ jnp.stack([a + b, b - a]) / 2
        )


def test_the_counterexample_e30_is_not_called_uncontrollable():
    found = control.controllability(TwistedInputs())
    assert found.lca and found.form.kind == "semidefinite"
    assert found.stlcc and "E30" in found.stlcc.reason and not found.stlc
    # both signs of x are reached at y = z = 0, from rest, with bounded controls
    ends = []
    for sign in (1.0, -1.0):
        start = jnp.zeros(3), jnp.zeros(3)
        u = Swing(sign)
        ends.append(da.simulate(TwistedInputs(), da.Gauss(3), *start, h=0.05, steps=20, u=u).q[-1])
    np.testing.assert_allclose(np.asarray(ends)[:, 1:], 0.0, atol=1e-15)
    x = sorted(float(e[0]) for e in ends)
    np.testing.assert_allclose(x, [-3.13e-5, 1.95e-5], rtol=5e-3)


class Flat(da.MechanicalSystem):
    """Kinetic energy |v|^2/2 on R^n with inputs of one's own."""

    space = da.Euclidean(3)

    @property
    def mass(self):
        return jnp.eye(self.dim)


class NoBracket(Flat):
    """x'' = -(y'^2 + z'^2), pulled by involutive inputs on y and z: x can only fall."""

    def inputs(self, q):
        return jnp.stack([jnp.stack([q[1], 1.0, 0.0]), jnp.stack([q[2], 0.0, 1.0])])


def test_a_definite_form_with_involutive_inputs_is_not_stlcc():
    """Y_1 = y dx + dy, Y_2 = z dx + dz commute, and S is definite."""
    found = control.controllability(NoBracket(), jnp.zeros(3))
    assert found.form.kind == "definite" and found.lca
    assert found.stlcc.answer == "no" and "involutive" in found.stlcc.reason


class HigherBad(da.System):
    """x'' = u y^3/3, y'' = u: S vanishes at 0, a bad product of degree 4 does not (E33)."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v[0] ** 2 + v[1] ** 2)

    def inputs(self, q):
        return jnp.stack([jnp.stack([q[1] ** 3 / 3.0, jnp.ones(())])])


def test_one_input():
    assert control.controllability(HigherBad(), jnp.zeros(2)).stlcc.answer == "no"
    found = control.controllability(RollerRacer())
    assert found.lca and found.stlcc.answer == "no" and "8.3.1" in found.stlcc.reason

    class Line(Flat):
        space = da.Euclidean(1)

        def inputs(self, q):
            return jnp.ones((1, 1))

    assert control.controllability(Line(), jnp.zeros(1)).stlcc


def test_a_bad_product_of_degree_four_stops_the_test():
    germ = ControlGerm(HigherBad(), jnp.zeros(2), 4)
    test = control.controllability(HigherBad(), jnp.zeros(2)).good_bad
    assert not test.passed and test.obstruction.degree == 4
    assert not np.any(germ.symmetric(*[germ.inputs[0]] * 2).value)


def test_an_uncontrollable_system_is_told():
    class Decoupled(Flat):
        def inputs(self, q):
            return jnp.eye(3)[:2]

    found = control.controllability(Decoupled(), jnp.zeros(3))
    assert found.lca.answer == "no" and found.lie.rank == 2 and found.stlcc.answer == "no"


def test_hypotheses_are_tested():
    gravity = control.controllability(BalancingRobot())
    assert gravity.stlcc.answer == "no" and "a force at rest" in gravity.hypotheses.reason

    class Drag(PlanarBody):
        def force(self, t, q, v):
            return -jnp.abs(v[0]) * jnp.eye(3)[0] * v[0]

    class Wind(PlanarBody):
        def force(self, t, q, v):
            return jnp.sin(t) * jnp.eye(3)[0]

    assert "odd in v" in control.controllability(Drag()).lca.reason
    assert control.controllability(Wind()).lca.answer == "does not apply"
    assert "rest" in control.controllability(PlanarBody(), v=[1.0, 0, 0]).lca.reason
    damped = control.controllability(UnderwaterVehicle(k=0.4))
    assert damped.stlcc and abs(damped.damping + 0.4) < 1e-12


def test_bad_inputs_are_refused():
    class Vanishing(Flat):
        def inputs(self, q):
            return jnp.stack([jnp.stack([q[0], 0.0, 0.0])])

    class Twice(Flat):
        def inputs(self, q):
            return jnp.stack([jnp.eye(3)[0], 2.0 * jnp.eye(3)[0]])

    with pytest.raises(da.UsageError, match="does nothing"):
        control.controllability(Vanishing(), jnp.zeros(3))
    with pytest.raises(da.UsageError, match="dependent"):
        control.controllability(Twice(), jnp.zeros(3))


def test_isotropic_bases_against_brute_force():
    """A basis of null vectors exists exactly where S is zero or takes both signs."""
    rng = np.random.default_rng(1)
    seen = set()
    for _ in range(500):
        m = int(rng.integers(2, 7))
        rank = int(rng.integers(1, m + 1))
        B = rng.normal(size=(m, rank))
        S = B @ np.diag(rng.choice([-1.0, 1.0], size=rank)) @ B.T
        basis = isotropic_basis(S)
        x = rng.normal(size=(4000, m))
        sampled = np.einsum("ki,ij,kj->k", x, S, x)
        both = sampled.min() < 0 < sampled.max()
        kind = form_kind(S)
        seen.add(kind)
        if both:
            assert basis is not None
        if basis is None:
            assert not both
            continue
        assert np.linalg.matrix_rank(basis) == m
        size = np.linalg.norm(S) * np.sum(basis**2, axis=1)
        assert np.all(np.abs(np.einsum("ki,ij,kj->k", basis, S, basis)) <= 1e-9 * size)
    assert {"indefinite", "definite", "semidefinite"} <= seen


# -- decoupling fields and plans -----------------------------------------------------------------


def test_decoupling_fields_of_the_snakeboard():
    found = control.decoupling_fields(BOARD, AT)
    assert found.kind == "isolated" and found.constant
    directions = found.weights / np.linalg.norm(found.weights, axis=1, keepdims=True)
    np.testing.assert_allclose(directions, np.eye(2), atol=1e-12)
    assert found.closure.rank == 5 and found.controllable


def test_null_vectors_of_given_forms():
    one = np.array([[[1.0, 0, 0], [0, -1.0, 0], [0, 0, 0.5]]])
    rows, kind = null_vectors(one, 3)
    assert kind == "family" and len(rows) >= 3
    two = np.stack([np.diag([1.0, -1.0, 0.0]), np.diag([0.0, 1.0, -1.0])])
    rows, kind = null_vectors(two, 3)
    assert kind == "isolated" and len(rows) == 4  # (1, +-1, +-1)
    assert null_vectors(np.eye(2)[None], 2)[1] == "none"
    assert null_vectors(np.zeros((0, 2, 2)), 2)[1] == "all"


def test_a_plan_of_the_planar_body_is_carried_out():
    plan = control.plan(PlanarBody(), [0.5, -0.3, 0.4], jnp.zeros(3))
    done = plan.simulate(steps=40)
    assert done.miss < 1e-6 and done.speed < 1e-6
    wrong = PlanarBody(m=1.1)  # the control of another body misses
    other = control.driven(wrong, plan.control)
    run = da.simulate(
        other, da.Gauss(3), jnp.zeros(3), jnp.zeros(3), h=1 / 40, steps=40 * len(plan.lengths)
    )
    assert np.linalg.norm(run.q[-1] - np.array([0.5, -0.3, 0.4])) > 1e-3


def test_plans_that_cannot_be_are_refused():
    with pytest.raises(da.UsageError, match=r"kinematic|along a curve"):
        control.plan(TwistedInputs(), [0.1, 0.1, 0.1])
    with pytest.raises(da.UsageError, match="does not apply"):
        control.plan(BalancingRobot(), [1.0])
    with pytest.raises(da.UsageError, match="entries"):
        control.plan(PlanarBody(), [1, 2, 3, 4])


def test_the_module_is_there_without_an_import():
    assert da.control is control and "control" in dir(da)


# -- weights that change with q ------------------------------------------------------------------


def test_decoupling_fields_are_followed_along_their_branch():
    """The arm: roots of the quadratic equation in q, against null vectors and their change."""
    arm = PassiveArm()
    found = control.decoupling_fields(arm)
    assert not found.constant and len(found.weights) == 2
    assert found.closure.rank == 3 and found.controllable
    q = jnp.asarray(arm.initial()[0])
    roots = jit(lambda q: jnp.stack([branch_weights(arm, q, s) for s in (1.0, -1.0)]))
    for x in (q, q + jnp.array([0.3, 0.4, 0.3])):
        rows, _ = null_vectors(quotient_forms(ControlGerm(arm, x, 1)), 2)
        same = np.abs(np.asarray(roots(x)) @ rows.T)
        np.testing.assert_allclose(np.sort(same.max(axis=0)), 1.0, atol=1e-12)
    germ = ControlGerm(arm, q, 3)
    c = np.asarray(roots(q))[0]
    step, way = 1e-5, np.array([0.3, -0.5, 0.7])
    field = continued(germ, c)

    def scaled(x):  # the same scale as the polynomial: c . c(0) = 1
        near = roots(jnp.asarray(x))[0]
        return control.input_field(arm, jnp.asarray(x), near / (near @ c))

    slope = (scaled(q + step * way) - scaled(q - step * way)) / (2 * step)
    linear = germ.ring.derivative(field.coefficients)[..., 0] @ way
    np.testing.assert_allclose(linear, slope, atol=1e-8)


def test_where_random_controls_lead():
    """One input: x - y^2/2 can only fall (Theorem 8.3.1)."""

    class Down(da.MechanicalSystem):
        space = da.Euclidean(2)
        mass = jnp.eye(2)

        def inputs(self, q):
            return jnp.stack([jnp.stack([q[1], jnp.ones(())])])

    found = control.reachable_set(Down(), jnp.zeros(2), members=64, limit=0.5)
    height = found.ends[:, 0] - 0.5 * found.ends[:, 1] ** 2
    assert np.max(height) < 1e-12 and np.min(height) < -1e-3
    assert (
        np.max(np.abs(found.controls)) == 0.5
        and found.ends[:, 1].min() < 0 < found.ends[:, 1].max()
    )
    with pytest.raises(da.UsageError, match="no inputs"):
        control.reachable_set(da.systems.ChaplyginSleigh())


ACTUATED = [
    "snakeboard", "snakeboard-coupled", "planar-body", "twisted-inputs", "passive-arm",
    "underwater-vehicle", "roller-racer", "car-with-trailer", "balancing-robot",
]  # fmt: skip


@pytest.mark.parametrize("name", ACTUATED)
def test_verdicts_over_the_actuated_zoo_imply_each_other(name):
    """STLC => STLCC => LCA, STLC => LA => LCA, kinematically controllable => STLCC, and back."""
    system = da.systems.registry[name]()
    found = control.controllability(system, degree=3)
    pairs = [
        (found.stlc, found.stlcc), (found.stlcc, found.lca), (found.stlc, found.la),
        (found.la, found.lca),
    ]  # fmt: skip
    if found.second is not None:
        pairs.append((control.decoupling_fields(system, degree=3).controllable, found.stlcc))
    for cause, effect in pairs:
        assert not cause or effect, (cause, effect)
        assert effect.answer != "no" or cause.answer != "yes", (cause, effect)
