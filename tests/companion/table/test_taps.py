"""Taps of score pads at the table."""

import asyncio

import pytest

from companion.rules.game import Peg, Undo
from companion.table.hints import HintKind
from tests.companion.table.bench import Bench, at_table


def test_taps_and_presses_make_one_count() -> None:
    """A pad and the panel may be mixed mid-count."""

    async def play(bench: Bench) -> None:
        await bench.press("1.plus_five")
        bench.table.tap("1.plus_one")
        await bench.press("1.plus_one")
        bench.table.tap("1.enter")
        assert [Peg(team=1, points=7)] == bench.journal.commands

    at_table(Bench(), play)


def test_a_tap_counts_while_its_button_is_held_down() -> None:
    """A pad is a panel of its own: a stuck contact does not take it away."""

    async def play(bench: Bench) -> None:
        await bench.move("1.plus_one", down=True)
        bench.table.tap("1.plus_one")
        bench.table.tap("1.enter")
        assert [Peg(team=1, points=2)] == bench.journal.commands

    at_table(Bench(), play)


@pytest.mark.parametrize(("held", "undone"), [(0.0, False), (0.9, False), (1.0, True), (3.0, True)])
def test_a_tap_that_was_held_is_a_hold(held: float, undone: bool) -> None:
    """Undo of what was not the side's own takes a second on a pad too."""

    async def play(bench: Bench) -> None:
        bench.table.tap("1.plus_five")
        bench.table.tap("1.enter")
        await bench.answer()
        bench.table.tap("2.undo", held=held)
        expected = [Peg(team=1, points=5), *([Undo()] if undone else [])]
        assert expected == bench.journal.commands
        assert undone == (bench.hint is None)

    at_table(Bench(), play)


def test_settled_waits_for_the_disk() -> None:
    """A pad's answer comes when what it did is on disk; at once where nothing waits."""

    async def play(bench: Bench) -> None:
        await bench.table.settled()
        bench.table.tap("1.plus_five")
        bench.table.tap("1.enter")
        settled = [asyncio.create_task(bench.table.settled()) for _ in range(2)]
        await bench.settled()
        assert not any(task.done() for task in settled)
        await bench.answer()
        await asyncio.gather(*settled)
        assert 1 == bench.table.news.seq

    at_table(Bench(), play)


def test_settled_does_not_wait_for_what_comes_later() -> None:
    """Only for what was accepted when it was asked."""

    async def play(bench: Bench) -> None:
        bench.table.tap("1.plus_one")
        bench.table.tap("1.enter")
        settled = asyncio.create_task(bench.table.settled())
        await bench.settled()
        bench.table.tap("2.plus_one")
        bench.table.tap("2.enter")
        await bench.answer()
        await settled
        assert 1 == bench.table.news.seq
        await bench.answer()

    at_table(Bench(), play)


def test_a_tap_tells_what_came_of_it() -> None:
    """Words about it alone, and whether it was more than a wake-up."""

    async def play(bench: Bench) -> None:
        assert (True, None) == bench.table.tap("1.plus_five")
        tapped = bench.table.tap("3.plus_one")
        assert tapped.counted
        assert tapped.hint
        assert (HintKind.NOT_PLAYING, 3) == (tapped.hint.kind, tapped.hint.team)
        bench.table.demo(on=True)
        tapped = bench.table.tap("1.plus_one")
        assert not tapped.counted
        assert tapped.hint
        assert HintKind.GAME_SHOWN is tapped.hint.kind

    at_table(Bench(), play)


def test_accepted_commands_are_reported_in_order() -> None:
    """Each with its number, what followed, and what an undo took back."""

    async def play(bench: Bench) -> None:
        await bench.press("1.plus_five", "1.enter")
        await bench.answer()
        await bench.press("1.undo")
        assert [1] == [each.seq for each in bench.table.accepted]
        await bench.answer()
        counted, undone = bench.table.accepted
        assert (2, counted.entry.events) == (undone.seq, undone.undone)

    at_table(Bench(), play)
