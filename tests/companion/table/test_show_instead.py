"""Other views on the table's lights, and counts that do not come from presses."""

import asyncio

import pytest

from companion.errors import RuleError, Text
from companion.lights import View
from companion.rules.game import Deal, Peg, State, Undo, new_game
from tests.companion.table.bench import Bench, at_table
from tests.support.card_games import setup_for

STANDS = (Peg(side=1, points=7), Peg(side=2, points=3))


def other() -> View:
    """Return a view of another game."""
    state = new_game(setup_for(3))
    return View(state=state, ahead=state)


def test_mode_held_two_seconds_begins_the_demo_and_any_press_ends_it() -> None:
    """That press only ends the demo, and the unchanged game is shown again."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        before = bench.table.news.view
        await bench.press("mode", seconds=2.5)
        assert [True] == reported
        await bench.press("1.plus_five")
        assert [True, False] == reported
        after = bench.table.news
        assert ({}, None) == (dict(after.pending), after.sign_up)
        assert before.state is after.view.state
        assert [] == bench.journal.commands

    at_table(Bench(*STANDS, demo=reported.append), play)


def test_the_page_begins_and_ends_the_demo() -> None:
    """Repeated requests have no effect, and the view before the demo returns."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        before = bench.table.news.view
        for on in (True, True, False, False):
            bench.table.demo(on=on)
        assert [True, False] == reported
        assert before == bench.table.news.view

    at_table(Bench(*STANDS, demo=reported.append), play)


def test_another_view_is_shown_until_it_is_taken_away() -> None:
    """The lights keep showing it, while the news are still those of the table."""

    async def play(bench: Bench) -> None:
        instead = other()
        before = bench.table.news.view
        bench.table.show_instead(instead)
        assert instead is bench.lamps.view
        bench.table.notices.say(Text("a line"))
        await bench.settled()
        assert instead is bench.lamps.view
        assert before is bench.table.news.view
        bench.table.show_instead(None)
        assert before is bench.lamps.view

    at_table(Bench(*STANDS), play)


def test_a_command_from_the_page_ends_the_demo() -> None:
    """The demo ends, so that people see the change."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        bench.table.demo(on=True)
        asking = asyncio.create_task(bench.table.execute(Deal()))
        await bench.settled()
        assert [True, False] == reported
        await bench.answer()
        assert Deal() == (await asking).command

    at_table(Bench(*STANDS, demo=reported.append), play)


def test_an_announced_count_shows_its_ghost_and_is_no_count() -> None:
    """It has trail and ghost, but is neither pending nor written before it is carried out."""

    async def play(bench: Bench) -> None:
        count = Peg(side=1, points=4)
        bench.table.announce(count)
        assert ([7, 3], ((1, 4),)) == bench.ghosts()
        assert ([], {}) == (bench.journal.commands, dict(bench.table.news.pending))
        asking = asyncio.create_task(bench.table.execute(count))
        await bench.settled()
        assert ([7, 3], ((1, 4),)) == bench.ghosts()
        await bench.answer()
        assert ([11, 3], ()) == bench.ghosts()
        assert count == (await asking).command

    at_table(Bench(*STANDS), play)


def test_an_announced_count_can_be_withdrawn_or_replaced() -> None:
    """Only one count is announced at a time."""

    async def play(bench: Bench) -> None:
        bench.table.announce(Peg(side=1, points=4))
        bench.table.announce(Peg(side=2, points=5))
        assert ([7, 3], ((2, 5),)) == bench.ghosts()
        bench.table.announce(None)
        assert ([7, 3], ()) == bench.ghosts()

    at_table(Bench(*STANDS), play)


def test_presses_go_over_what_is_announced() -> None:
    """A side that presses sees its own pending count instead."""

    async def play(bench: Bench) -> None:
        bench.table.announce(Peg(side=1, points=4))
        await bench.press("1.plus_one")
        assert ([7, 3], ((1, 1),)) == bench.ghosts()

    at_table(Bench(*STANDS), play)


def test_listeners_are_called_for_every_command() -> None:
    """A listener is called for accepted commands of any origin, until it unsubscribes."""

    async def play(bench: Bench) -> None:
        seen: list[State] = []

        def keep() -> None:
            if not seen or seen[-1] is not bench.table.state:
                seen.append(bench.table.state)

        seen.append(bench.table.state)
        leave = bench.table.changed.subscribe(keep)
        await bench.press("1.plus_one", "1.enter")
        with pytest.raises(RuleError):
            await bench.table.execute(Peg(side=3, points=1))
        undo = asyncio.create_task(bench.table.execute(Undo()))
        await bench.settled()
        assert [7, 8, 7] == [state.pegs(1).front for state in seen]
        leave()
        await bench.press("1.plus_one", "1.enter")
        assert 3 == len(seen)
        undo.cancel()

    at_table(Bench(*STANDS), play)


def test_a_replay_is_shown_until_any_press_which_does_nothing_else() -> None:
    """The news stay those of the running game, which the lights show again afterwards."""

    async def play(bench: Bench) -> None:
        again, before = other(), bench.table.news.view
        bench.table.replay(again)
        assert again is bench.lamps.view is bench.table.display.replayed
        bench.table.notices.say(Text("a line"))
        await bench.settled()
        assert again is bench.lamps.view
        assert before == bench.table.news.view
        await bench.press("1.plus_five")
        assert bench.table.display.replayed is None
        assert bench.table.news.view is bench.lamps.view
        assert ({}, []) == (dict(bench.table.news.pending), bench.journal.commands)

    at_table(Bench(*STANDS), play)


def test_a_replay_and_the_demo_make_way_for_each_other() -> None:
    """The newest request is shown, and one press ends it."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        bench.table.demo(on=True)
        bench.table.replay(other())
        assert [True, False] == reported
        assert not bench.table.news.view.attract
        bench.table.demo(on=True)
        assert ([True, False, True], None) == (reported, bench.table.display.replayed)
        bench.table.replay(other())
        await bench.press("deal")
        assert [True, False, True, False] == reported
        assert bench.table.news.view is bench.lamps.view

    at_table(Bench(*STANDS, demo=reported.append), play)
