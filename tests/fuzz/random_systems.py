"""Systems as people write them, at random and by seed: `python tests/fuzz/random_systems.py [N]`.

A potential is a sum of two terms out of a list of idioms; the script tells how many of N systems
have a rule for everything that their Lagrangian, its derivatives and their constraint do, and what
the others lack.
"""

import sys
from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import erf, logsumexp

import dalembert as da
from dalembert.compile.ir.record import record
from dalembert.compile.ir.tape import Unsupported

TABLE = np.cos(np.linspace(0.0, 3.0, 9))
POSTS = np.array([[0.5, -1.0], [2.0, 0.3], [-1.2, 0.8]])

TERMS = {
    "quadratic": lambda q, c: 0.5 * c * q @ q,
    "cosines": lambda q, c: jnp.sum(jnp.cos(c * q)),
    "gaussian": lambda q, c: jnp.exp(-c * jnp.sum(q**2)),
    "distance": lambda q, c: jnp.linalg.norm(q - c),
    "soft distance": lambda q, c: jnp.sqrt(c + q[0] ** 2),
    "softplus": lambda q, c: jnp.logaddexp(0.0, c * q[0]),
    "logarithm": lambda q, c: jnp.log1p(q[0] ** 2),
    "tanh": lambda q, c: jnp.tanh(c * q[1]) * q[0],
    "where": lambda q, c: jnp.where(q[0] > c, (q[0] - c) ** 2, 0.0),
    "cond": lambda q, c: lax.cond(q[0] > 0, lambda: c * q[0] ** 3, lambda: q[1] ** 2),
    "select": lambda q, c: jnp.select([q[0] < 0, q[0] < c], [q[0] ** 2, q[0]], 1.0),
    "piecewise": lambda q, c: jnp.piecewise(q[0], [q[0] < c], [lambda x: x**2, lambda x: x]),
    "clip": lambda q, c: jnp.clip(q[0], -c, c) * q[1],
    "interpolated": lambda q, c: jnp.interp(q[0], np.linspace(-3, 3, 9), TABLE),
    "table": lambda q, c: jnp.asarray(TABLE)[jnp.floor(jnp.abs(q[0])).astype(int)] * q[1],
    "largest": lambda q, c: jnp.max(q) * c,
    "sorted": lambda q, c: jnp.sort(q) @ jnp.arange(1.0, q.size + 1),
    "nearest post": lambda q, c: jnp.min(jnp.sum((q[:2] - POSTS) ** 2, axis=1)),
    "which post": lambda q, c: q[0] * POSTS[0, 0] + c * jnp.argmin(jnp.abs(q - c)),
    "springs": lambda q, c: jnp.sum(jax.vmap(lambda p: jnp.sum((q[:2] - p) ** 2))(POSTS)),
    "chain": lambda q, c: jnp.sum(jnp.diff(q) ** 2),
    "loop": lambda q, c: lax.fori_loop(0, 5, lambda i, y: y + c * q[0] ** 2 / (1.0 + i), 0.0),
    "scan": lambda q, c: lax.scan(lambda y, a: (y * q[0] + a, None), 0.0, TABLE[:4])[0],
    "polynomial": lambda q, c: jnp.polyval(jnp.array([c, -1.0, 0.5]), q[0]),
    "einsum": lambda q, c: jnp.einsum("i,ij,j->", q, jnp.eye(q.size) * c, q),
    "solve": lambda q, c: q @ jnp.linalg.solve(jnp.eye(q.size) * (c + q[0] ** 2), q),
    "inverse": lambda q, c: jnp.trace(jnp.linalg.inv(jnp.outer(q, q) + c * jnp.eye(q.size))),
    "determinant": lambda q, c: jnp.linalg.det(jnp.outer(q, q) + c * jnp.eye(q.size)),
    "cholesky": lambda q, c: jnp.linalg.cholesky(jnp.outer(q, q) + c * jnp.eye(q.size))[1, 0],
    "angle": lambda q, c: jnp.arctan2(q[1], c + q[0] ** 2),
    "periodic": lambda q, c: jnp.mod(q[0], 2.0) * c,
    "power": lambda q, c: jnp.abs(q[0] + 3.0) ** 1.5,
    "product": lambda q, c: jnp.prod(c + q**2),
    "sums": lambda q, c: jnp.sum(jnp.cumsum(q) ** 2),
    "log of sums": lambda q, c: logsumexp(c * q),
    "error function": lambda q, c: erf(c * q[0]),
    "hypot": lambda q, c: jnp.hypot(q[0], c),
    "sinc": lambda q, c: jnp.sinc(q[0]),
    "in place": lambda q, c: jnp.sum(q.at[0].multiply(c).at[1].add(1.0) ** 2),
    "rolled": lambda q, c: q @ jnp.roll(q, 1),
    "exponential of a matrix": lambda q, c: jax.scipy.linalg.expm(c * jnp.outer(q, q) / 9)[0, 0],
    "Kepler": lambda q, c: lax.stop_gradient(
        lax.while_loop(
            lambda s: (jnp.abs(s[0] - 0.3 * jnp.sin(s[0]) - q[0]) > 1e-12) & (s[1] < 30),
            lambda s: (q[0] + 0.3 * jnp.sin(s[0]), s[1] + 1),
            (q[0], 0),
        )[0]
    ),
    "eigenvalues": lambda q, c: jnp.linalg.eigvalsh(jnp.outer(q, q) + c * jnp.eye(q.size))[0],
    "singular values": lambda q, c: jnp.linalg.norm(jnp.outer(q, q + c), ord=2),
    "spectrum": lambda q, c: jnp.sum(jnp.abs(jnp.fft.fft(q)) ** 2),
    "complex": lambda q, c: jnp.real(jnp.exp(1j * c * q[0])),
    "single precision": lambda q, c: jnp.sin(q[0].astype(jnp.float32)).astype(float),
}

WITHOUT_RULE = {"eigenvalues", "singular values", "spectrum", "complex", "single precision"}


def random_system(seed: int) -> da.System:
    """The system of a seed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 5))
    names = rng.choice(list(TERMS), 2, replace=False)
    constants = rng.uniform(0.3, 1.5, 2)
    row, wheel = rng.uniform(-1, 1, n), bool(rng.integers(2))

    class Random(da.System):
        space = da.Euclidean(n)
        terms = tuple(map(str, names))

        def lagrangian(self, q, v):
            potential = sum(TERMS[name](q, c) for name, c in zip(self.terms, constants))
            return 0.5 * v @ v + 0.1 * jnp.sin(q[0]) * v[0] ** 2 - potential

        def constraint(self, q):
            turned = jnp.zeros(n).at[:2].set(jnp.array([jnp.sin(q[-1]), -jnp.cos(q[-1])]))
            return (turned if wheel else row + 0.1 * q)[None]

    return Random()


def evaluated(system):
    """L, its first derivatives, its Hessian in v, and the constraint."""

    def f(q, v):
        L = system.lagrangian
        both = jax.grad(L, argnums=(0, 1))(q, v)
        return L(q, v), both, jax.hessian(L, argnums=1)(q, v), system.constraint(q)

    return f


def example(system, seed):
    """A point."""
    rng = np.random.default_rng(seed + 10_000)
    return rng.uniform(-1, 1, system.dim), rng.uniform(-1, 1, system.dim)


def main(count: int) -> None:
    missing = Counter()
    for seed in range(count):
        system = random_system(seed)
        q, v = example(system, seed)
        try:
            f = evaluated(system)
            record(lambda given: f(*given), (q, v))  # noqa: B023
        except Unsupported as error:
            missing[str(error)] += 1
    for reason, n in missing.most_common():
        print(f"{n:4d}  {reason}")
    print(f"{missing.total()} of {count} systems are left to arrays: {missing.total() / count:.0%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 185)
