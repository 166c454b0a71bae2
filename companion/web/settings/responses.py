"""Responses about settings, the light test and the calibration."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Setting(TypedDict):
    """One setting: what it is, may be and is for, and where it was set.

    `kind` says how to ask for it; of a "mapping" `each` is what its values are. `suggested` are
    values that are known to be taken; `choices` are all that there are, if any.
    """

    key: str
    kind: str
    value: Any
    default: Any
    origin: str
    takes: str
    each: str | None
    choices: list[str]
    suggested: list[str]
    low: float | None
    high: float | None
    whole: bool
    help: str


class WizardStep(TypedDict):
    """One page of the first-run questions; `keys` are the settings, and tables, that it asks."""

    id: str
    title: str
    help: str
    keys: list[str]


class Rejected(TypedDict):
    """The file of settings that the table could not start with, and the reason.

    The reason is "" if it was not ready in time.
    """

    file: str
    reason: str


class SettingsTold(TypedDict):
    """All settings as the file has them, and the `stamp` of that text, for a change.

    `pending`: they differ from those that the table was started with; `warnings`: colours that
    look alike to some eyes; `rejected`: the table has gone back from those to these.
    """

    file: str
    stamp: str
    first_run: bool
    pending: bool
    settings: list[Setting]
    steps: list[WizardStep]
    warnings: list[str]
    rejected: Rejected | None


class DoctorFinding(TypedDict):
    """One thing that the doctor found, why it is of that level, and the remedy if any."""

    level: Literal["ok", "note", "fix"]
    what: str
    why: str
    remedy: str


class LightTest(TypedDict):
    """The pattern that the strip shows, and lines about it."""

    shown: str | None
    lines: list[str]


class Spot(TypedDict):
    """A place on the sheet where light may be seen, in millimetres, and its name."""

    x_mm: float
    y_mm: float
    name: str


class Lit(TypedDict):
    """LEDs `first` to `last` of a channel are lit: "where" is it, is "any" seen, or what is "dark".

    `likely` are the places where an answer is expected.
    """

    channel: int
    first: int
    last: int
    asked: Literal["where", "any", "dark"]
    likely: list[Spot]


class CalibrationTold(TypedDict):
    """How far the wiring is known; nothing is `asked` when all is.

    `answers` were given; `found` and `missing` are pieces of strip by name; `note` says what holds
    besides, such as that the strip could not be lit further than it is set.
    """

    begun: bool
    asked: Lit | None
    answers: int
    found: list[str]
    missing: list[str]
    note: str
    width_mm: float
    height_mm: float
