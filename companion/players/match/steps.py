"""Steps of a dealer: requests to seats, commands to apply, announcements, counts to declare."""

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
    """Request to a seat for cards; the answer is that of a `Player`.

    `refused` is the error of the answer before, if the rules refused it.
    """

    seat: int
    request: DiscardRequest | PlayRequest
    refused: RuleError | None = None

    def answer_of(self, player: Player) -> tuple[Card, ...] | Card | None:
        """Return a computer's answer; one that was refused is its error."""
        if self.refused:
            raise self.refused
        if isinstance(self.request, DiscardRequest):
            return player.discard(self.request)
        return player.play(self.request)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutForDeal:
    """Cards that the seats cut (T2); the answer is None. Equal lowest ones are cut again."""

    cuts: Mapping[int, Card]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declare:
    """Request to a side to declare a count of the cards in `hand` (M1); the answer is its points.

    A computer player answers `request`. `previous` is the count before it, if that is open to calls
    until this one is declared. `record` has the cards before it.
    """

    count: DeclaredCount
    request: CountRequest
    hand: deal.State
    record: DealRecord
    previous: DeclaredCount | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Offer to the other sides to call muggins on a count (M1); the answer is None.

    The table carries out the correction of a call, which changes the game. With `closes` the cards
    go on by themselves after the answer, and the count is out of sight.
    """

    count: DeclaredCount
    request: CountRequest
    closes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """Command that the table must carry out; the answer is the game's state after it.

    A `Peg` is for `count`; `cause` is the card or hand that made it, None if its side declared it
    or no card made it. `record` has the cards after it, None between two hands.
    """

    command: game.Command
    count: Count | None = None
    cause: Cause | None = None
    record: DealRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Events of the cards, which led to `hand`; the answer is None.

    `events` is empty when the cards have just been dealt, or restored. `record` has the cards after
    them. `points_hidden` is True until the side of the card or hand has declared its points.
    """

    events: tuple[deal.Event, ...]
    hand: deal.State
    record: DealRecord
    points_hidden: bool = False

    @property
    def public_events(self) -> Iterator[deal.Event]:
        """The events, without points that a side must still find."""
        for event in self.events:
            if not self.points_hidden:
                yield event
            elif isinstance(event, Played):
                yield replace(event, parts=())
            elif not isinstance(event, Shown):
                yield event


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """End of a game by a win. The answer None ends the dealer's work.

    With a state in which the win was taken back, the dealer goes on with the hand.
    """


DealerStep: TypeAlias = CutForDeal | Request | Declare | Challenge | Apply | Announce | Won

Answer: TypeAlias = State | tuple[Card, ...] | Card | int | None
"""The answer to a step; a `State` answers any step if the game was changed from outside."""

DealerSteps: TypeAlias = Generator[DealerStep, Answer]
