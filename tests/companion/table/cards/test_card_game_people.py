"""People at a table with cards: their answers, and changes by others in between."""

import asyncio
from functools import partial

import pytest

from companion.errors import RuleError
from companion.players import Player
from companion.rules.cards import Card, cards
from companion.rules.deal import Phase
from companion.rules.game import (
    Claim,
    Command,
    Deal,
    Entry,
    History,
    HouseRules,
    Peg,
    Penalty,
    Undo,
    new_game,
)
from tests.companion.table.cards.dealt import CardTable, Scene, at_cards, until
from tests.support.card_games import children, setup_for
from tests.support.scenes import run_by


class Person:
    """Person at a seat who answers with the first legal cards, if `ahead` before its turn."""

    def __init__(self, table: CardTable, seat: int, *, ahead: bool) -> None:
        self._table, self._seat, self._ahead = table, seat, ahead
        self._thrown: tuple[Card, ...] = ()
        self.answers = 0

    def poll(self) -> None:
        """Answer if it is time."""
        game, seat = self._table.game, self._seat
        if game.hand is None or not (game.awaited == seat or self._ahead):
            return
        own = game.hand.hand(seat).cards
        if game.hand.phase is Phase.DISCARD and len(own) > 4 and own != self._thrown:
            self._thrown = own
            self._answer(own[4:])
        elif game.hand.phase is Phase.PLAY and game.awaited == seat:
            self._answer(game.hand.playable(seat)[:1])

    def _answer(self, chosen: tuple[Card, ...]) -> None:
        self.answers += 1
        self._table.game.answer(self._seat, chosen)


@pytest.mark.parametrize("ahead", [False, True])
def test_people_and_computers_play_together(ahead: bool) -> None:
    """People answer with their cards; they may discard before their turn."""
    people: list[Person] = []

    async def scene(table: CardTable) -> None:
        people.extend(Person(table, seat, ahead=ahead) for seat in (1, 2))

        def poll() -> None:
            for person in people:
                person.poll()

        table.on_change = poll
        await table.play()

    players: dict[int, Player | None] = {**children(4, 1), 1: None, 2: None}
    setup = setup_for(4, rules=HouseRules(muggins="off"))
    table = at_cards(lambda: CardTable(players, setup=setup, seed=5), scene)
    assert table.table.state.winner is not None
    assert min(person.answers for person in people) > 20


def waiting(
    scene: Scene,
    *,
    before: tuple[Deal | Peg, ...] = (),
    people: tuple[int, ...] = (1,),
    awaited: int = 1,
) -> CardTable:
    """Run a scene from the moment at which a person must discard; it ends the game."""
    history = History(new_game(setup_for(2)))
    for command in before:
        history.do(command)

    async def from_then_on(table: CardTable) -> None:
        table.table.start()
        playing = asyncio.create_task(table.game.run())
        await until(lambda: table.game.awaited == awaited)
        try:
            await scene(table)
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            table.close()

    players: dict[int, Player | None] = {**children(2, 1), **dict.fromkeys(people)}
    return at_cards(lambda: CardTable(players, start=history.state), from_then_on)


def refused(table: CardTable, seat: int, chosen: tuple[Card, ...]) -> str | None:
    """Return the rule by which an answer is refused."""
    with pytest.raises(RuleError) as refusal:
        table.game.answer(seat, chosen)
    return refusal.value.rule


@run_by(waiting)
async def test_what_the_rules_refuse_changes_nothing(table: CardTable) -> None:
    """Too few cards, cards or a seat of others, and a second answer are refused with the rule."""
    hand = table.game.hand
    assert hand is not None
    own, others = hand.hand(1).cards, hand.hand(2).cards
    assert "T3" == refused(table, 1, own[:1])
    assert "T3" == refused(table, 1, (own[0], own[0]))
    assert "T3" == refused(table, 1, (own[0], hand.deck[0]))
    assert "T1" == refused(table, 2, others[:2])
    assert "T1" == refused(table, 7, own[:2])
    assert (1, hand) == (table.game.awaited, table.game.hand)
    table.game.answer(1, own[4:])
    assert "P1" == refused(table, 1, own[4:])
    await until(lambda: table.game.hand is not hand and table.game.awaited == 1)
    assert table.game.hand is not None
    assert own[:4] == table.game.hand.hand(1).cards
    assert "P1" == refused(table, 1, own[4:5])
    assert "P1" == refused(table, 1, own[:2])
    assert "P1" == refused(table, 1, ())


@run_by(partial(at_cards, lambda: CardTable({1: None, 2: None})))
async def test_before_the_cards_nobody_can_answer(table: CardTable) -> None:
    """Before the deal there is no hand to answer from."""
    assert "T1" == refused(table, 1, cards("AS 2S"))
    table.close()


# What others do at the table


@run_by(waiting)
async def test_a_game_that_is_given_away_does_not_wait_for_a_card(table: CardTable) -> None:
    """N10: a claim ends the game while a person thinks."""
    hand = table.game.hand
    await table.table.execute(Claim(rule="N10", by=1, game_to=2))
    await until(lambda: table.game.hand is not hand)
    assert table.game.hand is not None
    assert Phase.OVER is table.game.hand.phase
    assert 2 == table.table.state.winner


@run_by(waiting, before=(Peg(side=1, points=1), Deal()) * 2, people=(1, 2), awaited=2)
async def test_cards_put_away_take_early_discards_with_them(table: CardTable) -> None:
    """T2: after Deal is pressed, early discards of the old hand do not count in the new one."""
    old = table.game.hand
    assert old is not None
    assert 1 == old.seating.dealer
    table.game.answer(1, old.hand(1).cards[4:])
    # Two deals at once return to the same dealer, so that seat 2 is the next to be asked.
    pressed: list[Command] = [Peg(side=1, points=1), Deal()] * 2
    await asyncio.gather(*map(table.table.execute, pressed))
    await until(lambda: table.game.hand is not old and table.game.awaited == 2)
    new = table.game.hand
    assert new is not None
    assert (6, 1) == (len(new.hand(1).cards), new.seating.dealer)
    table.game.answer(1, new.hand(1).cards[4:])


@run_by(waiting)
async def test_a_penalty_meanwhile_leaves_the_person_to_think(table: CardTable) -> None:
    """N: the pegs move, the same card is still awaited, and early answers remain valid."""
    hand = table.game.hand
    assert hand is not None
    await table.table.execute(Penalty(rule="N12", by=1, taken=(2,)))
    await until(lambda: table.game.awaited == 1)
    assert hand is table.game.hand
    table.game.answer(1, hand.hand(1).cards[4:])
    await until(lambda: table.game.hand is not hand)
    assert 2 == table.table.state.pegs(2).front


@pytest.mark.parametrize("command", [Undo(), Deal(), Penalty(rule="N12", by=1, taken=(2,))])
def test_what_comes_before_a_count_does_not_stop_the_game(command: Undo | Deal | Penalty) -> None:
    """While a ghost is shown, others may change the game, which still goes on to its win."""

    async def scene(table: CardTable) -> None:
        left = iter(range(10))
        requested: set[asyncio.Task[Entry]] = set()

        def disturb() -> None:
            pending = table.table.display.view.pending
            if pending and table.table.state.counts and next(left, None) is not None:
                requested.add(asyncio.create_task(table.table.execute(command)))

        table.time.on_sleep = disturb
        await table.play()
        await asyncio.gather(*requested)
        assert len(requested) == 10

    table = at_cards(lambda: CardTable(children(2, 8)), scene)
    assert table.table.state.winner is not None
