"""The messages of a board for scripted dialogues, byte by byte as in firmware/PROTOCOL.md."""

from collections.abc import Sequence

from tests.support import slow_frames as wire
from tests.support.slow_frames import frame, packed

SESSION = 0x12345678
BOOT = 0xCAFE0007

Events = Sequence[tuple[int, bool, int]]


def counters(*, shown: int = 0, lost: int = 0, overruns: int = 0) -> bytes:
    """Return the counters."""
    numbers = (0, 1, 0, overruns, lost, 0)
    return packed(shown, 4) + b"".join(packed(each, 2) for each in numbers)


def info(
    *,
    session: int = SESSION,
    boot: int = BOOT,
    clock: int = 1500,
    protocol: int = 1,
    protocols: tuple[int, int] = (1, 1),
    credit: int = 1,
    pixel_bytes: int = 1800,
    formats: int = 1,
    buttons: int = 14,
    down: int = 0,
    sequence: int = 0,
    lost: int = 0,
    name: bytes = b"Arduino Uno",
) -> bytes:
    """Return an INFO message."""
    payload = packed(clock, 4) + packed(session, 4) + bytes(protocols) + packed(boot, 4)
    payload += bytes([1, 0, 0, credit]) + packed(pixel_bytes, 2) + bytes([formats, buttons])
    payload += packed(down, 4) + bytes([sequence]) + counters(shown=2, lost=lost)
    return frame(wire.INFO, 1, protocol, payload + bytes(8) + name)


def ack(kind: int, sequence: int = 0, *, clock: int = 1600) -> bytes:
    """Return an ACK of a frame of a kind."""
    return frame(wire.ACK, sequence, kind, packed(clock, 4) + packed(0, 2))


def nak(kind: int, reason: int, sequence: int = 0, *, clock: int = 1700) -> bytes:
    """Return a NAK of a frame of a kind."""
    return frame(wire.NAK, sequence, kind + 256 * reason, packed(clock, 4) + packed(0, 2))


def pong(
    *,
    session: int = SESSION,
    boot: int = BOOT,
    ready: bool = True,
    shown: bool = True,
    clock: int = 2000,
    overruns: int = 0,
) -> bytes:
    """Return a PONG message."""
    payload = packed(clock, 4) + packed(session, 4) + packed(boot, 4)
    payload += counters(shown=2, overruns=overruns)
    return frame(wire.PONG, 3, ready + 2 * shown, payload)


def keys(
    events: Events, *, sequence: int = 0, down: int = 0, lost: int = 0, clock: int = 2100
) -> bytes:
    """Return a KEYS message; an event is (button, down, stamp)."""
    listed = (bytes([button | (0x80 if d else 0)]) + packed(t, 4) for button, d, t in events)
    return frame(wire.KEYS, sequence, lost, packed(clock, 4) + packed(down, 4) + b"".join(listed))


def log(text: bytes, *, clock: int = 2200) -> bytes:
    """Return a LOG message."""
    return frame(wire.LOG, 0, 0, packed(clock, 4) + text)
