"""Compiling for tests, most of which spend their time on it."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from dalembert.compile.layout import Layout
from dalembert.compile.llvm import EFFORTS
from dalembert.compile.native import Function, MapKernel
from dalembert.compile.tape import Unsupported
from dalembert.compile.tracing import tracing_once
from dalembert.system import as_arrays, is_traced


def jit(f=None, **options):
    """f, compiled: by native code where it can be, which takes a fraction of the time of XLA.

    With options, by `jax.jit` with these; what asks for the same mechanics at many places is
    traced once for all.
    """
    if f is None:
        return functools.partial(jit, **options)
    by_jax = jax.jit(tracing_once()(f), **options)
    if options:
        return by_jax

    @functools.cache
    def made(given):
        try:
            return MapKernel(f, *given.example(), effort=EFFORTS[0])
        except Unsupported:
            return None

    def call(*args, **named):
        given = Layout(args)
        if named or is_traced(args) or (kernel := made(given)) is None:
            return by_jax(*args, **named)
        numbers = kernel(given.pack_numpy(args)[None])[0]
        return jax.tree.map(jnp.asarray, kernel.results.unpack(numbers))

    return call


def at_rows(f):
    """f(system, ...) at many rows of its other arguments, by native code where it can be.

    A plain number is the same in all rows. Compiled once for each class and set of static fields,
    in a fraction of the time of XLA.
    """

    @functools.cache
    def made(static, given):
        one = lambda arrays, *args: f(eqx.combine(arrays, static), *args)
        return Function(one, *given.example())

    def call(system, *args):
        arrays, static = as_arrays(system)
        count = len(jax.tree.leaves(args)[0])
        everywhere = lambda x: np.broadcast_to(x, (count, *np.shape(x)))
        args = [everywhere(x) if isinstance(x, float) else x for x in args]
        given = (jax.tree.map(everywhere, arrays), *args)
        function = made(static, Layout(jax.tree.map(lambda x: x[0], given)))
        rows = [np.asarray(x, float).reshape(count, -1) for x in jax.tree.leaves(given)]
        return function.results.unpack(function.rows(np.concatenate(rows, axis=1)))

    return call
