"""Checks of requests from browsers and scripts; each check returns a value of a declared type."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from companion.buttons import BUTTONS
from companion.commentary import languages
from companion.errors import BadInputError

LANGUAGE_COOKIE: Final = "cribwars-language"
"""Cookie with the language that was chosen on a device."""
_ENTRIES_LIMIT = 20

Seconds = Annotated[float, Meta(ge=0.01, le=15)]


def described(pattern: str) -> Meta:
    """Return a pattern only for the API's description; the handler checks the value."""
    return Meta(extra_json_schema={"pattern": f"^{pattern}$"})


CARD: Final = r"([A2-9TJQK]|10)[SHDC]"
CardText = Annotated[str, described(CARD)]
Button = Annotated[str, described(f"({'|'.join(map(re.escape, BUTTONS))})")]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
"""A name typed by a user; shown as text, never as HTML."""


class Nothing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of a request that has no fields: `{}`."""


Shape = TypeVar("Shape", bound=msgspec.Struct)


def read(body: bytes, shape: type[Shape]) -> Shape:
    """Return a request's body as a value of type `shape`; raise BadInputError if it does not fit.

    >>> read(b"{}", Nothing)
    Nothing()
    """
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        wanted = ", ".join(field.name for field in msgspec.structs.fields(shape))
        if not wanted:
            raise BadInputError("{error}; send a JSON object without fields", error=error) from None
        text = "{error}; send a JSON object with {wanted}"
        raise BadInputError(text, error=error, wanted=wanted) from None


def only_field(body: msgspec.Struct) -> Any:  # noqa: ANN401  # fields have no common type
    """Return the only field that is set; raise BadInputError if none or several are set."""
    given = [each for each in msgspec.structs.astuple(body) if each is not msgspec.UNSET]
    if len(given) != 1:
        known = ", ".join(field.name for field in msgspec.structs.fields(body))
        raise BadInputError("send exactly one of these fields: {known}", known=known)
    return given[0]


def read_query(items: Sequence[tuple[str, str]], shape: type[Shape]) -> Shape:
    """Return a URL's query as a value of type `shape`; raise BadInputError if it does not fit.

    >>> read_query([], Nothing)
    Nothing()
    """
    names = [name for name, _ in items]
    if repeated := [name for name, times in Counter(names).items() if times > 1]:
        name = repr(repeated[0][:40])
        raise BadInputError("the address gives {name} twice: give it once", name=name)
    try:
        return msgspec.convert(dict(items), shape, strict=False)
    except msgspec.ValidationError as error:
        wanted = ", ".join(field.name for field in msgspec.structs.fields(shape))
        if not wanted:
            raise BadInputError("{error}; this address takes no query", error=error) from None
        text = "{error}; after its question mark the address takes {wanted}"
        raise BadInputError(text, error=error, wanted=wanted) from None


def language_of(request: HTTPConnection, default: str) -> str:
    """Return the language of a request, one of `languages()`.

    The device's choice comes first, then the languages that its browser accepts, then `default`.
    """
    wanted = (request.cookies.get(LANGUAGE_COOKIE, ""), *_accepted(request.headers))
    return next((language for language in wanted if language in languages()), default)


def _accepted(headers: Headers) -> Iterator[str]:
    """Yield the languages that a browser accepts, without regions, the preferred one first.

    >>> list(_accepted(Headers({"accept-language": "de;q=0.5, fr-CH, *;q=0.1, en;q=0"})))
    ['fr', 'de', '*']
    """
    entries = headers.get("accept-language", "").lower().split(",")[:_ENTRIES_LIMIT]
    rated = [(_quality(quality), tag) for tag, _, quality in (e.partition(";") for e in entries)]
    for quality, tag in sorted(rated, key=lambda each: -each[0]):
        if quality > 0:
            yield tag.strip().partition("-")[0]


def _quality(text: str) -> float:
    """Return the weight of an entry such as `q=0.5`: 1 without a weight, 0 for a bad one."""
    name, _, value = text.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
