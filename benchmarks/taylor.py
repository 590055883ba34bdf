"""Taylor's method from L and its constraints, beside heyoka with equations reduced by hand.

    python benchmarks/taylor.py            # microseconds per unit of time, errors, first calls
    python benchmarks/taylor.py zoo        # every system of the registry: runs, or why not
    python benchmarks/taylor.py accuracy   # balls, attitude included, against extended precision
    python benchmarks/taylor.py first 8    # CPU seconds of first calls, in 8 processes at a time

heyoka (pip install heyoka) is optional: without it its columns stay empty, and Dormand-Prince 8 of
diffrax is what is left to compare with. All of it runs on one core, the best of several runs; the
projection onto the constraint is part of ours.
"""

from __future__ import annotations

import concurrent.futures
import math
import os
import subprocess
import sys
import time

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics
from dalembert.compile.cpu import llvm
from dalembert.compile.ir.interpret import OPERATIONS
from dalembert.compile.ir.record import record
from dalembert.compile.ir.tape import Value, known
from dalembert.compile.layout import Layout
from dalembert.compile.taylor.coefficient_rules import Jet
from dalembert.methods.taylor import element_field
from dalembert.pages import Table
from dalembert.request.prepare import prepare
from dalembert.rows import OutputTimes
from dalembert.running.programs.taylor_program import TaylorProgram

TOLERANCES = (1e-6, 1e-9, 1e-12, 1e-15)
REPEATS = 25


def heyoka_equations(name: str):
    """q' and v' of three systems, with the multiplier eliminated by hand."""
    import heyoka as hy

    if name == "chaotic-quartic":
        names = ["x", "y1", "y2", "y3", "z1", "z2", "z3"]
        q, v = hy.make_vars(*names), hy.make_vars(*["v" + s for s in names])
        x, y, z = q[0], q[1:4], q[4:7]
        coupled = [z[1] ** 2, z[0] ** 2, 0.0]
        pull = [-x, *(-(y[i] * (1.0 + z[i] ** 2)) for i in range(3))]
        pull += [-(z[i] * (1.0 + y[i] ** 2 + coupled[i])) for i in range(3)]
        top = pull[0] + sum((y[i] * pull[4 + i] for i in range(1, 3)), y[0] * pull[4])
        top = top + sum((v[1 + i] * v[4 + i] for i in range(1, 3)), v[1] * v[4])
        lam = -top / (1.0 + y[0] ** 2 + y[1] ** 2 + y[2] ** 2)
        a = [pull[0] + lam, *pull[1:4], *(pull[4 + i] + lam * y[i] for i in range(3))]
    else:
        names = ["x", "y", "th"]
        q, v = hy.make_vars(*names), hy.make_vars(*["v" + s for s in names])
        s, c = hy.sin(q[2]), hy.cos(q[2])
        along = v[0] * c + v[1] * s
        if name == "knife-edge":
            edge = da.systems.KnifeEdge()
            pull, turn = float(edge.pull) * c, hy.expression(0.0)
        else:
            sleigh = da.systems.ChaplyginSleigh()
            pull = sleigh.a * v[2] ** 2
            turn = -sleigh.m * sleigh.a / (sleigh.J + sleigh.m * sleigh.a**2) * v[2] * along
        # the velocity along the blade grows by `pull`, and turns with it
        a = [pull * c - along * s * v[2], pull * s + along * c * v[2], turn]
    return [*zip(q, v), *zip(v, a)]


def by_heyoka(name: str, span: float, tol: float) -> tuple[float, float, np.ndarray] | None:
    """(us per unit of time, seconds to compile, the end)."""
    try:
        import heyoka as hy
    except ImportError:
        return None
    start = np.concatenate([np.ravel(x) for x in da.systems.registry[name]().initial()])
    begin = time.perf_counter()
    solver = hy.taylor_adaptive(heyoka_equations(name), start, tol=tol)
    compiled, best = time.perf_counter() - begin, math.inf
    for _ in range(REPEATS):
        solver.time, solver.state[:] = 0.0, start
        begin = time.perf_counter()
        solver.propagate_until(span)
        best = min(best, time.perf_counter() - begin)
    return best / span * 1e6, compiled, np.array(solver.state)


def by_us(name: str, span: float, tol: float) -> tuple[float, float, da.Trajectory]:
    """(us per unit of time, seconds of the first call without code on disk, the run)."""
    system = da.systems.registry[name]()
    llvm.disk.folder = None
    begin = time.perf_counter()
    nodes = da.simulate(system, da.Taylor(tol), t=span)
    first, best = time.perf_counter() - begin, math.inf
    prepared = prepare(system, da.Taylor(tol), *system.initial(), None, span, 0.0, False)
    program = TaylorProgram(prepared, OutputTimes(0.0, span, None, span))
    count = program.counter()
    for _ in range(REPEATS):
        begin = time.perf_counter()
        count()  # the loop alone: no rows, which heyoka does not make either
        best = min(best, time.perf_counter() - begin)
    return best / span * 1e6, first, nodes


def by_diffrax(name: str, span: float, tol: float) -> float:
    """Us per unit of time of Dormand-Prince 8."""
    system, best = da.systems.registry[name](), math.inf
    method = da.Reference(rtol=tol, atol=tol, max_steps=2**17)
    for _ in range(3):
        run = da.simulate(system, method, h=span, steps=1, engine="arrays")
        best = min(best, run.meta.wall_s)
    return best / span * 1e6


def speed() -> Table:
    """Microseconds per unit of time and errors: ours, heyoka, diffrax."""
    rows = []
    for name, span in (
        ("chaotic-quartic", 500.0),
        ("knife-edge", 20.0),
        ("chaplygin-sleigh", 20.0),
    ):
        system = da.systems.registry[name]()
        for tol in TOLERANCES:
            mine, first, run = by_us(name, span, tol)
            other = by_heyoka(name, span, tol)
            energy = abs(diagnostics.energy_error(system, run)[-1])
            energies = math.nan
            if other:
                ends = [other[2][: system.dim], other[2][system.dim :]]
                before = da.dynamics.energy(system, *system.initial())
                energies = abs(float(da.dynamics.energy(system, *ends) - before))
            residual = np.max(diagnostics.constraint_residual(system, run))
            last = by_diffrax(name, span, tol) if tol == 1e-9 else math.nan
            times = (mine, other[0], mine / other[0]) if other else (mine, math.nan, math.nan)
            apart = math.nan
            if other and name != "chaotic-quartic":
                apart = np.max(np.abs(np.concatenate([run.q[-1], run.v[-1]]) - other[2]))
            rows.append((name, tol, *times, last, energy, energies, residual, apart, first))
    head = ("system", "tol", "ours, us", "heyoka, us", "ratio", "diffrax, us", "energy error",
            "heyoka's", "residual", "apart at the end", "first call, s")  # fmt: skip
    return Table(head, rows)


def zoo_table(span: float = 20.0) -> Table:
    """A row for every system: how it ran, or why it did not."""
    rows = []
    for name, make in sorted(da.systems.registry.items()):
        system = make()
        begin = time.process_time()
        try:
            run = da.simulate(system, da.Taylor(), t=span)
        except da.DalembertError as error:
            rows.append((name, system.dim, "-", "-", "-", "-", str(error).partition(";")[0]))
            continue
        first = time.process_time() - begin
        rows.append(
            (
                name,
                system.dim,
                run.meta.steps,
                _residual(system, run),
                _closed(system, run),
                first,
                "",
            )
        )
    head = (
        "system",
        "n",
        "steps",
        "residual / |A||v|",
        "error, closed form",
        "first call, CPU s",
        "",
    )
    return Table(head, rows)


def _residual(system: da.System, run: da.Trajectory) -> float:
    def worst(t, q, v):
        off, _, norm = da.dynamics.constraint_sizes(system, q, v, t)
        return jnp.max(jnp.abs(off) / (norm + 1e-300), initial=0.0)

    return float(jnp.max(jax.vmap(worst)(run.t, run.q, run.v)))


def _closed(system: da.System, run: da.Trajectory) -> float:
    try:
        exact = jax.vmap(system.closed_form)(jnp.asarray(run.t))
    except (AttributeError, da.UsageError):
        return math.nan
    pairs = zip(jax.tree.leaves((run.q, run.v)), jax.tree.leaves(exact))
    return float(
        max(
            np.max(np.abs(a - b), initial=0.0) / max(1.0, np.max(np.abs(b), initial=0.0))
            for a, b in pairs
        )
    )


# -- in extended precision -----------------------------------------------------------------------


def extended(system: da.System, span: float, order: int = 24) -> tuple[list, list]:
    """(q, v) at the end by the same recursion in NumPy's longdouble (64 bits of mantissa on x86).

    The tape is the library's, the arithmetic is not: what rounding does to ours shows beside it.
    """
    method = da.Taylor()
    prepared = prepare(system, method, *system.initial(), None, span, 0.0, False)
    node = prepared.plan.state.example().carry
    static, parameters = prepared.plan.static, prepared.plan.parameters.example()
    x0 = (node.part, node.v)

    def f(constants, moving):
        (dynamic, q), (x, t) = constants, moving
        return element_field(eqx.combine(dynamic, static), q, t, x)

    width = Layout(x0).width
    jet = Jet(record(f, (parameters, node.q), (x0, node.t)), width, prepared.plan.parameters.width)
    long = np.longdouble
    shared = [long(x) for x in prepared.plan.parameters.pack_numpy(prepared.dynamic)]
    state = prepared.state.carry
    q = [np.array(x, dtype=long) for x in jax.tree.leaves(state.q)]
    unit = Layout(node.part).pack_numpy(state.part).astype(long)
    v, t, end = np.array(state.v, dtype=long), long(0), long(span)
    groups = [x.ndim == 2 for x in q]
    while t < end:
        given = [*shared, *(y for x in q for y in x.ravel())]
        c = _long_jet(jet, given, t, np.concatenate([unit, v]), order)
        size = [np.max(np.abs(c[j])) for j in (0, order - 1, order)]
        h = min(
            (size[0] / max(size[j], long(1e-300))) ** (long(1) / (order - 2 + j)) for j in (1, 2)
        )
        h = min(h * np.exp(long(-2.2)), end - t)
        x = np.zeros(width, dtype=long)
        for row in c[::-1]:
            x = x * h + row
        at, moved = 0, []
        for old, is_group in zip(q, groups):
            part = x[at : at + old.size].reshape(old.shape)
            at += old.size
            if is_group:
                new = old @ part
                new = new @ (3 * np.eye(len(new), dtype=long) - new.T @ new) / 2
            else:
                new = old + part
            moved.append(new)
        q, v, t = moved, x[at:], t + h
    return q, v


def _long_jet(jet: Jet, given: list, t, x: np.ndarray, order: int) -> np.ndarray:
    long = np.longdouble
    env = {v.number: g for v, g in zip(jet.recorded.inputs[0], given)}
    env |= {v.number: g for v, g in zip(jet.x, x)} | {jet.t.number: t}

    def zeroth(lane):
        return (long(lane) if lane.dtype == float else lane) if known(lane) else env[lane.number]

    with np.errstate(all="ignore"):
        for block in jet.tape.levels:
            for item in block.items:
                if isinstance(item, Value) and item.number in jet.needed:
                    env[item.number] = OPERATIONS[item.op](*map(zeroth, item.operands))
    series = {v.number: [env[v.number]] for v in [*jet.values, *jet.x, jet.t]}
    c = [np.array(x, dtype=long)]

    def at(lane, k):
        if jet.is_still(lane):
            return zeroth(lane) if k == 0 else long(0)
        return series[lane.number][k]

    def product(a, b, low, high, k):
        return sum((at(a, j) * at(b, k - j) for j in range(low, high + 1)), long(0))

    for k in range(order):
        if k:
            for value, new in zip(jet.x, c[k]):
                series[value.number].append(new)
            series[jet.t.number].append(long(k == 1))
            for v in jet.values:
                series[v.number].append(_long_coefficient(jet, v, k, at, product, zeroth))
        c.append(np.array([at(r, k) for r in jet.rates], dtype=long) / (k + 1))
    return np.array(c)


def _long_coefficient(jet, v, k, at, product, zeroth):
    long, xs = np.longdouble, v.operands
    if v.number in jet.chains:
        pairs = jet.chains[v.number].pairs
        return sum(sum(j * at(a, j) * at(u, k - j) for j in range(1, k + 1)) for u, a in pairs) / k
    if v.op in ("add", "sub"):
        return at(xs[0], k) + (1 if v.op == "add" else -1) * at(xs[1], k)
    if v.op == "neg":
        return -at(xs[0], k)
    if v.op == "mul":
        return product(xs[0], xs[1], 0, k, k)
    if v.op == "div":
        return (at(xs[0], k) - sum(at(xs[1], j) * at(v, k - j) for j in range(1, k + 1))) / zeroth(
            xs[1]
        )
    if v.op == "sqrt":
        return (at(xs[0], k) - sum((at(v, j) * at(v, k - j) for j in range(1, k)), long(0))) / (
            2 * zeroth(v)
        )
    if v.op == "select":
        return at(xs[2] if zeroth(xs[0]) else xs[1], k)
    raise NotImplementedError(v.op)


def accuracy() -> None:
    """Attitudes included, against extended precision."""
    rows = []
    for name, span in (("ball-on-turntable-global", 100.0), ("chaplygin-ball", 10.0)):
        system = da.systems.registry[name]()
        q, v = extended(system, span)
        run = da.simulate(system, da.Taylor(), t=span)
        mine = [np.asarray(x)[-1] for x in jax.tree.leaves(run.q)]
        errors = [float(np.max(np.abs(a - b))) for a, b in zip(mine, q)]
        rows.append((name, span, run.meta.steps, *errors, float(np.max(np.abs(run.v[-1] - v)))))
    print(
        Table(
            ("system", "t", "steps", "error of the point", "of the attitude", "of v"), rows
        ).text()
    )


# -- first calls ---------------------------------------------------------------------------------

FIRST = """
import sys, time
import dalembert as da
system = da.systems.registry[sys.argv[1]]()
begin = time.process_time()
try:
    da.simulate(system, da.Taylor(), t=20.0)
    why = ""
except da.SimulationError as error:
    why = str(error).partition(":")[0]
except da.UsageError as error:
    print(system.dim, "-", error)
    raise SystemExit
print(system.dim, time.process_time() - begin, why)
"""
_SMALL, _LARGE = 2.0, 15.0  # seconds that a first call may take, up to 5 degrees of freedom, above


def first_call(name: str, rounds: int = 2) -> tuple[str, int, float, float, str]:
    """(system, n, CPU seconds, what they may be, remark), in processes with no code on disk."""
    env, best, n, why = os.environ | {"DALEMBERT_KEEP_CODE": "0"}, math.inf, 0, ""
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-c", FIRST, name], env=env, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{name} failed:\n{done.stderr[-2000:]}")
        said = done.stdout.strip().splitlines()[-1]
        n, seconds, why = (*said.split(" ", 2), "")[:3]
        best = min(best, math.inf if seconds == "-" else float(seconds))
    limit = _SMALL if int(n) <= 5 else _LARGE
    return name, int(n), best, limit, why[:60] + ("  MISSED" if best > limit else "")


def first(processes: int) -> None:
    """A row for every system of the registry; the least of two processes, since noise only adds."""
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        rows = list(pool.map(first_call, sorted(da.systems.registry)))
    print(Table(("system", "n", "first call, CPU s", "at most", ""), rows).text())


if __name__ == "__main__":
    if "first" in sys.argv[1:]:
        first(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    elif "zoo" in sys.argv[1:]:
        print(zoo_table().markdown())
    elif "accuracy" in sys.argv[1:]:
        accuracy()
    else:
        print(speed().text())
