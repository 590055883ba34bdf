"""Motors with a circuit: the charge is a coordinate, and the current is its velocity.

A direct-current motor obeys (angle of its joint q, current i, voltage u)

    L i' = u - R i - K n q',    torque at the joint: K n i,

with the inductance L, the resistance R, the motor constant K and the gear ratio n. These are the
equations of Lagrange for the charge Q with i = Q': kinetic energy L i^2/2, a damper R, the force u,
and a coupling K n that transmits all power and stores none. So a machine with such motors is an
ordinary system, which every method, ensembles, `Stepper` and exports accept. In this module the
circuit is a body without mass, whose moment of inertia is L.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .pieces import GROUND, Body, Damper, DryFriction, Joint, Motion, Motor, Part, named, numeric
from .vectors import Numbers, Rotation, Spin

_Z = np.eye(3)[2]


class Charge(Joint):
    """The charge of a circuit as the coordinate of a joint; the current is its rate of rotation."""

    numbers = (("charge", "C"),)
    turns_body = False

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        return Motion()

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion(None, _Z * u[0])

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        return [Motion(None, _Z)]

    def keeps_level(self, axle: int | None) -> bool:
        return True


class Coupling(Part):
    """A force on `joint` of `constant` times the current, and a voltage back on `circuit`.

    The voltage is -`constant` times the rate of the joint.
    """

    joint: str = named()
    circuit: str = named()
    constant: Any = numeric(required=True)


class DCMotor(Part):
    """A direct-current motor at a joint, with its circuit: the input is its voltage.

        parts.DCMotor("left", resistance=1.0, inductance=1e-3, constant=0.05, gear=20, limit=12.0)

    The motor adds a coordinate, "left motor charge" in C, whose velocity is the current in A.

    Args:
        joint: a hinge or slider; the torque acts between its body and the parent.
        resistance: R in ohm.
        inductance: L in henry, positive. The current follows the voltage with the time constant
            L/R. Gauss is stable with steps longer than L/R, explicit methods are not.
        constant: K, the torque per current in N m/A, which is also the voltage per speed in V s.
        gear: turns of the motor for one turn of the joint. The inertia J of the rotor acts at the
            joint as gear^2 J: add it to the body.
        limit: largest voltage; an input beyond it acts as +-`limit`.
        damping: viscous friction at the joint, in N m s.
        friction: dry friction at the joint in N m, as in `DryFriction`, smoothed below `speed`.
        name: of the input, by default "JOINT motor".

    At rest and without friction the torque is K n u/R (stall); without load, the speed is u/(K n).
    """

    joint: str = named()
    resistance: Any = numeric(required=True)
    inductance: Any = numeric(required=True)
    constant: Any = numeric(required=True)
    gear: Any = numeric(1.0)
    limit: Any = numeric(None)
    damping: Any = numeric(None)
    friction: Any = numeric(None)
    speed: Any = numeric(1e-2)
    name: str = named("")

    @property
    def label(self) -> str:
        """The name of the input, and of the circuit."""
        return self.name or f"{self.joint} motor"

    def pieces(self) -> list[Part]:
        """Return the parts that this motor stands for: circuit, resistance, input, friction."""
        circuit = self.label
        found: list[Part] = [
            Body(circuit, 0.0, self.inductance),
            Charge(circuit, GROUND),
            Damper(circuit, self.resistance),
            Motor(circuit, circuit, limit=self.limit),
            Coupling(self.joint, circuit, self.constant * self.gear),
        ]
        if self.damping is not None:
            found.append(Damper(self.joint, self.damping))
        if self.friction is not None:
            found.append(DryFriction(self.joint, self.friction, self.speed))
        return found
