"""Plots of arrays: paths, coordinates, errors, multipliers, and comparisons of runs.

The functions take plain arrays with labels and units, and return a `matplotlib` figure in the theme
"light" or "dark". Only `overview` and `animate` take systems and trajectories, and `comparison` the
result of `diagnostics.compare`.

    fig = plots.overview(system, traj)
    plots.save(fig, "run.pdf")
    plots.animate(system, traj, "run.html")  # or .gif, .webp, .mp4, .webm
"""

from ..doors import guard as _guard
from .animation import animate
from .final_states import ends
from .panels import FLOOR, constraint_residual, coordinates, energy_error, multipliers, path
from .plans import controlled, reachable
from .portraits import fan, phase_portrait, poincare_section
from .style import FORMATS, THEMES, Theme, canvas, finish, save, style
from .trajectories import compare, comparison, envelopes, overview

__all__ = [
    "FLOOR",
    "FORMATS",
    "THEMES",
    "Theme",
    "animate",
    "canvas",
    "compare",
    "comparison",
    "constraint_residual",
    "controlled",
    "coordinates",
    "ends",
    "energy_error",
    "envelopes",
    "fan",
    "finish",
    "multipliers",
    "overview",
    "path",
    "phase_portrait",
    "poincare_section",
    "reachable",
    "save",
    "style",
]

_guard(globals())
