"""The log after a start of the table: the running game, with undone commands."""

import time
from pathlib import Path

from companion.journal.resume import Accepted
from companion.journal.writer import Journal
from companion.rules.game import Command, Correct, Entry, NewGame, Peg, Undo
from tests.companion.journal.scribe import Scribe, begun

FOUR = Peg(side=1, points=4)
SIX = Peg(side=2, points=6)
TWO = Peg(side=2, points=2)


def accepted_after(folder: Path, *commands: Command) -> tuple[list[Accepted], list[Entry]]:
    """Return the log of a table that resumes these commands, and their entries."""
    scribe = Scribe(folder).sit()
    entries = []
    for command in commands:
        entries.append(scribe.history.decide(command))
        scribe.do(command)
    scribe.close()
    journal = Journal(folder, now=time.time)
    journal.begin(begun())
    journal.close()
    return journal.accepted, entries


def test_what_was_taken_back_is_in_the_log(tmp_path: Path) -> None:
    """Each command has number, events and state; an undo has what it took back."""
    accepted, entries = accepted_after(tmp_path, FOUR, SIX, Undo(), TWO, Correct(entry=1, points=5))
    assert entries == [each.entry for each in accepted]
    assert [1, 2, 3, 4, 5] == [each.seq for each in accepted]
    assert [(), (), entries[1].events, (), ()] == [each.undone for each in accepted]


def test_everything_may_be_taken_back(tmp_path: Path) -> None:
    """Then the log has commands and undos, and the game is at its start."""
    accepted, entries = accepted_after(tmp_path, FOUR, Undo(), SIX, Undo())
    assert entries == [each.entry for each in accepted]


def test_earlier_games_are_in_the_log_as_they_stand(tmp_path: Path) -> None:
    """Their commands keep their numbers."""
    accepted, _ = accepted_after(tmp_path, FOUR, SIX, Undo(), NewGame(), TWO, Undo())
    assert [1, 4, 5, 6] == [each.seq for each in accepted]


def test_a_game_that_was_taken_back_is_left_out(tmp_path: Path) -> None:
    """The log has the valid games, with the numbers of the journal."""
    accepted, _ = accepted_after(tmp_path, FOUR, NewGame(), SIX, Undo(), Undo(), TWO)
    assert [(1, FOUR), (6, TWO)] == [(each.seq, each.entry.command) for each in accepted]
