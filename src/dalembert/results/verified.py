"""A Zarr store that compares blocks with their seal when they are read; imported when needed."""

from __future__ import annotations

import json
from typing import Any

from zarr.core.buffer import default_buffer_prototype
from zarr.storage import LocalStore, WrapperStore

from ..errors import DamagedError
from . import seals


class VerifiedStore(WrapperStore[LocalStore]):
    """Serves the files of a folder: sealed metadata, and blocks that match their digests only.

    An expected block that is missing is damage; Zarr alone would fill it with NaN. A block that is
    not expected is not served, even if there is such a file.
    """

    def __init__(self, store: LocalStore, folder: seals.Folder) -> None:
        super().__init__(store)
        self._folder = folder

    def _with_store(self, store: LocalStore) -> VerifiedStore:
        return VerifiedStore(store, self._folder)

    async def get(self, key: str, prototype: Any = None, byte_range: Any = None) -> Any:
        """Return the content of a file, or None; raise `DamagedError` if it was changed."""
        folder, prototype = self._folder, prototype or default_buffer_prototype()
        known = folder.metadata.get(key)
        if key == ".zmetadata":
            known = {"metadata": folder.metadata, "zarr_consolidated_format": 1}
        if known is not None:
            return prototype.buffer.from_bytes(json.dumps(known).encode())
        if key not in folder.expected:
            return None
        wanted = folder.expected[key].digest
        result = await self._store.get(key, prototype)
        if result is None or (wanted is not None and seals.digest(result.to_bytes()) != wanted):
            raise DamagedError(f"'{folder.path}' is damaged: the block {key}", parts=[key])
        return result if byte_range is None else await self._store.get(key, prototype, byte_range)


def verified_store(folder: seals.Folder) -> Any:
    """Return the store of a folder, to be read by Zarr or xarray."""
    return VerifiedStore(LocalStore(folder.path, read_only=True), folder)
