"""The commentator: what happens at the table in words, in any language that has a file."""

from companion.commentary.commentator import Commentator
from companion.commentary.line import CommentaryLine, translated
from companion.commentary.phrase_file import Phrases, languages, load_phrases, parse_phrases

__all__ = [
    "CommentaryLine",
    "Commentator",
    "Phrases",
    "languages",
    "load_phrases",
    "parse_phrases",
    "translated",
]
