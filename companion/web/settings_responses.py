"""Responses about settings, the light test and the calibration."""

from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from companion.errors import Text
from companion.journal.setup import Continuation
from companion.settings.describe import Described, Step
from companion.settings.probation import TakenBack


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Described):
    """Description of a setting on a page; `suggested` are examples of accepted values."""

    value: Any
    default: Any
    suggested: tuple[str, ...]


class Preview(TypedDict):
    """Effect of changed settings on the running game."""

    game: Continuation


class SettingsForm(TypedDict):
    """All settings as they are in the files, and the `stamp` that a change must send back.

    Attributes:
        file: the path of the file that the page writes.
        pending: True if the running table still uses other settings than those of the files.
        game: the effect of the settings on the running game.
        steps: the first-run questions.
        presets: the house rules of each preset.
        warnings: lines about look-alike colours, and about microcontrollers that are not connected.
        faults: the reasons why values in the files are not used.
        rejected: the last change, if it was taken back because the table failed to start with it.
    """

    file: str
    stamp: str
    first_run: bool
    pending: bool
    game: Continuation
    settings: list[Setting]
    steps: list[Step]
    presets: dict[str, dict[str, str]]
    warnings: list[Text]
    faults: list[Text]
    rejected: TakenBack | None


class LightTest(TypedDict):
    """`shown` is the pattern on the strip, null if it shows the game; `lines` explain a pattern."""

    shown: str | None
    lines: list[Text]


class WhiteBalance(TypedDict):
    """Choice of the strip's white: the `round`, counted from 1, and the white chosen so far.

    `begun` is True while the choice is going on. After the last round, `round` is `rounds` + 1.
    """

    begun: bool
    round: int
    rounds: int
    white: list[float]


class Spot(TypedDict):
    """Place on the printed sheet of the board, in millimetres, and its name."""

    x_mm: float
    y_mm: float
    name: Text


class Question(TypedDict):
    """Question about lit LEDs: `first` to `last`, counted from 0, on the data wire `channel`.

    `asked` is "where" (one LED is lit: where is it seen?), "any" (many are lit: is any seen, and
    where?) or "dark" (all are lit: which place stays dark?). `likely` are the places where an
    answer is expected.
    """

    channel: int
    first: int
    last: int
    asked: Literal["where", "any", "dark"]
    likely: list[Spot]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationProgress:
    """Progress of a calibration; `asked` is null before it begins and when all wiring is known.

    `answers` is the number of answers so far. `found` and `missing` are the names of the pieces of
    strip that are found so far or still missing.
    """

    begun: bool = False
    asked: Question | None = None
    answers: int = 0
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: Text
    width_mm: float = 0.0
    height_mm: float = 0.0
