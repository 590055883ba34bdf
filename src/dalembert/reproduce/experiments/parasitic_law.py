"""The parasitic mode of GNI: its law eps' = K eps, and the trace of K.

GNI on T*Q is a symplectic map followed by a reflection in every fibre, so it preserves Liouville's
volume. Along the constraint this volume changes at the rate of the divergence of the motion; the
other directions, across the constraint, are the alternating part of the momentum, so

    tr K = - div (of the nonholonomic motion)

for the volume |det [G S (S^T G S)^-1, A^T]| dq dpi on the constraint, S a basis of ker A and
pi = S^T p. With one constraint the mode therefore grows exactly where the motion contracts.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics
from dalembert.compile.xla import quick_options
from dalembert.system import compiled_call

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

H, EVERY = 0.02, 10
RANDOM = ((3, 1), (4, 2), (5, 3))  # (dimension, number of constraints)


class Random(da.System):
    """A system with metric, potential and constraint made of random waves; without units."""

    a: jax.Array
    c: jax.Array
    B: jax.Array
    C: jax.Array
    w: jax.Array

    @property
    def space(self):  # pyright: ignore
        return da.Euclidean(self.w.shape[0])

    def lagrangian(self, q, v):
        bent = jnp.einsum("ijk,k->ij", self.C, jnp.sin(q))
        M = jnp.eye(len(q)) + self.B @ self.B.T + bent @ bent.T
        return 0.5 * v @ M @ v - jnp.sum(jnp.cos(self.w * q)) - 0.3 * jnp.sin(q[0] * q[1])

    def constraint(self, q):
        return self.c + jnp.einsum("mij,j->mi", self.a, jnp.sin(q))


def _random(n: int, m: int, seed: int):
    """Return a random system and a state of it."""
    r = np.random.default_rng(seed)

    def draw(size, *shape):
        return jnp.asarray(size * r.normal(size=shape))

    forms = {"a": draw(0.5, m, n, n), "c": draw(1.0, m, n)}
    system = Random(**forms, B=draw(0.3, n, n), C=draw(0.3, n, n, n), w=draw(1.0, n))
    q, v = draw(1.0, n), draw(1.0, n)
    return system, q, dynamics.consistent_velocity(system, q, v)


def _rates(system, q0, v0):
    """Return tr K, and the divergence of the motion on the constraint."""
    n = system.dim
    A0 = dynamics.linear_constraint(system, q0)
    basis = jnp.linalg.qr(A0.T, mode="complete")[0][:, A0.shape[0] :]

    def frame(q):  # extends the basis of ker A at q0 to a neighborhood
        A = dynamics.linear_constraint(system, q)
        return basis - A0.T @ jnp.linalg.solve(A @ A0.T, A @ basis)

    def field(x):  # d(S^T p)/dt = (dS/dt)^T p + S^T dL/dq: the reaction drops out
        q = x[:n]
        S, G = frame(q), dynamics.metric(system, q)
        v = S @ jnp.linalg.solve(S.T @ G @ S, x[n:])
        turn = jax.jvp(frame, (q,), (v,))[1]
        return jnp.concatenate([v, turn.T @ G @ v + S.T @ jax.grad(system.lagrangian)(q, v)])

    def log_density(x):
        S, G = frame(x[:n]), dynamics.metric(system, x[:n])
        tangent = G @ S @ jnp.linalg.inv(S.T @ G @ S)
        forms = dynamics.linear_constraint(system, x[:n])
        return jnp.linalg.slogdet(jnp.concatenate([tangent, forms.T], axis=1))[1]

    x = jnp.concatenate([q0, frame(q0).T @ dynamics.metric(system, q0) @ v0])
    divergence = jnp.trace(jax.jacfwd(field)(x)) + jax.grad(log_density)(x) @ field(x)
    return jnp.trace(dynamics.parasitic_matrix(system, q0, v0)), divergence


def _volume(system, q0, v0):
    """Return |det| of a step of GNI on (q, p), away from the constraint."""
    n = system.dim

    def step(z):
        method, zero, h = da.GNI(), jnp.zeros(()), jnp.asarray(0.05)
        carry, _ = method.start(system, zero, h, q0, v0)
        after = method.step(system, zero, h, carry._replace(q=z[:n], p_minus=z[n:])).carry
        return jnp.concatenate([after.q, after.p_minus])

    p0 = dynamics.momentum(system, q0, v0) + 0.1
    return jnp.abs(jnp.linalg.det(jax.jacfwd(step)(jnp.concatenate([q0, p0]))))


def _measured(system, steps: int) -> np.ndarray:
    """Return the growth of a small normal momentum in GNI itself, by differentiation."""
    q0, v0 = system.initial()
    method, zero, h = da.GNI(), jnp.zeros(()), jnp.asarray(H)
    mu = dynamics.linear_constraint(system, q0)

    @functools.partial(jax.jit, compiler_options=quick_options())
    def tangents():
        def run(e):
            carry, _ = method.start(system, zero, h, q0, v0)
            carry = carry._replace(p_minus=carry.p_minus + mu.T @ e)

            def once(carry, _):
                after = method.step(system, zero, h, carry)
                q = after.row.q
                forms = dynamics.linear_constraint(system, q)
                raised = jnp.linalg.solve(dynamics.metric(system, q), forms.T)
                normal = jnp.linalg.solve(forms @ raised, raised.T @ after.carry.p_minus)
                return after.carry, normal

            return jax.lax.scan(once, carry, length=steps)[1]

        return jax.jacfwd(run)(jnp.zeros(mu.shape[0]))

    return np.concatenate([[1.0], np.linalg.norm(np.asarray(tangents()), 2, axis=(1, 2))])


@experiment(
    "parasitic",
    source="beyond the documents",
    title="The parasitic mode of GNI grows where the motion contracts",
    see="The growth of the alternating normal momentum in GNI lies on the curve that K predicts, "
    "over five orders of magnitude. On the sleigh it grows because the motion settles.",
)
def parasitic(full: bool, seed: int) -> Outcome:
    """Test the theorem on several systems, and the growth on four of them."""
    zoo = [
        da.systems.ChaplyginSleigh(),
        da.systems.Snakeboard(),
        da.systems.NonholonomicParticle(),
        da.systems.KnifeEdge(),
    ]
    cases = {s.name(): (s, *s.initial()) for s in zoo[:3]}
    for i, (n, m) in enumerate(RANDOM):
        cases[f"random, n = {n}, m = {m}"] = _random(n, m, seed + i)
    values = {
        name: [float(x) for x in compiled_call(_rates, *case)] for name, case in cases.items()
    }
    gap = max(abs(k + div) / max(1.0, abs(k)) for k, div in values.values())
    least = min(abs(k) for k, _ in values.values())
    volumes = [abs(float(compiled_call(_volume, *case)) - 1) for case in list(cases.values())[2:4]]

    sleigh, q, v = cases["chaplygin-sleigh"]
    assert isinstance(sleigh, da.systems.ChaplyginSleigh)
    u = jnp.cos(q[2]) * v[0] + jnp.sin(q[2]) * v[1]
    wanted = sleigh.m * sleigh.a * u / (sleigh.J + sleigh.m * sleigh.a**2)
    off = abs(values["chaplygin-sleigh"][0] - float(wanted))

    end = 60.0 if full else 30.0
    steps = round(end / H)
    growth, trace = {}, {}
    for system in zoo:
        run = da.simulate(system, da.DLA(), h=H, steps=steps, save_every=EVERY)
        predicted = da.diagnostics.parasitic_growth(system, run)
        growth[system.name()] = _measured(system, steps)[::EVERY], predicted
        K = da.diagnostics.parasitic_rates(system, run)
        trace[system.name()] = float(np.trapezoid(np.trace(K, axis1=1, axis2=2), run.t))
    # Beyond t = 30 the difference between GNI and the exact motion is no longer small.
    at = round(30.0 / H) // EVERY
    claims = [
        Claim(
            "GNI keeps the volume of T*Q",
            [Check(f"largest ||det| - 1| of a step, {len(volumes)} systems", max(volumes),
                   high=1e-12)],
        ),
        Claim(
            f"tr K = - div of the nonholonomic motion, on {len(values)} systems",
            [Check("largest |tr K + div|", gap, high=1e-12, unit="1/s"),
             Check("smallest |tr K|", least, low=1e-2, unit="1/s")],
        ),
        Claim(
            "K of the Chaplygin sleigh is m a u/(J + m a^2)",
            [Check("difference", off, high=1e-12, unit="1/s")],
        ),
        Claim(
            "the growth predicted by eps' = K eps is that of GNI, at t = 30 s",
            [Check(f"relative difference, {name}", abs(p[at] / m[at] - 1), high=1e-2,
                   why="the law is the first term in h of the growth")
             for name, (m, p) in growth.items()],
        ),
        Claim(
            "with two constraints only the sum of the rates is fixed: the snakeboard has "
            "next to none, and its mode grows all the same",
            [Check("integral of tr K", abs(trace["snakeboard"]), high=0.1),
             Check("growth at t = 30 s", growth["snakeboard"][1][at], low=100.0)],
        ),
    ]  # fmt: skip
    tables = [
        Table(
            ("system", "tr K [1/s]", "- div [1/s]"),
            [(name, f"{k:.6f}", f"{-d:.6f}") for name, (k, d) in values.items()],
            "The trace of K and the divergence of the motion at one state of each system.",
        ),
        Table(
            ("system", "measured", "predicted", "integral of tr K"),
            [(name, f"{m[-1]:.5g}", f"{p[-1]:.5g}", f"{trace[name]:.4f}")
             for name, (m, p) in growth.items()],
            f"Growth of the parasitic mode of gni-midpoint at t = {end:g} s, h = {H:g} s.",
        ),
    ]  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (7.2, 4.2)) as (fig, ax, look):
            t = H * np.arange(0, steps + 1, EVERY)
            for (name, (m, p)), color, mark in zip(growth.items(), look.curves, "osX^"):
                ax.plot(t, p, color=color, lw=1.5, label=name)
                some = slice(len(t) // 12, None, len(t) // 12)
                ax.plot(t[some], m[some], mark, color=color, ms=6, mfc="none", mew=1.5)
            ax.set(yscale="log", xlabel="t [s]", ylabel="growth of the mode")
            da.plots.finish(ax, look, "", "above")
        return fig

    see = (
        "Lines: the norm of X, X' = K X, along a DLA run. Marks: a small change of the normal "
        "momentum of GNI, followed by differentiation. Only two of the four systems grow."
    )
    alt = "Predicted and measured growth of the parasitic mode on four systems, logarithmic axis"
    return Outcome(claims, tables, [Picture("", see, alt, draw)])
