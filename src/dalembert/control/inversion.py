"""Motion plans from rest to rest by inversion of the series of Theorem 8.2.3: 8.2.2 [C02].

The controls are sums of cosines. The series to a few terms, with its fields expanded once at the
start, predicts the end point and the velocity there. These equations are solved for the factors by
steps of least size. The truncation error is measured by a run and subtracted from the target, until
the run itself ends at rest at the target: the series is an approximate inverse of the motion.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..doors import Module
from ..errors import UsageError
from ..groupoids import Arrow, Pair
from ..groups import Euclidean
from ..inputs import driven
from ..methods import Gauss
from ..request.validate import check_count
from ..results import Trajectory
from ..running import simulate
from ..system import Point, System
from .germs import check_inputs
from .hypotheses import check_hypotheses
from .motion_series import SeriesFields, sources
from .planning import wanted_point

_ROUNDS, _CLOSE = 30, 1e-9
_STEPS = 60  # RK4 steps for the series
_RUN = 120  # steps of Gauss(3) in a run


class Cosines(Module):
    """u_i(t) = sum over j of factors[i, j] cos(j pi t/T)."""

    factors: jax.Array
    duration: jax.Array

    def __call__(self, t: jax.Array) -> jax.Array:
        waves = [jnp.cos(j * jnp.pi * t / self.duration) for j in range(self.factors.shape[1])]
        return self.factors @ jnp.stack(waves)


@dataclasses.dataclass(frozen=True)
class SeriesPlan:
    """Controls that lead from rest to rest at a target, found by inversion of the series."""

    system: System
    control: Cosines
    run: Trajectory
    miss: float  # distance of the end from the target, in coordinates
    speed: float  # largest velocity component that remains there
    first: float  # distance of the end of the first run, before corrections
    rounds: int


def series_plan(
    system: System,
    target: Any,
    start: Point = None,
    *,
    duration: float = 1.0,
    terms: int = 3,
    waves: int | None = None,
    order: int = 5,
    seed: int = 0,
) -> SeriesPlan:
    """Find controls from rest at `start` to rest at a nearby `target`, by inversion of the series.

    The series up to degree `terms` is used, with fields expanded to `order` at the start; `waves`
    is the number of cosines of each control. Entries of the target on R^n that are NaN or left out
    are free. Raises a `UsageError` if the series does not reach the target, or if the corrections
    do not converge. The target is then too far: plan to intermediate points.
    """
    q0 = system.initial()[0] if start is None else system.groupoid.base.check(start, "start")
    if not (math.isfinite(duration) and duration > 0):
        raise UsageError(f"duration must be positive and finite, got {duration}")
    check_count("terms", terms)
    applies, damping = check_hypotheses(system, q0)
    if applies.answer == "does not apply":
        raise UsageError(f"{system.name()}: no plan by the series: {applies}")
    if not isinstance(system.groupoid, Pair):
        raise UsageError(f"{system.name()}: plans by the series are for R^n and Lie groups")
    model = _Model(system, q0, terms, max(order, terms), damping, duration)
    point, goal = wanted_point(system, target)
    if not isinstance(system.space, Euclidean):
        goal = np.ones(system.dim, dtype=bool)
    wanted = np.where(goal, _coordinates(system, q0, point), 0.0)
    chosen = np.concatenate([goal, np.ones(system.dim, dtype=bool)])
    aim = np.concatenate([wanted, np.zeros(system.dim)])
    count = waves if waves is not None else math.ceil(2.0 * system.dim / model.m) + 3
    check_count("waves", count)
    a = _first(model, aim, chosen, count, seed)
    if a is None:
        raise UsageError(
            f"{system.name()}: the series with {terms} terms does not lead to the target; plan to "
            "points in between, or give it more time or waves"
        )
    asked, best, first = aim.copy(), math.inf, math.nan
    for rounds in range(1, _ROUNDS + 1):
        control = Cosines(jnp.asarray(a), jnp.asarray(float(duration)))
        run = simulate(
            driven(system, control), Gauss(3), q0, jnp.zeros(system.dim),
            h=duration / _RUN, steps=_RUN,
        )  # fmt: skip
        end = jax.tree.map(lambda x: x[-1], run.q)
        reached = np.concatenate([_coordinates(system, q0, end), np.asarray(run.v)[-1]])
        off = np.where(chosen, reached - aim, 0.0)
        size = float(np.max(np.abs(off)))
        first = size if rounds == 1 else first
        if size <= _CLOSE:
            n = system.dim
            miss, speed = float(np.max(np.abs(off[:n]))), float(np.max(np.abs(off[n:])))
            return SeriesPlan(system, control, run, miss, speed, first, rounds)
        if not size < 2.0 * best:
            break
        best = min(best, size)
        # velocities of the chart and of the fibre agree at the start, not at the target; this does
        # not matter, because the aim is corrected until the run itself is right
        asked = asked - off
        solved, left = model.solved(a, asked, chosen)
        if left > 1e-6:
            break
        a = solved
    raise UsageError(
        f"{system.name()}: corrections of the series do not converge, the best run ends "
        f"{best:.1e} from the target (the first {first:.1e}); plan to points in between"
    )


def _coordinates(system: System, q0: Point, q: Point) -> np.ndarray:
    if isinstance(system.space, Euclidean):
        return np.asarray(q) - np.asarray(q0)
    q = jax.tree.map(jnp.asarray, q)
    move = system.space.mul(system.space.inv(q0), q)
    return np.asarray(system.groupoid.coordinates(Arrow((q0, q), move)))


def _first(
    model: _Model, aim: np.ndarray, chosen: np.ndarray, count: int, seed: int
) -> np.ndarray | None:
    """Return the smallest controls that reach the aim by the series, from random guesses."""
    rng = np.random.default_rng(seed)
    values = []
    for k in range(8):
        size = 2.0 ** (k % 6 - 1) / model.T**2
        a, left = model.solved(size * rng.normal(size=(model.m, count)), aim, chosen)
        if left <= 1e-8:
            values.append(a)
        if len(values) == 3:
            break
    return min(values, key=lambda a: float(np.sum(a**2))) if values else None


class _Model:
    """The series with fields expanded at the start, for many controls at once."""

    def __init__(
        self, system: System, q0: Point, terms: int, order: int, damping: float, duration: float
    ) -> None:
        made = SeriesFields(system, q0, terms, order)
        check_inputs(system, made.germ)
        self.n, self.m, self.T = system.dim, len(system.input_labels), float(duration)
        ring, known = made.germ.ring, made.terms
        fields = [np.where(ring.known(x.field.depth), x.field.coefficients, 0.0) for x in known]
        self.fields = np.stack(fields)  # [term, component, monomial]
        self.exponents = np.array(ring.exponents)
        self.left, self.right, self.half = sources(known, self.m)
        self.damping = damping

    def ends(self, a: np.ndarray) -> np.ndarray:
        """Return (w, w') at the end, [batch, 2 n], of factors [batch, input, wave]; by RK4."""
        h, steps = self.T / _STEPS, _STEPS
        batch = len(a)
        w, c = np.zeros((batch, self.n)), np.zeros((batch, len(self.fields)))
        waves = np.arange(a.shape[2])

        def rates(t: float, w: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            u = a @ np.cos(waves * np.pi * t / self.T)
            change = self.damping * c
            change[:, : self.m] += u
            change[:, self.m :] -= self.half * c[:, self.left] * c[:, self.right]
            return self.speed(w, c), change

        for k in range(steps):
            t, slopes = k * h, []
            for s in (0.0, 0.5, 0.5, 1.0):
                x = (w, c) if not slopes else (w + s * h * slopes[-1][0], c + s * h * slopes[-1][1])
                slopes.append(rates(t + s * h, *x))
            w, c = (
                x + h / 6 * (s1 + 2 * s2 + 2 * s3 + s4)
                for x, s1, s2, s3, s4 in zip((w, c), *slopes)
            )
        return np.concatenate([w, self.speed(w, c)], axis=1)

    def speed(self, w: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Return w' = sum over products P of c_P P(w)."""
        powers = w[:, :, None] ** np.arange(np.max(self.exponents) + 1)
        monomials = powers[:, 0, self.exponents[:, 0]]
        for i in range(1, self.n):
            monomials = monomials * powers[:, i, self.exponents[:, i]]
        fields = (c @ self.fields.reshape(len(self.fields), -1)).reshape(len(c), self.n, -1)
        return np.sum(fields * monomials[:, None, :], axis=2)

    def solved(
        self, a: np.ndarray, aim: np.ndarray, chosen: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return factors that reach the aim by the series, by steps of least size, and the gap."""
        shape, shift = a.shape, 1e-6 * (1.0 + np.max(np.abs(a)))

        def gaps(x: np.ndarray) -> np.ndarray:
            with np.errstate(over="ignore", invalid="ignore"):
                return (self.ends(x.reshape(-1, *shape)) - aim)[:, chosen]

        x, damping = a.ravel(), 1e-3
        gap = gaps(x[None])[0]
        for _ in range(30):
            size = float(np.linalg.norm(gap))
            if not math.isfinite(size) or size < 1e-12 or damping > 1e6:
                break
            slope = (gaps(x + shift * np.eye(len(x))) - gaps(x - shift * np.eye(len(x)))).T
            slope = np.nan_to_num(slope / (2 * shift))
            normal = slope @ slope.T
            most = damping * max(float(np.trace(normal)) / len(gap), 1e-300)
            while damping <= 1e6:
                step = (
                    slope.T @ np.linalg.lstsq(normal + most * np.eye(len(gap)), gap, rcond=None)[0]
                )
                trial = gaps((x - step)[None])[0]
                if np.linalg.norm(trial) < size:
                    x, gap, damping = x - step, trial, 0.1 * damping
                    break
                damping, most = 8 * damping, 8 * most
        left = float(np.max(np.abs(gap)))
        return x.reshape(shape), left if math.isfinite(left) else math.inf


__all__ = ["Cosines", "SeriesPlan", "series_plan"]
