"""The demo of a running table: computer players play on the lights of the table.

When the demo is switched on, a task builds the players, a voice and a `Demo`, and plays. When the
demo is switched off, the task is cancelled. If settings of the demo change, the demo begins again.
If a demo fails, the error is logged, the demo is switched off, and the board's own game goes on.
For example, with the setting `players = ["shark", "regular"]`, seats 1 and 3 of 4 are sharks.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Mapping

from companion.commentary import CommentaryLine, Commentator
from companion.commentary.speech import Voice, find_voice
from companion.devices.live import InForce, LiveSettings
from companion.errors import Text
from companion.lights import View
from companion.players import Player, make_player
from companion.table import Table
from companion.table.cards.card_commands import at_speed
from companion.table.demo import Demo
from companion.worker import Worker

NO_VOICE = Text("nothing is said aloud: install espeak-ng, or set voice = false in [demo]")

_log = logging.getLogger(__name__)


class Demonstration:
    """Demo of a table; the demo runs while it is switched on at the table.

    `demo` is the running demo, or None. `notice` is a line about a missing voice, or None. `failed`
    is True once a fault has ended a demo.

    Args:
        table: the table, whose lights show the demo.
        live: the settings in force.
        worker: builds the computer players, and chooses their cards.
        changed: called after each change of a game.
        narrate: called with each line of commentary.
        games: number of games to play; None to play until the demo is switched off.
        aloud: False for a demo that never speaks, whatever the settings say.
        ended: called when all games are played or a fault has ended the demo.
    """

    def __init__(
        self,
        table: Table,
        live: LiveSettings,
        worker: Worker,
        *,
        changed: Callable[[], None],
        narrate: Callable[[CommentaryLine], None] = lambda _: None,
        games: int | None = None,
        aloud: bool = True,
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._table, self._live, self._worker = table, live, worker
        self._changed, self._narrate = changed, narrate
        self._games, self._ended = games, ended
        self._aloud = aloud
        self.notice = NO_VOICE if self._expects_voice and not find_voice() else None
        self._task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.demo: Demo | None = None
        self.failed = False
        self._unsubscribe = table.display.redrawn.subscribe(self._follow)
        live.changed.subscribe(self._restart)

    @property
    def _expects_voice(self) -> bool:
        """True if a missing voice is reported, because a settings file asks for a voice."""
        settings = self._live.now.settings
        return self._speaks and settings.was_set("demo.voice")

    @property
    def _speaks(self) -> bool:
        return self._aloud and self._live.now.settings.demo.voice

    def _restart(self, before: InForce) -> None:
        """Begin a running demo again if settings that it uses have changed."""
        if self._task and _of_demo(before) != _of_demo(self._live.now):
            self._end()
            self._begin()

    def _follow(self, before: View, view: View) -> None:
        if view.attract != before.attract:
            (self._begin if view.attract else self._end)()

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())
        self._tasks.add(self._task)
        self._task.add_done_callback(self._tasks.discard)

    def _end(self) -> None:
        if self._task:
            self._task.cancel()
            self._task = self.demo = None
            self._table.show_instead(None)

    async def close(self) -> None:
        self._unsubscribe()
        self._end()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self) -> None:
        try:
            await self._play()
        except Exception:  # noqa: BLE001  # the table must go on
            _log.exception("the demo has stopped")
            self._table.notices.say(Text("the demo has stopped: the log says why"))
            self.failed = True
            self._table.demo(on=False)
        self._ended()

    async def _play(self) -> None:
        now = self._live.now
        setup = now.assembly.request.setup
        commentator = Commentator.make(now.settings.language, now.names, setup)
        voice = self._voice(commentator)
        try:
            players = await self._worker.do(self._players)
            demo = self.demo = self._demo(players, commentator, voice)
            await demo.run(self._games)
        finally:
            if voice:
                voice.close()

    def _voice(self, commentator: Commentator) -> Voice | None:
        speaker = find_voice() if self._speaks else None
        if speaker is None:
            return None
        trouble = self._table.notices.say if self._expects_voice else _log.info
        voice = commentator.phrases.say("voice")
        return Voice(speaker, voice, clock=self._table.clock, on_trouble=trouble)

    def _players(self) -> dict[int, Player]:
        now = self._live.now
        kinds = now.settings.demo.players
        setup, rng = now.assembly.request.setup, random.SystemRandom()
        return {
            seat: make_player(kinds[(seat - 1) % len(kinds)], setup, rng)
            for seat in range(1, setup.players + 1)
        }

    def _demo(
        self,
        players: Mapping[int, Player],
        commentator: Commentator,
        voice: Voice | None,
    ) -> Demo:
        def show(view: View) -> None:
            if self.demo is demo:  # a view of an ended demo must not cover the table
                self._table.show_instead(view)

        def tell(line: CommentaryLine) -> None:
            self._narrate(line)
            if voice:
                voice.say(line.text)

        now = self._live.now
        demo = Demo(
            now.assembly.request,
            players,
            commentator,
            show=show,
            narrate=tell,
            changed=self._changed,
            rng=random.SystemRandom(),
            think=self._worker.do,
            clock=self._table.clock,
            calm=now.settings.lights.calm,
            speed=now.settings.lights.speed,
            sleep=at_speed(now.settings.demo.speed),
            wait=asyncio.sleep,
        )
        return demo


def _of_demo(in_force: InForce) -> tuple[object, ...]:
    settings = in_force.settings
    lights = settings.lights
    return settings.demo, in_force.names, settings.language, lights.calm, lights.speed
