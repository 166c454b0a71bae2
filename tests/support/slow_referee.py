"""A second version of the referee, slow and obvious: penalties, claims and muggins.

Written from the rules and the contract alone, as `slow_game` is, whose game it adds to.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tests.support.slow_game import SlowCommand, SlowGame
from tests.support.slow_moves import GameOverError

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
