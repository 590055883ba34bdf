"""Controllers that the studio can switch on, by system."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from .. import control
from ..errors import UsageError
from ..system import System


def _balance(system: System) -> Any:
    """Return feedback that keeps the robot upright: LQR about rest."""
    linear = control.linearize(system, jnp.zeros(system.dim))
    # hold the robot upright, and its wheels at their initial angles
    weights = {"alpha": 10.0, "right": 1.0, "left": 1.0}
    return control.lqr(linear, Q=weights, limit=[2.0, 2.0]).feedback


_KNOWN: dict[str, dict[str, Callable[[System], Any]]] = {
    "balancing-robot": {"balance (LQR)": _balance},
}


def controllers(name: str) -> list[str]:
    """Return the names of the controllers of a system; most systems have none."""
    return list(_KNOWN.get(name, {}))


def controller(system: System, name: str) -> Any:
    """Return the controller as `u=` of a run."""
    known = _KNOWN.get(system.name(), {})
    if name not in known:
        raise UsageError(f"{system.name()} has no controller {name[:80]!r} here")
    return known[name](system)
