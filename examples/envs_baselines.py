"""Count how many of 100 unseen episodes of each task its baseline controller solves.

python examples/envs_baselines.py [Balance Bicycle Parking Snakeboard]
"""

import sys
import time

import numpy as np

import dalembert as da

SEEDS, FIRST = 100, 7000


def count(name):
    """Run all seeds of a task at once, and print how many episodes were solved."""
    env = da.envs.make_vec(name, SEEDS)
    seen, _ = env.reset(seed=FIRST)
    ended, worst, total = np.zeros(SEEDS, bool), np.zeros(SEEDS), np.zeros(SEEDS)
    begin, info = time.perf_counter(), {}
    for k in range(env.task.periods):
        seen, reward, over, _, info = env.step(env.task.baseline(np, seen))
        ended |= over
        total += reward
        if k * env.task.period > 10.0:  # after the start
            last = info["final_obs"] if "final_obs" in info else seen
            worst = np.maximum(worst, np.abs(last[:, 0]))
    last = info.get("final_info", info)  # absent if no episode has ended
    solved = last["solved"] & ~ended
    first, unit = env.task.observations[0]
    late = f"; {first} after 10 s at most {worst.max():.2f} {unit}" if worst.any() else ""
    print(
        f"{name}: {solved.sum()} of {SEEDS} solved, reward {total.mean():.0f} of "
        f"{env.task.periods}{late} ({time.perf_counter() - begin:.1f} s)"
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or list(da.envs.tasks):
        count(name)
