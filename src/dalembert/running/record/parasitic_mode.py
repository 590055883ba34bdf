"""Watch the parasitic mode of GNI in a run: how large is it compared to the error of the method?

GNI carries a normal part of the momentum from node to node, with alternating sign. This part
follows its own equation (`dynamics.parasitic_matrix`) and may grow at any step size. Half a step of
the reaction belongs to the solution; the parasitic mode is the remainder. A row shows it,

    eps = |G^-1 mu^T (h/2) (lam of the row - lam(t, q, v))|.

It is too large if it exceeds the error that a method of order p makes anyway, (w h)^p |v| with
w = |a|/|v|; all norms are those of the metric. Compositions of GNI report another multiplier, of
order r, which hides the mode. For them the equation of the mode is integrated, from the initial
size (w h)^(r + 1) |v|/2.

This sink reads its own rows; the result does not depend on which rows the caller saves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...compile.function import evaluator
from ...compile.layout import Tree
from ...dynamics import metric, parasitic_matrix, solved
from ...methods import Method
from ...request.initial_data import WorstMember
from ...request.validate import Parameters
from ...rows import Rows, Sink, Start
from ...system import System, compiled_call

# Name of this sink among those of a run. Names of users have no parentheses (`sinks.named`).
NAME = "(parasitic mode)"
_FEWEST = 32  # runs of fewer steps are not checked
_APART = 32  # most steps between checks of a single run: a mode grows over many steps
_LOOKS = 64  # about how many checks an ensemble gets; a quarter of that if it is large
_LARGE = 4096  # an ensemble of more members is large
_FLOOR = 1e-10  # relative to the velocity: smaller sizes are round-off
_MOST = 0.5  # a velocity of which half violates the constraint is wrong at any step size
_FEW, _MANY = 64, 4096  # points in one call: two sizes only, so at most two compilations


class Mode(NamedTuple):
    """Measurements so far; arrays have one entry per member."""

    own: Parameters  # the parameters in which members differ
    size: np.ndarray  # largest size of the mode, in units of the error of the method
    since: np.ndarray  # time at which it first exceeded that error; NaN if never
    speed: np.ndarray  # largest |v|
    pull: np.ndarray  # largest |a|
    law: _Law | None  # only for methods whose rows hide the mode


class _Law(NamedTuple):
    """Solution of the equation of the mode, X' = K X, up to a time t."""

    t: float
    K: np.ndarray  # (members, m, m), at that time
    X: np.ndarray  # normalized to norm 1
    growth: np.ndarray  # log of the norm that X would have without normalization
    rate: np.ndarray  # largest |K|


@dataclasses.dataclass(frozen=True, eq=False)
class ModeWatch(Sink[Mode, Mode]):
    """Sink that measures the parasitic mode in the rows of a run or an ensemble."""

    system: System
    method: Method
    h: float
    every: int = 1  # pyright: ignore[reportIncompatibleVariableOverride]
    varying: Parameters = None  # parameters in which members differ, members as first axis
    # points in one call. One size for the complete run, so that everything is compiled at the first
    # row, before the run is timed.
    block: int = _FEW

    on_device = True

    def init(self, start: Start) -> Mode:
        which = slice(start.first, start.first + start.members)
        zero = np.zeros(start.members)
        own = jax.tree.map(lambda x: x[which], self.varying)
        return Mode(own, zero, zero + np.nan, zero, zero, None)

    def feed(self, state: Mode, rows: Rows) -> Mode:
        if not len(rows.k):
            return state
        normal, pull, speed, K = self._measured(state.own, rows)
        good = rows.good
        speed, pull = (
            # The largest so far: the mode is compared with the motion that it could spoil.
            np.maximum.accumulate(np.where(good, x, 0.0), axis=0)
            for x in (np.maximum(speed, state.speed), np.maximum(pull, state.pull))
        )
        moves = speed > 0
        # A frequency of the motion, from its acceleration and speed.
        w = np.divide(pull, speed, out=np.zeros_like(speed), where=moves)
        traits, h, law = self.method.traits, abs(self.h), state.law
        if K is None:
            with np.errstate(over="ignore"):
                # The error of one step relative to v: (w h)^order, within bounds.
                own = speed * np.clip((w * h) ** traits.order, _FLOOR, _MOST)
            size = np.divide(normal, own, out=np.zeros_like(own), where=moves & good)
        else:
            law, growth, rate = _followed(law, rows.t, np.where(good[..., None, None], K, 0.0))
            # What a hidden mode begins with: the error of the multiplier beside that of the
            # motion.
            start = (np.maximum(w, rate) * h) ** (traits.multiplier_order + 1 - traits.order) / 2
            with np.errstate(over="ignore"):
                size = np.where(good & moves, start * np.exp(growth), 0.0)
        above = size > 1.0
        first = np.where(above.any(axis=0), rows.t[np.argmax(above, axis=0)], np.nan)
        since = np.where(np.isnan(state.since), first, state.since)
        return Mode(
            state.own, np.maximum(state.size, size.max(axis=0)), since, speed[-1], pull[-1], law
        )

    def combine(self, states: Sequence[Mode]) -> Mode:
        def whole(name: str) -> np.ndarray:
            return np.concatenate([getattr(s, name) for s in states])

        return Mode(None, whole("size"), whole("since"), whole("speed"), whole("pull"), None)

    def finish(self, state: Mode) -> Mode:
        return state

    def _measured(self, own: Parameters, rows: Rows) -> Tree:
        """Return |eps|, |a|, |v| and, if rows hide eps, K, for each row and member."""
        shape = rows.v.shape[:2]
        t = np.broadcast_to(rows.t[:, None], shape)
        points = (t, rows.q, rows.v, rows.multiplier)
        look = _law if self.method.traits.parasitic == "hidden" else _seen
        h = np.asarray(float(self.h))
        if rows.on_device:  # these come in few lengths: few compilations
            values = compiled_call(_over_rows, self.system, look, own, h, *points)
            return jax.tree.map(np.asarray, values)
        # `count`, not -1: reshape cannot infer it for an empty array (q of a reduced body)
        count = shape[0] * shape[1]
        flat = jax.tree.map(lambda x: np.reshape(x, (count, *x.shape[2:])), points)
        member = np.tile(np.arange(shape[1]), shape[0])
        parameters = jax.tree.map(lambda x: np.asarray(x)[member], own)
        row = jax.tree.map(lambda x: np.zeros(x.shape[1:]), (parameters, flat))
        at_point = evaluator(_at_point, (self.system,), (h, *row), look)
        # all calls have one size, which was compiled at the first row
        whole = at_point.at_rows(count, h, parameters, flat, block=self.block)
        return tuple(None if x is None else x.reshape(*shape, *x.shape[1:]) for x in whole)


def _at_point(system: System, h, own, point, look):
    return look(eqx.combine(own, system), h, *point)  # `own` overrides fields of the system


def _over_points(system: System, look, own, h, *points):
    return jax.vmap(lambda own, *point: look(eqx.combine(own, system), h, *point))(own, *points)


def _over_rows(system: System, look, own, h, *points):
    return jax.vmap(lambda *row: _over_points(system, look, own, h, *row))(*points)


def _seen(system: System, h, t, q, v, multiplier):
    here, G = solved(system, q, v, t), metric(system, q, v, t)
    left = 0.5 * h * (multiplier - here.multipliers)
    a = here.acceleration
    return jnp.sqrt(jnp.abs(left @ here.C @ left)), jnp.sqrt(a @ G @ a), jnp.sqrt(v @ G @ v), None


def _law(system: System, h, t, q, v, multiplier):
    _, pull, speed, _ = _seen(system, h, t, q, v, multiplier)
    return jnp.zeros(()), pull, speed, parasitic_matrix(system, q, v, t)


def _followed(
    law: _Law | None, t: np.ndarray, K: np.ndarray
) -> tuple[_Law, np.ndarray, np.ndarray]:
    """Integrate X' = K X over these rows.

    Returns the solution at the last row and, at each row, the log of the growth and the largest |K|
    so far.
    """
    members, m = K.shape[1], K.shape[-1]
    if law is None:
        eye = np.broadcast_to(np.eye(m), (members, m, m))
        law = _Law(float(t[0]), K[0], eye, np.zeros(members), np.zeros(members))
    growths, rates = [], []
    for at, now in zip(t, K):
        law = _step_of_law(law, float(at), now)
        growths.append(law.growth)
        rates.append(law.rate)
    return law, np.stack(growths), np.stack(rates)


def _step_of_law(law: _Law, t: float, K: np.ndarray) -> _Law:
    h = t - law.t
    # Magnus series, from K at both ends of the interval
    Omega = 0.5 * h * (law.K + K) + h**2 / 12.0 * (K @ law.K - law.K @ K)
    rate = np.maximum(law.rate, np.abs(K).max(axis=(1, 2)))
    # One constraint: no matrix exponential, and no SciPy.
    if K.shape[-1] == 1:
        return _Law(t, K, law.X, law.growth + Omega[:, 0, 0], rate)
    from scipy.linalg import expm  # here, because its import takes longer than most runs

    X = expm(Omega) @ law.X
    # Normalized at each row, so that growth over long runs does not overflow.
    norm = np.linalg.norm(X, 2, axis=(1, 2))
    return _Law(t, K, X / norm[:, None, None], law.growth + np.log(norm), rate)


# -- which runs are watched, and the warnings ----------------------------------------------------


def watch(
    system: System,
    method: Method,
    h: float,
    steps: int,
    stride: int,
    varying: Parameters = None,
    members: int = 1,
) -> ModeWatch | None:
    """Return the sink for a run whose other sinks read every `stride` steps; None if not needed.

    A single run is checked at least every 32 steps, an ensemble about 64 times, one of thousands of
    members about 16 times. Runs of fewer than 32 steps, and methods without a parasitic mode, are
    not checked.
    """
    if method.traits.parasitic == "none" or steps < _FEWEST or not system.is_constrained:
        return None
    # A single run: every 32 steps. Ensembles: as many checks in total whatever their length.
    apart = _APART if varying is None else max(_APART, steps // _looks_at(members))
    if stride >= steps:  # the last row only
        every = apart
    elif stride <= apart:
        every = apart // stride * stride
    else:
        every = next(n for n in range(apart, 0, -1) if stride % n == 0)
    looks = steps // every + 2 if varying is None else _MANY
    return ModeWatch(system, method, h, every, varying, block_of(looks))


def _looks_at(members: int) -> int:
    """Return about how many times an ensemble is checked."""
    return _LOOKS if members <= _LARGE else _LOOKS // 4


def block_of(points: int) -> int:
    """Return the number of points per call, if `points` points are expected."""
    return _FEW if points <= _FEW else _MANY


def judged(watch: ModeWatch, rows: Rows) -> Mode:
    """Return the measurements from saved rows."""
    start = Start(watch.system, watch.h, 0.0, 0, members=rows.v.shape[1])
    return watch.feed(watch.init(start), rows)


def warnings(method: Method, mode: Mode | None) -> tuple[str, ...]:
    """Return the warning if the mode of a run, or of the worst member, has become too large."""
    return () if mode is None else told(method, worst_of(mode))


def worst_of(mode: Mode) -> WorstMember:
    """Return the member whose mode is largest."""
    return WorstMember.of(mode.size, mode.size > 1.0, mode.since)


def told(method: Method, worst: WorstMember) -> tuple[str, ...]:
    """Return the warning about the worst member, if its mode is too large."""
    if not worst.over:
        return ()
    who = f", member {worst.member}," if worst.members > 1 else ""
    verb = "may be" if method.traits.parasitic == "hidden" else "is"
    return (
        f"the parasitic mode of {method.name}{who} {verb} larger than the error of the method from "
        f"t = {worst.since:.4g} on, up to {worst.size:.0e} times{worst.others}: do not trust "
        "the run from there. Take the default method (Gauss), DLA, or GNI(restart_every=k)",
    )


__all__ = [
    "NAME",
    "Mode",
    "ModeWatch",
    "block_of",
    "judged",
    "told",
    "warnings",
    "watch",
    "worst_of",
]
