"""Ctrl-C while modules are imported, when nothing could handle it.

This module is imported before all others. It imports little, as an early Ctrl-C in one of its own
imports would end with a traceback.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def killed_by_interrupts() -> Iterator[None]:
    """Let Ctrl-C kill the program without a word in this context.

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
