"""How late Linux may end a sleep: by default up to 50 microseconds, so that it wakes less often."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SET_TIMER_SLACK: Final = 29  # PR_SET_TIMERSLACK of prctl; 0 restores the default


@contextmanager
def timer_slack(nanoseconds: int) -> Iterator[None]:
    """Let sleeps of this thread be late by so much in the block; threads that start there keep it.

    It does nothing on a system that is not Linux.
    """
    _set_slack(nanoseconds)
    try:
        yield
    finally:
        _set_slack(0)


def _set_slack(nanoseconds: int) -> None:
    if sys.platform == "linux":
        ctypes.pythonapi.prctl(_SET_TIMER_SLACK, ctypes.c_ulong(nanoseconds))
