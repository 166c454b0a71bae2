"""What the host says, and what the board does about it: the table of PROTOCOL.md, section 3."""

from struct import pack_into, unpack_from

from . import frames
from .counters import COUNTER_BYTES, Counters
from .keys import EVENT_BYTES, PLACES, Keys
from .picture import LATCH, NO_REASON, WRONG_SIZE, Picture

FIRMWARE_VERSION = (1, 0, 0)

_PROTOCOL = 1
_CREDIT = 2
_FORMATS = 0b11
_SILENCE_MS = 100
_MOST_PIXEL_BYTES = 0x8000
_UNIQUE_BYTES = 8
_LONGEST_NAME = 32

_DAMAGED = 1
_BROKEN_OFF = 2
_NOT_READY = 5
_UNKNOWN = 6
_TOO_MUCH = 7

_NEW, _GREETED, _READY = range(3)

# FILL's length depends on the strip, and nobody knows that of a type that is unknown.
_LENGTHS = {frames.HELLO: 6, frames.SETUP: 15, frames.PING: 0, frames.KEYACK: 0, frames.BYE: 0}

_PONG_READY = 1
_PONG_SHOWN = 2

_INFO_BYTES = 51
_ANSWER_BYTES = 6
_PONG_BYTES = 12 + COUNTER_BYTES
_KEYS_BYTES = 8 + EVENT_BYTES * PLACES


class Board:
    """A board. Its owner reads into `room()`, and in each turn calls the others in their order.

    Times are milliseconds since the start, and grow for ever.

    Args:
        pixel_bytes: what the strip may have at most.
        down: the buttons that are down now, one truth a button.
        boot: the boot nonce: another one after each start.
        name: what it is, in ASCII; what is too long is cut off.
        unique: its serial number, of any length.
    """

    def __init__(
        self, *, pixel_bytes: int, down: list[bool], boot: int, name: str, unique: bytes
    ) -> None:
        self.boot = boot
        self.counters = Counters()
        self.keys = Keys(down, self.counters)
        self.picture = Picture(min(pixel_bytes, _MOST_PIXEL_BYTES))
        self._name = name.encode()[:_LONGEST_NAME]
        self._unique = _folded(unique)
        limit = max(self.picture.pixel_bytes, frames.SHORT)
        self._receiver = frames.Receiver(limit, self.counters)
        self._sender = frames.Sender()
        self._payload = bytearray(max(_KEYS_BYTES, _INFO_BYTES + _LONGEST_NAME))
        self._payload_view = memoryview(self._payload)
        self._state = _NEW
        # 0 is no session: the board is NEW.
        self._session = 0
        self._safe = 0, bytes(4)
        self._refused = NO_REASON
        # What the light that is to be shown answers: type and sequence.
        self._owed: tuple[int, int] | None = None
        self._now = self._heard_at = self._fed_at = 0
        self._watchdog_ms = 0
        self._has_bitten = False
        self._hearers = {
            frames.HELLO: self._hear_hello,
            frames.SETUP: self._hear_setup,
            frames.PIXELS: self._hear_pixels,
            frames.FILL: self._hear_fill,
            frames.PING: self._say_pong,
            frames.KEYACK: self._hear_keyack,
            frames.BYE: self._hear_bye,
        }

    @property
    def light(self) -> memoryview | None:
        """The bytes that the strip is to show at once, None for nothing; see `shown`."""
        return self.picture.light

    def room(self) -> memoryview:
        """Where the next bytes from the host belong."""
        return self._receiver.room()

    def received(self, count: int, now: int) -> None:
        """Take so many bytes that have been read into the room, often none."""
        self._now = now
        if count:
            self._heard_at = now
            self._hear(self._receiver.received(count))
        elif self._receiver.is_inside and now - self._heard_at >= _SILENCE_MS:
            self._break_off()
        is_late = now - self._fed_at >= self._watchdog_ms
        if self._watchdog_ms and is_late and not self._has_bitten:
            self._bite()

    def shown(self, now: int) -> None:
        """Answer what asked for the light: the strip has it all."""
        self._now = now
        self.picture.light = None
        if self._owed is not None:
            kind, sequence = self._owed
            self._owed = None
            self._answer(kind, sequence, NO_REASON)

    def words(self, now: int) -> memoryview:
        """What is to be sent, often nothing; see `sent`."""
        self._now = now
        may_speak = self._state == _READY and not self._has_bitten and self._sender.is_empty
        if may_speak and self.keys.are_due(now):
            end = self.keys.put(self._payload, 4, now)
            self._put(frames.KEYS, self.keys.first, self.counters.lost_edges & 0xFFFF, end)
        return self._sender.words()

    def sent(self, count: int) -> None:
        """Forget so many bytes, which the line has taken."""
        self._sender.sent(count)

    def _hear(self, outcome: int) -> None:
        if outcome == frames.BEGUN:
            self._begin_frame()
        elif outcome == frames.RIGHT:
            self._hear_frame()
        elif outcome == frames.DAMAGED:
            self._refuse(_DAMAGED)

    def _begin_frame(self) -> None:
        """Decide at the header where a payload goes: what is refused stays out of the buffer."""
        frame = self._receiver
        if frame.kind != frames.PIXELS:
            return
        if self._state == _READY:
            self._refused = self.picture.refusal(frame.sequence, frame.argument, frame.length)
        else:
            self._refused = _NOT_READY
        if not self._refused:
            frame.put_into(self.picture.open(frame.argument, frame.length))

    def _break_off(self) -> None:
        self._receiver.look_for_header()
        self.counters.broken_off += 1
        self._refuse(_BROKEN_OFF)

    def _refuse(self, reason: int) -> None:
        frame = self._receiver
        if frame.kind < frames.FROM_BOARD:
            self._answer(frame.kind, frame.sequence, reason)

    def _bite(self) -> None:
        """Show the safe pattern, once: the host is gone."""
        if self._receiver.is_inside:
            # The rest of that frame would go on top of the pattern.
            self._break_off()
        every, led = self._safe
        self.picture.show_unasked(led, every)
        self._has_bitten = True
        self.counters.bites += 1

    def _feed(self) -> None:
        self._fed_at = self._now
        self._has_bitten = False

    def _hear_frame(self) -> None:
        frame = self._receiver
        kind = frame.kind
        if kind >= frames.FROM_BOARD:
            return
        self._feed()
        if frame.length != _LENGTHS.get(kind, frame.length):
            self._refuse(WRONG_SIZE)
        elif kind in self._hearers:
            self._hearers[kind]()
        else:
            self._refuse(_UNKNOWN)

    def _hear_pixels(self) -> None:
        frame = self._receiver
        if self._refused:
            self._refuse(self._refused)
            return
        is_latch = bool(frame.argument & LATCH)
        self.picture.take(frame.sequence, is_latch=is_latch)
        if is_latch:
            self._count_light()

    def _hear_fill(self) -> None:
        frame = self._receiver
        if self._state != _READY:
            self._refuse(_NOT_READY)
        elif frame.length != self.picture.colours:
            self._refuse(WRONG_SIZE)
        else:
            self.picture.fill(frame.short[: frame.length], frame.sequence)
            self._count_light()

    def _count_light(self) -> None:
        self.counters.shown += 1
        self._owed = self._receiver.kind, self._receiver.sequence

    def _hear_hello(self) -> None:
        session, lowest, highest = unpack_from("<IBB", self._receiver.short, 0)
        is_understood = lowest <= _PROTOCOL <= highest
        if is_understood and session != self._session:
            self._state = _GREETED
            self._session = session
            self.keys.forget()
        self._say_info(session, _PROTOCOL if is_understood else 0)

    def _hear_setup(self) -> None:
        frame = self._receiver
        boot, leds, colours, hold, watchdog_ms, every = unpack_from("<IHBBHB", frame.short, 0)
        if self._state == _NEW or boot != self.boot:
            self._refuse(_NOT_READY)
        elif not self.picture.set_up(leds, colours):
            self._state = _GREETED
            self._refuse(_TOO_MUCH)
        else:
            self._state = _READY
            self._safe = every, bytes(frame.short[11:15])
            self._watchdog_ms = watchdog_ms
            self.keys.hold = hold
            self._answer(frame.kind, frame.sequence, NO_REASON)

    def _hear_keyack(self) -> None:
        if self._state == _READY:
            self.keys.acknowledge(self._receiver.sequence)

    def _hear_bye(self) -> None:
        frame = self._receiver
        self._watchdog_ms = 0
        self._session = 0
        if self._state == _NEW:
            self._answer(frame.kind, frame.sequence, NO_REASON)
        else:
            self._state = _NEW
            self.picture.show_unasked(bytes(4), 0)
            self._owed = frame.kind, frame.sequence

    def _say_info(self, session: int, version: int) -> None:
        payload, keys = self._payload, self.keys
        pack_into("<IBBI", payload, 4, session, _PROTOCOL, _PROTOCOL, self.boot)
        payload[14:17] = bytes(FIRMWARE_VERSION)
        pixel_bytes, down = self.picture.pixel_bytes, keys.down_before()
        pack_into(
            "<BHBBIB", payload, 17, _CREDIT, pixel_bytes, _FORMATS, keys.buttons, down, keys.first
        )
        self.counters.put(payload, 27)
        payload[43:_INFO_BYTES] = self._unique
        end = _INFO_BYTES + len(self._name)
        payload[_INFO_BYTES:end] = self._name
        self._put(frames.INFO, self._receiver.sequence, version, end)

    def _say_pong(self) -> None:
        standing = _PONG_READY if self._state == _READY else 0
        if self.picture.is_shown:
            standing |= _PONG_SHOWN
        pack_into("<II", self._payload, 4, self._session, self.boot)
        self.counters.put(self._payload, 12)
        self._put(frames.PONG, self._receiver.sequence, standing, _PONG_BYTES)

    def _answer(self, kind: int, sequence: int, reason: int) -> None:
        """Say ACK, if there is no reason, or NAK."""
        pack_into("<H", self._payload, 4, 0)
        answer = frames.NAK if reason else frames.ACK
        self._put(answer, sequence, kind | reason << 8, _ANSWER_BYTES)

    def _put(self, kind: int, sequence: int, argument: int, length: int) -> None:
        """Send a payload, at whose beginning each message has the clock."""
        pack_into("<I", self._payload, 0, self._now & 0xFFFFFFFF)
        self._sender.put(kind, sequence, argument, self._payload_view[:length])


def _folded(unique: bytes) -> bytes:
    """A serial number of any length in eight bytes, none of its bits without effect."""
    folded = bytearray(_UNIQUE_BYTES)
    for at, byte in enumerate(unique):
        folded[at % _UNIQUE_BYTES] ^= byte
    return bytes(folded)
