"""Arrays of scalars, which stand for JAX arrays while a function is recorded.

An array of scalars is a NumPy array of objects. Each entry (`tape.Scalar`) is a NumPy number, known
while recording, or a value on a tape.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np


def scalars_of(x: object) -> np.ndarray:
    """Return an array of known numbers as an array of scalars."""
    x = np.asarray(x)
    return filled(x.shape, x.flat)


def filled(shape: Sequence[int], values: Iterable[Any]) -> np.ndarray:
    """Return an array of scalars of this shape from its entries in order."""
    return np.fromiter(values, object, math.prod(shape)).reshape(shape)


def entries(scalars: np.ndarray) -> list[np.ndarray]:
    """Return the slices along the first axis, each as an array.

    NumPy's own indexing would give bare objects for a 1-d array.
    """
    return [scalars[i : i + 1].reshape(scalars.shape[1:]) for i in range(scalars.shape[0])]
