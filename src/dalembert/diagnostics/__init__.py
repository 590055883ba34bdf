"""Diagnostics of runs: series, reports, orders, momenta, comparisons of methods.

    diagnostics.energy_error(system, traj)     one value for each row
    print(diagnostics.report(system, traj))    what the run conserved, and how well
    diagnostics.measure_order(system, method, t_end=1.0, hs=(0.1, 0.05, 0.025))
    print(diagnostics.compare(system, methods, h=0.1, steps=100).table().text())

Functions that compare runs call `simulate`; no function here takes steps itself.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _CHECKING

from ..doors import guard as _guard
from .checks import Check
from .comparison import Comparison, Run, compare
from .distances import Circle, distance, fit_circle
from .force_work import work
from .orders import (
    FLOOR,
    fit_order,
    measure_order,
    order_of_convergence,
    reversibility_defect,
)
from .parasitic import parasitic_growth, parasitic_rates, parasitic_warning
from .rank import rank_losses
from .reports import Report, Row, meaningless, report, round_off
from .series import (
    KeptEnergy,
    constraint_residual,
    energy,
    energy_error,
    holonomic_residual,
    invariant_drift,
    invariants,
    kept_energy,
    momentum,
    path,
)

if _CHECKING:
    from .momenta import (
        DiscreteMomentum,
        MomentumBalance,
        discrete_momentum,
        discrete_multiplier,
        momentum_balance,
    )
    from .two_form import DiscreteForm, Regularity, discrete_form, dla_regularity
    from .volume import VolumeChange, volume_change

__all__ = [
    # series
    "energy",
    "energy_error",
    "momentum",
    "constraint_residual",
    "holonomic_residual",
    "invariants",
    "invariant_drift",
    "KeptEnergy",
    "kept_energy",
    "path",
    "work",
    # report
    "rank_losses",
    "Report",
    "Row",
    "meaningless",
    "report",
    "round_off",
    # orders and reversibility
    "FLOOR",
    "fit_order",
    "order_of_convergence",
    "measure_order",
    "reversibility_defect",
    # the parasitic mode of GNI
    "parasitic_growth",
    "parasitic_rates",
    "parasitic_warning",
    # momenta
    "DiscreteMomentum",
    "MomentumBalance",
    "discrete_momentum",
    "discrete_multiplier",
    "momentum_balance",
    # the discrete two-form, and whether DLA is solvable
    "DiscreteForm",
    "Regularity",
    "discrete_form",
    "dla_regularity",
    # volume on the constraint
    "VolumeChange",
    "volume_change",
    # several methods
    "Comparison",
    "Run",
    "compare",
    # numbers
    "Check",
    "Circle",
    "distance",
    "fit_circle",
]

_MOMENTA = (
    "DiscreteMomentum",
    "MomentumBalance",
    "discrete_momentum",
    "discrete_multiplier",
    "momentum_balance",
)

_FORMS = ("DiscreteForm", "Regularity", "discrete_form", "dla_regularity")
_VOLUME = ("VolumeChange", "volume_change")


def __getattr__(name: str) -> object:
    # these names are imported at first use, because they need `geometry` or `running`
    for names, module in ((_MOMENTA, ".momenta"), (_FORMS, ".two_form"), (_VOLUME, ".volume")):
        if name in names:
            return getattr(_importlib.import_module(module, __name__), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)


_guard(globals())
