"""Another user, for the tests of what a user may not read or write."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NOBODY: Final = 54321
"""A user without files, home or name."""


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be a user whom file modes bind: another than root until the block ends, else oneself.

    Nothing can be imported meanwhile, since the checkout may be closed to that user.
    """
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)
