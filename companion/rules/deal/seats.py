"""Seats that take part in a deal, in order, and the cut for deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board.layout import Hole
from companion.errors import RuleError
from companion.rules.cards import Card
from companion.rules.game.state import PLAYERS, refuse_seat, wrong_players

SIDES = {players: sides for sides in PLAYERS for players in PLAYERS[sides]}
"""Number of sides, by the number of players (rule T1)."""


def cut_for_deal(cuts: Mapping[int, Card]) -> tuple[int, ...]:
    """Return the seats that cut the lowest rank, ascending; an ace is low (rule T2).

    If only one seat is returned, it deals. If several are returned, only these seats cut again.

    >>> cut_for_deal({1: Card.parse("4H"), 2: Card.parse("AS"), 3: Card.parse("KD")})
    (2,)
    """
    lowest = min(card.rank for card in cuts.values())
    return tuple(sorted(seat for seat, card in cuts.items() if card.rank == lowest))


def heels_barred(front: Hole, *, finish: int, ban: int) -> bool:
    """Return True if heels do not score while the dealer's front peg is on `front` (rule T7).

    `ban` is the house rule `heels_ban`: the number of holes before the finish that bar heels.
    """
    return isinstance(front, int) and finish - ban <= front < finish


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """The seats that take part in a deal, from the dealer's left round to the dealer.

    Seats are numbered from 1 to the left; seat s belongs to `sides[(s - 1) % len(sides)]` (T1).
    """

    sides: tuple[int, ...]
    dealer: int
    seats: tuple[int, ...]

    @classmethod
    def make(
        cls,
        *,
        players: int,
        dealer: int,
        sides: tuple[int, ...] | None = None,
        boxed: int | None = None,
    ) -> Seating:
        """Return a checked seating.

        Args:
            players: the number of players at the table.
            dealer: the seat that deals.
            sides: the sides at the table; by default they are numbered from 1.
            boxed: the side in a penalty box, whose seats the deal skips; only one of three sides
                can sit out (Z11).

        Raises:
            RuleError: the arguments do not fit together (T1, T2, Z11).
        """
        if players not in SIDES:
            raise RuleError(
                "{players} players cannot play: it takes 2, 3, 4 or 6", players=players, rule="T1"
            )
        if sides is None:
            sides = tuple(range(1, SIDES[players] + 1))
        if SIDES[players] != len(sides):
            raise wrong_players(players, len(sides))
        refuse_seat(dealer, players)
        if boxed is not None and (boxed not in sides or len(sides) == len(PLAYERS)):
            text = "{side} cannot sit out: only one side of a game of three can"
            raise RuleError(text, rule="Z11", side=boxed)
        if sides[(dealer - 1) % len(sides)] == boxed:
            raise RuleError("seat {seat} cannot deal: its side is boxed", seat=dealer, rule="Z11")
        around = ((dealer + step) % players + 1 for step in range(players))
        seats = tuple(seat for seat in around if sides[(seat - 1) % len(sides)] != boxed)
        return cls(sides=sides, dealer=dealer, seats=seats)

    def side_of(self, seat: int) -> int:
        return self.sides[(seat - 1) % len(self.sides)]

    @property
    def cutter(self) -> int:
        """The seat to the dealer's right, which cuts the starter; of two, the non-dealer (T6)."""
        return self.seats[-2]

    @property
    def dealt(self) -> int:
        """Cards that each player is dealt: six if the deal has two seats, else five (T3, Z11)."""
        return 4 + self.discards

    @property
    def discards(self) -> int:
        """Cards that each player discards: two if the deal has two seats, else one (T3, Z11)."""
        return 2 if len(self.seats) == 2 else 1  # noqa: PLR2004  # two players, two cards each

    def discards_under_deck(self, seat: int) -> bool:
        """Return True if there are six seats, and this one belongs to the dealer's side (T3)."""
        return len(self.seats) == 6 and self.side_of(seat) == self.side_of(self.dealer)  # noqa: PLR2004  # players
