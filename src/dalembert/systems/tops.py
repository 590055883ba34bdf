"""Bodies on SO(3) whose spin is constrained: Chaplygin's top, the rubber ball, Veselova's body."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import scene as sc
from ..groups import SO, Euclidean, Product
from ..system import Generators, Invariants, MechanicalSystem, Point, Split, System, parameter
from ._common import check_inertia, concrete, energy, may_be_zero, shifts

_SO3 = SO(3)
_ATTITUDE = tuple(f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))


class _RollingBall(System):
    """A ball on a level plane: q = ((x, y), R, ...), v = (x', y', Omega, ...)."""

    m: float = parameter(1.0, "kg", "mass", positive=True)
    r: float = parameter(0.1, "m", "radius", positive=True)

    constraint_units = ("N",) * 2

    def path(self, q: Point) -> jax.Array:
        return q[0]

    def rolling_rows(self, q: Point) -> jax.Array:
        """Return x' - r omega_2 and y' + r omega_1, as rows on (x', y', Omega)."""
        R = q[1]
        return jnp.concatenate([jnp.eye(2), jnp.stack([-self.r * R[1], self.r * R[0]])], axis=1)

    def rolling(self, R: jax.Array, Omega: jax.Array) -> jax.Array:
        """Return the velocity (x', y', Omega) of a ball that rolls with a body angular velocity."""
        omega = R @ Omega
        return jnp.concatenate([self.r * jnp.stack([omega[1], -omega[0]]), Omega])

    def looks(self, *inside: sc.Shape) -> sc.Scene:
        """Return the scene of a ball with the shapes `inside` it, on a plane."""

        def foot(row: sc.Row) -> jax.Array:
            return sc.above(row.q[0])

        def center(row: sc.Row) -> jax.Array:
            return sc.above(row.q[0], self.r)

        shapes = (sc.ball(self.r), *inside)
        return sc.Scene(
            [sc.Body("ball", shapes, center, lambda row: row.q[1])],
            traces=[sc.Trace("contact", foot)],
            arrows=[sc.Arrow("friction", foot, lambda row: sc.above(row.force))],
            contacts=[sc.Contact("ball", foot)],
            focus="ball",
        )

    @property
    def symmetry_generators(self) -> Generators:
        dim = self.dim

        def about(q: Point) -> jax.Array:  # the vertical, the ball turning along
            x, y = q[0]
            turn = jnp.concatenate([jnp.stack([-y, x]), q[1][2], jnp.zeros(dim - 5)])
            return turn[:, None]

        return {"translations": shifts(dim, 0, 1), "rotation": about}


class ChaplyginTop(_RollingBall):
    """Chaplygin's top: a ball with its center of mass off its center, with or without rotors.

        L = m |u|^2/2 + Omega . diag(inertia) Omega/2 - m g (R center)_3,
        u = (x', y', 0) + R (Omega x center),    x' = r (R Omega)_2,    y' = -r (R Omega)_1

    q = ((x, y), R): the point below the center in m, and the attitude; v = (x', y', Omega) with
    Omega the *body* angular velocity in rad/s. `center` is the center of mass, seen from the center
    of the ball, `inertia` are the moments about the center of mass. With `rotors=True` three
    balanced rotors turn about the axes of the ball, q = ((x, y), R, angles), v = (..., rates); the
    moments of `inertia` are then those without the spin of the rotors:

        L + I_r |Omega + rates|^2/2,    inputs: the torques of their motors

    Conserved: the energy, with rotors their momenta I_r (Omega + rates); in the balanced case,
    center = 0, the angular momentum about the contact (three numbers); in the axially symmetric
    case, without rotors, the integrals of Jellett and Routh (`RouthSphere`). An invariant measure
    exists in these two cases only; in the balanced one its density is
    sqrt(1 - m r^2 gamma . (inertia + m r^2)^-1 gamma), gamma = R^T e3.

    Reference: Chaplygin 1897, 1903; [F15], preprint, 7.4; rotors: Bolotin 2012, Svinin and others
    2013.
    """

    inertia: jax.Array = parameter(
        (0.004, 0.0037, 0.0035),
        "kg m^2",
        "moments about the center of mass",
        positive=True,
        shape=(3,),
    )
    center: jax.Array = parameter(
        (0.005, 0.0, -0.02), "m", "center of mass, from the center of the ball", shape=(3,)
    )
    I_r: float = parameter(0.001, "kg m^2", "moment of inertia of each rotor", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")
    rotors: bool = eqx.field(static=True, default=False)

    reference = "Chaplygin 1897, 1903; [F15] preprint 7.4"

    def __check_init__(self) -> None:
        check_inertia(type(self).__name__, "inertia", self.inertia)

    @property
    def space(self) -> Product:
        more = (Euclidean(3),) if self.rotors else ()
        return Product(Euclidean(2), _SO3, *more)

    @property
    def coordinate_names(self) -> tuple[str, ...]:  # pyright: ignore
        return ("x", "y", *_ATTITUDE, *(("a1", "a2", "a3") if self.rotors else ()))

    @property
    def velocity_names(self) -> tuple[str, ...]:  # pyright: ignore
        spins = ("a1_dot", "a2_dot", "a3_dot") if self.rotors else ()
        return ("x_dot", "y_dot", "Omega1", "Omega2", "Omega3", *spins)

    @property
    def units(self) -> tuple[str, ...]:  # pyright: ignore
        return ("m", "m", *("1",) * 9, *(("rad",) * 3 if self.rotors else ()))

    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        R, Omega, a = q[1], v[2:5], jnp.asarray(self.center)
        u = sc.above(v[:2]) + R @ jnp.cross(Omega, a)
        kinetic = 0.5 * self.m * u @ u + 0.5 * Omega @ (jnp.asarray(self.inertia) * Omega)
        if self.rotors:
            kinetic = kinetic + 0.5 * self.I_r * jnp.sum((Omega + v[5:]) ** 2)
        return kinetic - self.m * self.g * (R[2] @ a)

    def constraint(self, q: Point) -> jax.Array:
        rows = self.rolling_rows(q)
        return jnp.concatenate([rows, jnp.zeros((2, 3))], axis=1) if self.rotors else rows

    def inputs(self, q: Point) -> jax.Array:
        return jnp.eye(8)[5:] if self.rotors else jnp.zeros((0, 5))

    @property
    def has_inputs(self) -> bool:
        return self.rotors

    @property
    def input_names(self) -> tuple[str, ...]:  # pyright: ignore
        return ("torque 1", "torque 2", "torque 3") if self.rotors else ()

    @property
    def input_units(self) -> tuple[str, ...]:  # pyright: ignore
        return ("N m",) * 3 if self.rotors else ()

    def initial(self) -> tuple[Point, jax.Array]:
        R = _SO3.exp(jnp.array([0.6, 0.0, 0.0]))
        v = self.rolling(R, jnp.array([0.5, 1.0, 8.0]))
        if self.rotors:
            return (jnp.zeros(2), R, jnp.zeros(3)), jnp.concatenate(
                [v, jnp.array([3.0, -2.0, 5.0])]
            )
        return (jnp.zeros(2), R), v

    def scene(self) -> sc.Scene:
        x, y, z = (jnp.asarray(self.center)[i] for i in range(3))
        weight = sc.sphere(0.2 * self.r).moved(x, y, z).painted("accent")
        wheels: list[sc.Shape] = []
        if self.rotors:
            for k, (axis, angle) in enumerate(
                (((0, 1, 0), 0.5), ((1, 0, 0), 0.5), ((0, 0, 1), 0.0))
            ):
                at = [0.45 * self.r * (j == k) for j in range(3)]
                disk = sc.cylinder(0.25 * self.r, 0.06 * self.r).turned(axis, angle * np.pi)
                wheels.append(disk.moved(*at).painted("metal"))
        return self.looks(weight, *wheels)

    def angular_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        """Return l + (center of mass - contact) x m u, about the contact point, in space."""
        R, Omega, a = q[1], v[2:5], jnp.asarray(self.center)
        spin = jnp.asarray(self.inertia) * Omega
        if self.rotors:
            spin = spin + self.I_r * (Omega + v[5:])
        u = sc.above(v[:2]) + R @ jnp.cross(Omega, a)
        lever = R @ a + sc.above((0.0, 0.0), self.r)
        return R @ spin + jnp.cross(lever, self.m * u)

    def jellett(self, q: Point, v: jax.Array) -> jax.Array:
        """Return l . (contact - center of mass), l about the center of mass.

        Conserved in the axially symmetric case.
        """
        R, a = q[1], jnp.asarray(self.center)
        lever = -R @ a - sc.above((0.0, 0.0), self.r)
        return (R @ (jnp.asarray(self.inertia) * v[2:5])) @ lever

    def routh(self, q: Point, v: jax.Array) -> jax.Array:
        """Return Routh's integral; conserved in the axially symmetric case."""
        cos, (I1, _, I3) = q[1][2, 2], jnp.asarray(self.inertia)
        lever = (self.r * cos + jnp.asarray(self.center)[2]) ** 2
        return v[4] * jnp.sqrt(I3 + self.m * (self.r**2 * (1 - cos**2) + I3 / I1 * lever))

    @property
    def is_symmetric(self) -> bool:
        """Whether the mass is known to be symmetric about the third axis."""
        moments, a = concrete(self.inertia), concrete(self.center)
        if moments is None or a is None:
            return False
        return bool(np.all(moments[..., 0] == moments[..., 1]) and not np.any(a[..., :2]))

    @property
    def invariants(self) -> Invariants:
        known: dict = {"energy": energy(self)}
        if self.rotors:
            known["rotors"] = lambda q, v: self.I_r * (v[2:5] + v[5:])
        if concrete(self.center) is not None and may_be_zero(self.center):
            known["momentum"] = self.angular_momentum
        if self.is_symmetric and not self.rotors:
            known |= {"jellett": self.jellett, "routh": self.routh}
        return known

    @property
    def chaplygin_split(self) -> Split:
        # the shape: the attitude, and the angles of the rotors
        shape = (1, 2) if self.rotors else (1,)
        return shape, Euclidean(2), (None,) * (6 if self.rotors else 3)


class RubberBall(_RollingBall, MechanicalSystem):
    """A balanced rubber ball: it rolls without slipping and without spinning about the vertical.

        L = m (x'^2 + y'^2)/2 + Omega . diag(inertia) Omega/2,
        x' = r (R Omega)_2,    y' = -r (R Omega)_1,    (R Omega)_3 = 0

    q = ((x, y), R), v = (x', y', Omega) as in `ChaplyginBall`. Conserved: the energy, and the
    horizontal part of the angular momentum about the contact (the third row acts as a moment about
    the vertical). The attitude moves as that of `Veselova` with the moments inertia + m r^2.

    Reference: Ehlers, Koiller, Montgomery, Rios 2004; Borisov, Mamaev 2007 (Veselova's problem).
    """

    inertia: jax.Array = parameter(
        (0.004, 0.0032, 0.0025), "kg m^2", "principal moments", positive=True, shape=(3,)
    )

    space = Product(Euclidean(2), _SO3)
    coordinate_names = ("x", "y", *_ATTITUDE)
    velocity_names = ("x_dot", "y_dot", "Omega1", "Omega2", "Omega3")
    units = ("m", "m", *("1",) * 9)
    constraint_units = ("N", "N", "N m")
    reference = "Ehlers, Koiller, Montgomery, Rios 2004"

    def __check_init__(self) -> None:
        check_inertia(type(self).__name__, "inertia", self.inertia)

    @property
    def mass(self) -> jax.Array:
        m = jnp.asarray(self.m, dtype=float)
        return jnp.diag(jnp.concatenate([jnp.full(2, m), jnp.asarray(self.inertia)]))

    def constraint(self, q: Point) -> jax.Array:
        no_twist = jnp.concatenate([jnp.zeros(2), q[1][2]])
        return jnp.concatenate([self.rolling_rows(q), no_twist[None, :]])

    def initial(self) -> tuple[Point, jax.Array]:
        R = _SO3.exp(jnp.array([0.6, 0.3, 0.0]))
        Omega = R.T @ jnp.array([4.0, 7.0, 0.0])
        return (jnp.zeros(2), R), self.rolling(R, Omega)

    def scene(self) -> sc.Scene:
        knobs = [
            sc.sphere(0.12 * self.r).moved(*(0.97 * self.r * s * (j == k) for j in range(3)))
            for k in range(3)
            for s in (1.0, -1.0)
        ]
        return self.looks(*(knob.painted("metal") for knob in knobs))

    def momentum(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the angular momentum about the contact, its horizontal part."""
        spin = q[1] @ (jnp.asarray(self.inertia) * v[2:])
        return spin[:2] + self.m * self.r * jnp.stack([-v[1], v[0]])

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "momentum": self.momentum}


class Veselova(MechanicalSystem):
    """Veselova's body: it turns about a fixed point, without rotation about the vertical.

        L = Omega . diag(inertia) Omega/2,    gamma . Omega = 0,    gamma = R^T e3

    q = R, v = Omega, the body angular velocity in rad/s. In space: angular momentum l' = lam e3,
    so that its horizontal part is conserved; so is the energy. The measure
    sqrt(gamma . inertia^-1 gamma) dOmega dgamma is invariant.

    Reference: Veselova 1986; Veselov, Veselova 1986 ([248] of [C02]).
    """

    inertia: jax.Array = parameter(
        (1.0, 1.6, 2.1), "kg m^2", "principal moments", positive=True, shape=(3,)
    )

    space = _SO3
    coordinate_names = _ATTITUDE
    velocity_names = ("Omega1", "Omega2", "Omega3")
    units = ("1",) * 9
    constraint_units = ("N m",)
    reference = "Veselov, Veselova 1986"

    def __check_init__(self) -> None:
        check_inertia(type(self).__name__, "inertia", self.inertia)

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.asarray(self.inertia))

    def constraint(self, q: Point) -> jax.Array:
        return q[2][None, :]

    def initial(self) -> tuple[Point, jax.Array]:
        R = _SO3.exp(jnp.array([0.5, 0.2, 0.0]))
        return R, R.T @ jnp.array([1.0, 0.7, 0.0])

    def path(self, q: Point) -> jax.Array:
        return q[:2, 2]

    def scene(self) -> sc.Scene:
        # the solid of constant density with these moments
        moments = jnp.asarray(self.inertia)
        squares = jnp.maximum(0.5 * jnp.sum(moments) - moments, 0.02 * jnp.sum(moments))
        x, y, z = 0.8 * jnp.sqrt(squares / jnp.max(squares))

        def omega(row: sc.Row) -> jax.Array:
            return row.q @ row.v

        def tip(row: sc.Row) -> jax.Array:
            return row.q[:, 2]

        return sc.Scene(
            [sc.Body("body", sc.ellipsoid(x, y, z), sc.origin, lambda row: row.q)],
            [sc.Link("third axis", sc.origin, tip, "rod")],
            traces=[sc.Trace("third axis", tip)],
            arrows=[sc.Arrow("angular velocity", sc.origin, omega, "rad/s")],
            ground=None,
            note="The arrow, the angular velocity, stays level.",
        )

    def level_momentum(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the horizontal part of the angular momentum, in space."""
        return (q @ (jnp.asarray(self.inertia) * v))[:2]

    @property
    def symmetry_generators(self) -> Generators:
        return {"rotation": lambda q: q[2][:, None]}  # about the vertical of space

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "level_momentum": self.level_momentum}
