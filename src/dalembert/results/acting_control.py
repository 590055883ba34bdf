"""Remember the control of a run while its trajectory is in memory; files do not contain it.

A control is any Python function, so a trajectory, whose arrays are saved and transformed, cannot
have it as a field. Rows of a trajectory (`traj[:100]`) remember it, too.
"""

from __future__ import annotations

import weakref
from typing import Any

_CONTROLS: dict[int, Any] = {}  # by the identity of a trajectory that is alive


def remember_control(traj: Any, control: Any) -> None:
    """Remember the control that acted in a run; it is forgotten together with the trajectory."""
    if control is None:
        return
    key = id(traj)
    if key not in _CONTROLS:
        weakref.finalize(traj, _CONTROLS.pop, key, None)
    _CONTROLS[key] = control


def remembered_control(traj: Any) -> Any:
    """Return the control that acted in a run, or None if it is not known."""
    return _CONTROLS.get(id(traj))
