"""The ball on the rotating table and the Chaplygin ball: printed terms, values, invariants."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics, dynamics
from dalembert.methods.base import split_momentum
from dalembert.methods.gni import GNI, GNIState

from . import Claim, at_least, at_most, near

BALL = "ball-on-turntable"


def printed_terms() -> list[Claim]:
    """The scheme of 7.4.1 [F15] as printed, with O_1 to O_5, is what GNI computes."""
    ball, h = da.systems.BallOnTurntable(), 0.1
    m, r, I, Theta = ball.m, ball.r, ball.I, ball.Theta
    run = da.simulate(ball, da.GNI(), h=h, steps=50)
    # omega_k lives between the nodes: from the group element of the step
    steps = jax.vmap(lambda a, b: da.SO(3).cay_inv(a.T @ b))(run.frame[:-1], run.frame[1:])
    w, q = np.asarray(steps) / h, np.asarray(run.q)
    w0, w1 = w[:-1], w[1:]
    x0, x1, x2 = q[:-2], q[1:-1], q[2:]
    s0, s1 = (np.sum(v**2, axis=1) for v in (w0, w1))
    second = (x2 - 2 * x1 + x0) / h
    mean = (x2 - x0) / (2 * h)

    def difference(i):
        return I * h**2 / 4 * (w1[:, i] * s1 - w0[:, i] * s0)

    def total(i):
        return h**2 / 8 * r * (w1[:, i] * s1 + w0[:, i] * s0)

    equations = (
        m * r * second[:, 0] + I * (w1 - w0)[:, 1] + difference(1),
        m * r * second[:, 1] - I * (w1 - w0)[:, 0] - difference(0),
        I * (w1 - w0)[:, 2] + difference(2),
        mean[:, 0] + Theta * x1[:, 1] - r * (w1 + w0)[:, 1] / 2 - total(1),
        mean[:, 1] - Theta * x1[:, 0] + r * (w1 + w0)[:, 0] / 2 + total(0),
    )
    return [
        at_most(
            f"printed equation {i + 1} with its O_{i + 1}",
            BALL,
            "gni-midpoint",
            np.max(np.abs(value)),
            1e-12,
        )
        for i, value in enumerate(equations)
    ]


def orders_at_ten() -> list[Claim]:
    """Order 2 of position, angular velocity and energy at t = 10 against the closed form."""
    ball = da.systems.BallOnTurntable()
    q, v = ball.closed_form(10.0)
    E = dynamics.energy(ball, q, v)
    errors = []
    for h in (0.1, 0.05, 0.025):
        end = da.simulate(ball, da.GNI(), h=h, steps=round(10 / h), save_every=1000).final
        errors.append(
            [
                np.max(np.abs(end.q - q)),
                np.max(np.abs(end.v[2:] - v[2:])),
                abs(dynamics.energy(ball, end.q, end.v) - E),
            ]
        )
    errors = np.array(errors)
    slopes = np.log2(errors[-2] / errors[-1])
    names = ("position", "angular velocity", "energy")
    out = [
        near(f"order of the {name} at t = 10", BALL, "gni-midpoint", slope, 2, 0.05)
        for name, slope in zip(names, slopes, strict=True)
    ]
    # the page of verified equations has 3.77e-3 for h = 0.1 (Euclidean distance)
    out.append(
        at_most("position error at t = 10, h = 0.1", BALL, "gni-midpoint", errors[0, 0], 4e-3)
    )
    return out


def ring() -> list[Claim]:
    """10,000 steps at h = 0.1 stay on one ring, with the fitted center and radius."""
    ball = da.systems.BallOnTurntable()
    run = da.simulate(ball, da.GNI(), h=0.1, steps=10_000)
    x, y = np.asarray(run.q).T
    # |z|^2 = 2 c.z + (R^2 - |c|^2), a linear least-squares fit
    A = np.stack([2 * x, 2 * y, np.ones_like(x)], axis=1)
    (cx, cy, rest), *_ = np.linalg.lstsq(A, x**2 + y**2, rcond=None)
    radius = np.sqrt(rest + cx**2 + cy**2)
    distance = np.hypot(x - cx, y - cy)
    drift = abs(np.mean(distance[-1000:]) - np.mean(distance[:1000]))
    out = [
        near("center of the ring, x", BALL, "gni-midpoint", cx, -1.5, 1e-6),
        near("center of the ring, y", BALL, "gni-midpoint", cy, 3.5, 1e-6),
        near("radius of the ring", BALL, "gni-midpoint", radius, 3.5355345, 1e-6),
        at_most("drift of the radius over 10,000 steps", BALL, "gni-midpoint", drift, 2e-9),
    ]
    energies = np.asarray(diagnostics.invariants(ball, run)["moving_energy"])
    spread = np.max(energies) - np.min(energies)
    out.append(
        at_most("spread of the moving energy, 10,000 steps", BALL, "gni-midpoint", spread, 1e-5)
    )
    return out


class _WrongSign(GNI):
    """The affine term with the printed sign of (45b) [F15]."""

    def step(self, system, t, h, carry):
        advance = super().step(system, t, h, carry)
        q, p_minus = advance.carry.q, advance.carry.p_minus
        p_plus = 2.0 * advance.row.p - p_minus
        with_term = split_momentum(system, t + h, q, p_plus)
        plain = split_momentum(_without_offset(system), t + h, q, p_plus)
        # p_plus - 2 (defect without b) is the reflection; the right term adds, this one subtracts
        term = with_term.mu.T @ (with_term.defect - plain.defect)
        p_wrong = p_plus - 2.0 * with_term.mu.T @ plain.defect + 2.0 * term
        return advance._replace(carry=GNIState(q, p_wrong, *advance.carry[2:]))


class _Still(da.systems.BallOnTurntable):
    def offset(self, t, q):
        return jnp.zeros(2)


def _without_offset(ball):
    return _Still(m=ball.m, r=ball.r, I=ball.I, Theta=ball.Theta)


def wrong_sign() -> list[Claim]:
    """With the sign of 2 Q* Pi reversed nothing converges."""
    ball = da.systems.BallOnTurntable()
    q, _ = ball.closed_form(4.0)
    errors = []
    for n in (80, 320):
        method = _WrongSign()
        end = da.simulate(ball, method, h=4.0 / n, steps=n, save_every=n).final
        errors.append(float(np.max(np.abs(end.q - q))))
    return [
        at_least(
            "error at t = 4 with the sign of 2 Q* Pi reversed, h = 1/80",
            BALL,
            "gni, wrong sign",
            errors[1],
            2.0,
        ),
        at_least(
            "ratio of its errors, h = 1/20 and 1/80",
            BALL,
            "gni, wrong sign",
            errors[1] / errors[0],
            0.5,
        ),
    ]


def contact_momentum() -> list[Claim]:
    """J = R p_Omega + r e3 x p_x of the global ball is kept (Corollary 3 [F08], affine)."""
    out = []
    for system in (da.systems.BallOnTurntableGlobal(), da.systems.ChaplyginBall()):
        run = da.simulate(system, da.GNI(), h=0.05, steps=2000, save_every=10)
        e3 = jnp.array([0.0, 0.0, 1.0])

        def J(q, p, system=system, e3=e3):
            x = jnp.concatenate([p[:2], jnp.zeros(1)])
            return q[1] @ p[2:] + system.r * jnp.cross(e3, x)

        values = np.asarray(jax.vmap(J)(run.q, run.p))
        spread = np.max(np.ptp(values, axis=0))
        out.append(
            at_most(
                "spread of J = R p_Omega + r e3 x p_x, 2000 steps",
                system.name(),
                "gni-midpoint",
                spread,
                1e-11,
            )
        )
    return out


CHAPLYGIN = {
    1.0: (0.9056583759104, 0.7552789119351),
    5.0: (-1.2180908697491, 2.5784247647662),
    10.0: (-3.9988186406606, 0.5833526640703),
}


def chaplygin_ball() -> list[Claim]:
    """Data of figure 3 left [F15]: order 2 on the group, order 1 in the paper's chart."""
    ball, chart = da.systems.ChaplyginBall(), da.systems.ChaplyginBallExponential()
    out = []
    reference = da.simulate(ball, da.Reference(), h=0.5, steps=20)
    for t, wanted in CHAPLYGIN.items():
        q = np.asarray(reference.q[0])[round(2 * t)]
        error = np.max(np.abs(q - np.array(wanted)))
        out.append(at_most(f"position at t = {t:g}", ball.name(), "reference", error, 5e-12))
    for system, method, order in (
        (ball, da.GNI(), 2),
        (chart, da.GNI(da.EulerA()), 1),
    ):
        errors = []
        for n in (400, 800, 1600):
            run = da.simulate(system, method, h=10.0 / n, steps=n, save_every=n // 10)
            x = np.asarray(jax.vmap(system.path)(run.q))
            times = [int(t) for t in CHAPLYGIN]
            errors.append(np.max(np.abs(x[times] - np.array(list(CHAPLYGIN.values())))))
        slope = np.log2(errors[-2] / errors[-1])
        text = "order of the position at t = 1, 5, 10"
        out.append(near(text, system.name(), method.name, slope, order, 0.1))
    # far beyond the chart's trust: one run on the group, errors of the integrals J
    long = da.simulate(ball, da.GNI(), h=0.02, steps=10_000, save_every=100)
    drift = np.max(np.abs(diagnostics.invariant_drift(ball, long)["moving_energy"]))
    out.append(
        at_most(
            "change of the moving energy up to t = 200, h = 0.02",
            ball.name(),
            "gni-midpoint",
            drift,
            5e-3,
        )
    )
    rotation = long.q[1][-1]
    defect = np.max(np.abs(rotation.T @ rotation - np.eye(3)))
    out.append(at_most("R^T R - 1 at t = 200", ball.name(), "gni-midpoint", defect, 1e-13))
    try:
        coarse = da.simulate(chart, da.GNI(da.EulerA()), h=0.02, steps=10_000, save_every=100)
        moved = np.max(np.abs(diagnostics.invariant_drift(chart, coarse)["moving_energy"]))
    except da.SimulationError:
        moved = np.inf  # the chart's method broke down on the way
    out.append(
        at_least(
            "the same in the chart, Euler A (or a breakdown)",
            chart.name(),
            "gni-euler-a",
            moved,
            1.0,
            reason="a breakdown counts as infinite",
        )
    )
    return out


def groups() -> dict:
    return {
        f"balls: {group.__name__.replace('_', ' ')}": group
        for group in (
            printed_terms,
            orders_at_ten,
            ring,
            wrong_sign,
            contact_momentum,
            chaplygin_ball,
        )
    }
