"""Configuration spaces as JSON, so that a file describes the space of its rows.

    SO(3)                                 {"kind": "SO", "n": 3}
    Reduced(Euclidean(2), SO(3))          {"kind": "Reduced", "base": {"kind": "Euclidean", "n": 2},
                                           "group": {"kind": "SO", "n": 3}, "tau": "cay"}

Only spaces of the library have a description; nothing in a file ever names code to be run.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..errors import UsageError
from ..groupoids import Groupoid, LieGroup, Pair, Reduced
from ..groups import (
    SE,
    SO,
    Euclidean,
    Group,
    Lorentz,
    Product,
    Quadratic,
    QuadraticGroup,
    Sp,
    SpecialEuclidean,
    SpecialOrthogonal,
)

Space = Group | Groupoid


class _Kind(NamedTuple):
    cls: type
    make: Callable[..., Any]  # makes the space from its fields, by position
    fields: tuple[str, ...]


_KINDS: Mapping[str, _Kind] = {
    "Euclidean": _Kind(Euclidean, Euclidean, ("n",)),
    "SO": _Kind(SpecialOrthogonal, SO, ("n",)),
    "SE": _Kind(SpecialEuclidean, SE, ("n",)),
    "Quadratic": _Kind(QuadraticGroup, Quadratic, ("form", "label")),
    "Product": _Kind(Product, lambda factors: Product(*factors), ("factors",)),
    "Pair": _Kind(Pair, Pair, ("space", "tau")),
    "LieGroup": _Kind(LieGroup, LieGroup, ("group", "tau")),
    "Reduced": _Kind(Reduced, Reduced, ("base", "group", "tau")),
}


def space_to_json(space: Space) -> str:
    """Return the description of a space; empty for one that the library cannot restore."""
    try:
        described = _encode(space)
        # a user's subclass may differ from its base class
        return json.dumps(described) if _decode(described) == space else ""
    except (TypeError, ValueError):
        return ""


def space_from_json(text: str) -> Space | None:
    """Invert `space_to_json`; return None for an empty text."""
    return _decode(json.loads(text)) if text else None


def _encode(x: object) -> Any:
    if isinstance(x, (int, float, str)):
        return x
    if isinstance(x, tuple):
        return [_encode(item) for item in x]
    for name, kind in _KINDS.items():
        if isinstance(x, kind.cls):
            return {"kind": name} | {k: _encode(getattr(x, k)) for k in kind.fields}
    raise TypeError(f"{x!r} has no description")


def _decode(x: Any) -> Any:
    if isinstance(x, list):
        return tuple(_decode(item) for item in x)
    if not isinstance(x, dict):
        return x
    if x.get("kind") not in _KINDS:
        raise UsageError(f"{x.get('kind')!r} is not a space of the library")
    kind = _KINDS[x["kind"]]
    return kind.make(*(_decode(x[k]) for k in kind.fields))


# -- files without a description -----------------------------------------------------------------

_NAMED: Mapping[str, Callable[..., Any]] = {
    f.__name__: f for f in (Euclidean, SO, SE, Sp, Lorentz, Product, Pair, LieGroup, Reduced)
}


def json_of_older_files(text: str) -> str:
    """Return the description from the `repr` of a space, which is all that older files have."""
    try:
        return space_to_json(_parsed(ast.parse(text, mode="eval").body))
    except (SyntaxError, ValueError, TypeError):
        return ""


def _parsed(node: Any) -> Any:
    """Return the space that a text such as `Product(Euclidean(2), SO(3))` names.

    Only known names are accepted; no other code is ever run.
    """
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMED:
        named = {k.arg: _parsed(k.value) for k in node.keywords if k.arg}
        return _NAMED[node.func.id](*map(_parsed, node.args), **named)
    raise ValueError(ast.dump(node))
