"""A new game from the page, and its rules in words."""

import json
from typing import Any

import pytest

from companion.rules.game import Peg, Undo
from tests.companion.web.client import fetch, send
from tests.support.real_table import RealTable, at_table

PATH = "/api/new-game"


async def begin(table: RealTable, **choice: object) -> dict[str, Any]:
    """Request a new game. Return the table in the response."""
    answer = await send(table.app, "POST", PATH, body=json.dumps(choice).encode())
    assert 200 == answer.status_code, answer.text
    return dict(answer.json())


def test_a_new_game_begins_at_any_time() -> None:
    """It has the same sides by default, and one Undo takes it back."""

    async def play(table: RealTable) -> None:
        await table.lit.table.execute(Peg(side=1, points=7))
        after = await begin(table)
        assert [0, 0] == [side["front"] for side in after["teams"].values()]
        assert 2 == after["dealer"]  # the side furthest behind
        await table.lit.table.execute(Undo())
        assert 7 == table.snapshot()["teams"]["1"]["front"]

    at_table(play)


def test_a_new_game_takes_the_sides_people_and_rules_that_are_chosen() -> None:
    """The choices are those of `GET /api/new-game`."""

    async def play(table: RealTable) -> None:
        options = (await send(table.app, "GET", PATH)).json()
        assert (3, [1, 2], 2, "") == (
            options["lanes"],
            options["teams"],
            options["players"],
            options["preset"],
        )
        assert "" in options["presets"]
        after = await begin(table, teams=[1, 2, 3], players=6, preset=options["presets"][-1])
        assert ["1", "2", "3"] == list(after["teams"])
        setup = table.lit.table.state.setup
        assert (6, options["presets"][-1]) == (setup.players, setup.preset)

    at_table(play)


def test_the_rules_of_the_settings_stay_a_choice() -> None:
    """G7: they have the name of their preset, also in the first games of a journal."""

    async def play(table: RealTable) -> None:
        for preset in ("", "lurch"):
            options = (await send(table.app, "GET", PATH)).json()
            assert ("family", preset) == (options["settings"], options["preset"])
            assert ["", "classic-121", "electronic", "lurch"] == options["presets"]
            await begin(table, preset="lurch")

    at_table(play, preset="family")


@pytest.mark.parametrize("choice", [{"teams": [1, 1]}, {"teams": [1, 2], "players": 3}])
def test_sides_that_cannot_play_are_refused(choice: dict[str, object]) -> None:
    """T1: the refusal gives the reason, and the game goes on."""
    table = RealTable()
    answer = fetch(table, "POST", PATH, body=json.dumps(choice).encode())
    assert (409, "T1") == (answer.status_code, answer.json().get("rule"))


def test_only_who_runs_the_table_begins_a_game() -> None:
    """A phone that watches cannot."""
    answer = fetch(RealTable(), "POST", PATH, body=b"{}", client="192.168.1.9")
    assert 403 == answer.status_code


def test_the_rules_are_those_in_force() -> None:
    """They are in the table's language, with the finish of its board."""
    reported = fetch(RealTable(), "GET", "/api/rules").json()
    assert "How to play Cribbage" == reported["title"]
    assert "hole 121" in reported["sections"][0]["lines"][0]
