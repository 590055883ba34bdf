"""Stops of joints: the modes of a machine with `parts.Limit`, each joint free or at its stop."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import jax

from ..errors import UsageError
from ..parts import Built, Machine, Prescribed, build
from ..parts.topology import Layout, scalar_slot
from ..system import Point, is_traced, variant, variant_class
from .modes import Approach, Impact, Modes, Reaction, Transition

_MOST_MODES = 27  # three joints with two stops each: not tested above that


class _Stop(NamedTuple):
    """One stop of a joint."""

    joint: str
    gap: _StopGap
    restitution: float

    @property
    def label(self) -> str:
        """The label in the name of a mode."""
        return f"{self.joint} at its {'low' if self.gap.sign > 0 else 'high'} limit"


@dataclasses.dataclass(frozen=True)
class _StopGap:
    """The distance of a coordinate from its stop: sign (q - at)."""

    layout: Layout
    slot: int
    at: float
    sign: float

    def __call__(self, q: Point) -> jax.Array:
        return self.sign * (self.layout.split(q)[0][self.slot] - self.at)


def with_limits(machine: Machine, *, slower_than: float = 1e-2) -> Modes:
    """Return the modes of a machine whose joints have stops, `parts.Limit`; runs begin in "free".

        arm = parts.build(
            parts.Body("arm", 1.0, (0.01, 0.01, 0.01), center=(0.3, 0, 0)),
            parts.Revolute("arm", axis="y"),
            parts.Gravity(),
            parts.Limit("arm", high=1.0, restitution=0.3),
        )
        run = da.simulate(hybrid.with_limits(arm), h=0.01, t=3.0)

    A joint that hits a stop faster than `slower_than` (in m/s or rad/s) rebounds with the stop's
    restitution, by the impact law of `bounce`. A slower joint, or any joint if the restitution is
    0, rests at the stop until the stop would have to pull. A resting joint is held by a constraint
    row like that of `parts.Prescribed`, whose multiplier is the force of the stop. Several joints
    may rest at once. The limits are evaluated with the machine's present parameter values.
    """
    if not isinstance(machine, Machine):
        raise UsageError(f"with_limits takes a machine of parts, got {machine!r}")
    if not slower_than > 0.0:
        raise UsageError(f"slower_than must be a positive speed, got {slower_than!r}")
    stops = _stops(machine)
    if not stops:
        raise UsageError(
            f"{machine.name()} has no limits: add parts.Limit(joint, low, high) to its parts"
        )
    modes = [x for n in range(len(stops) + 1) for x in itertools.combinations(stops, n)]
    modes = [x for x in modes if len({s.joint for s in x}) == len(x)]  # at most one stop per joint
    if len(modes) > _MOST_MODES:
        raise UsageError(
            f"{machine.name()}: {len(stops)} stops make {len(modes)} modes (at most "
            f"{_MOST_MODES}); leave out limits that the motion does not reach"
        )
    systems = {_title(x): _held(machine, tuple(s.joint for s in x)) for x in modes}
    changes = [t for x in modes for t in _transitions(x, stops, slower_than)]
    q, v = machine.initial()
    for stop in stops:
        if float(stop.gap(q)) < 0.0:
            raise UsageError(
                f"{machine.name()}: joint '{stop.joint}' starts {-float(stop.gap(q)):g} beyond its "
                f"limit {stop.gap.at:g}; give its joint another start, or a wider limit"
            )
    return Modes(systems, changes, start=("free", q, v), name=f"{machine.name()} with limits")


def _stops(machine: Machine) -> list[_Stop]:
    made, result = machine._machine(), []
    if is_traced(made.parts):
        raise UsageError("with_limits needs concrete limits: call it outside of jit and grad")
    for limit in made.limits:
        slot = scalar_slot(made, machine.layout, limit, limit.joint)
        for at, sign in ((limit.low, 1.0), (limit.high, -1.0)):
            if at is not None:
                gap = _StopGap(machine.layout, slot, float(at), sign)
                result.append(_Stop(limit.joint, gap, float(limit.restitution)))
    return result


def _title(stops: tuple[_Stop, ...]) -> str:
    # names of modes may have letters, digits, blanks, dots, dashes and underscores
    return re.sub(r"[^\w .-]", "_", " - ".join(s.label for s in stops)) or "free"


def _transitions(
    here: tuple[_Stop, ...], stops: list[_Stop], slower_than: float
) -> Iterable[Transition]:
    """Yield the transitions that end the mode in which these joints are at their stops."""
    source = _title(here)
    for stop in stops:
        if stop in here:
            rest = tuple(s for s in here if s is not stop)
            # the rows that hold joints come last, in the order of the stops
            pushes = Reaction(stop.gap, here.index(stop) - len(here))
            yield Transition(source, _title(rest), pushes, -1, name=f"{stop.joint} leaves its stop")
        elif stop.joint not in {s.joint for s in here}:
            there = tuple(s for s in stops if s in here or s is stop)
            guard, name = _Falls(stop.gap), f"{stop.joint} comes to its stop"
            slow = None
            if stop.restitution:
                fast, slow = (Approach(stop.gap, slower_than, x) for x in (True, False))
                jump = Impact(stop.gap, stop.restitution)
                yield Transition(
                    source, None, guard, -1, jump=jump, when=fast, name=f"{stop.joint} bounces"
                )
            yield Transition(source, _title(there), guard, -1, when=slow, name=name)


@dataclasses.dataclass(frozen=True)
class _Falls:
    gap: _StopGap

    def __call__(self, t: Any, q: Point, v: Any) -> jax.Array:
        return self.gap(q)


def _stays(t: Any) -> Any:
    """Return 0 at all times: the prescribed motion of a joint at rest."""
    return 0.0 * t


def _held(machine: Machine, joints: tuple[str, ...]) -> Machine:
    """Return the machine with these joints held where they are."""
    if not joints:
        return machine
    rows = tuple(Prescribed(joint, _stays, name=f"{joint}, stop") for joint in joints)
    if isinstance(machine, Built):
        return build(*machine.contents, *rows, name=machine.title)
    return variant(machine, _held_class(type(machine), rows))


@variant_class
def _held_class(base: type[Machine], rows: tuple[Prescribed, ...]) -> Any:
    class AtItsStop(base):  # pyright: ignore[reportGeneralTypeIssues]
        def parts(self) -> Iterable[Any]:
            return [*base.parts(self), *rows]

    return AtItsStop


__all__ = ["with_limits"]
