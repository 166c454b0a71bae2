"""The border: what browsers and scripts send is checked here, once, and trusted behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from companion.errors import BadInputError
from companion.game.notation import command_shapes

Seconds = Annotated[float, Meta(ge=0.01, le=15)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
"""What somebody calls something; shown as text, never as HTML."""


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


class Nothing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of what takes none: `{}`."""


class Seats(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/cards`: cards shall be dealt to these, "person" or a kind of player each."""

    seats: Annotated[tuple[str, ...], Meta(max_length=6)]


class Chosen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/cards/<token>`: the cards to throw, or the one to play."""

    cards: Annotated[tuple[str, ...], Meta(max_length=6)]


class Qr(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /qr.svg`: the page for which a code is drawn: a side's pad, or the board."""

    side: Annotated[int, Meta(ge=1, le=3)] | None = None


class Count(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /api/count`: four cards such as "5H 5S 5D JC", and the starter."""

    hand: Annotated[str, Meta(max_length=40)]
    starter: Annotated[str, Meta(max_length=3)]
    crib: bool = False


class Resume(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /api/stream`: the id of the last entry known, where no `Last-Event-ID` can be sent."""

    after: Annotated[str, Meta(max_length=64)] = ""


class Join(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/join`: a phone asks to be let in under a name, to score or to run the table."""

    name: Name
    right: Literal["score", "run"] = "score"


class Code(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/join/<visit>`: the code that the table's console shows."""

    code: Annotated[str, Meta(pattern=r"^[0-9]{6}$")]


class Forget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/phones/forget`: a phone that was let in shall watch only."""

    id: Annotated[str, Meta(max_length=64)]


class Tap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One tap on a pad: a button of the panel, and how long it was held."""

    button: Annotated[str, Meta(max_length=20)]
    held: Annotated[float, Meta(ge=0, le=9)] = 0.0


class Taps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/taps`: the taps of a pad from number `first` on, in this run of the server.

    Each tap counts once however often it is sent: its number is its idempotency key.
    """

    pad: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}$")]
    run: Annotated[str, Meta(max_length=64)]
    first: Annotated[int, Meta(ge=1, le=2**53)]
    taps: Annotated[tuple[Tap, ...], Meta(min_length=1, max_length=64)]


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /api/games`: so many games, of those with numbers below `before` the newest."""

    before: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    most: Annotated[int, Meta(ge=1, le=100)] = 20


class Replay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/replay`: show a game at this place of it, 0 its start; null ends that."""

    game: Annotated[int, Meta(ge=1, le=2**53)]
    at: Annotated[int, Meta(ge=0, le=2**53)] | None


class Change(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/settings`: settings by key, null for the default, in the text of this stamp."""

    changes: Annotated[dict[Annotated[str, Meta(max_length=100)], Any], Meta(max_length=500)]
    stamp: Annotated[str, Meta(max_length=64)]


class Restart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/restart`: this run of the server shall end, so that asking twice ends one."""

    run: Annotated[str, Meta(max_length=64)]


class Colours(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /api/look-alikes`: the colour of each side as `#rrggbb`, or nothing for the usual."""

    one: Annotated[str, Meta(max_length=20)] = ""
    two: Annotated[str, Meta(max_length=20)] = ""
    three: Annotated[str, Meta(max_length=20)] = ""


class LightsTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/lights-test`: a pattern to show, or null for the game."""

    pattern: Literal["index", "order", "white", "zones"] | None


class Begin(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What there is one LED for, and how many data wires there are."""

    per: Literal["hole-and-lane", "hole"]
    channels: Annotated[int, Meta(ge=1, le=2)] = 1


class Place(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place on the printed sheet."""

    x_mm: Annotated[float, Meta(ge=-1e4, le=1e4)]
    y_mm: Annotated[float, Meta(ge=-1e4, le=1e4)]


class Calibrate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/calibration`: one of these."""

    begin: Begin | None = None
    tap: Place | None = None
    nothing: bool = False
    undo: bool = False
    end: Literal["save", "drop"] | None = None


RefereeCommand = command_shapes("RefereeCommand", ("penalty", "claim", "muggins", "overpeg"))
"""`POST /api/command`: one of these, under its own name."""

Shape = TypeVar("Shape", bound=msgspec.Struct)


def read(body: bytes, shape: type[Shape]) -> Shape:
    """The value in a request's body; anything else is a `BadInputError` of one line.

    >>> read(b'{"button": "deal"}', Press)
    Press(button='deal', seconds=0.1)
    """
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        wanted = ", ".join(field.name for field in msgspec.structs.fields(shape))
        raise BadInputError(f"{error}; send a JSON object with {wanted}") from None


def read_query(items: Sequence[tuple[str, str]], shape: type[Shape]) -> Shape:
    """The value in an address after its question mark; anything else is a `BadInputError`.

    >>> read_query([("side", "2")], Qr)
    Qr(side=2)
    """
    names = [name for name, _ in items]
    if len(set(names)) < len(names):
        raise BadInputError("a name stands twice after the question mark of the address")
    try:
        return msgspec.convert(dict(items), shape, strict=False)
    except msgspec.ValidationError as error:
        wanted = ", ".join(field.name for field in msgspec.structs.fields(shape))
        raise BadInputError(f"{error}; the address takes {wanted}") from None
