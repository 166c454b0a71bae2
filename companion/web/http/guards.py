"""Guards and limits in front of every application: the table's and the organiser's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.middleware.gzip import GZipMiddleware

from companion.web.http.rate_limit import RateLimiter
from companion.web.http.route import RateLimits
from companion.web.http.security import HostGuard, PolicyHeaders, SenderGuard, own_names

BODY_LIMIT: Final = 64 * 1024


def guards(hosts: Iterable[str] = ()) -> list[Middleware]:
    """Return what each request passes; `hosts` are further names of this machine."""
    return [
        Middleware(PolicyHeaders),
        Middleware(HostGuard, names=own_names(hosts)),
        Middleware(SenderGuard),
        Middleware(RequestBodyLimitMiddleware, max_body_size=BODY_LIMIT),
        Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6),  # but for streams
    ]


def rate_limits() -> RateLimits:
    """Return the limits for callers from elsewhere."""
    return RateLimits(
        looking=RateLimiter(rate=30, burst=150), changing=RateLimiter(rate=10, burst=20)
    )
