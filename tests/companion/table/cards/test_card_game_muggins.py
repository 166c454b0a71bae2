"""Muggins at a table with cards: who may enter points when, and what an undo takes back."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import pytest
from msgspec import structs

from companion.errors import RuleError
from companion.players import Player, Regular
from companion.rules.deal import Phase
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import (
    CountKind,
    HouseRules,
    Muggins,
    Overpeg,
    Peg,
    SetPegs,
    Undo,
    new_game,
)
from companion.table.cards.declared_counts import DeclaredCounts
from companion.table.panel.actions import HintKind
from tests.companion.rules.cards.slow_count import slow_play
from tests.companion.table.cards.dealt import CardTable, at_cards, until
from tests.support.card_games import setup_for
from tests.support.scenes import run_by

ON = HouseRules(board="classic", muggins="on", muggins_counts="missed-and-overcalled")


class People:
    """Two people at a table, who play the first cards that may be played."""

    def __init__(self, table: CardTable) -> None:
        self.table, self.game = table, table.game
        self.counts = table.game.counts

    def tap(self, side: int, points: int) -> HintKind | None:
        """Enter points with the side's buttons. Return the kind of the last hint."""
        hint = None
        for key in ["plus_one"] * points + ["enter"]:
            hint = self.table.table.tap(f"{side}.{key}").hint or hint
        return hint.kind if hint else None

    async def awaited(self, *, least: int = 0) -> DeclaredCount:
        """Return the next count of `least` points or more; enter the counts before it correctly."""
        while True:
            await until(self.acts)
            count = self.counts.awaited
            assert count
            if count.actual >= least:
                return count
            await self.enter(count, count.actual)

    def acts(self) -> bool:
        """Play a card or let a count pass, if that is due. Return True once a count is awaited."""
        game, seat = self.game, self.game.awaited
        if self.counts.awaited:
            return True
        if seat is not None and game.hand is not None:
            own = game.hand.hand(seat)
            in_play = game.hand.phase is Phase.PLAY
            with suppress(RuleError):
                game.answer(seat, game.hand.playable(seat)[:1] if in_play else own.cards[4:])
        else:
            for side in self.counts.undecided:
                self.tap(side, 0)
        return False

    async def enter(self, count: DeclaredCount, points: int) -> None:
        """Enter a count, and wait until others may call muggins on it."""
        assert self.tap(count.side, points) is None
        await until(lambda: self.counts.callers != frozenset())


Scene = Callable[[People], Awaitable[None]]


def muggins(
    scene: Scene,
    *,
    rules: HouseRules = ON,
    players: Mapping[int, Player | None] = MappingProxyType({1: None, 2: None}),
    front: int = 0,
) -> CardTable:
    """Run a scene in a game, by default of two people; it ends the game."""

    async def play(table: CardTable) -> None:
        table.table.start()
        playing = asyncio.create_task(table.game.run())
        try:
            await scene(People(table))
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            table.close()

    setup = setup_for(len(players), board=rules.board, rules=rules)
    state = new_game(setup)
    start = structs.replace(
        state, all_pegs=tuple(structs.replace(pegs, front=front) for pegs in state.all_pegs)
    )
    return at_cards(lambda: CardTable(players, setup=setup, start=start), play)


two_people = run_by(muggins)
"""Make a scene of two people a test."""


def other(count: DeclaredCount) -> int:
    """Return the side that did not make the count."""
    return 3 - count.side


@two_people
async def test_only_the_side_that_is_to_count_enters_points(people: People) -> None:
    """M1: the other side is refused. The points are pegged as entered; 0 pegs nothing."""
    count = await people.awaited()
    assert HintKind.NOT_TO_COUNT is people.tap(other(count), 1)
    assert {} == people.table.table.panel.counts.by_side
    await people.enter(count, 0)
    assert [] == pegs(people)
    count = await people.awaited(least=1)
    await people.enter(count, count.actual)
    assert (count.side, count.actual, count.why) == last_peg(people)


@run_by(muggins, rules=replace(ON, muggins="off"))
async def test_where_the_machine_counts_nothing_is_entered(people: People) -> None:
    """M4: when the machine counts, five and Enter are refused and no peg moves."""
    await until(lambda: people.game.awaited is not None)
    for side in (1, 2):
        assert HintKind.MACHINE_COUNTS is people.tap(side, 5)
    assert 0 == people.table.table.state.counts


def pegs(people: People) -> list[Peg]:
    """Return the counts of cards in the running game."""
    commands = [entry.command for entry in people.table.entries]
    return [each for each in commands if isinstance(each, Peg) and each.why is not CountKind.GO]


def last_peg(people: People) -> tuple[int, int, CountKind | None]:
    """Return the last count of cards."""
    peg = pegs(people)[-1]
    return peg.side, peg.points, peg.why


@pytest.mark.parametrize("rules", [ON, replace(ON, muggins_counts="missed")])
@two_people
async def test_points_too_many_are_taken_back(people: People, rules: HouseRules) -> None:
    """M2, N11: a call takes them back; the caller gets them only by the house rule."""
    count = await people.awaited(least=1)
    await people.enter(count, count.actual + 2)
    front = people.table.table.state.progress(count.side)
    assert people.tap(other(count), 2) is None
    await people.table.table.queue.settled()
    command = people.table.entries[-1].command
    assert isinstance(command, Muggins if rules is ON else Overpeg)
    assert front - 2 == people.table.table.state.progress(count.side)


@two_people
async def test_a_wrong_call_is_the_last_of_its_side(people: People) -> None:
    """M1: a side cannot find the points by trying, and the game goes on."""
    count = await people.awaited(least=2)
    await people.enter(count, count.actual - 2)
    assert HintKind.REFUSED is people.tap(other(count), 1)
    assert HintKind.MACHINE_COUNTS is people.tap(other(count), 2)
    assert not any(isinstance(e.command, Muggins) for e in people.table.entries)
    await people.awaited()


@two_people
async def test_a_count_taken_back_is_entered_again(people: People) -> None:
    """Undo takes the last count back as always; then the side enters it again."""
    count = await people.awaited(least=1)
    await people.enter(count, count.actual + 1)
    people.table.table.tap(f"{count.side}.undo")
    await until(lambda: people.counts.awaited is not None)
    again = people.counts.awaited
    assert again == count
    await people.enter(again, count.actual)
    assert (count.side, count.actual, count.why) == last_peg(people)


@two_people
async def test_a_call_taken_back_can_be_made_again(people: People) -> None:
    """After the undo the count is open to calls as before."""
    count = await people.awaited(least=1)
    await people.enter(count, count.actual - 1)
    front = people.table.table.state.progress(other(count))
    for _ in range(2):
        assert people.tap(other(count), 1) is None
        await people.table.table.queue.settled()
        assert front + 1 == people.table.table.state.progress(other(count))
        await people.table.table.execute(Undo())
        await until(lambda: people.counts.callers != frozenset())
    assert front == people.table.table.state.progress(other(count))


def missed(count: DeclaredCount) -> Muggins:
    """Return the call of two points missed in a count."""
    return Muggins(
        erring=count.side,
        by=other(count),
        points=2,
        where="play" if count.why is CountKind.PLAY else "show",
        kind="missed",
    )


@two_people
async def test_a_referees_muggins_is_checked_against_the_cards(people: People) -> None:
    """M1, M3: its sides, points and kind must fit the cards; points may be given back."""
    count = await people.awaited(least=2)
    right = missed(count)
    with pytest.raises(RuleError, match="no count"):
        people.counts.check(right)
    await people.enter(count, count.actual - 2)
    for wrong in (
        structs.replace(right, points=1),
        structs.replace(right, erring=right.by, by=right.erring),
        structs.replace(right, where="show" if right.where == "play" else "play"),
    ):
        with pytest.raises(RuleError):
            people.counts.check(wrong)
    people.counts.check(structs.replace(right, given_back=True))
    assert frozenset() == people.counts.callers


@pytest.mark.parametrize("rules", [ON, replace(ON, given_back="nobody")])
@two_people
async def test_points_given_back_are_called_once(people: People, rules: HouseRules) -> None:
    """M3: this holds even if nobody pegs them. After an undo they may be called again."""
    count = await people.awaited(least=2)
    await people.enter(count, count.actual - 2)
    before = people.table.table.state
    await people.game.enter(other(count), 2, given_back=True)
    assert structs.replace(missed(count), given_back=True) == people.table.entries[-1].command
    gained = 2 if rules is ON else 0
    after = people.table.table.state
    assert gained == after.progress(count.side) - before.progress(count.side)
    assert HintKind.MACHINE_COUNTS is people.tap(other(count), 2)
    with pytest.raises(RuleError, match="no count"):
        people.counts.check(missed(count))
    await people.table.table.execute(Undo())
    assert people.tap(other(count), 2) is None
    await people.table.table.queue.settled()
    assert missed(count) == people.table.entries[-1].command


@pytest.mark.parametrize(
    ("players", "front", "called"),
    [
        ({1: None, 2: Regular()}, 100, True),
        ({1: None, 2: Regular()}, 20, False),  # two points end in a penalty box
        ({1: None, 2: Regular(), 3: None, 4: None}, 100, False),  # its partner may call
    ],
)
def test_a_computer_calls_for_its_gain(
    players: Mapping[int, Player | None], front: int, *, called: bool
) -> None:
    """M3: it looks where the points land. It leaves the calls of a person's side to the person."""

    async def scene(people: People) -> None:
        count = await people.awaited(least=2)
        while count.side != 1:
            await people.enter(count, count.actual)
            count = await people.awaited(least=2)
        await people.table.table.execute(SetPegs(side=2, front=front, back=front))
        await until(lambda: people.counts.awaited == count)
        people.tap(1, count.actual - 2)
        await people.awaited()
        calls = [e.command for e in people.table.entries if isinstance(e.command, Muggins)]
        assert ([missed(count)] if called else []) == calls

    rules = HouseRules(muggins="on")
    muggins(scene, rules=rules, players=players, front=100)


@two_people
async def test_a_count_made_before_a_restart_is_open_to_calls(people: People) -> None:
    """M1: a right call takes the points once, even if another restart follows it."""
    count = await people.awaited(least=2)
    await people.enter(count, count.actual - 2)
    made = people.counts.open
    assert made
    restarted = DeclaredCounts(people.table.table, {1: 1, 2: 2})
    restarted.restore(made)
    assert restarted.offer(replace(made))
    assert frozenset({other(count)}) == restarted.callers
    command = restarted.call(other(count), 2)
    await people.table.table.execute(command)
    after = DeclaredCounts(people.table.table, {1: 1, 2: 2})
    after.restore(made)
    assert frozenset() == after.callers


def test_once_the_cards_are_put_away_every_side_enters_counts() -> None:
    """Sides enter counts of their own again: five and Enter are a count."""

    async def play(table: CardTable) -> None:
        table.table.start()
        playing = asyncio.create_task(table.game.run())
        await until(lambda: table.game.awaited is not None)
        people = People(table)
        assert HintKind.MACHINE_COUNTS is people.tap(1, 5)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        assert people.tap(1, 5) is None
        assert 5 == table.table.state.progress(1)
        table.close()

    setup = setup_for(2, board="classic", rules=replace(ON, muggins="off"))
    at_cards(lambda: CardTable({1: None, 2: None}, setup=setup), play)


# Acts that end the wait for a count


async def until_ahead(people: People, *, plays_on: bool = True) -> DeclaredCount:
    """Play until a count waits and the next seat may play ahead: an opponent, or the same side."""
    while True:
        count = await people.awaited()
        ahead = people.game.next_hand
        assert ahead
        if ahead.turn and (ahead.turn != count.seat) is plays_on:
            return count
        await people.enter(count, count.actual)


async def until_card_closes(people: People) -> DeclaredCount:
    """Count too much until an opponent's first card of a new pile would end the wait for calls."""
    while True:
        count = await people.awaited()
        hand = people.game.next_hand
        assert hand
        await people.enter(count, count.actual + 1)
        if not hand.pile and hand.turn == other(count) and people.counts.undecided:
            return count


def play_ahead(people: People) -> int:
    """Play the first card of the seat that may play while a count waits; return the seat."""
    hand = people.game.next_hand
    assert hand
    assert hand.turn
    assert people.game.awaits(hand.turn)
    people.game.answer(hand.turn, hand.playable(hand.turn)[:1])
    assert not people.game.awaits(hand.turn)
    return hand.turn


def awaits(people: People, count: DeclaredCount) -> bool:
    """Return True if people wait for this count."""
    return people.counts.awaited == count


def told(people: People) -> list[str]:
    """Return the lines about counts that can no longer be called."""
    return [line for line in people.table.lines if "to count" in line]


@two_people
async def test_the_next_card_counts_what_was_not_entered_as_nothing(people: People) -> None:
    """M1: an opponent's card does so; nothing is pegged."""
    count = await until_ahead(people)
    before = pegs(people)
    seat = play_ahead(people)
    await until(lambda: people.counts.awaited not in (None, count))
    again = people.counts.awaited
    assert again
    assert (seat, before) == (again.seat, pegs(people))
    assert replace(count, declared=0) == people.counts.open
    assert {other(count)} - {seat} == people.counts.callers


@two_people
async def test_a_sides_own_card_waits_for_its_count(people: People) -> None:
    """M1: after a go one tap cannot give away the own points; once they are entered, it plays."""
    count = await until_ahead(people, plays_on=False)
    hand = people.game.next_hand
    assert hand
    assert not people.game.awaits(count.seat)
    with pytest.raises(RuleError):
        people.game.answer(count.seat, hand.playable(count.seat)[:1])
    assert count == people.counts.awaited
    await people.enter(count, count.actual)
    await until(lambda: people.game.awaits(count.seat))


@pytest.mark.parametrize("by_card", [True, False])
@two_people
async def test_counts_after_an_undone_count_are_entered_again(
    people: People, by_card: bool
) -> None:
    """M1: counts that became 0 too, the oldest first; the cards played since stay played."""
    first = await people.awaited()
    while True:
        await people.enter(first, first.actual)
        second = await people.awaited()
        peg = people.table.entries[-1].command
        is_first = peg == Peg(side=first.side, points=first.actual, why=CountKind.PLAY)
        if is_first and people.game.awaits(other(second)):
            break
        first = second
    asked = [first, second]
    if by_card:
        play_ahead(people)
        await until(lambda: people.counts.awaited not in (None, second))
        asked += filter(None, [people.counts.awaited])
    else:
        await people.game.enter(other(second), 0, seat=second.seat)
        await until(lambda: people.counts.open == replace(second, declared=0))
    hand, before = people.game.hand, len(pegs(people))
    await people.table.table.execute(Undo())
    for each in asked:
        await until(partial(awaits, people, each))
        pile = list(map(str, people.counts.pile))
        assert each.actual == sum(points for _, points in slow_play(pile))
        await people.enter(each, each.actual)
        people.tap(other(each), 0)
    assert hand
    assert people.game.hand
    assert hand.pile == people.game.hand.pile
    again = [peg.points for peg in pegs(people)[before:]]
    assert [each.actual for each in asked if each.actual] == again


@two_people
async def test_the_next_card_lets_a_count_stand(people: People) -> None:
    """M1: after 31 or a go nobody goes on first; a line tells what a wrong count was worth."""
    await until_card_closes(people)
    before = len(told(people))
    play_ahead(people)
    await until(lambda: len(told(people)) > before)
    assert frozenset() == people.counts.callers
    assert "had" in told(people)[-1]


@two_people
async def test_presses_are_not_overtaken(people: People) -> None:
    """A side that has begun to press its points keeps its count: the next card is refused."""
    count = await until_ahead(people)
    people.table.table.tap(f"{count.side}.plus_one")
    with pytest.raises(RuleError, match="is entering its count"):
        play_ahead(people)
    people.table.table.tap(f"{count.side}.enter")
    await until(lambda: people.counts.callers != frozenset())
    assert (count.side, 1, count.why) == last_peg(people)


@two_people
async def test_a_page_lets_a_count_be_nothing_and_calls_it(people: People) -> None:
    """M1: an opponent who names the count ends the wait for it; points for another are refused."""
    count = await people.awaited(least=2)
    by = other(count)
    with pytest.raises(RuleError, match="waits no longer"):
        await people.game.enter(count.side, 2, seat=by)
    assert HintKind.NOT_TO_COUNT is people.tap(by, 0)
    await people.game.enter(by, 0, seat=count.seat)
    await until(lambda: people.counts.callers == frozenset({by}))
    assert [] == told(people)
    await people.game.enter(by, count.actual, seat=count.seat)
    call = people.table.entries[-1].command
    assert structs.replace(missed(count), points=count.actual) == call


@two_people
async def test_an_undo_takes_a_card_ahead_back(people: People) -> None:
    """A card that let a count stand is asked for again if the count is undone before it lies."""
    count = await until_card_closes(people)
    seat = play_ahead(people)
    people.table.table.tap(f"{count.side}.undo")
    await until(lambda: people.counts.awaited == count)
    assert people.game.awaits(seat)
    await people.enter(count, count.actual)
    assert people.game.awaits(seat) or not people.counts.undecided
