"""Runs: from initial data to results, one at a time or many at once."""

from ..doors import guard as _guard
from .api.resume import resume
from .api.reversibility import there_and_back
from .api.simulate import simulate
from .api.simulate_ensemble import simulate_ensemble
from .events import Event
from .record.reductions import Histogram, Section, Statistics
from .record.sinks import At, Every, Final, Stream
from .request.parameter_study import Design, grid, sample
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
