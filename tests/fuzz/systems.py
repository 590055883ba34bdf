"""Random systems against equations of motion that share no code with the library.

    python -m tests.fuzz.systems --count 2000 --seed 0 --jobs 15 --summary summary.md
    python -m tests.fuzz.systems --count 20 --kind timed --method gauss-2

A case is a kind of system (`KINDS`) with random numbers, initial data, times and a method. It is
run with h and h/2 and compared with SciPy's DOP853 on the equations of `oracle`:

  wrong      the error is larger than the difference of the two runs explains, and nothing was said
  stopped    SciPy goes on, and the run ended with an error that does not say why, or whose advice
             (a smaller h) does not help
  said       the run said that its numbers mean nothing, or refused, for a reason
  good       all else
  left out   the oracle itself stops, or the motion is too sensitive to be compared

Numbers of a kind are parameters, so that its code is compiled once for each method. With `--jobs`
the cases of a kind and a method stay together, in processes of their own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import hybrid, parts
from dalembert.methods import Composition, EnergyGauss, Leapfrog, Shake
from dalembert.methods.rules import Trapezoidal

from . import oracle
from .oracle import Mechanics

Array = Any


# -- the functions that systems are made of, for NumPy and JAX alike ------------------------------


def waves(xp: Any, c: Array, t: Any, q: Any) -> Any:
    """A sum of cosines with random directions and phases: c is (terms, n + 3)."""
    return xp.sum(c[:, 0] * xp.cos(c[:, 3:] @ q + c[:, 1] * t + c[:, 2]))


def wave_rows(xp: Any, c: Array, t: Any, q: Any) -> Any:
    """(m, n): each entry a constant and a sine; c is (m, n, n + 4)."""
    return c[:, :, 0] + c[:, :, 1] * xp.sin(c[:, :, 4:] @ q + c[:, :, 2] * t + c[:, :, 3])


def metric(xp: Any, M: Array, c: Array, t: Any, q: Any) -> Any:
    """Positive for |c| < 1: a constant one times a function of (t, q)."""
    return M * (1.0 + c[0] * xp.sin(c[3:] @ q + c[1] * t + c[2]))


class Flat(da.MechanicalSystem):
    """R^4, a constant metric, two rows."""

    M: Array
    V: Array
    A: Array
    space = da.Euclidean(4)

    @property
    def mass(self):
        return self.M

    def potential(self, q):
        return 0.5 * q @ q + waves(jnp, self.V, 0.0, q)

    def constraint(self, q):
        return wave_rows(jnp, self.A, 0.0, q)


class Curved(da.System):
    """R^3, a metric that depends on q, a row, damping."""

    M: Array
    G: Array
    V: Array
    A: Array
    D: Array
    k: float = 1.0
    target: float = 0.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        x = q - self.target
        kinetic = 0.5 * v @ metric(jnp, self.M, self.G, 0.0, q) @ v
        return kinetic - self.k * (0.5 * x @ x + waves(jnp, self.V, 0.0, x))

    def constraint(self, q):
        return wave_rows(jnp, self.A, 0.0, q - self.target)

    def force(self, t, q, v):
        return -jnp.sqrt(self.k) * self.D * v


class Timed(da.System):
    """R^3 with time in everything: metric, potential, a term linear in v, row, offset, force."""

    M: Array
    G: Array
    V: Array
    W: Array
    A: Array
    B: Array
    F: Array
    space = da.Euclidean(3)

    def lagrangian(self, t, q, v):
        kinetic = 0.5 * v @ metric(jnp, self.M, self.G, t, q) @ v
        drift = wave_rows(jnp, self.W, t, q)[0] @ v
        return kinetic + drift - 0.5 * q @ q - waves(jnp, self.V, t, q)

    def constraint(self, t, q):
        return wave_rows(jnp, self.A, t, q)

    def offset(self, t, q):
        return jnp.array([waves(jnp, self.B, t, q)])

    def force(self, t, q, v):
        return self.F[0] * jnp.cos(self.F[1] * t) - self.F[2] * v


class Plane(da.System):
    """SE(2), a body with a row that depends on place, angle and time."""

    M: Array
    V: Array
    A: Array
    D: Array
    space = da.SE(2)

    def _flat(self, g):
        return jnp.array([g[0, 2], g[1, 2]]), jnp.array([g[0, 2], g[1, 2], g[0, 0], g[1, 0]])

    def lagrangian(self, g, xi):
        place, q = self._flat(g)
        return 0.5 * xi @ self.M @ xi - 0.5 * place @ place - waves(jnp, self.V, 0.0, q)

    def constraint(self, t, g):
        return wave_rows4(jnp, self.A, t, self._flat(g)[1])

    def force(self, t, g, xi):
        return -self.D * xi


def wave_rows4(xp: Any, c: Array, t: Any, q: Any) -> Any:
    """As `wave_rows`, of 3 columns and functions of 4 numbers: c is (m, 3, 8)."""
    return c[:, :, 0] + c[:, :, 1] * xp.sin(c[:, :, 4:] @ q + c[:, :, 2] * t + c[:, :, 3])


class Turning(da.System):
    """SO(3), a body in a potential with a row fixed in space or in the body, and damping."""

    M: Array
    V: Array
    A: Array
    D: Array
    space = da.SO(3)

    def lagrangian(self, R, w):
        return 0.5 * w @ self.M @ w - jnp.sum(self.V * R)

    def constraint(self, R):
        return (self.A[0] + self.A[1] @ R)[None]

    def force(self, t, R, w):
        return -self.D * w


class OnSurface(da.System):
    """A particle on an ellipsoid, driven and damped: one holonomic function."""

    E: Array
    V: Array
    D: Array
    F: Array
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - waves(jnp, self.V, 0.0, q)

    def holonomic(self, q):
        return jnp.array([q @ (self.E * q) - 1.0])

    def force(self, t, q, v):
        return self.F[0] * jnp.cos(self.F[1] * t) - self.D * v


class Kept(da.System):
    """Speed in a plane that is kept by a nonlinear constraint of Chetaev's kind."""

    c: Array
    V: Array
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - waves(jnp, self.V, 0.0, q)

    def velocity_constraint(self, t, q, v):
        return jnp.array([v[0] ** 2 + v[1] ** 2 - self.speed2(jnp, t, q)])

    def speed2(self, xp, t, q):
        return self.c[0] + self.c[1] * xp.sin(self.c[2] * t + q[2])


class Losing(da.System):
    """A row that vanishes on a plane, which the motion may cross."""

    V: Array
    at: float = 0.5
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - waves(jnp, self.V, 0.0, q)

    def constraint(self, q):
        return jnp.array([[0.0, q[0] - self.at]])


class Pushed(da.System):
    """A force that is switched at times, on R^2 with a row."""

    V: Array
    A: Array
    times: Array
    F: Array
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q @ q - waves(jnp, self.V, 0.0, q)

    def constraint(self, q):
        return wave_rows(jnp, self.A, 0.0, q)

    def force(self, t, q, v):
        return self.F @ jnp.where(t < self.times, 0.0, 1.0)


class Walled(da.System):
    """R^3 with a row and a spring, to the right of a wall at q[0] = -0.8."""

    M: Array
    V: Array
    A: Array
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ self.M @ v - 0.5 * q @ q - waves(jnp, self.V, 0.0, q)

    def constraint(self, q):
        return wave_rows(jnp, self.A, 0.0, q)


class Jumping(da.System):
    """A row that jumps on a plane which the motion crosses."""

    V: Array
    at: float = 0.5
    c: float = 0.5
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - waves(jnp, self.V, 0.0, q)

    def constraint(self, q):
        return jnp.array([[self.c * jnp.sign(q[0] - self.at), 1.0]])


class Case(NamedTuple):
    """A system with its data, the oracle's motion, and how q reads as the oracle's."""

    kind: str
    system: Any
    q: Any
    v: np.ndarray
    t0: float
    time: float
    mechanics: Mechanics
    flat: np.ndarray  # q of the oracle
    read: Callable[[Any], np.ndarray]  # q of the library -> that of the oracle
    methods: tuple[Any, ...]
    h: float
    breaks: tuple[float, ...] = ()
    may_stop: str = ""  # why a run may end early
    blur: float = 0.0  # round-off of q and v, beyond that of numbers near 1
    modes: Any = None  # of a hybrid run: its one mode is "free"
    restitution: float = 1.0
    must_say: str = ""  # what a run has to say, if it comes to `beyond`
    beyond: float = np.inf  # of q[0]
    jumps: float = (
        0.0  # of the acceleration: a step across one is off by h times that, in any order
    )
    speed: float = 1.0  # of the system's time, in units of the oracle's


# -- random numbers -------------------------------------------------------------------------------


def _positive(rng: np.random.Generator, n: int) -> np.ndarray:
    X = rng.normal(size=(n, n))
    return np.eye(n) + 0.2 * X @ X.T


def _waves(rng: np.random.Generator, n: int, timed: bool = False, size: float = 0.4) -> np.ndarray:
    c = rng.normal(size=(3, n + 3))
    c[:, 0] *= size
    c[:, 1] *= float(timed)
    return c


def _rows(
    rng: np.random.Generator, m: int, n: int, of: int, timed: bool = False, size: float = 0.4
) -> np.ndarray:
    c = 0.5 * rng.normal(size=(m, n, of + 4))
    c[:, :, 0] = np.linalg.qr(rng.normal(size=(n, n)))[0][:m]
    c[:, :, 1] = size * rng.uniform(-1, 1, size=(m, n)) / n
    c[:, :, 2] *= 2.0 * float(timed)
    return c


ANY = (da.Gauss(1), da.Gauss(2), da.Gauss(3), da.RK4(), da.Taylor(), da.Reference())
LINEAR = (*ANY, da.DLA(), da.DLA(Trapezoidal()), da.GNI(), da.Lobatto(3))
STEPPED = (da.Gauss(1), da.Gauss(2), da.Gauss(3), da.RK4(), da.DLA(), da.GNI(), da.Lobatto(3))


def flat(rng: np.random.Generator) -> Case:
    """Constant metric, two rows, no force."""
    M, V, A = _positive(rng, 4), _waves(rng, 4), _rows(rng, 2, 4, 4)
    system = Flat(M=M, V=V, A=A)
    own = Mechanics(
        4,
        lambda t, q: M + 0 * q[0],
        lambda t, q: 0.5 * q @ q + waves(np, V, 0.0, q),
        rows=lambda t, q: wave_rows(np, A, 0.0, q),
    )
    more = (Leapfrog(), Shake(), EnergyGauss(2), Composition(Leapfrog(), order=4))
    return _on_r(rng, "flat", system, own, 4, (*LINEAR, *more), 0.05)


def _on_r(
    rng: np.random.Generator,
    kind: str,
    system: Any,
    own: Mechanics,
    n: int,
    methods: Any,
    h: float,
    **more: Any,
) -> Case:
    q, t0 = more.pop("q", None), more.pop("t0", float(rng.uniform(0, 2)))
    q = rng.normal(size=n) if q is None else q
    v = own.consistent(t0, q, more.pop("v", rng.normal(size=n)))
    time = more.pop("time", 2.0)
    return Case(kind, system, q, v, t0, time, own, q, np.asarray, methods, h, **more)


def curved(rng: np.random.Generator, rest: bool = False) -> Case:
    """Metric of q, a row, damping."""
    M, V, A = _positive(rng, 3), _waves(rng, 3, size=0.2), _rows(rng, 1, 3, 3)
    G = np.concatenate([[0.5 * rng.uniform(-1, 1), 0.0], rng.normal(size=4)])
    D = rng.uniform(0, 0.5, size=3)
    system = Curved(M=M, G=G, V=V, A=A, D=D)
    own = Mechanics(
        3,
        lambda t, q: metric(np, M, G, 0.0, q),
        lambda t, q: 0.5 * q @ q + waves(np, V, 0.0, q),
        rows=lambda t, q: wave_rows(np, A, 0.0, q),
        force=lambda t, q, v: -D * v,
    )
    return _on_r(rng, "curved", system, own, 3, LINEAR, 0.05)


def rest(rng: np.random.Generator) -> Case:
    """Strong damping, a stiff spring, far from the origin: it comes to rest at the target.

    The oracle measures q from the target and time in 1/sqrt(k): there its tolerances mean what they
    say, and the round-off of a far q does not make it creep.
    """
    M, V, A = _positive(rng, 3), 0.1 * _waves(rng, 3), _rows(rng, 1, 3, 3)
    V[:, 0] *= 0.5
    G, D = np.zeros(6), rng.uniform(1.0, 3.0, size=3)
    k, target = 10 ** rng.uniform(0, 4), rng.choice([0.0, 1.0, 1e3])
    system = Curved(M=M, G=G, V=V, A=A, D=D, k=k, target=target)
    own = Mechanics(
        3,
        lambda t, q: M + 0 * q[0],
        lambda t, q: 0.5 * q @ q + waves(np, V, 0.0, q),
        rows=lambda t, q: wave_rows(np, A, 0.0, q),
        force=lambda t, q, v: -D * v,
    )
    speed = float(np.sqrt(k))
    q = target + 0.3 * rng.normal(size=3)
    flat = q - target
    v = own.consistent(0.0, flat, 0.3 * rng.normal(size=3))
    return Case(
        "rest", system, q, speed * v, 0.0, 100.0 / speed, own, flat, lambda q: q - target, LINEAR,
        0.05 / speed, blur=1e-15 * target * speed, speed=speed,
    )  # fmt: skip


def timed(rng: np.random.Generator) -> Case:
    """Time in everything."""
    M, V, A = _positive(rng, 3), _waves(rng, 3, True), _rows(rng, 1, 3, 3, True)
    W, B = _rows(rng, 1, 3, 3, True, 0.3), _waves(rng, 3, True, 0.2)
    G = np.concatenate([[0.4 * rng.uniform(-1, 1)], rng.normal(size=5)])
    F = np.stack([0.5 * rng.normal(size=3), 2 * rng.normal(size=3), rng.uniform(0, 0.3, size=3)])
    system = Timed(M=M, G=G, V=V, W=W, A=A, B=B, F=F)
    own = Mechanics(
        3,
        lambda t, q: metric(np, M, G, t, q),
        lambda t, q: 0.5 * q @ q + waves(np, V, t, q),
        drift=lambda t, q: wave_rows(np, W, t, q)[0],
        rows=lambda t, q: wave_rows(np, A, t, q),
        right=lambda t, q: np.array([waves(np, B, t, q)]),
        force=lambda t, q, v: F[0] * np.cos(F[1] * t) - F[2] * v,
    )
    return _on_r(rng, "timed", system, own, 3, LINEAR, 0.05)


def plane(rng: np.random.Generator) -> Case:
    """SE(2)."""
    M, V, A = _positive(rng, 3), _waves(rng, 4), _rows(rng, 1, 3, 4, True)
    D, t0 = rng.uniform(0, 0.3, size=3), float(rng.uniform(0, 2))

    def full(q: Any) -> Any:
        return np.array([q[0], q[1], np.cos(q[2]), np.sin(q[2])])

    own = Mechanics(
        3,
        lambda t, q: M + 0 * q[0],
        lambda t, q: 0.5 * q[:2] @ q[:2] + waves(np, V, 0.0, full(q)),
        rows=lambda t, q: wave_rows4(np, A, t, full(q)),
        force=lambda t, q, v: -D * v,
        rate=oracle.planar,
        ad=oracle.planar_bracket,
    )
    q = rng.normal(size=3)
    v, (c, s) = own.consistent(t0, q, rng.normal(size=3)), (np.cos(q[2]), np.sin(q[2]))
    g = np.array([[c, -s, q[0]], [s, c, q[1]], [0, 0, 1.0]])

    def read(g: Any) -> np.ndarray:
        angle = np.arctan2(g[1, 0], g[0, 0])
        return np.array([g[0, 2], g[1, 2], angle])

    system = Plane(M=M, V=V, A=A, D=D)
    return Case("plane", system, g, v, t0, 2.0, own, q, read, LINEAR, 0.05)


def turning(rng: np.random.Generator) -> Case:
    """SO(3)."""
    M, V = _positive(rng, 3), 0.5 * rng.normal(size=(3, 3))
    A = np.stack([rng.normal(size=3), 0.5 * rng.normal(size=3)])
    D, t0 = rng.uniform(0, 0.3, size=3), 0.0
    own = Mechanics(
        3,
        lambda t, q: M + 0 * q[0],
        lambda t, q: np.sum(V * q.reshape(3, 3)),
        rows=lambda t, q: (A[0] + A[1] @ q.reshape(3, 3))[None],
        force=lambda t, q, v: -D * v,
        rate=oracle.turned,
        ad=oracle.bracket,
    )
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R = R * np.sign(np.linalg.det(R))
    v = own.consistent(t0, R.ravel(), rng.normal(size=3))
    system = Turning(M=M, V=V, A=A, D=D)
    return Case("turning", system, R, v, t0, 2.0, own, R.ravel(), np.ravel, LINEAR, 0.05)


def surface(rng: np.random.Generator) -> Case:
    """A holonomic function; the oracle has its velocity level."""
    E, V = rng.uniform(0.5, 2.0, size=3), _waves(rng, 3)
    D, F = rng.uniform(0, 0.3, size=3), rng.normal(size=(2, 3))
    own = Mechanics(
        3,
        lambda t, q: np.eye(3) + 0 * q[0],
        lambda t, q: waves(np, V, 0.0, q),
        rows=lambda t, q: (2 * E * q)[None],
        force=lambda t, q, v: F[0] * np.cos(F[1] * t) - D * v,
    )
    q = rng.normal(size=3)
    q = q / np.sqrt(q @ (E * q))
    system = OnSurface(E=E, V=V, D=D, F=F)
    methods = (*ANY, da.DLA(), da.GNI())
    return _on_r(rng, "surface", system, own, 3, methods, 0.05, q=q)


def kept(rng: np.random.Generator) -> Case:
    """A nonlinear constraint; the oracle's row is d phi/dv, its rate that of phi by hand."""
    V, c = _waves(rng, 3), np.array([rng.uniform(1, 2), 0.3 * rng.uniform(), rng.normal()])
    system = Kept(c=c, V=V)

    class Chetaev(Mechanics):
        def acceleration(self, t, q, v):
            free = -oracle.slopes(lambda x: waves(np, V, 0.0, x), q)
            row = np.array([2 * v[0], 2 * v[1], 0.0])
            turn = -c[1] * np.cos(c[2] * t + q[2]) * (c[2] + v[2])
            lam = -(turn + row @ free) / (row @ row)
            return free + row * lam, np.array([lam])

        def consistent(self, t, q, v):
            wanted = c[0] + c[1] * np.sin(c[2] * t + q[2])
            return np.append(v[:2] * np.sqrt(wanted / (v[:2] @ v[:2])), v[2])

    own = Chetaev(3, lambda t, q: np.eye(3), lambda t, q: waves(np, V, 0.0, q))
    return _on_r(rng, "kept", system, own, 3, ANY, 0.05)


def losing(rng: np.random.Generator) -> Case:
    """A row that vanishes: the motion of the other rows goes on through it, where it may."""
    V = _waves(rng, 2, size=0.3)
    at = rng.normal()

    def rows(t: Any, q: Any) -> Any:
        return np.array([[0.0 * q[0], 1.0 + 0 * q[0]]])  # the direction of the row

    own = Mechanics(2, lambda t, q: np.eye(2), lambda t, q: waves(np, V, 0.0, q), rows=rows)
    why = "a row of the constraint vanishes"
    return _on_r(rng, "losing", Losing(V=V, at=at), own, 2, LINEAR, 0.05, may_stop=why)


def pushed(rng: np.random.Generator) -> Case:
    """A force that jumps at times."""
    V, A = _waves(rng, 2, size=0.3), _rows(rng, 1, 2, 2)
    F, t0 = rng.normal(size=(2, 3)), 0.0
    times = np.sort(rng.uniform(0.2, 1.8, size=3))
    own = Mechanics(
        2,
        lambda t, q: np.eye(2) + 0 * q[0],
        lambda t, q: 0.5 * q @ q + waves(np, V, 0.0, q),
        rows=lambda t, q: wave_rows(np, A, 0.0, q),
        force=lambda t, q, v: F @ np.where(t < times, 0.0, 1.0),
    )
    system, breaks = Pushed(V=V, A=A, times=times, F=F), tuple(float(t) for t in times)
    more = {"t0": t0, "breaks": breaks, "jumps": float(np.sum(np.linalg.norm(F, axis=0)))}
    return _on_r(rng, "pushed", system, own, 2, LINEAR, 0.05, **more)


def machine(rng: np.random.Generator) -> Case:
    """A cart with a pendulum, made of parts; the oracle has the textbook's equations."""
    m, M, length = rng.uniform(0.5, 2.0), rng.uniform(0.5, 3.0), rng.uniform(0.3, 1.0)
    inertia = rng.uniform(0.01, 0.2)
    numbers = {"cart.mass": M, "rod.mass": m, "rod.center.2": -length, "rod.inertia.1": inertia}
    system = _cart().with_parameters(**numbers, **{"rod.inertia.2": inertia})

    def mass(t: Any, q: Any) -> Any:
        side = -m * length * np.cos(q[1])
        return np.array([[M + m + 0 * q[0], side], [side, inertia + m * length**2 + 0 * q[0]]])

    own = Mechanics(2, mass, lambda t, q: -m * 9.81 * length * np.cos(q[1]))
    return _on_r(rng, "machine", system, own, 2, LINEAR, 0.02, t0=0.0)


def bouncing(rng: np.random.Generator) -> Case:
    """A wall with restitution: a hybrid run; the oracle has the impact law of the metric."""
    M, V, A = _positive(rng, 3), _waves(rng, 3, size=0.15), _rows(rng, 1, 3, 3)
    e = float(rng.choice([0.5, 0.8, 1.0]))
    own = Mechanics(
        3,
        lambda t, q: M + 0 * q[0],
        lambda t, q: 0.5 * q @ q + waves(np, V, 0.0, q),
        rows=lambda t, q: wave_rows(np, A, 0.0, q),
    )
    q = rng.normal(size=3)
    q[0] = abs(q[0]) - 0.5
    v = rng.normal(size=3) * np.array([2.0, 1.0, 1.0])
    system = Walled(M=M, V=V, A=A)
    modes = hybrid.Modes({"free": system}, hybrid.bounce("free", _from_wall, restitution=e))
    more = {"modes": modes, "restitution": e, "q": q, "v": v, "t0": 0.0, "time": 3.0}
    return _on_r(rng, "bouncing", system, own, 3, STEPPED, 0.05, **more)


def _from_wall(q: Any) -> Any:
    return q[0] + 0.8


def jumping(rng: np.random.Generator) -> Case:
    """A constraint that jumps: no motion is right behind it, and every run has to say so."""
    V, c = _waves(rng, 2, size=0.1), float(rng.uniform(0.2, 1.0))
    at = float(rng.normal())
    own = Mechanics(
        2, lambda t, q: np.eye(2), lambda t, q: waves(np, V, 0.0, q),
        rows=lambda t, q: np.array([[-c + 0 * q[0], 1.0 + 0 * q[0]]]),
    )  # fmt: skip
    q = np.array([at - rng.uniform(0.2, 1.0), rng.normal()])
    v = np.array([rng.uniform(0.8, 1.5), 0.0])
    system, why = Jumping(V=V, at=at, c=c), "the constraint jumps"
    more = {"q": q, "v": v, "must_say": why, "may_stop": why, "beyond": at}
    return _on_r(rng, "jumping", system, own, 2, LINEAR, 0.05, **more)


_CARTS: list[Any] = []


def _cart() -> Any:
    if not _CARTS:
        _CARTS.append(
            parts.build(
                parts.Body("cart", 1.0, (0.1, 0.1, 0.1)),
                parts.Prismatic("cart", axis="x"),
                parts.Body("rod", 1.0, (0.0, 0.05, 0.05), center=(0.0, 0.0, -0.5)),
                parts.Revolute("rod", "cart", axis="y"),
                parts.Gravity(9.81),
                name="cart",
            )
        )
    return _CARTS[0]


KINDS: dict[str, Callable[[np.random.Generator], Case]] = {
    f.__name__: f
    for f in (
        flat, curved, rest, timed, plane, turning, surface, kept, losing, pushed, machine,
        bouncing, jumping,
    )
}  # fmt: skip


# -- the comparison -------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """What became of a case."""

    result: str
    text: str


def _reached(case: Case, method: Any, h: float) -> tuple[np.ndarray, tuple[str, ...]]:
    steps = round(case.time / h)
    if case.modes is not None:
        run = hybrid.simulate(
            case.modes, "free", case.q, case.v, h=h, steps=steps, t0=case.t0, method=method
        )
        last = run.arcs[-1].trajectory.final
        return np.concatenate([case.read(last.q), last.v]), tuple(run.warnings)
    run = da.simulate(
        case.system, method, case.q, case.v, h=h, steps=steps, t0=case.t0,
        save_every=1 if case.must_say else steps,
    )  # fmt: skip
    last = np.concatenate([case.read(run.q[-1]), run.v[-1] / case.speed])
    return last, tuple(run.warnings)


def _exact(case: Case) -> tuple[np.ndarray, float]:
    """Where the motion ends, and how far the oracle itself may be off, with the motion's growth."""
    inner = [t for t in case.breaks if case.t0 < t < case.t0 + case.time]
    times = [case.t0, *inner, case.t0 + case.time * case.speed]

    def motion(v: np.ndarray, tol: float) -> np.ndarray:
        if case.modes is None:
            return case.mechanics.motion(case.flat, v, times, tol)
        return case.mechanics.bounced(case.flat, v, times, tol, _from_wall, case.restitution)

    v = case.v / case.speed
    if case.kind == "rest":
        coarse, fine = (motion(v, x) for x in (1e-8, 1e-10))
        return fine, float(np.max(np.abs(fine - coarse))) + 1e-9 * _size(fine) + case.blur
    fine, coarse = motion(v, 1e-12), motion(v, 1e-10)
    near = case.mechanics.consistent(case.t0, case.flat, v * (1 + 1e-8))
    growth = np.max(np.abs(motion(near, 1e-10) - coarse)) / 1e-8
    if growth > 1e6:  # grazes a wall, say
        raise ArithmeticError(f"the motion is sensitive: {growth:.0e}")
    return fine, float(np.max(np.abs(fine - coarse))) + 1e-12 * (1 + growth) * _size(fine)


def _size(x: np.ndarray) -> float:
    return 1.0 + float(np.max(np.abs(x)))


def _difference(case: Case, a: np.ndarray, b: np.ndarray) -> float:
    d = a - b
    if case.kind == "plane":
        d[2] = (d[2] + np.pi) % (2 * np.pi) - np.pi
    return float(np.max(np.abs(d)))


def judge(case: Case, method: Any) -> Verdict:
    """Run a case by a method, and compare."""
    where = f"{case.kind} by {method.name}"
    if case.must_say:
        return _says(case, method, where)
    try:
        exact, blur = _exact(case)
    except (ArithmeticError, np.linalg.LinAlgError) as error:
        return Verdict("left out", f"{where}: the oracle stops: {error}")
    found, said = [], ()
    for h in (case.h, case.h / 2):
        try:
            x, warned = _reached(case, method, h)
        except da.UsageError as error:
            return Verdict("said", f"{where}: {error}")
        except da.SimulationError as error:
            return _stopped(case, method, h, str(error), where)
        found.append(x)
        said = (*said, *warned)
    error = _difference(case, found[1], exact)
    explained = _difference(case, found[0], found[1])
    # a jump of the force within a step costs a method its order, and two runs may be off by the
    # same by chance: then h times the jump is the bound
    blur = blur + case.h * case.jumps / 20.0
    if not np.all(np.isfinite(found[1])):
        return Verdict("said" if said else "wrong", f"{where}: not finite {said}")
    if error <= 4.0 * explained + 20.0 * blur + 1e-11 * _size(exact):
        return Verdict("good", "")
    text = f"{where}: off by {error:.2e}, runs differ by {explained:.2e}, oracle {blur:.1e}"
    return Verdict("said" if said else "wrong", f"{text} {said}")


def _says(case: Case, method: Any, where: str) -> Verdict:
    """Whether a run that comes beyond a jump of its constraint says so."""
    try:
        x, said = _reached(case, method, case.h)
    except da.SimulationError as error:
        told = case.must_say in str(error)
        return Verdict("said" if told else "stopped", f"{where}: {error}")
    if any(case.must_say in text for text in said):
        return Verdict("said", where)
    crossed = x[0] > case.beyond
    return Verdict("wrong" if crossed else "good", f"{where}: {case.must_say}, and nothing is said")


def _stopped(case: Case, method: Any, h: float, message: str, where: str) -> Verdict:
    """Whether what an error says is true."""
    if case.may_stop:
        told = any(x in message for x in ("rank", "depend", "singular", "vanish"))
        return Verdict("said" if told else "stopped", f"{where}: {message}")
    if "smaller h" not in message:
        return Verdict("stopped", f"{where}: {message}")
    try:
        _reached(case, method, h / 8)
    except da.SimulationError as error:
        return Verdict("stopped", f"{where}: {message}; with h/8: {error}")
    return Verdict("said", f"{where}: {message}")


def chosen(seed: int, kind: str | None = None, names: Any = ()) -> tuple[Case, Any]:
    """The case of a seed, and its method, among some if they are named."""
    rng = np.random.default_rng([seed, 20261118])
    name = kind or list(KINDS)[seed % len(KINDS)]
    case = KINDS[name](rng)
    some = [m for m in case.methods if not names or m.name in names] or case.methods[:1]
    return case, some[int(rng.integers(len(some)))]


RESULTS = ("good", "said", "left out", "wrong", "stopped")


class Outcome(NamedTuple):
    """Of one case."""

    seed: int
    kind: str
    method: str
    result: str
    text: str


def _judged(seed: int, kind: str | None, names: Any) -> Outcome:
    case, method = chosen(seed, kind, names)
    try:
        verdict = judge(case, method)
    except Exception as error:  # a bug of the library, or of this script
        verdict = Verdict("wrong", f"{case.kind}, {method.name}: {type(error).__name__}: {error}")
    return Outcome(seed, case.kind, method.name, *verdict)


def _group(given: tuple[list[int], str | None, Any, float]) -> list[Outcome]:
    """The cases of one kind and method."""
    seeds, kind, names, until = given
    return [_judged(seed, kind, names) for seed in seeds if time.time() < until]


def outcomes(
    seeds: Any, kind: str | None, names: Any, jobs: int, seconds: float
) -> Iterator[list[Outcome]]:
    """Of the cases of one kind and method after the other."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for seed in seeds:
        case, method = chosen(seed, kind, names)
        groups[case.kind, method.name].append(seed)
    until = time.time() + seconds
    slow = {"rest": 4, "timed": 3, "reference": 3}  # times as long as others, about
    order = sorted(
        groups, key=lambda x: len(groups[x]) * max(slow.get(y, 1) for y in x), reverse=True
    )
    work = [(groups[x], kind, names, until) for x in order]
    if jobs == 1:
        yield from map(_group, work)
        return
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    # fresh processes, and new ones after some groups: compiled code is not kept for ever
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=16) as pool:
        yield from pool.imap_unordered(_group, work)


def table(found: list[Outcome], by: str) -> str:
    """How many of each result, by kind or by method, in Markdown."""
    counts = Counter((getattr(x, by), x.result) for x in found)
    names = list(dict.fromkeys(getattr(x, by) for x in found))
    lines = [f"| {by} | {' | '.join(RESULTS)} |", "|---" * (1 + len(RESULTS)) + "|"]
    for name in sorted(names):
        lines.append(f"| {name} | {' | '.join(str(counts[name, x]) for x in RESULTS)} |")
    total = [str(sum(counts[name, x] for name in names)) for x in RESULTS]
    return "\n".join([*lines, f"| all | {' | '.join(total)} |"])


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--method", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--summary", help="a file to write the tables to, in Markdown")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no case after that long")
    asked = parser.parse_args(given)
    begin = time.monotonic()
    seeds = range(asked.seed, asked.seed + asked.count)
    found: list[Outcome] = []
    for some in outcomes(seeds, asked.kind, asked.method, asked.jobs, asked.seconds):
        found = sorted([*found, *some])
        for x in some:
            if x.result in ("wrong", "stopped"):
                print(f"seed {x.seed}: {x.result}: {x.text}", flush=True)
        if asked.summary:  # so far: who is stopped has that
            Path(asked.summary).write_text(summary(found, asked, time.monotonic() - begin))
    print(summary(found, asked, time.monotonic() - begin), end="")
    return 1 if any(x.result in ("wrong", "stopped") for x in found) else 0


def summary(found: list[Outcome], asked: argparse.Namespace, seconds: float) -> str:
    """The tables, in Markdown."""
    bad = [x for x in found if x.result in ("wrong", "stopped")]
    took = f"{len(found)} of {asked.count} cases, seeds from {asked.seed}, {asked.jobs} processes, "
    took += f"{seconds:.0f} s: {len(bad)} wrong or stopped without a reason"
    text = [took, "", table(found, "kind"), "", table(found, "method")]
    text += [""] * bool(bad) + [f"- seed {x.seed}: {x.result}: {x.text}" for x in bad]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    sys.exit(main())
