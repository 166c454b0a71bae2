"""Messages between the tables and the organiser (a program) of a game night, as JSON by MQTT.

| topic below `cribwars/<night>/<table>/` | retained | content |
| --- | --- | --- |
| `online` | yes | `true` every `broker.PRESENCE_S` seconds; `false` as the last will |
| `state` | yes | `TableState` |
| `plan` | yes | the table's newest `NightPlan`, while the organiser's plan is missing |

The organiser publishes its `NightPlan` with the topic `cribwars/<night>/organiser/night`, retained.
This module checks the content of all messages. After that the content is trusted.
"""

import logging
from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeVar

import msgspec

from companion.encoding import UNREADABLE
from companion.errors import BadInputError, as_text
from companion.web.table.table_responses import TableResponse

_log = logging.getLogger(__name__)


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

ScoringName = Literal["acc", "crib-wars"]
SIDES: Final = 2

_MessageType = TypeVar("_MessageType", bound="NightMessage")


class NightMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all messages; an unknown field is an error."""


class NightGame(NightMessage, frozen=True, kw_only=True):
    """Game of the night at a table, with the sides that confirmed its result.

    `game` is the game's number in the table's journal. `entrants` has an entrant's id from the plan
    for each side. `progress` has the holes that each side has gone. `winner` is None before a win.
    """

    game: Number
    round: Number
    entrants: dict[SideKey, Number]
    progress: dict[SideKey, Holes]
    finish: Holes
    winner: SideKey | None = None
    confirmed: tuple[SideKey, ...] = ()

    def __post_init__(self) -> None:
        sides = self.entrants.keys()
        winner = {self.winner} if self.winner else set[str]()
        if len(sides) != SIDES or self.progress.keys() != sides or not winner <= sides:
            raise ValueError("a game of the night has two sides, and one of them wins")


class TableState(NightMessage, frozen=True, kw_only=True):
    """State of a table.

    Attributes:
        seq: the number of the last command.
        night: the id of the night in which the games were played.
        colours: the colours of the sides as `#rrggbb`.
        view: the table's response to `GET /api/table`.
        games: the table's games of the night, oldest first.
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
        reason = f"the message has {len(content)} bytes, more than the limit of {limit}"
        raise BadInputError(as_text(reason))
    try:
        return msgspec.json.decode(content, type=kind)
    except UNREADABLE as error:
        raise BadInputError(as_text(f"not a message of this kind: {error}")) from None


def log_refusal(topic: str, error: Exception) -> None:
    """Log a refused message on one line, with `?` for each character that cannot be printed."""
    line = "".join(each if each.isprintable() else "?" for each in f"{topic}: {error}"[:300])
    _log.warning("message refused: %s", line)


PLAN_LIMIT_BYTES: Final = 250_000
"""Most bytes of a plan, a little less than the broker accepts (deploy/broker/cribwars.conf)."""
ENTRANT_LIMIT: Final = 250
ROUND_LIMIT: Final = 40
MESSAGE_LENGTH_LIMIT: Final = 200
Id = Annotated[int, msgspec.Meta(ge=1, le=2**31)]
Spread = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
Title = Annotated[str, msgspec.Meta(max_length=60)]
Finish = Literal[363, 121]
Tables = Annotated[tuple[Id, ...], msgspec.Meta(max_length=ENTRANT_LIMIT)]


class Entrant(NightMessage, frozen=True, kw_only=True):
    """Side of a night; `playing` is False once the side has left."""

    id: Id
    players: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=3)]
    playing: bool = True

    @property
    def name(self) -> str:
        return " & ".join(self.players)


class SeatedPair(NightMessage, frozen=True, kw_only=True):
    """Two entrants who meet at a table; the first plays side 1."""

    table: Id
    entrants: tuple[Id, Id]


class NightRound(NightMessage, frozen=True, kw_only=True):
    """Pairings of a round, and the entrant who sits out, if any."""

    pairs: tuple[SeatedPair, ...]
    bye: Id | None = None


class EnteredResult(NightMessage, frozen=True, kw_only=True):
    """Result entered by hand: the winner claims a win by `plus`, the loser a loss by `minus`."""

    round: Id
    table: Id
    winner: SideKey
    plus: Spread
    minus: Spread


class Correction(NightMessage, frozen=True, kw_only=True):
    """Line of a game on one entrant's score card, with the values that the judges have decided."""

    round: Id
    entrant: Id
    points: Points
    plus: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    minus: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    reason: Annotated[str, msgspec.Meta(max_length=MESSAGE_LENGTH_LIMIT)] = ""


class NightPlan(NightMessage, frozen=True, kw_only=True):
    """Plan of a night.

    Attributes:
        night: the night's own id; games that a table played in another night do not count.
        revision: grows with each change.
        title: the heading of the hall screen.
        finish: holes of a game, 363 for Crib Wars, 121 for cribbage.
        scoring: the name of the rules that turn a win into game points (see `outcomes`).
        planned_rounds: the number of rounds that the night should have.
        tables: numbers of the usable tables; if empty, tables are numbered from 1 on.
        entrants: the sides in order of arrival.
        rounds: the rounds that have been seated, in order.
        message: the organiser's line on the hall screen.
    """

    night: NightId
    revision: Number = 0
    title: Title = ""
    finish: Finish = 363
    scoring: ScoringName = "crib-wars"
    planned_rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUND_LIMIT)] = 9
    tables: Tables = ()
    entrants: Annotated[tuple[Entrant, ...], msgspec.Meta(max_length=ENTRANT_LIMIT)] = ()
    rounds: Annotated[tuple[NightRound, ...], msgspec.Meta(max_length=ROUND_LIMIT)] = ()
    results: tuple[EnteredResult, ...] = ()
    corrections: tuple[Correction, ...] = ()
    message: Annotated[str, msgspec.Meta(max_length=MESSAGE_LENGTH_LIMIT)] = ""

    def name_of(self, entrant: int) -> str:
        return next((each.name for each in self.entrants if each.id == entrant), "?")

    @property
    def seated_entrants(self) -> set[int]:
        """The entrants who were seated at a table, or sat out, in any round."""
        sitting_out = {each.bye for each in self.rounds if each.bye}
        return sitting_out.union(*(pair.entrants for _, pair in self.seats()))

    def pair_at(self, table: int) -> SeatedPair | None:
        """Return the pair that the newest round seats at a table, or None."""
        newest = self.rounds[-1].pairs if self.rounds else ()
        return next((each for each in newest if each.table == table), None)

    def seats(self) -> Iterator[tuple[int, SeatedPair]]:
        for number, seated in enumerate(self.rounds, start=1):
            for pair in seated.pairs:
                yield number, pair


def parse_plan(content: bytes) -> NightPlan:
    """Parse a plan. In each round an entrant has at most one seat, and a table has one pair.

    Raises:
        BadInputError: the plan is malformed or contradicts itself.
    """
    plan = parse(content, NightPlan, PLAN_LIMIT_BYTES)
    ids = [each.id for each in plan.entrants]
    if len({each.name for each in plan.entrants}) < len(ids) or len(set(ids)) < len(ids):
        raise BadInputError("the plan has an entrant twice")
    for seated in plan.rounds:
        sides = [side for pair in seated.pairs for side in pair.entrants]
        sides += [seated.bye] if seated.bye else []
        if not set(sides) <= set(ids) or len(set(sides)) < len(sides):
            raise BadInputError("a round seats an entrant twice, or an unknown entrant")
        if len({pair.table for pair in seated.pairs}) < len(seated.pairs):
            raise BadInputError("a round has two pairs at one table")
    return plan


def newer(one: NightPlan, other: NightPlan) -> NightPlan:
    """Return the plan with the higher revision; the order of the arguments does not matter."""
    return max(one, other, key=lambda plan: (plan.revision, msgspec.json.encode(plan)))
