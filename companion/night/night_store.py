"""File of the organiser: the plan and the newest state of each table, replaced atomically."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion.errors import BadInputError, JournalError
from companion.files import disk_errors, free_name, write_durably
from companion.night.messages import TableState
from companion.night.plan import NightPlan
from companion.rules.game.notation import UNREADABLE

_log = logging.getLogger(__name__)


class StoredState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """State of a table, with its number."""

    table: int
    state: TableState


class StoredNight(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of the file."""

    plan: NightPlan
    states: tuple[StoredState, ...] = ()


class NightFile:
    """File of one night in a data folder, which is created if it is missing."""

    def __init__(self, folder: Path, night: str) -> None:
        self._file = folder / f"night-{night}.json"

    def load(self) -> StoredNight | None:
        """Return the content; None if there is no file. A file with bad content is put aside.

        Raises:
            BadInputError: the file cannot be read, or its folder cannot be created.
        """
        text = "{file} cannot be read ({reason}): choose a folder with --data"
        with disk_errors(BadInputError, text, file=self._file):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            content = self._file.read_bytes() if self._file.exists() else b""
        try:
            return msgspec.json.decode(content, type=StoredNight) if content else None
        except UNREADABLE as error:
            aside = free_name(self._file.with_suffix(".damaged"))
            self._file.rename(aside)
            _log.warning("%s is damaged (%s) and is kept as %s", self._file, error, aside.name)
            return None

    def save(self, content: StoredNight) -> None:
        """Replace the file; it is on disk when this returns.

        Raises:
            JournalError: the file cannot be written; the old one stays.
        """
        text = "{file} cannot be written ({reason}): make room, then try again"
        with disk_errors(JournalError, text, file=self._file):
            write_durably(self._file, msgspec.json.encode(content))
