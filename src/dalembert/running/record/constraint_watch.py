"""Watch the constraint along the rows of a single run: does it lose rank, does it jump?

If a constraint that is linear in v loses rank between two rows, there is a singular point on the
motion or near it. Shortened steps locate the point. A run through it ends there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.layout import Tree
from ...groupoids import Point, move
from ...linalg import OK
from ...methods import Row
from ...request import constraint_rows
from ...request.initial_data import WORTH_ENERGY
from ...request.prepare import Prepared
from ...request.rank_loss import have_zeros, row_sizes, scaled, suspects, zero_in
from ...request.step import Numbers
from ...rows import Nodes, Rows, ShortenedSteps
from .singular_point import told_singular

_ALARMS = 64  # the search for singular points stops after this many false alarms in a run
_LINES, _POINTS = 12, 17  # `may_lose_rank`: number of straight lines, points on each
# the rank may change if the smallest singular value varies by more than this ratio (min / max)
_VARIES = 0.05
# rows of a chunk that are checked first, and the ratio (min / max) above which the others are not
_SOME, _STEADY = 65, 0.7


class Singular(NamedTuple):
    """A singular point at which a run ends."""

    count: int  # number of the rows given that are before the point
    at: Rows  # the row at the point
    words: str  # the message for the user


class ConstraintWatch:
    """Checks the constraint at the rows of a run, chunk by chunk; reports each finding once.

    The rank is followed if rows are single steps apart (`steps_apart`). With `any_apart` (Taylor's
    method) rows may be any distance apart, and the constraint may turn by any angle in between.
    """

    names_point = True  # whether a singular point is described in words

    def __init__(
        self,
        prepared: Prepared,
        steps: int,
        steps_apart: bool,
        any_apart: bool,
        shortened: ShortenedSteps | None = None,
        at_all_rows: bool = True,
    ) -> None:
        """Prepare the checks.

        Without `at_all_rows`, a few rows of each chunk are checked first, and the others only if
        the constraint varies among these.
        """
        self._prepared, self._any_apart, self._shortened = prepared, any_apart, shortened
        self._at_all_rows = at_all_rows
        # not for short runs: compiling the check costs more than a few steps
        wanted = steps >= WORTH_ENERGY and prepared.system.is_constrained
        self._ranks = wanted and (steps_apart or any_apart)
        self._jumps = wanted and prepared.plan.constraint_may_jump
        # The last row of the rows before: a jump between two chunks must not be missed.
        self._before: constraint_rows.Series | None = None
        system = prepared.system
        # Without a shortened step the point cannot be located; the run then only warns.
        self._stops = self._ranks and not system.is_nonlinear and shortened is not None
        self._sizes: np.ndarray | None = None
        # the last two rows, with the constraint forms there
        self._last: list[tuple[Rows, np.ndarray]] = []
        self._alarms = 0
        self._jumped = self._lost = ""  # warnings about a jump, and about a loss of rank

    @property
    def is_watching(self) -> bool:
        """Whether anything is checked."""
        return self._ranks or self._jumps

    def stop_following(self) -> None:
        """Stop checking the rank, because the numbers of the run mean nothing from here on."""
        # `_jumps` stays: a jump of the constraint may be why the numbers mean nothing.
        self._ranks = self._stops = False

    def begin(self, first: Tree) -> None:
        """Compile the constraint at the first row, before the run is timed."""
        if self._ranks or self._jumps:
            self._at(jax.tree.map(lambda x: np.asarray(x)[None], (first.t, first.q, first.v)))

    def feed(self, rows: Rows) -> Singular | None:
        """Check the next rows; return the singular point between them, if the run ends at one."""
        if not (self._ranks or self._jumps):
            return None
        rows = rows.here()
        # A singular point ends the run before any warning about the same rows.
        found = self._passed(rows) if self._stops else None
        if found is not None:
            self._ranks = self._jumps = False
            return found
        self.look(_series(rows))
        return None

    def look(self, series: constraint_rows.Series) -> None:
        """Check the next rows for a jump and a loss of rank, which `told` reports."""
        if self._before is not None:
            series = jax.tree.map(lambda a, b: np.concatenate([a, b]), self._before, series)
        self._before = jax.tree.map(lambda x: np.array(x[-1:]), series)
        if len(series[0]) < 2:
            return
        if self._jumps and (jump := constraint_rows.first_jump(self._at, series)) is not None:
            # a jump may look like a loss of rank: stop both checks
            self._jumps = self._ranks = False
            self._jumped = constraint_rows.told_jump(jump)
        if self._ranks:
            nonlinear = self._prepared.system.is_nonlinear
            lost = constraint_rows.LOST_WITH_V if nonlinear else constraint_rows.LOST
            t = constraint_rows.lowest_rank(self._at, series, lost, self._any_apart)
            if t is not None:
                self._ranks = False
                self._lost = constraint_rows.told_rank(f"near t = {t:.6g}")

    def _passed(self, rows: Rows) -> Singular | None:
        """Return the first singular point between these rows, or None."""
        if not self._at_all_rows and not self._varies(rows):
            return None
        forms = np.asarray(self._at(_series(rows)).forms)
        if not forms.shape[1]:
            return None
        # Rows of the constraint may have different units, so each is scaled by its largest entry
        # so far.
        self._sizes = row_sizes(np.where(np.isfinite(forms), forms, 0.0), self._sizes)
        known = np.concatenate([*(x[None] for _, x in self._last), forms])
        start = len(self._last)
        # Suspects are pairs of rows that fulfil a necessary condition; most are false, hence the
        # limit.
        which = suspects(scaled(known, self._sizes)) if self._alarms < _ALARMS else ()
        for i in (int(x) for x in which if x >= start - 1 >= 0 or x >= start):
            left = rows.take(slice(i - start, i - start + 1)) if i >= start else self._last[i][0]
            right = rows.take(slice(i - start + 1, i - start + 2))
            found = self._located(left, right)
            if found is not None:
                t, q, v = (x[0] for x in _series(found))
                h = abs(self._prepared.h)
                words = ""
                if self.names_point:
                    words = told_singular(self._prepared.system, float(t), q, v, h, self._sizes)
                return Singular(i - start + 1, found, words)
            # The search found no zero: the next suspects are worth less.
            self._alarms += 1
        self._remember(rows, forms[-2:])
        return None

    def _varies(self, rows: Rows) -> bool:
        """Whether the smallest singular value changes among some of these rows."""
        count = len(rows.k)
        some = np.unique(np.append(np.linspace(0, count - 1, _SOME).astype(int), [count - 1]))
        if count > 1:
            some = np.union1d(some, [count - 2])  # the last two are remembered
        forms = np.asarray(self._at(_series(rows.take(some))).forms)
        if not forms.shape[1]:
            return False
        sizes = row_sizes(np.where(np.isfinite(forms), forms, 0.0), self._sizes)
        least = constraint_rows.smallest(scaled(forms, sizes))
        if not np.min(least) > _STEADY * np.max(least):
            return True
        self._sizes = sizes
        self._remember(rows, forms[-2:])
        return False

    def _remember(self, rows: Rows, forms: np.ndarray) -> None:
        """Keep the last two rows with their forms; `forms` has those of the last rows."""
        first = len(rows.k) - len(forms)
        tail = [(rows.take(slice(i, i + 1)), forms[i - first]) for i in range(first, len(rows.k))]
        self._last = [*self._last, *tail][-2:]

    def _located(self, left: Rows, right: Rows) -> Rows | None:
        """Return the row at a singular point between two consecutive rows, or None."""
        steps = int(right.k[0]) - int(left.k[0])
        # Two rows that are several steps apart say nothing about the points between.
        if steps != 1 and not self._any_apart:
            return None
        size = float(right.t[0]) - float(left.t[0])
        frame = np.zeros((1, 1, 0)) if left.frame is None else left.frame
        q, v, frame = jax.tree.map(lambda x: x[:, 0], (left.q, left.v, frame))
        node = Nodes(np.zeros(1, int), left.t, q, v, frame)
        made: dict[float, tuple[Row, Tree]] = {}
        shortened, sizes = self._shortened, self._sizes
        assert shortened is not None
        assert sizes is not None

        def least(s: float) -> float:
            row, _ = made[s] = shortened(node, np.array([s]))
            if int(row.result[0]) != OK or not np.all(np.isfinite(row.v)):
                # A step that fails counts as zero: nearer to the singular point steps may not
                # exist.
                return 0.0
            there = np.asarray(row.t), row.q, np.asarray(row.v)
            forms = np.asarray(self._at(there).forms)
            return float(constraint_rows.smallest(scaled(forms, sizes))[0])

        first = np.asarray(self._at(_series(left)).forms)
        begin = float(constraint_rows.smallest(scaled(first, sizes))[0])
        found = zero_in(least, size, first=begin)
        if found is None:
            return None
        at = found.size
        if at not in made or int(made[at][0].result[0]) != OK:
            # The last step that succeeded before the point.
            at = found.before
            if at <= 0.0:
                return left
            least(at)
        row, frame = made[at]
        one = jax.tree.map(lambda x: x[:, None], row._replace(t=None))
        framed = None if left.frame is None else jax.tree.map(lambda x: x[:, None], frame)
        # One step after `left`, though shorter: the row gets the next number.
        return Rows(k=left.k + 1, frame=framed, **one._asdict() | {"t": row.t})

    def told(self, nothing: bool = False) -> tuple[str, ...]:
        """Return the warnings; for a meaningless run (`nothing`) only a jump, the likely cause."""
        return tuple(x for x in (self._jumped, "" if nothing else self._lost) if x)

    def jump_near(self, row: Tree, node: Tree = None) -> bool:
        """Whether the constraint jumps between the last row and a failed one, or one step ahead.

        `node` is the current node of Taylor's method, which may be far after the last row.
        """
        last = self._before
        if last is None or not self._jumps:
            return False
        h, groupoid = self._prepared.h, self._prepared.system.groupoid

        def ahead(t: Numbers, q: Point, v: Numbers) -> tuple[Tree, Tree, Tree]:
            q = jax.tree.map(jnp.asarray, q)
            return (float(t) + h, move(groupoid, q, h * jnp.asarray(v)), v)

        begun = jax.tree.map(lambda x: x[0], last)
        # A failed row may lie beyond the jump or before it, so one step ahead is checked as well.
        ends = [(row.t, row.q, row.v), ahead(*begun)]
        ends += [ahead(node.t, node.q, node.v)] if node is not None else []
        for end in ends:
            series = jax.tree.map(lambda a, b: np.stack([a, np.asarray(b)]), begun, end)
            if all(np.all(np.isfinite(x)) for x in jax.tree.leaves(series)):
                if constraint_rows.first_jump(self._at, series) is not None:
                    return True
        return False

    def _at(self, series: constraint_rows.Series) -> constraint_rows.ConstraintRows:
        return self._prepared.plan.constraint_rows((self._prepared.dynamic, *series))


def may_lose_rank(starts: Sequence[Prepared], steps: int) -> bool:
    """Whether the rank of the constraint may change within reach of runs of `steps` steps.

    `starts` are members of one ensemble, or a single run. The constraint is sampled on straight
    lines from each start, up to the distance that its initial speed covers, and up to the last time
    if it depends on time. The lines of all starts are sampled together.
    """
    first, number = starts[0], len(starts)
    system, plan = first.system, first.plan
    if steps < WORTH_ENERGY or system.is_nonlinear or not system.is_constrained:
        return False
    t0, q0, v0, dynamic = jax.tree.map(
        lambda *x: np.stack(x),
        *((*x.state.row[:3], x.dynamic) for x in starts),
    )
    # At least 1: a body at rest may still be moved by forces.
    far = np.maximum(np.linalg.norm(v0, axis=1) * abs(first.h) * steps, 1.0)
    # Random directions with a fixed seed, so that the same run always gives the same answer.
    rng = np.random.default_rng(0)
    lines = rng.normal(size=(_LINES, v0.shape[1]))
    # Lengths from the whole distance down by factors of 4: constraints may vary on any scale.
    lines *= (4.0 ** -np.arange(_LINES // 3).repeat(3) / np.linalg.norm(lines, axis=1))[:, None]

    lasts = first.h * steps if system.has_timed_constraint else 0.0

    def forms_on(which: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Return the constraint forms (lines, k, m, n) at the points s (lines, k) of the lines.

        Line i belongs to the start i // _LINES.
        """
        own, shares = (which // _LINES).repeat(s.shape[1]), s.reshape(-1)
        along = (far[which // _LINES, None] * lines[which % _LINES]).repeat(s.shape[1], axis=0)
        # The parameters of a single start are shared by all points.
        given = jax.tree.map(lambda x: x[own] if number > 1 else x[0], dynamic)
        t, q, v = t0[own] + lasts * shares, jax.tree.map(lambda x: x[own], q0), v0[own]
        q = plan.moved((given, t, q, shares[:, None] * along))
        forms = np.asarray(plan.constraint_rows((given, t, q, v)).forms)
        # Points where the constraint is not finite are left to the run itself.
        return np.where(np.isfinite(forms), forms, 0.0).reshape(*s.shape, *forms.shape[1:])

    at, every = np.linspace(0.0, 1.0, _POINTS), np.arange(number * _LINES)
    forms = forms_on(every, np.repeat(at[None], len(every), axis=0))
    if not forms.shape[2]:
        return False
    # Constraint rows are scaled by their largest entry on all lines of a start.
    per_start = forms.reshape(number, -1, *forms.shape[2:])
    sizes = np.stack([row_sizes(x) for x in per_start])

    def least_on(which: np.ndarray, forms: np.ndarray) -> np.ndarray:
        safe = sizes[which // _LINES]
        safe = np.where(safe > 0.0, safe, 1.0)
        return constraint_rows.smallest(forms / safe[:, None, :, None])

    least = least_on(every, forms)
    top = np.max(least.reshape(number, -1), axis=1).repeat(_LINES)
    varies = np.min(least, axis=1) < _VARIES * top
    varies_at_all = np.any(varies.reshape(number, -1), axis=1).repeat(_LINES)
    if not np.any(varies_at_all):
        return False
    if np.any(least[varies_at_all, 1:] <= 0.0):  # zero at sampled points: on a part of a line
        return True
    # A small value need not mean that a zero is near: a constraint row (y, 0, 1), divided by a
    # large y from elsewhere on the line, is small where y is small. So search for the zero.
    j = np.argmin(least, axis=1)
    lows = np.flatnonzero(varies_at_all & (np.min(least, axis=1) < _VARIES * np.max(least, axis=1)))

    def on_lines(s: np.ndarray, which: np.ndarray) -> np.ndarray:
        # A small value on a coarse grid is not a zero: search the interval around it.
        return least_on(lows[which], forms_on(lows[which], s))

    begin, end = (at[np.clip(j[lows] + i, 0, _POINTS - 1)] for i in (-1, 1))
    return bool(np.any(have_zeros(on_lines, begin, end)))


def _series(rows: Rows) -> constraint_rows.Series:
    return (rows.t, *jax.tree.map(lambda x: x[:, 0], (rows.q, rows.v)))


__all__ = ["ConstraintWatch", "Singular", "may_lose_rank"]
