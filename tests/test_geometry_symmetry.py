"""Symmetry, momentum equation and moving energy: classes, closed forms, misuse."""

import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import diagnostics, dynamics, geometry
from dalembert.geometry import Symmetry
from dalembert.systems import registry


def close(a, b, tol=1e-11):
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), atol=tol, rtol=tol)


# -- actions -------------------------------------------------------------------------------------


def shifts(dim, *indices, name="shifts"):
    return Symmetry.from_fields(lambda q: jnp.eye(dim)[:, np.array(indices)], name)


def se2(dim, heading):
    """Rigid motions of the plane (q[0], q[1]) that turn the angle q[heading] along."""

    def sigma(q):
        turn = jnp.zeros(dim).at[0].set(-q[1]).at[1].set(q[0]).at[heading].set(1.0)
        return jnp.stack([jnp.eye(dim)[0], jnp.eye(dim)[1], turn], axis=1)

    return Symmetry.from_fields(sigma, "SE(2)")


def table_rotation(ball):
    """The rotation of space about the vertical through the center of the table."""
    return Symmetry.of(ball, "rotation")


PARTICLE = da.systems.NonholonomicParticle()
XZ = shifts(3, 0, 2, name="R^2(x, z)")
BOARD = da.systems.SnakeboardCoupled()
BOOK_SECTION = lambda q: jnp.stack([jnp.ones(()), q[1]])


# -- the algebra ---------------------------------------------------------------------------------


def test_structure_constants_of_the_plane():
    c = geometry.structure_constants(BOARD, se2(5, 2) * shifts(5, 3))
    expected = np.zeros((4, 4, 4))
    # [turn, x] = y, [turn, y] = -x; the generators of a left action bracket with the other sign
    expected[1, 2, 0], expected[0, 2, 1] = 1.0, -1.0
    close(c, expected - np.swapaxes(expected, 1, 2))


def test_structure_constants_of_rotations_from_both_sides():
    ball = da.systems.BallOnTurntableGlobal()
    levi_civita = np.zeros((3, 3, 3))
    levi_civita[0, 1, 2] = levi_civita[1, 2, 0] = levi_civita[2, 0, 1] = 1.0
    levi_civita -= np.swapaxes(levi_civita, 1, 2)
    none = jnp.zeros((2, 3))
    space = Symmetry.from_fields(lambda q: jnp.concatenate([none, q[1].T]), "space")
    body = Symmetry.from_fields(lambda q: jnp.concatenate([none, jnp.eye(3)]), "body")
    close(geometry.structure_constants(ball, space), levi_civita)
    close(geometry.structure_constants(ball, body), -levi_civita)  # a right action


def test_fields_that_are_no_algebra_are_refused():
    fields = lambda q: jnp.stack(
        [jnp.eye(3)[0], jnp.stack([0 * q[0], 1.0 + 0 * q[0], q[0] ** 2])], 1
    )
    with pytest.raises(da.UsageError, match="do not span a Lie algebra"):
        geometry.structure_constants(PARTICLE, Symmetry.from_fields(fields))
    with pytest.raises(da.UsageError, match="dependent"):
        geometry.structure_constants(PARTICLE, shifts(3, 0, 0))


# -- invariance ----------------------------------------------------------------------------------


def test_invariance_of_the_rolling_disk_under_rigid_motions():
    # fails for the kinetic energy as printed, and for the wrong angle (E3, E4)
    disk = da.systems.RollingDisk()
    assert geometry.invariance(disk, se2(5, 3)).worst < 1e-14
    wrong = geometry.invariance(disk, se2(5, 2))
    assert wrong.constraint > 1e-2 and not wrong.holds


def test_invariance_tells_potential_from_constraint():
    edge = da.systems.KnifeEdge()
    down = geometry.invariance(edge, shifts(3, 0, name="x"))
    assert down.lagrangian > 0.1 and down.potential > 0.1 and down.constraint == 0.0
    assert geometry.invariance(edge, shifts(3, 1, name="y")).holds
    turned = geometry.invariance(edge, shifts(3, 2, name="theta"))
    assert turned.constraint > 0.1 and turned.lagrangian == 0.0
    sideways = geometry.invariance(PARTICLE, shifts(3, 1))
    assert sideways.constraint > 0.1 and sideways.lagrangian == 0.0


def test_invariance_on_a_group():
    # body rotations leave a homogeneous ball as it is, and no other one
    body = Symmetry.from_fields(lambda q: jnp.concatenate([jnp.zeros((2, 3)), jnp.eye(3)]), "body")
    assert geometry.invariance(da.systems.BallOnTurntableGlobal(), body).worst < 1e-13
    found = geometry.invariance(da.systems.ChaplyginBall(), body)
    assert found.lagrangian > 1e-2 and found.constraint < 1e-13
    ball = da.systems.ChaplyginBall()
    assert geometry.invariance(ball, table_rotation(ball)).worst < 1e-13


def test_a_group_that_is_no_symmetry_is_refused_with_the_residual():
    with pytest.raises(da.UsageError, match=r"'y' is not a symmetry.*constraint by 1.0e\+00"):
        geometry.symmetry_class(PARTICLE, shifts(3, 1, name="y"))


# -- classes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "system, symmetry, kind, dim",
    [
        (PARTICLE, XZ, "general", 1),
        (PARTICLE, shifts(3, 2), "purely kinematic", 0),
        (BOARD, se2(5, 2), "general", 1),
        (BOARD, shifts(5, 3), "horizontal", 1),
        (BOARD, se2(5, 2) * shifts(5, 3), "general", 2),
        (da.systems.Snakeboard(), se2(5, 2), "general", 1),
        (da.systems.Snakeboard(), shifts(5, 3), "horizontal", 1),
        (da.systems.RollingDisk(), se2(5, 3), "general", 1),
        (da.systems.VerticalRollingDisk(), shifts(4, 0, 1), "purely kinematic", 0),
        (da.systems.VerticalRollingDisk(), shifts(4, 0), "dimension assumption violated", 0),
        (da.systems.TwoWheeledRobot(), se2(5, 2), "purely kinematic", 0),
        (da.systems.ChaplyginSleigh(), se2(3, 2), "general", 2),
    ],
    ids=lambda x: getattr(x, "name", None) if isinstance(x, Symmetry) else None,
)
def test_symmetry_classes(system, symmetry, kind, dim):
    # that they are symmetries is tested on what the zoo declares
    found = geometry.symmetry_class(system, symmetry, check=False)
    assert (found.kind, found.dim) == (kind, dim)


def test_a_singular_symmetry():
    # turning about the origin: admissible where the blade is on the ray from the origin's normal
    sleigh = da.systems.ChaplyginSleigh()
    turn = Symmetry.from_fields(lambda q: jnp.stack([-q[1], q[0], jnp.ones(())])[:, None], "turn")
    found = geometry.symmetry_class(sleigh, turn)
    assert found.kind == "singular" and set(found.dims) == {0, 1}
    with pytest.raises(da.UsageError, match="no smooth section"):
        geometry.section(sleigh, turn, [1.0])


def test_admissible_algebra():
    q = jnp.array([0.3, 0.7, 0.1])
    basis = geometry.admissible_algebra(PARTICLE, XZ, q)
    assert basis.shape == (2, 1)
    close(basis[1] / basis[0], [0.7])
    assert geometry.admissible_algebra(PARTICLE, shifts(3, 2), q).shape == (1, 0)


# -- momentum equation ---------------------------------------------------------------------------


def test_section_of_the_particle():
    q = jnp.array([0.3, 0.7, 0.1])
    for xi, factor in (([1.0, 0.0], 1.0), ([0.0, 1.0], 0.7)):
        xi = geometry.section(PARTICLE, XZ, xi)
        close(xi(q), factor * np.array([1.0, 0.7]) / 1.49)
        close(geometry.section_defect(PARTICLE, XZ, xi, q), 0.0)
        # d/dy of (1, y)/(1 + y^2)
        slope = np.array([-1.4, 1 - 0.49]) / 1.49**2
        if factor == 1.0:
            close(jax.jacfwd(xi)(q)[:, 1], slope)


def test_momentum_equation_of_the_particle():
    # d/dt (x' + y z') = y' z' (E14; the book has y z')
    q, v = jnp.array([0.3, 0.7, 0.1]), jnp.array([0.5, -0.6, 0.35])
    J = geometry.momentum_map(PARTICLE, XZ, BOOK_SECTION)
    rate = geometry.momentum_rate(PARTICLE, XZ, BOOK_SECTION)
    close(jit(J)(q, v), 0.5 + 0.7 * 0.35)
    close(jit(rate)(q, v), -0.6 * 0.35)
    close(geometry.rate_of_change(PARTICLE, J)(q, v), -0.6 * 0.35)
    close(geometry.momentum_equation_residual(PARTICLE, XZ, BOOK_SECTION, q, v), 0.0)
    # a field that is not admissible feels the constraint
    wrong = lambda q: jnp.array([1.0, 0.0])
    assert abs(geometry.momentum_equation_residual(PARTICLE, XZ, wrong, q, v)) > 0.05


def exact_particle(steps=200, end=4.0):
    t = jnp.linspace(0.0, end, steps + 1)
    q, v = jax.vmap(PARTICLE.closed_form)(t)
    return types.SimpleNamespace(t=t, q=q, v=v)


def test_momentum_balance_along_the_exact_motion():
    exact = exact_particle()
    found = diagnostics.momentum_balance(PARTICLE, XZ, BOOK_SECTION, exact)
    close(found.momentum, exact.v[:, 0] + exact.q[:, 1] * exact.v[:, 2])
    close(found.rate, exact.v[:, 1] * exact.v[:, 2])
    assert np.max(np.abs(found.residual)) < 1e-9
    assert np.ptp(found.momentum) > 0.02  # it does change
    # fourth order in the spacing of the rows
    coarse = diagnostics.momentum_balance(PARTICLE, XZ, BOOK_SECTION, exact_particle(steps=50))
    ratio = np.max(np.abs(coarse.residual)) / np.max(np.abs(found.residual))
    assert 200 < ratio < 320


def test_momentum_balance_refuses_what_is_no_section():
    wrong = lambda q: jnp.stack([jnp.ones(()), -q[1]])
    with pytest.raises(da.UsageError, match="not one of g\\^q"):
        diagnostics.momentum_balance(PARTICLE, XZ, wrong, exact_particle(steps=10))


@pytest.mark.parametrize(
    "system, symmetry, xi",
    [
        (BOARD, se2(5, 2) * shifts(5, 3), [0.4, -0.3, 1.0, 0.2]),
        (da.systems.RollingDisk(), se2(5, 3), [0.2, 0.5, 1.0]),
        (da.systems.ChaplyginBall(), None, [1.0, 0.3, 0.2, -0.6, 0.8]),
    ],
    ids=["snakeboard", "disk", "ball on a group, affine"],
)
def test_momentum_equation(system, symmetry, xi):
    is_symmetry = symmetry is not None
    if symmetry is None:
        # translations with all rotations of the ball leave L invariant, but not the constraint
        turned = lambda q: jax.scipy.linalg.block_diag(jnp.eye(2), q[1].T)
        symmetry = Symmetry.from_fields(turned, "shift and turn")
        with pytest.raises(da.UsageError, match="not a symmetry"):
            geometry.section(system, symmetry, xi)
    section = geometry.section(system, symmetry, xi, check=is_symmetry)

    @jit
    @jax.vmap
    def numbers(q, v):
        def along(s):  # xi(q) along the motion
            return section(da.groupoids.move(system.groupoid, q, s * v))

        xi_rate = jax.jvp(along, (jnp.zeros(()),), (jnp.ones(()),))[1]
        paired = dynamics.momentum(system, q, v) @ (symmetry(system, q) @ xi_rate)
        rate = geometry.momentum_rate(system, symmetry, section)(q, v)
        residual = geometry.momentum_equation_residual(system, symmetry, section, q, v)
        return rate, paired, residual, geometry.section_defect(system, symmetry, section, q)

    rate, paired, residual, defect = numbers(*geometry.sample_states(system))
    close(residual, np.zeros(6))
    close(defect, np.zeros(6))
    close(rate, paired)  # L is invariant: Xi^c(L) = <FL, (xi')_Q>


def test_spin_of_the_ball_is_a_horizontal_momentum():
    # l_3: turning in place is admissible; it is a symmetry of L, though not of the constraint
    ball = da.systems.ChaplyginBall()
    spin = Symmetry.from_fields(lambda q: jnp.concatenate([jnp.zeros(2), q[1][2]])[:, None], "spin")
    found = geometry.invariance(ball, spin)
    assert found.lagrangian < 1e-13 and found.constraint > 0.1
    J = geometry.momentum_map(ball, spin, geometry.section(ball, spin, [1.0], check=False))
    q, v = ball.initial()
    close(J(q, v), ball.contact_momentum(q, v)[2])


def test_horizontal_momentum_is_kept():
    rotor = shifts(5, 3)
    section = geometry.section(BOARD, rotor, [1.0])
    J = geometry.momentum_map(BOARD, rotor, section)
    q, v = BOARD.initial()
    close(J(q, v), BOARD.invariants["p_psi"](q, v))
    close(geometry.momentum_rate(BOARD, rotor, section)(q, v), 0.0)
    assert geometry.noether_test(BOARD, J).holds


def test_momenta_that_are_kept_are_counted():
    both = se2(5, 2) * shifts(5, 3)
    found = geometry.momenta(BOARD, both)
    # that of the rotor; and the other, times a function of the one angle that is left as shape:
    # with p' = C(phi) phi' p nothing has curvature
    assert (found.count, found.kept, found.frame) == (2, 2, "shape")
    assert max(found.rates) < 1e-13
    assert found.residual < 1e-14 and found.rate > 0.1
    assert geometry.momenta(PARTICLE, shifts(3, 2))[:4] == (0, 0, 0.0, 0.0)


def test_discrete_momentum_equation():
    # (7.25) for DLA, to round-off; a method that is not DLA does not obey it
    section = geometry.section(PARTICLE, XZ, [1.0, 0.0])
    rule = da.Midpoint()
    traj = da.simulate(PARTICLE, da.DLA(rule), h=0.1, steps=30)
    found = diagnostics.discrete_momentum(PARTICLE, XZ, section, rule, traj)
    assert found.momentum.shape == (30,) and found.residual.shape == (29,)
    assert np.max(np.abs(found.residual)) < 1e-13
    assert np.max(np.abs(found.invariance)) < 1e-13
    assert np.ptp(found.momentum) > 1e-2
    other = da.simulate(PARTICLE, da.RK4(), h=0.1, steps=30)
    wrong = diagnostics.discrete_momentum(PARTICLE, XZ, section, rule, other)
    assert np.max(np.abs(wrong.residual)) > 1e-6
    sparse = da.simulate(PARTICLE, da.DLA(rule), h=0.1, steps=10, save_every=2)
    with pytest.raises(da.UsageError, match="save_every"):
        diagnostics.discrete_momentum(PARTICLE, XZ, section, rule, sparse)


def test_no_section_where_nothing_is_admissible():
    with pytest.raises(da.UsageError, match="no admissible generator"):
        geometry.section(PARTICLE, shifts(3, 2), [1.0])
    with pytest.raises(da.UsageError, match="2 components"):
        geometry.section(PARTICLE, XZ, [1.0, 0.0, 0.0])


# -- moving energy -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ball",
    [
        da.systems.BallOnTurntableEuler(Theta=0.7),
        da.systems.BallOnTurntableGlobal(Theta=-1.3, m=1.4, r=0.6),
        da.systems.ChaplyginBall(),
    ],
    ids=lambda b: b.name(),
)
def test_moving_energy_of_balls(ball):
    states = geometry.sample_states(ball)
    found = geometry.moving_energy(ball, table_rotation(ball), states)
    close(found.xi, [ball.Theta])
    energy, known = (jit(jax.vmap(f))(*states) for f in (found, ball.moving_energy))
    close(energy, known)
    assert geometry.noether_test(ball, found, states).holds


def test_the_other_sign_is_no_moving_energy():
    ball = da.systems.BallOnTurntableEuler()
    found = geometry.moving_energy(ball, table_rotation(ball))
    other = lambda q, v: 2 * dynamics.energy(ball, q, v) - found(q, v)  # E + <p, Y>
    assert not geometry.noether_test(ball, other).holds


def test_moving_energy_of_a_resting_table_is_the_energy():
    ball = da.systems.BallOnTurntableEuler(Theta=0.0)
    found = geometry.moving_energy(ball, table_rotation(ball))
    q, v = ball.initial()
    assert found.xi == (0.0,)
    close(found(q, v), dynamics.energy(ball, q, v))


def test_moving_energy_refuses_what_does_not_match():
    ball = da.systems.ChaplyginBall()
    shift = Symmetry.from_fields(lambda q: jnp.eye(5)[:, :2], "translations")
    with pytest.raises(da.UsageError, match="matches the affine term"):
        geometry.moving_energy(ball, shift)

    def rolling(q):  # matches the affine term with the ball turning in place
        (x, y), R = q
        return jnp.concatenate([jnp.zeros(2), R.T @ jnp.stack([x, y, 0 * x]) / ball.r])[:, None]

    with pytest.raises(da.UsageError, match="changes the Lagrangian"):
        geometry.moving_energy(ball, Symmetry.from_fields(rolling, "rolling"))
    swinging = da.systems.BallOnTurntableEuler(amplitude=0.5)
    with pytest.raises(da.UsageError, match="depends on time"):
        geometry.moving_energy(swinging, table_rotation(swinging))


# -- declared symmetries -------------------------------------------------------------------------


class Declaring(da.systems.ChaplyginBall):
    @property
    def symmetry_generators(self):
        return {"translations": lambda q: jnp.eye(5)[:, :2], **super().symmetry_generators}


@pytest.mark.parametrize("name", [n for n, c in registry.items() if c().symmetry_generators])
def test_symmetries_that_the_zoo_declares(name):
    system = registry[name]()
    every = [Symmetry.of(system, n) for n in geometry.symmetry_names(system)]
    together = every[0]
    for other in every[1:]:
        together = together * other
    states = geometry.sample_states(system)
    assert geometry.require_symmetry(system, together, states).worst < 1e-13


def test_a_symmetry_goes_when_the_potential_breaks_it():
    assert geometry.symmetry_names(da.systems.NonholonomicParticle(stiffness=1.0)) == ("z",)


def test_declared_symmetries():
    ball = Declaring()
    assert geometry.symmetry_names(ball) == ("translations", "rotation")
    found = geometry.moving_energy(ball)  # finds the one that moves with the table
    assert found.symmetry.name == "rotation"
    with pytest.raises(da.UsageError, match="did you mean rotation"):
        Symmetry.of(ball, "rotatoin")
    assert Symmetry.of(ball, "rotation") == Symmetry.of(ball, "rotation")


def test_generators_of_the_wrong_shape_are_refused():
    flat = Symmetry.from_fields(lambda q: jnp.array([1.0, 0.0, 0.0]))
    with pytest.raises(da.UsageError, match=r"shape \(3, k\)"):
        geometry.invariance(PARTICLE, flat)
