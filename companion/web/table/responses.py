"""Responses about the running table."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from companion.board.track import Hole


class Side(TypedDict):
    """How a side stands; `pending` is the count being entered."""

    front: Hole
    back: Hole
    boxed: int
    folded: bool
    pending: int
    progress: int


class Table(TypedDict):
    """How the table stands; `seq` grows by one with each accepted command."""

    seq: int
    teams: dict[str, Side]
    dealer: int
    hand: int
    winner: int | None


class Team(TypedDict):
    """A side's name, and its colour as `#rrggbb`."""

    name: str
    colour: str


class Outfit(TypedDict):
    """What stays as it is while the table runs.

    `language` of the commentary, such as "en"; `buttons`, names in panel order; `mock`, whether
    they are mock ones; `leds`, in frame order the place in millimetres of each or None; `width_mm`
    and `height_mm` of the sheet.
    """

    teams: dict[str, Team]
    language: str
    buttons: list[str]
    mock: bool
    leds: list[tuple[float, float] | None]
    strip: str
    width_mm: float
    height_mm: float


class About(Outfit):
    """What stays as it is while the server runs, and what this caller may do.

    `press`, whether this caller may press the mock buttons; `near`, whether it is the table's own
    machine; `right`, what else it may; `run`, a word for this run of the server; `pages`, the
    addresses at which phones find it; `first_run`, whether the board is still to be set up.
    """

    press: bool
    near: bool
    right: Literal["watch", "score", "run"]
    run: str
    pages: list[str]
    first_run: bool


class Told(TypedDict):
    """Accepted command: its number, the commentator's line, its events, and those it took back."""

    seq: int
    line: str
    events: list[dict[str, Any]]
    undone: list[dict[str, Any]]


class Hint(TypedDict):
    """Hint about a press: its `companion.table.actions.HintKind`, and the team that it concerns."""

    kind: str
    team: int | None


class HintFields(TypedDict):
    """Hint about the last press, for people as text and for a page as a value."""

    feedback: str | None
    hint: Hint | None


class Outlook(TypedDict):
    """What a count would do; `kind` is that of the zone it lands in."""

    points: int
    lands: Hole
    kind: str | None
    front: Hole
    forfeited: bool
    wins: bool


class Advice(TypedDict):
    """What each count would do to a side, and the sides to which to lead a five."""

    outlooks: list[Outlook]
    lead_five_to: list[int]


class Ruling(TypedDict):
    """One thing that can go wrong, and what follows (N1 to N17)."""

    rule: str
    what: str
    follows: str
    points: bool
    claim: bool
    sources: list[str]
