"""Taps of score pads at the table."""

import asyncio

import pytest

from companion.rules.game import Peg, Undo
from companion.table.panel.actions import HintKind
from companion.table.panel.presses import DOUBT_S, Doubt
from tests.companion.table.bench import Bench, on_bench


@on_bench()
async def test_taps_and_presses_make_one_count(bench: Bench) -> None:
    """A count may be entered partly on a pad and partly on the panel."""
    await bench.press("1.plus_five")
    bench.table.tap("1.plus_one")
    await bench.press("1.plus_one")
    bench.table.tap("1.enter")
    assert [Peg(side=1, points=7)] == bench.journal.commands


@on_bench()
async def test_a_tap_counts_while_its_button_is_held_down(bench: Bench) -> None:
    """A stuck contact of the panel does not block the same button of a pad."""
    await bench.move("1.plus_one", down=True)
    bench.table.tap("1.plus_one")
    bench.table.tap("1.enter")
    assert [Peg(side=1, points=2)] == bench.journal.commands


@pytest.mark.parametrize(("held", "undone"), [(0.0, False), (0.9, False), (1.0, True), (3.0, True)])
@on_bench()
async def test_a_tap_that_was_held_is_a_hold(bench: Bench, held: float, undone: bool) -> None:
    """On a pad, too, Undo of another command must be held for a second."""
    bench.table.tap("1.plus_five")
    bench.table.tap("1.enter")
    await bench.answer()
    bench.table.tap("2.undo", held=held)
    expected = [Peg(side=1, points=5), *([Undo()] if undone else [])]
    assert expected == bench.journal.commands
    assert undone == (bench.hint is None)


@on_bench()
async def test_settled_waits_for_the_disk(bench: Bench) -> None:
    """It returns once all accepted commands are on disk, and at once if none waits."""
    await bench.table.queue.settled()
    bench.table.tap("1.plus_five")
    bench.table.tap("1.enter")
    settled = [asyncio.create_task(bench.table.queue.settled()) for _ in range(2)]
    await bench.settled()
    assert not any(task.done() for task in settled)
    await bench.answer()
    await asyncio.gather(*settled)
    assert 1 == bench.table.queue.seq


@on_bench()
async def test_settled_does_not_wait_for_what_comes_later(bench: Bench) -> None:
    """It waits only for commands that were accepted before the call."""
    bench.table.tap("1.plus_one")
    bench.table.tap("1.enter")
    settled = asyncio.create_task(bench.table.queue.settled())
    await bench.settled()
    bench.table.tap("2.plus_one")
    bench.table.tap("2.enter")
    await bench.answer()
    await settled
    assert 1 == bench.table.queue.seq
    await bench.answer()


@on_bench()
async def test_a_tap_tells_what_came_of_it(bench: Bench) -> None:
    """Its result has the hint of this tap, and is not counted if it only woke the board."""
    assert (True, None, None) == bench.table.tap("1.plus_five")
    tapped = bench.table.tap("3.plus_one")
    assert tapped.counted
    assert tapped.hint
    assert (HintKind.NOT_PLAYING, 3) == (tapped.hint.kind, tapped.hint.side)
    bench.table.demo(on=True)
    tapped = bench.table.tap("1.plus_one")
    assert not tapped.counted
    assert tapped.hint
    assert HintKind.GAME_SHOWN is tapped.hint.kind


@on_bench()
async def test_accepted_commands_are_reported_in_order(bench: Bench) -> None:
    """Each has its number and its events, and an undo has the events that it took back."""
    await bench.press("1.plus_five", "1.enter")
    await bench.answer()
    await bench.press("1.undo")
    assert [1] == [each.seq for each in bench.table.queue.accepted]
    await bench.answer()
    counted, undone = bench.table.queue.accepted
    assert (2, counted.entry.events) == (undone.seq, undone.undone)


def enter(bench: Bench, device: str, *keys: str) -> Doubt | None:
    """Press keys of side 1 on a phone, then Enter. Return the doubt that holds it back, or None."""
    for key in keys:
        bench.table.tap(f"1.{key}", device=device)
    return bench.table.tap("1.enter", device=device, is_sure=False).doubt


@pytest.mark.parametrize("other", ["Bert", "the panel"])
@pytest.mark.parametrize(("pause", "asks"), [(0, True), (DOUBT_S - 1, True), (DOUBT_S + 1, False)])
@on_bench()
async def test_a_count_soon_after_that_of_another_device_is_doubted(
    bench: Bench, other: str, pause: float, asks: bool
) -> None:
    """Both may be of one hand. Nothing is entered until the phone is sure."""
    if other == "Bert":
        assert enter(bench, "Bert", "plus_five") is None
    else:
        await bench.press("1.plus_five", "1.enter")
    await bench.answer()
    await bench.wait(pause)
    doubt = Doubt(kind="counted", points=5) if asks else None
    assert doubt == enter(bench, "Anna", "plus_one")
    assert asks == (1 in bench.table.panel.counts.by_side)
    bench.table.tap("1.enter", device="Anna", is_sure=True)
    assert [Peg(side=1, points=5), Peg(side=1, points=1)] == bench.journal.commands
    await bench.answer()


@on_bench()
async def test_a_count_begun_before_that_of_another_phone_is_doubted(bench: Bench) -> None:
    """It is doubted even if it was begun long ago and the other count is not on disk yet."""
    bench.table.tap("1.plus_one", device="Anna")
    bench.table.tap("1.undo", device="Anna")
    bench.table.tap("1.plus_one", device="Anna")
    bench.now += 60
    bench.table.tap("1.plus_one", device="Bert")
    assert Doubt(kind="typed", points=2) == enter(bench, "Anna")
    assert Doubt(kind="typed", points=2) == enter(bench, "Bert")
    assert [] == bench.journal.commands


@on_bench()
async def test_what_cannot_be_the_same_hand_is_not_doubted(bench: Bench) -> None:
    """Own counts, another side's, one shared with the panel and one after an undo are sure."""
    for keys in (["plus_one"], ["plus_five"]):
        assert enter(bench, "Anna", *keys) is None
    bench.table.tap("2.plus_one", device="Bert")
    assert bench.table.tap("2.enter", device="Bert", is_sure=False).doubt is None
    await bench.press("1.plus_one", "1.enter")
    bench.table.tap("1.undo", device="Anna")
    await bench.press("1.plus_five")
    assert enter(bench, "Anna", "plus_one") is None
    assert [1, 5, 1, 1, None, 6] == [
        getattr(command, "points", None) for command in bench.journal.commands
    ]
    for _ in bench.journal.commands:
        await bench.answer()
