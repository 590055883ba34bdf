"""Robots from MJCF: three of them by MJCF, URDF and parts agree, with MuJoCo as well; reports."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as da
import robots
from compiled import native
from dalembert import dynamics, parts
from dalembert.errors import UsageError

pytest.importorskip("mujoco")
rng = np.random.default_rng(7)


def _state(machine, name):
    """A state that is not special, on the constraint: (q, v, numbers for MuJoCo, attitude)."""
    if name == "drone":
        turn = np.asarray(da.SO(3).exp(np.array([0.3, -0.5, 0.8])))
        x = np.array([0.3, -0.2, 1.0, 0.7, -0.15])
        return (x, turn), rng.normal(size=8), x, turn
    q = np.array([0.4, -0.7]) if name == "arm" else np.array([0.3, -0.1, 0.6, 0.2, -0.4])
    v = np.array([0.8, -0.5]) if name == "arm" else np.asarray(
        dynamics.consistent_velocity(machine, q, np.array([0.5, 0.2, 0.3, 4.0, 5.0]))
    )  # fmt: skip
    return q, v, q, None


@pytest.mark.parametrize("name", ["arm", "rover", "drone"])
def test_three_ways_to_one_robot(name):
    made = robots.all_of(name)
    metric, solved = native(dynamics.metric), native(dynamics.solved)
    q, v, x, turn = _state(made[-1], name)
    masses = [np.asarray(metric(m, q)) for m in made]
    found = [solved(m, q, v, 0.0) for m in made]
    size = np.max(np.abs(masses[0]))
    for M, s in zip(masses[1:], found[1:], strict=True):
        assert np.max(np.abs(M - masses[0])) < 1e-12 * size
        a = np.asarray(found[0].acceleration)
        assert np.max(np.abs(s.acceleration - a)) < 1e-12 * (1 + np.max(np.abs(a)))
    theirs = robots.mass_matrix_of_mujoco(name, x, turn)
    if name == "drone":  # ours has R^n first: position, pan, reach, then the angular velocity
        order = [0, 1, 2, 6, 7, 3, 4, 5]
        theirs = theirs[np.ix_(order, order)]
    assert np.max(np.abs(masses[0] - theirs)) < 1e-9 * size


def test_a_report_of_what_was_taken_and_left():
    found = parts.from_mjcf(robots.ARM_MJCF)
    told = str(found)
    assert told.startswith("MJCF 'arm': ") and "taken  body      upper" in told
    assert ("joint", "elbow", "Revolute, upper to lower") in found.taken
    assert ("damping", "shoulder", "0.3") in found.taken  # from <default>
    assert ("stiffness", "elbow", "2") in found.taken
    assert any(kind == "servo" and name == "servo" for kind, name, _ in found.left)
    assert any(kind == "collision" for kind, _, _ in found.left)


MORE = """
<mujoco model="more">
  <worldbody>
    <body name="a"><joint name="one" limited="true" range="-10 10" frictionloss="0.1"/>
      <geom type="capsule" size="0.1 0.2" fromto="0 0 0 1 0 0"/>
      <body name="b" pos="1 0 0"><joint name="two" ref="0.1" axis="0 0 1" armature="0.01"/>
        <geom size="0.1"/></body></body>
    <body name="c" pos="0 2 0"><joint name="ball" type="ball"/><geom size="0.1"/></body>
  </worldbody>
  <equality><joint joint1="two" joint2="one" polycoef="0.2 3 0 0 0"/></equality>
  <tendon><fixed name="t"><joint joint="one" coef="1"/></fixed></tendon>
  <actuator><motor name="m" joint="one" gear="50"/><motor name="n" tendon="t"/></actuator>
</mujoco>"""


def test_what_has_no_place_is_left_with_a_reason():
    found = parts.from_mjcf(MORE)
    left = {(kind, name) for kind, name, _ in found.left}
    assert {("range", "one"), ("friction", "one"), ("armature", "two"), ("tendon", "1"),
            ("actuator", "n")} <= left  # fmt: skip
    gear = next(p for p in found.parts if isinstance(p, parts.Gear))
    assert (gear.joint, gear.other, gear.ratio, gear.shift) == ("one", "two", 3.0, 0.2)
    assert any("ref 0.1" in note or "ref 0.00174" in note for note in found.notes)
    assert any("50 x ctrl" in note for note in found.notes)
    assert any(isinstance(p, parts.Spherical) for p in found.parts)


OFF = """
<mujoco>
  <option density="1000" viscosity="1" wind="1 0 0"><flag {flags}/></option>
  <worldbody>
    <body name="m" mocap="true"><geom size="0.1"/></body>
    <body name="a" gravcomp="1"><joint name="one" stiffness="2" damping="3"
      actuatorfrcrange="-1 1"/><geom size="0.1" pos="1 0 0"/></body>
    <body name="b"><joint name="two"/><geom size="0.1" pos="1 0 0"/></body>
    <body name="c"><joint name="ball" type="ball"/><geom size="0.1"/></body>
  </worldbody>
  <equality><joint joint1="one" joint2="two"/><weld body1="c"/></equality>
  <actuator><motor name="u" joint="one" ctrlrange="-1 1" forcerange="-2 2"/>
    <general name="g" joint="two" gaintype="affine" gainprm="1 2 3"/></actuator>
</mujoco>"""
ACTING = (parts.Gravity, parts.Spring, parts.Damper, parts.Gear)


def test_flags_turn_forces_off_and_the_rest_is_named():
    found = parts.from_mjcf(OFF.format(flags=""))
    assert {type(p) for p in found.parts} >= set(ACTING)
    left = {(kind, name) for kind, name, _ in found.left}
    assert {("mocap", "m"), ("gravcomp", "a"), ("actuatorfrcrange", "one"), ("ctrlrange", "u"),
            ("forcerange", "u"), ("gaintype", "g"), ("equality", "equality 1"),
            ("option", "density"), ("option", "viscosity"), ("option", "wind")} <= left  # fmt: skip
    names = ("gravity", "spring", "damper", "equality")
    off = parts.from_mjcf(OFF.format(flags=" ".join(f'{x}="disable"' for x in names)))
    assert not any(isinstance(p, ACTING) for p in off.parts)
    assert [what for kind, _, what in off.taken if kind == "flag"]
    given = parts.from_mjcf(OFF.format(flags='gravity="disable"'), gravity=1.62)
    assert any(isinstance(p, parts.Gravity) for p in given.parts)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<mujoco><worldbody><bodyx/></worldbody></mujoco>", "bodyx"),
        ("<mujoco><worldbody><body><joint type='cone'/></body></worldbody></mujoco>", "cone"),
        ("nowhere.xml", "no such file"),
    ],
)  # fmt: skip
def test_what_mujoco_refuses_is_named(text, words):
    with pytest.raises(UsageError) as told:
        parts.from_mjcf(text)
    assert words in str(told.value)


def test_wrong_tables_are_refused():
    with pytest.raises(UsageError, match="there is no body 'wheel' for a contact"):
        parts.from_mjcf(robots.ARM_MJCF, {"wheel": parts.Wheel("wheel", 0.1)})
    with pytest.raises(UsageError, match="the contact of 'lower' belongs to 'upper'"):
        parts.from_mjcf(robots.ARM_MJCF, {"lower": parts.Wheel("upper", 0.1)})
    with pytest.raises(UsageError, match="the first body is 'upper'"):
        parts.from_mjcf(robots.ARM_MJCF, root=parts.Planar("lower"))
