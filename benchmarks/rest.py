"""Motions that come to rest, for many steps: who runs to the end, and who stops where and why.

    python benchmarks/rest.py [--steps 100000] [--method gauss-2 ...] [--kind pendulum ...]

Pendulums, regulators, brakes and dampers whose rest is at q from 0 to 1e3, with stiffness from 1 to
1e6, by every method that claims them. The table has, for each kind and method, how many of the
motions came to rest where they should, how many were warned of, and what the others said.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert.methods import EnergyGauss, Leapfrog

PLACES = (0.0, 0.01, 1.0, np.pi, 1e3)
STIFFNESS = (1.0, 1e2, 1e4, 1e6)
H = 0.01


class Pendulum(da.System):
    """A damped pendulum whose lowest point is at `target`."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + self.k * jnp.cos(q[0] - self.target)

    def force(self, t, q, v):
        return -2.0 * jnp.sqrt(self.k) * v


class Regulator(da.System):
    """Two coupled masses, drawn to the target by a controller."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 + 0.5 * (1 + 0.1 * jnp.sin(q[0]) ** 2) * v[1] ** 2

    def force(self, t, q, v):
        return -self.k * (q - self.target) - 2.0 * jnp.sqrt(self.k) * v


class Blade(da.System):
    """A knife edge on springs, damped: a linear constraint."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * self.k * ((q[0] - self.target) ** 2 + (q[2] - 0.3) ** 2)

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def force(self, t, q, v):
        return -2.0 * jnp.sqrt(self.k) * v


class Brake(da.System):
    """A wheel that is braked by friction in its bearing, of rate sqrt(k), and rolls far away."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 + 0.1 * v[1] ** 2

    def constraint(self, q):
        return jnp.array([[1.0, -0.3]])

    def force(self, t, q, v):
        return jnp.array([0.0, -0.2 * jnp.sqrt(self.k) * v[1]])


class Body(da.System):
    """A rigid body in a viscous fluid, drawn to an attitude."""

    target: float = 0.0
    k: float = 1.0
    space = da.SO(3)

    def lagrangian(self, R, w):
        turned = 0.5 * w @ (jnp.array([1.0, 2.0, 2.5]) * w)
        return turned + self.k * R[0, 0] + 0.3 * self.k * R[1, 1]

    def force(self, t, R, w):
        return -2.0 * jnp.sqrt(self.k) * w


class Undamped(da.MechanicalSystem):
    """A pendulum at rest at its lowest point, or 1e-13 beside it: methods that keep the energy."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return -self.k * jnp.cos(q[0] - self.target)


GAUSS = (da.Gauss(1), da.Gauss(2), da.Gauss(3))
ALL = (*GAUSS, da.Lobatto(3), da.DLA(), da.GNI(), da.RK4(), da.Taylor())
KINDS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "pendulum": (Pendulum, ALL),
    "regulator": (Regulator, ALL),
    "blade": (Blade, ALL),
    "brake": (Brake, ALL),
    "body": (Body, ALL),
    "at rest": (Undamped, (*ALL, EnergyGauss(2), Leapfrog())),
}


class Outcome(NamedTuple):
    """What became of a motion."""

    result: str  # "at rest", "elsewhere", "warned", "stopped"
    text: str


def start(kind: str, target: float, k: float) -> tuple[Any, Any]:
    """Where a motion begins: within a tenth of a turn where the spring is stiff."""
    far = 1.0 if k < 1e6 else 0.01  # h sqrt(k) = 10: farther out a sine is no spring
    if kind == "body":
        return da.SO(3).exp(far * jnp.array([0.3, -0.4, 0.5])), np.zeros(3)
    if kind == "brake":
        return np.array([target, 0.0]), np.array([0.3, 1.0])
    if kind == "at rest":
        return np.array([target + (1e-13 if k == 1e2 else 0.0)]), np.zeros(1)
    q = {"pendulum": [target - far], "regulator": [target - far, target]}.get(
        kind, [target - far, 0.2, 0.3]
    )
    return np.array(q), np.zeros(len(q))


def is_at_rest(kind: str, target: float, last: Any) -> bool:
    """Whether the end is where it should be, within the round-off of a far q."""
    small = 1e-8 * max(1.0, target)
    if np.max(np.abs(last.v)) > small:
        return False
    if kind == "body":
        return bool(np.max(np.abs(np.asarray(last.q) - np.eye(3))) < 1e-7)
    if kind in ("pendulum", "regulator", "at rest"):
        return bool(abs(last.q[0] - target) < small)
    return kind == "brake" or bool(abs(last.q[2] - 0.3) < small)


def tried(kind: str, method: Any, target: float, k: float, steps: int) -> Outcome:
    """One motion."""
    system = KINDS[kind][0](target, k)
    how = {"h": H, "steps": steps, "save": da.Final()}
    try:
        run = da.simulate(system, method, *start(kind, target, k), **how)
    except da.DalembertError as error:
        return Outcome("stopped", f"q = {target:g}, k = {k:g}: {error}")
    if run.warnings:
        return Outcome("warned", f"q = {target:g}, k = {k:g}: {run.warnings[0]}")
    there = is_at_rest(kind, target, run.final)
    return Outcome("at rest" if there else "elsewhere", f"q = {target:g}, k = {k:g}")


def row(given: tuple[str, int, int]) -> tuple[str, str, list[Outcome]]:
    """All motions of a kind by one of its methods."""
    kind, which, steps = given
    method = KINDS[kind][1][which]
    found = [tried(kind, method, a, k, steps) for a in PLACES for k in STIFFNESS]
    return kind, method.name, found


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--kind", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--method", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(given)
    work = [
        (kind, i, asked.steps)
        for kind in asked.kind
        for i, m in enumerate(KINDS[kind][1])
        if not asked.method or m.name in asked.method
    ]
    begin, counts = time.monotonic(), Counter()
    print(f"{'kind':10s} {'method':14s} at rest  warned  stopped  elsewhere")
    texts = []
    with multiprocessing.get_context("spawn").Pool(asked.jobs) as pool:
        for kind, method, found in pool.imap(row, work):
            mine = Counter(x.result for x in found)
            counts += mine
            print(
                f"{kind:10s} {method:14s} {mine['at rest']:7d} {mine['warned']:7d} "
                f"{mine['stopped']:8d} {mine['elsewhere']:10d}",
                flush=True,
            )
            texts += [f"{kind}, {method}: {x.result}: {x.text}" for x in found if x[0] != "at rest"]
    print("\n".join(texts))
    total = sum(counts.values())
    print(
        f"{total} motions of {asked.steps} steps, {time.monotonic() - begin:.0f} s: {dict(counts)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
