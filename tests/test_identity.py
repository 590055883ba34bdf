"""Who computed a run: fingerprints, meta under jit, what resumes and what is refused."""

import dataclasses
import functools
import importlib
import sys
import types
import zipfile
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import UsageError
from dalembert.compile.cache.code_key import fingerprint
from dalembert.results.provenance import Identity

STIFFNESS = 2.0
SLEIGH = da.systems.ChaplyginSleigh()
RUN = {"h": 0.05, "steps": 5}


class Spring(da.MechanicalSystem):
    """Reads a global, a class attribute and a helper."""

    space = da.Euclidean(1)
    mass = np.eye(1)
    factor = 1.0

    def potential(self, q):
        return self.factor * energy_of(q[0])

    def initial(self):
        return jnp.ones(1), jnp.zeros(1)


def energy_of(x):
    """A helper."""
    return 0.5 * STIFFNESS * x**2


# -- fingerprints --------------------------------------------------------------------------------


def made(source: str, name: str = "f", **values):
    module = types.ModuleType("written_by_a_user")
    module.__dict__.update(values)
    exec(source, module.__dict__)
    return getattr(module, name)


CHANGES = [  # (a text, what stands in it in place of *, and in place of it next time, the same?)
    ("def f(x): return x + 1  # *", "a comment", "another", True),
    ("def f(x):\n    '*'\n    return x", "told", "told otherwise", True),
    ("def f(x): return x + *", "1", "2", False),
    ("def f(x): return x.*", "real", "imag", False),
    ("def f(x, y=*): return x + y", "1", "2", False),
    ("g = *\ndef f(x): return g * x".replace("g * x", "g + x"), "1", "2", False),
    ("g = *\ndef f(x): return x", "1", "2", True),
    ("def g(x): return *x\ndef f(x): return g(x)", "+", "-", False),
    ("def h(c):\n    return lambda x: c + x\nf = h(*)", "1", "2", False),
    ("class f:\n    a = *", "1", "2", False),
    ("class f:\n    def g(self): return *", "1", "2", False),
    ("class g:\n    a = *\nclass f(g): pass", "1", "2", False),
    ("import numpy as np\ng = np.*(3)\ndef f(x): return g", "ones", "zeros", False),
    ("def f(x): return [y for y in x if y > *]", "1", "2", False),
]


@pytest.mark.parametrize("text, one, other, same", CHANGES)
def test_fingerprints(text, one, other, same):
    one, other = (text.replace("*", x) for x in (one, other))
    a, b = made(one), made(other)
    assert (fingerprint(a) == fingerprint(b)) is same
    assert fingerprint(a) == fingerprint(made(one))


def test_finding_a6_what_code_reads_is_noticed(monkeypatch):
    """Findings A6: a global, a class attribute, a method changed between two runs."""

    def end():
        return float(da.simulate(Spring(), da.Leapfrog(), h=0.1, steps=10).final.q[0])

    first = end()
    monkeypatch.setitem(globals(), "STIFFNESS", 8.0)
    second = end()
    assert abs(second - np.cos(np.sqrt(8.0))) < 0.02 < abs(second - first)
    monkeypatch.undo()
    assert end() == first
    monkeypatch.setattr(Spring, "factor", 4.0)
    assert end() == second
    monkeypatch.undo()
    monkeypatch.setattr(Spring, "potential", lambda self, q: 2.0 * STIFFNESS * q[0] ** 2)
    assert end() == second


# -- meta ----------------------------------------------------------------------------------------


def test_finding_a3_meta_under_jit_is_that_of_the_call():
    """Findings A3: runs through one jitted function tell their own h, t0 and parameters."""
    run = jax.jit(
        lambda a, h, t0: da.simulate(SLEIGH.with_parameters(a=a), da.DLA(), h=h, steps=4, t0=t0)
    )
    for a, h, t0 in ((0.2, 0.1, 0.0), (0.3, 0.5, 1.0)):
        meta = run(a, h, t0).meta
        assert (float(meta.h), float(meta.t0), float(meta.parameters["a"])) == (h, t0, a)
    host = da.simulate(SLEIGH.with_parameters(a=0.3), da.DLA(), h=0.5, steps=4, t0=1.0)
    assert run(0.3, 0.5, 1.0).meta == host.meta
    batch = jax.vmap(lambda h: da.simulate(SLEIGH, da.DLA(), h=h, steps=4))(jnp.array([0.1, 0.2]))
    assert np.asarray(batch.meta.h).tolist() == [0.1, 0.2]


def test_meta_equality_is_true():
    meta = da.simulate(SLEIGH, da.DLA(), **RUN).meta
    assert meta == da.simulate(SLEIGH, da.DLA(), **RUN).meta  # but for what it cost
    for change in ({"h": 0.1}, {"t0": 1.0}, {"method": "rk4"}, {"parameters": {"a": 1.0}}):
        assert meta != dataclasses.replace(meta, **change)
    assert meta != da.simulate(SLEIGH, da.DLA(newton=da.Newton(step_tol=1e-9)), **RUN).meta


@pytest.mark.parametrize("method", [make() for make in da.methods.registry.values()] + [
    da.Reference(rtol=1e-3),
    da.DLA(da.Alpha(0.3), da.Trapezoidal(), da.Newton(max_iterations=7)),
    da.Composition((da.GNI(da.EulerB()), da.GNI(da.EulerA()))),
    da.RDLA(tau="exp"),
], ids=lambda m: m.name)  # fmt: skip
def test_methods_are_made_again_from_what_they_were(method):
    identity = Identity.of(SLEIGH, method)
    assert identity.make_method() == method


# -- resume --------------------------------------------------------------------------------------

pytest.importorskip("zarr")


def test_finding_a4_a_method_resumes_with_its_fields(tmp_path):
    """Findings A4."""
    path = tmp_path / "run.zarr"
    coarse = da.Reference(rtol=1e-3)
    da.simulate(SLEIGH, coarse, **RUN, store=path)
    assert da.load(path).meta.identity.make_method() == coarse
    da.resume(path)
    with pytest.raises(
        UsageError, match=r"the method was Reference\(.*rtol=0.001\), not Reference\("
    ):
        da.resume(path, SLEIGH, da.Reference())


def test_finding_a4_an_edited_system_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run.zarr"
    da.simulate(Spring(), da.DLA(), **RUN, store=path)
    da.resume(path, Spring())
    monkeypatch.setitem(globals(), "STIFFNESS", 3.0)
    message = r"the code of Spring has changed since: STIFFNESS \(read by energy_of\) was "
    with pytest.raises(UsageError, match=message + r"2\.0, not 3\.0; .*insist=True"):
        da.resume(path, Spring())
    da.resume(path, Spring(), insist=True)


def test_code_is_looked_into_wherever_it_is_installed(tmp_path, monkeypatch):
    """One's own package in `site-packages`; what the library rests on counts by its name."""
    folder = tmp_path / "site-packages"
    (folder / "placed").mkdir(parents=True)
    (folder / "placed" / "__init__.py").write_text("K = 1.0\ndef f(x): return K * x\n")
    monkeypatch.syspath_prepend(folder)
    placed = importlib.import_module("placed")
    before = fingerprint(placed.f)
    placed.K = 2.0
    assert fingerprint(placed.f) != before and fingerprint(jnp.sin) == fingerprint(jnp.sin)
    del sys.modules["placed"]


def test_another_look_resumes(tmp_path, monkeypatch):
    """`scene` says what a run looks like, and nothing about its numbers."""
    store = tmp_path / "run.zarr"
    da.simulate(Spring(), da.Leapfrog(), **RUN, store=store)
    monkeypatch.setattr(
        Spring, "scene", lambda self: da.scene.Scene(ground=None, note="a spring"), raising=False
    )
    assert da.resume(store, Spring()).t[-1] == pytest.approx(0.25)


def test_finding_a4_another_version_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run.zarr"
    da.simulate(SLEIGH, da.DLA(), **RUN, store=path)
    now = da.load(path).meta.versions
    monkeypatch.setattr("dalembert.storage.store.versions", lambda: now | {"dalembert": "9.9"})
    with pytest.raises(UsageError, match=r"written with dalembert 0.*, not 9.9: .*insist=True"):
        da.resume(path)
    da.resume(path, insist=True)


class Drift(da.methods.Method):
    """A method of a user: moves by h v and reports the exact row."""

    name = "drift"
    traits = da.methods.Traits(1, 1, False, True, "nothing", "here")

    def start(self, system, t, h, q, v):
        return (q, v), da.methods.exact_row(t, q, v, v, jnp.zeros(0))

    def step(self, system, t, h, carry):
        q, v = carry
        row = da.methods.exact_row(t + h, q + h * v, v, v, jnp.zeros(0))
        return da.methods.Advance((row.q, v), row, system.groupoid.group.identity())


def test_a_method_of_ones_own_must_be_given(tmp_path):
    path = tmp_path / "run.zarr"
    da.simulate(Spring(), Drift(), **RUN, store=path)
    with pytest.raises(UsageError, match="method drift, which is not a method of the library"):
        da.resume(path, Spring())
    da.resume(path, Spring(), Drift())


# -- files of version 1 --------------------------------------------------------------------------


@pytest.fixture
def version1(tmp_path) -> Path:
    with zipfile.ZipFile(Path(__file__).parent / "data" / "version1.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path


def test_files_of_version_1_stay_readable(version1):
    expected = np.load(version1 / "expected.npz")

    def with_a_note(name):  # they have no seals
        with pytest.warns(UserWarning, match="did not write checksums for all of it"):
            return da.load(version1 / name)

    for traj in (with_a_note("sleigh.nc"), with_a_note("sleigh.zarr")):
        for key in ("t", "q", "v"):
            np.testing.assert_array_equal(getattr(traj, key), expected[key])
        assert traj.meta.parameters["a"] == 0.3 and traj.meta.versions["dalembert"] == "0.1.0"
        assert traj.meta.identity == Identity()
    ball = with_a_note("ball.nc")
    np.testing.assert_array_equal(ball.q[0], expected["ball_x"])
    np.testing.assert_array_equal(ball.q[1], expected["ball_R"])
    streamed = with_a_note("streamed.zarr")
    assert len(streamed) == 41
    np.testing.assert_array_equal(streamed.q[::10], expected["q"])
    with pytest.raises(UsageError, match=r"written with dalembert 0\.1\.0"):
        da.resume(version1 / "streamed.zarr")
    with pytest.raises(UsageError, match="other shapes"):
        da.resume(version1 / "streamed.zarr", insist=True)


def test_a_record_is_no_new_code(compilations):
    """Whoever notes how often JAX reads a function must not make it compile again by that."""
    reads = []

    class Counted(Spring):
        def potential(self, q):
            reads.append(1)
            return super().potential(q)

    run = lambda h: da.simulate(Counted(), da.DLA(), h=h, steps=3)
    da.diagnostics.energy(Counted(), run(0.1))
    before, count = compilations(), len(reads)
    da.diagnostics.energy(Counted(), run(0.2))
    da.diagnostics.energy(Counted(), run(0.3))
    assert compilations() == before and len(reads) == count > 0


def test_containers_that_are_read_count_and_records_do_not(monkeypatch):
    read = made("g = [1.0]\ndef f(x): return g[0] * x")
    record = made("g = [1.0]\ndef f(x):\n    g.append(x)\n    return x")
    before = fingerprint(read), fingerprint(record)
    for f in (read, record):
        f.__globals__["g"][0] = 2.0
    assert fingerprint(read) != before[0] and fingerprint(record) == before[1]


SCALE = 1.0


def weight(q):
    return 0.5 * SCALE * jnp.sum(q**2)


class Weighted(da.System):
    """Its potential is a field."""

    pot: object = weight
    mode: str = "soft"
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * jnp.sum(v**2) - self.pot(q) * (1.0 if self.mode == "soft" else 2.0)

    def initial(self):
        return jnp.ones(1), jnp.zeros(1)


def test_functions_in_fields_and_observables_are_looked_at(monkeypatch):
    def end():
        mean = da.Statistics(lambda q, v: SCALE * q[0], every=1)
        traj = da.simulate(Weighted(), da.RK4(), h=0.1, steps=10, save=mean)
        return float(traj.q[-1, 0]), float(traj.saved["result"].mean)

    first = end()
    monkeypatch.setitem(globals(), "SCALE", 9.0)
    second = end()
    da.clear_compiled()
    assert second == end() != first


def test_names_of_attributes_are_no_globals(compilations):
    """A sweep in a script: `for k in ...: System(k=k)`."""
    source = (
        "import dalembert as da, jax.numpy as jnp\n"
        "class f(da.System):\n    k: float = 1.0\n    space = da.Euclidean(1)\n"
        "    def lagrangian(self, q, v): return 0.5 * v[0]**2 - 0.5 * self.k * q[0]**2\n"
    )
    cls = made(source)
    names = cls.lagrangian.__globals__
    da.simulate(cls(), da.RK4(), [1.0], [0.0], h=0.1, steps=3)
    before = compilations()
    for k in (2.0, 3.0):
        names["k"] = k
        da.simulate(cls(k=k), da.RK4(), [1.0], [0.0], h=0.1, steps=3)
    assert compilations() == before


def test_other_fields_are_refused_by_resume(tmp_path):
    path = tmp_path / "run.zarr"
    da.simulate(Weighted(), da.RK4(), **RUN, store=path)
    with pytest.raises(UsageError, match=r"with the parameters .*'soft'.* not .*'hard'"):
        da.resume(path, Weighted(mode="hard"))


SIZE = 1.0


class _Made:
    """Sets what it is worth where it is made."""

    def __init__(self):
        self.worth = 2.0


def test_what_wrappers_and_comprehensions_hold_counts(monkeypatch):
    """Of a function that JAX made of a user's; of `__init__`; of a text in a comprehension."""
    squares = lambda: jax.vmap(jax.jit(lambda x: SIZE * x**2))
    parts = lambda c: jax.grad(functools.partial(lambda c, x: c * x, c))
    before = fingerprint(squares()), fingerprint(_Made)
    assert fingerprint(squares()) == before[0] and fingerprint(parts(1.0)) == fingerprint(
        parts(1.0)
    )
    assert fingerprint(parts(1.0)) != fingerprint(parts(2.0))
    monkeypatch.setitem(globals(), "SIZE", 3.0)
    assert fingerprint(squares()) != before[0]

    def other(self):
        self.worth = 3.0

    monkeypatch.setattr(_Made, "__init__", other)
    assert fingerprint(_Made) != before[1]
    a, b = (
        (lambda q: sum({"a": 1, "b": 2}["a"] * x for x in q)),
        (lambda q: sum({"a": 1, "b": 2}["b"] * x for x in q)),
    )
    assert fingerprint(a) != fingerprint(b)


class _Tuned:
    """An attribute of the class, which a method may replace in an object."""

    strength = 1.0

    def tune(self, x):
        self.strength = x


class _Pair(NamedTuple):
    a: float
    b: float

    @property
    def first(self):
        return self.a


class _List(list):
    pass


class _Slots:
    __slots__ = ("x",)


class _More(_Slots):
    __slots__ = ()


def _by_name(module):
    return lambda q: getattr(module, "G") * q  # noqa: B009


def test_state_beside_what_is_seen_at_once_counts(monkeypatch):
    changes = []

    def changed(thing, change):
        before = fingerprint(thing)
        assert fingerprint(thing) == before
        change()
        changes.append(fingerprint(thing) != before)

    changed(_Tuned(), lambda: monkeypatch.setattr(_Tuned, "strength", 2.0))
    changed(_Pair(1.0, 2.0), lambda: monkeypatch.setattr(_Pair, "first", property(lambda s: s.b)))
    some = _List([1.0])
    changed(some, lambda: setattr(some, "scale", 2.0))
    slots = _More()
    slots.x = 1.0
    changed(slots, lambda: setattr(slots, "x", 2.0))

    def f(q):
        return f.k * q

    f.k = 1.0
    changed(f, lambda: setattr(f, "k", 2.0))
    module = types.ModuleType("constants_of_mine")
    module.G = 1.0
    changed(_by_name(module), lambda: setattr(module, "G", 2.0))
    monkeypatch.setitem(sys.modules, "constants_of_mine", module)

    def importing(q):
        from constants_of_mine import G

        return G * q

    changed(importing, lambda: setattr(module, "G", 3.0))
    assert changes == [True] * 7
