"""Responses about dealt cards."""

from __future__ import annotations

from typing import Literal, TypedDict


class Hands(TypedDict):
    """By seat, the path at which its person finds its hand of cards."""

    hands: dict[str, str]


class HeldCard(TypedDict):
    """A card like "5H", None face down; `played` cards lie on the table."""

    card: str | None
    played: bool


class SeatsCards(TypedDict):
    """The cards of a seat."""

    seat: int
    team: int
    folded: bool
    cards: list[HeldCard]


class Cards(TypedDict):
    """The cards of a deal as somebody may see them."""

    phase: Literal["discard", "starter", "play", "show", "over"]
    dealer: int
    turn: int | None
    starter: str | None
    count: int
    pile: list[str]
    hands: list[SeatsCards]
    crib: list[str | None]
    showing: int | Literal["crib"] | None


Ask = TypedDict("Ask", {"for": Literal["discard", "play"], "cards": int})


class OwnHand(TypedDict):
    """What whoever holds a hand's token may see."""

    seat: int
    seats: dict[str, str]
    asked: int | None
    shown: Cards | None
    ask: Ask | None
    lines: list[str]
