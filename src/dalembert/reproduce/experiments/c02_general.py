"""[C02] 4.3.2, 4.4.1: levels of the nonholonomic momentum, and the snakeboard by SE(2)."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import geometry

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

PARTICLE = da.systems.NonholonomicParticle()
XZ = geometry.Symmetry.from_fields(lambda q: jnp.eye(3)[:, jnp.array([0, 2])], "xz")
C = 0.7  # c in mu = c sqrt(1 + y^2)
BOARD = da.systems.registry["snakeboard-coupled"]()
H, END = 0.05, 20.0


def along(q: jax.Array) -> jax.Array:
    """Evaluate the book's section e1 + y e2."""
    return jnp.stack([jnp.ones(()), q[1]])[:, None]


def level(q: jax.Array) -> jax.Array:
    """Evaluate the book's section mu."""
    return (C * jnp.sqrt(1 + q[1] ** 2))[None]


def fixed(q: jax.Array) -> jax.Array:
    """Evaluate a constant section, whose level is not conserved."""
    return jnp.array([C])


@experiment(
    "c02-general",
    source="[C02] 4.3.2, 4.4.1",
    title="Reduction in the general case: a kept level, and a board rebuilt from its shape",
    see="A section of the momentum bundle that satisfies (4.21) makes a level which the motion "
    "keeps. The snakeboard is rebuilt from shape and momentum to round-off.",
)
def general(full: bool, seed: int) -> Outcome:
    """Run the free particle of the book again, and the coupled snakeboard by SE(2) over 20 s."""
    kept = geometry.level_tests(PARTICLE, XZ, along, level)
    other = geometry.level_tests(PARTICLE, XZ, along, fixed)
    reduced = geometry.general_reduction(
        PARTICLE, (1,), da.Euclidean(2), sections=lambda r: along(jnp.stack([0.0, r[0]]))
    )

    def mu(r):
        return (C * jnp.sqrt(1 + r[0] ** 2))[None]

    @jax.jit
    @jax.vmap
    def at(r, w):
        p = mu(r)
        return (
            reduced.velocity(r, w, p),
            geometry.reduced_bracket(reduced, mu)(r, w),
            reduced.rates(r, w, p)[1],
        )

    random = np.random.default_rng(seed)
    y, w = random.uniform(-2, 2, size=(2, 20, 1))
    u, bracket, rate = (np.asarray(x) for x in at(y, w))
    y, w = y[:, 0], w[:, 0]
    printed = float(np.max(np.abs(u[:, 1] - C * np.sqrt(1 + y**2))))
    right = float(np.max(np.abs(u[:, 1] - C / np.sqrt(1 + y**2))))
    section = geometry.kept_section(reduced)
    assert section.factors is not None
    factor = np.asarray(jax.vmap(section.factors)(jnp.asarray(y)[:, None]))[:, 0, 0]
    ratio = factor * np.sqrt(1 + y**2)
    measured = _from_measure()
    gap, momentum, motion = _board()
    claims = [
        Claim(
            "mu = c sqrt(1 + y^2) satisfies (4.21), and G_mu = G",
            [
                Check("residual of (4.21), relative", kept.tangency, high=1e-10),
                Check("dimension of G_mu", kept.isotropy.shape[1], 2, 2),
                Check("residual of (4.21) for a constant section", other.tangency, low=2e-2),
            ],
        ),
        Claim(
            "on the level x' = c sqrt(1 + y^2)",
            [Check("largest difference", printed, high=1e-10, unit="m/s")],
            [Check("difference from c / sqrt(1 + y^2)", right, high=1e-10, unit="m/s")],
            note="x' = c / sqrt(1 + y^2); the printed form is that of the momentum",
        ),
        Claim(
            "(4.24) and (4.27) hold, and {y, y'}_mu = 1",
            [
                Check("residual of (4.24), relative", kept.reducible, high=1e-10),
                Check("residual of (4.27), relative", kept.mapping, high=1e-10),
                Check("largest difference from [[0, 1], [-1, 0]]",
                      float(np.max(np.abs(bracket - [[0, 1], [-1, 0]]))), high=1e-10),
            ],
        ),
        Claim(
            "the momentum equation is d/dt (x' + y z') = z' y",
            [Check("largest difference", _largest(rate[:, 0] - u[:, 2] * y), high=1e-10)],
            [Check("difference from y' z'", _largest(rate[:, 0] - u[:, 2] * w), high=1e-10)],
            note="it is y' z'",
        ),
        Claim(
            "x' sqrt(1 + y^2) is kept: found from the momentum equation, and from the invariant "
            "measure (Remark 5.4.6)",
            [
                Check("terms of p' that no factor removes, relative",
                      max(section.quadratic, section.growth), high=1e-10),
                Check("spread of factor / sqrt(1 + y^2)", _largest(ratio / ratio[0] - 1),
                      high=1e-10),
                Check("integral of the measure less x' sqrt(1 + y^2), up to constants", measured,
                      high=1e-10),
            ],
        ),
        Claim(
            "the snakeboard by SE(2): reduced motion and reconstruction are the motion",
            [
                Check(f"largest difference over {END:g} s", gap, high=1e-9, unit="m or rad"),
                Check("momentum equation, relative to its terms", momentum, high=1e-12),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("section mu", "(4.21)", "(4.24)", "(4.27)", "bracket"),
        [("c sqrt(1 + y^2)", kept.tangency, kept.reducible, kept.mapping, kept.bracket),
         ("c", other.tangency, other.reducible, other.mapping, other.bracket)],
        "Levels of the momentum of the free particle under shifts of x and z.",
    )  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (6.8, 4.2)) as (fig, ax, look):
            t, p, path = motion
            ax.plot(path[:, 0], path[:, 1], color=look.curves[0], label="rebuilt path of the board")
            ax.plot(*path[0, :2], "o", color=look.curves[1], label="start")
            ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
            da.plots.finish(ax, look, f"p from {p[0]:.2f} to {p[-1]:.2f} in {t[-1]:g} s", "best")
        return fig

    see = "The path of the snakeboard, rebuilt from its shape and one momentum that is not kept."
    return Outcome(claims, [table], [Picture("", see, "A path in the plane", draw)])


def _largest(x: np.ndarray) -> float:
    return float(np.max(np.abs(x)))


def _from_measure() -> float:
    """Compare the integral from the invariant measure with c1 x' sqrt(1 + y^2) + c2."""
    measure = geometry.measure_integral(geometry.chaplygin(PARTICLE, (0, 1), da.Euclidean(1)))
    assert measure.integral is not None
    q0, v0 = PARTICLE.initial()
    random = np.random.default_rng(3)
    y, slow, fast = (0.1 * random.normal(size=(3, 8)).T + [q0[1], v0[0], v0[1]]).T
    q = np.stack([0 * y, y, 0 * y], axis=1)
    v = np.stack([slow, fast, y * slow], axis=1)
    values = np.asarray(jax.vmap(measure.integral)(q, v))
    table = np.stack([slow * np.sqrt(1 + y**2), np.ones_like(y)], axis=1)
    fitted = table @ np.linalg.lstsq(table, values, rcond=None)[0]
    return _largest(values - fitted)


def _board():
    reduced = geometry.general_reduction(BOARD, (3, 4), da.SE(2))
    steps = round(END / H)
    full = da.simulate(BOARD, da.Gauss(4), h=H, steps=steps)
    part = da.simulate(reduced.reduced, da.Gauss(4), h=H, steps=steps)
    _, g0, _ = reduced.split(*BOARD.initial())
    path = geometry.rebuild(reduced, part.t, part.v[:, 2:], g0)

    @jax.jit
    @jax.vmap
    def at(r, u, g):
        return reduced.lift(r, g, u)[0], reduced.momentum(r, u), reduced.residual(r, u)

    q, p, off = (np.asarray(x) for x in at(part.q, part.v, path))
    gap = np.array(q - full.q)
    gap[:, 2] = (gap[:, 2] + np.pi) % (2 * np.pi) - np.pi
    rates = jax.jit(jax.vmap(reduced.momentum_rate))(part.q, part.v)
    size = float(np.max(np.abs(rates)) + np.max(np.abs(p)))
    momentum = float(np.max(np.abs(off))) / size
    return float(np.max(np.abs(gap))), momentum, (np.asarray(part.t), p[:, 0], q)
