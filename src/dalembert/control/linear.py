"""Equilibria, linearization on the constraint, and feedback by a quadratic cost.

States on the constraint have the coordinates x = (w, y): q = curve(q0, w), and y are the
components of v in an orthonormal basis of the distribution at q0,

    v = X(q) y + b-part,    y = D0^T G0 v,

with the frame X of `geometry.local_frame`. The matrices are exact derivatives of x' = f(x, u).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import acceleration, consistent_velocity, linear_constraint, linear_offset, metric
from ..errors import UsageError
from ..geometry.distribution import adapted_basis
from ..groupoids import Pair
from ..groups import Euclidean
from ..inputs import driven
from ..linalg import solve
from ..names import find
from ..system import Point, System, compiled_call
from .hypotheses import TIMES

_STEADY = 1e-8


@dataclasses.dataclass(frozen=True)
class Linearization:
    """x' = f + A x + B u near a state of the constraint, x = (w, y) as the module says."""

    system: System
    q: Point
    v: np.ndarray
    u: np.ndarray
    A: np.ndarray
    B: np.ndarray
    rate: np.ndarray  # f at the state: zero at an equilibrium
    basis: np.ndarray  # D0, columns
    names: tuple[str, ...]
    equilibrium: bool  # nothing moves
    steady: bool  # y' = 0, and A is the same further along the motion: a relative equilibrium

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of A, by falling real part."""
        values = np.linalg.eigvals(self.A)
        return values[np.lexsort((values.imag, -values.real))]

    @property
    def controllable(self) -> np.ndarray:
        """Orthonormal columns that span what u reaches: the range of [B, A B, A^2 B, ...]."""
        found = np.zeros((len(self.A), 0))
        new = self.B
        for _ in range(len(self.A)):
            new = new - found @ (found.T @ new)
            new = new - found @ (found.T @ new)
            if not new.size:
                break
            u, s, _ = np.linalg.svd(new, full_matrices=False)
            new = u[:, s > 1e-9 * max(np.linalg.norm(self.B), 1e-300)]
            if not new.shape[1]:
                break
            found = np.column_stack([found, new])
            new = self.A @ new / max(np.linalg.norm(self.A), 1e-300)
        return found


def linearize(system: System, q: Point = None, v: Any = None, u: Any = None) -> Linearization:
    """The linear equations near (q, v) on the constraint, for small x and changes of the control.

    q defaults to the initial point and v to rest. `equilibrium` and `steady` say whether the
    eigenvalues mean what they usually do. Refused: a nonholonomic constraint nonlinear in v, and
    equations that depend on time, through L, a force or the right-hand side of the constraint; a
    force and a right-hand side are evaluated at `hypotheses.TIMES`.
    """
    if not isinstance(system.groupoid, Pair):
        raise UsageError(
            f"linearize it before reduction; {system.groupoid!r} has no chart of q",
            about=system.name(),
        )
    if system.is_nonlinear or system.has_time:
        what = "a nonlinear constraint" if system.is_nonlinear else "a Lagrangian with time in it"
        raise UsageError(f"{what} is not linearized", about=system.name())
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    k = jax.eval_shape(lambda: system.inputs(q)).shape[0]
    controls = np.zeros(k) if u is None else np.asarray(u, dtype=float).reshape(k)
    velocity = jnp.zeros(system.dim) if v is None else jnp.asarray(v, dtype=float)
    near = compiled_call(consistent_velocity, system, q, velocity)
    if float(jnp.max(jnp.abs(near - velocity))) > 1e-8 * (1.0 + float(jnp.max(jnp.abs(velocity)))):
        raise UsageError(f"v is off the constraint; take {np.asarray(near)}", about=system.name())
    found = compiled_call(_matrices, system, q, velocity, jnp.asarray(controls))
    rates, As, Bs, basis, onward, leaf = (np.asarray(x) for x in found)
    if not all(np.all(np.isfinite(x)) for x in (rates, As, Bs)):
        raise UsageError("the linearization is not finite at this state", about=system.name())
    rate, A, B = rates[0], As[0], Bs[0]
    size = 1.0 + float(np.max(np.abs(A)))
    moved = [np.max(np.abs(x - x[0]), axis=tuple(range(1, x.ndim))) for x in (rates, As)]
    if np.any(moved[0] > _STEADY * size) or np.any(moved[1] > _STEADY * size):
        worst = int(np.argmax(np.maximum(*moved)))
        raise UsageError(
            f"the equations depend on time (through a force or the right-hand "
            f"side of the constraint): from t = 0 to {TIMES[worst]:g} x' changes by "
            f"{moved[0][worst]:.2e}, its derivatives by {moved[1][worst]:.2e}; linearize the "
            "system without what depends on time",
            about=system.name(),
        )
    n = system.dim
    names = (
        *(f"d {name}" for name in system.velocity_labels),
        *(f"y{i}" for i in range(basis.shape[1])),
    )
    if leaf.shape[0]:  # w is confined to the leaf of the holonomic functions
        inside = np.linalg.svd(leaf)[2][leaf.shape[0] :].T
        wide = np.zeros((n + basis.shape[1], inside.shape[1] + basis.shape[1]))
        wide[:n, : inside.shape[1]] = inside
        wide[n:, inside.shape[1] :] = np.eye(basis.shape[1])
        A, B, rate = wide.T @ A @ wide, wide.T @ B, wide.T @ rate
        onward = wide.T @ onward @ wide
        names = (*(f"w{i}" for i in range(inside.shape[1])), *names[n:])
    settled = bool(np.max(np.abs(rate[-basis.shape[1] :]), initial=0.0) <= _STEADY * size)
    still = not np.any(np.asarray(velocity))
    same = bool(np.max(np.abs(onward - A)) <= _STEADY * size)
    return Linearization(
        system, q, np.asarray(velocity), controls, A, B, rate, basis, names,
        equilibrium=settled and still, steady=settled and same,
    )  # fmt: skip


def _matrices(system, q, v, u):
    n = system.dim
    inside, outside = adapted_basis(system, q)
    onto = inside.T @ metric(system, q)
    y0 = onto @ v

    def rates(x, control, base, t):
        w, y = x[:n], x[n:]
        at = groupoids.move(system.groupoid, base, w)
        speed = inside @ y
        if outside.shape[1]:
            rows = linear_constraint(system, at)
            wanted = linear_offset(system, t, at) if system.has_offset else 0.0
            speed = speed + outside @ solve(rows @ outside, wanted - rows @ speed)
        a = acceleration(driven(system, control) if system.has_inputs else system, at, speed, t)
        rate = jnp.concatenate([system.groupoid.coordinate_velocity(base, w, speed), onto @ a])
        return rate, rate

    x = jnp.concatenate([jnp.zeros(n), y0])
    further = groupoids.move(system.groupoid, q, 0.37 * v)  # a little along the motion
    times = TIMES if system.has_force or system.has_offset else TIMES[:1]
    bases = jax.tree.map(lambda *z: jnp.stack(z), *[q] * len(times), further)
    slopes = jax.jacfwd(rates, argnums=(0, 1), has_aux=True)
    each = jax.vmap(lambda base, t: slopes(x, u, base, t))
    (A, B), rate = each(bases, jnp.asarray((*times, 0.0)))
    leaf = jnp.zeros((0, n))
    if system.has_holonomic:
        count = system.holonomic(q).shape[0]
        leaf = linear_constraint(system, q)[:count]
    return rate[:-1], A[:-1], B[:-1], inside, A[-1], leaf


class Feedback(eqx.Module):
    """u = u0 - K x with x = (w, y) of the state, measured from an equilibrium.

    A relative equilibrium goes along: w is measured from where it is at the time, q0 + t v0.
    """

    system: System
    q0: Point
    v0: jax.Array
    y0: jax.Array
    onto: jax.Array  # D0^T G0
    u0: jax.Array
    K: jax.Array
    limit: jax.Array | None = None  # of each |u|

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        here = groupoids.move(self.system.groupoid, self.q0, t * self.v0)
        w = self.system.groupoid.coordinates((here, q))
        x = jnp.concatenate([w, self.onto @ v - self.y0])
        u = self.u0 - self.K @ x
        return u if self.limit is None else jnp.clip(u, -self.limit, self.limit)


class Disturbed(eqx.Module):
    """A feedback law and noise on top of it: u = control(t, q, v) + noise(t)."""

    control: Any
    noise: Any

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        return self.control(t, q, v) + self.noise(t)


class Regulator(NamedTuple):
    """A feedback law, and the eigenvalues with it of what it reaches."""

    feedback: Feedback
    K: np.ndarray
    eigenvalues: np.ndarray
    left_alone: np.ndarray  # eigenvalues of what no control reaches


def lqr(linear: Linearization, Q: Any = None, R: Any = None, *, limit: Any = None) -> Regulator:
    """The feedback that minimizes the integral of x Q x + u R u near an equilibrium.

    On R^n also near a relative equilibrium, a motion at an even pace (`linear.steady`).
    Q (a matrix or a diagonal, by default ones) and R (likewise) weigh the state and the controls.
    By name they are mappings, `Q={"x": 10.0}` and `R={"left": 0.1}`: `linear.names` of the state
    ("x" is short for "d x_dot"), names of inputs for R; what is not named has the weight 1.
    Directions that no control reaches are left alone; if one of them is unstable that is an error.
    """
    from scipy.linalg import solve_continuous_are

    moving = linear.steady and isinstance(linear.system.space, Euclidean)
    if not (linear.equilibrium or moving):
        raise UsageError(
            f"{linear.system.name()}: feedback is for an equilibrium; here x' = "
            f"{np.array2string(linear.rate, precision=3)} (give u that holds it)"
        )
    if linear.system.has_holonomic:
        raise UsageError(f"{linear.system.name()}: feedback with holonomic functions is not made")
    n, k = linear.B.shape
    Q, R = _by_name(Q, linear.names), _by_name(R, linear.system.input_labels)
    weights = [
        np.eye(m) if W is None else np.diag(W) if np.ndim(W) == 1 else np.asarray(W, dtype=float)
        for W, m in ((Q, n), (R, k))
    ]
    for W, m, name in zip(weights, (n, k), "QR"):
        if W.shape != (m, m):
            raise UsageError(f"{name} must be ({m}, {m}) or its diagonal, got shape {W.shape}")
    reach = linear.controllable
    if not reach.shape[1]:
        raise UsageError(f"{linear.system.name()}: no control reaches anything at this state")
    A, B = reach.T @ linear.A @ reach, reach.T @ linear.B
    rest = np.linalg.svd(reach.T)[2][reach.shape[1] :].T
    free = np.linalg.eigvals(rest.T @ linear.A @ rest) if rest.shape[1] else np.zeros(0)
    if np.any(free.real > 1e-6 * (1.0 + np.linalg.norm(linear.A))):
        raise UsageError(
            f"{linear.system.name()}: unstable directions that no control reaches, eigenvalues "
            f"{np.array2string(free, precision=3)}"
        )
    try:
        P = solve_continuous_are(A, B, reach.T @ weights[0] @ reach, weights[1])
    except (np.linalg.LinAlgError, ValueError) as error:
        raise UsageError(
            f"{linear.system.name()}: no feedback for these weights: {error}"
        ) from None
    gain = np.linalg.solve(weights[1], B.T @ P)
    K = gain @ reach.T
    onto = linear.basis.T @ np.asarray(metric(linear.system, linear.q))
    feedback = Feedback(
        linear.system, linear.q, jnp.asarray(linear.v), jnp.asarray(onto @ linear.v),
        jnp.asarray(onto),
        jnp.asarray(linear.u), jnp.asarray(K), None if limit is None else jnp.asarray(limit, float),
    )  # fmt: skip
    return Regulator(feedback, K, np.linalg.eigvals(A - B @ gain), free)


def _by_name(weights: Any, labels: tuple[str, ...]) -> Any:
    """The diagonal of weights that are given by name."""
    if not isinstance(weights, Mapping):
        return weights
    plain = [x.removeprefix("d ") for x in labels]
    found = {f"{k}": x for k, x in weights.items()}
    at = {find("state or input", k.removeprefix("d "), v=plain)[1]: x for k, x in found.items()}
    return np.array([float(at.get(i, 1.0)) for i in range(len(labels))])


def equilibrium(
    system: System, guess: Point, u: Any = None, *, v: Any = None
) -> tuple[Point, np.ndarray]:
    """A configuration near `guess` at which the system stays at rest, and controls that hold it.

    Controls are solved for along with q unless they are given; the nearest solution is taken. With
    `v`, brought onto the constraint, it is a relative equilibrium: the motion goes on with this v.
    Refused if a force or the right-hand side of the constraint moves it at one of
    `hypotheses.TIMES`.
    """
    q = system.groupoid.base.check(guess, "guess")
    k = jax.eval_shape(lambda: system.inputs(q)).shape[0]
    fixed = None if u is None else jnp.asarray(u, dtype=float).reshape(k)
    control = jnp.zeros(k) if fixed is None else fixed
    speed = jnp.zeros(system.dim) if v is None else jnp.asarray(v, dtype=float)
    for _ in range(50):
        found = compiled_call(_held, system, q, control, speed)
        a, Jq, Ju = (np.asarray(x) for x in found)
        size = np.max(np.abs(a), initial=0.0)
        if not np.isfinite(size):
            break
        if size <= 1e-12 * (1.0 + np.max(np.abs(Jq))):
            _require_held(system, q, control, speed, float(1.0 + np.max(np.abs(Jq))))
            return q, np.asarray(control)
        J = np.concatenate([Jq, Ju], axis=1) if fixed is None else Jq
        step = np.linalg.lstsq(J, -a, rcond=1e-9)[0]
        q = groupoids.move(system.groupoid, q, jnp.asarray(step[: system.dim]))
        control = control + step[system.dim :] if fixed is None else control
    raise UsageError(f"{system.name()}: no equilibrium was found near the guess")


def _require_held(system: System, q: Point, u: Any, v: jax.Array, size: float) -> None:
    """Refuse an equilibrium at t = 0 that a force or a moving constraint does not leave alone."""
    if not (system.has_force or system.has_offset):
        return
    a = np.asarray(compiled_call(_pushes, system, q, jnp.asarray(u), v))
    worst = np.max(np.abs(a), axis=1)
    if not np.all(worst <= _STEADY * size):
        late = int(np.argmax(worst))
        raise UsageError(
            f"{system.name()}: in equilibrium at t = 0 only; at t = {TIMES[late]:g} it accelerates "
            f"by {worst[late]:.2e}, because a force or the constraint depends on time"
        )


def _pushes(system, q, u, v):
    """Accelerations at the times, and by how much the velocity that the constraint asks changes."""
    made = driven(system, u) if system.has_inputs else system
    start = consistent_velocity(system, q, v)

    def at(t):
        here = consistent_velocity(system, q, v, t)
        return jnp.concatenate([acceleration(made, q, here, t), here - start])

    return jax.vmap(at)(jnp.asarray(TIMES))


def _held(system, q, u, v):
    def a(w, control):
        x = groupoids.move(system.groupoid, q, w)
        made = driven(system, control) if system.has_inputs else system
        return acceleration(made, x, consistent_velocity(system, x, v))

    zero = jnp.zeros(system.dim)
    return a(zero, u), jax.jacfwd(a)(zero, u), jax.jacfwd(a, argnums=1)(zero, u)


__all__ = [
    "Disturbed",
    "Feedback",
    "Linearization",
    "Regulator",
    "equilibrium",
    "linearize",
    "lqr",
]
