"""Measure every claim and write docs/verification.md: `make docs-verification`.

    python docs/verification.py 1    # in one process, for a machine that others use

The measurements are those of tests/claims, which the tests assert.
"""

import os
import sys
import time
from multiprocessing import get_context
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "benchmarks")]

import claims  # noqa: E402
import conftest  # noqa: E402, F401  (the settings of the tests: they compile in a third of the time)
from dalembert.pages import Table  # noqa: E402

HEADS = ("claim", "system", "method", "measured", "wanted", "holds")

HEAD = """# Verification

What the methods claim, and what was measured. `make docs-verification` writes this page anew from
`tests/claims`, the same code that the tests assert; every line is a run, none is copied from a
paper. Orders are slopes between the two smallest of three step sizes. A line that says *at least*
is a negative test: a known wrong variant has to fail. Bounds lie within a factor of ten of what was
measured, or a reason stands beside them; bounds of 1e-11 and less are round-off, which differs from
machine to machine. What holds *by construction* (a projected velocity is on the constraint) is no
claim of a method, and does not count.

The systems *bent*, *carried sleigh* and the like are defined beside the measurements.

"""


def measure(name: str) -> tuple[str, list[claims.Claim]]:
    """One group of claims, in a process of its own."""
    return name, claims.all_groups()[name]()


def page(names: list[str], found: dict[str, list[claims.Claim]]) -> str:
    """The page, from the groups measured so far."""
    lines = [HEAD]
    if len(found) < len(names):
        lines.append(f"**Unfinished: {len(found)} of {len(names)} groups were measured.**\n\n")
    for title, orders in (
        ("Orders, residuals, reversibility", True),
        ("What is kept, agreement of forms, known values", False),
    ):
        rows = [
            (*c.row, c.verdict)
            for name in names
            if name.startswith("orders") == orders
            for c in found.get(name, [])
        ]
        lines.append(f"## {title}\n\n{Table(HEADS, rows).markdown()}\n")
    every = [c for group in found.values() for c in group]
    made = [c for c in every if c.by_construction and c.holds]
    counted = [c for c in every if c not in made]
    more = f"{len(made)} more {'holds' if len(made) == 1 else 'hold'} by construction"
    lines.append(f"{sum(c.holds for c in counted)} of {len(counted)} claims hold; {more}.\n")
    return "".join(lines)


TAYLOR = """## Taylor's method on every system

`Taylor(1e-15)` runs each system of the registry from its own initial data over t = 20. The columns
have the number of steps; the largest residual of the constraint at the nodes, relative to |A| |v|;
the largest error of q and v against the closed form, if there is one; and the CPU seconds of the
first call in a process that has run other systems before. The last column says why a system does
not run.

"""


def by_taylor(_: int) -> str:
    """The table of all systems by Taylor's method."""
    import taylor

    return taylor.zoo_table().markdown()


def main() -> None:
    """Write the page, anew after each group; exit with 1 if a claim does not hold."""
    begin = time.perf_counter()
    names = list(claims.all_groups())
    found: dict[str, list[claims.Claim]] = {}
    # fresh processes now and then: compiled code takes memory maps, which the kernel limits
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count()
    with get_context("spawn").Pool(processes, maxtasksperchild=30) as pool:
        zoo = pool.apply_async(by_taylor, (0,))  # the longest of all
        for name, group in pool.imap_unordered(measure, names):
            found[name] = group
            (HERE / "verification.md").write_text(page(names, found))
            print(f"[{len(found)}/{len(names)}] {name}", flush=True)
        table = zoo.get()
    (HERE / "verification.md").write_text(f"{page(names, found)}\n{TAYLOR}{table}\n")
    broken = [c for group in found.values() for c in group if not c.holds]
    for c in broken:
        print(f"does not hold: {c}")
    print(f"{time.perf_counter() - begin:.0f} s")
    sys.exit(len(broken) > 0)


if __name__ == "__main__":
    main()
