"""Tasks shared by processes, each with a limit of time; what is found comes as it is found.

The function of a task is a generator: it yields what it has found so far, and its last word counts.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import Any, NamedTuple

TASKS_OF_A_PROCESS = 24  # it forgets what it has compiled, by ending


class Done(NamedTuple):
    """A task, with what was found of it, and why not all was."""

    task: Any
    found: Any = None
    problem: str = ""


def part_of(tasks: Sequence[Any], part: str) -> list[Any]:
    """The i-th of n parts, "i/n" from 1 on: every n-th task, so that all parts cost alike."""
    i, _, n = part.partition("/")
    if not (i.isdigit() and n.isdigit() and 1 <= int(i) <= int(n)):
        raise SystemExit(f"--part must be i/n with 1 <= i <= n, got {part!r}")
    return list(tasks[int(i) - 1 :: int(n)])


def _serve(function: Callable[[Any], Iterator[Any]], pipe: Any) -> None:
    while True:
        problem = ""
        try:
            for found in function(pipe.recv()):
                pipe.send((found, False, ""))
        except EOFError:
            return
        except Exception as error:  # told, and the next one is done
            first = str(error).strip().partition("\n")[0]
            problem = f"{type(error).__name__}: {first[:80]}"
        pipe.send((None, True, problem))


class _Worker:
    def __init__(self, function: Callable[[Any], Iterator[Any]]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(function, other), daemon=True)
        self.process.start()
        other.close()
        self.task, self.found, self.left, self.begin = None, None, TASKS_OF_A_PROCESS, 0.0

    def give(self, task: Any) -> None:
        self.task, self.found, self.left = task, None, self.left - 1
        self.begin = time.perf_counter()
        self.pipe.send(task)

    def heard(self) -> Done | None:
        """The task, if it is done."""
        try:
            found, over, problem = self.pipe.recv()
        except (EOFError, ConnectionError):
            return self.given_up("the process ended")
        if not over:
            self.found = found
            return None
        done = Done(self.task, self.found, problem)
        self.task = None
        return done

    def given_up(self, problem: str) -> Done:
        """The task, which is not done; nor is another one by this process."""
        done = Done(self.task, self.found, problem)
        self.task, self.left = None, 0
        return done

    def end(self) -> None:
        self.process.kill()
        self.process.join()


def shared_work(
    function: Callable[[Any], Iterator[Any]],
    tasks: Sequence[Any],
    processes: int,
    limit: float,
    seconds: float,
) -> Iterator[Done]:
    """All tasks; those beyond `limit` seconds, or not done after `seconds` in all, say so."""
    waiting, workers = list(tasks)[::-1], []
    end = time.perf_counter() + seconds
    try:
        while waiting or any(w.task is not None for w in workers):
            while waiting and len(workers) < processes:
                workers.append(_Worker(function))
                workers[-1].give(waiting.pop())
            now = time.perf_counter()
            if now > end:
                break
            soon = min([w.begin + limit for w in workers] + [end]) - now
            for pipe in wait([w.pipe for w in workers], max(soon, 0.01)):
                if done := next(w for w in workers if w.pipe is pipe).heard():
                    yield done
            now = time.perf_counter()
            for worker in list(workers):
                if worker.task is not None and now > worker.begin + limit:
                    yield worker.given_up(f"beyond {limit:g} s")
                if worker.task is None:
                    if waiting and worker.left:
                        worker.give(waiting.pop())
                    else:
                        worker.end()
                        workers.remove(worker)
        for worker in workers:
            if worker.task is not None:
                yield worker.given_up("no time was left")
        for task in reversed(waiting):
            yield Done(task, problem="no time was left")
    finally:
        for worker in workers:
            worker.end()
