"""Whole games in each language: complete, without secrets, every sum right."""

import re

import pytest

from companion.commentary import Commentator
from companion.rules.deal import (
    Count,
    CountKind,
    Discarded,
    Folded,
    Pegged,
    PhaseBegan,
    Played,
    Shown,
)
from tests.companion.commentary.read_back import plain_points_said, points_said
from tests.companion.commentary.tables import LANGUAGES, NAMES, Evening, Report, setup_of

SILENT = (Pegged, PhaseBegan, Folded)
"""Events that only keep the books, or that the count before them tells."""
LONGEST = 320
"""Characters of a line that a caption can show in a few rows."""


def evening(language: str, players: int, seed: int) -> list[Report]:
    """Return all lines of a game."""
    commentator = Commentator.make(language, NAMES, setup_of(players))
    return list(Evening(commentator, seed=seed).reported())


def reported_by_a_count(reported: Report) -> bool:
    """Return True if a card or a hand makes points, so that its count has the line."""
    match reported.about:
        case Played(parts=parts):
            return bool(parts)
        case Shown(show=show):
            return show.points > 0
    return False


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_line_is_whole(language: str, players: int) -> None:
    """A line is one sentence with its places filled; each event has one."""
    for reported in evening(language, players, seed=players):
        if isinstance(reported.about, SILENT) or reported_by_a_count(reported):
            assert "" == reported.line
            continue
        assert reported.line.endswith(".")
        assert reported.line[0] == reported.line[0].upper()
        assert not re.search(r"[{}\n]|None|  |\.\.", reported.line)
        assert len(reported.line) <= LONGEST


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(3))
def test_the_points_said_are_the_points_counted(language: str, seed: int) -> None:
    """S2 to S5, P5 to P7: the sum of a line, read back, is what was pegged."""
    for reported in evening(language, 3, seed=seed):
        if isinstance(reported.about, Count):
            adds_up = reported.about.why in (CountKind.PLAY, CountKind.HAND, CountKind.CRIB)
            read = points_said if adds_up else plain_points_said
            assert reported.points == read(reported.line, language)


def test_what_is_thrown_stays_hidden() -> None:
    """T3: only the number of cards face down is named."""
    lines = {
        reported.line
        for players in (2, 3, 6)
        for reported in evening("en", players, seed=1)
        if isinstance(reported.about, Discarded)
    }
    assert {
        "Amber throws two cards into the crib.",
        "White throws two cards into the crib.",
        "Amber throws a card into the crib.",
        "Amber, seat four, puts a card under the deck.",
    } <= lines
    assert not any(" of " in line for line in lines)
