"""Short games to the end under each preset: where they end and what they are worth."""

from collections.abc import Sequence

import pytest

from companion.rules.game import Event, Kind, NewGame, Peg
from companion.rules.game.house_rules import PRESETS, preset, with_rule
from tests.companion.rules.game.tables import Table
from tests.support.boards import CLASSIC, CRIB_WARS

BOARDS = {"classic": CLASSIC, "classic-61": CLASSIC, "crib-wars": CRIB_WARS}

HOME = {
    61: (29, 29, 3),
    121: (29, 29, 29, 29, 29),
    363: (29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 26, 18),
}
"""Counts that bring a side to each finish; on the long track they land in no zone."""


def sit_down(name: str) -> Table:
    """Two sides at the start of a game under a preset, on its own board."""
    rules = preset(name)
    return Table(BOARDS[rules.board], rules)


def play(table: Table, loser: Sequence[int]) -> list[Event]:
    """Play hands in which side 2 makes its counts and side 1 comes home; all that happened.

    A count of 0 is a hand in which side 2 pegs nothing.
    """
    winner = HOME[table.state.setup.track.finish]
    events: list[Event] = []
    for hand, points in enumerate(winner):
        if hand < len(loser) and loser[hand]:
            events += table.do(Peg(side=2, points=loser[hand]))
        events += table.do(Peg(side=1, points=points))
        if table.state.winner is None:
            table.deal()
    assert 1 == table.state.winner
    return events


def worth(name: str, loser: Sequence[int]) -> int:
    """Games that the winner gets, as the win and the series both tell it."""
    table = sit_down(name)
    events = play(table, loser)
    assert sum(loser) == table.state.progress(2)
    (won,) = (event for event in events if event.kind is Kind.WON)
    assert won.points == table.state.match.won(1)
    return table.state.match.won(1)


@pytest.mark.parametrize(
    ("name", "finish"),
    [
        ("crib-wars", 363),
        ("classic-121", 121),
        ("classic-61", 61),
        ("electronic", 121),
        ("lurch", 121),
        ("family", 121),
    ],
)
def test_a_game_ends_where_the_preset_says(name: str, finish: int) -> None:
    """G3: ordinary games go to 121 or 61, Crib Wars to the end of the long track."""
    table = sit_down(name)
    play(table, [4])
    assert finish == table.pegs(1)[0] == table.state.progress(1)
    assert len(HOME[finish]) == table.state.hand
    assert "G2" == table.refusal(Peg(side=2, points=1))


@pytest.mark.parametrize(
    ("loser", "games"),
    [
        ([29, 10, 21], 4),
        ([29, 10, 22], 2),
        ([29, 10, 28, 23], 2),
        ([29, 10, 28, 24], 1),
        ([29, 10, 21, 0, 0, 29, 9], 4),
        ([29, 10, 28, 22, 1, 29], 2),
        ([29, 10, 28, 22, 2], 1),
    ],
)
def test_crib_wars(loser: list[int], games: int) -> None:
    """G4: judged when the winner passes 121 in the fifth hand, wherever the loser gets later."""
    assert games == worth("crib-wars", loser)


@pytest.mark.parametrize(
    ("loser", "games"),
    [
        ([29, 29, 2], 4),
        ([29, 29, 3], 2),
        ([29, 29, 29, 3], 2),
        ([29, 29, 29, 4], 1),
        ([29, 29, 29, 29, 4], 1),
        ([], 4),
    ],
)
def test_classic_121(loser: list[int], games: int) -> None:
    """G4: judged at the finish: not past 60 four games, not past 90 two."""
    assert games == worth("classic-121", loser)


@pytest.mark.parametrize(("loser", "games"), [([29, 1], 2), ([29, 2], 1), ([29, 29], 1), ([], 2)])
def test_classic_61(loser: list[int], games: int) -> None:
    """G5: of 61, below 31 is a lurch, two games; there is no double."""
    assert games == worth("classic-61", loser)


@pytest.mark.parametrize(
    ("loser", "games"), [([29, 29, 29, 3], 2), ([29, 29, 29, 4], 1), ([29, 29, 2], 2), ([], 2)]
)
def test_lurch(loser: list[int], games: int) -> None:
    """G5: of 121, below 91 is a lurch, two games, however far below."""
    assert games == worth("lurch", loser)


@pytest.mark.parametrize(
    ("loser", "games"), [([29, 29, 2], 2), ([29, 29, 3], 1), ([29, 29, 29, 3], 1), ([], 2)]
)
def test_family(loser: list[int], games: int) -> None:
    """G5: of 121, below 61 is a lurch, two games; there is no double."""
    assert games == worth("family", loser)


@pytest.mark.parametrize(
    ("loser", "games"),
    [([29, 29, 29, 4], 1), ([29, 29, 29, 3], 2), ([29, 29, 3], 2), ([29, 29, 2], 4), ([], 4)],
)
def test_electronic(loser: list[int], games: int) -> None:
    """G6: by more than 30 two points, by more than 60 four; by 30 or 60 itself not yet."""
    assert games == worth("electronic", loser)


def test_a_match_to_seven() -> None:
    """G6: 4, 2 and 1 points make seven and win the match; the next game begins another."""
    table = sit_down("electronic")
    for loser, points in (([29], 4), ([29, 29, 29], 6)):
        assert Kind.MATCH_WON not in [event.kind for event in play(table, loser)]
        assert points == table.state.match.won(1)
        table.do(NewGame())
    last = play(table, [29, 29, 29, 29])[-1]
    assert ("match_won", 1, 7, "G6") == (last.kind.value, last.side, last.points, last.rule)
    assert 1 == table.state.match.winner
    table.do(NewGame())
    play(table, [29, 29, 29, 29])
    assert 1 == table.state.match.won(1)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "electronic"])
def test_no_other_preset_plays_a_match(name: str) -> None:
    """G6: elsewhere the games add up beyond seven and nobody wins a match."""
    table = sit_down(name)
    for _ in range(8):
        assert Kind.MATCH_WON not in [event.kind for event in play(table, [])]
        table.do(NewGame())
    assert table.state.match.won(1) > 7
    assert table.state.match.winner is None


@pytest.mark.parametrize(
    ("name", "rule", "value", "games"),
    [
        ("classic-121", "game_to", "61", 4),
        ("classic-121", "double_skunk", "off", 2),
        ("classic-61", "skunk", "off", 1),
        ("lurch", "double_skunk", "below 61", 4),
        ("family", "skunk_at", "off", 1),
        ("crib-wars", "skunk_at", "off", 1),
        ("electronic", "double_skunk", "margin 121", 2),
    ],
)
def test_one_rule_of_a_preset_changed(name: str, rule: str, value: str, games: int) -> None:
    """G7: a preset with one rule changed by name is played so; the loser stands on 10."""
    rules = with_rule(preset(name), rule, value)
    table = Table(BOARDS[rules.board], rules)
    play(table, [10])
    assert games == table.state.match.won(1)
