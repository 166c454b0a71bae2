"""Machines with the installed package, for the stories of this folder."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.machine import Appliance, booted, built

RELEASES = os.environ.get("RELEASES", "bookworm trixie").split()


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    """Return the release of a machine."""
    return str(request.param)


@pytest.fixture(scope="module")
def package(release: str) -> Path:
    """Return the package of the release for this processor."""
    return built(release)


@pytest.fixture
def port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def machine(release: str, package: Path, port: int, tmp_path: Path) -> Iterator[Appliance]:
    """Return a machine on which the package was just installed."""
    with booted(release, tmp_path, port) as machine:
        machine.install(package)
        yield machine
