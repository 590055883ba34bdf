"""Events of runs that are made of polynomials: roots of the polynomials that functions are there.

`roots` finds all changes of sign of a polynomial, and a function that changes faster than the
motion is expanded around as many points as it needs. Whether the polynomials are the functions is
looked at, at many points of every step; where they are not (a choice, a pulse that coefficients do
not see), changes of sign between those points are taken instead.
"""

from __future__ import annotations

import copy
import itertools
import math
from typing import Any, NamedTuple

import jax
import numpy as np

from ...compile.fingerprint import Versioned
from ...compile.taylor_loop import ObserverKernel, Shape
from ...results.polynomials import evaluated, horner
from ..rows import Rows
from .detect import EventDetector, Roots
from .roots import has_no_root, noise_of, roots

_SPLITS, _RESOLVED = 6, 1e-14  # how often a function is split, and what its last orders may be
_LEAST_LOOKS = 16  # at the functions in a step
_ROOT = 1e-11  # of its largest value: what a function may be at a root
_SAME = 1e-8  # of its largest value: what a polynomial may be off its function by


class Spans(NamedTuple):
    """Functions of the motion as polynomials in the time behind t + lost, for a while each."""

    t: np.ndarray
    lost: np.ndarray
    record: np.ndarray  # the step in which it lies
    offset: np.ndarray  # behind the node of that
    length: np.ndarray
    g: np.ndarray  # (spans, order + 1, functions)

    def taken(self, which: np.ndarray) -> Spans:
        """Some of them."""
        return Spans(*(x[which] for x in self))

    def agree(self, t: np.ndarray, g: np.ndarray) -> bool:
        """Whether at these times the polynomials are the functions, (functions, times)."""
        if not np.all(np.isfinite(self.g)):
            return False
        begin = self.t + self.lost
        which = np.clip(np.searchsorted(begin, t, side="right") - 1, 0, len(begin) - 1)
        x = evaluated(self.g, which, t - begin[which])
        size = np.max(np.abs(g), axis=1, initial=0.0)
        return bool(np.all(np.abs(x.T - g) <= _SAME * size[:, None] + 1e-300))

    def parts_needed(self) -> np.ndarray:
        """Into how many parts each has to be split, so that its last orders are round-off."""
        order = self.g.shape[1] - 1
        size = np.abs(self.g) * self.length[:, None, None] ** np.arange(order + 1)[:, None]
        whole = np.maximum(np.sum(size[:, : order // 2], axis=1), 1e-300)
        tail = np.maximum(size[:, -1], size[:, -2]) / whole
        worst = np.max(np.where(np.isfinite(tail), tail, 0.0), axis=1, initial=0.0)
        parts = np.ceil((worst / _RESOLVED) ** (1.0 / order))
        return np.where(worst <= _RESOLVED, 1, np.clip(parts, 2, 64)).astype(int)


def _shifted(c: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The coefficients (n, order + 1, size) of polynomials around points s behind."""
    c = np.array(c)
    order = c.shape[1] - 1
    for i in range(order):  # Horner's scheme, again and again
        for k in range(order - 1, i - 1, -1):
            c[:, k] += s[:, None] * c[:, k + 1]
    return c


def expanded(
    shape: Shape, records: np.ndarray, shared: np.ndarray, observer: ObserverKernel
) -> Spans:
    """Functions of the motion as polynomials, over spans as short as these need to be.

    A function may change faster than the motion that it is of: then it is expanded anew
    around points on the way, from the polynomial of the motion moved there.
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
    """The polynomials of a run, for those who look for roots in them, until all have looked."""

    def __init__(self) -> None:
        self.program: Any = None  # the last `taylor.TaylorProgram` that made some
        self.end, self.failed = math.inf, False  # behind it nothing counts, since the run failed
        self._chunks: list[np.ndarray] = []
        self._detectors: list[PolynomialDetector] = []

    def __call__(self, rows: EventDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Who looks for their roots; between rows where a function has no coefficients."""
        self._detectors.append(PolynomialDetector(self, rows, functions))
        return self._detectors[-1]

    def add(self, program: Any) -> None:
        """The steps that a program has made last; the first may be the last one made again."""
        self.program, chunk, point = program, program.chunk, program.shape.point
        if program.well_until < self.end:
            self.end, self.failed = program.well_until, True
        if not self._detectors or not len(chunk) or chunk[0, point] >= self.end:
            return
        if self._chunks:
            before = self._chunks[-1]
            again = np.searchsorted(before[:, point], chunk[0, point])
            self._chunks[-1] = before[:again]
        self._chunks.append(chunk)

    def ends_at(self, t: float) -> None:
        """An event has ended the run: what was made behind it does not count."""
        if t < self.end:
            self.end, self.failed = t, False

    def behind(self, t: float) -> np.ndarray | None:
        """The records of the steps that end behind t, if there are any."""
        if not self._chunks or t >= self.end:
            return None
        whole = np.concatenate(self._chunks)
        self._chunks = [whole]
        return self.program.shape.behind(whole, t)

    def forget(self) -> None:
        """What all have looked at."""
        until = min(x.until for x in self._detectors)
        found = self.behind(until)
        self._chunks = [] if found is None else [found]


class MemberBuffers:
    """The polynomials of members that have not begun, each with steps of its own."""

    def __init__(self, members: int) -> None:
        self.each = [PolynomialBuffer() for _ in range(members)]
        self.are_asked_for = False

    def __call__(self, rows: EventDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Who looks for roots in all of them."""
        self.are_asked_for = True
        return MemberDetector(self.each, rows, functions)


class MemberDetector(EventDetector):
    """Looks for roots in the polynomials of each member, as of a single run."""

    def __init__(
        self, each: list[PolynomialBuffer], rows: EventDetector, functions: tuple[Any, ...]
    ) -> None:
        self.start, self.names = rows.start, rows.names
        self._each = [x(rows.alone(i), functions) for i, x in enumerate(each)]

    def ends_at(self, member: int, last: Rows) -> None:
        self._each[member].ends_at(0, last)

    def feed(self, rows: Rows) -> Roots:
        parts = []
        for i, detector in enumerate(self._each):
            good = rows.good[:, i]
            until = len(good) if good.all() else int(np.argmin(good))  # a failure stays
            found = detector.feed(rows.alone(i).take(slice(0, until)))
            parts.append(found._replace(member=np.full(len(found.which), i)))
        undefined = np.concatenate([x.undefined for x in parts], axis=1)
        return Roots.joined(parts)._replace(undefined=undefined)


class PolynomialDetector(EventDetector):
    """Looks for roots in the polynomials of steps; `rows` is who does so between rows."""

    def __init__(
        self, pieces: PolynomialBuffer, rows: EventDetector, functions: tuple[Any, ...]
    ) -> None:
        self.start, self.names, self._rows = rows.start, rows.names, rows
        self._pieces, self._functions = pieces, Versioned(functions)
        self._directions = rows.directions[:, 0, 0]
        self._signs = np.zeros(len(rows.names))
        self.until, self._k = -math.inf, 0  # the time, and the last row, that were looked at
        self._records: Any = None  # of the steps that are looked at
        self._between = copy.copy(rows)  # who looks at points of steps, one after the other
        self._between.start = rows.start._replace(own_steps=True)
        self._looked = 0

    def ends_at(self, member: int, last: Rows) -> None:
        self._pieces.ends_at(float(last.t[0]))

    def feed(self, rows: Rows) -> Roots:
        """What has happened until the last of these rows, or until the run was over."""
        pieces, begin = self._pieces, self.until
        last = float(rows.t[-1]) if len(rows.k) else begin
        end = max(last, pieces.end) if pieces.end < math.inf else last
        self._k = int(rows.k[-1]) if len(rows.k) else self._k
        self._records = pieces.behind(begin) if end > begin > -math.inf else None
        if self._records is None or not len(self._records):  # the first row, or nothing new
            self.until = end
            if len(rows.k):
                self._between.feed(rows)
            return self._rows.feed(rows)
        found = self._found(pieces.program, rows, begin, end)
        self.until, self._records = end, None
        pieces.forget()
        if not pieces.failed:
            return found
        # what is not defined where the run fails is not worth telling beside that
        good = np.flatnonzero(found.rows.good[:, 0])
        undefined = np.where(found.undefined > last, np.inf, found.undefined)
        return Roots(found.which[good], found.member[good], found.rows.take(good), undefined)

    def _found(self, program: Any, rows: Rows, begin: float, end: float) -> Roots:
        """All of them in the steps at hand, in begin < t <= end: the last row, or the end."""
        looked = self._looks(program, rows, begin, end)
        g = np.stack(self._between.values(looked))[:, :, 0]
        observer = program.observer(self._functions)
        if isinstance(observer, str) or observer.choices:
            return self._seen(looked, rows, g, end)
        shared = np.ascontiguousarray(program.numbers[program.parameters])
        spans = expanded(program.shape, self._records, shared, observer)
        hits, undefined = self._hits(spans, begin, end)
        of_each = np.bincount(np.array([h[0] for h in hits], int), minlength=len(self.names))
        if np.any(of_each < self._between.changes(g[:, :, None])) or not spans.agree(looked.t, g):
            return self._seen(looked, rows, g, end)
        which = np.array([h[0] for h in hits], int)
        record = np.array([h[1] for h in hits], int)
        tau = self._polished(program, which, record, np.array([h[2] for h in hits]), g)
        if tau is None:
            return self._seen(looked, rows, g, end)
        self._between.last = looked.take(slice(-1, None)), g[:, -1:]
        row, frame, t = program.rows_at(self._records, record, tau)
        row = jax.tree.map(lambda x: x[:, None], row._replace(t=None))
        k = self._steps(rows, t, end)
        frame = None if rows.frame is None else jax.tree.map(lambda x: x[:, None], frame)
        there = Rows(k=k, frame=frame, **row._asdict() | {"t": t})
        return Roots(which, np.zeros(len(hits), int), there, undefined)

    def _steps(self, rows: Rows, t: np.ndarray, end: float) -> np.ndarray:
        """In which steps these times lie; behind the last row it is the one after it."""
        k = np.append(rows.k, self._k + 1)
        behind = not len(rows.k) or rows.t[-1] < end
        return k[np.minimum(np.searchsorted(rows.t, t), len(k) - (1 if behind else 2))]

    def _seen(self, looked: Rows, rows: Rows, g: np.ndarray, end: float) -> Roots:
        """Changes of sign between the points that were looked at."""
        self._signs = np.sign(g[:, -1])
        seen = self._between.feed(looked)
        k = self._steps(rows, seen.rows.t, end)
        return seen._replace(rows=seen.rows._replace(k=k))

    def _polished(
        self, program: Any, which: np.ndarray, record: np.ndarray, tau: np.ndarray, g: np.ndarray
    ) -> np.ndarray | None:
        """Roots of the polynomials moved to those of the functions, where these are not the same.

        By Newton's method with slopes from differences, a tenth of a look at most. None if a
        function has no root there, as beside a pole.
        """
        size = np.max(np.abs(g), axis=1, initial=0.0)[which]
        apart = 0.1 * program.span / max(program.looks, 1)

        def value(some: np.ndarray, at: np.ndarray) -> np.ndarray:
            row, _, t = program.rows_at(self._records, record[some], at)
            row = jax.tree.map(lambda x: x[:, None], row._replace(t=None))
            rows = Rows(k=np.zeros(len(t), int), frame=None, **row._asdict() | {"t": t})
            return np.stack(self._between.one(rows))[which[some], np.arange(len(t)), 0]

        found, off = np.array(tau), np.arange(len(tau))
        for _ in range(20):
            now = value(off, found[off]) if len(off) else off
            wrong = np.abs(now) > _ROOT * size[off]
            off, now = off[wrong], now[wrong]
            if not len(off):
                break
            at = found[off]
            eps = 1e-7 * np.maximum(np.abs(at), apart)
            slope = (value(off, at + eps) - value(off, at - eps)) / (2.0 * eps)
            move = np.divide(now, slope, out=np.zeros_like(now), where=slope != 0.0)
            found[off] = np.clip(at - move, tau[off] - apart, tau[off] + apart)
        left = np.abs(value(off, found[off])) if len(off) else off
        return found if np.all(left <= _SAME * size[off]) else None

    def _looks(self, program: Any, rows: Rows, begin: float, end: float) -> Rows:
        """Rows at many points of the steps, in begin < t <= end."""
        starts, lost, h = program.shape.times(self._records)
        counts = np.maximum(_LEAST_LOOKS, np.ceil(program.looks * h / program.span)).astype(int)
        record = np.repeat(np.arange(len(h)), counts)
        inside = np.concatenate([np.arange(1, n + 1) / n for n in counts])
        tau, last = inside * h[record], rows.take(slice(-1, None))
        at = starts[record] + (lost[record] + tau)
        chosen = (at > begin) & (at < end)
        record, tau = record[chosen], tau[chosen]
        if not len(rows.k) or rows.t[-1] < end:  # where the run ends there is no row
            i = max(int(np.searchsorted(starts, end)) - 1, 0)
            record, tau = np.append(record, i), np.append(tau, (end - starts[i]) - lost[i])
            last = rows.take(slice(0, 0))
        row, frame, t = program.rows_at(self._records, record, tau)
        row, frame = jax.tree.map(lambda x: x[:, None], (row._replace(t=None), frame))
        frame = None if rows.frame is None else frame
        inner = Rows(k=np.zeros(len(t), int), frame=frame, **row._asdict() | {"t": t})
        both = jax.tree.map(lambda a, b: np.concatenate([a, b]), inner, last)
        self._looked += len(both.k)
        return both._replace(k=np.arange(self._looked - len(both.k), self._looked) + 1)

    def _hits(
        self, spans: Spans, begin: float, end: float
    ) -> tuple[list[tuple[int, int, float]], np.ndarray]:
        """(function, record, time behind its node) of each change of sign in begin < t <= end."""
        undefined = np.full((len(self.names), 1), np.inf)
        h = spans.length
        powers = h[:, None] ** np.arange(spans.g.shape[1])
        lows = np.clip(((begin - spans.t) - spans.lost) / h, 0.0, 1.0)
        highs = np.clip(((end - spans.t) - spans.lost) / h, 0.0, 1.0)
        hits = []
        for e in range(len(self.names)):
            b = spans.g[:, :, e] * powers
            broken = np.flatnonzero(~np.all(np.isfinite(b), axis=1))
            if len(broken):
                undefined[e, 0] = max(spans.t[broken[0]], begin)
                b = np.where(np.isfinite(b), b, 0.0)
            clear = has_no_root(b)
            signs = np.sign(b[:, 0])
            for i in np.flatnonzero((highs > lows) & (lows < 1.0 - 1e-15)):
                if clear[i] and signs[i] == self._signs[e]:
                    continue  # the sign is known, and stays
                found = self._changes(e, b[i], lows[i], highs[i], bool(clear[i]))
                hits += [(e, spans.record[i], spans.offset[i] + s * h[i]) for s in found]
        hits.sort(key=lambda x: (x[1], x[2]))
        return hits, undefined

    def _changes(self, e: int, b: np.ndarray, low: float, high: float, clear: bool) -> list[float]:
        inner = [] if clear else [s for s in roots(b) if low < s <= high]
        ends = [low, *inner, high]
        noise, found = noise_of(b), []
        for start, end in itertools.pairwise(ends):
            middle = float(horner(b[::-1], 0.5 * (start + end)))
            if abs(middle) <= noise and (start, end) != (low, high):
                continue  # so near to a root that rounding has made the sign
            sign = float(np.sign(middle))
            if sign == 0.0:
                continue
            wanted = self._directions[e] in (0, sign)
            if self._signs[e] == -sign and wanted:
                found.append(start)
            self._signs[e] = sign
        return found
