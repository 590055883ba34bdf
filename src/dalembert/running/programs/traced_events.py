"""Events of a run inside a JAX transformation: found between its rows, with derivatives.

Arrays of JAX have known shapes, so each event must end the run (`terminal`, `count`): its number of
occurrences is then bounded. Rows after the end repeat the row of the event that has ended the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...errors import UsageError
from ...events import Event, EventFunction
from ...events.locate import GRAZES, Bracket
from ...linalg import NOT_FINITE, OK
from ...methods import Method
from ...request.step import has_own_steps, initial_state, one_step
from ...results import Events
from ...system import System
from .step_kernel import SavedRow

T = TypeVar("T")
_TRIALS = 200  # as in `events.locate`


def check_traced_events(events: Mapping[str, Event]) -> None:
    """Raise `UsageError` if the number of events has no bound."""
    for name, event in events.items():
        if event.ends_at is None:
            raise UsageError(
                f"inside of jit, vmap and grad event '{name}' must end the run, Event(g, "
                "terminal=True) or Event(g, count=k), because JAX needs arrays of known shapes "
                "and the number of events depends on the motion"
            )


class _Found(NamedTuple):
    """Candidates for an event, one row each: the first crossings of its function."""

    at: SavedRow
    happens: jax.Array
    step: jax.Array


def with_events(
    parts: tuple[System, System],
    method: Method,
    h: jax.Array,
    rows: SavedRow,
    events: Mapping[str, Event],
) -> tuple[SavedRow, Events]:
    """Return the rows of all steps up to the event that ends the run, and the events.

    `parts` are the parameters of the system and its static part. An event that has not happened has
    the time NaN. Derivatives of the time and state of an event follow from the implicit function
    theorem; they are NaN if the motion grazes the surface g = 0.
    """
    dynamic, static = parts

    @jax.jit  # one program: without it, each operation would be compiled on its own
    def searched(dynamic: System, h: jax.Array, rows: SavedRow) -> tuple[SavedRow, _Found]:
        return _searched(eqx.combine(dynamic, static), method, h, rows, events)

    new, found = searched(dynamic, h, rows)
    # known before the run, so that events["name"] works inside a transformation
    which = np.repeat(np.arange(len(events)), [x.ends_at or 0 for x in events.values()])
    framed = eqx.combine(dynamic, static).groupoid.group.dim
    return new, Events(
        names=tuple(events),
        which=which,
        member=0 * which,
        step=found.step,
        frame=found.at.frame if framed else None,
        **{k: getattr(found.at.row, k) for k in ("t", "q", "v", "p", "multiplier", "residual")},
    )


def _searched(
    system: System, method: Method, h: jax.Array, rows: SavedRow, events: Mapping[str, Event]
) -> tuple[SavedRow, _Found]:
    row, steps = rows.row, len(rows.row.t) - 1
    good = row.result == OK
    found, undefined = [], jnp.full((), jnp.inf)
    for event in events.values():
        g = _number(event.g)
        values = jax.vmap(g)(row.t, row.q, row.v)
        bad = jnp.isnan(values) & good
        undefined = jnp.minimum(undefined, jnp.min(jnp.where(bad, row.t, jnp.inf)))
        sign = jnp.sign(jnp.where(bad, 0.0, values))
        before, after = sign[:-1], sign[1:]
        way = (event.direction == 0) | (event.direction == -before)
        changed = (before != 0) & (after != before) & way & good[1:] & ~bad[1:]
        (which,) = jnp.nonzero(changed, size=event.ends_at, fill_value=steps)
        happens = which < steps
        left = jnp.minimum(which, steps - 1)

        def one(
            i: jax.Array,
            happens: jax.Array,
            g: Callable[..., jax.Array] = g,
            values: jax.Array = values,
        ) -> SavedRow:
            ends = [jax.tree.map(lambda x, j=j: x[i + j], rows) for j in (0, 1)]
            return _located(system, method, h, g, ends, (values[i], values[i + 1]), happens)

        found.append(_Found(jax.vmap(one)(left, happens), happens, which + 1))
    ends = [jnp.where(x.happens[-1], x.at.row.t[-1], jnp.inf) for x in found]
    first = jnp.argmin(lax.stop_gradient(jnp.stack(ends)))  # at equal times, the first declared one
    over = lax.stop_gradient(jnp.stack(ends)[first])
    # rows after the end repeat the row that ends the run
    last = jax.tree.map(lambda *x: jnp.stack(x)[first], *(_last(x.at) for x in found))
    k_end = jnp.where(jnp.isfinite(over), jnp.stack([x.step[-1] for x in found])[first], steps + 1)
    new = jax.tree.map(
        lambda a, b: jnp.where(_like(jnp.arange(steps + 1) >= k_end, a), b[None], a),
        rows,
        last._replace(k=k_end),
    )
    ended = undefined < jnp.minimum(over, jnp.inf)
    wrong = ended & (new.row.t >= undefined) & (new.row.result == OK)
    result = jnp.where(wrong, jnp.asarray(NOT_FINITE, new.row.result.dtype), new.row.result)
    listed = [_until(x, over, i <= first) for i, x in enumerate(found)]
    return new._replace(row=new.row._replace(result=result)), _joined(listed)


def _until(found: _Found, over: jax.Array, tied: bool | jax.Array) -> _Found:
    """Mark the candidates behind the end of the run, which have not happened."""
    t = lax.stop_gradient(found.at.row.t)
    return found._replace(happens=found.happens & ((t < over) | ((t == over) & tied)))


def _joined(found: list[_Found]) -> _Found:
    whole: _Found = jax.tree.map(lambda *x: jnp.concatenate(x), *found)

    def known(x: jax.Array) -> jax.Array:
        is_number = jnp.issubdtype(x.dtype, jnp.floating)
        return jnp.where(_like(whole.happens, x), x, jnp.nan) if is_number else x

    step = jnp.where(whole.happens, whole.step, -1)
    return whole._replace(at=jax.tree.map(known, whole.at), step=step)


def _located(
    system: System,
    method: Method,
    h: jax.Array,
    g: Callable[..., jax.Array],
    ends: Sequence[SavedRow],
    values: tuple[jax.Array, jax.Array],
    happens: jax.Array,
) -> SavedRow:
    """Return the row at the zero of g between two consecutive rows, with its derivatives."""
    left, right = ends
    size = right.row.t - left.row.t if has_own_steps(method) else h

    def short(system: System, left: SavedRow, s: jax.Array) -> tuple[SavedRow, jax.Array]:
        t, q, v = left.row.t, left.row.q, left.row.v
        start = initial_state(system, method, t, s, q, v)
        row = start.row._replace(residual=jnp.zeros(()))
        made = one_step(system, method, t, s, start._replace(row=row, frame=left.frame))
        there = SavedRow(left.k + 1, made.row, made.frame)
        return there, g(made.row.t, made.row.q, made.row.v)

    still = lax.stop_gradient((system, left))
    low, high = lax.stop_gradient(values)
    s = _root(lambda s: short(*still, s)[1], low, high, lax.stop_gradient(size))

    def at(s: jax.Array) -> tuple[SavedRow, jax.Array]:
        return short(system, left, s)

    (there, value), slopes = jax.jvp(at, (s,), (jnp.ones(()),))
    along, rate = lax.stop_gradient(slopes)
    # as a sine: the rate at the zero relative to the mean rate in the step up to it
    angle = jnp.abs(rate * s) / jnp.abs(lax.stop_gradient(value) - low)
    later = time_shift(value, jnp.where(happens, rate, 1.0), happens & (angle < GRAZES))

    def moved(x: jax.Array, dx: jax.Array) -> jax.Array:
        return x + dx * later if jnp.issubdtype(x.dtype, jnp.floating) else x

    found = jax.tree.map(moved, there, along)
    code = jnp.where(left.row.result == OK, there.row.result, left.row.result)
    return found._replace(row=found.row._replace(result=code))


def time_shift(value: jax.Array, rate: jax.Array, grazes: jax.Array) -> jax.Array:
    """Return zero, with the derivative -dg/g' of a zero's time (implicit function theorem).

    `value` is g there, `rate` its rate. The derivative is NaN if the motion grazes the surface.
    """
    off = value - lax.stop_gradient(value)  # zero in value, but not in its derivative
    # d sqrt(x^2) at x = 0 is 0/0; elsewhere the argument is 1, whose derivative is not used
    undefined = jnp.sqrt(jnp.where(grazes, off * off, 1.0))
    return jnp.where(grazes, undefined, -off / jnp.where(grazes, 1.0, rate))


class _Search(NamedTuple):
    x: jax.Array
    bracket: Bracket
    best: jax.Array  # the nearest point so far at which the sign has changed
    trials: int | jax.Array
    over: jax.Array


def _root(
    f: Callable[[jax.Array], jax.Array], low: jax.Array, high: jax.Array, size: jax.Array
) -> jax.Array:
    """Return where f(s) has changed its sign, nearest to s = 0, by Chandrupatla's method."""
    is_known = (jnp.sign(high) == jnp.sign(low)) | (high == 0) | ~jnp.isfinite(high)
    zero = jnp.zeros_like(size)
    first = size * jnp.where(is_known, 1.0, low / jnp.where(is_known, 1.0, low - high))
    begin = _Search(first, Bracket(size, zero, zero, high, low, low), size, 0, is_known)

    def turn(s: _Search) -> _Search:
        x, f_x = s.x, f(s.x)
        bracket = s.bracket.narrowed(x, f_x)
        share, least = bracket.trial(size)
        behind = (jnp.sign(f_x) != jnp.sign(low)) & ~jnp.isnan(f_x)
        done = ~(least <= 0.5) | (f_x == 0.0) | ~jnp.isfinite(f_x) | (s.trials > _TRIALS)
        best = jnp.where(behind, x, s.best)
        following = bracket.a + share * (bracket.b - bracket.a)
        return _Search(following, bracket, best, s.trials + 1, done)

    return lax.stop_gradient(lax.while_loop(lambda s: ~s.over, turn, begin).best)


def _number(g: EventFunction) -> Callable[..., jax.Array]:
    return lambda t, q, v: jnp.reshape(jnp.asarray(g(t, q, v), float), ())


def _last(rows: T) -> T:
    return jax.tree.map(lambda x: x[-1], rows)


def _like(mask: jax.Array, x: jax.Array) -> jax.Array:
    return mask.reshape(mask.shape + (1,) * (x.ndim - 1))


__all__ = ["check_traced_events", "time_shift", "with_events"]
