"""Compiled code is not used for what a function has become since: whatever it reads has changed."""

import collections
import contextvars
import functools
import importlib
import os
import subprocess
import sys
import textwrap
import types
import weakref

import equinox as eqx
import jax
import numpy as np
import pytest

import dalembert as da
from dalembert.compile.cache.code_key import CodeKey, code_version
from dalembert.compile.cache.trusted_code import is_trusted

# (what is defined, how the constant `g` is read in a function, how it is changed)
CHANGES = {
    "the end of a long regular expression": (
        "import re\ng = re.compile('a' * 300 + 'b')\ndef f(x): return bool(g.match(x))",
        "g = re.compile('a' * 300 + 'c')",
    ),
    "a list beside one that is appended to": (
        "g = [1.0]\ndef f(x):\n    terms = []\n    terms.append(g[0] * x)\n    return sum(terms)",
        "g[0] = 2.0",
    ),
    "a list beside an array that is put together": (
        "g = [1.0]\ndef f(x): return x.at[0].add(g[0])",
        "g[0] = 2.0",
    ),
    "a dictionary beside one that is written to": (
        "g = {'k': 1.0}\ndef f(x):\n    out = {}\n    out['k'] = g['k']\n    return out",
        "g['k'] = 2.0",
    ),
    "a list that is appended to, and read": (
        "g = [1.0]\ndef f(x):\n    g.append(x)\n    return g[0]",
        "g[0] = 2.0",
    ),
    "a global whose name is that of an attribute": (
        "g = 1.0\ndef f(x):\n    f.g = x\n    return g * x",
        "g = 2.0",
    ),
    "a global that is read where it is assigned": (
        "g = 1.0\ndef f(x):\n    global g\n    g = g or 3.0\n    return g",
        "g = 2.0",
    ),
    "a list of a class that a method may replace": (
        "class f:\n    g = [1.0]\n    def set(self, x): self.g = x",
        "f.g[0] = 2.0",
    ),
    "an object of an installed class": (
        "import argparse\ng = argparse.Namespace(k=1.0)\ndef f(x): return g.k",
        "g.k = 2.0",
    ),
    "an array in an object of an installed class": (
        "import numpy as np\ng = np.polynomial.Polynomial([1.0])\ndef f(x): return g.coef[0]",
        "g.coef[0] = 2.0",
    ),
    "a queue": ("g = collections.deque([1.0])\ndef f(x): return g[0]", "g[0] = 2.0"),
    "a method of a dictionary": ("d = {1: 1.0}\ng = d.get\ndef f(x): return g(1)", "d[1] = 2.0"),
    "a reference": (
        "class G: pass\no = G()\no.k = 1.0\ng = weakref.ref(o)\ndef f(x): return g().k",
        "o.k = 2.0",
    ),
    "a variable of a context": (
        "g = contextvars.ContextVar('g', default=1.0)\ndef f(x): return g.get()",
        "g.set(2.0)",
    ),
    "the environment": ("def f(x): return float(os.environ['G_'])", "os.environ['G_'] = '2'"),
    "the environment by a function": (
        "def f(x): return os.getenv('G_')",
        "os.environ['G_'] = '2'",
    ),
    "a number of an installed module": (
        "import scipy\ndef f(x): return scipy.constants.g * x",
        "import scipy.constants\nscipy.constants.g = 9.0",
    ),
    "what a cached property reads": (
        "g = 1.0\nclass f:\n    @functools.cached_property\n    def k(self): return g",
        "g = 2.0",
    ),
    "what a derivative of one's own reads": (
        "g = 1.0\n@jax.custom_jvp\ndef f(x): return x\nf.defjvps(lambda t, out, x: g * t)",
        "g = 2.0",
    ),
    "one slot": (
        "class G: __slots__ = 'gain'\ng = G()\ng.gain = 1.0\ndef f(x): return g.gain",
        "g.gain = 2.0",
    ),
    "a private slot": (
        "class G:\n    __slots__ = ('__k',)\n    def put(self, x): self.__k = x\n"
        "g = G()\ng.put(1.0)\ndef f(x): return g",
        "g.put(2.0)",
    ),
    "the state of a decorator": (
        "class G:\n    def __init__(self, h): functools.update_wrapper(self, h)\n"
        "def h(x): return x\nf = G(h)\nf.k = 1.0",
        "f.k = 2.0",
    ),
    "a class of classes": (
        "g = 1.0\nclass M(type):\n    k = property(lambda cls: g)\nclass f(metaclass=M): pass",
        "g = 2.0",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(name, monkeypatch):
    monkeypatch.setenv("G_", "1")
    constants = pytest.importorskip("scipy.constants")
    monkeypatch.setattr(constants, "g", constants.g)
    before, change = CHANGES[name]
    module = types.ModuleType("written_by_a_user")
    tools = (collections, contextvars, functools, jax, os, weakref)
    module.__dict__.update({x.__name__: x for x in tools})
    exec(before, module.__dict__)
    version = code_version(module.f)
    assert code_version(module.f) == version or CodeKey(module.f).reason  # it never is the same
    exec(change, module.__dict__)
    assert code_version(module.f) != version


def spring(stiffness, **fields):
    """A system of somebody's own, which asks a function for its stiffness."""

    class Spring(da.System):
        __annotations__ = dict.fromkeys(fields, object)
        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v[0] ** 2 - 0.5 * stiffness(self) * q[0] ** 2

    for name in fields:
        setattr(Spring, name, None)
    return Spring(**fields)


def end(system):
    return da.simulate(system, da.RK4(), [1.0], [0.0], h=0.1, steps=2).final.q[0]


def test_what_objects_in_fields_hold_is_seen():
    class Tuning:
        k = 1.0

    tuning, numbers = Tuning(), [1.0]
    systems = [
        spring(lambda self: self.given.k, given=tuning),
        spring(lambda self: self.given[0][0](), given=((lambda: numbers[0],),)),
    ]
    before = [end(x) for x in systems]
    tuning.k = numbers[0] = 9.0
    after = [end(x) for x in systems]
    da.clear_compiled()
    assert after == [end(x) for x in systems] and before[0] == before[1] != after[0] == after[1]


def test_numbers_and_flags_that_are_equal_are_told_apart():
    kinds = {int: 1.0, bool: 4.0, float: 9.0}

    class Spring(da.System):
        given: object = eqx.field(static=True)
        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v[0] ** 2 - 0.5 * kinds[type(self.given)] * q[0] ** 2

    ends = [end(Spring(x)) for x in (1, True, 1.0)]
    assert ends[0] > ends[1] > ends[2]


@pytest.mark.parametrize("given", [{"k": 1.0}, [1.0], {1.0}])
def test_fields_that_may_change_unseen_are_refused(given):
    with pytest.raises(da.UsageError, match=rf"Spring.given is a {type(given).__name__}, which"):
        end(spring(lambda self: 1.0, given=given))


def test_what_is_put_into_a_class_of_the_library_is_seen(monkeypatch):
    cls = da.systems.ChaplyginSleigh
    versions = [code_version(cls)]
    monkeypatch.setattr(cls, "lagrangian", lambda self, q, v: v[0])
    versions.append(code_version(cls))
    monkeypatch.undo()
    assert code_version(cls) == versions[0] != versions[1]
    method, before = da.RK4(), code_version(da.RK4())
    monkeypatch.setattr(type(method), "step", lambda self, *given: given)
    assert code_version(method) != before


def test_modules_are_a_users_by_where_they_lie(tmp_path, monkeypatch):
    """One that is named as a part of Python is, and one of a package that imports it by dots."""
    (tmp_path / "of_mine").mkdir()
    for name, text in {
        "__init__": "",
        "constants": "G = 1.0",
        "motion": "def f(x):\n    from .constants import G\n    return G * x\n"
        "def g(x):\n    from . import constants\n    return constants.G * x",
    }.items():
        (tmp_path / "of_mine" / f"{name}.py").write_text(text)
    (tmp_path / "statistics.py").write_text("G = 1.0\ndef f(x): return G * x")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "statistics", raising=False)
    assert not is_trusted("__main__") and is_trusted("math") and is_trusted("itertools")
    own, motion = map(importlib.import_module, ("statistics", "of_mine.motion"))
    constants = importlib.import_module("of_mine.constants")
    functions = (own.f, motion.f, motion.g)
    before = [code_version(f) for f in functions]
    own.G = constants.G = 2.0
    assert not np.any(np.equal(before, [code_version(f) for f in functions]))
    for name in [x for x in sys.modules if x.partition(".")[0] in ("of_mine", "statistics")]:
        del sys.modules[name]


def test_what_a_profiler_runs_is_a_users(tmp_path):
    """There `sys.modules["__main__"]` is the profiler."""
    script = """
        from dalembert.compile.cache.code_key import code_version
        G = 1.0
        def f(x): return G * x
        before = code_version(f)
        G = 2.0
        print("seen", code_version(f) != before)
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    command = [sys.executable, "-m", "cProfile", str(tmp_path / "script.py")]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "seen True" in found.stdout


def test_code_that_changes_what_it_reads_is_traced_again(compilations):
    """A counter may decide about the next time; what was compiled is found by what was traced."""
    count, last = {"n": 0}, [0]

    def stiffness(self):
        count["n"] += 1
        last[0] = count["n"]
        return 1.0

    system = spring(stiffness)
    end(system)
    before, read = compilations(), dict(count)
    assert end(system) == end(system) == pytest.approx(np.cos(0.2), abs=1e-6)
    assert compilations() == before and count["n"] > read["n"]
    run = da.simulate(system, da.RK4(), [1.0], [0.0], h=0.1, steps=2)
    assert "what it reads has changed while it was traced" in run.meta.engine_reason


def test_functions_without_a_module_are_run_as_others():
    """What `exec` makes, as in functions that are written by a program."""
    names = {}
    exec("def late(t, q, v): return t > 0.15", names)
    assert names["late"].__module__ is None
    traj = da.simulate(
        da.systems.ChaplyginSleigh(), da.RK4(), h=0.1, steps=5, stop_when=names["late"]
    )
    assert len(traj.t) == 3


class Sled(da.parts.Machine):
    """On a skate and with friction where these are wanted, which no field tells."""

    wanted = {"skate": False, "friction": False}

    def parts(self):
        yield da.parts.Body("sled", 1.0, (0.1, 0.1, 0.1))
        yield da.parts.Planar("sled", start=(0, 0, 0.3), speed=(1.0, 0.0, 0.5))
        if self.wanted["skate"]:
            yield da.parts.Skate("sled")
        if self.wanted["friction"]:
            yield da.parts.Strut("sled", damping=0.5, at=(0.1, 0, 0))


@pytest.mark.parametrize("part", ["skate", "friction"])
def test_the_parts_of_a_machine_are_looked_at_anew(part, monkeypatch):
    def end():
        return da.simulate(Sled(), h=0.1, steps=3).v[-1]

    free = end()
    np.testing.assert_allclose(free, [1.0, 0.0, 0.5], atol=1e-13)
    monkeypatch.setitem(Sled.wanted, part, True)
    assert np.max(np.abs(end() - free)) > 1e-3
    monkeypatch.setitem(Sled.wanted, part, False)
    np.testing.assert_array_equal(end(), free)
