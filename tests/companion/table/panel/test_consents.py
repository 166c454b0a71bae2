"""Consent of the people at the table: the queue of requests, holds of buttons, time-outs."""

import asyncio
from dataclasses import replace

import pytest

from companion.errors import ConsentError
from companion.rules.game import Command, Deal, Peg
from companion.table.panel.actions import HintKind
from companion.table.panel.consents import (
    REFUSAL_S,
    REQUEST_TIMEOUT_S,
    WAITING_LIMIT,
    ConsentRequest,
    Consents,
)
from companion.table.panel.modes import Idle
from companion.table.panel.panel import Panel
from hardware.debounce import Change
from tests.companion.table.bench import Bench, on_bench

ANNA = ConsentRequest(kind="score", name="Anna", button="1.enter", asker="a", network="a")
BERT = replace(ANNA, name="Bert", asker="b", network="b")


def names(consents: Consents) -> list[str]:
    """Return the names of the waiting requests, in their order."""
    return [each.name for each in consents.waiting]


def test_a_later_request_of_an_asker_takes_the_place_of_the_earlier() -> None:
    """It joins the end of the queue, so asking again delays nobody else."""
    consents, answers = Consents(), list[bool]()
    for request in (ANNA, BERT, replace(ANNA, name="Anna again")):
        consents.ask(request, 0.0, answers.append)
    assert (["Bert", "Anna again"], [False]) == (names(consents), answers)


def test_where_too_many_wait_a_network_that_asks_often_gives_way() -> None:
    """A stranger with many addresses in one network cannot keep other networks out."""
    consents = Consents()
    consents.ask(BERT, 0.0, lambda _: None)
    for n in range(2 * WAITING_LIMIT):
        mallory = replace(ANNA, name=f"{n}", asker=f"m{n}", network="m")
        consents.ask(mallory, 0.0, lambda _: None)
    assert WAITING_LIMIT == len(consents.waiting)
    assert "Bert" == names(consents)[0]
    consents.ask(replace(BERT, name="Cora", asker="c", network="c"), 0.0, lambda _: None)
    assert ["Bert", "Cora"] == [names(consents)[0], names(consents)[-1]]


def test_a_request_lapses() -> None:
    """Its answer is no, and its asker may ask again."""
    consents, answers = Consents(), list[bool]()
    number = consents.ask(ANNA, 5.0, answers.append)
    assert [5.0 + REQUEST_TIMEOUT_S] == list(consents.deadlines())
    consents.expire(4.0 + REQUEST_TIMEOUT_S)
    assert [] == answers
    consents.expire(5.0 + REQUEST_TIMEOUT_S)
    assert ([False], False) == (answers, consents.grant(number, held=True))
    consents.ask(ANNA, 6.0 + REQUEST_TIMEOUT_S, answers.append)


def test_an_asker_that_was_refused_is_blocked_for_a_while() -> None:
    """Other askers are not blocked."""
    consents, answers = Consents(), list[bool]()
    assert consents.refuse(consents.ask(ANNA, 0.0, answers.append), 10.0)
    with pytest.raises(ConsentError) as reported:
        consents.ask(ANNA, 11.0, answers.append)
    assert ([False], REFUSAL_S - 1) == (answers, reported.value.wait)
    consents.ask(BERT, 11.0, answers.append)
    consents.ask(ANNA, 10.0 + REFUSAL_S, answers.append)
    assert ["Bert", "Anna"] == names(consents)


@pytest.mark.parametrize(
    ("seconds", "commands", "left", "granted"),
    [(0.1, [Peg(side=1, points=6)], {}, False), (1.1, [], {1: 6}, True)],
)
@on_bench()
async def test_a_tap_counts_and_a_hold_consents(
    bench: Bench, seconds: float, commands: list[Command], left: dict[int, int], granted: bool
) -> None:
    """With a count pending, a tapped Enter only enters it, and a held one leaves it pending."""
    await bench.press("1.plus_five", "1.plus_one")
    _, answer = bench.table.ask(ANNA)
    await bench.press("1.enter", seconds=seconds)
    pending = {side: each.points for side, each in bench.table.panel.counts.by_side.items()}
    assert (commands, left) == (bench.journal.commands, pending)
    assert granted == answer.done()
    assert granted == (bench.hint is HintKind.LET_IN)
    if commands:
        await bench.answer()


@on_bench()
async def test_a_hold_consents_to_the_request_that_was_asked_when_it_began(bench: Bench) -> None:
    """A request that replaces it meanwhile needs a hold of its own."""
    first, _ = bench.table.ask(ANNA)
    _, later = bench.table.ask(BERT)
    await bench.move("1.enter", down=True)
    bench.table.consent(first, granted=False)
    await bench.wait(1.1)
    await bench.move("1.enter", down=False)
    assert not later.done()
    await bench.press("1.enter", seconds=1.1)
    assert later.result()
    assert [] == bench.journal.commands


@on_bench()
async def test_another_key_of_the_side_ends_a_tap_of_enter(bench: Bench) -> None:
    """If the next key is pressed before Enter is released, it belongs to the next count."""
    bench.table.ask(ANNA)
    await bench.press("1.plus_five")
    await bench.move("1.enter", down=True)
    await bench.press("1.plus_one")
    await bench.move("1.enter", down=False)
    assert [Peg(side=1, points=5)] == bench.journal.commands
    assert 1 == bench.table.panel.counts.by_side[1].points
    await bench.answer()


@pytest.mark.parametrize("button", ["2.enter", "deal", "1.undo", "1.plus_one"])
@on_bench()
async def test_only_the_button_that_a_request_names_consents(bench: Bench, button: str) -> None:
    """Other buttons, however long they are held, and score pads do not consent."""
    _, answer = bench.table.ask(ANNA)
    await bench.press(button, seconds=1.1)
    bench.table.tap("1.enter", held=1.1)
    assert not answer.done()
    for _ in bench.journal.commands:
        await bench.answer()


@on_bench()
async def test_deal_is_taken_on_release_while_it_is_asked_for(bench: Bench) -> None:
    """A hold of Deal consents without dealing; a tap deals."""
    _, answer = bench.table.ask(replace(ANNA, kind="run", button="deal"))
    await bench.press("deal")
    assert ([Deal()], False) == (bench.journal.commands, answer.done())
    await bench.answer()
    await bench.press("deal", seconds=1.1)
    assert ([Deal()], True) == (bench.journal.commands, answer.result())


@on_bench()
async def test_the_table_answers_a_request_that_lapses(bench: Bench) -> None:
    """It does so without any press."""
    number, answer = bench.table.ask(ANNA)
    assert [number] == [each.number for each in bench.table.panel.consents.waiting]
    await bench.wait(REQUEST_TIMEOUT_S)
    assert (False, ()) == (await asyncio.wait_for(answer, 5), bench.table.panel.consents.waiting)


@pytest.mark.parametrize("seconds", [0.1, 1.5])
def test_a_hold_at_a_sleeping_board_consents_and_wakes_it(seconds: float) -> None:
    """One hold is enough, as people do not check whether the board sleeps. A tap only wakes it."""
    panel = Panel(Bench().table.state, actions={}, lanes=3, idle=Idle(sleep_after=5))
    panel.tick(6)
    answers = list[bool]()
    panel.consents.ask(ANNA, 6.0, answers.append)
    panel.press(Change(button="1.enter", down=True, t=7.0))
    given = panel.tick(7.0 + seconds)
    assert (False, int(seconds >= 1)) == (panel.idle.asleep, len(given))
    assert [] == panel.press(Change(button="1.enter", down=False, t=7.0 + seconds))
