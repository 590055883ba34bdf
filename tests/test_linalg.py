"""Small dense solves against NumPy and closed formulas; Newton's method and its certificate."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dalembert import linalg
from dalembert.linalg import NO_CONVERGENCE, NOT_FINITE, OK, Newton, solve, solve_spd

SIZES = range(15)
UNROLLED, LAPACK = 10**6, 0


@pytest.fixture(params=["unrolled", "lapack"])
def path(request, monkeypatch):
    """Both ways of solving, for every size: the limit between them is a matter of speed only."""
    limit = UNROLLED if request.param == "unrolled" else LAPACK
    monkeypatch.setattr(linalg, "UNROLL", linalg.SizeLimit(limit, 16))
    monkeypatch.setattr(linalg, "UNROLL_SPD", linalg.SizeLimit(limit, 16))
    return request.param


def random_matrix(n, seed=0):
    return np.random.default_rng([n, seed]).normal(size=(n, n))


def random_spd(n, seed=0):
    B = random_matrix(n, seed)
    return B @ B.T + 0.1 * np.eye(n)


def relative_error(x, expected):
    return np.max(np.abs(np.asarray(x) - expected), initial=0.0) / np.max(
        np.abs(expected), initial=1e-300
    )


def compiled(f):
    """`f` compiled anew: a compilation made under the other limit must not be found again."""
    return jax.jit(lambda *args: f(*args))


def is_all_nan(x):
    return bool(np.all(np.isnan(np.asarray(x))))


# -- solves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
def test_random_matrices(n):
    A, S = random_matrix(n), random_spd(n)
    b = np.arange(1.0, n + 1) if n % 2 else random_matrix(n, 1)[:, : max(n // 2, 1)]
    x, y = jax.jit(lambda A, S: (solve(A, b), solve_spd(S, b)))(A, S)
    assert x.shape == b.shape and y.shape == b.shape
    assert relative_error(x, np.linalg.solve(A, b)) < 1e-11
    assert relative_error(y, np.linalg.solve(S, b)) < 1e-11


@pytest.mark.parametrize("n", [1, 2, 3])
def test_both_paths_agree_with_numpy(path, n):
    A, S = random_matrix(n, 2), random_spd(n, 2)
    B = random_matrix(n, 3)
    for rhs in (B, B[0]):
        assert relative_error(compiled(solve)(A, rhs), np.linalg.solve(A, rhs)) < 1e-12
        assert relative_error(compiled(solve_spd)(S, rhs), np.linalg.solve(S, rhs)) < 1e-12
    assert relative_error(compiled(linalg.inverse)(A), np.linalg.inv(A)) < 1e-12


@pytest.mark.parametrize("n", [2, 3, 4, 8])
def test_permutations_need_pivoting(n):
    """A zero on the diagonal is no singular matrix."""
    rng = np.random.default_rng(n)
    b = np.arange(1.0, n + 1)
    f = compiled(solve)
    for _ in range(3):
        P = np.eye(n)[rng.permutation(n)]
        np.testing.assert_array_equal(f(P, b), P.T @ b)
    shifted = np.roll(np.eye(n), 1, axis=0) + np.triu(random_matrix(n), 2)
    np.testing.assert_allclose(f(shifted, b), np.linalg.solve(shifted, b), 1e-12)


@pytest.mark.parametrize("n", [2, 3])
def test_units_do_not_matter(path, n):
    """Rows and columns in other units (grams beside tonnes) give the rescaled solution."""
    rng = np.random.default_rng(n)
    A, S, b = random_matrix(n, 5), random_spd(n, 5), rng.normal(size=n)
    rows, columns = 10.0 ** rng.integers(-30, 30, size=(2, n))
    x = compiled(solve)(A * rows[:, None] * columns, b * rows)
    np.testing.assert_allclose(x * columns, np.linalg.solve(A, b), rtol=1e-12)
    x = compiled(solve_spd)(S * rows[:, None] * rows, b * rows)
    np.testing.assert_allclose(x * rows, np.linalg.solve(S, b), rtol=1e-12)


def test_row_scale_does_not_mislead_pivoting():
    """Plain partial pivoting takes the huge row as it stands and loses the other one."""
    A, b = jnp.array([[1.0, 1e20], [1.0, 1.0]]), jnp.array([1e20, 2.0])
    np.testing.assert_allclose(solve(A, b), [1.0, 1.0], rtol=1e-15)
    A3 = jnp.array([[1.0, 1e20, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(solve(A3, jnp.array([1e20, 2.0, 3.0])), [1.0, 1.0, 3.0], rtol=1e-15)


SINGULAR = {
    1: [[[0.0]]],
    2: [[[1.0, 2.0], [1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0]], [[0.1, 0.3], [0.7, 2.1]]],
    3: [
        np.zeros((3, 3)),
        np.diag([1.0, 2.0, 0.0]),
        [[0.3, 0.7, 0.1], [1.1, -0.2, 0.9], [1.4, 0.5, 1.0]],  # the third row is the sum
        *(random_matrix(3, s)[:, :2] @ random_matrix(3, s + 9)[:2] for s in range(4)),
    ],
    4: [
        random_matrix(4)[:, :2] @ random_matrix(4, 1)[:2],
        *(random_matrix(4, s)[:, :3] @ random_matrix(4, s + 9)[:3] for s in range(4)),
    ],
}


@pytest.mark.parametrize("n", SINGULAR)
def test_singular_gives_nan(path, n):
    A = np.array(SINGULAR[n])
    assert is_all_nan(compiled(jax.vmap(lambda A: solve(A, jnp.eye(n))))(A))
    gram = A @ np.swapaxes(A, 1, 2)  # rank-deficient like A
    assert is_all_nan(compiled(jax.vmap(lambda S: solve_spd(S, jnp.ones(n))))(gram))


INDEFINITE = {
    1: [[[-1.0]]],
    2: [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [2.0, 1.0]], [[-1.0, 0.0], [0.0, -1.0]]],
    3: [
        np.diag([2.0, -1e-9, 1.0]),
        [[1.0, 0.0, 0.0], [0.0, 1.0, 2.0], [0.0, 2.0, 3.9]],
    ],
}


@pytest.mark.parametrize("n", INDEFINITE)
def test_spd_refuses_indefinite(path, n):
    A = np.array(INDEFINITE[n])
    assert is_all_nan(compiled(jax.vmap(lambda S: solve_spd(S, jnp.ones(n))))(A))


def test_near_singular_but_regular_is_solved(path):
    """Conditions of 1e10 cost ten digits, no more, and are no failure."""
    A = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-10]])
    hilbert = 1.0 / (np.arange(4.0)[:, None] + np.arange(4.0) + 1.0)
    for f in (compiled(solve), compiled(solve_spd)):
        assert relative_error(f(A, A @ [1.0, 2.0]), np.array([1.0, 2.0])) < 1e-5
        assert relative_error(f(hilbert, hilbert @ np.ones(4)), np.ones(4)) < 1e-11
        tiny = 1e-200 * np.eye(2)
        np.testing.assert_allclose(f(tiny, 1e-200 * np.ones(2)), 1.0, rtol=1e-15)


def test_vmap(path):
    n = 3
    A = np.stack([random_matrix(n, s) for s in range(5)] + [np.ones((n, n))])
    S = np.stack([random_spd(n, s) for s in range(5)] + [np.ones((n, n))])
    b = np.random.default_rng(0).normal(size=(6, n))
    for f, M in ((solve, A), (solve_spd, S)):
        x = np.asarray(compiled(jax.vmap(f))(M, b))
        np.testing.assert_allclose(x[:5], np.linalg.solve(M[:5], b[:5, :, None])[..., 0], 1e-11)
        assert is_all_nan(x[5])  # the singular member fails alone


@pytest.mark.parametrize("n", [1, 2, 3])
def test_derivative(path, n):
    """dx = A^-1 (db - dA x), forward and reverse, also where pivoting swaps rows."""
    A, S = random_matrix(n, 7), random_spd(n, 7)
    A[0, 0] = 1e-3
    b, w = random_matrix(n, 8)[0], random_matrix(n, 9)[0]
    dA, dS, db = random_matrix(n, 10), random_spd(n, 11), random_matrix(n, 12)[0]
    for f, M, dM in ((solve, A, dA), (solve_spd, S, dS)):
        x, y = np.linalg.solve(M, b), np.linalg.solve(M.T, w)
        dx = compiled(lambda *a, f=f: jax.jvp(f, a[:2], a[2:])[1])(M, b, dM, db)
        np.testing.assert_allclose(dx, np.linalg.solve(M, db - dM @ x), rtol=1e-9)
        M_bar, b_bar = compiled(jax.grad(lambda M, b, f=f: f(M, b) @ w, (0, 1)))(M, b)
        np.testing.assert_allclose(b_bar, y, rtol=1e-10)
        if f is solve:
            np.testing.assert_allclose(M_bar, -np.outer(y, x), rtol=1e-9)
        # a symmetric matrix may be read from one triangle only: compare along symmetric changes
        np.testing.assert_allclose(np.sum(M_bar * dM), -y @ dM @ x, rtol=1e-9)


# -- Newton ------------------------------------------------------------------------------------


def coupled(c):
    """A nonlinear f with root (c, c^2, exp c), from which derivatives follow in closed form."""

    def f(x):
        return jnp.stack([x[0] ** 3 - c**3, x[1] - x[0] ** 2, jnp.log(x[2]) - x[0]])

    return f


def test_newton_converges_to_round_off():
    root = jax.jit(lambda c: Newton().solve(coupled(c), jnp.array([1.0, 1.0, 2.0])))(1.3)
    np.testing.assert_allclose(root.x, [1.3, 1.3**2, np.exp(1.3)], rtol=1e-15)
    assert int(root.result) == OK
    assert float(root.residual) < 1e-15
    assert 3 <= int(root.iterations) <= 7


START = np.array([1.0, 1.0, 2.0])


@pytest.fixture(scope="module")
def scaled_newton():
    """Newton on `coupled(1.3)` in other units of x and f: one compilation for all of them."""

    @jax.jit
    def run(start, x_scale, f_scale):
        f = lambda x: f_scale * coupled(1.3)(x / x_scale)
        return Newton().solve(f, start * x_scale, scale=f_scale), Newton().solve(f, start * x_scale)

    return run


def test_newton_stops_early_from_a_good_guess(scaled_newton):
    exact = np.array([1.3, 1.3**2, np.exp(1.3)])
    counts = [
        int(scaled_newton(exact + d, 1.0, 1.0)[0].iterations) for d in (0.0, 1e-11, 1e-5, 1e-2)
    ]
    assert counts[0] == counts[1] == 1
    assert counts[2] == 2
    assert counts[3] <= 4


@pytest.mark.parametrize("x_scale", [1e-20, 1.0, 1e20])
@pytest.mark.parametrize("f_scale", [1e-30, 1.0, 1e30])
def test_newton_is_invariant_under_units(scaled_newton, x_scale, f_scale):
    exact = [1.3, 1.3**2, np.exp(1.3)]
    pairs = zip(scaled_newton(START, x_scale, f_scale), scaled_newton(START, 1.0, 1.0))
    for root, plain in pairs:  # with a scale given, and without
        assert abs(int(root.iterations) - int(plain.iterations)) <= 1
        assert int(root.result) == OK
        np.testing.assert_allclose(root.x / x_scale, exact, rtol=1e-14)
        assert float(root.residual) < 1e-14


def test_newton_result_codes():
    no_root = Newton().solve(lambda x: x**2 + 1.0, jnp.array([0.7]))
    assert int(no_root.result) == NO_CONVERGENCE
    assert float(no_root.residual) >= 1.0
    assert int(no_root.iterations) == 20
    nan = Newton().solve(lambda x: jnp.log(x), jnp.array([3.0]))  # the first step leaves the domain
    assert int(nan.result) == NOT_FINITE
    assert int(nan.iterations) < 20
    singular = Newton().solve(lambda x: x @ jnp.ones(2) * jnp.ones(2) - 1.0, jnp.array([0.2, 0.1]))
    assert int(singular.result) == NOT_FINITE
    few = Newton(max_iterations=2).solve(lambda x: x**3 - 2.0, jnp.array([1.0]))
    assert int(few.result) == NO_CONVERGENCE
    assert int(few.iterations) == 2


def test_newton_finds_the_root_zero():
    """No step is small relative to x = 0: the residual has to end the iteration."""
    find = jax.jit(lambda x: Newton().solve(jnp.sin, x))
    for start in (0.0, 1e-12, 0.5):
        root = find(jnp.array([start]))
        assert int(root.result) == OK
        assert abs(float(root.x[0])) < 1e-15
        assert int(root.iterations) <= 5


def test_newton_ends_in_the_noise_of_a_root_at_zero():
    """A body at rest in equilibrium: what is left of f is round-off, and no place to spin."""
    root = jax.jit(lambda x: Newton().solve(lambda y: 2.0 * y - jnp.sin(jnp.pi + y), x))(
        jnp.zeros(1)
    )
    assert int(root.result) == OK
    assert int(root.iterations) <= 8


def test_newton_derivative():
    """The implicit function theorem, forward and reverse, under jit and vmap."""

    def x(c):
        # a scale and a start that depend on c must not leak into the derivative
        return (
            Newton().solve(coupled(c), jnp.array([1.0, 1.0, 2.0]) * (1 + 0.01 * c), scale=1 + c).x
        )

    def expected(c):
        return np.stack([np.ones_like(c), 2 * c, np.exp(c)], axis=-1)

    c = np.array([0.8, 1.0, 1.3])
    forward, reverse = jax.jit(jax.vmap(lambda c: (jax.jacfwd(x)(c), jax.jacrev(x)(c))))(c)
    np.testing.assert_allclose(forward, expected(c), rtol=1e-13)
    np.testing.assert_allclose(reverse, expected(c), rtol=1e-13)


def test_newton_second_derivative():
    x = lambda c: Newton().solve(lambda x: x**3 - c, jnp.ones(1)).x[0]
    for second in (jax.grad(jax.grad(x)), jax.jacfwd(jax.jacfwd(x))):
        np.testing.assert_allclose(jax.jit(second)(2.0), -2 / 9 * 2.0 ** (-5 / 3), rtol=1e-13)


def test_newton_vmap_certifies_each_member():
    """One member without a root does not spoil the others, and is told apart."""
    c = jnp.array([4.0, -1.0, 9.0])
    roots = jax.vmap(lambda c: Newton().solve(lambda x: x**2 - c, jnp.array([1.7])))(c)
    np.testing.assert_allclose(roots.x[::2, 0], [2.0, 3.0], rtol=1e-15)
    assert roots.result.tolist() == [OK, NO_CONVERGENCE, OK]


def test_every_code_has_a_message():
    assert set(linalg.MESSAGES) == set(range(len(linalg.MESSAGES)))


# -- inverse, rank, quadrature -------------------------------------------------------------------


@pytest.mark.parametrize("normal", [False, True])
def test_inverse_and_its_derivatives(normal):
    turn = jnp.array([[1.0, 0.4, -0.2], [-0.4, 1.0, 0.7], [0.2, -0.7, 1.0]])  # e + hat(w): normal
    A = turn if normal else jnp.array([[0.0, 2.0, 1.0], [1.0, 0.1, 0.0], [0.3, 0.0, -1.0]])

    def f(x):
        return linalg.inverse(x * A, normal=normal)

    np.testing.assert_allclose(f(1.0), np.linalg.inv(A), atol=1e-14)
    for derivative in (jax.jacfwd(f), jax.jacrev(f)):
        np.testing.assert_allclose(derivative(1.0), -np.linalg.inv(A), atol=1e-14)
    np.testing.assert_allclose(jax.jacfwd(jax.jacfwd(f))(1.0), 2 * np.linalg.inv(A), atol=1e-13)


def test_rank_is_measured_by_the_largest_value_or_by_a_size():
    A = np.diag([1e5, 1.0, 1e-5])
    assert linalg.rank(A) == 2 and linalg.rank(A, 1e-3) == 1
    assert linalg.rank(A, size=1.0) == 3 and linalg.rank(np.zeros((0, 3))) == 0
    assert linalg.rank(np.zeros((2, 3))) == 0


def test_rank_of_a_constraint_does_not_depend_on_units():
    rows, metric = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]), np.diag([1.0, 4.0, 9.0])
    found = linalg.row_rank(rows, metric)
    assert found[:2] == (2, 2) and 1.0 < found.condition < 10.0
    # the second row in other units, and all lengths in millimeters
    other = linalg.row_rank(1e3 * rows * [[1.0], [1e9]], 1e6 * metric)
    assert other.rank == 2 and other.condition == pytest.approx(found.condition)
    assert linalg.row_rank(np.zeros((0, 3))) == (0, 0, 1.0)


@pytest.mark.parametrize(
    "rows, rank",
    [
        ([[1.0, 2.0], [2.0, 4.0]], 1),
        ([[1.0, 0.0], [0.0, 0.0]], 1),
        ([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], 2),
    ],
)
def test_dependent_rows_have_no_condition(rows, rank):
    assert linalg.row_rank(np.array(rows)) == (rank, len(rows), np.inf)


def test_rank_where_there_is_no_metric():
    rows = np.ones((1, 2))
    for bad in (-np.eye(2), np.full((2, 2), np.nan), np.zeros((2, 2))):
        assert np.isnan(linalg.row_rank(rows, bad).condition)
    assert np.isnan(linalg.row_rank(np.array([[np.inf, 1.0]])).condition)


def test_gauss_rule():
    nodes, weights = linalg.gauss_rule(3)
    for k in range(6):
        assert weights @ nodes**k == pytest.approx(1 / (k + 1), abs=1e-15)
    assert weights @ nodes**6 != pytest.approx(1 / 7, abs=1e-5)
    nodes, weights = linalg.gauss_rule(4, panels=8)
    assert nodes.shape == weights.shape == (32,) and np.all(np.diff(nodes) > 0)
    assert weights @ np.exp(nodes) == pytest.approx(np.e - 1, abs=1e-14)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_dominant_matrices_are_solved_without_pivots(n):
    """Also where rows are scaled by what squares to nothing, or to infinity."""
    rng = np.random.default_rng(n)
    for size in (1.0, 1e-200, 1e200):
        A = rng.uniform(-1.0, 1.0, (n, n))
        A *= 0.49 / np.sum(np.abs(A - np.diag(np.diag(A))), axis=1, keepdims=True)
        A[np.diag_indices(n)] = rng.choice([-1.0, 1.0], n)
        b = rng.normal(size=(n, 2))
        assert linalg._is_dominant(jnp.asarray(A))
        scale = size ** rng.uniform(0.5, 1.0, (n, 1))
        found = linalg._solve_dominant(jnp.asarray(A * scale), jnp.asarray(b * scale))
        np.testing.assert_allclose(found, np.linalg.solve(A, b), rtol=1e-13, atol=1e-14)
