"""Contacts without slip: wheels, balls, ellipsoids and skates, on planes and other surfaces.

A contact has constraint rows: "height" is holonomic (the body stays on the surface), "along" and
"across" block the velocity of the material point that touches, relative to the surface. All three
directions are unit vectors, so their multipliers are forces in N. "no-twist" blocks the spin about
the normal relative to the surface, as rubber does; its multiplier is a moment in N m.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.tracing import traced_once
from ..errors import UsageError
from ..system import compiled_call, is_traced
from .pieces import Part, named, numeric, place
from .surfaces import Plane, Surface, nearest
from .vectors import Array, Number, Vector, direction, number, unit, vector

HEIGHT, ALONG, ACROSS, NO_TWIST = "height", "along", "across", "no-twist"
ROLL_ALONG, ROLL_ACROSS, SPIN = "roll along", "roll across", "spin"  # angular velocities
IF_FREE = "height if free"  # a height row that is left out if joints or other contacts hold it


class Frame(NamedTuple):
    """The pose and the velocity of a body."""

    turn: Any  # rotation from the body to space
    place: Any  # its origin, in space
    spin: Any  # angular velocity, in the body
    speed: Any  # velocity of the origin, in space

    def point(self, at: Vector | None, xp: ModuleType) -> jax.Array:
        """Return a point of the body, in space."""
        return self.place if at is None else self.place + self.turn @ at.array(xp)

    def velocity(self, lever: jax.Array, xp: ModuleType) -> jax.Array:
        """Return the velocity of the material point at origin + lever (in space)."""
        return self.speed + xp.cross(self.turn @ self.spin, lever)


class Touch(NamedTuple):
    """A contact point on a surface: the point, its distance from the surface, three directions."""

    point: jax.Array
    gap: Any
    normal: Any
    along: jax.Array
    across: jax.Array


# -- contacts ------------------------------------------------------------------------------------


class Contact(Part):
    """A contact of a body with a surface. `rows` selects the directions that are blocked.

    With `rows=None` the contact blocks all directions that its kind has, but not the height if the
    joints already hold it. With one name, `rows="along"`, it blocks this direction, and the height
    unless joints or other contacts hold it. With a tuple, `("along",)`, it blocks exactly the
    directions listed, even if nothing else holds the height. `rows="no-twist"` is rubber rolling:
    it blocks all directions and the spin about the normal relative to the surface; the same as a
    tuple is `("height", "along", "across", "no-twist")`. The no-twist row has no law of friction
    (`mu`), because a coefficient bounds a force, and the reaction to spin is a moment.

    `mu` is the coefficient of sliding friction, for `hybrid.with_friction`: one number, two numbers
    (along, across), or a function of the position (x, y, z) that returns one or two numbers.
    `mu_static` is the coefficient up to which the contact sticks; it is at least `mu`, its default.
    `restitution` applies when the contact lands. `viscous` is a force per slip velocity in addition
    to the dry friction, in N s/m. `rolling` and `spinning` are lengths in m. Multiplied by the load
    they are the largest torques against rolling (of a wheel about its axle, of a ball about any
    direction of the surface) and against spinning about the normal. Without `mu` a contact is
    ideal: it never slips and never lifts.
    """

    body: str = named()

    has: ClassVar[tuple[str, ...]] = (HEIGHT, ALONG, ACROSS)

    @property
    def label(self) -> str:
        """The prefix of the names of the contact's rows."""
        return getattr(self, "name", "") or self.body

    @property
    def has_law(self) -> bool:
        """Whether the contact has a coefficient of friction."""
        return getattr(self, "mu", None) is not None

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the rows that the contact may have."""
        return self.has

    @property
    def rolls(self) -> bool:
        """Whether the contact may have a "no-twist" row: its kind holds along and across."""
        return ALONG in self.has and ACROSS in self.has

    @property
    def resists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The resistances that are given: ("rolling" or "spinning", names of axes of rotation)."""
        found: list[tuple[str, tuple[str, ...]]] = []
        if getattr(self, "rolling", None) is not None:
            about = (ROLL_ACROSS,) if isinstance(self, Wheel) else (ROLL_ALONG, ROLL_ACROSS)
            found.append(("rolling", about))
        if getattr(self, "spinning", None) is not None:
            found.append(("spinning", (SPIN,)))
        return tuple(found)

    def support(self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False) -> jax.Array:
        """Return the point, in space, where the body would touch a plane with the normal n."""
        raise NotImplementedError

    def sides(
        self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False
    ) -> tuple[jax.Array, jax.Array]:
        """Return the unit vectors along and across; n is the normal of the surface."""
        return self.ground.tangents(n, xp)

    def touch(self, frame: Frame, xp: ModuleType, upright: bool = False) -> Touch:
        """Return the contact point, its distance from the surface, and the directions there."""
        if isinstance(self.ground, Plane):
            n = direction(self.ground.normal, xp)
            gap = self.ground.distance(self.support(frame, n, xp, upright), xp)[0]
        elif xp is np and not is_traced((self, frame)):
            found = compiled_call(_met, self, frame.turn, frame.place)
            gap, n = (np.asarray(x) for x in found)
        else:
            gap, n = _met_once(self, frame.turn, frame.place)
        along, across = self.sides(frame, n, xp, upright)
        return Touch(self.support(frame, n, xp, upright), gap, n, along, across)

    @property
    def ground(self) -> Surface:
        """The surface that the contact touches, by default the plane z = 0."""
        return getattr(self, "surface", None) or Plane()


def _met(contact: Any, turn: Array, place: Array) -> tuple[jax.Array, jax.Array]:
    """Return (distance, normal) where a body in this pose is nearest to a curved surface."""
    frame = Frame(turn, place, None, None)
    near = frame.point(contact.at, jnp)
    return nearest(contact.ground, lambda n: contact.support(frame, n, jnp), near)


_met_once = traced_once(_met)  # Newton's method is long to trace


def _rows(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    if value == NO_TWIST:
        rows = (IF_FREE, ALONG, ACROSS, NO_TWIST)
    elif isinstance(value, str):
        rows = (value,) if value == HEIGHT else (IF_FREE, value)
    else:
        rows = tuple(value)  # pyright: ignore
    for row in rows:
        if row not in (HEIGHT, ALONG, ACROSS, NO_TWIST, IF_FREE):
            raise UsageError(
                f"rows of a contact are 'height', 'along', 'across', 'no-twist'; got {row!r}"
            )
    return rows


def chosen() -> Any:
    """Return the dataclass field `rows` of a contact."""
    return eqx.field(static=True, converter=_rows, default=None)


def _coefficient(value: Any) -> Any:
    if callable(value) and not isinstance(value, (jax.Array, np.ndarray)):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(number(x) for x in value)
    return number(value)


def coefficient() -> Any:
    """Return a dataclass field for a coefficient of a contact law; None means not given."""
    return eqx.field(converter=_coefficient, default=None)


class Wheel(Contact):
    """A wheel that rolls on a surface about an axis of its body, and may lean.

    `crown` is the radius of the rim's cross section, as of a torus: the wheel is `radius` + `crown`
    high. `along` is the direction of rolling (axle x normal), `across` is to the left of it.
    `rollers` is the angle from the axle to the axes of rollers on its rim; the contact holds only
    along the axes of the rollers (named "along"): see `mecanum`, `omni`.
    """

    radius: Number = numeric(required=True)
    axis: Any = eqx.field(converter=vector, default="y")
    at: Any = place()
    crown: Any = numeric(None)
    rollers: Any = numeric(None)
    surface: Surface | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")
    mu: Any = coefficient()
    mu_static: Any = coefficient()
    restitution: Any = coefficient()
    viscous: Any = coefficient()
    rolling: Any = coefficient()
    spinning: Any = coefficient()

    def support(self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False) -> jax.Array:
        hub = frame.point(self.at, xp)
        if upright:  # the joints keep the axle level
            up = n
        else:
            axle = frame.turn @ direction(self.axis, xp)
            up = n - (n @ axle) * axle
            up = up / xp.sqrt(up @ up)
        drop = self.radius * up if self.crown is None else self.radius * up + self.crown * n
        return hub - drop

    def sides(
        self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False
    ) -> tuple[jax.Array, jax.Array]:
        axle = frame.turn @ direction(self.axis, xp)
        along = xp.cross(axle, n)
        if upright:
            across = axle
        else:
            along = along / xp.sqrt(along @ along)
            across = xp.cross(n, along)
        if self.rollers is not None:
            c, s = xp.cos(self.rollers), xp.sin(self.rollers)
            along, across = s * along + c * across, c * along - s * across
        return along, across


def mecanum(body: str, radius: Any, rollers: Any = np.pi / 4, **options: Any) -> Wheel:
    """Return a mecanum wheel: rollers on its rim turn freely, `rollers` is the angle of their axes.

    The contact holds along the axis of the roller that touches the ground. That axis lies in the
    plane; `rollers` is its angle from the axle y towards the direction of rolling x, so that it
    points along (sin rollers, cos rollers). On a platform with x ahead and y to the left:

        front left  -pi/4    front right  +pi/4
        rear left   +pi/4    rear right   -pi/4

    that is -sign(x y) pi/4 for a wheel at (x, y). Seen from above, the axes on the ground are the
    sides of a rhombus around the center. With the opposite signs all axes pass near the center
    (through it, if the platform is a square), and the wheels cannot turn the platform: `build`
    refuses a platform that moves freely while its wheels stand still.
    """
    options.setdefault("rows", (HEIGHT, ALONG))
    return Wheel(body, radius, rollers=rollers, **options)


def omni(body: str, radius: Any, **options: Any) -> Wheel:
    """Return an omni wheel: it holds in the rolling direction and slides sideways on rollers."""
    options.setdefault("rows", (HEIGHT, ALONG))
    return Wheel(body, radius, **options)


class Ball(Contact):
    """A ball that rolls on any surface; its center is the point `at` of its body.

    On a level plane `along` and `across` are x and y of space, otherwise two tangent directions of
    the surface.
    """

    radius: Number = numeric(required=True)
    at: Any = place()
    surface: Surface | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")
    mu: Any = coefficient()
    mu_static: Any = coefficient()
    restitution: Any = coefficient()
    viscous: Any = coefficient()
    rolling: Any = coefficient()
    spinning: Any = coefficient()

    def support(self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False) -> jax.Array:
        return frame.point(self.at, xp) - self.radius * n

    def touch(self, frame: Frame, xp: ModuleType, upright: bool = False) -> Touch:
        if not self.ground.exact:
            return super().touch(frame, xp, upright)
        center = frame.point(self.at, xp)
        away, n = self.ground.distance(center, xp)
        along, across = self.ground.tangents(n, xp)
        return Touch(center - self.radius * n, away - self.radius, n, along, across)


class Ellipsoid(Contact):
    """An ellipsoid with half axes along x, y, z of its body, rolling on any surface."""

    axes: Any = eqx.field(converter=vector, default=(1.0, 1.0, 1.0))
    at: Any = place()
    surface: Surface | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")
    mu: Any = coefficient()
    mu_static: Any = coefficient()
    restitution: Any = coefficient()
    viscous: Any = coefficient()
    rolling: Any = coefficient()
    spinning: Any = coefficient()

    def support(self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False) -> jax.Array:
        squares, up = self.axes.array(xp) ** 2, frame.turn.T @ n
        width = xp.sqrt(up @ (squares * up))  # the support function
        return frame.point(self.at, xp) - frame.turn @ (squares * up) / width


class Skate(Contact):
    """A blade or knife edge: the point `at` of its body does not slip sideways to `direction`.

    With two coefficients, `mu=(along, across)`, a skate also has friction along its direction, as
    the belly of a snake.
    """

    at: Any = place()
    direction: Any = eqx.field(converter=vector, default="x")
    surface: Surface | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")
    mu: Any = coefficient()
    mu_static: Any = coefficient()
    restitution: Any = coefficient()
    viscous: Any = coefficient()

    has: ClassVar[tuple[str, ...]] = (HEIGHT, ACROSS)

    @property
    def directions(self) -> tuple[str, ...]:
        given = (self.mu, self.mu_static, self.viscous)
        both = any(isinstance(x, tuple) or np.ndim(x) == 1 for x in given if not callable(x))
        asked = self.has_law and ALONG in (self.rows or ())
        return (HEIGHT, ALONG, ACROSS) if both or asked else self.has

    def support(self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False) -> jax.Array:
        return frame.point(self.at, xp)

    def sides(
        self, frame: Frame, n: Array, xp: ModuleType, upright: bool = False
    ) -> tuple[jax.Array, jax.Array]:
        along = frame.turn @ direction(self.direction, xp)
        if not upright:
            along = unit(along - (along @ n) * n, xp)
        return along, xp.cross(n, along)


class Glide(Ball):
    """A ball caster or foot: a sphere (or a point) that stays on a surface and slides.

    With `mu` it has friction in `hybrid.with_friction`; otherwise it slides without friction.
    """

    radius: Number = numeric(0.0)

    has: ClassVar[tuple[str, ...]] = (HEIGHT,)

    @property
    def directions(self) -> tuple[str, ...]:
        return (HEIGHT, ALONG, ACROSS) if self.has_law else self.has


def check_entry(told: str, name: str, contact: Contact) -> None:
    """Raise `UsageError` if the entry `name` of a table of contacts has a contact on another body.

    `told` begins the message.
    """
    if contact.body != name:
        raise UsageError(
            f"{told}: the contact of '{name}' belongs to '{contact.body}': give it the body "
            f"'{name}'"
        )
