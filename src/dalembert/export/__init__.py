"""Export a model or a run to other tools: C code, FMUs, logs (CSV, MCAP) and films."""

from __future__ import annotations

from ..doors import guard as _guard
from .c import CFiles, c
from .films import film
from .fmu import FmuFile, fmu
from .logs import csv, mcap

__all__ = ["CFiles", "FmuFile", "c", "csv", "film", "fmu", "mcap"]

_guard(globals())
