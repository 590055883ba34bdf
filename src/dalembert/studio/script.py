"""Write the Python script that repeats a run of the studio."""

from __future__ import annotations

import numpy as np

from ..hybrid import Modes
from ..parts import Built
from .setting import Setting


def _places(wish: Setting) -> str:
    """Return the text of the arguments of `initial` for the coordinates that were changed."""
    given = wish.plain.get("places", {})
    return f"**{given!r}" if given else ""


def script(wish: Setting, source: str = "") -> str:
    """Return the script; `source` is file.py:NAME of a user's system."""
    system, given = wish.system, wish.plain.get("parameters", {})
    arguments = ", ".join(f"{k}={v!r}" for k, v in given.items())
    load, before = (["import runpy", ""] if source else []), []
    if isinstance(system, Built):  # the file has this machine, or a function that builds it
        before = [
            f"robot = {_from_file(source, system.title)}",
            "robot = robot if isinstance(robot, da.System) else robot()",
        ]
        make = f"robot.with_parameters(**{given!r})"
    elif source:
        make = f"{_from_file(source, type(system).__name__)}({arguments})"
    elif isinstance(system, Modes):
        make = f"da.hybrid.zoo.registry[{wish.name!r}]({arguments})"
    else:
        make = f"da.systems.{type(system).__name__}({arguments})"
    length = f"h={wish.h!r}, t={wish.end!r}" if wish.h else f"t={wish.end!r}, tol={wish.tol!r}"
    if isinstance(system, Modes):
        start, state = [], ""
        show = ["for traj in runs:", "    da.show(system, traj)"]
        report = "da.hybrid.report"
    else:
        if wish.h:
            length = f"h={wish.h!r}, steps={wish.steps}"
        speeds = ", ".join(repr(float(x)) for x in np.asarray(wish.v0))
        start = [
            f"q0, _ = system.initial({_places(wish)})",
            f"v0 = [{speeds}]  # {', '.join(system.velocity_labels)}",
        ]
        state, show, report = "q0, v0, ", ["da.show(system, *runs)"], "da.diagnostics.report"
    if wish.control:
        load.append("from dalembert.studio.controllers import controller")
        start.append(f"u = controller(system, {wish.control!r})")
        length += ", u=u"
    methods = ", ".join(repr(name) for name in wish.methods)
    return "\n".join(
        [
            f'"""A run of {wish.name}, as it was set in the studio."""',
            "",
            *load,
            "import dalembert as da",
            "",
            *before,
            f"system = {make}",
            *start,
            "runs = [",
            f"    da.simulate(system, da.methods.registry[name](), {state}{length})",
            f"    for name in ({methods},)",
            "]",
            "for traj in runs:",
            f"    print({report}(system, traj))",
            *show,
            "",
        ]
    )


def _from_file(source: str, name: str) -> str:
    """Return the expression that loads a name from a user's file."""
    path, colon, own = source.rpartition(":")
    path, name = (path, own) if colon else (source, name)
    return f"runpy.run_path({path!r})[{name!r}]"
