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
) -> Any:  # what a checker must see, as it compares this with the annotation of the field
    """A field of a system with a unit, a sentence of documentation and a check of its value.

    `shape=None` allows any shape; a default that is an array says the shape itself. Values under
    a JAX transformation cannot be looked at and are let through.
    """
    kwargs: dict[str, Any] = {} if default is dataclasses.MISSING else {"default": default}
    if isinstance(default, (jax.Array, np.ndarray, list, tuple)):  # a dataclass takes few of them
        shape = np.shape(default) if shape == () else shape
        kwargs = {"default_factory": lambda: default}
    elif isinstance(default, (dict, set, str)):
        raise UsageError(f"a parameter is a number, or an array of numbers; got {default!r}")
    spec = Spec(unit, doc, positive, nonnegative, shape)
    return eqx.field(converter=_as_real, metadata={PARAMETER: spec}, **kwargs)


@dataclasses.dataclass(frozen=True)
class Spec:
    """What is known of a parameter beside its value."""

    unit: str = "1"
    doc: str = ""
    positive: bool = False
    nonnegative: bool = False
    shape: tuple[int, ...] | None = None


def _as_real(value: object) -> object:
    """A Python float for a number, an array for a sequence; JAX arrays pass as they are."""
    if isinstance(value, jax.Array) or value is None:  # NumPy makes a NaN of None
        return value
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return value  # reported with the field's name by `System.__check_init__`
    return float(array) if array.ndim == 0 else jnp.asarray(array)


def named_values(module: eqx.Module) -> dict[str, object]:
    """The fields of a system by name, as plain numbers and lists, those of its parts as well."""
    found: dict[str, object] = {}
    for f in dataclasses.fields(module):
        value = getattr(module, f.name)
        if isinstance(value, eqx.Module):  # a policy, say: its numbers count
            found |= {f"{f.name}.{k}": v for k, v in named_values(value).items()}
        else:
            found[f.name] = plain(value)
    return found


# numbers of a list: each is a leaf for JAX, and a table of 10^5 would cost seconds in every result
_LISTED = 64


def plain(value: object) -> object:
    """A number, a list of numbers (a long one as an array), or what a value is printed as."""
    if isinstance(value, (jax.Array, np.ndarray)):
        array = np.asarray(value)
        return array.tolist() if array.size <= _LISTED else array
    if isinstance(value, (int, float, str, bool)) or value is None:
        return value
    return repr(value)


def check_number(owner: str, name: str, value: object) -> None:
    """Refuse what is no number in a field annotated `float`; objects of JAX pass."""
    if isinstance(value, (str, bytes, complex, np.complexfloating)) or value is None:
        raise UsageError(f"{owner}: '{name}' must be a real number, got {value!r:.60}")
    if isinstance(value, int) and value.bit_length() > 1023:
        raise UsageError(f"{owner}: '{name}' must be a number that a double can hold")


def check_value(owner: str, name: str, value: object, spec: Spec) -> None:
    """Refuse a value that the field does not allow; those of a transformation are let through."""
    if isinstance(value, jax.core.Tracer):
        return
    where = f"{owner}: parameter '{name}'"
    if not isinstance(value, (float, jax.Array)):
        raise UsageError(f"{where} must be a real number, got {value!r:.60}")
    array = np.asarray(value)
    if spec.shape is not None and array.shape != spec.shape:
        # a batch of systems carries one more axis in front
        if array.shape[1:] != spec.shape or array.ndim == 0:
            raise UsageError(f"{where} must have shape {spec.shape}, got {array.shape}")
    if not np.all(np.isfinite(array)):
        raise UsageError(f"{where} must be finite, got {value}")
    if spec.positive and not np.all(array > 0):
        raise UsageError(f"{where} must be positive, got {value}")
    if spec.nonnegative and not np.all(array >= 0):
        raise UsageError(f"{where} must not be negative, got {value}")
