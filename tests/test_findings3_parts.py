"""Findings of the third review about parts: contacts, URDF files, messages."""

import re
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import parts


def disk(*more, speed=2.0):
    return parts.build(
        parts.Body("disk", 1.0, (0.25, 0.5, 0.25)),
        parts.Free("disk", start=(0, 0, 1.0), speed=(speed, 0, 0, 0, speed, 0)),
        parts.Wheel("disk", 1.0),
        parts.Gravity(9.81),
        *more,
        name="disk",
    )


def wheel(name, y, **options):
    body = parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03))
    axle = parts.Revolute(name, "base", at=(0, y, 0), axis="y")
    return [body, axle, parts.Wheel(name, 0.1, **options), parts.Motor(name)]


def free_robot(rows, *more):
    return parts.build(
        parts.Body("base", 6.0, (0.05, 0.08, 0.1), center=(0.05, 0.0, 0.0)),
        parts.Free("base", start=(0, 0, 0.1)),
        wheel("left", 0.18),
        wheel("right", -0.18, rows=rows),
        parts.Glide("base", 0.02, at=(0.2, 0.0, -0.08), name="foot"),
        parts.Gravity(9.81),
        *more,
    )


# -- A4: contacts that pull or sink --------------------------------------------------------------


def test_finding3_a4_a_disk_that_is_pulled_up_is_reported():
    lifted = disk(parts.Push("disk", (0.0, 0.0, 1.0)), speed=0.0)
    for method in (da.Gauss(), da.DLA(), da.Taylor()):
        run = da.simulate(lifted, method, h=0.01, steps=20, u=[50.0])
        (told,) = run.warnings
        assert "wheel 'disk' pulls" in told and "-40.2 N at t = 0" in told
        assert told in da.diagnostics.report(lifted, run).warnings
        assert not da.simulate(lifted, method, h=0.01, steps=20, u=[5.0]).warnings


def test_finding3_a4_the_first_time_is_said():
    lifted = disk(parts.Push("disk", (0.0, 0.0, 1.0)), speed=0.0)

    def ramp(t):
        return jnp.atleast_1d(10.0 * t)

    (told,) = da.simulate(lifted, h=0.01, steps=200, u=ramp).warnings
    assert "at t = 0.99 " in told and "-10.2 N at t = 2)" in told
    # of many rows some are looked at, the last one among them
    (told,) = da.simulate(lifted, h=1e-4, steps=20001, u=ramp).warnings
    first = float(told.split("at t = ")[1].split(" ")[0])
    assert 0.981 < first < 0.985 and "at t = 2.0001)" in told


def test_finding3_a4_a_foot_that_pulls_is_reported_by_its_name():
    robot = free_robot(("height", "along"), parts.Push("base", (0.0, 0.0, 1.0), at=(0.2, 0, 0)))
    run = da.simulate(robot, h=0.001, steps=20, u=[0.0, 0.0, 100.0])
    told = [x for x in run.warnings if "glide 'foot' pulls" in x]
    assert len(told) == 1 and "-85.3 N at t = 0" in told[0]


def test_finding3_a4_loads_by_the_names_of_contacts():
    robot = free_robot(("height", "along"))
    loads = robot.loads(0.0, *robot.initial())
    assert set(loads) == {"left", "right", "foot"}
    assert np.isclose(sum(loads.values()), 6.8 * 9.81)
    assert np.isclose(loads["foot"], 6.0 * 9.81 * 0.05 / 0.2)
    pulled = da.inputs.driven(disk(parts.Push("disk", (0.0, 0.0, 1.0)), speed=0.0), [50.0])
    assert np.isclose(pulled.loads(0.0, *pulled.initial())["disk"], 9.81 - 50.0)


def test_finding3_a4_a_wheel_that_sinks_is_reported():
    robot = free_robot(("along",))  # a tuple is taken as it is written
    assert "right, height" not in robot.constraint_names
    told, slips = da.simulate(robot, h=0.001, steps=200).warnings
    assert "wheel 'left' needs a coefficient of friction of" in slips  # the other one carries all
    assert "wheel 'right' is" in told and "m below its surface" in told and "height" in told


def test_finding3_a4_ordinary_runs_are_not_warned_about():
    ball = parts.build(
        parts.Body("ball", 2.0, (0.01, 0.02, 0.015)),
        parts.Free("ball", start=(0, 0, 0.1), speed=(1.0, 0, 0, 1.0, 10.0, 3.0)),
        parts.Ball("ball", 0.1),
    )  # without gravity nothing pushes, and nothing pulls
    run = da.simulate(ball, h=0.01, steps=200)
    assert not run.warnings
    assert abs(ball.loads(run.t[-1], run.final.q, run.final.v)["ball"]) < 1e-9
    rolling = da.simulate(disk(), h=0.01, steps=200)
    assert not rolling.warnings
    load = disk().loads(rolling.t[-1], rolling.final.q, rolling.final.v)["disk"]
    assert np.isclose(load, rolling.multiplier[-1, 0])


def test_finding3_a4_rows_along_keeps_the_height_of_a_free_root():
    robot = free_robot("along")
    assert robot.constraint_names == (
        "left, height",
        "right, height",
        "foot, height",
        "left, along",
        "left, across",
        "right, along",
    )
    run = da.simulate(robot, h=0.001, steps=200)
    assert not run.warnings and abs(run.final.q[0][2] - 0.1) < 1e-12
    # three feet hold a rigid body: a fourth height would not be determined, and is left out
    four = free_robot("along", wheel("third", 0.3, rows="along"))
    assert "third, height" not in four.constraint_names
    assert "third, along" in four.constraint_names
    assert not da.simulate(four, h=0.001, steps=20).warnings


# -- B1: URDF files as they are written ----------------------------------------------------------

INERTIA = (
    '<inertial><mass value="0.03"/><inertia ixx="1e-5" iyy="1e-5" izz="2e-5"/></inertial></link>'
)
BURGER = f"""<robot name="burger"><link name="base_footprint"/>
<joint name="base_joint" type="fixed"><parent link="base_footprint"/><child link="base_link"/>
<origin xyz="0.0 0.0 0.010" rpy="0 0 0"/></joint>
<link name="base_link"><inertial><origin xyz="-0.03 0.004 0.05" rpy="0 0 0.1"/>
<mass value="0.8"/><inertia ixx="2.2e-3" iyy="2.1e-3" izz="2e-3"/></inertial></link>
<joint name="wheel_left_joint" type="continuous"><parent link="base_link"/>
<child link="wheel_left_link"/><origin xyz="0.0 0.08 0.023" rpy="-1.57 0 0"/>
<axis xyz="0 0 1"/></joint><link name="wheel_left_link">{INERTIA}
<joint name="wheel_right_joint" type="continuous"><parent link="base_link"/>
<child link="wheel_right_link"/><origin xyz="0.0 -0.08 0.023" rpy="-1.57 0 0"/>
<axis xyz="0 0 1"/></joint><link name="wheel_right_link">{INERTIA}
<joint name="pan" type="revolute"><parent link="base_link"/><child link="pan_link"/>
<axis xyz="0 0 1"/></joint><link name="pan_link">{INERTIA}
<joint name="pan2" type="revolute"><parent link="base_link"/><child link="pan2_link"/>
<axis xyz="0 0 1"/><mimic joint="pan" multiplier="-2.0" offset="0.3"/></joint>
<link name="pan2_link">{INERTIA}</robot>"""


def burger(text=BURGER):
    touch = {
        "wheel_left_link": parts.Wheel("wheel_left_link", 0.033, axis="z"),
        "wheel_right_link": parts.Wheel("wheel_right_link", 0.033, axis="z", rows="along"),
    }
    return parts.from_urdf(text, touch, root="planar", motors="all")


def test_finding3_b1_rounded_angles_are_read_as_right_angles():
    found = burger()
    assert len(found.notes) == 2 and "link 'wheel_left_link'" in found.notes[0]
    assert "-1.57 is read as -1.5707963" in found.notes[0] and found.notes[0] in str(found)
    run = da.simulate(found.build(), h=0.01, steps=50, u=[0.0, 1e-4, 1e-4])
    assert not run.warnings and run.final.q[0] > 0
    assert len(burger(BURGER.replace("-1.57 0 0", "-1.571 0 3.1416")).notes) == 4
    # what is written exactly needs no note, and what is meant otherwise is left alone
    for angles in ("-1.5707963267948966 0 0", "-1.5707963 0 0"):
        assert not burger(BURGER.replace("-1.57 0 0", angles)).notes
    for angle in ("1.569", "0.001", "1.5", "1.6", "3"):
        text = BURGER.replace('rpy="0 0 0"', f'rpy="0 0 {angle}"').replace("-1.57 ", "-1.5707963 ")
        assert not burger(text).notes


def test_finding3_b1_mimic_is_a_gear():
    found = burger()
    assert ("mimic", "pan2", "Gear: -2 x pan + 0.3") in found.taken
    assert not [x for x in found.left if x[0] == "mimic"]
    robot = found.build()
    assert "pan2 motor" not in robot.input_names and "pan motor" in robot.input_names
    names = robot.coordinate_names
    run = da.simulate(robot, h=0.01, steps=50, u=[1e-4, 0.0, 0.0])
    pan, pan2 = (np.asarray(run.q)[:, names.index(x)] for x in ("pan", "pan2"))
    assert abs(pan[-1]) > 0.1 and np.allclose(pan2, 0.3 - 2.0 * pan, atol=1e-12)
    with pytest.raises(da.errors.UsageError, match="mimics 'pen', which is not a joint"):
        burger(BURGER.replace('mimic joint="pan"', 'mimic joint="pen"'))
    with pytest.raises(da.errors.UsageError, match="mimic each other in a circle"):
        burger(BURGER.replace('mimic joint="pan"', 'mimic joint="pan2"'))


# -- A11: the sign of rollers --------------------------------------------------------------------


def platform(angle, length=0.2, width=0.2):
    made = [parts.Body("deck", 20.0, (0.7, 0.7, 1.2)), parts.Planar("deck", at=(0, 0, 0.1))]
    for ahead, x in (("front", 1), ("rear", -1)):
        for side, y in (("left", 1), ("right", -1)):
            name = f"{ahead} {side}"
            made += [
                parts.Body(name, 1.0, shape=da.scene.wheel(0.1, 0.05)),
                parts.Revolute(name, "deck", at=(x * length, y * width, 0), axis="y"),
                parts.mecanum(name, 0.1, angle(x, y)),
                parts.Motor(name),
            ]
    return parts.build(made, parts.Gravity(9.81))


def test_finding3_a11_rollers_without_grip_are_refused():
    message = "body 'deck' {} freely while its mecanum wheels .front left, front right.*-pi/4 front"
    with pytest.raises(da.errors.UsageError, match=message.format("turns")):
        platform(lambda x, y: x * y * np.pi / 4)
    with pytest.raises(da.errors.UsageError, match=message.format("slides")):
        platform(lambda x, y: np.pi / 4)
    # the documented sign, and the other one where the platform is long, have grip
    assert platform(lambda x, y: -x * y * np.pi / 4).dim == 7
    assert platform(lambda x, y: x * y * np.pi / 4, length=0.4).dim == 7
    assert "front left  -pi/4" in parts.mecanum.__doc__


# -- B8: messages --------------------------------------------------------------------------------


def test_finding3_b8_a_glide_has_its_default_radius():
    stool = parts.build(
        parts.Body("stool", 2.0, (0.1, 0.1, 0.1)),
        parts.Free("stool", start=(0, 0, 0.5), speed=(1.0, 0, 0, 0, 0, 0)),
        *(
            parts.Glide("stool", at=(x, y, -0.5), name=name)
            for name, x, y in (("one", 0.2, 0.0), ("two", -0.1, 0.15), ("three", -0.1, -0.15))
        ),
        parts.Gravity(9.81),
    )
    run = da.simulate(stool, h=0.01, steps=50)
    assert not run.warnings and np.allclose(run.final.q[0], (0.5, 0, 0.5))
    with pytest.raises(da.errors.UsageError, match="glide 'stool': radius must be 0 or more"):
        parts.build(stool.contents, parts.Glide("stool", -0.1))


def test_finding3_b8_a_wheel_about_another_axis_than_its_hinge_is_named():
    def robot(hinge, axle):
        made = [
            parts.Body("base", 6.0, (0.05, 0.08, 0.1)),
            parts.Planar("base", at=(0, 0, 0.1)),
        ]
        for name, y in (("left", 0.18), ("right", -0.18)):
            rows = "along" if y < 0 else None
            made += [
                parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03)),
                parts.Revolute(name, "base", at=(0, y, 0), axis=hinge),
                parts.Wheel(name, 0.1, axis=axle, rows=rows),
            ]
        return parts.build(made)

    message = (
        r"wheel 'left': its axis is \(1, 0, 0\), and its joint 'left' turns it about \(0, 1, 0\)"
    )
    with pytest.raises(da.errors.UsageError, match=message):
        robot("y", "x")
    # a wheel on a steered body is fine; where its rows depend at the start they are named
    with pytest.raises(da.errors.UsageError, match="dependent: left, along; right, along"):
        da.simulate(robot("z", "x"), h=0.01, steps=1)


# -- A4: loads of planar machines, friction that rolling needs, ensembles ------------------------


def rolling_robot(root):
    return parts.build(
        parts.Body("base", 6.0, (0.05, 0.08, 0.1), center=(0.05, 0.0, 0.03)),
        root,
        wheel("left", 0.18),
        wheel("right", -0.18, rows="along"),
        parts.Glide("base", 0.02, at=(0.2, 0.0, -0.08), name="foot"),
        parts.Gravity(9.81),
    )


def test_finding3_a4_loads_of_a_planar_machine_are_those_of_a_free_one():
    found = []
    for root in (parts.Planar("base", at=(0, 0, 0.1)), parts.Free("base", start=(0, 0, 0.1))):
        robot = da.inputs.driven(rolling_robot(root), [0.3, 0.2])
        q, v = robot.initial(left_dot=5.0, right_dot=3.0)
        loads = robot.loads(0.0, q, v)
        row = SimpleNamespace(
            t=np.zeros(1),
            q=jax.tree.map(lambda x: np.asarray(x)[None], q),
            v=np.asarray(v)[None],
            multiplier=np.asarray(da.dynamics.multipliers(robot, q, v, 0.0))[None],
        )
        found.append((loads, robot.friction_needed(row)))
    (planar, need), (free, same) = found
    assert set(planar) == {"left", "right", "foot"}
    for name, load in free.items():
        assert np.isclose(planar[name], load, rtol=1e-10)
    assert planar["left"] > planar["right"] + 1.0  # it turns to the right
    for name in ("left", "right"):
        assert np.isclose(need[name].mu, same[name].mu, rtol=1e-9) and need[name].mu > 0.05
    assert "foot" not in need  # which slides


def test_finding3_a4_friction_without_weight_or_without_the_control_is_refused():
    robot = rolling_robot(parts.Planar("base", at=(0, 0, 0.1)))
    light = parts.build(*(x for x in robot.contents if not isinstance(x, parts.Gravity)))
    run = SimpleNamespace(meta=SimpleNamespace(controlled="robot"))
    assert robot._has_planar_loads() and not light._has_planar_loads()
    with pytest.raises(da.UsageError, match=r"add parts\.Gravity"):
        light.friction_needed(run)
    with pytest.raises(da.UsageError, match="driven"):
        robot.friction_needed(run)


def test_finding3_a4_loads_that_a_joint_carries_are_not_made_up():
    cart = parts.build(
        parts.Body("base", 2.0, (0.1, 0.1, 0.1), center=(0.1, 0, 0)),
        parts.Planar("base", at=(0, 0, 0.1)),
        parts.Skate("base", at=(0, 0, -0.1), name="blade"),
        parts.Gravity(9.81),
    )
    assert np.isnan(cart.loads(0.0, *cart.initial())["blade"])


def test_finding3_a4_members_and_failed_runs_are_warned_of():
    lifted = disk(parts.Push("disk", (0.0, 0.0, 1.0)), speed=0.0)
    start = jax.tree.map(lambda x: np.stack([np.asarray(x)] * 3), lifted.initial())
    pull = da.inputs.PerMember(da.inputs.Constant(np.array([[5.0], [50.0], [60.0]])))
    many = da.simulate_ensemble(lifted, da.RK4(), *start, h=0.01, steps=5, u=pull)
    (told,) = many.warnings
    assert told.startswith("members 1, 2 (2): wheel 'disk' pulls") and "-40.2 N" in told

    def until(t):
        return jnp.atleast_1d(jnp.where(t < 0.03, 50.0, jnp.nan))

    with pytest.raises(da.SimulationError) as raised:
        da.simulate(lifted, da.RK4(), h=0.01, steps=10, u=until)
    assert any("pulls" in x for x in raised.value.trajectory.warnings)


# -- B6: motors on spherical joints, dry friction and stops of joints ------------------------------


def test_finding3_b6_a_motor_turns_a_spherical_joint():
    body = (parts.Body("head", 1.0, (0.2, 0.2, 0.2)), parts.Spherical("head"))
    three = parts.build(*body, parts.Motor("head"))
    assert three.input_labels == ("head motor x", "head motor y", "head motor z")
    assert three.input_units == ("N m",) * 3
    u = np.array([0.1, -0.2, 0.3])
    run = da.simulate(three, h=0.02, steps=50, u=u)
    np.testing.assert_allclose(run.final.v, 5.0 * u, rtol=1e-12)  # t u/I
    one = parts.build(*body, parts.Motor("head", axis=(0, 0.6, 0.8)), parts.Damper("head", 0.4))
    np.testing.assert_allclose(one.inputs(one.initial()[0]), [[0.0, 0.6, 0.8]])
    slow = da.simulate(one, h=0.02, steps=50, u=np.array([1.0]))
    wanted = 2.5 * (1.0 - np.exp(-2.0)) * np.array([0.0, 0.6, 0.8])  # w' = (u - c w)/I
    np.testing.assert_allclose(slow.final.v, wanted, rtol=1e-7, atol=1e-15)
    with pytest.raises(da.UsageError, match="axis= is for Spherical joints"):
        parts.build(parts.Body("cart", 1.0), parts.Prismatic("cart"), parts.Motor("cart", axis="x"))


def test_finding3_b6_dry_friction_stops_a_block_and_creeps_as_documented():
    block = parts.build(
        parts.Body("block", 2.0),
        parts.Prismatic("block", speed=3.0),
        parts.DryFriction("block", 4.0),
        parts.Motor("block"),
    )
    run = da.simulate(block, h=0.01, steps=250)
    assert run.final.q[0] == pytest.approx(0.5 * 2.0 * 3.0**2 / 4.0, abs=2e-3)
    assert abs(run.final.v[0]) < 1e-6 and run.warnings == ()
    creeps = 1e-2 * 3.0 / np.sqrt(4.0**2 - 3.0**2)
    far = da.simulate(block, [0.0], [0.0], h=0.01, steps=250, u=np.array([3.0]))
    assert far.final.v[0] == pytest.approx(creeps, rel=1e-9)
    with pytest.raises(da.UsageError, match="speed, below which it creeps, must be positive"):
        parts.build(*block.contents, parts.DryFriction("block", 1.0, speed=0.0))


def lift(restitution):
    return parts.build(
        parts.Body("block", 2.0),
        parts.Prismatic("block", axis="z"),
        parts.Gravity(10.0),
        parts.Motor("block"),
        parts.Limit("block", low=-0.5, high=4.0, restitution=restitution),
        name="lift",
    )


def test_finding3_b6_a_joint_rests_at_its_stop_until_it_is_driven_away():
    machine = lift(0.0)
    (told,) = da.simulate(machine, h=0.01, steps=60).warnings
    assert "joint 'block' passes its limit -0.5" in told and "with_limits" in told
    modes = da.hybrid.with_limits(machine)
    assert len(modes.names) == 3

    def drive(t):
        return jnp.atleast_1d(jnp.where(t < 1.0, 5.0 * t, 60.0))

    run = da.simulate(modes, h=0.01, t=2.0, u=drive)
    assert [x.mode for x in run.arcs] == [
        "free", "block at its low limit", "free", "block at its high limit",
    ]  # fmt: skip
    rest = run.arcs[1].trajectory
    # the stop carries the weight less the motor
    i = len(rest.t) // 2
    assert rest.multiplier[i, -1] == pytest.approx(20.0 - 5.0 * rest.t[i], rel=1e-9)
    assert run.arcs[2].trajectory.t[0] == pytest.approx(1.0, abs=0.011)
    assert run.arcs[-1].trajectory.final.q[0] == pytest.approx(4.0, abs=1e-9)


def test_finding3_b6_a_joint_bounces_off_its_stop():
    run = da.simulate(da.hybrid.with_limits(lift(0.5)), h=0.01, t=1.5)
    first = np.sqrt(2.0 * 0.5 / 10.0)
    assert run.jumps.t[0] == pytest.approx(first, abs=1e-9)
    assert run.jumps.t[1] == pytest.approx(first + 2.0 * 0.5 * first, abs=1e-9)
    assert run.arcs[-1].mode == "block at its low limit"
    assert run.jumps.t[-1] == pytest.approx(3.0 * first, abs=0.01)  # first (1 + e)/(1 - e)
    with pytest.raises(da.UsageError, match="has no limits"):
        da.hybrid.with_limits(parts.build(parts.Body("cart", 1.0), parts.Prismatic("cart")))
    beyond = lift(0.5).with_parameters(**{"block limit.low": 0.1})
    with pytest.raises(da.UsageError, match=r"joint 'block' starts 0\.1 beyond its limit 0\.1"):
        da.hybrid.with_limits(beyond)
    with pytest.raises(da.UsageError, match="low must be below high"):
        parts.build(parts.Body("cart", 1.0), parts.Prismatic("cart"), parts.Limit("cart", 1.0, 0.5))


def test_finding3_b6_of_a_class_and_two_joints():
    class Arm(parts.Machine):
        """Two links that fall onto their stops."""

        stop: float = 0.3

        def parts(self):
            return [
                parts.Body("upper", 1.0, (0.01, 0.05, 0.05), center=(0.25, 0, 0)),
                parts.Revolute("upper", axis="y"),
                parts.Body("lower", 0.5, (0.01, 0.02, 0.02), center=(0.2, 0, 0)),
                parts.Revolute("lower", "upper", at=(0.5, 0, 0), axis="y"),
                parts.Gravity(9.81),
                parts.Limit("upper", high=self.stop),
                parts.Limit("lower", high=0.2),
            ]

    modes = da.hybrid.with_limits(Arm())
    run = da.simulate(modes, da.RK4(), h=0.005, t=1.0)
    assert run.arcs[-1].mode == "upper at its high limit - lower at its high limit"
    np.testing.assert_allclose(run.arcs[-1].trajectory.final.q, [0.3, 0.2], atol=1e-8)
    assert np.all(np.concatenate([x.trajectory.q for x in run.arcs]) < [0.3 + 1e-8, 0.2 + 1e-8])


# -- B10: what the pages say -----------------------------------------------------------------------


def test_finding3_b10_the_page_names_the_rows_of_every_contact():
    page = (Path(__file__).parents[1] / "docs" / "parts.md").read_text()
    listed = {}  # row -> what the page says about who has it
    for line in page.splitlines():
        cells = [x.strip() for x in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].strip("`") in ("height", "along", "across", "no-twist"):
            listed[cells[0].strip("`")] = cells[2]
    assert list(listed) == ["height", "along", "across", "no-twist"]
    kinds = {
        "Wheel": parts.Wheel("b", 0.1), "mecanum": parts.mecanum("b", 0.1, 0.8),
        "omni": parts.omni("b", 0.1), "Ball": parts.Ball("b", 0.1), "Skate": parts.Skate("b"),
        "Ellipsoid": parts.Ellipsoid("b", (0.1, 0.2, 0.3)), "Glide": parts.Glide("b", 0.1),
    }  # fmt: skip
    for name, contact in kinds.items():
        for row in ("height", "along", "across"):
            said = f"`{name}`" not in listed[row].partition("all but")[2]
            assert said == (row in (contact.rows or contact.directions)), (name, row)
    made = disk()
    assert [x for x in made.constraint_names if x.startswith("disk, ")] == [
        "disk, height", "disk, along", "disk, across",
    ]  # fmt: skip


def test_finding3_b10_the_page_on_hybrid_systems_has_a_law_in_one_mode():
    """The piece of code with `control.driven` runs, and the reaction differs between its modes."""
    page = (Path(__file__).parents[1] / "docs" / "hybrid.md").read_text()
    pieces = re.findall(r"```\{code-cell\}[^\n]*\n(.*?)```", page, re.DOTALL)
    (piece,) = [x for x in pieces if "control.driven" in x]
    names = {"da": da, "jnp": jnp, "hybrid": da.hybrid, "print": lambda *x: None}
    exec(piece, names)
    run = names["run"]
    (start,) = [float(np.ravel(x.trajectory["wheel, along"])[1]) for x in run.arcs[:1]]
    # the motor accelerates cart and wheel: m a = u - F, J a / r^2 = F with r = 0.1, J = 0.02
    force = 3.0 * 2.0 / (2.0 + 0.5 + 2.0)
    np.testing.assert_allclose(abs(start), force, rtol=0.05)
    assert abs(float(np.ravel(run.arcs[1].trajectory["wheel, along"])[1])) < 1e-9
