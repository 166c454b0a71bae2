"""The program started anew in its own place, as it was started: same process, same arguments.

Whoever watches the process, systemd or a terminal, sees it go on; what is started reads the
settings as the file has them by then, and the game from the journal. Such a start is guarded: if
it fails, or is not ready in time, the last good settings are put back and it is started anew.
"""

import logging
import os
import sys
from collections.abc import Callable, MutableMapping
from threading import Lock, Timer
from typing import Final, NoReturn, Self

import msgspec

from companion.encoding import encode_json
from companion.errors import Message, joined
from companion.runtime.console import Console
from companion.runtime.service_manager import notify, set_watchdog
from companion.runtime.stored_message import StoredMessage, restored, stored
from companion.settings.last_good import LastGood, Rejected
from hardware.pins import close_pins

READY_TIMEOUT_S: Final = 20.0
"""Seconds that a guarded start may take until it is ready."""
WATCHDOG_S: Final = READY_TIMEOUT_S + 10.0
"""Seconds after which systemd ends a program that was started anew and shows no life."""

_GUARDED: Final = "CRIBWARS_GUARDED"
_REJECTED: Final = "CRIBWARS_REJECTED"
_BACK: Final = "back on the last good settings; others: {file}"
_FIRST_OF_OURS: Final = 3
"""The first file that is neither of the three streams."""

_log = logging.getLogger(__name__)


def start_again() -> NoReturn:
    """Start the program anew, guarded; everything that was begun must have been ended."""
    close_pins()  # as gpiozero does when a program ends, which this one does not
    sys.stdout.flush()
    sys.stderr.flush()
    replace_program({_GUARDED: "1"})


def replace_program(variables: dict[str, str]) -> NoReturn:
    """Start the program anew at once, from any thread, with further environment variables."""
    notify(set_watchdog(WATCHDOG_S))
    os.closerange(_FIRST_OF_OURS, os.sysconf("SC_OPEN_MAX"))
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, **variables})  # noqa: S606  # ourselves


class StartGuard:
    """Guard of a start until it is ready; a context manager around it.

    Args:
        last_good: the settings to go back to.
        console: is told why other settings are put back.
        environment: tells whether the page asked for this start, and whether it is a return.
        watchdog: makes a timer of seconds and a call.
        replace: starts the program anew with further variables.

    `rejected` are the settings that were put aside just before this start, None if none were.
    """

    def __init__(
        self,
        last_good: LastGood,
        *,
        console: Console,
        environment: MutableMapping[str, str] = os.environ,
        watchdog: Callable[[float, Callable[[], None]], Timer] = Timer,
        replace: Callable[[dict[str, str]], None] = replace_program,
    ) -> None:
        self._last_good, self._console, self._replace = last_good, console, replace
        # Programs started from here on are not guarded for that.
        self._is_guarded = environment.pop(_GUARDED, None) is not None
        rejected = environment.pop(_REJECTED, None)
        self.rejected = _decode(rejected) if rejected else None
        self._lock = Lock()
        self._watchdog = watchdog(READY_TIMEOUT_S, self._late)
        self._watchdog.daemon = True

    @property
    def can_return(self) -> bool:
        """True if a failure now would put other settings back."""
        return self._is_guarded and self._last_good.has_others

    def __enter__(self) -> Self:
        if self._is_guarded:
            self._watchdog.start()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception):
            self._return(str(error) or type(error).__name__)
        self._disarm()

    def ready(self, *, keep: bool) -> None:
        """End the guard, and keep the settings of this start as the last good ones if asked."""
        self._disarm()
        if keep:
            self._keep(self._last_good.keep)

    def keep_changed(self) -> None:
        """Keep the settings that the file has now: all of them act, without another start."""
        self._keep(self._last_good.keep_changed)

    def _keep(self, keep: Callable[[], None]) -> None:
        try:
            keep()
        except OSError as error:
            copy = self._last_good.copy
            _log.warning(
                "%s cannot be written (%s): a failed start cannot go back", copy, error.strerror
            )

    def _disarm(self) -> None:
        with self._lock:
            self._is_guarded = False
            self._watchdog.cancel()

    def _late(self) -> None:
        self._return(Message("it was not ready within {seconds} s", f"{READY_TIMEOUT_S:g}"))

    def _return(self, reason: str) -> None:
        """Go back to the last good settings; return if there are no others to use."""
        with self._lock:
            if not self._is_guarded:
                return
            self._is_guarded = False
            try:
                aside = self._last_good.restore()
            except OSError as error:
                _log.warning("no way back to the last good settings (%s)", error)
                return
            if aside is None:
                return
            self._console.report(joined("\n", (reason, Message(_BACK, str(aside)))))
            self._replace({_REJECTED: encode_json((str(aside), stored(reason))).decode()})


def _decode(rejected: str) -> Rejected:
    """Return what the start before this one has put aside."""
    file, reason = msgspec.json.decode(rejected, type=tuple[str, str | StoredMessage])
    return Rejected(file=file, reason=restored(reason))
