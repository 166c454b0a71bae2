"""The voice of a running table: its games and the tour of its lights, spoken in a thread."""

import logging
from collections.abc import Mapping
from contextlib import ExitStack

from companion.commentary import load_phrases
from companion.commentary.speech import Voice, find_voice
from companion.errors import Message
from companion.settings.load import Settings
from companion.table import Table
from companion.table.announcer import Announcer, VoiceLevel

NO_VOICE = Message('nothing is said aloud: install espeak-ng, or set voice = "off"')

_log = logging.getLogger(__name__)


def open_voice(
    settings: Settings, table: Table, names: Mapping[int, str], opened: ExitStack
) -> str | None:
    """Speak of a table until `opened` ends. Return a notice if that was asked for and cannot be.

    The tour is spoken if the game or the demo is.
    """
    level = VoiceLevel(settings.text("", "voice"))
    expected = level is not VoiceLevel.OFF
    if not (expected or settings.switch("demo", "voice")):
        return None
    speaker = find_voice()
    if speaker is None:
        return NO_VOICE if expected else None
    phrases = load_phrases(settings.text("", "language"))
    trouble = table.notices.say if expected else _log.info
    voice = Voice(speaker, phrases.voice, clock=table.clock, on_trouble=trouble)
    opened.callback(voice.close)
    announcer = Announcer(table, phrases, names, level=level, say=voice.say)
    opened.callback(announcer.close)
    return None
