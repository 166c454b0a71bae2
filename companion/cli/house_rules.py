"""Options for house rules: a preset, and changes to it."""

from collections.abc import Iterable, Iterator

import click

from companion.board import Board, load_board
from companion.cli.options import CompletedText
from companion.errors import BadInputError
from companion.rules.game import HouseRules
from companion.rules.game.house_rules import HOUSE_RULES, PRESETS, preset, with_rule
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
