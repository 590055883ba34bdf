"""Evaluate scenes at the rows of a run: poses, points and vectors; and the slip at contacts."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from .. import dynamics
from ..linalg import Real
from ..system import Point, System, compiled_call
from .default import scene_of
from .scene import Body, Contact, Row, Scene

# Block sizes for evaluating rows, so that a new number of rows needs no compilation.
_BLOCKS = (256, 2048)


@dataclasses.dataclass(frozen=True)
class Poses:
    """The functions of a scene at every row; the first axis of every array is the row."""

    position: dict[str, np.ndarray]
    attitude: dict[str, np.ndarray]  # rotation matrices, of bodies with an attitude
    links: dict[str, tuple[np.ndarray, np.ndarray]]
    traces: dict[str, np.ndarray]
    arrows: dict[str, tuple[np.ndarray, np.ndarray]]  # points and vectors
    contacts: dict[str, np.ndarray]  # by name


def poses(
    system: System,
    t: Array,
    q: Point,
    v: Array,
    multiplier: Array,
    frame: Any,
    scene: Scene | None = None,
) -> Poses:
    """Evaluate the scene of a system at rows; compiled once per class, for all parameters."""
    scene = scene_of(system) if scene is None else scene
    result = _over_rows(system, (t, q, v, multiplier, frame))
    attitude = {}
    for body in scene.bodies:
        if body.spin is not None:
            turned = integrated(result[f"spin {body.name}"], np.asarray(t))
            first = result[f"attitude {body.name}"][0] if body.attitude is not None else np.eye(3)
            attitude[body.name] = turned @ first
        elif body.attitude is not None:
            attitude[body.name] = result[f"attitude {body.name}"]
    return Poses(
        {b.name: result[f"position {b.name}"] for b in scene.bodies},
        attitude,
        {x.name: (result[f"start {x.name}"], result[f"end {x.name}"]) for x in scene.links},
        {x.name: result[f"trace {x.name}"] for x in scene.traces},
        {x.name: (result[f"at {x.name}"], result[f"vector {x.name}"]) for x in scene.arrows},
        {x.name: result[f"contact {x.name}"] for x in scene.contacts if x.name},
    )


def _over_rows(system: System, rows: Any) -> dict[str, np.ndarray]:
    count = len(rows[0])
    size = next((n for n in _BLOCKS if count <= n), _BLOCKS[-1])

    def block(start: int) -> Any:
        # The last block is filled up with copies of the last row, which are cut off below.
        which = np.minimum(np.arange(start, start + size), count - 1)
        taken = jax.tree.map(lambda x: np.asarray(x)[which], rows)
        return compiled_call(_mapped, system, taken)

    blocks = [block(start) for start in range(0, count, size)]
    return {k: np.concatenate([b[k] for b in blocks])[:count] for k in blocks[0]}


def _mapped(system: System, rows: Any) -> dict[str, jax.Array]:
    return jax.vmap(lambda r: _values(system, *r))(rows)


def _values(
    system: System, t: Array, q: Point, v: Array, lam: Array, frame: Any
) -> dict[str, jax.Array]:
    A = dynamics.constraint_matrix(system, q, v, t)
    force = A.T @ lam if A.shape[0] else jnp.zeros(system.dim)
    row, scene = Row(t, q, v, force, frame, lam), scene_of(system)
    asked: dict[str, Any] = {}
    for b in scene.bodies:
        asked[f"position {b.name}"] = b.position
        if b.spin is not None:
            asked[f"spin {b.name}"] = b.spin
        if b.attitude is not None:
            asked[f"attitude {b.name}"] = b.attitude
    for link in scene.links:
        asked |= {f"start {link.name}": link.start, f"end {link.name}": link.end}
    for trace in scene.traces:
        asked[f"trace {trace.name}"] = trace.point
    for arrow in scene.arrows:
        asked |= {f"at {arrow.name}": arrow.at, f"vector {arrow.name}": arrow.vector}
    asked |= {f"contact {x.name}": x.point for x in scene.contacts if x.name}
    return {name: jnp.asarray(f(row), dtype=float) for name, f in asked.items()}


def integrated(spin: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Integrate R' = hat(omega) R over rows from the identity, to fourth order in their spacing.

    These are the first two terms of the Magnus series: the mean of omega over an interval by
    Simpson's rule, with its middle value by cubic interpolation, and the commutator of its values
    at both ends.
    """
    if len(t) < 2:
        return np.broadcast_to(np.eye(3), (len(t), 3, 3)).copy()
    a, b = spin[:-1], spin[1:]
    middle = 0.5 * (a + b)
    even = np.allclose(np.diff(t), np.diff(t)[0], rtol=1e-6)
    if len(t) > 3 and even:
        middle[1:-1] = (9 * (a[1:-1] + b[1:-1]) - spin[:-3] - spin[3:]) / 16
        # At the ends use the parabola through three rows.
        middle[0] = (3 * spin[0] + 6 * spin[1] - spin[2]) / 8
        middle[-1] = (3 * spin[-1] + 6 * spin[-2] - spin[-3]) / 8
    h = np.diff(t)[:, None]
    turns = _rotations(h / 6 * (a + 4 * middle + b) - h**2 / 12 * np.cross(a, b))
    attitude = np.empty((len(t), 3, 3))
    attitude[0] = np.eye(3)
    for k, turn in enumerate(turns):
        attitude[k + 1] = turn @ attitude[k]
    return attitude


def _rotations(w: np.ndarray) -> np.ndarray:
    """Return exp(hat(w)) for each row w of an array."""
    angle = np.linalg.norm(w, axis=-1)[:, None, None]
    hat = np.zeros((len(w), 3, 3))
    hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0] = w.T
    hat -= hat.transpose(0, 2, 1)
    half = np.sinc(angle / (2 * np.pi))  # sin(angle/2)/(angle/2)
    return np.eye(3) + np.sinc(angle / np.pi) * hat + 0.5 * half**2 * hat @ hat


# -- whether the picture moves as the constraint says --------------------------------------------


def slip(
    system: System, q: Point, v: Array, t: Real = 0.0, frame: Any = None
) -> dict[str, jax.Array]:
    """Return the slip velocity, in the blocked directions, at each contact of the scene.

    The pose of the body is differentiated along the motion: (t, q, frame) move along v. The slip is
    zero for every v on the constraint, if the scene is right.
    """
    scene = scene_of(system)
    t, v = jnp.asarray(t, dtype=float), jnp.asarray(v, dtype=float)
    bodies = {b.name: b for b in scene.bodies}
    result = {}
    for k, contact in enumerate(scene.contacts):
        result[f"{k} {contact.body}"] = _slip(system, bodies[contact.body], contact, t, q, v, frame)
    return result


def _slip(
    system: System, body: Body, contact: Contact, t: Real, q: Point, v: Array, frame: Any
) -> jax.Array:
    groupoid = system.groupoid

    def row(s: Array) -> Row:
        g = groupoid.curve(q, s * v)
        moved = None if frame is None else groupoid.group.mul(frame, groupoid.frame(g))
        return Row(t + s, groupoid.target(g), v, jnp.zeros(system.dim), moved)

    def pose(s: Array) -> tuple[Array, Array]:
        at = row(s)
        turn = jnp.eye(3) if body.attitude is None else body.attitude(at)
        return jnp.asarray(body.position(at), dtype=float), jnp.asarray(turn, dtype=float)

    (place, turn), (velocity, rate) = jax.jvp(pose, (jnp.zeros(()),), (jnp.ones(()),))
    now = row(jnp.zeros(()))
    lever = contact.point(now) - place
    if body.spin is not None:
        velocity = velocity + jnp.cross(body.spin(now), lever)
    else:
        velocity = velocity + rate @ (turn.T @ lever)
    if contact.surface is not None:
        velocity = velocity - contact.surface(now)
    return velocity if contact.blocked is None else contact.blocked(now) @ velocity
