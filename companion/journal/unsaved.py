"""Unsaved games: a table that cannot save in its data folder saves in another folder when it stops.

The games are in one file there. The next start adds them to the journal in the data folder, and
then deletes that file. The file has an extract: rows copied from a journal. If the last row of the
journal in the data folder is also in the extract, the later rows of the extract are appended. An
empty journal gets all rows with their numbers. Any other journal got different rows meanwhile: it
gets all rows of the extract with its next free numbers, unless it has the extract's last row.

Example: the memory card with rows 1 to 4 was pulled out, and rows 5 and 6 were written elsewhere.
If the card comes back with 4 as its last row, rows 5 and 6 are appended. If another row 5 was added
to the card meanwhile, rows 1 to 6 of the extract are added as rows 6 to 11.
"""

import os
import queue
import sqlite3
import stat
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from companion.errors import CompanionError, Text, as_text, joined, plural
from companion.journal.journal_file import check_version
from companion.journal.setup import find_board_file
from companion.journal.store import GameRow, LogRow, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """Rows of a journal: games with their board files, and commands, oldest first."""

    games: Mapping[int, tuple[GameRow, bytes]]
    rows: Sequence[LogRow]

    @classmethod
    def of(cls, store: Store) -> "Extract":
        """Return all rows of a journal.

        Raises:
            BadInputError: a board file is damaged, and there is no copy.
        """
        games = [game for _, game in store.rows_from(GameRow, 0) if game]
        return cls(
            games={game.number: (game, find_board_file(store, game)) for game in games},
            rows=list(store.log_rows(at_most=store.last_seq))[::-1],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """Rows of an extract as a journal has them, by the extract's numbers; `new` rows were added."""

    games: Mapping[int, GameRow]
    rows: Mapping[int, LogRow]
    new: int


def add(extract: Extract, store: Store, *, stands: bool = False) -> Added:
    """Add the rows of an extract that a journal lacks, in the open transaction.

    Args:
        extract: rows of any journal.
        store: the journal that gets the rows.
        stands: True if the journal must end with the extract, even if this repeats earlier rows.
    """
    games = {number: game for number, (game, _) in extract.games.items()}
    rows = {row.seq: row for row in extract.rows}
    last = store.last_seq
    if last and (last not in rows or store.log_row(last) != rows[last]):
        if not stands and store.has(extract.rows[-1]):
            return Added(games={}, rows={}, new=0)
        games, rows = _renumbered(extract, store)
    for number, game in games.items():
        if store.game_row(game.number) is None:
            store.add_game(game, extract.games[number][1])
    new = [row for row in rows.values() if row.seq > last]
    for row in new:
        store.add_log_row(row)
    return Added(games=games, rows=rows, new=len(new))


def _renumbered(extract: Extract, store: Store) -> tuple[dict[int, GameRow], dict[int, LogRow]]:
    """Return the rows of an extract with the next free numbers; omit rows whose parent is lost."""
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
    return games, found


ANSWER_TIMEOUT_S: Final = 2.0
"""Seconds to wait for the disk of a folder, which may never answer."""
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


class UnsavedGames:
    """The files with the unsaved games of a data folder, at most one in each spare folder.

    Args:
        journal: the journal in the data folder.
        folders: the spare folders, in the order in which they are tried.
        connect: opens a journal file.

    `unreadable` has the reason for each file that cannot be read; such files are not deleted.
    """

    def __init__(
        self, journal: Path, folders: Sequence[Path], connect: Callable[[Path], sqlite3.Connection]
    ) -> None:
        digest = blake2b(os.fsencode(journal.absolute()), digest_size=8).hexdigest()
        name = f"unsaved-{digest}.sqlite"
        self._files, self._connect = [folder / name for folder in folders], connect
        self.unreadable: dict[Path, Text] = {}

    @property
    def folders(self) -> str:
        return ", ".join(str(file.parent) for file in self._files)

    def notice(self, added: int) -> Text | None:
        """Return a line about added commands and unreadable files, or None."""
        lines = [
            Text("{file} cannot be read ({why}): it is kept as it is", file=file, why=why)
            for file, why in self.unreadable.items()
        ]
        if added:
            one = "{n} command that could not be saved before is back"
            more = "{n} commands that could not be saved before are back"
            lines.insert(0, plural(added, one, more))
        return joined("; ", lines) or None

    @property
    def files(self) -> list[Path]:
        return [file for file in self._files if file.is_file() and _is_ours(file.parent)]

    def write(self, use: Callable[[sqlite3.Connection], None]) -> Path | None:
        """Call `use` for one file after another until it succeeds; return that file, or None."""
        return next(
            (file for file in self._files if _within(partial(self._write, file, use))), None
        )

    def _write(self, file: Path, use: Callable[[sqlite3.Connection], None]) -> bool:
        with suppress(CompanionError, OSError, sqlite3.Error):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours(file.parent):
                with closing(self._connect(file)) as database:
                    use(database)
                return True
        return False

    def read(self) -> list[Extract]:
        self.unreadable = {}
        return sorted(filter(None, map(self._read, self.files)), key=lambda each: each.rows[-1].seq)

    def delete(self) -> None:
        """Delete the files that were read; reading an undeleted file again adds nothing."""
        for file in self.files:
            if file not in self.unreadable:
                with suppress(OSError):
                    file.unlink()

    def _read(self, file: Path) -> Extract | None:
        try:
            with closing(self._connect(file)) as database:
                check_version(database)
                store = Store(database)
                return Extract.of(store) if store.last_seq else None
        except (CompanionError, OSError, sqlite3.Error) as error:
            self.unreadable[file] = as_text(error)
            return None


def _within(job: Callable[[], bool]) -> bool:
    """Return True if a job succeeds in time; its disk may never answer."""
    answer: queue.SimpleQueue[bool] = queue.SimpleQueue()
    threading.Thread(target=lambda: answer.put(job()), daemon=True).start()
    with suppress(queue.Empty):
        return answer.get(timeout=ANSWER_TIMEOUT_S)
    return False


def _is_ours(folder: Path) -> bool:
    """Return True if only this user may put files into a folder."""
    found = folder.lstat()
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return mine and not found.st_mode & _OTHERS_MAY_WRITE
