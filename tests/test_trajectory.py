"""Rows, equality, files: what is saved comes back, and nothing half-written is ever left."""

import csv
import dataclasses
import importlib.util
import json
import os
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dalembert import GNI, UsageError, files
from dalembert.files import check_writable
from dalembert.groups import SO, Euclidean, Product
from dalembert.results import Meta, Trajectory, formats, labels, load
from dalembert.system import System, parameter

STORES = (".zarr", ".nc")


class Skate(System):
    m: float = parameter(1.5, "kg")

    space = Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    velocity_names = ("x_dot", "y_dot", "theta_dot")
    units = ("m", "m", "rad")

    def lagrangian(self, q, v):
        return 0.5 * self.m * v @ v


class Ball(System):
    inertia: jax.Array = parameter((1.0, 2.0, 3.0), "kg m^2", shape=(3,))

    space = Product(Euclidean(2), SO(3))
    coordinate_names = ("x", "y")
    units = ("m", "m")

    def lagrangian(self, q, v):
        return 0.5 * v[:2] @ v[:2] + 0.5 * v[2:] @ (self.inertia * v[2:])


def random_trajectory(system, rows=7, constraints=1, frame=None, seed=0):
    rng = np.random.default_rng(seed)
    dim = system.dim

    def normal(*shape):
        return jnp.asarray(rng.normal(size=(rows, *shape)))

    q = normal(3) if isinstance(system, Skate) else (normal(2), normal(3, 3))
    p = normal(dim).at[2, 1].set(jnp.nan).at[3, 0].set(-0.0).at[4, 0].set(jnp.inf)
    return Trajectory(
        t=0.1 * jnp.arange(rows),
        q=q,
        v=normal(dim),
        p=p,
        multiplier=normal(constraints),
        frame=frame,
        residual=jnp.zeros(rows),
        result=jnp.zeros(rows, dtype=jnp.int32).at[-1].set(1),
        meta=Meta.of(system, GNI(), h=0.1, steps=rows - 1, constraints=constraints),
    )


CASES = {
    "vector": lambda: random_trajectory(Skate()),
    "product": lambda: random_trajectory(Ball(), constraints=2),
    "no constraint": lambda: random_trajectory(Skate(), constraints=0),
    "frame": lambda: random_trajectory(Skate(), frame=jnp.ones((7, 3, 3))),
    "frame on a product": lambda: random_trajectory(
        Ball(), frame=(jnp.ones((7, 2)), jnp.zeros((7, 2, 2)))
    ),
}


@pytest.fixture(params=list(CASES))
def traj(request):
    return CASES[request.param]()


# -- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", STORES)
def test_round_trip(traj, suffix, tmp_path):
    file = tmp_path / f"run{suffix}"
    traj.save(file)
    back = load(file)
    assert back.equals(traj)
    assert Trajectory.load(str(file)).equals(traj)
    assert isinstance(back.v, np.ndarray)
    assert dataclasses.asdict(back.meta) == dataclasses.asdict(traj.meta)
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("suffix", STORES)
def test_round_trip_of_special_values(suffix, tmp_path):
    # whole arrays of one value, which a store may leave out and fill in when it reads
    traj = CASES["vector"]()
    n = len(traj)
    for value in (0.0, -0.0, np.nan, np.inf):
        special = dataclasses.replace(traj, v=jnp.full((n, 3), value))
        special.save(tmp_path / f"run{suffix}")
        assert load(tmp_path / f"run{suffix}").equals(special)


@pytest.mark.parametrize("suffix", STORES)
def test_round_trip_of_empty_positions_and_default_meta(suffix, tmp_path):
    traj = dataclasses.replace(CASES["vector"](), q=jnp.zeros((7, 0)), meta=Meta())
    traj.save(tmp_path / f"run{suffix}")
    assert load(tmp_path / f"run{suffix}").equals(traj)


@pytest.mark.parametrize("suffix", STORES)
@pytest.mark.parametrize("shared_times", (False, True))
def test_round_trip_of_an_ensemble(suffix, shared_times, tmp_path):
    members = [random_trajectory(Ball(), seed=k) for k in range(3)]
    traj = jax.tree.map(lambda *x: jnp.stack(x), *members)
    if shared_times:
        traj = dataclasses.replace(traj, t=members[0].t)
    traj.save(tmp_path / f"run{suffix}")
    assert load(tmp_path / f"run{suffix}").equals(traj)
    assert len(traj) == 7
    assert traj[2:4].q[1].shape == (3, 2, 3, 3)
    assert traj[2:4].t.shape == ((2,) if shared_times else (3, 2))
    with pytest.raises(UsageError, match="one trajectory"):
        traj.save(tmp_path / "run.csv")


@pytest.mark.parametrize("suffix", (*STORES, ".csv"))
def test_overwrites(suffix, tmp_path):
    file = tmp_path / f"run{suffix}"
    random_trajectory(Skate(), rows=9, seed=1).save(file)
    new = random_trajectory(Skate(), rows=4, seed=2)
    new.save(file)
    if suffix != ".csv":
        assert load(file).equals(new)
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("suffix", (*STORES, ".csv"))
@pytest.mark.parametrize("existing", (False, True))
def test_a_crash_while_saving_leaves_no_half_file(suffix, existing, tmp_path, monkeypatch):
    file = tmp_path / f"run{suffix}"
    old = random_trajectory(Skate(), seed=1)
    if existing:
        old.save(file)
    before = _contents(file)

    replace = os.replace

    def crash(source, target, **kwargs):
        # not of blocks, which Zarr moves in other threads: those would go on during the clean-up
        if pathlib.Path(source).parent != tmp_path:
            return replace(source, target, **kwargs)
        raise OSError("disk full")

    # the moment when everything is written and about to become visible: the worst one
    monkeypatch.setattr(files.os, "replace", crash)
    with pytest.raises(OSError, match="disk full"):
        random_trajectory(Skate(), seed=2).save(file)
    monkeypatch.undo()
    assert _contents(file) == before
    assert os.listdir(tmp_path) == ([file.name] if existing else [])


def test_a_crash_in_the_middle_of_writing_leaves_no_half_file(tmp_path, monkeypatch):
    file = tmp_path / "run.csv"
    seen = []

    def half(traj, path):
        path.write_text("t,q_x\n0.0,")
        seen.append(path)
        raise KeyboardInterrupt

    monkeypatch.setattr(formats, "_write_csv", half)
    with pytest.raises(KeyboardInterrupt):
        CASES["vector"]().save(file)
    assert seen and seen[0].parent == tmp_path and seen[0] != file
    assert os.listdir(tmp_path) == []


def _contents(path):
    if path.is_dir():
        return {f.relative_to(path): f.read_bytes() for f in path.rglob("*") if f.is_file()}
    return path.read_bytes() if path.exists() else None


def test_csv_has_one_column_for_each_number(tmp_path):
    traj = CASES["product"]()
    traj.save(tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header[:4] == ["t", "q_0_x", "q_0_y", "q_1_0_0"]
    assert header[-4:] == ["multiplier_0", "multiplier_1", "residual", "result"]
    assert len(set(header)) == len(header) == 1 + 2 + 9 + 5 + 5 + 2 + 2
    table = np.array(rows, dtype=float)
    assert np.array_equal(table[:, header.index("q_1_1_2")], traj.q[1][:, 1, 2])
    assert np.array_equal(table[:, header.index("p_1")], traj.p[:, 1], equal_nan=True)
    assert rows[-1][-1] == "1"


def test_csv_uses_the_names_of_the_system(tmp_path):
    CASES["vector"]().save(tmp_path / "run.csv")
    header = (tmp_path / "run.csv").read_text().splitlines()[0].split(",")
    assert header[:7] == ["t", "q_x", "q_y", "q_theta", "v_x_dot", "v_y_dot", "v_theta_dot"]


# -- messages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, message", (("run.txt", r"'\.txt'"), ("run", "no suffix")))
def test_unknown_suffix(name, message, tmp_path):
    for function in (check_writable, load, CASES["vector"]().save):
        with pytest.raises(UsageError, match=message) as error:
            function(tmp_path / name)
        assert ".zarr, .nc, .csv" in str(error.value)


def test_csv_cannot_be_loaded(tmp_path):
    CASES["vector"]().save(tmp_path / "run.csv")
    with pytest.raises(UsageError, match=r"save to \.zarr or \.nc"):
        load(tmp_path / "run.csv")


@pytest.mark.parametrize("suffix", STORES)
def test_loading_what_is_not_there_or_not_ours(suffix, tmp_path):
    import xarray

    file = tmp_path / f"run{suffix}"
    with pytest.raises(UsageError, match="no such file"):
        load(file)
    data = xarray.Dataset({"a": ("x", np.arange(3))})
    if suffix == ".nc":
        data.to_netcdf(file, engine="h5netcdf")
    else:
        data.to_zarr(file, zarr_format=2)
    with pytest.raises(UsageError, match="not a trajectory of dalembert"):
        load(file)


def test_loading_a_damaged_file(tmp_path):
    (tmp_path / "run.nc").write_bytes(b"not hdf5")
    with pytest.raises(UsageError, match=r"cannot load .*run\.nc"):
        load(tmp_path / "run.nc")


@pytest.mark.parametrize("suffix", (*STORES, ".csv"))
def test_check_writable(suffix, tmp_path):
    check_writable(tmp_path / f"run{suffix}")
    with pytest.raises(UsageError, match="does not exist"):
        check_writable(tmp_path / "missing" / f"run{suffix}")
    (tmp_path / "plain").write_text("")
    with pytest.raises(UsageError, match="is not a folder"):
        check_writable(tmp_path / "plain" / f"run{suffix}")
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(UsageError, match=r"is a folder|not a Zarr store"):
        check_writable(tmp_path / f"folder{suffix}")
    # permission bits do not bind root, so ask the function that the check asks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files.os, "access", lambda *_: False)
        with pytest.raises(UsageError, match="no permission"):
            check_writable(tmp_path / f"run{suffix}")


def test_a_folder_that_is_no_store_is_never_replaced(tmp_path):
    (tmp_path / "run.zarr").mkdir()
    (tmp_path / "run.zarr" / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="not a Zarr store"):
        CASES["vector"]().save(tmp_path / "run.zarr")
    assert (tmp_path / "run.zarr" / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize(
    "suffix, package", ((".zarr", "zarr"), (".nc", "h5netcdf"), (".nc", "h5py"))
)
def test_a_missing_package_is_told_before_the_run(suffix, package, tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == package else find(name, *a)
    )
    with pytest.raises(UsageError, match=rf'{package}: pip install "dalembert\[io\]"'):
        check_writable(tmp_path / f"run{suffix}")
    check_writable(tmp_path / "run.csv")  # needs nothing


# -- rows ----------------------------------------------------------------------------------------


def test_rows(traj):
    assert len(traj) == 7
    part = traj[1:6:2]
    assert len(part) == 3
    assert np.array_equal(part.t, traj.t[1:6:2])
    row = traj[2]
    assert row.t.shape == () and row.v.shape == traj.v.shape[1:]
    assert jax.tree.structure(row) == jax.tree.structure(traj)
    assert row.equals(traj[-5])
    assert traj.final.equals(traj[6]) and traj.final.equals(traj[np.int64(-1)])
    assert [float(r.t) for r in traj] == traj.t.tolist()
    assert len(traj[np.array([0, 3])]) == 2


def test_rows_out_of_range(traj):
    for k in (7, -8):
        with pytest.raises(IndexError, match="7 rows"):
            traj[k]
    with pytest.raises(TypeError, match="no len"):
        len(traj.final)
    with pytest.raises(UsageError, match="single row"):
        traj.final.to_xarray()


# -- equality ------------------------------------------------------------------------------------


def test_equals_sees_every_bit():
    traj = CASES["vector"]()
    assert traj.equals(CASES["vector"]())
    assert not traj.equals("a trajectory")
    assert not traj.equals(traj[:-1])
    assert not traj.equals(dataclasses.replace(traj, v=jnp.nextafter(traj.v, jnp.inf)))
    assert not traj.equals(dataclasses.replace(traj, v=traj.v.astype(jnp.float32)))
    zero, minus = (dataclasses.replace(traj, v=x * jnp.ones((7, 3))) for x in (0.0, -0.0))
    assert not zero.equals(minus)
    assert not traj.equals(dataclasses.replace(traj, frame=jnp.ones((7, 3, 3))))


def test_equals_sees_all_of_meta():
    traj = CASES["vector"]()
    for change in ({"wall_s": 1.0}, {"parameters": {"m": 2.0}}, {"h": 0.2}, {"method": "rk4"}):
        assert not traj.equals(
            dataclasses.replace(traj, meta=dataclasses.replace(traj.meta, **change))
        )


def test_another_run_does_not_trace_again():
    traces = []

    @jax.jit
    def last(traj):
        traces.append(1)
        return traj.v[-1]

    traj = CASES["vector"]()
    last(traj)
    other = dataclasses.replace(traj.meta, wall_s=9.0, parameters={"m": 2.0}, h=0.3)
    last(dataclasses.replace(traj, meta=other))
    assert len(traces) == 1 and other != traj.meta
    last(dataclasses.replace(traj, meta=dataclasses.replace(traj.meta, method="rk4")))
    assert len(traces) == 2


def test_trajectories_are_trees():
    traj = CASES["product"]()
    doubled = jax.tree.map(lambda x: 2 * x, traj)
    assert np.array_equal(doubled.q[1], 2 * traj.q[1])
    ends = jax.vmap(lambda v: v.sum())(traj.v)
    assert ends.shape == (7,)


# -- labels --------------------------------------------------------------------------------------


def test_dataset_is_labelled():
    data = CASES["vector"]().to_xarray()
    assert data.q.dims == ("time", "coordinate")
    assert data.coordinate.values.tolist() == ["x", "y", "theta"]
    assert data.velocity.values.tolist() == ["x_dot", "y_dot", "theta_dot"]
    assert data.q.attrs["units"] == "m, m, rad" and data.time.attrs["units"] == "s"
    assert float(data.q.sel(coordinate="theta")[3]) == float(CASES["vector"]().q[3, 2])
    assert data.attrs["system"] == "skate" and data.attrs["h"] == 0.1
    assert json.loads(data.attrs["parameters"]) == {"m": 1.5}
    assert set(json.loads(data.attrs["versions"])) == {"dalembert", "jax", "numpy", "python"}


def test_dataset_of_a_product_has_its_factors():
    data = CASES["product"]().to_xarray()
    assert data.q_0.dims == ("time", "q_0_coordinate")
    assert data.q_0_coordinate.values.tolist() == ["x", "y"]
    assert data.q_1.dims == ("time", "q_1_row", "q_1_column")
    assert data.multiplier.dims == ("time", "constraint")


@pytest.mark.parametrize("named", ("entries", "vectors", "wrong"))
def test_names_may_cover_matrices_or_vectors_only(named):
    traj = CASES["product"]()
    names = {
        "entries": ("x", "y", *(f"R{i}" for i in range(9))),
        "vectors": ("x", "y"),
        "wrong": ("x",),
    }[named]
    meta = dataclasses.replace(traj.meta, coordinate_names=names, units=("m",) * len(names))
    found, units, values = labels.coordinate_table(dataclasses.replace(traj, meta=meta))
    assert found == (["0", "1"] if named == "wrong" else ["x", "y"])
    assert units == ([] if named == "wrong" else ["m", "m"])
    assert np.array_equal(values, traj.q[0])


def test_a_trajectory_is_told_in_one_line():
    traj = random_trajectory(Skate())
    t = np.linspace(0.0, 3.0, 7)
    meta = Meta(system="sleigh", method="dla-midpoint")
    traj = dataclasses.replace(traj, t=t, meta=meta, result=np.zeros(7, np.int32))
    assert repr(traj) == "Trajectory(sleigh by dla-midpoint, 7 rows, t = 0 to 3)"
    assert repr(traj[2]) == "Trajectory(sleigh by dla-midpoint, one row, t = 1)"
    assert "no rows" in repr(traj[:0])
    bad = dataclasses.replace(traj, result=np.r_[np.zeros(6, np.int32), 1])
    assert "Newton iteration did not converge" in repr(bad)
    warned = dataclasses.replace(traj, meta=dataclasses.replace(meta, warnings=("too large",)))
    assert repr(warned).endswith("warning: too large)")
    seen = []
    jax.jit(lambda x: seen.append(repr(x)) or x.t)(traj)
    assert seen == ["Trajectory(sleigh by dla-midpoint, inside of a transformation)"]
    assert "\n" not in str(jax.tree.map(lambda x: None, traj))
