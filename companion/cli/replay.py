"""`cribwars replay`, and the options for house rules: a preset, and changes to it.

`replay` reads the commands of games and prints events and states.
"""

from collections.abc import Iterable, Iterator
from functools import partial

import click

from companion.board import Board, load_board
from companion.cli.jsonl import answer_file, answers
from companion.cli.options import FILE, CompletedText, board_option, sides_option
from companion.errors import BadInputError
from companion.rules.game import History, HouseRules, Setup, new_game
from companion.rules.game.house_rules import HOUSE_RULES, PRESETS, preset, with_rule
from companion.rules.game.notation import read_command, state_value
from companion.rules.game.skunk_lines import fit_skunk_lines


def _changes() -> Iterator[str]:
    """Yield `rule=value` for each value of a rule, or `rule=` if its values cannot be listed."""
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
    rules, by_name = preset(preset_name), set[str]()
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            text = "--set {change}: write it as RULE=VALUE, such as finish=exact"
            raise BadInputError(text, change=change)
        by_name.add(name.strip())
        rules = with_rule(rules, name.strip(), value.strip())
    if board_name is not None:
        rules = with_rule(rules, "board", board_name)
    board = load_board(rules.board)
    finish = rules.length_on(board.track.finish)
    return fit_skunk_lines(rules, preset=preset_name, finish=finish, by_name=by_name), board


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
