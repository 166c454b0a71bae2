"""The voice of a running table: its games and the tour of its lights, spoken in a thread."""

import logging
from contextlib import ExitStack

from companion.commentary import load_phrases
from companion.commentary.speech import Voice, find_voice
from companion.devices.live_settings import InForce, LiveSettings
from companion.errors import Text
from companion.table import Table
from companion.table.announcer import Announcer, VoiceLevel

NO_VOICE = Text('nothing is said aloud: install espeak-ng, or set voice = "off"')

_log = logging.getLogger(__name__)


def open_voice(live: LiveSettings, table: Table, opened: ExitStack) -> Text | None:
    """Speak of a table until `opened` ends. Return a notice if the settings' voice is missing.

    The tour is spoken if the game or the demo is. A line that is being spoken ends when the level,
    the language or a name changes.
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
    return settings.voice, settings.demo.voice, now.language, now.names


def _speak(now: InForce, table: Table, speaking: ExitStack) -> Text | None:
    """Speak of a table until `speaking` ends. Return a notice as `open_voice` does."""
    level = VoiceLevel(now.settings.voice)
    expected = level is not VoiceLevel.OFF
    if not (expected or now.settings.demo.voice):
        return None
    speaker = find_voice()
    if speaker is None:
        return NO_VOICE if expected else None
    phrases = load_phrases(now.language)
    trouble = table.notices.say if expected else _log.info
    voice = Voice(speaker, phrases.voice, clock=table.clock, on_trouble=trouble)
    speaking.callback(voice.close)
    announcer = Announcer(table, phrases, now.names, level=level, say=voice.say)
    speaking.callback(announcer.close)
    return None
