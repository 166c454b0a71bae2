"""The running table: presses become commands, which are written before they are shown."""

import asyncio

import pytest

from companion.errors import Text
from companion.lights import FlashKind
from companion.rules.game import Claim, Deal, HouseRules, NewGame, Peg, SetPegs
from companion.table.display import BRIGHTNESS
from companion.table.panel.actions import HintKind
from hardware.debounce import Edge
from tests.companion.table.bench import REST, Bench, at_table, on_bench


@on_bench()
async def test_a_count_is_acknowledged_when_it_is_written(bench: Bench) -> None:
    """Number, peg and events wait for the disk; the trail stays until the peg moves."""
    await bench.press("1.plus_five", "1.enter")
    assert [Peg(side=1, points=5)] == bench.journal.commands
    table = bench.table
    assert (0, [0, 0], {}) == (table.queue.seq, bench.fronts(), dict(table.panel.counts.by_side))
    assert ([0, 0], ((1, 5),)) == bench.ghosts()
    await bench.answer()
    table = bench.table
    assert (1, [5, 0], (), True) == (
        table.queue.seq,
        bench.fronts(),
        table.display.view.pending,
        table.queue.saved,
    )
    assert bench.journal.entries[0] is bench.table.queue.accepted[0].entry
    assert {1} == set(table.display.view.motion.sides)


@on_bench()
async def test_two_quick_counts_of_one_side_are_shown_one_after_the_other(bench: Bench) -> None:
    """The trail belongs to the count that the peg walks next, from where the peg is."""
    await bench.press("1.plus_five", "1.enter", "1.plus_one", "1.enter")
    assert [Peg(side=1, points=5), Peg(side=1, points=1)] == bench.journal.commands
    assert ([0, 0], ((1, 5),)) == bench.ghosts()
    await bench.answer()
    assert ([5, 0], ((1, 1),)) == bench.ghosts()
    await bench.answer()
    assert ([6, 0], ()) == bench.ghosts()
    assert 2 == bench.table.queue.seq


@on_bench()
async def test_a_second_count_builds_on_the_first_before_it_is_written(bench: Bench) -> None:
    """The ghost of the second starts where the peg will be after the first."""
    await bench.press("1.plus_five", "1.enter", "1.plus_one")
    assert ([5, 0], ((1, 1),)) == bench.ghosts()
    assert [0, 0] == bench.fronts()


@on_bench()
async def test_presses_are_taken_in_the_order_of_their_times(bench: Bench) -> None:
    """Edges may arrive in another order; the press with the earlier time counts first."""
    await bench.press("1.plus_five", "2.plus_one")
    first, second = bench.now, bench.now + 0.001
    bench.table.presses.edge(Edge(button="1.enter", down=True, t=second))
    bench.table.presses.edge(Edge(button="2.enter", down=True, t=first))
    await bench.wait(REST)
    assert [Peg(side=2, points=1), Peg(side=1, points=5)] == bench.journal.commands


@on_bench(Peg(side=1, points=22))
async def test_a_count_after_a_fold_asks_for_the_deal(bench: Bench) -> None:
    """A folded side is refused; the dealer's lamp blinks, and the hint stays after the press."""
    await bench.press("1.plus_one")
    assert {FlashKind.DEAL_HINT, FlashKind.REFUSED} == set(bench.flashes())
    assert HintKind.DEAL_FORGOTTEN is bench.hint
    await bench.press("2.plus_one")
    assert bench.hint is None


WIN = tuple(Peg(side=1, points=points) for points in (*[29] * 11, 10, 29, 29))


@on_bench(*WIN)
async def test_deal_after_a_win_begins_the_next_game(bench: Bench) -> None:
    """A short Deal begins a game of the same sides, dealt by the loser; Undo takes it back."""
    won = bench.table.state
    await bench.press("1.plus_one")
    assert HintKind.GAME_OVER is bench.hint
    await bench.press("deal")
    assert [NewGame(dealer=2)] == bench.journal.commands
    began = bench.table.state
    assert (None, 2, won.match) == (began.winner, began.dealer, began.match)
    await bench.press("2.undo", seconds=1.1)
    assert won is bench.table.state


@on_bench()
async def test_a_new_game_begins_with_nothing_pending(bench: Bench) -> None:
    """A count of the old game is not entered in the next one, whoever begins it."""
    await bench.press("1.plus_five", "1.plus_one")
    assert {1} == set(bench.table.panel.counts.by_side)
    begun = asyncio.create_task(bench.table.execute(NewGame()))
    await bench.settled()
    await bench.answer()
    assert ([0, 0], ()) == bench.ghosts()
    assert NewGame() == (await begun).command


@pytest.mark.parametrize("counted", [False, True])
def test_a_game_without_a_count_takes_new_rules_at_the_start(counted: bool) -> None:
    """Changed house rules apply from the next game on, or to one without a count."""
    bench = Bench(
        *(Claim(rule="N10", by=2, game_to=1), NewGame(), Deal()),
        *([Peg(side=1, points=5)] if counted else []),
        next_rules=HouseRules(finish="exact"),
    )

    async def play(bench: Bench) -> None:
        state = bench.table.state
        assert counted is bench.table.queue.history.has_new_rules
        assert (counted, 1) == (state.setup.rules.finish == "overshoot", state.match.won(1))
        assert 2 == state.dealer

    at_table(bench, play)


@on_bench()
async def test_what_the_game_refuses_flashes_with_its_reason(bench: Bench) -> None:
    """N11: a refusal by the rules flashes, with their reason as its hint."""
    await bench.press("1.undo")
    await bench.press("1.undo", seconds=1.1)
    assert ([], [FlashKind.REFUSED]) == (bench.journal.commands, bench.flashes())
    assert HintKind.REFUSED is bench.hint


@on_bench()
async def test_mode_steps_through_the_brightness(bench: Bench) -> None:
    """Each short press is the next step; the dimmest follows the brightest."""
    seen = []
    for _ in range(len(BRIGHTNESS)):
        await bench.press("mode")
        seen.append(bench.lamps.brightness)
    assert [1.0, 0.1, 0.25, 0.5] == seen


@on_bench()
async def test_what_is_not_saved_is_said_until_it_is(bench: Bench) -> None:
    """If the disk fails, the game goes on with an alert until everything is saved."""
    await bench.press("1.plus_five", "1.enter")
    await bench.answer(saved=False)
    table = bench.table
    assert (1, [5, 0], False, True) == (
        table.queue.seq,
        bench.fronts(),
        table.queue.saved,
        table.display.view.alert,
    )
    await bench.press("2.plus_one", "2.enter")
    await bench.answer()
    table = bench.table
    assert (2, [5, 1], True, False) == (
        table.queue.seq,
        bench.fronts(),
        table.queue.saved,
        table.display.view.alert,
    )


@on_bench()
async def test_the_same_count_twice_unsaved_is_two_counts(bench: Bench) -> None:
    """A count, its undo and the same count again are three unsaved commands."""
    await bench.press("1.plus_five", "1.enter", "1.undo", "1.plus_five", "1.enter")
    for seq in (1, 2, 3):
        await bench.answer(saved=False)
        assert (seq, False) == (bench.table.queue.seq, bench.table.queue.saved)
    bench.journal.save()
    await bench.settled()
    assert (3, True, [5, 0]) == (bench.table.queue.seq, bench.table.queue.saved, bench.fronts())


def test_a_button_that_is_down_at_the_start_does_nothing_until_it_is_up() -> None:
    """A button that is down at power-on, as under a bag, works only after its release."""
    bench = Bench(Peg(side=1, points=3))
    bench.table.presses.edge(Edge(button="deal", down=True, t=bench.now))

    async def play(bench: Bench) -> None:
        await bench.wait(3.0)
        assert [] == bench.journal.commands
        await bench.move("deal", down=False)
        assert [] == bench.journal.commands
        await bench.press("deal")
        assert [Deal()] == bench.journal.commands

    at_table(bench, play)


@on_bench()
async def test_a_stuck_button_is_reported_and_ignored(bench: Bench) -> None:
    """After ten seconds a held button is reported, and its release does nothing."""
    await bench.move("mode", down=True)
    await bench.wait(10.0)
    assert HintKind.STUCK is bench.hint
    assert FlashKind.STUCK in bench.flashes()
    await bench.move("mode", down=False)
    assert (None, 0.5) == (bench.table.display.view.sign_up, bench.lamps.brightness)


@on_bench()
async def test_notices_come_from_any_thread(bench: Bench) -> None:
    """A line from another thread is shown after the one from before the start."""
    await asyncio.to_thread(bench.table.notices.say, Text("the strip failed: unplugged"))
    await bench.settled()
    said = ("at the start", "the strip failed: unplugged")
    assert said == tuple(map(str, bench.table.notices.lines))


@on_bench()
async def test_after_the_end_nothing_is_taken(bench: Bench) -> None:
    """Edges and answers that come after the stop are ignored."""
    await bench.press("1.plus_five", "1.enter")
    bench.table.presses.stop()
    await bench.press("2.plus_five", "2.enter")
    await bench.answer()
    assert ([Peg(side=1, points=5)], 0) == (bench.journal.commands, bench.table.queue.seq)


@pytest.mark.parametrize("seconds", [0.0, 0.002])
@on_bench()
async def test_a_spike_on_the_wire_is_no_press(bench: Bench, seconds: float) -> None:
    """A level shorter than the hold time is no press."""
    bench.table.presses.edge(Edge(button="1.plus_one", down=True, t=bench.now))
    bench.table.presses.edge(Edge(button="1.plus_one", down=False, t=bench.now + seconds))
    await bench.wait(REST)
    assert {} == dict(bench.table.panel.counts.by_side)


@on_bench(SetPegs(side=1, front=40, back=30))
async def test_a_press_skips_what_the_board_plays_out(bench: Bench) -> None:
    """A press ends the show of a move at once, and counts as usual."""
    await bench.press("1.plus_one", "1.plus_one", "1.enter")
    await bench.answer()
    assert 42 + 20 == bench.fronts()[0]
    assert bench.table.display.view.motion.end > bench.now + 2
    await bench.press("2.plus_one")
    assert bench.table.display.view.motion.end <= bench.now
    assert {2} == set(bench.table.panel.counts.by_side)
