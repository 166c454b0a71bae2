"""Backup: journal, settings and the boards played on, in one file. The table may be running."""

from __future__ import annotations

import os
import tempfile
import tomllib
import zipfile
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import msgspec

from companion.board import board_names, board_source
from companion.errors import BadInputError, BoardFileError, JournalError
from companion.journal.backup.archive import (
    FORMAT,
    MANIFEST,
    MOST_BOARDS,
    SETTINGS,
    VERSION,
    Manifest,
    board_entry,
    note_of,
)
from companion.journal.reader import JournalFile
from companion.journal.schema import VERSION as JOURNAL_VERSION
from companion.journal.writer import FILE as JOURNAL

_PACKED_WELL = 6
"""What zlib thinks a good balance of time and size."""


def back_up(data: Path, file: Path, *, settings: Path | None, now: float) -> Manifest:
    """Put all that a table is made of into one new file, which its owner alone may read.

    Args:
        data: the folder of the journal.
        file: is made, whole or not at all.
        settings: the settings file; it goes in as it is, if it is there.
        now: seconds since the epoch, for the manifest.

    Raises:
        BadInputError: the file is there already, or it cannot be written.
        JournalError: there is no journal, or it cannot be read.
    """
    try:
        with tempfile.TemporaryDirectory(dir=file.parent, prefix=".cribwars-backup-") as folder:
            manifest = _gather(data, Path(folder), settings, now)
            _pack(Path(folder), manifest, file)
    except FileExistsError:
        raise BadInputError(f"{file} is there already: give a new name") from None
    except JournalError:
        raise
    except OSError as error:
        text = f"{file} cannot be written ({error.strerror}): choose another place"
        raise BadInputError(text) from None
    return manifest


def _gather(data: Path, folder: Path, settings: Path | None, now: float) -> Manifest:
    """Copy what belongs into a backup into a folder, under the names that it has there."""
    with closing(JournalFile(data)) as journal:
        journal.copy_to(folder / JOURNAL)
    with closing(JournalFile(folder)) as copied:
        boards, chapters = copied.board_files(), copied.chapters()
    settings_board = None
    if settings is not None and settings.is_file():
        content = settings.read_bytes()
        (folder / SETTINGS).write_bytes(content)
        settings_board = _board_of(content)
    boards = _newest_of([board for board in boards if board != settings_board], settings_board)
    for number, board in enumerate(boards, start=1):
        (folder / board_entry(number)).write_bytes(board)
    return Manifest(
        format=FORMAT,
        version=VERSION,
        program=version("cribwars"),
        made=now,
        journal=JOURNAL_VERSION,
        games=sum(chapter.last is not None for chapter in chapters),
        settings_board=board_entry(len(boards)) if settings_board else None,
        files={found.name: note_of(found) for found in sorted(folder.iterdir())},
    )


def _newest_of(boards: list[bytes], last: bytes | None) -> list[bytes]:
    """As many boards as a backup may hold, `last` at the end if there is one."""
    kept = [*boards, last] if last else boards
    return kept[-MOST_BOARDS:]


def _board_of(settings: bytes) -> bytes | None:
    """The board file that settings name by its path; None if they do not, or it is not there."""
    try:
        name = tomllib.loads(settings.decode()).get("board")
        if not isinstance(name, str) or name in board_names():
            return None
        return board_source(name)
    except (ValueError, BoardFileError):
        return None


def _pack(folder: Path, manifest: Manifest, file: Path) -> None:
    """Make the file out of what a folder holds; what cannot be finished is taken away."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with (
            os.fdopen(descriptor, "wb") as content,
            zipfile.ZipFile(
                content, "w", zipfile.ZIP_DEFLATED, compresslevel=_PACKED_WELL
            ) as bundle,
        ):
            bundle.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            for name in manifest.files:
                bundle.write(folder / name, name)
    except BaseException:
        file.unlink()
        raise
