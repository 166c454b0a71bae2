"""The border: requests of browsers and scripts are checked here once, and trusted behind it."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta

from companion.buttons import BUTTONS
from companion.errors import BadInputError

Seconds = Annotated[float, Meta(ge=0.01, le=15)]


def described(pattern: str) -> Meta:
    """Return a pattern for the API's description alone; handlers refuse in plain words."""
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
    """Return the value in a request's body; raise a BadInputError of one line for anything else.

    >>> read(b"{}", Nothing)
    Nothing()
    """
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        wanted = ", ".join(field.name for field in msgspec.structs.fields(shape))
        text = "{error}; send a JSON object with {wanted}"
        raise BadInputError(text, error=error, wanted=wanted) from None


def only_field(body: msgspec.Struct) -> Any:  # noqa: ANN401  # fields have no common type
    """Return the value of the only field that is set; raise a BadInputError for none or several."""
    given = [each for each in msgspec.structs.astuple(body) if each is not msgspec.UNSET]
    if len(given) != 1:
        known = ", ".join(field.name for field in msgspec.structs.fields(body))
        raise BadInputError("send one of {known}", known=known)
    return given[0]


def read_query(items: Sequence[tuple[str, str]], shape: type[Shape]) -> Shape:
    """Return the value in the query of an address; raise a BadInputError for anything else.

    >>> read_query([], Nothing)
    Nothing()
    """
    names = [name for name, _ in items]
    if len(set(names)) < len(names):
        raise BadInputError("a name is there twice after the question mark of the address")
    try:
        return msgspec.convert(dict(items), shape, strict=False)
    except msgspec.ValidationError as error:
        wanted = ", ".join(field.name for field in msgspec.structs.fields(shape))
        raise BadInputError(
            "{error}; the address takes {wanted}", error=error, wanted=wanted
        ) from None
