"""The figures of finished games, kept beside the journal: computed once, and again if damaged."""

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

FILE: Final = "records-kept.msgpack"
VERSION: Final = b"3"
"""Version of `GameFigures`, part of the checksum; raised when their meaning changes."""
_CHECKSUM_BYTES: Final = 16


def load_figures(folder: Path) -> dict[str, msgspec.Raw]:
    """Return the `GameFigures` kept, by key, in MessagePack.

    There are none in a file that is damaged or of another version.
    """
    with suppress(OSError, msgspec.MsgspecError):
        stored = memoryview((folder / FILE).read_bytes())
        checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
        if checksum == _checksum(content):
            return msgspec.msgpack.decode(content, type=dict[str, msgspec.Raw])
    return {}


def save_figures(folder: Path, games: Mapping[str, msgspec.Raw]) -> None:
    """Replace the figures kept; where nothing can be written, nothing is."""
    content = msgspec.msgpack.encode(games)
    new = folder / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        try:
            new.write_bytes(_checksum(content) + content)
            new.replace(folder / FILE)
        finally:
            new.unlink(missing_ok=True)


def _checksum(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM_BYTES, person=VERSION).digest()
