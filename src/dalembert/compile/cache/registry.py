"""Caches of compiled code: each is bounded, and all are registered so that they can be cleared."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")

_clears: list[Callable[[], None]] = []


def registered(clear: Callable[[], None]) -> Callable[[], None]:
    """Register a function that empties a cache, so that `clear_all` calls it."""
    _clears.append(clear)
    return clear


class Cache(dict[K, V]):
    """A mapping with at most `size` entries; the oldest is dropped first."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size
        registered(self.clear)

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        while len(self) > self._size:
            del self[next(iter(self))]


def clear_all() -> None:
    """Empty every registered cache."""
    for clear in _clears:
        clear()


def cached(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate with a `functools.lru_cache` that `clear_compiled` empties.

    Results for code that cannot be compared (`is_compared` of an argument is false) are useful for
    one run only. They go to a small cache of their own, so that they do not displace the others.
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        remembered = functools.lru_cache(maxsize=maxsize)(function)
        lately = functools.lru_cache(maxsize=min(maxsize, _LATELY))(function)
        registered(remembered.cache_clear)
        registered(lately.cache_clear)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for x in args:
                if hasattr(type(x), "is_compared") and not x.is_compared:  # pyright: ignore
                    return lately(*args, **kwargs)  # pyright: ignore[reportArgumentType]
            return remembered(*args, **kwargs)  # pyright: ignore[reportArgumentType]

        return call

    return wrap


_LATELY = 4  # size of that small cache: pieces of code of one kind that a run needs at a time
