"""Damage to files of every kind: what loads is what was written, or it is refused in words.

    python -m tests.fuzz.files --count 2000 --seed 0 --jobs 15

Results of every kind are written once: runs, ensembles and hybrid runs as `.nc` and `.zarr`,
stores of one run and of an ensemble, finished and interrupted. Each case copies one of them and
damages it: bits flipped, a file cut off, emptied, removed, exchanged with another or written over
by it, bytes put in or zeroed, a number or a name in JSON edited. Then it is loaded, loaded with
`skip_damaged`, and a store is resumed. Files of an older version, which have no seals, are among
them: these are loaded only, and may load.

A case is good if each of these ends in the numbers of before (with `skip_damaged`: in some of the
rows or members, each as it was), or in a `DalembertError`. Anything else that is raised counts as
raw. Kills during writing are in `tests.fuzz.stores`.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import jax
import numpy as np

import dalembert as da
from dalembert.errors import DalembertError, DamagedError
from dalembert.running import single_run
from dalembert.running.api import sliced_run
from dalembert.storage import store as stores

SLEIGH = da.systems.ChaplyginSleigh(a=0.3)
MANY = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.4, 130))  # three slices
METHOD = da.GNI()
EVENTS = {"turn": da.Event(lambda t, q, v: q[2] - 0.4)}
ENERGY = {"energy": da.Statistics(lambda q, v: v @ v, every=4)}
ICE = da.hybrid.Modes(
    {"ice": SLEIGH}, da.hybrid.bounce("ice", lambda q: 1.0 - q[0], restitution=0.8)
)
RUN = {"h": 0.01, "steps": 700, "events": EVENTS}  # two whole blocks of 256 rows and a part
MEMBERS = {"h": 0.05, "steps": 12, "events": EVENTS}
KINDS = ("run", "many", "bounces", "stored", "slices", "older")
OLDER = Path(__file__).parents[1] / "data" / "c9bae98" / "files.zip"  # without seals
PROGRESS = 200  # cases for each line


# -- what is damaged -----------------------------------------------------------------------------


def make(folder: Path, kinds: Sequence[str]) -> dict[str, Callable[[Path], Any] | None]:
    """Write one of each kind; by name how it is resumed, if it is a store."""
    results = {
        "run": lambda: da.simulate(SLEIGH, METHOD, **RUN),
        "many": lambda: da.simulate_ensemble(
            MANY, METHOD, **MEMBERS, save={"": da.Every(4), **ENERGY}
        ),
        "bounces": lambda: da.hybrid.simulate(
            ICE, "ice", [0.0, 0.0, 0.0], [1.0, 0.0, 0.5], h=0.05, t=4.0
        ),
    }
    made: dict[str, Callable[[Path], Any] | None] = {}
    for kind in results.keys() & kinds:
        result = results[kind]()
        for suffix in (".nc", ".zarr"):
            result.save(folder / f"{kind}{suffix}")
            made[f"{kind}{suffix}"] = None
    if "stored" in kinds:
        _stored(folder)
        run = {"system": SLEIGH, "method": METHOD, "events": EVENTS}
        made |= dict.fromkeys(("stored.zarr", "stored-part.zarr"), partial(_resumed, how=run))
    if "older" in kinds:
        with zipfile.ZipFile(OLDER) as packed:
            packed.extractall(folder / "older")
        # not .nc: without a seal damage reaches HDF5, which may go round in circles for ever
        older = sorted(x.name for x in (folder / "older").iterdir() if x.suffix == ".zarr")
        made |= {f"older/{name}": None for name in older}
    if "slices" in kinds:
        _sliced(folder)
        study = {"system": MANY, "method": METHOD, "events": EVENTS, "reduce": ENERGY}
        made |= dict.fromkeys(("slices.zarr", "slices-part.zarr"), partial(_resumed, how=study))
    return made


def _stored(folder: Path) -> None:
    with (
        mock.patch.object(stores, "_BLOCK_BYTES", 1),
        mock.patch.object(single_run, "_FIRST_STEPS", 256),
        mock.patch.object(single_run, "_CHUNK_SECONDS", 0.0),
    ):
        da.simulate(SLEIGH, METHOD, **RUN, store=folder / "stored.zarr")
        try:
            da.simulate(SLEIGH, METHOD, **RUN, save=_Interrupted(folder / "stored-part.zarr"))
            raise AssertionError("it was not interrupted")
        except da.SimulationError:
            pass


def _sliced(folder: Path) -> None:
    computed = sliced_run._computed

    def two(task: Any, *rest: Any) -> Any:
        if task.index == 2:
            raise KeyboardInterrupt
        return computed(task, *rest)

    for name, work in (("slices", computed), ("slices-part", two)):
        stream = da.Stream(folder / f"{name}.zarr", every=4, members=64)
        with (
            mock.patch.object(sliced_run, "_computed", work),
            contextlib.suppress(KeyboardInterrupt),
        ):
            da.simulate_ensemble(MANY, METHOD, **MEMBERS, save={"": stream, **ENERGY})


def _resumed(path: Path, how: dict[str, Any]) -> Any:
    da.resume(path, **how)
    return da.load(path)


class _Interrupted(da.Stream):
    """A stream that is interrupted at the third time that it is fed."""

    def feed(self, state: Any, rows: Any) -> Any:
        self.__dict__["fed"] = self.__dict__.get("fed", 0) + 1
        if self.__dict__["fed"] == 3:
            raise KeyboardInterrupt
        return super().feed(state, rows)


# -- damage --------------------------------------------------------------------------------------


def flip(chance: random.Random, content: bytes) -> bytes:
    bits = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 8))):
        bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
    return bytes(bits)


def cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def cut_few(chance: random.Random, content: bytes) -> bytes:
    return content[: -chance.randint(1, min(100, len(content)))]


def empty(chance: random.Random, content: bytes) -> bytes:
    return b""


def longer(chance: random.Random, content: bytes) -> bytes:
    at = chance.choice((len(content), chance.randrange(len(content))))
    return content[:at] + chance.randbytes(chance.randint(1, 64)) + content[at:]


def zeroed(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    n = chance.randint(1, 512)
    return content[:at] + bytes(len(content[at : at + n])) + content[at + n :]


def moved(chance: random.Random, content: bytes) -> bytes:
    """Two parts exchanged, such as rows or arrays."""
    n = max(len(content) // chance.choice((4, 16, 64)), 1)
    a, b = (chance.randrange(max(len(content) - n, 1)) for _ in range(2))
    bits = bytearray(content)
    bits[a : a + n], bits[b : b + n] = content[b : b + n], content[a : a + n]
    return bytes(bits[: len(content)])


def edited(chance: random.Random, content: bytes) -> bytes:
    """One value of JSON changed, as a person would do."""
    tree = json.loads(content)
    places: list[tuple[Any, Any]] = []

    def walk(x: Any) -> None:
        for key in x if isinstance(x, dict) else range(len(x)):
            places.append((x, key))
            if isinstance(x[key], (dict, list)):
                walk(x[key])

    walk(tree)
    if not places:
        return b"[]"
    where, key = chance.choice(places)
    value = where[key]
    if isinstance(value, bool):
        where[key] = not value
    elif isinstance(value, (int, float)):
        where[key] = chance.choice((value + 1, value * 2, -value, 0.5, None, 10**9))
    elif isinstance(value, str):
        where[key] = chance.choice((value + "x", "", value[::-1], None, 7))
    else:
        del where[key]
    return json.dumps(tree).encode()


CHANGES = (flip, flip, cut, cut_few, empty, longer, zeroed, moved)


def damage(chance: random.Random, path: Path) -> str:
    """Damage a copy in one way; what was done."""
    files = [path] if path.is_file() else sorted(x for x in path.rglob("*") if x.is_file())
    files = [x for x in files if x.stat().st_size and x.name != "lock"]
    file = chance.choice(files)
    texts = [x for x in files if x.suffix == ".json" or x.name.startswith(".z")]
    kind = chance.choice(
        ("change", "change", "change", "remove", "exchange", "over", "edit", "two")
    )
    if len(files) == 1 or kind == "change":
        change = chance.choice(CHANGES)
        file.write_bytes(change(chance, file.read_bytes()))
        return f"{change.__name__} {file.name if file == path else file.relative_to(path)}"
    name = file.relative_to(path)
    if kind == "remove":
        folder = file.parent
        if folder != path and chance.random() < 0.2:
            shutil.rmtree(folder)
            return f"remove {folder.relative_to(path)}/"
        file.unlink()
        return f"remove {name}"
    if kind == "edit":
        file = chance.choice(texts)
        file.write_bytes(edited(chance, file.read_bytes()))
        return f"edit {file.relative_to(path)}"
    near = [x for x in files if x.parent == file.parent and x != file]
    other = chance.choice(near if near and chance.random() < 0.8 else files)
    mine, its = file.read_bytes(), other.read_bytes()
    file.write_bytes(its)
    if kind == "over":
        return f"{other.relative_to(path)} over {name}"
    other.write_bytes(mine)
    if kind == "two":
        file.write_bytes(flip(chance, file.read_bytes()))
    return f"{kind} {name} and {other.relative_to(path)}"


# -- verdicts ------------------------------------------------------------------------------------

_ROWS = ("t", "q", "v", "p", "multiplier", "frame", "residual", "result")
_META = ("system", "method", "h", "t0", "save_every", "space", "coordinate_names", "versions")


def content(found: Any) -> dict[str, Any]:
    """All that was read, as arrays: the lazy ones of a store are read now."""
    names = [*_ROWS, "steps_done", "ended", "mode", "standing"]
    values = {k: getattr(found, k) for k in names if hasattr(found, k)}
    if found.events is not None:
        values["events"] = found.events.arrays()
    if hasattr(found, "jumps"):
        values["jumps"] = found.jumps
    values["saved"] = {k: tuple(x) for k, x in found.saved.items()}
    values["meta"] = [json.dumps(found.meta.as_dict()[k], sort_keys=True) for k in _META]
    return jax.tree.map(np.asarray, values)


def same(found: Any, whole: dict[str, Any]) -> bool:
    mine = content(found)
    (a, tree), (b, other) = jax.tree.flatten(mine), jax.tree.flatten(whole)
    return tree == other and all(
        x.shape == y.shape and np.array_equal(x, y, equal_nan=x.dtype.kind == "f")
        for x, y in zip(a, b)
    )


def as_it_was(found: Any, whole: dict[str, Any]) -> bool:
    """Whether all is there; of an ensemble with a lost marker, all but members that it lists."""
    pending = isinstance(found, da.Ensemble) and len(found.pending)
    return part_of(found, whole) if pending else same(found, whole)


def part_of(found: Any, whole: dict[str, Any]) -> bool:
    """Whether all that was read is in the whole, rows by their times, members by themselves."""
    mine = content(found)
    if isinstance(found, da.Ensemble):
        known = {x.tobytes(): i for i, x in enumerate(whole["v"])}
        which = [i for i in range(len(found)) if i not in set(found.pending)]
        place = [known.get(mine["v"][i].tobytes(), -1) for i in which]
        pairs = [(x[which], y[place]) for x, y in _pairs(mine, whole, ("q", "v", "p", "result"))]
    else:
        place = np.searchsorted(whole["t"], mine["t"])
        if len(place) and place[-1] >= len(whole["t"]):
            return False
        pairs = [(x, y[place]) for x, y in _pairs(mine, whole, _ROWS)]
    return mine["meta"] == whole["meta"] and all(
        np.array_equal(x, y, equal_nan=x.dtype.kind == "f") for x, y in pairs
    )


def _pairs(a: Any, b: Any, names: tuple[str, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
    return [
        pair
        for k in names
        for pair in zip(jax.tree.leaves(a[k]), jax.tree.leaves(b[k]), strict=True)
    ]


class Fuzz:
    """The specimens, and what is known of them."""

    def __init__(self, folder: Path, kinds: Sequence[str] = KINDS) -> None:
        self.folder, self.resumes = folder, make(folder, kinds)
        self.wholes = {name: content(da.load(folder / name)) for name in self.resumes}
        self.counts: collections.Counter[str] = collections.Counter()

    def case(self, chance: random.Random) -> list[str]:
        """Damage one file; what is wrong with what came of it."""
        kinds = sorted({x.partition("/")[0] for x in self.resumes})
        kind = chance.choice(kinds)
        name = chance.choice([x for x in self.resumes if x.partition("/")[0] == kind])
        source, path = self.folder / name, self.folder / f"damaged{Path(name).suffix}"
        _removed(path)
        (shutil.copy if source.is_file() else shutil.copytree)(source, path)
        done, whole = damage(chance, path), self.wholes[name]
        if name.startswith("older/"):  # what is damaged there may not be noticed, but is not raw
            wrong = self._tried("older", lambda: bool(content(da.load(path))))
            return [f"{name}: {done}: {x}" for x in wrong]
        wrong = self._tried("load", lambda: as_it_was(da.load(path), whole))
        skip = lambda: part_of(da.load(path, skip_damaged=True), whole)
        wrong += self._tried("skip", skip)
        go_on = self.resumes[name]
        if go_on is not None:
            end = self.wholes[name.replace("-part", "")]
            wrong += self._tried("resume", lambda: same(go_on(path), end))
        return [f"{name}: {done}: {x}" for x in wrong]

    def _tried(self, what: str, check: Callable[[], bool]) -> list[str]:
        try:
            good = check()
        except DalembertError as error:
            kind = "damaged" if isinstance(error, DamagedError) else "refused"
            self.counts[f"{what}: {kind}"] += 1
            return []
        except BaseException:
            self.counts[f"{what}: raw"] += 1
            return [f"{what} raised\n{traceback.format_exc()}"]
        self.counts[f"{what}: {'good' if good else 'WRONG'}"] += 1
        return [] if good else [f"{what} gave other numbers"]


def _removed(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def share(numbers: range, seed: int, show: int) -> tuple[list[str], collections.Counter[str], int]:
    """Damage the files of these numbers; what is wrong, counts, and how many kinds there are."""
    begin, wrong = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fuzz = Fuzz(Path(folder))
        for done, i in enumerate(numbers, 1):
            found = fuzz.case(random.Random(1_000_003 * seed + i))
            wrong += found
            for text in found[: max(show - len(wrong) + 1, 0)]:
                print(f"case {i}: {text}", flush=True)
            if done % PROGRESS == 0:
                took = f"{time.monotonic() - begin:.0f} s"
                print(f"{done} of {len(numbers)} files, {took}, {len(wrong)} wrong", flush=True)
    return wrong, fuzz.counts, len(fuzz.resumes)


def main(count: int, seed: int, show: int = 5, jobs: int = 1) -> int:
    """Damage so many files; 1 if something wrong was loaded, or something raw was raised.

    A case depends on its number only, so that the number of processes changes nothing.
    """
    begin = time.monotonic()
    work = [(range(j, count, jobs), seed, show) for j in range(min(jobs, count))]
    if jobs == 1:
        shares = [share(*work[0])]
    else:
        with multiprocessing.get_context("spawn").Pool(len(work)) as pool:
            shares = pool.starmap(share, work, chunksize=1)
    wrong = sum(len(x[0]) for x in shares)
    counts = sum((x[1] for x in shares), collections.Counter())
    told = ", ".join(f"{k} {n}" for k, n in sorted(counts.items()))
    print(f"{count} damaged files of {shares[0][2]} kinds, seed {seed}: {told}")
    print(f"{wrong} wrong or raw, {time.monotonic() - begin:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    sys.exit(main(given.count, given.seed, given.show, given.jobs))
