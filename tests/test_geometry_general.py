"""Reduction by any symmetry: levels of the momentum, brackets, phases, two steps."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import dynamics, geometry
from dalembert.geometry import (
    Symmetry,
    bracket_jacobiator,
    general_reduction,
    kept_section,
    kinematic_form,
    level_energy,
    level_tests,
    phases,
    rebuild,
    reduced_bracket,
    second_momentum,
    stabilizer,
    symplectic_bundle,
    two_steps,
)

PARTICLE = da.systems.NonholonomicParticle()
XZ = Symmetry.from_fields(lambda q: jnp.eye(3)[:, jnp.array([0, 2])], "xz")
C = 0.7  # of the section c sqrt(1 + y^2)


def along(q):  # e1 + y e2, the book's section
    return jnp.stack([jnp.ones(()), q[1]])[:, None]


def kept_mu(q):
    return (C * jnp.sqrt(1 + q[1] ** 2))[None]


def fixed_mu(q):
    return jnp.array([C])


def particle_reduction():
    return general_reduction(
        PARTICLE, (1,), da.Euclidean(2), sections=lambda r: along(jnp.stack([0.0, r[0]]))
    )


def mu_of_shape(r):
    return (C * jnp.sqrt(1 + r[0] ** 2))[None]


# -- the free particle revisited ------------------------------------------------------------------


def test_the_free_particle_revisited_has_all_printed_values():
    found = level_tests(PARTICLE, XZ, along, kept_mu)
    assert found.kept and found.tangency < 1e-12  # (4.21)
    assert found.isotropy.shape == (2, 2)  # G_mu = G
    assert max(found.reducible, found.mapping) < 1e-12  # (4.24) and (4.27) are the same
    assert found.bracket.startswith("reduced") and "kept" in str(found)
    reduced = particle_reduction()

    @jit
    @jax.vmap
    def at(r, w):
        p = mu_of_shape(r)
        return (
            reduced.velocity(r, w, p),
            reduced_bracket(reduced, mu_of_shape)(r, w),
            bracket_jacobiator(reduced, mu_of_shape, r, w),
            reduced.rates(r, w, p),
            jax.grad(level_energy(reduced, mu_of_shape), (0, 1))(r, w),
        )

    y, w = np.array([0.5, -1.3]), np.array([-0.4, 2.0])
    u, bracket, jacobi, (shape, p), dE = at(y[:, None], w[:, None])
    np.testing.assert_allclose(u[:, 1], C / np.sqrt(1 + y**2), rtol=1e-12)  # E15: not c sqrt(...)
    np.testing.assert_allclose(bracket, [[[0, 1], [-1, 0]]] * 2, atol=1e-12)  # {y, y'} = 1
    np.testing.assert_allclose(jacobi, 0.0, atol=1e-12)
    # d/dt (x' + y z') = y' z' (E14), here on the level: c y y'/sqrt(1 + y^2)
    np.testing.assert_allclose(p[:, 0], C * y * w / np.sqrt(1 + y**2), rtol=1e-12)
    np.testing.assert_allclose(p[:, 0], u[:, 0] * u[:, 2], rtol=1e-12)
    np.testing.assert_allclose(shape, 0.0, atol=1e-12)  # y'' = 0
    np.testing.assert_allclose(dE[0], 0.0, atol=1e-12)  # E_mu = (c^2 + y'^2)/2
    np.testing.assert_allclose(dE[1][:, 0], w, rtol=1e-12)


def test_a_section_that_is_not_kept_is_found_out():
    found = level_tests(PARTICLE, XZ, along, fixed_mu)
    assert not found.kept and found.tangency > 1e-2
    assert found.bracket.startswith("does not apply")


def test_the_integral_of_the_particle_is_found_from_its_section():
    found = kept_section(particle_reduction())
    assert found.verdict == "yes" and found.factors is not None and found.integral is not None
    y0 = 0.5
    for y in (1.5, -2.0):
        wanted = np.sqrt((1 + y0**2) / (1 + y**2))
        assert float(found.factors(jnp.array([y]))[0, 0]) == pytest.approx(wanted, rel=1e-11)
    states = geometry.sample_states(PARTICLE)
    assert geometry.noether_test(PARTICLE, found.integral, states).holds
    q, v = (x[1] for x in states)  # the book's x' sqrt(1 + y^2), up to its value at y0
    wanted = v[0] * np.sqrt((1 + q[1] ** 2) * (1 + y0**2))
    assert float(found.integral(q, v)[0]) == pytest.approx(float(wanted), rel=1e-11)


def test_bundle_u_of_the_particle_is_symplectic_after_projection():
    q, v = PARTICLE.initial()
    found = symplectic_bundle(PARTICLE, XZ, q, v)
    assert (found.dim, found.reduced, found.rank) == (3, 2, 2) and found.nondegenerate
    assert found.membership < 1e-12 and found.equation < 1e-12
    z = Symmetry.of(PARTICLE, "z")  # purely kinematic: U is all of F and TM
    found = symplectic_bundle(PARTICLE, z, q, v)
    assert (found.dim, found.reduced, found.rank) == (4, 4, 4)
    # steady motion: all of U is along the group, and what omega is on it is round-off
    disk = da.systems.VerticalRollingDisk()
    found = symplectic_bundle(disk, Symmetry.of(disk, "se2-roll"), *disk.initial())
    assert (found.dim, found.reduced, found.rank) == (2, 0, 0) and found.nondegenerate
    # off the constraint X is not in U: the test can fail
    assert symplectic_bundle(PARTICLE, z, q, v + jnp.array([0.0, 0.0, 1.0])).membership > 0.1


# -- the snakeboard by SE(2) ----------------------------------------------------------------------


def ride(r):  # the board's motion that the wheels allow, in its own frame
    half = da.systems.registry["snakeboard"]().r
    return jnp.stack([half * jnp.cos(r[1]), jnp.zeros(()), -jnp.sin(r[1])])[:, None]


def test_the_snakeboard_by_se2_is_rebuilt_from_its_reduced_run():
    system = da.systems.registry["snakeboard-coupled"]()
    reduced = general_reduction(system, (3, 4), da.SE(2))
    assert reduced.momenta == 1
    full = da.simulate(system, da.Gauss(4), h=0.05, steps=400)
    part = da.simulate(reduced.reduced, da.Gauss(4), h=0.05, steps=400)  # to t = 20
    _, g0, _ = reduced.split(*system.initial())
    path = rebuild(reduced, part.t, part.v[:, 2:], g0)

    @jit
    @jax.vmap
    def at(r, u, g, frame):
        p, rate = reduced.momentum(r, u), reduced.momentum_rate(r, u)
        wrong = reduced.momentum_rate(r, u.at[3:].multiply(-1.0)) - rate
        again = reduced.velocity(r, u[:2], p)  # shape and momentum are enough
        carried = reduced.group.mul(g0, frame)
        return reduced.lift(r, g, u), p, rate, reduced.residual(r, u), wrong, again, carried

    (q, v), p, rate, residual, wrong, again, carried = at(part.q, part.v, path, part.frame)
    gap = np.array(q - full.q)
    gap[:, 2] = (gap[:, 2] + np.pi) % (2 * np.pi) - np.pi
    assert np.max(np.abs(gap)) < 1e-9 and np.max(np.abs(v - full.v)) < 1e-9
    np.testing.assert_allclose(carried, path, atol=1e-9)  # the frame that the run carries
    size = np.max(np.abs(rate)) + np.max(np.abs(p))
    assert np.max(np.abs(residual)) < 1e-12 * size  # (4.20)
    assert np.max(np.abs(wrong)) > 1e-3
    np.testing.assert_allclose(again, part.v, atol=1e-11)


def test_only_one_of_the_snakeboards_keeps_a_section():
    coupled, plain = (
        general_reduction(da.systems.registry[n](), (3, 4), da.SE(2))
        for n in ("snakeboard-coupled", "snakeboard")
    )
    found = kept_section(plain)
    assert found.verdict == "yes" and found.integral is not None
    assert geometry.noether_test(plain.system, found.integral).holds
    other = kept_section(coupled)
    assert other.verdict == "no" and other.quadratic > 1e-3 and "without p" in other.reason


def test_sections_of_ones_own_are_checked():
    system = da.systems.registry["snakeboard"]()
    good = general_reduction(system, (3, 4), da.SE(2), sections=ride)
    r, u = good.reduced.initial()
    other = general_reduction(system, (3, 4), da.SE(2))
    # another section, the same connection: orthogonal to g^r
    mine, theirs, off = jit(
        lambda r, u: (good.connection(r), other.connection(r), good.residual(r, u))
    )(r, u)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)
    assert abs(off[0]) < 1e-12
    with pytest.raises(da.UsageError, match="no basis of g\\^r"):
        general_reduction(system, (3, 4), da.SE(2), sections=lambda r: jnp.eye(3)[:, :1])
    with pytest.raises(da.UsageError, match="shape \\(3, 1\\)"):
        general_reduction(system, (3, 4), da.SE(2), sections=lambda r: jnp.eye(3))
    with pytest.raises(da.UsageError, match="not a symmetry"):
        general_reduction(da.systems.NonholonomicParticle(stiffness=1.0), (1,), da.Euclidean(2))


# -- any group ------------------------------------------------------------------------------------


class Mixed(da.System):
    """Random l(r, u) on R^3 x SE(2) with one constraint on the group and one on the shape."""

    table: jax.Array
    space = da.Product(da.Euclidean(3), da.SE(2))

    def rows(self, r):
        return self.table[:8, :6] @ jnp.concatenate([jnp.sin(r), jnp.cos(r)])

    def lagrangian(self, q, v):
        root = jnp.stack([self.rows(q[0]) * s for s in (0.3, -0.2, 0.1)])[:, :6]
        return 0.5 * v @ v + 0.5 * jnp.sum((root @ v) ** 2) - jnp.sum(jnp.sin(q[0]))

    def constraint(self, q):
        r = q[0]
        mixed = jnp.concatenate([self.rows(r)[:3], jnp.stack([jnp.ones(()), r[0], 0.5 + r[1]])])
        tied = jnp.concatenate([jnp.stack([-r[1], jnp.zeros(()), jnp.ones(())]), jnp.zeros(3)])
        return jnp.stack([mixed, tied])

    def initial(self):
        q = (jnp.array([0.3, -0.4, 0.2]), da.SE(2).exp(jnp.array([0.4, 0.2, 1.1])))
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.5, 0.7, 0, 0.3, -0.2, 0.6]))


def test_shape_and_momentum_give_the_full_motion_of_a_random_system():
    system = Mixed(jnp.asarray(np.random.default_rng(3).normal(size=(9, 6))))
    reduced = general_reduction(system)
    assert (reduced.momenta, reduced.shape) == (2, 3)
    q, v = system.initial()

    @jit
    def at(q, v):
        r, g, u = reduced.split(q, v)
        p = reduced.momentum(r, u)
        w = jnp.stack([1.0, 0.7, r[1]])  # allowed by the constraint on the shape
        lift = jnp.concatenate([w, -reduced.connection(r) @ w])
        turned = da.SE(2).exp(jnp.array([-0.2, 1.0, 0.3]))
        return (
            (dynamics.acceleration(system, q, v), dynamics.acceleration(system, (r, turned), v)),
            reduced.rates(r, u[:3], p)[0],
            (u, reduced.velocity(r, u[:3], p)),
            reduced.residual(r, u),
            reduced.constraint(r) @ lift,
            reduced.frame(r).T @ (reduced.inertia(r) @ lift)[3:],
        )

    (a, moved), shape, (u, again), off, outside, along_g = at(q, v)
    np.testing.assert_allclose(shape, a[:3], atol=1e-12)  # as with multipliers, on the group
    np.testing.assert_allclose(a, moved, atol=1e-12)  # and anywhere along the group
    np.testing.assert_allclose(again, u, atol=1e-12)
    for zero in (off, outside, along_g):  # horizontal lifts: admissible, orthogonal to g^r
        np.testing.assert_allclose(zero, 0.0, atol=1e-12)
    assert kept_section(reduced).verdict == "does not apply"


def test_a_kinematic_symmetry_gives_the_connection_of_chaplygin():
    system = da.systems.VerticalRollingDisk()
    reduced = general_reduction(system, (2, 3), da.Euclidean(2))
    known = geometry.chaplygin(system, (2, 3), da.Euclidean(2))
    assert reduced.momenta == 0

    @jit
    def at(r, w):
        both = reduced.connection(r), known.connection(r)
        return both, reduced.rates(r, w, jnp.zeros(0)), dynamics.acceleration(known.reduced, r, w)

    (mine, theirs), (shape, p), wanted = at(jnp.array([0.4, -1.0]), jnp.array([0.5, 1.0]))
    np.testing.assert_allclose(mine, theirs, atol=1e-12)
    np.testing.assert_allclose(shape, wanted, atol=1e-12)
    assert p.shape == (0,)


# -- horizontal, not Abelian: phases --------------------------------------------------------------


class Gyrostat(da.System):
    """A rigid body with a rotor about its third axis: horizontal under SO(3) x SO(2)."""

    space = da.Product(da.SO(3), da.SO(2))

    def lagrangian(self, q, v):
        w = v[:3]
        return 0.5 * w @ (jnp.array([1.0, 1.6, 2.1]) * w) + 0.15 * (v[3] + w[2]) ** 2

    def initial(self):
        return (da.SO(3).exp(jnp.array([0.3, -0.5, 0.2])), jnp.eye(2)), jnp.array(
            [0.3, 0.2, 1.1, 0.8]
        )


STEPS = 240


def one_turn(reduced):
    """A run over one period of the body's angular velocity, found by secants."""

    def run(T):
        return da.simulate(reduced.reduced, da.Gauss(4), h=T / STEPS, steps=STEPS)

    start = float(reduced.reduced.initial()[1][0])
    a, b = 5.634, 5.637
    fa, fb = (float(run(T).v[-1, 0]) - start for T in (a, b))
    for _ in range(6):
        if abs(fb) < 1e-14:
            break
        a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
        fb = float(run(b).v[-1, 0]) - start
    return b, run(b)


def test_total_phase_of_a_body_with_a_rotor():
    system = Gyrostat()
    reduced = general_reduction(system, ())
    assert (reduced.momenta, reduced.shape) == (4, 0)
    (R0, a0), _ = system.initial()
    T, turn = one_turn(reduced)
    found = phases(reduced, turn.t, turn.q, turn.v, (R0, a0))
    assert found.closing < 1e-12 and found.drift < 1e-12 and found.outside < 1e-12
    assert found.isotropy.shape == (4, 2)  # turns about mu, and the rotor
    # the angle about mu without the attitude: (1/|mu|) int Pi.w dt - solid angle of Pi
    w = np.asarray(turn.v)
    Pi = np.array([1.0, 1.6, 2.1]) * w[:, :3]
    Pi[:, 2] += 0.3 * (w[:, 3] + w[:, 2])
    size = np.linalg.norm(Pi[0])
    n, rate = Pi / size, np.cross(Pi, w[:, :3]) / size
    area = (n[:, 0] * rate[:, 1] - n[:, 1] * rate[:, 0]) / (1 + n[:, 2])
    spin = np.sum(Pi * w[:, :3], axis=1) / size
    angle, back = T / STEPS * np.sum(spin[:-1] - area[:-1]), T / STEPS * np.sum(area[:-1])
    axis = np.asarray(R0) @ n[0]
    np.testing.assert_allclose(found.total[0], da.SO(3).exp(jnp.asarray(angle * axis)), atol=1e-9)
    wrong = da.SO(3).exp(
        jnp.asarray((angle + 2 * back) * axis)
    )  # the solid angle with the other sign
    assert np.max(np.abs(wrong - found.total[0])) > 1e-2
    rotor = T / STEPS * np.sum(w[:-1, 3])
    np.testing.assert_allclose(found.total[1], da.SO(2).exp(jnp.array([rotor])), atol=1e-9)
    # the full system, without any reduction, ends there
    full = da.simulate(system, da.Gauss(4), h=T / STEPS, steps=STEPS)
    np.testing.assert_allclose(full.q[0][-1], found.total[0] @ R0, atol=1e-9)
    group = reduced.group
    both = group.mul(found.dynamic, found.geometric)
    for x, y in zip(both, found.total):
        np.testing.assert_allclose(x, y, atol=1e-12)
    # both parts turn about mu, and neither is trivial
    for part in (found.dynamic, found.geometric):
        np.testing.assert_allclose(part[0] @ axis, axis, atol=1e-9)
        assert np.max(np.abs(part[0] - np.eye(3))) > 1e-3


def test_phases_need_a_closed_motion_of_a_horizontal_symmetry():
    reduced = general_reduction(Gyrostat(), ())
    run = da.simulate(reduced.reduced, da.Gauss(4), h=0.02, steps=STEPS)
    with pytest.raises(da.UsageError, match="does not close"):
        phases(reduced, run.t, run.q, run.v)
    board = general_reduction(da.systems.registry["snakeboard"](), (3, 4), da.SE(2))
    with pytest.raises(da.UsageError, match="need a horizontal symmetry"):
        phases(board, run.t, run.q, run.v)
    with pytest.raises(da.UsageError, match="at least 8"):
        rebuild(reduced, run.t[:4], run.v[:4])


class Carrier(da.System):
    """A body whose inertia depends on x, on a particle with z' = f(x, y) x'."""

    by_y: float = 0.0
    space = da.Product(da.Euclidean(3), da.SO(3))

    def lagrangian(self, q, v):
        x, w = q[0], v[3:]
        inertia = jnp.stack([1.0 + x[0] ** 2, 1.6 + 0 * x[0], 2.1 + 0.3 * jnp.sin(x[0])])
        return 0.5 * v[:3] @ v[:3] + 0.5 * w @ (inertia * w)

    def constraint(self, q):
        x = q[0]
        slope = x[0] + self.by_y * x[1]
        return jnp.stack([-slope, 0.0 * slope, 1.0 + 0.0 * slope, *(0.0 * x)])[None]

    def initial(self):
        x = jnp.array([0.4, 0.1, 0.0])
        v = jnp.array([0.5, 0.3, 0.5 * (0.4 + 0.1 * self.by_y), 0.3, 0.2, 1.1])
        return (x, da.SO(3).exp(jnp.array([0.2, 0.1, -0.3]))), v


def turns(q):
    """Left turns of the body, and shifts of y and z."""
    rows = jnp.zeros((6, 5)).at[3:, :3].set(q[1].T)
    return rows.at[1, 3].set(1.0).at[2, 4].set(1.0)


def test_a_horizontal_symmetry_that_is_not_abelian_beside_a_constraint():
    system = Carrier(1.0)
    reduced = general_reduction(system)
    assert reduced.momenta == 3  # all of so(3)
    q, v = system.initial()
    full = da.simulate(system, da.Gauss(3), h=0.05, steps=60)
    part = da.simulate(reduced.reduced, da.Gauss(3), h=0.05, steps=60)
    path = rebuild(reduced, part.t, part.v[:, 3:], q[1])
    np.testing.assert_allclose(path, full.q[1], atol=1e-9)
    np.testing.assert_allclose(part.q, full.q[0], atol=1e-9)
    mu = jit(jax.vmap(lambda r, g, u: geometry.spatial_momentum(reduced, r, g, u)))
    kept = np.asarray(mu(part.q, path, part.v))
    assert np.max(np.abs(kept - kept[0])) < 1e-9
    assert geometry.isotropy(reduced, kept[0]).shape == (3, 1)
    assert geometry.isotropy(reduced, 0 * kept[0]).shape == (3, 3)


# -- two steps ------------------------------------------------------------------------------------


def test_two_steps_for_a_group_that_is_not_abelian():
    found = two_steps(Carrier(), Symmetry.from_fields(turns, "SO(3) x R^2"))
    assert found.verdict == "yes" and found.trivial and found.ideal
    assert found.constant.shape == (5, 4)  # so(3) and the shift of y
    np.testing.assert_allclose(found.constant[4], 0.0, atol=1e-9)  # not that of z
    assert found.isotropy.shape == (5, 3) and found.second == "purely kinematic"


def test_two_steps_of_the_books_particle_and_where_they_fail():
    class Modified(da.systems.NonholonomicParticle):  # z' = x x', 4.5.1
        def slope(self, q):
            return q[0]

    yz = Symmetry.from_fields(lambda q: jnp.eye(3)[:, 1:], "yz")
    found = two_steps(Modified(), yz)
    assert found.verdict == "yes"
    np.testing.assert_allclose(np.abs(found.constant), [[1.0], [0.0]], atol=1e-12)
    assert two_steps(PARTICLE, XZ).verdict == "does not apply"  # g^q turns: no constant section
    board = da.systems.registry["snakeboard"]()
    part = two_steps(board, Symmetry.of(board, "se2-rotor"))
    assert part.verdict == "inconclusive" and part.constant.shape[1] == 1 and not part.trivial
    assert two_steps(board, Symmetry.of(board, "rotor")).verdict == "one step"


class Skid(da.System):
    """On SE(2) x R: translations are free, the turn is tied to the shape."""

    space = da.Product(da.Euclidean(1), da.SE(2))

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.stack([jnp.sin(q[0][0]), 0.0, 0.0, 1.0])[None]

    def initial(self):
        return (jnp.array([0.4]), jnp.eye(3)), jnp.array([1.0, 0.5, -0.2, -jnp.sin(0.4)])


def planar(q):
    return jnp.concatenate([jnp.zeros((1, 3)), da.SE(2).Ad(da.SE(2).inv(q[1]))])


def test_two_steps_fail_where_the_momentum_leaves_too_small_a_group():
    found = two_steps(Skid(), Symmetry.from_fields(planar, "se2"))
    assert found.verdict == "no" and found.ideal and found.trivial
    assert found.constant.shape == (3, 2) and found.isotropy.shape == (3, 2)


# -- purely kinematic, and a second symmetry ------------------------------------------------------


def test_alpha_of_a_kinematic_action_is_the_gyroscopic_form():
    system = da.systems.ParticleWithoutMeasure()
    known = geometry.chaplygin(system, (0, 1), da.Euclidean(1))
    z = Symmetry.of(system, "z")
    r, w = jnp.array([0.7, -0.4]), jnp.array([0.6, 1.1])
    q, v = known.lift(r, jnp.array([0.3]), w)
    alpha = np.asarray(kinematic_form(system, z, q, v))
    h = np.asarray(known.horizontal(r))
    np.testing.assert_allclose(alpha[:3] @ h, known.gyroscopic(r, w), atol=1e-12)
    assert np.max(np.abs(known.gyroscopic(r, w))) > 0.1
    np.testing.assert_allclose(alpha[2], 0.0, atol=1e-12)  # on the orbit
    motion = np.concatenate([v, dynamics.acceleration(system, q, v)])
    assert abs(alpha @ motion) < 1e-12
    with pytest.raises(da.UsageError, match="purely kinematic"):
        kinematic_form(PARTICLE, XZ, q, v)


def test_a_second_symmetry_after_chaplygin():
    disk = da.systems.VerticalRollingDisk()
    reduced = geometry.chaplygin(disk, (2, 3), da.Euclidean(2))
    angles = Symmetry.from_fields(lambda r: jnp.eye(2), "S1 x S1")
    states = geometry.sample_states(reduced.reduced)
    found = second_momentum(reduced, angles, jnp.array([0.3, 1.0]))
    J, rate = jit(jax.vmap(lambda r, w: (found.momentum(r, w), found.rate(r, w))))(*states)
    wanted = states.v @ jnp.array([0.3 * disk.I1, disk.I2 + disk.m])
    np.testing.assert_allclose(J, wanted, atol=1e-12)
    np.testing.assert_allclose(rate, 0.0, atol=1e-12)  # kept
    # the particle, shift of x: J = (1 + y^2) x' is not kept, and (4.15) says how it changes
    particle = geometry.chaplygin(PARTICLE, (0, 1), da.Euclidean(1))
    found = second_momentum(
        particle, Symmetry.from_fields(lambda r: jnp.eye(2)[:, :1], "x"), jnp.ones(1)
    )
    change = geometry.rate_of_change(particle.reduced, found.momentum)
    rate, along_motion = jit(jax.vmap(lambda r, w: (found.rate(r, w), change(r, w))))(*states)
    wanted = states.q[:, 1] * states.v[:, 0] * states.v[:, 1]
    np.testing.assert_allclose(rate, wanted, atol=1e-12)
    np.testing.assert_allclose(along_motion, wanted, atol=1e-12)
    y = Symmetry.from_fields(lambda r: jnp.eye(2)[:, 1:], "y")
    with pytest.raises(da.UsageError, match="changes the reduced Lagrangian"):
        second_momentum(particle, y, jnp.ones(1))


# -- points that are not moved --------------------------------------------------------------------


class Plane(da.System):
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - q @ q

    def initial(self):
        return jnp.array([1.0, 0.0]), jnp.array([0.0, 1.0])


def test_a_fixed_point_of_an_action_is_singular():
    spin = Symmetry.from_fields(lambda q: jnp.stack([-q[1], q[0]])[:, None], "spin")
    at_center = stabilizer(Plane(), spin, jnp.zeros(2))
    assert at_center.singular and not at_center.free and at_center.basis.shape == (1, 1)
    away = stabilizer(Plane(), spin, jnp.array([1.0, 0.0]))
    assert away.free and not away.singular and away.basis.shape == (1, 0)
    # turns of a free particle in space: no point of it moves in three ways, none is singular
    turns = Symmetry.from_fields(lambda q: -da.SO(3).hat(q), "turns")
    found = stabilizer(da.systems.NonholonomicParticle(), turns, jnp.array([1.0, 0.5, 0.0]))
    assert not found.free and not found.singular and found.near == 1


def test_a_singular_symmetry_is_refused():
    class Turning(da.systems.NonholonomicParticle):
        def slope(self, q):  # g^q is all of R^2 where y = 0 only for the constraint y (z' - x')
            return q[1]

        def constraint(self, q):
            return q[1] * super().constraint(q)

    with pytest.raises(da.UsageError, match="singular symmetry"):
        general_reduction(Turning(), (1,), da.Euclidean(2), at=jnp.zeros(1))
