"""Options for house rules: a preset, and changes to it."""

from collections.abc import Iterable, Iterator

import click

from companion.cli.options import CompletedText
from companion.errors import BadInputError
from companion.rules.game import HouseRules
from companion.rules.game.house_rules import (
    PRESETS,
    as_settings,
    preset,
    rule_choices,
    with_rule,
)


def _changes() -> Iterator[str]:
    """Yield each house rule, with each value of one that takes only a few."""
    for rule in as_settings(HouseRules()):
        yield from (f"{rule}={value}" for value in rule_choices(rule) or ("",))


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


def rules_with(preset_name: str, changes: Iterable[str], board: str | None) -> HouseRules:
    """Return the rules of a preset with these changes, on another board if one is named."""
    rules = preset(preset_name)
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            text = "--set {change}: write it as RULE=VALUE, such as finish=exact"
            raise BadInputError(text, change)
        rules = with_rule(rules, name.strip(), value.strip())
    return rules if board is None else with_rule(rules, "board", board)
