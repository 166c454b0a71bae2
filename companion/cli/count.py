"""`cribwars count`: the points of a hand, a crib or a played card, as text and as JSON.

The text has a line for each combination, then the sum as players say it, then the total (see
`count_text`); JSON has the points by kind. With `--jsonl` each line is one question; a line that
cannot be counted gets an error as its answer.
"""

from collections.abc import Iterable, Iterator
from functools import partial

import click
import msgspec

from companion.cli.language import language_option, phrases_for, tell
from companion.cli.options import jsonl_option
from companion.cli.replay import answer_file, answers
from companion.commentary import Phrases
from companion.commentary.event_phrases import sum_phrase
from companion.errors import BadInputError, Text
from companion.rules.cards import PartKind, cards, count, count_play, distribution

_PHRASES = {  # without THIRTY_ONE
    PartKind.FIFTEEN: Text("Fifteen"),
    PartKind.PAIR: Text("Pair"),
    PartKind.PAIR_ROYAL: Text("Pair royal"),
    PartKind.DOUBLE_PAIR_ROYAL: Text("Double pair royal"),
    PartKind.RUN: Text("Run"),
    PartKind.FLUSH: Text("Flush"),
    PartKind.NOBS: Text("Nobs"),
}

_Texts = str | list[str]


class _ShowLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand: _Texts
    starter: str
    crib: bool | None = None


class _PlayLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: _Texts


@click.command("count")
@click.argument("hand", required=False)
@click.option("--starter", help="The card that was turned up.")
@click.option("--crib", is_flag=True, help="Count by the rules of the crib.")
@click.option("--play", is_flag=True, help="With --jsonl: count cards as they are played.")
@click.option("--distribution", is_flag=True, help="The number of hands for each number of points.")
@click.option("--json", "as_json", is_flag=True, help="One JSON value: the points by kind.")
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
    """Count a hand, and list what makes its points.

    HAND is four cards, such as "5H 5S 5D JC"; with --jsonl it is a file with one hand a line.
    """
    if distribution and (hand or starter or play or jsonl):
        raise BadInputError(
            "--distribution counts all hands: leave out the hand, --starter, --play and --jsonl"
        )
    if jsonl:
        answer_file(hand or "-", play_lines if play else partial(count_lines, crib=crib))
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


def count_value(hand: _Texts, starter: str, *, crib: bool = False) -> dict[str, object]:
    """Return the points of a hand by kind; bad cards raise `BadInputError`."""
    show = count(hand, starter, crib=crib)
    return {"points": show.points, **show.by_kind}


def count_text(hand: str, starter: str, *, phrases: Phrases, crib: bool = False) -> Iterator[str]:
    r"""Yield a line for each combination in a hand, the count as it is said, and the total.

    >>> from companion.commentary import load_phrases
    >>> print(*count_text("th 5s 3d jc", "2c", phrases=load_phrases("en")), sep="\n")
    Fifteen 2: 5S TH
    Fifteen 2: 5S JC
    Fifteen 2: 2C 3D TH
    Fifteen 2: 2C 3D JC
    Nobs 1: JC
    fifteen-two, fifteen-four, fifteen-six, fifteen-eight and nobs is nine
    9 in all
    """
    show = count(hand.upper(), starter.upper(), crib=crib)
    for part in show.parts:
        words = phrases.message(_PHRASES[part.kind])
        yield f"{words} {part.points}: {' '.join(map(str, part.cards))}"
    if show.parts:
        yield sum_phrase(show.parts, phrases)
    yield phrases.message(Text("{points} in all", points=show.points))


def count_lines(lines: Iterable[bytes], *, crib: bool = False) -> Iterator[str]:
    """Yield the points of the hand in each line, or its error; blank lines are skipped.

    `crib` is True if the cards of a line without the key `crib` count as a crib.
    """
    return answers(lines, partial(_count_line, crib=crib))


def play_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """Yield the points of the last card played in each line, or its error; skip blank lines."""
    return answers(lines, _play_line)


def _count_line(line: bytes, *, crib: bool) -> dict[str, object]:
    request = msgspec.json.decode(line, type=_ShowLine)
    return count_value(
        request.hand, request.starter, crib=crib if request.crib is None else request.crib
    )


def _play_line(line: bytes) -> dict[str, object]:
    play = count_play(cards(msgspec.json.decode(line, type=_PlayLine).cards))
    parts = [{"kind": part.kind, "points": part.points} for part in play.parts]
    return {"count": play.count, "points": play.points, "parts": parts}


def _distribution(*, crib: bool, as_json: bool) -> None:
    counts = distribution(crib=crib).tolist()
    mean = sum(points * number for points, number in enumerate(counts)) / sum(counts)
    if as_json:
        by_points = {str(points): number for points, number in enumerate(counts)}
        click.echo(msgspec.json.encode({"counts": by_points, "mean": mean}))
        return
    for points, number in enumerate(counts):
        click.echo(f"{points:>2} {number:>10,}")
    tell("mean {mean}", mean=f"{mean:.6f}")
