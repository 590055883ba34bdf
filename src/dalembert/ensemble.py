"""Many runs at once: over initial data, over parameters, kept in full or reduced on the way.

Members are independent, so they are worked on in blocks of fixed size, on all cores or on all
accelerators; every block runs the same compiled code, and what is summed over members is summed
in the order of the blocks. The numbers therefore do not depend on how many devices there are. On a
CPU a block is a few vectors wide: its whole state stays in the nearest cache while it runs.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import checks
from .compiling import compile_for_cpu, jit
from .errors import UsageError
from .linalg import MESSAGES, OK
from .methods.base import Method, Row
from .scalarize import Layout, Unsupported, batched_kernel, scalarized
from .simulate import Progress, State, initial_state, one_step
from .system import PARAMETER, Point, System, as_arrays
from .trajectory import Meta, Trajectory

Observable = Callable[..., jax.Array]

_CPU_BLOCK = 64
_GPU_BLOCK = 1 << 17
# (steps in one kernel, such kernels in a row), the last for what the others leave: on an H200
# 8 steps in a kernel are six times as fast as one
_GPU_LOOPS = ((8, 16), (4, 1), (1, 1))
_ROWS_BYTES = {"cpu": 8 * 2**20, "gpu": 512 * 2**20}
_CALL_SECONDS = 0.3


# -- reductions -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Mean, variance, least and greatest of an observable, over members or over time.

    `over="members"` gives one value for each kept time, `over="time"` one for each member. The
    observable is a function (q, v) -> number. Failed members do not count from their failure on.
    """

    observable: Observable
    over: str = "members"

    def __post_init__(self) -> None:
        _check_observables("Statistics", self.observable)
        if self.over not in ("members", "time"):
            raise UsageError(f"Statistics: over must be 'members' or 'time', got {self.over!r}")


@dataclasses.dataclass(frozen=True)
class Histogram:
    """How often an observable (q, v) -> number fell between `edges`, over members and time."""

    observable: Observable
    edges: Sequence[float]

    def __post_init__(self) -> None:
        _check_observables("Histogram", self.observable)
        try:
            edges = np.asarray(self.edges, float)
        except (TypeError, ValueError):
            edges = np.zeros(0)
        if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
            raise UsageError("Histogram: edges must be at least two increasing numbers")


@dataclasses.dataclass(frozen=True)
class Section:
    """A Poincare section: `observables` where `crossing` goes from negative to positive.

    Both are functions of (q, v), interpolated between the two kept times around the crossing: keep
    every step for it. `direction=-1` takes crossings from positive to negative, 0 both.
    """

    crossing: Observable
    observables: Sequence[Observable]
    direction: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.observables, (list, tuple)):
            raise UsageError("Section: observables must be a list of functions of (q, v)")
        _check_observables("Section", self.crossing, *self.observables)
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"Section: direction must be 1, -1 or 0, got {self.direction!r}")


def _check_observables(where: str, *functions: Any) -> None:
    for f in functions:
        if not callable(f):
            raise UsageError(f"{where}: an observable is a function (q, v) -> number, got {f!r}")


class Moments(NamedTuple):
    """What `Statistics` finds."""

    count: np.ndarray
    mean: np.ndarray
    variance: np.ndarray  # of the population: divided by the count
    least: np.ndarray
    greatest: np.ndarray
    t: np.ndarray  # the times of statistics over members; the last one only of those over time


class Counts(NamedTuple):
    """What `Histogram` finds."""

    edges: np.ndarray
    counts: np.ndarray
    below: int
    above: int


class Crossings(NamedTuple):
    """What `Section` finds: one row for each crossing, ordered by member, then by time."""

    member: np.ndarray
    t: np.ndarray
    values: np.ndarray  # (crossings, observables)


class _Sums(NamedTuple):
    """Count, mean, sum of squares about the mean, extremes; they combine without cancellation."""

    n: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, good: np.ndarray, axis: int) -> _Sums:
        n = good.sum(axis=axis).astype(float)
        kept = np.where(good, x, 0.0)
        mean = kept.sum(axis=axis) / np.maximum(n, 1.0)
        centered = np.where(good, x - np.expand_dims(mean, axis), 0.0)
        low = np.where(good, x, np.inf).min(axis=axis)
        high = np.where(good, x, -np.inf).max(axis=axis)
        return cls(n, mean, (centered**2).sum(axis=axis), low, high)

    def plus(self, other: _Sums) -> _Sums:
        n = self.n + other.n
        step, share = other.mean - self.mean, other.n / np.maximum(n, 1.0)
        square = self.square + other.square + step**2 * self.n * share
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return _Sums(n, self.mean + step * share, square, low, high)

    def moments(self, t: np.ndarray) -> Moments:
        with np.errstate(invalid="ignore", divide="ignore"):
            some = np.where(self.n > 0, 1.0, np.nan)
            variance = self.square / np.maximum(self.n, 1.0)
        mean, low, high = (x * some for x in (self.mean, self.low, self.high))
        return Moments(self.n.astype(int), mean, variance * some, low, high, t)


class _Reducer:
    """One reduction of one block of members; fed with rows in the order of time."""

    def __init__(self, kind: Any, first: int) -> None:
        self.kind, self.first, self.last = kind, first, None
        self.parts: list[Any] = []
        self.times: list[np.ndarray] = []

    @property
    def observables(self) -> list[Observable]:
        if isinstance(self.kind, Section):
            return [self.kind.crossing, *self.kind.observables]
        return [self.kind.observable]

    def feed(self, t: np.ndarray, values: list[np.ndarray], good: np.ndarray) -> None:
        """`values` and `good` are (rows, members)."""
        kind = self.kind
        self.times.append(t)
        if isinstance(kind, Statistics):
            if kind.over == "members":
                self.parts.append(_Sums.of(values[0], good, axis=1))
            else:
                new = _Sums.of(values[0], good, axis=0)
                self.parts = [self.parts[0].plus(new) if self.parts else new]
        elif isinstance(kind, Histogram):
            edges = np.asarray(kind.edges, float)
            x = values[0][good]
            counts = np.histogram(x, edges)[0]
            new = np.array([np.sum(x < edges[0]), *counts, np.sum(x > edges[-1])])
            self.parts = [self.parts[0] + new if self.parts else new]
        else:
            self._cross(t, values, good)

    def _cross(self, t: np.ndarray, values: list[np.ndarray], good: np.ndarray) -> None:
        table = np.stack(values)
        if self.last is not None:
            t = np.concatenate([self.last[0], t])
            table = np.concatenate([self.last[1], table], axis=1)
            good = np.concatenate([self.last[2], good])
        self.last = t[-1:], table[:, -1:], good[-1:]
        g = table[0]
        up, down = (g[:-1] < 0) & (g[1:] >= 0), (g[:-1] >= 0) & (g[1:] < 0)
        hit = {1: up, -1: down, 0: up | down}[int(np.sign(self.kind.direction))]
        row, member = np.nonzero(hit & good[1:])
        share = g[row, member] / (g[row, member] - g[row + 1, member])
        values_at = table[1:, row, member] * (1 - share) + table[1:, row + 1, member] * share
        self.parts.append((member + self.first, t[row] + share * (t[row + 1] - t[row]), values_at))


def _combined(kind: Any, blocks: list[_Reducer], members: int) -> Any:
    if isinstance(kind, Statistics):
        if kind.over == "time":
            each = (np.concatenate(x)[:members] for x in zip(*(b.parts[0] for b in blocks)))
            return _Sums(*each).moments(blocks[0].times[-1][-1:])
        whole = [_Sums(*map(np.concatenate, zip(*b.parts))) for b in blocks]
        return functools.reduce(_Sums.plus, whole).moments(np.concatenate(blocks[0].times))
    if isinstance(kind, Histogram):
        total = np.sum([b.parts[0] for b in blocks], axis=0)
        return Counts(
            np.asarray(kind.edges, float), total[1:-1], below=int(total[0]), above=int(total[-1])
        )
    member, t, values = (
        np.concatenate([p[i] for b in blocks for p in b.parts], axis=-1) for i in range(3)
    )
    order = np.lexsort((t, member))
    return Crossings(member[order], t[order], values.T[order])


# -- what comes out -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Ensemble:
    """The runs of many members: arrays have members first, then kept times.

    `result` is the code of each member (0 is success) and `steps_done` the steps it took until the
    end or its failure; rows after a failure are NaN. `residual` is that of the step before each
    row. `reduced` has what was asked for by name.
    """

    t: np.ndarray
    q: Any
    v: np.ndarray
    p: np.ndarray
    multiplier: np.ndarray
    frame: Any
    residual: np.ndarray
    result: np.ndarray
    steps_done: np.ndarray
    reduced: Mapping[str, Any]
    meta: Meta

    def __len__(self) -> int:
        return len(self.result)

    @property
    def failed(self) -> dict[int, str]:
        """Which members failed, and how."""
        told = {}
        for i in np.flatnonzero(self.result != OK):
            step = int(self.steps_done[i]) + 1
            at = self.meta.t0 + step * self.meta.h
            told[int(i)] = f"{MESSAGES[int(self.result[i])]} at step {step}, t = {at:g}"
        return told

    def member(self, i: int) -> Trajectory:
        """One member as a trajectory: the kept rows until its failure, if it failed."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"member {i} of an ensemble of {len(self)}")
        good = np.flatnonzero(np.all(np.isfinite(self.v[i]), axis=-1))

        def take(x: Any) -> Any:
            return jax.tree.map(lambda a: jnp.asarray(a[i][good]), x)

        return Trajectory(
            t=jnp.asarray(self.t[good]),
            q=take(self.q),
            v=take(self.v),
            p=take(self.p),
            multiplier=take(self.multiplier),
            frame=take(self.frame),
            residual=take(self.residual),
            result=jnp.zeros(len(good), jnp.int32),
            meta=dataclasses.replace(self.meta, steps=int(self.steps_done[i])),
        )


# -- the run --------------------------------------------------------------------------------------


def simulate_ensemble(
    system: System,
    method: Method,
    q0: Point = None,
    v0: Any = None,
    *,
    h: float,
    steps: int,
    t0: float = 0.0,
    save_every: int | None = None,
    keep: str | None = None,
    reduce: Mapping[str, Statistics | Histogram | Section] | None = None,
    project: bool = False,
    devices: Sequence[Any] | None = None,
    progress: bool | None = None,
) -> Ensemble:
    """Run many members at once, `steps` steps of size `h` each.

    Args:
        system: one system, or a batch: parameters with the members as first axis, such as
            `ChaplyginSleigh(a=jnp.linspace(0.1, 0.3, 1000))`.
        method: how they are integrated.
        q0, v0: initial data with the members as first axis; without it, all start alike. The
            system's own if both are left out.
        h, steps, t0: as in `simulate`, the same for all members.
        save_every: look at every k-th step; by default at the last one only.
        keep: "rows" keeps all that is looked at, "final" the last row only. By default rows are
            kept if `save_every` is given and `reduce` is not.
        reduce: names and reductions (`Statistics`, `Histogram`, `Section`) of what is looked at,
            computed on the way: memory does not grow with the number of steps (but by one number
            for each kept time in statistics over members).
        project: replace inconsistent velocities by the nearest consistent ones.
        devices: JAX devices to use; by default all cores, or all accelerators if there are any.
        progress: show a progress bar; by default only on a terminal, and only on long runs.

    A member that fails is marked (`result`, `failed`), and the others go on.
    """
    if reduce is not None and not isinstance(reduce, Mapping):
        raise UsageError('reduce takes names and reductions, such as {"energy": Statistics(f)}')
    reduce = dict(reduce or {})
    if devices is not None and (isinstance(devices, str) or not len(devices)):
        raise UsageError("devices must be JAX devices, such as jax.devices()[:1]")
    if checks.is_traced((system, q0, v0, h, t0, jnp.zeros(1))):
        raise UsageError(
            "simulate_ensemble works outside of jit, vmap and grad; inside, use jax.vmap(simulate)"
        )
    if keep is None:
        keep = "rows" if save_every is not None and not reduce else "final"
    if keep not in ("rows", "final"):
        raise UsageError(f"keep must be 'rows' or 'final', got {keep!r}")
    for name, kind in reduce.items():
        if not isinstance(kind, (Statistics, Histogram, Section)):
            raise UsageError(f"reduce[{name!r}] must be a reduction such as Statistics(f)")
        if save_every is None and not isinstance(kind, Statistics):
            raise UsageError(
                f"reduce[{name!r}] needs save_every, how often to look: 1 is every step"
            )
    every = steps if save_every is None else save_every
    begin = time.perf_counter()
    batch = _Batch.of(system, q0, v0)
    checks.check_run(batch.example, method, steps, every)
    checks.check_parameters(batch.example, (batch.shared, batch.varying))
    step, origin = checks.check_times(h, t0)
    method.check(batch.example)
    started = _started(batch, method, step, origin, project)
    work = _Work(batch, method, started, step, origin, steps, every, keep, reduce, devices)
    work.prepare()
    compiled = time.perf_counter()
    blocks = work.run(progress)
    meta = Meta.of(
        batch.example,
        method.name,
        h=float(step),
        t0=float(origin),
        steps=steps,
        save_every=every,
        constraints=started.row.multiplier.shape[-1],
        wall_s=time.perf_counter() - compiled,
        compile_s=compiled - begin,
    )
    return work.gathered(blocks, meta)


def _real(name: str, x: Any) -> jax.Array:
    try:
        array = np.asarray(x)
        if np.iscomplexobj(array):
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise UsageError(f"{name} must be real numbers with members first, got {x!r}") from None
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        raise UsageError(f"{name}: entries must be finite, and that at {wrong[0].tolist()} is not")
    return jnp.asarray(array)


class _Batch(NamedTuple):
    """The members: which parameters vary, and where each of them starts."""

    example: System  # the first member
    shared: Any  # parameters that are the same for all, None where they vary
    varying: Any  # parameters with the members first, None where they are shared
    static: Any
    q: Any
    v: Any
    members: int

    @classmethod
    def of(cls, system: System, q0: Any, v0: Any) -> _Batch:
        if not isinstance(system, System):
            checks.check_run(system, None, 1, 1)
        counts: dict[str, int] = {}
        varies = {}
        for field in dataclasses.fields(system):
            value, spec = getattr(system, field.name), field.metadata.get(PARAMETER)
            inner = spec.shape if spec is not None else ()
            if isinstance(value, (jax.Array, np.ndarray)) and inner is not None:
                if value.ndim == len(inner) + 1 and (spec or field.type in (float, "float")):
                    varies[field.name] = True
                    counts[f"parameter '{field.name}'"] = len(value)
        dynamic, static = as_arrays(system)
        mask = jax.tree_util.tree_map_with_path(
            lambda path, _: varies.get(getattr(path[0], "name", ""), False), dynamic
        )
        varying, shared = eqx.partition(dynamic, mask)
        first = eqx.combine(jax.tree.map(lambda x: x[0], varying), shared, static)
        if (q0 is None) != (v0 is None):
            raise UsageError("give both q0 and v0, or neither to start from system.initial()")
        if q0 is None:
            if counts:
                q0, v0 = jax.vmap(lambda p: eqx.combine(p, shared, static).initial())(varying)
            else:
                q0, v0 = first.initial()
        v = _real("v0", v0)
        base, likes = first.groupoid.base, first.groupoid.base.identity()
        leaves = jax.tree.map(partial(_real, "q0"), q0)
        if jax.tree.structure(leaves) != jax.tree.structure(likes):
            base.check(q0, "q0")  # says what is wrong
        if v.ndim == 2:
            counts["v0"] = len(v)
        inner, given = (jax.tree.leaves(x) for x in (likes, leaves))
        for i, (a, b) in enumerate(zip(given, inner)):
            if jnp.ndim(a) == jnp.ndim(b) + 1:
                counts["q0" if len(given) == 1 else f"q0[{i}]"] = len(a)
        if not counts:
            raise UsageError(
                "no ensemble: neither q0, v0 nor a parameter has members as its first axis; "
                "use simulate for one run"
            )
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{k} has {n}" for k, n in counts.items())
            raise UsageError(f"the number of members differs: {told}")
        members = next(iter(counts.values()))
        if members == 0:
            raise UsageError("an ensemble needs at least one member")

        def spread(x: Any, ndim: int) -> Any:
            return x if jnp.ndim(x) == ndim + 1 else jnp.broadcast_to(x, (members, *jnp.shape(x)))

        q = jax.tree.map(lambda x, like: spread(x, jnp.ndim(like)), leaves, likes)
        for x, like in zip(jax.tree.leaves(q), inner):
            if x.shape[1:] != jnp.shape(like):
                base.check(jax.tree.map(lambda a: a[0], q), "q0")
        v = spread(v, 1)
        checks.check_velocity(first, v[0])
        return cls(first, shared, varying, static, q, v, members)


@functools.lru_cache(maxsize=256)
def _compiled_start(static, method: Method) -> Callable[..., Any]:
    def one(shared, varying, t0, h, q, v):
        system = eqx.combine(varying, shared, static)
        state = initial_state(system, method, t0, h, q, v)
        facts = checks.gather(system, t0, q, v, state.row.v)
        size = checks.CONSISTENT * checks.residual_size(facts.mu, v, facts.residual)
        off = jnp.any(jnp.abs(facts.residual) > size)
        return state, checks.bad_data(system, method, facts), off

    return jit()(jax.vmap(one, in_axes=(None, 0, None, None, 0, 0)))


def _started(batch: _Batch, method: Method, h, t0, project: bool) -> State:
    """The state of every member; data that `simulate` would refuse are refused, by member."""
    start = _compiled_start(batch.static, method)
    state, bad, off = start(batch.shared, batch.varying, t0, h, batch.q, batch.v)
    wrong = np.flatnonzero(np.asarray(bad) | (np.asarray(off) & (not project)))
    wrong = np.union1d(wrong, np.flatnonzero(np.asarray(state.row.result) != OK))
    if len(wrong):
        few = ", ".join(map(str, wrong[:5])) + (", ..." if len(wrong) > 5 else "")
        hint = "; project=True takes the nearest consistent velocities" if off.any() else ""
        raise UsageError(
            f"{batch.example.name()}: initial data that cannot be run, off the constraint or not "
            f"finite, of {len(wrong)} of {batch.members} members ({few}){hint}"
        )
    return state


class _Member(NamedTuple):
    """What a member carries through the loop."""

    varying: Any
    carry: Any
    row: Row
    frame: Any
    good: jax.Array  # steps done without failure


class _Light(NamedTuple):
    """What of it a step reads and changes."""

    carry: Any
    frame: Any
    result: jax.Array
    good: jax.Array


class _Work:
    """The blocks of an ensemble, and how one of them is run."""

    def __init__(self, batch, method, started, h, t0, steps, every, keep, reduce, devices) -> None:
        self.batch, self.method, self.h, self.t0 = batch, method, h, t0
        self.steps, self.every, self.reduce = steps, every, reduce
        self.keeps_rows = keep == "rows"
        found = list(devices) if devices is not None else jax.devices()
        self.on_cpu = found[0].platform == "cpu"
        if self.on_cpu and devices is None:
            found = found[:1] * _cores()
        self.devices = found
        self.block = _block_size(batch.members, self.on_cpu)
        members = _Member(
            batch.varying, started.carry, started.row, started.frame, jnp.zeros(batch.members)
        )
        one = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape[1:], x.dtype), members)
        self.shared_layout = Layout((batch.shared, t0, h))
        self.member_layout = Layout(one)
        self.shared = np.array(self.shared_layout.pack((batch.shared, t0, h)))
        # (numbers of a member, members), padded to whole blocks by copies of the last member
        flat = [np.asarray(x, float).reshape(batch.members, -1).T for x in jax.tree.leaves(members)]
        table = np.concatenate(flat)
        pad = -batch.members % self.block
        self.table = np.concatenate([table, np.repeat(table[:, -1:], pad, axis=1)], axis=1)
        self.row_layout = Layout(_kept(one))
        self.looks = self.keeps_rows or bool(reduce)
        # few sizes of buffer, so that runs of all lengths share compilations
        memory = _ROWS_BYTES["cpu" if self.on_cpu else "gpu"]
        most = memory // (8 * self.row_layout.width * self.block)
        self.rows = min(32 if every >= 16 else 256, 1 << (max(most, 1).bit_length() - 1))
        if not self.looks:
            self.rows = 1

    def prepare(self) -> None:
        def compiled(device):
            return _compiled_block(
                self.shared_layout,
                self.member_layout,
                self.batch.static,
                self.method,
                self.block,
                self.rows,
                device,
            )

        self.programs = {d: compiled(None if self.on_cpu else d) for d in set(self.devices)}
        functions = [
            (name, f) for name, kind in self.reduce.items() for f in _Reducer(kind, 0).observables
        ]
        self._check_numbers(functions)
        made = tuple(f for _, f in functions)
        try:
            self.observe = _compiled_observables(made, self.row_layout)
        except TypeError:  # a method of a system with arrays has no hash
            self.observe = _compiled_observables.__wrapped__(made, self.row_layout)

    def _check_numbers(self, functions: Sequence[tuple[str, Observable]]) -> None:
        row = self.row_layout.example()[0]
        for name, f in functions:
            try:
                found = jax.eval_shape(f, row.q, row.v)
            except TypeError as error:
                raise UsageError(
                    f"reduce[{name!r}]: an observable takes (q, v): {error}"
                ) from error
            if jax.tree.structure(found) != jax.tree.structure(0.0) or found.shape:
                told = getattr(found, "shape", type(found).__name__)
                raise UsageError(f"reduce[{name!r}]: an observable is one number, got {told}")

    def run(self, progress: bool | None) -> list[Any]:
        starts = range(0, self.table.shape[1], self.block)
        done = [0] * len(starts)
        with Progress(progress, self.steps * len(starts)) as bar:
            with concurrent.futures.ThreadPoolExecutor(len(self.devices)) as pool:
                free = list(self.devices)

                def work(i: int) -> Any:
                    device = free.pop()
                    try:
                        with jax.default_device(device):
                            return self._run_block(starts[i], device, lambda k: _set(done, i, k))
                    finally:
                        free.append(device)

                futures = [pool.submit(work, i) for i in range(len(starts))]
                try:
                    while True:
                        _, waiting = concurrent.futures.wait(futures, timeout=0.2)
                        bar.update(sum(done))
                        if not waiting:
                            break
                except BaseException:
                    self.cancelled = True
                    pool.shutdown(cancel_futures=True)
                    raise
        return [f.result() for f in futures]

    cancelled = False

    @functools.cached_property
    def _kept_part(self) -> np.ndarray:
        """Which numbers of a member make its row."""
        numbered = self.member_layout.unpack(np.arange(self.member_layout.width, dtype=float))
        leaves = jax.tree.leaves(_kept(numbered))
        return np.concatenate([np.ravel(x) for x in leaves]).astype(int)

    def _run_block(self, first: int, device: Any, told: Callable[[int], None]) -> Any:
        numbers = self.table[:, first : first + self.block]
        reducers = {name: _Reducer(kind, first) for name, kind in self.reduce.items()}
        kept = []
        inside = np.arange(first, first + self.block) < self.batch.members

        def look(k: np.ndarray, buffer: np.ndarray) -> None:
            rows = buffer[: len(k)]
            if self.keeps_rows:
                kept.append(rows)
            if reducers:
                good = self.row_layout.unpack(np.moveaxis(rows, 1, 2))[0].result == OK
                # of the whole buffer, whatever is in it, for its shape is compiled already
                values = [np.asarray(x)[: len(k)] for x in self.observe(buffer)]
                t = float(self.t0) + k * float(self.h)
                for reducer in reducers.values():
                    mine, values = values[: (n := len(reducer.observables))], values[n:]
                    reducer.feed(t, mine, good & inside)

        if self.looks:
            start = numbers[self._kept_part][None]
            look(np.array([0]), np.repeat(start, self.rows, axis=0))
        k, pace = 0, 1024
        while k < self.steps:
            if self.cancelled:
                raise KeyboardInterrupt
            begin = time.perf_counter()
            # whole rows, and a last one that may be shorter; a row that takes long in parts, so
            # that the run can be interrupted
            interval = min(self.every - k % self.every, self.steps - k)
            count, part = 1, pace // 1024 * 1024 + 1
            if interval > part:
                interval = part
            elif interval == self.every and self.looks:
                count = max(min(self.rows, (self.steps - k) // interval, pace // interval), 1)
            at_row = (k + interval) % self.every == 0 or k + interval == self.steps
            counts = (np.float64(x) for x in (k, interval, count))
            out = self.programs[device](self.shared, numbers, *counts)
            width = self.row_layout.width
            numbers = out[self.rows * width :]
            if self.looks and at_row:
                buffer = np.asarray(out[: self.rows * width]).reshape(-1, width, self.block)
                look(k + interval * np.arange(1, count + 1), buffer)
            else:
                jax.block_until_ready(numbers)
            k += interval * count
            told(k)
            spent = max(time.perf_counter() - begin, 1e-6)
            pace = int(min(max(interval * count * _CALL_SECONDS / spent, 1024), 1 << 40))
        if not self.keeps_rows:
            kept = [np.asarray(numbers)[self._kept_part][None]]
        return np.concatenate(kept), reducers

    def gathered(self, blocks: list[Any], meta: Meta) -> Ensemble:
        n = self.batch.members
        rows = np.concatenate([rows for rows, _ in blocks], axis=2)[:, :, :n]
        row, frame, good = self.row_layout.unpack(np.transpose(rows, (2, 0, 1)))
        k = np.array([self.steps])
        if self.keeps_rows:
            k = np.minimum(np.arange(len(rows)) * self.every, self.steps)
        failed = row.result != OK

        def keep(x: np.ndarray) -> np.ndarray:
            return np.where(failed.reshape(failed.shape + (1,) * (x.ndim - 2)), np.nan, x)

        reduced = {
            name: _combined(kind, [reducers[name] for _, reducers in blocks], n)
            for name, kind in self.reduce.items()
        }
        frame = frame if self.batch.example.groupoid.group.dim else None
        return Ensemble(
            t=float(self.t0) + k * float(self.h),
            q=jax.tree.map(keep, row.q),
            v=keep(row.v),
            p=keep(row.p),
            multiplier=keep(row.multiplier),
            frame=jax.tree.map(keep, frame),
            residual=keep(row.residual),
            result=row.result[:, -1],
            steps_done=good[:, -1].astype(int),
            reduced=reduced,
            meta=meta,
        )


def _block_size(members: int, on_cpu: bool) -> int:
    """Whole vectors of the processor always, so that no member is treated apart."""
    if on_cpu:
        return min(_CPU_BLOCK, max(8, 1 << (members - 1).bit_length()))
    return min(_GPU_BLOCK, -(-members // 256) * 256)


def _set(values: list[int], i: int, value: int) -> None:
    values[i] = value


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


@functools.lru_cache(maxsize=64)
def _compiled_observables(functions: tuple[Observable, ...], kept: Layout):
    """Rows (row, number, member) of a block -> each observable as (row, member)."""

    @jax.jit
    def observe(rows):
        row, _, _ = kept.unpack(jnp.moveaxis(rows, 1, 2))
        return [jax.vmap(jax.vmap(f))(row.q, row.v) for f in functions]

    return observe


@functools.lru_cache(maxsize=64)
def _compiled_block(shared: Layout, member: Layout, static, method, block: int, rows: int, device):
    """(shared, numbers, first step, steps of a row, number of rows) -> rows, then the state."""

    def step(given, k, varying, light: _Light) -> tuple[_Light, Row]:
        dynamic, t0, h = given
        system = eqx.combine(varying, dynamic, static)
        # of the row before, a step looks at the record of failures only
        before = Row(None, None, None, None, jnp.zeros(()), light.result)  # pyright: ignore
        state = State(k, light.carry, before, light.frame, jnp.asarray(False))
        new = one_step(system, method, t0, h, state)
        result = new.row.result
        return _Light(new.carry, new.frame, result, light.good + (result == OK)), new.row

    def light_step(given, k, varying, light: _Light) -> _Light:
        return step(given, k, varying, light)[0]

    def loop(light_step, step, given, members: _Member, k, interval, count):
        axes = (None, None, 0, 0)
        quick, full = jax.vmap(light_step, in_axes=axes), jax.vmap(step, in_axes=axes)
        varying = members.varying

        def advance(k, light, end):
            def some(n, c):
                for _ in range(n):
                    c = c[0] + 1, quick(given, c[0], varying, c[1])
                return c

            # on an accelerator large kernels first, and few questions to the host whether to go on
            c: Any = (k, light)
            for unrolled, loops in ((1, 1),) if device is None else _GPU_LOOPS:
                several = partial(some, unrolled)
                if loops > 1:
                    several = partial(_repeated, loops, several)
                within = partial(_leaves_room, unrolled * loops, end)
                c = lax.while_loop(within, several, c)
            return c

        def one_row(c):
            k, members, buffer, i = c
            light = _Light(members.carry, members.frame, members.row.result, members.good)
            # the numbers of a row are needed at its end only
            k, light = advance(k, light, k + interval - 1)
            light, row = full(given, k, varying, light)
            members = _Member(varying, light.carry, row, light.frame, light.good)
            return k + 1, members, _write(buffer, i * width, _kept(members)), i + 1

        width = Layout(_kept(member.example())).width
        buffer = jnp.zeros((rows * width + member.width, block))
        k, members, buffer, _ = lax.while_loop(
            lambda c: c[3] < count, one_row, (k, members, buffer, jnp.zeros((), int))
        )
        return _write(buffer, rows * width, members)

    def run(given_numbers, numbers, *counts):
        counts = tuple(x.astype(int) for x in counts)
        given, one = shared.unpack(given_numbers), member.example()
        light = _Light(one.carry, one.frame, one.row.result, one.good)
        try:
            steps = (
                scalarized(f, given, counts[0], one.varying, light) for f in (light_step, step)
            )
            body = partial(loop, *steps)
            if device is None:
                return batched_kernel(body, shared, member, given_numbers, numbers, *counts)
            return body(shared.spread(given_numbers), member.spread(numbers), *counts)
        except Unsupported:
            return loop(light_step, step, given, member.unpack(numbers.T), *counts)

    sizes = [(shared.width,), (member.width, block), (), (), ()]
    shapes = [jax.ShapeDtypeStruct(size, float) for size in sizes]
    if device is None:
        return compile_for_cpu(run, *shapes)
    with jax.default_device(device):
        return jax.jit(run).lower(*shapes).compile()


def _repeated(times: int, f: Callable[[Any], Any], c: Any) -> Any:
    return lax.fori_loop(0, times, lambda _, c: f(c), c)


def _leaves_room(steps: int, end: Any, c: Any) -> Any:
    return c[0] + steps <= end


def _kept(m: _Member) -> Any:
    return m.row, m.frame, m.good


def _write(buffer: jax.Array, i, tree: Any) -> jax.Array:
    """The numbers of the members, a row of the buffer each, from row i on."""
    leaves, block = jax.tree.leaves(tree), buffer.shape[1]
    if all(jnp.ndim(x) == 1 for x in leaves):
        for j, x in enumerate(leaves):
            buffer = lax.dynamic_update_slice(buffer, x.astype(float)[None], (i + j, 0))
        return buffer
    flat = [x.astype(float).reshape(block, -1).T for x in leaves]
    return lax.dynamic_update_slice(buffer, jnp.concatenate(flat), (i, 0))
