"""Language of a request: the device's choice, else what its browser accepts, else the table's."""

from collections.abc import Iterator
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from companion.commentary import languages

COOKIE: Final = "cribwars-language"
"""The cookie in which a device keeps its choice."""
_ENTRIES_LIMIT = 20


def language_of(request: HTTPConnection, default: str) -> str:
    """Return the language of a request, one of `languages()`; `default` is the table's."""
    wanted = (request.cookies.get(COOKIE, ""), *_accepted(request.headers))
    return next((language for language in wanted if language in languages()), default)


def _accepted(headers: Headers) -> Iterator[str]:
    """Yield the languages that a browser accepts, without regions, the best first.

    >>> list(_accepted(Headers({"accept-language": "de;q=0.5, fr-CH, *;q=0.1, en;q=0"})))
    ['fr', 'de', '*']
    """
    entries = headers.get("accept-language", "").lower().split(",")[:_ENTRIES_LIMIT]
    rated = [(_quality(quality), tag) for tag, _, quality in (e.partition(";") for e in entries)]
    for quality, tag in sorted(rated, key=lambda each: -each[0]):
        if quality > 0:
            yield tag.strip().partition("-")[0]


def _quality(text: str) -> float:
    """Return the weight of an entry, such as `q=0.5`; 1 if it has none, 0 if it is no number."""
    name, _, value = text.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
