"""[C02] 5.4.2: a Chaplygin system whose reduced motion has no invariant measure."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import geometry

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

SYSTEM = da.systems.ParticleWithoutMeasure()  # z' = x y x'
FREE = da.systems.NonholonomicParticle()  # z' = y x'
THIS, THAT = "z' = x y x'", "z' = y x'"
CENTER, RADIUS = (1.0, 1.0), 0.6  # center and radius in m of a loop in the (x, y) plane


def _reduced(system: da.System) -> geometry.Chaplygin:
    return geometry.chaplygin(system, (0, 1), da.Euclidean(1))


@experiment(
    "c02-counterexample",
    source="[C02] 5.4.2, Remark 5.4.6",
    title="A reduced motion without an invariant measure",
    see="The logarithm of a density would have to be the integral of beta; around a loop that does "
    "not come back to zero, so there is none. For z' = y x' it does.",
)
def counterexample(full: bool, seed: int) -> Outcome:
    """Compare z' = x y x' with z' = y x'."""
    c, free = _reduced(SYSTEM), _reduced(FREE)
    r = jnp.asarray(np.random.default_rng(seed).uniform(-1.5, 1.5, size=(50, 2)))
    w = jnp.asarray(np.random.default_rng(seed + 1).normal(size=(50, 2)))
    x, y = np.asarray(r).T
    off = _tensors(c, r)
    both = {THIS: c, THAT: free}
    betas = {name: _beta(d, r) for name, d in both.items()}
    zero = np.zeros_like(x)
    off_beta = np.max(np.abs(betas[THIS][0].T - [zero, -(x**2) * y / (1 + x**2 * y**2)]))
    off_curl = np.max(np.abs(betas[THIS][1] + 2 * x * y / (1 + x**2 * y**2) ** 2))
    off_free = np.max(np.abs(betas[THAT][0].T - [zero, -y / (1 + y**2)]))
    rate = jax.jit(jax.vmap(lambda r, w: _volume_rate(c, r, w)))(r, w)
    measure = {name: geometry.invariant_measure(d) for name, d in both.items()}
    angle, integral = _around(both)
    gaps = {name: float(value[-1]) for name, value in integral.items()}
    flag = [geometry.growth_vector(SYSTEM, jnp.array([a, 0.5, 0.0])) for a in (1.0, 0.0)]
    density = measure[THAT].density
    assert density is not None  # nothing random decides whether it is found
    ratio, k_off, kept = _free_particle(free, density, r, w)
    claims = [
        Claim(
            "curvature x dx^dy, metric, tensor K and contorsion B as printed",
            [Check(f"largest difference, {name}", x, high=1e-12) for name, x in off.items()],
        ),
        Claim(
            "beta = -x^2 y/(1 + x^2 y^2) dy",
            [
                Check("largest difference", float(off_beta), high=1e-12),
                Check("rate of the volume det(G) dr dw, plus beta . w",
                      float(jnp.max(jnp.abs(rate))), high=1e-12),
            ],
            note="The second number ties beta to the motion: it is how the flow changes volume.",
        ),
        Claim(
            "beta is not closed, so there is no invariant volume (Theorem 5.4.5)",
            [
                Check("largest |d beta|, relative", measure[THIS].closedness, low=2e-2),
                Check("d beta + 2 x y/(1 + x^2 y^2)^2 dx^dy, largest", float(off_curl), high=1e-12),
                Check("integral of beta around a loop", abs(gaps[THIS]), low=0.1),
            ],
            note=f"Loop: circle of {RADIUS:g} m around (1, 1) m. A density would return from it "
            f"multiplied by {np.exp(gaps[THIS]):.3f}.",
        ),
        Claim(
            "D has length 1 off the plane x = 0, that is one bracket reaches everything",
            [
                Check("dimension after one bracket at x = 1", flag[0][1], 3, 3),
                Check("dimension after one bracket at x = 0", flag[1][1], 2, 2),
            ],
            note=f"Growth vectors {flag[0]} and {flag[1]}.",
        ),
        Claim(
            "for z' = y x' beta = -y/(1 + y^2) dy is exact, k = 1/sqrt(1 + y^2)",
            [
                Check("largest difference of beta", float(off_free), high=1e-12),
                Check("integral around the loop", abs(gaps[THAT]), high=1e-12),
                Check("k sqrt(1 + y^2): spread over the samples, relative", ratio, high=1e-12),
                Check("divergence of k det(G) times the field", k_off, high=1e-12),
            ],
        ),
        Claim(
            "and x' sqrt(1 + y^2) is a constant of its motion",
            [Check("largest change over 20 s", kept, high=1e-12, unit="m/s")],
        ),
    ]  # fmt: skip
    table = Table(
        ("constraint", "verdict", "|d beta|, relative", "integral of beta around the loop"),
        [(n, f.verdict, f.closedness, gaps[n]) for n, f in measure.items()],
        "Invariant measure of the reduced motion.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 4.1), columns=2) as (fig, (left, right), look):
            side = np.linspace(-2, 2, 201)
            X, Y = np.meshgrid(side, side)
            curl = -2 * X * Y / (1 + X**2 * Y**2) ** 2
            mesh = left.pcolormesh(
                X, Y, curl, cmap="PuOr", vmin=-0.7, vmax=0.7, rasterized=True, shading="auto"
            )
            fig.colorbar(mesh, ax=left, label="d beta / (dx dy) [1/m^2]")
            loop = np.asarray(_loop(angle))
            left.plot(loop[0], loop[1], color="#1a1a1a", lw=2)
            left.plot(*loop[:, 0], "o", color="#1a1a1a", ms=6)
            left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
            left.set_title("z' = x y x': d beta, and a loop")
            for (name, value), color, dash in zip(integral.items(), look.curves, ("-", "--")):
                right.plot(360 * angle, value, dash, color=color, lw=1.8, label=name)
            right.axhline(0, color=look.muted, lw=0.8, zorder=1)
            right.set(xlabel="way around the loop [degrees]", ylabel="integral of beta")
            right.set_xticks([0, 90, 180, 270, 360])
            da.plots.finish(right, look, "logarithm of k", "above")
        return fig  # fmt: skip

    picture = Picture(
        "",
        "Left: beta is not closed, d beta has one sign inside the loop. Right: what would be the "
        "logarithm of a density, around that loop: only for z' = y x' does it come back to zero.",
        "A map of d beta with a circle, and two integrals around it of which one returns to zero",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _tensors(c: geometry.Chaplygin, r: jax.Array) -> dict[str, float]:
    """Return the largest differences from the printed tensors."""
    x, y = np.asarray(r).T
    o, one = np.zeros_like(x), np.ones_like(x)

    def at(r):
        return c.curvature(r)[0, 0, 1], c.metric(r), c.metric_tensor(r)[:, 0, 1], c.contorsion(r)

    curvature, metric, K, B = (np.asarray(a) for a in jax.jit(jax.vmap(at))(r))
    b = -(x**2) * y / (1 + x**2 * y**2)
    printed = np.array([[[o, b], [o, o]], [[x**2 * y, o], [o, o]]])  # [upper, first, second]
    return {
        "curvature": float(np.max(np.abs(curvature - x))),
        "metric": float(np.max(np.abs(metric.T - [[1 + x**2 * y**2, o], [o, one]]))),
        "K": float(np.max(np.abs(K.T - [x**2 * y, o]))),
        "B": float(np.max(np.abs(np.moveaxis(B, 0, -1) - printed))),
    }


def _beta(c: geometry.Chaplygin, r: jax.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return beta and the coefficient of d beta = (...) dx^dy."""

    @jax.jit
    @jax.vmap
    def at(r):
        slope = jax.jacfwd(lambda r: geometry.beta(c, r))(r)
        return geometry.beta(c, r), slope[1, 0] - slope[0, 1]

    beta, curl = at(r)
    return np.asarray(beta), np.asarray(curl)


def _volume_rate(c: geometry.Chaplygin, r: jax.Array, w: jax.Array) -> jax.Array:
    """Return the rate at which the motion changes det(G) dr dw, plus beta . w, which is zero."""

    def volume(z):
        return jnp.linalg.det(c.metric(z[:2]))

    z = jnp.concatenate([r, w])
    return geometry.divergence(geometry.reduced_field(c), z, volume) + geometry.beta(c, r) @ w


def _loop(s):
    """Return the point of the loop at 0 <= s <= 1."""
    a = 2 * np.pi * s
    return jnp.stack([CENTER[0] + RADIUS * jnp.cos(a), CENTER[1] + RADIUS * jnp.sin(a)])


def _around(both: dict[str, geometry.Chaplygin], n: int = 360) -> tuple[np.ndarray, dict]:
    """Integrate beta along the loop from its start; the trapezoidal rule is exact on a circle."""
    s = jnp.linspace(0.0, 1.0, n + 1)
    result = {}
    for name, c in both.items():
        rate = jax.jit(jax.vmap(lambda s, c=c: geometry.beta(c, _loop(s)) @ jax.jacfwd(_loop)(s)))(
            s
        )
        pieces = 0.5 * (rate[1:] + rate[:-1]) / n
        result[name] = np.concatenate([[0.0], np.cumsum(np.asarray(pieces))])
    return np.asarray(s), result


def _free_particle(c: geometry.Chaplygin, density, r, w) -> tuple[float, float, float]:
    """Return the spread of k sqrt(1 + y^2), largest divergence, change of x' sqrt(1 + y^2)."""
    field = geometry.reduced_field(c)

    def rate(r, w):
        return geometry.divergence(field, jnp.concatenate([r, w]), lambda z: density(z[:2]))

    run = da.simulate(FREE, da.Reference(rtol=1e-12), h=0.1, steps=200)
    kept = np.asarray(run.v[:, 0] * jnp.sqrt(1 + run.q[:, 1] ** 2))
    k = np.asarray(jax.jit(jax.vmap(lambda r: density(r) / jnp.linalg.det(c.metric(r))))(r))
    level = k * np.sqrt(1 + np.asarray(r)[:, 1] ** 2)
    worst = jnp.max(jnp.abs(jax.jit(jax.vmap(rate))(r, w)))
    return float(np.ptp(level) / level[0]), float(worst), float(np.ptp(kept))
