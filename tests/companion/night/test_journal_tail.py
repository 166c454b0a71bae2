"""The end of a journal, as another program follows it."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RuleError
from companion.journal.reader import JournalReader
from companion.journal.replay import all_branches
from companion.journal.store import NO_JOURNAL
from companion.night.journal_tail import JournalPosition, JournalTail
from companion.rules.game import Command, NewGame, Peg, Undo
from tests.companion.journal.scribe import Scribe, begun

COMMANDS: tuple[Command, ...] = (Peg(side=1, points=2), Undo(), NewGame(), Undo())


@settings(max_examples=15)
@given(st.lists(st.sampled_from(COMMANDS), max_size=12))
def test_the_tail_follows_undos_and_new_games(
    tmp_path_factory: pytest.TempPathFactory, commands: list[Command]
) -> None:
    """After each command its game, and the command that it stands on, are those of the branch."""
    folder = tmp_path_factory.mktemp("tail")
    scribe = Scribe(folder).sit()
    tail = JournalTail(folder)
    assert JournalPosition() == tail.position()
    accepted = 0
    for command in commands:
        try:
            scribe.do(command)
        except RuleError:
            continue
        accepted += 1
        position = tail.position()
        with closing(JournalReader(folder)) as reader, reader.store() as store:
            newest = next(all_branches(store, at_most=store.last_seq))
        head = newest.last or newest.game.begun_by
        assert (accepted, head, newest.game.number) == (position.seq, position.head, position.game)
        with closing(JournalTail(folder)) as another:
            assert NO_JOURNAL != position.journal == another.position().journal
    tail.close()
    scribe.close()


def test_a_journal_that_was_replaced_is_opened_again(tmp_path: Path) -> None:
    """The position is that of the file at the path, which has another id."""
    Scribe(tmp_path).sit().do(Peg(side=1, points=2)).close()
    with closing(JournalTail(tmp_path)) as tail:
        first = tail.position()
        for file in tmp_path.glob("journal.sqlite*"):
            file.unlink()
        Scribe(tmp_path).sit(begun(note="another")).do(
            Peg(side=1, points=2), Peg(side=1, points=2)
        ).close()
        second = tail.position()
    assert (1, 2, True) == (first.seq, second.seq, first.journal != second.journal)
