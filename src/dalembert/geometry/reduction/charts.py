"""Trivializations q = (r, g): charts that split a configuration into shape and group element."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ...groupoids import Element
from ...groups import SE, SO, Euclidean, Group, Product
from ...system import Point
from ..distribution.growth_flag import ROUGH


def slope_along(
    L: Callable[[jax.Array, jax.Array, jax.Array], jax.Array],
    x: jax.Array,
    eta: jax.Array,
    v: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Return the largest derivative of L along eta, relative, and the size that it was divided by.

    The size is that of all first derivatives of L. The value of L enters only with a small factor,
    as an estimate of round-off: a large constant in L must not hide a derivative.
    """
    value, (by_x, along, by_v) = jax.value_and_grad(L, argnums=(0, 1, 2))(x, eta, v)
    size = jnp.linalg.norm(by_x) + jnp.linalg.norm(along)
    size = size + jnp.linalg.norm(by_v) * jnp.linalg.norm(v)
    size = jnp.maximum(size, ROUGH * jnp.abs(value))
    return jnp.max(jnp.abs(along), initial=0.0) / jnp.where(size > 0, size, 1.0), size


class Chart(abc.ABC):
    """A trivialization q = place(r, g) in which the group acts by g -> a g; hashable.

    The shape r lies in `base`: R^s, or any Lie group, whose velocities are left-trivialised,
    r' = r hat(w). That group only describes the shape; it is not a symmetry group.
    """

    # a subclass may define these as properties or as dataclass fields
    base: Group
    group: Group

    @property
    def shape(self) -> int:
        """Dimension of shape space."""
        return self.base.dim

    @abc.abstractmethod
    def place(self, r: Point, g: Element) -> Point:
        """Return the configuration with shape r and group element g."""

    @abc.abstractmethod
    def split(self, q: Point) -> tuple[Point, Element]:
        """Return (r, g) of a configuration."""

    @abc.abstractmethod
    def frame(self, r: Point, g: Element) -> jax.Array:
        """Return the matrix from (w, xi), with g' = g hat(xi), to the velocity of the system."""


@dataclasses.dataclass(frozen=True)
class ProductChart(Chart):
    """Chart of a product: some factors are the shape, the others in their order are the group."""

    space: Product
    indices: tuple[int, ...]  # indices of the factors that form the shape

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
    """Chart without shape: the configuration is a group element; the group acts from the left."""

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
    """Chart of a rigid body for rotations about the vertical and translations along the ground.

    The group is SO(2) acting on SO(3), or SE(2) acting on Product(Euclidean(2), SO(3)).
    R = turn(angle) exp(r1, r2, 0), and x is the position on the ground. The shape is the direction
    of the vertical in the body, R^T e3, given by r in the plane. The chart covers all directions
    except that of a body upside down, |r| = pi.
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
    """Return the chart of rotations about the vertical, or None if space and group do not match."""
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
    """Chart of R^n: some coordinates are the shape, the others in order are those of the group.

    Group coordinates: translations for Euclidean(k), an angle for SO(2), (x, y, angle) for SE(2),
    and products of these.
    """

    indices: tuple[int, ...]  # coordinates of the shape
    others: tuple[int, ...]  # coordinates of the group
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
        """Permutation matrix from (shape, group) to the coordinates.

        A matrix product compiles faster than a scatter.
        """
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
    """Return the matrix that maps xi to the time derivatives of the coordinates."""
    if isinstance(group, Product):
        blocks = [_rates(f, x) for f, x in zip(group.factors, g)]
        return jax.scipy.linalg.block_diag(*blocks)
    if group == SE(2):
        return jax.scipy.linalg.block_diag(g[:2, :2], jnp.eye(1))
    return jnp.eye(group.dim)


def has_coordinates(group: Group) -> bool:
    """Return whether `CoordinateChart` knows coordinates of the group."""
    if isinstance(group, Product):
        return all(has_coordinates(f) for f in group.factors)
    return isinstance(group, Euclidean) or group in (SO(2), SE(2))
