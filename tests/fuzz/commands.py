"""Random command lines and random calls: no traceback, nothing wrong that says success.

    python -m tests.fuzz.commands --cases 10000 --seed 0

Half of the cases go through `dalembert.cli.main` in this process, half through `simulate`. A case
is good if it ends in one message and an exit code (a `DalembertError` in Python), or in a result
whose numbers are finite and whose rows are on the constraint to round-off. Systems and methods are
few, so that compiled code is used again.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import json
import random
import tempfile
import traceback
import warnings
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.cli import main
from dalembert.diagnostics.reports import round_off
from dalembert.diagnostics.series import Scales, kept_energy, over_rows
from dalembert.errors import DalembertError
from dalembert.methods import registry as methods
from dalembert.systems import registry as systems

SYSTEMS = ("nonholonomic-particle", "chaplygin-sleigh", "knife-edge", "ball-on-turntable")
METHODS = ("leapfrog", "gni-midpoint", "dla-midpoint", "rk4", "gauss-2", "shake")
NUMBERS = ("0", "1", "-1", "0.5", "1e-300", "1e300", "1e16", "-1e8", "1e-8", "nan", "inf", "2/3")
WORDS = ("", "x", "1,2", "1;2", "pi", "--", "1/0", "é", "1e", "0x10", "None", "[1]", "true")
STEP_SIZES = (*("0.01", "0.1", "1", "1e-6") * 4, "10", "1e300", "0", "-1", "nan")


def number(chance: random.Random) -> str:
    if chance.random() < 0.05:
        return chance.choice(WORDS)
    if chance.random() < 0.3:
        return chance.choice(NUMBERS)
    return repr(chance.uniform(-2, 2) * 10.0 ** chance.randint(-4, 6))


def numbers(chance: random.Random, count: int) -> str:
    if chance.random() < 0.1:
        count += chance.choice((-1, 1))
    return ",".join(number(chance) for _ in range(max(count, 0)))


def command_line(chance: random.Random, folder: Path) -> list[str]:
    """A command line, mostly a run with a few strange options."""
    if chance.random() < 0.05:
        return [chance.choice(("run", "systems", "methods", "analyze", "resume", "what", "")),
                *(number(chance) for _ in range(chance.randint(0, 2)))]  # fmt: skip
    name = chance.choice(SYSTEMS)
    system = systems[name]()
    line = ["run", name if chance.random() > 0.02 else number(chance)]
    line += ["--method", chance.choice(METHODS)]
    line += ["--steps", chance.choice(("1", "2", "7")) if chance.random() > 0.1 else number(chance)]
    if chance.random() < 0.8:
        line += ["--h", chance.choice(STEP_SIZES)]
    if chance.random() < 0.4:
        line += ["--set", f"{chance.choice([*system.parameters(), 'nosuch'])}={number(chance)}"]
    if chance.random() < 0.5:
        line += ["--v0", numbers(chance, system.dim), "--project"]
    if chance.random() < 0.3:
        line += ["--q0", numbers(chance, system.groupoid.base.size)]
    if chance.random() < 0.2:
        line += ["--t0", number(chance)]
    if chance.random() < 0.1:
        line += ["--save-every", number(chance)]
    if chance.random() < 0.05:
        suffix = chance.choice((".zarr", ".nc", ".csv", ".txt", ""))
        line += [chance.choice(("--out", "--store")), str(folder / f"{chance.random()}{suffix}")]
    if chance.random() < 0.05:
        line += ["--t", number(chance)]
    return [*line, "--json"]


def wrong_result(system: da.System, traj: da.Trajectory) -> str:
    """What is wrong with a result that says success; empty if nothing is."""
    arrays = (traj.v, traj.p, traj.multiplier, traj.t, system_flat(system, traj))
    if not all(np.all(np.isfinite(x)) for x in arrays):
        return "a number that is not finite"
    if not system.is_constrained or traj.meta.method == "rk4":
        return ""
    residual = np.asarray(da.diagnostics.constraint_residual(system, traj))
    energy = kept_energy(system)
    size = np.asarray(over_rows(Scales(energy.function), system, traj)["constraint"])
    speed = np.max(np.abs(traj.v), axis=-1)
    # against the terms that cancel, and what a start is allowed to be off by
    allowed = round_off(traj.meta.steps) * np.maximum(size, speed) + 1e-300
    return "" if np.all(residual <= allowed) else f"residual {np.max(residual / allowed):.1e}"


def system_flat(system: da.System, traj: da.Trajectory) -> np.ndarray:
    import jax

    return np.concatenate([np.ravel(x) for x in jax.tree.leaves(traj.q)] or [np.zeros(0)])


def try_command(chance: random.Random, folder: Path) -> tuple[str, str, object]:
    line = command_line(chance, folder)
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(line)
    except BaseException:
        return "traceback", traceback.format_exc(), line
    if "Traceback" in err.getvalue():
        return "traceback", err.getvalue(), line
    if code not in (0, 1, 2):
        return "exit code", str(code), line
    if code and not err.getvalue() and not out.getvalue():
        return "silent failure", "", line
    if code == 0 and line[0] == "run":
        found = json.loads(out.getvalue().splitlines()[-1])
        values = [*found["q"], *found["v"], found["energy_final"], found["constraint_residual_max"]]
        if any(x is None or not np.isfinite(x) for x in values):
            return "not finite", json.dumps(found), line
    return f"exit {code}", "", line


def try_call(chance: random.Random) -> tuple[str, str, object]:
    name, method = chance.choice(SYSTEMS), chance.choice(METHODS)
    cls = systems[name]
    scale = 10.0 ** chance.randint(-8, 12)
    call: dict[str, object] = {
        "h": chance.choice((*(1e-6, 1e-3, 0.01, 0.1, 1.0, 10.0) * 4, float("nan"), -1.0, "x")),
        "steps": chance.choice((1, 2, 7, 0, 1.5, 2**60)) if chance.random() < 0.2 else 3,
        "project": chance.random() < 0.9,
    }
    try:
        system = cls()
        q0, v0 = map(np.asarray, system.initial())
        if chance.random() < 0.3:
            field = chance.choice(list(system.parameters()))
            value = chance.choice((0.0, -1.0, 1e-12, 1e12, float("nan"), "x", [1.0, 2.0], 3.0))
            system = cls(**{field: value})
        q0 = q0 + np.array([chance.uniform(-1, 1) for _ in q0]) * chance.choice((0, 1, 1e3, 1e9))
        v0 = np.array([chance.uniform(-1, 1) for _ in v0]) * scale
        if chance.random() < 0.05:
            v0 = chance.choice((v0[:-1], "v", None, v0 * np.nan, np.stack([v0, v0])))
        traj = da.simulate(system, methods[method](), q0, v0, **call)
    except DalembertError:
        return "refused", "", (name, method, call)
    except BaseException:
        return "traceback", traceback.format_exc(), (name, method, call)
    wrong = wrong_result(system, traj)
    told = (name, method, call, q0.tolist(), np.asarray(v0).tolist())
    return ("success and wrong", wrong, told) if wrong else ("success", "", told)


BAD = ("traceback", "exit code", "silent failure", "not finite", "success and wrong")


def fuzz(cases: int, seed: int) -> collections.Counter[str]:
    """Counts of how cases ended; those that are bad are printed."""
    chance, counts = random.Random(seed), collections.Counter[str]()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(cases):
            how, text, case = try_command(chance, Path(folder)) if i % 2 else try_call(chance)
            counts[how] += 1
            if how in BAD:
                print(f"case {i}: {how}: {case}\n{text}", flush=True)
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = fuzz(given.cases, given.seed)
    for how, count in found.most_common():
        print(f"{how:20s} {count}")
    raise SystemExit(any(found[how] for how in BAD))
