"""Counters of the host's end of a link, for the diagnosis of cables and boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.protocol.events import (
    BoardRestarted,
    Event,
    FrameRefused,
    FrameShown,
    KeyEdge,
    Lost,
    Refused,
    Resynchronised,
)
from firmware_bridge.protocol.framing import Damage


@dataclass(slots=True, kw_only=True)
class LinkCounters:
    """Counts since the link was created.

    `echoes` counts own frames that came back, `strange` frames of unknown content; `shown`,
    `refused` and `unanswered` count frames of pixels, `edges` key edges.
    """

    openings: int = 0
    bytes_received: int = 0
    bytes_sent: int = 0
    frames: int = 0
    bad_headers: int = 0
    damaged: int = 0
    broken_off: int = 0
    echoes: int = 0
    strange: int = 0
    shown: int = 0
    refused: int = 0
    unanswered: int = 0
    edges: int = 0
    resynchronised: int = 0
    restarts: int = 0
    losses: int = 0

    def count_damage(self, damage: Damage) -> None:
        """Count an error found by the decoder."""
        match damage:
            case Damage.HEADER:
                self.bad_headers += 1
            case Damage.PAYLOAD:
                self.damaged += 1
            case Damage.BROKEN_OFF:
                self.broken_off += 1

    def count_events(self, events: Iterable[Event]) -> None:
        """Count events returned to the owner of the link."""
        for event in events:
            match event:
                case FrameShown():
                    self.shown += 1
                case FrameRefused(reason=None):
                    self.unanswered += 1
                case FrameRefused():
                    self.refused += 1
                case KeyEdge():
                    self.edges += 1
                case Resynchronised():
                    self.resynchronised += 1
                case BoardRestarted():
                    self.restarts += 1
                case Lost() | Refused():
                    self.losses += 1
                case _:
                    pass
