"""Routes of the page's server: the way of a request to its endpoint and back.

A request passes these checks in order, and the first refusal ends it: the method (405), the right
of the caller (403), the placeholders in the path (404), the caller's rate (429), a check that the
endpoint itself declares (`precondition`), and the body (400). If an unpaired phone posts to
`/api/command`, for example, it gets a 403 before its body is read. A request with an
`Idempotency-Key` is handled once; if it is repeated, the first answer is sent again.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from math import ceil
from typing import Any, Final, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.commentary import load_phrases
from companion.encoding import encode_json
from companion.errors import BadInputError, Text
from companion.web.http.endpoint import (
    COOKIE,
    JSON,
    TOKEN,
    Call,
    Caller,
    Endpoint,
    Right,
    language_of,
    read_body,
    read_query,
)
from companion.web.http.security import is_this_machine, refuse

HEADER: Final = "Idempotency-Key"
ANSWER_LIMIT: Final = 64
"""Number of answers kept for repeated requests; the oldest is dropped first."""
CALLER_LIMIT: Final = 1024
"""Number of callers whose rate is remembered; the one idle longest is dropped first."""


class RateLimiter:
    """Rate limit of each caller: `burst` requests at once, `rate` a second on the average."""

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str, now: float) -> float:
        """Count one request. Return the seconds that the caller must wait, 0.0 for none.

        >>> pace = RateLimiter(rate=10, burst=2)
        >>> [pace.take("192.168.1.7", 0.0) for _ in range(3)]
        [0.0, 0.0, 0.1]
        """
        left, since = self._left.pop(caller, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        wait = max(0.0, (1 - left) / self._rate)
        self._left[caller] = (left if wait else left - 1, now)
        if len(self._left) > CALLER_LIMIT:
            self._left.popitem(last=False)
        return wait


PhoneLookup = Callable[[str], tuple[str, Right] | None]
"""Function that takes a phone's token and returns the phone's id and right, or None."""


class RateLimits:
    """Rate limits of callers on other machines: one for reading, one for changes."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.looking = RateLimiter(rate=30, burst=150)
        self.changing = RateLimiter(rate=10, burst=20)


class KeptAnswers:
    """Answers to requests by their idempotency keys, for use in one event loop.

    A page repeats a request with the same key until it gets an answer: the request may have been
    handled already, with only its answer lost on the way.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, asyncio.Task[object]] = OrderedDict()

    async def once(
        self, key: Hashable, answer: Callable[[], Coroutine[Any, Any, object]]
    ) -> object:
        """Return the kept answer for a key; without one, call `answer` and keep the result.

        An error is not kept. If the caller disconnects, `answer` still runs to its end.
        """
        task = self._answers.get(key)
        if task is None:
            task = self._answers[key] = asyncio.get_running_loop().create_task(answer())
            task.add_done_callback(partial(self._forget_failure, key))
            if len(self._answers) > ANSWER_LIMIT:
                self._answers.popitem(last=False)
        return await asyncio.shield(task)

    def _forget_failure(self, key: Hashable, task: asyncio.Task[object]) -> None:
        if task.cancelled() or task.exception():
            self._answers.pop(key, None)


class PathRoute:
    """Route of one path; each request goes to the endpoint of its method."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        find_phone: PhoneLookup,
        limits: RateLimits,
        answers: KeptAnswers,
        language: Callable[[], str],
    ) -> None:
        self._endpoints = {each.method: each for each in endpoints}
        self._find_phone, self._limits, self._language = find_phone, limits, language
        self._answers = answers
        allowed = (["GET", "HEAD"] if each == "GET" else [each] for each in self._endpoints)
        self.methods = tuple(chain(*allowed))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        request.state.language = language_of(request, self._language())
        response = await self._respond(request)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> ASGIApp:
        endpoint = self._endpoints.get(request.method.replace("HEAD", "GET"))
        if endpoint is None:
            allowed = ", ".join(self.methods)
            refusal = refuse(405, "this address takes only {allowed} requests", allowed=allowed)
            refusal.headers["Allow"] = allowed
            return refusal
        caller = caller_of(request, self._find_phone)
        refused = _refusal(endpoint, caller, request, self._limits) or endpoint.precondition()
        if refused:
            return refused
        key = _key(request) if endpoint.changes else ""
        handle = partial(_handle, endpoint, request, caller)
        sender = caller.phone or caller.address
        once = self._answers.once((sender, request.url.path, key), handle) if key else handle()
        return _answer(await once, request.state.language)


def routes(
    endpoints: Sequence[Endpoint],
    find_phone: PhoneLookup,
    language: Callable[[], str],
    clock: Callable[[], float],
) -> Iterator[Route]:
    """Yield a route for each path of these endpoints; paths without placeholders come first.

    `language` returns the table's language, `clock` the seconds for the rate limits.
    """
    limits, answers = RateLimits(clock), KeptAnswers()
    paths = dict.fromkeys(each.path for each in endpoints)
    for path in sorted(paths, key=lambda path: "{" in path):
        own = [each for each in endpoints if each.path == path]
        yield Route(path, PathRoute(own, find_phone, limits, answers, language), name=own[0].name)


def caller_of(request: Request, find_phone: PhoneLookup) -> Caller:
    """Return the caller of a request; headers of a proxy are ignored."""
    address = request.client.host if request.client else ""
    if is_this_machine(address):
        return Caller(address=address, right=Right.NEAR)
    known = find_phone(request.cookies.get(COOKIE, ""))
    if known is None:
        return Caller(address=address, right=Right.WATCH)
    phone, right = known
    return Caller(address=address, right=right, phone=phone)


def _refusal(
    endpoint: Endpoint, caller: Caller, request: Request, limits: RateLimits
) -> Response | None:
    if caller.right < endpoint.right:
        return refuse(403, _WHY[endpoint.right])
    if not _named(endpoint, request.path_params):
        return refuse(404, "nothing here has that name")
    if caller.is_local:
        return None
    pace = limits.changing if endpoint.changes else limits.looking
    wait = pace.take(caller.phone or caller.address, limits.clock())
    if not wait:
        return None
    refusal = refuse(429, "these were too many requests: wait a moment")
    refusal.headers["Retry-After"] = str(ceil(wait))
    return refusal


def _key(request: Request) -> str:
    key = request.headers.get(HEADER, "")
    if key and not re.fullmatch(TOKEN, key, re.ASCII):
        text = "{header} takes 22 letters, digits, hyphens or underscores"
        raise BadInputError(text, header=HEADER)
    return key


async def _handle(endpoint: Endpoint, request: Request, caller: Caller) -> object:
    call = Call(
        body=await _body(endpoint, request),
        caller=caller,
        language=request.state.language,
        path=request.path_params,
        request=request,
    )
    return await endpoint.handler(call)


def _answer(result: object, language: str) -> ASGIApp:
    if result is None:
        return Response(status_code=204)
    if callable(result):
        return cast("ASGIApp", result)
    content = encode_json(result, load_phrases(language).message)
    return Response(content, media_type=JSON, headers={"Cache-Control": "no-store"})


def _named(endpoint: Endpoint, values: Mapping[str, str]) -> bool:
    patterns = endpoint.path_values
    return all(re.fullmatch(patterns[name], value, re.ASCII) for name, value in values.items())


async def _body(endpoint: Endpoint, request: Request) -> object:
    if endpoint.request_type is None:
        return None
    if endpoint.changes:
        return read_body(await request.body(), endpoint.request_type)
    return read_query(request.query_params.multi_items(), endpoint.request_type)


_WHY = {  # without WATCH
    Right.SCORE: Text("this phone only watches: let it in first, with Join on its page"),
    Right.RUN: Text("this phone may not run the table: let it in for that, with Join on its page"),
    Right.NEAR: Text("this is possible only at the machine that the table runs on"),
}
