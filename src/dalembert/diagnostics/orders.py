"""Orders of convergence and reversibility, measured on runs."""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..errors import UsageError
from ..methods import Method, Reference
from ..running import simulate, there_and_back
from ..system import Point, System
from .distances import distance

FLOOR = 1e-12  # errors below it are round-off, and are not used to fit an order


def fit_order(hs: Sequence[float], errors: Sequence[float], *, floor: float = FLOOR) -> float:
    """Return the slope of log(error) against log(h), by least squares.

    Raises `UsageError` if an error is not above `floor`: that would measure round-off, not order.
    """
    h, e = np.asarray(hs, dtype=float), np.asarray(errors, dtype=float)
    if h.ndim != 1 or h.shape != e.shape or len(np.unique(h)) < 2:
        raise UsageError(
            f"an order needs two step sizes or more and one error for each; got {h.size} step "
            f"sizes and {e.size} errors"
        )
    if not np.all(np.isfinite(e)) or not np.all(np.isfinite(h)) or np.any(h <= 0):
        raise UsageError(f"step sizes must be positive and errors finite; got h={h}, errors={e}")
    if np.any(e <= floor):
        low = ", ".join(f"{x:g} (error {y:.1e})" for x, y in zip(h, e, strict=True) if y <= floor)
        raise UsageError(
            f"no order can be read off errors at the level of round-off, {floor:g}: h = {low}; "
            "take larger steps, or lower `floor`"
        )
    return float(np.polyfit(np.log(h), np.log(e), 1)[0])


def order_of_convergence(
    run: Callable[[float], Mapping[str, Point]],
    hs: Sequence[float],
    reference: Mapping[str, Point] | None = None,
    *,
    floor: float = FLOOR,
) -> dict[str, float]:
    """Return the order of each quantity that `run(h)` returns by name.

    Without a reference, differences of runs at neighboring step sizes are fitted; the step sizes
    must then have a constant ratio. A quantity without error above `floor` gets the order infinity.
    """
    hs = [float(h) for h in hs]
    results = [run(h) for h in hs]
    if reference is None:
        ratios = np.asarray(hs[:-1]) / np.asarray(hs[1:])
        if len(hs) < 3 or not np.allclose(ratios, ratios[0]):
            raise UsageError(
                "without a reference the order needs three step sizes or more in a constant "
                f"ratio; got {hs}"
            )
    slopes = {}
    for name in results[0]:
        if reference is None:
            errors = [distance(a[name], b[name]) for a, b in itertools.pairwise(results)]
        else:
            errors = [distance(a[name], reference[name]) for a in results]
        exact = bool(errors) and max(errors) <= floor
        slopes[name] = math.inf if exact else fit_order(hs[: len(errors)], errors, floor=floor)
    return slopes


def measure_order(
    system: System,
    method: Method,
    q0: Point | None = None,
    v0: jax.Array | None = None,
    *,
    t_end: float,
    hs: Sequence[float],
    t0: float = 0.0,
    reference: tuple[Point, jax.Array] | None = None,
    floor: float = FLOOR,
) -> dict[str, float]:
    """Return observed orders at t_end: {"position": ., "velocity": ., "momentum": .}.

    Errors are relative to `reference`, a pair (q, v) at t_end. Without it they are relative to
    `system.closed_form(t, q0, v0)` if the system has one and t0 is 0, otherwise to
    `Reference(rtol=1e-12)`. Every h must divide t_end - t0.
    """
    steps = {}
    for h in map(float, hs):
        steps[h] = round((t_end - t0) / h) if h > 0 else 0
        if steps[h] < 1 or not math.isclose(steps[h] * h, t_end - t0, rel_tol=1e-9):
            raise UsageError(f"h = {h:g} does not divide the length of the run, {t_end - t0:g}")

    def run(h: float, using: Method = method) -> dict[str, Point]:
        n = steps[h]
        last = simulate(system, using, q0, v0, h=h, steps=n, t0=t0, save_every=n).final
        return {"position": last.q, "velocity": last.v, "momentum": last.p}

    if reference is None and t0 == 0.0:
        reference = _closed_form(system, t_end, q0, v0)
    if reference is None:
        exact = run(max(steps), Reference(rtol=1e-12))
    else:
        q, v = reference
        exact = {"position": q, "velocity": v, "momentum": dynamics.momentum(system, q, v, t_end)}
    return order_of_convergence(run, list(steps), exact, floor=floor)


def _closed_form(
    system: System, t: float, q0: Point | None, v0: jax.Array | None
) -> tuple[Point, jax.Array] | None:
    """Return the closed form at t, or None if the system has none for these data."""
    function = getattr(system, "closed_form", None)
    if function is None:
        return None
    if q0 is not None and len(inspect.signature(function).parameters) < 3:
        return None  # the system has a closed form for the default data only
    try:
        return function(t) if q0 is None else function(t, q0, v0)
    except UsageError:
        return None  # the closed form is known for some parameters only


def reversibility_defect(
    system: System,
    method: Method,
    q0: Point | None = None,
    v0: jax.Array | None = None,
    *,
    h: float,
    steps: int,
) -> float:
    """Return how far a run that goes forward, is reversed and goes back ends from its start.

    This is the largest difference in q and v. The state of the method itself is reversed, so that a
    reversible method returns to round-off. The system must be reversible under v -> -v: a
    right-hand side of the constraint, and forces or terms of the Lagrangian linear in v, are
    refused.
    """
    for broken, what in (
        (system.has_offset, "its constraint has a right-hand side"),
        (system.has_force, "a force acts on it"),
        (system.has_time, "its Lagrangian depends on time"),
        (system.has_timed_constraint, "its constraint depends on time"),
    ):
        if broken:
            raise UsageError(f"{system.name()} is not reversible under v -> -v: {what}")
    if q0 is None or v0 is None:
        q0, v0 = system.initial()
    v0 = jnp.asarray(v0, dtype=float)
    if distance(dynamics.momentum(system, q0, -v0), -dynamics.momentum(system, q0, v0)) > 1e-10:
        raise UsageError(
            f"{system.name()} is not reversible under v -> -v: its Lagrangian has a term "
            "linear in v"
        )
    q, v = there_and_back(system, method, q0, v0, h=h, steps=steps)
    return max(distance(q, q0), distance(v, v0))
