"""The hand counter: five cards tapped on a phone, their points and combinations."""

from typing import Annotated

import msgspec

from companion.errors import BadInputError
from companion.rules.cards import HAND, PartKind, cards, count_show
from companion.rules.cards.card import Card
from companion.web.http.endpoint import Call, Right, endpoint
from companion.web.http.requests import CARD, CardText, described


class CountedPart(msgspec.Struct, frozen=True, kw_only=True):
    """Combination of some of the cards: "fifteen", "pair", "run", "flush", "nobs"..."""

    kind: PartKind
    points: int
    cards: list[str]


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """Points of a hand, and its combinations in the order of a show."""

    points: int
    parts: list[CountedPart]


class HandCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`GET /api/count`: four cards such as "5H 5S 5D JC", and the starter."""

    hand: Annotated[str, described(f"{CARD}( {CARD}){{3}}")]
    starter: CardText
    crib: bool = False


class HandCounter:
    """Endpoint of the hand counter."""

    @endpoint("GET", "/api/count", Right.WATCH)
    async def _count(self, call: Call[HandCount]) -> Counted:
        """Count a hand or a crib with the starter, and list the combinations."""
        body = call.body
        hand, starter = cards(body.hand), Card.parse(body.starter)
        if len(hand) != HAND or starter in hand:
            raise BadInputError("a hand is four cards, and the starter is another")
        show = count_show(hand, starter, crib=body.crib)
        parts = [
            CountedPart(kind=part.kind, points=part.points, cards=list(map(str, part.cards)))
            for part in show.parts
        ]
        return Counted(points=show.points, parts=parts)
