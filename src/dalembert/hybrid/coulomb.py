"""A system whose contacts stick, slide or are open: one compiled program for all these modes.

    M a = f + sum_closed n^T lam + sum_hold T^T tau - sum_slide lam T^T phi(d)
    closed: d/dt (n v) = 0      hold: d/dt (T v - offset) = 0      slide: tau = 0      open: lam = 0

with the slip s = T v - offset, its direction d = s/|s|, and phi(d) = mu d; with different
coefficients in two rows phi = mu^2 d/|mu d|, the friction on the ellipse that dissipates most.
Which rows act is a parameter (`System.switches`), so that nothing is compiled when the mode
changes. While a group slides, d is continued through s = 0: for one row d is constant, for two rows
it is s/|s| with the sign of its initial direction. So a step across the end of an arc is smooth.

The sliding friction is an ordinary force. The loads solve (I - X) lam = lam_0, with the loads lam_0
without friction, and the loads X that the friction of unit loads causes. The matrix I - X is not
symmetric. It is regular except in the region of Painleve, where its determinant is not positive.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.tracing import traced_once
from ..dynamics import inertial_force, metric, solve_reactions
from ..errors import UsageError
from ..groupoids import move
from ..linalg import solve, solve_spd
from ..parts import Machine
from ..system import ClosedForms, Point, Switches, System, variant, variant_class
from .contact_law import ContactLaw, ContactPlan, ContactState
from .contact_modes import OfAnotherMotion

NOISE = 64 * float(np.finfo(float).eps)  # relative to the speeds summed in a slip: round-off


class Coefficients(NamedTuple):
    """Coefficients of the groups at a point, padded to two rows."""

    mu: jax.Array  # (groups, 2)
    mu_static: jax.Array  # (groups, 2)
    viscous: jax.Array  # (groups, 2)
    load: jax.Array  # (groups,): of groups with a given load


class Contacts(NamedTuple):
    """The contacts at a state: the input of guards and decisions."""

    gap: jax.Array  # (contacts,)
    rate: jax.Array  # (contacts,): rate of the gap
    load: jax.Array  # (contacts,): normal reactions
    lift: jax.Array  # (contacts,): normal accelerations
    slip: jax.Array  # (groups, 2)
    pull: jax.Array  # (groups, 2): reactions of sticking rows
    slide: jax.Array  # (groups, 2): slip accelerations
    press: jax.Array  # (groups,): the load of each group
    mu: jax.Array  # (groups, 2)
    mu_static: jax.Array  # (groups, 2)
    minor: jax.Array  # the determinant of I - X; where it becomes 0, Painleve's region begins
    friction: jax.Array  # (dim,): force of sliding and viscous friction
    power: jax.Array  # power of dry and viscous friction along the slips: never positive
    acceleration: jax.Array  # (dim,): dv/dt
    noise: jax.Array  # (groups,): a slip speed below this is round-off


def rough(system: System, plan: ContactPlan, laws: tuple[ContactLaw, ...] | None) -> Any:
    """Return the system with all contacts sticking; `laws` if it is not a machine."""
    if system.has_timed_constraint or system.is_nonlinear:
        raise UsageError(
            f"{system.name()}: contacts with friction need constraints that are linear in v and "
            "do not depend on time"
        )
    made = variant(system, _rough_class(type(system)), laws=laws, contact_plan=plan)
    state = ContactState(
        (True,) * len(plan.contacts),
        (True,) * len(plan.groups),
        ((1.0, 0.0),) * len(plan.groups),
    )
    return in_state(made, state)


STATE = ("shut", "sticks", "toward", "soft", "awake")  # the fields of a system that are its state


def numbers_of(state: ContactState, plan: ContactPlan) -> dict[str, np.ndarray]:
    """Return the fields `STATE` of a system in this state."""
    return {
        "shut": np.array(state.shut, float),
        "sticks": np.array(state.sticks, float),
        "toward": np.array(state.toward, float).reshape(len(plan.groups), 2),
        "soft": np.array(state.soft or ((1.0, 1.0),) * len(plan.groups), float).reshape(-1, 2),
        "awake": np.array(0.0 if state.rests else 1.0),
    }


def in_state(system: Any, state: ContactState) -> Any:
    """Return the same system in another mode: only numbers differ."""
    return variant(system, type(system), **numbers_of(state, system.contact_plan))


# the class of `base` with contacts that stick, slide or are open; fields say which rows act
@variant_class
def _rough_class(base: type[System]) -> Any:
    machine = issubclass(base, Machine)  # a machine already has the rows of its contacts
    written = ("lagrangian", "constraint", "holonomic")
    by_parts = machine and all(getattr(base, x) is getattr(Machine, x) for x in written)

    class Rough(OfAnotherMotion, base):  # pyright: ignore[reportGeneralTypeIssues]
        laws: Any = None
        contact_plan: Any = eqx.field(static=True, default=None)
        shut: Any = None
        sticks: Any = None
        toward: Any = None
        soft: Any = None
        awake: Any = None

        conserves_energy = False

        # -- all rows, whether they act or not ---------------------------------------------------

        def every_gap(self, q: Point) -> jax.Array:
            """Return all holonomic functions, including those of contacts."""
            own = base.holonomic(self, q)
            if machine:
                return own
            gaps = [jnp.reshape(jnp.asarray(x.gap(q), float), (1,)) for x in self.laws if x.gap]
            return jnp.concatenate([own, *gaps])

        def every_row(self, q: Point) -> jax.Array:
            """Return the rows of all linear constraints, holonomic ones first."""
            turns = self.contact_plan.turns
            if by_parts:
                return self.forms_of_parts(turns).rows(q)  # pyright: ignore
            n = self.dim
            Dg = jax.jacfwd(lambda w: self.every_gap(move(self.groupoid, q, w)))(jnp.zeros(n))
            own = [Dg, base.constraint(self, q)]
            if not machine:
                own += [jnp.reshape(jnp.asarray(x.rows(q), float), (-1, n)) for x in self.laws]
            elif turns:
                own.append(self.turn_rows(turns, q))  # pyright: ignore
            return jnp.concatenate(own)

        def every_offset(self, t: Any, q: Point) -> jax.Array:
            """Return the right-hand sides of the rows that are not holonomic."""
            if machine:
                turning = self.turn_offset(self.contact_plan.turns, t, q)  # pyright: ignore
                return jnp.concatenate([base.offset(self, t, q), turning])
            if base.offset is System.offset:
                given = [jnp.zeros(base.constraint(self, q).shape[0])]
            else:
                given = [base.offset(self, t, q)]
            for x, group in zip(self.laws, self.contact_plan.groups):
                size = len(group.rows)
                zero = jnp.zeros(size)
                given.append(
                    zero if x.offset is None else jnp.broadcast_to(x.offset(t, q), (size,)) + zero
                )
            return jnp.concatenate(given)

        def coefficients(self, t: Any, q: Point, v: jax.Array) -> Coefficients:
            """Return the friction coefficients of all groups."""
            if machine:
                return Coefficients(*self.contact_numbers(t, q, v))  # pyright: ignore
            return coefficients_of_laws(self.laws, self.contact_plan, t, q, v)

        @property
        def has_varying_law(self) -> bool:
            """Whether a coefficient of friction is a function."""
            owners = self._machine().contacts if machine else self.laws  # pyright: ignore
            found = (getattr(x, name, None) for x in owners for name in ("mu", "mu_static"))
            return any(map(callable, found))

        @property
        def restitution(self) -> jax.Array:
            """The coefficient of restitution of each contact."""
            if machine:
                return self.contact_restitution()  # pyright: ignore
            given = [x.restitution for x in self.laws if x.gap is not None]
            return jnp.stack([jnp.asarray(e, float) for e in given]) if given else jnp.zeros(0)

        # -- rows that act -----------------------------------------------------------------------

        @property
        def switches(self) -> Switches:
            """1 for each row that acts, else 0."""
            plan, rows = self.contact_plan, [1.0] * self.contact_plan.rows
            for c, row in enumerate(plan.normals):
                rows[row] = self.shut[c]
            for g, group in enumerate(plan.groups):
                on = 1.0 if group.contact is None else self.shut[group.contact]
                for row in group.rows:
                    rows[row] = on * self.sticks[g]
            soft = None
            if plan.redundant:
                given = [1.0] * plan.rows
                for g, group in enumerate(plan.groups):
                    for k, row in enumerate(group.rows):
                        given[row] = self.soft[g, k]
                soft = jnp.stack([jnp.asarray(x, float) for x in given])
            return Switches(jnp.stack([jnp.asarray(x, float) for x in rows]), self.awake, soft)

        @property
        def is_redundant(self) -> bool:
            return bool(self.contact_plan.redundant)

        def holonomic(self, q: Point) -> jax.Array:
            return self.switches.rows[: self.contact_plan.holonomic] * self.every_gap(q)

        def constraint(self, q: Point) -> jax.Array:
            k = self.contact_plan.holonomic
            return self.switches.rows[k:, None] * self.every_row(q)[k:]

        def offset(self, t: Any, q: Point) -> jax.Array:
            return self.switches.rows[self.contact_plan.holonomic :] * self.every_offset(t, q)

        @property
        def closed(self) -> ClosedForms | None:
            if not by_parts:
                return None
            plain = self.forms_of_parts(self.contact_plan.turns)  # pyright: ignore
            on = self.switches.rows
            return ClosedForms(
                plain.mass_matrix,
                plain.inertial_force,
                lambda q: on[:, None] * plain.rows(q),
                lambda q, v: on * plain.rates(q, v),
            )

        def force(self, t: Any, q: Point, v: jax.Array) -> jax.Array:
            return self.other_force(t, q, v) + contacts_at(self, t, q, v).friction

        def grain(self, t: Any, q: Point, v: jax.Array) -> jax.Array:
            """Return the smallest slip of two rows that slides, as a change of v that turns it."""
            k, least = self.contact_plan.holonomic, jnp.full((), jnp.inf)
            rows, b = self.every_row(q), self.every_offset(t, q)
            for g, group in enumerate(self.contact_plan.groups):
                if len(group.rows) < 2:
                    continue
                at = np.array(group.rows, int)
                slip = rows[at] @ v - b[at - k]
                shut = 1.0 if group.contact is None else self.shut[group.contact]
                slides = (shut > 0.0) & (self.sticks[g] == 0.0)
                size = jnp.sqrt(slip @ slip) / jnp.max(jnp.sum(jnp.abs(rows[at]), axis=1))
                least = jnp.minimum(least, jnp.where(slides & (size > 0.0), size, jnp.inf))
            return least

        def beside_guards(self, t: Any, q: Point, v: jax.Array) -> jax.Array:
            """Return `contact_pace`'s three numbers for each slip of two rows; 0 if none."""
            here, found = contacts_at(self, t, q, v), [jnp.zeros(0)]
            for g, group in enumerate(self.contact_plan.groups):
                if len(group.rows) < 2:
                    continue
                shut = 1.0 if group.contact is None else self.shut[group.contact]
                rubs = (shut > 0.0) & (self.sticks[g] == 0.0) & (jnp.max(here.mu[g]) > 0.0)
                s, a = here.slip[g], here.slide[g]
                across = jnp.abs(s[0] * a[1] - s[1] * a[0])
                size = jnp.sqrt(s @ s)
                mine = [size, across / jnp.where(size > 0.0, size, 1.0), jnp.sqrt(a @ a)]
                found.append(jnp.where(rubs & (size > here.noise[g]), jnp.stack(mine), 0.0))
            return jnp.concatenate(found)

        def other_force(self, t: Any, q: Point, v: jax.Array) -> jax.Array:
            """Return all forces except the friction of contacts."""
            return base.force(self, t, q, v)

        @property
        def has_force(self) -> bool:
            return True

        @property
        def has_offset(self) -> bool:
            laws = self.laws or ()
            if machine:  # `base.has_offset` would take the method above for one of the user's
                own = base.offset is not Machine.offset or self._kinds().moves
            else:
                own = base.offset is not System.offset
            return own or any(x.offset is not None for x in laws)

        @property
        def has_holonomic(self) -> bool:
            return self.contact_plan.holonomic > 0

        @property
        def is_constrained(self) -> bool:
            return self.contact_plan.rows > 0

        @property
        def constraint_names(self) -> tuple[str, ...]:
            turns = tuple(row.label for row in self.contact_plan.turns)
            return (*base.constraint_names.fget(self), *turns) if machine else ()  # pyright: ignore

        @property
        def constraint_units(self) -> tuple[str, ...]:
            turns = ("N m",) * len(self.contact_plan.turns)
            return (*base.constraint_units.fget(self), *turns) if machine else ()  # pyright: ignore

    return Rough


def coefficients_of_laws(
    laws: tuple[ContactLaw, ...], plan: ContactPlan, t: Any, q: Point, v: jax.Array
) -> Coefficients:
    """Return the coefficients of laws at a point."""
    mu, static, viscous, load = [], [], [], []
    for law, group in zip(laws, plan.groups):
        size = len(group.rows)
        mu.append(padded(_value(law.mu, t, q), size))
        static.append(
            mu[-1] if law.mu_static is None else padded(_value(law.mu_static, t, q), size)
        )
        viscous.append(padded(0.0 if law.viscous is None else _value(law.viscous, t, q), size))
        given = law.load(t, q, v) if callable(law.load) else law.load
        load.append(jnp.reshape(jnp.asarray(0.0 if given is None else given, float), ()))
    return Coefficients(*(jnp.stack(x) for x in (mu, static, viscous, load)))


def _value(given: Any, t: Any, q: Point) -> Any:
    return given(t, q) if callable(given) else given


def padded(value: Any, size: int) -> jax.Array:
    """Return one number for each of two rows; zero for the missing row of a group of one."""
    found = jnp.asarray(value, dtype=float)
    found = jnp.broadcast_to(jnp.reshape(found, (-1,)) if found.ndim else found, (size,))
    return jnp.concatenate([found, jnp.zeros(2 - size)])


def _rubbing(mu: jax.Array, d: jax.Array) -> jax.Array:
    """Return the friction of a unit load against slip along d: mu d, or mu^2 d/|mu d|."""
    pushed = mu * d
    size = jnp.sqrt(pushed @ pushed)
    return mu * pushed / jnp.where(size > 0.0, size, 1.0)


def _direction(slip: jax.Array, toward: jax.Array, noise: jax.Array, size: int) -> jax.Array:
    """Return d, continued through zero slip; its initial value if the slip is round-off."""
    if size == 1:
        return toward
    length = jnp.sqrt(slip @ slip)
    some = length > noise
    along = jnp.where(some, slip / jnp.where(some, length, 1.0), toward)
    return jnp.where(along @ toward < 0.0, -along, along)


@traced_once
def contacts_at(system: Any, t: Any, q: Point, v: jax.Array) -> Contacts:
    """Return loads, slips and accelerations of all contacts, and the sliding friction."""
    plan: ContactPlan = system.contact_plan
    n, k = system.dim, plan.holonomic
    t = jnp.asarray(t, dtype=float)
    zero = jnp.zeros(())

    # rates of all rows along the motion with constant v; their derivative `drift` is the part of
    # the row accelerations that does not depend on dv/dt
    def rates(s: jax.Array) -> jax.Array:
        x = move(system.groupoid, q, s * v)
        found = system.every_row(x) @ v
        if system.has_offset:
            found = found - jnp.concatenate([jnp.zeros(k), system.every_offset(t + s, x)])
        return found

    rate, drift = jax.jvp(rates, (zero,), (jnp.ones(()),))
    rows, on = system.every_row(q), system.switches.rows
    acting = on[:, None] * rows
    G = metric(system, q, v, t)
    here = system.coefficients(t, q, v)
    gap = system.every_gap(q)[np.array(plan.normals, int)]

    # forces: of unit loads (one column per contact), then of given loads and viscous friction
    f = inertial_force(system, q, v, t) + system.other_force(t, q, v)
    unit = [jnp.zeros(n) for _ in plan.contacts]
    given = jnp.zeros(n)
    slips, rubs, noises, thick = [], [], [], zero
    for g, group in enumerate(plan.groups):
        size, at = len(group.rows), np.array(group.rows, int)
        slip = jnp.concatenate([rate[at], jnp.zeros(2 - size)])
        shut = 1.0 if group.contact is None else system.shut[group.contact]
        noise = NOISE * jnp.max(jnp.abs(rows[at]) @ jnp.abs(v))
        noises.append(noise)
        rub = _rubbing(here.mu[g], _direction(slip, system.toward[g], noise, size))
        rubs.append(shut * (1.0 - system.sticks[g]) * rub)
        push = rubs[-1][:size] @ rows[at]
        damped = shut * here.viscous[g, :size] * slip[:size]
        given = given - damped @ rows[at]
        thick = thick - damped @ slip[:size]
        if group.contact is None:
            given = given - here.load[g] * push
        else:
            unit[group.contact] = unit[group.contact] + push
        slips.append(slip)
    # columns: friction of unit loads, one per contact; last: all other forces
    push = jnp.stack([*unit, f + given], axis=1)
    raised = solve_spd(G, jnp.concatenate([acting.T, push], axis=1))
    m = plan.rows
    C = acting @ raised[:, :m]
    made = acting @ raised[:, m:]
    made = made.at[:, -1].add(on * drift)
    # reactions to unit friction, and to everything else
    lam = solve_reactions(system, C, made)
    normals = np.array(plan.normals, int)
    free = -lam[:, -1]
    if plan.contacts:
        # (I - X) lam = lam_0
        matrix = jnp.eye(len(normals)) - lam[normals, :-1]
        load = solve(matrix, free[normals])
        minor = _determinant(matrix)
    else:
        load, minor = jnp.zeros(0), jnp.ones(())
    reaction = free + lam[:, :-1] @ load
    friction = given - push[:, :-1] @ load
    a = raised[:, -1] - raised[:, m:-1] @ load + raised[:, :m] @ reaction
    turn = rows @ a + drift
    pulls, slides, presses, dry = [], [], [], zero
    for g, group in enumerate(plan.groups):
        at, more = np.array(group.rows, int), jnp.zeros(2 - len(group.rows))
        pulls.append(jnp.concatenate([reaction[at], more]))
        slides.append(jnp.concatenate([turn[at], more]))
        presses.append(here.load[g] if group.contact is None else load[group.contact])
        dry = dry - presses[-1] * (rubs[g] @ slips[g])
    stacked: Any = [jnp.stack(x) for x in (slips, pulls, slides)]
    return Contacts(
        gap,
        rate[normals],
        load,
        turn[normals],
        *stacked,
        press=jnp.stack(presses),
        mu=here.mu,
        mu_static=here.mu_static,
        minor=minor,
        friction=friction,
        power=dry + thick,
        acceleration=a,
        noise=jnp.stack(noises) if noises else jnp.zeros(0),
    )


def _determinant(matrix: jax.Array) -> jax.Array:
    """Return the determinant, by elimination without pivoting.

    If a pivot passes through zero, so does the determinant.
    """
    n = matrix.shape[0]
    rows, total = [matrix[i] for i in range(n)], jnp.ones(())
    for j in range(n):
        pivot = rows[j][j]
        total = total * pivot
        over = 1.0 / jnp.where(pivot == 0.0, 1.0, pivot)
        for i in range(j + 1, n):
            rows[i] = rows[i] - rows[i][j] * over * rows[j]
    return total


# -- guards --------------------------------------------------------------------------------------

LIFTS, LANDS, SLIPS, STICKS, SINGULAR = "lifts", "lands", "slips", "sticks", "has no solution"


@dataclasses.dataclass(frozen=True)
class ContactGuard:
    """A guard of a contact or a group: its state changes where the value decreases through zero.

    All modes have the same guards; in a mode to which a guard does not apply its value is 1.
    """

    kind: str
    index: int

    def value(self, system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
        """Return load, gap, friction cone, or slip along its initial direction."""
        return self.of(contacts_at(system, t, q, v), system, system.contact_plan)

    def of(self, here: Contacts, state: Any, plan: ContactPlan, xp: Any = jnp) -> Any:
        """Return the value at these contacts; `state` has the fields `STATE`."""
        i = self.index
        if self.kind == SINGULAR:
            return here.minor
        if self.kind in (LIFTS, LANDS):
            shut = state.shut[i] > 0.0
            if self.kind == LIFTS:
                return xp.where(shut, here.load[i], 1.0)
            return xp.where(shut, 1.0, here.gap[i])
        group = plan.groups[i]
        shut = True if group.contact is None else state.shut[group.contact] > 0.0
        holds = shut & (state.sticks[i] > 0.0)
        if self.kind == SLIPS:
            return xp.where(holds, cone(here, i, xp), 1.0)
        # A slip that is mere round-off has not vanished: it begins, or other contacts hold the
        # group. A slip of two rows that has turned by 60 degrees ends the mode and gets a new
        # initial direction, long before the continuation of friction through zero has an effect.
        size = xp.sqrt(here.slip[i] @ here.slip[i])
        # The second term is quadratic below 1e-4 m/s. The computed slip passes its zero at a small
        # distance; so the first term alone decides the time, to the order of the method.
        turned = 0.5 * size**2 / (size + 1e-4) if len(group.rows) == 2 else 0.0
        along = here.slip[i] @ state.toward[i] - turned
        along = xp.where(size <= here.noise[i], here.noise[i], along)
        return xp.where(shut & xp.logical_not(holds), along, 1.0)


def guards_of(plan: ContactPlan) -> list[ContactGuard]:
    """Return the guards of all contacts and groups."""
    contacts, groups = range(len(plan.contacts)), range(len(plan.groups))
    found = [ContactGuard(kind, i) for kind in (LANDS, LIFTS) for i in contacts]
    found += [ContactGuard(kind, i) for kind in (SLIPS, STICKS) for i in groups]
    return [*found, ContactGuard(SINGULAR, 0)] if plan.contacts else found


def cone(here: Contacts, g: int, xp: Any = jnp) -> Any:
    """Return mu_s load - |pull|: negative outside the cone (an ellipse for two coefficients)."""
    mu = here.mu_static[g]
    most = xp.max(mu)
    pull = here.pull[g] * xp.where(mu > 0.0, most / xp.where(mu > 0.0, mu, 1.0), 1.0)
    return most * here.press[g] - xp.sqrt(pull @ pull)
