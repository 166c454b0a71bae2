"""Dealt cards of a table, as a restart finds them in the journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.commentary import NO_LINE, CommentaryLine
from companion.players.match.deal_record import DealRecord
from companion.rules.cards import Card
from companion.rules.deal.declared_count import DeclaredCount


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCards:
    """Cards of a game to go on from after a restart.

    `early_answers` are discards of people before their turn, by seat; `cut` is the line about the
    cut for deal, and `cut_made` is True if it is over. On `open_count` muggins may be called.
    """

    record: DealRecord | None = None
    early_answers: Mapping[int, tuple[Card, ...]] = field(default_factory=dict)
    cut: CommentaryLine = NO_LINE
    cut_made: bool = False
    open_count: DeclaredCount | None = None
