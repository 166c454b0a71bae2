"""Responses about recorded games, where they differ from what the journal tells."""

from __future__ import annotations

from dataclasses import dataclass

from companion.journal.games import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """Some games, newest first; `more` is True if older ones remain."""

    games: list[Game]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """A point in a game: its time, in which hand, and the event in words."""

    t: float
    hand: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTimeline:
    """A game over time: its start, and the standing after each step but the deals.

    `progress` of each side at each place, and `win_chances`, adding up to 1 at each; `here`: its
    board is the one on the table.
    """

    game: Game
    here: bool
    places: list[TimelineEntry]
    progress: dict[int, list[int]]
    win_chances: dict[int, list[float]]
