"""A silent end of the program if Ctrl-C is pressed while it still imports its modules.

This module is imported before all others. It imports little, because a Ctrl-C during its own
imports would end with a traceback.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def killed_by_interrupts() -> Iterator[None]:
    """Let Ctrl-C kill the program silently in this context.

    If SIGINT is ignored already, for example in a background job of a shell, it stays ignored.
    """
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)
