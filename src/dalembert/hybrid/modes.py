"""Hybrid systems: modes on one configuration space Q, and the transitions between them.

    wall = bounce("ice", lambda q: 1.0 - q[0], restitution=0.8)
    Modes({"ice": da.systems.ChaplyginSleigh()}, wall)

A mode is a system with its own constraints. A mode ends where a guard g(t, q, v) goes through zero,
or at a given time. Then the velocity jumps, by default onto the constraints of the next mode.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Protocol, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.tracing import shape_of
from ..dynamics import linear_constraint, multipliers
from ..errors import UsageError, unknown_name
from ..groupoids import move
from ..inputs import holding
from ..linalg import Scalar, Vector
from ..methods import Method
from ..system import Point, System, is_traced
from .jumps import jump_velocity

_NOT_TRACED = jax.errors.TracerArrayConversionError, jax.errors.TracerIntegerConversionError
ANY = "*"  # as a source: matches every mode

GuardFunction: TypeAlias = Callable[..., Any]  # (t, q, v) -> number
Gap: TypeAlias = Callable[..., Any]  # (q) or (t, q) -> number, not negative where q is allowed


class ModeGuard(Protocol):
    """A guard whose value depends on the system of the mode, not only on (t, q, v)."""

    def value(self, system: Any, t: Scalar, q: Point, v: Vector) -> Scalar:
        """Return the value of the guard in the mode of `system`."""
        ...


# -- guards and jumps of the library -------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Reaction:
    """A guard: the reaction of the constraint `row` of the mode, along the gradient of the gap.

    This is the part of the reaction force that belongs to the row, projected on d(gap). It is
    positive while the constraint pushes the system away from negative gaps.
    """

    gap: Gap
    row: int = 0

    def value(self, system: System, t: Scalar, q: Point, v: Vector) -> Scalar:
        """Return lam_row <mu_row, d(gap)> / |d(gap)|, with the force mu^T lam."""
        normal, _ = _gap_rows(self.gap, system, t, q)
        mu = linear_constraint(system, q, t)[self.row]
        along = mu @ normal[0] / jnp.sqrt(normal[0] @ normal[0])
        return multipliers(system, q, v, t)[self.row] * along


@dataclasses.dataclass(frozen=True)
class Approach:
    """A condition: whether a gap closes faster than `speed`, or not faster (`faster=False`)."""

    gap: Gap
    speed: float
    faster: bool = True

    def value(self, system: System, t: Scalar, q: Point, v: Vector) -> jax.Array:
        """Return whether -d(gap)/dt > speed (or its negation)."""
        rows, offset = _gap_rows(self.gap, system, t, q)
        return ((offset - rows @ v)[0] > self.speed) == self.faster


@dataclasses.dataclass(frozen=True)
class Impact:
    """A jump: d(gap) v+ = -e d(gap) v-, and the constraints of the next mode hold.

    This is Newton's rule of impact. The wall may move: gap(t, q).
    """

    gap: Gap
    restitution: float = 1.0

    def __post_init__(self) -> None:
        e = self.restitution
        if is_traced(e):
            raise UsageError(
                "a restitution must be a constant here: it is not a parameter of the system, so "
                "that JAX cannot differentiate or map over it. Make it a coordinate that stays "
                "constant, and write the jump, Transition(..., jump=lambda t, q, v: ...), that "
                "reads it from q"
            )
        if not isinstance(e, (int, float)) or not 0.0 <= e <= 1.0:
            raise UsageError(f"a coefficient of restitution lies between 0 and 1, got {e!r}")

    def after(self, system: System, t: Scalar, q: Point, v: Vector) -> Vector:
        """Return the velocity after the jump; `system` is the next mode."""
        rows, offset = _gap_rows(self.gap, system, t, q)
        return jump_velocity(system, q, v, rows, self.restitution, t=t, offset=offset)


@dataclasses.dataclass(frozen=True)
class Kick:
    """A jump: an external impulse, given as a covector or as a function (t, q, v) of one.

    The constraints of the next mode react to it: (6.16), (6.17) [C02].
    """

    impulse: Any

    def after(self, system: System, t: Scalar, q: Point, v: Vector) -> Vector:
        """Return the velocity after the jump; `system` is the next mode."""
        P = self.impulse(t, q, v) if callable(self.impulse) else self.impulse
        P = jnp.asarray(P, dtype=float)
        if P.shape != (system.dim,):
            raise UsageError(
                f"an impulse has an entry for each velocity, shape ({system.dim},); got {P.shape}"
            )
        return jump_velocity(system, q, v, t=t, external=P)


def _gap_rows(gap: Gap, system: System, t: Scalar, q: Point) -> tuple[jax.Array, jax.Array]:
    """Return (rows, offset) with d(gap)/dt = rows v - offset, for one gap."""
    at = _of_time(gap)
    rows = jax.jacfwd(lambda w: at(t, move(system.groupoid, q, w)))(jnp.zeros(system.dim))
    _, rate = jax.jvp(lambda s: at(s, q), (t,), (jnp.ones_like(t),))
    return rows[None], -rate[None]


def _of_time(gap: Gap) -> Callable[[Any, Any], Any]:
    """Return the gap as a scalar function of (t, q); a gap of shape (1,) is accepted."""
    given = (lambda t, q: gap(q)) if _takes(gap) == 1 else gap
    return lambda t, q: jnp.reshape(jnp.asarray(given(t, q), dtype=float), ())


def _takes(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds and p.default is p.empty for p in parameters)


# -- transitions ---------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Transition:
    """A transition from one mode to another (or to itself), at a zero of a guard or at given times.

    Args:
        source: the mode that ends, several of them, or "*" for all.
        target: the mode that begins; None for the same one.
        guard: g(t, q, v); the mode ends where it goes through zero.
        direction: -1 takes zeros at which g decreases, 1 those at which it increases, 0 both. With
            a direction, the mode lies on one side of the guard. A run that begins on the other
            side is refused. A jump that leads to the other side continues to the target at once.
        at: times, instead of a guard.
        jump: the change of the velocity. None projects the velocity onto the constraints of the
            target; else `Impact`, `Kick`, or your own function (t, q, v) -> v+ or (q+, v+). A guard
            or a jump that reads parameters of the systems, for `over=` and derivatives, is an
            object with `value(system, t, q, v)` or `after(system, t, q, v)`, which returns v+.
        when: a condition (t, q, v) -> bool that must hold at the zero, for guards with the same
            zero and different targets. If no condition holds, a one-sided guard is an error, and
            any other guard is ignored.
        name: the name of the transition in lists of jumps, by default "source to target".
        one_sided: False if the mode may be on both sides of a guard with a direction (the
            highest point of a flight: v[1] decreases through zero, and may be negative before).

    A guard ends the mode when it changes its sign, and also when it reaches zero at a finite rate
    and turns back, as |slip| does. A guard that is flat at zero is refused. A guard that slows down
    and only touches zero causes a warning. A zero between two rows is found if the rows before show
    that the guard decreases to zero within the step, even if the step itself fails or leads past
    the zero. If a guard changes too fast to show this, take a smaller h.

    If several guards vanish at the same instant, the transition declared first is taken (among
    those whose `when` holds). The others are checked in the mode that it leads to.
    """

    source: str | tuple[str, ...]
    target: str | None = None
    guard: GuardFunction | ModeGuard | None = None
    direction: int = 0
    at: float | Iterable[float] = ()
    jump: Any = None
    name: str = ""
    one_sided: bool = True
    when: Any = None

    def __post_init__(self) -> None:
        who = f"Transition '{self.title}'"
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"{who}: direction must be 1, -1 or 0, got {self.direction!r}")
        times = self.at if isinstance(self.at, Iterable) else (self.at,)
        try:
            result = tuple(sorted(float(x) for x in times))
        except (TypeError, ValueError):
            raise UsageError(f"{who}: `at` takes times, got {self.at!r}") from None
        if not all(map(math.isfinite, result)):
            raise UsageError(f"{who}: times must be finite, got {self.at}")
        object.__setattr__(self, "at", result)
        if (self.guard is None) == (not self.at):
            raise UsageError(f"{who} needs either a guard or times `at`")
        if self.guard is not None and not hasattr(self.guard, "value"):
            if not callable(self.guard):
                raise UsageError(f"{who}: a guard is a function (t, q, v) -> number")
        if self.when is not None and not callable(self.when) and not hasattr(self.when, "value"):
            raise UsageError(f"{who}: `when` is a function (t, q, v) -> bool, got {self.when!r}")
        if self.jump is not None and not callable(self.jump) and not hasattr(self.jump, "after"):
            raise UsageError(
                f"{who}: a jump is a function (t, q, v) -> v or (q, v), Impact(...), Kick(...), or "
                f"None for the projection onto the next mode; got {self.jump!r}"
            )

    @property
    def times(self) -> tuple[float, ...]:
        """The given times at which the transition is taken, in order."""
        return tuple(self.at) if isinstance(self.at, Iterable) else (self.at,)

    @property
    def sources(self) -> tuple[str, ...]:
        """The modes that the transition ends."""
        return (self.source,) if isinstance(self.source, str) else tuple(self.source)

    @property
    def title(self) -> str:
        """The name, or one made from the names of the modes."""
        if self.name:
            return self.name
        end = "" if self.target is None else f" to {self.target}"
        return f"{' or '.join(self.sources)}{end}"

    def ends(self, mode: str) -> bool:
        """Return whether the transition ends this mode."""
        return ANY in self.sources or mode in self.sources

    def holds(self, system: System, t: Scalar, q: Point, v: Vector) -> jax.Array:
        """Return whether `when` holds, in the mode of `system`."""
        if self.when is None:
            return jnp.asarray(True)
        own = not hasattr(self.when, "value")
        result = self.when(t, q, v) if own else self.when.value(system, t, q, v)
        return jnp.reshape(jnp.asarray(result, dtype=bool), ())

    def after(self, system: System, t: Scalar, q: Point, v: Vector) -> tuple[Point, Vector]:
        """Return (q+, v+); `system` is the next mode."""
        if self.jump is None:
            return q, (jump_velocity(system, q, v, t=t) if system.is_constrained else v)
        if hasattr(self.jump, "after"):
            return q, self.jump.after(system, t, q, v)
        result: Any = self.jump(t, q, v)
        moved = isinstance(result, tuple) and len(result) == 2
        both = result if moved else (q, result)
        return jax.tree.map(lambda x: jnp.asarray(x, dtype=float), both)


def bounce(
    mode: str,
    gap: Gap,
    restitution: float = 1.0,
    *,
    rest: str | None = None,
    slower_than: float = 0.0,
    row: int = 0,
    name: str = "",
) -> tuple[Transition, ...]:
    """Return the transitions of a wall: gap(q), or gap(t, q), rebounds at zero with `restitution`.

    The constraints of the mode hold during the impact. `rest` names a mode in which the gap remains
    closed. An approach with a speed below `slower_than` leads to `rest`, so that bounces do not
    accumulate. The mode `rest` ends when the reaction of its constraint `row` would have to pull,
    as for `contact`.
    """
    check_gap(gap)
    title = name or "bounce"
    jump, guard = Impact(gap, restitution), _GapGuard(gap)
    if rest is None:
        return (Transition(mode, None, guard, -1, jump=jump, name=title),)
    if not slower_than > 0.0:
        raise UsageError(f"bounce with rest={rest!r} needs slower_than, a speed above zero")
    fast, slow = (Approach(gap, float(slower_than), x) for x in (True, False))
    touch, lift = contact(mode, rest, gap, row=row, name=name)
    return (
        Transition(mode, None, guard, -1, jump=jump, name=title, when=fast),
        dataclasses.replace(touch, when=slow),
        lift,
    )


def contact(
    free: str, held: str, gap: Gap, *, row: int = 0, name: str = ""
) -> tuple[Transition, Transition]:
    """Return the transitions of a unilateral constraint gap(q) >= 0, between `free` and `held`.

    When the gap closes, the velocity is projected onto the constraints of `held`. The mode `held`
    ends when the reaction of its constraint `row` (holonomic functions come first) would have to
    pull. That row is d(gap), or a multiple of it.
    """
    check_gap(gap)
    label = f" {name}" if name else ""
    touch = Transition(free, held, _GapGuard(gap), -1, name=f"touch{label}")
    lift = Transition(held, free, Reaction(gap, row), -1, name=f"lift-off{label}")
    return touch, lift


def kick(
    mode: str | tuple[str, ...],
    impulse: Any,
    *,
    at: Any = (),
    guard: GuardFunction | None = None,
    direction: int = 0,
    target: str | None = None,
    name: str = "",
) -> Transition:
    """Return the transition of an external impulse, at given times or at a guard.

    `impulse` is a covector or a function (t, q, v) of one. The reactions of the constraints act
    together with it, so that the constraints hold afterwards.
    """
    how = Kick(impulse if callable(impulse) else np.asarray(impulse, dtype=float))
    return Transition(mode, target, guard, direction, at, how, name or "kick")


def check_gap(gap: Any) -> None:
    """Raise `UsageError` unless the gap is a function of (q) or of (t, q)."""
    if not callable(gap) or _takes(gap) not in (1, 2):
        raise UsageError(f"a gap is a function of (q), or of (t, q), got {gap!r}")


@dataclasses.dataclass(frozen=True)
class _GapGuard:
    gap: Gap

    def __call__(self, t: Scalar, q: Point, v: Vector) -> Scalar:
        return _of_time(self.gap)(t, q)


# -- modes ---------------------------------------------------------------------------------------


class Modes:
    """Named systems on the same space, and the transitions between them (lists may be nested).

    `start`, a tuple (mode, q0, v0), is the default beginning of a run. `name` is the name of the
    hybrid system in results.
    """

    decides: ClassVar[bool] = False  # whether `decided` chooses what follows a guard
    one_program: ClassVar[bool] = False  # whether modes differ in numbers only and share their code

    def __init__(
        self,
        systems: Mapping[str, System],
        transitions: Any = (),
        *,
        start: tuple[str, Any, Any] | None = None,
        name: str = "",
    ) -> None:
        if not isinstance(systems, Mapping) or not systems:
            raise UsageError('Modes takes names and systems: Modes({"air": ball}, ...)')
        for key, system in systems.items():
            if not isinstance(key, str) or not re.fullmatch(r"[\w ,.-]+", key):
                raise UsageError(
                    f"{key!r} is not a valid name of a mode (letters, digits, ' ', , . - _)"
                )
            if not isinstance(system, System):
                hint = f"; make one: {system.__name__}()" if isinstance(system, type) else ""
                raise UsageError(f"mode '{key}' must be a System, got {system!r}{hint}")
        self.systems: dict[str, System] = dict(systems)
        self.names = tuple(systems)
        self._check_spaces()
        given = (transitions,) if isinstance(transitions, Transition) else transitions
        self.transitions = tuple(_flattened(given))
        for transition in self.transitions:
            self._check(transition)
        self.start = start
        if start is not None:
            self.system(start[0])
        self.name = name or " + ".join(self.names)

    def _check_spaces(self) -> None:
        first, one = next(iter(self.systems.items()))
        for key, system in self.systems.items():
            if system.space != one.space or system.dim != one.dim:
                raise UsageError(
                    f"modes share one space Q: '{first}' has {one.space}, and '{key}' has "
                    f"{system.space}. Write both on the larger space, and fix what does not move "
                    "in a mode by a constraint"
                )

    def _check(self, transition: Transition) -> None:
        for mode in (*transition.sources, transition.target):
            if mode is not None and mode != ANY:
                self.system(mode)
        if transition.target == ANY:
            raise UsageError(f"transition '{transition.title}': '{ANY}' is not a mode")
        for mode in self.names:
            if transition.ends(mode):
                self._check_guard(transition, mode)
                target = self.system(transition.target or mode)
                _check_functions(transition, self.system(mode), target)
                if target.is_nonlinear and not _is_own(transition.jump):
                    raise UsageError(
                        f"transition '{transition.title}': {target.name()} has a constraint that "
                        "is nonlinear in v, so that no jump onto it is determined; give jump=, a "
                        "function (t, q, v) -> v of your own"
                    )

    def _check_guard(self, transition: Transition, mode: str) -> None:
        if transition.guard is None:
            return
        system, who = self.system(mode), f"the guard of '{transition.title}'"
        t, q, v = jnp.zeros(()), system.groupoid.base.identity(), jnp.zeros(system.dim)
        if isinstance(transition.guard, Reaction):
            rows = jax.eval_shape(lambda: linear_constraint(system, q, t)).shape[0]
            if not -rows <= transition.guard.row < rows:
                raise UsageError(
                    f"{who} reads the reaction of row {transition.guard.row} of mode '{mode}', "
                    f"which has {rows} constraints"
                )
        value = _shapes(f"{who} takes (t, q, v)", guard_value, transition.guard, system, t, q, v)
        if value.shape != ():
            raise UsageError(f"{who} must return one number, got shape {value.shape}")

    def simulated(self, method: Any, q0: Any, v0: Any, **options: Any) -> Any:
        """Run `da.simulate(modes, method, ...)`; a mode may be in the place of the method."""
        from .hybrid_api import simulate

        method, q0, v0 = self._resolved(method, q0, v0, options)
        if "q1" in options:
            raise UsageError(
                "a hybrid run starts from (q0, v0) in a mode, not from a pair of points"
            )
        return simulate(self, options.pop("mode", None), q0, v0, method=method, **options)

    def simulated_members(self, method: Any, q0: Any, v0: Any, **options: Any) -> Any:
        """Run `da.simulate_ensemble(modes, ...)`, with the arguments of `simulated`."""
        from .hybrid_ensemble import simulate_ensemble

        method, q0, v0 = self._resolved(method, q0, v0, options)
        for name in ("keep", "reduce", "devices"):
            if name in options:
                raise UsageError(f"hybrid ensembles take no {name}=; save= takes sinks by name")
        return simulate_ensemble(self, options.pop("mode", None), q0, v0, method=method, **options)

    @staticmethod
    def _resolved(
        method: Any, q0: Any, v0: Any, options: dict[str, Any]
    ) -> tuple[Method | Mapping[str, Method] | None, Any, Any]:
        """Return method, q0 and v0; a mode in the place of the method goes into the options."""
        if isinstance(method, str):
            if "mode" in options:
                raise UsageError("give the mode once: da.simulate(modes, 'air', q0, v0, ...)")
            options["mode"], method = method, None
        elif method is not None and not isinstance(method, (Method, Mapping)):
            method, q0, v0 = None, method, q0 if v0 is None else v0
        return method, q0, v0

    def sensitivities(self, q0: Any, v0: Any, *, mode: str | None = None, **options: Any) -> Any:
        """Run `hybrid.sensitivities`, for `da.sensitivities(modes, ...)`."""
        from .hybrid_flow import sensitivities

        return sensitivities(self, mode, q0, v0, **options)

    def with_systems(self, systems: Mapping[str, System]) -> Modes:
        """Return a copy with other systems in its modes."""
        return Modes(systems, self.transitions, start=self.start, name=self.name)

    def with_transitions(self, more: Iterable[Transition]) -> Modes:
        """Return a copy with further transitions."""
        return Modes(self.systems, (*self.transitions, *more), start=self.start, name=self.name)

    def fresh(self) -> Modes:
        """Return the modes for one run; a copy for classes that add modes during a run."""
        return self

    def met(self, names: tuple[str, ...]) -> Modes:
        """Return the modes of a run that has added modes with these names."""
        return self

    def standing(self) -> dict[str, np.ndarray]:
        """Return the arrays from which a resumed run restores modes that it has added."""
        return {}

    def resumed(self, names: tuple[str, ...], standing: Mapping[str, np.ndarray]) -> Modes:
        """Return the modes of a run that is resumed, from what `standing` returned at its end."""
        if self.decides:
            raise UsageError(
                "a run across singular points (across_ranks) cannot be resumed: run it again "
                "with a later end"
            )
        return self

    def contacts_in(self, mode: str) -> dict[str, str]:
        """Return what each contact with friction does in a mode: "holds", "slides", "is open"."""
        return {}

    def started(self, mode: str | None, q0: Any, v0: Any, t0: float) -> tuple[str, Any, Any]:
        """Return (mode, q0, v0) of a run, from the arguments of the user or from `start`."""
        if mode is None and q0 is None and v0 is None:
            if self.start is None:
                raise UsageError("give a mode, q0 and v0: these modes name no start")
            mode, q0, v0 = self.start
        if mode is None and len(self.names) == 1:
            mode = self.names[0]
        if mode is None or q0 is None or v0 is None:
            raise UsageError(
                f"give a mode ({', '.join(self.names)}), q0 and v0: either all three or none"
            )
        return mode, q0, v0

    def decided(
        self, mode: str, candidates: Any, t: float, q: Point, v: Any, h: float
    ) -> Any | None:
        """Return how a run continues after a guard, if its modes are decided; None: as declared."""
        return None

    def guards_of(self, stepper: Any, mode: str) -> Any:
        """Return the object that finds the end of a mode in place of its guards, or None."""
        return None

    def hold(self, u: np.ndarray) -> None:
        """Let these inputs act from now on, in all modes that have a constant control."""
        self.systems = {k: holding(x, u) for k, x in self.systems.items()}

    def driven(self, u: Any) -> Modes | None:
        """Return the modes with the control u, or None if each mode takes a separate control."""
        return None

    def system(self, mode: str) -> System:
        """Return the system of a mode."""
        if mode not in self.systems:
            raise unknown_name("mode", mode if isinstance(mode, str) else repr(mode), self.names)
        return self.systems[mode]

    def leaving(self, mode: str) -> tuple[Transition, ...]:
        """Return the transitions that end a mode by a guard, in the order of declaration."""
        return tuple(x for x in self.transitions if x.guard is not None and x.ends(mode))

    def __repr__(self) -> str:
        text = ", ".join(f"{k}: {x.name()}" for k, x in self.systems.items())
        return f"<Modes {text}; {len(self.transitions)} transitions>"


def _check_functions(transition: Transition, source: System, target: System) -> None:
    """Raise `UsageError` if a user's `when` or `jump` returns wrong shapes, before any run."""
    t, q, v = jnp.zeros(()), source.groupoid.base.identity(), jnp.zeros(source.dim)
    who = f"transition '{transition.title}'"
    if transition.when is not None:
        _shapes(
            f"{who}: `when` takes (t, q, v) and gives one bool", transition.holds, source, t, q, v
        )
    how = transition.jump
    if _is_own(how) or isinstance(how, Kick):
        what = f"{who}: its jump takes (t, q, v)"
        result = _shapes(what, transition.after, target, t, q, v)
        shapes = [jax.tree.map(jnp.shape, x) for x in ((q, v), result)]
        if shapes[0] != shapes[1]:
            raise UsageError(
                f"{who}: its jump gives (q, v) of the shapes {shapes[1]}, not {shapes[0]}"
            )


def _shapes(told: str, function: Callable[..., Any], *given: Any) -> Any:
    """Return the output shapes of a user's function; `told` begins the error message."""
    try:
        return shape_of(lambda: function(*given))
    except UsageError:
        raise
    except Exception as error:
        why = str(error).strip().partition("\n")[0]
        if isinstance(error, (jax.errors.ConcretizationTypeError, *_NOT_TRACED)):
            why = f"{why.rstrip('.')}. Write it with jax.numpy (jnp.sin for np.sin, no float())"
        raise UsageError(f"{told}: {type(error).__name__}: {why}") from error


def guard_value(guard: Any, system: System, t: Scalar, q: Point, v: Vector) -> Scalar:
    """Return the value of a guard in a mode."""
    own = hasattr(guard, "value")  # a guard that needs the system of the mode
    value = guard.value(system, t, q, v) if own else guard(t, q, v)
    return jnp.asarray(value, dtype=float)


def _is_own(jump: Any) -> bool:
    return jump is not None and not hasattr(jump, "after")


def _flattened(transitions: Any) -> Iterable[Transition]:
    """Yield the transitions of nested lists: `contact` and `bounce` return tuples."""
    for x in transitions:
        if isinstance(x, Transition):
            yield x
        elif isinstance(x, (list, tuple)):
            yield from _flattened(x)
        else:
            raise UsageError(f"Modes takes transitions, got {x!r}")
