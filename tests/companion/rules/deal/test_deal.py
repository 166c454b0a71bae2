"""A deal from the deck to the starter, counts that sides declare, and `cribwars deal --jsonl`."""

import json
import random
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.deal import deal_lines
from companion.errors import BadInputError, RuleError
from companion.rules.cards import DECK, Card
from companion.rules.deal import (
    ConfirmCount,
    CutStarter,
    Discard,
    Fold,
    Phase,
    PlayCard,
    Seating,
    State,
    Stop,
    new_deal,
)
from companion.rules.deal.declared_count import (
    DeclaredCount,
    corrections,
    declare,
    may_call,
    refuse_call,
)
from companion.rules.game import CountKind, Muggins, Overpeg
from tests.companion.rules.deal.tables import FOUR, SIX, THREE, TWO, Table

SEATED = ((2, None), (3, None), (4, None), (6, None), (3, 1), (6, 3))
"""Numbers of players, with a boxed side or none."""


def deck_with(starter: str, at: int) -> list[Card]:
    """Return the deck with this card at this place, from the top."""
    deck = [card for card in DECK if str(card) != starter]
    deck.insert(at, Card.parse(starter))
    return deck


def dealt(players: int, *, dealer: int = 2, boxed: int | None = None) -> Table:
    """Return a deal of the sorted deck."""
    return Table(new_deal(Seating.make(players=players, dealer=dealer, boxed=boxed), DECK))


def discard_all(table: Table) -> None:
    """Let every seat discard its first cards."""
    thrown = table.state.seating.discards
    for hand in table.state.hands:
        table.do(Discard(seat=hand.seat, cards=hand.cards[:thrown]))


def everywhere(state: State) -> list[Card]:
    """Return every card, wherever it is, before the play."""
    held = [card for hand in state.hands for card in hand.cards]
    starter = [] if state.starter is None else [state.starter]
    return sorted([*held, *state.crib, *state.deck, *starter])


PLAYS_OF_TWO = "7H 8D 6S 5S 4D TD KC JS"
PLAYS_OF_THREE = "KH QH TH AC 9S 6C 7S 8D 5S 2D 3C 4D"


def requested(hands: dict[int, str], plays: str, **more: object) -> dict[str, Any]:
    """Return a line as a value: the last seat deals, the starter is the king of diamonds."""
    return {
        "players": len(hands),
        "dealer": len(hands),
        "hands": [hands[seat].split() for seat in sorted(hands)],
        "starter": "KD",
        "plays": plays.split(),
    } | more


def answer(value: object, **rules: int) -> dict[str, Any]:
    """Return the reply to one line."""
    (line,) = deal_lines([json.dumps(value).encode()], **rules)
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    return found


def awaited(actual: int = 6, why: CountKind = CountKind.HAND) -> DeclaredCount:
    """Return a count of side 1 that is awaited."""
    return DeclaredCount(side=1, seat=1, why=why, actual=actual)


def refusal(count: DeclaredCount, by: int, points: int) -> str | None:
    """Return the rule by which a call is refused."""
    with pytest.raises(RuleError) as refused:
        corrections(count, by, points, overcalls_score=True)
    return refused.value.rule


def test_one_card_at_a_time() -> None:
    """T4: cards go round one by one from the dealer's left, the dealer last."""
    table = dealt(2, dealer=1)
    assert DECK[0:12:2] == table.state.hand(2).cards
    assert DECK[1:12:2] == table.state.hand(1).cards
    assert DECK[12:] == table.state.deck


@pytest.mark.parametrize(("players", "boxed"), SEATED)
def test_every_hand_and_the_crib_has_four(players: int, boxed: int | None) -> None:
    """T3: whatever the number of players, all hands and the crib end with four cards."""
    table = dealt(players, boxed=boxed)
    discard_all(table)
    assert {4} == {len(hand.cards) for hand in table.state.hands}
    assert 4 == len(table.state.crib)
    assert list(DECK) == everywhere(table.state)


def test_the_decks_card_in_the_crib_of_three() -> None:
    """T3: with three players the crib's fourth card is the top one of the deck."""
    table = dealt(3)
    discard_all(table)
    assert DECK[15] in table.state.crib
    assert DECK[16:] == table.state.deck


def test_the_crib_of_three_sides() -> None:
    """T3: of six players only the other four throw into the crib; two go under the deck."""
    table = dealt(6, dealer=2)
    discard_all(table)
    thrown = {seat: DECK[place] for place, seat in enumerate((3, 4, 5, 6, 1, 2))}
    assert [thrown[seat] for seat in (3, 4, 6, 1)] == list(table.state.crib)
    assert (*DECK[30:], thrown[5], thrown[2]) == table.state.deck


def test_the_dealers_side_throws_into_its_crib_if_four_play() -> None:
    """T3: only of six players do some throw under the deck."""
    table = dealt(4)
    discard_all(table)
    assert DECK[:4] == table.state.crib


@pytest.mark.parametrize("fault", [0, 1, 3, 6])
def test_a_wrong_number_of_discards(fault: int) -> None:
    """T3: two players throw two cards each, no more and no fewer."""
    table = dealt(2, dealer=1)
    discard = Discard(seat=2, cards=table.state.hand(2).cards[:fault])
    assert "T3" == table.refused(discard)


def test_discards_that_cannot_be() -> None:
    """T3: a seat throws different cards, its own, and once."""
    table = dealt(2, dealer=1)
    first, second, *others = table.state.hand(2).cards
    assert "T3" == table.refused(Discard(seat=2, cards=(first, first)))
    assert "T3" == table.refused(Discard(seat=1, cards=(first, second)))
    table.do(Discard(seat=2, cards=(first, second)))
    assert "T3" == table.refused(Discard(seat=2, cards=(others[0], others[1])))


def test_a_seat_that_is_not_in_the_deal() -> None:
    """Z11: who is boxed holds no cards and throws none."""
    table = dealt(3, boxed=1)
    assert "T1" == table.refused(Discard(seat=1, cards=DECK[:2]))


def test_a_deck_that_is_not_whole() -> None:
    """T4: the deck holds each of the 52 cards once."""
    for deck in (DECK[:51], (*DECK[:51], DECK[0])):
        with pytest.raises(BadInputError, match="52"):
            new_deal(Seating.make(players=2, dealer=1), deck)


def test_the_starter_comes_after_the_discards() -> None:
    """T6: no starter before the last discard, no card before the starter."""
    table = dealt(2, dealer=1)
    assert "T3" == table.refused(CutStarter(seat=2))
    discard_all(table)
    assert Phase.STARTER == table.state.phase
    assert "T6" == table.refused(PlayCard(seat=2, card=table.state.hand(2).cards[0]))
    assert ["starter 4H"] == table.do(CutStarter(seat=2, at=1))
    assert (Phase.PLAY, 2) == (table.state.phase, table.state.turn)


def test_the_starter_before_the_discards() -> None:
    """T6: by the house rule of 001 the starter is shown first, and then cards are thrown."""
    table = Table(
        new_deal(Seating.make(players=2, dealer=1), deck_with("JS", 12), starter="before-discards")
    )
    assert "T6" == table.refused(Discard(seat=2, cards=table.state.hand(2).cards[:2]))
    assert ["starter JS", "1 pegs 2 heels"] == table.do(CutStarter(seat=2))
    table.peg()
    discard_all(table)
    assert (Phase.PLAY, 2) == (table.state.phase, table.state.turn)


def test_who_cuts() -> None:
    """T6: only the player at the dealer's right cuts, and cuts a card that is there."""
    table = dealt(3, dealer=2)
    discard_all(table)
    assert "T6" == table.refused(CutStarter(seat=2))
    assert "T6" == table.refused(CutStarter(seat=1, at=len(table.state.deck)))
    assert "T6" == table.refused(CutStarter(seat=1, at=-1))
    table.do(CutStarter(seat=1, at=len(table.state.deck) - 1))
    assert DECK[-1] == table.state.starter
    assert list(DECK) == everywhere(table.state)


@pytest.mark.parametrize("starter", ["JS", "JH", "JD", "JC"])
def test_heels(starter: str) -> None:
    """T7: a jack turned up gives the dealer two, before anybody plays a card."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with(starter, 12)))
    discard_all(table)
    assert [f"starter {starter}", "1 pegs 2 heels"] == table.do(CutStarter(seat=2))
    assert "P7" == table.refused(PlayCard(seat=2, card=table.state.hand(2).left[0]))
    table.do(ConfirmCount())
    assert (Phase.PLAY, 2) == (table.state.phase, table.state.turn)


def test_heels_near_the_finish() -> None:
    """T7: no heels where the dealer's front peg bars them; the play begins at once."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with("JS", 12)))
    discard_all(table)
    assert ["starter JS"] == table.do(CutStarter(seat=2, heels_barred=True))
    assert 2 == table.state.turn


def test_no_heels_for_other_cards() -> None:
    """T7: only a jack is heels."""
    for card in DECK:
        table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with(str(card), 12)))
        discard_all(table)
        pegs = table.do(CutStarter(seat=2))[1:]
        assert (["1 pegs 2 heels"] if str(card)[0] == "J" else []) == pegs


def test_nothing_to_have_pegged() -> None:
    """P7: only a count that is due can have been pegged."""
    assert "P7" == dealt(2, dealer=1).refused(ConfirmCount())


def test_the_same_deck_deals_the_same_hands() -> None:
    """T4: cards and shuffles come from outside, so any deal can be dealt again."""
    deck = random.Random(7).sample(DECK, len(DECK))
    seating = Seating.make(players=6, dealer=4)
    assert new_deal(seating, deck) == new_deal(seating, tuple(deck))


def test_no_heels_for_a_dealer_who_has_folded() -> None:
    """Z5, T7: a side that a penalty has folded before the cut throws its cards, and no more."""
    table = Table(new_deal(Seating.make(players=2, dealer=1), deck_with("JS", 12)))
    table.do(Fold(side=1))
    discard_all(table)
    assert ["starter JS"] == table.do(CutStarter(seat=2))
    assert (4, 2) == (len(table.state.crib), table.state.turn)


def test_a_win_before_the_play() -> None:
    """G2: a win by heels, or by a penalty during the discards, stops the deal as well."""
    table = dealt(2, dealer=1)
    table.do(Stop())
    assert Phase.OVER == table.state.phase


@pytest.mark.parametrize(
    ("hands", "dealer", "plays", "pegged", "shows"),
    [
        (THREE, 3, PLAYS_OF_THREE, [2, 5, 7], [(1, 2), (2, 0), (3, 9)]),
        (
            FOUR,
            1,
            "TH 5C JH 6S TS TD 8S AC 2C 7D 4D 5D 9S 3S 4C KH",
            [3, 0, 6, 1],
            [(2, 8), (3, 4), (4, 2), (1, 4)],
        ),
        (
            SIX,
            6,
            "KH KS JS AH 9S 6D TS 6C QD QS 8D 3H 9D 7D 9C 5D 2H 7S 4H 5S 4C 8C JD 2S",
            [5, 2, 4, 1, 2, 1],
            [(1, 8), (2, 2), (3, 0), (4, 3), (5, 8), (6, 2)],
        ),
    ],
)
def test_more_players(
    hands: dict[int, str], dealer: int, plays: str, pegged: list[int], shows: list[tuple[int, int]]
) -> None:
    """S1, P2: pegged goes by seat, the show from the dealer's left; no crib unless it is given."""
    reported = answer(requested(hands, plays, dealer=dealer))
    assert pegged == reported["pegged"]
    assert shows == [(show["seat"], show["points"]) for show in reported["shows"]]
    assert "crib" not in reported


def test_thirty_one_is_followed_by_a_reset_alone() -> None:
    """P2, P4: 31 is among the parts of its card, and no go comes on top."""
    plays = answer(requested(THREE, PLAYS_OF_THREE))["plays"]
    parts = [{"kind": "thirty-one", "points": 2}]
    assert {"seat": 1, "card": "AC", "count": 31, "parts": parts} == plays[3]
    assert [{"reset": True}, {"seat": 2, "card": "9S", "count": 9, "parts": []}] == plays[4:6]


def test_no_reset_after_the_last_card() -> None:
    """P3: after the last card nothing begins again, after a last 31 nothing is told at all."""
    hands = {1: "TH 9S TC 9D", 2: "9C 3S 5H 7H"}
    plays = answer(requested(hands, "TH 9C 9S 3S TC 5H 9D 7H"))["plays"]
    assert 31 == plays[-1]["count"]
    assert {"seat": 2, "last": 1} == answer(requested(TWO, PLAYS_OF_TWO))["plays"][-1]


def test_the_first_cards_of_a_hand() -> None:
    """P2: what is certain after them is told; hands are counted whether they are played or not."""
    reported = answer(requested(TWO, "7H 8D 6S 5S 4D"))
    assert [{"seat": 1, "go": 1}, {"reset": True}] == reported["plays"][-2:]
    assert [9, 6] == reported["pegged"]
    assert [2, 6] == [show["points"] for show in reported["shows"]]
    assert [] == answer(requested(TWO, ""))["plays"]


def test_heels_are_pegged_by_the_dealer() -> None:
    """T7: heels are two, told by themselves and among what the dealer's seat has pegged."""
    reported = answer(requested(TWO, PLAYS_OF_TWO, starter="JC"))
    assert (2, [9, 9]) == (reported["heels"], reported["pegged"])


TO_121 = {"finish": 121, "heels_ban": 2}


@pytest.mark.parametrize(
    ("fronts", "rules", "heels"),
    [
        ([0, 0], {}, 2),
        ([362, 359], {}, 2),
        ([0, 360], {}, 0),
        ([0, 362], {}, 0),
        ([0, "trap-4:1"], {}, 2),
        ([0, 118], TO_121, 2),
        ([0, 119], TO_121, 0),
        ([0, 120], TO_121, 0),
    ],
)
def test_heels_are_answered_near_the_finish(
    fronts: list[object], rules: dict[str, int], heels: int
) -> None:
    """T7: no heels for a dealer whose front peg stands on as many last holes as the rule says."""
    assert heels == answer(requested(TWO, "", starter="JC", fronts=fronts), **rules)["heels"]


def test_fronts_are_by_side() -> None:
    """T1, T7: of four players seats 2 and 4 share the second front."""
    line = requested(FOUR, "", starter="JC", dealer=4)
    assert 0 == answer(line | {"fronts": [0, 361]})["heels"]
    assert 2 == answer(line | {"fronts": [361, 0]})["heels"]


def test_ten_is_read_and_t_is_written() -> None:
    """The contract: 10H is read too, TH is written."""
    hands = {1: "10H 9S 10C 9D", 2: "9C 3S 5H 7H"}
    reported = answer(requested(hands, "10H 9C"))
    assert ["TH", "9C"] == [play["card"] for play in reported["plays"]]


@pytest.mark.parametrize(
    ("rule", "card", "change"),
    [
        ("P1", "", {"plays": ["8D"]}),
        ("P1", "", {"plays": ["7H", "6S"]}),
        ("P1", "", {"plays": ["7H", "8D", "6S", "5S", "KC"]}),
        ("P1", "", {"plays": ["KC", "TD", "7H", "JS"]}),
        ("P2", "", {"plays": ["KC", "TD", "4D", "7H"]}),
        ("T1", "", {"players": 5}),
        ("T1", "", {"players": 0}),
        ("T2", "", {"dealer": 3}),
        ("T2", "", {"dealer": 0}),
        (None, "7H", {"plays": ["7H", "8D", "7H"]}),
        (None, "", {"plays": ["KD"]}),
        (None, "AS", {"plays": ["AS"]}),
        (None, "", {"plays": ["1H"]}),
        (None, "", {"plays": "7H 8D"}),
        (None, "7H", {"starter": "7H"}),
        (None, "", {"starter": ["KD"]}),
        (None, "", {"starter": ""}),
        (None, "", {"crib": ["2H", "3H", "QC"]}),
        (None, "7H", {"crib": ["2H", "3H", "QC", "7H"]}),
        (None, "8D", {"crib": ["2H", "3H", "QC", "8D"]}),
        (None, "", {"crib": ["2H", "3H", "QC", "KD"]}),
        (None, "", {"hands": [["7H", "6S", "4D", "KC"]]}),
        (None, "", {"hands": [["7H", "6S", "4D", "KC"], ["8D", "5S", "TD"]]}),
        (None, "KC", {"hands": [["7H", "6S", "4D", "KC"], ["8D", "5S", "TD", "KC"]]}),
        (None, "", {"hands": [["7H", "6S", "4D", "4D"], ["8D", "5S", "TD", "JS"]]}),
        (None, "", {"fronts": [1]}),
        (None, "", {"fronts": [1, 2, 3]}),
        (None, "", {"fronts": [1, 363]}),
        (None, "", {"fronts": [-1, 3]}),
        (None, "", {"fronts": [1, 2.5]}),
        (None, "", {"dealer": "2"}),
        (None, "", {"dealer": True}),
        (None, "", {"folded": [1]}),
    ],
)
def test_faults(rule: str | None, card: str, change: dict[str, Any]) -> None:
    """P1, P2 and the border: a fault is a line of text and a rule, and nothing else.

    A card that is there twice, or in nobody's hand, is named.
    """
    reported = answer(requested(TWO, "") | change)
    assert ["error", "rule"] == list(reported)
    assert rule == reported["rule"]
    assert reported["error"].strip()
    assert card in reported["error"]
    assert "\n" not in reported["error"]


def test_it_goes_on_after_a_fault() -> None:
    """The contract: an answer a line, errors among them; lines without text are passed over."""
    good = json.dumps(requested(TWO, PLAYS_OF_TWO)).encode()
    reported = [
        json.loads(line) for line in deal_lines([b"\xff", b"[]", b"  \n", good, b"{", good])
    ]
    assert [True, True, False, True, False] == ["error" in value for value in reported]
    assert reported[2] == reported[4]


@given(st.binary(max_size=60) | st.text('[]{}":,7HKD ', max_size=60).map(str.encode))
def test_any_bytes(line: bytes) -> None:
    """The contract: bad input never shows a traceback."""
    for text in deal_lines([line]):
        assert ["error", "rule"] == list(json.loads(text))


@pytest.mark.parametrize("points", [0, 6, 29])
def test_a_side_declares_its_own_count_once(points: int) -> None:
    """M1: 0 to 29 points (S5); it is open then."""
    count = declare(awaited(), 1, points)
    assert points == count.declared
    for declared, side, more in ((count, 1, 2), (awaited(), 2, 6), (awaited(), 1, 30)):
        with pytest.raises(RuleError):
            declare(declared, side, more)


@pytest.mark.parametrize(
    ("why", "where"), [(CountKind.PLAY, "play"), (CountKind.HAND, "show"), (CountKind.CRIB, "show")]
)
def test_missed_points_go_to_the_side_that_calls_them(
    why: CountKind, where: Literal["play", "show"]
) -> None:
    """M1, M2: the exact difference, by whichever house rule."""
    count = declare(awaited(6, why), 1, 4)
    for overcalls_score in (False, True):
        call = corrections(count, 2, 2, overcalls_score=overcalls_score)[0]
        assert Muggins(erring=1, by=2, points=2, where=where, kind="missed") == call


def test_points_too_many_go_by_the_house_rule() -> None:
    """M2: the caller takes them; where only missed points score they are put right (N11)."""
    count = declare(awaited(6), 1, 8)
    call = corrections(count, 2, 2, overcalls_score=True)[0]
    assert isinstance(call, Muggins)
    assert ("overcalled", 2, 2) == (call.kind, call.points, call.by)
    assert Overpeg(side=1, extra=2) == corrections(count, 2, 2, overcalls_score=False)[0]


def test_a_call_must_be_right_and_is_made_once() -> None:
    """M1: another number is refused, and so is any call of that side after it."""
    count = declare(awaited(6), 1, 4)
    assert ["M1"] * 3 == [refusal(count, 2, points) for points in (0, 1, 3)]
    assert "M1" == refusal(declare(awaited(6), 1, 6), 2, 1)
    once = refuse_call(count, 2)
    assert [False, False, True] == [may_call(once, side) for side in (1, 2, 3)]
    assert "M1" == refusal(once, 2, 2)
    assert isinstance(corrections(once, 3, 2, overcalls_score=True)[0], Muggins)


def test_only_an_open_count_can_be_called() -> None:
    """Neither one that is awaited nor one that has been corrected."""
    assert not may_call(awaited(), 2)
    assert "M1" == refusal(awaited(), 2, 6)
