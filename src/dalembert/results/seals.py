"""Seals: checksums that show whether a file is, bit for bit and in its place, what was written.

A seal is a list of pieces, each with its SHA-256 under its name or position, and a SHA-256 of the
list itself. So a changed, missing or exchanged piece is detected before it is used.

- A JSON document has its seal inside: `study.json`, the markers of slices, `.zmetadata`.
- A single file (`.nc`, `.npz`) has it after its end, which HDF5 and zip do not read.
- Blocks of a Zarr folder are listed in `.zmetadata`, or in the marker of their slice, `done/`.

Files of earlier versions have no such list. There only damage that the codecs detect is noticed.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import math
import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import DamagedError, UsageError
from .kinds import Document, Facts

if TYPE_CHECKING:
    import xarray

_SEAL, _BLOCKS, _BEFORE = "dalembert_seal", "dalembert_blocks", "dalembert_before"
_METADATA, _ATTRIBUTES, _FORMER = ".zmetadata", ".zattrs", "dalembert_sha256"
_MAGIC = b"dalembert-seal-1"  # last bytes of a file; before them the length of the list, in hex
# pieces of an array in a single file: bytes of each, and their number; damage is located by piece
_PIECE, _MOST_PIECES = 2**12, 256
_BLOCK_NAMED = "the block "
_BLOCK = 2**22  # bytes of all arrays together in a block of a Zarr folder
_MOMENT = 0.05  # longest time in seconds between the two writes of `seal_folder`
_SKIP = "da.load(path, skip_damaged=True) reads them"
_CHECKSUM = "crc32c"  # checksum after each block, for programs that do not know our seals
# codecs of our stores, in this and earlier versions; others could run code of the file's author
_CODECS = {_CHECKSUM, "blosc", "zstd", "zlib", "gzip", "lz4", "vlen-utf8"}


class Damage(NamedTuple):
    """A missing or changed part, and the range that it held along its first axis."""

    part: str
    axis: str = ""  # "time" or "member"; empty if nothing can be read without this part
    lost: range = range(0)

    @property
    def file(self) -> str:
        """Name of the file, if the part is a file of a folder."""
        return self.part.removeprefix(_BLOCK_NAMED)


def digest(data: bytes | memoryview) -> str:
    """Return the SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def refusal(
    path: object, found: Sequence[Damage], sizes: Mapping[str, int], cure: str
) -> DamagedError:
    """Return the error for damaged parts: which, and what is good.

    `cure` is the advice of the error if something is good.
    """
    good = {axis: good_ranges(found, axis, sizes.get(axis, 0)) for axis in {x.axis for x in found}}
    rest, advice = "nothing can be read without it", ""
    if all(x.axis for x in found) and any(good.values()):
        rest = f"{' and '.join(_named(k, x) for k, x in good.items() if x)} are good"
        advice = cure
    reason = f"'{path}' is damaged: {told(found)} is missing or not as written; {rest}"
    return DamagedError(reason, advice=advice, parts=[x.part for x in found], good=good)


def told(found: Sequence[Damage]) -> str:
    """Return a text that names the damaged parts."""
    shown = [x.part + (f" ({_named(x.axis, [x.lost])})" if x.lost else "") for x in found[:4]]
    return ", ".join(shown) + (f" and {len(found) - 4} more" if len(found) > 4 else "")


def good_ranges(found: Iterable[Damage], axis: str, size: int) -> list[range]:
    """Return the undamaged ranges along `axis`, which has `size` entries."""
    lost = np.zeros(size + 2, bool)
    lost[[0, -1]] = True
    for x in found:
        if x.axis == axis:
            lost[x.lost.start + 1 : x.lost.stop + 1] = True
    edges = np.flatnonzero(np.diff(lost.astype(np.int8)))
    return [range(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2])]


def _named(axis: str, ranges: Sequence[range]) -> str:
    what = "rows" if axis == "time" else "members"
    shown = [f"{x[0]} to {x[-1]}" if len(x) > 1 else str(x[0]) for x in ranges[:4]]
    return f"{what} {', '.join(shown)}" + (" and others" if len(ranges) > 4 else "")


# -- documents -----------------------------------------------------------------------------------


def write_document(file: Path, content: Facts) -> None:
    """Write JSON with its seal, atomically."""
    bare = json.loads(json.dumps({k: x for k, x in content.items() if k != _SEAL}))
    replace_file(file, json.dumps({**bare, _SEAL: _sealed(bare)}, indent=1).encode())


def read_document(file: Path) -> tuple[Document, bool]:
    """Return a JSON object, and whether it has a seal; raise `DamagedError` if it was changed."""
    try:
        content = json.loads(file.read_bytes())
        seal = content.pop(_SEAL, None)
        intact = seal is None or seal == _sealed(content)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise _damaged(file.parent, file.name, "cannot be read") from error
    if not intact:
        raise _damaged(file.parent, file.name, "is not what was written")
    return content, seal is not None


def _sealed(content: Facts) -> str:
    return digest(json.dumps(content, sort_keys=True).encode())


def _damaged(path: Path, part: str, how: str) -> DamagedError:
    return DamagedError(f"'{path}' is damaged: its {part} {how}", parts=[part])


def replace_file(file: Path, content: bytes | memoryview, sync: bool = False) -> None:
    """Write a file atomically; with `sync` it is on the disk before it replaces the old one."""
    temporary = file.with_name(f".{file.name}.{socket.gethostname()}.{os.getpid()}")
    with temporary.open("wb") as out:
        out.write(content)
        if sync:
            out.flush()
            os.fsync(out.fileno())
    os.replace(temporary, file)


# -- single files --------------------------------------------------------------------------------


class Piece(NamedTuple):
    """A range of bytes of a file, and the range that it holds along the first axis of an array."""

    offset: int
    length: int
    part: str = ""
    axis: str = ""
    first: int = 0
    stop: int = 0


def trailer(content: bytes | memoryview, arrays: Sequence[Piece] = ()) -> bytes:
    """Return the seal to write after a file: a digest for each of its pieces, which cover it."""
    pieces, at = [], 0
    for piece in [*sorted(arrays), Piece(len(content), 0)]:
        if piece.offset > at:  # bytes between arrays: names, shapes, attributes
            pieces.append(Piece(at, piece.offset - at))
        if piece.length:
            pieces.append(piece)
        at = piece.offset + piece.length
    listed = [[*x, digest(content[x.offset : x.offset + x.length])] for x in pieces]
    text = json.dumps({"pieces": listed, _SEAL: _sealed({"pieces": listed})}).encode()
    return text + b"%016x" % len(text) + _MAGIC


class FileCheck(NamedTuple):
    """Result of checking a file: its length without the seal, whether it has one, the damage."""

    length: int
    sealed: bool
    damages: list[Damage]


def check_file(file: Path) -> FileCheck:
    """Compare a file with the seal after its end."""
    with file.open("rb") as opened:
        return _check(opened)


def _check(opened: IO[bytes]) -> FileCheck:
    size = opened.seek(0, io.SEEK_END)
    opened.seek(max(size - 32, 0))
    tail = opened.read(32)
    if tail[-16:] != _MAGIC:
        return FileCheck(size, False, [])
    broken = FileCheck(size, True, [Damage("the seal at its end")])
    try:
        length = int(tail[:16], 16)
        opened.seek(size - 32 - length)
        content = json.loads(opened.read(length))
        pieces = content["pieces"]
        if content[_SEAL] != _sealed({"pieces": pieces}):
            return broken
    except (ValueError, KeyError, TypeError, RecursionError, OSError):
        return broken
    damages = []
    for offset, count, part, axis, first, stop, wanted in pieces:
        opened.seek(offset)
        if digest(opened.read(count)) != wanted:
            part = part or f"its description (bytes {offset} to {offset + count - 1})"
            damages.append(Damage(part, axis, range(first, stop)))
    return FileCheck(size - 32 - length, True, damages)


def netcdf_pieces(content: io.BytesIO) -> list[Piece]:
    """Return the positions of the rows of arrays in a NetCDF 4 file."""
    import h5py

    result = []
    with h5py.File(content, "r") as file:
        for name, array in file.items():
            scales = array.dims[0].values() if array.ndim else []  # a scale itself has none
            axis = scales[0].name.rpartition("/")[2] if scales else name
            start, rows = array.id.get_offset(), len(array) if array.ndim else 0
            if not _is_cut(axis) or start is None or not array.nbytes or array.dtype.hasobject:
                continue
            width = array.nbytes // rows
            step = max(_PIECE // width, -(-rows // _MOST_PIECES), 1)
            for first in range(0, rows, step):
                stop = min(first + step, rows)
                held = (start + first * width, (stop - first) * width, name, axis, first, stop)
                result.append(Piece(*held))
    return result


def _is_cut(axis: str) -> bool:
    """Whether the parts of an array along `axis` can be used without each other."""
    return axis == "time" or axis.startswith("member")


def netcdf_end(file: Path) -> int | None:
    """Return the length of an HDF5 file according to its header; None if that does not say."""
    with file.open("rb") as opened:
        head = opened.read(64)
    place = {0: 40, 1: 44, 2: 28, 3: 28}.get(head[8] if len(head) == 64 else -1)
    if place is None or head[:8] != b"\x89HDF\r\n\x1a\n":
        return None
    return int.from_bytes(head[place : place + 8], "little")


def write_arrays(file: Path, arrays: Facts, sync: bool = False) -> str:
    """Write arrays by name to an `.npz` file with a seal, atomically; return its digest."""
    content = io.BytesIO()
    np.savez(content, **arrays)
    whole = content.getvalue()
    whole += trailer(whole)
    replace_file(file, whole, sync)
    return digest(whole)


def read_arrays(file: Path) -> dict[str, np.ndarray]:
    """Return the arrays of an `.npz` file; raise `DamagedError` if they are not those written."""
    try:
        # opened once, because a running computation may replace the file meanwhile
        with file.open("rb") as opened:
            checked = _check(opened)
            opened.seek(0)
            content = io.BytesIO(opened.read(checked.length))
        if not checked.damages:
            with np.load(content, allow_pickle=False) as result:
                return dict(result)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except Exception as error:  # a damaged archive may raise anything
        raise DamagedError(
            f"'{file}' is damaged: it cannot be read ({error})", parts=[file.name]
        ) from error
    raise DamagedError(f"'{file}' is damaged: it is not what was written", parts=[file.name])


# -- Zarr folders --------------------------------------------------------------------------------


def encoding(data: xarray.Dataset, blocks: Mapping[str, int] | None = None) -> dict[str, Document]:
    """Return the encoding of each variable: its blocks, its checksums and its fill value.

    `blocks` has the length of a block along each dimension by name; other dimensions are not
    divided. Without `blocks`, arrays are divided along their first axis. All blocks are written,
    even those that have only fill values.
    """
    import numcodecs

    checksum = numcodecs.CRC32C(location="end")
    widths: dict[str, int] = {}  # bytes of one row, or member, of all arrays
    for v in data.variables.values():
        widths[_cut(v)] = widths.get(_cut(v), 0) + v.nbytes // max(len(v) if v.ndim else 1, 1)
    result: dict[str, Document] = {}
    for name, v in data.variables.items():
        how = {"filters": [checksum], "write_empty_chunks": True, "_FillValue": _fill(v.dtype)}
        lengths = dict(blocks or {})
        if blocks is None and (axis := _cut(v)):
            lengths[axis] = min(max(_BLOCK // max(widths[axis], 1), 1), len(v))
        # Zarr refuses blocks of length 0: an empty axis (no multipliers) gets length 1
        how["chunks"] = tuple(max(lengths.get(str(d), n), 1) for d, n in v.sizes.items())
        result[str(name)] = how
    return result


def _cut(variable: Any) -> str:
    """Return the axis along which a variable is divided into blocks; empty if it is not."""
    axis = str(variable.dims[0]) if variable.dims and variable.shape[0] else ""
    return axis if _is_cut(axis) else ""


def _fill(dtype: np.dtype) -> float | int | None:
    """Return the fill value of rows that were never written: not 0, which would look like data."""
    if np.issubdtype(dtype, np.floating):
        return math.nan
    return -1 if np.issubdtype(dtype, np.signedinteger) else None


def seal_folder(folder: Path, files: Iterable[str] = (), attributes: Facts | None = None) -> None:
    """Seal the consolidated metadata, atomically, with more files and attributes.

    A process killed after the first of the two writes leaves the old `.zattrs`; therefore its
    digest is recorded as well.
    """
    content = json.loads((folder / _METADATA).read_text())
    listed = {name: digest((folder / name).read_bytes()) for name in files}
    content[_BLOCKS] = {**content.get(_BLOCKS, {}), **listed}
    loose = folder / _ATTRIBUTES
    content[_BEFORE] = digest(loose.read_bytes())
    content["metadata"][_ATTRIBUTES] |= dict(attributes or {})
    content.pop(_FORMER, None)
    write_document(folder / _METADATA, content)
    replace_file(loose, json.dumps(content["metadata"][_ATTRIBUTES], indent=1).encode())


class _Place(NamedTuple):
    """Position of a block: its axis, its index along that axis, and the range that it holds."""

    axis: str
    number: int
    held: range


class _Expected(NamedTuple):
    """An expected file: its digest (None if unknown), its axis, and the range that it holds."""

    digest: str | None
    axis: str
    held: range


class Folder:
    """A Zarr folder as its seal describes it: metadata, and the expected files.

    `full` is False for folders of earlier versions: their blocks have no digests, so that only
    their presence and the checks of their codecs show damage.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.metadata, listed, former = _read_metadata(path)
        except DamagedError:  # perhaps between the two writes of `seal_folder`: try again
            time.sleep(_MOMENT)
            self.metadata, listed, former = _read_metadata(path)
        self.full = listed is not None
        try:
            self._blocks = dict(self._all_blocks())
            self._slices: dict[tuple[str, int], list[str]] = {}
            for name, x in self._blocks.items():
                self._slices.setdefault((x.axis, x.number), []).append(name)
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise _damaged(path, "metadata", "cannot be read") from error
        self.expected: dict[str, _Expected] = {}
        if listed is None:  # files of the first version omit blocks of fill values
            listed = {x: None for x in self._blocks if former or (path / x).is_file()}
        self.expect(listed)

    @property
    def attributes(self) -> Document:
        """The attributes of the dataset."""
        return self.metadata.get(_ATTRIBUTES, {})

    def blocks(self, axis: str | None = None) -> list[str]:
        """Return the names of all blocks; with `axis`, only of the arrays divided along it."""
        return [name for name, x in self._blocks.items() if axis in (None, x.axis)]

    def slice_of(self, axis: str, index: int) -> list[str]:
        """Return the names of the blocks of one slice.

        These are, in all arrays divided along `axis`, the blocks with this index along it.
        """
        return self._slices.get((axis, index), [])

    def expect(
        self, files: Mapping[str, str | None], axis: str = "", held: range = range(0)
    ) -> None:
        """Expect these files, by digest; files other than blocks belong to `held` along `axis`."""
        for name, wanted in files.items():
            its_axis, _, its_held = self._blocks.get(name, _Place(axis, 0, held))
            self.expected[name] = _Expected(wanted, its_axis, its_held if its_axis else range(0))

    def held(self, blocks: Sequence[str]) -> range:
        """Return the range that the blocks of one slice hold along their axis."""
        return self._blocks[blocks[0]].held if blocks else range(0)

    def forget(self, names: Iterable[str]) -> None:
        """Do not expect these files: they are not written yet, or not read."""
        for name in names:
            self.expected.pop(name, None)

    def _all_blocks(self) -> Iterator[tuple[str, _Place]]:
        """Yield the blocks of all arrays, from their shapes."""
        for key, array in self.metadata.items():
            name, _, kind = key.rpartition("/")
            if kind != ".zarray":
                continue
            described = self.metadata.get(f"{name}/{_ATTRIBUTES}", {})
            axis = (described.get("_ARRAY_DIMENSIONS") or [""])[0]
            shape, chunks = array["shape"], array["chunks"]
            for index in itertools.product(*(range(-(-n // c)) for n, c in zip(shape, chunks))):
                number, held = 0, range(0)
                if index:
                    number, length = index[0], chunks[0]
                    held = range(number * length, min((number + 1) * length, shape[0]))
                block = ".".join(map(str, index)) or "0"
                yield f"{name}/{block}", _Place(axis if _is_cut(axis) else "", number, held)

    def sizes(self) -> dict[str, int]:
        """Return the lengths of the axes along which arrays are divided."""
        result: dict[str, int] = {}
        for axis, _, held in self._blocks.values():
            result[axis] = max(result.get(axis, 0), held.stop)
        return result

    def arrays(self, name: str) -> dict[str, np.ndarray]:
        """Return the arrays of an `.npz` file of the folder, after a check."""
        file, known = self.path / name, self.expected.get(name)
        try:
            if known is None or known.digest in (None, digest(file.read_bytes())):
                return read_arrays(file)
        except FileNotFoundError:
            pass
        sizes = self.sizes()
        raise refusal(self.path, [Damage(name, *(known or ("", "", range(0)))[1:])], sizes, _SKIP)

    def damages(self, prefix: str = "") -> list[Damage]:
        """Read all files, or those with a prefix; return those that are missing or changed."""
        group, result = None, []
        for name, (wanted, axis, held) in self.expected.items():
            if not name.startswith(prefix):
                continue
            file = self.path / name
            good = file.is_file() and (wanted is None or digest(file.read_bytes()) == wanted)
            if good and wanted is None and name in self._blocks:
                group = group or self.group()
                good = _decodes(group[name.rpartition("/")[0]], held)
            if not good:
                kind = _BLOCK_NAMED if name in self._blocks else ""
                result.append(Damage(f"{kind}{name}", axis, held))
        return result

    def group(self) -> Any:
        """Return the Zarr group; its blocks are checked when they are read."""
        import zarr

        from .verified import verified_store

        return zarr.open_group(verified_store(self), mode="r", zarr_format=2, use_consolidated=True)


def _decodes(array: Any, held: range) -> bool:
    try:
        array[held.start : held.stop] if held else array[...]
    except Exception:  # a codec may raise anything on damaged data
        return False
    return True


def _read_metadata(folder: Path) -> tuple[Document, Document | None, bool]:
    """Return metadata by file name, digests of blocks, and whether an earlier version sealed it.

    Raises `DamagedError` if a separate metadata file disagrees with the consolidated one.
    """
    try:
        content, sealed = read_document(folder / _METADATA)
    except FileNotFoundError:
        content, sealed = {}, False
    try:
        loose = {}
        for pattern in (".zgroup", ".zattrs", "*/.zarray", "*/.zattrs"):
            for file in sorted(folder.glob(pattern)):
                loose[file.relative_to(folder).as_posix()] = file.read_bytes()
        parsed = {}
        for name, text in loose.items():
            try:
                parsed[name] = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise _damaged(folder, name, "cannot be read") from error
        ours = "dalembert" in str(parsed.get(_ATTRIBUTES, {}).get("format"))
        if "metadata" not in content and (content or ours):
            raise _damaged(folder, _METADATA, "is gone or not what was written")
        metadata = content.get("metadata", parsed)
        _check_codecs(folder, [*metadata.items(), *parsed.items()])
        former = content.get(_FORMER)
        if former is not None and former != _sealed(metadata):
            raise _damaged(folder, _METADATA, "is not what was written")
        if sealed:
            for name, wanted in metadata.items():
                before = name == _ATTRIBUTES and content.get(_BEFORE) == digest(
                    loose.get(name, b"")
                )
                if not before and not _same(parsed.get(name), wanted):
                    raise _damaged(folder, name, "is missing or not what was written")
        return metadata, content.get(_BLOCKS, {}) if sealed else None, former is not None
    except (KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder, "metadata", "cannot be read") from error


def _same(a: object, b: object) -> bool:
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)  # NaN equals itself


def _check_codecs(folder: Path, files: Iterable[tuple[str, Any]]) -> None:
    """Raise for codecs that our stores do not use: they could run code."""
    arrays = [x for name, x in files if name.endswith(".zarray")]
    codecs = {
        codec["id"]
        for x in arrays
        for codec in [*(x["filters"] or ()), *filter(None, [x["compressor"]])]
    }
    if unknown := codecs - _CODECS:
        raise UsageError(
            f"'{folder}' uses the codec {', '.join(sorted(map(str, unknown)))}, which dalembert "
            "never writes and does not trust"
        )
