"""Runs: from initial data to results, one at a time or many at once.

`api` has the entry points for users. It checks a request and passes it to `single_run` or
`ensemble_run`. These drive (`driver`) a program (`programs`) and feed its rows to sinks (`record`).
`accuracy` chooses steps for `tol=`, `sensitivity` differentiates a motion.

Beside this package, because hybrid runs, exports and diagnostics use them too: `request` (arguments
to a plan and a step), `rows`, `events`, `storage`, `results`. Hybrid runs are in `hybrid`.
"""

from ..doors import guard as _guard
from ..events import Event
from ..request.batch import Design, grid, sample
from ..rows import Rows, Sink, Start
from .api.simulate import resume, simulate, there_and_back
from .api.simulate_ensemble import simulate_ensemble
from .api.stepper import Stepper, StepperState
from .record.reductions import Histogram, Section, Statistics
from .record.sinks import At, Every, Final, Stream
from .sensitivity import lyapunov, sensitivities

__all__ = [
    "At",
    "Design",
    "Event",
    "Every",
    "Final",
    "Histogram",
    "Rows",
    "Section",
    "Sink",
    "Start",
    "Statistics",
    "Stepper",
    "StepperState",
    "Stream",
    "grid",
    "lyapunov",
    "resume",
    "sample",
    "sensitivities",
    "simulate",
    "simulate_ensemble",
    "there_and_back",
]

_guard(globals())
