"""Contacts with friction: what a step and a change of mode cost, and rest beside MuJoCo's creep.

    python benchmarks/friction.py          # about two minutes, most of it compiling

`car` is that of the hybrid zoo: four locked wheels on a rigid body. It stands on an incline of
0.3 rad for 1,000 s, with mu = 0.8; MuJoCo has the same masses, wheels as cylinders, its default
contacts, and once more elliptic cones with impratio=100, which slip less.
"""

from __future__ import annotations

import math
import time

import numpy as np

import dalembert as da
from dalembert.hybrid.zoo import registry

SLOPE = 0.3


def least(f, repeats=3):
    """The least CPU time of a few runs in s, and what the last one gave."""
    found, result = [], None
    for _ in range(repeats):
        begin = time.process_time()
        result = f()
        found.append(time.process_time() - begin)
    return min(found), result


def costs():
    for name, h, t in (("bowling-ball", 0.005, 3.0), ("car", 0.002, 3.0)):
        modes = registry[name]()
        da.simulate(modes, h=h, t=t)
        whole, run = least(lambda m=modes, h=h, t=t: da.simulate(m, h=h, t=t))
        half, _ = least(lambda m=modes, h=h, t=t: da.simulate(m, h=h, t=0.5 * t))
        steps = round(t / h)
        change = whole - 2.0 * half if len(run.jumps) else float("nan")
        print(
            f"{name}: {1e6 * whole / steps:.0f} us a step with everything, {len(run.jumps)} changes"
            f", a run of {steps} steps {whole:.3f} s (twice half of it: {2 * half:.3f} s, "
            f"difference {1e3 * change:.1f} ms)"
        )


def members(count=10_000):
    """Bowling balls in one ensemble, each with its own change, and a few of them alone."""
    modes = registry["bowling-ball"]()
    _, q, v = modes.started(None, None, None, 0.0)
    speeds = np.repeat(np.asarray(v)[None], count, axis=0)
    speeds[:, 0], speeds[:, 3] = np.linspace(4.0, 9.0, count), np.linspace(40.0, 20.0, count)
    places = tuple(np.repeat(np.asarray(x)[None], count, axis=0) for x in q)

    def run(n):
        part = tuple(x[:n] for x in places)
        return da.simulate_ensemble(modes, part, speeds[:n], h=0.01, t=3.0, save=da.Final())

    run(8)
    spent, many = least(lambda: run(count), 1)
    looked = range(0, count, count // 10)
    apart = [many[i].v[-1] - da.simulate(modes, q, speeds[i], h=0.01, t=3.0).v[-1] for i in looked]
    print(
        f"{count} bowling balls in one ensemble: {spent:.1f} s of CPU, {np.sum(many.jumps)} "
        f"changes; {len(looked)} of them differ from single runs by {np.max(np.abs(apart)):g}"
    )


def rest():
    modes = registry["car"](speed=0.0, slope=SLOPE)
    spent, run = least(lambda: da.simulate(modes, h=0.1, t=1000.0), 1)
    moved = np.max(np.abs(np.asarray(run.q[0]) - np.asarray(run.q[0][0])))
    print(f"dalembert, 1,000 s on an incline: moved {moved:g} m, {spent:.2f} s of CPU")
    distance = 400.0 / (2 * 0.8 * 9.81)
    stop = da.simulate(registry["car"](), h=0.01, t=3.0)
    print(
        f"dalembert, braking from 20 m/s: off v^2/(2 mu g) by {stop.q[0][-1, 0] - distance:.1e} m"
    )


def mujoco_rest():
    try:
        import mujoco
    except ImportError:
        print("mujoco: not installed (pip install mujoco)")
        return
    g = f"{9.81 * math.sin(SLOPE)} 0 {-9.81 * math.cos(SLOPE)}"
    wheels = "".join(
        f'<geom type="cylinder" size="0.3 0.1" pos="{x} {y} 0" euler="90 0 0" mass="15" '
        'friction="0.8 0.005 0.0001"/>'
        for x in (1.3, -1.3)
        for y in (0.7, -0.7)
    )
    for told, options in (
        ("default", ""),
        ("elliptic, impratio 100", 'cone="elliptic" impratio="100"'),
    ):
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="0.005" gravity="{g}" integrator="implicitfast" {options}/>'
            '<worldbody><geom type="plane" size="500 500 1" friction="0.8 0.005 0.0001"/>'
            '<body pos="0 0 0.3"><freejoint/><geom type="box" size="1.9 0.75 0.25" pos="0 0 0.2" '
            f'mass="1200" contype="0" conaffinity="0"/>{wheels}</body></worldbody></mujoco>'
        )
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, nstep=2000)  # settled
        start, begin = data.qpos[0], time.process_time()
        mujoco.mj_step(model, data, nstep=20_000)
        spent = time.process_time() - begin
        rate = 1e6 * (data.qpos[0] - start) / 100.0
        print(f"mujoco, {told}: creeps {rate:.1f} um/s over 100 s, {spent:.2f} s of CPU")


if __name__ == "__main__":
    costs()
    members()
    rest()
    mujoco_rest()
