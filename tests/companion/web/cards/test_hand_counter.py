"""The counter: the points of a hand with their parts, for the page."""

import random
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.rules.cards import DECK
from tests.companion.rules.cards.slow_count import slow_show
from tests.companion.web.client import fetch
from tests.support.real_table import RealTable


def count(**query: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the response to a question about a hand."""
    answer = fetch(RealTable(), "GET", f"/api/count?{urlencode(query)}")
    return answer.status_code, answer.json()


def test_a_hand_is_reported_part_by_part() -> None:
    """Fifteens, pairs, runs, flush and nobs come in the order of a show, with their cards."""
    status, reported = count(hand="5H 5S 5D JC", starter="5C")
    assert (200, 29) == (status, reported["points"])
    kinds = [part["kind"] for part in reported["parts"]]
    assert [*["fifteen"] * 8, "double-pair-royal", "nobs"] == kinds


def test_a_crib_is_no_hand() -> None:
    """Four of a suit count only in the hand (S3)."""
    hand = {"hand": "2H 4H 6H 8H", "starter": "KS"}
    points = [count(**hand, crib=crib)[1]["points"] for crib in ("false", "true")]
    assert [4, 0] == points


@pytest.mark.parametrize("seed", range(40))
def test_the_parts_add_up(seed: int) -> None:
    """They make the points of the obvious twin for any cards."""
    five = [str(card) for card in random.Random(seed).sample(DECK, 5)]
    crib = bool(seed % 2)
    _, reported = count(hand=" ".join(five[:4]), starter=five[4], crib=str(crib).lower())
    assert sum(slow_show(five[:4], five[4], crib=crib).values()) == reported["points"]
    assert reported["points"] == sum(part["points"] for part in reported["parts"])
    assert all(set(part["cards"]) <= set(five) for part in reported["parts"])


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"hand": "5H 5S 5D JC"},
        {"hand": "5H 5S 5D", "starter": "5C"},
        {"hand": "5H 5S 5D JC 2C", "starter": "5C"},
        {"hand": "5H 5S 5D JC", "starter": "5H"},
        {"hand": "5H 5S 5D 5D", "starter": "5C"},
        {"hand": "5H 5S 5D 1C", "starter": "5C"},
        {"hand": "5H 5S 5D JC", "starter": "5C", "crib": "perhaps"},
        {"hand": "5H 5S 5D JC", "starter": "5C", "deck": "2"},
    ],
)
def test_what_is_no_hand_is_refused_with_the_reason(query: dict[str, str]) -> None:
    """It gets 400 with one line."""
    status, reported = count(**query)
    assert 400 == status
    assert "\n" not in reported["error"]
