"""The state of a game between two commands: sides, dealer, hand, skunks and match.

A state has all that the rules need to judge the next command. Of the past it has only the last
count, which can still be put right. `front` and `back` are the holes of a side's pegs. If a side
on 15 counts 7 and the penalty box on 22 sends it back to 2, `front` is 2, and `back` is 15.

Values that change with an event are structs, which are copied 25 times as fast as dataclasses.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct, structs

from companion.board.layout import Hole, Track
from companion.errors import RuleError, Text, joined
from companion.rules.game.commands import Command, Deal, MoveInBox
from companion.rules.game.events import Event
from companion.rules.game.house_rules import HouseRules

PLAYERS = {2: (2, 4), 3: (3, 6)}  # numbers of players, by the number of sides (rule T1)


def wrong_players(players: int, sides: int) -> RuleError:
    """Return the error for a number of players that does not fit the number of sides.

    >>> str(wrong_players(5, 2))
    '5 players cannot be 2 sides: 2 sides take 2 or 4'
    """
    if sides not in PLAYERS:
        fitting = joined(" or ", PLAYERS)
        text = "{sides} sides cannot play: a game takes {fitting}"
        return RuleError(text, sides=sides, fitting=fitting, rule="T1")
    fitting = joined(" or ", PLAYERS[sides])
    remedy = Text("{sides} sides take {fitting}", sides=sides, fitting=fitting)
    return RuleError(
        "{players} players cannot be {sides} sides",
        players=players,
        sides=sides,
        remedy=remedy,
        rule="T1",
    )


def refuse_seat(seat: int, players: int) -> None:
    """Raise a `RuleError` for a seat that no player has (T2)."""
    if not 1 <= seat <= players:
        text = "there is no seat {seat}: the seats are 1 to {players}"
        raise RuleError(text, seat=seat, players=players, rule="T2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Board, house rules and sides of a game, which do not change while it lasts.

    Seats are numbered from 1 to the left; seat s belongs to `sides[(s - 1) % len(sides)]` (T1).

    Attributes:
        board_track: the whole track of the board.
        track: the track to the finish of this game (house rule `game_to`).
        sides: the sides that take part, ascending.
        preset: the name of the preset that was chosen for this game, or "".
    """

    board_track: Track
    track: Track
    rules: HouseRules
    sides: tuple[int, ...]
    players: int
    preset: str = ""

    @classmethod
    def make(
        cls,
        track: Track,
        rules: HouseRules,
        *,
        sides: tuple[int, ...],
        players: int | None = None,
        preset: str = "",
    ) -> Setup:
        """Return a checked set-up.

        Args:
            track: the whole track of the board.
            rules: the house rules.
            sides: the numbers of the sides, ascending.
            players: the number of players, by default one for each side.
            preset: the name of the preset that was chosen for this game, or "".

        Raises:
            RuleError: the players do not fit the sides, or the sides do not fit the board (T1).
        """
        players = len(sides) if players is None else players
        if players not in PLAYERS.get(len(sides), ()):
            raise wrong_players(players, len(sides))
        if sides != tuple(sorted(set(sides))) or not 1 <= sides[0] <= sides[-1] <= track.lanes:
            named = ", ".join(map(str, sides))
            raise RuleError(
                "the board has {lanes} lanes, which do not fit the sides {sides}",
                lanes=track.lanes,
                sides=named,
                remedy=Text("let fewer sides play, or take another board"),
                rule="T1",
            )
        return cls(
            board_track=track,
            track=dataclasses.replace(track, finish=rules.length_on(track.finish)),
            rules=rules,
            sides=sides,
            players=players,
            preset=preset,
        )

    def side_of(self, seat: int) -> int:
        return self.sides[(seat - 1) % len(self.sides)]


class Boxed(Struct, frozen=True, kw_only=True):
    """A stay in a penalty box (rules Z7 and Z8).

    Attributes:
        hands: the number of hands that the side must still sit out; with 0, the next deal frees it.
        may_move: True while the side can still move its peg in this hand.
        holes_on_release: the number of holes that the peg moves on when the side is free.
    """

    hands: int
    may_move: bool = False
    holes_on_release: int = 0


class Pegs(Struct, frozen=True, kw_only=True):
    """A side's two pegs.

    Attributes:
        landed: True if the front peg's last move ended in a time trap or green advance, so that its
            next move takes the side path (rules Z3 and Z4).
        folded: True until the next deal if the side has folded (Z5).
        boxed: the side's stay in a penalty box, or None.
    """

    front: Hole = 0
    back: Hole = 0
    landed: bool = False
    folded: bool = False
    boxed: Boxed | None = None


class Match(Struct, frozen=True, kw_only=True):
    """The games that each side has won; a skunk is 2 games, a double skunk is 4 (G4 to G6)."""

    games: tuple[tuple[int, int], ...] = ()
    winner: int | None = None

    def won(self, side: int) -> int:
        return dict(self.games).get(side, 0)

    def credited(self, side: int, games: int) -> Match:
        total = dict(self.games)
        total[side] = total.get(side, 0) + games
        return structs.replace(self, games=tuple(sorted(total.items())))


class LastCount(Struct, frozen=True, kw_only=True):
    """The last count, with all that is needed to put it right (rule N11).

    Attributes:
        rule: P7 for a count of cards, or else the rule of a penalty or of muggins.
        before: the state before the count.
        since: the deals, and the moves in a penalty box, since the count.
    """

    side: int
    points: int
    rule: str
    before: State
    since: tuple[Deal | MoveInBox, ...] = ()


class State(Struct, frozen=True, kw_only=True, dict=True):
    """A game between two commands.

    Attributes:
        all_pegs: the pegs of each side, in the order of `setup.sides`.
        dealer: the seat that deals this hand.
        first_dealer: the seat that dealt the first hand.
        hand: the number of the hand, from 1.
        counts: the number of counts in this game.
        counts_in_hand: the number of counts since the last deal.
        first_at_121: the side that reached hole 121 first (G4).
        skunked: a pair for each skunked side: the side, and the games that it loses.
    """

    setup: Setup
    all_pegs: tuple[Pegs, ...]
    dealer: int = 1
    first_dealer: int = 1
    hand: int = 1
    counts: int = 0
    counts_in_hand: int = 0
    first_at_121: int | None = None
    skunked: tuple[tuple[int, int], ...] = ()
    winner: int | None = None
    match: Match = Match()
    last_count: LastCount | None = None

    def next_first_dealer(self) -> int:
        """Return the seat that deals first in the next game of the same sides.

        If the house rule `first_dealer` is "loser", it is a seat of the side with the lowest
        progress: the nearest to the left of this game's first dealer, so partners take turns.
        """
        players, lowest = self.setup.players, min(map(self.progress, self.setup.sides))
        seats = [(self.first_dealer + step) % players + 1 for step in range(players)]
        if self.setup.rules.first_dealer == "next":
            return seats[0]
        return next(seat for seat in seats if self.progress(self.setup.side_of(seat)) == lowest)

    def pegs(self, side: int) -> Pegs:
        """Return a side's pegs; a side that does not take part is a `RuleError` (T1)."""
        return self.all_pegs[self._index(side)]

    def _index(self, side: int) -> int:
        if side not in self.setup.sides:
            raise RuleError("{side} does not take part in this game", rule="T1", side=side)
        return self.setup.sides.index(side)

    def others(self, side: int) -> tuple[int, ...]:
        return tuple(other for other in self.setup.sides if other != side)

    def is_to_move_in_box(self, side: int) -> bool:
        boxed = self.pegs(side).boxed
        return boxed is not None and boxed.may_move and boxed.hands > 0

    def boxed_side(self) -> int | None:
        """Return the side in a penalty box; never more than one sits there (rule Z8)."""
        return next((side for side in self.setup.sides if self.pegs(side).boxed), None)

    def progress(self, side: int) -> int:
        return self.progresses[self._index(side)]

    @cached_property
    def progresses(self) -> tuple[int, ...]:
        progress = self.setup.track.progress
        return tuple([progress(pegs.front, landed=pegs.landed) for pegs in self.all_pegs])


class Entry(Struct, frozen=True, kw_only=True):
    """An accepted command, its events, and the state after it."""

    command: Command
    events: tuple[Event, ...]
    state: State


def new_game(setup: Setup, match: Match | None = None, *, dealer: int = 1) -> State:
    """Return a game before its first count, in hand 1. If `match` is won, a new match begins.

    Raises:
        RuleError: the dealer has no seat among the players (T2).
    """
    refuse_seat(dealer, setup.players)
    match = match if match and match.winner is None else Match()
    sides = tuple(Pegs() for _ in setup.sides)
    return State(setup=setup, all_pegs=sides, dealer=dealer, first_dealer=dealer, match=match)
