"""[C02] 6.2, remark 6.3.4: external impulses, restitution, and the paradox of friction."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics, hybrid

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

SLEIGH = da.systems.ChaplyginSleigh()
LIFTED = hybrid.released(SLEIGH)
PUSH = jnp.array([0.4, -1.1, 0.7])  # N s, N s, N m s
PLACE = jnp.array([0.1, -0.2, 0.5])
SHORT = (1e-1, 1e-2, 1e-3, 1e-4)  # s, durations of the short forces
BALL = da.systems.RollingSphere(r=0.5, k=0.5 * np.sqrt(0.4))  # homogeneous
ANGLE = 1.0  # rad, angle of a rod of length 2 m that falls on its tip
RULES = ("newton", "poisson", "stronge")


class Rod(da.MechanicalSystem):
    """A thin rod in its plane, of 1 kg and 2 m: (x, y) of its center, and its angle."""

    mass = np.diag([1.0, 1.0, 1 / 3])  # type: ignore[assignment]
    space = da.Euclidean(3)


ROD = Rod()


@experiment(
    "c02-impulses",
    source="[C02] 6.2, (6.4), Remarks 6.2.1, 6.2.2, 6.3.4, (6.15)-(6.17), Thm 6.2.3",
    title="Impulses, restitution, and the energy that friction seems to make",
    see="Short strong forces do what the formulas for impulses say. With friction the classical "
    "rules for an impact disagree, and Newton's creates energy.",
)
def impulses(full: bool, seed: int) -> Outcome:
    """Run a pushed sleigh, a ball struck by a cue, walls, and a rod that falls on its tip."""
    rng = np.random.default_rng(seed)
    errors = _short_forces()
    slopes = np.log10(errors[1:-1] / errors[2:])
    walls = _walls(rng)
    cue = _cue()
    slips = np.linspace(-2.0, 2.0, 161)
    rods = {rule: [_rod(s, rule=rule) for s in slips] for rule in RULES}
    gain = {rule: -np.array([x.jump.energy_lost for x in found]) for rule, found in rods.items()}
    work = {rule: np.array([x.normal_work for x in found]) for rule, found in rods.items()}
    stops = np.array([x.slip_stops for x in rods["newton"]])
    apart = _apart(rods)
    plastic = _apart({rule: [_rod(s, rule=rule, e=0.0) for s in slips[::8]] for rule in RULES})
    best = int(np.argmax(gain["newton"]))
    claims = [
        Claim(
            "(6.16): at a regular point the impulse acts less what the constraint takes of it",
            [
                Check("difference from a force of 1e-4 s", errors[-1, 0], high=5e-4, unit="m/s"),
                Check("it goes as this power of the duration", slopes[:, 0].min(), 0.9, 1.1),
            ],
            note="A sleigh that is pushed while it slides and turns.",
        ),
        Claim(
            "(6.17): at a singular point p- and the impulse are projected together",
            [
                Check("difference from forces of 1e-4 s", errors[-1, 1], high=5e-5, unit="m/s"),
                Check("it goes as this power of the duration", slopes[:, 1].min(), 0.9, 1.1),
            ],
            note="The sleigh comes down on the ice while it is pushed; the blade is a sideways "
            "friction that grows as the duration shrinks.",
        ),
        Claim(
            "(6.4): a ball at rest that is struck by a cue starts to move",
            [
                Check("angular momentum about the contact, difference", cue["momentum"],
                      high=1e-12, unit="kg m^2/s"),
                Check("reaction when struck 2/5 r above its center", cue["reaction"], high=1e-12,
                      unit="N s"),
                Check("and at the height of its center", cue["center"], low=0.1, unit="N s"),
            ],
            note="Struck 7/5 r above the table a homogeneous ball rolls without any help of it.",
        ),
        Claim(
            "Newton's and Poisson's rules agree without friction, for one coefficient",
            [
                Check("largest difference", walls["same"], high=1e-12, unit="m/s"),
                Check("two walls with e = 0.9 and 0.2 at once: difference", walls["differ"],
                      low=0.1, unit="m/s"),
            ],
            note="With different coefficients at once they do not.",
        ),
        Claim(
            "Carnot: without friction an impact never makes energy (theorem 6.2.3)",
            [Check("least energy lost, random walls and 0 <= e <= 1", walls["least"], low=-1e-12,
                   unit="J")],
        ),
        Claim(
            "with friction Newton's rule can show energy gains (remark 6.2.2)",
            [
                Check("largest gain of a rod with e = 1", gain["newton"].max(), low=0.1, unit="J"),
                Check("gains where the slip does not stop, largest",
                      gain["newton"][~stops].max(), high=1e-12, unit="J"),
            ],
            note=f"Of {0.5 * (1 + slips[best] ** 2):.3f} J, at a slip of {slips[best]:g} m/s.",
        ),
        Claim(
            "Poisson's rule loses energy other than by friction even for e = 1",
            [
                Check("largest loss of the normal impulse", -work["poisson"].min(), low=1e-2,
                      unit="J"),
                Check("largest gain in all", gain["poisson"].max(), high=1e-12, unit="J"),
            ],
            note=f"For other slips it gives back too much: up to {work['poisson'].max():.3f} J, "
            "which the friction has taken more than once over.",
        ),
        Claim(
            "Stronge's rule is consistent",
            [
                Check("work of the normal impulse for e = 1, largest",
                      np.abs(work["stronge"]).max(), high=1e-12, unit="J"),
                Check("largest gain in all", gain["stronge"].max(), high=1e-12, unit="J"),
            ],
        ),
        Claim(
            "the three rules agree if the slip does not stop, and for e = 0",
            [
                Check("largest difference where it does not stop", apart[~stops].max(), high=1e-12,
                      unit="m/s"),
                Check("largest difference for e = 0", plastic.max(), high=1e-12, unit="m/s"),
                Check("largest difference where it stops", apart[stops].max(), low=0.1,
                      unit="m/s"),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("duration [s]", "on the blade [m/s]", "coming down [m/s]"),
        [(tau, *row) for tau, row in zip(SHORT, errors)],
        "Velocity after a force of finite duration less that of the formulas, largest entry.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 3.8), columns=2) as (fig, (left, right), look):
            for i, name in enumerate(("(6.16)", "(6.17)")):
                left.loglog(SHORT, errors[:, i], "o-", color=look.curves[i], label=name)
            left.set(xlabel="duration [s]", ylabel="difference [m/s]")
            da.plots.finish(left, look, "short strong forces", "above")
            for i, rule in enumerate(RULES):
                right.plot(slips, gain[rule], color=look.curves[i], lw=2, label=rule.capitalize())
            right.axhline(0, color=look.muted, lw=0.8)
            right.set(xlabel="slip before the impact [m/s]", ylabel="energy gained [J]")
            da.plots.finish(right, look, "a rod falls on its tip, e = 1", "lower right")
        return fig

    picture = Picture(
        "",
        "Left: forces that shorten act as impulses. Right: with friction Newton's rule lies above "
        "zero for some slips, energy out of nothing; the other two do not.",
        "Two falling error curves, and the energy gained by three rules over the slip",
        draw,
    )
    note = (
        f"The rod falls at 1 m/s under {np.degrees(ANGLE):.0f} degrees on a floor with a "
        "coefficient of friction of 0.6. Chosen: the book gives no example."
    )
    return Outcome(claims, [table], [picture], [note])


def _short_forces() -> np.ndarray:
    """Return the errors of (6.16) and (6.17) against forces that act for a short time."""
    on = dynamics.consistent_velocity(SLEIGH, PLACE, jnp.array([1.0, 0.3, 0.8]))
    off = jnp.array([0.9, 0.9, -0.6])
    wanted = [hybrid.jump(SLEIGH, PLACE, v, external=PUSH).v_after for v in (on, off)]
    steps = 400

    def bump(t, tau):  # acts on the first half; its integral is one
        s = 2.0 * t / tau
        return jnp.where(s < 1.0, 12.0 * s * (1.0 - s), 0.0) / tau

    def on_blade(t, tau, q, v):
        W = dynamics.projectors(SLEIGH, q)[0]
        push = jnp.linalg.solve(dynamics.metric(SLEIGH, q), bump(t, tau) * PUSH)
        return dynamics.acceleration(SLEIGH, q, v) + W @ push

    def coming_down(t, tau, q, v):
        A = SLEIGH.constraint(q)
        force = bump(t, tau) * PUSH - (60.0 / tau) * A.T @ (A @ v)
        free = dynamics.acceleration(LIFTED, q, v)
        return free + jnp.linalg.solve(dynamics.metric(SLEIGH, q), force)

    @jax.jit
    def pushed(tau):
        def run(acceleration, v):
            def rate(t, s):
                return jnp.concatenate([s[3:], acceleration(t, tau, s[:3], s[3:])])

            def step(s, i):
                h, t = tau / steps, i * tau / steps
                k1 = rate(t, s)
                k2 = rate(t + h / 2, s + h / 2 * k1)
                k3 = rate(t + h / 2, s + h / 2 * k2)
                k4 = rate(t + h, s + h * k3)
                return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

            start = jnp.concatenate([PLACE, v])
            return jax.lax.scan(step, start, jnp.arange(float(steps)))[0][3:]

        return run(on_blade, on), run(coming_down, off)

    return np.array(
        [[float(jnp.max(jnp.abs(a - b))) for a, b in zip(pushed(t), wanted)] for t in SHORT]
    )


def _walls(rng: np.random.Generator) -> dict[str, float]:
    """Compare Newton's and Poisson's rule at one and two walls, for a sleigh without blade."""
    same, least = 0.0, np.inf
    for _ in range(20):
        v, rows, e = rng.normal(size=3), rng.normal(size=(2, 3)), rng.uniform()
        for some in (rows[:1], rows):
            a, b = (
                hybrid.jump(LIFTED, PLACE, v, rows=some, restitution=e, rule=rule)
                for rule in ("newton", "poisson")
            )
            same = max(same, float(jnp.max(jnp.abs(a.v_after - b.v_after))))
            least = min(least, a.energy_lost)
    v, rows, e = rng.normal(size=3), rng.normal(size=(2, 3)), np.array([0.9, 0.2])
    a, b = (
        hybrid.jump(LIFTED, PLACE, v, rows=rows, restitution=e, rule=rule)
        for rule in ("newton", "poisson")
    )
    differ = float(jnp.max(jnp.abs(a.v_after - b.v_after)))
    return {"same": same, "least": least, "differ": differ}


def _cue() -> dict[str, float]:
    q, J = (jnp.zeros(2), jnp.eye(3)), jnp.array([1.0, 0.0, 0.0])
    result = {}
    for name, high in (("reaction", 0.4 * BALL.r), ("center", 0.0)):
        lever = jnp.array([-0.5 * BALL.r, 0.1 * BALL.r, high])
        push = hybrid.impulse_at(
            BALL, q, lambda x, lever=lever: jnp.append(x[0], BALL.r) + x[1] @ lever, J
        )
        jump = hybrid.jump(BALL, q, jnp.zeros(5), external=push)
        result[name] = float(jnp.max(jnp.abs(jump.impulse)))
        omega = jump.v_after[2:]
        contact = BALL.m * BALL.k**2 * omega + BALL.m * BALL.r * jnp.cross(
            jnp.array([0.0, 0.0, 1.0]), jnp.append(jump.v_after[:2], 0.0)
        )
        about = jnp.cross(lever + jnp.array([0.0, 0.0, BALL.r]), J)
        result["momentum"] = float(jnp.max(jnp.abs(contact - about)[:2]))
    return result


def _rod(slip: float, *, rule: str, e: float = 1.0) -> hybrid.FrictionImpact:
    tip = -np.array([np.cos(ANGLE), np.sin(ANGLE)])
    return hybrid.friction_impact(
        ROD,
        jnp.array([0.0, np.sin(ANGLE), ANGLE]),
        jnp.array([slip, -1.0, 0.0]),
        tangent=np.array([1.0, 0.0, -tip[1]]),
        normal=np.array([0.0, 1.0, tip[0]]),
        friction=0.6,
        restitution=e,
        rule=rule,
    )


def _apart(rods: dict[str, list[hybrid.FrictionImpact]]) -> np.ndarray:
    """Return the largest difference between the velocities of the rules, for each slip."""
    v = np.array([[np.asarray(x.jump.v_after) for x in found] for found in rods.values()])
    return np.max(np.ptp(v, axis=0), axis=1)
