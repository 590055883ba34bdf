"""`tol=` in place of h: which method and how many steps meet a tolerance at the end of a run.

Without a method it is Taylor's where that has rules for the motion, and Gauss elsewhere. Of many
members the worst one decides.

Taylor's method: two runs with tolerances a hundred times apart tell the error of the coarser one.

Fixed steps: the step stays fixed, so that a symmetric method stays reversible. With N and N/2 steps
of a method of order p the error at the end is about

    |x_N - x_(N/2)| / (2^p - 1),   in sizes of q and of v: the largest entries on the way,

once N is so large that the error falls like N^-p; from there N follows from the tolerance. Halved
steps may agree by chance (they meet a force at its zeros only, or jump with it at one place), so
what looks good is compared with pilots of another kind, and with the finest of all. Of a motion
that is known to branch the error falls like 1/N at best: there the difference itself is the
estimate, and no branch that is taken for a while is passed over by a few large steps.

Without a method it is Gauss, with stages from a table of what is least work on most systems. The
pilots tell whether others are less: an analytic motion has the error (rate/N)^(2s) with nearly
one rate for all s, hence the steps of any s, and their cost.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import jax
import numpy as np

from ..errors import Reason, SimulationError, UsageError
from ..methods import Gauss, Method, Reference
from ..methods.taylor import Taylor, order_for
from ..results import Ensemble, HybridTrajectory, Trajectory
from ..system import System
from .programs.taylor_kernels import found_code
from .programs.taylor_program import CHOOSES, TaylorProgram
from .request.prepare import Prepared
from .request.step import has_any_times, has_own_steps
from .rows import OutputTimes

_FIRST, _MOST = 16, 2**26  # steps of the first pilot, and of the last at most
_FAR = 1e-2  # differences above this, in sizes, say nothing about smaller steps
_MARGIN = 3.0  # the estimate aims at this much below the tolerance
_FINE = 30.0  # and a step is good if it lies within this much of it
_FEWEST = 4  # steps that can be judged
_CHOOSING, _MOST_CHOOSING = 256, 2**20  # steps of a motion that chooses: the fewest, and the most
_OTHERS = (0.61, 0.73, 0.81, 0.89)  # of the steps, for pilots beside halves and quarters
_CHEAP = 512  # up to so many steps all of them are asked, above the first alone
_LEAST = 1e-14  # a smaller tolerance asks for less than the round-off of q and v themselves
_STAGES = ((1e-4, 2), (1e-7, 3), (1e-10, 4), (0.0, 6))  # of Gauss, by the tolerance: least work
_SWEEPS = {2: 7.6, 3: 7.3, 4: 8.4, 6: 11.0, 8: 14.0}  # measured, in steps as long as these take
# Of Taylor's steps: the first share of a tolerance at the end, the coarsest, how much finer the
# next run is, and the finest, which is round-off of numbers near 1.
_FIRST_SHARE, _COARSEST, _FINER, _FINEST = 0.3, 1e-2, 100.0, 1e-16
# Steps of a pilot from which on a higher order is worth its compilation: 10^5 take about 0.1 s.
_MANY_NODES = 100_000


Result: TypeAlias = Trajectory | Ensemble | HybridTrajectory
Pilot: TypeAlias = Callable[..., Result]  # runs with h, steps and save_every


class StepChoice(NamedTuple):
    """A number of steps, and the estimate of the error that they leave at the end."""

    steps: int
    error: float
    met: bool
    run_s: float = 0.0  # what these steps took
    compile_s: float = 0.0  # what the first pilot took before its first step


def method_for(method: Method | None, tol: Any) -> Method:
    """The method that was named, or Gauss with as many stages as the tolerance asks for."""
    try:
        good = 0.0 < float(tol) < 1.0
    except (TypeError, ValueError):
        good = False
    if not good:
        raise UsageError(f"tol must be a number between 0 and 1, such as 1e-9; got {tol!r}")
    if float(tol) < _LEAST:
        raise UsageError(
            f"tol = {float(tol):g} asks for less than round-off leaves of q and v; give at least "
            f"{_LEAST:g}"
        )
    if isinstance(method, Reference):
        raise UsageError("Reference has a tolerance of its own: Reference(rtol=1e-9)")
    return method or Gauss(next(s for least, s in _STAGES if tol >= least))


def chosen_for(
    pilot: Callable[[Method], Pilot],
    method: Method,
    span: float,
    tol: float,
    stages_too: bool,
    chooses: bool = False,
    members: int = 1,
) -> tuple[Method, StepChoice]:
    """The method, with other stages where that saves time, and its steps."""
    chosen = choose(pilot(method), span, method.traits.order, tol, chooses, members)
    other = with_other_stages(method, chosen, tol) if stages_too and not chooses else None
    if other is None:
        return method, chosen
    again = choose(pilot(other), span, other.traits.order, tol, members=members)
    return (other, again) if again.met else (method, chosen)


def with_other_stages(method: Method, chosen: StepChoice, tol: float) -> Method | None:
    """Gauss with the stages that are less work here, if that saves more than to compile it."""
    if not isinstance(method, Gauss) or not (chosen.met and 0.0 < chosen.error):
        return None
    rate = chosen.steps * chosen.error ** (0.5 / method.stages)

    def work(s: int) -> float:
        return rate * (tol / _MARGIN) ** (-0.5 / s) * (s + 1) * _SWEEPS[s]

    best = min(_SWEEPS, key=work)
    saved = chosen.run_s * (1.0 - work(best) / work(method.stages))
    return Gauss(best) if best != method.stages and saved > chosen.compile_s else None


def choose(
    pilot: Pilot, span: float, order: int, tol: float, chooses: bool = False, members: int = 1
) -> StepChoice:
    """How many steps over the time `span` meet the tolerance; `pilot` runs some.

    `chooses`: the motion is known to branch, and has no more than the first order. Of many members
    the worst one decides.
    """
    order = 1 if chooses else order
    fewest, most = (_CHOOSING, _MOST_CHOOSING) if chooses else (_FEWEST, _MOST)
    most = max(most // members, 2**12)  # a member that fails with any step ends the search
    ends: dict[int, Any] = {}
    sizes: dict[int, Any] = {}
    spent: dict[int, tuple[float, float]] = {}

    def end(n: int) -> Any:
        if n not in ends:
            try:
                # an odd number of rows: not those where something that swings is at rest
                rows = pilot(h=span / n, steps=n, save_every=max(n // 23, 1))
                spent[n] = rows.meta.wall_s, rows.meta.compile_s
                ends[n], sizes[n] = _end_and_sizes(rows)
            except SimulationError as error:  # a step too large for the method
                if isinstance(error.__cause__, KeyboardInterrupt):
                    raise
                ends[n] = None
        return ends[n]

    def apart(n: int, other: int) -> float:
        """How far two pilots end from each other, in sizes that the finer ones have shown."""
        a, b = end(n), end(other)
        if a is None or b is None:
            return math.inf
        known = [x for m, x in sizes.items() if m >= n]
        return apart_by_sizes(a, b, jax.tree.map(lambda *x: np.max(x, axis=0), *known))

    def estimate(n: int) -> tuple[float, float]:
        """(difference from the next coarser pilot, error at the end)."""
        gap = apart(n, n // 2)
        if not math.isfinite(gap):
            return gap, math.inf
        error = gap / (2.0**order - 1.0)  # of the first order it is the gap itself
        if error <= tol:  # other opinions, of steps that share no times with these
            others = {min(round(part * n) | 1, n - 1) for part in _OTHERS}  # odd: no middle node
            for m in sorted(others)[: None if n <= _CHEAP else 1]:
                gain = 1.0 if chooses else (n / m) ** order - 1.0
                error = max(error, apart(n, m) / gain)
        finest = max(m for m, x in ends.items() if x is not None)
        return gap, max(error, apart(n, finest)) if finest > n else error

    n = max(_FIRST, fewest)
    best, seen = StepChoice(n, math.inf, False), {}
    while n <= most and n not in seen:
        gap, error = estimate(n)
        seen[n] = error
        if not gap < _FAR:
            n *= 2
            continue
        if error <= tol and (not best.met or n < best.steps):
            best = StepChoice(n, error, True)
        elif not best.met and error < best.error:
            best = StepChoice(n, error, False)
        coarser = [m for m in seen if m < n and seen[m] < _FAR / 2.0**order]
        if error > tol and coarser and error > 0.5 * seen[max(coarser)] and not chooses:
            break  # smaller steps have made it no smaller: round-off
        if tol / _FINE <= error <= tol:
            break
        wanted = n * (max(error, 1e-18) * _MARGIN / tol) ** (1.0 / order)
        n = max(2 * math.ceil(min(max(wanted, n / 8), 8 * n) / 2), fewest)
    run_s, _ = spent.get(best.steps, (0.0, 0.0))
    return best._replace(run_s=run_s, compile_s=max((x for _, x in spent.values()), default=0.0))


def apart_by_sizes(a: Any, b: Any, sizes: Any) -> float:
    """The largest difference of two states in sizes of q and of v, of the worst member.

    Arrays have the members first; a size that is zero counts as one.
    """
    worst = 0.0
    for x, y, size in zip(*(jax.tree.leaves(x) for x in (a, b, sizes))):
        off = _largest(x - y) / np.where(size > 0.0, size, 1.0)
        worst = max(worst, float(np.max(off, initial=0.0)))
    return worst


def _largest(x: np.ndarray) -> np.ndarray:
    """The largest entry of each member."""
    return np.abs(x).reshape(len(x), -1).max(axis=1, initial=0.0)


def _end_and_sizes(rows: Result) -> tuple[Any, Any]:
    """(q, frame, v) at the end and their largest entries on the way; both with members first."""
    state = (rows.q, rows.frame, rows.v)
    if not isinstance(rows, Ensemble):
        state = jax.tree.map(lambda x: np.asarray(x)[None], state)
    elif rows.failed:
        return None, jax.tree.map(lambda x: np.zeros(len(x)), state)
    return jax.tree.map(lambda x: x[:, -1], state), jax.tree.map(_largest, state)


def not_met(system: System, method: Method, chosen: StepChoice, traj: Result) -> SimulationError:
    """The error that tells why a tolerance was not met, with the best run."""
    steps = chosen.steps or traj.meta.steps  # Taylor's are counted by the run itself
    who = "" if not isinstance(traj, Ensemble) else "of the worst member, "
    return SimulationError(
        f"tol = {traj.meta.tol:g} cannot be met: with "
        f"{steps} steps the error at the end is still about {chosen.error:.1e}, {who}and smaller "
        "steps do not make it smaller (round-off, which a chaotic motion makes large, or a force "
        "that jumps: Taylor() finds out when, `events` and `da.hybrid` end steps there). Ask for a "
        "larger tol or a shorter time",
        about=f"{method.name} on {system.name()}",
        advice="the run is attached to this error as .trajectory",
        trajectory=traj,
        step=steps,
        time=float(np.max(traj.t)),
    )


R = TypeVar("R", bound=Result)


class Accurate(NamedTuple):
    """What meets a tolerance, or comes nearest to it."""

    tol: float
    method: Method
    h: float | None  # None: Taylor's method, which chooses its own
    steps: int | None
    chosen: StepChoice
    why: str  # Taylor's method does not run it, where it might have

    def judged(self, system: System, found: R) -> R:
        """The result with the tolerance and the estimate in its meta; raises if it is not met."""
        meta = dataclasses.replace(found.meta, tol=self.tol, error_estimate=self.chosen.error)
        return self.met(system, dataclasses.replace(found, meta=meta))

    def met(self, system: System, found: R) -> R:
        """The result, or an error with it that says what was reached."""
        if not self.chosen.met:
            raise not_met(system, self.method, self.chosen, found)
        return found


class NoTaylor(NamedTuple):
    """Why Taylor's method does not run a motion."""

    why: str
    branches: bool = False  # the motion does, so that fixed steps have the first order at best


def accurate(
    system: System,
    method: Method | None,
    tol: float,
    span: float,
    t0: float,
    pilot: Callable[[Method], Pilot],
    prepared: Callable[[Method], Sequence[Prepared]] | None = None,
    members: int = 1,
) -> Accurate:
    """The method and the steps over the time `span` that meet `tol`.

    `pilot(method)` runs with h and steps; `prepared(method)` gives the members for Taylor's
    method, and is None where native code is not wanted.
    """
    first = method_for(method, tol)
    if has_own_steps(first):
        raise UsageError(f"{first.name} chooses its own steps: give h, the first, and not tol")
    taylor: tuple[Taylor, StepChoice] | NoTaylor = NoTaylor("")
    if prepared is not None and (method is None or has_any_times(first)):
        taylor = by_taylor(prepared, float(t0) + span, float(tol), method is not None)
    if not isinstance(taylor, NoTaylor):
        found, chosen = taylor
        return Accurate(float(tol), found, None, None, chosen, "")
    if has_any_times(first):
        why = taylor.why or "taylor runs as native code only"
        raise UsageError(f"{system.name()}: {why}; leave the method out")
    found, chosen = chosen_for(pilot, first, span, tol, method is None, taylor.branches, members)
    return Accurate(float(tol), found, span / chosen.steps, chosen.steps, chosen, taylor.why)


def by_taylor(
    prepare_with: Callable[[Taylor], Sequence[Prepared]], end: float, tol: float, asked: bool
) -> tuple[Taylor, StepChoice] | NoTaylor:
    """The tolerance of Taylor's steps whose error at the end is within `tol`, in sizes of q and v.

    `prepare_with` gives the members, one or many; the worst of them decides. Unless Taylor's method
    was `asked` for, what it may not see or cannot begin is left to others.
    """
    local = min(max(tol * _FIRST_SHARE, _FINEST), _COARSEST)
    method = Taylor(local, order_for(local))
    members = prepare_with(method)
    found, t0 = found_code(members[0].plan), members[0].t0
    if isinstance(found, Reason):
        return NoTaylor(f"taylor has no rule for {found}")
    if found.shape.field_chooses and not asked:
        return NoTaylor(CHOOSES, branches=True)
    times = OutputTimes(t0, end - t0, None, end)
    programs = [TaylorProgram(x, times, keep=False) for x in members]
    coarse = [x.end_and_sizes(local) for x in programs]
    if any(x is None for x in coarse) and not asked:
        return NoTaylor("taylor finds no step that is small enough, as before a singularity")
    while True:
        finer = max(local / _FINER, _FINEST)
        fine = [x.end_and_sizes(finer) for x in programs]
        error = _apart(coarse, fine)
        if error <= tol or finer == local or finer <= _FINEST:
            return dataclasses.replace(method, tol=local), StepChoice(0, error, error <= tol)
        local, coarse = finer, fine
        if max(x.nodes for x in programs) > _MANY_NODES and order_for(local) > method.degree:
            # many steps of a low order add up to more round-off than fewer of a higher one
            method = Taylor(local, order_for(local))
            programs = [TaylorProgram(x, times, keep=False) for x in prepare_with(method)]
            coarse = [x.end_and_sizes(local) for x in programs]


def _apart(coarse: Sequence[Any], fine: Sequence[Any]) -> float:
    if any(x is None for x in (*coarse, *fine)):
        return math.inf
    (a, _), (b, sizes) = (jax.tree.map(lambda *x: np.stack(x), *each) for each in (coarse, fine))
    return apart_by_sizes(a, b, sizes)
