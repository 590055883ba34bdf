"""Measure every claim and write docs/verification.md: `make docs-verification`.

The measurements are those of tests/claims, which the tests assert.
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

import claims  # noqa: E402

HEAD = """# Verification

What the methods claim, and what was measured. `make docs-verification` writes this page anew from
`tests/claims`, the same code that `make test` asserts; every line is a run, none is copied from a
paper. Orders are slopes between the two smallest of three step sizes. A line that says *at least*
is a negative test: a known wrong variant has to fail.

The systems *bent*, *carried sleigh* and the like are defined beside the measurements.

"""


def measure(name: str) -> tuple[str, list[claims.Claim]]:
    """One group of claims, in a process of its own."""
    return name, claims.all_groups()[name]()


def main() -> None:
    """Write the page; exit with 1 if a claim does not hold."""
    begin = time.perf_counter()
    names = list(claims.all_groups())
    found: dict[str, list[claims.Claim]] = {}
    # fresh processes now and then: compiled code takes memory maps, which the kernel limits
    with ProcessPoolExecutor(
        os.cpu_count(), mp_context=get_context("spawn"), max_tasks_per_child=20
    ) as pool:
        for i, (name, group) in enumerate(pool.map(measure, names), 1):
            found[name] = group
            print(f"[{i}/{len(names)}] {name}", flush=True)
    lines = [HEAD]
    broken = 0
    for title, pick in (
        ("Orders, residuals, reversibility", lambda n: n.startswith("orders")),
        ("What is kept, agreement of forms, known values", lambda n: not n.startswith("orders")),
    ):
        lines.append(f"## {title}\n\n| claim | system | method | measured | wanted | holds |\n")
        lines.append("|---|---|---|---|---|---|\n")
        for name in filter(pick, names):
            for c in found[name]:
                broken += not c.holds
                holds = "yes" if c.holds else "**NO**"
                lines.append(
                    f"| {c.what} | {c.system} | {c.method} | {c.measured:.4g} | {c.wanted} "
                    f"| {holds} |\n"
                )
        lines.append("\n")
    total = sum(map(len, found.values()))
    lines.append(f"{total - broken} of {total} claims hold.\n")
    (HERE / "verification.md").write_text("".join(lines))
    print(f"{total - broken} of {total} claims hold, {time.perf_counter() - begin:.0f} s")
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
