"""The tests in here need an emulator, and skip with the name of what is missing."""

from __future__ import annotations

import pytest

from tests.support import simavr_harness


@pytest.fixture(scope="session")
def emulator() -> None:
    """Skip if boards cannot be emulated on this machine."""
    lack = simavr_harness.missing()
    if lack:
        pytest.skip(lack)
