"""[MP] section 7: the exact flow satisfies the exact discrete equations (7.12), and momenta match.

With q(t) the motion from v_0 in the constraint at q_0, and variations of v_0 within it,

    D_2 L(q_0, q_1) w + F+ w = p(h) w,    -D_1 L(q_1, q_2) w - F- w = p(h) w      (7.18), (7.19)

where L is the action of the exact motion, F the work of the reaction on the varied motion (7.10),
(7.11), and w a variation of q_1. The two sides are computed separately: the left side by
differentiating actions, the right side from the velocity at q_1.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

SYSTEMS = {
    "contact oscillator": da.systems.PerturbedContactOscillator(epsilon=0.5),
    "knife edge on a slope": da.systems.KnifeEdge(),
}
HS = (0.1, 0.2, 0.4, 0.8)
SUBSTEPS = 400  # number of substeps of RK4 and Simpson's rule in a step: their error is below 1e-11


class Side(NamedTuple):
    """One step of the exact motion, seen from the point q_1 that it shares with the other step."""

    J: np.ndarray  # columns: variations of q_1 that the constraint at the far end allows
    slope: np.ndarray  # derivative of the action along them
    work: np.ndarray  # work of the reaction along them


@experiment(
    "mp-exact-flow",
    source="[MP] section 7",
    title="The exact flow obeys the exact discrete equations",
    see="Left and right of (7.12) agree to the accuracy of the integration, for steps of any size; "
    "without the work of the reaction they do not.",
)
def exact_flow(full: bool, seed: int) -> Outcome:
    """Test two systems with four step sizes each."""
    rows, worst, without, dims = [], {}, {}, set()
    for name, system in SYSTEMS.items():
        for h in HS:
            residual, momentum, bare, shared = _residuals(system, h)
            dims.add((system.dim - system.constraint(system.initial()[0]).shape[0], shared))
            rows.append((name, h, residual, momentum, bare))
            worst.setdefault(name, []).append((residual, momentum))
            without.setdefault(name, []).append(bare)
    claims = [
        Claim(
            "theorem 5: the exact discrete flow satisfies (7.12)",
            [
                Check(
                    f"largest residual, {name}",
                    max(r for r, _ in w),
                    high=2e-11,
                    why="one bound for both systems",
                )
                for name, w in worst.items()
            ],
        ),
        Claim(
            "corollary 6: the momenta of both sides match, and are those of the motion",
            [
                Check(
                    f"largest difference, {name}",
                    max(m for _, m in w),
                    high=8e-11,
                    why="one bound for both systems",
                )
                for name, w in worst.items()
            ],
        ),
        Claim(
            "the work of the reaction, F+ and F-, has its place in (7.12)",
            [
                Check(
                    f"residual without it, {name}, h = {HS[-1]:g}",
                    b[-1],
                    low=2e-4,
                    why="of the size of the work done, which differs from system to system",
                )
                for name, b in without.items()
            ],
        ),
        Claim(
            "given (q_0, q_2), (7.12) determines q_1: as many equations as unknowns; given "
            "(q_0, q_1) it does not determine q_2",
            [
                Check("directions of q_1 that both constraints allow, least",
                      min(v for _, v in dims), 1, 1),
                Check("the same, largest", max(v for _, v in dims), 1, 1),
                Check("unknowns of q_2 less equations", min(k - v for k, v in dims), low=1),
            ],
            note="q_1 lies where the sets of points that are reached from q_0, and that reach "
            "q_2, meet: of the dimension of V, as is the number of equations. q_2 has as many "
            "unknowns as the constraint leaves directions.",
        ),
    ]  # fmt: skip
    table = Table(("system", "h [s]", "residual of (7.12)", "momenta", "without F"), rows,
                  "Along a direction that both constraints allow, and for all directions of each "
                  "side.")  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (6.8, 4.2)) as (fig, ax, look):
            for (name, w), color, mark in zip(worst.items(), look.curves, "os"):
                y = [max(r, m, 1e-16) for r, m in w]
                ax.plot(HS, y, f"{mark}-", color=color, label=f"{name}: (7.12) and momenta")
                ax.plot(HS, without[name], f"{mark}--", color=color, mfc="none",
                        label=f"{name}: without F")  # fmt: skip
            ax.set(xscale="log", yscale="log", xlabel="h [s]", ylabel="largest residual")
            ax.set_xticks(HS, [f"{h:g}" for h in HS])
            ax.minorticks_off()
            da.plots.finish(ax, look, "exact discrete equations", "center right")
        return fig

    picture = Picture(
        "",
        "Solid: the equations hold to the accuracy of the integration. Dashed: the same without "
        "the work of the reaction.",
        "Residuals against the step: two curves near round-off, two that grow with the step",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _residuals(system: da.System, h: float) -> tuple[float, float, float, int]:
    """Return residuals of (7.12), of the momenta, of (7.12) without the reaction's work; dim V."""
    q0, v0 = system.initial()
    q, v = _motion(system, q0, v0, 2 * h, 2 * SUBSTEPS)
    q1, v1, q2, v2 = q[SUBSTEPS], v[SUBSTEPS], q[-1], v[-1]
    before = Side(*(np.asarray(x) for x in _side(system, q0, v0, h)))
    after = Side(*(np.asarray(x) for x in _side(system, q2, -v2, h)))  # run backwards: -v
    p = np.asarray(da.dynamics.momentum(system, q1, v1))
    plus = before.slope + before.work - p @ before.J
    # The reversed motion has the same action, so its derivative is D_1 L.
    minus = after.slope + after.work + p @ after.J
    # w = before.J a = after.J b: a direction that both sides allow.
    _, sizes, rows = np.linalg.svd(np.hstack([before.J, -after.J]))
    a, b = np.split(rows[len(sizes)], 2)
    scale = np.linalg.norm(before.J @ a)
    left = before.slope @ a + after.slope @ b
    right = -(before.work @ a + after.work @ b)
    momentum = max(np.max(np.abs(plus)), np.max(np.abs(minus)))
    k = before.J.shape[1]
    joint = np.hstack([np.linalg.qr(x)[0] for x in (before.J, after.J)])
    shared = 2 * k - int(np.sum(np.linalg.svd(joint, compute_uv=False) > 1e-4))
    return float(abs(left - right) / scale), float(momentum), float(abs(left) / scale), shared


@functools.partial(jax.jit, static_argnums=(3,))
def _fine(system, q, v, steps, h):
    """Integrate q' = v, v' = a(q, v) by RK4; return all points."""

    def rate(state):
        q, v = state
        return v, da.dynamics.acceleration(system, q, v)

    def moved(state, slope, c):
        return jax.tree.map(lambda x, k: x + c * k, state, slope)

    def step(state, _):
        k1 = rate(state)
        k2 = rate(moved(state, k1, h / 2))
        k3 = rate(moved(state, k2, h / 2))
        k4 = rate(moved(state, k3, h))
        slope = jax.tree.map(lambda a, b, c, d: (a + 2 * b + 2 * c + d) / 6, k1, k2, k3, k4)
        state = moved(state, slope, h)
        return state, state

    _, rows = jax.lax.scan(step, (q, v), length=steps)
    return jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), (q, v), rows)


def _motion(system, q, v, h, steps):
    return _fine(system, q, v, steps, h / steps)


def _side(system: da.System, q0, v0, h: float) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Vary v0 within the constraint at q0; return the fields of `Side`."""
    _, _, rows = np.linalg.svd(np.asarray(system.constraint(q0)))
    # a basis of the kernel of the constraint
    basis = jnp.asarray(rows[system.constraint(q0).shape[0] :].T)
    weights = np.ones(SUBSTEPS + 1)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    weights = jnp.asarray(weights) * (h / SUBSTEPS / 3.0)  # Simpson

    def varied(c):
        q, v = _motion(system, q0, v0 + basis @ c, h, SUBSTEPS)
        return q, weights @ jax.vmap(system.lagrangian)(q, v)

    zero = jnp.zeros(basis.shape[1])
    dq, slope = jax.jacfwd(varied)(zero)
    q, v = _motion(system, q0, v0, h, SUBSTEPS)
    lam = jax.vmap(lambda q, v: da.dynamics.multipliers(system, q, v))(q, v)
    reaction = jax.vmap(lambda q, lam: system.constraint(q).T @ lam)(q, lam)
    work = jnp.einsum("t,ti,tij->j", weights, reaction, dq)
    return dq[-1], slope, work
