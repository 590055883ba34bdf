"""Machines from parts: the same motion as by hand, closed forms, errors that name the part."""

import functools
import importlib.util
import math
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import native as quick
from dalembert import dynamics, linalg, parts, scene, systems
from dalembert.compile.ir.interpret import OPERATIONS
from dalembert.compile.ir.record import record
from dalembert.compile.rolled import SizeLimit
from dalembert.parts import table
from dalembert.system import as_arrays, compiled_call

SO3 = da.SO(3)
EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_numbers(f, *args):
    """f over the first axis of all its arguments, on a tape in NumPy: nothing is compiled."""
    recorded = record(lambda given: f(*given), jax.tree.map(lambda x: np.asarray(x)[0], args))
    leaves = [np.asarray(x) for x in jax.tree.leaves(args)]
    columns = [c for x in leaves for c in x.reshape(len(x), -1).T]
    (inputs,) = recorded.inputs
    env = {value.number: column for value, column in zip(inputs, columns, strict=True)}
    read = lambda x: env[x.number] if hasattr(x, "number") else x
    operations = {**OPERATIONS, "select": lambda which, no, yes: np.where(which, yes, no)}
    with np.errstate(all="ignore"):
        for item in (item for block in recorded.tape.levels for item in block.items):
            env[item.number] = operations[item.op](*map(read, item.operands))
    count, results = len(leaves[0]), recorded.results
    flat = [np.broadcast_to(read(x), (count,)) for x in recorded.outputs]
    ends = np.cumsum([0, *results.sizes])
    found = [
        np.stack(flat[a:b], axis=1).reshape(count, *aval.shape) if b > a else np.zeros((count, 0))
        for a, b, aval in zip(ends, ends[1:], results.avals)
    ]
    return jax.tree.unflatten(results.tree, found)


def consistent(system, q, v, t=0.0):
    """(q, v) moved onto the constraints, all at once."""
    shift = jax.vmap(lambda q, d: da.groupoids.move(system.groupoid, q, d))
    look = lambda q: (
        dynamics.linear_constraint(system, q),
        system.holonomic(q),
        dynamics.linear_offset(system, t, q),
    )
    for _ in range(8 if system.has_holonomic else 0):
        rows, gap, _ = by_numbers(look, q)
        rows = rows[:, : gap.shape[1]]
        q = shift(q, -np.einsum("nij,nj->ni", np.linalg.pinv(rows), gap))
    rows, _, given = by_numbers(look, q)
    slip = np.einsum("nij,nj->ni", rows, v) - given
    return q, v - np.einsum("nij,nj->ni", np.linalg.pinv(rows), slip)


def random_states(system, count, key, size=0.4):
    q0, v0 = system.initial()
    one, two = jax.random.split(key)
    moves = size * jax.random.normal(one, (count, system.dim))
    q = jax.vmap(lambda d: da.groupoids.move(system.groupoid, q0, d))(moves)
    return q, np.asarray(v0)[None] + 0.5 * np.asarray(jax.random.normal(two, (count, system.dim)))


# -- two routes ----------------------------------------------------------------------------------


def disk():
    by_hand = systems.RollingDisk()
    made = parts.build(
        parts.Body("disk", by_hand.m, (by_hand.I1, by_hand.I2, by_hand.I1)),
        parts.Free("disk", start=(0, 0, by_hand.R)),
        parts.Wheel("disk", by_hand.R),
        parts.Gravity(by_hand.g),
    )

    def place(q):
        plane = scene.turn_z(q[3]) @ scene.turn_x(-q[4])
        return (scene.above(q) + by_hand.R * plane[:, 2], plane @ scene.turn_y(q[2]))

    return by_hand, made, place


def robot(**changes):
    by_hand = systems.TwoWheeledRobot(**changes)
    R, c, m1, Jw = by_hand.R, by_hand.c, by_hand.m1, by_hand.J_w
    own = by_hand.J - by_hand.m0 * by_hand.l**2 - 2 * m1 * c**2 - Jw

    def wheel(name, y, rows):
        return [
            parts.Body(name, m1, (Jw / 2, Jw, Jw / 2)),
            parts.Revolute(name, "carriage", at=(0, y, 0), axis="-y"),
            parts.Wheel(name, R, rows=rows),
        ]

    made = parts.build(
        parts.Body("carriage", by_hand.m0, own, center=(by_hand.l, 0, 0)),
        parts.Planar("carriage", at=(0, 0, R)),
        wheel("right", -c, None),
        wheel("left", c, "along"),
    )
    return by_hand, made, lambda q: q


def board():
    by_hand = systems.SnakeboardCoupled()

    def axle(name, end):
        return [
            parts.Body(name, 0.0, by_hand.J_w),
            parts.Revolute(name, "board", at=(end * by_hand.l, 0, 0)),
            parts.Skate(name),
        ]

    made = parts.build(
        parts.Body("board", by_hand.m, by_hand.J),
        parts.Planar("board"),
        parts.Body("rotor", 0.0, by_hand.J_r),
        parts.Revolute("rotor", "board"),
        axle("front", 1),
        axle("rear", -1),
        parts.Gear("front", "rear", ratio=-1.0),
    )
    # positive phi turns the axle in front to the right
    return by_hand, made, lambda q: jnp.concatenate([q[:4], -q[4:], q[4:]])


def ball():
    by_hand = systems.BallOnTurntableGlobal()
    made = parts.build(
        parts.Body("ball", by_hand.m, by_hand.I),
        parts.Free("ball", start=(1.0, 1.0, by_hand.r)),
        parts.Ball("ball", by_hand.r, surface=parts.turntable(by_hand.Theta)),
        parts.Gravity(9.81),
    )
    return by_hand, made, lambda q: (scene.above(q[0], by_hand.r), q[1])


def bicycle():
    by_hand = systems.WhippleBicycle()

    def place(q):
        (_, frame, _), (hub, *_) = by_hand.placed(q)
        # the rear wheel's angle is from the frame in parts, by hand from the plane of that wheel
        angles = jnp.stack([q[6] - q[4], q[5], q[7]])
        # the frame's own origin is where the rear wheel touches in the reference position
        return jnp.concatenate([hub + by_hand.R_rear * frame[:, 2], angles]), frame

    return by_hand, example("bicycle").bicycle(), place


def lifted(made, place, q, v, group):
    """(Q, V) of the machine for (q, v) by hand."""

    def along(s):
        moved = group.mul(q, group.exp(s * v)) if isinstance(group, da.Product) else q + s * v
        return place(moved)

    Q, rate = jax.jvp(along, (0.0,), (1.0,))
    if isinstance(Q, tuple):
        return Q, jnp.concatenate([rate[0], SO3.vee(Q[1].T @ rate[1])])
    return Q, rate


@pytest.mark.parametrize("make", [disk, robot, board, ball, bicycle])
def test_two_routes_agree(make):
    by_hand, made, place = make()
    group = by_hand.groupoid.base

    def both(q, v):
        a = dynamics.acceleration(by_hand, q, v)

        def moving(s):
            at = da.groupoids.move(by_hand.groupoid, q, s * v)
            return lifted(made, place, at, v + s * a, group)[1]

        Q, V = lifted(made, place, q, v, group)
        A = jax.jvp(moving, (0.0,), (1.0,))[1]
        J = jax.jacfwd(lambda w: lifted(made, place, q, w, group)[1])(v)
        there = dynamics.solved(made, Q, V)
        rows = dynamics.linear_constraint(made, Q)
        pulled = J.T @ (rows.T @ there.multipliers)
        energies = dynamics.energy(by_hand, q, v), dynamics.energy(made, Q, V)
        reaction = dynamics.reaction_force(by_hand, q, v)
        gap = made.holonomic(Q)
        size = 1.0 + jnp.max(jnp.abs(A)), 1.0 + jnp.max(jnp.abs(reaction))
        return {
            "acceleration": (A - there.acceleration) / size[0],
            "reaction": (pulled - reaction) / size[1],
            "residual": there.residual,
            "gap": gap,
            "energy": energies[0] - energies[1],
        }, (A, reaction, energies[0])

    states = consistent(by_hand, *random_states(by_hand, 50, jax.random.key(7)))
    off, (A, reaction, E) = by_numbers(both, *states)
    # the weight of what cannot fall is a constant of the energy
    if make is ball:
        off["energy"] = off["energy"] + by_hand.m * 9.81 * by_hand.r
    off["energy"] = off["energy"] / (1 + abs(E).max())
    for what, value in off.items():
        np.testing.assert_allclose(value, 0.0, atol=1e-11, err_msg=what)
    assert float(jnp.max(jnp.abs(A))) > 0.1 and float(jnp.max(jnp.abs(reaction))) > 0.1


def rates_by_hand(bike, speed, x):
    q = jnp.zeros(8).at[3].set(x[0]).at[5].set(x[1])
    v = bike.rolling_velocity(q, x[2], x[3], speed)
    a = dynamics.acceleration(bike, q, v)
    return jnp.stack([x[2], x[3], a[3], a[5]])


def rates_of_parts(bike, speed, x):
    """Lean, steer and their rates; to first order the frame does not pitch."""
    names = bike.velocity_names
    told = [names.index(n) for n in ("x_dot", "steer_dot", "Omega1")]
    others = np.array([i for i in range(len(names)) if i not in told])
    q = jnp.zeros(6).at[told[1]].set(x[1]), scene.turn_x(x[0])
    A = dynamics.linear_constraint(bike, q)
    v = jnp.zeros(9).at[np.array(told)].set(jnp.stack([speed, x[3], x[2]]))
    v = v.at[others].set(-linalg.solve(A[:, others], A @ v))
    a = dynamics.acceleration(bike, q, v)
    return jnp.stack([x[2], x[3], a[told[2]], a[told[1]]])


@pytest.mark.parametrize("route", ["by hand", "of parts"])
def test_bicycle_has_the_published_eigenvalues(route):
    if route == "by hand":
        rates = functools.partial(rates_by_hand, systems.WhippleBicycle())
    else:
        rates = functools.partial(rates_of_parts, example("bicycle").bicycle())
    jacobian = lambda speed: jax.jacfwd(functools.partial(rates, speed))(jnp.zeros(4))
    found = [
        np.sort_complex(np.linalg.eigvals(J))
        for J in by_numbers(jacobian, np.array([5.0, 0.0, 4.292, 4.293, 6.024, 6.025]))
    ]
    published = [
        -14.07838969279,
        -0.77534188219 - 4.46486771379j,
        -0.77534188219 + 4.46486771379j,
        -0.32286642900,
    ]
    np.testing.assert_allclose(found[0], published, atol=1e-11, rtol=0)  # cut, not rounded
    at_rest = np.sort([-5.5309, -3.1316, 3.1316, 5.5309])
    np.testing.assert_allclose(found[1].real, at_rest, atol=5e-5)
    stable = [bool(np.max(e.real) < 0) for e in found[2:]]
    assert stable == [False, True, True, False]  # self-stable between 4.292.. and 6.024..


def test_bicycle_stays_on_the_ground_for_ten_thousand_steps():
    text = (EXAMPLES / "bicycle.py").read_text()
    body = text.partition("    return parts.build(")[2].partition("    )\n")[0]
    assert len(body.splitlines()) < 40
    bike = example("bicycle").bicycle()
    traj = da.simulate(bike, h=0.01, steps=10_000, save_every=200)
    heights = jax.jit(jax.vmap(bike.holonomic))(traj.q)
    assert heights.shape == (51, 2)
    np.testing.assert_allclose(heights, 0.0, atol=1e-14)
    assert abs(np.arcsin(traj.q[1][-1][2, 1])) < 1e-6  # it has righted itself
    assert bike.constraint_names[:2] == ("rear wheel, height", "front wheel, height")


# -- closed forms --------------------------------------------------------------------------------


class ByDerivatives(parts.Built):
    """A machine whose closed forms are not used: what its Lagrangian says."""

    def lagrangian(self, q, v):
        return super().lagrangian(q, v)


class Ownjoint(parts.Joint):
    """One's own: two numbers that shift and turn."""

    numbers = (("far", "m"), ("turned", "rad"))

    def place(self, x, R, xp):
        shift = xp.stack([x[0], 0.3 * x[0] ** 2, 0.1 * x[1]])
        one, two = parts.rotation("x", x[0], xp), parts.rotation("y", x[1], xp)
        return parts.Motion(shift, one @ two)


def test_rates_by_differentiation_are_those_that_joints_write(key):
    x, u, w = (tuple(a) for a in jax.random.normal(key, (3, 3)))
    R = SO3.exp(jnp.array([0.3, 0.2, 0.1]))
    for joint in (
        parts.Free("a"),
        parts.Spherical("a"),
        parts.Planar("a"),
        parts.Revolute("a", axis=(1.0, 2.0, 3.0)),
        parts.Prismatic("a", axis=(1.0, 2.0, 3.0)),
    ):
        n = len(joint.numbers)
        given = (x[:n], R if joint.turns else None, u[:n], jnp.stack(w) if joint.turns else None)
        own, found = joint.rates(*given, jnp), parts.Joint.rates(joint, *given, jnp)
        for a, b in zip(own, found):
            np.testing.assert_allclose(np.zeros(3) if a is None else a, b, atol=1e-14)
        columns = joint.columns(*given[:2], jnp)
        by_columns = parts.Joint.columns(joint, *given[:2], jnp)
        for a, b in zip(columns, by_columns, strict=True):
            for one, two in zip(a, b):
                zero = np.zeros(3)
                one, two = (zero if c is None else c for c in (one, two))
                np.testing.assert_allclose(one, two, atol=1e-15)


def one_of_each():
    """A machine with every kind of joint, and rows of contacts and of a loop."""
    tilt = SO3.exp(jnp.array([0.3, 0.2, 0.1]))
    at = {"at": (0.1, 0.2, 0.3)}
    inertia = {"mass": 2.0, "inertia": (0.3, 0.4, 0.5), "center": (0.3, 0.2, 0.1)}
    return parts.build(
        parts.Body("a", 1.0, (0.25, 0.5, 0.3, 0.01, 0.02, 0.03), center=(0.1, 0.2, -0.3)),
        parts.Free("a"),
        parts.Body("b", 2.0, (0.3, 0.4, 0.5)),
        parts.Revolute("b", "a", **at, child_at=(0.2, 0.2, 0.1), axis=(1.0, 2.0, 3.0), tilt=tilt),
        parts.Body("c", **inertia),
        parts.Prismatic("c", "b", **at, axis=(1.0, 2.0, 3.0)),
        parts.Body("d", **inertia),
        parts.Spherical("d", "b", **at),
        parts.Body("e", **inertia),
        parts.Planar("e", "a", **at, tilt=tilt, child_at=(0.1, 0.2, 0.3)),
        parts.Body("f", **inertia),
        parts.Fixed("f", "c", **at),
        parts.Body("g", **inertia),
        Ownjoint("g", "b", **at, tilt=tilt, child_at=(0.1, 0.2, 0.3)),
        parts.Wheel("a", radius=1.0, crown=0.1, at=(0.1, 0, 0.2)),
        parts.Ball("d", 0.3, surface=parts.turntable(2.0)),
        parts.Skate("f", **at),
        parts.Strut("f", "a", **at, stiffness=3.0, rest=0.2, damping=0.4),
        parts.Spring("b", 3.0, rest=0.1),
        parts.Damper("b", 0.2),
        parts.Loop("f", "e", axis="z"),
        parts.Gravity(9.81),
    )


def test_closed_forms_are_derivatives_of_the_lagrangian(key):
    made = one_of_each()
    plain = ByDerivatives(made.contents, made.plan, made.title)
    assert plain.closed is None
    assert made.closed is not None
    q = jax.vmap(made.space.random)(jax.random.split(key, 4))
    v = jax.random.normal(key, (4, made.dim))

    def gaps(q, v):
        def of(system):
            return (
                dynamics.metric(system, q),
                dynamics.momentum(system, q, v),
                dynamics.linear_constraint(system, q),
                dynamics.constraint_residual(system, q, v, 0.3),
                dynamics.solved(system, q, v, 0.3)[:2],
            )

        return jax.tree.map(lambda a, b: (a - b) / jnp.max(jnp.abs(a)), of(made), of(plain))

    *forms, solved = by_numbers(gaps, q, v)
    for gap in forms:
        np.testing.assert_allclose(gap, 0.0, atol=1e-13)
    # 13 rows at random states: round-off is taken as often as their condition says
    for i in range(4):
        here = jax.tree.map(lambda x, i=i: x[i], q)
        A, G = dynamics.linear_constraint(plain, here), dynamics.metric(plain, here)
        condition = np.linalg.cond(A @ np.linalg.solve(G, A.T))
        for gap in solved:
            assert np.max(np.abs(gap[i])) <= np.finfo(float).eps * condition


@pytest.mark.parametrize("make", [one_of_each, systems.BallInTurningBowl, systems.CarWithTrailers])
def test_a_table_of_bodies_has_the_forms_written_out(make, key, monkeypatch):
    made = make()
    q = jax.vmap(made.space.random)(jax.random.split(key, 3))
    v = jax.random.normal(key, (3, made.dim))

    def forms(least):
        monkeypatch.setattr(table, "MANY", SizeLimit(least, least))
        closed = made.forms_of_parts()

        def found(q, v):
            several = closed.mass_matrix(q), closed.inertial_force(q, v), closed.rows(q)
            return *several, closed.rates(q, v), made.lagrangian(q, v)

        return by_numbers(found, q, v)

    for a, b in zip(forms(0), forms(math.inf), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14 * np.max(np.abs(b), initial=1.0))


# -- joints and surfaces -------------------------------------------------------------------------


def rates_of(system, key, functions=()):
    """Residuals, slips of the scene and rates of functions at consistent states."""

    def of(q, v):
        a = dynamics.acceleration(system, q, v, 0.2)

        def values(s):
            at = da.groupoids.move(system.groupoid, q, s * v)
            return [f(at, v + s * a) for f in functions]

        slips = scene.slip(system, q, v, 0.2)
        return system.holonomic(q), slips, jax.jvp(values, (0.0,), (1.0,))[1]

    return by_numbers(of, *consistent(system, *random_states(system, 4, key), 0.2))


@pytest.mark.parametrize(
    "surface, start",
    [
        (parts.Sphere(2.0), (0.0, 0.0, 2.3)),
        (parts.Sphere(2.0, inside=True), (0.5, 0.0, -1.5)),
        (parts.Cylinder(2.0), (1.7, 0.0, 0.0)),
        (parts.Plane((0.0, 0.6, 0.8), drift=(0.3, 0, 0)), (0.0, 0.0, 0.4)),
    ],
    ids=["on a sphere", "in a sphere", "in a cylinder", "on a moving slope"],
)
def test_ball_on_surfaces(surface, start, key):
    made = parts.build(
        parts.Body("ball", 1.5, shape=scene.ball(0.3)),
        parts.Free("ball", start=start),
        parts.Ball("ball", 0.3, surface=surface),
        parts.Gravity(),
    )
    q, v = parts.settle(made)
    made = made.with_parameters(**{f"ball free.start.{i}": q[0][i] for i in range(3)})
    energy = functools.partial(dynamics.energy, made)
    gap, slips, rates = rates_of(made, key, [energy])
    np.testing.assert_allclose(gap, 0.0, atol=1e-13)
    for slip in slips.values():
        np.testing.assert_allclose(slip, 0.0, atol=1e-13)
    if not surface.moves:
        np.testing.assert_allclose(rates[0], 0.0, atol=1e-11)
    assert dynamics.energy_is_conserved(made) == (not surface.moves)


def four_bar():
    bar = {"inertia": (0.01, 0.02, 0.02)}
    return parts.build(
        parts.Body("crank", 1.0, center=(0.25, 0, 0), **bar),
        parts.Revolute("crank", start=1.2),
        parts.Body("coupler", 1.0, center=(0.6, 0, 0), **bar),
        parts.Revolute("coupler", "crank", at=(0.5, 0, 0), start=-0.9),
        parts.Body("rocker", 1.0, center=(0.5, 0, 0), **bar),
        parts.Revolute("rocker", at=(1.2, 0, 0), start=1.5),
        parts.Loop("coupler", "rocker", at=(1.2, 0, 0), other_at=(1.0, 0, 0), axis="z"),
        parts.Gravity(down="-y"),
        name="four-bar",
    )


def test_closed_loop_in_the_plane():
    made = four_bar()
    # what the plane holds by itself is left out
    assert made.constraint_names == ("coupler to rocker, x", "coupler to rocker, y")
    assert len(made.layout.held) == 3
    with pytest.raises(da.UsageError, match=r"loop 'coupler to rocker' is open by .*settle"):
        made.initial()
    q0, v0 = parts.settle(made)
    np.testing.assert_allclose(made.holonomic(q0), 0.0, atol=1e-14)
    traj = da.simulate(made, q0, v0, h=0.005, steps=200)
    energy = jax.vmap(functools.partial(dynamics.energy, made))(traj.q, traj.v)
    assert np.ptp(np.asarray(energy)) < 1e-5
    assert np.ptp(np.asarray(traj.q)) > 0.5


def test_prescribed_joint():
    made = parts.build(
        parts.Body("arm", 1.0, 0.2, center=(0.5, 0, 0)),
        parts.Revolute("arm"),
        parts.Body("hand", 1.0, 0.1, center=(0.2, 0, 0)),
        parts.Revolute("hand", "arm", at=(1.0, 0, 0)),
        parts.Prescribed("arm", lambda t: 0.5 * jnp.sin(2 * t)),
    )
    traj = da.simulate(made, h=0.01, steps=200)
    np.testing.assert_allclose(traj.q[:, 0], 0.5 * np.sin(2 * np.asarray(traj.t)), atol=1e-8)
    # the drive's torque changes the energy at the rate torque times speed
    assert made.constraint_names == ("arm, drive",)
    q, v = traj.q[100], traj.v[100]
    t = float(traj.t[100])
    a = dynamics.acceleration(made, q, v, t)
    rate = jax.jvp(functools.partial(dynamics.energy, made), (q, v), (v, a))[1]
    np.testing.assert_allclose(rate, traj.multiplier[100, 0] * v[0], rtol=1e-9)


SPEED = 1.0


def test_what_a_prescribed_motion_reads_is_seen(monkeypatch):
    made = parts.build(
        parts.Body("arm", 1.0, 0.2),
        parts.Revolute("arm"),
        parts.Prescribed("arm", lambda t: SPEED * t),
    )

    def residual():
        state = jnp.zeros(1), jnp.ones(1)
        return float(compiled_call(dynamics.constraint_residual, made, *state)[0])

    assert residual() == 0.0
    monkeypatch.setattr(sys.modules[__name__], "SPEED", 3.0)
    assert residual() == -2.0


# -- errors name the part ------------------------------------------------------------------------


def cart(*more, **planar):
    return parts.build(
        parts.Body("cart", 1.0, 0.1), parts.Planar("cart", at=(0, 0, 0.1), **planar), *more
    )


def wheel(name, y, **options):
    return [
        parts.Body(name, 0.1, (0.001, 0.002, 0.001)),
        parts.Revolute(name, "cart", at=(0, y, 0), axis="y"),
        parts.Wheel(name, 0.1, **options),
    ]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: cart(parts.Revolute("arm", "cart")), "'arm' is not a body"),
        (lambda: cart(parts.Body("arm", 1.0, 0.1)), "body 'arm' has no joint"),
        (
            lambda: cart(parts.Body("arm", 1.0, 0.1), parts.Revolute("arm", "crat")),
            "Revolute 'arm': its parent 'crat' is not a body; did you mean 'cart'",
        ),
        (
            lambda: cart(parts.Body("arm", 0.0), parts.Revolute("arm", "cart")),
            r"no inertia acts along 'arm_dot' .without mass: arm",
        ),
        (lambda: cart(parts.Body("cart", 1.0)), "two bodies are called 'cart'"),
        (lambda: cart(parts.Free("cart")), "two joints are called 'cart'"),
        (lambda: cart(parts.Motor("arm")), "Motor: there is no joint 'arm'"),
        (lambda: cart(parts.Spring("cart", 1.0)), "Spring on 'cart': acts on a Revolute"),
        (
            lambda: cart(wheel("left", 0.2), wheel("right", -0.2)),
            "4 rows have rank 3.*left, across; right, across",
        ),
        (lambda: cart(parts.Skate("cart")), "skate 'cart' is 0.1 m above its surface"),
        (lambda: cart(wheel("w", 0.1, rows="sideways")), "'height', 'along', 'across'"),
        (lambda: cart(parts.Skate("cart", rows="along")), "contact 'cart' .Skate. has the rows"),
        (lambda: cart("a wheel"), "made of parts"),
        (lambda: cart(parts.Body("b", 1.0, (1.0, 1.0, 3.0)), parts.Free("b")), "body 'b'.*sum"),
        (lambda: cart(parts.Body("b", -1.0), parts.Free("b")), "body 'b': mass must be 0 or more"),
        (lambda: parts.build(parts.Body("b", 1.0), parts.Fixed("b")), "nothing of this machine"),
        (
            lambda: parts.build(
                parts.Body("a", 1.0),
                parts.Body("b", 1.0),
                parts.Revolute("a", "b"),
                parts.Revolute("b", "a"),
            ),
            "'a', 'b' form a loop",
        ),
        (lambda: parts.Revolute("a", axis="w"), "'x', 'y', 'z'"),
        (lambda: parts.Body("a", "heavy"), "expected a number"),
        (lambda: parts.Body("a", "2"), "expected a number"),
        (lambda: cart(parts.Gravity(float("nan"))), "gravity: g must be finite, got nan"),
        (lambda: cart(start=(0.0, 0.0, float("inf"))), "planar joint 'cart': start must be finite"),
        (lambda: cart(parts.Skate("cart", surface=parts.Plane)), "skate 'cart': surface must be a"),
        (
            lambda: cart(parts.Skate("cart", surface=parts.Height(lambda x: x))),
            r"skate 'cart': the function of its surface takes .x, y., in jax.numpy",
        ),
        (
            lambda: cart(parts.Ball("cart", 0.1, surface=parts.Plane(drift=(0.1, 0, 0.1)))),
            "drifts along itself",
        ),
        (
            lambda: cart(parts.Ball("cart", 0.3, surface=parts.Sphere(0.2, inside=True))),
            "ball 'cart': radius 0.3 does not fit into one of 0.2",
        ),
        (
            lambda: cart(parts.Ellipsoid("cart", (0.1, 0.0, 0.1))),
            "ellipsoid 'cart': axes must be positive",
        ),
        (
            lambda: parts.build(
                parts.Body("b", 1.0, 0.1), parts.Free("b"), parts.Skate("b", direction="z")
            ).initial(),
            "skate 'b': its direction is along the normal",
        ),
        (
            lambda: cart(wheel("w", 0.2)).with_parameters(**{"w wheel.radius": -0.1}),
            "wheel 'w': radius must be positive",
        ),
        (lambda: cart(parts.Loop("cart", "cart")), "loop 'cart to cart': it joins two different"),
        (lambda: cart(parts.Body("b", None), parts.Free("b")), "body 'b': it has no mass"),
        (lambda: cart(parts.Body("b", 1.0, (1, 2, 3, 4)), parts.Free("b")), "body 'b': inertia is"),
        (
            lambda: cart(parts.Body("b", 1.0), parts.Free("b")),
            r"along 'Omega\d b' .points, a mass without inertia: b",
        ),
        (
            lambda: parts.build(
                parts.Body("b", 1.0, 0.1), parts.Free("b"), parts.Wheel("b", 1.0, axis="z")
            ).initial(),
            "wheel 'b': its axis is along the normal of its plane",
        ),
        (lambda: cart(parts.Wheel("cart", 0.1, axis="z")), "its axis is along the normal"),
    ],
)
def test_errors_name_the_part(make, message):
    with pytest.raises(da.UsageError, match=message):
        make()


def test_wheel_off_the_ground_is_settled():
    made = parts.build(
        parts.Body("disk", 1.0, (0.25, 0.5, 0.25)),
        parts.Free("disk", start=((0.0, 0.0, 1.2), SO3.exp(jnp.array([0.3, 0.0, 0.0])))),
        parts.Wheel("disk", 1.0),
        parts.Gravity(),
    )
    with pytest.raises(da.UsageError, match=r"wheel 'disk' is 0\.2\d+ m above.*parts\.settle"):
        made.initial()
    q, v = parts.settle(made, v=jnp.ones(6))
    np.testing.assert_allclose(made.holonomic(q), 0.0, atol=1e-15)
    np.testing.assert_allclose(dynamics.constraint_residual(made, q, v), 0.0, atol=1e-14)
    assert bool(SO3.is_element(q[1], 1e-14))


# -- parameters ----------------------------------------------------------------------------------


def test_gradients_reach_a_wheels_radius():
    by_hand, made, _ = robot()
    assert made.parameters()["right wheel.radius"] == by_hand.R
    with pytest.raises(da.UsageError, match=r"shape \(\), got \(3,\); for an ensemble"):
        made.with_parameters(**{"right wheel.radius": jnp.ones(3)})
    with pytest.raises(da.UsageError, match=r"radius"):
        made.with_parameters(**{"right wheel.radios": 0.1})
    q, v = by_hand.initial()

    def turn(system):
        v1 = dynamics.consistent_velocity(system, q, v + jnp.arange(5.0))
        return dynamics.acceleration(system, q, v1)[2]

    def of_parts(R):
        names = ("right wheel.radius", "left wheel.radius")
        return turn(made.with_parameters(**dict.fromkeys(names, R)))

    ways = (of_parts, lambda R: turn(robot(R=R)[1]), lambda R: turn(by_hand.with_parameters(R=R)))
    slopes = [quick(jax.grad(f))(0.21) for f in ways]  # the second builds while it is traced
    np.testing.assert_allclose(slopes[:2], slopes[2], rtol=1e-11)
    assert abs(float(slopes[0])) > 1e-3
    arrays, static = as_arrays(made)
    assert hash(static) is not None
    assert len(jax.tree.leaves(arrays)) >= 20


def test_a_start_that_is_traced_is_the_start():
    def speeds(radius):
        return one_wheeled(radius=radius).initial()[1]

    slope = quick(jax.jacfwd(speeds))(0.1)
    near = [np.asarray(speeds(0.1 + d)) for d in (1e-6, -1e-6)]
    np.testing.assert_allclose(slope, (near[0] - near[1]) / 2e-6, rtol=1e-7, atol=1e-7)
    assert slope[3] < -10.0 and abs(slope[0]) < 1e-12  # what was told stays
    with pytest.raises(da.UsageError, match="violate a rolling condition"):
        one_wheeled((0.0, 1.0, 0.0)).initial()
    assert not np.any(np.isfinite(quick(lambda y: one_wheeled((0.0, y, 0.0)).initial()[1])(1.0)))


def test_names_units_and_inputs():
    made = cart(
        wheel("left", 0.2), parts.Motor("left"), parts.Push("cart", name="drive"), speed=(1, 0, 0)
    )
    assert made.coordinate_names == ("x", "y", "theta", "left")
    assert made.units == ("m", "m", "rad", "rad")
    assert made.input_names == ("left motor", "drive")
    assert made.input_units == ("N m", "N")
    rows = made.inputs(jnp.array([0.0, 0.0, jnp.pi / 2, 0.0]))
    np.testing.assert_allclose(rows, [[0, 0, 0, 1], [0, 1, 0, 0]], atol=1e-15)
    assert made.constraint_names == ("left, along", "left, across")
    assert made.constraint_units == ("N", "N") and board()[1].constraint_units[0] == "N m"
    assert made.layout.held == ("left, height",)
    assert made.name() == "machine" and type(made).name() == "machine"


def test_robot_of_the_readme():
    text = (EXAMPLES.parent / "README.md").read_text()
    (code,) = (x for x in text.split("```python\n") if x.startswith("from dalembert import parts"))
    code = code.partition("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    found = {"da": da}
    exec(code, found)
    robot, traj = found["robot"], found["traj"]
    assert robot.input_names == ("left motor", "right motor")
    assert len(robot.coordinate_names) == 7 and len(robot.constraint_names) == 5
    # more torque on the right turns it to the left, and the caster trails behind
    q = traj.final.q
    assert q[2] > 0.5 and q[4] > q[3] > 0
    swivel = robot.coordinate_names.index("caster fork")
    assert 0.05 < abs((q[swivel] + np.pi) % (2 * np.pi) - np.pi) < 1.5
    assert np.max(np.asarray(da.diagnostics.constraint_residual(robot, traj))) < 1e-12


# -- numbers that cannot be meant ----------------------------------------------------------------


def one_wheeled(speed=(1.0, 0.0, 0.0), turning=0.0, radius=0.1, **options):
    return parts.build(
        parts.Body("a", 6.0, (0.1, 0.1, 0.1)),
        parts.Planar("a", at=(0, 0, radius), speed=speed, **options),
        parts.Body("w", 0.4, (0.01, 0.02, 0.01)),
        parts.Revolute("w", "a", at=(0, 0.2, 0), axis="y", speed=turning),
        parts.Wheel("w", radius),
    )


def test_speeds_that_were_told_stay_and_the_others_follow():
    robot = one_wheeled()
    q, v = robot.initial()
    assert v[0] == 1.0 and v[1] == 0.0 and v[3] > 1.0
    np.testing.assert_allclose(dynamics.constraint_residual(robot, q, v, 0.0), 0.0, atol=1e-14)
    assert one_wheeled(turning=3.0).initial()[1][3] == 3.0
    with pytest.raises(
        da.UsageError,
        match="violate a rolling condition: with y_dot = 1, w, across is off by 1 m/s",
    ):
        one_wheeled((0.0, 1.0, 0.0)).initial()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"radius": -0.1}, "wheel 'w': radius must be positive, got -0.1"),
        ({"radius": 0.0}, "wheel 'w': radius must be positive"),
        ({"start": (0.0, 0.1)}, "planar joint 'a': start must be 3 numbers"),
        ({"speed": (0.0, 0.1, 0.0, 0.0)}, "planar joint 'a': speed must be 3 numbers"),
        ({"tilt": 2 * np.eye(3)}, "planar joint 'a': tilt is not a rotation"),
        ({"tilt": (0.1, 0.0, 0.0)}, "planar joint 'a': tilt must be a rotation matrix"),
    ],
)
def test_numbers_that_cannot_be_meant(options, message):
    with pytest.raises(da.UsageError, match=message):
        one_wheeled(**options)


@pytest.mark.parametrize("size", [1e-9, 1e10])
def test_units_do_not_count(size):
    """A robot in nanometers, and one in light seconds: the same rows, the same speeds."""

    def wagon(L):
        m = L**2.3  # masses, too

        def wheel(name, y, rows=None):
            return [
                parts.Body(name, 0.1 * m, shape=scene.wheel(0.1 * L, 0.03 * L)),
                parts.Revolute(name, "cart", at=(0, y * L, 0), axis="y"),
                parts.Wheel(name, 0.1 * L, rows=rows),
            ]

        return parts.build(
            parts.Body("cart", 4 * m, 0.1 * m * L**2),
            parts.Planar("cart", at=(0, 0, 0.1 * L), speed=(L, 0.0, 0.3)),
            wheel("left", 0.2),
            wheel("right", -0.2, "along"),
            parts.caster("c", "cart", (-0.3 * L, 0.1 * L, -0.05 * L), 0.05 * L, 0.04 * L, m, m),
        )

    one, other = wagon(1.0), wagon(size)
    assert other.layout == one.layout and len(one.layout.held) == 3
    v = np.asarray(other.initial()[1]) / np.where(np.arange(7) < 2, size, 1.0)
    np.testing.assert_allclose(v, one.initial()[1], rtol=1e-11, atol=1e-12)
    with pytest.raises(da.UsageError, match="above its surface"):
        parts.build(
            parts.Body("d", 1.0, size**2),
            parts.Free("d", start=(0, 0, 1.001 * size)),
            parts.Wheel("d", size),
        ).initial()


def test_what_is_there_twice_is_told():
    cart = (parts.Body("c", 1.0, (0.1, 0.1, 0.1)), parts.Prismatic("c"))
    with pytest.raises(da.UsageError, match="gravity twice"):
        parts.build(*cart, parts.Gravity(), parts.Gravity())
    with pytest.raises(da.UsageError, match="two inputs are called 'c motor'"):
        parts.build(*cart, parts.Motor("c"), parts.Motor("c"))
    with pytest.raises(da.UsageError, match="revolute joint 'd': axis is no direction"):
        parts.build(*cart, parts.Body("d", 1.0, 0.1), parts.Revolute("d", "c", axis=(0, 0, 0)))


def test_a_driven_machine_has_its_name_and_is_drawn():
    cart = parts.build(
        parts.Body("c", 1.0, (0.1, 0.1, 0.1), shape=da.scene.box(0.2, 0.1, 0.1)),
        parts.Prismatic("c"),
        parts.Motor("c"),
        name="my cart",
    )
    run = da.simulate(cart, h=0.1, steps=3, u=[1.0])
    assert run.meta.system == "my-cart-driven"
    rows = {row.quantity: row for row in da.diagnostics.report(cart, run).rows}
    assert rows["energy change, max"].verdict.endswith("force or control")
    assert "my-cart" in da.show(cart, run, open=False).scene["name"]


def test_a_ball_that_no_longer_touches_is_refused():
    """A run asks the machine itself for its start, which is not traced: a gap has to be seen."""
    ball = parts.build(
        parts.Body("ball", 1.0, (0.4, 0.4, 0.4)),
        parts.Free("ball", at=(0, 0, 1.0)),
        parts.Ball("ball", 1.0),
    )
    smaller = ball.with_parameters(**{"ball ball.radius": 0.8})
    with pytest.raises(da.UsageError, match=r"0\.2 m above its surface at the start"):
        da.simulate(smaller, h=0.01, steps=1)
