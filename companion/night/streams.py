"""Streams of a night: whatever has changed, each page gets the whole view, and so all agree."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from starlette.types import ASGIApp

from companion.encoding import encode_json
from companion.night.night_responses import ViewNews
from companion.night.organiser import Organiser
from companion.web.http.sse import Hello, OpenStreams, event

INTERVAL_S: Final = 0.25
"""Seconds between two views of one stream."""
TURN_S: Final = 8
"""Seconds for which a hall screen shows one page of a longer list."""


class ViewStreams:
    """Open streams of the organiser's server.

    Args:
        organiser: wakes them.
        closing: is set when the server stops; then every stream says goodbye.
        clock: seconds of a clock that only goes on: screens turn their pages by it.
    """

    def __init__(
        self, organiser: Organiser, closing: asyncio.Event, clock: Callable[[], float]
    ) -> None:
        self._organiser, self._clock = organiser, clock
        self._open = OpenStreams(
            closing,
            organiser.subscribe,
            refusal="too many pages are watching, or the program ends: try again later",
            interval_s=INTERVAL_S,
            poll_s=1 - INTERVAL_S,
        )
        self._encoded: dict[str, tuple[tuple[int, int], bytes]] = {}

    def stream(self, name: str, view: Callable[[], object]) -> ASGIApp:
        """Return the answer with a stream of a view; or 503 if there are too many.

        Views of the same name are made once for all streams.
        """
        content = partial(self._content, name, view)
        return partial(self._open.answer, self._hello, partial(next, _news(content)))

    def _hello(self, _viewer: int) -> Hello:
        return Hello(instance_id="", viewer=0, seq=self._organiser.plan.revision)

    def _content(self, name: str, view: Callable[[], object]) -> bytes:
        second = int(self._clock())
        key = (self._organiser.version, second)
        known = self._encoded.get(name)
        if known is None or known[0] != key:
            content = encode_json(ViewNews(turn=second // TURN_S, view=view()))
            self._encoded[name] = known = (key, content)
        return known[1]


def _news(content: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield a content as news whenever it differs from the last, b"" otherwise."""
    last = b""
    while True:
        now = content()
        yield event("news", now) if now != last else b""
        last = now
