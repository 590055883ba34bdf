"""Named initial states for the studio: what to try first with a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# system -> name -> differences from its initial state: coordinates and velocities by name
_KNOWN: dict[str, dict[str, dict[str, float]]] = {
    "rolling-disk": {
        "rolls straight": {"theta": 0.0, "psi_dot": 4.0, "phi_dot": 0.0, "theta_dot": 0.0},
        "wobbles": {"theta": 0.5, "psi_dot": 3.0, "phi_dot": 1.5, "theta_dot": 0.0},
        "spins like a coin": {"theta": 0.2, "psi_dot": 0.2, "phi_dot": 8.0, "theta_dot": 0.0},
    },
    "vertical-rolling-disk": {
        "rolls straight": {"psi_dot": 2.0, "phi_dot": 0.0},
        "rolls on a circle": {"psi_dot": 2.0, "phi_dot": 0.6},
        "turns on the spot": {"psi_dot": 0.0, "phi_dot": 3.0},
    },
    "chaplygin-sleigh": {
        "slides straight": {"theta_dot": 0.0},
        "turns, then slides straight": {"theta_dot": 2.0},
        "turns fast": {"theta_dot": 6.0},
    },
    "whipple-bicycle": {
        "pushed to the side": {"lean_dot": 0.5},
        "starts with a lean": {"lean": 0.1},
        "steers at the start": {"steer": 0.1},
    },
}
_SHARES = {"at half the speed": 0.5, "twice as fast": 2.0, "backward": -1.0}
# values of the first free velocity of a system at rest
_PUSHES = {"pushed": 1.0, "pushed harder": 3.0, "pushed back": -1.0}


def presets(
    name: str, places: Mapping[str, float], speeds: Mapping[str, float]
) -> list[dict[str, Any]]:
    """Return named initial states: those written for the system, or its own with changed speeds.

    `places` and `speeds` are the coordinates and free velocities of `system.initial()`.
    """
    known = _KNOWN.get(name)
    if known is None and any(speeds.values()):
        known = {key: {k: share * v for k, v in speeds.items()} for key, share in _SHARES.items()}
    if known is None:  # the system begins at rest
        known = {key: {k: push} for key, push in _PUSHES.items() for k in list(speeds)[:1]}
    return [
        {
            "name": key,
            "places": {k: v for k, v in changed.items() if k in places},
            "speeds": {k: v for k, v in changed.items() if k in speeds},
        }
        for key, changed in known.items()
    ]
