"""A line for each event, for a page that lists them one by one."""

from __future__ import annotations

import pytest

from companion.commentary import Commentator
from companion.rules.game import Event, Kind, NewGame, Peg, Undo
from tests.companion.commentary.entries import two
from tests.companion.commentary.tables import LANGUAGES, NAMES, commentators
from tests.companion.commentary.test_every_phrase import rare_entries
from tests.companion.rules.game.tables import Table

LANDINGS = ((42, 50), (130, 50), (200, 50), (22, 2))
"""Holes of a slide, a trap, an advance and a box, and the other side's, whom an award skips on."""


def lines(table: Table, *, undone: tuple[Event, ...] = ()) -> list[tuple[str, ...]]:
    """The lines of a table's last entry in each language."""
    entry = table.history.last
    assert entry
    return [each.lines(entry, undone=undone) for each in commentators(table.state.setup)]


def test_a_landing_is_a_line_of_its_own() -> None:
    """Z3: the count names its hole, and the trap names it again."""
    table = two(124)
    table.do(Peg(team=1, points=6))
    assert [
        ("Amber counts six, to 130.", "Amber falls into the time trap on 130."),
        ("Ambre compte six, jusqu'à 130.", "Ambre tombe dans le piège bleu à 130."),
    ] == lines(table)


def test_undo_and_new_game_have_one_line() -> None:
    """An undo has a line with all that it took back, a new game one that says so."""
    table = two(124)
    undone = table.do(Peg(team=1, points=6))
    for commentator in commentators(table.state.setup):
        taken_back = table.history.decide(Undo())
        line = commentator.entry(taken_back, undone=undone)
        assert (line,) == commentator.lines(taken_back, undone=undone)
        assert 1 == len(commentator.lines(table.history.decide(NewGame())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_event_has_a_line(language: str) -> None:
    """No event of any kind is without a sentence, in each language."""
    found = set()
    landings = [(two(front - 2, other), Peg(team=1, points=2)) for front, other in LANDINGS]
    boxed = Table(seats=(3, 3), stand={1: 20}), Peg(team=1, points=2)
    for table, command in (*landings, boxed, *rare_entries()):
        before = table.history.last
        entry = table.history.do(command)
        undone = before.events if before and isinstance(command, Undo) else ()
        told = Commentator.make(language, NAMES, table.state.setup).lines(entry, undone=undone)
        assert max(1, len(entry.events)) == len(told)
        for event, line in zip(entry.events, told, strict=False):
            assert line[0].isupper()
            assert line.endswith(".")
            found.add(event.kind)
    assert set(Kind) == found
