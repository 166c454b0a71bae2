"""Endpoints of the cards: deal, read, play and end, with their responses and refusals."""

import json
import re
from typing import Any

from tests.companion.web.client import fetch, refusal, send
from tests.companion.web.pairing import test_pairing_endpoints as pairing
from tests.support.real_table import RealTable, at_table


def test_cards_are_dealt_and_put_away() -> None:
    """Only the response to the deal has the path of each person's hand."""
    with RealTable() as table:
        answer = fetch(table, "POST", "/api/cards", body=b'{"seats": ["person", "child"]}')
        (path,) = answer.json()["hands"].values()
        assert re.fullmatch(r"/hand\?hand=[A-Za-z0-9_-]{22}", path)
        assert "no-store" == answer.headers["cache-control"]
        answer = fetch(table, "POST", "/api/cards/end", body=b"{}")
        assert (200, table.snapshot()) == (answer.status_code, answer.json())
        hand = f"/api/cards/{path.removeprefix('/hand?hand=')}"
        assert 404 == fetch(table, "GET", hand).status_code


def test_a_hand_is_shown_and_played() -> None:
    """Its token gives access, and no browser caches it."""

    async def play(table: RealTable) -> None:
        hand, reported = await table.dealt_hand()
        answer = await send(table.app, "GET", hand, client="192.168.1.9")
        assert (200, "no-store") == (answer.status_code, answer.headers["cache-control"])
        assert reported == answer.json()
        (own,) = (each for each in reported["shown"]["hands"] if each["seat"] == reported["seat"])
        thrown = [card["card"] for card in own["cards"]][:2]
        body = json.dumps({"cards": thrown}).encode()
        assert 200 == (await send(table.app, "POST", hand, body=body)).status_code
        assert 409 == (await send(table.app, "POST", hand, body=body)).status_code

    at_table(play)


def test_a_referees_muggins_needs_cards_that_bear_it_out() -> None:
    """M1: without an open count muggins is refused, also with points given back."""

    async def play(table: RealTable) -> None:
        await table.dealt_hand()
        muggins = {"from": 1, "by": 2, "points": 2, "where": "show", "kind": "missed"}
        for given_back in (True, False):
            body = json.dumps({"muggins": muggins | {"given_back": given_back}}).encode()
            answer = await send(table.app, "POST", "/api/command", body=body)
            assert (409, "M1") == (answer.status_code, answer.json()["rule"])

    at_table(play)


def test_a_request_with_a_key_is_carried_out_once() -> None:
    """It may be sent any number of times; a refused one may be tried again."""

    async def play(table: RealTable) -> None:
        hand, reported = await table.dealt_hand()
        (own,) = (each for each in reported["shown"]["hands"] if each["seat"] == reported["seat"])
        cards = [card["card"] for card in own["cards"]]

        async def answers(*chosen: str) -> list[int]:
            body, headers = json.dumps({"cards": chosen}).encode(), {"Idempotency-Key": "k" * 22}
            sent = [send(table.app, "POST", hand, body=body, headers=headers) for _ in range(2)]
            return [(await answer).status_code for answer in sent]

        assert [409, 409] == await answers(*cards[:1])
        assert [200, 200] == await answers(*cards[:2])

    at_table(play)


def test_a_hand_is_reported_in_the_language_of_each_device() -> None:
    """Cut and last lines are in each device's language."""

    async def look(table: RealTable) -> list[dict[str, Any]]:
        hand, _ = await table.dealt_hand()
        answers = [
            await send(table.app, "GET", hand, headers={"Accept-Language": language})
            for language in ("en", "fr")
        ]
        return [answer.json() for answer in answers]

    english, french = at_table(look)
    assert "Amber cuts" in english["cut"]
    assert "Ambre coupe" in french["cut"]
    assert english["lines"]
    assert not set(english["lines"]) & set(french["lines"])


def test_a_hand_that_was_looked_into_is_found_at_the_table_alone() -> None:
    """A phone that runs the table hands out links, and then opens no hand."""

    async def play(at: pairing.Table) -> None:
        joined = await at.join(right="run")
        cookie = joined.headers["set-cookie"].partition(";")[0]
        dealt = (await at.post("/api/cards", {"seats": ["person"] * 2}, cookie=cookie)).json()
        assert dealt == (await at.get("/api/cards", cookie=cookie)).json()
        token = dealt["hands"]["2"].partition("=")[2]
        assert 200 == (await at.get(f"/api/cards/{token}")).status_code
        left = (await at.get("/api/cards", cookie=cookie)).json()["hands"]
        assert {"1": dealt["hands"]["1"]} == left
        assert dealt == (await at.get("/api/cards", client="127.0.0.1")).json()

    pairing.at_table(play)


def test_there_is_no_hand_under_another_token() -> None:
    """Any other token gets 404 with one line."""
    with RealTable() as table:
        for token in ("x" * 22, "t", "%2e%2e", "%00", "end%20"):
            for method in ("GET", "POST"):
                path, body = f"/api/cards/{token}", b'{"cards": []}'
                assert 404 == refusal(table, method, path, body=body)


def test_what_is_no_such_request_is_refused_with_the_reason() -> None:
    """It gets 400 with one line, and nothing is done."""
    hand = f"/api/cards/{'t' * 22}"
    with RealTable() as table:
        for path, body in (
            ("/api/cards", b"{}"),
            ("/api/cards", b'{"seats": "person"}'),
            ("/api/cards", b'{"seats": [1, 2]}'),
            ("/api/cards", b'{"seats": ["person"], "speed": 2}'),
            ("/api/cards", b'{"seats": ["1", "2", "3", "4", "5", "6", "7"]}'),
            (hand, b'{"cards": "5H"}'),
            (hand, b'{"cards": ["1H"]}'),
            (hand, b'{"cards": ["5H", "5H"]}'),
            (hand, b'{"cards": [null]}'),
        ):
            assert 400 == refusal(table, "POST", path, body=body)
        assert table.services.cards.news() is None
