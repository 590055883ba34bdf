"""Plots of many states: phase portraits, Poincare sections, fans of ensembles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from ..names import math_symbol
from ..results import Ensemble, Trajectory
from .style import canvas, finish

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHARES = ((5, 95, 0.18), (25, 75, 0.35))  # percentiles of the bands of a fan, and their opacity


def phase_portrait(
    runs: Trajectory | Sequence[Trajectory], x: str, y: str, *, theme: str = "light"
) -> Figure:
    """Plot one component of the state against another, by name: `("theta", "theta_dot")`.

    A mark shows the start of each run. Names are those of `traj["x"]`.
    """
    chosen = [runs] if isinstance(runs, Trajectory) else list(runs)
    if not chosen:
        raise UsageError("a phase portrait needs a run, got none")
    with canvas(theme, (5.2, 4.4)) as (fig, ax, look):
        for i, run in enumerate(chosen):
            a, b = np.asarray(run[x]), np.asarray(run[y])
            if a.ndim != 1:
                raise UsageError("a phase portrait shows single runs: take members, many[7]")
            color = look.curves[i % len(look.curves)]
            ax.plot(a, b, color=color, lw=1.1)
            ax.plot(a[0], b[0], "o", color=color, ms=4)
        ax.set(xlabel=math_symbol(x), ylabel=math_symbol(y))
        finish(ax, look, chosen[0].meta.system.replace("-", " "))
    return fig


def poincare_section(
    runs: Trajectory | Sequence[Trajectory],
    x: str,
    y: str,
    *,
    at: str,
    value: float = 0.0,
    rising: bool | None = True,
    theme: str = "light",
) -> Figure:
    """Plot the points (x, y) where the component `at` of the state crosses `value`, all by name.

    `rising` chooses the direction of the crossing: True, False, or None for both. Crossings are
    interpolated linearly between two saved rows: save every step, or locate them with `events=`.
    """
    chosen = [runs] if isinstance(runs, Trajectory) else list(runs)
    with canvas(theme, (5.2, 4.4)) as (fig, ax, look):
        count = 0
        for i, run in enumerate(chosen):
            a, b = section(run, x, y, at=at, value=value, rising=rising)
            count += len(a)
            ax.plot(a, b, ".", color=look.curves[i % len(look.curves)], ms=3, mew=0)
        if not count:
            raise UsageError(f"no run crosses {at} = {value:g}: there is nothing to draw")
        ax.set(xlabel=math_symbol(x), ylabel=math_symbol(y))
        finish(ax, look, f"{count} points at {math_symbol(at)} = {value:g}")
    return fig


def section(
    run: Trajectory, x: str, y: str, *, at: str, value: float = 0.0, rising: bool | None = True
) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y where `at` crosses `value`, by linear interpolation between saved rows."""
    g = np.asarray(run[at]) - value
    up, down = (g[:-1] < 0) & (g[1:] >= 0), (g[:-1] > 0) & (g[1:] <= 0)
    rows = np.flatnonzero(up | down if rising is None else up if rising else down)
    share = g[rows] / (g[rows] - g[rows + 1])

    def there(name: str) -> np.ndarray:
        values = np.asarray(run[name])
        return values[rows] + share * (values[rows + 1] - values[rows])

    return there(x), there(y)


def fan(many: Ensemble, name: str, *, theme: str = "light") -> Figure:
    """Plot an ensemble against time: its median, and the bands of 50 % and 90 % of its members.

    Members that failed are left out; the title says how many.
    """
    good = np.flatnonzero(np.asarray(many.result) == 0)
    if not len(good) or many.v.shape[1] < 2:
        raise UsageError("a fan needs saved rows of members that reached the end")
    t = np.asarray(many.t)
    values = np.asarray(many[name])[good]
    if t.ndim > 1:
        if np.ptp(t[good], axis=0).max() > 0:
            raise UsageError("the members have different times: save them at the same ones")
        t = t[good[0]]
    with canvas(theme, (6.4, 3.6)) as (fig, ax, look):
        color: Any = look.curves[0]
        for low, high, shade in _SHARES:
            a, b = np.percentile(values, [low, high], axis=0)
            label = f"{high - low} % of the members"
            ax.fill_between(t, a, b, color=color, alpha=shade, lw=0, label=label)
        ax.plot(t, np.median(values, axis=0), color=color, lw=1.4, label="median")
        ax.set(xlabel="t [s]", ylabel=math_symbol(name))
        lost = len(many) - len(good)
        title = f"{many.meta.system}: {len(good)} members" + (f", {lost} failed" if lost else "")
        finish(ax, look, title, legend="best")
    return fig
