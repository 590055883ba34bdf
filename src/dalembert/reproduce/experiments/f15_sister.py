"""[F15] section 9: piecewise holonomic sisters, and GNI as a sequence of elastic impacts."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics, hybrid

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

PARTICLE = da.systems.NonholonomicParticle()
FREE = hybrid.released(PARTICLE)
SLEIGH = da.systems.ChaplyginSleigh(a=0.3)
# Initial state of the sleigh, before its projection onto the constraint.
START = jnp.array([0.2, -0.1, 0.4]), jnp.array([1.0, 0.3, 0.8])
END = 2.0  # s
COUNTS = (40, 80, 160, 320)  # number of leaves, or of impacts
INNER = 8  # steps of RK4 on a leaf


class PeggedSleigh(da.systems.ChaplyginSleigh):
    """A sleigh that has, instead of a blade, a slot that slides along a peg in the floor."""

    peg: jax.Array = da.parameter((0.0, 0.0), "m", "place of the peg", shape=(2,))

    def constraint(self, q):
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        ahead = c * (self.peg[0] - q[0]) + s * (self.peg[1] - q[1])
        return jnp.stack([s, -c, -ahead])[None, :]


@experiment(
    "f15-sister",
    source="[F15] section 9, item 4; (7)",
    title="Sisters: constraints that hold piece by piece, and GNI as a sequence of elastic impacts",
    see="Where the constraint is frozen for a while and then renewed by a plastic impact, the "
    "motion approaches the nonholonomic one, and loses energy. GNI bounces off the constraint "
    "instead: it loses none, and is one order better.",
)
def sister(full: bool, seed: int) -> Outcome:
    """Run a particle and a sleigh with shorter and shorter pieces."""
    run = da.simulate(PARTICLE, da.GNI(da.Midpoint()), h=END / 20, steps=20)
    impacts = _elastic(run)
    q0, v0 = PARTICLE.initial()
    exact, _ = PARTICLE.closed_form(jnp.asarray(END), q0, v0)
    hs = [END / n for n in COUNTS]
    bounced = {e: [_bounced(e, n) for n in COUNTS] for e in (0.0, 0.5, 1.0)}
    errors = {
        "particle, plastic impacts": [_far(q, exact) for q, _ in bounced[0.0]],
        "particle, elastic impacts": [_far(q, exact) for q, _ in bounced[1.0]],
        "sleigh on pegs": [],
    }
    lost = {e: [float(x) for _, x in found] for e, found in bounced.items()}
    s0 = START[0], dynamics.consistent_velocity(SLEIGH, *START)
    there, _ = SLEIGH.closed_form(jnp.asarray(END), *s0)
    slid = [_on_pegs(n, *s0) for n in COUNTS]
    errors["sleigh on pegs"] = [_far(q, there) for q, _ in slid]
    gone = [float(x) for _, x in slid]
    slopes = {name: da.diagnostics.fit_order(hs, e) for name, e in errors.items()}
    energy = {
        "particle": da.diagnostics.fit_order(hs, lost[0.0]),
        "sleigh": da.diagnostics.fit_order(hs, gone),
    }
    share = lost[0.5][-1] / lost[0.0][-1]
    claims = [
        Claim(
            "(7): a node of GNI is an elastic impact of the system against the constraint",
            [
                Check("velocity behind a node less that of an impact with e = 1, largest",
                      impacts["velocity"], high=1e-12, unit="m/s"),
                Check("energy lost in 19 impacts, largest", impacts["energy"], high=1e-12,
                      unit="J"),
                Check("the same with e = 0.9: difference of the velocities", impacts["other"],
                      low=1e-4, unit="m/s"),
            ],
            note="A free particle: between nodes it moves straight on, so that GNI is a billiard.",
        ),
        Claim(
            "sister systems, holonomic piece by piece, approach the nonholonomic one",
            [
                Check("order of the particle on frozen leaves",
                      slopes["particle, plastic impacts"], 0.9, 1.1),
                Check("order of the sleigh on pegs", slopes["sleigh on pegs"], 0.9, 1.1),
            ],
            note="The paper names them as work to be done; a leaf lasts T/n, and the impact onto "
            "the next one is plastic.",
        ),
        Claim(
            "they lose energy in the impacts, the less the shorter the pieces",
            [
                Check("power of the piece's length, particle", energy["particle"], 0.9, 1.1),
                Check("power of the piece's length, sleigh", energy["sleigh"], 0.9, 1.1),
                Check("least energy lost", min(*lost[0.0], *gone), low=0.0, unit="J"),
            ],
        ),
        Claim(
            "GNI, whose impacts are elastic, is of order 2 and loses none",
            [
                Check("order", slopes["particle, elastic impacts"], 1.9, 2.1),
                Check("energy lost, largest", max(abs(x) for x in lost[1.0]), high=1e-12,
                      unit="J"),
            ],
        ),
        Claim(
            "a restitution in between loses the share (1 - e)/(1 + e) of what plastic impacts lose",
            [Check("share for e = 1/2, wanted 1/3", share, 0.32, 0.345)],
            note="Not in the paper: to first order each impact finds 1/(1 + e) of the normal "
            "velocity that a plastic one would.",
        ),
    ]  # fmt: skip
    table = Table(
        ("pieces", *(f"{name} [m]" for name in errors), "energy lost, particle [J]", "sleigh [J]"),
        [
            (n, *(errors[name][i] for name in errors), lost[0.0][i], gone[i])
            for i, n in enumerate(COUNTS)
        ],
        f"Distance from the nonholonomic motion at t = {END:g} s, and energy lost until then.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 3.8), columns=2) as (fig, (left, right), look):
            for (name, e), color in zip(errors.items(), look.curves):
                left.loglog(hs, e, "o-", color=color, label=f"{name} ({slopes[name]:.2f})")
            left.set(xlabel="length of a piece [s]", ylabel="distance at 2 s [m]")
            left.set_ylim(1e-7, 30.0)
            da.plots.finish(left, look, "distances (orders)", "upper left")
            right.loglog(hs, lost[0.0], "o-", color=look.curves[0], label="particle, plastic")
            right.loglog(hs, lost[0.5], "o-", color=look.curves[1], label="particle, e = 1/2")
            right.loglog(hs, gone, "o-", color=look.curves[2], label="sleigh on pegs")
            right.set(xlabel="length of a piece [s]", ylabel="energy lost [J]")
            right.set_ylim(1e-5, 1.0)
            for ax in (left, right):
                ax.set_xticks(hs, [f"{h:g}" for h in hs])
                ax.minorticks_off()
            da.plots.finish(right, look, "elastic impacts lose none", "upper left")
        return fig

    picture = Picture(
        "",
        "Left: distances from the nonholonomic motion as the pieces shorten. Right: the energy "
        "that the impacts take; those of GNI take none.",
        "Error and energy lost over the length of the pieces, as straight lines",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _elastic(run: da.Trajectory) -> dict[str, float]:
    """Compare the velocities of GNI between its nodes with impacts against the constraint."""
    q = np.asarray(run.q)
    w = np.diff(q, axis=0) / float(run.t[1] - run.t[0])
    result = {"velocity": 0.0, "energy": 0.0, "other": np.inf}
    for k in range(1, len(w)):
        rows = PARTICLE.constraint(jnp.asarray(q[k]))
        hit, other = (
            hybrid.jump(FREE, q[k], w[k - 1], rows=rows, restitution=e) for e in (1.0, 0.9)
        )
        result["velocity"] = max(result["velocity"], _far(hit.v_after, w[k]))
        result["energy"] = max(result["energy"], abs(hit.energy_lost))
        result["other"] = min(result["other"], _far(other.v_after, w[k]))
    return result


@jax.jit
def _bounced(e, n):
    """Return final position and lost energy with n impacts of restitution e."""
    (q, v), h = PARTICLE.initial(), END / n

    def impact(i, state):
        q, v, lost = state
        rows = PARTICLE.constraint(q)
        after = hybrid.jump_velocity(FREE, q, v, rows, e)
        gone = dynamics.energy(FREE, q, v) - dynamics.energy(FREE, q, after)
        return q + h * after, after, lost + gone

    # start with the velocity that a steady sequence of impacts has before a node
    a = dynamics.reaction_force(PARTICLE, q, v) / PARTICLE.m
    return jax.lax.fori_loop(0, n, impact, (q, v - h / (1.0 + e) * a, jnp.zeros(())))[::2]


@jax.jit
def _on_pegs(n, q, v):
    """Return final position and lost energy; the peg is moved n times to the point of contact."""
    h = END / n / INNER

    def leaf(i, state):
        q, v, lost = state
        sleigh = PeggedSleigh(a=SLEIGH.a, peg=q[:2])
        after = hybrid.jump_velocity(sleigh, q, v)
        gone = dynamics.energy(sleigh, q, v) - dynamics.energy(sleigh, q, after)

        def rate(s):
            return jnp.concatenate([s[3:], dynamics.acceleration(sleigh, s[:3], s[3:])])

        def step(_, s):
            k1 = rate(s)
            k2 = rate(s + h / 2 * k1)
            k3 = rate(s + h / 2 * k2)
            k4 = rate(s + h * k3)
            return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

        s = jax.lax.fori_loop(0, INNER, step, jnp.concatenate([q, after]))
        return s[:3], s[3:], lost + gone

    return jax.lax.fori_loop(0, n, leaf, (q, v, jnp.zeros(())))[::2]


def _far(a, b) -> float:
    return float(np.max(np.abs(np.asarray(a) - np.asarray(b))))
