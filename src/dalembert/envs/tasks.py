"""The tasks: start of an episode, observation, reward, and a baseline that solves it.

Functions take `xp`, which is NumPy or `jax.numpy`, and arrays whose last axis is one state; leading
axes are members. An observation has no absolute position, so a policy does not depend on it.
"""

from __future__ import annotations

import abc
import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np

from .. import systems
from ..system import System

Array: TypeAlias = Any


@dataclasses.dataclass(frozen=True)
class Task(abc.ABC):
    """The interface of a task; `observations` and `actions` are lists of pairs (name, unit)."""

    name: ClassVar[str]
    observations: ClassVar[Sequence[tuple[str, str]]]
    actions: ClassVar[Sequence[tuple[str, str]]]
    limits: ClassVar[Sequence[float]]  # the largest |action|, for each action
    chances: ClassVar[int]  # how many random numbers in [0, 1) a start is made from
    periods: ClassVar[int]  # control periods in an episode
    every: ClassVar[int] = 2  # steps of the integrator in a control period
    h: ClassVar[float] = 0.01
    whole: ClassVar[bool] = False  # whether pictures show all of `marks`

    @property
    def period(self) -> float:
        """The control period in s."""
        return self.every * self.h

    @functools.cached_property
    @abc.abstractmethod
    def system(self) -> System:
        """The mechanical system."""

    @abc.abstractmethod
    def start(self, xp: Any, z: Array) -> tuple[Array, Array, Array]:
        """Return (q, v, goal) from random numbers z in [0, 1)."""

    @abc.abstractmethod
    def observe(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        """Return the observation, in the order of `observations`."""

    @abc.abstractmethod
    def reward(self, xp: Any, q: Array, v: Array, goal: Array, u: Array) -> Array:
        """Return the reward of a control period that ends here: 1 at best, 0 or less at worst."""

    @abc.abstractmethod
    def fallen(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        """Whether the episode ends here as a failure."""

    @abc.abstractmethod
    def solved(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        """Whether the state meets the goal; an episode is solved if its last state does."""

    @abc.abstractmethod
    def baseline(self, xp: Any, seen: Array) -> Array:
        """Return an action for an observation, by a controller that solves the task."""

    def marks(self, goal: Array) -> Array:
        """Return points (n, 2) on the ground to draw: the path or the parking bay."""
        return np.zeros((0, 2))


def _between(z: Array, low: float, high: float) -> Array:
    return low + (high - low) * z


@dataclasses.dataclass(frozen=True)
class Balance(Task):
    """Keep a two-wheeled robot upright, and bring it back to its position and heading.

    The robot starts with a lean up to 0.15 rad, 1 m/s and 0.5 rad/s. The reward is 1 - |lean|/0.4 -
    |distance rolled|/2 - |heading|/2, at least 0. The episode ends if the lean exceeds 0.8 rad. The
    task is solved if at 10 s the lean is below 0.05 rad, the robot within 0.1 m and 0.1 rad.
    """

    name = "Balance"
    observations = (
        ("way", "m"),
        ("heading", "rad"),
        ("lean", "rad"),
        ("speed", "m/s"),
        ("turn rate", "rad/s"),
        ("lean rate", "rad/s"),
    )
    actions = (("right motor", "N m"), ("left motor", "N m"))
    limits = (5.0, 5.0)
    chances = 4
    periods = 500

    @functools.cached_property
    def system(self) -> systems.BalancingRobot:
        return systems.BalancingRobot()

    def start(self, xp: Any, z: Array) -> tuple[Array, Array, Array]:
        r, w = self.system.r, self.system.w
        lean, lean_rate = _between(z[..., 0], -0.15, 0.15), _between(z[..., 1], -0.5, 0.5)
        speed, turn = _between(z[..., 2], -1.0, 1.0), _between(z[..., 3], -0.5, 0.5)
        o = xp.zeros_like(lean)
        q = xp.stack([o, o, o, lean, o, o], axis=-1)
        right, left = (speed + w * turn) / r, (speed - w * turn) / r
        return q, xp.stack([speed, o, turn, lean_rate, right, left], axis=-1), z[..., :0]

    def observe(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        r, w = self.system.r, self.system.w
        # The wheels' rotation gives the distance rolled and the heading, for any path.
        way, heading = 0.5 * r * (q[..., 4] + q[..., 5]), 0.5 * r / w * (q[..., 4] - q[..., 5])
        speed = 0.5 * r * (v[..., 4] + v[..., 5])
        return xp.stack([way, heading, q[..., 3], speed, v[..., 2], v[..., 3]], axis=-1)

    def reward(self, xp: Any, q: Array, v: Array, goal: Array, u: Array) -> Array:
        seen = self.observe(xp, q, v, goal)
        off = xp.abs(seen[..., 2]) / 0.4 + xp.abs(seen[..., 0]) / 2.0 + xp.abs(seen[..., 1]) / 2.0
        return xp.maximum(1.0 - off, 0.0)

    def fallen(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        return xp.abs(q[..., 3]) > 0.8

    def solved(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        seen = xp.abs(self.observe(xp, q, v, goal))
        return (seen[..., 2] < 0.05) & (seen[..., 0] < 0.1) & (seen[..., 1] < 0.1)

    def baseline(self, xp: Any, seen: Array) -> Array:
        way, heading, lean, speed, turn, rate = (seen[..., i] for i in range(6))
        both = BALANCE[0] * way + BALANCE[1] * lean + BALANCE[2] * speed + BALANCE[3] * rate
        apart = BALANCE[4] * heading + BALANCE[5] * turn
        return xp.stack([both + apart, both - apart], axis=-1)


@dataclasses.dataclass(frozen=True)
class Bicycle(Task):
    """Ride a bicycle along a winding path at 4.6 m/s, by a torque at the handlebar and by pedals.

    The path is y = a sin(k x) with a up to 1.5 m and waves of 50 to 90 m, different in every
    episode. The ride starts up to 0.5 m beside it, pushed sideways. The reward is 1 minus the
    distance in m, at least 0. The episode ends if the lean exceeds 0.8 rad or the path is 5 m away.
    The task is solved if at 60 s the distance is below 0.5 m. The axes follow the bicycle
    literature: z points down, y to the right.
    """

    name = "Bicycle"
    observations = (
        ("distance from the path, to the right", "m"),
        ("heading against the path", "rad"),
        ("lean", "rad"),
        ("steer", "rad"),
        ("lean rate", "rad/s"),
        ("steer rate", "rad/s"),
        ("speed", "m/s"),
        ("curvature of the path", "1/m"),
    )
    actions = (("steer torque", "N m"), ("pedals", "N m"))
    limits = (20.0, 60.0)
    chances = 6
    periods = 3000
    speed: ClassVar[float] = 4.6

    @functools.cached_property
    def system(self) -> systems.WhippleBicycle:
        return systems.WhippleBicycle()

    def start(self, xp: Any, z: Array) -> tuple[Array, Array, Array]:
        a = _between(z[..., 0], 0.3, 1.5)
        k = 2 * np.pi / _between(z[..., 1], 50.0, 90.0)
        y, push = _between(z[..., 2], -0.5, 0.5), _between(z[..., 3], -0.15, 0.15)
        yaw = a * k + _between(z[..., 4], -0.05, 0.05)
        speed = _between(z[..., 5], 4.4, 4.8)
        o = xp.zeros_like(y)
        q = xp.stack([o, y, yaw, o, o, o, o, o], axis=-1)
        rear, front = -speed / self.system.R_rear, -speed / self.system.R_front
        ahead = [speed * xp.cos(yaw), speed * xp.sin(yaw)]
        v = xp.stack([*ahead, o, push, o, o, rear, front], axis=-1)
        return q, v, xp.stack([a, k], axis=-1)

    def observe(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        a, k = goal[..., 0], goal[..., 1]
        x = q[..., 0]
        rise = a * k * xp.cos(k * x)
        along = xp.sqrt(1.0 + rise**2)
        off = (q[..., 1] - a * xp.sin(k * x)) / along
        bend = -a * k**2 * xp.sin(k * x) / along**3
        heading = q[..., 2] - xp.arctan(rise)
        speed = -self.system.R_rear * v[..., 6]
        rest = [q[..., 3], q[..., 5], v[..., 3], v[..., 5], speed, bend]
        return xp.stack([off, heading, *rest], axis=-1)

    def reward(self, xp: Any, q: Array, v: Array, goal: Array, u: Array) -> Array:
        return xp.maximum(1.0 - xp.abs(self.observe(xp, q, v, goal)[..., 0]), 0.0)

    def fallen(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        off = self.observe(xp, q, v, goal)[..., 0]
        return (xp.abs(q[..., 3]) > 0.8) | (xp.abs(off) > 5.0)

    def solved(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        return xp.abs(self.observe(xp, q, v, goal)[..., 0]) < 0.5

    def baseline(self, xp: Any, seen: Array) -> Array:
        off, heading, lean, steer, lean_rate, steer_rate, speed, bend = (
            seen[..., i] for i in range(8)
        )
        # In a steady turn of radius R the lean is v^2 / (g R), and the steer is not zero.
        lean = lean - BICYCLE_LEAN * bend
        steer = steer - BICYCLE_STEER * bend
        errors = (off, heading, lean, steer, lean_rate, steer_rate)
        torque = sum((-k * x for k, x in zip(BICYCLE, errors, strict=True)), BICYCLE_TORQUE * bend)
        return xp.stack([torque, 40.0 * (self.speed - speed)], axis=-1)

    def marks(self, goal: Array) -> Array:
        x = np.linspace(-10.0, 300.0, 600)
        return np.stack([x, goal[0] * np.sin(goal[1] * x)], axis=-1)


@dataclasses.dataclass(frozen=True)
class Parking(Task):
    """Back a car with a trailer into a bay: the trailer's axle to the origin, straight, at rest.

    The trailer starts 6 to 9 m ahead of the bay, up to 0.5 m beside it and turned by up to 0.2 rad.
    A trailer that is pushed is unstable: it folds. The reward is 1 minus the distance/10 m and the
    angles/2 rad, at least 0. The episode ends if the trailer folds by more than 1.4 rad or is 12 m
    away. The task is solved if at 40 s the trailer is within 0.2 m, 0.1 m sideways and 0.1 rad,
    with a speed below 0.05 m/s.
    """

    name = "Parking"
    observations = (
        ("trailer, along the bay", "m"),
        ("trailer, across", "m"),
        ("heading of the trailer", "rad"),
        ("fold: car against trailer", "rad"),
        ("steer", "rad"),
        ("speed", "m/s"),
        ("steer rate", "rad/s"),
    )
    actions = (("drive", "N"), ("steer torque", "N m"))
    limits = (4.0, 2.0)
    chances = 4
    periods = 2000
    whole = True

    @functools.cached_property
    def system(self) -> systems.CarWithTrailer:
        return systems.CarWithTrailer()

    def start(self, xp: Any, z: Array) -> tuple[Array, Array, Array]:
        d = self.system.d
        along, across = _between(z[..., 0], 6.0, 9.0), _between(z[..., 1], -0.5, 0.5)
        psi = _between(z[..., 2], -0.2, 0.2)
        theta = psi + _between(z[..., 3], -0.2, 0.2)
        o = xp.zeros_like(psi)
        x, y = along + d * xp.cos(psi), across + d * xp.sin(psi)
        q = xp.stack([x, y, theta, psi, o], axis=-1)
        return q, xp.zeros_like(q), z[..., :0]

    def observe(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        d, theta, psi = self.system.d, q[..., 2], q[..., 3]
        along, across = q[..., 0] - d * xp.cos(psi), q[..., 1] - d * xp.sin(psi)
        speed = v[..., 0] * xp.cos(theta) + v[..., 1] * xp.sin(theta)
        rest = [theta - psi, q[..., 4], speed, v[..., 4]]
        return xp.stack([along, across, psi, *rest], axis=-1)

    def reward(self, xp: Any, q: Array, v: Array, goal: Array, u: Array) -> Array:
        seen = self.observe(xp, q, v, goal)
        away = xp.sqrt(seen[..., 0] ** 2 + seen[..., 1] ** 2) / 10.0
        return xp.maximum(1.0 - away - (xp.abs(seen[..., 2]) + xp.abs(seen[..., 3])) / 2.0, 0.0)

    def fallen(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        seen = xp.abs(self.observe(xp, q, v, goal))
        return (seen[..., 3] > 1.4) | (seen[..., 0] > 12.0) | (seen[..., 1] > 12.0)

    def solved(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        seen = xp.abs(self.observe(xp, q, v, goal))
        near = (seen[..., 0] < 0.2) & (seen[..., 1] < 0.1) & (seen[..., 2] < 0.1)
        return near & (seen[..., 5] < 0.05)

    def baseline(self, xp: Any, seen: Array) -> Array:
        along, across, psi, fold, steer, speed, rate = (seen[..., i] for i in range(7))
        wanted = -xp.clip(0.6 * along, -0.5, 0.5)
        drive = 6.0 * (wanted - speed)
        # Gains for backing straight at 0.5 m/s. They are for rates per metre travelled, because the
        # motion as a function of the distance does not depend on the speed.
        bend = sum(-k * x for k, x in zip(PARKING, (across, psi, fold), strict=True))
        aim = xp.clip(bend, -0.6, 0.6)
        return xp.stack([drive, 8.0 * (aim - steer) - 1.2 * rate], axis=-1)

    def marks(self, goal: Array) -> Array:
        return np.array([[3.0, 0.6], [-0.6, 0.6], [-0.6, -0.6], [3.0, -0.6]])


@dataclasses.dataclass(frozen=True)
class Snakeboard(Task):
    """Bring a snakeboard from rest to a point, and stop there, by a rotor and by its axles.

    The board has no drive: a torque between rotor and board pushes it along only while its axles
    are turned, so it moves by swinging the rotor and the axles in step. The goal is 3 to 6 m away,
    up to 0.8 rad to the side. The reward is 1 minus the distance/6 m, at least 0. The episode ends
    if the goal is 10 m away, or the axles are turned by 1.4 rad. It is solved if at 40 s the
    distance is below 0.2 m and the speed below 0.1 m/s.
    """

    name = "Snakeboard"
    observations = (
        ("goal, ahead", "m"),
        ("goal, to the left", "m"),
        ("speed", "m/s"),
        ("rotor", "rad"),
        ("rotor rate", "rad/s"),
        ("axles", "rad"),
        ("axle rate", "rad/s"),
    )
    actions = (("rotor torque", "N m"), ("axle torque", "N m"))
    limits = (4.0, 4.0)
    chances = 4
    periods = 2000
    whole = True

    @functools.cached_property
    def system(self) -> systems.Snakeboard:
        return systems.Snakeboard()

    def start(self, xp: Any, z: Array) -> tuple[Array, Array, Array]:
        far, side = _between(z[..., 0], 3.0, 6.0), _between(z[..., 1], -0.8, 0.8)
        theta, rate = _between(z[..., 2], -np.pi, np.pi), _between(z[..., 3], -0.5, 0.5)
        o = xp.zeros_like(far)
        goal = xp.stack([far * xp.cos(theta + side), far * xp.sin(theta + side)], axis=-1)
        q, v = xp.stack([o, o, theta, o, o], axis=-1), xp.stack([o, o, o, rate, o], axis=-1)
        return q, v, goal

    def observe(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        c, s = xp.cos(q[..., 2]), xp.sin(q[..., 2])
        x, y = goal[..., 0] - q[..., 0], goal[..., 1] - q[..., 1]
        ahead, left, speed = c * x + s * y, c * y - s * x, c * v[..., 0] + s * v[..., 1]
        rest = [q[..., 3], v[..., 3], q[..., 4], v[..., 4]]
        return xp.stack([ahead, left, speed, *rest], axis=-1)

    def reward(self, xp: Any, q: Array, v: Array, goal: Array, u: Array) -> Array:
        return xp.maximum(1.0 - self._away(xp, q, goal) / 6.0, 0.0)

    def fallen(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        return (self._away(xp, q, goal) > 10.0) | (xp.abs(q[..., 4]) > 1.4)

    def solved(self, xp: Any, q: Array, v: Array, goal: Array) -> Array:
        speed = xp.abs(self.observe(xp, q, v, goal)[..., 2])
        return (self._away(xp, q, goal) < 0.2) & (speed < 0.1)

    def _away(self, xp: Any, q: Array, goal: Array) -> Array:
        return xp.sqrt((goal[..., 0] - q[..., 0]) ** 2 + (goal[..., 1] - q[..., 1]) ** 2)

    def baseline(self, xp: Any, seen: Array) -> Array:
        ahead, left, speed, psi, rate, phi, phi_rate = (seen[..., i] for i in range(7))
        system = self.system
        # The rotor swings at SWING rad/s; its energy is led to that of the amplitude 1 rad.
        energy = 0.5 * (rate / SWING) ** 2 + 0.5 * psi**2
        push = SWING**2 * (0.5 - energy) * rate / SWING
        rotor = system.J0 * (-(SWING**2) * psi + push)
        # A turned axle turns the reaction of the rotor into a force along the board: turned in step
        # with the rotor, it pushes ahead, against it, back.
        wanted = xp.clip(0.35 * ahead, -0.6, 0.6)
        gait = xp.clip(1.5 * (wanted - speed), -0.4, 0.4)
        # Steer to the goal, whichever end of the board comes first.
        way = xp.where(ahead < 0.0, -1.0, 1.0)
        bearing = xp.arctan2(way * left, way * ahead)
        steer = xp.clip(2.0 * bearing, -0.6, 0.6) * xp.minimum(2.0 * xp.abs(ahead), 1.0)
        aim = -(steer + gait * xp.clip(psi, -1.2, 1.2))
        turn = 2 * system.J1 * (144.0 * (aim - phi) - 20.0 * phi_rate)
        return xp.stack([rotor, turn], axis=-1)

    def marks(self, goal: Array) -> Array:
        turn = np.linspace(0.0, 2 * np.pi, 25)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        return np.asarray(goal) + 0.2 * ring


# -- gains of the baselines: regulators of the linear equations for quadratic costs ---------------

# Linear-quadratic regulator with weights 2, 1, 1, 0.1 on distance, lean, speed and lean rate,
# and 0.3 on the torque; for the heading, a double pole at -4 (1/s).
BALANCE = (1.291, 7.332, 1.714, 1.346, -0.5, -0.25)
# The benchmark bicycle at 4.6 m/s: weights 1, 5, 10, 1, 1, 0.1 on distance, heading, lean, steer
# and the rates of lean and steer, and 0.1 on the torque.
BICYCLE = (-3.162, -24.254, -46.749, 17.505, -12.316, 1.855)
# Per unit of curvature in a steady turn at 4.6 m/s: lean (nearly v^2/g), steer, and its torque.
BICYCLE_LEAN, BICYCLE_STEER, BICYCLE_TORQUE = 2.155, 1.072, -3.158
# Weights 1, 2, 1 on the trailer's offset, its heading and the fold, 2 on the steer; per metre back.
PARKING = (-0.7071, 2.0019, -3.9084)

# Frequency of the rotor of the snakeboard in rad/s: the torque J0 SWING^2 stays below its limit.
SWING = 3.0

tasks: Mapping[str, type[Task]] = {x.name: x for x in (Balance, Bicycle, Parking, Snakeboard)}
