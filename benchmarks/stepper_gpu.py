"""Env steps per second of `Stepper` on a GPU, and what its numbers are off native code.

    python benchmarks/stepper_gpu.py [--members 1048576] [--device gpu]

`systems.BalancingRobot` by Gauss(2), h = 0.005, one step in a control period (k = 1). Printed are

- step(u): one call for each step, with u an array that stays on the GPU;
- scan: `stepper.pure` inside of `jit` and `scan`, without and with a feedback;
- env: `dalembert.envs.functional` (Balance, two steps in a control period) with observation,
  reward and the baseline as policy, in `scan`;
- one long call of `simulate_ensemble`, for comparison;
- the largest difference in q and v from a `Stepper` on the CPU after 200 steps.

With `--device cpu` the kernel of the GPU is interpreted on the CPU: for tests of this script.
"""

from __future__ import annotations

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

H, STEPS = 0.005, 200


def best(run, repeats=3):
    """Least wall-clock seconds of a call; the first call, which compiles, is printed apart."""
    begin = time.perf_counter()
    jax.block_until_ready(run())
    first, found = time.perf_counter() - begin, []
    for _ in range(repeats):
        begin = time.perf_counter()
        jax.block_until_ready(run())
        found.append(time.perf_counter() - begin)
    return first, min(found)


def say(what, members, steps, timed):
    first, seconds = timed
    print(
        f"{what:42s} {members * steps / seconds:10.3g} steps/s, {1e3 * seconds / steps:8.3f} ms a "
        f"step of all; first call {first:.1f} s",
        flush=True,
    )


def starts(robot, members):
    q, v = (np.array(x) for x in robot.initial())
    q, v = np.tile(q, (members, 1)), np.tile(v, (members, 1))
    q[:, 3] = np.linspace(-0.1, 0.1, members)
    return q, v


def feedback(q, v):
    both = 7.3 * q[:, 3] + 1.3 * v[:, 3] + 0.05 * v[:, 4:].sum(axis=1)
    return jnp.stack([both, both], axis=1)


def steppers(members, device, engine):
    robot = da.systems.BalancingRobot()
    q, v = starts(robot, members)
    stepper = da.Stepper(robot, h=H, members=members, device=device, engine=engine)
    print(f"engine: {stepper.engine.name} {stepper.engine.reason}")
    begin = time.perf_counter()
    stepper.reset(q, v)
    print(f"reset of all members from the host: {time.perf_counter() - begin:.2f} s")
    u = jax.device_put(jnp.zeros((members, 2)), jax.local_devices(backend=device)[0])
    law = jax.jit(feedback)
    stepper.step(u)
    snap = stepper.snapshot()

    def by_calls(control):
        for _ in range(STEPS):
            state = stepper.step(control(stepper.state))
        return state.q

    say("step(feedback)", members, STEPS, best(lambda: by_calls(lambda s: law(s.q, s.v))))
    say("step(u)", members, STEPS, best(lambda: by_calls(lambda s: u)))

    @jax.jit
    def scanned(state):
        return jax.lax.scan(lambda s, _: (stepper.pure(s, u), None), state, length=STEPS)[0]

    @jax.jit
    def closed(state):
        def one(s, _):
            return stepper.pure(s, feedback(s.q, s.v)), s.q[0, 3]

        return jax.lax.scan(one, state, length=STEPS)[0]

    say("scan of pure", members, STEPS, best(lambda: scanned(snap).q))
    say("scan of pure, with feedback", members, STEPS, best(lambda: closed(snap).q))
    return closed(snap), q, v


def long_run(members):
    robot = da.systems.BalancingRobot()
    q, v = starts(robot, members)

    def run():
        return da.simulate_ensemble(
            robot, q, v, h=H, steps=10 * STEPS, u=np.zeros(2), save=da.Final(), progress=False
        )

    run()
    wall = min(run().meta.wall_s for _ in range(3))
    say("one long call of simulate_ensemble", members, 10 * STEPS, (0.0, wall))


def env(members):
    task = da.envs.functional("Balance")
    keys = jax.random.split(jax.random.key(0), members)

    @jax.jit
    def episode(keys):
        state, seen = jax.vmap(task.reset)(keys)

        def period(carry, _):
            state, seen = carry
            out = jax.vmap(task.step)(state, task.task.baseline(jnp, seen))
            return (out.state, out.observation), out.reward.mean()

        (state, _), reward = jax.lax.scan(period, (state, seen), length=100)
        return reward, state.at.q

    say("env: control periods of two steps", members, 100, best(lambda: episode(keys)))
    reward, q = episode(keys)
    print(f"  mean reward of the last period {float(reward[-1]):.3f}, "
          f"largest lean {float(jnp.abs(q[:, 3]).max()):.3f} rad")  # fmt: skip


def compare(found, q, v, members):
    """The same motion by native code on the CPU, of a few members."""
    few = np.linspace(0, members - 1, min(members, 512)).astype(int)
    native = da.Stepper(da.systems.BalancingRobot(), h=H, members=len(few))
    native.reset(q[few], v[few])
    native.step(np.zeros(2))
    for _ in range(STEPS):
        native.step(np.asarray(feedback(native.state.q, native.state.v)))
    for name in ("q", "v"):
        off = np.abs(np.asarray(getattr(found, name))[few] - getattr(native.state, name)).max()
        print(f"largest difference in {name} from native code after {STEPS} steps: {off:.1e}")
    print(f"members that failed: {int(np.asarray(found.failed).sum())}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, default=1 << 20)
    parser.add_argument("--device", default="gpu")
    given = parser.parse_args()
    on_cpu = given.device == "cpu"
    print(f"{given.members} members on {jax.local_devices(backend=given.device)[0].device_kind}")
    found = steppers(given.members, given.device, "gpu" if on_cpu else None)
    compare(*found, given.members)
    env(given.members)
    long_run(given.members)


if __name__ == "__main__":
    main()
