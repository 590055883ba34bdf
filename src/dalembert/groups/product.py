"""Products of groups."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp

from ..errors import UsageError
from .group import ELEMENT_TOLERANCE, Element, Group, describe
from .matrices import block_diagonal, concatenate, cut


@dataclass(frozen=True, init=False)
class Product(Group):
    """The direct product G1 x G2 x ...: elements are tuples, algebra vectors are concatenated."""

    factors: tuple[Group, ...]

    def __init__(self, *factors: Group) -> None:
        for factor in factors:
            if not isinstance(factor, Group):
                raise UsageError(f"Product takes groups, e.g. Euclidean(2), SO(3); got {factor!r}")
        object.__setattr__(self, "factors", factors)

    def __repr__(self) -> str:
        return f"Product({', '.join(map(repr, self.factors))})"

    @property
    def dim(self) -> int:
        return sum(G.dim for G in self.factors)

    @property
    def size(self) -> int:
        return sum(G.size for G in self.factors)

    def identity(self) -> tuple[Element, ...]:
        return tuple(G.identity() for G in self.factors)

    def mul(self, a: Element, b: Element) -> tuple[Element, ...]:
        return self._map("mul", a, b)

    def inv(self, a: Element) -> tuple[Element, ...]:
        return self._map("inv", a)

    def hat(self, v: jax.Array) -> tuple[Element, ...]:
        return self._map("hat", self._parts(v))

    def vee(self, X: Element) -> jax.Array:
        return concatenate(self._map("vee", X))

    def exp(self, v: jax.Array) -> tuple[Element, ...]:
        return self._map("exp", self._parts(v))

    def log(self, g: Element) -> jax.Array:
        return concatenate(self._map("log", g))

    def cay(self, v: jax.Array) -> tuple[Element, ...]:
        return self._map("cay", self._parts(v))

    def cay_inv(self, g: Element) -> jax.Array:
        return concatenate(self._map("cay_inv", g))

    def Ad(self, g: Element) -> jax.Array:
        return block_diagonal(self._map("Ad", g))

    def ad(self, v: jax.Array) -> jax.Array:
        return block_diagonal(self._map("ad", self._parts(v)))

    def dexp(self, v: jax.Array) -> jax.Array:
        return block_diagonal(self._map("dexp", self._parts(v)))

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return block_diagonal(self._map("dexp_inv", self._parts(v)))

    def dcay(self, v: jax.Array) -> jax.Array:
        return block_diagonal(self._map("dcay", self._parts(v)))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return block_diagonal(self._map("dcay_inv", self._parts(v)))

    def project(self, g: Element) -> tuple[Element, ...]:
        return self._map("project", g)

    def polish(self, g: Element) -> tuple[Element, ...]:
        return self._map("polish", g)

    def is_element(self, g: Element, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        inside = [G.is_element(x, tol) for G, x in zip(self.factors, g, strict=True)]
        return functools.reduce(operator.and_, inside, jnp.array(True))

    def random(self, key: jax.Array) -> tuple[Element, ...]:
        return self._map("random", [jax.random.fold_in(key, i) for i in range(len(self.factors))])

    def flatten(self, g: Element) -> jax.Array:
        return concatenate(self._map("flatten", g))

    def unflatten(self, x: jax.Array) -> tuple[Element, ...]:
        return self._map("unflatten", cut(x, [G.size for G in self.factors]))

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        """Return names of the entries, with the number of the factor if names would be equal."""
        plain = [name for G in self.factors for name in G.element_names(prefix)]
        if len(set(plain)) == len(plain):
            return tuple(plain)
        numbered = (G.element_names(f"{prefix}{i}_") for i, G in enumerate(self.factors))
        return tuple(name for names in numbered for name in names)

    def check(self, q: Element, name: str = "q") -> tuple[Element, ...]:
        if not isinstance(q, Sequence) or isinstance(q, str) or len(q) != len(self.factors):
            raise UsageError(
                f"{name}: an element of {self!r} is a tuple of {len(self.factors)} elements, "
                f"one for each factor; got {describe(q)}"
            )
        each = zip(self.factors, q, strict=True)
        return tuple(G.check(x, f"{name}[{i}]") for i, (G, x) in enumerate(each))

    def _map(self, method: str, *args: Sequence[Element]) -> tuple[Element, ...]:
        each = zip(self.factors, *args, strict=True)
        return tuple(getattr(G, method)(*xs) for G, *xs in each)

    def _parts(self, v: jax.Array) -> list[jax.Array]:
        return cut(v, [G.dim for G in self.factors])
