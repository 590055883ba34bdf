"""Taylor's method from L and its constraints, beside heyoka with equations reduced by hand.

    python benchmarks/taylor.py            # microseconds per unit of time, errors, first calls
    python benchmarks/taylor.py zoo        # every system of the registry: runs, or why not

heyoka (pip install heyoka) is optional: without it its columns stay empty, and Dormand-Prince 8 of
diffrax is what is left to compare with. All of it runs on one core, the best of several runs; the
projection onto the constraint is part of ours.
"""

from __future__ import annotations

import math
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics
from dalembert.compile import llvm
from dalembert.pages import Table
from dalembert.running.prepare import prepare
from dalembert.running.taylor import TaylorProgram, Times

TOLERANCES = (1e-6, 1e-9, 1e-12, 1e-15)
REPEATS = 7


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
    program = TaylorProgram(prepared, 1, 1, 1, Times(0.0, span, None, span))
    for _ in range(REPEATS):
        begin = time.perf_counter()
        program.count()  # the loop alone: no rows, which heyoka does not make either
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


def speed() -> None:
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
            energy = np.max(np.abs(diagnostics.energy_error(system, run)))
            residual = np.max(diagnostics.constraint_residual(system, run))
            last = by_diffrax(name, span, tol) if tol == 1e-9 else math.nan
            times = (mine, other[0], mine / other[0]) if other else (mine, math.nan, math.nan)
            apart = math.nan
            if other and name != "chaotic-quartic":
                apart = np.max(np.abs(np.concatenate([run.q[-1], run.v[-1]]) - other[2]))
            rows.append((name, tol, *times, last, energy, residual, apart, first))
    head = ("system", "tol", "ours, us", "heyoka, us", "ratio", "diffrax, us", "energy error",
            "residual", "apart at the end", "first call, s")  # fmt: skip
    print(Table(head, rows).text())


def zoo_table(span: float = 20.0) -> Table:
    """A row for every system: how it ran, or why it did not."""
    rows = []
    for name, make in sorted(da.systems.registry.items()):
        system = make()
        begin = time.perf_counter()
        try:
            run = da.simulate(system, da.Taylor(), t=span)
        except da.DalembertError as error:
            rows.append((name, system.dim, "-", "-", "-", "-", str(error).partition(";")[0]))
            continue
        first = time.perf_counter() - begin
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
    head = ("system", "n", "steps", "residual / |A||v|", "error, closed form", "first call, s", "")
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


if __name__ == "__main__":
    print(zoo_table().markdown()) if "zoo" in sys.argv[1:] else speed()
