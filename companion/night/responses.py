"""Responses of the organiser's server, as types: they check the code, and describe the API."""

from __future__ import annotations

from typing import TypedDict


class StandingView(TypedDict):
    """Place of an entrant in the standings."""

    rank: int
    name: str
    points: int
    won: int
    lost: int
    net: int
    plus: int
    qualifies: bool


class PairView(TypedDict):
    """Pair at a table."""

    table: int
    names: list[str]


class RoundView(TypedDict):
    """Round with its pairs by table, and the entrant who sits out."""

    number: int
    pairs: list[PairView]
    bye: str | None


class BoardView(TypedDict):
    """Board of a pair; `lit` is False for a table that was never on the broker."""

    table: int
    names: list[str]
    lit: bool
    online: bool
    status: str
    winner: str | None
    spread: int | None
    board: str | None
    pegs: list[dict[str, str]]


class HallView(TypedDict):
    """Content of a hall screen."""

    night: str
    title: str
    message: str
    connected: bool
    round: int
    planned_rounds: int
    games: int
    done: int
    standings: list[StandingView]
    boards: list[BoardView]
    seats: RoundView | None
    next: RoundView | None


class MatterView(TypedDict):
    """Matter that needs attention, with the action to offer and the round and table of its game."""

    text: str
    action: str
    seat: list[int] | None
    urgent: bool


class EntrantView(TypedDict):
    """Entrant of the list."""

    id: int
    name: str
    playing: bool
    seated: bool


class GameView(TypedDict):
    """Game of a pair; `winner` is a team, `plus` and `minus` go onto the two cards."""

    round: int
    table: int
    names: list[str]
    status: str
    winner: str | None
    plus: int | None
    minus: int | None
    entered: bool


class CardLineView(TypedDict):
    """Line of a card; `corrected` is the reason of a correction, None without one."""

    round: int
    table: int
    opponent: str
    points: int
    plus: int
    minus: int
    corrected: str | None


class CardView(TypedDict):
    """Card of an entrant."""

    id: int
    name: str
    lines: list[CardLineView]


class OrganiserView(TypedDict):
    """Content of the organiser's page; `refusal` says why the next round cannot be seated."""

    hall: HallView
    attention: list[MatterView]
    refusal: str | None
    finish: int
    scoring: str
    tables: list[int]
    planned_rounds: int
    entrants: list[EntrantView]
    games: list[GameView]
    cards: list[CardView]


class NightAbout(TypedDict):
    """Facts about the organiser's server and the rights of the caller."""

    language: str
    languages: dict[str, str]
    right: str
    version: str
    pages: list[str]


class BoardPlaces(TypedDict):
    """Places of a board's holes in millimetres, by `lane/hole`, and the size of its sheet."""

    width: float
    height: float
    holes: dict[str, list[float]]
