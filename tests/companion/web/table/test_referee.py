"""The referee through the page's requests, at the real program."""

from pathlib import Path
from typing import Any

import pytest

from companion.rules.game.rulings import RULINGS
from tests.support.program import HTTP, Program, running

pytestmark = pytest.mark.program


def ask(program: Program, command: dict[str, object]) -> tuple[int, Any]:
    """Return the status and the response to a command."""
    answer = HTTP.post(f"{program.url}api/command", json=command)
    return answer.status_code, answer.json()


def test_a_penalty_is_pegged_acknowledged_and_undone(tmp_path: Path) -> None:
    """N9: each taker counts two; a held Undo takes all of it back."""
    with running(tmp_path) as program:
        status, table = ask(program, {"penalty": {"rule": "N9", "by": 1, "taken": [2]}})
        assert (200, 1, 2) == (status, table["seq"], table["teams"]["2"]["front"])
        program.press("1.undo", seconds=1.2)
        assert 0 == program.until(2)["teams"]["2"]["front"]


def test_what_the_rules_refuse_changes_nothing(tmp_path: Path) -> None:
    """A refusal has its reason and rule; other commands belong to the buttons."""
    with running(tmp_path) as program:
        status, refusal = ask(program, {"claim": {"rule": "N9", "by": 1, "game_to": 2}})
        assert (409, "N9") == (status, refusal["rule"])
        status, refusal = ask(program, {"peg": {"team": 1, "points": 3}})
        assert (400, True) == (status, "penalty, claim, muggins, overpeg" in refusal["error"])
        assert (400, 0) == (ask(program, {"penalty": {}})[0], program.table()["seq"])


def test_rulings_and_advice_are_served(tmp_path: Path) -> None:
    """The page gets every ruling, and the effect of each count from 1 to 29."""
    with running(tmp_path) as program:
        options = HTTP.get(f"{program.url}api/referee").json()
        assert list(RULINGS) == [ruling["rule"] for ruling in options["rulings"]]
        assert ("every-other-side", [1, 2]) == (
            options["grants"]["penalty_to"],
            options["grants"]["takers"],
        )
        advice = HTTP.get(f"{program.url}api/advice").json()
        outcomes = {outlook["points"]: outlook for outlook in advice["1"]["outlooks"]}
        assert list(range(1, 30)) == list(outcomes)
        assert ("penalty-box", 2) == (outcomes[22]["kind"], outcomes[22]["front"])


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_other_sites_cannot_referee(tmp_path: Path, origin: str) -> None:
    """A foreign page's command is refused before it is read."""
    with running(tmp_path) as program:
        penalty = {"penalty": {"rule": "N9", "by": 1, "taken": [2]}}
        headers = {"Origin": origin}
        answer = HTTP.post(f"{program.url}api/command", json=penalty, headers=headers)
        assert (403, 0) == (answer.status_code, program.table()["seq"])


def test_sides_are_called_as_the_settings_say(tmp_path: Path) -> None:
    """A side's name in the settings is its name on the page."""
    file = tmp_path / "cribwars.toml"
    file.write_text('[names]\n1 = "Anna"\n', encoding="utf-8")
    with running(tmp_path, "--config", str(file)) as program:
        sides = HTTP.get(f"{program.url}api/about").json()["teams"]
        assert ["Anna", "White"] == [sides["1"]["name"], sides["2"]["name"]]
