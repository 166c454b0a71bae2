"""Messages that carry the newest frame of pixels to a board; older frames are never sent.

A frame is sent to the board, a microcontroller, as a whole or as changed ranges. It is sent as
ranges if the board has acknowledged the previous frame and no frame is in flight (sent, but not yet
answered). After any error the newest frame is sent whole. Here the second of three LEDs changes, so
its three bytes are sent, with offset 3:

>>> [part] = update(bytes(9), bytes((0, 0, 0, 255, 127, 1, 0, 0, 0)), colours=3, first=5)
>>> part.type.name, part.sequence, part.argument - LATCH, part.payload.hex()
('PIXELS', 5, 3, 'ff7f01')
"""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

import numpy as np

from firmware_bridge.protocol.framing import OVERHEAD, Frame
from firmware_bridge.protocol.messages import LATCH, Reason, Type
from firmware_bridge.protocol.states import FrameRefused, FrameShown
from hardware.strips.protocol import BIT_SECONDS

ANSWER_MARGIN_S: Final = 0.25  # time that buffers and a busy host may add to an answer

MAX_CREDIT: Final = 2
"""Most frames in flight; more would add latency, even if the board allows them."""

MAX_PARTS: Final = 32  # most ranges of a frame; messages in flight need different sequence numbers
_RETRY_S: Final = 0.01
_LONGEST_RETRY_S: Final = 0.25
_SEQUENCES: Final = 256
_SHOW_BYTE_S: Final = 1.5 * 8 * BIT_SECONDS  # some firmware leaves gaps between bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """A frame in flight, with the sequence numbers `first` to `last` of its messages."""

    ticket: int
    pixels: bytes
    first: int
    last: int
    deadline: float

    def covers(self, sequence: int) -> bool:
        count = (self.last - self.first) % _SEQUENCES
        return (sequence - self.first) % _SEQUENCES <= count


class PixelSender:
    """Sender of the newest frame. A board's credit is how many frames may be in flight.

    Args:
        colours: bytes for each LED.
        byte_seconds: time of a byte on the wire.
    """

    def __init__(self, *, colours: int, byte_seconds: float) -> None:
        self._colours = colours
        self._byte_seconds = byte_seconds
        self._credit = 1
        self._sequence = 0
        self._ticket = 0
        self._newest: bytes | None = None
        self._is_due = False
        self._base: bytes | None = None  # the frame that the board holds, if it is known
        self._sent: deque[_Sent] = deque()
        self._refused_in_a_row = 0
        self._not_before = -inf

    @property
    def is_idle(self) -> bool:
        """True if no frame is in flight: the board should hold the last acknowledged frame."""
        return not self._sent

    @property
    def deadline(self) -> float:
        """Time at which `expire` or `compose` must be called if no answer comes first."""
        expiry = self._sent[0].deadline if self._sent else inf
        return min(expiry, self._not_before if self._may_send else inf)

    @property
    def _may_send(self) -> bool:
        return self._is_due and len(self._sent) < self._credit

    def show(self, pixels: bytes) -> int:
        self._newest = pixels
        self._is_due = True
        self._ticket += 1
        return self._ticket

    def begin(self, *, credit: int) -> None:
        """Start with a board that holds no frame and allows `credit` frames in flight."""
        self._credit = min(credit, MAX_CREDIT)
        self.forget()

    def forget(self) -> None:
        """Assume that the board holds no frame: the newest frame must be sent whole."""
        self._sent.clear()
        self._base = None
        self._is_due = self._newest is not None
        self._refused_in_a_row = 0
        self._not_before = -inf

    def compose(self, now: float) -> list[Frame]:
        if self._newest is None or not self._may_send or now < self._not_before:
            return []
        base = None if self._sent else self._base
        parts = update(base, self._newest, colours=self._colours, first=self._sequence)
        self._sequence = (self._sequence + len(parts)) % _SEQUENCES
        self._sent.append(
            _Sent(
                ticket=self._ticket,
                pixels=self._newest,
                first=parts[0].sequence,
                last=parts[-1].sequence,
                deadline=now + self._timeout_s(parts),
            )
        )
        self._is_due = False
        return parts

    def acknowledge(self, sequence: int) -> list[FrameShown]:
        """Handle an ACK; ignore it if it matches no frame in flight."""
        if all(sent.last != sequence for sent in self._sent):
            return []
        # Frames sent before the acknowledged one are outdated and forgotten.
        while (sent := self._sent.popleft()).last != sequence:
            pass
        self._base = sent.pixels
        self._refused_in_a_row = 0
        return [FrameShown(ticket=sent.ticket)]

    def refuse(self, sequence: int, reason: Reason, *, now: float) -> list[FrameRefused]:
        """Handle a NAK; ignore it if it matches no frame in flight."""
        for sent in self._sent:
            if sent.covers(sequence):
                self._sent.remove(sent)
                return [self._give_up(sent, reason, now)]
        return []

    def expire(self, now: float) -> list[FrameRefused]:
        refused = []
        while self._sent and self._sent[0].deadline <= now:
            refused.append(self._give_up(self._sent.popleft(), None, now))
        return refused

    def _give_up(self, sent: _Sent, reason: Reason | None, now: float) -> FrameRefused:
        self._base = None
        self._is_due = self._is_due or sent.ticket == self._ticket
        # The pause limits the rate of frames to a board that refuses them all.
        pause = min(_RETRY_S * self._refused_in_a_row, _LONGEST_RETRY_S)
        self._not_before = now + pause
        self._refused_in_a_row += 1
        return FrameRefused(ticket=sent.ticket, reason=reason)

    def _timeout_s(self, parts: list[Frame]) -> float:
        """Return the longest time until the answer; the board first shows the frames in flight."""
        pixels = len(self._newest or b"") * (len(self._sent) + 1)
        wire = sum(OVERHEAD + len(part.payload) for part in parts) + pixels * len(self._sent)
        return ANSWER_MARGIN_S + wire * self._byte_seconds + pixels * _SHOW_BYTE_S


def update(base: bytes | None, pixels: bytes, *, colours: int, first: int) -> list[Frame]:
    """Return the shortest messages that turn the frame `base` into the frame `pixels`.

    Args:
        base: the frame that the board holds; None if the frame must be sent whole.
        pixels: the new frame. If all its LEDs are equal, one FILL sends it.
        colours: bytes for each LED.
        first: the sequence number of the first message.
    """
    led = pixels[:colours]
    if pixels == led * (len(pixels) // colours):
        return [Frame(type=Type.FILL, sequence=first, payload=led)]
    ranges = [] if base is None else changed_ranges(base, pixels)
    if not 0 < len(ranges) <= MAX_PARTS:
        ranges = [(0, len(pixels))]
    last = len(ranges) - 1
    return [
        Frame(
            type=Type.PIXELS,
            sequence=(first + i) % _SEQUENCES,
            argument=start | (LATCH if i == last else 0),
            payload=pixels[start:end],
        )
        for i, (start, end) in enumerate(ranges)
    ]


def changed_ranges(old: bytes, new: bytes) -> list[tuple[int, int]]:
    """Return the ranges (start, end) in which two frames differ; equal frames give (0, 0).

    Ranges are joined over gaps that are shorter than the overhead of a message, so that the
    messages never cost more than the whole frame.

    >>> changed_ranges(b"." * 40, b"." * 10 + b"a.b" + b"." * 26 + b"c")
    [(10, 13), (39, 40)]
    """
    changed = np.flatnonzero(np.frombuffer(old, np.uint8) != np.frombuffer(new, np.uint8))
    if not changed.size:
        return [(0, 0)]
    gaps = np.flatnonzero(np.diff(changed) > OVERHEAD + 1) + 1
    edges = [0, *gaps.tolist(), changed.size]
    return [(int(changed[i]), int(changed[j - 1]) + 1) for i, j in pairwise(edges)]
