"""What `import dalembert` costs beside JAX and Equinox, which it cannot do without.

Run as `python benchmarks/import_cost.py [rounds]`. Each round times both in a fresh interpreter,
one after the other; the best of all rounds counts, since noise only adds.
"""

import os
import subprocess
import sys
import tempfile

STATEMENTS = {
    "jax + equinox": "import jax, jax.numpy, equinox",
    "dalembert": "import dalembert",
    # what the first simulation loads: modules are imported at the first use of their names
    "and simulate": "import dalembert as da; da.simulate, da.systems.ChaplyginSleigh",
}
TIMER = "import time; t = time.perf_counter()\n{}\nprint(time.perf_counter() - t)"


# with bytecode on disk, as an installed package has it
ENVIRONMENT = {**os.environ, "PYTHONPYCACHEPREFIX": tempfile.mkdtemp()}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)


def seconds(statement: str) -> float:
    command = [sys.executable, "-c", TIMER.format(statement)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT)
    return float(done.stdout)


def main(rounds: int = 10) -> None:
    for statement in STATEMENTS.values():  # the first run fills the caches of the disk
        seconds(statement)
    best = dict.fromkeys(STATEMENTS, float("inf"))
    for _ in range(rounds):
        for name, statement in STATEMENTS.items():
            best[name] = min(best[name], seconds(statement))
    for name in STATEMENTS:
        print(f"import {name:15} {best[name] * 1e3:7.1f} ms   (best of {rounds})")
    print(f"ratio {best['dalembert'] / best['jax + equinox']:.3f}   (aim: at most 1.25)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
