"""Other views on the table's lights, and counts that do not come from presses."""

import asyncio
from itertools import pairwise

import pytest

from companion.errors import RuleError, Text
from companion.lights import View
from companion.lights.scene.tour import SIGN_S, sign_views
from companion.rules.game import Deal, Peg, State, Undo, new_game
from companion.table.display import trails
from companion.table.panel.actions import HintKind
from tests.companion.table.bench import Bench, on_bench
from tests.support.card_games import setup_for

STANDS = (Peg(side=1, points=7), Peg(side=2, points=3))


def other() -> View:
    """Return a view of another game."""
    state = new_game(setup_for(3))
    return View(state=state, ahead=state)


@on_bench(*STANDS)
async def test_mode_held_two_seconds_begins_the_demo_and_any_press_ends_it(bench: Bench) -> None:
    """That press only ends the demo, and the unchanged game is shown again."""
    before = bench.table.display.view
    await bench.press("mode", seconds=2.5)
    assert [True] == bench.demos
    await bench.press("1.plus_five")
    assert [True, False] == bench.demos
    panel = bench.table.panel
    assert ({}, None) == (panel.counts.by_side, panel.sign_up)
    assert before.state is bench.table.display.view.state
    assert [] == bench.journal.commands


@on_bench(*STANDS)
async def test_the_page_begins_and_ends_the_demo(bench: Bench) -> None:
    """Repeated requests have no effect, and the view before the demo returns."""
    before = bench.table.display.view
    for on in (True, True, False, False):
        bench.table.demo(on=on)
    assert [True, False] == bench.demos
    assert before == bench.table.display.view


@on_bench(*STANDS)
async def test_another_view_is_shown_until_it_is_taken_away(bench: Bench) -> None:
    """The lights keep showing it, while the news are still those of the table."""
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


@on_bench(*STANDS)
async def test_a_command_from_the_page_ends_the_demo(bench: Bench) -> None:
    """The demo ends, so that people see the change."""
    bench.table.demo(on=True)
    asking = asyncio.create_task(bench.table.execute(Deal()))
    await bench.settled()
    assert [True, False] == bench.demos
    await bench.answer()
    assert Deal() == (await asking).command


@on_bench(*STANDS)
async def test_an_announced_count_shows_its_ghost_and_is_no_count(bench: Bench) -> None:
    """It has trail and ghost, but is neither pending nor written before it is carried out."""
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


@on_bench(*STANDS)
async def test_an_announced_count_can_be_withdrawn_or_replaced(bench: Bench) -> None:
    """Only one count is announced at a time."""
    bench.table.announce(Peg(side=1, points=4))
    bench.table.announce(Peg(side=2, points=5))
    assert ([7, 3], ((2, 5),)) == bench.ghosts()
    bench.table.announce(None)
    assert ([7, 3], ()) == bench.ghosts()


@on_bench(*STANDS)
async def test_presses_go_over_what_is_announced(bench: Bench) -> None:
    """A side that presses sees its own pending count instead."""
    bench.table.announce(Peg(side=1, points=4))
    await bench.press("1.plus_one")
    assert ([7, 3], ((1, 1),)) == bench.ghosts()


@on_bench(*STANDS)
async def test_listeners_are_called_for_every_command(bench: Bench) -> None:
    """A listener is called for accepted commands of any origin, until it unsubscribes."""
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


@on_bench(*STANDS)
async def test_a_replay_is_shown_until_any_press_which_does_nothing_else(bench: Bench) -> None:
    """The news stay those of the running game, which the lights show again afterwards."""
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


@on_bench(*STANDS)
async def test_a_replay_and_the_demo_make_way_for_each_other(bench: Bench) -> None:
    """The newest request is shown, and one press ends it."""
    bench.table.demo(on=True)
    bench.table.replay(other())
    assert [True, False] == bench.demos
    assert not bench.table.display.view.attract
    bench.table.demo(on=True)
    assert ([True, False, True], None) == (bench.demos, bench.table.display.replayed)
    bench.table.replay(other())
    await bench.press("deal")
    assert [True, False, True, False] == bench.demos
    assert bench.table.display.view is bench.lamps.view


def test_trails() -> None:
    """They start at the pegs by side, for the first of a side's counts that are not on disk.

    If such a side goes on, all start where the pegs will be after the decided counts.
    """
    five, deal, six, seven = (
        Peg(side=1, points=5),
        Deal(),
        Peg(side=1, points=6),
        Peg(side=2, points=7),
    )
    assert (((1, 4), (3, 2)), False) == trails([], {3: 2, 1: 4})
    assert (((1, 5), (2, 7), (3, 1)), False) == trails([five, deal, six, seven], {3: 1})
    assert (((1, 2), (2, 3)), True) == trails([five], {1: 2, 2: 3})


# The tour


@on_bench()
async def test_mode_held_for_eight_seconds_shows_every_sign(bench: Bench) -> None:
    """It takes two minutes, with equal times for all signs; then the game shows again."""
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


@on_bench(Peg(side=1, points=7))
async def test_a_press_ends_the_tour_and_is_swallowed(bench: Bench) -> None:
    """The press enters nothing, and the game is as before."""
    await bench.press("mode", seconds=8.5)
    assert bench.table.display.view is not bench.lamps.view
    await bench.press("1.plus_one")
    assert (None, {}) == (bench.table.display.sign, bench.table.panel.counts.by_side)
    assert (HintKind.GAME_SHOWN, bench.table.display.view) == (bench.hint, bench.lamps.view)
    await bench.press("1.plus_one")
    assert {1} == set(bench.table.panel.counts.by_side)


@on_bench()
async def test_a_sign_keeps_its_view(bench: Bench) -> None:
    """A change at the table does not restart the sign."""
    await bench.press("mode", seconds=8.5)
    view = bench.lamps.view
    bench.table.notices.say(Text("a notice"))
    await bench.wait(SIGN_S / 4)
    assert view is bench.lamps.view
