"""`Stepper`: the bits of `simulate`, members by themselves, failures, and the pure form."""

import copy
import os
import pickle
import subprocess
import sys
import threading
import tracemalloc

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from features import PUSHED, START

SLEIGH = da.systems.ChaplyginSleigh()
CPU = jax.devices("cpu")[0]
H, U = 0.02, np.array([0.3, -0.2])
METHODS = [da.Gauss(2), da.DLA(), da.GNI(), da.RK4()]


class Walled(da.System):
    """A mass whose potential ends at x = 1."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 1e-3 * jnp.log(1.0 - q[0])


@pytest.fixture(scope="module")
def pushed():
    return da.Stepper(PUSHED, da.RK4(), h=H)  # which compiles fast


@pytest.fixture(scope="module")
def many():
    return da.Stepper(PUSHED, da.RK4(), h=H, members=5)


def same(state, traj):
    for name in ("t", "q", "v", "p", "multiplier"):
        assert jax.tree.all(
            jax.tree.map(
                lambda a, b: np.array_equal(a, b[-1]), getattr(state, name), getattr(traj, name)
            )
        ), name


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_bits_of_simulate(method):
    stepper = da.Stepper(SLEIGH, method, h=H)
    assert stepper.engine.name == "native"
    for _ in range(7):
        state = stepper.step()
    same(state, da.simulate(SLEIGH, method, h=H, steps=7))
    same(stepper.step(steps=5), da.simulate(SLEIGH, method, h=H, steps=12))


def test_members_on_a_group():
    system = da.systems.BallOnTurntableGlobal()
    stepper = da.Stepper(system, da.RK4(), h=H, members=3)
    members = stepper.step(steps=6)
    assert [x.shape for x in members.q] == [(3, 2), (3, 3, 3)]
    assert np.shares_memory(members.q[1], stepper._table)
    traj = da.simulate(system, da.RK4(), h=H, steps=6)
    np.testing.assert_allclose(members.q[1][1], traj.q[1][-1], rtol=0, atol=1e-15)


def test_bits_of_a_reduced_system():
    system = da.systems.Suslov()
    stepper = da.Stepper(system, da.GNI(), h=H)
    traj = da.simulate(system, da.GNI(), h=H, steps=6)
    same(stepper.step(steps=6), traj)
    assert np.array_equal(stepper.state.frame, traj.frame[-1])


def test_bits_of_leapfrog():
    system = da.systems.ChaoticQuartic()
    stepper = da.Stepper(system, da.Leapfrog(), h=H)
    same(stepper.step(steps=9), da.simulate(system, da.Leapfrog(), h=H, steps=9))


def test_inputs_are_arguments():
    pushed = da.Stepper(PUSHED, h=H)
    pushed.reset(*START)
    for _ in range(4):
        state = pushed.step(U)
    same(state, da.simulate(PUSHED, *START, h=H, steps=4, u=U))
    # by name, where an input that is not named is zero
    second = PUSHED.input_labels[1]
    by_name, by_array = (da.Stepper(PUSHED, h=H) for _ in range(2))
    for stepper, u in ((by_name, {second: U[1]}), (by_array, np.array([0.0, U[1]]))):
        stepper.reset(*START)
        stepper.step(u)
    assert np.array_equal(by_name.state.q, by_array.state.q)
    with pytest.raises(da.UsageError, match="no_such"):
        by_name.step({"no_such": 1.0})
    # without an input: the system itself, not one with a zero force
    pushed.reset(*START)
    same(pushed.step(steps=4), da.simulate(PUSHED, *START, h=H, steps=4))
    # another input from there on, as a run that starts there
    pushed.reset(*START)
    pushed.step(U, steps=3)
    middle = pushed.state.copy()
    after = pushed.step(-U, steps=3)
    again = da.simulate(PUSHED, middle.q, middle.v, t0=middle.t, h=H, steps=3, u=-U)
    np.testing.assert_allclose(after.q, again.q[-1], rtol=0, atol=1e-13)
    assert np.abs(after.q - middle.q).max() > 1e-2
    assert after.steps == 6


def test_time_of_each_member_is_its_own():
    class Shaken(da.System):
        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def force(self, t, q, v):
            return jnp.array([jnp.sin(3.0 * t)])

    start = np.array([0.1]), np.array([0.2])
    stepper = da.Stepper(Shaken(), da.RK4(), h=H, members=3)
    stepper.reset(*start, t=[0.0, 1.0, 7.3])
    stepper.step(steps=3)
    stepper.reset(*start, t=2.5, where=[1])
    stepper.step(steps=4)
    for i, (t0, steps) in enumerate([(0.0, 7), (2.5, 4), (7.3, 7)]):
        alone = da.simulate(Shaken(), da.RK4(), *start, t0=t0, h=H, steps=steps)
        assert stepper.state.t[i] == alone.t[-1]
        np.testing.assert_allclose(stepper.state.q[i], alone.q[-1], rtol=0, atol=1e-16)
    assert stepper.state.steps.tolist() == [7, 4, 7]


def test_members_with_inputs_and_parameters():
    n = 6
    m = np.linspace(0.5, 2.0, n)
    q, v = (np.broadcast_to(x, (n, 3)) for x in START)
    u = np.linspace(-0.3, 0.3, 2 * n).reshape(n, 2)
    system = type(PUSHED)(m=m)
    stepper = da.Stepper(system, da.RK4(), h=H, members=n)
    stepper.reset(q, v)
    for _ in range(5):
        stepper.step(u)
    held = da.control.PerMember(da.control.Constant(u))
    ensemble = da.simulate_ensemble(system, da.RK4(), q, v, h=H, steps=5, u=held)
    assert np.array_equal(stepper.state.q, ensemble.q[:, -1])
    assert np.array_equal(stepper.state.v, ensemble.v[:, -1])
    pure = jax.jit(stepper.pure)(stepper.state, u)
    assert np.array_equal(pure.q, stepper.step(u).q)


def test_views_copies_snapshots(pushed):
    pushed.reset(*START)
    q, kept, snap = pushed.state.q, pushed.state.copy(), pushed.snapshot()
    pushed.step(U)
    assert q is pushed.state.q and not np.array_equal(q, kept.q)
    pushed.step(U, steps=4)
    ended = pushed.state.copy()
    pushed.restore(snap)
    assert np.array_equal(pushed.state.q, kept.q)
    pushed.step(U, steps=5)
    assert np.array_equal(pushed.state.q, ended.q) and pushed.state.t == ended.t


def test_members_are_reset_by_themselves(many):
    many.reset(*START)
    many.step(U, steps=3)
    before = many.snapshot()
    speeds = np.array([[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]])
    many.reset(np.zeros(3), speeds, where=np.array([False, True, False, False, True]))
    assert np.array_equal(many.state.v[[1, 4]], speeds)
    assert np.array_equal(many.state.q[[0, 2, 3]], before.q[[0, 2, 3]])
    assert many.state.steps.tolist() == [3, 0, 3, 3, 0]
    many.restore(before, where=[4])
    assert many.state.steps.tolist() == [3, 0, 3, 3, 3]
    many.step(U)
    assert np.array_equal(many.state.q[4], many.state.q[0])


def test_a_failed_step_is_an_error_and_changes_nothing(pushed):
    pushed.reset(*START)
    pushed.step(U, steps=2)
    before = pushed.snapshot()
    with pytest.raises(da.SimulationError, match=r"at step 3, t = 0.06.*keeps its state") as e:
        pushed.step([np.nan, 0.0])
    assert e.value.step == 3 and e.value.time == pytest.approx(0.06)
    assert np.array_equal(pushed.state.q, before.q) and not pushed.state.failed
    pushed.step(U)

    walled = da.Stepper(Walled(), da.RK4(), h=0.1)
    walled.reset([0.0], [1.0])
    with pytest.raises(da.SimulationError, match="infinite or not a number"):
        walled.step(steps=40)
    assert walled.state.t == 0.0


def test_members_that_fail_are_marked():
    walled = da.Stepper(Walled(), da.RK4(), h=0.1, members=4)
    walled.reset([0.0], [[0.0], [1.0], [0.1], [1.0]])
    for _ in range(20):
        state = walled.step()
    assert state.failed.tolist() == [False, True, False, True]
    assert np.isnan(state.q[state.failed]).all() and np.isfinite(state.q[~state.failed]).all()
    assert 8 <= state.steps[1] < 20 == state.steps[0]
    walled.reset([0.0], [0.1], where=state.failed)
    assert not walled.step().failed.any()


def test_pure_inside_of_jax(pushed):
    pushed.reset(*START)
    start, inputs = pushed.snapshot(), np.linspace(0.0, 0.3, 8).reshape(4, 2)
    _, path = jax.lax.scan(lambda s, u: (pushed.pure(s, u),) * 2, start, inputs)
    for u in inputs:
        pushed.step(u)
    assert np.array_equal(path.q[-1], pushed.state.q) and path.t[-1] == pushed.state.t
    batch = jax.tree.map(lambda x: np.stack([x] * 3), start)
    each = jax.jit(jax.vmap(pushed.pure))(batch, inputs[:3])
    for i in range(3):
        one = pushed.pure(start, inputs[i])
        np.testing.assert_allclose(each.q[i], one.q, rtol=0, atol=1e-15)

    # the moment is v'[2]: the force along the blade does nothing to it
    turn = jax.jacfwd(lambda u: pushed.pure(start, u).v[2])(jnp.asarray(U))
    np.testing.assert_allclose(turn, [0.0, H], atol=1e-12)


def test_arrays_are_a_fallback_that_says_so(pushed):
    stepper = da.Stepper(PUSHED, da.RK4(), h=H, engine="arrays")
    assert stepper.engine.name == "arrays" and stepper.engine.reason == "asked for"
    for x in (stepper, pushed):
        x.reset(*START)
        x.step(U, steps=4)
    np.testing.assert_allclose(stepper.state.q, pushed.state.q, rtol=0, atol=1e-14)
    members = da.Stepper(PUSHED, da.RK4(), h=H, members=2, engine="arrays")
    members.reset(*START)
    members.step(U, steps=4)
    np.testing.assert_allclose(members.state.q[1], pushed.state.q, rtol=0, atol=1e-14)


@pytest.fixture(scope="module")
def there():
    """As on a GPU, whose kernel is interpreted on the CPU here."""
    return da.Stepper(PUSHED, da.RK4(), h=H, members=5, device=CPU, engine="gpu")


def test_members_on_a_device(many, there):
    assert there.engine.name == "gpu" and "interpreted" in there.engine.reason
    u = np.linspace(-0.3, 0.3, 10).reshape(5, 2)
    for x, given in ((many, u), (there, jnp.asarray(u))):
        x.reset(*START)
        x.step(given)
        before = x.snapshot()
        x.step(given, steps=3)
        x.reset(*START, where=[1, 3])
        x.step(-given, steps=2)
        x.step()
        assert x.step(U[None, :] + 0 * given).steps.tolist() == [8, 4, 8, 4, 8]
    for name in ("t", "q", "v", "p", "multiplier"):
        a, b = getattr(many.state, name), getattr(there.state, name)
        assert isinstance(b, jax.Array)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-15, err_msg=name)
    assert before.t[0] == H and float(before.q[0, 0]) > 0.0  # JAX arrays are not overwritten
    other = pickle.loads(pickle.dumps(there))
    many.restore(there.snapshot(), where=[0])
    assert np.array_equal(other.step(u).q, there.step(u).q)
    np.testing.assert_allclose(many.step(u).q, there.state.q, rtol=0, atol=1e-15)


def test_pure_on_a_device_is_one_launch_for_all_members(many, there):
    many.reset(*START)
    there.reset(*START)
    inputs = np.random.default_rng(0).normal(size=(3, 5, 2))
    end, _ = jax.jit(lambda s: jax.lax.scan(lambda s, u: (there.pure(s, u), None), s, inputs))(
        there.state
    )
    # and once more over copies of the members
    twice = jax.tree.map(lambda x: jnp.stack([x, x]), there.state)
    both = jax.vmap(there.pure)(twice, np.stack([inputs[0], inputs[1]]))
    for u in inputs:
        many.step(u)
    np.testing.assert_allclose(end.q, many.state.q, rtol=0, atol=1e-15)
    for i in (0, 1):
        many.reset(*START)
        np.testing.assert_allclose(both.q[i], many.step(inputs[i]).q, rtol=0, atol=1e-15)
    turn = jax.jacfwd(lambda u: there.pure(there.state, u).v[:, 2])(jnp.asarray(U))
    np.testing.assert_allclose(turn, np.tile([0.0, H], (5, 1)), atol=1e-12)


def test_steps_on_a_device_by_xla(many, there):
    """What a GPU does with a system for which there is no kernel."""
    from dalembert.running.programs.held_step import Own

    u = np.linspace(-0.3, 0.3, 10).reshape(5, 2)
    for x in (many, there):
        x.reset(*START)
        x.step(u)
    held = there.state.held
    own = Own(there._driven.own_there, jnp.asarray(u))
    found = there._driven.on_device.advance(None, own, held, 7)
    many.step(u, steps=7)
    np.testing.assert_allclose(found.state.row.q, many.state.q, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.good, many.state.steps)


def test_members_that_fail_on_a_device_are_marked():
    walled = da.Stepper(Walled(), da.RK4(), h=0.1, members=4, device=CPU, engine="gpu")
    walled.reset([0.0], [[0.0], [1.0], [0.1], [1.0]])
    for _ in range(20):
        state = walled.step()
    assert state.failed.tolist() == [False, True, False, True]
    assert np.isnan(state.q[state.failed]).all() and np.isfinite(state.q[~state.failed]).all()
    assert not walled.reset([0.0], [0.1], where=np.asarray(state.failed)).failed.any()
    assert not walled.step().failed.any()


def test_pickle_copy_threads(many):
    many.reset(*START)
    many.step(U)
    others = [pickle.loads(pickle.dumps(many)), copy.deepcopy(many)]
    many.step(-U, steps=2)
    for other in others:
        assert np.array_equal(other.step(-U, steps=2).q, many.state.q)
        assert np.array_equal(other.state.t, many.state.t)
    with many._lock, pytest.raises(da.UsageError, match="one thread at a time"):
        many.step(U)
    threads = [threading.Thread(target=lambda s: s.step(U, steps=50), args=(s,)) for s in others]
    for x in threads:
        x.start()
    for x in threads:
        x.join()
    assert np.array_equal(others[0].state.q, others[1].state.q)


_FORKED = """
import os, warnings
import numpy as np
import dalembert as da
steppers = [da.Stepper(da.systems.ChaplyginSleigh(), h=0.01, members=n) for n in (None, 64)]
for stepper in steppers:
    stepper.reset()
    stepper.step(steps=3)
def ends():
    return b"".join(np.asarray(x.step(steps=5).q).tobytes() for x in steppers)
warnings.simplefilter("ignore")  # of a fork beside threads
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, ends())
    os._exit(0)
print(os.read(read, 10_000) == ends())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_goes_on_by_itself():
    done = subprocess.run(
        [sys.executable, "-c", _FORKED], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "True\n"


def test_memory_is_flat(pushed):
    pushed.reset(*START)
    for _ in range(200):
        pushed.step(U)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(5000):
        pushed.step(U)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20_000  # less than four bytes a step


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda s: da.Stepper(PUSHED, da.Taylor(), h=H), "chooses the sizes of its steps"),
        (lambda s: da.Stepper(PUSHED, h=-1.0), "positive"),
        (lambda s: da.Stepper(PUSHED, h=H, members=0), "at least 1"),
        (lambda s: da.Stepper(PUSHED, h=H, device="tpu", members=2), "no such device here"),
        (lambda s: da.Stepper(PUSHED, h=H, device=CPU, engine="gpu"), "needs members=N"),
        (lambda s: da.Stepper(PUSHED, h=H, device=3), "device must be a JAX device"),
        (lambda s: da.Stepper(type(PUSHED)(m=np.ones(3)), h=H, members=5), "members differs"),
        (lambda s: s.step([1.0]), r"2 inputs, u0, u1: u must have the shape \(2,\) or \(5, 2\)"),
        (lambda s: s.step("left"), "u must be numbers"),
        (lambda s: s.step(U, steps=0), "at least 1"),
        (lambda s: s.reset(np.zeros(3)), "give both"),
        (lambda s: s.reset(np.zeros(3), [0.0, 1.0, 0.0]), r"constraint.*member 0 of 5"),
        (lambda s: s.reset(np.zeros(2), np.zeros(3)), r"q0 must have the shape \(3,\) or \(5, 3\)"),
        (lambda s: s.reset(np.zeros(3), np.zeros(3), where=[7]), "from 0 to 4"),
        (lambda s: s.reset(np.zeros(3), np.zeros(3), where=[True]), "5 entries"),
        (lambda s: s.restore(np.zeros(3)), "takes a state"),
        (lambda s: s.pure(s.state, np.zeros(3)), "2 inputs"),
    ],
)
def test_refusals(many, call, told):
    many.reset(*START)
    with pytest.raises(da.UsageError, match=told):
        call(many)


def test_a_system_without_inputs_takes_none():
    stepper = da.Stepper(SLEIGH, h=H)
    with pytest.raises(da.UsageError, match="has no inputs"):
        stepper.step([1.0])
    driven = da.Stepper(da.control.driven(PUSHED, [0.1, 0.0]), da.RK4(), h=H)
    with pytest.raises(da.UsageError, match="no default initial data: give q0 and v0"):
        driven.step()
    driven.reset(*START)
    with pytest.raises(da.UsageError, match="already has a control"):
        driven.step(U)


def test_an_input_that_is_not_finite_is_named():
    stepper = da.Stepper(da.systems.BalancingRobot(), da.RK4(), h=0.01)
    stepper.reset()
    stepper.step([0.0, 0.0])
    with pytest.raises(da.SimulationError, match=r"the input u = .*nan.* is not finite") as error:
        stepper.step([np.nan, 0.0])
    assert "smaller h" not in str(error.value) and stepper.state.t == 0.01
