"""Random tables: games with all kinds of events over several starts, and their twin."""

import random
from pathlib import Path

from companion.errors import RuleError
from companion.rules.game import (
    Command,
    Correct,
    Deal,
    Entry,
    History,
    HouseRules,
    MoveInBox,
    NewGame,
    Overpeg,
    Peg,
    Penalty,
    State,
    Undo,
)
from tests.companion.journal.scribe import Scribe, begun
from tests.companion.records.slow_records import SlowRecords

STARTS = (
    begun(names={"1": "Anna", "2": "Bert"}),
    begun(sides=(1, 2, 3), names={"1": "Anna", "3": "Cleo"}),
    begun("classic", rules=HouseRules(board="classic", game_to=121, skunk_at="finish", match_to=3)),
    begun(names={"2": "Anna"}, rules=HouseRules(finish="exact", back_lands=True)),
)


def random_table(folder: Path, seed: int, commands: int = 260) -> SlowRecords:
    """Play at several starts of a table into a journal. Return its twin."""
    rng = random.Random(seed)
    twin, scribe = SlowRecords(), Scribe(folder)
    before: tuple[object, ...] = ()
    for requested in rng.sample(STARTS, 3):
        opens = before != (requested.setup.rules.board, requested.setup.sides)
        before = (requested.setup.rules.board, requested.setup.sides)
        scribe.sit(requested)
        entries: list[Entry] = []
        while len(entries) < commands:
            entry = _try(scribe.history, _next(scribe.history, rng))
            if entry is None:
                continue
            if not entries:
                twin.start(requested.setup, dict(requested.names), opens=opens)
            twin.do(entry.command, entry.state)
            entries.append(entry)
        scribe.write(entries)
    scribe.close()
    return twin


def _try(history: History, command: Command) -> Entry | None:
    try:
        return history.do(command)
    except RuleError:
        return None


def _correct(history: History, rng: random.Random) -> Command:
    """Give one of the last counts other points, or remove it."""
    _, entries = history.game
    numbers = [n for n, entry in enumerate(entries, 1) if isinstance(entry.command, Peg)]
    number = rng.choice(numbers[-9:] or [1])
    return Correct(entry=number, points=rng.choice((None, rng.randint(1, 29))))


def _next(history: History, rng: random.Random) -> Command:
    """Return the next command, mostly a count; refused ones are drawn again."""
    state = history.state
    if state.winner is not None:
        return rng.choice((NewGame(), NewGame(), Undo()))
    side = rng.choice(state.setup.sides)
    command: Command = rng.choices(
        (
            Peg(side=side, points=rng.randint(1, 29)),
            Deal(),
            MoveInBox(side=side),
            Penalty(rule="N9", by=side, taken=(rng.choice(state.others(side)),)),
            _overpeg(history, rng),
            _correct(history, rng),
            Undo(),
            NewGame(),
        ),
        (650, 95, 60, 30, 70, 30, 60, 5),
    )[0]
    return command


def _overpeg(history: History, rng: random.Random) -> Command:
    """Correct the last count, unless nothing would be left of it."""
    last, state = history.last, history.state
    if last is None or not isinstance(last.command, Peg) or last.command.points == 1:
        return Deal()
    side = last.command.side
    taker = rng.choice((None, *_able(state, side)))
    extra = rng.randint(1, last.command.points - 1)
    return Overpeg(side=side, extra=extra, taken_by=taker)


def _able(state: State, side: int) -> tuple[int, ...]:
    """Return the sides that could peg as well."""
    others = state.others(side)
    return tuple(o for o in others if not state.pegs(o).folded and not state.pegs(o).boxed)
