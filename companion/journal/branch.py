"""The current branch of the undo history: the games that stand, and the commands of each.

Where a command cannot be read, all that builds on it is left out: the branch is that of the newest
state which can be read whole.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from companion.journal.store import GameRow, LogRow, Store

_NEW_GAME: Final = b'{"new_game"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A game that stands: `last` is the number of its last command, None without one of its own.

    `t` is when that command was accepted, or when the game was begun. `ended_by` is the number of
    the command since which nothing changed it. The `newest` game is the one that a table continues.
    """

    game: GameRow
    last: int | None
    t: float
    ended_by: int
    newest: bool

    @property
    def opens(self) -> bool:
        """True if no other game led to this one, so that it begins a series."""
        return self.game.begun_by == 0


def begins_game(row: LogRow) -> bool:
    """Return True if a command is `new_game`."""
    return row.command.startswith(_NEW_GAME)


def all_branches(store: Store) -> list[Branch]:
    """Return every game that stands, oldest first; what was taken back is in none of them."""
    games = store.games()
    found = list(_series(store, games, at_most=store.last_seq))
    series, at_most = found, store.last_seq
    while series:
        at_most = series[-1].last or at_most
        below = series[-1].game.number
        series = list(_series(store, games, at_most=at_most, below_game=below))
        found = found + series
    return found[::-1]


def current_series(store: Store) -> Iterator[Branch]:
    """Yield the game that stands now, and each that led to the one before, newest first."""
    return _series(store, store.games(), at_most=store.last_seq)


def read_branch(store: Store, branch: Branch) -> tuple[list[LogRow], int | None]:
    """Return the commands of a game, oldest first, as far as they can be read.

    Returns:
        The commands; and the number of the last one before the first that is lost, None if none is.
    """
    game, found, cut = branch.game, list[LogRow](), None
    wanted = branch.last or game.begun_by
    for row in store.log_rows(at_most=wanted, after=game.begun_by):
        if row.seq > wanted:
            continue  # taken back
        if row.seq < wanted or row.game != game.number or begins_game(row):
            # What is wanted is lost: the state after this command is the newest that may be whole.
            found, cut = [], row.seq - (row.seq == wanted)
            wanted = row.parent if begins_game(row) or row.game != game.number else row.head
        if row.seq == wanted:
            found.append(row)
            wanted = row.parent
    if wanted != game.begun_by:
        return [], game.begun_by
    return found[::-1], cut


def _series(
    store: Store, games: Mapping[int, GameRow], *, at_most: int, below_game: int | None = None
) -> Iterator[Branch]:
    """Yield the games of the last series up to a command, newest first."""
    begun = {game.begun_by: game for game in games.values() if game.begun_by}
    standing = None
    with closing(store.log_rows(at_most=at_most, below_game=below_game)) as rows:
        for row in rows:
            standing = _standing_after(store, games, begun, row)
            # The command that began a game is one of the game before it.
            if standing and (below_game is None or standing[0].number < below_game):
                break
            standing = None
    newest, ended_by = below_game is None, row.seq if standing else 0
    while standing:
        game, head = standing
        last = None if head <= game.begun_by else store.log_row(head)
        t, seq = (last.t, last.seq) if last else (game.t, None)
        yield Branch(game=game, last=seq, t=t, ended_by=ended_by, newest=newest)
        newest, standing, ended_by = False, None, game.begun_by
        before = store.log_row(game.begun_by)
        if before and before.game in games and before.game < game.number:
            standing = games[before.game], before.parent


def _standing_after(
    store: Store, games: Mapping[int, GameRow], begun: Mapping[int, GameRow], row: LogRow
) -> tuple[GameRow, int] | None:
    """Return the game that stands after a command, and its last command; None if one is lost."""
    if row.head in begun:
        return begun[row.head], row.head
    named: LogRow | None = row
    if row.head == 0:  # all was taken back: the first game of the series stands
        while named and named.game in games and games[named.game].begun_by:
            named = store.log_row(games[named.game].begun_by)
    elif row.head != row.seq:
        named = store.log_row(row.head)
    game = games.get(named.game) if named else None
    return (game, row.head) if game else None
