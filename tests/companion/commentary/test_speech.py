"""The voice uses a speech program without anybody waiting for it."""

import os
import time
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from companion.commentary.speech import LATE_S, Voice, find_voice
from tests.support.limits import TIMEOUT_S

STARTED = """#!/bin/sh
printf '%s\\n' $$ "$@" > "{folder}/heard"
"""
"""Tells that it has started and what it was given, and waits until somebody has read that."""
UNTIL_TOLD = STARTED + 'read -r code < "{folder}/go"\nexit "$code"\n'
"""Then speaks until it is told to end, with a code."""


class Speaker:
    """A speech program controlled by the test; `heard` waits for its next line."""

    def __init__(self, folder: Path, script: str = UNTIL_TOLD) -> None:
        self._folder = folder
        for name in ("heard", "go"):
            os.mkfifo(folder / name)
        self.program = write_program(folder / "speak", script.format(folder=folder))

    def heard(self) -> tuple[int, list[str]]:
        """Wait for the process that has started to speak. Return it with its arguments."""
        number, *arguments = (self._folder / "heard").read_text().splitlines()
        return int(number), arguments

    def line(self) -> str:
        """Return the line that it has started to speak."""
        return self.heard()[1][-1]

    def end(self, code: int = 0) -> None:
        """Let it finish its line."""
        (self._folder / "go").write_text(f"{code}\n")


def write_program(path: Path, script: str) -> str:
    """Write a program of a few lines of shell."""
    path.write_text(script)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def speaker(tmp_path: Path) -> Speaker:
    """Return a speech program controlled by the test."""
    return Speaker(tmp_path)


Troubles = Queue[str]
Speaks = Callable[..., Voice]


@pytest.fixture
def voice_of() -> Iterator[Speaks]:
    """Return voices that are closed at the end of the test."""
    voices: list[Voice] = []

    def make(
        program: str,
        language: str = "en",
        clock: Callable[[], float] = time.monotonic,
        **settings: Any,  # noqa: ANN401  # a voice's own
    ) -> Voice:
        voices.append(Voice(program, language, clock=clock, **{"on_trouble": print, **settings}))
        return voices[-1]

    yield make
    for voice in voices:
        voice.close()


@pytest.fixture
def troubles() -> Troubles:
    """Return the troubles that a voice reports."""
    return Queue()


def gone(process: int) -> bool:
    """Return True if no such process exists any more."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_line_is_said_in_the_language(speaker: Speaker, voice_of: Speaks) -> None:
    """The program gets voice and line, as one argument that is never an option."""
    voice = voice_of(speaker.program, "fr")
    voice.say("-w n'est rien; `rien`")
    assert ["-v", "fr", "--", "-w n'est rien; `rien`"] == speaker.heard()[1]


def test_one_line_at_a_time(speaker: Speaker, voice_of: Speaks) -> None:
    """The next line begins when the one before it has ended, in order."""
    voice = voice_of(speaker.program)
    voice.say("one")
    assert "one" == speaker.line()
    voice.say("two")
    voice.say("three")
    speaker.end()
    assert "two" == speaker.line()
    speaker.end()
    assert "three" == speaker.line()


def test_the_oldest_is_left_out(speaker: Speaker, voice_of: Speaks) -> None:
    """Two lines may wait for the present one; a third replaces the oldest."""
    voice = voice_of(speaker.program)
    voice.say("now")
    assert "now" == speaker.line()
    for line in ("one", "two", "three", "four"):
        voice.say(line)
    speaker.end()
    assert "three" == speaker.line()
    speaker.end()
    assert "four" == speaker.line()


def test_nothing_is_not_said(speaker: Speaker, voice_of: Speaks) -> None:
    """An empty line starts no program."""
    voice = voice_of(speaker.program)
    voice.say("")
    voice.say("one")
    assert "one" == speaker.line()


def test_closing_ends_it_in_the_middle(
    speaker: Speaker, voice_of: Speaks, troubles: Troubles
) -> None:
    """A closed voice is silent at once, in the middle of a line and of the queue."""
    voice = voice_of(speaker.program, on_trouble=lambda text: troubles.put(str(text)))
    voice.say("one")
    process, _ = speaker.heard()
    voice.say("two")
    voice.close()
    assert gone(process)
    voice.say("three")
    voice.close()
    assert troubles.empty()


def test_closing_with_nothing_to_say(speaker: Speaker) -> None:
    """A voice that never spoke can be closed as well."""
    Voice(speaker.program, "en", clock=time.monotonic, on_trouble=print).close()


def test_a_program_that_is_not_there(tmp_path: Path, voice_of: Speaks, troubles: Troubles) -> None:
    """Nothing waits for a missing program, which is reported once."""
    missing = str(tmp_path / "missing")
    voice = voice_of(missing, on_trouble=lambda text: troubles.put(str(text)))
    voice.say("one")
    reported = troubles.get(timeout=TIMEOUT_S)
    assert reported.startswith(f"{missing}: could not be started (")
    voice.say("two")
    voice.say("no\0thing")
    assert "null byte" in troubles.get(timeout=TIMEOUT_S)


def test_a_line_that_no_program_can_take(speaker: Speaker, voice_of: Speaks) -> None:
    """A line that cannot be an argument is skipped."""
    voice = voice_of(speaker.program)
    voice.say("no\0thing")
    voice.say("one")
    assert "one" == speaker.line()


def test_a_program_that_fails(speaker: Speaker, voice_of: Speaks, troubles: Troubles) -> None:
    """An exit code other than 0 is reported, again after a success in between."""
    voice = voice_of(speaker.program, on_trouble=lambda text: troubles.put(str(text)))
    trouble = f"{speaker.program}: ended with 3: try it by hand"
    for code in (3, 3, 0):
        voice.say("one")
        speaker.heard()
        speaker.end(code)
    voice.say("two")
    speaker.heard()
    assert [trouble] == [troubles.get_nowait() for _ in range(troubles.qsize())]
    speaker.end(3)
    assert trouble == troubles.get(timeout=TIMEOUT_S)


def test_a_machine_without_sound(tmp_path: Path, voice_of: Speaks, troubles: Troubles) -> None:
    """An error output of espeak-ng is a trouble, despite its exit code 0."""
    script = "#!/bin/sh\necho 'ALSA lib: no card' >&2\necho 'error: No such file' >&2\n"
    program = write_program(tmp_path / "speak", script)
    voice_of(program, on_trouble=lambda text: troubles.put(str(text))).say("one")
    reported = troubles.get(timeout=TIMEOUT_S)
    assert reported.startswith(f"{program}: cannot open a sound device (No such file): ")


def test_a_program_that_never_ends(speaker: Speaker, voice_of: Speaks, troubles: Troubles) -> None:
    """A program that holds a line too long is ended."""
    voice = voice_of(
        speaker.program, on_trouble=lambda text: troubles.put(str(text)), timeout_s=0.0
    )
    voice.say("one")
    reported = f"{speaker.program}: took more than 0 s for a line: check the loudspeaker"
    assert reported == troubles.get(timeout=TIMEOUT_S)


def test_the_better_program_is_found(tmp_path: Path) -> None:
    """espeak-ng is preferred to espeak; without either there is no voice."""
    assert find_voice(str(tmp_path)) is None
    old = write_program(tmp_path / "espeak", "#!/bin/sh\n")
    assert old == find_voice(str(tmp_path))
    new = write_program(tmp_path / "espeak-ng", "#!/bin/sh\n")
    assert new == find_voice(str(tmp_path))


@pytest.mark.tool(lacks="" if find_voice() else "needs the package espeak-ng")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_real_program_speaks(tmp_path: Path, voice_of: Speaks, language: str) -> None:
    """The program espeak-ng has each language's voice and makes sound."""
    program = find_voice()
    script = f'#!/bin/sh\n"{program}" -w "{{folder}}/said.wav" "$@"\necho $? > "{{folder}}/heard"\n'
    speaker = Speaker(tmp_path, script)
    voice_of(speaker.program, language).say("Amber, 62")
    assert (0, []) == speaker.heard()
    with wave.open(str(tmp_path / "said.wav")) as said:
        assert said.getnframes() > said.getframerate() / 2


def test_what_comes_too_late_is_left_out(speaker: Speaker, voice_of: Speaks) -> None:
    """A line that has waited longer than `LATE_S` is skipped, a fresh one is not."""
    now = [100.0]
    voice = voice_of(speaker.program, clock=lambda: now[0])
    voice.say("now")
    assert "now" == speaker.line()
    voice.say("late")
    now[0] += LATE_S + 1
    voice.say("fresh")
    speaker.end()
    assert "fresh" == speaker.line()
