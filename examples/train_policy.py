"""Train a policy without gradients: augmented random search on the members of one Stepper.

python examples/train_policy.py [Bicycle | Balance | ...] [generations]

A policy is one layer, action = limit tanh(W (x - mean) / deviation), with the mean and deviation of
the observations so far. Each generation tries pairs of policies W +- s e from the same starts, and
moves W along the directions with the highest rewards (Mania, Guy and Recht, 2018). All policies run
at once, as members of one `da.envs.make_vec`. Training episodes grow from 5 s to 20 s. Afterwards
the policy is tested on whole episodes from 100 starts that training did not use.
"""

import sys
import time

import numpy as np

import dalembert as da

PAIRS, BEST, STARTS = 24, 12, 3  # directions tried, best directions used, starts for each policy
SPREAD, RATE = 0.04, 0.04  # standard deviation of the trials, and learning rate
SHORT, LONG = 250, 1000  # control periods of an episode, in the first and the last generations
WORTH = {"Bicycle": 60, "Balance": 20}  # generations


class Seen:
    """Running mean and standard deviation of all observations."""

    def __init__(self, count):
        self.n, self.mean, self.square = 0, np.zeros(count), np.zeros(count)

    def add(self, x):
        n = self.n + len(x)
        off = x - self.mean
        self.mean = self.mean + off.sum(axis=0) / n
        self.square = self.square + (off * (x - self.mean)).sum(axis=0)
        self.n = n

    def scaled(self, x):
        deviation = np.sqrt(self.square / max(self.n, 1))
        return (x - self.mean) / np.where(deviation > 1e-6, deviation, 1.0)


def acting(task, W, x):
    """Return the actions of members, each with its own weights."""
    return np.asarray(task.limits) * np.tanh(np.einsum("nij,nj->ni", W, x))


def rewards(env, W, seed, periods, scale, learn):
    """Return the sum of rewards of each member until its episode ends."""
    seen, _ = env.reset(seed=seed)
    total, alive = np.zeros(len(W)), np.ones(len(W), bool)
    for _ in range(periods):
        learn.append(seen[alive][:: 1 + len(W) // 32])
        seen, reward, over, late, _ = env.step(acting(env.task, W, scale(seen)))
        total += np.where(alive, reward, 0.0)
        alive &= ~(over | late)
        if not alive.any():
            break
    return total


def train(name, generations):
    """Return the weights after training, and the mean and deviation of the observations."""
    rng = np.random.default_rng(0)
    env = da.envs.make_vec(name, 2 * PAIRS * STARTS)
    task = env.task
    shape = (len(task.limits), len(task.observations))
    W, seen = np.zeros(shape), Seen(shape[1])
    begin = time.perf_counter()
    for g in range(generations):
        e = rng.normal(size=(PAIRS, *shape))
        trials = np.concatenate([W + SPREAD * e, W - SPREAD * e])
        # every policy on the same starts
        seeds = [1000 * g + i for i in range(STARTS)] * (2 * PAIRS)
        periods = SHORT + (LONG - SHORT) * g // max(generations - 1, 1)
        learn = []
        found = rewards(
            env, np.repeat(trials, STARTS, axis=0), seeds, periods, seen.scaled, learn
        ).reshape(2, PAIRS, STARTS).mean(axis=-1)  # fmt: skip
        best = np.argsort(-found.max(axis=0))[:BEST]
        spread = found[:, best].std() + 1e-9
        slope = np.tensordot(found[0, best] - found[1, best], e[best], axes=1) / BEST / spread
        W = W + RATE * slope
        for x in learn:
            seen.add(x)
        if g % 10 == 9 or g == generations - 1:
            spent = time.perf_counter() - begin
            told = f"generation {g + 1}: reward {found.mean() / periods:.3f} of 1 ({spent:.0f} s)"
            print(told, flush=True)
    print(f"trained in {time.perf_counter() - begin:.0f} s")
    return W, seen


def judge(name, W, seen, seeds=100):
    """Test the policy on whole episodes, from starts that training did not use."""
    env = da.envs.make_vec(name, seeds)
    x, _ = env.reset(seed=50_000)
    ended, worst, info = np.zeros(seeds, bool), np.zeros(seeds), {}
    every = np.repeat(W[None], seeds, axis=0)
    for k in range(env.task.periods):
        x, _, over, _, info = env.step(acting(env.task, every, seen.scaled(x)))
        ended |= over
        last = info.get("final_obs", x)
        if k * env.task.period >= 10.0:  # after the start
            worst = np.maximum(worst, np.abs(last[:, 0]))
    last = info.get("final_info", info)  # absent if no episode has ended
    solved = last["solved"] & ~ended
    print(f"{name}: {(~ended).sum()} of {seeds} unseen seeds to the end, {solved.sum()} solved")
    if name == "Bicycle":
        kept = (~ended & (worst < 0.5)).sum()
        print(f"{kept} of {seeds} ride for 60 s and stay within 0.5 m of the path after 10 s; "
              f"the median of their largest distance is {np.median(worst):.2f} m")  # fmt: skip


if __name__ == "__main__":
    task = sys.argv[1] if len(sys.argv) > 1 else "Bicycle"
    judge(task, *train(task, int(sys.argv[2]) if len(sys.argv) > 2 else WORTH.get(task, 60)))
