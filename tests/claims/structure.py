"""What is kept: constraints over long runs, adjointness, energy, momentum, eigenvalues."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics, dynamics
from dalembert.methods import registry
from dalembert.methods.rules import discrete_constraint, legendre_minus, legendre_plus

from . import Claim, at_least, at_most
from .examples import Bent

# -- constraints -------------------------------------------------------------------------------


def long_run(case: str, name: str) -> list[Claim]:
    """10^5 steps: the largest residual of the first and of the last tenth."""
    system = da.systems.registry[case]()
    method = registry[name]()
    run = da.simulate(system, method, h=0.05, steps=100_000, save_every=10)
    tenth = len(run) // 10
    first, last = run[:tenth], run[-tenth:]
    residual = [np.max(diagnostics.constraint_residual(system, x)) for x in (first, last)]
    # relative to the speed, which grows or falls on some of these systems
    speed = [np.max(np.abs(x.v)) for x in (first, last)]
    relative = [r / max(s, 1.0) for r, s in zip(residual, speed, strict=True)]
    label = "constraint residual, 10^5 steps,"
    made = not name.startswith("dla")  # projected velocities
    return [
        at_most(f"{label} {which} tenth", case, name, x, 1e-13, by_construction=made)
        for which, x in zip(("first", "last"), relative, strict=True)
    ]


def discrete_constraints(case: str, name: str) -> list[Claim]:
    """The discrete constraint of DLA, recomputed from the trajectory."""
    system = da.systems.registry[case]()
    method = registry[name]()
    h = 0.05
    run = da.simulate(system, method, h=h, steps=10_000)
    rule = method.constraint_rule or method.rule

    def residual(t, q0, q1, f0, f1):
        g = (q0, q1)
        if f0 is not None:
            group = system.groupoid.group
            g = (q0, q1, group.mul(group.inv(f0), f1))
        return jnp.max(jnp.abs(discrete_constraint(rule, system, t, h, g)))

    ends = [jax.tree.map(lambda x, s=s: x[s], run.q) for s in (slice(None, -1), slice(1, None))]
    frames = [
        jax.tree.map(lambda x, s=s: x[s], run.frame) for s in (slice(None, -1), slice(1, None))
    ]
    values = jax.jit(jax.vmap(residual))(run.t[:-1], *ends, *frames)
    # (q1 - q0)/h of positions far out has their round-off, divided by h
    far = max(1.0, *(float(np.max(np.abs(x))) for x in jax.tree.leaves(run.q)))
    text = "discrete constraint, 10^4 steps, relative to the largest coordinate"
    return [at_most(text, case, name, np.max(values) / far, 1e-12)]


# -- adjointness of Euler A and B in the variables of (13), (14) [F15] -------------------------


def _euler(sign: float, system, h, q, p, lam):
    """(13) for sign +1, (14) for sign -1 [F15], with the multiplier's sign of the paper."""
    V = jax.grad(system.potential)
    mu, M = system.constraint, jnp.asarray(system.mass)
    half = p - 0.5 * h * (V(q) + mu(q).T @ lam)
    q1 = q + h * jnp.linalg.solve(M, half)
    mu1, V1 = mu(q1), V(q1)
    # mu M^-1 (p1 + sign h/2 V1) = 0 with p1 = half - h/2 (V1 + mu1^T lam1)
    C = mu1 @ jnp.linalg.solve(M, mu1.T)
    known = half - 0.5 * h * V1 + sign * 0.5 * h * V1
    lam1 = jnp.linalg.solve(0.5 * h * C, mu1 @ jnp.linalg.solve(M, known))
    return q1, half - 0.5 * h * (V1 + mu1.T @ lam1), lam1


def adjointness() -> list[Claim]:
    """F_A^h after F_B^-h is the identity on the h-dependent set, and not off it."""
    system, name, h = Bent(), "bent", 0.1
    q = jnp.array([1.0, 0.4, 0.2])
    P, _ = dynamics.projectors(system, q)
    lam = jnp.array([0.3])
    shift = 0.5 * h * jax.grad(system.potential)(q)
    on = P.T @ jnp.array([0.5, 0.7, 0.2]) - shift  # mu M^-1 (p + h/2 V_q) = 0
    out = []
    for p, claim, bound, where in (
        (on, at_most, 1e-13, "on the set"),
        (on + 0.3 * system.constraint(q)[0], at_least, 1.0, "off the set"),
    ):
        back = _euler(+1.0, system, h, *_euler(-1.0, system, -h, q, p, lam))
        defect = diagnostics.distance(back, (q, p, lam))
        out.append(claim(f"F_A^h F_B^-h - id, {where}", name, "euler a, b", defect, bound))
    # the same for the methods of the library, on the states that `Method.adjoint` speaks of
    for method in (da.GNI(da.EulerA()), da.DLA(da.EulerA()), da.MPEuler()):
        defect = undone(method, system, h, q, P @ jnp.array([0.5, 0.35, 0.1]))
        text = f"{method.adjoint().name}^h after it^-h - id"
        out.append(at_most(text, name, method.name, defect, 1e-13))
    method = da.GNI(da.EulerA())
    defect = undone(method, system, h, q, P @ jnp.array([0.5, 0.35, 0.1]), as_carried=True)
    text = f"{method.adjoint().name}^h after it^-h - id, on p_minus against p_minus"
    out.append(at_least(text, name, method.name, defect, 5e-2))
    return out


def undone(method, system, h, q, v, *, as_carried: bool = False) -> float:
    """How far a step -h of a method and a step h of its adjoint miss the start, from (q, v).

    GNI is undone on the momentum that arrives where the other one leaves: p_plus against p_minus;
    `as_carried` compares what it carries instead, which it does not promise.
    """
    gni, t = isinstance(method, da.GNI), jnp.zeros(())

    @jax.jit
    def run():
        def arrived(advance):
            if not gni or as_carried:
                return advance.carry
            return advance.carry._replace(p_minus=2.0 * advance.row.p - advance.carry.p_minus)

        def state(carry):
            return carry.q, carry.p_minus if gni else carry.v

        start, _ = method.start(system, t, -h, q, v)
        back = arrived(method.step(system, t, -h, start))
        if gni:  # the guess of the next move points the other way
            back = back._replace(move=-back.move, change=0.0 * back.change)
        home = arrived(method.adjoint().step(system, t, h, back))
        return state(home), state(start)

    return diagnostics.distance(*run())


def literal_composition() -> list[Claim]:
    """The composition of (13) and (14) as printed does not converge; reflected, it does."""
    system = Bent()
    q0 = jnp.array([1.0, 0.4, 0.2])
    v0 = dynamics.consistent_velocity(system, q0, jnp.array([0.5, 0.7, 0.2]))
    reference = da.simulate(system, da.Reference(), q0, v0, h=0.5, steps=4).final

    @jax.jit
    def literal(h, n):
        p0 = dynamics.momentum(system, q0, v0)
        lam0 = -dynamics.multipliers(system, q0, v0)

        def both(_, state):
            state = _euler(+1.0, system, 0.5 * h, *state)
            return _euler(-1.0, system, 0.5 * h, *state)

        return jax.lax.fori_loop(0, n, both, (q0, p0, lam0))[0]

    errors = [np.max(np.abs(literal(2.0 / n, n) - reference.q)) for n in (100, 400, 1600)]
    composed = da.simulate(
        system, da.Composition(), q0, v0, h=2.0 / 400, steps=400, save_every=400
    ).final
    good = np.max(np.abs(composed.q - reference.q))
    return [
        at_least(
            "error of the literal composition, h = 1/800", "bent", "(13), (14)", errors[2], 5e-2
        ),
        at_least(
            "ratio of its errors, h = 1/50 and 1/800",
            "bent",
            "(13), (14)",
            errors[2] / errors[0],
            0.5,
        ),
        at_most(
            "error with a reflection at every node, h = 1/200",
            "bent",
            "gni-euler-a-then-euler-b",
            good,
            5e-6,
        ),
    ]


# -- energy ------------------------------------------------------------------------------------


class TurningPlane(da.System):
    """A bi-invariant metric on SO(3) and a plane of velocities that turns with the attitude."""

    space = da.SO(3)

    def lagrangian(self, q, v):
        return v @ v

    def constraint(self, q):
        return (jnp.array([0.3, -0.2, 1.0]) + 0.7 * q[0, 2] * q[1])[None, :]


def _half_momenta(system, method, q0, v0, h, steps):
    """q, p_minus, p_plus and the reported p at every node."""

    @jax.jit
    def run():
        t = jnp.zeros(())
        carry, row = method.start(system, t, h, q0, v0)

        def step(carry, _):
            advance = method.step(system, t, h, carry)
            p = advance.row.p
            return advance.carry, (advance.row.q, advance.carry.p_minus, p)

        return jax.lax.scan(step, carry, length=steps)[1]

    q, p_minus, p = run()
    return q, p_minus, 2.0 * p - p_minus, p


def _spread(x) -> float:
    return float(np.max(x) - np.min(x))


def energy_theorem() -> list[Claim]:
    """Theorem 1 [F08]: H of p_minus and p_plus constant, H of the mean not."""
    out = []
    board = da.systems.Snakeboard()
    turning = TurningPlane()
    vt = dynamics.consistent_velocity(turning, jnp.eye(3), jnp.array([0.8, -0.5, 0.3]))
    for system, q0, v0, least in (
        (da.systems.NonholonomicParticle(), *da.systems.NonholonomicParticle().initial(), 5e-5),
        (board, *board.initial(), 0.1),
        (turning, jnp.eye(3), vt, 1e-5),
    ):
        q, minus, plus, mean = _half_momenta(system, da.GNI(), q0, v0, 0.1, 500)
        H = jax.jit(
            jax.vmap(lambda q, p, s=system: dynamics.energy(s, q, dynamics.velocity(s, q, p)))
        )
        name = system.name()
        scale = float(H(q, minus)[0])
        for p, claim, bound, what in (
            (minus, at_most, 1e-12, "p_minus"),
            (plus, at_most, 1e-12, "p_plus"),
            (mean, at_least, least, "the mean"),
        ):
            text = f"spread of the energy of {what}, 500 steps, relative"
            out.append(claim(text, name, "gni-midpoint", _spread(H(q, p)) / scale, bound))
    return out


def moser_veselov() -> list[Claim]:
    """Exact energy of GNI with the Moser-Veselov Lagrangian; E1 - E0 + E(lam mu) = 0 for DLA."""
    out = []
    for system, lost in ((da.systems.Suslov(), 2e-3), (da.systems.SuslovSoN(), 1e-2)):
        q0, v0 = system.initial()
        name, I = system.name(), dynamics.metric(system, q0)

        def H(p, I=I):
            return 0.5 * jnp.sum(p * jnp.linalg.solve(I, p.T).T, axis=-1)

        gni = da.GNI(da.MoserVeselov())
        _, minus, plus, _ = _half_momenta(system, gni, q0, v0, 0.1, 500)
        spread = max(_spread(H(minus)), _spread(H(plus))) / float(H(minus)[0])
        out.append(
            at_most("spread of the energy, 500 steps, relative", name, gni.name, spread, 1e-12)
        )
        rule = da.MoserVeselov()
        dla = da.DLA(rule, da.MomentumAtStart(rule))
        run = da.simulate(system, dla, q0, v0, h=0.1, steps=40)
        # (6.7)-(6.8): p is projected where it arrives; what is lost is the energy of the impulse
        mu = system.constraint(q0)
        impulse = 0.1 * diagnostics.discrete_multiplier(system, dla, run) @ mu
        E = H(run.p)
        defect = np.max(np.abs(E[1:-1] - E[:-2] + H(impulse)))
        out.append(at_most("E1 - E0 + E(lam mu), (6.7)-(6.8)", name, dla.name, defect, 1e-13))
        out.append(at_least("energy lost at t = 4", name, dla.name, E[0] - E[-1], lost))
    return out


# -- momentum ----------------------------------------------------------------------------------


def momentum_equation() -> list[Claim]:
    """Theorem 2 [F08]: J_k - J_{k-1} along a section of the bundle g^D equals its change."""
    out = []
    particle = da.systems.NonholonomicParticle()
    board = da.systems.Snakeboard()

    # sections xi(q) of the symmetry directions in the constraint, as vectors on Q
    def along_particle(q):
        return jnp.array([1.0, 0.0, q[1]])

    def along_board(q):
        # the translations and rotation of the plane that the wheels allow
        mu = board.constraint(q)[:, :3]
        return jnp.concatenate([jnp.cross(mu[0], mu[1]), jnp.zeros(2)])

    def as_element(system, q, xi):
        """Generator of SE(2) or R^2 with value xi at q, evaluated at another point."""
        if system is particle:
            return lambda x: xi
        w = xi[2]
        return lambda x: jnp.array(
            [xi[0] - w * (x[1] - q[1]), xi[1] + w * (x[0] - q[0]), w, 0.0, 0.0]
        )

    for system, section in ((particle, along_particle), (board, along_board)):
        q0, v0 = system.initial()
        for method in (da.GNI(), da.DLA()):
            h, steps = 0.1, 200
            run = da.simulate(system, method, q0, v0, h=h, steps=steps)
            rule = method.rule

            def residual(qa, qb, qc, system=system, section=section, rule=rule, h=h):
                t = jnp.zeros(())
                xi_b = as_element(system, qb, section(qb))
                xi_c = as_element(system, qc, section(qc))
                p_plus = legendre_plus(rule, system, t, jnp.asarray(h), (qa, qb))
                p_minus = legendre_minus(rule, system, t, jnp.asarray(h), (qb, qc))
                p_next = legendre_plus(rule, system, t, jnp.asarray(h), (qb, qc))
                J_b, J_c = p_plus @ xi_b(qb), p_next @ xi_c(qc)
                # (7.25) [C02]: the change of J is that of the section along the step
                change = p_next @ (xi_c(qc) - xi_b(qc))
                return jnp.abs(J_c - J_b - change), jnp.abs(p_minus @ xi_b(qb) - J_b)

            values = jax.jit(jax.vmap(residual))(run.q[:-2], run.q[1:-1], run.q[2:])
            worst = max(float(np.max(v)) for v in values)
            text = "discrete momentum equation, 200 steps"
            out.append(at_most(text, system.name(), method.name, worst, 1e-12))
    run = da.simulate(board, da.GNI(), h=0.1, steps=1000)
    drift = max(
        _spread(series)
        for key, series in diagnostics.invariants(board, run).items()
        if key in ("p_psi", "p_phi")
    )
    out.append(
        at_most("horizontal momenta p_psi, p_phi", board.name(), "gni-midpoint", drift, 1e-12)
    )
    return out


# -- the contact oscillator --------------------------------------------------------------------


def contact_eigenvalues() -> list[Claim]:
    """Eigenvalues of the time-N map, N = 40, a = 1, against the values of two other codes."""
    system, N = da.systems.ContactOscillator(), 40
    h = 2.0 * np.sin(np.pi / N)
    out = []

    def node_map(method, vy0):
        def run(x):
            q = jnp.array([x[0], 0.0, x[1]])
            v = jnp.array([0.0, vy0, x[2]])  # x' + y z' = 0 at y = 0
            carry, _ = method.start(system, jnp.zeros(()), h, q, v)
            step = lambda _, c: method.step(system, jnp.zeros(()), h, c).carry
            end = jax.lax.fori_loop(0, N, step, carry)
            return jnp.array([end.q[0], end.q[2], end.v[2]])

        return jax.jit(jax.jacfwd(run))(jnp.array([0.3, -0.2, 0.4]))

    def shake_map(vy0):
        method = da.Shake()

        def run(x):  # (x, z) and the velocities between the nodes
            q = jnp.array([x[0], 0.0, x[1]])
            from dalembert.methods.constant_mass import NodeState

            carry = NodeState(q, jnp.array([x[2], vy0, x[3]]), jnp.zeros(1))
            step = lambda _, c: method.step(system, jnp.zeros(()), h, c).carry
            end = jax.lax.fori_loop(0, N, step, carry)
            return jnp.array([end.q[0], end.q[2], end.v[0], end.v[2]])

        return jax.jit(jax.jacfwd(run))(jnp.array([0.3, -0.2, 0.1, 0.4]))

    c = np.cos(np.pi / N)
    for name, matrix, wanted in (
        ("leapfrog", node_map(da.Leapfrog(), 1.0 / c), (1.0, -0.8551311589848 + 0.5184117098729j)),
        (
            "mp-euler",
            node_map(da.MPEuler(), c),
            (0.8676806210089, -0.8379556352403 + 0.5155295356071j),
        ),
        ("shake", shake_map(c), (1.0, -0.8516629486197 + 0.5240898987256j)),
    ):
        found = np.linalg.eigvals(np.asarray(matrix))
        for value in wanted:
            worst = np.min(np.abs(found - value))
            out.append(
                at_most(
                    f"eigenvalue {value:.6f} of the time-40 map",
                    "contact-oscillator",
                    name,
                    worst,
                    1e-11,
                )
            )
    return out


def groups() -> dict:
    out = {
        f"long run: {name} on {case}": functools.partial(long_run, case, name)
        for case, name in (
            ("chaplygin-sleigh", "gni-midpoint"),
            ("perturbed-contact-oscillator", "gni-trapezoidal"),
            ("perturbed-contact-oscillator", "leapfrog"),
            ("chaplygin-ball", "gni-midpoint"),
            ("ball-on-turntable", "gni-trapezoidal"),
            ("mobile-robot", "dla-midpoint"),
        )
    }
    out |= {
        f"discrete constraint: {name} on {case}": functools.partial(
            discrete_constraints, case, name
        )
        for case, name in (
            ("chaplygin-sleigh", "dla-midpoint"),
            ("chaplygin-sleigh", "dla-trapezoidal"),
            ("perturbed-contact-oscillator", "dla-euler-a"),
            ("ball-on-turntable", "dla-midpoint"),
        )
    }
    for group in (
        adjointness,
        literal_composition,
        energy_theorem,
        moser_veselov,
        momentum_equation,
        contact_eigenvalues,
    ):
        out[group.__name__.replace("_", " ")] = group
    return out
