"""The attitude of a rolling ball with Cayley's map and with the exponential, and what each costs.

    python benchmarks/attitude.py

The ball on a turning table, h = 0.02, t = 20, against `Reference`.
"""

from __future__ import annotations

import time

import numpy as np

import dalembert as da
from dalembert.methods import registry


class Exponential(da.systems.BallOnTurntableGlobal):
    """The same ball on the groupoid with the exponential."""

    space = da.Pair(da.systems.BallOnTurntableGlobal.space, tau="exp")  # pyright: ignore


def angle(A: np.ndarray, B: np.ndarray) -> float:
    """Of the rotation between two, in degrees."""
    return float(np.degrees(np.arccos(np.clip((np.trace(A.T @ B) - 1.0) / 2.0, -1.0, 1.0))))


def main() -> None:
    """A line for each method and map."""
    systems = {"cay": da.systems.BallOnTurntableGlobal(), "exp": Exponential()}
    exact = da.simulate(systems["cay"], da.Reference(), h=1.0, steps=20).final
    for name in ("gni-midpoint", "dla-midpoint", "gauss-2"):
        for tau, ball in systems.items():
            method, begin = registry[name](), time.perf_counter()
            end = da.simulate(ball, method, h=0.02, steps=1000, save_every=1000).final
            first, costs = time.perf_counter() - begin, []
            for _ in range(5):
                begin = time.process_time()
                da.simulate(ball, method, h=0.02, steps=20_000, save_every=20_000)
                costs.append((time.process_time() - begin) / 20_000)
            print(
                f"{name:13s} {tau}: attitude {angle(exact.q[1], end.q[1]):7.4f} deg, contact "
                f"{np.max(np.abs(exact.q[0] - end.q[0])):.1e} m, {1e6 * min(costs):.2f} us of CPU "
                f"a step, first call {first:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
