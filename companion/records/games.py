"""Recorded games as dataclasses that become JSON with the field names as keys.

The functions turn a `Past`, which has the state after each command of a game, into a `RecordedGame`
for lists, a `WholeGame` with all steps, and a `Race`: each side's progress, for a chart. Times are
in seconds since the epoch. In a mapping by side, the keys are the numbers of the sides: if side 1
won a game by 121 to 88, the `progress` of the race ends with `{1: [..., 121], 2: [..., 88]}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from companion.board import Board
from companion.commentary import Commentator
from companion.journal.replay import Branch, Past
from companion.journal.setup import read_setup
from companion.records.counts import SideFigures, counts, side_figures
from companion.rules.game import Deal, Entry, Event, HouseRules, Kind, State
from companion.rules.game.house_rules import as_settings
from companion.rules.game.notation import SideValue, command_value, side_value


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A series of games.

    Attributes:
        games: the numbers of the games.
        to: the score that wins the series, or None if the series has no end.
        score: games won by each side; a skunk counts as 2 games, and a double skunk as 4.
        names: the newest names of the sides.
    """

    number: int
    games: list[int]
    begun: float
    ended: float | None
    to: int | None
    score: dict[int, int]
    names: dict[int, str]
    winner: int | None


class Standing(StrEnum):
    """State of a game. `LEFT` means that another game began before this game was won."""

    RUNNING = "running"
    WON = "won"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSide:
    """A side of a game; if it was skunked, `caught` is the worth of the game, or else 0."""

    name: str | None
    progress: int
    caught: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedGame:
    """A game in a list.

    Attributes:
        ended: the time of the last command, or None if the game is running.
        board: the name of the board.
        title: the title of the board.
        finish: the last hole of the board.
        rules: the house rules that differ from the defaults.
        worth: the number of games that the win counted for: 2 for a skunk (G4), for example.
    """

    number: int
    standing: Standing
    begun: float
    ended: float | None
    board: str
    title: str
    finish: int
    players: int
    rules: dict[str, str]
    sides: dict[int, GameSide]
    winner: int | None
    worth: int | None
    counts: int
    hands: int

    @property
    def happened(self) -> bool:
        """True if the game has a count or a winner."""
        return self.counts > 0 or self.winner is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFigures:
    """A game with the figures of its sides, and its place in a series of games (rule G6).

    Attributes:
        score: games that each side has won in the series, up to this game.
        match_to: the score that wins the series, or None if the series has no end.
        match_won: True if this game won the series.
    """

    game: RecordedGame
    sides: dict[int, SideFigures]
    score: dict[int, int]
    match_to: int | None
    match_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStep:
    """A step of a game: the command in its JSON form, its events, and the game after them.

    `words` is a sentence about the step. The first step is the start of the game, which has no
    command, no events and no words.
    """

    t: float
    command: dict[str, object] | None
    events: tuple[Event, ...]
    words: str
    hand: int
    dealer: int
    winner: int | None
    sides: dict[int, SideValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The `progress` of each side at the start and after every step that is no deal.

    `steps` are the numbers of these steps in ascending order; 0 is the start.
    """

    steps: list[int]
    progress: dict[int, list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeGame:
    """A game with its figures, its steps and its race."""

    game: RecordedGame
    figures: dict[int, SideFigures]
    steps: list[GameStep]
    race: Race


@lru_cache
def _changed(rules: HouseRules) -> Mapping[str, str]:
    """Return the house rules, apart from the board, that differ from the defaults."""
    defaults = as_settings(HouseRules(board=rules.board))
    return {name: value for name, value in as_settings(rules).items() if value != defaults[name]}


def figures(branch: Branch, past: Past, board: Board) -> GameFigures:
    """Return the figures of a game that was played on a board."""
    setup, made, end = read_setup(branch.game), counts(past), past.end
    last = past.steps[-1].entry.events if past.steps else ()
    worth = next((event.points for event in last if event.kind is Kind.WON), None)
    over = Standing.WON if end.winner else Standing.LEFT
    standing = Standing.RUNNING if branch.newest and not end.winner else over
    sides = side_figures(past, made, worth or 1)
    game = RecordedGame(
        number=branch.game.number,
        standing=standing,
        begun=branch.game.t,
        ended=None if standing is Standing.RUNNING else branch.t,
        board=board.name,
        title=board.title,
        finish=end.setup.track.finish,
        players=setup.players,
        rules=dict(_changed(end.setup.rules)),
        sides={
            side: GameSide(
                name=setup.names.get(side), progress=figures.holes, caught=figures.caught
            )
            for side, figures in sides.items()
        },
        winner=end.winner,
        worth=worth,
        counts=len(made),
        hands=end.hand,
    )
    score = {side: end.match.won(side) for side in end.setup.sides}
    match_to, match_won = end.setup.rules.match_to, end.match.winner is not None
    return GameFigures(game=game, sides=sides, score=score, match_to=match_to, match_won=match_won)


def match_record(number: int, series: Sequence[GameFigures]) -> MatchRecord:
    """Return the record of a series of games, in the order in which they were played."""
    last = series[-1]
    sides = {side: figures for each in series for side, figures in each.game.sides.items()}
    return MatchRecord(
        number=number,
        games=[each.game.number for each in series],
        begun=series[0].game.begun,
        ended=last.game.ended if last.match_won else None,
        to=last.match_to,
        score={side: games for each in series for side, games in each.score.items()},
        names={side: figures.name for side, figures in sides.items() if figures.name},
        winner=last.game.winner if last.match_won else None,
    )


def whole(made: GameFigures, past: Past, *, language: str, names: Mapping[int, str]) -> WholeGame:
    """Return a game step by step, with commentary; `names` has the names of its sides."""
    commentator = Commentator.make(language, names, past.start.setup)
    entries = ((step.t, step.entry, commentator.entry(step.entry)) for step in past.steps)
    steps = [_step(t, entry.state, entry, words) for t, entry, words in entries]
    first = _step(made.game.begun, past.start)
    return WholeGame(game=made.game, figures=made.sides, steps=[first, *steps], race=race(past))


def _step(t: float, state: State, entry: Entry | None = None, words: str = "") -> GameStep:
    """Return the step for an entry and the state after it; without an entry, the first step."""
    return GameStep(
        t=t,
        command=command_value(entry.command) if entry else None,
        events=entry.events if entry else (),
        words=words,
        hand=state.hand,
        dealer=state.dealer,
        winner=state.winner,
        sides={side: side_value(state, side) for side in state.setup.sides},
    )


def race(past: Past) -> Race:
    """Return the race of a game, for a chart."""
    sides, states = past.start.setup.sides, past.states
    deals = (isinstance(step.entry.command, Deal) for step in past.steps)
    steps = [0, *(number for number, deal in enumerate(deals, start=1) if not deal)]
    progress = {side: [states[step].progress(side) for step in steps] for side in sides}
    return Race(steps=steps, progress=progress)
