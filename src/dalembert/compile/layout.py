"""Pack a tree of arrays into one vector, which is what compiled code takes and returns."""

from __future__ import annotations

import itertools
import math
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

Tree: TypeAlias = Any  # a PyTree: an array, or tuples, mappings and modules with arrays inside


class Layout:
    """Positions of the arrays of a pytree in one vector of doubles.

    Integers and flags are exact as doubles.
    """

    def __init__(self, tree: Tree) -> None:
        leaves, self.tree = jax.tree.flatten(tree)
        self.avals = [jax.ShapeDtypeStruct(np.shape(x), _type(x)) for x in leaves]
        self.sizes = [math.prod(a.shape) for a in self.avals]
        self.ends = list(itertools.accumulate(self.sizes, initial=0))
        self.width = self.ends[-1]
        # For each leaf: its place in the vector (the index of a scalar, the slice of an array), its
        # shape (None for scalars and vectors) and its type (None for doubles).
        self._cuts: list[tuple[Any, tuple[int, ...] | None, Any]] = [
            (
                a if not aval.shape else slice(a, b),
                aval.shape if len(aval.shape) > 1 else None,
                None if aval.dtype == float else aval.dtype,
            )
            for a, b, aval in zip(self.ends, self.ends[1:], self.avals)
        ]
        self._key = (self.tree, *((a.shape, a.dtype) for a in self.avals))
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def pack(self, tree: Tree) -> jax.Array:
        """Return the entries of all arrays of the tree as one vector."""
        parts = [jnp.ravel(jnp.asarray(x)).astype(float) for x in jax.tree.leaves(tree)]
        return jnp.concatenate(parts) if parts else jnp.zeros(0)

    def pack_numpy(self, tree: Tree) -> np.ndarray:
        """Return the same vector by NumPy, without JAX; no entry may be traced."""
        leaves = jax.tree.leaves(tree)
        out = np.empty(self.width)
        at = 0
        for x, n in zip(leaves, self.sizes, strict=True):
            out[at : at + n] = np.ravel(np.asarray(x))
            at += n
        return out

    def pack_rows(self, tree: Tree, count: int) -> np.ndarray:
        """Return `count` packed trees, one in each row.

        Arrays have a leading axis of length `count`, or they are the same in all rows.
        """
        out = np.empty((count, self.width))
        for x, aval, a, b in zip(jax.tree.leaves(tree), self.avals, self.ends, self.ends[1:]):
            x = np.asarray(x)
            rows = count if x.ndim > len(aval.shape) else 1
            out[:, a:b] = x.reshape(rows, b - a)
        return out

    def leaves(self, rows: Any) -> list[Any]:
        """Return the leaves of the tree that is packed in a vector, all of them as doubles."""
        ends = self.ends
        return [
            rows[..., a:b].reshape((*rows.shape[:-1], *aval.shape))
            for a, b, aval in zip(ends, ends[1:], self.avals)
        ]

    def unpack(self, rows: Any) -> Tree:
        """Return the tree of a vector; leading axes of `rows` become leading axes of each array."""
        leaves = []
        for cut, shape, kind in self._cuts:
            x = rows[..., cut]
            if shape is not None:
                x = x.reshape((*rows.shape[:-1], *shape))
            leaves.append(x if kind is None else x.astype(kind, copy=False))
        return jax.tree.unflatten(self.tree, leaves)

    def example(self) -> Tree:
        """Return the tree with shapes and types (`ShapeDtypeStruct`) in place of arrays."""
        return jax.tree.unflatten(self.tree, self.avals)

    def zeros(self) -> Tree:
        """Return the tree with NumPy zeros in place of arrays."""
        return jax.tree.unflatten(self.tree, [np.zeros(a.shape, a.dtype) for a in self.avals])

    def describe(self) -> str:
        """Describe shapes, types and absent leaves by a text that is the same in every process."""
        leaves = jax.tree.leaves(self.example(), is_leaf=lambda x: x is None)
        return " ".join("-" if x is None else f"{x.dtype}{list(x.shape)}" for x in leaves)


def _type(x: Tree) -> Tree:
    return x.dtype if hasattr(x, "dtype") else jnp.result_type(x)
