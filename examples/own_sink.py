"""A sink of one's own: the length of the path in the plane, summed while the run goes on.

    python examples/own_sink.py

A sink makes a state, is fed with rows as they come, and gives what lies in `traj.saved`. Arrays of
rows are (rows, members, ...): the same class serves single runs and ensembles.
"""

from typing import NamedTuple

import numpy as np

import dalembert as da


class Walked(NamedTuple):
    """What is remembered of some members: how far they are, and where they were last."""

    length: np.ndarray
    last: np.ndarray


class PathLength(da.Sink):
    """The length of the path of (x, y), the first two coordinates, of each member."""

    def __init__(self, every: int = 1) -> None:
        self.every = every

    def init(self, start):
        return Walked(np.zeros(start.members), np.full((start.members, 2), np.nan))

    def feed(self, state, rows):
        points = np.concatenate([state.last[None], rows.q[..., :2]])
        legs = np.linalg.norm(np.diff(points, axis=0), axis=-1)
        return Walked(state.length + np.nansum(legs, axis=0), points[-1])  # no leg to the first row

    def combine(self, states):
        return Walked(*(np.concatenate(x) for x in zip(*states)))

    def finish(self, state):
        return state.length


def main() -> None:
    """One run, and an ensemble over the initial speed."""
    sleigh, saved = da.systems.ChaplyginSleigh(), {"rows": da.Every(100), "length": PathLength()}
    run = da.simulate(sleigh, h=0.01, steps=1000, save=saved)
    q, v = sleigh.initial()
    speeds = np.linspace(0.5, 2.0, 100)
    many = da.simulate_ensemble(
        sleigh, q, speeds[:, None] * v, h=0.01, steps=1000, save={"length": PathLength()}
    )
    print(f"one: {run.saved['length'].item():.6f} m")
    print(f"many: {many.saved['length'].min():.3f} to {many.saved['length'].max():.3f} m")


if __name__ == "__main__":
    main()
