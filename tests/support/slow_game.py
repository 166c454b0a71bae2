"""A second version of the rules, slow and obvious: the oracle of `companion.rules.game`.

Written from the rules and the contract alone. A peg steps hole by hole, a state is changed in
place and copied whole before each command; nothing here uses `companion`. Commands have the
contract's own shape: `{"peg": {"team": 1, "points": 5}}`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.support.slow_moves import GameOverError, SlowHole, SlowMoves, SlowPegs

SlowCommand: TypeAlias = dict[str, dict[str, Any]]


@dataclass
class SlowGame(SlowMoves):
    """A game in progress, with the commands that a table gives."""

    dealer: int = 1
    hand: int = 1
    counts: int = 0
    last: dict[str, Any] | None = None

    def copied(self) -> SlowGame:
        """Return a copy of the game; values that never change are shared."""
        never = {id(each): each for each in (self.zones, self.rules, self.sides)}
        return copy.deepcopy(self, never)

    def count(self, side: int, points: int, *, cards: bool) -> None:
        """Peg a count; a count of 0, left over by an overpeg, moves nothing (P7, N11)."""
        self.last = None
        before = self.copied()
        count = {"team": side, "points": points, "cards": cards}
        self.last = {**count, "before": before, "since": []}
        self.counts += 1
        if points > 0 and self.step_on(side, points):
            self.land(side)

    # Commands.

    def side_of(self, seat: int) -> int:
        """Return the side of a seat; sides alternate to the left (T1)."""
        return (self.sides * self.players)[seat - 1]

    def sits_on(self, side: int) -> bool:
        """Return True if a side is still boxed in the hand after this one."""
        return bool(self.pegs[side].boxed)

    def deal(self, dealer: int | None = None) -> None:
        """Pass the deal to the next seat that is not boxed; before the first count do only that."""
        seat = dealer
        if seat is None:
            seat = self.dealer % self.players + 1
            while self.sits_on(self.side_of(seat)):
                seat = seat % self.players + 1
        if self.last is not None:
            self.last["since"].append({"deal": {"dealer": seat}})
        for side in self.sides:
            if self.pegs[side].boxed == 0:
                self.release(side)
        self.dealer = seat
        if self.counts > 0:
            self.next_hand()

    def next_hand(self) -> None:
        """End folds; a boxed side has a move in this hand (Z5, Z7)."""
        self.hand += 1
        for side in self.sides:
            self.pegs[side].folded = False
            self.pegs[side].may_move = bool(self.pegs[side].boxed)

    def box(self, side: int) -> None:
        """Move a boxed side in its box (Z7)."""
        if self.last is not None:
            self.last["since"].append({"box": {"team": side}})
        self.pegs[side].may_move = False
        self.move_in_box(side)

    def refusals(self, command: SlowCommand) -> set[str | None]:
        """Return the rules that forbid a command; None is a reason without a rule."""
        ((name, given),) = command.items()
        rules: set[str | None] = {"G2"} if self.winner is not None else set()
        if given.get("taken_by", self.sides[0]) not in self.sides:
            rules.add("T1")
            given = {**given, "taken_by": None}
        if not 1 <= given.get("points", 1) <= 29:
            rules.add(None)
        if given.get("team", self.sides[0]) not in self.sides:
            return rules | {"T1"}
        checks: dict[str, Callable[..., set[str | None]]]
        checks = {
            "peg": self.no_peg,
            "deal": self.no_deal,
            "box": self.no_box,
            "overpeg": self.no_overpeg,
            "set_pegs": self.no_set_pegs,
        }
        return rules | checks[name](**_by_side(given))

    def no_peg(self, side: int, points: int = 1) -> set[str | None]:
        """Return the reason against any count of a side: a box, or a folded hand."""
        del points
        if self.pegs[side].boxed is not None:
            return {"Z7"}
        return {"Z5"} if self.pegs[side].folded else set()

    def no_box(self, side: int) -> set[str | None]:
        """Return the reason against a move in the box: no box, or none left in this hand."""
        pegs = self.pegs[side]
        return set() if pegs.boxed and pegs.may_move else {"Z7"}

    def no_deal(self, dealer: int | None = None) -> set[str | None]:
        """Return the reason against a dealer: no such seat, or one that sits in a box."""
        if dealer is None:
            return set()
        if not 1 <= dealer <= self.players:
            return {None}
        return {"Z11"} if self.sits_on(self.side_of(dealer)) else set()

    def no_overpeg(self, side: int, extra: int, taken_by: int | None = None) -> set[str | None]:
        """Return the reason against a corrected count: it is not the last, or was less."""
        rules: set[str | None] = set() if extra >= 1 and taken_by != side else {None, "N11"}
        if self.last is None or self.last["team"] != side or extra > self.last["points"]:
            return rules | {"N11"}
        if taken_by is not None and rules == set() and self.winner is None:
            after = self.set_right(extra)
            if after.winner is None and after.pegs[taken_by].boxed is not None:
                return {"Z7"}
        return rules

    def no_set_pegs(self, side: int, front: SlowHole, back: SlowHole) -> set[str | None]:
        """Return the reason against placed pegs: a box, no such holes, a win, the order."""
        rules: set[str | None] = {"Z7"} if self.pegs[side].boxed is not None else set()
        holes: set[SlowHole] = set(range(self.finish + 1))
        holes |= {hole for zone in self.zones if zone.box[0] < self.finish for hole in zone.path}
        if {front, back} - holes:
            return rules | {"G3"}
        if front == self.finish:
            return rules | {"G2"}
        if self.to_go(front) <= self.to_go(back):
            return rules
        hole, on_path = back, True
        while hole != self.finish:
            hole, on_path = self.one_step(hole, landed=on_path), False
            if hole == front:
                return rules
        return rules | {"G1"}

    def set_pegs(self, side: int, front: SlowHole, back: SlowHole) -> None:
        """Place both pegs: nothing is judged, and earlier counts can no longer be corrected."""
        pegs = self.pegs[side]
        pegs.front, pegs.back, pegs.landed, self.last = front, back, False, None
        beyond = isinstance(front, int) and front >= 121
        if beyond and self.first_at_121 is None:
            self.first_at_121 = side
        elif not beyond and self.first_at_121 == side:
            self.first_at_121 = None
            self.skunks.clear()

    def set_right(self, extra: int) -> SlowGame:
        """Return the game with a smaller last count (N11)."""
        assert self.last is not None
        again: SlowGame = self.last["before"].copied()
        with suppress(GameOverError):
            left = self.last["points"] - extra
            again.count(self.last["team"], left, cards=self.last["cards"])
            for command in self.last["since"]:
                if not again.refusals(command):
                    again.carry_out(command)
                elif "deal" in command:
                    again.carry_out({"deal": {}})
        return again

    def overpeg(self, side: int, extra: int, taken_by: int | None = None) -> None:
        """Replay the last count smaller, then let another side take the rest (N11)."""
        del side
        self.__dict__.update(self.set_right(extra).__dict__)
        if taken_by is not None and self.winner is None:
            self.count(taken_by, extra, cards=False)

    def peg(self, side: int, points: int) -> None:
        """Peg one count (P7)."""
        self.count(side, points, cards=True)

    def carry_out(self, command: SlowCommand) -> None:
        """Carry out a command."""
        ((name, given),) = command.items()
        doers: dict[str, Callable[..., None]]
        doers = {
            "peg": self.peg,
            "deal": self.deal,
            "box": self.box,
            "overpeg": self.overpeg,
            "set_pegs": self.set_pegs,
        }
        doers[name](**_by_side(given))


class SlowTable:
    """Games in a row with all earlier states, so that everything can be undone."""

    def __init__(self, game: SlowGame) -> None:
        self.game = game
        self.past: list[SlowGame] = []
        self.commands: list[SlowCommand] = []
        game.pegs = game.pegs or {side: SlowPegs() for side in game.sides}

    def refusals(self, command: SlowCommand) -> set[str | None]:
        """Return the rules that forbid a command; an accepted command has none."""
        if "undo" in command:
            return set() if self.past else {None}
        if "correct" in command:
            return self.corrected(**command["correct"])[1]
        return set() if "new_game" in command else self.game.refusals(command)

    def do(self, command: SlowCommand) -> None:
        """Carry out a command that no rule forbids."""
        if "undo" in command:
            self.game = self.past.pop()
            self.commands.pop()
            return
        corrected = self.corrected(**command["correct"])[0] if "correct" in command else None
        self.past.append(self.game.copied())
        self.commands.append(command)
        if corrected is not None:
            self.game = corrected
            return
        if "new_game" in command:
            self.game = self.begin_anew()
            return
        with suppress(GameOverError):
            self.game.carry_out(command)

    # Corrections: the list of commands is changed, and played from the start of the game.

    def corrected(
        self, entry: int, points: int | None = None
    ) -> tuple[SlowGame | None, set[str | None]]:
        """Return the game of the changed list, or the rules that forbid it."""
        first = max((n for n, each in enumerate(self.commands, 1) if "new_game" in each), default=0)
        if self.game.winner is not None:
            return None, {"G2", None}
        listed = self.listed(first)
        if not 1 <= entry <= len(listed) or not may_be_corrected(listed[entry - 1], points):
            return None, {None}
        listed[entry - 1] = changed(listed[entry - 1], points)
        game = self.past[first].copied()
        for command in listed:
            if "correct" in command or 0 in (
                command.get(kind, {}).get("points") for kind in COUNTS
            ):
                continue
            refusals = game.refusals(command)
            if not refusals:
                with suppress(GameOverError):
                    game.carry_out(command)
            elif "deal" in command and game.winner is None:
                game.carry_out({"deal": {}})
            elif not command.keys() & {"deal", "box"}:
                return None, refusals
        return game, set()

    def listed(self, first: int) -> list[SlowCommand]:
        """The commands of the running game, as changed by later corrections."""
        listed: list[SlowCommand] = []
        for command in self.commands[first:]:
            if "correct" in command:
                number = command["correct"]["entry"] - 1
                listed[number] = changed(listed[number], command["correct"].get("points"))
            listed.append(command)
        return listed

    def begin_anew(self) -> SlowGame:
        """Begin the next game of the match, or the first of a new match."""
        old = self.game
        match = {} if old.match_winner is not None else dict(old.match)
        return type(old)(
            finish=old.finish,
            zones=old.zones,
            rules=old.rules,
            sides=old.sides,
            players=old.players,
            pegs={side: SlowPegs() for side in old.sides},
            match=match,
        )


COUNTS = ("peg", "muggins")


def may_be_corrected(command: SlowCommand, points: int | None) -> bool:
    """Return True if a command is a count, or a penalty that should be removed."""
    if points is not None and not 1 <= points <= 29:
        return False
    ((name, _),) = command.items()
    return name in COUNTS or (name == "penalty" and points is None)


def changed(command: SlowCommand, points: int | None) -> SlowCommand:
    """Return a command with other points; a removed one has 0 points or no takers."""
    ((name, given),) = command.items()
    return {name: {**given, **({"points": points or 0} if name in COUNTS else {"taken": []})}}


def _by_side(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a command by the names of the arguments here."""
    return {"side" if key == "team" else key: value for key, value in given.items()}


TWO_POINTS = ("N3", "N5", "N7", "N8", "N9", "N12", "N14", "N15", "N16", "N17")
CLAIMS = ("N10", "N13", "N14")
NEITHER = ("N1", "N2", "N4", "N6", "N11")
ALL_RULINGS = (*TWO_POINTS, "N10", "N13", *NEITHER)
ALLEY = range(122)


@dataclass
class SlowRefereedGame(SlowGame):
    """A game at a table that may also call the referee."""

    def refusals(self, command: SlowCommand) -> set[str | None]:
        """Return the rules that forbid a command; None is a reason without a rule."""
        ((name, given),) = command.items()
        checks: dict[str, Callable[[dict[str, Any]], set[str | None]]]
        checks = {"penalty": self.no_penalty, "claim": self.no_claim, "muggins": self.no_muggins}
        if name not in checks:
            return super().refusals(command)
        rules: set[str | None] = {"G2"} if self.winner is not None else set()
        named = [given["by"], given.get("game_to"), given.get("from"), *given.get("taken", [])]
        if any(side not in self.sides for side in named if side is not None):
            return rules | {"T1", None}
        return rules | checks[name](given)

    def carry_out(self, command: SlowCommand) -> None:
        """Carry out a command."""
        ((name, given),) = command.items()
        doers: dict[str, Callable[[dict[str, Any]], None]]
        doers = {"penalty": self.penalty, "claim": self.claim, "muggins": self.muggins}
        if name in doers:
            doers[name](given)
        else:
            super().carry_out(command)

    # Penalties: two points for each of the others that wants them.

    def no_penalty(self, given: dict[str, Any]) -> set[str | None]:
        """Return the reason against a penalty: no such ruling, no points, or wrong takers."""
        rule, taken = given["rule"], given["taken"]
        if rule not in ALL_RULINGS:
            return {None}
        rules: set[str | None] = set()
        for side in taken:
            if self.pegs[side].boxed is not None:
                rules.add("Z7")
            if side == given["by"] or taken.count(side) > 1 or rule not in TWO_POINTS:
                rules.add(rule)
            if self.rules["penalty_to"] == "nobody":
                rules |= {rule, "G7"}
        return rules

    def penalty(self, given: dict[str, Any]) -> None:
        """Peg a count of two for each taker, in the order given (000)."""
        for side in given["taken"]:
            self.count(side, 2, cards=False)

    # Claims: the game is over.

    def no_claim(self, given: dict[str, Any]) -> set[str | None]:
        """Return the reason against a claim: no such ruling, or no game that may be given away."""
        rule = given["rule"]
        if rule not in ALL_RULINGS:
            return {None}
        return {rule} if rule not in CLAIMS or given["by"] == given["game_to"] else set()

    def claim(self, given: dict[str, Any]) -> None:
        """Put the winner's front peg on the finish; nobody is judged (N10)."""
        winner = self.pegs[given["game_to"]]
        winner.back, winner.front, winner.landed = winner.front, self.finish, False
        self.end_game(given["game_to"])

    # Muggins: points missed, or counted and not there.

    def count_in_question(self, side: int) -> SlowGame:
        """Return the game before the side's last count; the present one if others counted since."""
        if self.last is not None and self.last["team"] == side:
            before: SlowGame = self.last["before"]
            return before
        return self

    def no_muggins(self, given: dict[str, Any]) -> set[str | None]:
        """Return the reason against muggins: not played, nothing wrong, or no side to take it."""
        erring, caller, points = given["from"], given["by"], given["points"]
        rules: set[str | None] = set()
        if not 1 <= points <= 29 or erring == caller:
            return {None}
        front = self.count_in_question(erring).pegs[erring].front
        house = self.rules["muggins"]
        if house == "off" or (house == "alley" and front not in ALLEY):
            rules.add("M3")
        if given["kind"] == "overcalled" and not self.may_be_overcalled(erring, points):
            rules.add("M2")
        if rules or self.winner is not None or self.lets_off(given):
            return rules
        after = self.set_right(points) if given["kind"] == "overcalled" else self
        taker = erring if given.get("given_back") else caller
        if after.winner is None and after.pegs[taker].boxed is not None:
            rules.add("Z7")
        return rules

    def may_be_overcalled(self, side: int, points: int) -> bool:
        """Return True if the last count was of this side's cards, and at least that (M2)."""
        last = self.last
        if self.rules["muggins_counts"] == "missed" or last is None:
            return False
        return bool(last["team"] == side and last["cards"] and last["points"] >= points)

    def muggins(self, given: dict[str, Any]) -> None:
        """Let the caller peg what was missed, or what was too much after a correction."""
        if self.lets_off(given):
            return
        if given["kind"] == "overcalled":
            self.__dict__.update(self.set_right(given["points"]).__dict__)
        with suppress(GameOverError):
            if self.winner is None:
                taker = given["from"] if given.get("given_back") else given["by"]
                self.count(taker, given["points"], cards=False)

    def lets_off(self, given: dict[str, Any]) -> bool:
        """Return True if points are given back and the house has nobody peg them."""
        return bool(given.get("given_back")) and self.rules["given_back"] == "nobody"
