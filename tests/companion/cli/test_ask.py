"""`cribwars player --jsonl` gives a legal reply to every ask, and else a clear line."""

import json
import random
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import Track, load_board
from companion.cli.replay import answers
from companion.players import KINDS, DiscardRequest, Player, PlayRequest, make_player
from companion.players import ask as asks
from companion.rules.cards import DECK, Card
from tests.support.card_games import children, play_out, setup_for
from tests.support.limits import share

TRACK = load_board("crib-wars").track
STANDING = [*range(TRACK.finish), *(hole for zone in TRACK.zones for hole in zone.path)]
DISCARD: dict[str, Any] = {
    "ask": "discard",
    "hand": ["5H", "5S", "5D", "JC", "KD", "2S"],
    "dealer": True,
    "fronts": [0, 0],
    "boxed": [0, 0],
}
PLAY: dict[str, Any] = {
    "ask": "play",
    "hand": ["5S", "5D", "JC"],
    "discarded": ["KD", "2S"],
    "pile": ["5H", "10C"],
    "starter": "AH",
    "seen": ["5H", "TC"],
    "cards_left": [3, 3],
    "dealer": False,
    "fronts": [121, "trap-130:2"],
    "boxed": [0, 0],
}


@cache
def player(kind: str) -> Player:
    """Return a player of a kind; the shark's race is computed once."""
    return make_player(kind, setup_for(2), random.Random(kind))


def answered(*asks: object, kind: str = "regular") -> list[dict[str, Any]]:
    """Return the replies to asks, one a line; bytes are a line already."""
    lines = [ask if isinstance(ask, bytes) else json.dumps(ask).encode() for ask in asks]
    return read_answers(lines, player(kind), TRACK)


def read_answers(lines: list[bytes], player: Player, track: Track) -> list[dict[str, Any]]:
    """Return the answers to lines, read by the standard library."""
    asked = partial(asks.answer, player=player, track=track)
    return [json.loads(each) for each in answers(lines, asked)]


def written(ask: DiscardRequest | PlayRequest) -> dict[str, Any]:
    """Return an ask as its line has it, by the contract."""
    line: dict[str, Any] = {"ask": "play" if isinstance(ask, PlayRequest) else "discard"}
    line |= {"hand": [*map(str, ask.hand)], "dealer": ask.dealer}
    line |= {"fronts": ask.fronts, "boxed": ask.boxed}
    if isinstance(ask, PlayRequest):
        line |= {name: [*map(str, getattr(ask, name))] for name in ("discarded", "pile", "seen")}
        line["cards_left"] = ask.cards_left
    return line | ({"starter": str(ask.starter)} if ask.starter is not None else {})


def assert_legal(ask: dict[str, Any], answer: dict[str, Any]) -> None:
    """Check that T3's number of cards is discarded, and that a played card fits."""
    hand = {*map(Card.parse, ask["hand"])}
    if ask["ask"] == "discard":
        assert ["discard"] == list(answer)
        thrown = [*map(Card.parse, answer["discard"])]
        assert len(hand) - 4 == len(thrown) == len({*thrown} & hand)
        return
    assert ["play"] == list(answer)
    count = sum(Card.parse(card).value for card in ask["pile"])
    assembly = {card for card in hand if count + card.value <= 31}
    played = answer["play"]
    assert (Card.parse(played) in assembly) if assembly else (played is None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_lines_of_the_contract(kind: str) -> None:
    """Cards are written as in the contract; both kinds may mix, blank lines are skipped."""
    thrown, played = answered(DISCARD, b" \n", PLAY, kind=kind)
    assert_legal(DISCARD, thrown)
    assert_legal(PLAY, played)


def test_a_starter_that_is_shown_may_come_with_the_request() -> None:
    """T6: with a four shown the run of four is kept, else the jack and tens."""
    hand = {"hand": ["2H", "3S", "5D", "9C", "TC", "JD"]}
    without, known = answered(DISCARD | hand, DISCARD | hand | {"starter": "4H"})
    assert [{"discard": ["2H", "3S"]}, {"discard": ["9C", "JD"]}] == [without, known]


def test_tens_are_written_t() -> None:
    """10H is read too, TH is written."""
    ask = PLAY | {"hand": ["10H"], "cards_left": [1, 3], "discarded": ["KD", "10S"]}
    assert [{"play": "TH"}] == answered(ask)


@pytest.mark.parametrize("kind", KINDS)
def test_no_card_only_when_none_fits(kind: str) -> None:
    """P2: an ace fits up to 30; if no card fits or is left, the reply is null."""
    thirty = {"pile": ["KH", "KC", "KS"], "seen": ["KH", "KC", "KS"]}
    one, none, empty = (
        PLAY | thirty | {"hand": hand, "cards_left": [len(hand), 2], "starter": "QS"}
        for hand in (["AH", "7S"], ["2H", "7S"], [])
    )
    assert [{"play": "AH"}, {"play": None}, {"play": None}] == answered(one, none, empty, kind=kind)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("kind", ["child", "regular", "shark"])
def test_whole_games_asked(kind: str, players: int) -> None:
    """T1: with any number of players every ask of a game, for the slow shark some, is answered."""
    game = play_out(setup_for(players), children(players, 1), seed=players)
    step = len(game.requests) // 12 if kind == "shark" else 1
    asks = [written(ask.request) for ask in game.requests][::step]
    for ask, answer in zip(asks, answered(*asks, kind=kind), strict=True):
        assert_legal(ask, answer)


@st.composite
def plays(draw: st.DrawFn) -> dict[str, Any]:
    """Return any valid ask for a card, even one that no sensible game has."""
    sides = draw(st.integers(2, 3))
    seats = sides * draw(st.integers(1, 2))
    deck = [*map(str, draw(st.permutations(DECK)))]
    left = draw(st.lists(st.integers(0, 4), min_size=seats, max_size=seats))
    hand, discarded = deck[: left[0]], deck[4 : 6 if seats == 2 else 5]
    seen = deck[7 : 7 + draw(st.integers(0, 4 * seats - left[0]))]
    pile = seen[len(seen) - draw(st.integers(0, len(seen))) :]
    while sum(Card.parse(card).value for card in pile) > 31:
        pile = pile[1:]
    return {
        "ask": "play",
        "hand": hand,
        "discarded": discarded,
        "pile": pile,
        "starter": deck[6],
        "seen": seen,
        "cards_left": left,
        "dealer": draw(st.booleans()),
        "fronts": draw(st.lists(st.sampled_from(STANDING), min_size=sides, max_size=sides)),
        "boxed": [0, 0] if sides == 2 else [0, *draw(st.permutations([0, draw(_HANDS)]))],
    }


_HANDS = st.integers(0, 3)


@st.composite
def discards(draw: st.DrawFn) -> dict[str, Any]:
    """Return any valid ask for discards."""
    ask = draw(plays())
    deck = [*map(str, draw(st.permutations(DECK)))]
    ask["hand"] = deck[: draw(st.integers(5, 6))]
    shown = {"starter": deck[6]} if draw(st.booleans()) else {}
    return {"ask": "discard"} | {name: ask[name] for name in list(DISCARD)[1:]} | shown


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=share(0.5))
@given(ask=st.one_of(plays(), discards()))
def test_answers_to_any_ask_are_legal(kind: str, ask: dict[str, Any]) -> None:
    """Every valid request gets a reply that the rules accept."""
    (answer,) = answered(ask, kind=kind)
    assert_legal(ask, answer)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand": DISCARD["hand"][:4]}, "hand: 5 or 6 cards are needed, 4 are given"),
        ({"hand": [*DISCARD["hand"], "9C"]}, "hand: 5 or 6 cards are needed, 7 are given"),
        ({"hand": ["5H", *DISCARD["hand"][:5]]}, "hand: 5H is given twice"),
        ({"hand": ["1H", *DISCARD["hand"][1:]]}, "hand: '1H' is no card"),
        ({"fronts": [0]}, "fronts: 1 are given: give one a side, 2 to 3"),
        ({"fronts": [0] * 4, "boxed": [0] * 4}, "fronts: 4 are given"),
        ({"fronts": [0, 363]}, "from 0 to 362 or on a side path, not on 363"),
        ({"fronts": [-1, 0]}, "a side path, not on -1"),
        ({"fronts": [0, "trap-130:7"]}, "a side path, not on 'trap-130:7'"),
        ({"boxed": [0]}, "boxed: 2 are needed, one a side; 1 are given"),
        ({"boxed": [0, 1]}, "but none of two (Z6, Z8)"),
        ({"fronts": [0] * 3, "boxed": [0, 4, 0]}, "boxed: a side sits 0 to 3 hands"),
        ({"fronts": [0] * 3, "boxed": [0, 1, 1]}, "one of three sides"),
        ({"fronts": [0] * 3, "boxed": [1, 0, 0]}, "a side in a box is not asked"),
        ({"starter": "5H"}, "starter: 5H is in the hand"),
        ({"starter": "1H"}, "starter: '1H' is no card"),
        ({"ask": "play"}, "missing required field"),
        ({"ask": "peg"}, "Invalid value 'peg'"),
        ({"dealer": 1}, "Expected `bool`"),
        ({"hand": "5H 5S"}, "Expected `array`"),
        ({"more": 1}, "unknown field `more`"),
    ],
)
def test_impossible_discards(change: dict[str, Any], words: str) -> None:
    """An impossible hand or a faulty line is an error on that line, and it goes on."""
    refused, answer = answered(DISCARD | change, DISCARD)
    assert words in refused["error"]
    assert_legal(DISCARD, answer)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand": ["5S", "5D"]}, "cards_left: the first seat is your own, with the 2 cards"),
        ({"cards_left": [3, 5]}, "cards_left: a seat has 0 to 4 cards left"),
        ({"cards_left": [3, -1]}, "cards_left: a seat has 0 to 4 cards left"),
        ({"cards_left": [3, 3, 3]}, "cards_left: 2 or 4 are needed, one a seat; 3 are given"),
        ({"discarded": ["KD"]}, "discarded: 2 cards are needed, 1 are given"),
        ({"discarded": ["KD", "2S", "3S"]}, "discarded: 2 cards are needed, 3 are given"),
        ({"discarded": ["KD", "5S"]}, "5S is in the ask twice"),
        ({"starter": "5H"}, "5H is in the ask twice"),
        ({"starter": ""}, "starter: '' is no card"),
        ({"seen": ["5H", "TC", "AH"]}, "AH is in the ask twice"),
        ({"seen": ["5H"]}, "pile: TC is not among the cards seen"),
        ({"seen": ["5H", "TC", "2H", "3H", "4H", "6H"]}, "seen: 2 seats play at most 4 cards"),
        (
            {"pile": ["KH", "KC", "KS", "2C"], "seen": ["KH", "KC", "KS", "2C"]},
            "pile: it counts 32: a count does not pass 31 (P1)",
        ),
        ({"fronts": [121, 363]}, "a side path, not on 363"),
    ],
)
def test_impossible_plays(change: dict[str, Any], words: str) -> None:
    """Cards held, cards seen and the pile must agree, too."""
    refused, answer = answered(PLAY | change, PLAY)
    assert words in refused["error"]
    assert_legal(PLAY, answer)


@pytest.mark.parametrize(
    "line", [b"{", b"\xff", b"[]", b"null", b"{}", b"[" * 100_000, b'{"ask": {}}', b"\0"]
)
def test_unreadable_lines(line: bytes) -> None:
    """Each faulty line is one error, and it goes on."""
    refused, answer = answered(line, DISCARD)
    assert ["error", "rule"] == list(refused)
    assert_legal(DISCARD, answer)


def test_the_cut_may_find_what_was_thrown_under_the_deck() -> None:
    """T3: only with six players the dealer's side discards under the deck."""
    six = {"cards_left": [3, 3, 4, 4, 4, 4], "fronts": [0, 0, 0], "boxed": [0, 0, 0]}
    ask = PLAY | six | {"discarded": ["2S"], "starter": "2S"}
    (answer,) = answered(ask)
    assert_legal(ask, answer)
    (refused,) = answered(PLAY | {"starter": "2S"})
    assert "2S is in the ask twice" in refused["error"]


def test_a_board_with_two_lanes_has_no_third_side() -> None:
    """T1: a side needs a lane of the board."""
    line = json.dumps(DISCARD | {"fronts": [0, 0, 0], "boxed": [0, 0, 0]}).encode()
    track = setup_for(2, board="classic").track
    narrow = type(track)(finish=track.finish, lanes=2)
    (refused,) = read_answers([line], player("regular"), narrow)
    assert "give one a side, 2 to 2" in refused["error"]
