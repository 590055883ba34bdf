"""The kernel for a GPU, interpreted on the CPU: its rows are those of native code."""

import jax
import numpy as np
import pytest

import dalembert as da
from dalembert.compile import interpret, pallas
from dalembert.compile.scalarize import record

MEMBERS = 300  # not whole blocks


def ensembles(system, method, engines=("native", "gpu"), **options):
    q, v = (np.asarray(x) for x in system.initial())
    speed = 1 + 0.1 * np.arange(MEMBERS)[:, None] / MEMBERS
    given = np.broadcast_to(q, (MEMBERS, len(q))), v * speed
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


def test_reductions_are_made_of_rows_on_the_device():
    system = da.systems.ChaoticQuartic()
    options = {"h": 0.05, "steps": 40, "save_every": 1}
    reduce = {"energy": da.Statistics(system.invariants["energy"])}
    native, kernel = (
        x.reduced["energy"] for x in ensembles(system, da.Leapfrog(), **options, reduce=reduce)
    )
    np.testing.assert_allclose(native.mean, kernel.mean, rtol=1e-13)
    np.testing.assert_allclose(native.variance, kernel.variance, rtol=1e-9)


def test_operations_are_those_of_numpy():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=20), [0.5, 1.5, 2.5, -0.5, -1.5, 0.0, np.nan, np.inf]])
    y = np.concatenate([rng.normal(size=20), [2.0, -1.5, 0.5, 3.0, np.nan, 1.0, 1.0, 2.0]])
    for name, f in pallas.OPERATIONS.items():
        if name in ("and", "or", "xor", "not", "select"):
            continue
        binary = name in ("add", "sub", "mul", "div", "rem", "max", "min", "pow", "atan2")
        binary |= name in ("eq", "ne", "lt", "le", "gt", "ge")
        with np.errstate(all="ignore"):
            given = [x, y] if binary else [x]
            wanted = [interpret.OPERATIONS[name](*row) for row in zip(*given)]
        found = jax.jit(f)(*given)
        np.testing.assert_allclose(found, np.array(wanted), rtol=1e-13, atol=1e-300, err_msg=name)


def test_what_does_not_fit_is_said(monkeypatch):
    monkeypatch.setattr(pallas, "LARGEST", 100)
    da.clear_compiled()
    with pytest.raises(da.UsageError, match=r"engine='gpu' cannot run this: .* too many"):
        ensembles(da.systems.ChaplyginSleigh(), da.GNI(), engines=["gpu"], h=0.1, steps=2)
    with pytest.raises(da.UsageError, match="engine='gpu' is for ensembles"):
        da.simulate(da.systems.ChaplyginSleigh(), h=0.1, steps=2, engine="gpu")
    assert record(lambda x: x + 1.0, np.zeros(())).tape.operations()  # the native road is open
