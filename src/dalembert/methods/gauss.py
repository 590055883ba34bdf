"""Gauss collocation on the constraint: order 2s, symmetric, on every groupoid.

From (q0, v0) on the constraint, with the tableau (a, b, c) of Gauss and h the step:

    w = v0 + G0^-1 mu0^T nu                               half of the projection
    V_i = w + h sum a_ij K_j,    F_i = dtau^-1_{-y_i} V_i   (F = V on R^n)
    z = h/2 sum b_j F_j,         y_i = h sum (a_ij - b_j/2) F_j
    q_c = q0 tau(z),             Q_i = q_c tau(y_i),       q1 = q_c tau(z)
    K_i = acceleration(t + c_i h, Q_i, V_i)
    v1 = w + h sum b_j K_j + G1^-1 mu1^T nu,               phi(t + h, q1, v1) = 0

The chart is centered in the middle of the step, y(0) = -z and y(h) = z: with a chart at q0 the
method would not be symmetric on a group. The projection uses the same nu at both ends and preserves
order and symmetry; nu = O(h^(2s+1)). Holonomic functions have a second multiplier of this kind,
kappa, that moves q0 and q1 along G^-1 Dg^T, so that g(q1) = 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile import tracing
from ..compile.rolled import first_then_others, select, with_neighbors
from ..dynamics import (
    constraint_matrix,
    metric,
    momentum,
    projection,
    row_shift,
    solve_reactions,
    solved,
)
from ..errors import UsageError
from ..groupoids import Element
from ..linalg import (
    OK,
    Newton,
    Scalar,
    fixed_point,
    solve_in_loop,
    solve_spd,
)
from ..system import Point, System
from .base import Advance, ConstraintCheck, Method, Row, Traits, code, exact_row, round_off
from .chart import is_flat
from .iteration import Iteration, Judge, last_digits
from .tableaux import Tableau, gauss, taylor

# The sum of forces that a reaction balances may have this many units of the reaction's round-off.
_HELD = 16


class GaussState(NamedTuple):
    """A node, and guesses for the next step that do not depend on its size."""

    q: Point
    v: jax.Array
    jet: jax.Array  # (stages, n): Taylor coefficients in time of the acceleration
    push: jax.Array  # (m,): nu
    shift: jax.Array  # (k,): kappa


class _Unknowns(NamedTuple):
    """The unknowns of the iteration."""

    K: jax.Array  # (stages, n): accelerations
    F: jax.Array  # (stages, n): rates of the coordinates; on R^n (0, n), because they equal V
    push: jax.Array  # nu
    shift: jax.Array  # kappa
    kick: jax.Array  # (n,): G1^-1 mu1^T nu; without constraints (0,)
    slip: jax.Array  # (n,): G1^-1 Dg1^T kappa; without holonomic functions (0,)
    multiplier: jax.Array  # multiplier of the equations of motion at the end of the step


class _Place(NamedTuple):
    """A state at which the mechanics is evaluated: q_c tau(y) tau(slip), velocity v, time t."""

    y: jax.Array
    slip: jax.Array
    v: jax.Array
    t: jax.Array


class _End(NamedTuple):
    """The projections at the end of the step, corrected by the defects found there."""

    push: jax.Array
    shift: jax.Array
    kick: jax.Array
    slip: jax.Array
    multiplier: jax.Array


_GRAIN = 0.02  # largest finite difference for derivatives of friction, relative to the least slip


class _Found(NamedTuple):
    """The mechanics evaluated at a `_Place`."""

    values: jax.Array  # (n + m,): acceleration, and phi
    raised: jax.Array  # G^-1 mu^T
    C: jax.Array
    multiplier: jax.Array
    holonomic: jax.Array  # g(q)


@dataclasses.dataclass(frozen=True)
class Gauss(Method):
    """Gauss collocation in centered coordinates with symmetric projection; order 2 `stages`.

    Runs every kind of system: R^n, groups and reduced spaces; linear, affine, time-dependent,
    holonomic and nonlinear (Chetaev) constraints; forces. A step is solved by fixed-point
    iteration from an extrapolated start, and by Newton's method if that contracts badly. Of
    `newton` only `residual_tol`, the tolerance for convergence, is used.
    """

    stages: int = 2
    newton: Newton = Newton()

    needs_quadratic = False
    takes_time = True

    def __post_init__(self) -> None:
        if not isinstance(self.stages, int) or not 1 <= self.stages <= 8:
            raise UsageError(f"Gauss has 1 to 8 stages, got {self.stages!r}")

    @property
    def name(self) -> str:
        return f"gauss-{self.stages}"

    @property
    def tableau(self) -> Tableau:
        """The coefficients of the collocation."""
        return gauss(self.stages)

    @property
    def traits(self) -> Traits:
        return Traits(
            order=2 * self.stages,
            multiplier_order=2 * self.stages,
            symmetric=True,
            explicit=False,
            keeps="the constraint at the nodes",
            on_constraint=True,
            reference="Hairer, Lubich, Wanner 2006, II.1, V.4.1; centered coordinates",
        )

    def start(self, system, t, h, q, v):
        here = solved(system, q, v, t)
        jet = jnp.concatenate([here.acceleration[None], jnp.zeros((self.stages - 1, system.dim))])
        push, shift = jnp.zeros_like(here.multipliers), jnp.zeros_like(system.holonomic(q))
        row = exact_row(t, q, v, momentum(system, q, v, t), here.multipliers)
        return GaussState(q, v, jet, push, shift), row

    def reverse(self, carry: GaussState, row: Row) -> GaussState:
        signs = jnp.asarray((-1.0) ** np.arange(self.stages))
        return GaussState(
            carry.q, -carry.v, signs[:, None] * carry.jet, 0 * carry.push, 0 * carry.shift
        )

    def hindsight(self, h, carry: GaussState, after: GaussState) -> GaussState:
        # `after.jet` expands the polynomial through the stages K at the end of the step, the guess
        # evaluates a polynomial at its beginning: both are the polynomial through the same K
        c, order = self.tableau.c, np.arange(self.stages)
        shift = np.linalg.inv(c[:, None] ** order) @ np.linalg.inv(taylor(c))
        powers = (h**order)[:, None]
        return carry._replace(
            jet=jnp.asarray(shift) @ (powers * after.jet) / powers,
            push=after.push,
            shift=after.shift,
        )

    def step(self, system, t, h, carry: GaussState) -> Advance:
        return self.counted_step(system, t, h, carry)[0]

    def counted_step(self, system, t, h, carry: GaussState) -> tuple[Advance, Scalar]:
        """Return a step, and the number of evaluations of the equations of motion it took."""
        step = _Step(self, system, t, h, carry)
        x, (residual, result, asked) = step.solve()
        element = step.element(x)
        q = system.groupoid.base.polish(system.groupoid.target(element))
        v, on = projection(system, q, step.end_velocity(x), t + h)
        p = momentum(system, q, v, t + h)
        result = code(result.astype(jnp.int32), v, p, x.multiplier)
        row = Row(t + h, q, v, p, x.multiplier, residual, result)
        powers = h ** np.arange(self.stages)
        jet = jnp.asarray(taylor(self.tableau.c)) @ lax.stop_gradient(x.K) / powers[:, None]
        state = GaussState(q, v, jet, *map(lax.stop_gradient, (x.push, x.shift)))
        frame = system.groupoid.frame(element)
        return Advance(state, row, frame, ConstraintCheck(on, q, v)), asked


class _Step:
    """The equations of one step."""

    def __init__(self, method: Gauss, system: System, t, h, carry: GaussState):
        self.method, self.system, self.t, self.h, self.carry = method, system, t, h, carry
        self.A, self.b, self.c = method.tableau
        self.flat = is_flat(system.groupoid)
        q, v = carry.q, carry.v
        self.raised = jnp.zeros((system.dim, 0))
        if system.is_constrained:
            self.raised = solve_spd(metric(system, q, v, t), constraint_matrix(system, q, v, t).T)

    def guess(self) -> _Unknowns:
        """Return the initial guess, from the Taylor polynomial of the acceleration at the node."""
        carry, order = self.carry, np.arange(len(self.c))
        K = (self.c[:, None] ** order * (self.h**order)[None, :]) @ carry.jet
        F = jnp.zeros((0, self.system.dim)) if self.flat else carry.v[None] + self.h * self.A @ K
        kick = self.raised @ carry.push if carry.push.shape[0] else jnp.zeros(0)
        lam = jnp.zeros_like(carry.push)
        return _Unknowns(K, F, carry.push, carry.shift, kick, self._slip(carry.shift), lam)

    def _slip(self, shift: jax.Array) -> jax.Array:
        k = shift.shape[0]
        return self.raised[:, :k] @ shift if k else jnp.zeros(0)

    def solve(self) -> tuple[_Unknowns, tuple[jax.Array, jax.Array, jax.Array]]:
        """Return (unknowns, certificate), differentiable by the implicit function theorem."""
        return fixed_point(self.sweep, self.guess(), self.iterate)

    # -- the path that the unknowns describe ---------------------------------------------------

    def _to_center(self, x: _Unknowns, z: jax.Array) -> Element:
        """Return the element from q0 to q_c."""
        groupoid, q = self.system.groupoid, self.carry.q
        if not x.shift.shape[0]:
            return groupoid.curve(q, z)
        first = groupoid.curve(q, self._slip(x.shift))
        return groupoid.mul(first, groupoid.curve(groupoid.target(first), z))

    def _from_center(self, half: Element, y: jax.Array, slip: jax.Array) -> Element:
        """Return the element from q0 to q_c tau(y) tau(slip)."""
        groupoid = self.system.groupoid
        g = groupoid.mul(half, groupoid.curve(groupoid.target(half), y))
        if not slip.shape[0]:
            return g
        return groupoid.mul(g, groupoid.curve(groupoid.target(g), slip))

    def _path(self, x: _Unknowns) -> tuple[jax.Array, ...]:
        """Return (V, F, Y, z) of the equations at the top of this file; Y has rows y_i."""
        h, half_b = self.h, 0.5 * self.b
        V = (self.carry.v + self.raised @ x.push)[None] + h * self.A @ x.K
        if self.flat:
            F = V
        else:
            groupoid = self.system.groupoid
            center = groupoid.target(self._to_center(x, h * half_b @ x.F))
            F = jax.vmap(lambda y, v: groupoid.coordinate_velocity(center, y, v))(
                h * (self.A - half_b) @ x.F, V
            )
        return V, F, h * (self.A - half_b) @ F, h * half_b @ F

    def element(self, x: _Unknowns) -> Element:
        """Return the element of the whole step."""
        _, _, _, z = self._path(x)
        return self._from_center(self._to_center(x, z), z, x.slip)

    def end_velocity(self, x: _Unknowns) -> jax.Array:
        """Return v1, the velocity at the end of the step."""
        v = self.carry.v + self.h * self.b @ x.K
        return v + self.raised @ x.push + x.kick if x.push.shape[0] else v

    # -- mechanics along it --------------------------------------------------------------------

    def _places(self, x: _Unknowns) -> tuple[_Place, jax.Array, jax.Array]:
        """Return (places, z, F): rows of `places` are the end of the step, then the stages."""
        V, F, Y, z = self._path(x)
        none = jnp.zeros((len(self.c), *x.slip.shape))
        places = _Place(
            jnp.concatenate([z[None], Y]),
            jnp.concatenate([x.slip[None], none]),
            jnp.concatenate([self.end_velocity(x)[None], V]),
            self.t + self.h * np.append(1.0, self.c),
        )
        return places, z, F

    def _ask(self, x: _Unknowns, z: jax.Array) -> Callable[[_Place], _Found]:
        system, half = self.system, self._to_center(x, z)

        def ask(place: _Place) -> _Found:
            q = system.groupoid.target(self._from_center(half, place.y, place.slip))
            here = solved(system, q, place.v, place.t)
            g = system.holonomic(q) if x.shift.shape[0] else jnp.zeros(0)
            values = jnp.concatenate([here.acceleration, here.residual])
            return _Found(values, here.raised, here.C, here.multipliers, g)

        return ask

    def _projected(self, x: _Unknowns, here: _Found) -> _End:
        push, shift, k = x.push, x.shift, x.shift.shape[0]
        if push.shape[0]:
            push = push - 0.5 * solve_reactions(self.system, here.C, here.values[self.system.dim :])
        if k:
            shift = shift - 0.5 * solve_reactions(self.system, here.C[:k, :k], here.holonomic)
        return self._end(push, shift, here.raised, here.multiplier)

    def _end(self, push, shift, raised, multiplier) -> _End:
        k, none = shift.shape[0], jnp.zeros(0)
        kick = raised @ push if push.shape[0] else none
        return _End(push, shift, kick, raised[:, :k] @ shift if k else none, multiplier)

    def _next(self, K: jax.Array, F: jax.Array, end: _End) -> _Unknowns:
        F = F[:0] if self.flat else F
        return _Unknowns(K, F, end.push, end.shift, end.kick, end.slip, end.multiplier)

    def sweep(self, x: _Unknowns) -> _Unknowns:
        """Apply the map whose fixed point is the step: to the end first, which gives nu, then K."""
        places, z, F = self._places(x)
        ask, n = self._ask(x, z), self.system.dim

        def after_end(place: _Place, end: _End) -> _Found:
            return ask(place._replace(v=place.v + self.raised @ (end.push - x.push)))

        end, K = first_then_others(
            after_end,
            places,
            _End(x.push, x.shift, x.kick, x.slip, x.multiplier),
            lambda found: self._projected(x, found),
            lambda found: found.values[:n],
            n,
        )
        return self._next(K, F, end)

    def _neighborhood(self, ask, places: _Place, steps: jax.Array, digits: jax.Array, probing):
        """Evaluate the mechanics at all places and at neighbors of each, for finite differences.

        Returns (mechanics at the end, values at all places, values at the neighbors with shape
        (s + 1, 2n, n + m)). Neighbor j differs from its place by `steps[j]` in entry j of (y, v).
        If `probing`, each place has only one neighbor, the last, which differs by `digits` in all
        directions at once.
        """
        n, m, k = self.system.dim, self.carry.push.shape[0], self.carry.shift.shape[0]

        def beside(place: _Place, d: jax.Array) -> _Found:
            return ask(place._replace(y=place.y + d[:n], v=place.v + d[n:]))

        empty = _Found(*map(jnp.zeros, (n + m, (n, m), (m, m), m, k)))
        end, values = with_neighbors(
            beside, places, steps, digits, probing, lambda found: found.values, empty
        )
        return end, values[:, 0], values[:, 1:]

    # -- iteration -----------------------------------------------------------------------------

    @property
    def _tol(self) -> float:
        return tracing.within_reach(self.method.newton.residual_tol)

    def _change(self, new: _Unknowns, old: _Unknowns) -> jax.Array:
        """Return the largest difference of two sets of unknowns, as a velocity."""
        # slip changes below the round-off of q do not count: divided by a small h they look large
        slips = jnp.abs(new.slip - old.slip)
        slips = jnp.maximum(slips - round_off(self.system, self.carry.q), 0.0) / self.h
        return _largest(self.h * (new.K - old.K), new.F - old.F, new.kick - old.kick, slips)

    def _size(self, x: _Unknowns) -> jax.Array:
        """Return the size of the velocities, with which changes are compared."""
        # the round-off of large forces that a reaction balances must not count as a change
        held = self.raised @ x.multiplier * (_HELD * tracing.round_off() / self._tol)
        return _largest(self.carry.v, self.h * x.K, self.h * held)

    def iterate(self, x: _Unknowns):
        """Return (x, certificate): by repeated sweeps, or Newton's method if they contract badly.

        If the sweeps have not converged, the first turn of Newton's loop probes whether the
        remaining change is round-off. The certificate is (residual, result, number of evaluations
        of the mechanics).
        """
        if tracing.is_solved():
            return self._polished(x), (jnp.zeros(()), jnp.full((), float(OK)), jnp.zeros(()))
        c = tracing.coarseness()
        judge = Judge(self._tol, product=1e-17 * c, settled=2e-15 * c, turns=2)

        def record(last: Iteration, new: _Unknowns) -> Iteration:
            return judge.record(last, new, self._change(new, last.x), self._size(new))

        def turn(state):
            probing, last = state
            new, noise = self._newton(last.x, probing)
            probed, after = last._replace(noise=noise), record(last, new)._replace(noise=noise)
            after = select(probing, judge.first(x), after)
            return jnp.asarray(False), select(probing & judge.is_good(probed), probed, after)

        first = judge.first(x)
        last = lax.while_loop(judge.goes_on, lambda last: record(last, self.sweep(last.x)), first)
        failed, sweeps = ~judge.is_good(last), last.count
        # if the probe shows that the sweeps did converge, the loop ends: `goes_on` is already false
        _, last = lax.while_loop(
            lambda state: failed & (state[0] | judge.goes_on(state[1])),
            turn,
            (jnp.asarray(True), last),
        )
        newton = jnp.where(failed, last.count, 0) * (2 * self.system.dim + 1)
        asked = (self.method.stages + 1) * (sweeps + newton)
        return last.x, (*judge.certificate(last), asked.astype(float))

    def _polished(self, x: _Unknowns) -> _Unknowns:
        """Return the solution from a guess whose K, nu and kappa are those of the solution.

        On R^n without holonomic constraints, two sweeps give the other unknowns from these.
        Otherwise sweeps converge to them, and continue until round-off stops them (8: to all digits
        of a double at h w = 0.1).
        """
        turns = 2 if self.flat and not x.shift.shape[0] else 8

        def turn(c):
            i, x, last = c
            new = self.sweep(x)
            change = self._change(new, x)
            better = (i < 2) | (change < 0.5 * last)
            return i + 1, select(better, new, x), jnp.where(better, change, -1.0)

        start = (jnp.asarray(0), x, jnp.full((), jnp.inf))
        return lax.while_loop(lambda c: (c[0] < turns) & (c[2] > 0.0), turn, start)[1]

    def _regular(self, rows: jax.Array, C: jax.Array, first: int) -> jax.Array:
        """Make rows of Newton's matrix regular where constraints are off or redundant."""
        shift = row_shift(self.system, C)
        if shift is None:
            return rows
        return rows.at[:, first : first + len(shift)].add(shift)

    def _newton(self, x: _Unknowns, probing) -> tuple[_Unknowns, jax.Array]:
        """Return Newton's step for K, nu and kappa together, and the change of h K by round-off.

        Derivatives of the mechanics are finite differences: they only have to make the iteration
        contract, and need no code other than that of the mechanics itself. If `probing`, only the
        second result is meaningful.
        """
        places, z, F = self._places(x)
        n, s, h = self.system.dim, self.method.stages, self.h
        size = jnp.max(jnp.abs(places.v)) + jnp.max(jnp.abs(h * x.K))
        far = [jnp.max(jnp.abs(a), initial=0.0) for a in jax.tree.leaves(self.carry.q)]
        # At rest, a difference must still stand out from the round-off of forces that cancel: with
        # h^2 stiffness = 1e2 this requires dv >> 1e-14 |q|/h.
        c = tracing.coarseness() ** 0.5  # finite differences lose half of the digits
        dv = 1e-7 * c * size + 1e-11 * c * sum(far) / jnp.abs(h) + 1e-300
        dq = jnp.abs(h) * dv + 1e-9 * c * sum(far)
        if self.system.switches is not None:
            # the direction of friction follows the slip: change v by little compared with the slip
            grain = _GRAIN * self.system.grain(self.t, self.carry.q, self.carry.v)
            dv, dq = jnp.minimum(dv, grain), jnp.minimum(dq, grain / (size + 1e-300))
        steps = jnp.concatenate([jnp.full(n, dq), jnp.full(n, dv)])
        digits = jnp.concatenate(last_digits(self.system.groupoid, self.carry.q, self.carry.v))
        end, values, beside = self._neighborhood(self._ask(x, z), places, steps, digits, probing)
        J = ((beside - values[:, None, :]) / steps[None, :, None]).transpose(0, 2, 1)

        # derivatives of the places and velocities, end first, with respect to (K, nu, kappa)
        A, c = np.vstack([self.b, self.A]), np.append(1.0, self.c)
        m, k = x.push.shape[0], x.shift.shape[0]
        eye, raised = np.eye(n), self.raised
        dK = [(h**2 * np.kron(row @ self.A, eye), h * np.kron(row, eye)) for row in A]
        matrix, rest = [], []
        for i in range(s + 1):
            push = raised + end.raised if i == 0 else raised
            shift = raised[:, :k] + end.raised[:, :k] if i == 0 else raised[:, :k]
            along = [
                jnp.concatenate([dK[i][0], h * c[i] * raised, shift], axis=1),
                jnp.concatenate([dK[i][1], push, jnp.zeros((n, k))], axis=1),
            ]
            rows = J[i, :, :n] @ along[0] + J[i, :, n:] @ along[1]
            # phi = 0 and g = 0 are at the end, where kick and slip follow from nu and kappa
            if i == 0:
                new = self._end(x.push, x.shift, end.raised, end.multiplier)
                turn = new.kick - x.kick if m else jnp.zeros(n)
                matrix.append(-self._regular(rows[n:], end.C, s * n))
                rest.append(values[0, n:] + J[0, n:, n:] @ turn)
                if k:
                    Dg = J[0, n : n + k, n:]
                    matrix.append(-self._regular(Dg @ along[0], end.C[:k, :k], s * n + m))
                    rest.append(end.holonomic + Dg @ (new.slip - x.slip))
            else:
                own = jnp.zeros((n, s * n + m + k)).at[:, (i - 1) * n : i * n].set(eye)
                matrix.append(own - rows[:n])
                rest.append(values[i, :n] - x.K[i - 1])
        d = solve_in_loop(jnp.concatenate(matrix), jnp.concatenate(rest))
        push, shift = x.push + d[s * n : s * n + m], x.shift + d[s * n + m :]
        K = x.K + d[: s * n].reshape(s, n)
        probed = jnp.max(jnp.abs(beside[1:, -1, :n] - values[1:, :n]))
        noise = jnp.where(probing, probed, jnp.max(jnp.abs(J[1:, :n]) @ jnp.abs(digits)))
        return self._next(K, F, self._end(push, shift, end.raised, end.multiplier)), jnp.abs(
            h
        ) * noise


def _largest(*arrays: jax.Array) -> jax.Array:
    return jnp.max(jnp.concatenate([jnp.abs(a).ravel() for a in arrays]))
