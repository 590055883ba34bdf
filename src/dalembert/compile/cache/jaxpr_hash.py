"""Hash a jaxpr: equal in every process for code that computes the same in the same order.

By this hash the compiled code of a user's functions is found after they are traced, without
recording them as scalars. A jaxpr with something unknown in it has no hash.
"""

from __future__ import annotations

import enum
import hashlib
from typing import Any, TypeAlias

import jax
import numpy as np
from jax.core import Tracer

Jaxpr: TypeAlias = Any  # JAX exports no types for it

# parameters that say how JAX runs or differentiates a call, not what it computes
_SILENT = frozenset(
    "in_shardings out_shardings in_layouts out_layouts donated_invars ctx_mesh keep_unused inline "
    "compiler_options_kvs sharding out_sharding jvp_jaxpr_fun jvp_jaxpr_thunk fwd_jaxpr_thunk bwd "
    "out_trees symbolic_zeros jvp".split()
)


class _Unknown(Exception):
    """Something that may differ although its text does not."""


def digest_of(closed: Jaxpr, *words: str) -> str | None:
    """Return the hash of a closed jaxpr and some words; None if it would not be safe."""
    try:
        result = _Digest().closed(closed)
    except _Unknown:
        return None
    return hashlib.sha256("\0".join([result, *words]).encode()).hexdigest()


class _Digest:
    """Computes the hashes of jaxprs, each once."""

    def __init__(self) -> None:
        # id of a jaxpr -> (the jaxpr, so that its id is not reused; its hash)
        self._found: dict[int, tuple[Jaxpr, str]] = {}

    def closed(self, x: Jaxpr) -> str:
        return f"{self.jaxpr(x.jaxpr)} {' '.join(map(_array, x.consts))}"

    def jaxpr(self, x: Jaxpr) -> str:
        if id(x) not in self._found:
            self._found[id(x)] = x, self._looked_at(x)
        return self._found[id(x)][1]

    # Hash the equations in order; variables count by the order of their first appearance.
    def _looked_at(self, x: Jaxpr) -> str:
        if x.effects:
            raise _Unknown
        numbers: dict[Any, int] = {}
        digest = hashlib.sha256()

        def shown(v: Any) -> str:
            if hasattr(v, "val"):  # a literal
                return f"={_array(v.val)}:{v.aval.dtype}"
            number = numbers.setdefault(v, len(numbers))
            return f"{number}"

        def new(v: Any) -> str:
            return f"{shown(v)}:{v.aval.dtype}{v.aval.shape}"

        def say(*words: str) -> None:
            digest.update(" ".join(words).encode() + b"\n")

        say(*map(new, x.constvars), "|", *map(new, x.invars))
        for eqn in x.eqns:
            params = [f"{k}={self.param(v)}" for k, v in eqn.params.items() if k not in _SILENT]
            say(eqn.primitive.name, *map(shown, eqn.invars), *params, ">", *map(new, eqn.outvars))
        say("give", *map(shown, x.outvars))
        return digest.hexdigest()

    def param(self, x: Any) -> str:
        """Return the text of a parameter of an equation."""
        if x is None or isinstance(x, (bool, int, float, complex, str, bytes, np.dtype)):
            return repr(x)
        if isinstance(x, enum.Enum):
            return str(x)
        if hasattr(x, "jaxpr") and hasattr(x, "consts"):
            return self.closed(x)
        if hasattr(x, "eqns"):
            return self.jaxpr(x)
        if isinstance(x, (np.ndarray, np.generic, jax.Array)):
            return _array(x)
        if isinstance(x, (tuple, list)):
            name = type(x).__name__  # also for named tuples
            return f"{name}({', '.join(map(self.param, x))})"
        if isinstance(x, dict):
            return self.param(sorted(x.items()))
        if isinstance(x, type) and issubclass(x, np.generic):
            return x.__name__
        if type(x).__name__ == "FTTuple":  # JAX 0.11: how the arguments of a scan are divided
            return str(x)
        raise _Unknown


def _array(x: Any) -> str:
    if isinstance(x, Tracer):
        raise _Unknown
    array = np.asarray(x)
    if array.dtype.hasobject:
        raise _Unknown
    return f"{array.dtype}{array.shape}{hashlib.sha256(array.tobytes()).hexdigest()}"
