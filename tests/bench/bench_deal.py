"""Rate of whole deals from cut to crib: random legal players, every count pegged."""

import random
import time

from companion.rules.cards import DECK
from companion.rules.deal import (
    Command,
    ConfirmCount,
    CutStarter,
    Discard,
    Phase,
    PlayCard,
    Seating,
    State,
    apply_all,
    decide,
    new_deal,
)
from tests.bench.promise import HEADER, Table, row

_DEALS = 1_500


def measure() -> list[Table]:
    """Return a table of whole deals a second for two and three players."""
    rows = [row(f"{players} players", _deals_a_second(players), "deals/s") for players in (2, 3)]
    return [("Whole deals by the state machine, random legal cards", HEADER, rows)]


def _deals_a_second(players: int) -> float:
    rng = random.Random(players)
    _deal(players, rng)
    begun = time.perf_counter()
    for _ in range(_DEALS):
        _deal(players, rng)
    return _DEALS / (time.perf_counter() - begun)


def _deal(players: int, rng: random.Random) -> None:
    seating = Seating.make(players=players, dealer=rng.randint(1, players))
    deck = rng.sample(DECK, len(DECK))
    state = new_deal(seating, deck)
    for hand in state.hands:
        state = _after(state, Discard(seat=hand.seat, cards=hand.cards[: seating.discards]))
    state = _after(state, CutStarter(seat=seating.cutter))
    while state.phase is not Phase.OVER:
        state = _after(state, _next(state, rng))


def _next(state: State, rng: random.Random) -> Command:
    if state.due or state.turn is None:
        return ConfirmCount()
    return PlayCard(seat=state.turn, card=rng.choice(state.playable(state.turn)))


def _after(state: State, command: Command) -> State:
    return apply_all(state, decide(state, command))
