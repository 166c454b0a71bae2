"""Games among players: by the rules, recorded as they were, the same with any processes."""

import multiprocessing
import random
from collections import Counter
from contextlib import closing

import pytest

from companion.board import Track
from companion.errors import BadInputError, RuleError, WorkerError
from companion.players import DiscardRequest, PlayRequest, Regular
from companion.players.simulation import SimulationPlan, cores, play_game, play_games
from companion.rules.cards import Card
from companion.rules.game import Deal, HouseRules, Peg, new_game
from tests.companion.players.records import plan
from tests.support.card_games import GameRun, children, play_out, regulars, setup_for

PLAIN = HouseRules(board="classic", skunk_at="finish", heels_ban=0, muggins="off")


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_same_dice_play_the_same_game(players: int) -> None:
    """All chance comes from the generators of the table and the players."""
    setup = setup_for(players)
    one, other = (play_game(setup, children(players, 3), random.Random("seed")) for _ in range(2))
    assert one == other
    assert one != play_game(setup, children(players, 3), random.Random("another seed"))


def test_a_record_of_a_plain_game() -> None:
    """The record has points of the dealing side and of the other."""
    setup = setup_for(2, board="classic", rules=PLAIN)
    record = play_game(setup, regulars(2), random.Random(5))
    assert {} == record.zones
    assert record.points[True] > record.points[False] > 0
    assert 7 <= record.deals <= 12


@pytest.mark.parametrize("players", [2, 3])
def test_visits_to_zones_are_counted(players: int) -> None:
    """The record has every landing, by the id of its zone (Z1)."""
    setup = setup_for(players)
    seen = play_out(setup, regulars(players), seed=4)
    record = play_game(setup, regulars(players), random.Random(4))
    landed = [
        setup.track.zone_at(event.origin)
        for entry in seen.entries
        for event in entry.events
        if event.kind.facts.zone and event.origin is not None
    ]
    assert sum(record.zones.values()) == len(landed) > 0
    assert {zone.id for zone in landed if zone} == set(record.zones)


def test_whoever_breaks_the_rules_stops_the_game() -> None:
    """A player's wrong answer is raised as an error that names the rule."""
    setup = setup_for(2)
    with pytest.raises(RuleError) as caught:
        play_game(setup, {1: _Cheat(), 2: _Cheat()}, random.Random(1))
    assert caught.value.rule == "T3"


class _Cheat(Regular):
    """Player that discards one card too few."""

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return one of two cards."""
        return request.hand[:1]

    def play(self, request: PlayRequest) -> Card | None:
        """Return any card."""
        return request.hand[0]


# Landings and awards of a record

SEEDS = range(4)


def seen(players: int, seed: int) -> GameRun:
    """Play a game, and return it with all its events."""
    return play_out(setup_for(players), regulars(players), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 3])
def test_landings_are_where_counts_and_awards_ended(players: int, seed: int) -> None:
    """An award that goes on past a box or a trap ends where it stops (Z9)."""
    expected: Counter[object] = Counter()
    for entry in seen(players, seed).entries:
        moves = [one for one in entry.events if one.kind in ("counted", "awarded", "skipped")]
        # Every count and award of one command is another side's: the last move of each stays.
        expected.update({one.side: one.to for one in moves}.values())
    record = play_game(setup_for(players), regulars(players), random.Random(seed))
    assert expected == record.landings


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 3])
def test_who_led_into_a_zone(players: int, seed: int) -> None:
    """A side leads into a zone if it was alone ahead before the count."""
    entries = seen(players, seed).entries
    setup, expected = setup_for(players), set()
    for before, entry in zip(
        [new_game(setup), *(one.state for one in entries)], entries, strict=False
    ):
        progress = {side: before.progress(side) for side in setup.sides}
        ahead = [side for side in setup.sides if progress[side] == max(progress.values())]
        for event in entry.events:
            if event.kind.facts.zone and event.origin is not None and ahead == [event.side]:
                zone = setup.track.zone_at(event.origin)
                assert zone is not None
                expected.add((zone.id, event.side))
    assert expected == play_game(setup, regulars(players), random.Random(seed)).led_into


@pytest.mark.parametrize("seed", SEEDS)
def test_points_of_whole_deals(seed: int) -> None:
    """The record has the points before the last deal, by the dealing side and others."""
    entries = seen(2, seed).entries
    last = max(n for n, entry in enumerate(entries) if isinstance(entry.command, Deal))
    expected: Counter[bool] = Counter()
    for entry in entries[:last]:
        if isinstance(entry.command, Peg):
            dealer = entry.state.setup.side_of(entry.state.dealer)
            expected[entry.command.side == dealer] += entry.command.points
    record = play_game(setup_for(2), regulars(2), random.Random(seed))
    assert expected == record.points
    state = entries[-1].state
    assert (state.winner, state.match.games) == (record.winner, ((record.winner, record.worth),))


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
