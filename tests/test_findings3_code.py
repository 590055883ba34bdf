"""Whose code runs: that of the class and of the functions as they are now, and nobody else's."""

import collections
import concurrent.futures
import functools
import math
import operator
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import types
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.compile.cache.code_key import CodeKey, code_version, lasting_key
from dalembert.compile.cpu import llvm
from dalembert.results.provenance import Identity
from fuzz import code as fuzz


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Code is kept on disk, in a folder of the test."""
    monkeypatch.setattr(llvm.disk, "folder", tmp_path / "native")
    return tmp_path / "native"


def ends(make, *args):
    """The last row of a run of a system of one dimension, which begins at 1."""
    return float(
        da.simulate(make(*args), da.RK4(), np.ones(1), np.zeros(1), h=0.05, steps=20).q[-1, 0]
    )


# -- C1: another system's code ---------------------------------------------------------------------


@pytest.mark.parametrize("make", [fuzz.by_type, fuzz.by_new_class, fuzz.by_exec_without_a_name])
def test_finding3_c1_classes_without_a_module_have_code_of_their_own(make, folder):
    found = [ends(make, k, 1) for k in (1.0, 9.0)]
    np.testing.assert_allclose(found, [np.cos(1.0), np.cos(3.0)], atol=1e-4)


def test_finding3_c1_a_force_that_is_added_to_a_system_of_the_library_acts(folder):
    cls = da.systems.ChaplyginSleigh
    run = lambda cls: da.simulate(cls(), da.RK4(), h=0.05, steps=5).q[-1]
    pushed = type("ChaplyginSleigh", (cls,), {"force": lambda self, t, q, v: np.ones(3)})
    assert np.max(np.abs(run(pushed) - run(cls))) > 1e-3


def test_finding3_c1_a_function_of_exec_put_into_a_class_of_the_library_is_no_key(monkeypatch):
    """It has no file, as those of `dataclasses` have none."""
    cls, names = da.systems.ChaplyginSleigh, {"__name__": "dalembert.systems"}
    exec("def force(self, t, q, v): return 7.0 * v", names)
    assert lasting_key(cls) is not None
    before = code_version(cls)
    monkeypatch.setattr(cls, "force", names["force"])
    assert lasting_key(cls) is None and code_version(cls) != before
    monkeypatch.undo()
    assert lasting_key(cls) is not None and code_version(cls) == before
    # nor is one that says by `functools.wraps` that it is the library's
    wrapped = functools.wraps(cls.force)(lambda self, t, q, v: 7.0 * v)
    monkeypatch.setattr(cls, "force", wrapped)
    assert lasting_key(cls) is None and code_version(cls) != before


def test_finding3_c1_a_class_that_has_the_name_of_a_library_class_is_no_key():
    cls = da.systems.ChaplyginSleigh
    names = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    assert lasting_key(type(cls.__name__, (cls,), names)) is None
    with_a_method = type("RK4", (da.RK4,), {"__module__": da.RK4.__module__, "order": 3})
    assert lasting_key(with_a_method()) is None


@pytest.mark.parametrize(
    "name, value", [("__defaults__", (1.0,)), ("__code__", (lambda self, q, v: 0.0).__code__)]
)
def test_finding3_c1_a_function_of_the_library_that_was_changed_is_no_old_key(
    name, value, monkeypatch
):
    """Another process would find the code of the unchanged one on disk."""
    cls = da.systems.ChaplyginSleigh
    before = lasting_key(cls)
    monkeypatch.setattr(cls.lagrangian, name, value)
    da.clear_compiled()
    assert lasting_key(cls) != before
    monkeypatch.undo()
    da.clear_compiled()
    assert lasting_key(cls) == before


def test_finding3_c1_code_put_into_a_module_of_the_library_is_looked_into(monkeypatch):
    cls, names = da.systems.ChaplyginSleigh, vars(da.systems.sleighs)
    monkeypatch.setitem(names, "FACTOR", 1.0)
    monkeypatch.setitem(names, "planted", None)
    exec("def planted(self, t, q, v): return FACTOR * v", names)
    monkeypatch.setattr(cls, "force", names["planted"])
    before = code_version(cls)
    assert lasting_key(cls) is None and code_version(cls) == before
    monkeypatch.setitem(names, "FACTOR", 2.0)
    assert code_version(cls) != before


def test_finding3_c1_code_belongs_to_the_class_object():
    """Of two classes that are written alike as well."""
    one, other = (types.new_class("Mine", (), {}) for _ in range(2))
    assert code_version(one) == code_version(one) != code_version(other)


def test_finding3_c1_what_type_made_is_looked_into_by_resume():
    one, other = (Identity.of(fuzz.by_type(k, 1), da.RK4()) for k in (1.0, 2.0))
    assert one.differences(other) and not one.differences(one)


def test_finding3_c1_code_of_other_widths_is_not_called():
    """It would read and write where nothing is."""
    from dalembert.compile.layout import Layout
    from dalembert.request.prepare import prepare
    from dalembert.running.programs.step_kernel import kernel_of

    system = fuzz.by_type(1.0, 1)
    prepared = prepare(system, da.RK4(), np.ones(1), np.zeros(1), None, 0.1, 0.0, True)
    own = Layout(eqx.filter(prepared.dynamic, lambda x: False))
    kernel = kernel_of(prepared.plan, Layout(prepared.dynamic), own, None)
    rows = np.empty((3, kernel.row_width))
    with pytest.raises(ValueError, match="do not have the sizes"):
        kernel(np.zeros(2), np.zeros(3), rows, (0, 1), 0, 1, 1, 1)


@pytest.mark.parametrize("count", [30])
def test_finding3_c1_changes_of_code(count, folder):
    """More of them by hand: `python -m tests.fuzz.code --count 300`."""

    def late(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)  # a loop of another dimension does not end
    signal.alarm(30 + 2 * count)
    try:
        assert fuzz.wrong(count, seed=3) == []
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_finding3_c1_changes_of_code_between_processes(tmp_path):
    """More of them by hand: `python -m tests.fuzz.code --count 200 --processes 2`."""
    assert fuzz.wrong_in_processes(10, seed=3, processes=2, folder=tmp_path) == []


def in_a_process(text, tmp_path, **environment):
    """What a script prints."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(text))
    kept = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "DALEMBERT_KEEP_CODE": "1"}
    done = subprocess.run(
        [sys.executable, str(script)],
        env=os.environ | kept | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def test_finding3_c1_the_next_process_runs_its_own_code(tmp_path):
    """With the code of another dimension under the same name on disk as well."""
    script = """
        import numpy as np, dalembert as da
        k, n = {k}, {n}
        P = type("P", (da.MechanicalSystem,), {{"space": da.Euclidean(n), "mass": np.eye(n),
                 "potential": lambda self, q: 0.5 * k * q @ q}})
        print(da.simulate(P(), da.RK4(), np.ones(n), np.zeros(n), h=0.05, steps=20).q[-1, 0])
    """
    for k, n in ((1.0, 1), (9.0, 1), (9.0, 3), (4.0, 2)):
        found = float(in_a_process(script.format(k=k, n=n), tmp_path))
        assert found == pytest.approx(np.cos(np.sqrt(k)), abs=1e-4)


# -- C2: stale code --------------------------------------------------------------------------------


@pytest.fixture
def own_path(tmp_path, monkeypatch):
    """A folder that modules and files of one's own are found in."""
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    fuzz.package_of_mine.cache_clear()


def run_of(system):
    return da.simulate(system, da.RK4(), np.ones(2), np.zeros(2), h=0.05, steps=20)


COMPARED = ("spline", "jit_of_ones_own", "loop", "installed")  # all others are traced every time


@pytest.mark.parametrize(
    "name",
    "globals eval sys_modules vars module_getattr whole_module object_array masked_array memory "
    "ctypes spline file file_of_numpy jit_of_ones_own loop installed".split(),
)
def test_finding3_c2_what_is_read_is_what_it_is_now(name, own_path):
    for k in (1.0, 9.0):
        run = run_of(fuzz.by_reading(name, k, 2))
        assert run.q[-1, 0] == pytest.approx(np.cos(np.sqrt(k)), abs=1e-4)
    told = "traced again at every call: " in run.meta.engine_reason
    assert told == (name not in COMPARED) and run.meta.engine == "native"


def table(pd, xr):
    return {
        "a table of pandas": (pd.DataFrame({"k": [1.0]}), lambda x: x["k"][0]),
        "a column of pandas": (pd.Series([1.0]), lambda x: x[0]),
        "an array of xarray": (xr.DataArray(np.ones(1)), lambda x: float(x[0])),
    }


@pytest.mark.parametrize("name", ["a table of pandas", "a column of pandas", "an array of xarray"])
def test_finding3_c2_tables_are_what_they_are_now(name):
    thing, read = table(pytest.importorskip("pandas"), pytest.importorskip("xarray"))[name]

    class Spring(fuzz.Asking):
        def stiffness(self):
            return read(thing)

    for k in (1.0, 9.0):
        if name == "a table of pandas":
            thing.loc[0, "k"] = k
        else:
            thing[0] = k
        run = run_of(Spring())
        assert run.q[-1, 0] == pytest.approx(np.cos(np.sqrt(k)), abs=1e-4)
    assert "Spring.stiffness reads thing" in run.meta.engine_reason


class Drawn(fuzz.Asking):
    """A system that also draws, reads and counts, in functions that no step calls."""

    table = object()
    log = open(os.devnull)

    def stiffness(self):
        return 4.0

    def initial(self):
        return np.random.default_rng().normal(size=2), np.zeros(2)

    def plot(self):
        return eval("self.log")

    def scene(self):
        return eval("None")


def test_finding3_c2_functions_that_no_step_calls_do_not_count():
    """They may read what they like; a change of theirs compiles nothing."""
    run_of(Drawn())
    version = code_version(Drawn)
    Drawn.plot = lambda self: None
    assert code_version(Drawn) == version and run_of(Drawn()).meta.engine_reason == ""


def test_finding3_c2_code_that_changes_while_it_is_traced_is_not_known_by_what_it_was():
    """By itself, or by another thread."""
    state = {"k": 1.0}

    class Spring(fuzz.Asking):
        def stiffness(self):
            state["k"] = 10.0 - state["k"]
            return 10.0 - state["k"]

    system = Spring()
    for k in (1.0, 9.0, 1.0):
        state["k"] = k  # whatever it was traced with before
        code = CodeKey(Spring)
        traced = system.stiffness()
        code.settle()
        assert traced == k and code.reason
    assert "changed while it was traced" in run_of(system).meta.engine_reason


def test_threads_get_the_code_of_their_own_numbers():
    def run(k):
        system = fuzz.by_type(k, 2)
        return [run_of(system).q[-1, 0] for _ in range(3)]

    numbers = np.linspace(1.0, 9.0, 8)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = np.array(list(pool.map(run, numbers)))
    np.testing.assert_allclose(found, np.cos(np.sqrt(numbers))[:, None] * [[1.0] * 3], atol=1e-4)


def test_finding3_c2_what_wrappers_make_is_compared():
    """Of JAX, Equinox, NumPy, SciPy, Python: code of ordinary systems is compiled once."""
    network = eqx.nn.MLP(2, 2, 8, 1, key=jax.random.key(0))
    spline, polynomial = fuzz.SPLINE, np.polynomial.Polynomial([1.0, 2.0])
    f = lambda x: x
    things = [
        *(wrap(f) for wrap in (jax.vmap, jax.grad, jax.jacfwd, jax.hessian, jax.jit)),
        *(wrap(f) for wrap in (jax.checkpoint, jax.custom_jvp, eqx.filter_jit, eqx.filter_vmap)),
        functools.partial(f, 1.0),
        functools.lru_cache(f),
        lambda x: jax.nn.relu(network(x)) + jnp.linalg.norm(x) * np.pi,
        lambda x: spline(1.0) + polynomial(2.0) + math.sin(1.0),
        lambda x: functools.reduce(operator.add, [x, x]) + sys.float_info.epsilon,
        lambda x, c=collections.Counter("ab"), t=Path("x").parent.name: c,
    ]
    for thing in things:
        found = CodeKey(thing)
        assert found.reason == "" and found == CodeKey(thing)


def test_finding3_c2_another_equality_of_systems_is_no_equality_of_code():
    class Spring(da.System):
        mode: str
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - 0.5 * (9.0 if self.mode == "hard" else 1.0) * q @ q

        def __eq__(self, other):
            return type(self) is type(other)

        def __hash__(self):
            return 0

    ends = [run_of(Spring(mode)).q[-1, 0] for mode in ("soft", "hard")]
    np.testing.assert_allclose(ends, [np.cos(1.0), np.cos(3.0)], atol=1e-4)


# -- C6: folders and files that others could write to ----------------------------------------------


def test_finding3_c6_all_folders_of_the_cache_are_private_under_any_umask(tmp_path):
    script = """
        import os
        os.umask(0)
        import dalembert as da, jax
        da.keep_compiled_code()
        da.simulate(da.systems.ChaplyginSleigh(), da.RK4(), h=0.1, steps=2)
        da.simulate(da.systems.ChaplyginSleigh(), da.RK4(), h=0.1, steps=2, engine="arrays")
        print(jax.config.jax_compilation_cache_dir)
    """
    assert in_a_process(script, tmp_path).strip() == str(tmp_path / "cache" / "dalembert" / "jax")
    ours = tmp_path / "cache" / "dalembert"
    for folder in (tmp_path / "cache", ours, ours / "native", ours / "jax"):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list((ours / "native").iterdir())


def test_finding3_c6_a_folder_that_others_can_write_to_is_not_read(tmp_path):
    ours = tmp_path / "cache" / "dalembert"
    (ours / "jax").mkdir(parents=True)
    (ours / "jax").chmod(0o777)
    ours.chmod(0o777)
    script = "import dalembert as da, jax; da.keep_compiled_code()\n"
    script += "print(jax.config.jax_compilation_cache_dir)"
    assert in_a_process(script, tmp_path).strip() == "None"
    assert ours.stat().st_mode & 0o777 == 0o700
    (ours / "jax").chmod(0o755)  # as JAX makes it: others could read, and no more
    assert in_a_process(script, tmp_path).strip() == str(ours / "jax")
    assert (ours / "jax").stat().st_mode & 0o777 == 0o700


def test_finding3_c6_rows_that_could_not_be_saved_go_to_a_folder_nobody_can_guess(
    tmp_path, monkeypatch
):
    pytest.importorskip("xarray")
    from dalembert.cli import application as base

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    target, link = tmp_path / "of_somebody.nc", tmp_path / f"dalembert-{os.getpid()}.nc"
    target.write_text("untouched")
    link.symlink_to(target)
    traj = da.simulate(da.systems.ChaplyginSleigh(), da.RK4(), h=0.1, steps=2)
    full = tmp_path / "a full disk"

    class Rows:
        __len__ = traj.__len__

        def save(self, path):
            if path.parent == full:
                raise da.StoreError("no space")
            traj.save(path)

    with pytest.raises(da.StoreError, match="the 3 rows are in '") as told:
        base._save(Rows(), full / "run.nc")
    place = Path(str(told.value).split("'")[-2])
    assert len(da.load(place)) == 3 and link.is_symlink() and target.read_text() == "untouched"
    assert place.parent.stat().st_mode & 0o777 == 0o700
