"""Responses about recorded games, where they differ from what the journal tells."""

from dataclasses import dataclass

from msgspec import Struct, field

from companion.journal.games import Game
from companion.rules.game import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """Some games, newest first; `more` is True if older ones remain."""

    games: list[Game]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGame:
    """Number of the game that a command was given in."""

    game: int


class TimelineEntry(Struct, frozen=True, kw_only=True):
    """A point in a game: the number of its command, its time, in which hand, the event in words.

    `notable` is the kind of the event for which somebody would look here (a slide, a trap, a win),
    `side` the side that it happened to.
    """

    seq: int
    t: float
    hand: int
    words: str
    notable: Kind | None
    side: int | None = field(name="team")


@dataclass(frozen=True, slots=True, kw_only=True)
class PegPlaces:
    """The holes of a side's pegs, as x and y on the sheet in millimetres."""

    front: tuple[float, float]
    back: tuple[float, float]


class BestCount(Struct, frozen=True, kw_only=True):
    """The greatest count of cards in a game, and its side."""

    side: int = field(name="team")
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningCount:
    """The count after which the winner's chance to win had risen most, and by how much."""

    gain: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WonGame:
    """The game that was won last, with its race: `progress` of each side at each place."""

    game: Game
    best: BestCount | None
    turning: TurningCount | None
    progress: dict[int, list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestGame:
    """The newest game if it was won; None while it runs, and where no games are kept."""

    won: WonGame | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTimeline:
    """A game over time: its start, and the standing after each step but the deals.

    `progress`, `win_chances` (adding up to 1) and `pegs` of each side at each place, on a sheet of
    `width_mm` by `height_mm`; `here`: its board is the one on the table.
    """

    game: Game
    here: bool
    width_mm: float
    height_mm: float
    places: list[TimelineEntry]
    progress: dict[int, list[int]]
    win_chances: dict[int, list[float]]
    pegs: dict[int, list[PegPlaces]]
