"""[C02] 5.2.2: the two-wheeled robot; reduced metric, gyroscopic form, connection, symbols."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import geometry

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table, experiment

DRAWS = 5  # number of random robots
FULL_CIRCLE = 2 * np.pi


def _reduced(robot: da.systems.TwoWheeledRobot) -> geometry.Chaplygin:
    return geometry.chaplygin(robot, (3, 4), da.SE(2), circles=(FULL_CIRCLE, FULL_CIRCLE))


@jax.jit
def _facts(robot, r, w):
    """Compute what the book prints, from the reduction by automatic differentiation."""
    c = geometry.chaplygin(robot, (3, 4), da.SE(2))
    gamma, skew = c.nonholonomic(r), c.contorsion(r)
    q, v = c.lift(r, c.group.identity(), w)
    full = da.dynamics.acceleration(robot, q, v)[jnp.array([3, 4])]
    return {
        "connection": c.connection(r),
        "curvature": c.curvature(r)[:, 0, 1],
        "metric": c.metric(r),
        "K": c.metric_tensor(r)[:, 0, 1],
        "alpha": c.gyroscopic(r, w),
        "gamma": gamma,
        "torsion": gamma - jnp.swapaxes(gamma, 1, 2),
        "B not skew": skew + jnp.swapaxes(skew, 1, 2),
        "geodesic": full + jnp.einsum("dbc,b,c->d", gamma, w, w),
    }


@experiment(
    "c02-two-wheeled-robot",
    source="[C02] 5.2.2",
    title="Two-wheeled robot: which printed tensors are right",
    see="With the printed sign of the gyroscopic form the reduced robot goes another way: that of "
    "a robot with its center of mass behind the axle.",
)
def robot(full: bool, seed: int) -> Outcome:
    """Compare robots of random size and mass with the printed formulas."""
    rng = np.random.default_rng(seed)
    worst: dict[str, float] = {}
    least: dict[str, float] = {}
    for _ in range(DRAWS):
        scale = np.array([1, 1, 2, 1, 0.5, 1, 1])
        m0, m1, J, J_w, l, c, R = rng.uniform(0.5, 2.0, 7) * scale
        r, w = rng.normal(size=2), rng.normal(size=2)
        made = da.systems.TwoWheeledRobot(m0=m0, m1=m1, J=J, J_w=J_w, l=l, c=c, R=R)
        values = {k: np.asarray(x) for k, x in _facts(made, jnp.asarray(r), jnp.asarray(w)).items()}
        for what, (name, value) in _formulas(m0, m1, J, J_w, l, c, R, w).items():
            size = np.max(np.abs(values[name]))
            off = float(np.max(np.abs(values[name] - value)) / size)
            worst[what], least[what] = max(worst.get(what, 0), off), min(least.get(what, 9), off)
        size = np.max(np.abs(values["gamma"]))
        for name in ("torsion", "B not skew", "geodesic"):
            off = float(np.max(np.abs(values[name])) / size)
            worst[name], least[name] = max(worst.get(name, 0), off), min(least.get(name, 9), off)
    default = da.systems.TwoWheeledRobot()
    measure = geometry.invariant_measure(_reduced(default))
    periods = [abs(p) for p in measure.periods if p is not None]
    relative = "largest relative difference"
    claims = [
        Claim(
            "connection gamma, its curvature, the induced metric and the tensor K as printed",
            [Check(f"{relative}, {k}", worst[k], high=1e-12)
             for k in ("connection", "curvature", "metric", "K")],
        ),
        Claim(
            "gyroscopic form kappa (psi2' - psi1')(psi1' dpsi2 - psi2' dpsi1), kappa = m0 l R^3/(4 "
            "c^2)",
            [Check(relative, worst["alpha, printed"], high=1e-12)],
            [Check(f"{relative}, psi1' - psi2'", worst["alpha, corrected"], high=1e-12)],
            "The sign is the other one: (psi1' - psi2')(psi1' dpsi2 - psi2' dpsi1), with the "
            "book's own equation, where the force on the wheels is minus the form.",
        ),
        Claim(
            "symbols of the connection made of K1 and K2",
            [Check(relative, worst["symbols, printed"], high=1e-12)],
            [Check(f"{relative}, corrected K1 and K2", worst["symbols, corrected"], high=1e-12)],
            "The pattern is right. In K1 and K2 the inertias of body and wheel are interchanged "
            "and factors lost: with D = 4 c^2 (2 J2 c^2 + J R^2)(2 J2 + m R^2), K1 = m0 l R^5 (J - "
            "m c^2)/D, K2 = m0 l R^3 (4 J2 c^2 + (J + m c^2) R^2)/D.",
        ),
        Claim(
            "B is not skew and the torsion does not vanish: another connection than that of the "
            "metric",
            [
                Check("least symmetric part of B, relative", least["B not skew"], low=0.2),
                Check("least torsion, relative", least["torsion"], low=0.08),
            ],
        ),
        Claim(
            "its geodesics are the motions of the wheels",
            [Check("largest defect against the equations with multipliers", worst["geodesic"],
                   high=1e-12)],
        ),
        Claim(
            "there is an invariant density, but a local one: beta is closed and not exact on the "
            "torus of wheel angles",
            [
                Check("largest |d beta|, relative", measure.closedness, high=1e-12),
                Check("least period of beta around a circle", min(periods), low=0.03),
            ],
            note="A statement of this library; the book does not speak of it.",
        ),
    ]  # fmt: skip
    names = {
        "connection": "connection", "curvature": "curvature at theta = 0", "metric": "metric",
        "K": "K", "alpha, printed": "gyroscopic form, printed",
        "alpha, corrected": "gyroscopic form, corrected", "symbols, printed": "symbols, printed",
        "symbols, corrected": "symbols, corrected",
    }  # fmt: skip
    table = Table(
        ("tensor", relative),
        [(text, worst[k]) for k, text in names.items()],
        f"Over {DRAWS} robots of random masses and lengths, each at a random state.",
    )
    whole, paths = _paths(default)

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 4.2), columns=2) as (fig, (left, right), look):
            styles = {
                "with multipliers": {"color": look.muted, "lw": 5, "alpha": 0.4},
                "reduced": {"color": look.curves[0], "lw": 1.6},
                "reduced, printed sign": {"color": look.curves[1], "lw": 1.6, "ls": "--"},
            }
            for name, (t, xy, wheels) in paths.items():
                left.plot(xy[:, 0], xy[:, 1], label=name, **styles[name])
                right.plot(t, wheels[:, 0] + wheels[:, 1], **styles[name])
            left.plot(0, 0, "o", color=look.ink, ms=5)
            left.set(xlabel="x [m]", ylabel="y [m]")
            left.set_aspect("equal", adjustable="datalim")
            right.set(xlabel="t [s]", ylabel="psi1' + psi2' [rad/s]")
            da.plots.finish(left, look, "middle of the axle, from the dot")
            da.plots.finish(right, look, "rolling; negative is forwards")
            fig.legend(loc="outside upper left", ncols=3, frameon=False)
        return fig

    picture = Picture(
        "",
        "Reduced motion and motion with multipliers agree: the robot, started backwards, swings "
        "round and goes forwards. With the printed sign it keeps going backwards.",
        "Two paths of a robot from one point, of which only one is that of the full equations",
        draw,
    )
    motion = Motion("Started backwards, it swings round and goes forwards.", default,
                    {"with multipliers": whole})  # fmt: skip
    return Outcome(claims, [table], [picture], motions=[motion])


def _formulas(m0, m1, J, J_w, l, c, R, w):
    """Return each entry of `_facts` with its printed or corrected value, by name."""
    m, kappa = m0 + 2 * m1, m0 * l * R**3 / (4 * c**2)
    own, other = m * R**2 / 4, J * R**2 / (4 * c**2)
    printed = kappa * (w[1] - w[0]) * np.array([-w[1], w[0]])
    D = 4 * c**2 * (2 * J * c**2 + J_w * R**2) * (2 * J + m * c**2)
    wrong = (m0 * R**5 * l * (J_w - m * c**2) / D,
             R**3 * l * (4 * J * c**2 + (J_w + m * c**2) * R**2 * m0) / D)  # fmt: skip
    D = 4 * c**2 * (2 * J_w * c**2 + J * R**2) * (2 * J_w + m * R**2)
    right = (m0 * l * R**5 * (J - m * c**2) / D,
             m0 * l * R**3 * (4 * J_w * c**2 + (J + m * c**2) * R**2) / D)  # fmt: skip
    half = R / (2 * c)
    return {
        "connection": ("connection", [[R / 2, R / 2], [0, 0], [half, -half]]),
        "curvature": ("curvature", [0, -(R**2) / (2 * c), 0]),
        "metric": ("metric", [[J_w + own + other, own - other], [own - other, J_w + own + other]]),
        "K": ("K", [kappa, -kappa]),
        "alpha, printed": ("alpha", printed),
        "alpha, corrected": ("alpha", -printed),
        "symbols, printed": ("gamma", _pattern(*wrong)),
        "symbols, corrected": ("gamma", _pattern(*right)),
    }


def _pattern(K1: float, K2: float) -> np.ndarray:
    """Return Gamma[upper, first, second] in the book's arrangement of K1 and K2."""
    return np.array([[[K1, -K2], [-K1, K2]], [[K2, -K1], [-K2, K1]]])


@jax.jit
def _lift(robot, t, r, w, g0):
    """Reconstruct the planar motion over a motion of the wheels."""
    return geometry.reconstruct(geometry.chaplygin(robot, (3, 4), da.SE(2)), t, r, w, g0)


def _paths(robot: da.systems.TwoWheeledRobot, h: float = 0.02, steps: int = 350):
    """Return the full run, and (t, positions, wheel speeds) of it and of both reduced runs.

    The reduced runs differ in the sign of the gyroscopic form. This form is proportional to l, and
    the metric and the connection do not contain l: so l -> -l changes the sign.
    """
    q0, v0 = robot.initial()
    full = da.simulate(robot, da.RK4(), h=h, steps=steps)
    result = {"with multipliers": (full.t, full.q[:, :2], full.v[:, 3:])}
    flipped = da.systems.TwoWheeledRobot(l=-robot.l)
    for name, system in (("reduced", robot), ("reduced, printed sign", flipped)):
        run = da.simulate(_reduced(system).reduced, da.RK4(), q0[3:], v0[3:], h=h, steps=steps)
        g0 = da.SE(2).exp(jnp.array([0.0, 0.0, 1.0]) * q0[2])
        g = _lift(system, run.t, run.q, run.v, g0)
        result[name] = (run.t, g[:, :2, 2], run.v)
    return full, {name: tuple(np.asarray(x) for x in each) for name, each in result.items()}
