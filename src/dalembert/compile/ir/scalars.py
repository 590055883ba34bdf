"""Lanes: the numbers of an array one by one.

An array of lanes is a NumPy array of objects: NumPy numbers (known while recording) and values on
a tape.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np


def lanes_of(x: object) -> np.ndarray:
    """The lanes of an array of known numbers."""
    x = np.asarray(x)
    return filled(x.shape, x.flat)


def filled(shape: Sequence[int], values: Iterable[Any]) -> np.ndarray:
    """An array of lanes from its entries in order."""
    return np.fromiter(values, object, math.prod(shape)).reshape(shape)


def entries(lanes: np.ndarray) -> list[np.ndarray]:
    """Along the first axis, each still an array: of a 1-d one NumPy would give the bare object."""
    return [lanes[i : i + 1].reshape(lanes.shape[1:]) for i in range(lanes.shape[0])]
