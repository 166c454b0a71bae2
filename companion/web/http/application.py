"""Web application of a table or of a game night's organiser: endpoints and files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from companion.errors import as_text
from companion.web.http.endpoint import endpoints_of
from companion.web.http.openapi import ApiDescription
from companion.web.http.route import PhoneLookup, routes
from companion.web.http.security import Guard, own_names, refuse
from companion.web.pages import STATIC

BODY_LIMIT: Final = 64 * 1024

ErrorHandler = Callable[[Request, Any], Awaitable[Response]]


def make_application(
    owners: Iterable[object],
    *,
    language: Callable[[], str],
    clock: Callable[[], float],
    statuses: Mapping[type[Exception], int],
    handlers: Mapping[type[Exception], ErrorHandler] | None = None,
    find_phone: PhoneLookup = lambda _token: None,
    hosts: Iterable[str] = (),
) -> Starlette:
    """Return the application; `app.state.endpoints` has all its endpoints.

    Args:
        owners: objects whose methods are the endpoints; an endpoint that describes them is added.
        language: returns the language for callers that ask for no language.
        clock: returns monotonic seconds, for the rate limits.
        statuses: the HTTP status for each kind of error; the response has the error's text.
        handlers: functions that make the responses to further kinds of error.
        find_phone: returns the paired phone with a token; by default it finds none.
        hosts: further host names of this machine.
    """
    described = tuple(each for owner in owners for each in endpoints_of(owner))
    endpoints = (*described, *endpoints_of(ApiDescription(described)))
    app = Starlette(
        routes=[
            *routes(endpoints, find_phone, language, clock),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(Guard, names=own_names(hosts)),
            Middleware(RequestBodyLimitMiddleware, max_body_size=BODY_LIMIT),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),  # leaves out streams
        ],
        exception_handlers={
            **{kind: _refusing(status) for kind, status in statuses.items()},
            **(handlers or {}),
            ClientDisconnect: _has_left,
        },
    )
    app.router.redirect_slashes = False
    app.state.endpoints = endpoints
    return app


def _refusing(status: int) -> ErrorHandler:
    async def handle(_request: Request, error: Exception) -> Response:
        return refuse(status, as_text(error))

    return handle


async def _has_left(_request: Request, _error: Exception) -> Response:
    """Return a response that nobody reads: the client left before its request was complete."""
    return Response(status_code=400)
