"""The program started anew in its own place, as it was started: same process, same arguments.

Whoever watches the process, systemd or a terminal, sees it go on; what is started reads the
settings as the file has them by then, and the game from the journal.
"""

from __future__ import annotations

import os
import sys
from typing import Final, NoReturn

from hardware.buttons import close_pins

_FIRST_OF_OURS: Final = 3
"""The first file that is neither of the three streams."""


def start_again() -> NoReturn:
    """Be started anew; everything that was begun must have been ended."""
    close_pins()  # as gpiozero does when a program ends, which this one does not
    sys.stdout.flush()
    sys.stderr.flush()
    os.closerange(_FIRST_OF_OURS, os.sysconf("SC_OPEN_MAX"))
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  # ourselves
