"""Points of a parameter study: `simulate_ensemble(..., over=designs.grid(a=[0.1, 0.2]))`.

`grid` has all combinations of given values, `sample` points spread over ranges.
"""

from .running import Design, grid, sample

__all__ = ["Design", "grid", "sample"]
