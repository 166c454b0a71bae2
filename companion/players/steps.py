"""Steps of the dealer in a game of cards, the answers to these steps, and records of hands.

The dealer is the generator `run_game`: it yields a step, and its caller sends the answer. Many
steps have a `DealRecord`: its deck and commands restore the hand after a restart of the program.
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, Self, TypeAlias, cast

import msgspec
from msgspec import structs

from companion.errors import BadInputError, RuleError
from companion.players.player import CountRequest, DiscardRequest, Player, PlayRequest
from companion.rules import deal, game
from companion.rules.cards import Card, cards
from companion.rules.deal import Count, Played, Shown
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.deal.state import Starter
from companion.rules.game import Setup, State

_COMMANDS: Final[Mapping[str, type[deal.Command]]] = {
    "discard": deal.Discard,
    "cut": deal.CutStarter,
    "play": deal.PlayCard,
    "pegged": deal.ConfirmCount,
    "fold": deal.Fold,
    "stop": deal.Stop,
}
_NAMES: Final = {kind: name for name, kind in _COMMANDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecord:
    """Record of one hand (one deal), with all cards, even those that no player may see.

    Attributes:
        hand: the number of the hand in the game.
        dealer: the seat of the player who deals.
        boxed: the side that sits this hand out in a penalty box, or None (rule Z11).
        deck: the cards in the order before the deal.
        commands: the commands of the hand so far.
        zero_counts: True if cards without points make a count of 0, which a side can declare (M1).
        pegged: True if the newest count is pegged, but its `ConfirmCount` is not yet in `commands`.
        declared: the points of this pegged count, if a side declared them (M1).
        declarations: a pair for each count before it that a side declared: the number of commands
            before the count, and its points; None if it was undone and must be declared again.
    """

    hand: int
    dealer: int
    boxed: int | None
    deck: tuple[Card, ...]
    commands: tuple[deal.Command, ...] = ()
    zero_counts: bool = False
    pegged: bool = False
    declared: int | None = None
    declarations: tuple[tuple[int, int | None], ...] = ()

    def is_of(self, state: State) -> bool:
        return (self.hand, self.dealer) == (state.hand, state.dealer)

    def start(self, setup: Setup) -> deal.State:
        seating = deal.Seating.make(
            players=setup.players, dealer=self.dealer, sides=setup.sides, boxed=self.boxed
        )
        starter = cast("Starter", setup.rules.starter)
        return deal.new_deal(seating, self.deck, starter=starter, zero_counts=self.zero_counts)

    def then(self, command: deal.Command) -> Self:
        return replace(self, commands=(*self.commands, command), pegged=False, declared=None)

    def as_value(self) -> dict[str, object]:
        commands = [
            {_NAMES[type(each)]: msgspec.to_builtins(each, enc_hook=str)} for each in self.commands
        ]
        value = {each.name: getattr(self, each.name) for each in fields(self)}
        return value | {"deck": " ".join(map(str, self.deck)), "commands": commands}


class _Stored(msgspec.Struct, frozen=True):
    hand: int
    dealer: int
    boxed: int | None
    zero_counts: bool
    pegged: bool
    declared: int | None
    deck: str
    commands: list[dict[str, dict[str, object]]]
    declarations: tuple[tuple[int, int | None], ...] = ()


def read_record(value: object, setup: Setup) -> DealRecord:
    """Return the record that a JSON value holds.

    Raises:
        BadInputError: the value does not hold a hand that is possible with this set-up.
    """
    try:
        stored = msgspec.convert(value, _Stored)
        commands = [
            msgspec.convert(values, _COMMANDS[name], dec_hook=_card)
            for each in stored.commands
            for name, values in each.items()
        ]
        parsed = {"deck": cards(stored.deck), "commands": tuple(commands)}
        record = DealRecord(**structs.asdict(stored) | parsed)
        restored, declared = record.start(setup), dict(record.declarations)
        for at, command in enumerate(record.commands):
            if restored.due:
                declared.pop(at, None)
            restored = deal.apply_all(restored, deal.decide(restored, command))
        if declared:
            raise KeyError(*declared)  # noqa: TRY301  # no count was due there
    except (msgspec.ValidationError, KeyError, RuleError) as error:
        raise BadInputError("this is no record of a hand of cards: {error}", error=error) from error
    return record


def _card(kind: type, value: object) -> Card:
    if kind is not Card:
        raise TypeError(kind)
    return Card.parse(str(value))


Cause: TypeAlias = Played | Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Request to a seat; the answer is its discards, the card that it plays, or None to say go.

    `refused` is the error if the rules refused the seat's last answer to this request.
    """

    seat: int
    request: DiscardRequest | PlayRequest
    refused: RuleError | None = None

    def answer_of(self, player: Player) -> tuple[Card, ...] | Card | None:
        """Return a computer player's answer. Raise `refused` if the rules refused its last one."""
        if self.refused:
            raise self.refused
        if isinstance(self.request, DiscardRequest):
            return player.discard(self.request)
        return player.play(self.request)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutForDeal:
    """Cards that the seats cut (T2); the answer is None. Seats that tie for lowest cut again."""

    cuts: Mapping[int, Card]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declare:
    """Request to a side to declare the points of its count; the answer is the number of points.

    Attributes:
        count: the count, with the points of the cards.
        request: the same request in the form for a computer player.
        hand: the hand of cards before the count.
        previous: the last declared count, if other sides can still claim its missed points (M1).
        plays_on: True if the next seat may play before the answer; False if cards were played
            after the count already, so that it was undone.
    """

    count: DeclaredCount
    request: CountRequest
    hand: deal.State
    record: DealRecord
    previous: DeclaredCount | None
    plays_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Offer to all sides but the counting one to claim points that it missed (muggins, M1).

    The answer is None if no side claims points. A claim is carried out by the caller of the dealer
    and changes the game, so the answer is then the game's state. If `closes` is True, this is the
    last chance, because the hand goes on after the answer. If `plays_on` is True too, the next seat
    may play before it.
    """

    count: DeclaredCount
    request: CountRequest
    closes: bool
    plays_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply:
    """Command to the game on the board; the answer is the game's state after the command.

    Attributes:
        count: the count that a `Peg` pegs; None for all other commands.
        cause: the card played or the hand shown that made the count; None for any other count, and
            for a count that the side declared.
        record: the record of the current hand; None between hands.
    """

    command: game.Command
    count: Count | None = None
    cause: Cause | None = None
    record: DealRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Events of the hand of cards, to be shown; the answer is None.

    Attributes:
        events: the events; none if the cards have just been dealt or restored.
        hand: the hand after the events.
        record: the record of the hand after the events.
        points_hidden: True if a side must still declare the points of the events.
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
    """Win of the game. After the answer None, the dealer ends.

    If the win is undone, the answer is the game's state, and the dealer goes on with the hand.
    """


DealerStep: TypeAlias = CutForDeal | Request | Declare | Challenge | Apply | Announce | Won

Answer: TypeAlias = State | tuple[Card, ...] | Card | int | None
"""Answer to a step. A `State` is the answer to any step during which the game was changed."""

DealerSteps: TypeAlias = Generator[DealerStep, Answer]
