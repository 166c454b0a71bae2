"""`cribwars replay`: commands in, events and states out, a line each; no clock, no disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from companion.game import History, Setup, new_game
from companion.game.notation import event_value, read_command, state_value
from companion.jsonl import answers


def replay(setup: Setup, lines: Iterable[bytes]) -> Iterator[str]:
    """The answer to each line of commands; a refused one answers its error and changes nothing.

    Lines without text are passed over. Games follow one another by `new_game`.
    """
    history = History(new_game(setup))
    return answers(lines, partial(_answer, history))


def _answer(history: History, line: bytes) -> dict[str, object]:
    entry = history.do(read_command(line))
    return {"events": [event_value(event) for event in entry.events]} | state_value(entry.state)
