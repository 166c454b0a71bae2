"""Lock of a strip's device: two programs on one strip would show each other's frames torn.

It is on the device itself, so that it holds between users and needs no file that could be left
behind: the kernel ends it with the process, however that ends. Serial ports are locked in the same
way by pyserial.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hardware.errors import END_OTHER, StripError


@contextmanager
def locked(device: Path) -> Iterator[None]:
    """Hold a device alone. One that cannot be opened is not locked: its driver says why.

    Raises:
        StripError: another program has it.
    """
    try:
        file = os.open(device, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        text = "{device} is in use by another program"
        raise StripError(text, device, remedy=END_OTHER) from None
    try:
        yield
    finally:
        os.close(file)
