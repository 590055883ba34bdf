"""Compiling for tests, most of which spend their time on it."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from dalembert.compile.cache import registry
from dalembert.compile.cpu.kernels import MapKernel
from dalembert.compile.cpu.llvm import EFFORTS
from dalembert.compile.function import Function
from dalembert.compile.ir.tape import Unsupported
from dalembert.compile.layout import Layout
from dalembert.compile.tracing import tracing_once
from dalembert.system import as_arrays, is_traced


def jit(f=None, **options):
    """`jax.jit` of what asks for the same mechanics at many places: it is traced once for all."""
    if f is None:
        return functools.partial(jit, **options)
    return jax.jit(tracing_once()(f), **options)


def forget_native():
    """Forget the library's compiled code, not JAX's.

    `da.clear_compiled()` clears both, and every later test then compiles its array operations anew.
    """
    registry.clear_all()


def native(f):
    """f, compiled by native code where it can be, and else by XLA.

    A fraction of the time for the mechanics of a system; not for arrays of many numbers.
    """
    by_jax = jit(f)

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


def mapped(f):
    """`jax.vmap` of f, compiled: native code for one row, where it can be."""

    @functools.cache
    def made(given):
        return Function(f, *given.example())

    def call(*args):
        leaves = [np.asarray(x, float) for x in jax.tree.leaves(args)]
        function = made(Layout(jax.tree.map(lambda x: x[0], args)))
        rows = function.rows(np.hstack([x.reshape(len(leaves[0]), -1) for x in leaves]))
        return function.results.unpack(rows)

    return call


def at_rows(f):
    """f(system, ...) at many rows of its other arguments; a plain number is the same in all rows.

    Compiled as by `mapped`, once for each class and set of static fields.
    """

    @functools.cache
    def of(static):
        return mapped(lambda arrays, *args: f(eqx.combine(arrays, static), *args))

    def call(system, *args):
        arrays, static = as_arrays(system)
        count = len(jax.tree.leaves(args)[0])
        everywhere = lambda x: np.broadcast_to(x, (count, *np.shape(x)))
        args = [everywhere(x) if isinstance(x, float) else x for x in args]
        return of(static)(jax.tree.map(everywhere, arrays), *args)

    return call
