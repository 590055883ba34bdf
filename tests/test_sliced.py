"""Ensembles on disk, slice by slice: the same bits, resumable, read in parts; who computes them."""

import concurrent.futures
import dataclasses
import json

import jax
import numpy as np
import pytest

import dalembert as da
from dalembert.errors import StoreError, UsageError
from dalembert.results import ensemble_store, seals
from dalembert.running.api import sliced_run
from dalembert.storage import executors, slice_store

QUARTIC = da.systems.ChaoticQuartic()
Q, V = QUARTIC.ensemble(jax.random.key(1), 200)  # three whole blocks, and a part of one
RUN = {"h": 0.05, "steps": 12}
ENERGY = QUARTIC.invariants["energy"]
FIELDS = ("q", "v", "p", "multiplier", "residual", "result", "steps_done", "ended", "t")


def reductions():
    return {
        "energy": da.Statistics(ENERGY, every=4),
        "time": da.Statistics(ENERGY, over="time", every=4),
        "counts": da.Histogram(ENERGY, np.linspace(0, 5, 6), every=4),
        "section": da.Section(lambda q, v: q[0], [lambda q, v: v[0]], every=1),
    }


def simulated(save, **more):
    return da.simulate_ensemble(QUARTIC, da.Leapfrog(), Q, V, save=save, **RUN, **more)


@pytest.fixture(scope="module")
def whole():
    return simulated({"": da.Every(4), **reductions()})


def same(a, b):
    for name in FIELDS:
        np.testing.assert_array_equal(
            np.asarray(getattr(a, name)), np.asarray(getattr(b, name)), err_msg=name
        )
    assert a.saved.keys() == b.saved.keys()
    for name in a.saved:
        for x, y in zip(a.saved[name], b.saved[name], strict=True):
            np.testing.assert_array_equal(x, y, err_msg=name)


class Serial:
    """An executor in this process, that can be told to fail."""

    def __init__(self, *trouble):
        self.trouble, self.calls = list(trouble), 0

    def submit(self, work, data):
        future = concurrent.futures.Future()
        if work is sliced_run.introduced:
            future.set_result(work(data))
            return future
        self.calls += 1
        wrong = self.trouble.pop(0) if self.trouble else None
        try:
            if isinstance(wrong, BaseException):
                raise wrong
            future.set_result(work(data))
        except BaseException as error:
            future.set_exception(error)
        return future


def test_a_stream_of_members_is_the_same_to_the_bit(tmp_path, whole):
    path = tmp_path / "many.zarr"
    many = simulated({"": da.Stream(path, every=4, members=64), **reductions()})
    same(many, whole)
    loaded = da.load(path)
    same(loaded, whole)
    assert not isinstance(loaded.q, np.ndarray) and loaded.q.shape == (200, 4, 7)
    np.testing.assert_array_equal(loaded[130].q, whole[130].q)
    assert len(list((path / "done").iterdir())) == 4
    import xarray

    with xarray.open_zarr(path, consolidated=True) as data:
        np.testing.assert_array_equal(data["q"][3:5].values, whole.q[3:5])
        assert data.attrs["system"] == "chaotic-quartic" and data["time"].attrs["units"] == "s"
    with pytest.raises(UsageError, match="exists already"):
        simulated(da.Stream(path))
    assert len(da.resume(path, reduce=reductions())) == 200  # nothing is left to do
    with pytest.raises(UsageError, match="the reductions: energy, time"):
        da.resume(path)


def test_what_was_interrupted_is_resumed_and_not_computed_twice(tmp_path, whole):
    path = tmp_path / "many.zarr"
    trouble = [None, None, KeyboardInterrupt()]
    with pytest.raises(KeyboardInterrupt):
        simulated(da.Stream(path, every=4, members=64), executor=Serial(*trouble))
    half = da.load(path)
    assert list(half.pending) == list(range(128, 192)) and not half.failed
    np.testing.assert_array_equal(half.q[:128], whole.q[:128])
    with pytest.raises(UsageError, match="not been computed yet"):
        half[150]
    (path / "q" / "1.0.0").unlink()  # a chunk that has gone is computed again
    changed = bytearray((path / "v" / "0.0.0").read_bytes())
    changed[len(changed) // 2] ^= 1
    (path / "v" / "0.0.0").write_bytes(changed)  # and so is one that is damaged
    assert half.v[128:].shape == (72, 4, 7)
    with pytest.raises(UsageError, match=r"the block v/0\.0\.0 .*da\.resume .* again"):
        half.v[0]
    (path / "done" / "000003.json").write_text("{")  # half a marker
    crew = Serial()
    many = da.resume(path, executor=crew)
    assert crew.calls == 4
    (path / "done" / "000002.json").unlink()  # what has no marker does not count
    assert list(da.load(path).pending) == list(range(128, 192))
    for name in FIELDS:
        np.testing.assert_array_equal(np.asarray(getattr(many, name)), getattr(whole, name))


def test_lost_workers_and_refusals_of_executors(tmp_path, whole):
    crew = Serial(RuntimeError("lost"), None, OSError("gone"))
    many = simulated(da.Stream(tmp_path / "a.zarr", every=4, members=64), executor=crew)
    assert crew.calls == 6
    np.testing.assert_array_equal(np.asarray(many.q), whole.q)

    class Other(Serial):
        def submit(self, work, data):
            future = concurrent.futures.Future()
            future.set_result({"platform": "cpu", "versions": {"jax": "0.1"}, "worker": "far:1"})
            return future

    with pytest.raises(UsageError, match=r"the worker far:1 has .*jax 0\.1, not"):
        simulated(da.Stream(tmp_path / "e.zarr"), executor=Other())
    assert not (tmp_path / "e.zarr").exists()
    with pytest.raises(da.SimulationError, match="slice 0 failed 5 times"):
        simulated(da.Stream(tmp_path / "b.zarr"), executor=Serial(*[RuntimeError("no")] * 99))
    broken = concurrent.futures.BrokenExecutor("dead")
    with pytest.raises(da.SimulationError, match="executor is broken"):
        simulated(da.Stream(tmp_path / "c.zarr"), executor=Serial(broken))
    made = []

    def make():
        made.append(Serial(broken if len(made) < 2 else None))
        made[-1].shutdown = lambda **_: None
        return made[-1]

    assert len(simulated(da.Stream(tmp_path / "d.zarr", every=None), executor=make)) == 200
    assert len(made) == 3
    for wrong in ("dask", 0, True, Serial):
        with pytest.raises(UsageError, match="must have `submit`"):
            executors.check_executor(wrong)
    with pytest.raises(UsageError, match=r"da\.Stream"):
        simulated(da.Every(4), executor=Serial())


def test_workers_of_another_kind_are_refused(tmp_path, monkeypatch):
    def changed(task, **new):
        return slice_store.packed(dataclasses.replace(task, **new))

    study = sliced_run.Streamed.begun(
        sliced_run.EnsembleRequest(QUARTIC, da.Leapfrog(), Q, V, 0.05, 0.0, False, None, None),
        12,
        [da.Stream(tmp_path / "many.zarr", every=None)],
        {},
        {},
    )
    task = study.task(0)
    with pytest.raises(UsageError, match=r"dalembert .*, not 9\.9"):
        sliced_run.run_slice(changed(task, versions={**task.versions, "dalembert": "9.9"}))
    with pytest.raises(UsageError, match="another system or method"):
        sliced_run.run_slice(changed(task, method=da.GNI()))
    with pytest.raises(UsageError, match="engine"):
        sliced_run.run_slice(changed(task, engine="gpu"))
    report = sliced_run.run_slice(slice_store.packed(task))
    again = sliced_run.run_slice(changed(task, sinks={}))  # it is there: nothing is computed
    assert again == report and report.members == 64
    study.engine = "gpu"
    with pytest.raises(UsageError, match="the others with"):
        study._engine_of(report)
    assert 0 in study.store.missing()  # withdrawn
    with pytest.raises(UsageError, match="another process"):
        slice_store.SliceStore.open(study.store.path).lock()
    with monkeypatch.context() as without:  # a disk that has no locks

        def unknown(*_):
            raise OSError(38, "Function not implemented")

        without.setattr("fcntl.flock", unknown)
        slice_store.SliceStore.open(study.store.path).lock()

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(seals, "replace_file", full)  # the marker is gone, so it is computed
    with pytest.raises(StoreError, match=r"No space left.*are saved"):
        sliced_run.run_slice(slice_store.packed(task))


def test_parameters_and_failures_are_in_the_store(tmp_path):
    a = np.linspace(0.1, 0.3, 70)
    sleigh = da.systems.ChaplyginSleigh(a=a)
    path = tmp_path / "sleighs.zarr"
    many = da.simulate_ensemble(sleigh, h=0.1, steps=5, save=da.Stream(path, every=None))
    np.testing.assert_array_equal(many.meta.parameters["a"], a)
    assert "parameter_a" in many.to_xarray().coords
    again = da.resume(path)
    np.testing.assert_array_equal(np.asarray(again.q), np.asarray(many.q))
    with pytest.raises(UsageError, match="with the parameters"):
        da.resume(path, da.systems.ChaplyginSleigh(a=a + 0.1))
    with pytest.raises(UsageError, match="is a run with the method"):
        da.resume(path, method=da.RK4())
    starts = np.tile(np.asarray(sleigh.initial()[1]), (70, 1))
    starts[66] *= 1e150
    path = tmp_path / "failed.zarr"
    many = da.simulate_ensemble(
        da.systems.ChaplyginSleigh(), da.RK4(), np.zeros((70, 3)), starts, h=0.1, steps=5,
        save=da.Stream(path, every=None, members=64),
    )  # fmt: skip
    assert list(many.failed) == [66] and "step 1" in many.failed[66]
    told = json.loads((path / "done" / "000001.json").read_text())
    assert list(told["failures"]) == ["66"] and ensemble_store.is_sliced(path)


def first(t, q, v):  # what travels to a worker without cloudpickle has a name
    return q[0]


def turning(t, q, v):
    return v[1]


def test_events_are_streamed(tmp_path):
    """As many as there are of each member; one that ends members, and a slice that was lost."""
    path, run = tmp_path / "many.zarr", {**RUN, "steps": 24}
    events = {"x": first, "turn": da.Event(turning, direction=-1, terminal=True)}
    whole = da.simulate_ensemble(
        QUARTIC, da.Leapfrog(), Q, V, events=events, save=da.Every(4), **run
    )
    with pytest.raises(KeyboardInterrupt):
        da.simulate_ensemble(
            QUARTIC, da.Leapfrog(), Q, V, events=events, **run,
            save=da.Stream(path, every=4, members=64),
            executor=Serial(None, None, None, KeyboardInterrupt()),
        )  # fmt: skip
    assert set(da.load(path).events.member) <= set(range(192))
    with pytest.raises(
        UsageError, match=r"with the events x, turn: continue it with resume\(store, events=\{'x'"
    ):
        da.resume(path)
    with pytest.raises(UsageError, match="event 'x' has changed"):
        da.resume(path, events={**events, "x": lambda t, q, v: q[2]})
    with pytest.raises(UsageError, match="with the events x, turn"):
        da.resume(path, events={"x": first}, insist=True)
    (path / "events" / "000001.npz").unlink()  # lost: computed again
    da.resume(path, events=events)
    many = da.load(path)
    same(many, whole)
    assert len(np.unique(many.ended)) > 10 and len(many.events["x"]) > 10
    for name in ("which", "member", "step", "t", "q", "v"):
        np.testing.assert_array_equal(getattr(many.events, name), getattr(whole.events, name))
    np.testing.assert_array_equal(many[150].events.t, whole[150].events.t)


def test_warnings_are_those_of_the_worst_of_all_members(tmp_path):
    """Slices do not each tell of a worst member of their own, by a number that is not its."""
    starts = np.tile(np.asarray(da.systems.ChaplyginSleigh().initial()[1]), (130, 1))
    starts[:, 0] *= np.linspace(1.0, 3.0, 130)
    sleigh, q = da.systems.ChaplyginSleigh(), np.zeros((130, 3))
    run = {"h": 0.05, "steps": 400}
    whole = da.simulate_ensemble(sleigh, da.GNI(), q, starts, **run)
    stream = da.Stream(tmp_path / "many.zarr", every=None, members=64)
    many = da.simulate_ensemble(sleigh, da.GNI(), q, starts, **run, save=stream)
    assert many.warnings == whole.warnings and "of 130 members" in whole.warnings[0]


def test_what_cannot_be_streamed_is_said(tmp_path):
    path = tmp_path / "many.zarr"
    with pytest.raises(UsageError, match=r"not known in advance. Give steps="):
        da.simulate_ensemble(
            QUARTIC, da.Reversible(da.Leapfrog()), Q, V, h=0.1, t=1.0, save=da.Stream(path)
        )
    with pytest.raises(UsageError, match="the Stream saves already"):
        simulated({"": da.Stream(path), "rows": da.Every(2)})
    with pytest.raises(UsageError, match="one Stream"):
        simulated({"a": da.Stream(path), "b": da.Stream(tmp_path / "b.zarr")})
    with pytest.raises(UsageError, match="integer"):
        simulated(da.Stream(path, members=1.5))
    assert not path.exists()
