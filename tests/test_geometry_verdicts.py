"""Forms on states and on pairs of points, and verdicts with hypotheses tested."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import diagnostics, dynamics, geometry
from dalembert.geometry import chaplygin, chaplygin_verdicts, rdla_is_variational
from dalembert.geometry.reduction import equivalences as verdicts

PARTICLE = da.systems.NonholonomicParticle(stiffness=1.0)
R1, R2 = da.Euclidean(1), da.Euclidean(2)


class Bent(da.System):
    """A Lagrangian on R^2 x SO(3) with a metric that depends on x, and one constraint."""

    space = da.Product(R2, da.SO(3))

    def lagrangian(self, q, v):
        x, w = q[0], v[2:]
        inertia = jnp.stack([1.0 + x[0] ** 2, 1.5 + 0 * x[0], 2.0 + jnp.sin(x[1])])
        return 0.5 * v[:2] @ v[:2] + 0.5 * w @ (inertia * w) + 0.2 * v[0] * w[1] - jnp.sin(x[0])

    def constraint(self, q):
        x, R = q
        return jnp.stack([x[1], jnp.ones(()), R[0, 0], R[0, 1], R[0, 2]])[None]

    def initial(self):
        q = (jnp.array([0.4, -0.2]), da.SO(3).exp(jnp.array([0.3, 0.1, -0.4])))
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.5, 0.3, 0.7, -0.2, 0.4]))


# -- omega_L, its evolution, projectors ------------------------------------------------------------


@pytest.mark.parametrize("system", [PARTICLE, Bent()], ids=["R^3", "R^2 x SO(3)"])
def test_the_two_form_evolves_by_what_the_reaction_makes(system):
    q, v = system.initial()

    @jit
    def at(q, v):
        omega = geometry.lagrangian_form(system, q, v)
        projectors = geometry.state_projectors(system, q, v)
        free = jnp.concatenate([v, dynamics.free_acceleration(system, q, v)])
        motion = jnp.concatenate([v, dynamics.acceleration(system, q, v)])
        dE = geometry.differential(system, lambda x, u: dynamics.energy(system, x, u), q, v)
        beta = -dynamics.reaction_force(system, q, v)
        return omega, geometry.form_evolution(system, q, v), projectors, free, motion, dE, beta

    omega, (lie, exact), (onto, within), free, X, dE, beta = at(q, v)
    n = system.dim
    np.testing.assert_allclose(omega, -omega.T, atol=1e-14)
    np.testing.assert_allclose(omega[:n, n:], dynamics.metric(system, q), atol=1e-13)
    # i_X omega = dE + beta, beta = -lam mu: (3.12), (3.13) with E2
    wanted = dE + jnp.concatenate([beta, jnp.zeros(n)])
    np.testing.assert_allclose(omega.T @ X, wanted, atol=1e-12)
    np.testing.assert_allclose(lie, exact, atol=1e-12)  # (3.14)
    assert np.max(np.abs(lie)) > 1e-2  # and it is not kept
    np.testing.assert_allclose(onto @ free, X, atol=1e-12)  # X = P(Gamma_L)
    np.testing.assert_allclose(within @ free, X, atol=1e-12)  # homogeneous: both projectors
    for P in (onto, within):
        np.testing.assert_allclose(P @ P, P, atol=1e-12)


def test_the_bracket_of_forms_is_that_of_the_matrix():
    functions = (lambda q, v: v[0] * q[1], lambda q, v: jnp.sin(q[0]) + v[1] * v[2])
    q, v = PARTICLE.initial()
    one = jit(geometry.state_bracket(PARTICLE, *functions))(q, v)
    other = jit(geometry.nonholonomic_bracket(PARTICLE, *functions))(q, v)
    assert float(one) == pytest.approx(float(other), abs=1e-13) and abs(one) > 1e-2


class Homogeneous(da.System):
    """Two particles in the plane with parallel velocities: v1 x v2 = 0, quadratic in v."""

    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q[0] ** 2 - q[3]

    def velocity_constraint(self, t, q, v):
        return (v[0] * v[3] - v[1] * v[2])[None]

    def initial(self):
        return jnp.array([0.3, 0.1, -0.2, 0.5]), jnp.array([0.4, 0.6, 0.2, 0.3])


class Inhomogeneous(Homogeneous):
    """Constant speed of the first: not homogeneous, the energy is not kept."""

    def velocity_constraint(self, t, q, v):
        return (v[0] ** 2 + v[1] ** 2 - 0.52)[None]


def test_nonlinear_constraints_have_a_bracket_where_they_are_homogeneous():
    for system, homogeneous in ((Homogeneous(), True), (Inhomogeneous(), False)):
        q, v = system.initial()
        found = geometry.admissibility(system, q, v)
        assert found.admissible and found.compatible and found.homogeneous is homogeneous
        f = lambda q, v: q[0] * v[3] + v[1] ** 2

        @jit
        def at(q, v, system=system, f=f):
            E = lambda q, v: dynamics.energy(system, q, v)
            bracket = geometry.state_bracket(system, f, E)(q, v)
            return bracket, geometry.rate_of_change(system, f)(q, v)

        bracket, rate = at(q, v)
        gap = abs(float(bracket - rate))
        assert gap < 1e-12 if homogeneous else gap > 1e-3
    rest = geometry.admissibility(Homogeneous(), q, jnp.zeros(4))
    assert not rest.admissible and not rest.compatible


class Loose(Homogeneous):
    """Without potential: all translations are symmetries."""

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 0.25 * (v[0] + v[3]) ** 2


def test_momentum_over_states_of_a_nonlinear_constraint():
    system = Loose()
    shifts = geometry.Symmetry.from_fields(lambda q: jnp.eye(4), "shifts")
    found = geometry.state_algebra(system, shifts)
    assert set(found.dims) == {3} and found.constant and found.everywhere == 0  # g^x, not g^q
    xz = geometry.Symmetry.from_fields(lambda q: jnp.eye(3)[:, jnp.array([0, 2])], "xz")
    linear = geometry.state_algebra(PARTICLE, xz)
    assert set(linear.dims) == {1} and linear.everywhere == 1
    xi = geometry.state_section(system, shifts, np.array([1.0, -0.5, 0.3, 0.2]))
    q, v = Pulled().initial()

    @jit
    def at(q, v):  # with a potential J changes; the theorem tells how, also for a broken symmetry
        return geometry.constrained_momentum(Pulled(), shifts, xi, q, v), xi(q, v)

    J, eta = at(q, v)
    mu = dynamics.constraint_matrix(Pulled(), q, v)
    np.testing.assert_allclose(mu @ eta, 0.0, atol=1e-13)
    assert float(J.rate) == pytest.approx(float(J.theorem), abs=1e-12)
    assert abs(float(J.rate)) > 1e-2
    # a fixed element is no section of g^F: the reaction does work on it
    fixed, _ = jit(
        lambda q, v: (
            geometry.constrained_momentum(
                Pulled(), shifts, lambda q, v: jnp.array([1.0, -0.5, 0.3, 0.2]), q, v
            ),
            0,
        )
    )(q, v)
    assert abs(float(fixed.rate - fixed.theorem)) > 1e-3


class Pulled(Loose):
    """With a potential, so that the motion bends."""

    def lagrangian(self, q, v):
        return super().lagrangian(q, v) - 0.5 * q @ q - q[0] * q[3]


# -- (7.24), (7.10) --------------------------------------------------------------------------------


def test_the_discrete_form_evolves_along_dla_and_gni_and_not_on_points_of_rk4():
    found = {}
    for method in (da.DLA(), da.GNI(), da.RK4()):
        run = da.simulate(PARTICLE, method, h=0.2, steps=8)
        rule = da.Midpoint() if isinstance(method, da.RK4) else None
        found[method.name] = diagnostics.discrete_form(PARTICLE, method, run, rule)
    for name in ("dla-midpoint", "gni-midpoint"):
        assert np.max(found[name].defect) < 1e-10 and np.max(found[name].outside) < 1e-10
        assert np.max(found[name].change) > 1e-2  # the form itself is not kept
    assert np.max(found["rk4"].defect) > 1e-6
    with pytest.raises(da.UsageError, match="give `rule`"):
        diagnostics.discrete_form(PARTICLE, da.RK4(), run)


def test_dla_is_regular_unless_constraints_are_dependent():
    q, v = PARTICLE.initial()
    found = diagnostics.dla_regularity(PARTICLE, da.DLA(), 0.1, q, q + 0.1 * v)
    assert found.regular and found.condition < 10

    class Twice(da.systems.NonholonomicParticle):
        def constraint(self, q):
            row = super().constraint(q)
            return jnp.concatenate([row, 2.0 * row])

    assert not diagnostics.dla_regularity(Twice(), da.DLA(), 0.1, q, q + 0.1 * v).regular


# -- claims of chapter 7 and of [MP] ---------------------------------------------------------------


class Embedded(da.System):
    """The particle with a fourth coordinate u = x + 2 y kept by a holonomic function."""

    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - q[0] ** 2 - 0.5 * q[3] ** 2

    def constraint(self, q):
        return jnp.stack([-q[1], jnp.zeros(()), jnp.ones(()), jnp.zeros(())])[None]

    def holonomic(self, q):
        return (q[3] - q[0] - 2 * q[1])[None]

    def initial(self):
        return jnp.array([1.0, 0.5, 0.0, 2.0]), jnp.array([0.3, -0.4, 0.15, -0.5])


class Intrinsic(da.System):
    """The same in x, y, z."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        J = jnp.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 2, 0]])
        return Embedded().lagrangian(J @ q, J @ v)

    def constraint(self, q):
        return jnp.stack([-q[1], jnp.zeros(()), jnp.ones(())])[None]

    def initial(self):
        q, v = Embedded().initial()
        return q[:3], v[:3]


def test_theorem_7_4_3_constrained_and_generalized_coordinates_agree():
    method = da.DLA()
    inner, outer = (
        da.simulate(system, method, h=0.1, steps=40) for system in (Intrinsic(), Embedded())
    )
    np.testing.assert_allclose(outer.q[:, :3], inner.q, atol=1e-12)
    lam = diagnostics.discrete_multiplier(Intrinsic(), method, inner)
    both = diagnostics.discrete_multiplier(Embedded(), method, outer)
    np.testing.assert_allclose(both[:, 1], lam[:, 0], atol=1e-10)  # holonomic rows come first


class Quadric(da.System):
    """A holonomic constraint in disguise, d(x^2 + 2 y^2 - z^2 + a (x + y)) = 0."""

    curved: float = 1.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q[2] - q[0] * q[1]

    def level(self, q):
        return self.curved * (q[0] ** 2 + 2 * q[1] ** 2 - q[2] ** 2) + q[0] + q[1] - 0.5 * q[2]

    def constraint(self, q):
        return jax.grad(self.level)(q)[None]

    def initial(self):
        q = jnp.array([1.0, 0.5, 0.3])
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.3, -0.4, 0.2]))


def test_proposition_9_which_rules_keep_which_holonomic_constraints():
    drift = {}
    for name, rule in (("start", da.EulerA()), ("middle", da.Midpoint())):
        for curved in (0.0, 1.0):
            system = Quadric(curved)
            run = da.simulate(system, da.DLA(rule), h=0.05, steps=40)
            levels = jax.vmap(system.level)(run.q)
            drift[name, curved] = float(np.max(np.abs(levels - levels[0])))
    assert max(drift["start", 0.0], drift["middle", 0.0]) < 1e-12  # linear: both
    assert drift["middle", 1.0] < 1e-12 and drift["start", 1.0] > 1e-3  # quadratic: (4.7) only


# -- chapter 5 -------------------------------------------------------------------------------------


def reduced(system, shape=(0, 1), group=R1):
    return chaplygin(system, shape, group)


class Modified(da.systems.NonholonomicParticle):
    """z' = x x': integrable, alpha = 0, everything linear."""

    def slope(self, q):
        return q[0]


class Magnetic(da.System):
    """The particle with a term of L linear in v."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + q[1] * v[0]

    def constraint(self, q):
        return jnp.stack([-q[1], jnp.zeros(()), jnp.ones(())])[None]

    def initial(self):
        return PARTICLE.initial()


class Faint(da.systems.NonholonomicParticle):
    """The particle in units of length that make its curvature look small."""

    def constraint(self, q):
        return jnp.stack([-1e-11 * q[1], jnp.zeros(()), jnp.ones(())])[None]


def test_equivalences_of_chapter_5_answer_as_one():
    yes = chaplygin_verdicts(reduced(Modified()))
    assert [found.verdict for found in yes] == ["yes"] * 4
    no = chaplygin_verdicts(reduced(da.systems.NonholonomicParticle()))
    assert [found.verdict for found in no] == ["no"] * 4
    assert [found.verdict for found in chaplygin_verdicts(reduced(Faint()))] == ["no"] * 4
    for found in (*yes, *no):
        assert len(found.statements) >= 2 and found.theorem in str(found)
    other = chaplygin_verdicts(reduced(Magnetic()))
    assert {found.verdict for found in other} == {"does not apply"}
    assert "linear in v" in other[0].reason


def test_statements_that_disagree_are_inconclusive():
    made = (verdicts.Statement("a", True, 0.0), verdicts.Statement("b", False, 1.0))
    assert verdicts._judged("T", made).verdict == "inconclusive"
    assert verdicts._judged("T", made[:1]).verdict == "yes"


class Helical(da.System):
    """On R^3 x R^3: curvature and coupling make K the volume form, so that B is skew."""

    space = da.Euclidean(6)

    def lagrangian(self, q, v):
        w, off = v[:3], v[3:] + 0.5 * jnp.cross(q[:3], v[:3])
        return w @ w + w @ off + 0.5 * off @ off

    def constraint(self, q):
        return jnp.concatenate([0.5 * da.SO(3).hat(q[:3]), jnp.eye(3)], axis=1)

    def initial(self):
        q = jnp.array([0.3, -0.2, 0.5, 0.0, 0.0, 0.0])
        w = jnp.array([0.5, 0.3, -0.4])
        return q, jnp.concatenate([w, -0.5 * jnp.cross(q[:3], w)])


def test_skew_but_not_zero_keeps_prop_5_1_3_and_5_1_4_apart():
    """Remark 5.3.3: B skew and not zero, so that the average and the projected one differ."""
    found = chaplygin_verdicts(chaplygin(Helical(), (0, 1, 2), da.Euclidean(3)))
    assert [x.verdict for x in found] == ["yes", "no", "yes", "no"]


def test_the_reduced_motion_follows_from_an_almost_symplectic_form():
    for system in (da.systems.NonholonomicParticle(stiffness=1.0), Modified()):
        c = reduced(system)
        r, w = jnp.array([0.7, -0.4]), jnp.array([0.6, 1.1])

        @jit
        def at(r, w, c=c):
            omega = geometry.almost_symplectic_form(c, r, w)
            Xi = geometry.gyroscopic_form(c, r, w)
            alpha = w @ Xi, c.gyroscopic(r, w)
            residual = geometry.almost_symplectic_residual(c, r, w)
            return omega, alpha, residual, geometry.conformal_residual(c, r, w)

        omega, (alpha, known), residual, (conformal, closed) = at(r, w)
        np.testing.assert_allclose(alpha, known, atol=1e-13)  # alpha = i_X Xi
        np.testing.assert_allclose(residual, 0.0, atol=1e-12)  # (5.9)
        np.testing.assert_allclose(omega, -omega.T, atol=1e-13)
        assert float(conformal) < 1e-12  # (5.11): two dimensions of shape
        assert (float(closed) > 1e-2) is (not isinstance(system, Modified))


def test_theorem_7_5_4_applies_where_all_its_hypotheses_hold():
    good = rdla_is_variational(reduced(Modified()))
    assert good.verdict == "yes" and all(s.holds for s in good.statements)
    disk = da.systems.VerticalRollingDisk()
    circles = (2 * np.pi, 2 * np.pi)
    found = rdla_is_variational(chaplygin(disk, (2, 3), R2, circles=circles))
    assert found.verdict == "does not apply"
    assert [s.holds for s in found.statements] == [False, True, False, True, True]
    assert "shape space is linear" in found.reason


# -- parallel transport ----------------------------------------------------------------------------


def test_parallel_transport_is_an_isometry_of_the_constraint():
    system = Bent()
    (x0, R0), _ = system.initial()

    def curve(s):  # any curve, not one of the constraint
        x = x0 + s * jnp.array([0.7, -0.5])
        return x, R0 @ da.SO(3).exp(s * jnp.array([0.4, 0.9, -0.3]))

    start, end = curve(jnp.zeros(())), curve(jnp.ones(()))
    inside, outside = geometry.adapted_basis(system, start)
    moved = geometry.parallel_transport(system, curve, jnp.concatenate([inside, outside], axis=1))
    G, A = dynamics.metric(system, end), system.constraint(end)
    D = moved[:, :4]
    np.testing.assert_allclose(A @ D, 0.0, atol=1e-9)  # stays in D
    np.testing.assert_allclose(D.T @ G @ D, np.eye(4), atol=1e-9)  # lengths and angles
    assert np.max(np.abs(moved.T @ G @ moved - np.eye(5))) > 1e-3  # not off D (E9)
