"""The records as the page sees them: read in a thread of their own, shown again on the board.

The board shows a game again as it shows the demo: the table keeps what it is, and the next press,
or any command, ends it.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, TypeVar, cast

import msgspec

from companion.board import Board
from companion.errors import BadInputError, JournalError, RuleError
from companion.lights import View, plan
from companion.rules.game import Deal, Entry
from companion.settings.load import Settings
from companion.table import Table
from companion.web.http.worker import Reader
from companion.web.records import responses
from companion.web.table.desk import NoGameError

if TYPE_CHECKING:  # what records need is slow to import: the board is lit before that
    from companion.journal import Past, Records, WholeGame

LEFT: Final = 600.0
"""Seconds after which a replay ends that nobody has moved."""

PIECE: Final = 1 << 16
"""Bytes of a backup that are read at once."""

_NOTHING_KEPT: Final = "nothing is kept at this table: the games of `cribwars run` are"

_Told = TypeVar("_Told")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A game on the board: its past, the steps of it that are places, and where it stands."""

    number: int
    past: Past
    steps: list[int]
    place: int
    view: View


class RecordDesk:
    """Satisfies `companion.web.table.desk.Records` once `serves` has told it of the table.

    Args:
        folder: of the journal; None if nothing is kept.
        board: lies on the table.
        settings: in which language games are told, and whether pegs move calmly.
        names: what sides are called that had no name of their own, by team.
        settings_file: goes into a backup, if it is there.
        left: seconds after which a replay ends that nobody has moved.
    """

    def __init__(
        self,
        folder: Path | None,
        board: Board,
        settings: Settings,
        names: Mapping[int, str],
        *,
        settings_file: Path | None = None,
        left: float = LEFT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._board, self._names = folder, board, names
        self._language = settings.text("", "language")
        self._calm = settings.switch("lights", "calm")
        self._settings_file = settings_file
        self._left, self._clock = left, clock
        self._reader = Reader()
        self._table: Table
        self._shown: _Shown | None = None
        self._asks = 0
        self._timer: asyncio.TimerHandle | None = None

    def serves(self, table: Table) -> None:
        """Tell of the table on whose lights games are shown again."""
        self._table = table

    def close(self) -> None:
        """Read no more; nobody waits for what is being read."""
        if self._timer:
            self._timer.cancel()
        self._reader.close()

    # Telling

    async def games(self, *, before: int | None, most: int) -> responses.Games:
        """So many games with numbers below `before`, the newest first."""

        def some(records: Records) -> responses.Games:
            games = records.newest_games(most + 1, before=before)
            page = [cast("responses.RecordedGame", _plain(game)) for game in games[:most]]
            return {"games": page, "more": len(games) > most}

        return await self._read(some)

    async def game(self, number: int) -> responses.ToldGame:
        """A game place by place."""

        def told(records: Records) -> responses.ToldGame:
            whole = records.game(number, language=self._language, names=self._names)
            return _told(whole, here=self._is_here(records, number))

        return await self._read(told)

    async def matches(self) -> list[responses.RecordedMatch]:
        """Every series of games, the newest first."""
        return cast(
            "list[responses.RecordedMatch]",
            await self._read(lambda records: _plain(records.matches()[::-1])),
        )

    async def statistics(self) -> responses.Statistics:
        """What all games that were won come to."""
        told = await self._read(lambda records: _plain(records.statistics()))
        return cast("responses.Statistics", told)

    # Files

    async def export_json(self) -> AsyncIterator[bytes]:
        """Everything as one JSON object."""

        def pieces(records: Records) -> Iterator[bytes]:
            from companion.journal import export_json  # noqa: PLC0415  # see above

            return export_json(records, language=self._language)

        async for piece in self._pieces(pieces):
            yield piece

    async def export_csv(self) -> AsyncIterator[bytes]:
        """The counts as a table for spreadsheets."""

        def pieces(records: Records) -> Iterator[bytes]:
            from companion.journal import export_csv  # noqa: PLC0415  # see above

            return export_csv(records)

        async for piece in self._pieces(pieces):
            yield piece

    async def backup(self) -> AsyncIterator[bytes]:
        """Journal, settings and boards as one zip file."""
        content = await self._reader.do(self._back_up)
        try:
            while piece := await self._reader.do(lambda: content.read(PIECE)):
                yield piece
        finally:
            self._reader.put(content.close)

    def _back_up(self) -> IO[bytes]:
        """A backup that is gone from the disk once it is closed."""
        from companion.journal import back_up  # noqa: PLC0415  # see above

        with tempfile.TemporaryDirectory(prefix="cribwars-") as place:
            file = Path(place) / "backup.zip"
            try:
                back_up(self._kept_in(), file, settings=self._settings_file, now=time.time())
            except BadInputError as error:
                raise JournalError(f"no backup can be made: {error}") from None
            return file.open("rb")

    async def _pieces(self, make: Callable[[Records], Iterator[bytes]]) -> AsyncIterator[bytes]:
        records = await self._reader.do(self._open)
        try:
            pieces = make(records)
            while (piece := await self._reader.do(lambda: next(pieces, None))) is not None:
                yield piece
        finally:
            self._reader.put(records.close)

    # Showing a game again

    async def replay(self, number: int, place: int) -> None:
        """Show on the board how a game stood at a place of it."""
        self._asks = ask = self._asks + 1
        shown = self._on_the_board
        if shown is None or shown.number != number:
            past, steps = await self._read(lambda records: self._past(records, number))
            shown = None
        else:
            past, steps = shown.past, shown.steps
        if place >= len(steps):
            last = len(steps) - 1
            raise BadInputError(f"game {number} has no place {place}: its last is {last}")
        if ask == self._asks:  # else something else was asked for while this was read
            view = self._view(past, steps, place, shown.place if shown else None)
            self._show(_Shown(number=number, past=past, steps=steps, place=place, view=view))

    def end_replay(self) -> None:
        """Show the running game again, if another is shown."""
        self._asks += 1
        self._end()

    def _end(self) -> None:
        if self._on_the_board:
            self._table.replay(None)
        self._shown = None

    def mode(self) -> dict[str, object] | None:
        """What the news tell while a game is shown again; see `companion.web.table.desk`."""
        shown = self._on_the_board
        if shown is None:
            return None
        last = len(shown.steps) - 1
        return {"state": "replay", "game": shown.number, "at": shown.place, "of": last}

    @property
    def _on_the_board(self) -> _Shown | None:
        """What is shown; the table knows whether it still is."""
        shown = self._shown
        return shown if shown and self._table.replayed is shown.view else None

    def _show(self, shown: _Shown) -> None:
        self._shown = shown
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._left, self._end)
        self._table.replay(shown.view)

    def _view(self, past: Past, steps: list[int], place: int, before: int | None) -> View:
        """A place as it is to be seen: one step on is walked, any other way is gone straight."""
        step = steps[place]
        after, now = past.states[step], self._clock()
        if before is None or before == place:
            return View(state=after, ahead=after)
        if place == before + 1:
            motion = plan(past.states[step - 1], past.steps[step - 1].entry, now, calm=self._calm)
        else:
            moved = Entry(command=Deal(), events=(), state=after)
            motion = plan(past.states[steps[before]], moved, now, calm=self._calm)
        return View(state=after, ahead=after, motion=motion)

    def _past(self, records: Records, number: int) -> tuple[Past, list[int]]:
        from companion.journal import race  # noqa: PLC0415  # see above

        if not self._is_here(records, number):
            title = records.board(number).title
            text = f"game {number} was played on another board, {title}: no lamps here can show it"
            raise RuleError(text)
        past = records.past(number)
        return past, race(past).steps

    def _is_here(self, records: Records, number: int) -> bool:
        return records.board(number).track == self._board.track

    # Reading

    async def _read(self, tell: Callable[[Records], _Told]) -> _Told:
        def read() -> _Told:
            with self._open() as records:
                try:
                    return tell(records)
                except BadInputError as error:
                    raise NoGameError(str(error)) from None

        return await self._reader.do(read)

    def _open(self) -> Records:
        from companion.journal import Records  # noqa: PLC0415  # see above

        return Records(self._kept_in())

    def _kept_in(self) -> Path:
        if self._folder is None:
            raise NoGameError(_NOTHING_KEPT)
        return self._folder


def _plain(value: object) -> object:
    """A value of the records as what its JSON is made of."""
    return msgspec.to_builtins(value, str_keys=True)


def _told(whole: WholeGame, *, here: bool) -> responses.ToldGame:
    steps = [whole.steps[step] for step in whole.race.steps]
    return {
        "game": cast("responses.RecordedGame", _plain(whole.game)),
        "here": here,
        "places": [{"t": step.t, "hand": step.hand, "words": step.words} for step in steps],
        "progress": {str(team): values for team, values in whole.race.progress.items()},
    }
