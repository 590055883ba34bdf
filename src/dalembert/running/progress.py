"""A progress bar for work that lasts."""

from __future__ import annotations

import sys
import time


class Progress:
    """A progress bar on a terminal, for runs that last; nothing otherwise."""

    def __init__(self, wanted: bool | None, total: int) -> None:
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.patience = 1.0 if wanted is None else 0.0
        self.total, self.bar, self.begin = total, None, time.perf_counter()

    def __enter__(self) -> Progress:
        return self

    def update(self, done: int) -> None:
        if self.wanted and self.bar is None:
            if time.perf_counter() - self.begin >= self.patience:
                from rich.console import Console
                from rich.progress import Progress

                self.bar = Progress(console=Console(stderr=True), transient=True)
                self.task = self.bar.add_task("steps", total=self.total)
                self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
