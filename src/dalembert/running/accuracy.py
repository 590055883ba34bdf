"""`tol=` instead of h: choose the method and the number of steps that meet a tolerance at the end.

If the caller names no method, Taylor's method is taken if it has rules for the motion, otherwise
Gauss. In an ensemble the worst member decides.

Taylor's method: the difference of two runs with tolerances a hundred times apart is the error
estimate of the coarser one. Of a single run only the coarser one is a pilot: the finer one is the
run itself, and the estimate of the coarser one bounds its error. If it is not good enough, or the
run ends before its time, both are pilots.

Fixed steps: one step size for the run, so that a symmetric method remains reversible. With N and
N/2 steps of a method of order p the error at the end is about

    |x_N - x_(N/2)| / (2^p - 1),   relative to the sizes of q and v (largest entries in the run),

once N is so large that the error decreases like N^-p; from there N follows from the tolerance.
Pilot runs with N and N/2 steps may agree by chance (they sample a force at its zeros only, or jump
with it at one point). A good estimate is therefore compared with pilots of other step numbers, and
with the finest pilot of all. If the motion is known to branch, the error decreases like 1/N at
best. The difference itself is then the estimate, and the number of steps has a lower bound, so that
a few large steps do not miss a branch.

The stages of Gauss come from a table of least work on most systems. The pilots show whether other
stages are less work: an analytic motion has the error (rate/N)^(2s) with nearly one rate for all s,
which gives the number of steps for any s, and their cost.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import jax
import numpy as np

from ..compile.layout import Tree
from ..errors import Reason, SimulationError, UsageError
from ..methods import Gauss, Method, Reference
from ..methods.taylor import Taylor, order_for
from ..request.prepare import Prepared
from ..request.step import Numbers, has_any_times, has_own_steps
from ..request.validate import Given
from ..results import Ensemble, HybridTrajectory, Trajectory
from ..rows import OutputTimes
from ..system import System
from .programs.taylor_kernels import found_code
from .programs.taylor_program import CHOOSES, TaylorProgram, ends_and_sizes

_FIRST, _MOST = 16, 2**26  # steps of the first pilot, and most steps of a pilot
_FAR = 1e-2  # relative differences above this do not predict the error of smaller steps
_MARGIN = 3.0  # the search aims at an error this factor below the tolerance
_FINE = 30.0  # and accepts a step whose error is within this factor below it
_FEWEST = 4  # fewest steps with an error estimate
_CHOOSING, _MOST_CHOOSING = 256, 2**20  # fewest and most steps of a motion that branches
_OTHERS = (0.61, 0.73, 0.81, 0.89)  # step numbers of control pilots, relative to N
_CHEAP = 512  # up to this many steps all control pilots run, above only the first
_LEAST = 1e-14  # a smaller tolerance would be below the round-off of q and v themselves
_STAGES = ((1e-4, 2), (1e-7, 3), (1e-10, 4), (0.0, 6))  # (least tol, stages of Gauss): least work
_SWEEPS = {2: 7.6, 3: 7.3, 4: 8.4, 6: 11.0, 8: 14.0}  # by stages: sweeps per step, measured
# Taylor's method: the first local tolerance relative to tol, the coarsest one, how much finer the
# next run is, and the finest one, which is the round-off of numbers near 1.
_FIRST_SHARE, _COARSEST, _FINER, _FINEST = 0.3, 1e-2, 100.0, 1e-16
# A pilot of more steps is worth the compilation of a higher order: 10^5 steps take about 0.1 s.
_MANY_NODES = 100_000


Result: TypeAlias = Trajectory | Ensemble | HybridTrajectory


class PilotEnds(NamedTuple):
    """The result of a pilot run of many members that is not a `Result`."""

    end: Tree  # the final states, members first; None if a member has failed
    # for each part of the state (such as q and v): its largest entry in the run, for each member
    sizes: Numbers
    wall_s: float


Pilot: TypeAlias = Callable[..., Result | PilotEnds]  # takes h, steps and save_every


class StepChoice(NamedTuple):
    """A number of steps, with the estimated error at the end of a run of so many steps."""

    steps: int
    error: float
    met: bool
    run_s: float = 0.0  # seconds for these steps
    compile_s: float = 0.0  # seconds of compilation before the first step of the first pilot


def method_for(method: Method | None, tol: Given) -> Method:
    """Return the method of the caller, or Gauss with the stages for this tolerance; check tol."""
    try:
        good = 0.0 < float(tol) < 1.0
    except (TypeError, ValueError):
        good = False
    if not good:
        raise UsageError(f"tol must be a number between 0 and 1, such as 1e-9; got {tol!r}")
    if float(tol) < _LEAST:
        raise UsageError(
            f"tol = {float(tol):g} is below the round-off of q and v; give at least {_LEAST:g}"
        )
    if isinstance(method, Reference):
        raise UsageError("Reference has a tolerance of its own: Reference(rtol=1e-9)")
    # Fewer stages for loose tolerances: a higher order pays only for small errors.
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
    """Return the method and its steps; Gauss may get other stages if that saves time."""
    chosen = choose(pilot(method), span, method.traits.order, tol, chooses, members)
    other = with_other_stages(method, chosen, tol) if stages_too and not chooses else None
    if other is None:
        return method, chosen
    again = choose(pilot(other), span, other.traits.order, tol, members=members)
    return (other, again) if again.met else (method, chosen)


def with_other_stages(method: Method, chosen: StepChoice, tol: float) -> Method | None:
    """Return Gauss with the stages of least work, if it saves more time than it takes to compile.

    Returns None otherwise.
    """
    if not isinstance(method, Gauss) or not (chosen.met and 0.0 < chosen.error):
        return None
    # Error ~ h^(2 stages), so the number of steps goes like error^(-1 / (2 stages)).
    rate = chosen.steps * chosen.error ** (0.5 / method.stages)

    def work(s: int) -> float:
        # (s + 1) for the evaluations of a sweep, and the measured number of Newton sweeps for s
        # stages.
        return rate * (tol / _MARGIN) ** (-0.5 / s) * (s + 1) * _SWEEPS[s]

    best = min(_SWEEPS, key=work)
    saved = chosen.run_s * (1.0 - work(best) / work(method.stages))
    # Compiling another method takes time, which the run has to save.
    return Gauss(best) if best != method.stages and saved > chosen.compile_s else None


def choose(
    pilot: Pilot, span: float, order: int, tol: float, chooses: bool = False, members: int = 1
) -> StepChoice:
    """Return the number of steps over the time `span` that meets the tolerance, by pilot runs.

    `chooses` says that the motion is known to branch, so that its order is at most one. In an
    ensemble the worst member decides.
    """
    order = 1 if chooses else order
    fewest, most = (_CHOOSING, _MOST_CHOOSING) if chooses else (_FEWEST, _MOST)
    # With 10^4 members a pilot is expensive; 2^12 steps are always tried.
    most = max(most // members, 2**12)  # bounds the search if a member fails at every step size
    ends: dict[int, Tree] = {}
    sizes: dict[int, Tree] = {}
    spent: dict[int, tuple[float, float]] = {}

    def end(n: int) -> Tree:
        if n not in ends:
            try:
                # The magnitudes of q and v are taken from about 23 rows: an odd number does not hit
                # only the points of rest of an oscillation.
                rows = pilot(h=span / n, steps=n, save_every=max(n // 23, 1))
                if isinstance(rows, PilotEnds):
                    spent[n], ends[n], sizes[n] = (rows.wall_s, 0.0), rows.end, rows.sizes
                else:
                    spent[n] = rows.meta.wall_s, rows.meta.compile_s
                    ends[n], sizes[n] = _end_and_sizes(rows)
            except SimulationError as error:  # the step is too large for the method
                if isinstance(error.__cause__, KeyboardInterrupt):
                    # An interrupt is attached to the error as its cause; it is not a failure of
                    # the method.
                    raise
                ends[n] = None
        return ends[n]

    def apart(n: int, other: int) -> float:
        """Return the relative distance between the final states of the pilots with n and m steps.

        m is `other`. The differences of q and of v are each divided by the largest entry of q or v
        along the pilots with at least n steps.
        """
        a, b = end(n), end(other)
        if a is None or b is None:
            return math.inf
        # Magnitudes from pilots at least as fine: a coarse one may be unstable and too large.
        known = [x for m, x in sizes.items() if m >= n]
        return apart_by_sizes(a, b, jax.tree.map(lambda *x: np.max(x, axis=0), *known))

    def estimate(n: int) -> tuple[float, float]:
        """Return (difference from the pilot with n/2 steps, error estimate at the end)."""
        gap = apart(n, n // 2)
        if not math.isfinite(gap):
            return gap, math.inf
        # Richardson: e(n) = gap / (2^order - 1).
        error = gap / (2.0**order - 1.0)  # for order 1 it is the gap itself
        if error <= tol:  # confirm by control pilots, whose steps share no times with these
            others = {min(round(part * n) | 1, n - 1) for part in _OTHERS}  # odd: no middle node
            # Beyond `_CHEAP` steps one control pilot has to do, because each costs as much as the
            # run.
            for m in sorted(others)[: None if n <= _CHEAP else 1]:
                gain = 1.0 if chooses else (n / m) ** order - 1.0
                error = max(error, apart(n, m) / gain)
        finest = max(m for m, x in ends.items() if x is not None)
        # Never less than the distance from the finest pilot so far.
        return gap, max(error, apart(n, finest)) if finest > n else error

    n = max(_FIRST, fewest)
    best, seen = StepChoice(n, math.inf, False), {}
    # `seen` ends the search where it would try a number of steps a second time.
    while n <= most and n not in seen:
        gap, error = estimate(n)
        seen[n] = error
        # Too far apart to tell an order: halve the step.
        if not gap < _FAR:
            n *= 2
            continue
        if error <= tol and (not best.met or n < best.steps):
            best = StepChoice(n, error, True)
        elif not best.met and error < best.error:
            best = StepChoice(n, error, False)
        # Only pilots in the asymptotic range show whether an error still decreases.
        coarser = [m for m in seen if m < n and seen[m] < _FAR / 2.0**order]
        if error > tol and coarser and error > 0.5 * seen[max(coarser)] and not chooses:
            break  # smaller steps do not reduce the error: round-off
        # Within reach of the tolerance and not much better than asked for: done.
        if tol / _FINE <= error <= tol:
            break
        # 1e-18 stands for an error of exactly zero, whose logarithm would be infinite.
        wanted = n * (max(error, 1e-18) * _MARGIN / tol) ** (1.0 / order)
        # At most eight times as many or as few: estimates outside of the asymptotic range
        # mislead. Even, because n / 2 is tried as well.
        n = max(2 * math.ceil(min(max(wanted, n / 8), 8 * n) / 2), fewest)
    run_s, _ = spent.get(best.steps, (0.0, 0.0))
    return best._replace(run_s=run_s, compile_s=max((x for _, x in spent.values()), default=0.0))


def apart_by_sizes(a: Tree, b: Tree, sizes: Numbers) -> float:
    """Return the largest relative difference of two states, over all members.

    A difference in q or v is divided by the magnitude of q or v, which is in `sizes`; a magnitude
    of zero counts as one. Arrays have the members first.
    """
    worst = 0.0
    for x, y, size in zip(*(jax.tree.leaves(x) for x in (a, b, sizes))):
        # An entry that is zero all the time (motion in a plane) is compared absolutely.
        off = _largest(x - y) / np.where(size > 0.0, size, 1.0)
        worst = max(worst, float(np.max(off, initial=0.0)))
    return worst


def _largest(x: np.ndarray) -> np.ndarray:
    """Return the largest |entry| of each member."""
    return np.abs(x).reshape(len(x), -1).max(axis=1, initial=0.0)


def _end_and_sizes(rows: Result) -> tuple[Tree, Tree]:
    """Return (q, frame, v) at the end and their largest entries in the run, members first."""
    state = (rows.q, rows.frame, rows.v)
    if not isinstance(rows, Ensemble):
        state = jax.tree.map(lambda x: np.asarray(x)[None], state)
    elif rows.failed:
        return None, jax.tree.map(lambda x: np.zeros(len(x)), state)
    return jax.tree.map(lambda x: x[:, -1], state), jax.tree.map(_largest, state)


def not_met(
    system: System, method: Method, chosen: StepChoice, traj: Any, tol: float
) -> SimulationError:
    """Return the error that says why a tolerance was not met, with the best run attached."""
    steps = chosen.steps or traj.meta.steps  # for Taylor's method the run has counted the steps
    who = "" if isinstance(traj, (Trajectory, HybridTrajectory)) else "of the worst member, "
    return SimulationError(
        f"tol = {tol:g} cannot be met: with "
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
    """The method and the steps that meet a tolerance, or come closest to it."""

    tol: float
    method: Method
    h: float | None  # None for Taylor's method, which chooses its step sizes
    steps: int | None
    chosen: StepChoice
    why: str  # why Taylor's method does not run it (`meta.engine_reason`); empty if it does
    # (final state, magnitudes) of a pilot with a coarser tolerance, with which the end of the run
    # is compared; None if the pilots have decided already
    pilot: Tree = None

    def compared(self, found: Trajectory, end: Tree) -> Trajectory | None:
        """Return the result with the estimate in its meta; None if it is not good enough.

        `end` is (q, frame, v) at the end of the run.
        """
        # The run has the finer local tolerance, so the difference is the error of the pilot: a
        # bound for that of the run.
        error = _apart([(end, None)], [self.pilot])
        if not error <= self.tol:
            return None
        return dataclasses.replace(found, meta=found.meta.again(error_estimate=error))

    @property
    def reached(self) -> dict[str, float]:
        """The tolerance and the estimated error, by their names in `Meta`."""
        return {"tol": self.tol, "error_estimate": self.chosen.error}

    def judged(self, system: System, found: R) -> R:
        """Return the result with tolerance and estimate in its meta; raise if it is not met."""
        meta = dataclasses.replace(found.meta, **self.reached)
        return self.met(system, dataclasses.replace(found, meta=meta))

    def met(self, system: System, found: R) -> R:
        """Return the result; if the tolerance is not met, raise an error with it attached."""
        if not self.chosen.met:
            raise not_met(system, self.method, self.chosen, found, self.tol)
        return found


class NoTaylor(NamedTuple):
    """Why Taylor's method does not run a motion."""

    why: str
    branches: bool = False  # the motion branches: fixed steps have order one at best


def accurate(
    system: System,
    method: Method | None,
    tol: float,
    span: float,
    t0: float,
    pilot: Callable[[Method], Pilot],
    prepared: Callable[[Method], Sequence[Prepared]] | None = None,
    members: int = 1,
    by_the_run: bool = False,
) -> Accurate:
    """Return the method and the steps over the time `span` that meet `tol`.

    With `by_the_run` the caller compares the run itself with a pilot (`Accurate.pilot`).

    `pilot(method)` returns a function that runs with h and steps. `prepared(method)` returns the
    members for Taylor's method; it is None if native code is not wanted.
    """
    first = method_for(method, tol)
    if has_own_steps(first):
        raise UsageError(
            f"{first.name} chooses its own step sizes: give h, the size of the first "
            "step, instead of tol"
        )
    taylor: tuple[Given, ...] | NoTaylor = NoTaylor("")
    if prepared is not None and (method is None or has_any_times(first)):
        of_run = _taylor_pilot if by_the_run else by_taylor
        # A pilot by Taylor decides first: it costs less than one run by Gauss.
        taylor = of_run(prepared, float(t0) + span, float(tol), method is not None)
    if not isinstance(taylor, NoTaylor):
        result, chosen, *compared = taylor
        return Accurate(float(tol), result, None, None, chosen, "", *compared)
    if has_any_times(first):
        why = taylor.why or "taylor runs as native code only"
        raise UsageError(f"{system.name()}: {why}; leave the method out")
    result, chosen = chosen_for(pilot, first, span, tol, method is None, taylor.branches, members)
    return Accurate(float(tol), result, span / chosen.steps, chosen.steps, chosen, taylor.why)


def _taylor_pilot(
    prepare_with: Callable[[Taylor], Sequence[Prepared]], end: float, tol: float, asked: bool
) -> tuple[Taylor, StepChoice, Any] | NoTaylor:
    """Return Taylor's method for a run that is compared with a coarser pilot, and that pilot.

    The number of steps is a bound: the run ends at its time.
    """
    begun = _begun(prepare_with, end, tol, asked)
    if isinstance(begun, NoTaylor):
        return begun
    method, (program,), (coarse,), local = begun
    finer = max(local / _FINER, _FINEST)
    # Where no finer tolerance exists, or one more order pays, the complete search decides.
    if coarse is None or finer >= local or program.nodes > _MANY_NODES:
        result = by_taylor(prepare_with, end, tol, asked)
        return result if isinstance(result, NoTaylor) else (*result, None)
    # Step sizes go like tolerance^(1 / degree). The bound allows half as many steps again, because
    # step sizes vary along the motion.
    bound = 16 + math.ceil(1.5 * program.nodes * (local / finer) ** (1.0 / method.degree))
    return dataclasses.replace(method, tol=finer), StepChoice(bound, 0.0, True), coarse


class _Begun(NamedTuple):
    """Taylor's method with its first local tolerance, and the results of its first pilot runs."""

    method: Taylor
    programs: list[TaylorProgram]
    coarse: list[Tree]
    local: float


def _begun(
    prepare_with: Callable[[Taylor], Sequence[Prepared]], end: float, tol: float, asked: bool
) -> _Begun | NoTaylor:
    # A third of the tolerance for each step: errors of steps add up.
    local = min(max(tol * _FIRST_SHARE, _FINEST), _COARSEST)
    method = Taylor(local, order_for(local))
    members = prepare_with(method)
    result, t0 = found_code(members[0].plan), members[0].t0
    if isinstance(result, Reason):
        return NoTaylor(f"taylor has no rule for {result}")
    # A branch between two probes could be missed, so Taylor is not chosen silently.
    if result.shape.field_chooses and not asked:
        return NoTaylor(CHOOSES, branches=True)
    times = OutputTimes(t0, end - t0, None, end)
    programs = [TaylorProgram(x, times, keep=False) for x in members]
    coarse = ends_and_sizes(programs, local)
    if any(x is None for x in coarse) and not asked:
        return NoTaylor("taylor finds no step that is small enough, as happens near a singularity")
    return _Begun(method, programs, coarse, local)


def by_taylor(
    prepare_with: Callable[[Taylor], Sequence[Prepared]], end: float, tol: float, asked: bool
) -> tuple[Taylor, StepChoice] | NoTaylor:
    """Return Taylor's method with a local tolerance whose error at the end is within `tol`.

    The error is relative to the largest entries of q and of v. `prepare_with` returns the members,
    one or many; the worst of them decides. Unless the caller has named Taylor's method (`asked`),
    `NoTaylor` is returned if the motion branches, which Taylor may miss, or if there is no first
    step.
    """
    begun = _begun(prepare_with, end, tol, asked)
    if isinstance(begun, NoTaylor):
        return begun
    method, programs, coarse, local = begun
    times = programs[0].times
    # In each round the tolerance is a hundred times smaller. The difference of two successive runs
    # bounds the error of the coarser one.
    while True:
        finer = max(local / _FINER, _FINEST)
        fine = ends_and_sizes(programs, finer)
        error = _apart(coarse, fine)
        if error <= tol or finer == local or finer <= _FINEST:
            return dataclasses.replace(method, tol=local), StepChoice(0, error, error <= tol)
        local, coarse = finer, fine
        if max(x.nodes for x in programs) > _MANY_NODES and order_for(local) > method.degree:
            # many steps of a low order accumulate more round-off than fewer of a higher order
            method = Taylor(local, order_for(local))
            programs = [TaylorProgram(x, times, keep=False) for x in prepare_with(method)]
            coarse = ends_and_sizes(programs, local)


def _apart(coarse: Sequence[Tree], fine: Sequence[Tree]) -> float:
    # A failed run is infinitely far from any other.
    if any(x is None for x in (*coarse, *fine)):
        return math.inf
    (a, _), (b, sizes) = (jax.tree.map(lambda *x: np.stack(x), *each) for each in (coarse, fine))
    return apart_by_sizes(a, b, sizes)
