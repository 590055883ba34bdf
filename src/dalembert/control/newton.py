"""Newton's method for minimum effort on the set of controls that lead to a target.

Each step minimizes the quadratic model along that set and then returns to the set. The iteration
solves the Karush-Kuhn-Tucker conditions, with exact gradients; bounds are treated by an interior
point method.
"""

from __future__ import annotations

import dataclasses
import math

import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from ..inputs import driven
from ..linalg import RANK_TOLERANCE
from ..methods import Method
from ..results import Trajectory
from ..running import simulate
from ..system import System
from .transcription import Ends, Pieces, Transcription

_ALIKE = 1e-2  # largest relative difference of efforts that count as the same minimum
_TURNS = 80
_NEAR, _HELD_TURNS = 1e-3, 20  # for the active set: distance to a bound, number of iterations
_MINIMUM = 1e-8  # tolerance of gradient and miss


@dataclasses.dataclass(frozen=True)
class Optimum:
    """A control that satisfies the conditions of a local minimum, with its residuals."""

    system: System
    method: Method
    control: Pieces
    states: np.ndarray  # (steps + 1, ...): q, flat, and v at the nodes
    cost: float  # integral of u R u
    gradient: float  # u - clip(u - gradient, within bounds), in the unit of u: zero at a minimum
    miss: float  # largest entry of the error at the end
    curvature: float  # smallest second derivative of the cost with fixed end, over R
    multipliers: np.ndarray  # derivatives of the cost by the target
    iterations: int
    efforts: tuple[float, ...] = ()  # effort from each start, the least first; inf: no minimum
    without_limits: float = math.nan  # least effort found without limits, at most `cost`
    warnings: tuple[str, ...] = ()

    @property
    def duration(self) -> float:
        """Duration of the motion."""
        return float(self.control.h) * self.control.values.shape[0]

    @property
    def agree(self) -> int:
        """Number of starts that led to this effort, within 1 %."""
        return sum(abs(x - self.cost) <= _ALIKE * self.cost for x in self.efforts)

    def simulate(self, method: Method | None = None, *, refine: int = 1) -> Trajectory:
        """Simulate with this control, `refine` steps for each step of the transcription."""
        base = self.system.groupoid.base
        return simulate(
            driven(self.system, self.control), self.method if method is None else method,
            base.unflatten(jnp.asarray(self.states[0, : base.size])),
            jnp.zeros(self.system.dim),
            h=float(self.control.h) / refine, steps=self.control.values.shape[0] * refine,
        )  # fmt: skip

    def __str__(self) -> str:
        return (
            f"effort {self.cost:.6g} in {self.duration:g} s, gradient {self.gradient:.1e}, "
            f"miss {self.miss:.1e}, {self.iterations} iterations; {self._sure()}"
        )

    def _sure(self) -> str:
        """Describe the agreement of the starts."""
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
        if self.without_limits < (1.0 - 1e-6) * self.cost:
            text += f"; {self.without_limits:.6g} without limits"
        return "; ".join([text, *self.warnings])


def _kernel(C: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of the kernel of C, as columns; rows of C may be dependent."""
    _, values, rows = np.linalg.svd(C)
    rank = int(np.sum(values > RANK_TOLERANCE * max(np.max(values, initial=0.0), 1e-300)))
    return rows[rank:].T


class NewtonOnTarget:
    """Newton's method on the set of controls that lead to the target.

    Each step minimizes the quadratic model along that set and then returns to it. The cost
    decreases from step to step.
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
        """Return the cost plus the barrier function of the bounds."""
        if not barrier:
            return self.cost(u)
        return self.cost(u) - barrier * float(np.sum(np.log(self.bound**2 - u**2)))

    def restored(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Return controls near u that lead to the target, and their run; None on failure."""
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
        """Return the minimum near u, the run under it, and the number of Newton's iterations.

        Controls at their bounds are held there; the others are unknowns. This replaces the barrier,
        which converges slowly if a control just touches its bound. Returns None unless it finds a
        minimum at which the multipliers of the bounds push inward.
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
            # hold controls that would leave their bounds; release those pulled inward
            held = (held & (gradient * np.sign(u) <= 0.0)) | (free & (np.abs(new) > self.bound))
            u = new
        return None

    def _gradient(self, u: np.ndarray, C: np.ndarray) -> np.ndarray:
        """Return the gradient of the cost at fixed end; multipliers from the unbounded controls."""
        loose = np.abs(u) < self.bound * (1.0 - 1e-7)
        nu = np.linalg.lstsq(C.T[loose], -2 * (self.scale * u)[loose], rcond=1e-12)[0]
        return 2.0 * self.scale * u + C.T @ nu

    def _residual(self, u: np.ndarray, gradient: np.ndarray) -> float:
        moved = np.clip(u - gradient / (2.0 * self.scale), -self.bound, self.bound)
        return float(np.max(np.abs(u - moved)))

    def _along(self, H: np.ndarray, C: np.ndarray, push: np.ndarray) -> np.ndarray:
        """Return the step to the minimum of the quadratic model along C step = 0."""
        along = _kernel(C)
        values, vectors = np.linalg.eigh(along.T @ H @ along)
        floor = 1e-3 * float(np.min(2.0 * self.scale))
        # so that the step goes downhill where the model is not convex
        values = np.maximum(np.abs(values), floor)
        return -along @ ((vectors / values) @ (vectors.T @ (along.T @ push)))

    def _longest(self, u: np.ndarray, step: np.ndarray) -> float:
        """Return the largest fraction of a step, at most 1, that remains within the bounds."""
        if self.free:
            return 1.0
        room = np.where(step > 0, self.bound - u, self.bound + u) / np.maximum(np.abs(step), 1e-300)
        return float(min(1.0, 0.995 * np.min(room)))

    def _duals(
        self, low: np.ndarray, high: np.ndarray, u: np.ndarray, step: np.ndarray, barrier: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return bound multipliers after a step, clipped to be near barrier / distance."""
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
        result = Optimum(
            made.system, made.method, Pieces(jnp.asarray(made.h), jnp.asarray(made.values(u))),
            made.nodes_of(z),
            self.cost(u), self._residual(u, gradient), float(np.max(np.abs(at.gap))),
            float(np.min(np.linalg.eigvalsh(along.T @ H @ along), initial=np.inf)), nu, turns,
        )  # fmt: skip
        if not (result.gradient <= _MINIMUM and result.miss <= _MINIMUM):
            raise UsageError(
                f"{made.system.name()}: no minimum was found, Newton's method ended with {result}. "
                "Give another guess, more steps, or wider bounds"
            )
        return result


__all__ = ["NewtonOnTarget", "Optimum"]
