"""Order of position, velocity and multiplier, constraint residual and reversibility.

For every method of the registry on nonlinear systems: constant and configuration-dependent
metric, linear and affine, R^n and groups. The claims are read from the traits.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics
from dalembert.methods import registry

from . import Claim, at_least, at_most, near
from .examples import Bent, BentAffine, CarriedSleigh, MixedMetricGlobal

# rules beyond those with a name of their own
EXTRA = {
    method.name: (lambda method=method: method)
    for method in (
        da.GNI(da.Alpha(0.25)),
        da.GNI(da.SymmetricAlpha(0.25)),
        da.DLA(da.Alpha(0.25)),
        da.DLA(da.SymmetricAlpha(0.25)),
    )
}
METHODS = registry | EXTRA


@functools.cache  # the systems are made once, and what is compiled for their starts
def _cases() -> dict:
    bent, affine = Bent(), BentAffine()
    q, v = jnp.array([1.0, 0.4, 0.2]), jnp.array([0.5, 0.7, 0.2])
    sleigh, carried = da.systems.ChaplyginSleigh(), CarriedSleigh()
    qs, vs = jnp.array([0.3, -0.2, 0.5]), jnp.array([0.9, 0.1, 0.8])
    suslov = da.systems.Suslov()
    # those of high order are measured in test_high_order.py, test_composition.py and
    # benchmarks/orders.py, with steps that suit them
    high = ("gauss", "lobatto", "energy-gauss", "reference")
    everything = tuple(
        n
        for n, make in registry.items()
        if ("moser" not in n and not n.startswith(high) and make().traits.order <= 2) or n == "rk4"
    )
    general = tuple(n for n in everything if n.startswith(("gni", "dla")) or n == "rk4")
    some = ("gni-midpoint", "dla-midpoint", "rk4")
    start = da.dynamics.consistent_velocity
    return {
        "bent": (bent, q, start(bent, q, v), everything),
        "bent, affine": (
            affine,
            q,
            start(affine, q, v),
            tuple(n for n in everything if n != "hamel"),
        ),
        "sleigh": (sleigh, qs, start(sleigh, qs, vs), (*general, *EXTRA)),
        "carried sleigh": (carried, qs, start(carried, qs, vs), general),
        "ball, reduced": (*_default(da.systems.BallOnTurntable()), some),
        "Chaplygin ball": (*_default(da.systems.ChaplyginBall()), some),
        "Suslov": (*_default(suslov), ("gni-moser-veselov", "dla-moser-veselov-at-start", *some)),
        # the bodies above have no potential, so that all rules agree; this one tells them apart
        "R x SO(3), potential": (
            *_default(MixedMetricGlobal()),
            ("gni-trapezoidal", "gni-euler-a", "gni-euler-b", "dla-trapezoidal", *some),
        ),
    }


def _default(system):
    return (system, *system.initial())


# what methods that are not symmetric must show at least, where it is not that of the others
DEFECTS = {
    ("rk4", "bent"): 5e-7,
    # 2 h^3 d_4 (test_newmark_is_not_symmetric_at_third_order): half of the 4.1e-5 at h = 0.2
    ("newmark", "bent"): 2e-5,
    ("rk4", "sleigh"): 1e-7,
    ("rk4", "Suslov"): 3e-10,
    ("rk4", "R x SO(3), potential"): 2e-6,
    ("dla-moser-veselov-at-start", "Suslov"): 1e-3,
}
T_END, ROWS = 1.0, 5


@functools.cache
def _reference(case: str):
    system, q0, v0, _ = _cases()[case]
    return da.simulate(system, da.Reference(), q0, v0, h=T_END / ROWS, steps=ROWS)


def _errors(system, run, reference) -> tuple[float, float, float]:
    flat = jax.vmap(system.groupoid.base.flatten)
    q = np.max(np.abs(flat(run.q) - flat(reference.q)), initial=0.0)
    if run.frame is not None:  # the reconstruction counts as position, too
        flat = jax.vmap(system.groupoid.group.flatten)
        q = max(q, np.max(np.abs(flat(run.frame) - flat(reference.frame))))
    v = np.max(np.abs(run.v - reference.v))
    # the first rows of the multiplier carry the start, not the method
    lam = np.max(np.abs(run.multiplier[1:] - reference.multiplier[1:]))
    return float(q), float(v), float(lam)


def measure(case: str, name: str) -> list[Claim]:
    """Orders over three step sizes, residuals, reversibility of one method on one system."""
    system, q0, v0, _ = _cases()[case]
    method = METHODS[name]()
    traits = method.traits
    counts = (20, 40, 80) if traits.order > 1 else (80, 160, 320)
    runs = [
        da.simulate(system, method, q0, v0, h=T_END / n, steps=n, save_every=n // ROWS)
        for n in counts
    ]
    errors = np.array([_errors(system, run, _reference(case)) for run in runs])
    slopes = np.log2(errors[-2] / errors[-1])
    claims = [
        near("order of the position", case, name, slopes[0], traits.order, 0.1),
        near("order of the velocity", case, name, slopes[1], traits.order, 0.1),
        near("order of the multiplier", case, name, slopes[2], traits.multiplier_order, 0.25),
    ]
    if traits.on_constraint:
        residual = max(np.max(diagnostics.constraint_residual(system, run)) for run in runs)
        claims.append(
            at_most("constraint residual", case, name, residual, 1e-13, by_construction=True)
        )
    if not (system.has_offset or system.has_force):
        defect = diagnostics.reversibility_defect(system, method, q0, v0, h=0.2, steps=10)
        reversible = at_most if traits.symmetric else at_least
        bound = 1e-12 if traits.symmetric else DEFECTS.get((name, case), 0.03)
        claims.append(reversible("reversibility defect", case, name, defect, bound))
    return claims


def groups() -> dict:
    return {
        f"orders: {name} on {case}": functools.partial(measure, case, name)
        for case, (_, _, _, names) in _cases().items()
        for name in names
    }
