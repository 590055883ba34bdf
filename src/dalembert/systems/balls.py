"""Balls that roll without slipping on a table that turns about the vertical.

All of them have the constraint v = r omega x e3 + Omega e3 x X at the contact point X, with omega
the spatial angular velocity:

    x' - r omega_2 = -Omega y,    y' + r omega_1 = Omega x

which is affine, so the energy is not conserved unless the table is at rest. For every Omega(t) the
vector J = l + r e3 x (m v) is conserved, with l the spatial angular momentum about the center (the
contact force does not change J). For constant Omega the moving energy
E - Omega (m (x y' - y x') + l_3) is conserved.
"""

from __future__ import annotations

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .. import scene as sc
from ..groupoids import Reduced
from ..groups import SO, Euclidean, Product
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, Split, System, parameter
from ._common import arc, check_inertia, dots, energy, may_be_zero, shifts, start

_SO3 = SO(3)


def _mass(m: Real, inertia: jax.Array | float) -> jax.Array:
    m, inertia = jnp.asarray(m, dtype=float), jnp.asarray(inertia, dtype=float)
    return jnp.diag(jnp.concatenate([jnp.full(2, m), jnp.broadcast_to(inertia, (3,))]))


class _Ball(System):
    """Base class of all balls; v = (x', y', s) with spatial angular velocity spin(q) s."""

    m: float = parameter(1.0, "kg", "mass", positive=True)
    r: float = parameter(1.0, "m", "radius", positive=True)
    Theta: float = parameter(1.0, "rad/s", "angular velocity of the table, any sign")

    constraint_units = ("N",) * 2

    def spin(self, q: Point) -> jax.Array:
        """Return the (3, 3) matrix S with spatial angular velocity S s, for v = (x', y', s)."""
        raise NotImplementedError

    def angular_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the spatial angular momentum about the center."""
        raise NotImplementedError

    def contact(self, q: Point) -> jax.Array:
        """Return the contact point (x, y)."""
        return q[:2]

    def path(self, q: Point) -> jax.Array:
        return self.contact(q)

    def table_rate(self, t: jax.Array) -> Real:
        """Return Omega(t), the angular velocity of the table."""
        return self.Theta

    @property
    def has_steady_table(self) -> bool:
        """Whether Omega is constant."""
        return True

    def angular_velocity(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the spatial angular velocity."""
        return self.spin(q) @ v[2:]

    def constraint(self, q: Point) -> jax.Array:
        spin = self.spin(q)
        rolling = jnp.stack([-self.r * spin[1], self.r * spin[0]])
        return jnp.concatenate([jnp.eye(2), rolling], axis=1)  # (41) [F15]

    def offset(self, t: jax.Array, q: Point) -> jax.Array:
        x, y = self.contact(q)
        return self.table_rate(t) * jnp.stack([-y, x])

    def rolling_velocity(self, q: Point, xdot: Real, ydot: Real, omega3: Real) -> jax.Array:
        """Return consistent v at t = 0 from the velocity of the center and the vertical spin."""
        x, y = self.contact(q)
        rate = self.table_rate(jnp.zeros(()))
        xdot, ydot, omega3 = (jnp.asarray(a, dtype=float) for a in (xdot, ydot, omega3))
        omega = jnp.stack([(rate * x - ydot) / self.r, (xdot + rate * y) / self.r, omega3])
        return jnp.concatenate([jnp.stack([xdot, ydot]), jnp.linalg.solve(self.spin(q), omega)])

    def moving_energy(self, q: Point, v: jax.Array) -> jax.Array:
        """Return E - Omega (m (x y' - y x') + l_3); conserved if Omega is constant."""
        x, y = self.contact(q)
        orbital = self.m * (x * v[1] - y * v[0])
        spin = self.angular_momentum(q, v)[2]
        return energy(self)(q, v) - self.table_rate(jnp.zeros(())) * (orbital + spin)

    def contact_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        """Return J = l + r e3 x (m v), three numbers."""
        lever = self.m * self.r * jnp.stack([-v[1], v[0], jnp.zeros(())])
        return self.angular_momentum(q, v) + lever

    def _look(self, attitude: sc.Of | None, *weights: sc.Shape) -> sc.Scene:
        """Return the scene: ball and table; without an attitude in q, the spin is integrated."""

        def foot(row: sc.Row) -> jax.Array:
            return sc.above(self.contact(row.q))

        def rate(row: sc.Row) -> jax.Array:
            return sc.above((0.0, 0.0), self.table_rate(row.t))

        spin = None if attitude else lambda row: self.angular_velocity(row.q, row.v)
        return sc.Scene(
            [
                sc.Body("table", sc.table(0.1 * self.r), spin=rate, stage=True),
                sc.Body(
                    "ball",
                    (sc.ball(self.r), *weights),
                    lambda row: sc.above(self.contact(row.q), self.r),
                    attitude,
                    spin,
                ),
            ],
            traces=[sc.Trace("contact", foot)],
            arrows=[sc.Arrow("friction", foot, lambda row: sc.above(row.force))],
            contacts=[
                sc.Contact("ball", foot, surface=lambda row: jnp.cross(rate(row), foot(row)))
            ],
            ground=None,
            focus="ball",
        )

    def scene(self) -> sc.Scene:
        return self._look(None)

    @property
    def symmetry_generators(self) -> Generators:
        # rotations of the table and the ball about the vertical through the center of the table
        def rotation(q: Point) -> jax.Array:
            x, y = self.contact(q)
            spin = jnp.linalg.solve(self.spin(q), jnp.array([0.0, 0.0, 1.0]))
            return jnp.concatenate([jnp.stack([-y, x]), spin])[:, None]

        return {"rotation": rotation}

    @property
    def invariants(self) -> Invariants:
        known: dict[str, Callable[[Point, jax.Array], jax.Array]] = {"J": self.contact_momentum}
        if self.has_steady_table:
            known["moving_energy"] = self.moving_energy
        return known


class _HomogeneousBall(_Ball):
    """A ball whose moments of inertia are equal, in any coordinates.

    Default data and parameters: [F15] 7.4.1, Fig. 1.
    """

    I: float = parameter(2 / 3, "kg m^2", "moment of inertia", positive=True)

    @property
    def mass(self) -> jax.Array:
        """Mass matrix on (x', y', angular velocity), for subclasses with constant mass."""
        return _mass(self.m, self.I)

    def angular_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        return self.I * self.angular_velocity(q, v)

    @property
    def kappa(self) -> Real:
        """Angular velocity of the contact point on its circle, Theta I/(I + m r^2)."""
        return self.Theta * self.I / (self.I + self.m * self.r**2)

    def contact_closed_form(
        self, t: jax.Array, position: jax.Array, velocity: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """Return contact point and velocity on a table of constant rate: z'' = i kappa z'."""
        c, s = arc(t, jnp.zeros(()), self.kappa)
        turned = jnp.array([[1.0, 0.0], [0.0, 1.0]]) * c + jnp.array([[0.0, -1.0], [1.0, 0.0]]) * s
        a = self.kappa * t
        rotation = jnp.array([[jnp.cos(a), -jnp.sin(a)], [jnp.sin(a), jnp.cos(a)]])
        return position + turned @ velocity, rotation @ velocity


class BallOnTurntable(_HomogeneousBall, MechanicalSystem):
    """A homogeneous ball on a turning table, reduced by the rotations of the ball.

        l = m (x'^2 + y'^2)/2 + I |omega|^2/2,
        x' - r omega_2 = -Theta y,    y' + r omega_1 = Theta x

    q = (x, y) in m, v = (x', y', omega_1, omega_2, omega_3) with omega the *spatial* angular
    velocity in rad/s, as in [F15] (41) to (44). The fibre of a reduced space carries the body
    bracket; for a spatial velocity its sign is the opposite one. Here the sign drops out of the
    motion, and of every method, because the inertia is a multiple of the identity, so that
    ad_omega^T (I omega) = 0. Only the reconstructed frame depends on it: it solves
    W' = W hat(omega), whereas the attitude of the ball solves R' = hat(omega) R.

    Closed form: z = x + i y runs on a circle, z = z0 + z0' (exp(i kappa t) - 1)/(i kappa) with
    kappa = Theta I/(I + m r^2), omega_3 constant.

    Reference: [F15] 7.4.1, (41) to (46).
    """

    space = Reduced(Euclidean(2), _SO3)
    coordinate_names = ("x", "y")
    velocity_names = ("x_dot", "y_dot", "omega1", "omega2", "omega3")
    units = ("m", "m")
    reference = "[F15] 7.4.1, (41)-(46)"

    def spin(self, q: jax.Array) -> jax.Array:
        return jnp.eye(3)

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([1.0, 1.0])
        return q, self.rolling_velocity(q, 1.0, 1.0, 0.0)

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t."""
        q0, v0 = start(self, q0, v0)
        q, velocity = self.contact_closed_form(t, q0, v0[:2])
        return q, self.rolling_velocity(q, velocity[0], velocity[1], v0[4])

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = m (x'', y'')."""
        _, v = self.closed_form(t, q0, v0)
        return self.m * self.kappa * jnp.stack([-v[1], v[0]])

    @property
    def symmetry_generators(self) -> Generators:
        # no symmetries are declared: the fibre's bracket is the body's, not that of a spatial
        # velocity
        return {}


class BallOnTurntableEuler(_HomogeneousBall):
    """A homogeneous ball on a table of any Omega(t), in Euler angles R = Rz(psi) Rx(theta) Rz(phi).

        L = m (x'^2 + y'^2)/2 + I (phi'^2 + theta'^2 + psi'^2 + 2 phi' psi' cos theta)/2,
        x' - r theta' sin psi + r phi' sin theta cos psi = -Omega(t) y,
        y' + r theta' cos psi + r phi' sin theta sin psi =  Omega(t) x

    q = (x, y, phi, theta, psi) in m and rad. Omega(t) = Theta + amplitude sin(frequency t), or the
    function `omega` if one is given. The chart is singular at sin theta = 0. For every Omega(t)
    these are conserved: x' + kappa Omega y, y' - kappa Omega x (the horizontal components of J, up
    to factors) and omega_3.

    Reference: [C02] 3.2.2 with erratum E5.
    """

    amplitude: float = parameter(0.0, "rad/s", "amplitude of the table's rate")
    frequency: float = parameter(1.0, "rad/s", "angular frequency of the table's rate")
    omega: Callable[[jax.Array], jax.Array] | None = eqx.field(static=True, default=None)

    space = Euclidean(5)
    coordinate_names = ("x", "y", "phi", "theta", "psi")
    velocity_names = dots("x", "y", "phi", "theta", "psi")
    units = ("m", "m", "rad", "rad", "rad")
    reference = "[C02] 3.2.2, E5"

    def table_rate(self, t: jax.Array) -> Real:
        if self.omega is not None:
            return self.omega(t)
        return self.Theta + self.amplitude * jnp.sin(self.frequency * t)

    @property
    def has_steady_table(self) -> bool:
        return self.omega is None and may_be_zero(self.amplitude)

    def spin(self, q: jax.Array) -> jax.Array:
        ct, st, cp, sp = jnp.cos(q[3]), jnp.sin(q[3]), jnp.cos(q[4]), jnp.sin(q[4])
        o, one = jnp.zeros(()), jnp.ones(())
        return jnp.stack(
            [jnp.stack([st * sp, cp, o]), jnp.stack([-st * cp, sp, o]), jnp.stack([ct, o, one])]
        )

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        square = v[2:] @ v[2:] + 2 * v[2] * v[4] * jnp.cos(q[3])
        return 0.5 * self.m * v[:2] @ v[:2] + 0.5 * self.I * square

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([1.0, 1.0, 0.0, 0.5 * jnp.pi, 0.0])
        return q, self.rolling_velocity(q, 1.0, 1.0, 0.0)

    def attitude(self, q: jax.Array) -> jax.Array:
        """Return R = Rz(psi) Rx(theta) Rz(phi)."""
        return sc.turn_z(q[4]) @ sc.turn_x(q[3]) @ sc.turn_z(q[2])

    def scene(self) -> sc.Scene:
        return self._look(lambda row: self.attitude(row.q))

    def to_global(self, q: jax.Array, v: jax.Array) -> tuple[Point, jax.Array]:
        """Return (q, v) of `BallOnTurntableGlobal` in the same state."""
        R = self.attitude(q)
        return (q[:2], R), jnp.concatenate([v[:2], R.T @ self.angular_velocity(q, v)])


_ATTITUDE = tuple(f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))


class _GlobalBall(_Ball):
    """q = ((x, y), R), v = (x', y', Omega) with Omega the body angular velocity, R' = R hat."""

    space = Product(Euclidean(2), _SO3)
    coordinate_names = ("x", "y", *_ATTITUDE)
    velocity_names = ("x_dot", "y_dot", "Omega1", "Omega2", "Omega3")
    units = ("m", "m", *("1",) * 9)

    def spin(self, q: Point) -> jax.Array:
        return q[1]

    def contact(self, q: Point) -> jax.Array:
        return q[0]

    def scene(self) -> sc.Scene:
        return self._look(lambda row: row.q[1])

    @property
    def symmetry_generators(self) -> Generators:
        known = dict(super().symmetry_generators)
        # a table at rest is the same at every place: translations are symmetries
        if may_be_zero(self.Theta):
            known["translations"] = shifts(5, 0, 1)
        return known

    @property
    def chaplygin_split(self) -> Split | None:
        # the attitude is the shape, the place the group
        return ((1,), Euclidean(2), (None, None, None)) if may_be_zero(self.Theta) else None


class BallOnTurntableGlobal(_HomogeneousBall, _GlobalBall, MechanicalSystem):
    """A homogeneous ball on a turning table, on R^2 x SO(3) without a chart.

        L = m (x'^2 + y'^2)/2 + I |Omega|^2/2,
        x' - r (R Omega)_2 = -Theta y,    y' + r (R Omega)_1 = Theta x

    q = ((x, y), R) with (x, y) in m, v = (x', y', Omega) with Omega = R^T omega the *body*
    angular velocity in rad/s. The contact point moves as in `BallOnTurntable`.

    Reference: [F15] 7.4, (39) to (42).
    """

    reference = "[F15] 7.4, (39)-(42)"

    def initial(self) -> tuple[Point, jax.Array]:
        q = (jnp.array([1.0, 1.0]), jnp.eye(3))
        return q, self.rolling_velocity(q, 1.0, 1.0, 0.0)


class _InhomogeneousBall(_Ball):
    """A balanced ball with principal moments `inertia`; data of [F15] Fig. 3, left."""

    m: float = parameter(2.0, "kg", "mass", positive=True)
    inertia: jax.Array = parameter(
        (1.0, 0.5, 0.7), "kg m^2", "principal moments of inertia", positive=True, shape=(3,)
    )

    def __check_init__(self) -> None:
        check_inertia(type(self).__name__, "inertia", self.inertia)

    def body_velocity(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the angular velocity in the principal frame of the ball."""
        raise NotImplementedError

    def attitude(self, q: Point) -> jax.Array:
        """Return the rotation from the principal frame to space."""
        raise NotImplementedError

    @property
    def mass(self) -> jax.Array:
        """Mass matrix on (x', y', Omega), for the form that has constant mass."""
        return _mass(self.m, self.inertia)

    def scene(self) -> sc.Scene:
        # knobs in the scene show the principal axes: larger where the moment is smaller
        moments = jnp.asarray(self.inertia)
        knobs = []
        for i in range(3):
            size = 0.1 * self.r * jnp.sqrt(jnp.sum(moments) / moments[i] - 1)
            for sign in (1.0, -1.0):
                x, y, z = (sign * 0.97 * self.r * (j == i) for j in range(3))
                knobs.append(sc.sphere(size).moved(x, y, z).painted("metal"))
        return self._look(lambda row: self.attitude(row.q), *knobs)

    def angular_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        body = self.body_velocity(q, v)
        return self.attitude(q) @ (jnp.asarray(self.inertia) * body)


class ChaplyginBall(_InhomogeneousBall, _GlobalBall, MechanicalSystem):
    """Chaplygin's ball on a turning table, on R^2 x SO(3) without a chart.

        L = m (x'^2 + y'^2)/2 + Omega . diag(inertia) Omega/2,
        x' - r (R Omega)_2 = -Theta y,    y' + r (R Omega)_1 = Theta x

    q = ((x, y), R) with (x, y) in m, v = (x', y', Omega) with Omega the *body* angular velocity
    in rad/s. Conserved: J (three numbers) and the moving energy; with Theta = 0 this is the energy.

    Reference: [F15] 7.4, (40), (41). Default data: Fig. 3, left, with omega_3 = 0 (the paper
    leaves it open).
    """

    reference = "[F15] 7.4, (40), (41), Fig. 3"

    def body_velocity(self, q: Point, v: jax.Array) -> jax.Array:
        return v[2:]

    def attitude(self, q: Point) -> jax.Array:
        return q[1]

    def initial(self) -> tuple[Point, jax.Array]:
        q = (jnp.array([1.0, 0.0]), _SO3.exp(jnp.full(3, 0.5)))
        return q, self.rolling_velocity(q, 0.0, 0.75, 0.0)


class ChaplyginBallExponential(_InhomogeneousBall):
    """Chaplygin's ball on a turning table in exponential coordinates R = exp(hat(rho)).

        L = m (x'^2 + y'^2)/2 + Omega . diag(inertia) Omega/2,
        x' - r omega_2 = -Theta y,    y' + r omega_1 = Theta x,
        omega = dexp(rho) rho',    Omega = dexp(-rho) rho'

    q = (x, y, rho_1, rho_2, rho_3) in m and rad. The chart is singular at |rho| = 2 pi, which
    long runs come close to; prefer `ChaplyginBall`.

    Reference: [F15] 7.4.2. Default data: Fig. 3, left, with omega_3 = 0 (the paper leaves it
    open).
    """

    space = Euclidean(5)
    coordinate_names = ("x", "y", "rho1", "rho2", "rho3")
    velocity_names = dots("x", "y", "rho1", "rho2", "rho3")
    units = ("m", "m", "rad", "rad", "rad")
    reference = "[F15] 7.4.2, Fig. 3"

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        body = jnp.concatenate([v[:2], self.body_velocity(q, v)])
        return 0.5 * body @ (self.mass @ body)

    def spin(self, q: jax.Array) -> jax.Array:
        return _SO3.dexp(q[2:])

    def body_velocity(self, q: jax.Array, v: jax.Array) -> jax.Array:
        return _SO3.dexp(-q[2:]) @ v[2:]

    def attitude(self, q: jax.Array) -> jax.Array:
        return _SO3.exp(q[2:])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([1.0, 0.0, 0.5, 0.5, 0.5])
        return q, self.rolling_velocity(q, 0.0, 0.75, 0.0)

    def to_global(self, q: jax.Array, v: jax.Array) -> tuple[Point, jax.Array]:
        """Return (q, v) of `ChaplyginBall` in the same state."""
        return (q[:2], self.attitude(q)), jnp.concatenate([v[:2], self.body_velocity(q, v)])
