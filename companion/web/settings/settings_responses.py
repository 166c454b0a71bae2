"""Responses about settings, the light test and the calibration."""

from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from companion.errors import Text
from companion.journal.setup import Continuation
from companion.settings.describe import Described
from companion.settings.first_run import Step
from companion.settings.probation import TakenBack


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Described):
    """One setting on a page: `suggested` are some values that it takes."""

    value: Any
    default: Any
    suggested: tuple[str, ...]


class Preview(TypedDict):
    """Effect of changed settings; `game` is that on the running game, a `Continuation`."""

    game: Continuation


class SettingsForm(TypedDict):
    """All settings as the files have them, and the `stamp` of their content, for a change.

    `steps` are the first-run questions, `presets` the house rules of each by name. `pending`: the
    settings differ from those in force; `game`: their effect on the running game, a `Continuation`;
    `file`: the page's own. `faults`: those of the files, whose values are left out; `warnings`:
    colours that look alike to some eyes, and boards behind cables that are not there; `rejected`:
    the settings that were taken back, as the table did not run with them.
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
    """The pattern on the strip, and lines about it."""

    shown: str | None
    lines: list[Text]


class WhiteBalance(TypedDict):
    """Choice of the strip's white: the round from 1 on, and what has been chosen so far.

    `begun`: patches are lit. After the last round `round` is one more than `rounds`.
    """

    begun: bool
    round: int
    rounds: int
    white: list[float]


class Spot(TypedDict):
    """A place on the sheet, in millimetres, and its name."""

    x_mm: float
    y_mm: float
    name: Text


class Question(TypedDict):
    """A question about LEDs `first` to `last` of a channel, which are lit.

    `asked`: "where" light is seen, whether "any" is, or which LEDs are "dark". `likely` are the
    places where an answer is expected.
    """

    channel: int
    first: int
    last: int
    asked: Literal["where", "any", "dark"]
    likely: list[Spot]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationProgress:
    """Progress of a calibration; `asked` is null when the whole wiring is known.

    `answers` is the number given; `found` and `missing` are pieces of strip by name; `note` is a
    remark, such as that the strip could not be lit further than it is set.
    """

    begun: bool = False
    asked: Question | None = None
    answers: int = 0
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    note: str = ""
    width_mm: float = 0.0
    height_mm: float = 0.0
