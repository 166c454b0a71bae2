"""Games among players: by the rules, the same for the same seed, and recorded as they were."""

import random
from collections import Counter

import pytest

from companion.errors import RuleError
from companion.players import DiscardRequest, PlayRequest, Regular
from companion.players.match import play_game
from companion.rules.cards import Card
from companion.rules.game import Deal, HouseRules, Peg, new_game
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
