"""Lines of commentary that are kept, and told in the language of whoever reads them."""

from collections.abc import Callable
from typing import Self

from companion.commentary.commentator import Commentator


class CommentaryLine(str):
    """Line in the words of one commentator, which another can tell too."""

    __slots__ = ("_tell",)

    _tell: Callable[[Commentator], str]

    def __new__(cls, tell: Callable[[Commentator], str], words: Commentator) -> Self:
        """Return what a function tells in these words."""
        line = super().__new__(cls, tell(words))
        line._tell = tell  # its own
        return line

    def told_by(self, words: Commentator) -> str:
        """Return the line in the words of another commentator."""
        return self._tell(words)


def retold(line: str, words: Commentator) -> str:
    """Return a line in these words; one that was read from a file stays as it is."""
    return line.told_by(words) if isinstance(line, CommentaryLine) else line
