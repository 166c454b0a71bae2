"""The demo of a running table begins and ends on its lights, and leaves nothing behind."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from companion.commentary import CommentaryLine
from companion.devices.assembly import assemble
from companion.devices.live import LiveSettings
from companion.lights import View
from companion.rules.game import Peg
from companion.runtime.demonstration import NO_VOICE, Demonstration
from companion.settings.load import load_settings
from companion.settings.schema import Settings
from companion.worker import Worker
from tests.companion.commentary.test_speech import Speaker, gone, write_program
from tests.companion.table.bench import Bench
from tests.support.limits import TIMEOUT_S, until


def settings(**demo: object) -> Settings:
    """Return settings with children who play as fast as possible, and other values."""
    quick: dict[str, object] = {"players": ["child"], "speed": 100, "voice": False}
    return load_settings(None, {"demo": quick | demo, "board": "classic"})


class Evening:
    """A table with a demonstration, in an event loop; `lines` has the narrated lines."""

    def __init__(self, requested: Settings, *, games: int | None = None) -> None:
        self.ended, self.worker = asyncio.Event(), Worker("thinking")
        self.lines: list[str] = []
        self._changed = asyncio.Event()
        self.bench = Bench(Peg(side=1, points=7), Peg(side=2, points=3))
        self.table = self.bench.table
        self.live = LiveSettings(requested, assemble(requested))
        self.demonstration = Demonstration(
            self.table,
            self.live,
            self.worker,
            changed=self._changed.set,
            narrate=lambda line: self.lines.append(line.text),
            games=games,
            ended=self.ended.set,
        )

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until a condition is true, checked after each change of the demo."""
        await until(true, self._changed)

    def on_the_board(self) -> View:
        """Return the view that the lights show."""
        view = self.bench.lamps.view
        assert view is not None
        return view

    def plays(self) -> bool:
        """Return True if a game of the demo is on the board."""
        demo = self.demonstration.demo
        return bool(demo and demo.table and demo.table.display.view is self.on_the_board())


def at_evening(
    scene: Callable[[Evening], Coroutine[Any, Any, None]],
    requested: Settings | None = None,
    *,
    games: int | None = None,
) -> None:
    """Run a scene in an event loop; it must leave no thread behind."""

    async def play() -> None:
        evening = Evening(requested or settings(), games=games)
        evening.table.start()
        await scene(evening)
        await evening.demonstration.close()
        evening.worker.close()
        assert {asyncio.current_task()} == asyncio.all_tasks()
        evening.table.presses.stop()

    before = set(threading.enumerate())
    asyncio.run(play())
    for thread in set(threading.enumerate()) - before:
        thread.join(TIMEOUT_S)
    assert set(threading.enumerate()) <= before


def test_the_demo_plays_on_the_lights_and_leaves_the_table_as_it_was() -> None:
    """Its games are on the board while it is on; then the table's old view returns."""

    async def scene(evening: Evening) -> None:
        before = evening.table.display.view
        evening.table.demo(on=True)
        await evening.until(lambda: len(evening.lines) > 5 and evening.plays())
        assert before.state is evening.table.display.view.state
        assert before.state is not evening.on_the_board().state
        evening.table.demo(on=False)
        assert before == evening.table.display.view
        assert evening.table.display.view is evening.on_the_board()
        assert [] == evening.bench.journal.entries
        assert evening.demonstration.demo is None

    at_evening(scene)


def test_what_comes_late_does_not_cover_the_table_again() -> None:
    """A view from a demo that has ended is not shown, even if another one runs."""

    async def scene(evening: Evening) -> None:
        evening.table.demo(on=True)
        await evening.until(evening.plays)
        late, old = evening.demonstration.demo, evening.on_the_board()
        assert late
        evening.table.demo(on=False)
        late._show(old)
        assert evening.table.display.view is evening.on_the_board()
        evening.table.demo(on=True)
        await evening.until(evening.plays)
        late._show(old)
        assert old is not evening.on_the_board()

    at_evening(scene)


def test_after_its_games_the_demo_says_so() -> None:
    """It plays the requested number of games, each to its win."""

    async def scene(evening: Evening) -> None:
        evening.table.demo(on=True)
        await asyncio.wait_for(evening.ended.wait(), TIMEOUT_S)
        assert 1 == sum("wins" in line for line in evening.lines)
        assert not evening.demonstration.failed

    at_evening(scene, games=1)


def test_a_demo_that_fails_gives_the_table_back(caplog: pytest.LogCaptureFixture) -> None:
    """The table goes on, and a notice refers to the log, which has the fault."""

    async def scene(evening: Evening) -> None:
        def fail(_line: CommentaryLine) -> None:
            raise OSError("the reader has gone")

        evening.demonstration._narrate = fail
        before = evening.table.display.view
        evening.table.demo(on=True)
        await asyncio.wait_for(evening.ended.wait(), TIMEOUT_S)
        await evening.bench.settled()
        assert evening.demonstration.failed
        assert "the demo has stopped: the log says why" == str(evening.table.notices.lines[-1])
        assert before == evening.table.display.view
        assert evening.table.display.view is evening.on_the_board()

    at_evening(scene)
    assert "the reader has gone" in caplog.text


# The voice


def test_without_a_speech_program_a_notice_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It comes once, and only if a voice was requested; the demo still plays."""
    monkeypatch.setenv("PATH", str(tmp_path))

    async def scene(evening: Evening) -> None:
        assert NO_VOICE == evening.demonstration.notice
        evening.table.demo(on=True)
        await evening.until(lambda: len(evening.lines) > 2)

    async def unasked(evening: Evening) -> None:
        assert evening.demonstration.notice is None

    at_evening(scene, settings(voice=True))
    at_evening(unasked)


def test_the_voice_says_the_lines_and_falls_silent_with_the_demo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each line is spoken; the end of the demo ends the speech within a word."""
    speaker = Speaker(tmp_path)
    write_program(tmp_path / "espeak-ng", Path(speaker.program).read_text())
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    async def scene(evening: Evening) -> None:
        assert evening.demonstration.notice is None
        evening.table.demo(on=True)
        number, arguments = await asyncio.to_thread(speaker.heard)
        assert ["-v", "en", "--", evening.lines[0]] == arguments
        evening.table.demo(on=False)
        await evening.demonstration.close()
        assert gone(number)

    at_evening(scene, settings(voice=True))
