"""Responses about the running table.

These types are the JSON of the API: msgspec encodes them, and the API's description has their
schemas. `field(name=...)` gives a JSON key unlike the attribute's name: `side` is sent as `team`.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict

import msgspec
from msgspec import field

from companion.board import ZoneKind
from companion.commentary.rules_page import RulesSection
from companion.rules.game import Event, Kind
from companion.rules.game.advice import Grants, Outcome
from companion.rules.game.commands import Ruling
from companion.rules.game.events import EventFacts
from companion.rules.game.notation import SideValue
from companion.table.panel.actions import HintKind


class SideResponse(SideValue, frozen=True, kw_only=True):
    """State of a side; `pending` is the count being entered."""

    pending: int


class TableResponse(msgspec.Struct, frozen=True, kw_only=True):
    """State of the table; `seq` grows by one with each accepted command."""

    seq: int
    sides: dict[int, SideResponse] = field(name="teams")
    dealer: int
    hand: int
    winner: int | None


class SideLabel(TypedDict):
    """A side's name, and its colour as `#rrggbb`."""

    name: str
    colour: str


class PanelButton(TypedDict):
    """Button of the panel.

    Attributes:
        side: its side; 0 for a button of the table.
        code: the key that presses it, as `KeyboardEvent.code`.
        points: the number of holes that it adds to a count.
        hold_s: the longest hold in seconds that matters on a score pad (the buttons on a phone).
        runs_table: true if only callers with the right to run the table may press it.
    """

    side: int
    action: str
    label: str
    code: str
    points: int
    hold_s: float
    runs_table: bool


class RowWords(TypedDict):
    """Kinds of zone, kinds of event and buttons, with names in the caller's language.

    `event_signs` has the large words that pages show over the board for some kinds of event.
    `panel` has all possible buttons by name, in panel order.
    """

    zone_kinds: dict[ZoneKind, dict[str, str]]
    event_kinds: Mapping[Kind, EventFacts]
    event_signs: dict[str, str]
    panel: dict[str, PanelButton]


class TableFacts(RowWords):
    """Facts about the table that follow from the settings in force.

    Attributes:
        settings: the version number of the settings in force, which grows with each change.
        mock: true if the buttons are simulated.
        leds: x and y in millimetres of LED 0, 1, 2 ... of a frame; None for an LED without a place.
        side_paths: the kind of each zone with a side path, by the zone's id.
        local_only: true if the settings let only this machine reach the page.
    """

    settings: int
    teams: dict[str, SideLabel]
    language: str
    languages: dict[str, str]
    buttons: list[str]
    most_points: int
    mock: bool
    leds: list[tuple[float, float] | None]
    strip: str
    width_mm: float
    height_mm: float
    zones: bool
    side_paths: dict[str, ZoneKind]
    local_only: bool


class About(TableFacts):
    """Facts about the table, and the rights of the caller.

    Attributes:
        press: true if the caller may press the mock buttons.
        near: true if the caller is on the table's own machine.
        run: the id of this run of the server.
        reverted: true if the board did not start with its new settings and uses the previous ones.
    """

    press: bool
    near: bool
    right: Literal["watch", "score", "run"]
    run: str
    pages: list[str]
    reverted: bool


class RulesText(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force in everyday words; each section has a heading and lines."""

    title: str
    sections: tuple[RulesSection, ...]


class NewGameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Choices for a new game; `sides`, `players`, `preset` and `muggins` are the running game's.

    Attributes:
        presets: the sets of house rules to choose from; "" means the rules of the settings.
        settings: the name of the set that has the rules of the settings; "" if there is none.
        words: the names of the sets for users.
    """

    lanes: int
    sides: tuple[int, ...] = field(name="teams")
    players: int
    presets: tuple[str, ...]
    settings: str
    preset: str
    muggins: str
    words: dict[str, str]


class EntryResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Accepted command, with its line of commentary, its events and the events it took back."""

    seq: int
    line: str
    events: tuple[Event, ...]
    undone: tuple[Event, ...]


class HintResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Hint about a press, and the side that it concerns.

    Hints about different presses have different numbers.
    """

    kind: HintKind
    side: int | None = field(name="team")
    number: int


class RefereeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Errors of play, and the referee's choices in the present state of the game.

    `computers` are the sides of computer players, which decide themselves whether to take points.
    """

    rulings: list[Ruling]
    grants: Grants
    computers: tuple[int, ...]


class CountResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Count that can be corrected; `entry` is the number of its command in the game.

    `seq` is the number of the `EntryResponse` about it, None if that is not known any more.
    `points` is None if the count can only be removed.
    """

    entry: int
    seq: int | None
    hand: int
    side: int = field(name="team")
    points: int | None
    line: str


class SideChange(msgspec.Struct, frozen=True, kw_only=True):
    """A side before a command and after it."""

    before: SideValue
    after: SideValue


class ZoneLanding(msgspec.Struct, frozen=True, kw_only=True):
    """A landing in a zone."""

    side: int | None = field(name="team")
    kind: ZoneKind


class LaterChange(msgspec.Struct, frozen=True, kw_only=True):
    """Lines about a later command before and after a correction; "" if it has no effect."""

    before: str
    after: str


class CommandPreview(msgspec.Struct, frozen=True, kw_only=True):
    """Consequences of a command.

    `choices` has each computer's side that may take points, with true if it takes them.
    """

    line: str
    choices: dict[int, bool]
    zones: list[ZoneLanding]
    sides: dict[int, SideChange]
    changes: list[LaterChange]


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """Advice to a side: the outcome of each count, and the sides to which it should lead a five."""

    outlooks: tuple[Outcome, ...]
    lead_five_to: tuple[int, ...]
