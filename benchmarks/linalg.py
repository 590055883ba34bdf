"""Where unrolled elimination and LAPACK cross: the measurement behind the limits in `linalg`.

Run as `python benchmarks/linalg.py`. Each solve depends on the one before it, inside a compiled
loop, as it does in a step of a method; the best of several runs counts, since noise only adds.
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np

from dalembert import linalg

SOLVERS = {"general": linalg.solve, "spd": linalg.solve_spd}
UNROLLED, LAPACK = 10**6, 0  # limits that force one or the other


def chain(solver, n: int, batch: int, limit: int):
    """Compile a loop of solves; returns (seconds to compile, function of the number of solves)."""
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    A = jnp.asarray(A @ A.T / n + np.eye(n))
    b = jnp.asarray(rng.normal(size=(batch, n) if batch > 1 else n))

    def one(x):
        # the matrix hangs on the solution before, so that no solve can be hoisted or skipped
        return solver(A + 1e-3 * x[0] * jnp.eye(n), x) + x

    step = jax.vmap(one) if batch > 1 else one

    def loop(b, count):
        return jax.lax.fori_loop(0, count, lambda _, x: step(x) / 1.5, b)

    # read when the loop is traced
    linalg.UNROLL = linalg.UNROLL_SPD = linalg.SizeLimit(limit, 16)
    begin = time.perf_counter()
    compiled = jax.jit(loop).lower(b, jnp.asarray(1)).compile()
    return time.perf_counter() - begin, lambda count: compiled(b, jnp.asarray(count))


def nanoseconds(run, batch: int, seconds: float, repeats: int) -> float:
    """Best time of one solve of one member of the batch."""
    count = 16
    while True:
        begin = time.perf_counter()
        run(count).block_until_ready()
        spent = time.perf_counter() - begin
        if spent > seconds or count > 10**7:
            break
        count *= 4
    best = spent
    for _ in range(repeats - 1):
        begin = time.perf_counter()
        run(count).block_until_ready()
        best = min(best, time.perf_counter() - begin)
    return best / count / batch * 1e9


def crossing(sizes, unrolled, lapack) -> str:
    """The largest size up to which unrolled elimination is not slower, a tenth apart from noise."""
    wins = [a <= 1.1 * b for a, b in zip(unrolled, lapack)]
    upto = next((i for i, win in enumerate(wins) if not win), len(wins))
    if upto == len(wins):
        return f"unrolled is faster for all n up to {sizes[-1]}"
    return f"unrolled is faster up to n = {sizes[upto - 1]}" if upto else "LAPACK is faster always"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=16, help="largest size of matrix")
    parser.add_argument("--batch", type=int, default=512, help="trajectories of the vmapped loop")
    parser.add_argument("--seconds", type=float, default=0.02, help="least length of a run")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--solver", choices=SOLVERS, action="append", help="default: both")
    args = parser.parse_args()
    sizes = range(1, args.largest + 1)
    print(f"jax {jax.__version__} on {jax.devices()[0]}")
    print(f"limits now: general {linalg.UNROLL.arrays}, spd {linalg.UNROLL_SPD.arrays}")
    print("ns per solve of one trajectory, and seconds to compile; U unrolled, L LAPACK")
    for name in args.solver or SOLVERS:
        print(f"\n{name}")
        print(f"{'':4}{'one trajectory':^36}{f'batch of {args.batch}':^36}")
        print(f"{'n':>3} " + f"{'U ns':>9}{'L ns':>9}{'U s':>9}{'L s':>9}" * 2)
        table = {}
        for n in sizes:
            line = f"{n:3d} "
            for batch in (1, args.batch):
                cells = []
                for limit in (UNROLLED, LAPACK):
                    compile_s, run = chain(SOLVERS[name], n, batch, limit)
                    ns = nanoseconds(run, batch, args.seconds, args.repeats)
                    table.setdefault((batch, limit), []).append(ns)
                    cells.append((ns, compile_s))
                (u, us), (l, ls) = cells
                line += f"{u:9.1f}{l:9.1f}{us:9.2f}{ls:9.2f}"
            print(line, flush=True)
        for batch in (1, args.batch):
            text = crossing(sizes, table[batch, UNROLLED], table[batch, LAPACK])
            print(f"{'one trajectory' if batch == 1 else f'batch of {batch}'}: {text}")


if __name__ == "__main__":
    main()
