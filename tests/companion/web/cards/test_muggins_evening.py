"""Evenings of muggins: people and computers count right, too few and too many."""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from companion.errors import RuleError
from companion.rules.cards import cards
from companion.rules.game import CountKind, Muggins, NewGame, Peg, Setup
from companion.rules.game.house_rules import PRESETS
from companion.web.cards.card_service import CardService
from companion.worker import Worker
from tests.companion.rules.cards.slow_count import slow_play, slow_show
from tests.companion.table.cards.dealt import CardTable
from tests.support.card_games import setup_for
from tests.support.real_table import as_sent
from tests.support.services import live_settings

RULES = replace(PRESETS["electronic"], muggins="on")
BY_CARDS = (CountKind.PLAY, CountKind.HAND, CountKind.CRIB)


def truth(shown: dict[str, Any], count: dict[str, Any]) -> int:
    """Return the points of a count's cards on the page, counted slowly."""
    if count["why"] == "play":
        return sum(points for _, points in slow_play(shown["pile"]))
    crib = count["why"] == "crib"
    hand = next(hand for hand in shown["hands"] if hand["seat"] == count["seat"])
    cards = shown["crib"] if crib else [card["card"] for card in hand["cards"]]
    return sum(slow_show(cards, shown["starter"], crib=crib).values())


class Declared(NamedTuple):
    """A declared count, with the points that the test has counted."""

    seat: int
    why: str
    points: int
    actual: int

    @property
    def error(self) -> tuple[int, int, str]:
        """The side, the points and the kind of a right call."""
        kind = "missed" if self.points < self.actual else "overcalled"
        return self.seat, abs(self.points - self.actual), kind


class Evening:
    """A table at which people play by their pages, and count by page or by buttons.

    `declared` are all counts in the order in which they were seen, `calls` those of people that
    were right, by the caller; `refused` calls were wrong.
    """

    def __init__(self, seats: list[str], seed: int, setup: Setup | None = None) -> None:
        self.rng = random.Random(seed)
        self.setup = setup = setup or setup_for(len(seats), board="classic", rules=RULES)
        self.at = CardTable(dict.fromkeys(range(1, len(seats) + 1)), setup=setup)
        self.changed = asyncio.Event()
        self.worker = Worker("thinking")
        self.cards = self.service()
        self.at.table.changed.subscribe(self.changed.set)
        self.tokens = self.cards.begin(seats)
        self.declared: list[Declared] = []
        self.calls: Counter[int] = Counter()
        self.refused = 0

    def service(self) -> CardService:
        """Return a new service of the cards at this table."""
        table, changed, sleep = self.at.table, self.changed.set, self.at.time.sleep
        return CardService(table, live_settings(), self.worker, changed=changed, sleep=sleep)

    async def play(self, *, match: bool) -> None:
        """Play until the match is won, or the game."""
        self.at.table.start()
        async with asyncio.timeout(60):
            while (self.at.table.state.match if match else self.at.table.state).winner is None:
                self.changed.clear()
                if await self.act():
                    await asyncio.sleep(0)
                else:
                    await self.changed.wait()

    async def act(self) -> bool:
        """Make one possible move; return False if there is none."""
        if self.at.table.state.winner is not None:
            self.at.table.tap("deal")
            return True
        for seat, token in self.tokens.items():
            if await self.act_at(seat, token, as_sent(self.cards.hand(token))):
                return True
        return False

    async def act_at(self, seat: int, token: str, hand: dict[str, Any]) -> bool:
        """Do what the page of a seat asks for; return False if it waits."""
        count, rival, shown = hand["to_count"], hand["open_count"], hand["shown"]
        side = self.setup.side_of(seat)
        if side in hand["box_movers"] and self.rng.random() < 0.8:
            await self.enter(token, seat, 0)
        elif count and count["seat"] == seat:
            await self.count(token, seat, shown, count["why"])
        elif rival and side in rival["undecided"]:
            await self.answer(token, seat, shown, rival)
        elif hand["ask"]:
            self.choose(token, seat, hand)
        else:
            return False
        return True

    def choose(self, token: str, seat: int, hand: dict[str, Any]) -> None:
        """Discard or play the first cards that the rules accept."""
        own = next(each for each in hand["shown"]["hands"] if each["seat"] == seat)
        left = [card["card"] for card in own["cards"] if not card["played"]]
        number = hand["ask"]["cards"]
        for at in range(len(left) - number + 1):
            try:
                self.cards.play(token, cards(" ".join(left[at : at + number])))
            except RuleError:
                continue
            return

    async def count(self, token: str, seat: int, shown: dict[str, Any], why: str) -> None:
        """Enter the own count: right, too low or too high."""
        actual = truth(shown, {"seat": seat, "why": why})
        points = max(0, actual + self.rng.choice([0, 0, 0, -1, -2, 1, 2]))
        self.declared.append(Declared(seat, why, points, actual))
        await self.enter(token, seat, points)

    async def answer(
        self, token: str, seat: int, shown: dict[str, Any], rival: dict[str, Any]
    ) -> None:
        """Call muggins, rightly or wrongly, or pass."""
        found = Declared(rival["seat"], rival["why"], rival["points"], truth(shown, rival))
        if rival["seat"] not in self.tokens:
            self.declared.append(found)
        _, points, _ = found.error
        if self.rng.random() < 0.1:
            self.refused += 1
            await self.enter(token, seat, points + 1)
        elif points and self.rng.random() < 0.8:
            self.calls[seat] += 1
            await self.enter(token, seat, points)
        else:
            await self.enter(token, seat, 0)

    async def enter(self, token: str, seat: int, points: int) -> None:
        """Enter points by the page or by the side's buttons."""
        if self.rng.random() < 0.3:
            with suppress(RuleError):
                await self.cards.enter(token, points)
            return
        fives, ones = divmod(points, 5)
        for key in ["plus_five"] * fives + ["plus_one"] * ones + ["enter"]:
            self.at.table.tap(f"{self.setup.side_of(seat)}.{key}")
        await self.at.table.queue.settled()

    async def close(self) -> None:
        """Leave the table."""
        await self.cards.close()
        self.worker.close()
        self.at.close()


def evening(seats: list[str], seed: int, *, match: bool) -> Evening:
    """Play an evening until the match or the game is won."""

    async def scene() -> Evening:
        evening = Evening(seats, seed)
        await evening.play(match=match)
        await evening.close()
        return evening

    return asyncio.run(scene())


def check_pegs(played: Evening) -> int:
    """Check that the pegs are where the commands, added by hand, bring them. Return the games."""
    points: Counter[int] = Counter()
    games = 1
    for entry in played.at.entries:
        match entry.command:
            case NewGame():
                points, games = Counter(), games + 1
            case Peg(side=side, points=more):
                points[side] += more
            case Muggins(erring=erring, by=by, points=more, kind=kind):
                points[by] += more
                points[erring] -= more if kind == "overcalled" else 0
        fronts = {side: entry.state.pegs(side).front for side in entry.state.setup.sides}
        assert {side: min(points[side], 121) for side in fronts} == fronts
    return games


def check_counts(played: Evening, *, games: int) -> None:
    """Check that entered points were pegged, and that every call was about an error."""
    people = set(played.tokens)
    commands = [entry.command for entry in played.at.entries]
    pegged = [
        (peg.side, peg.why, peg.points)
        for peg in commands
        if isinstance(peg, Peg) and peg.side in people and peg.why in BY_CARDS
    ]
    own = [each for each in played.declared if each.seat in people]
    assert [(each.seat, each.why, each.points) for each in own if each.points] == pegged
    calls = [command for command in commands if isinstance(command, Muggins)]
    called = Counter((call.erring, call.points, call.kind) for call in calls)
    wrong = Counter(each.error for each in played.declared if each.points != each.actual)
    assert called <= wrong
    assert {call.by for call in calls} == set(played.at.table.state.setup.sides)
    assert {"missed", "overcalled"} == {call.kind for call in calls if call.erring in people}
    in_play = [call for call in calls if call.where == "play" and call.erring in people]
    errors = [each for each in own if each.why == "play" and each.points != each.actual]
    assert len(errors) - games <= len(in_play) <= len(errors)


def test_a_match_against_a_regular() -> None:
    """M1, M2, G6: to 7 games, each begun with Deal; a regular calls every error in the play."""
    played = evening(["person", "regular"], 0, match=True)
    games = check_pegs(played)
    assert games > 1
    assert played.refused
    check_counts(played, games=games)


def test_three_sides() -> None:
    """Two people and a child, who misses points, play: the first caller gets them."""
    played = evening(["person", "child", "person"], 2, match=False)
    check_pegs(played)
    calls = [e.command for e in played.at.entries if isinstance(e.command, Muggins)]
    assert {1, 2, 3} == {call.erring for call in calls}
    assert {1, 3} <= {call.by for call in calls}
