"""(system, trajectory) -> series, orders, reversibility, reports.

Series have one value for each row. The parameters of the system are traced, so a sweep over them
compiles once, and `jax.vmap(energy)(systems, trajectories)` goes over an ensemble. Functions that
compare runs call `simulate`; nothing here steps.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from .. import dynamics
from ..errors import UsageError
from ..linalg import MESSAGES, OK
from ..methods import Reference
from ..results import Trajectory
from ..running import simulate, there_and_back
from ..system import Point, System, as_arrays

FLOOR = 1e-12  # errors below it say nothing about an order of convergence
_MOVING = "moving_energy"  # its name among the invariants of a system that knows it

# -- series --------------------------------------------------------------------------------------


def energy(system: System, traj: Trajectory) -> jax.Array:
    """E = p.v - L at every row."""
    return _over_rows(_energy, system, traj)


def energy_error(system: System, traj: Trajectory) -> jax.Array:
    """E_k - E_0; zero for the exact motion only if `dynamics.energy_is_conserved`."""
    return _from_start(energy(system, traj), traj)


def momentum(system: System, traj: Trajectory) -> jax.Array:
    """dL/dv at (q, v) of every row; `traj.p` is what the method itself reports."""
    return _over_rows(_momentum, system, traj)


def constraint_residual(system: System, traj: Trajectory) -> jax.Array:
    """Largest |phi(t, q, v)| of every row, each at its own time; zero without constraints."""
    return _over_rows(_residual, system, traj)


def invariants(system: System, traj: Trajectory) -> dict[str, jax.Array]:
    """The known constants of the motion at every row, by name."""
    known = system.invariants  # with the parameters at hand: some hold for special values only
    series = _over_rows(_invariants, system, traj)
    return {name: series[name] for name in known}


def invariant_drift(system: System, traj: Trajectory) -> dict[str, jax.Array]:
    """I_k - I_0 for every known constant of the motion."""
    return {k: _from_start(x, traj) for k, x in invariants(system, traj).items()}


@dataclasses.dataclass(frozen=True)
class KeptEnergy:
    """The energy to judge a run by; `kept` says whether the exact motion keeps it."""

    name: str  # "energy" or "moving energy"
    kept: bool
    function: Callable[..., jax.Array]  # of (system, t, q, v)

    def series(self, system: System, traj: Trajectory) -> jax.Array:
        """Its value at every row."""
        return _over_rows(self.function, system, traj)

    def error(self, system: System, traj: Trajectory) -> jax.Array:
        """Its change since the first row."""
        return _from_start(self.series(system, traj), traj)


def kept_energy(system: System, q: Point = None, t: float = 0.0) -> KeptEnergy:
    """The energy that the exact motion keeps: E, or a moving energy, or E that is not kept.

    Affine constraints do work. Then E - <p, Y> is kept for a symmetry Y of L with A Y = b: one
    that the system lists among its invariants as "moving_energy", or one found by
    `geometry.moving_energy` from the symmetries that it declares, near q (default: the initial
    data).
    """
    if dynamics.energy_is_conserved(system):
        return KeptEnergy("energy", True, _energy)
    if _MOVING in system.invariants:
        return KeptEnergy("moving energy", True, _listed_moving_energy)
    affine = system.has_offset and not (system.has_force or system.is_nonlinear)
    if affine and system.symmetry_generators:
        from .. import geometry  # most runs need none of it

        try:
            states = geometry.sample_states(system, q, t=t)
            found = geometry.moving_energy(system, states=states, t=t)
        except UsageError:
            pass  # no symmetry moves with the constraint
        else:
            return KeptEnergy("moving energy", True, _MovingEnergy(found.symmetry, found.xi))
    return KeptEnergy("energy", False, _energy)


def path(system: System, traj: Trajectory) -> jax.Array:
    """The points (x, y) that a picture of the motion shows; shape (rows, 2)."""
    return _over_rows(_path, system, traj)


def _energy(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return dynamics.energy(system, q, v)


def _listed_moving_energy(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return system.invariants[_MOVING](q, v)


@dataclasses.dataclass(frozen=True)  # hashable: equal ones share a compilation
class _MovingEnergy:
    symmetry: Any
    xi: tuple[float, ...]

    def __call__(self, system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        from ..geometry.momentum import moved_energy

        return moved_energy(system, self.symmetry, self.xi, q, v)


def _momentum(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return dynamics.momentum(system, q, v)


def _residual(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return jnp.max(jnp.abs(dynamics.constraint_residual(system, q, v, t)), initial=0.0)


def _invariants(system: System, t: jax.Array, q: Point, v: jax.Array) -> dict[str, jax.Array]:
    return {name: jnp.asarray(f(q, v)) for name, f in system.invariants.items()}


def _path(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return system.path(q)


@dataclasses.dataclass(frozen=True)
class _Scales:
    """How large a quantity is before its terms cancel: sum_i |x_i dI/dx_i| over q and v.

    A relative error e in every number of the state changes the quantity by up to e times this,
    so it tells round-off from drift also for a quantity whose value is zero.
    """

    energy: Callable[..., jax.Array]

    def __call__(
        self, system: System, t: jax.Array, q: Point, v: jax.Array
    ) -> dict[str, jax.Array]:
        flat, unravel = ravel_pytree((q, v))

        def scale(f: Callable[..., jax.Array]) -> jax.Array:
            jacobian = jax.jacrev(lambda x: jnp.ravel(f(system, t, *unravel(x))))(flat)
            return jnp.max(jnp.sum(jnp.abs(jacobian * flat[None, :]), axis=1), initial=0.0)

        def all_residuals(system, t, q, v):
            return dynamics.constraint_residual(system, q, v, t)

        named = {"energy": scale(self.energy), "constraint": scale(all_residuals)}
        for name in system.invariants:
            named[f"invariant {name}"] = scale(lambda *a, name=name: _invariants(*a)[name])
        return named


def _over_rows(function: Callable[..., Any], system: System, traj: Trajectory) -> Any:
    if traj.v.ndim < 2:  # a single row
        traj = jax.tree.map(lambda x: x[None], traj)
        return jax.tree.map(lambda x: x[0], _over_rows(function, system, traj))
    parameters, static = as_arrays(system)
    t = jnp.broadcast_to(traj.t, traj.v.shape[:-1])
    return _mapped(function, parameters, static, t, traj.q, traj.v)


@eqx.filter_jit
def _mapped(function, parameters, static, t, q, v):
    system = eqx.combine(parameters, static)

    def at(t: jax.Array, q: Point, v: jax.Array) -> Any:
        return function(system, t, q, v)

    for _ in range(v.ndim - 1):  # time, and the axes of an ensemble
        at = jax.vmap(at)
    return at(t, q, v)


def _from_start(series: jax.Array, traj: Trajectory) -> jax.Array:
    axis = traj.v.ndim - 2
    return series - jax.lax.slice_in_dim(series, 0, 1, axis=axis)


# -- report --------------------------------------------------------------------------------------


def round_off(steps: int) -> float:
    """Relative size up to which a drift over so many steps is put down to round-off.

    A random walk of 1e-13 a step (Newton iterations stop a little above the last digit), and not
    less than 1e-12.
    """
    return 1e-13 * max(10.0, math.sqrt(steps))


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of a report; the verdict is empty where none can be given."""

    quantity: str
    expected: str
    measured: float
    verdict: str = ""


@dataclasses.dataclass(frozen=True, repr=False)
class Report:
    """What a run kept and what it did not; `str` and the prompt show it as a table.

    `tolerance` is the relative size that the verdict "round-off" stands for.
    """

    title: str
    rows: tuple[Row, ...]
    tolerance: float

    def __getitem__(self, quantity: str) -> Row:
        """The row of a quantity, by the name in the first column."""
        for row in self.rows:
            if row.quantity == quantity:
                return row
        known = ", ".join(row.quantity for row in self.rows)
        raise KeyError(f"no '{quantity}' in the report; it has {known}")

    def __str__(self) -> str:
        table = [("quantity", "should be", "measured", "verdict")]
        for row in self.rows:
            exact = isinstance(row.measured, int)
            number = str(row.measured) if exact else f"{row.measured:.2e}"
            table.append((row.quantity, row.expected, number, row.verdict))
        widths = [max(len(line[i]) for line in table) for i in range(3)]
        lines = [self.title, ""]
        for a, b, c, d in table:
            line = f"  {a:<{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}  {d}"
            lines.append(line.rstrip())
        note = f"round-off: below {self.tolerance:.1e} of the terms that cancel; an error of the"
        return "\n".join([*lines, "", f"  {note}", "  method smaller than that looks the same"])

    __repr__ = __str__


def report(system: System, traj: Trajectory, file: IO[str] | None = None) -> Report:
    """What the run kept: constraint, energy, known constants, and how the solver did.

    With affine constraints the moving energy stands for the energy where one is known.
    The result shows itself as a table at a prompt and in a notebook; with `file` (`sys.stdout`,
    say) it is written there too.
    """
    if traj.v.ndim != 2:
        raise UsageError("a report is about one trajectory: take one member of the ensemble")
    first = jax.tree.map(lambda x: x[0], traj.q)
    judged = kept_energy(system, first, float(traj.t[0]))
    sizes = _over_rows(_Scales(judged.function), system, traj)
    scales = {k: _largest(x, 0.0) for k, x in sizes.items()}
    tolerance = round_off(max(traj.meta.steps, len(traj)))

    def row(quantity: str, error: Any, scale: float, expected: str = "0") -> Row:
        measured = _largest(error)
        if measured <= tolerance * scale:  # also for an error of zero; false for a NaN
            return Row(quantity, expected, measured, "round-off")
        share = f", {measured / scale:.1e} of the terms" if scale > 0 else ""
        return Row(quantity, expected, measured, f"above round-off{share}")

    rows = []
    if system.is_constrained:
        residual = constraint_residual(system, traj)
        rows.append(row("constraint residual, max", residual, scales["constraint"]))
    change = judged.error(system, traj)
    if judged.kept:
        name = f"{judged.name} error, max"
        rows.append(row(name, change, scales["energy"], "0 (exact motion)"))
    else:
        words = "not conserved: affine constraint or force"
        rows.append(Row("energy change, max", "not 0 in general", _largest(change), words))
    for name, drift in invariant_drift(system, traj).items():
        if not judged.kept or name != judged.name.replace(" ", "_"):  # it has its line already
            expected = "0 (exact motion)"
            rows.append(row(f"drift of {name}, max", drift, scales[f"invariant {name}"], expected))
    rows.append(Row("Newton residual, max", "small", _largest(traj.residual)))
    codes = np.asarray(traj.result)
    failed = np.flatnonzero(codes != OK)
    words = "ok"
    if failed.size:
        words = f"first at row {failed[0]}: {MESSAGES.get(int(codes[failed[0]]), 'unknown code')}"
    rows.append(Row("failed rows", "0", int(failed.size), words))
    bad = int(np.sum(~np.isfinite(np.asarray(traj.v)).all(axis=1)))
    if bad:
        rows.append(Row("rows that are not finite", "0", bad, "failed"))
    made = Report(_title(traj), tuple(rows), tolerance)
    if file is not None:
        print(made, file=file)
    return made


def _title(traj: Trajectory) -> str:
    meta = traj.meta
    start, end = float(traj.t[0]), float(traj.t[-1])
    name = ", ".join(x for x in (meta.system, meta.method) if x) or "trajectory"
    text = f"{name}: h = {meta.h:g}, t = {start:g} .. {end:g}, {len(traj)} rows"
    return f"{text}, {meta.wall_s:.2g} s" if meta.wall_s else text


def _largest(series: Any, otherwise: float = math.nan) -> float:
    """Largest magnitude; a NaN in it stays one unless `otherwise` says what to take for it."""
    array = np.abs(np.asarray(series))
    if array.size == 0:
        return 0.0
    if math.isnan(otherwise):
        return float(np.max(array))
    return float(np.max(np.where(np.isfinite(array), array, otherwise)))


# -- orders and reversibility --------------------------------------------------------------------


def fit_order(hs: Sequence[float], errors: Sequence[float], *, floor: float = FLOOR) -> float:
    """Slope of log(error) against log(h), by least squares.

    Raises `UsageError` when an error is not above `floor`: there round-off is measured, not order.
    """
    h, e = np.asarray(hs, dtype=float), np.asarray(errors, dtype=float)
    if h.ndim != 1 or h.shape != e.shape or len(np.unique(h)) < 2:
        raise UsageError(
            f"an order needs two step sizes or more and one error for each; got {h.size} step "
            f"sizes and {e.size} errors"
        )
    if not np.all(np.isfinite(e)) or not np.all(np.isfinite(h)) or np.any(h <= 0):
        raise UsageError(f"step sizes must be positive and errors finite; got h={h}, errors={e}")
    if np.any(e <= floor):
        low = ", ".join(f"{x:g} (error {y:.1e})" for x, y in zip(h, e, strict=True) if y <= floor)
        raise UsageError(
            f"no order can be read off errors at the level of round-off, {floor:g}: h = {low}; "
            "take larger steps, or lower `floor`"
        )
    return float(np.polyfit(np.log(h), np.log(e), 1)[0])


def order_of_convergence(
    run: Callable[[float], Mapping[str, Any]],
    hs: Sequence[float],
    reference: Mapping[str, Any] | None = None,
    *,
    floor: float = FLOOR,
) -> dict[str, float]:
    """Order of each quantity that `run(h)` returns by name.

    Without a reference, differences of neighbors are fitted; the step sizes must then be in a
    constant ratio. The order of a quantity that has no error above `floor` is infinite.
    """
    hs = [float(h) for h in hs]
    results = [run(h) for h in hs]
    if reference is None:
        ratios = np.asarray(hs[:-1]) / np.asarray(hs[1:])
        if len(hs) < 3 or not np.allclose(ratios, ratios[0]):
            raise UsageError(
                "without a reference the order needs three step sizes or more in a constant "
                f"ratio; got {hs}"
            )
    slopes = {}
    for name in results[0]:
        if reference is None:
            errors = [distance(a[name], b[name]) for a, b in itertools.pairwise(results)]
        else:
            errors = [distance(a[name], reference[name]) for a in results]
        exact = bool(errors) and max(errors) <= floor
        slopes[name] = math.inf if exact else fit_order(hs[: len(errors)], errors, floor=floor)
    return slopes


def measure_order(
    system: System,
    method: Any,
    q0: Point | None = None,
    v0: jax.Array | None = None,
    *,
    t_end: float,
    hs: Sequence[float],
    t0: float = 0.0,
    reference: tuple[Point, jax.Array] | None = None,
    floor: float = FLOOR,
) -> dict[str, float]:
    """Observed orders of a method at t_end: {"position": ., "velocity": ., "momentum": .}.

    Errors are taken against `reference`, a pair (q, v) at t_end; without one against
    `system.closed_form(t, q0, v0)` where the system has it and t0 is 0, or else against
    `Reference(rtol=1e-12)`. Every h must divide t_end - t0.
    """
    steps = {}
    for h in map(float, hs):
        steps[h] = round((t_end - t0) / h) if h > 0 else 0
        if steps[h] < 1 or not math.isclose(steps[h] * h, t_end - t0, rel_tol=1e-9):
            raise UsageError(f"h = {h:g} does not divide the length of the run, {t_end - t0:g}")

    def run(h: float, using: Any = method) -> dict[str, Any]:
        n = steps[h]
        last = simulate(system, using, q0, v0, h=h, steps=n, t0=t0, save_every=n).final
        return {"position": last.q, "velocity": last.v, "momentum": last.p}

    if reference is None and t0 == 0.0:
        reference = _closed_form(system, t_end, q0, v0)
    if reference is None:
        exact = run(max(steps), Reference(rtol=1e-12))
    else:
        q, v = reference
        exact = {"position": q, "velocity": v, "momentum": dynamics.momentum(system, q, v)}
    return order_of_convergence(run, list(steps), exact, floor=floor)


def _closed_form(system: System, t: float, q0: Point | None, v0: Any) -> Any:
    """The closed form at t, or None where the system has none for these data."""
    function = getattr(system, "closed_form", None)
    if function is None:
        return None
    if q0 is not None and len(inspect.signature(function).parameters) < 3:
        return None  # one for the default data only
    try:
        return function(t) if q0 is None else function(t, q0, v0)
    except UsageError:
        return None  # known for some parameters only


def reversibility_defect(
    system: System,
    method: Any,
    q0: Point | None = None,
    v0: jax.Array | None = None,
    *,
    h: float,
    steps: int,
) -> float:
    """How far a run ends from its start when it goes forward, turns round and goes back.

    The largest difference in q and v; the method's own state is reversed, so that a reversible
    method returns to round-off. Only for systems reversible under v -> -v themselves: a
    right-hand side of the constraint, a force or a term of the Lagrangian linear in v break
    that, and are refused.
    """
    for broken, what in (
        (system.has_offset, "its constraint has a right-hand side"),
        (system.has_force, "a force acts on it"),
    ):
        if broken:
            raise UsageError(f"{system.name()} is not reversible under v -> -v: {what}")
    if q0 is None or v0 is None:
        q0, v0 = system.initial()
    v0 = jnp.asarray(v0, dtype=float)
    if distance(dynamics.momentum(system, q0, -v0), -dynamics.momentum(system, q0, v0)) > 1e-10:
        raise UsageError(
            f"{system.name()} is not reversible under v -> -v: its Lagrangian has a term "
            "linear in v"
        )
    q, v = there_and_back(system, method, q0, v0, h=h, steps=steps)
    return max(distance(q, q0), distance(v, v0))


@dataclasses.dataclass(frozen=True)
class Circle:
    """The circle nearest to some points, and the largest distance of one of them from it."""

    center: tuple[float, float]
    radius: float
    deviation: float


def fit_circle(xy: Any) -> Circle:
    """Fit |z|^2 = 2 c.z + const to the points (rows, 2) by least squares."""
    xy = np.asarray(xy, dtype=float)
    columns = np.column_stack([2 * xy, np.ones(len(xy))])
    a, b, c = np.linalg.lstsq(columns, np.sum(xy**2, axis=1), rcond=None)[0]
    radius = math.sqrt(c + a * a + b * b)
    apart = np.hypot(xy[:, 0] - a, xy[:, 1] - b) - radius
    return Circle((float(a), float(b)), radius, float(np.max(np.abs(apart))))


def distance(a: Any, b: Any) -> float:
    """Largest difference between the entries of two points, velocities or trees of them.

    On a matrix group this is the largest difference of matrix entries.
    """
    flat_a, flat_b = (np.asarray(ravel_pytree(x)[0], dtype=float) for x in (a, b))
    if flat_a.shape != flat_b.shape:
        raise UsageError(f"cannot compare {flat_a.size} numbers with {flat_b.size}")
    return float(np.max(np.abs(flat_a - flat_b), initial=0.0))
