"""[C02] 8.5.2 and the "only if" of Theorem 8.4.2: controllable systems declared uncontrollable."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

SYSTEM = da.systems.TwistedInputs()
REST = jnp.zeros(3), jnp.zeros(3)
MIX = np.array([[1.0, 0.25], [0.25, -0.5]])  # maps (u1, u2) to (y'', z'')


class Swing(eqx.Module):
    """The input for y - z = +-s0 s^2 (1 - s), y + z = 10 s0 s^3 (1 - s).

    Here s = t/T and s0 = 0.02 T^2.
    """

    sign: jax.Array
    T: jax.Array

    def __call__(self, t):
        s = t / self.T
        a = self.sign * 0.02 * (2.0 - 6.0 * s)  # a, b: second derivatives of y - z and y + z
        b = 0.2 * (6.0 * s - 12.0 * s**2)
        return jnp.asarray(np.linalg.inv(MIX)) @ jnp.stack([a + b, b - a]) / 2


class Twisting(da.MechanicalSystem):
    """x'' + y'^2 + z'^2 = 20 (u1 z - u2 y) after a change of x: definite form, twisting inputs."""

    space = da.Euclidean(3)

    @property
    def mass(self):
        return jnp.eye(3)

    def inputs(self, q):
        first = jnp.stack([q[1] + 20.0 * q[2], 1.0, 0.0])
        return jnp.stack([first, jnp.stack([q[2] - 20.0 * q[1], 0.0, 1.0])])


class Turning(eqx.Module):
    """The input that moves (y, z) along a small loop from rest to rest, in either direction."""

    sign: jax.Array

    def __call__(self, t):
        def loop(t):  # two bumps in y and z, out of phase
            y = t**3 * (1 - t) ** 3
            z = t**3 * (1 - t) ** 3 * (1 - 2 * t)
            return jnp.stack([y, self.sign * z])

        rate = lambda t: jax.jvp(loop, (t,), (jnp.ones(()),))[1]  # noqa: E731
        return jax.jvp(rate, (t,), (jnp.ones(()),))[1]


@experiment(
    "c02-not-only-if",
    source="[C02] Theorem 8.4.2, Corollary 8.4.5, 8.5.2",
    title="Reached all the same: det A = 0 and det A > 0 without loss of controllability",
    see="Two motions from rest at the origin end with y = z = 0, one with x above and one with x "
    "below it: what the printed theorem excludes.",
)
def not_only_if(full: bool, seed: int) -> Outcome:
    """Reach both signs of x at y = z = 0, by simulation."""
    verdict = control.controllability(SYSTEM)
    assert verdict.form is not None
    assert verdict.form.A is not None
    times = (1.0, 0.1, 0.01) if full else (1.0, 0.1)
    ends, paths, largest = {}, {}, 0.0
    for T in times:
        for sign in (1.0, -1.0):
            u = Swing(jnp.asarray(sign), jnp.asarray(T))
            run = da.simulate(SYSTEM, da.Gauss(3), *REST, h=T / 40, steps=40, u=u)
            ends[T, sign] = np.asarray(run.q[-1])
            largest = max(largest, float(max(np.max(np.abs(u(t))) for t in run.t)))
            if T == 1.0:
                paths[sign] = np.asarray(run.q)
    scaled = np.array([[ends[T, s][0] / T**4 for s in (1.0, -1.0)] for T in times])
    other = max(np.max(np.abs(x[1:])) / T**2 for (T, _), x in ends.items())
    twist = control.controllability(Twisting(), jnp.zeros(3))
    assert twist.form is not None
    around = []
    for sign in (1.0, -1.0):
        u = Turning(jnp.asarray(sign))
        run = da.simulate(Twisting(), da.Gauss(3), *REST, h=1 / 40, steps=40, u=u)
        around.append(np.asarray(run.q[-1]))
    around, spread = np.array(around), np.linalg.eigvalsh(twist.form.S)
    # The definite form is that of x - (y^2 + z^2)/2, which equals x at the end, where y = z = 0.
    off, constant = _level(seed)
    claims = [
        Claim(
            "8.5.2: LCA, and A has determinant 0",
            [
                Check("rank of Lie(Sym(Y))", verdict.lie.rank, 3, 3),
                Check("det A", np.linalg.det(verdict.form.A), -1e-12, 1e-12),
            ],
        ),
        Claim(
            "8.5.2, by Corollary 8.4.5: not STLCC at the origin, x cannot have both signs at "
            "y = z = 0",
            [Check("x(T)/T^4, largest of the two motions", np.max(scaled), high=0.0, unit="m/s^4")],
            note="It has: x(T) = 1.95e-5 T^4 and -3.13e-5 T^4 for every T tried, with bounded "
            "controls. Brackets of the inputs act at the order of their products, which the proof "
            "leaves out (E30): the library says 'inconclusive'.",
        ),
        Claim(
            "E30: both signs are reached from rest in any time, with controls that stay bounded",
            [
                Check("x/T^4, upper, smallest over T", np.min(scaled[:, 1]), 1.9e-5, 2.0e-5),
                Check("x/T^4, lower, largest over T", np.max(scaled[:, 0]), -3.2e-5, -3.0e-5),
                Check("largest |y|, |z| at the end over T^2", other, high=1e-12),
                Check("largest |u|", largest, high=0.9, unit="N"),
            ],
        ),
        Claim(
            "det A > 0, that is S definite, excludes STLCC (Corollary 8.4.5): x has one sign where "
            "y = z = 0",
            [
                Check("smallest |eigenvalue| of S", np.min(np.abs(spread)), low=1.0),
                Check("x of one motion times x of another", float(np.prod(around[:, 0])), low=0.0),
            ],
            note="The inputs do not commute: going round the other way changes the sign of x "
            f"({around[0, 0]:.2e} and {around[1, 0]:.2e} m). With commuting inputs it holds.",
        ),
        Claim(
            "8.5.2: phi for the composition of flows Psi1 Psi2 Psi3 as printed",
            [Check("largest difference of phi along the flows", off["printed"], high=1e-12)],
            [Check("with the corrected terms", off["corrected"], high=1e-12)],
            "The printed polynomial belongs to another order of the flows (E28).",
        ),
        Claim(
            "Lemma 8.4.1 (iii): phi is annihilated by both first fields near the point",
            [Check("largest derivative of phi along them", constant, high=1e-6)],
            note="[Z1, Z2] is not in their span, so no function has both (E29).",
        ),
    ]
    table = Table(
        ("T [s]", "x/T^4 one way [m/s^4]", "x/T^4 the other way [m/s^4]"),
        [(T, *row) for T, row in zip(times, scaled)],
        "Where the two motions of 8.5.2 end; y and z vanish there.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.4, 3.9), columns=2) as (fig, (left, right), look):
            for q, color in zip(paths.values(), look.curves):
                name = "ends below" if q[-1, 0] < 0 else "ends above"
                left.plot(q[:, 1], q[:, 2], color=color, lw=1.6, label=name)
                right.plot(
                    np.linspace(0, 1, len(q)), 1e5 * q[:, 0], color=color, lw=1.6, label=name
                )
                right.plot(1, 1e5 * q[-1, 0], "o", color=color)
            left.set(xlabel="y [m]", ylabel="z [m]")
            right.set(xlabel="t [s]", ylabel="x [1e-5 m]")
            right.axhline(0, color=look.muted, lw=0.8)
            da.plots.finish(left, look, "loops in (y, z)", "best")
            da.plots.finish(right, look, "x along them", "best")
        return fig

    picture = Picture(
        "",
        "Left: both loops start at rest and end, moving, at y = z = 0. Right: x ends on either "
        "side of 0.",
        "Two loops in a plane, and two curves that end above and below zero",
        draw,
    )
    surface = Picture(
        "surface",
        "Height x of the surface phi = 0 through the origin, over (y, z): left by the printed phi, "
        "right by the phi of the printed order of flows (E28). The text places what can be reached "
        "from rest on one side of it; the motions of the other picture end at y = z = 0 on both.",
        "Two contour maps of a saddle over a plane",
        _draw_surface,
    )
    return Outcome(claims, [table], [picture, surface])


def _draw_surface(theme: str):
    """Draw Fig. 8.4: phi is linear in x with the factor -1/2, so that x = 2 phi(0, y, z)."""
    grid = np.linspace(-1.0, 1.0, 81)
    y, z = np.meshgrid(grid, grid)
    origin = np.zeros(3)
    heights = [2.0 * phi((0.0, y, z), origin) for phi in (_printed, _corrected)]
    levels, filled = np.linspace(-2.7, 2.7, 19), None
    with da.plots.canvas(theme, (9.4, 4.2), columns=2) as (fig, axes, look):
        for ax, x, title in zip(axes, heights, ("phi as printed", "phi of the flows")):
            filled = ax.contourf(y, z, x, levels=levels, cmap="RdBu_r", extend="both")
            ax.contour(y, z, x, levels=[0.0], colors=look.muted, linewidths=1.0)
            ax.plot(0.0, 0.0, "o", color=look.muted, ms=4)
            ax.set(xlabel="y [m]", ylabel="z [m]", aspect="equal")
            da.plots.finish(ax, look, title)
        assert filled is not None
        fig.colorbar(filled, ax=list(axes), label="x [m] on the surface", shrink=0.8)
    return fig


# -- phi of 8.5.2: t3 of Psi1(t1) Psi2(t2) Psi3(t3), the flows of -Y1 + Y2, Y1 + Y2, -2 d/dx -------


def _flowed(q, t1, t2, t3):
    x, y, z = q[0] - 2.0 * t3, q[1], q[2]
    x, y, z = x + (y + z) * t2 + 0.5 * t2**2, y + 1.25 * t2, z - 0.25 * t2
    return np.array([x + (y - z) * t1, y - 0.75 * t1, z - 0.75 * t1])


def _printed(q, start):
    (x, y, z), (x0, y0, z0) = q, start
    inner = y**2 - y * y0 + y * z - 5 * y0 * z - 2 * z**2 + y * z0 + 3 * y0 * z0 + 5 * z * z0
    return (-9 * (x - x0) + 4 * (inner - 3 * z0**2)) / 18


def _corrected(q, start):
    (x, y, z), (x0, y0, z0) = q, start
    ys = 4 * y * y0 - 12 * y * z + 20 * y * z0 - 4 * y0**2 - 4 * y0 * z - 4 * y0 * z0
    return (-9 * (x - x0) + ys + 12 * z**2 - 20 * z * z0 + 8 * z0**2) / 18


def _level(seed: int) -> tuple[dict[str, float], float]:
    """Return how far both polynomials are from t3, and the largest derivative along the fields."""
    rng = np.random.default_rng(seed)
    off = {"printed": 0.0, "corrected": 0.0}
    for _ in range(20):
        start, t = rng.normal(size=3), rng.normal(size=3)
        end = _flowed(start, *t)
        off["printed"] = max(off["printed"], abs(_printed(end, start) - t[2]))
        off["corrected"] = max(off["corrected"], abs(_corrected(end, start) - t[2]))
    slopes = []
    for q in rng.normal(size=(20, 3)):
        gradient = jax.grad(lambda q: _corrected(q, jnp.zeros(3)))(jnp.asarray(q))
        y, z = q[1], q[2]
        fields = np.array([[y - z, -0.75, -0.75], [y + z, 1.25, -0.25]])
        slopes.append(np.max(np.abs(fields @ np.asarray(gradient))))
    return off, float(np.max(slopes))
