"""The one file of a backup: what may lie in it, and how it is read without trusting it.

Its names are fixed, its sizes bounded before anything is read, and what the manifest says of an
entry must be so to the byte.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct
from typing import IO, Final

import msgspec

from companion.errors import BadInputError, JournalError
from companion.journal.writer import FILE as JOURNAL

FORMAT: Final = "cribwars-backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
SETTINGS: Final = "settings.toml"
MOST_BOARDS: Final = 99
LARGEST: Final = 1 << 29
"""Bytes that a backup may have, packed as well as unpacked."""

_BOARD: Final = re.compile(r"board-[1-9][0-9]?\.toml")
_LARGEST_TEXT: Final = 1 << 18
_DIRECTORY_ENTRY: Final = 128
"""More bytes than the zip's own directory needs for one of our names."""
_END: Final = Struct("<4s4H2LH")
_LOCATOR_64: Final = (20, b"PK\x06\x07")
"""What stands before the end of a zip with more room than ours ever need."""
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
"""What reading a zip raises that is none, or is cut, damaged, encrypted or packed unknown ways."""


class FileNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an entry must be: its bytes, and their SHA-256 in hexadecimal."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a backup says of itself.

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
    """What every version of a manifest has."""

    format: str
    version: int


def board_entry(number: int) -> str:
    """The name of a board's entry, from 1."""
    return f"board-{number}.toml"


def note_of(file: Path) -> FileNote:
    """What a manifest says of a file."""
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256")
    return FileNote(size=file.stat().st_size, sha256=digest.hexdigest())


def unpack(file: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder, under its own fixed names.

    Raises:
        BadInputError: it is no backup, or not as it was made.
        JournalError: there is no room for it.
    """
    with _judging(file), file.open("rb") as content:
        _check_end(content)
        with zipfile.ZipFile(content) as bundle:
            infos = _entries(bundle)
            manifest = _manifest(bundle, infos)
            for name, note in manifest.files.items():
                _unpack(bundle, infos[name], note, folder / name)
    return manifest


def _check_end(content: IO[bytes]) -> None:
    """Look at a zip's last bytes, so that its directory is not read before it is known small."""
    size = content.seek(0, 2)
    if size > LARGEST:
        raise BadInputError(f"it has more than {LARGEST >> 20} MB")
    before, mark = _LOCATOR_64
    content.seek(max(0, size - _END.size - before))
    tail = content.read()
    if len(tail) < _END.size or tail.startswith(mark):
        raise zipfile.BadZipFile
    signature, _, _, _, entries, directory, _, comment = _END.unpack(tail[-_END.size :])
    if signature != b"PK\x05\x06" or comment:
        raise zipfile.BadZipFile
    most = MOST_BOARDS + 3
    if entries > most or directory > most * _DIRECTORY_ENTRY:
        raise BadInputError("it holds more than a backup does")


def _entries(bundle: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The entries by name, each one that a backup may have and no larger than it may be."""
    infos = {info.filename: info for info in bundle.infolist()}
    if len(infos) < len(bundle.infolist()):
        raise BadInputError("it holds an entry twice")
    for name, info in infos.items():
        if name not in (MANIFEST, JOURNAL, SETTINGS) and not _BOARD.fullmatch(name):
            raise BadInputError(f"it holds {name[:40]!r}, which no backup does")
        if info.flag_bits & _ENCRYPTED or info.compress_type not in _PACKED:
            raise BadInputError(f"its {name} is packed in another way")
        if info.file_size > (LARGEST if name == JOURNAL else _LARGEST_TEXT):
            raise BadInputError(f"its {name} is larger than it may be")
    for name in (MANIFEST, JOURNAL):
        if name not in infos:
            raise BadInputError(f"it has no {name}")
    return infos


def _manifest(bundle: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo]) -> Manifest:
    content = b"".join(_pieces(bundle, infos[MANIFEST]))
    head = msgspec.json.decode(content, type=_Head)
    if head.format != FORMAT:
        raise BadInputError("its manifest is that of something else")
    if head.version != VERSION:
        raise BadInputError(f"its version is {head.version}, this program reads {VERSION}")
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
    with _writing(target):
        file = target.open("xb")
    with file:
        for piece in _pieces(bundle, info):
            digest.update(piece)
            size += len(piece)
            with _writing(target):
                file.write(piece)
                file.flush()
    if FileNote(size=size, sha256=digest.hexdigest()) != note:
        raise BadInputError(f"its {info.filename} is not as it was packed")


def _pieces(bundle: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    """An entry's bytes; a zip ends each at the size that its directory tells, which was judged."""
    with bundle.open(info) as entry:
        while piece := entry.read(_PIECE):
            yield piece


@contextmanager
def _judging(file: Path) -> Iterator[None]:
    remedy = "give a file that `cribwars records backup` has made"
    try:
        yield
    except BadInputError as error:
        raise BadInputError(f"{file} is no backup to restore ({error}): {remedy}") from None
    except JournalError:
        raise
    except _UNREADABLE:
        text = f"{file} is no backup to restore (no zip file, or a damaged one): {remedy}"
        raise BadInputError(text) from None
    except OSError as error:
        raise BadInputError(f"{file} cannot be read ({error.strerror}): {remedy}") from None


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Tell a disk without room from a backup that cannot be read."""
    try:
        yield
    except OSError as error:
        text = f"nothing can be written in {target.parent.parent} ({error.strerror}): make room"
        raise JournalError(text) from None
