"""Restart of the program in the same process, with the same arguments.

The parent process, systemd or a terminal, does not notice. The new program reads settings and game
from the files again. Changed settings are on probation until the program has run well with them
(see `settings.probation`), and a start with such settings is an attempt. If an attempt fails, or is
not ready after 20 s, the program is restarted without these settings.
"""

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock, Timer
from typing import Final, NoReturn, Self

from msgspec.structs import replace

from companion.errors import NO_TEXT, Text, as_text, joined
from companion.runtime.log import Console
from companion.runtime.service_manager import notify, set_watchdog
from companion.settings.probation import (
    Probation,
    StartStep,
    TakenBack,
    attempt_of,
    changes_of,
    load_probation,
    save_probation,
    take_back,
)
from companion.settings.schema import split_key
from hardware.pins import close_pins

READY_TIMEOUT_S: Final = 20.0  # seconds within which an attempt must be ready
WATCHDOG_S: Final = READY_TIMEOUT_S + 10.0
"""Seconds in which systemd expects a sign of life from a restarted program."""

_UNKNOWN: Final = Text("the table ended within a minute of its start with the new settings")
_TAKEN_BACK: Final = "the earlier settings are in force again, without these changes: {values}"
_NOT_WRITTEN: Final = "the probation of changed settings cannot be written (%s)"
_FIRST_OF_OURS: Final = 3  # the first file descriptor after stderr
_log = logging.getLogger(__name__)


def start_again() -> NoReturn:
    """Restart the program; all its parts must be closed."""
    close_pins()  # gpiozero does this only when a process ends
    sys.stdout.flush()
    sys.stderr.flush()
    replace_program()


def replace_program() -> NoReturn:
    """Restart the program at once, from any thread."""
    notify(set_watchdog(WATCHDOG_S))
    os.closerange(_FIRST_OF_OURS, os.sysconf("SC_OPEN_MAX"))
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], os.environ)  # noqa: S606  # this program


class StartGuard:
    """Context manager around a start; it takes changed settings back if an attempt fails.

    Args:
        page: the settings file that the web page writes; None if no such file is used.
        why: the reason why the last start failed, if it is known.
        console: writer of the lines about settings that are taken back.
        watchdog: makes a timer from seconds and a function.
        restart: restarts the program.

    Attributes:
        taken_back: the settings that were taken back just before this start, or None.
        tried: tables of the settings file, such as [strip], with settings on probation; the start
            must fail if a part that such a table sets up fails.
    """

    def __init__(
        self,
        page: Path | None,
        why: Text = NO_TEXT,
        *,
        console: Console | None = None,
        watchdog: Callable[[float, Callable[[], None]], Timer] = Timer,
        restart: Callable[[], None] = replace_program,
    ) -> None:
        self._page, self._console, self._restart = page, console or Console(), restart
        self.taken_back: TakenBack | None = None
        self.tried: frozenset[str] = frozenset()
        self._lock = Lock()
        self._watchdog = watchdog(READY_TIMEOUT_S, self._late)
        self._watchdog.daemon = True
        self._is_attempt = self._is_ready = False
        if page:
            try:
                self._begin(page, why)
            except OSError as error:
                _log.warning(_NOT_WRITTEN, error)

    def _begin(self, page: Path, why: Text) -> None:
        step, probation = attempt_of(page)
        if not probation or step is StartStep.START:
            return
        if step is StartStep.ATTEMPT:
            self._is_attempt = True
            self.tried = frozenset(split_key(key)[0] for key in changes_of(page, probation))
        elif step is StartStep.TAKE_BACK:
            reason = probation.reason or why or _UNKNOWN
            self.taken_back = take_back(page, replace(probation, reason=reason))
            text = Text(_TAKEN_BACK, values=joined(", ", self.taken_back.values))
            self._console.report(joined("\n", (self.taken_back.reason, text)))

    def __enter__(self) -> Self:
        if self._is_attempt:
            self._watchdog.start()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception):
            self._fail(as_text(error) or as_text(type(error).__name__))
        self._settle(lambda probation: replace(probation, attempted=False))

    def ready(self) -> None:
        self._is_ready = True
        self._watchdog.cancel()

    def prove(self) -> None:
        """End the probation if the program is ready; called by the web page, and after a minute."""
        if self._is_ready:
            self._settle(lambda _: None)

    def _late(self) -> None:
        self._fail(
            Text("the table was not ready within {seconds} s", seconds=f"{READY_TIMEOUT_S:g}")
        )

    def _fail(self, reason: Text) -> None:
        """If this start is an attempt, restart the program, which then takes the settings back."""
        if self._settle(lambda probation: replace(probation, reason=reason)):
            self._restart()

    def _settle(self, after: Callable[[Probation], Probation | None]) -> bool:
        """End an attempt and save `after(probation)`; return False if there is no attempt."""
        with self._lock:
            self._watchdog.cancel()
            was_attempt, self._is_attempt = self._is_attempt, False
            probation = load_probation(self._page) if was_attempt and self._page else None
            # If `attempted` is False, the settings were changed again after this attempt began.
            if self._page and probation and probation.attempted:
                try:
                    save_probation(self._page, after(probation))
                except OSError as error:
                    _log.warning(_NOT_WRITTEN, error)
            return was_attempt
