"""Define a custom sink: the length of the path in the plane, summed during the run.

    python examples/own_sink.py

A sink creates a state, updates it with rows during the run, and returns its result, which the
trajectory has in `traj.saved`. Arrays of rows have the axes (rows, members, ...), so that one class
serves single runs and ensembles.
"""

from typing import NamedTuple

import numpy as np

import dalembert as da


class Walked(NamedTuple):
    """State of the sink: the length so far, and the last point, of each member."""

    length: np.ndarray
    last: np.ndarray


class PathLength(da.Sink):
    """Sink for the length of the path of (x, y), the first two coordinates, of each member."""

    def __init__(self, every: int = 1) -> None:
        self.every = every

    def init(self, start):
        return Walked(np.zeros(start.members), np.full((start.members, 2), np.nan))

    def feed(self, state, rows):
        points = np.concatenate([state.last[None], rows.q[..., :2]])
        legs = np.linalg.norm(np.diff(points, axis=0), axis=-1)
        return Walked(state.length + np.nansum(legs, axis=0), points[-1])  # the first row has none

    def combine(self, states):
        return Walked(*(np.concatenate(x) for x in zip(*states)))

    def finish(self, state):
        return state.length


def main() -> None:
    """Apply the sink to one run, and to an ensemble over the initial speed."""
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
