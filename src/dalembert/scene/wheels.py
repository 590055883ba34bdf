"""Wheels whose rolling angle is not in q: it is integrated from the motion."""

from __future__ import annotations

from collections.abc import Callable

import jax

from .scene import Body, Contact, Row, above, turn_z
from .shapes import Length, wheel

OfPoint = Callable[[jax.Array], jax.Array]  # function of q, a vector of R^n


def rolling_wheels(
    name: str,
    place: OfPoint,
    heading: OfPoint,
    radius: Length,
    gauge: Length,
    width: Length | None = None,
) -> tuple[list[Body], list[Contact]]:
    """Return two wheels on an axle, the distance `gauge` apart, with their contacts.

    `place(q)` is the point (x, y) of the plane below the middle of the axle, `heading(q)` the
    direction of the wheels. Each wheel turns about the axle at the speed of its contact point along
    the heading, divided by the radius, and about the vertical with the heading.
    """
    width = 0.5 * radius if width is None else width

    def hub(row: Row, side: float, height: Length) -> jax.Array:
        across = 0.5 * side * gauge * turn_z(heading(row.q))[:, 1]
        return above(place(row.q), height) + across

    def wheel_at(side: float) -> tuple[Body, Contact]:
        label = f"{name}, {'left' if side > 0 else 'right'} wheel"

        def foot(row: Row) -> jax.Array:
            return hub(row, side, 0.0)

        def spin(row: Row) -> jax.Array:
            def moved(q: jax.Array) -> tuple[jax.Array, jax.Array]:
                return hub(Row(row.t, q, row.v, row.force), side, 0.0), heading(q)

            (_, angle), (speed, turn) = jax.jvp(moved, (row.q,), (row.v,))
            ahead, across, up = turn_z(angle).T
            return turn * up + (ahead @ speed) / radius * across

        body = Body(
            label,
            wheel(radius, width),
            lambda row: hub(row, side, radius),
            lambda row: turn_z(heading(row.q)),
            spin,
        )
        return body, Contact(label, foot)

    bodies, contacts = zip(*(wheel_at(side) for side in (1.0, -1.0)))
    return list(bodies), list(contacts)
