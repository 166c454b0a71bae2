"""Notifications to systemd over a real socket, as in sd_notify(3)."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from companion.errors import Text
from companion.runtime.service_manager import feed_watchdog, notify, watchdog_interval


@pytest.mark.parametrize("name", ["{folder}/notify", "@cribwars-test-{pid}"])
def test_a_message_is_one_datagram(tmp_path: Path, name: str) -> None:
    """It reaches the socket that systemd names, a file or an abstract one."""
    address = name.format(folder=tmp_path, pid=os.getpid())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address.replace("@", "\0"))
        notify("READY=1", {"NOTIFY_SOCKET": address})
        assert b"READY=1" == systemd.recv(100)


def test_nobody_listens(tmp_path: Path) -> None:
    """Without systemd or its socket, nothing happens."""
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "15000000"}, 5.0),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": str(os.getpid())}, 5.0),
    ],
)
def test_three_signs_of_life_in_the_time_of_one(
    environment: dict[str, str], seconds: float | None
) -> None:
    """The interval is a third of systemd's; another process's watchdog is ignored."""
    assert seconds == watchdog_interval(environment)


def test_a_frozen_part_ends_the_signs_of_life() -> None:
    """The reason is recorded first, then systemd must act at once."""
    said: list[object] = []
    stuck = Text("the strip is stuck")
    answers = iter([None, None, stuck])

    async def sleep(seconds: float) -> None:
        said.append(f"{seconds:g} s")

    asyncio.run(
        feed_watchdog(5.0, lambda: next(answers), said.append, send=said.append, sleep=sleep)
    )
    expected = [
        "WATCHDOG_USEC=15000000",
        "WATCHDOG=1",
        "5 s",
        "WATCHDOG=1",
        "5 s",
        stuck,
        "WATCHDOG=trigger",
    ]
    assert expected == said
