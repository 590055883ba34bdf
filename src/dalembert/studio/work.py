"""The requests that the studio serves: describe, run, cancel, analyze, export."""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import json
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .. import hybrid
from ..errors import DalembertError, SimulationError, UsageError
from ..hybrid import Modes
from ..methods import Method
from ..methods import default as default_method
from ..methods import registry as known_methods
from ..results import HybridTrajectory, Meta, Trajectory
from ..running import Every, simulate
from ..running.accuracy import choose
from ..running.record.sinks import Buffer
from ..viewer import Run, encode, page
from ..viewer.phases import drawn
from .controllers import controller
from .script import script
from .setting import Makers, Setting, check_steps, described, made_system, setting

MOST_SECONDS = 60.0  # time limit of a run, without compilation
_MOST_ROWS = 20_000


class Stopped(DalembertError):
    """A run was cancelled; its rows are discarded."""


class _NotChosen(UsageError):
    """No step size meets the tolerance within the limits of the studio."""


class Watch:
    """Stops a run on request or after a time limit; its clock starts after compilation."""

    def __init__(self, seconds: float) -> None:
        self.cancelled, self.seconds = False, seconds
        self.restart()

    def restart(self) -> None:
        """Reset the clock for another run."""
        self.looks, self.until = 0, float("inf")

    def look(self) -> None:
        """Raise `Stopped` if cancelled, and after the time limit an interrupt that keeps rows."""
        if self.cancelled:
            raise Stopped("cancelled")
        self.looks += 1
        now = time.monotonic()
        if self.looks == 2:  # the first call is at the start, before compilation
            self.until = now + self.seconds
        if now >= self.until:
            raise KeyboardInterrupt


@dataclasses.dataclass(frozen=True)
class _Watched(Every):
    """Saves rows, and checks the `Watch` after every chunk of steps."""

    watch: Watch = dataclasses.field(default_factory=lambda: Watch(MOST_SECONDS))

    def checkpoint(self, state: Buffer, records: Mapping[str, np.ndarray], meta: Meta) -> None:
        self.watch.look()


@dataclasses.dataclass(frozen=True)
class Answer:
    """The response to the browser."""

    body: bytes
    kind: str = "application/json"
    name: str = ""  # name of a file to save


class Studio:
    """The studio of one user: one computation at a time; a new run cancels the previous one."""

    def __init__(self, makers: Makers, source: str = "") -> None:
        self.makers, self.source = makers, source
        self._lock, self._watch = threading.Lock(), Watch(MOST_SECONDS)
        self._last: tuple[str, Setting, list[_Result], list[str]] | None = None
        self.actions: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
            "systems": self.systems,
            "describe": self.describe,
            "run": self.run,
            "cancel": self.cancel,
            "analyze": self.analyze,
            "export": self.export,
        }

    def systems(self, ask: Mapping[str, Any]) -> Answer:
        """Return the names of systems and methods."""
        methods = [
            {"name": name, "order": t.order, "about": f"order {t.order}; keeps {t.keeps}"}
            for name, t in ((name, make().traits) for name, make in known_methods.items())
        ]
        return _json(
            {
                "systems": list(self.makers),
                "methods": methods,
                "default": default_method().name,
                "own": bool(self.source),
            }
        )

    def describe(self, ask: Mapping[str, Any]) -> Answer:
        """Return the parameters and free speeds of a system."""
        return _json(described(self.makers, ask))

    def cancel(self, ask: Mapping[str, Any]) -> Answer:
        """Cancel the current run at its next check of the `Watch`."""
        self._watch.cancelled = True
        return _json({"cancelled": True})

    def run(self, ask: Mapping[str, Any]) -> Answer:
        """Return the scene of the requested runs."""
        begin = time.perf_counter()
        wish, runs, told = self._runs(ask)
        scene = encode([x.drawn for x in runs], title=wish.name.replace("-", " "))
        scene["warnings"] = [*told, *scene["warnings"]]
        scene["studio"] = {
            "v0": _start(wish),
            "seconds": time.perf_counter() - begin,
        }
        return _json(scene)

    def _runs(self, ask: Mapping[str, Any]) -> tuple[Setting, list[_Result], list[str]]:
        self._watch.cancelled = True  # cancels the run in progress, if any
        watch = Watch(MOST_SECONDS)
        with self._lock:
            self._watch = watch
            wish = setting(self.makers, ask)
            key = json.dumps(wish.plain, sort_keys=True)
            if self._last is not None and self._last[0] == key:
                return self._last[1:]
            runs, told = [], []
            for name in wish.methods:
                traj, problem = self._one(wish, name, watch)
                if problem:
                    told.append(f"{name}: {problem}")
                if traj is not None and len(traj) > 1:
                    runs.append(_Result.of(wish, traj, name))
            if not runs:
                raise UsageError("; ".join(told))
            self._last = (key, wish, runs, told)
            return wish, runs, told

    def _one(
        self, wish: Setting, name: str, watch: Watch
    ) -> tuple[Trajectory | HybridTrajectory | None, str]:
        """Return a run, or the part of it that was computed and why it ended."""
        method = wish.methods[name]
        watch.restart()
        if watch.cancelled:  # cancelled while another method ran
            raise Stopped("cancelled")
        if isinstance(wish.system, Modes):
            return _hybrid(wish.system, wish, method)
        system = wish.system
        u = controller(system, wish.control) if wish.control else None

        def run(h: float, steps: int, save_every: int) -> Trajectory:
            return simulate(
                system, method, wish.q0, wish.v0, h=h, steps=steps, u=u,
                save=_Watched(save_every, watch), progress=False,
            )  # fmt: skip

        try:
            if wish.h is not None:
                return run(wish.h, wish.steps, -(-wish.steps // _MOST_ROWS)), ""
            return _to_tolerance(wish, method, run)
        except _NotChosen as error:
            return None, str(error)
        except SimulationError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                said = f"stopped after {watch.seconds:g} s: take a shorter run or a larger h"
                return error.trajectory, said
            return error.trajectory, error.reason

    def analyze(self, ask: Mapping[str, Any]) -> Answer:
        """Return the page of `dalembert analyze` for this system with these parameters."""
        from ..geometry import analyze

        with self._lock:
            system = made_system(self.makers, ask)
            if isinstance(system, Modes):
                raise UsageError(
                    "only single systems can be analyzed: analyze the system of a mode by "
                    "`dalembert analyze`"
                )
            text = analyze(system).to_html()
        return Answer(text.encode(), "text/html", "analysis.html")

    def export(self, ask: Mapping[str, Any]) -> Answer:
        """Return the page, the data, or the Python script that repeats the run."""
        kind = ask.get("kind")
        if kind == "script":
            wish = setting(self.makers, ask)
            text = script(wish, self.source if wish.name == self.own else "")
            return Answer(text.encode(), "text/x-python", f"{wish.name}.py")
        if kind not in ("page", "data"):
            raise UsageError("kind must be page, data or script")
        wish, runs, _ = self._runs(ask)
        name = wish.name
        if kind == "page":
            text = page(encode([x.drawn for x in runs]))
            return Answer(text.encode(), "text/html", f"{name}.html")
        return Answer(_zipped(runs), "application/zip", f"{name}.zip")

    @property
    def own(self) -> str:
        """The name of the user's own system: the first, if the studio was opened with one."""
        return next(iter(self.makers)) if self.source else ""


@dataclasses.dataclass(frozen=True)
class _Result:
    """A run as it is saved, and the same run as it is drawn."""

    trajectory: Trajectory | HybridTrajectory
    drawn: Run

    @classmethod
    def of(cls, wish: Setting, traj: Trajectory | HybridTrajectory, label: str) -> _Result:
        if isinstance(traj, HybridTrajectory):
            system, shown, phases = drawn(wish.system, traj)
            return cls(traj, Run(system, shown, label, phases))
        assert not isinstance(wish.system, Modes), "its runs are hybrid"
        return cls(traj, Run(wish.system, traj, label))


def _start(wish: Setting) -> dict[str, float]:
    """Return the initial velocity by name; a hybrid system has its own."""
    if isinstance(wish.system, Modes) or wish.v0 is None:
        return {}
    return dict(zip(wish.system.velocity_labels, map(float, wish.v0)))


def _hybrid(modes: Modes, wish: Setting, method: Method) -> tuple[HybridTrajectory | None, str]:
    """Run a hybrid system from its start; its time is limited by the number of steps alone."""
    try:
        run = hybrid.simulate(
            modes, method=method, h=wish.h, t=wish.end, tol=wish.tol, progress=False
        )
        return run, ""
    except SimulationError as error:
        return error.trajectory, error.reason


def _to_tolerance(
    wish: Setting, method: Method, run: Callable[..., Trajectory]
) -> tuple[Trajectory, str]:
    """Do what `simulate(t=, tol=)` does, with pilot runs that the `Watch` can stop."""
    assert wish.tol is not None

    def pilot(h: float, steps: int, save_every: int) -> Trajectory:
        try:
            check_steps(steps, f"raise tol = {wish.tol:g} or take a shorter run")
            return run(h, steps, save_every)
        except UsageError as error:
            raise _NotChosen(str(error)) from None
        except SimulationError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise _NotChosen(
                    f"no step for tol = {wish.tol:g} was found in time: raise tol or take a "
                    "shorter run"
                ) from None
            raise

    chosen = choose(pilot, wish.end, method.traits.order, wish.tol)
    traj = run(wish.end / chosen.steps, chosen.steps, -(-chosen.steps // _MOST_ROWS))
    meta = dataclasses.replace(traj.meta, tol=wish.tol, error_estimate=chosen.error)
    text = f"tol = {wish.tol:g} cannot be met: the error at the end is still {chosen.error:.1e}"
    return dataclasses.replace(traj, meta=meta), "" if chosen.met else text


def _zipped(runs: list[_Result]) -> bytes:
    """Return the trajectories as NetCDF, or as CSV if the packages for NetCDF are missing."""
    whole = all(importlib.util.find_spec(x) for x in ("xarray", "h5netcdf", "h5py"))
    suffix = ".nc" if whole else ".csv"
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(out, "w") as archive:
        for run in runs:
            file = Path(folder) / f"{run.drawn.label}{suffix}"
            run.trajectory.save(file)
            archive.write(file, file.name)
    return out.getvalue()


def _json(value: Any) -> Answer:
    return Answer(json.dumps(value, allow_nan=False).encode())
