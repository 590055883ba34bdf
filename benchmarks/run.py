"""Speed, as ratios in one run: `make bench`, or `python benchmarks/run.py [SECTION...]`.

Sections: calls (the first call of a process), baselines (hand-written C), vmap, peers (others),
taylor (heyoka), crossings, scaling, first (compile times, a cold shell, memory). A busy machine
spoils all of it: best of several is taken, but let it be quiet. Figures are written to out/bench/,
docs/images/ and docs/performance.md; `page` alone writes that page from figures of earlier runs,
those of `gpu.py` included.
"""

import contextlib
import functools
import itertools
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import first_call
import jax
import numpy as np
from rich.console import Console
from rich.table import Table

import dalembert as da

OUT = Path("out/bench")
HERE = Path(__file__).parent
IMAGES = HERE.parent / "docs" / "images"
FOUND: dict[str, list[dict[str, str]]] = {}


def table(title: str, heads: list[str], rows: list[list[str]]) -> None:
    shown = Table(title=title, title_justify="left")
    for i, head in enumerate(heads):
        shown.add_column(head, justify="left" if i == 0 else "right")
    for row in rows:
        shown.add_row(*row)
    Console(width=110).print(shown)
    FOUND[title] = [dict(zip(heads, row, strict=True)) for row in rows]


def best(run, times: int = 5) -> float:
    return min(run() for _ in range(times))


# -- hand-written C ---------------------------------------------------------------------------


def baseline(binary: Path, name: str, steps: int, h: float, *values) -> tuple[float, np.ndarray]:
    numbers = np.concatenate([np.ravel(np.asarray(v, float)) for v in values])
    command = [str(binary), name, str(steps), "5", repr(h), *map(repr, map(float, numbers))]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), np.array(list(map(float, out[1:])))


def single(system, method, h: float, steps: int) -> tuple[float, np.ndarray]:
    run = functools.partial(da.simulate, system, method, h=h, save_every=steps)
    final = run(steps=steps)
    ns = best(lambda: run(steps=steps).meta.wall_s) / steps * 1e9
    return ns, np.asarray(final.q[-1])


def baselines() -> None:
    cc = shutil.which("cc") or shutil.which("gcc")
    if cc is None:
        print("baselines left out: no C compiler")
        return
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "baselines"
        flags = ["-O3", "-march=native", "-o", str(binary), str(HERE / "baselines.c"), "-lm"]
        subprocess.run([cc, *flags], check=True)
        against_c(binary)


def against_c(binary: Path) -> None:
    rows = []

    def compare(what: str, bound: str, ours: float, c: float, off: float) -> None:
        told = f"{off:.0e}" if np.isfinite(off) else ""
        rows.append([what, f"{ours:.2f}", f"{c:.2f}", f"{ours / c:.2f}", bound, told])

    def in_turns(what: str, bound: str, name: str, run: tuple, given: tuple) -> None:
        """Ours and C in turns, the best of both: a machine is not as fast at all times."""
        system, method, h, steps = run
        turns = [
            (single(system, method, h, steps)[0], baseline(binary, name, steps, h, *given)[0])
            for _ in range(5)
        ]
        few = min(steps, 40_000) if method.name != "leapfrog" else 200  # that one is chaotic
        end, c_end = single(system, method, h, few)[1], baseline(binary, name, few, h, *given)[1]
        ours, c = map(min, zip(*turns))
        compare(what, bound, ours, c, np.max(np.abs(end - c_end)))

    quartic, h = da.systems.ChaoticQuartic(), 0.05
    run = (quartic, da.Leapfrog(), h, 1_000_000)
    in_turns("leapfrog (4.18) on (5.5)", "2", "leapfrog", run, quartic.initial())

    ball, method = da.systems.BallOnTurntable(), da.GNI(da.Trapezoidal())
    state, _ = method.start(ball, 0.0, h, *ball.initial())
    given = ([ball.m, ball.r, ball.mass_matrix[2, 2], ball.Theta], state.q, state.p_minus)
    run = (ball, method, h, 300_000)
    what = "gni-trapezoidal, reduced ball, against its scalar cubic"
    in_turns(what, "8", "ball", run, given)
    what = "the same against C that does what we do"
    in_turns(what, "2", "ball-alike", run, (*given, state.move))

    sleigh, method, h = da.systems.ChaplyginSleigh(), da.GNI(da.Midpoint()), 0.0005
    q, v = sleigh.initial()  # over the loop, before it runs straight
    state, _ = method.start(sleigh, 0.0, h, q, v)
    numbers = [sleigh.m, sleigh.J, sleigh.a]
    given = (numbers, state.q, state.p_minus, state.move)
    in_turns("gni-midpoint, sleigh", "2", "sleigh", (sleigh, method, h, 40_000), given)
    run = (sleigh, da.DLA(), h, 40_000)
    in_turns("dla-midpoint, sleigh", "2", "sleigh-dla", run, (numbers, q, v))

    q, v = quartic.initial()
    many, steps = quartic.ensemble(jax.random.key(0), 512), 100_000
    one = {"h": 0.05, "steps": steps, "devices": jax.devices()[:1]}
    turns = []
    for _ in range(5):
        took = da.simulate_ensemble(quartic, da.Leapfrog(), *many, **one).meta.wall_s
        c, _ = baseline(binary, "leapfrog-simd", 1_000_000, 0.05, q, v)
        turns.append((took / steps / 512 * 1e9, c))
    ours, c = map(min, zip(*turns))
    compare("512 members, one core, against SIMD", "2.5", ours, c, float("nan"))
    heads = ["ns per step (and member)", "dalembert", "C", "ratio", "aim: at most", "difference"]
    table("Against hand-written C (-O3 -march=native), one run", heads, rows)
    two_cores(quartic, *many)


def two_cores(quartic, q, v) -> None:
    """By how much two cores are faster than one, by the work that there is."""
    rows = []
    for steps in (1_000, 3_000, 10_000, 30_000, 100_000):
        run = functools.partial(
            da.simulate_ensemble, quartic, da.Leapfrog(), q, v, h=0.05, steps=steps
        )
        turns = [
            [run(devices=jax.devices()[:1] * cores).meta.wall_s for cores in (1, 2)]
            for _ in range(7)
        ]
        one, two = map(min, zip(*turns))
        rows.append([f"{steps}", f"{one * 1e3:.1f}", f"{two * 1e3:.1f}", f"{one / two:.2f}"])
    heads = ["steps of 512 members", "one core, ms", "two cores, ms", "times (aim: 1.8 from 50 ms)"]
    table("Two cores against one, leapfrog on (5.5)", heads, rows)


# -- inside of JAX's transformations ---------------------------------------------------------------


def vmap(members: int = 512) -> None:
    """`simulate` under vmap, and under jit of that, against `simulate_ensemble`."""
    rows = []
    for name, method in (("chaplygin-sleigh", da.GNI()), ("chaotic-quartic", da.Leapfrog())):
        system = da.systems.registry[name]()
        q, v = map(np.asarray, system.initial())
        q, v = np.repeat(q[None], members, 0), v * np.linspace(1.0, 1.1, members)[:, None]
        for steps, every in ((200, 1), (200, 200), (2000, 1), (2000, 2000)):
            run = {"h": 0.01, "steps": steps, "save_every": every}

            def one(q, v, system=system, method=method, run=run):
                return da.simulate(system, method, q, v, **run).q

            ways = (
                lambda q, v, s=system, m=method, r=run: da.simulate_ensemble(s, m, q, v, **r).q,
                jax.vmap(one),
                jax.jit(jax.vmap(one)),
            )
            for way in ways:
                way(q, v)
            took = np.full((7, 3), np.inf)
            for i, j in np.ndindex(took.shape):  # in turns
                begin = time.perf_counter()
                jax.block_until_ready(ways[j](q, v))
                took[i, j] = time.perf_counter() - begin
            ensemble, *others = took.min(axis=0)
            what = f"{name}, {method.name}, {steps} steps, {steps // every} rows"
            ratios = [f"{x / ensemble:.2f}" for x in others]
            rows.append([what, f"{ensemble * 1e3:.1f}", *ratios, "2"])
    heads = [f"{members} members", "simulate_ensemble, ms", "vmap", "jit of vmap", "aim: at most"]
    table("vmap(simulate), as a multiple of simulate_ensemble", heads, rows)


# -- crossings ------------------------------------------------------------------------------------


def crossings() -> None:
    """Ensembles whose members all cross a section, or end there, beside those that never do."""
    rows = []
    for members in (100, 1000, 10_000):
        system = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.3, members))
        run = functools.partial(da.simulate_ensemble, system, h=0.01, steps=200)
        took = []
        for at in (0.5, 1e9):
            cut = da.Section(lambda q, v, at=at: q[2] - at, [lambda q, v: q[0]], every=1)
            end = da.Event(lambda t, q, v, at=at: q[2] - at, terminal=True)
            for given in ({"save": {"cut": cut}}, {"events": {"end": end}}):
                run(**given)
                begin = time.perf_counter()
                run(**given)
                took.append(f"{time.perf_counter() - begin:.3f}")
        rows.append([f"{members} members", *took])
    heads = ["seconds", "a Section", "an event that ends", "a Section, never", "an event, never"]
    table("Members that cross, 200 steps of the sleigh by Gauss(2)", heads, rows)


# -- other solvers ----------------------------------------------------------------------------


def peers() -> None:
    from peers import PEERS, curves, seconds_at

    found = curves()
    rows = [
        [name, *(f"{s * 1e6:.1f} / {e:.0e}" for s, e in points[:6])] + [""] * (6 - len(points))
        for name, points in found.items()
    ]
    heads = ["us per unit of time / largest energy error", *("1", "2", "3", "4", "5", "6")]
    table("(5.5) over t = 0..500: steps 0.2 .. 0.025, tolerances 1e-3 .. 1e-8", heads, rows)
    rows = []
    for s, e in found["dalembert leapfrog (4.18)"]:
        others = {k: seconds_at(p, e) for k, p in found.items() if k in PEERS}
        taylor = others.pop("heyoka (Taylor)", np.nan)
        reached = {k: x for k, x in others.items() if np.isfinite(x)}
        if reached:
            name = min(reached, key=reached.get)
            row = [f"{e:.1e}", f"{s * 1e6:.2f}", name, f"{reached[name] * 1e6:.1f}"]
            row += [f"{reached[name] / s:.1f}"]
            rows.append([*row, f"{taylor * 1e6:.2f}" if np.isfinite(taylor) else ""])
    heads = ["at energy error", "leapfrog, us", "fastest of diffrax, SciPy, SUNDIALS, CasADi"]
    heads += ["us", "times slower (aim: 8)", "heyoka, us"]
    table("At the same largest energy error", heads, rows)
    draw(found)


def taylor() -> None:
    """Taylor's method against heyoka's, which is given equations that were reduced by hand."""
    from taylor import speed

    found = speed()
    rows = [[_short(x) for x in row] for row in found.rows]
    table("Taylor's method, us per unit of time", [*found.heads], rows)


def _short(x) -> str:
    if isinstance(x, str):
        return x
    return "" if np.isnan(x) else f"{x:.3g}"


def draw(found: dict) -> None:
    """Time by accuracy."""
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(7, 4.8), layout="constrained")
    for (name, points), marker in zip(found.items(), itertools.cycle("osD^v<>*PXd")):
        s, e = np.array(points).T
        mine = name.startswith("dalembert")
        ax.loglog(
            e,
            s * 1e6,
            marker=marker,
            ms=5,
            lw=2 if mine else 1,
            label=name,
            ls="-" if mine else "--",
        )
    ax.set(xlabel="largest energy error over t = 0..500 (J)", ylabel="us per unit of time")
    ax.invert_xaxis()
    ax.grid(alpha=0.3)
    fig.legend(loc="outside right center", fontsize=8)
    fig.savefig(IMAGES / "work-precision.png", dpi=120)
    print(f"picture: {IMAGES / 'work-precision.png'}\n")


# -- scaling ----------------------------------------------------------------------------------


def scaling() -> None:
    quartic = da.systems.ChaoticQuartic()
    rows = []
    for exponent in range(3, 8):
        steps = 10**exponent
        run = functools.partial(da.simulate, quartic, da.Leapfrog(), h=0.05, steps=steps)
        run(save_every=steps)
        ns = best(lambda: run(save_every=steps).meta.wall_s, 3) / steps * 1e9  # noqa: B023
        rows.append([f"10^{exponent} steps", f"{ns:.1f}"])
    for members in (1, 8, 64, 512, 4096, 32768, 100_000):
        q, v = quartic.ensemble(jax.random.key(0), members)
        steps = max(2_000_000 // members, 50)
        run = functools.partial(
            da.simulate_ensemble, quartic, da.Leapfrog(), q, v, h=0.05, steps=steps
        )
        run()
        ns = best(lambda: run().meta.wall_s, 3) / steps / members * 1e9  # noqa: B023
        rows.append([f"{members} members", f"{ns:.2f}"])
    for n in (3, 5, 10, 20, 50, 100, 200):
        system = da.systems.ChaoticQuartic(n=n)
        steps = max(20_000 // n, 100)
        run = functools.partial(da.simulate, system, da.Leapfrog(), h=0.01, steps=steps)
        first = run(save_every=steps).meta.compile_s
        ns = best(lambda: run(save_every=steps).meta.wall_s, 3) / steps * 1e9  # noqa: B023
        rows.append([f"n = {n}, dimension {2 * n + 1} (compiled in {first:.1f} s)", f"{ns:.0f}"])
    table("Leapfrog on (5.5), ns per step and member", ["", "ns"], rows)


# -- the first run, and memory ----------------------------------------------------------------


def first() -> None:
    code = (
        "import sys, dalembert as da;"
        "t = da.simulate(da.systems.registry[sys.argv[1]](), da.GNI(), h=0.01, steps=10);"
        "print(t.meta.compile_s)"
    )
    rows = []
    for name in da.systems.registry:
        command = [sys.executable, "-c", code, name]
        done = subprocess.run(command, capture_output=True, text=True)
        rows.append([name, f"{float(done.stdout):.2f}" if done.returncode == 0 else "rk4 only"])
    table("Compile time with gni-midpoint in a new process, s (aim: 5)", ["system", "s"], rows)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        environment.pop("JAX_COMPILATION_CACHE_DIR", None)
        command = [str(Path(sys.executable).with_name("dalembert")), "run", "chaplygin-sleigh"]
        rows = []
        for what in ("cold cache", "warm cache", "warm cache again"):
            begin = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True, env=environment)
            rows.append([what, f"{time.perf_counter() - begin:.2f}"])
    table("`dalembert run chaplygin-sleigh` from a cold shell, s (aim: 4)", ["", "s"], rows)
    rows = []
    for steps, every in ((10**4, 10**4), (10**7, 10**7), (2 * 10**6, 1)):
        code = (
            "import sys, resource, dalembert as da, jax;"
            "s, m = da.systems.ChaoticQuartic(), da.Leapfrog();"
            "steps, every = map(int, sys.argv[1:]);"
            "da.simulate(s, m, h=0.01, steps=300, save_every=every if every > 1 else 1);"
            "da.simulate(s, m, h=0.01, steps=300 if every > 1 else 5000, save_every=1);"
            "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
            "t = da.simulate(s, m, h=0.01, steps=steps, save_every=every);"
            "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
            "print(after - before, sum(x.nbytes for x in jax.tree.leaves(t)) // 1024)"
        )
        command = [sys.executable, "-c", code, str(steps), str(every)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        grown, saved = map(int, done.stdout.split())
        ratio = f"{grown / saved:.2f}" if every == 1 else ""
        rows.append(
            [f"{steps} steps, every {every}", f"{grown / 1024:.0f}", f"{saved / 1024:.0f}", ratio]
        )
    heads = ["run", "memory grew by, MiB", "saved, MiB", "ratio (aim: 2)"]
    table("Memory", heads, rows)


def first_calls() -> None:
    """CPU seconds of the first call of `simulate` in a new process, after the import."""
    rows = [
        [f"{system}, {method}", f"{first:.2f}", f"{most:g}", f"{second:.2f}", f"{most / 2:g}"]
        for system, method, first, most, second in first_call.measured(2)
    ]
    heads = ["CPU seconds after the import", "first process", "aim: at most", "next process", "aim"]
    table("First call in a new process", heads, rows)


def machine() -> str:
    """What the figures were measured on, in words."""
    words = [platform.processor() or platform.machine()]
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        words = [x.partition(":")[2].strip() for x in lines if x.startswith("model name")][:1]
    words.append(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}")
    words.append(f"Python {platform.python_version()}, JAX {jax.__version__}")
    if cc := shutil.which("cc") or shutil.which("gcc"):
        words.append(subprocess.run([cc, "--version"], capture_output=True, text=True).stdout)
    with contextlib.suppress(OSError):  # nothing outside of a clone
        told = ["git", "-C", str(HERE), "describe", "--always", "--dirty"]
        told = subprocess.run(told, capture_output=True, text=True)
        words.append(f"at {told.stdout}" if told.stdout else "")
    return ", ".join(x.splitlines()[0] for x in words if x)


PAGE = HERE.parent / "docs" / "performance.md"
HEAD = """# Performance

Written by `python benchmarks/run.py [SECTION...]`, which replaces the sections that it
measures; `benchmarks/gpu.py --out out/bench/gpu.json`, then `run.py page`, add
those of a GPU. Compare ratios within one run; times depend on the machine and its load.
"""
PICTURES = """
![Time as a multiple of code written by hand](images/ratios.png)

![Time by accuracy, of methods here and of other codes, on (5.5)](images/work-precision.png)
"""


def write_page() -> None:
    """docs/performance.md: what was measured last of every section, here or before, and on what."""
    page = PAGE.read_text() if PAGE.exists() else HEAD
    parts = {}
    for text, section in re.findall(r"(\n## .*?\n`(\w+)`, on [^\n]*\n)", page, re.DOTALL):
        parts[section] = text
    for section, found in _measured().items():
        lines = []
        for title, rows in found["tables"].items():
            heads = list(rows[0])
            lines += ["", f"## {title}", "", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
            lines += [f"| {' | '.join(row.values())} |" for row in rows]
        parts[section] = "\n".join([*lines, "", f"`{section}`, on {found['machine']}.", ""])
    page = "".join(parts.values())
    ratios = list(_ratios(page))
    draw_ratios(ratios)
    PAGE.write_text(HEAD + PICTURES + page)


def _ratios(page: str) -> Iterator[tuple[str, float, float]]:
    """(what, ratio, aim) of every row of the page that has both."""
    for lines in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        heads, _, *rows = (
            [x.strip() for x in line.strip("|").split("|")] for line in lines.splitlines()
        )
        if {"ratio", "aim: at most"} <= set(heads):
            for row in rows:
                found = dict(zip(heads, row))
                yield row[0], float(found["ratio"]), float(found["aim: at most"])


def draw_ratios(ratios: list[tuple[str, float, float]]) -> None:
    """Bars for what is slower than code by hand by how much, with the aims."""
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(7, 0.6 + 0.32 * len(ratios)), layout="constrained")
    for i, (_, ratio, aim) in enumerate(ratios):
        ax.barh(i, ratio, color="C0", height=0.6)
        ax.plot([aim, aim], [i - 0.4, i + 0.4], color="C3", lw=2, label="" if i else "at most")
        ax.text(0.05, i, f"{ratio:.2f}", color="white", va="center", fontsize=9)
    ax.axvline(1.0, color="0.4", lw=1, ls="--")
    ax.set_yticks(range(len(ratios)), [what for what, *_ in ratios], fontsize=8)
    ax.set_xlabel("time, as a multiple of hand-written code")
    ax.invert_yaxis()
    ax.legend(loc="lower right", fontsize=8)
    fig.savefig(IMAGES / "ratios.png", dpi=120)
    plt.close(fig)


def _measured() -> dict[str, dict]:
    """By section, in this checkout."""
    found = {}
    for path in (OUT / "figures.json", OUT / "gpu.json"):
        if path.exists():
            found |= json.loads(path.read_text())
    return found


SECTIONS = {
    "calls": first_calls,
    "baselines": baselines,
    "vmap": vmap,
    "peers": peers,
    "taylor": taylor,
    "crossings": crossings,
    "scaling": scaling,
    "first": first,
}

if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    chosen = [x for x in sys.argv[1:] if x != "page"] or list(SECTIONS)
    if unknown := set(chosen) - set(SECTIONS):
        sys.exit(f"unknown section {', '.join(unknown)}; known: page, {', '.join(SECTIONS)}")
    OUT.mkdir(parents=True, exist_ok=True)
    for section in chosen if sys.argv[1:] != ["page"] else []:
        FOUND.clear()
        print(f"{section}: {machine()}\n")
        SECTIONS[section]()
        path = OUT / "figures.json"
        found = json.loads(path.read_text()) if path.exists() else {}
        found[section] = {"machine": machine(), "tables": dict(FOUND)}
        path.write_text(json.dumps(found, indent=1))
    write_page()
    print(f"figures: {OUT / 'figures.json'}, docs/performance.md")
