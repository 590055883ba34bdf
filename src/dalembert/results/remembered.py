"""Remember the system of a run while its trajectory is in memory; files do not contain it.

A system may contain any Python function (a control), so a trajectory, whose arrays are saved and
transformed, cannot have it as a field. Rows of a trajectory (`traj[:100]`) remember it, too.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

from ..errors import DalembertError
from ..inputs import CONTROL

_SYSTEMS: dict[int, Any] = {}  # id of a trajectory that is in memory -> its system


def remember(traj: object, system: Any) -> None:
    """Remember the system of a run, or its modes; forgotten together with the trajectory."""
    if system is None:
        return
    key = id(traj)
    if key not in _SYSTEMS:
        weakref.finalize(traj, _SYSTEMS.pop, key, None).atexit = False
    _SYSTEMS[key] = system


def remembered(traj: object) -> Any:
    """Return the system of a run, with its control if it had one; None if it is not known."""
    return _SYSTEMS.get(id(traj))


def remembered_control(traj: object) -> Any:
    """Return the control that acted in a run, or None if it is not known."""
    return getattr(remembered(traj), CONTROL, None)


def picture(traj: object) -> str:
    """Return the moving picture of a run as HTML; empty if its system is not known."""
    system = remembered(traj)
    if system is None:
        return ""
    # `dalembert.show` by its public name: pictures are built on results, and not imported here
    show = sys.modules[__name__.partition(".")[0]].show
    try:
        return show(system, traj, open=False)._repr_html_()
    except DalembertError:  # a run that cannot be drawn, such as one row
        return ""
