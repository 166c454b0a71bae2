"""What the page's server answers, as types: they check its code, and describe the API."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from companion.board.track import Hole

Counts = dict[str, int]
"""A number a side or seat, by its number in text."""


class Fault(TypedDict):
    """What is wrong with a setting, and its key where it can be told."""

    key: str | None
    text: str


class Refusal(TypedDict):
    """Why something is not done, in one line; `rule` where the rules of play refuse it.

    `faults` are all those of settings.
    """

    error: str
    rule: NotRequired[str | None]
    faults: NotRequired[list[Fault]]


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
    """An accepted command: its number, what followed, and what it took back if it is an undo."""

    seq: int
    events: list[dict[str, Any]]
    undone: list[dict[str, Any]]


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


class Hands(TypedDict):
    """By seat, the path at which its person finds its hand of cards."""

    hands: dict[str, str]


class HeldCard(TypedDict):
    """A card like "5H", None face down; `played` cards lie on the table."""

    card: str | None
    played: bool


class SeatsCards(TypedDict):
    """The cards of a seat."""

    seat: int
    team: int
    folded: bool
    cards: list[HeldCard]


class Cards(TypedDict):
    """The cards of a deal as somebody may see them."""

    phase: Literal["discard", "starter", "play", "show", "over"]
    dealer: int
    turn: int | None
    starter: str | None
    count: int
    pile: list[str]
    hands: list[SeatsCards]
    crib: list[str | None]
    showing: int | Literal["crib"] | None


Ask = TypedDict("Ask", {"for": Literal["discard", "play"], "cards": int})


class OwnHand(TypedDict):
    """What whoever holds a hand's token may see."""

    seat: int
    seats: dict[str, str]
    asked: int | None
    shown: Cards | None
    ask: Ask | None
    lines: list[str]


class CountedPart(TypedDict):
    """What some of the cards make together: "fifteen", "pair", "run", "flush", "nobs"..."""

    kind: str
    points: int
    cards: list[str]


class Counted(TypedDict):
    """What a hand is worth, and what that is made of, in the order of a show."""

    points: int
    parts: list[CountedPart]


class Visit(TypedDict):
    """A phone that asks to be let in: its unguessable id, and how long its code holds."""

    visit: str
    seconds: int


class Waiting(TypedDict):
    """The phone that waits; `code` is what its owner must enter, None once that is done."""

    name: str
    right: Literal["score", "run"]
    code: str | None


class Door(TypedDict):
    """Who waits to be let in, if anybody does."""

    waiting: Waiting | None


class LetIn(TypedDict):
    """A phone has been let in; its cookie comes with this answer."""

    name: str
    right: Literal["score", "run"]


class Phone(TypedDict):
    """A phone that was let in, and when (UTC)."""

    id: str
    name: str
    right: Literal["score", "run"]
    since: str
    own: bool


class Taken(TypedDict):
    """The number of the last tap of this pad that was taken, and how the table stands then.

    `feedback` are words about these taps; `saved`, whether the journal has all that was accepted.
    """

    taken: int
    table: Table
    feedback: str | None
    saved: bool
