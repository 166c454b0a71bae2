"""Frames of light to a board: the newest wins, and an old one is never sent again. No I/O.

A frame goes out whole, or as the ranges that changed if the board has acknowledged the one before
and nothing is on its way. Whatever goes wrong is mended by the newest frame, whole.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

import numpy as np

from firmware_bridge.protocol.events import FrameRefused, FrameShown
from firmware_bridge.protocol.framing import OVERHEAD, Frame
from firmware_bridge.protocol.messages import LATCH, Reason, Type
from hardware.strips.protocol import BIT_SECONDS

MARGIN: Final = 0.25
"""Seconds that an answer may take beyond wire and show: buffers, and a busy host."""

MOST_CREDIT: Final = 2
"""Frames on their way at most, whatever the board allows: more would only be older."""

MOST_PARTS: Final = 32
"""Ranges of a frame at most: far below the 128 in which sequences can be told apart."""

_PAUSE: Final = 0.01
_LONGEST_PAUSE: Final = 0.25
_SEQUENCES: Final = 256
_SHOW_SECONDS: Final = 1.5 * 8 * BIT_SECONDS  # a byte, with a firmware's gaps between bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """A frame on its way: its pixels, its sequences from `first` to `last`, its deadline."""

    ticket: int
    pixels: bytes
    first: int
    last: int
    deadline: float

    def covers(self, sequence: int) -> bool:
        count = (self.last - self.first) % _SEQUENCES
        return (sequence - self.first) % _SEQUENCES <= count


class PixelSender:
    """Decides what of the frames shown goes over the wire, and when.

    Args:
        colours: bytes an LED.
        byte_seconds: what a byte takes on the wire.
    """

    def __init__(self, *, colours: int, byte_seconds: float) -> None:
        self._colours = colours
        self._byte_seconds = byte_seconds
        self._credit = 1
        self._sequence = 0
        self._ticket = 0
        self._newest: bytes | None = None
        self._is_due = False
        self._base: bytes | None = None
        self._sent: deque[_Sent] = deque()
        self._refused_in_a_row = 0
        self._not_before = -inf

    @property
    def is_idle(self) -> bool:
        """Whether nothing is on its way, so that the board should hold what it acknowledged."""
        return not self._sent

    @property
    def deadline(self) -> float:
        """When `expire` or `compose` has something to do, unless an answer comes first."""
        expiry = self._sent[0].deadline if self._sent else inf
        return min(expiry, self._not_before if self._may_send else inf)

    @property
    def _may_send(self) -> bool:
        return self._is_due and len(self._sent) < self._credit

    def show(self, pixels: bytes) -> int:
        """Take the newest frame; its ticket, one more than the last."""
        self._newest = pixels
        self._is_due = True
        self._ticket += 1
        return self._ticket

    def begin(self, *, credit: int) -> None:
        """Serve a board that allows so many frames on their way, and holds nothing yet."""
        self._credit = min(credit, MOST_CREDIT)
        self.forget()

    def forget(self) -> None:
        """The board holds nothing any more: the newest frame is due, whole."""
        self._sent.clear()
        self._base = None
        self._is_due = self._newest is not None
        self._refused_in_a_row = 0
        self._not_before = -inf

    def compose(self, now: float) -> list[Frame]:
        """The frames to send now: those of the newest frame, if there is credit; often none."""
        if self._newest is None or not self._may_send or now < self._not_before:
            return []
        base = None if self._sent else self._base
        parts = self._numbered(update(base, self._newest, colours=self._colours))
        self._sent.append(
            _Sent(
                ticket=self._ticket,
                pixels=self._newest,
                first=parts[0].sequence,
                last=parts[-1].sequence,
                deadline=now + self._patience(parts),
            )
        )
        self._is_due = False
        return parts

    def acknowledge(self, sequence: int) -> list[FrameShown]:
        """Take an ACK; one that nothing waits for says nothing."""
        if all(sent.last != sequence for sent in self._sent):
            return []
        # What was sent before it and not answered is older than what the strip now shows.
        while (sent := self._sent.popleft()).last != sequence:
            pass
        self._base = sent.pixels
        self._refused_in_a_row = 0
        return [FrameShown(ticket=sent.ticket)]

    def refuse(self, sequence: int, reason: Reason, *, now: float) -> list[FrameRefused]:
        """Take a NAK; one that nothing waits for says nothing."""
        for sent in self._sent:
            if sent.covers(sequence):
                self._sent.remove(sent)
                return [self._give_up(sent, reason, now)]
        return []

    def expire(self, now: float) -> list[FrameRefused]:
        """Give up the frames that should have been answered by `now`."""
        refused = []
        while self._sent and self._sent[0].deadline <= now:
            refused.append(self._give_up(self._sent.popleft(), None, now))
        return refused

    def _give_up(self, sent: _Sent, reason: Reason | None, now: float) -> FrameRefused:
        self._base = None
        self._is_due = self._is_due or sent.ticket == self._ticket
        # A board that refuses everything must not be asked as fast as the line allows.
        pause = min(_PAUSE * self._refused_in_a_row, _LONGEST_PAUSE)
        self._not_before = now + pause
        self._refused_in_a_row += 1
        return FrameRefused(ticket=sent.ticket, reason=reason)

    def _numbered(self, parts: list[Frame]) -> list[Frame]:
        first = self._sequence
        self._sequence = (first + len(parts)) % _SEQUENCES
        return [
            Frame(
                type=part.type,
                sequence=(first + i) % _SEQUENCES,
                argument=part.argument,
                payload=part.payload,
            )
            for i, part in enumerate(parts)
        ]

    def _patience(self, parts: list[Frame]) -> float:
        """Seconds until an answer must be here, all that is on its way included."""
        pixels = len(self._newest or b"") * (len(self._sent) + 1)
        wire = sum(OVERHEAD + len(part.payload) for part in parts) + pixels * len(self._sent)
        return MARGIN + wire * self._byte_seconds + pixels * _SHOW_SECONDS


def update(base: bytes | None, pixels: bytes, *, colours: int) -> list[Frame]:
    """The fewest bytes that turn `base` into `pixels` and show them; sequences are not set.

    Without a base the frame is whole: as PIXELS, or as FILL if all LEDs are alike.
    """
    led = pixels[:colours]
    if pixels == led * (len(pixels) // colours):
        return [Frame(type=Type.FILL, sequence=0, payload=led)]
    ranges = [] if base is None else changed_ranges(base, pixels)
    if not 0 < len(ranges) <= MOST_PARTS:
        ranges = [(0, len(pixels))]
    last = len(ranges) - 1
    return [
        Frame(
            type=Type.PIXELS,
            sequence=0,
            argument=start | (LATCH if i == last else 0),
            payload=pixels[start:end],
        )
        for i, (start, end) in enumerate(ranges)
    ]


def changed_ranges(old: bytes, new: bytes) -> list[tuple[int, int]]:
    """Where `new` differs from `old`, of the same length, as (start, end); one empty if nowhere.

    Gaps are closed where the bytes in them cost no more than another frame around them, so that
    the ranges never cost more than the whole.

    >>> changed_ranges(b"." * 40, b"." * 10 + b"a.b" + b"." * 26 + b"c")
    [(10, 13), (39, 40)]
    """
    changed = np.flatnonzero(np.frombuffer(old, np.uint8) != np.frombuffer(new, np.uint8))
    if not changed.size:
        return [(0, 0)]
    gaps = np.flatnonzero(np.diff(changed) > OVERHEAD + 1) + 1
    edges = [0, *gaps.tolist(), changed.size]
    return [(int(changed[i]), int(changed[j - 1]) + 1) for i, j in pairwise(edges)]
