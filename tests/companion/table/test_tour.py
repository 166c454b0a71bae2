"""The tour at a table: Mode begins it, each sign has its time, and any press ends it."""

from itertools import pairwise

from companion.errors import Text
from companion.lights.scene.tour import SIGN_S, sign_views
from companion.rules.game import Peg
from companion.table.hints import HintKind
from tests.companion.table.bench import Bench, at_table


def test_mode_held_for_eight_seconds_shows_every_sign() -> None:
    """It takes two minutes, with equal times for all signs; then the game shows again."""

    async def play(bench: Bench) -> None:
        await bench.press("mode", seconds=8.5)
        signs = []
        views: list[object] = []
        signs_there = list(sign_views(bench.table.state.setup, 0.0))
        for _ in signs_there:
            signs.append(bench.table.news.sign)
            views.append(bench.lamps.view)
            await bench.wait(SIGN_S)
        assert signs_there == signs
        assert all(one is not other for one, other in pairwise(views))
        assert (None, bench.table.news.view) == (bench.table.news.sign, bench.lamps.view)

    at_table(Bench(), play)


def test_a_press_ends_the_tour_and_is_swallowed() -> None:
    """The press enters nothing, and the game is as before."""

    async def play(bench: Bench) -> None:
        await bench.press("mode", seconds=8.5)
        assert bench.table.news.view is not bench.lamps.view
        await bench.press("1.plus_one")
        assert (None, {}) == (bench.table.news.sign, bench.table.news.pending)
        assert (HintKind.GAME_SHOWN, bench.table.news.view) == (bench.hint, bench.lamps.view)
        await bench.press("1.plus_one")
        assert {1} == set(bench.table.news.pending)

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
