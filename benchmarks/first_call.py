"""CPU seconds of a first call in a fresh process, after the import, and in the next process.

    python benchmarks/first_call.py [rounds]

Every case runs ten steps in a process of its own, twice: without any code on disk, and with what
the first one left there. The least of all rounds counts, since noise only adds. The bicycle is
`bicycle.py`: a user's system, 8 coordinates, one holonomic function, four rolling rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent

CASE = """
import sys, time
import numpy as np
import dalembert as da
which, method = sys.argv[1:]
given = {}
if which == "bicycle":
    from bicycle import Bicycle
    system, speed = Bicycle(), 4.6
    given = {"q0": np.zeros(8), "v0": np.array([speed, 0, 0, 0, 0, 0, -speed / 0.3, -speed / 0.35])}
else:
    system = da.systems.registry[which]()
method = da.methods.registry[method]()
begin = time.process_time()
da.simulate(system, method, **given, h=0.01, steps=10)
print(time.process_time() - begin)
"""

CASES = (  # system, method, and what the first call may take
    ("chaplygin-sleigh", "gni-midpoint", 1.0),
    ("chaplygin-sleigh", "dla-midpoint", 1.0),
    ("chaplygin-sleigh", "gauss-2", 1.0),
    ("rolling-sphere", "gni-midpoint", 3.0),
    ("rolling-sphere", "gauss-2", 3.0),
    ("bicycle", "gauss-2", 10.0),
    ("bicycle", "dla-midpoint", 10.0),
)


def seconds(system: str, method: str, cache: str) -> float:
    """Of CPU, measured by a process with this folder for compiled code."""
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"XDG_CACHE_HOME": cache, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", CASE, system, method], env=env, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{system} with {method} failed:\n{done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def measured(rounds: int) -> Iterator[tuple[str, str, float, float, float]]:
    """(system, method, first call, at most, in the next process), as they are measured."""
    for system, method, limit in CASES:
        first = second = float("inf")
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as cache:
                first = min(first, seconds(system, method, cache))
                second = min(second, seconds(system, method, cache))
        yield system, method, first, limit, second


def main(rounds: int) -> None:
    """A line for each case."""
    print(f"{'system':<18}{'method':<15}{'first':>8}{'at most':>9}{'second':>8}{'at most':>9}  (s)")
    for system, method, first, limit, second in measured(rounds):
        late = "" if first <= limit and second <= limit / 2 else "  MISSED"
        print(
            f"{system:<18}{method:<15}{first:8.2f}{limit:9.1f}{second:8.2f}{limit / 2:9.1f}{late}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
