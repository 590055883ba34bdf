"""Compiling for tests, most of which spend their time on it."""

import functools

import jax

from dalembert.compile.tracing import tracing_once


def jit(f=None, **options):
    """`jax.jit` of what asks for the same mechanics at many places: it is traced once for all."""
    if f is None:
        return functools.partial(jit, **options)
    return jax.jit(tracing_once()(f), **options)
