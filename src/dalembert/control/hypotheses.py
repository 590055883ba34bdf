"""Tests of the hypotheses of chapter 8 [C02], and the type of its verdicts."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import acceleration, consistent_velocity
from ..errors import UsageError
from ..geometry.distribution.connection import Connection, nonholonomic_christoffel
from ..system import Point, System, compiled_call

_HOLDS = 1e-9  # relative tolerance
# Times at which quantities that may depend on time are evaluated. No two differences are multiples
# of each other, so that no period is missed. A force that begins after the last time is not seen.
TIMES = (0.0, 0.618, 1.7, 4.9, 23.3)


class Verdict(NamedTuple):
    """An answer with its reason."""

    answer: str  # yes, no, inconclusive, does not apply
    reason: str

    def __bool__(self) -> bool:
        return self.answer == "yes"

    def __str__(self) -> str:
        return f"{self.answer}: {self.reason}"


def check_hypotheses(
    system: System,
    q: Point,
    v: object = None,
    *,
    connection: Connection | None = None,
    at_rest: bool = False,
) -> tuple[Verdict, float]:
    """Test whether chapter 8 applies to the system near q, and find the damping coefficient k_d.

    The acceleration without inputs at random states must be -Gamma(v, v) up to k_d v, the same at
    all times, with Gamma the nonholonomic connection. If another `connection` is given, the verdict
    says whether its geodesics are the motions of the system. `at_rest` allows
    a force that depends on q alone, a potential.
    """

    def no(reason: str) -> tuple[Verdict, float]:
        return Verdict("does not apply", reason), 0.0

    if not system.has_inputs:
        return no("the system has no inputs")
    if v is not None and np.any(np.asarray(v)):
        return no("the theory is about starts at rest")
    if system.is_nonlinear:
        return no("constraints must be linear in the velocities")
    if system.has_offset:
        return no("constraints must be A(q) v = 0, without right-hand side")
    if system.has_time or system.has_timed_constraint:
        what = "Lagrangian" if system.has_time else "constraint"
        return no(f"the {what} depends on time")
    if connection is not None:
        shape, n = jax.eval_shape(lambda x: jnp.asarray(connection(system, x)), q).shape, system.dim
        if shape != (n, n, n):
            raise UsageError(
                f"connection(system, q) must be Gamma[a, b, c], {n} x {n} x {n}, got {shape}"
            )
    values = compiled_call(_accelerations, system, q, connection)
    rest, late, plus, minus, double, back, v, bent = (np.asarray(x) for x in values)
    # divide by the accelerations of each state: a steep state must not hide the others
    size = sum(np.max(np.abs(x), axis=1, keepdims=True) for x in (plus, minus, v)) + 1e-300

    def over(x: np.ndarray, scale: float = 1.0) -> bool:
        return bool(np.any(np.abs(x) > scale * _HOLDS * size))

    if any(over(x - plus) for x in late):
        return no("the force depends on time")
    if over(rest) and not at_rest:
        return no(
            f"a force acts at rest (a potential, gravity): acceleration {np.max(np.abs(rest)):.2e}"
        )
    odd, odd_double = 0.5 * (plus - minus), 0.5 * (double - back)
    even, even_double = 0.5 * (plus + minus) - rest, 0.5 * (double + back) - rest
    k = float(np.sum(odd * v) / np.sum(v * v))
    k = k if over(k * v) else 0.0
    if over(odd - k * v) or over(odd_double - 2 * odd, 2.0):
        return no("a force odd in v acts that is not k_d v (drag, friction, a gyroscopic term)")
    if over(even_double - 4 * even, 4.0):
        return no("the acceleration is not quadratic in the velocities")
    geodesic = not over(even + bent)
    if connection is None and not geodesic:
        return no(
            "a force quadratic in v acts: motions are not geodesics of the metric; pass the "
            "connection whose geodesics they are as `connection=`"
        )
    force = "a force at rest" if over(rest) else "no force at rest"
    text = f"kinetic energy, linear constraints, {force}"
    if connection is not None:
        off = float(np.max(np.abs(even + bent) / size))
        text = f"(8.1) with the connection given, whose geodesics are the motions, {force}"
        if not geodesic:
            text = (
                f"(8.1) with the connection given, {force}; the motions of {system.name()} are "
                f"others (accelerations differ by {off:.1e}, relative)"
            )
    return Verdict("yes", text + (f", damping k_d = {k:.6g}" if k else "")), k


def _accelerations(system, q, connection):
    rng = np.random.default_rng(3)
    shifts = 0.3 * rng.normal(size=(4, system.dim))
    shifts[0] = 0.0
    speeds = rng.normal(size=(4, system.dim))

    def at(w, u):
        x = groupoids.move(system.groupoid, q, w)
        v = consistent_velocity(system, x, u)

        def a(s: float, t: float) -> jax.Array:
            return acceleration(system, x, s * v, t)

        late = jax.vmap(lambda t: a(1.0, t))(jnp.asarray(TIMES[1:]))
        gamma = (nonholonomic_christoffel if connection is None else connection)(system, x)
        bent = jnp.einsum("abc,b,c->a", gamma, v, v)
        return a(0.0, 0.0), late, a(1.0, 0.0), a(-1.0, 0.0), a(2.0, 0.0), a(-2.0, 0.0), v, bent

    rest, late, *others = jax.vmap(at)(jnp.asarray(shifts), jnp.asarray(speeds))
    return rest, jnp.swapaxes(late, 0, 1), *others


__all__ = ["TIMES", "Verdict", "check_hypotheses"]
