"""[C02] 4.2.2: a plate on a knife edge on a slope; its phase after a full turn."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import geometry

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table, experiment

EDGE = da.systems.KnifeEdge()  # g = 9.81 m/s^2, slope of 30 degrees
OMEGA = 1.3  # rad/s
TURN = 2 * np.pi / OMEGA  # s
PULL = float(EDGE.pull)
START = jnp.zeros(3), jnp.array([0.0, 0.0, OMEGA])
METHODS = {"GNI": da.GNI(), "DLA": da.DLA()}


def _shape(t):
    """Return (x, theta) of the book, a closed loop."""
    return jnp.stack([PULL / (2 * OMEGA**2) * jnp.sin(OMEGA * t) ** 2, OMEGA * t])


def _sideways(t, twice):
    """Return y of the book; `twice` corrects the sine to that of twice the angle."""
    sine = np.sin((2 if twice else 1) * OMEGA * t)
    return PULL / (2 * OMEGA**2) * (OMEGA * t - 0.5 * sine)


@experiment(
    "c02-knife-edge",
    source="[C02] 4.2.2, Prop. 4.2.10",
    title="Knife edge on a slope: after each turn the plate has moved sideways",
    see="The plate does not slide down: it goes across the slope. The sideways step of a turn is "
    "the geometric phase of a closed loop in (x, theta).",
)
def knife_edge(full: bool, seed: int) -> Outcome:
    """Run the plate from rest at theta = 0, turning at 1.3 rad/s."""
    declared = geometry.chaplygin(EDGE, (0, 2), da.Euclidean(1), circles=(None, 2 * np.pi))
    wanted = np.pi * PULL / OMEGA**2
    phase = _phase(declared, lambda s: s)
    other = _phase(declared, lambda s: s**2 * (3 - 2 * s))
    exact = da.simulate(EDGE, da.Reference(rtol=1e-12), *START, h=TURN / 200, steps=400)
    t, q = np.asarray(exact.t), np.asarray(exact.q)
    along = float(np.max(np.abs(q[:, [0, 2]] - jax.vmap(_shape)(exact.t))))
    apart = {twice: float(np.max(np.abs(q[:, 1] - _sideways(t, twice)))) for twice in (False, True)}
    equations = _equations(declared, seed)
    counts = (100, 200, 400)
    off = {
        name: [_sideways_by(method, n) - wanted for n in counts] for name, method in METHODS.items()
    }
    hs = [TURN / n for n in counts]
    slopes = {n: da.diagnostics.fit_order(hs, [abs(x) for x in e]) for n, e in off.items()}
    claims = [
        Claim(
            "reduced equations x'' = -x' theta' tan(theta) + g sin(alpha) cos^2(theta), theta'' = "
            "0, and the gyroscopic form",
            [
                Check("largest difference of the accelerations", equations[0], high=1e-12,
                      unit="m/s^2"),
                Check("largest difference of the forms", equations[1], high=1e-12),
            ],
        ),
        Claim(
            "x = g sin(alpha) sin^2(omega t)/(2 omega^2), theta = omega t",
            [Check("largest difference from the motion, two turns", along, high=2e-12)],
        ),
        Claim(
            "y = g sin(alpha) (omega t - sin(omega t)/2)/(2 omega^2)",
            [Check("largest difference from the motion", apart[False], high=2e-12, unit="m")],
            [Check("with sin(2 omega t)", apart[True], high=2e-12, unit="m")],
            "It must be sin(2 omega t). After whole turns both vanish, so the phase is right.",
        ),
        Claim(
            "the geometric phase of a turn is pi g sin(alpha)/omega^2",
            [
                Check("phase of the loop less that", abs(phase - wanted), high=2e-12, unit="m"),
                Check("the same loop at another pace", abs(other - wanted), high=2e-12, unit="m"),
            ],
            note=f"{wanted:.6f} m for omega = {OMEGA:g} rad/s.",
        ),
        Claim(
            "geometric and total phase agree (Corollary 4.2.9)",
            [Check("phase less y after a turn of the motion", abs(phase - float(q[200, 1])),
                   high=2e-12, unit="m")],
        ),
    ]  # fmt: skip
    table = Table(
        ("steps in a turn", *(f"{n}: error of the phase [m]" for n in METHODS)),
        [*((n, *(off[m][i] for m in METHODS)) for i, n in enumerate(counts)),
         ("order", *(f"{slopes[m]:.3f}" for m in METHODS))],
        f"Phase {wanted:.6f} m. Both methods close the loop in x and theta, and miss the phase by "
        "O(h^2).",
    )  # fmt: skip
    steps = da.simulate(EDGE, METHODS["GNI"], *START, h=TURN / 60, steps=120)

    def draw(theme: str):
        ratios = [1, 2.3]
        with da.plots.canvas(theme, (9.6, 3.6), columns=2, width_ratios=ratios) as (fig, ax, look):
            left, right = ax
            once = t <= TURN * 1.0001
            left.plot(np.degrees(q[once, 2]), q[once, 0], color=look.curves[0], lw=1.8)
            left.set(xlabel="theta [degrees]", ylabel="x, down the slope [m]")
            left.set_xticks([0, 90, 180, 270, 360])
            left.invert_yaxis()
            da.plots.finish(left, look, "shape: a closed loop")
            right.plot(q[:, 1], q[:, 0], color=look.muted, lw=5, alpha=0.4, label="exact")
            path = np.asarray(steps.q)
            right.plot(
                path[:, 1],
                path[:, 0],
                "o",
                ms=3,
                color=look.curves[0],
                label="GNI, 60 steps a turn",
            )
            right.plot(
                _sideways(t, False), q[:, 0], "--", color=look.curves[1], lw=1.4, label="as printed"
            )
            right.annotate(
                "", (wanted, -0.35), (0, -0.35), arrowprops={"arrowstyle": "<->", "color": look.ink}
            )
            right.text(wanted / 2, -0.45, f"phase {wanted:.2f} m", ha="center", va="bottom")
            right.set(xlabel="y, across the slope [m]", ylabel="x [m]", ylim=(1.6, -0.8))
            da.plots.finish(right, look, "path, two turns", "above")
        return fig  # fmt: skip

    picture = Picture(
        "",
        "Left: after a full turn x is what it was. Right: but the plate has moved across the "
        "slope, by the phase. Dashed: the printed formula for y, off between whole turns.",
        "A closed loop in the shape, and arches of a path that goes across a slope",
        draw,
    )
    note = (
        "Chosen, as the book leaves them open: g = 9.81 m/s^2, alpha = 30 degrees, k = 1 m, "
        f"omega = {OMEGA:g} rad/s. The motion is integrated with sin(theta) x' = cos(theta) y': "
        "the printed tan(theta) is singular at 90 degrees, where the motion is smooth."
    )
    motion = Motion(
        "It turns evenly and goes across the slope, not down it; with two turns it is back at "
        "its height.",
        EDGE,
        {"reference, 1e-12": exact, "GNI, 60 steps a turn": steps},
    )
    return Outcome(claims, [table], [picture], [note], [motion])


def _phase(declared: geometry.Chaplygin, pace) -> float:
    """Return the geometric phase of the loop, traversed at some pace."""
    result = jax.jit(lambda: geometry.phase(declared, lambda s: _shape(TURN * pace(s))))()
    return float(result[0])


def _sideways_by(method, n: int) -> float:
    """Return y after one turn in n steps."""
    run = da.simulate(EDGE, method, *START, h=TURN / n, steps=n, save_every=n)
    return float(run.final.q[1])


def _equations(declared: geometry.Chaplygin, seed: int) -> tuple[float, float]:
    """Compare the printed accelerations and gyroscopic form with those of the reduction."""
    rng = np.random.default_rng(seed)
    r = np.column_stack([rng.normal(size=20), rng.uniform(-1.2, 1.2, 20)])
    w = rng.normal(size=(20, 2))

    @jax.jit
    @jax.vmap
    def facts(r, w):
        return da.dynamics.acceleration(declared.reduced, r, w), declared.gyroscopic(r, w)

    result = facts(r, w)
    tan, (x, theta) = np.tan(r[:, 1]), w.T
    zero = np.zeros_like(x)
    force = np.array([-x * theta * tan + PULL * np.cos(r[:, 1]) ** 2, zero])
    form = tan / np.cos(r[:, 1]) ** 2 * np.array([-x * theta, x**2])
    return float(np.max(np.abs(result[0].T - force))), float(np.max(np.abs(result[1].T - form)))
