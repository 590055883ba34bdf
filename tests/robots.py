"""Three robots, each as MJCF, as URDF and as parts: an arm, a rover, a drone with a slider."""

from __future__ import annotations

import numpy as np

from dalembert import parts

ARM_MJCF = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <default><joint damping="0.3"/><default class="stiff"><joint stiffness="2"/></default></default>
  <worldbody>
    <body name="upper" pos="0.1 0 0.5" quat="0.9238795325112867 0 0 0.3826834323650898">
      <joint name="shoulder" axis="0 1 0" pos="0 0 0.05"/>
      <inertial pos="0.2 0.01 0" mass="2" fullinertia="0.02 0.05 0.04 0.002 0.001 -0.003"/>
      <geom type="box" size="0.2 0.03 0.02" pos="0.2 0 0"/>
      <body name="lower" pos="0.4 0 0">
        <joint name="elbow" class="stiff" axis="0 0.6 0.8"/>
        <inertial pos="0.15 0 0.02" mass="1.2" diaginertia="0.01 0.02 0.03"/>
        <body name="tool" pos="0.3 0 0">
          <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.002 0.003 0.001"/>
          <geom type="sphere" size="0.05" mass="0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="shoulder"/><position name="servo" joint="elbow"/></actuator>
</mujoco>"""
_TURN = f'rpy="0 0 {np.pi / 4!r}"'
ARM_URDF = f"""
<robot name="arm">
  <link name="world_link"/>
  <link name="upper_base"/>
  <link name="upper"><inertial><origin xyz="0.2 0.01 -0.05"/><mass value="2"/>
    <inertia ixx="0.02" iyy="0.05" izz="0.04" ixy="0.002" ixz="0.001" iyz="-0.003"/></inertial>
  </link>
  <link name="lower"><inertial><origin xyz="0.15 0 0.02"/><mass value="1.2"/>
    <inertia ixx="0.01" iyy="0.02" izz="0.03"/></inertial></link>
  <link name="tool"><inertial><origin xyz="0 0 0.1"/><mass value="0.5"/>
    <inertia ixx="0.002" iyy="0.003" izz="0.001"/></inertial></link>
  <joint name="base" type="fixed"><parent link="world_link"/><child link="upper_base"/>
    <origin xyz="0.1 0 0.55" {_TURN}/></joint>
  <joint name="shoulder" type="continuous"><parent link="upper_base"/><child link="upper"/>
    <axis xyz="0 1 0"/><dynamics damping="0.3"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.4 0 -0.05"/><axis xyz="0 0.6 0.8"/><dynamics damping="0.3"/></joint>
  <joint name="wrist" type="fixed"><parent link="lower"/><child link="tool"/>
    <origin xyz="0.3 0 0"/></joint>
</robot>"""


def arm_parts():
    c = np.sqrt(0.5)
    turn = np.array([[c, -c, 0], [c, c, 0], [0, 0, 1.0]])
    return parts.build(
        parts.Body("upper", 2.0, (0.02, 0.05, 0.04, 0.002, 0.001, -0.003), (0.2, 0.01, 0)),
        parts.Revolute("upper", at=(0.1, 0, 0.55), child_at=(0, 0, 0.05), tilt=turn, axis="y",
                       name="shoulder"),
        parts.Body("lower", 1.2, (0.01, 0.02, 0.03), (0.15, 0, 0.02)),
        parts.Revolute("lower", "upper", at=(0.4, 0, 0), axis=(0, 0.6, 0.8), name="elbow"),
        parts.Body("tool", 0.5, (0.002, 0.003, 0.001), (0, 0, 0.1)),
        parts.Fixed("tool", "lower", at=(0.3, 0, 0)),
        parts.Damper("shoulder", 0.3), parts.Damper("elbow", 0.3), parts.Spring("elbow", 2.0),
        parts.Motor("shoulder", name="lift"), parts.Motor("elbow", name="servo"),
        parts.Gravity(9.81),
    )  # fmt: skip


ROVER_MJCF = """
<mujoco model="rover">
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="base" pos="0 0 0.1">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <joint name="theta" axis="0 0 1"/>
      <inertial pos="0.05 0 0.02" mass="6" diaginertia="0.1 0.12 0.2"/>
      <body name="left_wheel" pos="0 0.2 0"><joint name="left" axis="0 1 0"/>
        <inertial pos="0 0 0" mass="0.4" diaginertia="0.001 0.002 0.001"/></body>
      <body name="right_wheel" pos="0 -0.2 0"><joint name="right" axis="0 1 0" armature="0.0"/>
        <inertial pos="0 0 0" mass="0.4" diaginertia="0.001 0.002 0.001"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="left" name="left motor"/>
    <motor joint="right" name="right motor"/></actuator>
</mujoco>"""
_WHEEL = """<link name="{0}_wheel"><inertial><mass value="0.4"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.001"/></inertial></link>
  <joint name="{0}" type="continuous"><parent link="base"/><child link="{0}_wheel"/>
    <origin xyz="0 {1} 0"/><axis xyz="0 1 0"/></joint>
  <transmission name="{0}_drive"><joint name="{0}"/><actuator name="{0}_motor">
    <mechanicalReduction>1</mechanicalReduction></actuator></transmission>"""
ROVER_URDF = f"""
<robot name="rover">
  <link name="base"><inertial><origin xyz="0.05 0 0.02"/><mass value="6"/>
    <inertia ixx="0.1" iyy="0.12" izz="0.2"/></inertial></link>
  {_WHEEL.format("left", 0.2)}
  {_WHEEL.format("right", -0.2)}
</robot>"""


def wheels():
    return {
        "left_wheel": parts.Wheel("left_wheel", 0.1),
        "right_wheel": parts.Wheel("right_wheel", 0.1, rows="along"),
    }


def rover_parts():
    made = [parts.Body("base", 6.0, (0.1, 0.12, 0.2), (0.05, 0, 0.02)),
            parts.Planar("base", at=(0, 0, 0.1))]  # fmt: skip
    for side, y in (("left", 0.2), ("right", -0.2)):
        made += [
            parts.Body(f"{side}_wheel", 0.4, (0.001, 0.002, 0.001)),
            parts.Revolute(f"{side}_wheel", "base", at=(0, y, 0), axis="y", name=side),
            parts.Motor(side),
        ]
    return parts.build(*made, *wheels().values(), parts.Gravity(9.81))


DRONE_MJCF = """
<mujoco model="drone">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="hull" pos="0.3 -0.2 1">
      <freejoint name="float"/>
      <inertial pos="0.02 0 0.01" mass="3" diaginertia="0.05 0.06 0.08"/>
      <body name="boom" pos="0.1 0.05 0">
        <joint name="pan" axis="0 0 1"/>
        <inertial pos="0.1 0 0" mass="0.6" diaginertia="0.002 0.004 0.005"/>
        <body name="mast" pos="0.2 0 0">
          <joint name="reach" type="slide" axis="0 0.8 0.6"/>
          <inertial pos="0 0.02 0" mass="0.3" diaginertia="0.001 0.001 0.002"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>"""
DRONE_URDF = """
<robot name="drone">
  <link name="hull"><inertial><origin xyz="0.02 0 0.01"/><mass value="3"/>
    <inertia ixx="0.05" iyy="0.06" izz="0.08"/></inertial></link>
  <link name="boom"><inertial><origin xyz="0.1 0 0"/><mass value="0.6"/>
    <inertia ixx="0.002" iyy="0.004" izz="0.005"/></inertial></link>
  <link name="mast"><inertial><origin xyz="0 0.02 0"/><mass value="0.3"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.002"/></inertial></link>
  <joint name="pan" type="continuous"><parent link="hull"/><child link="boom"/>
    <origin xyz="0.1 0.05 0"/><axis xyz="0 0 1"/></joint>
  <joint name="reach" type="prismatic"><parent link="boom"/><child link="mast"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 0.8 0.6"/></joint>
</robot>"""


def drone_parts():
    return parts.build(
        parts.Body("hull", 3.0, (0.05, 0.06, 0.08), (0.02, 0, 0.01)),
        parts.Free("hull", start=(0.3, -0.2, 1.0)),
        parts.Body("boom", 0.6, (0.002, 0.004, 0.005), (0.1, 0, 0)),
        parts.Revolute("boom", "hull", at=(0.1, 0.05, 0), axis="z", name="pan"),
        parts.Body("mast", 0.3, (0.001, 0.001, 0.002), (0, 0.02, 0)),
        parts.Prismatic("mast", "boom", at=(0.2, 0, 0), axis=(0, 0.8, 0.6), name="reach"),
        parts.Gravity(9.81),
    )


def all_of(name: str):
    """The machine by MJCF, URDF and parts."""
    if name == "arm":
        spring = parts.Spring("elbow", 2.0)
        motors = [parts.Motor("shoulder", name="lift"), parts.Motor("elbow", name="servo")]
        return (
            parts.from_mjcf(ARM_MJCF).build(),
            parts.from_urdf(ARM_URDF, root="fixed").build(spring, *motors),
            arm_parts(),
        )
    if name == "rover":
        root = parts.Planar("base", at=(0, 0, 0.1))
        return (
            parts.from_mjcf(ROVER_MJCF, wheels()).build(),
            parts.from_urdf(ROVER_URDF, wheels(), root=root, motors="transmissions").build(),
            rover_parts(),
        )
    return (
        parts.from_mjcf(DRONE_MJCF).build(),
        parts.from_urdf(DRONE_URDF).build(),
        drone_parts(),
    )


TEXTS = {"arm": ARM_MJCF, "rover": ROVER_MJCF, "drone": DRONE_MJCF}


def mass_matrix_of_mujoco(name: str, q: np.ndarray, turn: np.ndarray | None = None) -> np.ndarray:
    """MuJoCo's own at the coordinates q of the joints (those of the drone: position, pan, reach).

    Velocities in its order; of a free joint the angular one is in the body, as ours.
    """
    import mujoco

    model = mujoco.MjSpec.from_string(TEXTS[name]).compile()
    data = mujoco.MjData(model)
    if turn is None:
        data.qpos[:] = q
    else:
        data.qpos[:3], data.qpos[7:] = q[:3], q[3:]
        mujoco.mju_mat2Quat(data.qpos[3:7], turn.ravel())
    mujoco.mj_forward(model, data)
    columns = []
    for unit in np.eye(model.nv):
        column = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, column, unit)
        columns.append(column)
    return np.array(columns)
