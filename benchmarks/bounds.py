"""How far the bounds of the experiments' claims are from what is measured.

    python benchmarks/bounds.py [NAME...]

A line for each check whose bound is more than ten times away from the measured number and says not
why (`Check.why`). An interval counts by its farther end, one about zero by its size. Bounds of
round-off are not listed.
"""

from __future__ import annotations

import math
import sys
import time

import dalembert as da
from dalembert import reproduce
from dalembert.diagnostics import Check
from dalembert.reproduce.experiment_types import SEED

ROUND_OFF = 1e-11  # a bound up to here is a bound of round-off


def slack(check: Check) -> float:
    """How many times the farther bound could be nearer; 1 where it says nothing of the size."""
    value, low, high = abs(check.value), check.low, check.high
    if low <= 0.0 and not math.isinf(low):  # about zero
        low, high = -math.inf, max(-low, high)
    ratios = [1.0]
    if not math.isinf(high) and abs(high) > ROUND_OFF:
        ratios.append(abs(high) / value if value else math.inf)
    if not math.isinf(low):
        ratios.append(value / low)
    return max(ratios)


def main(names: list[str]) -> None:
    """All checks, the wide ones marked."""
    da.keep_compiled_code()
    known = reproduce.by_name()
    for name in names or known:
        begin = time.perf_counter()
        outcome = known[name].run(False, SEED)
        print(f"{name} ({time.perf_counter() - begin:.0f} s)")
        for claim in outcome.claims:
            for check in (*claim.checks, *claim.corrected):
                wide = slack(check)
                mark = (
                    f"  <-- {wide:.0f} times" if check.holds and wide > 10 and not check.why else ""
                )
                print(f"    {check.what}: {check.measured} ({check.wanted}){mark}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
