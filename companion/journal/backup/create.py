"""Backup: journal, settings, phones and boards in one file. The table may be running."""

import os
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path

import msgspec

from companion.board import board_names, board_source
from companion.errors import BadInputError, BoardFileError
from companion.files import disk_errors, sync_folder
from companion.journal.backup.archive import (
    FORMAT,
    MANIFEST,
    MOST_BOARDS,
    PHONES,
    SETTINGS,
    VERSION,
    Manifest,
    board_entry,
    note_of,
)
from companion.journal.reader import JournalReader
from companion.journal.schema import VERSION as JOURNAL_VERSION
from companion.journal.store import FILE as JOURNAL
from companion.settings.sources import PAGE_FILE, page_file

_COMPRESSION_LEVEL = 6


def back_up(data: Path, file: Path, *, settings: Path | None, now: float) -> Manifest:
    """Write all that a table is made of to one new file, which its owner alone may read.

    Args:
        data: the folder of the journal.
        file: is made, whole or not at all; it is on disk when this returns.
        settings: the settings file; it goes in as it is, if it is there, and the page's beside it.
        now: seconds since the epoch, for the manifest.

    Raises:
        BadInputError: the file is there already, or it cannot be written.
        JournalError: there is no journal, or it cannot be read.
    """
    text = "{file} cannot be written ({reason}): choose another place"
    with (
        disk_errors(BadInputError, text, file),
        tempfile.TemporaryDirectory(dir=file.parent, prefix=".cribwars-backup-") as folder,
    ):
        manifest = _gather(data, Path(folder), settings, now)
        _pack(Path(folder), manifest, file)
    return manifest


def _gather(data: Path, folder: Path, settings: Path | None, now: float) -> Manifest:
    """Copy what belongs into a backup into a folder, under the names that it has there."""
    with closing(JournalReader(data)) as journal:
        journal.copy_to(folder / JOURNAL)
    with closing(JournalReader(folder)) as copied:
        boards, branches = copied.board_files(), copied.branches()
    places = {SETTINGS: settings, PAGE_FILE: page_file(settings)} if settings else {}
    contents = {name: file.read_bytes() for name, file in places.items() if file.is_file()}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    settings_board = board_of(contents.values())
    with suppress(FileNotFoundError):
        (folder / PHONES).write_bytes((data / PHONES).read_bytes())
    others = [board for board in boards if board != settings_board]
    boards = [*others, *filter(None, [settings_board])][-MOST_BOARDS:]
    for number, board in enumerate(boards, start=1):
        (folder / board_entry(number)).write_bytes(board)
    return Manifest(
        format=FORMAT,
        version=VERSION,
        program=version("cribwars"),
        made=now,
        journal=JOURNAL_VERSION,
        games=sum(branch.last is not None for branch in branches),
        settings_board=board_entry(len(boards)) if settings_board else None,
        files={found.name: note_of(found) for found in sorted(folder.iterdir())},
    )


def board_of(settings: Iterable[bytes]) -> bytes | None:
    """Return the board file that settings files name by its path, the last of them; or None."""
    name = None
    try:
        for content in settings:
            name = tomllib.loads(content.decode()).get("board", name)
        if not isinstance(name, str) or name in board_names():
            return None
        return board_source(name)
    except (ValueError, BoardFileError):
        return None


def _pack(folder: Path, manifest: Manifest, file: Path) -> None:
    """Make the file of what a folder holds; an unfinished one is deleted."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInputError("{file} is there already: give a new name", file) from None
    try:
        with (
            os.fdopen(descriptor, "wb") as content,
            zipfile.ZipFile(
                content,
                "w",
                zipfile.ZIP_DEFLATED,
                compresslevel=_COMPRESSION_LEVEL,
                strict_timestamps=False,  # a clock that was never set is in 1970, a ZIP file not
            ) as bundle,
        ):
            note = folder / MANIFEST
            note.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
            bundle.write(note, MANIFEST)
            for name in manifest.files:
                bundle.write(folder / name, name)
            bundle.close()
            content.flush()
            os.fsync(descriptor)
        sync_folder(file.absolute().parent)
    except BaseException:
        file.unlink()
        raise
