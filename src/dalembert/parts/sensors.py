"""Sensors of a machine: encoders and inertial units, functions of a state with noise by seed."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.function import compiled_rows
from ..dynamics import acceleration
from ..errors import UsageError, unknown_name
from ..groupoids import move
from ..inputs import CONTROL, Constant, driven
from .machine import Machine
from .motion import frames
from .pieces import Motor
from .topology import scalar_slot
from .vectors import vector


class _Noisy:
    """White noise and a constant bias, both drawn from a seed."""

    def __init__(self, seed: int | None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None) -> None:
        """Start again: the same seed gives the same errors; None gives none."""
        self._source = None if seed is None else np.random.default_rng(seed)
        self._biases: dict[str, np.ndarray] = {}

    def _with_noise(self, x: np.ndarray, noise: float, bias: float, name: str) -> np.ndarray:
        if self._source is None:
            return x
        if name not in self._biases or self._biases[name].shape != x.shape:
            self._biases[name] = bias * self._source.normal(size=x.shape)
        return x + self._biases[name] + noise * self._source.normal(size=x.shape)


class Encoder(_Noisy):
    """The coordinate of a joint as an encoder measures it, a function (t, q, v) -> number.

        arm = parts.build(parts.Body("arm", 1.0, 0.02), parts.Revolute("arm", start=0.3))
        encoder = parts.Encoder(arm, "arm", counts=4096, noise=1e-3, seed=1)
        angle = encoder(0.0, *arm.initial())

    The result is a multiple of 2 pi/counts (of 1/counts m for a slider); without `counts` it is
    not rounded. `noise` is the standard deviation of the noise that is added before rounding. With
    many members, the member axis of q comes first. `seed=None` measures without noise.
    """

    def __init__(
        self,
        machine: Machine,
        joint: str,
        counts: float | None = None,
        noise: float = 0.0,
        seed: int | None = None,
    ) -> None:
        _check(machine)
        super().__init__(seed)
        self._layout, assembly = machine.layout, machine._machine()
        self._at = scalar_slot(assembly, self._layout, Motor(joint), joint)
        whole = 2 * np.pi if self._layout.units[self._at] == "rad" else 1.0
        if counts is not None and not counts > 0:
            raise UsageError(f"Encoder: counts must be positive, got {counts!r}")
        self.resolution = None if counts is None else whole / counts
        self.noise = float(noise)

    def __call__(self, t: Any, q: Any, v: Any) -> np.ndarray:
        """Return the measured coordinate."""
        x = np.asarray(self._layout.split(q)[0])[..., self._at]
        x = self._with_noise(x, self.noise, 0.0, "angle")
        return x if self.resolution is None else self.resolution * np.round(x / self.resolution)


class IMU(_Noisy):
    """An inertial unit at a point of a body, a function (t, q, v, u) -> (gyro, force).

        arm = parts.build(parts.Body("arm", 1.0, 0.02), parts.Revolute("arm", speed=1.0))
        imu = parts.IMU(arm, "arm", at=(0.1, 0, 0), gyro_noise=0.01, seed=1)
        rates, force = imu(0.0, *arm.initial())

    `gyro` is the angular velocity in rad/s, `force` the acceleration of the point minus gravity in
    m/s^2 (at rest g upwards); both have components along the axes of the body. The acceleration
    follows from the equations of motion, so it depends on the input u; without u the inputs are
    zero. Each reading has white noise with the standard deviations `gyro_noise` and `force_noise`,
    and a constant bias, drawn once with the deviations `gyro_bias` and `force_bias`. With many
    members, the member axis comes first. `seed=None` measures without noise and bias.
    """

    def __init__(
        self,
        machine: Machine,
        body: str,
        at: Any = None,
        gyro_noise: float = 0.0,
        force_noise: float = 0.0,
        gyro_bias: float = 0.0,
        force_bias: float = 0.0,
        seed: int | None = None,
    ) -> None:
        _check(machine)
        if body not in machine._machine().bodies:
            raise unknown_name("body", body, list(machine._machine().bodies))
        super().__init__(seed)
        self.machine, self.body = machine, body
        place = vector(at)
        self._at = (0.0, 0.0, 0.0) if place is None else tuple(map(float, place.array(np)))
        self._gyro, self._force = (gyro_noise, gyro_bias), (force_noise, force_bias)

    def __call__(self, t: Any, q: Any, v: Any, u: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the measured rates of rotation and the specific force."""
        v = np.asarray(v, float)
        many = v.ndim == 2
        rows = jax.tree.map(lambda x: np.asarray(x, float), (q, v))
        rows = rows if many else jax.tree.map(lambda x: x[None], rows)
        count = len(rows[1])
        times = np.broadcast_to(np.asarray(t, float), count)
        given = (times, *rows)
        if u is not None:
            inputs = len(self.machine.input_labels)
            given = (*given, np.broadcast_to(np.asarray(u, float), (count, inputs)))
        values = compiled_rows(_measured, self.machine, given, self.body, self._at)
        rates, force = (np.asarray(x) if many else np.asarray(x)[0] for x in values)
        return (
            self._with_noise(rates, *self._gyro, "gyro"),
            self._with_noise(force, *self._force, "force"),
        )


def _measured(machine, t, q, v, *more):
    """Return (angular velocity, specific force) of a point of a body, along the body's axes."""
    *u, body, at = more
    moving = driven(machine, Constant(u[0])) if u else machine
    a = acceleration(moving, q, v, t)
    assembly, layout, at = machine._machine(), machine.layout, jnp.asarray(at)

    def speed(s):
        frame = frames(assembly, layout, move(machine.groupoid, q, s * v), v + s * a)[body]
        return frame.speed + frame.turn @ jnp.cross(frame.spin, at), frame

    _, rate, frame = jax.jvp(speed, (jnp.zeros(()),), (jnp.ones(()),), has_aux=True)
    for weight in assembly.gravity:
        rate = rate - weight.g * weight.down.array(jnp)
    turn = jnp.asarray(frame.turn, dtype=float)
    return jnp.asarray(frame.spin, dtype=float), turn.T @ rate


def _check(machine: Any) -> None:
    if not isinstance(machine, Machine):
        raise UsageError(f"a sensor needs a machine of parts, got {machine!r}")
    if hasattr(machine, CONTROL):
        raise UsageError("a sensor needs the machine itself, not the driven one")
