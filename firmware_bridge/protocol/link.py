"""The host's end of a link to a board, a microcontroller that runs our firmware.

Bytes go in; events and bytes come out. This module has no I/O and no clock.

The owner of the port passes received bytes to `receive_bytes`, calls `on_time` at `next_deadline`,
and after each call of any method writes the result of `bytes_to_send`. Errors of the board and of
the wire are events; only wrong use of a link raises an error.

The states are a table, `states.TRANSITIONS`. The link repeats HELLO until INFO arrives, then SETUP
until its ACK arrives, then PING while it sends frames and receives presses of buttons. A timeout or
a failed port leads to LOST; the owner can then open the port again. Here no board answers HELLO:

>>> link = Link(session=7, wanted=BoardSetup(leds=2))
>>> link.open(now=0.0)
>>> link.state, link.bytes_to_send(now=0.0)[2] == Type.HELLO, link.next_deadline
(<State.GREETING: 'greeting'>, True, 0.25)
>>> [type(event).__name__ for event in link.on_time(now=5.0)], link.state
(['Lost'], <State.LOST: 'lost'>)
"""

from dataclasses import replace
from math import inf
from typing import Final

from firmware_bridge.errors import BridgeError, CutError, FrameSizeError, LinkUseError
from firmware_bridge.protocol import compatibility
from firmware_bridge.protocol.board import SessionBoard
from firmware_bridge.protocol.compatibility import LinkCounters, counts_since
from firmware_bridge.protocol.framing import Damage, Decoder, Frame, Received, encode
from firmware_bridge.protocol.messages import (
    FROM_BOARD,
    Answer,
    BoardInfo,
    BoardSetup,
    Keys,
    LogLine,
    Message,
    Pong,
    Reason,
    Type,
    read_message,
)
from firmware_bridge.protocol.pixels import PixelSender
from firmware_bridge.protocol.states import (
    TIMINGS,
    TRANSITIONS,
    UART_BYTE_S,
    Cause,
    Closed,
    Connected,
    Event,
    Log,
    Lost,
    Refused,
    RepeatedMessages,
    Resynchronised,
    State,
)
from hardware.errors import Text

SILENCE_S: Final = 0.1  # silence that breaks off a frame
_HANDSHAKE: Final = frozenset({State.GREETING, State.SETTING_UP})  # not all: before RUNNING
_TRANSMISSION_ERRORS: Final = frozenset({Reason.DAMAGED, Reason.BROKEN_OFF})  # not all: retry helps


class Link:
    """One session with a board, across any number of openings of its port.

    `board` is the board as its messages describe it; `counters` and `state` belong to this end.

    Args:
        session: session nonce, 1 to 2**32 - 1, a new number for each start of the companion.
        wanted: the LEDs, buttons and times that the board must set up.
        byte_seconds: time of a byte on the wire; about 1e-6 on native USB.

    Raises:
        LinkUseError: a session outside its range.
    """

    def __init__(
        self, *, session: int, wanted: BoardSetup, byte_seconds: float = UART_BYTE_S
    ) -> None:
        if not 0 < session < 1 << 32:
            raise LinkUseError(f"a session is a number from 1 to 2**32 - 1, not {session}")
        self.counters = LinkCounters()
        self._at_opening = LinkCounters()
        self._session = session
        self._wanted = wanted
        self.state = State.IDLE
        self._decoder = Decoder()
        self._repeated = RepeatedMessages(session=session, wanted=wanted)
        self._pixels = PixelSender(colours=wanted.colours, byte_seconds=byte_seconds)
        self.board = SessionBoard()
        self._timeout_at = inf
        self._quiet_until = -inf
        self._received_at = -inf
        self._owes_keyack = False

    @property
    def next_deadline(self) -> float:
        """Time at which `on_time` must be called: -inf for at once, inf for never."""
        if self.state not in TIMINGS:
            return inf
        silence = self._received_at + SILENCE_S if self._decoder.inside else inf
        pixels = self._pixels.deadline if self.state is State.RUNNING else inf
        repeated = max(self._repeated.next_at(self.state), self._quiet_until)
        return min(self._timeout_at, repeated, silence, pixels)

    def open(self, now: float, *, quiet_s: float = 0.0) -> None:
        """Begin the handshake after the port has been opened, for the first time or again.

        Args:
            now: monotonic seconds.
            quiet_s: seconds in which nothing is sent, because a byte would make the board's boot
                loader wait longer. A frame from the board ends this silence.

        Raises:
            LinkUseError: the link is closing or closed.
        """
        self._check_in_use()
        self.counters.openings += 1
        self._at_opening = replace(self.counters)
        self._decoder.reset()
        self._repeated.reset()
        self._pixels.forget()
        self._move(Cause.OPENED, now)
        self._quiet_until = now + quiet_s
        self._timeout_at += quiet_s

    def cut(self, why: str, now: float) -> list[Event]:
        """Handle a failure of the port; `why` describes it in a few words."""
        if Cause.CUT not in TRANSITIONS[self.state]:
            return []
        return self._counted(self._end(Cause.CUT, CutError("the port failed: {why}", why=why), now))

    def close(self, now: float) -> list[Event]:
        """Send BYE to the board. Its answer, or 0.5 s without an answer, gives a `Closed` event."""
        if Cause.CLOSE not in TRANSITIONS[self.state]:
            return []
        self._move(Cause.CLOSE, now)
        return [Closed(dark=False)] if self.state is State.CLOSED else []

    def show(self, pixels: bytes) -> int:
        """Set the newest frame, in the byte order of the strip; return its `FrameShown.ticket`.

        The frame is sent as soon as board and wire allow, unless a newer one replaces it first.

        Raises:
            FrameSizeError: the frame has too few or too many bytes for the wanted LEDs.
            LinkUseError: the link is closing or closed.
        """
        self._check_in_use()
        if len(pixels) != self._wanted.pixel_bytes or not pixels:
            raise FrameSizeError(
                f"a frame of {self._wanted.leds} LEDs has {self._wanted.pixel_bytes} bytes, "
                f"not {len(pixels)}"
            )
        return self._pixels.show(bytes(pixels))

    def receive_bytes(self, data: bytes, now: float) -> list[Event]:
        if self.state not in TIMINGS:
            return []
        self._received_at = now
        self.counters.bytes_received += len(data)
        return self._counted(self._handle_all(self._decoder.feed(data), now))

    def on_time(self, now: float) -> list[Event]:
        """Handle timeouts up to `now`. The port must be read first."""
        events: list[Event] = []
        if self._decoder.inside and now >= self._received_at + SILENCE_S:
            events += self._handle_all(self._decoder.break_off(), now)
        if self.state in TIMINGS and now >= self._timeout_at:
            events += self._give_up(now)
        if self.state is State.RUNNING:
            events += self._pixels.expire(now)
        return self._counted(events)

    def bytes_to_send(self, now: float) -> bytes:
        """Return the bytes to write now, often b""."""
        frames: list[Frame] = []
        if self._owes_keyack:
            self._owes_keyack = False
            frames.append(Frame(type=Type.KEYACK, sequence=self.board.keys.expected))
        if now >= self._quiet_until:
            frames += self._repeated.due(self.state, boot=self.board.boot or 0, now=now)
        if self.state is State.RUNNING:
            frames += self._pixels.compose(now)
        data = b"".join(map(encode, frames))
        self.counters.bytes_sent += len(data)
        return data

    def _counted(self, events: list[Event]) -> list[Event]:
        self.counters.count_events(events)
        return events

    def _check_in_use(self) -> None:
        if Cause.OPENED not in TRANSITIONS[self.state]:
            raise LinkUseError("the link is closed", remedy=Text("open another link"))

    def _move(self, cause: Cause, now: float) -> None:
        before, self.state = self.state, TRANSITIONS[self.state][cause]
        self._owes_keyack = False
        # A change between the two states of a handshake keeps the timeout.
        goes_on = cause is not Cause.OPENED and {before, self.state} <= _HANDSHAKE
        if not goes_on:
            timing = TIMINGS.get(self.state)
            self._timeout_at = inf if timing is None else now + timing.timeout_s

    def _end(self, cause: Cause, error: BridgeError, now: float) -> list[Event]:
        self._move(cause, now)
        self._pixels.forget()
        if self.state is State.CLOSED:  # not all: other states give Lost or Refused
            return [Closed(dark=False)]
        return [Refused(error=error) if self.state is State.REFUSED else Lost(error=error)]

    def _give_up(self, now: float) -> list[Event]:
        if self.state in _HANDSHAKE:
            error = compatibility.handshake_error(counts_since(self._at_opening, self.counters))
        else:
            error = compatibility.silence_error(TIMINGS[self.state].timeout_s)
        return self._end(Cause.SILENCE, error, now)

    def _forget_board(self, now: float) -> None:
        self._pixels.forget()
        self._move(Cause.BOARD_FORGOT, now)

    def _handle_all(self, received: list[Received], now: float) -> list[Event]:
        return [event for item in received for event in self._handle_received(item, now)]

    def _handle_received(self, received: Received, now: float) -> list[Event]:
        if isinstance(received, Damage):
            self.counters.count(received.value)
            return []
        if received.type < FROM_BOARD:
            self.counters.echoes += 1
            return []
        self.counters.frames += 1
        self._quiet_until = -inf
        if self.state is State.RUNNING:
            self._timeout_at = now + TIMINGS[State.RUNNING].timeout_s
        message = read_message(received)
        if message is None:
            self.counters.unknown += 1
            return []
        return self._handle_message(message, now)

    def _handle_message(self, message: Message, now: float) -> list[Event]:
        if self.state is State.RUNNING:
            self.board.clock.synchronise(message.clock, now=now)
        events: list[Event] = []
        match self.state, message:
            case State.GREETING | State.SETTING_UP | State.RUNNING, BoardInfo():
                events = self._handle_info(message, now)
            case State.SETTING_UP, Answer(answered=Type.SETUP):
                events = self._handle_setup_answer(message, now)
            case State.RUNNING, Answer(answered=Type.PIXELS | Type.FILL):
                events = self._handle_pixels_answer(message, now)
            case State.RUNNING, Pong():
                self._handle_pong(message, now)
            case State.RUNNING, Keys():
                self._owes_keyack = True
                events = [*self.board.handle_keys(message, now)]
            case State.RUNNING, LogLine():
                events = [Log(text=message.text, t=now)]
            case State.CLOSING, Answer(answered=Type.BYE):
                self._move(Cause.GOODBYE, now)
                events = [Closed(dark=message.reason is None)]
            case _:
                pass  # the message is late, or nothing asked for it
        return events

    def _handle_info(self, info: BoardInfo, now: float) -> list[Event]:
        is_greeted = self.state is State.GREETING
        if info.session != self._session or (info.boot == self.board.boot and not is_greeted):
            return []
        restarted = self.board.handle_info(info)
        self._pixels.begin(credit=info.credit)
        if error := compatibility.incompatibility(info, self._wanted):
            return [*restarted, *self._end(Cause.INFO_UNFIT, error, now)]
        self._move(Cause.INFO_FITS if is_greeted else Cause.BOARD_RESTARTED, now)
        return [*restarted]

    def _handle_setup_answer(self, answer: Answer, now: float) -> list[Event]:
        if answer.reason is None and self.board.info is not None:
            self._move(Cause.SETUP_TAKEN, now)
            levels = Resynchronised(down=self.board.keys.down, t=now)
            return [Connected(info=self.board.info), levels]
        if answer.reason is Reason.NOT_READY:
            self._forget_board(now)
        elif answer.reason is not None and answer.reason not in _TRANSMISSION_ERRORS:
            return self._end(Cause.SETUP_REFUSED, compatibility.setup_error(answer.reason), now)
        return []

    def _handle_pixels_answer(self, answer: Answer, now: float) -> list[Event]:
        if answer.reason is None:
            return [*self._pixels.acknowledge(answer.sequence)]
        if answer.reason is Reason.NOT_READY:
            self._forget_board(now)
            return []
        return [*self._pixels.refuse(answer.sequence, answer.reason, now=now)]

    def _handle_pong(self, pong: Pong, now: float) -> None:
        if not self.board.handle_pong(pong, session=self._session):
            self._forget_board(now)
        elif self._pixels.is_idle and not pong.shown:
            self._pixels.forget()
