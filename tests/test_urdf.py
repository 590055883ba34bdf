"""Robots from URDF: what is taken and left, lines in errors, masses there and back."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert import parts

EXAMPLES = Path(__file__).parent.parent / "examples"
TEXT = (EXAMPLES / "wheeled_robot.urdf").read_text()


def example():
    spec = importlib.util.spec_from_file_location("example_urdf", EXAMPLES / "from_urdf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_robot_of_the_examples():
    found = example().robot()
    told = str(found)
    assert "taken  link      base" in told and "body of 6 kg" in told
    assert "left   friction  left" in told and "left   collision base" in told
    robot = found.build()
    assert robot.name() == "wheeled-robot"
    assert robot.coordinate_names == ("x", "y", "theta", "left", "right", "swivel", "caster")
    assert robot.input_names == ("left motor", "right motor")
    assert robot.constraint_names == (
        "left_wheel, along",
        "left_wheel, across",
        "right_wheel, along",
        "caster_wheel, along",
        "caster_wheel, across",
    )
    # straight ahead: mass and rolling inertia, against both dampers
    base = sum(b.mass for b in robot.contents if isinstance(b, parts.Body))
    spun = 2 * 0.002 / 0.1**2 + 0.00003 / 0.04**2
    v = np.array([1.0, 0, 0, 10.0, 10.0, 0, 25.0])
    a = da.dynamics.acceleration(robot, np.zeros(7), v)
    np.testing.assert_allclose(a[0] * (base + spun), -2 * 0.01 * 10.0 / 0.1, rtol=1e-12)


def test_mass_and_inertia_there_and_back():
    found = example().robot()
    again = parts.from_urdf(parts.to_urdf(found.build()))
    bodies = [[p for p in x.parts if isinstance(p, parts.Body)] for x in (found, again)]
    assert len(bodies[0]) == len(bodies[1]) == 5
    for one, two in zip(*bodies):
        assert one.name == two.name and one.mass == two.mass
        np.testing.assert_array_equal(one.inertia, two.inertia)
        centers = [np.zeros(3) if b.center is None else b.center.array(np) for b in (one, two)]
        np.testing.assert_array_equal(*centers)
    # an inertia given in a turned frame is turned into that of the link
    text = (
        '<robot name="r"><link name="a"><inertial><origin rpy="0 0 1.5707963267948966"/>'
        '<mass value="1"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial></link></robot>'
    )
    (body,) = (p for p in parts.from_urdf(text).parts if isinstance(p, parts.Body))
    np.testing.assert_allclose(body.inertia, [2, 1, 2.5, 0, 0, 0], atol=1e-15)


def line_of(text):
    return next(k for k, row in enumerate(TEXT.splitlines(), start=1) if text in row)


@pytest.mark.parametrize(
    "old, new, message",
    [
        ('<mass value="6.0"/>', '<mass value="six"/>', 'value="six" must be 1 numbers'),
        ('<mass value="6.0"/>', "", "has no <mass>"),
        ('<child link="fork"/>', '<child link="frok"/>', "there is no link 'frok'"),
        ('name="swivel" type="continuous"', 'name="swivel" type="hinge"', "has the type 'hinge'"),
        ('<origin xyz="0.22 0 -0.06"/>', '<origin xyz="0.22 0"/>', "must be 3 numbers"),
        ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>', "its axis is 0"),
        ('<link name="fork">', '<link name="base">', "two links are called 'base'"),
        ('<geometry><cylinder radius="0.04"', '<geometry><cylinder radius="0.04', "invalid XML"),
    ],
)
def test_a_broken_file_names_the_line(old, new, message):
    where = line_of("<inertial>") if not new else line_of(old)
    with pytest.raises(da.UsageError, match=rf"line {where}: .*{message}"):
        parts.from_urdf(TEXT.replace(old, new, 1))


def test_a_planar_joint_is_about_z():
    text = (
        '<robot name="a"><link name="b"/><link name="c"/><joint name="j" type="planar">'
        '<parent link="b"/><child link="c"/><axis xyz="{}"/></joint></robot>'
    )
    found = parts.from_urdf(text.format("0 0 1"))
    assert any(isinstance(p, parts.Planar) for p in found.parts)
    with pytest.raises(da.UsageError, match="its axis must be 0 0 1"):
        parts.from_urdf(text.format("1 0 0"))


def test_what_is_not_there_is_told():
    with pytest.raises(da.UsageError, match="cannot be read"):
        parts.from_urdf("nowhere.urdf")
    with pytest.raises(da.UsageError, match="no link 'wheel' for a contact"):
        parts.from_urdf(TEXT, {"wheel": parts.Wheel("wheel", 0.1)})
    with pytest.raises(da.UsageError, match="no joint 'arm' for a motor"):
        parts.from_urdf(TEXT, motors="arm")
    with pytest.raises(da.UsageError, match="root of this robot is 'base'"):
        parts.from_urdf(TEXT, root=parts.Planar("fork"))
    with pytest.raises(da.UsageError, match="begins with <robot>"):
        parts.from_urdf("<car/>")
