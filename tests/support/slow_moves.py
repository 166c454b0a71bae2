"""Moves of pegs, hole by hole: the slow twin of track, zones, skunks and match.

Written from the rules and the contract alone, as `slow_game` is, which adds the commands.
"""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

SlowHole: TypeAlias = int | str


class GameOverError(Exception):
    """The game is won, and the rest of the command does not happen (G2, Z12)."""


@dataclass
class SlowZone:
    """A zone as a board file describes it."""

    id: str
    kind: str
    box: list[int]
    to: list[int] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    rejoin: int = 0


@dataclass
class SlowPegs:
    """One side's pegs, and the hands that it has to sit out."""

    front: SlowHole = 0
    back: SlowHole = 0
    landed: bool = False
    folded: bool = False
    boxed: int | None = None
    box: list[int] = field(default_factory=list)
    may_move: bool = False
    owed: int = 0


@dataclass
class SlowMoves:
    """A game in progress. `rules` are the house rules by name; skunk lines `(measure, n)`."""

    finish: int
    zones: list[SlowZone]
    rules: dict[str, Any]
    sides: list[int]
    players: int
    pegs: dict[int, SlowPegs] = field(default_factory=dict)
    first_at_121: int | None = None
    skunks: dict[int, int] = field(default_factory=dict)
    winner: int | None = None
    match: dict[int, int] = field(default_factory=dict)
    match_winner: int | None = None

    def others(self, side: int) -> list[int]:
        """Return every side except this one."""
        return [other for other in self.sides if other != side]

    def occupant(self) -> int | None:
        """Return the side in a penalty box, even with 0 hands left."""
        for side in self.sides:
            if self.pegs[side].boxed is not None:
                return side
        return None

    def zone_at(self, hole: SlowHole) -> SlowZone | None:
        """Return the zone whose box has this hole."""
        for zone in self.zones:
            if hole in zone.box:
                return zone
        return None

    def one_step(self, hole: SlowHole, *, landed: bool) -> SlowHole:
        """Return the next hole: into a side path, along it, out of it, or up the track."""
        for zone in self.zones:
            if not zone.path:
                continue
            if landed and hole in zone.box:
                return zone.path[0]
            if hole == zone.path[-1]:
                return min(zone.rejoin, self.finish)
            if hole in zone.path:
                return zone.path[zone.path.index(str(hole)) + 1]
        return int(hole) + 1

    def progress(self, side: int) -> int:
        """Return the finish less the steps that the front peg still has to make."""
        return self.finish - self.to_go(self.pegs[side].front, landed=self.pegs[side].landed)

    def to_go(self, hole: SlowHole, *, landed: bool = False) -> int:
        """Count the steps from a hole to the finish, one by one."""
        steps = 0
        while hole != self.finish:
            hole, landed, steps = self.one_step(hole, landed=landed), False, steps + 1
        return steps

    # Moving a peg.

    def place(self, side: int, hole: SlowHole) -> None:
        """Put the front peg down unlanded; the finish wins (Z12), hole 121 is noted (G4)."""
        pegs = self.pegs[side]
        pegs.front, pegs.landed = hole, False
        if isinstance(hole, int) and hole >= self.finish:
            pegs.front = self.finish
        self.note_hole_121(side)
        if pegs.front == self.finish:
            self.win(side)

    def step_on(self, side: int, steps: int) -> bool:
        """Walk the front peg; return False, unmoved, if that is too far for an exact finish."""
        pegs = self.pegs[side]
        hole, landed = pegs.front, pegs.landed
        for _ in range(steps):
            if hole == self.finish and self.rules["finish"] == "exact":
                return False
            if hole != self.finish:
                hole, landed = self.one_step(hole, landed=landed), False
        pegs.back = pegs.front
        self.place(side, hole)
        return True

    def land(self, side: int) -> None:
        """Let the zone under a peg act whose walk ended there (Z1 to Z5)."""
        pegs = self.pegs[side]
        zone = self.zone_at(pegs.front)
        if zone is None:
            return
        if zone.kind == "red-slide":
            self.place(side, zone.to[zone.box.index(int(pegs.front))])
        elif zone.kind in ("time-trap", "green-advance"):
            pegs.landed = True
        else:
            self.enter_box(side, zone)

    def enter_box(self, side: int, zone: SlowZone) -> None:
        """Fold, then sit (Z7), or go back 20 while another side gets 20 (Z6, Z8)."""
        pegs = self.pegs[side]
        pegs.folded = True
        occupant = self.occupant()
        if len(self.sides) == 3 and occupant is None:
            pegs.boxed, pegs.box, pegs.may_move, pegs.owed = 3, zone.box, False, 0
            self.place(side, zone.box[0])
            return
        self.send_back(side)
        for other in self.others(side):
            if other != occupant:
                self.award(other)
        if occupant is not None:
            self.newcomer_came(occupant)

    def send_back(self, side: int) -> None:
        """Move 20 holes down the main track (Z6, Z10)."""
        hole = int(self.pegs[side].front)
        for _ in range(20):
            if hole > 0:
                hole -= 1
        self.place(side, hole)
        if self.rules["back_lands"]:
            self.land(side)

    def award(self, side: int) -> None:
        """Move 20 holes on, but not into a box or a trap (Z6, Z9, Z10)."""
        if not self.step_on(side, 20):
            return
        pegs = self.pegs[side]
        zone = self.zone_at(pegs.front)
        while zone is not None and zone.kind in ("penalty-box", "time-trap"):
            self.place(side, int(pegs.front) + 1)
            zone = self.zone_at(pegs.front)
        if self.rules["award_lands"]:
            self.land(side)

    # The penalty box.

    def move_in_box(self, side: int) -> None:
        """Sit one hand less, and go one hole on in the box, at most to its last (Z7)."""
        pegs = self.pegs[side]
        if pegs.boxed:
            pegs.boxed -= 1
            last = pegs.box[-1]
            self.place(side, last if pegs.front == last else int(pegs.front) + 1)

    def newcomer_came(self, occupant: int) -> None:
        """Give the boxed side what another side's landing in a box brings it (Z8)."""
        if self.rules["occupant_advance"] == "track":
            self.pegs[occupant].owed += 1
        else:
            self.move_in_box(occupant)

    def release(self, side: int) -> None:
        """Leave the box, and walk the holes that waited for the track (Z7, Z8)."""
        pegs = self.pegs[side]
        pegs.boxed, pegs.may_move = None, False
        for _ in range(pegs.owed):
            self.place(side, int(pegs.front) + 1)
        pegs.owed = 0

    # Skunks, win, match.

    def judge_skunks(self, winner: int, leader_hole: int) -> None:
        """Note what each other side's position makes a win worth (G4 to G6)."""
        for side in self.others(winner):
            for name, games in (("skunk", 2), ("double_skunk", 4)):
                line = self.rules[name]
                if line is None:
                    continue
                measure, points = line
                behind = self.progress(side) < points
                if measure == "margin":
                    behind = leader_hole - self.progress(side) > points
                if behind:
                    self.skunks[side] = games

    def note_hole_121(self, side: int) -> None:
        """When the first side reaches hole 121, judge the others, once (G4)."""
        front = self.pegs[side].front
        if isinstance(front, str) or front < 121 or self.first_at_121 is not None:
            return
        self.first_at_121 = side
        if self.rules["skunk_at"] == "121":
            self.judge_skunks(side, 121)

    def win(self, side: int) -> None:
        """Judge the others at the finish, and end the game (G2, G4)."""
        if self.rules["skunk_at"] == "finish":
            self.judge_skunks(side, self.finish)
        self.end_game(side)

    def end_game(self, side: int) -> None:
        """End the game, and give the match what it was worth (G2, G4, G6)."""
        self.winner = side
        worth = 1
        if self.rules["skunk_at"] != "121" or self.first_at_121 == side:
            losers = [games for loser, games in self.skunks.items() if loser != side]
            worth = max([1, *losers])
        self.match[side] = self.match.get(side, 0) + worth
        if self.rules["match_to"] is not None and self.match[side] >= self.rules["match_to"]:
            self.match_winner = side
        raise GameOverError
