"""Totals of many games, by side and by the name that a side played under; the figures of each game.

Only games that were won are in the totals: one that runs or was left behind would bend every
average. A game is read but once: when it is over its `GameFigures`, about 700 bytes, are kept in a
file beside the journal under a key of its number, its last command and their times. The totals are
sums over these figures, so that statistics of 10,000 games take half a second as soon as each game
has been read once. A game that is changed later (an undo steps back into it) has another key, and
the figures under the old key are dropped. The file has a checksum, of which the version of the
figures is a part: with another version, or damaged, it is made again from the journal.

Example: game 1 ends with command 98 and game 2 runs. Game 1 is read and kept as "1 .. 98 ..", game
2 is read each time. With two undos and a count game 1 goes on, and ends with command 101: its key
is now "1 .. 101 ..", for which nothing is kept, and so it is read again.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from companion.board import ZoneKind
from companion.journal.games import GameFigures

FIGURES_FILE: Final = "records-kept.msgpack"
FIGURES_VERSION: Final = b"3"
"""Version of `GameFigures`, part of the checksum; raised when their meaning changes."""
_CHECKSUM_BYTES: Final = 16
_DOUBLE = 4
"""Games that a double skunk is worth (G4)."""
_SUMMED = ("holes", "counts", "points", "penalty_points", "muggins_points", "awards")
"""Figures of a side in a game that are added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """Holes, and where they were made: the game, and the step in it if it was one step."""

    holes: int
    game: int
    step: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skunks:
    """Skunks of a kind, by who gave them and who took them."""

    given: int
    taken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Points a deal from hand and pegging, and from each crib of its own; None where unknown.

    Only games count in which the journal says what every count was for: `games` of them.
    """

    games: int
    hand: float | None
    crib: float | None
    pegging: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTotals:
    """Totals of a side over all its games that were won, by whichever side.

    `won` are games, `worth` what these wins counted for. `holes` are a game's, `zones` landings a
    game. `counts`, `average_count` and `largest_count` are of cards. `longest_streak` are games
    won in a row, `streak` those up to now. `comeback`: the most that it lay behind in a game that
    it won. `best_swing` and `worst_swing`: what one count, anybody's, gained and cost it.
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
    """Tallies of `games` games, by side and by the name that a side had in them."""

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
        """Keep a feat if it is larger than the one before; of two alike the earlier one stays."""
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
    """Return the number of skunks that were not double; 0 games stand for no skunk."""
    return caught.total() - caught[_DOUBLE] - caught[0]


def load_figures(folder: Path) -> dict[str, msgspec.Raw]:
    """Return the `GameFigures` kept, by key, in MessagePack.

    There are none in a file that is damaged or of another version.
    """
    with suppress(OSError, msgspec.MsgspecError):
        stored = memoryview((folder / FIGURES_FILE).read_bytes())
        checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
        if checksum == _checksum(content):
            return msgspec.msgpack.decode(content, type=dict[str, msgspec.Raw])
    return {}


def save_figures(folder: Path, games: Mapping[str, msgspec.Raw]) -> None:
    """Replace the figures kept; where nothing can be written, nothing is."""
    content = msgspec.msgpack.encode(games)
    new = folder / f"{FIGURES_FILE}.{os.getpid()}"
    with suppress(OSError):
        try:
            new.write_bytes(_checksum(content) + content)
            new.replace(folder / FIGURES_FILE)
        finally:
            new.unlink(missing_ok=True)


def _checksum(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM_BYTES, person=FIGURES_VERSION).digest()
