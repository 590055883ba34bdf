"""Build machines from bodies, joints, wheels and skates; a machine is an ordinary system.

    import dalembert as da
    from dalembert import parts

    disk = parts.build(
        parts.Body("disk", 1.0, (0.25, 0.5, 0.25)),
        parts.Free("disk", start=(0, 0, 1.0), speed=(2.0, 0, 0, 0, 2.0, 0)),
        parts.Wheel("disk", radius=1.0),
        parts.Gravity(9.81),
    )
    traj = da.simulate(disk, h=0.01, steps=500)

Space has x, y and z up; a wheel's axle is the second axis of its body, so that it rolls along the
first. A free body moves in R^3 x SO(3), without a chart. The numbers given to parts are parameters
of the machine: `parameters()` names them, and runs can be differentiated with respect to them. But
an integer among the three coordinates of a point is a constant (write 0 for a coordinate that is
always zero).

    bodies      Body
    joints      Revolute, Prismatic, Spherical, Planar, Free, Fixed; Loop closes loops, Gear couples
    contacts    Wheel, mecanum, omni, caster, Ball, Ellipsoid, Skate, Glide
    surfaces    Plane, turntable, Sphere, Cylinder, Height (hills), Level (any function of a point)
    forces      Gravity, Spring, Damper, Strut, DryFriction; Limit (stops, in hybrid runs)
    inputs      Motor, DCMotor (with its circuit), Push; Prescribed moves a joint in time
    sensors     Encoder, IMU: functions of a state, with noise by seed
    machines    build, settle (closes contacts), Machine (a class with its own parameters)
    files       from_urdf, to_urdf, from_mjcf; mesh_from (OBJ, STL) for shapes

`help(parts.Wheel)` describes one of them.
"""

from ..doors import guard as _guard
from .contacts import Ball, Contact, Ellipsoid, Glide, Skate, Wheel, mecanum, omni
from .electric import DCMotor
from .joints import Fixed, Free, Planar, Prismatic, Revolute, Spherical
from .machine import Built, Machine, build, settle
from .meshes import mesh_from
from .mjcf import from_mjcf
from .pieces import (
    Body,
    Damper,
    DryFriction,
    Gear,
    Gravity,
    Joint,
    Limit,
    Loop,
    Motion,
    Motor,
    Part,
    Prescribed,
    Push,
    Spring,
    Strut,
)
from .recipes import caster
from .sensors import IMU, Encoder
from .solid_inertia import inertia_of
from .surfaces import Cylinder, Height, Level, Plane, Sphere, Surface, turntable
from .urdf import Imported, from_urdf, to_urdf
from .vectors import rotation

__all__ = [
    # bodies and how they hang together
    "Body", "Revolute", "Prismatic", "Spherical", "Free", "Planar", "Fixed", "Loop",
    "Joint", "Motion", "rotation",
    # what touches, and what is touched
    "Wheel", "mecanum", "omni", "caster", "Ball", "Ellipsoid", "Skate", "Glide", "Contact",
    "Plane", "turntable", "Sphere", "Cylinder", "Height", "Level", "Surface",
    # forces and inputs
    "Gravity", "Spring", "Damper", "Strut", "DryFriction", "Limit", "Motor", "DCMotor", "Push",
    "Prescribed", "Gear",
    # sensors
    "Encoder", "IMU",
    # descriptions of robots
    "from_urdf", "to_urdf", "from_mjcf", "mesh_from", "Imported",
    # machines
    "build", "settle", "Machine", "Built", "Part", "inertia_of",
]  # fmt: skip

_guard(globals())
