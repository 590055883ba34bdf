"""Parameters of a system: fields with a unit, a sentence and a check of their values."""

from __future__ import annotations

import dataclasses
from typing import Any

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from .errors import UsageError

PARAMETER = "dalembert"  # key of a field's metadata


def parameter(
    default: object = dataclasses.MISSING,
    unit: str = "1",
    doc: str = "",
    *,
    positive: bool = False,
    nonnegative: bool = False,
    shape: tuple[int, ...] | None = (),
) -> Any:  # a type checker compares this type with the annotation of the field
    """Declare a field of a system with a unit, a sentence of documentation and a value check.

    `shape=None` allows any shape; if the default is an array, its shape is required. Values under
    a JAX transformation are not known and are not checked.
    """
    kwargs: dict[str, Any] = {} if default is dataclasses.MISSING else {"default": default}
    # a dataclass refuses mutable defaults, so arrays are given by a factory
    if isinstance(default, (jax.Array, np.ndarray, list, tuple)):
        shape = np.shape(default) if shape == () else shape
        kwargs = {"default_factory": lambda: default}
    elif isinstance(default, (dict, set, str)):
        raise UsageError(f"a parameter is a number, or an array of numbers; got {default!r}")
    spec = Spec(unit, doc, positive, nonnegative, shape)
    return eqx.field(converter=_as_real, metadata={PARAMETER: spec}, **kwargs)


@dataclasses.dataclass(frozen=True)
class Spec:
    """Unit, documentation and allowed values of a parameter."""

    unit: str = "1"
    doc: str = ""
    positive: bool = False
    nonnegative: bool = False
    shape: tuple[int, ...] | None = None


def _as_real(value: object) -> object:
    """Convert a number to float and a sequence to an array; JAX arrays are unchanged."""
    # None must pass: NumPy would turn it into NaN
    if isinstance(value, jax.Array) or value is None:
        return value
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        # `System.__check_init__` reports a value that is not numeric, with the name of its field.
        return value
    return float(array) if array.ndim == 0 else jnp.asarray(array)


def named_values(module: eqx.Module) -> dict[str, object]:
    """Return the fields of a system and of its parts by name, as plain numbers and lists."""
    result: dict[str, object] = {}
    for f in dataclasses.fields(module):
        value = getattr(module, f.name)
        # a part, such as a control policy: its fields are parameters, too
        if isinstance(value, eqx.Module):
            result |= {f"{f.name}.{k}": v for k, v in named_values(value).items()}
        else:
            result[f.name] = plain(value)
    return result


# Largest array that is written as a list. Each entry of a list is a leaf for JAX: a table with 10^5
# entries would cost seconds in every result.
_LISTED = 64


def plain(value: object) -> object:
    """Return a value as a number, a list of numbers (an array if it is long), or its repr."""
    if isinstance(value, (jax.Array, np.ndarray)):
        array = np.asarray(value)
        return array.tolist() if array.size <= _LISTED else array
    if isinstance(value, (int, float, str, bool)) or value is None:
        return value
    return repr(value)


def check_number(owner: str, name: str, value: object) -> None:
    """Raise `UsageError` unless the value of a `float` field is a number; JAX objects pass."""
    if isinstance(value, (str, bytes, complex, np.complexfloating)) or value is None:
        raise UsageError(f"{owner}: '{name}' must be a real number, got {value!r:.60}")
    if isinstance(value, int) and value.bit_length() > 1023:
        raise UsageError(f"{owner}: '{name}' must be a number that a double can hold")


def check_value(owner: str, name: str, value: object, spec: Spec) -> None:
    """Raise `UsageError` for a value that the field does not allow; traced values pass."""
    if isinstance(value, jax.core.Tracer):
        return
    where = f"{owner}: parameter '{name}'"
    if not isinstance(value, (float, jax.Array)):
        raise UsageError(f"{where} must be a real number, got {value!r:.60}")
    array = np.asarray(value)
    if spec.shape is not None and array.shape != spec.shape:
        # in a batch of systems each value has one more axis in front
        if array.shape[1:] != spec.shape or array.ndim == 0:
            raise UsageError(f"{where} must have shape {spec.shape}, got {array.shape}")
    if not np.all(np.isfinite(array)):
        raise UsageError(f"{where} must be finite, got {value}")
    if spec.positive and not np.all(array > 0):
        raise UsageError(f"{where} must be positive, got {value}")
    if spec.nonnegative and not np.all(array >= 0):
        raise UsageError(f"{where} must not be negative, got {value}")
