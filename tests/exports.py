"""Exported C against native code on 20 systems of the zoo: a step, 1000 steps, sizes and times.

    python -m tests.exports            the table: leapfrog, RK4, DLA, Gauss(2)
    python -m tests.exports --sanitize the same under the address and undefined-behavior sanitizers
    python -m tests.exports --times    three of them against native code, and sizes of the robot
    python -m tests.exports --fmus     three FMUs by FMPy: valid, co-simulation, model exchange
    python -m tests.exports --hybrid   the hybrid zoo: jumps and states against native runs; with
                                       --sanitize its programs under the sanitizers
    python -m tests.exports --friction the same of systems with dry friction
    python -m tests.exports --formulas accelerations of the whole zoo by generated Python

`step` is the largest difference after one step from 50 states of a run, over the terms that are
summed there (q, v, h v, h a); `1000 steps` that at the end of a run of so many, over its largest
numbers. Every file is compiled with -std=c99 -Wall -Wextra -pedantic -Werror.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jax
import numpy as np
from tests.c_library import STRICT, Library, compiled, compiler, numbers

import dalembert as da
from dalembert import dynamics, export
from dalembert.errors import UsageError
from dalembert.pages import Table

METHODS = {
    "leapfrog": da.Leapfrog(),
    "rk4": da.RK4(),
    "dla": da.DLA(),
    "gauss2": da.Gauss(stages=2),
}
SYSTEMS = (
    "nonholonomic-particle modified-particle contact-oscillator chaotic-quartic chaplygin-sleigh "
    "knife-edge snakeboard vertical-rolling-disk rolling-disk mobile-robot two-wheeled-robot "
    "ball-on-turntable chaplygin-ball suslov benenti planar-body roller-racer car-with-trailer "
    "balancing-robot unicycle-with-rider"
).split()
CHAOTIC = ("chaotic-quartic",)  # two runs part from round-off on


def flat(q: object) -> np.ndarray:
    return np.concatenate([np.zeros(0), *(np.ravel(x) for x in jax.tree.leaves(q))])


def differences(name: str, method: da.methods.Method, folder: Path, flags: list[str]) -> list[str]:
    """One row of the table."""
    system, h = da.systems.registry[name](), 0.01
    try:
        files = export.c(system, method, folder / f"{name.replace('-', '_')}.c", h=h)
        traj = da.simulate(system, method, h=h, steps=1000)
    except UsageError as error:
        return ["refused", str(error).split(";")[0][:60], "", ""]
    library = Library(files, *flags)
    q = np.hstack(
        [np.reshape(x, (len(traj), -1)) for x in jax.tree.leaves((traj.q, traj.v[:, :0]))]
    )
    v = np.asarray(traj.v)
    worst = 0.0
    for k in range(0, 1000, 20):
        at, terms = traj[k].q, np.append(np.abs(q[k]), np.abs(v[k]))
        rates = np.concatenate(library.dynamics(at, v[k])[:2])
        size = np.max(terms) + h * np.max(np.abs(rates))
        stepper = da.Stepper(system, method, h=h)
        stepper.reset(at, v[k], project=True)
        there = stepper.step()
        result, state = library.start(at, v[k], h)
        assert result in (0, 3) and library.steps(state, 1, h) == 0, (name, k, result)
        mine = np.append(flat(there.q), there.v)
        worst = max(worst, float(np.max(np.abs(numbers(state) - mine)) / size))
    result, state = library.start(*system.initial(), h)
    assert result == 0 and library.steps(state, 1000, h) == 0
    last = np.append(q[-1], v[-1])
    far = float(
        np.max(np.abs(numbers(state) - last))
        / max(np.max(np.abs(q), initial=0.0), np.max(np.abs(v)))
    )
    size = os.path.getsize(library._library._name)
    return [f"{worst:.1e}", f"{far:.1e}", f"{files.operations['steps']}", f"{size // 1024} kB"]


def sanitized(name: str, method: da.methods.Method, folder: Path) -> list[str]:
    """The same by the program with a `main`: the library of a sanitizer must come first."""
    system, h, steps = da.systems.registry[name](), 0.01, 200
    place = folder / f"{name.replace('-', '_')}.c"
    try:
        files = export.c(system, method, place, h=h, main=steps)
    except UsageError as error:
        return ["refused", str(error).split(";")[0][:60], "", ""]
    flags = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    program = compiled(files.source, *flags, f"-D{files.prefix.upper()}_MAIN", to="")
    said = subprocess.run([str(program)], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr[:2000]
    last = np.array([float(x) for x in said.stdout.splitlines()[-1].split(",")])
    final = da.simulate(system, method, h=h, steps=steps).final
    wanted = np.append(flat(final.q), final.v)
    far = np.max(np.abs(last[1 : 1 + len(wanted)] - wanted)) / np.max(np.abs(wanted))
    return ["0.0", f"{far:.1e}", f"{files.operations['steps']}", "clean"]


def table(flags: list[str] | None, only: list[str] | None = None) -> int:
    rows, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name in only or SYSTEMS:
            for label, method in METHODS.items():
                place = Path(folder) / f"{name}-{label}"
                place.mkdir()
                row = (
                    sanitized(name, method, place)
                    if flags is None
                    else differences(name, method, place, flags)
                )
                rows.append((name, label, *row))
                if row[0] != "refused":
                    fine = float(row[0]) <= 1e-14 and (name in CHAOTIC or float(row[1]) <= 1e-11)
                    bad += not fine
                print(*rows[-1], "" if row[0] == "refused" or fine else "  <- MORE", flush=True)
    heads = ("system", "method", "step", "1000 steps", "operations", "library")
    print(Table(heads, rows).text())
    print(f"{len(rows)} cases, {sum(r[2] == 'refused' for r in rows)} refused, {bad} beyond bounds")
    return bad


def fmus() -> int:
    """FMUs of three systems: problems that FMPy finds, differences from our runs."""
    from fmpy import simulate_fmu
    from fmpy.validation import validate_fmu

    h, steps, bad = 0.01, 100, 0
    cases = (
        (da.systems.ChaplyginSleigh(), da.Gauss()),
        (da.systems.BalancingRobot(), da.RK4()),
        (da.systems.ChaplyginBall(), da.DLA()),
    )
    with tempfile.TemporaryDirectory() as folder:
        for system, method in cases:
            file = export.fmu(system, method, Path(folder) / f"{system.name()}.fmu", h)
            problems = validate_fmu(str(file.path))
            names = [x for x in file.variables if f"der({x})" in file.variables]
            exact = da.simulate(system, da.Taylor(), t=h * steps, save=da.At([h * steps])).final
            mine = da.simulate(system, method, h=h, steps=steps).final
            off = []
            for kind, end in (("CoSimulation", mine), ("ModelExchange", exact)):
                run = simulate_fmu(
                    str(file.path), fmi_type=kind, stop_time=h * steps, output_interval=h,
                    output=names, relative_tolerance=1e-13,
                )  # fmt: skip
                wanted = np.append(flat(end.q), end.v)
                off.append(float(np.max(np.abs([run[-1][n] for n in names] - wanted))))
            bad += bool(problems) or max(off) > 1e-9
            print(f"{system.name()} {method.name}: {len(problems)} problems")
            print(f"  co-simulation {off[0]:.1e} from our run, model exchange {off[1]:.1e} from "
                  "Taylor's")  # fmt: skip
    return bad


# Steps of each system of the hybrid zoo with declared modes, and their size; before Zeno's point.
HYBRIDS = {
    "bouncing-ball": (0.01, 300),
    "hill": (0.01, 250),
    "sleigh-on-ice": (0.05, 120),
    "sphere-on-rough-floor": (0.02, 150),
    "fading-constraint": (0.01, 300),
    "disk-at-wall": (0.01, 600),
    "dropped-ball": (0.01, 400),
    "ball-between-plates": (0.01, 1000),
    "billiard": (0.01, 400),
    "disks-that-join": (0.01, 300),
}


# The same of systems with dry friction.
FRICTION = {
    "stick-slip-belt": (0.01, 400),
    "painleve-rod": (0.01, 100),
    "bowling-ball": (0.01, 300),
    "struck-ball": (0.01, 300),
    "dropped-with-spin": (0.01, 300),
    "tippe-top": (0.001, 600),
    "rattleback-with-friction": (0.002, 400),
    "euler-disk": (0.001, 500),
    "scooter": (0.005, 300),
    "car": (0.01, 300),
    "drift": (0.01, 12),
    "skid-steer": (0.01, 60),
}


def contacts_of(modes, mode: str) -> int:
    """The states of the contacts in a mode, as the bits of `contacts` in C."""
    from dalembert.hybrid.contact_law import state_named

    state = state_named(modes.plan, mode)
    assert state is not None
    holds = [state.is_on(g) and x for g, x in zip(modes.plan.groups, state.sticks)]
    return sum(int(x) << i for i, x in enumerate((*state.shut, *holds)))


def hybrids(zoo: dict[str, tuple[float, int]], bound: float) -> int:
    """C of the hybrid zoo by RK4 and Gauss(2): the same jumps, times and states as native runs."""
    from tests.c_library import HybridLibrary

    from dalembert.hybrid.zoo import registry

    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (h, steps) in zoo.items():
            for label in ("rk4", "gauss2"):
                modes, method = registry[name](), METHODS[label]
                place = Path(folder) / f"{name.replace('-', '_')}_{label}.c"
                files = export.c(modes, method, place, h=h)
                library = HybridLibrary(files, "-O1")
                run = da.simulate(modes, method, h=h, steps=steps)
                q = [np.reshape(x, (len(run), -1)) for x in jax.tree.leaves(run.q)]
                table = np.hstack([*q, np.asarray(run.v)])
                if modes.decides:
                    result, state = library.start_of_contacts(
                        *modes.started(None, None, None, 0.0)[1:]
                    )
                else:
                    result, state = library.start(*modes.start)
                assert result == 0, result
                worst, seen = 0.0, []
                for k in range(1, steps + 1):
                    assert library.steps(state, 1) == 0, (name, k)
                    seen += library.jumps(state, len(seen))
                    at = np.flatnonzero(np.abs(np.asarray(run.t) - k * h) < 1e-9 * h)
                    if len(at):  # a run skips a grid point right after a jump
                        off = np.max(np.abs(numbers(state) - table[at[-1]]))
                        worst = max(worst, float(off / np.max(np.abs(table))))
                targets = [
                    contacts_of(modes, j.target) if modes.decides else j.target for j in run.jumps
                ]
                same = [x[1:] for x in seen] == list(zip((j.name for j in run.jumps), targets))
                late = max((abs(x[0] - j.t) for x, j in zip(seen, run.jumps)), default=0.0)
                bad += not same or worst > bound or late > bound
                told = "same jumps" if same else "OTHER JUMPS"
                print(f"{name} {label}: {len(seen)} jumps, {told}, times {late:.1e}, states "
                      f"{worst:.1e}", flush=True)  # fmt: skip
    print(f"{bad} beyond bounds")
    return bad


def sanitized_hybrids(zoo: dict[str, tuple[float, int]], bound: float) -> int:
    """Programs of the hybrid zoo by RK4 under the sanitizers: clean, and where native runs end."""
    from dalembert.hybrid.zoo import registry

    bad = 0
    flags = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    with tempfile.TemporaryDirectory() as folder:
        for name, (h, steps) in zoo.items():
            modes, place = registry[name](), Path(folder) / f"{name.replace('-', '_')}.c"
            files = export.c(modes, da.RK4(), place, h=h, main=steps)
            program = compiled(files.source, *flags, f"-D{files.prefix.upper()}_MAIN", to="")
            said = subprocess.run([str(program)], capture_output=True, text=True)
            assert said.returncode == 0, said.stderr[:2000]
            last = np.array([float(x) for x in said.stdout.splitlines()[-1].split(",")])
            run = da.simulate(modes, da.RK4(), h=h, steps=steps)
            wanted = np.append(flat(run.final.q), run.final.v)
            off = np.max(np.abs(last[3:] - wanted)) / np.max(np.abs(wanted))
            bad += off > bound or last[2] != len(run.jumps)
            print(f"{name}: clean, {int(last[2])} jumps, end {off:.1e}", flush=True)
    return bad


def formulas() -> int:
    """Accelerations of generated Python against native ones; CPU seconds of the bicycle's page."""
    from tests.compiled import native

    bad, rng = 0, np.random.default_rng(3)
    for name, cls in da.systems.registry.items():
        system = cls()
        space: dict = {}
        exec(da.formulas(system).python(), space)
        q, v = system.initial()
        solved = native(dynamics.solved)
        worst = 0.0
        for _ in range(3):
            w = dynamics.consistent_velocity(system, q, v + 0.1 * rng.normal(size=system.dim))
            found = solved(system, q, w, 0.3)
            a, lam = space["acceleration"](0.3, flat(q), np.asarray(w))
            # the sizes of what is summed: M^-1 f and M^-1 A^T lam
            M, f, A, _ = space["terms"](0.3, flat(q), np.asarray(w))
            size = np.max(np.abs(np.linalg.solve(M, f))) + 1e-3
            if len(lam):
                size += np.max(np.abs(np.linalg.solve(M, A.T * lam)))
            worst = max(worst, float(np.max(np.abs(a - found.acceleration)) / size))
        bad += worst > 1e-12
        print(f"{name}: {worst:.1e}", "" if worst <= 1e-12 else "  <- MORE", flush=True)
    begin = time.process_time()
    text = str(da.formulas(da.systems.WhippleBicycle()))
    print(f"whipple-bicycle: {len(text)} characters, {time.process_time() - begin:.1f} s of CPU")
    return bad


MEASURED = (("chaplygin-sleigh", "rk4"), ("snakeboard", "gauss2"), ("balancing-robot", "rk4"))


def times() -> None:
    """Seconds for a step, of native code and of C, the best of five; sizes of objects."""
    steps = 200_000
    with tempfile.TemporaryDirectory() as folder:
        for name, label in MEASURED:
            system, method = da.systems.registry[name](), METHODS[label]
            files = export.c(system, method, Path(folder) / f"{label}_{name}.c", h=1e-3)
            library = Library(files, "-O3", "-march=native")
            stepper = da.Stepper(system, method, h=1e-3)
            mine, theirs = [], []
            for _ in range(5):
                stepper.reset()
                stepper.step(steps=10)
                begin = time.perf_counter()
                stepper.step(steps=steps)
                mine.append(time.perf_counter() - begin)
                _, state = library.start(*system.initial(), 1e-3)
                library.steps(state, 10, 1e-3)
                begin = time.perf_counter()
                assert library.steps(state, steps, 1e-3) == 0
                theirs.append(time.perf_counter() - begin)
            a, b = min(mine) / steps * 1e9, min(theirs) / steps * 1e9
            print(f"{name} {label}: native {a:.0f} ns, C {b:.0f} ns a step, ratio {b / a:.2f}")
        robot = da.systems.BalancingRobot()
        for label in ("rk4", "gauss2"):
            for single in (True, False):
                place = Path(folder) / f"robot_{label}_{single}.c"
                files = export.c(robot, METHODS[label], place, h=1e-3, single=single)
                assert compiler is not None
                for level in ("-O2", "-Os"):
                    out = place.with_suffix(".o")
                    command = [compiler, *STRICT, level, "-c", str(place), "-o", str(out)]
                    subprocess.run(command, check=True)
                    said = subprocess.run(["size", str(out)], capture_output=True, text=True)
                    text = int(said.stdout.splitlines()[1].split()[0])
                    kind = "float" if single else "double"
                    print(f"balancing-robot {label} {kind} {level}: {text / 1024:.1f} kB of code")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--fmus", action="store_true")
    parser.add_argument("--formulas", action="store_true")
    parser.add_argument("--hybrid", action="store_true")
    parser.add_argument("--friction", action="store_true")
    parser.add_argument("--only", nargs="*", help="names of systems")
    given = parser.parse_args()
    if given.times:
        times()
    elif given.fmus:
        sys.exit(fmus())
    elif given.hybrid or given.friction:
        zoo, bound = (FRICTION, 1e-9) if given.friction else (HYBRIDS, 1e-11)
        zoo = {x: zoo[x] for x in given.only or zoo}
        sys.exit((sanitized_hybrids if given.sanitize else hybrids)(zoo, bound))
    elif given.formulas:
        sys.exit(formulas())
    else:
        sys.exit(table(None if given.sanitize else ["-O3", "-march=native"], given.only))
