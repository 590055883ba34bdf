"""What a jump costs: on the hybrid zoo, and in an ensemble of balls between plates.

    python benchmarks/hybrid.py                     # the zoo, and 10^5 balls through 100 jumps each
    python benchmarks/hybrid.py --members 1000      # fewer
    python benchmarks/hybrid.py --one-by-one 100    # beside them members one after the other

"shortened" counts the steps of the kernel beside those of the grid, per jump, which does not depend
on how busy the machine is. A jump costs what native code takes longer for a run with it than for
one of as many whole steps in the mode of its start.

`--one-by-one` uses `hybrid.simulate` for each member, which older checkouts have too:
PYTHONPATH=that/src python benchmarks/hybrid.py --one-by-one 100 --members 0 --no-zoo.
On a GPU: python benchmarks/hybrid.py --no-zoo --engine gpu.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import hybrid
from dalembert.hybrid import zoo

H, JUMPS = 0.05, 100


def native_seconds(modes: hybrid.Modes, **how: Any) -> tuple[float, int, int]:
    """Seconds inside of native code, jumps and turns that were handed back, of one run."""
    from dalembert.compile.cpu.kernels import TurnKernel
    from dalembert.hybrid.hybrid_run import HybridRun

    spent, call = [0.0], TurnKernel.__call__

    def timed(self: Any, *args: Any) -> Any:
        begin = time.perf_counter()
        try:
            return call(self, *args)
        finally:
            spent[0] += time.perf_counter() - begin

    judge, judged = HybridRun._judge, [0]

    def counted(self: Any, program: Any) -> Any:
        code = judge(self, program)
        judged[0] += int(code) > 1
        return code

    TurnKernel.__call__, HybridRun._judge = timed, counted
    try:
        run = hybrid.simulate(modes, **how)
    finally:
        TurnKernel.__call__, HybridRun._judge = call, judge
    return spent[0], len(run.jumps), judged[0]


def steps_of_a_jump(modes: hybrid.Modes, h: float, steps: int) -> tuple[float, int]:
    """Steps of the kernel beside those of the grid, per jump, and the jumps until it hands back.

    It does not depend on how busy the machine is.
    """
    from dalembert.hybrid.hybrid_run import HybridRun, steppers_of
    from dalembert.hybrid.mode_program import Node

    mode, q, v = modes.start
    run = HybridRun(modes, steppers_of(modes, da.RK4(), (0.0, h, steps), None))
    run.begin(mode, Node(0.0, q, np.asarray(v, float), None), project=False)
    program = run.program
    program.arc = run.as_arc(program)
    rows = np.empty((program._kernel.width, 4, program._kernel.row_width))
    turns = 0
    while not program.is_over:
        program._call(rows, 1)
        turns += 1
    arc = program.arc
    return (turns - int(arc.k)) / max(int(arc.jumps), 1), int(arc.jumps)


def of_zoo() -> None:
    """Each system of the hybrid zoo: a step, and what a jump adds to it."""
    from dalembert.hybrid import hybrid_run

    hybrid_run.WORTH_JUMPS = 0  # native code from the start
    names = ("step, us", "jump, us", "in steps", "shortened")
    print(f"{'system':24} {' '.join(f'{x:>9}' for x in names)}  handed back")
    costs, counts = [], []
    for name, make in zoo.registry.items():
        modes = make()
        if modes.decides:  # contacts with friction: benchmarks/friction.py
            continue
        steps = 50
        whole = {"method": da.RK4(), "h": H, "steps": steps}
        hybrid.simulate(modes, **whole)  # compiled
        mode = modes.start[0]
        alone = hybrid.Modes({mode: modes.systems[mode]}, start=modes.start)
        short = {"method": da.RK4(), "h": 1e-6, "steps": 20_000, "save": da.Final()}
        hybrid.simulate(alone, **short)
        step = min(native_seconds(alone, **short)[0] for _ in range(3)) / short["steps"]
        hybrid.simulate(alone, **whole)
        # as many calls, without jumps
        calls = min(native_seconds(alone, **whole)[0] for _ in range(20))
        spent, jumps, judged = min(native_seconds(modes, **whole) for _ in range(20))
        cost = max(spent - calls, 0.0) / max(jumps - judged, 1)
        if jumps > judged:
            costs.append((cost, cost / step, cost - 10.0 * step))
        made, found = steps_of_a_jump(modes, H, steps)
        counts += [made] if found else []
        print(
            f"{name:24} {1e6 * step:9.2f} {1e6 * cost:9.2f} {cost / step:9.1f} "
            f"{made if found else float('nan'):9.1f}  {judged} of {jumps}"
        )
    told = [statistics.median(x) for x in zip(*costs)]
    print(
        f"median of those by native code: {1e6 * told[0]:.2f} us, {told[1]:.1f} steps; "
        f"{1e6 * told[2]:.2f} us beside ten steps; "
        f"shortened steps: {statistics.median(counts):.1f}\n"
    )


def plates(members: int) -> tuple[Any, np.ndarray]:
    """Members between the plates."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-1, 1, (members, 2)), np.full((members, 1), 0.55)], axis=1)
    spin = rng.uniform(-1, 1, (members, 3))
    v = np.concatenate([rng.uniform(-0.3, 0.3, (members, 2)), np.full((members, 1), 3.0)], axis=1)
    v[:, 2] += rng.uniform(-0.2, 0.2, members)
    return (x, np.repeat(np.eye(3)[None], members, axis=0)), np.concatenate([v, spin], axis=1)


# a flight of 0.174 s at 3 m/s; a hundred of them for the slowest, too
SPAN = 0.19 * JUMPS


def of_members(members: int, engine: str | None) -> None:
    """All members in one call."""
    modes = zoo.registry["ball-between-plates"]()
    how = {"method": da.RK4(), "h": H, "t": SPAN, "save": da.Final(), "save_jumps": False}
    how |= {"engine": engine}
    few = plates(64)
    begin = time.perf_counter()
    hybrid.simulate_ensemble(modes, "air", *few, **how)
    print(f"compiled, and 64 members: {time.perf_counter() - begin:.2f} s")
    q, v = plates(members)
    begin = time.perf_counter()
    many = hybrid.simulate_ensemble(modes, "air", q, v, **how)
    seconds = time.perf_counter() - begin
    jumps = int(np.sum(many.jumps))
    print(
        f"{members} members, {jumps} jumps ({many.jumps.min()} to {many.jumps.max()}), "
        f"{len(many.failed)} failed, {many.engine}: {seconds:.2f} s, "
        f"{1e6 * seconds / jumps:.3f} us for a jump and its flight"
    )


def one_by_one(members: int) -> None:
    """The same, each member a run of its own."""
    modes = _old_modes() if "ball-between-plates" not in zoo.registry else None
    modes = modes or zoo.registry["ball-between-plates"]()
    (x, R), v = plates(members)
    how = {"method": da.RK4(), "h": H, "t": SPAN, "save_every": 10**6}
    hybrid.simulate(modes, "air", (x[0], R[0]), v[0], **how)
    begin, jumps = time.perf_counter(), 0
    for i in range(members):
        jumps += len(hybrid.simulate(modes, "air", (x[i], R[i]), v[i], **how).jumps)
    seconds = time.perf_counter() - begin
    print(
        f"{members} members one by one, {jumps} jumps: {seconds:.2f} s, "
        f"{1e6 * seconds / jumps:.1f} us for a jump and its flight"
    )


def _old_modes() -> hybrid.Modes:
    """The balls for a checkout whose zoo does not have them."""
    table = da.systems.LandedBall(Theta=2.0)
    air, r, room = hybrid.released(table), table.r, 0.5
    e = jnp.array([0.0, 0.0, 1.0])

    def slip(q, side):
        rows = table.constraint(q)
        still = jnp.zeros_like(rows).at[:, :3].set(rows[:, :3])
        return still + side * (rows - still)

    def floor(t, q, v):
        return hybrid.jump_velocity(air, q, v, slip(q, 1.0), e, t=t, offset=table.offset(t, q))

    def ceiling(t, q, v):
        return hybrid.jump_velocity(air, q, v, slip(q, -1.0), e, t=t)

    lower = hybrid.Transition("air", None, lambda t, q, v: q[0][2] - r, -1, jump=floor)
    upper = hybrid.Transition("air", None, lambda t, q, v: room + r - q[0][2], -1, jump=ceiling)
    return hybrid.Modes({"air": air}, [lower, upper])


def main() -> None:
    """By the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--members", type=int, default=100_000)
    parser.add_argument("--one-by-one", type=int, default=0)
    parser.add_argument("--no-zoo", action="store_true")
    parser.add_argument("--engine", default=None, help="gpu, for a kernel on a GPU")
    given = parser.parse_args()
    if not given.no_zoo:
        of_zoo()
    if given.members:
        of_members(given.members, given.engine)
    if given.one_by_one:
        one_by_one(given.one_by_one)


if __name__ == "__main__":
    main()
