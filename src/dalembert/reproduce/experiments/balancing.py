"""A robot that balances on two wheels: linear feedback on the nonlinear motion, with noise."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

ROBOT = da.systems.BalancingRobot()
LIMIT, NOISE = 2.0, 0.1  # limit of the torques in N m, and the noise as a fraction of it
STEP = 0.02
LEAN = 3  # index of the lean angle in q
# Weights on coordinates that can return to zero together; the wheels' angles, x and theta cannot.
WEIGHTS = {"x": 200, "theta": 9, "alpha": 1, "x_dot": 6, "theta_dot": 0.2, "alpha_dot": 0.5}


@experiment(
    "balancing",
    source="ours",
    title="A robot on two wheels stays up",
    see="Twenty robots start with a lean of 0.05 rad and shaking torques: with feedback all of "
    "them stay up for a minute, without it each of them falls within three seconds.",
)
def balancing(full: bool, seed: int) -> Outcome:
    """Linearize, compute eigenvalues, and run twenty noisy members with and without feedback."""
    end, members = 60.0, 20
    linear = control.linearize(ROBOT, jnp.zeros(6))
    off = _against_differences(linear)
    regulator = control.lqr(linear, WEIGHTS, limit=LIMIT)
    rng = np.random.default_rng(seed)
    count = round(end / STEP)
    noise = control.Table(
        np.tile(np.arange(count) * STEP, (members, 1)),
        NOISE * LIMIT * rng.normal(size=(members, count, 2)),
        hold=True,
    )
    start = jnp.zeros(6).at[LEAN].set(0.05), jnp.zeros(6)
    run = {"method": da.Gauss(2), "h": STEP, "save_every": 10}
    nothing = eqx.tree_at(lambda law: law.K, regulator.feedback, jnp.zeros((2, 9)))
    many = {
        "feedback": _many(regulator.feedback, noise, members, *start, **run, steps=count),
        "none": _many(nothing, noise, members, *start, **run, steps=150),
    }
    lean = {k: np.abs(np.asarray(x.q)[..., LEAN]) for k, x in many.items()}
    fallen = np.array([np.max(np.nan_to_num(x, nan=9.0)) for x in lean["none"]])
    moving = control.linearize(ROBOT, jnp.zeros(6), _rolling(0.8))
    along = control.lqr(moving, WEIGHTS | {"y": 1.0}, limit=LIMIT)
    late = da.simulate(
        ROBOT, da.Gauss(2), jnp.zeros(6).at[LEAN].set(0.03), _rolling(0.8), h=STEP,
        steps=round(20 / STEP), u=along.feedback,
    )  # fmt: skip
    claims = [
        Claim(
            "upright at rest is an equilibrium that falls, and all that moves it can be reached",
            [
                Check("largest real part of an eigenvalue", linear.eigenvalues[0].real, low=1.0,
                      unit="1/s"),
                Check("rank of the controllability matrix", linear.controllable.shape[1], 6, 6),
                Check("eigenvalues against differences, largest", off, high=1e-11),
            ],
            note="Nine coordinates on the constraint, of which x, the wheels' angles and their "
            "difference follow from six.",
        ),
        Claim(
            "with feedback it stays up: 20 seeds, torque noise of 10 % of the limit, 60 s",
            [
                Check("largest lean", np.max(lean["feedback"]), high=0.1, unit="rad"),
                Check("members that failed", len(many["feedback"].failed), 0, 0),
                Check("largest real part with feedback", np.max(np.real(regulator.eigenvalues)),
                      high=-0.1, unit="1/s"),
            ],
        ),
        Claim(
            "without feedback it falls, each time",
            [Check("smallest of the largest leans in 3 s", np.min(fallen), low=1.0, unit="rad")],
        ),
        Claim(
            "rolling ahead at an even pace is a relative equilibrium, and feedback keeps it",
            [
                Check("steady (1) or not (0)", float(moving.steady), 1, 1),
                Check("pace after 20 s, off by", abs(float(late.v[-1, 0]) - 0.8), high=1e-11,
                      unit="m/s"),
                Check("lean after 20 s", abs(float(late.q[-1, LEAN])), high=1e-11, unit="rad"),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("", "largest lean [rad]", "mean of |lean| [rad]"),
        [
            ("feedback, 60 s", np.max(lean["feedback"]), np.mean(lean["feedback"])),
            ("none, 3 s", np.max(fallen), np.mean(np.nan_to_num(lean["none"]))),
        ],
        f"20 robots, noise of {NOISE * LIMIT:g} N m held for {STEP:g} s, limit {LIMIT:g} N m.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.4, 3.8), columns=2) as (fig, (left, right), look):
            for x, ax in ((many["feedback"], left), (many["none"], right)):
                for q in np.asarray(x.q)[:, :, LEAN]:
                    ax.plot(x.t, q, color=look.curves[0], lw=0.6, alpha=0.6)
                ax.set(xlabel="t [s]", ylabel="lean [rad]")
            left.axhline(0.1, color=look.curves[1], lw=1, ls="--")
            left.axhline(-0.1, color=look.curves[1], lw=1, ls="--")
            right.set(xlim=(0.0, 1.0), ylim=(-3.3, 3.3))
            da.plots.finish(left, look, "with feedback")
            da.plots.finish(right, look, "without")
        return fig

    picture = Picture(
        "",
        "Left: the lean of twenty robots stays between the dashed lines. Right: without feedback.",
        "Twenty curves near zero for a minute, and twenty that leave it",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _rolling(pace: float) -> jax.Array:
    return jnp.array([pace, 0, 0, 0, pace / ROBOT.r, pace / ROBOT.r])


def _many(law, noise, members: int, q, v, **options):
    """Run an ensemble in which each member has different noise."""
    shared = jax.tree.map(lambda x: jnp.broadcast_to(x, (members, *jnp.shape(x))), law)
    u = control.PerMember(control.Disturbed(shared, noise))
    return da.simulate_ensemble(ROBOT, options.pop("method"), q, v, u=u, **options)


def _against_differences(linear: control.Linearization) -> float:
    """Compare eigenvalues of A with those of extrapolated central differences of x' = f(x)."""
    onto = jnp.eye(6)[np.asarray(linear.chosen)]
    basis = jnp.asarray(linear.basis)

    @jax.jit
    @jax.vmap
    def rates(x):
        v = da.dynamics.consistent_velocity(ROBOT, x[:6], basis @ x[6:])
        # iterate, because the velocity on the constraint must have these components
        for _ in range(3):
            v = da.dynamics.consistent_velocity(ROBOT, x[:6], v - basis @ (onto @ v - x[6:]))
        return jnp.concatenate([v, onto @ da.dynamics.acceleration(ROBOT, x[:6], v)])

    def slope(s: float) -> np.ndarray:
        return np.asarray((rates(s * jnp.eye(9)) - rates(-s * jnp.eye(9))) / (2 * s)).T

    step = 4e-3
    result = (64 * slope(step / 4) - 20 * slope(step / 2) + slope(step)) / 45  # order 6
    values = [np.sort_complex(np.linalg.eigvals(x)) for x in (result, linear.A)]
    # compare the extreme eigenvalues: the others are multiple zeros
    reals = [np.sort(x.real)[[0, -1]] for x in values]
    return float(np.max(np.abs(reals[0] - reals[1])))
