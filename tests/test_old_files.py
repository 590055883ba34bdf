"""Files and stores of an older version: they load as they were, and runs go on from them."""

import importlib.util
import json
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.cli import main

DATA = Path(__file__).parent / "data" / "c9bae98"
EXPECTED = json.loads((DATA / "expected.json").read_text())


def _runs():
    """The module that wrote the files: what was run, and which numbers were taken down."""
    spec = importlib.util.spec_from_file_location("runs_of_c9bae98", DATA / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RUNS = _runs()
NOTE = "was written by an earlier version, which did not write checksums"
pytestmark = pytest.mark.filterwarnings(f"ignore:.*{NOTE}")


@pytest.fixture
def folder(tmp_path):
    with zipfile.ZipFile(DATA / "files.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path


def same(found, expected, rtol=0.0):
    """Compare numbers taken down; with `rtol` those that were computed, by another version."""
    found = json.loads(json.dumps(RUNS.numbers(found), default=lambda x: np.asarray(x).tolist()))
    for key, value in expected.items():
        if rtol and key in ("t", "q", "v", "p", "multiplier", "frame", "jumps", "events"):
            assert len(np.ravel(found[key])) == len(np.ravel(value)), key
            for x, y in zip(np.atleast_1d(found[key]), np.atleast_1d(value), strict=True):
                np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol, err_msg=key)
        else:
            assert found[key] == value, key


@pytest.mark.parametrize("name", RUNS.COMPLETE)
def test_a_file_loads_as_it_was_written(folder, name):
    expected = EXPECTED[name]
    with pytest.warns(UserWarning, match=NOTE):
        found = da.load(folder / name)
    same(found, expected.get("part", expected))
    found.save(folder / name)  # anew: now it is sealed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(da.load(folder / name), expected.get("part", expected))


@pytest.mark.parametrize(
    "name", ["sleigh.zarr", "suslov.nc", "ball.nc", "reduced.zarr", "fluid.nc"]
)
def test_points_between_the_rows_of_a_file(folder, name):
    """The space of the run is known from the file."""
    loaded, run = da.load(folder / name), RUNS.complete(name)
    t = np.linspace(loaded.t[0], loaded.t[-1], 7)
    now, then = run.at(t), loaded.at(t)
    np.testing.assert_allclose(now.v, then.v, rtol=1e-8, atol=1e-9)
    assert (now.frame is None) == (then.frame is None)


def test_a_control_is_known_where_only_the_name_tells(folder, capsys):
    assert da.load(folder / "driven.nc").meta.controlled == "snakeboard"
    assert da.load(folder / "sleigh.nc").meta.controlled == ""
    assert main(["view", str(folder / "driven.nc"), "--out", str(folder / "page.html")]) == 0


@pytest.mark.parametrize("name", RUNS.STORED)
def test_a_streamed_run_is_resumed_to_the_same_end(folder, name):
    path = folder / f"{name}-part.zarr"
    expected = EXPECTED[path.name]
    same(da.load(path), expected["part"])
    last = da.resume(path, events=RUNS.EVENTS if name == "events" else None, insist=True)
    whole, run = da.load(path), RUNS.single(name)
    same(whole, expected["whole"], 1e-8)
    same(whole, RUNS.numbers(run), 1e-8)
    np.testing.assert_allclose(last.v[-1], whole.v[-1], rtol=0, atol=0)


def test_an_ensemble_in_slices_is_resumed_to_the_same_end(folder):
    path = folder / "members-part.zarr"
    expected = EXPECTED[path.name]
    part = da.load(path)
    assert part.pending.tolist() == expected["pending"]
    many = da.resume(
        path, RUNS.MANY, events={"turn": RUNS.EVENTS["turn"]}, reduce=RUNS.ENERGY, insist=True
    )
    same(many, expected["whole"], 1e-8)
    whole = RUNS.members(save={"": da.Every(8), **RUNS.ENERGY})
    np.testing.assert_allclose(np.asarray(many.v), whole.v, rtol=1e-8)
    np.testing.assert_allclose(many.saved["energy"].mean, whole.saved["energy"].mean, rtol=1e-8)


def test_a_hybrid_run_is_resumed_to_the_same_end(folder):
    found = da.hybrid.resume(folder / "bounces.nc", RUNS.ICE, t=RUNS.END_OF_BOUNCES, insist=True)
    same(found, EXPECTED["bounces.nc"]["whole"], 1e-8)
    same(da.load(folder / "bounces.nc"), EXPECTED["bounces.nc"]["whole"], 1e-8)
