"""The shark plays legal cards, uses only what it may know, and is near the oracle."""

import random
from dataclasses import replace
from typing import TypeVar

import pytest

from companion.board import Hole
from companion.players import CountRequest, DiscardRequest, Player, PlayRequest, Regular, Shark
from companion.players.dealer import request_for
from companion.players.simulation import play_game
from companion.rules.cards import DECK, Card, cards, show_points
from companion.rules.deal import (
    ConfirmCount,
    CutStarter,
    Discard,
    PlayCard,
    Seating,
    State,
    apply_all,
    decide,
    new_deal,
)
from companion.rules.game import HouseRules, Setup, new_game
from tests.companion.players.asks import discard_ask, play_ask
from tests.companion.players.slow_player import SlowPlayer
from tests.support.card_games import SIDES, setup_for

_Request = TypeVar("_Request", DiscardRequest, PlayRequest)


class BlindShark:
    """Player that sees a plain track, on which each peg has as many holes to go."""

    def __init__(self, setup: Setup) -> None:
        self._track = setup.track
        self._shark = Shark(replace(setup, track=replace(setup.track, zones=())))

    def discard(self, request: DiscardRequest) -> tuple[Card, ...]:
        """Return the discards of a shark on a plain track."""
        return self._shark.discard(self._seen(request))

    def play(self, request: PlayRequest) -> Card | None:
        """Return the card of a shark on a plain track."""
        return self._shark.play(self._seen(request))

    def count(self, request: CountRequest) -> int:
        """Return all points."""
        return request.points

    def _seen(self, request: _Request) -> _Request:
        zones = (self._track.zone_at(front) for front in request.fronts)
        landed = (zone is not None and zone.diverts for zone in zones)
        fronts = (
            self._track.progress(front, landed=there)
            for front, there in zip(request.fronts, landed, strict=True)
        )
        return replace(request, fronts=tuple(fronts))


PLAIN = HouseRules(board="classic", skunk_at="finish", heels_ban=0, muggins="off")
CLASSIC = setup_for(2, board="classic", rules=PLAIN)
CRIB_WARS = setup_for(2)


@pytest.fixture(name="shark", scope="module")
def _shark() -> Shark:
    return Shark(CLASSIC)


@pytest.fixture(name="seeing", scope="module")
def _seeing() -> Shark:
    return Shark(CRIB_WARS)


# What it may know


def dealt(seed: int, hidden: int) -> State:
    """Return a deal with the same cards for the pone, after its lead and the dealer's answer.

    `hidden` shuffles all other cards.
    """
    deck = random.Random(seed).sample(DECK, len(DECK))
    pone, dealer, starter, rest = deck[:6], deck[6], deck[7], deck[8:]
    random.Random(hidden).shuffle(rest)
    other = [dealer, *rest[:5]]
    order = [card for pair in zip(pone, other, strict=True) for card in pair]
    seating = Seating.make(players=2, dealer=2)
    state = new_deal(seating, [*order, starter, *rest[5:]])
    for command in (
        Discard(seat=1, cards=tuple(pone[4:])),
        Discard(seat=2, cards=tuple(other[4:])),
        CutStarter(seat=1),
    ):
        state = settled(apply_all(state, decide(state, command)))
    for card, seat in ((pone[0], 1), (dealer, 2)):
        state = settled(apply_all(state, decide(state, PlayCard(seat=seat, card=card))))
    return state


def settled(state: State) -> State:
    """Return the hand after all due counts."""
    while state.due:
        state = apply_all(state, decide(state, ConfirmCount()))
    return state


@pytest.mark.parametrize("seed", range(8))
def test_hidden_cards_change_nothing(seeing: Shark, seed: int) -> None:
    """If all hidden cards are dealt again, the shark discards and plays the same."""
    plays = set()
    for hidden in range(6):
        state = dealt(seed, hidden)
        request = request_for(
            new_game(CRIB_WARS),
            state,
            1,
            discarded=tuple(random.Random(seed).sample(DECK, len(DECK))[4:6]),
            seen=state.pile,
        )
        assert state.turn == 1
        plays.add(seeing.play(request))  # type: ignore[arg-type]  # the play has begun
    assert len(plays) == 1


def test_the_same_ask_has_the_same_answer() -> None:
    """The same request always has the same answer."""
    rng = random.Random(2)
    for _ in range(20):
        deck = rng.sample(DECK, 9)
        request = play_ask(
            " ".join(map(str, deck[:4])),
            discarded=" ".join(map(str, deck[4:6])),
            starter=str(deck[6]),
            pile=str(deck[7]),
            cards_left=(4, 3),
            dealer=True,
        )
        assert Shark(CRIB_WARS).play(request) == Shark(CRIB_WARS).play(request)


# What it answers


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("board", ["classic", "crib-wars"])
def test_whole_games_by_the_rules(players: int, board: str) -> None:
    """The rules accept every answer, with any number of players, on any board."""
    rules = PLAIN if board == "classic" else HouseRules()
    setup = setup_for(players, board=board, rules=rules)
    if board == "crib-wars":
        setup = replace(setup, track=replace(setup.track, finish=100))
    seats: dict[int, Player] = {
        seat: Shark(setup) if seat % SIDES[players] == 1 else Regular()
        for seat in range(1, players + 1)
    }
    assert play_game(setup, seats, random.Random(players)).winner in setup.sides


def test_only_what_fits(shark: Shark) -> None:
    """The only fitting card is played; the answer is None if no card fits (P2)."""
    (ace,) = cards("AS")
    assert ace == shark.play(play_ask("KH QH AS", pile="KD QD 9D", discarded="2C 3C"))
    assert shark.play(play_ask("KH QH", pile="KD QD 9D", discarded="2C 3C")) is None


@pytest.mark.parametrize("dealer", [True, False])
def test_discards_near_the_oracle(shark: Shark, dealer: bool) -> None:
    """Early on a plain board no discard is much worse than the oracle's best.

    A shark may give points of the show away for the play, which the oracle ignores.
    """
    rng = random.Random(dealer)
    oracle = SlowPlayer(rng)
    lost = []
    for _ in range(60):
        hand = " ".join(map(str, rng.sample(DECK, 6)))
        request = discard_ask(hand, dealer=dealer, fronts=(0, 0))
        own, best = shark.discard(request), oracle.discard(request)
        lost.append(oracle.worth(request, best) - oracle.worth(request, own))
    assert max(lost) < 1.5
    assert sum(lost) / len(lost) < 0.15


@pytest.mark.parametrize("dealer", [True, False])
def test_a_starter_that_is_shown_is_used(shark: Shark, dealer: bool) -> None:
    """T6: with a known starter, hand and crib make half a point more a deal."""
    rng, gained = random.Random(dealer), []
    for _ in range(250):
        *deck, starter = rng.sample(DECK, 9)
        request = discard_ask(" ".join(map(str, deck[:6])), dealer=dealer, fronts=(0, 0))

        def made(
            request: DiscardRequest,
            others: tuple[Card, ...] = tuple(deck[6:]),
            starter: Card = starter,
        ) -> int:
            discarded = shark.discard(request)
            hand = tuple(card for card in request.hand if card not in discarded)
            crib = show_points((*discarded, *others), starter, crib=True)
            return show_points(hand, starter) + (crib if request.dealer else -crib)

        gained.append(made(replace(request, starter=starter)) - made(request))
    assert 0.2 < sum(gained) / len(gained)


@pytest.mark.parametrize("size", [5, 6])
def test_any_hand_is_thrown_from(seeing: Shark, size: int) -> None:
    """Two of six or one of five own cards are discarded, wherever the pegs are."""
    rng = random.Random(size)
    for front in (0, 21, 131, "trap-130:2", 346, 362):
        fronts: tuple[Hole, ...] = (front, 100) if size == 6 else (front, 100, 212)
        hand = rng.sample(DECK, size)
        boxed = (0,) * (len(fronts) - 1) + (2 if size == 5 else 0,)
        request = discard_ask(" ".join(map(str, hand)), fronts=fronts, boxed=boxed)
        discarded = seeing.discard(request)
        assert size - 4 == len(set(discarded) & set(hand)) == len(discarded)


# It plays the board


def test_the_winning_point_is_taken(shark: Shark) -> None:
    """Two holes before the finish it pairs at once, although its hand would count later (G2)."""
    request = play_ask("8H KD QC 2S", pile="8S", cards_left=(4, 3), dealer=True, fronts=(119, 119))
    assert cards("8H")[0] == shark.play(request)


def test_the_other_is_held_back(shark: Shark) -> None:
    """If the hand wins unless the other pegs two, the card that gives least is led.

    A king invites a five and two kings; an ace can only be paired. Otherwise the king is led.
    """
    ace, king = cards("AS KS")
    request = play_ask("KD AS 5S KS", discarded="9D AC", starter="5C")
    assert king.rank == getattr(shark.play(replace(request, fronts=(0, 0))), "rank", None)
    assert ace == shark.play(replace(request, fronts=(110, 119)))


@pytest.mark.parametrize("front", [20, 21])
def test_out_of_the_penalty_box(seeing: Shark, front: int) -> None:
    """A pair for two into the box is not taken, because it costs 40 holes and the hand (Z5, Z6)."""
    request = play_ask(
        "8H KD QC 2S", pile="8S", starter="9C", cards_left=(4, 3), dealer=True, fronts=(front, 100)
    )
    assert cards("8H")[0] == BlindShark(CRIB_WARS).play(request)
    assert cards("8H")[0] != seeing.play(request)


@pytest.mark.parametrize(
    ("front", "taken"),
    [
        pytest.param(39, True, id="onto a slide"),
        pytest.param(147, True, id="onto another"),
        pytest.param(197, True, id="onto an advance"),
        pytest.param(127, False, id="into a trap"),
        pytest.param(177, False, id="into another"),
        pytest.param(19, False, id="into a box"),
    ],
)
def test_three_points_for_the_board(seeing: Shark, front: int, taken: bool) -> None:
    """A run of three is taken if the landing helps, and left if it does harm (Z2 to Z5)."""
    request = play_ask(
        "9D 8D QC", pile="7S 8S", starter="2C", discarded="AC 2H", fronts=(front, 100)
    )
    assert taken == (cards("9D")[0] == seeing.play(request))


def test_a_five_is_led_at_a_side_before_a_snare() -> None:
    """A five is led only if the other is two holes before a trap or a box.

    A fifteen for two would put the other in.
    """
    request = play_ask("JC JD JH 5S", discarded="2D 6H", starter="KC")
    seeing, blind = Shark(CRIB_WARS), BlindShark(CRIB_WARS)
    five = cards("5S")[0]
    for snare in (20, 128):
        before_snare = replace(request, fronts=(90, snare))
        assert five == seeing.play(before_snare)
        assert five != blind.play(before_snare)
    assert five != seeing.play(replace(request, fronts=(90, 100)))


@pytest.mark.parametrize("hand", ["5H 5S 5D JC 2H 3H", "AS 2S 3S 4S 9D KD"])
def test_house_rules_are_played_as_they_are(hand: str) -> None:
    """A game to 61 on the long track ends at 61: there its pegs are near home."""
    short = Setup.make(CRIB_WARS.track, HouseRules(game_to=61), sides=(1, 2))
    discarded = Shark(short).discard(discard_ask(hand, fronts=(58, 20)))
    assert len(set(discarded) & set(map(Card.parse, hand.split()))) == 2
