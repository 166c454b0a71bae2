"""Responses of the organiser's server, as types: they check the code, and describe the API.

msgspec encodes each view as JSON, and the API's description has the schema of its type. The
standing of an entrant is sent as `{"rank": 1, "name": "Ann", "points": 5, ...}`, for example. Sides
of a pair and lanes of its board are strings, "1" and "2", as keys of JSON are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypedDict, TypeVar

import msgspec

from companion.errors import Text
from companion.night.attention import Matter
from companion.night.scoring import CardLine, Place
from companion.web.http.endpoint import RightName
from companion.web.http.sse import StreamEvents


class PairView(TypedDict):
    """Pair at a table."""

    table: int
    names: list[str]


class RoundView(TypedDict):
    """Round with its pairs by table, and the entrant who sits out."""

    number: int
    pairs: list[PairView]
    bye: str | None


class PegView(TypedDict):
    """Lit peg; `hole` is the id of its hole, `kind` is "front" or "back"."""

    lane: str
    hole: str
    kind: str
    colour: str


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
    pegs: list[PegView]


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
    standings: list[Place]
    boards: list[BoardView]
    seats: RoundView | None
    next: RoundView | None


class EntrantView(TypedDict):
    """Entrant of the list."""

    id: int
    name: str
    playing: bool
    seated: bool


class GameView(TypedDict):
    """Game of a pair; `winner` is a side, `plus` and `minus` go onto the two cards."""

    round: int
    table: int
    names: list[str]
    status: str
    winner: str | None
    plus: int | None
    minus: int | None
    entered: bool


class CardView(TypedDict):
    """Card of an entrant."""

    id: int
    name: str
    lines: Sequence[CardLine]


class OrganiserView(TypedDict):
    """Content of the organiser's page; `refusal` says why the next round cannot be seated."""

    hall: HallView
    attention: list[Matter]
    refusal: Text | None
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
    right: RightName
    version: str
    pages: list[str]


class BoardPlaces(TypedDict):
    """Places of a board's holes in millimetres, by `lane/hole`, and the size of its sheet."""

    width: float
    height: float
    holes: dict[str, list[float]]


View = TypeVar("View")


class ViewNews(msgspec.Struct, Generic[View], frozen=True, kw_only=True):
    """Whole view of a page; `turn` grows by one whenever screens turn to their next page."""

    turn: int
    view: View


class HallStream(StreamEvents, frozen=True, kw_only=True):
    """Events of `GET /api/hall/stream`, by name."""

    news: ViewNews[HallView]


class NightStream(StreamEvents, frozen=True, kw_only=True):
    """Events of `GET /api/night/stream`, by name."""

    news: ViewNews[OrganiserView]
