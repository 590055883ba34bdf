"""Series along a trajectory: energy, momentum, residuals, constants of the motion, the path.

Each series has one value per row. The parameters of the system are traced, so that a sweep over
them compiles once, and `jax.vmap(energy)(systems, trajectories)` works for an ensemble.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from .. import dynamics
from ..compile.function import evaluator
from ..errors import UsageError
from ..results import Trajectory
from ..system import Point, System, is_traced

if TYPE_CHECKING:
    from ..geometry import Symmetry

T = TypeVar("T")
AtRow = Callable[[System, jax.Array, Point, jax.Array], T]  # a function of (system, t, q, v)

_MOVING = "moving_energy"  # the name of the moving energy among the invariants of a system


def energy(system: System, traj: Trajectory) -> jax.Array:
    """Return E = p.v - L at every row."""
    return over_rows(_energy, system, traj)


def energy_error(system: System, traj: Trajectory) -> jax.Array:
    """Return E_k - E_0; zero for the exact motion only if `dynamics.energy_is_conserved`."""
    return _from_start(energy(system, traj), traj)


def momentum(system: System, traj: Trajectory) -> jax.Array:
    """Return dL/dv at (q, v) of every row; `traj.p` is what the method itself reports."""
    return over_rows(_momentum, system, traj)


def constraint_residual(system: System, traj: Trajectory) -> jax.Array:
    """Return the largest |phi(t, q, v)| in every row; zero without constraints."""
    return over_rows(_residual, system, traj)


def holonomic_residual(system: System, traj: Trajectory) -> jax.Array:
    """Return the largest |g(q)| of the holonomic constraints in every row; zero without them."""
    return over_rows(_holonomic, system, traj)


def invariants(system: System, traj: Trajectory) -> dict[str, jax.Array]:
    """Return the known constants of the motion at every row, by name."""
    # with concrete parameters, because some hold for special parameter values only
    known = system.invariants
    series = over_rows(_invariants, system, traj)
    return {name: series[name] for name in known}


def invariant_drift(system: System, traj: Trajectory) -> dict[str, jax.Array]:
    """Return I_k - I_0 for every known constant of the motion."""
    return {k: _from_start(x, traj) for k, x in invariants(system, traj).items()}


@dataclasses.dataclass(frozen=True)
class KeptEnergy:
    """The energy by which a run is judged; `kept`: whether the exact motion conserves it."""

    name: str  # "energy" or "moving energy"
    kept: bool
    function: AtRow[jax.Array]

    def series(self, system: System, traj: Trajectory) -> jax.Array:
        """Return this energy at every row."""
        return over_rows(self.function, system, traj)

    def error(self, system: System, traj: Trajectory) -> jax.Array:
        """Return the change of this energy since the first row."""
        return _from_start(self.series(system, traj), traj)


def kept_energy(system: System, q: Point = None, t: float = 0.0) -> KeptEnergy:
    """Return the conserved energy: E, or a moving energy, or E marked as not conserved.

    Affine constraints do work. Then E - <p, Y> is conserved for a symmetry Y of L with A Y = b.
    This moving energy is the invariant "moving_energy" of the system, or else found by
    `geometry.moving_energy` from the declared symmetries, near q (default: the initial data).
    """
    if dynamics.energy_is_conserved(system):
        return KeptEnergy("energy", True, _energy)
    if _MOVING in system.invariants:
        return KeptEnergy("moving energy", True, _listed_moving_energy)
    affine = system.has_offset and not (system.has_force or system.is_nonlinear)
    if affine and system.symmetry_generators:
        from .. import geometry  # imported late: most runs do not need it

        try:
            states = geometry.sample_states(system, q, t=t)
            moving = geometry.moving_energy(system, states=states, t=t)
        except UsageError:
            pass  # no declared symmetry Y has A Y = b
        else:
            return KeptEnergy("moving energy", True, _MovingEnergy(moving.symmetry, moving.xi))
    return KeptEnergy("energy", False, _energy)


def is_driven(system: System, traj: Trajectory) -> bool:
    """Return whether a control acted in the run that `system` itself does not contain."""
    return bool(traj.meta.controlled) and traj.meta.controlled == system.name()


def judged_energy(system: System, traj: Trajectory) -> KeptEnergy:
    """Return the energy by which this run is judged; not conserved if a control did work."""
    if is_driven(system, traj):
        return KeptEnergy("energy", False, _energy)
    return kept_energy(system, jax.tree.map(lambda x: x[0], traj.q), float(traj.t[0]))


def path(system: System, traj: Trajectory) -> jax.Array:
    """Return the points (x, y) that a plot of the motion shows; shape (rows, 2)."""
    return over_rows(_path, system, traj)


def _energy(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return dynamics.energy(system, q, v, t)


def _listed_moving_energy(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return system.invariants[_MOVING](q, v)


@dataclasses.dataclass(frozen=True)  # frozen, and so hashable: equal objects share a compilation
class _MovingEnergy:
    symmetry: Symmetry
    xi: tuple[float, ...]

    def __call__(self, system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        from ..geometry.symmetry.momentum import moved_energy

        return moved_energy(system, self.symmetry, self.xi, q, v)


def _momentum(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return dynamics.momentum(system, q, v, t)


def _residual(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return jnp.max(jnp.abs(dynamics.constraint_residual(system, q, v, t)), initial=0.0)


def _holonomic(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return jnp.max(jnp.abs(system.holonomic(q)), initial=0.0)


def _invariants(system: System, t: jax.Array, q: Point, v: jax.Array) -> dict[str, jax.Array]:
    return {name: jnp.asarray(f(q, v)) for name, f in system.invariants.items()}


def _path(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return system.path(q)


@dataclasses.dataclass(frozen=True)
class Scales:
    """The size of a quantity before its terms cancel: sum_i |x_i dI/dx_i| over q and v.

    A relative error e in every entry of the state changes the quantity by up to e times this size.
    It therefore distinguishes round-off from drift even if the value of the quantity is zero.
    """

    energy: AtRow[jax.Array]

    def __call__(
        self, system: System, t: jax.Array, q: Point, v: jax.Array
    ) -> dict[str, jax.Array]:
        flat, unravel = ravel_pytree((q, v))

        def scale(f: AtRow[jax.Array]) -> jax.Array:
            jacobian = jax.jacrev(lambda x: jnp.ravel(f(system, t, *unravel(x))))(flat)
            return jnp.max(jnp.sum(jnp.abs(jacobian * flat[None, :]), axis=1), initial=0.0)

        def all_residuals(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
            return dynamics.constraint_residual(system, q, v, t)

        named = {"energy": scale(self.energy), "constraint": scale(all_residuals)}
        if system.has_holonomic:
            named["holonomic"] = jnp.max(dynamics.holonomic_terms(system, q)[1])
        for name in system.invariants:
            named[f"invariant {name}"] = scale(lambda *a, name=name: _invariants(*a)[name])
        return named


def over_rows(function: AtRow[T], system: System, traj: Trajectory) -> T:
    """Evaluate function(system, t, q, v) at every row; compiled once for all parameter values."""
    shape = traj.v.shape[:-1]  # the axes of an ensemble, and the time axis
    if is_traced((system, traj)):
        at = functools.partial(function, system)
        for _ in shape:
            at = jax.vmap(at)
        return at(jnp.broadcast_to(traj.t, shape), traj.q, traj.v)
    count = math.prod(shape)
    rows = (np.broadcast_to(traj.t, shape), traj.q, traj.v)
    row = jax.tree.map(lambda x: np.zeros(np.shape(x)[len(shape) :]), rows)
    flat = jax.tree.map(lambda x, one: np.reshape(np.asarray(x), (count, *one.shape)), rows, row)
    whole = evaluator(function, (system,), row).at_rows(count, *flat)
    return jax.tree.map(lambda x: x.reshape((*shape, *x.shape[1:])), whole)


def _from_start(series: jax.Array, traj: Trajectory) -> jax.Array:
    axis = traj.v.ndim - 2
    return series - series[(slice(None),) * axis + (slice(0, 1),)]
