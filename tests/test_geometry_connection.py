"""Distribution, connections and the nonholonomic bracket: closed forms, identities, misuse."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import native
from dalembert import SO, Euclidean, Product, dynamics, geometry, groupoids
from dalembert.geometry.distribution import growth_flag as distribution
from dalembert.systems import registry

# -- systems with everything in them -------------------------------------------------------------


class Curved(da.System):
    """R^4, a metric that depends on q, a potential, two constraints."""

    space = Euclidean(4)

    def lagrangian(self, q, v):
        B = jnp.array(
            [
                [1.5, 0.2, jnp.sin(q[1]), 0.0],
                [0.0, 1.2, 0.3, 0.1 * q[0]],
                [0.1, 0.0, 2.0, jnp.cos(q[2])],
                [0.3, q[3], 0.0, 1.0],
            ]
        )
        w = B @ v
        return 0.5 * w @ w - jnp.cos(q[0]) - q[1] * q[2] ** 2

    def constraint(self, q):
        return jnp.array([[1.0, q[1], jnp.sin(q[2]), 0.3], [q[3], 1.0, 0.2, -q[0]]])

    def initial(self):
        q = jnp.array([0.3, -0.2, 0.4, 0.5])
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.3, 0.1, -0.4, 0.7]))


class CurvedOnGroup(da.System):
    """R^2 x SO(3), everything depends on the point and is not invariant under anything."""

    space = Product(Euclidean(2), SO(3))

    def lagrangian(self, q, v):
        x, R = q
        B = jnp.eye(5).at[0, 2].set(R[0, 1]).at[3, 1].set(jnp.sin(x[0])).at[4, 2].set(R[2, 2])
        w = B @ (jnp.array([1.0, 1.3, 0.9, 1.6, 0.7]) * v)
        return 0.5 * w @ w - R[2, 0] * x[1] - x[0] ** 2

    def constraint(self, q):
        x, R = q
        rolling = jnp.stack([-R[1], R[0]]) * (1.0 + x[1] ** 2)
        return jnp.concatenate([jnp.eye(2), rolling], axis=1)

    def initial(self):
        q = (jnp.array([0.2, -0.3]), SO(3).exp(jnp.array([0.4, -0.2, 0.6])))
        v = jnp.array([0.3, 0.1, -0.4, 0.7, 0.2])
        return q, dynamics.consistent_velocity(self, q, v)


SYSTEMS = {
    "particle": lambda: da.systems.NonholonomicParticle(stiffness=0.7),
    "snakeboard": da.systems.SnakeboardCoupled,
    "disk": da.systems.RollingDisk,
    "suslov": da.systems.Suslov,
    "curved": Curved,
    "group": CurvedOnGroup,
}
systems = pytest.mark.parametrize("name", SYSTEMS)


@functools.cache
def state(name):
    """A system and a generic state on its constraint."""
    system = SYSTEMS[name]()
    states = geometry.sample_states(system, count=2)
    return system, jax.tree.map(lambda x: x[1], states.q), states.v[1]


def close(a, b, tol=1e-11):
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), atol=tol, rtol=tol)


@functools.cache
def facts(name):
    """All that the identities need, in one compilation."""
    system, q, v = state(name)
    frame = geometry.local_frame(system, q)
    r = frame(q).shape[1]
    E = functools.partial(dynamics.energy, system)
    flat, zero = system.groupoid.base.flatten, jnp.zeros(system.dim)
    move = functools.partial(groupoids.move, system.groupoid)
    f = lambda q, v: jnp.sin(jnp.sum(flat(q) ** 2)) * v[1] + v[0] * v[2] ** 2

    @native
    def compute(q, v):
        X, Y = (lambda x, c=c: frame(x) @ c for c in (coefficients(r, 0), coefficients(r, 1)))
        Z = lambda x: coefficients(system.dim, 2)
        P, Q = dynamics.projectors(system, q)
        dL = groupoids.gradient(system.groupoid, lambda x: system.lagrangian(x, 0.0 * v), q)
        plain, gamma = geometry.christoffel(system, q), geometry.nonholonomic_christoffel(system, q)
        # what is computed already is not traced again
        levi_civita, bar = (lambda s, x, known=known: known for known in (plain, gamma))
        return {
            "D": frame(q),
            "P": P,
            "Q": Q,
            "G": dynamics.metric(system, q),
            "dL": dL,
            "gamma": gamma,
            "levi_civita": plain,
            "dQ": jax.jacfwd(lambda w: dynamics.projectors(system, move(q, w))[1])(zero),
            "levi_civita_torsion": geometry.torsion(system, q, levi_civita),
            "levi_civita_defect": geometry.metric_defect(system, q, levi_civita),
            "torsion": geometry.torsion(system, q, bar),
            "defect": geometry.metric_defect(system, q, bar),
            "XY": (X(q), Y(q)),
            "bracket": geometry.lie_bracket(X, Y, system)(q),
            "product": geometry.symmetric_product(system, X, Y, bar)(q),
            "ZX": geometry.covariant_derivative(system, Z, X, bar)(q),
            "levi_civita_ZX": geometry.covariant_derivative(system, Z, X, levi_civita)(q),
            "M": geometry.bracket_matrix(system, q, v),
            "dE": geometry.differential(system, E, q, v),
            "a": dynamics.acceleration(system, q, v),
            "fE": geometry.nonholonomic_bracket(system, f, E)(q, v),
            "f_rate": geometry.rate_of_change(system, f)(q, v),
        }

    found = {k: jax.tree.map(np.asarray, x) for k, x in compute(q, v).items()}
    bar = lambda s, x: jnp.asarray(found["gamma"])
    found["geodesic"] = np.asarray(geometry.geodesic_defect(system, q, bar))
    return found


def coefficients(n, which):
    return jnp.cos(jnp.arange(n) * (1.3 + which) + which)


# -- brackets of fields --------------------------------------------------------------------------


def test_bracket_of_the_particle_points_down():
    X = lambda q: jnp.stack([1.0 + 0 * q[0], 0 * q[0], q[1]])
    Y = lambda q: jnp.array([0.0, 1.0, 0.0])
    close(geometry.lie_bracket(X, Y)(jnp.array([0.3, 0.7, 0.1])), [0.0, 0.0, -1.0])


def test_bracket_on_a_group_is_that_of_the_fields():
    # left-invariant fields give the algebra's bracket, right-invariant ones minus it
    system, q, _ = state("group")
    u, w = jnp.array([0.1, 0.2, 0.5, -0.4, 0.3]), jnp.array([0.4, -0.1, 0.2, 0.6, -0.7])
    right = lambda a: lambda q: jnp.concatenate([a[:2], q[1].T @ a[2:]])

    @native
    def both(q):
        left = geometry.lie_bracket(lambda q: u, lambda q: w, system)(q)
        return left, geometry.lie_bracket(right(u), right(w), system)(q)

    left, turned = both(q)
    expected = jnp.concatenate([jnp.zeros(2), jnp.cross(u[2:], w[2:])])
    close(left, expected)
    close(turned, -right(expected)(q))


# -- Levi-Civita ---------------------------------------------------------------------------------


class Polar(da.System):
    space = Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v[0] ** 2 + q[0] ** 2 * v[1] ** 2)


def test_christoffel_symbols_of_polar_coordinates():
    expected = np.zeros((2, 2, 2))
    expected[0, 1, 1], expected[1, 0, 1], expected[1, 1, 0] = -1.7, 1 / 1.7, 1 / 1.7
    close(geometry.christoffel(Polar(), jnp.array([1.7, 0.3])), expected)
    close(geometry.nonholonomic_christoffel(Polar(), jnp.array([1.7, 0.3])), expected)


@systems
def test_levi_civita_is_metric_without_torsion(name):
    x = facts(name)
    close(x["levi_civita_torsion"], 0.0 * x["gamma"])
    close(x["levi_civita_defect"], 0.0 * x["gamma"])


# -- the nonholonomic connection -----------------------------------------------------------------


@systems
def test_nonholonomic_geodesics_are_the_motion(name):
    v, x = state(name)[2], facts(name)
    bent = np.einsum("abc,b,c->a", x["gamma"], v, v)
    force = x["P"] @ np.linalg.solve(x["G"], x["dL"])
    close(force - bent, x["a"])
    assert np.max(np.abs(bent)) > 1e-3  # a wrong sign would show


@systems
def test_identities_of_the_nonholonomic_connection(name):
    x = facts(name)
    D, P, Q = x["D"], x["P"], x["Q"]
    close(D.T @ x["G"] @ D, np.eye(D.shape[1]))
    close(Q @ D, 0.0 * D)
    # the definition, nabla + nabla Q, also off D; here Q is differentiated through its solves
    plain = x["levi_civita"]
    gamma = plain + np.swapaxes(x["dQ"], 1, 2)
    gamma = gamma + np.einsum("abd,dc->abc", plain, Q) - np.einsum("dbc,ad->abc", plain, Q)
    close(x["gamma"], gamma)
    # nabla-bar_Z X = P nabla_Z X for X in D
    close(x["ZX"], P @ x["levi_civita_ZX"])
    # metric for fields in D, along all directions
    inside = np.einsum("abc,bi,cj->aij", x["defect"], D, D)
    close(inside, 0.0 * inside)
    # torsion on D is -Q[X, Y]
    outside = Q @ x["bracket"]
    close(np.einsum("abc,b,c->a", x["torsion"], *x["XY"]), -outside)
    assert np.max(np.abs(outside)) > 1e-3
    # <D : D> in D
    close(x["geodesic"], 0.0 * x["geodesic"])
    close(Q @ x["product"], 0.0 * x["product"])


@pytest.mark.parametrize("name", ["particle", "snakeboard", "disk"])
def test_nonholonomic_connection_is_not_metric_off_the_constraint(name):
    # erratum E9
    assert np.max(np.abs(facts(name)["defect"])) > 0.05


def test_particle_closed_form_of_the_connection():
    system = da.systems.NonholonomicParticle(m=1.7)
    y = 0.7
    gamma = geometry.nonholonomic_christoffel(system, jnp.array([0.3, y, -0.2]))
    # Gamma-bar^a_yc = d/dy Q^a_c, all others vanish; Q = n n^T / (1 + y^2), n = (-y, 0, 1)
    s = 1 + y**2
    dQ = np.array([[2 * y, 0, y**2 - 1], [0, 0, 0], [y**2 - 1, 0, -2 * y]]) / s**2
    expected = np.zeros((3, 3, 3))
    expected[:, 1, :] = dQ
    close(gamma, expected)


def test_symmetric_product_is_the_bracket_of_lifts():
    # [X^lift, [Z, Y^lift]] = <X : Y>^lift with Z the spray: fixes sign and factor
    system, q, v = state("curved")
    X = lambda q: jnp.stack([q[1], 1.0 + q[0] ** 2, jnp.sin(q[3]), q[2]])
    Y = lambda q: jnp.stack([q[2] * q[3], -q[0], 1.0 + 0 * q[0], q[1] ** 2])
    lift = lambda F: lambda z: jnp.concatenate([jnp.zeros(4), F(z[:4])])

    def spray(z):
        gamma = geometry.nonholonomic_christoffel(system, z[:4])
        return jnp.concatenate([z[4:], -jnp.einsum("abc,b,c->a", gamma, z[4:], z[4:])])

    z = jnp.concatenate([q, v])
    bracket = geometry.lie_bracket(lift(X), geometry.lie_bracket(spray, lift(Y)))
    product = native(geometry.symmetric_product(system, X, Y))(q)
    close(native(bracket)(z), jnp.concatenate([jnp.zeros(4), product]))


class Plane(da.MechanicalSystem):
    """x' + y' = 0 with a constant metric: straight lines stay in it."""

    space = Euclidean(3)

    @property
    def mass(self):
        return jnp.diag(jnp.array([1.0, 2.0, 3.0]))

    def constraint(self, q):
        return jnp.array([[1.0, 1.0, 0.0]])

    def initial(self):
        return jnp.zeros(3), jnp.array([1.0, -1.0, 0.5])


def test_geodesic_invariance():
    assert geometry.is_geodesically_invariant(Plane())
    assert not geometry.is_geodesically_invariant(da.systems.NonholonomicParticle())


# -- the nonholonomic bracket --------------------------------------------------------------------


def particle_brackets(y, xdot):
    """Math page, section 3: brackets on (x, y, z, x', y') and z' = y x'."""
    s = 1 + y**2
    M = np.zeros((5, 5))
    M[0, 3], M[2, 3], M[1, 4], M[3, 4] = 1 / s, y / s, 1.0, -y * xdot / s
    return M - M.T


def test_bracket_of_the_particle():
    y, xdot = 0.7, -0.4
    q, v = jnp.array([0.3, y, 0.1]), jnp.array([xdot, 0.9, y * xdot])
    system = da.systems.NonholonomicParticle()
    M = native(lambda q, v: geometry.bracket_matrix(system, q, v))(q, v)
    close(M[:5, :5], particle_brackets(y, xdot))
    # z' = y x' on the constraint: its brackets follow by Leibniz' rule
    close(M[5, :5], y * M[3, :5] + xdot * M[1, :5])


@systems
def test_motion_is_the_bracket_with_the_energy(name):
    (system, _, v), x = state(name), facts(name)
    n, M = system.dim, x["M"]
    close(M @ x["dE"], np.concatenate([v, x["a"]]))
    close(M, -M.T)
    close(M[:n, :n], np.zeros((n, n)))
    close(M[:n, n:], x["P"] @ np.linalg.inv(x["G"]))
    # and for any function, not only the coordinates
    close(x["fE"], x["f_rate"])
    assert abs(x["fE"]) > 1e-3


def test_jacobiator_of_the_particle():
    y = 0.7
    q, v = jnp.array([0.3, y, 0.1]), jnp.array([-0.4, 0.9, -0.4 * y])
    x, z = (lambda q, v, i=i: q[i] for i in (0, 2))
    xdot, ydot = (lambda q, v, i=i: v[i] for i in (0, 1))
    system = da.systems.NonholonomicParticle()
    first = native(geometry.jacobiator(system, z, xdot, ydot))(q, v)
    close(first, -1 / (1 + y**2) ** 2)  # -0.4504
    close(native(geometry.jacobiator(system, x, xdot, ydot))(q, v), y / (1 + y**2) ** 2)
    # the same with functions that are not linear: the bracket is a derivation in each argument
    f, g = lambda q, v: q[2] * v[1], lambda q, v: jnp.sin(v[0])
    value = native(geometry.jacobiator(system, f, g, ydot))(q, v)
    close(value, -v[1] * jnp.cos(v[0]) / (1 + y**2) ** 2)


def test_jacobi_identity_of_an_integrable_constraint():
    system = da.systems.ModifiedParticle()
    q, v = jnp.array([0.7, 0.3, 0.1]), jnp.array([-0.4, 0.9, -0.28])
    coordinates = [lambda q, v, i=i: jnp.concatenate([q, v])[i] for i in range(6)]
    triples = ((2, 3, 4), (0, 3, 4), (0, 3, 5), (1, 4, 5))
    functions = [geometry.jacobiator(system, *(coordinates[i] for i in c)) for c in triples]
    close(native(lambda q, v: jnp.stack([f(q, v) for f in functions]))(q, v), np.zeros(4))


# -- constants of the motion ---------------------------------------------------------------------


def test_noether_finds_the_constant_of_the_particle():
    system = da.systems.NonholonomicParticle()
    assert geometry.noether_test(system, lambda q, v: v[0] * jnp.sqrt(1 + q[1] ** 2)).holds
    assert geometry.noether_test(system, lambda q, v: v[1]).holds
    wrong = geometry.noether_test(system, lambda q, v: v[0] / jnp.sqrt(1 + q[1] ** 2))  # E15
    assert not wrong.holds and wrong.relative > 1e-3
    assert not geometry.noether_test(system, lambda q, v: v[0]).holds


@pytest.mark.parametrize("name", ["snakeboard-coupled", "suslov", "benenti"])
def test_noether_agrees_with_the_invariants_of_the_zoo(name):
    system = registry[name]()
    states = geometry.sample_states(system, count=3)
    known = lambda q, v: jnp.concatenate([jnp.ravel(f(q, v)) for f in system.invariants.values()])
    assert geometry.noether_test(system, known, states).holds
    assert not geometry.noether_test(system, lambda q, v: v[0], states).holds


def test_noether_on_an_affine_constraint():
    ball = da.systems.ChaplyginBall()
    assert geometry.noether_test(ball, ball.moving_energy).holds
    assert not geometry.noether_test(ball, functools.partial(dynamics.energy, ball)).holds


# -- rank ----------------------------------------------------------------------------------------


class PrintedBoard(da.systems.SnakeboardCoupled):
    """The two no-slip conditions as printed: dependent at cos phi = 0 (E6)."""

    def constraint(self, q):
        rows = super().constraint(q)
        c = jnp.cos(q[4])
        both = jnp.stack([c * rows[0] - rows[1], c * rows[0] + rows[1]])
        return both


def test_rank_of_the_constraint():
    system = PrintedBoard()
    generic, flat = (
        jnp.array([0.1, 0.2, 0.3, 0.4, 0.5]),
        jnp.array([0.1, 0.2, 0.3, 0.4, jnp.pi / 2]),
    )
    found = geometry.constraint_rank(system, generic)
    assert (found.rank, found.rows) == (2, 2) and 1.0 <= found.condition < 10.0
    assert geometry.constraint_rank(system, flat)[:2] == (1, 2)
    assert np.isinf(geometry.constraint_rank(system, flat).condition)
    with pytest.raises(da.UsageError, match=r"singular point.*rank 1"):
        geometry.growth(system, flat)
    assert geometry.constraint_rank(da.systems.SnakeboardCoupled(), flat).rank == 2
    assert geometry.constraint_rank(Polar(), jnp.array([1.0, 0.0])) == (0, 0, 1.0)


# -- integrability and growth --------------------------------------------------------------------


class Holonomic(da.systems.NonholonomicParticle):
    """Functions kept at their values, written as such."""

    def holonomic(self, q):
        return jnp.stack([jnp.sin(q[0]) + q[1] * q[2] ** 2])

    def constraint(self, q):
        return jnp.zeros((0, 3))

    def initial(self):
        return jnp.array([0.4, 0.3, 0.7]), jnp.zeros(3)


class Affine(da.MechanicalSystem):
    """One affine constraint x' = b(t, q) on R^3."""

    kind: str = eqx.field(static=True, default="swing")

    space = Euclidean(3)

    @property
    def mass(self):
        return jnp.eye(3)

    def constraint(self, q):
        return jnp.array([[1.0, 0.0, 0.0]])

    def offset(self, t, q):
        x, y, z = q
        b = {
            "swing": x * jnp.cos(t),  # x = c exp(sin t)
            "product": jnp.exp(t) * jnp.sin(x) * 2.0,
            "shear": y,
            "late": t * z,
        }
        return b[self.kind][None]

    def initial(self):
        return jnp.array([0.4, 0.3, 0.7]), jnp.zeros(3)


@pytest.mark.parametrize(
    "system, expected",
    [
        (da.systems.NonholonomicParticle(), False),
        (da.systems.ModifiedParticle(), True),
        (Holonomic(), True),
        (Plane(), True),
        (CurvedOnGroup(), False),
        (Affine(kind="swing"), True),
        (Affine(kind="product"), True),
        (Affine(kind="shear"), False),
    ],
    ids=lambda x: getattr(x, "kind", type(x).__name__),
)
def test_integrability(system, expected):
    assert geometry.is_integrable(system) is expected


def test_an_affine_constraint_that_is_holonomic_at_one_time_only():
    system = Affine(kind="late")
    q = system.initial()[0]
    assert geometry.frobenius_residual(system, q, t=1.0) > 0.1
    assert geometry.frobenius_residual(system, q, t=0.0) < 1e-12


@pytest.mark.parametrize(
    "name, vector, degree",
    [
        ("nonholonomic-particle", (2, 3), 2),
        ("modified-particle", (2,), None),
        ("vertical-rolling-disk", (2, 3, 4), 3),
        ("snakeboard", (3, 4, 5), 3),
        ("rolling-disk", (3, 4, 5), 3),
        # R (psi1 - psi2) + 2 c theta is constant: one direction is never reached
        ("two-wheeled-robot", (2, 3, 4), None),
        ("chaotic-quartic", (6, 7), 2),
        ("suslov-so-n", (5, 6), 2),
        # affine: on R x Q
        ("chaplygin-ball", (4, 6), 2),
        ("chaplygin-ball-exponential", (4, 6), 2),
    ],
)
def test_growth_vectors_of_the_zoo(name, vector, degree):
    found = geometry.growth(registry[name]())
    assert (found.vector, found.degree, found.settled) == (vector, degree, True)
    assert found.bracket_generating == (degree is not None)


def test_expansion_of_the_frame_is_its_derivative():
    system, q, _ = state("group")
    groupoid = system.groupoid

    @native
    def by_differentiation():
        frame = geometry.local_frame(system, q)

        def fields(w):  # in the chart w -> curve(q, w)
            X = frame(groupoids.move(groupoid, q, w))
            return jax.vmap(lambda u: groupoid.coordinate_velocity(q, w, u), 1, 1)(X)

        zero, first = jnp.zeros(system.dim), jax.jacfwd(fields)
        return fields(zero), first(zero), 0.5 * jax.jacfwd(first)(zero)

    found = distribution._frame_fields(system, q, 0.0, 2)
    assert all(np.all(np.abs(X.coefficients) <= X.bounds + 1e-12) for X in found)
    parts = by_differentiation()
    w = np.random.default_rng(3).normal(size=system.dim)
    for degree, wanted in enumerate(parts):
        assert np.max(np.abs(wanted)) > 0.1
        for _ in range(degree):
            wanted = wanted @ w
        for i, X in enumerate(found):  # the terms of this degree, at w
            terms = [np.prod(w ** np.array(a)) * (sum(a) == degree) for a in X.ring.exponents]
            close(X.coefficients @ terms, wanted[:, i])


class Martinet(da.systems.NonholonomicParticle):
    """z' = y^2 x': the flag pauses on y = 0."""

    def slope(self, q):
        return q[1] ** 2


def test_growth_at_a_point_that_is_not_regular():
    system = Martinet()
    assert geometry.growth_vector(system, jnp.array([0.3, 0.0, 0.1])) == (2, 2, 3)
    assert geometry.degree_of_nonholonomy(system, jnp.array([0.3, 0.0, 0.1])) == 3
    assert geometry.growth_vector(system, jnp.array([0.3, 0.8, 0.1])) == (2, 3)


def test_growth_does_not_depend_on_units():
    small = da.systems.VerticalRollingDisk(m=1e-3, I1=1e-9, I2=2e-9, R=1e-3)
    assert geometry.growth_vector(small) == (2, 3, 4)


def test_free_systems_and_fully_constrained_ones():
    assert geometry.growth(Polar(), jnp.array([1.0, 0.2])).vector == (2,)

    class Frozen(Plane):
        def constraint(self, q):
            return jnp.eye(3)

    found = geometry.growth(Frozen())
    assert found.vector == (0,) and found.degree is None and found.settled


# -- misuse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda s, q, v: geometry.growth(s, q),
        lambda s, q, v: geometry.is_integrable(s, q),
        lambda s, q, v: geometry.nonholonomic_christoffel(s, q),
        lambda s, q, v: geometry.bracket_matrix(s, q, v),
        lambda s, q, v: geometry.constraint_rank(s, q),
    ],
)
def test_nonlinear_constraints_are_refused(call):
    system = da.systems.Benenti()
    with pytest.raises(da.UsageError, match="velocity_constraint"):
        call(system, *system.initial())


def test_the_bracket_refuses_affine_constraints():
    system = da.systems.BallOnTurntableEuler()
    with pytest.raises(da.UsageError, match="affine"):
        geometry.bracket_matrix(system, *system.initial())


def test_a_point_of_the_wrong_shape_is_refused():
    with pytest.raises(da.UsageError):
        geometry.growth(da.systems.NonholonomicParticle(), jnp.zeros(4))


def test_compiled_functions_are_not_compiled_again_for_other_parameters():
    class Counted(da.systems.NonholonomicParticle):
        def constraint(self, q):
            traced.append(q)
            return super().constraint(q)

    traced: list = []
    geometry.growth(Counted())
    before = len(traced)
    geometry.growth(Counted(m=3.0))
    # only the count of its rows looks at the constraint again
    assert before > 1 and len(traced) <= before + 1
