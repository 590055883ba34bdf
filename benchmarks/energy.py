"""Energy without reversibility: the driven oscillator of `honest-reversibility`, 10^4 steps.

    python benchmarks/energy.py [name of a method ...]

For each method the slope of the energy in J/s, by least squares, and its largest change; h = 0.1 s.
"""

from __future__ import annotations

import sys

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert.reproduce.experiments.honest_reversibility import Driven

METHODS = (da.RK4(), da.DLA(), *map(da.Gauss, (1, 2, 3)), da.Lobatto(3), da.EnergyGauss(2))
Q0, V0 = jnp.array([1.0, 0.3, 1.0, 0.0]), jnp.array([-0.65, 0.5, 0.0, 1.0])


def main() -> None:
    """Run and print."""
    system = Driven(kappa=0.3)
    for method in METHODS:
        if sys.argv[1:] and method.name not in sys.argv[1:]:
            continue
        run = da.simulate(system, method, Q0, V0, h=0.1, steps=10_000, save_every=10)
        E = np.asarray(da.diagnostics.energy(system, run))
        slope, change = np.polyfit(run.t, E, 1)[0], np.max(np.abs(E - E[0]))
        print(f"{method.name:16s} slope {slope:9.1e} J/s, largest |dE| {change:.1e} J", flush=True)


if __name__ == "__main__":
    main()
