"""Record of one hand of cards: its deck and commands, from which the hand can be restored."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, Self, cast

import msgspec
from msgspec import structs

from companion.errors import BadInputError, RuleError
from companion.rules import deal
from companion.rules.cards import Card, cards
from companion.rules.deal.state import Starter
from companion.rules.game import Setup
from companion.rules.game import State as GameState

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
        dealer: the seat of the dealer.
        boxed: the side that sits this hand out in a penalty box, or None (rule Z11).
        deck: the cards in the order before the deal.
        commands: the commands of the hand so far.
        zero_counts: True if cards without points make a count of 0, which a side can declare (M1).
        pegged: True if the newest count is pegged, but `commands` lack its `ConfirmCount` so far.
        declared: the points of this pegged count, if a side declared them (M1).
    """

    hand: int
    dealer: int
    boxed: int | None
    deck: tuple[Card, ...]
    commands: tuple[deal.Command, ...] = ()
    zero_counts: bool = False
    pegged: bool = False
    declared: int | None = None

    def is_of(self, state: GameState) -> bool:
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


def read_record(value: object, setup: Setup) -> DealRecord:
    """Return the record that a JSON value holds.

    Raises:
        BadInputError: the value does not hold a hand of a game with this set-up.
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
        restored = record.start(setup)
        for command in record.commands:
            restored = deal.apply_all(restored, deal.decide(restored, command))
    except (msgspec.ValidationError, KeyError, RuleError) as error:
        raise BadInputError("this is no record of a hand of cards: {error}", error=error) from error
    return record


def _card(kind: type, value: object) -> Card:
    if kind is not Card:
        raise TypeError(kind)
    return Card.parse(str(value))
