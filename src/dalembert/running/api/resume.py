"""Go on with what was streamed to a store: one run, or an ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import UsageError
from ...files import PathLike
from ...methods import Method
from ...results import ensemble_store
from ...system import System
from ..events import Event, EventFunction
from ..request.step import StopRule
from ..rows import AnySink
from . import simulate, sliced_run


def resume(
    store: PathLike,
    system: System | None = None,
    method: Method | None = None,
    *,
    stop_when: StopRule | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    reduce: Mapping[str, AnySink] | None = None,
    executor: Any = None,
    insist: bool = False,
    progress: bool | None = None,
) -> Any:
    """Go on with a run that was streamed to `store`, and return its last row; or with an ensemble,
    and return it.

    The numbers are those of an uninterrupted run to the last bit (on the same machine and
    versions). Systems and methods of the library are made again as they were, with all their
    fields; your own must be given (of an ensemble with the parameters of all members), and so must
    `stop_when`, `events` and, of an ensemble, `reduce`. What differs from what wrote the store
    (code, fields, parameters, versions) is refused by name; `insist=True` goes on all the same
    where the code or a version is another one. `executor` computes the slices of an ensemble that
    are missing, as in `simulate_ensemble`.
    """
    if ensemble_store.is_sliced(store):
        if stop_when is not None:
            raise UsageError(f"'{store}' is an ensemble: it has no stop_when")
        return sliced_run.resume_ensemble(
            store, system, method, reduce=reduce, events=events, executor=executor, insist=insist,
            progress=progress,
        )  # fmt: skip
    if executor is not None or reduce is not None:
        raise UsageError(f"'{store}' is no ensemble: executor and reduce are for those")
    return simulate.resume(
        store, system, method, stop_when=stop_when, events=events, insist=insist, progress=progress
    )
