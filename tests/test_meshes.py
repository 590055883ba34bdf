"""Meshes of robots' descriptions, and files in the wild: packages, xacro, transmissions."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from dalembert import parts
from dalembert.errors import UsageError

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3.0]])
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def _binary():
    rows = b"".join(
        struct.pack("<12fH", 0, 0, 0, *CORNERS[list(face)].ravel(), 0) for face in FACES
    )
    return b"\0" * 80 + struct.pack("<I", 4) + rows


def _text():
    lines = ["solid tetrahedron"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(map(str, CORNERS[i])) for i in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def _obj():
    lines = ["# a tetrahedron, one face as a polygon of three", "o thing"]
    lines += ["v " + " ".join(map(str, p)) for p in CORNERS]
    lines += ["f " + " ".join(f"{i + 1}/1/1" for i in face) for face in FACES[:3]]
    return "\n".join([*lines, "f -3 -2 -1"]).encode()


@pytest.mark.parametrize(
    ("name", "data"), [("a.stl", _binary()), ("b.STL", _text()), ("c.obj", _obj())]
)
def test_meshes_are_read(name, data, tmp_path):
    place = tmp_path / name
    place.write_bytes(data)
    made = parts.mesh_from(place, scale=(1, 1, 2))
    points, faces = np.asarray(made.size["vertices"]), np.asarray(made.size["faces"])
    assert points.shape == (4, 3) and faces.shape == (4, 3)
    a, b, c = (points[faces[:, i]] for i in range(3))
    volume = np.sum(np.einsum("ij,ij->i", a, np.cross(b, c))) / 6
    assert abs(volume - 2.0) < 1e-6  # 1 x 2 x (2 x 3) / 6, outside out


ROBOT = """<robot name="r"><link name="base">
  <visual><geometry><mesh filename="{0}" scale="0.001 0.001 0.001"/></geometry></visual></link>
</robot>"""


def test_packages_are_looked_for(tmp_path):
    folder = tmp_path / "my_robot" / "meshes"
    folder.mkdir(parents=True)
    (folder / "hull.stl").write_bytes(_binary())
    urdf = tmp_path / "my_robot" / "urdf" / "r.urdf"
    urdf.parent.mkdir()
    urdf.write_text(ROBOT.format("package://my_robot/meshes/hull.stl"))
    for found in (
        parts.from_urdf(urdf),
        parts.from_urdf(urdf.read_text(), packages={"my_robot": tmp_path / "my_robot"}),
    ):
        (shape,) = found.parts[0].shapes
        assert np.ptp(np.asarray(shape.size["vertices"]), axis=0).tolist() == pytest.approx(
            [0.001, 0.002, 0.003]
        )
    left = parts.from_urdf(urdf.read_text()).left
    assert any("packages={'my_robot'" in why for _, _, why in left)
    left = parts.from_urdf(ROBOT.format("hull.dae")).left
    assert any("meshes are read from" in why for _, _, why in left)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.stl", b"\0" * 100, "is not an STL file"),
        ("a.obj", b"v 1 2\n", "line 1"),
        ("a.obj", b"v 1 2 3\nf 1 2 3\n", "line 2"),
        ("a.obj", b"", "no triangles"),
        ("a.stl", None, "cannot be read"),
        ("a.dae", b"", "meshes are read from"),
    ],
)
def test_damaged_meshes_are_named(name, data, words, tmp_path):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match=words):
        parts.mesh_from(tmp_path / name)


def test_xacro_is_refused_with_advice(tmp_path):
    place = tmp_path / "robot.urdf.xacro"
    place.write_text('<robot xmlns:xacro="http://ros.org/wiki/xacro" name="r"/>')
    with pytest.raises(UsageError, match=r"xacro robot.urdf.xacro > robot.urdf"):
        parts.from_urdf(place)
