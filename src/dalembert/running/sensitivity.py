"""Derivatives of a motion with respect to initial data and parameters; Lyapunov exponents.

Taylor's method integrates the variational equations together with the motion, to the same order.
The result is the derivative of the motion, not of a method. A point changes by eta, in the fibre of
v (q^-1 dq on a group, dq on R^n), a velocity by w = eta' + [v, eta]:

    eta' = w - [v, eta],    w' = the derivative of the acceleration along (eta, w) and parameters.

For a reduced system eta also has a part for the reconstructed frame.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..compile.cache.code_key import CodeKey
from ..compile.cache.registry import cached
from ..compile.function import Function
from ..compile.ir.record import record
from ..compile.ir.tape import Unsupported
from ..compile.layout import Layout, Tree
from ..compile.taylor.taylor_kernel import BY_STATE, WELL, Parts, TaylorKernel, control
from ..compile.tracing import recording_once
from ..errors import SimulationError, UsageError
from ..events import named_events
from ..events.locate import GRAZES
from ..groupoids import Pair, move
from ..methods.taylor import Taylor, TaylorNode, element_field, landed
from ..request.prepare import Plan, Prepared, prepare
from ..request.validate import Given, Parameters, check_objects, check_span, own_start
from ..system import Point, System
from .api.simulate import simulate
from .programs.taylor_kernels import code_for, taken_by_choice
from .record.sinks import Final

# The search for jumps: the tolerance of its steps, the most numbers in the records of a call, and
# the relative error of the polynomial's rate at the end of a step above which the rate jumps. (A
# kink adds an error of a few times the change of the rate in the step, which is allowed.)
_FINE, _NUMBERS, _JUMP = 1e-12, 2**18, 1e-6


class Sensitivities(NamedTuple):
    """The end of a motion, and the derivatives of (q, v) there, rows of q first.

    Derivatives of q are in the fibre of v: q^-1 dq on a group, dq on R^n. For a reduced system
    those of the reconstructed `frame` follow, frame^-1 dframe.
    """

    t: float
    q: Point
    v: np.ndarray
    initial: np.ndarray  # (2n, 2n), with respect to (q0, v0); v0 is projected onto the constraint
    parameters: Mapping[str, np.ndarray]  # (2n, ...), with respect to each
    frame: Point = None
    events: tuple[EventSensitivities, ...] = ()  # in the order of time


class EventSensitivities(NamedTuple):
    """An event of a motion, with the derivatives of its time and of (q, v) at the event.

    `angle` is the sine of the angle between motion and surface: the rate of the event function
    divided by the sum of its terms. These derivatives do not exist if the motion grazes the
    surface.
    """

    name: str
    t: float
    q: Point
    v: np.ndarray
    time: np.ndarray  # (2n,), with respect to (q0, v0)
    initial: np.ndarray  # (2n, 2n), of (q, v) at the event
    time_parameters: Mapping[str, np.ndarray]  # (...), with respect to each
    parameters: Mapping[str, np.ndarray]  # (2n, ...)
    angle: float
    frame: Point = None


class _Node(NamedTuple):
    """A `methods.taylor.TaylorNode` with the columns S of derivatives added."""

    q: Point
    t: Tree
    lost: Tree
    h: Tree
    part: Tree
    S: Tree  # (columns, 2n)
    v: Tree
    v_lost: Tree
    frame: Tree

    def without(self) -> TaylorNode:
        """Return the node of the motion alone, without S."""
        return TaylorNode(
            self.q, self.t, self.lost, self.h, self.part, self.v, self.v_lost, self.frame
        )


class _Flow:
    """The motion of a prepared run together with columns of derivatives."""

    def __init__(self, prepared: Prepared, directions: Tree, columns: int) -> None:
        """Prepare the flow; `directions` are changes of the parameters, one row for each column."""
        self.prepared, self.columns = prepared, columns
        self.method: Given = prepared.method  # a `Taylor`
        self.shared = prepared.plan.parameters.pack_numpy(prepared.dynamic)
        self.directions = directions
        code = prepared.plan.codes[0]
        self.kernel, self.node = _kernel(
            prepared.plan, code, self.method.degree, columns, directions
        )

    def go(self, q: Point, v: np.ndarray, S: np.ndarray, t0: float, t: float) -> _Node:
        """Integrate motion and columns from t0 to t; return the node there."""
        zero = np.zeros(())
        begin = self.prepared.state.carry  # its part is a unit
        node = _Node(q, np.asarray(t0), zero, zero, begin.part, S, v, np.zeros(len(v)), begin.frame)
        shape, method = self.kernel.shape, self.method
        # Two records take turns; only the last node is wanted.
        records = np.zeros((2, shape.record))
        records[0, : shape.node] = self.node.pack_numpy(node)
        # The same steering as a plain run, so the motion has the same steps and digits.
        steer = control(method.local_tol, method.degree, (t0, t), method.looks)
        count = self.kernel(self.shared, records, steer, keep=False)
        result = self.node.unpack(records[count % 2, : shape.node].copy())
        # Derivatives grow faster than the motion, and may overflow first.
        if steer[4] != WELL or not np.all(np.isfinite(result.S)):
            raise SimulationError(
                f"{self.prepared.system.name()}: the motion, or its derivatives, cannot be "
                f"followed behind t = {float(result.t):g}",
                time=float(result.t),
            )
        return result


@cached(maxsize=32)
def _kernel(
    plan: Plan, code: CodeKey[Any], order: int, columns: int, directions: Tree
) -> tuple[TaylorKernel, Layout]:
    parameters = plan.parameters.example()
    like: TaylorNode = plan.state.example().carry
    n, zero = like.v.shape[0], like.t
    S = np.zeros((columns, 2 * n))
    node = _Node(like.q, zero, zero, zero, like.part, S, like.v, like.v, like.frame)

    def at(dynamic: Parameters) -> System:
        return eqx.combine(dynamic, plan.static)

    def changes(dynamic: Parameters) -> Tree:
        """Return the changes of the parameters, one row for each column."""
        leaves, tree = jax.tree.flatten(dynamic)
        # One unit direction for each parameter that was asked for; all other leaves do not
        # change.
        rows = [jnp.zeros((columns, *np.shape(x)), dtype=x.dtype) for x in leaves]
        for column, leaf, place in directions:
            rows[leaf] = rows[leaf].at[(column, *place)].set(1.0)
        return jax.tree.unflatten(tree, rows)

    def along(f: Any, S: Tree, dynamic: Parameters, v: Tree) -> Tree:
        """Return the derivative of f(y, v, parameters) along each column, at y = 0."""

        # Differentiated by y in the Lie algebra at q: on a group the result is q^-1 dq.
        def one(s: Tree, d: Tree) -> Tree:
            return jax.jvp(f, (jnp.zeros(n), v, dynamic), (s[:n], s[n:], d))[1]

        return jax.vmap(one)(S, changes(dynamic))

    def field(constants: Tree, moving: Tree) -> Tree:
        (dynamic, start), ((part, S, v), t) = constants, moving
        system = at(dynamic)
        groupoid = system.groupoid
        q = groupoid.target(groupoid.arrow(start, part))

        def acceleration(y, v, dynamic):
            return dynamics.acceleration(at(dynamic), move(groupoid, q, y), v, t)

        rate, a = element_field(system, start, t, (part, v))
        eta, w = S[:, :n], S[:, n:]
        # eta' = w - [eta, v]: the change of q in the body frame turns with the body.
        dS = [w - eta @ groupoid.ad(q, v).T, along(acceleration, S, dynamic, v)]
        return rate, jnp.concatenate(dS, axis=1), a

    def land(given: Tree) -> Tree:
        dynamic, node, t, (dpart, dS, dv) = given
        new = landed(at(dynamic), node.without(), t, (dpart, dv))
        S = node.S + dS
        if at(dynamic).is_constrained:
            v = node.v + (node.v_lost + dv)

            # Three iterations, because the guess is a node of the motion: Newton converges
            # quadratically.
            def ended(y, v, dynamic):
                return jnp.concatenate(_consistent(at(dynamic), new.q, y, v, t, iterations=3))

            S = along(ended, S, dynamic, v)
        return new.q, (new.part, S, new.v, new.v_lost, new.frame)

    def make() -> Parts:
        # The columns enter the series together with the motion, and share its step sizes.
        x = (node.part, S, node.v)
        try:
            rates = record(field, (parameters, node.q), (x, zero))
            landing = record(land, (parameters, node, zero, x))
        finally:
            plan.settle()
        point = Layout(node.q).width
        rest = Layout(node).width - point - 3
        return Parts(rates, landing, plan.parameters.width, point, rest, n)

    return TaylorKernel(make, order), Layout(node)


def _flow(
    system: System,
    method: Given,
    q0: Point,
    v0: Given,
    t0: float,
    t: Tree,
    directions: Tree,
    columns: int,
) -> _Flow:
    if method is None:
        method = Taylor()
    if not isinstance(method, Taylor):
        raise UsageError(
            "sensitivities are derivatives of the exact motion, computed by Taylor(tol), not by "
            f"{method!r}"
        )
    check_objects(system, method)
    if system.has_holonomic and not isinstance(system.groupoid, Pair):
        # The projection would have to be differentiated in the reduced space.
        raise UsageError(
            f"{system.name()}: sensitivities of a reduced system with holonomic functions are not "
            "available; differentiate simulate(..., Gauss(4)) by jax.jacfwd instead"
        )
    span = check_span(t, t0)
    q0, v0 = (q0, v0) if q0 is not None else own_start(system)
    prepared = prepare(system, method, q0, v0, None, span, t0, False)
    if taken_by_choice(prepared.plan) is not None:
        raise UsageError(
            f"{system.name()}: its constraint chooses between branches, where velocities may "
            "jump: estimate derivatives by differences of runs"
        )
    try:
        flow = _Flow(prepared, directions, columns)
    except Unsupported as error:
        raise UsageError(f"{system.name()}: taylor has no rule for {error}") from None
    # Branches that depend on time only are harmless: when they change does not depend on the start.
    if flow.kernel.shape.choices == BY_STATE:
        _refuse_jumps(prepared, float(t0), float(t))
    return flow


def _refuse_jumps(prepared: Prepared, t0: float, t: float) -> None:
    """Raise if a force jumps at a time that depends on the state.

    The time of the jump then has a derivative too, which is not computed here.
    """
    code, method = code_for(prepared.plan), prepared.method
    assert isinstance(method, Taylor)
    shape, shared = code.shape, prepared.plan.parameters.pack_numpy(prepared.dynamic)
    carry: TaylorNode = prepared.state.carry
    node, n = code.node.pack_numpy(carry), len(carry.v)
    records = np.zeros((1 + max(_NUMBERS // shape.record, 1), shape.record))
    k = np.arange(1, shape.order + 1)[:, None]
    steer, end = np.zeros(0), t0
    while end < t and (not len(steer) or steer[4] == WELL):
        records[0, : shape.node] = node
        # A finer tolerance than the run's, so that jumps stand out from the error of a step.
        tol = min(method.local_tol, _FINE)
        steer = control(tol, method.degree, (t0, t), method.looks)
        count = code.kernel(shared, records, steer, keep=True)
        begin, _, h = (x[: count + 1] for x in shape.times(records))
        c = shape.coefficients(records[: count + 1])[:, :, -n:]
        # The rate at the end of a step, by its polynomial; the next node has the rate itself.
        slope = np.sum(k * c[:-1, 1:] * h[:-1, None, None] ** (k - 1), axis=1)
        rate, change = (np.abs(c[:, j]).max(axis=1) for j in (1, 2))
        rate, change = (x[:-1] + x[1:] for x in (rate, change))
        off = np.abs(slope - c[1:, 1]).max(axis=1)
        # 8 h change: what a smooth rate can change within a step; a jump exceeds it.
        for i in np.flatnonzero(off > _JUMP * rate + 8.0 * h[:-1] * change)[:1]:
            raise SimulationError(
                f"{prepared.system.name()}: its force jumps at t = {begin[i + 1]:g}, so that "
                "derivatives of the motion do not follow from those of the force; estimate them by "
                "differences of runs",
                time=float(begin[i + 1]),
            )
        node, end = records[count, : shape.node].copy(), float(begin[-1])


@recording_once()
def sensitivities(
    system: System,
    q0: Point = None,
    v0: Given = None,
    *,
    t: float,
    t0: float = 0.0,
    parameters: Sequence[str] = (),
    method: Taylor | None = None,
    events: Mapping[str, Given] | None = None,
    **hybrid: Given,
) -> Any:
    """Return the derivatives of q(t) and v(t) with respect to q0, v0 and parameters.

        found = da.sensitivities(sleigh, q0, v0, t=5.0, parameters=("a",))
        found.initial           # (2n, 2n): d(q, v)/d(q0, v0)
        found.parameters["a"]   # (2n,): d(q, v)/da

    They are integrated by the variational equations, to the accuracy of `method` (`Taylor(1e-15)`
    by default). A change of v0 is projected onto the constraint at q0, as by
    `simulate(project=True)`. On a group q changes by q^-1 dq, at the start and at the end; see
    `Sensitivities`. After a kink of the force (`abs`, `max`) the derivatives have half of the
    digits. A force that jumps raises an error, unless the jump depends on time only.

    `events` are those of `simulate`: `found.events` has each with the derivatives of its time and
    of the state there. `Event(g, terminal=True)` ends the motion, so that `initial` is the
    derivative of the state at that event. If the motion grazes the surface g = 0, these derivatives
    do not exist: a `SimulationError` names the angle.

    For `hybrid.Modes` this calls `hybrid.sensitivities(modes, mode, q0, v0, ...)`, through all
    jumps, with the arguments of `hybrid.flow`: `mode`, `h` or `steps`, `until`.
    """
    if isinstance(system, Differentiated):
        if events is not None or parameters or isinstance(method, Taylor):
            raise UsageError(
                "sensitivities of hybrid runs: `until` is the event that ends the run, all "
                "parameters are differentiated, and methods are those of hybrid.flow"
            )
        how = hybrid if method is None else {**hybrid, "method": method}
        return system.sensitivities(q0, v0, t=t, t0=t0, **how)
    if hybrid:
        raise UsageError(f"sensitivities of a system has no argument '{next(iter(hybrid))}'")
    names = _places(system, parameters)
    n = system.dim
    # Columns: first the 2n of (q0, v0), then those of parameters.
    directions, column = [], 2 * n
    for _, leaf, shape in names:
        for place in np.ndindex(*shape):
            directions.append((column, leaf, place))
            column += 1
    flow = _flow(system, method, q0, v0, t0, t, tuple(directions), column)
    row: Tree = flow.prepared.state.row
    q, v = row.q, np.asarray(row.v)
    # The identity: each column is the derivative with respect to one entry.
    S = np.zeros((column, 2 * n))
    S[: 2 * n] = np.eye(2 * n)
    # v0 is projected at the start, and its derivatives have to be as well.
    S = _at_start(flow, q, v, S)
    if events is not None:
        return _until_events(system, flow, (q, v, S), (float(t0), float(t)), events, names)
    end = flow.go(q, v, S, float(t0), float(t))
    frame = end.frame if system.groupoid.group.dim else None
    initial = end.S[: 2 * n].T.copy()
    return Sensitivities(float(end.t), end.q, end.v, initial, _by_name(end.S, names), frame)


@runtime_checkable
class Differentiated(Protocol):
    """Protocol of non-systems, such as hybrid systems, that `sensitivities` accepts."""

    def sensitivities(self, q0: Point, v0: Given, **options: Any) -> Any:
        """Return the derivatives of the end of a run."""
        ...


def _by_name(S: np.ndarray, names: list[Tree]) -> dict[str, np.ndarray]:
    """Return the derivatives by each parameter: the columns of S after those of (q0, v0)."""
    result, at = {}, S.shape[1]
    for name, _, shape in names:
        size = int(np.prod(shape, dtype=int))
        result[name] = S[at : at + size].T.reshape(S.shape[1], *shape)
        at += size
    return result


def _until_events(
    system: System, flow: _Flow, start: Tree, times: Tree, events: Given, names: list[Tree]
) -> Sensitivities:
    """Return the derivatives at each event and at the end, which may be an event."""
    (q, v, S), (t, until), n = start, times, system.dim
    watched = named_events(events, system)
    prepared = flow.prepared
    run = simulate(
        system, prepared.method, q, v, t=until, t0=t, events=watched, save=Final(), progress=False
    )
    assert run.events is not None
    ended = [x for x in watched.values() if x.ends_at is not None]
    last, result = float(run.t[-1]), []
    end = flow.go(q, v, S, t, t) if not len(run.events) and last <= t else None
    for which, when in zip(run.events.which, run.events.t):
        name = run.events.names[int(which)]
        # Events are in the order of time, so the flow continues from one to the next.
        if float(when) > t or end is None:
            end = flow.go(q, v, S, t, float(when)) if float(when) > t else flow.go(q, v, S, t, t)
            q, v, S, t = end.q, end.v, end.S, float(when)
        result.append(_at_event(system, name, watched[name], end, names))
    frame = None
    if result and ended and result[-1].t == last and watched[result[-1].name].ends_at is not None:
        at = result[-1]
        return Sensitivities(at.t, at.q, at.v, at.initial, at.parameters, at.frame, tuple(result))
    end = flow.go(q, v, S, t, until)
    frame = end.frame if system.groupoid.group.dim else None
    initial = end.S[: 2 * n].T.copy()
    named = _by_name(end.S, names)
    return Sensitivities(float(end.t), end.q, end.v, initial, named, frame, tuple(result))


def _at_event(
    system: System, name: str, event: Given, at: _Node, names: list[Tree]
) -> EventSensitivities:
    """Return the derivatives of the time and the state at an event (saltation).

    The time of the event changes by dt = -dg/g', and the state moves on by that time:

    dt = -(g_y eta + g_v w) / g' with g' = g_t + g_y v + g_v a, along each column (eta, w).
    """
    n = system.dim
    t, q, v = (jax.tree.map(jnp.asarray, x) for x in (at.t, at.q, at.v))

    def g(t: Tree, y: Tree, v: Tree) -> Tree:
        return jnp.reshape(jnp.asarray(event.g(t, move(system.groupoid, q, y), v), float), ())

    by_t, by_y, by_v = (np.asarray(x) for x in jax.grad(g, argnums=(0, 1, 2))(t, jnp.zeros(n), v))
    a = np.asarray(dynamics.acceleration(system, q, v, t))
    v = np.asarray(v)
    rate = float(by_t + by_y @ v + by_v @ a)
    terms = abs(by_t) + np.linalg.norm(by_y) * np.linalg.norm(v)
    terms = float(terms + np.linalg.norm(by_v) * np.linalg.norm(a))
    angle = abs(rate) / terms if terms > 0.0 else 0.0
    # Below this angle fewer than four digits of the derivatives are left (`events.locate`).
    if not angle > GRAZES:
        raise SimulationError(
            f"{system.name()}: the motion grazes the surface of event '{name}' at t = "
            f"{float(t):g}: the angle between them is {angle:.2g}, and the time of the event "
            "has no derivative there",
            time=float(t),
        )
    later = -(at.S[:, :n] @ by_y + at.S[:, n:] @ by_v) / rate
    S = at.S + later[:, None] * np.concatenate([v, a])
    by_name = {k: x[0] for k, x in _by_name(np.repeat(later[:, None], 2 * n, 1), names).items()}
    frame = at.frame if system.groupoid.group.dim else None
    return EventSensitivities(
        name, float(t), at.q, v, later[: 2 * n].copy(), S[: 2 * n].T.copy(), by_name,
        _by_name(S, names), angle, frame,
    )  # fmt: skip


def _consistent(
    system: System, origin: Point, y: Tree, v: Tree, t: Tree, iterations: int | None = None
) -> tuple[Tree, Tree]:
    """Project (y, v) onto the holonomic functions and the constraint.

    The point is the end of curve(origin, y).
    v is projected even if it is consistent already, because the derivative must be projected too.
    """
    groupoid = system.groupoid
    q = move(groupoid, origin, y)
    if system.has_holonomic:
        some = {} if iterations is None else {"iterations": iterations}
        q = dynamics.consistent_position(system, q, t, **some)
        y = groupoid.coordinates((origin, q))
    if system.is_constrained:
        # Once is exact for constraints linear in v; Newton needs a second time otherwise.
        for _ in range(2 if system.is_nonlinear else 1):
            result = dynamics.solved(system, q, v, t)
            v = v - result.raised @ dynamics.solve_reactions(system, result.C, result.residual)
    return y, v


def _slopes(plan: Plan) -> Function:
    """Compile the derivatives of the start projection of (y, v), by parameters and (y, v)."""
    like: TaylorNode = plan.state.example().carry
    n = like.v.shape[0]

    def slopes(system: System, x: Tree, q: Point, t: Tree) -> Tree:
        dynamic, static = eqx.partition(system, eqx.is_array)
        leaves, tree = jax.tree.flatten(dynamic)

        def start(leaves: Tree, x: Tree) -> Tree:
            system = eqx.combine(jax.tree.unflatten(tree, leaves), static)
            return jnp.concatenate(_consistent(system, q, x[:n], x[n:], t))

        return jax.jacfwd(start, argnums=(0, 1))(leaves, x)

    return plan.function("derivatives of the start", slopes, np.zeros(2 * n), like.q, np.zeros(()))


def _at_start(flow: _Flow, q: Point, v: np.ndarray, S: np.ndarray) -> np.ndarray:
    """Return the columns projected at the start; the constraint may depend on parameters."""
    prepared = flow.prepared
    x, t = np.concatenate([np.zeros(len(v)), v]), np.asarray(float(prepared.t0))
    by_leaves, by_x = _slopes(prepared.plan)(prepared.dynamic, x, q, t)
    # Chain rule: derivative of the projection, times the columns so far.
    out = S @ np.asarray(by_x).T
    for column, leaf, place in flow.directions:
        # The projection depends on parameters too, if the constraint does.
        out[column] += np.asarray(by_leaves[leaf])[(slice(None), *place)]
    return out


def _places(system: System, parameters: Sequence[str]) -> list[tuple[str, int, tuple[int, ...]]]:
    """Return (name, index of the leaf of the system, its shape) of each parameter."""
    if isinstance(parameters, str):
        parameters = (parameters,)
    leaves = jax.tree_util.tree_flatten_with_path(eqx.filter(system, eqx.is_inexact_array_like))[0]
    names = [system.leaf_name(path) for path, _ in leaves]
    result = []
    for name in parameters:
        if names.count(name) != 1:
            known = ", ".join(sorted({x for x in names if x}))
            raise UsageError(
                f"{system.name()} has no parameter '{name}' that is an array of numbers; known: "
                f"{known}"
            )
        i = names.index(name)
        result.append((name, i, np.shape(leaves[i][1])))
    return result


class Lyapunov(NamedTuple):
    """Lyapunov exponents, the largest first, and their means up to the times t (convergence)."""

    exponents: np.ndarray
    t: np.ndarray
    means: np.ndarray  # (times, exponents)


@recording_once()
def lyapunov(
    system: System,
    q0: Point = None,
    v0: Given = None,
    *,
    t: float,
    t0: float = 0.0,
    count: int = 1,
    every: float = 1.0,
    method: Taylor | None = None,
    seed: int = 0,
) -> Lyapunov:
    """Return the `count` largest Lyapunov exponents along a motion, in 1/s.

    Directions grow by the variational equations and are orthonormalized again after each time
    `every` (Benettin et al. 1980). The exponents are means over a finite time; `means` shows how
    far they have converged. Directions are those of `Sensitivities`, measured entry by entry: on a
    group in the body frame, for a reduced system including its frame.
    """
    n, span = system.dim, check_span(t, t0)
    if not (isinstance(count, int) and 1 <= count <= 2 * n):
        raise UsageError(f"lyapunov: count must be an integer from 1 to {2 * n}, got {count!r}")
    if not 0.0 < every <= span:
        raise UsageError(f"lyapunov: every must be between 0 and {span:g}, got {every!r}")
    flow = _flow(system, method or Taylor(1e-12), q0, v0, t0, t, (), count)
    row: Tree = flow.prepared.state.row
    q, v = row.q, np.asarray(row.v)
    S = _at_start(flow, q, v, np.random.default_rng(seed).standard_normal((count, 2 * n)))
    S, R = _orthonormal(S)
    if not np.all(good := _is_told(R)):
        raise UsageError(
            f"lyapunov: count must be at most {int(np.sum(good))}: the constraint leaves no more "
            f"directions; got {count}"
        )
    # Intervals of equal length near `every`, the last one ending at t.
    times = np.linspace(t0, float(t), max(round(span / every), 1) + 1)
    sums, means = np.zeros(count), []
    for a, b in itertools.pairwise(times):
        end = flow.go(q, v, S, a, b)
        q, v = end.q, end.v
        S, R = _orthonormal(end.S)
        if not np.all(_is_told(R)):
            raise SimulationError(
                f"lyapunov: until t = {b:g} directions have grown apart beyond the precision of "
                f"doubles; take every smaller than {every:g}",
                time=float(b),
            )
        # The diagonal of R has the factors by which directions have grown.
        sums = sums + np.log(np.abs(np.diag(R)))
        means.append(sums / (b - t0))
    return Lyapunov(np.sort(means[-1])[::-1], times[1:], np.array(means))


def _orthonormal(S: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    Q, R = np.linalg.qr(S.T)
    return Q.T.copy(), R


def _is_told(R: np.ndarray) -> np.ndarray:
    """Whether each direction is independent of those before it, beyond round-off."""
    # 1e-10: directions that agree to ten digits are one direction, whose exponent is round-off.
    return np.abs(np.diag(R)) > 1e-10 * np.sqrt(np.sum(R**2, axis=0))


__all__ = ["EventSensitivities", "Lyapunov", "Sensitivities", "lyapunov", "sensitivities"]
