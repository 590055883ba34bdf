"""Rigid bodies turning about a fixed point with a constraint on the body angular velocity."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from .. import scene as sc
from ..errors import UsageError
from ..groupoids import LieGroup
from ..groups import SO
from ..system import Invariants, MechanicalSystem, Point, parameter
from ._common import check_inertia, concrete, energy, start, whole

_OMEGA = (0.8, -0.5, -0.3)
_as_n = whole("SuslovSoN: parameter 'n'")


class Suslov(MechanicalSystem):
    """Suslov's problem: a rigid body with a . Omega = 0 in the body, reduced to so(3).

        l = Omega . I Omega/2,    I Omega' = I Omega x Omega + lam a,    a . Omega = 0

    q is empty (the attitude is reconstructed), v = Omega, the body angular velocity in rad/s.
    Closed form: in a basis u1, u2 of the plane normal to a (of unit length) that diagonalizes
    the inertia there, sqrt(I1) Omega_1 = s cos f, sqrt(I2) Omega_2 = s sin f and
    f' = k cos(f - c), hence sin(f - c) = tanh(k t + const): the body turns over from one
    permanent rotation to the opposite one. Conserved: the energy s^2/2.

    Reference: [MP] 6.2 for n = 3. Default data: J = diag(1, 2, 3), so I = diag(5, 4, 3),
    a = (1, 1, 1), Omega_0 = (0.8, -0.5, -0.3).
    """

    inertia: jax.Array = parameter(
        ((5.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 3.0)),
        "kg m^2",
        "inertia matrix, symmetric",
        shape=(3, 3),
    )
    a: jax.Array = parameter(
        (1.0, 1.0, 1.0), "1", "direction in the body about which it must not turn", shape=(3,)
    )

    space = LieGroup(SO(3))
    velocity_names = ("Omega1", "Omega2", "Omega3")
    reference = "[MP] 6.2"

    def __check_init__(self) -> None:
        inertia, a = concrete(self.inertia), concrete(self.a)
        if inertia is not None and inertia.shape[-2:] == (3, 3):
            if not np.allclose(inertia, np.swapaxes(inertia, -1, -2), rtol=1e-12, atol=0.0):
                raise UsageError(f"Suslov: parameter 'inertia' must be symmetric, got {inertia}")
            check_inertia("Suslov", "inertia", np.linalg.eigvalsh(inertia))
        if a is not None and a.ndim > 0 and not np.all(np.any(a != 0, axis=-1)):
            raise UsageError("Suslov: parameter 'a' must not vanish")

    @property
    def mass_tensor(self) -> jax.Array:
        """J of the kinetic energy tr(w J w^T)/2: inertia = tr(J) - J."""
        inertia = jnp.asarray(self.inertia)
        return 0.5 * jnp.trace(inertia) * jnp.eye(3) - inertia

    @property
    def mass(self) -> jax.Array:
        return jnp.asarray(self.inertia)

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.asarray(self.a)[None, :]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(0), _orthogonal(jnp.array(_OMEGA), jnp.asarray(self.a)[None, :])

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, Omega) at time t; q is empty."""
        q0, v0 = start(self, q0, v0)
        inertia = jnp.asarray(self.inertia)
        a = jnp.asarray(self.a) / jnp.linalg.norm(jnp.asarray(self.a))
        # the coordinate axis at the largest angle to a is the first vector of a basis of the plane
        axis = jnp.eye(3)[jnp.argmin(jnp.abs(a))]
        e1 = jnp.cross(axis, a)
        e1 = e1 / jnp.linalg.norm(e1)
        e2 = jnp.cross(a, e1)
        half = 0.5 * jnp.arctan2(2 * e1 @ inertia @ e2, e1 @ inertia @ e1 - e2 @ inertia @ e2)
        u1 = jnp.cos(half) * e1 + jnp.sin(half) * e2
        u2 = jnp.cross(a, u1)
        I1, I2 = u1 @ inertia @ u1, u2 @ inertia @ u2
        A, B = (u1 @ inertia @ a) / jnp.sqrt(I1), (u2 @ inertia @ a) / jnp.sqrt(I2)
        h = jnp.hypot(A, B)
        cos_c = jnp.where(h > 0, A / jnp.where(h > 0, h, 1.0), 1.0)
        sin_c = jnp.where(h > 0, B / jnp.where(h > 0, h, 1.0), 0.0)
        x, y = jnp.sqrt(I1) * (u1 @ v0), jnp.sqrt(I2) * (u2 @ v0)
        s = jnp.hypot(x, y)
        s_safe = jnp.where(s > 0, s, 1.0)
        cos_0, sin_0 = (x * cos_c + y * sin_c) / s_safe, (y * cos_c - x * sin_c) / s_safe
        k = s * h / jnp.sqrt(I1 * I2)
        # by addition theorems for tanh and sech, so that permanent rotations need no special case
        T = jnp.tanh(k * t)
        S, C = (sin_0 + T) / (1 + sin_0 * T), cos_0 / (jnp.cosh(k * t) * (1 + sin_0 * T))
        Omega1 = s * (C * cos_c - S * sin_c) / jnp.sqrt(I1)
        Omega2 = s * (S * cos_c + C * sin_c) / jnp.sqrt(I2)
        return q0, Omega1 * u1 + Omega2 * u2

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = -a . I^-1 (I Omega x Omega) / (a . I^-1 a)."""
        _, v = self.closed_form(t, q0, v0)
        inertia, a = jnp.asarray(self.inertia), jnp.asarray(self.a)
        raised = jnp.linalg.solve(inertia, a)
        return jnp.stack([-(raised @ jnp.cross(inertia @ v, v)) / (raised @ a)])

    def scene(self) -> sc.Scene:
        # a blade at the point `tip` of the body slides along a on a fixed sphere: its side force
        # keeps Omega . (tip x side) = 0, and tip x side is along a
        inertia, a = jnp.asarray(self.inertia), jnp.asarray(self.a)
        along = a / jnp.linalg.norm(a)
        tip = jnp.cross(along, jnp.eye(3)[jnp.argmin(jnp.abs(along))])
        tip = tip / jnp.linalg.norm(tip)
        side = jnp.cross(along, tip)
        mounted = jnp.stack([along, side, -tip], axis=1)  # the blade stands on the sphere
        # the solid of constant density with these moments, principal axes taken as the body's own
        moments = jnp.diag(inertia)
        squares = jnp.maximum(0.5 * jnp.sum(moments) - moments, 0.02 * jnp.sum(moments))
        x, y, z = 0.55 * jnp.sqrt(squares / jnp.max(squares))

        def blade(row: sc.Row) -> jax.Array:
            return row.frame @ tip

        def omega(row: sc.Row) -> jax.Array:
            return row.frame @ row.v

        return sc.Scene(
            [
                sc.Body("body", sc.ellipsoid(x, y, z), attitude=lambda row: row.frame),
                sc.Body(
                    "blade", sc.blade(0.3, 0.15), blade, attitude=lambda row: row.frame @ mounted
                ),
                sc.Body("sphere", sc.shell(1.0), stage=True),
            ],
            [
                sc.Link("arm", sc.origin, lambda row: 0.87 * blade(row), "rod"),
                sc.Link("axis a", sc.origin, lambda row: 0.8 * row.frame @ along, "rod"),
            ],
            traces=[sc.Trace("blade", blade)],
            arrows=[sc.Arrow("angular velocity", sc.origin, omega, "rad/s")],
            contacts=[sc.Contact("blade", blade, lambda row: (row.frame @ side)[None, :])],
            ground=None,
            note="A blade on a fixed sphere keeps the body from turning about the axis a.",
        )

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


class SuslovSoN(MechanicalSystem):
    """A rigid body in n dimensions with constraints on its body angular velocity, on so(n).

        l = tr(w J w^T)/2,    M = J w + w J,    M' = [M, w] + sum_j lam_j mu_j,    <mu_j, w> = 0

    q is empty (the attitude is reconstructed), v holds the entries of the skew matrix
    w = g^-1 g' in the order of `SO(n).hat`, in rad/s. `mass_tensor` is the diagonal of J (by
    default 1, 2, ..., n), the rows of `covectors` are the mu_j in the same order as v (by
    default one row of ones). For n = 3 this is `Suslov`. Conserved: the energy.

    Reference: [MP] 6.2 (no data are given there).
    """

    n: int = eqx.field(static=True, default=4, converter=_as_n)
    mass_tensor: jax.Array = parameter(
        unit="kg m^2", doc="diagonal of J, n numbers", positive=True, shape=None
    )
    covectors: jax.Array = parameter(
        unit="1", doc="constraint covectors, shape (m, n (n - 1)/2)", shape=None
    )

    reference = "[MP] 6.2"

    def __init__(
        self, n: int = 4, mass_tensor: jax.Array | None = None, covectors: jax.Array | None = None
    ) -> None:
        self.n = _as_n(n)
        if self.n < 3:
            raise UsageError(f"SuslovSoN: parameter 'n' must be at least 3, got {n}")
        self.mass_tensor = jnp.arange(1.0, self.n + 1) if mass_tensor is None else mass_tensor
        self.covectors = (
            jnp.ones((1, self.n * (self.n - 1) // 2)) if covectors is None else covectors
        )

    def __check_init__(self) -> None:
        dim = self.n * (self.n - 1) // 2
        tensor, rows = concrete(self.mass_tensor), concrete(self.covectors)
        if tensor is not None and tensor.shape[-1:] != (self.n,):
            raise UsageError(
                f"SuslovSoN: parameter 'mass_tensor' must have shape ({self.n},), got "
                f"{tensor.shape}"
            )
        if rows is not None and (rows.ndim < 2 or rows.shape[-1] != dim):
            raise UsageError(
                f"SuslovSoN: parameter 'covectors' must have shape (m, {dim}), got {rows.shape}"
            )
        if rows is not None and np.any(np.linalg.matrix_rank(rows) < rows.shape[-2]):
            raise UsageError("SuslovSoN: the rows of parameter 'covectors' must be independent")

    def with_parameters(self, **changes: object) -> SuslovSoN:
        """Return a copy with some parameters changed; a new n brings its own defaults."""
        if changes.get("n", self.n) != self.n:
            changes = {"mass_tensor": None, "covectors": None, **changes}
        return super().with_parameters(**changes)

    @property
    def space(self) -> LieGroup:
        return LieGroup(SO(self.n))

    @property
    def velocity_names(self) -> tuple[str, ...]:  # pyright: ignore
        return tuple(f"w{i}" for i in range(1, self.n * (self.n - 1) // 2 + 1))

    @property
    def mass(self) -> jax.Array:
        # tr(w J w^T) is diagonal in the basis of hat: J_i + J_j for the plane (i, j)
        basis = jax.vmap(SO(self.n).hat)(jnp.eye(self.dim))
        return jnp.diag(jnp.sum(basis**2, axis=1) @ jnp.asarray(self.mass_tensor))

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.asarray(self.covectors)

    def initial(self) -> tuple[jax.Array, jax.Array]:
        dim = self.n * (self.n - 1) // 2
        generic = jnp.resize(jnp.array([*_OMEGA, 0.4, 0.6, -0.2, 0.1]), (dim,))
        return jnp.zeros(0), _orthogonal(generic, jnp.asarray(self.covectors))

    def scene(self) -> sc.Scene:
        def column(i: int) -> sc.Of:
            return lambda row: row.frame[:3, i]

        names = [f"e{i + 1}" for i in range(self.n)]
        return sc.Scene(
            [sc.Body(x, sc.sphere(0.06), column(i)) for i, x in enumerate(names)],
            [sc.Link(x, sc.origin, column(i), "rod") for i, x in enumerate(names)],
            traces=[sc.Trace(x, column(i)) for i, x in enumerate(names)],
            ground=None,
            note="The axes of the body, projected to the first three directions of space.",
        )

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


def _orthogonal(v: jax.Array, rows: jax.Array) -> jax.Array:
    """Return v without its component in the span of the rows; done twice, to remove round-off."""
    for _ in range(2):
        v = v - rows.T @ jnp.linalg.solve(rows @ rows.T, rows @ v)
    return v
