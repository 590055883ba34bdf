"""Agreement of forms: explicit and general, start from a pair, forces, holonomic, gradients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics, dynamics
from dalembert.methods.rules import CustomRule

from . import Claim, at_least, at_most, near
from .examples import Bent, BentAffine, MixedMetric, MixedMetricGlobal


def _largest_gap(a, b) -> float:
    return max(
        diagnostics.distance(x, y)
        for x, y in ((a.q, b.q), (a.v, b.v), (a.p, b.p), (a.multiplier, b.multiplier))
    )


def explicit_forms() -> list[Claim]:
    """The explicit forms equal the general groupoid core."""
    q0 = jnp.array([1.0, 0.4, 0.2])
    out = []
    for system in (Bent(), BentAffine()):
        v0 = dynamics.consistent_velocity(system, q0, jnp.array([0.5, 0.7, 0.2]))

        def run(method, system=system, v0=v0):
            return da.simulate(system, method, q0, v0, h=0.05, steps=100)

        trapezoidal = run(da.GNI(da.Trapezoidal()))
        name = system.name()
        for rule in (da.Trapezoidal(), da.EulerA(), da.EulerB()):
            general, explicit = run(da.GNI(rule, general=True)), run(da.GNI(rule))
            gap = _largest_gap(general, explicit)
            out.append(
                at_most(
                    "explicit against general, 100 steps", name, f"gni-{rule.label}", gap, 1e-12
                )
            )
        gap = _largest_gap(run(da.Shake()), trapezoidal)
        out.append(at_most("shake against gni-trapezoidal, 100 steps", name, "shake", gap, 1e-12))
        euler_b = da.EulerB()
        gap = diagnostics.distance(
            run(da.MPEuler()).v, run(da.DLA(euler_b, da.MomentumAtStart(euler_b))).v
        )
        out.append(at_most("(4.12) against groupoid DLA, 100 steps", name, "mp-euler", gap, 1e-12))
        euler_a = da.EulerA()
        gap = diagnostics.distance(
            run(da.MPEulerAdjoint()).q, run(da.DLA(euler_a, da.MomentumAtEnd(euler_a))).q
        )
        out.append(
            at_most("(4.17) against groupoid DLA, 100 steps", name, "mp-euler-adjoint", gap, 1e-12)
        )
    return out


def leapfrog_as_composition() -> list[Claim]:
    """(4.17)^{h/2} after (4.12)^{h/2} is (4.18); (4.17)^h after (4.12)^-h is the identity."""
    system = Bent()
    q0 = jnp.array([1.0, 0.4, 0.2])
    v0 = dynamics.consistent_velocity(system, q0, jnp.array([0.5, 0.7, 0.2]))
    t, h = jnp.zeros(()), 0.1

    @jax.jit
    def steps():
        start, _ = da.MPEuler().start(system, t, h, q0, v0)
        half = da.MPEuler().step(system, t, h / 2, start).carry
        composed = da.MPEulerAdjoint().step(system, t, h / 2, half).carry
        leap = da.Leapfrog().step(system, t, h, start).carry
        back = da.MPEuler().step(system, t, -h, start).carry
        home = da.MPEulerAdjoint().step(system, t, h, back).carry
        return composed, leap, home

    composed, leap, home = steps()
    name = system.name()
    return [
        at_most(
            "(4.17)^{h/2} (4.12)^{h/2} - (4.18)",
            name,
            "leapfrog",
            diagnostics.distance((composed.q, composed.v), (leap.q, leap.v)),
            1e-13,
        ),
        at_most(
            "(4.17)^h (4.12)^{-h} - id",
            name,
            "mp-euler-adjoint",
            diagnostics.distance((home.q, home.v), (q0, v0)),
            1e-13,
        ),
    ]


def constant_mass_on_groups() -> list[Claim]:
    """GNI with constant mass on groups (reduced RATTLE and the like) equals the general form."""
    out = []
    for system in (MixedMetric(), MixedMetricGlobal()):
        q0, v0 = system.initial()

        def run(method, system=system, q0=q0, v0=v0):
            return da.simulate(system, method, q0, v0, h=0.05, steps=100)

        for rule in (da.Trapezoidal(), da.Midpoint()):
            gap = _largest_gap(run(da.GNI(rule)), run(da.GNI(rule, general=True)))
            out.append(
                at_most(
                    "constant-mass form against general, 100 steps",
                    type(system).__name__,
                    f"gni-{rule.label}",
                    gap,
                    1e-12,
                )
            )
    return out


class DampedOscillator(Bent):
    """Linear drag."""

    drag: float = 0.2

    def force(self, t, q, v):
        return -self.drag * v


class DampedBall(da.systems.ChaplyginBall):
    """Drag on a body with a group factor, and a push that depends on time."""

    def force(self, t, q, v):
        return -0.1 * v + 0.1 * jnp.sin(t) * jnp.array([1.0, 0.0, 0.0, 0.5, 0.0])


def forces() -> list[Claim]:
    """External forces keep the order; a damped system loses energy at the rate of the drag."""
    out = []
    q0 = jnp.array([1.0, 0.4, 0.2])
    damped = DampedOscillator()
    v0 = dynamics.consistent_velocity(damped, q0, jnp.array([0.5, 0.7, 0.2]))
    ball = DampedBall()
    for system, q, v in ((damped, q0, v0), (ball, *ball.initial())):
        reference = da.simulate(system, da.Reference(), q, v, h=0.5, steps=2).final
        for method in (da.GNI(), da.DLA(), da.GNI(da.Trapezoidal()), da.GNI(da.EulerA())):
            if system is ball and method != da.GNI():
                continue
            errors = [
                max(
                    diagnostics.distance(end.q, reference.q),
                    diagnostics.distance(end.v, reference.v),
                )
                for n in (40, 80, 160)
                for end in [
                    da.simulate(system, method, q, v, h=1.0 / n, steps=n, save_every=n).final
                ]
            ]
            slope = np.log2(errors[-2] / errors[-1])
            out.append(
                near(
                    "order with an external force",
                    type(system).__name__,
                    method.name,
                    slope,
                    method.traits.order,
                    0.1,
                )
            )
    run = da.simulate(damped, da.GNI(), q0, v0, h=0.01, steps=500)
    E = np.asarray(diagnostics.energy(damped, run))
    power = -damped.drag * np.sum(np.asarray(run.v) ** 2, axis=1)
    work = np.concatenate([[0.0], np.cumsum(0.5 * 0.01 * (power[1:] + power[:-1]))])
    out.append(
        at_most(
            "energy against the work of the drag, h = 0.01",
            "DampedOscillator",
            "gni-midpoint",
            np.max(np.abs(E - E[0] - work)),
            1e-4,
        )
    )
    out.append(
        at_least("energy lost at t = 5", "DampedOscillator", "gni-midpoint", E[0] - E[-1], 0.2)
    )
    return out


class SphericalPendulum(da.MechanicalSystem):
    """A particle on the unit sphere: one holonomic constraint."""

    space = da.Euclidean(3)
    mass = jnp.eye(3)

    def potential(self, q):
        return 2.0 * q[2]

    def holonomic(self, q):
        return jnp.array([0.5 * (q @ q - 1.0)])


class RollingOnSphere(SphericalPendulum):
    """A holonomic constraint beside a nonholonomic one."""

    def constraint(self, q):
        return jnp.array([[-q[1], q[0], 0.3]])


def holonomic() -> list[Claim]:
    """DLA keeps g(q) = 0 at the nodes; order 2, with and without a nonholonomic constraint."""
    out = []
    q0 = jnp.array([0.6, 0.0, -0.8])
    for system in (SphericalPendulum(), RollingOnSphere()):
        v0 = dynamics.consistent_velocity(system, q0, jnp.array([0.4, 0.9, 0.5]))
        reference = da.simulate(system, da.Reference(), q0, v0, h=0.25, steps=4).final
        errors, worst = [], 0.0
        for n in (40, 80, 160):
            run = da.simulate(system, da.DLA(), q0, v0, h=1.0 / n, steps=n)
            errors.append(np.max(np.abs(run.final.q - reference.q)))
            worst = max(worst, float(np.max(np.abs(jax.vmap(system.holonomic)(run.q)))))
        name = type(system).__name__
        out.append(at_most("g(q) at the nodes", name, "dla-midpoint", worst, 1e-12))
        out.append(near("order", name, "dla-midpoint", np.log2(errors[1] / errors[2]), 2, 0.1))
    return out


def pair_start() -> list[Claim]:
    """A start from (q0, q1) of a run repeats the run."""
    out = []
    for system, methods in (
        (da.systems.ChaplyginSleigh(), (da.GNI(), da.DLA())),
        (da.systems.PerturbedContactOscillator(), (da.GNI(da.Trapezoidal()),)),
    ):
        for method in methods:
            a = da.simulate(system, method, h=0.05, steps=50)
            b = da.simulate(system, method, a.q[0], q1=a.q[1], h=0.05, steps=50)
            gap = max(diagnostics.distance(a.q, b.q), diagnostics.distance(a.v, b.v))
            out.append(
                at_most("start from (q0, q1), 50 steps", system.name(), method.name, gap, 1e-11)
            )
    return out


def custom_lagrangian() -> list[Claim]:
    """A user's own Ld: Simpson's rule; equal to T where it should be, order 2."""
    sleigh = da.systems.ChaplyginSleigh()

    def simpson(system, h, g):
        rules = ((1 / 6, da.EulerA()), (4 / 6, da.Midpoint()), (1 / 6, da.EulerB()))
        return sum(w * rule.lagrangian(system, h, g) for w, rule in rules)

    method = da.GNI(CustomRule(simpson, label="simpson", order=2, symmetric=True))
    exact = sleigh.closed_form(2.0)
    errors = [
        diagnostics.distance((end.q, end.v), exact)
        for n in (40, 80, 160)
        for end in [da.simulate(sleigh, method, h=2.0 / n, steps=n, save_every=n).final]
    ]
    slope = np.log2(errors[-2] / errors[-1])
    return [near("order with a user's Ld (Simpson)", sleigh.name(), method.name, slope, 2, 0.1)]


def gradients() -> list[Claim]:
    """Through 1,000 steps against central differences, forward and reverse."""
    out = []
    oscillator = da.systems.PerturbedContactOscillator(epsilon=0.5)
    q0 = jnp.array([1.0, 0.4, 0.2])
    v0 = dynamics.consistent_velocity(oscillator, q0, jnp.array([0.5, 0.7, 0.2]))
    cases = (
        (oscillator, "m", da.GNI(da.Trapezoidal()), q0, v0, 2e-7),
        (
            da.systems.ChaplyginSleigh(),
            "m",
            da.GNI(),
            *da.systems.ChaplyginSleigh().initial(),
            1e-6,
        ),
        (da.systems.ChaplyginBall(), "m", da.GNI(), *da.systems.ChaplyginBall().initial(), 5e-9),
    )
    for system, parameter, method, q, v, bound in cases:

        def final(x, dv, system=system, parameter=parameter, method=method, q=q, v=v):
            changed = system.with_parameters(**{parameter: x})
            start = dynamics.consistent_velocity(changed, q, v + dv)
            run = da.simulate(changed, method, q, start, h=0.005, steps=1000, save_every=1000)
            return jnp.sum(changed.path(run.final.q) * jnp.array([1.0, 0.5]))

        x0, dv0 = jnp.asarray(float(getattr(system, parameter))), jnp.zeros(system.dim)
        e0 = dv0.at[0].set(1.0)

        @jax.jit  # the value, and both kinds of derivatives of one linearization
        def slopes(x, dv, final=final, e0=e0):
            y, along = jax.linearize(final, x, dv)
            (back,) = jax.linear_transpose(lambda t: along(*t), (x, dv))(jnp.ones(()))
            forward = along(jnp.ones(()), 0 * dv), along(jnp.zeros(()), e0)
            return y, forward, (back[0], back[1][0])

        _, forward, reverse = slopes(x0, dv0)
        eps = 1e-4

        def value(x, dv, slopes=slopes):
            return slopes(x, dv)[0]

        d_x = (value(x0 + eps, dv0) - value(x0 - eps, dv0)) / (2 * eps)
        d_v = (value(x0, eps * e0) - value(x0, -eps * e0)) / (2 * eps)
        scale = max(1.0, abs(float(d_x)), abs(float(d_v)))
        for mode, (g_x, g_v) in (("forward", forward), ("reverse", reverse)):
            gap = max(abs(float(g_x - d_x)), abs(float(g_v - d_v))) / scale
            out.append(
                at_most(
                    f"gradient through 1,000 steps, {mode}, against differences",
                    system.name(),
                    method.name,
                    gap,
                    bound,
                )
            )
    return out


def gradient_of_the_motion() -> list[Claim]:
    """The gradient of a GNI run converges to that of the closed form."""
    sleigh = da.systems.ChaplyginSleigh()
    q, v = sleigh.initial()

    def x_at(a, h, row):  # with both steps at t = 2, by one compiled run of 200 steps
        run = da.simulate(sleigh.with_parameters(a=a), da.GNI(), q, v, h=h, steps=200)
        return run.q[row, 0]

    a, slope = jnp.asarray(0.2), jax.jit(jax.grad(x_at))
    closed = jax.jit(jax.grad(lambda a: sleigh.with_parameters(a=a).closed_form(2.0, q, v)[0][0]))
    coarse, fine = (abs(float(slope(a, 2.0 / n, n) - closed(a))) for n in (100, 200))
    return [
        near(
            "order of the gradient against the closed form's",
            sleigh.name(),
            "gni-midpoint",
            np.log2(coarse / fine),
            2,
            0.1,
        )
    ]


def groups() -> dict:
    return {
        f"forms: {group.__name__.replace('_', ' ')}": group
        for group in (
            explicit_forms,
            leapfrog_as_composition,
            constant_mass_on_groups,
            forces,
            holonomic,
            pair_start,
            custom_lagrangian,
            gradients,
            gradient_of_the_motion,
        )
    }
