"""A game of cards that is interrupted anywhere goes on as if it was not."""

import json
import random
from dataclasses import dataclass
from typing import Any

import pytest

from companion.errors import BadInputError
from companion.players.dealer import run_game
from companion.players.steps import (
    Announce,
    Answer,
    Apply,
    DealRecord,
    Declare,
    Request,
    read_record,
)
from companion.rules.cards import DECK
from companion.rules.game import Command, History, HouseRules, Setup, new_game
from companion.rules.game.house_rules import with_rule
from tests.support.card_games import chosen, play_out, regulars, setup_for

SHORT = HouseRules(game_to=61, skunk_at="off")


@dataclass
class Saved:
    """Record on disk, and the random numbers that a restarted program must draw again."""

    record: DealRecord | None
    numbers: Any


def interrupted(setup: Setup, seed: int, kills: random.Random, *, often: float) -> list[Command]:
    """Return the commands of a game whose program dies at steps, before or after saving them."""
    history, rng, players = History(new_game(setup)), random.Random(seed), regulars(setup.players)
    saved = Saved(None, rng.getstate())
    commands: list[Command] = []
    while True:
        rng.setstate(saved.numbers)
        value = json.loads(json.dumps(saved.record and saved.record.as_value()))
        record = read_record(value, setup) if value else None
        assert saved.record == record
        steps = run_game(
            history.state,
            rng,
            cut=not commands,
            declares=True,
            record=record,
            commands=lambda: [entry.command for entry in history.latest(len(history))],
        )
        reply: Answer = None
        try:
            while True:
                step = steps.send(reply)
                reply = None
                if kills.random() < often:
                    break
                if isinstance(step, Apply):
                    history.do(step.command)
                    commands.append(step.command)
                    reply = history.state
                if isinstance(step, Apply | Announce):
                    saved = Saved(step.record, rng.getstate())
                if isinstance(step, Request):
                    reply = chosen(players[step.seat], step)
                if isinstance(step, Declare):
                    reply = players[step.count.seat].count(step.request)
                if kills.random() < often:
                    break
        except StopIteration:
            return commands


@pytest.mark.parametrize("muggins", ["off", "on"])
@pytest.mark.parametrize("starter", ["after-discards", "before-discards"])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_kills_change_nothing(players: int, starter: str, muggins: str) -> None:
    """Each count is made once, from the same cards, in the same game as without any kill.

    This holds for the counts of the machine and for those that sides declare (M1).
    """
    rules = with_rule(with_rule(SHORT, "starter", starter), "muggins", muggins)
    setup = setup_for(players, rules=rules)
    whole = interrupted(setup, players, random.Random(), often=0)
    assert whole == interrupted(setup, players, random.Random(players), often=1 / 8)


def test_a_record_of_another_hand_is_left_alone() -> None:
    """T2: if the game is in another hand, that hand is dealt."""
    run = play_out(setup_for(2, rules=SHORT), regulars(2), seed=1)
    record = run.deals[0].record
    midway = next(entry.state for entry in run.entries if entry.state.hand == 3)
    (first, *_) = play_out(midway, regulars(2), seed=2).steps
    steps = run_game(midway, random.Random(2), record=record)
    again = next(steps)
    assert isinstance(first, Announce)
    assert isinstance(again, Announce)
    assert first.record.deck == again.record.deck != record.deck


@pytest.mark.parametrize(
    "change",
    [
        {"deck": "5H 5S"},
        {"deck": " ".join(map(str, DECK[::-1])), "commands": [{"play": {"seat": 1, "card": "5H"}}]},
        {"commands": [{"steal": {}}]},
        {"commands": [{"play": {"seat": "one"}}]},
        {"dealer": 9},
        {"declarations": [[0, 2]]},
        {"hand": None},
    ],
)
def test_what_is_no_record_is_refused(change: dict[str, object]) -> None:
    """The error describes each fault of the file in words."""
    setup = setup_for(2, rules=SHORT)
    record = play_out(setup, regulars(2), seed=1).deals[0].record
    with pytest.raises(BadInputError):
        read_record(record.as_value() | change, setup)
