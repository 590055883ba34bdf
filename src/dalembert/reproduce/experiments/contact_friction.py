"""Contacts with Coulomb's friction against closed forms: slides, changes of mode, rest."""

from __future__ import annotations

from typing import Any

import numpy as np

import dalembert as da
from dalembert import hybrid, parts
from dalembert.errors import SimulationError
from dalembert.hybrid import rough_zoo

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

G = rough_zoo.GRAVITY
MU, RADIUS = 0.2, 0.1  # friction coefficient and radius of the ball that slides
# Initial velocity and spin of the ball; its slip has components in both directions.
SPEED, SPIN = np.array([3.0, 1.0]), np.array([12.0, -25.0, 4.0])
STEPS = (0.02, 0.01, 0.005)  # step sizes in s, for the orders on the belt
METHODS = {"RK4": da.RK4(), "Gauss(2)": da.Gauss(stages=2), "DLA": da.DLA()}
# friction coefficient of Painleve's rod: above 4/3, where the paradoxical region exists
ROD_MU = 2.0


@experiment(
    "contact-friction",
    source="Coulomb's law; Routh 1884; Jellett 1872; Painleve 1895",
    title="Contacts that hold, slide and lift: closed forms of Coulomb's friction",
    see="A ball slides along a parabola and then rolls; a belt sticks and slips with a period that "
    "is known; a car brakes and stands still exactly; a tippe top turns over.",
)
def contact_friction(full: bool, seed: int) -> Outcome:
    """Compare runs with friction with what is known of them."""
    slid, ball = _sliding_ball()
    belts = {name: _belt(method) for name, method in METHODS.items()}
    orders = {name: da.diagnostics.fit_order(STEPS, e) for name, e in belts.items()}
    braked = _run(rough_zoo.car(), h=0.01, t=3.0)
    length = 20.0**2 / (2.0 * 0.8 * G)
    still = _run(rough_zoo.car(speed=0.0, slope=0.3), h=0.1, t=1000.0 if full else 100.0)
    moved = max(float(np.max(np.abs(x - x[0]))) for x in map(np.asarray, still.q))
    top, tilt, jellett, rise = _tippe_top()
    inside, outside = _painleve()
    claims = [
        Claim(
            "a uniform ball slides for 2 |u0|/(7 mu g) along a parabola, then rolls",
            [
                Check("time at which it begins to roll, off by", slid["time"], high=1e-10,
                      unit="s"),
                Check("place there, off by", slid["place"], high=1e-9, unit="m"),
                Check("velocity from then on, v0 - 2/7 u0, off by", slid["velocity"], high=1e-9,
                      unit="m/s"),
                Check("slip while it rolls, largest", slid["slip"], high=1e-12, unit="m/s"),
            ],
        ),
        Claim(
            "changes of mode are located to the order of the method",
            [
                Check(f"order of the times on a stick-slip belt, {name}", order,
                      *((3.8, 4.3) if name != "DLA" else (1.9, 2.1)))
                for name, order in orders.items()
            ],
            note="The block sticks for 2 A/V and slides for 2 (pi - atan(A w/V))/w, "
            "A = (mu_static - mu) N/k, w = sqrt(k/m).",
        ),
        Claim(
            "a car with locked wheels stops after v^2/(2 mu g), and stands still exactly",
            [
                Check("length of its way, off by", abs(float(braked.q[0][-1, 0]) - length),
                      high=1e-8, unit="m"),
                Check("velocity behind it, largest", float(np.max(np.abs(braked.v[-1]))), 0.0, 0.0,
                      unit="m/s"),
                Check(f"way down an incline in {still.t[-1]:g} s", moved, 0.0, 0.0, unit="m"),
            ],
            note="Contacts that hold are constraints, so that nothing creeps.",
        ),
        Claim(
            "a tippe top that slides turns over, and Jellett's integral is constant",
            [
                Check("change of Jellett's integral, relative", jellett, high=1e-12),
                Check("tilt at the end (pi: turned over)", float(tilt[-1]), low=3.1, unit="rad"),
                Check("largest gain of energy between rows", rise, high=1e-12, unit="J"),
            ],
        ),
        Claim(
            "Painleve: a rod at an angle with 1 + 3 cos(cos - mu sin) < 0 has no motion that is "
            "consistent",
            [
                Check("run begins 1e-8 rad outside of the region", float(outside), 1.0, 1.0),
                Check("refused 1e-8 rad inside, with its candidates", float(inside), 1.0, 1.0),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("step [s]", *(f"{name} [s]" for name in belts)),
        [(h, *(belts[name][i] for name in belts)) for i, h in enumerate(STEPS)],
        "Largest error of the times at which the block on the belt sticks or slips.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 3.8), columns=2) as (fig, (left, right), look):
            x, y = np.asarray(ball.q[0])[:, :2].T
            slides = np.asarray(ball.t) <= ball.jumps.t[0]
            left.plot(x[slides], y[slides], color=look.curves[0], label="slides")
            left.plot(x[~slides], y[~slides], color=look.curves[1], label="rolls")
            left.set(xlabel="x [m]", ylabel="y [m]")
            da.plots.finish(left, look, "a ball with spin, from above", "upper left")
            right.plot(np.asarray(top.t), np.degrees(tilt), color=look.curves[2])
            right.set(xlabel="t [s]", ylabel="tilt [deg]")
            da.plots.finish(right, look, "a tippe top turns over")
        return fig

    picture = Picture(
        "",
        "Left: the path of a ball that slides along a parabola until it rolls straight on. Right: "
        "the angle between the axis of a tippe top and the vertical.",
        "A path that curves and then is straight, and an angle that grows from 0 to 180 degrees",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _run(modes: hybrid.Modes, *given: Any, **how: Any) -> hybrid.HybridTrajectory:
    """`da.simulate` of a hybrid system, with the type of its result."""
    result: Any = da.simulate(modes, *given, **how)  # pyright: ignore
    return result


def _sliding_ball() -> tuple[dict[str, float], hybrid.HybridTrajectory]:
    """Return the errors of a ball that slides and then rolls, and its run."""
    machine = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(RADIUS)),
        parts.Free("ball", start=(0, 0, RADIUS), speed=(*SPEED, 0.0, *SPIN)),
        parts.Ball("ball", RADIUS, mu=MU),
        parts.Gravity(G),
    )
    run = _run(hybrid.with_friction(machine), da.Gauss(stages=4), h=0.01, t=2.0)
    # velocity of the point of contact: v + w x (-R e_z)
    slip = SPEED + RADIUS * np.array([-SPIN[1], SPIN[0]])
    size = float(np.linalg.norm(slip))
    until = 2.0 * size / (7.0 * MU * G)
    rolls = SPEED - 2.0 / 7.0 * slip
    place = SPEED * until - 0.5 * MU * G * until**2 * slip / size
    place = place + rolls * (2.0 - until)
    last = np.asarray(run.v[-1])
    spin = np.asarray(run.q[1][-1]) @ last[3:]  # angular velocities are in the body's frame
    return {
        "time": abs(float(run.jumps.t[0]) - until),
        "place": float(np.max(np.abs(np.asarray(run.q[0][-1])[:2] - place))),
        "velocity": float(np.max(np.abs(last[:2] - rolls))),
        "slip": float(np.max(np.abs(last[:2] + RADIUS * np.array([-spin[1], spin[0]])))),
    }, run


def _belt(method: da.methods.Method) -> list[float]:
    """Return the largest error of the times at which a block sticks or slips, by step size."""
    k, speed, load, mu, mu_static = 20.0, 0.5, 10.0, 0.3, 0.5
    w, A = np.sqrt(k), (mu_static - mu) * load / k
    slides, holds = 2.0 * (np.pi - np.arctan(A * w / speed)) / w, 2.0 * A / speed
    errors = []
    for h in STEPS:
        t = np.asarray(_run(rough_zoo.belt(), method, h=h, t=9.0).jumps.t)
        spans = [mu_static * load / k / speed, *([slides, holds] * len(t))]
        errors.append(float(np.max(np.abs(t - np.cumsum(spans)[: len(t)]))))
    return errors


def _tippe_top() -> tuple[hybrid.HybridTrajectory, np.ndarray, float, float]:
    """Return a run, its tilt, relative change of Jellett's integral, largest gain of energy."""
    modes = rough_zoo.tippe_top()
    run = _run(modes, da.Gauss(stages=4), h=0.001, t=7.0)
    J = rough_zoo.jellett(modes, run)
    tilt = np.arccos(np.clip(np.asarray(run.q[1])[:, 2, 2], -1.0, 1.0))
    gains = np.diff(np.asarray(hybrid.energy(modes, run)))
    return run, tilt, float(np.max(np.abs(J / J[0] - 1.0))), float(np.max(gains))


def _painleve() -> tuple[bool, bool]:
    """Return whether a rod is refused just inside the region, and runs just outside it."""
    low, high = 0.5, 0.8  # angles around the boundary
    for _ in range(60):
        middle = 0.5 * (low + high)
        value = 1.0 + 3.0 * np.cos(middle) * (np.cos(middle) - ROD_MU * np.sin(middle))
        low, high = (middle, high) if value > 0.0 else (low, middle)

    def begins(angle: float) -> bool:
        modes = rough_zoo.painleve_rod(angle=angle, turn=0.0, mu=ROD_MU)
        try:
            return modes.started(None, None, None, 0.0)[0] == "tip slides"
        except SimulationError as error:
            return "consistent: none" not in str(error)

    return not begins(low + 1e-8), begins(low - 1e-8)
