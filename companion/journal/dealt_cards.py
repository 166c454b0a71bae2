"""The cards that are dealt now: one row of a table of its own, in the same file as the commands.

The row is replaced with each card, and deleted when the cards are put away: nothing of an earlier
hand stays. A command and the cards after it are one transaction. A program that does not know the
table leaves it alone. Backups are without it, since it holds the hands and the keys to them.
"""

import sqlite3
from contextlib import suppress
from typing import Final

from companion.journal.damage import SQLITE_ERRORS
from companion.journal.store import checksum_of

TABLE: Final = """
CREATE TABLE IF NOT EXISTS cards (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    game INTEGER NOT NULL,
    content BLOB NOT NULL,
    checksum BLOB NOT NULL
) STRICT
"""


def save_cards(database: sqlite3.Connection, game: int, content: bytes) -> None:
    """Replace the cards dealt in a game, 0 before its first command; without any delete them."""
    if content:
        database.execute(TABLE)
        database.execute(
            "INSERT OR REPLACE INTO cards VALUES (1, ?, ?, ?)",
            (game, content, checksum_of(game, content)),
        )
    elif _is_there(database):
        database.execute("DELETE FROM cards")


def load_cards(database: sqlite3.Connection, game: int) -> bytes:
    """Return the dealt cards of a game; nothing if there are none, or they are damaged."""
    of_game, content = _sound_cards(database)
    return content if of_game == game else b""


def has_damaged_cards(database: sqlite3.Connection) -> bool:
    """Return True if there are dealt cards that do not agree with their checksum."""
    is_there = _is_there(database) and database.execute("SELECT 1 FROM cards").fetchone()
    return bool(is_there) and _sound_cards(database) == (0, b"")


def copy_cards(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Save the dealt cards of one file in another, unless there are none or they are damaged."""
    with suppress(*SQLITE_ERRORS):
        save_cards(target, *_sound_cards(source))


def _sound_cards(database: sqlite3.Connection) -> tuple[int, bytes]:
    if _is_there(database):
        row = database.execute("SELECT game, content, checksum FROM cards").fetchone()
        if row and row[2] == checksum_of(*row[:2]):
            return row[0], bytes(row[1])
    return 0, b""


def drop_cards(database: sqlite3.Connection) -> None:
    """Remove the dealt cards from a copy of a journal, their bytes included."""
    database.execute("PRAGMA secure_delete = ON")
    database.execute("DROP TABLE IF EXISTS cards")


def _is_there(database: sqlite3.Connection) -> bool:
    query = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'cards'"
    return bool(database.execute(query).fetchone()[0])
