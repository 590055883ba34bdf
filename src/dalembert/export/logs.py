"""Write trajectories as logs: MCAP for Foxglove and similar tools, CSV with units."""

from __future__ import annotations

import csv as csv_files
import json
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np

from .. import systems
from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from ..hybrid import Modes
from ..inputs import control_at
from ..names import multiplier_names, velocity_units
from ..results import HybridTrajectory, Trajectory
from ..results.labels import velocity_labels
from ..results.meta import Meta
from ..scene import poses, scene_of
from ..system import System

WORLD = "world"  # the parent frame of all bodies


def csv(traj: Trajectory, path: PathLike, system: System | None = None) -> None:
    """Write rows as CSV with units in the column heads: `t [s]`, `x [m]`, `x_dot [m/s]`.

    `traj.save("run.csv")` writes column heads without units. The units come from the system. A
    system of the library is found by its name; pass any other system as `system`. If that system is
    driven by a control, its inputs are the last columns.
    """
    check_trajectory(traj)
    target = check_writable(path, (".csv",))
    system = system_of(traj, system)
    if system is None:
        warnings.warn(
            f"{target.name}: velocities and multipliers are written without units, because the "
            f"system of the run ({traj.meta.system or 'unknown'}) is not known here: give it as "
            "`system`",
            stacklevel=2,
        )
    _warn_of_inputs(traj, system, target.name)
    result = [*_columns(traj, system)]
    if system is not None and system.controlled_name:
        labels = [f"input {x}" for x in system.input_labels]
        result += _named(labels, tuple(system.input_units), _acting(traj, system))
    heads, columns = zip(*result, strict=True)
    table = np.column_stack(columns).tolist()
    with replacing(target) as temporary:
        with temporary.open("w", newline="", encoding="utf-8") as file:
            writer = csv_files.writer(file, lineterminator="\n")
            writer.writerow([f"{name} [{unit}]" if unit else name for name, unit in heads])
            for row in table:
                writer.writerow(map(repr, row))  # repr is the shortest text that reads back exactly


def mcap(
    traj: Trajectory | HybridTrajectory,
    path: PathLike,
    system: System | Modes | None = None,
    *,
    epoch: float = 0.0,
) -> int:
    """Write a run as MCAP, a log format that Foxglove, PlotJuggler and others open.

        da.export.mcap(traj, "run.mcap")

    Returns the number of messages. Every row is one message on each topic, encoded as JSON with its
    schema: `/tf` (foxglove.FrameTransforms, the bodies of the scene), `/joint_states` (names,
    positions, velocities), `/reactions` (multipliers by constraint, and the forces of the scene's
    arrows with the points where they act), `/inputs` (of a driven system), `/energy`. The log time
    is t, plus `epoch` in seconds. Pass a system that is not in the library as `system`.

    For a hybrid run, `system` is its `hybrid.Modes`, or one system for all modes. The log then has
    the topic `/mode` as well, two messages at each jump (before and after), and the inputs that a
    controller (`da.Sampled`) held.
    """
    if not isinstance(traj, HybridTrajectory):
        check_trajectory(traj)
    target = check_writable(path, (".mcap",))
    try:
        from mcap.writer import Writer
    except ImportError:
        raise UsageError('MCAP files need mcap: pip install "dalembert[export]"') from None
    arcs = [(x, _known(x, system, "")) for x in [traj] if isinstance(x, Trajectory)]
    if isinstance(traj, HybridTrajectory):
        arcs = [(x.trajectory, _known(x.trajectory, system, x.mode)) for x in traj.arcs]
    else:
        _warn_of_inputs(traj, arcs[0][1], target.name)
    times = np.asarray(traj.t) + epoch
    if not np.all(np.isfinite(times)) or times.min() < 0:
        raise UsageError(
            f"log times must not be negative, the first is {times.min():g} s: shift them by epoch="
        )
    if not times.max() < 2**63 / 1e9:
        raise UsageError(
            f"log times are nanoseconds in 64 bits: the last one, {times.max():g} s, is too large"
        )
    stamps = np.round(times * 1e9).astype(np.int64)
    count = 0
    with replacing(target) as temporary, temporary.open("wb") as file:
        writer = Writer(file)
        writer.start(profile="", library="dalembert")
        writer.add_metadata("run", {k: str(v) for k, v in _about(traj).items()})
        channels: dict[str, int] = {}

        def write(topic: str, schema: dict[str, Any], rows: Sequence[Any], at: np.ndarray) -> int:
            if topic not in channels:
                text = json.dumps(schema).encode()
                number = writer.register_schema(schema["title"], "jsonschema", text)
                channels[topic] = writer.register_channel(topic, "json", number)
            for stamp, row in zip(at.tolist(), rows, strict=True):
                data = json.dumps(row, allow_nan=True).encode()
                writer.add_message(channels[topic], stamp, data, stamp)
            return len(rows)

        first = 0
        for arc, own in arcs:
            mine = stamps[first : first + len(arc)]
            first += len(arc)
            count += sum(write(*x, mine) for x in _topics(arc, own, mine))
        if isinstance(traj, HybridTrajectory):
            count += sum(write(*x, stamps) for x in _of_modes(traj, arcs[0][1], stamps))
        writer.finish()
    return count


def _known(traj: Trajectory, given: Any, mode: str) -> System:
    """Return the system of a run or an arc; raise `UsageError` if it is not known."""
    if isinstance(given, Modes):
        if not mode:
            raise UsageError("Modes belong to a hybrid run, but this run has a single system")
        given = given.system(mode)
    system = system_of(traj, given)
    if system is None:
        raise UsageError(
            f"to write the bodies of {traj.meta.system or 'this run'} its system is needed",
            advice="give its system: da.export.mcap(traj, path, system), or --system FILE:CLASS of "
            "`dalembert export`",
        )
    return system


def _of_modes(
    run: HybridTrajectory, system: System, stamps: np.ndarray
) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    """Yield the topics that only a hybrid run has: its modes, and the inputs of its controller."""
    times = _times(stamps)
    named = zip(times, run.mode_names, strict=True)
    yield "/mode", _MODE, [{"timestamp": s, "mode": x} for s, x in named]
    held = run.saved.get("u")
    if held is not None:
        at = np.clip(np.searchsorted(held.t, run.t, side="right") - 1, 0, None)
        labels = list(system.input_labels)
        values = zip(times, np.asarray(held.u)[at].tolist(), strict=True)
        yield "/inputs", _INPUTS, [{"timestamp": s, "name": labels, "value": x} for s, x in values]


def _times(stamps: np.ndarray) -> list[dict[str, int]]:
    return [{"sec": int(k) // 10**9, "nsec": int(k) % 10**9} for k in stamps]


def check_trajectory(traj: Any) -> None:
    """Raise unless `traj` is a single run."""
    if isinstance(traj, HybridTrajectory):
        raise UsageError(
            "this is a hybrid run: each of its arcs is exported, run.arcs[0].trajectory; "
            "run.save('run.csv') writes all rows with their modes, and export.mcap logs them"
        )
    if not isinstance(traj, Trajectory):
        raise UsageError(
            f"only trajectories can be exported, got {traj!r:.80}; of an ensemble "
            "export a member, many[7]"
        )


def _warn_of_inputs(traj: Trajectory, system: System | None, file: str) -> None:
    """Warn if the log of a driven run has no inputs: a run does not store its control."""
    if traj.meta.controlled and (system is None or not system.controlled_name):
        warnings.warn(
            f"{file} has no inputs: a control acted on {traj.meta.controlled}, which the run does "
            "not contain. Give the driven system: control.driven(system, u)",
            stacklevel=3,
        )


def _acting(traj: Trajectory, system: System) -> np.ndarray:
    """Return the inputs of a driven system at every row."""
    acting = jax.vmap(lambda t, q, v: control_at(system, t, q, v))
    return np.asarray(jax.jit(acting)(np.asarray(traj.t), traj.q, np.asarray(traj.v)))


def _about(traj: Trajectory | HybridTrajectory) -> dict[str, Any]:
    meta = traj.meta
    return {"system": meta.system, "method": meta.method, "h": meta.h, "steps": meta.steps,
            "parameters": json.dumps(dict(meta.parameters), default=str)}  # fmt: skip


def system_of(traj: Trajectory, given: System | None) -> System | None:
    """Return the system of a run: `given`, or the library's system with the run's parameters."""
    if given is not None:
        if not isinstance(given, System):
            raise UsageError(f"system must be a System, got {given!r:.80}")
        if given.dim != traj.v.shape[-1]:
            raise UsageError(
                f"{given.name()} has {given.dim} velocities, the run has {traj.v.shape[-1]}"
            )
        ran, now = (
            {k: json.dumps(x) for k, x in Meta(parameters=p).as_dict()["parameters"].items()}
            for p in (traj.meta.parameters, given.parameters())
        )
        other = [k for k in ran if k in now and ran[k] != now[k]]
        if other:
            text = ", ".join(f"{k} = {now[k]} (the run: {ran[k]})" for k in other)
            raise UsageError(
                f"the system has other parameters than the run: {text}",
                about=given.name(),
                advice="give the system that ran: system.with_parameters(...)",
            )
        return given
    known = systems.registry.get(traj.meta.controlled or traj.meta.system)
    if known is None:
        return None
    fields = {f for f, *_ in known.parameter_table()}
    return known(**{k: v for k, v in traj.meta.parameters.items() if k in fields})


def _columns(
    traj: Trajectory, system: System | None
) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    """Yield ((name, unit), column) for every number of the rows."""
    yield ("t", "s"), np.asarray(traj.t)
    leaves = [np.asarray(x).reshape(len(traj), -1) for x in jax.tree.leaves(traj.q)]
    q = np.hstack([*leaves, np.zeros((len(traj), 0))])
    names, units = tuple(traj.meta.coordinate_names), tuple(traj.meta.units)
    if len(names) != q.shape[1]:
        names = tuple(f"q{i}" for i in range(q.shape[1]))
    yield from _named(names, units, q)
    rates = tuple(velocity_units(system)) if system is not None else ()
    yield from _named(velocity_labels(traj), rates, np.asarray(traj.v))
    reactions = () if system is None else tuple(system.constraint_units)
    yield from _named(_multipliers(traj), reactions, np.asarray(traj.multiplier))
    yield ("residual", ""), np.asarray(traj.residual)


def _multipliers(traj: Trajectory) -> tuple[str, ...]:
    return multiplier_names(traj.meta.constraint_names, traj.multiplier.shape[-1])


def _named(
    names: Sequence[str], units: Sequence[str], table: np.ndarray
) -> Iterator[tuple[tuple[str, str], np.ndarray]]:
    units = units if len(units) == len(names) else ("",) * len(names)
    for name, unit, column in zip(names, units, table.T, strict=True):
        yield (name, unit), column


# -- messages --------------------------------------------------------------------------------------

_NUMBERS = {"type": "array", "items": {"type": "number"}}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_TIME = {
    "type": "object",
    "title": "time",
    "properties": {"sec": {"type": "integer", "minimum": 0}, "nsec": {"type": "integer"}},
}


def _object(title: str, **properties: Any) -> dict[str, Any]:
    return {"title": title, "type": "object", "properties": properties}


def _vector(title: str, letters: str) -> dict[str, Any]:
    return _object(title, **{x: {"type": "number"} for x in letters})


_TRANSFORM = _object(
    "foxglove.FrameTransform",
    timestamp=_TIME,
    parent_frame_id={"type": "string"},
    child_frame_id={"type": "string"},
    translation=_vector("foxglove.Vector3", "xyz"),
    rotation=_vector("foxglove.Quaternion", "xyzw"),
)
_TRANSFORMS = _object("foxglove.FrameTransforms", transforms={"type": "array", "items": _TRANSFORM})
_JOINTS = _object(
    "dalembert.JointStates", timestamp=_TIME, name=_TEXTS, position=_NUMBERS, velocity=_NUMBERS,
    velocity_name=_TEXTS,
)  # fmt: skip
_FORCE = _object(
    "dalembert.Force", name={"type": "string"}, at=_NUMBERS, force=_NUMBERS, unit={"type": "string"}
)
_REACTIONS = _object(
    "dalembert.Reactions", timestamp=_TIME, name=_TEXTS, value=_NUMBERS,
    force={"type": "array", "items": _FORCE},
)  # fmt: skip
_INPUTS = _object("dalembert.Inputs", timestamp=_TIME, name=_TEXTS, value=_NUMBERS)
_MODE = _object("dalembert.Mode", timestamp=_TIME, mode={"type": "string"})
_ENERGY = _object("dalembert.Energy", timestamp=_TIME, energy={"type": "number"})


def _topics(
    traj: Trajectory, system: System, stamps: np.ndarray
) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    """Yield (topic, schema, one message per row)."""
    from ..diagnostics import energy

    times = _times(stamps)
    rows = (traj.t, traj.q, traj.v, traj.multiplier, traj.frame)
    pose = poses(system, *rows)
    yield (
        "/tf",
        _TRANSFORMS,
        [{"transforms": _transforms(pose, k, stamp)} for k, stamp in enumerate(times)],
    )
    table = list(_columns(traj, system))
    width = len(traj.v[0])
    names = [name for (name, _), _ in table]
    q_names = names[1 : len(names) - 1 - width - traj.multiplier.shape[-1]]
    q = np.column_stack([x for _, x in table[1 : 1 + len(q_names)]] or [np.zeros((len(traj), 0))])
    speeds = list(velocity_labels(traj))
    yield (
        "/joint_states",
        _JOINTS,
        [
            {"timestamp": s, "name": q_names, "position": a, "velocity_name": speeds, "velocity": b}
            for s, a, b in zip(times, q.tolist(), np.asarray(traj.v).tolist(), strict=True)
        ],
    )
    units = {arrow.name: arrow.unit for arrow in scene_of(system).arrows}
    reactions = list(_multipliers(traj))
    yield (
        "/reactions",
        _REACTIONS,
        [
            {
                "timestamp": s,
                "name": reactions,
                "value": values,
                "force": [
                    {
                        "name": name,
                        "at": at[k].tolist(),
                        "force": what[k].tolist(),
                        "unit": units[name],
                    }
                    for name, (at, what) in pose.arrows.items()
                ],
            }
            for k, (s, values) in enumerate(
                zip(times, np.asarray(traj.multiplier).tolist(), strict=True)
            )
        ],
    )
    if system.controlled_name:
        u = _acting(traj, system)
        labels = list(system.input_labels)
        yield (
            "/inputs",
            _INPUTS,
            [
                {"timestamp": s, "name": labels, "value": x}
                for s, x in zip(times, u.tolist(), strict=True)
            ],
        )
    values = np.asarray(energy(system, traj)).tolist()
    yield (
        "/energy",
        _ENERGY,
        [{"timestamp": s, "energy": x} for s, x in zip(times, values, strict=True)],
    )


def _transforms(found: Any, k: int, stamp: dict[str, int]) -> list[dict[str, Any]]:
    out = []
    for name, places in found.position.items():
        turn = found.attitude.get(name)
        x, y, z, w = quaternion(np.eye(3) if turn is None else turn[k])
        a, b, c = (float(p) for p in places[k])
        out.append(
            {
                "timestamp": stamp,
                "parent_frame_id": WORLD,
                "child_frame_id": name,
                "translation": {"x": a, "y": b, "z": c},
                "rotation": {"x": x, "y": y, "z": z, "w": w},
            }
        )
    return out


def quaternion(R: np.ndarray) -> tuple[float, float, float, float]:
    """Return (x, y, z, w) of a rotation matrix, dividing by the largest component (Shepperd)."""
    trace = float(np.trace(R))
    sizes = [trace, *np.diagonal(R)]
    largest = int(np.argmax(sizes))
    if largest == 0:
        s = 2.0 * np.sqrt(1.0 + trace)
        result = [
            (R[2, 1] - R[1, 2]) / s,
            (R[0, 2] - R[2, 0]) / s,
            (R[1, 0] - R[0, 1]) / s,
            s / 4,
        ]
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        s = 2.0 * np.sqrt(1.0 + R[i, i] - R[j, j] - R[k, k])
        result = [0.0] * 4
        result[i], result[3] = s / 4, (R[k, j] - R[j, k]) / s
        result[j], result[k] = (R[j, i] + R[i, j]) / s, (R[k, i] + R[i, k]) / s
    x, y, z, w = (float(v) for v in result)
    return x, y, z, w
