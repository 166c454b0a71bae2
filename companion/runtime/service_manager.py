"""Messages to systemd, see sd_notify(3); without systemd, no message is sent."""

import asyncio
import faulthandler
import os
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from companion.errors import Text

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
FROZEN: Final = "WATCHDOG=trigger"
"""Message after which systemd acts at once as if the watchdog had expired."""
SIGNS_OF_LIFE: Final = 3  # signs sent within each time limit of systemd's watchdog
Notify = Callable[[str], None]


def notify(message: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send a message; it is lost if systemd cannot receive it."""
    address = environment.get("NOTIFY_SOCKET", "")
    if address:
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender,
        ):
            # A name that begins with "@" is in Linux's abstract namespace.
            sender.connect(f"\0{address[1:]}" if address.startswith("@") else address)
            sender.send(message.encode())


def is_service(environment: Mapping[str, str] = os.environ) -> bool:
    """Return True if systemd waits for the start of this program."""
    return "NOTIFY_SOCKET" in environment


@contextmanager
def time_limit(seconds: float, environment: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Exit with status 1 if the block takes too long, even while C code holds the interpreter.

    Before the exit, the log gets the stacks of all threads. Without systemd there is no limit.
    """
    if is_service(environment):
        faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def set_watchdog(seconds: float) -> str:
    """Return the message that sets the seconds in which systemd expects a sign of life."""
    return f"WATCHDOG_USEC={seconds * 1e6:.0f}"


def watchdog_interval(environment: Mapping[str, str] = os.environ) -> float | None:
    """Return the seconds between two signs of life, or None if systemd expects no signs."""
    microseconds = environment.get("WATCHDOG_USEC", "")
    ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(microseconds) / 1e6 / SIGNS_OF_LIFE if microseconds.isdecimal() and ours else None


async def feed_watchdog(
    interval: float,
    find_frozen: Callable[[], Text | None],
    give_up: Callable[[Text], None],
    *,
    send: Notify = notify,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Send systemd a sign of life every `interval` seconds, until a part is frozen.

    `find_frozen` returns a line about a frozen part, or None. `give_up` is called with the line
    before systemd ends the program.
    """
    send(set_watchdog(SIGNS_OF_LIFE * interval))
    while (frozen := find_frozen()) is None:
        send(ALIVE)
        await sleep(interval)
    give_up(frozen)
    send(FROZEN)
