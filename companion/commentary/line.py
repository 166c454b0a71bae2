"""Lines of commentary that each reader gets in words of one's own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.commentary.commentator import Commentator


@dataclass(frozen=True, slots=True)
class CommentaryLine:
    """Line of commentary: its `text` for one commentator; `say` returns it in any one's words.

    A line that was read from a file has its text alone.
    """

    text: str
    say: Callable[[Commentator], str] | None = None

    def in_words(self, words: Commentator | None) -> str:
        return self.say(words) if self.say and words else self.text


NO_LINE: Final = CommentaryLine("")
