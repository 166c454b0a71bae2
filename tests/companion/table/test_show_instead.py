"""Other views on the table's lights, and counts from other sources than presses."""

import asyncio

import pytest

from companion.errors import RuleError, Text
from companion.lights import View
from companion.rules.game import Deal, Peg, State, Undo, new_game
from tests.companion.table.bench import Bench, at_table
from tests.support.card_games import setup_for

STANDS = (Peg(side=1, points=7), Peg(side=2, points=3))


def other() -> View:
    """A view of another game."""
    state = new_game(setup_for(3))
    return View(state=state, ahead=state)


def test_mode_held_two_seconds_begins_the_demo_and_any_press_ends_it() -> None:
    """That press does nothing else, and the game is shown as it stands."""
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
    """Once each, however often it is asked; the view is the one from before."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        before = bench.table.news.view
        for on in (True, True, False, False):
            bench.table.demo(on=on)
        assert [True, False] == reported
        assert before == bench.table.news.view

    at_table(Bench(*STANDS, demo=reported.append), play)


def test_another_view_is_shown_until_it_is_taken_away() -> None:
    """The lights show it whatever the table does; the news stay the table's own."""

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
    """The demo ends, so that the change is seen."""
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
    """Trail and ghost as if entered; nothing is pending, nothing written, until it is asked for."""

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
    """There is one at a time."""

    async def play(bench: Bench) -> None:
        bench.table.announce(Peg(side=1, points=4))
        bench.table.announce(Peg(side=2, points=5))
        assert ([7, 3], ((2, 5),)) == bench.ghosts()
        bench.table.announce(None)
        assert ([7, 3], ()) == bench.ghosts()

    at_table(Bench(*STANDS), play)


def test_presses_go_over_what_is_announced() -> None:
    """A side that enters a count sees its own."""

    async def play(bench: Bench) -> None:
        bench.table.announce(Peg(side=1, points=4))
        await bench.press("1.plus_one")
        assert ([7, 3], ((1, 1),)) == bench.ghosts()

    at_table(Bench(*STANDS), play)


def test_listeners_are_called_for_every_command() -> None:
    """From a button or not, when it is decided; not for refused ones, nor after unsubscribing."""

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
    """The news stay the running game's; the table itself tells what it shows again."""

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
    """Whichever is asked for last is shown, and one press is enough to end it."""
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
