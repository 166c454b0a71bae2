"""Endpoints of the server of a game night's organiser: pages, hall screen, changes, exports.

Pages get their content (a view) by streams. All pages of one kind, such as the hall screens, get
the same view, which is made again only if the night has changed or a second has passed. Only the
organiser's own machine may change the plan.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from io import StringIO
from typing import Final

import msgspec
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp

from companion.board import draw, load_board
from companion.commentary import PageWords, languages, load_catalogue, load_phrases
from companion.encoding import Say, encode_json
from companion.errors import Text
from companion.night.night_commands import AnyCommand
from companion.night.organiser import Organiser
from companion.night.outcomes import cards, standings
from companion.night.views import (
    BoardPlaces,
    HallStream,
    HallView,
    NightAbout,
    NightStream,
    OrganiserView,
    ViewNews,
    hall_view,
    organiser_view,
)
from companion.web.http.endpoint import Call, Right, endpoint, stream
from companion.web.http.sse import Hello, OpenStreams, event
from companion.web.pages import HTML, SVG, document
from companion.web.server import STATIC

INTERVAL_S: Final = 0.25
"""Least seconds between two views of one stream."""
TURN_S: Final = 8
"""Seconds for which a hall screen shows one page of a longer list."""


class ViewStreams:
    """Open streams of the organiser's server.

    Args:
        organiser: the organiser, whose changes wake the streams.
        closing: is set when the server stops; then every stream ends with the event `goodbye`.
        clock: returns monotonic seconds, by which screens turn their pages.
    """

    def __init__(
        self, organiser: Organiser, closing: asyncio.Event, clock: Callable[[], float]
    ) -> None:
        self._organiser, self._clock = organiser, clock
        self._open = OpenStreams(
            closing,
            organiser.changed.subscribe,
            refusal=Text("too many pages are watching, or the program is ending: try again later"),
            interval_s=INTERVAL_S,
            poll_s=1 - INTERVAL_S,
        )
        self._encoded: dict[str, tuple[tuple[int, int], bytes]] = {}

    def stream(self, name: str, view: Callable[[], object], say: Say = str) -> ASGIApp:
        """Return a response that streams a view, or 503 if too many streams are open.

        All streams with the same `name` share one view.
        """
        content = partial(self._content, name, view, say)
        return partial(self._open.answer, self._hello, partial(next, _news(content)))

    def _hello(self, _viewer: int) -> Hello:
        return Hello(instance_id="", viewer=0, seq=self._organiser.plan.revision)

    def _content(self, name: str, view: Callable[[], object], say: Say) -> bytes:
        second = int(self._clock())
        key = (self._organiser.version, second)
        known = self._encoded.get(name)
        if known is None or known[0] != key:
            content = encode_json(ViewNews(turn=second // TURN_S, view=view()), say)
            self._encoded[name] = known = (key, content)
        return known[1]


def _news(content: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the content as an event if it has changed, or else b""."""
    last = b""
    while True:
        now = content()
        yield event("news", now) if now != last else b""
        last = now


def standings_csv(organiser: Organiser) -> bytes:
    """Return the standings as CSV with a row for each entrant."""
    head = ("rank", "name", "game_points", "games_won", "games_lost", "net_spread", "plus_points")
    places = standings(cards(organiser.plan, organiser.outcomes.values()))
    rows = (
        (each.rank, each.name, each.points, each.won, each.lost, each.net, each.plus)
        for each in places
    )
    return _csv(head, rows)


def cards_csv(organiser: Organiser) -> bytes:
    """Return the lines of all entrants' score cards as CSV, sorted by round and table."""
    head = ("round", "table", "name", "opponent", "game_points", "plus", "minus")
    drawn = cards(organiser.plan, organiser.outcomes.values())
    rows = [
        (each.round, each.table, name, each.opponent, each.points, each.plus, each.minus)
        for name, lines in drawn.items()
        for each in lines
    ]
    return _csv(head, sorted(rows))


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_cell(each) for each in row] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """Return the value of a cell; quote a text that a spreadsheet would take for a formula.

    >>> _cell("=1+1"), _cell(-31)
    ("'=1+1", -31)
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in {*"=+-@"} else value


CSV: Final = "text/csv; charset=utf-8"


class CommandRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/night`: a change of the plan."""

    change: AnyCommand


class NightEndpoints:
    """Pages and endpoints of a night.

    Args:
        organiser: holds the plan and the results of the night.
        streams: the open streams.
        pages: returns the addresses at which other machines find the hall screen.
        version: this program's version; a page of another version reloads.
    """

    def __init__(
        self,
        organiser: Organiser,
        streams: ViewStreams,
        *,
        pages: Callable[[], tuple[str, ...]],
        version: str,
    ) -> None:
        self._organiser, self._streams = organiser, streams
        self._pages, self._version = pages, version

    @endpoint("GET", "/", Right.WATCH, media=HTML)
    async def _organiser_page(self, _call: Call[None]) -> Response:
        """Return the organiser's page."""
        return document("organiser")

    @endpoint("GET", "/hall", Right.WATCH, media=HTML)
    async def _hall_page(self, _call: Call[None]) -> Response:
        """Return the hall screen."""
        return FileResponse(STATIC / "hall.html")

    @endpoint("GET", "/print", Right.WATCH, media=HTML)
    async def _print_page(self, _call: Call[None]) -> Response:
        """Return the page to print: seating, standings and cards."""
        return FileResponse(STATIC / "night-print.html")

    @endpoint("GET", "/api/about", Right.WATCH)
    async def _about(self, call: Call[None]) -> NightAbout:
        """Return the facts of this server, and the rights of the caller."""
        return {
            "language": call.language,
            "languages": {each: load_phrases(each).say("name") for each in languages()},
            "right": call.caller.right.word,
            "version": self._version,
            "pages": list(await asyncio.to_thread(self._pages)),
        }

    @endpoint("GET", "/api/words", Right.WATCH)
    async def _words(self, call: Call[None]) -> PageWords:
        """Return a mapping from the pages' English texts to texts in the caller's language."""
        return load_catalogue(call.language).page_words()

    @endpoint("GET", "/api/hall", Right.WATCH)
    async def _hall(self, _call: Call[None]) -> HallView:
        """Return what the hall screen shows."""
        return hall_view(self._organiser)

    @endpoint("GET", "/api/night", Right.WATCH)
    async def _night(self, _call: Call[None]) -> OrganiserView:
        """Return what the organiser's page shows."""
        return organiser_view(self._organiser)

    @stream("/api/hall/stream", HallStream)
    async def _hall_stream(self, _call: Call[None]) -> ASGIApp:
        """Stream what the hall screen shows: hello, then news with each change, goodbye."""
        return self._streams.stream("hall", lambda: hall_view(self._organiser))

    @stream("/api/night/stream", NightStream)
    async def _night_stream(self, call: Call[None]) -> ASGIApp:
        """Stream what the organiser's page shows: hello, then news with each change, goodbye."""
        say = load_phrases(call.language).message
        view = partial(organiser_view, self._organiser)
        return self._streams.stream(f"night.{call.language}", view, say)

    @endpoint("POST", "/api/night", Right.RUN)
    async def _change(self, call: Call[CommandRequest]) -> None:
        """Change the plan; respond when the plan is saved here, and on the broker if connected."""
        await self._organiser.change(call.body.change)

    @endpoint("GET", "/api/night/standings.csv", Right.WATCH, media=CSV)
    async def _standings(self, _call: Call[None]) -> Response:
        """Export the standings as a table."""
        return _download(standings_csv(self._organiser), CSV, "standings.csv")

    @endpoint("GET", "/api/night/cards.csv", Right.WATCH, media=CSV)
    async def _cards(self, _call: Call[None]) -> Response:
        """Export the lines of all cards as a table."""
        return _download(cards_csv(self._organiser), CSV, "cards.csv")

    @endpoint("GET", "/api/night/export.json", Right.WATCH, media="application/json")
    async def _export(self, _call: Call[None]) -> Response:
        """Export the plan with the outcomes and the standings."""
        view = organiser_view(self._organiser)
        content = {
            "plan": self._organiser.plan,
            "games": view["games"],
            "cards": view["cards"],
            "standings": view["hall"]["standings"],
        }
        return _download(encode_json(content), "application/json", "night.json")

    @endpoint("GET", "/api/boards/{board}", Right.WATCH)
    async def _board(self, call: Call[None]) -> BoardPlaces:
        """Return the position of each hole of a shipped board, by lane and hole."""
        return _places(call.path["board"])

    @endpoint("GET", "/boards/{board}.svg", Right.WATCH, media=SVG)
    async def _drawing(self, call: Call[None]) -> Response:
        """Draw a shipped board."""
        return Response(_drawn(call.path["board"]), media_type=SVG)


@cache
def _drawn(name: str) -> str:
    return draw(load_board(name))


@cache
def _places(name: str) -> BoardPlaces:
    board = load_board(name)
    holes: dict[str, list[float]] = {}
    for row in board.rows:
        for hole, x, y in row.places():
            holes[f"{row.lane}/{hole}"] = [round(x, 1), round(y, 1)]
    for lamp in board.lamps:
        holes[f"lamp/{lamp.id}"] = [lamp.x_mm, lamp.y_mm]
    return {"width": board.width_mm, "height": board.height_mm, "holes": holes}


def _download(content: bytes, media: str, name: str) -> Response:
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media, headers=disposition)
