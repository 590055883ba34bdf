"""Minimum effort from rest to rest, by direct transcription on the methods of the library.

    minimize  integral of u R u,   over controls that lead from q0 to the target in a given time,

with bounds on each control, on R^n or on a Lie group. The values of the control are the unknowns;
the states are computed by a run (`transcription`). Each start is first brought to the target, at
any effort, by steps of least effort. From there Newton's method minimizes the effort among the
controls that lead to the target (`newton`).
"""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import linear_constraint, metric
from ..errors import UsageError
from ..groups import Euclidean, Group, Product
from ..linalg import RANK_TOLERANCE
from ..methods import Gauss, Method
from ..request.validate import check_count
from ..system import System, compiled_call
from .newton import NewtonOnTarget, Optimum
from .planning import Plan, wanted_point
from .transcription import Ends, Transcription, gauss_points

_FAR = 1e6  # the miss recorded for a run that failed, in any units
_REACHED = 1e-4  # miss from which Newton's method converges to round-off
_RUNS = 200  # largest number of runs per start; a successful start takes 20 to 80
_POOL = 4  # least number of first guesses; more are added if the requested ones lead to no minimum
# a start with smaller controls is limited to this fraction of the largest controls of the best
_SMALLER = 0.5
_ROOM = (
    4.0  # limits of the controls of a start that did not reach the target, in its largest values
)
# largest number of starts with smaller controls: down to 1/16 of the controls of a poor minimum
_RUNGS = 4
# relative difference of two efforts that is round-off, because the conditions hold to 1e-8
_SAME = 1e-9


def minimum_effort(
    system: System,
    target: Any,
    start: Any = None,
    *,
    duration: float | None = None,
    steps: int = 40,
    method: Method | None = None,
    nodes: int | None = None,
    limit: Any = None,
    weight: Any = None,
    guess: Any = None,
    starts: int | None = None,
    seed: int = 0,
    tol: float = 1e-10,
) -> Optimum:
    """Find the control of least effort from rest at `start` to rest at `target`.

    On R^n and on Lie groups, where the target is a point of the group. On a product a factor of the
    target that is None is free, and so are entries NaN in factors R^n: a ball with rotors is led to
    a place and an attitude by (place, attitude, None).

    Effort is the integral of u R u over the time, in (N m)^2 s for torques; R is 1 unless `weight`
    is given, its diagonal. Entries of the target that are NaN or left out are free. `method` is the
    transcription, by default `Gauss(2)`; `nodes` the values of the control in each step, by default
    as many as the method has stages. `limit` bounds each |u|. `guess` is a `Plan`, whose duration
    is then taken, an `Optimum`, or a function of time. `starts` is the number of initial controls:
    by default 1 with a guess, 2 without. They are the guess or smooth random ones (`seed`); more
    are added if these lead to no minimum. The last of several starts are made from the best so far,
    with its controls limited to half of their largest values, to a quarter, and so on while the
    target is reached. Each start leads to a local minimum. The best is returned, `efforts` lists
    the result of each start, and `agree` counts the starts that led to the same effort.

    With a limit the call first does all that the same call without limits does. If that optimum
    respects the limits it is the answer; otherwise its minima are the starts within the limits.
    Limits do not reduce the effort of a global minimum, but no finite number of starts proves that
    a minimum is global. So if the search within limits finds less, that is a warning (also in
    `warnings`), and the search without limits continues from there: `without_limits`, the least
    effort that this call found without limits, is at most `cost`. Give such an optimum as `guess`
    to a call without limits.

    Raises a `UsageError` if no control within the bounds is found, or if the conditions of a
    minimum are not met to 1e-8. `curvature` distinguishes a minimum from a saddle.
    """
    method = Gauss(2) if method is None else method
    q0 = system.initial()[0] if start is None else system.groupoid.base.check(start, "start")
    if isinstance(guess, Plan) and duration is None:
        duration = guess.duration
    if duration is None or not (math.isfinite(duration) and duration > 0):
        raise UsageError("a duration in s is needed, positive and finite")
    if check_count("steps", steps) < 2:
        raise UsageError(f"at least 2 steps are needed, got {steps}")
    count = check_count("nodes", getattr(method, "stages", 1) if nodes is None else nodes)
    made = Transcription(system, method, q0, duration / steps, steps, count)
    point, goal = wanted_point(system, target, partly=True)
    bound = _bound(limit, made)
    R = np.ones(made.m) if weight is None else np.asarray(weight, dtype=float).ravel()
    if R.shape != (made.m,) or not np.all(R > 0):
        raise UsageError(f"weight needs {made.m} positive numbers, got {R}")
    scale = np.tile(np.outer(gauss_points(count)[1], R), (steps, 1, 1)).ravel() * made.h
    count = check_count("starts", (2 if guess is None else 1) if starts is None else starts)
    tried = [] if guess is None else [_sampled(made, guess)]
    if guess is None or count > 2:
        tried += _smooth_guesses(made, seed, count)
    point = np.asarray(system.groupoid.base.flatten(point))
    free = _Search(made, point, goal, scale, None, tol)
    if bound is None:
        best = free.best(tried, count)
        return dataclasses.replace(best, without_limits=best.cost)
    return _limited(free, _Search(made, point, goal, scale, bound, tol), tried, count)


def _limited(free: _Search, within: _Search, tried: list[np.ndarray], count: int) -> Optimum:
    """Return the best control within limits.

    The search first runs without limits, exactly as in a call without them. If its optimum respects
    the limits it is returned, so that inactive limits change nothing; otherwise the search is
    repeated within the limits, starting from the minima found without them. If the search within
    limits finds less effort, the search without them continues from there, and a warning says so:
    limits do not reduce the effort.
    """
    bound = within.bound
    assert bound is not None
    try:
        best = free.best(tried, count)
    except UsageError:
        best = None
    size = lambda x: np.abs(np.asarray(x.control.values)).ravel()  # noqa: E731
    if best is not None and np.all(size(best) < bound):
        return dataclasses.replace(best, without_limits=best.cost)
    within.found += [x for x in free.found if np.all(size(x) < bound)]
    minima = sorted(free.found, key=lambda x: x.cost)
    starts = [np.asarray(x.control.values).ravel() for x in minima] + tried
    result = within.best(starts, max(count, 2))
    least = math.inf if best is None else best.cost
    if result.cost >= least * (1.0 - _SAME):
        return dataclasses.replace(result, without_limits=min(least, result.cost))
    free.follow(np.asarray(result.control.values).ravel())
    without = min([result.cost, *(x.cost for x in free.found)])
    text = (
        f"{within.made.system.name()}: the search within limits found the effort "
        f"{result.cost:.6g}; a call without limits finds "
        + ("no minimum" if best is None else f"{least:.6g}")
        + f" from the same starts, but {without:.6g} exists: give this optimum as its guess"
    )
    # stacklevel 5 points to the caller; `doors` adds frames
    warnings.warn(text, UserWarning, stacklevel=5)
    return dataclasses.replace(result, without_limits=without, warnings=(text,))


def _bound(limit: Any, made: Transcription) -> np.ndarray | None:
    if limit is None:
        return None
    given = np.asarray(limit, dtype=float)
    if given.shape not in ((), (1,), (made.m,)):
        raise UsageError(f"limit needs one number, or one of each of {made.m} controls: {given}")
    given = np.broadcast_to(given, (made.m,))
    if not np.all(given > 0):
        raise UsageError(f"limit bounds |u|, so it must be positive, got {given}")
    return np.tile(given, made.steps * made.nodes)


def _sampled(made: Transcription, guess: Any) -> np.ndarray:
    """Evaluate the guess at the times of the unknowns."""
    c, _ = gauss_points(made.nodes)
    times = (np.arange(made.steps)[:, None] + c).ravel() * made.h
    if isinstance(guess, Optimum):
        values = jax.vmap(guess.control)(jnp.asarray(times))
    elif isinstance(guess, Plan):
        run = guess.simulate().run
        u = guess.controls(run)
        values = np.stack([np.interp(times, run.t, u[:, i]) for i in range(made.m)], axis=1)
    elif callable(guess):
        values = [guess(jnp.asarray(t)) for t in times]
    else:
        raise UsageError(f"guess must be a Plan, an Optimum or a function of time, got {guess!r}")
    result = np.asarray(values, dtype=float)
    if result.shape != (len(times), made.m) or not np.all(np.isfinite(result)):
        raise UsageError(f"guess(t) must be {made.m} finite numbers, as many as there are controls")
    return result.ravel()


def _smooth_guesses(made: Transcription, seed: int, count: int) -> list[np.ndarray]:
    """Return sums of three waves with random factors, in four sizes in turn."""
    rng = np.random.default_rng(seed)
    c, _ = gauss_points(made.nodes)
    x = (np.arange(made.steps)[:, None] + c).ravel() / made.steps
    result = []
    for k in range(max(count, _POOL)):
        waves = [np.sin(j * np.pi * x)[:, None] * rng.normal(size=made.m) / j for j in (1, 2, 3)]
        size = (1.0 + k % 4) / (made.h * made.steps)
        result.append(size * np.sum(waves, axis=0).ravel())
    return result


class _Missed(NamedTuple):
    """End of a search that did not reach the target."""

    u: np.ndarray
    miss: float
    slope: np.ndarray


class _Search:
    """Search for the best of the minima found from several starts."""

    def __init__(
        self,
        made: Transcription,
        point: np.ndarray,
        goal: np.ndarray,
        scale: np.ndarray,
        bound: np.ndarray | None,
        tol: float,
    ) -> None:
        self.made, self.point, self.goal = made, point, goal
        self.scale, self.bound, self.tol = scale, bound, tol
        self.found: list[Optimum] = []
        self.missed: list[_Missed] = []
        # errors of starts that reached the target but found no minimum
        self.failed: list[UsageError] = []

    def best(self, tried: list[np.ndarray], count: int) -> Optimum:
        """Return the best of `count` starts; the last ones are made from the best so far."""
        for i, start in enumerate(tried):
            if i >= max(count - 1, 1) and self.found:
                break
            self.follow(self.feasible(start, self.bound, _RUNS))
        if not self.found and self.bound is None:
            self._within_limits(tried)
        if not self.found:
            raise self.failed[0] if self.failed else self._refusal()
        if count > 1:
            self._go_down()
        efforts = [x.cost for x in self.found]
        efforts += [math.inf] * (len(self.missed) + len(self.failed))
        least = min(self.found, key=lambda x: x.cost)
        return dataclasses.replace(least, efforts=tuple(sorted(efforts)))

    def _within_limits(self, tried: list[np.ndarray]) -> None:
        """Bring the starts to the target within limits chosen here, if this failed without them.

        Too long steps lead to controls that turn a machine round and round, from where nothing
        leads to the target. Limits avoid such controls; from there the minimum is searched without
        limits.
        """
        for start in tried:
            largest = np.max(np.abs(self.made.values(start)), axis=(0, 1))
            limit = _ROOM * np.maximum(largest, 0.1 * max(np.max(largest), 1e-300))
            bound = np.tile(limit, self.made.steps * self.made.nodes)
            self.follow(self.feasible(start, bound, _RUNS))
            if self.found:
                return

    def follow(self, start: np.ndarray | _Missed) -> None:
        """Minimize from controls that lead to the target, and record the result."""
        if isinstance(start, _Missed):
            self.missed.append(start)
            return
        ends = _ends(self.made, self.point, self.goal, self.made.run(start)[-1])
        try:
            newton = NewtonOnTarget(self.made, ends, self.scale, self.bound, self.tol)
            self.found.append(newton.solve(start))
        except UsageError as error:
            self.failed.append(error)

    def feasible(self, u: np.ndarray, bound: np.ndarray | None, runs: int) -> np.ndarray | _Missed:
        """Return controls within the bounds that lead to the target, at any effort.

        Levenberg-Marquardt with steps of least effort: the guess is changed as little as possible,
        so that small controls remain small. Each step solves a linear system of the size of the end
        conditions, which is small.
        """
        made = self.made
        inside = np.inf if bound is None else 0.999 * bound
        u = np.clip(u, -0.99 * inside, 0.99 * inside)
        z = made.run(u)
        ends = _ends(made, self.point, self.goal, z[-1])
        gap = _finite(made.gap(z, ends))
        damping, size, C = 1e-2, float(np.linalg.norm(gap)), np.zeros((len(gap), len(u)))
        fresh = True
        for _ in range(runs):
            if np.max(np.abs(gap)) < _REACHED:
                return u
            if fresh:
                at = made.slopes(z, u, ends)
                C = _finite(at.C @ made.moved(at)[-1], 0.0)
            step = self._least(u, C, gap, damping, inside)
            trial = np.clip(u + step, -inside, inside)
            there = made.run(trial)
            result = _finite(made.gap(there, ends))
            fresh = bool(np.linalg.norm(result) < size)
            if fresh:
                u, z, gap, size = trial, there, result, float(np.linalg.norm(result))
                damping *= 0.2
            else:
                damping *= 4.0
            if damping > 1e8:
                break
        missed = _Missed(u, float(np.max(np.abs(gap))), C)
        return missed if bound is None else self._inside(missed, ends, 0.999 * bound, runs)

    def _inside(
        self, missed: _Missed, ends: Ends, inside: np.ndarray, runs: int
    ) -> np.ndarray | _Missed:
        """Retry within bounds by SciPy's trust region: slower, but better near the bounds."""
        from scipy.optimize import least_squares

        made = self.made
        gap = lambda u: _finite(made.gap(made.run(u), ends))  # noqa: E731

        def slope(u: np.ndarray) -> np.ndarray:
            at = made.slopes(made.run(u), u, ends)
            return _finite(at.C @ made.moved(at)[-1], 0.0)

        start = np.clip(missed.u, -0.99 * inside, 0.99 * inside)
        options: dict[str, Any] = {"xtol": 1e-12, "ftol": 1e-12, "gtol": 1e-12, "max_nfev": runs}
        solution = least_squares(gap, start, jac=slope, bounds=(-inside, inside), **options)  # pyright: ignore
        off = float(np.max(np.abs(solution.fun)))
        return solution.x if off < _REACHED else _Missed(solution.x, off, solution.jac)

    def _least(
        self, u: np.ndarray, C: np.ndarray, gap: np.ndarray, damping: float, inside: Any
    ) -> np.ndarray:
        """Return the step of least effort that closes the linearized gap, up to damping."""
        loose = np.ones(len(u), dtype=bool)
        step = np.zeros(len(u))
        for _ in range(4):  # hold controls that would leave their bounds
            light = np.where(loose, C / self.scale, 0.0)
            normal = light @ C.T
            most = damping * max(float(np.trace(normal)) / len(gap), 1e-300)
            step = -light.T @ np.linalg.lstsq(normal + most * np.eye(len(gap)), gap, rcond=1e-13)[0]
            out = loose & (np.abs(u + step) > inside) & (np.abs(u) >= 0.99 * inside)
            if not np.any(out):
                break
            loose &= ~out
        return step

    def _go_down(self) -> None:
        """Search from smaller and smaller controls, because poor minima have large controls.

        The controls of the best start are limited to half of their largest values, then to a
        quarter, and so on, while the target is reached within these limits.
        """
        limit = np.full(self.made.m, np.inf)
        for rung in range(_RUNGS):
            values = np.asarray(min(self.found, key=lambda x: x.cost).control.values)
            largest = np.minimum(np.max(np.abs(values), axis=(0, 1)), limit)
            # a control that is zero must not be limited to zero
            limit = _SMALLER * np.maximum(largest, 1e-3 * max(np.max(largest), 1e-300))
            bound = np.tile(limit, self.made.steps * self.made.nodes)
            result = self.feasible(np.clip(values.ravel(), -bound, bound), bound, _RUNS // 5)
            if not isinstance(result, _Missed):
                self.follow(result)
                continue
            # the first limits fail: continue from where this ended, within the given limits
            if rung == 0:
                self.follow(self.feasible(result.u, self.bound, _RUNS // 5))
            return

    def _refusal(self) -> UsageError:
        best = min(self.missed, key=lambda x: x.miss)
        made, bound, moved = self.made, self.bound, np.linalg.svd(best.slope, compute_uv=False)
        within = "" if bound is None else f" within |u| <= {np.unique(bound)}"
        rank = int(np.sum(moved > RANK_TOLERANCE * max(np.max(moved, initial=0.0), 1e-300)))
        return UsageError(
            f"{made.system.name()}: no control{within} was found that leads to rest at the target "
            f"in {made.h * made.steps:g} s, from {len(self.missed)} starts; the nearest misses it "
            f"by {best.miss:.2e}. Give it more time, or "
            + (
                "wider bounds"
                if within
                else "another guess; a search within limits (limit=) may find what this one missed"
            )
            + (
                f"; but there the controls move only {rank} of the {len(moved)} numbers that are "
                "asked for, entries of q and speeds: the target may be out of their reach"
                if rank < len(moved)
                else ""
            )
        )


def _finite(x: np.ndarray, instead: float = _FAR) -> np.ndarray:
    """Return x with `instead` in place of NaN and of entries whose powers would overflow."""
    return np.where(np.abs(x) < 1e30, x, instead)


def _ends(made: Transcription, point: np.ndarray, goal: np.ndarray, last: np.ndarray) -> Ends:
    """Return the end conditions: the target, and v = 0 along a basis of D there (near `last`)."""
    space = made.system.groupoid.base
    flat = np.where(goal, point, np.nan_to_num(last[: space.size]))
    q = space.unflatten(jnp.asarray(flat))
    G, A = (np.asarray(x) for x in compiled_call(_frame, made.system, q))
    lower = np.linalg.cholesky(G)
    inside = np.linalg.svd(np.linalg.solve(lower, A.T).T)[2][len(A) :] if len(A) else np.eye(len(G))
    still = jnp.asarray(inside @ lower.T)
    if isinstance(made.system.space, Euclidean):
        return Ends(jnp.asarray(point[goal]), jnp.asarray(np.eye(len(goal))[goal]), still)
    # free entries of the target are set to where the run ends: their logarithm is near 0
    chosen = np.eye(space.dim)[_directions(space, goal)]
    return Ends(jnp.asarray(flat), jnp.asarray(chosen), still)


def _directions(space: Group, goal: np.ndarray) -> np.ndarray:
    """Return which directions of the algebra are fixed, from the fixed entries of the point."""
    if isinstance(space, Product):
        ends = np.cumsum([factor.size for factor in space.factors])[:-1]
        parts = zip(space.factors, np.split(goal, ends))
        return np.concatenate([_directions(factor, part) for factor, part in parts])
    return goal if isinstance(space, Euclidean) else np.full(space.dim, bool(np.all(goal)))


def _frame(system, q):
    return metric(system, q), linear_constraint(system, q)


__all__ = ["Optimum", "minimum_effort"]
