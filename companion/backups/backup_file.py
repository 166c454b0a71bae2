"""Backup file: a zip of a board's journal, settings and phones. It is checked before it is used.

The names of the entries are fixed. The first entry, the manifest, has the size and the SHA-256 of
every other entry. `unpack` accepts the fixed names only, stops at the size limit of each entry, and
compares size and checksum before the content is used. A zip with an entry `../settings.toml`, or
with a journal that would unpack to a terabyte, is refused.
"""

import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from companion.board import board_names, board_source, parse_board
from companion.errors import BadInputError, BoardFileError, JournalError, Text
from companion.files import disk_errors, sync_folder
from companion.journal.journal_file import VERSION as JOURNAL_VERSION
from companion.journal.reader import JournalReader
from companion.journal.replay import all_branches
from companion.journal.store import FILE as JOURNAL
from companion.settings.sources import PAGE_FILE, page_file
from companion.toml import decode, parse

FORMAT: Final = "cribwars-backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SETTINGS: Final = "settings.toml"
"""The settings file that people write by hand; the settings page writes `PAGE_FILE`."""
PHONES: Final = "phones.json"
"""The paired phones; the file has this name in the data folder too."""
BOARD: Final = "board-1.toml"
"""The board file, if the settings name the board by a path."""
LARGEST: Final = 1 << 29
"""Largest size of the journal in a backup, in bytes."""

_LARGEST_TEXT: Final = 1 << 18
_LIMITS: Final = dict.fromkeys((MANIFEST, SETTINGS, PAGE_FILE, PHONES, BOARD), _LARGEST_TEXT) | {
    JOURNAL: LARGEST
}
"""Largest size of each entry, in bytes."""
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods that are unpacked piece by piece, so that a limit can stop them."""
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


class FileNote(msgspec.Struct, frozen=True):
    """Size of an entry in bytes, and its SHA-256 in hexadecimal."""

    size: int
    sha256: str

    @classmethod
    def of(cls, file: Path) -> "FileNote":
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256")
        return cls(size=file.stat().st_size, sha256=digest.hexdigest())


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Description of a backup; every version of this format has the first two fields.

    Attributes:
        program: the version of the program.
        made: the time of the backup in seconds since the epoch.
        journal: the version of the journal's format.
        games: the number of games that have a command, such as a count, left after all undos.
        settings_board: the entry with the board file, if the settings name a board by its path.
    """

    format: str
    version: int
    program: str = ""
    made: float = 0
    journal: int = 0
    games: int = 0
    settings_board: str | None = None
    files: dict[str, FileNote] = {}


def day_of(made: float) -> str:
    """Return the day of a manifest's time, for people; "?" if the time is not a valid date."""
    with suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(made).astimezone():%Y-%m-%d}"
    return "?"


def board_of(settings: Iterable[bytes]) -> bytes | None:
    """Return the board file that the settings name by a path (the last `board` wins).

    Return None if they name none, or if it has faults: then the table plays on another board.
    """
    name: object = None
    for content in settings:
        name = parse(decode(content, "", []), "", []).get("board", name)
    if not isinstance(name, str) or name in board_names():
        return None
    try:
        board = board_source(name)
        parse_board(board, file=BOARD)
    except BoardFileError:
        return None
    return board


def back_up(data: Path, file: Path, *, settings: Path | None, now: float) -> Manifest:
    """Write journal, settings, phones and board file to a new file that only its owner may read.

    Args:
        data: the folder of the journal; the program may be running.
        file: the file to make; it is on disk when this returns, and absent after an error.
        settings: the settings file; it and `PAGE_FILE` beside it are copied if they exist.
        now: seconds since the epoch, for the manifest.

    Raises:
        BadInputError: the file exists already, or it cannot be written.
        JournalError: there is no journal, or it cannot be read.
    """
    text = "{file} cannot be written ({reason}): choose another place"
    with disk_errors(BadInputError, text, file=file):
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise BadInputError("{file} is there already: give a new name", file=file) from None
        try:
            with (
                os.fdopen(made, "wb") as content,
                tempfile.TemporaryDirectory(dir=file.parent, prefix=".cribwars-backup-") as folder,
            ):
                manifest = _gather(data, Path(folder), settings, now)
                # A clock that was never set says 1970, but the dates of a zip file begin in 1980.
                with zipfile.ZipFile(
                    content, "w", zipfile.ZIP_DEFLATED, compresslevel=6, strict_timestamps=False
                ) as bundle:
                    for name in (MANIFEST, *manifest.files):
                        bundle.write(Path(folder) / name, name)
                content.flush()
                os.fsync(made)
        except BaseException:
            file.unlink()
            raise
        sync_folder(file.absolute().parent)
    return manifest


def _gather(data: Path, folder: Path, settings: Path | None, now: float) -> Manifest:
    """Copy everything that goes into a backup to a folder, under the names of the entries."""
    with closing(JournalReader(data)) as journal:
        journal.copy_to(folder / JOURNAL)
        with journal.store() as store:
            branches = all_branches(store, at_most=store.last_seq)
            games = sum(branch.last is not None for branch in branches)
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
        games=games,
        settings_board=BOARD if board else None,
        files={found.name: FileNote.of(found) for found in sorted(folder.iterdir())},
    )
    (folder / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def read_manifest(file: Path) -> Manifest:
    """Return the manifest of a backup.

    Raises:
        BadInputError: the file is no backup.
    """
    with _opened(file) as (_, manifest):
        return manifest


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder, under the fixed names of its entries.

    Raises:
        BadInputError: the file is no backup, or the backup was changed later.
        JournalError: the disk has no room for the entries.
    """
    text = "nothing can be written in {parent} ({reason}): make room"
    with _opened(file) as (bundle, manifest):
        for name, note in manifest.files.items():
            with bundle.open(name) as entry, (folder / name).open("xb", buffering=0) as target:
                for piece in iter(partial(entry.read, _PIECE), b""):
                    with disk_errors(JournalError, text, parent=folder.parents[1]):
                        target.write(piece)
            if FileNote.of(folder / name) != note:
                raise BadInputError("its {name} is damaged", name=name)
    return manifest


@contextmanager
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a backup. Errors here and in the `with` block become one line that names the file."""
    remedy = Text("give a file that `cribwars records backup` has made")
    with disk_errors(
        BadInputError, "{file} cannot be read ({reason}): {remedy}", file=file, remedy=remedy
    ):
        try:
            with zipfile.ZipFile(file) as bundle:
                _check(bundle.infolist())
                yield bundle, _manifest(bundle)
        except BadInputError as error:
            text = "{file} is no backup to restore ({error}): {remedy}"
            raise BadInputError(text, file=file, error=error, remedy=remedy) from None
        except _UNREADABLE:
            text = "{file} is no backup to restore (no zip file, or a damaged one): {remedy}"
            raise BadInputError(text, file=file, remedy=remedy) from None


def _check(infos: Sequence[zipfile.ZipInfo]) -> None:
    """Check the names and sizes of the entries before any content is read."""
    names = {info.filename for info in infos}
    for info in infos:
        name = info.filename
        if name not in _LIMITS:
            raise BadInputError(
                "it contains {name}, which is not part of a backup", name=repr(name[:40])
            )
        if info.compress_type not in _PACKED:
            raise BadInputError("its {name} is packed in an unknown way", name=name)
        if info.file_size > _LIMITS[name]:
            raise BadInputError("its {name} is too large", name=name)
    if len(names) < len(infos):
        raise BadInputError("it has an entry twice")
    for name in (MANIFEST, JOURNAL):
        if name not in names:
            raise BadInputError("it has no {name}", name=name)


def _manifest(bundle: zipfile.ZipFile) -> Manifest:
    info = bundle.getinfo(MANIFEST)
    with bundle.open(info) as entry:  # the entry may unpack to more bytes than its size says
        manifest = msgspec.json.decode(entry.read(info.file_size), type=Manifest)
    if manifest.format != FORMAT:
        raise BadInputError("its manifest is not that of a backup")
    if manifest.version != VERSION:
        text = "its version is {version}, this program reads {known}"
        raise BadInputError(text, version=manifest.version, known=VERSION)
    if {MANIFEST, *manifest.files} != {*bundle.namelist()}:
        raise BadInputError("its entries differ from those in its manifest")
    if manifest.settings_board not in (None, *manifest.files):
        raise BadInputError("the board of its settings is missing")
    return manifest
