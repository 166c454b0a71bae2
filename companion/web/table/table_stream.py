"""Event stream of a page: each message has only what has changed since the last one.

`Viewer` makes the events, without a clock or I/O; `OpenStreams` sends them. A page that reads
slowly gets fewer and larger changes, and does not delay other pages. Each accepted command is sent
as an entry. Its id joins an edition (the server's run and its settings) and a number. A page that
reconnects sends its last entry's id (`Last-Event-ID`), and its stream goes on after that entry.
"""

import base64
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.types import ASGIApp

from companion.encoding import encode_json
from companion.errors import Text
from companion.web.http.endpoint import Call, language_of, stream
from companion.web.http.sse import BEAT_S, Goodbye, Hello, OpenStreams, event
from companion.web.table import table_responses
from companion.web.table.news import TableNews, TableStream
from companion.web.table.table_service import TableService


class Resume(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/stream`: the last entry's id, from pages that send no `Last-Event-ID`."""

    after: Annotated[str, Meta(max_length=64)] = ""


FRAMES_A_SECOND = 30
ID_LENGTH_LIMIT = 64
FIRST_ENTRIES = 100
"""Entries sent to a page that has none yet: about half a game."""

CHANGE = np.dtype([("led", "<u2"), ("colour", "u1", 3)])
"""Encoding of one changed LED in five bytes: its index, then red, green and blue."""


def changes(before: NDArray[np.uint8] | None, after: NDArray[np.uint8]) -> bytes:
    """Return LEDs of `after` that differ from `before`, as `CHANGE`; all if `before` is None."""
    if before is None or before.shape != after.shape:
        leds = np.arange(len(after))
    else:
        leds = np.flatnonzero((before != after).any(axis=1))
    packed = np.empty(len(leds), CHANGE)
    packed["led"] = leds
    packed["colour"] = after[leds]
    return packed.tobytes()


class Viewer:
    """State of one page's stream: the table's state (news), entries and frame that were sent last.

    Args:
        instance_id: the id of this run of the server.
        last: the id of the last entry that the page has got, "" if it has none.
    """

    def __init__(self, instance_id: str = "", last: str = "") -> None:
        self._instance_id, self._last = instance_id, last
        self._edition = ""
        self._seq: int | None = None
        self._news = b""
        self._number: int | None = None
        self._frame: NDArray[np.uint8] | None = None

    def catch_up(
        self,
        news: TableNews,
        entries: Sequence[table_responses.EntryResponse],
        number: int,
        frame: NDArray[np.uint8],
    ) -> bytes:
        """Return the events that bring the page up to date; b"" if nothing has changed.

        `entries` are the last accepted commands in order, `number` is the frame's number.
        """
        edition = f"{self._instance_id}.{news.settings}"
        if edition != self._edition:  # new settings may rename the sides: entries are sent again
            self._edition, self._seq = edition, _known(self._last, edition)
        return self._tell(news) + self._go_on(entries) + self._show(number, frame)

    def _tell(self, news: TableNews) -> bytes:
        text = encode_json(news)
        if text == self._news:
            return b""
        self._news = text
        return event("news", text)

    def _go_on(self, entries: Sequence[table_responses.EntryResponse]) -> bytes:
        """Return the entries that the page lacks; the last `FIRST_ENTRIES` if it has none."""
        known = self._seq
        new = entries[-FIRST_ENTRIES:] if known is None else [e for e in entries if e.seq > known]
        content = b"".join(
            event("entry", msgspec.json.encode(entry), number=f"{self._edition}.{entry.seq}")
            for entry in new
        )
        self._seq = entries[-1].seq if entries else known or 0
        return content

    def _show(self, number: int, frame: NDArray[np.uint8]) -> bytes:
        if number == self._number:
            return b""
        packed = changes(self._frame, frame)
        first = self._frame is None
        self._number, self._frame = number, frame
        return event("frame", base64.b64encode(packed)) if packed or first else b""


def _known(last: str, edition: str) -> int | None:
    """Return the number in an entry's id; None if the id is of another run or other settings.

    >>> _known("a.0.17", "a.0"), _known("a.0.17", "a.1"), _known("", "a.0")
    (17, None, None)
    """
    if len(last) > ID_LENGTH_LIMIT:
        return None
    its_edition, _, number = last.rpartition(".")
    is_known = its_edition == edition and number.isdecimal() and number.isascii()
    return int(number) if is_known else None


class Streams:
    """Endpoint of the event stream, with the open streams of all pages.

    Args:
        left: is called with the number of each viewer whose stream has ended.
        beat_s: the seconds without events after which a beat (an empty event) is sent.
    """

    def __init__(
        self, table: TableService, *, left: Callable[[int], None], beat_s: float = BEAT_S
    ) -> None:
        self._table = table
        self._open = OpenStreams(
            table.closing,
            table.broadcast.subscribe,
            refusal=Text("too many pages are watching, or the table is closing: try again later"),
            interval_s=1 / FRAMES_A_SECOND,
            beat_s=beat_s,
            goodbye=lambda: Goodbye(restarts=table.restarts() or msgspec.UNSET),
            left=left,
        )

    def is_open(self, viewer: int) -> bool:
        """Return True while the stream of this number is open."""
        return viewer in self._open

    @stream("/api/stream", TableStream)
    async def _stream(self, call: Call[Resume]) -> ASGIApp:
        """Stream server-sent events: hello, news, entry, frame, beat, goodbye."""
        known = call.request.headers.get("last-event-id", call.body.after)
        news = partial(self._news, Viewer(self._table.instance_id, known), call.request)
        return partial(self._open.answer, self._hello, news)

    def _hello(self, viewer: int) -> Hello:
        run, seq = self._table.instance_id, self._table.snapshot().seq
        return Hello(instance_id=run, viewer=viewer, seq=seq)

    def _news(self, page: Viewer, request: Request) -> bytes:
        language = language_of(request, self._table.language)
        news, entries = self._table.news(language), self._table.entries(language)
        return page.catch_up(news, entries, *self._table.broadcast.frame)
