"""Evenings at which people play on instead of entering each count and letting each count stand.

Independent oracle: the test counts each card and each hand slowly when it lies, and notes what its
people entered, or nothing if they played on. At the end, the pegs and calls must be those.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from companion.errors import RuleError
from companion.rules.cards import cards
from companion.rules.game import History, Muggins, Peg, Undo, new_game
from tests.companion.web.cards.test_muggins_evening import BY_CARDS, Declared, Evening, truth
from tests.support.limits import until

Key = tuple[int, int, str, tuple[str, ...]]
"""Hand, seat, kind and pile of a count."""


class QuickEvening(Evening):
    """Evening of people who enter a count or play on, as chance has it.

    Sometimes somebody takes the last command back, or the program is killed and starts again from
    what the journal has. `made` has the counts that stand, in order, by their cards, and `piles`
    has the pile up to the last card of each seat.
    """

    def __init__(self, seats: list[str], seed: int) -> None:
        super().__init__(seats, seed)
        self.made: dict[Key, Declared] = {}
        self.piles: dict[int, list[str]] = {}
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
        """Take the last command back; if it is a count of cards, it is no longer made.

        A count is not undone if its seat has played since: no page says which of the two is asked.
        """
        last = self.at.history.last
        undone = last and last.command
        if isinstance(undone, Peg) and undone.why in BY_CARDS:
            count = undone.side, undone.why, undone.points
            key = [key for key, made in self.made.items() if made[:3] == count][-1]
            if undone.why == "play" and key[-1] != tuple(self.piles[undone.side]):
                return
            del self.made[key]
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
        for each in shown["hands"] if shown else ():
            if {card["card"] for card in each["cards"] if card["played"]} & {*shown["pile"][-1:]}:
                self.piles[each["seat"]] = shown["pile"]
        if ask and (not count or self.rng.random() < 0.4):
            self.choose(token, seat, hand)
            return True
        if count and seat in count["enders"] and self.rng.random() < 0.1:
            with suppress(RuleError):
                await self.cards.enter(token, 0, of=count["seat"])
                self.note(shown, count, 0)
            return True
        return await super().act_at(seat, token, {**hand, "ask": None})

    def choose(self, token: str, seat: int, hand: dict[str, Any]) -> None:
        """Choose cards by chance; a card that is played ahead makes the count that waits 0."""
        ask = hand["ask"]
        chosen = self.rng.sample(ask["choice"], ask["cards"])
        self.cards.play(token, cards(" ".join(chosen)))
        if ask["for"] == "play":
            self.piles[seat] = []  # until the card lies
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
        pile = self.piles[count["seat"]] if count["why"] == "play" else []
        key = self.at.table.state.hand, count["seat"], count["why"], tuple(pile)
        return key, truth({**shown, "pile": pile}, count)


@pytest.mark.parametrize("seed", range(4))
def test_playing_on_makes_every_count_once(seed: int) -> None:
    """M1: a count that was not entered is 0; undo and kill -9 lose no count, and add none."""

    async def scene() -> QuickEvening:
        evening = QuickEvening(["person", "person"], seed)
        await evening.play(match=False)
        await evening.at.table.queue.settled()
        await evening.close()
        return evening

    played = asyncio.run(scene())
    _, entries = played.at.history.game
    pegs = [entry.command for entry in entries if isinstance(entry.command, Peg)]
    pegged = [(peg.side, peg.why, peg.points) for peg in pegs if peg.why in BY_CARDS]
    assert [made[:3] for made in played.made.values() if made.points] == pegged
    calls = [entry.command for entry in entries if isinstance(entry.command, Muggins)]
    called = Counter((call.erring, call.points, call.kind) for call in calls)
    assert called <= Counter(made.error for made in played.made.values())
    assert min(played.ahead, played.undone, played.restarts) > 0
    replayed = History(new_game(played.setup))
    for entry in played.at.entries:
        replayed.do(entry.command)
    assert played.at.table.state == replayed.state
