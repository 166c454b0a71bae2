"""Ctrl-C while modules are imported, when nothing could answer it.

Imported before all else: what it imports itself, an early Ctrl-C would end with a traceback.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def killed_by_interrupts() -> Iterator[None]:
    """Let Ctrl-C kill the program without a word meanwhile.

    A SIGINT that is ignored already, as by a shell for background jobs, stays ignored.
    """
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)
