"""`across_ranks`: hybrid modes of a system whose constraint changes its rank.

A mode has an orthonormal basis of the constraint's rows, so that a step is accurate even if a row
fades or rows become parallel. Modes are added during the run. A mode ends at a singular point,
which `rank_guards` finds. There `singular_exits` computes all velocities with which the motion can
continue. If there is exactly one, the run continues with it. If there are several, or none, the run
ends with a message that lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..dynamics import (
    consistent_velocity,
    constraint_residual,
    energy,
    holonomic_rows,
    metric,
    momentum,
)
from ..errors import SimulationError, UsageError
from ..geometry.distribution.rank_change import Codistribution, Crossing, Limit, MovingRows, Rank
from ..inputs import driven, holding
from ..request.rank_loss import rank_left
from ..system import Point, System, compiled_call, variant, variant_class
from .contact_modes import OfAnotherMotion
from .jumps import jump_velocity, made
from .modes import ANY, Modes, Transition
from .rank_guards import RankGuards
from .rough_modes import Decision
from .singular_exits import OF_RUNS, Exit, Exits, exits_at

Choose = Callable[[Exits], Exit]
Solve = Callable[[Codistribution, Point, np.ndarray, float], Exits]

_SMALLEST = 1e-290  # entries of a row below this have lost digits to underflow
_ROUND_OFF = 64.0 * float(np.finfo(float).eps)
_OFF_LIMIT = 1e-6  # largest relative distance from its limit at which a row is used
# steps over which limits of the constraint are taken, tried in order
_REACHES = (16.0, 128.0, 1024.0)


def across_ranks(
    system: System,
    *,
    choose: Choose | None = None,
    reach: float | None = None,
    name: str = "",
) -> RankModes:
    """Return the modes of a system whose constraint changes its rank at singular points.

        particle = da.systems.ParticleWithFadingConstraint()  # free for x < 0, on lines for x > 0
        modes = da.hybrid.across_ranks(particle)
        run = da.simulate(modes, [-1.0, 1.0], [1.0, 0.0], h=0.05, t=2.0)
        [(jump.t, jump.source, jump.target) for jump in run.jumps]  # 1.0, 'rank 0', 'rank 1'

    No mode and no guard needs to be declared. At a singular point the rank of the rows of
    `constraint` changes: 2.2 and 6.1 [C02]. This point is located like an event, by shortened
    steps, and the velocity after it is that of (6.14) [C02], if it is unique (`jump_across`). A
    mode is named by its rank, and by its rows if these are not all.

    Args:
        system: a system with a constraint. If the constraint is nonlinear in v, the rows are its
            reaction directions dphi/dv. At a singular point the run continues only if v satisfies
            the constraint behind the point as well. Otherwise it ends, because no jump is
            determined: the direction of the reaction would turn during the jump.
        choose: a function of `Exits` that returns one of `exits`, for points with several; without
            it the run ends there with a `SimulationError` that lists them.
        reach: the time over which the limits of the constraint at a singular point are taken, see
            `Codistribution.limit`; by default 16 steps, then 128 and 1024 if these do not suffice.

    If a row underflows before it vanishes, as exp(-1/x^2) does at x = 0.037, its direction is
    assumed constant from there on.
    """
    if not isinstance(system, System):
        raise UsageError(f"across_ranks takes a system, got {system!r}")
    if not system.is_constrained:
        raise UsageError(f"{system.name()} has no constraint whose rank could change")
    if choose is not None and not callable(choose):
        raise UsageError(f"choose must be a function of the exits, got {choose!r}")
    if reach is not None and not (isinstance(reach, (int, float)) and reach > 0.0):
        raise UsageError(f"reach must be a positive time, got {reach!r}")
    return RankModes(system, choose, reach, name or system.name())


class RankModes(Modes):
    """Modes that are bases of a constraint; `names` has those that have occurred."""

    decides = True

    def __init__(
        self,
        system: System,
        choose: Choose | None,
        reach: float | None,
        name: str,
        met: Iterable[str] = (),
        D: Codistribution | None = None,
    ) -> None:
        self.source, self.choose, self.reach = system, choose, reach
        self.D = _rows_along(system) if D is None else D
        self.sizes: np.ndarray | None = None  # the largest length of each row so far
        q = system.groupoid.base.identity()
        self.held = int(system.holonomic(q).shape[0]) if system.has_holonomic else 0
        facts = jax.eval_shape(constraint_residual, system, q, jnp.zeros(system.dim), 0.0)
        self.rows = int(facts.shape[0]) - self.held
        self.passing = Transition(ANY, None, _no_guard, name="singular point")
        result = list(met) or [mode_name(range(self.rows), self.rows)]
        systems = {x: of_rank(system, rows_of(x, self.rows) or ()) for x in result}
        super().__init__(systems, (), name=name)
        self.transitions = (self.passing,)

    # -- interface of `Modes` ------------------------------------------------------------------

    def fresh(self) -> RankModes:
        """Return a copy for one run, which adds modes as they occur."""
        return self._like(())

    def met(self, names: tuple[str, ...]) -> RankModes:
        """Return the modes of a run that has added modes with these names."""
        return self._like(names)

    def _like(self, names: Iterable[str]) -> RankModes:
        return RankModes(self.source, self.choose, self.reach, self.name, names, self.D)

    def with_transitions(self, more: Iterable[Transition]) -> RankModes:
        """Return the same modes with further transitions, for events."""
        made = self._like(self.names)
        for mode in made.names:
            made.systems[mode] = self.systems[mode]
        for transition in more:
            made._check(transition)
        made.transitions = (*made.transitions, *more)
        return made

    def with_parameters(self, **values: Any) -> RankModes:
        """Return the modes of the system with other parameter values."""
        return across_ranks(
            self.source.with_parameters(**values),
            choose=self.choose,
            reach=self.reach,
            name=self.name,
        )

    def driven(self, u: Any) -> RankModes:
        """Return the modes with a control."""
        return RankModes(driven(self.source, u), self.choose, self.reach, self.name)

    def hold(self, u: np.ndarray) -> None:
        self.source = holding(self.source, u)
        super().hold(u)

    def leaving(self, mode: str) -> tuple[Transition, ...]:
        """Return the transitions that are found by guards: those of events."""
        return tuple(x for x in super().leaving(mode) if x is not self.passing)

    def system(self, mode: str) -> System:
        """Return the system of a mode."""
        if mode not in self.systems and isinstance(mode, str):
            rows = rows_of(mode, self.rows)
            if rows is not None:
                self._add(mode, of_rank(self.source, rows))
        return super().system(mode)

    def guards_of(self, stepper: Any, mode: str) -> RankGuards:
        """Return the guards that find singular points."""
        rows = rows_of(mode, self.rows)
        every = (*range(self.held), *(self.held + i for i in rows or ()))
        return RankGuards(stepper, self.leaving(mode), self.passing, self, every)

    def started(self, mode: str | None, q0: Any, v0: Any, t0: float) -> tuple[str, Any, Any]:
        """Return (mode, q0, v0) of a run: the mode follows from the rank at q0."""
        if q0 is None and v0 is None:
            q0, v0 = self.source.initial()
        if q0 is None or v0 is None:
            raise UsageError("give both q0 and v0, or neither")
        q = self.source.groupoid.base.check(q0, "q0")
        v, D = np.asarray(v0, dtype=float), self._at_time(t0)
        here = D.at(D.point(t0, q, v))
        if here.undecided:
            rows, system = self._leaving(D, q, v)
        else:
            rows = self._picked(here)
            no_limit = np.zeros((0, self.source.dim)), np.zeros(0)
            point = D.point(t0, q, v)
            system = of_rank(self.source, rows, *self._at(D, point, rows, *no_limit, point))
        result = mode_name(rows, self.rows)
        if mode is not None and mode != result:
            raise UsageError(f"the run would start in a wrong mode: '{mode}', and it is '{result}'")
        self.systems.clear()
        self._add(result, system)
        return result, q0, v0

    def decided(
        self, mode: str, candidates: Any, t: float, q: Point, v: Any, h: float
    ) -> Decision | None:
        """Return how a run continues after a singular point; None: it is not at one."""
        if self.passing not in candidates:
            return None
        v = np.asarray(v, dtype=float)
        point = f"t = {t:.12g}, q = {_told(q)}"
        D = self._at_time(t)
        if not np.any(v):
            raise SimulationError(
                f"the motion comes to rest at a singular point of its constraint, {point}: the "
                "direction in which it continues is not determined"
            )
        solve = _passage if self.source.is_nonlinear else exits_at
        exits, reach = self._exits(solve, D, q, v, h, point)
        crossing = self._crossing(exits.exits[0], D.point(t, q, v))
        if not crossing.case and exits.unique:
            more = (
                ". Several branches of the constraint may meet at this velocity, and it does not "
                "decide between them: write the rows of the branch that the motion is on"
            )
            raise SimulationError(
                f"no step is possible from {point}, which is not a singular point of the "
                f"constraint: its rank is {crossing.at.rank} before, at and after "
                f"it{more if self.source.is_nonlinear else '. A smaller h may help'}"
            )
        if exits.unique:
            chosen = exits.exits[0]
        elif self.choose is not None:
            chosen = self.choose(exits)
            if not isinstance(chosen, Exit):
                raise UsageError(f"choose must return one of exits.exits, got {chosen!r}")
        else:
            raise SimulationError(
                f"a singular point of the constraint is reached at {point}: "
                f"{crossing.told(OF_RUNS)}. {exits.told()}. The constraint does not decide "
                "between them: choose one by across_ranks(system, choose=...)"
            )
        fades = D.at(D.point(t, q, v)).undecided and crossing.after.rank < crossing.before.rank
        if exits.unique and fades and not chosen.jumps:
            # a row that underflows keeps the direction that it has here until it is certainly zero
            before = crossing.before
            rows = rows_of(mode, self.rows) or ()
            at, near = D.point(t, q, v), D.straight(q, v)(-h)
            held = self._at(D, at, rows, before.rows, before.offset, near)
            self._add(mode, of_rank(self.source, rows, *held))
            return Decision(None, mode, self.systems[mode], q, v, 0.0 * v, 0.0, 0.0)
        after = np.asarray(chosen.jump.v_after)
        rows, system = self._behind(D, q, chosen.crossing.after, reach, after)
        if rows:  # project once more: round-off, and the error of the limit
            after = np.asarray(compiled_call(_onto, system, q, jnp.asarray(after), t))
        name = mode_name(rows, self.rows)
        self._add(name, system)
        old = self.systems[mode]
        (p0, E0), (p1, E1) = (
            compiled_call(_measured, x, t, q, jnp.asarray(w))
            for x, w in ((old, v), (system, after))
        )
        impulse = np.asarray(p1) - np.asarray(p0)
        return Decision(self.passing, name, system, q, after, impulse, float(E0), float(E1))

    # -- inside ------------------------------------------------------------------------------

    def _at_time(self, t: float) -> Codistribution:
        """Return the rows around a time, on which they or their right-hand sides may depend."""
        fixed = not self.source.has_offset and type(self.D) is Codistribution
        return self.D if fixed else _rows_along(self.source, t)

    def _add(self, name: str, system: System) -> None:
        self.systems[name] = system
        self.names = tuple(self.systems)

    def _check(self, transition: Transition) -> None:
        if transition is not self.passing:
            super()._check(transition)

    def _picked(self, rank: Rank) -> tuple[int, ...]:
        """Return the rows of `constraint` in a basis, without the holonomic ones."""
        lost = set(range(self.held)) - set(rank.picked)
        if lost:
            raise UsageError(
                f"{self.source.name()}: its holonomic functions are linearly dependent here, but "
                "their rank must be constant: only the rank of `constraint` may change"
            )
        return tuple(sorted(i - self.held for i in rank.picked if i >= self.held))

    def _leaving(
        self, D: Codistribution, q: Point, v: np.ndarray
    ) -> tuple[tuple[int, ...], System]:
        """Return the mode of a run that begins where rows cannot be distinguished from zero."""
        try:
            limit = D.limit(D.straight(q, v), reach=self.reach or 1.0)
        except UsageError as error:
            raise UsageError(f"{error}; or start elsewhere") from None
        return self._behind(D, q, limit, self.reach or 1.0, v)

    # tries the reaches in order; reports the first failure if none works
    def _exits(
        self, solve: Solve, D: Codistribution, q: Point, v: np.ndarray, h: float, point: str
    ) -> tuple[Exits, float]:
        reaches = (self.reach,) if self.reach else tuple(x * h for x in _REACHES)
        failed: UsageError | None = None
        for reach in reaches:
            try:
                result = solve(D, q, v, reach)
            except UsageError as error:
                failed = failed or error
                continue
            return result, reach
        raise SimulationError(
            f"a singular point of the constraint is reached at {point}, and no exit was found: "
            f"{failed}"
        )

    def _crossing(self, exit_: Exit, point: Any) -> Crossing:
        """Return the crossing at a singular point known up to round-off, with the rank there."""
        crossing, points = exit_.crossing, jax.tree.map(lambda x: np.asarray(x)[None], point)
        rank = rank_left(self.D.values(points)[0][0], self.sizes)
        at = crossing.at
        return crossing if at.rank <= rank else crossing._replace(at=at._replace(rank=rank))

    def _behind(
        self, D: Codistribution, q: Point, limit: Limit, reach: float, v: np.ndarray
    ) -> tuple[tuple[int, ...], System]:
        """Return the rows of the mode after a point, and its system with their limits there."""
        line = D.straight(q, v)
        # not too near, where rows can hardly be distinguished from round-off
        for j in (4, 3, 2, 1, 0, *range(5, 24)):
            here = D.at(line(reach * 0.5**j))
            if here.rank == limit.rank and not here.undecided:
                break
        else:
            raise SimulationError(
                f"no point after the singular point {_told(q)} has the rank {limit.rank} of the "
                "limit there: give another reach"
            )
        rows = self._picked(here)
        near = line(reach * 0.5**j)
        held = self._at(D, D.point(D.t, q, v), rows, limit.rows, limit.offset, near)
        return rows, of_rank(self.source, rows, *held)

    def _at(
        self, D: Codistribution, at: Any, rows: tuple[int, ...], limit: Any, offset: Any, near: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the directions and lengths of rows at a point, with limits for rows that vanish.

        The limits are those of the side of the point `near`.
        """
        both = jax.tree.map(lambda *x: np.stack(x), at, near)
        values, bounds = D.values(both)
        every = [*range(self.held), *(self.held + i for i in rows)]
        held, floor = _limits(values[0, every], bounds[0, every], limit, offset, values[1, every])
        return held[self.held :], floor[self.held :]


def _limits(
    values: np.ndarray, bounds: np.ndarray, rows: np.ndarray, offset: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows with right-hand sides, sizes), with limits for rows that may be zero.

    A row is made orthogonal to the rows before it. If the remainder is smaller than the returned
    size, the row takes the remaining direction of the limit, with the sign that it has in the rows
    `near` the point; with the other sign, a multiplier extrapolated from there would be wrong.
    """
    n = values.shape[1]
    held, floor, basis = np.zeros((len(values), n + 1)), np.zeros(len(values)), np.zeros((0, n))
    weak = []
    onto = np.linalg.pinv(rows) @ rows if len(rows) else np.eye(n)
    for i, (a, blur) in enumerate(zip(values, bounds)):
        rest = a - basis.T @ (basis @ a)
        cut = _ROUND_OFF * np.max(np.abs(a), initial=0.0) if len(basis) else 0.0
        floor[i] = max(64.0 * float(np.max(blur, initial=0.0)), cut, _SMALLEST)
        size = np.max(np.abs(rest), initial=0.0)
        safe = rest / (size or 1.0)
        off = np.linalg.norm(safe - onto @ safe) if len(rows) else 0.0
        if off > _OFF_LIMIT:  # the row differs from its limit near the singular point
            floor[i] = max(floor[i], 4.0 * size)
        if size > floor[i]:
            held[i, :n] = rest / size / np.linalg.norm(rest / size)
            basis, floor[i] = np.vstack([basis, held[i, :n]]), _SMALLEST
        else:
            weak.append(i)
    if weak:
        # the part of the limit orthogonal to the known rows, with its right-hand side
        Q, R = np.linalg.qr(rows.T)
        span, target = Q.T, np.linalg.solve(R.T, offset)
        left = span - (span @ basis.T) @ basis
        U, _, V = np.linalg.svd(left)
        U, _, W = np.linalg.svd(V[: len(weak)] @ _orthonormal(near)[weak].T)
        more = W.T @ U.T @ V[: len(weak)]
        held[weak, :n], held[weak, n] = more, (more @ span.T) @ target
    return held, floor


def _orthonormal(rows: np.ndarray) -> np.ndarray:
    """Return the rows made orthonormal in their order, zero where one depends on those before."""
    result = np.zeros((0, rows.shape[1]))
    for a in rows:
        a = a / (np.max(np.abs(a)) or 1.0)
        for _ in range(2):
            a = a - result.T @ (result @ a)
        result = np.vstack([result, a / (np.linalg.norm(a) or 1.0)])
    return result


class _Row(NamedTuple):
    """A row a v = value; if |a| is below `floor`, `held` v = `held_value` takes its place."""

    form: Any
    value: Any
    held: Any = None
    held_value: Any = None
    floor: Any = None  # None: a holonomic row, which does not vanish


def _independent(rows: list[_Row]) -> list[tuple[Any, Any]]:
    """Return rows of length 1 by Gram-Schmidt, with the values that follow."""
    result: list[tuple[Any, Any]] = []
    for a, c, held, held_value, floor in rows:
        for _ in range(2 if result else 0):
            for e, d in result:
                along = a @ e
                a, c = a - along * e, c - along * d
        if floor is not None:
            # treat the size as constant: the result does not depend on it, and its derivative
            # would contain its square, which underflows
            size = lax.stop_gradient(jnp.max(jnp.abs(a)))
            told = size > floor
            safe = jnp.where(told, size, 1.0)
            a, c = jnp.where(told, a / safe, held), jnp.where(told, c / safe, held_value)
        length = jnp.sqrt(jnp.where(jnp.any(a != 0.0), a @ a, 1.0))
        result.append((a / length, c / length))
    return result


def of_rank(
    system: System,
    rows: tuple[int, ...],
    held: np.ndarray | None = None,
    floor: np.ndarray | None = None,
) -> Any:
    """Return the system with an orthonormal basis of some rows of its constraint.

    `held` has directions (and right-hand sides) for rows smaller than `floor`. Rows of a nonlinear
    constraint come after the linear ones.
    """
    q = system.groupoid.base.identity()
    linear = int(jax.eval_shape(system.constraint_at, jnp.zeros(()), q).shape[0])
    cls = _of_rank(type(system), rows, linear)
    held = np.zeros((len(rows), system.dim + 1)) if held is None else held
    floor = np.full(len(rows), _SMALLEST) if floor is None else floor
    return variant(system, cls, held=np.asarray(held, float), floor=np.asarray(floor, float))


# the class of `base` with the rows `chosen` of its constraint, the first `linear` of which are
# linear in v
@variant_class
def _of_rank(base: Any, chosen: tuple[int, ...], linear: int) -> Any:
    mine = tuple(i for i in chosen if i < linear)
    others = tuple(i - linear for i in chosen if i >= linear)

    def below(system: Any, t: Any, q: Point) -> list[_Row]:
        """Return the holonomic rows, and the linear ones of the mode."""
        first = holonomic_rows(system, q) if system.has_holonomic else ()
        rows = [_Row(a, jnp.zeros(())) for a in first]
        if not mine:
            return rows
        own = base.constraint(system, *((t, q) if base.has_timed_constraint else (q,)))
        b = jnp.zeros(linear) if base.offset is System.offset else base.offset(system, t, q)
        held, floor = system.held, system.floor
        more = [_Row(own[i], b[i], held[k, :-1], held[k, -1], floor[k]) for k, i in enumerate(mine)]
        return [*rows, *more]

    def basis(system: Any, t: Any, q: Point) -> tuple[jax.Array, jax.Array]:
        """Return the linear rows of the mode as a basis, with right-hand sides."""
        result = _independent(below(system, t, q))[-len(mine) :]
        return jnp.stack([a for a, _ in result]), jnp.stack([c for _, c in result])

    class OfRank(OfAnotherMotion, base):
        held: Any = None
        floor: Any = None

        if not mine:
            constraint = System.constraint
        elif base.has_timed_constraint:

            def constraint(  # pyright: ignore[reportRedeclaration]
                self, t: Any, q: Point
            ) -> jax.Array:
                return basis(self, t, q)[0]
        else:

            def constraint(self, q: Point) -> jax.Array:
                return basis(self, jnp.zeros(()), q)[0]

        if not mine or base.offset is System.offset:
            offset = System.offset
        else:

            def offset(self, t: Any, q: Point) -> jax.Array:
                return basis(self, t, q)[1]

        if not others:
            velocity_constraint = System.velocity_constraint
        else:

            def velocity_constraint(self, t: Any, q: Point, v: Any) -> jax.Array:
                """Return phi, with dphi/dv orthonormal to the linear rows and to each other."""

                def phi(w: Any) -> jax.Array:
                    return base.velocity_constraint(self, t, q, w)

                own, forms = phi(v), lax.stop_gradient(jax.jacfwd(phi)(v))
                rows = [
                    _Row(a, a @ v - c, h, None if h is None else h @ v - d, floor)
                    for a, c, h, d, floor in below(self, t, q)
                ]
                for k, i in enumerate(others, len(mine)):
                    h = self.held[k]
                    off = h[:-1] @ v - h[-1]
                    rows.append(_Row(forms[i], own[i], h[:-1], off, self.floor[k]))
                return jnp.stack([r for _, r in _independent(rows)[-len(others) :]])

    return OfRank


def mode_name(rows: Iterable[int], of: int) -> str:
    """Return the name of a mode: by its rank, and by its rows if they are not all."""
    rows = tuple(rows)
    if len(rows) in (0, of):
        return f"rank {len(rows)}"
    return f"rank {len(rows)}, row{'s' * (len(rows) > 1)} {' '.join(map(str, rows))}"


def rows_of(mode: str, of: int) -> tuple[int, ...] | None:
    """Return the rows of a mode from its name; None if it is not such a name."""
    if mode == "rank 0":
        return ()
    if mode == f"rank {of}":
        return tuple(range(of))
    head, comma, tail = mode.partition(", row")
    numbers = tail.removeprefix("s").split()
    if not comma or not all(x.isdigit() and int(x) < of for x in numbers):
        return None
    rows = tuple(map(int, numbers))
    return rows if mode_name(rows, of) == mode else None


def _rows_along(system: System, t: float = 0.0) -> Codistribution:
    """Return the rows of a constraint, as functions of what they depend on."""
    moving = system.is_nonlinear or system.has_timed_constraint
    return (MovingRows if moving else Codistribution)(system, t)


def _passage(D: Codistribution, q: Point, v: np.ndarray, reach: float) -> Exits:
    """Return how a motion passes a singular point of a nonlinear constraint, with v unchanged."""
    crossing = D.crossing(D.straight(q, v), reach=reach)
    behind = crossing.after
    off = behind.rows @ v - behind.offset
    size = np.linalg.norm(behind.rows) * np.linalg.norm(v) + np.linalg.norm(behind.offset)
    if np.any(np.abs(off) > (OF_RUNS + 10.0 * behind.error) * size):
        raise UsageError(
            "v violates the constraint after this point, and no jump onto a constraint nonlinear "
            "in v is determined, because the direction of its reaction turns during the jump"
        )
    G = np.asarray(compiled_call(metric, D.system, q, jnp.asarray(v)))
    same = made(G, v, v, np.zeros(behind.rank), behind.rows, behind.rank)
    return Exits((Exit(same, crossing, True),), 1, 0)


def _no_guard(t: Any, q: Point, v: Any) -> Any:
    return jnp.ones(())


def _onto(system: System, q: Point, v: Any, t: Any) -> Any:
    if system.is_nonlinear:
        return consistent_velocity(system, q, v, t)
    return jump_velocity(system, q, v, t=t)


def _measured(system: System, t: Any, q: Point, v: Any) -> tuple[Any, Any]:
    return momentum(system, q, v, t), energy(system, q, v, t)


def _told(q: Point) -> str:
    flat = np.concatenate([np.ravel(np.asarray(x)) for x in jax.tree.leaves(q)])
    return "(" + ", ".join(f"{x:.6g}" for x in flat) + ")"
