"""Checks of what a backup holds: all of it is read as the program will read it later."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec

from companion.board import parse_board
from companion.errors import (
    BadInputError,
    BoardFileError,
    CompanionError,
    SettingsError,
    first_line,
)
from companion.journal.backup.archive import PHONES, SETTINGS, Manifest
from companion.journal.records import Records
from companion.journal.schema import check_content, check_version
from companion.journal.store import FILE as JOURNAL
from companion.settings.load import load_settings
from companion.settings.sources import PAGE_FILE


def check(manifest: Manifest, folder: Path) -> tuple[str, ...]:
    """Check every file of an unpacked backup; return a line for each game that is damaged there.

    Raises:
        BadInputError: the first thing that is wrong, on one line.
    """
    faults = _check_journal(folder)
    _check_settings(folder / SETTINGS)
    for name in manifest.files:
        if name == PHONES:
            _check_phones(folder / name)
        elif name not in (JOURNAL, SETTINGS, PAGE_FILE):
            _check_board(folder / name)
    return faults


def _check_journal(folder: Path) -> tuple[str, ...]:
    """Check that the file is sound and holds a journal; return what is damaged in its games."""
    try:
        with closing(sqlite3.connect(folder / JOURNAL)) as database:
            check_content(database)
            check_version(database)
        with Records(folder) as records:
            games, faults = records.games(), records.faults
    except (CompanionError, sqlite3.Error) as error:
        why = first_line(error.__cause__ or error)
        raise BadInputError("its journal cannot be read: {why}", why) from error
    if faults and not games:
        raise BadInputError("its journal cannot be read: {faults}", faults[0])
    return tuple(faults)


def _check_settings(file: Path) -> None:
    try:
        load_settings(file, {}, required=False)
    except SettingsError as error:
        # The files lie elsewhere while they are looked at.
        first = replace(error.faults[0], file="")
        raise BadInputError("its settings: {first}", first) from error


def _check_phones(file: Path) -> None:
    try:
        msgspec.json.decode(file.read_bytes(), type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInputError("its phones cannot be read: {error}", error) from error


def _check_board(file: Path) -> None:
    try:
        parse_board(file.read_bytes(), file=file.name)
    except BoardFileError as error:
        raise BadInputError("its boards: {faults}", error.faults[0]) from error
