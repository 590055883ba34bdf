"""Contacts without slip: wheels, balls, ellipsoids and skates, on planes and other surfaces.

A contact gives rows: "height" is holonomic (what touches stays on the surface), "along" and
"across" block the velocity of the material point that touches, relative to the surface. All three
directions are unit vectors, so their multipliers are forces in N. "no-twist" blocks the spin about
the normal relative to the surface, as rubber does; its multiplier is a moment in N m.
"""

from __future__ import annotations

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
from .vectors import Vector, direction, number, unit, vector

HEIGHT, ALONG, ACROSS, NO_TWIST = "height", "along", "across", "no-twist"
ROLL_ALONG, ROLL_ACROSS, SPIN = "roll along", "roll across", "spin"  # angular velocities
IF_FREE = "height if free"  # a height that is left out where joints or other contacts hold it


class Frame(NamedTuple):
    """Where a body is and how it moves."""

    turn: Any  # rotation from the body to space
    place: Any  # its origin, in space
    spin: Any  # angular velocity, in the body
    speed: Any  # velocity of the origin, in space

    def point(self, at: Vector | None, xp: Any) -> Any:
        """A point of the body, in space."""
        return self.place if at is None else self.place + self.turn @ at.array(xp)

    def velocity(self, lever: Any, xp: Any) -> Any:
        """Velocity of the material point at origin + lever (in space)."""
        return self.speed + xp.cross(self.turn @ self.spin, lever)


class Touch(NamedTuple):
    """Where a body touches a surface: the point, its distance from it, and three directions."""

    point: Any
    gap: Any
    normal: Any
    along: Any
    across: Any


# -- contacts ------------------------------------------------------------------------------------


class Contact(Part):
    """What touches. `rows` says which of its directions are blocked.

    None: all that it has, but a height that the joints hold already. One name, `rows="along"`:
    this direction, and the height unless joints or other contacts hold it. A tuple, `("along",)`:
    these and no others, also where nothing else holds the height. `rows="no-twist"`: rubber
    rolling, all that it has and no spin about the normal relative to the surface; in a tuple
    `("height", "along", "across", "no-twist")`. It has no law of friction (`mu`): a coefficient
    bounds a force, and this reaction is a moment.

    `mu` is the coefficient of sliding friction, for `hybrid.with_friction`: a number, two (along,
    across), or a function (x, y, z) of the place of either; `mu_static` that up to which it holds
    (not below `mu`, which it is if not given). `restitution` is that of a contact that lands,
    `viscous` a force per slip velocity beside the dry friction, in N s/m. `rolling` and `spinning`
    are lengths in m: times the load they are the largest torques against rolling (of a wheel about
    its axle, of a ball about any direction of the surface) and against spinning about the normal.
    Without `mu` a contact is ideal: it never slips and never lifts.
    """

    body: str = named()

    has: ClassVar[tuple[str, ...]] = (HEIGHT, ALONG, ACROSS)

    @property
    def label(self) -> str:
        """What its rows are called after."""
        return getattr(self, "name", "") or self.body

    @property
    def has_law(self) -> bool:
        """Whether it has a coefficient of friction."""
        return getattr(self, "mu", None) is not None

    @property
    def directions(self) -> tuple[str, ...]:
        """The rows that it may have."""
        return self.has

    @property
    def rolls(self) -> bool:
        """Whether it may be kept from spinning about the normal: it holds along and across."""
        return ALONG in self.has and ACROSS in self.has

    @property
    def resists(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Which numbers of its law resist a turn, and about which directions each."""
        found: list[tuple[str, tuple[str, ...]]] = []
        if getattr(self, "rolling", None) is not None:
            about = (ROLL_ACROSS,) if isinstance(self, Wheel) else (ROLL_ALONG, ROLL_ACROSS)
            found.append(("rolling", about))
        if getattr(self, "spinning", None) is not None:
            found.append(("spinning", (SPIN,)))
        return tuple(found)

    def support(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> Any:
        """The point of the body that would touch a plane with the normal n, in space."""
        raise NotImplementedError

    def sides(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> tuple[Any, Any]:
        """The directions along and across, where n is the normal of the surface."""
        return self.ground.tangents(n, xp)

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
        """Where it touches."""
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
        """The surface that it touches."""
        return getattr(self, "surface", None) or Plane()


def _met(contact: Any, turn: Any, place: Any) -> tuple[Any, Any]:
    """(distance, normal) where a body of this pose is nearest to a curved surface."""
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
    """The field `rows` of a contact."""
    return eqx.field(static=True, converter=_rows, default=None)


def _coefficient(value: Any) -> Any:
    if callable(value) and not isinstance(value, (jax.Array, np.ndarray)):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(number(x) for x in value)
    return number(value)


def coefficient() -> Any:
    """A field with a number of a law; None: there is none."""
    return eqx.field(converter=_coefficient, default=None)


class Wheel(Contact):
    """A wheel that rolls on a surface about an axis of its body, leaning as it likes.

    `crown` is the radius of the rim's own roundness, as of a torus: the wheel is `radius` + `crown`
    high. `along` is where it rolls to (axle x normal), `across` to the left of it. `rollers`: the
    angle from the axle to the axes of rollers on its rim, along which alone the contact holds (as
    "along"): see `mecanum`, `omni`.
    """

    radius: Any = numeric(required=True)
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

    def support(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> Any:
        hub = frame.point(self.at, xp)
        if upright:  # known to stay so: the axle is level
            up = n
        else:
            axle = frame.turn @ direction(self.axis, xp)
            up = n - (n @ axle) * axle
            up = up / xp.sqrt(up @ up)
        drop = self.radius * up if self.crown is None else self.radius * up + self.crown * n
        return hub - drop

    def sides(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> tuple[Any, Any]:
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
    """A mecanum wheel: rollers on its rim turn freely, `rollers` is the angle of their axes.

    The contact holds along the axis of the roller that touches the ground. That axis lies in the
    plane; `rollers` is its angle from the axle y towards the direction of rolling x, so that it
    points along (sin rollers, cos rollers). On a platform with x ahead and y to the left:

        front left  -pi/4    front right  +pi/4
        rear left   +pi/4    rear right   -pi/4

    that is -sign(x y) pi/4 for a wheel at (x, y). Seen from above, the axes on the ground are
    the sides of a rhombus around the center. With the other signs all of them pass near the
    center (through it, if the platform is a square), and the wheels cannot turn the platform:
    `build` refuses one that moves freely while its wheels stand still.
    """
    options.setdefault("rows", (HEIGHT, ALONG))
    return Wheel(body, radius, rollers=rollers, **options)


def omni(body: str, radius: Any, **options: Any) -> Wheel:
    """An omni wheel: holds where it rolls to, and slides sideways on its rollers."""
    options.setdefault("rows", (HEIGHT, ALONG))
    return Wheel(body, radius, **options)


class Ball(Contact):
    """A ball that rolls on any surface; its center is the point `at` of its body.

    `along` and `across` are x and y of space on a level plane, else two directions of the surface.
    """

    radius: Any = numeric(required=True)
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

    def support(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> Any:
        return frame.point(self.at, xp) - self.radius * n

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
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

    def support(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> Any:
        squares, up = self.axes.array(xp) ** 2, frame.turn.T @ n
        width = xp.sqrt(up @ (squares * up))  # the support function
        return frame.point(self.at, xp) - frame.turn @ (squares * up) / width


class Skate(Contact):
    """A blade or knife edge at a point of a body, along a direction of it: no sideways slip."""

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

    def support(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> Any:
        return frame.point(self.at, xp)

    def sides(self, frame: Frame, n: Any, xp: Any, upright: bool = False) -> tuple[Any, Any]:
        along = frame.turn @ direction(self.direction, xp)
        if not upright:
            along = unit(along - (along @ n) * n, xp)
        return along, xp.cross(n, along)


class Glide(Ball):
    """A ball caster, a foot: a sphere (or a point) that stays on a surface and slides.

    With `mu` a rough one, in `hybrid.with_friction`; else it is smooth.
    """

    radius: Any = numeric(0.0)

    has: ClassVar[tuple[str, ...]] = (HEIGHT,)

    @property
    def directions(self) -> tuple[str, ...]:
        return (HEIGHT, ALONG, ACROSS) if self.has_law else self.has
