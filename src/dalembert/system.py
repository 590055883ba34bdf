"""Systems: a Lagrangian and its constraints, written by a user, as an immutable PyTree.

The parameters of a system are leaves of the PyTree: `jax.vmap` runs over them and `jax.grad`
differentiates with respect to them. A system never integrates; it only defines the mechanics.
"""

from __future__ import annotations

import abc
import dataclasses
import difflib
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp

from . import names
from .compile.cache.registry import cached
from .compile.function import a_number as a_number  # re-exported
from .compile.function import as_arrays as as_arrays
from .compile.function import check_precision
from .compile.function import code_of as code_of
from .compile.function import compiled_call as compiled_call
from .compile.function import is_traced as is_traced
from .doors import Module
from .errors import UsageError, unknown_name
from .groupoids import Groupoid, Pair, Point
from .groups import Group
from .pages import card
from .parameters import PARAMETER, Spec, check_number, check_value, named_values, plain
from .parameters import parameter as parameter  # re-exported for users

S = TypeVar("S", bound="System")
M = TypeVar("M", bound=eqx.Module)
T = TypeVar("T")

# Types of the known facts that a system may state; the keys of the mappings are names
Invariants = Mapping[str, Callable[[Point, jax.Array], jax.Array]]
Generators = Mapping[str, Callable[[Point], jax.Array]]
Split = tuple[tuple[int, ...], Group, tuple[float | None, ...]]

# Methods that the library calls if a user defines them, with their arguments other than `self`.
_HOOKS = {
    "lagrangian": ("q", "v"),
    "constraint": ("q",),
    "offset": ("t", "q"),
    "holonomic": ("q",),
    "force": ("t", "q", "v"),
    "velocity_constraint": ("t", "q", "v"),
    "inputs": ("q",),
    "potential": ("q",),
    "initial": (),
    "scene": (),
    "run_warnings": ("t", "q", "v", "multiplier"),
}
_TIMED = ("lagrangian", "constraint")  # may also take the time, as the first argument


def _check_hooks(cls: type) -> None:
    """Raise `UsageError` for a hook with wrong arguments, or with a misspelt name.

    A misspelt hook would otherwise never be called, without any message.
    """
    for name, value in vars(cls).items():
        if not inspect.isfunction(value) or name.startswith("_"):
            continue
        if name in _HOOKS:
            wanted = ("self", *_HOOKS[name])
            timed = name in _TIMED and takes(value, len(wanted) + 1)
            if not takes(value, len(wanted)) and not timed:
                late = ", ".join(("self", "t", *_HOOKS[name]))
                also = f" or {name}({late})" if name in _TIMED else ""
                raise UsageError(
                    f"{cls.__name__}.{name} must be {name}({', '.join(wanted)}){also}; it is "
                    f"{name}{inspect.signature(value)}"
                )
        elif not any(hasattr(base, name) for base in cls.__mro__[1:]):
            near = difflib.get_close_matches(name.lower(), _HOOKS, n=1, cutoff=0.88)
            if near:
                raise UsageError(
                    f"{cls.__name__}.{name} would never be called: did you mean `{near[0]}`? "
                    "If it is a helper of yours, give it another name"
                )


def _by_name(initial: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a user's `initial(self)` so that it also takes entries by name, `initial(x=1.0)`."""

    @functools.wraps(initial)
    def found(self: System, **values: Any) -> tuple[Point, jax.Array]:
        q, v = initial(self)
        return names.with_entries(self, q, v, values) if values else (q, v)

    return found


def takes(function: Callable[..., object], count: int) -> bool:
    """Return whether a function can be called with `count` positional arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    return True


@dataclasses.dataclass(frozen=True)
class ClosedForms:
    """Closed forms in place of automatic derivatives of L and the constraints, for speed.

    `mass_matrix(q)` is d^2 L/dv^2 of an L = T(q, v) - V(q) with T quadratic in v;
    `inertial_force(q, v)` is ad_v^T dL/dv + dL/dq - (d^2 L/dv dq) v; `rows(q)` are the forms of all
    linear constraints, holonomic ones first, and `rates(q, v)` is `rows` times v.
    """

    mass_matrix: Callable[[Point], jax.Array]
    inertial_force: Callable[[Point, jax.Array], jax.Array]
    rows: Callable[[Point], jax.Array]
    rates: Callable[[Point, jax.Array], jax.Array]


class Switches(NamedTuple):
    """Which linear constraints act, as arrays of 0 and 1.

    Modes of a contact differ only in these arrays, so that they share one compiled program. A
    constraint row that is off is a row of zeros with right-hand side zero; its reaction is exactly
    0.
    """

    rows: jax.Array  # (m,): 1 if the constraint row acts, 0 if it is off; holonomic ones first
    awake: jax.Array  # 1; 0 if everything is at rest: the acceleration is then exactly 0
    soft: jax.Array | None = None  # (m,): compliances of redundant rows; None: all are equal


class System(Module):
    """A mechanical system with nonholonomic constraints; subclass it and write a Lagrangian.

        d/dt dL/dv - dL/dq = A^T lam + force,    A v = offset(t, q),    A = A(q) or A(t, q)

    Required: `space` (a group such as `Euclidean(n)` or `Product(Euclidean(2), SO(3))`, or a
    groupoid for a reduced system) and `lagrangian(q, v)`, or `lagrangian(t, q, v)`. Optional:
    `constraint(q)` or `constraint(t, q)` (rows are one-forms), `offset(t, q)` (right-hand side),
    `holonomic(q)` (functions that vanish), `force(t, q, v)`, `velocity_constraint(t, q, v)`
    (nonlinear, obeying Chetaev's rule), `inputs(q)` (rows are the one-forms of control forces),
    `scene()` (what it looks like).

    On a product space `q` is a tuple; `v` is always one flat vector: the ordinary velocity on
    R^n, the body velocity xi with g' = g hat(xi) on a group factor.
    """

    space: ClassVar[Group | Groupoid]
    coordinate_names: ClassVar[tuple[str, ...]] = ()
    velocity_names: ClassVar[tuple[str, ...]] = ()
    # units of the coordinates, in the order of coordinate_names
    units: ClassVar[tuple[str, ...]] = ()
    constraint_names: ClassVar[tuple[str, ...]] = ()  # holonomic ones first, then `constraint`
    # units of the multipliers, that is of the reactions
    constraint_units: ClassVar[tuple[str, ...]] = ()
    input_names: ClassVar[tuple[str, ...]] = ()
    input_units: ClassVar[tuple[str, ...]] = ()
    initial_in_numbers: ClassVar[bool] = False  # `initial` needs concrete values: do not trace it
    reference: ClassVar[str] = ""  # source of the system in the literature
    conserves_energy: ClassVar[bool | None] = None  # None: decided from the kind of constraint
    has_time: ClassVar[bool] = False  # whether `lagrangian` takes the time
    has_timed_constraint: ClassVar[bool] = False  # whether `constraint` takes the time

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _check_hooks(cls)
        if inspect.isfunction(vars(cls).get("initial")):
            cls.initial = _by_name(vars(cls)["initial"])
        cls.has_time = not takes(cls.lagrangian, 3) and takes(cls.lagrangian, 4)
        cls.has_timed_constraint = not takes(cls.constraint, 2) and takes(cls.constraint, 3)

    # -- methods that a user defines ---------------------------------------------------------

    @abc.abstractmethod
    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        """Return L(q, v), a scalar."""

    def lagrangian_at(self, t: jax.typing.ArrayLike, q: Point, v: jax.Array) -> jax.Array:
        """Return L at time t, for a Lagrangian with or without the argument t."""
        if not self.has_time:
            return self.lagrangian(q, v)
        timed: Callable[..., jax.Array] = self.lagrangian
        return timed(jnp.asarray(t, dtype=float), q, v)

    def constraint(self, q: Point) -> jax.Array:
        """Return A(q), one row for each constraint one-form; shape (m, dim)."""
        return jnp.zeros((0, self.dim))

    def constraint_at(self, t: jax.typing.ArrayLike, q: Point) -> jax.Array:
        """Return A at time t, for a constraint with or without the argument t."""
        if not self.has_timed_constraint:
            return self.constraint(q)
        timed: Callable[..., jax.Array] = self.constraint
        return timed(jnp.asarray(t, dtype=float), q)

    def offset(self, t: jax.Array, q: Point) -> jax.Array:
        """Return b(t, q) of the affine constraint A v = b; shape (m,)."""
        return jnp.zeros(self.constraint_at(t, q).shape[0])

    def holonomic(self, q: Point) -> jax.Array:
        """Return g(q) of the holonomic constraints g(q) = 0; shape (k,).

        They are imposed as Dg(q) v = 0; these rows come before those of `constraint`.
        """
        return jnp.zeros(0)

    def force(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        """Return the external force, a covector on the fibre; shape (dim,)."""
        return jnp.zeros(self.dim)

    def velocity_constraint(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        """Return phi of constraints phi(t, q, v) = 0 nonlinear in v; the reaction is lam dphi/dv.

        This form of the reaction is Chetaev's rule.
        """
        return jnp.zeros(0)

    def inputs(self, q: Point) -> jax.Array:
        """Return F^i(q), one row for each control; the force is F^i u_i; shape (k, dim)."""
        return jnp.zeros((0, self.dim))

    @property
    def closed(self) -> ClosedForms | None:
        """Closed forms that methods use instead of automatic derivatives, or None."""
        return None

    @property
    def switches(self) -> Switches | None:
        """Which constraints act, if a parameter can turn some off; None if all always act."""
        return None

    def grain(self, t: Any, q: Point, v: Any) -> Any:
        """Return a change of v that is small compared with the slips on which forces depend.

        Infinite if no force depends on a slip.
        """
        return jnp.inf

    @property
    def is_redundant(self) -> bool:
        """Whether linear constraints may be linearly dependent, as four wheels of a rigid car are.

        The reactions are then the solution of least stored energy, on supports of equal stiffness.
        """
        return False

    # -- optional additions, defined by most systems in `dalembert.systems` ------------------

    def initial(self, **values: Any) -> tuple[Point, jax.Array]:
        """Return default initial data (q0, v0) on the constraint, with some entries set by name.

        `initial(x=1.0, x_dot=2.0)` sets x and x_dot, and changes the other entries as little as the
        constraints allow. A user defines `initial(self)`; the class adds the arguments by name. A
        system without it begins at rest in the identity of its space, before entries are set.
        """
        if values:
            q = self.groupoid.base.identity()
            return names.with_entries(self, q, jnp.zeros(self.dim), values)
        one = self.velocity_labels[0] if self.velocity_labels else "x_dot"
        raise UsageError(
            f"{type(self).__name__} has no default initial data: give q0 and v0, by name with "
            f"q0, v0 = system.initial({one}=1.0), where the rest is zero; or write `initial(self)`"
        )

    @property
    def invariants(self) -> Invariants:
        """Known constants of the motion: name to function of (q, v)."""
        return {}

    @property
    def symmetry_generators(self) -> Generators:
        """Known symmetries: name to sigma(q), whose columns are the generators; shape (dim, k)."""
        return {}

    @property
    def chaplygin_split(self) -> Split | None:
        """(shape, group, periods of the shape directions) of a Chaplygin reduction, if known.

        These are the arguments of `geometry.chaplygin`; on a product space `shape` lists factors.
        """
        return None

    def path(self, q: Point) -> jax.Array:
        """Return the two coordinates against which a plot of the motion in the plane is drawn."""
        return self.groupoid.base.flatten(q)[:2]

    def run_warnings(self, t: Any, q: Any, v: Any, multiplier: Any) -> tuple[str, ...]:
        """Return warnings about a finished run, for `Trajectory.warnings`; none by default.

        The arguments are the saved rows of one run as NumPy arrays (row index first), thinned if
        there are many.
        """
        return ()

    def form_of_code(self, scalars: bool) -> str:
        """Return in which form the mechanics is computed, for `meta.engine_reason`; "" if in one.

        `scalars` is True for scalar code (native or on a GPU), False for code on arrays.
        """
        return ""

    def scene(self) -> Any:
        """Return the drawing of the system, a `dalembert.scene.Scene`.

        None: the scene is made from the space and the names of the coordinates.
        """
        return None

    # -- names in place of indices -----------------------------------------------------------

    def named(self, q: Point, v: Any) -> names.NamedState:
        """Return the entries of a state by name, `named(q, v)["x"]`; works in traced code too."""
        return names.NamedState(self, q, v)

    def observable(self, name: str) -> names.Observable:
        """Return a coordinate or velocity as a function of (t, q, v), for `events=` and `save=`."""
        return names.observable(self, name)

    def describe(self) -> names.Description:
        """Return a table of the order of coordinates, velocities, constraints and inputs."""
        return names.describe(self)

    # -- facts that follow from the class, without values of the parameters ------------------

    @property
    def groupoid(self) -> Groupoid:
        """The groupoid of discrete steps: `Pair(space)` unless `space` is itself a groupoid.

        Single precision is refused here, because every computation with a system uses this
        property: runs, geometry, control and reports alike.
        """
        check_precision()
        return self.space if isinstance(self.space, Groupoid) else Pair(self.space)

    @property
    def coordinate_labels(self) -> tuple[str, ...]:
        """A name for each entry of q: `coordinate_names`, or q0, q1, ... and the like."""
        return names.Names(self.coordinate_names or self.groupoid.base.element_names())

    @property
    def velocity_labels(self) -> tuple[str, ...]:
        """A name for each entry of v: `velocity_names`, the coordinates' with _dot, or v0, ..."""
        if self.velocity_names:
            return names.Names(self.velocity_names)
        if len(self.coordinate_names) == self.dim:
            return names.Names(f"{name}_dot" for name in self.coordinate_names)
        return tuple(f"v{i}" for i in range(self.dim))

    @property
    def constraint_labels(self) -> tuple[str, ...]:
        """A name for each constraint, and so for its multiplier; () where there are none."""
        return tuple(self.constraint_names)

    @property
    def input_labels(self) -> tuple[str, ...]:
        """A name for each control: `input_names`, or u0, u1, ..."""
        count = jax.eval_shape(lambda: self.inputs(self.groupoid.base.identity())).shape[0]
        return names.Names(self.input_names or (f"u{i}" for i in range(count)))

    @property
    def dim(self) -> int:
        """Dimension of the fibre: the length of v."""
        return self.groupoid.dim

    @property
    def has_offset(self) -> bool:
        """Whether the linear constraint has a right-hand side."""
        return overrides(self, "offset")

    @property
    def has_force(self) -> bool:
        """Whether an external force acts."""
        return overrides(self, "force")

    @property
    def has_inputs(self) -> bool:
        """Whether controls can act."""
        return overrides(self, "inputs")

    @property
    def has_run_warnings(self) -> bool:
        """Whether the subclass defines `run_warnings`."""
        return overrides(self, "run_warnings")

    @property
    def controlled_name(self) -> str:
        """Name of the system inside a controlled one (`inputs.driven`); empty without a control."""
        return ""

    @property
    def has_holonomic(self) -> bool:
        """Whether some constraints are holonomic."""
        return overrides(self, "holonomic")

    @property
    def is_nonlinear(self) -> bool:
        """Whether a constraint is nonlinear in the velocities."""
        return overrides(self, "velocity_constraint")

    @property
    def is_constrained(self) -> bool:
        """Whether there is any constraint at all."""
        return overrides(self, "constraint") or self.has_holonomic or self.is_nonlinear

    @classmethod
    def name(cls) -> str:
        """Return the kebab-case name that the command line uses."""
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", cls.__name__)
        return words.lower()

    def parameters(self) -> dict[str, object]:
        """Return the parameters by name, as plain numbers and lists."""
        return named_values(self)

    def leaf_name(self, path: tuple[Any, ...]) -> str:
        """Return the name of the parameter at a path of this PyTree."""
        return getattr(path[0], "name", "")

    @classmethod
    def parameter_table(cls) -> list[tuple[str, object, str, str]]:
        """Return rows (name, default, unit, documentation) for help texts."""
        rows = []
        for f in dataclasses.fields(cls):
            spec = f.metadata.get(PARAMETER, Spec())
            default = None if f.default is dataclasses.MISSING else f.default
            if f.default_factory is not dataclasses.MISSING:
                default = plain(f.default_factory())
            rows.append((f.name, default, spec.unit, spec.doc))
        return rows

    def _repr_html_(self) -> str:
        about = (type(self).__doc__ or "").strip().partition("\n")[0]
        numbers = self.parameters()
        rows = [
            (name, f"{numbers[name]} {'' if unit == '1' else unit}  {meaning}")
            for name, _, unit, meaning in self.parameter_table()
            if name in numbers
        ]
        coordinates = ", ".join(map(names.symbol, self.coordinate_labels))
        return card(
            f"{type(self).__name__}: {about}",
            [("coordinates", coordinates), ("velocities", f"{self.dim}"), *rows],
        )

    def with_parameters(self: S, **changes: object) -> S:
        """Return a copy with some parameters changed; the new values are checked."""
        known = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise unknown_name(f"parameter of {self.name()}", name, known)
        return dataclasses.replace(self, **changes)

    def __check_init__(self) -> None:
        space = getattr(self, "space", None)
        if not isinstance(space, (Group, Groupoid)):
            raise UsageError(
                f"{type(self).__name__} must define `space`, a group such as Euclidean(n) or a "
                f"groupoid; got {space!r}"
            )
        for f in dataclasses.fields(self):
            spec = f.metadata.get(PARAMETER)
            if spec is not None:
                check_value(type(self).__name__, f.name, getattr(self, f.name), spec)
            elif f.type in (float, "float") and f.default is not None:
                check_number(type(self).__name__, f.name, getattr(self, f.name))


class MechanicalSystem(System):
    """A system with constant mass matrix and a potential: L = v.M v/2 - V(q).

    Define `mass` (a field or a property: a (dim, dim) matrix) and `potential(q)`. Methods that
    have an explicit form then use it automatically.
    """

    mass: ClassVar[jax.Array]  # `mass` is no field of this class; a subclass may make it a field

    def __check_init__(self) -> None:
        fields = [f.name for f in dataclasses.fields(self)]
        if not hasattr(type(self), "mass") and "mass" not in fields:
            raise UsageError(f"{type(self).__name__} must define `mass`, a constant matrix")
        if type(self).lagrangian is not MechanicalSystem.lagrangian:
            # methods read only mass and potential: another Lagrangian would be ignored
            raise UsageError(
                f"{type(self).__name__} must not define `lagrangian` beside `mass` and "
                "`potential`; for another Lagrangian derive it from System"
            )

    def potential(self, q: Point) -> jax.Array:
        """Return V(q), a scalar."""
        return jnp.zeros(())

    @property
    def mass_matrix(self) -> jax.Array:
        """The mass matrix as a double-precision array, whatever type the user gave."""
        return jnp.asarray(self.mass, dtype=float)

    @property
    def has_potential(self) -> bool:
        """Whether the subclass defines a potential."""
        return overrides(self, "potential", MechanicalSystem)

    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        return 0.5 * v @ (self.mass_matrix @ v) - self.potential(q)


def variant(system: System, cls: type, **more: Any) -> Any:
    """Return an object of `cls`, a subclass of the system's class, with its fields and `more`."""
    made = object.__new__(cls)
    for f in dataclasses.fields(system):
        object.__setattr__(made, f.name, getattr(system, f.name))
    for name, value in more.items():
        object.__setattr__(made, name, value)
    return made


def variant_class(make: Callable[..., type]) -> Callable[..., Any]:
    """Decorate a function (class of a system, ...) -> subclass, and cache its results.

    Equal arguments give the same class, so that compiled code is shared. The name of the returned
    class is appended to the name of the base.
    """

    @cached(maxsize=256)
    def made(base: type[System], *given: Any) -> type:
        cls = make(base, *given)
        cls.__name__ = cls.__qualname__ = f"{base.__name__}{cls.__name__}"
        cls.__doc__ = base.__doc__
        return cls

    return made


def passed_on(part: str, name: str) -> Any:
    """Return a property that passes on the property `name` of the field `part` (another system)."""
    return property(lambda self: getattr(getattr(self, part), name))


def overrides(system: System, method: str, base: type = System) -> bool:
    """Return whether a system defines this method itself, as a method or as a callable field."""
    as_field = any(f.name == method for f in dataclasses.fields(system))
    return as_field or getattr(type(system), method) is not getattr(base, method)
