"""Draw a scene without a browser: bodies as polygons, seen from behind and above.

The shapes are those of the viewer, drawn from far to near, without shadows or smooth shading. Such
pictures are for the render mode `rgb_array`: videos of episodes, and policies that learn from
images.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..scene import scene_of
from ..scene.poses import poses
from ..scene.shapes import Shape
from ..system import System

_SIZE = (640, 480)
_COLORS = {
    "run": "#3b6fb6",
    "light": "#d9dde3",
    "dark": "#3a3f47",
    "metal": "#9aa1ab",
    "accent": "#d9822b",
}
_ROUND = 24  # sides of a polygon that stands for a circle
_DISTANCE = 6.0  # distance of the eye, in units of the machine's size
_LENS = 2.2  # focal length in units of the picture's half height


class Camera:
    """Draws pictures of one system; the eye follows the focus of its scene, or the first body.

    With `whole`, the eye moves back until the picture also shows the marks on the ground.
    """

    def __init__(self, system: System, size: tuple[int, int] = _SIZE, whole: bool = False) -> None:
        self.system, self.size, self._whole = system, size, whole
        self.scene = scene_of(system)
        self._faces = {
            body.name: [face for s in _shapes(body.shapes) for face in _faces_of(s)]
            for body in self.scene.bodies
        }
        ends = [abs(x) for faces in self._faces.values() for x, _ in faces]
        self._extent = max((float(np.max(x)) for x in ends), default=1.0)
        up = self.scene.up
        self._up = np.array([0.0, 0.0, 1.0] if up is None else up, float)

    def picture(self, state: Any, marks: np.ndarray | None = None) -> np.ndarray:
        """Return the picture of a `Stepper` state, an array of bytes (height, width, 3)."""
        rows = jax.tree.map(
            lambda x: np.asarray(x)[None], (state.t, state.q, state.v, state.multiplier, None)
        )
        return self._drawn(rows, 0, marks)

    def pictures(self, state: Any, marks: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Return one picture for each member of a batched state."""
        rows = (state.t, state.q, state.v, state.multiplier, None)
        rows = jax.tree.map(np.asarray, rows)
        return tuple(self._drawn(rows, i, x) for i, x in enumerate(marks))

    def drawn(self, row: Any) -> np.ndarray:
        """Draw one row: a tuple (t, q, v, multiplier, frame) of arrays of shape (1, ...)."""
        return self._drawn(row, 0, None)

    def _drawn(self, rows: Any, i: int, marks: np.ndarray | None) -> np.ndarray:
        t, q, v, multiplier, frame = jax.tree.map(lambda x: x[i : i + 1], rows)
        pose = poses(self.system, t, q, v, multiplier, frame, self.scene)
        name = self.scene.focus or self.scene.bodies[0].name
        focus = pose.position[name][0]
        world: list[tuple[np.ndarray, str]] = []
        for body in self.scene.bodies:
            R = pose.attitude.get(body.name)
            R = np.eye(3) if R is None else R[0]
            at = pose.position[body.name][0]
            world += [(face @ R.T + at, color) for face, color in self._faces[body.name]]
        for start, end in pose.links.values():
            world.append((np.stack([start[0], end[0], end[0]]), _COLORS["metal"]))
        return self._projected(world, focus, marks)

    def _projected(
        self, world: list[tuple[np.ndarray, str]], focus: np.ndarray, marks: np.ndarray | None
    ) -> np.ndarray:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.colors import to_rgb
        from matplotlib.figure import Figure

        reach = self._extent
        if self._whole and marks is not None and len(marks):
            points = np.vstack([focus, np.column_stack([marks, np.zeros(len(marks))])])
            low, high = points.min(axis=0), points.max(axis=0)
            focus = 0.5 * (low + high)
            # the picture shows 2.8 times the reach above and below its middle; 0.6 for the machine
            reach = max(reach, 0.6 * reach + float(np.linalg.norm(high - low)) / 2 / 2.8)
        eye = focus + _DISTANCE * reach * (0.55 * self._up + np.array([-0.7, -0.55, 0.0]))
        look = focus - eye
        look = look / np.linalg.norm(look)
        right = np.cross(look, self._up)
        right = right / np.linalg.norm(right)
        # The rows of this matrix are the directions to the right, up, and away from the eye.
        view = np.stack([right, np.cross(right, look), look])

        def seen(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            p = (points - eye) @ view.T
            depth = np.maximum(p[..., 2], 0.05 * reach)
            return _LENS * p[..., :2] / depth[..., None], depth

        figure = Figure(figsize=(self.size[0] / 100, self.size[1] / 100), dpi=100)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        wide = self.size[0] / self.size[1]
        axes.set(xlim=(-wide, wide), ylim=(-1.0, 1.0))
        axes.set_axis_off()
        figure.set_facecolor("#f4f6f8")
        lines = self._grid(focus, reach)
        if marks is not None and len(marks) > 1:
            path = np.column_stack([marks, np.zeros(len(marks))])
            ahead = (path - eye) @ view[2] > 0.05 * reach
            pieces = [
                seen(path[i : i + 2])[0] for i in range(len(path) - 1) if ahead[i : i + 2].all()
            ]
            axes.add_collection(LineCollection(pieces, colors=_COLORS["accent"], linewidths=2.0))
        flat = [seen(x)[0] for x in lines if ((x - eye) @ view[2] > 0.05 * reach).all()]
        axes.add_collection(LineCollection(flat, colors="#c3c9d1", linewidths=0.7, zorder=0))
        drawn = []
        for points, color in world:
            xy, depth = seen(points)
            normal = np.cross(points[1] - points[0], points[2] - points[0])
            norm = np.linalg.norm(normal)
            # Light comes from above and from the eye.
            lit = 0.6 if norm == 0.0 else abs(normal @ (0.7 * self._up - 0.5 * look)) / norm
            drawn.append((float(np.mean(depth)), xy, (0.55 + 0.45 * lit) * np.array(to_rgb(color))))
        # Painter's algorithm: far polygons first, so that near ones cover them.
        drawn.sort(key=lambda x: -x[0])
        polygons, colors = [x[1] for x in drawn], np.clip([x[2] for x in drawn], 0.0, 1.0)
        axes.add_collection(
            PolyCollection(polygons, facecolors=colors, edgecolors=0.8 * colors, linewidths=0.4)
        )
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()

    def _grid(self, focus: np.ndarray, reach: float) -> list[np.ndarray]:
        """Return the lines of a grid on the ground near the focus, with a round spacing."""
        step = 10.0 ** np.round(np.log10(2.0 * reach))
        middle, ends = np.round(focus[:2] / step) * step, step * np.linspace(-12, 12, 13)
        result = []
        for a in step * np.arange(-12, 13):
            for x, y in ((a + 0 * ends, ends), (ends, a + 0 * ends)):
                line = np.column_stack([middle[0] + x, middle[1] + y, 0 * ends])
                result += [line[i : i + 2] for i in range(len(line) - 1)]
        return result


def _shapes(shapes: Shape | Sequence[Shape]) -> Sequence[Shape]:
    return [shapes] if isinstance(shapes, Shape) else shapes


def _faces_of(shape: Shape) -> list[tuple[np.ndarray, str]]:
    """Return the polygons of a shape in the axes of its body, with their color."""
    size = {k: np.asarray(x, float) for k, x in shape.size.items() if x is not None}
    color = _COLORS.get(shape.color, shape.color)
    turn = np.eye(3) if shape.turn is None else np.asarray(shape.turn, float)
    at = np.array([float(x) for x in shape.at])
    kind = shape.kind
    if kind in ("box", "plate", "board", "blade"):
        half = 0.5 * np.array([float(size.get(k, 0.01)) for k in ("x", "y", "z")])
        values = [half * x for x in _cube()]
    elif kind in ("cylinder", "table", "tile"):
        height = float(size.get("height", 0.01))
        values = _cylinder(float(size.get("radius", 1.0)), height)
    elif kind in ("wheel", "disk"):  # the axle is the y axis
        values = [x[:, [0, 2, 1]] for x in _cylinder(float(size["radius"]), float(size["width"]))]
        values += _spokes(float(size["radius"]))
    elif kind in ("sphere", "ball", "shell"):
        values = [float(size["radius"]) * x for x in _sphere()]
    elif kind == "ellipsoid":
        values = [np.array([float(size[k]) for k in "xyz"]) * x for x in _sphere()]
    elif kind == "mesh":
        values = list(size["vertices"][size["faces"].astype(int)])
    else:  # axes, and shapes without a body
        values = []
    return [(x @ turn.T + at, color) for x in values]


@functools.cache
def _cube() -> list[np.ndarray]:
    result = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
            result.append(np.insert(corners, axis, side, axis=1))
    return result


def _cylinder(radius: float, height: float) -> list[np.ndarray]:
    """Return a cylinder along the z axis, centered."""
    angle = np.linspace(0.0, 2 * np.pi, _ROUND, endpoint=False)
    ring = radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    up = np.array([0.0, 0.0, 0.5 * height])
    after = np.roll(ring, -1, axis=0)
    sides = [np.stack([a - up, b - up, b + up, a + up]) for a, b in zip(ring, after)]
    return [ring - up, ring + up, *sides]


def _spokes(radius: float) -> list[np.ndarray]:
    """Return bars across a wheel, which make its rotation visible."""
    bar = radius * np.array(
        [[-0.9, 0.0, -0.05], [0.9, 0.0, -0.05], [0.9, 0.0, 0.05], [-0.9, 0.0, 0.05]]
    )
    return [bar, bar[:, [2, 1, 0]]]


@functools.cache
def _sphere() -> list[np.ndarray]:
    theta = np.linspace(0.0, np.pi, 9)
    phi = np.linspace(0.0, 2 * np.pi, 17)
    T, P = np.meshgrid(theta, phi, indexing="ij")
    grid = np.stack([np.sin(T) * np.cos(P), np.sin(T) * np.sin(P), np.cos(T)], axis=-1)
    return [
        np.stack([grid[i, j], grid[i + 1, j], grid[i + 1, j + 1], grid[i, j + 1]])
        for i in range(8)
        for j in range(16)
    ]
