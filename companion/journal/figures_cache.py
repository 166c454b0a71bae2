"""The figures of finished games, kept beside the journal: computed once, and again if damaged."""

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from companion.journal.side_statistics import VERSION

FILE: Final = "records-kept.msgpack"
_CHECKSUM_BYTES: Final = 16


class _Content(msgspec.Struct, frozen=True):
    version: int
    games: dict[str, msgspec.Raw]


def load_figures(folder: Path) -> dict[str, msgspec.Raw]:
    """Return the `GameFigures` kept, by key, in MessagePack.

    There are none in a file that is damaged or of another version.
    """
    with suppress(OSError, msgspec.MsgspecError):
        stored = memoryview((folder / FILE).read_bytes())
        checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
        if checksum == _checksum(content):
            found = msgspec.msgpack.decode(content, type=_Content)
            return found.games if found.version == VERSION else {}
    return {}


def save_figures(folder: Path, games: Mapping[str, msgspec.Raw]) -> None:
    """Replace the figures kept; where nothing can be written, nothing is."""
    content = msgspec.msgpack.encode(_Content(version=VERSION, games=dict(games)))
    new = folder / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        try:
            new.write_bytes(_checksum(content) + content)
            new.replace(folder / FILE)
        finally:
            new.unlink(missing_ok=True)


def _checksum(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM_BYTES).digest()
