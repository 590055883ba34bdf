"""Native code of systems as people write them computes what the arrays compute."""

import jax
import numpy as np
import pytest

from dalembert.compile.cpu.kernels import MapKernel
from dalembert.compile.ir.tape import Unsupported

from .random_systems import WITHOUT_RULE, evaluated, example, random_system


@pytest.mark.parametrize("first", [0, 15])
def test_random_systems_agree(first):
    seeds = range(first, first + 15)
    chosen = [random_system(seed) for seed in seeds]
    points = [example(system, seed) for system, seed in zip(chosen, seeds)]
    # compiled together: one call of XLA for all
    functions = [evaluated(system) for system in chosen]
    plain = jax.jit(lambda xs: [f(*x) for f, x in zip(functions, xs)])(points)
    for system, f, point, expected in zip(chosen, functions, points, plain):
        try:
            kernel = MapKernel(f, *point)
        except Unsupported:
            assert set(system.terms) & WITHOUT_RULE
            continue
        found = kernel(np.concatenate(point)[None])[0]
        wanted = kernel.results.pack_numpy(expected)
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11, err_msg=str(system.terms))
