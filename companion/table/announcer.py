"""Announcer of a table: its acknowledged commands and the signs of a tour, as lines to speak."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from companion.commentary import Commentator, Phrases
from companion.journal.resume import Accepted
from companion.lights.scene.tour import TourSign
from companion.rules.game import Setup, State
from companion.table.table import Table


class VoiceLevel(StrEnum):
    """Amount of a game that is spoken: nothing, landings and ends of games, or every command."""

    OFF = "off"
    SHORT = "short"
    FULL = "full"


class Announcer:
    """Announcer of a table, for use in its event loop; it calls `say` with each line."""

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
        self._sign: TourSign | None = None
        self._leave = (
            table.changed.subscribe(self._follow_tour),
            table.queue.acknowledged.subscribe(self._announce),
        )

    def close(self) -> None:
        for leave in self._leave:
            leave()

    def _follow_tour(self) -> None:
        sign = self._table.display.sign
        if sign is not self._sign:
            self._sign = sign
            if sign:
                self._say(self._commentator(self._table.queue.shown.setup).sign(sign))

    def _announce(self, _before: State, accepted: Accepted) -> None:
        commentator = self._commentator(accepted.entry.state.setup)
        if self._level is VoiceLevel.FULL:  # without OFF
            self._say(commentator.entry(accepted.entry, undone=accepted.undone))
        elif self._level is VoiceLevel.SHORT:
            self._say(commentator.highlights(accepted.entry))

    def _commentator(self, setup: Setup) -> Commentator:
        return Commentator.speaking(self._phrases, self._names, setup)
