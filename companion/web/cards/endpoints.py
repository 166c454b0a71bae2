"""Dealt cards: who deals, and each person's hand, which its token opens and nothing else does."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from companion.rules.cards import cards
from companion.web.cards import responses
from companion.web.cards.service import CardService
from companion.web.http import requests
from companion.web.http.endpoint import TOKEN, Call, Operation, Right
from companion.web.table import responses as table_responses
from companion.web.table.service import TableService


class Seats(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/cards`: cards shall be dealt to these, "person" or a kind of player each."""

    seats: Annotated[tuple[str, ...], Meta(max_length=6)]


class Chosen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`POST /api/cards/<token>`: the cards to throw, or the one to play."""

    cards: Annotated[tuple[str, ...], Meta(max_length=6)]


class CardEndpoints:
    """Endpoints of dealt cards."""

    def __init__(self, cards: CardService, table: TableService) -> None:
        self._cards, self._table = cards, table

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All endpoints of this kind."""
        return (
            Operation(
                method="POST",
                path="/api/cards",
                name="deal_cards",
                says="Deal cards; answers where each person finds its hand.",
                needs=Right.RUN,
                asks=Seats,
                answers=responses.Hands,
                does=self._deal,
                refuses=frozenset({409}),
            ),
            Operation(
                method="POST",
                path="/api/cards/end",
                name="end_cards",
                says="Put the cards away.",
                needs=Right.RUN,
                asks=requests.Nothing,
                answers=table_responses.Table,
                does=self._end,
            ),
            Operation(
                method="GET",
                path="/api/cards/{token}",
                name="hand",
                says="What whoever holds a hand may see.",
                needs=Right.WATCH,
                answers=responses.OwnHand,
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
                asks=Chosen,
                answers=responses.OwnHand,
                does=self._play,
                refuses=frozenset({404, 409}),
                path_values={"token": TOKEN},
            ),
        )

    async def _deal(self, call: Call[Seats]) -> responses.Hands:
        tokens = self._cards.begin(call.asked.seats)
        return {"hands": {f"{seat}": f"/hand?hand={it}" for seat, it in tokens.items()}}

    async def _end(self, _call: Call[requests.Nothing]) -> table_responses.Table:
        self._cards.end()
        return self._table.snapshot()

    async def _hand(self, call: Call[None]) -> responses.OwnHand:
        return self._cards.hand(call.path["token"])

    async def _play(self, call: Call[Chosen]) -> responses.OwnHand:
        token = call.path["token"]
        self._cards.play(token, cards(call.asked.cards))
        return self._cards.hand(token)
