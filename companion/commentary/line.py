"""Lines of commentary that can be translated again for each reader."""

from collections.abc import Callable
from typing import Self

from companion.commentary.commentator import Commentator


class CommentaryLine(str):
    """Line of one commentator, with the function `say` that returns it in any one's words."""

    __slots__ = ("say",)

    say: Callable[[Commentator], str]

    def __new__(cls, say: Callable[[Commentator], str], words: Commentator) -> Self:
        line = super().__new__(cls, say(words))
        line.say = say
        return line


def translated(line: str, words: Commentator) -> str:
    """Return a line in these words; one that was read from a file stays as it is."""
    return line.say(words) if isinstance(line, CommentaryLine) else line
