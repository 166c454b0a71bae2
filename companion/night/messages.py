"""Messages between tables and the organiser, as JSON under `cribwars/<night>/<table>/`.

| topic | retained | content |
| --- | --- | --- |
| `online` | yes, last will | `true`, again every `broker.PRESENCE_S`; `false` |
| `state` | yes | `TableState` |
| `entry/<seq>` | no | `EntryMessage` |
| `plan` | yes | the newest `plan.NightPlan` that it has seen, while the organiser's is missing |

The organiser writes `organiser/night` (retained, `plan.NightPlan`) and `organiser/request/<table>`
(`EntryRequest`). `topics.py` makes the topics. Content is parsed and limited here, and trusted
inside.
"""

from typing import Annotated, Final, TypeVar

import msgspec

from companion.errors import BadInputError
from companion.rules.game.notation import UNREADABLE

MESSAGE_LIMIT_BYTES: Final = 65_536
"""Most bytes of one message."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
JournalId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
NightId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]
Team = Annotated[str, msgspec.Meta(pattern="^[123]$")]

_MessageType = TypeVar("_MessageType", bound="NightMessage")


class NightMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all messages: a field that is not known is an error."""


class EntryMessage(NightMessage, frozen=True, kw_only=True):
    """Accepted command of a table's journal, as it stands in its row."""

    journal: JournalId
    seq: Number
    game: Number
    time: float
    command: dict[str, object]
    events: list[dict[str, object]]


class NightGame(NightMessage, frozen=True, kw_only=True):
    """Game of the night as the table's journal has it, with the sides that confirmed its result.

    `game` is its number in that journal. `entrants` (their ids in the plan) and `progress` are by
    team; `winner` is None while the game is running.
    """

    game: Number
    round: Number
    entrants: dict[Team, Number]
    progress: dict[Team, Number]
    finish: Number
    winner: Team | None = None
    confirmed: tuple[Team, ...] = ()


class TableState(NightMessage, frozen=True, kw_only=True):
    """Table as it stands: its last command's number and its games of the night, oldest first.

    `view` is the table as `GET /api/table` has it, `colours` are those of its sides by team, as
    `#rrggbb`, and `night` is the id of the plan that its games were played by.
    """

    journal: JournalId
    seq: Number
    night: NightId | None = None
    board: Name
    colours: dict[Team, Colour]
    view: dict[str, object]
    games: tuple[NightGame, ...]


class EntryRequest(NightMessage, frozen=True, kw_only=True):
    """Request for the entries of a table from a number on; a part of them answers it."""

    journal: JournalId
    first: Number


def serialize(message: NightMessage) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


def parse(content: bytes, kind: type[_MessageType]) -> _MessageType:
    """Parse a message.

    Raises:
        BadInputError: with what is wrong; it is too long or of another form.
    """
    if len(content) > MESSAGE_LIMIT_BYTES:
        reason = f"{len(content)} bytes: a message has at most {MESSAGE_LIMIT_BYTES}"
        raise BadInputError(reason)
    try:
        return msgspec.json.decode(content, type=kind)
    except UNREADABLE as error:
        raise BadInputError(f"not a message of this kind: {error}") from None
