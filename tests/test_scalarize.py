"""Code evaluated number by number computes what the arrays compute."""

from unittest import mock

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import dalembert as da
from compiled import jit
from dalembert import linalg
from dalembert.compile.cpu import kernels, llvm
from dalembert.compile.cpu.kernels import MapKernel
from dalembert.compile.function import Function
from dalembert.compile.ir import constant_folding, tape
from dalembert.compile.ir.interpret import interpreted
from dalembert.compile.ir.record import record, recorded
from dalembert.compile.ir.tape import Unsupported
from dalembert.compile.layout import Layout
from dalembert.compile.tracing import active, rarely, to_be_compiled
from dalembert.compile.xla import quick_options
from dalembert.linalg import Newton
from dalembert.methods import registry as methods
from dalembert.request.step import initial_state, one_step
from dalembert.system import as_arrays
from dalembert.systems import registry as systems

A = jnp.arange(12.0).reshape(3, 4) / 7 - 0.6


def seldom(which, rare, usual):
    """A branch, as `rarely` records it; outside of a recording that takes its first way always."""
    return rarely(which, rare, usual) if active() else lax.cond(which, rare, usual)


x = jnp.array([0.3, -1.2, 2.0])


NOWHERE = llvm.Disk(None)  # what is found on disk is not recorded


def both(f, *args):
    """f, and f by numbers: by native code, which the tape's interpreter agrees with."""
    with to_be_compiled():  # as runs on arrays are
        plain = jit(f, compiler_options=quick_options())(*args)
    given = Layout(args).pack_numpy(args)
    tapes = []  # of the kernel: recording is what costs

    def recording(traced, memory=False):
        tapes.append(recorded(traced, memory))
        return tapes[-1]

    with (
        mock.patch.object(kernels, "recorded", recording),
        mock.patch.object(llvm, "disk", NOWHERE),
    ):
        kernel = MapKernel(f, *args)
    found = kernel(given[None])[0]
    by_hand = interpreted(tapes[0], given)
    np.testing.assert_allclose(found, np.array(by_hand, float), rtol=1e-12, atol=1e-12)
    return plain, kernel.results.unpack(found)


def after_loop(x, goes_on):
    """A function of what a loop ends with, which the loop has computed if it made a turn."""

    def turn(c):
        y = 0.5 * c[0] - 0.1
        return y, c[1] + 1, c[2] + jnp.cos(y)

    y, _, total = lax.while_loop(lambda c: goes_on(*c[:2]), turn, (x, 0, 0.0 * x))
    return total, jnp.cos(y) * y


def operations(f, *args) -> list[str]:
    recorded = record(lambda a: f(*a), args)
    return recorded.tape.operations(recorded.needed())


FUNCTIONS = {
    "matmul": lambda A, x: A.T @ A @ (A.T @ x),
    "batched": lambda A, x: jnp.einsum("ij,ik->ijk", A, A).sum(axis=(0, 2)),
    "elementwise": lambda A, x: jnp.sin(A) ** 3 + jnp.exp(-(A**2)) / (2 + jnp.tanh(A)) - A**-2,
    "angles": lambda A, x: (jnp.arctan2(A, 1 + A**2), jnp.sqrt(jnp.abs(A)), jnp.sign(A)),
    "reductions": lambda A, x: (A.max(axis=0), A.min(), A.prod(axis=1), jnp.all(A > 0), A.sum()),
    "movement": lambda A, x: (A.T[::-1], jnp.pad(A, 1), jnp.roll(A, 1, axis=1), A.reshape(2, 6)),
    "cutting": lambda A, x: (
        lax.pad(A, 0.5, [(-1, 2, 0), (1, -2, 1)]),
        lax.pad(x, 1.5, [(-2, -1, 2)]),
        lax.pad(x[:0], 1.5, [(2, -1, 0)]),
        jax.jacrev(lambda y: jnp.concatenate([y[1:], y]))(x),
    ),
    "joining": lambda A, x: (jnp.concatenate([A, A], 1), jnp.stack([x, x]), jnp.split(A, 2, 1)),
    "indices": lambda A, x: (A[1], A[:, 2], A[jnp.array([2, 0])], A.at[1].set(0.0), A[-1, ::2]),
    "adding": lambda A, x: A.at[jnp.array([0, 0, 2])].add(A),
    "matrices": lambda A, x: (jnp.diag(x), jnp.trace(A[:, :3]), jnp.tril(A), jnp.cross(x, 2 * x)),
    "computed index": lambda A, x: (
        A[(7 * x[0]).astype(int), 1],
        A[:, (2 * x[2]).astype(int)],
        x.at[(9 * x[0]).astype(int)].add(1.0),
        x.at[(3 * x[0]).astype(int)].set(-1.0),
        lax.dynamic_slice(A, ((9 * x[0]).astype(int), 1), (2, 2)),
        lax.dynamic_update_slice(A, A[:2, :2], ((-9 * x[0]).astype(int), 1)),
        A[jnp.array([0, 2]), (jnp.abs(x[:2])).astype(int)],
    ),
    "tables": lambda A, x: jnp.interp(x, jnp.linspace(-2, 3, 9), jnp.linspace(1, 2, 9) ** 2),
    "order": lambda A, x: (jnp.sort(A, axis=0), jnp.sort(A[::-1], axis=1), jnp.argsort(x)),
    "extremes": lambda A, x: (jnp.argmax(A), jnp.argmin(A, axis=0), jnp.argmax(A == A[0, 0])),
    "cumulative": lambda A, x: (jnp.cumsum(A, 1), jnp.cumprod(x), lax.cummax(A, 0, reverse=True)),
    "where": lambda A, x: jnp.where(A > 0, A, -2 * A),
    "cond": lambda A, x: lax.cond(x[0] > 0, lambda y: y + 1, lambda y: y - 1, x),
    "cond the other way": lambda A, x: lax.cond(x[1] > 0, lambda y: y + 1, lambda y: y - 1, x),
    "scan": lambda A, x: lax.scan(lambda c, r: (c * r[0], c + r.sum()), x[0], A),
    "scan in reverse": lambda A, x: lax.scan(lambda c, r: (c + r, c), A[0], A, reverse=True),
    "fori": lambda A, x: lax.fori_loop(0, 5, lambda i, y: y + i * x, x),
    "while": lambda A, x: lax.while_loop(lambda y: y[0] < 9, lambda y: 1.7 * y + 0.1, x),
    # a loop that would not end where the branch is not taken
    "loop in a branch": lambda A, x: lax.cond(
        x[1] > 0,
        lambda: x,
        lambda: lax.while_loop(lambda y: y[1] < 1, lambda y: y + jnp.abs(x), x),
    ),
    "loop in no branch": lambda A, x: lax.cond(
        x[0] > 0, lambda: x, lambda: lax.while_loop(lambda y: y[1] < 1, lambda y: y + x, x)
    ),
    "rarely": lambda A, x: (
        seldom(x[0] > 0, lambda: jnp.sqrt(x[2]) * x, lambda: x),
        seldom(x[0] < 0, lambda: jnp.sqrt(x[1]) * x, lambda: 2.0 * x),
    ),
    "after the last turn": lambda A, x: after_loop(x[0], lambda y, i: i < 3),
    "after no turn": lambda A, x: after_loop(x[0], lambda y, i: y < -5.0),
    "loops of many": lambda A, x: jax.vmap(
        lambda a: lax.while_loop(lambda y: y > 0.1, lambda y: 0.5 * y, a)
    )(x),
    "switch": lambda A, x: lax.switch(
        (3 * x[0]).astype(int), [lambda y: y, lambda y: 2 * y, lambda y: y**2], x
    ),
    "long loop": lambda A, x: lax.fori_loop(0, 100, lambda i, y: 0.9 * y + x * i, x),
    "derivatives": lambda A, x: (jax.jacfwd(jnp.cos)(x), jax.hessian(lambda y: (y**3).sum())(x)),
    "sums with negatives": lambda A, x: (x + -jnp.sin(x), -jnp.sin(x) + x, x - -jnp.cos(x)),
    "negatives": lambda A, x: (x * -x - -x, 0 - x, x - (-(2 * x)), x * -1.0, -(x * 0.5) * 4),
    "twice": lambda A, x: (x + x, 2.0 * (0.5 * x), 0.25 * (x + x), x - x),
    "whole numbers": lambda A, x: (jnp.arange(3) * 2, (x > 0).astype(int), jnp.int32(7)),
    "solves": lambda A, x: linalg.solve(A @ A.T + jnp.eye(3), x),
    "factorizations": lambda A, x: (
        jnp.linalg.solve(A[:, :3] + jnp.eye(3), x),
        jnp.linalg.inv(A[:, 1:] - 2 * jnp.eye(3)),
        jnp.linalg.det(A.T @ A + jnp.eye(4)),
        jnp.linalg.cholesky(A @ A.T + jnp.eye(3)),
        jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(A @ A.T + jnp.eye(3)), True), x),
        jax.scipy.linalg.solve_triangular(A[:, :3] + 2 * jnp.eye(3), x, trans=1),
        jnp.linalg.slogdet(A[:, :3] - jnp.eye(3)),
        jax.grad(lambda y: jnp.linalg.solve(jnp.diag(y) + A[:, :3], y).sum())(x),
    ),
    "whole division": lambda A, x: lax.div(jnp.array([7, 7]), jnp.array([2, -2])) + x[0],
    "known, not finite": lambda A, x: jnp.where(jnp.isnan(0.0 * jnp.array([jnp.inf])), x[:1], 0.0),
    "no obstacles": lambda A, x: jnp.sum((jnp.zeros((0, 3)) - x[None]) ** 2, axis=1).sum() + x,
    "nothing": lambda A, x: (jnp.zeros((0, 3)), jnp.zeros(0).sum(), A[:, :0] @ jnp.zeros(0)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_by_numbers_as_by_arrays(name):
    plain, numbers = both(FUNCTIONS[name], A, x)
    assert jax.tree.structure(plain) == jax.tree.structure(numbers)
    for a, b in zip(jax.tree.leaves(plain), jax.tree.leaves(numbers), strict=True):
        assert a.shape == b.shape
        tol = 1e-13 if name == "factorizations" else 4e-16  # sums in another order
        np.testing.assert_allclose(a, b, rtol=tol, atol=tol)


def test_wrong_rule_is_seen(monkeypatch):
    """The comparison above can fail: with a subtraction turned round it does."""
    monkeypatch.setitem(
        constant_folding._SIMPLIFY, "sub", lambda t, d, a, b: t.make("sub", d, b, a)
    )
    with pytest.raises(AssertionError):
        test_by_numbers_as_by_arrays("elementwise")


def test_known_numbers_cost_nothing():
    """A product with a mass matrix m 1 is one multiplication for each entry."""
    made = operations(lambda m, x: (m * jnp.eye(3)) @ x, jnp.ones(()), x)
    assert made == ["mul"] * 3
    # a solve with it divides once, and looks for no pivot among zeros
    made = operations(lambda m, x: linalg.solve_spd(m * jnp.eye(3), x), jnp.ones(()), x)
    assert made.count("div") == 1 and made.count("mul") <= 4


def test_equal_operations_are_made_once():
    made = operations(lambda x: (jnp.sin(x[0]) + 1) * (jnp.sin(x[0]) + 1), x)
    assert made == ["sin", "add", "mul"]


def test_newton_on_a_linear_equation_is_one_step():
    def linear(a, b):
        return Newton().solve(lambda y: a * y - b, jnp.zeros(1)).x

    def bent(a, b):
        return Newton().solve(lambda y: a * y + 0.1 * y**3 - b, jnp.zeros(1)).x

    a, b = jnp.array([2.0]), jnp.array([3.0])
    assert "loop" not in operations(linear, a, b)
    assert "loop" in operations(bent, a, b)
    for f in (linear, bent):
        plain, numbers = both(f, a, b)
        np.testing.assert_allclose(plain, numbers, rtol=1e-15)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: jnp.linalg.svd(jnp.outer(x, x))[1],
        lambda x: jnp.sort(jnp.sin(x[0] * jnp.arange(40.0))),
        lambda x: jnp.arange(1000.0)[x[0].astype(int)],
        lambda x: lax.scan(lambda c, _: (c + 1, c), x, length=1000)[1],
        lambda x: jnp.abs(x * (1 + 1j)),
        lambda x: x.astype(jnp.float32) * 2,
        lambda x: lax.reduce(x, 0.3, lambda a, b: a + b * b, (0,)),
    ],
)
def test_what_has_no_rule_says_so(function):
    with pytest.raises(Unsupported):
        operations(function, x)


def test_what_the_last_turn_has_computed_is_not_computed_again():
    certain = operations(lambda x: after_loop(x, lambda y, i: i < 3), x[0])
    open_how_many = operations(lambda x: after_loop(x, lambda y, i: y > 0.1), x[0])
    assert certain.count("cos") == 1 and open_how_many.count("cos") == 2


def test_a_rare_way_is_no_part_of_the_others():
    short = lambda which: lambda x: which(x[0] > 0, lambda: jnp.sqrt(x[2]) * x, lambda: x)
    assert operations(short(rarely), x).count("branch") == 1
    by_choice = operations(short(lambda p, yes, no: lax.cond(p, yes, no)), x)
    assert by_choice.count("branch") == 0 and by_choice.count("select") == 3


def test_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(tape, "LARGEST", 20)
    with pytest.raises(Unsupported, match="operations"):
        operations(lambda x: jnp.outer(jnp.sin(x), x) @ jnp.cos(x), jnp.arange(5.0))
    with pytest.raises(Unsupported, match="faster"):
        operations(lambda x: jnp.outer(x, x) @ x, jnp.arange(800.0))


def test_unsupported_steps_fall_back_to_arrays():
    """An operation without rule inside of the potential: `simulate` runs it all the same."""

    class Sorted(da.MechanicalSystem):
        space = da.Euclidean(2)
        mass = jnp.eye(2)

        def potential(self, q):
            return 0.5 * jnp.sum(jnp.real(q.astype(complex)) ** 2)

    class Plain(Sorted):
        def potential(self, q):
            return 0.5 * jnp.sum(q**2)

    start = jnp.array([0.3, 0.1]), jnp.array([0.0, 1.0])
    a, b = (da.simulate(s(), da.GNI(), *start, h=0.1, steps=50) for s in (Sorted, Plain))
    np.testing.assert_allclose(a.q, b.q, rtol=0, atol=1e-14)


# -- what is made once, or less often ------------------------------------------------------------


def test_factors_that_change_less_often_are_multiplied_there():
    """(h, the state): h (x/m) is (h/m) x, with h/m outside of the loop over steps."""
    found = record(lambda h, x: h * (x * (1.0 / (3.0 * h))) - h * -(h * x), x[0], x[1])
    outer, inner = found.tape.levels
    assert [v.op for v in inner.items if v.number in found.needed()] == ["mul", "mul", "add"]
    numbers = interpreted(found, [0.3, -1.7])
    np.testing.assert_allclose(numbers, -1.7 / 3.0 + 0.3**2 * -1.7, rtol=1e-15)


def test_flags_are_not_asked_twice():
    def f(y):
        ok = jnp.isfinite(y)
        code = jnp.where(ok, jnp.where(ok, y, 3.0), 4.0)
        return lax.cond(ok, lambda: code, lambda: jnp.sin(y))

    found = record(f, x[0])
    assert found.tape.operations(found.needed()).count("select") <= 2
    for y in (0.5, np.inf):
        np.testing.assert_allclose(interpreted(found, [y]), f(jnp.asarray(y)), rtol=1e-15)


@pytest.mark.parametrize("n", [3, 5])
def test_matrices_with_a_large_diagonal_need_no_pivots(n):
    found = record(lambda given: linalg.solve(*given), (jnp.eye(n), jnp.ones(n)))
    assert "branch" in found.tape.operations(found.needed())
    rng = np.random.default_rng(n)
    noise, b = rng.uniform(-1, 1, (n, n)), rng.normal(size=n)
    scales = 10.0 ** rng.integers(-9, 9, (n, 1))
    large = noise + 3.0 * n * np.eye(n)
    others = noise, np.roll(large, 1, axis=0), scales * large, scales * np.roll(large, 1, axis=0)
    for A in (large, *others):
        y = np.array(interpreted(found, [*A.flat, *b]))
        assert np.all(np.abs(A @ y - b) <= 1e-14 * (np.abs(A) @ np.abs(y)))
    for bad in (np.ones((n, n)), np.where(np.eye(n) > 0, np.nan, noise)):
        assert np.isnan(interpreted(found, [*bad.flat, *b])).any()


def test_a_zero_on_the_diagonal_is_seen_while_recording():
    """Then there is one way only: a multiplier's row has such a zero."""
    mask = 1.0 - jnp.diag(jnp.array([0.0, 0.0, 1.0]))
    found = record(lambda given: linalg.solve(mask * given[0], given[1]), (jnp.eye(3), x))
    assert "branch" not in found.tape.operations(found.needed())


# -- steps ---------------------------------------------------------------------------------------

# loops in loops, branches, a group; all systems and methods: tests/test_engines.py
PAIRS = [("contact-oscillator", m) for m in ("gni-midpoint", "gauss-2", "leapfrog-4")]
PAIRS += [("suslov", "dla-midpoint")]


@pytest.mark.parametrize("system_name, method_name", PAIRS)
def test_one_step_by_numbers(system_name, method_name):
    system, method = systems[system_name](), methods[method_name]()
    q, v = system.initial()
    h, t0 = np.asarray(0.02), np.asarray(0.1)
    dynamic, static = as_arrays(system)
    state = Function(lambda q, v: initial_state(system, method, t0, h, q, v), q, v)(q, v)

    def step(dynamic, t0, h, state):
        state = one_step(eqx.combine(dynamic, static), method, t0, h, state)
        if hasattr(state.carry, "jet"):  # high derivatives, for a guess: round-off over h^k
            state = state._replace(carry=state.carry._replace(jet=0.0 * state.carry.jet))
        return state._replace(row=state.row._replace(residual=0.0 * state.row.residual))

    plain, numbers = both(step, dynamic, t0, h, state)
    for a, b in zip(jax.tree.leaves(plain), jax.tree.leaves(numbers), strict=True):
        scale = 1.0 + np.max(np.abs(a), initial=0.0)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * scale)


def test_powers_of_two_go_to_what_changes_less_often():
    def force(k, q):
        return jax.grad(lambda q: 0.5 * k * q[0] ** 2 * q[1] ** 2)(q)

    found = record(force, np.zeros(()), np.zeros(2))
    needed = found.needed()
    last = [x for x in found.tape.levels[-1].items if x.number in needed]
    assert len(last) == 6 and not any(tape.known(y) for x in last for y in x.operands)
    values = interpreted(found, np.array([3.0, 0.7, -1.1]))
    np.testing.assert_allclose(values, force(3.0, jnp.array([0.7, -1.1])), rtol=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_powers_of_two_do_not_go_back_and_forth(seed):
    """Products of products on three levels: recording ends, and they are what they were."""
    random = np.random.default_rng(seed)
    plan = random.integers(0, 1 << 30, (60, 3))

    def products(*groups):
        made = [x for group in groups for x in group]
        for a, b, power in plan:
            made.append(2.0 ** (power % 5 - 2) * (made[a % len(made)] * made[b % len(made)]))
        return jnp.stack(made[-20:])

    groups = [random.uniform(0.9, 1.1, 2) for _ in range(3)]
    found = record(products, *(np.zeros(2) for _ in groups))
    values = interpreted(found, np.concatenate(groups))
    np.testing.assert_allclose(values, products(*groups), rtol=1e-11)


@pytest.mark.parametrize("jumps", [False, True])
def test_an_equation_without_a_slope_is_linear_only_if_it_is(jumps):
    """Of a step in a function its Jacobian tells nothing: from elsewhere it is another equation."""

    def root(x0, edge):
        def f(x):
            side = jnp.where(x[0] > edge[0], 1.0, -1.0) if jumps else edge[0]
            return 2.0 * x - 3.0 - side

        return Newton().solve(f, x0, terms=lambda x: jnp.max(jnp.abs(x)) + 4.0).x

    found = record(root, np.zeros(1), np.zeros(1))
    assert ("loop" in found.tape.operations()) == jumps
    plain, mine = both(root, np.array([0.4]), np.array([0.5]))
    np.testing.assert_allclose(mine, plain, rtol=1e-14)
