"""Load the results of runs from files and stores."""

from __future__ import annotations

import os
from typing import Any

from ..errors import ArgumentError, DalembertError, DamagedError, UsageError
from ..files import PathLike
from . import ensemble_store, formats
from .ensemble import Ensemble
from .hybrid_trajectory import HybridTrajectory
from .trajectory import Trajectory


def load(path: PathLike, every: int = 1, skip_damaged: bool = False) -> Any:
    """Read a trajectory, an ensemble or a hybrid run from `.zarr` or `.nc`, or every k-th row.

    The result `equals` the saved one. The store of a streamed run can be read at any time; the
    result has its rows so far. The arrays of a streamed ensemble, finished or not, are read when
    they are used: `many[i]`, `many.q[:100]`, `np.asarray(many.q)`.

    Data that were changed or moved since they were written raise a `DamagedError`, which names them
    and the rows (in an ensemble: the members) that are good. `skip_damaged` reads the good ones,
    and `warnings` of the result says what was left out. Damaged members of a store count as not
    computed, and `resume` computes them again. A hybrid run is read completely or not at all. Files
    of earlier versions have no checksums (seal), or only some: they load with a warning that says
    so.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"path must be a text or a PathLike, got {path!r}")
    try:
        if ensemble_store.is_sliced(path):
            if every != 1:
                raise UsageError(
                    f"'{path}' is an ensemble in slices, which is read in parts: take every k-th "
                    "row as many.q[:, ::k]"
                )
            return ensemble_store.load_sliced(path, skip_damaged)
        data = formats.read(path, every, skip_damaged)
        kinds = (Ensemble, HybridTrajectory)
        kind = next((x for x in kinds if data.attrs.get("format") in x.FORMATS), Trajectory)
        if kind is HybridTrajectory and (every != 1 or skip_damaged):
            raise UsageError(f"'{path}' is a hybrid run: its jumps need all rows; load it whole")
        return kind.from_xarray(data)
    except (DalembertError, Warning):
        raise
    except Exception as error:  # a file without a seal may be damaged in any way
        raise DamagedError(
            f"cannot load '{path}': it is damaged ({type(error).__name__}: {error})"
        ) from error
