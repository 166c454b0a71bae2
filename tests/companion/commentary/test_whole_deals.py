"""Whole games told in each language: nothing left out, nothing given away, every sum right."""

from __future__ import annotations

import re

import pytest

from companion.commentary import Commentator
from companion.rules.deal import Count, CountKind, Discarded, Entered, Folded, Pegged, Played, Shown
from tests.companion.commentary.read_back import plain_points_said, points_said
from tests.companion.commentary.tables import LANGUAGES, NAMES, Evening, Told, setup_of

SILENT = (Pegged, Entered, Folded)
"""Events that only keep the books, or that the count before them tells."""
LONGEST = 320
"""Characters of a line that a caption can show in a few rows."""


def evening(language: str, players: int, seed: int) -> list[Told]:
    """All that is told of a game."""
    commentator = Commentator.make(language, NAMES, setup_of(players))
    return list(Evening(commentator, seed=seed).told())


def told_by_a_count(told: Told) -> bool:
    """Return True if a card or a hand makes points, so that its count tells of it."""
    match told.about:
        case Played(parts=parts):
            return bool(parts)
        case Shown(show=show):
            return show.points > 0
    return False


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_line_is_whole(language: str, players: int) -> None:
    """A line is one sentence with its places filled; what happens is told once."""
    for told in evening(language, players, seed=players):
        if isinstance(told.about, SILENT) or told_by_a_count(told):
            assert "" == told.line
            continue
        assert told.line.endswith(".")
        assert told.line[0] == told.line[0].upper()
        assert not re.search(r"[{}\n]|None|  |\.\.", told.line)
        assert len(told.line) <= LONGEST


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(3))
def test_the_points_said_are_the_points_counted(language: str, seed: int) -> None:
    """S2 to S5, P5 to P7: what a line adds up, read back by its words, is what was pegged."""
    for told in evening(language, 3, seed=seed):
        if isinstance(told.about, Count):
            adds_up = told.about.why in (CountKind.PLAY, CountKind.HAND, CountKind.CRIB)
            read = points_said if adds_up else plain_points_said
            assert told.points == read(told.line, language)


def test_what_is_thrown_stays_hidden() -> None:
    """T3: of cards that lie face down only the number is told."""
    lines = {
        told.line
        for players in (2, 3, 6)
        for told in evening("en", players, seed=1)
        if isinstance(told.about, Discarded)
    }
    assert {
        "Amber throws two cards into the crib.",
        "White throws two cards into the crib.",
        "Amber throws a card into the crib.",
        "Amber, seat four, puts a card under the deck.",
    } <= lines
    assert not any(" of " in line for line in lines)
