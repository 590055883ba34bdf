"""Files (C3): what loads is what was written, in its place, or it is refused in words."""

import json
import random
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.errors import UsageError

pytest.importorskip("zarr")

SLEIGH = da.systems.ChaplyginSleigh(a=0.3)
MANY = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.4, 70))  # two slices: the least has 64
METHOD = da.GNI()
TURN = {"turn": da.Event(lambda t, q, v: q[2] - 0.4)}
MEMBERS = {"h": 0.05, "steps": 12, "events": TURN}


@pytest.fixture(scope="module")
def run():
    return da.simulate(SLEIGH, METHOD, h=0.01, steps=700)


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A store of two blocks of 256 rows and a part of one; one of an ensemble of two slices."""
    folder = tmp_path_factory.mktemp("c3")
    with pytest.MonkeyPatch.context() as patch:
        for place in ("storage.store", "running.store"):  # now, and at c9bae98
            try:
                patch.setattr(f"dalembert.{place}._BLOCK_BYTES", 1)
                break
            except ImportError:
                continue
        da.simulate(SLEIGH, METHOD, h=0.01, steps=700, store=folder / "run.zarr")
    stream = da.Stream(folder / "many.zarr", every=4, members=64)
    many = da.simulate_ensemble(MANY, METHOD, **MEMBERS, save=stream)
    return folder, da.load(folder / "run.zarr"), np.array(many.v)


@pytest.fixture
def copied(stores, tmp_path):
    for name in ("run.zarr", "many.zarr"):
        shutil.copytree(stores[0] / name, tmp_path / name)
    return tmp_path


def exchange(a: Path, b: Path) -> None:
    mine = a.read_bytes()
    a.write_bytes(b.read_bytes())
    b.write_bytes(mine)


def edit(file: Path, **new) -> None:
    """Change a JSON file that may have a seal, as somebody would who does not know of it."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **new}))


def test_finding3_c3_a_netcdf_file_has_a_seal(run, tmp_path):
    """Of flipped bits none loads as other numbers; the rows that are good can be read."""
    path, chance, refused = tmp_path / "run.nc", random.Random(1), 0
    run.save(path)
    whole = path.read_bytes()
    for _ in range(12):
        bits = bytearray(whole)
        bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
        path.write_bytes(bits)
        try:
            assert da.load(path).equals(run)
        except UsageError as error:
            refused += "damaged" in str(error)
    assert refused == 12
    for cut in (1, 40, len(whole) // 2):  # of the seal, and of the numbers
        path.write_bytes(whole[:-cut])
        with pytest.raises(UsageError, match="is damaged"):
            da.load(path)
    at = whole.index(np.ascontiguousarray(run.v[650]).tobytes())
    path.write_bytes(whole[:at] + bytes(8) + whole[at + 8 :])
    with pytest.raises(UsageError, match=r"v \(rows 510 to 679\).* rows 0 to 509, 680 to 700 are"):
        da.load(path)
    good = da.load(path, skip_damaged=True)
    np.testing.assert_array_equal(good.q, np.delete(run.q, range(510, 680), axis=0))
    assert "left out: v (rows 510 to 679)" in good.warnings[-1]


def test_finding3_c3_attributes_are_sealed_wherever_they_lie(run, tmp_path):
    path = tmp_path / "run.zarr"
    run.save(path)
    loose = path / ".zattrs"
    before = loose.read_text()
    edit(loose, h=0.5)
    with pytest.raises(UsageError, match=r"damaged: its \.zattrs"):
        da.load(path)
    loose.write_text(before)
    consolidated = json.loads((path / ".zmetadata").read_text())
    consolidated["metadata"][".zattrs"]["h"] = 0.5
    (path / ".zmetadata").write_text(json.dumps(consolidated))
    with pytest.raises(UsageError, match=r"damaged: its \.zmetadata"):
        da.load(path)


def test_finding3_c3_a_removed_chunk_is_no_nan(copied, stores):
    path, v = copied / "many.zarr", stores[2]
    (path / "v" / "1.0.0").unlink()
    with pytest.raises(
        UsageError, match=r"the block v/1\.0\.0 \(members 64 to 69\).*members 0 to 63 are good"
    ):
        np.asarray(da.load(path).v)
    good = da.load(path, skip_damaged=True)
    assert good.pending.tolist() == list(range(64, 70))
    np.testing.assert_array_equal(good.v[:64], v[:64])
    again = da.resume(path, MANY, METHOD, events=TURN)
    np.testing.assert_array_equal(np.asarray(again.v), v)


def test_finding3_c3_a_study_is_sealed(copied):
    path = copied / "many.zarr"
    edit(path / "study.json", every=2)
    for read in (da.load, lambda x: da.resume(x, MANY, METHOD, events=TURN)):
        with pytest.raises(UsageError, match=r"damaged: its study\.json"):
            read(path)


def test_finding3_c3_exchanged_blocks(copied, stores):
    path, rows = copied / "run.zarr", stores[1]
    exchange(path / "v" / "0.0", path / "v" / "1.0")
    for read in (da.load, da.resume):
        with pytest.raises(
            UsageError, match=r"v/0\.0 \(rows 0 to 255\).*rows 512 to 700 are good; .*skip_damaged"
        ):
            read(path)
    np.testing.assert_array_equal(da.load(path, skip_damaged=True).q, rows.q[512:])
    path, v = copied / "many.zarr", stores[2]
    exchange(path / "events" / "000000.npz", path / "events" / "000001.npz")
    with pytest.raises(UsageError, match=r"events/00000\d\.npz"):
        da.load(path)
    exchange(path / "q" / "0.0.0", path / "p" / "0.0.0")
    again = da.resume(path, MANY, METHOD, events=TURN)
    np.testing.assert_array_equal(np.asarray(again.v), v)


def test_finding3_c3_nothing_raw(copied):
    """BadZipFile, JSON and Unicode errors are words, too."""
    many, run = copied / "many.zarr", copied / "run.zarr"
    for file in (
        many / "events" / "000000.npz",
        many / "saved.npz",
        many / "study.json",
        many / ".zmetadata",
        run / "checkpoint.npz",
        run / "time" / ".zarray",
    ):
        whole = file.read_bytes()
        for content in (b"", b"\xff\xfe{", whole[: len(whole) // 2]):
            file.write_bytes(content)
            path = copied / file.relative_to(copied).parts[0]
            with pytest.raises(UsageError, match="damaged"):
                np.asarray(da.load(path).q)
        file.write_bytes(whole)


def test_finding3_c3_checkpoints_hold_named_records(copied, tmp_path):
    with np.load(copied / "run.zarr" / "checkpoint.npz") as found:
        names = {x.removeprefix("record_") for x in found.files if x.startswith("record_")}
        assert found["record_steps"] == 700 and found["record_state.k"] == 700
    assert {"parameters", "t0", "h", "stride", "steps", "state.row.q"} <= names
    assert "numbers" not in names


def test_finding3_c3_a_resumed_store_of_nodes_has_its_first_h(tmp_path, monkeypatch):
    fed = []

    class Interrupted(da.Stream):
        def feed(self, state, rows):
            fed.append(1)
            if len(fed) == 3:
                raise KeyboardInterrupt
            return super().feed(state, rows)

    for place in ("single_run", "run"):
        try:
            monkeypatch.setattr(f"dalembert.running.{place}._FIRST_STEPS", 8)
            monkeypatch.setattr(f"dalembert.running.{place}._CHUNK_SECONDS", 0.0)
            monkeypatch.setattr(f"dalembert.running.{place}._LEAST_STEPS", 8, raising=False)
            break
        except ImportError:
            continue
    whole, path = da.simulate(SLEIGH, da.Taylor(), t=20.0), tmp_path / "run.zarr"
    with pytest.raises(da.SimulationError, match="interrupted"):
        da.simulate(SLEIGH, da.Taylor(), t=20.0, save=Interrupted(path))
    assert 1 < len(da.load(path)) < len(whole)
    assert da.resume(path).meta.h == da.load(path).meta.h == whole.meta.h
    np.testing.assert_array_equal(da.load(path).q, whole.q)


def test_a_sample_of_damaged_files(tmp_path):
    """As `python -m tests.fuzz.files` does with many."""
    from tests.fuzz.files import Fuzz

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fuzz = Fuzz(tmp_path, ("run", "stored"))
        wrong = [x for i in range(10) for x in fuzz.case(random.Random(i))]
    assert not wrong, wrong[0]
    assert fuzz.counts["load: damaged"] > 4, fuzz.counts


def test_members_of_a_damaged_file_keep_their_numbers(tmp_path):
    path = tmp_path / "many.nc"
    many = da.simulate_ensemble(MANY, METHOD, **MEMBERS, save=da.Every(4))
    many.save(path)
    content = bytearray(path.read_bytes())
    content[content.index(np.ascontiguousarray(many.v[60, 2]).tobytes())] ^= 1
    path.write_bytes(content)
    with pytest.raises(da.DamagedError, match=r"v \(members 42 to 69\).*members 0 to 41 are good"):
        da.load(path)
    good = da.load(path, skip_damaged=True)
    assert good.pending.tolist() == list(range(42, 70)) and np.all(np.isnan(good.v[42:]))
    np.testing.assert_array_equal(good[41].events.t, many[41].events.t)
    assert good[41].meta.parameters == many[41].meta.parameters
    with pytest.raises(UsageError, match="is damaged"):
        good[60]
