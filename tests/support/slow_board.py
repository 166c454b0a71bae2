"""A board as firmware/PROTOCOL.md says, slow and obvious; it knows nothing of the host's code.

Like the smallest boards it has one buffer, into which pixels go as they arrive, takes one byte at a
time, is deaf for anything beyond 64 bytes while it shows, and keeps eight key events.
"""

import zlib
from dataclasses import dataclass, field
from random import Random

# Frames and messages in plain numbers


HELLO, SETUP, PIXELS, FILL, PING, KEYACK, BYE = range(0x01, 0x08)

INFO, ACK, NAK, PONG, KEYS, LOG = range(0x81, 0x87)
DAMAGED, BROKEN_OFF, NO_BASE, WRONG_SIZE, NOT_READY, UNKNOWN, TOO_MUCH = range(1, 8)
NEW, GREETED, READY = "NEW", "GREETED", "READY"
LENGTHS = {HELLO: 6, SETUP: 15, PING: 0, KEYACK: 0, BYE: 0}


def number(data: bytes, at: int, size: int) -> int:
    """Return the little-endian number of `size` bytes at `at`."""
    return int.from_bytes(data[at : at + size], "little")


def packed(value: int, size: int) -> bytes:
    """Return a number, modulo its size, as little-endian bytes."""
    return (value % (1 << 8 * size)).to_bytes(size, "little")


def frame(kind: int, sequence: int, argument: int, payload: bytes) -> bytes:
    """Return the bytes of a frame."""
    header = b"\xa5\x5a" + bytes([kind, sequence]) + packed(argument, 2) + packed(len(payload), 2)
    checked = header + packed(zlib.crc32(header), 2) + payload
    return checked + packed(zlib.crc32(checked), 4)


BEFORE_A_FRAME = {
    "A5": b"\xa5",
    "A5 A5 5A": b"\xa5\xa5\x5a",
    "A5 5A A5 5A": b"\xa5\x5a\xa5\x5a",
    "many A5 5A": b"\xa5\x5a" * 20,
    "zeros": bytes(9),
    "most of a header": frame(PING, 0, 0, b"")[:9],
    "noise": Random(1).randbytes(37),
}
"""Bytes behind which a frame must be found, by their names."""


@dataclass(slots=True, kw_only=True)
class Incoming:
    """A frame whose header has arrived, and the reason why it is refused, or 0."""

    header: bytes
    refusal: int
    body: bytearray = field(default_factory=bytearray)

    @property
    def kind(self) -> int:
        """Its type."""
        return self.header[2]

    @property
    def sequence(self) -> int:
        """Its sequence."""
        return self.header[3]

    @property
    def argument(self) -> int:
        """Its argument."""
        return number(self.header, 4, 2)

    @property
    def length(self) -> int:
        """The length of its payload."""
        return number(self.header, 6, 2)

    @property
    def payload(self) -> bytes:
        """The part of its payload that has arrived."""
        return bytes(self.body[: self.length])


# Buttons: levels become events


def bitmap(levels: list[bool]) -> bytes:
    """Return the four bytes of a bitmap."""
    return packed(sum(1 << button for button, down in enumerate(levels) if down), 4)


class SlowKeys:
    """One life of the buttons `levels`, with a queue of `places`.

    `events` are all events that were ever put into the queue and not dropped by a new session.
    """

    def __init__(self, levels: list[bool], places: int) -> None:
        self.levels = levels
        self.places = places
        self.hold = 5
        self.reported = list(levels)
        self.first_look: list[int | None] = [None] * len(levels)
        self.is_pending = [False] * len(levels)
        self.queue: list[tuple[int, bool, int]] = []
        self.events: list[tuple[int, bool, int]] = []
        self.oldest = 0
        self.lost = 0
        self.is_new = False

    def look(self, clock: int) -> None:
        """Look at all buttons after a millisecond."""
        for button, level in enumerate(self.levels):
            if level != self.reported[button]:
                self.see_other_level(button, clock)
                continue
            if self.is_pending[button]:
                self.lost += 2
            self.is_pending[button] = False
            self.first_look[button] = None

    def see_other_level(self, button: int, clock: int) -> None:
        """Queue the edge of a button whose new level has held, if there is room."""
        first = self.first_look[button]
        if first is None:
            first = self.first_look[button] = clock
        if clock - first < self.hold:
            return
        if len(self.queue) == self.places:
            self.is_pending[button] = True
            return
        event = button, self.levels[button], first
        self.queue.append(event)
        self.events.append(event)
        self.reported[button] = self.levels[button]
        self.is_pending[button] = False
        self.first_look[button] = None
        self.is_new = True

    def acknowledge(self, sequence: int) -> None:
        """Take KEYACK: drop the acknowledged events."""
        count = (sequence - self.oldest) % 256
        if count <= len(self.queue):
            del self.queue[:count]
            self.oldest = sequence

    def drop_all(self) -> None:
        """Drop all events for a new session."""
        del self.events[len(self.events) - len(self.queue) :]
        self.oldest = (self.oldest + len(self.queue)) % 256
        self.queue = []
        self.reported = list(self.levels)

    def before(self) -> bytes:
        """Return the bitmap before the oldest event."""
        levels = list(self.reported)
        for button, down, _ in reversed(self.queue):
            levels[button] = not down
        return bitmap(levels)

    def listed(self) -> bytes:
        """Return the bitmap after the newest event, and all events."""
        events = (
            bytes([button + (0x80 if down else 0)]) + packed(stamp, 4)
            for button, down, stamp in self.queue
        )
        return bitmap(self.reported) + b"".join(events)


# The strip and the one pixel buffer


LATCH = 0x8000


class SlowStrip:
    """A pixel buffer, which may be the base of changes, and the LEDs.

    `light` is what the LEDs show; `shown` is every frame that PIXELS or FILL made them show.
    """

    def __init__(self) -> None:
        self.light = b""
        self.shown: list[bytes] = []
        self.set_up(0, 0)

    def set_up(self, leds: int, colours: int) -> None:
        """Begin with this number of LEDs and bytes for each, without a base."""
        self.leds, self.colours = leds, colours
        self.buffer = bytearray(leds * colours)
        self.has_base = False
        self.is_base_shown = False
        self.last_sequence = 0

    def refusal(self, incoming: Incoming) -> int:
        """Return the reason why the header of PIXELS or FILL is refused, or 0."""
        if incoming.kind == FILL:
            return 0 if incoming.length == self.colours else WRONG_SIZE
        offset = incoming.argument & ~LATCH
        if offset + incoming.length > len(self.buffer):
            return WRONG_SIZE
        if offset == 0 and incoming.length == len(self.buffer):
            return 0
        follows = incoming.sequence == (self.last_sequence + 1) % 256
        return 0 if self.has_base and follows else NO_BASE

    def write(self, incoming: Incoming, at: int, byte: int) -> None:
        """Take a byte of pixels as it arrives; there is no base until the frame is right."""
        self.lose_base()
        self.buffer[(incoming.argument & ~LATCH) + at] = byte

    def take(self, incoming: Incoming) -> bool:
        """Take a right frame of PIXELS or FILL; return True if the LEDs got it."""
        if incoming.kind == FILL:
            self.buffer[:] = incoming.payload * self.leds
        self.has_base = True
        self.last_sequence = incoming.sequence
        self.is_base_shown = incoming.kind == FILL or bool(incoming.argument & LATCH)
        if self.is_base_shown:
            self.light = bytes(self.buffer)
            self.shown.append(self.light)
        return self.is_base_shown

    def show_safe(self, step: int, colour: bytes) -> None:
        """Show the safe pattern."""
        self.lose_base()
        lit = (step and led % step == 0 for led in range(self.leds))
        self.light = b"".join(colour if is_lit else bytes(self.colours) for is_lit in lit)

    def go_dark(self) -> None:
        """Turn all LEDs dark."""
        self.lose_base()
        self.light = bytes(len(self.light))

    def lose_base(self) -> None:
        """Note that the contents of the buffer are no frame."""
        self.has_base = self.is_base_shown = False


# The board


ACK_SIZE = 20


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
        if incoming.kind in (PIXELS, FILL):
            return NOT_READY if self.state != READY else self.strip.refusal(incoming)
        if incoming.kind not in LENGTHS:
            return 0 if incoming.kind >= 0x80 else UNKNOWN
        return 0 if incoming.length == LENGTHS[incoming.kind] else WRONG_SIZE

    def take_body(self, byte: int) -> None:
        """Take a byte after the header; pixels go into the buffer at once."""
        incoming = self.incoming
        assert incoming is not None
        at = len(incoming.body)
        incoming.body.append(byte)
        if incoming.kind == PIXELS and not incoming.refusal and at < incoming.length:
            self.strip.write(incoming, at, byte)
        if len(incoming.body) == incoming.length + 4:
            self.incoming = None
            self.take_frame(incoming)

    def take_frame(self, incoming: Incoming) -> None:
        """Take a complete frame."""
        crc = number(bytes(incoming.body[-4:]), 0, 4)
        if crc != zlib.crc32(incoming.header + incoming.payload):
            self.counters["crc"] += 1
            self.answer(incoming, DAMAGED)
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
        elif incoming.kind == HELLO:
            self.greet(incoming)
        elif incoming.kind == SETUP:
            self.set_up(incoming)
        elif incoming.kind in (PIXELS, FILL):
            self.show(incoming)
        elif incoming.kind == PING:
            flags = (self.state == READY) + 2 * self.strip.is_base_shown
            payload = packed(self.clock, 4) + packed(self.session, 4) + packed(self.boot, 4)
            self.output += frame(PONG, incoming.sequence, flags, payload + self.counter_bytes())
        elif incoming.kind == KEYACK:
            if self.state == READY:
                self.keys.acknowledge(incoming.sequence)
        elif incoming.kind == BYE:
            self.strip.go_dark()
            self.state, self.session, self.watchdog_ticks = NEW, 0, 0
            self.answer(incoming)

    def answer(self, incoming: Incoming, reason: int = 0) -> None:
        """Send an ACK, or a NAK with a reason."""
        payload = packed(self.clock, 4) + packed(self.counters["overrun"], 2)
        kind = NAK if reason else ACK
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
        self.output += frame(INFO, incoming.sequence, common, self.info(session))

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
            self.answer(incoming, NOT_READY)
        elif (
            leds * colours > self.pixel_bytes
            or not 1 <= wanted[7] <= 100
            or not self.formats >> (colours - 3) & 1
        ):
            self.state = GREETED
            self.answer(incoming, TOO_MUCH)
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
            self.answer(broken, BROKEN_OFF)
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
            self.output += frame(KEYS, self.keys.oldest, self.keys.lost % 65536, payload)

    def counter_bytes(self) -> bytes:
        """Return the sixteen bytes of the counters."""
        shown, header, crc, silence, overrun, watchdog = self.counters.values()
        others = (header, crc, silence, overrun, self.keys.lost, watchdog)
        return packed(shown, 4) + b"".join(packed(other, 2) for other in others)
