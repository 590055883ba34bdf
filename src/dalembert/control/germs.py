"""The affine connection control system (8.1) [C02] near a point, to a finite order.

A system with kinetic energy, constraints linear in v and inputs is expanded once in a chart at q;
its connection, its input fields P G^-1 F^i and their symmetric products and Lie brackets are then
polynomials. All fields lie in the distribution D, on which the nonholonomic connection is
P nabla, so that

    <X : Y> = P (DY.X + DX.Y + 2 Gamma(X, Y)),    [X, Y] = DY.X - DX.Y.

Any other affine connection in (8.1) is given by its symbols, as functions of q:

    <X : Y> = DY.X + DX.Y + Gamma(X, Y) + Gamma(Y, X).

At q the chart coincides with the fibre: values at q have the same components as `v`.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import linear_constraint, metric
from ..errors import UsageError
from ..geometry.distribution.connection import Connection
from ..geometry.distribution.taylor_fields import Algebra, algebra, expansion
from ..groups import Euclidean
from ..linalg import RANK_TOLERANCE
from ..system import Point, System, compiled_call

NOISE = 1e-11  # coefficients below this fraction of their summed terms are zero


@dataclasses.dataclass(frozen=True)
class Germ:
    """Taylor expansion of a field, [component, monomial], after `depth` differentiations."""

    coefficients: np.ndarray
    depth: int = 0

    @property
    def value(self) -> np.ndarray:
        """The field at the point."""
        return self.coefficients[:, 0]


class ControlGerm:
    """Connection and inputs of a system in a chart at a point, to order `order`."""

    def __init__(
        self, system: System, q: Point, order: int, connection: Connection | None = None
    ) -> None:
        _refuse(system)
        self.system, self.order = system, order
        self.ring: Algebra = algebra(system.dim, order)
        values = compiled_call(_expanded, system, q, order, connection)
        G, A, F, chart, given = (np.asarray(x) for x in values)
        if not all(np.all(np.isfinite(x)) for x in (G, A, F, chart, given)):
            raise UsageError(
                f"{system.name()}: metric, constraint, inputs or connection are not finite near "
                "the point"
            )
        if not isinstance(system.space, Euclidean):
            back = self.ring.inverse(chart)  # velocities of the fibre from those of the chart
            G = self.ring.matmul(_transposed(back), self.ring.matmul(G, back))
            A, F = self.ring.matmul(A, back), self.ring.matmul(F, back)
            given = _in_chart(self.ring, given, chart, back) if given.size else given
        self.G, self.A, self.F = G, A, F
        self._given = given if connection is not None else None

    @cached_property
    def inverse_metric(self) -> np.ndarray:
        """The inverse metric G^-1."""
        return self.ring.inverse(self.G)

    @cached_property
    def projector(self) -> np.ndarray:
        """The orthogonal projector P onto the distribution."""
        n, ring = self.ring.n, self.ring
        eye = ring.constant(np.eye(n))
        if not len(self.A):
            return eye
        raised = ring.matmul(self.inverse_metric, _transposed(self.A))
        C = ring.inverse(ring.matmul(self.A, raised))
        return eye - ring.matmul(raised, ring.matmul(C, self.A))

    @cached_property
    def christoffel(self) -> np.ndarray:
        """Gamma[a, b, c] of the Levi-Civita connection in the chart."""
        dG = self.ring.derivative(self.G)  # [c, d, b]
        lowered = 0.5 * (
            np.moveaxis(dG, (0, 1, 2), (2, 0, 1))
            + np.moveaxis(dG, (0, 1, 2), (1, 0, 2))
            - np.moveaxis(dG, (0, 1, 2), (1, 2, 0))
        )  # [d, b, c]
        n = self.ring.n
        flat = lowered.reshape(n, n * n, -1)
        return self.ring.matmul(self.inverse_metric, flat).reshape(n, n, n, -1)

    @cached_property
    def connection(self) -> np.ndarray:
        """Gamma[a, b, c] of the connection of (8.1): the given one, or the nonholonomic one.

        Gamma-bar^a_bc = Gamma^a_bc + d_b Q^a_c + Gamma^a_bd Q^d_c - Gamma^d_bc Q^a_d (3.4.2 [C02]).
        """
        if self._given is not None:
            return self._given
        gamma, ring, n = self.christoffel, self.ring, self.ring.n
        if not len(self.A):
            return gamma
        Q = ring.constant(np.eye(n)) - self.projector
        bent = np.swapaxes(ring.derivative(Q), 1, 2)  # d_b Q^a_c as [a, b, c]
        lifted = ring.matmul(Q, gamma.reshape(n, n * n, -1)).reshape(n, n, n, -1)
        return gamma + bent + ring.matmul(gamma, Q) - lifted

    @cached_property
    def inputs(self) -> list[Germ]:
        """The input fields P G^-1 F^i."""
        ring = self.ring
        columns = ring.matmul(self.projector, ring.matmul(self.inverse_metric, _transposed(self.F)))
        return [Germ(columns[:, i]) for i in range(columns.shape[1])]

    @property
    def dim(self) -> int:
        """Dimension of the distribution at the point."""
        return self.ring.n - len(self.A)

    # -- products ------------------------------------------------------------------------------

    def symmetric(self, X: Germ, Y: Germ) -> Germ:
        """Return <X : Y> of two fields of the distribution."""
        x, y = X.coefficients, Y.coefficients
        if self._given is not None:
            both = self._given + np.swapaxes(self._given, 1, 2)
            bent = self.ring.matmul(self.ring.matmul(both, y), x)
            return self._cleaned(self._along(Y, X) + self._along(X, Y) + bent, X, Y)
        bent = self.ring.matmul(self.ring.matmul(self.christoffel, y), x)
        total = self._along(Y, X) + self._along(X, Y) + 2.0 * bent
        return self._cleaned(self.ring.matmul(self.projector, total), X, Y)

    def bracket(self, X: Germ, Y: Germ) -> Germ:
        """Return [X, Y]."""
        return self._cleaned(self._along(Y, X) - self._along(X, Y), X, Y)

    def _along(self, Y: Germ, X: Germ) -> np.ndarray:
        along = self.ring.along(Y.coefficients, X.coefficients)
        # after a derivative, the coefficients of the highest degree are not known
        return np.pad(along, ((0, 0), (0, self.ring.size - along.shape[1])))

    def combined(self, weights: np.ndarray) -> Germ:
        """Return the input field with these weights."""
        terms = [w * X.coefficients for w, X in zip(weights, self.inputs)]
        total = np.sum(terms, axis=0)
        total[np.abs(total) <= NOISE * np.max(np.abs(terms))] = 0.0
        return Germ(total)

    def _cleaned(self, total: np.ndarray, X: Germ, Y: Germ) -> Germ:
        """Return a product without coefficients that are round-off or beyond the known order."""
        depth = max(X.depth, Y.depth) + 1
        if depth > self.order:
            raise UsageError(f"products of this degree need an expansion of order {depth}")
        total = np.where(self.ring.known(depth), total, 0.0)
        size = np.max(np.abs(X.coefficients)) * np.max(np.abs(Y.coefficients))
        total[np.abs(total) <= NOISE * size] = 0.0
        return Germ(total, depth)

    # -- values at the point -------------------------------------------------------------------

    def columns(self, fields: list[Germ]) -> np.ndarray:
        """Return values at the point in an orthonormal frame, scaled to unit length (0 stays 0)."""
        lower = np.linalg.cholesky(self.G[..., 0])
        out = np.zeros((self.ring.n, len(fields)))
        for i, X in enumerate(fields):
            value = lower.T @ X.value
            size = np.linalg.norm(value)
            if size > NOISE * np.linalg.norm(lower.T @ X.coefficients):
                out[:, i] = value / size
        return out


def _transposed(a: np.ndarray) -> np.ndarray:
    return np.swapaxes(a, 0, 1)


def _in_chart(ring: Algebra, gamma: np.ndarray, chart: np.ndarray, back: np.ndarray) -> np.ndarray:
    """Convert symbols Gamma[a, b, c] from the frame of the fibre to the chart."""
    n = ring.n
    bent = ring.matmul(gamma, back)  # Gamma^a_bc back^c_k
    bent = np.swapaxes(ring.matmul(np.swapaxes(bent, 1, 2), back), 1, 2)  # [a, j, k]
    moved = np.swapaxes(ring.derivative(back), 1, 2)  # d_j back^a_k
    return ring.matmul(chart, (bent + moved).reshape(n, n * n, -1)).reshape(n, n, n, -1)


def _expanded(system, q, order, connection):
    n, groupoid = system.dim, system.groupoid
    flat = isinstance(system.space, Euclidean)

    def at(w):
        x = groupoids.move(groupoid, q, w)
        chart = jnp.eye(n)
        if not flat:
            chart = jax.vmap(lambda u: groupoid.coordinate_velocity(q, w, u), 1, 1)(chart)
        given = jnp.zeros((0,)) if connection is None else connection(system, x)
        return metric(system, x), linear_constraint(system, x), system.inputs(x), chart, given

    return expansion(at, n, order)


def _refuse(system: System) -> None:
    if not system.has_inputs:
        raise UsageError(
            f"{system.name()} has no inputs: write `inputs(self, q)`, whose rows are the one-forms "
            "through which the controls act"
        )


def check_inputs(system: System, germ: ControlGerm) -> None:
    """Raise `UsageError` if inputs vanish or are linearly dependent at the point."""
    columns = germ.columns(germ.inputs)
    names = system.input_labels
    for i, name in enumerate(names):
        if not np.any(columns[:, i]):
            raise UsageError(
                f"{system.name()}: the input {name} does nothing at this point: its force vanishes "
                "there, or the constraint takes it up; take another point or leave it out"
            )
    values = np.linalg.svd(columns, compute_uv=False)
    if len(names) > germ.dim or values[-1] <= RANK_TOLERANCE * values[0]:
        text = ", ".join(f"{x:.2e}" for x in values)
        raise UsageError(
            f"{system.name()}: the inputs {', '.join(names)} are dependent on the constraint at "
            f"this point (singular values {text}); leave one out or take another point"
        )


def check_connection(system: System, germ: ControlGerm) -> None:
    """Raise `UsageError` if motions under the connection leave the distribution."""
    n, A = germ.ring.n, germ.A
    if not len(A):
        return
    columns = [Germ(germ.projector[:, i]) for i in range(n)]
    worst = 0.0
    for i, X in enumerate(columns):
        for Y in columns[i:]:
            off = A[..., 0] @ germ.symmetric(X, Y).value
            worst = max(worst, float(np.max(np.abs(off))))
    if worst > 1e-9 * max(1.0, float(np.max(np.abs(A)))):
        raise UsageError(
            f"{system.name()}: the connection does not preserve the constraint: A <X : Y> = "
            f"{worst:.2e} for fields of D; use a connection with nabla_X Y in D for X, Y in D, "
            "such as geometry.nonholonomic_christoffel"
        )


__all__ = ["ControlGerm", "Germ", "check_connection", "check_inputs"]
