"""Machines: systems whose Lagrangian, constraints, inputs and scene come from their parts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..compile.cache.code_key import CodeKey
from ..compile.cache.registry import Cache
from ..compile.cache.trusted_code import is_trusted_class
from ..errors import UsageError, unknown_name
from ..groups import Group
from ..linalg import Real
from ..scene import Scene
from ..system import ClosedForms, Point, System, compiled_call, is_traced, overrides
from .contacts import HEIGHT
from .law import law_numbers, law_restitution, law_rows
from .lifting import contact_warnings, friction_warnings, limit_warnings, normal_rows
from .machine_checks import examined, gaps_of, length_of, refuse_gaps, settled
from .machine_scene import scene_of_parts
from .motion import Frames, Rows, potential, started, strut_rate
from .normal_loads import Need, held_contacts, needed, planar_loads
from .pieces import Body, Gravity, Part, Prescribed
from .table import (
    constraint_rates,
    constraint_rows,
    form_of_code,
    frames,
    inertial_force,
    kinetic,
    mass_matrix,
)
from .topology import Assembly, Layout, Row, reaction_unit, scalar_slot, speeds_of
from .values import refuse_values
from .vectors import direction, number


class Machine(System):
    """A system defined by its parts: write `parts(self)`, which may use the fields of the class.

        class Cart(da.parts.Machine):
            m: float = da.parameter(1.0, "kg", "mass", positive=True)

            def parts(self):
                return [parts.Body("cart", self.m), parts.Prismatic("cart")]

    The set of parts may depend only on static fields (`eqx.field(static=True)`). Any other method
    of a system may be overridden as well.
    """

    initial_in_numbers = True  # initial data with open contacts or slip are refused

    def parts(self) -> Iterable[Any]:
        """Return the parts, as `build` takes them."""
        raise UsageError(f"{type(self).__name__} must list its parts: write `parts(self)`")

    # -- what does not depend on parameter values ------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The coordinates, constraint rows and names; cached by class, static fields and code."""
        statics = tuple(
            (f.name, getattr(self, f.name))
            for f in dataclasses.fields(self)
            if f.metadata.get("static")
        )
        code = _code_of(type(self))
        plain = (type(self), statics)
        key = (*plain, code)
        if key not in _layouts:
            source = self
            # use default parameters: those of `self` may be traced or batched
            if plain not in _pending:
                _pending.add(plain)
                try:
                    source = type(self)(**dict(statics))
                except TypeError:  # some field has no default
                    pass
                finally:
                    _pending.discard(plain)
            result = examined(Assembly(source.parts()))
            code.settle()
            if not code.is_compared:  # the code reads something that may change: do not cache
                return result
            _layouts[key] = result
            return result
        return _layouts[key]

    @property
    def space(self) -> Group:  # pyright: ignore[reportIncompatibleVariableOverride]
        """R^n for the joints, and SO(3) for each body that turns freely."""
        return self.layout.space

    @property
    def coordinate_names(self) -> tuple[str, ...]:  # pyright: ignore
        return self.layout.coordinate_names

    @property
    def velocity_names(self) -> tuple[str, ...]:  # pyright: ignore
        return self.layout.velocity_names

    @property
    def units(self) -> tuple[str, ...]:  # pyright: ignore
        return self.layout.units

    @property
    def constraint_names(self) -> tuple[str, ...]:  # pyright: ignore
        layout = self.layout
        return tuple(row.label for row in (*layout.holonomic, *layout.rows))

    @property
    def constraint_units(self) -> tuple[str, ...]:  # pyright: ignore
        machine, layout = self._machine(), self.layout
        return tuple(reaction_unit(machine, row) for row in (*layout.holonomic, *layout.rows))

    @property
    def input_names(self) -> tuple[str, ...]:  # pyright: ignore
        return self.layout.input_names

    @property
    def input_units(self) -> tuple[str, ...]:  # pyright: ignore
        return self.layout.input_units

    @property
    def input_limits(self) -> jax.Array | None:
        """The largest |input| of each motor, infinite without a limit; None if none has one."""
        machine = self._machine()
        if all(m.limit is None for m in machine.motors):
            return None
        result: list[Any] = []
        for motor in machine.motors:
            at = speeds_of(machine, self.layout, motor, motor.joint)
            count = at.stop - at.start if motor.axis is None else 1
            result += [jnp.inf if motor.limit is None else motor.limit] * count
        return jnp.stack(
            [jnp.asarray(x, float) for x in (*result, *[jnp.inf] * len(machine.pushes))]
        )

    def _machine(self) -> Assembly:
        return Assembly(self.parts())

    def _kinds(self) -> _Kinds:
        """Return properties that depend on the kinds of parts, not on their values; cached."""
        code = _code_of(type(self))
        key = (jax.tree.structure(self), code)
        if key not in _kinds:
            result = _Kinds.of(self._machine())
            code.settle()
            if not code.is_compared:
                return result
            _kinds[key] = result
            return result
        return _kinds[key]

    @property
    def has_offset(self) -> bool:
        return overrides(self, "offset", Machine) or self._kinds().moves

    @property
    def has_force(self) -> bool:
        return overrides(self, "force", Machine) or self._kinds().damps

    @property
    def has_run_warnings(self) -> bool:
        """Whether runs are checked afterwards: a joint has stops, or a contact has a height row."""
        if overrides(self, "run_warnings", Machine):
            return True
        machine, held = self._machine(), self.layout.held
        labels = {f"{c.label}, {HEIGHT}" for c in machine.contacts}
        return bool(machine.limits) or not labels.issubset(held)

    @property
    def has_inputs(self) -> bool:
        return overrides(self, "inputs", Machine) or bool(self.layout.input_names)

    @property
    def has_holonomic(self) -> bool:
        return overrides(self, "holonomic", Machine) or bool(self.layout.holonomic)

    @property
    def is_constrained(self) -> bool:
        rows = overrides(self, "constraint", Machine) or bool(self.layout.rows)
        return rows or self.has_holonomic or self.is_nonlinear

    # -- mechanics -------------------------------------------------------------------------------

    def frames(self, q: Point, v: jax.Array | None = None) -> Frames:
        """Return pose and velocity of each body, by its name."""
        return frames(self._machine(), self.layout, q, v)

    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        machine, layout = self._machine(), self.layout
        moving = kinetic(machine, layout, q, v)
        return moving - potential(machine, layout, frames(machine, layout, q, None), q)

    def holonomic(self, q: Point) -> jax.Array:
        machine, layout = self._machine(), self.layout
        if not layout.holonomic:
            return jnp.zeros(0)
        rows = Rows(machine, layout, frames(machine, layout, q, None), q)
        return jnp.stack([rows.value(row) for row in layout.holonomic])

    def constraint(self, q: Point) -> jax.Array:
        machine, layout = self._machine(), self.layout
        return constraint_rows(machine, layout, layout.rows, q)

    @property
    def closed(self) -> ClosedForms | None:
        if any(overrides(self, hook, Machine) for hook in _WRITTEN):
            return None  # a machine that overrides one of these has other equations than its parts
        return self.forms_of_parts()

    def forms_of_parts(self, more: tuple[Row, ...] = ()) -> ClosedForms:
        """Return the closed forms that follow from the parts; the rows of `more` come last."""
        machine, layout = self._machine, self.layout
        rows = (*layout.holonomic, *layout.rows, *more)
        return ClosedForms(
            lambda q: mass_matrix(machine(), layout, q),
            lambda q, v: inertial_force(machine(), layout, q, v),
            lambda q: constraint_rows(machine(), layout, rows, q),
            lambda q, v: constraint_rates(machine(), layout, rows, q, v),
        )

    @property
    def is_redundant(self) -> bool:
        return self.layout.redundant

    def contact_numbers(self, t: Real, q: Point, v: jax.Array) -> tuple[Any, ...]:
        """Return (mu, mu_static, viscous, loads) for each contact direction with friction.

        The order is that of `law.law_numbers`. No load is known in advance, so all loads are zero.
        """
        numbers = law_numbers(self._machine(), self.layout, q)
        return (*numbers, jnp.zeros(len(numbers[0])))

    def turn_rows(self, rows: tuple[Row, ...], q: Point) -> jax.Array:
        """Return the matrix of the rows of `law.turn_rows`: they give angular velocities."""
        return constraint_rows(self._machine(), self.layout, rows, q)

    def turn_offset(self, rows: tuple[Row, ...], t: Real, q: Point) -> jax.Array:
        """Return b in `turn_rows(q) v = b`: components of the surface's angular velocity.

        They are zero if the surface is at rest.
        """
        machine, layout = self._machine(), self.layout
        here = Rows(machine, layout, frames(machine, layout, q, None), q)
        return jnp.stack([here.given(row, t) for row in rows]) if rows else jnp.zeros(0)

    def contact_restitution(self) -> jax.Array:
        """Return the coefficients of restitution of the contacts with a law."""
        return law_restitution(self._machine(), self.layout)

    def offset(self, t: jax.Array, q: Point) -> jax.Array:
        machine, layout = self._machine(), self.layout
        if not layout.rows:
            return jnp.zeros(0)
        rows = Rows(machine, layout, frames(machine, layout, q, None), q)
        return jnp.stack([rows.given(row, t) for row in layout.rows])

    def force(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        machine, layout = self._machine(), self.layout
        total = jnp.zeros(layout.dim)
        for damper in machine.dampers:
            at = speeds_of(machine, layout, damper, damper.joint)
            total = total.at[at].add(-damper.damping * v[at])
        for friction in machine.frictions:
            at = speeds_of(machine, layout, friction, friction.joint)
            size = jnp.sqrt(v[at] @ v[at] + friction.speed**2)
            total = total.at[at].add(-friction.force * v[at] / size)
        for coupling in machine.couplings:  # the power on the joint is taken from the circuit
            at = scalar_slot(machine, layout, coupling, coupling.joint)
            current = scalar_slot(machine, layout, coupling, coupling.circuit)
            total = total.at[at].add(coupling.constant * v[current])
            total = total.at[current].add(-coupling.constant * v[at])
        for strut in machine.struts:
            if strut.damping is not None:

                def rate(w: jax.Array, strut: Any = strut) -> jax.Array:
                    return strut_rate(strut, frames(machine, layout, q, w))

                # the rate is linear in v: its gradient is the direction of the force
                speed, pull = jax.value_and_grad(rate)(v)
                total = total - strut.damping * speed * pull
        return total

    def inputs(self, q: Point) -> jax.Array:
        machine, layout = self._machine(), self.layout
        rows = []
        for motor in machine.motors:
            unit = jnp.eye(layout.dim)[speeds_of(machine, layout, motor, motor.joint)]
            about = unit if motor.axis is None else direction(motor.axis, jnp)[None] @ unit
            rows += list(about)
        for push in machine.pushes:

            def along(v: jax.Array, push: Any = push) -> jax.Array:
                frame = frames(machine, layout, q, v)[push.body]
                lever = jnp.zeros(3) if push.at is None else push.at.array(jnp)
                speed = frame.turn.T @ frame.speed + jnp.cross(frame.spin, lever)
                return push.along.array(jnp) @ speed

            # the power of a unit push is linear in v: its derivative is the row
            rows.append(jax.jacfwd(along)(jnp.zeros(layout.dim)))
        return jnp.stack(rows) if rows else jnp.zeros((0, layout.dim))

    def reactions(self, q: Point, multiplier: jax.Array) -> dict[str, tuple[jax.Array, jax.Array]]:
        """Return the contact point and the force in N of each contact, by its name.

            ball = parts.build(
                parts.Body("ball", 2.0, shape=da.scene.ball(0.1)),
                parts.Free("ball", start=(0, 0, 0.1), speed=(1.0, 0, 0, 0, 10.0, 0)),
                parts.Ball("ball", 0.1),
                parts.Gravity(9.81),
            )
            run = da.simulate(ball, h=0.01, steps=50)
            point, force = ball.reactions(run.final.q, run.final.multiplier)["ball"]

        This is for one saved row; `jax.vmap(ball.reactions)(run.q, run.multiplier)` takes all rows
        of a run.
        """
        machine, layout = self._machine(), self.layout
        rows = Rows(machine, layout, frames(machine, layout, q, None), q)
        result: dict[str, tuple[jax.Array, jax.Array]] = {}
        for k, row in enumerate((*layout.holonomic, *layout.rows)):
            if row.kind == "contact":
                label = machine.contacts[row.index].label
                at, force = result.get(label, (rows.touch(row.index).point, jnp.zeros(3)))
                result[label] = at, force + multiplier[k] * rows.blocked(row)
        return result

    def loads(self, t: Real, q: Point, v: jax.Array) -> dict[str, jax.Array]:
        """Return the normal reaction of each contact in N, by its name; positive is a push.

            ball = parts.build(
                parts.Body("ball", 2.0, shape=da.scene.sphere(0.1)),
                parts.Free("ball", at=(0, 0, 0.1)),
                parts.Ball("ball", 0.1),
                parts.Gravity(),
            )
            ball.loads(0.0, *ball.initial())["ball"]  # 2 kg x 9.81 m/s^2

        The reactions follow from the equations of motion at (t, q, v), with the control if the
        system is driven, otherwise with zero inputs. If a planar joint holds the heights, the loads
        follow by virtual power (`friction_needed`). That requires `Gravity`; without it these
        contacts are left out.
        """
        if overrides(self, "holonomic", Machine):
            raise UsageError(
                "loads: this machine overrides `holonomic`, so the height rows are not known"
            )
        arguments = (t, q, jnp.asarray(v, dtype=float))
        if is_traced((self, *arguments)):
            lam = _multipliers(self, *arguments)
        else:
            lam = compiled_call(_multipliers, self, *arguments)
        result = {k: lam[row] for k, row in normal_rows(self._machine(), self.layout).items()}
        if not is_traced((self, *arguments)) and self._has_planar_loads():
            rows = jax.tree.map(lambda x: np.asarray(x, dtype=float)[None], arguments)
            loads, _ = planar_loads(self, *rows)
            result |= {k: jnp.asarray(x[0]) for k, x in loads.items()}
        return result

    def _has_planar_loads(self) -> bool:
        """Return whether `normal_loads` applies: a planar joint holds heights, with `Gravity`.

        All forces must come from parts. Planar motion itself does not need gravity, but loads
        without weight mean nothing.
        """
        if not self._machine().gravity:
            return False
        own = ("force", "holonomic", "constraint", "lagrangian", "inputs", "offset")
        base = type(self).__mro__[1] if self.controlled_name else type(self)
        if any(getattr(base, name) is not getattr(Machine, name) for name in own):
            return False
        return bool(held_contacts(self._machine(), self.layout))

    def friction_needed(self, traj: Any) -> dict[str, Need]:
        """Return each contact's largest ratio of tangential to normal reaction in a run.

            ball = parts.build(
                parts.Body("ball", 2.0, shape=da.scene.sphere(0.1)),
                parts.Free("ball", at=(0, 0, 0.1)),
                parts.Ball("ball", 0.1),
                parts.Gravity(9.81, down=(0.1, 0, -1)),  # a slope of 1 to 10
            )
            run = da.simulate(ball, h=0.01, steps=50)
            need = ball.friction_needed(run)["ball"]
            need.mu, need.t  # 2/7 of the slope

        Rolling without slip needs at least the coefficient of friction `mu` of the result; `t` is
        the time when it is largest. Only saved rows are checked. For a driven run on wheels call
        `control.driven(robot, u).friction_needed(run)`. If a planar joint holds the heights, the
        loads follow by virtual power. The loads of more than three contacts are not determined, nor
        are the side forces of two wheels on one axle: the loads are then a least-squares solution,
        and the side force acts at the contact that has the row. The ratio is NaN if the contacts
        alone cannot carry the machine.
        """
        machine, layout = self._machine(), self.layout
        if held_contacts(machine, layout):
            if not machine.gravity:
                raise UsageError(
                    f"{self.name()}: without gravity its contacts carry no load; add "
                    "parts.Gravity()"
                )
            if not self.controlled_name and traj.meta.controlled:
                raise UsageError(
                    f"{self.name()}: a control acted in this run, and the loads of a planar "
                    "machine depend on it: control.driven(machine, u).friction_needed(traj)"
                )
        t = np.atleast_1d(np.asarray(traj.t))
        lam = np.asarray(traj.multiplier)
        loads = {k: lam[:, row] for k, row in normal_rows(machine, layout).items()}
        if self._has_planar_loads():
            q = jax.tree.map(np.asarray, traj.q)
            loads |= planar_loads(self, t, q, np.asarray(traj.v))[0]
        return needed(machine, layout, t, lam, loads)

    def form_of_code(self, scalars: bool) -> str:
        return form_of_code(len(self.layout.order), scalars)

    def run_warnings(
        self, t: np.ndarray, q: Point, v: np.ndarray, multiplier: np.ndarray
    ) -> tuple[str, ...]:
        machine = self._machine()
        if is_traced(machine.parts):
            return ()
        limits = limit_warnings(machine, self.layout, t, q)
        if overrides(self, "holonomic", Machine):
            return limits
        friction = friction_warnings(machine, self.layout, t, v, multiplier)
        contacts = contact_warnings(machine, self.layout, t, q, v, multiplier)
        return (*limits, *contacts, *friction)

    # -- initial data and scene ------------------------------------------------------------------

    def start(self) -> tuple[Point, jax.Array]:
        """Return (q, v) as given by the joints, whether or not wheels touch and roll there."""
        machine, layout = self._machine(), self.layout
        xp = jnp if is_traced(machine.parts) else np
        x, v, turns, spins = started(machine, xp)
        for drive in machine.prescribed:
            at = scalar_slot(machine, layout, drive, drive.joint)
            begins = _begins(drive)
            if not is_traced((x[at], begins)) and x[at] not in (0.0, float(begins)):
                raise UsageError(
                    f"joint '{drive.joint}' starts at {x[at]:g}, but its prescribed motion at "
                    f"{float(begins):g}: leave its start out"
                )
            x[at] = begins
        numbers = xp.stack([xp.asarray(a, dtype=float) for a in x]) if x else None
        rates = xp.stack([xp.asarray(a, dtype=float) for a in (*v, *spins)])
        return _as_jax((layout.joined(numbers, tuple(turns)), rates))

    def initial(self) -> tuple[Point, jax.Array]:
        q, v = self.start()
        refuse_gaps(self._machine(), self.layout, q)
        return _put(self, q, v, keep=True)

    def start_with_slip(self) -> tuple[Point, jax.Array]:
        """Return (q, v) with speeds as given: contacts with a `mu` may be open and slide."""
        q, v = self.start()
        normals = {x.normal for x in law_rows(self._machine(), self.layout) if x.normal is not None}
        if refuse_gaps(self._machine(), self.layout, q, normals):
            q, _ = _put(self, q, jnp.zeros_like(v), keep=False)
        return q, v

    def scene(self) -> Scene:
        return scene_of_parts(self, self._machine(), self.layout)


class _Kinds(NamedTuple):
    """Whether a machine has parts of some kinds."""

    moves: bool  # something moves as a given function of time
    damps: bool

    @classmethod
    def of(cls, machine: Assembly) -> _Kinds:
        return cls(
            bool(machine.prescribed) or any(c.ground.moves for c in machine.contacts),
            bool(machine.dampers or machine.frictions)
            or any(s.damping is not None for s in machine.struts),
        )


def _code_of(kind: type) -> CodeKey[type | None]:
    """Return a cache key for the method `parts` of a class: user code may read changing values."""
    return CodeKey(None if is_trusted_class(kind) else kind)


_layouts = Cache[Any, Layout](256)
_kinds = Cache[Any, _Kinds](256)
# classes whose default instance is under construction (guards against recursion)
_pending: set[Any] = set()
_WRITTEN = ("lagrangian", "constraint", "holonomic")


class _Title:
    """Descriptor of `name()`: "machine" for the class, the title for an instance."""

    def __get__(self, machine: Any, owner: type) -> Any:
        words = "machine" if machine is None else machine.title
        return lambda: "-".join(words.lower().split())


class Built(Machine):
    """A machine made by `build`; its parameters are named after its parts."""

    contents: tuple[Part, ...]
    plan: Layout = eqx.field(static=True)
    title: str = eqx.field(static=True, default="machine")

    reference: ClassVar[str] = "parts"
    name: ClassVar[Any] = _Title()

    def parts(self) -> Iterable[Any]:
        return self.contents

    @property
    def layout(self) -> Layout:
        return self.plan

    def parameters(self) -> dict[str, object]:
        return {name: np.asarray(value).tolist() for name, value, _ in _numbers(self)}

    def parameter_table(self) -> list[tuple[str, object, str, str]]:  # pyright: ignore
        return [(name, value, "", "") for name, value in self.parameters().items()]

    def leaf_name(self, path: tuple[Any, ...]) -> str:
        """Return the name of a parameter, as "front wheel.radius"; "" if it is only drawn."""
        if path[0].name != "contents":  # a field of a class derived from this one
            return super().leaf_name(path)
        part = self.contents[path[1].idx]
        label = getattr(part, "label", "") or getattr(part, "name", "")
        label = label or getattr(part, "joint", "") or type(part).__name__.lower()
        plain = isinstance(part, (Body, Gravity))
        kind = "" if plain else f" {type(part).__name__.lower()}"
        words = [str(getattr(k, "name", getattr(k, "idx", getattr(k, "key", k)))) for k in path[2:]]
        words = [w for w in words if w not in ("numbers", "size")]
        return "" if words[0] == "shape" else f"{label}{kind}.{'.'.join(words)}"

    def with_parameters(self, **changes: Any) -> Built:  # pyright: ignore
        """Return a changed copy, as by `with_parameters(**{"front wheel.radius": 0.3})`."""
        known = {name: where for name, _, where in _numbers(self)}
        old = {name: np.shape(value) for name, value, _ in _numbers(self)}
        made = self
        for name, value in changes.items():
            if name not in known:
                raise unknown_name("parameter of the machine", name, list(known))
            if np.shape(value) != old[name]:
                raise UsageError(
                    f"parameter '{name}' must have shape {old[name]}, got {np.shape(value)}; for "
                    "an ensemble over it use jax.vmap, or write a subclass of parts.Machine with "
                    "this number as a field"
                )
            value = value if isinstance(value, (jax.Array, np.ndarray)) else number(value)
            made = eqx.tree_at(known[name], made, value)
        refuse_values(made.contents)
        return made

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self._machine().bodies)} bodies, {self.dim} velocities>"


def _numbers(machine: Built) -> Iterable[tuple[str, Any, Any]]:
    """Yield (name, value, accessor) of every parameter."""
    leaf_name = machine.leaf_name  # Equinox makes a new object for each bound method
    for path, value in jax.tree_util.tree_leaves_with_path(machine):
        name = leaf_name(path)
        if not name or path[0].name != "contents" or _is_function(value):
            continue

        def where(m: Built, path: Any = path) -> Any:
            result: Any = m
            for k in path:
                name = getattr(k, "name", None)
                result = getattr(result, name) if name else result[getattr(k, "idx", None)]
            return result

        yield name, value, where


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, (jax.Array, np.ndarray))


def build(*parts: Any, name: str = "machine") -> Built:
    """Build an ordinary system from bodies, joints, contacts, springs and motors.

        robot = parts.build(
            parts.Body("chassis", 4.0, (0.05, 0.05, 0.1)),
            parts.Planar("chassis", at=(0, 0, 0.1)),
            parts.Body("left", 0.4, (0.001, 0.002, 0.001)),
            parts.Revolute("left", "chassis", at=(0, 0.2, 0), axis="y"),
            parts.Wheel("left", 0.1),
            parts.Body("right", 0.4, (0.001, 0.002, 0.001)),
            parts.Revolute("right", "chassis", at=(0, -0.2, 0), axis="y"),
            parts.Wheel("right", 0.1, rows="along"),
        )

    Two wheels on one axle both block the sideways slip of the axle. Such redundant rows are
    refused, with their names; `rows="along"` for one wheel leaves its sideways row out (its height
    row remains if nothing else holds it). An argument may also be a list of parts. Every number is
    a parameter: `parameters()` names the parameters, `with_parameters` changes them, ensembles vary
    them, and results can be differentiated with respect to them. `build` and `with_parameters` may
    be called inside a differentiated function. To differentiate a whole run,
    `dalembert.sensitivities` compiles quickest.
    """
    machine = Assembly(parts)
    layout = examined(machine, thorough=True)
    return Built(machine.parts, layout, name)


def _begins(drive: Prescribed) -> jax.Array:
    """Return the value of a prescribed motion at t = 0."""
    try:
        begins = jnp.asarray(drive.motion(jnp.zeros(())), dtype=float)
    except (TypeError, ValueError) as error:
        raise UsageError(f"prescribed joint '{drive.joint}': motion(t) fails: {error}") from error
    if begins.shape or not (is_traced(begins) or np.isfinite(begins)):
        raise UsageError(
            f"prescribed joint '{drive.joint}': motion(t) must be one finite number, got {begins}"
        )
    return begins


def settle(system: System, q: Point = None, v: jax.Array | None = None) -> tuple[Point, jax.Array]:
    """Return (q, v) with every contact closed and rolling, near the given q and v.

    By default q and v are those given to the joints. q and v are projected in the metric of the
    kinetic energy, so that light parts move more than heavy ones. Without v, nonzero speeds that
    were given to the joints are unchanged, and the other speeds follow from them.
    """
    if not isinstance(system, System):
        raise UsageError(f"settle needs a system, got {system!r}")
    keep = False
    if q is None:
        q, started = system.start() if isinstance(system, Machine) else system.initial()
        keep = v is None
        v = started if v is None else v
    q = system.groupoid.base.check(q)
    v = jnp.zeros(system.dim) if v is None else jnp.asarray(v, dtype=float)
    result, rates = _put(system, q, v, keep)
    length = length_of(system._machine()) if isinstance(system, Machine) else 1.0
    if is_traced(result):  # NaN if the contacts cannot be closed
        gap = jnp.max(jnp.abs(system.holonomic(result)), initial=0.0)
        return result, jnp.where(gap < 1e-9 * length, rates, jnp.nan)
    if isinstance(system, Machine) and not overrides(system, "holonomic", Machine):
        values = gaps_of(system._machine(), system.layout, result)
    else:
        values = np.asarray(system.holonomic(result))
    gap = np.max(np.abs(values), initial=0.0)
    far = max((float(np.max(np.abs(x), initial=0.0)) for x in jax.tree.leaves(result)), default=0.0)
    if not gap < 1e-9 * length + 1e-14 * far:
        raise UsageError(
            f"the contacts and loops cannot be closed from here (still off by {gap:.2g} m): start "
            "nearer to a position in which they are"
        )
    return result, rates


def _put(system: System, q: Point, v: jax.Array, keep: bool) -> tuple[Point, jax.Array]:
    if is_traced((system, q, v)):
        return _settled(system, q, v, keep)
    if isinstance(system, Machine) and system.closed is not None:
        # with NumPy, without compiling anything
        machine = Assembly(system.parts())
        if not is_traced(machine.parts) and not overrides(system, "offset", Machine):
            return _as_jax(settled(machine, system.layout, q, v, keep))
    return compiled_call(_settled, system, q, v, keep)


def _multipliers(system: System, t: Real, q: Point, v: jax.Array) -> jax.Array:
    return dynamics.multipliers(system, q, v, t)


def _as_jax(found: Any) -> Any:
    return jax.tree.map(lambda x: jnp.asarray(x, dtype=float), found)


def _settled(system: System, q: Point, v: jax.Array, keep: bool) -> tuple[Point, jax.Array]:
    q = dynamics.consistent_position(system, q)
    v = _with_the_others(system, q, v) if keep and system.is_constrained else v
    return q, dynamics._consistent_velocity(system, q, v, jnp.zeros(()), 2)


def _with_the_others(system: System, q: Point, v: jax.Array) -> jax.Array:
    """Do what `machine_checks._with_the_others` does, traceably: NaN if no speeds can follow."""
    A, G = dynamics.linear_constraint(system, q), dynamics.metric(system, q, v)
    slip = dynamics.constraint_residual(system, q, v)
    free = jnp.where(v == 0.0, 1.0, 0.0)
    told = jnp.any(free == 0.0)
    A, G = A * free[None, :], G * jnp.outer(free, free) + jnp.diag(1.0 - free)
    raised = jnp.linalg.solve(G, A.T)
    moved = -raised @ (jnp.linalg.pinv(A @ raised, rtol=1e-10, hermitian=True) @ slip)
    left = jnp.max(jnp.abs(slip + A @ moved))
    fine = left <= 1e-9 * (1.0 + jnp.max(jnp.abs(v)))
    return jnp.where(told, jnp.where(fine, v + moved, jnp.nan), v)
