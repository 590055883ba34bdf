"""[F15] theorems 5.2 and 5.4, remark 5.5: the nonholonomic Euler methods and their composition."""

from __future__ import annotations

import jax
import jax.numpy as jnp

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

HS = (0.1, 0.05, 0.025, 0.0125, 0.00625)
END = 2.0


class Bent(da.MechanicalSystem):
    """A point in a bowl whose constraint is curved in every direction.

        L = |q'|^2/2 - (x^2 + 2 y^2 + 3 z^2 + x^2 z^2)/2,    x' + sin(z) y' + y z' = 0

    With the contact form dx + y dz alone the composition of remark 5.5 would look better than it
    is: there the normal has no component along which the constraint is curved.
    """

    mass = jnp.eye(3)  # type: ignore[assignment]
    space = da.Euclidean(3)

    def potential(self, q):
        return 0.5 * (q @ (jnp.array([1.0, 2.0, 3.0]) * q) + q[0] ** 2 * q[2] ** 2)

    def constraint(self, q):
        return jnp.stack([jnp.ones(()), jnp.sin(q[2]), q[1]])[None, :]

    def initial(self):
        q = jnp.array([1.0, 0.5, 0.3])
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0.2, 0.8, -0.5]))


SYSTEM = Bent()
METHODS = {
    "Euler A (13)": da.GNI(da.EulerA()),
    "Euler B (14)": da.GNI(da.EulerB()),
    "reflected at every node": da.Composition(),
}


@experiment(
    "f15-theorems",
    source="[F15] Thm 5.2, 5.4, Rem. 5.5",
    title="Euler A, Euler B, and what becomes of their composition",
    see="Euler A and B converge with order 1. Their composition as the remark has it does not "
    "converge at all; reflecting the momentum at every node instead gives order 2.",
)
def theorems(full: bool, seed: int) -> Outcome:
    """Return errors at t = 2 s on a nonlinear system, against an accurate solution."""
    exact = da.simulate(SYSTEM, da.Reference(rtol=1e-12), h=0.1, steps=20).final.q
    errors = {
        name: [da.diagnostics.distance(_final(method, h), exact) for h in HS]
        for name, method in METHODS.items()
    }
    errors["(13) after (14), literally"] = [da.diagnostics.distance(_literal(h), exact) for h in HS]
    slopes = {name: da.diagnostics.fit_order(HS, e) for name, e in errors.items()}
    literal = errors["(13) after (14), literally"]
    on, off = _adjoint_defect(jax.random.key(seed))
    claims = [
        Claim(
            "theorem 5.2: the nonholonomic Euler A method converges with order one",
            [Check("order of the position", slopes["Euler A (13)"], 0.9, 1.1)],
        ),
        Claim(
            "theorem 5.4: Euler A and Euler B are each other's adjoint",
            [Check("defect of F_A(h) F_B(-h), any momentum", off, high=1e-12)],
            [
                Check("defect on the set that the step keeps", on, high=1e-12),
                Check("defect off it", off),
            ],
            "It holds for momenta with mu M^-1 (p + (h/2) V_q) = 0, the set that Euler A keeps; "
            "the statement for all of T*Q is too strong.",
        ),
        Claim(
            "remark 5.5: the composition of (13) and (14), half a step each, is of second order",
            [
                Check("order of the position", slopes["(13) after (14), literally"], 1.8, 2.2),
                Check("error at the smallest h", literal[-1], high=1e-3),
            ],
            [Check("order, reflected at every node", slopes["reflected at every node"], 1.8, 2.2)],
            "Composed as printed it does not converge: the two methods live on sets that differ "
            "by h V_q. With p+ and p- reflected in the constraint at every node, also at the "
            "inner ones, the composition is of order 2.",
        ),
    ]
    table = Table(
        ("h [s]", *errors),
        [
            *((h, *(e[i] for e in errors.values())) for i, h in enumerate(HS)),
            ("slope", *(f"{s:.3f}" for s in slopes.values())),
        ],
        "Position errors at t = 2 s in m, for a point in a bowl with a bent constraint.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (6.8, 4.2)) as (fig, ax, look):
            for (name, e), color, mark in zip(errors.items(), look.curves, "o^sx"):
                style = {"color": color, "marker": mark, "ms": 5.5, "lw": 1.3}
                ax.plot(HS, e, label=f"{name}: {slopes[name]:.2f}", **style)
            ax.set(xscale="log", yscale="log", xlabel="h [s]", ylabel="position error [m]")
            da.plots.finish(ax, look, "error at t = 2 s, with slopes", "lower right")
        return fig

    picture = Picture(
        "",
        "The crosses do not come down: the literal composition does not converge.",
        "Errors of four methods against the step: slopes one, one, two and zero",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _final(method: da.methods.Method, h: float) -> jax.Array:
    steps = round(END / h)
    return da.simulate(SYSTEM, method, h=h, steps=steps, save_every=steps).final.q


# -- (22) and (23) in the variables (q, p, lam) of the paper; the mass matrix is the identity -----


def _mu(q: jax.Array) -> jax.Array:
    return SYSTEM.constraint(q)


_V_q = jax.grad(SYSTEM.potential)


def _euler_a(h, q, p, lam):
    """Make a step of F_A, (22)."""
    leaving = p - 0.5 * h * (_V_q(q) + _mu(q).T @ lam)
    q1 = q + h * leaving
    # Solve mu (leaving - (h/2) mu^T lam1) = 0 for lam1.
    lam1 = jnp.linalg.solve(0.5 * h * _mu(q1) @ _mu(q1).T, _mu(q1) @ leaving)
    return q1, leaving - 0.5 * h * (_V_q(q1) + _mu(q1).T @ lam1), lam1


def _euler_b(h, q, p, lam):
    """Make a step of F_B, (23), with (23c) replaced by (14) at the next node."""
    leaving = p - 0.5 * h * (_V_q(q) + _mu(q).T @ lam)
    q1 = q + h * leaving
    free = leaving - h * _V_q(q1)
    lam1 = jnp.linalg.solve(0.5 * h * _mu(q1) @ _mu(q1).T, _mu(q1) @ free)
    return q1, leaving - 0.5 * h * (_V_q(q1) + _mu(q1).T @ lam1), lam1


def _literal(h: float) -> jax.Array:
    """Return the final position by F_A(h/2) after F_B(h/2), from consistent data."""
    q, v = SYSTEM.initial()
    lam = -da.dynamics.multipliers(SYSTEM, q, v)  # the paper's sign

    def step(_, state):
        return _euler_a(0.5 * h, *_euler_b(0.5 * h, *state))

    return jax.lax.fori_loop(0, round(END / h), step, (q, v, lam))[0]


def _adjoint_defect(key: jax.Array, h: float = 0.1) -> tuple[float, float]:
    """Return |F_A(h) F_B(-h) - Id| for a momentum on the set of Euler A, and for any momentum."""
    k1, k2, k3 = jax.random.split(key, 3)
    q, p, lam = (
        jax.random.normal(k1, (3,)),
        jax.random.normal(k2, (3,)),
        jax.random.normal(k3, (1,)),
    )
    mu = _mu(q)
    defect = mu @ (p + 0.5 * h * _V_q(q))
    bound = p - mu.T @ jnp.linalg.solve(mu @ mu.T, defect)

    def back_and_forth(p):
        state = _euler_a(h, *_euler_b(-h, q, p, lam))
        return da.diagnostics.distance(state, (q, p, lam))

    return back_and_forth(bound), back_and_forth(p)
