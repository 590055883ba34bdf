"""Whether a Zarr store is what was written: a checksum in every block, and one of its metadata.

Blocks carry a crc32c behind their numbers, which Zarr's own codec looks at when they are read. The
consolidated metadata (shapes, labels, what the run was) carry a digest of themselves. Blocks are
written even where they hold nothing but the fill value, so that one that is missing is told from
one that was never written.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import UsageError

if TYPE_CHECKING:
    import xarray

_METADATA, _DIGEST = ".zmetadata", "dalembert_sha256"
_CHECKSUM = "crc32c"
# what stores are made of here and in earlier versions; others could run code of the file's author
_CODECS = {_CHECKSUM, "blosc", "zstd", "zlib", "gzip", "lz4", "vlen-utf8"}


class Damage(NamedTuple):
    """A block that cannot be read, and the rows it held; none where it is not over time."""

    block: str
    rows: range | None


def encoding(
    data: xarray.Dataset, blocks: Mapping[str, int] | None = None
) -> dict[str, dict[str, Any]]:
    """How the variables are written: with checksums, each block whatever it holds.

    `blocks` are the lengths of a block along dimensions by name; along the others it is whole.
    """
    import numcodecs

    checksum = numcodecs.CRC32C(location="end")
    found: dict[str, dict[str, Any]] = {}
    for name, v in data.variables.items():
        how = {"filters": [checksum], "write_empty_chunks": True, "_FillValue": _fill(v.dtype)}
        if blocks is not None:  # no multipliers still make a block of length 1: 0 is refused
            how["chunks"] = tuple(max(blocks.get(str(d), n), 1) for d, n in v.sizes.items())
        found[str(name)] = how
    return found


def _fill(dtype: np.dtype) -> float | int | None:
    """What rows that were never written show: no zeros, which would look like data."""
    if np.issubdtype(dtype, np.floating):
        return math.nan
    return -1 if np.issubdtype(dtype, np.signedinteger) else None


def seal(folder: Path, attributes: Mapping[str, Any] | None = None) -> None:
    """Put the digest into the consolidated metadata, in one move; with new attributes, if given."""
    file = folder / _METADATA
    content = json.loads(file.read_text())
    if attributes:
        content["metadata"][".zattrs"] |= dict(attributes)
        (folder / ".zattrs").write_text(json.dumps(content["metadata"][".zattrs"], indent=2))
    content[_DIGEST] = _digest(content)
    partial = folder / f"{_METADATA}.partial"
    partial.write_text(json.dumps(content, indent=2))
    os.replace(partial, file)


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content["metadata"], sort_keys=True).encode()).hexdigest()


def check_metadata(folder: Path) -> bool:
    """Whether the store has checksums; a `UsageError` if its metadata are not those written."""
    file = folder / _METADATA
    try:
        content = json.loads(file.read_text()) if file.is_file() else {"metadata": {}}
        arrays = [x for name, x in content["metadata"].items() if name.endswith(".zarray")]
        arrays += [json.loads(x.read_text()) for x in sorted(folder.glob("*/.zarray"))]
        codecs = {
            codec["id"]
            for array in arrays
            for codec in [*(array["filters"] or ()), *filter(None, [array["compressor"]])]
        }
        sealed = content.get(_DIGEST)
        intact = sealed is None or sealed == _digest(content)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"'{folder}' is damaged: its metadata cannot be read") from error
    if not intact:
        raise UsageError(f"'{folder}' is damaged: its {_METADATA} is not what was written")
    if unknown := codecs - _CODECS:
        raise UsageError(
            f"'{folder}' is read with the codec {', '.join(sorted(unknown))}, which no store of "
            "dalembert has, and which is not trusted"
        )
    return sealed is not None


def damages(folder: Path, rows: int | None = None, read: bool = True) -> Iterator[Damage]:
    """Blocks that are missing or, if they are read, not as written; of the first rows, if given."""
    import zarr

    group: Any = zarr.open_group(folder, mode="r", zarr_format=2, use_consolidated=True)
    for name, array in sorted(group.arrays()):
        over_time = array.attrs.asdict().get("_ARRAY_DIMENSIONS", [None])
        axis = over_time.index("time") if "time" in over_time else None
        counts = [math.ceil(n / c) if n else 0 for n, c in zip(array.shape, array.chunks)]
        for index in np.ndindex(*counts):
            part = tuple(slice(i * c, (i + 1) * c) for i, c in zip(index, array.chunks))
            which = None
            if axis is not None:
                length = array.shape[axis] if rows is None else min(rows, array.shape[axis])
                which = range(part[axis].start, min(part[axis].stop, length))
                if not which:
                    continue
            block = f"{name}/{'.'.join(map(str, index))}" if index else f"{name}/0"
            if not (folder / block).is_file() or (read and not _is_intact(array, part)):
                yield Damage(block, which)


def _is_intact(array: Any, part: tuple[slice, ...]) -> bool:
    try:
        array[part]
    except Exception:  # a codec fed with garbage raises what it likes
        return False
    return True


def told(folder: Path, found: list[Damage]) -> str:
    """The damage in words, with the rows that are lost."""
    few = []
    for block, rows in found[:4]:
        few.append(block + (f" (rows {rows[0]} to {rows[-1]})" if rows else ""))
    more = f" and {len(found) - 4} more" if len(found) > 4 else ""
    return f"'{folder}' is damaged: the block {', '.join(few)}{more} is missing or not as written"
