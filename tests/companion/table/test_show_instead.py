"""Other views on the table's lights, and counts that do not come from presses."""

import asyncio
from itertools import pairwise

import pytest

from companion.errors import RuleError, Text
from companion.lights import View
from companion.lights.scene.tour import SIGN_S, sign_views
from companion.rules.game import Command, Deal, Peg, State, Undo, new_game
from companion.table.display import trails
from companion.table.panel.actions import HintKind
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
        before = bench.table.display.view
        await bench.press("mode", seconds=2.5)
        assert [True] == reported
        await bench.press("1.plus_five")
        assert [True, False] == reported
        panel = bench.table.panel
        assert ({}, None) == (panel.counts.by_side, panel.sign_up)
        assert before.state is bench.table.display.view.state
        assert [] == bench.journal.commands

    at_table(Bench(*STANDS, demo=reported.append), play)


def test_the_page_begins_and_ends_the_demo() -> None:
    """Repeated requests have no effect, and the view before the demo returns."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        before = bench.table.display.view
        for on in (True, True, False, False):
            bench.table.demo(on=on)
        assert [True, False] == reported
        assert before == bench.table.display.view

    at_table(Bench(*STANDS, demo=reported.append), play)


def test_another_view_is_shown_until_it_is_taken_away() -> None:
    """The lights keep showing it, while the news are still those of the table."""

    async def play(bench: Bench) -> None:
        instead = other()
        before = bench.table.display.view
        bench.table.show_instead(instead)
        assert instead is bench.lamps.view
        bench.table.notices.say(Text("a line"))
        await bench.settled()
        assert instead is bench.lamps.view
        assert before is bench.table.display.view
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
        assert ([], {}) == (bench.journal.commands, dict(bench.table.panel.counts.by_side))
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
        again, before = other(), bench.table.display.view
        bench.table.replay(again)
        assert again is bench.lamps.view is bench.table.display.replayed
        bench.table.notices.say(Text("a line"))
        await bench.settled()
        assert again is bench.lamps.view
        assert before == bench.table.display.view
        await bench.press("1.plus_five")
        assert bench.table.display.replayed is None
        assert bench.table.display.view is bench.lamps.view
        assert ({}, []) == (dict(bench.table.panel.counts.by_side), bench.journal.commands)

    at_table(Bench(*STANDS), play)


def test_a_replay_and_the_demo_make_way_for_each_other() -> None:
    """The newest request is shown, and one press ends it."""
    reported: list[bool] = []

    async def play(bench: Bench) -> None:
        bench.table.demo(on=True)
        bench.table.replay(other())
        assert [True, False] == reported
        assert not bench.table.display.view.attract
        bench.table.demo(on=True)
        assert ([True, False, True], None) == (reported, bench.table.display.replayed)
        bench.table.replay(other())
        await bench.press("deal")
        assert [True, False, True, False] == reported
        assert bench.table.display.view is bench.lamps.view

    at_table(Bench(*STANDS, demo=reported.append), play)


# Trails of counts whose pegs have not walked yet


def test_what_is_pending_is_shown() -> None:
    """Pending counts start at the pegs, and are sorted by side."""
    assert (((1, 4), (3, 2)), False) == trails([], {3: 2, 1: 4})


def test_what_is_not_on_disk_yet_keeps_its_trail() -> None:
    """Of two counts of one side only the first has a trail, as it starts at the peg."""
    commands: list[Command] = [
        Peg(side=1, points=5),
        Deal(),
        Peg(side=1, points=6),
        Peg(side=2, points=7),
    ]
    assert (((1, 5), (2, 7), (3, 1)), False) == trails(commands, {3: 1})


def test_a_side_that_goes_on_sees_what_is_pending() -> None:
    """Then every trail starts where the pegs will be after the decided counts."""
    assert (((1, 2), (2, 3)), True) == trails([Peg(side=1, points=5)], {1: 2, 2: 3})


# The tour


def test_mode_held_for_eight_seconds_shows_every_sign() -> None:
    """It takes two minutes, with equal times for all signs; then the game shows again."""

    async def play(bench: Bench) -> None:
        await bench.press("mode", seconds=8.5)
        signs = []
        views: list[object] = []
        signs_there = list(sign_views(bench.table.state.setup, 0.0))
        for _ in signs_there:
            signs.append(bench.table.display.sign)
            views.append(bench.lamps.view)
            await bench.wait(SIGN_S)
        assert signs_there == signs
        assert all(one is not other for one, other in pairwise(views))
        assert (None, bench.table.display.view) == (bench.table.display.sign, bench.lamps.view)

    at_table(Bench(), play)


def test_a_press_ends_the_tour_and_is_swallowed() -> None:
    """The press enters nothing, and the game is as before."""

    async def play(bench: Bench) -> None:
        await bench.press("mode", seconds=8.5)
        assert bench.table.display.view is not bench.lamps.view
        await bench.press("1.plus_one")
        assert (None, {}) == (bench.table.display.sign, bench.table.panel.counts.by_side)
        assert (HintKind.GAME_SHOWN, bench.table.display.view) == (bench.hint, bench.lamps.view)
        await bench.press("1.plus_one")
        assert {1} == set(bench.table.panel.counts.by_side)

    at_table(Bench(Peg(side=1, points=7)), play)


def test_a_sign_keeps_its_view() -> None:
    """A change at the table does not restart the sign."""

    async def play(bench: Bench) -> None:
        await bench.press("mode", seconds=8.5)
        view = bench.lamps.view
        bench.table.notices.say(Text("a notice"))
        await bench.wait(SIGN_S / 4)
        assert view is bench.lamps.view

    at_table(Bench(), play)
