"""The records of a table: its journal read, while the table goes on, and what it all comes to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final, Self

import msgspec

from companion.board import Board, parse_board
from companion.errors import BadInputError, CompanionError, JournalError
from companion.journal.games import (
    Game,
    InSeries,
    Match,
    WholeGame,
    house_rules,
    listed,
    matches,
    whole,
)
from companion.journal.reader import Chapter, GameRow, JournalFile
from companion.journal.replay import Past, play_back
from companion.journal.side_statistics import VERSION, GameFigures, figures
from companion.journal.statistics import Statistics, statistics
from companion.rules.game import Match as Series
from companion.rules.game import Setup, new_game

FILE: Final = "records-kept.msgpack"


class _Kept(msgspec.Struct, frozen=True):
    version: int
    games: dict[str, GameFigures]


def load_kept(folder: Path) -> dict[str, GameFigures]:
    """What is kept, by a key that stands for one state of one game; nothing if it cannot be had."""
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.msgpack.decode((folder / FILE).read_bytes(), type=_Kept)
        if kept.version == VERSION:
            return kept.games
    return {}


def keep(folder: Path, games: Mapping[str, GameFigures]) -> None:
    """Keep these instead of what was kept; where nothing can be written, nothing is."""
    content = msgspec.msgpack.encode(_Kept(version=VERSION, games=dict(games)))
    new = folder / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        try:
            new.write_bytes(content)
            new.replace(folder / FILE)
        finally:
            new.unlink(missing_ok=True)


ENGLISH = "en"
_NO_NAMES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A game that stands and in which something happened; `opens` a series, if it does."""

    chapter: Chapter
    opens: bool
    game: Game
    figures: GameFigures


class Records:
    """The records in a data folder; a context manager, for one thread at a time.

    What is told is the journal as it was when it was asked: a game is known by the number of its
    row, which no undo changes. A game in which nobody has counted or won is none.

    Raises:
        JournalError: there is no journal, or it cannot be read; any method may find that out.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = JournalFile(folder)
        self._boards: dict[bytes, Board] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the journal. Idempotent."""
        self._journal.close()

    def games(self) -> list[Game]:
        """Every game that stands, oldest first."""
        return [told.game for told in self._told()]

    def matches(self) -> list[Match]:
        """Every series of games, oldest first (G6)."""
        return matches(
            InSeries(
                game=told.game,
                opens=told.opens,
                to=house_rules(told.chapter.game.setup).match_to,
                won=told.figures.match_won,
                score=told.figures.score,
            )
            for told in self._told()
        )

    def statistics(self) -> Statistics:
        """What all games that were won come to, by side and by name."""
        return statistics(
            (told.chapter.game.number, told.chapter.game.setup.names, told.figures)
            for told in self._told()
        )

    def game(
        self, number: int, *, language: str = ENGLISH, names: Mapping[int, str] = _NO_NAMES
    ) -> WholeGame:
        """A game step by step.

        Args:
            number: as `games` tells it.
            language: in which it is told; one of `companion.commentary.languages()`.
            names: what sides are called that had no name of their own.

        Raises:
            BadInputError: there is no game of this number.
            SettingsError: there is no such language.
        """
        chapter = self._chapter(number)
        past = self._past(chapter)
        told = self._figures(chapter, past)
        return _whole(chapter, told, past, language, names)

    def whole_games(
        self, *, language: str = ENGLISH, names: Mapping[int, str] = _NO_NAMES
    ) -> Iterator[WholeGame]:
        """Every game step by step, oldest first; one at a time is in memory."""
        for told in self._told():
            yield _whole(told.chapter, told.figures, self._past(told.chapter), language, names)

    def past(self, number: int) -> Past:
        """A game's states, for a board that shows it again; unknown: `BadInputError`."""
        return self._past(self._chapter(number))

    def board(self, number: int) -> Board:
        """The board that a game was played on; unknown: `BadInputError`."""
        return self._board(self._chapter(number).game)

    def pasts(self) -> Iterator[tuple[Game, Past]]:
        """Every game with its states, oldest first; one at a time is in memory."""
        for told in self._told():
            yield told.game, self._past(told.chapter)

    # From the journal

    def _told(self) -> list[_Told]:
        """The games that are told of; what those that are over come to is kept."""
        found: list[_Told] = []
        opens = False
        for chapter, told in self._chapters_with_figures():
            opens = opens or chapter.opens
            if told.counts or told.winner:
                game = listed(chapter, told)
                found.append(_Told(chapter=chapter, opens=opens, game=game, figures=told))
                opens = False
        return found

    def _chapters_with_figures(self) -> Iterator[tuple[Chapter, GameFigures]]:
        kept, used = load_kept(self._folder), dict[str, GameFigures]()
        for chapter in self._journal.chapters():
            key = f"{chapter.game.number} {chapter.game.t!r} {chapter.last} {chapter.t!r}"
            told = kept.get(key) or self._figures(chapter, self._past(chapter))
            if not chapter.newest:
                used[key] = told
            yield chapter, told
        if used.keys() != kept.keys():
            keep(self._folder, used)

    def _chapter(self, number: int) -> Chapter:
        for chapter in self._journal.chapters():
            if chapter.game.number == number:
                return chapter
        raise BadInputError(f"there is no game {number}: `cribwars records list` tells them all")

    def _figures(self, chapter: Chapter, past: Past) -> GameFigures:
        board = self._board(chapter.game)
        return figures(past, board=board.name, title=board.title)

    def _past(self, chapter: Chapter) -> Past:
        row = chapter.game
        track, rows = self._board(row).track, self._journal.rows(chapter)
        with _naming(row):
            setup = Setup.make(
                track,
                house_rules(row.setup),
                lanes=row.setup.lanes,
                players=row.setup.players,
            )
            start = new_game(setup, Series(games=tuple(sorted(row.setup.games_won.items()))))
            return play_back(start, rows)

    def _board(self, row: GameRow) -> Board:
        """The board that a game was played on; most are played on the same."""
        content = self._journal.board_file(row.number)
        if content not in self._boards:
            with _naming(row):
                self._boards[content] = parse_board(content, file=row.setup.board)
        return self._boards[content]


def _whole(
    chapter: Chapter, told: GameFigures, past: Past, language: str, names: Mapping[int, str]
) -> WholeGame:
    """A game step by step; its own names go before those given."""
    called = {**names, **chapter.game.setup.names}
    return whole(listed(chapter, told), told, past, language=language, names=called)


@contextmanager
def _naming(row: GameRow) -> Iterator[None]:
    """Say of which game something cannot be read."""
    try:
        yield
    except CompanionError as error:
        why = str(error).partition("\n")[0]
        text = f"game {row.number} of the journal cannot be read ({why}): restore a backup of it"
        raise JournalError(text) from error
