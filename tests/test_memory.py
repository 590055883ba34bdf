"""Arrays in memory: matrices that native code multiplies, factors and carries by loops."""

from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import dynamics, linalg
from dalembert.compile import tracing
from dalembert.compile.cpu import llvm
from dalembert.compile.cpu.kernels import MapKernel
from dalembert.compile.engine import chosen_engine
from dalembert.compile.ir.interpret import interpreted
from dalembert.compile.ir.record import record, recorded, trace
from dalembert.compile.ir.tape import Memory, Unsupported
from dalembert.compile.layout import Layout
from dalembert.dynamics import solved
from dalembert.errors import Reason
from dalembert.methods import dla
from dalembert.methods.rules import discrete_constraint, legendre_minus

NOWHERE = llvm.Disk(None)


def compiled(f, *args):
    """f by native code and by the tape's interpreter, and the tape."""
    given = Layout(args).pack_numpy(args)
    tape = recorded(trace(lambda g: f(*g), args), memory=True)
    with mock.patch.object(llvm, "disk", NOWHERE):
        kernel = MapKernel(f, *args)
    by_hand = kernel.results.unpack(np.array(interpreted(tape, given), float))
    return kernel.results.unpack(kernel(given[None])[0]), by_hand, tape


def arrays_of(tape):
    return [x for block in tape.tape.levels for x in block.items if isinstance(x, Memory)]


def algebra(A, b, c):
    S = A @ A.T + len(A) * jnp.eye(len(A))
    x = linalg.solve_spd(S, b)
    y = linalg.solve(A, x)
    z = A.T @ y
    largest = jnp.max(jnp.abs(z), axis=1) + jnp.sum(z, axis=1)

    def turn(_, both):
        u, w = both
        return jnp.where(c[0] > 0.0, 0.5 * w, u) + 0.01 * A @ u, u / 3.0 - w**2

    u, w = jax.lax.fori_loop(0, 3, turn, (y, 0.1 * z))  # each is made of the other
    return x, y, z, largest, u, w, A @ c, c @ A, jnp.max(jnp.abs(u)), jnp.min(z, axis=0)


@pytest.mark.parametrize(("n", "columns"), [(12, 11), (18, 3)])
def test_matrices_in_memory_agree_with_arrays(n, columns):
    rng = np.random.default_rng(n)
    given = rng.normal(size=(n, n)), rng.normal(size=(n, columns)), rng.normal(size=n)
    native, by_hand, tape = compiled(algebra, *given)
    assert {x.op for x in arrays_of(tape)} >= {"factor", "solve_spd", "solve", "matmul"}
    for one, two, plain in zip(native, by_hand, algebra(*given)):
        np.testing.assert_allclose(one, plain, rtol=1e-9, atol=1e-11 * np.max(np.abs(plain)))
        np.testing.assert_allclose(two, plain, rtol=1e-9, atol=1e-11 * np.max(np.abs(plain)))


def test_columns_of_small_matrices_and_vectors():
    """Operations along the last axis, many small products, and what `vmap` makes of a product."""
    n = 48
    rng = np.random.default_rng(n)
    S, a, b = rng.normal(size=(3, 3, n)), rng.normal(size=(3, n)), rng.normal(size=(3, n))
    ones = np.tri(n)

    def f(S, a, b):
        def along(S, a, b):
            S, a = tracing.in_memory(S), tracing.in_memory(a)
            T = tracing.products(S, S.swapaxes(0, 1))
            turned = tracing.products(T, a[:, None])[:, 0] @ ones
            each = jax.vmap(lambda A, x: A @ x, in_axes=-1, out_axes=-1)(T, turned)
            return tracing.cross(turned, b), tracing.cross(each, a)

        found, rates = jax.jvp(along, (S, a, b), (S, b, a))
        return linalg.solve_spd(ones @ ones.T, found[0].T), *found, *rates

    native, by_hand, tape = compiled(f, S, a, b)
    assert {x.op for x in arrays_of(tape)} >= {"products", "cross", "map", "matmul"}
    for one, two, plain in zip(native, by_hand, f(S, a, b), strict=True):
        np.testing.assert_allclose(one, plain, rtol=1e-11, atol=1e-12 * np.max(np.abs(plain)))
        np.testing.assert_allclose(two, plain, rtol=1e-11, atol=1e-12 * np.max(np.abs(plain)))
    T = np.einsum("ijn,kjn->ikn", S, S)
    turned = np.einsum("ijn,jn->in", T, a) @ ones
    np.testing.assert_allclose(native[1], np.cross(turned, b, axis=0), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("pieces", [30, 200])
def test_large_code_in_two_files_and_in_pieces(monkeypatch, pieces):
    """The function without optimization, its blocks cut, and its routines apart from it."""
    n = 18
    rng = np.random.default_rng(n)
    given = rng.normal(size=(n, n)), rng.normal(size=(n, 3)), rng.normal(size=n)
    made = []
    whole = llvm._compiled

    def noted(text, effort):
        made.append((text.count("\n"), " @run(" in text and "define internal" not in text, effort))
        return whole(text, effort)

    for name, value in (("_compiled", noted), ("_LARGE", 1000), ("_LONG", 100), ("_PIECE", pieces)):
        monkeypatch.setattr(llvm, name, value)
    native, _, _ = compiled(algebra, *given)
    assert [effort for _, _, effort in made[1:]] == [llvm.EFFORTS[0], llvm.EFFORTS[2]]
    assert made[1][1]
    for one, plain in zip(native, algebra(*given)):
        np.testing.assert_allclose(one, plain, rtol=1e-9, atol=1e-11 * np.max(np.abs(plain)))


def test_a_cut_block_is_named_by_its_last_piece(monkeypatch):
    """A loop whose body is longer than a piece: its values come from where the body ends."""
    monkeypatch.setattr(llvm, "_LONG", 10)
    monkeypatch.setattr(llvm, "_PIECE", 5)

    def f(x):
        def turn(_, y):
            for k in range(12):
                y = jnp.sin(y) + 0.1 * k * y * y
            return y

        return jax.lax.fori_loop(0, 7, turn, x)

    x = jnp.array([0.3, -0.2])
    with mock.patch.object(llvm, "disk", NOWHERE):
        kernel = MapKernel(f, x, effort=llvm.EFFORTS[0])
    np.testing.assert_allclose(kernel(np.asarray(x)[None])[0], f(x), rtol=1e-13)


def test_what_is_singular_is_no_number():
    rng = np.random.default_rng(1)
    n = 14
    A = rng.normal(size=(n, n))
    A[-1] = A[:3].sum(axis=0)

    def f(A, b):
        S = A @ A.T
        return linalg.solve_spd(S, b), linalg.solve(A, b), linalg.solve_spd(-jnp.eye(n) - S, b)

    for found in compiled(f, A, rng.normal(size=(n, 2)))[0]:
        assert np.all(np.isnan(found))


def test_units_of_rows_and_coordinates_do_not_matter():
    rng = np.random.default_rng(2)
    n = 13
    A, x = rng.normal(size=(n, n)), rng.normal(size=(n, 1))
    rows, sizes = 10.0 ** rng.integers(-9, 9, n), 10.0 ** rng.integers(-4, 4, n)
    S = (A @ A.T + np.eye(n)) * np.outer(sizes, sizes)
    scaled = A * rows[:, None]
    one, two = compiled(
        lambda S, A, b, c: (linalg.solve_spd(S, b), linalg.solve(A, c)),
        S, scaled, S @ x, scaled @ x,
    )[0]  # fmt: skip
    np.testing.assert_allclose(one, x, rtol=1e-7)
    np.testing.assert_allclose(two, x, rtol=1e-10)


def test_matrices_of_few_entries_are_eliminated_number_by_number():
    n = 60
    rng = np.random.default_rng(3)
    a, c, b = 4.0 + rng.uniform(size=n), rng.uniform(size=n - 1), rng.normal(size=n)

    def f(a, c, b):
        A = jnp.diag(a) + jnp.diag(c, 1) + jnp.diag(c, -1)
        return linalg.solve_spd(A, b), linalg.solve_spd(jnp.diag(a), b)

    native, _, tape = compiled(f, a, c, b)
    assert not arrays_of(tape)
    A = np.diag(a) + np.diag(c, 1) + np.diag(c, -1)
    np.testing.assert_allclose(native[0], np.linalg.solve(A, b), rtol=1e-12)
    np.testing.assert_allclose(native[1], b / a, rtol=1e-14)
    singular = compiled(f, np.where(np.arange(n) == 7, 0.0, a), 0 * c, b)[0][1]
    assert np.isnan(singular[7])


def test_derivatives_go_through_solves_in_memory():
    rng = np.random.default_rng(4)
    n = 15
    A, b = rng.normal(size=(n, n)), rng.normal(size=n)

    def slope(A, b):
        def f(s):
            S = A @ A.T + (1.0 + s) * jnp.eye(n)
            return linalg.solve_spd(S, b) + linalg.solve(A + s * jnp.eye(n), b)

        return jax.jvp(f, (jnp.zeros(()),), (jnp.ones(()),))[1]

    S = A @ A.T + np.eye(n)
    want = -np.linalg.solve(S, np.linalg.solve(S, b)) - np.linalg.solve(A, np.linalg.solve(A, b))
    np.testing.assert_allclose(compiled(slope, A, b)[0], want, rtol=1e-8, atol=1e-9)


def test_who_reads_no_memory_is_not_given_any():
    A = np.eye(13) + 0.1
    tape = record(lambda A: linalg.solve_spd(A, A[0]), A)
    assert not arrays_of(tape)  # written out
    with pytest.raises(Unsupported, match="cholesky"):
        record(lambda A: linalg.solve_spd(A, A[0]), np.eye(20) + 0.1)


def test_what_linearize_splits_keeps_no_meaning():
    """Both halves of a call have its name, but compute other things: linearize, then push."""
    n = 32
    rng = np.random.default_rng(n)
    S, a, d = rng.normal(size=(3, 3, n)), rng.normal(size=(3, n)), rng.normal(size=(3, n))

    def f(S, a, d):
        def moved(a):
            return tracing.cross(tracing.products(S, a[:, None])[:, 0], a)

        value, push = jax.linearize(moved, a)
        return value, push(d), linalg.solve_spd(jnp.eye(14) + 0.1, value[:, :14].T)

    native, _, tape = compiled(f, S, a, d)
    assert arrays_of(tape)
    for one, plain in zip(native, f(S, a, d), strict=True):
        np.testing.assert_allclose(one, plain, rtol=1e-12, atol=1e-12 * np.max(np.abs(plain)))


# -- large equations ------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_newton_with_a_matrix_near_the_jacobian(sign):
    """It finds the same root without the Jacobian, and with it where the matrix is wrong."""
    n = 50
    rng = np.random.default_rng(n)
    A, b = rng.normal(size=(n, n)) / n + 2.0 * np.eye(n), rng.normal(size=n)

    def solution(A, b, known):
        def f(x):
            return A @ x + 0.01 * jnp.sin(x) - b

        def near():
            M = sign * 2.0 * jnp.eye(n)
            return linalg.Near(M, lambda r: r / (sign * 2.0), n)

        root = linalg.Newton().solve(f, 0.0 * b, outermost=True, near=near if known else None)
        return root.x, root.residual, root.iterations * 1.0, root.result * 1.0

    (x, residual, turns, result), _, _ = compiled(lambda A, b: solution(A, b, True), A, b)
    plain = compiled(lambda A, b: solution(A, b, False), A, b)[0]
    np.testing.assert_allclose(x, plain[0], rtol=1e-13, atol=1e-14)
    assert result == plain[3] == linalg.OK
    assert residual < 1e-13
    # linear convergence takes more turns than Newton's method; after a wrong matrix it begins anew
    assert turns > 6 if sign > 0 else turns == plain[2] < 5


@pytest.mark.parametrize(
    "system",
    [da.systems.ChaplyginSleigh(), da.systems.RollingDisk(), da.systems.WheeledSnake(n=4)],
    ids=lambda x: x.name(),
)
def test_the_matrix_near_the_jacobian_of_dla(system):
    """As h -> 0 it is the Jacobian of a step, and its own solutions solve with it."""
    q, v = system.initial()
    n, rule = system.dim, da.Midpoint()

    def off(size):
        t, h = jnp.zeros(()), jnp.asarray(size)
        near = dla._near(system, t, h, q, v)
        mu = dynamics.linear_constraint(system, q)

        def defect(x):
            g = system.groupoid.curve(q, x[:n])
            balance = legendre_minus(rule, system, t, h, g) - h * mu.T @ x[n:]
            return jnp.concatenate([balance, discrete_constraint(rule, system, t, h, g)])

        J = jax.jacfwd(defect)(jnp.concatenate([h * v, jnp.zeros(len(mu))]))
        r = jnp.linspace(1.0, 2.0, n + len(mu))
        np.testing.assert_allclose(near.matrix @ near.solve(r), r, rtol=1e-9)
        # the unit of moves is h v, that of momentum and residual 1
        scale = np.concatenate([np.full(n, size), np.full(len(mu), 1.0 / size)])[None]
        return float(np.max(np.abs((near.matrix - J) * scale)) / np.max(np.abs(J * scale)))

    assert off(1e-4) < 1e-2
    assert off(1e-5) < 0.11 * off(1e-4) + 1e-12


# -- machines -------------------------------------------------------------------------------------


def lagrange(system, q, v):
    """Acceleration and multipliers from derivatives of the Lagrangian: no code of the parts'."""
    G = jax.hessian(system.lagrangian, 1)(q, v)
    turning = jax.jvp(lambda x: jax.grad(system.lagrangian, 1)(x, v), (q,), (v,))[1]
    force = jax.grad(system.lagrangian, 0)(q, v) - turning
    A = system.constraint(q)
    drift = jax.jvp(lambda x: system.constraint(x) @ v, (q,), (v,))[1]
    m = len(A)
    matrix = np.block([[np.asarray(G), -np.asarray(A).T], [np.asarray(A), np.zeros((m, m))]])
    found = np.linalg.solve(matrix, np.concatenate([force, -drift]))
    return found[: len(v)], found[len(v) :]


def test_accelerations_of_a_long_snake_follow_from_its_lagrangian():
    snake = da.systems.WheeledSnake(n=22)
    q, v = snake.initial()
    native, _, tape = compiled(lambda q, v: solved(snake, q, v, 0.0)[:2], q, v)
    assert arrays_of(tape)
    for found, want in zip(native, lagrange(snake, q, v)):
        np.testing.assert_allclose(found, want, rtol=1e-10, atol=1e-10 * np.max(np.abs(want)))


@pytest.mark.parametrize("method", [da.Gauss(2), da.DLA()], ids=lambda x: x.name)
def test_members_of_a_long_snake_run_as_single_ones(method):
    snake = da.systems.WheeledSnake(n=11)
    q, v = map(np.asarray, snake.initial())
    q, v = np.stack([q] * 8), v * np.linspace(1.0, 1.2, 8)[:, None]
    many = da.simulate_ensemble(snake, method, q, v, h=0.002, steps=5)
    one = da.simulate(snake, method, q[5], v[5], h=0.002, steps=5)
    assert many.meta.engine == one.meta.engine == "native"
    np.testing.assert_allclose(many.q[5, -1], one.q[-1], rtol=1e-11, atol=1e-11)


def test_a_machine_says_if_it_is_a_table():
    short, long = (da.systems.WheeledSnake(n=n) for n in (15, 60))
    assert short.form_of_code(True) == short.form_of_code(False) == ""
    assert "a table of 60 bodies (from 60" in long.form_of_code(True)
    engine, _ = chosen_engine("arrays", lambda: Reason("no"), long.form_of_code)
    assert engine.reason.startswith("asked for; a table of 60 bodies (from 16")
    engine, _ = chosen_engine(None, lambda: "code", long.form_of_code)
    assert engine == ("native", long.form_of_code(True))


def test_newton_of_a_stiff_chain_in_memory():
    # a step that sweeps do not solve: h^2 stiffness/inertia is about 30
    chain = [da.parts.Body("link 1", 1.0, 0.1), da.parts.Revolute("link 1")]
    for k in range(2, 14):
        chain += [
            da.parts.Body(f"link {k}", 1.0, 0.1),
            da.parts.Revolute(f"link {k}", f"link {k - 1}", at=(0.5, 0, 0), name=f"j{k}"),
            da.parts.Spring(f"j{k}", 1e4),
        ]
    machine = da.parts.build(*chain)
    v = 0.3 * np.sin(np.arange(machine.dim))
    q = np.zeros(machine.dim)
    run = da.simulate(machine, da.Gauss(2), q, v, h=0.02, steps=20)
    assert run.meta.engine == "native"
    energy = np.asarray(da.diagnostics.energy(machine, run))
    assert np.ptp(energy) < 0.1 * energy[0]
    assert np.all(np.asarray(run.result) == 0)


def test_a_large_chaotic_quartic_is_native():
    quartic = da.systems.ChaoticQuartic(n=30)
    run = da.simulate(quartic, da.Leapfrog(), h=0.01, steps=5)
    assert run.meta.engine == "native"
    halves = da.simulate(quartic, da.Leapfrog(), h=0.005, steps=10)
    assert np.max(np.abs(np.asarray(run.q)[-1] - np.asarray(halves.q)[-1])) < 1e-4
