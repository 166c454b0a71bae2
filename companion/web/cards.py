"""Dealt cards: who deals, and each person's hand, which its token opens and nothing else does."""

from __future__ import annotations

from companion.cards import cards
from companion.web import answers, border
from companion.web.desk import Desk
from companion.web.operations import TOKEN, Call, Operation, Right


class CardTable:
    """The game of cards at a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What can be asked."""
        return (
            Operation(
                method="POST",
                path="/api/cards",
                name="deal_cards",
                says="Deal cards; answers where each person finds its hand.",
                needs=Right.RUN,
                asks=border.Seats,
                answers=answers.Hands,
                does=self._deal,
                refuses=frozenset({409}),
            ),
            Operation(
                method="POST",
                path="/api/cards/end",
                name="end_cards",
                says="Put the cards away.",
                needs=Right.RUN,
                asks=border.Nothing,
                answers=answers.Table,
                does=self._end,
            ),
            Operation(
                method="GET",
                path="/api/cards/{token}",
                name="hand",
                says="What whoever holds a hand may see.",
                needs=Right.WATCH,
                answers=answers.OwnHand,
                does=self._hand,
                refuses=frozenset({404}),
                path_values={"token": TOKEN},
            ),
            Operation(
                method="POST",
                path="/api/cards/{token}",
                name="play",
                says="Throw cards, or play one.",
                needs=Right.WATCH,
                asks=border.Chosen,
                answers=answers.OwnHand,
                does=self._play,
                refuses=frozenset({404, 409}),
                path_values={"token": TOKEN},
            ),
        )

    async def _deal(self, call: Call[border.Seats]) -> answers.Hands:
        tokens = self._desk.party.begin(call.asked.seats)
        return {"hands": {f"{seat}": f"/hand?hand={it}" for seat, it in tokens.items()}}

    async def _end(self, _call: Call[border.Nothing]) -> answers.Table:
        self._desk.party.end()
        return self._desk.table()

    async def _hand(self, call: Call[None]) -> answers.OwnHand:
        return self._desk.party.hand(call.path["token"])

    async def _play(self, call: Call[border.Chosen]) -> answers.OwnHand:
        token = call.path["token"]
        self._desk.party.play(token, cards(call.asked.cards))
        return self._desk.party.hand(token)
