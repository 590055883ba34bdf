"""Vectors and rotations of parts, whose numbers are parameters or constants.

All functions take the array module `xp`, `jax.numpy` or `numpy`: with NumPy a machine is checked
before anything is traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import equinox as eqx
import jax
import numpy as np

from ..errors import UsageError

Number = float | jax.Array  # the value of a parameter, perhaps traced
Array = jax.Array | np.ndarray  # an array of `xp`
Numbers = Sequence[jax.Array]  # the coordinates of a joint, or their rates
Rotation = jax.Array | None  # the rotation of a joint that has one as coordinate
Spin = Array | None  # its angular velocity

_NAMED = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


class Vector(eqx.Module):
    """Three numbers: integers are constants, other numbers are differentiable parameters.

    Compiled code omits constants that are zero.
    """

    numbers: tuple[Any, ...]  # three, with None at a constant; or one array of all three
    constants: tuple[int | None, ...] = eqx.field(static=True)

    def array(self, xp: ModuleType) -> jax.Array:
        """Return the three numbers as one array."""
        if len(self.numbers) == 1:
            return xp.asarray(self.numbers[0], dtype=float)
        pairs = zip(self.numbers, self.constants)
        return xp.stack([xp.asarray(c if x is None else x, dtype=float) for x, c in pairs])

    @property
    def axis(self) -> tuple[int, int] | None:
        """(index, sign) of the axis if this is a constant unit vector along one, else None."""
        if len(self.constants) != 3 or None in self.constants:
            return None
        values: Any = self.constants
        which = [i for i in range(3) if values[i]]
        return (which[0], values[which[0]]) if len(which) == 1 and abs(sum(values)) == 1 else None


def vector(value: object) -> Vector | None:
    """Return a `Vector` from the name of an axis ("x", "-z"), three numbers or an array.

    None is returned unchanged.
    """
    if value is None or isinstance(value, Vector):
        return value
    if isinstance(value, str):
        sign, name = (-1, value[1:]) if value.startswith("-") else (1, value)
        if name not in _NAMED:
            raise UsageError(f"a direction is 'x', 'y', 'z', '-x', ... or three numbers: {value!r}")
        return Vector((None,) * 3, tuple(sign * k for k in _NAMED[name]))
    if isinstance(value, (jax.Array, np.ndarray)):
        return Vector((value,), (None,))
    if not isinstance(value, (tuple, list)) or len(value) != 3:
        raise UsageError(f"a point or direction has three numbers, got {value!r}")
    constant = tuple(x if type(x) is int else None for x in value)
    numbers = tuple(None if type(x) is int else number(x) for x in value)
    return Vector(numbers, constant)


class Entries(Sequence[Any]):
    """A slice of an array with lazy entries: entries that are not read are not traced."""

    def __init__(self, numbers: Any, first: int, count: int) -> None:
        self._numbers, self._first, self._count = numbers, first, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, i: Any) -> Any:
        if not -self._count <= i < self._count:
            raise IndexError(i)
        return self._numbers[self._first + i % self._count]

    def array(self) -> jax.Array:
        """Return the slice as an array."""
        return self._numbers[self._first : self._first + self._count]


def stacked(x: Sequence[Any], xp: ModuleType) -> jax.Array:
    """Return numbers as one array."""
    return x.array() if isinstance(x, Entries) else xp.stack(list(x))


def number(value: Any) -> Any:
    """Convert to a parameter: a Python float; arrays and traced values are unchanged."""
    if isinstance(value, (jax.Array, np.ndarray)) or value is None:
        return value
    try:
        if isinstance(value, (str, bool)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise UsageError(f"expected a number, got {value!r}") from None


def cross_matrix(w: Any, xp: ModuleType) -> jax.Array:
    """Return hat(w), the matrix with hat(w) a = w x a."""
    o = xp.zeros(())
    rows = ((o, -w[2], w[1]), (w[2], o, -w[0]), (-w[1], w[0], o))
    return xp.stack([xp.stack(row) for row in rows])


def turned(axis: Vector, angle: Number, xp: ModuleType) -> tuple[jax.Array, Array]:
    """Return (matrix of the rotation by an angle about an axis, unit vector of the axis)."""
    c, s = xp.cos(angle), xp.sin(angle)
    if axis.axis is not None:
        i, sign = axis.axis
        s, o, one = sign * s, xp.zeros(()), xp.ones(())
        rows = (
            ((one, o, o), (o, c, -s), (o, s, c)),
            ((c, o, s), (o, one, o), (-s, o, c)),
            ((c, -s, o), (s, c, o), (o, o, one)),
        )[i]
        return xp.stack([xp.stack(row) for row in rows]), sign * np.eye(3)[i]
    a = unit(axis.array(xp), xp)
    K = cross_matrix(a, xp)
    return np.eye(3) + s * K + (1 - c) * (K @ K), a


def rotation(axis: Any, angle: Number, xp: ModuleType) -> jax.Array:
    """Return the matrix of a rotation by an angle about an axis ("x", "-z", three numbers).

    `xp` is the array module, `jax.numpy` or `numpy`.
    """
    about = vector(axis)
    if about is None:
        raise UsageError("rotation: the axis is a direction such as 'z' or (0, 1, 1)")
    return turned(about, angle, xp)[0]


def unit(a: Any, xp: ModuleType) -> jax.Array:
    """Return the vector divided by its length."""
    return a / xp.sqrt(a @ a)


def direction(axis: Vector, xp: ModuleType) -> jax.Array:
    """Return the unit vector of an axis."""
    if axis.axis is not None:
        i, sign = axis.axis
        return sign * np.eye(3)[i]
    return unit(axis.array(xp), xp)


def inertia_matrix(value: Any, xp: ModuleType) -> jax.Array:
    """Return the inertia matrix from one moment, three moments, six entries, or a matrix.

    Six entries are (xx, yy, zz, xy, xz, yz). The last three are entries of the matrix, as in URDF,
    that is, minus the products of inertia.
    """
    if isinstance(value, (tuple, list)):
        entries = [xp.asarray(x, dtype=float) for x in value]
        if len(entries) == 3 and entries[0].ndim == 1:
            return xp.stack(entries)
    else:
        array = xp.asarray(value, dtype=float)
        if array.ndim == 2:
            return array
        entries = [array] * 3 if array.ndim == 0 else [array[i] for i in range(array.shape[0])]
    o = xp.zeros(())
    xx, yy, zz, xy, xz, yz = entries if len(entries) == 6 else (*entries, o, o, o)
    return xp.stack([xp.stack(row) for row in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))])
