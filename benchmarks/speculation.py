"""What speculative steps buy on a GPU: each kernel with and without them, and hand-written CUDA.

    python benchmarks/speculation.py [--work 2e9] [--no-cuda]

Prints ps per step and member of the kernel alone: checked steps, speculative steps (up to 64
without checks, see docs/decisions/speculation.md), their ratio, CUDA for the leapfrog method where
nvcc is found, and whether both kernels give the same bits. Two minutes on an H200.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from unittest import mock

import gpu
import jax
import numpy as np

import dalembert as da
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


def both(system, method, h: float, members: int, steps: int) -> tuple[float, float, bool]:
    """(ps of checked steps, ps of speculative steps, whether their ends agree to the bit)."""
    found, ends = [], []
    for how in (None, ptx.speculation):
        da.clear_compiled()
        with mock.patch.object(ptx, "speculation", how):
            found.append(gpu.kernel_ps(members, steps, system=system, method=method, h=h))
            q, v = gpu.copies(system.initial(), 4096)
            run = da.simulate_ensemble(system, method, q, v, h=h, steps=1000, save=da.Final())
            ends.append(jax.tree.map(np.asarray, (run.q, run.v)))
    da.clear_compiled()
    same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(*map(jax.tree.leaves, ends)))
    return found[0], found[1], same


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--work", type=float, default=2e9, help="steps of all members in one call")
    ask.add_argument("--no-cuda", action="store_true", help="leave out the hand-written kernel")
    given = ask.parse_args()
    if jax.default_backend() != "gpu":
        raise SystemExit("speculative steps run on a GPU only, and JAX sees none")
    print("| step | members | checked, ps | speculative, ps | gain | CUDA, ps | same bits |")
    print("|---|---|---|---|---|---|---|")
    for name, system, method, h in CASES:
        for members in MEMBERS:
            steps = min(max(round(given.work / members), 4_000), 200_000)
            checked, speculative, same = both(system, method, h, members, steps)
            by_hand = method == gpu.METHOD and not given.no_cuda
            cuda = cuda_ps(members, steps) if by_hand else None
            print(
                f"| {name} | {members} | {checked:.1f} | {speculative:.1f} | "
                f"{checked / speculative:.2f} | {'' if cuda is None else f'{cuda:.1f}'} | {same} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
