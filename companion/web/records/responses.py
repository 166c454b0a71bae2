"""Responses about recorded games, where they differ from what the journal tells."""

from __future__ import annotations

from dataclasses import dataclass

from companion.journal import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """Some games, newest first; `more`: there are older ones."""

    games: list[Game]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in a game: when it was reached, in which hand, and the event in words."""

    t: float
    hand: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTimeline:
    """A game place by place: its start, and how it stood after every step but the deals.

    `progress` of each side at each place; `here`: it was played on the board on the table.
    """

    game: Game
    here: bool
    places: list[Place]
    progress: dict[int, list[int]]
