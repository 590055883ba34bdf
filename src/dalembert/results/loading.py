"""Read whatever a run has left behind."""

from __future__ import annotations

from typing import Any

from ..errors import UsageError
from ..files import PathLike
from . import ensemble, formats, hybrid
from .trajectory import Trajectory


def load(path: PathLike, every: int = 1, skip_damaged: bool = False) -> Any:
    """Read a trajectory, an ensemble or a hybrid run from `.zarr` or `.nc`, or every k-th row.

    A block that is not as it was written is refused by its name and rows; `skip_damaged` reads the
    others. A hybrid run is read as a whole.
    """
    data = formats.read(path, every, skip_damaged)
    kind = data.attrs.get("format")
    if kind == hybrid.FORMAT:
        if every != 1 or skip_damaged:
            raise UsageError(f"'{path}' is a hybrid run: its jumps need all rows; load it whole")
        return hybrid.HybridTrajectory.from_xarray(data)
    return (ensemble.Ensemble if kind in ensemble.FORMATS else Trajectory).from_xarray(data)
