"""The table of kinds of runs and features: each cell runs, or says by which rule it does not.

`tests/test_features.py` walks it; `python docs/features.py` writes it into docs/features.md.
A cell that runs is compared with the plain run of one member.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import hybrid

H, N = 0.05, 40
T = H * N
SLEIGH = da.systems.ChaplyginSleigh()
Q0, V0 = (np.asarray(x) for x in SLEIGH.initial())
QS, VS = np.stack([Q0, Q0]), np.stack([V0, 0.5 * V0])
GAUSS, TAYLOR, OWN = da.Gauss(2), da.Taylor(), da.Reversible(da.Gauss(2))


class Pushed(da.System):
    """A sleigh that is pushed along its blade and turned."""

    m: float = 1.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * v[2] ** 2

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def inputs(self, q):
        return jnp.array([[jnp.cos(q[2]), jnp.sin(q[2]), 0.0], [0.0, 0.0, 1.0]])


PUSHED, U = Pushed(), [0.3, 0.2]
START = np.zeros(3), np.array([0.5, 0.0, 0.4])
STARTS = tuple(np.stack([x, x]) for x in START)


def modes(system: da.System) -> hybrid.Modes:
    """One mode that a wall far away never ends: a hybrid run that is a plain one."""
    return hybrid.Modes(
        {"ice": system}, hybrid.bounce("ice", lambda q: 99.0 - q[0]), start=("ice", Q0, V0)
    )


def turn(t, q, v):
    """An event: the sleigh has turned by half a radian."""
    return q[2] - 0.5


def has_turned(t, q, v):
    """The same as a rule."""
    return q[2] > 0.5


SPIN = da.Statistics(lambda q, v: v[2], every=1, over="time")
PARAMETERS = jnp.array([0.2, 0.4])


@dataclasses.dataclass(frozen=True)
class Cell:
    """What a kind of run does with a feature."""

    run: Callable[[], None]  # asserts that it agrees with the plain run
    refused: str = ""  # the words of the refusal, if it is refused
    rule: str = ""  # which rule forbids it: of mechanics, of JAX, of the hardware
    needs_gpu: bool = False
    waits: str = ""  # what has to be built first

    @property
    def told(self) -> str:
        """The entry of the table."""
        if self.waits:
            return f"waits for {self.waits}"
        return f"refused: {self.rule}" if self.refused else "yes"


def same(a, b, tol=1e-9) -> None:
    """Two arrays agree, and mean something."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    assert np.all(np.isfinite(a))
    assert np.max(np.abs(a - b), initial=0.0) <= tol


def plain(system=SLEIGH, method=GAUSS, q=Q0, v=V0, **options):
    """The plain run of one member."""
    return da.simulate(system, method, q, v, **({"h": H, "steps": N} | options))


def many(method=GAUSS, q=QS, v=VS, system=SLEIGH, **options):
    """Two members."""
    return da.simulate_ensemble(system, method, q, v, **({"h": H, "steps": N} | options))


def inside(**options):
    """Two members inside of jit and vmap."""
    return jax.jit(
        jax.vmap(lambda q, v: da.simulate(SLEIGH, GAUSS, q, v, **({"h": H, "steps": N} | options)))
    )(jnp.asarray(QS), jnp.asarray(VS))


def hybrid_run(system=SLEIGH, **options):
    """A hybrid run without a jump."""
    return da.simulate(modes(system), GAUSS, **({"h": H, "steps": N} | options))


def hybrid_many(**options):
    """Two hybrid members."""
    given = {"method": GAUSS, "h": H, "steps": N} | options
    return hybrid.simulate_ensemble(modes(SLEIGH), "ice", QS, VS, **given)


# -- save ----------------------------------------------------------------------------------------


def save_single(method=GAUSS):
    whole = plain(method=method)
    some = plain(method=method, save={"": da.Every(10), "spin": SPIN})
    same(some.q, whole.q[::10])
    same(some.saved["spin"].mean, np.mean(whole.v[:, 2]))
    same(plain(method=method, save=da.At([0.5, 1.0])).q, whole.q[[10, 20]])


def save_many(method=GAUSS):
    found = many(method, save={"": da.Every(10), "spin": SPIN})
    for i in range(2):
        whole = plain(method=method, v=VS[i])
        same(found.q[i], whole.q[::10])
        same(found.saved["spin"].mean[i], np.mean(whole.v[:, 2]))


def save_inside():
    found = inside(save=da.Every(10))
    for i in range(2):
        same(found.q[i], plain(v=VS[i]).q[::10])
    same(inside(save=da.Final()).q[1], plain(v=VS[1]).q[-1:])


def save_hybrid():
    whole = plain()
    some = hybrid_run(save={"": da.Every(10), "spin": SPIN})
    same(some.q, whole.q[::10])
    same(some.saved["spin"].mean, np.mean(whole.v[:, 2]))


def save_hybrid_many():
    found = hybrid_many(save={"": da.Every(10), "spin": SPIN})
    for i in range(2):
        whole = plain(v=VS[i])
        same(found[i].q, whole.q[::10])
        same(found.saved["spin"].mean[i], np.mean(whole.v[:, 2]))
    same(hybrid_many(save=da.At([0.5, 1.0]))[1].q[1:], plain(v=VS[1]).q[[10, 20]])
    assert found.engine == "native"


# -- events, rules -------------------------------------------------------------------------------


def events_of(method=GAUSS):
    return lambda v=V0: plain(method=method, v=v, events={"turn": turn}).events


def events_single(method=GAUSS):
    exact = da.simulate(SLEIGH, TAYLOR, Q0, V0, h=H, steps=N, events={"turn": turn}).events
    same(events_of(method)().t, exact.t, 1e-6)  # of the fourth order
    assert len(exact) == 1


def events_many(method=GAUSS):
    found = many(method, events={"turn": turn}).events
    for i in range(2):
        same(found.of_member(i).t, events_of(method)(VS[i]).t)


def events_inside():
    found = inside(events={"turn": da.Event(turn, terminal=True)})
    for i in range(2):
        one = plain(v=VS[i], events={"turn": da.Event(turn, terminal=True)})
        if not len(one.events):  # the slower member does not turn so far
            assert np.isnan(found.events.t[i, 0])
            same(found.q[i], one.q)
            continue
        same(found.events.t[i], one.events.t)
        same(found.q[i, : len(one)], one.q)
        same(found.q[i, -1], one.q[-1])  # the rows after the end repeat it


def events_hybrid():
    same(hybrid_run(events={"turn": turn}).events.t, events_of()().t)


def stop_single(method=GAUSS):
    whole = plain(method=method)
    first = int(np.argmax(whole.q[:, 2] > 0.5))
    same(plain(method=method, stop_when=has_turned).q, whole.q[: first + 1])


def stop_many(method=GAUSS):
    found = many(method, stop_when=has_turned, save=da.Every(1))
    for i in range(2):
        one = plain(method=method, v=VS[i], stop_when=has_turned)
        assert found.steps_done[i] == one.meta.steps
        same(found.q[i, : len(one)], one.q)


def stop_hybrid():
    same(hybrid_run(stop_when=has_turned).q, plain(stop_when=has_turned).q)


# -- stores --------------------------------------------------------------------------------------


def store_single(method=GAUSS):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.zarr"
        half = {"stop_when": lambda t, q, v: t > 0.5 * T}
        plain(method=method, store=path, **half)
        same(da.load(path).q, plain(method=method, **half).q)
        other = Path(folder) / "whole.zarr"
        plain(method=method, store=other)
        same(da.resume(other).q[-1], plain(method=method).q[-1])


def store_many(method=GAUSS):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.zarr"
        many(method, save=da.Stream(path, every=10))
        same(da.resume(path).q[1], plain(method=method, v=VS[1]).q[::10])


def store_hybrid():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.zarr"
        da.simulate(modes(SLEIGH), GAUSS, h=H, steps=N // 2, store=path)
        same(hybrid.resume(path, modes(SLEIGH), steps=N).q, plain().q)


# -- tolerances ----------------------------------------------------------------------------------


def exact(v=V0):
    return da.simulate(SLEIGH, Q0, v, t=T, tol=1e-13)


def tol_single(method=GAUSS):
    found = da.simulate(SLEIGH, method, Q0, V0, t=T, tol=1e-8)
    same(found.q[-1], exact().q[-1], 1e-8 * np.max(np.abs(exact().q)))


def tol_many(method=GAUSS):
    found = da.simulate_ensemble(SLEIGH, method, QS, VS, t=T, tol=1e-8)
    for i in range(2):
        same(found.q[i, -1], exact(VS[i]).q[-1], 1e-8 * np.max(np.abs(exact(VS[i]).q)))


def tol_hybrid():
    found = da.simulate(modes(SLEIGH), GAUSS, t=T, tol=1e-8)
    same(found.q[-1], exact().q[-1], 1e-8 * np.max(np.abs(exact().q)))


# -- controls ------------------------------------------------------------------------------------


def u_single(method=GAUSS):
    driven = da.control.driven(PUSHED, U)
    same(plain(PUSHED, method, *START, u=U).q, plain(driven, method, *START).q)
    assert (
        np.max(np.abs(plain(PUSHED, method, *START).q[-1] - plain(driven, method, *START).q[-1]))
        > 0.1
    )


def u_many(method=GAUSS):
    found = many(method, *STARTS, system=PUSHED, u=U)
    same(found.q[1, -1], plain(PUSHED, method, *START, u=U).q[-1])


def u_inside():
    run = jax.jit(lambda q, v: da.simulate(PUSHED, GAUSS, q, v, h=H, steps=N, u=U).q)
    same(run(*map(jnp.asarray, START)), plain(PUSHED, GAUSS, *START, u=U).q)


def u_hybrid():
    found = da.simulate(modes(PUSHED), "ice", *START, h=H, steps=N, u=U)
    same(found.q, plain(PUSHED, GAUSS, *START, u=U).q)


# -- adaptive steps, parameters, GPUs --------------------------------------------------------------


def adaptive_single():
    found = da.simulate(SLEIGH, OWN, Q0, V0, h=H, t=T)
    same(found.q[-1], exact().q[-1], 1e-4)
    assert np.ptp(np.diff(found.t)) > 0.0


def adaptive_many():
    found = da.simulate_ensemble(SLEIGH, OWN, QS, VS, h=H, t=T)
    for i in range(2):
        same(found.q[i, -1], da.simulate(SLEIGH, OWN, Q0, VS[i], h=H, t=T).q[-1])


def adaptive_inside():
    run = jax.jit(lambda q, v: da.simulate(SLEIGH, OWN, q, v, h=H, steps=N).q)
    same(run(jnp.asarray(Q0), jnp.asarray(V0)), da.simulate(SLEIGH, OWN, Q0, V0, h=H, steps=N).q)


def over_many(method=GAUSS):
    found = da.simulate_ensemble(SLEIGH, method, over=da.grid(a=[0.2, 0.4]), h=H, steps=N)
    for i, a in enumerate((0.2, 0.4)):
        system = da.systems.ChaplyginSleigh(a=a)
        same(found.q[i, -1], da.simulate(system, method, h=H, steps=N).q[-1])


def over_inside():
    def one(a):
        system = da.systems.ChaplyginSleigh(a=a)
        return da.simulate(system, GAUSS, *system.initial(), h=H, steps=N).q

    found = jax.vmap(one)(PARAMETERS)
    for i, a in enumerate((0.2, 0.4)):
        same(found[i], da.simulate(da.systems.ChaplyginSleigh(a=a), GAUSS, h=H, steps=N).q)


def gpu_many():
    found = many(devices=jax.devices("gpu"))
    for i in range(2):
        same(found.q[i, -1], plain(v=VS[i]).q[-1])


def gpu_inside():
    with jax.default_device(jax.devices("gpu")[0]):
        same(inside(save=da.Final()).q[1], plain(v=VS[1]).q[-1:])


def _each(found, **options):
    """Members of a hybrid ensemble beside plain runs."""
    for i in range(2):
        same(found[i].q, plain(v=VS[i], **options).q)


def events_hybrid_many():
    found = hybrid_many(events={"turn": turn})
    assert found.engine == "native"
    for i in range(2):
        same(found.events.of_member(i).t, events_of()(VS[i]).t)
        same(found[i].events.t, events_of()(VS[i]).t)


def store_hybrid_many():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many"
        hybrid_many(steps=N // 2, store=path)
        _each(hybrid.resume_ensemble(path, modes(SLEIGH), steps=N))


def tol_hybrid_many():
    found = hybrid_many(h=None, steps=None, t=T, tol=1e-8)
    for i in range(2):
        same(found.q[i], exact(VS[i]).q[-1], 1e-8 * np.max(np.abs(exact(VS[i]).q)))


def u_hybrid_many():
    found = hybrid.simulate_ensemble(modes(PUSHED), "ice", *STARTS, method=GAUSS, h=H, steps=N, u=U)
    same(found[1].q, da.simulate(PUSHED, GAUSS, *START, h=H, steps=N, u=U).q)


def stop_hybrid_many():
    found = hybrid_many(stop_when=has_turned)
    assert found.engine == "native"
    _each(found, stop_when=has_turned)


def gpu_hybrid_many():
    found = hybrid_many(engine="gpu")
    _each(found)


def over_hybrid_many():
    over = da.grid(a=[0.2, 0.4])
    found = hybrid.simulate_ensemble(modes(SLEIGH), over=over, method=GAUSS, h=H, steps=N)
    for i, a in enumerate((0.2, 0.4)):
        system = da.systems.ChaplyginSleigh(a=a)
        same(found[i].q, da.simulate(system, GAUSS, Q0, V0, h=H, steps=N).q)


KINDS = (
    "single", "ensemble", "inside jit, vmap", "Taylor", "Taylor ensemble", "hybrid",
    "hybrid ensemble",
)  # fmt: skip
FEATURES = (
    "save=", "events=", "store, resume", "tol=", "u=", "stop_when=", "GPU", "adaptive steps",
    "over= parameters",
)  # fmt: skip
_SHAPES = "JAX compiles for known shapes"
_SINGLE = "one motion does not occupy a GPU"


def _by(function: Callable[..., None], method: da.methods.Method) -> Cell:
    return Cell(lambda: function(method))


def table() -> dict[tuple[str, str], Cell]:
    """Every cell."""
    cells: dict[tuple[str, str], Cell] = {}

    def row(feature: str, *entries: Cell) -> None:
        assert len(entries) == len(KINDS)
        cells.update({(kind, feature): cell for kind, cell in zip(KINDS, entries)})

    def of_both(single: Callable[..., None], many: Callable[..., None]) -> tuple[Cell, ...]:
        return _by(single, GAUSS), _by(many, GAUSS), _by(single, TAYLOR), _by(many, TAYLOR)

    a, b, c, d = of_both(save_single, save_many)
    row("save=", a, b, Cell(save_inside), c, d, Cell(save_hybrid), Cell(save_hybrid_many))
    a, b, c, d = of_both(events_single, events_many)
    row("events=", a, b, Cell(events_inside), c, d, Cell(events_hybrid), Cell(events_hybrid_many))
    a, b, c, d = of_both(store_single, store_many)
    no = Cell(lambda: inside(store="x.zarr"), "no side effects", "JAX has no side effects")
    row("store, resume", a, b, no, c, d, Cell(store_hybrid), Cell(store_hybrid_many))
    a, b, c, d = of_both(tol_single, tol_many)
    no = Cell(
        lambda: inside(h=None, steps=None, t=T, tol=1e-8), "number of steps would depend", _SHAPES
    )
    row("tol=", a, b, no, c, d, Cell(tol_hybrid), Cell(tol_hybrid_many))
    a, b, c, d = of_both(u_single, u_many)
    row("u=", a, b, Cell(u_inside), c, d, Cell(u_hybrid), Cell(u_hybrid_many))
    a, b, c, d = of_both(stop_single, stop_many)
    no = Cell(lambda: inside(stop_when=has_turned), "number of rows would depend", _SHAPES)
    row("stop_when=", a, b, no, c, d, Cell(stop_hybrid), Cell(stop_hybrid_many))
    gpu, alone = Cell(gpu_many, needs_gpu=True), Cell(gpu_inside, needs_gpu=True)
    single = Cell(lambda: plain(engine="gpu"), "engine", _SINGLE)
    taylor = Cell(lambda: many(TAYLOR, engine="gpu"), "native code only", "Taylor is CPU code")
    one = Cell(lambda: plain(method=TAYLOR, engine="gpu"), "native code only", _SINGLE)
    arcs = Cell(lambda: hybrid_run(engine="gpu"), "is for ensembles", _SINGLE)
    row("GPU", single, gpu, alone, one, taylor, arcs, Cell(gpu_hybrid_many, needs_gpu=True))
    shortened = Cell(
        lambda: da.simulate(modes(SLEIGH), OWN, h=H, steps=N),
        "takes steps of one size",
        "a jump cuts a step short, and the step sizes are then no longer reversible",
    )
    adaptive = (Cell(adaptive_single), Cell(adaptive_many), Cell(adaptive_inside))
    taylors = (_by(tol_single, TAYLOR), _by(tol_many, TAYLOR))
    row("adaptive steps", *adaptive, *taylors, shortened, shortened)
    alone = "one run has one value of each parameter"
    no = Cell(lambda: plain(over=da.grid(a=[0.2, 0.4])), "has no argument 'over'", alone)
    row(
        "over= parameters", no, _by(over_many, GAUSS), Cell(over_inside), no,
        _by(over_many, TAYLOR), no, Cell(over_hybrid_many),
    )  # fmt: skip
    assert set(cells) == {(k, f) for k in KINDS for f in FEATURES}
    return cells
