"""Responses about recorded games; further responses are types of `companion.journal`."""

from dataclasses import dataclass

from msgspec import Struct, field

from companion.records.games import Game
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
    """Place in the timeline of a game; `seq` is the number of the command that led to it.

    `notable` is the kind of an event that the page marks (a slide, a trap, a win), and `side` is
    the side of this event.
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
    """The highest count in a game, and its side."""

    side: int = field(name="team")
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningCount:
    """The count that most raised the winner's win probability; `gain` is the rise."""

    gain: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WonGame:
    """The game that was won last, with each side's `progress` at each place of its timeline."""

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
    """Timeline of a game: its places are the start, and the state after each command but a deal.

    `progress`, `win_chances` and `pegs` have a value for each side and place. `here` is True if the
    table has the board of this game.
    """

    game: Game
    here: bool
    width_mm: float
    height_mm: float
    places: list[TimelineEntry]
    progress: dict[int, list[int]]
    win_chances: dict[int, list[float]]
    pegs: dict[int, list[PegPlaces]]
