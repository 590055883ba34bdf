"""Native code: what it computes, alone and in vectors, what it costs on disk, what it refuses."""

import dataclasses
import hashlib
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import dalembert as da
from compiled import forget_native
from dalembert.compile.cache.code_key import lasting_key
from dalembert.compile.cpu import kernels, llvm
from dalembert.compile.cpu.kernels import MapKernel, StepKernel
from dalembert.compile.cpu.loop_emit import Steps
from dalembert.compile.ir.record import record, trace
from dalembert.compile.ir.tape import Tape
from dalembert.compile.layout import Layout

# -- the tape -----------------------------------------------------------------------------------


def test_a_tape_can_be_read():
    recorded = record(lambda x: jnp.sin(x) * jnp.sin(x) + 1.0, jnp.zeros(()))
    assert recorded.tape.text(recorded.outputs) == (
        "level 0:\n  %2:d = sin %1:d\n  %3:d = mul %2:d, %2:d\n  %4:d = add %3:d, d:1.0\ngive %4:d"
    )
    same = record(lambda y: jnp.sin(y) * jnp.sin(y) + 1.0, jnp.zeros(()))
    other = record(lambda y: jnp.sin(y) * jnp.sin(y) + 2.0, jnp.zeros(()))
    assert recorded.tape.hash(recorded.outputs) == same.tape.hash(same.outputs)
    assert recorded.tape.hash(recorded.outputs) != other.tape.hash(other.outputs)


def test_numbers_without_sign():
    def f(x):
        a = jnp.uint32(x)
        return jnp.sign(a), ~a, jnp.sign(jnp.int32(x) - 2), ~jnp.uint64(x), ~(x > 1.0)

    kernel = MapKernel(f, np.zeros(()))
    wanted = [[0, 2**32 - 1, -1, 2.0**64 - 1, 1], [1, 2**32 - 4, 1, 2.0**64 - 4, 0]]
    np.testing.assert_array_equal(kernel(np.array([[0.0], [3.0]])), wanted)


def test_many_rows_are_shared_by_cores(monkeypatch):
    """Whatever their number, each row is that of the function, in its place."""
    monkeypatch.setattr(kernels, "cores", lambda: 3)
    kernel = MapKernel(lambda x: (x[0] * x[1], x[0] - x[1]), np.zeros(2))
    for n in (1, kernels._SHARE, 2 * kernels._SHARE, 5 * kernels._SHARE + 7):
        x = np.random.default_rng(n).normal(size=(n, 2))
        expected = np.stack([x[:, 0] * x[:, 1], x[:, 0] - x[:, 1]], axis=1)
        np.testing.assert_array_equal(kernel(x), expected)


def test_what_does_not_change_in_a_loop_is_not_in_it():
    def f(a, x):
        return lax.while_loop(lambda y: y < 9.0, lambda y: y + jnp.exp(a) * jnp.cos(a), x)

    recorded = record(lambda given: f(*given), (jnp.zeros(()), jnp.zeros(())))
    (outer,) = recorded.tape.levels
    assert [x.op for x in outer.items[:-1]] == ["exp", "cos", "mul"]
    assert recorded.tape.operations(recorded.needed())[3:] == ["loop", "lt", "add"]


def test_dead_parts_of_a_loop_are_left_out():
    def f(x):
        return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.sin(c[1])), (0, x))[0]

    recorded = record(f, jnp.zeros(()))
    assert "sin" not in recorded.tape.operations(recorded.needed())
    assert "sin" in recorded.tape.operations()


def test_branches_keep_to_themselves():
    """What a way computes is not computed outside of it, however often it is needed inside."""
    tape = Tape()
    x = tape.input(float)
    flag = tape.make("lt", bool, x, np.float64(0))
    sin = lambda: [tape.make("sin", float, x)]
    tape.branch(flag, [float], sin, sin)
    assert [getattr(i, "op", "branch") for i in tape.levels[0].items] == ["lt", "branch"]


# -- steps ---------------------------------------------------------------------------------------


class Falling:
    """x' = a x by Euler's method: a failure when x > 50, a stop when x > 20 (if asked)."""

    def __init__(self, stop=math.inf, fail=math.inf):
        def step(h, a, state):
            k, x, _, _, _, _ = state
            x = x + h * a * x
            result = jnp.where(x > fail, 2, 0).astype(jnp.int32)
            residual = jnp.maximum(jnp.abs(jnp.sin(1.0 * k)), state[2])
            return k + 1, x, residual, result, x > stop, 10.0 * x

        one = jnp.zeros(())
        state = (jnp.asarray(0), one, one, jnp.int32(0), jnp.asarray(False), one)
        self.recorded = record(step, one, one, state)
        self.steps = Steps(self.recorded, k=0, residual=2, result=3, stopped=4, kept=[0, 1, 2, 5])

    def run(self, a, stride, steps, last=None, capacity=50, many=False, k=0, table=None):
        kernel = StepKernel(lambda: self.steps, many)
        n = len(a)
        if table is None:
            table = np.zeros((7, n))
            table[0], table[2] = a, 1.0
        rows = np.full((capacity, 4, n), np.nan)
        shared = np.array([0.1])
        last = steps if last is None else last
        count = kernel(shared, table, rows, (0, n), k, stride, steps, last)
        return rows[:count], table


def test_rows_of_a_loop():
    rows, table = Falling().run([1.0], 4, 10)
    k, x, residual, scaled = rows[:, :, 0].T
    np.testing.assert_array_equal(k, [4, 8, 10])
    np.testing.assert_allclose(x, 1.1**k, rtol=1e-14)
    np.testing.assert_allclose(scaled, 10 * x, rtol=1e-15)
    worst = [np.abs(np.sin(np.arange(a, b))).max() for a, b in ((0, 4), (4, 8), (8, 10))]
    np.testing.assert_allclose(residual, worst, rtol=1e-15)
    assert table[1, 0] == 10 and table[2, 0] == x[-1] and table[6, 0] == scaled[-1]


def test_a_loop_in_parts_is_the_loop():
    whole, end = Falling().run([1.0], 4, 10)
    table, found, k = None, [], 0
    for last in (3, 4, 5, 9, 10):
        rows, table = Falling().run([1.0], 4, 10, last=last, k=k, table=table)
        found.append(rows)
        k = last
    np.testing.assert_array_equal(np.concatenate(found), whole)
    np.testing.assert_array_equal(table, end)


def test_a_full_buffer_ends_a_call():
    rows, table = Falling().run([1.0], 1, 10, capacity=3)
    assert len(rows) == 3 and table[1, 0] == 3


@pytest.mark.parametrize("how", ["stop", "fail"])
def test_stops_and_failures_end_a_run(how):
    rows, table = Falling(**{how: 2.0}).run([1.0], 100, 1000)
    steps = math.ceil(math.log(2.0) / math.log(1.1))
    assert rows[:, 0, 0] == [steps] and table[1, 0] == steps
    assert table[4, 0] == (2 if how == "fail" else 0) and table[5, 0] == (how == "stop")


def test_vectors_of_members():
    a = np.linspace(0.1, 1.0, 2 * llvm.vector_width())
    rows, table = Falling(fail=2.0).run(a, 5, 23, many=True)
    for i in range(len(a)):
        alone, _ = Falling().run([a[i]], 5, 23)
        np.testing.assert_allclose(rows[:, :, i], alone[:, :, 0], rtol=1e-14)
    assert rows[:, 0, 0].tolist() == [5, 10, 15, 20, 23]
    assert (table[4] == 2 * (table[2] > 2.0)).all() and table[4].any() and not table[4].all()


def test_members_end_loops_by_themselves():
    """Newton's iteration for a root: each member takes as many rounds as it needs."""
    many = llvm.vector_width()

    def step(shared, a, state):
        k, x, residual, result, stopped, rounds = state
        on = lambda c: (jnp.abs(c[0] ** 2 - a) > 1e-14 * a) & (c[1] < 60)
        x, n = lax.while_loop(on, lambda c: (0.5 * (c[0] + a / c[0]), c[1] + 1), (1.0 + 0 * x, 0))
        way = lambda: lax.while_loop(lambda y: y < 100.0, lambda y: y * a, x)
        y = lax.cond(a > 2.0, way, lambda: x)  # endless for members that do not go it
        return k + 1, y, residual, result, stopped, 1.0 * n

    one = jnp.zeros(())
    state = (jnp.asarray(0), one, one, jnp.int32(0), jnp.asarray(False), one)
    steps = Steps(record(step, one, one, state), 0, 2, 3, 4, [1, 5])
    a = np.geomspace(1.0, 1e6, many)
    table = np.zeros((7, many))
    table[0] = a
    rows = np.zeros((2, 2, many))
    assert (
        StepKernel(lambda: steps, many=True)(np.zeros(1), table, rows, (0, many), 0, 1, 1, 1) == 1
    )
    root, rounds = rows[0]
    expected = [x * y ** max(math.ceil(math.log(100.0 / x) / math.log(y)), 0) if y > 2 else x
                for x, y in zip(np.sqrt(a), a)]  # fmt: skip
    np.testing.assert_allclose(root, expected, rtol=1e-12)
    assert rounds[0] == 0 and np.all(np.diff(rounds) >= 0) and rounds[-1] > 10


@pytest.mark.parametrize("name", ["sin", "cos", "exp", "log", "tan", "tanh", "atan2", "pow"])
def test_functions_of_vectors(name):
    """Of the library of C for vectors at most 4 units in the last place, as its manual says."""
    rng = np.random.default_rng(5)
    n = 64 * llvm.vector_width()
    wide = rng.uniform(-1, 1, n) * 10.0 ** rng.integers(-8, 4, n)
    x, y = {
        "exp": (rng.uniform(-50, 50, n), wide),
        "log": (np.abs(wide), wide),
        "pow": (np.abs(wide), rng.uniform(-3, 3, n)),
    }.get(name, (wide, rng.uniform(-2, 2, n)))
    f = lambda x, y: {"atan2": lax.atan2, "pow": lax.pow}.get(
        name, lambda x, _: getattr(lax, name)(x)
    )(x, y)

    def step(shared, own, state):
        k, _, residual, result, stopped = state
        return k + 1, f(*own), residual, result, stopped

    one = jnp.zeros(())
    state = (jnp.asarray(0), one, one, jnp.int32(0), jnp.asarray(False))
    steps = Steps(record(step, one, (one, one), state), 0, 2, 3, 4, [1])
    table = np.zeros((7, n))
    table[:2] = x, y
    rows = np.zeros((2, 1, n))
    StepKernel(lambda: steps, many=True)(np.zeros(1), table, rows, (0, n), 0, 1, 1, 1)
    alone = MapKernel(f, one, one)(np.stack([x, y], axis=1))[:, 0]
    off = np.abs(rows[0, 0] - alone) / np.spacing(np.abs(alone))
    assert off.max() <= 5.0


# -- nothing is lost -------------------------------------------------------------------------------


class Behind(da.System):
    """A potential whose square root of 1 - x is multiplied by zero: it is a NaN beyond x = 1."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        hidden = jnp.array([0.0, 1.0]) @ jnp.stack([jnp.sqrt(1.0 - q[0]), q[1]])
        return 0.5 * v @ v - hidden


@pytest.mark.parametrize("engine", ["native", "arrays"])
def test_a_nan_behind_a_known_zero_is_a_failure(engine):
    with pytest.raises(da.SimulationError, match="not a number"):
        da.simulate(
            Behind(), da.RK4(), [0.0, 0.0], [1.0, 0.0], h=0.1, steps=30, engine=engine
        )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Careless(da.GNI):
    """It changes the velocity after the step has seen it on the constraint."""

    def step(self, system, t, h, carry):
        advance = super().step(system, t, h, carry)
        assert advance.settled is not None and advance.settled.is_about(advance.row)
        return advance._replace(row=advance.row._replace(v=advance.row.v + 1e-6))


def test_a_velocity_that_was_changed_is_looked_at_again():
    with pytest.raises(da.SimulationError, match="off the constraint"):
        da.simulate(da.systems.ChaplyginSleigh(), Careless(), h=0.1, steps=3, engine="native")


# -- engines -------------------------------------------------------------------------------------


class Plain(da.MechanicalSystem):
    space = da.Euclidean(2)
    mass = jnp.eye(2)

    def potential(self, q):
        return 0.5 * jnp.sum(q**2)


class Complex(Plain):
    """It has no rule, whatever rules come."""

    def potential(self, q):
        return 0.5 * jnp.sum(jnp.real(jnp.fft.ifft(jnp.fft.fft(q))) ** 2)


def test_the_engine_is_told():
    run = {"h": 0.05, "steps": 4}
    method, start = da.Leapfrog(), ([0.3, 0.1], [0.0, 1.0])
    native, arrays = (
        da.simulate(Plain(), method, *start, **run, engine=e) for e in (None, "arrays")
    )
    assert (native.meta.engine, native.meta.engine_reason) == ("native", "")
    assert (arrays.meta.engine, arrays.meta.engine_reason) == ("arrays", "asked for")
    np.testing.assert_allclose(native.q, arrays.q, rtol=0, atol=1e-14)
    other = da.simulate(Complex(), method, *start, **run)
    assert other.meta.engine == "arrays" and "complex" in other.meta.engine_reason
    with pytest.raises(da.UsageError, match="cannot run this: numbers of type complex"):
        da.simulate(Complex(), method, *start, **run, engine="native")
    with pytest.raises(da.UsageError, match="one of native, gpu, arrays"):
        da.simulate(Plain(), method, *start, **run, engine="fast")
    traced = jax.jit(lambda q: da.simulate(Plain(), method, q, start[1], **run))(jnp.ones(2))
    assert traced.meta.engine == "arrays" and "transformation" in traced.meta.engine_reason


def test_arrays_that_ran_are_differentiated_as_others():
    """Compiled for a run they are traced without derivatives, in one place only."""
    end = lambda v, **how: da.simulate(
        Plain(), da.Gauss(1), [0.3, 0.1], v, h=0.05, steps=3, **how
    ).q[-1]
    v, e = jnp.array([0.0, 1.0]), 1e-6
    slope = (end(v + e, engine="arrays") - end(v - e, engine="arrays")) / (2 * e)
    found = jax.grad(lambda v: jnp.sum(end(v)))(v)  # reverse mode: not through a loop
    np.testing.assert_allclose(found, slope, rtol=1e-8)


# -- code on disk ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(llvm, "disk", llvm.Disk(tmp_path / "code"))
    return tmp_path / "code"


def double(c):
    return MapKernel(lambda x: c * x, jnp.zeros(()))(np.array([[3.0]]))[0, 0]


def test_code_is_found_again(folder):
    assert double(5.0) == 15.0 and (llvm.disk.hits, llvm.disk.misses) == (0, 1)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert double(5.0) == 15.0 and (llvm.disk.hits, llvm.disk.misses) == (1, 1)
    assert double(7.0) == 21.0 and llvm.disk.misses == 2


def test_what_is_on_disk_can_be_removed(folder):
    double(5.0)
    da.clear_compiled(on_disk=True)
    assert not list(folder.iterdir()) and double(5.0) == 15.0


def test_keeping_can_be_switched_off(folder):
    da.keep_compiled_code(False)
    assert llvm.disk.folder is None and double(5.0) == 15.0 and not folder.exists()


def test_code_that_was_changed_is_not_run(folder):
    double(5.0)
    by_name_and_by_text = list(folder.iterdir())
    assert len(by_name_and_by_text) == 2
    for kept in by_name_and_by_text:
        data = bytearray(kept.read_bytes())
        data[-1] ^= 1
        kept.write_bytes(data)
    assert double(5.0) == 15.0 and llvm.disk.hits == 0
    kept = by_name_and_by_text[0]
    # of another name, with a checksum that fits the content
    other = folder / kept.name.replace(kept.name[:4], "0000")
    other.write_bytes(kept.read_bytes())
    assert llvm._read(other) is None and llvm._read(kept) is not None
    assert (
        hashlib.sha256(kept.name.encode() + kept.read_bytes()[32:]).digest()
        == (kept.read_bytes()[:32])
    )


def test_a_folder_that_others_may_write_to_is_left_alone(folder):
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    assert double(5.0) == 15.0 and not list(folder.iterdir())
    folder.chmod(0o700)
    double(5.0)
    assert list(folder.iterdir())
    folder.chmod(0o770)
    assert double(5.0) == 15.0 and llvm.disk.hits == 0


def sleigh_run(**parameters):
    """What another process would do: nothing compiled is in memory."""
    forget_native()
    sleigh = da.systems.ChaplyginSleigh(**parameters)
    traj = da.simulate(sleigh, da.Gauss(1), h=0.1, steps=5)
    return np.column_stack([traj.q, da.diagnostics.energy(sleigh, traj)])


def test_another_process_need_not_trace(folder, monkeypatch):
    first = sleigh_run()
    with monkeypatch.context() as m:
        for name in (
            "compile.cpu.kernels.trace",
            "compile.cpu.llvm._compiled",
            "running.programs.step_kernel.trace",
        ):
            m.setattr(f"dalembert.{name}", None)
        assert sleigh_run().tobytes() == first.tobytes()
        assert np.max(np.abs(sleigh_run(a=0.4) - first)) > 1e-4  # parameters are numbers to it
        with pytest.raises(TypeError, match="NoneType"):
            da.simulate(da.systems.ChaplyginSleigh(), da.Gauss(3), h=0.1, steps=5)


class Sleigh(da.systems.ChaplyginSleigh):
    """Of a user: found by what it is traced to."""

    def potential(self, q):
        return 0.0 * q[0]


def test_code_of_a_user_is_found_by_what_was_traced(folder, monkeypatch):
    def run(cls):
        forget_native()
        return da.simulate(cls(), da.Gauss(1), h=0.1, steps=5).q

    first = run(Sleigh)
    with monkeypatch.context() as m:
        for name in (
            "compile.cpu.kernels.recorded",
            "compile.cpu.llvm._compiled",
            "running.programs.step_kernel.recorded",
        ):
            m.setattr(f"dalembert.{name}", None)
        assert run(Sleigh).tobytes() == first.tobytes()
        m.setattr(Sleigh, "lagrangian", lambda self, q, v: 0.5 * v @ v - q[0] * q[1])
        with pytest.raises(TypeError, match="NoneType"):
            run(Sleigh)


TABLE = np.array([0.25, 0.5])


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (lambda x, c=2.0: {"a": jnp.sin(c * x), "b": x @ TABLE}, True),
        (lambda x, c=3.0: {"a": jnp.sin(c * x), "b": x @ TABLE}, False),
        (lambda x, c=2.0: {"a": jnp.cos(c * x), "b": x @ TABLE}, False),
        (lambda x, c=2.0: {"a": jnp.sin(c * x), "b": x @ (2 * TABLE)}, False),
        (lambda x, c=2.0: {"a": jnp.sin(c * x[::-1]), "b": x @ TABLE}, False),
        (lambda x, c=2.0: {"a": lax.fori_loop(0, 2, lambda i, y: c * y, x), "b": x @ TABLE}, False),
    ],
)
def test_a_digest_sees_constants_operations_and_loops(other, same):
    def one(x, c=2.0):
        return {"a": jnp.sin(c * x), "b": x @ TABLE}

    given = jnp.ones(2)
    assert (trace(one, given).digest() == trace(other, given).digest()) is same
    assert trace(one, given).digest() != trace(one, given).digest("another use")
    assert trace(one, given).digest() != trace(one, given.astype(jnp.float32)).digest()


def test_loops_are_told_apart_and_what_calls_back_has_no_digest():
    def loop(n, c):
        return lambda x: lax.fori_loop(0, n, lambda i, y: c * y, x)

    one = jnp.ones(2)
    found = {trace(loop(n, c), one).digest() for n in (2, 3) for c in (2.0, 3.0)}
    assert len(found) == 4 and None not in found
    shape = jax.ShapeDtypeStruct((2,), float)
    assert trace(lambda x: jax.pure_callback(np.sin, shape, x), one).digest() is None


def test_code_of_others_is_no_key(monkeypatch):
    class Mine(da.systems.ChaplyginSleigh):
        pass

    sleigh = da.systems.ChaplyginSleigh()
    key = lasting_key(type(sleigh), da.Gauss(2), (1.0, "a", None, np.ones(2)))
    assert key is not None
    assert key == lasting_key(type(sleigh), da.Gauss(2), (1.0, "a", None, np.ones(2)))
    assert key != lasting_key(type(sleigh), da.Gauss(3), (1.0, "a", None, np.ones(2)))
    assert key != lasting_key(type(sleigh), da.Gauss(2), (1.0, "a", None, np.zeros(2)))
    held = da.hybrid.held(da.systems.NonholonomicParticle(), lambda q: q[1])
    for x in (Mine, Mine(), type(held), held, lambda x: x, np.sin, math, object(), {1, 2}):
        assert lasting_key(x) is None
    before = lasting_key(type(sleigh))
    with monkeypatch.context() as m:
        m.setattr(da.systems.ChaplyginSleigh, "reference", "elsewhere")
        assert lasting_key(type(sleigh)) not in (None, before)
    with monkeypatch.context() as m:
        m.setattr(da.systems.ChaplyginSleigh, "constraint", lambda self, q: jnp.zeros((1, 3)))
        assert lasting_key(type(sleigh)) is None
    for name, value in {
        "constraint": property(lambda self: 1.0),  # a user's property, method of a class, object
        "path": classmethod(lambda cls: 1.0),
        "space": da.hybrid.held,
    }.items():
        with monkeypatch.context() as m:
            m.setattr(da.systems.ChaplyginSleigh, name, value)
            assert (lasting_key(type(sleigh)) is None) == (name != "space")
            assert lasting_key(type(sleigh)) != before
    assert lasting_key(type(sleigh)) == before


def test_layouts_hold_whole_numbers_and_flags():
    given = (jnp.arange(3), jnp.array([True, False]), jnp.ones(2))
    layout = Layout(given)
    kernel = MapKernel(lambda i, b, x: (i + 1, ~b, 2 * x, i.astype(jnp.int32)), *given)
    i, b, x, j = kernel.results.unpack(kernel(layout.pack_numpy(given)[None])[0])
    assert i.tolist() == [1, 2, 3] and b.tolist() == [False, True] and x.tolist() == [2.0, 2.0]
    assert j.dtype == np.int32
