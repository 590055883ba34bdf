"""The test systems of McLachlan and Perlmutter: oscillators with a contact constraint."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp

from .. import scene as sc
from ..errors import UsageError
from ..groups import Euclidean
from ..linalg import Real
from ..system import Invariants, MechanicalSystem, parameter
from ._common import contact_scene, dots, energy, whole


class ContactOscillator(MechanicalSystem):
    """An isotropic oscillator in space under the contact form dx + y dz.

        L = m |q'|^2/2 - k |q|^2/2,    x' + y z' = 0

    q = (x, y, z) in m. Every orbit is quasi-periodic: y swings freely, and with s = omega t the
    vector (x, z, sqrt(1 + y^2) z'/omega) turns by an orthogonal matrix in each period. Conserved:
    the energy and the energy of the motion in y.

    Reference: [MP] (5.1), (5.2). Default data: amplitude 1 in y.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    k: float = parameter(1.0, "N/m", "stiffness", positive=True)

    space = Euclidean(3)
    coordinate_names = ("x", "y", "z")
    velocity_names = dots("x", "y", "z")
    units = ("m", "m", "m")
    constraint_units = ("N",)
    reference = "[MP] (5.1), (5.2)"

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(3)

    @property
    def omega(self) -> jax.Array:
        """Angular frequency of the free oscillator."""
        return jnp.sqrt(self.k / self.m)

    def potential(self, q: jax.Array) -> jax.Array:
        return 0.5 * self.k * q @ q

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.stack([jnp.ones(()), jnp.zeros(()), q[1]])[None, :]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([1.0, 0.0, 0.3])
        v_z = 0.2
        return q, self.omega * jnp.array([-q[1] * v_z, 1.0, v_z])

    def scene(self) -> sc.Scene:
        return contact_scene(self, upwards=0, spring=True)

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "energy_y": lambda q, v: 0.5 * self.m * v[1] ** 2 + 0.5 * self.k * q[1] ** 2,
        }


class PerturbedContactOscillator(ContactOscillator):
    """The contact oscillator with the coupling epsilon x^2 z^2: regular and chaotic orbits.

        L = m |q'|^2/2 - k (|q|^2 + epsilon x^2 z^2)/2,    x' + y z' = 0

    q = (x, y, z) in m. The motion in y stays free. Default data: on the section y = -1,
    y' = 0 with z = 0.3, z' = 0.2 (in units of omega) and x > 0 from the energy 1.5 k.

    Reference: [MP] (5.4).
    """

    epsilon: float = parameter(0.1, "1/m^2", "strength of the coupling")

    reference = "[MP] (5.4)"

    def potential(self, q: jax.Array) -> jax.Array:
        return 0.5 * self.k * (q @ q + self.epsilon * q[0] ** 2 * q[2] ** 2)

    def section(self, z: Real, v_z: Real, energy: Real = 1.5) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) on y = -1, y' = 0, x > 0; `energy` in units of k, v_z in units of omega.

        NaN where (z, v_z) lies outside the energy level.
        """
        z, v_z = jnp.asarray(z, dtype=float), jnp.asarray(v_z, dtype=float)
        x = jnp.sqrt((2 * energy - 1.0 - 2 * v_z**2 - z**2) / (1 + self.epsilon * z**2))
        return (
            jnp.stack([x, -jnp.ones_like(x), z]),
            self.omega * jnp.stack([v_z, jnp.zeros_like(x), v_z]),
        )

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return self.section(0.3, 0.2)


class ChaoticQuartic(MechanicalSystem):
    """A chaotic system on R^(2n+1), quartic, with one contact constraint.

        V = (|q|^2 + c (z_1^2 z_2^2 + sum_i y_i^2 z_i^2))/2,    x' + sum_i y_i z_i' = 0

    q = (x, y_1..y_n, z_1..z_n) in m, stiffness 1 N/m. Conserved: the energy.

    Reference: [MP] (5.5), (5.6), which take n = 3 and H = 3.06.
    """

    n: int = eqx.field(static=True, default=3, converter=whole("ChaoticQuartic: parameter 'n'"))
    m: float = parameter(1.0, "kg", "mass", positive=True)
    coupling: float = parameter(1.0, "N/m^3", "strength c of the quartic terms", nonnegative=True)

    reference = "[MP] (5.5), (5.6)"
    constraint_units = ("N",)

    def __check_init__(self) -> None:
        if self.n < 2:
            raise UsageError(f"ChaoticQuartic: parameter 'n' must be at least 2, got {self.n}")

    @property
    def space(self) -> Euclidean:
        return Euclidean(2 * self.n + 1)

    @property
    def coordinate_names(self) -> tuple[str, ...]:  # pyright: ignore
        index = range(1, self.n + 1)
        return ("x", *(f"y{i}" for i in index), *(f"z{i}" for i in index))

    @property
    def velocity_names(self) -> tuple[str, ...]:  # pyright: ignore
        return dots(*self.coordinate_names)

    @property
    def units(self) -> tuple[str, ...]:  # pyright: ignore
        return ("m",) * (2 * self.n + 1)

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(2 * self.n + 1)

    def potential(self, q: jax.Array) -> jax.Array:
        y, z = q[1 : self.n + 1], q[self.n + 1 :]
        quartic = z[0] ** 2 * z[1] ** 2 + jnp.sum(y**2 * z**2)
        return 0.5 * (q @ q + self.coupling * quartic)

    def constraint(self, q: jax.Array) -> jax.Array:
        row = [jnp.ones(1), jnp.zeros(self.n), q[1 : self.n + 1]]
        return jnp.concatenate(row)[None, :]

    def ensemble(
        self, key: jax.Array, members: int, energy: float = 3.06
    ) -> tuple[jax.Array, jax.Array]:
        """Return random start data (members, dim) of given energy: normal q and v, scaled.

        v is projected onto the constraint.

        The constraint is not invariant under scaling q and v together, so v is projected at the
        scaled q, and the scale is a root of (energy of the result) = `energy`.
        """
        dim = 2 * self.n + 1
        q, v = jax.random.normal(key, (2, members, dim), dtype=float)
        return jax.vmap(lambda a, b: self._at_energy(a, b, jnp.asarray(energy)))(q, v)

    def initial(self) -> tuple[jax.Array, jax.Array]:
        i = jnp.arange(2.0 * self.n + 1)
        return self._at_energy(jnp.cos(1.3 * i + 0.4), jnp.sin(1.7 * i + 1.0), jnp.asarray(3.06))

    def _at_energy(
        self, q: jax.Array, v: jax.Array, level: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        def scaled(s: jax.Array) -> tuple[jax.Array, jax.Array]:
            a = self.constraint(s * q)[0]
            return s * q, s * (v - a * (a @ v) / (a @ a))

        def excess(s: jax.Array) -> jax.Array:
            p, w = scaled(s)
            return 0.5 * self.m * w @ w + self.potential(p) - level

        def halve(bracket: tuple[jax.Array, jax.Array], _: None):
            low, high = bracket
            middle = 0.5 * (low + high)
            above = excess(middle) > 0
            return (jnp.where(above, low, middle), jnp.where(above, middle, high)), None

        # V >= |q|^2/2 bounds the scale from above
        bracket = (jnp.zeros(()), jnp.sqrt(2 * level / (q @ q)))
        (low, high), _ = jax.lax.scan(halve, bracket, None, length=60)
        return scaled(0.5 * (low + high))

    def scene(self) -> sc.Scene:
        def pair(i: int) -> sc.Of:
            return lambda row: jnp.stack([row.q[1 + i], row.q[1 + self.n + i], jnp.zeros(())])

        def height(row: sc.Row) -> jax.Array:
            return sc.above((0.0, 0.0), row.q[0])

        particles = {f"y{i + 1}, z{i + 1}": pair(i) for i in range(self.n)}
        ball = sc.sphere(0.025).scaled_with_motion()
        return sc.Scene(
            [
                *(sc.Body(name, ball, at) for name, at in particles.items()),
                sc.Body("x", ball.painted("accent"), height),
            ],
            [sc.Link(f"spring of {name}", sc.origin, at) for name, at in particles.items()],
            traces=[sc.Trace(name, at) for name, at in particles.items()],
            note="A point for each pair (y_i, z_i), in the plane; the red one is x, upwards.",
        )

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}
