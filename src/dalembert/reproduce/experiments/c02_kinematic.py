"""[C02] 8.6.2: decoupling fields, kinematic controllability, and plans made from them."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table, experiment

BOARD = da.systems.SnakeboardCoupled()
AT = jnp.array([0.1, 0.2, 0.3, 0.4, 0.5])
CORNER = (1.0, 1.0, np.pi / 2)


@experiment(
    "c02-kinematic",
    source="[C02] 8.6.2, Lemmas 8.6.5 and 8.6.6",
    title="The snakeboard to any place: decoupling motions one after another",
    see="Each path is a chain of motions along two fields, steer and spin, from rest to rest; "
    "simulated with torques it ends at its mark.",
)
def kinematic(full: bool, seed: int) -> Outcome:
    """Find decoupling fields of the named systems; plan to targets and carry out with forces."""
    board = control.decoupling_fields(BOARD, AT)
    verdict = control.controllability(BOARD, AT)
    fields = board.weights / np.linalg.norm(board.weights, axis=1, keepdims=True)
    arm = control.decoupling_fields(da.systems.PassiveArm())
    wet = control.decoupling_fields(da.systems.UnderwaterVehicle(k=0.4))
    rng = np.random.default_rng(seed)
    count = 10 if full else 3
    targets = [np.array(CORNER)]
    targets += [np.array([*rng.uniform(-1, 1, 2), rng.uniform(-1.5, 1.5)]) for _ in range(count)]
    plans = [control.plan(BOARD, x, jnp.zeros(5)) for x in targets]
    done = [p.simulate(steps=80) for p in plans]
    misses = [x.miss for x in done]
    off = _product_off()
    claims = [
        Claim(
            "the snakeboard: Y_psi and Y_phi are decoupling, and no other field is",
            [
                Check("number of decoupling fields", len(board.weights), 2, 2),
                Check("difference from the inputs", np.max(np.abs(fields - np.eye(2))), high=1e-12),
                Check("g(<Y_psi : Y_phi>, X1) against its closed form, relative", off, high=1e-12),
            ],
        ),
        Claim(
            "the snakeboard is kinematically controllable (Lemma 8.6.6)",
            [
                Check("rank of the brackets of the two", board.closure.rank, 5, 5),
                Check("rank of Sym(Y), LA on D", verdict.sym.rank, 3, 3),
                _yes("verdict", board.controllable),
            ],
        ),
        Claim(
            "three-link arms with a passive joint and underwater vehicles are, too",
            [
                Check("rank for the arm", arm.closure.rank, 3, 3),
                _yes("arm", arm.controllable),
                Check("rank for the vehicle with damping", wet.closure.rank, 3, 3),
                _yes("vehicle", wet.controllable),
            ],
            note="The arm's fields have weights that change with its joints; they are followed "
            "along their smooth branch.",
        ),
        Claim(
            "a decoupling field can be followed at any pace: plans made of them reach their target "
            "with forces (Lemma 8.6.5)",
            [
                Check("largest miss", max(misses), high=1e-6, why="what was to be reached"),
                Check("largest speed left", max(x.speed for x in done), high=1e-11),
            ],
            note=f"{len(plans)} targets (x, y, theta) from rest at the origin, by Gauss(3) with 80 "
            "steps a segment; psi and phi are free.",
        ),
    ]
    if full:
        claims.append(_arm_plan())
        least = control.minimum_effort(BOARD, CORNER, jnp.zeros(5), guess=plans[0])
        effort = plans[0].effort()
        claims.append(
            Claim(
                "to (1, 1, pi/2) the least effort by transcription is no more than that of the "
                "plan, in the same time",
                [
                    Check("effort over that of the plan", least.cost / effort, high=1.0),
                    Check("gradient, in the unit of u", least.gradient, high=1e-8),
                    Check("miss", least.miss, high=1e-8),
                    Check("curvature along what keeps the end", least.curvature, low=0.0),
                ],
                note=f"{least.cost:.5g} against {effort:.5g} N^2 m^2 s in {least.duration:g} s, by "
                "Gauss(2) with 40 steps.",
            )
        )
    table = Table(
        ("target (x, y, theta)", "segments", "miss", "effort [N^2 m^2 s]"),
        [
            (", ".join(f"{x:.3f}" for x in target), str(len(p.lengths)), x.miss, p.effort())
            for target, p, x in zip(targets, plans, done)
        ],
        "Plans of the snakeboard, one second a segment.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 4.4), columns=2) as (fig, (left, right), look):
            for k, (target, x) in enumerate(zip(targets, done)):
                color = look.curves[k % len(look.curves)]
                q = np.asarray(x.run.q)
                left.plot(q[:, 0], q[:, 1], color=color, lw=1.4)
                turn = target[2] + np.array([0.0, np.pi])
                left.plot(target[0], target[1], "x", color=color, ms=9, mew=2)
                ends = target[:2, None] + 0.12 * np.stack([np.cos(turn), np.sin(turn)])
                left.plot(*ends, color=color, lw=1)
            left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
            da.plots.finish(left, look, "paths; a cross and a dash: target")
            u = plans[0].controls(done[0].run)
            for i, name in enumerate(BOARD.input_labels):
                right.plot(done[0].run.t, u[:, i], color=look.curves[i], lw=1.4, label=name)
            right.set(xlabel="t [s]", ylabel="torque [N m]")
            da.plots.finish(right, look, "torques to (1, 1, pi/2)", "best")
        return fig

    picture = Picture(
        "",
        "Left: where the board goes, corners where it stops to steer. Right: torques that vanish "
        "where one motion ends and the next begins.",
        "Paths of arcs that end at crosses, and two torques in turns",
        draw,
    )
    moved = control.driven(BOARD, plans[0].control)
    motion = Motion("To (1, 1, pi/2): steer, spin, and it follows.", moved, {"plan": done[0].run})
    return Outcome(claims, [table], [picture], motions=[motion])


def _arm_plan() -> Claim:
    """Plan for the arm, folded so far that its tip can move in both directions."""
    start, way = np.array([0.2, 1.5, -0.4]), np.array([0.3, -0.4, -0.6])
    plan = control.plan(da.systems.PassiveArm(), start + way, jnp.asarray(start))
    done = plan.simulate(steps=80)
    return Claim(
        "the arm moves its passive joint where it is wanted, by plans along both fields",
        [
            Check("miss", done.miss, high=1e-6, unit="rad"),
            Check("speed left", done.speed, high=1e-6, unit="rad/s"),
            Check("segments", len(plan.lengths), low=2),
        ],
        note=f"From {start} by {way} rad, at rest before and after: {plan}. Stretched out, near "
        "the edge of its reach, it goes short ways only.",
    )


def _yes(what: str, verdict: control.Verdict) -> Check:
    return Check(f"{what}: yes (1) or not (0)", float(verdict.answer == "yes"), 1, 1)


def _product_off() -> float:
    """Compare g(<Y_psi : Y_phi>, X1) with -m l^2 cos(phi) / (2 J_w (m l^2 - J_r sin^2 phi))."""
    from dalembert.control.germs import ControlGerm

    germ = ControlGerm(BOARD, AT, 1)
    phi, theta = float(AT[4]), float(AT[2])
    l, inertia = BOARD.l, BOARD.m * BOARD.l**2
    along = -l * np.cos(phi)
    X1 = np.array([along * np.cos(theta), along * np.sin(theta), np.sin(phi), 0, 0])
    G = np.asarray(da.dynamics.metric(BOARD, AT))
    result = germ.symmetric(*germ.inputs).value @ G @ X1
    exact = -inertia * np.cos(phi) / (2 * BOARD.J_w * (inertia - BOARD.J_r * np.sin(phi) ** 2))
    return float(abs(result / exact - 1.0))
