"""Dealt cards of the running game are in the journal, with the commands."""

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.journal_file import check_content
from companion.journal.reader import JournalReader
from companion.journal.store import FILE
from companion.journal.writer import Journal
from companion.rules.game import Command, NewGame, Peg, Undo
from tests.support.limits import TIMEOUT_S
from tests.support.spine import begun

HAND, NEXT_HAND = b'{"hand": "5H 5S 5D JC"}', b'{"hand": "AH 2H 3H 4H"}'
PEG = Peg(side=1, points=4)


class Saving:
    """A journal whose methods return once commands and cards are on disk."""

    def __init__(self, folder: Path, *, sides: int = 2) -> None:
        self.journal = Journal(folder, now=time.time, wait=lambda _: None, retry_s=0.01)
        self.history, _ = self.journal.begin(begun(sides=sides))

    def save(self, command: Command | None, cards: bytes | None) -> None:
        """Save a command with the cards after it, or cards alone."""
        entry = self.history.do(command) if command else None
        answered = threading.Event()

        def answer(saved: bool) -> None:
            if saved:
                answered.set()

        self.journal.write(entry, answer, cards=cards)
        assert answered.wait(TIMEOUT_S)


def cards_at_start(folder: Path, *, sides: int = 2) -> bytes:
    """Return the cards that the next start gets."""
    saving = Saving(folder, sides=sides)
    saving.journal.close()
    return saving.journal.cards


@pytest.mark.parametrize(
    ("steps", "cards"),
    [
        ([(None, HAND)], HAND),
        ([(None, HAND), (PEG, None)], HAND),
        ([(PEG, HAND), (PEG, NEXT_HAND), (Undo(), None)], NEXT_HAND),
        ([(PEG, HAND), (None, b""), (PEG, None)], b""),
        ([(PEG, HAND), (NewGame(), None), (PEG, None)], HAND),
        ([(PEG, None)], b""),
    ],
    ids=["alone", "kept", "with a command", "put away", "in the next game", "none"],
)
def test_the_next_start_has_the_cards_that_were_saved_last(
    tmp_path: Path, steps: list[tuple[Command | None, bytes | None]], cards: bytes
) -> None:
    """They may be saved alone; a command without cards keeps them."""
    saving = Saving(tmp_path)
    for command, content in steps:
        saving.save(command, content)
    saving.journal.close()
    assert cards == cards_at_start(tmp_path)


def test_another_game_does_not_get_them(tmp_path: Path) -> None:
    """With other sides in the settings a new game begins without cards."""
    saving = Saving(tmp_path)
    saving.save(PEG, HAND)
    saving.journal.close()
    assert b"" == cards_at_start(tmp_path, sides=3)
    assert HAND == cards_at_start(tmp_path)


def test_cards_go_with_the_game_into_a_new_file(tmp_path: Path) -> None:
    """If the journal is deleted meanwhile, it is written again with them."""
    saving = Saving(tmp_path)
    saving.save(PEG, HAND)
    for file in tmp_path.glob(f"{FILE}*"):
        file.unlink()
    saving.save(PEG, None)
    saving.journal.close()
    assert HAND == cards_at_start(tmp_path)


def test_a_copy_has_no_byte_of_them(tmp_path: Path) -> None:
    """Backups have neither hands nor their keys."""
    saving = Saving(tmp_path)
    saving.save(PEG, HAND)
    with closing(JournalReader(tmp_path)) as reader:
        reader.copy_to(tmp_path / "copy")
    saving.journal.close()
    assert HAND not in (tmp_path / "copy").read_bytes()
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        check_content(copy)
