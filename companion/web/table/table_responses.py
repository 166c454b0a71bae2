"""Responses about the running table.

These types are the JSON of the API: msgspec encodes them, and the API's description has their
schemas. `field(name=...)` gives a key that differs from our word: `side` is sent as `team`.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict

import msgspec
from msgspec import field

from companion.board import ZoneKind
from companion.commentary.rules_page import RulesSection
from companion.rules.game import Event, Kind
from companion.rules.game.advice import Outcome
from companion.rules.game.events import EventFacts
from companion.rules.game.grants import Grants
from companion.rules.game.notation import SideValue
from companion.rules.game.rulings import Ruling
from companion.table.hints import HintKind


class SideResponse(SideValue, frozen=True, kw_only=True):
    """Standing of a side; `pending` is the count being entered."""

    pending: int


class TableResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of the table; `seq` grows by one with each accepted command."""

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
    """A button of the panel, of a side or of the table (side 0).

    `label` is in the caller's language. The key with `code` (`KeyboardEvent.code`) presses it.
    `points` is the number of holes that it adds to a count, `hold_s` the longest hold that does
    something. `runs_table` is true if only callers that may run the table may press it.
    """

    side: int
    action: str
    label: str
    code: str
    points: int
    hold_s: float
    runs_table: bool


class RowWords(TypedDict):
    """Rows with words in the caller's language: the kinds of zone and of event, and the buttons.

    `event_signs` has a television's words for some kinds of event; `panel` has all possible
    buttons by name, in panel order.
    """

    zone_kinds: dict[ZoneKind, dict[str, str]]
    event_kinds: Mapping[Kind, EventFacts]
    event_signs: dict[str, str]
    panel: dict[str, PanelButton]


class TableFacts(RowWords):
    """Facts about the table by the settings in force.

    `settings` is a number that each change of them raises. `language` is the caller's, such as
    "en", and `languages` has the names of all. `buttons` are names in panel order. `most_points` is
    the highest count. `mock` is true for mock buttons. `leds` has the place of each LED in
    millimetres or None, in frame order. `zones` is true if the board has any. `side_paths` has the
    kind of each zone with a side path, by its id. `local_only` is true if the settings let only
    this machine reach the page.
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
    """Facts about the table, and the rights of this caller.

    `press` is true if this caller may press the mock buttons, `near` if it is the table's own
    machine; `right` has its other rights. `run` is the id of this run of the server, `pages` are
    the addresses at which phones find it. `first_run` is true until the board is set up,
    `reverted` if it did not start with its new settings and is back on the previous ones.
    """

    press: bool
    near: bool
    right: Literal["watch", "score", "run"]
    run: str
    pages: list[str]
    first_run: bool
    reverted: bool


class RulesText(msgspec.Struct, frozen=True, kw_only=True):
    """The rules in force in family words; each section has its heading and its lines."""

    title: str
    sections: tuple[RulesSection, ...]


class NewGameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Choices for a new game.

    `sides`, `players`, `preset` and `muggins` are those of the running game. `presets` are the sets
    of house rules that can be played, where "" means the rules of the settings. `settings` is the
    name of these, "" if no set has them. `words` has the names of the sets for people.
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
    """Accepted command: number, commentator's line, events, and the events that it took back."""

    seq: int
    line: str
    events: tuple[Event, ...]
    undone: tuple[Event, ...]


class HintResponse(msgspec.Struct, frozen=True, kw_only=True):
    """Hint about a press, and the side that it concerns.

    `number` differs from that of the hint about any other press.
    """

    kind: HintKind
    side: int | None = field(name="team")
    number: int


class RefereeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """All that can go wrong, and what the referee may grant for it as the game stands.

    `computers` are the sides that decide for themselves which points they take.
    """

    rulings: list[Ruling]
    grants: Grants
    computers: tuple[int, ...]


class CountResponse(msgspec.Struct, frozen=True, kw_only=True):
    """A count that can be corrected, by its number in the game.

    If `points` is None, it can only be removed. `seq` is the number of its entry in the stream, if
    that is still known; `hand` is the number of its hand.
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
    """A later command, in words before and after a correction; "" if it has no consequences."""

    before: str
    after: str


class CommandPreview(msgspec.Struct, frozen=True, kw_only=True):
    """Consequences of a command: its line, the landings, each side, and later commands changed.

    `choices` has each computer's side that may take points, with true if it does.
    """

    line: str
    choices: dict[int, bool]
    zones: list[ZoneLanding]
    sides: dict[int, SideChange]
    changes: list[LaterChange]


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of each count for a side, and the sides to which to lead a five."""

    outlooks: tuple[Outcome, ...]
    lead_five_to: tuple[int, ...]
