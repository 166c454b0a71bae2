"""The records for the page: games of the journal, and replays on the board."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.backups.folders import staged
from companion.board import ZoneKind, load_board
from companion.errors import BadInputError, JournalError, RuleError
from companion.lights import View
from companion.records.games import MatchRecord, race
from companion.records.records import Records
from companion.records.statistics import Statistics
from companion.rules.game import Deal, HouseRules, Kind, NewGame, Peg, Undo
from companion.web.record_responses import BestCount, GamePage, GameTimeline, NewestGame
from companion.web.record_service import REPLAY_IDLE_TIMEOUT_S, NoGameError
from companion.web.table.news import ReplayMode
from tests.companion.journal.scribe import Scribe, begun, changed, played
from tests.companion.records.random_tables import random_table
from tests.companion.table.bench import Bench
from tests.support.limits import TIMEOUT_S
from tests.support.scenes import run_by
from tests.support.services import Services

STANDS = (Peg(side=1, points=7), Peg(side=2, points=3))
CLASSIC = begun("classic", rules=HouseRules(board="classic", game_to=121, skunk_at="finish"))


class Evening:
    """A table on the shipped board, whose page requests the records of a folder."""

    def __init__(self, folder: Path | None, idle_timeout_s: float) -> None:
        self.bench = Bench(*STANDS)
        services = Services(
            folder, load_board("crib-wars"), bench=self.bench, idle_timeout_s=idle_timeout_s
        )
        self.records, self.close = services.records, services.close

    @property
    def seen(self) -> View | None:
        """Return the view that the lights show."""
        return self.bench.lamps.view

    @property
    def own(self) -> bool:
        """True if the lights show the running game."""
        return self.seen is self.bench.table.display.view


Scene = Callable[[Evening], Coroutine[Any, Any, None]]


def at_records(
    scene: Scene, *, tmp_path: Path | None, idle_timeout_s: float = REPLAY_IDLE_TIMEOUT_S
) -> None:
    """Run a scene in an event loop; it must leave the game unchanged and no thread."""

    async def play() -> None:
        evening = Evening(tmp_path, idle_timeout_s)
        evening.bench.table.start()
        async with asyncio.timeout(TIMEOUT_S):
            await scene(evening)
        evening.bench.table.presses.stop()
        evening.close()

    before = set(threading.enumerate())
    asyncio.run(play())
    for thread in set(threading.enumerate()) - before:
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()


def decoded(value: object, shape: Any) -> object:  # noqa: ANN401  # a type
    """Return a value encoded and decoded as JSON; it must fit the type."""
    return msgspec.json.decode(msgspec.json.encode(value), type=shape)


async def whole(pieces: AsyncIterator[bytes]) -> bytes:
    """Return all pieces of a file."""
    return b"".join([piece async for piece in pieces])


@pytest.mark.parametrize("seed", [1, 2])
@run_by(at_records)
async def test_answers_are_of_the_types_that_describe_them(
    evening: Evening, tmp_path: Path, seed: int
) -> None:
    """No key and no kind of value differs from the description."""
    random_table(tmp_path, seed)
    page = await evening.records.games(before=None, limit=100)
    assert page == decoded(page, GamePage)
    for game in page.games[:3]:
        timeline = await evening.records.game(game.number, "en")
        assert timeline == decoded(timeline, GameTimeline)
    matches = await evening.records.read(lambda records: records.matches()[::-1])
    assert matches == decoded(matches, list[MatchRecord])
    assert matches[0].number == len(matches)
    statistics = await evening.records.read(Records.statistics)
    assert statistics == decoded(statistics, Statistics)
    assert statistics.games


@run_by(at_records)
async def test_places_say_where_pegs_stood_and_what_is_worth_a_look(
    evening: Evening, tmp_path: Path
) -> None:
    """They have pegs in millimetres, commands by number, and landings."""
    track = load_board("crib-wars").track
    slide = next(zone for zone in track.zones if zone.kind is ZoneKind.RED_SLIDE)
    first = slide.box[0]
    points = [29] * (first // 29) + [first % 29]
    played(tmp_path, Deal(), *(Peg(side=2, points=each) for each in points), Peg(side=1, points=3))
    reported = await evening.records.game(1, "en")
    board = load_board("crib-wars")
    assert (board.width_mm, board.height_mm) == (reported.width_mm, reported.height_mm)
    start, *after = reported.places
    assert [start.seq + 2 + n for n in range(len(points) + 1)] == [each.seq for each in after]
    assert (Kind.SLID, 2) == (after[-2].notable, after[-2].side)
    assert {None} == {each.notable for each in reported.places} - {Kind.SLID}
    assert board.place(2, reported.progress[2][-1]) == reported.pegs[2][-1].front
    assert board.place(1, 0) == reported.pegs[1][0].front == reported.pegs[1][-1].back
    assert board.place(1, 3) == reported.pegs[1][-1].front


@run_by(at_records)
async def test_a_game_is_reported_place_by_place(evening: Evening, tmp_path: Path) -> None:
    """The start and all commands except deals have words and positions."""
    commands = (Peg(side=1, points=5), Deal(), Peg(side=2, points=42), Undo())
    played(tmp_path, *commands[:2], Peg(side=2, points=8), Undo(), Peg(side=2, points=9))
    reported = await evening.records.game(1, "en")
    assert {1: [0, 5, 5], 2: [0, 0, 9]} == reported.progress
    assert reported.win_chances[1][1] > reported.win_chances[1][2]
    assert ["", "Amber counts five, to 5.", "White counts nine, to 9."] == [
        place.words for place in reported.places
    ]
    assert [1, 1, 2] == [place.hand for place in reported.places]
    assert reported.here


def test_a_backup_can_be_restored(tmp_path: Path) -> None:
    """It has the games and the settings."""
    folder = tmp_path / "data"
    folder.mkdir()
    random_table(folder, 4)
    (folder / "cribwars.toml").write_text("teams = 2\n")

    async def scene(evening: Evening) -> None:
        backup = tmp_path / "backup.zip"
        backup.write_bytes(await whole(evening.records.backup()))
        with staged(backup, tmp_path / "restored") as staging:
            assert {"journal.sqlite", "settings.toml"} <= staging.manifest.files.keys()

    at_records(scene, tmp_path=folder)


@pytest.mark.parametrize("number", [1, 2])
@run_by(at_records)
async def test_the_board_shows_a_game_place_by_place(
    evening: Evening, tmp_path: Path, number: int
) -> None:
    """In any order the pegs are right; one step forward is walked."""
    pegs = [Peg(side=1 + n % 2, points=1 + n) for n in range(9)]
    Scribe(tmp_path).sit().do(*pegs, Deal(), NewGame(), *pegs[:4], Deal(), *pegs[4:]).close()
    with Records(tmp_path) as records:
        past = records.past(number)
    table, steps = evening.bench.table, race(past).steps
    before = table.display.view
    for place in (0, 1, 2, 5, 3, 3, len(steps) - 1, 0):
        await evening.records.replay(number, place)
        assert evening.seen
        assert past.states[steps[place]] == evening.seen.state == evening.seen.ahead
        mode = ReplayMode(game=number, at=place, of=len(steps) - 1)
        assert mode == evening.records.mode()
    await evening.records.replay(number, 1)
    assert evening.seen
    assert [1] == [segment.side for segment in evening.seen.motion.segments]
    assert before.state is table.display.view.state
    evening.records.end_replay()
    assert before == table.display.view
    assert (True, None) == (evening.own, evening.records.mode())
    assert [] == evening.bench.journal.entries


@run_by(at_records)
async def test_any_press_ends_it_and_does_nothing_else(evening: Evening, tmp_path: Path) -> None:
    """It may come from a button, a pad, or a command of the page."""
    played(tmp_path, *STANDS)
    table = evening.bench.table

    async def command() -> None:
        asking = asyncio.create_task(table.execute(Deal()))
        await evening.bench.settled()
        await evening.bench.answer()
        await asking

    async def press() -> None:
        await evening.bench.press("1.plus_five")

    async def tap() -> None:
        table.tap("2.plus_one")

    for end in (press, tap, command):
        await evening.records.replay(1, 2)
        assert not evening.own
        await end()
        assert (True, None, {}) == (
            evening.own,
            evening.records.mode(),
            dict(table.panel.counts.by_side),
        )
    assert [Deal()] == evening.bench.journal.commands
    assert [] == evening.bench.demos


@run_by(at_records)
async def test_what_is_asked_for_last_is_shown(evening: Evening, tmp_path: Path) -> None:
    """A game that took long to read does not replace a later request."""
    played(tmp_path, *STANDS)
    late = asyncio.create_task(evening.records.replay(1, 1))
    await asyncio.sleep(0)
    evening.records.end_replay()
    await late
    assert evening.own
    await asyncio.gather(evening.records.replay(1, 1), evening.records.replay(1, 2))
    assert evening.seen
    assert [7, 3] == [pegs.front for pegs in evening.seen.state.all_pegs]


@run_by(at_records, idle_timeout_s=0.001)
async def test_a_replay_that_nobody_moves_ends(evening: Evening, tmp_path: Path) -> None:
    """After a while the board shows the running game again."""
    played(tmp_path, *STANDS)
    changed = asyncio.Event()
    evening.bench.table.changed.subscribe(changed.set)
    await evening.records.replay(1, 1)
    while not evening.own:
        changed.clear()
        await changed.wait()
    assert evening.records.mode() is None


@run_by(at_records)
async def test_what_cannot_be_shown_is_refused_in_one_line(
    evening: Evening, tmp_path: Path
) -> None:
    """Such are unknown games and places and other boards; the view stays."""
    Scribe(tmp_path).sit().do(*STANDS).sit(CLASSIC).do(*STANDS).close()
    await evening.records.replay(1, 1)
    seen = evening.seen
    with pytest.raises(NoGameError, match="no game 9"):
        await evening.records.replay(9, 0)
    with pytest.raises(BadInputError, match="game 1 has no place 3: its last place is 2"):
        await evening.records.replay(1, 3)
    with pytest.raises(RuleError, match="another board, Cribbage"):
        await evening.records.replay(2, 0)
    assert seen is evening.seen
    assert [True, False] == [(await evening.records.game(n, "en")).here for n in (1, 2)]


@run_by(at_records, tmp_path=None)
async def test_a_table_that_keeps_nothing_says_so(evening: Evening) -> None:
    """The demo's table has no records."""
    for ask in (
        evening.records.read(Records.statistics),
        evening.records.game(1, "en"),
        evening.records.replay(1, 0),
    ):
        with pytest.raises(NoGameError, match="keeps no games"):
            await ask
    with pytest.raises(NoGameError):
        await whole(evening.records.backup())


@run_by(at_records)
async def test_a_damaged_game_hides_no_other(evening: Evening, tmp_path: Path) -> None:
    """It is an error in one line, and all others are read as before."""
    Scribe(tmp_path).sit().do(*STANDS, NewGame(), *STANDS).close()
    changed(tmp_path, "UPDATE game SET setup = '{}' WHERE id = 1")
    for request in (evening.records.game(1, "en"), evening.records.replay(1, 0)):
        with pytest.raises(JournalError, match="game 1 of the journal cannot be read"):
            await request
    page = await evening.records.games(before=None, limit=9)
    assert [2] == [game.number for game in page.games]
    assert 3 == len((await whole(evening.records.export("csv", "en"))).splitlines())


@run_by(at_records)
async def test_the_game_that_was_won_is_reported_by_its_greatest_and_its_turning_count(
    evening: Evening, tmp_path: Path
) -> None:
    """It has worth, best count and the count that gained most; a running game has none."""
    scribe = Scribe(tmp_path).sit(CLASSIC).do(Peg(side=2, points=5))
    assert NewestGame(won=None) == await evening.records.newest_game("en")
    scribe.do(*(Peg(side=1, points=points) for points in (29, 20, 20, 20, 20, 20)))
    newest = await evening.records.newest_game("en")
    assert newest == decoded(newest, NewestGame)
    won = newest.won
    assert won
    assert (1, 4, 7) == (won.game.winner, won.game.worth, won.game.counts)
    assert BestCount(side=1, points=29) == won.best
    assert won.turning
    assert "Amber counts twenty-nine, to 29." == won.turning.words
    assert 0.1 < won.turning.gain < 0.6
    assert 121 == won.progress[1][-1]
