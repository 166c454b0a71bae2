"""`cribwars deal --jsonl`: the lines of the contract, and every fault as one clear line."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.deal import deal_lines
from tests.companion.rules.deal.tables import FOUR, SIX, THREE, TWO

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


@pytest.mark.parametrize(
    ("fronts", "heels"),
    [([0, 0], 2), ([362, 359], 2), ([0, 360], 0), ([0, 362], 0), ([0, "trap-4:1"], 2)],
)
def test_heels_near_the_finish(fronts: list[object], heels: int) -> None:
    """T7: no heels while the dealer's own front peg stands on 360 to 362."""
    assert heels == answer(requested(TWO, "", starter="JC", fronts=fronts))["heels"]


@pytest.mark.parametrize(("front", "heels"), [(118, 2), (119, 0), (120, 0)])
def test_heels_near_another_finish(front: int, heels: int) -> None:
    """T7: the house rule and the finish say which holes bar the heels."""
    line = requested(TWO, "", starter="JC", fronts=[0, front])
    assert heels == answer(line, finish=121, heels_ban=2)["heels"]


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
    ("rule", "change"),
    [
        ("P1", {"plays": ["8D"]}),
        ("P1", {"plays": ["7H", "6S"]}),
        ("P1", {"plays": ["7H", "8D", "6S", "5S", "KC"]}),
        ("P1", {"plays": ["KC", "TD", "7H", "JS"]}),
        ("P2", {"plays": ["KC", "TD", "4D", "7H"]}),
        ("T1", {"players": 5}),
        ("T1", {"players": 0}),
        ("T2", {"dealer": 3}),
        ("T2", {"dealer": 0}),
        (None, {"plays": ["7H", "8D", "7H"]}),
        (None, {"plays": ["KD"]}),
        (None, {"plays": ["1H"]}),
        (None, {"plays": "7H 8D"}),
        (None, {"starter": "7H"}),
        (None, {"starter": ["KD"]}),
        (None, {"starter": ""}),
        (None, {"crib": ["2H", "3H", "QC"]}),
        (None, {"crib": ["2H", "3H", "QC", "7H"]}),
        (None, {"crib": ["2H", "3H", "QC", "KD"]}),
        (None, {"hands": [["7H", "6S", "4D", "KC"]]}),
        (None, {"hands": [["7H", "6S", "4D", "KC"], ["8D", "5S", "TD"]]}),
        (None, {"hands": [["7H", "6S", "4D", "KC"], ["8D", "5S", "TD", "KC"]]}),
        (None, {"hands": [["7H", "6S", "4D", "4D"], ["8D", "5S", "TD", "JS"]]}),
        (None, {"fronts": [1]}),
        (None, {"fronts": [1, 2, 3]}),
        (None, {"fronts": [1, 363]}),
        (None, {"fronts": [-1, 3]}),
        (None, {"fronts": [1, 2.5]}),
        (None, {"dealer": "2"}),
        (None, {"dealer": True}),
        (None, {"folded": [1]}),
    ],
)
def test_faults(rule: str | None, change: dict[str, Any]) -> None:
    """P1, P2 and the border: a fault is a line of text and a rule, and nothing else."""
    reported = answer(requested(TWO, "") | change)
    assert ["error", "rule"] == list(reported)
    assert rule == reported["rule"]
    assert reported["error"].strip()
    assert "\n" not in reported["error"]


@pytest.mark.parametrize(
    ("card", "change"),
    [
        ("KC", {"hands": [["7H", "6S", "4D", "KC"], ["8D", "5S", "TD", "KC"]]}),
        ("7H", {"starter": "7H"}),
        ("8D", {"crib": ["2H", "3H", "QC", "8D"]}),
        ("7H", {"plays": ["7H", "8D", "7H"]}),
        ("AS", {"plays": ["AS"]}),
    ],
)
def test_the_card_is_named(card: str, change: dict[str, Any]) -> None:
    """The border: a card that is there twice, or in nobody's hand, is named."""
    assert card in answer(requested(TWO, "") | change)["error"]


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
