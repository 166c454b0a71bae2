"""Tables of a night as values: states of played games, as tables would publish them."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.night.messages import (
    Entrant,
    NightGame,
    NightPlan,
    NightRound,
    SeatedPair,
    TableState,
)
from companion.night.outcomes import SIDE_KEYS
from companion.web.table.table_responses import SideResponse, TableResponse

NIGHT = "0123456789abcdef"
COLOURS = {"1": "#ffb000", "2": "#ffffff"}


def plan_of(*names: str, rounds: int = 0, finish: int = 121) -> NightPlan:
    """Return a plan with these sides; neighbours in the list meet in each of its rounds."""
    entrants = tuple(Entrant(id=at, players=(name,)) for at, name in enumerate(names, start=1))
    pairs = tuple(
        SeatedPair(table=table, entrants=(2 * table - 1, 2 * table))
        for table in range(1, len(names) // 2 + 1)
    )
    bye = len(names) if len(names) % 2 else None
    return NightPlan(
        night=NIGHT,
        revision=1,
        finish=121 if finish == 121 else 363,
        scoring="acc",
        entrants=entrants,
        rounds=tuple(NightRound(pairs=pairs, bye=bye) for _ in range(rounds)),
    )


def game(
    pair: SeatedPair,
    *,
    round_: int = 1,
    winner: str | None = None,
    loser_at: int = 0,
    confirmed: tuple[str, ...] = SIDE_KEYS,
    number: int = 1,
    finish: int = 121,
) -> NightGame:
    """Return a pair's game: a running one with a side at `loser_at`, or one won against it."""
    progress = {side: finish if side == winner else loser_at for side in SIDE_KEYS}
    return NightGame(
        game=number,
        round=round_,
        entrants=dict(zip(SIDE_KEYS, pair.entrants, strict=True)),
        progress=progress,
        finish=finish,
        winner=winner,
        confirmed=confirmed if winner else (),
    )


def state(
    *games: NightGame, journal: str = "a" * 16, seq: int = 1, night: str = NIGHT
) -> TableState:
    """Return the state of a table with these games; its pegs are those of the last game."""
    last = games[-1] if games else None
    progress = last.progress if last else dict.fromkeys(SIDE_KEYS, 0)
    rest: Any = {"boxed": 0, "folded": False, "pending": 0}
    sides = {
        int(side): SideResponse(front=at, back=max(0, at - 7), progress=at, **rest)
        for side, at in progress.items()
    }
    return TableState(
        journal=journal,
        seq=seq,
        night=night,
        board="crib-wars" if last and last.finish != 121 else "classic",
        colours=COLOURS,
        view=TableResponse(seq=seq, sides=sides, dealer=1, hand=1, winner=None),
        games=games,
    )


def play(pair: SeatedPair, chance: Random, *, round_: int, finish: int = 121) -> NightGame:
    """Return a game that was played to its end and confirmed."""
    return game(
        pair,
        round_=round_,
        winner=chance.choice(SIDE_KEYS),
        loser_at=chance.randrange(finish // 2, finish),
        number=round_,
        finish=finish,
    )
