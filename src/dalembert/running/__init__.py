"""Runs: from initial data to results, one at a time or many at once."""

from .design import Design, grid, sample
from .ensemble import simulate_ensemble
from .events import Event
from .reductions import Histogram, Section, Statistics
from .resuming import resume
from .reversal import there_and_back
from .rows import Rows, Sink, Start
from .sensitivity import lyapunov, sensitivities
from .single import simulate
from .sinks import At, Every, Final, Stream

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
