"""Rows at once on arrays, and in a loop in scalar code: the same numbers, and those of a loop."""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from compiled import native
from dalembert.compile import tracing
from dalembert.compile.rolled import SizeLimit, first_then_others, with_neighbors

ROWS = np.random.default_rng(4).normal(size=(4, 2))


class Found(NamedTuple):
    values: jax.Array
    norm: jax.Array


def one(x, c):
    """Any function of a row and a vector in which order matters."""
    return Found(jnp.sin(x) * c[0] + x[::-1] * c[1], jnp.sum(x * c))


def after_first(found):
    return found.values + found.norm


def both(f, *args):
    """By JAX, and as scalar code."""
    assert not tracing.active()
    return jax.jit(f)(*args), native(f)(*args)


def test_the_others_depend_on_the_first():
    start = np.array([0.3, -1.2])

    def f(rows):
        return first_then_others(one, rows, start, after_first, lambda found: found.values, 2)

    c = after_first(one(ROWS[0], start))
    wanted = np.array([one(x, c).values for x in ROWS[1:]])
    for carried, out in both(f, ROWS):
        np.testing.assert_allclose(carried, c, rtol=1e-14)
        np.testing.assert_allclose(out, wanted, rtol=1e-14)
    assert not np.allclose(wanted, [one(x, start).values for x in ROWS[1:]])  # c is not the start


@pytest.mark.parametrize("probing", [False, True])
def test_neighbors_of_every_row(probing):
    steps, probe = np.array([0.1, 0.01]), np.array([3.0, -2.0])

    def f(rows):
        shifted = lambda x, d: one(x + d, jnp.array([1.0, 2.0]))
        empty = Found(jnp.zeros(2), jnp.zeros(()))
        pick = lambda found: found.values
        return with_neighbors(shifted, rows, steps, probe, jnp.asarray(probing), pick, empty)

    moves = [np.zeros(2), np.array([0.1, 0.0]), probe if probing else np.array([0.0, 0.01])]
    c = np.array([1.0, 2.0])
    wanted = np.array([[one(x + d, c).values for d in moves] for x in ROWS])
    for first, values in both(f, ROWS):
        np.testing.assert_allclose(first.values, wanted[0, 0], rtol=1e-14)
        np.testing.assert_allclose(first.norm, np.sum(ROWS[0] * c), rtol=1e-14)
        for j in (0, 2) if probing else (0, 1, 2):  # probing has one neighbor, the last
            np.testing.assert_allclose(values[:, j], wanted[:, j], rtol=1e-14)


def test_a_limit_is_that_of_the_code_being_traced():
    limit = SizeLimit(arrays=math.inf, scalars=4)
    assert limit.here() == math.inf
    with tracing.to_be_recorded():
        assert limit.here() == 4
