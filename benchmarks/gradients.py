"""The gradient of a run of README's robot, natively: its time against that of the run.

    python benchmarks/gradients.py [--steps 1000] [--method gauss|dla|rk4] [--check]

A scalar of the end of the run, differentiated with respect to all parameters of the machine and one
input a step of both motors. Times are CPU seconds of this process. `--check` compares with a
directional derivative by forward mode (arrays), and with Richardson differences of the run.
"""

from __future__ import annotations

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import parts

H = 0.01
METHODS = {"gauss": da.Gauss(2), "dla": da.DLA(), "rk4": da.RK4()}


def readme_robot() -> da.System:
    """README's second example."""

    def wheel(name, y, **options):
        body = parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03))
        axle = parts.Revolute(name, "base", at=(0, y, 0), axis="y")
        return [body, axle, parts.Wheel(name, 0.1, **options), parts.Motor(name)]

    return parts.build(
        parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)),
        parts.Planar("base", at=(0, 0, 0.1)),
        wheel("left", 0.18),
        wheel("right", -0.18, rows="along"),
        parts.caster("caster", "base", at=(0.2, 0, -0.06), radius=0.04, trail=0.03),
        name="robot",
    )


def inputs(steps: int) -> np.ndarray:
    """Torques of both motors, one pair a step."""
    t = H * np.arange(steps)
    return np.stack([0.03 * np.sin(t), 0.03 * np.cos(1.3 * t)], axis=1)


def cpu(f, *args):
    begin = time.process_time()
    found = jax.block_until_ready(f(*args))
    return time.process_time() - begin, found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--method", choices=METHODS, default="gauss")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    robot, method, steps = readme_robot(), METHODS[given.method], given.steps
    times = H * np.arange(steps)
    values, names = inputs(steps), list(robot.parameters())
    numbers = np.asarray([float(np.asarray(robot.parameters()[k])) for k in names])
    weights = np.linspace(1.0, 2.0, robot.dim)

    def end(numbers, values, engine=None):
        machine = robot.with_parameters(**dict(zip(names, numbers)))
        u = da.control.Table(times, values, hold=True)
        run = {"h": H, "steps": steps, "save": da.Final(), "engine": engine, "project": True}
        final = da.simulate(machine, method, *robot.initial(), u=u, **run).final
        return jnp.sum(weights * final.q) + jnp.sum(weights * final.v**2)

    gradient = jax.jit(jax.grad(end, (0, 1)))
    first, found = cpu(gradient, numbers, values)
    again = min(cpu(gradient, numbers, values)[0] for _ in range(5))
    run = jax.jit(end)
    cpu(run, numbers, values)
    plain = min(cpu(run, numbers, values)[0] for _ in range(5))
    u = da.control.Table(times, values, hold=True)
    made = {"h": H, "steps": steps, "save": da.Final(), "u": u}
    cpu(lambda: da.simulate(robot, method, **made).q)
    alone = min(cpu(lambda: da.simulate(robot, method, **made).q)[0] for _ in range(5))
    print(f"robot, {method.name}, {steps} steps, {len(names)} parameters, {values.size} inputs")
    print(f"first gradient {first:8.2f} s of CPU")
    print(f"gradient       {1e3 * again:8.2f} ms")
    print(f"run in jit     {1e3 * plain:8.2f} ms, ratio {again / plain:.2f}")
    print(f"simulate       {1e3 * alone:8.2f} ms, ratio {again / alone:.2f}")
    if given.check:
        rng = np.random.default_rng(0)
        dots = (
            1e-1 * rng.standard_normal(len(names)) * np.abs(numbers),
            0.01 * rng.standard_normal(values.shape),
        )
        along = float(sum(np.sum(a * b) for a, b in zip(found, dots)))
        forward = float(jax.jvp(end, (numbers, values), dots)[1])

        def moved(s):
            return float(run(numbers + s * dots[0], values + s * dots[1]))

        def difference(s):
            return (moved(s) - moved(-s)) / (2 * s)

        richardson = (4 * difference(5e-4) - difference(1e-3)) / 3
        print(f"off jvp by {abs(along - forward) / abs(forward):.1e} of it, ", end="")
        print(f"off Richardson differences by {abs(along - richardson) / abs(forward):.1e}")


if __name__ == "__main__":
    main()
