"""What is published of famous machines, and what comes out here.

    python benchmarks/machines.py [bicycle | ground | rattleback | routh] ...

`bicycle`: eigenvalues at 5 m/s of the Whipple bicycle of parts and of the one by hand, beside those
of Meijaard and others (2007). `ground`: how far its wheels leave the ground in 10,000 steps of the
default method. `rattleback`: when it turns back, by two methods. `routh`: its three integrals.
"""

import functools
import importlib.util
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics, linalg, scene

ROOT = Path(__file__).parent.parent
PUBLISHED = (-14.07838969279, -0.77534188219 - 4.46486771379j, -0.32286642900)
quick = functools.partial(jax.jit, compiler_options={"xla_backend_optimization_level": 0})


def of_parts():
    """The bicycle of examples/bicycle.py."""
    spec = importlib.util.spec_from_file_location("example", ROOT / "examples" / "bicycle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.bicycle()


def bicycle():
    """Eigenvalues of lean and steer at 5 m/s."""
    by_hand, made = da.systems.WhippleBicycle(), of_parts()

    def rates_by_hand(x):
        q = jnp.zeros(8).at[3].set(x[0]).at[5].set(x[1])
        v = by_hand.rolling_velocity(q, x[2], x[3], 5.0)
        a = dynamics.acceleration(by_hand, q, v)
        return jnp.stack([x[2], x[3], a[3], a[5]])

    def rates_of_parts(x):  # to first order the frame does not pitch
        told = [made.velocity_names.index(n) for n in ("x_dot", "steer_dot", "Omega1")]
        others = np.array([i for i in range(9) if i not in told])
        q = jnp.zeros(6).at[told[1]].set(x[1]), scene.turn_x(x[0])
        A = dynamics.linear_constraint(made, q)
        v = jnp.zeros(9).at[np.array(told)].set(jnp.stack([5.0, x[3], x[2]]))
        v = v.at[others].set(-linalg.solve(A[:, others], A @ v))
        a = dynamics.acceleration(made, q, v)
        return jnp.stack([x[2], x[3], a[told[2]], a[told[1]]])

    print("eigenvalues at 5 m/s: published, of parts, by hand")
    both = [
        np.sort_complex(np.linalg.eigvals(quick(jax.jacfwd(f))(jnp.zeros(4))))
        for f in (rates_of_parts, rates_by_hand)
    ]
    for published, *found in zip(PUBLISHED, *(x[[0, 1, 3]] for x in both)):
        print("  ".join(f"{z.real:+.12f} {z.imag:+.12f}i" for z in (published, *found)))


def ground():
    """Heights of both wheels over 10,000 steps."""
    bike = of_parts()
    run = da.simulate(bike, h=0.01, steps=10_000, save_every=10)
    gap = np.max(np.asarray(da.diagnostics.holonomic_residual(bike, run)))
    print(f"10,000 steps of {run.meta.method}: wheels off the ground by at most {gap:.1e} m")


def rattleback():
    """When it turns back."""

    def spin(t, q, v):
        return q[1][2] @ v[3:]

    for start, t in ((-5.0, 3.0), (5.0, 12.0)):
        body = da.systems.Rattleback(spin=start)
        times = []
        for method, length in ((da.Taylor(), {}), (da.Gauss(3), {"h": 0.001, "save_every": 20})):
            run = da.simulate(body, method, t=t, events={"turn": spin}, **length)
            energy = np.asarray(da.diagnostics.energy(body, run))
            times.append(float(run.events["turn"].t[0]))
            told = f"turns back at {times[-1]:.9f} s by {run.meta.method}"
            print(f"spin {start:+g}: {told}, energy kept to {np.ptp(energy):.1e} J")
        print(f"  both agree to {abs(times[0] - times[1]):.1e} s")


def routh():
    """The three integrals of Routh's sphere."""
    ball = da.systems.RouthSphere()
    run = da.simulate(ball, da.Taylor(), t=60.0)
    for name, values in da.diagnostics.invariants(ball, run).items():
        drift = np.max(np.abs(np.asarray(values) / np.asarray(values)[0] - 1))
        print(f"Routh's sphere, 60 s: {name} kept to {drift:.1e}")


if __name__ == "__main__":
    known = {f.__name__: f for f in (bicycle, ground, rattleback, routh)}
    for name in sys.argv[1:] or known:
        known[name]()
