"""What a call of `Stepper.step` costs beside `simulate`, and MuJoCo's step where it is installed.

    python benchmarks/stepper.py    # CPU time of one core; checks that the bits are the same

`sleigh` is `systems.ChaplyginSleigh`, `robot` the machine of README's second example at walking
speed (1 to 1.5 m/s), `balancing` 4,096 members of `systems.BalancingRobot` in control periods of
one step on all cores, beside one long call of `simulate_ensemble` (wall-clock time).
"""

from __future__ import annotations

import time

import numpy as np

import dalembert as da
from dalembert import parts


def wheel(name, y, **options):
    body = parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03))
    axle = parts.Revolute(name, "base", at=(0, y, 0), axis="y")
    return [body, axle, parts.Wheel(name, 0.1, **options), parts.Motor(name)]


def readme_robot():
    return parts.build(
        parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)),
        parts.Planar("base", at=(0, 0, 0.1)),
        wheel("left", 0.18),
        wheel("right", -0.18, rows="along"),
        parts.caster("caster", "base", at=(0.2, 0, -0.06), radius=0.04, trail=0.03),
        name="robot",
    )


def cpu(f, calls):
    """CPU time of a call in us: the least of three, because others use this machine too."""
    found = []
    for _ in range(3):
        begin = time.process_time()
        for _ in range(calls):
            f()
        found.append((time.process_time() - begin) / calls)
    return 1e6 * min(found)


def single(name, system, h, u, before, steps):
    stepper = da.Stepper(system, h=h)
    run = {} if u is None else {"u": u}
    traj = da.simulate(system, h=h, steps=before, **run)
    for _ in range(before):
        stepper.step(u)
    same = np.array_equal(stepper.state.q, traj.q[-1]) and np.array_equal(
        stepper.state.v, traj.v[-1]
    )
    calm = None if u is None else np.zeros(len(u))
    start = stepper.snapshot()
    call = cpu(lambda: stepper.step(calm), steps)
    stepper.restore(start)
    inside = cpu(lambda: stepper.step(calm, steps=steps), 1) / steps
    two = cpu(lambda: da.simulate(system, h=h, steps=2, **run), 20)
    speed = np.hypot(*np.asarray(start.v)[:2])
    print(
        f"{name}: {call:.1f} us a call, {inside:.1f} us of it the step; simulate of two steps "
        f"{two:.0f} us; speed {speed:.2f} m/s; same bits as simulate: {same}"
    )


def sampled():
    robot = readme_robot()

    def controller(t, q, v):
        turn = 0.3 * np.sin(0.2 * t) - v[2]
        push = 2.0 * (0.8 - np.hypot(v[0], v[1]))
        return np.clip([push - turn, push + turn], -1.0, 1.0)

    def run():
        return da.simulate(robot, h=0.01, t=60.0, u=da.Sampled(controller, every=0.02))

    run()
    spent = cpu(run, 1) / 1e6
    print(f"sampled: the robot for 60 s at h = 0.01, 50 samples a second: {spent:.2f} s of CPU")


def members(n=4096, steps=200, h=0.005):
    robot = da.systems.BalancingRobot()
    q, v = (np.broadcast_to(np.asarray(x), (n, len(x))) for x in robot.initial())
    u = np.zeros((n, len(robot.input_labels)))
    stepper = da.Stepper(robot, h=h, members=n)
    held = da.control.PerMember(da.control.Constant(u))

    def by_steps():
        stepper.reset(q, v)
        begin = time.perf_counter()
        for _ in range(steps):
            stepper.step(u)
        return time.perf_counter() - begin

    def long_run():
        found = da.simulate_ensemble(robot, q, v, h=h, steps=steps, u=held, progress=False)
        return found.meta.wall_s

    # in turns, because others use this machine too
    found = np.array([[by_steps(), long_run()] for _ in range(7)])[1:]
    a, b = found.min(axis=0)
    print(
        f"balancing, {n} members: {n * steps / a:.3g} env steps/s by step(u), {n * steps / b:.3g} "
        f"by one call of simulate_ensemble, ratio {b / a:.2f}"
    )


def env(n=4096, periods=100):
    """The task `Balance` with its baseline: control periods with observation, reward, resets."""
    many = da.envs.make_vec("Balance", n)
    task, k = many.task, many.task.every
    bare = da.Stepper(task.system, h=task.h, members=n)

    def both():
        seen, _ = many.reset(seed=0)
        bare.reset(np.array(many.stepper.state.q), np.array(many.stepper.state.v))
        spent = np.zeros(2)
        for _ in range(periods):
            u = task.baseline(np, seen)  # the policy is not part of the environment
            times = [time.perf_counter()]
            seen, *_ = many.step(u)
            times.append(time.perf_counter())
            bare.step(u, steps=k)
            spent += np.diff([*times, time.perf_counter()])
        return spent

    a, b = np.array([both() for _ in range(5)])[1:].min(axis=0)
    steps = periods * k
    print(
        f"env: {n} of make_vec('Balance'), periods of {k} steps with observation, reward, resets: "
        f"{n * steps / a:.3g} steps/s, {n * steps / b:.3g} by the bare Stepper, ratio {b / a:.2f}"
    )


def mujoco_robot():
    """`mj_step` of the same robot with soft contacts: a free base, two wheels and a caster."""
    try:
        import mujoco
    except ImportError:
        print("mujoco: not installed (pip install mujoco)")
        return

    def round_part(radius, half, mass):
        return f'<geom type="cylinder" size="{radius} {half}" euler="90 0 0" mass="{mass}"/>'

    def untouched(kind, size, mass):
        off = 'contype="0" conaffinity="0"'
        return f'<geom type="{kind}" size="{size}" mass="{mass}" {off}/>'

    def drive(name, y):
        joint = f'<joint name="{name}" axis="0 1 0"/>'
        return f'<body pos="0 {y} 0">{joint}{round_part(0.1, 0.015, 0.4)}</body>'

    fork = '<joint axis="0 0 1"/>' + untouched("sphere", "0.01", 0.1)
    wheel = f'<body pos="-0.03 0 0"><joint axis="0 1 0"/>{round_part(0.04, 0.008, 0.1)}</body>'
    base = untouched("box", "0.2 0.15 0.05", 6)
    parts_of = drive("left", 0.18) + drive("right", -0.18)
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="0.01" integrator="implicitfast"/><worldbody>'
        f'<geom type="plane" size="50 50 1"/><body pos="0 0 0.1"><freejoint/>{base}{parts_of}'
        f'<body pos="0.2 0 -0.06">{fork}{wheel}</body></body></worldbody>'
        '<actuator><motor joint="left"/><motor joint="right"/></actuator></mujoco>'
    )
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.3
    for _ in range(300):
        mujoco.mj_step(model, data)
    data.ctrl[:] = 0.0
    call = cpu(lambda: mujoco.mj_step(model, data), 2000)
    print(
        f"mujoco {mujoco.__version__}, the robot with soft contacts: mj_step {call:.1f} us a call "
        f"({model.nv} velocities, {data.ncon} contacts)"
    )


def leak(steps=1_000_000):
    """Memory of the process over so many calls of `step`."""

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    stepper = da.Stepper(da.systems.ChaplyginSleigh(), h=0.01)
    for _ in range(1000):
        stepper.step()
    before = resident()
    for _ in range(steps):
        stepper.step()
    grown = (resident() - before) / 1024
    print(f"leak: {steps} calls of step, memory of the process grows by {grown:.0f} kB")


if __name__ == "__main__":
    single("sleigh", da.systems.ChaplyginSleigh(), 0.05, None, 20, 5000)
    single("robot", readme_robot(), 0.01, [0.3, 0.3], 150, 500)
    sampled()
    members()
    env()
    mujoco_robot()
    leak()
