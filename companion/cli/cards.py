"""`cribwars count` and `cribwars deal`: the points of cards, as text and as JSON."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import click
import msgspec

from companion.cli.count import count_lines, count_text, count_value, distribution_value, play_lines
from companion.cli.deal import deal_lines
from companion.cli.jsonl import open_lines, print_lines
from companion.cli.language import language_option, phrases_for, tell
from companion.cli.options import jsonl_option
from companion.errors import BadInputError


@click.command("count")
@click.argument("hand", required=False)
@click.option("--starter", help="The card that was turned up.")
@click.option("--crib", is_flag=True, help="Count by the rules of the crib.")
@click.option("--play", is_flag=True, help="With --jsonl: count cards as they are played.")
@click.option("--distribution", is_flag=True, help="How many of all hands make how many points.")
@click.option("--json", "as_json", is_flag=True, help="One JSON value, in points by kind.")
@jsonl_option
@language_option
def count_command(
    *,
    hand: str | None,
    starter: str | None,
    crib: bool,
    play: bool,
    distribution: bool,
    as_json: bool,
    jsonl: bool,
    language: str | None,
) -> None:
    """Count a hand, and tell what for.

    HAND is four cards, such as "5H 5S 5D JC"; with --jsonl it is a file of questions.
    """
    if jsonl:
        _answer(hand or "-", play_lines if play else partial(count_lines, crib=crib))
    elif play:
        raise BadInputError("--play counts lines of cards: add --jsonl")
    elif distribution:
        _distribution(crib=crib, as_json=as_json)
    elif hand is None or starter is None:
        raise BadInputError(
            'give a hand and its starter: cribwars count "5H 5S 5D JC" --starter 5C'
        )
    elif as_json:
        click.echo(msgspec.json.encode(count_value(hand.upper(), starter.upper(), crib=crib)))
    else:
        for line in count_text(hand, starter, phrases=phrases_for(language), crib=crib):
            click.echo(line)


@click.command("deal")
@click.argument("file", default="-")
@jsonl_option
def deal_command(*, file: str, jsonl: bool) -> None:
    """Play whole hands of cards, and print their worth.

    FILE has a line of JSON a hand; - is stdin.
    """
    if not jsonl:
        raise BadInputError("deal reads and writes lines of JSON: add --jsonl")
    _answer(file, deal_lines)


def _answer(file: str, answers: Callable[[Iterable[bytes]], Iterator[str]]) -> None:
    with open_lines(file) as lines:
        print_lines(answers(lines), at_once=file == "-")


def _distribution(*, crib: bool, as_json: bool) -> None:
    value = distribution_value(crib=crib)
    if as_json:
        click.echo(msgspec.json.encode(value))
        return
    counts = value["counts"]
    assert isinstance(counts, dict)  # noqa: S101  # as it was just made
    for points, number in counts.items():
        click.echo(f"{points:>2} {number:>10,}")
    tell("mean {mean}", f"{value['mean']:.6f}")
