"""Endpoints for dealing, for each dealt hand (by its secret token), and for counting any hand."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.board.layout import MOST_POINTS
from companion.errors import BadInputError
from companion.players import KINDS
from companion.rules.cards import HAND, PartKind, cards, count_show
from companion.rules.cards.card import Card
from companion.web.card_service import PERSON, CardService
from companion.web.card_session import Hands, OwnHand
from companion.web.http.endpoint import CARD, Call, CardText, Nothing, Right, described, endpoint
from companion.web.table import table_responses
from companion.web.table.table_service import TableService

_Seated = Annotated[str, described(f"({'|'.join((PERSON, *KINDS))})")]


class Seats(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/cards`: "person" or a kind of computer player for each seat."""

    seats: Annotated[tuple[_Seated, ...], Meta(min_length=2, max_length=6)]


class Chosen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/cards/<token>`: the cards to throw, or the card to play."""

    cards: Annotated[tuple[CardText, ...], Meta(max_length=6)]


class PointsRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /api/cards/<token>/points`: the points of a count or of a muggins call.

    0 points mean "go on" without a call, or move the peg of a side that sits in a penalty box (a
    zone of the track) by one hole. `given_back` gives the points of a muggins call back to the side
    that erred. `of` is the seat that counts; an opponent's 0 ends the wait for its count with 0.
    """

    points: Annotated[int, Meta(ge=0, le=MOST_POINTS)]
    given_back: bool = False
    of: Annotated[int, Meta(ge=1, le=6)] | None = None


class CountedPart(msgspec.Struct, frozen=True, kw_only=True):
    """Combination of some of the cards: "fifteen", "pair", "run", "flush", "nobs"..."""

    kind: PartKind
    points: int
    cards: list[str]


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """Points of a hand, and its combinations in the order in which players count them."""

    points: int
    parts: list[CountedPart]


class HandCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Query of `GET /api/count`: four cards such as "5H 5S 5D JC", and the starter."""

    hand: Annotated[str, described(f"{CARD}( {CARD}){{3}}")]
    starter: CardText
    crib: bool = False


class CardEndpoints:
    """Endpoints of dealt cards, and of the counting of any hand."""

    def __init__(self, cards: CardService, table: TableService) -> None:
        self._cards, self._table = cards, table

    @endpoint("POST", "/api/cards", Right.RUN, error_statuses=(409,))
    async def _deal_cards(self, call: Call[Seats]) -> Hands:
        """Deal cards; return the path of each person's hand."""
        self._cards.begin(call.body.seats)
        await self._cards.save()
        return self._paths(opened=True)

    @endpoint("GET", "/api/cards", Right.RUN)
    async def _hands(self, call: Call[None]) -> Hands:
        """Return the path of each person's hand; none while no cards are dealt.

        A phone gets only the paths of hands that nobody has opened yet, so that it cannot look into
        the hands of others.
        """
        return self._paths(opened=call.caller.is_local)

    def _paths(self, *, opened: bool) -> Hands:
        tokens = self._cards.tokens(opened=opened)
        return Hands(hands={seat: f"/hand?hand={it}" for seat, it in tokens.items()})

    @endpoint("POST", "/api/cards/end", Right.RUN)
    async def _end_cards(self, _call: Call[Nothing]) -> table_responses.TableResponse:
        """End the game of cards."""
        self._cards.end()
        await self._cards.save()
        return self._table.snapshot()

    @endpoint("GET", "/api/cards/{token}", Right.WATCH)
    async def _hand(self, call: Call[None]) -> OwnHand:
        """Return what the holder of a hand may see."""
        return self._own_hand(call)

    @endpoint("POST", "/api/cards/{token}", Right.WATCH, error_statuses=(409,))
    async def _play(self, call: Call[Chosen]) -> OwnHand:
        """Throw cards, or play one."""
        self._cards.play(call.path["token"], cards(call.body.cards))
        await self._cards.save()
        return self._own_hand(call)

    @endpoint("POST", "/api/cards/{token}/points", Right.WATCH, error_statuses=(409,))
    async def _enter(self, call: Call[PointsRequest]) -> OwnHand:
        """Enter points for the cards, as the side's buttons would."""
        body = call.body
        await self._cards.enter(
            call.path["token"], body.points, given_back=body.given_back, of=body.of
        )
        return self._own_hand(call)

    def _own_hand(self, call: Call[Any]) -> OwnHand:
        """Return the hand of the token in the path, in the caller's language."""
        return self._cards.hand(call.path["token"], self._table.words(call.language))

    @endpoint("GET", "/api/count", Right.WATCH)
    async def _count(self, call: Call[HandCount]) -> Counted:
        """Count a hand or a crib with the starter, and list the combinations."""
        body = call.body
        hand, starter = cards(body.hand), Card.parse(body.starter)
        if len(hand) != HAND or starter in hand:
            raise BadInputError("a hand has four cards, and the starter is a fifth")
        show = count_show(hand, starter, crib=body.crib)
        parts = [
            CountedPart(kind=part.kind, points=part.points, cards=list(map(str, part.cards)))
            for part in show.parts
        ]
        return Counted(points=show.points, parts=parts)
