"""`Result`, the base class of trajectories, ensembles and hybrid runs: warnings, tables, files."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import jax

from ..errors import UsageError
from ..files import PathLike
from . import formats
from .meta import Meta

if TYPE_CHECKING:
    import xarray


class Result:
    """Rows of runs with the meta that describes them.

    Arrays have the axes (members,) rows, then those of the quantity. The classes differ in what
    `len` and `[i]` mean: rows of a trajectory and of a hybrid run, members of an ensemble.
    """

    # values of the attribute `format` in files of this kind; new files have the last one
    FORMATS: ClassVar[tuple[str, ...]]
    KIND: ClassVar[str]  # a description for messages
    _COMPARED: ClassVar[tuple[str, ...]]  # fields that `equals` compares

    if TYPE_CHECKING:

        @property
        def meta(self) -> Meta: ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the run about its numerical results, one sentence each; empty if none.

        Those of an ensemble describe the worst member.
        """
        return self.meta.warnings

    def equals(self, other: object) -> bool:
        """Whether all arrays agree to the bit (a NaN equals a NaN) and all of meta agrees."""
        if type(other) is not type(self):
            return False
        pairs = [{k: getattr(x, k) for k in self._COMPARED} for x in (self, other)]
        (a, mine), (b, others) = (jax.tree.flatten(x, is_leaf=_is_plain) for x in pairs)
        return mine == others and all(
            x == y if _is_plain(x) else formats.same_bits(x, y) for x, y in zip(a, b, strict=True)
        )

    def to_xarray(self) -> xarray.Dataset:
        """Return a labelled `xarray.Dataset`: dimensions time, coordinate, velocity, constraint.

        On a product space the factors are `q_0`, `q_1`, ..., each with its own dimensions;
        a matrix factor has `..._row` and `..._column`. An ensemble has the dimension member, and
        parameters that vary and initial data given by name as coordinates along it:
        `parameter_a`, `initial_theta_dot`. A hybrid run has `mode` and `jump_...` beside its rows.
        """
        return formats.dataset(self, self.FORMATS[-1])

    @classmethod
    def from_xarray(cls, data: xarray.Dataset) -> Self:
        """The inverse of `to_xarray`."""
        return cls(**formats.fields(data, cls.FORMATS, cls.KIND))

    def save(self, path: PathLike) -> None:
        """Write to `.zarr`, `.nc` (NetCDF 4) or `.csv` (one run, for other programs; not loaded).

        An existing file is replaced, and only once the new one is complete. Files have checksums
        (seals), so that damage is detected when they are loaded.
        """
        formats.save(self, path)

    @classmethod
    def load(cls, path: PathLike, every: int = 1, skip_damaged: bool = False) -> Self:
        """Read a file that `save` wrote, or the rows so far of a store; see `dalembert.load`."""
        from .loading import load

        result = load(path, every, skip_damaged)
        if not isinstance(result, cls):
            raise UsageError(f"'{path}' holds {result.KIND}, not {cls.KIND}: da.load reads it")
        return result


def _is_plain(x: object) -> bool:
    """Whether x is compared with `==` rather than bit by bit: meta, names."""
    return isinstance(x, (str, Meta))
