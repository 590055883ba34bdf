"""Ready-made systems: all systems of the sources, with data, closed forms and invariants.

from dalembert.systems import ChaplyginSleigh, registry
sleigh = registry["chaplygin-sleigh"](a=0.3)
"""

from __future__ import annotations

from ..doors import guard as _guard
from ..system import System
from .balls import (
    BallOnTurntable,
    BallOnTurntableEuler,
    BallOnTurntableGlobal,
    ChaplyginBall,
    ChaplyginBallExponential,
)
from .bicycles import WhippleBicycle
from .controlled import PassiveArm, PlanarBody, TwistedInputs, UnderwaterVehicle
from .disks import RollingDisk, VerticalRollingDisk
from .machines import (
    CarWithTrailers,
    MecanumPlatform,
    SleighWithTrailer,
    UnicycleWithRider,
    WheeledSnake,
)
from .oscillators import ChaoticQuartic, ContactOscillator, PerturbedContactOscillator
from .particles import Benenti, ModifiedParticle, NonholonomicParticle, ParticleWithoutMeasure
from .rigid_bodies import Suslov, SuslovSoN
from .robots import MobileRobot, TwoWheeledRobot
from .rolling import (
    Rattleback,
    RollingEllipsoid,
    RouthSphere,
    SphereInCylinder,
    SphereOnSphere,
)
from .sleighs import ChaplyginSleigh, KnifeEdge, SleighWithMovingMass, SleighWithRotor
from .snakeboards import Snakeboard, SnakeboardCoupled
from .switching import (
    JoinedDisks,
    LandedBall,
    ParticleAcrossCone,
    ParticleWithFadingConstraint,
    RollingSphere,
)
from .tops import ChaplyginTop, RubberBall, Veselova
from .turning import BallInTurningBowl, BallInTurningCone
from .vehicles import BalancingRobot, CarWithTrailer, RollerRacer

registry: dict[str, type[System]] = {
    cls.name(): cls
    for cls in (
        NonholonomicParticle,
        ModifiedParticle,
        ParticleWithoutMeasure,
        ContactOscillator,
        PerturbedContactOscillator,
        ChaoticQuartic,
        ChaplyginSleigh,
        KnifeEdge,
        Snakeboard,
        SnakeboardCoupled,
        VerticalRollingDisk,
        RollingDisk,
        MobileRobot,
        TwoWheeledRobot,
        BallOnTurntable,
        BallOnTurntableEuler,
        BallOnTurntableGlobal,
        ChaplyginBall,
        ChaplyginBallExponential,
        Suslov,
        SuslovSoN,
        Benenti,
        PlanarBody,
        TwistedInputs,
        PassiveArm,
        UnderwaterVehicle,
        RollerRacer,
        CarWithTrailer,
        BalancingRobot,
        RollingSphere,
        LandedBall,
        ParticleWithFadingConstraint,
        ParticleAcrossCone,
        JoinedDisks,
        WhippleBicycle,
        Rattleback,
        RouthSphere,
        RollingEllipsoid,
        SphereInCylinder,
        SphereOnSphere,
        SleighWithTrailer,
        CarWithTrailers,
        MecanumPlatform,
        UnicycleWithRider,
        WheeledSnake,
        ChaplyginTop,
        RubberBall,
        Veselova,
        SleighWithRotor,
        SleighWithMovingMass,
        BallInTurningCone,
        BallInTurningBowl,
    )
}

__all__ = [
    "BalancingRobot",
    "BallInTurningBowl",
    "BallInTurningCone",
    "BallOnTurntable",
    "BallOnTurntableEuler",
    "BallOnTurntableGlobal",
    "Benenti",
    "CarWithTrailer",
    "CarWithTrailers",
    "ChaoticQuartic",
    "ChaplyginBall",
    "ChaplyginBallExponential",
    "ChaplyginSleigh",
    "ChaplyginTop",
    "ContactOscillator",
    "JoinedDisks",
    "KnifeEdge",
    "LandedBall",
    "MecanumPlatform",
    "MobileRobot",
    "ModifiedParticle",
    "NonholonomicParticle",
    "ParticleAcrossCone",
    "ParticleWithFadingConstraint",
    "ParticleWithoutMeasure",
    "PassiveArm",
    "PerturbedContactOscillator",
    "PlanarBody",
    "Rattleback",
    "RollerRacer",
    "RollingDisk",
    "RollingEllipsoid",
    "RollingSphere",
    "RouthSphere",
    "RubberBall",
    "SleighWithMovingMass",
    "SleighWithRotor",
    "SleighWithTrailer",
    "Snakeboard",
    "SnakeboardCoupled",
    "SphereInCylinder",
    "SphereOnSphere",
    "Suslov",
    "SuslovSoN",
    "TwistedInputs",
    "TwoWheeledRobot",
    "UnderwaterVehicle",
    "UnicycleWithRider",
    "VerticalRollingDisk",
    "Veselova",
    "WheeledSnake",
    "WhippleBicycle",
    "registry",
]

_guard(globals())
