"""[C02] 6.4.2: a particle whose constraint vanishes on a curve; both questions of the book."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics, hybrid

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

PARTICLE = da.systems.ParticleAcrossCone()
Y = 0.7  # y in m of the singular point (0, y, y^2)
POINT = jnp.array([0.0, Y, Y**2])
H, STEPS = 0.01, 300
STARTS = {"y' = 0": (1.0, 0.0, 0.3), "tangent to C": (1.0, 0.4, -0.14)}  # initial velocities, m/s


class OnSurface(da.systems.ParticleAcrossCone):
    """The particle held on the surface C, without another constraint."""

    def constraint(self, q):
        return jnp.zeros((0, 3))

    def holonomic(self, q):
        return self.surface(q)[None]


@experiment(
    "c02-cone",
    source="[C02] 6.4.2, (6.23), (6.24)",
    title="A particle that crosses the curve where its constraint vanishes",
    see="On the surface C motions do cross the singular curve, with a finite reaction and without "
    "a jump: the book's first question. What may happen behind it is not determined: the second.",
)
def cone(full: bool, seed: int) -> Outcome:
    """Test the equations at random states, a motion on C through S, and exits from S."""
    rng = np.random.default_rng(seed)
    equations = _equations(rng)
    D = hybrid.Codistribution(PARTICLE)
    ranks = [D.at(jnp.array([0.0, y, y**2])).rank for y in rng.uniform(-1, 1, 20)]
    around = [D.at(jnp.asarray(q)).rank for q in rng.normal(size=(20, 3))]
    run, crossing = _crossing()
    outside, careless = _outside(), _careless()
    limits = [
        D.limit(lambda s: jnp.array([s**2, Y, Y**2 + s])),  # x << z - y^2
        D.limit(lambda s: jnp.array([s, Y, Y**2 + s**2])),  # z - y^2 << x
    ]
    angle = _angle(limits[0].rows[0], limits[1].rows[0])
    exits = {
        name: hybrid.jump_across(PARTICLE, POINT, jnp.asarray(v), starts=24 if full else 12)
        for name, v in STARTS.items()
    }
    first = exits["y' = 0"].exits
    families = _families(exits)
    claims = [
        Claim(
            "L = (|q'|^2 + x^2 + y^2 + z^2 - 2 z)/2 has the force -x dx - y dy + (1 - z) dz",
            [Check("largest difference of dL/dq from it", equations["L"], high=1e-12, unit="N")],
            [Check("with -(x^2 + y^2 + z^2 - 2 z)/2", equations["L right"], high=1e-12, unit="N")],
            "The potential has the other sign.",
        ),
        Claim(
            "the equations (6.24) with the multiplier (6.23)",
            [Check("largest difference of the accelerations", equations["6.24"], high=1e-12,
                   unit="m/s^2")],
            [Check("with -lambda on the right", equations["6.24 right"], high=1e-12,
                   unit="m/s^2")],
            "(6.23) is the multiplier of Z = -(...), so that it is subtracted: "
            "q'' + grad V = -lambda mu.",
        ),
        Claim(
            "the singular set is S = {x = 0, z = y^2}; the rank is 0 on it and 1 elsewhere",
            [
                Check("largest rank at 20 points of S, with y^2 rounded", max(ranks), 0, 0),
                Check("least rank at 20 random points", min(around), 1, 1),
            ],
        ),
        Claim(
            "C = {z = x^2 + y^2 - x y} contains S and is an integral surface of the constraint",
            [
                Check("the form less x dC on C, largest entry", equations["x dC"], high=1e-12),
                Check("z - x^2 - y^2 + x y on S, largest", equations["S in C"], high=1e-12,
                      unit="m"),
            ],
        ),
        Claim(
            "question 1: is there a motion of (6.24) that crosses S? (not known to the book)",
            [
                Check("crossings of x = 0 in 3 s by the motion on C", crossing["times"], low=1),
                Check("largest |z - y^2| where x = 0", crossing["off S"], high=1e-12, unit="m"),
                Check("difference from (6.24) where |x| > 0.02 m, largest", crossing["equation"],
                      high=1e-12, unit="m/s^2"),
                Check("constraint at all rows, largest", crossing["constraint"], high=1e-12),
                Check("largest reaction", crossing["reaction"], high=4.0, unit="N"),
                Check("largest change of the velocity in a step, over h", crossing["jump"],
                      high=4.0, unit="m/s^2"),
            ],
            note="Yes. On C the form is x dC, and the reaction is that of the surface: finite, "
            "without a jump.",
        ),
        Claim(
            "motions off C can cross it through S only",
            [
                Check("distance from S of the last row of an accurate solver", outside["distance"],
                      high=0.02, unit="m"),
                Check("time of it, when the rank is lost", outside["time"], high=10.0, unit="s"),
                Check("changes of sign of z - x^2 - y^2 + x y until then", outside["signs"], 0, 0),
            ],
            note="It comes to S within seconds, where methods of constant rank refuse to go on.",
        ),
        Claim(
            "a simulation that takes no notice crosses C through points that are not in S",
            [
                Check("distance from S where RK4 with h = 0.05 s crosses C", careless["distance"],
                      low=0.01, unit="m"),
                Check("energy changed by it", careless["energy"], low=1e-2, unit="J"),
                Check("losses of rank that are found between its rows", careless["found"], low=1),
                Check("time of the first one less that of the crossing", careless["late"],
                      high=0.06, unit="s", why="a step, within which it is to be found"),
            ],
            note="`hybrid.rank_losses` tells of a run whether it has stepped over such a point.",
        ),
        Claim(
            "on approaching S the multiplier (6.23) can become higher and higher",
            [
                Check("largest multiplier over the least, |x| < 0.1 m", crossing["growth"],
                      low=10.0),
                Check("multiplier times x: spread there, relative", crossing["product"], high=0.2),
            ],
            note="It grows as 1/x, and the force does not.",
        ),
        Claim(
            "D+ depends on the curve: x << z - y^2 and z - y^2 << x have different limits",
            [
                Check("sine of the angle between the limits", angle, low=0.1),
                Check("first one from span(dx - dy), sine", _angle(limits[0].rows[0],
                      np.array([1.0, -1.0, 0.0])), high=1e-12),
                Check("second one from span(dz - y dy), sine", _angle(limits[1].rows[0],
                      np.array([0.0, -Y, 1.0])), high=1e-12),
            ],
        ),
        Claim(
            "question 2: with the same balance of x and z - y^2 on both sides there is no jump",
            [
                Check("sine of the angle from D+ to D- then", first[0].crossing.outside,
                      high=1e-12),
                Check("change of the velocity", families["least change"], high=1e-12, unit="m/s"),
            ],
        ),
        Claim(
            "question 2: the constraint alone does not determine what happens behind S",
            [
                Check("exits from a velocity with y' = 0", len(first), 3, 3),
                Check("least of |y'| and the distance to the tangent plane of C, largest",
                      families["off"], high=1e-11, unit="m/s"),
                Check("exits of the family y' = 0", families["flat"], low=1),
                Check("exits of the family tangent to C", families["tangent"], low=1),
            ],
            note="With (z - y^2)/x -> c behind the point D+ is the span of (-c, c - y, 1), and "
            "consistent exits obey y' (y + c) = 0: two families.",
        ),
    ]  # fmt: skip
    table = Table(
        ("velocity before [m/s]", "exit [m/s]", "c", "energy lost [J]", "case", "jump"),
        [
            (_text(STARTS[name]), _text(x.jump.v_after), _slope(x), x.jump.energy_lost,
             x.crossing.case, "yes" if x.jumps else "no")
            for name, found in exits.items() for x in found.exits
        ],
        f"All exits from (0, {Y:g}, {Y**2:g}) m that were found; c is (z - y^2)/x behind it.",
    )  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 3.8), columns=2) as (fig, (left, right), look):
            q, t = np.asarray(run.q), np.asarray(run.t)
            left.plot(t, q[:, 0], color=look.curves[0], lw=2, label="x")
            left.plot(t, q[:, 2] - q[:, 1] ** 2, color=look.curves[1], lw=2, label="z - y^2")
            left.axhline(0, color=look.muted, lw=0.8)
            left.set(xlabel="t [s]", ylabel="[m]")
            da.plots.finish(left, look, "both vanish at once: S is crossed", "above")
            right.semilogy(
                t,
                np.abs(crossing["lam"]),
                color=look.curves[0],
                lw=2,
                label="multiplier of the form",
            )
            right.semilogy(t, crossing["force"], color=look.curves[1], lw=2, label="force [N]")
            right.set(xlabel="t [s]", ylabel="size")
            da.plots.finish(right, look, "a multiplier with a pole", "upper right")
        return fig  # fmt: skip

    picture = Picture(
        "",
        "Left: a motion on C; where x vanishes z - y^2 does, too. Right: the multiplier of the "
        "printed form grows without bound there, the force that it stands for stays finite.",
        "Two coordinates that cross zero together, and a multiplier with a pole beside a smooth "
        "force",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _printed_multiplier(q, v):
    """Evaluate the multiplier (6.23) for unit mass, as printed."""
    (x, y, z), (a, b, c) = q, v
    top = -2 * x * a**2 + y * b * a - 2 * y * b**2 - x * b**2 + b * c + x**3 + y**3 - y * z + x
    return top / ((y**2 - x**2 - z) ** 2 + (z - y**2 - x * y) ** 2 + x**2)


def _equations(rng: np.random.Generator) -> dict[str, float]:
    q = jnp.asarray(rng.normal(size=(50, 3)))
    v = jnp.asarray(rng.normal(size=(50, 3)))

    @jax.jit
    @jax.vmap
    def facts(q, v):
        v = dynamics.consistent_velocity(PARTICLE, q, v)
        force = jnp.array([0.0, 0.0, 1.0]) - q
        mu, lam = PARTICLE.constraint(q)[0], _printed_multiplier(q, v)
        slope = jax.grad(lambda q: 0.5 * (q @ q) - q[2])(q)
        a = dynamics.acceleration(PARTICLE, q, v)
        on = jnp.stack([q[0], q[1], q[0] ** 2 + q[1] ** 2 - q[0] * q[1]])
        row = PARTICLE.constraint(on)[0] - q[0] * jax.grad(PARTICLE.surface)(on)
        S = jnp.stack([jnp.zeros(()), q[1], q[1] ** 2])
        return (
            slope - force,
            -slope - force,
            a - (force + lam * mu),
            a - (force - lam * mu),
            row,
            PARTICLE.surface(S),
        )

    names = ("L", "L right", "6.24", "6.24 right", "x dC", "S in C")
    return {name: float(jnp.max(jnp.abs(x))) for name, x in zip(names, facts(q, v))}


def _crossing() -> tuple[da.Trajectory, dict]:
    """Simulate a motion on C through S, and test whether it satisfies (6.24)."""
    surface = OnSurface()
    q = jnp.array([0.6, 0.4, 0.6**2 + 0.4**2 - 0.24])
    v = dynamics.consistent_velocity(surface, q, jnp.array([-0.6, 0.3, 0.0]))
    edge = da.Event(lambda t, q, v: q[0])
    run = da.simulate(surface, da.Gauss(2), q, v, h=H, steps=STEPS, events={"S": edge})

    @jax.jit
    @jax.vmap
    def facts(q, v):
        a = dynamics.acceleration(surface, q, v)
        force = dynamics.reaction_force(surface, q, v)
        own = dynamics.acceleration(PARTICLE, q, v)
        return a - own, force, PARTICLE.constraint(q) @ v

    off, force, residual = (np.asarray(x) for x in facts(run.q, run.v))
    x = np.asarray(run.q)[:, 0]
    lam = -np.asarray(jax.vmap(_printed_multiplier)(run.q, run.v))
    near, far = np.abs(x) < 0.1, np.abs(x) > 0.02
    assert run.events is not None  # because events= was given
    at = np.asarray(run.events["S"].q)
    product = (lam * x)[near & (np.abs(x) > 1e-3)]
    steps = np.diff(np.asarray(run.v), axis=0) / H
    sizes = np.abs(lam[near])
    return run, {
        "times": len(at),
        "off S": float(np.max(np.abs(at[:, 2] - at[:, 1] ** 2), initial=0.0)),
        "equation": float(np.max(np.abs(off[far]))),
        "constraint": float(np.max(np.abs(residual))),
        "reaction": float(np.max(np.linalg.norm(force, axis=1))),
        "jump": float(np.max(np.abs(steps))),
        "growth": float(np.max(sizes) / np.min(sizes)),
        "product": float(np.ptp(product) / np.max(np.abs(product))),
        "lam": lam,
        "force": np.linalg.norm(force, axis=1),
    }


def _outside() -> dict[str, float]:
    """Simulate a motion off C until it reaches S."""
    q = jnp.array([1.0, 0.2, 0.3])
    v = dynamics.consistent_velocity(PARTICLE, q, jnp.array([0.2, 0.3, 0.234]))
    try:
        run = da.simulate(PARTICLE, da.Reference(), q, v, h=0.01, steps=1000)
    except da.SimulationError as failed:
        run = failed.trajectory
    x, y, z = np.asarray(run.q).T
    side = np.sign(np.asarray(jax.vmap(PARTICLE.surface)(run.q)))
    return {
        "distance": float(np.hypot(x[-1], z[-1] - y[-1] ** 2)),
        "time": float(run.t[-1]),
        "signs": int(np.sum(side[1:] != side[:-1])),
    }


def _careless() -> dict[str, float]:
    """Simulate the same motion with a method that steps over S."""
    q = jnp.array([1.0, 0.2, 0.3])
    v = dynamics.consistent_velocity(PARTICLE, q, jnp.array([0.2, 0.3, 0.234]))
    run = da.simulate(PARTICLE, da.RK4(), q, v, h=0.05, steps=120)
    x, y, z = np.asarray(run.q).T
    side = np.asarray(jax.vmap(PARTICLE.surface)(run.q))
    i = int(np.argmax(side[1:] * side[:-1] < 0.0))
    times = hybrid.rank_losses(PARTICLE, run)
    first = float(times[0]) if len(times) else np.inf
    return {
        "distance": float(np.hypot(x[i], z[i] - y[i] ** 2)),
        "energy": float(np.ptp(da.diagnostics.energy(PARTICLE, run))),
        "found": len(times),
        "late": abs(first - float(run.t[i])),
    }


def _families(exits: dict[str, hybrid.Exits]) -> dict[str, float]:
    flat = tangent = 0
    off = change = 0.0
    for found in exits.values():
        for x in found.exits:
            a, b, c = np.asarray(x.jump.v_after)
            from_flat, from_plane = abs(b), abs(c + Y * a - 2 * Y * b)
            off = max(off, min(from_flat, from_plane))
            flat += int(from_flat < 1e-8)
            tangent += int(from_plane < 1e-8)
    first = exits["y' = 0"].exits[0].jump
    change = float(jnp.max(jnp.abs(first.v_after - first.v_before)))
    return {"off": off, "flat": flat, "tangent": tangent, "least change": change}


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return float(np.linalg.norm(a - b * (a @ b)))


def _slope(x: hybrid.Exit) -> float:
    a, b, c = np.asarray(x.jump.v_after)
    return float((c - 2 * Y * b) / a)


def _text(v) -> str:
    return "(" + ", ".join(f"{float(x):.4g}" for x in np.round(np.asarray(v), 9) + 0.0) + ")"
