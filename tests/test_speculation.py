"""Speculative blocks of steps on a GPU: their results are those of checked steps."""

import ctypes
import re

import equinox as eqx
import jax
import jax.numpy as jnp
import llvmlite.binding as llvm
import numpy as np
import pytest

import dalembert as da
from compiled import forget_native
from dalembert.compile.cache.code_key import CodeKey
from dalembert.compile.cpu.llvm import Native
from dalembert.compile.cpu.loop_emit import stepping
from dalembert.compile.gpu import ptx, speculative_emit
from dalembert.compile.gpu.speculation import Assumptions
from dalembert.compile.gpu.speculative_emit import CheckedEmitter, SpeculativeEmitter, speculation
from dalembert.compile.ir import record
from dalembert.compile.layout import Layout
from dalembert.request.prepare import as_arrays, plan_for
from dalembert.running.programs.step_kernel import steps_of

MEMBERS = 12


def text_of(system, method, **options):
    dynamic, static = as_arrays(system)
    plan = plan_for(system, method, dynamic, static)
    nobody = Layout(eqx.filter(dynamic, False))
    steps = steps_of(plan, plan.parameters, nobody, CodeKey(None))
    return stepping(steps, 1, {}, speculate=speculation, **options)


def is_speculative(system, method):
    return "\nblind:" in text_of(system, method, many=True)


@pytest.fixture
def lost(monkeypatch):
    """The number of blocks that were lost."""
    count = ctypes.c_int64(0)
    here = f"inttoptr (i64 {ctypes.addressof(count)} to ptr)"
    add = f"  %n0 = load volatile i64, ptr {here}\n  %n1 = add i64 %n0, 1\n"
    add += f"  store volatile i64 %n1, ptr {here}\n"

    def counted(*given, **options):
        return stepping(*given, **options).replace("\nlost:\n", f"\nlost:\n{add}")

    monkeypatch.setattr(ptx, "stepping", counted)
    forget_native()
    yield count
    forget_native()


@pytest.fixture
def branches(monkeypatch):
    """Short ways of a branch are ways, too."""
    monkeypatch.setattr(record, "_LARGEST_WAY", 5)
    forget_native()
    yield
    forget_native()


def both(system, method, q, v, **options):
    return [
        da.simulate_ensemble(system, method, q, v, engine=engine, **options)
        for engine in ("native", "gpu")
    ]


def assert_same(native, kernel, rtol=1e-10):
    for name in ("steps_done", "result", "ended"):
        np.testing.assert_array_equal(getattr(native, name), getattr(kernel, name), err_msg=name)
    for name in ("t", "q", "v", "p", "multiplier"):
        a, b = getattr(native, name), getattr(kernel, name)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-12, err_msg=name)
    # known to twenty bits, and never less than it is, but for what rounding makes of other orders
    assert np.all(kernel.residual <= native.residual * (1 + 1e-5) + 1e-14)
    assert np.all(kernel.residual >= native.residual - 1e-14)


def near(system, scale=0.1):
    q, v = (np.asarray(x) for x in system.initial())
    speed = 1 + scale * np.arange(MEMBERS)[:, None] / MEMBERS
    return np.broadcast_to(q, (MEMBERS, *q.shape)), v * speed


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("chaotic-quartic", da.Leapfrog()),
        ("chaotic-quartic", da.RK4()),
        ("knife-edge", da.RK4()),
        ("chaplygin-sleigh", da.RK4()),
        ("nonholonomic-particle", da.Leapfrog()),
        ("nonholonomic-particle", da.methods.registry["mp-euler"]()),
        ("nonholonomic-particle", da.methods.registry["shake"]()),
    ],
)
def test_speculative_blocks_give_what_checked_steps_give(name, method, lost):
    system = da.systems.registry[name]()
    assert is_speculative(system, method)
    native, kernel = both(system, method, *near(system), h=0.01, steps=300, save_every=140)
    assert_same(native, kernel)
    assert not len(native.failed)
    assert lost.value <= 3 * MEMBERS  # they are hardly ever in vain


def test_a_loop_is_not_speculative():
    assert not is_speculative(da.systems.ChaplyginSleigh(), da.GNI())


class Wall(da.MechanicalSystem):
    """Free up to x = 1, where the force is no number; y is bound to x by the third number."""

    space, mass = da.Euclidean(3), np.eye(3)

    def potential(self, q):
        return 1e-3 * jnp.sqrt(1.0 - q[0])

    def constraint(self, q):
        return jnp.array([[1.0, -1.0 - 0.1 * q[2], 0.0]])


def wall():
    v = np.linspace(0.3, 1.5, MEMBERS)
    return np.zeros((MEMBERS, 3)), np.stack([v, v, 0.2 * v], axis=1)


@pytest.mark.parametrize("method", [da.Leapfrog(), da.RK4()])
def test_members_fail_at_their_own_step_in_the_middle_of_a_block(method, lost):
    assert is_speculative(Wall(), method)
    native, kernel = both(Wall(), method, *wall(), h=0.01, steps=150, save_every=150)
    assert 0 < len(native.failed) < MEMBERS
    assert len(set(native.steps_done)) > 4
    np.testing.assert_array_equal(native.steps_done, kernel.steps_done)
    np.testing.assert_array_equal(native.result, kernel.result)
    assert lost.value >= len(native.failed)


def test_without_the_look_failures_would_be_taken_for_success(monkeypatch):
    """So the test above tests something."""
    monkeypatch.setattr(SpeculativeEmitter, "must", lambda self, flag: None)
    forget_native()
    native, kernel = both(Wall(), da.Leapfrog(), *wall(), h=0.01, steps=150, save_every=150)
    assert not np.array_equal(native.steps_done, kernel.steps_done)
    forget_native()


class Contact(da.MechanicalSystem):
    """A spring that pushes below x = 0 only, by a branch one way of which computes nothing."""

    space, mass = da.Euclidean(1), np.eye(1)

    def potential(self, q):
        def squeezed(x):
            return 50.0 * x**2 + 1e-9 * long(x)

        return jax.lax.cond(q[0] < 0.0, squeezed, lambda x: 0.0 * x, q[0]) + 0.3 * q[0]


def test_ways_that_are_taken_now_and_then_are_taken(branches, lost):
    q, v = np.linspace(0.1, 1.0, MEMBERS)[:, None], np.zeros((MEMBERS, 1))
    native, kernel = both(Contact(), da.RK4(), q, v, h=0.01, steps=3000, save_every=1000)
    assert_same(native, kernel, rtol=1e-8)
    assert np.min(kernel.q) < 0.0 < np.max(kernel.q)
    assert is_speculative(Contact(), da.RK4()) and lost.value > MEMBERS


def long(x):
    """Long enough for a way of a branch not to be computed where it is not taken: `branches`."""
    for i in range(10):
        x = jnp.sin(x) + 0.01 * i
    return x


class Plane(da.MechanicalSystem):
    """Two springs."""

    space, mass = da.Euclidean(2), np.eye(2)

    def potential(self, q):
        return 0.5 * jnp.sum(q**2)


class ByQuotient(Plane):
    """A wall that is found by a quotient, as a residual is."""

    def potential(self, q):
        def behind():
            return 50 * (q[0] - 1.5) ** 2 + 1e-9 * long(q[0])

        return jax.lax.cond(q[0] / 1.5 <= 1.0, lambda: jnp.zeros(()), behind)


class NoNumber(Plane):
    """A constraint that is no number beyond x = 0.4."""

    def constraint(self, q):
        return jnp.array([[jnp.where(q[0] / 0.4 <= 1.0, 0.0, jnp.nan), 1.0]])


class Reused(Plane):
    """A question that is asked twice: of a branch, and of what is no number."""

    def constraint(self, q):
        fine = q[0] < 3.0
        x = jax.lax.cond(fine, lambda: long(q[0]), lambda: long(q[0] + 1))
        return jnp.array([[jnp.where(fine, 0.0, jnp.nan) + 0.01 * x, 1.0]])


class ByBranch(Plane):
    """A question that a branch answers."""

    def constraint(self, q):
        fine = jax.lax.cond(q[0] > 0.3, lambda: long(q[0]) > -5, lambda: long(q[1]) > -6)
        return jnp.array([[jnp.where(fine, 0.0, jnp.nan), 1.0]])


class Tiny(Plane):
    """A question of numbers of any size."""

    def constraint(self, q):
        near = jnp.abs(q[0]) <= 4 * jnp.abs(q[1])
        return jnp.array([[jnp.where(near, 0.0, jnp.nan), 1.0]])


@pytest.mark.parametrize(
    ("system", "method", "speeds"),
    [
        (ByQuotient(), da.Leapfrog(), (0.5, 2.0)),
        (NoNumber(), da.MPEuler(), (0.2, 2.0)),
        (Reused(), da.MPEuler(), (0.5, 2.0)),
        (ByBranch(), da.MPEuler(), (0.5, 2.0)),
        (Tiny(), da.MPEuler(), (1e-320, 1e-308)),
    ],
)
def test_what_is_assumed_is_asked(system, method, speeds, branches):
    q, v = np.zeros((2, MEMBERS, 2))
    v[:, 0] = np.linspace(*speeds, MEMBERS)
    options = {"h": 0.02, "steps": 200, "save_every": 200, "project": True}
    native, kernel = both(system, method, q, v, **options)
    np.testing.assert_array_equal(native.steps_done, kernel.steps_done)
    np.testing.assert_array_equal(native.result, kernel.result)
    np.testing.assert_allclose(native.q, kernel.q, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("unit", [0.0, 1e-150, 1e-3, 1e120])
def test_at_rest_and_in_any_unit(unit):
    system = da.systems.ChaoticQuartic(coupling=0.0)
    q, v = near(system)
    options = {"h": 0.01, "steps": 200, "save_every": 100, "project": True}
    native, kernel = both(system, da.Leapfrog(), 0 * q, unit * v, **options)
    np.testing.assert_array_equal(native.steps_done, kernel.steps_done)
    np.testing.assert_array_equal(native.result, kernel.result)
    np.testing.assert_allclose(native.v, kernel.v, rtol=1e-10, atol=1e-12 * unit)


@pytest.mark.parametrize("method", ["leapfrog", "rk4", "mp-euler", "mp-euler-adjoint", "shake"])
def test_the_text_is_that_of_llvm(method):
    """Also of a GPU, where nothing of it runs here."""
    llvm.initialize_all_targets()
    system = da.systems.ChaoticQuartic()
    for on_gpu in (False, True):
        text = text_of(system, da.methods.registry[method](), many=not on_gpu, on_gpu=on_gpu)
        llvm.parse_assembly(text).verify()


def test_the_block_of_a_gpu_has_no_branch_and_no_slow_division():
    text = ptx.ptx(text_of(da.systems.ChaoticQuartic(), da.Leapfrog(), on_gpu=True, crowded=True))
    assert ".maxnreg 80" in text
    assert "nreg" not in ptx.ptx(text_of(da.systems.ChaoticQuartic(), da.Leapfrog(), on_gpu=True))
    assert "nreg" not in ptx.ptx(
        text_of(da.systems.ChaoticQuartic(), da.RK4(), on_gpu=True, crowded=True)
    )
    at = text.index("max.u32")  # the worst residual
    begin, end = text.rindex("$L__", 0, at), text.index("bra", at)
    block = text[begin:end]
    assert block.count("rcp.approx.ftz.f64") == 2  # a quotient, and the residual
    assert "div." not in block and "call" not in block and "st." not in block
    assert "fma.rn.f64" in block


def test_the_residual_of_the_last_step_of_a_block_is_judged_behind_it():
    """Those of the others are judged beside the next step."""
    text = text_of(da.systems.ChaoticQuartic(), da.Leapfrog(), many=True)
    block, look = (text.split(f"\n{x}:\n")[1].split("\n  br ")[0] for x in ("blind", "check"))
    for part in (block, look):
        assert part.count("@llvm.umax") == 1
    judged = re.search(r"fmul double (%h\d+), (%h\d+)\n", look)
    assert judged and f"%h.top = phi double [ 0x0000000000000000, %save ], [ {judged[1]}," in block
    assert re.search(r"fmul double %h.top, %h\d+\n", block)


@pytest.fixture
def divided_as_on_a_gpu(monkeypatch):
    """With a reciprocal of twenty bits."""

    def rough(self, x):
        y = self.new(f"fdiv double {self.constant(np.float64(1))}, {x}")
        bits = self.new(f"bitcast double {y} to i64")
        bits = self.new(f"and i64 {bits}, {-(1 << 32)}")
        return self.new(f"bitcast i64 {bits} to double")

    monkeypatch.setattr(CheckedEmitter, "about_one_over", rough)
    monkeypatch.setattr(CheckedEmitter, "divides_slowly", True)
    forget_native()
    yield
    forget_native()


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("chaotic-quartic", da.Leapfrog()),
        ("chaotic-quartic", da.RK4()),
        ("vertical-rolling-disk", da.Leapfrog()),
        ("knife-edge", da.RK4()),
    ],
)
def test_speculative_and_checked_steps_agree_to_the_last_bit(
    name, method, divided_as_on_a_gpu, monkeypatch
):
    """So a run is the same however it is cut, and whatever is lost on the way."""
    system = da.systems.registry[name]()
    assert is_speculative(system, method)
    options = {"h": 0.05, "steps": 2000, "save_every": 500, "engine": "gpu"}
    q, v = near(system)
    speculative = da.simulate_ensemble(system, method, q, v, **options)
    monkeypatch.setattr(speculative_emit, "_BLOCK", 0)
    forget_native()
    checked = da.simulate_ensemble(system, method, q, v, **options)
    for x in ("q", "v", "p", "multiplier"):
        np.testing.assert_array_equal(getattr(speculative, x), getattr(checked, x), err_msg=x)


def test_the_short_quotient_is_right_to_the_last_digit(divided_as_on_a_gpu):
    nothing = Assumptions({}, [], [], [], None, False, np.int32(0), set())
    h = SpeculativeEmitter(CheckedEmitter({}, "", "t"), nothing)
    quotient = h.quotient_on_gpu("%a", "%b")
    doubt = h.constant(np.float64(np.nan))
    h.say(f"ret double {h.new(f'select i1 {h.ok}, double {quotient}, double {doubt}')}")
    text = h.module("define double @run(double %a, double %b)")
    double = ctypes.c_double
    divided = Native(lambda: (text, None), double, double, double)

    random = np.random.default_rng(1)
    a, b = random.choice([-1, 1], (2, 4000)) * 2.0 ** random.uniform(-200, 200, (2, 4000))
    found = np.array([divided.call(x, y) for x, y in zip(a, b)])
    assert np.all(np.abs(found - a / b) <= np.spacing(np.abs(a / b)))
    assert np.mean(found == a / b) > 0.999
    for x in (0.0, -0.0):
        for y in (3.0, -3.0):
            zero = divided.call(x, y)
            assert zero == 0.0 and np.signbit(zero) == np.signbit(x / y)
    for x, y in (
        (1.0, 0.0),
        (1.0, 1e-300),
        (1.0, np.inf),
        (1e300, 1.0),
        (np.nan, 1.0),
        (1.0, np.nan),
    ):
        assert np.isnan(divided.call(x, y))  # in doubt


def test_checked_steps_become_more_where_blocks_are_lost(monkeypatch, lost):
    system, length = da.systems.ChaoticQuartic(), 4000
    step, call, given = SpeculativeEmitter.step, ptx.InterpretedSteps.__call__, []

    def doubtful(self, tape):
        step(self, tape)
        self.must("false")

    def caught(self, shared, table, *counts):
        given.append((self, np.array(shared), np.array(table)))
        return call(self, shared, table, *counts)

    monkeypatch.setattr(SpeculativeEmitter, "step", doubtful)
    monkeypatch.setattr(ptx.InterpretedSteps, "__call__", caught)
    native, _ = both(system, da.Leapfrog(), *near(system), h=0.01, steps=length, save_every=length)
    kernel, shared, table = given[0]
    lost.value = 0
    rows, _ = call(kernel, shared, table, 0, length, length, length)  # in one call
    q = np.asarray(rows)[0, 2 : 2 + system.dim, :MEMBERS].T  # behind k and t
    np.testing.assert_allclose(native.q[:, -1], q, rtol=1e-6)
    members = table.shape[1]
    # 64 + 0, 64 + 64, 64 + 192, 64 + 448, 64 + 960, then 64 + 1024 steps for each block
    assert lost.value == members * 7
