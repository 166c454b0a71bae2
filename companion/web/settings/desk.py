"""The seam: what the page asks of the table while the board is set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.board.layout import Board
from companion.web.settings import responses


class NoSetupError(LookupError):
    """Nothing can be set up at this table, or nothing of that kind has begun."""


class SetupDesk(Protocol):
    """The settings of the table, its strip LED by LED; called in the event loop.

    Raises:
        NoSetupError: any method but `first_run` may find that nothing can be set up here.
    """

    @property
    def first_run(self) -> bool:
        """Whether no settings file has said anything yet."""
        ...

    async def settings(self) -> responses.SettingsTold:
        """Every setting as the file has it.

        Raises:
            SettingsError, BadInputError: the file has faults, or cannot be read.
        """
        ...

    async def change(self, changes: Mapping[str, Any], stamp: str) -> responses.SettingsTold:
        """Write settings by key into the file, or take out those that are None.

        Raises:
            StaleError: the file says something else than what `stamp` is of.
            SettingsError: every fault of what would come of it; nothing is written.
            UnusableSettingsError: every fault that a trial of it finds; nothing is written.
            BadInputError: the file cannot be written; nothing is.
        """
        ...

    def look_alikes(self, colours: Mapping[str, str]) -> list[str]:
        """A warning for each two colours, with these for the sides, that some eyes confuse.

        Raises:
            SettingsError: one of them is no colour.
        """
        ...

    async def findings(self) -> Sequence[responses.DoctorFinding]:
        """What the doctor says of this machine and the settings as the file has them."""
        ...

    def restart(self) -> None:
        """Have the program start anew, soon, with the settings as the file has them."""
        ...

    async def light_test(self, pattern: str | None) -> responses.LightTest:
        """Show a pattern on the strip that the file tells of, or the game again.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        ...

    async def calibrate(self, *, per: str, channels: int) -> responses.CalibrationTold:
        """Begin to find out how the strips lie; what was found before is forgotten.

        Raises:
            SettingsError, BadInputError: the file has faults, or the strip cannot be lit.
        """
        ...

    def calibration(self) -> responses.CalibrationTold:
        """How far that has come."""
        ...

    @property
    def calibrated_board(self) -> Board:
        """The board on which somebody taps where light is seen."""
        ...

    async def tapped(self, place: tuple[float, float] | None) -> responses.CalibrationTold:
        """Take where light is seen, in millimetres; None for nowhere.

        Raises:
            BadInputError: that cannot be; the question stands.
            StaleError: nothing is asked, or what is asked about was not lit.
        """
        ...

    async def untapped(self) -> responses.CalibrationTold:
        """Take the last answer back."""
        ...

    async def end_calibration(self, *, save: bool) -> responses.CalibrationTold:
        """Show the game again, and write what was found into the file.

        Raises:
            StaleError: there are questions left.
            SettingsError, BadInputError: it cannot be saved; nothing is written.
        """
        ...
