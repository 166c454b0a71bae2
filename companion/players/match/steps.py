"""Steps of a dealer, and the answers to them."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.errors import RuleError
from companion.players.match.deal_record import DealRecord
from companion.players.player import CountRequest, DiscardRequest, Player, PlayRequest
from companion.rules import deal, game
from companion.rules.cards import Card
from companion.rules.deal import Count, Played, Shown
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import State

Cause: TypeAlias = Played | Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Request to a seat for cards; the answer is a return value of a `Player` method.

    `refused` is the error of the seat's last answer, if the rules refused that answer.
    """

    seat: int
    request: DiscardRequest | PlayRequest
    refused: RuleError | None = None

    def answer_of(self, player: Player) -> tuple[Card, ...] | Card | None:
        """Return a computer's answer. Raise `refused` if its last answer was refused."""
        if self.refused:
            raise self.refused
        if isinstance(self.request, DiscardRequest):
            return player.discard(self.request)
        return player.play(self.request)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutForDeal:
    """Cards that the seats cut (T2); the answer is None. Equal lowest cards are cut again."""

    cuts: Mapping[int, Card]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declare:
    """Request to a side to declare a count of the cards in `hand`; the answer is the points.

    A computer player answers `request`. `previous` is the count before this one, if it is still
    open to calls. `record` has the cards before this count.
    """

    count: DeclaredCount
    request: CountRequest
    hand: deal.State
    record: DealRecord
    previous: DeclaredCount | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Offer to the other sides to claim missed points of a count (muggins, M1); the answer is None.

    The table carries out a call, which changes the game. If `closes` is True, this is the last
    chance to call, because the cards go on after the answer.
    """

    count: DeclaredCount
    request: CountRequest
    closes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """Command that the table must carry out; the answer is the game's state after the command.

    `count` is given for a `Peg`. `cause` is the card or hand that made the count; it is None if the
    side declared the count or no card made it. `record` is the current hand, None between hands.
    """

    command: game.Command
    count: Count | None = None
    cause: Cause | None = None
    record: DealRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Events of the cards, which led to `hand`; the answer is None.

    `events` is empty if the cards have just been dealt or restored. `record` has the cards after
    the events. `points_hidden` is True if a side must still declare the points of the events.
    """

    events: tuple[deal.Event, ...]
    hand: deal.State
    record: DealRecord
    points_hidden: bool = False

    @property
    def public_events(self) -> Iterator[deal.Event]:
        """The events, without points that a side must still declare."""
        for event in self.events:
            if not self.points_hidden:
                yield event
            elif isinstance(event, Played):
                yield replace(event, parts=())
            elif not isinstance(event, Shown):
                yield event


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """Win, which ends the game. After the answer None the dealer ends.

    If the answer is a state without the win, the dealer goes on with the hand.
    """


DealerStep: TypeAlias = CutForDeal | Request | Declare | Challenge | Apply | Announce | Won

Answer: TypeAlias = State | tuple[Card, ...] | Card | int | None
"""Answer to a step. A `State` is the answer to any step during which the game was changed."""

DealerSteps: TypeAlias = Generator[DealerStep, Answer]
