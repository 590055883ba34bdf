"""Warm calls of `simulate` reuse what is known of a system, and notice every change of it.

`benchmarks/calls.py` measures what they cost; a test of it would depend on the machine.
"""

import gc
import json
import subprocess
import sys
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import parts
from dalembert.cli import listing
from dalembert.request import known as module
from dalembert.request.known import known
from dalembert.running import accuracy
from dalembert.running.programs import taylor_program

RUN = {"h": 0.05, "steps": 3}


class Oscillator(da.System):
    k: Any  # one number, or one for each direction
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * jnp.sum(self.k * q * q)


def end(system, **more):
    return np.asarray(da.simulate(system, [1.0, 2.0], [0.0, 0.0], **RUN, **more).q[-1])


def cart(**options):
    return parts.build(
        parts.Body("base", 2.0, inertia=(0.1, 0.1, 0.2)),
        parts.Planar("base", at=(0, 0, 0.1)),
        parts.Body("wheel", 0.4, inertia=(0.01, 0.02, 0.01)),
        parts.Revolute("wheel", "base", axis="y"),
        parts.Wheel("wheel", 0.1),
        parts.Motor("wheel"),
        **options,
    )


def test_a_system_met_before_is_known():
    sleigh = da.systems.ChaplyginSleigh()
    first = da.simulate(sleigh, **RUN)
    assert known(sleigh) is known(sleigh)
    assert np.array_equal(da.simulate(sleigh, **RUN).q, first.q)


def test_a_changed_array_in_a_field_is_noticed():
    k = np.array([1.0, 4.0])
    system = Oscillator(k)
    before = end(system)
    k *= 9.0
    after = end(system)
    assert np.array_equal(after, end(Oscillator(np.array([9.0, 36.0]))))
    assert not np.allclose(before, after, atol=1e-3)


def test_a_changed_field_is_noticed():
    system = Oscillator(1.0)
    end(system)
    object.__setattr__(system, "k", 9.0)
    assert np.array_equal(end(system), end(Oscillator(9.0)))


def test_changed_code_is_noticed(monkeypatch):
    system = Oscillator(1.0)
    before = end(system)
    monkeypatch.setattr(Oscillator, "lagrangian", lambda self, q, v: 0.5 * v @ v - 8.0 * q @ q)
    after = end(system)
    assert not np.allclose(before, after, atol=1e-3)
    monkeypatch.undo()
    assert np.array_equal(end(system), before)


def test_a_patched_class_of_the_library_is_noticed(monkeypatch):
    sleigh = da.systems.ChaplyginSleigh()
    before = da.simulate(sleigh, **RUN)
    assert da.simulate(sleigh, **RUN).meta.identity == before.meta.identity
    start = jnp.zeros(3), jnp.array([0.3, 0.0, 0.0])
    with monkeypatch.context() as patched:
        patched.setattr(da.systems.ChaplyginSleigh, "initial", lambda self: start)
        assert np.array_equal(da.simulate(sleigh, **RUN).v[0], start[1])
        patched.setattr(
            da.systems.ChaplyginSleigh, "force", lambda self, t, q, v: jnp.array([0.0, 0.0, 5.0])
        )
        assert da.simulate(sleigh, **RUN).v[-1, 2] > 0.1
    assert np.array_equal(da.simulate(sleigh, **RUN).q, before.q)


def test_a_wrong_start_is_refused_again_and_again():
    sleigh = da.systems.ChaplyginSleigh()
    for _ in range(3):
        with pytest.raises(da.UsageError, match="not on the constraint"):
            da.simulate(sleigh, np.zeros(3), np.array([0.0, 1.0, 0.0]), **RUN)
        da.simulate(sleigh, np.zeros(3), np.array([1.0, 0.0, 0.0]), **RUN)


def test_results_do_not_share_what_a_caller_may_change():
    system = Oscillator(np.array([1.0, 4.0]))
    first = da.simulate(system, [1.0, 2.0], [0.0, 0.0], **RUN)
    first.meta.parameters["k"][0] = 77.0
    first.saved["mine"] = 1
    second = da.simulate(system, [1.0, 2.0], [0.0, 0.0], **RUN)
    assert second.meta.parameters["k"] == [1.0, 4.0]
    assert second.saved == {}


def test_constant_inputs_of_one_system():
    machine = cart()
    for u in ([0.3], [0.5], (0.3,), np.array([0.7]), [0.5]):
        quick = da.simulate(machine, u=u, **RUN)
        plain = da.simulate(cart(), u=u, **RUN)
        assert np.array_equal(quick.q, plain.q)
        assert quick.meta == plain.meta
    assert not np.array_equal(quick.q, da.simulate(machine, **RUN).q)
    with pytest.raises(da.UsageError, match="controls"):
        da.simulate(machine, u=[0.3, 0.4], **RUN)


def test_inputs_of_a_system_with_parameters_are_told():
    sleigh = da.systems.Snakeboard()
    count = len(sleigh.input_labels)
    for size in (0.1, 0.2, 0.1):
        traj = da.simulate(sleigh, u=[size] * count, **RUN)
        assert traj.meta.parameters["control.value"] == [size] * count


def test_parameters_that_change_are_other_parameters():
    machine = cart()
    heavy = machine.with_parameters(**{"base.mass": 5.0})
    a, b = (da.simulate(x, u=[0.3], **RUN) for x in (machine, heavy))
    assert a.meta.parameters["base.mass"] == 2.0
    assert b.meta.parameters["base.mass"] == 5.0
    assert not np.array_equal(a.q, b.q)


def test_nothing_is_remembered_inside_of_jit():
    system = Oscillator(1.0)

    @jax.jit
    def run(k):
        return da.simulate(eqx.tree_at(lambda s: s.k, system, k), [1.0, 2.0], [0.0, 0.0], **RUN).q

    assert np.allclose(run(1.0)[-1], end(system), atol=1e-14)
    assert np.allclose(run(9.0)[-1], end(Oscillator(9.0)), atol=1e-14)
    board = da.systems.ChaplyginSleigh()
    fixed = jax.jit(lambda h: da.simulate(board, h=h, steps=3).q[-1])  # only h is traced
    assert np.allclose(fixed(0.05), da.simulate(board, **RUN).q[-1], atol=1e-14)


def test_systems_that_are_gone_are_forgotten():
    before = len(module._known)
    for k in range(20):
        end(Oscillator(float(k)))
    gc.collect()
    assert len(module._known) <= before + 2


def test_a_machine_that_cannot_warn_is_not_asked():
    assert not cart().has_run_warnings
    assert parts.build(
        parts.Body("ball", 1.0, shape=da.scene.sphere(0.1)),
        parts.Free("ball", at=(0, 0, 0.1)),
        parts.Ball("ball", 0.1),
    ).has_run_warnings


def test_a_tolerance_takes_two_integrations(monkeypatch):
    made = []
    counted = (accuracy, "ends_and_sizes"), (taylor_program.TaylorProgram, "counter")
    for owner, name in counted:
        whole = getattr(owner, name)
        monkeypatch.setattr(
            owner, name, lambda *a, whole=whole, name=name: made.append(name) or whole(*a)
        )
    sleigh = da.systems.ChaplyginSleigh()
    exact = da.simulate(sleigh, da.Taylor(1e-16), t=10.0, h=10.0)
    for tol in (1e-4, 1e-9):
        made.clear()
        found = da.simulate(sleigh, t=10.0, tol=tol)
        assert made == ["ends_and_sizes"]  # one pilot; the other one is the run
        assert found.t[-1] == 10.0
        assert found.meta.steps == len(found) - 1
        assert type(found.meta.tol) is float
        off = np.max(np.abs(found.q[-1] - exact.q[-1])) / np.max(np.abs(found.q))
        assert off <= found.meta.error_estimate <= tol
        again = da.simulate(sleigh, da.Taylor(found.meta.error_estimate), t=10.0)
        assert np.allclose(again.q[-1], found.q[-1], atol=100 * tol)
    # what may end early is compared by pilots
    stopped = da.simulate(sleigh, t=10.0, tol=1e-6, stop_when=lambda t, q, v: t > 5.0)
    assert 5.0 < stopped.t[-1] < 10.0


def test_a_tolerance_that_the_run_misses_is_met_by_pilots(monkeypatch):
    sleigh = da.systems.ChaplyginSleigh()
    monkeypatch.setattr(accuracy.Accurate, "compared", lambda self, found, end: None)
    assert da.simulate(sleigh, t=5.0, tol=1e-6).meta.error_estimate <= 1e-6


def test_the_stored_lists_are_those_of_the_classes():
    assert listing.stored() == listing.computed()  # else: python docs/lists.py


@pytest.mark.parametrize("name", ["systems", "methods"])
def test_lists_are_printed_without_jax(name):
    code = (
        f"import sys; sys.argv = ['dalembert', {name!r}]\n"
        "from dalembert.cli import main\n"
        "code = main()\n"
        "import json; print(json.dumps([code, 'jax' in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [0, False]
