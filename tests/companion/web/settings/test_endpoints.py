"""Setting up over the API: who may, what reaches the desk, and how it refuses."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from companion.errors import BadInputError, Fault, SettingsError, StaleError
from companion.web.app import make_app
from companion.web.http.endpoint import Right
from companion.web.settings.desk import NoSetupError
from tests.companion.web.asking import ask, asked
from tests.companion.web.pairing.test_endpoints import Table, at_table
from tests.support.desk import FakeDesk

FAR = "192.168.1.9"
PAGE = "/setup"
OURS = (
    "/api/settings",
    "/api/look-alikes",
    "/api/restart",
    "/api/doctor",
    "/api/lights-test",
    "/api/calibration",
    "/calibration.svg",
)


def sent(desk: FakeDesk, path: str, value: object) -> httpx.Response:
    """The answer to this machine's own page."""
    return asked(make_app(desk), "POST", path, body=json.dumps(value).encode())


def test_nothing_of_it_is_for_watchers() -> None:
    """All but the page itself takes a phone that may run the table, and nothing more."""
    offered = {
        each.path: each.needs for each in make_app(FakeDesk()).state.operations if each.path in OURS
    }
    assert dict.fromkeys(OURS, Right.RUN) == offered
    for path in OURS[:2]:
        assert 403 == asked(make_app(FakeDesk()), "GET", path, client=FAR).status_code
    assert 200 == asked(make_app(FakeDesk()), "GET", PAGE, client=FAR).status_code


def test_a_phone_that_may_run_the_table_sets_it_up() -> None:
    """From anywhere in the house, the page's own address included."""

    async def scene(table: Table) -> None:
        answer = await table.join(right="run")
        cookie = answer.headers["set-cookie"].partition(";")[0]
        change = {"changes": {"web.host": "0.0.0.0"}, "stamp": "as it is"}  # noqa: S104  # a text
        assert 200 == (await table.post("/api/settings", change, cookie=cookie)).status_code
        run = (await table.get("/api/about", cookie=cookie)).json()["run"]
        assert 204 == (await table.post("/api/restart", {"run": run}, cookie=cookie)).status_code
        assert (["restart"], 1) == (table.desk.setup.asked, len(table.desk.setup.changes))

    at_table(scene)


@pytest.mark.parametrize(("client", "told"), [("127.0.0.1", True), (FAR, False)])
def test_a_new_board_is_told_to_those_who_may_set_it_up(client: str, told: bool) -> None:
    """Nobody else is asked to do what they may not."""
    desk = FakeDesk()
    desk.setup.first_run = True
    answer = asked(make_app(desk), "GET", "/api/about", client=client)
    assert told is answer.json()["first_run"]


def test_settings_are_told_and_changed() -> None:
    """As the desk has them; null takes a setting out."""
    desk = FakeDesk()
    assert desk.setup.told == asked(make_app(desk), "GET", "/api/settings").json()
    changes = {"teams": 3, "names.1": None, "wiring.chains": [{"rows": ["1-2"]}]}
    answer = sent(desk, "/api/settings", {"changes": changes, "stamp": "x"})
    assert (200, [(changes, "x")]) == (answer.status_code, desk.setup.changes)


def test_every_fault_is_told_with_its_setting() -> None:
    """So that a form can show each at its field; those of no single setting have none."""
    desk = FakeDesk()
    known = Fault(file="c.toml", key="teams", problem="cannot be 9", remedy="it takes 2 or 3")
    unknown = Fault(file="c.toml", key="tems", problem="no such setting")
    desk.setup.refusal = SettingsError(known, unknown)
    for answer in (
        sent(desk, "/api/settings", {"changes": {}, "stamp": ""}),
        asked(make_app(desk), "GET", "/api/settings"),
    ):
        assert 400 == answer.status_code
        parts = {"problem": "cannot be 9", "remedy": "it takes 2 or 3"}
        told = [
            {"key": "teams", "text": str(known), **parts},
            {"key": None, "text": str(unknown), "problem": unknown.problem, "remedy": ""},
        ]
        assert {"error": f"{known}; {unknown}", "faults": told} == answer.json()


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (StaleError("changed meanwhile"), 409),
        (BadInputError("cannot be written"), 400),
        (NoSetupError("nothing is kept"), 404),
    ],
)
def test_a_refusal_says_why(refusal: Exception, status: int) -> None:
    """In one line, whatever was asked."""
    desk = FakeDesk()
    desk.setup.refusal = refusal
    for path, value in (
        ("/api/settings", {"changes": {}, "stamp": ""}),
        ("/api/lights-test", {"pattern": "white"}),
        ("/api/calibration", {"undo": True}),
    ):
        answer = sent(desk, path, value)
        assert (status, {"error": str(refusal)}) == (answer.status_code, answer.json())


def test_a_restart_is_of_the_run_that_was_seen() -> None:
    """Asked twice, it happens once: the second is told that there is another run by now."""

    async def scene() -> None:
        desk = FakeDesk()
        app = make_app(desk)
        run = (await ask(app, "GET", "/api/about")).json()["run"]
        for named, status in ((run, 204), ("another", 409)):
            body = json.dumps({"run": named}).encode()
            assert status == (await ask(app, "POST", "/api/restart", body=body)).status_code
        assert ["restart"] == desk.setup.asked

    asyncio.run(scene())


def test_colours_are_judged_before_they_are_kept() -> None:
    """Those given over the usual ones; what is no colour is refused."""
    app = make_app(FakeDesk())
    ask_of = "/api/look-alikes"
    assert [] == asked(app, "GET", ask_of).json()
    (warning,) = asked(app, "GET", f"{ask_of}?two=%23ffb000").json()[:1]
    assert "side 1 (#ffb000) and side 2 (#ffb000)" in warning
    assert 400 == asked(app, "GET", f"{ask_of}?two=red").status_code


def test_the_doctor_is_asked() -> None:
    """The findings as they are."""
    (finding,) = asked(make_app(FakeDesk()), "GET", "/api/doctor").json()
    assert {"level", "what", "why", "remedy"} == finding.keys()


@pytest.mark.parametrize("pattern", ["index", "order", "white", "zones", None])
def test_a_pattern_is_shown(pattern: str | None) -> None:
    """Or the game again."""
    desk = FakeDesk()
    answer = sent(desk, "/api/lights-test", {"pattern": pattern})
    assert ({"shown": pattern, "lines": []}, [pattern]) == (answer.json(), desk.setup.asked)


@pytest.mark.parametrize(
    ("value", "reached"),
    [
        ({"begin": {"per": "hole"}}, ("hole", 1)),
        ({"begin": {"per": "hole-and-lane", "channels": 2}}, ("hole-and-lane", 2)),
        ({"tap": {"x_mm": 0.0, "y_mm": 7.5}}, (0.0, 7.5)),
        ({"nothing": True}, None),
        ({"undo": True}, "undo"),
        ({"end": "save"}, "save"),
        ({"end": "drop"}, "drop"),
    ],
)
def test_calibration_takes_one_word_at_a_time(value: dict[str, Any], reached: object) -> None:
    """Each reaches the desk; the answer is how far it has come."""
    desk = FakeDesk()
    answer = sent(desk, "/api/calibration", value)
    assert (desk.setup.calibrated, [reached]) == (answer.json(), desk.setup.asked)
    assert desk.setup.calibrated == asked(make_app(desk), "GET", "/api/calibration").json()


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"nothing": True, "undo": True},
        {"tap": {"x_mm": 1, "y_mm": 1}, "end": "drop"},
        {"begin": {"per": "mile"}},
        {"begin": {"per": "hole", "channels": 3}},
        {"tap": {"x_mm": 1e9, "y_mm": 0}},
        {"end": "perhaps"},
    ],
)
def test_anything_else_is_refused(value: dict[str, Any]) -> None:
    """400, and the desk hears nothing of it."""
    desk = FakeDesk()
    assert (400, []) == (sent(desk, "/api/calibration", value).status_code, desk.setup.asked)


def test_there_is_a_picture_to_tap_at() -> None:
    """Of the board that is calibrated; 404 while none is."""
    desk = FakeDesk()
    answer = asked(make_app(desk), "GET", "/calibration.svg")
    assert "image/svg+xml" in answer.headers["content-type"]
    desk.setup.refusal = NoSetupError("none")
    assert 404 == asked(make_app(desk), "GET", "/calibration.svg").status_code
