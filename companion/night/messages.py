"""Messages between tables and the organiser, as JSON under `cribwars/<night>/<table>/`.

| topic | retained | content |
| --- | --- | --- |
| `online` | yes, last will | `true`, again every `broker.PRESENCE_S`; `false` |
| `state` | yes | `TableState` |
| `plan` | yes | the table's newest `plan.NightPlan`, while the organiser's is missing |

The organiser writes `organiser/night` (retained, `plan.NightPlan`). `broker.py` makes the topics.
Content is parsed and limited here, and trusted inside.
"""

import logging
import math
from collections import Counter
from typing import Annotated, Final, TypeVar

import msgspec

from companion.errors import BadInputError, as_text
from companion.rules.game.notation import UNREADABLE
from companion.web.table.table_responses import TableResponse

_log = logging.getLogger(__name__)


class Refusals:
    """Counter of refused messages by topic; it logs the 1st, 10th, 100th ... of each topic."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def note(self, topic: str, error: Exception) -> None:
        """Count a refused message; text from the message cannot break the line of the log."""
        self._counts[topic] += 1
        count = self._counts[topic]
        if math.log10(count).is_integer():
            reason = "".join(each if each.isprintable() else "?" for each in str(error)[:200])
            _log.warning("%s: message refused (%s times): %s", topic, count, reason)


MESSAGE_LIMIT_BYTES: Final = 65_536
"""Most bytes of a message other than a plan."""

_UNSEEN: Final = r"\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069"
Name = Annotated[str, msgspec.Meta(max_length=60, pattern=rf"^[^{_UNSEEN}]+\Z")]
JournalId = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}\Z")]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Holes = Annotated[int, msgspec.Meta(ge=0, le=1000)]
NightId = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}\Z")]
Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-f]{6}\Z")]
SideKey = Annotated[str, msgspec.Meta(pattern=r"^[123]\Z")]

SIDES: Final = 2

_MessageType = TypeVar("_MessageType", bound="NightMessage")


class NightMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all messages; an unknown field is an error."""


class NightGame(NightMessage, frozen=True, kw_only=True):
    """Game of the night as the table's journal has it, with the sides that confirmed its result.

    `game` is its number in that journal. `entrants` (their ids in the plan) and `progress` are by
    side; `winner` is None while the game is running.
    """

    game: Number
    round: Number
    entrants: dict[SideKey, Number]
    progress: dict[SideKey, Holes]
    finish: Holes
    winner: SideKey | None = None
    confirmed: tuple[SideKey, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a game that is not of two sides, or is won by a third."""
        sides = self.entrants.keys()
        winner = {self.winner} if self.winner else set[str]()
        if len(sides) != SIDES or self.progress.keys() != sides or not winner <= sides:
            raise ValueError("a game of the night has two sides, and one of them wins")


class TableState(NightMessage, frozen=True, kw_only=True):
    """State of a table: the number of its last command, and its games of the night, oldest first.

    `view` is the table's response to `GET /api/table`, `colours` has `#rrggbb` by side, and `night`
    is the id of the plan by which its games were played.
    """

    journal: JournalId
    seq: Number
    night: NightId | None = None
    board: Name
    colours: dict[SideKey, Colour]
    view: TableResponse
    games: tuple[NightGame, ...]


def serialize(message: NightMessage) -> bytes:
    """Return a message as JSON."""
    return msgspec.json.encode(message)


def parse(
    content: bytes, kind: type[_MessageType], limit: int = MESSAGE_LIMIT_BYTES
) -> _MessageType:
    """Parse a message of at most `limit` bytes.

    Raises:
        BadInputError: the message is too long or malformed.
    """
    if len(content) > limit:
        reason = f"{len(content)} bytes: such a message has at most {limit}"
        raise BadInputError(as_text(reason))
    try:
        return msgspec.json.decode(content, type=kind)
    except UNREADABLE as error:
        raise BadInputError(as_text(f"not a message of this kind: {error}")) from None
