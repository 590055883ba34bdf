"""Systems whose constraint switches on and off, branches, or changes rank: chapter 6 [C02].

Each system here has one set of constraints. `dalembert.hybrid` treats the changes between sets:
`hybrid.released(system)` is the system without constraints.
"""

from __future__ import annotations

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .. import scene as sc
from ..errors import UsageError
from ..groups import SO, Euclidean, Product
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, parameter
from ._common import contact_scene, dots, energy, shifts, start, whole

_SO3 = SO(3)
_ATTITUDE = tuple(f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))


class RollingSphere(MechanicalSystem):
    """A homogeneous sphere that rolls on a plane at rest, on R^2 x SO(3).

        L = m (x'^2 + y'^2)/2 + m k^2 |Omega|^2/2,    x' = r omega_2,    y' = -r omega_1

    q = ((x, y), R) with the center (x, y) in m, v = (x', y', Omega) with Omega = R^T omega the
    body angular velocity in rad/s. It rolls straight on with constant spin: (6.22) [C02]. Where the
    plane is smooth the system is `hybrid.released` of this one; what happens at the border of the
    rough part is `hybrid.jump`: (6.21) [C02].

    Reference: [C02] 6.4.1, (6.18) to (6.22), Fig. 6.2.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    r: float = parameter(0.5, "m", "radius", positive=True)
    k: float = parameter(0.3, "m", "radius of gyration", positive=True)

    space = Product(Euclidean(2), _SO3)
    coordinate_names = ("x", "y", *_ATTITUDE)
    velocity_names = ("x_dot", "y_dot", "Omega1", "Omega2", "Omega3")
    units = ("m", "m", *("1",) * 9)
    constraint_units = ("N",) * 2
    reference = "[C02] 6.4.1, (6.18)-(6.22)"

    @property
    def mass(self) -> jax.Array:
        spin = jnp.asarray(self.m * self.k**2, dtype=float)
        return jnp.diag(jnp.concatenate([jnp.full(2, self.m, dtype=float), jnp.full(3, spin)]))

    def constraint(self, q: Point) -> jax.Array:
        R = q[1]
        rolling = jnp.stack([-self.r * R[1], self.r * R[0]])
        return jnp.concatenate([jnp.eye(2), rolling], axis=1)

    def body_velocity(self, q: Point, planar: Any, omega: Any) -> jax.Array:
        """Return v from the velocity of the center and the angular velocity in space."""
        spin = q[1].T @ jnp.asarray(omega, dtype=float)
        return jnp.concatenate([jnp.asarray(planar, dtype=float), spin])

    def initial(self) -> tuple[Point, jax.Array]:
        q = (jnp.array([-1.0, 0.5]), jnp.eye(3))
        v = jnp.array([0.8, -0.3])
        return q, self.body_velocity(q, v, jnp.stack([-v[1] / self.r, v[0] / self.r, 0.4]))

    def straight_motion(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[Point, jax.Array]:
        """Return (q, v) at time t, rolling or free: v is constant, R = R0 exp(Omega t)."""
        q0, v0 = start(self, q0, v0)
        return (q0[0] + t * v0[:2], q0[1] @ _SO3.exp(t * v0[2:])), v0

    def path(self, q: Point) -> jax.Array:
        return q[0]

    def scene(self) -> sc.Scene:
        def foot(row: sc.Row) -> jax.Array:
            return sc.above(row.q[0])

        def center(row: sc.Row) -> jax.Array:
            return sc.above(row.q[0], self.r)

        return sc.Scene(
            [sc.Body("sphere", sc.ball(self.r), center, lambda row: row.q[1])],
            traces=[sc.Trace("contact", foot)],
            contacts=[sc.Contact("sphere", foot)],
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {"translations": shifts(5, 0, 1)}

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "velocity": lambda q, v: v[:2],
            "spin": lambda q, v: q[1] @ v[2:],
        }


class LandedBall(MechanicalSystem):
    """A homogeneous ball in space that rolls on a turning table at z = 0, on R^3 x SO(3).

        L = m |x'|^2/2 + I |Omega|^2/2 - m g z,
        x' - r omega_2 = -Theta y,    y' + r omega_1 = Theta x,    z' = 0

    q = ((x, y, z), R) with the center in m, v = (x', y', z', Omega) with Omega the body angular
    velocity in rad/s. In the air it is `hybrid.released`; dropped on the table it jumps onto this
    constraint, or off it with a coefficient of restitution. The multiplier of z' = 0 is the weight.

    Reference: [C02] 6.2 and 3.2.2; the ball on the table as in [F15] 7.4.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    r: float = parameter(0.3, "m", "radius", positive=True)
    I: float = parameter(0.036, "kg m^2", "moment of inertia", positive=True)
    Theta: float = parameter(1.0, "rad/s", "angular velocity of the table, any sign")
    g: float = parameter(9.81, "m/s^2", "gravity")

    space = Product(Euclidean(3), _SO3)
    coordinate_names = ("x", "y", "z", *_ATTITUDE)
    velocity_names = ("x_dot", "y_dot", "z_dot", "Omega1", "Omega2", "Omega3")
    units = ("m", "m", "m", *("1",) * 9)
    constraint_units = ("N",) * 3
    reference = "[C02] 6.2, 3.2.2"

    @property
    def mass(self) -> jax.Array:
        inertia = jnp.asarray(self.I, dtype=float)
        return jnp.diag(jnp.concatenate([jnp.full(3, self.m, dtype=float), jnp.full(3, inertia)]))

    def potential(self, q: Point) -> jax.Array:
        return self.m * self.g * q[0][2]

    def constraint(self, q: Point) -> jax.Array:
        R = q[1]
        spin = jnp.stack([-self.r * R[1], self.r * R[0], jnp.zeros(3)])
        return jnp.concatenate([jnp.eye(3), spin], axis=1)

    def offset(self, t: jax.Array, q: Point) -> jax.Array:
        x, y, _ = q[0]
        return self.Theta * jnp.stack([-y, x, jnp.zeros(())])

    def height(self, q: Point) -> jax.Array:
        """Return the gap between ball and table, of shape (1,)."""
        return q[0][2:] - self.r

    def rolling_velocity(self, q: Point, xdot: Real, ydot: Real, omega3: Real) -> jax.Array:
        """Return v on the constraint from the velocity of the center and the vertical spin."""
        x, y, _ = q[0]
        omega = jnp.stack(
            [
                (self.Theta * x - ydot) / self.r,
                (xdot + self.Theta * y) / self.r,
                jnp.asarray(omega3, dtype=float),
            ]
        )
        return jnp.concatenate([jnp.array([xdot, ydot, 0.0]), q[1].T @ omega])

    def initial(self) -> tuple[Point, jax.Array]:
        q = (jnp.stack([jnp.asarray(1.0), jnp.asarray(0.5), jnp.asarray(self.r)]), jnp.eye(3))
        return q, self.rolling_velocity(q, 0.3, -0.2, 0.5)

    def contact_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the angular momentum about the contact, three numbers; the table conserves it."""
        lever = self.m * self.r * jnp.stack([-v[1], v[0], jnp.zeros(())])
        return self.I * (q[1] @ v[3:]) + lever

    def moving_energy(self, q: Point, v: jax.Array) -> jax.Array:
        """Return E - Theta (m (x y' - y x') + l_3)."""
        x, y, _ = q[0]
        turning = self.m * (x * v[1] - y * v[0]) + self.I * (q[1] @ v[3:])[2]
        return energy(self)(q, v) - self.Theta * turning

    def path(self, q: Point) -> jax.Array:
        return q[0][:2]

    def scene(self) -> sc.Scene:
        def foot(row: sc.Row) -> jax.Array:
            return row.q[0] - jnp.array([0.0, 0.0, 1.0]) * self.r

        def rate(row: sc.Row) -> jax.Array:
            return sc.above((0.0, 0.0), self.Theta)

        return sc.Scene(
            [
                sc.Body("table", sc.table(0.1 * self.r), spin=rate, stage=True),
                sc.Body("ball", sc.ball(self.r), lambda row: row.q[0], lambda row: row.q[1]),
            ],
            traces=[sc.Trace("center", lambda row: row.q[0])],
            arrows=[sc.Arrow("reaction", foot, lambda row: row.force[:3])],
            contacts=[
                sc.Contact("ball", foot, surface=lambda row: jnp.cross(rate(row), foot(row)))
            ],
            ground=None,
            focus="ball",
        )

    @property
    def invariants(self) -> Invariants:
        return {"J": self.contact_momentum, "moving_energy": self.moving_energy}


class ParticleWithFadingConstraint(MechanicalSystem):
    """A particle in the plane whose constraint fades out towards x = 0 and vanishes beyond.

        L = m (x'^2 + y'^2)/2,    phi(x) (x' - y') = 0,
        phi = exp(-1/x^2) for x > 0 and 0 for x <= 0

    q = (x, y) in m. For x > 0 it moves on lines of slope 1, for x < 0 freely; the points of x = 0
    are singular. Coming from the left the velocity jumps there, coming from the right it does not:
    `hybrid.jump_across`. The row has rank 1 down to x = 0.037, where it underflows, and does not
    change sign, so declare a guard. Methods for constant rank refuse to start at x <= 0, and fail
    when they get there.

    Reference: [C02] Examples 2.2.2, 6.3.1 and 6.3.5, Fig. 6.1.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)

    space = Euclidean(2)
    coordinate_names = ("x", "y")
    velocity_names = dots("x", "y")
    units = ("m", "m")
    constraint_units = ("N",)
    reference = "[C02] 2.2.2, 6.3.1, 6.3.5"

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(2)

    def constraint(self, q: jax.Array) -> jax.Array:
        inside = q[0] > 0.0
        x = jnp.where(inside, q[0], 1.0)
        phi = jnp.where(inside, jnp.exp(-1.0 / x**2), 0.0)
        return phi * jnp.array([[1.0, -1.0]])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.array([2.0, 1.0]), jnp.array([0.5, 0.5])

    def scene(self) -> sc.Scene:
        def place(row: sc.Row) -> jax.Array:
            return sc.above(row.q)

        return sc.Scene(
            [sc.Body("particle", sc.sphere(0.025).scaled_with_motion(), place)],
            traces=[sc.Trace("path", place)],
            arrows=[sc.Arrow("velocity", place, lambda row: sc.above(row.v), "m/s")],
        )

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "p": lambda q, v: self.m * v}


class ParticleAcrossCone(MechanicalSystem):
    """A particle on a spring with a constraint that vanishes on a curve S, on a surface C.

        L = m |q'|^2/2 - k (x^2 + y^2 + (z - 1)^2)/2,
        (y^2 - x^2 - z) x' + (z - y^2 - x y) y' + x z' = 0

    q = (x, y, z) in m; lengths are in units of 1 m in the constraint. S is x = 0, z = y^2, and
    C is z = x^2 + y^2 - x y, on which the form is x dC: all motions on C obey it. A motion of the
    constraint can cross C through S only, where its continuation is not determined. Methods step
    over S without noticing; `diagnostics.report` warns. Conserved: the energy.

    Reference: [C02] 6.4.2, (6.23), (6.24), with the signs of V and of the multiplier corrected.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    stiffness: float = parameter(1.0, "N/m", "k of the spring to (0, 0, 1)")

    space = Euclidean(3)
    coordinate_names = ("x", "y", "z")
    velocity_names = dots("x", "y", "z")
    units = ("m", "m", "m")
    reference = "[C02] 6.4.2"

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(3)

    def potential(self, q: jax.Array) -> jax.Array:
        return 0.5 * self.stiffness * jnp.sum((q - jnp.array([0.0, 0.0, 1.0])) ** 2)

    def constraint(self, q: jax.Array) -> jax.Array:
        x, y, z = q
        return jnp.stack([y**2 - x**2 - z, z - y**2 - x * y, x])[None, :]

    def surface(self, q: jax.Array) -> jax.Array:
        """Return z - x^2 - y^2 + x y, zero on C."""
        return q[2] - q[0] ** 2 - q[1] ** 2 + q[0] * q[1]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.5, 0.5, 1.5])  # a start whose motion does not come near S; many others do
        a, b, c = self.constraint(q)[0]
        return q, jnp.stack([jnp.asarray(0.1), jnp.asarray(0.2), -(0.1 * a + 0.2 * b) / c])

    def scene(self) -> sc.Scene:
        drawing = contact_scene(self, upwards=2, spring=False)
        return sc.Scene(
            [drawing.bodies[0]],
            [sc.Link("spring", lambda row: jnp.array([0.0, 0.0, 1.0]), lambda row: row.q)],
            traces=drawing.traces,
            arrows=drawing.arrows,
        )

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


class JoinedDisks(MechanicalSystem):
    """Two upright rolling disks whose centers move in parallel: a constraint that branches.

        L = sum_i (m (x_i'^2 + y_i'^2)/2 + I phi_i'^2/2 + J psi_i'^2/2),
        x_i' = R cos(phi_i) psi_i',    y_i' = R sin(phi_i) psi_i',
        R^2 sin(phi_2 - phi_1) psi_1' psi_2' = 0

    q = (x1, y1, phi1, psi1, x2, y2, phi2, psi2) in m and rad. The last constraint has three
    branches, and `standing` says on which the motion is: 1 if the first disk does not roll, psi_1'
    = 0; 2 if the second does not; 0 if both roll in the same direction, phi_1' = phi_2' from phi_1
    = phi_2 on. Branches meet where phi_1 = phi_2; there the constraint does not determine which one
    continues. Conserved: the energy, the turning rates of the disks, and the speeds of those that
    roll.

    Reference: [C02] 3.2.4, second variant, (3.8), Fig. 3.6.
    """

    standing: int = eqx.field(static=True, default=1, converter=whole("JoinedDisks: 'standing'"))
    m: float = parameter(1.0, "kg", "mass of a disk", positive=True)
    I: float = parameter(0.25, "kg m^2", "moment of inertia about the vertical", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia about the axle", positive=True)
    R: float = parameter(1.0, "m", "radius", positive=True)

    space = Euclidean(8)
    coordinate_names = ("x1", "y1", "phi1", "psi1", "x2", "y2", "phi2", "psi2")
    velocity_names = dots(*coordinate_names)
    units = ("m", "m", "rad", "rad") * 2
    constraint_units = (*("N",) * 4, "N m")
    reference = "[C02] 3.2.4, (3.8)"

    def __check_init__(self) -> None:
        if self.standing not in (0, 1, 2):
            raise UsageError(
                f"JoinedDisks: 'standing' is 1 or 2 for the disk that stands, 0 for none, got "
                f"{self.standing}"
            )

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m, self.m, self.I, self.J] * 2))

    def constraint(self, q: jax.Array) -> jax.Array:
        rows = jnp.zeros((5, 8))
        for i in (0, 1):
            c, s = jnp.cos(q[4 * i + 2]), jnp.sin(q[4 * i + 2])
            rows = rows.at[2 * i, 4 * i].set(1.0).at[2 * i, 4 * i + 3].set(-self.R * c)
            rows = rows.at[2 * i + 1, 4 * i + 1].set(1.0).at[2 * i + 1, 4 * i + 3].set(-self.R * s)
        if self.standing == 0:
            return rows.at[4, 2].set(1.0).at[4, 6].set(-1.0)
        return rows.at[4, 4 * self.standing - 1].set(1.0)

    def joint(self, q: jax.Array, v: jax.Array) -> jax.Array:
        """Return Psi of (3.8), which vanishes on every branch."""
        return self.R**2 * jnp.sin(q[6] - q[2]) * v[3] * v[7]

    def velocity(self, q: jax.Array, turns: Any, rolls: Any) -> jax.Array:
        """Return v from phi_i' and psi_i'."""
        turn, roll = jnp.asarray(turns, dtype=float), jnp.asarray(rolls, dtype=float)
        parts = [
            jnp.stack(
                [
                    self.R * jnp.cos(q[4 * i + 2]) * roll[i],
                    self.R * jnp.sin(q[4 * i + 2]) * roll[i],
                    turn[i],
                    roll[i],
                ]
            )
            for i in (0, 1)
        ]
        return jnp.concatenate(parts)

    def initial(self) -> tuple[jax.Array, jax.Array]:
        apart = 0.8 if self.standing else 0.0
        q = jnp.array([0.0, 0.0, 0.2 + apart, 0.0, 3.0, 0.0, 0.2, 0.0])
        turns = (0.3, 0.5) if self.standing else (0.3, 0.3)
        rolls = ((1.0, 0.7), (0.0, 1.0), (1.0, 0.0))[self.standing]
        return q, self.velocity(q, turns, rolls)

    def scene(self) -> sc.Scene:
        def at(i: int) -> sc.Of:
            return lambda row: sc.above(row.q[4 * i : 4 * i + 2], self.R)

        def foot(i: int) -> sc.Of:
            return lambda row: sc.above(row.q[4 * i : 4 * i + 2])

        def attitude(i: int) -> sc.Of:
            return lambda row: sc.turn_z(row.q[4 * i + 2]) @ sc.turn_y(row.q[4 * i + 3])

        shape = sc.wheel(self.R, 0.12 * self.R)
        names = ("first", "second")
        return sc.Scene(
            [sc.Body(x, shape, at(i), attitude(i)) for i, x in enumerate(names)],
            [sc.Link("bar", at(0), at(1), "rod")],
            traces=[sc.Trace(x, foot(i)) for i, x in enumerate(names)],
            contacts=[sc.Contact(x, foot(i)) for i, x in enumerate(names)],
            note="The bar shows which disks are joined; it changes its length.",
        )

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "turning": lambda q, v: self.I * (v[2] + v[6]),
            "rolling": lambda q, v: (self.J + self.m * self.R**2) * jnp.stack([v[3], v[7]]),
        }
