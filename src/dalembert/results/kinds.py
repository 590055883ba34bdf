"""Names of the types that results hold: JSON documents, trees of arrays, what selects rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Document = dict[str, Any]  # a JSON object, as it is read from a file or written to one
Facts = Mapping[str, Any]  # the same, not to be changed
Tree = Any  # an array, or a tuple of trees: points of products, elements of groupoids
Selection = Any  # what NumPy takes between brackets: an integer, a slice, an array
