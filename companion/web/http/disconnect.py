"""Disconnects of callers that wait for an answer."""

from __future__ import annotations

from starlette.types import Receive


async def has_left(receive: Receive) -> None:
    """Wait until the caller of a request, whose body has been read, is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
