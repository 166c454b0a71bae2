"""A board to set up before the page: it keeps what it is told, and refuses what a test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board import load_board
from companion.board.layout import Board
from companion.setup import colour_warnings
from companion.web import setup_answers


class FakeSetup:
    """Settings in memory; `changes` has every change, `asked` all else that was asked for.

    `refusal` is raised whatever is asked, while it is set.
    """

    def __init__(self) -> None:
        self.first_run = False
        self.changes: list[tuple[dict[str, Any], str]] = []
        self.asked: list[object] = []
        self.refusal: Exception | None = None
        self.told: setup_answers.SettingsTold = {
            "file": "cribwars.toml",
            "stamp": "as it is",
            "first_run": False,
            "pending": False,
            "settings": [],
            "steps": [],
            "warnings": [],
        }
        self.calibrated: setup_answers.CalibrationTold = {
            "begun": False,
            "asked": None,
            "answers": 0,
            "found": [],
            "missing": [],
            "note": "",
            "width_mm": 594.0,
            "height_mm": 420.0,
        }

    async def settings(self) -> setup_answers.SettingsTold:
        """The settings as a test has them."""
        self._refuse()
        return self.told

    async def change(self, changes: Mapping[str, Any], stamp: str) -> setup_answers.SettingsTold:
        """Keep a change."""
        self._refuse()
        self.changes.append((dict(changes), stamp))
        return self.told

    def look_alikes(self, colours: Mapping[str, str]) -> list[str]:
        """As everywhere."""
        return colour_warnings(colours)

    async def findings(self) -> list[setup_answers.DoctorFinding]:
        """One that is in order."""
        self._refuse()
        return [{"level": "ok", "what": "settings", "why": "no fault in them", "remedy": ""}]

    def restart(self) -> None:
        """Keep that it was asked for."""
        self._ask("restart")

    async def light_test(self, pattern: str | None) -> setup_answers.LightTest:
        """Keep the pattern."""
        self._ask(pattern)
        return {"shown": pattern, "lines": []}

    async def calibrate(self, *, per: str, channels: int) -> setup_answers.CalibrationTold:
        """Keep how the strips are told to be."""
        return self._ask((per, channels))

    def calibration(self) -> setup_answers.CalibrationTold:
        """As a test has it."""
        self._refuse()
        return self.calibrated

    @property
    def calibrated_board(self) -> Board:
        """The classic one."""
        self._refuse()
        return load_board("classic")

    async def tapped(self, place: tuple[float, float] | None) -> setup_answers.CalibrationTold:
        """Keep the place."""
        return self._ask(place)

    async def untapped(self) -> setup_answers.CalibrationTold:
        """Keep that it was asked for."""
        return self._ask("undo")

    async def end_calibration(self, *, save: bool) -> setup_answers.CalibrationTold:
        """Keep how it ended."""
        return self._ask("save" if save else "drop")

    def _ask(self, what: object) -> setup_answers.CalibrationTold:
        self._refuse()
        self.asked.append(what)
        return self.calibrated

    def _refuse(self) -> None:
        if self.refusal:
            raise self.refusal
