"""Events of runs by Taylor's method: roots of event functions as polynomials in time.

`PolynomialBuffer` holds the polynomials of the motions of all members until every detector has
searched them. `expanded` composes them with the event functions; a function that changes faster
than the motion gets shorter spans. `roots` finds all changes of sign. At many points of every step
the polynomials are compared with the functions. Members for which they differ (a branch, or a pulse
that the coefficients do not show) get the changes of sign between those points instead, located as
by a `RowDetector`.

All members are searched together: spans that have no root for certain are dropped at once, the
others one by one.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple, Protocol

import jax
import numpy as np

from ..compile.cache.code_key import CodeKey
from ..compile.taylor.taylor_kernel import ObserverKernel, RecordShape
from ..errors import Reason
from ..results.polynomials import evaluated, horner
from ..rows import Rows
from .detect_rows import EventDetector, Roots, RowDetector, crossed, picked
from .locate import has_no_root, mixed, noise_of, roots

# A span is split until the last two orders of its polynomial are below _RESOLVED relative to the
# rest, which is about the round-off of doubles. At most _SPLITS times: 6 splits into up to 64 parts
# each reach any span that matters.
_SPLITS, _RESOLVED = 6, 1e-14
_LEAST_CHECKS = 16  # fewest points of a step at which polynomial and function are compared
# Tolerances relative to the largest value of the function:
_ROOT = 1e-11  # value at a root, 10^5 times round-off
_SAME = 1e-8  # difference between the polynomial and the function


class PolynomialProgram(Protocol):
    """The part of `TaylorProgram` that the search uses; it is the same for all members."""

    looks: int  # number of probes in the complete run

    @property
    def shape(self) -> RecordShape: ...
    @property
    def span(self) -> float: ...
    def observer(self, functions: Any) -> ObserverKernel | Reason: ...
    def rows_at(
        self, records: np.ndarray, which: np.ndarray, tau: np.ndarray, parameters: np.ndarray
    ) -> Any: ...


class PolynomialSteps(NamedTuple):
    """The records of steps of many members, ordered by member and then by time."""

    member: np.ndarray
    records: np.ndarray

    def taken(self, which: np.ndarray) -> PolynomialSteps:
        """Return the steps that indices or a mask select."""
        return PolynomialSteps(self.member[which], self.records[which])


class Spans(NamedTuple):
    """Event functions as polynomials in the time since t + lost, one for each span of time."""

    t: np.ndarray
    lost: np.ndarray  # round-off of t, to be added to it
    record: np.ndarray  # index of the step that contains the span
    offset: np.ndarray  # time from the node of that step to the start of the span
    length: np.ndarray
    step: np.ndarray  # length of the step that contains the span
    g: np.ndarray  # (spans, order + 1, functions)

    def taken(self, which: np.ndarray) -> Spans:
        """Return the spans at these indices."""
        return Spans(*(x[which] for x in self))

    def values(self, record: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return the functions (functions, times) at the times tau after the nodes of `record`."""
        # position of each span: index of its record, plus the part of the step before the span
        order = self.record + self.offset / self.step
        last = np.searchsorted(self.record, record, side="right") - 1
        at = record + np.clip(tau / self.step[last], 0.0, 1.0 - 1e-9)
        which = np.maximum(np.searchsorted(order, at, side="right") - 1, 0)
        return evaluated(self.g, which, tau - self.offset[which]).T

    def parts_needed(self) -> np.ndarray:
        """Return the number of parts into which to split each span.

        On each part the last two orders of the polynomials should be below round-off.
        """
        order = self.g.shape[1] - 1
        size = np.abs(self.g) * self.length[:, None, None] ** np.arange(order + 1)[:, None]
        whole = np.maximum(np.sum(size[:, : order // 2], axis=1), 1e-300)
        tail = np.maximum(size[:, -1], size[:, -2]) / whole
        worst = np.max(np.where(np.isfinite(tail), tail, 0.0), axis=1, initial=0.0)
        parts = np.ceil((worst / _RESOLVED) ** (1.0 / order))
        return np.where(worst <= _RESOLVED, 1, np.clip(parts, 2, 64)).astype(int)


def _shifted(c: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Return the coefficients (n, order + 1, size) of polynomials shifted forward by s."""
    c = np.array(c)
    order = c.shape[1] - 1
    for i in range(order):  # repeated synthetic division
        for k in range(order - 1, i - 1, -1):
            c[:, k] += s[:, None] * c[:, k + 1]
    return c


def expanded(
    shape: RecordShape, records: np.ndarray, parameters: np.ndarray, observer: ObserverKernel
) -> Spans:
    """Return the event functions as polynomials, over spans that are short enough for them.

    `parameters` has one row for each record.

    A function may change faster than the motion. Its span is then split, and the function is
    expanded again, on each part, from the polynomial of the motion shifted to that part.
    """
    t, lost, h = shape.times(records)
    done: list[Spans] = []
    record, offset, length = np.arange(len(records)), np.zeros(len(records)), np.array(h)
    for trial in range(_SPLITS):
        moved = np.array(records[record])
        moved[:, shape.point] += lost[record] + offset
        if trial:
            shape.coefficients(moved)[:] = _shifted(shape.coefficients(records)[record], offset)
        g = observer(parameters[record], moved)
        found = Spans(t[record], lost[record] + offset, record, offset, length, h[record], g)
        parts = found.parts_needed() if trial < _SPLITS - 1 else np.ones(len(record), int)
        good = parts == 1
        done.append(found.taken(good))
        if np.all(good):
            break
        many = parts[~good]
        inside = np.concatenate([np.arange(m) for m in many])
        width = np.repeat(length[~good] / many, many)
        offset = np.repeat(offset[~good], many) + inside * width
        record, length = np.repeat(record[~good], many), width
    whole = Spans(*(np.concatenate(x) for x in zip(*done)))
    return whole.taken(np.lexsort((whole.offset, whole.record)))


class PolynomialBuffer:
    """Taylor polynomials of members, dropped once every detector has searched them."""

    program: PolynomialProgram  # the program of the last `add`; unset before that
    parameters: np.ndarray  # packed parameters, one row for each member

    def __init__(self, members: int = 1) -> None:
        # `end`: the time of each member after which its steps do not count. `failed`: whether a
        # failure has set that time, not an event.
        self.end, self.failed = np.full(members, np.inf), np.zeros(members, bool)
        self.searches: list[PolynomialDetector] = []
        self._parts: list[PolynomialSteps] = []

    def detector(self, rows: RowDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Return a detector that searches the polynomials of all members."""
        return PolynomialDetector(self, rows, functions)

    def add(
        self,
        program: PolynomialProgram,
        parameters: np.ndarray,
        new: PolynomialSteps,
        well_until: np.ndarray,  # time up to which the polynomials of each member are valid
    ) -> None:
        """Add the latest steps of members.

        A step that was added before and is made again replaces the earlier one.
        """
        self.program, self.parameters = program, parameters
        sooner = well_until < self.end
        self.end, self.failed = np.where(sooner, well_until, self.end), self.failed | sooner
        begin, _, _ = program.shape.times(new.records)
        new = new.taken(begin < self.end[new.member])
        if not self.searches or not len(new.member):
            return
        first = np.full(len(self.end), np.inf)
        np.minimum.at(first, new.member, program.shape.times(new.records)[0])
        if self._parts:
            before = self._parts[-1]
            made_again = program.shape.times(before.records)[0] >= first[before.member]
            self._parts[-1] = before.taken(~made_again)
        self._parts.append(new)

    def ends_at(self, member: int, t: float) -> None:
        """Discard the steps of a member after t, because an event has ended its run there."""
        if t < self.end[member]:
            self.end[member], self.failed[member] = t, False

    def after(self, t: np.ndarray) -> PolynomialSteps | None:
        """Return the steps that end after the time t of their member, or None."""
        if not self._parts:
            return None
        member, records = (np.concatenate(x) for x in zip(*self._parts))
        if len(self._parts) > 1 and len(self.end) > 1:
            order = np.argsort(member, kind="stable")
            member, records = member[order], records[order]
        self._parts = [whole := PolynomialSteps(member, records)]
        begin, lost, h = self.program.shape.times(records)
        is_after = (begin - t[member]) + (lost + h) > 0.0
        chosen = np.flatnonzero(is_after & (t < self.end)[member])
        return whole.taken(chosen) if len(chosen) else None

    def drop_searched(self) -> None:
        """Drop the steps that every detector has searched."""
        found = self.after(np.min([x.until for x in self.searches], axis=0))
        self._parts = [] if found is None else [found]


class _Points(NamedTuple):
    """Rows (points, 1, ...) where functions are evaluated, ordered by member and then by time."""

    member: np.ndarray
    record: np.ndarray  # index of the step that contains the point; -1 if there is none
    tau: np.ndarray  # time since the node of that step
    rows: Rows

    @property
    def first(self) -> np.ndarray:
        """Index of the first point of each member that has points."""
        return np.flatnonzero(np.diff(self.member, prepend=-1))


class _Hits(NamedTuple):
    """Roots of polynomials: of the function `which`, in the step `record`."""

    which: np.ndarray
    record: np.ndarray
    tau: np.ndarray  # time since the node of that step


class PolynomialDetector(EventDetector):
    """Finds roots in the polynomials of all members; remembers how far it has come.

    `rows` evaluates the same functions at rows, and locates the changes of sign of those that are
    not polynomials.
    """

    def __init__(
        self, buffer: PolynomialBuffer, rows: RowDetector, functions: tuple[Any, ...]
    ) -> None:
        super().__init__(rows.start, rows.names)
        self.buffer, self._rows, self._functions = buffer, rows, CodeKey(functions)
        buffer.searches.append(self)
        self._directions, members = rows.directions[:, 0, 0], rows.start.members
        # time and step up to which the search is done, and the signs of the polynomials there
        self.until, self._k = np.full(members, -np.inf), np.zeros(members, int)
        self._signs = np.zeros((len(rows.names), members))
        self._last: tuple[Rows, np.ndarray] | None = None  # last points, and the functions there

    def ends_at(self, member: int, last: Rows) -> None:
        self.buffer.ends_at(member, float(last.t[0]))

    def detect(self, rows: Rows) -> Roots:
        """Return the roots up to the last good row of each member, or to the end of its run."""
        buffer, begin = self.buffer, self.until
        count = np.sum(rows.good, axis=0)  # good rows come before all others
        has = np.flatnonzero(count)
        last = begin.copy()
        last[has] = rows.t[count[has] - 1]
        self._k[has] = rows.k[count[has] - 1]
        end = np.where(buffer.end < np.inf, np.maximum(last, buffer.end), last)
        # only steps after the first row, and only of members with something new
        steps = buffer.after(np.where((end > begin) & (begin > -np.inf), begin, np.inf))
        searched = np.zeros(len(begin), bool)
        if steps is not None:
            searched[steps.member] = True
        if not len(has) and steps is None:
            return self._rows.detect(rows.take(slice(0, 0)))  # nothing
        points = self._points(rows, count, steps, begin, end)
        g = np.stack(self._rows.one(points.rows))[:, :, 0]
        good = points.rows.good[:, 0]
        wrong = np.isnan(g) & good
        g = np.where(wrong, 0.0, g)
        undefined = np.full((len(self.names), len(begin)), np.inf)
        for e, i in np.argwhere(wrong)[::-1]:  # in reverse order, so that the first time remains
            undefined[e, points.member[i]] = points.rows.t[i]
        changed = self._changed(points, g)
        # members whose events are changes of sign between points, not roots of polynomials
        doubtful = ~searched
        doubtful[points.member[np.any(wrong, axis=0)]] = True
        found = []
        if steps is not None:
            hits = self._hits(steps, points, g, changed, begin, end, doubtful)
            there = self._rows_at(steps, hits.record, hits.tau, rows.frame is not None)
            found.append(Roots(hits.which, steps.member[hits.record], there, undefined))
        between = changed & good & ~wrong & doubtful[points.member]
        found.append(self._between(points, g, between, undefined))
        # functions that are not polynomials: remember their own signs at the last point
        lasts = np.append(points.first[1:], len(points.member)) - 1
        other = lasts[(searched & doubtful)[points.member[lasts]]]
        self._signs[:, points.member[other]] = np.sign(g[:, other])
        self._stand_at(points, g, lasts)
        self.until = end
        if steps is not None:
            buffer.drop_searched()
        roots = Roots.joined(found)
        k = self._steps(rows, count, roots.member, roots.rows.t, end)
        roots = roots._replace(rows=roots.rows._replace(k=k))
        # a function that is undefined where the run has failed is not a second error
        failed = buffer.failed & searched
        chosen = np.flatnonzero(roots.rows.good[:, 0] | ~failed[roots.member])
        undefined = np.where(failed & (undefined > last), np.inf, undefined)
        return Roots(roots.which[chosen], roots.member[chosen], roots.rows.take(chosen), undefined)

    def _steps(
        self, rows: Rows, count: np.ndarray, member: np.ndarray, t: np.ndarray, end: np.ndarray
    ) -> np.ndarray:
        """Return the steps that contain these times; after the last row, the step after it."""
        begun, many = np.searchsorted(rows.t, t), count[member]
        ends_at_row = (many > 0) & (np.append(rows.t, np.inf)[many - 1] >= end[member])
        begun = np.minimum(begun, many - ends_at_row)
        return np.where(begun < many, np.append(rows.k, 0)[begun], self._k[member] + 1)

    def _stand_at(self, points: _Points, g: np.ndarray, lasts: np.ndarray) -> None:
        """Remember the last point of each member."""
        member, rows = points.member[lasts], points.rows.take(lasts)
        if self._last is None:
            anywhere = np.zeros(len(self.until), int)
            self._last = points.rows.take(anywhere), np.zeros((len(g), len(anywhere)))
        before, values = self._last
        values[:, member] = g[:, lasts]
        self._last = mixed(before, rows, member), values

    # -- points of steps -----------------------------------------------------------------------

    def _rows_at(
        self, steps: PolynomialSteps, record: np.ndarray, tau: np.ndarray, with_frame: bool
    ) -> Rows:
        """Return rows at times tau after the nodes of these records; their step number is 0."""
        own = self.buffer.parameters[steps.member[record]]
        row, frame, t = self.buffer.program.rows_at(steps.records, record, tau, own)
        row, frame = jax.tree.map(lambda x: x[:, None], (row._replace(t=None), frame))
        k = np.zeros(len(t), int)
        return Rows(k=k, frame=frame if with_frame else None, **row._asdict() | {"t": t})

    def _points(
        self,
        rows: Rows,
        count: np.ndarray,
        steps: PolynomialSteps | None,
        begin: np.ndarray,
        end: np.ndarray,
    ) -> _Points:
        """Return the points in begin < t <= end at which functions are evaluated.

        There are many in each step. For members without steps, the points are their rows.
        """
        if steps is None:
            member, row = np.nonzero(rows.good.T)
            none = np.full(len(row), -1)
            return _Points(member, none, np.zeros(len(row)), picked(rows, row, member))
        program, members = self.buffer.program, np.arange(len(count))
        starts, lost, h = program.shape.times(steps.records)
        each = np.ceil(program.looks * h / program.span).astype(int)
        each = np.maximum(_LEAST_CHECKS, each)
        record = np.repeat(np.arange(len(h)), each)
        number = np.arange(1, len(record) + 1) - np.repeat(np.cumsum(each) - each, each)
        tau = number / each[record] * h[record]
        at, mine = starts[record] + (lost[record] + tau), steps.member[record]
        inside = (at > begin[mine]) & (at < end[mine])
        # the last step of each member that begins before its end
        begun = np.bincount(steps.member[starts < end[steps.member]], minlength=len(count))
        final = np.searchsorted(steps.member, members) + np.maximum(begun - 1, 0)
        searched = np.bincount(steps.member, minlength=len(count)) > 0
        # a run that ends between rows gets a point at its end, other runs at their last row
        ends_at_row = (count > 0) & (np.append(rows.t, np.inf)[count - 1] >= end)
        chosen = rows.good & ~searched
        row_of = np.flatnonzero(searched & ends_at_row)
        chosen[count[row_of] - 1, row_of] = True
        short = np.flatnonzero(searched & ~ends_at_row)
        i = final[short]
        record = np.append(record[inside], i)
        tau = np.append(tau[inside], (end[short] - starts[i]) - lost[i])
        inner = self._rows_at(steps, record, tau, rows.frame is not None)
        member, row = np.nonzero(chosen.T)
        own, i = picked(rows, row, member), np.minimum(final[member], len(h) - 1)
        tau_own, record_own = (own.t - starts[i]) - lost[i], np.where(searched[member], i, -1)
        points = _Points(
            np.append(steps.member[record], member),
            np.append(record, record_own),
            np.append(tau, tau_own),
            jax.tree.map(lambda a, b: np.concatenate([a, b]), inner, own),
        )
        if len(count) == 1:
            return points
        order = np.argsort(points.member, kind="stable")
        return jax.tree.map(lambda x: x[order], points)

    def _changed(self, points: _Points, g: np.ndarray) -> np.ndarray:
        """Whether functions have crossed zero since the point before."""
        sign = np.sign(g)
        before, first = np.roll(sign, 1, axis=1), points.first
        known = np.zeros((len(g), len(self.until))) if self._last is None else self._last[1]
        before[:, first] = np.sign(known[:, points.member[first]])
        return crossed(before, sign, self._directions[:, None])

    def _between(
        self, points: _Points, g: np.ndarray, changed: np.ndarray, undefined: np.ndarray
    ) -> Roots:
        """Return the roots between points where a sign has changed."""
        which, i = np.nonzero(changed)
        member, left, before = points.member[i], points.rows.take(i - 1), g[which, i - 1]
        first = np.flatnonzero(np.isin(i, points.first))
        if self._last is not None and len(first):  # the point before is of an earlier call
            rows, values = self._last
            left = mixed(left, rows.take(member[first]), first)
            before[first] = values[which[first], member[first]]
        size = points.rows.t[i] - left.t
        found = self._rows.located(which, member, left, before, np.ones(len(i), int), size)
        return Roots(which, member, found, undefined)

    # -- roots of polynomials ------------------------------------------------------------------

    def _hits(
        self,
        steps: PolynomialSteps,
        points: _Points,
        g: np.ndarray,
        changed: np.ndarray,
        begin: np.ndarray,
        end: np.ndarray,
        doubtful: np.ndarray,
    ) -> _Hits:
        """Return the roots in begin < t <= end, in order.

        Members whose functions are no polynomials are marked in `doubtful`.
        """
        program, none = self.buffer.program, np.zeros(0, int)
        observer = program.observer(self._functions)
        if isinstance(observer, Reason) or observer.choices:
            doubtful[:] = True
            return _Hits(none, none, np.zeros(0))
        own = self.buffer.parameters[steps.member]
        spans = expanded(program.shape, steps.records, own, observer)
        member, first = steps.member[spans.record], points.first
        there = points.member[first]  # members with points: all that have steps
        size = np.zeros((len(g), len(doubtful)))
        size[:, there] = np.maximum.reduceat(np.abs(g), first, axis=1)
        inside = np.flatnonzero(points.record >= 0)
        off = np.abs(spans.values(points.record[inside], points.tau[inside]) - g[:, inside])
        mine = points.member[inside]
        wrong = ~np.all(off <= _SAME * size[:, mine] + 1e-300, axis=0)
        doubtful[mine[wrong]] = True
        doubtful[member[~np.all(np.isfinite(spans.g), axis=(1, 2))]] = True
        lows, highs = (
            np.clip(((t[member] - spans.t) - spans.lost) / spans.length, 0.0, 1.0)
            for t in (begin, end)
        )
        chosen = (highs > lows) & (lows < 1.0 - 1e-15) & ~doubtful[member]
        chosen = np.flatnonzero(chosen)
        hits = self._of_spans(spans.taken(chosen), member[chosen], lows[chosen], highs[chosen])
        mine = steps.member[hits.record]
        of_each = np.zeros((len(g), len(doubtful)), int)
        np.add.at(of_each, (hits.which, mine), 1)
        seen = np.add.reduceat(changed.astype(int), first, axis=1)
        doubtful[there[np.any(of_each[:, there] < seen, axis=0)]] = True
        hits = _Hits(*(x[~doubtful[mine]] for x in hits))
        size = size[hits.which, steps.member[hits.record]]
        tau, is_root = self._polished(steps, hits, size)
        doubtful[steps.member[hits.record[~is_root]]] = True
        sure = ~doubtful[steps.member[hits.record]]
        return _Hits(*(x[sure] for x in hits._replace(tau=tau)))

    def _of_spans(
        self, spans: Spans, member: np.ndarray, lows: np.ndarray, highs: np.ndarray
    ) -> _Hits:
        """Return the changes of sign in low < s <= high of each span, in the order of time."""
        h, found = spans.length, []
        powers = h[:, None] ** np.arange(spans.g.shape[1])
        ends = np.diff(member, append=-1) != 0
        begins = np.diff(member, prepend=-1) != 0
        for e, signs in enumerate(self._signs):
            b = spans.g[:, :, e] * powers
            clear, sign = has_no_root(b), np.sign(b[:, 0])
            # the sign before a span: NaN if only the search of the span before it shows it
            before = np.concatenate([[np.nan], np.where(clear, sign, np.nan)])[:-1]
            before[begins] = signs[member[begins]]
            now = 0.0
            for i in np.flatnonzero(~clear | (before != sign)).tolist():
                now = now if np.isnan(before[i]) else before[i]
                inner = [] if clear[i] else [s for s in roots(b[i]) if lows[i] < s <= highs[i]]
                ends_of = [float(lows[i]), *inner, float(highs[i])]
                changes, now = self._changes(e, now, b[i], ends_of)
                found += [(e, spans.record[i], spans.offset[i] + s * h[i]) for s in changes]
                signs[member[i]] = now
            known = ends & clear
            signs[member[known]] = sign[known]
        found.sort(key=lambda x: (x[1], x[2]))
        which, record, tau = (np.array([x[i] for x in found]) for i in range(3))
        return _Hits(which.astype(int), record.astype(int), tau)

    def _changes(
        self, e: int, sign: float, b: np.ndarray, ends: list[float]
    ) -> tuple[list[float], float]:
        """Return the `ends` at which function e changes its sign in the direction of the event.

        Returns also the sign of the function before the last of the `ends`. Its polynomial b has no
        root between two neighboring `ends`. `sign` is the sign before the first one.
        """
        noise, found = noise_of(b), []
        for start, end in itertools.pairwise(ends):
            middle = float(horner(b[::-1], 0.5 * (start + end)))
            if abs(middle) <= noise and len(ends) > 2:
                continue  # between roots so close that the sign is only round-off
            new = float(np.sign(middle))
            if new == 0.0:
                continue
            if sign == -new and self._directions[e] in (0, new):
                found.append(start)
            sign = new
        return found, sign

    def _polished(
        self, steps: PolynomialSteps, hits: _Hits, size: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return roots of the functions near those of their polynomials, and which were found.

        Newton's method with derivatives from finite differences, in which a root moves by at most a
        tenth of the distance between two probes. Near a pole, for example, the polynomial may have
        a root where the function has none. `size` is the largest |value| of the function of each
        root.
        """
        program, tau = self.buffer.program, hits.tau
        apart = 0.1 * program.span / max(program.looks, 1)

        def value(some: np.ndarray, at: np.ndarray) -> np.ndarray:
            rows = self._rows_at(steps, hits.record[some], at, False)
            return np.stack(self._rows.one(rows))[hits.which[some], np.arange(len(at)), 0]

        found, off = np.array(tau), np.arange(len(tau))
        for _ in range(20):  # Newton steps: a root that needs more is not simple
            now = value(off, found[off]) if len(off) else off
            wrong = np.abs(now) > _ROOT * size[off]
            off, now = off[wrong], now[wrong]
            if not len(off):
                break
            at = found[off]
            eps = 1e-7 * np.maximum(np.abs(at), apart)
            rate = (value(off, at + eps) - value(off, at - eps)) / (2.0 * eps)
            move = np.divide(now, rate, out=np.zeros_like(now), where=rate != 0.0)
            found[off] = np.clip(at - move, tau[off] - apart, tau[off] + apart)
        is_root = np.ones(len(tau), bool)
        if len(off):
            is_root[off] = np.abs(value(off, found[off])) <= _SAME * size[off]
        return found, is_root


__all__ = ["PolynomialBuffer", "PolynomialDetector", "PolynomialProgram", "PolynomialSteps"]
