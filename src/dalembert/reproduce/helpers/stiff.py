"""A general-purpose solver to compare with: IDA if it is installed, else BDF of SciPy.

Both get the equations with the constraint differentiated once, q' = v, v' = a(q, v), and adapt
order and step size, as ode15s and DASSL do.
"""

from __future__ import annotations

import dataclasses
import importlib.util

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

import dalembert as da


@dataclasses.dataclass(frozen=True)
class Solved:
    """States at the requested times, and what they cost."""

    q: np.ndarray
    v: np.ndarray
    steps: int | None  # None if the solver does not report it
    evaluations: int
    solver: str


def solve(
    system: da.System, q0: ArrayLike, v0: ArrayLike, t: np.ndarray, tol: float, ida: bool = True
) -> Solved:
    """Return states at the times `t`, with relative and absolute tolerance `tol`.

    The first time, t[0], is that of (q0, v0).
    """
    dim = system.dim

    @jax.jit
    def rate(y):
        return jnp.concatenate([y[dim:], da.dynamics.acceleration(system, y[:dim], y[dim:])])

    y0 = np.concatenate([np.asarray(q0), np.asarray(v0)])
    if ida and importlib.util.find_spec("sksundae") is not None:
        y, steps, evaluations = _ida(rate, y0, t, tol)
        name = "IDA"
    else:
        y, steps, evaluations = _bdf(rate, y0, t, tol)
        name = "BDF (SciPy)"
    return Solved(y[:, :dim], y[:, dim:], steps, evaluations, name)


def _bdf(rate, y0, t, tol):
    if importlib.util.find_spec("scipy") is None:
        raise da.UsageError('this needs SciPy: pip install "dalembert[reproduce]"')
    from scipy.integrate import BDF

    slope = jax.jit(jax.jacfwd(rate))
    solver = BDF(
        lambda t, y: np.asarray(rate(y)),
        t[0],
        y0,
        t[-1],
        rtol=tol,
        atol=tol,
        jac=lambda t, y: np.asarray(slope(y)),
    )
    rows, steps, k = [y0], 0, 1
    while k < len(t):
        message = solver.step()
        if solver.status == "failed":
            raise da.SimulationError(f"BDF failed at t = {solver.t:g}: {message}")
        steps += 1
        if t[k] <= solver.t:
            dense = solver.dense_output()
            while k < len(t) and t[k] <= solver.t:
                rows.append(dense(t[k]))
                k += 1
    return np.array(rows), steps, solver.nfev


def _ida(rate, y0, t, tol):
    from sksundae.ida import IDA  # pyright: ignore[reportMissingImports]

    def residual(t, y, yp, res):
        res[:] = yp - np.asarray(rate(y))

    solver = IDA(residual, rtol=tol, atol=tol, max_num_steps=1_000_000)
    values = solver.solve(t, y0, np.asarray(rate(y0)))
    if not values.success:
        raise da.SimulationError(f"IDA failed: {values.message}")
    return np.asarray(values.y), None, int(values.nfev)
