"""What a user writes: a Lagrangian and its constraints, as an immutable PyTree.

The parameters of a system are leaves, so `jax.vmap` runs over them and `jax.grad` reaches them.
A system never integrates; it only says what the mechanics is.
"""

from __future__ import annotations

import abc
import dataclasses
import difflib
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from . import names
from .compile.engine import quick_options
from .compile.fingerprint import CodeKey
from .compile.lookup import Place, held
from .compile.tracing import tracing_once
from .compile.trusted import is_trusted_class
from .doors import Module
from .errors import UsageError, unknown_name
from .groupoids import Groupoid, Pair, Point
from .groups import Group
from .parameters import PARAMETER, Spec, check_number, check_value, named_values, plain
from .parameters import parameter as parameter  # what a user writes is found here

S = TypeVar("S", bound="System")
M = TypeVar("M", bound=eqx.Module)
T = TypeVar("T")

# What a system may say of itself; the keys are names
Invariants = Mapping[str, Callable[[Point, jax.Array], jax.Array]]
Generators = Mapping[str, Callable[[Point], jax.Array]]
Split = tuple[tuple[int, ...], Group, tuple[float | None, ...]]

# What the library calls if a user writes it, and how.
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
_TIMED = ("lagrangian", "constraint")  # may take the time as well, before all else


def _check_hooks(cls: type) -> None:
    """Refuse a misspelt hook, which would be ignored in silence, and one with wrong arguments."""
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
    """What somebody wrote as `initial(self)`, which takes numbers by name as well."""

    @functools.wraps(initial)
    def found(self: System, **values: Any) -> tuple[Point, jax.Array]:
        q, v = initial(self)
        return names.with_entries(self, q, v, values) if values else (q, v)

    return found


def takes(function: Callable[..., object], count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    return True


@dataclasses.dataclass(frozen=True)
class ClosedForms:
    """What follows from a Lagrangian and its constraints by differentiation, written out for speed.

    `mass_matrix(q)` is d^2 L/dv^2 of an L = T(q, v) - V(q) with T quadratic in v;
    `inertial_force(q, v)` is ad_v^T dL/dv + dL/dq - (d^2 L/dv dq) v; `rows(q)` are the forms of all
    linear constraints, holonomic ones first, and `rates(q, v)` these times v.
    """

    mass_matrix: Callable[[Point], jax.Array]
    inertial_force: Callable[[Point, jax.Array], jax.Array]
    rows: Callable[[Point], jax.Array]
    rates: Callable[[Point, jax.Array], jax.Array]


class System(Module):
    """A mechanical system with nonholonomic constraints; subclass it and write a Lagrangian.

        d/dt dL/dv - dL/dq = A^T lam + force,    A v = offset(t, q),    A = A(q) or A(t, q)

    Required: `space` (a group such as `Euclidean(n)` or `Product(Euclidean(2), SO(3))`, or a
    groupoid for a reduced system) and `lagrangian(q, v)`, or `lagrangian(t, q, v)`. Optional:
    `constraint(q)` or `constraint(t, q)` (rows are one-forms), `offset(t, q)` (right-hand side),
    `holonomic(q)` (functions kept at zero), `force(t, q, v)`, `velocity_constraint(t, q, v)`
    (nonlinear, obeying Chetaev's rule), `inputs(q)` (rows are the one-forms of control forces),
    `scene()` (what it looks like).

    On a product space `q` is a tuple; `v` is always one flat vector: the ordinary velocity on
    R^n, the body velocity xi with g' = g hat(xi) on a group factor.
    """

    space: ClassVar[Group | Groupoid]
    coordinate_names: ClassVar[tuple[str, ...]] = ()
    velocity_names: ClassVar[tuple[str, ...]] = ()
    units: ClassVar[tuple[str, ...]] = ()  # of the coordinates, in the order of coordinate_names
    constraint_names: ClassVar[tuple[str, ...]] = ()  # of the holonomic ones, then of the rows
    constraint_units: ClassVar[tuple[str, ...]] = ()  # of their multipliers, the reactions
    input_names: ClassVar[tuple[str, ...]] = ()
    input_units: ClassVar[tuple[str, ...]] = ()
    initial_in_numbers: ClassVar[bool] = False  # `initial` looks at numbers: not to be traced
    reference: ClassVar[str] = ""  # where in the literature the system comes from
    conserves_energy: ClassVar[bool | None] = None  # None: decided from the constraint's kind
    has_time: ClassVar[bool] = False  # whether `lagrangian` takes the time
    has_timed_constraint: ClassVar[bool] = False  # whether `constraint` does

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _check_hooks(cls)
        if inspect.isfunction(vars(cls).get("initial")):
            cls.initial = _by_name(vars(cls)["initial"])
        cls.has_time = not takes(cls.lagrangian, 3) and takes(cls.lagrangian, 4)
        cls.has_timed_constraint = not takes(cls.constraint, 2) and takes(cls.constraint, 3)

    # -- what a user writes ------------------------------------------------------------------

    @abc.abstractmethod
    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        """L(q, v), a scalar."""

    def lagrangian_at(self, t: jax.typing.ArrayLike, q: Point, v: jax.Array) -> jax.Array:
        """L at a time, whether it depends on it or not."""
        if not self.has_time:
            return self.lagrangian(q, v)
        timed: Callable[..., jax.Array] = self.lagrangian
        return timed(jnp.asarray(t, dtype=float), q, v)

    def constraint(self, q: Point) -> jax.Array:
        """A(q), one row for each constraint one-form; shape (m, dim)."""
        return jnp.zeros((0, self.dim))

    def constraint_at(self, t: jax.typing.ArrayLike, q: Point) -> jax.Array:
        """A at a time, whether it depends on it or not."""
        if not self.has_timed_constraint:
            return self.constraint(q)
        timed: Callable[..., jax.Array] = self.constraint
        return timed(jnp.asarray(t, dtype=float), q)

    def offset(self, t: jax.Array, q: Point) -> jax.Array:
        """b(t, q) of the affine constraint A v = b; shape (m,)."""
        return jnp.zeros(self.constraint_at(t, q).shape[0])

    def holonomic(self, q: Point) -> jax.Array:
        """g(q) = 0, imposed as Dg(q) v = 0 before the rows of `constraint`; shape (k,)."""
        return jnp.zeros(0)

    def force(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        """External force covector on the fibre; shape (dim,)."""
        return jnp.zeros(self.dim)

    def velocity_constraint(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        """phi(t, q, v) = 0, nonlinear in v; the reaction force is lam dphi/dv (Chetaev)."""
        return jnp.zeros(0)

    def inputs(self, q: Point) -> jax.Array:
        """F^i(q), one row for each control: the force is F^i u_i; shape (k, dim)."""
        return jnp.zeros((0, self.dim))

    @property
    def closed(self) -> ClosedForms | None:
        """Closed forms that methods take instead of derivatives; None: there are none."""
        return None

    # -- what a system of the zoo adds -------------------------------------------------------

    def initial(self, **values: Any) -> tuple[Point, jax.Array]:
        """Default initial data (q0, v0) on the constraint, with some numbers changed by name.

        `initial(x=1.0, x_dot=2.0)`: what is not named follows as the constraints need, changed as
        little as they allow. Write it as `initial(self)`: names are taken care of.
        """
        raise UsageError(f"{type(self).__name__} has no default initial data: give q0 and v0")

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

        As `geometry.chaplygin` takes them: on a product the shape is given by its factors.
        """
        return None

    def path(self, q: Point) -> jax.Array:
        """The two numbers that a picture of the motion in the plane shows."""
        return self.groupoid.base.flatten(q)[:2]

    def run_warnings(self, t: Any, q: Any, v: Any, multiplier: Any) -> tuple[str, ...]:
        """Sentences about a finished run, for `Trajectory.warnings`; none unless written.

        The arguments are saved rows of one run in NumPy (rows first), thinned if there are many.
        """
        return ()

    def scene(self) -> Any:
        """What the system looks like, a `dalembert.scene.Scene`; None: by its space and names."""
        return None

    # -- names in place of indices -----------------------------------------------------------

    def named(self, q: Point, v: Any) -> names.State:
        """The numbers of a state by name: `named(q, v)["x"]`; in controllers and events as well."""
        return names.State(self, q, v)

    def observable(self, name: str) -> names.Observable:
        """A coordinate or velocity as a function of (t, q, v), for `events=` and `save=`."""
        return names.observable(self, name)

    def describe(self) -> names.Description:
        """Which number is where: the order of coordinates, velocities, constraints and inputs."""
        return names.describe(self)

    # -- facts about the system, known before any number is ----------------------------------

    @property
    def groupoid(self) -> Groupoid:
        """Where discrete elements live: `Pair(space)` unless `space` is itself a groupoid.

        All that is computed with a system asks for it, so it is here that single precision is
        refused: runs, geometry, control and reports alike.
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
    def controlled_name(self) -> str:
        """Name of the system that a control drives here (`inputs.driven`); empty without one."""
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
        """The kebab-case name that the command line uses."""
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", cls.__name__)
        return words.lower()

    def parameters(self) -> dict[str, object]:
        """The parameters by name, as plain numbers and lists."""
        return named_values(self)

    def leaf_name(self, path: tuple[Any, ...]) -> str:
        """What the parameter is called that JAX finds at a path of this PyTree."""
        return getattr(path[0], "name", "")

    @classmethod
    def parameter_table(cls) -> list[tuple[str, object, str, str]]:
        """Rows (name, default, unit, documentation) for help texts."""
        rows = []
        for f in dataclasses.fields(cls):
            spec = f.metadata.get(PARAMETER, Spec())
            default = None if f.default is dataclasses.MISSING else f.default
            if f.default_factory is not dataclasses.MISSING:
                default = plain(f.default_factory())
            rows.append((f.name, default, spec.unit, spec.doc))
        return rows

    def with_parameters(self: S, **changes: object) -> S:
        """A copy with some parameters changed, checked like a new one."""
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

    Give `mass` (a field or a property: a (dim, dim) matrix) and `potential(q)`. The explicit
    forms of the methods then apply by themselves.
    """

    mass: ClassVar[jax.Array]  # no field, but a subclass may make it one

    def __check_init__(self) -> None:
        fields = [f.name for f in dataclasses.fields(self)]
        if not hasattr(type(self), "mass") and "mass" not in fields:
            raise UsageError(f"{type(self).__name__} must define `mass`, a constant matrix")
        if type(self).lagrangian is not MechanicalSystem.lagrangian:
            # mass and potential are what the methods read: another Lagrangian would be ignored
            raise UsageError(
                f"{type(self).__name__} must not define `lagrangian` beside `mass` and "
                "`potential`; for another Lagrangian derive it from System"
            )

    def potential(self, q: Point) -> jax.Array:
        """V(q), a scalar."""
        return jnp.zeros(())

    @property
    def mass_matrix(self) -> jax.Array:
        """The mass matrix as a double array, whatever the user wrote it as."""
        return jnp.asarray(self.mass, dtype=float)

    @property
    def has_potential(self) -> bool:
        """Whether there is a potential at all."""
        return overrides(self, "potential", MechanicalSystem)

    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        return 0.5 * v @ (self.mass_matrix @ v) - self.potential(q)


def as_arrays(system: M, *, tables: bool = True) -> tuple[M, M]:
    """Split a system into its parameters, as double arrays that JAX traces, and the static rest.

    Tables of known numbers lie in memory, for native code (`compile.lookup`), unless `tables` is
    False: where XLA computes, or JAX differentiates.

    Put together again by `equinox.combine`. A whole number given for a field annotated `float`
    counts as a parameter, so that `m=1` and `m=1.0` share one compilation.
    """
    system = held(system) if tables else system
    annotated_float = {f.name for f in dataclasses.fields(system) if f.type in (float, "float")}

    def convert(path: tuple[object, ...], leaf: object) -> object:
        name = getattr(path[0], "name", None)
        whole = isinstance(leaf, int) and not isinstance(leaf, bool) and name in annotated_float
        if isinstance(leaf, Place):
            return leaf
        if isinstance(leaf, jax.Array):
            return leaf if leaf.dtype == float or not _is_floating(leaf) else leaf.astype(float)
        real = isinstance(leaf, (float, np.floating)) or (
            isinstance(leaf, np.ndarray) and _is_floating(leaf)
        )
        return np.asarray(leaf, dtype=float) if whole or real else leaf

    system = jax.tree_util.tree_map_with_path(convert, system)
    dynamic, static = eqx.partition(system, _is_array)
    try:
        hash(static)
    except TypeError:
        raise _unhashable(static) from None
    return dynamic, static


def _unhashable(static: eqx.Module) -> UsageError:
    """What to say of fields that code cannot be kept under."""
    for f in dataclasses.fields(static):
        value = getattr(static, f.name, None)
        try:
            hash(value)
        except TypeError:
            return UsageError(
                f"{type(static).__name__}.{f.name} is a {type(value).__name__}, which may change "
                "where nobody sees it: give numbers as one array, or as fields of their own, and "
                "all else as a tuple"
            )
    return UsageError(f"{type(static).__name__} has a field that cannot be hashed")


def _is_floating(x: Any) -> bool:
    return jnp.issubdtype(x.dtype, jnp.floating)


def _is_array(x: Any) -> bool:
    return isinstance(x, (jax.Array, np.ndarray))


def check_precision() -> None:
    """Raise a `UsageError` where JAX computes in single precision."""
    if not jax.config.jax_enable_x64:  # pyright: ignore[reportAttributeAccessIssue]
        raise UsageError(
            "double precision is switched off in JAX, and nothing here means anything without: "
            'jax.config.update("jax_enable_x64", True)'
        )


def compiled_call(function: Callable[..., T], system: eqx.Module, *args: object) -> T:
    """function(system, *args) under jit, compiled once for all parameters of the system.

    Parameters and arrays among the arguments are traced. The function, the rest of the system and
    the rest of the arguments are what the compiled code is kept under: they are compared by `==`,
    so pass named functions or frozen dataclasses, not closures made anew in every call. It is for
    what runs a few times only: compiled in a third of the time, to slower code.
    """
    check_precision()
    if is_traced((system, args)):  # JAX knows no options of what is compiled inside of more
        return function(system, *args)
    # with the code of the class in the key: an edited one is another function
    code = CodeKey(code_of(system))
    found = _compiled()(function, code, *as_arrays(system, tables=False), *args)
    code.settle()
    return found


def code_of(system: eqx.Module) -> tuple[object, ...]:
    """What a system's code is: its class; functions, modules and others' objects in fields."""
    found: list[object] = [type(system)]
    # a user's own `==` may call systems equal that have other fields
    own_equality = type(system).__eq__ is not eqx.Module.__eq__

    def look(item: object) -> None:
        if isinstance(item, eqx.Module):
            found.extend(code_of(item))
        elif isinstance(item, (tuple, list)):
            for x in item:
                look(x)
        elif callable(item) or not is_trusted_class(type(item)):
            found.append(item)
        elif isinstance(item, bool):  # which equals a number
            found.append(bool)
        elif own_equality and not isinstance(item, (float, np.generic)) and not _is_array(item):
            found.append(item)

    for f in dataclasses.fields(system):
        value = getattr(system, f.name, None)
        look(value)
        if f.metadata.get("static") and isinstance(value, float):
            found.append(value if own_equality else float)
    return tuple(found)


def _combined(function, code, parameters, static, *args):
    with tracing_once():
        return function(eqx.combine(parameters, static), *args)


@functools.cache
def _compiled() -> Callable[..., Any]:
    options: dict[str, Any] = {"compiler_options": quick_options()}
    return eqx.filter_jit(_combined, **options)


def is_traced(tree: object) -> bool:
    """Whether any leaf is a tracer of a JAX transformation."""
    return any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(tree))


def a_number() -> jax.Array:
    """One that is traced inside of a `jit`; elsewhere nothing is compiled for it."""
    return jax.device_put(np.zeros(()))


def overrides(system: System, method: str, base: type = System) -> bool:
    """Whether a system writes this method itself, as a method or as a field that holds one."""
    as_field = any(f.name == method for f in dataclasses.fields(system))
    return as_field or getattr(type(system), method) is not getattr(base, method)
