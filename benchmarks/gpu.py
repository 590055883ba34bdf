"""Ensembles on a GPU: against hand-written CUDA, by system and method, and figure 6(b) of [MP].

    python benchmarks/gpu.py [leapfrog] [methods] [figure] [zoo] [--out FILE]
                             [--methods NAME...] [--part I/N] [--processes N] [--limit S]
                             [--seconds S]

Wherever JAX sees a GPU; nvcc for the comparison. Without words all of it is run.

- leapfrog: (4.18) on the chaotic system (5.5), 10^4 to 10^6 members, against `baselines.cu`;
- methods: GNI and DLA on the sleigh and others, by the kernel and by XLA;
- figure: figure 6(b) in full, 10,000 trajectories, h = 0.05, T = 50,000, so 10^10 steps, with the
  variance of the energy error kept on the way; its slope over h^4 should be about 1e-4;
- zoo: every system with Gauss(2), GNI and DLA: by which engine, why, how long it compiles, and what
  it is off native code after 100 steps. Rows come as they are found, by so many processes; a pair
  that takes longer than the limit is a row, too.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import jax
import numpy as np
from agreement import recorded
from shared_work import part_of, shared_work

import dalembert as da
from dalembert.compile.gpu import ptx

HERE = Path(__file__).parent
SYSTEM, METHOD, H = da.systems.ChaoticQuartic(), da.Leapfrog(), 0.05
FOUND: list[dict[str, Any]] = []
# how docs/performance.md calls what is measured
TITLES = {
    "leapfrog": "Against hand-written CUDA on a GPU, ps per step and member",
    "methods": "Kernels on a GPU, ps per step and member of 102,400",
    "figure": "Figure 6(b) [MP] on a GPU: 10^10 steps",
    "zoo": "Every system on a GPU, 1024 members, 100 steps",
}
HEADS = {
    "what": "what",
    "method": "method",
    "kernel_ps": "dalembert",
    "cuda_ps": "CUDA",
    "ratio": "ratio",
    "aim": "aim: at most",
    "cuda_with_looks_ps": "CUDA that looks as we do",
    "ratio_with_looks": "ratio to that",
    "call_ps": "a whole call",
    "cuda_call_ps": "CUDA with its copies",
    "call_ratio": "ratio of these",
    "ps": "ps",
    "seconds": "seconds",
    "with_start": "with its start",
    "slope_over_h4": "slope / h^4",
    "xla_ps": "by XLA",
    "faster": "times faster",
    "operations": "operations",
    "engine": "engine",
    "reason": "why",
    "compile_s": "compiled in, s",
    "xla_compile_s": "by XLA, s",
    "off_native": "off native code",
}


def say(**what: Any) -> None:
    """One line for each figure, as it is measured."""
    FOUND.append(what)
    print(
        json.dumps({k: float(f"{x:.4g}") if isinstance(x, float) else x for k, x in what.items()}),
        flush=True,
    )


def copies(x: Any, members: int) -> Any:
    """The same data for all members."""
    return jax.tree.map(lambda a: np.broadcast_to(np.asarray(a), (members, *np.shape(a))), x)


def measured(
    system, method, members: int, h: float, steps: int, repeats: int = 3, **options
) -> dict[str, Any]:
    """ps per step and member, and what the compilation takes, from copies of one start; the end."""
    q, v = copies(system.initial(), members)
    run = functools.partial(da.simulate_ensemble, system, method, q, v, h=h, **options)
    first = run(steps=2)
    found = [run(steps=steps) for _ in range(repeats)]
    seconds = min(x.meta.wall_s for x in found)
    return {
        "ps": seconds / steps / members * 1e12,
        "compile_s": first.meta.compile_s,
        "engine": first.meta.engine,
        "reason": first.meta.engine_reason,
        "failed": len(found[0].failed),
        "end": np.concatenate(
            [np.ravel(x[-1]) for x in jax.tree.leaves((found[0][0].q, found[0][0].v))]
        ),
    }


def kernel_ps(
    members: int, steps: int, repeats: int = 3, system=SYSTEM, method=METHOD, h: float = H
) -> float:
    """ps per step and member of the kernel alone that runs so many, started once for all."""
    call, given = ptx.GpuSteps.__call__, []

    def caught(self, shared, table, *counts):
        given.append((self, shared, np.asarray(table)))
        return call(self, shared, table, *counts)

    with mock.patch.object(ptx.GpuSteps, "__call__", caught):
        da.simulate_ensemble(system, method, *copies(system.initial(), members), h=h, steps=2)
    kernel, shared, table = given[0]
    table = np.repeat(table[:, :1], members, axis=1)
    took, run = [], type(kernel._driver).run

    def timed(*a):
        begin = time.perf_counter()
        run(*a)  # it waits for its end
        took.append(time.perf_counter() - begin)

    with mock.patch.object(type(kernel._driver), "run", timed):
        for _ in range(repeats):
            call(kernel, shared, table, 0, steps, steps, steps)
    return min(took) / steps / members * 1e12


def leapfrog(work: float = 4e9) -> None:
    """Against the kernel that was written by hand."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    q, v = SYSTEM.initial()
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "baselines"
        subprocess.run([nvcc, "-O3", "-o", str(binary), str(HERE / "baselines.cu")], check=True)
        for members in (10_000, 100_000, 1_000_000):
            n = min(max(round(work / members), 40_000), 200_000)  # the start is no part of it
            numbers = map(repr, map(float, np.concatenate([q, v])))
            command = [str(binary), str(members), str(n), "3", repr(H), *numbers]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            cuda, with_looks, call, *end = map(float, printed.split())
            ours = measured(SYSTEM, METHOD, members, H, n)
            kernel = kernel_ps(members, n)
            off = float(np.max(np.abs(ours.pop("end")[: len(end)] - end)))  # it is chaotic
            say(
                what=f"leapfrog (4.18) on (5.5), 10^{round(np.log10(members))} members on a GPU",
                steps=n,
                cuda_ps=cuda,
                kernel_ps=kernel,
                ratio=kernel / cuda,
                aim=1.5,
                cuda_with_looks_ps=with_looks,
                ratio_with_looks=kernel / with_looks,
                cuda_call_ps=call,  # with copies to the GPU and back, as a call of ours
                call_ps=ours["ps"],
                call_ratio=ours.pop("ps") / call,
                **ours,
                off=off,
            )


def methods(members: int = 102_400) -> None:
    """The kernel beside XLA."""
    z = da.systems
    for system, method, h, steps in (
        (z.ChaplyginSleigh(), da.GNI(), 0.005, 20_000),
        (z.ChaplyginSleigh(), da.DLA(), 0.005, 5000),
        (z.ChaplyginSleigh(), da.Gauss(2), 0.005, 5000),
        (z.BallOnTurntable(), da.GNI(da.Trapezoidal()), 0.05, 2000),
        (z.RollingDisk(), da.GNI(), 0.005, 500),
        (z.ChaplyginBall(), da.GNI(), 0.005, 500),
    ):
        kernel = measured(system, method, members, h, steps)
        arrays = measured(system, method, members, h, steps // 20, engine="arrays")
        off = float(
            np.max(
                np.abs(
                    kernel.pop("end")
                    - measured(system, method, 256, h, steps, devices=jax.devices("cpu")[:1])["end"]
                )
            )
        )
        say(
            what=f"{type(system).__name__} {method.name}",
            **kernel,
            off_native=off,
            xla_ps=arrays["ps"],
            xla_compile_s=arrays["compile_s"],
            faster=arrays["ps"] / kernel["ps"],
        )


def figure(members: int = 10_000, end: float = 50_000.0, every: int = 2048) -> None:
    """Figure 6(b)."""
    energy = SYSTEM.invariants["energy"]
    q, v = SYSTEM.ensemble(jax.random.key(2006), members)
    steps = round(end / H)
    options = {"h": H, "reduce": {"energy": da.Statistics(energy)}, "save_every": every}
    da.simulate_ensemble(SYSTEM, METHOD, q, v, steps=40 * every, **options)
    begin = time.perf_counter()
    found = da.simulate_ensemble(SYSTEM, METHOD, q, v, steps=steps, **options)
    total = time.perf_counter() - begin
    t, variance = found.reduced["energy"].t, found.reduced["energy"].variance
    slope = float(t @ variance / (t @ t)) / H**4
    say(
        what="figure 6(b)",
        seconds=found.meta.wall_s,
        with_start=total,
        engine=found.meta.engine,
        ps=found.meta.wall_s / steps / members * 1e12,
        slope_over_h4=slope,
        failed=len(found.failed),
    )


def zoo(options: argparse.Namespace) -> None:
    """Which systems run in the kernel, as a table; processes share the GPU."""
    names = options.methods or ("gni-midpoint", "dla-midpoint", "gauss-2")
    smallest_first = sorted(da.systems.registry, key=lambda x: da.systems.registry[x]().dim)
    pairs = part_of([(x, method) for x in smallest_first for method in names], options.part)
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    found = []
    print("| system | method | operations | engine | why | compile (s) | off native code |")
    print("|---|---|---|---|---|---|---|", flush=True)
    limits = options.processes, options.limit, options.seconds
    for done in shared_work(_one_of_the_zoo, pairs, *limits):
        x = done.found or {"what": done.task[0], "method": done.task[1], "engine": "not done"}
        if done.problem:
            x = x | {"engine": "not done", "reason": done.problem}
        found.append(x)
        told = [f"{x[k]:.2g}" if k in x else "" for k in ("compile_s", "off_native")]
        size = str(x.get("operations", ""))
        print(
            f"| {x['what']} | {x['method']} | {size} | {x['engine']} | {x.get('reason', '')} | "
            f"{' | '.join(told)} |",
            flush=True,
        )
    FOUND.extend(found)
    kinds = ("gpu", "not in the kernel", "not done")
    count = {e: sum(x["engine"] == e for x in found) for e in kinds}
    off = max((x["off_native"] for x in found if "off_native" in x), default=0.0)
    print(
        f"\npart {options.part}: {count['gpu']} in the kernel, {count['not in the kernel']} not, "
        f"with a reason, {count['not done']} not done; off native code {off:.1e} at most"
    )


def _one_of_the_zoo(
    given: tuple[str, str], members: int = 1024, steps: int = 100
) -> Iterator[dict[str, Any]]:
    name, kind = given
    system, method = da.systems.registry[name](), da.methods.registry[kind]()
    found: dict[str, Any] = {"what": name, "method": kind, "engine": "not done"}
    cpu = jax.devices("cpu")[:1]
    try:
        found |= {"operations": recorded(system, method)[0]}
        yield found
        native = measured(system, method, 16, 0.005, steps, repeats=1, devices=cpu)
        kernel = measured(system, method, members, 0.005, steps, repeats=1, engine="gpu")
    except da.DalembertError as error:
        why = str(error).partition("\n")[0].removeprefix("engine='gpu' cannot run this: ")
        yield found | {"engine": "not in the kernel", "reason": why[:120]}
        return
    end = kernel.pop("end")
    off = float(np.max(np.abs(end - native["end"])) / (1 + np.max(np.abs(end))))
    yield found | {k: kernel[k] for k in ("engine", "reason", "compile_s")} | {"off_native": off}


if __name__ == "__main__":
    sections = {f.__name__: f for f in (leapfrog, methods, figure, zoo)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(sections))
    parser.add_argument("--out", help="a file for the figures, as JSON")
    parser.add_argument("--methods", nargs="*", help="for the zoo, in place of those three")
    parser.add_argument("--part", default="1/1", help="of the zoo")
    parser.add_argument("--processes", type=int, default=12, help="for the zoo")
    parser.add_argument("--limit", type=float, default=100.0, help="seconds for a pair of the zoo")
    parser.add_argument("--seconds", type=float, default=1e9, help="for the zoo")
    given = parser.parse_args()
    print(f"jax {jax.__version__} on {jax.devices()}")
    if jax.default_backend() == "cpu":
        raise SystemExit("no GPU found")
    for word in given.sections or sections:
        before = len(FOUND)
        sections[word](given) if word == "zoo" else sections[word]()
        FOUND[before:] = [{**x, "section": word} for x in FOUND[before:]]
    if given.out:  # as `run.py` writes its own, for docs/performance.md
        tables: dict[str, list[dict[str, str]]] = {}
        for x in FOUND:
            cells = {k: f"{v:.4g}" if isinstance(v, float) else str(v) for k, v in x.items()}
            tables.setdefault(TITLES[x["section"]], []).append(cells)
        for rows in tables.values():
            keys = [k for k in HEADS if any(row.get(k) for row in rows)]
            rows[:] = [{HEADS[k]: row.get(k, "") for k in keys} for row in rows]
        words = f"{jax.devices()[0].device_kind}, JAX {jax.__version__}"
        Path(given.out).parent.mkdir(parents=True, exist_ok=True)
        Path(given.out).write_text(
            json.dumps({"gpu": {"machine": words, "tables": tables}}, indent=1) + "\n"
        )
