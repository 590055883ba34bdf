"""Check where files may be written, and replace older files atomically."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from .errors import StoreError, UsageError

PathLike = str | os.PathLike[str]

FORMATS = (".zarr", ".nc", ".csv")  # formats of saved results; `load` reads all but CSV
NEEDS = {".zarr": ("xarray", "zarr"), ".nc": ("xarray", "h5netcdf", "h5py"), ".csv": ()}


def check_writable(path: PathLike, suffixes: Sequence[str] = FORMATS) -> Path:
    """Raise `UsageError` if a file could not be written there; called before a run, not after it.

    Returns the path with symbolic links resolved.
    """
    target = Path(path)
    suffix = known_suffix(target, suffixes)
    require(*NEEDS.get(suffix, ()))
    if len(target.name.encode()) > 255 or "\0" in str(target):  # what file systems take
        raise UsageError(f"cannot write '{target.name[:40]}...': this is not a valid file name")
    target = target.resolve()
    folder = target.parent
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise UsageError(f"cannot write '{path}': the folder '{folder}' {what}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write '{path}': no permission to write in '{folder}'")
    if suffix == ".zarr":
        if target.exists() and not _is_zarr(target):
            raise UsageError(f"cannot write '{path}': it exists and is not a Zarr store")
    elif target.is_dir():
        raise UsageError(f"cannot write '{path}': it is a folder")
    return target


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside `target` to write to; move it over `target` on success.

    A crash therefore leaves the old file, or none, but never a partial file. A full disk, or any
    other `OSError`, is raised as a `StoreError`.
    """
    unique = uuid.uuid4().hex[:8]
    temporary = target.with_name(f".{target.stem}.{unique}{target.suffix}")
    retired = target.with_name(f".{target.stem}.{unique}.old")
    try:
        yield temporary
        if target.is_dir():  # a folder cannot be renamed over another one
            os.rename(target, retired)
        try:
            os.replace(temporary, target)
        except BaseException:
            if retired.exists():
                os.rename(retired, target)
            raise
    except StoreError:
        raise
    except OSError as error:
        kept = "; what was there before is untouched" if target.exists() else ""
        why = error.strerror or str(error)
        raise StoreError(f"cannot write '{target.name}': {why}{kept}") from error
    finally:
        for leftover in (temporary, retired):
            _removed(leftover)


def _removed(path: Path) -> None:
    if not path.is_dir():
        path.unlink(missing_ok=True)
        return
    # other writers of chunks may still run for a moment and create files again: retry for 1 s
    for _ in range(20):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return
        time.sleep(0.05)


def known_suffix(path: Path, suffixes: Sequence[str]) -> str:
    """Return the suffix in lower case; raise `UsageError` if it is not one of `suffixes`."""
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise UsageError(
            f"'{path}' has {f'the unknown suffix {path.suffix!r}' if suffix else 'no suffix'}; "
            f"known: {', '.join(suffixes)}"
        )
    return suffix


def require(*packages: str) -> None:
    """Raise a `UsageError` that says what to install if a package for files is missing."""
    missing = [p for p in packages if importlib.util.find_spec(p) is None]
    if missing:
        raise UsageError(f'this needs {" and ".join(missing)}: pip install "dalembert[io]"')


def _is_zarr(path: Path) -> bool:
    return any((path / name).is_file() for name in (".zgroup", "zarr.json"))
