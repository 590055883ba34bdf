"""A sleigh between two walls: runs until it touches one, an impact, and on.

The wall's impulse and the knife edge's reaction act together: the velocity towards the wall turns
round with a coefficient of restitution, and the constraint holds before and after.
"""

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert.dynamics import energy, metric, projectors

WALL = 1.5
SLEIGH = da.systems.ChaplyginSleigh()


def touches(t, q, v):
    """Whether it has reached a wall and still moves towards it."""
    return (jnp.abs(q[0]) > WALL) & (q[0] * v[0] > 0)


def impact(q, v, restitution=0.8):
    """v+ = v - (1 + e) W n (n.v)/(n.W n), with W = P G^-1 and n the direction of the wall."""
    q, v, n = jnp.asarray(q), jnp.asarray(v), jnp.array([1.0, 0.0, 0.0])
    Wn = projectors(SLEIGH, q)[0] @ jnp.linalg.solve(metric(SLEIGH, q), n)
    return v - (1 + restitution) * Wn * (n @ v) / (n @ Wn)


def bounce(q, v, *, h=0.01, t_end=8.0):
    """The pieces of the motion between impacts."""
    pieces, t = [], 0.0
    while t < t_end - h / 2:
        steps = round((t_end - t) / h)
        piece = da.simulate(SLEIGH, da.DLA(), q, v, h=h, steps=steps, t0=t, stop_when=touches)
        pieces.append(piece)
        t, q = float(piece.t[-1]), piece.final.q
        v = impact(q, piece.final.v)
    return pieces


def main() -> None:
    """Impacts, and the energy that each of them takes."""
    pieces = bounce(jnp.zeros(3), jnp.array([1.0, 0.0, 0.8]))
    for piece in pieces:
        rows = [piece[0], piece[-1]]
        before, after = (float(energy(SLEIGH, jnp.asarray(r.q), jnp.asarray(r.v))) for r in rows)
        (x0, x1), (t0, t1) = (r.q[0] for r in rows), (r.t for r in rows)
        print(f"t = {t0:.2f} .. {t1:.2f}: x {x0:+.3f} -> {x1:+.3f}, E {before:.4f} -> {after:.4f}")
    assert np.max(np.abs(np.concatenate([p.q[:, 0] for p in pieces]))) < WALL + 0.05


if __name__ == "__main__":
    main()
