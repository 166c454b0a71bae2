"""`cribwars replay`: commands in, events and states out, a line each; no clock, no disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.errors import BadInputError, RuleError
from companion.game import History, Setup, new_game
from companion.game.notation import event_value, read_command, state_value


def replay(setup: Setup, lines: Iterable[bytes]) -> Iterator[str]:
    """The answer to each line of commands; a refused one answers its error and changes nothing.

    Lines without text are passed over. Games follow one another by `new_game`.
    """
    history = History(new_game(setup))
    for line in lines:
        if line.strip():
            yield msgspec.json.encode(_answer(history, line)).decode()


def _answer(history: History, line: bytes) -> dict[str, object]:
    try:
        entry = history.do(read_command(line))
    except RuleError as error:
        return {"error": str(error), "rule": error.rule}
    except BadInputError as error:
        return {"error": str(error), "rule": None}
    return {"events": [event_value(event) for event in entry.events]} | state_value(entry.state)
