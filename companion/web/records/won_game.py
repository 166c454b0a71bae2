"""The end of a game as the page tells it: its greatest count, and the one that turned it."""

from itertools import pairwise

from companion.journal.games import WholeGame
from companion.journal.replay import Past
from companion.players.values.win_chance import win_chances
from companion.rules.game import Peg
from companion.web.records.responses import BestCount, TurningCount, WonGame


def make_won_game(whole: WholeGame, past: Past, winner: int) -> WonGame:
    """Return a game that a side has won."""
    sides = whole.figures
    best = max(sides, key=lambda team: sides[team].largest)
    return WonGame(
        game=whole.game,
        best=BestCount(team=best, points=sides[best].largest) if sides[best].largest else None,
        turning=_turning_count(whole, past, winner),
        progress=whole.race.progress,
    )


def _turning_count(whole: WholeGame, past: Past, winner: int) -> TurningCount | None:
    """Return the count after which the winner's chance had risen most, if it rose at all."""
    chances = [win_chances(state)[winner] for state in past.states]
    gains = {
        number: after - before
        for number, (before, after) in enumerate(pairwise(chances), start=1)
        if isinstance(past.steps[number - 1].entry.command, Peg)
    }
    best = max(gains, key=lambda number: gains[number], default=0)
    if not best or gains[best] <= 0:
        return None
    return TurningCount(gain=gains[best], words=whole.steps[best].words)
