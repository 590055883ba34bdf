"""Least effort with and without limits, in two calls, over random systems, targets and limits.

    python -m tests.fuzz.efforts --count 500 --seed 0 --jobs 15

A case is one call of `control.minimum_effort` without limits, and calls with the same arguments and
limits of some parts of its largest controls:

  good      the optimum within limits takes no less effort than the one without
  less      it takes less, and says so: the warning has the effort of the search without limits
  wrong     it takes less without a word, leaves its limits, is no minimum, or `without_limits` is
            not what the call without limits found (at most)
  refused   no control within the limits was found

Where the call without limits finds nothing, one with limits is tried; if it succeeds that is less.
"""

from __future__ import annotations

import argparse
import collections
import functools
import multiprocessing
import os
import sys
import time
import warnings
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

from .systems import _positive, _rows, _waves, wave_rows, waves

FACTORS = (0.95, 0.8, 0.6)  # limits, in units of the largest controls without them
ROUND_OFF = 1e-9  # of the effort: the conditions of a minimum hold to 1e-8


class Sleigh(da.systems.ChaplyginSleigh):
    """With a force along the blade and a torque."""

    def inputs(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.stack([jnp.cos(q[2]), jnp.sin(q[2]), o]), jnp.eye(3)[2]])


class Pendulum(da.MechanicalSystem):
    """With a torque: it swings up at once, or after some swings to and fro."""

    g: float = 1.0
    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return self.g * (1.0 - jnp.cos(q[0]))

    def inputs(self, q):
        return jnp.ones((1, 1))


class Rows(da.MechanicalSystem):
    """R^3 with a row and a potential, both random, and two forces."""

    M: Any
    V: Any
    A: Any
    F: Any
    space = da.Euclidean(3)

    @property
    def mass(self):
        return self.M

    def potential(self, q):
        return waves(jnp, self.V, 0.0, q)

    def constraint(self, q):
        return wave_rows(jnp, self.A, 0.0, q)

    def inputs(self, q):
        return self.F


class Links(da.System):
    """Two links in a plane, with a torque at the first joint only, and springs."""

    a: float = 1.0
    k: float = 1.0
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        w = v[0] + v[1]
        kinetic = 0.5 * (2.0 * v[0] ** 2 + w**2) + self.a * jnp.cos(q[1]) * v[0] * w
        return kinetic - 0.5 * self.k * q @ q

    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])


class Satellite(da.System):
    """SO(3) in a potential, with torques about two axes."""

    M: Any
    V: Any
    space = da.SO(3)

    def lagrangian(self, R, w):
        return 0.5 * w @ self.M @ w - jnp.sum(self.V * R)

    def inputs(self, R):
        return jnp.eye(3)[:2]


class Case(NamedTuple):
    """Arguments of a call."""

    kind: str
    system: Any
    target: Any
    start: Any
    options: dict[str, Any]


def case(seed: int, kind: str | None = None) -> Case:
    """The case of a seed, of the kind that is given or its turn."""
    rng = np.random.default_rng([seed, 32])
    kind = kind or KINDS[seed % len(KINDS)]
    steps = 8
    options: dict[str, Any] = {"duration": rng.uniform(1.0, 4.0), "steps": steps}
    options |= {"method": (da.Gauss(1), da.DLA())[seed // len(KINDS) % 2], "seed": seed}
    options |= {"starts": int(rng.integers(1, 4))}
    start: Any = np.zeros(3)
    if kind == "sleigh":
        system = Sleigh(m=rng.uniform(0.5, 2), J=rng.uniform(0.3, 2), a=rng.uniform(0, 0.4))
        target: Any = rng.normal(size=3) * [1.0, 0.6, 1.0]
    elif kind == "pendulum":
        system, start = Pendulum(g=rng.uniform(0.5, 10.0)), np.zeros(1)
        target, options["duration"] = [rng.choice([np.pi, 2.0, 3.0])], rng.uniform(2.0, 8.0)
        options["steps"] = 20
    elif kind == "car":  # parks beside itself
        system, start = da.systems.CarWithTrailer(), np.zeros(5)
        target = [rng.choice([0.0, 0.5]), rng.uniform(0.3, 1.2), 0.0, 0.0, 0.0]
        options |= {"duration": rng.uniform(3.0, 5.0), "steps": 12}
    elif kind == "rows":
        M, V, A = _positive(rng, 3), _waves(rng, 3, size=0.3), _rows(rng, 1, 3, 3, size=1.5)
        system = Rows(M=M, V=V, A=A, F=rng.normal(size=(2, 3)))
        target = 0.5 * rng.normal(size=3)
    elif kind == "links":
        system, start = Links(a=rng.uniform(0.3, 1.2), k=rng.uniform(0.0, 4.0)), np.zeros(2)
        target = rng.normal(size=2) * [1.0, 0.5]
    elif kind == "body":
        system, target = da.systems.PlanarBody(), rng.normal(size=3) * [1.0, 0.5, 1.0]
    else:
        system = Satellite(M=_positive(rng, 3), V=0.3 * rng.normal(size=(3, 3)))
        start, target = np.eye(3), np.asarray(da.SO(3).exp(jnp.asarray(0.7 * rng.normal(size=3))))
    return Case(kind, system, target, start, options)


KINDS = ("sleigh", "pendulum", "rows", "links", "body", "satellite", "car")


def judged(seed: int, kind: str | None = None) -> list[tuple[str, str]]:
    """(result, text) of the calls with limits of a case."""
    kind, system, target, start, options = case(seed, kind)
    try:
        free = control.minimum_effort(system, target, start, **options)
        cost, largest = free.cost, np.max(np.abs(np.asarray(free.control.values)), axis=(0, 1))
        factors = FACTORS
    except da.UsageError as error:
        if "please report it" in str(error):
            return [(f"{kind}: wrong", f"seed {seed}: {error}")]
        cost, factors = np.inf, (1.0,)  # limits of the size of the first guesses
        largest = np.full(len(system.input_labels), 8.0 / options["duration"])
    found = []
    for factor in factors:
        limit = factor * np.maximum(largest, 0.05 * np.max(largest))
        where = f"seed {seed}, {kind}, {factor} of {largest}"
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                within = control.minimum_effort(system, target, start, **options, limit=limit)
            except da.UsageError as error:
                bad = "please report it" in str(error)
                found.append((f"{kind}: {'wrong' if bad else 'refused'}", f"{where}: {error}"))
                continue
        u = np.abs(np.asarray(within.control.values))
        result, text = "good", f"{within.cost:.6g}, without limits {cost:.6g}"
        told = any("without limits" in str(x.message) for x in said)
        if np.any(u > limit * (1.0 + 1e-12)) or within.gradient > 1e-8 or within.miss > 1e-8:
            result = "wrong"
        elif within.without_limits > min(within.cost, cost) * (1.0 + ROUND_OFF):
            result, text = "wrong", f"{text}, in the same call {within.without_limits:.6g}"
        elif within.cost < cost * (1.0 - ROUND_OFF):
            result = "less" if told else "wrong"
        found.append((f"{kind}: {result}", f"{where}: {text}"))
    return found


def main(given: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(given)
    begin, counts = time.monotonic(), collections.Counter[str]()
    seeds = range(asked.seed, asked.seed + asked.count)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with multiprocessing.get_context("spawn").Pool(asked.jobs) as pool:
        for some in pool.imap_unordered(functools.partial(judged, kind=asked.kind), seeds):
            for result, text in some:
                counts[result] += 1
                if result.endswith(("wrong", "less")):
                    print(f"{result}: {text}", flush=True)
    print(", ".join(f"{k} {n}" for k, n in sorted(counts.items())))
    wrong = sum(n for k, n in counts.items() if k.endswith("wrong"))
    less = sum(n for k, n in counts.items() if k.endswith("less"))
    took = f"{time.monotonic() - begin:.0f} s"
    print(f"{asked.count} problems, {counts.total()} calls: {less} less, {wrong} wrong, {took}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
