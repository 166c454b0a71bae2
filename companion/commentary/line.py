"""Lines of commentary that can be repeated in the words of another commentator."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.commentary.commentator import Commentator


@dataclass(frozen=True, slots=True)
class CommentaryLine:
    """Line of commentary: `text` is one commentator's; `say` returns the line of any commentator.

    A line that was read from a file has no `say`.
    """

    text: str
    say: Callable[[Commentator], str] | None = None

    def in_words(self, words: Commentator | None) -> str:
        return self.say(words) if self.say and words else self.text


NO_LINE: Final = CommentaryLine("")
