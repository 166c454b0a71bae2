"""Messages to systemd, as sd_notify(3) has them; without it they go nowhere."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
FROZEN: Final = "WATCHDOG=trigger"
"""Tells systemd to do at once what it does when the watchdog is not fed."""

Notify = Callable[[str], None]


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a message; what systemd does not take is lost."""
    address = environment.get("NOTIFY_SOCKET", "")
    if address:
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender,
        ):
            # A name that begins with "@" is in Linux's abstract namespace.
            sender.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            sender.send(message.encode())


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds between two signs of life, None if systemd expects none."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 3e6 if microseconds.isdecimal() and ours else None


async def feed_watchdog(
    interval: float,
    find_frozen: Callable[[], str | None],
    give_up: Callable[[str], None],
    *,
    send: Notify = notify,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Show systemd that the event loop runs, until another part is frozen.

    Args:
        interval: seconds between two signs of life.
        find_frozen: returns a line about the part that is frozen, None if there is none.
        give_up: is given that line, before systemd ends the program.
        send: sends a message to systemd.
        sleep: lets seconds pass.
    """
    while (frozen := find_frozen()) is None:
        send(ALIVE)
        await sleep(interval)
    give_up(frozen)
    send(FROZEN)
