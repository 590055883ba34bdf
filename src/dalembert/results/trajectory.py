"""`Trajectory`, the result of one run: arrays over time, and a description to repeat the run.

    simulate(...)  ->  Trajectory  ->  save("run.zarr" | "run.nc" | "run.csv")
                                        load("run.zarr" | "run.nc")

A trajectory never holds the system; `meta` has its name and parameters.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, Float, Int
from numpy.typing import ArrayLike

from ..doors import Module
from ..linalg import MESSAGES, OK
from ..pages import card
from ..system import Point, System, is_traced
from . import labels
from .event_rows import Events
from .interpolation import Between, interpolate
from .kinds import Facts, Selection, Tree
from .meta import Meta
from .polynomials import Polynomials
from .remembered import picture, remember, remembered
from .result import Result

OVER_TIME = ("q", "v", "p", "multiplier", "frame", "residual", "result")


class Trajectory(Result, Module):
    """Rows of a run over time; every array has time as its first axis.

    With `vmap` the axes of the members come before time. `v` is on the constraint, `p` is the
    momentum reported at the same time, the reaction force is `A^T multiplier`. `residual` is the
    largest Newton residual of the steps since the row before, `result` their result code (0 is
    success). `frame` is the reconstructed group element of a reduced system, `None` otherwise.
    `saved` has the results of named sinks (`save=`), `events` the zeros of event functions, if
    there were any.

    Outside JAX transformations the arrays are read-only NumPy arrays; slices of JAX arrays would
    cost a compilation for each new length.
    """

    FORMATS = ("dalembert-trajectory-1", "dalembert-trajectory-2")
    KIND = "a trajectory"
    _COMPARED = ("t", "events", *OVER_TIME, "meta", "_cost")

    t: Float[Array, "*members rows"]
    q: Point
    v: Float[Array, "*members rows n"]
    p: Float[Array, "*members rows n"]
    multiplier: Float[Array, "*members rows m"]
    frame: Point | None
    residual: Float[Array, "*members rows"]
    result: Int[Array, "*members rows"]
    meta: Meta = dataclasses.field(default_factory=Meta)
    events: Events | None = None
    saved: Facts = dataclasses.field(default_factory=dict)
    polynomials: Polynomials | None = None  # for `at`, if Taylor's method made the run

    ROWS = OVER_TIME

    @classmethod
    def of_rows(cls, **fields: Any) -> Trajectory:
        """Return `Trajectory(**fields)` of NumPy arrays; Equinox takes 60 us to make an object."""
        made = object.__new__(cls)
        own: dict[str, Any] = made.__dict__  # pyright: ignore[reportAssignmentType]
        own.update(fields, saved={}, events=None, polynomials=None)
        own.update(labels.rows_named(made))
        return made

    def __post_init__(self) -> None:
        for name, array in labels.rows_named(self).items():
            setattr(self, name, array)

    def __repr__(self) -> str:
        """Return one line: the run, its times and its warnings; arrays are fields."""
        who = f"{self.meta.system or 'a system'} by {self.meta.method or 'a method'}"
        known = all(isinstance(x, np.ndarray | np.generic | jax.Array) for x in self._told)
        if not known or is_traced(self._told):
            return f"Trajectory({who}, inside of a transformation)"
        t, v, result = (np.asarray(x) for x in self._told)
        if t.size == 0:
            rows = "no rows"
        elif v.ndim < 2:
            rows = f"one row, t = {t:g}" if t.ndim == 0 else "one row"
        else:
            many = "".join(f"{n} x " for n in v.shape[:-2])
            rows = f"{many}{v.shape[-2]} rows, t = {t.min():g} to {t.max():g}"
        wrong = sorted({MESSAGES.get(int(x), f"result {x}") for x in result.ravel() if x != OK})
        wrong += [
            f"warning: {x}" if len(x) < 60 else f"warning: {x[:57]}..." for x in self.warnings
        ]
        return f"Trajectory({', '.join([who, rows, *wrong])})"

    def _repr_html_(self) -> str:
        if self.v.ndim != 2 or not len(self) or is_traced(self._told):
            return card("Trajectory", [("", repr(self))])
        rows = f"{len(self)}, t = {float(self.t[0]):g} to {float(self.t[-1]):g} s"
        head = f"Trajectory of {self.meta.system or 'a system'}"
        return picture(self) + card(head, [("rows", rows), *self.meta.lines()])

    @property
    def _cost(self) -> tuple[float, float]:  # `Meta.__eq__` ignores it, `equals` compares it
        return self.meta.wall_s, self.meta.compile_s

    @property
    def _told(self) -> tuple[Tree, Tree, Tree]:
        return self.t, self.v, self.result

    # -- rows --------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of rows."""
        if self.v.ndim < 2:
            raise TypeError("a single row of a trajectory has no len()")
        return self.v.shape[-2]

    def __getitem__(self, rows: Selection) -> Any:
        """Return rows as a trajectory; an integer gives one row, without the axis of time.

        A name gives a coordinate, a velocity or a multiplier at all rows: `traj["x"]`,
        `traj["x_dot"]`, `traj.final["x"]`, `traj["left, along"]`.
        """
        if isinstance(rows, str):
            return labels.value(self, rows)
        n = len(self)
        if isinstance(rows, (int, np.integer)):
            rows = operator.index(rows)
            if not -n <= rows < n:  # JAX would clamp it silently
                raise IndexError(f"row {rows} of a trajectory with {n} rows")
        batch = self.v.ndim - 2

        def take(x: np.ndarray) -> np.ndarray:
            return jax.tree.map(lambda a: a[(slice(None),) * batch + (rows,)], x)

        taken = dataclasses.replace(
            self,
            # the members of an ensemble may share their times
            t=self.t[(slice(None),) * (self.t.ndim - 1) + (rows,)],
            **{name: take(getattr(self, name)) for name in OVER_TIME},
        )
        remember(taken, remembered(self))
        return taken

    def __iter__(self) -> Iterator[Trajectory]:
        return (self[k] for k in range(len(self)))

    @property
    def final(self) -> Trajectory:
        """The last row."""
        return self[-1]

    def at(self, t: ArrayLike, system: System | None = None) -> Between:
        """Return the motion between rows: q, v and frame at a number t or an array of times.

        The result has the order of the method or 6, whichever is less. The error of the
        interpolation alone is O(H^8) in q and O(H^7) in v, with H the time between rows
        (`save_every` times h); v is on the constraint up to that error. At rows it returns the
        rows. On groups it interpolates in a chart, so that points remain on the group. It needs
        four rows around which the motion is smooth, and `system` only if the space of the system is
        a user's class.

        A run by `Taylor` has polynomials: `at` is then as accurate as the run itself.
        """
        return interpolate(self, t, system)
