"""Runs: from initial data to results, one at a time or many at once.

`api` has the entry points for users. It checks a request (`request`) and passes it to `single_run`
or `ensemble_run`. These drive (`driver`) a program (`programs`) and feed its rows to recorders:
sinks (`record`), events (`events`), a store (`storage`). `accuracy` chooses steps for `tol=`,
`sensitivity` differentiates a motion. Results are in `dalembert.results`, hybrid runs in
`dalembert.hybrid`.
"""

from ..doors import guard as _guard
from .api.simulate import resume, simulate, there_and_back
from .api.simulate_ensemble import simulate_ensemble
from .api.stepper import Stepper, StepperState
from .events import Event
from .record.reductions import Histogram, Section, Statistics
from .record.sinks import At, Every, Final, Stream
from .request.batch import Design, grid, sample
from .rows import Rows, Sink, Start
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
