"""JSON Lines on the command line: each line of input gets an answer or an error as its line."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from companion.encoding import UNREADABLE, encode_json
from companion.errors import BadInputError, RuleError, as_text
from companion.files import disk_errors
from companion.rules.cards import Card, cards


def refused(words: str) -> BadInputError:
    """Return the error about a line; it is in English because a program reads it."""
    return BadInputError(as_text(words))


def read_cards(where: str, texts: list[str], *, number: int | None = None) -> tuple[Card, ...]:
    """Parse the cards of the field `where`; refuse cards that occur twice."""
    try:
        return cards(texts, number=number)
    except BadInputError as error:
        raise refused(f"{where}: {error}") from None


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
def open_lines(file: str) -> Iterator[IO[bytes]]:
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
    with open_lines(file) as lines:
        for line in answer_lines(lines):
            sys.stdout.write(f"{line}\n")
            if file == "-":
                sys.stdout.flush()
