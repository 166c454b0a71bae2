"""A game of cards as the journal has it: its players by seat, the tokens of hands, the cards."""

import msgspec

from companion.errors import BadInputError
from companion.players.match.deal_record import read_record
from companion.rules.cards import cards
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import Setup
from companion.rules.game.notation import UNREADABLE
from companion.table.dealt_cards import DealtCards


class StoredSession(msgspec.Struct, frozen=True, kw_only=True):
    """Content of the journal's row; `kinds` go by seat from 1 on."""

    lanes: tuple[int, ...]
    kinds: tuple[str, ...]
    tokens: dict[str, int]
    lines: tuple[str, ...]
    cut: str
    cut_made: bool
    early_answers: dict[int, str] = msgspec.field(name="given")
    record: dict[str, object] | None
    open_count: DeclaredCount | None = None
    opened: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()

    def dealt(self, setup: Setup) -> DealtCards:
        """Return the cards to go on from.

        Raises:
            BadInputError: they are none of a game with this set-up.
        """
        return DealtCards(
            record=None if self.record is None else read_record(self.record, setup),
            early_answers={seat: cards(held) for seat, held in self.early_answers.items()},
            cut=self.cut,
            cut_made=self.cut_made,
            open_count=self.open_count,
        )


def read_session(content: bytes, setup: Setup) -> StoredSession:
    """Return the stored content.

    Raises:
        BadInputError: it cannot be read, or belongs to other sides.
    """
    try:
        stored = msgspec.json.decode(content, type=StoredSession)
    except UNREADABLE as error:
        raise BadInputError("stored cards that cannot be read: {error}", error) from error
    if (stored.lanes, len(stored.kinds)) != (setup.lanes, setup.players):
        raise BadInputError("the stored cards are of other sides")
    return stored
