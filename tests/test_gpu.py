"""The kernel for a GPU, whose text runs on a CPU as well: its rows are those of native code."""

import ctypes
import os
import re
import subprocess
import sys

import equinox as eqx
import jax
import numpy as np
import pytest

import dalembert as da
from compiled import forget_native
from dalembert.compile.cache.code_key import CodeKey
from dalembert.compile.cpu.emit import Emitter
from dalembert.compile.cpu.llvm import Native
from dalembert.compile.cpu.loop_emit import stepping
from dalembert.compile.gpu import ptx
from dalembert.compile.ir.record import record
from dalembert.compile.layout import Layout
from dalembert.request.prepare import as_arrays, plan_for
from dalembert.running.programs.step_kernel import steps_of

MEMBERS = 300  # not whole blocks


def ensembles(system, method, engines=("native", "gpu"), **options):
    q, v = (np.asarray(x) for x in system.initial())
    speed = 1 + 0.1 * np.arange(MEMBERS)[:, None] / MEMBERS
    given = np.broadcast_to(q, (MEMBERS, len(q))), v * speed
    # interpreted on the CPU, also where there is a GPU (JAX_PLATFORMS=cuda,cpu)
    options = {"devices": jax.devices("cpu")} | options
    return [
        da.simulate_ensemble(system, method, *given, engine=engine, **options) for engine in engines
    ]


@pytest.mark.parametrize(
    ("system", "method"),
    [
        (da.systems.ChaoticQuartic(), da.Leapfrog()),  # straight
        (da.systems.ChaplyginSleigh(), da.GNI()),  # a loop that each member ends by itself
    ],
)
def test_rows_are_those_of_native_code(system, method):
    native, kernel = ensembles(system, method, h=0.01, steps=23, save_every=7)
    assert kernel.meta.engine == "gpu" and "interpreted" in kernel.meta.engine_reason
    for name in ("t", "q", "v", "p", "multiplier", "steps_done", "result"):
        a, b = getattr(native, name), getattr(kernel, name)
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13, err_msg=name)
    assert np.all(kernel.residual <= 1e-13)


class Ends(da.MechanicalSystem):
    """Free, but for a potential that is infinite beyond x = 1, with a slope that is not."""

    space, mass = da.Euclidean(1), np.eye(1)

    def potential(self, q):
        return jax.numpy.where(q[0] > 1.0, jax.numpy.inf, 0.0)


def test_members_fail_one_by_one_on_two_devices():
    q, v = np.zeros((MEMBERS, 1)), np.linspace(0.0, 2.0, MEMBERS)[:, None]
    options = {"h": 0.1, "steps": 12, "save_every": 5}
    cpu = jax.devices("cpu")[0]
    native = da.simulate_ensemble(Ends(), da.RK4(), q, v, **options)
    kernel = da.simulate_ensemble(
        Ends(), da.RK4(), q, v, **options, engine="gpu", devices=[cpu, cpu]
    )
    assert 0 < len(native.failed) < MEMBERS
    for name in ("result", "steps_done", "q", "ended"):
        np.testing.assert_allclose(getattr(native, name), getattr(kernel, name), err_msg=name)


_ON_THREE = """
import jax, numpy as np, dalembert as da
from dalembert.compile.gpu.ptx import InterpretedSteps
system = da.systems.ChaoticQuartic()
q, v = (np.repeat(np.asarray(x)[None], 700, 0) for x in system.initial())
v = v * np.linspace(1.0, 1.2, 700)[:, None]
run = {"h": 0.01, "steps": 150, "save_every": 50}
used = []
call = InterpretedSteps.__call__
def seen(self, *given):
    used.append(jax.config.jax_default_device)
    return call(self, *given)
InterpretedSteps.__call__ = seen
three = jax.devices()
kernel = da.simulate_ensemble(system, da.Leapfrog(), q, v, **run, engine="gpu", devices=three)
native = da.simulate_ensemble(system, da.Leapfrog(), q, v, **run)
np.testing.assert_allclose(kernel.q, native.q, rtol=1e-11, atol=1e-12)
assert len(three) == 3 and len(set(used)) == 2, used  # there are two blocks of members
print("agree")
"""


def test_devices_share_the_members():
    flags = "--xla_force_host_platform_device_count=3"
    env = os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", _ON_THREE], env=env, capture_output=True, text=True
    )
    assert done.stdout == "agree\n", done.stderr


def test_reductions_are_made_of_rows_on_the_device():
    system = da.systems.ChaoticQuartic()
    options = {"h": 0.05, "steps": 40, "save_every": 1}
    reduce = {"energy": da.Statistics(system.invariants["energy"])}
    native, kernel = (
        x.reduced["energy"] for x in ensembles(system, da.Leapfrog(), **options, reduce=reduce)
    )
    np.testing.assert_allclose(native.mean, kernel.mean, rtol=1e-13)
    np.testing.assert_allclose(native.variance, kernel.variance, rtol=1e-9)


def test_quotients_of_zeros_take_the_fast_way_and_are_those_of_ieee():
    e = Emitter(prefix="__nv_")
    e.say(f"ret double {e.quotient_on_gpu('%a', '%b')}")
    text = e.module("define double @run(double %a, double %b)")
    double = ctypes.c_double
    divided = Native(lambda: (text, None), double, double, double)
    tiny, huge = 5e-324, 1.7e308
    numbers = [0.0, 1.0, 3.0, 1e-310, tiny, 1e-200, huge, np.inf]
    numbers = [sign * x for x in numbers for sign in (1.0, -1.0)] + [np.nan]
    a, b = (x.ravel() for x in np.meshgrid(numbers, numbers))
    with np.errstate(all="ignore"):
        wanted = a / b
    found = np.array([divided.call(x, y) for x, y in zip(a, b)])
    np.testing.assert_array_equal(found, wanted)
    shown = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[shown]), np.signbit(wanted[shown]))


def test_the_text_for_a_gpu_is_compiled():
    """What needs no functions of NVIDIA's, which are not here; a GPU is not needed for it."""
    system, method = da.systems.ChaoticQuartic(), da.Leapfrog()
    dynamic, static = as_arrays(system)
    plan = plan_for(system, method, dynamic, static)
    nobody = Layout(eqx.filter(dynamic, False))
    steps = steps_of(plan, plan.parameters, nobody, CodeKey(None))
    text = ptx.ptx(stepping(steps, 1, {}, on_gpu=True))
    assert ".visible .entry run(" in text
    block, size, lane = (
        re.search(rf"mov.u32\s+(%r\d+), %{name}.x;", text)[1] for name in ("ctaid", "ntid", "tid")
    )
    assert re.search(rf"mad.lo.s32\s+%r\d+, {block}, {size}, {lane};", text)  # whose thread it is
    assert text.count("fma.rn.f64") > 50 and "call" not in text


def test_what_does_not_fit_is_said(monkeypatch):
    monkeypatch.setattr(ptx, "LARGEST", 100)
    forget_native()
    with pytest.raises(da.UsageError, match=r"engine='gpu' cannot run this: .* too many"):
        ensembles(da.systems.ChaplyginSleigh(), da.GNI(), engines=["gpu"], h=0.1, steps=2)
    with pytest.raises(da.UsageError, match="engine='gpu' is for ensembles"):
        da.simulate(da.systems.ChaplyginSleigh(), h=0.1, steps=2, engine="gpu")
    assert record(lambda x: x + 1.0, np.zeros(())).tape.operations()  # the native road is open
