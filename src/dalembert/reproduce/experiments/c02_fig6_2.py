"""[C02] 6.4.1: a sphere that moves from a smooth to a rough half-plane."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics, hybrid

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

SPHERE = da.systems.RollingSphere(m=1.0, r=0.5, k=0.3)  # the book has unit mass
SMOOTH = hybrid.released(SPHERE)
R, K2 = SPHERE.r, SPHERE.k**2
START = {"x": -1.0, "y": 0.2, "x'": 1.2, "y'": 0.5, "omega": np.array([2.5, 1.0, 1.5])}


def _printed(x: float, y: float, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Evaluate (6.21) as printed."""
    d = R**2 + K2
    planar = np.array([R**2 * x + R * K2 * w[1], R**2 * y - R * K2 * w[0]]) / d
    spin = np.array([-R * y + K2 * w[0], R * x + K2 * w[1], d * w[2]]) / d
    return planar, spin


def _printed_projector() -> np.ndarray:
    """Return the printed projector, on (p_x, p_y, p_1, p_2, p_3)."""
    d = R**2 + K2
    P = np.zeros((5, 5))
    P[0, 0] = P[1, 1] = R**2 / d
    P[0, 3], P[1, 2] = R / d, -R / d
    P[2, 1], P[2, 2] = -R * K2 / d, K2 / d
    P[3, 0], P[3, 3] = R * K2 / d, K2 / d
    P[4, 4] = 1.0
    return P


@experiment(
    "c02-fig6-2",
    source="[C02] 6.4.1, (6.18)-(6.22), Fig. 6.2",
    title="A sphere comes from ice onto a rough floor",
    see="On the smooth part it slides and spins as it likes. At the edge velocity and spin jump so "
    "that the point of contact rests, and it rolls straight on in another direction.",
)
def sphere(full: bool, seed: int) -> Outcome:
    """Test random spins and velocities, and simulate one path."""
    rng = np.random.default_rng(seed)
    off = _jumps(rng, 50 if full else 10)
    W = np.array([[1.0, 0.0, 0.0, -R, 0.0], [0.0, 1.0, R, 0.0, 0.0]])
    g = np.diag([1.0, 1.0, K2, K2, K2])
    C = W @ np.linalg.inv(g) @ W.T
    projector = np.eye(5) - W.T @ np.linalg.inv(C) @ W @ np.linalg.inv(g)
    times, path, kept, energies = _motion()
    claims = [
        Claim(
            "C = (1 + r^2/k^2) times the identity, and the printed projector",
            [
                Check("C, largest difference", np.max(np.abs(C - (1 + R**2 / K2) * np.eye(2))),
                      high=1e-12),
                Check("P, largest difference", np.max(np.abs(projector - _printed_projector())),
                      high=1e-12),
            ],
            note="The printed inverse metric has lost its last column; the products are right.",
        ),
        Claim(
            "the jump (6.21)",
            [
                Check("velocity, largest difference", off["velocity"], high=1e-12, unit="m/s"),
                Check("spin, largest difference", off["spin"], high=1e-12, unit="rad/s"),
                Check("energy lost less that of the part taken away, relative", off["carnot"],
                      high=1e-12),
            ],
            note="Any attitude R of the sphere: the jump is computed on R^2 x SO(3).",
        ),
        Claim(
            "the motion (6.20) and (6.22): straight on, with constant spin",
            [
                Check("largest acceleration on either side", kept["acceleration"], high=1e-12),
                Check("largest slip of the contact on the rough side", kept["slip"], high=1e-12,
                      unit="m/s"),
                Check("printed x, y on the rough side, largest difference", kept["path"],
                      high=1e-12, unit="m"),
            ],
        ),
        Claim(
            "x0' > 0 and omega_y > 0 lead onto the rough half-plane",
            [
                Check("least x' behind the edge, of such starts", off["forward"], low=0.0,
                      unit="m/s"),
                Check("least x' of starts with x0' > 0 and any omega_y", off["any"], high=0.0,
                      unit="m/s"),
            ],
            note="With r x0' + k^2 omega_y < 0, backspin, the sphere comes back to the ice.",
        ),
    ]  # fmt: skip
    before, after = energies
    table = Table(
        ("", "x' [m/s]", "y' [m/s]", "omega_x", "omega_y", "omega_z [rad/s]", "energy [J]"),
        [
            ("smooth", START["x'"], START["y'"], *START["omega"], before),
            ("rough", *path["planar"], *path["spin"], after),
        ],
        f"r = {R:g} m, k = {SPHERE.k:g} m, mass 1 kg; chosen, as the book gives no numbers.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (8.4, 4.0)) as (fig, ax, look):
            ax.axvspan(0, 2, color=look.curves[2], alpha=0.12, lw=0)
            ax.axvline(0, color=look.ink, lw=1)
            xy, contact = path["xy"], path["contact"]
            ax.plot(xy[:, 0], xy[:, 1], color=look.curves[0], lw=2.2, label="center")
            shown = slice(None, None, 8)
            ax.quiver(
                xy[shown, 0],
                xy[shown, 1],
                contact[shown, 0],
                contact[shown, 1],
                angles="xy",
                scale_units="xy",
                scale=8,
                width=0.004,
                color=look.curves[1],
                label="velocity of the point of contact / 8",
            )
            ax.text(-1.05, 0.9, "smooth")
            ax.text(0.05, 0.9, "rough")
            ax.set(
                xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(-1.1, 1.0), ylim=(0.1, 1.0)
            )
            da.plots.finish(ax, look, "", "lower right")
        return fig  # fmt: skip

    picture = Picture(
        "",
        "The path bends at the edge; behind it the point of contact no longer slips.",
        "The path of a sphere with a kink at x = 0, and arrows of slip that end there",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _jumps(rng: np.random.Generator, count: int) -> dict[str, float]:
    result = {"velocity": 0.0, "spin": 0.0, "carnot": 0.0, "forward": np.inf, "any": np.inf}
    for _ in range(count):
        A = da.SO(3).exp(jnp.asarray(rng.normal(size=3)))
        q = (jnp.array([0.0, 0.3]), A)
        (x, y), w = rng.normal(size=2), rng.normal(size=3)
        jump = hybrid.jump(SPHERE, q, SPHERE.body_velocity(q, (x, y), w))
        planar, spin = _printed(x, y, w)
        v = np.asarray(jump.v_after)
        result["velocity"] = max(result["velocity"], np.max(np.abs(v[:2] - planar)))
        result["spin"] = max(result["spin"], np.max(np.abs(np.asarray(A) @ v[2:] - spin)))
        defect = abs(jump.energy_lost - jump.energy_of_change) / jump.energy_of_change
        result["carnot"] = max(result["carnot"], defect)
        result["forward"] = min(result["forward"], _printed(abs(x), y, np.abs(w))[0][0])
        result["any"] = min(result["any"], _printed(abs(x), y, -20.0 * np.abs(w))[0][0])
    return result


def _motion():
    """Simulate the path over the edge, and test the equations on either side."""
    q0 = (jnp.array([START["x"], START["y"]]), jnp.eye(3))
    v0 = SPHERE.body_velocity(q0, (START["x'"], START["y'"]), START["omega"])
    edge = -START["x"] / START["x'"]
    at_edge, _ = SMOOTH.straight_motion(jnp.asarray(edge), q0, v0)
    v1 = hybrid.jump(SPHERE, at_edge, v0).v_after

    @jax.jit
    def facts(t, q, v):
        (Q, V), (_, rate) = jax.jvp(lambda s: SPHERE.straight_motion(s, q, v), (t,), (1.0,))
        planar = Q[0], V[:2] - SPHERE.r * jnp.stack([(Q[1] @ V[2:])[1], -(Q[1] @ V[2:])[0]])
        errors = [dynamics.acceleration(x, Q, V) - rate for x in (SMOOTH, SPHERE)]
        return *planar, *errors, dynamics.constraint_residual(SPHERE, Q, V)

    times = np.linspace(0.0, 2 * edge, 81)
    xy, contact = [], []
    kept = {"acceleration": 0.0, "slip": 0.0, "path": 0.0}
    planar, spin = _printed(START["x'"], START["y'"], START["omega"])
    for t in times:
        rough = t > edge
        state = (t - edge, at_edge, v1) if rough else (t, q0, v0)
        place, slip, free, rolling, residual = (np.asarray(x) for x in facts(*state))
        worst = float(np.max(np.abs(rolling if rough else free)))
        kept["acceleration"] = max(kept["acceleration"], worst)
        if rough:
            kept["slip"] = max(kept["slip"], float(np.max(np.abs(residual))))
            wanted = planar * (t - edge) + np.array([0.0, START["y'"] * edge + START["y"]])
            kept["path"] = max(kept["path"], float(np.max(np.abs(place - wanted))))
        xy.append(place)
        contact.append(slip)
    energies = [float(dynamics.energy(SPHERE, at_edge, v)) for v in (v0, v1)]
    path = {"xy": np.array(xy), "contact": np.array(contact), "planar": planar, "spin": spin}
    return times, path, kept, energies
