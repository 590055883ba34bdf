"""The errata of docs/errata.md that no other test or experiment shows, each by its computation.

What holds is asserted, and that what is printed does not.
"""

import re
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import dynamics, geometry, hybrid, reproduce

ROOT = Path(__file__).parent.parent
RNG = np.random.default_rng(0)


# -- [F15] ---------------------------------------------------------------------------------------


def test_f15_euler_a_and_b_are_the_symplectic_pair():
    """p0 = -D1 Ld, p1 = D2 Ld of h L(q0, (q1-q0)/h) and h L(q1, (q1-q0)/h), L = v^2/2 - V."""
    h, q0, q1 = 0.1, 0.4, 0.43
    force = jax.grad(lambda q: -jnp.sin(3 * q) / 3)

    def momenta(end):
        def Ld(a, b):
            return h * (0.5 * ((b - a) / h) ** 2 - jnp.sin(3 * (b if end else a)) / 3)

        return -jax.grad(Ld, 0)(q0, q1), jax.grad(Ld, 1)(q0, q1)

    p0, p1 = momenta(False)  # A
    np.testing.assert_allclose([p1, q1], [p0 + h * force(q0), q0 + h * p1], rtol=1e-13)
    assert abs(q1 - (q0 + h * p0)) > 1e-3  # explicit Euler
    p0, p1 = momenta(True)  # B
    np.testing.assert_allclose([p1, q1], [p0 + h * force(q1), q0 + h * p0], rtol=1e-13)
    assert abs(q1 - (q0 + h * p1)) > 1e-3  # implicit Euler


def test_f15_37c_takes_the_inverse_of_the_block():
    """p = G_xx dx/h + G_xg xi is solved for dx by the inverse of G_xx, not the block of G^-1."""
    root = RNG.normal(size=(5, 5))
    G, x = root @ root.T + np.eye(5), slice(0, 2)
    for h in (0.1, 0.01):
        dx, xi = h * RNG.normal(size=2), RNG.normal(size=3)
        p = G[x, x] @ dx / h + G[x, 2:] @ xi
        rest = p - G[x, 2:] @ xi
        np.testing.assert_allclose(h * np.linalg.inv(G[x, x]) @ rest, dx, rtol=1e-12)
        printed = h * np.linalg.inv(G)[x, x] @ rest
        assert np.linalg.norm(printed - dx) > 0.1 * np.linalg.norm(dx)  # at every h


# -- [MP] ----------------------------------------------------------------------------------------


def test_mp_7_2_jacobi_equation_lacks_three_terms():
    """L_qq U, a dot on U in the term of L_qv, and dlam/dv U' are missing in (7.2).

    The variation of the equations of motion in the direction (U, U') is the judge.
    """
    system = da.systems.ContactOscillator()
    q = jnp.array([0.4, 0.7, -0.2])
    v = dynamics.consistent_velocity(system, q, jnp.array([0.5, -0.3, 0.0]))
    U, W = jnp.array([0.3, -0.6, 0.2]), jnp.array([-0.4, 0.1, 0.5])
    L, constraint = system.lagrangian, system.constraint

    def multiplier(q, v):  # A a = -A' v with a = L_q + A^T lam, for a flat metric
        A = constraint(q)
        bent = jax.jvp(constraint, (q,), (v,))[1] @ v
        return jnp.linalg.solve(A @ A.T, -bent - A @ jax.grad(L)(q, v))

    @jax.jit
    def residuals(q, v):
        accelerated = lambda q, v: jax.grad(L)(q, v) + multiplier(q, v) @ constraint(q)
        bent = jax.jvp(accelerated, (q, v), (U, W))[1]  # U'' along the motion
        A, lam = constraint(q), multiplier(q, v)
        mixed = jax.jacfwd(jax.grad(L, 0), 1)(q, v)
        lam_q, lam_v = jax.jacfwd(multiplier, 0)(q, v), jax.jacfwd(multiplier, 1)(q, v)
        turned = jnp.einsum("lij,j,l->i", jax.jacfwd(constraint)(q), U, lam)
        right = bent - mixed @ W - jax.hessian(L)(q, v) @ U - (lam_q @ U + lam_v @ W) @ A - turned
        return right, bent - mixed @ U - lam_q @ U @ A - turned, accelerated(q, v)

    right, printed, a = residuals(q, v)
    np.testing.assert_allclose(a, dynamics.acceleration(system, q, v), rtol=1e-12)
    np.testing.assert_allclose(right, 0.0, atol=1e-13)
    assert np.max(np.abs(printed)) > 0.1


def test_mp_proposition_11_scales_time_only_without_a_potential():
    """q(c t) is a motion from c v for V = 0; with a potential it is not, so (ii), (7.6) fail."""

    class Free(da.systems.ContactOscillator):
        def potential(self, q):
            return jnp.zeros(())

    q = jnp.array([0.4, 0.7, -0.2])

    def apart(system):
        v = dynamics.consistent_velocity(system, q, jnp.array([0.5, -0.3, 0.2]))
        ends = [
            da.simulate(system, da.Gauss(4), q, c * v, h=0.3 / c / 10, steps=20).final.q
            for c in (1.0, 2.0)
        ]
        return float(np.max(np.abs(np.asarray(ends[0] - ends[1]))))

    assert apart(Free()) < 1e-12
    assert apart(da.systems.ContactOscillator()) > 0.05


# -- [C02] ---------------------------------------------------------------------------------------


def test_e1_a_metric_connection_with_given_torsion():
    n = 3
    mix = jnp.asarray(RNG.normal(size=(n, n)))
    q = jnp.asarray(RNG.normal(size=n))

    def metric(q):
        return jnp.eye(n) * 2 + jnp.outer(jnp.sin(mix @ q), jnp.sin(mix @ q))

    G, dG = metric(q), jax.jacfwd(metric)(q)  # dG[A, B, C] = d_C G_AB
    up = jnp.linalg.inv(G)
    first = 0.5 * (dG + dG.swapaxes(1, 2) - jnp.einsum("bca->abc", dG))  # Gamma_{K,BC}
    torsion = RNG.normal(size=(n, n, n))
    torsion = torsion - torsion.swapaxes(1, 2)  # T_{K,BC}

    def connection(signs):
        turned = (torsion, np.einsum("bck->kbc", torsion), np.einsum("cbk->kbc", torsion))
        added = 0.5 * sum(s * t for s, t in zip(signs, turned))
        return jnp.einsum("ak,kbc->abc", up, first + added)

    def defects(full):
        lowered = jnp.einsum("ka,abc->kbc", G, full)  # nabla_B d_C = Gamma^A_BC d_A
        parallel = dG - jnp.einsum("kbc->kcb", lowered) - jnp.einsum("cbk->kcb", lowered)
        return abs(parallel).max(), abs(lowered - lowered.swapaxes(1, 2) - torsion).max()

    assert max(defects(connection((1, -1, -1)))) < 1e-13
    for signs in ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, -1, -1)):
        assert max(defects(connection(signs))) > 0.1


class Carried(da.System):
    """Two masses of different size with an affine constraint whose offset depends on q."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v[0] ** 2 + 2 * v[1] ** 2) - 0.5 * q @ q

    def constraint(self, q):
        return jnp.array([[1.0, q[0]]])

    def offset(self, t, q):
        return jnp.array([0.3 * jnp.sin(q[1])])


def test_e7_the_offset_of_an_affine_constraint_is_differentiated():
    """phi = mu v - b stays zero along X only with (db/dq) v in the multiplier."""
    system, q = Carried(), jnp.array([0.5, 0.8])
    v = dynamics.consistent_velocity(system, q, jnp.array([0.7, -0.4]))
    a = jax.jit(lambda q, v: dynamics.acceleration(system, q, v))(q, v)
    mu, W = system.constraint(q), jnp.diag(jnp.array([1.0, 0.5]))

    def rate(a):
        phi = lambda q, v: system.constraint(q) @ v - system.offset(0.0, q)
        return jax.jvp(phi, (q, v), (v, a))[1]

    assert abs(rate(a)).max() < 1e-14
    left_out = jax.jvp(lambda q: system.offset(0.0, q), (q,), (v,))[1]
    printed = a - W @ mu.T @ jnp.linalg.solve(mu @ W @ mu.T, left_out)
    np.testing.assert_allclose(rate(printed), -left_out, rtol=1e-12)
    assert abs(left_out).max() > 0.05


def test_e8_sharp_has_a_minus():
    """i_Z omega_L = mu dq for Z = z d/dv: omega_L = G dq ^ dv gives -G z = mu."""
    G, mu = np.diag([1.0, 2.0, 4.0]), np.array([0.3, -1.0, 0.7])
    omega = np.block([[np.zeros((3, 3)), G], [-G, np.zeros((3, 3))]])  # omega(X, Y) = X^T omega Y
    for sign, wanted in ((-1.0, True), (1.0, False)):
        Z = np.concatenate([np.zeros(3), sign * np.linalg.solve(G, mu)])
        assert np.allclose(Z @ omega, [*mu, 0, 0, 0], rtol=1e-14) is wanted


def test_e10_momentum_changes_by_the_reaction():
    """d/dt <p, xi_Q> = + lam mu(xi_Q), here for the shift of a sleigh along x."""
    sleigh = da.systems.ChaplyginSleigh()
    q, v = jnp.array([0.1, 0.2, 0.6]), jnp.array([0.0, 0.0, 0.9])
    v = dynamics.consistent_velocity(sleigh, q, v + jnp.array([1.0, 0.3, 0.0]))

    @jax.jit
    def both(q, v):
        along = (v, dynamics.acceleration(sleigh, q, v))
        rate = jax.jvp(lambda q, v: dynamics.momentum(sleigh, q, v)[0], (q, v), along)[1]
        return rate, dynamics.multipliers(sleigh, q, v) @ sleigh.constraint(q)[:, 0]

    rate, reaction = both(q, v)
    np.testing.assert_allclose(rate, reaction, rtol=1e-12)
    assert abs(reaction) > 0.1  # so that the other sign is another statement


def test_e11_the_gyroscopic_force_is_minus_alpha():
    """Particle, z' = y x': p_x = (1+y^2) x' of the reduced motion has p_x' = -alpha(d/dx)."""
    particle = da.systems.NonholonomicParticle()
    y, vx, vy = 0.7, 0.4, -0.9
    q, v = jnp.array([0.2, y, 0.0]), jnp.array([vx, vy, y * vx])
    along = (v, dynamics.acceleration(particle, q, v))
    rate = jax.jvp(lambda q, v: (1 + q[1] ** 2) * v[0], (q, v), along)[1]
    alpha = -y * vx * vy
    np.testing.assert_allclose(rate, -alpha, rtol=1e-13)
    assert abs(alpha) > 0.1


def test_e12_the_vertical_disk_has_four_coordinates():
    disk = da.systems.VerticalRollingDisk()
    assert disk.dim == 4 == 2 + 1 + 1  # R^2 x S^1 x S^1; one factor of R would make it 3


def test_e21_the_jump_is_normal_to_what_holds_afterwards():
    """v+ = v- + w with w of (D+)^perp, the shortest that leads into D+; w is not of D+."""
    sphere = da.systems.RollingSphere()
    q, _ = sphere.initial()
    before = jnp.array([1.0, 0.0, 0.0, 0.0, 0.3])
    w = hybrid.jump(sphere, q, before).v_after - before
    G, mu = dynamics.metric(sphere, q), dynamics.constraint_matrix(sphere, q, before)
    inside = jnp.linalg.svd(mu)[2][mu.shape[0] :]  # spans D+
    np.testing.assert_allclose(inside @ G @ w, 0.0, atol=1e-14)
    assert abs(mu @ w).max() > 0.1
    for other in inside:
        longer = w + 0.1 * other
        assert longer @ G @ longer > w @ G @ w


@jax.jit
def dla_equation(scale):
    """(7.9) on the particle z' = y x' in a potential, h = 0.1, with `scale` before L."""
    h = 0.1

    def Ld(a, b):
        middle, move = 0.5 * (a + b), (b - a) / h
        return scale * (0.5 * move @ move - 0.5 * middle @ middle)

    q0 = jnp.array([0.3, 0.8, 0.1])
    q1 = q0 + h * jnp.array([0.5, 0.2, 0.81 * 0.5])  # z' = y x' in the middle
    omega = jnp.array([-q1[1], 0.0, 1.0])

    def equation(x):
        q2, lam = x[:3], x[3]
        middle, move = 0.5 * (q1 + q2), q2 - q1
        holds = jax.grad(Ld, 0)(q1, q2) + jax.grad(Ld, 1)(q0, q1) - lam * omega
        return jnp.append(holds, (move[2] - middle[1] * move[0]) / h)

    x = jnp.append(2 * q1 - q0, 0.0)
    for _ in range(6):
        x = x - jnp.linalg.solve(jax.jacfwd(equation)(x), equation(x))
    return h, (q0, q1, x[:3]), x[3], abs(equation(x)).max()


def test_e23_without_h_multipliers_are_divided_by_it():
    h, (*_, with_h), lam, left = dla_equation(0.1)  # h before L
    _, (*_, without), other, _ = dla_equation(1.0)
    assert left < 1e-14
    np.testing.assert_allclose(without, with_h, rtol=1e-13)  # the motion is the same
    np.testing.assert_allclose(other, lam / h, rtol=1e-11)


def test_e24_the_multiplier_of_7_9_is_minus_h_times_the_force():
    h, (q0, q, q2), lam, _ = dla_equation(0.1)
    v, mu = (q2 - q0) / (2 * h), jnp.array([-q[1], 0.0, 1.0])
    force = (v[0] * v[1] + mu @ q) / (mu @ mu)  # q'' = -q + force mu, d/dt (z' - y x') = 0
    np.testing.assert_allclose(lam / -h, force, rtol=0.02)
    assert abs(lam / h - force) > abs(force)  # the sign of (7.21), (7.22)


def test_e25_the_forces_of_rdla_are_half_of_alpha():
    """Particle, midpoint: DLA along the constraint at a node is D2 L*_d - h alpha(middle)/2."""
    h, r0, r1 = 0.1, jnp.array([0.2, 0.7]), jnp.array([0.25, 0.66])

    def reduced(a, b):  # L_d with z1 - z0 = y (x1 - x0), y in the middle
        move = (b - a) / h
        return 0.5 * h * (move @ move + (0.5 * (a[1] + b[1]) * move[0]) ** 2)

    vx, vy = (r1 - r0) / h
    y = 0.5 * (r0[1] + r1[1])
    alpha = jnp.array([-y * vx * vy, y * vx**2])
    arrives = jnp.array([vx + r1[1] * y * vx, vy])  # D2 L_d on (1, 0, y1), (0, 1, 0)
    leaves = jnp.array([vx + r0[1] * y * vx, vy])
    plus = jax.grad(reduced, 1)(r0, r1) - arrives
    minus = leaves + jax.grad(reduced, 0)(r0, r1)
    np.testing.assert_allclose(plus, 0.5 * h * alpha, rtol=1e-11)
    np.testing.assert_allclose(minus, 0.5 * h * alpha, rtol=1e-11)


def test_e26_the_division_stands_outside_of_the_root():
    """a b^2 + 2 S b + R = 0, before (8.11)."""
    a, S, R = 2.0, 1.5, -0.7
    for sign in (1, -1):
        b = (-S + sign * np.sqrt(S**2 - a * R)) / a
        assert abs(a * b**2 + 2 * S * b + R) < 1e-14
        printed = -S + sign * np.sqrt((S**2 - a * R) / a)
        assert abs(a * printed**2 + 2 * S * printed + R) > 0.1


def test_e27_one_half_is_of_all_products():
    """-<Y:Y>/2 of Y = u1 Y1 + u2 Y2 by its parts, in a curved metric."""

    def nabla(X, Y, q):
        dG = jax.jacfwd(lambda q: jnp.diag(jnp.array([1 + q[1] ** 2, 2.0])))(q)
        first = 0.5 * (dG + dG.swapaxes(1, 2) - jnp.einsum("bca->abc", dG))
        gamma = jnp.einsum("a,abc->abc", jnp.array([1 / (1 + q[1] ** 2), 0.5]), first)
        return jax.jvp(Y, (q,), (X(q),))[1] + jnp.einsum("abc,b,c->a", gamma, X(q), Y(q))

    def product(X, Y, q):
        return nabla(X, Y, q) + nabla(Y, X, q)

    q, u = jnp.array([0.4, 0.9]), (0.7, -1.2)
    Y1 = lambda q: jnp.array([1.0, q[0]])
    Y2 = lambda q: jnp.array([q[1], 0.5])
    both = lambda q: u[0] * Y1(q) + u[1] * Y2(q)
    squares = u[0] ** 2 * product(Y1, Y1, q) + u[1] ** 2 * product(Y2, Y2, q)
    mixed = 2 * u[0] * u[1] * product(Y1, Y2, q)
    whole = -0.5 * product(both, both, q)
    np.testing.assert_allclose(-0.5 * (squares + mixed), whole, rtol=1e-13)
    assert abs(-0.5 * squares + mixed - whole).max() > 0.1


class OneForm(da.System):
    """L = |v|^2/2 on R^(n+1), s' = x y': over the plane (x, y), or over the space (x, y, z)."""

    n: int = eqx.field(static=True, default=3)

    @property
    def space(self):
        return da.Euclidean(self.n + 1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.zeros((1, self.n + 1)).at[0, 1].set(-q[0]).at[0, -1].set(1.0)

    def initial(self):
        return jnp.full(self.n + 1, 0.3), jnp.zeros(self.n + 1).at[0].set(1.0)


def test_e34_5_11_is_not_weaker_than_5_10():
    """The dp dr dr part of (5.11) is (5.10), because Xi is linear in p.

    Where the shape is R^3 and the curvature has rank one, both fail although beta is exact; over
    the plane both hold.
    """
    for n, holds in ((2, True), (3, False)):
        reduced = geometry.chaplygin(OneForm(n), tuple(range(n)), da.Euclidean(1))
        r, w = jnp.array([0.7, 0.2, -0.4])[:n], jnp.array([0.3, 0.8, 0.5])[:n]
        off, _ = geometry.conformal_residual(reduced, r, w)
        assert (float(off) < 1e-12) == holds
        assert holds or float(off) > 0.1
    found = geometry.hamiltonization(reduced)  # over R^3
    assert found.measure.verdict == "yes" and found.verdict == "not found" and found.defect > 0.1
    # the coefficients of dp_c dr_a dr_b, for any F and Xi_ab = X_abc p_c
    F, delta = RNG.normal(size=3), np.eye(3)
    wedge = np.einsum("a,bc->abc", F, delta) - np.einsum("b,ac->abc", F, delta)
    p = RNG.normal(size=3)
    np.testing.assert_allclose(wedge @ p, np.outer(F, p) - np.outer(p, F), atol=1e-15)


# -- the page ------------------------------------------------------------------------------------


def rows():
    text = (ROOT / "docs" / "errata.md").read_text()
    found = [[x.strip() for x in line.strip("| ").split(" | ")] for line in text.splitlines()
             if line.startswith("| ") and not line.startswith(("| where", "| key"))]  # fmt: skip
    assert len(found) > 45
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]}, {row[1]}"[:40])
def test_every_erratum_names_what_shows_it(row):
    """An experiment, or a test that is about it; what is a slip of the pen has neither."""
    shown = row[-1]
    if shown == "a slip":
        return
    places = re.findall(r"`([^`]+)`", shown)
    assert places, row
    own = Path(__file__).read_text()
    for place in places:
        if not place.startswith("tests/"):
            assert place in reproduce.by_name(), place
            continue
        path = ROOT / place
        assert path.exists(), place
        keys = re.findall(r"E\d+", row[0])
        if path == Path(__file__) and keys:
            assert any(f"def test_{key.lower()}_" in own for key in keys), row
        elif keys:
            assert any(re.search(rf"\b{key}\b", path.read_text()) for key in keys), (row, place)
