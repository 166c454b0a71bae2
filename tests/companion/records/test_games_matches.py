"""Series of games: where each begins and ends, and how it stands (G6)."""

from pathlib import Path

from companion.records.games import MatchRecord
from companion.records.records import Records
from companion.rules.game import Claim, Command, Deal, HouseRules, NewGame, Peg, Undo
from tests.companion.journal.scribe import NOON, Scribe, begun

ONE, TWO = Claim(rule="N10", by=2, game_to=1), Claim(rule="N10", by=1, game_to=2)
TO_TWO = HouseRules(match_to=2)


def matches(folder: Path) -> list[MatchRecord]:
    """The series in a folder."""
    with Records(folder) as records:
        return records.matches()


def wins(*won: Command) -> tuple[Command, ...]:
    """Games won by claims, with a new game before each but the first."""
    return (won[0], *(command for win in won[1:] for command in (NewGame(), win)))


def test_a_series_is_won_and_the_next_begins(tmp_path: Path) -> None:
    """G6: who has won so many games has won; the game after it opens another series."""
    requested = begun(rules=TO_TWO, names={"1": "Anna"})
    commands = *wins(ONE, TWO, ONE), NewGame(), Peg(side=1, points=3)
    Scribe(tmp_path).sit(requested).do(*commands).close()
    first, second = matches(tmp_path)
    score, names = {1: 2, 2: 1}, {1: "Anna"}
    times = {"begun": NOON, "ended": NOON + 7}
    won = MatchRecord(number=1, games=[1, 2, 3], **times, to=2, score=score, names=names, winner=1)
    assert won == first
    ends = second.ended, second.score, second.winner
    assert (2, [4], None, {1: 0, 2: 0}, None) == (second.number, second.games, *ends)


def test_a_series_without_end_goes_on(tmp_path: Path) -> None:
    """Without a house rule for it nobody wins a series; the score is told."""
    Scribe(tmp_path).sit().do(*wins(ONE, TWO, TWO)).close()
    (match,) = matches(tmp_path)
    ends = match.ended, match.to, match.winner
    assert (None, None, None, {1: 1, 2: 2}, [1, 2, 3]) == (*ends, match.score, match.games)


def test_a_start_with_other_settings_begins_another_series(tmp_path: Path) -> None:
    """A series ends where a table starts anew, even if nobody counted in its first game."""
    scribe = Scribe(tmp_path).sit().do(ONE)
    scribe.sit(begun(sides=(1, 2, 3))).do(Deal(), NewGame(), TWO).close()
    assert [[1], [3]] == [match.games for match in matches(tmp_path)]


def test_a_win_of_a_series_that_was_taken_back_is_none(tmp_path: Path) -> None:
    """An undo over the win of a series goes on with it."""
    requested = begun(rules=TO_TWO)
    commands = *wins(ONE, ONE), Undo(), TWO, NewGame(), ONE
    Scribe(tmp_path).sit(requested).do(*commands).close()
    (match,) = matches(tmp_path)
    assert ({1: 2, 2: 1}, 1) == (match.score, match.winner)


def test_sides_that_join_later_are_in_the_score(tmp_path: Path) -> None:
    """A series between changing sides has the score of all that took part."""
    third = Claim(rule="N10", by=1, game_to=3)
    Scribe(tmp_path).sit().do(ONE, NewGame(sides=(1, 3)), third).close()
    assert {1: 1, 2: 0, 3: 1} == matches(tmp_path)[0].score
