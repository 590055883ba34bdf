"""A progress bar for work that lasts."""

from __future__ import annotations

import sys
import time


class Progress:
    """A progress bar on a terminal, for runs that last; nothing otherwise."""

    def __init__(self, wanted: bool | None, total: int, what: str = "steps") -> None:
        self.what = what
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.patience = 1.0 if wanted is None else 0.0
        self.total, self.bar, self.begin = total, None, time.perf_counter()

    def __enter__(self) -> Progress:
        return self

    def update(self, done: int) -> None:
        if self.wanted and self.bar is None:
            if time.perf_counter() - self.begin >= self.patience:
                from rich.console import Console
                from rich.progress import Progress, TextColumn

                columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
                self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
                self.task = self.bar.add_task(self.what, total=self.total, rate="")
                self.before = done
                self.bar.start()
        if self.bar is not None:
            rate = (done - self.before) / max(time.perf_counter() - self.begin, 1e-9)
            self.bar.update(self.task, completed=done, rate=f"{rate:.3g} {self.what}/s")

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
