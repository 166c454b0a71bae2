"""Protocol state machine of the board: the table of PROTOCOL.md, section 3.

HELLO of a new session makes the board GREETED, SETUP makes it READY, BYE makes it NEW again. Pixels
are accepted only in READY. Whether PIXELS fits is decided when its header is read, because a wrong
payload would overwrite the strip's buffer. PIXELS with the bit LATCH sets `due_pixels`; its ACK is
sent after `shown`, when the strip has the bytes. If the host is silent for longer than the watchdog
time of SETUP, the strip shows the safe pattern: a few dim LEDs.
"""

from struct import pack_into, unpack_from

from . import frames
from .keys import EVENT_BYTES, QUEUE_SIZE, KeyQueue
from .pixel_buffer import LATCH, NO_REASON, WRONG_SIZE, PixelBuffer

FIRMWARE_VERSION = (1, 0, 1)

_PROTOCOL = 1
_CREDIT = 2
_FORMATS = 0b11
_SILENCE_MS = 100
_MAX_HOLD_MS = 100
_MAX_PIXEL_BYTES = 0x8000
_UNIQUE_BYTES = 8
_MAX_NAME_BYTES = 32

_DAMAGED = 1
_BROKEN_OFF = 2
_NOT_READY = 5
_UNKNOWN = 6
_TOO_MUCH = 7

_NEW, _GREETED, _READY = range(3)

# The length of FILL depends on the strip.
_LENGTHS = {frames.HELLO: 6, frames.SETUP: 15, frames.PING: 0, frames.KEYACK: 0, frames.BYE: 0}

_PONG_READY = 1
_PONG_SHOWN = 2

_INFO_BYTES = 51
_ANSWER_BYTES = 6
_PONG_BYTES = 12 + frames.COUNTER_BYTES
_KEYS_BYTES = 8 + EVENT_BYTES * QUEUE_SIZE


class BoardEnd:
    """Protocol handler of a board.

    The caller reads into `read_buffer()` and calls `received`, `shown` and `outgoing` in a loop.
    Times are milliseconds since the start and never wrap.

    Args:
        pixel_bytes: largest number of bytes of the strip's pixels.
        down: the initial state of each button.
        boot: boot nonce, a new one at each start.
        name: ASCII name of the board, truncated if it is too long.
        unique: serial number of the board, of any length.
    """

    def __init__(
        self, *, pixel_bytes: int, down: list[bool], boot: int, name: str, unique: bytes
    ) -> None:
        self.boot = boot
        self.counters = frames.Counters()
        self.keys = KeyQueue(down, self.counters)
        self.pixels = PixelBuffer(min(pixel_bytes, _MAX_PIXEL_BYTES))
        self._name = name.encode()[:_MAX_NAME_BYTES]
        self._unique = _folded(unique)
        limit = max(self.pixels.pixel_bytes, frames.SHORT)
        self._receiver = frames.Receiver(limit, self.counters)
        self._sender = frames.Sender()
        self._payload = bytearray(max(_KEYS_BYTES, _INFO_BYTES + _MAX_NAME_BYTES))
        self._payload_view = memoryview(self._payload)
        self._state = _NEW
        # 0 means that there is no session.
        self._session = 0
        self._safe = 0, bytes(4)
        self._refusal = NO_REASON
        # Type and sequence of the message to acknowledge once the strip has its pixels.
        self._pending_ack: tuple[int, int] | None = None
        self._now = self._received_at = self._watchdog_fed_at = 0
        self._watchdog_ms = 0
        self._is_watchdog_over = False
        self._handlers = {
            frames.HELLO: self._handle_hello,
            frames.SETUP: self._handle_setup,
            frames.PIXELS: self._handle_pixels,
            frames.FILL: self._handle_fill,
            frames.PING: self._send_pong,
            frames.KEYACK: self._handle_keyack,
            frames.BYE: self._handle_bye,
        }

    @property
    def due_pixels(self) -> memoryview | None:
        """The bytes to send to the strip now, or None; see `shown`."""
        return self.pixels.due

    def read_buffer(self) -> memoryview:
        return self._receiver.read_buffer()

    def received(self, count: int, now: int) -> None:
        """Handle `count` bytes, often 0, that were read into the buffer."""
        self._now = now
        if count:
            self._received_at = now
            self._handle(self._receiver.received(count))
        elif self._receiver.is_inside and now - self._received_at >= _SILENCE_MS:
            self._break_off()
        is_late = now - self._watchdog_fed_at >= self._watchdog_ms
        if self._watchdog_ms and is_late and not self._is_watchdog_over:
            self._expire_watchdog()

    def shown(self, now: int) -> None:
        """Acknowledge the message whose pixels are shown: the strip has received all bytes."""
        self._now = now
        self.pixels.due = None
        if self._pending_ack is not None:
            kind, sequence = self._pending_ack
            self._pending_ack = None
            self._answer(kind, sequence, NO_REASON)

    def outgoing(self, now: int) -> memoryview:
        """Return the bytes to send, often b""; the caller reports to `sent` how many it sent."""
        self._now = now
        may_send = self._state == _READY and not self._is_watchdog_over and self._sender.is_empty
        if may_send and self.keys.are_due(now):
            end = self.keys.put(self._payload, 4, now)
            self._put(frames.KEYS, self.keys.first, self.counters.lost_edges & 0xFFFF, end)
        return self._sender.outgoing()

    def sent(self, count: int) -> None:
        self._sender.sent(count)

    def _handle(self, outcome: int) -> None:
        if outcome == frames.HEADER:
            self._begin_frame()
        elif outcome == frames.COMPLETE:
            self._handle_frame()
        elif outcome == frames.DAMAGED:
            self._refuse(_DAMAGED)

    def _begin_frame(self) -> None:
        """Direct the payload of PIXELS into the strip's buffer, unless the header is refused."""
        frame = self._receiver
        if frame.kind != frames.PIXELS:
            return
        if self._state == _READY:
            self._refusal = self.pixels.refusal(frame.sequence, frame.argument, frame.length)
        else:
            self._refusal = _NOT_READY
        if not self._refusal:
            frame.put_into(self.pixels.open(frame.argument, frame.length))

    def _break_off(self) -> None:
        self._receiver.look_for_header()
        self.counters.broken_off += 1
        self._refuse(_BROKEN_OFF)

    def _refuse(self, reason: int) -> None:
        frame = self._receiver
        if frame.kind < frames.FROM_BOARD:
            self._answer(frame.kind, frame.sequence, reason)

    def _expire_watchdog(self) -> None:
        """Show the safe pattern, once."""
        if self._receiver.is_inside:
            # The rest of the incomplete frame would overwrite the pattern.
            self._break_off()
        every, led = self._safe
        self.pixels.show_pattern(led, every)
        self._is_watchdog_over = True
        self.counters.watchdog += 1

    def _feed_watchdog(self) -> None:
        self._watchdog_fed_at = self._now
        self._is_watchdog_over = False

    def _handle_frame(self) -> None:
        frame = self._receiver
        kind = frame.kind
        if kind >= frames.FROM_BOARD:
            return
        self._feed_watchdog()
        if frame.length != _LENGTHS.get(kind, frame.length):
            self._refuse(WRONG_SIZE)
        elif kind in self._handlers:
            self._handlers[kind]()
        else:
            self._refuse(_UNKNOWN)

    def _handle_pixels(self) -> None:
        frame = self._receiver
        if self._refusal:
            self._refuse(self._refusal)
            return
        is_latch = bool(frame.argument & LATCH)
        self.pixels.commit(frame.sequence, is_latch=is_latch)
        if is_latch:
            self._acknowledge_when_shown()

    def _handle_fill(self) -> None:
        frame = self._receiver
        if self._state != _READY:
            self._refuse(_NOT_READY)
        elif frame.length != self.pixels.colours:
            self._refuse(WRONG_SIZE)
        else:
            self.pixels.fill(frame.short[: frame.length], frame.sequence)
            self._acknowledge_when_shown()

    def _acknowledge_when_shown(self) -> None:
        self.counters.shown += 1
        self._pending_ack = self._receiver.kind, self._receiver.sequence

    def _handle_hello(self) -> None:
        session, lowest, highest = unpack_from("<IBB", self._receiver.short, 0)
        is_understood = lowest <= _PROTOCOL <= highest
        if is_understood and session != self._session:
            self._state = _GREETED
            self._session = session
            self.keys.forget()
        self._send_info(session, _PROTOCOL if is_understood else 0)

    def _handle_setup(self) -> None:
        frame = self._receiver
        boot, leds, colours, hold, watchdog_ms, every = unpack_from("<IHBBHB", frame.short, 0)
        if self._state == _NEW or boot != self.boot:
            self._refuse(_NOT_READY)
        elif not 1 <= hold <= _MAX_HOLD_MS or not self.pixels.set_up(leds, colours):
            self._state = _GREETED
            self._refuse(_TOO_MUCH)
        else:
            self._state = _READY
            self._safe = every, bytes(frame.short[11:15])
            self._watchdog_ms = watchdog_ms
            self.keys.hold = hold
            self._answer(frame.kind, frame.sequence, NO_REASON)

    def _handle_keyack(self) -> None:
        if self._state == _READY:
            self.keys.acknowledge(self._receiver.sequence)

    def _handle_bye(self) -> None:
        frame = self._receiver
        self._watchdog_ms = 0
        self._session = 0
        if self._state == _NEW:
            self._answer(frame.kind, frame.sequence, NO_REASON)
        else:
            self._state = _NEW
            self.pixels.show_pattern(bytes(4), 0)
            self._pending_ack = frame.kind, frame.sequence

    def _send_info(self, session: int, version: int) -> None:
        payload, keys = self._payload, self.keys
        pack_into("<IBBI", payload, 4, session, _PROTOCOL, _PROTOCOL, self.boot)
        payload[14:17] = bytes(FIRMWARE_VERSION)
        pixel_bytes, down = self.pixels.pixel_bytes, keys.down_before()
        pack_into(
            "<BHBBIB", payload, 17, _CREDIT, pixel_bytes, _FORMATS, keys.buttons, down, keys.first
        )
        self.counters.put(payload, 27)
        payload[43:_INFO_BYTES] = self._unique
        end = _INFO_BYTES + len(self._name)
        payload[_INFO_BYTES:end] = self._name
        self._put(frames.INFO, self._receiver.sequence, version, end)

    def _send_pong(self) -> None:
        flags = _PONG_READY if self._state == _READY else 0
        if self.pixels.is_shown:
            flags |= _PONG_SHOWN
        pack_into("<II", self._payload, 4, self._session, self.boot)
        self.counters.put(self._payload, 12)
        self._put(frames.PONG, self._receiver.sequence, flags, _PONG_BYTES)

    def _answer(self, kind: int, sequence: int, reason: int) -> None:
        """Send NAK with a reason, or ACK if the reason is NO_REASON."""
        pack_into("<H", self._payload, 4, 0)
        answer = frames.NAK if reason else frames.ACK
        self._put(answer, sequence, kind | reason << 8, _ANSWER_BYTES)

    def _put(self, kind: int, sequence: int, argument: int, length: int) -> None:
        """Send a payload after writing the clock at its beginning."""
        pack_into("<I", self._payload, 0, self._now & 0xFFFFFFFF)
        self._sender.put(kind, sequence, argument, self._payload_view[:length])


def _folded(unique: bytes) -> bytes:
    """Fold a serial number of any length into eight bytes by exclusive or."""
    folded = bytearray(_UNIQUE_BYTES)
    for at, byte in enumerate(unique):
        folded[at % _UNIQUE_BYTES] ^= byte
    return bytes(folded)
