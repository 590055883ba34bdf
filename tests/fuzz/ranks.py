"""Random codistributions of changing rank: no run passes a singular point without a word.

    python -m tests.fuzz.ranks --count 200

Rows M(q) diag(f, 1, ..) W(q) with random smooth M, W and a factor f of q0 that vanishes at a random
place: linear, quadratic, cubic, one-sided, flat. `passed` runs one and says what was said.
"""

from __future__ import annotations

import argparse

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics

FACTORS = (
    lambda x: x,
    lambda x: x**2,
    lambda x: x**3,
    lambda x: jnp.maximum(x, 0.0),
    lambda x: jnp.where(x > 0, jnp.exp(-1 / jnp.where(x > 0, x, 1.0) ** 2), 0.0),
)


class Random(da.MechanicalSystem):
    """Rows of changing rank in R^4; the first coordinate is free, and leads to the zero."""

    A: np.ndarray
    B: np.ndarray
    at: float
    kind: int
    rows: int

    space = da.Euclidean(4)
    mass = np.diag([1.0, 1.5, 0.8, 1.2])

    def constraint(self, q):
        f = FACTORS[int(self.kind)](self.at - q[0])
        W = self.A[: self.rows] + 0.3 * jnp.sin(q[0] + self.B[: self.rows])
        W = W.at[:, 0].set(0.0)
        scale = jnp.ones(self.rows).at[0].set(f)
        mixed = jnp.eye(self.rows) + 0.3 * jnp.cos(q[0]) * jnp.eye(self.rows, k=1)
        return mixed @ (scale[:, None] * W)


def random_system(seed: int) -> Random:
    """One of them, by its number."""
    import equinox as eqx

    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(2, 2, 4))
    cls = type(
        f"Random{seed % 5}{1 + seed % 2}", (Random,),
        {"__annotations__": {"kind": int, "rows": int}, "kind": eqx.field(static=True, default=0),
         "rows": eqx.field(static=True, default=1)},
    )  # fmt: skip
    return cls(A=A, B=B, at=float(rng.uniform(0.4, 1.2)), kind=seed % 5, rows=1 + seed % 2)


def passed(seed: int) -> str:
    """What a run says that would pass the singular point; "" if nothing."""
    system = random_system(seed)
    rng = np.random.default_rng(seed + 1000)
    q = jnp.zeros(4)
    v = dynamics.consistent_velocity(system, q, jnp.asarray([1.0, *rng.normal(size=3)]))
    method = (da.Gauss(), da.RK4(), da.Taylor())[seed % 3]
    try:
        return "; ".join(da.simulate(system, method, q, v, h=0.02, steps=80).warnings)
    except da.SimulationError as error:
        return str(error)


def kind_of(words: str) -> str:
    """How a run ended: named, with its point and case, or its rank; otherwise told, or silent."""
    if "singular point" in words:
        return "singular point named"
    if "rank" in words:
        return "rank named"
    return "an error without the rank" if words else "silent"


def main() -> None:
    """By the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found: dict[str, list[int]] = {}
    for i in range(given.seed, given.seed + given.count):
        found.setdefault(kind_of(passed(i)), []).append(i)
    for kind, mine in found.items():
        print(f"{kind}: {len(mine)}{'' if len(mine) > 20 else f' {mine}'}")
    print(f"{given.count} codistributions, passed in silence: {len(found.get('silent', []))}")


if __name__ == "__main__":
    main()
