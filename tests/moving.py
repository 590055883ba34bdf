"""Trajectories that move without being computed, for tests of what draws them."""

import base64

import jax
import numpy as np

import dalembert as da
from dalembert.results.meta import Meta


def turned(t, n):
    """Rotations of R^n about a plane, one for each time."""
    out = np.broadcast_to(np.eye(n), (len(t), n, n)).copy()
    out[:, 0, 0] = out[:, 1, 1] = np.cos(t)
    out[:, 1, 0], out[:, 0, 1] = np.sin(t), -np.sin(t)
    return out


def moving(system, rows=60, method="rk4", shift=0.0):
    """A trajectory of the right shapes: vectors go straight on, matrices turn evenly."""
    t = 0.05 * np.arange(rows)
    q0, v0 = system.initial()

    def along(leaf):
        leaf = np.asarray(leaf)
        if leaf.ndim == 2:
            return turned(t + shift, len(leaf)) @ leaf
        rates = 0.3 + 0.1 * np.arange(leaf.size) + shift
        return leaf + np.sin(np.outer(t, rates)) if leaf.size else np.zeros((rows, 0))

    q = jax.tree.map(along, q0)
    group = system.groupoid.group
    frame = turned(t, group.shape[0]) if group.dim else None
    count = int(np.size(da.dynamics.constraint_residual(system, q0, v0)))
    v = np.broadcast_to(np.asarray(v0), (rows, system.dim)).copy()
    lam = np.sin(np.outer(t, 1.0 + np.arange(count)))
    zero = np.zeros(rows)
    meta = Meta.of(system, method, h=0.05, steps=rows - 1)
    return da.Trajectory(t, q, v, v, lam, frame, zero, zero.astype(int), meta)


def unpacked(scene, k):
    """An array of a page, by its number."""
    entry = scene["arrays"][k]
    kinds = {"f4": "<f4", "i2": "<i2", "f8": "<f8"}
    array = np.frombuffer(base64.b64decode(entry["data"]), kinds[entry["kind"]])
    array = array.reshape(entry["shape"])
    return array / 32767 if entry["kind"] == "i2" else array
