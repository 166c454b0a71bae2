"""Pis with the installed package, for the stories of this folder."""

from pathlib import Path

import pytest

from tests.appliance.machine import built
from tests.pi.machine import CARD, installed_card, started_pi
from tests.pi.parts import RELEASE, layer


@pytest.fixture(scope="session")
def installed() -> Path:
    """Return the card on which the package of this tree is installed."""
    return installed_card(built(RELEASE, "arm64"))


@pytest.fixture(scope="session")
def started() -> Path:
    """Return the folder of a Pi with that package that has started."""
    return started_pi(built(RELEASE, "arm64"))


@pytest.fixture
def card(installed: Path, tmp_path: Path) -> Path:
    """Return a card of the test's own, as it was after the installation."""
    return layer(installed, tmp_path / CARD)
