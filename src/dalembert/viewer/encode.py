"""Encode runs as plain data, "dalembert-scene-1": poses, traces, arrows and curves, packed.

The first run is drawn solid, the others as ghosts. Equal arrays are stored once; an array that is
constant in time is stored as one row. Positions are 32-bit floats, quaternions 16-bit integers.
"""

from __future__ import annotations

import base64
import dataclasses
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import jax
import numpy as np

from ..errors import UsageError
from ..results import Meta, Trajectory
from ..scene import Body, Poses, Scene, Shape, poses, scene_of
from ..system import System
from .curves import curves, warnings
from .phases import Phases

FORMAT = "dalembert-scene-1"
MOST_ROWS = 2000
MOST_RUNS = 6
_INVISIBLE = 5e-4  # relative to the extent of the motion: less than a pixel
_TURN = math.radians(15)  # largest rotation between two shown rows, if rows may be left out
_HILLS = 40  # points along each side of a surface: 3,042 triangles, 13 kB
# If a body turns by more than this between two rows, the picture cannot show in which direction.
_LOST = math.radians(120)


@dataclasses.dataclass(frozen=True)
class Run:
    """A system, one of its trajectories, and the label under which it is shown."""

    system: System
    trajectory: Trajectory
    label: str = ""
    phases: Phases | None = None  # of a hybrid run


def encode(
    runs: Sequence[Run], *, title: str = "", max_rows: int = MOST_ROWS, play: bool = True
) -> dict[str, Any]:
    """Return the data for the viewer; raise `UsageError` with the reason if it cannot be drawn."""
    if not runs:
        raise UsageError("nothing to show: give a trajectory")
    if len(runs) > MOST_RUNS:
        raise UsageError(f"at most {MOST_RUNS} runs are shown at once, got {len(runs)}")
    if max_rows < 2:
        raise UsageError(f"max_rows must be at least 2, got {max_rows}")
    drawn = [_Drawn(run, max_rows) for run in runs]
    names = [x.run.label or x.run.trajectory.meta.method or f"run {i + 1}"
             for i, x in enumerate(drawn)]  # fmt: skip
    low, high = _extent(drawn)
    size = float(np.max(high - low))
    scale = size if size > 0 else 1.0
    pool = _Pool()
    first = drawn[0]
    pieces = [[_pieces(b, scale, drawn) for b in x.scene.bodies] for x in drawn]
    reaches = [
        _reach(piece)
        for bodies, x in zip(pieces, drawn)
        for body, made in zip(x.scene.bodies, bodies)
        for piece in made
        if not body.stage
    ]
    largest = max(reaches, default=0.05 * scale) or 0.05 * scale
    box = _box(low, high, largest, drawn, pieces)
    system = first.run.system
    panels, badges = curves(drawn, names, pool)
    return {
        "format": FORMAT,
        "name": system.name(),
        "title": title or system.name().replace("-", " "),
        "note": first.scene.note,
        "warnings": list(warnings(drawn, names)),
        "play": play,
        "ground": _ground(first.scene),
        "up": _up(first),
        "sized": _sized(first.scene),
        "box": [list(map(float, side)) for side in box],
        "size": float(min(largest, scale) or 1.0),
        "runs": [
            x.entry(k, name, made, pool)
            for k, (x, name, made) in enumerate(zip(drawn, names, pieces))
        ],
        "modes": None if first.phases is None else first.phases.band(np.asarray(first.traj.t)),
        "panels": panels,
        "badges": badges,
        "arrays": pool.arrays,
    }


class _Drawn:
    """A run with its scene evaluated at its rows, cut at the first value that is not finite."""

    def __init__(self, run: Run, max_rows: int) -> None:
        self.run, self.warnings = run, []
        self.scene = scene_of(run.system)
        traj = run.trajectory
        if traj.v.ndim != 2:
            raise UsageError(
                "only single trajectories can be shown: pass a member of the ensemble, many[i]"
            )
        if not len(traj):
            raise UsageError("the trajectory has no rows: nothing to show")
        _check_fits(run.system, traj)
        if not np.all(np.diff(traj.t) > 0):
            raise UsageError("the times of the rows do not increase: this is no run")
        whole = poses(
            run.system, traj.t, traj.q, traj.v, traj.multiplier, traj.frame, self.scene
        )  # fmt: skip
        good = self._good(whole, np.asarray(traj.t))
        self.traj = traj[:good]
        self.phases = None if run.phases is None else run.phases.cut(good)
        self.poses = _cut(whole, good)
        self._drop_arrows()
        self.stride, self.kept = self._thinned(max_rows)

    def _good(self, whole: Poses, t: np.ndarray) -> int:
        """Return how many rows can be drawn; raise if the first one cannot."""
        good = len(t)
        for name, array in _named(whole):
            bad = ~_drawable(array)
            if bad[0]:
                raise UsageError(
                    f"{type(self.run.system).__name__}.scene: {name} is not a finite number at the "
                    f"start, t = {t[0]:g}: {np.array2string(array[0], precision=4)}"
                )
            if bad.any() and int(np.argmax(bad)) < good:
                good = int(np.argmax(bad))
                lost = not np.isfinite(array[good]).all()
                said = "not a finite number" if lost else "beyond all bounds"
                self.warnings = [f"shown until t = {t[good - 1]:g} s: {name} is {said} after it"]
        for name, R in whole.attitude.items():
            defect = np.abs(np.swapaxes(R[:good], 1, 2) @ R[:good] - np.eye(3)).max()
            if defect > 1e-6 or np.linalg.det(R[0]) < 0:
                raise UsageError(
                    f"{type(self.run.system).__name__}.scene: the attitude of '{name}' is not a "
                    f"rotation matrix: |R^T R - 1| = {defect:.1e}, det R = "
                    f"{np.linalg.det(R[0]):.3g}"
                )
        return good

    def _drop_arrows(self) -> None:
        """Drop arrows that are not finite (no multiplier); the rest is still drawn."""
        for name, ends in self.poses.arrows.items():
            if not all(_drawable(end).all() for end in ends):
                self.warnings.append(f"the arrow '{name}' is left out: it is not a finite number")
                kept = [x for x in self.scene.arrows if x.name != name]
                self.scene = dataclasses.replace(self.scene, arrows=kept)

    def _thinned(self, max_rows: int) -> tuple[int, np.ndarray]:
        """Return (k, every k-th row): at most `max_rows`, fewer if the picture looks the same."""
        count = len(self.traj)
        stride = max(1, -(-(count - 1) // (max_rows - 1)))
        while count // (2 * stride) > 100 and self._unseen(2 * stride):
            stride *= 2
        rows = _every(count, stride)
        turn = max((_largest_turn(R[rows]) for R in self.poses.attitude.values()), default=0.0)
        if turn > _LOST:
            self.warnings.append(
                f"a body turns by {math.degrees(turn):.0f} degrees between two rows that are "
                "shown: its rotation is not what it seems; show a shorter part of the run"
            )
        return stride, rows

    def _unseen(self, stride: int) -> bool:
        rows, t = _every(len(self.traj), stride), np.asarray(self.traj.t)
        points = [*self.poses.position.values(), *self.poses.traces.values()]
        extent = max((float(np.ptp(p, axis=0).max()) for p in points), default=0.0)
        for p in points:
            straight = np.stack([np.interp(t, t[rows], p[rows, i]) for i in range(3)], axis=1)
            if np.abs(p - straight).max() > _INVISIBLE * extent:
                return False
        return all(_largest_turn(R[rows]) < _TURN for R in self.poses.attitude.values())

    def entry(
        self, index: int, label: str, pieces: Sequence[Sequence[dict[str, Any]]], pool: _Pool
    ) -> dict[str, Any]:
        rows, found, meta = self.kept, self.poses, self.traj.meta
        bodies = [
            {
                "name": b.name,
                "stage": b.stage,
                "pieces": made,
                "position": pool.add(found.position[b.name][rows]),
                "quaternion": pool.quaternions(found.attitude[b.name][rows])
                if b.name in found.attitude
                else None,
            }
            for b, made in zip(self.scene.bodies, pieces)
            if not (b.stage and index)
        ]
        reach = {
            b["name"]: max(map(_reach, b["pieces"]), default=0.0) for b in bodies if not b["stage"]
        }
        return {
            "contacts": list(self._contacts(reach, pool)),
            "label": ", ".join([label, *_accuracy(meta)]),
            "rows": len(self.run.trajectory),
            "every": self.stride,
            "focus": self.scene.focus or (bodies[0]["name"] if bodies else ""),
            "t": pool.add(np.asarray(self.traj.t)[rows], "f8"),
            "bodies": bodies,
            "links": [
                {
                    "look": x.look,
                    "start": pool.add(found.links[x.name][0][rows]),
                    "end": pool.add(found.links[x.name][1][rows]),
                }
                for x in self.scene.links
            ],
            "traces": [
                {"name": x.name, "points": pool.add(found.traces[x.name][rows], steady=False)}
                for x in self.scene.traces
            ],
            "arrows": [
                {
                    "name": x.name,
                    "unit": x.unit,
                    "at": pool.add(found.arrows[x.name][0][rows]),
                    "vector": pool.add(found.arrows[x.name][1][rows]),
                }
                for x in self.scene.arrows
            ],
        }

    def _contacts(self, reach: dict[str, float], pool: _Pool) -> Iterator[dict[str, Any]]:
        """Yield the contacts with friction: where each is, and its state in each mode.

        If a body has one contact, the body itself is colored; if it has several, each has a mark.
        """
        named = [x for x in self.scene.contacts if x.name]
        for x in named if self.phases is not None else ():
            states = self.phases.states(x.name) if self.phases is not None else None
            alone = sum(y.body == x.body for y in named) == 1
            if states is not None:
                yield {
                    "body": x.body if alone else None,
                    "at": pool.add(self.poses.contacts[x.name][self.kept]),
                    "radius": (0.5 if alone else 0.12) * reach.get(x.body, 0.0),
                    "states": states,
                }


def _accuracy(meta: Meta) -> Iterator[str]:
    if math.isfinite(float(meta.h)):
        yield meta.step_told
    if meta.error_estimate is not None:
        yield f"error at the end about {float(meta.error_estimate):.1e}"


class _Pool:
    """The arrays of a page, by index; equal arrays are stored once."""

    def __init__(self) -> None:
        self.arrays: list[dict[str, Any]] = []
        self.known: dict[tuple[str, tuple[int, ...], bytes], int] = {}

    def add(self, array: np.ndarray, kind: str = "f4", *, steady: bool = True) -> int:
        """Return the index of an array.

        With `steady`, an array whose rows are all equal is stored as one row.
        """
        array = np.asarray(array)
        if steady and array.ndim > 1 and np.all(array == array[:1]):
            array = array[:1]
        with np.errstate(over="ignore"):  # overflow becomes inf, which leaves a gap in the curve
            data = np.ascontiguousarray(array, dtype=f"<{kind}")
        key = (kind, data.shape, data.tobytes())
        if key not in self.known:
            self.known[key] = len(self.arrays)
            text = base64.b64encode(key[2]).decode()
            self.arrays.append({"shape": list(data.shape), "kind": kind, "data": text})
        return self.known[key]

    def quaternions(self, attitude: np.ndarray) -> int:
        return self.add(np.round(32767 * quaternions(attitude)), "i2")


def quaternions(R: np.ndarray) -> np.ndarray:
    """Return (x, y, z, w) of rotation matrices (rows, 3, 3), with continuous signs."""
    trace = np.trace(R, axis1=1, axis2=2)
    square = np.concatenate([np.diagonal(R, axis1=1, axis2=2) * 2 - trace[:, None] + 1,
                             trace[:, None] + 1], axis=1)  # fmt: skip
    # These are the rows of 4 q q^T; divide the one with the largest diagonal by its square root.
    K = np.empty((len(R), 4, 4))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        K[:, i, j] = K[:, j, i] = R[:, i, j] + R[:, j, i]
        K[:, i, 3] = K[:, 3, i] = R[:, k, j] - R[:, j, k]
    K[:, range(4), range(4)] = square
    best = np.argmax(square, axis=1)
    q = K[np.arange(len(R)), best]
    q = q / np.linalg.norm(q, axis=1)[:, None]
    # q and -q are the same rotation: choose the sign that is closer to the previous row.
    flips = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0, -1.0, 1.0)
    q[1:] *= np.cumprod(flips)[:, None]
    return q


# -- sizes ---------------------------------------------------------------------------------------


def _extent(drawn: Sequence[_Drawn]) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounding box of everything that moves, in all runs."""
    points = [np.zeros((0, 3))]
    for x in drawn:
        moving = [b.name for b in x.scene.bodies if not b.stage]
        points += [x.poses.position[name] for name in moving]
        points += [*x.poses.traces.values(), *itertools.chain(*x.poses.links.values())]
    every = np.concatenate(points)
    if not len(every):
        return np.zeros(3), np.zeros(3)
    return every.min(axis=0), every.max(axis=0)


def _box(
    low: np.ndarray,
    high: np.ndarray,
    largest: float,
    drawn: Sequence[_Drawn],
    pieces: Sequence[Sequence[Sequence[dict[str, Any]]]],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the box that the camera shows: everything that moves, with its size, and the stage."""
    lowest, highest = low[2], high[2]
    low, high = low - largest, high + largest
    for x, bodies in zip(drawn, pieces):
        for body, made in zip(x.scene.bodies, bodies):
            if made[0]["kind"] == "hills":
                ends = made[0]["size"]
                edges = np.array([ends["x"], ends["y"], [min(ends["z"]), max(ends["z"])]])
                low, high = np.minimum(low, edges[:, 0]), np.maximum(high, edges[:, 1])
            elif body.stage:
                reach = max(_reach(piece) for piece in made)
                flat = np.array([1.0, 1.0, 0.0 if made[0]["kind"] == "table" else 1.0])
                at = x.poses.position[body.name][0]
                low, high = np.minimum(low, at - reach * flat), np.maximum(high, at + reach * flat)
    if drawn[0].scene.ground is not None:  # a body's size does not extend the box below the ground
        normal = np.asarray(drawn[0].scene.ground.turn, dtype=float)[:, 2]
        if np.allclose(normal, [0.0, 0.0, 1.0]):
            low[2] = min(max(low[2], min(0.0, lowest)), high[2])
        elif np.allclose(normal, [0.0, 0.0, -1.0]):
            high[2] = max(min(high[2], max(0.0, highest)), low[2])
    return low, high


def _pieces(body: Body, scale: float, drawn: Sequence[_Drawn]) -> list[dict[str, Any]]:
    made = []
    for shape in _shapes(body):
        factor = scale if shape.relative else 1.0
        size = {}
        axis = np.eye(3)[2] if shape.turn is None else np.asarray(shape.turn, dtype=float)[:, 2]
        low, high = _along(drawn, axis) if shape.kind == "tube" else (0.0, 0.0)
        if shape.kind == "hills":
            size = _hills(shape.size["height"], drawn)
        for name, value in shape.size.items() if not size else ():
            if value is None:
                value = high - low if shape.kind == "tube" else _room(drawn)
            elif shape.kind == "mesh":
                value = np.asarray(value, dtype=int if name == "faces" else float)
                size[name] = (value if name == "faces" else factor * value).tolist()
                continue
            else:
                value = factor * float(value)
            if not (math.isfinite(value) and (value > 0 or name == "angle")):
                raise UsageError(
                    f"the scene's body '{body.name}': {name} of its {shape.kind} must be a "
                    f"positive length, got {value:g}"
                )
            size[name] = value
        at = [factor * float(x) for x in shape.at]
        if shape.kind == "tube" and shape.size["height"] is None:
            at = [x + 0.5 * (low + high) * float(n) for x, n in zip(at, axis)]
        turn = None if shape.turn is None else quaternions(np.asarray([shape.turn]))[0].tolist()
        made.append({"kind": shape.kind, "size": size, "color": shape.color, "at": at,
                     "turn": turn})  # fmt: skip
    return made


def _shapes(body: Body) -> tuple[Shape, ...]:
    return (body.shapes,) if isinstance(body.shapes, Shape) else tuple(body.shapes)


def _room(drawn: Sequence[_Drawn]) -> float:
    """Return the radius about the vertical axis that contains all motion."""
    far = radius = 0.0
    for x in drawn:
        for body in x.scene.bodies:
            if body.stage:
                continue
            far = max(far, float(np.hypot(*x.poses.position[body.name][:, :2].T).max()))
            radius = max([radius, *(_reach(p) for p in _pieces(body, 1.0, ()))])
    return far + 1.3 * radius or 1.0


def _along(drawn: Sequence[_Drawn], axis: np.ndarray) -> tuple[float, float]:
    """Return the interval along an axis that the motion covers, with a margin."""
    far = [x.poses.position[b.name] @ axis for x in drawn for b in x.scene.bodies if not b.stage]
    every = np.concatenate([np.zeros(1), *far])
    room = 0.3 * _room(drawn)
    return float(every.min()) - room, float(every.max()) + room


def _hills(height: Any, drawn: Sequence[_Drawn]) -> dict[str, Any]:
    """Return the heights of a surface over the rectangle below the motion, with a margin."""
    points = [x.poses.position[b.name] for x in drawn for b in x.scene.bodies if not b.stage]
    points += [trace for x in drawn for trace in x.poses.traces.values()]
    every = np.concatenate([np.zeros((0, 3)), *points])[:, :2]
    low, high = every.min(axis=0), every.max(axis=0)
    room = 0.15 * float(np.max(high - low)) or 1.0  # the camera shows all of the margin
    x, y = (np.linspace(a - room, b + room, _HILLS) for a, b in zip(low, high))
    z = jax.vmap(jax.vmap(height, (None, 0)), (0, None))(x, y)
    z = np.broadcast_to(np.asarray(z, dtype=float), (_HILLS, _HILLS))
    if not np.isfinite(z).all():
        raise UsageError("the surface of the scene has no finite height near the motion")
    ends = {"x": [float(x[0]), float(x[-1])], "y": [float(y[0]), float(y[-1])]}
    return ends | {"z": [float(f"{value:.5g}") for value in z.ravel()]}


def _reach(piece: dict[str, Any]) -> float:
    """Return how far a piece extends from the body's position, approximately."""
    size = piece["size"]
    if piece["kind"] == "mesh":
        own = float(np.max(np.linalg.norm(size["vertices"], axis=1)))
    else:
        sides = {k: v if k in ("radius", "length") else 0.5 * v for k, v in size.items()}
        own = max(x for k, x in sides.items() if k != "angle")
    return own + 0.5 * float(np.linalg.norm(piece["at"]))


def _ground(scene: Scene) -> list[float] | None:
    if scene.ground is None:
        return None
    return quaternions(np.asarray(scene.ground.turn, dtype=float)[None])[0].tolist()


def _up(drawn: _Drawn) -> list[float]:
    """Return the unit vector that points up in the picture."""
    scene = drawn.scene
    if scene.up is None:
        down = scene.ground is not None and np.asarray(scene.ground.turn, dtype=float)[2, 2] < 0
        return [0.0, 0.0, -1.0 if down else 1.0]
    up = np.asarray(scene.up, dtype=float)
    length = float(np.linalg.norm(up))
    if up.shape != (3,) or not (math.isfinite(length) and length > 0):
        raise UsageError(
            f"{type(drawn.run.system).__name__}.scene: up must be a direction, three numbers that "
            f"are not all zero, got {scene.up}"
        )
    return (up / length).tolist()


def _sized(scene: Scene) -> bool:
    """Return whether the body that the camera follows has a real size.

    A body that is scaled with the motion is small compared with its path by construction: a camera
    close to it would lose the path.
    """
    followed = [b for b in scene.bodies if b.name == scene.focus] or scene.bodies[:1]
    return any(not shape.relative for b in followed for shape in _shapes(b))


# -- checks -------------------------------------------------------------------------------------


def _check_fits(system: System, traj: Trajectory) -> None:
    names = (system.name(), traj.meta.system)
    # a control does not change what is drawn
    same = names[1] in ("", names[0]) or traj.meta.controlled == names[0]
    if traj.v.shape[-1] != system.dim or not same:
        raise UsageError(
            f"the trajectory belongs to {names[1] or 'another system'} (with {traj.v.shape[-1]} "
            f"velocities), not to {names[0]} (with {system.dim})"
        )


def _every(count: int, stride: int) -> np.ndarray:
    rows = np.arange(0, count, stride)
    return rows if rows[-1] == count - 1 else np.append(rows, count - 1)


def _largest_turn(R: np.ndarray) -> float:
    """Return the largest angle between neighboring attitudes."""
    if len(R) < 2:
        return 0.0
    cosine = 0.5 * (np.einsum("kij,kij->k", R[1:], R[:-1]) - 1)
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)).max())


def _cut(x: Poses, count: int) -> Poses:
    return Poses(
        {k: a[:count] for k, a in x.position.items()},
        {k: a[:count] for k, a in x.attitude.items()},
        {k: (a[:count], b[:count]) for k, (a, b) in x.links.items()},
        {k: a[:count] for k, a in x.traces.items()},
        {k: (a[:count], b[:count]) for k, (a, b) in x.arrows.items()},
        {k: a[:count] for k, a in x.contacts.items()},
    )


def _named(x: Poses) -> Iterable[tuple[str, np.ndarray]]:
    for name, array in x.position.items():
        yield f"the position of '{name}'", array
    for name, array in x.attitude.items():
        yield f"the attitude of '{name}'", array
    for name, ends in x.links.items():
        yield from ((f"the link '{name}'", end) for end in ends)
    for name, array in x.traces.items():
        yield f"the trace '{name}'", array


def _drawable(array: np.ndarray) -> np.ndarray:
    """Mark the rows whose squares are finite in 32 bits."""
    with np.errstate(invalid="ignore"):
        return np.all(np.abs(array.reshape(len(array), -1)) < 1e18, axis=1)
