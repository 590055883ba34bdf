"""Meshes from OBJ and STL files as shapes of bodies: they are drawn, and have no mass."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from .. import scene as sc
from ..errors import UsageError

SUFFIXES = (".stl", ".obj")
# The largest number of triangles of a mesh that are drawn. Of a larger mesh only every k-th
# triangle is drawn, which leaves holes. 200,000 triangles make a page of 5 MB.
_MOST = 200_000


def mesh_from(path: str | os.PathLike[str], scale: Sequence[float] = (1.0, 1.0, 1.0)) -> sc.Shape:
    """Return a shape from an OBJ or STL file, its points multiplied by `scale`."""
    place = Path(path)
    suffix = place.suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageError(f"'{place}': meshes are read from {' and '.join(SUFFIXES)}")
    try:
        data = place.read_bytes()
    except OSError as error:
        raise UsageError(f"'{place}' cannot be read: {error.strerror}") from None
    vertices, faces = _stl(data, place) if suffix == ".stl" else _obj(data, place)
    if not len(faces) or not np.all(np.isfinite(vertices)):
        raise UsageError(f"'{place}' has no triangles, or points that are not finite")
    if len(faces) > _MOST:
        raise UsageError(
            f"'{place}' has {len(faces)} triangles, more than {_MOST}: reduce it before it is shown"
        )
    return sc.mesh(vertices * np.asarray(scale, dtype=float), faces)


def _stl(data: bytes, place: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices and faces of a binary or text STL; equal corners become one vertex."""
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, np.uint8, offset=84).reshape(count, 50)[:, :48]
        corners = rows.copy().view("<f4").reshape(count, 4, 3)[:, 1:].reshape(-1, 3)
    elif data.lstrip()[:5] == b"solid":
        words = [line.split()[1:] for line in data.splitlines() if line.split()[:1] == [b"vertex"]]
        try:
            corners = np.array(words, dtype=float).reshape(-1, 3)
        except ValueError:
            raise UsageError(f"'{place}': a vertex does not have three numbers") from None
        if len(corners) % 3:
            raise UsageError(f"'{place}': its list of triangles is incomplete")
    else:
        raise UsageError(f"'{place}' is not an STL file: {len(data)} bytes for {count} triangles")
    vertices, inverse = np.unique(corners.astype(float), axis=0, return_inverse=True)
    return vertices, inverse.reshape(-1, 3)


def _obj(data: bytes, place: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices and faces; polygons become fans of triangles, other data are ignored."""
    vertices: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for k, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                x, y, z = map(float, words[1:4])
                vertices.append([x, y, z])
            elif words[:1] == ["f"]:
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [i - 1 if i > 0 else len(vertices) + i for i in corners]
                if any(not 0 <= i < len(vertices) for i in corners) or len(corners) < 3:
                    raise ValueError
                faces += [(corners[0], a, b) for a, b in itertools.pairwise(corners[1:])]
        except ValueError:
            raise UsageError(f"'{place}', line {k}: '{line.strip()[:60]}' cannot be read") from None
    return np.array(vertices, dtype=float).reshape(-1, 3), np.array(faces, int).reshape(-1, 3)


def located(name: str, folder: Path | None, packages: Mapping[str, str | os.PathLike[str]]) -> Path:
    """Return the path of a mesh in a robot description: `package://NAME/...`, `file://`, or a path.

    A package is one of `packages`, or a folder of its name above the description.
    """
    if name.startswith("package://"):
        package, _, rest = name.removeprefix("package://").partition("/")
        if package in packages:
            return Path(packages[package]) / rest
        for above in () if folder is None else (folder, *folder.parents):
            for root in (above / package, above):
                if root.name == package and (root / rest).is_file():
                    return root / rest
        raise UsageError(
            f"{name}: the folder of the package is not known: packages={{'{package}': ..}}"
        )
    path = Path(name.removeprefix("file://"))
    return path if path.is_absolute() or folder is None else folder / path
