"""The host loop of every run: advance by chunks of steps, pass their rows to a recorder.

A run is a program, which advances its members, and a recorder, which is fed with the rows: sinks,
detectors of events, a checkpoint. Single runs, blocks of an ensemble, members of Taylor's method,
arcs of a hybrid run and pilot runs that only count steps are all driven from here. Pacing, progress
and cancellation are here too. Programs are in `programs`, recorders in `record` and `events`.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

R = TypeVar("R", covariant=True)


class Program(Protocol[R]):
    """Advances one member or many by steps."""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to do: the end, a stop or a failure."""
        ...

    @property
    def done(self) -> int:
        """Steps so far."""
        ...

    def advance(self, budget: int) -> R:
        """Make about `budget` steps at most; return what is to be recorded of them."""
        ...


@dataclasses.dataclass
class Pace:
    """How many steps the next call makes.

    With `seconds`, as many as take that long, so that a run can be interrupted, shows its progress
    and writes checkpoints at that rate. Without, `growth` times as many as the call before.
    `ceiling` bounds the first calls and doubles with each call, because an event may end the run
    soon and the steps behind it are discarded.
    """

    budget: int
    seconds: float | None = None
    least: int = 1
    most: int = 1 << 40
    ceiling: int = 1 << 40
    growth: int = 1

    def spent(self, steps: int, seconds: float) -> None:
        """Record how many steps a call made and how long it took."""
        wanted = self.growth * self.budget
        if self.seconds is not None:
            # a clock that did not move counts as a microsecond
            wanted = int(steps * self.seconds / max(seconds, 1e-6))
        self.budget = min(max(wanted, self.least), self.most, self.ceiling)
        # 2^40 is no bound in practice; it keeps the doubling from growing without end.
        self.ceiling = min(2 * self.ceiling, 1 << 40)


def drive(
    program: Program[R],
    record: Callable[[R], object],
    pace: Pace,
    progress: Callable[[int], object] = lambda done: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Advance until the program is over or `record` returns a true value.

    `progress` is called with the number of steps done. `is_cancelled` is checked before each call
    and ends the run like an interrupt; the signal itself reaches only the main thread.
    """
    while not program.is_over:
        if is_cancelled():
            raise KeyboardInterrupt
        before, begin = program.done, time.perf_counter()
        # recording is timed too: an accelerator computes until its rows are read
        if record(program.advance(pace.budget)):
            return
        progress(program.done)
        pace.spent(program.done - before, time.perf_counter() - begin)


class Progress:
    """A progress bar on a terminal; by default it only appears for runs of more than a second."""

    def __init__(self, wanted: bool | None, total: int, what: str = "steps") -> None:
        self.what = what
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        # A progress bar that nobody asked for appears after one second, so that short runs print
        # nothing.
        self.patience = 1.0 if wanted is None else 0.0
        self.total, self.bar, self.begin = total, None, time.perf_counter()

    def __enter__(self) -> Progress:
        return self

    def update(self, done: int) -> None:
        if self.wanted and self.bar is None:
            if time.perf_counter() - self.begin >= self.patience:
                # Imported here because Rich takes longer to import than most runs take.
                from rich.console import Console
                from rich.progress import Progress, TextColumn

                columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
                self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
                self.task = self.bar.add_task(self.what, total=self.total, rate="")
                # Steps before the bar appeared include compilation, which would falsify the rate.
                self.before = done
                self.bar.start()
        if self.bar is not None:
            rate = (done - self.before) / max(time.perf_counter() - self.begin, 1e-9)
            self.bar.update(self.task, completed=done, rate=f"{rate:.3g} {self.what}/s")

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
