"""The games that the program has recorded, and their statistics; readable while a game goes on.

A game is replayed only on request. Lists and totals need only a few figures of each game, which are
kept in a file once another game has begun. If there are many games, another process computes the
totals, and if many games have no figures yet, two processes replay them.
"""

import gc
import logging
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, Self, TypeVar

import msgspec

from companion.board import Board
from companion.errors import BadInputError, Text, as_text, plural
from companion.journal.reader import GameError, JournalReader
from companion.journal.replay import Branch, Past, all_branches, read_past
from companion.journal.setup import find_board_file, parse_board_file, read_setup
from companion.journal.store import GameRow
from companion.records.games import (
    GameFigures,
    MatchRecord,
    RecordedGame,
    WholeGame,
    figures,
    match_record,
    whole,
)
from companion.records.statistics import KeptFigures, Statistics, statistics

ENGLISH: Final = "en"
NICENESS: Final = 5
"""Niceness of a process that reads records, so that the running game gets processor time first."""
_MANY: Final = 500
"""From this number of games on, other processes help; they take tenths of a second to start."""
_NO_NAMES: Final[Mapping[int, str]] = MappingProxyType({})
_Result = TypeVar("_Result")
_log = logging.getLogger(__name__)


class Records:
    """The records in a data folder; a context manager, for one thread at a time.

    All methods show the games as they were at the first call. The number of a game is that of its
    row in the journal; an undo does not change it. Lists leave out games with neither a count nor a
    winner; `pasts` has them too. A damaged game is shown up to the damage; `faults` names the loss.

    Raises:
        JournalError: there is no journal, or it cannot be read; any method may raise it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = JournalReader(folder)
        self._kept = KeptFigures(folder)
        self._faults: dict[int, Text] = {}
        self._found: dict[int, Branch] = {}
        self._board_files: dict[bytes, bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Keep the figures that were computed, and close the journal. Idempotent."""
        self._kept.close()
        self._journal.close()

    def check(self) -> None:
        """Read one row, which raises an error if the journal cannot be read."""
        with self._journal.store() as store:
            store.log_row(0)

    @property
    def faults(self) -> list[Text]:
        """A line for each game that was found to be damaged until now."""
        return [fault for _, fault in sorted(self._faults.items())]

    def games(self) -> list[RecordedGame]:
        return [made.game for made in self._played(self._every_branch())]

    def newest_games(self, limit: int, *, before: int | None = None) -> list[RecordedGame]:
        """Return the `limit` newest games with number < `before`, newest first.

        No other game is read, however many there are.
        """
        with closing(self._newest_first()) as newest:
            below = (each for each in newest if before is None or each.game.number < before)
            return [made.game for made in islice(self._played(below), limit)]

    def matches(self) -> list[MatchRecord]:
        """Return every series of games, oldest first (G6)."""
        series: list[list[GameFigures]] = []
        opens = True
        for branch, made in self._all(self._every_branch()):
            opens = opens or branch.game.begun_by == 0  # no command in an earlier game began it
            if made.game.happened:
                if opens:
                    series.append([])
                series[-1].append(made)
                opens = made.match_won
        return [match_record(number, games) for number, games in enumerate(series, start=1)]

    def statistics(self) -> Statistics:
        """Return the totals of all games that were won, by side and by name."""
        return statistics(self._played(self._every_branch()))

    def read_apart(self, task: Literal["matches", "statistics"], kind: type[_Result]) -> _Result:
        """Return what the method `task` returns, computed in another process if games are many.

        The memory for the games is freed when that process ends.
        """
        with self._journal.store() as store:
            many = store.last_game >= _MANY
        if many:
            with _started(task, self._folder) as process, suppress(msgspec.MsgspecError):
                return msgspec.msgpack.decode(process.communicate()[0], type=kind)
        result: _Result = getattr(self, task)()
        return result

    def game(
        self, number: int, *, language: str = ENGLISH, names: Mapping[int, str] = _NO_NAMES
    ) -> WholeGame:
        """Return a game step by step, with commentary in a language.

        `names` are names for the sides that had no name in this game.

        Raises:
            BadInputError: no game has this number.
            SettingsError: the language is unknown.
        """
        branch = self._branch(number)
        past = self._past(branch)
        names = {**names, **read_setup(branch.game).names}
        return whole(self._figures(branch, past), past, language=language, names=names)

    def whole_games(self, *, language: str = ENGLISH) -> Iterator[WholeGame]:
        """Yield every game step by step, oldest first; only one is in memory at a time."""
        for branch, past in self._readable():
            made = self._figures(branch, past)
            if made.game.happened:
                names = read_setup(branch.game).names
                yield whole(made, past, language=language, names=names)

    def past(self, number: int) -> Past:
        return self._past(self._branch(number))

    def game_of(self, seq: int) -> int:
        """Return the number of a command's game; an unknown command is a `BadInputError`."""
        with self._journal.store() as store:
            row = store.log_row(seq)
        if row is None:
            text = "no game has command {seq}: `cribwars records list` lists the games"
            raise BadInputError(text, seq=seq)
        return row.game

    def board(self, number: int) -> Board:
        """Return the board that a game was played on; an unknown number is a `BadInputError`."""
        return self._board(self._branch(number).game)

    def pasts(self) -> Iterator[tuple[int, Past]]:
        """Return every game with its number, oldest first; only one is in memory at a time."""
        return ((branch.game.number, past) for branch, past in self._readable())

    def names(self, number: int) -> dict[int, str]:
        return read_setup(self._branch(number).game).names

    # From the journal

    @cached_property
    def _last_seq(self) -> int:
        """The number of the journal's last command at the first call."""
        with self._journal.store() as store:
            return store.last_seq

    def _newest_first(self) -> Generator[Branch]:
        """Yield every game that stands (no undo has taken it back), newest first."""
        at_most = self._last_seq
        with self._journal.store() as store:
            yield from all_branches(store, at_most=at_most)

    @cached_property
    def _branches(self) -> list[Branch]:
        """Every game that stands, oldest first."""
        with self._journal.store() as store:
            readable = {number for number, row in store.rows_from(GameRow, 0) if row}
            last = store.log_row(store.last_seq)
            highest = max(store.last_game, last.game if last else 0)
        for number in sorted(set(range(1, highest + 1)) - readable):
            text = "game {number} cannot be read: its row is damaged or missing"
            self._name_fault(number, Text(text, number=number))
        found = [*self._newest_first()][::-1]
        self._found = {branch.game.number: branch for branch in found}
        return found

    def _every_branch(self) -> list[Branch]:
        """Return every game that stands; if many lack figures, two processes first compute them."""
        lacking = [each.game.number for each in self._branches if not self._kept.get(each)]
        if len(lacking) >= _MANY and (os.cpu_count() or 1) > 1:
            middle = lacking[len(lacking) // 2]
            with _started("keep", self._folder, str(middle)) as other:
                self.keep_figures(0, middle)
                other.communicate()
        return self._branches

    def keep_figures(self, first: int, end: int | None = None) -> None:
        """Keep the figures of the games with first <= number < end."""
        found = (each for each in self._branches if each.game.number >= first)
        for _ in self._all(each for each in found if end is None or each.game.number < end):
            pass
        self._kept.save()

    def _branch(self, number: int) -> Branch:
        if number not in self._found:
            with closing(self._newest_first()) as newest:
                found = next((each for each in newest if each.game.number <= number), None)
            if found is None or found.game.number < number:
                text = "there is no game {number}: `cribwars records list` lists the games"
                raise BadInputError(text, number=number)
            self._found[number] = found
        return self._found[number]

    def _played(self, branches: Iterable[Branch]) -> Iterator[GameFigures]:
        """Yield the figures of each game that has a count or a winner."""
        return (made for _, made in self._all(branches) if made.game.happened)

    def _all(self, branches: Iterable[Branch]) -> Iterator[tuple[Branch, GameFigures]]:
        for branch in branches:
            kept = None if branch.newest else self._kept.get(branch)  # the newest game may go on
            if kept:
                yield branch, kept
            elif past := self._readable_past(branch):
                yield branch, self._figures(branch, past)

    def _figures(self, branch: Branch, past: Past) -> GameFigures:
        """Return the figures of a game; keep them if it is undamaged and not the newest."""
        made = figures(branch, past, self._board(branch.game))
        if not branch.newest and past.cut is None and not self._kept.get(branch):
            self._kept.add(branch, made)
        return made

    def _readable(self) -> Iterator[tuple[Branch, Past]]:
        for branch in self._branches:
            if past := self._readable_past(branch):
                yield branch, past

    def _readable_past(self, branch: Branch) -> Past | None:
        """Return the past of a game; if nothing of it can be read, add a fault and return None."""
        try:
            return self._past(branch)
        except GameError as error:
            self._name_fault(branch.game.number, as_text(error))
            return None

    def _past(self, branch: Branch) -> Past:
        board = self._board(branch.game)
        with self._journal.store(branch.game) as store:
            past = read_past(store, branch, board.track)
        if past.cut is not None:
            number, read = branch.game.number, len(past.steps)
            one = "game {number} is damaged ({fault}): only {n} step can be read"
            more = "game {number} is damaged ({fault}): only {n} steps can be read"
            self._name_fault(number, plural(read, one, more, number=number, fault=past.fault))
        return past

    def _board(self, game: GameRow) -> Board:
        with self._journal.store(game) as store:
            if game.board_checksum not in self._board_files:
                self._board_files[game.board_checksum] = find_board_file(store, game)
            return parse_board_file(self._board_files[game.board_checksum], read_setup(game).board)

    def _name_fault(self, number: int, fault: Text) -> None:
        if number not in self._faults:
            _log.warning("%s", fault)
        self._faults[number] = fault


def _started(*arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start a process that runs `main` with these arguments."""
    process = subprocess.Popen(  # noqa: S603  # our own program
        (sys.executable, "-m", __name__, *arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    yield_to_table(process.pid)
    return process


def yield_to_table(process: int) -> None:
    """Lower the priority of a process, unless a service's filter of system calls refuses."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, NICENESS)


def main(task: str, folder: str, first: str = "0") -> None:
    """Keep the figures of the games from `first` on, or print `matches` or `statistics`."""
    gc.disable()  # games have no reference cycles
    with Records(Path(folder)) as records:
        if task == "keep":
            records.keep_figures(int(first))
        else:
            found = records.matches() if task == "matches" else records.statistics()
            sys.stdout.buffer.write(msgspec.msgpack.encode(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
