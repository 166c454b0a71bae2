"""`cribwars replay`: reads commands and prints events and states, without clock or disk."""

from collections.abc import Iterable, Iterator
from functools import partial

import click

from companion.cli.house_rules import preset_option, rules_with, set_option
from companion.cli.jsonl import answer_file, answers
from companion.cli.options import FILE, board_option, sides_option
from companion.rules.game import History, Setup, new_game
from companion.rules.game.notation import read_command, state_value


@click.command("replay")
@click.argument("file", type=FILE)
@board_option
@sides_option
@click.option("--players", type=int, help="2 or 4 for two sides, 3 or 6 for three.")
@preset_option
@set_option
def replay_command(
    *,
    file: str,
    board: str | None,
    sides: int | None,
    players: int | None,
    preset_name: str,
    changes: tuple[str, ...],
) -> None:
    """Play commands, and print the events and the state after each.

    FILE has one line of JSON for each command; - is stdin.
    """
    rules, sheet = rules_with(preset_name, changes, board)
    setup = Setup.make(sheet.track, rules, sides=tuple(range(1, (sides or 2) + 1)), players=players)
    answer_file(file, partial(replay, setup))


def replay(setup: Setup, lines: Iterable[bytes]) -> Iterator[str]:
    """Yield the answer to each command, or its error; a refused command changes nothing.

    Blank lines are skipped. The command `new_game` begins the next game.
    """
    history = History(new_game(setup))
    return answers(lines, partial(_answer, history))


def _answer(history: History, line: bytes) -> dict[str, object]:
    entry = history.do(read_command(line))
    return {"events": entry.events} | state_value(entry.state)
