"""[C02] 6.1 to 6.3: a particle whose constraint fades out, the jump rule, Carnot's theorem."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import hybrid

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

PARTICLE = da.systems.ParticleWithFadingConstraint()
FREE = hybrid.released(PARTICLE)
COUNT = 200  # number of random jumps


class Rows(da.MechanicalSystem):
    """R^6 with any mass matrix and any constant constraint rows."""

    mass: jax.Array
    rows: jax.Array

    space = da.Euclidean(6)

    def constraint(self, q):
        return self.rows


@experiment(
    "c02-fig6-1",
    source="[C02] Ex. 2.2.2, 6.1-6.3, Tables 6.1, 6.2, Thm 6.3.3, Fig. 6.1",
    title="A constraint that fades out: one way the velocity jumps, the other way it does not",
    see="From the left the particle finds a constraint that it does not obey, and jumps onto it; "
    "half of its energy is lost. From the right it loses a constraint, and nothing happens.",
)
def fading(full: bool, seed: int) -> Outcome:
    """Run the particle of Example 6.3.1, and random jumps for the theorem."""
    rng = np.random.default_rng(seed)
    D = hybrid.Codistribution(PARTICLE)
    ranks = [D.at(jnp.array([x, 0.4])).rank for x in (-1.0, 0.0, 0.05, 1.0)]
    singular = [D.is_singular(jnp.array([x, 0.4])) for x in (-2.0, 0.0, 2.0)]
    here = jnp.array([0.0, 1.0])
    right = hybrid.jump_across(PARTICLE, here, jnp.array([1.0, 0.0])).exits
    left = hybrid.jump_across(PARTICLE, here, jnp.array([-1.0, -1.0])).exits
    (there,), (back,) = right, left
    off, inelastic = _formula(rng)
    carnot = _carnot(rng, 1000 if full else COUNT)
    plus = np.array([1.0, -1.0]) / np.sqrt(2.0)  # a basis of D+
    p = np.asarray(there.jump.v_after)
    sent_back = 0
    try:
        hybrid.jump_across(PARTICLE, here, jnp.array([1.0, -3.0]), starts=6)
    except da.UsageError:
        sent_back = 1
    claims = [
        Claim(
            "the singular points are those of the y-axis; the rank is 1 for x > 0, 0 for x < 0 "
            "(Example 2.2.2)",
            [
                Check("rank at x = -1", ranks[0], 0, 0),
                Check("rank at x = 0.05, where the row is 2e-174", ranks[2], 1, 1),
                Check("rank at x = 1", ranks[3], 1, 1),
                Check("points of x = -2, 0, 2 that are singular", sum(singular), 1, 1),
                Check("x = 0 is", float(singular[1]), 1, 1),
            ],
        ),
        Claim(
            "with the other notion of remark 6.1.1 (rows that depend on each other) the half-plane "
            "x <= 0 would be singular",
            [Check("ranks at x = -1 and 0, which are to be 0", ranks[0] + ranks[1], 0, 0)],
        ),
        Claim(
            "from (-1, 1) with velocity (1, 0): Case 1 (table 6.1), a jump is possible (table 6.2)",
            [
                Check("case", there.crossing.case, 1, 1),
                Check("largest sine of an angle from D+ to D-", there.crossing.outside, low=0.99),
                Check("D+ is span(dx - dy): largest difference of the projectors",
                      _difference(there.crossing.after.rows, plus), high=1e-12),
                Check("ways to go on that were found", len(right), 1, 1),
            ],
        ),
        Claim(
            "both velocities behind it are (x0' + y0')/2 (Example 6.3.5)",
            [
                Check("largest difference, 20 velocities", off, high=1e-12, unit="m/s"),
                Check("energy before", 0.5 * float(jnp.sum(there.jump.v_before**2)), 0.5, 0.5, "J"),
                Check("energy lost of it", there.jump.energy_lost, 0.25 - 1e-14, 0.25 + 1e-14, "J"),
            ],
            note="(1, 0) becomes (1/2, 1/2), and 1/2 J become 1/4 J.",
        ),
        Claim(
            "which is a perfectly inelastic collision with the wall of slope 1 (6.3.2)",
            [Check("largest difference", inelastic, high=1e-14, unit="m/s")],
        ),
        Claim(
            "from (1, 1) with velocity (-1, -1): Case 2, and nothing happens",
            [
                Check("case", back.crossing.case, 2, 2),
                Check("largest sine of an angle from D+ to D-", back.crossing.outside, high=1e-12),
                Check("change of the velocity",
                      float(jnp.max(jnp.abs(back.jump.v_after + 1.0))), high=1e-14, unit="m/s"),
            ],
        ),
        Claim(
            "virtual displacements at q(t0) itself would give jumps that do not fit (remark 6.3.2)",
            [
                Check("rank at q(t0): no displacement is excluded, no jump", there.crossing.at.rank,
                      0, 0),
                Check("|x' - y'| with which it would go on",
                      float(abs(there.jump.v_before[0] - there.jump.v_before[1])), low=0.5,
                      unit="m/s"),
            ],
        ),
        Claim(
            "Carnot's theorem: the kinetic energy only decreases (theorem 6.3.3)",
            [
                Check("least energy lost", carnot["least"], low=0.0, unit="J"),
                Check("energy lost less g(Qp, Qp)/2, largest, relative", carnot["defect"],
                      high=1e-12),
            ],
            note="Random metrics and two random rows on R^6.",
        ),
        Claim(
            "p+ is in D+, and minimizes g(p - p-, p - p-) among the covectors of D+",
            [
                Check("part of p+ outside of D+, Example 6.3.1",
                      float(np.linalg.norm(p - plus * (plus @ p))), high=1e-12, unit="kg m/s"),
            ],
            [
                Check("part of p+ outside of the complement of D+", float(abs(plus @ p)),
                      high=1e-12, unit="kg m/s"),
                Check("least excess of others of the complement, random jumps", carnot["excess"],
                      low=0.0, unit="J"),
            ],
            "It must be the orthogonal complement of D+, twice: p+ obeys the constraint.",
        ),
        Claim(
            "a particle from the left goes on to the right half-plane, whatever its velocity (no "
            "condition is stated)",
            [Check("velocities behind (1, -3) that agree with the constraint there", 1 - sent_back,
                   low=1)],
            [Check("where x0' + y0' < 0 the rule's velocity points back to the left", sent_back,
                   1, 1)],
            "For x0' + y0' < 0 the rule gives (x0' + y0')/2 < 0: the particle does not enter the "
            "half-plane whose constraint has turned it round. Only x0' + y0' > 0 goes through.",
        ),
    ]  # fmt: skip
    table = Table(
        ("case", "before", "at the point", "behind", "D+ in D-", "jump"),
        [
            _row("from the left", there),
            _row("from the right", back),
            _row("6.4.2, the same form on both sides", _on_cone()),
        ],
        "Tables 6.1 and 6.2: ranks in front of the point, at it, behind it.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (7.2, 4.2)) as (fig, ax, look):
            ax.axvspan(0, 1.6, color=look.curves[2], alpha=0.12, lw=0)
            for y in np.arange(-2.0, 3.0, 0.4):
                ax.plot([0, 1.6], [y, y + 1.6], color=look.muted, lw=0.6, alpha=0.5)
            ax.plot([-1, 0, 1.2], [1, 1, 2.2], color=look.curves[0], lw=2.2, label="from the left")
            ax.plot([1, 0, -1], [1, 0, -1], color=look.curves[1], lw=2.2, label="from the right")
            for x, y, dx, dy, i in (
                (-0.6, 1, 0.1, 0, 0),
                (0.6, 1.6, 0.1, 0.1, 0),
                (0.6, 0.6, -0.1, -0.1, 1),
                (-0.6, -0.6, -0.1, -0.1, 1),
            ):
                ax.annotate(
                    "",
                    (x + dx, y + dy),
                    (x, y),
                    arrowprops={"arrowstyle": "->", "color": look.curves[i], "lw": 2},
                )
            ax.axvline(0, color=look.ink, lw=1)
            ax.text(-0.95, 2.3, "free")
            ax.text(0.08, 2.3, "x' = y'")
            ax.set(xlabel="x [m]", ylabel="y [m]", xlim=(-1.1, 1.6), ylim=(-1.1, 2.6))
            da.plots.finish(ax, look, "", "lower right")
        return fig  # fmt: skip

    picture = Picture(
        "",
        "Shaded: the constraint x' = y'. The particle from the left turns onto its lines at x = 0; "
        "the one from the right goes straight on.",
        "Two paths through the line x = 0, one with a kink and one without",
        draw,
        narrow=True,
    )
    return Outcome(claims, [table], [picture])


def _difference(rows: np.ndarray, plus: np.ndarray) -> float:
    return float(np.max(np.abs(rows.T @ rows - np.outer(plus, plus))))


def _row(name: str, x: hybrid.Exit) -> tuple:
    c = x.crossing
    jump = float(np.linalg.norm(np.asarray(x.jump.v_after) - np.asarray(x.jump.v_before)))
    ranks = (c.before.rank, c.at.rank, c.after.rank)
    return (f"{name}: case {c.case}", *ranks, "no" if c.may_jump else "yes", jump)


def _on_cone() -> hybrid.Exit:
    cone = da.systems.ParticleAcrossCone()
    exits = hybrid.jump_across(
        cone, jnp.array([0.0, 0.7, 0.49]), jnp.array([1.0, 0.0, 0.3]), starts=2
    )
    return exits.exits[0]


def _formula(rng: np.random.Generator) -> tuple[float, float]:
    """Compare the jumps with (x0' + y0')/2, and with a collision with a wall of slope 1."""
    off = wall = 0.0
    q = jnp.array([0.0, 1.0])
    D = hybrid.Codistribution(PARTICLE)
    for v in rng.uniform((0.2, -0.2), (2.0, 2.0), size=(20, 2)):
        behind = D.limit(D.straight(q, v))
        result = hybrid.jump(FREE, q, v, rows=behind.rows)
        off = max(off, float(jnp.max(jnp.abs(result.v_after - 0.5 * np.sum(v)))))
        hit = hybrid.jump(FREE, q, v, rows=jnp.array([[1.0, -1.0]]))
        wall = max(wall, float(jnp.max(jnp.abs(result.v_after - hit.v_after))))
    return off, wall


def _carnot(rng: np.random.Generator, count: int) -> dict[str, float]:
    B = rng.normal(size=(count, 6, 6))
    G = B @ B.transpose(0, 2, 1) + 0.1 * np.eye(6)
    A, v = rng.normal(size=(count, 2, 6)), rng.normal(size=(count, 6))
    others = rng.normal(size=(count, 20, 6))

    @jax.jit
    @jax.vmap
    def one(G, A, v, others):
        after = hybrid.jump_velocity(Rows(G, A), jnp.zeros(6), v)

        def energy(w):
            return 0.5 * jnp.einsum("...i,ij,...j->...", w, G, w)

        lost = energy(v) - energy(after)
        # other admissible velocities after the impact
        onto = others @ (jnp.eye(6) - jnp.linalg.pinv(A) @ A).T
        excess = energy(onto - v[None, :]) - energy(after - v)
        return lost, (lost - energy(after - v)) / energy(v), jnp.min(excess)

    lost, defect, excess = (np.asarray(x) for x in one(G, A, v, others))
    return {
        "least": float(np.min(lost)),
        "defect": float(np.max(np.abs(defect))),
        "excess": float(np.min(excess)),
    }
