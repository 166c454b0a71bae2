"""Responses about recorded games; others, such as `Statistics`, are in `companion.records`."""

from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct, field

from companion.board import Board
from companion.journal.replay import Past
from companion.players.values.win_chance import win_chances
from companion.records.games import RecordedGame, WholeGame
from companion.rules.game import Kind, Peg, State


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """Some games, newest first; `more` is True if older ones remain."""

    games: list[RecordedGame]
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
    """Won game; `progress` is how far each side had come in holes at each place of its timeline."""

    game: RecordedGame
    best: BestCount | None
    turning: TurningCount | None
    progress: dict[int, list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestGame:
    """The newest game if it was won; `won` is None while it runs, or if no games are kept."""

    won: WonGame | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTimeline:
    """Timeline of a game; its places are the start and the state after each command except deals.

    `progress`, `win_chances` and `pegs` have a value for each side and place. `here` is True if the
    table has the board of this game.
    """

    game: RecordedGame
    here: bool
    width_mm: float
    height_mm: float
    places: list[TimelineEntry]
    progress: dict[int, list[int]]
    win_chances: dict[int, list[float]]
    pegs: dict[int, list[PegPlaces]]


def make_timeline(whole: WholeGame, past: Past, board: Board, *, here: bool) -> GameTimeline:
    """Return the timeline of a game; `here` is True if the table has the same board."""
    numbers, sides = whole.race.steps, tuple(whole.race.progress)
    states = [past.states[number] for number in numbers]
    chances = [win_chances(state) for state in states]
    return GameTimeline(
        game=whole.game,
        here=here,
        width_mm=board.width_mm,
        height_mm=board.height_mm,
        places=[_start(whole, past), *(_entry(whole, past, number) for number in numbers[1:])],
        progress=whole.race.progress,
        win_chances={side: [each[side] for each in chances] for side in sides},
        pegs={side: [_pegs(board, state, side) for state in states] for side in sides},
    )


def _start(whole: WholeGame, past: Past) -> TimelineEntry:
    start = whole.steps[0]
    seq = past.steps[0].seq - 1 if past.steps else 0
    return TimelineEntry(seq=seq, t=start.t, hand=start.hand, words="", notable=None, side=None)


def _entry(whole: WholeGame, past: Past, number: int) -> TimelineEntry:
    step, made = whole.steps[number], past.steps[number - 1]
    sides = {event.kind: event.side for event in made.entry.events}
    marks = {kind: mark for kind in sides if (mark := kind.facts.mark)}
    notable = min(marks, key=lambda kind: marks[kind].rank, default=None)
    return TimelineEntry(
        seq=made.seq,
        t=step.t,
        hand=step.hand,
        words=step.words,
        notable=notable,
        side=sides[notable] if notable else None,
    )


def _pegs(board: Board, state: State, side: int) -> PegPlaces:
    pegs = state.pegs(side)
    return PegPlaces(front=board.place(side, pegs.front), back=board.place(side, pegs.back))


def make_won_game(whole: WholeGame, past: Past, winner: int) -> WonGame:
    """Return the response about a game that `winner` has won."""
    sides = whole.figures
    best = max(sides, key=lambda side: sides[side].largest)
    return WonGame(
        game=whole.game,
        best=BestCount(side=best, points=sides[best].largest) if sides[best].largest else None,
        turning=_turning_count(whole, past, winner),
        progress=whole.race.progress,
    )


def _turning_count(whole: WholeGame, past: Past, winner: int) -> TurningCount | None:
    """Return the count that most raised the winner's win probability; None if none raised it."""
    chances = [win_chances(state)[winner] for state in past.states]
    gains = {
        number: after - before
        for number, (before, after) in enumerate(pairwise(chances), start=1)
        if isinstance(past.steps[number - 1].entry.command, Peg)
    }
    best = max(gains, key=lambda number: gains[number], default=0)
    if not best or gains[best] <= 0:
        return None
    return TurningCount(gain=gains[best], words=whole.steps[best].words)
