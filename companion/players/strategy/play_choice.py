"""Choice of the card to play: each card is played out against the hands that others may hold.

Every seat is assumed to play the card with the best score: the worth of its landing plus its later
balance. The results are judged by the chance to win.
"""

import numpy as np

from companion.players.player import PlayRequest
from companion.players.strategy.inference import Recall
from companion.players.strategy.sampling import Worlds, worlds
from companion.players.values.hands import KEY_OF_RANK, POINTS_OF_KEY, Floats, ranks_of
from companion.players.values.position import Position
from companion.players.values.rollout import Playout
from companion.players.values.scores import NOBODY, BoardLedger
from companion.players.values.tables import Tables
from companion.rules.cards import HAND, Card, show_points


def best_play(
    request: PlayRequest, past: Recall | None, position: Position, tables: Tables
) -> Card:
    """Return the fitting card that wins most often; cards of equal rank are interchangeable."""
    cards = {card.rank: card for card in request.playable}
    found = worlds(request, past, tables)
    own = _own_points(request, past)
    ledger = BoardLedger(
        position.stances,
        position.at,
        len(cards) * len(found.weights),
        seats=len(request.cards_left),
        gains=position.gains(own),
        foresight=tables.foresight,
    )
    _play_out(request, past, found, list(cards), ledger)
    stage = 1
    if past and own is not None:
        _show(request, past, found, own, ledger)
        stage = position.deals.hands_counted
    won = _won(position, ledger, stage).reshape(len(cards), -1) @ found.weights
    return list(cards.values())[int(won.argmax())]


def _own_points(request: PlayRequest, past: Recall | None) -> int | None:
    """Return the points of the own hand with the starter, or None if a card is unknown."""
    hand = (*request.hand, *past.played(0)) if past else request.hand
    return show_points(hand, request.starter) if len(hand) == HAND else None


def _play_out(
    request: PlayRequest, past: Recall | None, found: Worlds, ranks: list[int], ledger: BoardLedger
) -> None:
    own = ranks_of(np.array(request.hand, dtype=np.uint8))
    hands = np.tile(found.left, (len(ranks), 1, 1))
    hands[:, 0, : len(own)] = own
    pick = np.repeat([own.tolist().index(rank) for rank in ranks], len(found.weights))
    last = -1
    if request.pile:
        last = past.plays[-1].seat if past else len(request.cards_left) - 1
    playout = Playout(hands, ledger, pile=tuple(card.rank for card in request.pile))
    playout.play_out(0, last=last, pick=pick)


def _show(request: PlayRequest, past: Recall, found: Worlds, own: int, ledger: BoardLedger) -> None:
    assert found.kept is not None  # noqa: S101  # `past` says who played each card
    keys = KEY_OF_RANK[found.kept].sum(axis=2) + KEY_OF_RANK[request.starter.rank]
    keys[:, 0] = 0
    points = POINTS_OF_KEY[keys].astype(np.int64)
    points[:, 0] = own
    times = len(ledger.at) // len(points)
    for step in range(len(request.cards_left)):
        seat = (past.leader + step) % len(request.cards_left)
        ledger.peg(seat, np.tile(points[:, seat], times))


def _won(position: Position, ledger: BoardLedger, stage: int) -> Floats:
    chance = position.winning(ledger.at, stage)
    return np.where(ledger.winner == NOBODY, chance, ledger.winner == 0)
