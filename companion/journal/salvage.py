"""Rows read from the bytes of a damaged journal, without its tables and indexes.

Whatever looks like the record of a row is one if its checksum agrees, wherever in the file it lies.
The format is that of https://sqlite.org/fileformat2.html: the size and the number of a row, the
types of its values, the values; and pages with the rest of what does not fit into one.
"""

import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.journal.store import CHECKSUM_BYTES, GameRow, LogRow, sound_row

_PAGE: Final = 4096
"""Bytes of a page; SQLite's default, which this program never changes."""
_MOST_IN_PAGE: Final = _PAGE - 35
_LEAST_IN_PAGE: Final = (_PAGE - 12) * 32 // 255 - 23
_WAL_HEADER: Final = struct.Struct(">8L")
_FRAME: Final = struct.Struct(">LL2L8x")

# A record begins with its own size and the types of its values, of which the first, the row's
# number, is NULL: that stands before the record.
_INTEGER: Final = rb"[\x01-\x06\x08\x09]"
_NUMBER: Final = rb"[\x01-\x09]"
_TEXT: Final = rb"[\x80-\xff]{0,3}[\x00-\x7f]"
_CHECKSUM: Final = re.escape(bytes([12 + 2 * CHECKSUM_BYTES]))
_LOG: Final = re.compile(
    rb"[\x09-\x10]\x00(?=" + _INTEGER * 3 + _NUMBER + _TEXT * 2 + _CHECKSUM + rb")"
)
_GAME: Final = re.compile(
    rb"[\x07-\x10]\x00(?=" + _NUMBER + _INTEGER + _TEXT * 2 + _CHECKSUM * 2 + rb")"
)
_INTEGER_BYTES: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
_REAL: Final = 7
_ONE: Final = 9
_FIRST_BLOB: Final = 12
_NUMBER_BYTES: Final = 5
"""Bytes of the largest number of a row that is looked for."""
_FIELDS_OF_LOG: Final = 8
_FIELDS_OF_GAME: Final = 7


def salvage(journal: Path) -> tuple[list[tuple[GameRow, bytes]], list[LogRow]]:
    """Return every game with its board file, and every command, whose checksums agree.

    Raises:
        OSError: the file cannot be read.
    """
    content = _image(journal)
    games = {row.number: (row, board_file) for row, board_file in _games(content)}
    log = {row.seq: row for row in _log_rows(content)}
    return [games[number] for number in sorted(games)], [log[seq] for seq in sorted(log)]


def _image(journal: Path) -> bytes:
    """Return the pages of a journal, with those that were committed beside it."""
    pages = bytearray(journal.read_bytes())
    with suppress(FileNotFoundError):
        for number, page in _committed(Path(f"{journal}-wal").read_bytes()):
            end = number * _PAGE
            pages.extend(bytes(max(0, end - len(pages))))
            pages[end - _PAGE : end] = page
    return bytes(pages)


def _committed(wal: bytes) -> list[tuple[int, bytes]]:
    """Return the pages of a write-ahead log up to its last commit, by number."""
    if len(wal) < _WAL_HEADER.size:
        return []
    salt = _WAL_HEADER.unpack_from(wal)[4:6]
    frames, whole = list[tuple[int, bytes]](), 0
    for offset in range(_WAL_HEADER.size, len(wal) - _PAGE, _FRAME.size + _PAGE):
        number, commits, *salts = _FRAME.unpack_from(wal, offset)
        if tuple(salts) != salt or not 0 < number <= len(wal):
            break
        frames.append((number, wal[offset + _FRAME.size :][:_PAGE]))
        whole = len(frames) if commits else whole
    return frames[:whole]


def _log_rows(content: bytes) -> Iterator[LogRow]:
    for match in _LOG.finditer(content):
        for seq, values in _candidates(content, match.start(), _FIELDS_OF_LOG):
            if row := sound_row([seq, *values[:-1]], values[-1], LogRow):
                yield row


def _games(content: bytes) -> Iterator[tuple[GameRow, bytes]]:
    for match in _GAME.finditer(content):
        for number, (t, begun_by, board_file, setup, board_checksum, checksum) in _candidates(
            content, match.start(), _FIELDS_OF_GAME
        ):
            content_values = number, t, begun_by, setup, board_checksum
            if row := sound_row(content_values, checksum, GameRow):
                yield row, board_file


def _candidates(content: bytes, at: int, fields: int) -> Iterator[tuple[int, list[Any]]]:
    """Yield the values of a record, with each number that may stand before it."""
    try:
        values = _values(content, at, fields)
    except (IndexError, KeyError, struct.error):
        return
    for length in range(1, _NUMBER_BYTES + 1):
        number, end = _varint(content, at - length)
        if end == at:
            yield number, values


def _values(content: bytes, at: int, fields: int) -> list[Any]:
    types, offset, end = list[int](), at + 1, at + content[at]
    while offset < end:
        kind, offset = _varint(content, offset)
        types.append(kind)
    if len(types) != fields:
        raise IndexError
    payload = _payload(content, at, content[at] + sum(map(_size, types)))
    values, offset = list[Any](), content[at]
    for kind in types[1:]:
        values.append(_value(kind, payload[offset : offset + _size(kind)]))
        offset += _size(kind)
    return values


def _payload(content: bytes, at: int, size: int) -> bytes:
    """Return a record's bytes: those in its page, and the rest from the pages chained to it."""
    if size > len(content):
        raise IndexError
    if size <= _MOST_IN_PAGE:
        return content[at : at + size]
    local = _LEAST_IN_PAGE + (size - _LEAST_IN_PAGE) % (_PAGE - 4)
    local = local if local <= _MOST_IN_PAGE else _LEAST_IN_PAGE
    found = content[at : at + local]
    (page,) = struct.unpack_from(">L", content, at + local)
    while len(found) < size:
        if not 0 < page <= len(content) // _PAGE:
            raise IndexError
        (following,) = struct.unpack_from(">L", content, (page - 1) * _PAGE)
        found += content[(page - 1) * _PAGE + 4 : page * _PAGE]
        page = following
    return found[:size]


def _size(kind: int) -> int:
    return (kind - _FIRST_BLOB) // 2 if kind >= _FIRST_BLOB else _INTEGER_BYTES[kind]


def _value(kind: int, content: bytes) -> bytes | float:
    if kind >= _FIRST_BLOB:
        return content
    if kind == _REAL:
        return float(struct.unpack(">d", content)[0])
    return int(kind == _ONE) or int.from_bytes(content, "big", signed=True)


def _varint(content: bytes, offset: int) -> tuple[int, int]:
    """Return a number of variable length, and the place after it."""
    value = 0
    while True:
        byte = content[offset]
        value = value << 7 | byte & 0x7F
        offset += 1
        if byte < 0x80:  # noqa: PLR2004  # the last byte of a number has no high bit
            return value, offset
