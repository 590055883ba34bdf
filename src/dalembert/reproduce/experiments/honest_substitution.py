"""A counter-example: the constraint must not be substituted into the Lagrangian before varying.

The particle z' = y x' with L = (x'^2 + y'^2 + z'^2)/2. Substituting the constraint gives
L_c = ((1 + y^2) x'^2 + y'^2)/2, whose variation gives y'' = y x'^2, (1 + y^2) x' = const. Right are
y'' = 0, sqrt(1 + y^2) x' = const: the variations, too, have to satisfy the constraint.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

H, END = 0.01, 6.0


class Substituted(da.System):
    """The particle with z' = y x' substituted into its Lagrangian; q = (x, y), no constraint."""

    space = da.Euclidean(2)
    coordinate_names = ("x", "y")

    def lagrangian(self, q, v):
        return 0.5 * (1 + q[1] ** 2) * v[0] ** 2 + 0.5 * v[1] ** 2


class SubstitutedDisk(da.System):
    """An upright disk with x' = R psi' cos phi and so on substituted; q = (phi, psi)."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        disk = da.systems.VerticalRollingDisk()
        full = jnp.concatenate([_rolling(q, v), v])
        return disk.lagrangian(jnp.concatenate([jnp.zeros(2), q]), full)


def _rolling(q, v):
    """Return (x', y') that the rolling constraint gives for (phi, psi) and their rates."""
    A = da.systems.VerticalRollingDisk().constraint(jnp.concatenate([jnp.zeros(2), q]))
    return -jnp.linalg.solve(A[:, :2], A[:, 2:] @ v)


@experiment(
    "honest-substitution",
    source="a common mistake",
    title="Substitute the constraint into the Lagrangian, and get another motion",
    see="The constraint holds on both paths and the energy is kept on both, so nothing looks "
    "wrong; but they are different motions, and only one is that of the particle.",
)
def substitution(full: bool, seed: int) -> Outcome:
    """Run the particle, where this is wrong, and the upright disk, where it happens to be right."""
    particle = da.systems.NonholonomicParticle()
    q0, v0 = jnp.array([0.0, 0.5, 0.0]), jnp.array([1.0, 0.3, 0.5])  # consistent with z' = y x'
    steps = round(END / H)
    true = da.simulate(particle, da.GNI(), q0, v0, h=H, steps=steps)
    wrong = da.simulate(Substituted(), da.RK4(), q0[:2], v0[:2], h=H, steps=steps)
    t = np.asarray(true.t)
    closed = np.asarray(jax.vmap(lambda s: particle.closed_form(s, q0, v0)[0])(true.t))
    z = _integral(H, np.asarray(wrong.q)[:, 1] * np.asarray(wrong.v)[:, 0])
    paths = {
        "d'Alembert": np.asarray(true.q),
        "substituted": np.column_stack([np.asarray(wrong.q), z]),
    }
    apart = np.linalg.norm(paths["substituted"] - closed, axis=1)
    kept = float(np.ptp(da.diagnostics.energy(Substituted(), wrong)))
    ours = float(np.linalg.norm(paths["d'Alembert"] - closed, axis=1).max())
    disk = _disk()
    claims = [
        Claim(
            "putting the constraint into the Lagrangian before varying gives the same motion",
            [
                Check(f"distance from the true path at t = {END:g} s", apart[-1], high=0.01,
                      unit="m"),
                Check("change of the energy on the wrong path", kept, unit="J"),
            ],
            note="Neither the energy nor the constraint shows the mistake; the true path does.",
        ),
        Claim(
            "for a disk that stays upright it happens to be right",
            [Check("largest distance between the two motions", disk, high=3e-10, unit="m")],
            note="There the term that the substitution loses, reaction times curvature of the "
            "constraint, vanishes: an example that works proves nothing.",
        ),
        Claim(
            "GNI on the constrained system follows the closed form",
            [Check("largest distance", ours, high=6e-5, unit="m")],
        ),
    ]  # fmt: skip
    at = [round(s / H) for s in (1.0, 2.0, 4.0, END)]
    table = Table(
        ("t [s]", "true (x, y, z) [m]", "substituted (x, y, z) [m]", "distance [m]"),
        [(f"{t[k]:g}", _triple(closed[k]), _triple(paths["substituted"][k]), apart[k]) for k in at],
        "From (0, 0.5, 0) m with velocity (1, 0.3, 0.5) m/s.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 4.0), columns=2) as (fig, (left, right), look):
            left.plot(closed[:, 0], closed[:, 1], color=look.muted, lw=5, alpha=0.4,
                      label="closed form")  # fmt: skip
            for (name, p), color, dash in zip(paths.items(), look.curves, ("-", "--")):
                left.plot(p[:, 0], p[:, 1], dash, color=color, lw=1.6, label=name)
                right.plot(t, p[:, 2], dash, color=color, lw=1.6)
            right.plot(t, closed[:, 2], color=look.muted, lw=5, alpha=0.4, zorder=1)
            left.set(xlabel="x [m]", ylabel="y [m]")
            da.plots.finish(left, look, "seen from above", "best")
            right.set(xlabel="t [s]", ylabel="z [m]")
            da.plots.finish(right, look, "height")
        return fig

    picture = Picture(
        "",
        "The path by d'Alembert's principle lies on the closed form in gray; the substituted one "
        "bends away.",
        "Two paths of a particle that start together and separate",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _disk() -> float:
    """Return the largest distance in (x, y) between the true and the substituted disk's motion."""
    disk = da.systems.VerticalRollingDisk()
    q0, v0 = disk.initial()
    options = {"h": H, "steps": round(END / H)}
    true = da.simulate(disk, da.Reference(rtol=1e-12), q0, v0, **options)
    wrong = da.simulate(SubstitutedDisk(), da.RK4(), q0[2:], v0[2:], **options)
    rates = np.asarray(jax.vmap(_rolling)(wrong.q, wrong.v))
    xy = np.column_stack([_integral(H, c) for c in rates.T]) + np.asarray(q0[:2])
    return float(np.linalg.norm(xy - np.asarray(true.q)[:, :2], axis=1).max())


def _integral(h: float, rate: np.ndarray) -> np.ndarray:
    """Integrate a smooth rate at equal steps, from zero, with an error of O(h^4)."""
    middle = np.empty(len(rate) - 1)
    middle[1:-1] = (-rate[:-3] + 13 * rate[1:-2] + 13 * rate[2:-1] - rate[3:]) / 24
    middle[0] = (9 * rate[0] + 19 * rate[1] - 5 * rate[2] + rate[3]) / 24
    middle[-1] = (9 * rate[-1] + 19 * rate[-2] - 5 * rate[-3] + rate[-4]) / 24
    return np.concatenate([[0.0], h * np.cumsum(middle)])


def _triple(x: np.ndarray) -> str:
    return ", ".join(f"{a:.3f}" for a in x)
