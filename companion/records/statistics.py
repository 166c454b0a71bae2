"""Totals of many games, by side and by name, and the figures of the games, kept in a file.

Only games that were won are in the totals, because a running or abandoned game would distort the
averages. The totals are sums of each game's `GameFigures`. `KeptFigures` keeps these in a file, so
that each game is read once.

The key of a game's figures has the number of the game's last command. If an undo leads back into a
game, the game ends with another command later, and its old figures are replaced. Example: game 1
ends with command 98. After two undos and a count it ends with command 101, and has no figures yet.

Each row has a checksum, which includes the version of the figures. An unusable file is deleted; its
figures are computed again when needed. So writes need not wait for the disk or report their errors.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from companion.board import ZoneKind
from companion.journal.journal_file import SQLITE_ERRORS
from companion.journal.replay import Branch
from companion.journal.store import checksum_of
from companion.records.games import GameFigures

_DOUBLE = 4
"""Number of games that a double skunk counts for (G4)."""
_SUMMED = ("holes", "counts", "points", "penalty_points", "muggins_points", "awards")
"""The figures of a side that are added up over its games."""

FILE: Final = "records-kept.sqlite"
FIGURES_VERSION: Final = 4
"""Version of `GameFigures`; raise it when a field changes its meaning."""
_AT_ONCE: Final = 500
"""Number of games whose figures are written in one transaction."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS figures (
    game INTEGER PRIMARY KEY, key TEXT NOT NULL, content BLOB NOT NULL, checksum BLOB NOT NULL
) STRICT
"""
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """Greatest swing or comeback, in holes, and its game; a comeback has no `step`."""

    holes: int
    game: int
    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skunks:
    """Numbers of skunks that a side has given and taken."""

    given: int
    taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Average points of a side: from a hand, from its own crib, and from the pegging of a deal.

    They cover `games` games: those in which the journal says for each count whether it was a hand,
    a crib or pegging. An average is None if nothing was dealt in these games.
    """

    games: int
    hand: float | None
    crib: float | None
    pegging: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTotals:
    """Totals of a side over all its games that some side has won.

    Attributes:
        won: the number of games that the side won.
        worth: the number of games that these wins counted for.
        holes: its average progress at the end of a game.
        counts: the number of its counts from cards.
        average_count: the average of these counts.
        largest_count: the largest of these counts.
        zones: its average number of landings in a game, by kind of zone.
        best_swing: the largest gain of its lead by one count of any side.
        worst_swing: the largest loss of its lead by one count of any side.
        comeback: the most holes that it was behind in a game that it won.
        longest_streak: the largest number of games won in a row.
        streak: the number of games won in a row up to its latest game.
    """

    played: int
    won: int
    worth: int
    skunks: Skunks
    double_skunks: Skunks
    holes: float | None
    counts: int
    average_count: float | None
    largest_count: int
    penalty_points: int
    muggins_points: int
    awards: int
    zones: dict[ZoneKind, float]
    best_swing: Feat | None
    worst_swing: Feat | None
    comeback: Feat | None
    longest_streak: int
    streak: int
    averages: Averages


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Totals of `games` games, by side and by the name that a side had in them."""

    games: int
    sides: dict[int, SideTotals]
    names: dict[str, SideTotals]


def statistics(games: Iterable[GameFigures]) -> Statistics:
    """Return the totals of these games, given in the order in which they were played."""
    won = 0
    by_side: defaultdict[int, _Totals] = defaultdict(_Totals)
    by_name: defaultdict[str, _Totals] = defaultdict(_Totals)
    for made in games:
        if made.game.winner is not None:
            won += 1
            for side, figures in made.game.sides.items():
                by_side[side].add(side, made)
                if figures.name:
                    by_name[figures.name].add(side, made)
    return Statistics(
        games=won,
        sides={side: totals.result() for side, totals in sorted(by_side.items())},
        names={name: totals.result() for name, totals in sorted(by_name.items())},
    )


class _Totals:
    """Running totals of a side."""

    def __init__(self) -> None:
        self._sums = Counter[str]()
        self._zones = Counter[ZoneKind]()
        self._given, self._taken = Counter[int](), Counter[int]()
        self._feats: dict[str, Feat] = {}
        self._largest = self._streak = self._longest = 0

    def add(self, side: int, made: GameFigures) -> None:
        figures, game = made.sides[side], made.game.number
        self._sums.update({name: getattr(figures, name) for name in _SUMMED}, played=1)
        self._largest = max(self._largest, figures.largest)
        self._zones.update(figures.zones)
        self._taken[figures.caught] += 1
        self._streak = self._streak + 1 if figures.won else 0
        self._longest = max(self._longest, self._streak)
        if figures.won:
            self._sums.update(won=1, worth=made.game.worth or 1)
            self._given.update(other.caught for other in made.sides.values())
            self._keep_largest("comeback", Feat(holes=figures.behind, game=game))
        for name, swing in (("best", figures.best_swing), ("worst", figures.worst_swing)):
            if swing:
                self._keep_largest(name, Feat(holes=swing.holes, game=game, step=swing.step))
        if points := figures.by_reason:
            self._sums.update(known=1, deals=figures.deals, cribs=figures.cribs)
            self._sums.update(hand=points.hand, crib=points.crib, pegging=points.pegging)

    def _keep_largest(self, name: str, feat: Feat) -> None:
        """Keep a feat if it is larger than the present one of this name."""
        before = self._feats.get(name)
        if feat.holes and (before is None or abs(feat.holes) > abs(before.holes)):
            self._feats[name] = feat

    def result(self) -> SideTotals:
        sums = self._sums
        return SideTotals(
            played=sums["played"],
            won=sums["won"],
            worth=sums["worth"],
            skunks=Skunks(given=_single(self._given), taken=_single(self._taken)),
            double_skunks=Skunks(given=self._given[_DOUBLE], taken=self._taken[_DOUBLE]),
            holes=self._ratio("holes", "played"),
            counts=sums["counts"],
            average_count=self._ratio("points", "counts"),
            largest_count=self._largest,
            penalty_points=sums["penalty_points"],
            muggins_points=sums["muggins_points"],
            awards=sums["awards"],
            zones={kind: self._zones[kind] / sums["played"] for kind in ZoneKind},
            best_swing=self._feats.get("best"),
            worst_swing=self._feats.get("worst"),
            comeback=self._feats.get("comeback"),
            longest_streak=self._longest,
            streak=self._streak,
            averages=Averages(
                games=sums["known"],
                hand=self._ratio("hand", "deals"),
                crib=self._ratio("crib", "cribs"),
                pegging=self._ratio("pegging", "deals"),
            ),
        )

    def _ratio(self, total: str, number: str) -> float | None:
        return self._sums[total] / self._sums[number] if self._sums[number] else None


def _single(caught: Counter[int]) -> int:
    """Return the number of single skunks; key 0 has the games without a skunk."""
    return caught.total() - caught[_DOUBLE] - caught[0]


class KeptFigures:
    """The kept figures in a data folder; only one thread may use this object."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._db: sqlite3.Connection | None = None
        self._new: list[tuple[int, str, bytes, bytes]] = []

    def close(self) -> None:
        """Write the new figures, and close the file. Idempotent."""
        self.save()
        if self._db:
            self._db.close()
        self._db = None

    def get(self, branch: Branch) -> GameFigures | None:
        if self._path.is_file():
            query = "SELECT content, checksum FROM figures WHERE game = ? AND key = ?"
            number, key = branch.game.number, _key(branch)
            row = self._use(lambda file: file.execute(query, (number, key)).fetchone())
            if row and row[1] == checksum_of(FIGURES_VERSION, key, row[0]):
                return msgspec.msgpack.decode(row[0], type=GameFigures)
        return None

    def add(self, branch: Branch, figures: GameFigures) -> None:
        key, content = _key(branch), msgspec.msgpack.encode(figures)
        checksum = checksum_of(FIGURES_VERSION, key, content)
        self._new.append((branch.game.number, key, content, checksum))
        if len(self._new) >= _AT_ONCE:
            self.save()

    def save(self) -> None:
        """Write the new figures; do nothing if the file cannot be written."""
        new, self._new = self._new, []

        def write(file: sqlite3.Connection) -> None:
            file.execute("PRAGMA synchronous = OFF")
            file.execute("BEGIN IMMEDIATE")
            file.execute(_TABLE)
            file.executemany("INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?)", new)
            file.execute("COMMIT")

        if new:
            self._use(write)

    def _use(self, job: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """Return a job's result; after an error, delete the file unless another process uses it."""
        try:
            if self._db is None:
                self._db = _connect(self._path)
            return job(self._db)
        except SQLITE_ERRORS as error:
            if self._db:
                self._db.close()
            self._db = None
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
                with suppress(OSError):
                    self._path.unlink()
            return None


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    database.text_factory = bytes
    return database


def _key(branch: Branch) -> str:
    """Return a key that changes whenever the game changes."""
    return f"{branch.game.t!r} {branch.last} {branch.t!r}"
