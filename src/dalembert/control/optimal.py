"""Minimum effort from rest to rest, by direct transcription on the methods of the library.

    minimize  integral of u R u,   over controls that lead from q0 to the target in a given time,

with bounds on each control. The numbers of the control are the unknowns, the run itself is computed
(`transcription`). Each start is brought to the target first, at any effort. From there Newton's
method goes down along the controls that lead there, to the conditions of Karush, Kuhn and Tucker,
with exact gradients and bounds by an interior point.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import linear_constraint, metric
from ..errors import UsageError
from ..inputs import driven
from ..linalg import RANK_TOLERANCE
from ..methods import Gauss, Method
from ..results import Trajectory
from ..running import simulate
from ..running.request.validate import check_count
from ..system import System, compiled_call
from .planning import Plan, wanted_point
from .transcription import Ends, Pieces, Transcription, gauss_points

_REACHED = 1e-4  # a miss that Newton's method takes from here to round-off
_RUNS = 200  # to the target from one start; those that arrive take 20 to 80
_POOL = 4  # first guesses, at least, where those asked for lead to no minimum
_TAME = 4.0  # of the largest value of a random guess: the limits within which it is tried first
_SMALLER = 0.5  # of the largest controls of the best so far: the limits of the last start
_ALIKE = 1e-2  # relative difference of efforts that count as the same minimum
_TURNS = 80
_NEAR, _HELD_TURNS = 1e-3, 20  # of a minimum with controls at their bounds: how near, for how long
_MINIMUM = 1e-8  # of gradient and miss


@dataclasses.dataclass(frozen=True)
class Optimum:
    """A control that meets the conditions of a local minimum, and how well it does."""

    system: System
    method: Method
    control: Pieces
    states: np.ndarray  # (steps + 1, 2 n): q and v at the nodes
    cost: float  # integral of u R u
    gradient: float  # u - (u - gradient, within bounds), in the unit of u: zero at a minimum
    miss: float  # largest entry of what the last state misses
    curvature: float  # smallest second derivative of the cost along what keeps the end, over R
    multipliers: np.ndarray  # of the end: how the cost changes with it
    iterations: int
    efforts: tuple[float, ...] = ()  # where each start led, the least first; inf: to no minimum

    @property
    def duration(self) -> float:
        """Of the motion."""
        return float(self.control.h) * self.control.values.shape[0]

    @property
    def agree(self) -> int:
        """How many starts led to this effort, within 1 %."""
        return sum(abs(x - self.cost) <= _ALIKE * self.cost for x in self.efforts)

    def simulate(self, method: Method | None = None, *, refine: int = 1) -> Trajectory:
        """A run with this control, `refine` steps to each one of its own."""
        return simulate(
            driven(self.system, self.control), self.method if method is None else method,
            jnp.asarray(self.states[0, : self.system.dim]), jnp.zeros(self.system.dim),
            h=float(self.control.h) / refine, steps=self.control.values.shape[0] * refine,
        )  # fmt: skip

    def __str__(self) -> str:
        return (
            f"effort {self.cost:.6g} in {self.duration:g} s, gradient {self.gradient:.1e}, "
            f"miss {self.miss:.1e}, {self.iterations} iterations; {self._sure()}"
        )

    def _sure(self) -> str:
        """How far the starts agree."""
        reached = [x for x in self.efforts if math.isfinite(x)]
        if len(self.efforts) <= 1:
            return "a local minimum, from one start"
        others = [x for x in reached if x > (1.0 + _ALIKE) * self.cost]
        text = f"{self.agree} of {len(self.efforts)} starts led to it"
        if others:
            spread = {f"{min(others):.4g}", f"{max(others):.4g}"}
            text += f", {len(others)} to more ({' to '.join(sorted(spread, key=float))})"
        if len(reached) < len(self.efforts):
            text += f", {len(self.efforts) - len(reached)} to no minimum"
        if self.agree < 2:
            text += ": a better one may exist, give more starts"
        return text


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
    """The control of least effort from rest at `start` to rest at `target`, the best of several.

    Effort is the integral of u R u over the time, in (N m)^2 s for torques; R is 1 unless `weight`
    is given, its diagonal. Entries of the target that are NaN or left out are free. `method` is the
    transcription, by default `Gauss(2)`; `nodes` the values of the control in each step, by default
    as many as the method has stages. `limit` bounds each |u|. `guess` is a `Plan`, whose duration
    is then taken, an `Optimum`, or a function of time. `starts` says from how many first controls
    it is searched: by default 1 with a guess, 2 without. They are the guess or smooth random ones
    (`seed`), and further ones where these lead to no minimum; without limits each of them is tried
    within four times its own size first. The last of several is made from the best so far, with its
    controls limited to half of their largest values. Each leads to a local
    minimum; the best is returned, `efforts` has where each of them led and `agree` how many found
    the same. No finite number of starts proves that it is the least of all. Raises a `UsageError`
    where no control within the bounds is found, or where the conditions of a minimum are not met to
    1e-8; `curvature` tells a minimum from a saddle.
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
    point, goal = wanted_point(system, target)
    bound = _bound(limit, made)
    R = np.ones(made.m) if weight is None else np.asarray(weight, dtype=float).ravel()
    if R.shape != (made.m,) or not np.all(R > 0):
        raise UsageError(f"weight needs {made.m} positive numbers, got {R}")
    scale = np.tile(np.outer(gauss_points(count)[1], R), (steps, 1, 1)).ravel() * made.h
    count = check_count("starts", (2 if guess is None else 1) if starts is None else starts)
    tried = [] if guess is None else [_Start(_sampled(made, guess), False)]
    if guess is None or count > 2:
        tried += [_Start(u, True) for u in _smooth_guesses(made, bound, seed, count)]
    return _Search(made, np.asarray(point), goal, scale, bound, tol).best(tried, count)


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
    """The guess at the times of the unknowns."""
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
    found = np.asarray(values, dtype=float)
    if found.shape != (len(times), made.m) or not np.all(np.isfinite(found)):
        raise UsageError(f"guess(t) must be {made.m} finite numbers, as many as there are controls")
    return found.ravel()


def _smooth_guesses(
    made: Transcription, bound: np.ndarray | None, seed: int, count: int
) -> list[np.ndarray]:
    """Sums of three waves with random factors, of four sizes in turn where no bound gives one."""
    rng = np.random.default_rng(seed)
    c, _ = gauss_points(made.nodes)
    x = (np.arange(made.steps)[:, None] + c).ravel() / made.steps
    found = []
    for k in range(max(count, _POOL)):
        waves = [np.sin(j * np.pi * x)[:, None] * rng.normal(size=made.m) / j for j in (1, 2, 3)]
        size = (1.0 + k % 4) / (made.h * made.steps) if bound is None else 0.3 * float(bound.min())
        found.append(size * np.sum(waves, axis=0).ravel())
    return found


class _Start(NamedTuple):
    """Controls to begin with, and whether they are random."""

    u: np.ndarray
    random: bool


class _Reached(Exception):
    """Ends a search of SciPy's, which goes on to round-off of its own accord."""

    def __init__(self, u: np.ndarray) -> None:
        self.u = u


class _Missed(NamedTuple):
    """Where a search for the target ended that did not arrive."""

    u: np.ndarray
    miss: float
    slope: np.ndarray


class _Search:
    """The best of the minima that several starts lead to."""

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
        self.failed: list[UsageError] = []  # at the target, but Newton's method found no minimum

    def best(self, tried: list[_Start], count: int) -> Optimum:
        """Of `count` starts, the last of which is made from the best of those before it."""
        for i, start in enumerate(tried):
            if i >= max(count - 1, 1) and self.found:
                break
            if start.random and self.bound is None:
                self.follow(self._tame(start.u))
            else:
                self.follow(self.feasible(start.u, self.bound, _RUNS))
        if not self.found:
            raise self.failed[0] if self.failed else self._refusal()
        if count > 1:
            self.follow(self._smaller(min(self.found, key=lambda x: x.cost)))
        efforts = [x.cost for x in self.found]
        efforts += [math.inf] * (len(self.missed) + len(self.failed))
        least = min(self.found, key=lambda x: x.cost)
        return dataclasses.replace(least, efforts=tuple(sorted(efforts)))

    def follow(self, start: np.ndarray | _Missed) -> None:
        """From controls that lead to the target down to a minimum."""
        if isinstance(start, _Missed):
            self.missed.append(start)
            return
        ends = _ends(self.made, self.point, self.goal, self.made.run(start)[-1])
        try:
            newton = _Newton(self.made, ends, self.scale, self.bound, self.tol)
            self.found.append(newton.solve(start))
        except UsageError as error:
            self.failed.append(error)

    def feasible(self, u: np.ndarray, bound: np.ndarray | None, runs: int) -> np.ndarray | _Missed:
        """Controls within the bounds that lead to the target, at whatever effort."""
        from scipy.optimize import least_squares

        made = self.made
        inside = np.inf if bound is None else 0.999 * bound
        u = np.clip(u, -0.99 * inside, 0.99 * inside)
        z = made.run(u)
        ends, last = _ends(made, self.point, self.goal, z[-1]), (u.copy(), z)

        def run(u: np.ndarray) -> np.ndarray:
            """Slopes are asked for where the gap was."""
            nonlocal last
            if not np.array_equal(u, last[0]):
                last = (u.copy(), made.run(u))
            return last[1]

        def gap(u: np.ndarray) -> np.ndarray:
            found = np.nan_to_num(made.gap(run(u), ends), nan=1e6)
            if np.max(np.abs(found)) < _REACHED:
                raise _Reached(u.copy())
            return found

        def slope(u: np.ndarray) -> np.ndarray:
            at = made.slopes(run(u), u, ends)
            return np.nan_to_num(at.C @ made.moved(at)[-1])

        options: dict[str, Any] = {"xtol": 1e-14, "ftol": 1e-14, "gtol": 1e-14, "max_nfev": runs}
        try:
            found = least_squares(gap, u, jac=slope, bounds=(-inside, inside), **options)  # pyright: ignore
        except _Reached as near:
            return near.u
        return _Missed(found.x, float(np.max(np.abs(found.fun))), found.jac)

    def _tame(self, u: np.ndarray) -> np.ndarray | _Missed:
        """Controls that lead to the target and are not much larger than those of a first guess.

        Without limits the search for the target goes through large controls, loops and turns, to a
        poor minimum; one with limits was better. So limits are tried first, then none.
        """
        limit = np.full(len(u), _TAME * np.max(np.abs(u)))
        found = self.feasible(u, limit, _RUNS // 2)
        return self.feasible(found.u, None, _RUNS) if isinstance(found, _Missed) else found

    def _smaller(self, best: Optimum) -> np.ndarray | _Missed:
        """A start with smaller controls than those of a minimum: a poor one has large ones."""
        values = np.asarray(best.control.values)
        largest = np.max(np.abs(values), axis=(0, 1))
        # a control that rests is left some room
        limit = _SMALLER * np.maximum(largest, 1e-3 * max(np.max(largest), 1e-300))
        limit = np.tile(limit, self.made.steps * self.made.nodes)
        u = np.clip(values.ravel(), -limit, limit)
        found = self.feasible(u, limit, _RUNS // 5)
        missed = isinstance(found, _Missed)
        return self.feasible(found.u, self.bound, _RUNS // 5) if missed else found

    def _refusal(self) -> UsageError:
        best = min(self.missed, key=lambda x: x.miss)
        made, bound, moved = self.made, self.bound, np.linalg.svd(best.slope, compute_uv=False)
        within = "" if bound is None else f" within |u| <= {np.unique(bound)}"
        rank = int(np.sum(moved > RANK_TOLERANCE * max(np.max(moved, initial=0.0), 1e-300)))
        return UsageError(
            f"{made.system.name()}: no control{within} was found that leads to rest at the target "
            f"in {made.h * made.steps:g} s, from {len(self.missed)} starts; the nearest misses it "
            f"by {best.miss:.2e}. Give it more time, or "
            + ("wider bounds" if within else "another guess")
            + (
                f"; but there the controls move only {rank} of the {len(moved)} numbers that are "
                "asked for, entries of q and speeds: the target may be out of their reach"
                if rank < len(moved)
                else ""
            )
        )


def _ends(made: Transcription, point: np.ndarray, goal: np.ndarray, last: np.ndarray) -> Ends:
    """What is wanted of the end; v = 0 is asked for along a basis of D at the point near it."""
    q = np.where(goal, point, np.nan_to_num(last[: made.system.dim]))
    G, A = (np.asarray(x) for x in compiled_call(_frame, made.system, q))
    lower = np.linalg.cholesky(G)
    inside = np.linalg.svd(np.linalg.solve(lower, A.T).T)[2][len(A) :] if len(A) else np.eye(len(G))
    return Ends(
        jnp.asarray(point[goal]),
        jnp.asarray(np.eye(len(goal))[goal]),
        jnp.asarray(inside @ lower.T),
    )


def _frame(system, q):
    return metric(system, q), linear_constraint(system, q)


def _kernel(C: np.ndarray) -> np.ndarray:
    """Columns: an orthonormal basis of what C does not see; rows of C may be dependent."""
    _, values, rows = np.linalg.svd(C)
    rank = int(np.sum(values > RANK_TOLERANCE * max(np.max(values, initial=0.0), 1e-300)))
    return rows[rank:].T


class _Newton:
    """Newton's method on the set of controls that lead to the target.

    Each step goes along that set, by the quadratic model there, and then back onto it; the cost
    falls from one to the next.
    """

    def __init__(
        self,
        made: Transcription,
        ends: Ends,
        scale: np.ndarray,
        bound: np.ndarray | None,
        tol: float,
    ) -> None:
        self.made, self.ends, self.scale, self.tol = made, ends, scale, tol
        self.bound = np.full(len(scale), np.inf) if bound is None else bound
        self.free = bound is None

    def cost(self, u: np.ndarray) -> float:
        return float(self.scale @ u**2)

    def value(self, u: np.ndarray, barrier: float) -> float:
        """The cost with the barrier of the bounds."""
        if not barrier:
            return self.cost(u)
        return self.cost(u) - barrier * float(np.sum(np.log(self.bound**2 - u**2)))

    def restored(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Controls near u that lead to the target, and their run; None where this does not work."""
        last = math.inf
        for _ in range(12):
            if np.any(np.abs(u) >= self.bound):
                return None
            z = self.made.run(u)
            gap = self.made.gap(z, self.ends)
            size = float(np.max(np.abs(gap)))
            if size <= 1e-13 or (size <= 1e-10 and size > 0.1 * last):
                return u, z
            if not size < 0.9 * last:
                return None
            last = size
            at = self.made.slopes(z, u, self.ends)
            C = at.C @ self.made.moved(at)[-1]
            u = (
                u
                - (C / self.scale).T @ np.linalg.lstsq((C / self.scale) @ C.T, gap, rcond=1e-13)[0]
            )
        return None

    def solve(self, u: np.ndarray) -> Optimum:
        start = self.restored(u)
        if start is None:
            raise UsageError(
                f"{self.made.system.name()}: the first guess could not be brought to the target; "
                "give another one, or more time"
            )
        u, z = start
        barrier = 0.0 if self.free else 1e-2 * self.cost(u) / len(u)
        low, high = barrier / (self.bound + u), barrier / (self.bound - u)
        turns, radius = 0, math.sqrt(self.cost(u))
        while turns < _TURNS:
            at = self.made.slopes(z, u, self.ends)
            T = self.made.moved(at)
            C = at.C @ T[-1]
            push = 2.0 * self.scale * u - barrier / (self.bound + u) + barrier / (self.bound - u)
            nu = np.linalg.lstsq(C.T, -push, rcond=1e-12)[0]
            if self._residual(u, self._gradient(u, C)) <= self.tol:
                break
            uneven = np.max(np.abs(push + C.T @ nu) / self.scale)
            if barrier and uneven <= 10 * barrier / np.min(self.scale) + self.tol:
                near = self._residual(u, self._gradient(u, C)) <= _NEAR * np.max(np.abs(u))
                held = self._held_at_bounds(u) if near else None
                if held is not None:
                    return self._told(*held[:2], turns + held[2])
                barrier = max(0.1 * barrier, 1e-14 * float(np.min(self.scale)))
                push = (
                    2.0 * self.scale * u - barrier / (self.bound + u) + barrier / (self.bound - u)
                )
            H = np.diag(2.0 * self.scale) + self.made.curvature(z, u, self.ends, at, T, nu)
            H += np.diag(low / (self.bound + u) + high / (self.bound - u))
            step = self._along(H, C, push)
            length = math.sqrt(float(self.scale @ step**2))
            size = min(self._longest(u, step), radius / max(length, 1e-300), 1.0)
            wanted, before = size, self.value(u, barrier)
            done = self.restored(u + size * step)
            while done is None or self.value(done[0], barrier) > before + 1e-13 * abs(before):
                size *= 0.5
                if size < 1e-8:
                    return self._told(u, z, turns)
                done = self.restored(u + size * step)
            if size < wanted:
                radius = size * length
            elif size < 1.0:
                radius *= 2.0
            low, high = self._duals(low, high, u, size * step, barrier)
            u, z = done
            turns += 1
        return self._told(u, z, turns)

    def _held_at_bounds(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, int] | None:
        """The minimum near u, its run, and the iterations of Newton's method to it.

        Controls at their bounds are held there; the others are unknowns. A barrier comes to it
        slowly where a control just touches its bound. None if this does not lead to a minimum,
        whose multipliers of the bounds push inward.
        """
        held = np.abs(u) >= self.bound * (1.0 - _NEAR)
        for turns in range(_HELD_TURNS):
            if np.any(held):
                u = np.where(held, np.copysign(self.bound, u), u)
            z = self.made.run(u)
            if not np.all(np.isfinite(z)):
                return None
            at = self.made.slopes(z, u, self.ends)
            T = self.made.moved(at)
            C, free = at.C @ T[-1], ~held
            nu = np.linalg.lstsq(C.T[free], -2.0 * (self.scale * u)[free], rcond=1e-12)[0]
            gradient = 2.0 * self.scale * u + C.T @ nu
            if np.max(np.abs(at.gap)) <= 1e-12 and self._residual(u, gradient) <= self.tol:
                return u, z, turns
            H = np.diag(2.0 * self.scale) + self.made.curvature(z, u, self.ends, at, T, nu)
            C = C[:, free]
            matrix = np.block([[H[np.ix_(free, free)], C.T], [C, np.zeros((len(C), len(C)))]])
            step = np.linalg.lstsq(matrix, np.append(-gradient[free], -at.gap), rcond=1e-13)[0]
            new = u.copy()
            new[free] += step[: int(np.sum(free))]
            # what would leave its bounds is held there, what is drawn inward is let go
            held = (held & (gradient * np.sign(u) <= 0.0)) | (free & (np.abs(new) > self.bound))
            u = new
        return None

    def _gradient(self, u: np.ndarray, C: np.ndarray) -> np.ndarray:
        """Of the cost with the end held, by multipliers from the controls off their bounds."""
        loose = np.abs(u) < self.bound * (1.0 - 1e-7)
        nu = np.linalg.lstsq(C.T[loose], -2 * (self.scale * u)[loose], rcond=1e-12)[0]
        return 2.0 * self.scale * u + C.T @ nu

    def _residual(self, u: np.ndarray, gradient: np.ndarray) -> float:
        moved = np.clip(u - gradient / (2.0 * self.scale), -self.bound, self.bound)
        return float(np.max(np.abs(u - moved)))

    def _along(self, H: np.ndarray, C: np.ndarray, push: np.ndarray) -> np.ndarray:
        """The step to the minimum of the quadratic model along C step = 0."""
        along = _kernel(C)
        values, vectors = np.linalg.eigh(along.T @ H @ along)
        floor = 1e-3 * float(np.min(2.0 * self.scale))
        values = np.maximum(np.abs(values), floor)  # downhill where the model is not convex
        return -along @ ((vectors / values) @ (vectors.T @ (along.T @ push)))

    def _longest(self, u: np.ndarray, step: np.ndarray) -> float:
        """The part of a step that stays within the bounds, at most 1."""
        if self.free:
            return 1.0
        room = np.where(step > 0, self.bound - u, self.bound + u) / np.maximum(np.abs(step), 1e-300)
        return float(min(1.0, 0.995 * np.min(room)))

    def _duals(
        self, low: np.ndarray, high: np.ndarray, u: np.ndarray, step: np.ndarray, barrier: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Multipliers of the bounds after a step, kept positive and near barrier / distance."""
        new = []
        for z, room, move in ((low, self.bound + u, step), (high, self.bound - u, -step)):
            z = z + (barrier / room - z - z * move / room)
            after = barrier / (room + move)
            new.append(np.clip(z, 1e-10 * after, 1e10 * after))
        return new[0], new[1]

    def _told(self, u: np.ndarray, z: np.ndarray, turns: int) -> Optimum:
        made = self.made
        at = made.slopes(z, u, self.ends)
        T = made.moved(at)
        C = at.C @ T[-1]
        loose = np.abs(u) < self.bound * (1.0 - 1e-7)
        nu = np.linalg.lstsq(C.T[loose], -2 * (self.scale * u)[loose], rcond=1e-12)[0]
        gradient = 2.0 * self.scale * u + C.T @ nu
        H = np.diag(2.0 * self.scale) + made.curvature(z, u, self.ends, at, T, nu)
        H = (H / np.sqrt(np.outer(2 * self.scale, 2 * self.scale)))[np.ix_(loose, loose)]
        along = _kernel((C / np.sqrt(2 * self.scale))[:, loose])
        found = Optimum(
            made.system, made.method, Pieces(jnp.asarray(made.h), jnp.asarray(made.values(u))),
            made.nodes_of(z),
            self.cost(u), self._residual(u, gradient), float(np.max(np.abs(at.gap))),
            float(np.min(np.linalg.eigvalsh(along.T @ H @ along), initial=np.inf)), nu, turns,
        )  # fmt: skip
        if not (found.gradient <= _MINIMUM and found.miss <= _MINIMUM):
            raise UsageError(
                f"{made.system.name()}: no minimum was found, Newton's method ended with {found}. "
                "Give another guess, more steps, or wider bounds"
            )
        return found


__all__ = ["Optimum", "minimum_effort"]
