"""Figures of games that are over, kept in a file beside the journal: folding them takes seconds.

Nothing is lost with it: what is missing, damaged or from another program is made anew.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.records.figures import VERSION, GameFigures

FILE: Final = "records-kept.msgpack"


class _Kept(msgspec.Struct, frozen=True):
    version: int
    games: dict[str, GameFigures]


def load_kept(folder: Path) -> dict[str, GameFigures]:
    """What is kept, by a key that stands for one state of one game; nothing if it cannot be had."""
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.msgpack.decode((folder / FILE).read_bytes(), type=_Kept)
        if kept.version == VERSION:
            return kept.games
    return {}


def keep(folder: Path, games: Mapping[str, GameFigures]) -> None:
    """Keep these instead of what was kept; where nothing can be written, nothing is."""
    content = msgspec.msgpack.encode(_Kept(version=VERSION, games=dict(games)))
    new = folder / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        try:
            new.write_bytes(content)
            new.replace(folder / FILE)
        finally:
            new.unlink(missing_ok=True)
