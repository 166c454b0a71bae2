"""The file of a backup: all of a table in one zip, which is read without trusting it.

Names are fixed, sizes bounded before an entry is read, and each entry must agree with the manifest.
"""

import hashlib
import os
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from companion.board import board_names, board_source
from companion.errors import BadInputError, BoardFileError, JournalError
from companion.files import disk_errors, sync_folder
from companion.journal.reader import JournalReader
from companion.journal.schema import VERSION as JOURNAL_VERSION
from companion.journal.store import FILE as JOURNAL
from companion.settings.sources import PAGE_FILE, page_file

FORMAT: Final = "cribwars-backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SETTINGS: Final = "settings.toml"
"""The settings file; the page's has its own name."""
PHONES: Final = "phones.json"
"""The paired phones, beside the journal as in a backup."""
BOARD: Final = "board-1.toml"
"""The board that the settings name by its path."""
LARGEST: Final = 1 << 29
"""Bytes that a backup may have, packed as well as unpacked."""

_LARGEST_TEXT: Final = 1 << 18
_ENCRYPTED: Final = 0x1
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE: Final = 1 << 20
_UNREADABLE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    msgspec.MsgspecError,
)
"""Errors for a file that is not a zip, is truncated, corrupt or encrypted, or uses an unsupported
compression."""


class FileNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Size of an entry in bytes, and its SHA-256 in hexadecimal."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Description of a backup, its first entry.

    `made` is in seconds since the epoch, `program` the version that made it, `journal` the version
    of the journal's tables, `games` how many it tells of. `settings_board` is the entry with the
    board file that the settings name by its path, if they do.
    """

    format: str
    version: int
    program: str
    made: float
    journal: int
    games: int
    settings_board: str | None
    files: dict[str, FileNote]


class _Head(msgspec.Struct, frozen=True):
    """Fields that every version of a manifest has."""

    format: str
    version: int


def day_of(made: float) -> str:
    """Return the day of a manifest's time, for people; "?" of one that no calendar has."""
    with suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(made).astimezone():%Y-%m-%d}"
    return "?"


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


def back_up(data: Path, file: Path, *, settings: Path | None, now: float) -> Manifest:
    """Write all that a table is made of to one new file, which its owner alone may read.

    Args:
        data: the folder of the journal; the table may be running.
        file: is made, whole or not at all; it is on disk when this returns.
        settings: the settings file; it goes in as it is, if it is there, and the page's beside it.
        now: seconds since the epoch, for the manifest.

    Raises:
        BadInputError: the file is there already, or it cannot be written.
        JournalError: there is no journal, or it cannot be read.
    """
    if file.exists():
        raise BadInputError("{file} is there already: give a new name", file=file)
    text = "{file} cannot be written ({reason}): choose another place"
    with (
        disk_errors(BadInputError, text, file=file),
        tempfile.TemporaryDirectory(dir=file.parent, prefix=".cribwars-backup-") as folder,
    ):
        manifest = _gather(data, Path(folder), settings, now)
        _pack(Path(folder), (MANIFEST, *manifest.files), file)
    return manifest


def _gather(data: Path, folder: Path, settings: Path | None, now: float) -> Manifest:
    with closing(JournalReader(data)) as journal:
        journal.copy_to(folder / JOURNAL)
    with closing(JournalReader(folder)) as copied:
        branches = copied.branches()
    files = {PHONES: data / PHONES}
    if settings:
        files |= {SETTINGS: settings, PAGE_FILE: page_file(settings)}
    contents = {name: file.read_bytes() for name, file in files.items() if file.is_file()}
    board = board_of(contents[name] for name in (SETTINGS, PAGE_FILE) if name in contents)
    if board:
        contents[BOARD] = board
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    manifest = Manifest(
        format=FORMAT,
        version=VERSION,
        program=version("cribwars"),
        made=now,
        journal=JOURNAL_VERSION,
        games=sum(branch.last is not None for branch in branches),
        settings_board=BOARD if board else None,
        files={found.name: _note_of(found) for found in sorted(folder.iterdir())},
    )
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _pack(folder: Path, names: Iterable[str], file: Path) -> None:
    """Make the file of what a folder beside it holds."""
    new = folder / "backup.zip"
    new.touch(0o600)
    with new.open("wb") as content:
        # A clock that was never set is in 1970, which a zip file cannot name.
        with zipfile.ZipFile(
            content, "w", zipfile.ZIP_DEFLATED, compresslevel=6, strict_timestamps=False
        ) as bundle:
            for name in names:
                bundle.write(folder / name, name)
        content.flush()
        os.fsync(content.fileno())
    new.rename(file)
    sync_folder(file.absolute().parent)


def _note_of(file: Path) -> FileNote:
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256")
    return FileNote(size=file.stat().st_size, sha256=digest.hexdigest())


def read_manifest(file: Path) -> Manifest:
    """Return what a backup says of itself.

    Raises:
        BadInputError: it is no backup.
    """
    with _judging(file), zipfile.ZipFile(file) as bundle:
        return _manifest(bundle, _entries(bundle))


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder, under its own fixed names.

    Raises:
        BadInputError: it is no backup, or not as it was made.
        JournalError: there is no room for it.
    """
    with _judging(file):
        if file.stat().st_size > LARGEST:
            raise BadInputError("it has more than {largest} MB", largest=LARGEST >> 20)
        with zipfile.ZipFile(file) as bundle:
            infos = _entries(bundle)
            manifest = _manifest(bundle, infos)
            for name, note in manifest.files.items():
                _unpack(bundle, infos[name], note, folder / name)
    return manifest


def _entries(bundle: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the entries by name, after a check of names and sizes."""
    infos = {info.filename: info for info in bundle.infolist()}
    if len(infos) < len(bundle.infolist()):
        raise BadInputError("it holds an entry twice")
    for name, info in infos.items():
        if name not in (MANIFEST, JOURNAL, SETTINGS, PAGE_FILE, PHONES, BOARD):
            raise BadInputError("it holds {name}, which no backup does", name=repr(name[:40]))
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _PACKED:
            raise BadInputError("its {name} is packed in another way", name=name)
        if info.file_size > (LARGEST if name == JOURNAL else _LARGEST_TEXT):
            raise BadInputError("its {name} is larger than it may be", name=name)
    for name in (MANIFEST, JOURNAL):
        if name not in infos:
            raise BadInputError("it has no {name}", name=name)
    return infos


def _manifest(bundle: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo]) -> Manifest:
    with bundle.open(infos[MANIFEST]) as entry:  # which may unpack to more than its size says
        content = entry.read(infos[MANIFEST].file_size)
    head = msgspec.json.decode(content, type=_Head)
    if head.format != FORMAT:
        raise BadInputError("its manifest is that of something else")
    if head.version != VERSION:
        text = "its version is {version}, this program reads {known}"
        raise BadInputError(text, version=head.version, known=VERSION)
    manifest = msgspec.json.decode(content, type=Manifest)
    if manifest.files.keys() != infos.keys() - {MANIFEST}:
        raise BadInputError("its entries are not those of its manifest")
    if manifest.settings_board and manifest.settings_board not in manifest.files:
        raise BadInputError("the board of its settings is missing")
    return manifest


def _unpack(bundle: zipfile.ZipFile, info: zipfile.ZipInfo, note: FileNote, target: Path) -> None:
    """Write an entry to a new file; `BadInputError` if it is not what the manifest says."""
    digest = hashlib.sha256()
    size = 0
    text = "nothing can be written in {parent} ({reason}): make room"
    with bundle.open(info) as entry, target.open("xb") as file:
        while piece := entry.read(_PIECE):
            digest.update(piece)
            size += len(piece)
            with disk_errors(JournalError, text, parent=target.parents[2]):
                file.write(piece)
                file.flush()
    if FileNote(size=size, sha256=digest.hexdigest()) != note:
        raise BadInputError("its {filename} is not as it was packed", filename=info.filename)


@contextmanager
def _judging(file: Path) -> Iterator[None]:
    remedy = "give a file that `cribwars records backup` has made"
    with disk_errors(
        BadInputError, "{file} cannot be read ({reason}): {remedy}", file=file, remedy=remedy
    ):
        try:
            yield
        except BadInputError as error:
            text = "{file} is no backup to restore ({error}): {remedy}"
            raise BadInputError(text, file=file, error=error, remedy=remedy) from None
        except _UNREADABLE:
            text = "{file} is no backup to restore (no zip file, or a damaged one): {remedy}"
            raise BadInputError(text, file=file, remedy=remedy) from None
