"""Read whatever a run has left behind."""

from __future__ import annotations

from typing import Any

from ..errors import UsageError
from ..files import PathLike
from . import ensemble, ensemble_store, formats, hybrid_trajectory
from .trajectory import Trajectory


def load(path: PathLike, every: int = 1, skip_damaged: bool = False) -> Any:
    """Read a trajectory, an ensemble or a hybrid run from `.zarr` or `.nc`, or every k-th row.

    A block that is not as it was written is refused by its name and rows; `skip_damaged` reads the
    others. A hybrid run is read as a whole. Of an ensemble that was streamed to its store, finished
    or not, arrays are read when they are used: `many[i]`, `many.q[:100]`, `np.asarray(many.q)`.
    """
    if ensemble_store.is_sliced(path):
        if every != 1 or skip_damaged:
            raise UsageError(
                f"'{path}' is an ensemble in slices, which is read in parts: take every k-th row "
                "as many.q[:, ::k]"
            )
        return ensemble_store.load_sliced(path)
    data = formats.read(path, every, skip_damaged)
    kind = data.attrs.get("format")
    if kind == hybrid_trajectory.FORMAT:
        if every != 1 or skip_damaged:
            raise UsageError(f"'{path}' is a hybrid run: its jumps need all rows; load it whole")
        return hybrid_trajectory.HybridTrajectory.from_xarray(data)
    return (ensemble.Ensemble if kind in ensemble.FORMATS else Trajectory).from_xarray(data)
