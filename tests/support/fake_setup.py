"""A board to set up before the page: it keeps what it is told, and refuses what a test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board import load_board
from companion.board.layout import Board
from companion.settings import colour_warnings
from companion.web.settings import responses


class FakeSetup:
    """Settings in memory; `changes` has every change, `asked` all else that was asked for.

    `refusal` is raised whatever is asked, while it is set.
    """

    def __init__(self) -> None:
        self.first_run = False
        self.changes: list[tuple[dict[str, Any], str]] = []
        self.asked: list[object] = []
        self.refusal: Exception | None = None
        self.told: responses.SettingsTold = {
            "file": "cribwars.toml",
            "stamp": "as it is",
            "first_run": False,
            "pending": False,
            "settings": [],
            "steps": [],
            "warnings": [],
            "rejected": None,
        }
        self.calibrated: responses.CalibrationTold = {
            "begun": False,
            "asked": None,
            "answers": 0,
            "found": [],
            "missing": [],
            "note": "",
            "width_mm": 594.0,
            "height_mm": 420.0,
        }

    async def settings(self) -> responses.SettingsTold:
        """The settings as a test has them."""
        self._refuse()
        return self.told

    async def change(self, changes: Mapping[str, Any], stamp: str) -> responses.SettingsTold:
        """Keep a change."""
        self._refuse()
        self.changes.append((dict(changes), stamp))
        return self.told

    def look_alikes(self, colours: Mapping[str, str]) -> list[str]:
        """As everywhere."""
        return colour_warnings(colours)

    async def findings(self) -> list[responses.DoctorFinding]:
        """One that is in order."""
        self._refuse()
        return [{"level": "ok", "what": "settings", "why": "no fault in them", "remedy": ""}]

    def restart(self) -> None:
        """Keep that it was asked for."""
        self._ask("restart")

    async def light_test(self, pattern: str | None) -> responses.LightTest:
        """Keep the pattern."""
        self._ask(pattern)
        return {"shown": pattern, "lines": []}

    async def calibrate(self, *, per: str, channels: int) -> responses.CalibrationTold:
        """Keep how the strips are told to be."""
        return self._ask((per, channels))

    def calibration(self) -> responses.CalibrationTold:
        """As a test has it."""
        self._refuse()
        return self.calibrated

    @property
    def calibrated_board(self) -> Board:
        """The classic one."""
        self._refuse()
        return load_board("classic")

    async def tapped(self, place: tuple[float, float] | None) -> responses.CalibrationTold:
        """Keep the place."""
        return self._ask(place)

    async def untapped(self) -> responses.CalibrationTold:
        """Keep that it was asked for."""
        return self._ask("undo")

    async def end_calibration(self, *, save: bool) -> responses.CalibrationTold:
        """Keep how it ended."""
        return self._ask("save" if save else "drop")

    def _ask(self, what: object) -> responses.CalibrationTold:
        self._refuse()
        self.asked.append(what)
        return self.calibrated

    def _refuse(self) -> None:
        if self.refusal:
            raise self.refusal
