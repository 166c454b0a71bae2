"""A board as firmware/PROTOCOL.md says, slow and obvious; it knows nothing of the host's code.

Like the smallest boards it has one buffer, into which pixels go as they arrive, takes one byte at a
time, is deaf for anything beyond 64 bytes while it shows, and keeps eight key events.
"""

import zlib

from tests.support import slow_frames as wire
from tests.support.slow_frames import Incoming, frame, number, packed
from tests.support.slow_keys import SlowKeys
from tests.support.slow_strip import SlowStrip

ACK_SIZE = 20
NEW, GREETED, READY = "NEW", "GREETED", "READY"


class SlowBoard:
    """A board; `tick` is a millisecond of its life, `receive` and `sent` are its line.

    `levels` are its buttons, which a test presses; `strip` is what it shows; `lives` has the
    tick at which each boot began, and its keys.
    """

    def __init__(
        self,
        *,
        pixel_bytes: int = 1800,
        buttons: int = 14,
        credit: int = 1,
        places: int = 8,
        boot_ticks: int = 0,
        bytes_shown_a_tick: int = 100,
        protocols: tuple[int, int] = (1, 1),
        formats: int = 1,
    ) -> None:
        self.pixel_bytes = pixel_bytes
        self.credit = credit
        self.places = places
        self.boot_ticks = boot_ticks
        self.bytes_shown_a_tick = bytes_shown_a_tick
        self.protocols = protocols
        self.formats = formats
        self.ticks = 0
        self.boot = 0xB0070000
        self.levels = [False] * buttons
        self.strip = SlowStrip()
        self.keys = SlowKeys(self.levels, places)
        self.lives: dict[int, tuple[int, SlowKeys]] = {}
        self.start()

    def start(self) -> None:
        """Begin a new boot: forget everything except the strip's light and the buttons."""
        self.boot += 1
        self.started = self.ticks
        self.deaf_until = self.ticks + self.boot_ticks
        self.state = NEW
        self.session = 0
        self.watchdog_ticks = 0
        self.safe_pattern = 0, b""
        self.strip.set_up(0, 0)
        self.is_safe = False
        self.window = b""
        self.incoming: Incoming | None = None
        self.last_byte = self.last_valid = self.ticks
        self.ring = bytearray()
        self.busy_until = self.ticks
        self.after_show = b""
        self.output = bytearray()
        self.keys = SlowKeys(self.levels, self.places)
        self.lives[self.boot] = self.started, self.keys
        self.keys_sent = self.ticks
        names = ("shown", "header", "crc", "silence", "overrun", "watchdog")
        self.counters = dict.fromkeys(names, 0)

    @property
    def clock(self) -> int:
        """The milliseconds since the boot."""
        return self.ticks - self.started

    @property
    def is_showing(self) -> bool:
        """True while it is busy with its strip."""
        return self.ticks < self.busy_until

    def sent(self) -> bytes:
        """Return the bytes sent since the last call."""
        data = bytes(self.output)
        self.output.clear()
        return data

    def receive(self, data: bytes) -> None:
        """Take bytes from the line."""
        for byte in data:
            if self.ticks < self.deaf_until:
                continue
            if self.is_showing and len(self.ring) == 64:
                self.counters["overrun"] += 1
            elif self.is_showing:
                self.ring.append(byte)
            else:
                self.take_byte(byte)

    def tick(self) -> None:
        """Let a millisecond pass."""
        was_showing = self.is_showing
        self.ticks += 1
        if self.ticks < self.deaf_until:
            return
        self.keys.look(self.clock)
        if self.is_showing:
            return
        if was_showing:
            self.output += self.after_show
        self.take_ring()
        self.watch()
        self.send_keys()

    def take_ring(self) -> None:
        """Read the bytes that came while the strip was shown, up to the next show."""
        while self.ring and not self.is_showing:
            self.take_byte(self.ring.pop(0))

    def take_byte(self, byte: int) -> None:
        """Take one byte from the line."""
        self.last_byte = self.ticks
        if self.incoming is None:
            self.window = (self.window + bytes([byte]))[-10:]
            self.look_for_header()
        else:
            self.take_body(byte)

    def look_for_header(self) -> None:
        """Begin a frame if the last ten bytes are a header."""
        if len(self.window) < 10 or self.window[:2] != b"\xa5\x5a":
            return
        is_right = number(self.window, 8, 2) == zlib.crc32(self.window[:8]) & 0xFFFF
        if not is_right or number(self.window, 6, 2) > max(self.pixel_bytes, 64):
            self.counters["header"] += 1
            return
        self.incoming = Incoming(header=self.window, refusal=0)
        self.window = b""
        self.incoming.refusal = self.refusal_of(self.incoming)

    def refusal_of(self, incoming: Incoming) -> int:
        """Return the reason why a header is refused, or 0."""
        if incoming.kind in (wire.PIXELS, wire.FILL):
            return wire.NOT_READY if self.state != READY else self.strip.refusal(incoming)
        if incoming.kind not in wire.LENGTHS:
            return 0 if incoming.kind >= 0x80 else wire.UNKNOWN
        return 0 if incoming.length == wire.LENGTHS[incoming.kind] else wire.WRONG_SIZE

    def take_body(self, byte: int) -> None:
        """Take a byte after the header; pixels go into the buffer at once."""
        incoming = self.incoming
        assert incoming is not None
        at = len(incoming.body)
        incoming.body.append(byte)
        if incoming.kind == wire.PIXELS and not incoming.refusal and at < incoming.length:
            self.strip.write(incoming, at, byte)
        if len(incoming.body) == incoming.length + 4:
            self.incoming = None
            self.take_frame(incoming)

    def take_frame(self, incoming: Incoming) -> None:
        """Take a complete frame."""
        crc = number(bytes(incoming.body[-4:]), 0, 4)
        if crc != zlib.crc32(incoming.header + incoming.payload):
            self.counters["crc"] += 1
            self.answer(incoming, wire.DAMAGED)
            return
        if incoming.kind >= 0x80:
            return
        self.last_valid = self.ticks
        self.is_safe = False
        self.obey(incoming)

    def obey(self, incoming: Incoming) -> None:
        """Carry out a frame."""
        if incoming.refusal:
            self.answer(incoming, incoming.refusal)
        elif incoming.kind == wire.HELLO:
            self.greet(incoming)
        elif incoming.kind == wire.SETUP:
            self.set_up(incoming)
        elif incoming.kind in (wire.PIXELS, wire.FILL):
            self.show(incoming)
        elif incoming.kind == wire.PING:
            flags = (self.state == READY) + 2 * self.strip.is_base_shown
            payload = packed(self.clock, 4) + packed(self.session, 4) + packed(self.boot, 4)
            self.output += frame(
                wire.PONG, incoming.sequence, flags, payload + self.counter_bytes()
            )
        elif incoming.kind == wire.KEYACK:
            if self.state == READY:
                self.keys.acknowledge(incoming.sequence)
        elif incoming.kind == wire.BYE:
            self.strip.go_dark()
            self.state, self.session, self.watchdog_ticks = NEW, 0, 0
            self.answer(incoming)

    def answer(self, incoming: Incoming, reason: int = 0) -> None:
        """Send an ACK, or a NAK with a reason."""
        payload = packed(self.clock, 4) + packed(self.counters["overrun"], 2)
        kind = wire.NAK if reason else wire.ACK
        self.output += frame(kind, incoming.sequence, incoming.kind + 256 * reason, payload)

    def greet(self, incoming: Incoming) -> None:
        """Take HELLO: begin a session if its number is new, and send INFO."""
        common = min(self.protocols[1], incoming.payload[5])
        if common < max(self.protocols[0], incoming.payload[4]):
            common = 0
        session = number(incoming.payload, 0, 4)
        if common and session != self.session:
            self.state, self.session = GREETED, session
            self.keys.drop_all()
        self.output += frame(wire.INFO, incoming.sequence, common, self.info(session))

    def info(self, session: int) -> bytes:
        """Return the payload of INFO."""
        return b"".join(
            (
                packed(self.clock, 4),
                packed(session, 4),
                bytes(self.protocols),
                packed(self.boot, 4),
                bytes([1, 2, 3, self.credit]),
                packed(self.pixel_bytes, 2),
                bytes([self.formats, len(self.levels)]),
                self.keys.before(),
                bytes([self.keys.oldest]),
                self.counter_bytes(),
                bytes(8),
                b"slow board",
            )
        )

    def set_up(self, incoming: Incoming) -> None:
        """Take SETUP, if it is for this boot and possible."""
        wanted = incoming.payload
        leds, colours = number(wanted, 4, 2), wanted[6]
        if self.state == NEW or number(wanted, 0, 4) != self.boot:
            self.answer(incoming, wire.NOT_READY)
        elif (
            leds * colours > self.pixel_bytes
            or not 1 <= wanted[7] <= 100
            or not self.formats >> (colours - 3) & 1
        ):
            self.state = GREETED
            self.answer(incoming, wire.TOO_MUCH)
        else:
            self.strip.set_up(leds, colours)
            self.keys.hold = wanted[7]
            self.watchdog_ticks = number(wanted, 8, 2)
            self.safe_pattern = wanted[10], wanted[11 : 11 + colours]
            self.state = READY
            self.answer(incoming)

    def watch(self) -> None:
        """Drop a frame after silence; show the safe pattern if the host has gone."""
        if self.incoming is not None and self.ticks - self.last_byte >= 25:
            broken, self.incoming = self.incoming, None
            self.counters["silence"] += 1
            self.answer(broken, wire.BROKEN_OFF)
        gone = self.watchdog_ticks and self.ticks - self.last_valid >= self.watchdog_ticks
        if gone and not self.is_safe:
            self.is_safe = True
            self.counters["watchdog"] += 1
            self.strip.show_safe(*self.safe_pattern)

    def show(self, incoming: Incoming) -> None:
        """Take PIXELS or FILL: if it latches, be busy with the strip, and send ACK afterwards."""
        if not self.strip.take(incoming):
            return
        self.counters["shown"] += 1
        ticks = len(self.strip.light) // self.bytes_shown_a_tick
        self.answer(incoming)
        if ticks:
            # Earlier answers are on their way already; only this one waits.
            self.busy_until = self.ticks + ticks
            ack = self.output[-ACK_SIZE:]
            del self.output[-ACK_SIZE:]
            self.after_show = bytes(ack)

    def send_keys(self) -> None:
        """Send KEYS at once after a new event, and every 50 ms."""
        if self.state != READY or self.is_safe or not self.keys.queue:
            return
        if self.keys.is_new or self.ticks - self.keys_sent >= 50:
            self.keys.is_new, self.keys_sent = False, self.ticks
            payload = packed(self.clock, 4) + self.keys.listed()
            self.output += frame(wire.KEYS, self.keys.oldest, self.keys.lost % 65536, payload)

    def counter_bytes(self) -> bytes:
        """Return the sixteen bytes of the counters."""
        shown, header, crc, silence, overrun, watchdog = self.counters.values()
        others = (header, crc, silence, overrun, self.keys.lost, watchdog)
        return packed(shown, 4) + b"".join(packed(other, 2) for other in others)
