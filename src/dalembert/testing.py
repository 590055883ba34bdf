"""Check your own method or system in the same way as those of the library.

    from dalembert.testing import check_method, check_system
    print(check_method(da.RK4(), transformations=False))  # raises a CheckError with what failed
    print(check_system(da.systems.KnifeEdge(), t=1.0))

Each check compares a measured number with bounds, so that a failure shows by how much it fails.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import dynamics
from .compile.function import Function
from .diagnostics import Check, constraint_residual, distance, fit_order, reversibility_defect
from .errors import DalembertError, UsageError
from .methods import OK, Method, Reference, Row, Traits
from .pages import Table
from .results import Trajectory
from .running import simulate
from .system import Point, System, as_arrays
from .systems import ChaoticQuartic, ChaplyginSleigh

_ROUND_OFF = 1e-10


class CheckError(DalembertError, AssertionError):
    """A claim does not hold; the message is the table of measurements."""


@dataclasses.dataclass(frozen=True)
class Checked:
    """The checks of a method or a system; `str` shows them as a table."""

    subject: str
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether all checks hold."""
        return all(check.holds for check in self.checks)

    def __str__(self) -> str:
        rows = [(c.what, c.measured, c.wanted, "" if c.holds else "FAILS") for c in self.checks]
        return f"{self.subject}\n{Table(('check', 'measured', 'wanted', ''), rows).text()}"

    __repr__ = __str__


def _judged(subject: str, checks: list[Check]) -> Checked:
    result = Checked(subject, tuple(checks))
    if not result.holds:
        raise CheckError(str(result))
    return result


def _true(what: str, fact: object) -> Check:
    return Check(what, float(bool(fact)), 1.0, 1.0)


def _fits(method: Method, system: System) -> bool:
    try:
        method.check(system)
    except UsageError:
        return False
    return True


# -- methods -------------------------------------------------------------------------------------


def check_method(
    method: Method,
    system: System | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    h: float = 0.02,
    steps: int = 10,
    transformations: bool = True,
) -> Checked:
    """Check that a method obeys the protocol, and measure the claims of its traits on one system.

    The checks are: names and traits; the start reports the initial data; a step preserves the
    shapes of its state, advances the time by h and gives the same result traced and on the host;
    the order; reversibility, if symmetry is claimed; a method with `carry="node"` depends on (q, v)
    only; gradients and batches work. The system is by default the Chaplygin sleigh, or a particle
    in a quartic potential if the method does not run the sleigh. Choose `h` and `steps` so that the
    error is above round-off. `transformations=False` skips gradients and batches, which take most
    of the time. For a method that chooses its steps internally (`Traits.sizes` "any"), whole runs
    are checked instead of steps.

    Raises a `CheckError` with the table of measurements if a check fails.
    """
    if not isinstance(method, Method):
        raise UsageError(f"check_method needs a method such as RK4(), got {method!r}")
    if system is None:
        system = next((s for s in (ChaplyginSleigh(), ChaoticQuartic()) if _fits(method, s)), None)
        if system is None:
            raise UsageError(
                f"{method.name} takes neither the sleigh nor the quartic: give a system"
            )
    method.check(system)
    if q0 is None:
        q0, v0 = system.initial()
    q0 = system.groupoid.base.check(q0, "q0")
    v0 = jnp.asarray(v0, dtype=float)
    has_step = method.traits.sizes != "any"
    checks = [
        _true("the name is kebab-case", re.fullmatch(r"[a-z0-9.()]+(-[a-z0-9.()]+)*", method.name)),
        _true("traits are Traits", isinstance(method.traits, Traits)),
        _true("equal copies have equal hashes", _hash_is_stable(method)),
        *(_check_protocol(method, system, q0, v0, h) if has_step else ()),
        *_check_order(method, system, q0, v0, h, steps),
        *_check_symmetry(method, system, q0, v0, h, steps),
        *_check_carry(method, system, q0, v0, h),
        *(
            _check_transformations(method, system, q0, v0, h)
            if transformations and has_step
            else ()
        ),
    ]
    return _judged(f"{method.name} on {system.name()}, h = {h:g}", checks)


def _hash_is_stable(method: Method) -> bool:
    copy = dataclasses.replace(method) if dataclasses.is_dataclass(method) else method
    return copy == method and hash(copy) == hash(method)


def _check_protocol(method: Method, system: System, q, v, h: float) -> list[Check]:
    def both(h):
        t = jnp.asarray(0.5)
        carry, row = method.start(system, t, h, q, v)
        return carry, row, method.step(system, t, h, carry)

    carry, row, advance = Function(both, np.zeros(()))(h)
    shapes = [
        jax.tree.map(lambda x: (jnp.shape(x), jnp.result_type(x)), x)
        for x in (carry, advance.carry)
    ]
    frame = jax.tree.structure(advance.frame) == jax.tree.structure(
        system.groupoid.group.identity()
    )
    rows = isinstance(row, Row) and isinstance(advance.row, Row)
    m = dynamics.constraint_matrix(system, q, v).shape[0]
    return [
        _true("start and step report rows", rows),
        Check("time of the first row", float(row.t), 0.5, 0.5),
        Check("time after a step", float(advance.row.t), *_about(0.5 + h, 1e-15)),
        Check("distance of the first row from q0", distance(row.q, q), high=0.0),
        Check("distance of the first row from v0", distance(row.v, v), high=1e-12 * _size(v)),
        Check("multipliers of a row", float(advance.row.multiplier.shape[0]), 0, m),
        Check("code of the first step", float(advance.row.result), OK, OK),
        _true("the state keeps its shapes", shapes[0] == shapes[1]),
        _true("a frame of the system's group", frame),
    ]


def _about(value: float, share: float) -> tuple[float, float]:
    return value - share * abs(value), value + share * abs(value)


def _size(v: jax.Array) -> float:
    return max(1.0, float(jnp.max(jnp.abs(v))))


def _runs(method: Method, system: System, q, v) -> Callable[[float, int], Trajectory]:
    return lambda h, steps: simulate(system, method, q, v, h=h, t=h * steps, save_every=steps)


def _check_order(method: Method, system: System, q, v, h: float, steps: int) -> list[Check]:
    run, reference = _runs(method, system, q, v), _runs(Reference(), system, q, v)
    exact = reference(h * steps, 1).final
    hs = [h / k for k in (1, 2, 4)]
    errors = []
    for k in (1, 2, 4):
        last = run(h / k, steps * k).final
        errors.append(max(distance(last.q, exact.q), distance(last.v, exact.v)))
    residual = constraint_residual(system, run(h, steps))
    result = [
        Check(
            "constraint residual of the rows", float(np.max(residual)), high=_kept(method, errors)
        )
    ]
    above = [e > 2e-12 for e in errors]
    if sum(above) >= 2:
        pairs = [(a, e) for a, e, good in zip(hs, errors, above) if good]
        order = fit_order(*zip(*pairs), floor=0.0)
        # a higher order than claimed may be an accident of one system with few steps: no error
        claimed = method.traits.order
        result.append(Check("order", order, claimed - (0.35 if claimed > 1 else 0.5)))
    else:
        result.append(Check("error against the reference", max(errors), high=1e-10))
    return result


def _kept(method: Method, errors: list[float]) -> float:
    if method.traits.on_constraint:
        return _ROUND_OFF
    return max(_ROUND_OFF, 10 * max(errors))


def _check_symmetry(method: Method, system: System, q, v, h: float, steps: int) -> list[Check]:
    if not method.traits.symmetric or system.has_offset or system.has_force:
        return []
    defect = reversibility_defect(system, method, q, v, h=h, steps=steps)
    return [Check("there and back", defect, high=_ROUND_OFF)]


def _check_carry(method: Method, system: System, q, v, h: float) -> list[Check]:
    if method.traits.carry != "node":
        return []
    one = simulate(system, method, q, v, h=h, steps=1).final
    if constraint_residual(system, one) > 1e-12 * _size(v):
        # a method that leaves the constraint cannot restart from the rows that it reports
        return []
    again = simulate(system, method, one.q, one.v, h=h, steps=1, t0=h, project=True).final
    two = simulate(system, method, q, v, h=h, steps=2).final
    gap = max(distance(again.q, two.q), distance(again.v, two.v))
    return [Check("a new start at a node changes nothing", gap, high=1e-9 * _size(v))]


def _check_transformations(method: Method, system: System, q, v, h: float) -> list[Check]:
    def final(speed):
        return simulate(system, method, q, speed * v, h=h, steps=3, project=True).final.v

    host, modes = final(1.0), (jax.jacfwd, jax.jacrev)
    if isinstance(method, Reference):  # diffrax supports either forward or reverse mode, not both
        modes = ()
    batch, *slopes = jax.jit(
        lambda x: (jax.vmap(final)(jnp.stack([x, 1.1 * x])), *(mode(final)(x) for mode in modes))
    )(1.0)
    result = [Check("traced and on the host", distance(batch[0], host), high=1e-11 * _size(v))]
    if slopes:
        forward, reverse = slopes
        result.append(
            Check(
                "derivatives forward and reverse", distance(forward, reverse), high=1e-7 * _size(v)
            )
        )
    return result


# -- systems -------------------------------------------------------------------------------------


def check_system(
    system: System, q0: Point = None, v0: Any = None, *, t: float = 1.0, h: float = 0.01
) -> Checked:
    """Check the claims of a system: shapes, initial data, invariants, closed form.

    The motion is the reference solution until `t`, reported every `h`. Raises a `UsageError` for a
    system that no run would accept, and a `CheckError` for a claim that does not hold.
    """
    if not isinstance(system, System):
        raise UsageError(f"check_system needs a system, got {system!r}")
    own = q0 is None
    if own:
        q0, v0 = system.initial()
    steps = max(round(t / h), 1)
    traj = simulate(system, Reference(rtol=1e-12, atol=1e-14), q0, v0, h=h, steps=steps)
    _, static = as_arrays(system)
    checks = [
        _true("hashable: one compilation serves all parameters", isinstance(hash(static), int)),
        Check("constraint residual", float(np.max(constraint_residual(system, traj))), high=1e-10),
        *_check_labels(system),
        *_check_constants(system, traj),
    ]
    if own and hasattr(system, "closed_form"):
        checks += _check_closed_form(system, traj)
    return _judged(f"{system.name()}, t = 0 .. {h * steps:g}", checks)


def _check_labels(system: System) -> list[Check]:
    result = []
    names = system.coordinate_names
    if names and system.units:
        result.append(_true("a unit for each coordinate", len(system.units) == len(names)))
    labels = len(system.velocity_labels) == system.dim
    result.append(_true("a name for each velocity", labels))
    return result


def _check_constants(system: System, traj: Trajectory) -> list[Check]:
    from .diagnostics import energy_error, invariants

    result = []
    if dynamics.energy_is_conserved(system):
        size = 1.0 + float(np.max(np.abs(traj.p * traj.v)))
        drift = float(np.max(np.abs(energy_error(system, traj))))
        result.append(Check("energy drift, relative", drift / size, high=1e-9))
    for name, series in invariants(system, traj).items():
        series = np.asarray(series)
        size = 1.0 + float(np.max(np.abs(series)))
        drift = float(np.max(np.abs(series - series[:1]))) / size
        result.append(Check(f"drift of {name}, relative", drift, high=1e-9))
    return result


def _check_closed_form(system: Any, traj: Trajectory) -> list[Check]:
    try:
        exact = jax.vmap(system.closed_form)(jnp.asarray(traj.t))
    except UsageError:
        return []  # the closed form is known for some parameters only
    return [
        Check("closed form against the reference", distance(exact, (traj.q, traj.v)), high=1e-8)
    ]
