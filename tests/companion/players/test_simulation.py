"""Seats of each game and its random numbers, with any number of processes."""

import multiprocessing
import random
from contextlib import closing

import pytest

from companion.board import Track
from companion.errors import BadInputError, RuleError, WorkerError
from companion.players.simulation import SimulationPlan, cores, play_games
from companion.rules.game import HouseRules
from tests.companion.players.records import plan


def test_kinds_take_the_seats_in_turn_and_move_on() -> None:
    """From game to game each player moves on by a seat."""
    three = plan("shark", "regular", "child")
    assert [{1: 0, 2: 1, 3: 2}, {1: 1, 2: 2, 3: 0}, {1: 2, 2: 0, 3: 1}, {1: 0, 2: 1, 3: 2}] == [
        three.seated(number) for number in range(4)
    ]


@pytest.mark.parametrize(
    ("kinds", "seats"), [(1, 2), (2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (2, 6), (6, 6)]
)
def test_every_kind_has_every_seat_as_often(kinds: int, seats: int) -> None:
    """In as many games as there are seats, each kind has each seat as often."""
    some = plan(*["regular"] * kinds, seats=seats)
    games = [some.seated(number) for number in range(seats)]
    held = [sorted(game[seat] for game in games) for seat in range(1, seats + 1)]
    assert [sorted(seat % kinds for seat in range(seats))] * seats == held


@pytest.mark.parametrize("number", range(4))
def test_partners_stay_partners(number: int) -> None:
    """T1: two kinds in four seats are the two sides in every game."""
    four = plan("regular", "child", seats=4)
    assert {frozenset({0}), frozenset({1})} == {four.winners(number, side) for side in (1, 2)}


def test_all_who_sit_on_the_winning_side_have_won() -> None:
    """With four kinds, both kinds of the winning side have won."""
    four = plan("regular", "child", "regular", "child")
    assert (frozenset({0, 2}), frozenset({1, 3})) == (four.winners(0, 1), four.winners(0, 2))
    assert (frozenset({1, 3}), frozenset({0, 2})) == (four.winners(1, 1), four.winners(1, 2))


def test_a_game_is_its_seed_and_its_number() -> None:
    """A game depends only on its seed and its number."""
    one, other = plan("child", "regular", seed=1), plan("child", "regular", seed=1)
    one.play(0)
    random.seed(3)
    assert one.play(7) == other.play(7)
    assert one.play(7) != one.play(9)
    assert one.play(7) != plan("child", "regular", seed=2).play(7)


@pytest.mark.parametrize(
    ("kinds", "seats", "words"),
    [
        (["shrak"], 2, "no kind of player is called 'shrak': did you mean 'shark'"),
        ([""], 2, "no kind of player is called ''"),
        (["child"] * 5, None, "5 players cannot play: choose 2, 3, 4 or 6"),
        (["child"], 7, "7 players cannot play"),
        (["child"], 0, "0 players cannot play"),
        (["child"] * 3, 2, "3 kinds of player cannot take 2 seats: name 1 to 2"),
        ([], 2, "0 kinds of player cannot take 2 seats"),
    ],
)
def test_plans_that_cannot_be(kinds: list[str], seats: int | None, words: str) -> None:
    """An unknown kind, and a number of seats or kinds that no game has, are refused (T1)."""
    with pytest.raises(BadInputError, match=words):
        plan(*kinds, seats=seats)


def test_a_board_has_to_have_the_lanes() -> None:
    """T1: three sides need three lanes."""
    with pytest.raises(
        RuleError, match="the board has 2 lanes, which do not fit the sides 1, 2, 3"
    ):
        SimulationPlan.make(Track(finish=121, lanes=2), HouseRules(), ["child"], seats=3, seed=1)


# Several processes


def test_jobs_play_the_same_games() -> None:
    """With any number of processes the records come in the order of their numbers."""
    some = plan("child", "regular", seed=4)
    alone = list(play_games(some, 5, jobs=1))
    assert [some.play(number) for number in range(5)] == alone
    assert alone == list(play_games(some, 5, jobs=2))
    assert [] == multiprocessing.active_children()


def test_more_jobs_than_games() -> None:
    """One game needs no other process."""
    with closing(play_games(plan("child"), 1, jobs=8)) as records:
        next(records)
        assert [] == multiprocessing.active_children()


def test_a_worker_that_dies_is_reported() -> None:
    """The death is one clear error, and the other workers end."""
    with closing(play_games(plan("child"), 1_000, jobs=2)) as records:
        next(records)
        multiprocessing.active_children()[0].kill()
        with pytest.raises(WorkerError, match="use fewer --jobs"):
            list(records)
    assert [] == multiprocessing.active_children()


def test_closing_ends_the_workers() -> None:
    """Closing the generator leaves no process behind."""
    with closing(play_games(plan("child"), 1_000, jobs=2)) as records:
        next(records)
        assert 2 == len(multiprocessing.active_children())
    assert [] == multiprocessing.active_children()


def test_there_is_a_core() -> None:
    """There is at least one core."""
    assert cores() >= 1
