"""Lines of JSON in and out, options for house rules, and `cribwars replay`, which needs both.

Several commands read lines of JSON, and print one line for each: the answer or an error.
The options are a preset of house rules, and changes to it. `replay` reads the commands of games and
prints events and states.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO

import click

from companion.board import Board, load_board
from companion.cli.options import FILE, CompletedText, board_option, sides_option
from companion.encoding import UNREADABLE, encode_json
from companion.errors import BadInputError, RuleError
from companion.files import disk_errors
from companion.rules.game import History, HouseRules, Setup, new_game
from companion.rules.game.house_rules import HOUSE_RULES, PRESETS, choose_rules
from companion.rules.game.notation import read_command, state_value


def answers(lines: Iterable[bytes], answer: Callable[[bytes], dict[str, object]]) -> Iterator[str]:
    """Yield the answer to each line, or an error with the broken rule; skip blank lines."""
    for line in lines:
        if line.strip():
            yield encode_json(_or_error(answer, line)).decode()


def _or_error(answer: Callable[[bytes], dict[str, object]], line: bytes) -> dict[str, object]:
    try:
        return answer(line)
    except RuleError as error:
        return {"error": str(error), "rule": error.rule}
    except BadInputError as error:
        return {"error": str(error), "rule": None}
    except UNREADABLE as error:
        return {"error": f"not what is asked for: {error}", "rule": None}


@contextmanager
def _open_lines(file: str) -> Iterator[IO[bytes]]:
    """Open a file, or stdin for `-`. Raise `BadInputError` if that is impossible."""
    if file == "-":
        if sys.stdin is None:
            raise BadInputError("stdin is closed: give a file instead of -")
        yield sys.stdin.buffer
        return
    with ExitStack() as opened:
        text = "{file} cannot be read ({reason}): give a file that is there, or -"
        with disk_errors(BadInputError, text, file=file):
            lines = opened.enter_context(Path(file).open("rb"))
        yield lines


def answer_file(file: str, answer_lines: Callable[[Iterable[bytes]], Iterable[str]]) -> None:
    """Print the answers to the lines of a file; answers to lines of stdin (`-`) appear at once."""
    with _open_lines(file) as lines:
        for line in answer_lines(lines):
            sys.stdout.write(f"{line}\n")
            if file == "-":
                sys.stdout.flush()


def _changes() -> Iterator[str]:
    """Yield completions of --set: `rule=value`, or `rule=` if the values cannot be listed."""
    for name, rule in HOUSE_RULES.items():
        yield from (f"{name}={value}" for value in rule.words or ("",))


preset_option = click.option(
    "--preset",
    "preset_name",
    default="crib-wars",
    metavar="|".join(PRESETS),
    type=CompletedText(lambda: PRESETS),
    help="A set of house rules.",
)
set_option = click.option(
    "--set",
    "changes",
    type=CompletedText(_changes),
    multiple=True,
    metavar="RULE=VALUE",
    help="Change a house rule.",
)


def rules_with(
    preset_name: str, changes: Iterable[str], board_name: str | None
) -> tuple[HouseRules, Board]:
    """Return the rules of a preset with these changes, and the named board or the rules' board."""
    values: dict[str, str] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            text = "--set {change}: write it as RULE=VALUE, such as finish=exact"
            raise BadInputError(text, change=change)
        values[name.strip()] = value.strip()
    return choose_rules(preset_name, values, board_name, load_board)


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
