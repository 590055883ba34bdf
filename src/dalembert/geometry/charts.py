"""Where shape and group sit in a configuration: trivializations q = (r, g) of a system's space."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ..groupoids import Element
from ..groups import SE, SO, Euclidean, Group, Product
from ..system import Point


class Chart(abc.ABC):
    """A trivialization q = place(r, g) in which the group acts by g -> a g; hashable.

    The shape r lies in `base`: R^s, or any Lie group, whose velocities are left-trivialised,
    r' = r hat(w). That group only describes the shape; it is no symmetry.
    """

    # properties or fields of a dataclass: a subclass may choose
    base: Group
    group: Group

    @property
    def shape(self) -> int:
        """Dimension of shape space."""
        return self.base.dim

    @abc.abstractmethod
    def place(self, r: Point, g: Element) -> Point:
        """The configuration with shape r and group part g."""

    @abc.abstractmethod
    def split(self, q: Point) -> tuple[Point, Element]:
        """(r, g) of a configuration."""

    @abc.abstractmethod
    def frame(self, r: Point, g: Element) -> jax.Array:
        """The matrix that turns (w, xi), g' = g hat(xi), into the velocity of the system."""


@dataclasses.dataclass(frozen=True)
class ProductChart(Chart):
    """Some factors of a product are the shape, the others, in their order, the group."""

    space: Product
    indices: tuple[int, ...]  # of the factors that are the shape

    @property
    def base(self) -> Group:
        return _joined([self.space.factors[i] for i in self.indices])

    @property
    def group(self) -> Group:
        return _joined([self.space.factors[i] for i in self._others])

    @property
    def _others(self) -> tuple[int, ...]:
        return tuple(i for i in range(len(self.space.factors)) if i not in self.indices)

    def place(self, r, g):
        parts = dict(zip(self.indices, _listed(r, self.indices)))
        parts |= dict(zip(self._others, _listed(g, self._others)))
        return tuple(parts[i] for i in range(len(parts)))

    def split(self, q):
        r, g = ([q[i] for i in indices] for indices in (self.indices, self._others))
        return _unlisted(r), _unlisted(g)

    def frame(self, r, g):
        ends = np.cumsum([0, *(f.dim for f in self.space.factors)])
        order = [j for i in self.indices + self._others for j in range(ends[i], ends[i + 1])]
        return jnp.asarray(np.eye(self.space.dim)[:, order])


@dataclasses.dataclass(frozen=True)
class WholeChart(Chart):
    """No shape at all: the configuration is an element of the group, acting from the left."""

    group: Group
    base: Group = Euclidean(0)

    def place(self, r, g):
        return g

    def split(self, q):
        return jnp.zeros(0), q

    def frame(self, r, g):
        return jnp.eye(self.group.dim)


@dataclasses.dataclass(frozen=True)
class VerticalChart(Chart):
    """Turns about the vertical, and shifts along the ground, of bodies: SO(2) on SO(3), or SE(2) on
    Product(Euclidean(2), SO(3)).

    R = turn(angle) exp(r1, r2, 0) and x the place on the ground. The shape is where the vertical is
    in the body, R^T e3, by r in the plane: all directions but that of a body upside down, |r| = pi.
    """

    group: Group
    base: Group = Euclidean(2)

    def place(self, r, g):
        R = jnp.eye(3).at[:2, :2].set(g[:2, :2]) @ self._tilted(r)
        return R if self.group == SO(2) else (g[:2, 2], R)

    def split(self, q):
        x, R = (None, q) if self.group == SO(2) else q
        across = jnp.stack([R[2, 1], -R[2, 0]])  # sin(angle)/angle r
        square = across @ across
        sine = jnp.sqrt(jnp.where(square > 0, square, 1.0))
        angle = jnp.arctan2(sine, R[2, 2])
        r = across * jnp.where(square > 0, angle / sine, 1.0)
        turn = (R @ self._tilted(r).T)[:2, :2]
        if x is None:
            return r, turn
        return r, jnp.eye(3).at[:2, :2].set(turn).at[:2, 2].set(x)

    def frame(self, r, g):
        tilted = self._tilted(r)
        moved = jax.jacfwd(self._tilted)(r)  # [i, j, b]
        leaning = jax.vmap(lambda d: SO(3).vee(tilted.T @ d), 2, 1)(moved)
        turning = tilted[2][:, None]
        if self.group == SO(2):
            return jnp.concatenate([leaning, turning], axis=1)
        top = jnp.concatenate([jnp.zeros((2, 2)), g[:2, :2], jnp.zeros((2, 1))], axis=1)
        bottom = jnp.concatenate([leaning, jnp.zeros((3, 2)), turning], axis=1)
        return jnp.concatenate([top, bottom])

    def _tilted(self, r: jax.Array) -> jax.Array:
        return SO(3).exp(jnp.concatenate([r, jnp.zeros(1)]))


def vertical_chart(space: object, group: Group | None) -> VerticalChart | None:
    """The chart of turns about the vertical, if this is the group and the space has them."""
    turns = space == SO(3) and group == SO(2)
    moves = space == Product(Euclidean(2), SO(3)) and group == SE(2)
    return VerticalChart(group) if group is not None and (turns or moves) else None


def _joined(factors: Sequence[Group]) -> Group:
    return factors[0] if len(factors) == 1 else Product(*factors)


def _listed(x: Element, indices: tuple[int, ...]) -> Sequence[Element]:
    return [x] if len(indices) == 1 else x


def _unlisted(parts: list[Element]) -> Element:
    return parts[0] if len(parts) == 1 else tuple(parts)


@dataclasses.dataclass(frozen=True)
class CoordinateChart(Chart):
    """Some coordinates of R^n are the shape, the others coordinates of the group, in order.

    Translations for Euclidean(k), an angle for SO(2), (x, y, angle) for SE(2), and products.
    """

    indices: tuple[int, ...]  # of the shape
    others: tuple[int, ...]  # of the group
    group: Group

    @property
    def base(self) -> Group:
        return Euclidean(len(self.indices))

    def place(self, r, g):
        return self._order() @ jnp.concatenate([r, _coordinates(self.group, g)])

    def split(self, q):
        x = self._order().T @ q
        return x[: self.shape], _element(self.group, x[self.shape :])

    def frame(self, r, g):
        blocks = jax.scipy.linalg.block_diag(jnp.eye(self.shape), _rates(self.group, g))
        return self._order() @ blocks

    def _order(self) -> jax.Array:
        """The permutation from (shape, group) to the coordinates; a product compiles faster
        than a scatter."""
        return jnp.asarray(np.eye(self.shape + self.group.dim)[:, self.indices + self.others])


def _parts(group: Product, x: jax.Array) -> list[jax.Array]:
    ends = np.cumsum([f.dim for f in group.factors])[:-1]
    return jnp.split(x, ends)


def _coordinates(group: Group, g: Element) -> jax.Array:
    if isinstance(group, Product):
        return jnp.concatenate([_coordinates(f, x) for f, x in zip(group.factors, g)])
    if isinstance(group, Euclidean):
        return g
    angle = jnp.arctan2(g[1, 0], g[0, 0])
    return jnp.stack([angle] if group == SO(2) else [g[0, 2], g[1, 2], angle])


def _element(group: Group, x: jax.Array) -> Element:
    if isinstance(group, Product):
        return tuple(_element(f, y) for f, y in zip(group.factors, _parts(group, x)))
    if isinstance(group, Euclidean):
        return x
    turn = SO(2).exp(x[-1:])
    if group == SO(2):
        return turn
    return jnp.eye(3).at[:2, :2].set(turn).at[:2, 2].set(x[:2])


def _rates(group: Group, g: Element) -> jax.Array:
    """Matrix from xi to the rates of the coordinates."""
    if isinstance(group, Product):
        blocks = [_rates(f, x) for f, x in zip(group.factors, g)]
        return jax.scipy.linalg.block_diag(*blocks)
    if group == SE(2):
        return jax.scipy.linalg.block_diag(g[:2, :2], jnp.eye(1))
    return jnp.eye(group.dim)


def has_coordinates(group: Group) -> bool:
    """Whether `CoordinateChart` knows coordinates of the group."""
    if isinstance(group, Product):
        return all(has_coordinates(f) for f in group.factors)
    return isinstance(group, Euclidean) or group in (SO(2), SE(2))
