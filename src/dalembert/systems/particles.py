"""A particle in space with one constraint between its velocities, and a pair of particles."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .. import scene as sc
from ..groups import Euclidean
from ..system import Generators, Invariants, MechanicalSystem, Point, Split, parameter
from ._common import contact_scene, dots, energy, may_be_zero, require_zero, shifts, start


class _Particle(MechanicalSystem):
    """A particle with constraint z' = f(x, y) x'; subclasses give the slope f."""

    m: float = parameter(1.0, "kg", "mass of the particle", positive=True)

    space = Euclidean(3)
    coordinate_names = ("x", "y", "z")
    velocity_names = dots("x", "y", "z")
    units = ("m", "m", "m")
    constraint_units = ("N",)

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(3)

    def slope(self, q: jax.Array) -> jax.Array:
        """Return f(x, y) of z' = f x'."""
        raise NotImplementedError

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.stack([-self.slope(q), jnp.zeros(()), jnp.ones(())])[None, :]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([1.0, 0.5, 0.0])
        return q, jnp.array([0.3, -0.4, 0.3 * self.slope(q)])

    def scene(self) -> sc.Scene:
        return contact_scene(self, upwards=2)

    @property
    def symmetry_generators(self) -> Generators:
        return {"z": shifts(3, 2)}

    @property
    def chaplygin_split(self) -> Split | None:
        return ((0, 1), Euclidean(1), (None, None))

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "p_y": lambda q, v: self.m * v[1]}


class NonholonomicParticle(_Particle):
    """A particle with z' = y x', free or in the potential V = k (x^2 + y^2).

        L = m (x'^2 + y'^2 + z'^2)/2 - k (x^2 + y^2),    z' - y x' = 0

    q = (x, y, z) in m. The closed form is that of the free particle, with w = y' constant and
    c = x' sqrt(1 + y^2): x = x0 + (c/w)(asinh y - asinh y0),
    z = z0 + (c/w)(sqrt(1 + y^2) - sqrt(1 + y0^2)). The energy of the motion in y is conserved
    for every k.

    Reference: [C02] 4.2.1 and, with k = 1, 7.6.1; [F08] Example 1. Default data: start of the
    table for 7.6.1 (the book gives none).
    """

    stiffness: float = parameter(0.0, "N/m", "k of the potential k (x^2 + y^2); 7.6.1 has k = 1")

    reference = "[C02] 4.2.1, 7.6.1; [F08] Example 1"

    def potential(self, q: jax.Array) -> jax.Array:
        return self.stiffness * (q[0] ** 2 + q[1] ** 2)

    def slope(self, q: jax.Array) -> jax.Array:
        return q[1]

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) of the free particle at time t."""
        require_zero(self, "stiffness")
        q0, v0 = start(self, q0, v0)
        w = v0[1]
        c = v0[0] * jnp.sqrt(1 + q0[1] ** 2)
        y = q0[1] + w * t
        root, root0 = jnp.sqrt(1 + y**2), jnp.sqrt(1 + q0[1] ** 2)
        still = w == 0.0
        safe = jnp.where(still, 1.0, w)
        dx = jnp.where(still, v0[0] * t, (c / safe) * (jnp.arcsinh(y) - jnp.arcsinh(q0[1])))
        # a difference of roots loses digits where y is small: use its conjugate
        dz = jnp.where(still, q0[1] * v0[0] * t, c * t * (y + q0[1]) / (root + root0))
        q = jnp.stack([q0[0] + dx, y, q0[2] + dz])
        return q, jnp.stack([c / root, w, c * y / root])

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = m z'' = m c w / (1 + y^2)^(3/2)."""
        q0, v0 = start(self, q0, v0)
        q, v = self.closed_form(t, q0, v0)
        return jnp.stack([self.m * v[0] * v[1] / (1 + q[1] ** 2)])

    @property
    def symmetry_generators(self) -> Generators:
        known = {"z": shifts(3, 2)}
        if may_be_zero(self.stiffness):
            known["xz"] = shifts(3, 0, 2)
        return known

    @property
    def invariants(self) -> Invariants:
        known = {
            "energy": energy(self),
            "energy_y": lambda q, v: 0.5 * self.m * v[1] ** 2 + self.stiffness * q[1] ** 2,
        }
        if may_be_zero(self.stiffness):
            known["p_y"] = lambda q, v: self.m * v[1]
            known["p_nh"] = lambda q, v: self.m * v[0] * jnp.sqrt(1 + q[1] ** 2)
        return known


class ModifiedParticle(_Particle):
    """A free particle with z' = x x', a constraint that integrates to z = x^2/2 + const.

        L = m (x'^2 + y'^2 + z'^2)/2,    z' - x x' = 0

    q = (x, y, z) in m. Conserved: y' and x' sqrt(1 + x^2) (speed along the parabola), z - x^2/2.

    Reference: [C02] 4.5.1.
    """

    reference = "[C02] 4.5.1"

    def slope(self, q: jax.Array) -> jax.Array:
        return q[0]

    @property
    def symmetry_generators(self) -> Generators:
        return {"z": shifts(3, 2), "yz": shifts(3, 1, 2)}

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "p_y": lambda q, v: self.m * v[1],
            "p_nh": lambda q, v: self.m * v[0] * jnp.sqrt(1 + q[0] ** 2),
            "leaf": lambda q, v: q[2] - 0.5 * q[0] ** 2,
        }


class ParticleWithoutMeasure(_Particle):
    """A free particle with z' = x y x', whose reduced motion has no invariant measure.

        L = m (x'^2 + y'^2 + z'^2)/2,    z' - x y x' = 0

    q = (x, y, z) in m. Conserved: the energy and m y'.

    Reference: [C02] 5.4.2.
    """

    reference = "[C02] 5.4.2"

    def slope(self, q: jax.Array) -> jax.Array:
        return q[0] * q[1]


class Benenti(MechanicalSystem):
    """Two particles in the plane whose velocities stay parallel: a nonlinear constraint.

        L = m1 |q1'|^2/2 + m2 |q2'|^2/2 - k1 |q1|^2/2 - k2 |q2|^2/2,
        x1' y2' - x2' y1' = 0

    q = (x1, y1, x2, y2) in m. The constraint is homogeneous of degree two, so the energy is
    conserved; the reaction on each particle is normal to its velocity, so the energy of each
    particle is conserved too. Without springs the multiplier vanishes and the paths are straight.
    The derivative of the constraint vanishes if both particles are at rest: there the motion is
    undetermined.

    Reference: [C02] 3.2.4 (which has no potential; the springs are added to make the
    multiplier act).
    """

    m1: float = parameter(1.0, "kg", "mass of the first particle", positive=True)
    m2: float = parameter(1.0, "kg", "mass of the second particle", positive=True)
    k1: float = parameter(1.0, "N/m", "spring from the first particle to the origin")
    k2: float = parameter(2.0, "N/m", "spring from the second particle to the origin")

    space = Euclidean(4)
    coordinate_names = ("x1", "y1", "x2", "y2")
    velocity_names = dots("x1", "y1", "x2", "y2")
    units = ("m",) * 4
    constraint_units = ("kg/s",)
    reference = "[C02] 3.2.4"
    conserves_energy = True

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m1, self.m1, self.m2, self.m2]))

    def potential(self, q: jax.Array) -> jax.Array:
        return 0.5 * self.k1 * q[:2] @ q[:2] + 0.5 * self.k2 * q[2:] @ q[2:]

    def velocity_constraint(self, t: jax.Array, q: jax.Array, v: jax.Array) -> jax.Array:
        return jnp.stack([v[0] * v[3] - v[2] * v[1]])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        direction = jnp.array([0.8, 0.6])
        return jnp.array([1.0, 0.0, 0.0, 0.5]), jnp.concatenate([direction, 1.5 * direction])

    def scene(self) -> sc.Scene:
        def place(i: int) -> sc.Of:
            return lambda row: sc.above(row.q[2 * i : 2 * i + 2])

        def velocity(i: int) -> sc.Of:
            return lambda row: sc.above(row.v[2 * i : 2 * i + 2])

        def force(i: int) -> sc.Of:
            return lambda row: sc.above(row.force[2 * i : 2 * i + 2])

        names = ("first", "second")
        looks = (sc.sphere(0.03), sc.sphere(0.03).painted("dark"))
        return sc.Scene(
            [
                sc.Body(x, look.scaled_with_motion(), place(i))
                for i, (x, look) in enumerate(zip(names, looks, strict=True))
            ],
            [sc.Link(f"spring of the {x}", sc.origin, place(i)) for i, x in enumerate(names)],
            traces=[sc.Trace(x, place(i)) for i, x in enumerate(names)],
            arrows=[
                *(sc.Arrow(f"velocity {i + 1}", place(i), velocity(i), "m/s") for i in range(2)),
                *(sc.Arrow(f"reaction {i + 1}", place(i), force(i)) for i in range(2)),
            ],
            note="The velocities of the two particles stay parallel.",
        )

    @property
    def invariants(self) -> Invariants:
        def part(m: float, k: float, i: int) -> Callable[[Point, jax.Array], jax.Array]:
            s = slice(i, i + 2)
            return lambda q, v: 0.5 * m * v[s] @ v[s] + 0.5 * k * q[s] @ q[s]

        return {
            "energy": energy(self),
            "energy_1": part(self.m1, self.k1, 0),
            "energy_2": part(self.m2, self.k2, 2),
        }
