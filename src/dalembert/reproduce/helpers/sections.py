"""Poincare sections of the perturbed contact oscillator (5.4) [MP], used by several experiments.

The section is y = -1, y' = 0. With h = 2 sin(pi/N) the y of (4.18) returns to it after N steps
exactly, so every N-th step is an iterate of the map.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import check_members


def step_size(N: int) -> float:
    """Return the step for which the free oscillation of (4.18) has period N."""
    return 2 * math.sin(math.pi / N)


def orbits(epsilon, z, v_z, *, N: int, iterates: int) -> tuple[np.ndarray, np.ndarray]:
    """Return iterates (x, z, v_z) and energies of orbits from (z, v_z), all at once.

    The three arguments are arrays of one shape; the results have that shape in front.
    """

    def orbit(epsilon, z, v_z):
        system = da.systems.PerturbedContactOscillator(epsilon=epsilon)
        q, v = system.section(z, v_z)
        steps = N * iterates
        run = da.simulate(system, da.Leapfrog(), q, v, h=step_size(N), steps=steps, save_every=N)
        energy = jax.vmap(lambda q, v: da.dynamics.energy(system, q, v))(run.q, run.v)
        points = jnp.stack([run.q[:, 0], run.q[:, 2], run.v[:, 2]], axis=-1)
        return points, energy, run.result[-1]

    shape = np.shape(z)
    flat = [jnp.asarray(np.broadcast_to(a, shape).ravel(), dtype=float) for a in (epsilon, z, v_z)]
    points, energy, result = jax.device_get(jax.jit(jax.vmap(orbit))(*flat))
    check_members(result)
    return points.reshape(*shape, *points.shape[1:]), energy.reshape(*shape, -1)


def birkhoff(series: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return the mean along an orbit with smooth weights exp(-1/(s (1 - s))).

    On a quasi-periodic orbit it converges faster than any power of the length, on a chaotic one
    as slowly as the plain mean. This difference distinguishes them.
    """
    n = series.shape[axis]
    s = (np.arange(n) + 1.0) / (n + 1.0)
    weights = np.exp(-1.0 / (s * (1 - s)))
    weights /= weights.sum()
    return np.tensordot(series, weights, axes=([axis], [0]))


def regularity(points: np.ndarray) -> np.ndarray:
    """Return to how many decimals the means over both halves of an orbit agree; few if chaotic."""
    n = points.shape[-2] // 2
    square = points[..., 1] ** 2
    change = np.abs(birkhoff(square[..., :n]) - birkhoff(square[..., -n:]))
    return -np.log10(np.maximum(change, 1e-16))
