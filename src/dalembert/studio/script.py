"""Write the Python script that repeats a run of the studio."""

from __future__ import annotations

import numpy as np

from .setting import Setting


def _places(wish: Setting) -> str:
    """Return the coordinates that were changed, as an argument of `initial`."""
    given = wish.plain.get("places", {})
    return f"**{given!r}" if given else ""


def script(wish: Setting, source: str = "") -> str:
    """Return the script; `source` is file.py:Class of a user's system."""
    system = wish.system
    given = wish.plain.get("parameters", {})
    arguments = ", ".join(f"{k}={v!r}" for k, v in given.items())
    if source:
        path, _, name = source.rpartition(":") if ":" in source else (source, "", "")
        name = name or type(system).__name__
        load = ["import runpy", ""]
        make = f"runpy.run_path({path!r})[{name!r}]({arguments})"
    else:
        load, make = [], f"da.systems.{type(system).__name__}({arguments})"
    speeds = ", ".join(repr(float(x)) for x in np.asarray(wish.v0))
    methods = ", ".join(repr(name) for name in wish.methods)
    length = f"h={wish.h!r}, steps={wish.steps}" if wish.h else f"t={wish.end!r}, tol={wish.tol!r}"
    return "\n".join(
        [
            f'"""A run of {system.name()}, as it was set in the studio."""',
            "",
            *load,
            "import dalembert as da",
            "",
            f"system = {make}",
            f"q0, _ = system.initial({_places(wish)})",
            f"v0 = [{speeds}]  # {', '.join(system.velocity_labels)}",
            "runs = [",
            f"    da.simulate(system, da.methods.registry[name](), q0, v0, {length})",
            f"    for name in ({methods},)",
            "]",
            "for traj in runs:",
            "    print(da.diagnostics.report(system, traj))",
            "da.show(system, *runs)",
            "",
        ]
    )
