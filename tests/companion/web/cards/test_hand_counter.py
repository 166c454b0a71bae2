"""The counter: the points of a hand with their parts, for the page."""

import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.rules.cards import DECK
from tests.companion.rules.cards.slow_count import slow_show
from tests.companion.web.client import fetch, refusal
from tests.support.real_table import RealTable


@pytest.fixture(scope="module")
def table() -> Iterator[RealTable]:
    """Serve a table."""
    with RealTable() as table:
        yield table


def count(table: RealTable, **query: str) -> dict[str, Any]:
    """Return the count of a hand."""
    return dict(fetch(table, "GET", f"/api/count?{urlencode(query)}").json())


def test_a_hand_is_reported_part_by_part(table: RealTable) -> None:
    """Fifteens, pairs, runs, flush and nobs come in the order of a show, with their cards."""
    reported = count(table, hand="5H 5S 5D JC", starter="5C")
    assert 29 == reported["points"]
    kinds = [part["kind"] for part in reported["parts"]]
    assert [*["fifteen"] * 8, "double-pair-royal", "nobs"] == kinds


def test_a_crib_is_no_hand(table: RealTable) -> None:
    """Four of a suit count only in the hand (S3)."""
    hand = {"hand": "2H 4H 6H 8H", "starter": "KS"}
    points = [count(table, **hand, crib=crib)["points"] for crib in ("false", "true")]
    assert [4, 0] == points


def test_the_parts_add_up(table: RealTable) -> None:
    """They make the points of the obvious twin for any cards."""
    chance = random.Random(1)
    for n in range(40):
        five = [str(card) for card in chance.sample(DECK, 5)]
        crib = bool(n % 2)
        hand, starter = " ".join(five[:4]), five[4]
        reported = count(table, hand=hand, starter=starter, crib=str(crib).lower())
        assert sum(slow_show(five[:4], starter, crib=crib).values()) == reported["points"]
        assert reported["points"] == sum(part["points"] for part in reported["parts"])
        assert all(set(part["cards"]) <= set(five) for part in reported["parts"])


def test_what_is_no_hand_is_refused_with_the_reason(table: RealTable) -> None:
    """It gets 400 with one line."""
    for query in (
        {},
        {"hand": "5H 5S 5D JC"},
        {"hand": "5H 5S 5D", "starter": "5C"},
        {"hand": "5H 5S 5D JC 2C", "starter": "5C"},
        {"hand": "5H 5S 5D JC", "starter": "5H"},
        {"hand": "5H 5S 5D 5D", "starter": "5C"},
        {"hand": "5H 5S 5D 1C", "starter": "5C"},
        {"hand": "5H 5S 5D JC", "starter": "5C", "crib": "perhaps"},
        {"hand": "5H 5S 5D JC", "starter": "5C", "deck": "2"},
    ):
        assert 400 == refusal(table, "GET", f"/api/count?{urlencode(query)}")
