"""Session (one game of cards): its players, and the cards that each caller may see.

A caller (a page) gets the cards that lie face up, and all cards of the seat whose token the page
has sent. At the start of a deal for two players, for example, the person at seat 1 sees six
cards, and six backs at seat 2.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from companion.commentary import CommentaryLine, Commentator
from companion.encoding import UNREADABLE
from companion.errors import BadInputError
from companion.players.steps import read_record
from companion.rules.cards import cards
from companion.rules.deal import Phase
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Setup
from companion.table.cards.card_commands import DealtCards
from companion.table.cards.card_game import DealtGame
from companion.web.cards.card_responses import (
    CardsAsked,
    DealtCardsView,
    cards_value,
    open_count_value,
    to_count_value,
)

LINES: Final = 6
"""Lines of commentary that are sent with a hand."""


class StoredSession(msgspec.Struct, frozen=True, kw_only=True):
    """Game of cards as the journal stores it; `kinds` has the kind of player of each seat."""

    sides: tuple[int, ...]
    kinds: tuple[str, ...]
    tokens: dict[str, int]
    lines: tuple[str, ...]
    cut: str
    cut_made: bool
    early_answers: dict[int, str] = msgspec.field(name="given")
    record: dict[str, object] | None
    open_count: DeclaredCount | None = None
    opened: tuple[int, ...] = ()

    def dealt(self, setup: Setup) -> DealtCards:
        """Return the stored cards, and the discards that people chose early (`early_answers`).

        Raises:
            BadInputError: the cards do not fit the players of `setup`.
        """
        return DealtCards(
            record=None if self.record is None else read_record(self.record, setup),
            early_answers={seat: cards(held) for seat, held in self.early_answers.items()},
            cut=CommentaryLine(self.cut),
            cut_made=self.cut_made,
            open_count=self.open_count,
        )


def read_session(content: bytes, setup: Setup) -> StoredSession:
    """Return the session in stored content.

    Raises:
        BadInputError: the content cannot be read, or its sides are not those of `setup`.
    """
    try:
        stored = msgspec.json.decode(content, type=StoredSession)
    except UNREADABLE as error:
        raise BadInputError("the stored cards cannot be read: {error}", error=error) from error
    if (stored.sides, len(stored.kinds)) != (setup.sides, setup.players):
        raise BadInputError("the stored cards belong to a game of other sides")
    return stored


@dataclass(slots=True, kw_only=True)
class CardSession:
    """Session of a game of cards; `game` is None until all its players are made.

    `opened` are the seats whose hands somebody has looked into.
    """

    setup: Setup
    kinds: Mapping[int, str]
    tokens: Mapping[str, int]
    opened: set[int] = field(default_factory=set)
    lines: deque[CommentaryLine] = field(default_factory=lambda: deque(maxlen=LINES))
    game: DealtGame | None = None
    task: asyncio.Task[None] | None = None

    def shown(self, opened: Collection[int], words: Commentator | None) -> DealtCardsView:
        """Return the view for a caller who may see the hands of the seats in `opened`."""
        hand = self.game.hand if self.game else None
        counts = self.game.counts if self.game else None
        return DealtCardsView(
            seats=dict(self.kinds),
            awaited=self.game.awaited if self.game else None,
            shown=cards_value(hand, opened) if hand else None,
            cut=self.game.cut.in_words(words) if self.game else "",
            to_count=to_count_value(counts) if counts else None,
            box_movers=sorted(counts.box_movers) if counts else [],
            open_count=open_count_value(counts, self.setup.rules) if counts else None,
        )

    def encode(self, dealt: DealtCards) -> bytes:
        stored = StoredSession(
            sides=self.setup.sides,
            kinds=tuple(self.kinds.values()),
            tokens=dict(self.tokens),
            lines=tuple(line.text for line in self.lines),
            cut=dealt.cut.text,
            cut_made=dealt.cut_made,
            early_answers={s: " ".join(map(str, held)) for s, held in dealt.early_answers.items()},
            record=dealt.record.as_value() if dealt.record else None,
            open_count=dealt.open_count,
            opened=tuple(sorted(self.opened)),
        )
        return msgspec.json.encode(stored)

    def ask(self, seat: int) -> CardsAsked | None:
        """Return the request to a seat to discard or to play; None if it must do neither now."""
        game = self.game
        hand = game.next_hand if game else None
        if game is None or hand is None or not game.awaits(seat):
            return None
        discards = hand.phase is Phase.DISCARD
        choice = hand.hand(seat).cards if discards else hand.playable(seat)
        return CardsAsked(
            purpose="discard" if discards else "play",
            cards=hand.seating.discards if discards else 1,
            under_deck=discards and hand.seating.discards_under_deck(seat),
            choice=list(map(str, choice)),
        )
