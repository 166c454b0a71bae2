"""Speech output of the commentator: a thread gives lines to a speech program, one at a time.

If lines come faster than they are spoken, the oldest waiting lines are dropped.
"""

import re
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Callable

from companion.errors import Text, joined

PROGRAMS = ("espeak-ng", "espeak")  # names of speech programs, the better one first
MOST_QUEUED_LINES = 2  # most waiting lines; a further line replaces the oldest
LATE_S = 6.0  # seconds after which a waiting line is skipped
LINE_TIMEOUT_S = 60.0
"""Longest time for a line; a program that takes longer is stuck in the sound driver."""

_NO_SOUND = re.compile(r"(?m)^error: (.+)$")
"""Output of espeak-ng without a sound device; its exit status is 0 even then."""

_CLOSE_TIMEOUT_S = 0.5  # a speech program stuck in the sound driver must not delay our exit


def find_voice(path: str | None = None) -> str | None:
    """Return the speech program of this machine; `path` replaces `PATH`."""
    found = (shutil.which(program, path=path) for program in PROGRAMS)
    return next((program for program in found if program), None)


class Voice:
    """Speech program with a thread of its own.

    Args:
        language: the program's name for the language, such as `en`.
        clock: monotonic seconds.
        on_trouble: called in the thread with the reason why a line could not be spoken; while
            the same reason repeats, it is reported once.
        timeout_s: seconds after which the program is killed.
    """

    def __init__(
        self,
        program: str,
        language: str,
        *,
        clock: Callable[[], float],
        on_trouble: Callable[[Text], None],
        timeout_s: float = LINE_TIMEOUT_S,
    ) -> None:
        # After "--", a line that begins with a hyphen is not read as an option.
        self._command = (program, "-v", language, "--")
        self._on_trouble = on_trouble
        self._timeout_s, self._clock = timeout_s, clock
        self._waiting: deque[tuple[float, str]] = deque(maxlen=MOST_QUEUED_LINES)
        self._changed = threading.Condition()
        self._closed = False
        self._speaking: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._work, name="voice", daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        with self._changed:
            if line and not self._closed:
                self._waiting.append((self._clock() + LATE_S, line))
                self._changed.notify()

    def close(self) -> None:
        """Stop speaking at once, even within a word."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            if self._speaking:
                self._speaking.kill()
        self._thread.join(_CLOSE_TIMEOUT_S)

    def _work(self) -> None:
        known: Text | None = None
        while (line := self._next()) is not None:
            trouble = self._failure_of(line)
            if trouble and trouble != known and not self._closed:
                self._on_trouble(joined(": ", (self._command[0], trouble)))
            known = trouble

    def _next(self) -> str | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._in_time())
            return None if self._closed else self._waiting.popleft()[1]

    def _in_time(self) -> bool:
        """Drop the lines that are too late; return True if a line is left."""
        while self._waiting and self._waiting[0][0] < self._clock():
            self._waiting.popleft()
        return bool(self._waiting)

    def _failure_of(self, line: str) -> Text | None:
        try:
            code, said = self._speak(line)
        except (OSError, ValueError) as error:
            return Text("could not be started ({error}): check that it runs", error=error)
        except subprocess.TimeoutExpired:
            text = "took more than {seconds} s for a line: check the loudspeaker"
            return Text(text, seconds=f"{self._timeout_s:g}")
        if code:
            return Text("ended with {code}: try it by hand", code=code)
        if silent := _NO_SOUND.search(said):
            text = "cannot open a sound device ({reason}): `cribwars doctor` names the missing part"
            return Text(text, reason=silent[1])
        return None

    def _speak(self, line: str) -> tuple[int, str]:
        quiet = subprocess.DEVNULL
        command = (*self._command, line)
        # No pipe: a server of the sound library may outlive the program and keep the pipe open.
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=said) as speaking,  # noqa: S603  # no shell reads the line
        ):
            self._started(speaking)
            try:
                code = speaking.wait(self._timeout_s)
            finally:
                speaking.kill()
                with self._changed:
                    self._speaking = None
            said.seek(0)
            return code, said.read().decode(errors="replace")

    def _started(self, speaking: subprocess.Popen[bytes]) -> None:
        """Keep the process for `close`; kill it now if the voice is already closed."""
        with self._changed:
            self._speaking = speaking
            if self._closed:
                speaking.kill()
