"""Responses about recorded games that the journal itself does not define."""

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
    """Number of the game in which a command was given."""

    game: int


class TimelineEntry(Struct, frozen=True, kw_only=True):
    """A point in a game: the number of its command, its time, its hand, the event in words.

    `notable` is the kind of an event that people look for (a slide, a trap, a win). `side` is the
    side to which this event happened.
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
    """The count that raised the winner's chance to win most; `gain` is the rise."""

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
    """The newest game if it was won; None while the game runs, or if no games are kept."""

    won: WonGame | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTimeline:
    """A game over time: its start, and the standing after each step that is not a deal.

    `progress`, `win_chances` (which add up to 1) and `pegs` have a value for each side and place.
    The sheet is `width_mm` by `height_mm`. `here` is True if the game's board is on the table.
    """

    game: Game
    here: bool
    width_mm: float
    height_mm: float
    places: list[TimelineEntry]
    progress: dict[int, list[int]]
    win_chances: dict[int, list[float]]
    pegs: dict[int, list[PegPlaces]]
