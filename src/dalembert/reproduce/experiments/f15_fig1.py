"""[F15] figure 1: errors of GNI and of a groupoid DLA method for the ball on a turning table."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

BALL = da.systems.BallOnTurntable()
END = 10.0
# At h = 0.2 the trace rule has no step.
HS = (0.1, 0.05, 0.025, 0.0125, 0.00625)
_SO3 = da.SO(3)


def _trace_lagrangian(system, h, g):
    """Return m |q1 - q0|^2/(2 h) + I (3 - tr W)/(2 h)."""
    q0, q1, W = g
    turned = 0.5 * system.I * (3.0 - jnp.trace(W)) / h
    return 0.5 * system.m * jnp.sum((q1 - q0) ** 2) / h + turned


def _skew_constraint(system, t, h, g):
    """Return the rolling constraint with the skew part of W as h omega, at the middle position."""
    q0, q1, W = g
    v = jnp.concatenate([q1 - q0, _SO3.vee(0.5 * (W - W.T))]) / h
    middle = 0.5 * (q0 + q1)
    return system.constraint(middle) @ v - system.offset(t, middle)


TRACE = da.CustomRule(Ld=_trace_lagrangian, Cd=_skew_constraint, label="trace", order=2)
METHODS = {"GNI": da.GNI(), "DLA, trace": da.DLA(TRACE), "DLA, Cayley": da.DLA()}


@experiment(
    "f15-fig1",
    source="[F15] Fig. 1, 7.4.1",
    title="Ball on a turning table: errors against the step",
    see="All lines have slope 2: the method is of second order, one more than its paper says.",
)
def fig1(full: bool, seed: int) -> Outcome:
    """Return errors at t = 10 s against the closed form; this is the published run."""
    q, v = BALL.closed_form(jnp.asarray(END))
    energy = float(da.dynamics.energy(BALL, q, v))
    errors: dict[str, np.ndarray] = {}
    halves = []
    for name, method in METHODS.items():
        rows = []
        for h in HS:
            run = da.simulate(BALL, method, h=h, steps=round(END / h))
            last = run.final
            rows.append(
                (
                    float(jnp.linalg.norm(last.q - q)),
                    float(jnp.linalg.norm(last.v[2:] - v[2:])),
                    abs(float(da.dynamics.energy(BALL, last.q, last.v)) - energy),
                )
            )
            if name == "GNI":
                halves.append(_between(run, h))
        errors[name] = np.array(rows)
    what = ("position", "omega", "energy")
    slopes = {n: [da.diagnostics.fit_order(HS, c) for c in e.T] for n, e in errors.items()}
    between = da.diagnostics.fit_order(HS[-2:], halves[-2:])
    ratio = {n: e[-1, 0] / errors["GNI"][-1, 0] for n, e in errors.items()}

    claims = [
        Claim(
            "the GNI scheme for the ball is an order-one consistent scheme",
            [Check(f"order of the {w}, GNI", s, 0.9, 1.1) for w, s in zip(what, slopes["GNI"])],
            [Check(f"order of the {w}, GNI", s, 1.9, 2.1) for w, s in zip(what, slopes["GNI"])],
            "It is of order 2 in all three, read at the nodes. Only the omega of a step, which "
            f"belongs to its middle, is off by O(h) from that at its start (order {between:.2f}).",
        ),
        Claim(
            "the groupoid DLA method of the comparison converges, too",
            [
                Check(f"order of the {w}, DLA, trace", s, 1.9, 2.1)
                for w, s in zip(what, slopes["DLA, trace"])
            ],
            unpublished="the rule of the compared method is not in the paper; here DLA on the same "
            "groupoid with the trace Lagrangian, and with the Cayley map for comparison",
        ),
    ]
    heads = ("h [s]", *(f"{n}: {w}" for n in METHODS for w in what))
    rows = [(h, *(x for e in errors.values() for x in e[i])) for i, h in enumerate(HS)]
    fitted = ("slope", *(f"{s:.3f}" for n in METHODS for s in slopes[n]))
    table = Table(heads, [*rows, fitted], "Errors at t = 10 s in m, rad/s and J.")

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 3.9), columns=3) as (fig, axes, look):
            labels = ("position [m]", "angular velocity [rad/s]", "energy [J]")
            for k, (ax, label) in enumerate(zip(axes, labels)):
                dashes = (("-", "o"), ("--", "s"), (":", "^"))
                for (name, e), color, (dash, mark) in zip(errors.items(), look.curves, dashes):
                    style = {"color": color, "ls": dash, "marker": mark, "ms": 4.5, "lw": 1.3}
                    text = f"{name}: slope {slopes[name][0]:.2f}" if k == 0 else None
                    ax.plot(HS, e[:, k], label=text, **style)
                ax.set(xscale="log", yscale="log", xlabel="h [s]", ylabel=f"error of the {label}")
                da.plots.finish(ax, look)
            fig.legend(loc="outside upper left", ncols=3, frameon=False)
        return fig

    picture = Picture(
        "",
        "Errors at t = 10 s in position, angular velocity and energy; the slopes are those fitted "
        "to the position, the others are in the table.",
        "Three log-log plots of errors against the step, straight lines of slope two",
        draw,
    )
    note = (
        f"At the smallest step the position error of DLA is {ratio['DLA, trace']:.2f} times "
        f"that of GNI with the trace Lagrangian, and {ratio['DLA, Cayley']:.0f} times with the "
        "Cayley map, where constraint and momentum take omega apart by O(h^2) |omega|^3."
    )
    return Outcome(claims, [table], [picture], [note])


def _between(run: da.Trajectory, h: float) -> float:
    """Compare omega of the last step (by the frames at its ends) with the exact one before it."""
    assert run.frame is not None  # a reduced system has one
    before, after = run.frame[-2], run.frame[-1]
    _, v = BALL.closed_form(run.t[-2])
    return float(jnp.linalg.norm(_SO3.cay_inv(before.T @ after) / h - v[2:]))
