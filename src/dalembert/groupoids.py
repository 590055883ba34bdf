"""Lie groupoids: the spaces of discrete steps.

Every method of the library is written once, in terms of these operations: `source`, `target`,
`unit`, `mul`, `inv`, and a local section `curve(x, v)` of the source fibre with
`curve(x, 0) = unit(x)` and derivative v there. `coordinates` is the inverse of `curve`. Everything
else (the bracket of the algebroid, the velocity of the coordinates) follows by differentiation; the
groupoids below define closed forms for speed.

| groupoid                | elements    | composes as                             |
|-------------------------|-------------|-----------------------------------------|
| `Pair(space)`           | (q0, q1)    | (q0, q1)(q1, q2) = (q0, q2)             |
| `LieGroup(group)`       | g           | the group product                       |
| `Reduced(base, group)`  | (x0, x1, g) | (x0, x1, g)(x1, x2, h) = (x0, x2, g h)  |
| `Action(base, group)`   | (x, g)      | (x, g)(g^-1 x, h) = (x, g h)            |

Elements with two points also store the move between them (`Arrow`): far from the origin, the
difference of the points would lose its digits by cancellation.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

from .doors import guard as _guard
from .errors import UsageError
from .groups import Euclidean, Group

Element = Any  # element of a groupoid; its parts are points and elements of groups
Point = Any  # point of the base: an array, or a tuple of arrays on a product
T = TypeVar("T")


class Groupoid(abc.ABC):
    """A Lie groupoid over `base`; subclass it and define the operations.

    `dim` is the dimension of the source fibres, and so the length of a velocity. `group` is the
    symmetry group of the reduction (R^0 without reduction). `frame(g)` is the part of an element in
    that group; the product of the frames along a trajectory is the reconstruction.
    """

    # a subclass may define these as class attributes, properties or dataclass fields
    dim: int
    base: Group
    group: Group = Euclidean(0)
    straight: bool = False  # whether s -> target(curve(x, s v)) is a one-parameter family

    @abc.abstractmethod
    def source(self, g: Element) -> Point:
        """Return the point where g starts."""

    @abc.abstractmethod
    def target(self, g: Element) -> Point:
        """Return the point where g ends."""

    @abc.abstractmethod
    def unit(self, x: Point) -> Element:
        """Return the identity element at x."""

    @abc.abstractmethod
    def mul(self, g: Element, h: Element) -> Element:
        """Return the product, g followed by h; requires target(g) = source(h)."""

    @abc.abstractmethod
    def inv(self, g: Element) -> Element:
        """Return the inverse of g, from target(g) to source(g)."""

    @abc.abstractmethod
    def curve(self, x: Point, v: jax.Array) -> Element:
        """Return an element from x in direction v: `curve(x, 0) = unit(x)`, derivative v there."""

    def coordinates(self, g: Element) -> jax.Array:
        """Return v with `curve(source(g), v) = g`; the rules of discrete Lagrangians need it."""
        raise UsageError(
            f"{type(self).__name__} does not define `coordinates`; define it, or write your own "
            "discrete Lagrangian"
        )

    def frame(self, g: Element) -> Element:
        """Return the part of g in the symmetry group of the reduction."""
        return self.group.identity()

    def part(self, g: Element) -> Any:
        """Return g without its source, as arrays from which `arrow` restores g.

        By default the arrays are coordinates; on groups, the group element, so that no chart limits
        the size of a step.
        """
        return self.coordinates(g)

    def arrow(self, x: Point, part: Any) -> Element:
        """Return the element from x with this `part`."""
        return self.curve(x, part)

    def anchor(self, x: Point, v: jax.Array) -> jax.Array:
        """Return the anchor of the algebroid: the velocity of the base point x for the velocity v.

        Left-trivialised where the base is a group: x' = x hat(anchor). For `Pair` the anchor is v,
        for `Reduced` the part of v in the base, for `Action` -v x.
        """
        back = self.base.inv(x)

        def moved(s: jax.Array) -> jax.Array:
            return self.base.log(self.base.mul(back, self.target(self.curve(x, s * v))))

        return jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]

    def left_invariant(self, g: Element, v: jax.Array) -> Element:
        """Return the left-invariant field of v at g: d/ds of g curve(target, s v) at s = 0.

        v belongs to the target of g. The result is a tangent vector at g, with the structure of g
        (8.1 [F15]); the derivative of Ld along it is the pairing of v with F+ of Ld,
        `discrete_legendre(...).plus`.
        """
        end = self.target(g)
        zero, one = jnp.zeros(()), jnp.ones(())
        return jax.jvp(lambda s: self.mul(g, self.curve(end, s * v)), (zero,), (one,))[1]

    def right_invariant(self, g: Element, v: jax.Array) -> Element:
        """Return the right-invariant field of v at g: minus d/ds of curve(source, s v)^-1 g.

        v belongs to the source of g; the derivative of Ld along it is the pairing of v with F-.
        """
        start = self.source(g)
        zero, one = jnp.zeros(()), -jnp.ones(())
        return jax.jvp(lambda s: self.mul(self.inv(self.curve(start, s * v)), g), (zero,), (one,))[
            1
        ]

    def ad(self, x: Point, u: jax.Array) -> jax.Array:
        """Return the matrix of v -> [u, v], the bracket of the algebroid, for constant sections.

        It follows from the group law by differentiation: the symmetric part of the mixed second
        derivative of curve(x, u) curve(., v) depends on the section and cancels.
        """

        def product(a: jax.Array, b: jax.Array) -> jax.Array:
            g = self.curve(x, a)
            return ravel_pytree(self.mul(g, self.curve(self.target(g), b)))[0]

        zero = jnp.zeros(self.dim)
        tangent = jax.jacfwd(lambda w: ravel_pytree(self.curve(x, w))[0])(zero)
        mixed = jax.jacfwd(jax.jacfwd(product, 1), 0)(zero, zero)  # [entry, b, a]
        bracket = jnp.einsum("ebc,c->eb", mixed - jnp.swapaxes(mixed, 1, 2), u)
        return jnp.linalg.pinv(tangent) @ bracket

    def coordinate_velocity(self, x: Point, y: jax.Array, v: jax.Array) -> jax.Array:
        """Return dy/dt if g = curve(x, y) moves with velocity v at its target, g' = g v."""
        tangent = jax.jacfwd(lambda w: ravel_pytree(self.curve(x, w))[0])(y)
        g = self.curve(x, y)
        _, moved = jax.jvp(
            lambda s: ravel_pytree(self.mul(g, self.curve(self.target(g), s * v)))[0],
            (jnp.zeros(()),),
            (jnp.ones(()),),
        )
        return jnp.linalg.pinv(tangent) @ moved


def move(groupoid: Groupoid, x: Point, v: jax.Array) -> Point:
    """Return the base point reached from x along `curve(x, v)`."""
    return groupoid.target(groupoid.curve(x, v))


def directional(groupoid: Groupoid, f: Callable[[Point], T], x: Point, v: jax.Array) -> T:
    """Return the derivative of f(x) along v, through the anchor of the algebroid."""
    zero = jnp.zeros(())
    return jax.jvp(lambda s: f(move(groupoid, x, s * v)), (zero,), (jnp.ones(()),))[1]


def gradient(groupoid: Groupoid, f: Callable[[Point], jax.Array], x: Point) -> jax.Array:
    """Return the covector v -> derivative of the scalar f along v at x."""
    return jax.grad(lambda v: f(move(groupoid, x, v)))(jnp.zeros(groupoid.dim))


class Arrow(tuple):
    """(x0, x1), or (x0, x1, g), with `move`, the group element x0^-1 x1 between the points."""

    move: Element

    def __new__(cls, parts: Iterable[Any], move: Element) -> Arrow:
        made = super().__new__(cls, parts)
        made.move = move
        return made


jax.tree_util.register_pytree_node(
    Arrow, lambda g: ((tuple(g), g.move), None), lambda _, parts: Arrow(*parts)
)


def _move(space: Group, g: Element) -> Element:
    """Return the move that an element stores; for a plain tuple, the difference of its points."""
    return g.move if isinstance(g, Arrow) else space.mul(space.inv(g[0]), g[1])


def _is_straight(tau: str, *groups: Group) -> bool:
    return tau == "exp" or all(isinstance(group, Euclidean) for group in groups)


def _check_tau(tau: str) -> None:
    if tau not in ("cay", "exp"):
        raise UsageError(f"tau must be 'cay' or 'exp', got {tau!r}")


def _tau(group: Group, tau: str, v: jax.Array) -> Element:
    return group.cay(v) if tau == "cay" else group.exp(v)


def _tau_inv(group: Group, tau: str, g: Element) -> jax.Array:
    return group.cay_inv(g) if tau == "cay" else group.log(g)


def _left_rate(group: Group, tau: str, y: jax.Array, v: jax.Array) -> jax.Array:
    """Return dy/dt for tau(y)' = tau(y) v; the left-trivialised inverse tangent is dtau^-1_{-y}."""
    inverse = group.dcay_inv(-y) if tau == "cay" else group.dexp_inv(-y)
    return inverse @ v


@dataclasses.dataclass(frozen=True)
class Pair(Groupoid):
    """Pairs (q0, q1) of points of `space`, with left-trivialised fibres: no chart is needed.

    `tau` is the map from velocities to moves on rotations: "cay" (the Cayley map, rational, used in
    [F15]) or "exp". It is part of the discrete Lagrangian of GNI and DLA: with the Cayley map a
    spinning body lags behind by about (h |w|)^2/3 of its rotation. For a ball on a turning table
    with h = 0.02, the error after 20 s is 13 degrees with "cay" and 0.02 degrees with "exp". With
    "exp", steps take 7 % longer with GNI and as long with DLA; code that is compiled first takes
    1.4 times as long. `Gauss`, the default method, uses `tau` as a chart only: it is as accurate
    with either (0.0002 degrees), but 1.6 times slower with "exp". The default is therefore "cay";
    use "exp" for GNI and DLA if attitudes matter (`python benchmarks/attitude.py` measures these
    numbers).
    """

    space: Group
    tau: str = "cay"

    def __post_init__(self) -> None:
        _check_tau(self.tau)

    @property
    def straight(self) -> bool:
        return _is_straight(self.tau, self.space)

    @property
    def dim(self) -> int:
        return self.space.dim

    @property
    def base(self) -> Group:
        return self.space

    def source(self, g):
        return g[0]

    def target(self, g):
        return g[1]

    def unit(self, x):
        return Arrow((x, x), self.space.identity())

    def mul(self, g, h):
        return Arrow((g[0], h[1]), self.space.mul(_move(self.space, g), _move(self.space, h)))

    def inv(self, g):
        return Arrow((g[1], g[0]), self.space.inv(_move(self.space, g)))

    def curve(self, x, v):
        move = _tau(self.space, self.tau, v)
        return Arrow((x, self.space.mul(x, move)), move)

    def coordinates(self, g):
        return _tau_inv(self.space, self.tau, _move(self.space, g))

    def part(self, g):
        return _move(self.space, g)

    def arrow(self, x, part):
        return Arrow((x, self.space.mul(x, part)), part)

    def ad(self, x, u):
        return self.space.ad(u)

    def coordinate_velocity(self, x, y, v):
        return _left_rate(self.space, self.tau, y, v)


@dataclasses.dataclass(frozen=True)
class LieGroup(Groupoid):
    """A group as a groupoid over one point, for systems on a group reduced by all of it."""

    group: Group
    tau: str = "cay"
    base = Euclidean(0)

    def __post_init__(self) -> None:
        _check_tau(self.tau)

    @property
    def straight(self) -> bool:
        return _is_straight(self.tau, self.base)

    @property
    def dim(self) -> int:
        return self.group.dim

    def source(self, g):
        return jnp.zeros(0)

    def target(self, g):
        return jnp.zeros(0)

    def unit(self, x):
        return self.group.identity()

    def mul(self, g, h):
        return self.group.mul(g, h)

    def inv(self, g):
        return self.group.inv(g)

    def curve(self, x, v):
        return _tau(self.group, self.tau, v)

    def coordinates(self, g):
        return _tau_inv(self.group, self.tau, g)

    def frame(self, g):
        return g

    def part(self, g):
        return g

    def arrow(self, x, part):
        return part

    def ad(self, x, u):
        return self.group.ad(u)

    def coordinate_velocity(self, x, y, v):
        return _left_rate(self.group, self.tau, y, v)


@dataclasses.dataclass(frozen=True)
class Reduced(Groupoid):
    """Elements (x0, x1, g) over `base`; the velocity is (x', xi) with xi in the Lie algebra."""

    base: Group
    group: Group
    tau: str = "cay"

    def __post_init__(self) -> None:
        _check_tau(self.tau)

    @property
    def straight(self) -> bool:
        return _is_straight(self.tau, self.base)

    @property
    def dim(self) -> int:
        return self.base.dim + self.group.dim

    def _split(self, v):
        return v[: self.base.dim], v[self.base.dim :]

    def source(self, g):
        return g[0]

    def target(self, g):
        return g[1]

    def unit(self, x):
        return Arrow((x, x, self.group.identity()), self.base.identity())

    def mul(self, g, h):
        move = self.base.mul(_move(self.base, g), _move(self.base, h))
        return Arrow((g[0], h[1], self.group.mul(g[2], h[2])), move)

    def inv(self, g):
        return Arrow((g[1], g[0], self.group.inv(g[2])), self.base.inv(_move(self.base, g)))

    def curve(self, x, v):
        base, xi = self._split(v)
        move = _tau(self.base, self.tau, base)
        return Arrow((x, self.base.mul(x, move), _tau(self.group, self.tau, xi)), move)

    def coordinates(self, g):
        base = _tau_inv(self.base, self.tau, _move(self.base, g))
        return jnp.concatenate([base, _tau_inv(self.group, self.tau, g[2])])

    def frame(self, g):
        return g[2]

    def part(self, g):
        return _move(self.base, g), g[2]

    def arrow(self, x, part):
        move, g = part
        return Arrow((x, self.base.mul(x, move), g), move)

    def ad(self, x, u):
        base, xi = self._split(u)
        return jax.scipy.linalg.block_diag(self.base.ad(base), self.group.ad(xi))

    def coordinate_velocity(self, x, y, v):
        (yb, yg), (vb, vg) = self._split(y), self._split(v)
        return jnp.concatenate(
            [_left_rate(self.base, self.tau, yb, vb), _left_rate(self.group, self.tau, yg, vg)]
        )


@dataclasses.dataclass(frozen=True)
class Action(Groupoid):
    """Elements (x, g) from x to g^-1 x: the action groupoid of a group that acts on R^n.

    It describes a reduction with an advected parameter x. The velocity is xi in the Lie algebra,
    and x' = -xi x: the group moves the parameter that L depends on besides xi. An example is a
    heavy body, where x is the direction of gravity seen from the body. `act(g, x)` is g x, by
    default the product of a matrix and a vector.
    """

    base: Group
    group: Group
    act: Callable[[Element, Point], Point] | None = None
    tau: str = "cay"

    def __post_init__(self) -> None:
        _check_tau(self.tau)

    @property
    def straight(self) -> bool:
        return self.tau == "exp"

    @property
    def dim(self) -> int:
        return self.group.dim

    def _moved(self, g, x):
        return g @ x if self.act is None else self.act(g, x)

    def source(self, g):
        return g[0]

    def target(self, g):
        return self._moved(self.group.inv(g[1]), g[0])

    def unit(self, x):
        return (x, self.group.identity())

    def mul(self, g, h):
        return (g[0], self.group.mul(g[1], h[1]))

    def inv(self, g):
        return (self.target(g), self.group.inv(g[1]))

    def curve(self, x, v):
        return (x, _tau(self.group, self.tau, v))

    def coordinates(self, g):
        return _tau_inv(self.group, self.tau, g[1])

    def frame(self, g):
        return g[1]

    def part(self, g):
        return g[1]

    def arrow(self, x, part):
        return (x, part)

    def ad(self, x, u):
        return self.group.ad(u)

    def coordinate_velocity(self, x, y, v):
        return _left_rate(self.group, self.tau, y, v)


_guard(globals())
