"""Responses about the running table."""

from typing import Any, Literal, TypedDict

from companion.board.track import Hole, ZoneKind
from companion.commentary.rules_page import RulesSection
from companion.rules.game.advice import Outcome
from companion.rules.game.grants import Grants
from companion.rules.game.rulings import Ruling


class SideStanding(TypedDict):
    """A side as the rules have it."""

    front: Hole
    back: Hole
    boxed: int
    folded: bool
    progress: int


class SideResponse(SideStanding):
    """Standing of a side; `pending` is the count being entered."""

    pending: int


class TableResponse(TypedDict):
    """Standing of the table; `seq` grows by one with each accepted command."""

    seq: int
    teams: dict[str, SideResponse]
    dealer: int
    hand: int
    winner: int | None


class Team(TypedDict):
    """A side's name, and its colour as `#rrggbb`."""

    name: str
    colour: str


class TableFacts(TypedDict):
    """Facts about the table by the settings in force.

    `settings`, another number after each change of them, as in the news; `language` of the caller,
    such as "en", and `languages`, the names of all; `buttons`, names in panel order; `mock`, true
    for mock buttons; `leds`, in frame order the place in millimetres of each or None; `width_mm`
    and `height_mm` of the sheet; `zones`, true if the board has any; `local_only`, true if the
    settings let only this machine reach the page.
    """

    settings: int
    teams: dict[str, Team]
    language: str
    languages: dict[str, str]
    buttons: list[str]
    mock: bool
    leds: list[tuple[float, float] | None]
    strip: str
    width_mm: float
    height_mm: float
    zones: bool
    local_only: bool


class About(TableFacts):
    """Facts about the table, and the rights of this caller.

    `press`, true if this caller may press the mock buttons; `near`, true for the table's own
    machine; `right`, its other rights; `run`, a word for this run of the server; `pages`, the
    addresses at which phones find it; `first_run`, true while the board is still to be set up;
    `reverted`, true if it did not start with its new settings and is back on those from before.
    """

    press: bool
    near: bool
    right: Literal["watch", "score", "run"]
    run: str
    pages: list[str]
    first_run: bool
    reverted: bool


class RulesText(TypedDict):
    """The rules in force in family words; each section has its heading and its lines."""

    title: str
    sections: list[RulesSection]


class NewGameOptions(TypedDict):
    """Choices for a new game.

    `lanes` of the board; `teams` and `players` of the running game; `presets` the sets of house
    rules that can be played, "" those of the settings; `settings` the name of these, "" if no set
    has them; `preset` the one played now, and `muggins` its house rule.
    """

    lanes: int
    teams: list[int]
    players: int
    presets: list[str]
    settings: str
    preset: str
    muggins: str


class EntryResponse(TypedDict):
    """Accepted command: number, commentator's line, events, and those it took back as an undo."""

    seq: int
    line: str
    events: list[dict[str, Any]]
    undone: list[dict[str, Any]]


class HintResponse(TypedDict):
    """Hint about a press: its `companion.table.hints.HintKind`, and the team that it concerns.

    `number` differs from that of the hint about any other press.
    """

    kind: str
    team: int | None
    number: int


class HintFields(TypedDict):
    """Hint about the last press, for people as text and for a page as a value."""

    feedback: str | None
    hint: HintResponse | None


class RefereeOptions(TypedDict):
    """All that can go wrong, and what the referee may grant for it as the game stands.

    `computers` are the sides that decide for themselves which points they take.
    """

    rulings: list[Ruling]
    grants: Grants
    computers: tuple[int, ...]


class CountResponse(TypedDict):
    """A count that can be corrected, by its number in the game; `points` None: only removed.

    `seq` is that of its entry in the stream, if that is still known; `hand` the number of the hand.
    """

    entry: int
    seq: int | None
    hand: int
    team: int
    points: int | None
    line: str


class SideChange(TypedDict):
    """A side before a command and after it."""

    before: SideStanding
    after: SideStanding


class ZoneLanding(TypedDict):
    """A landing in a zone."""

    team: int | None
    kind: ZoneKind


class LaterChange(TypedDict):
    """A later command with other consequences after a correction, in words; "" for none."""

    before: str
    after: str


class CommandPreview(TypedDict):
    """Consequences of a command: its line, the landings, each side, and later commands changed.

    `choices` tells of each side of computers that may take points whether it does.
    """

    line: str
    choices: dict[str, bool]
    zones: list[ZoneLanding]
    sides: dict[str, SideChange]
    changes: list[LaterChange]


class Advice(TypedDict):
    """Outcome of each count for a side, and the sides to which to lead a five."""

    outlooks: list[Outcome]
    lead_five_to: list[int]
