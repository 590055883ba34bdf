"""Examples with dry friction: each a function of its parameters, ready to run.

from dalembert.hybrid.zoo import registry
run = da.simulate(registry["bowling-ball"](), h=0.01, t=3.0)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import parts
from .. import scene as sc
from ..groups import Euclidean
from ..scene import ball as patterned
from ..scene import box, cylinder, disk, ellipsoid, wheel
from ..system import MechanicalSystem, parameter
from .contact_law import ContactLaw
from .modes import Modes
from .rough_modes import with_friction

GRAVITY = 9.81


def struck_ball(
    speed: float = 2.0, back: float = 250.0, side: float = 20.0, mu: float = 0.2
) -> Modes:
    """A billiard ball with backspin and side: slides along a parabola, rolls back, stops.

    57.15 mm across, 0.17 kg. `back` and `side` are angular velocities in rad/s about the directions
    across its path and along it. The cloth resists rolling (mu_r = 0.01) and spinning.
    """
    r = 0.028575
    ball = parts.build(
        parts.Body("ball", 0.17, shape=patterned(r)),
        parts.Free("ball", start=(0, 0, r), speed=(speed, 0, 0, side, -back, 0)),
        parts.Ball("ball", r, mu=mu, restitution=0.5, rolling=0.01 * r, spinning=0.02 * r),
        parts.Gravity(GRAVITY),
        name="struck ball",
    )
    return with_friction(ball)


def bowling_ball(
    speed: float = 8.0, spin: float = 30.0, offset: float = 1e-3, mu: float = 0.08
) -> Modes:
    """A bowling ball with its center of mass off by `offset`: slides, hooks, rolls.

    6.8 kg, radius 0.108 m; `spin` in rad/s is about the direction of its path (side spin), so that
    it turns aside. The moments of inertia differ by 2 %, as by a weight block.
    """
    r, m = 0.108, 6.8
    J = 0.4 * m * r**2
    ball = parts.build(
        parts.Body("ball", m, (0.98 * J, J, 1.02 * J), center=(offset, 0, 0), shape=patterned(r)),
        parts.Free("ball", start=(0, 0, r), speed=(speed, 0, 0, spin, 0, 0)),
        parts.Ball("ball", r, mu=mu),
        parts.Gravity(GRAVITY),
        name="bowling ball",
    )
    return with_friction(ball)


def dropped_with_spin(height: float = 1.0, speed: float = 1.0, spin: float = 40.0) -> Modes:
    """A ball dropped with spin: landing, it stops slipping; it bounces on, and in the end rolls."""
    r = 0.1
    ball = parts.build(
        parts.Body("ball", 2.0, shape=patterned(r)),
        parts.Free("ball", start=(0, 0, height), speed=(speed, 0, 0, 0, spin, 0)),
        parts.Ball("ball", r, mu=0.2, restitution=0.5),
        parts.Gravity(GRAVITY),
        name="ball dropped with spin",
    )
    return with_friction(ball)


def tippe_top(spin: float = 155.0, tilt: float = 0.1, mu: float = 0.3) -> Modes:
    """A tippe top: a sphere with a low center of mass that slides, and turns over.

    m = 20 g, R = 2 cm, the center of mass 0.3 R below the center, I1 = 131/350 m R^2, I3 = 2/5 m
    R^2, friction in proportion to the slip, mu m g s per m/s. The model is that of S.
    Rauch-Wojciechowski and N. Rutstam, Dynamics of an inverting tippe top, SIGMA 10 (2014) 017; the
    results were not compared with theirs. `jellett` is constant along its runs.
    """
    m, r = 0.02, 0.02
    I1, I3 = 131.0 / 350.0 * m * r**2, 0.4 * m * r**2
    stem = cylinder(0.2 * r, 0.8 * r).moved(0.0, 0.0, 1.3 * r).painted("metal")  # only drawn
    top = parts.build(
        parts.Body("top", m, (I1, I1, I3), center=(0, 0, -0.3 * r), shape=(patterned(r), stem)),
        parts.Free("top", start=((0, 0, r), _tilted("y", tilt)), speed=(0, 0, 0, 0, 0, spin)),
        parts.Ball("top", r, mu=0.0, viscous=mu * m * GRAVITY),
        parts.Gravity(GRAVITY),
        name="tippe top",
    )
    return with_friction(top)


def jellett(modes: Modes, run: Any) -> np.ndarray:
    """Return Jellett's integral of a body of revolution with a spherical end, along a run.

        J = L . a,    a: from the point of contact to the center of mass, L about the latter

    Any force at the contact leaves it constant, whether the top slides or rolls.
    """
    source: Any = modes
    machine = tuple(source.source[0].parts())
    body = next(x for x in machine if isinstance(x, parts.Body))
    ball = next(x for x in machine if isinstance(x, parts.Ball))
    R, w = np.asarray(run.q[1]), np.asarray(run.v)[:, 3:]
    lever = float(ball.radius) * R[:, 2, :] + body.center.array(np)
    return np.sum(np.asarray(body.inertia) * w * lever, axis=1)


def rattleback(spin: float = -5.0, mu: float = 1.2) -> Modes:
    """A rattleback with friction: spun against its preferred sense it rattles and reverses.

    Half axes 0.2, 0.03, 0.02 m, the center of mass 1 cm below the center, a product of inertia.
    With mu = 1.2 it slips only at its start; with 0.2 it slips and holds in turn while it rattles.
    """
    stone = parts.build(
        parts.Body(
            "stone",
            1.0,
            (2e-4, 16e-4, 17e-4, -0.2e-4, 0.0, 0.0),
            center=(0, 0, -0.01),
            shape=ellipsoid(0.2, 0.03, 0.02),
        ),
        parts.Free("stone", start=(0, 0, 0.02), speed=(0, 0, 0, 0.5, 0, spin)),
        parts.Ellipsoid("stone", axes=(0.2, 0.03, 0.02), mu=mu),
        parts.Gravity(GRAVITY),
        name="rattleback with friction",
    )
    return with_friction(stone)


def euler_disk(lean: float = 0.5, mu: float = 0.4, rolling: float = 2e-4) -> Modes:
    """Euler's disk: it spins on its edge, ever lower and faster, by rolling resistance.

    Radius 37.5 mm, 0.44 kg, thin; `lean` is the angle between the disk and the table. It starts in
    the steady motion in which its center is at rest.
    """
    r = 0.0375
    w = math.sqrt(4.0 * GRAVITY * math.sin(lean) / r)
    start = ((0, 0, r * math.sin(lean)), _tilted("x", 0.5 * math.pi - lean))
    m = 0.44
    made = parts.build(
        parts.Body(
            "disk", m, (0.25 * m * r**2, 0.5 * m * r**2, 0.25 * m * r**2), shape=disk(r, 0.004)
        ),
        parts.Free("disk", start=start, speed=(0, 0, 0, 0, 0, w)),
        parts.Wheel("disk", r, mu=mu, rolling=rolling),
        parts.Gravity(GRAVITY),
        name="Euler's disk",
    )
    return with_friction(made)


# drawn only: the inertia is given
_HULL = (
    box(3.8, 1.15, 0.45).moved(0.0, 0.0, 0.15),
    box(1.9, 1.05, 0.45).moved(-0.25, 0.0, 0.6).painted("metal"),
)
_CORNERS = (("fl", 1.3, 0.7), ("fr", 1.3, -0.7), ("rl", -1.3, 0.7), ("rr", -1.3, -0.7))


def car(speed: float = 20.0, turn: float = 0.0, slope: float = 0.0, mu: float = 0.8) -> Modes:
    """A car with four locked wheels: it brakes, spins round, or stands on an incline.

    A rigid body of 1,260 kg; `turn` is its yaw rate at the start. Three of its four heights would
    determine its position, so the loads are those of least stored energy.
    """
    made: list[Any] = [
        parts.Body("car", 1200.0, (400.0, 1500.0, 1800.0), center=(0, 0, 0.2),
                   shape=_HULL),
        parts.Free("car", start=(0, 0, 0.3), speed=(speed, 0, 0, 0, 0, turn)),
        parts.Gravity(GRAVITY, down=(math.sin(slope), 0, -math.cos(slope))),
    ]  # fmt: skip
    for name, x, y in _CORNERS:
        made += [
            parts.Body(name, 15.0, (0.4, 0.7, 0.4), shape=wheel(0.3, 0.2)),
            parts.Fixed(name, "car", at=(x, y, 0)),
            parts.Wheel(name, 0.3, mu=mu),
        ]
    return with_friction(parts.build(*made, name="car"))


def drift(speed: float = 20.0, turn: float = 0.3, mu: float = 0.8) -> Modes:
    """A car whose rear wheels lock while its front wheels roll freely: it spins round.

    Both front wheels resist sideways slip until no split of the side force between them would hold;
    then they slip together. `turn` is the yaw rate at the start, at which all wheels slip a little.
    """
    made: list[Any] = [
        parts.Body("car", 1200.0, (400.0, 1500.0, 1800.0), center=(0, 0, 0.2),
                   shape=_HULL),
        parts.Free("car", start=(0, 0, 0.3), speed=(speed, 0, 0, 0, 0, turn)),
        parts.Gravity(GRAVITY),
    ]  # fmt: skip
    for name, x, y in _CORNERS:
        joint: Any = parts.Fixed(name, "car", at=(x, y, 0))
        if x > 0.0:
            joint = parts.Revolute(name, "car", at=(x, y, 0), axis="y", speed=speed / 0.3)
        made += [
            parts.Body(name, 15.0, (0.4, 0.7, 0.4), shape=wheel(0.3, 0.2)),
            joint,
            parts.Wheel(name, 0.3, mu=mu),
        ]
    return with_friction(parts.build(*made, name="drift"))


def skid_steer(left: float = 4.0, right: float = 8.0, mu: float = 0.6) -> Modes:
    """A robot that turns by skidding: four driven wheels that do not steer.

    Motors bring the wheels to the speeds `left` and `right` in rad/s within half a second. It turns
    slower than (right - left) r/track, because the wheels have to slide sideways.
    """
    r, track = 0.1, 0.4
    made: list[Any] = [
        parts.Body("base", 20.0, (0.3, 0.6, 0.8), shape=box(0.5, 0.3, 0.1)),
        parts.Free("base", start=(0, 0, r)),
        parts.Gravity(GRAVITY),
    ]
    for name, x, y in (("fl", 0.2, 0.5), ("fr", 0.2, -0.5), ("rl", -0.2, 0.5), ("rr", -0.2, -0.5)):
        made += [
            parts.Body(name, 0.5, (0.0015, 0.0025, 0.0015), shape=wheel(r, 0.05)),
            parts.Revolute(name, "base", at=(x, y * track, 0), axis="y"),
            parts.Wheel(name, r, mu=mu),
            parts.Motor(name),
        ]
    robot = parts.build(*made, name="skid-steer")
    names = robot.layout.velocity_names
    wheels = np.array([names.index(f"{x}_dot") for x in ("fl", "fr", "rl", "rr")])

    def motors(t: Any, q: Any, v: Any) -> Any:
        wanted = jnp.stack([jnp.asarray(x, float) for x in (left, right, left, right)])
        return jnp.clip(5.0 * (jnp.minimum(2.0 * t, 1.0) * wanted - v[wheels]), -12.0, 12.0)

    return with_friction(robot, name="skid-steer").driven(motors)


def scooter(speed: float = 5.0, brake: float = 20.0, wet: float = 0.05) -> Modes:
    """A scooter that brakes over a wet patch, 2 m < x < 4 m, where its rear wheel locks.

    It moves in its vertical plane, 90 kg with its rider. `brake` is the torque at the rear wheel in
    N m. The coefficient of friction is `wet` on the patch and 0.8 elsewhere. Behind the patch the
    wheel rolls again.
    """
    r = 0.1

    def mu(x: Any, y: Any, z: Any) -> Any:
        edge = 50.0  # smooth over 2 cm, so that loads have derivatives
        patch = 0.5 * (jnp.tanh(edge * (x - 2.0)) - jnp.tanh(edge * (x - 4.0)))
        return 0.8 + (wet - 0.8) * patch

    deck = (
        box(0.9, 0.15, 0.05),
        cylinder(0.02, 0.9).turned((0, 1, 0), -0.15).moved(0.48, 0.0, 0.45).painted("metal"),
        box(0.04, 0.45, 0.04).moved(0.41, 0.0, 0.9).painted("dark"),
    )
    made = [
        parts.Body("track", 0.0),
        parts.Prismatic("track", axis="x", speed=speed),
        parts.Body("lift", 0.0),
        parts.Prismatic("lift", "track", axis="z", start=r),
        parts.Body("deck", 90.0, (8.0, 8.0, 8.0), center=(0, 0, 0.9), shape=deck),
        parts.Revolute("deck", "lift", axis="y"),
        parts.Body("front", 2.0, shape=wheel(r, 0.03)),
        parts.Revolute("front", "deck", at=(0.55, 0, 0), axis="y", speed=speed / r),
        parts.Wheel("front", r, mu=mu),
        parts.Body("rear", 2.0, shape=wheel(r, 0.03)),
        parts.Revolute("rear", "deck", at=(-0.35, 0, 0), axis="y", speed=speed / r),
        parts.Wheel("rear", r, mu=mu),
        parts.DryFriction("rear", brake, speed=5.0),
        parts.Gravity(GRAVITY),
    ]
    return with_friction(parts.build(*made, name="scooter"))


class BeltBlock(MechanicalSystem):
    """A block on a spring, q = (x) in m."""

    m: float = parameter(1.0, "kg", "mass", positive=True)
    k: float = parameter(20.0, "N/m", "stiffness", positive=True)
    speed: float = parameter(0.5, "m/s", "of the belt, with which the block starts")

    space = Euclidean(1)
    coordinate_names = ("x",)
    units = ("m",)

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(1)

    def potential(self, q: jax.Array) -> jax.Array:
        return 0.5 * self.k * q[0] ** 2

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(1), self.speed * jnp.ones(1)

    def scene(self) -> sc.Scene:
        def block(row: sc.Row) -> jax.Array:
            return jnp.stack([row.q[0], 0.0 * row.q[0], 0.05 + 0.0 * row.q[0]])

        belt = box(1.6, 0.2, 0.02).moved(0.0, 0.0, -0.01).painted("dark")
        wall = box(0.03, 0.2, 0.3).moved(-0.8, 0.0, 0.14).painted("metal")
        return sc.Scene(
            [
                sc.Body("block", box(0.15, 0.12, 0.1), block),
                sc.Body("belt", (belt, wall), stage=True),
            ],
            [sc.Link("spring", lambda row: jnp.array([-0.785, 0.0, 0.05]), block)],
            [sc.Trace("block", block)],
            ground=None,
        )


def belt(speed: float = 0.5, load: float = 10.0, mu: float = 0.3, mu_static: float = 0.5) -> Modes:
    """A block on a spring, on a belt: it sticks and slips, with a period in closed form.

    The block slides for 2 (pi - atan(A w/speed))/w and sticks for 2 A/speed, with w = sqrt(k/m) and
    A = (mu_static - mu) load/k.
    """
    law = ContactLaw(
        "block",
        lambda q: jnp.ones((1, 1)),
        load=load,
        mu=mu,
        mu_static=mu_static,
        offset=lambda t, q: speed * jnp.ones(1),
    )
    return with_friction(BeltBlock(speed=speed), law, name="stick-slip-belt")


class PainleveRod(MechanicalSystem):
    """A uniform rod in a vertical plane, q = (x, y, theta) of its center; its lower end touches."""

    m: float = parameter(1.0, "kg", "mass", positive=True)
    half: float = parameter(0.5, "m", "half of its length", positive=True)
    angle: float = parameter(0.5, "rad", "from the floor, at the start")
    speed: float = parameter(-1.0, "m/s", "of the rod, at the start")
    turn: float = parameter(2.0, "rad/s", "of the rod, at the start")

    space = Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    units = ("m", "m", "rad")

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.stack([self.m, self.m, self.m * self.half**2 / 3.0]))

    def potential(self, q: jax.Array) -> jax.Array:
        return self.m * GRAVITY * q[1]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        o = jnp.zeros(())
        height, rise = self.half * jnp.sin(self.angle), self.half * jnp.cos(self.angle) * self.turn
        q = jnp.stack([o, height, self.angle + o])
        return q, jnp.stack([self.speed + o, rise, self.turn + o])

    def scene(self) -> sc.Scene:
        def center(row: sc.Row) -> jax.Array:
            return jnp.stack([row.q[0], 0.0 * row.q[0], row.q[1]])

        def tip(row: sc.Row) -> jax.Array:
            x, y, angle = row.q
            far = self.half
            return jnp.stack([x - far * jnp.cos(angle), 0.0 * x, y - far * jnp.sin(angle)])

        rod = cylinder(0.03, 2.0 * self.half).turned((0, 1, 0), 0.5 * math.pi)
        return sc.Scene(
            [sc.Body("rod", rod, center, lambda row: sc.turn_y(-row.q[2]))],
            traces=[sc.Trace("tip", tip)],
            contacts=[sc.Contact("rod", tip, name="tip")],
        )


def painleve_rod(
    angle: float = 0.5, speed: float = -3.0, turn: float = 2.0, mu: float = 2.0
) -> Modes:
    """Painleve's rod, which on a rough floor reaches states where Coulomb's law has no solution.

    These have 1 + 3 cos(theta) (cos(theta) - mu sin(theta)) < 0, which needs mu > 4/3. A run ends
    there with an error that lists the candidates, and chooses none of them.
    """
    rod = PainleveRod(angle=angle, speed=speed, turn=turn)
    half = rod.half
    tip = ContactLaw(
        "tip",
        lambda q: jnp.stack([jnp.ones(()), jnp.zeros(()), half * jnp.sin(q[2])])[None],
        gap=lambda q: q[1] - half * jnp.sin(q[2]),
        mu=mu,
    )
    return with_friction(rod, tip, name="painleve-rod")


def _tilted(axis: str, angle: float) -> Any:
    return np.asarray(parts.rotation(axis, angle, np)).tolist()


registry: dict[str, Callable[..., Modes]] = {
    "struck-ball": struck_ball,
    "bowling-ball": bowling_ball,
    "dropped-with-spin": dropped_with_spin,
    "tippe-top": tippe_top,
    "rattleback-with-friction": rattleback,
    "euler-disk": euler_disk,
    "car": car,
    "drift": drift,
    "skid-steer": skid_steer,
    "scooter": scooter,
    "stick-slip-belt": belt,
    "painleve-rod": painleve_rod,
}
