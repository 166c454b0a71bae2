"""Dealt cards of a table, as the journal keeps them and a restart finds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.players.match.deal_record import DealRecord
from companion.rules.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCards:
    """Cards of a game to go on from after a restart.

    `given` are answers of people whose turn has not come, by seat; `cut` tells the cut for deal,
    and `cut_made` that there is none to come.
    """

    record: DealRecord | None = None
    given: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    cut: str = ""
    cut_made: bool = False
