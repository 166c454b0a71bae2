"""Responses about recorded games."""

from __future__ import annotations

from typing import Literal, TypedDict


class RecordedSide(TypedDict):
    """A side of a game: its own name, its progress, and what a skunk cost it in games."""

    name: str | None
    progress: int
    caught: int


class RecordedGame(TypedDict):
    """A game of the records; times are seconds since the epoch, `rules` those not as usual.

    `title` is the board's, `worth` the games that the win counted for.
    """

    number: int
    standing: Literal["running", "won", "left"]
    begun: float
    ended: float | None
    board: str
    title: str
    finish: int
    players: int
    rules: dict[str, str]
    sides: dict[str, RecordedSide]
    winner: int | None
    worth: int | None
    counts: int
    hands: int


class Games(TypedDict):
    """Some games, the newest first, and whether there are older ones."""

    games: list[RecordedGame]
    more: bool


class RecordedMatch(TypedDict):
    """A series of games: `score` are games won, skunks counting more; so many as `to` win it."""

    number: int
    games: list[int]
    begun: float
    ended: float | None
    to: int | None
    score: dict[str, int]
    names: dict[str, str]
    winner: int | None


class Place(TypedDict):
    """A place in a game: when it came to it, in which hand, and by what, in words."""

    t: float
    hand: int
    words: str


class ToldGame(TypedDict):
    """A game place by place: its start, and where it stood after all but deals.

    `progress` of each side at each place; `here`: it was played on the board on the table.
    """

    game: RecordedGame
    here: bool
    places: list[Place]
    progress: dict[str, list[int]]


class Skunks(TypedDict):
    """How many were given and taken."""

    given: int
    taken: int


class Feat(TypedDict):
    """Holes, the game in which they were made, and the step of it if it was one step."""

    holes: int
    game: int
    step: int | None


class Averages(TypedDict):
    """Points a deal from hand and pegging, and from each crib; None where nobody knows.

    Over the `games` in which the journal says what every count was for: cards were dealt here.
    """

    games: int
    hand: float | None
    crib: float | None
    pegging: float | None


class Tally(TypedDict):
    """What somebody has done in all games that were won, by whom ever.

    `worth` is what own wins counted for. `holes` and `zones` (landings by kind) are a game's,
    counts are those of cards. `comeback` is the most that was made up for to win, the swings what
    a single count gained and cost, streaks are games won in a row.
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
    zones: dict[str, float]
    best_swing: Feat | None
    worst_swing: Feat | None
    comeback: Feat | None
    longest_streak: int
    streak: int
    averages: Averages


class Statistics(TypedDict):
    """Tallies of so many games, by side and by the name that a side had in them."""

    games: int
    sides: dict[str, Tally]
    names: dict[str, Tally]
