"""Simulate and analyze mechanical systems with nonholonomic constraints.

    import dalembert as da
    sleigh = da.systems.ChaplyginSleigh()
    traj = da.simulate(sleigh, da.DLA(da.Midpoint()), h=0.05, steps=1000)
    print(da.diagnostics.report(sleigh, traj))

Importing the package turns on double precision in JAX.
"""

import importlib as _importlib
import os as _os
import signal as _signal
import sys as _sys
from importlib.util import find_spec as _find_spec
from typing import TYPE_CHECKING as _CHECKING


def _is_the_command() -> bool:
    """Whether this process is the command `dalembert`, or `python -m dalembert`."""
    if _sys.argv[:1] != ["-m"]:  # which it is while Python looks for the module to run
        return bool(_sys.argv) and _os.path.basename(_sys.argv[0]) == "dalembert"
    given = _sys.orig_argv
    return "-m" in given[:-1] and given[given.index("-m") + 1] == "dalembert"


def _only_lists() -> bool:
    """Whether this is a command that prints a table which is known without JAX (`cli.listing`)."""
    given = _sys.argv[1:] if _sys.argv[:1] != ["-m"] else _sys.orig_argv[3:]
    return _is_the_command() and given[:1] in (["systems"], ["methods"]) and given[1:] == []


if _is_the_command():
    # Ctrl-C during the imports below prints "interrupted" instead of a traceback through the module
    # that is being imported. The handler is set here because Python imports the package before
    # `__main__` and `cli`. `cli.main` restores the usual handler. Other programs are not affected.
    def _interrupted(*_: object) -> None:
        _os.write(2, b"dalembert: interrupted\n")
        _os._exit(130)

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _interrupted)

if not _only_lists():
    import jax as _jax

    _jax.config.update("jax_enable_x64", True)

if _CHECKING:
    from . import (
        control,
        designs,
        diagnostics,
        discrete,
        dynamics,
        envs,
        errors,
        export,
        geometry,
        groupoids,
        groups,
        hybrid,
        methods,
        parts,
        plots,
        saving,
        scene,
        systems,
    )
    from .compile.engine import clear_compiled, keep_compiled_code
    from .discrete import conjugate_points, exact_discrete
    from .errors import DalembertError, DamagedError, SimulationError, StoreError, UsageError
    from .groupoids import Action, Groupoid, LieGroup, Pair, Reduced
    from .groups import SE, SO, Euclidean, Lorentz, Product, Quadratic, Sp
    from .hybrid.section_map import section_map
    from .inputs import Sampled
    from .methods import (
        DLA,
        GNI,
        RK4,
        Composition,
        EnergyDLA,
        EnergyGauss,
        Gauss,
        Hamel,
        Leapfrog,
        Lobatto,
        MPEuler,
        MPEulerAdjoint,
        MPMidpoint,
        Newmark,
        Newton,
        Radau,
        Reference,
        Reversible,
        Shake,
        Taylor,
        discrete_legendre,
        rules,
    )
    from .methods.hamiltonized import Hamiltonized
    from .methods.rdla import RDLA
    from .methods.rules import (
        Alpha,
        CustomRule,
        EulerA,
        EulerB,
        Midpoint,
        MomentumAtEnd,
        MomentumAtStart,
        MoserVeselov,
        SymmetricAlpha,
        Trapezoidal,
    )
    from .results import Ensemble, Trajectory, load
    from .running import (
        At,
        Event,
        Every,
        Final,
        Histogram,
        Section,
        Sink,
        Statistics,
        Stepper,
        Stream,
        grid,
        lyapunov,
        resume,
        sample,
        sensitivities,
        simulate,
        simulate_ensemble,
    )
    from .symbolic import formulas
    from .system import MechanicalSystem, System, parameter
    from .viewer import show

__version__ = "0.3.0"

__all__ = [
    # what a user writes
    "System", "MechanicalSystem", "parameter", "Euclidean", "SO", "SE", "Product",
    # methods and rules
    "GNI", "DLA", "RDLA", "Gauss", "Lobatto", "Radau", "EnergyGauss", "Reversible", "Composition",
    "Leapfrog", "RK4", "Taylor", "Midpoint", "Trapezoidal",
    # runs
    "simulate", "simulate_ensemble", "resume", "Stepper", "Event", "Sampled", "Every", "Final",
    "sensitivities", "lyapunov", "section_map", "Trajectory", "Ensemble", "load", "show",
    "formulas", "keep_compiled_code", "clear_compiled", "DalembertError",
    # modules
    "control", "designs", "diagnostics", "discrete", "dynamics", "envs", "errors", "export",
    "geometry", "groupoids", "groups", "hybrid", "methods", "parts", "plots", "rules", "saving",
    "scene", "systems",
    # -- also in a module, and not listed by `dir(dalembert)` --
    # `groups`, `groupoids`
    "Quadratic", "Lorentz", "Sp", "Groupoid", "Pair", "LieGroup", "Reduced", "Action",
    # `methods`
    "EnergyDLA", "Hamel", "Hamiltonized", "Newmark", "Shake", "MPEuler", "MPEulerAdjoint",
    "MPMidpoint", "Reference", "Newton",
    # `rules`
    "Alpha", "SymmetricAlpha", "EulerA", "EulerB", "MoserVeselov", "MomentumAtStart",
    "MomentumAtEnd", "CustomRule",
    # `methods` and `discrete`
    "discrete_legendre", "exact_discrete", "conjugate_points",
    # `saving` and `designs`
    "At", "Stream", "Statistics", "Histogram", "Section", "Sink", "grid", "sample",
    # `errors`
    "UsageError", "DamagedError", "SimulationError", "StoreError",
]  # fmt: skip

# What `dir(dalembert)` leaves out: each is in a module that it lists.
_IN_MODULES = frozenset(
    "Quadratic Lorentz Sp Groupoid Pair LieGroup Reduced Action EnergyDLA Hamel "
    "Hamiltonized Newmark Shake MPEuler MPEulerAdjoint MPMidpoint Reference Newton Alpha "
    "SymmetricAlpha EulerA EulerB MoserVeselov MomentumAtStart MomentumAtEnd CustomRule "
    "discrete_legendre exact_discrete conjugate_points At Stream Statistics Histogram "
    "Section Sink grid sample UsageError DamagedError SimulationError StoreError".split()
)

# A module is imported at the first use of one of its names: `import dalembert` then costs what JAX
# costs, and a program pays for what it uses.
_LAZY_MODULES = (
    "control", "designs", "diagnostics", "discrete", "dynamics", "envs", "errors", "export",
    "geometry", "groupoids", "groups", "hybrid", "methods", "parts", "plots", "saving", "scene",
    "systems",
    "testing",  # not in `__all__`: an import of everything does not need it
)  # fmt: skip
_LAZY_FROM = {
    ".compile.engine": (
        "clear_compiled",
        "keep_compiled_code",
    ),
    ".errors": (
        "DalembertError",
        "DamagedError",
        "SimulationError",
        "StoreError",
        "UsageError",
    ),
    ".groupoids": (
        "Action",
        "Groupoid",
        "LieGroup",
        "Pair",
        "Reduced",
    ),
    ".groups": (
        "SE",
        "SO",
        "Euclidean",
        "Lorentz",
        "Product",
        "Quadratic",
        "Sp",
    ),
    ".inputs": ("Sampled",),
    ".methods": (
        "DLA",
        "GNI",
        "RK4",
        "Composition",
        "EnergyDLA",
        "EnergyGauss",
        "Gauss",
        "Hamel",
        "Leapfrog",
        "Lobatto",
        "MPEuler",
        "MPEulerAdjoint",
        "MPMidpoint",
        "Newmark",
        "Newton",
        "Radau",
        "Reference",
        "Reversible",
        "Shake",
        "Taylor",
        "discrete_legendre",
        "rules",
        "RDLA",
        "Hamiltonized",
    ),
    ".methods.rules": (
        "Alpha",
        "CustomRule",
        "EulerA",
        "EulerB",
        "Midpoint",
        "MomentumAtEnd",
        "MomentumAtStart",
        "MoserVeselov",
        "SymmetricAlpha",
        "Trapezoidal",
    ),
    ".results": (
        "Ensemble",
        "Trajectory",
        "load",
    ),
    ".running": (
        "At",
        "Event",
        "Every",
        "Final",
        "Histogram",
        "Section",
        "Sink",
        "Statistics",
        "Stepper",
        "Stream",
        "grid",
        "lyapunov",
        "resume",
        "sample",
        "sensitivities",
        "simulate",
        "simulate_ensemble",
    ),
    ".system": (
        "MechanicalSystem",
        "System",
        "parameter",
    ),
    ".symbolic": ("formulas",),
    ".hybrid.section_map": ("section_map",),
    ".discrete": ("exact_discrete", "conjugate_points"),
    ".viewer": ("show",),
}
_LAZY_NAMES = {name: module for module, names in _LAZY_FROM.items() for name in names}


def __getattr__(name: str) -> object:
    if name in _LAZY_MODULES:
        return _importlib.import_module(f".{name}", __name__)
    if name in _LAZY_NAMES:
        result = getattr(_importlib.import_module(_LAZY_NAMES[name], __name__), name)
        globals()[name] = result  # the next use does not come here
        return result
    # any other module of the package: `import dalembert` imported most of them once
    if not name.startswith("_") and _find_spec(f"{__name__}.{name}") is not None:
        return _importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*__all__, "testing", "__version__"} - _IN_MODULES)
