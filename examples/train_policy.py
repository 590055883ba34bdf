"""Train a policy without gradients: evolution strategies on the members of one Stepper.

python examples/train_policy.py [Balance] [generations]

A policy is one layer, action = limit tanh(W x / scale). Each generation tries pairs of policies
W +- s e on the same starts, ranks them by their rewards, and moves W along the directions that did
better (Salimans and others, 2017). All run at once, as members of one `da.envs.make_vec`.
"""

import sys
import time

import numpy as np

import dalembert as da

PAIRS, STARTS = 32, 4  # directions of a generation, and starts of each
SPREAD, RATE = 0.05, 0.08  # of the trials, and of the steps
PERIODS = 250  # of an episode in training


def acting(task, W, seen):
    """Actions of members, each with its own weights."""
    x = seen / scales(task)
    return np.asarray(task.limits) * np.tanh(np.einsum("nij,nj->ni", W, x))


def scales(task):
    """Sizes of what is seen, so that weights of one size make sense."""
    units = {"m": 1.0, "rad": 0.3, "m/s": 1.0, "rad/s": 1.0, "1/m": 0.02}
    return np.array([units[unit] for _, unit in task.observations])


def rewards(env, W, seed, periods):
    """The sum of rewards of each member until its episode ends."""
    seen, _ = env.reset(seed=seed)
    total, alive = np.zeros(len(W)), np.ones(len(W), bool)
    for _ in range(periods):
        seen, reward, over, late, _ = env.step(acting(env.task, W, seen))
        total += np.where(alive, reward, 0.0)
        alive &= ~(over | late)
    return total


def ranked(x):
    """Ranks from -1/2 to 1/2: outliers do not matter."""
    return np.argsort(np.argsort(x)) / (len(x) - 1) - 0.5


def train(name, generations):
    """The weights after so many generations."""
    rng = np.random.default_rng(0)
    members = 2 * PAIRS * STARTS
    env = da.envs.make_vec(name, members)
    shape = (len(env.task.limits), len(env.task.observations))
    W, speed = np.zeros(shape), np.zeros(shape)
    begin = time.perf_counter()
    for g in range(generations):
        e = rng.normal(size=(PAIRS, *shape))
        trials = np.concatenate([W + SPREAD * e, W - SPREAD * e])
        # every policy on the same starts
        seeds = [1000 * g + i for i in range(STARTS)] * (2 * PAIRS)
        found = rewards(env, np.repeat(trials, STARTS, axis=0), seeds, PERIODS)
        score = ranked(found.reshape(2 * PAIRS, STARTS).mean(axis=1))
        slope = np.tensordot(score[:PAIRS] - score[PAIRS:], e, axes=1) / PAIRS
        speed = 0.8 * speed + RATE * slope / max(np.linalg.norm(slope), 1e-12) * np.sqrt(W.size)
        W = W + 0.2 * speed
        if g % 10 == 9 or g == generations - 1:
            print(f"generation {g + 1}: reward {found.mean():.1f} of {PERIODS}", flush=True)
    print(f"trained in {time.perf_counter() - begin:.0f} s")
    return W


def judge(name, W, seeds=100):
    """Whole episodes on starts that training has not seen."""
    env = da.envs.make_vec(name, seeds)
    seen, _ = env.reset(seed=50_000)
    ended, info = np.zeros(seeds, bool), {}
    every = np.repeat(W[None], seeds, axis=0)
    for _ in range(env.task.periods):
        seen, _, over, _, info = env.step(acting(env.task, every, seen))
        ended |= over
    last = info.get("final_info", info)  # none is there if nobody has come to the end
    solved = last["solved"] & ~ended
    print(f"{name}: {(~ended).sum()} of {seeds} unseen seeds to the end, {solved.sum()} solved")


if __name__ == "__main__":
    task = sys.argv[1] if len(sys.argv) > 1 else "Balance"
    judge(task, train(task, int(sys.argv[2]) if len(sys.argv) > 2 else 20))
