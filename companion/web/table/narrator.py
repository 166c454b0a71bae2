"""The running table in words, for the pages of one language."""

from collections.abc import Mapping

from companion.commentary import Commentator, load_phrases
from companion.rules.game import Setup
from companion.table import Accepted, Table
from companion.table.hints import Hint
from companion.web.table import responses
from companion.web.table.serialize import events_value


class Narrator:
    """Narrator of the running table in one language."""

    def __init__(self, table: Table, names: Mapping[int, str], language: str) -> None:
        self._table, self._names, self._language = table, names, language
        self._commentator: Commentator | None = None
        self._accepted: tuple[Accepted, ...] = ()
        self._entries: tuple[responses.EntryResponse, ...] = ()

    def commentator(self, setup: Setup) -> Commentator:
        """Return a commentator of a set-up, the last one again if it is of that."""
        commentator = self._commentator
        if commentator is None or commentator.setup is not setup:
            commentator = Commentator.make(self._language, self._names, setup)
            self._commentator = commentator
        return commentator

    def entries(self) -> tuple[responses.EntryResponse, ...]:
        """Return the last accepted commands; the same sequence until a change."""
        accepted = self._table.accepted
        if accepted != self._accepted:
            made = {entry.seq: entry for entry in self._entries}
            self._entries = tuple(made.get(each.seq) or self._entry(each) for each in accepted)
            self._accepted = accepted
        return self._entries

    def _entry(self, accepted: Accepted) -> responses.EntryResponse:
        """Return an accepted command with the line of a commentator of its set-up."""
        entry, undone = accepted.entry, accepted.undone
        return responses.EntryResponse(
            seq=accepted.seq,
            line=self.commentator(entry.state.setup).entry(entry, undone=undone),
            events=events_value(entry.events),
            undone=events_value(undone),
        )

    def hint(self, hint: Hint) -> str:
        if hint.error:
            return load_phrases(self._language).refusal(hint.error, self._names)
        words = self.commentator(self._table.news.view.state.setup)
        return words.hint(hint.kind, side=hint.side, button=hint.button)
