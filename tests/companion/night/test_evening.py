"""An evening with a real broker, the organiser's program and a table; each is killed once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.companion.night.test_table_night import table_of_night, wait_for_night, win
from tests.support.mosquitto import NIGHT, Mosquitto, missing, mosquitto, wait_until
from tests.support.program import HTTP, Program, started

pytestmark = pytest.mark.program(lacks=missing())


@contextmanager
def organiser(folder: Path, broker: Mosquitto) -> Iterator[Program]:
    """Run the organiser's program with a data folder of its own."""
    folder.mkdir(exist_ok=True)
    with started(
        folder,
        *("night", "--broker", broker.url, "--name", NIGHT, "--port", "0"),
        *("--data", str(folder / "data")),
        CRIBWARS_NIGHT_PASSWORD=broker.passwords["organiser"],
    ) as program:
        yield program


def change(program: Program, **command: object) -> None:
    """Carry out a command of the organiser."""
    answer = HTTP.post(f"{program.url}api/night", json={"change": command})
    assert 204 == answer.status_code, answer.text


def hall(program: Program) -> dict[str, Any]:
    """Return what the hall screen shows."""
    return dict(HTTP.get(f"{program.url}api/hall").json())


def standings(program: Program) -> list[tuple[str, int, int]]:
    """Return name, game points and games won of each place."""
    return [(each["name"], each["points"], each["won"]) for each in hall(program)["standings"]]


def board_is(program: Program, *, online: bool) -> bool:
    """Return True if the only board of the hall screen has this state."""
    return [online] == [each["online"] for each in hall(program)["boards"]]


def test_an_evening_survives_everybody(tmp_path: Path) -> None:
    """A result is kept when the broker loses its store and the organiser its machine."""
    with mosquitto(tmp_path) as broker, table_of_night(tmp_path / "one", broker) as table:
        with organiser(tmp_path / "here", broker) as here:
            change(here, command="add-entrants", lines="Ann\nBob")
            change(here, command="seat-round", round=1)
            wait_for_night(table, round=1)
            wait_until(lambda: board_is(here, online=True), "the table's board is alight")
            win(table)
            wait_for_night(table, awaited=["1", "2"])
            assert [0, 0] == [points for _, points, _ in standings(here)]
            table.press("1.enter", "2.enter")
            wait_until(lambda: hall(here)["done"] == 1, "the result is on the cards")
            expected = standings(here)
            assert ["Ann", "Bob"] == [name for name, *_ in expected]
            assert (1, 0) == (expected[0][2], expected[1][2])
            change(here, command="set-message", text="Tea at nine")
            os.kill(here.pid, signal.SIGKILL)
        broker.kill()
        broker.start()
        wait_for_night(table, connected=True)
        with organiser(tmp_path / "elsewhere", broker) as elsewhere:
            wait_until(lambda: hall(elsewhere)["message"] == "Tea at nine", "the plan is there")
            wait_until(lambda: standings(elsewhere) == expected, f"standings are {expected}")
            os.kill(table.pid, signal.SIGSTOP)
            try:
                wait_until(
                    lambda: board_is(elsewhere, online=False), "the board of a frozen table is grey"
                )
            finally:
                os.kill(table.pid, signal.SIGCONT)
            wait_until(lambda: board_is(elsewhere, online=True), "the table's board is back")
            assert (0, "") == elsewhere.stop()
