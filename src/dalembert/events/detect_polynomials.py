"""Events of runs by Taylor's method: roots of event functions as polynomials in time.

`PolynomialBuffer` holds the polynomials of the motion until every detector has searched them.
`expanded` composes them with the event functions; a function that changes faster than the motion
gets shorter spans. `roots` finds all changes of sign. At many points of every step the polynomials
are compared with the functions. If they differ (a branch, or a pulse that the coefficients do not
show), a `RowDetector` takes the changes of sign between those points instead.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple, Protocol

import jax
import numpy as np

from ..compile.cache.code_key import CodeKey
from ..compile.taylor.taylor_kernel import ObserverKernel, RecordShape
from ..errors import Reason
from ..results.polynomials import evaluated, horner
from ..rows import Rows
from .detect_rows import EventDetector, Roots, RowDetector
from .locate import has_no_root, noise_of, roots

# A span is split until the last two orders of its polynomial are below _RESOLVED relative to the
# rest, which is about the round-off of doubles. At most _SPLITS times: 6 splits into up to 64 parts
# each reach any span that matters.
_SPLITS, _RESOLVED = 6, 1e-14
_LEAST_CHECKS = 16  # fewest points of a step at which polynomial and function are compared
# Tolerances relative to the largest value of the function:
_ROOT = 1e-11  # value at a root, 10^5 times round-off
_SAME = 1e-8  # difference between the polynomial and the function


class PolynomialProgram(Protocol):
    """The part of `TaylorProgram` that the search uses."""

    chunk: np.ndarray  # records of the steps of the last call
    well_until: float  # after a failure: the time up to which polynomials are valid
    looks: int  # number of probes in the complete run
    numbers: np.ndarray

    @property
    def shape(self) -> RecordShape: ...
    @property
    def span(self) -> float: ...
    @property
    def parameters(self) -> slice: ...
    def observer(self, functions: Any) -> ObserverKernel | Reason: ...
    def rows_at(self, records: np.ndarray, which: np.ndarray, tau: np.ndarray) -> Any: ...


class Spans(NamedTuple):
    """Event functions as polynomials in the time since t + lost, one for each span of time."""

    t: np.ndarray
    lost: np.ndarray  # round-off of t, to be added to it
    record: np.ndarray  # index of the step that contains the span
    offset: np.ndarray  # time of its start since the node of that step
    length: np.ndarray
    g: np.ndarray  # (spans, order + 1, functions)

    def taken(self, which: np.ndarray) -> Spans:
        """Return some of the spans."""
        return Spans(*(x[which] for x in self))

    def agree(self, t: np.ndarray, g: np.ndarray) -> bool:
        """Whether the polynomials equal g, the functions (functions, times), at these times."""
        if not np.all(np.isfinite(self.g)):
            return False
        begin = self.t + self.lost
        which = np.clip(np.searchsorted(begin, t, side="right") - 1, 0, len(begin) - 1)
        x = evaluated(self.g, which, t - begin[which])
        size = np.max(np.abs(g), axis=1, initial=0.0)
        return bool(np.all(np.abs(x.T - g) <= _SAME * size[:, None] + 1e-300))

    def parts_needed(self) -> np.ndarray:
        """Return into how many parts to split each span, so that its last orders are round-off."""
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
    shape: RecordShape, records: np.ndarray, shared: np.ndarray, observer: ObserverKernel
) -> Spans:
    """Return the event functions as polynomials, over spans that are short enough for them.

    A function may change faster than the motion. Its span is then split, and it is expanded again
    from the polynomial of the motion shifted to each part.
    """
    t, lost, h = shape.times(records)
    done: list[Spans] = []
    record, offset, length = np.arange(len(records)), np.zeros(len(records)), np.array(h)
    for trial in range(_SPLITS):
        moved = np.array(records[record])
        moved[:, shape.point] += lost[record] + offset
        if trial:
            shape.coefficients(moved)[:] = _shifted(shape.coefficients(records)[record], offset)
        found = Spans(
            t[record], lost[record] + offset, record, offset, length, observer(shared, moved)
        )
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
    """Taylor polynomials of one member, dropped once every detector has searched them."""

    program: PolynomialProgram  # the program of the last `add`; unset before that

    def __init__(self) -> None:
        # time after which nothing counts; `failed` says whether a failure is the reason
        self.end, self.failed = math.inf, False
        self.searches: list[_MemberSearch] = []
        self._chunks: list[np.ndarray] = []

    def detector(self, rows: RowDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Return the detector of a single run."""
        return PolynomialDetector([self], rows, functions)

    def add(self, program: PolynomialProgram) -> None:
        """Add the last steps of a program; the first may repeat the last one added before."""
        self.program, chunk, point = program, program.chunk, program.shape.point
        if program.well_until < self.end:
            self.end, self.failed = program.well_until, True
        if not self.searches or not len(chunk) or chunk[0, point] >= self.end:
            return
        if self._chunks:
            before = self._chunks[-1]
            again = np.searchsorted(before[:, point], chunk[0, point])
            self._chunks[-1] = before[:again]
        self._chunks.append(chunk)

    def ends_at(self, t: float) -> None:
        """Discard steps after t, because an event has ended the run there."""
        if t < self.end:
            self.end, self.failed = t, False

    def after(self, t: float) -> np.ndarray | None:
        """Return the records of the steps that end after t, or None."""
        if not self._chunks or t >= self.end:
            return None
        whole = np.concatenate(self._chunks)
        self._chunks = [whole]
        return self.program.shape.behind(whole, t)

    def drop_searched(self) -> None:
        """Drop the steps that every detector has searched."""
        found = self.after(min(x.until for x in self.searches))
        self._chunks = [] if found is None else [found]


class MemberBuffers:
    """Polynomial buffers of the members of an ensemble, each with its own steps."""

    def __init__(self, members: int) -> None:
        self.each = [PolynomialBuffer() for _ in range(members)]
        self.are_asked_for = False  # whether a detector reads these polynomials

    def detector(self, rows: RowDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Return the detector of all members."""
        self.are_asked_for = True
        return PolynomialDetector(self.each, rows, functions)


class PolynomialDetector(EventDetector):
    """Finds roots in the polynomials of each member.

    `rows` detects the same functions between rows; it is the fallback for a function that is not a
    polynomial.
    """

    def __init__(
        self, buffers: list[PolynomialBuffer], rows: RowDetector, functions: tuple[Any, ...]
    ) -> None:
        super().__init__(rows.start, rows.names)
        self._members = [_MemberSearch(x, rows.alone(i), functions) for i, x in enumerate(buffers)]

    def ends_at(self, member: int, last: Rows) -> None:
        self._members[member].buffer.ends_at(float(last.t[0]))

    def detect(self, rows: Rows) -> Roots:
        parts = []
        for i, member in enumerate(self._members):
            good = rows.good[:, i]
            # rows after a failure are not good either
            until = len(good) if good.all() else int(np.argmin(good))
            found = member.search(rows.alone(i).take(slice(0, until)))
            parts.append(found._replace(member=np.full(len(found.which), i)))
        undefined = np.concatenate([x.undefined for x in parts], axis=1)
        return Roots.joined(parts)._replace(undefined=undefined)


class _MemberSearch:
    """Search in the polynomials of one member; remembers how far it has come."""

    def __init__(
        self, buffer: PolynomialBuffer, rows: RowDetector, functions: tuple[Any, ...]
    ) -> None:
        self.buffer, self._functions = buffer, CodeKey(functions)
        buffer.searches.append(self)
        self._count = len(rows.names)
        self._directions = rows.directions[:, 0, 0]
        self._signs = np.zeros(self._count)  # signs of the functions at the time `until`
        self.until, self._k = -math.inf, 0  # time and step up to which the search is done
        self._records: Any = None  # records of the steps in the present search
        self._rows = rows
        self._between = rows.fresh(own_steps=True)  # detector between the points of steps
        self._checked = 0  # number of points so far

    def search(self, rows: Rows) -> Roots:
        """Return the roots up to the last of these rows, or to the end of the run."""
        buffer, begin = self.buffer, self.until
        last = float(rows.t[-1]) if len(rows.k) else begin
        end = max(last, buffer.end) if buffer.end < math.inf else last
        self._k = int(rows.k[-1]) if len(rows.k) else self._k
        self._records = buffer.after(begin) if end > begin > -math.inf else None
        if self._records is None or not len(self._records):  # the first row, or nothing new
            self.until = end
            if len(rows.k):
                self._between.detect(rows)
            return self._rows.detect(rows)
        found = self._found(buffer.program, rows, begin, end)
        self.until, self._records = end, None
        buffer.drop_searched()
        if not buffer.failed:
            return found
        # the run has failed: an event function that is undefined there is not a second error
        good = np.flatnonzero(found.rows.good[:, 0])
        undefined = np.where(found.undefined > last, np.inf, found.undefined)
        return Roots(found.which[good], found.member[good], found.rows.take(good), undefined)

    def _found(self, program: Any, rows: Rows, begin: float, end: float) -> Roots:
        """Return all roots in begin < t <= end; `end` is the last row or the end of the run."""
        points = self._points(program, rows, begin, end)
        g = np.stack(self._between.values(points))[:, :, 0]
        observer = program.observer(self._functions)
        if isinstance(observer, Reason) or observer.choices:
            return self._from_points(points, rows, g, end)
        shared = np.ascontiguousarray(program.numbers[program.parameters])
        spans = expanded(program.shape, self._records, shared, observer)
        hits, undefined = self._hits(spans, begin, end)
        of_each = np.bincount(np.array([h[0] for h in hits], int), minlength=self._count)
        if np.any(of_each < self._between.changes(g[:, :, None])) or not spans.agree(points.t, g):
            return self._from_points(points, rows, g, end)
        which = np.array([h[0] for h in hits], int)
        record = np.array([h[1] for h in hits], int)
        tau = self._polished(program, which, record, np.array([h[2] for h in hits]), g)
        if tau is None:
            return self._from_points(points, rows, g, end)
        self._between.last = points.take(slice(-1, None)), g[:, -1:]
        there = self._rows_at(program, record, tau, rows.frame is not None)
        there = there._replace(k=self._steps(rows, there.t, end))
        return Roots(which, np.zeros(len(hits), int), there, undefined)

    def _steps(self, rows: Rows, t: np.ndarray, end: float) -> np.ndarray:
        """Return the steps that contain these times; after the last row, the step after it."""
        k = np.append(rows.k, self._k + 1)
        behind = not len(rows.k) or rows.t[-1] < end
        return k[np.minimum(np.searchsorted(rows.t, t), len(k) - (1 if behind else 2))]

    def _from_points(self, points: Rows, rows: Rows, g: np.ndarray, end: float) -> Roots:
        """Return the changes of sign between the points: the fallback without polynomials."""
        self._signs = np.sign(g[:, -1])
        seen = self._between.detect(points)
        k = self._steps(rows, seen.rows.t, end)
        return seen._replace(rows=seen.rows._replace(k=k))

    def _polished(
        self, program: Any, which: np.ndarray, record: np.ndarray, tau: np.ndarray, g: np.ndarray
    ) -> np.ndarray | None:
        """Return the roots of the functions, starting from the roots `tau` of their polynomials.

        Newton's method with derivatives from finite differences. A root moves by at most a tenth of
        the distance between two probes. Returns None if a function has no root there, for example
        beside a pole.
        """
        size = np.max(np.abs(g), axis=1, initial=0.0)[which]
        apart = 0.1 * program.span / max(program.looks, 1)

        def value(some: np.ndarray, at: np.ndarray) -> np.ndarray:
            rows = self._rows_at(program, record[some], at, False)
            return np.stack(self._between.one(rows))[which[some], np.arange(len(at)), 0]

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
        left = np.abs(value(off, found[off])) if len(off) else off
        return found if np.all(left <= _SAME * size[off]) else None

    def _rows_at(self, program: Any, record: np.ndarray, tau: np.ndarray, with_frame: bool) -> Rows:
        """Return rows at times tau after the nodes of these records; their step number is 0."""
        row, frame, t = program.rows_at(self._records, record, tau)
        row, frame = jax.tree.map(lambda x: x[:, None], (row._replace(t=None), frame))
        k = np.zeros(len(t), int)
        return Rows(k=k, frame=frame if with_frame else None, **row._asdict() | {"t": t})

    def _points(self, program: Any, rows: Rows, begin: float, end: float) -> Rows:
        """Return rows at many points of the steps, in begin < t <= end."""
        starts, lost, h = program.shape.times(self._records)
        counts = np.maximum(_LEAST_CHECKS, np.ceil(program.looks * h / program.span)).astype(int)
        record = np.repeat(np.arange(len(h)), counts)
        inside = np.concatenate([np.arange(1, n + 1) / n for n in counts])
        tau, last = inside * h[record], rows.take(slice(-1, None))
        at = starts[record] + (lost[record] + tau)
        chosen = (at > begin) & (at < end)
        record, tau = record[chosen], tau[chosen]
        if not len(rows.k) or rows.t[-1] < end:  # the run ends between rows: add a point there
            i = max(int(np.searchsorted(starts, end)) - 1, 0)
            record, tau = np.append(record, i), np.append(tau, (end - starts[i]) - lost[i])
            last = rows.take(slice(0, 0))
        inner = self._rows_at(program, record, tau, rows.frame is not None)
        both = jax.tree.map(lambda a, b: np.concatenate([a, b]), inner, last)
        self._checked += len(both.k)
        return both._replace(k=np.arange(self._checked - len(both.k), self._checked) + 1)

    def _hits(
        self, spans: Spans, begin: float, end: float
    ) -> tuple[list[tuple[int, int, float]], np.ndarray]:
        """Return the changes of sign in begin < t <= end: (function, record, time since its node).

        Also returns the first time at which each function is not finite.
        """
        undefined = np.full((self._count, 1), np.inf)
        h = spans.length
        powers = h[:, None] ** np.arange(spans.g.shape[1])
        lows = np.clip(((begin - spans.t) - spans.lost) / h, 0.0, 1.0)
        highs = np.clip(((end - spans.t) - spans.lost) / h, 0.0, 1.0)
        hits = []
        for e in range(self._count):
            b = spans.g[:, :, e] * powers
            broken = np.flatnonzero(~np.all(np.isfinite(b), axis=1))
            if len(broken):
                undefined[e, 0] = max(spans.t[broken[0]], begin)
                b = np.where(np.isfinite(b), b, 0.0)
            clear = has_no_root(b)
            signs = np.sign(b[:, 0])
            for i in np.flatnonzero((highs > lows) & (lows < 1.0 - 1e-15)):
                if clear[i] and signs[i] == self._signs[e]:
                    continue  # the sign has not changed
                found = self._changes(e, b[i], lows[i], highs[i], bool(clear[i]))
                hits += [(e, spans.record[i], spans.offset[i] + s * h[i]) for s in found]
        hits.sort(key=lambda x: (x[1], x[2]))
        return hits, undefined

    def _changes(self, e: int, b: np.ndarray, low: float, high: float, clear: bool) -> list[float]:
        """Return where in low < s <= high function e changes sign in the wanted direction."""
        inner = [] if clear else [s for s in roots(b) if low < s <= high]
        ends = [low, *inner, high]
        noise, found = noise_of(b), []
        for start, end in itertools.pairwise(ends):
            middle = float(horner(b[::-1], 0.5 * (start + end)))
            if abs(middle) <= noise and (start, end) != (low, high):
                continue  # between roots so close that the sign is only round-off
            sign = float(np.sign(middle))
            if sign == 0.0:
                continue
            wanted = self._directions[e] in (0, sign)
            if self._signs[e] == -sign and wanted:
                found.append(start)
            self._signs[e] = sign
        return found


__all__ = ["MemberBuffers", "PolynomialBuffer", "PolynomialDetector", "PolynomialProgram"]
