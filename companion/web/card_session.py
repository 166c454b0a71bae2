"""Session (one game of cards): as it runs, as the journal stores it, and as a caller may see it.

A caller (a page) gets the cards that lie face up, and all cards of the seat whose token the page
has sent. At the start of a deal for two players, for example, the person at seat 1 sees six
cards, and six backs at seat 2.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from companion.commentary import CommentaryLine, Commentator
from companion.encoding import UNREADABLE
from companion.errors import BadInputError
from companion.players.steps import read_record
from companion.rules.cards import Card, cards
from companion.rules.deal import Hand, Phase, State
from companion.rules.deal.declared_count import DeclaredCount
from companion.rules.game import CountKind, HouseRules, Setup
from companion.table.cards.card_commands import DealtCards
from companion.table.cards.card_game import DealtGame
from companion.table.cards.declared_counts import DeclaredCounts

LINES: Final = 6
"""Lines of commentary that are sent with a hand."""


class Hands(msgspec.Struct, frozen=True, kw_only=True):
    """Paths of pages by seat; each page shows the hand of cards of the person at this seat."""

    hands: dict[int, str]


class HeldCard(msgspec.Struct, frozen=True, kw_only=True):
    """Card such as "5H", null if it lies face down; `played` is True if it lies on the table."""

    card: str | None
    played: bool


class SeatsCards(msgspec.Struct, frozen=True, kw_only=True):
    """The cards of a seat; `folded` is True if its side is out until the next deal (rule Z5)."""

    seat: int
    side: int = msgspec.field(name="team")
    folded: bool
    cards: list[HeldCard]


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """Cards of a deal as one client may see them: a card such as "5H", null if it lies face down.

    `hands` begin at the dealer's left; a side that sits out in a penalty box has none. `count` is
    the total of `pile`, up to 31. `showing` is the seat whose hand is counted now, or "crib".
    """

    phase: Phase
    dealer: int
    turn: int | None
    starter: str | None
    count: int
    pile: list[str]
    hands: list[SeatsCards]
    crib: list[str | None]
    showing: int | Literal["crib"] | None


class CardsAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Number of `cards` a person must pick from `choice`; if `under_deck`, not for the crib."""

    purpose: Literal["discard", "play"] = msgspec.field(name="for")
    cards: int
    under_deck: bool
    choice: list[str]


class CountToMake(msgspec.Struct, frozen=True, kw_only=True):
    """Count that a person declares, since opponents may take missed points (muggins, rule M1)."""

    seat: int
    side: int = msgspec.field(name="team")
    why: CountKind


class AwaitedCount(CountToMake, frozen=True, kw_only=True):
    """Count not yet declared; an opponent in `enders` can end the wait and make it 0.

    `pile` has the cards played up to the one that counts; it is empty in the show.
    """

    enders: list[int]
    pile: list[str]


class OpenCount(CountToMake, frozen=True, kw_only=True):
    """Count on which the sides `callers` may call muggins.

    Attributes:
        undecided: the sides that can call and have neither called nor entered "go on".
        given_back: the house rule about points that callers give back (M3).
        only_missed: true if muggins applies to counts too low, but not to counts too high.
    """

    points: int
    callers: list[int]
    undecided: list[int]
    given_back: str
    only_missed: bool


class DealtCardsView(msgspec.Struct, frozen=True, kw_only=True):
    """View of a game of cards.

    Attributes:
        seats: "person" or a kind of computer player by seat.
        awaited: the seat that is asked for cards now; None while no seat is, as when a peg moves.
        shown: the cards; None before the first deal.
        cut: a line about the cut for the first deal; "" once points have been counted.
        box_movers: the sides in a penalty box that can still enter 0 in this hand to move a peg.
    """

    seats: dict[int, str]
    awaited: int | None
    shown: Cards | None
    cut: str
    to_count: AwaitedCount | None
    box_movers: list[int]
    open_count: OpenCount | None


class CardNews(DealtCardsView, frozen=True, kw_only=True):
    """View for everybody; `session` is the number of the game of cards."""

    session: int


class OwnHand(DealtCardsView, frozen=True, kw_only=True):
    """View for the holder of a hand's token; `lines` are the last lines of the commentary."""

    seat: int
    ask: CardsAsked | None
    lines: list[str]


def cards_value(state: State, opened: Collection[int]) -> Cards:
    """Return the cards of a deal for a client that may see the hands of the seats in `opened`.

    Cards in other hands and in the crib are None until they are played or shown.
    """
    crib_shown = state.shown > len(state.hands)
    return Cards(
        phase=state.phase,
        dealer=state.seating.dealer,
        turn=state.turn,
        starter=None if state.starter is None else str(state.starter),
        count=state.count,
        pile=list(map(str, state.pile)),
        hands=[_hand(state, hand, opened) for hand in state.hands],
        crib=[str(card) if crib_shown else None for card in state.crib],
        showing=_showing(state),
    )


def to_count_value(counts: DeclaredCounts) -> AwaitedCount | None:
    """Return the count that a person must make, without the true points."""
    count = counts.awaited
    if count is None:
        return None
    return AwaitedCount(
        seat=count.seat,
        side=count.side,
        why=count.why,
        enders=sorted(counts.enders),
        pile=list(map(str, counts.pile)),
    )


def open_count_value(counts: DeclaredCounts, rules: HouseRules) -> OpenCount | None:
    """Return the count on which muggins may be called, without the true points."""
    count = counts.open
    if count is None or count.declared is None:
        return None
    return OpenCount(
        seat=count.seat,
        side=count.side,
        why=count.why,
        points=count.declared,
        callers=sorted(counts.callers),
        undecided=sorted(counts.undecided),
        given_back=rules.given_back,
        only_missed=rules.muggins_counts == "missed",
    )


def _hand(state: State, hand: Hand, opened: Collection[int]) -> SeatsCards:
    shown = state.index(hand.seat) < state.shown and not hand.folded
    is_open = shown or hand.seat in opened
    in_play = state.phase is Phase.PLAY

    def held(card: Card) -> HeldCard:
        played = card not in hand.left
        face = str(card) if is_open or played else None
        return HeldCard(card=face, played=in_play and played)

    return SeatsCards(
        seat=hand.seat,
        side=state.seating.side_of(hand.seat),
        folded=hand.folded,
        cards=list(map(held, hand.cards)),
    )


def _showing(state: State) -> int | Literal["crib"] | None:
    if state.phase is not Phase.SHOW or not state.shown:
        return None
    return state.hands[state.shown - 1].seat if state.shown <= len(state.hands) else "crib"


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
