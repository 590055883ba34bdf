"""Order of every high-order method on systems of every kind: the table of measured orders.

    python benchmarks/orders.py [name of a method or a system ...]

Each cell: observed order of q (of v, where there is no q) between the two finest steps, and the
largest constraint residual; or "refused". One compilation per cell, h and the count are traced.
"""

from __future__ import annotations

import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics
from dalembert.system import as_arrays

MASS = jnp.diag(jnp.array([1.0, 1.3, 0.8]))


class Particle(da.MechanicalSystem):
    """z' = sin(y) x' in a quartic potential: nothing cancels by symmetry."""

    mass = MASS  # type: ignore[assignment]
    space = da.Euclidean(3)

    def potential(self, q):
        quartic = 0.25 * (q[0] ** 2 + q[1] ** 2) ** 2
        return quartic + 0.5 * (q[2] ** 2 + q[0] ** 2) + 0.3 * jnp.sin(q[0] * q[2])

    def constraint(self, q):
        return jnp.stack([-jnp.sin(q[1]), jnp.zeros(()), jnp.ones(())])[None, :]

    def initial(self):
        return jnp.array([1.0, 0.5, 0.2]), jnp.array([0.3, -0.4, 0.3 * jnp.sin(0.5)])


class Tilting(Particle):
    """Affine, time-dependent constraint, with damping and a driving force."""

    def potential(self, q):
        return 0.5 * q @ q + 0.1 * q[0] ** 4

    def offset(self, t, q):
        return jnp.stack([0.3 * jnp.cos(t) + 0.2 * q[0]])

    def force(self, t, q, v):
        return -0.1 * v + 0.2 * jnp.sin(2 * t) * jnp.array([1.0, 0.0, 0.0])

    def initial(self):
        q, v = super().initial()
        return q, v + jnp.array([0.0, 0.0, 0.5])


class HillRobot(da.systems.TwoWheeledRobot):
    """The two-wheeled robot (n = 5, m = 3) on hilly ground."""

    def lagrangian(self, q, v):
        hills = 0.5 * q[0] ** 2 + jnp.cos(q[1]) + 0.2 * jnp.sin(q[3])
        return super().lagrangian(q, v) - hills


# system, time, counts of steps at order 2, 4, 6, 8
CASES = {
    "particle": (Particle(), 4.0, {2: (160, 320), 4: (80, 160), 6: (40, 80), 8: (20, 40)}),
    "sleigh": (
        da.systems.ChaplyginSleigh(a=0.3),
        6.0,
        {2: (192, 384), 4: (96, 192), 6: (48, 96), 8: (24, 48)},
    ),
    "robot": (HillRobot(), 4.0, {2: (320, 640), 4: (160, 320), 6: (40, 80), 8: (30, 60)}),
    "ball": (
        da.systems.ChaplyginBall(),
        5.0,
        {2: (80, 160), 4: (80, 160), 6: (20, 40), 8: (24, 48)},
    ),
    "suslov": (da.systems.Suslov(), 4.0, {2: (80, 160), 4: (20, 40), 6: (8, 16), 8: (4, 8)}),
    "tilting": (Tilting(), 4.0, {2: (160, 320), 4: (80, 160), 6: (20, 40), 8: (14, 28)}),
    "benenti": (da.systems.Benenti(), 0.8, {2: (64, 128), 4: (64, 128), 6: (16, 32), 8: (12, 24)}),
}
METHODS = (
    *map(da.Gauss, (1, 2, 3, 4)),
    *map(da.Lobatto, (2, 3, 4)),
    *map(da.EnergyGauss, (1, 2, 3)),
)


def runner(system, method):
    """(h, steps) -> (row at the end, largest residual, worst result), compiled once."""
    dynamic, static = as_arrays(system)
    method.check(system)
    q0, v0 = system.initial()
    v0 = dynamics.consistent_velocity(system, q0, v0)

    @jax.jit
    def run(dynamic, h, steps, q, v, t0):
        system = eqx.combine(dynamic, static)
        carry, row = method.start(system, t0, h, q, v)

        def step(k, x):
            carry, row, residual, result = x
            carry, row, _ = method.step(system, t0 + k * h, h, carry)
            off = dynamics.constraint_residual(system, row.q, row.v, row.t)
            residual = jnp.maximum(residual, jnp.max(jnp.abs(off), initial=0.0))
            return carry, row, residual, jnp.maximum(result, row.result)

        x = (carry, row, jnp.zeros(()), row.result)
        _, row, residual, result = jax.lax.fori_loop(0, steps, step, x)
        return row, residual, result

    def go(h, steps, q=q0, v=v0, t0=0.0):
        return run(dynamic, jnp.asarray(float(h)), jnp.asarray(steps), q, v, jnp.asarray(t0))

    return go


def values(row) -> np.ndarray:
    """(q, v) as one vector; on a reduced space v alone."""
    return np.concatenate([np.ravel(x) for x in (*jax.tree.leaves(row.q), row.v)])


def measure(case: str, method) -> tuple[float, float, float, list[float]]:
    """(order of (q, v), order of the multiplier, residual, errors)."""
    system, T, counts = CASES[case]
    go = runner(system, method)
    exact, *_ = reference(case)
    errors, residuals = [], []
    for n in counts[method.traits.order]:
        row, residual, result = go(T / n, n)
        if int(result):
            raise RuntimeError(f"{method.name} on {case} with {n} steps: result {int(result)}")
        lam = float(np.max(np.abs(row.multiplier - exact.multiplier), initial=0.0))
        errors.append((float(np.max(np.abs(values(row) - values(exact)))), lam))
        residuals.append(float(residual))
    (a, la), (b, lb) = errors
    return np.log2(a / b), np.log2(la / lb), max(residuals), [a, b]


_REFERENCES: dict = {}


def reference(case: str):
    """The end of the motion by `Reference` at round-off."""
    if case not in _REFERENCES:
        system, T, _ = CASES[case]
        _REFERENCES[case] = runner(system, da.Reference(rtol=1e-14, atol=1e-15))(T / 20, 20)
    return _REFERENCES[case]


def main():
    wanted = sys.argv[1:]
    cases = [c for c in CASES if c in wanted] or list(CASES)
    methods = [m for m in METHODS if m.name in wanted] or METHODS
    print(f"{'':16s}" + "".join(f"{c:>27s}" for c in cases))
    for method in methods:
        cells = []
        for case in cases:
            try:
                order, lam, residual, errors = measure(case, method)
                cells.append(f"{order:6.3f} {lam:6.3f} {errors[-1]:.0e} {residual:.0e}")
            except da.UsageError:
                cells.append("refused")
            except RuntimeError as error:
                cells.append(str(error)[-20:])
        print(f"{method.name:16s}" + "".join(f"{c:>27s}" for c in cells), flush=True)


if __name__ == "__main__":
    main()
