"""Another user, for tests of files that a user may not read or write."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NOBODY: Final = 54321
"""A user without files, home or name."""


@contextmanager
def as_nobody() -> Iterator[None]:
    """Become a user who is bound by file modes: root becomes another user until the block ends.

    Nothing can be imported meanwhile, since that user may be unable to read the checkout.
    """
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
