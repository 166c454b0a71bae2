"""Counters of the host's end of a link, for the diagnosis of cables and boards."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeVar

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
from firmware_bridge.protocol.replies import BoardCounters

_COUNTER_MODULUS: Final = 1 << 16
_COUNTERS: Final[Mapping[type[Event], str]] = {
    FrameShown: "shown",
    KeyEdge: "edges",
    Resynchronised: "resynchronised",
    BoardRestarted: "restarts",
    Lost: "losses",
    Refused: "losses",
}


_Counters = TypeVar("_Counters", "LinkCounters", BoardCounters)


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
        self._count(damage.value)

    def count_events(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, FrameRefused):
                self._count("refused" if event.reason else "unanswered")
            elif type(event) in _COUNTERS:
                self._count(_COUNTERS[type(event)])

    def _count(self, name: str) -> None:
        setattr(self, name, getattr(self, name) + 1)


def counts_since(before: _Counters, now: _Counters) -> _Counters:
    """Return the counts since `before`; the board's counters wrap at 16 bits."""
    differences = {}
    for field in fields(now):
        difference = getattr(now, field.name) - getattr(before, field.name)
        differences[field.name] = difference if difference >= 0 else difference % _COUNTER_MODULUS
    return type(now)(**differences)
