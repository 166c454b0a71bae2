"""Recorded games for the page: read in a worker thread, and replayed on the board.

A replay does not change the running game, and the next press or command ends the replay. A step of
a game is a command. The places of a replay are states of the game: place 0 is the start, and each
step that is not a deal leads to the next place.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeVar

from companion.backups.backup_file import back_up
from companion.devices.live import LiveSettings
from companion.errors import BadInputError, JournalError, RuleError
from companion.journal.replay import Past
from companion.lights import View, plan
from companion.records.games import race
from companion.records.records import Records
from companion.rules.game import Deal, Entry
from companion.table import Table
from companion.web.export import CHUNK_BYTES, exported
from companion.web.record_responses import (
    GamePage,
    GameTimeline,
    NewestGame,
    make_timeline,
    make_won_game,
)
from companion.web.table.news import ReplayMode
from companion.worker import Worker

REPLAY_IDLE_TIMEOUT_S: Final = 600.0
EXPORT_LIMIT: Final = 2
"""Greatest number of exports at a time; each export takes the memory of a process."""

_NO_RECORDS: Final = "this program keeps no games: only `cribwars run` keeps them"

_Result = TypeVar("_Result")


class NoGameError(LookupError):
    """The records have no game of this number, or this table keeps no records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Replay:
    """Replay on the board; `steps` has for each place the number of the step that led to it."""

    number: int
    past: Past
    steps: list[int]
    place: int
    view: View


class RecordsService:
    """Recorded games of a table. Call it in the event loop; reading happens in a worker thread.

    Args:
        folder: the journal's folder; None if no games are kept.
        live: the settings in force; they name the sides that had no name in a recorded game.
        worker: reads the records.
        calendar: returns seconds since 1970, UTC, for backups.
        settings_file: the file that is put into a backup if it exists.
        idle_timeout_s: the time after which a replay ends if no request moves it.

    Methods that read the journal raise `NoGameError` if there is no such game, and `JournalError`
    if the journal cannot be read.
    """

    def __init__(
        self,
        folder: Path | None,
        live: LiveSettings,
        table: Table,
        worker: Worker,
        *,
        calendar: Callable[[], float],
        settings_file: Path | None = None,
        idle_timeout_s: float = REPLAY_IDLE_TIMEOUT_S,
    ) -> None:
        self._folder, self._live, self._table = folder, live, table
        self._settings_file = settings_file
        self._idle_timeout_s, self._calendar = idle_timeout_s, calendar
        self._reader = worker
        self._replay: _Replay | None = None
        self._requests = 0
        self._exports = asyncio.Semaphore(EXPORT_LIMIT)
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        """Stop the timer of a replay."""
        if self._timer:
            self._timer.cancel()

    # Reading

    async def read(self, query: Callable[[Records], _Result]) -> _Result:
        def answer() -> _Result:
            with Records(self._journal_folder()) as records:
                try:
                    return query(records)
                except BadInputError as error:
                    raise NoGameError(error.text) from None

        return await self._reader.do(answer)

    async def games(self, *, before: int | None, limit: int) -> GamePage:
        """Return the `limit` newest games with number < `before`, newest first."""

        def page(records: Records) -> GamePage:
            games = records.newest_games(limit + 1, before=before)
            return GamePage(games=games[:limit], more=len(games) > limit)

        return await self.read(page)

    async def game(self, number: int, language: str) -> GameTimeline:
        def timeline(records: Records) -> GameTimeline:
            whole = records.game(number, language=language, names=self._live.now.names)
            board, here = records.board(number), self._is_here(records, number)
            return make_timeline(whole, records.past(number), board, here=here)

        return await self.read(timeline)

    async def newest_game(self, language: str) -> NewestGame:
        def newest(records: Records) -> NewestGame:
            games = records.newest_games(1)
            if not games or games[0].winner is None:
                return NewestGame(won=None)
            number, winner = games[0].number, games[0].winner
            whole = records.game(number, language=language, names=self._live.now.names)
            return NewestGame(won=make_won_game(whole, records.past(number), winner))

        return await self.read(newest) if self._folder else NewestGame(won=None)

    # Files

    async def export(self, form: str, language: str) -> AsyncIterator[bytes]:
        """Yield all games as one JSON object, or their counts as CSV, in chunks."""
        await self.read(Records.check)  # raises an error before the export begins
        async with self._exports:
            async for chunk in exported(self._journal_folder(), form, language):
                yield chunk

    async def backup(self) -> AsyncIterator[bytes]:
        """Yield journal, settings and phones as one zip file, in chunks."""
        content = await self._reader.do(self._back_up)
        try:
            while chunk := await self._reader.do(lambda: content.read(CHUNK_BYTES)):
                yield chunk
        finally:
            self._reader.put(content.close)

    def _back_up(self) -> IO[bytes]:
        """Make and open a backup file, which the system deletes as soon as it is closed."""
        with tempfile.TemporaryDirectory(prefix="cribwars-") as place:
            file = Path(place) / "backup.zip"
            try:
                now = self._calendar()
                back_up(self._journal_folder(), file, settings=self._settings_file, now=now)
            except BadInputError as error:
                raise JournalError("no backup can be made: {error}", error=error) from None
            return file.open("rb")

    # Replay

    async def replay(self, number: int, place: int) -> None:
        """Show on the board the state of a recorded game at a place.

        The replay ends with `end_replay`, after the idle timeout, or with a press or a command.

        Raises:
            BadInputError: the game has no such place.
            RuleError: the game was played on another board.
        """
        self._requests = request = self._requests + 1
        shown = self._on_the_board
        if shown is None or shown.number != number:
            past, steps = await self.read(lambda records: self._past(records, number))
            shown = None
        else:
            past, steps = shown.past, shown.steps
        if place >= len(steps):
            last = len(steps) - 1
            text = "game {number} has no place {place}: its last place is {last}"
            raise BadInputError(text, number=number, place=place, last=last)
        if request == self._requests:  # otherwise a later request came during the read
            view = self._view(past, steps, place, shown.place if shown else None)
            self._show(_Replay(number=number, past=past, steps=steps, place=place, view=view))

    def end_replay(self) -> None:
        """Show the running game again if a replay is shown."""
        self._requests += 1
        self._end()

    def _end(self) -> None:
        if self._on_the_board:
            self._table.replay(None)
        self._replay = None

    def mode(self) -> ReplayMode | None:
        shown = self._on_the_board
        if shown is None:
            return None
        return ReplayMode(game=shown.number, at=shown.place, of=len(shown.steps) - 1)

    @property
    def _on_the_board(self) -> _Replay | None:
        """The replay, unless the table has ended it."""
        shown = self._replay
        return shown if shown and self._table.display.replayed is shown.view else None

    def _show(self, shown: _Replay) -> None:
        self._replay = shown
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._idle_timeout_s, self._end)
        self._table.replay(shown.view)

    def _view(self, past: Past, steps: list[int], place: int, before: int | None) -> View:
        """Return the view of a place; `before` is the place shown now, None if no replay is shown.

        Pegs walk along the track to the next place, and move straight to any other place.
        """
        step = steps[place]
        after, now = past.states[step], self._table.clock()
        if before is None or before == place:
            return View(state=after, ahead=after)
        if place == before + 1:
            start, moved = past.states[step - 1], past.steps[step - 1].entry
        else:
            start = past.states[steps[before]]
            moved = Entry(command=Deal(), events=(), state=after)
        pace = self._live.now.settings.lights
        motion = plan(start, moved, now, calm=pace.calm, speed=pace.speed)
        return View(state=after, ahead=after, motion=motion)

    def _past(self, records: Records, number: int) -> tuple[Past, list[int]]:
        if not self._is_here(records, number):
            title = records.board(number).title
            raise RuleError(
                "game {number} was played on another board, {title}: the lamps here cannot show it",
                number=number,
                title=title,
            )
        past = records.past(number)
        return past, race(past).steps

    def _is_here(self, records: Records, number: int) -> bool:
        return records.board(number).track == self._live.now.assembly.board.track

    def _journal_folder(self) -> Path:
        if self._folder is None:
            raise NoGameError(_NO_RECORDS)
        return self._folder
