"""The border: what browsers and scripts send is checked here, once, and trusted behind it."""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from companion.errors import BadInputError

Seconds = Annotated[float, Meta(ge=0.01, le=15)]


class Press(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/press`: the button goes down and, `seconds` later, up again."""

    button: str
    seconds: Seconds = 0.1


class Hold(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/hold`: the button goes down or up; `viewer` is the number of the page's stream."""

    button: str
    down: bool
    viewer: int | None = None


class Demo(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/demo`: the board shall play by itself, or not."""

    on: bool


class Seats(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/cards`: cards shall be dealt to these, "person" or a kind of player each."""

    seats: Annotated[tuple[str, ...], Meta(max_length=6)]


class Chosen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/cards/<token>`: the cards to throw, or the one to play."""

    cards: Annotated[tuple[str, ...], Meta(max_length=6)]


Shape = TypeVar("Shape", Press, Hold, Demo, Seats, Chosen)


def read(body: bytes, shape: type[Shape]) -> Shape:
    """The value in a request's body; anything else is a `BadInputError` of one line.

    >>> read(b'{"button": "deal"}', Press)
    Press(button='deal', seconds=0.1)
    """
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        wanted = ", ".join(shape.__struct_fields__)
        raise BadInputError(f"{error}; send a JSON object with {wanted}") from None
