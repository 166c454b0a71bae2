"""The voice of a running table, which speaks about games and about the tour of the lights."""

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from enum import StrEnum

from companion.commentary import Commentator, Phrases, load_phrases
from companion.commentary.speech import Voice, find_voice
from companion.devices.live import InForce, LiveSettings
from companion.errors import Text
from companion.journal.resume import Accepted
from companion.lights.scene.tour import TourSign
from companion.rules.game import Setup, State
from companion.table import Table

NO_VOICE = Text('nothing is said aloud: install espeak-ng, or set voice = "off"')

_log = logging.getLogger(__name__)


class VoiceLevel(StrEnum):
    """Level of the commentary: nothing, highlights such as landings in zones, or every command."""

    OFF = "off"
    SHORT = "short"
    FULL = "full"


class Announcer:
    """Announcer of commands and of the tour's signs; it calls `say` in the table's event loop."""

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


def open_voice(live: LiveSettings, table: Table, opened: ExitStack) -> Text | None:
    """Speak about a table until `opened` ends; return a notice if the wanted voice is missing.

    The tour shows each sign of the lights in turn. It is spoken if the voice is on for the game or
    for the demo. If a voice setting, the language or a name changes, the current line is cut off.
    """
    speaking = opened.enter_context(ExitStack())

    def follow(before: InForce) -> None:
        if _of_voice(before) != _of_voice(live.now):
            speaking.close()
            notice = _speak(live.now, table, speaking)
            if notice:
                table.notices.say(notice)

    live.changed.subscribe(follow)
    return _speak(live.now, table, speaking)


def _of_voice(now: InForce) -> tuple[object, ...]:
    settings = now.settings
    return settings.voice, settings.demo.voice, settings.language, now.names


def _speak(now: InForce, table: Table, speaking: ExitStack) -> Text | None:
    """Speak about a table until `speaking` ends; return a notice as `open_voice` does."""
    level = VoiceLevel(now.settings.voice)
    expected = level is not VoiceLevel.OFF
    if not (expected or now.settings.demo.voice):
        return None
    speaker = find_voice()
    if speaker is None:
        return NO_VOICE if expected else None
    phrases = load_phrases(now.settings.language)
    trouble = table.notices.say if expected else _log.info
    voice = Voice(speaker, phrases.say("voice"), clock=table.clock, on_trouble=trouble)
    speaking.callback(voice.close)
    announcer = Announcer(table, phrases, now.names, level=level, say=voice.say)
    speaking.callback(announcer.close)
    return None
