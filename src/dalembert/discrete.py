"""Exact discrete mechanics: pairs of points joined by a motion in time h, and its action.

    C_d^e = {(q0, tau psi^h(v0)): v0 in D},    L_d^e(q0, q1) = integral of L over 0..h   (7.4) [MP]

psi is the flow of the constrained motion, tau the projection to configurations. This module
computes to round-off what discrete methods approximate, so that the errors of L_d and of C_d can be
measured separately. Instead of pairs it also takes elements of any groupoid.

The flow is computed by collocation at 8 Gauss nodes per panel, solved by Picard iteration. Its
derivatives with respect to the initial state, by automatic differentiation, solve the linearized
equations: the Jacobi equation (7.2) [MP] with its erratum corrected (docs/errata.md). Panels are
halved until the motion does not change.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import groupoids
from .doors import guard as _guard
from .dynamics import (
    acceleration,
    consistent_velocity,
    constraint_matrix,
    momentum,
    reaction_force,
)
from .errors import UsageError
from .groupoids import Element
from .linalg import Real
from .methods import DLA
from .methods.reversible import rate_of_motion
from .methods.rules import (
    Rule,
    discrete_constraint,
    discrete_lagrangian,
    element_between,
)
from .methods.tableaux import gauss
from .system import Point, System, compiled_call

_NODES = 8  # collocation nodes per panel: order 16
_SWEEPS = 20  # Picard iterations; each leaves at most 0.2 of the error, because panels are short
_PANEL = 0.4  # initial panel length, in units of the time scale of the motion
_SAME = 1e-12  # panels are short enough if halving them changes the end by less than this fraction
_MOST = 4096  # largest number of panels
_MEMBER = 1e-9  # distance, relative to h (1 + |v|), up to which a pair counts as in C_d^e
_SAMPLES = 128  # times at which conjugate points are searched
_SINGULAR = 1e-9  # singular values of U(t)/t below this fraction of the largest are zero


class _Path(NamedTuple):
    """End of a motion and integrals along it; `way` is the groupoid element from start to end."""

    way: Element
    v: jax.Array
    action: jax.Array
    work: jax.Array  # equals zero; its derivative in the initial data is the work of the reaction


def _advance(system: System, t, h, path: _Path) -> _Path:
    """Advance by one panel of length h from time t, by collocation."""
    groupoid, n = system.groupoid, system.dim
    A, b, c = (jnp.asarray(x) for x in gauss(_NODES))
    start = groupoid.target(path.way)

    def rate(time, y, v):
        q = groupoids.move(groupoid, start, y)
        return groupoid.coordinate_velocity(start, y, v), acceleration(system, q, v, time)

    times = t + h * c

    def stages(Y, W):
        return jax.vmap(rate)(times, Y, W)

    def sweep(_, F):
        return stages(h * A @ F[0], path.v[None] + h * A @ F[1])

    first = (jnp.tile(path.v, (_NODES, 1)), jnp.zeros((_NODES, n)))
    F = lax.fori_loop(0, _SWEEPS, sweep, first)
    Y, W = h * A @ F[0], path.v[None] + h * A @ F[1]

    def integrands(time, y, v):
        way = groupoid.mul(path.way, groupoid.curve(start, y))
        q = groupoid.target(way)
        still = lax.stop_gradient((way, q, v, time))
        force = reaction_force(system, still[1], still[2], still[3])
        if not system.is_constrained:
            force = jnp.zeros(n)
        away = groupoid.coordinates(groupoid.mul(groupoid.inv(still[0]), way))
        return system.lagrangian_at(time, q, v), force @ away

    L, work = jax.vmap(integrands)(times, Y, W)
    way = groupoid.mul(path.way, groupoid.curve(start, h * b @ F[0]))
    v = path.v + h * b @ F[1]
    return _Path(way, v, path.action + h * b @ L, path.work + h * b @ work)


def _motion(system: System, t, h, panels, q: Point, v: jax.Array) -> _Path:
    """Compute the motion from (q, v) at time t over h, which may be negative."""
    zero = jnp.zeros(())
    first = _Path(system.groupoid.unit(q), v, zero, zero)
    size = h / panels

    def once(carry):
        i, path = carry
        return i + 1, _advance(system, t + i * size, size, path)

    count = jnp.asarray(panels)
    return lax.while_loop(lambda x: x[0] < count, once, (jnp.zeros_like(count), first))[1]


def _end(system: System, t, h, panels, q, v):
    path = _motion(system, t, h, panels, q, v)
    return path.way, path.v, path.action


def _varied(system: System, t, h, panels, q, v, basis, wanted):
    """Return end, action and work of the motion from (q, v + basis c), with derivatives in c at 0.

    Ends are given in coordinates relative to the element `wanted`.
    """
    groupoid = system.groupoid

    def ends(c):
        path = _motion(system, t, h, panels, q, v + basis @ c)
        away = groupoid.coordinates(groupoid.mul(groupoid.inv(wanted), path.way))
        return (away, path.action, path.work, path.v), (path.way, away, path.v, path.action)

    return jax.jacfwd(ends, has_aux=True)(jnp.zeros(basis.shape[1]))


def _fields(system: System, t, h, panels, q, v, basis):
    """Return the Jacobi fields at time t + h that vanish at t, and their rates: (n, k) each."""
    groupoid = system.groupoid
    still = lax.stop_gradient(_motion(system, t, h, panels, q, v).way)

    def field(h):
        def away(c):
            way = _motion(system, t, h, panels, q, v + basis @ c).way
            return groupoid.coordinates(groupoid.mul(groupoid.inv(still), way))

        return jax.jacfwd(away)(jnp.zeros(basis.shape[1]))

    return field(h), jax.jacfwd(field)(h)


def _marched(system: System, t, h, panels, q, v, basis):
    """Return the Jacobi fields at `_SAMPLES` equal times up to t + h."""
    groupoid, size = system.groupoid, h / _SAMPLES
    zero = jnp.zeros(())

    def marched(c):
        def one(path, i):
            start = t + i * size

            def panel(j, path):
                return _advance(system, start + j * size / panels, size / panels, path)

            path = lax.fori_loop(0, panels, panel, path)
            still = lax.stop_gradient(path.way)
            return path, groupoid.coordinates(groupoid.mul(groupoid.inv(still), path.way))

        first = _Path(groupoid.unit(q), v + basis @ c, zero, zero)
        return lax.scan(one, first, jnp.arange(_SAMPLES, dtype=float))[1]

    return jax.jacfwd(marched)(jnp.zeros(basis.shape[1]))


class Motion(NamedTuple):
    """The motion that joins two points in time h."""

    v0: np.ndarray
    v1: np.ndarray
    action: float  # L_d^e
    miss: float  # distance of the end of the motion from q1, in coordinates of the element


class ExactMomenta(NamedTuple):
    """The discrete Legendre transforms of a pair of C_d^e, (7.18), (7.19) [MP].

    `plus` and `minus` are covectors on the columns of `tangent_plus`, the variations of q1 that
    motions from q0 allow, (7.7), and of `tangent_minus`, the variations of q0, (7.8): D2 L + F+ and
    -D1 L - F-, with the work F of the reaction (7.10), (7.11). On these directions they are the
    momenta p1 and p0 of the motion (Corollary 6 [MP]).
    """

    minus: np.ndarray
    plus: np.ndarray
    p0: np.ndarray
    p1: np.ndarray
    tangent_minus: np.ndarray  # (n, k)
    tangent_plus: np.ndarray
    work_minus: np.ndarray  # F-
    work_plus: np.ndarray  # F+


class Diagonal(NamedTuple):
    """C_d^e at (q0, q0), with the quantities in Proposition 11 [MP]."""

    v0: np.ndarray  # velocity of the motion that returns to q0 after h; 0 without a potential
    tangent: np.ndarray  # directions w with (0, w) tangent to C_d^e, (n, k)
    gap: float  # largest sine of an angle between `tangent` and D: 0 for V = 0, else O(h^2)


class Meeting(NamedTuple):
    """Variations of q1 between q0 and q2: Proposition 12 [MP]."""

    dimension: int  # dimension of V, the intersection of V_q0 and V_q2
    least: int  # max(0, 2 k - n), the dimension in general position
    # singular values of the bases of V_q0 and V_q2, side by side in one matrix
    singular_values: np.ndarray


class DiscreteErrors(NamedTuple):
    """Errors of a discrete Lagrangian and a discrete constraint on a pair of C_d^e."""

    lagrangian: float  # |L_d - L_d^e| / h
    constraint: float  # largest entry of C_d on the pair, a velocity


@dataclasses.dataclass(frozen=True)
class ExactDiscrete:
    """Exact discrete mechanics of a system with steps of length h; made by `exact_discrete`.

    Pairs are given as (q0, q1), or as one element of `system.groupoid`.
    """

    system: System
    h: float
    t: float = 0.0

    def pair(self, q0: Point, v0: Any) -> Element:
        """Return the pair (q0, q1) of C_d^e for the motion from (q0, v0) (Definition 8 [MP])."""
        q0, v0 = _start(self.system, q0, v0, self.t)
        return self._end(self.h, q0, v0)[0]

    def flow(self, q0: Point, v0: Any) -> tuple[Point, np.ndarray]:
        """Return (q1, v1), the state after time h."""
        q0, v0 = _start(self.system, q0, v0, self.t)
        way, v, _ = self._end(self.h, q0, v0)
        return self.system.groupoid.target(way), np.asarray(v)

    def motion(self, q0: Any, q1: Any = None, *, guess: Any = None) -> Motion:
        """Solve the boundary value problem for the motion with both ends given, by Newton's method.

        There are k unknowns, the velocities allowed at q0, and n equations, so only pairs in C_d^e
        have a solution. `guess` is an initial guess of the velocity. Raises a `UsageError` with the
        distance if the pair is off C_d^e by more than 1e-9 of the step, or if the ends are
        conjugate, so that they do not determine the velocity.
        """
        result = self._shot(q0, q1, guess)
        size = _size(result.v0, self.h)
        if result.miss > _MEMBER * size:
            raise UsageError(
                f"{self.system.name()}: no motion joins these points in time {self.h:g}: the "
                f"nearest one found from here ends {result.miss:.2e} away, of {size:.2e}. Take a "
                "pair from `pair(q0, v0)`, or give a `guess` of the velocity"
            )
        return result

    def defect(self, q0: Any, q1: Any = None) -> float:
        """Return the distance of the pair from C_d^e: from q1 to the nearest end of a motion."""
        return self._shot(q0, q1, None).miss

    def contains(self, q0: Any, q1: Any = None) -> bool:
        """Return whether the pair is in C_d^e, up to 1e-9 of the step."""
        result = self._shot(q0, q1, None)
        return result.miss <= _MEMBER * _size(result.v0, self.h)

    def lagrangian(self, q0: Any, q1: Any = None) -> float:
        """Return L_d^e of a pair, the action of its motion (7.4) [MP]."""
        return self.motion(q0, q1).action

    def legendre(self, q0: Any, q1: Any = None) -> ExactMomenta:
        """Return the discrete Legendre transforms F+ and F- of a pair (7.18), (7.19) [MP].

        The result includes the spaces on which they are covectors.
        """
        system, g = self.system, element_between(self.system, q0, q1)
        result = self.motion(g)
        start, end = system.groupoid.source(g), system.groupoid.target(g)
        forward = self._vary(self.h, start, result.v0, g)
        back = self._vary(-self.h, end, result.v1, system.groupoid.inv(g))
        J1, slope1, work1 = (np.asarray(x) for x in forward[0][:3])
        # backwards in time, over -h, the integrals of action and work change sign
        J0, slope0, work0 = (np.asarray(x) for x in back[0][:3])
        return ExactMomenta(
            minus=slope0 + work0,
            plus=slope1 + work1,
            p0=np.asarray(momentum(system, start, jnp.asarray(result.v0), self.t)),
            p1=np.asarray(momentum(system, end, jnp.asarray(result.v1), self.t + self.h)),
            tangent_minus=J0,
            tangent_plus=J1,
            work_minus=-work0,
            work_plus=work1,
        )

    def diagonal(self, q0: Point) -> Diagonal:
        """Compute C_d^e at (q0, q0) for reversible systems: Proposition 11 [MP].

        (i) (q0, q0) is in C_d^e: by reversibility, a motion that comes to rest after h/2 returns
        the same way. (ii), (iii) (0, D) is tangent to C_d^e only if motions scale in time, that is
        without a potential. With a potential the tangent differs from D by O(h^2)
        (docs/errata.md).
        """
        system = self.system
        q0 = system.groupoid.base.check(q0, "q0")
        unit = system.groupoid.unit(q0)
        result = self.motion(unit, guess=np.zeros(system.dim))
        tangent = np.asarray(self._vary(self.h, q0, result.v0, unit)[0][0])
        first, second = np.linalg.qr(tangent)[0], _basis(system, q0, self.t)
        off = first - second @ (second.T @ first)
        return Diagonal(result.v0, tangent, float(np.linalg.norm(off, 2)))

    def meeting(self, q0: Point, q1: Point, q2: Point) -> Meeting:
        """Compute dim V of the variations of q1 allowed by motions from q0 and to q2 (7.9) [MP]."""
        plus = self.legendre(q0, q1).tangent_plus
        minus = self.legendre(q1, q2).tangent_minus
        n, k = plus.shape
        joint = np.hstack([np.linalg.qr(x)[0] for x in (plus, minus)])
        values = np.linalg.svd(joint, compute_uv=False)
        rank = int(np.sum(values > 1e-6))
        return Meeting(2 * k - rank, max(0, 2 * k - n), values)

    def conjugate_points(self, q0: Point, v0: Any, until: Real | None = None) -> ConjugatePoints:
        """Find the conjugate points of the motion from (q0, v0), by default within one step."""
        return conjugate_points(self.system, q0, v0, self.h if until is None else until, t=self.t)

    def errors(self, method: Rule | DLA, q0: Point, v0: Any) -> DiscreteErrors:
        """Return the errors of L_d and C_d of a rule or DLA on the exact pair that (q0, v0) begins.

        For a rule of order p they are O(h^p). The error of L_d is per unit of time.
        """
        rule, other = _rules(method)
        q0, v0 = _start(self.system, q0, v0, self.t)
        g, _, action = self._end(self.h, q0, v0)
        t, h = jnp.asarray(self.t), jnp.asarray(self.h)
        missed = float(discrete_lagrangian(rule, self.system, t, h, g)) - float(action)
        rows = np.asarray(discrete_constraint(other, self.system, t, h, g))
        return DiscreteErrors(abs(missed) / self.h, float(np.max(np.abs(rows), initial=0.0)))

    # -- internals ---------------------------------------------------------------------------

    def _panels(self, h: float, q: Point, v: jax.Array) -> int:
        return _enough(self.system, self.t if h > 0 else self.t + self.h, h, q, v)

    def _end(self, h: float, q: Point, v: jax.Array):
        time = self.t if h > 0 else self.t + self.h
        panels = np.asarray(self._panels(h, q, v))
        return compiled_call(_end, self.system, *map(jnp.asarray, (time, h, panels)), q, v)

    def _vary(self, h: float, q: Point, v: Any, wanted: Element):
        time, v = (self.t if h > 0 else self.t + self.h), jnp.asarray(v)
        basis = jnp.asarray(_basis(self.system, q, time))
        panels = np.asarray(self._panels(h, q, v))
        numbers = map(jnp.asarray, (time, h, panels))
        wanted = jax.tree.map(jnp.asarray, wanted)
        return compiled_call(_varied, self.system, *numbers, q, v, basis, wanted)

    def _shot(self, q0: Any, q1: Any, guess: Any) -> Motion:
        """Return the motion from q0 that ends nearest to q1, by Gauss-Newton."""
        system, g = self.system, element_between(self.system, q0, q1)
        g = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), g)
        start = system.groupoid.source(g)
        if guess is None:
            guess = system.groupoid.coordinates(g) / self.h
        v = consistent_velocity(system, start, jnp.asarray(guess, dtype=float), self.t)
        basis = _basis(system, start, self.t)
        best, last = np.inf, None
        for _ in range(30):
            (J, *_), (_, away, v1, action) = self._vary(self.h, start, v, g)
            J, away = np.asarray(J), np.asarray(away)
            if not (np.all(np.isfinite(away)) and np.all(np.isfinite(J))):
                break
            miss = float(np.linalg.norm(away))
            if miss < best:
                best, last = miss, Motion(np.asarray(v), np.asarray(v1), float(action), miss)
            values = np.linalg.svd(J, compute_uv=False)
            if not values[-1] > _SINGULAR * max(values[0], 1e-300):
                raise UsageError(
                    f"{system.name()}: the ends of this motion of time {self.h:g} are conjugate, "
                    f"or nearly so (smallest singular value {values[-1]:.1e}): the velocity is not "
                    "determined; take another h"
                )
            change = np.linalg.lstsq(J, -away, rcond=None)[0]
            v = v + jnp.asarray(basis @ change)
            if np.linalg.norm(basis @ change) <= 1e-14 * (1e-300 + np.linalg.norm(v)):
                break
        if last is None:
            raise UsageError(
                f"{system.name()}: the motion from the guess of the velocity is not finite; give "
                "a `guess`, or a shorter h"
            )
        return last


def exact_discrete(system: System, h: Real, *, t: Real = 0.0) -> ExactDiscrete:
    """Return the exact discrete mechanics of a system: C_d^e, L_d^e, F+ and F-.

    `h` is the length of a step, `t` the time at its start (for time-dependent systems).

        exact = da.exact_discrete(da.systems.ContactOscillator(), 0.5)
        q0, q1 = exact.pair(*exact.system.initial())
        exact.lagrangian(q0, q1), exact.motion(q0, q1).v0

    Section 7 [MP]. Raises a `UsageError` for nonlinear and holonomic constraints, and for h <= 0.
    """
    if not isinstance(system, System):
        raise UsageError(f"exact_discrete needs a system, got {system!r}")
    if system.is_nonlinear or system.has_holonomic or system.switches is not None:
        raise UsageError(
            f"exact_discrete needs constraints A v = b on velocities; {system.name()} has others "
            "(nonlinear, holonomic, or switched)"
        )
    if not (np.isfinite(float(h)) and float(h) > 0):
        raise UsageError(f"h must be positive, got {h!r}")
    return ExactDiscrete(system, float(h), float(t))


class ConjugatePoints(NamedTuple):
    """Conjugate points: times at which Jacobi fields with U(0) = 0, U'(0) in D vanish again."""

    times: np.ndarray  # conjugate times, after the start
    multiplicity: np.ndarray  # number of independent fields that vanish at each time
    fields: tuple[np.ndarray, ...]  # U'(0) of these fields, as columns (n, multiplicity)
    nearest: float  # smallest singular value of U(t)/t at other times, over the largest


def conjugate_points(
    system: System, q0: Point, v0: Any, until: Real, *, t: Real = 0.0
) -> ConjugatePoints:
    """Find the times up to `until` at which the motion from (q0, v0) is conjugate to its start.

    A time is conjugate if v -> tau psi^t(v), on the velocities that the constraint allows at q0, is
    not injective to first order ((7.1) [MP]): a solution U of the linearized equations of motion
    with U(0) = 0, U'(0) in D vanishes there. These equations are (7.2) [MP] corrected:

        d/dt (L_vv U' + L_qv U) - L_vq U' - L_qq U
            = (dlam/dq U + dlam/dv U') A + lam (dA/dq) U

    Candidates are found at 128 samples and refined by Newton's method for (time, U'(0)). The n
    equations U(t) = 0 have n - m < n unknowns, so a zero is not generic; `nearest` reports the
    smallest singular value of U(t)/t at other times. If the constraint is integrable, the result
    is for motions in one leaf.
    """
    exact = exact_discrete(system, until, t=t)
    q0, v = _start(system, q0, v0, exact.t)
    basis = _basis(system, q0, exact.t)
    panels = _enough(system, exact.t, exact.h, q0, v)
    each = max(1, -(-panels // _SAMPLES))
    given = [jnp.asarray(x) for x in (exact.t, exact.h, each)]
    fields = np.asarray(compiled_call(_marched, system, *given, q0, v, jnp.asarray(basis)))
    times = exact.h * (1.0 + np.arange(_SAMPLES)) / _SAMPLES
    chosen = np.linalg.svd(fields / times[:, None, None], compute_uv=False)
    share = chosen[:, -1] / chosen[:, 0].max()
    low = [
        i for i in range(_SAMPLES)
        if share[i] <= share[max(i - 1, 0)] and (i + 1 == _SAMPLES or share[i] <= share[i + 1])
    ]  # fmt: skip
    result: list[tuple[float, int, np.ndarray]] = []
    seen = [float(share[i]) for i in low]
    spacing = exact.h / _SAMPLES
    for i in low:
        time, U = _refined(exact, q0, v, basis, times[i], spacing)
        if time is None or not 0.25 * spacing < time <= exact.h * (1.0 + 1e-12):
            continue
        _, sizes, rows = np.linalg.svd(U / time)
        many = int(np.sum(sizes <= _SINGULAR * chosen[:, 0].max()))
        if many == 0 or any(abs(time - known[0]) < 1e-6 * exact.h for known in result):
            continue
        result.append((time, many, basis @ rows[len(sizes) - many :].T))
        seen = [x for x, j in zip(seen, low, strict=False) if j != i]
    result.sort(key=lambda x: x[0])
    return ConjugatePoints(
        np.array([x[0] for x in result]),
        np.array([x[1] for x in result], dtype=int),
        tuple(x[2] for x in result),
        min(seen, default=float(np.min(share))),
    )


def _refined(exact: ExactDiscrete, q0, v, basis, time: float, spacing: float):
    """Solve U(t) w = 0, |w| = 1, by Newton's method from a sample; return (time or None, U)."""
    system, first, U, w = exact.system, time, np.eye(1), None
    for _ in range(30):
        panels = np.asarray(_enough(system, exact.t, time, q0, v))
        given = [jnp.asarray(x) for x in (exact.t, time, panels)]
        U, rate = map(np.asarray, compiled_call(_fields, system, *given, q0, v, jnp.asarray(basis)))
        rows = np.linalg.svd(U)[2]
        w = rows[-1] if w is None else w / np.linalg.norm(w)
        # unknowns: the change of time, and the change of w orthogonal to w
        across = np.linalg.svd(w[None])[2][1:].T
        J = np.column_stack([rate @ w, U @ across])
        change = np.linalg.lstsq(J, -(U @ w), rcond=None)[0]
        w = w + across @ change[1:]
        time = time + float(change[0])
        if not (abs(time - first) <= 2.0 * spacing and time > 0.0):
            return None, U
        if abs(change[0]) <= 1e-14 * first:
            break
    return time, U


def discrete_errors(
    system: System,
    method: Rule | DLA,
    q0: Point = None,
    v0: Any = None,
    *,
    hs: Sequence[float] = (0.1, 0.05, 0.025),
) -> list[tuple[float, DiscreteErrors]]:
    """Return (h, errors of L_d and C_d) of a rule or DLA against exact discrete mechanics."""
    if q0 is None:
        q0, v0 = system.initial()
    return [(h, exact_discrete(system, h).errors(method, q0, v0)) for h in hs]


# -- helpers --------------------------------------------------------------------------------------


def _rules(method: object) -> tuple[Rule, Rule]:
    if isinstance(method, Rule):
        return method, method
    if isinstance(method, DLA):
        other = method.constraint_rule
        return method.rule, method.rule if other is None else other
    raise UsageError(f"a rule such as Midpoint(), or DLA(...), is needed; got {method!r}")


def _start(system: System, q0: Point, v0: Any, t: float) -> tuple[Point, jax.Array]:
    """Check initial data and return them with the velocity projected onto the constraint."""
    q0 = system.groupoid.base.check(q0, "q0")
    v0 = jnp.asarray(v0, dtype=float)
    if v0.shape != (system.dim,):
        raise UsageError(f"v0 must have shape ({system.dim},), got {v0.shape}")
    near = consistent_velocity(system, q0, v0, t)
    off = float(jnp.max(jnp.abs(near - v0), initial=0.0))
    if not off <= 1e-9 * (1.0 + float(jnp.max(jnp.abs(v0), initial=0.0))):
        raise UsageError(
            f"v0 is not on the constraint of {system.name()}: the nearest velocity there is "
            f"{off:.2e} away; take dynamics.consistent_velocity(system, q0, v0)"
        )
    return q0, near


def _basis(system: System, q: Point, t: float) -> np.ndarray:
    """Return an orthonormal basis of the velocities with A(q) v = 0, in columns."""
    rows = np.asarray(constraint_matrix(system, q, jnp.zeros(system.dim), t))
    return np.linalg.svd(rows)[2][rows.shape[0] :].T if rows.size else np.eye(system.dim)


def _size(v0: np.ndarray, h: float) -> float:
    return h * (1.0 + float(np.linalg.norm(v0)))


def _enough(system: System, t: float, h: float, q: Point, v: jax.Array) -> int:
    """Return a number of panels at which the motion has converged, found by doubling it."""
    numbers = (jnp.asarray(t), jnp.asarray(1.0 / (1e3 * abs(h))))
    rate = float(compiled_call(_pace, system, numbers[0], q, v, numbers[1]))
    panels = max(1, int(np.ceil(min(abs(h) * rate / _PANEL, _MOST / 4))))
    before = None
    while panels <= _MOST:
        given = [jnp.asarray(x) for x in (t, h, np.asarray(panels))]
        way, v1, _ = compiled_call(_end, system, *given, q, v)
        end = np.concatenate([np.ravel(x) for x in jax.tree.leaves((way, v1))])
        if before is not None and np.all(np.isfinite(end)):
            if np.max(np.abs(end - before)) <= _SAME * (1.0 + np.max(np.abs(end))):
                return panels
        before, panels = end, 2 * panels
    raise UsageError(
        f"{system.name()}: the motion over {h:g} s was not resolved by {_MOST} panels: it is not "
        "smooth, or ends in a singularity; take a shorter h"
    )


def _pace(system: System, t, q, v, floor):
    return rate_of_motion(system, t, q, v, floor)


__all__ = [
    "ConjugatePoints",
    "Diagonal",
    "DiscreteErrors",
    "ExactDiscrete",
    "ExactMomenta",
    "Meeting",
    "Motion",
    "conjugate_points",
    "discrete_errors",
    "exact_discrete",
]

_guard(globals())
