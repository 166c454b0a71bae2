"""Questions of the calibration: the LEDs to light, and the meaning of the answer."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from companion.errors import NO_TEXT, Text


class QuestionKind(StrEnum):
    """Kinds of question about the LEDs that are lit."""

    WHERE = "where"
    """The answer is the light point that shows this one LED, or None if it is dark."""

    ANY = "any"
    """The answer is any point that shows one of several LEDs, or None if all are dark."""

    DARK = "dark"
    """The answer is a point that stays dark while its channel is lit, or None if all are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LightQuestion:
    """Question that is asked while LEDs `first` to `last` of a channel are the only ones lit.

    `likely` has the light points where an answer is expected; `objection` tells why the last
    answer is impossible.
    """

    channel: int
    first: int
    last: int
    kind: QuestionKind = QuestionKind.WHERE
    likely: tuple[int, ...] = ()
    objection: Text = NO_TEXT


Point: TypeAlias = int | None  # a light point, or None for nowhere

Questions: TypeAlias = Generator[LightQuestion, Point, None]
"""Generator of questions that takes their answers."""


def ask_until_accepted(
    question: LightQuestion, check: Callable[[Point], Text]
) -> Generator[LightQuestion, Point, Point]:
    """Repeat a question until `check` returns no objection to the answer; return the answer."""
    while True:
        point = yield question
        objection = check(point)
        if not objection:
            return point
        question = replace(question, objection=objection)
