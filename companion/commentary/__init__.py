"""Commentary on the events of the table, in each language that has a catalogue."""

from companion.commentary.commentator import NO_LINE, CommentaryLine, Commentator
from companion.commentary.phrases import PageWords, Phrases, languages, load_catalogue, load_phrases

__all__ = [
    "NO_LINE",
    "CommentaryLine",
    "Commentator",
    "PageWords",
    "Phrases",
    "languages",
    "load_catalogue",
    "load_phrases",
]
