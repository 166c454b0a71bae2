"""Games and commands of one journal added to another, each of them once.

A game is known by its set-up and the time at which it was begun, a command by its own time and by
what it builds on. So what was added before is found again, and a game goes on where the other
journal has only its beginning. A game to which that cannot be done, since another one was played
there after it, is added whole as a game of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from companion.journal.branch import current_series
from companion.journal.store import GameRow, LogRow, Store
from companion.rules.game import Undo
from companion.rules.game.notation import command_value

_Key = tuple[int, int, float, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Games and their board files by number, and commands, oldest first, of a journal.

    `head` is the number of the command after which the game stands; None where the last of the
    commands tells.
    """

    games: Mapping[int, GameRow]
    rows: Sequence[LogRow]
    board_files: Mapping[int, bytes]
    head: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Rows of a journal by the numbers of the same rows in an extract, and how many are new."""

    games: Mapping[int, GameRow]
    rows: Mapping[int, LogRow]
    new: int


def merge(extract: Extract, store: Store, now: float) -> Merged:
    """Add what a journal lacks of an extract, in the open transaction; the game stands as there.

    Where the journal has all of it, and `head` is None, nothing is changed.
    """
    same = _same_games(extract, store)
    standing = {branch.game.number for branch in current_series(store)}
    while True:
        plan = _MergePlan(extract, store, same, now)
        grown = plan.grown & same.keys()
        apart = {number for number in grown if plan.games[number].number not in standing}
        if not apart:
            break
        same = {number: game for number, game in same.items() if number not in apart}
    for game, board_file in plan.new_games:
        store.add_game(game, board_file)
    for row in plan.new_rows:
        store.add_log_row(row)
    return Merged(games=plan.games, rows=plan.rows, new=len(plan.new_rows))


def _same_games(extract: Extract, store: Store) -> dict[int, GameRow]:
    """Return the games of a journal that an extract has too, by their numbers there."""
    known = {(game.t, game.setup): game for game in store.games().values()}
    found = ((number, known.get((game.t, game.setup))) for number, game in extract.games.items())
    return {number: game for number, game in found if game}


class _MergePlan:
    """Rows to add to a journal, if of its games those in `same` go on.

    `grown` are the numbers, in the extract, of the games that get commands.
    """

    def __init__(
        self, extract: Extract, store: Store, same: Mapping[int, GameRow], now: float
    ) -> None:
        self._extract, self._same = extract, same
        self._there = _rows_of(store, same.values())
        self._last_seq, self._last_game = store.last_seq, store.last_game
        self._seqs = {0: 0}
        self.games: dict[int, GameRow] = {}
        self.rows: dict[int, LogRow] = {}
        self.new_games: list[tuple[GameRow, bytes]] = []
        self.new_rows: list[LogRow] = []
        self.grown: set[int] = set()
        begun = {game.begun_by: number for number, game in extract.games.items()}
        self._add_game(min(extract.games))
        for row in extract.rows:
            self._add_game(row.game)
            self._add_row(row)
            self._add_game(begun.get(row.seq, 0))
        if extract.head is not None and not self.new_rows:
            self._stand_at(extract.head, store, now)

    def _add_game(self, number: int) -> None:
        game = self._extract.games.get(number)
        if game is None or number in self.games:
            return
        found = self._same.get(number)
        if found is None:
            self._last_game += 1
            begun_by = self._seqs.get(game.begun_by, 0)
            found = msgspec.structs.replace(game, number=self._last_game, begun_by=begun_by)
            self.new_games.append((found, self._extract.board_files[number]))
        self.games[number] = found
        self._seqs[game.begun_by] = found.begun_by

    def _add_row(self, row: LogRow) -> None:
        game, parent = self.games.get(row.game), self._seqs.get(row.parent)
        if game is None or parent is None:
            return  # what it builds on is lost
        placed = msgspec.structs.replace(row, parent=parent, game=game.number)
        found = self._there.get(_key(placed))
        if found is None:
            seq = self._last_seq + 1
            head = seq if row.head == row.seq else self._seqs.get(row.head, parent)
            found = msgspec.structs.replace(placed, seq=seq, head=head)
            self._append(row.game, found)
        self.rows[row.seq], self._seqs[row.seq] = found, found.seq

    def _append(self, game: int, row: LogRow) -> None:
        self._last_seq = row.seq
        self.new_rows.append(row)
        self.grown.add(game)

    def _stand_at(self, head: int, store: Store, now: float) -> None:
        """Take back in one step what the journal has after a command."""
        last, number = next(store.log_rows(at_most=self._last_seq), None), max(self.games)
        if last and last.head != self._seqs[head]:
            undo = LogRow(
                seq=self._last_seq + 1,
                parent=last.head,
                head=self._seqs[head],
                game=self.games[number].number,
                t=now,
                command=msgspec.json.encode(command_value(Undo())),
                events=b"[]",
            )
            self._append(number, undo)


def _rows_of(store: Store, games: Iterable[GameRow]) -> dict[_Key, LogRow]:
    begun_by = {game.number: game.begun_by for game in games}
    if not begun_by:
        return {}
    rows = store.log_rows(at_most=store.last_seq, after=min(begun_by.values()))
    return {_key(row): row for row in rows if row.game in begun_by}


def _key(row: LogRow) -> _Key:
    return row.game, row.parent, row.t, row.command
