"""One hand of cards once more, slow and obvious: the oracle of `companion.rules.deal`.

Written from the rules alone; nothing here uses `companion`. Cards are texts, a table is changed in
place. The end of a count is seen by looking at everybody's cards, not by who has said go.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

RANKS = "A23456789TJQK"

Report: TypeAlias = tuple[object, ...]


def rank(card: str) -> int:
    """Return 1 for the ace to 13 for the king."""
    return RANKS.index(card[0]) + 1


def value(card: str) -> int:
    """Return the value of a card; court cards are tens (P1)."""
    return min(rank(card), 10)


def is_run(cards: Sequence[str]) -> bool:
    """Return True if the cards are in sequence, in any order (P6, S2)."""
    ranks = sorted(map(rank, cards))
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def play_points(pile: Sequence[str]) -> int:
    """Return the points that the last card of a pile makes (P5, P6)."""
    points = 2 * (sum(map(value, pile)) in (15, 31))
    points += max((n * (n - 1) for n in (2, 3, 4) if same_rank(pile[-n:], n)), default=0)
    return points + max((n for n in range(3, len(pile) + 1) if is_run(pile[-n:])), default=0)


def same_rank(cards: Sequence[str], number: int) -> bool:
    """Return True if these are this number of cards of one rank."""
    return len(cards) == number and len(set(map(rank, cards))) == 1


def show_points(hand: Sequence[str], starter: str, *, crib: bool) -> int:
    """Return the points of a hand or a crib (S2 to S4)."""
    five = [*hand, starter]
    groups = [group for n in (2, 3, 4, 5) for group in combinations(five, n)]
    points = sum(2 for group in groups if sum(map(value, group)) == 15)
    points += sum(2 for group in groups if same_rank(group, 2))
    runs = [len(group) for group in groups if len(group) > 2 and is_run(group)]
    points += sum(length for length in runs if length == max(runs))
    of_a_suit = len({card[1] for card in hand}) == 1
    if of_a_suit and starter[1] == hand[0][1]:
        points += 5
    elif of_a_suit and not crib:
        points += 4
    return points + (f"J{starter[1]}" in hand)


class SlowDeal:
    """One hand from the starter on, the cards to be played known beforehand.

    `seats` take part, rising. `folding` are the counts, numbered from 1, that land in a penalty
    box. `told` is what happened: ("card", seat, card, count), ("count", seat, points, why) and
    ("reset", lead).
    """

    def __init__(
        self, seats: Sequence[int], dealer: int, sides: int, *, folding: Collection[int] = ()
    ) -> None:
        self.seats = list(seats)
        self.dealer = dealer
        self.sides = sides
        self.folding = folding
        self.folded: set[int] = set()
        self.left: dict[int, list[str]] = {}
        self.reported: list[Report] = []
        self.counts = 0

    def side(self, seat: int) -> int:
        """Return the side of a seat; seats alternate between sides (T1)."""
        return (seat - 1) % self.sides + 1

    def next(self, seat: int) -> int:
        """Return the seat to the left."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def peg(self, seat: int, points: int, why: str) -> None:
        """Peg a count, unless it is 0 or the side has folded (Z5)."""
        if not points or self.side(seat) in self.folded:
            return
        self.reported.append(("count", seat, points, why))
        self.counts += 1
        if self.counts in self.folding:
            self.folded.add(self.side(seat))
            for other in self.seats:
                if self.side(other) in self.folded:
                    self.left[other] = []

    def play(
        self,
        hands: Mapping[int, Sequence[str]],
        crib: Sequence[str],
        starter: str,
        plays: Sequence[str],
    ) -> None:
        """Score heels, the whole play and the show; `plays` are legal and complete."""
        self.left = {seat: list(hands[seat]) for seat in self.seats}
        if starter[0] == "J":
            self.peg(self.dealer, 2, "heels")
        self.play_out(list(plays))
        seat = self.dealer
        for _ in self.seats:
            seat = self.next(seat)
            self.peg(seat, show_points(hands[seat], starter, crib=False), "hand")
        self.peg(self.dealer, show_points(crib, starter, crib=True), "crib")

    def play_out(self, plays: list[str]) -> None:
        """Play all cards in order, count by count (P1 to P4)."""
        pile: list[str] = []
        seat = self.next(self.dealer)
        while any(self.left.values()):
            while not self.playable(seat, pile):
                seat = self.next(seat)
            card = plays.pop(0)
            assert card in self.playable(seat, pile)
            self.left[seat].remove(card)
            pile.append(card)
            total = sum(map(value, pile))
            self.reported.append(("card", seat, card, total))
            self.peg(seat, play_points(pile), "play")
            anybody = any(self.playable(other, pile) for other in self.seats)
            if not any(self.left.values()):
                self.peg(seat, int(total != 31), "last")
            elif not anybody:
                self.peg(seat, int(total != 31), "go")
                pile = []
            seat = self.next(seat)
            if not pile and any(self.left.values()):
                while not self.left[seat]:
                    seat = self.next(seat)
                self.reported.append(("reset", seat))
        assert not plays

    def playable(self, seat: int, pile: Sequence[str]) -> list[str]:
        """Return the cards that this seat can play on the pile (P1)."""
        return [card for card in self.left[seat] if value(card) + sum(map(value, pile)) <= 31]
