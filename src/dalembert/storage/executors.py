"""Executors: compute the slices of an ensemble in other processes, by anything with `submit`.

`concurrent.futures`, Dask clients and MPI pools share `submit(f, x)`, which returns a future. A
slice may be computed twice without harm, so slices lost with a worker are submitted again.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import DalembertError, SimulationError, UsageError

_WAITING = 64  # most slices that are submitted and not begun
_TRIES = 5  # most attempts for one slice
_POOLS = 3  # most process pools in a row that a dead process may break without a finished slice
_PAUSE = 0.05  # seconds between checks for finished slices
_PATIENCE = 5.0  # seconds before a waiting message is printed, and between counts of Dask workers


def check_executor(executor: Any) -> None:
    """Raise `UsageError` unless `executor` can compute slices."""
    fine = executor is None or callable(getattr(executor, "submit", None)) or callable(executor)
    if isinstance(executor, int) and not isinstance(executor, bool):
        fine = executor >= 1
    if not fine or isinstance(executor, type):
        raise UsageError(
            "executor must have `submit` (a Dask client, a pool of concurrent.futures), or be a "
            f"number of processes, or a function that makes one; got {executor!r}"
        )


def processes(count: int) -> Callable[[], concurrent.futures.Executor]:
    """Return a function that makes pools of spawned processes; a forked JAX would hang."""

    def make() -> concurrent.futures.Executor:
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        return concurrent.futures.ProcessPoolExecutor(count, context, _attend)

    return make


def _attend() -> None:
    """Initialize a worker process: ignore Ctrl-C, and exit when the parent process ends.

    Ctrl-C reaches all processes of a terminal; the parent handles it.
    """
    import multiprocessing
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


class _Patience:
    """Prints once that the run is waiting, after `_PATIENCE` seconds."""

    def __init__(self) -> None:
        self.begin, self.told = time.monotonic(), False

    def wait(self, whom: str) -> None:
        if not self.told and time.monotonic() - self.begin > _PATIENCE:
            self.told = True
            print(f"dalembert: waiting {whom}", file=sys.stderr)


def ask(executor: Any, question: Callable[[bytes], Any]) -> Any:
    """Return the answer of the first external worker; None for our own processes, which are alike.

    Waits until there is a worker: the first may be in the queue of a cluster.
    """
    if executor is None or not hasattr(executor, "submit"):
        return None
    patience = _Patience()
    try:
        future = executor.submit(question, b"")
        while not future.done():
            time.sleep(_PAUSE)
            patience.wait("for the first worker")
        return future.result()
    except DalembertError:
        raise
    except (Exception, concurrent.futures.CancelledError) as error:
        raise SimulationError(
            f"the executor does not answer ({type(error).__name__}: {error}); nothing was begun"
        ) from error


class _Crew:
    """An executor; replaced when it breaks, if this module has made it."""

    def __init__(self, executor: Any) -> None:
        if isinstance(executor, int):
            executor = processes(executor)
        self.make = None if hasattr(executor, "submit") else executor
        self.executor = executor if self.make is None else self.make()
        self.pools = 1  # pools made since a slice was last finished
        self.workers, self.asked = 1, time.monotonic()

    @property
    def is_dask(self) -> bool:
        return type(self.executor).__module__.partition(".")[0] == "distributed"

    def submit(self, work: Callable[[bytes], Any], data: bytes) -> Any:
        if self.is_dask:
            # pure=False: Dask must not return a cached result
            return self.executor.submit(work, data, pure=False)
        return self.executor.submit(work, data)

    def count(self) -> int:
        """Return the number of Dask threads, refreshed every 5 s; 1 for other executors."""
        if self.is_dask and time.monotonic() - self.asked > _PATIENCE:
            self.asked = time.monotonic()
            with contextlib.suppress(Exception):  # the scheduler may be away for a while
                self.workers = sum(self.executor.nthreads().values())
        return self.workers

    def at_once(self) -> int:
        """Return how many slices may be submitted: enough for all workers, and for new ones."""
        if self.is_dask:
            return _WAITING + self.count()
        names = ("_max_workers", "num_workers")  # in concurrent.futures, in mpi4py
        return _WAITING + max(int(getattr(self.executor, x, 0) or 0) for x in names)

    def renew(self, error: BaseException) -> None:
        """Replace a pool that a dead process has broken; raise if that is not possible."""
        if self.make is None or self.pools >= _POOLS:
            raise SimulationError(
                f"the executor is broken ({error}): a worker process was killed, perhaps for its "
                'memory, or could not start (a script needs `if __name__ == "__main__":`). '
                "Finished slices are saved: da.resume(store, executor=...) continues"
            ) from error
        self.close()
        self.executor, self.pools = self.make(), self.pools + 1

    def close(self, wait: bool = False) -> None:
        if self.make is None:
            return
        running = dict(getattr(self.executor, "_processes", None) or {})
        self.executor.shutdown(wait=wait, cancel_futures=True)
        if not wait:
            for process in running.values():  # safe: a slice may be interrupted at any point
                process.terminate()
            self.executor.shutdown(wait=True)  # wait until all processes have ended


def in_slices(
    missing: Sequence[int],
    packed: Callable[[int], bytes],
    work: Callable[[bytes], Any],
    executor: Any,
    told: Callable[[Any], None],
) -> None:
    """Compute all missing slices by `work` on an executor.

    `told` is called with the report of each finished slice, and with None while waiting.
    """
    crew = _Crew(executor)
    left, tries = list(reversed(missing)), dict.fromkeys(missing, 0)
    waiting: dict[int, Any] = {}
    patience = _Patience()

    def hand_out() -> None:
        most = crew.at_once() if left and len(waiting) >= _WAITING else _WAITING
        while left and len(waiting) < most:
            data = packed(left[-1])
            try:
                waiting[left[-1]] = crew.submit(work, data)
            except concurrent.futures.BrokenExecutor as error:
                left.extend(waiting)
                waiting.clear()
                crew.renew(error)
                continue
            except Exception as error:
                raise SimulationError(
                    f"the executor accepts no more slices ({type(error).__name__}: {error}). "
                    "Finished slices are saved: da.resume(store, executor=...) continues"
                ) from error
            left.pop()

    try:
        while left or waiting:
            hand_out()
            done = [i for i, future in waiting.items() if future.done()]
            if not done:
                time.sleep(_PAUSE)
                told(None)
                patience = _Patience() if crew.count() else patience
                patience.wait(
                    "for workers: there are none left; start some, or end this and resume"
                )
            for i in done:
                try:
                    report = waiting.pop(i).result()
                except DalembertError:
                    raise
                except concurrent.futures.BrokenExecutor as error:
                    left += [i, *waiting]
                    waiting.clear()
                    crew.renew(error)
                    break
                except (Exception, concurrent.futures.CancelledError) as error:
                    tries[i] += 1
                    if tries[i] >= _TRIES:
                        raise SimulationError(
                            f"slice {i} failed {_TRIES} times, at last with "
                            f"{type(error).__name__}: {error}. The others are kept"
                        ) from error
                    left.append(i)
                else:
                    crew.pools = 1
                    told(report)
        crew.close(wait=True)  # wait until its processes have ended
    except BaseException:
        for future in waiting.values():
            future.cancel()
        crew.close()
        raise


__all__ = ["ask", "check_executor", "in_slices", "processes"]
