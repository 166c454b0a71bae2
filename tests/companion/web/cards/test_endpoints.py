"""What is asked of the cards: dealt, looked at, played and put away, each answered or refused."""

from __future__ import annotations

import pytest

from companion.rules.cards import cards
from companion.web.app import make_app
from tests.companion.web.asking import asked
from tests.support.desk import FakeDesk

HAND = f"/api/cards/{FakeDesk().party.token}"


def test_cards_are_dealt_and_put_away() -> None:
    """Who deals learns where each person's hand is; nobody else does."""
    desk = FakeDesk()
    answer = asked(make_app(desk), "POST", "/api/cards", body=b'{"seats": ["person", "shark"]}')
    assert {"hands": {"1": f"/hand?hand={desk.party.token}"}} == answer.json()
    assert "no-store" == answer.headers["cache-control"]
    answer = asked(make_app(desk), "POST", "/api/cards/end", body=b"{}")
    assert (200, desk.table()) == (answer.status_code, answer.json())
    assert [("person", "shark"), "end"] == desk.party.asked


def test_a_hand_is_told_and_played() -> None:
    """By its token; no browser keeps it."""
    desk = FakeDesk()
    answer = asked(make_app(desk), "GET", HAND, client="192.168.1.9")
    assert (200, "no-store") == (answer.status_code, answer.headers["cache-control"])
    assert desk.party.hand(desk.party.token) == answer.json()
    answer = asked(make_app(desk), "POST", HAND, body=b'{"cards": ["5H", "10C"]}')
    assert desk.party.hand(desk.party.token) == answer.json()
    assert [cards("5H TC")] == desk.party.asked


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_there_is_no_hand_under_another_token(method: str) -> None:
    """404 with one line, whatever the token."""
    desk = FakeDesk()
    for token in ("x" * 22, "t", "%2e%2e", "%00", "end%20"):
        path, body = f"/api/cards/{token}", b'{"cards": []}'
        answer = asked(make_app(desk), method, path, body=body)
        assert 404 == answer.status_code
        assert "\n" not in answer.json()["error"]
    assert [] == desk.party.asked


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/cards", b"{}"),
        ("/api/cards", b'{"seats": "person"}'),
        ("/api/cards", b'{"seats": [1, 2]}'),
        ("/api/cards", b'{"seats": ["person"], "speed": 2}'),
        ("/api/cards", b'{"seats": ["1", "2", "3", "4", "5", "6", "7"]}'),
        (HAND, b'{"cards": "5H"}'),
        (HAND, b'{"cards": ["1H"]}'),
        (HAND, b'{"cards": ["5H", "5H"]}'),
        (HAND, b'{"cards": [null]}'),
    ],
)
def test_what_is_no_such_request_is_told_why(path: str, body: bytes) -> None:
    """400 with one line, and nothing done."""
    desk = FakeDesk()
    answer = asked(make_app(desk), "POST", path, body=body)
    assert 400 == answer.status_code
    assert "\n" not in answer.json()["error"]
    assert [] == desk.party.asked


def test_the_page_of_a_hand_is_another() -> None:
    """`/hand` has no buttons of the table; whose hand it is, only its script asks."""
    pages = [asked(make_app(FakeDesk()), "GET", path).text for path in ("/", "/hand?hand=x")]
    assert ["main.js" in page for page in pages] == [True, False]
    assert ["hand.js" in page for page in pages] == [False, True]
