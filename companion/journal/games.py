"""Recorded games as the values that become JSON, whose keys are the field names.

Times are seconds since the epoch, holes as the contract has them, teams the keys of values by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from companion.board import Hole
from companion.commentary import Commentator
from companion.journal.branch import Branch
from companion.journal.replay import Past
from companion.journal.setup import read_setup, restore_rules
from companion.journal.side_statistics import GameFigures, SideFigures
from companion.rules.game import Deal, Entry, HouseRules, State
from companion.rules.game.house_rules import as_settings
from companion.rules.game.notation import command_value, event_value


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A series of games.

    `games` are their numbers, `score` the games won by team, a skunk counting 2 and a double skunk
    4, `to` how many win it (None: it has no end), `names` what the sides were called last.
    """

    number: int
    games: list[int]
    begun: float
    ended: float | None
    to: int | None
    score: dict[int, int]
    names: dict[int, str]
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InSeries:
    """A game with its place in a series: `opens` one, `to` so many games, `won` with this one."""

    game: Game
    opens: bool
    to: int | None
    won: bool
    score: dict[int, int]


def matches(games: Iterable[InSeries]) -> list[MatchRecord]:
    """Return the series that games make, both in the order in which they were played."""
    series: list[list[InSeries]] = []
    for game in games:
        if game.opens or not series or series[-1][-1].won:
            series.append([])
        series[-1].append(game)
    return [_match(number, found) for number, found in enumerate(series, start=1)]


def _match(number: int, series: list[InSeries]) -> MatchRecord:
    last = series[-1]
    score = {team: games for each in series for team, games in each.score.items()}
    sides = {team: side for each in series for team, side in each.game.sides.items()}
    return MatchRecord(
        number=number,
        games=[each.game.number for each in series],
        begun=series[0].game.begun,
        ended=last.game.ended if last.won else None,
        to=last.to,
        score=score,
        names={team: side.name for team, side in sides.items() if side.name},
        winner=last.game.winner if last.won else None,
    )


class Standing(StrEnum):
    """State of a game: `left` was begun and never won."""

    RUNNING = "running"
    WON = "won"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSide:
    """A side of a game: its name if any, its progress, and the games that a skunk cost it."""

    name: str | None
    progress: int
    caught: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game as it is listed.

    `ended`: when the last command was accepted, None while the game is running. `board` and
    `title` are the board's, `finish` is where the game ends. `rules` are the house rules that
    differ from the defaults. `worth`: games that the win counted for (G4 to G6).
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pegs:
    """A side after a step; `boxed` are the hands that it has still to sit."""

    front: Hole
    back: Hole
    boxed: int
    folded: bool
    progress: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStep:
    """A step of a game: the command as the journal has it, its events, and how all stand after it.

    `words` tell it in a sentence. The first step of all is the start, without any of these.
    """

    t: float
    command: dict[str, object] | None
    events: list[dict[str, object]]
    words: str
    hand: int
    dealer: int
    winner: int | None
    sides: dict[int, Pegs]


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The `progress` of each side at the start and after every step but the deals.

    `steps` are the numbers of those steps in the order of the values, 0 the start.
    """

    steps: list[int]
    progress: dict[int, list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeGame:
    """A game with its figures, its steps and its race."""

    game: Game
    figures: dict[int, SideFigures]
    steps: list[GameStep]
    race: Race


def happened(made: GameFigures) -> bool:
    """Return True if anybody has counted or won in a game."""
    return made.counts > 0 or made.winner is not None


@lru_cache
def _changed(rules: HouseRules) -> Mapping[str, str]:
    """Return the house rules that differ from the defaults; the board is no rule here."""
    defaults = as_settings(HouseRules(board=rules.board))
    return {name: value for name, value in as_settings(rules).items() if value != defaults[name]}


def listed(branch: Branch, made: GameFigures) -> Game:
    """Return a game as it is listed."""
    setup = read_setup(branch.game)
    over = Standing.WON if made.winner else Standing.LEFT
    standing = Standing.RUNNING if branch.newest and not made.winner else over
    sides = {
        team: GameSide(name=setup.names.get(team), progress=side.holes, caught=side.caught)
        for team, side in made.sides.items()
    }
    return Game(
        number=branch.game.number,
        standing=standing,
        begun=branch.game.t,
        ended=None if standing is Standing.RUNNING else branch.t,
        board=made.board,
        title=made.title,
        finish=made.finish,
        players=setup.players,
        rules=dict(_changed(restore_rules(setup))),
        sides=sides,
        winner=made.winner,
        worth=made.worth,
        counts=made.counts,
        hands=made.hands,
    )


def whole(
    game: Game, made: GameFigures, past: Past, *, language: str, names: Mapping[int, str]
) -> WholeGame:
    """Return a game step by step, with commentary; `names` are those of its sides."""
    commentator = Commentator.make(language, names, past.start.setup)
    entries = ((step.t, step.entry, commentator.entry(step.entry)) for step in past.steps)
    steps = [_step(t, entry.state, entry, words) for t, entry, words in entries]
    first = _step(game.begun, past.start)
    return WholeGame(game=game, figures=made.sides, steps=[first, *steps], race=race(past))


def _step(t: float, state: State, entry: Entry | None = None, words: str = "") -> GameStep:
    """Return the step of an entry that led to a state, or of the start of a game."""
    return GameStep(
        t=t,
        command=command_value(entry.command) if entry else None,
        events=[event_value(event) for event in entry.events] if entry else [],
        words=words,
        hand=state.hand,
        dealer=state.dealer,
        winner=state.winner,
        sides={team: _pegs(state, team) for team in state.setup.lanes},
    )


def _pegs(state: State, team: int) -> Pegs:
    side = state.side(team)
    return Pegs(
        front=side.front,
        back=side.back,
        boxed=side.boxed.hands if side.boxed else 0,
        folded=side.folded,
        progress=state.progress(team),
    )


def race(past: Past) -> Race:
    """Return the race of a game, for a chart."""
    lanes, states = past.start.setup.lanes, past.states
    deals = (isinstance(step.entry.command, Deal) for step in past.steps)
    steps = [0, *(number for number, deal in enumerate(deals, start=1) if not deal)]
    progress = {team: [states[step].progress(team) for step in steps] for team in lanes}
    return Race(steps=steps, progress=progress)
