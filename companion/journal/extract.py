"""Rows of one journal added to another: those that could not be saved, or a game that moves there.

Rows have numbers, so a journal that has the row with its own last number in common with an extract
is an earlier state of it: what follows is appended. An empty journal takes the extract with its
numbers, so that the same rule finds its way back to the journal that they are from. In any other
journal something else was played since: the extract is added as games of their own, with the next
free numbers, and both stay.

Example: the card with rows 1 to 4 was pulled out, 5 and 6 were written elsewhere. The card comes
back with 4 as its last row: 5 and 6 follow. If somebody had added another 5 on it, rows 1 to 6
would be added to it as rows 6 to 11, a game of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from companion.journal.setup import find_board_file
from companion.journal.store import GameRow, LogRow, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Games, each with its board file, and commands, oldest first, of a journal."""

    games: Mapping[int, tuple[GameRow, bytes]]
    rows: Sequence[LogRow]

    @classmethod
    def of(cls, store: Store) -> "Extract":
        """Return all of a journal.

        Raises:
            BadInputError: a board file is damaged.
        """
        games = store.games()
        return cls(
            games={number: (game, find_board_file(store, game)) for number, game in games.items()},
            rows=list(store.log_rows(at_most=store.last_seq))[::-1],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """Rows of a journal by the numbers that they have in an extract, and how many are new."""

    games: Mapping[int, GameRow]
    rows: Mapping[int, LogRow]
    new: int


def add(extract: Extract, store: Store, *, stands: bool = False) -> Added:
    """Add what a journal lacks of an extract, in the open transaction.

    Args:
        extract: the rows, of any journal.
        store: the journal that gets them.
        stands: the game must stand as in the extract, whatever the journal has after it.
    """
    rows = {row.seq: row for row in extract.rows}
    last, newest = store.last_seq, extract.rows[-1]
    if not last or (last in rows and store.log_row(last) == rows[last]):
        games = {number: game for number, (game, _) in extract.games.items()}
        new = [row for row in extract.rows if row.seq > last]
        known = store.games()
        _insert(store, [extract.games[n] for n in games if n not in known], new)
        return Added(games=games, rows=rows, new=len(new))
    if not stands and store.has(newest):
        return Added(games={}, rows={}, new=0)
    return _add_as_own(extract, store)


def _add_as_own(extract: Extract, store: Store) -> Added:
    """Add all of an extract with the next free numbers, but rows that build on one that is lost."""
    seqs = {0: 0} | {game.begun_by: 0 for game, _ in extract.games.values()}
    numbers = {
        number: store.last_game + place for place, number in enumerate(sorted(extract.games), 1)
    }
    found: dict[int, LogRow] = {}
    for row in extract.rows:
        parent, game = seqs.get(row.parent), numbers.get(row.game)
        if parent is not None and game is not None:
            seqs[row.seq] = seq = store.last_seq + len(found) + 1
            head = seqs.get(row.head, parent)
            values = {"seq": seq, "parent": parent, "head": head, "game": game}
            found[row.seq] = msgspec.structs.replace(row, **values)
    games = {
        number: msgspec.structs.replace(game, number=numbers[number], begun_by=seqs[game.begun_by])
        for number, (game, _) in extract.games.items()
    }
    boards = [(games[number], board_file) for number, (_, board_file) in extract.games.items()]
    _insert(store, boards, found.values())
    return Added(games=games, rows=found, new=len(found))


def _insert(store: Store, games: Iterable[tuple[GameRow, bytes]], rows: Iterable[LogRow]) -> None:
    for game, board_file in games:
        store.add_game(game, board_file)
    for row in rows:
        store.add_log_row(row)
