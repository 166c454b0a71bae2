"""Games among players: by the rules, the same for the same seed, and recorded as they were."""

import random

import pytest

from companion.errors import RuleError
from companion.players import DiscardRequest, PlayRequest, Regular
from companion.players.match.match import play_game
from companion.rules.cards import Card
from companion.rules.game import HouseRules
from tests.support.card_games import children, play_out, regulars, setup_for

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


class _Watching:
    """Regular that remembers its cards."""

    def __init__(self) -> None:
        self.hands: list[tuple[Card, ...]] = []

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """As a regular."""
        self.hands.append(request.hand)
        return Regular().discard(request)

    def play(self, request: PlayRequest) -> Card | None:
        """As a regular."""
        return Regular().play(request)
