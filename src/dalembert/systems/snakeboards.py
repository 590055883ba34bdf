"""Two snakeboards: with the angle of the rotor in space, and with that from the board."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .. import scene as sc
from ..groups import Euclidean
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, parameter
from ._common import dots, energy, integral, planar_motions, shifts, start
from .sleighs import forward_speed


class _Board(MechanicalSystem):
    """A snakeboard of half-length `half` whose axles turn by phi and -phi.

    q = (x, y, theta, psi, phi): center in m, heading, rotor and axle angles in rad. In the
    board's frame the wheels allow (forward, sideways, turn) along (half cos phi, 0, -sin phi).
    The two printed no-slip conditions become dependent at cos phi = 0; the rows used here are
    half their sum over cos phi and half their difference, and stay independent:

        -x' sin theta + y' cos theta = 0,
        sin phi (x' cos theta + y' sin theta) + half cos phi theta' = 0
    """

    space = Euclidean(5)
    coordinate_names = ("x", "y", "theta", "psi", "phi")
    velocity_names = dots("x", "y", "theta", "psi", "phi")
    units = ("m", "m", "rad", "rad", "rad")
    constraint_units = ("N",) * 2
    input_names = ("rotor", "steer")
    input_units = ("N m", "N m")

    def _half(self) -> Real:
        raise NotImplementedError

    def _inertia(self) -> tuple[Real, Real]:
        """Return (m, moment of inertia of the board without rotor)."""
        raise NotImplementedError

    def constraint(self, q: jax.Array) -> jax.Array:
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        cp, sp = jnp.cos(q[4]), jnp.sin(q[4])
        o = jnp.zeros(())
        return jnp.stack(
            [jnp.stack([-s, c, o, o, o]), jnp.stack([sp * c, sp * s, self._half() * cp, o, o])]
        )

    def _rotor(self, q: jax.Array) -> jax.Array:
        """Return the angle of the rotor in space."""
        return q[3]

    def scene(self) -> sc.Scene:
        half = self._half()
        r = 0.09 * half  # radius of the wheels
        deck = 3.2 * r

        def axle(end: float) -> sc.Of:
            return lambda row: sc.above(row.q) + end * half * sc.turn_z(row.q[2])[:, 0]

        def steered(end: float) -> sc.Of:  # positive phi turns the axle in front to the right
            return lambda row: sc.turn_z(row.q[2] - end * row.q[4])

        truck = (
            sc.cylinder(0.3 * r, 6 * r)
            .turned((1, 0, 0), jnp.pi / 2)
            .moved(0.0, 0.0, r)
            .painted("metal"),
            sc.cylinder(0.3 * r, deck - r).moved(0.0, 0.0, 0.5 * (deck + r)).painted("metal"),
            sc.board(5 * r, 5.6 * r, 0.5 * r).moved(0.0, 0.0, deck + 0.5 * r),
        )
        rotor = (
            sc.cylinder(0.1 * half, 0.12 * half).painted("dark"),
            sc.cylinder(0.03 * half, 1.1 * half).turned((1, 0, 0), jnp.pi / 2).painted("metal"),
            *(
                sc.sphere(0.1 * half).moved(0.0, y * half, 0.0).painted("accent")
                for y in (0.55, -0.55)
            ),
        )
        trucks = {"front truck": 1.0, "rear truck": -1.0}
        wheels, contacts = [], []
        for name, end in trucks.items():
            pair, touching = sc.rolling_wheels(
                name,
                lambda q, end=end: q[:2] + end * half * sc.turn_z(q[2])[:2, 0],
                lambda q, end=end: q[2] - end * q[4],
                r,
                6 * r,
                0.8 * r,
            )
            wheels, contacts = wheels + pair, contacts + touching
        board = sc.board(1.7 * half, 0.3 * half, 0.05 * half).moved(0.0, 0.0, deck)
        return sc.Scene(
            [
                sc.Body("board", board, lambda row: sc.above(row.q), steered(0.0)),
                sc.Body(
                    "rotor",
                    rotor,
                    lambda row: sc.above(row.q, deck + 0.12 * half),
                    lambda row: sc.turn_z(self._rotor(row.q)),
                ),
                *(sc.Body(name, truck, axle(e), steered(e)) for name, e in trucks.items()),
                *wheels,
            ],
            traces=[sc.Trace("front axle", axle(1.0)), sc.Trace("rear axle", axle(-1.0))],
            arrows=[
                sc.Arrow(
                    "reaction, in all",
                    lambda row: sc.above(row.q),
                    lambda row: sc.above(row.force),
                )
            ],
            contacts=contacts,
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {
            "se2": planar_motions(5, 2),
            "rotor": shifts(5, 3),
            "se2-rotor": planar_motions(5, 2, 3),
        }

    def _ride(self, q: jax.Array, pace: Real, psi_dot: Real, phi_dot: Real) -> jax.Array:
        """Return v with the board motion pace * (half cos phi, 0, -sin phi) in its frame."""
        forward = pace * self._half() * jnp.cos(q[4])
        return jnp.stack(
            [
                forward * jnp.cos(q[2]),
                forward * jnp.sin(q[2]),
                -pace * jnp.sin(q[4]),
                jnp.asarray(psi_dot, dtype=float),
                jnp.asarray(phi_dot, dtype=float),
            ]
        )

    def _coast(self, t: jax.Array, q0: jax.Array, v0: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) with an absolute rotor angle: both shape velocities are constant.

        Energy gives pace^2 N = const with N = m half^2 cos^2 phi + J' sin^2 phi, and
        theta' = -pace sin phi integrates to an inverse (hyperbolic) sine of cos phi.
        """
        r, (m, inertia) = self._half(), self._inertia()
        theta0, phi0, rate = q0[2], q0[4], v0[4]
        excess = m * r**2 - inertia
        root = jnp.sqrt(jnp.where(excess == 0, 1.0, jnp.abs(excess)))

        def norm(phi: jax.Array) -> jax.Array:
            return jnp.sqrt(inertia + excess * jnp.cos(phi) ** 2)

        def primitive(phi: jax.Array) -> jax.Array:
            c = jnp.cos(phi)
            z = c * root / jnp.sqrt(inertia)
            z_safe = jnp.where(excess < 0, z, 0.0)
            bent = jnp.where(excess > 0, jnp.arcsinh(z), jnp.arcsin(z_safe)) / root
            return jnp.where(excess == 0, c / jnp.sqrt(inertia), bent)

        cp, sp = jnp.cos(phi0), jnp.sin(phi0)
        pace0 = (forward_speed(theta0, v0) * r * cp - v0[2] * sp) / ((r * cp) ** 2 + sp**2)
        level = pace0 * norm(phi0)
        still = rate == 0.0
        rate_safe = jnp.where(still, 1.0, rate)

        def state(t: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
            phi = phi0 + rate * t
            turn = level / rate_safe * (primitive(phi) - primitive(phi0))
            turn = jnp.where(still, -pace0 * sp * t, turn)
            return theta0 + turn, phi, level / norm(phi)

        def planar(t: jax.Array) -> jax.Array:
            theta, phi, pace = state(t)
            return pace * r * jnp.cos(phi) * jnp.stack([jnp.cos(theta), jnp.sin(theta)])

        theta, phi, pace = state(t)
        xy = q0[:2] + integral(planar, t)
        q = jnp.concatenate([xy, jnp.stack([theta, q0[3] + v0[3] * t, phi])])
        return q, self._ride(q, pace, v0[3], rate)


class Snakeboard(_Board):
    """The snakeboard with an absolute rotor angle: a diagonal constant metric.

        L = m (x'^2 + y'^2)/2 + (J + 2 J1) theta'^2/2 + J0 psi'^2/2 + J1 phi'^2,
        no sideways slip of the axles turned by +phi and -phi

    q = (x, y, theta, psi, phi) in m and rad, psi measured from a fixed direction. Rotor and
    axles turn evenly; the heading is elementary, x and y are quadratures.

    Reference: [F08] Example 2.
    """

    m: float = parameter(1.0, "kg", "total mass", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia of the board", positive=True)
    J0: float = parameter(0.3, "kg m^2", "moment of inertia of the rotor", positive=True)
    J1: float = parameter(0.1, "kg m^2", "moment of inertia of each wheel axle", positive=True)
    r: float = parameter(1.0, "m", "from the center of the board to the wheels", positive=True)

    reference = "[F08] Example 2"

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m, self.m, self.J + 2 * self.J1, self.J0, 2 * self.J1]))

    def inputs(self, q: jax.Array) -> jax.Array:
        """Return the rows of two torques: between rotor and board, and the steering torque."""
        return jnp.array([[0.0, 0.0, -1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]])

    def _half(self) -> Real:
        return self.r

    def _inertia(self) -> tuple[Real, Real]:
        return self.m, self.J + 2 * self.J1

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.3, 0.0, 0.5])
        return q, self._ride(q, 1.0, 0.7, 0.4)

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t; x and y by a quadrature of fixed size."""
        q0, v0 = start(self, q0, v0)
        return self._coast(t, q0, v0)

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "p_psi": lambda q, v: self.J0 * v[3],
            "p_phi": lambda q, v: 2 * self.J1 * v[4],
        }


class SnakeboardCoupled(_Board):
    """The snakeboard with the rotor angle measured from the board: a coupled metric.

        L = m (x'^2 + y'^2)/2 + (J + J_r + 2 J_w) theta'^2/2 + J_r theta' psi'
            + J_r psi'^2/2 + J_w phi'^2,
        no sideways slip of the axles turned by +phi and -phi

    q = (x, y, theta, psi, phi) in m and rad. The same board as `Snakeboard`, whose psi is
    psi + theta here. The default data satisfy J + J_r + 2 J_w = m l^2, but nothing depends on this.
    Conserved: the energy, J_r (theta' + psi') and 2 J_w phi'.

    Reference: [C02] 3.2.3 with erratum E6.
    """

    m: float = parameter(1.0, "kg", "total mass", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia of the board", positive=True)
    J_r: float = parameter(0.3, "kg m^2", "moment of inertia of the rotor", positive=True)
    J_w: float = parameter(0.1, "kg m^2", "moment of inertia of each wheel axle", positive=True)
    l: float = parameter(1.0, "m", "half-length of the board", positive=True)

    reference = "[C02] 3.2.3, E6"

    @property
    def mass(self) -> jax.Array:
        whole = self.J + self.J_r + 2 * self.J_w
        diagonal = jnp.diag(jnp.array([self.m, self.m, whole, self.J_r, 2 * self.J_w]))
        return diagonal.at[2, 3].set(self.J_r).at[3, 2].set(self.J_r)

    def inputs(self, q: jax.Array) -> jax.Array:
        """Return the rows of two torques: between rotor and board, and the steering torque."""
        return jnp.eye(5)[3:]

    def _half(self) -> Real:
        return self.l

    def _inertia(self) -> tuple[Real, Real]:
        return self.m, self.J + 2 * self.J_w

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.3, -0.3, 0.5])
        v = self._ride(q, 1.0, 0.7, 0.4)
        return q, v.at[3].add(-v[2])

    def _rotor(self, q: jax.Array) -> jax.Array:
        return q[2] + q[3]

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t; x and y by a quadrature of fixed size."""
        q0, v0 = start(self, q0, v0)
        q, v = self._coast(t, q0.at[3].add(q0[2]), v0.at[3].add(v0[2]))
        return q.at[3].add(-q[2]), v.at[3].add(-v[2])

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "p_psi": lambda q, v: self.J_r * (v[2] + v[3]),
            "p_phi": lambda q, v: 2 * self.J_w * v[4],
        }
