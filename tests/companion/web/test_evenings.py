"""Evenings of dealt cards: people and computers count right or wrong, call muggins, and play on.

Independent oracle: the test counts each card and each hand slowly when it lies, and notes what its
people entered, or nothing if they played on. At the end, the pegs and calls must be those.
"""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import pytest
from msgspec import structs

from companion.errors import RuleError
from companion.players.values.win_chance import win_chances
from companion.rules.cards import cards
from companion.rules.game import (
    CountKind,
    Deal,
    History,
    Kind,
    MoveInBox,
    Muggins,
    NewGame,
    Overpeg,
    Peg,
    Setup,
    State,
    Undo,
    new_game,
)
from companion.rules.game.house_rules import PRESETS
from companion.web.card_service import CardService
from companion.worker import Worker
from tests.companion.rules.cards.slow_count import slow_play, slow_show
from tests.companion.table.cards.dealt import CardTable
from tests.support.card_games import setup_for
from tests.support.limits import until
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


SomeEvening = TypeVar("SomeEvening", bound=Evening)


def play(kind: type[SomeEvening], *how: Any, match: bool = False) -> SomeEvening:  # noqa: ANN401  # as each takes them
    """Play an evening until the match or the game is won."""

    async def scene() -> SomeEvening:
        evening = kind(*how)
        await evening.play(match=match)
        await evening.at.table.queue.settled()
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


Key = tuple[int, int, str, tuple[str, ...]]
"""Hand, seat, kind and pile of a count."""


class QuickEvening(Evening):
    """Evening of people who enter a count or play on, as chance has it.

    Sometimes somebody takes the last command back, or the program is killed and starts again from
    what the journal has. `made` has the counts that stand, in order, by their cards, `piles` the
    pile up to the card that a seat counts, and `asked` the counts of whole hands that were seen to
    wait.
    """

    def __init__(self, seats: list[str], seed: int) -> None:
        super().__init__(seats, seed)
        self.made: dict[Key, Declared] = {}
        self.piles: dict[int, list[str]] = {}
        self.asked: set[Key] = set()
        self.undone = self.restarts = self.ahead = 0
        self.stored = b""
        write = self.at.journal.write

        def keep(*entry: Any, cards: bytes | None = None) -> None:  # noqa: ANN401  # as `write` takes them
            self.stored = self.stored if cards is None else cards
            write(*entry, cards=cards)

        self.at.journal.write = keep  # type: ignore[method-assign, assignment]  # passes all on

    async def act(self) -> bool:
        """Make one possible move."""
        if self.at.table.state.winner is None:
            if self.at.table.state.counts and self.rng.random() < 0.02:
                await self.undo()
            if self.stored and self.rng.random() < 0.03:
                await self.kill()
        return await super().act()

    async def undo(self) -> None:
        """Take the last command back; a count of cards, and all after it, are no longer made."""
        last = self.at.history.last
        undone = last and last.command
        if isinstance(undone, Peg) and undone.why in BY_CARDS:
            count = undone.side, undone.why, undone.points
            at = [at for at, made in enumerate(self.made.values()) if made[:3] == count][-1]
            self.made = dict(list(self.made.items())[:at])
        if isinstance(undone, Deal):  # no count of the hands before and after it is asked again
            hand = self.at.table.state.hand
            self.asked = {key for key in self.asked if key[0] < hand - 1}
        await self.at.table.execute(Undo())
        self.undone += 1

    async def kill(self) -> None:
        """End the game of cards, and go on with what the journal has."""
        await self.cards.close()
        self.restarts += 1
        self.cards = self.service()
        self.cards.resume(self.stored)
        await until(lambda: self.cards.game, self.changed)

    async def act_at(self, seat: int, token: str, hand: dict[str, Any]) -> bool:
        """Play on, let a count be nothing, or do as at any evening."""
        shown, count, ask = hand["shown"], hand["to_count"], hand["ask"]
        if count:
            self.piles[count["seat"]] = count["pile"]
            self.asked.add(self.of_cards(shown, count)[0])
            if count["seat"] == seat and ask and ask["for"] == "play":
                pytest.fail("a seat may play a card before it counts")
        if ask and (not count or self.rng.random() < 0.4):
            self.choose(token, seat, hand)
            return True
        if count and seat in count["enders"] and self.rng.random() < 0.1:
            with suppress(RuleError):
                await self.cards.enter(token, 0, of=count["seat"])
                self.note(shown, count, 0)
            return True
        return await super().act_at(seat, token, {**hand, "ask": None})

    def choose(self, token: str, seat: int, hand: dict[str, Any]) -> None:  # noqa: ARG002  # as for any evening
        """Choose cards by chance; a card that is played ahead makes the count that waits 0."""
        ask = hand["ask"]
        chosen = self.rng.sample(ask["choice"], ask["cards"])
        self.cards.play(token, cards(" ".join(chosen)))
        if ask["for"] == "play" and hand["to_count"]:
            self.ahead += 1
            self.note(hand["shown"], hand["to_count"], 0)

    async def count(self, token: str, seat: int, shown: dict[str, Any], why: str) -> None:
        """Enter the own count: right, too low or too high."""
        _, actual = self.of_cards(shown, {"seat": seat, "why": why})
        points = max(0, actual + self.rng.choice([0, 0, 0, -1, -2, 1, 2]))
        await self.enter(token, seat, points)
        self.note(shown, {"seat": seat, "why": why}, points)

    def note(self, shown: dict[str, Any], count: dict[str, Any], points: int) -> None:
        """Note a count that is made; a count that is asked for again replaces the one before."""
        key, actual = self.of_cards(shown, count)
        self.made.pop(key, None)
        self.made[key] = Declared(count["seat"], count["why"], points, actual)

    def of_cards(self, shown: dict[str, Any], count: dict[str, Any]) -> tuple[Key, int]:
        """Return what names a count, and the points of its cards."""
        pile = self.piles[count["seat"]]
        key = self.at.table.state.hand, count["seat"], count["why"], tuple(pile)
        return key, truth({**shown, "pile": pile}, count)


NOISE = 0.001
"""Win chances are rounded to this."""


class HonestEvening(Evening):
    """A table whose people count correctly, wait for counts, and call each error that they see."""

    async def act_at(self, seat: int, token: str, hand: dict[str, Any]) -> bool:
        """Do what the page of a seat asks for, but play no card while another count is due."""
        is_due = hand["to_count"] and hand["to_count"]["seat"] != seat
        return await super().act_at(seat, token, hand | {"ask": None} if is_due else hand)

    async def count(self, token: str, seat: int, shown: dict[str, Any], why: str) -> None:
        """Enter the points of the cards."""
        await self.enter(token, seat, truth(shown, {"seat": seat, "why": why}))

    async def answer(
        self, token: str, seat: int, shown: dict[str, Any], rival: dict[str, Any]
    ) -> None:
        """Call muggins if a computer has missed points."""
        missed = truth(shown, rival) - rival["points"]
        self.calls[self.setup.side_of(seat)] += missed > 0
        await self.enter(token, seat, max(0, missed))


def chance(state: State, before: State, side: int) -> float:
    """Return a side's chance to win at the stage of the deal in which a call was made."""
    return win_chances(structs.replace(state, counts_in_hand=before.counts_in_hand))[side] + (
        0 if state is before else NOISE
    )


def test_a_match_against_a_regular() -> None:
    """M1, M2, G6: to 7 games, each begun with Deal; a regular calls every error in the play."""
    played = play(Evening, ["person", "regular"], 0, match=True)
    games = check_pegs(played)
    assert games > 1
    assert played.refused
    check_counts(played, games=games)


def test_three_sides() -> None:
    """Two people and a child, who misses points, play: the first caller gets them."""
    played = play(Evening, ["person", "child", "person"], 2)
    check_pegs(played)
    calls = [e.command for e in played.at.entries if isinstance(e.command, Muggins)]
    assert {1, 2, 3} == {call.erring for call in calls}
    assert {1, 3} <= {call.by for call in calls}


@pytest.mark.parametrize("seed", range(4))
def test_playing_on_makes_every_count_once(seed: int) -> None:
    """M1: a count that was not entered is 0; undo and kill -9 lose no count, and add none."""
    played = play(QuickEvening, ["person", "person"], seed)
    _, entries = played.at.history.game
    pegs = [entry.command for entry in entries if isinstance(entry.command, Peg)]
    pegged = [(peg.side, peg.why, peg.points) for peg in pegs if peg.why in BY_CARDS]
    assert [made[:3] for made in played.made.values() if made.points] == pegged
    last = played.at.table.state.hand
    assert {key for key in played.asked if key[0] < last} <= played.made.keys()
    calls = [entry.command for entry in entries if isinstance(entry.command, Muggins)]
    called = Counter((call.erring, call.points, call.kind) for call in calls)
    assert called <= Counter(made.error for made in played.made.values())
    assert min(played.ahead, played.undone, played.restarts) > 0
    replayed = History(new_game(played.setup))
    for entry in played.at.entries:
        replayed.do(entry.command)
    assert played.at.table.state == replayed.state


@pytest.mark.parametrize(
    ("seats", "game_to"),
    [
        (["person", "child"], "122"),
        pytest.param(["person", "shark"], "whole", marks=pytest.mark.deep),
        (["person", "child", "regular"], "122"),
        pytest.param(["person", "child", "person"], "whole", marks=pytest.mark.deep),
        pytest.param(["person", "child", "shark", "regular"], "whole", marks=pytest.mark.deep),
        (["person", "person", "child", "child", "person", "regular"], "122"),
    ],
)
def test_an_evening_ends_and_no_call_lowers_the_callers_chance(
    seats: list[str], game_to: str
) -> None:
    """M1, M3, Z7: it ends; a computer calls only for its gain, and never beside a person."""
    finish = None if game_to == "whole" else int(game_to)
    rules = replace(PRESETS["crib-wars"], muggins="on", game_to=finish)
    setup = setup_for(len(seats), rules=rules)
    sides = [(setup.side_of(seat), kind) for seat, kind in enumerate(seats, start=1)]
    with_people = {side for side, kind in sides if kind == "person"}
    with_computers = {side for side, kind in sides if kind != "person"}
    evening = play(HonestEvening, seats, 3, setup)
    assert evening.at.table.state.winner is not None
    for before, entry in pairwise(evening.at.entries):
        match entry.command:
            case Muggins(by=side) if side not in with_people:
                assert chance(entry.state, before.state, side) >= chance(
                    before.state, before.state, side
                )
                landed = {event.kind for event in entry.events if event.side == side}
                assert not landed & {Kind.FOLDED, Kind.TRAPPED}
            case Muggins(erring=erring):
                assert erring in with_computers
            case MoveInBox(side=side) if side in with_people:
                assert before.state.is_to_move_in_box(side)
            case Overpeg():
                pytest.fail("nobody has counted too many")
    calls = [e.command for e in evening.at.entries if isinstance(e.command, Muggins)]
    assert sum(evening.calls.values()) >= sum(call.by in with_people for call in calls)
