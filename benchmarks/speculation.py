"""What speculative steps buy on a GPU: each kernel with and without them, and hand-written CUDA.

    python benchmarks/speculation.py [--work 2e9] [--no-cuda]

Prints ps per step and member of the kernel alone: checked steps, speculative steps (up to 64
without checks, see docs/decisions/speculation.md), their ratio, CUDA for the leapfrog method where
nvcc is found, and two comparisons of the ends of 1,000 steps. "same bits": the speculative kernel
against itself with every block made again by checked steps. "off": the largest difference from the
kernel without speculation, whose products and sums LLVM fuses as it likes. Two minutes on an H200.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
from contextlib import nullcontext
from pathlib import Path
from unittest import mock

import gpu
import jax
import numpy as np

import dalembert as da
from dalembert.compile.cpu.loop_emit import stepping
from dalembert.compile.gpu import ptx

CASES = (
    ("leapfrog, chaotic", da.systems.ChaoticQuartic(), da.Leapfrog(), 0.05),
    ("shake, chaotic", da.systems.ChaoticQuartic(), da.Shake(), 0.05),
    ("rk4, sleigh", da.systems.ChaplyginSleigh(), da.RK4(), 0.005),
)
MEMBERS = (10_000, 100_000, 1_000_000)


def cuda_ps(members: int, steps: int) -> float | None:
    """The hand-written kernel of `baselines.cu`; None without nvcc."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not Path(nvcc).exists():
        return None
    q, v = gpu.SYSTEM.initial()
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "baselines"
        source = str(gpu.HERE / "baselines.cu")
        subprocess.run([nvcc, "-O3", "-o", str(binary), source], check=True)
        numbers = map(repr, map(float, np.concatenate([q, v])))
        command = [str(binary), str(members), str(steps), "3", repr(gpu.H), *numbers]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(printed.split()[0])


def without_trust(*given, **options) -> str:
    """Text of the speculative kernel in which every block fails its check."""
    text = stepping(*given, **options)
    return re.sub(r"br i1 \S+, label %rest, label %lost", "br i1 0, label %rest, label %lost", text)


def ends(system, method, h: float) -> np.ndarray:
    q, v = gpu.copies(system.initial(), 4096)
    run = da.simulate_ensemble(system, method, q, v, h=h, steps=1000, save=da.Final())
    return np.concatenate([np.ravel(x) for x in jax.tree.leaves((run.q, run.v))])


def both(system, method, h: float, members: int, steps: int) -> tuple[float, float, bool, float]:
    """(ps of checked steps, ps of speculative steps, same bits, largest difference)."""
    took, found = [], []
    for change in ({"speculation": None}, {}, {"stepping": without_trust}):
        da.clear_compiled()
        with mock.patch.multiple(ptx, **change) if change else nullcontext():
            if len(took) < 2:
                took.append(gpu.kernel_ps(members, steps, system=system, method=method, h=h))
            found.append(ends(system, method, h))
    da.clear_compiled()
    checked, speculative, lost = found
    same = np.array_equal(speculative, lost, equal_nan=True)
    return took[0], took[1], same, float(np.max(np.abs(speculative - checked)))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--work", type=float, default=2e9, help="steps of all members in one call")
    ask.add_argument("--no-cuda", action="store_true", help="leave out the hand-written kernel")
    given = ask.parse_args()
    if jax.default_backend() != "gpu":
        raise SystemExit("speculative steps run on a GPU only, and JAX sees none")
    print("| step | members | checked, ps | speculative, ps | gain | CUDA, ps | same bits | off |")
    print("|---|---|---|---|---|---|---|---|")
    for name, system, method, h in CASES:
        for members in MEMBERS:
            steps = min(max(round(given.work / members), 4_000), 200_000)
            checked, speculative, same, off = both(system, method, h, members, steps)
            asked = method == gpu.METHOD and not given.no_cuda
            cuda = cuda_ps(members, steps) if asked else None
            by_hand = "" if cuda is None else f"{cuda:.1f}"
            print(
                f"| {name} | {members} | {checked:.1f} | {speculative:.1f} | "
                f"{checked / speculative:.2f} | {by_hand} | {same} | {off:.1e} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
