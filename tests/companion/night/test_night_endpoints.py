"""The organiser's server: every machine may look, only this one changes, all streams agree."""

from __future__ import annotations

import asyncio
import json
import re

import httpx
import pytest
from starlette.applications import Starlette

from companion.board import board_names
from companion.night.broker import TableTopics
from companion.night.messages import serialize
from companion.night.organiser import Organiser, StoredNight
from companion.night.program import make_app
from tests.companion.web.client import Listener, send
from tests.support.night_tables import game, plan_of, state

PLAN = plan_of("Ann", "Bob", "Cleo", "Dan", rounds=1)
ELSEWHERE = "192.0.2.9"
MESSAGE = b'{"change": {"command": "set-message", "text": "Tea"}}'


class Night:
    """Application of a night without a broker."""

    def __init__(self) -> None:
        self.organiser = Organiser(
            "friday",
            StoredNight(plan=PLAN),
            save=lambda _: None,
            publish=lambda _: False,
            clock=lambda: 0.0,
        )
        self.closing = asyncio.Event()
        self.app: Starlette = make_app(self.organiser, self.closing, language="en")


def ask(method: str, path: str, night: Night | None = None, **how: object) -> httpx.Response:
    """Return the response of a night's application."""
    return asyncio.run(send((night or Night()).app, method, path, **how))  # type: ignore[arg-type]  # as send takes them


def test_only_this_machine_changes_the_night() -> None:
    """A change from another machine or another site's page is refused."""
    night = Night()
    assert 403 == ask("POST", "/api/night", night, body=MESSAGE, client=ELSEWHERE).status_code
    foreign = {"origin": "http://evil.example"}
    assert 403 == ask("POST", "/api/night", night, body=MESSAGE, headers=foreign).status_code
    assert "" == night.organiser.plan.message
    assert 204 == ask("POST", "/api/night", night, body=MESSAGE).status_code
    assert "Tea" == night.organiser.plan.message


def test_everybody_sees_the_hall_screen() -> None:
    """Every machine of the network gets pages, views and drawings."""
    paths = ("/", "/hall", "/print", "/api/hall", "/api/night", "/boards/classic.svg")
    for path in (*paths, "/api/boards/crib-wars", "/api/night/cards.csv", "/api/openapi.json"):
        assert 200 == ask("GET", path, client=ELSEWHERE).status_code, path


@pytest.mark.parametrize("path", ["/boards/..%2Fetc.svg", "/api/boards/nothing", "/boards/x.svg"])
def test_only_shipped_boards_are_drawn(path: str) -> None:
    """A board's name from a table cannot open other files."""
    assert 404 == ask("GET", path).status_code


def test_the_names_of_boards_are_a_pattern_in_every_language() -> None:
    """JSON Schema requires ECMAScript patterns with Unicode, which forbid needless escapes."""
    drawing = ask("GET", "/api/openapi.json").json()["paths"]["/boards/{board}.svg"]["get"]
    pattern = drawing["parameters"][0]["schema"]["pattern"]
    assert "\\" not in pattern
    assert all(re.search(pattern, name) for name in board_names())


@pytest.mark.parametrize(
    ("body", "language", "words"),
    [
        (b'{"change": {"command": "seat-round", "round": 1}}', "en", "round 1 is seated already"),
        (b'{"change": {"command": "seat-round", "round": 1}}', "fr", "la ronde 1 est déjà placée"),
        (b'{"change": {"command": "sing"}}', "en", "sing"),
        (b"[" * 9000, "en", "send a JSON object with change"),
    ],
)
def test_a_refusal_is_one_line(body: bytes, language: str, words: str) -> None:
    """A change that does not fit gets 400 with the reason in the caller's language."""
    answer = ask("POST", "/api/night", body=body, headers={"accept-language": language})
    assert 400 == answer.status_code
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_the_export_has_the_whole_night() -> None:
    """One file has plan, games, cards and standings."""
    night = Night()
    (pair, _) = PLAN.rounds[0].pairs
    won = state(game(pair, winner="1", loser_at=100))
    night.organiser.receive(TableTopics("friday", 1).state, serialize(won))
    content = ask("GET", "/api/night/export.json", night).json()
    assert json.loads(serialize(PLAN)) == content["plan"]
    assert ["Ann", 2, 21] == [content["standings"][0][key] for key in ("name", "points", "net")]


def test_two_streams_tell_the_same() -> None:
    """After each change both streams get the whole view; at the end both get a goodbye."""

    async def watch() -> list[list[str]]:
        night = Night()
        listeners = [Listener(night.app, path="/api/hall/stream") for _ in range(2)]
        seen = [[await each.named("news")] for each in listeners]
        await send(night.app, "POST", "/api/night", body=MESSAGE)
        for each, told in zip(listeners, seen, strict=True):
            told.append(await each.named("news"))
        night.closing.set()
        for each in listeners:
            await each.named("goodbye")
        return seen

    one, other = ([json.loads(each)["view"] for each in told] for told in asyncio.run(watch()))
    assert one == other
    assert ["", "Tea"] == [view["message"] for view in one]
