"""Endpoints of the page's server, each with the right it needs, its request and its response.

A route is made from an operation and from nothing else, so that no handler decides who may call
it, reads a body of its own, or answers what the API's description does not say.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from math import ceil
from typing import Any, Final, Generic, Literal, TypeVar, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.web.http import requests
from companion.web.http.rate_limit import RateLimiter
from companion.web.http.security import is_this_machine, refuse

TOKEN: Final = r"[A-Za-z0-9_-]{22}"  # noqa: S105  # a pattern
"""Pattern of `secrets.token_urlsafe(16)`, which is too long to guess."""
COOKIE: Final = "cribwars"
"""The cookie in which a paired phone carries its token."""


class Right(IntEnum):
    """Right of a caller, rising: each includes those below it."""

    WATCH = 0
    """See the board: whoever is in the network."""
    SCORE = 1
    """Press a side's buttons: a phone that was let in."""
    RUN = 2
    """Run the table (referee, cards, demo, settings): a phone that was let in for that."""
    NEAR = 3
    """Drive the mock panel, let phones in: this machine itself."""

    @property
    def word(self) -> Literal["watch", "score", "run"]:
        """Name of the right on pages; this machine's own pages run the table."""
        return _WORDS[min(self, Right.RUN)]


_WORDS: Final[dict[int, Literal["watch", "score", "run"]]] = {
    Right.WATCH: "watch",
    Right.SCORE: "score",
    Right.RUN: "run",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Caller of an endpoint: its address, its phone's id, its right."""

    address: str
    right: Right
    phone: str | None = None

    @property
    def near(self) -> bool:
        """True for this machine itself."""
        return self.right is Right.NEAR


Body = TypeVar("Body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[Body]):
    """One request, checked: the value in its body (or its query), and what its path names."""

    asked: Body
    caller: Caller
    path: Mapping[str, str]
    request: Request


Does = Callable[[Call[Any]], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One thing that can be asked.

    Attributes:
        name: how the API's description calls it.
        says: what it does, a sentence for the API's description.
        needs: the right that a caller must have.
        does: gives a JSON value as `answers` describes it, None for 204, or something that answers.
        unless: gives a refusal that comes before the body is looked at, or None.
        asks: the type of the body; of the query where the method is GET; None if there is none.
        answers: the type of the JSON answer; None if the answer is empty or no JSON.
        media: the media type of the answer.
        refuses: the statuses of refusals beyond those that every operation of its kind has.
        path_values: the pattern of each name in the path.
    """

    method: str
    path: str
    name: str
    says: str
    needs: Right
    does: Does
    unless: Callable[[], Response | None] = lambda: None
    asks: type[msgspec.Struct] | None = None
    answers: object = None
    media: str = "application/json"
    refuses: frozenset[int] = frozenset()
    path_values: Mapping[str, str] = field(default_factory=dict)

    @property
    def changes(self) -> bool:
        """True if it changes something."""
        return self.method != "GET"


PhoneLookup = Callable[[str], tuple[str, Right] | None]
"""Returns the id and the right of the phone with a token, or None."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """Limits for callers from elsewhere: of reading, and of changing something."""

    looking: RateLimiter
    changing: RateLimiter


def route(operation: Operation, knows: PhoneLookup, limits: RateLimits) -> Route:
    """Return the route of an operation."""

    async def endpoint(request: Request) -> ASGIApp:
        caller = caller_of(request, knows)
        refusal = _refusal(operation, caller, request, limits) or operation.unless()
        if refusal:
            return refusal
        asked = await _asked(operation, request)
        call = Call(asked=asked, caller=caller, path=request.path_params, request=request)
        return _answer(await operation.does(call))

    return Route(operation.path, endpoint, methods=[operation.method], name=operation.name)


def caller_of(request: Request, knows: PhoneLookup) -> Caller:
    """Return the caller of a request; headers of a proxy are not believed."""
    address = request.client.host if request.client else ""
    if is_this_machine(address):
        return Caller(address=address, right=Right.NEAR)
    known = knows(request.cookies.get(COOKIE, ""))
    if known is None:
        return Caller(address=address, right=Right.WATCH)
    phone, right = known
    return Caller(address=address, right=right, phone=phone)


def _refusal(
    operation: Operation, caller: Caller, request: Request, limits: RateLimits
) -> Response | None:
    if caller.right < operation.needs:
        return refuse(403, _WHY[operation.needs])
    if not _named(operation, request.path_params):
        return refuse(404, "there is nothing of that name")
    if caller.near:
        return None
    pace = limits.changing if operation.changes else limits.looking
    wait = pace.take(caller.phone or caller.address, time.monotonic())
    if not wait:
        return None
    refusal = refuse(429, "that was too fast: wait a moment")
    refusal.headers["Retry-After"] = str(ceil(wait))
    return refusal


def _answer(given: object) -> ASGIApp:
    if given is None:
        return Response(status_code=204)
    if callable(given):
        return cast("ASGIApp", given)
    content = msgspec.json.encode(given)
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-store"})


def _named(operation: Operation, values: Mapping[str, str]) -> bool:
    patterns = operation.path_values
    return all(re.fullmatch(patterns[name], value, re.ASCII) for name, value in values.items())


async def _asked(operation: Operation, request: Request) -> object:
    if operation.asks is None:
        return None
    if operation.changes:
        return requests.read(await request.body(), operation.asks)
    return requests.read_query(request.query_params.multi_items(), operation.asks)


_WHY = {
    Right.SCORE: "this phone only watches: let it in first, with Join on its page",
    Right.RUN: "this phone may not run the table: let it in for that, with Join on its page",
    Right.NEAR: "this is done at the machine that the table runs on",
}
