"""Announcer of a table: its acknowledged commands and the signs of a tour, as lines to speak."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from companion.commentary import Commentator, Phrases
from companion.journal.resume import Accepted
from companion.lights.scene.tour import TourSign
from companion.rules.game import Setup
from companion.table.table import Table


class VoiceLevel(StrEnum):
    """Amount of a game that is spoken: nothing, landings and ends of games, or every command."""

    OFF = "off"
    SHORT = "short"
    FULL = "full"


class Announcer:
    """Announcer of a table, for use in its event loop; `say` is given each line from now on."""

    def __init__(
        self,
        table: Table,
        phrases: Phrases,
        names: Mapping[int, str],
        *,
        level: VoiceLevel,
        say: Callable[[str], None],
    ) -> None:
        self._table, self._phrases, self._names = table, phrases, names
        self._level, self._say = level, say
        self._seq = table.news.seq
        self._sign: TourSign | None = None
        self.close = table.changed.subscribe(self._follow)

    def _follow(self) -> None:
        news = self._table.news
        if news.seq != self._seq:
            new = [each for each in self._table.queue.accepted if each.seq > self._seq]
            self._seq = news.seq
            for accepted in new:
                self._announce(accepted)
        if news.sign is not self._sign:
            self._sign = news.sign
            if news.sign:
                self._say(self._commentator(news.view.state.setup).sign(news.sign))

    def _announce(self, accepted: Accepted) -> None:
        commentator = self._commentator(accepted.entry.state.setup)
        if self._level is VoiceLevel.FULL:  # without OFF
            self._say(commentator.entry(accepted.entry, undone=accepted.undone))
        elif self._level is VoiceLevel.SHORT:
            self._say(commentator.highlights(accepted.entry))

    def _commentator(self, setup: Setup) -> Commentator:
        return Commentator.speaking(self._phrases, self._names, setup)
