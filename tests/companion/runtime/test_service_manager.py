"""Notifications to systemd over a real socket, as in sd_notify(3)."""

import asyncio
import os
import socket
from pathlib import Path

from companion.errors import Text
from companion.runtime.service_manager import feed_watchdog, notify, watchdog_interval


def test_a_message_is_one_datagram(tmp_path: Path) -> None:
    """It reaches the socket that systemd names, a file or an abstract one."""
    for address in (f"{tmp_path}/notify", f"@cribwars-test-{os.getpid()}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(address.replace("@", "\0"))
            notify("READY=1", {"NOTIFY_SOCKET": address})
            assert b"READY=1" == systemd.recv(100)


def test_nobody_listens(tmp_path: Path) -> None:
    """Without systemd or its socket, nothing happens."""
    notify("READY=1", {})
    notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "gone")})


def test_three_signs_of_life_in_the_time_of_one() -> None:
    """The interval is a third of systemd's; another process's watchdog is ignored."""
    usec = {"WATCHDOG_USEC": "15000000"}
    assert watchdog_interval({}) is watchdog_interval(usec | {"WATCHDOG_PID": "1"}) is None
    own = usec | {"WATCHDOG_PID": str(os.getpid())}
    assert 5.0 == watchdog_interval(usec) == watchdog_interval(own)


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
