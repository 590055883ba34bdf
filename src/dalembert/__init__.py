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
from typing import TYPE_CHECKING as _CHECKING


def _is_the_command() -> bool:
    """Whether this process is the command `dalembert`, or `python -m dalembert`."""
    if _sys.argv[:1] != ["-m"]:  # which it is while Python looks for the module to run
        return bool(_sys.argv) and _os.path.basename(_sys.argv[0]) == "dalembert"
    given = _sys.orig_argv
    return "-m" in given[:-1] and given[given.index("-m") + 1] == "dalembert"


if _is_the_command():
    # Ctrl-C while all this is imported ends the command with a word, not with a traceback through
    # whatever is being imported. It has to be here: Python imports the package before `__main__`
    # and `cli`. `cli.main` gives the signal back. No other program is touched.
    def _interrupted(*_: object) -> None:
        _os.write(2, b"dalembert: interrupted\n")
        _os._exit(130)

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _interrupted)

import jax as _jax  # noqa: E402

_jax.config.update("jax_enable_x64", True)

from . import diagnostics, dynamics, methods, plots, scene, systems  # noqa: E402
from .compile.engine import clear_compiled, keep_compiled_code  # noqa: E402
from .errors import DalembertError, DamagedError, SimulationError, StoreError, UsageError  # noqa: E402
from .groupoids import Action, Groupoid, LieGroup, Pair, Reduced  # noqa: E402
from .groups import SE, SO, Euclidean, Lorentz, Product, Quadratic, Sp  # noqa: E402
from .inputs import Sampled  # noqa: E402
from .methods import (  # noqa: E402
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
)
from .methods.rules import (  # noqa: E402
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
from .results import Ensemble, Trajectory, load  # noqa: E402
from .running import (  # noqa: E402
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
from .system import MechanicalSystem, System, parameter  # noqa: E402

if _CHECKING:
    from . import control, discrete, envs, export, geometry, hybrid, parts
    from .discrete import conjugate_points, exact_discrete
    from .hybrid.section_map import section_map
    from .methods.hamiltonized import Hamiltonized
    from .methods.rdla import RDLA
    from .symbolic import formulas
    from .viewer import show

__version__ = "0.2.0"

__all__ = [
    # what a user writes
    "System", "MechanicalSystem", "parameter", "Euclidean", "SO", "SE", "Product",
    "Quadratic", "Lorentz", "Sp", "Groupoid", "Pair", "LieGroup", "Reduced", "Action",
    # methods and rules
    "GNI", "DLA", "RDLA", "Gauss", "Lobatto", "EnergyGauss", "EnergyDLA", "Reversible",
    "Composition", "Hamel", "Hamiltonized", "Newmark", "Radau", "Leapfrog", "Shake", "MPEuler",
    "MPEulerAdjoint", "MPMidpoint", "RK4", "Reference", "Taylor", "Alpha", "SymmetricAlpha",
    "EulerA", "EulerB", "Midpoint",
    "Trapezoidal", "MoserVeselov", "MomentumAtStart", "MomentumAtEnd", "CustomRule", "Newton",
    # discrete mechanics
    "discrete_legendre", "exact_discrete", "conjugate_points",
    # runs
    "simulate", "simulate_ensemble", "resume", "grid", "sample", "Event",
    "sensitivities", "lyapunov", "section_map", "Stepper", "Sampled",
    # what is kept of them
    "Every", "At", "Final", "Stream", "Statistics", "Histogram", "Section", "Sink",
    "Trajectory", "Ensemble", "load",
    # equations in symbols
    "formulas",
    # pictures that move
    "show",
    # compiled code
    "keep_compiled_code", "clear_compiled",
    # errors
    "DalembertError", "UsageError", "DamagedError", "SimulationError", "StoreError",
    # modules
    "control", "diagnostics", "discrete", "dynamics", "envs", "export", "geometry", "hybrid",
    "methods", "parts", "plots", "scene", "systems",
]  # fmt: skip


# simulations need none of these, so they are imported at their first use
_LAZY_MODULES = ("control", "discrete", "envs", "export", "geometry", "hybrid", "parts", "testing")
_LAZY_NAMES = {
    "formulas": ".symbolic",
    "section_map": ".hybrid.section_map",
    "RDLA": ".methods",
    "Hamiltonized": ".methods",
    "exact_discrete": ".discrete",
    "conjugate_points": ".discrete",
    "show": ".viewer",
}


def __getattr__(name: str) -> object:
    if name in _LAZY_MODULES:
        return _importlib.import_module(f".{name}", __name__)
    if name in _LAZY_NAMES:
        return getattr(_importlib.import_module(_LAZY_NAMES[name], __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "testing", "__version__"])
