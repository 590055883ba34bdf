"""Gauss collocation on the constraint: order 2s, symmetric, on every groupoid.

From (q0, v0) on the constraint, with the tableau (a, b, c) of Gauss and h the step:

    w = v0 + G0^-1 mu0^T nu                               half of the projection
    V_i = w + h sum a_ij K_j,    F_i = dtau^-1_{-y_i} V_i   (F = V on R^n)
    z = h/2 sum b_j F_j,         y_i = h sum (a_ij - b_j/2) F_j
    q_c = q0 tau(z),             Q_i = q_c tau(y_i),       q1 = q_c tau(z)
    K_i = acceleration(t + c_i h, Q_i, V_i)
    v1 = w + h sum b_j K_j + G1^-1 mu1^T nu,               phi(t + h, q1, v1) = 0

The chart sits at the middle of the step, y(0) = -z and y(h) = z: with a chart at q0 the method
would not be symmetric on a group. The projection takes the same nu at both ends and keeps order
and symmetry; nu = O(h^(2s+1)). Holonomic functions have such a multiplier of their own, kappa,
that moves q0 and q1 along G^-1 Dg^T, so that g(q1) = 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree

from ..compile import scalarize
from ..dynamics import constraint_matrix, metric, momentum, solved
from ..errors import UsageError
from ..linalg import NO_CONVERGENCE, OK, Newton, solve, solve_in_loop, solve_spd
from ..system import Point, System
from .base import Advance, Method, Row, Traits, code, exact_row
from .chart import is_flat
from .tableaux import gauss, taylor

_SWEEPS = 40  # at most, of the fixed-point iteration
_SLOW = 0.6  # contraction above which Newton's method is cheaper than going on


class GaussState(NamedTuple):
    """A node, and guesses for the step that leaves it, whatever its size."""

    q: Point
    v: jax.Array
    jet: jax.Array  # (stages, n): Taylor coefficients in time of the acceleration
    push: jax.Array  # (m,): nu
    shift: jax.Array  # (k,): kappa


class _Unknowns(NamedTuple):
    """What is iterated."""

    K: jax.Array  # (stages, n): accelerations
    F: jax.Array  # (stages, n): rates of the coordinates; on R^n (0, n), they are V
    push: jax.Array  # nu
    shift: jax.Array  # kappa
    kick: jax.Array  # (n,): G1^-1 mu1^T nu; without constraints (0,)
    slip: jax.Array  # (n,): G1^-1 Dg1^T kappa; without holonomic functions (0,)
    multiplier: jax.Array  # of the equations of motion at the end


class _Place(NamedTuple):
    """Where mechanics is asked for: q_c tau(y) tau(slip), with velocity v at time t."""

    y: jax.Array
    slip: jax.Array
    v: jax.Array
    t: jax.Array


class _End(NamedTuple):
    """What the end of the step says: projections corrected by the defects found there."""

    push: jax.Array
    shift: jax.Array
    kick: jax.Array
    slip: jax.Array
    multiplier: jax.Array


class _Iteration(NamedTuple):
    x: _Unknowns
    before: jax.Array  # change in the sweep before
    change: jax.Array  # change in the last one, as a velocity
    size: jax.Array  # of the velocities
    count: jax.Array


@dataclasses.dataclass(frozen=True)
class Gauss(Method):
    """Gauss collocation in centered coordinates with symmetric projection; order 2 `stages`.

    Runs every kind of system: R^n, groups and reduced spaces; linear, affine, time-dependent,
    holonomic and nonlinear (Chetaev) constraints; forces. Solved by fixed-point iteration from
    an extrapolated start while that contracts well, and by Newton's method where it does not.
    """

    stages: int = 2
    newton: Newton = Newton()

    needs_quadratic = False

    def __post_init__(self) -> None:
        if not isinstance(self.stages, int) or not 1 <= self.stages <= 8:
            raise UsageError(f"Gauss has 1 to 8 stages, got {self.stages!r}")

    @property
    def name(self) -> str:
        return f"gauss-{self.stages}"

    @property
    def traits(self) -> Traits:
        return Traits(
            order=2 * self.stages,
            multiplier_order=2 * self.stages,
            symmetric=True,
            explicit=False,
            keeps="the constraint at the nodes",
            reference="Hairer, Lubich, Wanner 2006, II.1, V.4.1; centered coordinates",
        )

    def start(self, system, t, h, q, v):
        here = solved(system, q, v, t)
        jet = jnp.concatenate([here.acceleration[None], jnp.zeros((self.stages - 1, system.dim))])
        push, shift = jnp.zeros_like(here.multipliers), jnp.zeros_like(system.holonomic(q))
        row = exact_row(t, q, v, momentum(system, q, v), here.multipliers)
        return GaussState(q, v, jet, push, shift), row

    def reverse(self, carry: GaussState, row: Row) -> GaussState:
        signs = (-1.0) ** np.arange(self.stages)
        return GaussState(
            carry.q, -carry.v, signs[:, None] * carry.jet, 0 * carry.push, 0 * carry.shift
        )

    def step(self, system, t, h, carry: GaussState) -> Advance:
        step = _Step(self, system, t, h, carry)
        x, residual, result = step.solve()
        element, v = step.element(x), step.end_velocity(x)
        q = system.groupoid.base.polish(system.groupoid.target(element))
        p = momentum(system, q, v)
        row = Row(t + h, q, v, p, x.multiplier, residual, code(result, v, p, x.multiplier))
        powers = h ** np.arange(self.stages)
        jet = taylor(self.stages) @ lax.stop_gradient(x.K) / powers[:, None]
        state = GaussState(q, v, jet, *map(lax.stop_gradient, (x.push, x.shift)))
        return Advance(state, row, system.groupoid.frame(element))


class _Step:
    """The equations of one step."""

    def __init__(self, method: Gauss, system: System, t, h, carry: GaussState):
        self.method, self.system, self.t, self.h, self.carry = method, system, t, h, carry
        self.A, self.b, self.c = gauss(method.stages)
        self.flat = is_flat(system.groupoid)
        q, v = carry.q, carry.v
        self.raised = jnp.zeros((system.dim, 0))
        if system.is_constrained:
            self.raised = solve_spd(metric(system, q, v), constraint_matrix(system, q, v, t).T)

    def guess(self) -> _Unknowns:
        """From the acceleration's Taylor polynomial at the node."""
        carry, order = self.carry, np.arange(len(self.c))
        K = (self.c[:, None] ** order * self.h**order) @ carry.jet
        F = jnp.zeros((0, self.system.dim)) if self.flat else carry.v + self.h * self.A @ K
        kick = self.raised @ carry.push if carry.push.shape[0] else jnp.zeros(0)
        lam = jnp.zeros_like(carry.push)
        return _Unknowns(K, F, carry.push, carry.shift, kick, self._slip(carry.shift), lam)

    def _slip(self, shift: jax.Array) -> jax.Array:
        k = shift.shape[0]
        return self.raised[:, :k] @ shift if k else jnp.zeros(0)

    def solve(self) -> tuple[_Unknowns, jax.Array, jax.Array]:
        """(unknowns, certificate, result), differentiable by the implicit function theorem."""
        guess = lax.stop_gradient(self.guess())
        if scalarize.active():  # never differentiated, and half as much to trace
            x, (residual, result) = self.iterate(guess)
        else:
            x, (residual, result) = lax.custom_root(
                lambda x: jax.tree.map(jnp.subtract, x, self.sweep(x)),
                guess,
                lambda _, x: self.iterate(x),
                _dense_solve,
                has_aux=True,
            )
        return x, residual, result.astype(jnp.int32)

    # -- the path that the unknowns describe ---------------------------------------------------

    def _to_center(self, x: _Unknowns, z: jax.Array) -> Any:
        """Element from q0 to q_c."""
        groupoid, q = self.system.groupoid, self.carry.q
        if not x.shift.shape[0]:
            return groupoid.curve(q, z)
        first = groupoid.curve(q, self._slip(x.shift))
        return groupoid.mul(first, groupoid.curve(groupoid.target(first), z))

    def _from_center(self, half: Any, y: jax.Array, slip: jax.Array) -> Any:
        """Element from q0 to q_c tau(y) tau(slip)."""
        groupoid = self.system.groupoid
        g = groupoid.mul(half, groupoid.curve(groupoid.target(half), y))
        if not slip.shape[0]:
            return g
        return groupoid.mul(g, groupoid.curve(groupoid.target(g), slip))

    def _path(self, x: _Unknowns) -> tuple[jax.Array, ...]:
        """(V, F, Y, z)."""
        h, half_b = self.h, 0.5 * self.b
        V = self.carry.v + self.raised @ x.push + h * self.A @ x.K
        if self.flat:
            F = V
        else:
            groupoid = self.system.groupoid
            center = groupoid.target(self._to_center(x, h * half_b @ x.F))
            F = jax.vmap(lambda y, v: groupoid.coordinate_velocity(center, y, v))(
                h * (self.A - half_b) @ x.F, V
            )
        return V, F, h * (self.A - half_b) @ F, h * half_b @ F

    def element(self, x: _Unknowns) -> Any:
        """The element of the whole step."""
        _, _, _, z = self._path(x)
        return self._from_center(self._to_center(x, z), z, x.slip)

    def end_velocity(self, x: _Unknowns) -> jax.Array:
        """v1."""
        v = self.carry.v + self.h * self.b @ x.K
        return v + self.raised @ x.push + x.kick if x.push.shape[0] else v

    # -- mechanics along it --------------------------------------------------------------------

    def _places(self, x: _Unknowns) -> tuple[_Place, jax.Array, jax.Array]:
        """The end of the step and then the stages, as rows; z and F of the path."""
        V, F, Y, z = self._path(x)
        none = jnp.zeros((len(self.c), *x.slip.shape))
        places = _Place(
            jnp.concatenate([z[None], Y]),
            jnp.concatenate([x.slip[None], none]),
            jnp.concatenate([self.end_velocity(x)[None], V]),
            self.t + self.h * np.append(1.0, self.c),
        )
        return places, z, F

    def _ask(self, x: _Unknowns, z: jax.Array) -> Callable[[_Place], tuple[jax.Array, _End]]:
        system, k = self.system, x.shift.shape[0]
        half = self._to_center(x, z)

        def ask(place: _Place) -> tuple[jax.Array, _End]:
            """The acceleration, and what matters if the place is the end of the step."""
            q = system.groupoid.target(self._from_center(half, place.y, place.slip))
            here = solved(system, q, place.v, place.t)
            push, shift, kick, slip = x.push, x.shift, x.kick, x.slip
            if push.shape[0]:
                push = push - 0.5 * solve_spd(here.C, here.residual)
                kick = here.raised @ push
            if k:
                shift = shift - 0.5 * solve_spd(here.C[:k, :k], system.holonomic(q))
                slip = here.raised[:, :k] @ shift
            return here.acceleration, _End(push, shift, kick, slip, here.multipliers)

        return ask

    def _next(self, K: jax.Array, F: jax.Array, end: _End) -> _Unknowns:
        F = F[:0] if self.flat else F
        return _Unknowns(K, F, end.push, end.shift, end.kick, end.slip, end.multiplier)

    def sweep(self, x: _Unknowns) -> _Unknowns:
        """The map whose fixed point is the step: first its end, from which nu, then its stages."""
        places, z, F = self._places(x)
        end, K, _ = self._all(self._ask(x, z), places, x)
        return self._next(K, F, end)

    def _all(self, ask, places: _Place, x: _Unknowns, steps: jax.Array | None = None):
        """(answer at the end, accelerations at the stages, those at points beside the stages).

        `steps` are distances in (y, v): with them the last result is (stages, 2n, n). For arrays
        all stages are asked at once; in code that is made of lanes there are loops around one
        copy of the mechanics, which is most of what there is to compile.
        """
        n, s = self.system.dim, self.method.stages

        def after_end(place: _Place, push: jax.Array) -> _Place:
            return place._replace(v=place.v + self.raised @ (push - x.push))

        def beside(place: _Place, d: jax.Array) -> _Place:
            return place._replace(y=place.y + d[:n], v=place.v + d[n:])

        if not scalarize.active():
            _, end = ask(_first(places))
            stages = jax.tree.map(lambda a: a[1:], places)
            stages = jax.vmap(lambda p: after_end(p, end.push))(stages)
            K = jax.vmap(lambda p: ask(p)[0])(stages)
            if steps is None:
                return end, K, None
            each = jax.vmap(lambda p: jax.vmap(lambda d: ask(beside(p, d))[0])(jnp.diag(steps)))
            return end, K, each(stages)

        def one_place(carry):
            i, places, end, K, around = carry
            place = after_end(_first(places), end.push)
            if steps is None:
                k, here = ask(place)
            else:
                k, here, new = self._neighborhood(ask, beside, place, steps, i == 0, (K[0], end))
                around = jnp.concatenate([around[1:], new[None]])
            end = jax.tree.map(lambda old, new: jnp.where(i == 0, new, old), end, here)
            places = jax.tree.map(lambda a: jnp.roll(a, -1, axis=0), places)
            return i + 1, places, end, jnp.concatenate([K[1:], k[None]]), around

        end = _End(x.push, x.shift, x.kick, x.slip, x.multiplier)
        around = jnp.zeros((0 if steps is None else s, 2 * n, n))
        start = (jnp.asarray(0), places, end, jnp.zeros((s, n)), around)
        return lax.while_loop(lambda c: c[0] <= s, one_place, start)[2:]

    def _neighborhood(self, ask, beside, place: _Place, steps, is_end, empty):
        """The answer at a place and, if it is a stage, the accelerations beside it; in a loop."""
        n = self.system.dim

        def one(carry):
            i, mask, (k, end), around = carry
            new_k, new_end = ask(beside(place, mask[1:] * steps))
            k, end = jax.tree.map(
                lambda old, new: jnp.where(i == 0, new, old), (k, end), (new_k, new_end)
            )
            return i + 1, jnp.roll(mask, 1), (k, end), jnp.concatenate([around[1:], new_k[None]])

        mask = jnp.zeros(2 * n + 1).at[0].set(1.0)
        last = jnp.where(is_end, 1, 2 * n + 1)
        start = (jnp.asarray(0), mask, empty, jnp.zeros((2 * n, n)))
        _, _, (k, end), around = lax.while_loop(lambda c: c[0] < last, one, start)
        return k, end, around

    # -- iteration -----------------------------------------------------------------------------

    def _record(self, x: _Unknowns, new: _Unknowns, before, count) -> _Iteration:
        def largest(*arrays):
            return jnp.max(jnp.concatenate([jnp.abs(a).ravel() for a in arrays]))

        h = self.h
        kicks, slips = new.kick - x.kick, (new.slip - x.slip) / h
        change = largest(h * (new.K - x.K), new.F - x.F, kicks, slips)
        return _Iteration(new, before, change, largest(self.carry.v, h * new.K), count)

    def iterate(self, x: _Unknowns):
        """Fixed-point iteration, and Newton's where it contracts badly: (x, certificate)."""
        tol = self.method.newton.residual_tol

        def settled(last: _Iteration):
            # what one more sweep would change, by the contraction seen, is below round-off
            return last.change**2 <= 1e-17 * last.size * last.before

        def sweeps_go_on(last: _Iteration):
            # its parts go in turns, so that one sweep alone does not show how it contracts
            good = (last.change < _SLOW * last.before) | (last.count < 5)
            return (last.count < 2) | (good & ~settled(last) & (last.count < _SWEEPS))

        def sweep(last: _Iteration):
            return self._record(last.x, self.sweep(last.x), last.change, last.count + 1)

        far = jnp.full((), jnp.inf)
        first = _Iteration(x, far, far, jnp.zeros(()), jnp.asarray(0))
        last = lax.while_loop(sweeps_go_on, sweep, first)
        failed = ~(last.change <= 0.01 * tol * last.size)

        def newton_goes_on(last: _Iteration):
            # the changes no longer fall, at the level of round-off
            still = (last.change >= 0.5 * last.before) & (last.change <= 0.01 * tol * last.size)
            on = ~settled(last) & ~still & (last.count < self.method.newton.max_iterations)
            return failed & (on | (last.count < 2))

        def newton(last: _Iteration):
            return self._record(last.x, self._newton(last.x), last.change, last.count + 1)

        def again(new, old):
            return jnp.where(failed, new, old)

        begin = jax.tree.map(again, first, last)
        last = lax.while_loop(newton_goes_on, newton, begin)
        residual = last.change / jnp.where(last.size > 0, last.size, 1.0)
        result = jnp.where(residual <= tol, float(OK), float(NO_CONVERGENCE))
        return last.x, (residual, result)

    def _newton(self, x: _Unknowns) -> _Unknowns:
        """Newton's step for K; the other unknowns as in a sweep.

        The derivative of the right-hand side at each stage is taken by differences: it serves to
        contract, not to be exact, and needs no code but that of the right-hand side itself.
        """
        places, z, F = self._places(x)
        n, s, h = self.system.dim, self.method.stages, self.h
        size = jnp.max(jnp.abs(places.v)) + jnp.max(jnp.abs(h * x.K))
        far = [jnp.max(jnp.abs(a), initial=0.0) for a in jax.tree.leaves(self.carry.q)]
        dv = 1e-7 * size + 1e-300
        dq = jnp.abs(h) * dv + 1e-9 * sum(far)
        steps = jnp.concatenate([jnp.full(n, dq), jnp.full(n, dv)])
        end, K, beside = self._all(self._ask(x, z), places, x, steps)
        assert beside is not None  # asked for by `steps`
        J = (beside - K[:, None, :]) / steps[None, :, None]
        Jq, Jv = J[:, :n], J[:, n:]
        # d Q_i/d K_j = h^2 (A^2)_ij, d V_i/d K_j = h A_ij
        blocks = h * self.A[:, :, None, None] * Jv[:, None]
        blocks = blocks + h**2 * (self.A @ self.A)[:, :, None, None] * Jq[:, None]
        matrix = jnp.eye(s * n) - blocks.transpose(0, 3, 1, 2).reshape(s * n, s * n)
        K = x.K + solve_in_loop(matrix, (K - x.K).ravel()).reshape(s, n)
        return self._next(K, F, end)


def _first(rows: Any) -> Any:
    return jax.tree.map(lambda a: a[0], rows)


def _dense_solve(linear: Callable[[Any], Any], y: Any) -> Any:
    """x with linear(x) = y, for derivatives of a step."""
    flat, group = ravel_pytree(y)

    def matrix(x):
        return ravel_pytree(linear(group(x)))[0]

    return group(solve(jax.jacfwd(matrix)(flat), flat))
