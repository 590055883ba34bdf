"""Write files and half-finished stores of every kind, and the numbers that are in them.

    git worktree add ../at-c9bae98 c9bae98
    PYTHONPATH=../at-c9bae98/src python tests/data/c9bae98/make.py

writes `files.zip` and `expected.json` beside this file. `tests/test_old_files.py` reads both and
takes the runs below as well, so they use public names only; what interrupts a run is below them.
"""

import contextlib
import json
import shutil
import tempfile
import warnings
import zipfile
from pathlib import Path
from unittest import mock

import jax
import numpy as np

import dalembert as da

SLEIGH = da.systems.ChaplyginSleigh(a=0.3)
EVENTS = {"turn": lambda t, q, v: q[2] - 0.4, "east": da.Event(lambda t, q, v: v[0])}
FEW = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.4, 6))
MANY = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.4, 67))  # two slices: the least has 64
ENERGY = {"energy": da.Statistics(lambda q, v: v @ v, every=4)}
WALL = da.hybrid.bounce("ice", lambda q: 1.0 - q[0], restitution=0.8)
ICE = da.hybrid.Modes({"ice": SLEIGH}, WALL)
BOUNCING = {"h": 0.05, "save_every": 4}


def single(name, **more):
    """The runs of one system that are streamed; `more` says where to."""
    boards = da.systems.Snakeboard()
    given = {
        "plain": (SLEIGH, da.GNI(), {"h": 0.02, "steps": 400}),
        "events": (SLEIGH, da.Gauss(2), {"h": 0.05, "steps": 120, "events": EVENTS}),
        "adaptive": (SLEIGH, da.Reversible(da.Gauss(2)), {"h": 0.05, "steps": 60}),
        "reduced": (da.systems.BallOnTurntable(), da.DLA(), {"h": 0.02, "steps": 60}),
        "taylor-rows": (SLEIGH, da.Taylor(), {"h": 0.05, "t": 6.0}),
        "taylor-nodes": (SLEIGH, da.Taylor(), {"t": 20.0}),
        "driven": (boards, da.Gauss(2), {"h": 0.05, "steps": 40, "u": [0.2, 0.1]}),
    }
    system, method, options = given[name]
    return da.simulate(system, method, **options, **more)


def members(system=MANY, **more):
    """The ensemble that is streamed."""
    options = {"h": 0.05, "steps": 16, "events": {"turn": EVENTS["turn"]}}
    return da.simulate_ensemble(system, da.Gauss(2), **options, **more)


def bounces(t):
    """The hybrid run, until t."""
    return da.hybrid.simulate(ICE, "ice", [0.0, 0.0, 0.0], [1.0, 0.0, 0.5], t=t, **BOUNCING)


def complete(name):
    """The runs that came to their end, by the name of their file."""
    section = da.Section(lambda q, v: q[2] - 0.3, [lambda q, v: v[0]], every=1)
    sinks = {"": da.Every(4), "section": section}
    ball, body = da.systems.BallOnTurntableGlobal(), da.systems.Suslov()
    fluid = da.systems.UnderwaterVehicle()
    made = {
        "sleigh.nc": lambda: da.simulate(
            SLEIGH, da.GNI(), h=0.05, steps=40, save=sinks, events=EVENTS
        ),
        "sleigh.zarr": lambda: da.simulate(SLEIGH, h=0.05, steps=40, save_every=4),
        "suslov.nc": lambda: da.simulate(body, da.DLA(), h=0.05, steps=10),
        "ball.nc": lambda: da.simulate(ball, da.GNI(), h=0.02, steps=10),
        "reduced.zarr": lambda: da.simulate(da.systems.BallOnTurntable(), h=0.02, steps=10),
        "fluid.nc": lambda: da.simulate(fluid, h=0.05, steps=10),
        "driven.nc": lambda: single("driven"),
        "taylor.nc": lambda: da.simulate(SLEIGH, da.Taylor(), t=4.0),
        "members.nc": lambda: da.simulate_ensemble(
            FEW, da.Gauss(2), h=0.05, steps=12, save={"": da.Every(4), **ENERGY}
        ),
        "members.zarr": lambda: members(FEW, save=da.Every(4)),
        "bounces.nc": lambda: bounces(2.0),
    }
    return made[name]()


STORED = ("plain", "events", "adaptive", "reduced", "taylor-rows", "taylor-nodes")
COMPLETE = (
    "sleigh.nc",
    "sleigh.zarr",
    "suslov.nc",
    "ball.nc",
    "reduced.zarr",
    "fluid.nc",
    "driven.nc",
    "taylor.nc",
    "members.nc",
    "members.zarr",
    "bounces.nc",
)
END_OF_BOUNCES = 4.0  # to which the file of a hybrid run, that ends at 2, is resumed


def numbers(found):
    """A few numbers of a result, as JSON holds them: shapes, times, the last row (and member)."""
    row = (slice(-1, None),) * (np.asarray(found.v).ndim - 1)
    last = {
        name: [np.asarray(x)[row].ravel().tolist() for x in jax.tree.leaves(getattr(found, name))]
        for name in ("q", "v", "p", "multiplier", "frame")
    }
    events = getattr(found, "events", None)
    return {
        "kind": type(found).__name__,
        "shape": list(found.v.shape),
        "t": float(np.asarray(found.t).ravel()[-1]),
        "meta": {k: getattr(found.meta, k) for k in ("system", "method", "h", "steps", "space")},
        "jumps": np.asarray(found.jumps.t).tolist() if hasattr(found, "jumps") else [],
        "events": np.asarray(events.t).ravel().tolist() if events is not None else [],
        "saved": sorted(found.saved),
        **last,
    }


# -- what only the version that writes the files needs -------------------------------------------


class _Interrupted(da.Stream):
    """A stream that is interrupted at the third time that it is fed."""

    def feed(self, state, rows):
        fed.append(1)
        if len(fed) == 3:
            raise KeyboardInterrupt
        return super().feed(state, rows)


fed: list[int] = []


def write(folder):
    """All files; the numbers in them, and those at the end of the runs that are resumed."""
    from dalembert.running import run, streamed

    expected = {}
    for name in COMPLETE:
        found = complete(name)
        found.save(folder / name)
        expected[name] = numbers(found)
    for name in STORED:
        fed.clear()
        path = folder / f"{name}-part.zarr"
        first = {"plain": 300, "taylor-nodes": 8}.get(name, 20)
        with (
            mock.patch.object(run, "_FIRST_STEPS", first),
            mock.patch.object(run, "_CHUNK_SECONDS", 0.0),
            contextlib.suppress(da.SimulationError),
        ):
            single(name, save=_Interrupted(path))
            raise AssertionError(f"{name} was not interrupted")
        expected[path.name] = {"part": numbers(da.load(path)), "whole": numbers(single(name))}
    path = folder / "members-part.zarr"
    computed = streamed._computed

    def one_slice(task, *rest):
        if task.index == 1:
            raise KeyboardInterrupt
        return computed(task, *rest)

    with (
        mock.patch.object(streamed, "_computed", one_slice),
        contextlib.suppress(KeyboardInterrupt),
    ):
        members(save={"": da.Stream(path, every=8, members=64), **ENERGY})
    pending = da.load(path).pending
    assert list(pending) == [64, 65, 66], pending
    whole = members(save={"": da.Every(8), **ENERGY})
    expected[path.name] = {"pending": [64, 65, 66], "whole": numbers(whole)}
    expected["bounces.nc"] = {
        "part": expected["bounces.nc"],
        "whole": numbers(bounces(END_OF_BOUNCES)),
    }
    return expected


def main():
    """Write `files.zip` and `expected.json`."""
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        expected = write(folder)
        text = json.dumps(expected, indent=1, default=lambda x: np.asarray(x).tolist())
        (here / "expected.json").write_text(text + "\n")
        with zipfile.ZipFile(here / "files.zip", "w", zipfile.ZIP_DEFLATED) as packed:
            for file in sorted(x for x in folder.rglob("*") if x.is_file()):
                packed.write(file, file.relative_to(folder))
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    warnings.simplefilter("error")
    main()
