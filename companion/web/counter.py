"""The counter: five cards tapped on a phone, what they are worth, and why."""

from __future__ import annotations

from companion.cards import cards, count_show
from companion.cards.card import Card
from companion.errors import BadInputError
from companion.web import answers, border
from companion.web.operations import Call, Operation, Right

_HAND = 4


def counter_operation() -> Operation:
    """How a hand is counted for whoever asks."""
    return Operation(
        method="GET",
        path="/api/count",
        name="count",
        says="What a hand or a crib is worth with the starter, and which cards make it.",
        needs=Right.WATCH,
        asks=border.Count,
        answers=answers.Counted,
        does=_count,
    )


async def _count(call: Call[border.Count]) -> answers.Counted:
    asked = call.asked
    hand, starter = cards(asked.hand), Card.parse(asked.starter)
    if len(hand) != _HAND or starter in hand:
        raise BadInputError("a hand is four cards, and the starter is another")
    show = count_show(hand, starter, crib=asked.crib)
    parts: list[answers.CountedPart] = [
        {"kind": part.kind.value, "points": part.points, "cards": [str(c) for c in part.cards]}
        for part in show.parts
    ]
    return {"points": show.points, "parts": parts}
