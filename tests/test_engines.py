"""Every system and every method: which engine runs it, and whether the engines agree.

`benchmarks/agreement.py` does so for all pairs of them, and `tests/test_gpu.py` for the kernel
of a GPU.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import dalembert as da
from dalembert.compile.cpu import llvm
from dalembert.compile.layout import Layout
from dalembert.compile.tracing import to_be_compiled
from dalembert.compile.xla import quick_options
from dalembert.errors import Reason
from dalembert.methods import registry as methods
from dalembert.request.prepare import plan_for
from dalembert.request.step import one_step
from dalembert.running.programs.step_kernel import kernel_of
from dalembert.system import as_arrays
from dalembert.systems import registry as systems

STEPS, T0, H = 20, 0.1, 0.005
BOUND = 1e-11  # relative to the largest number of the state
NOWHERE = llvm.Disk(None)

# machines from parts are made of the same operations: two of them stand for the others
PARTS = [s for s, cls in systems.items() if cls.__module__.endswith(("machines", "rolling"))]
ALIKE = {*PARTS, "whipple-bicycle"} - {"rattleback", "wheeled-snake"}
SYSTEMS = [s for s in systems if s not in ALIKE]

BODIES = [m for m in methods if "moser" in m]  # Moser-Veselov is for rigid bodies
# who runs otherwise, and what is said of it
OTHERWISE = {
    **{("*", m): (da.UsageError, "rigid body") for m in BODIES},
    ("*", "taylor"): (da.UsageError, "its own native code"),
    ("*", "reference"): (None, "the primitive 'unvmap_any'"),
    **{("benenti", m): (da.UsageError, "nonlinear") for m in ("gni-midpoint", "gni-euler-a")},
}
ON_BODIES = [("suslov", m) for m in BODIES]
SLOW_AS_ARRAYS = ["gauss-6", "gauss-8", "lobatto-4", "energy-gauss-2"]  # to compile
SLOW_AS_ARRAYS += ["underwater-vehicle"]

# Every system once and every method once; all pairs of them are `benchmarks/agreement.py`.
PLAIN = ["gni-midpoint", "rk4", "gni-euler-a"]  # quick to compile: the systems take turns
PAIRS = [(s, PLAIN[k % 3]) for k, s in enumerate(SYSTEMS) if s != "benenti"]
PAIRS += [("benenti", m) for m in PLAIN]  # two of them are refused
PAIRS += [("contact-oscillator", m) for m in methods]
PAIRS = list(dict.fromkeys(PAIRS + ON_BODIES))


class Pair:
    """A system with a method, after some steps by each engine: all of the state."""

    def __init__(self, system_name, method_name):
        system, self.method = systems[system_name](), methods[method_name]()
        self.dynamic, self.static = as_arrays(system)
        self.plan = plan_for(system, self.method, self.dynamic, self.static)
        self.state, _ = self.plan.start((self.dynamic, T0, H, *system.initial()))

    def kernel(self, many=False):
        """Native code, or the reason against it."""
        nobody = Layout(eqx.filter(self.dynamic, False))
        return kernel_of(self.plan, self.plan.parameters, nobody, None, many)

    def native(self, kernel):
        numbers = np.append(self.plan.state.pack_numpy(self.state), 0.0)
        shared = np.append(self.plan.parameters.pack_numpy(self.dynamic), [T0, H])
        table = np.repeat(numbers[:, None], kernel.width, axis=1)
        rows = np.zeros((2, kernel.row_width, kernel.width))
        kernel(shared, table, rows, (0, kernel.width), 0, STEPS, STEPS, STEPS)
        assert table[-1, -1] == STEPS, "a step has failed"
        return self.seen(table[:-1, -1])

    def arrays(self):
        def run(dynamic, state):
            system = eqx.combine(dynamic, self.static)
            step = lambda _, x: one_step(system, self.method, T0, H, x)
            return lax.fori_loop(0, STEPS, step, state)

        with to_be_compiled():
            lowered = jax.jit(run).lower(self.dynamic, self.state)
        compiled = lowered.compile(quick_options())
        return self.seen(self.plan.state.pack_numpy(compiled(self.dynamic, self.state)))

    def seen(self, numbers):
        """Position, velocity, momentum, multiplier, frame; what is carried may be a guess."""
        state = self.plan.state.unpack(numbers)
        assert int(state.k) == STEPS and int(state.row.result) == 0
        leaves = jax.tree.leaves((state.row._replace(residual=0.0), state.frame))
        return np.concatenate([np.ravel(x) for x in leaves])


def expected(system_name, method_name):
    """(error, words), or None for native code."""
    if (system_name, method_name) in ON_BODIES:
        return None
    found = OTHERWISE.get((system_name, method_name))
    return found or OTHERWISE.get(("*", method_name))


def agree(one, other, what):
    assert np.max(np.abs(one - other)) <= BOUND * (1.0 + np.max(np.abs(one))), what


def compared(system_name, method_name, with_arrays, monkeypatch):
    monkeypatch.setattr(llvm, "disk", NOWHERE)
    otherwise = expected(system_name, method_name)
    if otherwise and otherwise[0]:
        with pytest.raises(otherwise[0], match=otherwise[1]):
            Pair(system_name, method_name).kernel()
        return
    pair = Pair(system_name, method_name)
    kernel = pair.kernel()
    if otherwise:
        assert kernel == Reason(otherwise[1])
        return
    assert not isinstance(kernel, Reason), f"arrays: {kernel}"
    one = pair.native(kernel)
    agree(one, pair.native(pair.kernel(many=True)), "vectors")
    if with_arrays:
        agree(one, pair.arrays(), "arrays")


@pytest.mark.parametrize(("system_name", "method_name"), PAIRS)
def test_numbers_vectors_and_arrays_agree(system_name, method_name, monkeypatch):
    with_arrays = {system_name, method_name}.isdisjoint(SLOW_AS_ARRAYS)
    compared(system_name, method_name, with_arrays, monkeypatch)


def test_a_difference_is_seen():
    """One part in 1e10 of the size of a step is beyond the bound."""
    pair = Pair("nonholonomic-particle", "rk4")
    one = pair.native(pair.kernel())
    pair.state = pair.state._replace(
        carry=jax.tree.map(lambda x: x * (1.0 + 1e-10), pair.state.carry)
    )
    with pytest.raises(AssertionError, match="vectors"):
        agree(one, pair.native(pair.kernel(many=True)), "vectors")


class Chain(da.MechanicalSystem):
    """Twenty masses with springs, neighbors coupled by their masses, too."""

    space = da.Euclidean(20)
    coupled: float = 0.2

    @property
    def mass(self):
        beside = jnp.diag(jnp.full(19, self.coupled), 1)
        return jnp.diag(1.0 + 0.1 * jnp.arange(20)) + beside + beside.T

    def potential(self, q):
        return jnp.sum(q**2) + jnp.sum((q[1:] - q[:-1]) ** 4)


@pytest.mark.parametrize("system", [da.systems.ChaoticQuartic(n=10), Chain()])
def test_large_matrices_of_few_entries_are_written_out(system):
    given = () if isinstance(system, da.systems.ChaoticQuartic) else (np.linspace(-1, 1, 20),) * 2
    run = {"h": 0.01, "steps": 50, "save_every": 50}
    native, arrays = (
        da.simulate(system, da.Leapfrog(), *given, **run, engine=engine)
        for engine in ("native", "arrays")
    )
    np.testing.assert_allclose(native.q, arrays.q, rtol=0, atol=1e-13)
    np.testing.assert_allclose(native.v, arrays.v, rtol=0, atol=1e-12)


class Coupled(Chain):
    """The same, all of them coupled."""

    @property
    def mass(self):
        return jnp.eye(20) + self.coupled


def test_large_matrices_of_many_entries_are_solved_in_memory():
    x = np.linspace(-1, 1, 20)
    many, arrays = (
        da.simulate(Coupled(), da.Leapfrog(), x, x, h=0.01, steps=2, engine=engine)
        for engine in ("native", "arrays")
    )
    np.testing.assert_allclose(many.q, arrays.q, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(many.v, arrays.v, rtol=1e-12, atol=1e-12)
