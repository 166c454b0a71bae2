"""Lines of commentary that can be translated again for each reader."""

from collections.abc import Callable
from typing import Self

from companion.commentary.commentator import Commentator


class CommentaryLine(str):
    """Line of commentary that another commentator can say in another language."""

    __slots__ = ("_tell",)

    _tell: Callable[[Commentator], str]

    def __new__(cls, tell: Callable[[Commentator], str], words: Commentator) -> Self:
        """Return the line that a function makes of these words."""
        line = super().__new__(cls, tell(words))
        line._tell = tell  # its own
        return line

    def told_by(self, words: Commentator) -> str:
        """Return the line in the words of another commentator."""
        return self._tell(words)


def retold(line: str, words: Commentator) -> str:
    """Return a line in these words; one that was read from a file stays as it is."""
    return line.told_by(words) if isinstance(line, CommentaryLine) else line
