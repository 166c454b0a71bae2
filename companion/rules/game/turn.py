"""A `Turn` carries out one command: moves, landings and their consequences become events.

Each event is applied to the state at once, so that the next step sees its effect. The win and the
skunks are judged after every single event. A count of 22 from the start, for example, ends in a
penalty box: the side goes back 20 holes, and the other side walks on by 20 holes.

>>> from companion.board import load_board
>>> from companion.rules.game.state import HouseRules, Setup, new_game
>>> turn = Turn(new_game(Setup.make(load_board("crib-wars").track, HouseRules(), sides=(1, 2))))
>>> turn.peg(1, 22)
>>> [(event.kind.value, event.side, event.to) for event in turn.events]
[('counted', 1, 22), ('folded', 1, 22), ('sent_back', 1, 2), ('awarded', 2, 20)]
"""

from typing import assert_never

from companion.board import Hole, Track, Zone, ZoneKind
from companion.board.layout import MOST_POINTS
from companion.board.zone_kinds import PENALTY_HOLES
from companion.errors import RuleError, Text, plural
from companion.rules.game.apply import HANDS_IN_BOX, SKUNK_LINE_HOLE, apply
from companion.rules.game.events import Event, Kind
from companion.rules.game.house_rules import SKUNK_GAMES, Measure, SkunkLine
from companion.rules.game.state import State, refuse_seat


def refuse_points(points: int, *, least: int = 1) -> None:
    """Raise a `RuleError` for points that no count can have (rule S5)."""
    if not least <= points <= MOST_POINTS:
        text = "{points} points: a count is {least} to {most}"
        raise RuleError(text, points=points, least=least, most=MOST_POINTS, rule="S5")


class Turn:
    """A command while it is carried out: its events so far, and the state after these events."""

    def __init__(self, state: State) -> None:
        self.state, self.track, self.rules = state, state.setup.track, state.setup.rules
        self.events: list[Event] = []

    @property
    def over(self) -> bool:
        return self.state.winner is not None

    def emit(
        self, kind: Kind, side: int, rule: str, *, to: Hole | None = None, points: int | None = None
    ) -> None:
        """Record an event of a side's front peg, which stays where it is if `to` is None."""
        origin = self.state.pegs(side).front
        to = origin if to is None else to
        self.put(Event(kind=kind, side=side, origin=origin, to=to, rule=rule, points=points))

    def put(self, event: Event) -> None:
        """Record an event, then the skunks (G4) and the win (G2, Z12) that follow from it."""
        before = self.state
        self.events.append(event)
        self.state = apply(before, event)
        self.judge(before, event)

    # Counts and where they land

    def peg(self, side: int, points: int) -> None:
        """Take a count of cards, unless the side has folded (Z5) or is boxed (Z7)."""
        refuse_points(points)
        self.refuse_boxed(side)
        if self.state.pegs(side).folded:
            raise RuleError("{side} has folded until the next deal", rule="Z5", side=side)
        self.count(side, points)

    def refuse_boxed(self, side: int) -> None:
        boxed = self.state.pegs(side).boxed
        if boxed:
            hands = plural(boxed.hands, "{n} hand to sit", "{n} hands to sit")
            left = hands if boxed.hands else Text("free from the next deal")
            raise RuleError(
                "{side} sits in the penalty box: {left}", left=left, rule="Z7", side=side
            )

    def count(self, side: int, points: int, *, rule: str = "P7") -> None:
        """Move a side's peg by a count, and let the zone act where it lands (P7, Z1).

        `rule` is the rule that gives the points: P7 for cards, or a penalty's or muggins' rule.
        """
        if self.walk(Kind.COUNTED, side, points, rule=rule) and points and not self.over:
            self.land(side)

    def walk(self, kind: Kind, side: int, points: int, *, rule: str) -> bool:
        """Move a front peg forward; return False if an exact finish forfeits the count (G2)."""
        pegs = self.state.pegs(side)
        way = self.track.walk(pegs.front, points, landed=pegs.landed)
        if len(way) < points and self.rules.finish == "exact":
            self.emit(Kind.FORFEITED, side, "G2" if rule == "P7" else rule, points=points)
            return False
        self.emit(kind, side, rule, to=way[-1] if way else None, points=points)
        return True

    def land(self, side: int) -> None:
        front = self.state.pegs(side).front
        zone = self.track.zone_at(front)
        if zone is None:
            return
        match zone.kind:
            case ZoneKind.RED_SLIDE:  # the peg does not land again
                self.emit(Kind.SLID, side, "Z2", to=zone.after(int(front), self.track.finish))
            case ZoneKind.TIME_TRAP:  # the next count goes down the blue path
                self.emit(Kind.TRAPPED, side, "Z3")
            case ZoneKind.GREEN_ADVANCE:  # the next count takes the green short cut
                self.emit(Kind.ADVANCED, side, "Z4")
            case ZoneKind.PENALTY_BOX:
                self.penalty_box(side, zone)
            case _ as kind:
                assert_never(kind)

    # The penalty box

    def penalty_box(self, side: int, zone: Zone) -> None:
        """Fold a side (Z5). Box this side if it is one of three sides and no side is boxed (Z7).

        Otherwise this side goes back 20 holes; each other side goes on 20 (Z6), a boxed one 1 (Z8).
        """
        self.emit(Kind.FOLDED, side, "Z5")
        occupant = self.state.boxed_side()
        if len(self.state.setup.sides) > 2 and occupant is None:  # noqa: PLR2004  # with two sides Z6 holds
            self.emit(Kind.BOXED, side, "Z7", to=zone.box[0], points=HANDS_IN_BOX)
            return
        back = zone.after(int(self.state.pegs(side).front), self.track.finish)
        self.emit(Kind.SENT_BACK, side, "Z6", to=back, points=PENALTY_HOLES)
        if self.rules.back_lands:
            self.land(side)
        for other in self.state.others(side):
            if other != occupant and not self.over:
                self.award(other)
        if occupant is not None and not self.over:
            self.advance_occupant(occupant)

    def award(self, side: int) -> None:
        """Move a side on by 20 holes, and past a box or trap in which these holes end (Z9).

        If the house rule `award_lands` is on, a slide or advance there acts on the peg (Z10).
        """
        if not self.walk(Kind.AWARDED, side, PENALTY_HOLES, rule="Z6") or self.over:
            return
        front = hole = self.state.pegs(side).front
        while hole != self.track.finish and _no_award_ends_at(self.track, hole):
            hole = self.track.step(hole)
        if hole != front:
            self.emit(Kind.SKIPPED, side, "Z9", to=hole)
        if self.rules.award_lands and not self.over:
            self.land(side)

    def advance_occupant(self, side: int) -> None:
        """Move the boxed side on by one hole because another side landed in a box (Z8)."""
        boxed = self.state.pegs(side).boxed
        if self.rules.occupant_advance == "track":
            self.emit(Kind.BOX_MOVED, side, "Z8")
        elif boxed and boxed.hands:
            self.emit(Kind.BOX_MOVED, side, "Z8", to=self.next_in_box(side))

    def move_in_box(self, side: int) -> None:
        boxed = self.state.pegs(side).boxed
        if boxed is None:
            raise RuleError("{side} is in no penalty box", rule="Z7", side=side)
        if not boxed.hands:
            text = "{side} has sat its hands: it is free from the next deal"
            raise RuleError(text, rule="Z7", side=side)
        if not boxed.may_move:
            text = "{side} moves in the box once a hand, but not in the hand in which it came there"
            raise RuleError(text, rule="Z7", side=side)
        self.emit(Kind.BOX_MOVED, side, "Z7", to=self.next_in_box(side))

    def next_in_box(self, side: int) -> int:
        front = int(self.state.pegs(side).front)
        zone = self.track.zone_at(front)
        return min(front + 1, zone.box[-1], self.track.finish) if zone else front

    # The deal

    def deal(self, dealer: int | None) -> None:
        seat = self.next_dealer() if dealer is None else self.checked_seat(dealer)
        for side in self.state.setup.sides:
            self.release(side)
        if self.over:
            return
        side = self.state.setup.side_of(seat)
        origin = self.state.dealer
        self.put(Event(kind=Kind.DEALT, side=side, origin=origin, to=seat, rule="T2"))

    def release(self, side: int) -> None:
        """Release a side that has sat its hands; its peg goes on by `holes_on_release` (Z8)."""
        pegs = self.state.pegs(side)
        if pegs.boxed and not pegs.boxed.hands:
            to = min(int(pegs.front) + pegs.boxed.holes_on_release, self.track.finish)
            self.emit(Kind.RELEASED, side, "Z7", to=to)

    def next_dealer(self) -> int:
        """Return the next seat to the left whose side is not boxed (T2, Z11)."""
        players = self.state.setup.players
        seats = ((self.state.dealer + step - 1) % players + 1 for step in range(1, players + 1))
        return next(seat for seat in seats if not self.sits_out(seat))

    def checked_seat(self, seat: int) -> int:
        refuse_seat(seat, self.state.setup.players)
        if self.sits_out(seat):
            raise RuleError("seat {seat} cannot deal: its side is boxed", seat=seat, rule="Z11")
        return seat

    def sits_out(self, seat: int) -> bool:
        """Return True if the deal skips a seat because its side must still sit out hands (Z11)."""
        boxed = self.state.pegs(self.state.setup.side_of(seat)).boxed
        return boxed is not None and boxed.hands > 0

    # Immediate consequences of a move

    def judge(self, before: State, event: Event) -> None:
        if event.kind is Kind.PLACED:
            return
        if before.first_at_121 is None and self.state.first_at_121 is not None:
            self.skunk(self.state.first_at_121, when="121")
        side = event.side
        moved = event.kind.facts.movement is not None and event.to == self.track.finish
        if side is None or not moved or self.over:
            return
        self.skunk(side, when="finish")
        self.win(side)

    def win(self, side: int) -> None:
        self.emit(Kind.WON, side, "G2", points=_worth(self.state, side))
        match_to, games = self.rules.match_to, self.state.match.won(side)
        if match_to is not None and games >= match_to:
            self.emit(Kind.MATCH_WON, side, "G6", points=games)

    def skunk(self, by: int, *, when: str) -> None:
        if self.rules.skunk_at != when:
            return
        finish = SKUNK_LINE_HOLE if when == "121" else self.track.finish
        for side in self.state.others(by):
            progress = self.state.progress(side)
            for name, games in SKUNK_GAMES.items():
                line: SkunkLine | None = getattr(self.rules, name)
                if line and line.crossed(progress, finish):
                    rule = "G6" if line.measure is Measure.MARGIN else "G4"
                    self.emit(Kind.SKUNKED, side, rule, points=games)
                    break


def _no_award_ends_at(track: Track, hole: Hole) -> bool:
    zone = track.zone_at(hole)
    return zone is not None and zone.kind.facts.is_hazard


def _worth(state: State, winner: int) -> int:
    """Return the number of games that a win is worth by its worst skunk (G4)."""
    if state.setup.rules.skunk_at == "121" and state.first_at_121 != winner:
        return 1
    return max((games for _, games in state.skunked), default=1)
