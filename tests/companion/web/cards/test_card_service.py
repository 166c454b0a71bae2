"""A game of cards at the running table begins, and ends without a trace."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from companion.errors import BadInputError, RuleError
from companion.rules.cards import cards
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Claim, CountKind, NewGame, Peg
from companion.web.cards.card_responses import CardsAsked
from companion.web.cards.card_service import CardService, NoHandError
from companion.worker import Worker
from tests.companion.table.cards.dealt import CardTable
from tests.support.limits import TIMEOUT_S, until
from tests.support.services import live_settings


class Party:
    """A table with cards to deal, in an event loop."""

    def __init__(self, broker: str = "") -> None:
        self.at = CardTable({1: None, 2: None})
        self.fails, self.worker = False, Worker("thinking")
        self._changed = asyncio.Event()
        live = live_settings({"demo": {"speed": 100}, "night": {"broker": broker}})
        self.cards = CardService(self.at.table, live, self.worker, changed=self._change)

    def _change(self) -> None:
        self._changed.set()
        if self.fails:
            self.fails = False
            raise OSError("the reader has gone")

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until a condition is true, checked after each change."""
        await until(true, self._changed)


def at_party(scene: Callable[[Party], Coroutine[Any, Any, None]], broker: str = "") -> None:
    """Run a scene in an event loop; it must leave no task and no thread."""

    async def play() -> None:
        party = Party(broker)
        party.at.table.start()
        await scene(party)
        await party.cards.close()
        assert {asyncio.current_task()} == asyncio.all_tasks()
        party.worker.close()
        party.at.close()

    before = set(threading.enumerate())
    asyncio.run(play())
    for thread in set(threading.enumerate()) - before:
        thread.join(TIMEOUT_S)
    assert set(threading.enumerate()) <= before


def test_each_person_has_a_token_of_its_own() -> None:
    """It cannot be guessed, and differs in each game; computers have none."""

    async def scene(party: Party) -> None:
        first = party.cards.begin(["person", "person"])
        party.cards.end()
        second = party.cards.begin(["child", "person"])
        tokens = {*first.values(), *second.values()}
        assert (3, {22}) == (len(tokens), set(map(len, tokens)))
        assert [{1, 2}, {2}] == [set(first), set(second)]
        with pytest.raises(NoHandError):
            party.cards.hand(first[1])
        assert 2 == party.cards.hand(second[2]).seat

    at_party(scene)


def test_a_hand_tells_what_is_asked() -> None:
    """T3: people discard in any order, and who has discarded is not asked again."""

    async def scene(party: Party) -> None:
        tokens = party.cards.begin(["person", "person"])
        with pytest.raises(RuleError, match="wait a moment"):
            party.cards.play(tokens[1], ())
        await party.until(lambda: party.cards.news() and party.cards.hand(tokens[1]).awaited)
        chosen = {}
        for seat, token in tokens.items():
            hand = party.cards.hand(token)
            shown = hand.shown
            assert shown is not None
            own = next(one for one in shown.hands if one.seat == seat)
            chosen[seat] = [str(card.card) for card in own.cards]
            ask = CardsAsked(purpose="discard", cards=2, under_deck=False, choice=chosen[seat])
            assert ask == hand.ask
        later = 3 - (party.cards.hand(tokens[1]).awaited or 0)
        party.cards.play(tokens[later], cards(" ".join(chosen[later][:2])))
        assert party.cards.hand(tokens[later]).ask is None

    at_party(scene)


def test_who_cannot_sit_is_refused() -> None:
    """There must be one known kind for each seat; else nothing begins."""

    async def scene(party: Party) -> None:
        for seats in (["person"], ["person"] * 3, []):
            with pytest.raises(RuleError):
                party.cards.begin(seats)
        for seats in (["person", "robot"], ["person", ""]):
            with pytest.raises(BadInputError):
                party.cards.begin(seats)
        assert party.cards.news() is None

    at_party(scene)


def test_cards_are_dealt_once_and_at_a_game_that_goes_on() -> None:
    """They are not dealt during a deal, in the demo, or after the win."""

    async def scene(party: Party) -> None:
        def refused() -> str:
            with pytest.raises(RuleError) as refusal:
                party.cards.begin(["child", "person"])
            return str(refusal.value)

        party.cards.begin(["child", "person"])
        assert "end that game" in refused()
        party.cards.end()
        party.at.table.demo(on=True)
        assert "the demo plays" in refused()
        party.at.table.demo(on=False)
        await party.at.table.execute(Peg(side=1, points=1))
        await party.at.table.execute(Claim(rule="N10", by=1, game_to=2))
        assert "press Deal" in refused()

    at_party(scene)


def test_the_next_game_is_dealt_to_the_same_people() -> None:
    """After a win no card is awaited; a new game keeps the links, without a cut."""

    async def scene(party: Party) -> None:
        tokens = party.cards.begin(["person", "person"])
        hand = partial(party.cards.hand, tokens[1])
        await party.until(lambda: hand().awaited)
        await party.at.table.execute(Claim(rule="N10", by=1, game_to=2))
        await party.until(lambda: hand().awaited is None)
        await party.at.table.execute(NewGame(dealer=2))
        await party.until(lambda: hand().awaited)
        assert (2, 2) == (party.at.table.state.first_dealer, party.at.table.state.dealer)

    at_party(scene)


def test_a_new_game_of_other_sides_puts_the_cards_away() -> None:
    """T1: the cards belonged to the former seats."""

    async def scene(party: Party) -> None:
        tokens = party.cards.begin(["person", "person"])
        await party.until(lambda: party.cards.hand(tokens[1]).awaited)
        await party.at.table.execute(Claim(rule="N10", by=1, game_to=2))
        await party.at.table.execute(NewGame(sides=(1, 3)))
        await party.until(lambda: party.cards.news() is None)
        with pytest.raises(NoHandError):
            party.cards.play(tokens[1], ())

    at_party(scene)


def test_a_fault_is_a_notice(caplog: pytest.LogCaptureFixture) -> None:
    """The table goes on with a notice that refers to the log, which has the fault."""

    async def scene(party: Party) -> None:
        party.cards.begin(["person", "person"])
        party.fails = True
        await party.until(lambda: party.cards.news() is None)
        await asyncio.sleep(0)
        assert "the game of cards has stopped" in str(party.at.table.notices.lines[-1])
        assert party.cards.begin(["person", "child"])

    at_party(scene)
    assert "the reader has gone" in caplog.text


@pytest.mark.parametrize("broker", ["", "mqtt://night.local"])
def test_what_a_count_was_worth_is_not_told_at_a_game_night(broker: str) -> None:
    """M1: at home a line tells it when the wrong count can no longer be called."""

    async def scene(party: Party) -> None:
        tokens = party.cards.begin(["person", "person"])
        await party.until(lambda: party.cards.game)
        assert party.cards.game
        counts = party.cards.game.counts
        counts.open = DeclaredCount(side=1, seat=1, why=CountKind.PLAY, actual=2, declared=0)
        counts.let_stand()
        told = "had two to count" in str(party.cards.hand(tokens[1]).lines)
        assert told is not bool(broker)

    at_party(scene, broker)
