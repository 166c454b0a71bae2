"""Endpoints of the page's server: requests, responses, and the rights that callers need.

A class declares its methods as endpoints. The method below answers `GET /api/backups` for callers
that may run the table. The endpoint has the method's name, docstring and return type:

    @endpoint("GET", "/api/backups", Right.RUN)
    async def _list(self, _call: Call[None]) -> list[BackupSummary]:
        '''List the automatic backups.'''

Routes and the API's description are both made from these declarations, so that the server checks
and sends exactly what the description says. Each check of a request from a browser or script
returns a value of a declared type.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from inspect import getdoc
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Generic, Literal, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from companion.board import board_names
from companion.buttons import BUTTONS
from companion.commentary import languages
from companion.encoding import UNREADABLE
from companion.errors import BadInputError

TOKEN: Final = r"[A-Za-z0-9_-]{22}"  # noqa: S105  # a pattern
"""Pattern of the secrets that `secrets.token_urlsafe(16)` returns."""
PATH_VALUES: Final = {
    "board": "|".join(board_names()),
    "number": "[1-9][0-9]{0,14}",
    "token": TOKEN,
    "visit": TOKEN,
}
"""Pattern of each placeholder in paths, such as `{number}`; any other value gives a 404."""
COOKIE: Final = "cribwars"
"""The cookie in which a paired phone carries its token."""
LANGUAGE_COOKIE: Final = "cribwars-language"
"""Cookie with the language that was chosen on a device."""
_ENTRIES_LIMIT = 20

RightName = Literal["watch", "score", "run"]
_NAMES: Final[tuple[RightName, ...]] = ("watch", "score", "run", "run")

Seconds = Annotated[float, Meta(ge=0.01, le=15)]


class Right(IntEnum):
    """Right of a caller; each right includes the lower ones."""

    WATCH = 0
    """Everybody in the network may see the board."""
    SCORE = 1
    """A phone that was let in (paired) may press a side's buttons."""
    RUN = 2
    """A phone that was let in to run the table may use the referee, cards, demo and settings."""
    NEAR = 3
    """This machine itself may press the mock (simulated) buttons, and let phones in."""

    @property
    def word(self) -> RightName:
        """Name of the right for pages; it is "run" for `NEAR` too."""
        return _NAMES[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Caller of an endpoint; `phone` is the id of a paired phone."""

    address: str
    right: Right
    phone: str | None = None

    @property
    def is_local(self) -> bool:
        return self.right is Right.NEAR


Body = TypeVar("Body")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[Body]):
    """Checked request: the value in its body or query, and the values in its path.

    `language` is the language for the response.
    """

    body: Body
    caller: Caller
    language: str
    path: Mapping[str, str]
    request: Request


Handler = Callable[..., Awaitable[object]]
DeclaredHandler = TypeVar("DeclaredHandler", bound=Handler)
JSON: Final = "application/json"
EVENT_STREAM: Final = "text/event-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Endpoint of the API.

    Attributes:
        name: the operation id in the API's description.
        description: a sentence that begins with a verb.
        right: the right that a caller must have.
        handler: returns a JSON value of `response_type`, None for 204, or a response.
        precondition: is called before the body is read; returns a refusal or None.
        request_type: the type of the body, or of the query of a GET; None if there is none.
        response_type: the type of the JSON response, or of the events of a stream, see `stream`;
            None if the response is empty or not JSON.
        may_be_empty: True if the handler may also return None where there is a `response_type`.
        media: the media type of the response.
        error_statuses: further statuses of refusals, which the other attributes do not imply.
        path_values: the pattern of each placeholder in the path; any other value gives a 404.
    """

    method: str
    path: str
    name: str
    description: str
    right: Right
    handler: Handler
    precondition: Callable[..., Response | None]
    request_type: type[msgspec.Struct] | None
    response_type: object
    may_be_empty: bool
    media: str
    error_statuses: tuple[int, ...]
    path_values: Mapping[str, str]

    @property
    def changes(self) -> bool:
        return self.method != "GET"


_DECLARED: Final = "_endpoint"
"""The attribute of a handler that holds its endpoint."""


def endpoint(
    method: str,
    path: str,
    right: Right,
    *,
    precondition: Callable[[Any], Response | None] = lambda _owner: None,
    request_type: type[msgspec.Struct] | None = None,
    response_type: object = None,
    media: str = JSON,
    error_statuses: tuple[int, ...] = (),
) -> Callable[[DeclaredHandler], DeclaredHandler]:
    """Declare a method as the handler of an endpoint; see `Endpoint` for the arguments.

    The name and docstring of the method become the name and description of the endpoint. The types
    come from the method's annotations, `Call[X]` and `-> Y`, if they are not given here.
    """

    def declare(handler: DeclaredHandler) -> DeclaredHandler:
        *_, call, returned = get_type_hints(handler).values()
        if (description := getdoc(handler)) is None:
            raise TypeError(f"{handler.__name__} has no docstring, the endpoint's description")
        vars(handler)[_DECLARED] = Endpoint(
            method=method,
            path=path,
            name=handler.__name__.removeprefix("_"),
            description=description,
            right=right,
            handler=handler,
            precondition=precondition,
            request_type=request_type or _type_of(get_args(call)[0]),
            response_type=response_type or (_type_of(returned) if media == JSON else None),
            may_be_empty=NoneType in get_args(returned),
            media=media,
            error_statuses=error_statuses,
            path_values={name: PATH_VALUES[name] for name in re.findall(r"{(\w+)}", path)},
        )
        return handler

    return declare


def stream(path: str, events: type[msgspec.Struct]) -> Callable[[DeclaredHandler], DeclaredHandler]:
    """Declare a method as the handler of a stream; `events` has a field for each kind of event."""
    return endpoint(
        "GET", path, Right.WATCH, media=EVENT_STREAM, response_type=events, error_statuses=(503,)
    )


def endpoints_of(owner: object) -> tuple[Endpoint, ...]:
    """Return the endpoints whose handlers are methods of an object, in order of definition."""
    declared = (getattr(each, _DECLARED, None) for each in vars(type(owner)).values())
    return tuple(
        replace(
            each,
            handler=partial(each.handler, owner),
            precondition=partial(each.precondition, owner),
        )
        for each in declared
        if each
    )


def _type_of(annotation: Any) -> Any:  # noqa: ANN401  # annotations have no common type
    """Return the first type in an annotation that is neither None nor Response, else None.

    >>> _type_of(int | Response | None)
    <class 'int'>
    >>> _type_of(Response)
    """
    types = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    return next((each for each in types if each not in {Response, NoneType}), None)


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


def read_body(body: bytes, shape: type[Shape]) -> Shape:
    """Return a request's body as a value of type `shape`; raise BadInputError if it does not fit.

    >>> read_body(b"{}", Nothing)
    Nothing()
    """
    try:
        return msgspec.json.decode(body, type=shape)
    except UNREADABLE as error:
        wanted = _field_names(shape)
        if not wanted:
            raise BadInputError("{error}; send a JSON object without fields", error=error) from None
        text = "{error}; send a JSON object with {wanted}"
        raise BadInputError(text, error=error, wanted=wanted) from None


def only_field(body: msgspec.Struct) -> Any:  # noqa: ANN401  # fields have no common type
    """Return the only field that is set; raise BadInputError if none or several are set."""
    given = [each for each in msgspec.structs.astuple(body) if each is not msgspec.UNSET]
    if len(given) != 1:
        known = _field_names(type(body))
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
        wanted = _field_names(shape)
        if not wanted:
            raise BadInputError("{error}; this address takes no query", error=error) from None
        text = "{error}; after its question mark the address takes {wanted}"
        raise BadInputError(text, error=error, wanted=wanted) from None


def _field_names(shape: type[msgspec.Struct]) -> str:
    """Return the names of a type's fields as requests spell them: `team`, not `side`."""
    return ", ".join(field.encode_name for field in msgspec.structs.fields(shape))


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
