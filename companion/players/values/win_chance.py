"""Win chance of each side of a game, from the pegs, the dealer and the counts alone.

The cards are ignored, so the chance does not reveal a hidden hand. All following deals are assumed
to be average. For each of these deals `DealsAhead` has each side's chances to finish: in the play,
with each hand and with the crib. A computer player takes the points of a penalty or of muggins only
if they raise its chance. For example, it leaves 2 points that would end in a penalty box.

>>> from companion.board import load_board
>>> from companion.rules.game import HouseRules, Setup, new_game
>>> win_chances(new_game(Setup.make(load_board("classic").track, HouseRules(), sides=(1, 2))))
{1: 0.558, 2: 0.442}
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import lru_cache, reduce
from typing import TypeVar

import numpy as np
from msgspec import structs

from companion.errors import RuleError
from companion.players.values.deals_ahead import DealsAhead, deals_ahead_of
from companion.players.values.position import behind
from companion.players.values.tables import Floats, chances, load_tables
from companion.rules.game import (
    Command,
    GameCommand,
    Muggins,
    Overpeg,
    Penalty,
    State,
    apply_all,
    decide,
)

Option = TypeVar("Option", bound=GameCommand)
DIGITS = 3
_COUNTS_IN_A_DEAL = 64
_IN_MEMORY = 512  # entries of the cache, of 3 kB each


def win_chances(state: State) -> dict[int, float]:
    """Return each side's chance to win the game, rounded to `DIGITS` digits.

    The number of counts in the current deal tells roughly how far the deal has come.
    """
    parts = np.round(_chances(state), DIGITS).tolist()
    return dict(zip(state.setup.sides, parts, strict=True))


def best_option(
    state: State, side: int, options: Iterable[Option], otherwise: GameCommand | None = None
) -> Option | None:
    """Return the option that raises a side's chance to win most, or None if no option raises it.

    Options that the rules refuse are left out.

    Args:
        state: the game before the command.
        side: the side that chooses.
        options: the commands to choose from.
        otherwise: the command that is carried out if no option is chosen; None for no command. An
            option must leave a greater chance than this command.
    """
    best, highest = None, chance_after(state, side, otherwise)
    for option in options:
        with suppress(RuleError):
            chance = chance_after(state, side, option)
            if chance > highest:
                best, highest = option, chance
    return best


def with_choices(state: State, command: Command, sides: Collection[int]) -> Command:
    """Return a referee's command in which each of `sides` takes only points that raise its chance.

    The choices of all other sides stay as they are in `command`. A command without a choice is
    returned unchanged.

    Raises:
        RuleError: the rules refuse the command, or muggins would not raise the caller's chance.
    """
    match command:
        case Penalty() if state.setup.rules.penalty_to == "every-other-side":
            others = tuple(side for side in command.taken if side not in sides)
            penalty = structs.replace(command, taken=others)
            for side in sides:
                taking = structs.replace(penalty, taken=(*penalty.taken, side))
                penalty = best_option(state, side, [taking], penalty) or penalty
            return penalty
        case Overpeg(taken_by=taker) if taker is None or taker in sides:
            left = structs.replace(command, taken_by=None)
            takings = ((side, structs.replace(left, taken_by=side)) for side in sides)
            taken = (best_option(state, side, [taking], left) for side, taking in takings)
            return next(filter(None, taken), left)
        case Muggins(by=side) if side in sides:
            options = [structs.replace(command, given_back=given) for given in (False, True)]
            decide(state, options[0])
            best = best_option(state, side, options)
            if best is None:
                text = "{side} leaves these points: they would not raise its chance to win"
                raise RuleError(text, rule="M3", side=side)
            return best
    return command


def chance_after(state: State, side: int, command: GameCommand | None = None) -> float:
    """Return a side's chance to win after a command, with the deal still at the stage before it.

    Raises:
        RuleError: the rules refuse the command.
    """
    after = apply_all(state, decide(state, command)) if command else state
    chances = _chances(structs.replace(after, counts_in_hand=state.counts_in_hand))
    return float(chances[state.setup.sides.index(side)])


def _chances(state: State) -> Floats:
    setup = state.setup
    if state.winner is not None:
        return np.array([float(side == state.winner) for side in setup.sides])
    weights = _stage_weights(setup.players, min(state.counts_in_hand, _COUNTS_IN_A_DEAL))
    stages = np.flatnonzero(weights).tolist()
    chance = sum(weights[stage] * _chances_at(state, stage) for stage in stages)
    shares: Floats = chance / np.sum(chance)
    return shares


def _chances_at(state: State, stage: int) -> Floats:
    """Return the chance of each side to win at a stage of the deal, shape (sides,).

    Stage 0 is before the play, and stage 1 is after it. The later stages are after the count of
    each hand, and the last stage is after the count of the crib.
    """
    setup = state.setup
    deals = deals_ahead_of(setup.track, setup.rules, setup.players)
    sides, dealer = len(setup.sides), setup.sides.index(setup.side_of(state.dealer))
    ahead = np.array(
        [
            _ahead(deals, (number - dealer - 1) % sides, stage, deals.stances.number_of(side))
            for number, side in enumerate(state.all_pegs)
        ]
    )
    others = behind(ahead)
    chance: Floats = np.array(
        [own @ np.delete(others, number, axis=0).prod(axis=0) for number, own in enumerate(ahead)]
    )
    return chance


_ahead = lru_cache(_IN_MEMORY)(DealsAhead.ahead)


@lru_cache
def _stage_weights(players: int, counts: int) -> Floats:
    """Return the probability of each stage of a deal after this number of counts, shape (stages,).

    During the play a deal is between the stages 0 and 1, so both get a part of the probability.
    After the play, each count moves the deal to the next stage.
    """
    weights = np.zeros(players + 3)
    # The probability of each number of counts, by all sides together, in the play of a deal.
    counts_in_play: Floats = reduce(np.convolve, map(chances, load_tables().counts[players]))
    for total, chance in enumerate(counts_in_play):
        stage = counts / total if counts < total else 1.0 + counts - total
        before = int(stage)
        if before < len(weights):
            weights[before] += chance * (1 - stage + before)
            weights[min(before + 1, len(weights) - 1)] += chance * (stage - before)
    if not weights.any():
        weights[-1] = 1
    shares: Floats = weights / weights.sum()
    return shares
